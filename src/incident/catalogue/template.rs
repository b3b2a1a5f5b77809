//! Templates: fixed words with the names, tokens and keys of one incident filled in.
//!
//! `{late}` is a slot. `[ at {key}]` is said only where each slot in it is recorded;
//! `[ at {key}| somewhere]` says the second part where one is not.
//! `[proven?it is|it may be]` asks for a status, an outcome, a missing field
//! (`missing.seq?`), or `repeated?`. A slot outside unguarded brackets that is not
//! recorded is spoken of as unrecorded. Names are filled in once and never read as a
//! template themselves.

use super::{Label, Noun, Words};
use crate::evidence::Field;
use crate::incident::{Actor, Class, Incident, Outcome, Status, Variant};

/// The grammatical case of an actor or a lease. English does not care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Nominative,
    Genitive,
    Dative,
    Accusative,
}

/// What is said of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aspect {
    /// Everything that is known, the owner first.
    Whole(Case),
    /// Everything that is known, the lease first.
    Held(Case),
    Owner,
    Token,
}

/// What a template can be filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Lock,
    Key,
    Operation,
    Times,
    Late(Aspect),
    Current(Aspect),
}

impl Slot {
    fn from_name(name: &str) -> Option<Slot> {
        let (who, aspect) = name.split_once('.').unwrap_or((name, ""));
        match (who, aspect) {
            ("lock", "") => Some(Slot::Lock),
            ("key", "") => Some(Slot::Key),
            ("operation", "") => Some(Slot::Operation),
            ("times", "") => Some(Slot::Times),
            ("late", _) => Aspect::from_name(aspect).map(Slot::Late),
            ("current", _) => Aspect::from_name(aspect).map(Slot::Current),
            _ => None,
        }
    }

    fn aspect(self) -> Option<Aspect> {
        match self {
            Slot::Late(aspect) | Slot::Current(aspect) => Some(aspect),
            Slot::Lock | Slot::Key | Slot::Operation | Slot::Times => None,
        }
    }
}

impl Aspect {
    fn from_name(name: &str) -> Option<Aspect> {
        Some(match name {
            "" => Aspect::Whole(Case::Nominative),
            "gen" => Aspect::Whole(Case::Genitive),
            "held" => Aspect::Held(Case::Nominative),
            "held.gen" => Aspect::Held(Case::Genitive),
            "held.dat" => Aspect::Held(Case::Dative),
            "held.acc" => Aspect::Held(Case::Accusative),
            "owner" => Aspect::Owner,
            "token" => Aspect::Token,
            _ => return None,
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    Status(Status),
    Outcome(Outcome),
    Missing(Field),
    Repeated,
}

impl Guard {
    fn from_name(name: &str) -> Option<Guard> {
        if let Some(field) = name.strip_prefix("missing.") {
            return Field::from_name(field).map(Guard::Missing);
        }
        if name == "repeated" {
            return Some(Guard::Repeated);
        }
        let status = Status::from_name(name).map(Guard::Status);
        status.or_else(|| Outcome::from_name(name).map(Guard::Outcome))
    }

    fn holds(self, incident: &Incident) -> bool {
        match self {
            Guard::Status(status) => incident.status == status,
            Guard::Outcome(outcome) => incident.outcome == outcome,
            Guard::Missing(field) => incident.missing.contains(&field),
            Guard::Repeated => incident.occurrences > 1,
        }
    }
}

/// A parsed template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part<'t> {
    Text(&'t str),
    Slot(Slot),
    Choice {
        guard: Option<Guard>,
        yes: Vec<Part<'t>>,
        no: Vec<Part<'t>>,
    },
}

/// Parses a template; `None` where it is malformed, which a test excludes for every
/// template of the catalogue.
pub(super) fn parse(text: &str) -> Option<Vec<Part<'_>>> {
    let mut rest = text;
    let parts = sequence(&mut rest)?;
    rest.is_empty().then_some(parts)
}

fn sequence<'t>(rest: &mut &'t str) -> Option<Vec<Part<'t>>> {
    let mut parts = Vec::new();
    loop {
        let is_mark = |byte| matches!(byte, b'{' | b'[' | b'|' | b']' | b'}');
        let end = rest.bytes().position(is_mark).unwrap_or(rest.len());
        let (text, after) = rest.split_at(end);
        if !text.is_empty() {
            parts.push(Part::Text(text));
        }
        *rest = after;
        match rest.chars().next() {
            Some('{') => {
                let close = rest.find('}')?;
                parts.push(Part::Slot(Slot::from_name(rest.get(1..close)?)?));
                *rest = rest.get(close + 1..)?;
            }
            Some('[') => {
                *rest = rest.get(1..)?;
                parts.push(choice(rest)?);
            }
            Some('}') => return None,
            Some(_) | None => return Some(parts),
        }
    }
}

fn choice<'t>(rest: &mut &'t str) -> Option<Part<'t>> {
    let mut guard = None;
    let is_of_a_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let name_end = rest.bytes().position(|byte| !is_of_a_name(byte));
    if let Some((name, after)) = name_end.and_then(|end| rest.split_at_checked(end))
        && let Some(after) = after.strip_prefix('?')
        && let Some(found) = Guard::from_name(name)
    {
        guard = Some(found);
        *rest = after;
    }
    let yes = sequence(rest)?;
    let mut no = Vec::new();
    if let Some(after) = rest.strip_prefix('|') {
        *rest = after;
        no = sequence(rest)?;
    }
    *rest = rest.strip_prefix(']')?;
    Some(Part::Choice { guard, yes, no })
}

/// Fills a template of whole sentences for one incident.
pub(super) fn fill(words: &dyn Words, text: &str, incident: &Incident) -> String {
    fill_from(words, text, incident, Some(0))
}

/// Fills a template that does not begin a sentence.
pub(super) fn fill_clause(words: &dyn Words, text: &str, incident: &Incident) -> String {
    fill_from(words, text, incident, None)
}

fn fill_from(
    words: &dyn Words,
    text: &str,
    incident: &Incident,
    capital_at: Option<usize>,
) -> String {
    // Most texts are fixed words.
    if memchr::memchr2(b'{', b'[', text.as_bytes()).is_none() {
        return text.to_owned();
    }
    let Some(parts) = parse(text) else {
        return text.to_owned();
    };
    let mut filler = Filler {
        words,
        incident,
        capital_at,
        out: String::with_capacity(text.len() * 2),
    };
    filler.say(&parts);
    filler.out
}

struct Filler<'w> {
    words: &'w dyn Words,
    incident: &'w Incident,
    /// Where a sentence begins, as far as fixed words say so.
    capital_at: Option<usize>,
    out: String,
}

impl Filler<'_> {
    fn say(&mut self, parts: &[Part<'_>]) {
        for part in parts {
            match part {
                Part::Text(text) => {
                    self.out.push_str(text);
                    if text.ends_with(". ") {
                        self.capital_at = Some(self.out.len());
                    }
                }
                Part::Slot(slot) => self.slot(*slot),
                Part::Choice { guard, yes, no } => {
                    let holds = match guard {
                        Some(guard) => guard.holds(self.incident),
                        None => yes.iter().all(|part| match part {
                            Part::Slot(slot) => self.is_recorded(*slot),
                            Part::Text(_) | Part::Choice { .. } => true,
                        }),
                    };
                    self.say(if holds { yes } else { no });
                }
            }
        }
    }

    fn slot(&mut self, slot: Slot) {
        let text = self.value(slot).unwrap_or_else(|| self.unknown(slot));
        // A name keeps its letters; fixed words begin a sentence with a capital.
        let name = matches!(slot.aspect(), None | Some(Aspect::Owner | Aspect::Token))
            || matches!(slot.aspect(), Some(Aspect::Whole(_)))
                && self
                    .actor(slot)
                    .is_some_and(|actor| actor.owner_id.is_some());
        let mut letters = text.chars();
        match letters.next() {
            Some(first) if !name && self.capital_at == Some(self.out.len()) => {
                self.out.extend(first.to_uppercase());
                self.out.push_str(letters.as_str());
            }
            _ => self.out.push_str(&text),
        }
    }

    fn actor(&self, slot: Slot) -> Option<&Actor> {
        let actor = match slot {
            Slot::Late(_) => self.incident.late.as_ref(),
            Slot::Current(_) => self.incident.current.as_ref(),
            Slot::Lock | Slot::Key | Slot::Operation | Slot::Times => None,
        };
        actor.filter(|actor| **actor != Actor::default())
    }

    fn value(&self, slot: Slot) -> Option<String> {
        let name = |text: &String| shown(text).to_owned();
        match slot {
            Slot::Lock => Some(name(&self.incident.lock_name)),
            Slot::Key => self.incident.resource_key.as_ref().map(name),
            Slot::Operation => self.incident.operation_id.as_ref().map(name),
            Slot::Times => Some(self.words.count(self.incident.occurrences, Noun::Time)),
            Slot::Late(aspect) | Slot::Current(aspect) => {
                let actor = self.actor(slot)?;
                match aspect {
                    Aspect::Whole(case) => Some(self.words.actor(Some(actor), case)),
                    Aspect::Held(case) => Some(self.words.lease(Some(actor), case)),
                    Aspect::Owner => actor.owner_id.as_ref().map(name),
                    Aspect::Token => actor.fence_token.map(|token| token.to_string()),
                }
            }
        }
    }

    /// Whether it has a value.
    fn is_recorded(&self, slot: Slot) -> bool {
        match slot {
            Slot::Lock | Slot::Times => true,
            Slot::Key => self.incident.resource_key.is_some(),
            Slot::Operation => self.incident.operation_id.is_some(),
            Slot::Late(aspect) | Slot::Current(aspect) => {
                self.actor(slot).is_some_and(|actor| match aspect {
                    Aspect::Whole(_) | Aspect::Held(_) => true,
                    Aspect::Owner => actor.owner_id.is_some(),
                    Aspect::Token => actor.fence_token.is_some(),
                })
            }
        }
    }

    fn unknown(&self, slot: Slot) -> String {
        match slot.aspect() {
            Some(Aspect::Whole(case)) => self.words.actor(None, case),
            Some(Aspect::Held(case)) => self.words.lease(None, case),
            _ => self.words.label(Label::NotRecorded).to_owned(),
        }
    }
}

/// A name as it stands in a sentence. An empty one would leave a hole.
pub(super) fn shown(name: &str) -> &str {
    if name.is_empty() { "\"\"" } else { name }
}

/// An incident of which nothing but the variant is known.
pub(super) fn nobody(variant: Variant) -> Incident {
    Incident {
        id: String::new(),
        variant,
        status: match variant.class() {
            Class::Undecided => Status::Undecided,
            _ => Status::Proven,
        },
        outcome: Outcome::Unknown,
        lock_name: String::new(),
        resource_key: None,
        late: None,
        current: None,
        operation_id: None,
        occurrences: 1,
        assumes: Vec::new(),
        missing: Vec::new(),
        candidates: Vec::new(),
        evidence: Vec::new(),
    }
}
