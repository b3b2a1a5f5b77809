//! What is meant as JSON, whether or not it is whole.

/// Whether a frame is meant as JSON that may hold records: `[main] INFO ready` is the line of a
/// program that writes text.
pub(super) fn is_meant_as_json(frame: &[u8]) -> bool {
    let frame = frame.trim_ascii_start();
    match frame.split_first() {
        Some((b'{', _)) => true,
        Some((b'[', list)) => matches!(list.trim_ascii_start().first(), Some(b'{' | b'[' | b'"')),
        _ => false,
    }
}

/// The same of a text that an envelope carries, which is prose more often than a line is:
/// whether it is an object with a name in it, or a list of such, even where it was cut off.
pub(super) fn is_meant_as_objects(text: &str) -> bool {
    let list = text.strip_prefix('[').map(str::trim_start);
    let object = list.unwrap_or(text).strip_prefix('{');
    object.is_some_and(|rest| rest.trim_start().starts_with('"'))
}
