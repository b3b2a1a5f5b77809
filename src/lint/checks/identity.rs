//! Names and handles that should agree and do not.

use super::{Checked, Desk, words};
use crate::evidence::{Active, Answer, Field, Token};
use crate::lint::code::Code;
use crate::lint::finding::quoted;
use crate::lint::recent::{Recent, hash};

/// What was seen of leases, tokens and names.
#[derive(Debug)]
pub struct IdentityCheck {
    leases: Recent<Lease>,
    tokens: Recent<Holder>,
    spellings: Recent<Spelling>,
    names: Recent<Spelling>,
    known: Recent<()>,
}

#[derive(Debug, Clone)]
struct Lease {
    owner: Option<(u64, u64)>,
    token: Option<(Token, u64)>,
}

#[derive(Debug, Clone, Copy)]
struct Holder {
    lease: u64,
    line: u64,
}

#[derive(Debug, Clone)]
struct Spelling {
    text: Box<str>,
    line: u64,
}

impl IdentityCheck {
    /// A check that remembers `window` leases, tokens and names.
    pub fn new(window: usize) -> IdentityCheck {
        IdentityCheck {
            leases: Recent::new(window),
            tokens: Recent::new(window),
            spellings: Recent::new(window),
            names: Recent::new(window),
            known: Recent::new(window),
        }
    }

    /// Looks at the names and handles of one record.
    pub fn check(&mut self, checked: &Checked<'_, '_>, desk: &mut Desk<'_>) {
        let record = checked.record;
        self.alike(checked, desk, Field::LockName, &record.lock);
        if let Some(key) = &record.key {
            self.alike(checked, desk, Field::ResourceKey, key);
        }
        // Who asked for a lease and did not get one has no handle of his own.
        let shows = !matches!(record.answer, Answer::InDoubt | Answer::AcquireRejectedHeld);
        if let Some(lease) = record.lease.as_deref().filter(|_| shows) {
            self.spelled(checked, desk, Field::LeaseId, lease);
            let owner = record.owner.as_deref();
            self.lease(checked, desk, Field::LeaseId, lease, owner, record.token);
        }
        if let Active::Lease {
            owner,
            lease: Some(lease),
            token,
        } = &record.active
        {
            self.spelled(checked, desk, Field::ActiveLeaseId, lease);
            let field = Field::ActiveLeaseId;
            self.lease(checked, desk, field, lease, owner.as_deref(), *token);
        }
    }

    fn lease(
        &mut self,
        checked: &Checked<'_, '_>,
        desk: &mut Desk<'_>,
        field: Field,
        lease: &str,
        owner: Option<&str>,
        token: Option<Token>,
    ) {
        let id = hash(&(checked.lock, lease));
        let line = checked.place.line;
        let own_field = |own, active| if field == Field::LeaseId { own } else { active };
        if self.leases.get_mut(id).is_none() {
            let nothing = Lease {
                owner: None,
                token: None,
            };
            self.leases.insert(id, nothing);
        }
        let Some(known) = self.leases.get_mut(id) else {
            return;
        };
        if let Some(owner) = owner {
            match known.owner {
                Some((first, at)) if first != hash(owner) => {
                    // The later owner is compared with from now on.
                    known.owner = Some((hash(owner), line));
                    let field = own_field(Field::OwnerId, Field::ActiveOwnerId);
                    desk.at_field(Code::LeaseTwoOwners, checked, field, false, || {
                        words(
                            format!(
                                "lease {} has another owner here than in line {at}",
                                quoted(lease)
                            ),
                            "log one name for one client, and a new lease id for every acquisition",
                            lease,
                        )
                    });
                }
                Some(_) => {}
                None => known.owner = Some((hash(owner), line)),
            }
        }
        if let Some(token) = token {
            match known.token {
                Some((first, at)) if first != token => {
                    known.token = Some((token, line));
                    let field = own_field(Field::FenceToken, Field::ActiveFenceToken);
                    desk.at_field(Code::LeaseTwoTokens, checked, field, false, || {
                        words(
                            format!(
                                "lease {} has token {token} here and {first} in line {at}",
                                quoted(lease)
                            ),
                            "log the token that came with the acquisition; where a renewal issues a new token, say so in the lease id",
                            lease,
                        )
                    });
                }
                Some(_) => {}
                None => known.token = Some((token, line)),
            }
            self.holder(checked, desk, field, lease, token);
        }
    }

    fn holder(
        &mut self,
        checked: &Checked<'_, '_>,
        desk: &mut Desk<'_>,
        field: Field,
        lease: &str,
        token: Token,
    ) {
        let key = hash(&(checked.lock, "token", token));
        let own = Holder {
            lease: hash(lease),
            line: checked.place.line,
        };
        let Some(holder) = self.tokens.get_mut(key) else {
            self.tokens.insert(key, own);
            return;
        };
        if holder.lease == own.lease {
            return;
        }
        let line = holder.line;
        *holder = own;
        desk.at_field(Code::TokenTwoLeases, checked, field, false, || {
            words(
                format!(
                    "token {token} belongs to lease {} here and to another lease in line {line}",
                    quoted(lease)
                ),
                "an authority that gives one token twice can't fence: look at its counter, or at how the token is logged",
                format!("{token} {lease}"),
            )
        });
    }

    /// One lease id in two spellings: hexadecimal and decimal, case, `0x`.
    fn spelled(
        &mut self,
        checked: &Checked<'_, '_>,
        desk: &mut Desk<'_>,
        field: Field,
        lease: &str,
    ) {
        if !is_new(&mut self.known, &("lease", checked.lock, lease)) {
            return;
        }
        let mut told = false;
        for form in lease_forms(lease) {
            let key = hash(&("lease", checked.lock, &form));
            match self.spellings.get_mut(key) {
                None => {
                    let own = Spelling {
                        text: lease.into(),
                        line: checked.place.line,
                    };
                    self.spellings.insert(key, own);
                }
                Some(other) if other.text.as_ref() != lease && !told => {
                    told = true;
                    desk.at_field(Code::LeaseTwoSpellings, checked, field, false, || {
                        words(
                            format!(
                                "{} and {} in line {} may be one lease in two spellings",
                                quoted(lease),
                                quoted(&other.text),
                                other.line
                            ),
                            "write a lease id everywhere as the authority writes it: one base, one case",
                            lease,
                        )
                    });
                }
                Some(_) => {}
            }
        }
    }

    /// Two names that differ only in case, leading zeros, separators or space.
    fn alike(&mut self, checked: &Checked<'_, '_>, desk: &mut Desk<'_>, field: Field, name: &str) {
        if !is_new(&mut self.known, &(field, name)) {
            return;
        }
        let key = hash(&(field, normal(name)));
        match self.names.get_mut(key) {
            None => {
                let own = Spelling {
                    text: name.into(),
                    line: checked.place.line,
                };
                self.names.insert(key, own);
            }
            Some(other) if other.text.as_ref() != name => {
                desk.at_field(Code::NamesAlike, checked, field, false, || {
                    words(
                        format!(
                            "{} differs from {} in line {} only in how it is written",
                            quoted(name),
                            quoted(&other.text),
                            other.line
                        ),
                        "names are compared byte by byte: if the two are one thing, write it in one way, or its fence covers only half of it",
                        name,
                    )
                });
            }
            Some(_) => {}
        }
    }
}

fn is_new(known: &mut Recent<()>, name: &impl std::hash::Hash) -> bool {
    let key = hash(name);
    if known.get_mut(key).is_some() {
        return false;
    }
    known.insert(key, ());
    true
}

/// A name without case, leading zeros, kind of separator and space around it.
fn normal(name: &str) -> String {
    let mut normal = String::with_capacity(name.len());
    for part in name
        .trim()
        .split(|c: char| c.is_whitespace() || matches!(c, ':' | '/' | '.' | '_' | '-' | '|' | '#'))
    {
        if part.is_empty() {
            continue;
        }
        if !normal.is_empty() {
            normal.push(':');
        }
        let digits = part.bytes().all(|byte| byte.is_ascii_digit());
        let part = match part.trim_start_matches('0') {
            "" if digits => "0",
            stripped if digits => stripped,
            _ => part,
        };
        normal.extend(part.chars().flat_map(char::to_lowercase));
    }
    normal
}

/// The forms under which a lease id may be known in another spelling.
fn lease_forms(lease: &str) -> Vec<String> {
    let lower = lease.trim().to_ascii_lowercase();
    let bare = lower.strip_prefix("0x").unwrap_or(&lower);
    let mut forms = vec![format!("text {bare}")];
    // Short digits are numbers in any base.
    if bare.len() < 8 || !bare.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return forms;
    }
    let is_decimal = bare.bytes().all(|byte| byte.is_ascii_digit()) && bare == lower;
    let radix = if is_decimal { 10 } else { 16 };
    if let Ok(number) = u128::from_str_radix(bare, radix) {
        forms.push(format!("number {number}"));
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::{lease_forms, normal};

    #[test]
    fn names_are_alike_that_a_person_would_confuse() {
        for (a, b) in [
            ("acct:42", "acct:0042"),
            ("acct:42", "ACCT/42"),
            ("acct:42", " acct-42 "),
            ("a:0", "a:00"),
        ] {
            assert_eq!(normal(a), normal(b), "{a} {b}");
        }
        for (a, b) in [("acct:42", "acct:420"), ("acct42", "acct:42"), ("a:0", "a")] {
            assert_ne!(normal(a), normal(b), "{a} {b}");
        }
    }

    #[test]
    fn one_number_has_one_form() {
        let share = |a: &str, b: &str| {
            let forms = lease_forms(a);
            lease_forms(b).iter().any(|form| forms.contains(form))
        };
        assert!(share("7293a2278b09a506", "8256120832620340486"));
        assert!(share("0x7293A2278B09A506", "7293a2278b09a506"));
        assert!(share("Lease-A", "lease-a"));
        assert!(!share("10", "16"));
        assert!(!share("7293a2278b09a506", "7293a2278b09a507"));
    }
}
