//! Paths into a foreign record: `lock.lease.id`, `attributes[key=lock.name]`,
//! `message.@json.token`.

use std::fmt;

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A member of an object, a column, a key of logfmt, a group of a pattern.
    Key(String),
    /// An element of an array, from 0.
    Index(usize),
    /// Every element of an array (in `each`), or the one that the record lies in.
    Every,
    /// The element of an array in which `name` is `value`, as in OTLP attributes.
    Where {
        /// The member that tells the elements apart.
        name: String,
        /// Its value in the wanted element.
        value: String,
    },
    /// The text is JSON: go on inside it.
    Json,
    /// The text is `key=value` pairs: go on inside it.
    Logfmt,
}

/// A path, as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// It begins with `$`: at the frame and not at the record that `each` found.
    pub from_frame: bool,
    /// The steps.
    pub steps: Vec<Step>,
    text: String,
}

/// Why a text is no path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathError {
    /// Byte offset in the path.
    pub at: usize,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub hint: String,
}

impl Path {
    /// Reads a path.
    ///
    /// # Errors
    /// [`PathError`] says where it stops being one.
    pub fn parse(text: &str) -> Result<Path, PathError> {
        let mut reader = Reader { text, at: 0 };
        let from_frame = text == "$" || text.starts_with("$.") || text.starts_with("$[");
        if from_frame {
            reader.at = 1;
            if text[1..].starts_with('.') {
                reader.at = 2;
            }
        }
        let steps = reader.steps(from_frame && text.len() == 1)?;
        Ok(Path {
            from_frame,
            steps,
            text: text.to_owned(),
        })
    }

    /// A path of one key, whatever characters it has.
    pub(crate) fn key(name: &str) -> Path {
        Path {
            from_frame: false,
            steps: vec![Step::Key(name.to_owned())],
            text: name.to_owned(),
        }
    }

    /// The path of a record of columns or pairs, whose names may hold dots: keys that
    /// follow each other are one name.
    pub(crate) fn flattened(mut self) -> Path {
        let mut steps: Vec<Step> = Vec::new();
        let mut inside = false;
        for step in self.steps {
            match (steps.last_mut(), step) {
                (Some(Step::Key(before)), Step::Key(key)) if !inside => {
                    before.push('.');
                    before.push_str(&key);
                }
                (_, step) => {
                    inside |= matches!(step, Step::Json);
                    steps.push(step);
                }
            }
        }
        self.steps = steps;
        self
    }

    /// This path after another one.
    pub(crate) fn under(mut self, root: &Path) -> Path {
        if !self.from_frame {
            self.steps.splice(0..0, root.steps.iter().cloned());
        }
        self
    }

    /// This path and one key more.
    pub(crate) fn child(&self, key: &str) -> Path {
        let mut path = self.clone();
        path.steps.push(Step::Key(key.to_owned()));
        path.text = format!("{}.{key}", self.text);
        path
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A key as a path writes it: quoted where it must be.
pub(crate) fn quoted_key(key: &str) -> String {
    let bare = !key.is_empty()
        && !matches!(key, "@json" | "@logfmt")
        && !key.starts_with('$')
        && !key.contains(['.', '[', ']', '"', '\\']);
    if bare {
        return key.to_owned();
    }
    let mut text = String::from("\"");
    for c in key.chars() {
        if matches!(c, '"' | '\\') {
            text.push('\\');
        }
        text.push(c);
    }
    text.push('"');
    text
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn steps(&mut self, may_be_empty: bool) -> Result<Vec<Step>, PathError> {
        let mut steps = Vec::new();
        let mut key_next = !self.rest().starts_with('[');
        if may_be_empty {
            return Ok(steps);
        }
        loop {
            if key_next {
                steps.push(self.key()?);
            }
            while self.rest().starts_with('[') {
                steps.push(self.bracket()?);
            }
            if self.rest().is_empty() {
                return Ok(steps);
            }
            if !self.rest().starts_with('.') {
                return Err(self.error("a path goes on with `.` or `[`", "put a `.` before it"));
            }
            self.at += 1;
            key_next = true;
        }
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn key(&mut self) -> Result<Step, PathError> {
        if self.rest().starts_with('"') {
            return self.quoted().map(Step::Key);
        }
        let rest = self.rest();
        let end = rest.find(['.', '[', ']', '"']).unwrap_or(rest.len());
        let key = rest[..end].to_owned();
        if key.is_empty() {
            return Err(self.error(
                "a key is missing here",
                "a key with dots or brackets is written in double quotes: 'a.\"b.c\"'",
            ));
        }
        let step = match key.as_str() {
            "@json" => Step::Json,
            "@logfmt" => Step::Logfmt,
            _ => Step::Key(key),
        };
        self.at += end;
        Ok(step)
    }

    fn quoted(&mut self) -> Result<String, PathError> {
        let mut key = String::new();
        let mut escaped = false;
        for (offset, c) in self.rest().char_indices().skip(1) {
            match c {
                _ if escaped => {
                    key.push(c);
                    escaped = false;
                }
                '\\' => escaped = true,
                '"' => {
                    self.at += offset + 1;
                    return Ok(key);
                }
                _ => key.push(c),
            }
        }
        Err(self.error("a quoted key never ends", "close it with a double quote"))
    }

    fn bracket(&mut self) -> Result<Step, PathError> {
        let start = self.at;
        self.at += 1;
        if self.rest().starts_with('"') {
            let key = self.quoted()?;
            self.close()?;
            return Ok(Step::Key(key));
        }
        let rest = self.rest();
        let end = rest.find([']', '=']).unwrap_or(rest.len());
        let head = rest[..end].to_owned();
        if rest[end..].starts_with('=') {
            self.at += end + 1;
            let value = if self.rest().starts_with('"') {
                self.quoted()?
            } else {
                let rest = self.rest();
                let end = rest.find(']').unwrap_or(rest.len());
                let value = rest[..end].to_owned();
                self.at += end;
                value
            };
            self.close()?;
            return Ok(Step::Where { name: head, value });
        }
        self.at += end;
        self.close()?;
        match head.as_str() {
            "*" => Ok(Step::Every),
            digits => digits.parse().map(Step::Index).map_err(|_| PathError {
                at: start,
                message: format!("`[{digits}]` is no element of an array"),
                hint: "[0] is the first element, [*] every one, [key=name] the one of that key"
                    .to_owned(),
            }),
        }
    }

    fn close(&mut self) -> Result<(), PathError> {
        if !self.rest().starts_with(']') {
            return Err(self.error("a bracket never ends", "close it with `]`"));
        }
        self.at += 1;
        Ok(())
    }

    fn error(&self, message: &str, hint: &str) -> PathError {
        PathError {
            at: self.at,
            message: message.to_owned(),
            hint: hint.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Path, Step};

    fn key(name: &str) -> Step {
        Step::Key(name.to_owned())
    }

    #[test]
    fn keys_indices_quotes_and_selections() {
        let steps = |text| Path::parse(text).unwrap().steps;
        assert_eq!(steps("lock.name"), [key("lock"), key("name")]);
        assert_eq!(
            steps("a.\"b.c\"[2]"),
            [key("a"), key("b.c"), Step::Index(2)]
        );
        assert_eq!(steps("a[\"x]\"]"), [key("a"), key("x]")]);
        assert_eq!(
            steps("attributes[key=lock.name]"),
            [
                key("attributes"),
                Step::Where {
                    name: "key".to_owned(),
                    value: "lock.name".to_owned()
                }
            ]
        );
        assert_eq!(steps("log.@json.x"), [key("log"), Step::Json, key("x")]);
        assert_eq!(steps("@timestamp"), [key("@timestamp")]);
    }

    #[test]
    fn a_wrong_path_says_where() {
        let at = |text| Path::parse(text).unwrap_err().at;
        assert_eq!(at("a..b"), 2);
        assert_eq!(at("a[x]"), 1);
        assert_eq!(at("a[0"), 3);
        assert_eq!(at("a.\"b"), 2);
        assert_eq!(at(""), 0);
    }

    #[test]
    fn columns_keep_their_dots() {
        let path = Path::parse("lock.name").unwrap().flattened();
        assert_eq!(path.steps, [key("lock.name")]);
        let path = Path::parse("msg.@json.a.b").unwrap().flattened();
        assert_eq!(path.steps, [key("msg"), Step::Json, key("a"), key("b")]);
    }
}
