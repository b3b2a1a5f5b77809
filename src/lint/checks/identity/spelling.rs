//! When two names are spellings of one.

/// A name without case, leading zeros, kind of separator and space around it.
pub(super) fn normal(name: &str) -> String {
    let mut normal = String::with_capacity(name.len());
    for part in name
        .trim()
        .split(|c: char| c.is_whitespace() || matches!(c, ':' | '/' | '.' | '_' | '-' | '|' | '#'))
    {
        if part.is_empty() {
            continue;
        }
        if !normal.is_empty() {
            normal.push(':');
        }
        let digits = part.bytes().all(|byte| byte.is_ascii_digit());
        let part = match part.trim_start_matches('0') {
            "" if digits => "0",
            stripped if digits => stripped,
            _ => part,
        };
        normal.extend(part.chars().flat_map(char::to_lowercase));
    }
    normal
}

/// A form under which a lease id may be known in another spelling.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    Text(String),
    Number(u128),
}

/// The forms of a lease id.
pub(super) fn lease_forms(lease: &str) -> impl Iterator<Item = Form> {
    let lower = lease.trim().to_ascii_lowercase();
    let bare = lower.strip_prefix("0x").unwrap_or(&lower);
    // Short digits are numbers in any base.
    let is_number = bare.len() >= 8 && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_decimal = bare.len() == lower.len() && bare.bytes().all(|byte| byte.is_ascii_digit());
    let number = u128::from_str_radix(bare, if is_decimal { 10 } else { 16 });
    let number = number.ok().filter(|_| is_number).map(Form::Number);
    [Some(Form::Text(bare.to_owned())), number]
        .into_iter()
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::{lease_forms, normal};

    #[test]
    fn names_are_alike_that_a_person_would_confuse() {
        for (a, b) in [
            ("acct:42", "acct:0042"),
            ("acct:42", "ACCT/42"),
            ("acct:42", " acct-42 "),
            ("a:0", "a:00"),
        ] {
            assert_eq!(normal(a), normal(b), "{a} {b}");
        }
        for (a, b) in [("acct:42", "acct:420"), ("acct42", "acct:42"), ("a:0", "a")] {
            assert_ne!(normal(a), normal(b), "{a} {b}");
        }
    }

    #[test]
    fn one_number_has_one_form() {
        let share = |a: &str, b: &str| {
            let forms: Vec<_> = lease_forms(a).collect();
            lease_forms(b).any(|form| forms.contains(&form))
        };
        assert!(share("7293a2278b09a506", "8256120832620340486"));
        assert!(share("0x7293A2278B09A506", "7293a2278b09a506"));
        assert!(share("Lease-A", "lease-a"));
        assert!(!share("10", "16"));
        assert!(!share("7293a2278b09a506", "7293a2278b09a507"));
    }
}
