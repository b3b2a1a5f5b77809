//! Lines of CSV and TSV: cells, quotes, and records that go on over several lines.

use std::borrow::Cow;
use std::ops::Range;

use crate::ingest::rows::{Row, Sign};
use crate::ingest::{Problem, ProblemKind};

/// Where the quoted cell begins inside which the row ends. A row that goes on over several
/// lines is whole, so it ends so only where the input does.
pub(crate) fn open_quote(line: &str, delimiter: u8) -> Option<usize> {
    let bytes = line.as_bytes();
    memchr::memchr(b'"', bytes)?;
    let mut row = Row::new(delimiter);
    let (mut at, mut quote) = (0, 0);
    while let Some((found, sign)) = row.next(bytes, at) {
        if sign == Sign::Open {
            quote = found;
        }
        at = found + 1;
    }
    row.is_open().then_some(quote)
}

/// What is wrong with a row in which no quote follows that one.
pub(crate) fn never_closed(quote: usize) -> Problem {
    Problem {
        kind: ProblemKind::Unreadable,
        field: None,
        span: quote..quote + 1,
        message: "the input ends inside a quoted cell".to_owned(),
        hint: "close the quote; if the last row was cut off, fetch the file again".to_owned(),
    }
}

/// Calls `each` with the number, the place and the text of every cell. Quotes in a quoted
/// cell are doubled; blanks around one that is not quoted only align it.
pub(crate) fn cells<'t>(
    line: &'t str,
    delimiter: u8,
    mut each: impl FnMut(usize, Range<usize>, Cow<'t, str>),
) {
    let bytes = line.as_bytes();
    let mut row = Row::new(delimiter);
    let (mut at, mut number) = (0, 0);
    loop {
        let mut start = at;
        // Where the cell was closed, and whether quotes in it are doubled.
        let (mut close, mut doubled, mut quoted) = (None, false, false);
        let next = loop {
            let Some((found, sign)) = row.next(bytes, at) else {
                break None;
            };
            at = found + 1;
            match sign {
                Sign::Open => (start, quoted) = (at, true),
                Sign::Quote => close = Some(found),
                Sign::Doubled => (close, doubled) = (None, true),
                Sign::Delimiter => break Some(found),
                Sign::LineEnd => {}
            }
        };
        let mut end = close.or(next).unwrap_or(bytes.len());
        let mut raw = line.get(start..end).unwrap_or_default();
        if !quoted {
            let aligned = raw.len();
            raw = raw.trim_start_matches(BLANKS);
            start += aligned - raw.len();
            raw = raw.trim_end_matches(BLANKS);
            end = start + raw.len();
        }
        let text = if doubled {
            Cow::Owned(raw.replace("\"\"", "\""))
        } else {
            Cow::Borrowed(raw)
        };
        each(number, start..end, text);
        if next.is_none() {
            return;
        }
        number += 1;
    }
}

const BLANKS: [char; 2] = [' ', '\t'];

/// Whether a line only frames a table that was printed for people: a rule under its head, as
/// `----+----` or `|---|:--:|`, or how many rows there were, as `(3 rows)`.
pub(crate) fn is_frame(line: &str) -> bool {
    let line = line.trim();
    let rule = line.contains("--") && line.bytes().all(|b| b"-+|:= \t".contains(&b));
    let count = line
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let count = count.and_then(|count| count.split_once(' '));
    let counts = |(count, rows): (&str, &str)| {
        !count.is_empty()
            && count.bytes().all(|b| b.is_ascii_digit())
            && rows.chars().all(char::is_alphabetic)
    };
    rule || count.is_some_and(counts)
}

/// The columns of a PostgreSQL `csvlog`, as its manual lists them. Older servers leave
/// out the last ones.
pub(crate) const POSTGRES: [&str; 26] = [
    "log_time",
    "user_name",
    "database_name",
    "process_id",
    "connection_from",
    "session_id",
    "session_line_num",
    "command_tag",
    "session_start_time",
    "virtual_transaction_id",
    "transaction_id",
    "error_severity",
    "sql_state_code",
    "message",
    "detail",
    "hint",
    "internal_query",
    "internal_query_pos",
    "context",
    "query",
    "query_pos",
    "location",
    "application_name",
    "backend_type",
    "leader_pid",
    "query_id",
];

#[cfg(test)]
mod tests {
    fn cells(line: &str) -> Vec<String> {
        let mut found = Vec::new();
        super::cells(line, b',', |_, _, text| found.push(text.into_owned()));
        found
    }

    #[test]
    fn quotes_commas_and_empty_cells() {
        assert_eq!(cells("a,\"b,\"\"c\"\"\",,d"), ["a", "b,\"c\"", "", "d"]);
        assert_eq!(cells("a,"), ["a", ""]);
        assert_eq!(cells(""), [""]);
        assert_eq!(cells("\"open, never closed"), ["open, never closed"]);
    }

    #[test]
    fn a_quote_opens_a_cell_only_at_its_begin() {
        let open_quote = |line| super::open_quote(line, b',');
        assert_eq!(open_quote("a,\"b"), Some(2));
        assert_eq!(open_quote("\"a\",\"b\nc"), Some(4));
        assert_eq!(open_quote("a,\"b\"\""), Some(2));
        assert_eq!(open_quote("a,\"b \"\"c\"\" d\""), None);
        assert_eq!(open_quote("a,5\" disk,\"b\"\"\"c\""), None);
        assert_eq!(
            cells("5\" disk, \"a\",\"b\"c\",\"d\""),
            ["5\" disk", "\"a\"", "b", "d"]
        );
    }

    #[test]
    fn blanks_around_a_cell_only_align_it() {
        assert_eq!(cells(" a b ,\t1 ,  ,\" x \""), ["a b", "1", "", " x "]);
        let mut places = Vec::new();
        super::cells(" a ,  ", b',', |_, place, _| places.push(place));
        assert_eq!(places, [1..2, 6..6]);
    }

    #[test]
    fn what_only_frames_a_table() {
        for line in [
            "----+---",
            "+----+---+",
            "|---|:--:|",
            "-----",
            "=====--",
            "(3 rows)",
            "(1 row)",
        ] {
            assert!(super::is_frame(line), "{line}");
        }
        for line in [
            "-|-|-",
            "",
            "a--b",
            "(3 rows",
            "(rows)",
            "(a) x",
            "-",
            "(3 rows) x",
        ] {
            assert!(!super::is_frame(line), "{line}");
        }
    }
}
