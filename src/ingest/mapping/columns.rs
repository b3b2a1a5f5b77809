//! Lines of CSV and TSV: cells, quotes, and records that go on over several lines.

use std::borrow::Cow;
use std::ops::Range;

use crate::ingest::{Problem, ProblemKind};

/// Where the quoted cell begins inside which the row ends. A row that goes on over several
/// lines is whole, so it ends so only where the input does.
pub(crate) fn open_quote(row: &str) -> Option<usize> {
    let quotes = memchr::memchr_iter(b'"', row.as_bytes());
    let (count, last) = quotes.fold((0, None), |(count, _), at| (count + 1, Some(at)));
    last.filter(|_| count % 2 == 1)
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

/// Calls `each` with the number, the place, the text of every cell, and whether it was
/// quoted. Quotes in a quoted cell are doubled.
pub(crate) fn cells<'t>(
    line: &'t str,
    delimiter: u8,
    mut each: impl FnMut(usize, Range<usize>, Cow<'t, str>),
) {
    let bytes = line.as_bytes();
    let mut at = 0;
    let mut number = 0;
    loop {
        if bytes.get(at) == Some(&b'"') {
            let start = at + 1;
            let mut end = start;
            let mut doubled = false;
            loop {
                match memchr::memchr(b'"', bytes.get(end..).unwrap_or_default()) {
                    None => {
                        end = bytes.len();
                        break;
                    }
                    Some(found) if bytes.get(end + found + 1) == Some(&b'"') => {
                        doubled = true;
                        end += found + 2;
                    }
                    Some(found) => {
                        end += found;
                        break;
                    }
                }
            }
            let raw = line.get(start..end).unwrap_or_default();
            let text = if doubled {
                Cow::Owned(raw.replace("\"\"", "\""))
            } else {
                Cow::Borrowed(raw)
            };
            each(number, start..end, text);
            at = (end + 1).min(bytes.len());
            // What follows a closing quote up to the delimiter belongs to no cell.
            at += memchr::memchr(delimiter, &bytes[at..]).unwrap_or(bytes.len() - at);
        } else {
            let end = at + memchr::memchr(delimiter, &bytes[at..]).unwrap_or(bytes.len() - at);
            each(
                number,
                at..end,
                Cow::Borrowed(line.get(at..end).unwrap_or_default()),
            );
            at = end;
        }
        if at >= bytes.len() {
            return;
        }
        at += 1;
        number += 1;
    }
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
    fn an_odd_number_of_quotes_is_an_open_cell() {
        assert_eq!(super::open_quote("a,\"b"), Some(2));
        assert_eq!(super::open_quote("\"a\",\"b\nc"), Some(4));
        assert_eq!(super::open_quote("a,\"b \"\"c\"\" d\""), None);
    }
}
