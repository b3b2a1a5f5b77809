//! Releases, renewals, and the tokens that the authority gives.

use super::{PROVEN, Row, SUSPECTED, Strength, Verdict, lacks, open, said, says, trusts};
use crate::evidence::Field;
use crate::incident::{Assumption, Outcome, Variant};

pub(super) const RELEASE: &[Row] = &[
    Row {
        id: "release.none-current",
        when: said(
            "`released`, and `active*` is recorded as null: no lease was current",
            "`released`, и `active*` записан как null: ни одна аренда не действовала",
        ),
        verdict: Verdict::Nothing,
    },
    Row {
        id: "release.removed-recorded",
        when: said(
            "`released`, and the active lease is recorded and is another (compared by lease where both sides have it, else by token, else by owner)",
            "`released`, и действующая аренда записана и она другая (сравниваются аренды, если есть у обеих сторон, иначе токены, иначе владельцы)",
        ),
        verdict: trusts(
            Variant::RemovedOtherLease,
            PROVEN,
            Outcome::Breached,
            &[Assumption::TruthfulRelease],
        ),
    },
    Row {
        id: "release.exact-handle",
        when: said(
            "`released`, and `activeLeaseId` or `activeFenceToken` equals that of the release, whoever the owner",
            "`released`, и `activeLeaseId` или `activeFenceToken` совпадает с указанным при освобождении, кто бы ни был владельцем",
        ),
        verdict: Verdict::Nothing,
    },
    Row {
        id: "release.removed-corroborated",
        when: said(
            "`released`, the current lease by order is another, newer one, and a later record shows it lost, or another lease acquired without an end of it",
            "`released`, по порядку действовала другая, более новая аренда, и позже видно, что она потеряна, либо взята ещё одна, хотя конца этой не было",
        ),
        verdict: trusts(
            Variant::RemovedOtherLease,
            Strength::ByOrder,
            Outcome::Breached,
            &[Assumption::ExclusiveLock, Assumption::TruthfulRelease],
        ),
    },
    Row {
        id: "release.removed-by-order",
        when: said(
            "the same, and no later record speaks for it or against it",
            "то же, но позже ничто не говорит ни за, ни против",
        ),
        verdict: lacks(
            Variant::RemovedOtherLease,
            SUSPECTED,
            Outcome::Unknown,
            &[Field::ActiveLeaseId],
        ),
    },
    Row {
        id: "release.refuted",
        when: said(
            "the same, and that lease is later renewed or released, or named by `active*`, with no other acquisition in between: a line came late",
            "то же, но потом та аренда продлена, освобождена или названа в `active*`, и между этим никто её не брал: строка пришла с опозданием",
        ),
        verdict: Verdict::Nothing,
    },
    Row {
        id: "release.removed-below-reading",
        when: said(
            "`released`, nothing is known of the current lease, and `t < b`",
            "`released`, о действующей аренде ничего не известно, и `t < b`",
        ),
        verdict: lacks(
            Variant::RemovedOtherLease,
            SUSPECTED,
            Outcome::Unknown,
            &[Field::ActiveLeaseId],
        ),
    },
    Row {
        id: "release.renewed-recorded",
        when: said(
            "`renewed` while `active*` shows another lease, compared as for a release",
            "`renewed`, а `active*` показывает другую аренду; сравнение как при освобождении",
        ),
        verdict: says(Variant::RenewedOtherLease, PROVEN, Outcome::Breached),
    },
    Row {
        id: "release.renewed-corroborated",
        when: said(
            "`renewed`, and by an order that the resource or the authority gave another, corroborated lease was current",
            "`renewed`, а по порядку, который дал ресурс или служба блокировок, действовала другая аренда, и это подтверждено",
        ),
        verdict: trusts(
            Variant::RenewedOtherLease,
            PROVEN,
            Outcome::Breached,
            &[Assumption::ExclusiveLock, Assumption::TruthfulRelease],
        ),
    },
    Row {
        id: "release.refused-other",
        when: said(
            "`release-rejected-not-owner`, the current lease is known and is another",
            "`release-rejected-not-owner`, действующая аренда известна и она другая",
        ),
        verdict: says(Variant::ReleaseRefused, PROVEN, Outcome::Guarded),
    },
    Row {
        id: "release.refused-unknown",
        when: said(
            "`release-rejected-not-owner`, and the current lease is unknown or none",
            "`release-rejected-not-owner`, а действующая аренда неизвестна или её нет",
        ),
        verdict: lacks(
            Variant::ReleaseRefused,
            SUSPECTED,
            Outcome::Guarded,
            &[Field::ActiveLeaseId],
        ),
    },
    Row {
        id: "release.contradiction",
        when: said(
            "`release-rejected-not-owner`, and by the same comparison it equals `active*`",
            "`release-rejected-not-owner`, а по тому же сравнению она совпадает с `active*`",
        ),
        verdict: open(Variant::Contradiction, Outcome::Unknown, &[], &[]),
    },
];

pub(super) const TOKENS: &[Row] = &[
    Row {
        id: "tokens.shared",
        when: said(
            "two different known leases of one lock carry the same token; the later is out of order (suspected where only the one who asked names one of them with it, and nobody agreed)",
            "у двух разных известных аренд одной блокировки один токен; порядок нарушает более поздняя (предположительно, если одну из них с ним называет только тот, кто просил, и никто не подтвердил)",
        ),
        verdict: says(Variant::Shared, PROVEN, Outcome::Exposed),
    },
    Row {
        id: "tokens.went-back",
        when: said(
            "an ordered acquisition got a token below that of an earlier acquisition or renewal of another lease. Without an order from the deciding side: only if a write under it was refused with `t < b` and nothing shows that lease lost",
            "взятая по порядку позже аренда получила токен ниже, чем у взятой или продлённой раньше другой. Если порядок дала не решающая сторона: только когда запись по ней отклонена с `t < b` и нигде не видно, что она потеряна",
        ),
        verdict: says(Variant::WentBack, Strength::ByOrder, Outcome::Exposed),
    },
    Row {
        id: "tokens.out-of-step",
        when: said(
            "a lease with the smaller token is released or renewed after the release or renewal of a lease with the greater token was refused, and was not acquired in between. Without an order from the deciding side: only if a write under it was refused with `t < b`",
            "аренда с меньшим токеном освобождена или продлена после того, как аренде с большим отказали в освобождении или продлении, и между этим её не брали. Если порядок дала не решающая сторона: только когда запись по ней отклонена с `t < b`",
        ),
        verdict: says(Variant::OutOfStep, Strength::ByOrder, Outcome::Exposed),
    },
];
