//! What the reader could not use: lines, words and values, each under its code.

use hashbrown::HashSet;

use super::{Desk, words};
use crate::evidence::token::parse_token;
use crate::evidence::{Answer, Event, Field, TokenError};
use crate::ingest::json::inside::evidence_inside;
use crate::ingest::json::own::is_own_output;
use crate::ingest::{Broken, Located, Problem, ProblemKind, Rejected};
use crate::lint::code::Code;
use crate::lint::collect::{About, Pointed, Words};
use crate::lint::finding::{Spot, Where, quoted};
use crate::lint::members::Members;
use crate::lint::recent::hash;
use crate::timeline::Symbol;

/// Names that were looked at are remembered, so that each is compared once.
const NAMES: usize = 4096;

/// What was seen of the names in the input.
#[derive(Debug, Default)]
pub struct ReadingCheck {
    names: HashSet<u64>,
}

impl ReadingCheck {
    /// The problems that the reader found in a frame.
    pub fn rejected(&self, rejected: &Rejected<'_>, lock: Option<Symbol>, desk: &mut Desk<'_>) {
        let members = Members::of(rejected.bytes);
        for located in rejected.problems {
            let problem = &located.problem;
            let code = code_of(problem, &members);
            let about = About {
                lock,
                event: event_of(&members),
                field: problem.field,
                folded: false,
            };
            let place = Where::Input {
                source: rejected.place.source,
                line: located.line,
            };
            desk.collector.add(desk.symbols, code, about, |_| {
                let spot = spot(located);
                let value = spot.excerpt[spot.mark.clone()].to_owned();
                (place, spot, told(code, problem, &value))
            });
        }
    }

    /// An input that ended in the middle.
    pub fn broken(&self, broken: &Broken<'_>, desk: &mut Desk<'_>) {
        let place = Where::Input {
            source: broken.source,
            line: broken.line,
        };
        let about = About::default();
        desk.collector
            .add(desk.symbols, Code::InputCutShort, about, |_| {
                let spot = Spot {
                    column: broken.column,
                    ..Spot::default()
                };
                let message = format!("the input can't be read to its end: {}", broken.error);
                (place, spot, words(message, broken.error.hint(), ""))
            });
    }

    /// A line that is no evidence. What this tool wrote is meant for no evidence, so there
    /// is nothing to say of it.
    pub fn other(&mut self, source: u32, line: u64, frame: &[u8], desk: &mut Desk<'_>) {
        if std::str::from_utf8(frame).is_ok_and(is_own_output) {
            return;
        }
        let members = Members::of(frame);
        let whole = frame.trim_ascii();
        let start = frame.len() - frame.trim_ascii_start().len();
        let at = Pointed {
            source,
            line,
            frame,
            span: start..start + whole.len(),
            label: "this line",
        };
        let about = About::default();
        let mapped = desk.collector.settings.mapped;
        if !mapped && let Some(span) = evidence_inside(frame) {
            let label = "a lock is named here";
            let at = Pointed { span, label, ..at };
            desk.collector.raise(
                desk.symbols,
                Code::EvidenceInside,
                about,
                &at,
                not_read_inside,
            );
            return;
        }
        let code = if members.is_object {
            Code::NoEvidenceField
        } else {
            Code::NotAnObject
        };
        if members.is_object && !mapped && self.nearly_fields(source, line, &members, None, desk) {
            return;
        }
        desk.collector
            .raise(desk.symbols, code, about, &at, || match code {
                _ if mapped => words(
                    "nothing in this line was read as evidence",
                    "nothing to do where it is another kind of log line; `lockdiag map explain` shows what was looked for",
                    "",
                ),
                Code::NoEvidenceField => words(
                    "none of the fields that make an object evidence is here",
                    format!(
                        "nothing to do where it is another kind of log line; else log one of {}, or let a mapping tell where it is",
                        Field::MARKS.map(Field::name).join(", ")
                    ),
                    "",
                ),
                _ => words(
                    "this line is no JSON object",
                    "nothing to do where it is another kind of log line; a mapping can read text lines",
                    "",
                ),
            });
    }

    /// Looks for names that are nearly those of evidence fields; `lock` is the record's.
    /// Whether there was one.
    pub fn nearly_fields(
        &mut self,
        source: u32,
        line: u64,
        members: &Members<'_>,
        lock: Option<Symbol>,
        desk: &mut Desk<'_>,
    ) -> bool {
        let mut found = false;
        for member in members.all.iter().filter(|member| member.field.is_none()) {
            let name = hash(&member.name);
            if self.names.contains(&name) {
                continue;
            }
            let Some(field) = nearly(member.name()) else {
                if self.names.len() < NAMES {
                    self.names.insert(name);
                }
                continue;
            };
            found = true;
            if members.has_value(field) {
                continue;
            }
            let about = About {
                lock,
                field: Some(field),
                folded: true,
                ..About::default()
            };
            let at = Pointed {
                source,
                line,
                frame: members.frame,
                span: member.value.clone(),
                label: "the value under that name",
            };
            desk.collector
                .raise(desk.symbols, Code::NearlyAField, about, &at, || {
                    words(
                        format!(
                            "{} is not read as evidence; `{field}` is meant?",
                            quoted(member.name())
                        ),
                        format!("write `{field}`, or map the name onto it"),
                        member.name(),
                    )
                });
        }
        found
    }
}

/// The words by which a name is known in other tools.
const OTHER_NAMES: [(&str, Field); 12] = [
    ("fencingtoken", Field::FenceToken),
    ("fencetoken", Field::FenceToken),
    ("fencing", Field::FenceToken),
    ("lockid", Field::LockName),
    ("lockkey", Field::LockName),
    ("leasehandle", Field::LeaseId),
    ("lockowner", Field::OwnerId),
    ("highesttokenbefore", Field::ResourceHighestTokenBefore),
    ("highesttokenafter", Field::ResourceHighestTokenAfter),
    ("idempotencykey", Field::OperationId),
    ("activetoken", Field::ActiveFenceToken),
    ("opid", Field::OperationId),
];

/// The evidence field that a name nearly is.
fn nearly(name: &str) -> Option<Field> {
    if name.len() > 60 {
        return None;
    }
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    if let Some((_, field)) = OTHER_NAMES.iter().find(|(other, _)| *other == plain) {
        return Some(*field);
    }
    Field::ALL
        .into_iter()
        .filter(|field| field.is_distinctive() && *field != Field::ActiveLease)
        .find(|field| {
            let known = field.name().to_ascii_lowercase();
            known == plain || (known.len() > 6 && strsim::osa_distance(&known, &plain) == 1)
        })
}

fn not_read_inside() -> Words {
    words(
        "this line holds evidence inside other text, and none is read from it",
        "log the record alone on its line, or read it with --preset wrapped-evidence",
        "",
    )
}

fn code_of(problem: &Problem, members: &Members<'_>) -> Code {
    match problem.kind {
        ProblemKind::Unreadable => Code::UnreadableLine,
        ProblemKind::NoLock => Code::NoLockName,
        ProblemKind::NoEvent => Code::NoStep,
        ProblemKind::WrongType => Code::WrongType,
        // What counts is no token.
        ProblemKind::BadToken if problem.field == Some(Field::Seq) => Code::WrongType,
        ProblemKind::BadToken => Code::TokenNotOrdered,
        ProblemKind::UnknownEvent => Code::UnknownEvent,
        ProblemKind::Twice => Code::FieldTwice,
        ProblemKind::Unmapped => Code::NotMapped,
        ProblemKind::UnknownResult if is_of_another_event(members) => Code::ResultOfAnotherEvent,
        ProblemKind::UnknownResult => Code::UnknownResult,
    }
}

fn event_of(members: &Members<'_>) -> Option<Event> {
    let member = members.get(Field::Event)?;
    let word: String = serde_json::from_str(members.raw(member)).ok()?;
    Event::from_word(&word).ok()
}

/// Whether the result is a word of another event than the one it stands with.
fn is_of_another_event(members: &Members<'_>) -> bool {
    let word = members
        .get(Field::Result)
        .and_then(|member| serde_json::from_str::<String>(members.raw(member)).ok());
    let (Some(word), Some(event)) = (word, event_of(members)) else {
        return false;
    };
    Answer::of_word(&word, Some(event), true).is_none() && Answer::is_word(&word)
}

fn told(code: Code, problem: &Problem, value: &str) -> Words {
    let bare = value.trim_matches('"');
    let message = match (code, parse_token(bare)) {
        (Code::TokenNotOrdered, Err(TokenError::NotANumber)) if is_uuid(bare) => format!(
            "`{}` is a UUID: of two UUIDs none is the later",
            problem.field.map_or("fenceToken", Field::name)
        ),
        (Code::ResultOfAnotherEvent, _) => {
            format!("{} is a result of another event", quoted(bare))
        }
        (Code::UnknownResult | Code::UnknownEvent, _) => {
            format!("{}: {}", quoted(bare), problem.message)
        }
        _ => problem.message.clone(),
    };
    let hint = match code {
        Code::ResultOfAnotherEvent => {
            "check whether `event` or `result` is wrong; each event has its own results".to_owned()
        }
        _ => problem.hint.clone(),
    };
    words(message, hint, bare)
}

/// Whether a text is a UUID, with or without its hyphens.
pub fn is_uuid(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_hexdigit).count();
    let hyphens = text.bytes().filter(|byte| *byte == b'-').count();
    digits == 32
        && digits + hyphens == text.len()
        && (hyphens == 0
            || (hyphens == 4
                && [8, 13, 18, 23]
                    .iter()
                    .all(|at| text.as_bytes()[*at] == b'-')))
}

fn spot(located: &Located) -> Spot {
    Spot {
        column: located.column,
        excerpt: located.excerpt.clone(),
        mark: located.mark.clone(),
        label: "here",
    }
}

#[cfg(test)]
mod tests {
    use super::{is_uuid, nearly};
    use crate::evidence::Field;

    #[test]
    fn a_name_is_nearly_a_field_if_a_person_would_say_so() {
        assert_eq!(nearly("lockname"), Some(Field::LockName));
        assert_eq!(nearly("fencing_token"), Some(Field::FenceToken));
        assert_eq!(nearly("resourcKey"), Some(Field::ResourceKey));
        for other in [
            "token", "name", "owner", "key", "level", "msg", "locked", "resource",
        ] {
            assert_eq!(nearly(other), None, "{other}");
        }
    }

    #[test]
    fn a_uuid_is_known_by_its_shape() {
        assert!(is_uuid("6b8af7b8-0e63-49c9-8024-c92f73b827f7"));
        assert!(is_uuid("e7dc58a2ebf711f1bdd0020000000001"));
        assert!(!is_uuid("6b8af7b80e63-49c9-8024-c92f73b827f7-"));
        assert!(!is_uuid("é"));
    }
}
