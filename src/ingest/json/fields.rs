//! The fast pass over a record: fields by name, text borrowed from the line, nothing
//! allocated, and for everything that is wrong one bit.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::field_set::{ACTIVE, EVIDENCE, FieldSet};
use super::value::{Any, Value, handle, lease, number, text};
use crate::evidence::{Event, Field, Origin, Token};
use crate::ingest::scan::too_deep;

/// The evidence fields of one object.
#[derive(Debug, Default)]
pub(super) struct Fields<'a> {
    pub(super) lock: Option<Cow<'a, str>>,
    pub(super) owner: Option<Cow<'a, str>>,
    pub(super) lease: Option<Cow<'a, str>>,
    pub(super) token: Option<Token>,
    pub(super) before: Option<Token>,
    pub(super) after: Option<Token>,
    /// The word; what it means depends on the event and the token.
    pub(super) result: Option<Cow<'a, str>>,
    pub(super) event: Option<Event>,
    pub(super) seq: Option<u64>,
    pub(super) seq_by: Option<Origin>,
    pub(super) key: Option<Cow<'a, str>>,
    pub(super) operation: Option<Cow<'a, str>>,
    pub(super) active_owner: Option<Cow<'a, str>>,
    pub(super) active_lease: Option<Cow<'a, str>>,
    pub(super) active_token: Option<Token>,
    /// Fields that are there with a value.
    pub(super) present: FieldSet,
    /// Fields of the active lease, or the whole of it, that are there as null.
    pub(super) null: FieldSet,
    /// Fields that are there and can't be used.
    pub(super) wrong: FieldSet,
    /// Some value is nested too deep.
    pub(super) deep: bool,
}

impl<'a> Fields<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Fields<'a>, serde_json::Error> {
        // Where the text is broken, the places of its parts would not be those of the whole.
        Fields::read(text, true).or_else(|_| Fields::read(text, false))
    }

    fn read(text: &'a str, digits: bool) -> Result<Fields<'a>, serde_json::Error> {
        let mut fields = Fields::default();
        let mut deserializer = serde_json::Deserializer::from_str(text);
        Object {
            fields: &mut fields,
            active: false,
            digits,
        }
        .deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(fields)
    }

    /// Whether this is meant as evidence.
    pub(super) fn is_evidence(&self) -> bool {
        self.present.meets(EVIDENCE)
    }

    fn set(&mut self, field: Field, value: Value<'a>) {
        // An empty handle or name is a value that was never set.
        let unset = match &value {
            Value::Null => true,
            Value::Text(text) => {
                text.is_empty()
                    && !matches!(field, Field::LockName | Field::Result | Field::Event)
                    && !field.is_number()
            }
            _ => false,
        };
        if unset {
            if ACTIVE.contains(field) && value == Value::Null {
                self.null.insert(field);
            }
            return;
        }
        let first = !self.present.contains(field);
        self.present.insert(field);
        let fits = match field {
            Field::LockName => put(&mut self.lock, text(value), first),
            Field::OwnerId => put(&mut self.owner, text(value), first),
            Field::LeaseId => put(&mut self.lease, handle(value), first),
            Field::FenceToken => put(&mut self.token, number(&value), first),
            Field::ResourceHighestTokenBefore => put(&mut self.before, number(&value), first),
            Field::ResourceHighestTokenAfter => put(&mut self.after, number(&value), first),
            Field::Result => put(&mut self.result, text(value), first),
            Field::Event => {
                let event = text(value).and_then(|word| Event::from_word(&word).map_err(drop));
                put(&mut self.event, event, first)
            }
            Field::Seq => put(&mut self.seq, number(&value), first),
            Field::SeqBy => {
                let origin = text(value).and_then(|word| Origin::from_word(&word).ok_or(()));
                put(&mut self.seq_by, origin, first)
            }
            Field::ResourceKey => put(&mut self.key, text(value), first),
            Field::OperationId => put(&mut self.operation, text(value), first),
            Field::ActiveOwnerId => put(&mut self.active_owner, text(value), first),
            Field::ActiveLeaseId => put(&mut self.active_lease, handle(value), first),
            Field::ActiveFenceToken => put(&mut self.active_token, number(&value), first),
            Field::ActiveLease | Field::Ts => true,
        };
        if !fits {
            self.wrong.insert(field);
        }
    }

    /// Takes away what a wrong field holds: of two values neither is the right one.
    pub(super) fn drop_wrong(&mut self) {
        if self.null.contains(Field::ActiveLease) && self.present.meets(ACTIVE) {
            // No lease was current, and one was.
            self.wrong.insert(Field::ActiveLease);
        }
        if self.wrong.is_empty() {
            return;
        }
        let wrong = self.wrong;
        let is = |field| wrong.contains(field);
        for (field, slot) in [
            (Field::LockName, &mut self.lock),
            (Field::OwnerId, &mut self.owner),
            (Field::LeaseId, &mut self.lease),
            (Field::Result, &mut self.result),
            (Field::ResourceKey, &mut self.key),
            (Field::OperationId, &mut self.operation),
            (Field::ActiveOwnerId, &mut self.active_owner),
            (Field::ActiveLeaseId, &mut self.active_lease),
        ] {
            if is(field) {
                *slot = None;
            }
        }
        for (field, slot) in [
            (Field::FenceToken, &mut self.token),
            (Field::ResourceHighestTokenBefore, &mut self.before),
            (Field::ResourceHighestTokenAfter, &mut self.after),
            (Field::Seq, &mut self.seq),
            (Field::ActiveFenceToken, &mut self.active_token),
        ] {
            if is(field) {
                *slot = None;
            }
        }
        if is(Field::Event) {
            self.event = None;
        }
        if is(Field::SeqBy) {
            self.seq_by = None;
        }
    }
}

/// Puts a value into its place; `false` where it is none, or not the one already there.
fn put<T: PartialEq>(slot: &mut Option<T>, value: Result<T, ()>, first: bool) -> bool {
    match value {
        Ok(value) if first => {
            *slot = Some(value);
            true
        }
        Ok(value) => slot.as_ref() == Some(&value),
        Err(()) => false,
    }
}

/// The field of the flat spelling, where it stands inside `activeLease`.
pub(super) fn inside_active(field: Field) -> Option<Field> {
    match field {
        Field::OwnerId => Some(Field::ActiveOwnerId),
        Field::LeaseId => Some(Field::ActiveLeaseId),
        Field::FenceToken => Some(Field::ActiveFenceToken),
        _ => None,
    }
}

/// Reads the record, or the object in its `activeLease`.
struct Object<'f, 'a> {
    fields: &'f mut Fields<'a>,
    active: bool,
    /// Whether every digit of a lease is kept.
    digits: bool,
}

impl<'de> DeserializeSeed<'de> for Object<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.active {
            deserializer.deserialize_any(self)
        } else {
            deserializer.deserialize_map(self)
        }
    }
}

impl<'de> Object<'_, 'de> {
    fn wrong_active(self) {
        self.fields.present.insert(Field::ActiveLease);
        self.fields.wrong.insert(Field::ActiveLease);
    }
}

impl<'de> Visitor<'de> for Object<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if self.active {
            self.fields.present.insert(Field::ActiveLease);
        }
        while let Some(name) = map.next_key_seed(Name)? {
            let field = if self.active {
                name.and_then(inside_active)
            } else {
                name
            };
            match field {
                None | Some(Field::Ts) => {
                    // Skipped unread; a number or a text costs no more than its bytes.
                    let raw: &RawValue = map.next_value()?;
                    self.fields.deep |= nested_too_deep(raw.get());
                }
                Some(Field::ActiveLease) => map.next_value_seed(Object {
                    fields: self.fields,
                    active: true,
                    digits: self.digits,
                })?,
                Some(field @ (Field::LeaseId | Field::ActiveLeaseId)) if self.digits => {
                    let raw: &RawValue = map.next_value()?;
                    self.fields.deep |= nested_too_deep(raw.get());
                    let value = lease(raw.get()).map_err(serde::de::Error::custom)?;
                    self.fields.set(field, value);
                }
                Some(field) => {
                    let value = map.next_value_seed(Any)?;
                    self.fields.set(field, value);
                }
            }
        }
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.fields.null.insert(Field::ActiveLease);
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        self.wrong_active();
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        self.wrong_active();
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        self.wrong_active();
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        self.wrong_active();
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        self.wrong_active();
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.wrong_active();
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

fn nested_too_deep(raw: &str) -> bool {
    raw.starts_with(['{', '[']) && too_deep(raw.as_bytes(), 1).is_some()
}

/// The name of a member: one of ours, or not.
pub(super) struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Option<Field>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Option<Field>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Field::from_name(name))
    }
}
