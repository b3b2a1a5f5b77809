//! Dates and times before a sentence: other lines have others, and other months.

use std::sync::LazyLock;

use regex::Regex;

/// One date and time in parts that spaces separate: `May  1 10:00:00`, `Tue, 01 May 2024
/// 10:00:00 GMT`, `10:00:00 AM`. A month may be of any language where a day and a time follow.
const STAMP: &str = r"(?xi) ^ \s*
    (?: (?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6} [.,]? \s+ )?
    (?:
        [0-9/.-]+ [,.]? \s+ [\p{L}]{3,9} [.,]? \s+ (?: \d{4} [,]? \s+ )? \d{1,2}:\d{2} [\d:.,]*
      | [\p{L}]{3,9} [.,]? \s+ \d{1,2} (?:st|nd|rd|th)? [,]? \s+ (?: \d{4} [,]? \s+ )? \d{1,2}:\d{2} [\d:.,]*
      | (?: [0-9/.-]+ [,.]? \s+ )? \d{1,2}:\d{2} [\d:.,]*
    )
    (?: \s* (?:am|pm|a\.m\.|p\.m\.) )?
    (?: \s* (?: Z | [+-]\d{2}:?\d{2} | (?-i:[A-Z]{3,5}) (?:[+-]\d{1,4})? ) \b )?
    (?: \s+ \d{4} )?
    (?: \s+ | $ )";

/// The host and the program of a line of syslog.
const TAG: &str = r"^(?:\S+ )?[\w./-]+\[\d+\]: ";

static PATTERNS: LazyLock<Option<(Regex, Regex)>> =
    LazyLock::new(|| Some((Regex::new(STAMP).ok()?, Regex::new(TAG).ok()?)));

/// Where the date and the time at the beginning of a text end, and the name of the program behind
/// them; 0 where there is none.
pub(super) fn end(text: &str) -> usize {
    let Some((stamp, tag)) = PATTERNS.as_ref() else {
        return 0;
    };
    let Some(at) = stamp.find(text).map(|found| found.end()) else {
        return 0;
    };
    let rest = text.get(at..).unwrap_or_default();
    at + tag.find(rest).map_or(0, |found| found.end())
}

#[cfg(test)]
mod tests {
    use super::end;

    #[test]
    fn a_date_and_a_time_are_one() {
        for stamp in [
            "May  1 10:00:00 ",
            "Jan 02 10:00:00.123 ",
            "May 1, 2024 10:00:00 AM ",
            "Tue May  1 10:00:00 UTC 2024 ",
            "Tue, 01 May 2024 10:00:00 GMT ",
            "01 mai 2024 10:00:00 ",
            "10:00:00 ",
            "10:00:00 PM ",
            "5/1/2024 1:00:00 p.m. ",
            "2024-05-01 10:00:00,123 +0200 ",
            "2024-05-01 10:00:00 CEST ",
            "Sep 30 23:59:59 alpha backupd[811]: ",
        ] {
            let line = format!("{stamp}lock a-1 acquired");
            assert_eq!(end(&line), stamp.len(), "{line}");
        }
        for line in [
            "May lock a-1 be acquired",
            "lock a-1 acquired at 10:00:00",
            "March 7 lock a-1",
            "10:00:00",
        ] {
            let whole = line == "10:00:00";
            assert_eq!(end(line), if whole { line.len() } else { 0 }, "{line}");
        }
    }
}
