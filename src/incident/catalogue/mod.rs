//! All words that the tool says about incidents, one folder a language.
//!
//! A language is one implementation of `Words`. Its matches name every class, variant,
//! status and so on, so what lacks a word in one language does not compile.
//!
//! Names from a log are filled in raw: whoever writes them to a terminal, a page or a
//! file escapes them.

mod en;
mod label;
mod ru;
mod template;

#[cfg(test)]
mod tests;

pub use label::{Coverage, Guidance, Label, Noun, Term};

use super::{
    Actor, Assumption, Caution, CautionKind, Class, Incident, Outcome, Role, Status, Variant,
    WithheldReason,
};
use crate::evidence::{Answer, Event, Field, Origin};
use template::Case;

/// A language that the tool speaks to people. Machine formats are the same in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Russian.
    Ru,
}

impl Language {
    /// Every language.
    pub const ALL: [Language; 2] = [Language::En, Language::Ru];

    /// The language subtag.
    pub const fn tag(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Ru => "ru",
        }
    }

    /// The language of a tag or of a locale name: `ru`, `ru-RU`, `ru_RU.UTF-8`, `C`.
    /// Of a list (`de:ru:en`) the first that is spoken here.
    pub fn from_tag(tag: &str) -> Option<Language> {
        tag.split([':', ',']).find_map(|one| {
            let name = one.trim().split(['_', '-', '.', '@', ';']).next()?;
            match name.to_ascii_lowercase().as_str() {
                "en" | "eng" | "c" | "posix" => Some(Language::En),
                "ru" | "rus" => Some(Language::Ru),
                _ => None,
            }
        })
    }

    fn words(self) -> &'static dyn Words {
        match self {
            Language::En => &en::English,
            Language::Ru => &ru::Russian,
        }
    }
}

/// The words for a class or a variant. `observation` and `next_action` may be templates:
/// [`tell`] fills them for one incident, for instance that of [`story`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// A heading.
    pub title: &'static str,
    /// What the records show: a template.
    pub observation: &'static str,
    /// The boundary that likely failed, or held.
    pub boundary: &'static str,
    /// What to check.
    pub check: &'static [&'static str],
    /// What to do next: a template.
    pub next_action: &'static str,
    /// What may not be concluded.
    pub not_covered: &'static [&'static str],
}

/// The words for one incident, names and numbers filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What happened, who, and how firmly the records say so.
    pub observation: String,
    /// The boundary that likely failed, or held.
    pub boundary: String,
    /// What to check.
    pub check: Vec<String>,
    /// What to do next.
    pub next_action: String,
    /// What may not be concluded.
    pub not_covered: Vec<String>,
}

/// Everything a language has to say. One implementation a language.
trait Words: Sync {
    fn class(&self, class: Class) -> &'static Entry;
    fn variant(&self, variant: Variant) -> &'static Entry;
    /// The headline without the lock: a clause without its full stop.
    fn clause(&self, variant: Variant) -> &'static str;
    /// What a suspected incident leaves open: one or two sentences. `by_order` is whether its
    /// order is in doubt.
    fn doubt(&self, variant: Variant, by_order: bool) -> &'static str;
    /// The headline of a suspected incident; `{}` stands for the clause.
    fn looks_as_if(&self) -> &'static str;
    fn status(&self, status: Status) -> Term;
    fn outcome(&self, outcome: Outcome) -> Term;
    /// What an outcome means where everything that has it is suspected only.
    fn suspected_outcome(&self, outcome: Outcome) -> &'static str;
    fn assumption(&self, assumption: Assumption) -> Term;
    fn role(&self, role: Role) -> Term;
    fn event(&self, event: Event) -> Term;
    fn answer(&self, answer: Answer) -> Term;
    fn origin(&self, origin: Origin) -> Term;
    fn field(&self, field: Field) -> &'static str;
    fn missing(&self, field: Field) -> &'static str;
    fn caution(&self, kind: CautionKind) -> Term;
    fn caution_guidance(&self, kind: CautionKind) -> Guidance;
    fn withheld(&self, reason: WithheldReason) -> Term;
    fn withheld_guidance(&self, reason: WithheldReason) -> Guidance;
    fn exit_code(&self, code: u8) -> Option<Term>;
    fn label(&self, label: Label) -> &'static str;
    fn count(&self, n: u64, noun: Noun) -> String;
    fn coverage(&self) -> &'static [Coverage];
    fn limits(&self) -> &'static [&'static str];
    /// `worker-A (lease lease-1, token 1)`, with what is recorded of it.
    fn actor(&self, actor: Option<&Actor>, case: Case) -> String;
    /// `lease lease-1 of worker-A (token 1)`, with what is recorded of it.
    fn lease(&self, actor: Option<&Actor>, case: Case) -> String;
}

/// The words for a variant.
pub fn entry(language: Language, variant: Variant) -> &'static Entry {
    language.words().variant(variant)
}

/// The words for a class.
pub fn class_entry(language: Language, class: Class) -> &'static Entry {
    language.words().class(class)
}

/// One sentence on one incident: the lock, and what is shown.
pub fn headline(language: Language, incident: &Incident) -> String {
    let words = language.words();
    let clause = template::fill_clause(words, words.clause(incident.variant), incident);
    let clause = match incident.status {
        Status::Suspected if incident.class() != Class::Undecided => {
            words.looks_as_if().replacen("{}", &clause, 1)
        }
        Status::Proven | Status::Suspected | Status::Undecided => clause,
    };
    format!("{}: {clause}.", template::shown(&incident.lock_name))
}

/// The words for one incident.
pub fn tell(language: Language, incident: &Incident) -> Told {
    let words = language.words();
    let entry = words.variant(incident.variant);
    let fill = |text: &str| template::fill(words, text, incident);
    let mut observation = fill(entry.observation);
    if incident.status == Status::Suspected {
        let by_order = incident
            .missing
            .iter()
            .any(|field| matches!(field, Field::Seq | Field::SeqBy));
        observation.push(' ');
        observation.push_str(&fill(words.doubt(incident.variant, by_order)));
    }
    let all = |texts: &[&str]| texts.iter().map(|text| fill(text)).collect();
    Told {
        observation,
        boundary: fill(entry.boundary),
        check: all(entry.check),
        next_action: fill(entry.next_action),
        not_covered: all(entry.not_covered),
    }
}

/// An incident of that variant and status with the names of the documentation's story
/// (worker-A with token 1, worker-B with token 2 at report:417), to show the words by.
pub fn story(variant: Variant, status: Status) -> Incident {
    let actor = |owner: &str, lease: &str, token| Actor {
        owner_id: Some(owner.to_owned()),
        lease_id: Some(lease.to_owned()),
        fence_token: Some(token),
    };
    let same_token = matches!(variant, Variant::Shared | Variant::AppliedAgain);
    Incident {
        status,
        lock_name: "report:417:rebuild".to_owned(),
        resource_key: Some("report:417".to_owned()),
        operation_id: Some("rebuild-417".to_owned()),
        late: Some(actor("worker-A", "lease-1", 1)),
        current: Some(actor("worker-B", "lease-2", if same_token { 1 } else { 2 })),
        ..template::nobody(variant)
    }
}

/// A status, and what it means.
pub fn status(language: Language, status: Status) -> Term {
    language.words().status(status)
}

/// An outcome, and what it means.
pub fn outcome(language: Language, outcome: Outcome) -> Term {
    language.words().outcome(outcome)
}

/// What an outcome means where it is only suspected.
pub fn suspected_outcome(language: Language, outcome: Outcome) -> &'static str {
    language.words().suspected_outcome(outcome)
}

/// What an incident takes on trust, and why it matters.
pub fn assumption(language: Language, assumption: Assumption) -> Term {
    language.words().assumption(assumption)
}

/// The part that a record plays.
pub fn role(language: Language, role: Role) -> Term {
    language.words().role(role)
}

/// A step of the lock protocol.
pub fn event(language: Language, event: Event) -> Term {
    language.words().event(event)
}

/// An answer of the authority or the resource.
pub fn answer(language: Language, answer: Answer) -> Term {
    language.words().answer(answer)
}

/// Who gave a `seq`, and what that order may prove.
pub fn origin(language: Language, origin: Origin) -> Term {
    language.words().origin(origin)
}

/// What an evidence field means.
pub fn field(language: Language, field: Field) -> &'static str {
    language.words().field(field)
}

/// What recording a missing field would decide.
pub fn missing(language: Language, field: Field) -> &'static str {
    language.words().missing(field)
}

/// A kind of caution, and what it means.
pub fn caution_kind(language: Language, kind: CautionKind) -> Term {
    language.words().caution(kind)
}

/// What a caution weakens, and what to do about it.
pub fn caution_guidance(language: Language, kind: CautionKind) -> Guidance {
    language.words().caution_guidance(kind)
}

/// One caution of a summary, with its lock and its number of records.
pub fn caution(language: Language, caution: &Caution) -> String {
    let words = language.words();
    let meaning = words.caution(caution.kind).meaning;
    let count = words.count(caution.count, Noun::Record);
    match &caution.lock_name {
        Some(lock) => format!("{} ({count}): {meaning}", template::shown(lock)),
        None => meaning.to_owned(),
    }
}

/// Why verdicts that need order are withheld.
pub fn withheld_reason(language: Language, reason: WithheldReason) -> Term {
    language.words().withheld(reason)
}

/// What is not said for that reason, and what to do about it.
pub fn withheld_guidance(language: Language, reason: WithheldReason) -> Guidance {
    language.words().withheld_guidance(reason)
}

/// Locks whose verdicts were withheld, and why; of many the first few are named.
pub fn withheld(language: Language, reason: WithheldReason, locks: &[&str]) -> String {
    const NAMED: usize = 5;
    let words = language.words();
    let meaning = words.withheld(reason).meaning;
    let named = locks.iter().take(NAMED);
    let mut named: Vec<String> = named.map(|lock| template::shown(lock).to_owned()).collect();
    let more = locks.len().saturating_sub(NAMED) as u64;
    if more > 0 {
        named.push(words.count(more, Noun::More));
    }
    format!("{}: {meaning}", named.join(", "))
}

/// An exit code, and what it means; `None` where the tool never ends with it.
pub fn exit_code(language: Language, code: u8) -> Option<Term> {
    language.words().exit_code(code)
}

/// A fixed word of an output.
pub fn label(language: Language, label: Label) -> &'static str {
    language.words().label(label)
}

/// A number with its noun in the right form: `1 record`, `5 записей`.
pub fn count(language: Language, n: u64, noun: Noun) -> String {
    language.words().count(n, noun)
}

/// Which questions a token answers, and what answers the others.
pub fn coverage(language: Language) -> &'static [Coverage] {
    language.words().coverage()
}

/// What no verdict may be read as saying.
pub fn limits(language: Language) -> &'static [&'static str] {
    language.words().limits()
}

/// Somebody who acted, in words: `worker-A (lease lease-1, token 1)`.
pub fn actor(language: Language, actor: Option<&Actor>) -> String {
    language.words().actor(actor, Case::Nominative)
}
