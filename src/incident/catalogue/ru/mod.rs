//! Russian.

mod classes;
mod guidance;
mod labels;
mod limits;
mod phrases;
mod terms;
mod variants;

use super::template::Case;
use super::{Coverage, Entry, Guidance, Label, Noun, Term, Words, template};
use crate::evidence::{Answer, Event, Field, Origin, Token};
use crate::incident::{
    Actor, Assumption, CautionKind, Class, Outcome, Role, Status, Variant, WithheldReason,
};

/// The Russian words.
pub(super) struct Russian;

/// The form of a noun after a number: 1 запись, 2 записи, 5 записей, 21 запись.
pub(super) const fn plural(n: u64, forms: [&'static str; 3]) -> &'static str {
    let [one, few, many] = forms;
    match (n % 10, n % 100) {
        (_, 11..=14) => many,
        (1, _) => one,
        (2..=4, _) => few,
        _ => many,
    }
}

impl Words for Russian {
    fn class(&self, class: Class) -> &'static Entry {
        classes::entry(class)
    }
    fn variant(&self, variant: Variant) -> &'static Entry {
        variants::entry(variant)
    }
    fn clause(&self, variant: Variant) -> &'static str {
        phrases::clause(variant)
    }
    fn doubt(&self, variant: Variant, by_order: bool) -> &'static str {
        phrases::doubt(variant, by_order)
    }
    fn looks_as_if(&self) -> &'static str {
        "похоже, что {}"
    }
    fn status(&self, status: Status) -> Term {
        terms::status(status)
    }
    fn outcome(&self, outcome: Outcome) -> Term {
        terms::outcome(outcome)
    }
    fn suspected_outcome(&self, outcome: Outcome) -> &'static str {
        terms::suspected_outcome(outcome)
    }
    fn assumption(&self, assumption: Assumption) -> Term {
        terms::assumption(assumption)
    }
    fn role(&self, role: Role) -> Term {
        terms::role(role)
    }
    fn event(&self, event: Event) -> Term {
        terms::event(event)
    }
    fn answer(&self, answer: Answer) -> Term {
        terms::answer(answer)
    }
    fn origin(&self, origin: Origin) -> Term {
        terms::origin(origin)
    }
    fn field(&self, field: Field) -> &'static str {
        terms::field(field)
    }
    fn missing(&self, field: Field) -> &'static str {
        terms::missing(field)
    }
    fn caution(&self, kind: CautionKind) -> Term {
        terms::caution(kind)
    }
    fn caution_guidance(&self, kind: CautionKind) -> Guidance {
        guidance::caution(kind)
    }
    fn withheld(&self, reason: WithheldReason) -> Term {
        terms::withheld(reason)
    }
    fn withheld_guidance(&self, reason: WithheldReason) -> Guidance {
        guidance::withheld(reason)
    }
    fn exit_code(&self, code: u8) -> Option<Term> {
        terms::exit_code(code)
    }
    fn label(&self, label: Label) -> &'static str {
        labels::label(label)
    }
    fn count(&self, n: u64, noun: Noun) -> String {
        format!("{n} {}", plural(n, labels::noun(noun)))
    }
    fn coverage(&self) -> &'static [Coverage] {
        &limits::COVERAGE
    }
    fn limits(&self) -> &'static [&'static str] {
        &limits::ALL
    }
    fn actor(&self, actor: Option<&Actor>, case: Case) -> String {
        let holder = match case {
            Case::Nominative => "владелец",
            Case::Genitive | Case::Accusative => "владельца",
            Case::Dative => "владельцу",
        };
        let (owner, lease, token) = parts(actor);
        let number = token.map(|token| format!("токен {token}"));
        match (owner, lease, token) {
            (Some(owner), lease, _) => {
                let lease = lease.map(|lease| format!("аренда {lease}"));
                with(owner.to_owned(), lease, number)
            }
            (None, Some(lease), _) => with(format!("{holder} аренды {lease}"), None, number),
            (None, None, Some(token)) => format!("{holder} токена {token}"),
            (None, None, None) => format!("{holder}, имя которого не записано"),
        }
    }
    fn lease(&self, actor: Option<&Actor>, case: Case) -> String {
        let noun = match case {
            Case::Nominative => "аренда",
            Case::Genitive => "аренды",
            Case::Dative => "аренде",
            Case::Accusative => "аренду",
        };
        let (owner, lease, token) = parts(actor);
        let number = token.map(|token| format!("токен {token}"));
        match (owner, lease, token) {
            (Some(owner), Some(lease), _) => {
                with(format!("{noun} {lease}"), Some(owner.to_owned()), number)
            }
            (Some(owner), None, _) => with(format!("{noun} владельца {owner}"), None, number),
            (None, Some(lease), _) => with(format!("{noun} {lease}"), None, number),
            (None, None, Some(token)) => format!("{noun} с токеном {token}"),
            (None, None, None) => format!("{noun}, которой нет в журнале"),
        }
    }
}

/// The owner, the lease and the token, each where it is recorded.
fn parts(actor: Option<&Actor>) -> (Option<&str>, Option<&str>, Option<Token>) {
    let owner = actor.and_then(|actor| actor.owner_id.as_deref());
    let lease = actor.and_then(|actor| actor.lease_id.as_deref());
    (
        owner.map(template::shown),
        lease.map(template::shown),
        actor.and_then(|actor| actor.fence_token),
    )
}

fn with(who: String, first: Option<String>, second: Option<String>) -> String {
    match (first, second) {
        (Some(first), Some(second)) => format!("{who} ({first}, {second})"),
        (Some(one), None) | (None, Some(one)) => format!("{who} ({one})"),
        (None, None) => who,
    }
}
