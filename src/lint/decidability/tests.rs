use super::{Carried, Decider, Level, WAYS, way_of};
use crate::diagnosis::OrderBy;
use crate::evidence::{Answer, Event, Field, Origin, Place, Record};
use crate::incident::{Class, Variant};
use crate::timeline::{OrderFacts, Step, Symbols};

fn verdict(name: &str, records: &[Record<'_>]) -> super::WayVerdict {
    let (mut carried, mut facts) = (Carried::default(), OrderFacts::default());
    let mut symbols = Symbols::default();
    for (arrival, record) in (0..).zip(records) {
        let place = Place {
            arrival,
            source: 0,
            line: arrival + 1,
        };
        let step = Step::of(record, place, &mut symbols);
        facts.note(&step, None);
        carried.note(&step);
    }
    let all = Decider::new(OrderBy::Auto).decide(&carried, &facts, false);
    all.iter().find(|one| one.way.name == name).unwrap().clone()
}

fn write() -> Record<'static> {
    Record {
        token: Some(1),
        key: Some("k".into()),
        ..Record::new("a", Event::Write, Answer::Accepted)
    }
}

fn needs(verdict: &super::WayVerdict) -> Vec<String> {
    let set = |set: &Vec<super::Need>| {
        let names: Vec<String> = set
            .iter()
            .map(|need| format!("{}.{}", need.on.name(), need.field))
            .collect();
        names.join("+")
    };
    verdict.needs.iter().map(set).collect()
}

#[test]
fn every_variant_of_a_class_belongs_to_one_way() {
    for variant in Variant::ALL {
        let ways = WAYS
            .iter()
            .filter(|way| way.variants.contains(variant))
            .count();
        match variant.class() {
            Class::Undecided => assert_eq!(ways, 0, "{variant}"),
            class => {
                assert_eq!(ways, 1, "{variant}");
                assert_eq!(way_of(*variant).unwrap().class, class);
            }
        }
    }
}

#[test]
fn a_reading_is_the_smallest_thing_that_a_write_lacks() {
    let late = verdict("late-write-accepted", &[write(), write()]);
    assert_eq!(late.level, Level::CanOnlySuspect);
    assert_eq!(
        needs(&late),
        [
            "write.resourceHighestTokenBefore",
            "write.seqBy+every-record.seq"
        ]
    );
}

#[test]
fn a_deciding_order_proves_without_a_reading() {
    let numbered = |seq| Record {
        seq: Some(seq),
        seq_by: Some(Origin::Resource),
        ..write()
    };
    let late = verdict("late-write-accepted", &[numbered(1), numbered(2)]);
    assert_eq!((late.level, late.complete), (Level::CanProve, true));
    assert!(late.needs.is_empty());
}

#[test]
fn a_step_that_was_never_seen_is_needed_with_its_fields() {
    let release = verdict("other-lease-released", &[write()]);
    assert_eq!((release.level, release.of), (Level::Blind, 0));
    assert_eq!(
        needs(&release),
        [
            "release.leaseId+release.activeLeaseId",
            "acquire.fenceToken+release.fenceToken+release.activeFenceToken"
        ]
    );
}

#[test]
fn what_some_records_lack_is_provable_in_part() {
    let read = Record {
        before: Some(0),
        ..write()
    };
    let late = verdict("late-write-accepted", &[write(), read]);
    assert_eq!((late.level, late.complete), (Level::CanProve, false));
    assert_eq!((late.records, late.of), (1, 2));
    assert_eq!(needs(&late)[0], "write.resourceHighestTokenBefore");
}

#[test]
fn an_owner_is_no_handle() {
    let release = Record {
        owner: Some("A".into()),
        lease: Some("1".into()),
        active: crate::evidence::Active::Lease {
            owner: Some("A".into()),
            lease: None,
            token: None,
        },
        ..Record::new("a", Event::Release, Answer::Released)
    };
    let verdict = verdict("other-lease-released", &[release]);
    assert_eq!((verdict.level, verdict.complete), (Level::CanProve, false));
    assert_eq!(verdict.needs[0][0].field, Field::ActiveLeaseId);
}

#[test]
fn what_got_no_answer_proves_nothing() {
    let doubtful = Record {
        before: Some(0),
        answer: Answer::InDoubt,
        ..write()
    };
    assert_eq!(
        verdict("late-write-accepted", &[doubtful]).level,
        Level::Blind
    );
}

#[test]
fn one_token_at_two_leases_shows_at_any_step_and_wholly_at_acquisitions() {
    let of = |event, answer| Record {
        token: Some(1),
        lease: Some("l".into()),
        ..Record::new("a", event, answer)
    };
    for (event, answer, level) in [
        (Event::Expire, Answer::Expired, Level::CanProve),
        (Event::Write, Answer::RejectedOther, Level::CanProve),
        (Event::Write, Answer::InDoubt, Level::CanOnlySuspect),
        (Event::Acquire, Answer::AcquireRejectedHeld, Level::Blind),
    ] {
        let shared = verdict("one-token-two-leases", &[of(event, answer)]);
        assert_eq!((shared.level, shared.complete), (level, false), "{event:?}");
        assert_eq!(needs(&shared), ["acquire.leaseId+acquire.fenceToken"]);
    }
    let acquired = of(Event::Acquire, Answer::Acquired);
    let shared = verdict("one-token-two-leases", &[acquired]);
    assert_eq!((shared.level, shared.complete), (Level::CanProve, true));
}
