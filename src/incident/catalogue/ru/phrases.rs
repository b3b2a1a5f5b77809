//! Russian: headlines, and what a suspected incident leaves open.

use crate::incident::Variant;

/// The headline of a variant, without the lock and without the full stop.
pub(super) const fn clause(variant: Variant) -> &'static str {
    match variant {
        Variant::WriteRefused => {
            "ресурс отклонил старую запись[ с токеном {late.token}][ от {late.owner}]"
        }
        Variant::ReleaseRefused => {
            "служба блокировок отклонила опоздавшее освобождение[ от {late.owner}]"
        }
        Variant::RemovedOtherLease => "освобождение[ от {late.owner}] сняло {current.held.acc}",
        Variant::RenewedOtherLease => "продление[ от {late.owner}] коснулось {current.held.gen}",
        Variant::NotCompared => {
            "ресурс принял токен {late.token}[ по ключу {key}], хотя прочитал больший[ ({current.token})]"
        }
        Variant::Forked => {
            "запись от {late.gen} и ещё одна[, от {current.gen},] приняты[ по ключу {key}] поверх одного наибольшего токена"
        }
        Variant::BothAccepted => {
            "ресурс принял токен {late.token}[ по ключу {key}] после большего[ ({current.token})]"
        }
        Variant::NotStored => "ресурс принял токен {late.token}[ по ключу {key}] и не сохранил его",
        Variant::HighestLost => "ресурс забыл токен, который уже принял[ по ключу {key}]",
        Variant::LeaseSuperseded => {
            "запись от {late.gen} принята[ по ключу {key}] после записи следующего владельца"
        }
        Variant::LateWriteOtherKey => {
            "старая запись[ с токеном {late.token}] прошла по другому ключу[ ({key})]"
        }
        Variant::KeysDiverge => "каждый токен пишет по своему ключу, и сравнивать их негде",
        Variant::TwoLocksOneKey => {
            "один ключ ресурса[ ({key})] сравнивает токены этой блокировки и ещё одной"
        }
        Variant::AppliedAgain => {
            "[операция {operation}|одна операция] применена дважды под одним токеном"
        }
        Variant::Redelivered => "[операция {operation}|одна операция] применена под двумя токенами",
        Variant::RefusedAgain => "[операция {operation}|одна операция] пришла снова и отклонена",
        Variant::TokenRepeated => "одна операция[ под токеном {late.token}] доставлена дважды",
        Variant::Shared => "у двух аренд один токен[ ({late.token})]",
        Variant::WentBack => {
            "более поздняя аренда[ {late.owner}] получила меньший токен[ ({late.token})]"
        }
        Variant::OutOfStep => "токены не следуют за арендами",
        Variant::KeyUnknown => {
            "не решено, нет ли проверки токена или не та область ключа: токен пришёл не по порядку, а ключ не записан"
        }
        Variant::EqualTokenRefused => {
            "не решено: вторая запись с тем же токеном отклонена, а принятой записи этой операции в журнале нет"
        }
        Variant::SameLeaseToken => {
            "не решено: запись отклонена из-за более нового токена той же аренды"
        }
        Variant::Contradiction => "не решено: ответ противоречит показанию рядом с ним",
        Variant::NoReading => {
            "не решено: запись отклонена как устаревшая, но записаны не оба сравнивавшихся токена"
        }
        Variant::OrderUnknown => {
            "не решено: по двум арендам писали[ по ключу {key}], и неизвестно, чья запись последняя"
        }
        Variant::NewerOwnerSilent => {
            "не решено: запись пришла после взятия более новой аренды, а записей той аренды нет"
        }
    }
}

const LATE_LINE: &str = "Всё сходится, но порядок взят из строк или из номера, который дала не та сторона, что решала: строка могла прийти с опозданием.";

const FIRST_ATTEMPT: &str = "Всё сходится, но ничто из записанного той стороной, что решала, не говорит, что из двух было первым: отказ мог быть первой попыткой.";

const UNSURE: &str = "Всё сходится, но до конца не видно, какая аренда действовала, с каким токеном или по какому ключу.";

const UNSURE_OR_OWN: &str = "[exposed?Всё сходится, но по журналу больший токен — той же аренды: вреда кому-то ещё не видно.|Всё сходится, но до конца не видно, какая аренда действовала, с каким токеном или по какому ключу.]";

/// What a suspected incident of this variant leaves open, where its order is in doubt or not.
pub(super) const fn doubt(variant: Variant, by_order: bool) -> &'static str {
    match variant {
        Variant::WriteRefused => {
            "Это похоже на устаревшего владельца, но до конца не видно, что больший токен был принят там раньше и что аренда писавшего — более старая."
        }
        Variant::ReleaseRefused => {
            "Это похоже на прежнего владельца, но [до конца не видно, что {current.held} — другая аренда и что тогда действовала она|по журналу не видно, чтобы тогда действовала другая аренда]: неверному идентификатору отказали бы точно так же."
        }
        Variant::RemovedOtherLease if by_order => {
            "Это похоже на освобождение, снявшее чужую аренду, но до конца не видно, что тогда действовала другая: порядок взят из строк или из номера, который дала не та сторона, что решала, и строка могла прийти с опозданием."
        }
        Variant::RemovedOtherLease => {
            "Это похоже на освобождение, снявшее чужую аренду, но до конца не видно, что тогда действовала другая[missing.activeLeaseId?: идентификатор аренды, которую учитывала служба блокировок, не записан]."
        }
        Variant::BothAccepted
        | Variant::HighestLost
        | Variant::LateWriteOtherKey
        | Variant::WentBack
        | Variant::OutOfStep
            if by_order =>
        {
            LATE_LINE
        }
        Variant::BothAccepted | Variant::NotCompared => UNSURE_OR_OWN,
        Variant::RenewedOtherLease => {
            "Всё сходится, но до конца не видно, что тогда действовала другая аренда."
        }
        Variant::LateWriteOtherKey => {
            "Всё сходится, но до конца не видно, что больший токен — более новой аренды и что по своему ключу запись не опоздала."
        }
        Variant::WentBack => "Всё сходится, но до конца не видно, что это две аренды.",
        Variant::Shared => {
            "Всё сходится, но до конца не видно, что это две аренды и что этот токен выдан обеим."
        }
        Variant::OutOfStep => {
            "Всё сходится, но до конца не видно, какую аренду служба блокировок продлила или сняла и с каким токеном."
        }
        Variant::RefusedAgain if by_order => FIRST_ATTEMPT,
        Variant::LeaseSuperseded => {
            "Это похоже на отсутствие проверки, но без токена говорит только порядок строк: ничто из записанного ресурсом не показывает, какая запись опоздала."
        }
        Variant::KeysDiverge => {
            "Это похоже на ключ, который называет попытку, а не объект, но блокировка может и вправду защищать независимые объекты."
        }
        Variant::TwoLocksOneKey => {
            "[missing.resourceHighestTokenBefore?Это похоже на две блокировки над одним действием, но ключ может быть всего лишь именем таблицы.|Это похоже на один ключ, который сравнивает токены двух блокировок, но токен могла записать туда и сама эта блокировка: той записью, у которой в журнале нет ответа, ключа или токена, или которой в нём нет вовсе.]"
        }
        Variant::AppliedAgain => {
            "Это похоже на двойное применение, но надёжно отличить их друг от друга нечем: одна и та же запись могла попасть в журнал дважды."
        }
        Variant::TokenRepeated => {
            "Это похоже на повторную доставку, но не у обеих записей в журнале есть ответ и операция: это могла быть одна операция или две[guarded?|, или одна запись, попавшая в журнал дважды]."
        }
        Variant::HighestLost
        | Variant::Forked
        | Variant::NotStored
        | Variant::Redelivered
        | Variant::RefusedAgain
        | Variant::KeyUnknown
        | Variant::EqualTokenRefused
        | Variant::SameLeaseToken
        | Variant::Contradiction
        | Variant::NoReading
        | Variant::OrderUnknown
        | Variant::NewerOwnerSilent => UNSURE,
    }
}
