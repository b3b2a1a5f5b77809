//! A moment that somebody names, since a report reads no clock.

use std::fmt;

/// A moment, in seconds since 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment(i64);

impl Moment {
    /// The moment so many seconds after the beginning of 1970; none past the year 9999.
    pub fn from_seconds(seconds: i64) -> Option<Moment> {
        (0..253_402_300_800)
            .contains(&seconds)
            .then_some(Moment(seconds))
    }

    /// Reads RFC 3339 (`2027-01-31T12:00:00Z`, with any offset) or seconds since 1970.
    pub fn parse(text: &str) -> Option<Moment> {
        if text.bytes().all(|b| b.is_ascii_digit()) {
            return text.parse().ok().and_then(Moment::from_seconds);
        }
        let (date, time) = text.split_once(['T', 't', ' '])?;
        let [year, month, day] = numbers(date, '-')?;
        if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) {
            return None;
        }
        if !(1..=days_in(year, month)).contains(&day) {
            return None;
        }
        let zone = time.find(['Z', 'z', '+', '-'])?;
        let (clock, zone) = time.split_at(zone);
        let clock = clock.split('.').next().unwrap_or(clock);
        let [hour, minute, second] = numbers(clock, ':')?;
        if hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let offset = match zone.split_at(1) {
            ("Z" | "z", "") => 0,
            (sign @ ("+" | "-"), offset) => {
                let (hours, minutes) = offset.split_once(':')?;
                let minutes = number(hours)? * 60 + number(minutes)?;
                if sign == "+" { minutes } else { -minutes }
            }
            _ => return None,
        };
        let days = days_before(year, month) + day - 1;
        Moment::from_seconds(days * 86_400 + (hour * 60 + minute - offset) * 60 + second)
    }
}

fn number(text: &str) -> Option<i64> {
    let digits = !text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

fn numbers(text: &str, between: char) -> Option<[i64; 3]> {
    let mut parts = text.split(between).map(number);
    let three = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(three)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from the beginning of 1970 to the beginning of a month.
fn days_before(year: i64, month: i64) -> i64 {
    let years: i64 = (1970..year)
        .map(|year| 365 + i64::from(is_leap(year)))
        .sum();
    years + (1..month).map(|month| days_in(year, month)).sum::<i64>()
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut days, seconds) = (self.0 / 86_400, self.0 % 86_400);
        let mut year = 1970;
        while days >= 365 + i64::from(is_leap(year)) {
            days -= 365 + i64::from(is_leap(year));
            year += 1;
        }
        let mut month = 1;
        while days >= days_in(year, month) {
            days -= days_in(year, month);
            month += 1;
        }
        write!(
            f,
            "{year:04}-{month:02}-{:02}T{:02}:{:02}:{:02}Z",
            days + 1,
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Moment;

    #[test]
    fn a_moment_is_said_in_one_way() {
        for (text, shown) in [
            ("0", "1970-01-01T00:00:00Z"),
            ("1772359202", "2026-03-01T10:00:02Z"),
            ("2026-03-01T12:30:02+02:30", "2026-03-01T10:00:02Z"),
            ("2024-02-29T23:59:59.999Z", "2024-02-29T23:59:59Z"),
            ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(Moment::parse(text).unwrap().to_string(), shown, "{text}");
        }
        for text in [
            "",
            "now",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-01-01",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:00:00",
            "99999999999999999999",
        ] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
    }
}
