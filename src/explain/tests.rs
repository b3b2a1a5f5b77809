use super::rows::{self, Block, Strength, Verdict};
use super::samples::sample;
use super::{Kind, explain, list, text, topics};
use crate::evidence::answer::SYNONYMS;
use crate::evidence::{Answer, Event, Field, Origin};
use crate::incident::catalogue::{Label, Language, label};
use crate::incident::{
    Assumption, CautionKind, Class, Outcome, Role, Status, Variant, WithheldReason,
};

fn names() -> Vec<String> {
    let mut all: Vec<&str> = Vec::new();
    all.extend(Class::ALL.map(Class::name));
    all.extend(Variant::ALL.iter().map(|it| it.name()));
    all.extend(Status::ALL.map(Status::name));
    all.extend(Outcome::ALL.map(Outcome::name));
    all.extend(Assumption::ALL.map(Assumption::name));
    all.extend(Role::ALL.map(Role::name));
    all.extend(Origin::ALL.map(Origin::word));
    all.extend(CautionKind::ALL.iter().map(|it| it.name()));
    all.extend(WithheldReason::ALL.iter().map(|it| it.name()));
    all.extend(Event::ALL.map(Event::word));
    all.extend(Answer::ALL.map(Answer::word));
    all.extend(SYNONYMS);
    all.extend(Field::ALL.map(Field::name));
    all.extend(Field::ALL.map(Field::snake_name));
    all.extend([
        "sequence",
        "0",
        "1",
        "2",
        "3",
        "exit-3",
        "stale-owner / write-refused",
    ]);
    all.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn every_name_is_explained_in_every_language() {
    for language in Language::ALL {
        for name in names() {
            let page = explain(&name, language).unwrap_or_else(|err| panic!("{err}"));
            for entry in &page.entries {
                assert!(!entry.meaning.is_empty(), "{name}");
                assert!(entry.meaning.iter().all(|text| !text.is_empty()), "{name}");
            }
            let text = text(&page, language);
            assert!(!text.contains(['[', '|']) || text.contains("{\""), "{text}");
        }
    }
}

#[test]
fn what_a_page_points_to_can_be_read() {
    for topic in topics(Language::En) {
        for entry in explain(&topic.name, Language::En).unwrap().entries {
            for name in entry.see_also {
                assert!(explain(&name, Language::En).is_ok(), "{name}");
            }
        }
    }
}

#[test]
fn spelling_does_not_matter_and_the_nearest_is_named() {
    let page = explain("WRITE_REFUSED", Language::En).unwrap();
    assert_eq!(page.name, "write-refused");
    let err = explain("stale-ownr", Language::En).unwrap_err();
    assert_eq!(err.nearest.first().map(String::as_str), Some("stale-owner"));
    assert!(
        explain("zzzzqqq", Language::En)
            .unwrap_err()
            .nearest
            .is_empty()
    );
    assert!(explain("", Language::En).is_err());
}

#[test]
fn a_shared_name_explains_each_thing() {
    let kinds = |name| -> Vec<Kind> {
        let page = explain(name, Language::En).unwrap();
        page.entries.iter().map(|entry| entry.kind).collect()
    };
    assert_eq!(kinds("undecided"), [Kind::Class, Kind::Status]);
    assert_eq!(kinds("unknown"), [Kind::Outcome, Kind::Synonym]);
    assert_eq!(kinds("release"), [Kind::Event, Kind::Role]);
    assert_eq!(kinds("seq-shared"), [Kind::Withheld, Kind::LintCode]);
}

/// What a summary names says what it costs, and what to do about it.
#[test]
fn cautions_and_withheld_verdicts_say_what_to_do() {
    let cautions = CautionKind::ALL.iter().map(|it| (it.name(), Kind::Caution));
    let reasons = WithheldReason::ALL
        .iter()
        .map(|it| (it.name(), Kind::Withheld));
    for (name, kind) in cautions.chain(reasons) {
        for language in Language::ALL {
            let page = explain(name, language).unwrap();
            assert_eq!(page.entries[0].kind, kind, "{name}");
            for wanted in [Label::Weakens, Label::NextAction] {
                let wanted = label(language, wanted);
                let facts = &page.entries[0].facts;
                let fact = facts.iter().find(|fact| fact.label == wanted).unwrap();
                assert!(!fact.values.is_empty(), "{name}: {wanted}");
            }
            assert!(!page.entries[0].see_also.is_empty(), "{name}");
        }
        let listed = topics(Language::En);
        assert!(listed.iter().any(|it| it.name == name && it.kind == kind));
    }
}

#[test]
fn rows_are_named_once_and_cover_every_variant() {
    let mut ids: Vec<&str> = rows::all().map(|row| row.id).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    for block in Block::ALL {
        for row in block.rows() {
            assert!(
                row.id.starts_with(&format!("{}.", block.name())),
                "{}",
                row.id
            );
        }
    }
    for variant in Variant::ALL {
        assert!(rows::of(*variant).next().is_some(), "{variant} has no row");
    }
}

#[test]
fn undecided_rows_are_undecided_and_others_are_not() {
    for row in rows::all() {
        if let Verdict::Incident {
            variant,
            strength,
            candidates,
            ..
        } = row.verdict
        {
            let undecided = strength == Strength::Always(Status::Undecided);
            assert_eq!(undecided, variant.class() == Class::Undecided, "{}", row.id);
            assert!(undecided || candidates.is_empty(), "{}", row.id);
        }
    }
}

#[test]
fn samples_are_records_of_known_fields() {
    for variant in Variant::ALL {
        let sample = sample(*variant);
        assert_ne!(sample.example, sample.near_miss, "{variant}");
        for line in sample.example.iter().chain(sample.near_miss) {
            let record: serde_json::Map<String, serde_json::Value> =
                serde_json::from_str(line).unwrap();
            for name in record.keys() {
                assert!(Field::from_name(name).is_some(), "{variant}: {name}");
            }
            let result = record["result"].as_str().unwrap();
            let event = record.get("event").and_then(|event| event.as_str());
            let event = event.map(|event| Event::from_word(event).unwrap());
            assert!(Answer::from_word(result, event, true).is_ok(), "{line}");
        }
    }
}

#[test]
fn a_page_is_json_with_a_schema() {
    let page = explain("forked", Language::En).unwrap();
    let json = serde_json::to_value(&page).unwrap();
    assert_eq!(json["schema"], "lockdiag.explain/1");
    assert_eq!(json["entries"][0]["rows"][0]["id"], "write-late.forked");
    assert_eq!(json["entries"][0]["kind"], "variant");
    assert!(json["entries"][0]["nearMiss"]["note"].is_string());
}

#[test]
fn the_list_names_every_topic() {
    for language in Language::ALL {
        let topics = topics(language);
        let list = list(&topics, language);
        for topic in &topics {
            assert!(list.contains(&topic.name), "{}", topic.name);
        }
    }
}

#[test]
fn a_page_of_a_variant_reads_well() {
    insta::assert_snapshot!(text(
        &explain("write-refused", Language::En).unwrap(),
        Language::En
    ));
    insta::assert_snapshot!(text(
        &explain("removed-other-lease", Language::Ru).unwrap(),
        Language::Ru
    ));
}
