//! Counters next to locks, as far as MONITOR shows what they are: it prints no replies, so the
//! value of a counter is known only from where it was set under our eyes, and no longer than
//! all that was done to it is understood.

use std::collections::HashMap;

/// How many counters are remembered at most.
const MAX_KNOWN: usize = 1 << 20;

/// Commands that change no value.
const READS: [&str; 14] = [
    "GET",
    "MGET",
    "EXISTS",
    "TTL",
    "PTTL",
    "TYPE",
    "STRLEN",
    "WATCH",
    "TOUCH",
    "DUMP",
    "OBJECT",
    "GETRANGE",
    "PERSIST",
    "EXPIRETIME",
];

/// The counters whose value is known.
#[derive(Debug, Default)]
pub(super) struct Counters {
    /// By database and key.
    values: HashMap<(String, String), u64>,
}

impl Counters {
    /// Takes a command in; the new value, where it raised a known counter.
    pub(super) fn command(&mut self, database: &str, name: &str, args: &[&str]) -> Option<u64> {
        let key = |key: &str| (database.to_owned(), key.to_owned());
        match name {
            "INCR" | "INCRBY" => {
                let of = key(args.first()?);
                let step: Option<u64> = args.get(1).map_or(Some(1), |step| step.parse().ok());
                let next = step.and_then(|step| self.values.get(&of)?.checked_add(step));
                match next {
                    Some(next) => self.values.insert(of, next),
                    None => self.values.remove(&of),
                };
                return next;
            }
            // With an option it may not have been set, or may not stay.
            "SET" if args.len() == 2 => {
                if let Ok(number) = args.get(1)?.parse()
                    && self.values.len() < MAX_KNOWN
                {
                    self.values.insert(key(args.first()?), number);
                    return None;
                }
                self.values.remove(&key(args.first()?));
            }
            // What they do shows as commands of their own.
            "EVAL" | "EVALSHA" | "EVAL_RO" | "EVALSHA_RO" | "FCALL" | "FCALL_RO" => {}
            "FLUSHALL" | "FLUSHDB" | "SWAPDB" | "RESTORE" | "DEBUG" | "REPLICAOF" | "SLAVEOF" => {
                self.forget();
            }
            name if READS.contains(&name) => {}
            _ if !self.values.is_empty() => {
                for arg in args {
                    self.values.remove(&key(arg));
                }
            }
            _ => {}
        }
        None
    }

    /// Nothing is known any more: commands may have been missed.
    pub(super) fn forget(&mut self) {
        self.values.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::Counters;

    #[test]
    fn a_counter_is_known_only_while_all_is_seen() {
        let mut counters = Counters::default();
        assert_eq!(counters.command("0", "INCR", &["f"]), None);
        counters.command("0", "SET", &["f", "4"]);
        assert_eq!(counters.command("0", "INCR", &["f"]), Some(5));
        assert_eq!(counters.command("1", "INCR", &["f"]), None);
        counters.command("0", "GET", &["f"]);
        assert_eq!(counters.command("0", "INCRBY", &["f", "3"]), Some(8));
        counters.command("0", "DECR", &["f"]);
        assert_eq!(counters.command("0", "INCR", &["f"]), None);
        counters.command("0", "SET", &["f", "4", "EX", "9"]);
        assert_eq!(counters.command("0", "INCR", &["f"]), None);
        counters.command("0", "SET", &["f", "4"]);
        counters.command("0", "EXPIRE", &["f", "9"]);
        assert_eq!(counters.command("0", "INCR", &["f"]), None);
        counters.command("0", "SET", &["f", "4"]);
        counters.forget();
        assert_eq!(counters.command("0", "INCR", &["f"]), None);
    }
}
