//! Russian: what may not be concluded, and what covers what a token does not.

use crate::incident::catalogue::Coverage;

pub(super) const RUNNING: &str = "Токен не останавливает прежнего исполнителя: тот может работать дальше и считать блокировку своей.";
pub(super) const RELEASE: &str =
    "Токен не защищает освобождение: прежний владелец по-прежнему может снять новую аренду.";
pub(super) const CALL: &str = "Токен не превращает вызов другой системы в «ровно один раз».";
pub(super) const KEYS: &str = "Токен не упорядочивает записи по двум разным ключам ресурса.";
pub(super) const EXPIRY: &str = "Истёкшая аренда означает лишь, что служба блокировок её больше не учитывает. Остановился ли владелец, отсюда не следует.";
pub(super) const PROVIDER: &str =
    "О часах, о сети и о поставщике в целом журнал не говорит ничего.";
pub(super) const OWN_FENCE: &str = "Пока порядок токенов нарушен, проверка может отклонить законного владельца и пропустить прежнего: её отказы ничего не доказывают.";

/// The limits of every verdict.
pub(super) const ALL: [&str; 6] = [RUNNING, RELEASE, CALL, KEYS, EXPIRY, PROVIDER];

/// Which questions a token answers.
pub(super) const COVERAGE: [Coverage; 5] = [
    Coverage {
        question: "Опоздавшая запись с токеном 1 после токена 2 на одном ресурсе",
        covered: "Да, если ресурс сравнивает атомарно",
        by_token: true,
        what_does: "Наибольший токен хранится рядом со значением и сравнивается в самой записи",
    },
    Coverage {
        question: "Прежний исполнитель снимает новую аренду",
        covered: "Нет",
        by_token: false,
        what_does: "Освобождение с условием на текущий идентификатор аренды",
    },
    Coverage {
        question: "Один и тот же вызов другой системы повторён",
        covered: "Нет",
        by_token: false,
        what_does: "Ключ идемпотентности и получатель, который его соблюдает",
    },
    Coverage {
        question: "Два ключа ресурса в одном процессе",
        covered: "Сам по себе нет",
        by_token: false,
        what_does: "Явный порядок шагов или компенсация",
    },
    Coverage {
        question: "Действительно ли исполнитель остановился, когда аренда истекла",
        covered: "Нет",
        by_token: false,
        what_does: "Отмена и тайм-ауты как дисциплина внутри исполнителя",
    },
];
