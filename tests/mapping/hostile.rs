//! Whatever a log holds, reading it ends, without a panic, and says of every frame what
//! it was.

use std::sync::{Arc, LazyLock};

use lockdiag::ingest::Dialect;
use lockdiag::ingest::mapping::{Mapped, Mapping, Preset, suggest};
use proptest::prelude::*;

use crate::support::{Seen, data, names, sample};

const MAPPINGS: [&str; 12] = [
    "csv",
    "ecs",
    "logfmt",
    "loguru",
    "otel-console",
    "otlp",
    "pino",
    "plain",
    "prose",
    "python-json-logger",
    "structlog",
    "winston",
];

/// The samples, compiled once.
fn mappings() -> &'static [Arc<Mapping>] {
    static ALL: LazyLock<Vec<Arc<Mapping>>> = LazyLock::new(|| {
        let path = |name| {
            format!(
                "{}/samples/mappings/{name}.toml",
                env!("CARGO_MANIFEST_DIR")
            )
        };
        MAPPINGS
            .iter()
            .map(|name| std::fs::read_to_string(path(name)).unwrap())
            .map(|text| Arc::new(Mapping::parse("sample", &text).unwrap()))
            .collect()
    });
    &ALL
}

/// Lines of real logs, to be broken.
fn lines() -> &'static [Vec<u8>] {
    static ALL: LazyLock<Vec<Vec<u8>>> = LazyLock::new(all_lines);
    &ALL
}

fn all_lines() -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    for dir in ["systems", "cases", "60", "63"] {
        for name in names(dir) {
            let bytes = data(&format!("{dir}/{name}"));
            lines.extend(bytes.split(|b| *b == b'\n').take(12).map(<[u8]>::to_vec));
        }
    }
    lines
}

#[derive(Debug, Clone)]
enum Harm {
    Cut(prop::sample::Index),
    Set(prop::sample::Index, u8),
    Insert(prop::sample::Index, Vec<u8>),
    Remove(prop::sample::Index),
}

fn harm() -> impl Strategy<Value = Harm> {
    let at = any::<prop::sample::Index>;
    let telling = prop::sample::select(b"\"\\{}[](),:=' \t\r\n$@/-09\xff\xc3\x00".to_vec());
    prop_oneof![
        at().prop_map(Harm::Cut),
        (at(), telling).prop_map(|(at, byte)| Harm::Set(at, byte)),
        (at(), prop::collection::vec(any::<u8>(), 1..6)).prop_map(|(a, b)| Harm::Insert(a, b)),
        at().prop_map(Harm::Remove),
    ]
}

fn broken(mut line: Vec<u8>, harms: Vec<Harm>) -> Vec<u8> {
    for harm in harms {
        if line.is_empty() {
            break;
        }
        match harm {
            Harm::Cut(at) => line.truncate(at.index(line.len())),
            Harm::Set(at, byte) => {
                let at = at.index(line.len());
                line[at] = byte;
            }
            Harm::Insert(at, bytes) => {
                let at = at.index(line.len());
                line.splice(at..at, bytes);
            }
            Harm::Remove(at) => {
                let at = at.index(line.len());
                line.remove(at);
            }
        }
    }
    line
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn broken_lines_of_real_logs(
        picks in prop::collection::vec((any::<prop::sample::Index>(), prop::collection::vec(harm(), 0..4)), 1..30)
    ) {
        let lines = lines();
        let frames: Vec<Vec<u8>> = picks
            .into_iter()
            .map(|(at, harms)| broken(lines[at.index(lines.len())].clone(), harms))
            .collect();
        let presets = Preset::ALL.map(|preset| preset.dialect() as Box<dyn Dialect>);
        let mappings = mappings().iter().map(|mapping| {
            Box::new(Mapped::new(Arc::clone(mapping))) as Box<dyn Dialect>
        });
        for mut dialect in presets.into_iter().chain(mappings) {
            let mut seen = Seen::default();
            for frame in &frames {
                dialect.read(frame, &mut seen);
            }
            dialect.finish(&mut seen);
        }
        suggest(&String::from_utf8_lossy(&frames.join(&b'\n')));
    }

    #[test]
    fn any_text_as_a_path_or_a_mapping(text in "[a-z.\\[\\]\"@$*=0-9\\\\{} '\n]{0,60}") {
        let _ = lockdiag::ingest::mapping::Path::parse(&text);
        let _ = lockdiag::ingest::mapping::Mapping::parse("m", &text);
        let _ = lockdiag::ingest::mapping::Mapping::quick(std::slice::from_ref(&text), std::slice::from_ref(&text));
    }
}

#[test]
fn depth_ends() {
    let deep = format!("{}\"x\"{}", "[".repeat(100_000), "]".repeat(100_000));
    let mut seen = Seen::default();
    sample("structlog").read(deep.as_bytes(), &mut seen);
    assert_eq!(seen.rejects.len(), 1);
    let mut text = "1".to_owned();
    for _ in 0..20 {
        text = serde_json::to_string(&serde_json::json!({ "lock": text })).unwrap();
        if text.len() > 1 << 20 {
            break;
        }
    }
    sample("structlog").read(text.as_bytes(), &mut seen);
}
