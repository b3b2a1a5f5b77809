//! A line as `redis-cli MONITOR` prints it.

/// A line in its parts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'l> {
    pub(super) database: &'l str,
    pub(super) client: &'l str,
    pub(super) words: Vec<String>,
}

/// The parts of a line, whatever a collector put before it.
pub(super) fn split(line: &str) -> Option<Line<'_>> {
    let (before, rest) = line.split_once(" [")?;
    let time = before.rsplit([' ', '\t', '|']).next()?;
    // Over a bare connection a line begins with a plus.
    let time = time.strip_prefix('+').unwrap_or(time);
    time.starts_with(|c: char| c.is_ascii_digit())
        .then_some(())?;
    let (client, words) = rest.split_once("] \"")?;
    // `0 127.0.0.1:43488`: the database and the connection.
    let (database, client) = client.split_once(' ')?;
    Some(Line {
        database,
        client,
        words: unquote(words),
    })
}

/// The words after the first quote; `\"`, `\\`, `\n` and `\xHH` as Redis prints them.
fn unquote(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Vec<u8> = Vec::new();
    let mut inside = true;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' if inside => {
                words.push(String::from_utf8_lossy(&word).into_owned());
                word.clear();
                inside = false;
            }
            b'"' => inside = true,
            b'\\' if inside => match bytes.next() {
                Some(b'n') => word.push(b'\n'),
                Some(b'r') => word.push(b'\r'),
                Some(b't') => word.push(b'\t'),
                Some(b'a') => word.push(7),
                Some(b'b') => word.push(8),
                Some(b'x') => {
                    let mut digit = || bytes.next().and_then(|b| char::from(b).to_digit(16));
                    if let (Some(high), Some(low)) = (digit(), digit()) {
                        word.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
                    }
                }
                Some(other) => word.push(other),
                None => break,
            },
            _ if inside => word.push(byte),
            _ => {}
        }
    }
    words
}

/// Whether a `SET` has an option, behind its key and its value.
pub(super) fn has_option(args: &[&str], option: &str) -> bool {
    let mut options = args.iter().skip(2);
    options.any(|arg| arg.eq_ignore_ascii_case(option))
}

#[cfg(test)]
mod tests {
    #[test]
    fn lines_of_monitor_split_into_words() {
        let line = super::split(r#"1.5 [3 [::1]:1] "SET" "a b" "x\"\x41\n" "NX""#).unwrap();
        assert_eq!((line.database, line.client), ("3", "[::1]:1"));
        assert_eq!(line.words, ["SET", "a b", "x\"A\n", "NX"]);
        assert!(super::split("OK").is_none());
        let line = super::split(r#"1.5 [0 lua] "get" "cut o"#).unwrap();
        assert_eq!(line.words, ["get"]);
        for before in ["+", "redis-1  | ", "2031-04-01T08:00:00Z stdout F "] {
            let line = format!(r#"{before}1.5 [0 a:1] "DEL" "k""#);
            assert_eq!(super::split(&line).unwrap().words, ["DEL", "k"], "{line}");
        }
    }
}
