//! What is judged when the whole input has been seen.

use super::{PROVEN, Row, SUSPECTED, lacks, open, said, says};
use crate::evidence::Field;
use crate::incident::{Class, Outcome, Variant};

pub(super) const END: &[Row] = &[
    Row {
        id: "end.order-unknown",
        when: said(
            "the order of the lock's records is unknown, an older lease is shown lost, it and a lease with a newer token have accepted writes at the same `k`, and the writes of the older one carry no `b`",
            "порядок строк этой блокировки неизвестен, видно, что более старая аренда потеряна, по ней и по аренде с более новым токеном приняты записи с одним `k`, а у записей старой нет `b`",
        ),
        verdict: open(
            Variant::OrderUnknown,
            Outcome::Unknown,
            &[Class::MissingFencing],
            &[Field::ResourceHighestTokenBefore, Field::Seq],
        ),
    },
    Row {
        id: "end.newer-owner-silent",
        when: said(
            "a write of `t` without `k` was accepted after an ordered acquisition of a newer lease, is late by no other row, its `b` does not exceed `t`, and the newer lease has no write of any result at any key",
            "запись с `t` без `k` принята после взятия по порядку более новой аренды, по другим строкам не опоздала, её `b` не больше `t`, а у новой аренды нет ни одной записи ни с каким результатом и ни по какому ключу",
        ),
        verdict: open(
            Variant::NewerOwnerSilent,
            Outcome::Unknown,
            &[Class::WrongKeyScope],
            &[Field::ResourceKey],
        ),
    },
    Row {
        id: "end.keys-diverge",
        when: said(
            "the lock has accepted writes of two or more tokens at two or more known keys, no key has two of its tokens, the first `b` of every key is 0 or not recorded, and no late write was found",
            "у блокировки приняты записи с двумя или более токенами по двум или более известным ключам, ни у одного ключа нет двух её токенов, первое `b` каждого ключа равно 0 или не записано, и опоздавших записей не найдено",
        ),
        verdict: says(Variant::KeysDiverge, SUSPECTED, Outcome::Exposed),
    },
    Row {
        id: "end.two-locks-read",
        when: said(
            "a write of one lock at `k` has a `b` other than 0 that equals a token accepted there from another lock and never from its own. Needs no order (suspected where the lock that read it may have put it there itself)",
            "у записи одной блокировки по `k` есть `b`, не равное 0, которое совпадает с токеном, принятым там от другой блокировки и никогда от своей. Порядок не нужен (предположительно, если прочитавшая блокировка могла записать его туда сама)",
        ),
        verdict: says(Variant::TwoLocksOneKey, PROVEN, Outcome::Exposed),
    },
    Row {
        id: "end.two-locks-unread",
        when: said(
            "accepted writes of two or more locks at one key, and no write there carries a `b`; one incident a key, under its first lock",
            "по одному ключу приняты записи двух или более блокировок, и ни у одной записи там нет `b`; один инцидент на ключ, на первую из его блокировок",
        ),
        verdict: lacks(
            Variant::TwoLocksOneKey,
            SUSPECTED,
            Outcome::Exposed,
            &[Field::ResourceHighestTokenBefore],
        ),
    },
];
