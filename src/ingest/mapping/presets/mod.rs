//! Presets: systems whose log has a fixed shape. Some are plain mappings; those whose log
//! needs memory from line to line are small readers behind the same interface.

mod advisory;
mod common;
mod consul;
mod databases;
mod etcd;
mod etcd_fields;
mod etcd_history;
mod kubernetes;
mod postgres;
mod queue;
mod redis_counters;
mod redis_keyevent;
mod redis_line;
mod redis_monitor;
mod redis_scripts;
mod terraform;
mod wrapped;
mod wrapped_evidence;
mod zookeeper;

use std::sync::{Arc, LazyLock};

use crate::evidence::Origin;
use crate::ingest::Dialect;

use super::{Mapped, Mapping};

pub(super) use terraform::TerraformLock;
use wrapped::Wrapped;

const BROKER_REFUSALS: &str = include_str!("broker-refusals.toml");
const TERRAFORM_LOCK: &str = include_str!("terraform-lock.toml");

/// A system whose log can be read by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Preset {
    /// `etcdctl watch -w json`, or a watch through the gateway.
    EtcdWatch,
    /// `redis-cli MONITOR`.
    RedisMonitor,
    /// `redis-cli psubscribe '__keyevent@*__:expired'`.
    RedisKeyevent,
    /// Kubernetes audit events of Lease objects.
    KubernetesAudit,
    /// What `zkTxnLogToolkit.sh` prints.
    ZooKeeperTxnlog,
    /// PostgreSQL's csvlog: advisory locks.
    PostgresCsvlog,
    /// PostgreSQL's jsonlog: advisory locks.
    PostgresJsonlog,
    /// Terraform's state locks.
    TerraformLock,
    /// States of Consul keys.
    ConsulKv,
    /// Evidence records in what collectors put around them.
    WrappedEvidence,
    /// Refusal lines of brokers and stores that carry both tokens.
    BrokerRefusals,
}

impl Preset {
    /// Every preset, by name.
    pub const ALL: [Preset; 11] = [
        Preset::BrokerRefusals,
        Preset::ConsulKv,
        Preset::EtcdWatch,
        Preset::KubernetesAudit,
        Preset::PostgresCsvlog,
        Preset::PostgresJsonlog,
        Preset::RedisKeyevent,
        Preset::RedisMonitor,
        Preset::TerraformLock,
        Preset::WrappedEvidence,
        Preset::ZooKeeperTxnlog,
    ];

    /// The name that `--preset` takes.
    pub const fn name(self) -> &'static str {
        match self {
            Preset::EtcdWatch => "etcd-watch",
            Preset::RedisMonitor => "redis-monitor",
            Preset::RedisKeyevent => "redis-keyevent",
            Preset::KubernetesAudit => "kubernetes-audit",
            Preset::ZooKeeperTxnlog => "zookeeper-txnlog",
            Preset::PostgresCsvlog => "postgres-csvlog",
            Preset::PostgresJsonlog => "postgres-jsonlog",
            Preset::TerraformLock => "terraform-lock",
            Preset::ConsulKv => "consul-kv",
            Preset::WrappedEvidence => "wrapped-evidence",
            Preset::BrokerRefusals => "broker-refusals",
        }
    }

    /// The preset of that name.
    ///
    /// # Errors
    /// A hint with the nearest name.
    pub fn from_name(name: &str) -> Result<Preset, String> {
        let found = Preset::ALL.into_iter().find(|preset| preset.name() == name);
        found.ok_or_else(|| {
            super::error::nearest_hint(name, Preset::ALL.into_iter().map(Preset::name))
        })
    }

    /// Whose log it is, and so who decided in the order of its numbers.
    pub const fn role(self) -> Option<Origin> {
        match self {
            // Brokers write each log line where they stand; nothing numbers them. Evidence
            // says itself who numbered it.
            Preset::BrokerRefusals | Preset::WrappedEvidence => None,
            _ => Some(Origin::Authority),
        }
    }

    /// What it reads, in one line.
    pub const fn summary(self) -> &'static str {
        match self {
            Preset::EtcdWatch => {
                "leases of keys, from `etcdctl watch -w json` (or fields) or the gateway"
            }
            Preset::RedisMonitor => "SET NX, compare-and-delete scripts and DEL, from MONITOR",
            Preset::RedisKeyevent => "keys that ran out, from keyspace notifications",
            Preset::KubernetesAudit => "Lease objects, from the API server's audit log",
            Preset::ZooKeeperTxnlog => "ephemeral nodes, from the printed transaction log",
            Preset::PostgresCsvlog => "advisory locks, from csvlog",
            Preset::PostgresJsonlog => "advisory locks, from jsonlog",
            Preset::TerraformLock => "state locks, from the lock table or the command's refusal",
            Preset::ConsulKv => "sessions on keys, from `consul watch` or the HTTP API",
            Preset::WrappedEvidence => "evidence records behind a prefix or inside other JSON",
            Preset::BrokerRefusals => {
                "refused epochs, terms and ranges: Kafka, HDFS, Elasticsearch, Temporal"
            }
        }
    }

    /// What `map show` prints: the mapping, or what the reader takes from where.
    pub const fn text(self) -> &'static str {
        match self {
            Preset::BrokerRefusals => BROKER_REFUSALS,
            Preset::TerraformLock => TERRAFORM_LOCK,
            Preset::EtcdWatch => include_str!("etcd-watch.txt"),
            Preset::RedisMonitor => include_str!("redis-monitor.txt"),
            Preset::RedisKeyevent => include_str!("redis-keyevent.txt"),
            Preset::KubernetesAudit => include_str!("kubernetes-audit.txt"),
            Preset::ZooKeeperTxnlog => include_str!("zookeeper-txnlog.txt"),
            Preset::PostgresCsvlog | Preset::PostgresJsonlog => include_str!("postgres-log.txt"),
            Preset::ConsulKv => include_str!("consul-kv.txt"),
            Preset::WrappedEvidence => include_str!("wrapped-evidence.txt"),
        }
    }

    /// The mapping that reads its lines, where it is one.
    pub(super) fn mapping(self) -> Option<Arc<Mapping>> {
        match self {
            Preset::BrokerRefusals => Some(Arc::clone(&BROKER_MAPPING)),
            Preset::TerraformLock => Some(Arc::clone(&TERRAFORM_MAPPING)),
            _ => None,
        }
    }

    /// A reader that has seen nothing yet.
    pub fn dialect(self) -> Box<dyn Dialect + Send> {
        match self {
            Preset::EtcdWatch => Box::<Wrapped<etcd::EtcdWatch>>::default(),
            Preset::RedisMonitor => Box::<redis_monitor::RedisMonitor>::default(),
            Preset::RedisKeyevent => Box::<redis_keyevent::RedisKeyevent>::default(),
            Preset::KubernetesAudit => Box::<Wrapped<kubernetes::KubernetesAudit>>::default(),
            Preset::ZooKeeperTxnlog => Box::<zookeeper::ZooKeeperLog>::default(),
            Preset::PostgresCsvlog => Box::new(postgres::PostgresLog::csv()),
            Preset::PostgresJsonlog => Box::new(postgres::PostgresLog::json()),
            Preset::ConsulKv => Box::<Wrapped<consul::ConsulKv>>::default(),
            Preset::WrappedEvidence => Box::<wrapped_evidence::WrappedEvidence>::default(),
            Preset::TerraformLock => Box::new(TerraformLock::new(Mapped::new(Arc::clone(
                &TERRAFORM_MAPPING,
            )))),
            Preset::BrokerRefusals => Box::new(Mapped::new(Arc::clone(&BROKER_MAPPING))),
        }
    }
}

static BROKER_MAPPING: LazyLock<Arc<Mapping>> =
    LazyLock::new(|| compiled(Preset::BrokerRefusals, BROKER_REFUSALS));
static TERRAFORM_MAPPING: LazyLock<Arc<Mapping>> =
    LazyLock::new(|| compiled(Preset::TerraformLock, TERRAFORM_LOCK));

/// A mapping that ships with the program: patterns take milliseconds to build, so that is done
/// once, not for each file. It is checked by the tests, so that an empty one never takes its
/// place.
fn compiled(preset: Preset, text: &str) -> Arc<Mapping> {
    Arc::new(Mapping::parse(preset.name(), text).unwrap_or_else(|_| Mapping::empty()))
}

#[cfg(test)]
mod tests {
    use super::{BROKER_REFUSALS, Mapping, Preset, TERRAFORM_LOCK};

    #[test]
    fn the_mappings_that_ship_are_right() {
        for text in [BROKER_REFUSALS, TERRAFORM_LOCK] {
            let errors = Mapping::parse("preset", text).err().unwrap_or_default();
            assert_eq!(errors, []);
        }
    }

    #[test]
    fn names_lead_back_and_are_sorted() {
        for preset in Preset::ALL {
            assert_eq!(Preset::from_name(preset.name()), Ok(preset));
            assert!(!preset.summary().is_empty() && !preset.text().is_empty());
        }
        assert!(Preset::ALL.is_sorted_by_key(|preset| preset.name()));
        let hint = Preset::from_name("etcd").unwrap_err();
        assert!(hint.contains("etcd-watch"), "{hint}");
    }
}
