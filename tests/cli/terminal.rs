//! What the user meets around the results: language, colours, help, shells.

use std::fs;

use super::{STORY, lockdiag, piped, run, text};

#[test]
fn the_locale_and_the_option_choose_the_language() {
    let said = |arguments: &[&str], locale: &str| {
        let output = lockdiag(arguments).env("LC_ALL", locale).output().unwrap();
        text(&output.stdout)
    };
    let english = said(&["explain", "guarded"], "C");
    let russian = said(&["explain", "guarded"], "ru_RU.UTF-8");
    assert_ne!(english, russian);
    assert_eq!(said(&["explain", "guarded"], "de_DE.UTF-8"), english);
    assert_eq!(said(&["explain", "guarded", "--lang", "ru"], "C"), russian);
    assert_eq!(
        said(&["explain", "guarded", "--lang", "en"], "ru_RU.UTF-8"),
        english
    );
}

#[test]
fn colour_obeys_the_user() {
    let colored = |arguments: &[&str], variable: Option<&str>| {
        let mut command = lockdiag(arguments);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        if let Some(name) = variable {
            command.env(name, "1");
        }
        text(&command.output().unwrap().stdout).contains('\u{1b}')
    };
    let auto = ["classify", STORY];
    assert!(!colored(&auto, None));
    assert!(colored(&auto, Some("CLICOLOR_FORCE")));
    assert!(colored(
        &["classify", STORY, "--color", "always"],
        Some("NO_COLOR")
    ));
    assert!(!colored(
        &["classify", STORY, "--color", "never"],
        Some("CLICOLOR_FORCE")
    ));
    assert!(!colored(
        &["classify", STORY, "--format", "json", "--color", "always"],
        None
    ));
}

#[test]
fn shells_and_man_are_served() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = run(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).contains("fail-on"), "{shell}");
    }
    for (arguments, title) in [
        (vec!["man"], "lockdiag"),
        (vec!["man", "classify"], "lockdiag-classify"),
    ] {
        let page = text(&run(&arguments).stdout);
        assert!(page.contains(&format!(".TH {title} ")), "{page}");
    }
}

#[test]
fn help_and_version_are_written_or_told() {
    for arguments in [
        &["--help"][..],
        &["classify", "--help"],
        &["--version"],
        &["help", "map"],
    ] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = lockdiag(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let stderr = text(&output.stderr);
        assert!(stderr.starts_with("error: standard output: "), "{stderr}");
        let mut child = piped(arguments);
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        // What fits into the pipe may have been written before it was closed.
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
fn help_and_wrong_usage_have_the_colours_that_were_asked_for() {
    for (arguments, color, expected) in [
        (&["--help"][..], "always", true),
        (&["lint", "--help"], "always", true),
        (&["lint", "--help"], "never", false),
        (&["classify", "--folow"], "always", true),
        (&["classify", "--folow"], "never", false),
        (&["map"], "always", true),
    ] {
        let output = lockdiag(arguments)
            .args(["--color", color])
            .env_remove("NO_COLOR")
            .env("CLICOLOR_FORCE", "1")
            .output()
            .unwrap();
        let both = [output.stdout, output.stderr].concat();
        assert_eq!(both.contains(&b'\x1b'), expected, "{arguments:?} {color}");
    }
    let output = lockdiag(&["--help"])
        .env_remove("NO_COLOR")
        .env("CLICOLOR_FORCE", "0")
        .output()
        .unwrap();
    assert!(!output.stdout.contains(&b'\x1b'));
}

#[test]
fn every_preset_is_explained() {
    for entry in fs::read_dir("tests/mapping/systems").unwrap() {
        let path = entry.unwrap().path().display().to_string();
        let preset = path.split('.').nth(1).unwrap();
        let output = run(&["map", "explain", "--preset", preset, "--first", "0", &path]);
        let classified = run(&["classify", "--format", "json", "--preset", preset, &path]);
        assert_eq!(output.status.code(), classified.status.code(), "{path}");
        let shown = text(&output.stdout);
        let told = |label: &str| -> Option<u64> {
            let line = shown
                .lines()
                .find_map(|line| line.trim().strip_prefix(label));
            let number = line.and_then(|rest| rest.split_whitespace().next());
            number.map(|number| number.parse().unwrap())
        };
        let number = |label: &str| told(label).unwrap_or_else(|| panic!("{path}: {shown}"));
        let records = number("evidence records:");
        if let Ok(document) = serde_json::from_slice::<serde_json::Value>(&classified.stdout) {
            let summary = &document["summary"];
            assert_eq!(summary["records"], records, "{path}");
            // Of a line that is read all the same only a value is rejected.
            let complaints = text(&classified.stderr);
            let used = complaints.lines().filter(|line| line.starts_with("  ⚠"));
            let rejected = number("could not be read:") + used.count() as u64;
            assert_eq!(summary["rejectedLines"], rejected, "{path}");
        } else {
            assert_eq!(records, 0, "{path}");
        }
        // No more values than there are results.
        let unfit = told("fits no shape:").unwrap_or(0);
        let rest = number("other lines:") + number("could not be read:") + unfit;
        assert!(number("In all") <= records + rest + 1, "{path}: {shown}");
    }
}
