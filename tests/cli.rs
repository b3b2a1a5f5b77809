//! Transcripts of the command line: what a user types, and what comes back.

#[test]
fn transcripts() {
    trycmd::TestCases::new()
        .env("LC_ALL", "C")
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .case("tests/cli/*.trycmd");
}
