//! Names, tokens and clocks, as far as there is room for them.

use crate::escape;

/// A name as it is shown, or the words for none.
pub(super) fn shown(name: Option<&str>, none: &str) -> String {
    match name {
        None => none.to_owned(),
        Some("") => "\"\"".to_owned(),
        Some(name) => escape::terminal(name).into_owned(),
    }
}

/// As much of a text as stands in so many letters of one width. Wide ones count twice.
pub(super) fn fit(text: &str, letters: usize) -> String {
    let width = |c: char| if u32::from(c) >= 0x1100 { 2 } else { 1 };
    if text.chars().map(width).sum::<usize>() <= letters {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += width(c);
        if used > letters {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

/// A token, its last digits where it is long: neighbours differ at the end.
pub(super) fn token_label(token: u64) -> String {
    let digits = token.to_string();
    match digits.len() {
        0..=5 => digits,
        length => format!("…{}", digits.get(length - 4..).unwrap_or_default()),
    }
}

/// The time of day in a timestamp, if it has one.
pub(super) fn time_of_day(ts: &str) -> Option<&str> {
    let at = ts.find(['T', ' '])? + 1;
    let time = ts.get(at..at + 8)?;
    let digits = |b: &u8, i: usize| {
        if matches!(i, 2 | 5) {
            *b == b':'
        } else {
            b.is_ascii_digit()
        }
    };
    time.bytes()
        .enumerate()
        .all(|(i, b)| digits(&b, i))
        .then_some(time)
}

#[cfg(test)]
mod tests {
    use super::{fit, time_of_day, token_label};

    #[test]
    fn a_text_never_leaves_its_room() {
        assert_eq!(fit("worker", 6), "worker");
        assert_eq!(fit("worker-A", 6), "worke…");
        assert_eq!(fit("鍵鍵鍵", 5), "鍵鍵…");
    }

    #[test]
    fn a_long_token_shows_where_it_differs() {
        assert_eq!(token_label(33), "33");
        assert_eq!(token_label(u64::MAX), "…1615");
    }

    #[test]
    fn a_clock_is_cut_to_the_time_of_day() {
        assert_eq!(time_of_day("2026-03-01T10:00:02.5Z"), Some("10:00:02"));
        assert_eq!(time_of_day("1772359202"), None);
        assert_eq!(time_of_day("2026-03-01T1é:00:02"), None);
    }
}
