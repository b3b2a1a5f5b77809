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
    let place = (any::<u64>(), any::<u32>(), any::<u64>());
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
