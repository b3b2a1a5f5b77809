use super::super::path::Path;
use super::super::plan::Plan;
use super::super::slot::{Kind, Slot};
use super::super::walk::Walk;
use super::Outline;
use proptest::prelude::*;

const PATHS: [&str; 12] = [
    "a",
    "b",
    "o.a",
    "o.p.b",
    "l[0].a",
    "l[2]",
    "b.@json.a",
    "o.b.@logfmt.a",
    "w",
    "w.a",
    "s[k=x].a",
    "l[1][0]",
];

fn plan(paths: &[&str]) -> (Plan, Vec<Slot>) {
    let (mut plan, mut next) = (Plan::new(), 0);
    for path in paths {
        plan.slot(&Path::parse(path).unwrap().steps, &mut next);
    }
    (plan, vec![Slot::default(); next])
}

/// What both walks make of a line; whether the outline was sure of it.
fn agree(outline: &mut Outline, plan: &Plan, slots: &[Slot], line: &str) -> bool {
    let (mut fast, mut slow) = (slots.to_vec(), slots.to_vec());
    let sure = outline.walk(plan, &mut fast, line).is_some();
    let walked = Walk::new(plan, &mut slow, line).whole(0);
    if sure {
        assert_eq!(walked, Ok(()), "{line}");
        assert_eq!(format!("{fast:?}"), format!("{slow:?}"), "{line}");
    }
    agree_in_a_text(outline, plan, slots, line, &slow);
    sure
}

fn told_text<'s>(slot: &'s Slot, text: &'s str) -> Option<std::borrow::Cow<'s, str>> {
    (slot.kind != Kind::Missing).then(|| slot.text(text))
}

/// What is known of a line is the same where other lines stand around it, and none of them is
/// taken for a part of it. `alone` is what the walk made of it.
fn agree_in_a_text(outline: &mut Outline, plan: &Plan, slots: &[Slot], line: &str, alone: &[Slot]) {
    for (before, behind) in [
        ("", ""),
        ("é\n", "\n"),
        ("", "\n}]"),
        ("{", "\r\n{\"a\":1}"),
    ] {
        let text = format!("{before}{line}{behind}");
        let mut found = slots.to_vec();
        let end = outline.walk_known(plan, &mut found, &text, before.len());
        let rest = end.map(|end| &text[end..]);
        if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['\n', '\r'])) {
            assert_eq!(end, Some(before.len() + line.trim_end().len()), "{text}");
            let told = |slots: &[Slot], text: &str| {
                let told = slots.iter();
                let told = told.map(|slot| {
                    format!("{:?} {} {:?}", slot.kind, slot.twice, told_text(slot, text))
                });
                told.collect::<Vec<_>>()
            };
            assert_eq!(told(&found, &text), told(alone, line), "{text}");
        }
    }
}

#[test]
fn known_lines_are_walked_where_they_stand() {
    let (plan, slots) = plan(&PATHS[..8]);
    let mut outline = Outline::default();
    let line = |n: usize| format!(r#"{{"a":"x{n}","o":{{"a":true}},"b":{n}}}"#);
    assert!(agree(&mut outline, &plan, &slots, &line(0)));
    let text = format!("{}\n{}\n{{\n\"a\":1}}\n", line(1), line(2));
    let len = line(1).len();
    for start in [0, len + 1] {
        let end = outline.walk_known(&plan, &mut slots.clone(), &text, start);
        assert_eq!(end, Some(start + len));
    }
    // A value of several lines is known as well, but it is no line.
    let several = "{\n\"a\":1}";
    for _ in 0..2 {
        assert!(agree(&mut outline, &plan, &slots, several));
    }
    let start = text.len() - several.len() - 1;
    assert_eq!(
        outline.walk_known(&plan, &mut slots.clone(), &text, start),
        None
    );
}

#[test]
fn common_lines_are_read_here() {
    let (plan, slots) = plan(&PATHS[..8]);
    let mut outline = Outline::default();
    for n in 0..400 {
        for line in [
            format!(r#"{{"a":"x{n}","x":{n},"o":{{"a":true,"p":{{"b":null}}}},"z":[]}}"#),
            format!(r#"{{"a": {n}, "l": [{{"a": "é"}}, [1, {n}], {n}.5e3, {{}}], "b": -1}} "#),
            format!("[{n},{{\"a\":1}}]\r"),
            r#"{"a":1,"a":2,"o":{"b":"x a=1 b"}}"#.to_owned(),
        ] {
            assert!(agree(&mut outline, &plan, &slots, &line), "{line}");
        }
    }
}

#[test]
fn doubtful_lines_are_left_to_the_walk() {
    let (plan, slots) = plan(&PATHS);
    let mut outline = Outline::default();
    let good = r#"{"a":1,"o":{"p":{"b":"x"}}}"#;
    for line in [
        "",
        "{",
        "{}}",
        r#"{"a":"\u0061"}"#,
        r#"{"a":1,"o":{"p":{"b":"x"}}"#,
        r#"{"a":1,"o":{"p":{"b":"x"}}},"#,
        r#"{"a":1,"o":{"p":{"b":"x}}}"#,
        r#"{"a":1,,"o":{"p":{"b":"x"}}}"#,
        r#"{"a":1,"o":{"p":{"b":nul}}}"#,
        r#"{"a":1 2}"#,
        "{\"a\":1}\u{c}",
        "{\"a\":1}\u{a0}",
        r#"{"w":{"a":1}}"#,
        r#"{"s":[{"k":"x","a":1}]}"#,
    ] {
        assert!(agree(&mut outline, &plan, &slots, good));
        assert!(!agree(&mut outline, &plan, &slots, line), "{line}");
    }
}

#[test]
fn lines_without_any_likeness_are_not_learned_for_ever() {
    let (plan, slots) = plan(&PATHS);
    let mut outline = Outline::default();
    for n in 0..3000u32 {
        let line = format!(
            "{{\"k{}\":1,\"k{n}\":[2,{{}}],\"a\":\"{n}\"}}",
            n.wrapping_mul(77)
        );
        let sure = agree(&mut outline, &plan, &slots, &line);
        assert!(sure || n > super::PATIENCE, "{line}");
    }
    assert!(outline.points.len() <= super::POINTS);
}

#[test]
fn one_line_of_many_may_have_an_order_of_its_own() {
    let (plan, slots) = plan(&PATHS);
    let mut outline = Outline::default();
    for n in 0..3000u32 {
        let line = match n % 5 {
            0 => format!(
                "{{\"k{n}\":[2,{{}}],\"o\":{{\"x\":\"y\",\"a\":{n}}},\"k{}\":1}}",
                n / 7
            ),
            _ => format!("{{\"a\":{n},\"o\":{{\"a\":null}}}}"),
        };
        assert!(agree(&mut outline, &plan, &slots, &line), "{line}");
    }
}

#[test]
fn a_log_full_of_doubts_is_not_tried_for_long() {
    let (plan, slots) = plan(&PATHS);
    let mut outline = Outline::default();
    for n in 0..3000u32 {
        let line = format!("{{\"k{n}\":\"\\n\",\"x{n}\":3}}");
        assert!(!agree(&mut outline, &plan, &slots, &line));
    }
    assert!(!agree(&mut outline, &plan, &slots, "{\"a\":1}"));
    assert!(outline.points.len() <= super::POINTS);
}

fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => "\"[a-cé =]{0,6}\"",
        3 => any::<i16>().prop_map(|n| n.to_string()),
        2 => prop::sample::select(vec![
            "true", "false", "null", "1.5e-3", "-", "00", "nul", "\"\\n\"", "\"", "", "[]", "{}",
            "\"{a}\"", "\"a=1 b=\"",
        ]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let space = || prop::sample::select(vec!["", "", "", " ", "\t"]);
        prop_oneof![
            2 => (prop::collection::vec((name(), inner.clone()), 0..4), space(), space()).prop_map(
                |(members, a, b)| {
                    let members: Vec<String> = members
                        .into_iter()
                        .map(|(name, value)| format!("\"{name}\"{a}:{b}{value}"))
                        .collect();
                    format!("{{{a}{}{b}}}", members.join(&format!(",{b}")))
                }
            ),
            1 => (prop::collection::vec(inner, 0..4), space())
                .prop_map(|(items, a)| format!("[{a}{}]", items.join(&format!("{a},")))),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "a",
        "b",
        "o",
        "p",
        "l",
        "w",
        "s",
        "k",
        "x",
        "y",
        "caf\\u00e9",
        "a name that is longer than what is compared at once",
    ])
    .prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn both_walks_find_the_same(
        lines in prop::collection::vec((value(), value()), 1..6),
        wanted in prop::collection::vec(prop::sample::select(PATHS.to_vec()), 0..8),
        end in prop::sample::select(vec!["", "", "", " ", "}", ",", "]", "\r"]),
    ) {
        let (plan, slots) = plan(&wanted);
        let mut outline = Outline::default();
        let lines: Vec<String> = lines
            .iter()
            .map(|(a, o)| format!("{{\"a\":{a},\"o\":{o}}}{end}"))
            .collect();
        // Twice: what was learned from the lines changes nothing.
        for line in lines.iter().chain(&lines) {
            agree(&mut outline, &plan, &slots, line);
        }
    }

    #[test]
    fn a_damaged_line_is_judged_by_the_walk(
        damages in prop::collection::vec((any::<prop::sample::Index>(), any::<char>(), any::<bool>()), 0..3),
    ) {
        let good = r#"{"a":"x","o":{"p":{"b":null},"a":17},"l":[{"a":1},[2],3],"b":"a=1"}"#;
        let (plan, slots) = plan(&PATHS[..8]);
        let mut outline = Outline::default();
        prop_assert!(agree(&mut outline, &plan, &slots, good));
        let mut line: Vec<char> = good.chars().collect();
        for (at, char, insert) in damages {
            let at = at.index(line.len());
            if insert {
                line.insert(at, char);
            } else {
                line[at] = char;
            }
        }
        agree(&mut outline, &plan, &slots, &line.into_iter().collect::<String>());
    }
}
