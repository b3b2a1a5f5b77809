//! What a log says when it is read by a proposal: whether what a field is then believed to
//! say can be so.

use std::borrow::Cow;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::choice::{Choice, Guess};
use super::toml::quoted;
use super::write::{head, write};
use crate::evidence::{Active, Answer, Event, Field, Place, Record};
use crate::ingest::mapping::{Mapped, Mapping};
use crate::ingest::{Dialect, ReadOptions, Rejected, Sink, Source, read};

/// Records that are looked at.
const MAX_ROWS: usize = 20_000;

/// What is asked of a record.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) event: Event,
    pub(super) answer: Answer,
    pub(super) lock: String,
    /// The lease that the record is of.
    pub(super) own: Identity,
    pub(super) key: Option<String>,
    pub(super) operation: Option<String>,
    pub(super) before: Option<u64>,
    pub(super) after: Option<u64>,
    pub(super) seq: Option<u64>,
    /// It is recorded that no lease was current.
    pub(super) none_active: bool,
    /// The lease that was current, as far as it is recorded.
    pub(super) active: Identity,
}

/// What tells a lease from others: its owner, its handle and its token.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Identity {
    pub(super) owner: Option<String>,
    pub(super) lease: Option<String>,
    pub(super) token: Option<u64>,
}

impl Identity {
    /// Whether two are the same, by the most telling part that both have.
    pub(super) fn is(&self, other: &Identity) -> Option<bool> {
        fn same<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> Option<bool> {
            Some(one.as_ref()? == other.as_ref()?)
        }
        same(&self.lease, &other.lease)
            .or_else(|| same(&self.token, &other.token))
            .or_else(|| same(&self.owner, &other.owner))
    }
}

impl Row {
    /// Whether a field is there that may stand beside a record: of others it is not asked.
    pub(super) fn has(&self, field: Field) -> bool {
        match field {
            Field::OwnerId => self.own.owner.is_some(),
            Field::LeaseId => self.own.lease.is_some(),
            Field::FenceToken => self.own.token.is_some(),
            Field::ResourceKey => self.key.is_some(),
            Field::ResourceHighestTokenBefore => self.before.is_some(),
            Field::ResourceHighestTokenAfter => self.after.is_some(),
            Field::Seq => self.seq.is_some(),
            _ => true,
        }
    }
}

impl Guess<'_> {
    /// The records of the log, where some fields are taken from other paths.
    pub(super) fn probe(&self, instead: &[(Field, &str)]) -> Vec<Row> {
        let is_replaced = |c: &Choice<'_>| {
            let mut instead = instead.iter();
            instead.any(|(field, path)| c.field == *field || c.path == *path)
        };
        let mut probed = self.with(|c| !is_replaced(c));
        let others = instead.iter();
        let others = others.map(|(field, path)| Choice::only(*field, path));
        probed.chosen.extend(others);
        rows(&write(&probed).toml, self.text)
    }

    /// What records have at two paths, of those that have both: the first as a mapping gives an
    /// owner, the second as text.
    pub(super) fn pairs(&self, owner: &str, path: &str) -> Vec<(String, String)> {
        // Read as the owner and the operation of a write.
        let toml = format!(
            "{}[fields]\nlockName = {{ value = \"lock\" }}\nownerId = {owner}\noperationId = {}\n\
             event = {{ value = \"write\" }}\nresult = {{ value = \"accepted\" }}\n",
            head(self.sample),
            quoted(path)
        );
        let rows = rows(&toml, self.text).into_iter();
        rows.filter_map(|row| Some((row.own.owner?, row.operation?)))
            .collect()
    }
}

/// The records of a log by a mapping; none where the mapping can't be used as it stands.
pub(super) fn rows(toml: &str, text: &str) -> Vec<Row> {
    let Ok(mapping) = Mapping::parse("proposal", toml) else {
        return Vec::new();
    };
    rows_by(Box::new(Mapped::new(Arc::new(mapping))), text)
}

/// The records of a log by a dialect.
pub(super) fn rows_by(dialect: Box<dyn Dialect + Send>, text: &str) -> Vec<Row> {
    read_sample::<Kept>(text, dialect).0
}

/// What is taken from the text of a sample; nothing where it can't be read.
pub(super) fn read_sample<S: Sink + Default>(text: &str, dialect: Box<dyn Dialect + Send>) -> S {
    let options = ReadOptions {
        threads: 1,
        ..ReadOptions::default()
    };
    let sample = Source::reader("sample", Cursor::new(text.as_bytes().to_vec()));
    let mut sink = S::default();
    match read(vec![sample.read_by(dialect)], &options, &mut sink) {
        Ok(_) => sink,
        Err(_) => S::default(),
    }
}

#[derive(Default)]
struct Kept(Vec<Row>);

impl Sink for Kept {
    fn record(&mut self, _place: Place, record: &Record<'_>) -> ControlFlow<()> {
        let text = |value: &Option<Cow<'_, str>>| value.as_ref().map(|v| v.to_string());
        let active = match &record.active {
            Active::Lease {
                owner,
                lease,
                token,
            } => Identity {
                owner: text(owner),
                lease: text(lease),
                token: *token,
            },
            _ => Identity::default(),
        };
        self.0.push(Row {
            event: record.event,
            answer: record.answer,
            lock: record.lock.to_string(),
            own: Identity {
                owner: text(&record.owner),
                lease: text(&record.lease),
                token: record.token,
            },
            key: text(&record.key),
            operation: text(&record.operation),
            before: record.before,
            after: record.after,
            seq: record.seq,
            none_active: matches!(record.active, Active::None),
            active,
        });
        if self.0.len() < MAX_ROWS {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn rejected(&mut self, _rejected: &Rejected<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
impl Row {
    /// An accepted write.
    pub(super) fn written(owner: &str, token: u64, operation: &str) -> Row {
        Row {
            event: Event::Write,
            answer: Answer::Accepted,
            lock: "a".to_owned(),
            own: Identity {
                owner: Some(owner.to_owned()),
                token: Some(token),
                ..Identity::default()
            },
            key: None,
            operation: Some(operation.to_owned()),
            before: None,
            after: None,
            seq: None,
            none_active: false,
            active: Identity::default(),
        }
    }
}
