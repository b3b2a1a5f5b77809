//! Finds where a JSON value ends, byte by byte, and can stop and go on at any byte.
//!
//! It checks the structure (brackets, commas, colons, strings), so that a value that was
//! cut off is noticed at the next line and not at the end of the input. The inside of
//! numbers, words and escapes is left to the parser that reads the value.

/// Brackets inside brackets, counted from the outermost value; the limit of the JSON
/// parser that reads the frames.
pub(crate) const MAX_DEPTH: u32 = 127;

/// What the bytes so far amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// The value is not complete.
    More,
    /// The value is complete; it ends before this offset in the bytes given last.
    Done(usize),
    /// No continuation makes it a value; the offset is of the first byte that can't be.
    Broken(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Value,
    FirstElement,
    FirstKey,
    Key,
    Colon,
    AfterValue,
    Text { key: bool },
    Escape { key: bool },
    Bare,
}

/// A value being scanned.
#[derive(Debug, Clone)]
pub(crate) struct Scan {
    state: State,
    depth: u32,
    /// One bit a level, the innermost lowest: 1 is an object.
    objects: u128,
}

impl Scan {
    /// At the first byte of a value.
    pub(crate) fn new() -> Scan {
        Scan {
            state: State::Value,
            depth: 0,
            objects: 0,
        }
    }

    /// Goes on with the next bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Step {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match self.state {
                State::Text { key } => match byte {
                    b'"' => {
                        self.state = if key { State::Colon } else { State::AfterValue };
                        if self.depth == 0 {
                            return Step::Done(at + 1);
                        }
                    }
                    b'\\' => self.state = State::Escape { key },
                    0..=0x1f => return Step::Broken(at),
                    _ => {}
                },
                State::Escape { key } if byte >= 0x20 => self.state = State::Text { key },
                State::Escape { .. } => return Step::Broken(at),
                State::Bare
                    if byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.') => {}
                State::Bare => {
                    if self.depth == 0 {
                        return Step::Done(at);
                    }
                    self.state = State::AfterValue;
                    // The byte that ends it is looked at again.
                    continue;
                }
                _ if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') => {}
                _ => match self.structure(byte) {
                    Some(true) => return Step::Done(at + 1),
                    Some(false) => {}
                    None => return Step::Broken(at),
                },
            }
            at += 1;
        }
        Step::More
    }

    /// A byte between tokens: `Some(true)` if it completes the value, `None` if it can't
    /// stand there.
    fn structure(&mut self, byte: u8) -> Option<bool> {
        let (value, close, key) = match self.state {
            State::Value => (true, false, false),
            State::FirstElement => (true, true, false),
            State::FirstKey => (false, true, true),
            State::Key => (false, false, true),
            _ => (false, self.state == State::AfterValue, false),
        };
        match byte {
            b'{' | b'[' if value => {
                if self.depth >= MAX_DEPTH {
                    return None;
                }
                let object = byte == b'{';
                self.depth += 1;
                self.objects = self.objects << 1 | u128::from(object);
                self.state = if object {
                    State::FirstKey
                } else {
                    State::FirstElement
                };
            }
            b'}' | b']' if close && (byte == b'}') == self.in_object() => {
                self.depth -= 1;
                self.objects >>= 1;
                self.state = State::AfterValue;
                return Some(self.depth == 0);
            }
            b'"' if value => self.state = State::Text { key: false },
            b'"' if key => self.state = State::Text { key: true },
            b':' if self.state == State::Colon => self.state = State::Value,
            b',' if self.state == State::AfterValue => {
                self.state = if self.in_object() {
                    State::Key
                } else {
                    State::Value
                };
            }
            b'-' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' if value => self.state = State::Bare,
            _ => return None,
        }
        Some(false)
    }

    fn in_object(&self) -> bool {
        self.objects & 1 == 1
    }
}

/// Where a broken value that starts at the first byte closes, going by brackets and
/// strings alone and within one line.
pub(crate) fn closing_bracket(line: &[u8]) -> Option<usize> {
    let mut depth = 0u32;
    let mut text = false;
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        match byte {
            b'\n' => return None,
            b'\\' if text => at += 1,
            b'"' => text = !text,
            b'{' | b'[' if !text => depth += 1,
            b'}' | b']' if !text => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Whether brackets in this value go deeper than [`MAX_DEPTH`]; the value is known to be
/// well formed. Says where.
pub(crate) fn too_deep(value: &[u8], depth: u32) -> Option<usize> {
    let mut depth = depth;
    let mut text = false;
    let mut at = 0;
    while let Some(&byte) = value.get(at) {
        match byte {
            b'\\' if text => at += 1,
            b'"' => text = !text,
            b'{' | b'[' if !text => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Some(at);
                }
            }
            b'}' | b']' if !text => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{MAX_DEPTH, Scan, Step, closing_bracket};

    fn scan(text: &str) -> Step {
        Scan::new().feed(text.as_bytes())
    }

    #[test]
    fn a_value_ends_where_its_last_bracket_closes() {
        for text in [
            "{}",
            "[]",
            r#"{"a":1}"#,
            r#"{ "a" : [ 1, -2.5e3, null, "}" ], "b\"{" : {"c":"\\"} }"#,
            "{\n  \"a\": {\r\n\t\"b\": [true]\n  }\n}",
            "\"text\"",
        ] {
            assert_eq!(scan(text), Step::Done(text.len()), "{text}");
            let followed = format!("{text} {{\"next\"");
            assert_eq!(scan(&followed), Step::Done(text.len()), "{text}");
            // Cut anywhere, it is incomplete; fed in two parts, it ends all the same.
            for cut in 1..text.len() {
                let mut scan = Scan::new();
                assert_eq!(scan.feed(&text.as_bytes()[..cut]), Step::More);
                assert_eq!(
                    scan.feed(&text.as_bytes()[cut..]),
                    Step::Done(text.len() - cut)
                );
            }
        }
    }

    #[test]
    fn structure_that_cannot_go_on_is_found_at_its_byte() {
        for (text, at) in [
            ("{\"a\":1,\n{\"b\":2}", 8),
            ("{\"a\":[\n{\"b\":2}\n{", 15),
            ("{\"a", 3),
            ("{\"a\nb\":1}", 3),
            ("{]", 1),
            ("{\"a\":1]", 6),
            ("{\"a\" 1}", 5),
            ("{,}", 1),
            ("{\"a\":1,}", 7),
            ("[1 2]", 3),
            ("{a:1}", 1),
            ("{\"a\":}", 5),
        ] {
            let expected = if at == text.len() {
                Step::More
            } else {
                Step::Broken(at)
            };
            assert_eq!(scan(text), expected, "{text}");
        }
    }

    #[test]
    fn depth_has_a_bound() {
        let deepest = MAX_DEPTH as usize;
        assert_eq!(
            scan(&("[".repeat(deepest) + &"]".repeat(deepest))),
            Step::Done(2 * deepest)
        );
        assert_eq!(scan(&"[".repeat(10_000)), Step::Broken(deepest));
    }

    #[test]
    fn brackets_alone_find_the_end_of_a_broken_value() {
        assert_eq!(closing_bracket(br#"{"a":oops, "}": [1] },{"#), Some(21));
        assert_eq!(closing_bracket(b"{\"a\":oops\n}"), None);
    }
}
