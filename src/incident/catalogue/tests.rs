use proptest::prelude::*;

use super::{Entry, Guidance, Label, Language, Noun, Words, coverage, limits, template};
use super::{class_entry, count, entry, headline, label, tell};
use crate::evidence::{Answer, Event, Field, Origin};
use crate::incident::{
    Actor, Assumption, CautionKind, Class, Incident, Outcome, Role, Status, Variant, WithheldReason,
};

fn entries(language: Language) -> impl Iterator<Item = (&'static str, &'static Entry)> {
    let variants = Variant::ALL
        .iter()
        .map(move |v| (v.name(), entry(language, *v)));
    let classes = Class::ALL
        .into_iter()
        .map(move |c| (c.name(), class_entry(language, c)));
    variants.chain(classes)
}

fn texts(entry: &Entry) -> Vec<&'static str> {
    let mut all = vec![
        entry.title,
        entry.observation,
        entry.boundary,
        entry.next_action,
    ];
    all.extend(entry.check);
    all.extend(entry.not_covered);
    all
}

#[test]
fn every_entry_says_something_everywhere() {
    for language in Language::ALL {
        for (name, entry) in entries(language) {
            assert!(!entry.check.is_empty(), "{name}");
            assert!(!entry.not_covered.is_empty(), "{name}");
            for text in texts(entry) {
                assert!(text.trim() == text && !text.is_empty(), "{name}: {text:?}");
                assert!(template::parse(text).is_some(), "{name}: {text}");
            }
        }
        for variant in Variant::ALL {
            for text in [
                language.words().clause(*variant),
                language.words().doubt(*variant, true),
                language.words().doubt(*variant, false),
            ] {
                assert!(template::parse(text).is_some(), "{variant}: {text}");
            }
            assert!(
                !language.words().clause(*variant).ends_with('.'),
                "{variant}"
            );
        }
    }
}

#[test]
fn languages_differ() {
    for variant in Variant::ALL {
        for (en, ru) in texts(entry(Language::En, *variant))
            .iter()
            .zip(texts(entry(Language::Ru, *variant)))
        {
            assert_ne!(*en, ru, "{variant}");
        }
        let [en, ru] = Language::ALL.map(|language| entry(language, *variant));
        assert_eq!(en.check.len(), ru.check.len(), "{variant}");
        assert_eq!(en.not_covered.len(), ru.not_covered.len(), "{variant}");
    }
}

/// "Synchronise the clocks and close the ticket" and "raise the TTL" are no advice.
#[test]
fn no_advice_is_about_clocks_or_longer_leases() {
    let banned = [
        "clock",
        "ttl",
        "ntp",
        "synchroni",
        "longer lease",
        "time-to-live",
        "часы",
        "часов",
        "синхрониз",
        "увеличить срок",
        "продлить срок",
        "срок аренды",
    ];
    for language in Language::ALL {
        for (name, entry) in entries(language) {
            let advice = entry
                .check
                .iter()
                .chain([&entry.next_action, &entry.boundary]);
            for text in advice {
                let text = text.to_lowercase();
                for word in banned {
                    assert!(!text.contains(word), "{name} advises {word:?}: {text}");
                }
            }
        }
        for (name, guidance) in guidance(language) {
            for text in guidance.next {
                let text = text.to_lowercase();
                for word in banned {
                    assert!(!text.contains(word), "{name} advises {word:?}: {text}");
                }
            }
        }
    }
}

fn guidance(language: Language) -> Vec<(&'static str, Guidance)> {
    let words = language.words();
    let cautions = CautionKind::ALL
        .iter()
        .map(|it| (it.name(), words.caution_guidance(*it)));
    let withheld = WithheldReason::ALL
        .iter()
        .map(|it| (it.name(), words.withheld_guidance(*it)));
    cautions.chain(withheld).collect()
}

#[test]
fn guidance_is_whole_and_says_as_much_in_every_language() {
    let [en, ru] = Language::ALL.map(guidance);
    for ((name, en), (_, ru)) in en.into_iter().zip(ru) {
        for (en, ru) in [(en.weakens, ru.weakens), (en.next, ru.next)] {
            assert!(!en.is_empty(), "{name}");
            assert_eq!(en.len(), ru.len(), "{name}");
            for (en, ru) in en.iter().zip(ru) {
                assert_ne!(en, ru, "{name}");
                assert!(en.ends_with('.') && ru.ends_with('.'), "{name}: {en} {ru}");
                // Names are the same in every language.
                let quoted = |text: &str| -> Vec<String> {
                    let mut all: Vec<String> = text
                        .split('`')
                        .skip(1)
                        .step_by(2)
                        .map(str::to_owned)
                        .collect();
                    all.sort_unstable();
                    all
                };
                assert_eq!(quoted(en), quoted(ru), "{name}");
            }
        }
    }
}

fn terms(words: &dyn Words) -> Vec<super::Term> {
    let mut all = Vec::new();
    all.extend(Status::ALL.map(|it| words.status(it)));
    all.extend(Outcome::ALL.map(|it| words.outcome(it)));
    all.extend(Assumption::ALL.map(|it| words.assumption(it)));
    all.extend(Role::ALL.map(|it| words.role(it)));
    all.extend(Event::ALL.map(|it| words.event(it)));
    all.extend(Answer::ALL.map(|it| words.answer(it)));
    all.extend(Origin::ALL.map(|it| words.origin(it)));
    all.extend((0..=3).map(|code| words.exit_code(code).unwrap()));
    all.extend(CautionKind::ALL.iter().map(|it| words.caution(*it)));
    all.extend(WithheldReason::ALL.iter().map(|it| words.withheld(*it)));
    all
}

#[test]
fn every_term_and_label_has_words() {
    for language in Language::ALL {
        let words = language.words();
        for term in terms(words) {
            assert!(!term.name.is_empty());
            assert!(term.meaning.ends_with('.'), "{}", term.meaning);
        }
        for field in Field::ALL {
            assert!(words.field(field).ends_with('.'), "{field}");
            assert!(!words.missing(field).is_empty() && !words.missing(field).ends_with('.'));
        }
        for one in Label::ALL {
            assert!(!label(language, *one).is_empty(), "{one:?}");
        }
        for noun in Noun::ALL {
            assert!(!count(language, 7, *noun).is_empty(), "{noun:?}");
        }
        assert_eq!(coverage(language).len(), 5);
        assert_eq!(
            coverage(language).iter().filter(|row| row.by_token).count(),
            1
        );
        assert_eq!(limits(language).len(), 6);
    }
}

#[test]
fn numbers_decline() {
    let ru = |n| count(Language::Ru, n, Noun::Record);
    assert_eq!(ru(0), "0 записей журнала");
    assert_eq!(ru(1), "1 запись журнала");
    assert_eq!(ru(2), "2 записи журнала");
    assert_eq!(ru(5), "5 записей журнала");
    assert_eq!(ru(11), "11 записей журнала");
    assert_eq!(ru(14), "14 записей журнала");
    assert_eq!(ru(21), "21 запись журнала");
    assert_eq!(ru(104), "104 записи журнала");
    assert_eq!(ru(111), "111 записей журнала");
    assert_eq!(ru(1_000_022), "1000022 записи журнала");
    let en = |n| count(Language::En, n, Noun::Record);
    assert_eq!(en(0), "0 records");
    assert_eq!(en(1), "1 record");
    assert_eq!(en(2), "2 records");
}

#[test]
fn tags_lead_to_languages() {
    for tag in [
        "ru",
        "RU",
        "ru-RU",
        "ru_RU.UTF-8",
        "ru@petr1708",
        "de:ru:en",
        " ru ",
    ] {
        assert_eq!(Language::from_tag(tag), Some(Language::Ru), "{tag}");
    }
    for tag in ["en", "en_GB.UTF-8", "C", "C.UTF-8", "POSIX"] {
        assert_eq!(Language::from_tag(tag), Some(Language::En), "{tag}");
    }
    for tag in ["", "rus-like", "de_DE.UTF-8", "r", "тест", "_", ":"] {
        let expected = (tag == "rus-like").then_some(Language::Ru);
        assert_eq!(Language::from_tag(tag), expected, "{tag}");
    }
    for language in Language::ALL {
        assert_eq!(Language::from_tag(language.tag()), Some(language));
    }
}

#[test]
fn a_story_reads_as_one() {
    let actor = |owner: &str, lease: &str, token| Actor {
        owner_id: Some(owner.to_owned()),
        lease_id: Some(lease.to_owned()),
        fence_token: Some(token),
    };
    let mut incident = template::nobody(Variant::WriteRefused);
    incident.lock_name = "report:417:rebuild".to_owned();
    incident.resource_key = Some("report:417".to_owned());
    incident.late = Some(actor("worker-A", "lease-1", 1));
    incident.current = Some(actor("worker-B", "lease-2", 2));
    let told = tell(Language::En, &incident);
    assert_eq!(
        headline(Language::En, &incident),
        "report:417:rebuild: the resource refused an old write with token 1 from worker-A."
    );
    assert_eq!(
        told.observation,
        "worker-A (lease lease-1, token 1) wrote to report:417 with a token older than one accepted before, and the resource refused it. The newer token is that of worker-B (lease lease-2, token 2)."
    );
    incident.occurrences = 3;
    let told = tell(Language::En, &incident);
    assert!(told.next_action.contains("3 times"), "{}", told.next_action);
    assert!(told.next_action.contains("does not make it newer"));
    incident.occurrences = 2;
    let told = tell(Language::Ru, &incident);
    assert!(told.next_action.contains("2 раза"), "{}", told.next_action);
    incident.status = Status::Suspected;
    let told = tell(Language::Ru, &incident);
    let headline = headline(Language::Ru, &incident);
    assert!(headline.contains("похоже, что ресурс отклонил"));
    assert!(told.observation.contains("но до конца не видно"));
}

/// `cargo test --lib read_every_word -- --nocapture` prints every text to be read.
#[test]
fn read_every_word() {
    for language in Language::ALL {
        for variant in Variant::ALL {
            for status in Status::ALL {
                let story = super::story(*variant, status);
                let (headline, told) = (headline(language, &story), tell(language, &story));
                println!(
                    "{variant} {}\n  {}\n  {}\n  {}",
                    status.name(),
                    headline,
                    told.observation,
                    told.next_action
                );
                assert!(headline.starts_with("report:417:rebuild: "));
            }
        }
    }
}

#[test]
fn what_was_not_recorded_is_said_so() {
    let incident = template::nobody(Variant::WriteRefused);
    assert!(
        tell(Language::En, &incident)
            .observation
            .starts_with("An owner that was not recorded wrote with")
    );
    assert!(headline(Language::En, &incident).starts_with("\"\": the resource refused"));
}

#[test]
fn names_are_not_read_as_templates() {
    let mut incident = template::nobody(Variant::NotCompared);
    incident.lock_name = "{late}[proven?x|y]".to_owned();
    incident.resource_key = Some("{key}".to_owned());
    let told = tell(Language::En, &incident);
    let headline = headline(Language::En, &incident);
    assert!(headline.starts_with("{late}[proven?x|y]: "), "{headline}");
    assert!(told.observation.contains("{key}"));
}

#[test]
fn the_three_causes_of_an_accepted_old_write_are_named() {
    for variant in [Variant::BothAccepted, Variant::Forked] {
        let told = tell(Language::En, &template::nobody(variant));
        for cause in ["no comparison", "outside the write", "lost"] {
            assert!(told.observation.contains(cause), "{variant}: {cause}");
        }
    }
}

fn actors() -> impl Strategy<Value = Option<Actor>> {
    let name = || proptest::option::of("[a-z]{1,8}");
    let some = (name(), name(), proptest::option::of(any::<u64>())).prop_map(
        |(owner_id, lease_id, fence_token)| Actor {
            owner_id,
            lease_id,
            fence_token,
        },
    );
    proptest::option::of(some)
}

prop_compose! {
    fn incidents()(
        variant in proptest::sample::select(Variant::ALL),
        status in proptest::sample::select(Status::ALL.as_slice()),
        outcome in proptest::sample::select(Outcome::ALL.as_slice()),
        resource_key in proptest::option::of("[a-z]{1,8}"),
        operation_id in proptest::option::of("[a-z]{1,8}"),
        late in actors(),
        current in actors(),
        occurrences in 1_u64..30,
        missing in proptest::sample::subsequence(Field::ALL.as_slice(), 0..=3),
    ) -> Incident {
        Incident {
            status, outcome, resource_key, operation_id, late, current, occurrences, missing,
            lock_name: "lock".to_owned(),
            ..template::nobody(variant)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]
    /// Whatever is recorded or not, what is said is whole sentences.
    #[test]
    fn words_are_whole_for_every_incident(incident in incidents()) {
        for language in Language::ALL {
            let told = tell(language, &incident);
            let headline = headline(language, &incident);
            let mut all = vec![headline, told.observation, told.boundary, told.next_action];
            all.extend(told.check);
            all.extend(told.not_covered);
            for text in all {
                prop_assert!(!text.contains(['{', '}', '[', ']', '|']), "{}", text);
                for hole in ["  ", " .", " ,", "()", "( ", " )", ",,", ",.", "..", ": .", ":."] {
                    prop_assert!(!text.contains(hole), "{:?} in {}", hole, text);
                }
                prop_assert!(text.ends_with(['.', '?']), "{}", text);
                prop_assert!(text.trim() == text && !text.is_empty());
            }
        }
    }
}

#[test]
fn what_is_suspected_by_order_says_so() {
    for variant in [Variant::RefusedAgain, Variant::BothAccepted] {
        let certain = super::story(variant, Status::Suspected);
        let mut by_order = certain.clone();
        by_order.missing = vec![Field::Seq];
        for language in Language::ALL {
            let told = [&certain, &by_order].map(|one| tell(language, one).observation);
            assert_ne!(told[0], told[1], "{variant}");
        }
        let told = tell(Language::En, &by_order).observation;
        let doubt = ["may have been the first attempt", "may have come late"];
        assert!(doubt.iter().any(|doubt| told.contains(doubt)), "{told}");
        assert!(!told.contains("without an answer"), "{told}");
    }
}

fn told(variant: Variant, status: Status, missing: &[Field]) -> super::Told {
    let mut incident = super::story(variant, status);
    incident.missing = missing.to_vec();
    tell(Language::En, &incident)
}

#[test]
fn a_suspected_incident_asserts_nothing_that_it_doubts() {
    let suspected = |variant, missing: &[Field]| told(variant, Status::Suspected, missing);
    let known = suspected(Variant::ReleaseRefused, &[Field::ActiveOwnerId]);
    assert!(known.observation.contains("By the records the current"));
    assert!(!known.observation.contains("no record names"));
    assert!(!known.next_action.contains("lost"), "{}", known.next_action);
    let proven = told(Variant::ReleaseRefused, Status::Proven, &[]);
    assert!(proven.next_action.contains("the lease is lost"));
    let removed = suspected(Variant::RemovedOtherLease, &[Field::ActiveLeaseId]).observation;
    assert!(!removed.contains("late"), "{removed}");
    let refused = suspected(Variant::WriteRefused, &[]).observation;
    assert!(!refused.contains("older than one accepted"), "{refused}");
    for variant in [Variant::WentBack, Variant::OutOfStep] {
        for (status, says) in [(Status::Proven, ": it is not"), (Status::Suspected, "; if")] {
            let mut incident = super::story(variant, status);
            incident.occurrences = 2;
            let next = tell(Language::En, &incident).next_action;
            assert!(next.contains(says), "{next}");
        }
    }
}

#[test]
fn two_locks_are_suspected_for_two_reasons() {
    let unread = &[Field::ResourceHighestTokenBefore];
    let [unread, read] = [&unread[..], &[]]
        .map(|missing| told(Variant::TwoLocksOneKey, Status::Suspected, missing).observation);
    assert!(unread.contains("name of a table"), "{unread}");
    assert!(!read.contains("name of a table"), "{read}");
    assert!(read.contains("equals a token of another lock"), "{read}");
}

#[test]
fn no_doubt_speaks_of_an_unanswered_step_that_may_not_be_on_record() {
    for variant in Variant::ALL {
        let told = told(*variant, Status::Suspected, &[]).observation;
        assert!(!told.contains("a step without an answer"), "{told}");
    }
}
