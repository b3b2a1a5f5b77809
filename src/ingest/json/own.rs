//! What this tool wrote itself, which lies beside the evidence where `-o` put it.

/// Whether an object begins as those do that this tool writes: with `schema`, naming one of
/// its own. An incident or a finding names a lock, and is no evidence of it.
#[inline]
pub(crate) fn is_own_output(object: &str) -> bool {
    // Nearly every line begins with another name, which its first letter shows.
    let begins_otherwise = matches!(object.as_bytes(), [b'{', b'"', letter, ..] if *letter != b's');
    !begins_otherwise && names_own_schema(object)
}

#[cold]
fn names_own_schema(object: &str) -> bool {
    ["{", "\"schema\"", ":", "\"lockdiag."]
        .iter()
        .try_fold(object, |rest, &next| {
            rest.trim_ascii_start().strip_prefix(next)
        })
        .is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_schemas_of_its_own_are_known() {
        assert!(is_own_output(r#"{"schema":"lockdiag.incident/1","id":1}"#));
        assert!(is_own_output("{\n  \"schema\" : \"lockdiag.truth/1\"\n}"));
        assert!(!is_own_output(r#"{"schema":"orders/1","lockName":"a"}"#));
        assert!(!is_own_output(
            r#"{"lockName":"a","schema":"lockdiag.x/1"}"#
        ));
        assert!(!is_own_output("{"));
    }
}
