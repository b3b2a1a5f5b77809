//! Sentences that know which of their pieces came from a log.
//!
//! The catalogue fills names into its sentences as they are. Before it does, each name is
//! put between two marks that no name can hold; afterwards the sentence is cut at the
//! marks. So a renderer can set a name apart, whatever it is made of.

use serde::{Serialize, Serializer};

/// Two characters that Unicode promises never to assign. In a name they are replaced.
const OPEN: char = '\u{fdd0}';
const CLOSE: char = '\u{fdd1}';

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Piece {
    /// Words of the tool.
    Words(String),
    /// A name from a log: hostile until it is escaped.
    Name(String),
}

/// A sentence. As JSON it is one string.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Text(Vec<Piece>);

/// A name between marks, for a sentence to be filled with.
pub fn marked(name: &str) -> String {
    let clean = name.replace([OPEN, CLOSE], "\u{fffd}");
    format!("{OPEN}{clean}{CLOSE}")
}

impl Text {
    /// Cuts a sentence that was filled with marked names.
    pub fn cut(sentence: &str) -> Text {
        let mut pieces = Vec::new();
        for part in sentence.split(OPEN) {
            match part.split_once(CLOSE) {
                Some((name, words)) => {
                    pieces.push(Piece::Name(name.to_owned()));
                    if !words.is_empty() {
                        pieces.push(Piece::Words(words.to_owned()));
                    }
                }
                None if part.is_empty() => {}
                None => pieces.push(Piece::Words(part.to_owned())),
            }
        }
        Text(pieces)
    }

    /// Words of the tool alone.
    pub fn words(words: impl Into<String>) -> Text {
        Text(vec![Piece::Words(words.into())])
    }

    /// A name from a log alone.
    pub fn name(name: &str) -> Text {
        Text(vec![Piece::Name(name.to_owned())])
    }

    /// The text with a name at its end.
    #[must_use]
    pub fn and_name(mut self, name: &str) -> Text {
        self.0.push(Piece::Name(name.to_owned()));
        self
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pieces, in order.
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// The sentence with more words at its end.
    #[must_use]
    pub fn and(mut self, words: &str) -> Text {
        self.0.push(Piece::Words(words.to_owned()));
        self
    }

    /// The whole sentence, names as they are.
    pub fn plain(&self) -> String {
        self.0
            .iter()
            .map(|piece| match piece {
                Piece::Words(text) => text.as_str(),
                Piece::Name(name) if name.is_empty() => "\"\"",
                Piece::Name(name) => name.as_str(),
            })
            .collect()
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.plain())
    }
}

impl schemars::JsonSchema for Text {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }

    fn inline_schema() -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece, Text, marked};

    #[test]
    fn names_are_told_from_words() {
        let sentence = format!("{}: {} wrote.", marked("a:b"), marked(""));
        let text = Text::cut(&sentence);
        assert_eq!(
            text.pieces(),
            [
                Piece::Name("a:b".to_owned()),
                Piece::Words(": ".to_owned()),
                Piece::Name(String::new()),
                Piece::Words(" wrote.".to_owned()),
            ]
        );
        assert_eq!(text.plain(), "a:b: \"\" wrote.");
    }

    #[test]
    fn a_name_cannot_forge_a_mark() {
        let text = Text::cut(&format!("{}!", marked("a\u{fdd1}b\u{fdd0}c")));
        assert_eq!(text.pieces().len(), 2);
        assert_eq!(text.plain(), "a\u{fffd}b\u{fffd}c!");
    }
}
