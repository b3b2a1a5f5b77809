//! A record shown field by field, where no mapping says where each came from.

use super::{Answered, EXCERPT, FieldUse};
use crate::evidence::{Active, Field, Record};

/// The fields that a record can hold, each once.
fn all() -> impl Iterator<Item = Field> {
    // The first stands for three others, and the second is in no record.
    Field::ALL
        .into_iter()
        .filter(|field| !matches!(field, Field::ActiveLease | Field::Ts))
}

/// What a record says in every field.
pub(super) fn fields(record: &Record<'_>) -> Vec<(Field, Answered)> {
    all()
        .map(|field| (field, answered(record, field)))
        .collect()
}

/// The fields of a record, of which none was counted yet.
pub(super) fn uses() -> Vec<FieldUse> {
    let unused = |field| FieldUse {
        field,
        from: Default::default(),
        read: 0,
        unusable: Default::default(),
        nothing: 0,
        tried: String::new(),
    };
    all().map(unused).collect()
}

fn answered(record: &Record<'_>, field: Field) -> Answered {
    let (owner, lease, token) = match &record.active {
        Active::Lease {
            owner,
            lease,
            token,
        } => (owner.as_deref(), lease.as_deref(), *token),
        Active::None if field.is_of_active() => return Answered::Read("null".to_owned()),
        Active::None | Active::Unrecorded => (None, None, None),
    };
    let number = |number: Option<u64>| number.map(|number| number.to_string());
    let text = |text: Option<&str>| text.map(|text| text.chars().take(EXCERPT).collect());
    let value: Option<String> = match field {
        Field::LockName => text(Some(&record.lock)),
        Field::Event => text(Some(record.event.word())),
        Field::Result => text(Some(record.answer.word())),
        Field::OwnerId => text(record.owner.as_deref()),
        Field::LeaseId => text(record.lease.as_deref()),
        Field::FenceToken => number(record.token),
        Field::ResourceHighestTokenBefore => number(record.before),
        Field::ResourceHighestTokenAfter => number(record.after),
        Field::Seq => number(record.seq),
        Field::SeqBy => text(record.seq_by.map(crate::evidence::Origin::word)),
        Field::ResourceKey => text(record.key.as_deref()),
        Field::OperationId => text(record.operation.as_deref()),
        Field::ActiveOwnerId => text(owner),
        Field::ActiveLeaseId => text(lease),
        Field::ActiveFenceToken => number(token),
        Field::ActiveLease | Field::Ts => None,
    };
    value.map_or_else(|| Answered::Nothing(String::new()), Answered::Read)
}
