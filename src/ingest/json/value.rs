//! One value, as far as an evidence field can use it.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::evidence::Token;
use crate::evidence::token::parse_token;

/// A value as far as an evidence field can use it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value<'a> {
    Null,
    Text(Cow<'a, str>),
    Unsigned(u64),
    Negative(i64),
    /// A whole number that is no `u64`, as it is written. Only a lease may be one.
    Digits(&'a str),
    /// A float, a truth value, a list, an object.
    Other,
}

/// What a field of 64 bits holds; `Err` is a value that it can't hold.
pub(super) fn number(value: &Value<'_>) -> Result<Token, ()> {
    match value {
        Value::Unsigned(number) => Ok(*number),
        Value::Text(text) => parse_token(text).map_err(drop),
        _ => Err(()),
    }
}

/// What names a lease, an integer by its digits; `Err` is a value that can't.
pub(super) fn handle(value: Value<'_>) -> Result<Cow<'_, str>, ()> {
    match value {
        Value::Text(text) => Ok(text),
        Value::Unsigned(number) => Ok(Cow::Owned(number.to_string())),
        Value::Digits(digits) => Ok(Cow::Borrowed(digits)),
        Value::Negative(number) => Ok(Cow::Owned(number.to_string())),
        _ => Err(()),
    }
}

/// What a field of text holds; `Err` is a value of another type.
pub(super) fn text(value: Value<'_>) -> Result<Cow<'_, str>, ()> {
    match value {
        Value::Text(text) => Ok(text),
        _ => Err(()),
    }
}

/// The value of a lease as it stands: with every digit, where it is a whole number.
pub(super) fn lease(raw: &str) -> Result<Value<'_>, serde_json::Error> {
    let digits = raw.strip_prefix('-').unwrap_or(raw);
    Ok(match raw.as_bytes().first() {
        // What is nested is no lease, whatever it holds.
        Some(b'{' | b'[') => Value::Other,
        _ if digits.bytes().all(|byte| byte.is_ascii_digit()) => match raw.parse() {
            Ok(number) => Value::Unsigned(number),
            Err(_) => Value::Digits(raw),
        },
        _ => Any.deserialize(&mut serde_json::Deserializer::from_str(raw))?,
    })
}

/// Any value, borrowed where it is text.
pub(super) struct Any;

impl<'de> DeserializeSeed<'de> for Any {
    type Value = Value<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Any {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Value::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Value::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Value::Unsigned(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Value::Negative(number))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Value::Other)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Value::Other)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }
}
