//! One line through the native dialect, beside what a plain JSON reader says of it.

use lockdiag::evidence::Field;
use lockdiag::ingest::{Dialect, NativeJson};
use serde::de::IgnoredAny;
use serde_json::Value;

use super::seen::OneFrame;

/// One frame is one record, one reject, or another line; and what a record says stands
/// in the line.
pub fn line(data: &[u8]) {
    let mut seen = OneFrame::default();
    NativeJson.read(data, &mut seen);
    seen.assert_whole(data);
    let value = serde_json::from_slice::<Value>(data);
    let Some((record, problems)) = seen.records.first() else {
        // An object without one name that only evidence has is no evidence, nor an error.
        if let Ok(Value::Object(object)) = &value {
            let evidence = object
                .keys()
                .filter_map(|key| Field::from_name(key))
                .any(Field::is_distinctive);
            assert!(evidence || seen.rejects.is_empty() || depth(&value) > 16);
        }
        return;
    };
    assert_eq!(seen.records.len(), 1, "one object, one record");
    if data.contains(&0x1b) {
        // A coloured line, which is read without its escape sequences, wherever they stand.
        return;
    }
    let well_formed = serde_json::from_slice::<IgnoredAny>(data).is_ok();
    assert!(well_formed, "a record was read from what is no JSON");
    // Some number elsewhere in the line may be too great for a plain reader.
    let (Ok(value), []) = (value, &**problems) else {
        return;
    };
    let field = |field: Field| {
        let names = [field.name(), field.snake_name()];
        names
            .iter()
            .map(|name| &value[*name])
            .find(|v| !v.is_null())
    };
    let text = |of: Field| field(of).map(|v| v.as_str().map_or(v.to_string(), str::to_owned));
    let lock = Some(record.lock.clone());
    for (of, found) in [
        (Field::LockName, &lock),
        (Field::OwnerId, &record.owner),
        (Field::LeaseId, &record.lease),
        (Field::ResourceKey, &record.key),
        (Field::OperationId, &record.operation),
    ] {
        // A plain reader keeps no integer beyond 64 bits; its digits stand in the line.
        if let (Some(found), Some(Value::Number(number))) = (found, field(of))
            && number.is_f64()
        {
            let digits = found.strip_prefix('-').unwrap_or(found);
            assert!(digits.bytes().all(|byte| byte.is_ascii_digit()), "{of}");
            assert!(String::from_utf8_lossy(data).contains(&**found), "{of}");
        } else if let Some(found) = found {
            // Given twice, a plain reader keeps the last, also where that is none.
            match text(of).filter(|text| !text.is_empty()) {
                Some(text) => assert_eq!(text, **found, "{of}"),
                None => assert!(given_twice(data, of), "{of}"),
            }
        }
    }
    for (of, found) in [
        (Field::FenceToken, record.token),
        (Field::ResourceHighestTokenBefore, record.before),
        (Field::ResourceHighestTokenAfter, record.after),
    ] {
        if let Some(number) = field(of).and_then(Value::as_u64) {
            assert_eq!(found, Some(number), "{of}");
        }
    }
}

/// Whether the name of a field stands in a line more than once; with an escape in it, that
/// is not seen, and may be.
fn given_twice(data: &[u8], field: Field) -> bool {
    let line = String::from_utf8_lossy(data);
    let names = [field.name(), field.snake_name()];
    let quoted = names.map(|name| line.matches(&format!("\"{name}\"")).count());
    quoted.into_iter().sum::<usize>() > 1 || line.contains('\\')
}

fn depth(value: &Result<Value, serde_json::Error>) -> usize {
    fn of(value: &Value) -> usize {
        match value {
            Value::Array(all) => 1 + all.iter().map(of).max().unwrap_or(0),
            Value::Object(all) => 1 + all.values().map(of).max().unwrap_or(0),
            _ => 0,
        }
    }
    value.as_ref().map_or(usize::MAX, of)
}
