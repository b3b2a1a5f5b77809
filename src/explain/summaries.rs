//! What a summary names: the cautions, and why verdicts of a lock were withheld.

use super::rows::{self, Strength, Verdict};
use super::sources::{fact, owned, term_page, topic};
use super::{Kind, PageEntry, Source, Topic};
use crate::incident::catalogue::{self, Guidance, Label, Language};
use crate::incident::{CautionKind, Class, Variant, WithheldReason};

/// Cautions, and reasons to withhold verdicts.
pub(super) struct Summaries;

impl Source for Summaries {
    fn topics(&self, language: Language) -> Vec<Topic> {
        let cautions = CautionKind::ALL.iter().map(|it| {
            let title = catalogue::caution_kind(language, *it).name;
            topic(it.name(), Kind::Caution, title)
        });
        let reasons = WithheldReason::ALL.iter().map(|it| {
            let title = catalogue::withheld_reason(language, *it).name;
            topic(it.name(), Kind::Withheld, title)
        });
        cautions.chain(reasons).collect()
    }

    fn entry(&self, name: &str, language: Language) -> Option<PageEntry> {
        let caution = CautionKind::from_name(name).map(|it| caution(it, language));
        caution.or_else(|| WithheldReason::from_name(name).map(|it| withheld(it, language)))
    }
}

fn caution(kind: CautionKind, language: Language) -> PageEntry {
    let term = catalogue::caution_kind(language, kind);
    let (variants, classes, see): (&[Variant], &[Class], &[&str]) = match kind {
        CautionKind::LateLine => (
            &[
                Variant::BothAccepted,
                Variant::HighestLost,
                Variant::LateWriteOtherKey,
                Variant::RefusedAgain,
            ],
            &[],
            &["resourceHighestTokenBefore", "seq", "seqBy"],
        ),
        CautionKind::LateReleaseLine => (
            &[Variant::RemovedOtherLease],
            &[],
            &[
                "activeLeaseId",
                "seq",
                "seqBy",
                "truthful-release",
                "release-noop",
            ],
        ),
        CautionKind::NoWriteDecided => (
            &[Variant::WriteRefused],
            &[
                Class::MissingFencing,
                Class::WrongKeyScope,
                Class::DuplicateDelivery,
            ],
            &[
                "write",
                "accepted",
                "rejected-stale-fence",
                "resourceKey",
                "resourceHighestTokenBefore",
            ],
        ),
    };
    PageEntry {
        facts: facts(
            catalogue::caution_guidance(language, kind),
            variants,
            classes,
            language,
        ),
        see_also: owned(see),
        ..term_page(kind.name(), Kind::Caution, term)
    }
}

fn withheld(reason: WithheldReason, language: Language) -> PageEntry {
    let term = catalogue::withheld_reason(language, reason);
    let (variants, see): (Vec<Variant>, &[&str]) = match reason {
        WithheldReason::SeqOnSomeRecords => (by_order(), &["seq", "LD508", "order-unknown"]),
        WithheldReason::SeqShared => (by_order(), &["seq", "seqBy", "LD501", "order-unknown"]),
        WithheldReason::SeveralInputs => (by_order(), &["seq", "LD504", "order-unknown"]),
        WithheldReason::LinesBackwards => (by_order(), &["seq", "LD509", "order-unknown"]),
        WithheldReason::OrderNotUsed => (by_order(), &["seq", "order-unknown"]),
        WithheldReason::ReorderMemory => {
            (by_order(), &["seq", "LD502", "forgotten", "order-unknown"])
        }
        WithheldReason::Forgotten => (Vec::new(), &["reorder-memory", "suspected"]),
        WithheldReason::SeveralObservers => (Vec::new(), &["not-joined", "seq", "seqBy"]),
        WithheldReason::NotJoined => (Vec::new(), &["several-observers", "forgotten"]),
    };
    PageEntry {
        facts: facts(
            catalogue::withheld_guidance(language, reason),
            &variants,
            &[],
            language,
        ),
        see_also: owned(see),
        ..term_page(reason.name(), Kind::Withheld, term)
    }
}

fn facts(
    guidance: Guidance,
    variants: &[Variant],
    classes: &[Class],
    language: Language,
) -> Vec<super::Fact> {
    let variants = variants
        .iter()
        .map(|variant| format!("{}/{variant}", variant.class()));
    vec![
        fact(language, Label::Weakens, owned(guidance.weakens)),
        fact(
            language,
            Label::Class,
            classes.iter().map(ToString::to_string).collect(),
        ),
        fact(language, Label::Variant, variants.collect()),
        fact(language, Label::NextAction, owned(guidance.next)),
    ]
}

/// The variants with a row that is as firm as the order that it rests on.
fn by_order() -> Vec<Variant> {
    let rests = |variant: &Variant| {
        rows::of(*variant).any(|row| {
            matches!(
                row.verdict,
                Verdict::Incident {
                    strength: Strength::ByOrder,
                    ..
                }
            )
        })
    };
    Variant::ALL.iter().copied().filter(rests).collect()
}
