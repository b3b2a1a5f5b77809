//! The examples of the README are real: each command is run, and prints what is shown.

#[test]
fn the_readme_is_true() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C")
        .case("README.md");
}
