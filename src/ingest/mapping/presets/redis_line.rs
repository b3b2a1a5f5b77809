//! A line as `redis-cli MONITOR` prints it.

/// The connection and the words of a line.
pub(super) fn split(line: &str) -> Option<(&str, Vec<String>)> {
    let (time, rest) = line.split_once(" [")?;
    time.starts_with(|c: char| c.is_ascii_digit())
        .then_some(())?;
    let (client, words) = rest.split_once("] \"")?;
    // `0 127.0.0.1:43488`: the database and the connection.
    let (_, client) = client.split_once(' ')?;
    Some((client, unquote(words)))
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

#[cfg(test)]
mod tests {
    #[test]
    fn lines_of_monitor_split_into_words() {
        let (client, words) =
            super::split(r#"1.5 [0 [::1]:1] "SET" "a b" "x\"\x41\n" "NX""#).unwrap();
        assert_eq!(client, "[::1]:1");
        assert_eq!(words, ["SET", "a b", "x\"A\n", "NX"]);
        assert!(super::split("OK").is_none());
        let (_, words) = super::split(r#"1.5 [0 lua] "get" "cut o"#).unwrap();
        assert_eq!(words, ["get"]);
    }
}
