//! Where the cells and the rows of a table end: the one definition, for whoever cuts rows
//! and for whoever reads their cells.
//!
//! A quote opens a cell only as its first byte. Inside a quoted cell two quotes are one, and
//! any other quote closes it; what follows up to the delimiter belongs to no cell. Anywhere
//! else a quote is text.

use memchr::{memchr, memchr2};

use super::frames::BOM;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// At the begin of a row, behind so many bytes of a mark.
    Row { mark: usize },
    /// At the begin of a cell.
    Cell,
    /// In a cell without quotes, or behind one that was closed.
    Plain,
    /// In a quoted cell.
    Quoted,
    /// Behind a quote in a quoted cell.
    Quote,
}

/// A byte that divides a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// The quote that a cell begins with.
    Open,
    /// A quote inside such a cell. It closes the cell if [`Sign::Doubled`] is not next.
    Quote,
    /// The second of two quotes that are one.
    Doubled,
    /// The end of a cell and the begin of another.
    Delimiter,
    /// A line end outside quotes.
    LineEnd,
}

/// A row being read, which can stop and go on at any byte.
#[derive(Debug, Clone)]
pub(super) struct Row {
    delimiter: u8,
    state: State,
}

impl Row {
    /// At the begin of a row.
    pub(super) fn new(delimiter: u8) -> Row {
        Row {
            delimiter,
            state: State::Row { mark: 0 },
        }
    }

    /// Whether a quoted cell is open.
    pub(super) fn is_open(&self) -> bool {
        self.state == State::Quoted
    }

    /// Goes on to the next sign in `bytes` from `at` on, and says where it is.
    pub(super) fn next(&mut self, bytes: &[u8], mut at: usize) -> Option<(usize, Sign)> {
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            match self.state {
                State::Quoted => at += memchr(b'"', rest)?,
                State::Plain => at += memchr2(self.delimiter, b'\n', rest)?,
                State::Row { .. } | State::Cell | State::Quote => {}
            }
            let byte = *bytes.get(at)?;
            if let Some(sign) = self.step(byte) {
                return Some((at, sign));
            }
            at += 1;
        }
    }

    fn step(&mut self, byte: u8) -> Option<Sign> {
        let (state, sign) = match (self.state, byte) {
            (State::Quoted, b'"') => (State::Quote, Some(Sign::Quote)),
            (State::Quoted, _) => (State::Quoted, None),
            (State::Quote, b'"') => (State::Quoted, Some(Sign::Doubled)),
            (State::Row { mark: 0 } | State::Cell, b'"') => (State::Quoted, Some(Sign::Open)),
            (State::Row { mark }, byte) if BOM.get(mark) == Some(&byte) => (
                State::Row {
                    mark: (mark + 1) % BOM.len(),
                },
                None,
            ),
            (_, byte) if byte == self.delimiter => (State::Cell, Some(Sign::Delimiter)),
            (_, b'\n') => (State::Plain, Some(Sign::LineEnd)),
            _ => (State::Plain, None),
        };
        self.state = state;
        sign
    }

    /// Goes on to the line end that ends the row.
    pub(super) fn end(&mut self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        while let Some((found, sign)) = self.next(bytes, at) {
            if sign == Sign::LineEnd {
                return Some(found);
            }
            at = found + 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::ingest::Problem;
    use crate::ingest::frames::{Cut, Frames, Lines, Start};
    use crate::ingest::mapping::columns;

    /// The rows as they were cut, and the bytes of what was too long.
    #[derive(Default, Debug, PartialEq)]
    struct Rows(Vec<Vec<u8>>, Vec<Vec<u8>>, bool);

    impl Frames for Rows {
        fn frame(&mut self, _: Start, lead: &[u8], frame: &[u8]) {
            self.0.push([lead, frame].concat());
            self.2 = false;
        }
        fn probe(&mut self, _: Start, _: &[u8], _: &[u8]) -> bool {
            false
        }
        fn unreadable(&mut self, _: Start, _: &[u8], bytes: &[u8], _: Problem) {
            self.1.push(bytes.to_vec());
            self.2 = true;
        }
        fn unclosed(&mut self, _: Start, _: &[u8], _: Problem) {}
        fn rest(&mut self, bytes: &[u8]) {
            if let Some(long) = self.1.last_mut().filter(|_| self.2) {
                long.extend_from_slice(bytes);
            }
        }
        fn prepared(&mut self, _: Start, _: usize) -> (usize, u64) {
            (0, 0)
        }
        fn stopped(&self, _: bool) -> bool {
            false
        }
    }

    fn cut(input: &[u8], block: usize, limit: usize, delimiter: u8) -> Rows {
        let mut lines = Lines::rows(limit, delimiter);
        let mut rows = Rows::default();
        let (mut done, mut there) = (0, 0);
        loop {
            there = (there + block).min(input.len());
            let end = there == input.len();
            done += lines.feed(&input[done..there], end, &mut rows);
            if end {
                assert_eq!(done, there);
                return rows;
            }
        }
    }

    fn cells(row: &[u8], delimiter: u8) -> Vec<String> {
        let row = std::str::from_utf8(row).unwrap();
        let row = row.trim_start_matches('\u{feff}');
        let mut cells = Vec::new();
        columns::cells(row, delimiter, |_, _, text| cells.push(text.into_owned()));
        cells
    }

    /// A row as it is written, and its cells.
    fn written(cells: &[(String, bool)], delimiter: u8) -> (String, Vec<String>) {
        let plain = |cell: &str| {
            let cell = cell.replace(['\n', '\r', char::from(delimiter)], "");
            cell.trim_start_matches(['"', '\u{feff}']).to_owned()
        };
        let cells = cells.iter().map(|(cell, quoted)| match quoted {
            true => (format!("\"{}\"", cell.replace('"', "\"\"")), cell.clone()),
            false => (plain(cell), plain(cell)),
        });
        let (written, cells): (Vec<_>, Vec<_>) = cells.unzip();
        (written.join(&char::from(delimiter).to_string()), cells)
    }

    proptest! {
        #[test]
        fn rows_are_cut_where_the_reader_of_cells_sees_them_end(
            rows in prop::collection::vec(
                ("\u{feff}{0,2}", prop::collection::vec(("[\",;\n\r\u{feff}xé]{0,8}", any::<bool>()), 1..5)),
                0..8,
            ),
            delimiter in prop::sample::select(b",;\t".to_vec()),
            line_end in prop::sample::select(vec!["\n", "\r\n"]),
            block in 1usize..40,
            limit in 5usize..60,
        ) {
            let mut input = String::new();
            let (mut whole, mut long) = (Vec::new(), Vec::new());
            let mut expected = Vec::new();
            for (mark, row) in &rows {
                // A cell before them, so that no row is blank.
                let (row, mut cells) = written(row, delimiter);
                let row = format!("{mark}x{}{row}", char::from(delimiter));
                cells.insert(0, "x".to_owned());
                let all = format!("{row}{line_end}");
                input += &all;
                if all.len() - 1 > limit {
                    long.push(all.clone());
                }
                whole.push(row);
                expected.push(cells);
            }
            let found = cut(input.as_bytes(), block, usize::MAX - 1, delimiter);
            let read: Vec<_> = found.0.iter().map(|row| cells(row, delimiter)).collect();
            prop_assert_eq!(read, expected);
            prop_assert_eq!(found.0, whole.iter().map(|row| row.as_bytes()).collect::<Vec<_>>());
            // A row that is too long changes nothing of the others.
            let found = cut(input.as_bytes(), block, limit, delimiter);
            prop_assert_eq!(found.1, long.iter().map(|row| row.as_bytes()).collect::<Vec<_>>());
            prop_assert_eq!(found.0.len(), whole.len() - long.len());
        }

        #[test]
        fn any_text_is_cut_outside_open_quotes_only(
            input in "[\",\n\r\u{feff}x]{0,60}",
            block in 1usize..40,
            limit in 1usize..30,
        ) {
            let found = cut(input.as_bytes(), block, usize::MAX - 1, b',');
            for (n, row) in found.0.iter().enumerate() {
                let row = std::str::from_utf8(row).unwrap();
                let open = columns::open_quote(row, b',').is_some();
                prop_assert!(!open || n + 1 == found.0.len(), "{row:?}");
                // A line end in a row is one inside a quoted cell.
                let row = row.trim_start_matches('\u{feff}');
                let mut quoted = 0;
                columns::cells(row, b',', |_, span, _| {
                    if row[..span.start].ends_with('"') {
                        quoted += row[span].matches('\n').count();
                    }
                });
                prop_assert_eq!(row.matches('\n').count(), quoted, "{:?}", row);
            }
            prop_assert_eq!(cut(input.as_bytes(), 1000, limit, b','), cut(input.as_bytes(), block, limit, b','));
        }
    }
}
