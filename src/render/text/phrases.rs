//! Sentences about the output itself, which no incident has.

use crate::incident::catalogue::Language;

pub(super) struct Phrases {
    /// `{}` is the number of incidents.
    pub(super) all_hidden: &'static str,
    /// `{}` is the number of incidents.
    pub(super) hidden: &'static str,
    /// `{}` is the number of locks.
    pub(super) verdicts_withheld: &'static str,
    /// `{}` is the number of rejected lines.
    pub(super) lines_rejected: &'static str,
    /// `{}` is the number of incidents of a section, all of them suspected.
    pub(super) all_suspected: &'static str,
    /// `{all}` is the number of incidents of a section, `{}` of those suspected.
    pub(super) some_suspected: &'static str,
    /// What a section with both says of those suspected.
    pub(super) of_suspected: &'static str,
    pub(super) no_evidence: &'static str,
    /// `{now}` and `{before}` are judgements.
    pub(super) now: &'static str,
    pub(super) withdrawn: &'static str,
}

pub(super) fn phrases(language: Language) -> &'static Phrases {
    match language {
        Language::En => &EN,
        Language::Ru => &RU,
    }
}

const EN: Phrases = Phrases {
    all_hidden: "No incident matches what was asked for; not shown: {}.",
    hidden: "not shown: {}",
    verdicts_withheld: "Some verdicts were withheld: {}, see the summary.",
    lines_rejected: "What could not be used is missing here: {}.",
    all_suspected: "{}, only suspected",
    some_suspected: "{all}, {} of them only suspected",
    of_suspected: "Of those only suspected an innocent reading is not excluded.",
    no_evidence: "No evidence record was read, so nothing can be said.",
    now: "Now {now}; told before as {before}",
    withdrawn: "Withdrawn: with later records it does not follow any more",
};

const RU: Phrases = Phrases {
    all_hidden: "Ни один инцидент не подходит под выбранные условия; не показано: {}.",
    hidden: "не показано: {}",
    verdicts_withheld: "Часть выводов не сделана: {}, см. итоги.",
    lines_rejected: "Здесь нет того, что не удалось использовать: {}.",
    all_suspected: "{}, только подозрение",
    some_suspected: "{all}, из них только подозрение: {}",
    of_suspected: "Там, где это только подозрение, безобидное объяснение не исключено.",
    no_evidence: "Не прочитано ни одной записи, поэтому сказать нечего.",
    now: "Теперь: {now}; раньше было: {before}",
    withdrawn: "Отозвано: с более поздними записями это больше не следует",
};
