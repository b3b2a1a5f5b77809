//! What a sample of a foreign log holds, by every form that it may have: for each path the
//! values there.

mod json;
mod text;

use std::collections::BTreeMap;

use super::path::quoted_key;

pub(crate) use text::{json_at_end, pairs_at_end, sentence_before_pairs};

/// Lines of a sample that are looked at, and as many more that speak of locks.
const MAX_LINES: usize = 2000;
/// How much of a line or text is looked at.
const MAX_TEXT: usize = 16 << 10;
/// What lines about locks speak of.
const OF_LOCKS: [&str; 8] = [
    "lock", "Lock", "LOCK", "lease", "Lease", "mutex", "fenc", "epoch",
];
/// Different values of a path that are kept.
const MAX_VALUES: usize = 40;
/// Paths that are kept.
const MAX_PATHS: usize = 2000;
/// Places of sentences that are kept.
const MAX_SENTENCES: usize = 100;

/// The form of a log, as far as it can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Json,
    /// A JSON object at the end of a line of text.
    JsonAtEnd,
    Logfmt,
    /// A sentence, and pairs after it.
    Sentences,
    Columns(u8),
    /// PostgreSQL's csvlog, whose messages are pairs.
    PostgresCsvlog,
    Text,
}

/// The values that stand at one path.
#[derive(Debug, Default)]
pub(crate) struct Values {
    /// How often the path was there and said something.
    pub(crate) count: u64,
    /// Different values and how often each was there, the first ones only.
    pub(crate) seen: Vec<(String, u64)>,
    /// There were more different values.
    pub(crate) more: bool,
    /// All are unsigned numbers, as the evidence writes them.
    pub(crate) numbers: bool,
    /// Null stood here.
    pub(crate) null: bool,
    /// Texts that stood here and look as if they say that there is nothing.
    pub(crate) blanks: Vec<String>,
    /// The last segment of the path.
    pub(crate) name: String,
    /// The same with the segment before it.
    pub(crate) full_name: String,
}

/// Sentences, which may say what was done.
#[derive(Debug)]
pub(crate) struct Sentences {
    /// Where they are.
    pub(crate) path: String,
    /// Whether pairs follow them in the same text.
    pub(crate) cut: bool,
    pub(crate) values: Values,
}

/// A sample, read as one form.
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) form: Form,
    /// The array whose elements are the records.
    pub(crate) each: Option<String>,
    /// Whether most lines have the form.
    pub(crate) usual: bool,
    pub(crate) records: u64,
    pub(crate) paths: BTreeMap<String, Values>,
    /// The lines, where nothing else was found.
    pub(crate) lines: Vec<String>,
    /// Sentences that stand before something else.
    pub(crate) sentences: Vec<Sentences>,
}

impl Sample {
    /// Looks at the beginning of a log, in every form that it may have, the likeliest first.
    pub(crate) fn all(text: &str) -> Vec<Sample> {
        let text = text.trim_start_matches('\u{feff}');
        let bare = crate::ingest::colour::bare(text);
        let text = bare.as_ref().map_or(text, |bare| &bare.text);
        let lines = lines(text);
        let mut all = Sample::json(text, &lines);
        all.extend(Sample::columns(&lines));
        all.extend(Sample::postgres_csvlog(&lines));
        all.extend(Sample::json_at_end(&lines));
        all.extend(Sample::pairs(&lines));
        let mut rest = Sample::new(Form::Text);
        rest.usual = true;
        rest.lines = lines.iter().map(|l| beginning(l).to_owned()).collect();
        all.push(rest);
        all
    }

    fn new(form: Form) -> Sample {
        Sample {
            form,
            each: None,
            usual: false,
            records: 0,
            paths: BTreeMap::new(),
            lines: Vec::new(),
            sentences: Vec::new(),
        }
    }

    /// The values at a path, which has these names.
    fn at(&mut self, path: &str, names: &[&str]) -> Option<&mut Values> {
        if self.paths.len() >= MAX_PATHS && !self.paths.contains_key(path) {
            return None;
        }
        Some(
            self.paths
                .entry(path.to_owned())
                .or_insert_with(|| Values::named(names)),
        )
    }

    fn scalar(&mut self, path: &str, names: &[&str], text: &str) {
        if let Some(values) = self.at(path, names) {
            values.add(text);
        }
    }

    fn sentence(&mut self, path: &str, cut: bool, text: &str) {
        if let Some(known) = self.sentences.iter_mut().find(|one| one.path == path) {
            known.values.add(text);
        } else if self.sentences.len() < MAX_SENTENCES {
            let mut values = Values::named(&[]);
            values.add(text);
            self.sentences.push(Sentences {
                path: path.to_owned(),
                cut,
                values,
            });
        }
    }
}

impl Values {
    /// A name with dots says the same as names inside each other.
    fn named(names: &[&str]) -> Values {
        let parts: Vec<&str> = names
            .iter()
            .flat_map(|name| name.split('.'))
            .filter(|part| !part.is_empty())
            .collect();
        Values {
            numbers: true,
            name: parts.last().copied().unwrap_or_default().to_owned(),
            full_name: parts[parts.len().saturating_sub(2)..].join("."),
            ..Values::default()
        }
    }

    fn add(&mut self, text: &str) {
        if is_blank(text) || is_placeholder(text) {
            if !self.blanks.iter().any(|blank| blank == text) {
                self.blanks.push(text.to_owned());
            }
            return;
        }
        self.count += 1;
        self.numbers &= is_number(text);
        if let Some((_, n)) = self.seen.iter_mut().find(|(seen, _)| seen == text) {
            *n += 1;
        } else if self.seen.len() < MAX_VALUES {
            self.seen.push((text.to_owned(), 1));
        } else {
            self.more = true;
        }
    }
}

/// The lines that are looked at. In a busy log those that matter may come late.
fn lines(text: &str) -> Vec<&str> {
    let mut more = MAX_LINES;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .enumerate()
        .filter(|(n, line)| {
            let speaks = *n >= MAX_LINES && OF_LOCKS.iter().any(|word| line.contains(word));
            let wanted = *n < MAX_LINES || speaks && more > 0;
            more -= usize::from(wanted && speaks);
            wanted
        })
        .map(|(_, line)| line)
        .collect()
}

/// How many lines are looked at from the beginning, and how many later ones that speak of
/// locks, where these are not all.
pub(crate) fn looked_at(text: &str) -> Option<(usize, usize)> {
    let all = text.lines().filter(|line| !line.trim().is_empty()).count();
    let looked = lines(text).len();
    (looked < all).then(|| (MAX_LINES, looked.saturating_sub(MAX_LINES)))
}

/// Whether a text is an unsigned number, in digits or in hexadecimal ones behind `0x`.
fn is_number(text: &str) -> bool {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    match hex {
        Some(hex) => u64::from_str_radix(hex, 16).is_ok() && !hex.starts_with('+'),
        None => text.parse::<u64>().is_ok(),
    }
}

/// Whether a text is what programs write for nothing.
pub(crate) fn is_blank(text: &str) -> bool {
    matches!(
        text.to_ascii_lowercase().as_str(),
        "" | "-"
            | "null"
            | "(null)"
            | "nil"
            | "(none)"
            | "<nil>"
            | "<none>"
            | "<null>"
            | "none"
            | "n/a"
            | "nan"
            | "\\n"
            | "undefined"
    )
}

/// Whether a text stands where a name was to be put, or was taken out: `{resource}`, `%s`,
/// `***`.
pub(crate) fn is_placeholder(text: &str) -> bool {
    let bracketed = |open, close| text.starts_with(open) && text.ends_with(close);
    bracketed('{', '}')
        || bracketed('<', '>')
        || text.starts_with('%') && text.len() <= 3
        || !text.is_empty() && text.chars().all(|c| c == '*' || c == '?')
        || text.to_ascii_lowercase().trim_matches(['[', ']']) == "redacted"
}

/// The beginning of a text, as far as it is looked at.
fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT)]
}

/// In columns and pairs a name with dots is one name.
fn quoted_key_of_column(name: &str) -> String {
    if name.contains(['[', ']', '"', '\\']) {
        quoted_key(name)
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_SENTENCES, Sample};

    #[test]
    fn sentences_in_very_many_places_are_not_all_kept() {
        let members: Vec<String> = (0..3 * MAX_SENTENCES)
            .map(|n| format!("\"k{n}\":\"lock acquired a=1 b=2\""))
            .collect();
        let samples = Sample::all(&format!("{{{}}}\n", members.join(",")));
        let kept = samples.iter().map(|sample| sample.sentences.len());
        assert_eq!(kept.max(), Some(MAX_SENTENCES));
    }
}
