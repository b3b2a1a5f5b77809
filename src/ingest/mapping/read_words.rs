//! From the TOML under `words` to the words of a field, each of which the field must have.

use std::ops::Range;

use super::error::{near_or_all, nearest_hint};
use super::read::{Reader, Value};
use super::spec::Words;
use crate::evidence::answer::{SYNONYMS, nearest_answer};
use crate::evidence::token::parse_token;
use crate::evidence::{Answer, Event, Field, Origin};

impl<'i> Reader<'i> {
    pub(super) fn words(&mut self, value: &Value<'i>, field: Field) -> Option<Words> {
        let Some(table) = value.get_ref().as_table() else {
            self.fault(
                value.span(),
                "`words` is a table",
                "words = { OK = \"accepted\" }",
            );
            return None;
        };
        let mut words = Words {
            table: Vec::new(),
            otherwise: None,
        };
        for (key, value) in table {
            let Some(to) = self.scalar(value) else {
                continue;
            };
            self.right_word(field, &to, value.span());
            if key.get_ref() == "*" {
                words.otherwise = Some(to);
            } else {
                words.table.push((key.get_ref().to_string(), to));
            }
        }
        Some(words)
    }

    /// A word that the mapping itself gives must be one that the field has.
    pub(super) fn right_word(&mut self, field: Field, word: &str, span: Range<usize>) {
        let fault = match field {
            Field::Event => Event::from_word(word)
                .err()
                .map(|_| nearest_hint(word, Event::ALL.into_iter().map(Event::word))),
            Field::SeqBy => Origin::from_word(word)
                .is_none()
                .then(|| nearest_hint(word, Origin::ALL.into_iter().map(Origin::word))),
            Field::Result => {
                let words = Answer::ALL.into_iter().map(Answer::word).chain(SYNONYMS);
                (!Answer::is_word(word)).then(|| near_or_all(nearest_answer(word), words))
            }
            field if field.is_number() => parse_token(word).err().map(|error| error.to_string()),
            _ => None,
        };
        if let Some(hint) = fault {
            self.fault(span, format!("`{word}` is no {field}"), hint);
        }
    }
}
