//! docs/diagnosis.md and docs/evidence.md hold every class, variant, row, field and word
//! of the program. `UPDATE_DOCS=1 cargo test --test docs` writes the tables anew.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use lockdiag::evidence::answer::SYNONYMS;
use lockdiag::evidence::{Answer, Event, Field, Origin};
use lockdiag::explain::rows::{self, Block, Row, Strength, Verdict};
use lockdiag::incident::catalogue::{self, Language, Term};
use lockdiag::incident::{
    Assumption, CautionKind, Class, Outcome, Status, Variant, WithheldReason,
};

const EN: Language = Language::En;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("docs")
        .join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap()
}

/// A Markdown table. `|` in a cell would end it.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut out = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        assert_eq!(row.len(), head.len(), "{row:?}");
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn codes<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let all: Vec<String> = names.into_iter().map(code).collect();
    all.join(", ")
}

fn terms<'a>(head: &str, all: impl IntoIterator<Item = (&'a str, Term)>) -> String {
    table(
        &[head, "means"],
        all.into_iter()
            .map(|(name, term)| vec![code(name), term.meaning.to_owned()]),
    )
}

fn row(row: &Row) -> Vec<String> {
    let case = code(row.id);
    let when = row.when.get(EN).to_owned();
    match row.verdict {
        Verdict::Incident {
            variant,
            strength,
            outcome,
            assumes,
            missing,
            candidates,
        } => {
            let mut notes = Vec::new();
            if !assumes.is_empty() {
                let names = codes(assumes.iter().map(|it| it.name()));
                notes.push(format!("assumes {names}"));
            }
            if !missing.is_empty() {
                let names = codes(missing.iter().map(|it| it.name()));
                notes.push(format!("missing {names}"));
            }
            if !candidates.is_empty() {
                let names: Vec<&str> = candidates.iter().map(|it| it.name()).collect();
                notes.push(format!("candidates {}", names.join(", ")));
            }
            let status = match strength {
                Strength::Always(status) => status.name().to_owned(),
                Strength::ByOrder => "proven / suspected".to_owned(),
            };
            vec![
                when,
                format!("{} / `{variant}`", variant.class()),
                status,
                outcome.name().to_owned(),
                notes.join("; "),
                case,
            ]
        }
        Verdict::Nothing => vec![
            when,
            "no incident".to_owned(),
            String::new(),
            String::new(),
            String::new(),
            case,
        ],
        Verdict::Elsewhere(said) => vec![
            when,
            said.get(EN).to_owned(),
            String::new(),
            String::new(),
            String::new(),
            case,
        ],
    }
}

fn synonym(word: &str) -> Vec<String> {
    let by_event: Vec<(Event, Answer)> = Event::ALL
        .into_iter()
        .filter_map(|event| Some((event, Answer::from_word(word, Some(event), true).ok()?)))
        .collect();
    let means = match by_event.as_slice() {
        [(_, first), .., (_, last)] if first == last => code(first.word()),
        all => {
            let one = |(event, answer): &(Event, Answer)| {
                format!("{}: `{}`", event.word(), answer.word())
            };
            all.iter().map(one).collect::<Vec<_>>().join("; ")
        }
    };
    vec![code(word), means]
}

fn results() -> String {
    table(
        &["result", "of", "means"],
        Answer::ALL.into_iter().map(|answer| {
            vec![
                code(answer.word()),
                answer.event().map_or("any", Event::word).to_owned(),
                catalogue::answer(EN, answer).meaning.to_owned(),
            ]
        }),
    )
}

fn fields() -> String {
    table(
        &["field", "also", "means"],
        Field::ALL.into_iter().map(|field| {
            let mut also = Vec::new();
            if field.snake_name() != field.name() {
                also.push(field.snake_name());
            }
            also.extend(field.other_names());
            vec![
                code(field.name()),
                codes(also),
                catalogue::field(EN, field).to_owned(),
            ]
        }),
    )
}

/// Every generated part of a document, by the name in its markers.
fn parts() -> BTreeMap<String, String> {
    let mut parts = BTreeMap::new();
    let mut put = |name: &str, text: String| {
        parts.insert(name.to_owned(), text);
    };
    let class = |class: Class| {
        let words = catalogue::class_entry(EN, class);
        vec![
            code(class.name()),
            words.observation.to_owned(),
            words.boundary.to_owned(),
            words.check.join(" "),
            words.next_action.to_owned(),
        ]
    };
    put(
        "classes",
        table(
            &[
                "class",
                "observation",
                "likely boundary",
                "check",
                "next action",
            ],
            Class::ALL.into_iter().map(class),
        ),
    );
    put(
        "statuses",
        terms(
            "status",
            Status::ALL.map(|it| (it.name(), catalogue::status(EN, it))),
        ),
    );
    put(
        "outcomes",
        terms(
            "outcome",
            Outcome::ALL.map(|it| (it.name(), catalogue::outcome(EN, it))),
        ),
    );
    put(
        "assumptions",
        table(
            &["assumption", "takes on trust that", "why it matters"],
            Assumption::ALL.into_iter().map(|it| {
                let term = catalogue::assumption(EN, it);
                vec![
                    code(it.name()),
                    term.name.to_owned(),
                    term.meaning.to_owned(),
                ]
            }),
        ),
    );
    put(
        "subjects",
        table(
            &["variant", "in short", "one incident for each"],
            Variant::ALL.iter().map(|it| {
                vec![
                    format!("{} / `{it}`", it.class()),
                    catalogue::entry(EN, *it).title.to_owned(),
                    rows::subject(*it).get(EN).to_owned(),
                ]
            }),
        ),
    );
    for block in Block::ALL {
        put(
            &format!("rows {}", block.name()),
            table(
                &[
                    "when",
                    "class / variant",
                    "status",
                    "outcome",
                    "and",
                    "case",
                ],
                block.rows().iter().map(row),
            ),
        );
    }
    let limits = catalogue::limits(EN)
        .iter()
        .map(|limit| format!("- {limit}\n"));
    put("limits", limits.collect());
    put(
        "coverage",
        table(
            &["question", "does the token cover it?", "what does"],
            catalogue::coverage(EN).iter().map(|it| {
                [it.question, it.covered, it.what_does]
                    .map(str::to_owned)
                    .to_vec()
            }),
        ),
    );
    put("fields", fields());
    put(
        "marks",
        format!("{}\n", codes(Field::MARKS.map(Field::name))),
    );
    put(
        "missing",
        table(
            &["field", "recording it"],
            Field::ALL
                .into_iter()
                .map(|it| vec![code(it.name()), catalogue::missing(EN, it).to_owned()]),
        ),
    );
    put(
        "origins",
        terms(
            "seqBy",
            Origin::ALL.map(|it| (it.word(), catalogue::origin(EN, it))),
        ),
    );
    put(
        "events",
        terms(
            "event",
            Event::ALL.map(|it| (it.word(), catalogue::event(EN, it))),
        ),
    );
    put("results", results());
    put(
        "synonyms",
        table(
            &["word", "stands for"],
            SYNONYMS
                .into_iter()
                .filter(|word| {
                    *word == "accepted" || Answer::ALL.iter().all(|it| it.word() != *word)
                })
                .map(synonym),
        ),
    );
    put(
        "withheld",
        terms(
            "reason",
            WithheldReason::ALL
                .iter()
                .map(|it| (it.name(), catalogue::withheld_reason(EN, *it))),
        ),
    );
    put(
        "cautions",
        terms(
            "caution",
            CautionKind::ALL
                .iter()
                .map(|it| (it.name(), catalogue::caution_kind(EN, *it))),
        ),
    );
    parts
}

/// The document with every generated part made anew, and the names of those parts.
fn renewed(document: &str, parts: &BTreeMap<String, String>) -> (String, Vec<String>) {
    let mut out = String::new();
    let mut used = Vec::new();
    let mut rest = document;
    while let Some((before, after)) = rest.split_once("<!-- begin: ") {
        let (name, after) = after.split_once(" -->\n").unwrap();
        let end = format!("<!-- end: {name} -->");
        let (_, after) = after.split_once(&end).unwrap_or_else(|| panic!("no {end}"));
        let made = parts
            .get(name)
            .unwrap_or_else(|| panic!("nothing is called {name:?}"));
        let _ = write!(out, "{before}<!-- begin: {name} -->\n{made}{end}");
        used.push(name.to_owned());
        rest = after;
    }
    out.push_str(rest);
    (out, used)
}

#[test]
fn the_tables_are_those_of_the_program() {
    let parts = parts();
    let mut used = Vec::new();
    for name in ["diagnosis.md", "evidence.md"] {
        let document = read(name);
        let (made, names) = renewed(&document, &parts);
        used.extend(names);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(path(name), &made).unwrap();
        } else {
            assert!(
                made == document,
                "docs/{name} differs from the program: run UPDATE_DOCS=1 cargo test --test docs"
            );
        }
    }
    used.sort();
    let all: Vec<String> = parts.into_keys().collect();
    assert_eq!(used, all, "every table stands in one document, once");
}

/// The first cell of every table row of a document.
fn rows_of(document: &str, column: usize) -> Vec<String> {
    document
        .lines()
        .filter_map(|line| line.strip_prefix("| "))
        .filter_map(|line| line.split(" | ").nth(column).map(str::to_owned))
        .collect()
}

#[test]
fn everything_that_has_a_name_has_its_row() {
    let parts = parts();
    let [diagnosis, evidence] =
        ["diagnosis.md", "evidence.md"].map(|name| renewed(&read(name), &parts).0);
    let first = |document: &str, name: &str| {
        let wanted = code(name);
        rows_of(document, 0).contains(&wanted)
    };
    for class in Class::ALL {
        assert!(first(&diagnosis, class.name()), "{class}");
    }
    for status in Status::ALL {
        assert!(first(&diagnosis, status.name()), "{status:?}");
    }
    for outcome in Outcome::ALL {
        assert!(first(&diagnosis, outcome.name()), "{outcome:?}");
    }
    for assumption in Assumption::ALL {
        assert!(first(&diagnosis, assumption.name()), "{assumption:?}");
    }
    let said = rows_of(&diagnosis, 1);
    for variant in Variant::ALL {
        let wanted = format!("{} / `{variant}`", variant.class());
        assert!(said.contains(&wanted), "{wanted} has no row");
    }
    for row in rows::all() {
        assert!(
            diagnosis.contains(&format!("| `{}` |", row.id)),
            "{}",
            row.id
        );
    }
    let also = rows_of(&evidence, 1);
    for field in Field::ALL {
        assert!(first(&evidence, field.name()), "{field}");
        let spelled = field.snake_name() == field.name()
            || also
                .iter()
                .any(|cell| cell.contains(&code(field.snake_name())));
        assert!(spelled, "{}", field.snake_name());
    }
    for event in Event::ALL {
        assert!(first(&evidence, event.word()), "{event:?}");
    }
    for answer in Answer::ALL {
        assert!(first(&evidence, answer.word()), "{answer:?}");
    }
    for word in SYNONYMS {
        assert!(first(&evidence, word), "{word}");
    }
}
