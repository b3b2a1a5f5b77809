//! Wall clocks, read only to say that they are no order: no verdict ever sees one.

/// A reading of a clock: nanoseconds, and of which kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Nanoseconds since some beginning, the same for all readings of a kind.
    pub nanos: i128,
    /// Whether it was a calendar time; else it was a bare number.
    pub calendar: bool,
}

/// Reads a `ts`, given as JSON. `None` where it is neither a number nor a time of the
/// form `2026-11-29T13:22:20.469Z`.
pub fn read(raw: &str) -> Option<Reading> {
    let text = raw.trim_matches('"');
    // A time has a hyphen behind its year, and a number has none.
    let is_time = text.as_bytes().get(4) == Some(&b'-');
    if let Some(nanos) = (!is_time).then(|| number(text)).flatten() {
        return Some(Reading {
            nanos,
            calendar: false,
        });
    }
    time(text).map(|nanos| Reading {
        nanos,
        calendar: true,
    })
}

fn number(text: &str) -> Option<i128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.len() <= 25 && part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return None;
    }
    let whole: i128 = whole.parse().ok()?;
    Some(whole * 1_000_000_000 + nanos_of(fraction))
}

fn nanos_of(fraction: &str) -> i128 {
    let nine = &fraction[..fraction.len().min(9)];
    let nanos = digits(nine.as_bytes()) * 10_i64.pow(9 - nine.len() as u32);
    nanos.into()
}

/// The number that a few digits make.
fn digits(digits: &[u8]) -> i64 {
    digits
        .iter()
        .fold(0, |number, digit| number * 10 + i64::from(digit - b'0'))
}

fn time(text: &str) -> Option<i128> {
    let bytes = text.as_bytes();
    if !text.is_ascii() || bytes.len() < 19 {
        return None;
    }
    let part = |range: std::ops::Range<usize>| -> Option<i64> {
        let part = &bytes[range];
        part.iter().all(u8::is_ascii_digit).then(|| digits(part))
    };
    let separators = [(4, b'-'), (7, b'-'), (13, b':'), (16, b':')];
    if !separators.iter().all(|(at, sign)| bytes[*at] == *sign)
        || !matches!(bytes[10], b'T' | b't' | b' ')
    {
        return None;
    }
    let (year, month, day) = (part(0..4)?, part(5..7)?, part(8..10)?);
    let (hour, minute, second) = (part(11..13)?, part(14..16)?, part(17..19)?);
    let rest = &text[19..];
    let (fraction, zone) = match rest.strip_prefix('.').or_else(|| rest.strip_prefix(',')) {
        Some(rest) => {
            let end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            rest.split_at(end)
        }
        None => ("", rest),
    };
    let offset = match zone.as_bytes() {
        [] | [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), _, _, ..] => {
            let digits: String = zone[1..].chars().filter(char::is_ascii_digit).collect();
            let hours: i64 = digits.get(0..2)?.parse().ok()?;
            let minutes: i64 = digits.get(2..4).unwrap_or("0").parse().ok()?;
            let offset = (hours * 60 + minutes) * 60;
            if *sign == b'-' { -offset } else { offset }
        }
        _ => return None,
    };
    // Days since the first of March of year 0, so that the leap day comes last.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days = 365 * year + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * month + 2) / 5
        + day;
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - offset;
    Some(i128::from(seconds) * 1_000_000_000 + nanos_of(fraction))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn times_compare_across_zones_and_digits() {
        let nanos = |raw: &str| read(raw).unwrap().nanos;
        assert_eq!(
            nanos("\"2026-11-29T13:22:20Z\""),
            nanos("\"2026-11-29T14:22:20.000+01:00\"")
        );
        assert!(nanos("\"2026-02-28T23:59:59.999Z\"") < nanos("\"2026-03-01T00:00:00Z\""));
        assert!(nanos("1700000000") < nanos("1700000000.001"));
        assert!(!read("17").unwrap().calendar);
        for other in [
            "\"noon\"",
            "null",
            "{}",
            "-1",
            "\"2026-11-29\"",
            "\"2026-11-29T1é:22:20Z\"",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
