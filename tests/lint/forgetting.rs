//! With little memory lint finds less, and nothing that it would not find with plenty; and
//! no lock decides more.

use std::collections::BTreeSet;

use lockdiag::lint::{Code, Finding, Report, Settings};
use proptest::prelude::*;
use proptest::sample::Index;

use super::lint;

/// What happens next in a log.
#[derive(Debug, Clone)]
enum Next {
    /// A record of a lock, with what it says.
    Record(Said),
    /// A line that was there before, once more.
    Again(Index),
    /// A line that was there before, changed, so that two records share a `seq`.
    Changed(Index, Said),
}

/// Small numbers to choose names, answers and tokens by.
#[derive(Debug, Clone)]
struct Said {
    lock: u8,
    step: u8,
    lease: u8,
    owner: u8,
    off: u8,
    extra: u8,
}

fn said() -> impl Strategy<Value = Said> {
    let small = (0..4_u8, 0..8_u8, 0..9_u8);
    (small, 0..8_u8, 0..12_u8, 0..64_u8).prop_map(|((lock, step, lease), owner, off, extra)| Said {
        lock,
        step,
        lease,
        owner,
        off,
        extra,
    })
}

fn next() -> impl Strategy<Value = Next> {
    prop_oneof![
        6 => said().prop_map(Next::Record),
        2 => any::<Index>().prop_map(Next::Again),
        1 => (any::<Index>(), said()).prop_map(|(at, said)| Next::Changed(at, said)),
    ]
}

/// Names that are sometimes one in two spellings.
const LEASES: [&str; 9] = [
    "lease-a",
    "Lease-A",
    "7293a2278b09a506",
    "8256120832620340486",
    "0x7293A2278B09A506",
    "b",
    "c",
    "d",
    "e",
];
const LOCKS: [&str; 4] = ["acct:42", "ACCT/42", "b", "c"];

/// A line. `seq` 0 is none.
fn line(said: &Said, seq: u64) -> String {
    let (event, result) = [
        ("acquire", "acquired"),
        ("write", "accepted"),
        ("write", "accepted"),
        ("renew", "renewed"),
        ("release", "released"),
        ("release", "released"),
        ("expire", "expired"),
        ("write", "rejected-stale-fence"),
    ][usize::from(said.step)];
    let token = u64::from(said.lease) + u64::from(said.off == 0);
    let mut line = format!(
        r#"{{"lockName":"{}","event":"{event}","result":"{result}","leaseId":"{}","fenceToken":{token}"#,
        LOCKS[usize::from(said.lock)],
        LEASES[usize::from(said.lease)],
    );
    let owner = if said.owner == 0 { 9 } else { said.lease };
    if said.owner < 6 {
        line += &format!(r#","ownerId":"w{owner}""#);
    }
    if event == "write" {
        let before = u64::from(said.off) % 7;
        line += &format!(
            r#","resourceKey":"k:{}","resourceHighestTokenBefore":{before}"#,
            said.extra % 3
        );
    }
    if seq > 0 {
        line += &format!(r#","seq":{seq}"#);
        if said.extra > 1 {
            line += r#","seqBy":"authority""#;
        }
    }
    if !said.extra.is_multiple_of(5) {
        line += &format!(r#","ts":{}"#, 1000 + 3 * seq + u64::from(said.extra % 7));
    }
    if said.extra.is_multiple_of(6) {
        line += r#","activeLease":null"#;
    } else if said.extra.is_multiple_of(4) {
        line += &format!(
            r#","activeLeaseId":"{}""#,
            LEASES[usize::from(said.off) % 9]
        );
    }
    line + "}"
}

/// The log, as two inputs. Below `unnumbered` locks have no `seq`; at 4, a few records of each have none.
fn log(all: &[Next], unnumbered: u8) -> Vec<(String, Vec<u8>)> {
    let mut inputs = [String::new(), String::new()];
    let mut lines: Vec<(String, u64)> = Vec::new();
    let mut seqs = [0_u64; 4];
    for (at, next) in all.iter().enumerate() {
        let new = match next {
            Next::Record(said) => {
                let lock = usize::from(said.lock);
                seqs[lock] += 1;
                // Some come late, in the gaps that others leave.
                let seq = match said.extra % 8 {
                    0 => (seqs[lock] * 4).saturating_sub(10).max(1),
                    1 => seqs[lock] * 4 + 7,
                    _ => seqs[lock] * 4,
                };
                let none = said.lock < unnumbered || (unnumbered == 4 && said.off == 1);
                let seq = if none { 0 } else { seq };
                (line(said, seq), seq)
            }
            Next::Again(index) if !lines.is_empty() => index.get(&lines).clone(),
            Next::Changed(index, said) if !lines.is_empty() => {
                let seq = index.get(&lines).1;
                (line(said, seq), seq)
            }
            Next::Again(_) | Next::Changed(..) => continue,
        };
        let input = &mut inputs[usize::from(at > all.len() * 2 / 3)];
        input.push_str(&new.0);
        input.push('\n');
        lines.push(new);
    }
    let [a, b] = inputs;
    vec![("a".into(), a.into_bytes()), ("b".into(), b.into_bytes())]
}

/// A finding by what it is about and where it is; of what is told once, where does not count.
fn place(one: &Finding) -> (Code, String, String) {
    let place = match one.folded {
        true => format!("{:?} {:?}", one.event, one.field),
        false => format!("{:?} {:?}", one.place, one.field),
    };
    (one.code, one.lock_name.clone().unwrap_or_default(), place)
}

fn run(inputs: &[(String, Vec<u8>)], window: usize) -> Report {
    let settings = Settings {
        window,
        limit: usize::MAX,
        ..Settings::default()
    };
    lint(inputs.to_vec(), settings)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn little_memory_makes_no_finding_and_no_proof(
        all in prop::collection::vec(next(), 2..90),
        unnumbered in 0..5_u8,
        window in 1..12_usize,
    ) {
        let inputs = log(&all, unnumbered);
        let (plenty, little) = (run(&inputs, 10_000), run(&inputs, window));
        prop_assert!(!plenty.forgot);
        let known: BTreeSet<_> = plenty.findings.iter().map(place).collect();
        for finding in &little.findings {
            prop_assert!(
                known.contains(&place(finding)),
                "{finding:?}\n{}---\n{}",
                String::from_utf8_lossy(&inputs[0].1),
                String::from_utf8_lossy(&inputs[1].1)
            );
        }
        prop_assert!(little.loudest <= plenty.loudest);
        for (little, plenty) in little.locks.iter().zip(&plenty.locks) {
            prop_assert_eq!(&little.lock_name, &plenty.lock_name);
            for (little, plenty) in little.ways.iter().zip(plenty.ways.iter()) {
                prop_assert!(
                    little.level <= plenty.level
                        && (little.level < plenty.level || little.complete <= plenty.complete),
                    "{little:?} {plenty:?}"
                );
            }
        }
    }
}

/// A write of the first input that is passed over, since it may be a repeat, may have shown the
/// token that a later line of the second input shows again.
#[test]
fn a_token_of_a_record_passed_over_is_held_against_no_reading() {
    let mut first = String::from(
        r#"{"lockName":"a","event":"acquire","result":"acquired","fenceToken":1,"seq":1}"#,
    );
    for n in 1..40 {
        first += &format!(
            "\n{{\"lockName\":\"b{n}\",\"event\":\"acquire\",\"result\":\"acquired\",\"fenceToken\":1,\"seq\":{n}}}"
        );
    }
    first += "\n{\"lockName\":\"a\",\"event\":\"write\",\"result\":\"accepted\",\"fenceToken\":1,\"resourceKey\":\"k\",\"seq\":1}\n";
    let second = r#"{"lockName":"a","event":"write","result":"rejected-stale-fence","fenceToken":0,"resourceKey":"k","resourceHighestTokenBefore":1}
{"lockName":"a","event":"write","result":"accepted","fenceToken":1,"resourceKey":"k","resourceHighestTokenBefore":0}
"#;
    let inputs = [
        ("a".into(), first.into_bytes()),
        ("b".into(), second.as_bytes().to_vec()),
    ];
    for window in [2, 10_000] {
        let found = run(&inputs, window).findings;
        let held = found
            .iter()
            .any(|one| one.code == Code::ReadingContradictsOrder);
        assert!(!held, "{window}: {found:?}");
    }
}
