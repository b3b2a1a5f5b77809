//! Secrets and addresses in evidence: an incident's records are passed around.

mod glance;

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
    let may_hold = glance::of(checked.members);
    if may_hold.secret
        && let Some(found) = find(&SECRET, frame, |_| true)
    {
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
    if may_hold.address
        && let Some(found) = find(&ADDRESS, frame, |_| true)
    {
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
    if may_hold.uuid
        && let Some(found) = find(&UUID, frame, carries_mac)
    {
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
    use proptest::prelude::*;

    use super::{ADDRESS, SECRET, UUID, carries_mac, find, glance};
    use crate::lint::members::Members;

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

    /// Pieces of what the patterns look for, put together at random.
    fn nearly_private() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            prop::sample::select(vec![
                "AKIA",
                "ASIA",
                "ABCDEFGH01234567",
                "ghp_",
                "0123456789abcdefghijklmnopqrstuvwxyz",
                "eyJ",
                "eyJhbGciOi",
                ".",
                ".",
                "@",
                "://",
                ":",
                "/",
                "-",
                " ",
                "Bearer ",
                "bearer",
                "-----BEGIN ",
                "PRIVATE KEY-----",
                "password",
                "api_key",
                "secret",
                "accessKey",
                "K\u{212a}ey",
                "10.0.0.12",
                "1.2",
                "ops",
                "example.org",
                "e7dc58a2",
                "ebf7",
                "11f1",
                "1",
                "bdd0",
                "020000000001",
                "e7dc58a2ebf711f1bdd0020000000001",
            ])
            .prop_map(str::to_owned),
            "[ -~é]{1,3}",
        ];
        prop::collection::vec(piece, 0..7)
            .prop_map(|pieces| pieces.concat().replace(['"', '\\'], ""))
    }

    proptest! {
        #[test]
        fn a_glance_overlooks_nothing(
            members in prop::collection::vec((nearly_private(), nearly_private()), 1..3),
        ) {
            let members: Vec<String> =
                members.iter().map(|(name, value)| format!("\"{name}\":\"{value}\"")).collect();
            let line = format!("{{\"seq\":12,{}}}", members.join(", "));
            let members = Members::of(line.as_bytes());
            prop_assert!(members.is_plain);
            let may_hold = glance::of(&members);
            for (may, regex) in
                [(may_hold.secret, &SECRET), (may_hold.address, &ADDRESS), (may_hold.uuid, &UUID)]
            {
                prop_assert!(may || find(regex, line.as_bytes(), |_| true).is_none(), "{}", line);
            }
        }
    }
}
