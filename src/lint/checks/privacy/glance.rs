//! What a line can't hold, told at a glance: nearly all lines hold nothing private, and
//! patterns take long to say so.

use memchr::memchr2;

use crate::lint::members::{Member, Members};

/// Which kinds of private text may stand in a line; the others do not.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MayHold {
    pub(super) secret: bool,
    pub(super) address: bool,
    pub(super) uuid: bool,
}

/// What the ends of names have in common before whose value a secret stands.
const SECRET_NAMES: [&str; 7] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "key",
    "authorization",
    "cookie",
];

/// The length of the shortest text but an address that a pattern finds.
const SHORTEST_KEY: usize = "AKIA".len() + 16;

/// Letters and signs without which a pattern does not match, as bits.
mod sign {
    pub(super) const AT: u8 = 1;
    pub(super) const DOT: u8 = 1 << 1;
    pub(super) const SPACE: u8 = 1 << 2;
    pub(super) const UNDERSCORE: u8 = 1 << 3;
    pub(super) const A: u8 = 1 << 4;
    pub(super) const H: u8 = 1 << 5;
    pub(super) const I: u8 = 1 << 6;
    pub(super) const J: u8 = 1 << 7;
}

const SIGNS: [u8; 256] = {
    let mut signs = [0; 256];
    signs[b'@' as usize] = sign::AT;
    signs[b'.' as usize] = sign::DOT;
    signs[b' ' as usize] = sign::SPACE;
    signs[b'_' as usize] = sign::UNDERSCORE;
    signs[b'A' as usize] = sign::A;
    signs[b'h' as usize] = sign::H;
    signs[b'I' as usize] = sign::I;
    signs[b'J' as usize] = sign::J;
    signs
};

/// What the line with these members may hold. No pattern reaches from one text into
/// another, but the one of a name with its value.
pub(super) fn of(members: &Members<'_>) -> MayHold {
    let mut may_hold = MayHold::default();
    if !members.is_plain {
        return MayHold {
            secret: true,
            address: true,
            uuid: true,
        };
    }
    for member in &members.all {
        // The names of evidence are nothing private.
        if member.field.is_none() {
            may_hold.secret |= is_secret_name(member);
            may_hold.look_at(&member.name);
        }
        // Bare words and short numbers are nothing private, and of an object the members
        // are looked at.
        if let Some([b'"', text @ .., b'"']) = members.frame.get(member.value.clone()) {
            may_hold.look_at(text);
        }
    }
    may_hold
}

fn is_secret_name(member: &Member<'_>) -> bool {
    let name = &member.name;
    // Beyond ASCII there are letters that count as `s` and `k`.
    !name.is_ascii()
        || SECRET_NAMES.iter().any(|end| {
            let from = name.len().checked_sub(end.len());
            from.is_some_and(|from| name[from..].eq_ignore_ascii_case(end.as_bytes()))
        })
}

impl MayHold {
    fn look_at(&mut self, text: &[u8]) {
        // Addresses may be shorter than all else.
        if text.len() < SHORTEST_KEY && memchr2(b'@', b'.', text).is_none() {
            return;
        }
        let signs = text
            .iter()
            .fold(0, |signs, byte| signs | SIGNS[*byte as usize]);
        let has = |all: u8, length: usize| signs & all == all && text.len() >= length;
        self.secret |= has(sign::AT, 5)
            || has(sign::A | sign::I, SHORTEST_KEY)
            || has(sign::H | sign::UNDERSCORE, "ghp_".len() + 36)
            || has(sign::J | sign::DOT, "eyJ".len() + 19)
            || has(sign::SPACE, "bearer ".len() + 16);
        self.address |= has(sign::AT, 5) || has(sign::DOT, 7) && dots(text) >= 3;
        self.uuid |= text.len() >= 32 && may_hold_uuid(text);
    }
}

fn dots(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte == b'.').count()
}

fn may_hold_uuid(text: &[u8]) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let starts = |at: usize| at == 0 || !is_word(text[at - 1]);
    (0..=text.len() - 32).any(|at| starts(at) && begins_uuid(&text[at..]))
}

/// Whether it begins with the first three groups of a UUID of version 1.
fn begins_uuid(text: &[u8]) -> bool {
    let mut rest = text;
    for (digits, version) in [(8, None), (4, None), (4, Some(&b'1'))] {
        let Some((group, more)) = rest.split_at_checked(digits) else {
            return false;
        };
        if version.is_some_and(|_| group.first() != version)
            || !group.iter().all(u8::is_ascii_hexdigit)
        {
            return false;
        }
        rest = more.strip_prefix(b"-").unwrap_or(more);
    }
    matches!(rest.first(), Some(b'8' | b'9' | b'a' | b'b' | b'A' | b'B'))
}
