//! The evidence fields of an object, each with the place where it stands.

use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::evidence::Field;
use crate::ingest::dialect::{Problem, ProblemKind};
use crate::ingest::json::fields::{Name, inside_active};
use crate::ingest::json::value::{Any, Value, lease};

/// A field as it stands in the text.
pub(super) struct Member<'a> {
    pub(super) field: Field,
    pub(super) span: Range<usize>,
    /// The value as it is written.
    pub(super) raw: &'a str,
    pub(super) value: Value<'a>,
}

impl Member<'_> {
    /// What is wrong with it.
    pub(super) fn problem(&self, kind: ProblemKind, message: String, hint: &str) -> Problem {
        Problem {
            kind,
            field: Some(self.field),
            span: self.span.clone(),
            message,
            hint: hint.to_owned(),
        }
    }
}

/// The first member of that field that holds something.
pub(super) fn find<'m, 'a>(members: &'m [Member<'a>], field: Field) -> Option<&'m Member<'a>> {
    members
        .iter()
        .find(|member| member.field == field && member.value != Value::Null)
}

/// Every evidence field of an object that is known to be well formed.
pub(super) fn members(text: &str) -> Vec<Member<'_>> {
    let mut found = Vec::new();
    let _ = collect(text, text, false, &mut found);
    found
}

fn collect<'a>(
    text: &'a str,
    object: &'a str,
    active: bool,
    found: &mut Vec<Member<'a>>,
) -> Result<(), serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(object);
    for (field, raw) in Members.deserialize(&mut deserializer)? {
        let field = if active {
            inside_active(field)
        } else {
            Some(field)
        };
        let Some(field) = field else { continue };
        let raw = raw.get();
        // Both lie in one text, so the distance of their addresses is the place.
        let start = (raw.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let value = match field {
            Field::LeaseId | Field::ActiveLeaseId => lease(raw)?,
            _ => Any.deserialize(&mut serde_json::Deserializer::from_str(raw))?,
        };
        found.push(Member {
            field,
            span: start..start + raw.len(),
            raw,
            value,
        });
        if field == Field::ActiveLease && raw.starts_with('{') {
            collect(text, raw, true, found)?;
        }
    }
    Ok(())
}

struct Members;

impl<'de> DeserializeSeed<'de> for Members {
    type Value = Vec<(Field, &'de RawValue)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(Field, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(name) = map.next_key_seed(Name)? {
            let raw: &RawValue = map.next_value()?;
            found.extend(name.map(|field| (field, raw)));
        }
        Ok(found)
    }
}
