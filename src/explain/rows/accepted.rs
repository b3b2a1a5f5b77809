//! Accepted writes.

use super::{PROVEN, Row, SUSPECTED, Strength, TOKENS_GROW, Verdict, open, said, says, trusts};
use crate::evidence::Field;
use crate::incident::{Assumption, Class, Outcome, Variant};

pub(super) const LATE: &[Row] = &[
    Row {
        id: "write-late.not-compared",
        when: said(
            "`t < b`: the write was accepted although the resource had read a greater token (suspected and exposed where the records show `b` under the writer's own lease: nobody else is harmed)",
            "`t < b`: запись принята, хотя ресурс прочитал больший токен (предположительно и без показанного вреда, если журнал показывает `b` у той же аренды: никто другой не пострадал)",
        ),
        verdict: trusts(Variant::NotCompared, PROVEN, Outcome::Breached, TOKENS_GROW),
    },
    Row {
        id: "write-late.forked",
        when: said(
            "`k` is known, and another accepted write of the lock at `k` read the same `b`; both tokens are above it, and the tokens differ or the operations are known to. Needs no order",
            "`k` известен, и другая принятая запись той же блокировки по `k` прочитала то же `b`; оба токена выше него, и токены различны или известно, что различны операции. Порядок не нужен",
        ),
        verdict: says(Variant::Forked, PROVEN, Outcome::Breached),
    },
    Row {
        id: "write-late.both-accepted",
        when: said(
            "`k` is known, `t < H(k)`: a greater token was shown accepted at the key before (where all of them are of the writer's own lease: suspected and exposed if the order decides, else no incident)",
            "`k` известен, `t < H(k)`: по этому ключу раньше показан принятым больший токен (если все такие токены той же аренды: предположительно и без показанного вреда при решающем порядке, иначе инцидента нет)",
        ),
        verdict: trusts(
            Variant::BothAccepted,
            Strength::ByOrder,
            Outcome::Breached,
            TOKENS_GROW,
        ),
    },
    Row {
        id: "write-late.other-key",
        when: said(
            "`k` is known, `t ≥ H(k)`, and an ordered earlier write of the lock was accepted with a greater token at another known key (no incident where all of them are of the writer's own lease)",
            "`k` известен, `t ≥ H(k)`, и раньше по порядку той же блокировке принят больший токен по другому известному ключу (если все такие токены той же аренды, инцидента нет)",
        ),
        verdict: trusts(
            Variant::LateWriteOtherKey,
            Strength::ByOrder,
            Outcome::Breached,
            TOKENS_GROW,
        ),
    },
    Row {
        id: "write-late.key-unknown",
        when: said(
            "a greater token of the lock was accepted earlier by order, and at least one of the two writes has no `k`",
            "раньше по порядку той же блокировке принят больший токен, и хотя бы у одной из двух записей нет `k`",
        ),
        verdict: open(
            Variant::KeyUnknown,
            Outcome::Unknown,
            &[Class::MissingFencing, Class::WrongKeyScope],
            &[Field::ResourceHighestTokenBefore, Field::ResourceKey],
        ),
    },
];

pub(super) const KEPT: &[Row] = &[
    Row {
        id: "write-kept.not-stored",
        when: said(
            "`a < t`: after the write the resource held less than it had accepted",
            "`a < t`: после записи у ресурса числится меньше, чем он принял",
        ),
        verdict: says(Variant::NotStored, PROVEN, Outcome::Exposed),
    },
    Row {
        id: "write-kept.highest-lost",
        when: said(
            "`k` is known, `b < H(k)`, and the write is not late",
            "`k` известен, `b < H(k)`, и запись не опоздала",
        ),
        verdict: says(Variant::HighestLost, Strength::ByOrder, Outcome::Exposed),
    },
    Row {
        id: "write-kept.key-unknown",
        when: said(
            "`k` is absent, the write is not late, and `b` is below an ordered accepted token of the lock",
            "`k` нет, запись не опоздала, и `b` ниже принятого раньше по порядку токена этой блокировки",
        ),
        verdict: open(
            Variant::KeyUnknown,
            Outcome::Unknown,
            &[Class::MissingFencing, Class::WrongKeyScope],
            &[Field::ResourceKey],
        ),
    },
];

pub(super) const NO_TOKEN: &[Row] = &[Row {
    id: "write-no-token.lease-superseded",
    when: said(
        "`t` is absent, and by any known order another lease was acquired later and has an accepted write at the same `k` (or both have none), all before this write",
        "`t` нет, и по любому известному порядку до этой записи позже взята другая аренда и по ней принята запись с тем же `k` (или `k` нет у обеих)",
    ),
    verdict: Verdict::Incident {
        variant: Variant::LeaseSuperseded,
        strength: SUSPECTED,
        outcome: Outcome::Breached,
        assumes: &[Assumption::ExclusiveLock],
        missing: &[Field::FenceToken, Field::ResourceHighestTokenBefore],
        candidates: &[],
    },
}];
