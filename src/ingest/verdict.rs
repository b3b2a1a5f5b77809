//! The step that a record shows: its event and its answer, each of which may follow from
//! the other.

use crate::evidence::{Answer, Event};
use crate::ingest::ProblemKind;

/// What a record gives where a word is looked for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Given<T> {
    /// Nothing.
    Nothing,
    /// Something that can't be used.
    Wrong,
    /// This.
    This(T),
}

impl<T> From<Option<T>> for Given<T> {
    fn from(found: Option<T>) -> Given<T> {
        found.map_or(Given::Nothing, Given::This)
    }
}

/// The step that a record shows, or why none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Verdict {
    pub(super) step: Result<(Event, Answer), ProblemKind>,
    /// The answer is there, and not in the vocabulary: of the event, or of any where the
    /// event is not known.
    pub(super) result_unknown: bool,
}

impl Verdict {
    /// The step, where nothing about it is wrong.
    pub(super) fn sound(self) -> Option<(Event, Answer)> {
        self.step.ok().filter(|_| !self.result_unknown)
    }
}

/// Finds the step. `has_token` is whether the record carries a usable `fenceToken`.
pub(super) fn decide(event: Given<Event>, result: Given<&str>, has_token: bool) -> Verdict {
    let known = |step| Verdict {
        step: Ok(step),
        result_unknown: false,
    };
    let unknown = |kind| Verdict {
        step: Err(kind),
        result_unknown: false,
    };
    let word = match (result, event) {
        (Given::This(word), _) => word,
        // The one thing that an expiry can have come to.
        (Given::Nothing, Given::This(Event::Expire)) => {
            return known((Event::Expire, Answer::Expired));
        }
        (_, Given::This(event)) => return known((event, Answer::InDoubt)),
        (Given::Wrong, _) => return unknown(ProblemKind::UnknownResult),
        (_, Given::Wrong) => return unknown(ProblemKind::UnknownEvent),
        (_, Given::Nothing) => return unknown(ProblemKind::NoEvent),
    };
    let event = match event {
        Given::This(event) => Some(event),
        Given::Nothing => None,
        // Of a step that was not understood only an answer that belongs to one step
        // alone can be believed: an `accepted` unlock is no accepted write.
        Given::Wrong => {
            let answer = Answer::spelled(word).filter(|answer| *answer != Answer::Accepted);
            let step = answer.and_then(|answer| Some((answer.event()?, answer)));
            return match step {
                Some(step) => known(step),
                None => Verdict {
                    step: Err(ProblemKind::UnknownEvent),
                    result_unknown: !Answer::is_word(word),
                },
            };
        }
    };
    match Answer::of_word(word, event, has_token) {
        Some(answer) => match event.or(answer.event()) {
            Some(event) => known((event, answer)),
            None => unknown(ProblemKind::NoEvent),
        },
        // A word of several steps says nothing without its event.
        None if event.is_none() && Answer::is_word(word) => unknown(ProblemKind::NoEvent),
        None => Verdict {
            step: event
                .map(|event| (event, Answer::InDoubt))
                .ok_or(ProblemKind::UnknownResult),
            result_unknown: true,
        },
    }
}
