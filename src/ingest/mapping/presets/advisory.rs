//! Calls of PostgreSQL's advisory lock functions in a statement.

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    function: String,
    /// The lock, as its arguments name it: `42`, `1,2`, `hashtext('job')`.
    pub(super) lock: String,
}

impl Call {
    pub(super) fn is_unlock(&self) -> bool {
        self.function.contains("unlock")
    }

    /// It comes back only with the lock: no `try`, and the lock outlives the statement.
    pub(super) fn is_certain(&self) -> bool {
        self.function == "pg_advisory_lock"
    }
}

/// The calls of a statement. `detail` holds the parameters: `parameters: $1 = '42'`.
/// Shared locks are no exclusive ones and are not read.
pub(super) fn calls(sql: &str, detail: Option<&str>) -> Vec<Call> {
    let lower = sql.to_ascii_lowercase();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = lower.get(at..).and_then(|rest| rest.find("advisory_")) {
        let start = at + next;
        at = start + "advisory_".len();
        let begin = lower
            .get(..start)
            .and_then(|before| before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
            .map_or(0, |n| n + 1);
        let rest = lower.get(begin..).unwrap_or_default();
        let Some(open) = rest.find('(') else { break };
        let function = rest.get(..open).unwrap_or_default().trim();
        let known = matches!(
            function,
            "pg_advisory_lock"
                | "pg_try_advisory_lock"
                | "pg_advisory_unlock"
                | "pg_advisory_xact_lock"
                | "pg_try_advisory_xact_lock"
        );
        let arguments = sql.get(begin + open..).and_then(inside);
        if let (true, Some(arguments)) = (known, arguments) {
            found.push(Call {
                function: function.to_owned(),
                lock: named(arguments, detail.unwrap_or_default()),
            });
        }
    }
    found
}

/// The lock that a lock tag names: `database,high,low,1` is one number of 64 bits,
/// `database,a,b,2` a pair.
pub(super) fn lock_of_tag(tag: &str) -> Option<String> {
    let numbers: Vec<u64> = tag
        .split(',')
        .filter_map(|n| n.trim().parse().ok())
        .collect();
    match numbers.as_slice() {
        [_, high, low, 1] => {
            let key = (high << 32 | low).cast_signed();
            Some(key.to_string())
        }
        [_, a, b, 2] => Some(format!("{},{}", signed(*a), signed(*b))),
        _ => None,
    }
}

/// A tag prints 32-bit keys unsigned.
fn signed(number: u64) -> i64 {
    match u32::try_from(number) {
        Ok(number) => i64::from(number.cast_signed()),
        Err(_) => number.cast_signed(),
    }
}

/// What stands between the bracket at the start and its partner.
fn inside(text: &str) -> Option<&str> {
    let mut depth = 0;
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return text.get(1..at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The arguments with their parameters put in, without casts and blanks.
fn named(arguments: &str, detail: &str) -> String {
    let mut text = String::new();
    let mut rest = arguments;
    while let Some(at) = rest.find('$') {
        let (before, after) = rest.split_at(at);
        text.push_str(before);
        let digits = after[1..].bytes().take_while(u8::is_ascii_digit).count();
        let (name, next) = after.split_at(1 + digits);
        // A number is a number, however the driver sent it.
        match parameter(detail, name) {
            Some(value) if value.parse::<i64>().is_ok() => text.push_str(value),
            Some(value) => {
                text.push('\'');
                text.push_str(value);
                text.push('\'');
            }
            None => text.push_str(name),
        }
        rest = next;
    }
    text.push_str(rest);
    let parts = text.split(", ").map(|part| {
        let part = part.trim();
        let bare = part.split("::").next().unwrap_or(part);
        bare.trim().to_owned()
    });
    parts.collect::<Vec<_>>().join(",")
}

/// The value of `$1` in `parameters: $1 = '42', $2 = NULL`.
fn parameter<'d>(detail: &'d str, name: &str) -> Option<&'d str> {
    let start = detail.find(&format!("{name} = '"))? + name.len() + 4;
    let rest = detail.get(start..)?;
    rest.get(..rest.find('\'')?)
}

#[cfg(test)]
mod tests {
    use super::{calls, lock_of_tag};

    fn locks(sql: &str, detail: &str) -> Vec<String> {
        let of = |call: super::Call| format!("{} {}", call.function, call.lock);
        calls(sql, Some(detail)).into_iter().map(of).collect()
    }

    #[test]
    fn calls_and_their_locks() {
        assert_eq!(
            locks("select pg_advisory_lock(42)", ""),
            ["pg_advisory_lock 42"]
        );
        assert_eq!(
            locks(
                "SELECT pg_try_advisory_lock($1, $2::int)",
                "parameters: $1 = '7', $2 = '8'"
            ),
            ["pg_try_advisory_lock 7,8"]
        );
        assert_eq!(
            locks("select pg_advisory_unlock(hashtext('a(b'))", ""),
            ["pg_advisory_unlock hashtext('a(b')"]
        );
        assert_eq!(locks("select pg_advisory_lock_shared(1)", ""), [""; 0]);
        assert_eq!(locks("select 'advisory_lock'", ""), [""; 0]);
        assert_eq!(locks("select pg_advisory_lock(", ""), [""; 0]);
    }

    #[test]
    fn tags_name_the_same_locks() {
        assert_eq!(lock_of_tag("16384,0,42,1").as_deref(), Some("42"));
        assert_eq!(
            lock_of_tag("16384,4294967295,4294967295,1").as_deref(),
            Some("-1")
        );
        assert_eq!(lock_of_tag("16384,1,2,2").as_deref(), Some("1,2"));
        assert_eq!(lock_of_tag("1,2"), None);
    }
}
