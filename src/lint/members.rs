//! The members of one record as they stand in its line: which names, and where.

mod plain;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::evidence::Field;
pub use plain::Names;

/// One member of the object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member<'f> {
    /// Its name, without escapes.
    pub name: Cow<'f, [u8]>,
    /// The evidence field of that name.
    pub field: Option<Field>,
    /// The bytes of its value in the frame.
    pub value: Range<usize>,
}

/// A frame, and the members of the object in it.
#[derive(Debug, Clone)]
pub struct Members<'f> {
    /// The frame.
    pub frame: &'f [u8],
    /// The members at the top, and those of `activeLease`; empty where the frame is no
    /// JSON object.
    pub all: Vec<Member<'f>>,
    /// Whether it is one.
    pub is_object: bool,
    /// Whether it is an object without escapes, lists and objects, but for `activeLease`:
    /// all its names and values are in `all` as they are.
    pub is_plain: bool,
    /// The bytes of the bracket that closes the object.
    end: Range<usize>,
}

impl Member<'_> {
    /// Its name as text.
    pub fn name(&self) -> &str {
        std::str::from_utf8(&self.name).unwrap_or_default()
    }
}

impl<'f> Members<'f> {
    /// Looks into a frame.
    pub fn of(frame: &'f [u8]) -> Members<'f> {
        Members::among(frame, &mut Names::default())
    }

    /// Looks into one of many frames that are much alike.
    pub fn among(frame: &'f [u8], names: &mut Names) -> Members<'f> {
        Members::plain(frame, names).unwrap_or_else(|| Members::parsed(frame))
    }

    /// Looks into one of many frames, and finds nothing where it is not a plain one.
    pub fn plain(frame: &'f [u8], names: &mut Names) -> Option<Members<'f>> {
        Some(Members {
            frame,
            all: names.members(frame)?,
            is_object: true,
            is_plain: true,
            end: frame.len() - 1..frame.len(),
        })
    }

    /// Looks into a frame that may hold anything.
    fn parsed(frame: &'f [u8]) -> Members<'f> {
        let mut members = Members {
            frame,
            all: Vec::new(),
            is_object: false,
            is_plain: false,
            end: 0..frame.len(),
        };
        let Ok(text) = std::str::from_utf8(frame) else {
            return members;
        };
        if !text.trim_start().starts_with('{') {
            return members;
        }
        if let Ok(all) = collect(text, text) {
            for (name, field, value) in all {
                let name = bytes(name);
                let active = field == Some(Field::ActiveLease);
                let inner = value.clone();
                members.all.push(Member { name, field, value });
                if active && frame.get(inner.start) == Some(&b'{') {
                    members.add_active(text, &text[inner]);
                }
            }
            members.is_object = true;
            let end = text.trim_end().len();
            members.end = end.saturating_sub(1)..end;
        }
        members
    }

    fn add_active(&mut self, text: &'f str, object: &'f str) {
        for (name, field, value) in collect(text, object).unwrap_or_default() {
            self.all.push(Member {
                name: bytes(name),
                field: of_active(field),
                value,
            });
        }
    }

    /// The same members, none of which is an evidence field: a mapping gave the record.
    #[must_use]
    pub fn foreign(mut self) -> Members<'f> {
        self.all.iter_mut().for_each(|member| member.field = None);
        self
    }

    /// The member that gives a field.
    pub fn get(&self, field: Field) -> Option<&Member<'f>> {
        self.all.iter().find(|member| member.field == Some(field))
    }

    /// The text of a member's value, as JSON.
    pub fn raw(&self, member: &Member<'f>) -> &'f str {
        std::str::from_utf8(&self.frame[member.value.clone()]).unwrap_or_default()
    }

    /// Whether the field is there with a value, usable or not.
    pub fn has_value(&self, field: Field) -> bool {
        self.get(field)
            .and_then(|member| self.frame.get(member.value.clone()))
            .is_some_and(|value| !matches!(value, b"null" | b"\"\""))
    }

    /// Whether any evidence field is there under its own name; a mapped record has none.
    pub fn has_any(&self) -> bool {
        self.all.iter().any(|member| member.field.is_some())
    }

    /// Where to point for a field: at its value, or at the end of the record that lacks
    /// it, and which of the two.
    pub fn point(&self, field: Field) -> (Range<usize>, &'static str) {
        match self.get(field) {
            Some(member) => (member.value.clone(), "here"),
            None if self.is_object => (self.end.clone(), "the record ends without it"),
            None => (0..self.frame.len(), "the record without it"),
        }
    }
}

fn bytes(name: Cow<'_, str>) -> Cow<'_, [u8]> {
    match name {
        Cow::Borrowed(name) => Cow::Borrowed(name.as_bytes()),
        Cow::Owned(name) => Cow::Owned(name.into_bytes()),
    }
}

/// The field that a field of the object `activeLease` stands for.
fn of_active(field: Option<Field>) -> Option<Field> {
    match field {
        Some(Field::OwnerId) => Some(Field::ActiveOwnerId),
        Some(Field::LeaseId) => Some(Field::ActiveLeaseId),
        Some(Field::FenceToken) => Some(Field::ActiveFenceToken),
        other => other,
    }
}

type Found<'f> = Vec<(Cow<'f, str>, Option<Field>, Range<usize>)>;

fn collect<'f>(text: &'f str, object: &'f str) -> Result<Found<'f>, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(object);
    let raw = deserializer.deserialize_map(All)?;
    deserializer.end()?;
    let place = |raw: &'f RawValue| {
        // Both lie in one text, so the distance of their addresses is the place.
        let start = (raw.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        start..start + raw.get().len()
    };
    Ok(raw
        .into_iter()
        .map(|(name, raw)| {
            let field = Field::from_name(&name);
            (name, field, place(raw))
        })
        .collect())
}

struct All;

impl<'de> Visitor<'de> for All {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::with_capacity(16);
        while let Some(Name(name)) = map.next_key()? {
            found.push((name, map.next_value()?));
        }
        Ok(found)
    }
}

/// A name that borrows from the text where it can.
struct Name<'f>(Cow<'f, str>);

impl<'de> serde::Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Members, Names};
    use crate::evidence::Field;
    use proptest::prelude::*;

    #[test]
    fn members_are_found_where_they_stand() {
        let frame = br#" {"lock_name":"a","activeLease":{"leaseId":"x\n"},"z":[1]} "#;
        let members = Members::of(frame);
        assert!(members.is_object && members.has_any());
        let lock = members.get(Field::LockName).unwrap();
        assert_eq!(members.raw(lock), "\"a\"");
        let lease = members.get(Field::ActiveLeaseId).unwrap();
        assert_eq!(members.raw(lease), "\"x\\n\"");
        let (at, _) = members.point(Field::Seq);
        assert_eq!(&frame[at], b"}");
        assert!(!members.is_plain);
        assert!(!Members::of(b"{\"a\":").is_object);
        assert!(!Members::of(b"[1]").is_object);
        assert!(!Members::of(b"\xff").is_object);
    }

    /// What looks much like an object, whole or not.
    fn nearly_json() -> impl Strategy<Value = String> {
        let text = prop_oneof![
            "[ -~é]{0,6}",
            Just("ts".to_owned()),
            Just("leaseId".to_owned()),
            Just("activeLease".to_owned()),
            Just("active_lease".to_owned()),
        ]
        .prop_map(|text| format!("\"{text}\""));
        let plain = prop_oneof![
            text.clone(),
            "-?[0-9]{1,21}(\\.[0-9]{0,2})?",
            Just("null".to_owned()),
            Just("true".to_owned()),
            Just("[1]".to_owned()),
            "[a-z{}]{0,5}",
        ];
        let object = |value: BoxedStrategy<String>| {
            let member = (text.clone(), " ?: ?", value).prop_map(|(a, b, c)| format!("{a}{b}{c}"));
            (prop::collection::vec(member, 0..4), " ?,[ \t]?")
                .prop_map(|(members, comma)| format!("{{{}}}", members.join(&comma)))
        };
        let inner = object(plain.clone().boxed());
        let value = prop_oneof![4 => plain, 1 => inner].boxed();
        ("[ ]?", object(value), "[ }]?").prop_map(|(a, b, c)| format!("{a}{b}{c}"))
    }

    proptest! {
        #[test]
        fn plain_objects_are_read_as_by_the_parser(
            lines in prop::collection::vec(nearly_json(), 1..4),
        ) {
            let mut names = Names::default();
            for line in lines.iter().chain(&lines) {
                let members = Members::among(line.as_bytes(), &mut names);
                let parsed = Members::parsed(line.as_bytes());
                prop_assert_eq!(&members.all, &parsed.all, "{}", line);
                prop_assert_eq!(members.is_object, parsed.is_object);
                prop_assert_eq!(members.point(Field::Seq), parsed.point(Field::Seq));
            }
        }
    }
}
