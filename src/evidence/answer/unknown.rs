//! Words that the format does not have, and what to write instead.

use super::{Answer, Event, SYNONYMS, bare};
use crate::near::distance;

/// A word outside the vocabulary, or one that does not belong to the event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord {
    /// The known word that a person is likely to have meant, where there is one.
    pub nearest: Option<&'static str>,
    /// The answer that is most alike, however far, of those that do not say the opposite; `None`
    /// of an event, whose words say no more to one than to another.
    pub most_alike: Option<&'static str>,
    /// The words to choose from: the events, or the answers that belong to the event.
    pub known: Vec<&'static str>,
    /// The step whose answer the nearest word is, where it is none of the given one.
    pub of_step: Option<Event>,
}

impl UnknownWord {
    /// A word that none of `known` is, nor any of the synonyms.
    pub(super) fn new<M: PartialEq + Copy>(
        wrong: &str,
        known: &[(&'static str, M)],
        synonyms: impl Iterator<Item = (&'static str, M)>,
    ) -> UnknownWord {
        UnknownWord {
            nearest: nearest(wrong, known.iter().copied().chain(synonyms)),
            most_alike: None,
            known: known.iter().map(|(word, _)| *word).collect(),
            of_step: None,
        }
    }

    /// The same of an answer, with the one that is most alike.
    pub(super) fn and_most_alike(self, wrong: &str) -> UnknownWord {
        UnknownWord {
            most_alike: most_alike(wrong, &self.known),
            ..self
        }
    }

    /// The same where no word of the step is near: an answer of another one may be meant.
    pub(super) fn or_of_another_step(self, wrong: &str) -> UnknownWord {
        let answers = || {
            Answer::ALL
                .into_iter()
                .map(|answer| (answer.word(), answer))
        };
        let other = match self.nearest {
            Some(_) => None,
            None => nearest(wrong, answers()),
        };
        let Some(word) = other else {
            return self;
        };
        UnknownWord {
            nearest: Some(word),
            of_step: Answer::canonical(word).and_then(Answer::event),
            ..self
        }
    }

    /// What to write: the nearest word and, where that is far, all that there are.
    pub fn hint(&self) -> String {
        let known = || self.known.join(", ");
        match (self.nearest, self.of_step) {
            (Some(word), None) => format!("did you mean `{word}`?"),
            (Some(word), Some(step)) => format!(
                "the nearest known word is `{word}`, which follows `{}`; known here: {}",
                step.word(),
                known()
            ),
            (None, _) => match self.most_alike {
                Some(word) => format!(
                    "the nearest known word is `{word}`; known here: {}",
                    known()
                ),
                None => format!("known here: {}", known()),
            },
        }
    }
}

/// The answer of any step, or the synonym of one, that a person is likely to have meant.
pub(crate) fn nearest_answer(wrong: &str) -> Option<&'static str> {
    let answers = Answer::ALL.into_iter().map(Answer::word).chain(SYNONYMS);
    // What a synonym says may hang on the step.
    nearest(
        wrong,
        answers.map(|word| (word, Answer::of_word(word, None, true))),
    )
}

/// The nearest of some words, each with its meaning: none where several are as near and mean
/// different things, and none that says no where the other says yes.
fn nearest<M: PartialEq>(
    wrong: &str,
    words: impl Iterator<Item = (&'static str, M)>,
) -> Option<&'static str> {
    let mut best: Option<(usize, &'static str, M)> = None;
    let mut unclear = false;
    for (word, meaning) in words {
        let Some(far) = distance(wrong, word) else {
            continue;
        };
        match &best {
            Some((least, ..)) if far > *least => {}
            Some((least, _, known)) if far == *least => unclear |= *known != meaning,
            _ => {
                best = Some((far, word, meaning));
                unclear = false;
            }
        }
    }
    let (_, word, _) = best.filter(|_| !unclear)?;
    (denies(word) == denies(wrong)).then_some(word)
}

/// Of the answers that say yes or no as the wrong word does, the most alike, and of several the
/// first documented. Doubt is neither.
fn most_alike(wrong: &str, answers: &[&'static str]) -> Option<&'static str> {
    let mut best: Option<(f64, &'static str)> = None;
    for &word in answers {
        let fits = refuses(word) == refuses(wrong) && word != Answer::InDoubt.word();
        let alike = strsim::jaro_winkler(&bare(wrong), &bare(word));
        if fits && best.is_none_or(|(known, _)| alike > known) {
            best = Some((alike, word));
        }
    }
    best.map(|(_, word)| word)
}

/// Whether a word tells of something that was not done. `unaccepted` says the opposite of
/// `accepted`; `unlocked` and `inserted` are no denials.
fn refuses(word: &str) -> bool {
    let bare_word = bare(word);
    let answers = || Answer::ALL.into_iter().map(Answer::word).chain(SYNONYMS);
    let denied = ["dis", "n", "no", "not", "un"]
        .iter()
        .filter_map(|begin| bare_word.strip_prefix(begin))
        .chain(bare_word.strip_suffix("no"))
        .find(|rest| answers().any(|known| bare(known) == *rest));
    if let Some(denied) = denied {
        return !tells_refusal(denied);
    }
    let begins = |begin: &str| bare_word.starts_with(begin);
    tells_refusal(&bare_word) || begins("not") && !begins("note") && !begins("noti")
}

/// Whether a word names a refusal or a loss.
fn tells_refusal(bare: &str) -> bool {
    let refusals = [
        "reject", "refus", "denied", "deny", "fail", "lost", "stale", "fenced", "conflict", "busy",
        "held", "error",
    ];
    refusals.iter().any(|refusal| bare.contains(refusal))
}

/// Whether a word says no: `not-held`, `unaccepted`, `granted_no`. Few letters make such a word
/// of its opposite.
fn denies(word: &str) -> bool {
    let bare = bare(word);
    ["dis", "im", "in", "no", "un"]
        .iter()
        .any(|begin| bare.starts_with(begin))
        || bare.contains("not")
        || bare.contains("false")
        || bare.ends_with("no")
}
