//! Secrets and addresses in evidence: an incident's records are passed around.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::reading::is_uuid;
use super::{Checked, Desk, words};
use crate::evidence::Field;
use crate::lint::code::Code;
use crate::lint::collect::Pointed;

/// Words after which a secret follows, and the shapes of well-known keys.
static SECRET: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?x)
        "(?i:[a-z0-9_.-]*(?:passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|authorization|cookie))"\s*:\s*"[^"]{4,}"
        | \b(?:AKIA|ASIA)[0-9A-Z]{16}\b
        | \bgh[pousr]_[0-9A-Za-z]{36}
        | \beyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]+
        | -----BEGIN\ [A-Z\ ]*PRIVATE\ KEY-----
        | (?i:\bbearer\ [0-9a-z._~+/-]{16,})
        | \b[a-z][a-z0-9+.-]*://[^\s/:@"]+:[^\s/@"]+@
        "#,
    )
    .ok()
});

static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?x-u)
        [0-9A-Za-z_%+-][0-9A-Za-z._%+-]*@[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*\.[A-Za-z]{2,}
        | (?:^|[^0-9.])(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})(?:$|[^0-9.])
        "#,
    )
    .ok()
});

static UUID: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i-u)\b[0-9a-f]{8}-?[0-9a-f]{4}-?1[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}\b")
        .ok()
});

/// Looks at the whole line of one record: fields that no rule reads are reported too.
pub fn check(checked: &Checked<'_, '_>, desk: &mut Desk<'_>) {
    let frame = checked.members.frame;
    if let Some(found) = find(&SECRET, frame, |_| true) {
        raise(
            checked,
            desk,
            Code::SecretLogged,
            found,
            (
                "this looks like a password, a key or a credential",
                "log a name or a digest instead, and change the secret if the log has left your hands",
            ),
        );
    }
    if let Some(found) = find(&ADDRESS, frame, |_| true) {
        raise(
            checked,
            desk,
            Code::AddressLogged,
            found,
            (
                "this looks like an e-mail or network address",
                "log a name that means something to you alone, if the evidence is passed on",
            ),
        );
    }
    if let Some(found) = find(&UUID, frame, carries_mac) {
        raise(
            checked,
            desk,
            Code::UuidWithMac,
            found,
            (
                "a UUID of version 1 carries a time and the address of a network card",
                "use UUIDs of version 4 or 7, if the evidence is passed on",
            ),
        );
    }
}

type Found = std::ops::Range<usize>;

fn find(regex: &LazyLock<Option<Regex>>, frame: &[u8], keep: fn(&str) -> bool) -> Option<Found> {
    let found = LazyLock::force(regex)
        .as_ref()?
        .find_iter(frame)
        .find(|found| keep(&String::from_utf8_lossy(found.as_bytes())))?;
    Some(found.range())
}

/// Whether a UUID of version 1 names a card: one that was made up sets the group bit.
fn carries_mac(uuid: &str) -> bool {
    let node = uuid.len().saturating_sub(12);
    let first = uuid
        .get(node..node + 2)
        .and_then(|byte| u8::from_str_radix(byte, 16).ok());
    is_uuid(uuid) && first.is_some_and(|first| first & 1 == 0)
}

fn raise(
    checked: &Checked<'_, '_>,
    desk: &mut Desk<'_>,
    code: Code,
    span: Found,
    (message, hint): (&str, &str),
) {
    let members = checked.members;
    let inside = |member: &&crate::lint::members::Member<'_>| {
        member.value.start <= span.start && span.start < member.value.end
    };
    let field: Option<Field> = members
        .all
        .iter()
        .filter(inside)
        .filter_map(|member| member.field)
        .next_back();
    let about = crate::lint::collect::About {
        lock: Some(checked.lock),
        field,
        folded: true,
        event: None,
    };
    let at = Pointed {
        source: checked.place.source,
        line: checked.place.line,
        frame: members.frame,
        span,
        label: "here",
    };
    desk.collector
        .raise(desk.symbols, code, about, &at, || words(message, hint, ""));
}

#[cfg(test)]
mod tests {
    use super::{ADDRESS, SECRET, UUID, carries_mac, find};

    #[test]
    fn patterns_compile_and_find() {
        let secret = |text: &str| find(&SECRET, text.as_bytes(), |_| true).is_some();
        assert!(secret(r#"{"dbPassword": "hunter2"}"#));
        assert!(secret("AKIAABCDEFGHIJKLMNOP"));
        assert!(secret("postgres://app:pw@db/x"));
        assert!(!secret(r#"{"lockName":"secret:rotation","x":"password"}"#));
        let address = |text: &str| find(&ADDRESS, text.as_bytes(), |_| true).is_some();
        assert!(address("\"ops@example.org\"") && address("\"10.0.0.12:5432\""));
        assert!(!address("\"1.2.3.4.5\"") && !address("\"worker@A\"") && !address("300.1.1.1"));
        let uuid = |text: &str| find(&UUID, text.as_bytes(), carries_mac).is_some();
        assert!(uuid("\"e7dc58a2ebf711f1bdd0020000000001\""));
        assert!(!uuid("\"6b8af7b8-0e63-49c9-8024-c92f73b827f7\""));
        assert!(!uuid("\"e7dc58a2-ebf7-11f1-bdd0-030000000001\""));
    }
}
