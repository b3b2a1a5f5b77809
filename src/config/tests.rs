use super::Config;
use crate::evidence::{Event, Field};
use crate::lint::code::{Code, Severity};
use crate::lint::profile::Profile;
use crate::lint::settings::{Date, Settings};

fn settings(text: &str) -> Settings {
    let mut settings = Settings::default();
    Config::parse(text)
        .and_then(|config| config.lint("lockdiag.toml", text, &mut settings))
        .unwrap();
    settings
}

fn error(text: &str) -> super::ConfigError {
    let mut settings = Settings::default();
    Config::parse(text)
        .and_then(|config| config.lint("lockdiag.toml", text, &mut settings))
        .unwrap_err()
}

#[test]
fn everything_that_can_be_said_is_understood() {
    let text = r#"
[lint]
profile = { write = ["fenceToken", "operation_id"], release = ["leaseId"] }

[lint.severity]
LD203 = "off"
names-alike = "error"

[[lint.ignore]]
code = "LD605"
lock = "acct:*"
field = "lockName"
reason = "both spellings are one customer"
until = 2027-01-31
"#;
    let settings = settings(text);
    assert_eq!(settings.severity(Code::FieldUseful), None);
    assert_eq!(settings.severity(Code::NamesAlike), Some(Severity::Error));
    let Profile::Own(own) = &settings.profile else {
        panic!("{:?}", settings.profile);
    };
    let write = own.iter().find(|(event, _)| *event == Event::Write);
    assert_eq!(write.unwrap().1, [Field::FenceToken, Field::OperationId]);
    let ignore = &settings.ignores[0];
    assert_eq!((ignore.line, ignore.until), (9, Date::parse("2027-01-31")));
    let covers = |lock, field| ignore.covers(Code::NamesAlike, Some(lock), Some(field));
    assert!(covers("acct:42", Field::LockName));
    assert!(!covers("order:9", Field::LockName) && !covers("acct:42", Field::ResourceKey));
    assert!(!ignore.is_expired(Date::parse("2027-01-31")));
    assert!(ignore.is_expired(Date::parse("2027-02-01")));
    assert!(!ignore.is_expired(None));
}

#[test]
fn built_in_profiles_go_by_name() {
    let profile = |name: &str| settings(&format!("[lint]\nprofile = \"{name}\"")).profile;
    assert_eq!(profile("minimal"), Profile::Minimal);
    assert_eq!(profile("proof"), Profile::Proof);
}

#[test]
fn a_wrong_name_is_placed_and_put_right() {
    let cases = [
        ("[lnt]\n", 1, 2, Some("lint")),
        ("[lint]\nprofil = \"proof\"", 2, 1, Some("profile")),
        ("[lint.severity]\nLD61 = \"off\"", 2, 1, Some("LD601")),
        ("[lint.severity]\nLD601 = \"of\"", 2, 9, Some("off")),
        (
            "[[lint.ignore]]\ncode = \"names-alik\"\nreason = \"x\"",
            2,
            8,
            Some("names-alike"),
        ),
        (
            "[lint]\nprofile = { write = [\"fenceTokn\"] }",
            2,
            22,
            Some("fenceToken"),
        ),
        (
            "[[lint.ignore]]\ncode = \"LD605\"\nreason = \" \"",
            3,
            10,
            None,
        ),
        (
            "[[lint.ignore]]\ncode = \"LD605\"\nreason = \"x\"\nuntil = 12:00:00",
            4,
            9,
            None,
        ),
        (
            "[[lint.ignore]]\ncode = \"LD605\"\nreason = \"x\"\nlock = \"a[\"",
            4,
            8,
            None,
        ),
    ];
    for (text, line, column, meant) in cases {
        let error = error(text);
        assert_eq!((error.line, error.column), (line, column), "{text}");
        let hint = error.hint.unwrap_or_default();
        match meant {
            Some(word) => assert_eq!(hint, format!("did you mean `{word}`?"), "{text}"),
            None => assert!(!hint.starts_with("did you mean"), "{text}: {hint}"),
        }
    }
}

#[test]
fn what_is_missing_is_placed_and_said() {
    for (text, line, hint) in [
        ("[[lint.ignore]]\ncode = \"LD605\"", 1, "reason = "),
        ("[lint]\n\n[[lint.ignore]]\nreason = \"x\"", 3, "code = "),
        (
            "[[lint.ignore]]\ncode = \"LD605\"\nreason = \"\"",
            3,
            "say why",
        ),
        (
            "[[lint.ignore]]\ncode = \"LD605\"\nreason = \"x\"\nuntil = 12:00:00",
            4,
            "2027-01-31",
        ),
    ] {
        let error = error(text);
        assert_eq!(error.line, line, "{text}");
        let said = error.hint.unwrap_or_default();
        assert!(said.contains(hint), "{text}: {said}");
    }
}

#[test]
fn a_mapping_or_a_preset_is_one_way_to_read() {
    let input = |text: &str| Config::parse(text).and_then(|config| config.input(text));
    assert_eq!(input("[lint]"), Ok(None));
    let map = input("[input]\nmap = \"service.toml\"");
    assert_eq!(
        map,
        Ok(Some(super::MappedBy::File("service.toml".to_owned())))
    );
    let first = crate::ingest::mapping::Preset::ALL[0];
    let preset = input(&format!("[input]\npreset = \"{}\"", first.name()));
    assert_eq!(preset, Ok(Some(super::MappedBy::Preset(first))));
    let both = input("[input]\nmap = \"a\"\npreset = \"b\"").unwrap_err();
    assert_eq!((both.line, both.column), (3, 10));
    let near = input(&format!("[input]\npreset = \"{}x\"", first.name())).unwrap_err();
    assert!(near.hint.unwrap().contains(first.name()));
}
