//! For every variant the fewest records that show it, and records that almost do.

use super::rows::Said;
use crate::incident::Variant;

/// Records that show a variant, records that almost do, and why those do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// Lines that show it.
    pub example: &'static [&'static str],
    /// Lines that almost show it.
    pub near_miss: &'static [&'static str],
    /// Why those are something else, or nothing.
    pub why: Said,
}

const fn said(en: &'static str, ru: &'static str) -> Said {
    Said { en, ru }
}

/// The sample of a variant.
#[allow(clippy::too_many_lines)]
pub const fn sample(variant: Variant) -> Sample {
    match variant {
        Variant::WriteRefused => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":1,"resourceHighestTokenBefore":2,"result":"rejected-stale-fence"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":2,"resourceHighestTokenBefore":2,"result":"rejected-stale-fence"}"#,
            ],
            why: said(
                "The token equals the highest one: it may be a repeated delivery, and nobody newer is shown.",
                "Токен равен наибольшему: возможно, это повторная доставка, и более нового владельца не видно.",
            ),
        },
        Variant::ReleaseRefused => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","activeLeaseId":"lease-2","result":"release-rejected-not-owner"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","activeLease":null,"result":"release-noop"}"#,
            ],
            why: said(
                "There was no lease to remove, and nobody was refused.",
                "Снимать было нечего, и никому не отказали.",
            ),
        },
        Variant::RemovedOtherLease => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","activeLeaseId":"lease-2","result":"released"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","activeLease":null,"result":"released"}"#,
            ],
            why: said(
                "The authority recorded that no lease was current, so none was removed.",
                "Служба блокировок записала, что ни одна аренда не действовала: снимать было нечего.",
            ),
        },
        Variant::RenewedOtherLease => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","activeLeaseId":"lease-2","result":"renewed"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","activeLeaseId":"lease-2","result":"renew-rejected-not-owner"}"#,
            ],
            why: said(
                "The renewal was refused: it is bound to its handle.",
                "В продлении отказано: оно привязано к идентификатору аренды.",
            ),
        },
        Variant::NotCompared => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","resourceHighestTokenBefore":2,"result":"accepted"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417","resourceHighestTokenBefore":2,"result":"accepted"}"#,
            ],
            why: said(
                "An equal token is the same lease writing on.",
                "Равный токен — это та же аренда продолжает писать.",
            ),
        },
        Variant::Forked => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","resourceHighestTokenBefore":0,"result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417","resourceHighestTokenBefore":0,"result":"accepted"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","resourceHighestTokenBefore":0,"result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417","resourceHighestTokenBefore":1,"result":"accepted"}"#,
            ],
            why: said(
                "The second write read the token of the first: it was compared and kept.",
                "Вторая запись прочитала токен первой: он сравнён и сохранён.",
            ),
        },
        Variant::BothAccepted => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417","seq":1,"seqBy":"resource","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","seq":2,"seqBy":"resource","result":"accepted"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","seq":1,"seqBy":"resource","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417","seq":2,"seqBy":"resource","result":"accepted"}"#,
            ],
            why: said("The tokens arrived in order.", "Токены пришли по порядку."),
        },
        Variant::NotStored => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417","resourceHighestTokenBefore":1,"resourceHighestTokenAfter":1,"result":"accepted"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417","resourceHighestTokenBefore":1,"resourceHighestTokenAfter":2,"result":"accepted"}"#,
            ],
            why: said("The token was kept.", "Токен сохранён."),
        },
        Variant::HighestLost => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417","resourceHighestTokenBefore":1,"seq":1,"seqBy":"resource","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-C","fenceToken":3,"resourceKey":"report:417","resourceHighestTokenBefore":0,"seq":2,"seqBy":"resource","result":"accepted"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417","resourceHighestTokenBefore":1,"seq":1,"seqBy":"resource","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-C","fenceToken":3,"resourceKey":"report:417","resourceHighestTokenBefore":2,"seq":2,"seqBy":"resource","result":"accepted"}"#,
            ],
            why: said(
                "The second write read the token that was accepted before.",
                "Вторая запись прочитала принятый до неё токен.",
            ),
        },
        Variant::LeaseSuperseded => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","result":"acquired"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","leaseId":"lease-2","result":"acquired"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","leaseId":"lease-2","resourceKey":"report:417","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","resourceKey":"report:417","result":"accepted"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","result":"acquired"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","leaseId":"lease-2","result":"acquired"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","resourceKey":"report:417","result":"accepted"}"#,
            ],
            why: said(
                "The next owner had not written: nothing newer was replaced.",
                "Следующий владелец ещё не писал: ничего более нового не затёрто.",
            ),
        },
        Variant::LateWriteOtherKey => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417/b","seq":1,"seqBy":"resource","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417/a","seq":2,"seqBy":"resource","result":"accepted"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417/b","seq":1,"seqBy":"resource","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417/a","seq":2,"seqBy":"resource","result":"accepted"}"#,
            ],
            why: said(
                "One lease writes two keys: that is ordinary work.",
                "Одна аренда пишет по двум ключам: это обычная работа.",
            ),
        },
        Variant::KeysDiverge => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417/1","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417/2","result":"accepted"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417/1","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417/1","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417/2","result":"accepted"}"#,
            ],
            why: said(
                "One key has seen both tokens: there the fence compares.",
                "Один ключ видел оба токена: там проверка сравнивает.",
            ),
        },
        Variant::TwoLocksOneKey => Sample {
            example: &[
                r#"{"lockName":"report:417:publish","ownerId":"worker-B","fenceToken":40,"resourceKey":"report:417","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":3,"resourceKey":"report:417","resourceHighestTokenBefore":40,"result":"rejected-stale-fence"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:publish","ownerId":"worker-B","fenceToken":40,"resourceKey":"report:417/html","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":3,"resourceKey":"report:417","resourceHighestTokenBefore":0,"result":"accepted"}"#,
            ],
            why: said(
                "Each lock writes under a key of its own.",
                "Каждая блокировка пишет по своему ключу.",
            ),
        },
        Variant::AppliedAgain => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","resourceHighestTokenBefore":0,"operationId":"rebuild-417","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","resourceHighestTokenBefore":1,"operationId":"rebuild-417","result":"accepted"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","resourceHighestTokenBefore":0,"operationId":"rebuild-417","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","resourceHighestTokenBefore":1,"operationId":"index-417","result":"accepted"}"#,
            ],
            why: said(
                "Two operations under one lease are ordinary work.",
                "Две операции в рамках одной аренды — обычная работа.",
            ),
        },
        Variant::Redelivered => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","operationId":"rebuild-417","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417","operationId":"rebuild-417","result":"accepted"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","operationId":"rebuild-417","result":"in-doubt","event":"write"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"resourceKey":"report:417","operationId":"rebuild-417","result":"accepted"}"#,
            ],
            why: said(
                "Nobody knows whether the first delivery was applied.",
                "Применена ли первая доставка, неизвестно.",
            ),
        },
        Variant::RefusedAgain => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","operationId":"rebuild-417","result":"rejected-duplicate"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","operationId":"rebuild-417","result":"rejected-other"}"#,
            ],
            why: said(
                "The refusal had another reason than a repetition.",
                "Причина отказа — не повтор.",
            ),
        },
        Variant::TokenRepeated => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","result":"accepted"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","operationId":"rebuild-417","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","operationId":"index-417","result":"accepted"}"#,
            ],
            why: said(
                "The operation ids show two operations.",
                "По идентификаторам видно, что операций две.",
            ),
        },
        Variant::Shared => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":7,"result":"acquired"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","leaseId":"lease-2","fenceToken":7,"result":"acquired"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":7,"result":"acquired"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":7,"result":"renewed"}"#,
            ],
            why: said(
                "It is one lease, and a renewal keeps its token.",
                "Аренда одна, и при продлении токен сохраняется.",
            ),
        },
        Variant::WentBack => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":7,"seq":1,"seqBy":"authority","result":"acquired"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","leaseId":"lease-2","fenceToken":3,"seq":2,"seqBy":"authority","result":"acquired"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":7,"seq":1,"seqBy":"authority","result":"acquired"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","leaseId":"lease-2","fenceToken":12,"seq":2,"seqBy":"authority","result":"acquired"}"#,
            ],
            why: said(
                "Tokens may leave gaps; they only have to grow.",
                "Токены могут идти с пропусками, лишь бы росли.",
            ),
        },
        Variant::OutOfStep => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","leaseId":"lease-2","fenceToken":5,"seq":1,"seqBy":"authority","result":"acquired"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":7,"seq":2,"seqBy":"authority","result":"release-rejected-not-owner"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","leaseId":"lease-2","fenceToken":5,"seq":3,"seqBy":"authority","result":"renewed"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","leaseId":"lease-2","fenceToken":5,"seq":1,"seqBy":"authority","result":"acquired"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":3,"seq":2,"seqBy":"authority","result":"release-rejected-not-owner"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","leaseId":"lease-2","fenceToken":5,"seq":3,"seqBy":"authority","result":"renewed"}"#,
            ],
            why: said(
                "The lease that was refused has the lower token: the tokens follow the leases.",
                "Меньший токен у той аренды, которой отказали: токены следуют за арендами.",
            ),
        },
        Variant::KeyUnknown => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"seq":1,"result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"seq":2,"result":"accepted"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":2,"seq":1,"result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceHighestTokenBefore":2,"seq":2,"result":"accepted"}"#,
            ],
            why: said(
                "The resource's own reading decides without a key: missing fencing.",
                "Показание самого ресурса решает и без ключа: проверки токена нет.",
            ),
        },
        Variant::EqualTokenRefused => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","operationId":"rebuild-417","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","resourceHighestTokenBefore":1,"operationId":"index-417","result":"rejected-stale-fence"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","operationId":"rebuild-417","result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceKey":"report:417","resourceHighestTokenBefore":1,"operationId":"rebuild-417","result":"rejected-stale-fence"}"#,
            ],
            why: said(
                "The same operation came again: a repetition that was refused.",
                "Пришла та же операция: это отклонённый повтор.",
            ),
        },
        Variant::SameLeaseToken => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":2,"result":"renewed"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":1,"resourceHighestTokenBefore":2,"result":"rejected-stale-fence"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-2","fenceToken":2,"result":"renewed"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":1,"resourceHighestTokenBefore":2,"result":"rejected-stale-fence"}"#,
            ],
            why: said(
                "The newer token belongs to another lease, even of the same worker: a stale owner.",
                "Более новый токен у другой аренды, пусть и того же исполнителя: устаревший владелец.",
            ),
        },
        Variant::Contradiction => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":10,"resourceKey":"report:417","resourceHighestTokenBefore":9,"result":"rejected-stale-fence"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","fenceToken":10,"resourceKey":"report:417","resourceHighestTokenBefore":9,"result":"rejected-other"}"#,
            ],
            why: said(
                "The resource says that the token was not the reason.",
                "Ресурс говорит, что дело не в токене.",
            ),
        },
        Variant::NoReading => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"result":"rejected-stale-fence"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","fenceToken":1,"resourceHighestTokenBefore":2,"result":"rejected-stale-fence"}"#,
            ],
            why: said(
                "The reading says below what: a stale owner.",
                "Показание говорит, с чем сравнили: устаревший владелец.",
            ),
        },
        Variant::OrderUnknown => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":1,"resourceKey":"report:417","seq":1,"result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":1,"seq":2,"result":"release-rejected-not-owner"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","leaseId":"lease-2","fenceToken":2,"resourceKey":"report:417","seq":1,"result":"accepted"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":1,"resourceKey":"report:417","resourceHighestTokenBefore":0,"seq":1,"result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":1,"seq":2,"result":"release-rejected-not-owner"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","leaseId":"lease-2","fenceToken":2,"resourceKey":"report:417","seq":1,"result":"accepted"}"#,
            ],
            why: said(
                "The older write carries a reading: the resource had seen nothing newer, so it was not late.",
                "У старой записи есть показание: ничего более нового ресурс не видел, она не опоздала.",
            ),
        },
        Variant::NewerOwnerSilent => Sample {
            example: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","leaseId":"lease-2","fenceToken":2,"result":"acquired"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":1,"result":"accepted"}"#,
            ],
            near_miss: &[
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","leaseId":"lease-2","fenceToken":2,"result":"acquired"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-A","leaseId":"lease-1","fenceToken":1,"result":"accepted"}"#,
                r#"{"lockName":"report:417:rebuild","ownerId":"worker-B","leaseId":"lease-2","fenceToken":2,"result":"accepted"}"#,
            ],
            why: said(
                "The newer owner wrote, and later: the tokens arrived in order.",
                "Новый владелец писал, и позже: токены пришли по порядку.",
            ),
        },
    }
}
