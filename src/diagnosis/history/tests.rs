//! Any records come out of a history as they went in.
use proptest::prelude::*;

use super::{Cursor, History};
use crate::evidence::{Active, Answer, Event, Glance, Origin, Place, Record};
use crate::timeline::{Kind, Step, Symbols};

type Name = Option<String>;

/// Few names, so that they come again, and some that are long.
fn name() -> impl Strategy<Value = Name> {
    proptest::option::of(prop_oneof!["[abc]{1,2}", "é{0,1}x{100,200}"])
}

fn active() -> impl Strategy<Value = Active<'static>> {
    prop_oneof![
        Just(Active::Unrecorded),
        Just(Active::None),
        (name(), name(), any::<Option<u64>>()).prop_map(|(owner, lease, token)| {
            Active::Lease {
                owner: owner.map(Into::into),
                lease: lease.map(Into::into),
                token,
            }
        }),
    ]
}

fn record() -> impl Strategy<Value = (Place, Record<'static>)> {
    // As they come, around where the way from arrival to line no longer fits, and any.
    let near = (0..9u64, -2..3i64).prop_map(|(arrival, offset)| {
        let line = arrival.wrapping_add_signed(offset);
        (arrival, line)
    });
    let edge = (any::<bool>(), -2..3i64).prop_map(|(least, offset)| {
        let end = i64::from(if least { i32::MIN } else { i32::MAX });
        (5, 5u64.wrapping_add_signed(end + offset))
    });
    let place = prop_oneof![near, edge, (any::<u64>(), any::<u64>())];
    let source = prop_oneof![0..3u32, any::<u32>()];
    let place = (place, source).prop_map(|((arrival, line), source)| (arrival, source, line));
    let numbers = proptest::array::uniform4(any::<Option<u64>>());
    let words = (
        proptest::sample::select(&Event::ALL[..]),
        proptest::sample::select(&Answer::ALL[..]),
        proptest::option::of(proptest::sample::select(&Origin::ALL[..])),
    );
    let names = proptest::array::uniform4(name());
    (place, numbers, words, names, active(), any::<bool>()).prop_map(
        |(place, [token, before, after, seq], words, names, active, own)| {
            let [owner, lease, key, operation] = names.map(|name| name.map(Into::into));
            let place = Place {
                arrival: place.0,
                source: place.1,
                line: place.2,
            };
            let active = match active {
                Active::Lease { .. } if own => Active::Lease {
                    owner: owner.clone(),
                    lease: lease.clone(),
                    token,
                },
                active => active,
            };
            let record = Record {
                owner,
                lease,
                token,
                before,
                after,
                seq,
                seq_by: words.2,
                key,
                operation,
                active,
                ..Record::new("lock", words.0, words.1)
            };
            (place, record)
        },
    )
}

proptest! {
    #[test]
    fn what_was_put_in_comes_out(
        records in proptest::collection::vec(record(), 0..20),
    ) {
        let mut history = History::default();
        let mut names = Symbols::default();
        for (place, record) in &records {
            let key = record.key.as_deref().map(|key| names.intern(Kind::Key, key));
            prop_assert_eq!(&record.record(), record);
            history.push(*place, record, key, record.seq_by);
        }
        let mut cursor = Cursor::default();
        for (place, record) in &records {
            let found = history.next(&mut cursor, &mut names);
            prop_assert_eq!(found, Some(Step::of(record, *place, &mut names)));
        }
        prop_assert_eq!(history.next(&mut cursor, &mut names), None);
        let all = history.steps(&mut names);
        history.replace(&all, &names);
        prop_assert_eq!(history.steps(&mut names), all);
    }
}
