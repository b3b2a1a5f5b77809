//! English.

mod classes;
mod guidance;
mod labels;
mod limits;
mod phrases;
mod terms;
mod variants;

use super::template::Case;
use super::{Coverage, Entry, Guidance, Label, Noun, Term, Words, template};
use crate::evidence::{Answer, Event, Field, Origin};
use crate::incident::{
    Actor, Assumption, CautionKind, Class, Outcome, Role, Status, Variant, WithheldReason,
};

/// The English words.
pub(super) struct English;

impl Words for English {
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
        "it looks as if {}"
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
        let (one, many) = labels::noun(noun);
        match (n, noun) {
            (1, Noun::Time) => "once".to_owned(),
            (2, Noun::Time) => "twice".to_owned(),
            (1, _) => format!("1 {one}"),
            _ => format!("{n} {many}"),
        }
    }
    fn coverage(&self) -> &'static [Coverage] {
        &limits::COVERAGE
    }
    fn limits(&self) -> &'static [&'static str] {
        &limits::ALL
    }
    fn actor(&self, actor: Option<&Actor>, _case: Case) -> String {
        let (owner, lease, token) = parts(actor);
        match (owner, lease, token) {
            (Some(owner), lease, token) => with(owner.to_owned(), lease, token),
            (None, Some(lease), token) => with(format!("the holder of {lease}"), None, token),
            (None, None, Some(token)) => format!("the holder of {token}"),
            (None, None, None) => "an owner that was not recorded".to_owned(),
        }
    }
    fn lease(&self, actor: Option<&Actor>, _case: Case) -> String {
        let (owner, lease, token) = parts(actor);
        match (owner, lease, token) {
            (Some(owner), Some(lease), token) => with(format!("{lease} of {owner}"), None, token),
            (Some(owner), None, token) => with(format!("the lease of {owner}"), None, token),
            (None, Some(lease), token) => with(lease, None, token),
            (None, None, Some(token)) => format!("the lease with {token}"),
            (None, None, None) => "a lease that was not recorded".to_owned(),
        }
    }
}

/// The owner, `lease x` and `token n`, each where it is recorded.
fn parts(actor: Option<&Actor>) -> (Option<&str>, Option<String>, Option<String>) {
    let owner = actor.and_then(|actor| actor.owner_id.as_deref());
    let lease = actor.and_then(|actor| actor.lease_id.as_deref());
    let token = actor.and_then(|actor| actor.fence_token);
    (
        owner.map(template::shown),
        lease.map(|lease| format!("lease {}", template::shown(lease))),
        token.map(|token| format!("token {token}")),
    )
}

fn with(who: String, lease: Option<String>, token: Option<String>) -> String {
    match (lease, token) {
        (Some(lease), Some(token)) => format!("{who} ({lease}, {token})"),
        (Some(one), None) | (None, Some(one)) => format!("{who} ({one})"),
        (None, None) => who,
    }
}
