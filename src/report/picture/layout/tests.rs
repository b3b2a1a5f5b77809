//! Any timeline is drawn inside its boxes, and every record of it once.
use super::{Drawing, lay_out};
use crate::evidence::{Answer, Event};
use crate::incident::Role;
use crate::report::columns::tests::entry;
use crate::report::model::{Active, Actor, Column, OrderUsed, Part, Timeline};
use crate::report::picture::story;
use proptest::prelude::*;

fn timeline(steps: &[(u8, u8, u8, u8, bool)]) -> Timeline {
    let columns = steps
        .iter()
        .zip(1u64..)
        .map(|((owner, what, token, other, told), position)| {
            let (event, answer) = match what % 12 {
                0 => (Event::Acquire, Answer::Acquired),
                1 => (Event::Expire, Answer::Expired),
                2 => (Event::Release, Answer::Released),
                3 => (Event::Renew, Answer::Renewed),
                4 => (Event::Write, Answer::RejectedStaleFence),
                5 => (Event::Release, Answer::ReleaseRejectedNotOwner),
                6 => (Event::Acquire, Answer::AcquireRejectedHeld),
                7 => (Event::Write, Answer::InDoubt),
                8 => {
                    return Column::Gap {
                        count: u64::from(*token),
                    };
                }
                _ => (Event::Write, Answer::Accepted),
            };
            let mut one = entry(position, false, &format!("o{}", owner % 4), event, answer);
            one.record.lease_id = (other % 5 != 0).then(|| format!("l{}", owner % 6));
            one.record.fence_token = (other % 3 != 0).then_some(u64::from(*token));
            one.record.resource_key = (other % 7 != 0).then(|| format!("k{}", other % 3));
            one.record.resource_highest_token_before =
                (other % 2 == 0).then_some(u64::from(token / 2));
            if event == Event::Release && other % 4 == 0 {
                one.record.active = Some(Active::Lease(Actor {
                    owner_id: None,
                    lease_id: Some(format!("l{}", other % 6)),
                    fence_token: None,
                }));
            }
            if *told {
                one.incidents.push(Part {
                    incident: u64::from(token % 4),
                    decides: other % 2 == 0,
                    role: Role::LateWrite,
                });
            }
            if other % 9 == 0 {
                return Column::Run {
                    first: one,
                    count: 5,
                    last_position: position + 4,
                    last_line: position + 4,
                };
            }
            Column::Record(one)
        })
        .collect();
    Timeline {
        lock_name: "lock".to_owned(),
        order: OrderUsed::Seq,
        withheld: None,
        records: 0,
        columns,
    }
}

fn check(drawing: &Drawing) -> Result<(), TestCaseError> {
    let (width, height) = (drawing.width, drawing.height);
    let inside = |x: i32, y: i32| (0..=width).contains(&x) && (0..=height).contains(&y);
    for pair in drawing.lanes.windows(2) {
        prop_assert!(pair[0].y + pair[0].height <= pair[1].y);
    }
    let mut bars = drawing.bars.clone();
    bars.sort_by_key(|bar| (bar.lane, bar.row, bar.x));
    for bar in &bars {
        let lane = &drawing.lanes[bar.lane];
        prop_assert!(bar.y >= lane.y && bar.y + super::BAR <= lane.y + lane.height);
        prop_assert!(inside(bar.x, bar.y) && inside(bar.x + bar.width, bar.y));
    }
    for pair in bars.windows(2) {
        if (pair[0].lane, pair[0].row) == (pair[1].lane, pair[1].row) {
            prop_assert!(pair[0].x + pair[0].width <= pair[1].x, "{pair:?}");
        }
    }
    for mark in &drawing.marks {
        let lane = &drawing.lanes[mark.lane];
        prop_assert!(inside(mark.x - super::MARK, mark.y - super::MARK));
        prop_assert!(inside(mark.x + super::MARK, mark.y + super::MARK));
        prop_assert!(mark.y - super::MARK >= lane.y);
        prop_assert!(mark.y + super::MARK <= lane.y + lane.height);
    }
    for a in &drawing.marks {
        for b in &drawing.marks {
            prop_assert_eq!(a.column.cmp(&b.column), a.x.cmp(&b.x));
            let apart = a.lane != b.lane || a.column == b.column;
            prop_assert!(apart || (a.x - b.x).abs() > 2 * super::MARK);
        }
    }
    for line in &drawing.lines {
        let lane = &drawing.lanes[line.lane];
        for (x, y) in &line.points {
            prop_assert!(inside(*x, *y) && *y >= lane.y && *y <= lane.y + lane.height);
        }
        prop_assert!(line.points.iter().map(|(x, _)| *x).is_sorted());
    }
    for arrow in &drawing.arrows {
        for (x, y) in [arrow.from, arrow.via, arrow.to] {
            prop_assert!(inside(x, y), "{arrow:?}");
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn everything_has_its_place(
        steps in proptest::collection::vec(any::<(u8, u8, u8, u8, bool)>(), 0..60),
    ) {
        let timeline = timeline(&steps);
        let drawings = lay_out(&story::read(&timeline, &[]), &timeline.columns);
        let mut next = 0;
        for drawing in &drawings {
            prop_assert_eq!(drawing.columns.start, next);
            next = drawing.columns.end;
            check(drawing)?;
        }
        prop_assert_eq!(next, timeline.columns.len());
        let records = timeline.columns.iter().filter(|one| one.entry().is_some());
        let mut drawn: Vec<usize> = drawings
            .iter()
            .flat_map(|one| &one.marks)
            .map(|mark| mark.column)
            .collect();
        drawn.sort_unstable();
        drawn.dedup();
        prop_assert_eq!(drawn.len(), records.count());
    }
}
