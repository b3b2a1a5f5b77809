//! The words that only a report has, in every language.

use crate::incident::catalogue::Language;

/// Words of a report. `{}` stands for a number or a name.
#[derive(Debug)]
pub struct Words {
    /// Beneath the title.
    pub subtitle: &'static str,
    /// A headline of a lock with more than one incident; `{}` counts all of them.
    pub more_at_lock: &'static str,
    /// Locks without an incident; `{}` counts them with their noun.
    pub quiet: &'static str,
    /// A list was cut; `{}` is how many are left out.
    pub more: &'static str,
    /// The same, where the JSON form of `classify` has the rest.
    pub more_incidents: &'static str,
    /// The number of an incident.
    pub incident: &'static str,
    /// Verdicts of a lock were withheld; `{}` names it and says why.
    pub withheld: &'static str,
    /// What was seen of a class; `{}` is its title, `{}` a sentence for each variant.
    pub shows_class: &'static str,
    /// A variant; `{}` is its title, `{}` counts its incidents by status and outcome.
    pub shows_variant: &'static str,
    /// What a field would settle; `{}` counts incidents.
    pub would_settle: &'static str,
    /// What a field would let the records prove; `{}` names classes, `{}` counts locks.
    pub would_prove: &'static str,
    /// On which records: writes, acquisitions, renewals, releases, lease steps, all.
    pub on: [&'static str; 6],
    /// Nothing is missing.
    pub nothing_missing: &'static str,
    /// What people have to say.
    pub people: &'static str,
    /// The order of a timeline.
    pub by_seq: &'static str,
    /// The same, by lines.
    pub by_lines: &'static str,
    /// There is none.
    pub no_order: &'static str,
    /// `{}` of `{}` records are drawn.
    pub drawn: &'static str,
    /// No timeline could be drawn for this many locks.
    pub more_timelines: &'static str,
    /// A part of a long timeline: `{}` of `{}`.
    pub part: &'static str,
    /// A run of alike records: `{}` of them, up to line `{}`.
    pub run: &'static str,
    /// A gap: `{}` counts records.
    pub gap: &'static str,
    /// The column of positions.
    pub position: &'static str,
    /// The column of wall clocks.
    pub time: &'static str,
    /// The column of readings.
    pub highest: &'static str,
    /// The column of incidents.
    pub incident_column: &'static str,
    /// The lane of writes that name no key.
    pub unnamed_key: &'static str,
    /// The lane of records that name no owner.
    pub unnamed_owner: &'static str,
    /// A write, on its way from the owner to the resource.
    pub legend_write: &'static str,
    /// A refusal by the authority.
    pub legend_refused: &'static str,
    /// A lease bar.
    pub legend_lease: &'static str,
    /// A lease bar with an open end.
    pub legend_open: &'static str,
    /// An arrow.
    pub legend_arrow: &'static str,
    /// A removal.
    pub legend_removed: &'static str,
    /// A gap.
    pub legend_gap: &'static str,
    /// The description of a picture: lock, records, owners, keys.
    pub describe: &'static str,
    /// What marks mean.
    pub legend: &'static str,
    /// What the authority counted then.
    pub active: &'static str,
    /// Nobody, for the lease counted.
    pub nobody: &'static str,
    /// To the content.
    pub skip: &'static str,
    /// The parts of the page.
    pub contents: &'static str,
    /// The report as data.
    pub as_data: &'static str,
    /// How the data is found in the page.
    pub as_data_means: &'static str,
    /// Details of one incident.
    pub details: &'static str,
    /// What goes for all incidents of a group.
    pub for_all: &'static str,
    /// Names replaced: owners, leases, addresses, directories.
    pub replaced: &'static str,
    /// Nobody vouched.
    pub nobody_vouched: &'static str,
    /// What `--order` was; the value follows.
    pub order_option: &'static str,
    /// The column of records of an input.
    pub records: &'static str,
    /// Bytes.
    pub bytes: &'static str,
    /// The picture can be scrolled.
    pub picture: &'static str,
}

/// The words of a language.
pub fn words(language: Language) -> &'static Words {
    match language {
        Language::En => &EN,
        Language::Ru => &RU,
    }
}

const EN: Words = Words {
    subtitle: "For the postmortem: what the records show, on which of them it rests, and what they do not show",
    more_at_lock: " At this lock in all: {}.",
    quiet: "No incident: {}.",
    more: "and {} more",
    more_incidents: "and {} more like these; `lockdiag classify` lists every one",
    incident: "Incident {}",
    withheld: "Some verdicts were withheld: {}",
    shows_class: "{}. {}",
    shows_variant: "{}: {}.",
    would_settle: "Would settle or strengthen: {}.",
    would_prove: "Needed to prove: {} ({}).",
    on: [
        "on writes",
        "on acquisitions",
        "on renewals",
        "on releases",
        "on the steps of a lease",
        "on every record",
    ],
    nothing_missing: "Nothing: these records carry what the verdicts need.",
    people: "No log says these things. They are left blank on purpose.",
    by_seq: "The columns stand in the order of `seq`, not of time.",
    by_lines: "The columns stand in the order of lines, not of time. Lines may arrive late.",
    no_order: "These records have no known order. They stand as they were read; no lease and no highest token is drawn, since that would claim an order.",
    drawn: "Drawn: {} of {}.",
    more_timelines: "{} more with incidents, without a timeline here.",
    part: "Part {} of {}",
    run: "{} alike, to line {}",
    gap: "{} not drawn",
    position: "No.",
    time: "Time (label only)",
    highest: "Highest before → after",
    incident_column: "Incident",
    unnamed_key: "(key not recorded)",
    unnamed_owner: "(owner not recorded)",
    legend_write: "a write, from its owner down to the resource",
    legend_refused: "refused by the authority",
    legend_lease: "a lease, from acquisition to end",
    legend_open: "end or beginning not on record, or not drawn",
    legend_arrow: "the late record, and the one that it met",
    legend_removed: "a release, and the lease that it removed",
    legend_gap: "records left out",
    describe: "Order of events at {}: {}. Owners from top to bottom with their leases, then each resource key with its writes and its highest token. The table below says the same.",
    legend: "How to read the picture",
    active: "counted by the authority then: {}",
    nobody: "nobody",
    skip: "Skip to the report",
    contents: "Contents",
    as_data: "This report as data",
    as_data_means: "The same report as JSON is embedded in this page, in the element with the id report-data. It needs no script to be read.",
    details: "Details",
    for_all: "For all of these",
    replaced: "owners: {}, leases: {}, addresses: {}, directories: {}",
    nobody_vouched: "nobody",
    order_option: "--order {}",
    records: "Records",
    bytes: "bytes",
    picture: "Timeline picture, can be scrolled sideways",
};

const RU: Words = Words {
    subtitle: "Для разбора инцидента: что видно по журналу, по каким строкам и чего по нему не видно",
    more_at_lock: " Всего на этой блокировке: {}.",
    quiet: "Без инцидентов: {}.",
    more: "и ещё {}",
    more_incidents: "и ещё {} таких же; все перечисляет `lockdiag classify`",
    incident: "Инцидент {}",
    withheld: "Часть выводов не сделана: {}",
    shows_class: "{}. {}",
    shows_variant: "{}: {}.",
    would_settle: "Решило бы или подкрепило: {}.",
    would_prove: "Нужно, чтобы доказать: {} ({}).",
    on: [
        "в записях на ресурс",
        "при получении",
        "при продлении",
        "при освобождении",
        "в шагах аренды",
        "в каждой строке",
    ],
    nothing_missing: "Ничего: в этом журнале есть всё, что нужно для выводов.",
    people: "Этого нет ни в одном журнале. Поля нарочно оставлены пустыми.",
    by_seq: "Столбцы стоят в порядке `seq`, а не времени.",
    by_lines: "Столбцы стоят в порядке строк, а не времени. Строки могли прийти с опозданием.",
    no_order: "Порядок этих записей журнала неизвестен. Они стоят так, как были прочитаны; аренды и наибольший токен не нарисованы: это означало бы порядок.",
    drawn: "Показано: {} из {}.",
    more_timelines: "Ещё {} с инцидентами, без хода событий в этом отчёте.",
    part: "Часть {} из {}",
    run: "{} подряд таких же, до строки {}",
    gap: "не показано: {}",
    position: "№",
    time: "Время (только подпись)",
    highest: "Наибольший до → после",
    incident_column: "Инцидент",
    unnamed_key: "(ключ не записан)",
    unnamed_owner: "(владелец не записан)",
    legend_write: "запись: от владельца вниз к ресурсу",
    legend_refused: "отказ службы блокировок",
    legend_lease: "аренда от получения до конца",
    legend_open: "конец или начало не записаны либо не показаны",
    legend_arrow: "опоздавшее событие и то, на которое оно наткнулось",
    legend_removed: "освобождение и аренда, которую оно сняло",
    legend_gap: "пропущенные события",
    describe: "Порядок событий на {}: {}. Сверху вниз владельцы с их арендами, затем каждый ключ ресурса с записями и наибольшим токеном. Таблица ниже говорит то же самое.",
    legend: "Как читать рисунок",
    active: "по данным службы блокировок тогда действовала: {}",
    nobody: "никакая",
    skip: "К отчёту",
    contents: "Содержание",
    as_data: "Этот отчёт как данные",
    as_data_means: "Тот же отчёт в JSON вложен в эту страницу, в элемент с id report-data. Чтобы его прочесть, скрипты не нужны.",
    details: "Подробности",
    for_all: "Общее для всех",
    replaced: "владельцев: {}, аренд: {}, адресов: {}, каталогов: {}",
    nobody_vouched: "никто",
    order_option: "--order {}",
    records: "Записей журнала",
    bytes: "байт",
    picture: "Рисунок хода событий, прокручивается вбок",
};

/// A template with its `{}` filled in, in order.
pub fn fill(template: &str, values: &[&str]) -> String {
    let mut values = values.iter();
    let mut out = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{}") {
        out.push_str(before);
        out.push_str(values.next().copied().unwrap_or_default());
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::{EN, RU, fill};

    #[test]
    fn a_value_is_never_read_as_a_template() {
        assert_eq!(fill("{} of {}", &["{}", "x"]), "{} of x");
    }

    #[test]
    fn both_languages_have_the_same_slots() {
        let slots = |words: &super::Words| {
            let text = format!("{words:?}");
            text.lines()
                .flat_map(|line| line.split("\", "))
                .map(|field| field.matches("{}").count())
                .collect::<Vec<_>>()
        };
        assert_eq!(slots(&EN), slots(&RU));
    }
}
