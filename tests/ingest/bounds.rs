//! What is longer than a line may be.

use super::support::{GOOD, run_in_steps};

#[test]
fn a_line_beyond_the_limit_is_one_reject_and_the_rest_is_read() {
    let long = "x".repeat(5000);
    for line in [
        long.clone(),
        format!("{{\"lockName\":\"{long}\",\"event\":\"write\"}}"),
        format!("{{\"lockName\":\"{long}"),
        format!("[{{\"lockName\":\"{long}\"}},{{\"lockName\":\"lost\"}}]"),
        format!("{{\"lockName\":\"a\"}} {long}"),
    ] {
        let input = format!("{GOOD}\n{line}\n{GOOD}\n");
        for step in [7, 64, 100_000] {
            let (log, counts) = run_in_steps(input.as_bytes(), step, 1000);
            assert_eq!(log.locks, ["good", "good"], "{}", log.text);
            assert!(log.text.contains("longer than the limit of 1000 bytes"));
            let raw: Vec<u8> = log.raw.concat();
            let line = line.strip_prefix('[').unwrap_or(&line);
            assert_eq!(String::from_utf8_lossy(&raw), format!("{line}\n"));
            assert_eq!(counts.total.rejected, 1 + u64::from(input.contains('[')));
        }
    }
}
