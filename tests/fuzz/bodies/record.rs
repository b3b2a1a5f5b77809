//! Records made field by field: written as JSON and read back they are the same, and
//! whatever they say together, the verdicts keep their own rules.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use lockdiag::diagnosis::{Diagnosis, Options, OrderBy};
use lockdiag::evidence::{Active, Answer, Event, Origin, Place, Record};
use lockdiag::incident::{Classification, Status};
use lockdiag::ingest::{Dialect, NativeJson};
use serde_json::{Map, Value, json};

use super::bytes::Bytes;
use super::outputs::{SOURCE, check_all};
use super::seen::OneFrame;

/// Enough for every variant, few enough to be judged in no time.
const MOST: usize = 24;

/// A few records: each survives its own line, and their verdicts are sound in form.
pub fn record(data: &[u8]) {
    let mut bytes = Bytes(data);
    let options = Options {
        order: bytes.pick(&[OrderBy::Auto, OrderBy::Seq, OrderBy::Input, OrderBy::None]),
        seq_by: bytes.maybe(|b| b.pick(&Origin::ALL)),
        memory: bytes.maybe(|b| usize::from(b.byte()) * 16),
        follow: bytes.flag(),
        ..Options::default()
    };
    let mut records = Vec::new();
    while !bytes.is_empty() && records.len() < MOST {
        let made = make(&mut bytes);
        survives(&made);
        records.push(made);
    }
    let verdict = judge(&records, &options);
    assert_eq!(
        verdict,
        judge(&records, &options),
        "same records, same verdicts"
    );
    assert_sound(&records, &verdict);
    check_all(&verdict);
}

fn make(bytes: &mut Bytes<'_>) -> Record<'static> {
    // An empty name is the same as none.
    let text = |bytes: &mut Bytes<'_>| {
        let text = bytes.maybe(Bytes::text)?;
        (!text.is_empty()).then_some(Cow::Owned(text))
    };
    let lock = match bytes.text() {
        empty if empty.is_empty() => "lock".to_owned(),
        lock => lock,
    };
    let event = bytes.pick(&Event::ALL);
    let answers: Vec<Answer> = Answer::ALL
        .into_iter()
        .filter(|answer| answer.event().is_none_or(|of| of == event))
        .collect();
    let owner = text(bytes);
    let lease = text(bytes);
    let number = |bytes: &mut Bytes<'_>| bytes.maybe(Bytes::number);
    Record {
        lock: Cow::Owned(lock),
        event,
        answer: bytes.pick(&answers),
        owner,
        lease,
        token: number(bytes),
        before: number(bytes),
        after: number(bytes),
        seq: number(bytes),
        seq_by: bytes.maybe(|b| b.pick(&Origin::ALL)),
        key: text(bytes),
        operation: text(bytes),
        active: match bytes.byte() % 3 {
            0 => Active::Unrecorded,
            1 => Active::None,
            _ => Active::Lease {
                owner: text(bytes),
                lease: text(bytes),
                token: Some(bytes.number()),
            },
        },
    }
}

/// Written as JSON and read back, a record is the same to the last digit and character.
fn survives(record: &Record<'_>) {
    let mut line = Map::new();
    let mut put = |name: &str, value: Value| {
        if !value.is_null() {
            line.insert(name.to_owned(), value);
        }
    };
    put("lockName", json!(record.lock));
    put("event", json!(record.event.word()));
    put("result", json!(record.answer.word()));
    put("ownerId", json!(record.owner));
    put("leaseId", json!(record.lease));
    put("fenceToken", json!(record.token));
    put("resourceHighestTokenBefore", json!(record.before));
    put("resourceHighestTokenAfter", json!(record.after));
    put("seq", json!(record.seq));
    put("seqBy", json!(record.seq_by.map(Origin::word)));
    put("resourceKey", json!(record.key));
    put("operationId", json!(record.operation));
    match &record.active {
        Active::Unrecorded => {}
        Active::None => {
            line.insert("activeLease".to_owned(), Value::Null);
        }
        Active::Lease {
            owner,
            lease,
            token,
        } => {
            let active = json!({"ownerId": owner, "leaseId": lease, "fenceToken": token});
            line.insert("activeLease".to_owned(), active);
        }
    }
    let line = Value::Object(line).to_string();
    let mut seen = OneFrame::default();
    NativeJson.read(line.as_bytes(), &mut seen);
    seen.assert_whole(line.as_bytes());
    let Some((read, problems)) = seen.records.first() else {
        panic!("no record: {line}: {:?}", seen.rejects);
    };
    assert!(problems.is_empty(), "{line}: {problems:?}");
    assert_eq!(read, record, "{line}");
}

fn judge(records: &[Record<'_>], options: &Options) -> Classification {
    let sources = [SOURCE.to_owned()];
    let mut diagnosis = Diagnosis::new(options.clone());
    for (at, record) in records.iter().enumerate() {
        let place = Place {
            arrival: at as u64,
            source: 0,
            line: at as u64 + 1,
        };
        diagnosis.observe(place, record);
        if options.follow {
            diagnosis.changes(&sources);
        }
    }
    diagnosis.finish(&sources)
}

/// What holds of every verdict, whatever the records say.
fn assert_sound(records: &[Record<'_>], verdict: &Classification) {
    let locks: BTreeSet<&str> = records.iter().map(|one| &*one.lock).collect();
    assert_eq!(verdict.summary.records, records.len() as u64);
    assert_eq!(verdict.summary.locks, locks.len() as u64);
    let mut subjects = HashSet::new();
    for one in &verdict.incidents {
        let about = (one.id.clone(), one.lock_name.clone(), one.variant);
        assert!(subjects.insert(about), "told twice: {one:?}");
        assert!(locks.contains(one.lock_name.as_str()), "{one:?}");
        assert!(one.occurrences > 0, "{one:?}");
        assert!(!one.evidence.is_empty(), "no record shows it: {one:?}");
        for witness in &one.evidence {
            let at = usize::try_from(witness.line).expect("a line in memory") - 1;
            assert_eq!(records[at].lock, one.lock_name, "{one:?}");
            assert_eq!(records[at].seq, witness.seq, "{one:?}");
        }
        let undecided = one.status == Status::Undecided;
        assert_eq!(undecided, one.class().name() == "undecided", "{one:?}");
        // A contradiction leaves no class.
        assert!(undecided || one.candidates.is_empty(), "{one:?}");
    }
}
