//! Deliveries that came again, and writes refused as stale.

use super::{PROVEN, Row, SUSPECTED, TOKENS_GROW, Verdict, lacks, open, said, says, trusts};
use crate::evidence::Field;
use crate::incident::{Class, Outcome, Variant};

pub(super) const DELIVERY: &[Row] = &[
    Row {
        id: "delivery.applied-again",
        when: said(
            "accepted; the operation was seen with the same token, and owner, lease or `b` are known to differ",
            "принята; операция уже встречалась с тем же токеном, и известно, что владелец, аренда или `b` различаются",
        ),
        verdict: says(Variant::AppliedAgain, PROVEN, Outcome::Breached),
    },
    Row {
        id: "delivery.applied-again-perhaps",
        when: said(
            "accepted; the operation was seen with the same token, and nothing tells the two records apart (`resourceHighestTokenBefore` is missing where absent)",
            "принята; операция уже встречалась с тем же токеном, и различить две строки нечем (недостаёт `resourceHighestTokenBefore`, если его нет)",
        ),
        verdict: lacks(
            Variant::AppliedAgain,
            SUSPECTED,
            Outcome::Unknown,
            &[Field::ResourceHighestTokenBefore],
        ),
    },
    Row {
        id: "delivery.redelivered",
        when: said(
            "accepted; the operation was seen with another token (under one lease whose token a renewal raised, at another key: no incident)",
            "принята; операция уже встречалась с другим токеном (в одной аренде, токен которой подняло продление, по другому ключу: не инцидент)",
        ),
        verdict: says(Variant::Redelivered, PROVEN, Outcome::Breached),
    },
    Row {
        id: "delivery.refused-as-duplicate",
        when: said("`rejected-duplicate`", "`rejected-duplicate`"),
        verdict: says(Variant::RefusedAgain, PROVEN, Outcome::Guarded),
    },
    Row {
        id: "delivery.refused-as-stale",
        when: said(
            "`rejected-stale-fence`, and the operation was seen (where the order does not decide: suspected, unless it was seen at this key with a lower `b`, or with a token that is not greater, since the refusal may have been the first attempt; no incident, if it was seen at this key with a token above `b`, since it was; a `b` below `t` shows neither)",
            "`rejected-stale-fence`, и операция уже встречалась (если порядок не решающий: подозрение, разве что она встречалась по этому ключу с меньшим `b` или с не большим токеном, ведь отказ мог быть первой попыткой; инцидента нет, если она встречалась по этому ключу с токеном выше `b`, ведь отказ ею и был; `b` меньше `t` не показывает ни того, ни другого)",
        ),
        verdict: says(Variant::RefusedAgain, PROVEN, Outcome::Guarded),
    },
    Row {
        id: "delivery.equal-token-refused",
        when: said(
            "`rejected-stale-fence`, `t = b` or `t = H(k)`, and the operation differs from every one seen with this token",
            "`rejected-stale-fence`, `t = b` или `t = H(k)`, и операция отличается от всех встреченных с этим токеном",
        ),
        verdict: open(Variant::EqualTokenRefused, Outcome::Guarded, &[], &[]),
    },
    Row {
        id: "delivery.token-repeated-refused",
        when: said(
            "`rejected-stale-fence`, `t = b` or `t = H(k)`, and the operation is absent here or there",
            "`rejected-stale-fence`, `t = b` или `t = H(k)`, и операция не указана здесь или там",
        ),
        verdict: lacks(
            Variant::TokenRepeated,
            SUSPECTED,
            Outcome::Guarded,
            &[Field::OperationId],
        ),
    },
    Row {
        id: "delivery.token-repeated-accepted",
        when: said(
            "accepted; `t` was accepted before at the same `k` (or both have none), and the operation is absent here or there",
            "принята; `t` уже принят по тому же `k` (или `k` нет у обеих), и операция не указана здесь или там",
        ),
        verdict: lacks(
            Variant::TokenRepeated,
            SUSPECTED,
            Outcome::Unknown,
            &[Field::OperationId],
        ),
    },
];

pub(super) const REFUSED: &[Row] = &[
    Row {
        id: "write-refused.token-order",
        when: said(
            "`t < b` or `t < H(k)`, and a token-order incident names the writer's lease as out of order",
            "`t < b` или `t < H(k)`, и аренда пишущего названа в инциденте token-order как нарушившая порядок",
        ),
        verdict: Verdict::Elsewhere(said(
            "one more occurrence of that token-order incident; not a stale owner",
            "ещё один случай того же инцидента token-order; не устаревший владелец",
        )),
    },
    Row {
        id: "write-refused.two-locks",
        when: said(
            "`t < b`, and only the token of another lock at this key explains `b`",
            "`t < b`, и `b` объясняется только токеном другой блокировки по этому ключу",
        ),
        verdict: Verdict::Elsewhere(said(
            "wrong-key-scope / `two-locks-one-key`; not a stale owner",
            "wrong-key-scope / `two-locks-one-key`; не устаревший владелец",
        )),
    },
    Row {
        id: "write-refused.same-lease-token",
        when: said(
            "`t < b`, and the records show `b` as a token of the writer's own lease",
            "`t < b`, и журнал показывает `b` как токен той же аренды",
        ),
        verdict: open(Variant::SameLeaseToken, Outcome::Guarded, &[], &[]),
    },
    Row {
        id: "write-refused.below-reading",
        when: said("`t < b`", "`t < b`"),
        verdict: trusts(Variant::WriteRefused, PROVEN, Outcome::Guarded, TOKENS_GROW),
    },
    Row {
        id: "write-refused.below-accepted",
        when: said(
            "`k` is known, `b` is not, `t < H(k)`: the refusal is the resource's own answer (suspected where `t` was accepted at `k` or without a key as well, got no answer there or was read there, where the lease wrote without telling its token, or where `a` is not above `t`, and the order does not decide: a strict comparison refuses the second write of a lease, and its line may have come late; not where two operations were let in at `k` with one token, or a write that read its own)",
            "`k` известен, `b` нет, `t < H(k)`: отказ — ответ самого ресурса (предположительно, если `t` тоже принимали по `k` или без ключа, запись с ним осталась без ответа или его там прочли, если аренда писала, не назвав токена, или если `a` не выше `t`, а порядок не решающий: строгое сравнение отвергает вторую запись той же аренды, и её строка могла опоздать; но не там, где по `k` приняли две операции с одним токеном или запись, прочитавшую свой)",
        ),
        verdict: Verdict::Incident {
            variant: Variant::WriteRefused,
            strength: PROVEN,
            outcome: Outcome::Guarded,
            assumes: TOKENS_GROW,
            missing: &[Field::ResourceHighestTokenBefore],
            candidates: &[],
        },
    },
    Row {
        id: "write-refused.below-lock",
        when: said(
            "neither `k` nor `b`, and `t` is below an ordered accepted token of the lock",
            "нет ни `k`, ни `b`, и `t` ниже принятого раньше по порядку токена этой блокировки",
        ),
        verdict: Verdict::Incident {
            variant: Variant::WriteRefused,
            strength: SUSPECTED,
            outcome: Outcome::Guarded,
            assumes: TOKENS_GROW,
            missing: &[Field::ResourceHighestTokenBefore, Field::ResourceKey],
            candidates: &[],
        },
    },
    Row {
        id: "write-refused.equal",
        when: said("`t = b` or `t = H(k)`", "`t = b` или `t = H(k)`"),
        verdict: Verdict::Elsewhere(said(
            "the block on deliveries that came again",
            "раздел о повторных доставках",
        )),
    },
    Row {
        id: "write-refused.contradiction",
        when: said(
            "`t > b`: a token compared as text, or another key read?",
            "`t > b`: токен сравнили как текст или прочитали другой ключ?",
        ),
        verdict: open(Variant::Contradiction, Outcome::Unknown, &[], &[]),
    },
    Row {
        id: "write-refused.no-reading",
        when: said(
            "otherwise: `t` is unknown, or both `b` and `H(k)` are; what is unknown is missing",
            "иначе: неизвестен `t` либо неизвестны и `b`, и `H(k)`; недостаёт того, что неизвестно",
        ),
        verdict: open(
            Variant::NoReading,
            Outcome::Unknown,
            &[
                Class::StaleOwner,
                Class::WrongKeyScope,
                Class::DuplicateDelivery,
            ],
            &[
                Field::FenceToken,
                Field::ResourceHighestTokenBefore,
                Field::ResourceKey,
            ],
        ),
    },
];
