//! Fields that a record lacks: required, needed for proof, useful. And how often each
//! field is there at all.

use super::{Checked, Desk, words};
use crate::evidence::{Active, Answer, Event, Field, Record};
use crate::lint::code::Code;
use crate::lint::members::Members;
use crate::lint::profile::{Tier, how_to_record, wanted};

/// How many of the records that should carry a field do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Those that do.
    pub present: u64,
    /// All of them.
    pub of: u64,
}

/// The coverage of every field, by step.
#[derive(Debug, Default)]
pub struct FieldCheck {
    /// By step and field.
    coverage: [[Coverage; Field::ALL.len()]; Event::ALL.len()],
}

/// Whether the record carries the field, in a form that can be used or not.
pub fn is_present(record: &Record<'_>, members: &Members<'_>, field: Field) -> bool {
    let recorded = match field {
        Field::OwnerId => record.owner.is_some(),
        Field::LeaseId => record.lease.is_some(),
        Field::FenceToken => record.token.is_some(),
        Field::ResourceHighestTokenBefore => record.before.is_some(),
        Field::ResourceHighestTokenAfter => record.after.is_some(),
        Field::Result => record.answer != Answer::InDoubt || !members.has_any(),
        Field::Seq => record.seq.is_some(),
        Field::SeqBy => record.seq_by.is_some(),
        Field::ResourceKey => record.key.is_some(),
        Field::OperationId => record.operation.is_some(),
        Field::ActiveOwnerId | Field::ActiveLeaseId | Field::ActiveFenceToken => {
            match &record.active {
                Active::Unrecorded => false,
                Active::None => true,
                Active::Lease {
                    owner,
                    lease,
                    token,
                } => match field {
                    Field::ActiveOwnerId => owner.is_some(),
                    Field::ActiveLeaseId => lease.is_some(),
                    _ => token.is_some(),
                },
            }
        }
        Field::ActiveLease => record.active != Active::Unrecorded,
        Field::Ts => false,
        Field::LockName | Field::Event => true,
    };
    recorded || members.has_value(field)
}

/// The answer, as far as one was understood: none where a word was given that is not in
/// the vocabulary.
pub fn understood(record: &Record<'_>, members: &Members<'_>) -> Option<Answer> {
    if record.answer != Answer::InDoubt {
        return Some(record.answer);
    }
    let word = members
        .get(Field::Result)
        .and_then(|member| serde_json::from_str::<String>(members.raw(member)).ok());
    match word {
        Some(word) => Answer::of_word(&word, Some(record.event), true),
        None => Some(Answer::InDoubt),
    }
}

impl FieldCheck {
    /// Looks for what a record lacks.
    pub fn check(&mut self, checked: &Checked<'_, '_>, desk: &mut Desk<'_>) {
        let (record, members) = (checked.record, checked.members);
        let event = record.event;
        let names_no_lease = matches!(event, Event::Release | Event::Renew)
            && !is_present(record, members, Field::LeaseId)
            && !is_present(record, members, Field::FenceToken);
        if names_no_lease {
            let required = desk.collector.settings.profile.requires(
                event,
                Field::LeaseId,
                Some(Tier::Minimal),
            );
            let code = if required {
                Code::FieldRequired
            } else {
                Code::ReleaseWithoutHandle
            };
            desk.at_field_once(code, checked, Field::LeaseId, || {
                words(
                    format!(
                        "this {} names neither `leaseId` nor `fenceToken`",
                        event.word()
                    ),
                    how_to_record(event, Field::LeaseId),
                    "",
                )
            });
        }
        for (field, tier) in wanted(event, understood(record, members)) {
            let coverage = &mut self.coverage[event as usize][*field as usize];
            coverage.of += 1;
            if is_present(record, members, *field) {
                coverage.present += 1;
                continue;
            }
            let handle = matches!(field, Field::LeaseId | Field::FenceToken);
            if !(names_no_lease && handle) {
                self.missing(checked, desk, *field, Some(*tier));
            }
        }
        let own: Vec<Field> = desk.collector.settings.profile.own(event).collect();
        for field in own {
            let known = wanted(event, None).iter().any(|(one, _)| *one == field);
            if !known && !is_present(record, members, field) {
                self.missing(checked, desk, field, None);
            }
        }
    }

    fn missing(
        &self,
        checked: &Checked<'_, '_>,
        desk: &mut Desk<'_>,
        field: Field,
        tier: Option<Tier>,
    ) {
        let event = checked.record.event;
        let required = desk.collector.settings.profile.requires(event, field, tier);
        let code = match (tier, field) {
            _ if required => Code::FieldRequired,
            (Some(Tier::Useful), _) => Code::FieldUseful,
            // Judged for the lock as a whole.
            (Some(Tier::Order) | None, _) => return,
            (_, Field::OperationId) => Code::WriteWithoutOperation,
            (_, Field::ResourceKey) => Code::WriteWithoutKey,
            _ => Code::FieldForProof,
        };
        desk.at_field_once(code, checked, field, || {
            let because = match code {
                Code::FieldRequired => "which the required profile names",
                Code::FieldUseful => "which would make a verdict easier to act on",
                Code::WriteWithoutOperation => "so a repeated delivery can't be told from new work",
                Code::WriteWithoutKey => {
                    "so it can't be said which tokens the resource compared with which"
                }
                _ => "without which some verdict can't be proven",
            };
            words(
                format!("this {} has no `{field}`, {because}", event.word()),
                how_to_record(event, field),
                "",
            )
        });
    }

    /// The coverage by step and field, steps in documented order.
    pub fn coverage(&self) -> impl Iterator<Item = (Event, Field, Coverage)> {
        let of = |event: Event| {
            let fields = self.coverage[event as usize];
            Field::ALL
                .into_iter()
                .map(move |field| (event, field, fields[field as usize]))
        };
        let all = Event::ALL.into_iter().flat_map(of);
        all.filter(|(_, _, coverage)| coverage.of > 0)
    }
}
