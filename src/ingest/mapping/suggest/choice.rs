//! Which path a field is most likely at, by its name and by the values there.

use super::current::field_inside;
use super::meaning::meaning;
use super::score::score;
use super::steps::event_of_words;
use crate::evidence::Field;
use crate::ingest::mapping::sample::{Sample, Values};
use crate::ingest::mapping::synonyms::NAMES;
use crate::near::plain;

/// What a path to what lies around the records is less likely.
const AROUND: i64 = 50;
/// What is known to be a field by its values.
const KNOWN: i64 = 1000;
/// Other candidates that are named.
const OTHERS: usize = 3;

/// The path of a field.
#[derive(Clone)]
pub(super) struct Choice<'s> {
    pub(super) field: Field,
    pub(super) path: &'s str,
    /// Other paths, the best first.
    pub(super) others: Vec<&'s str>,
}

impl<'s> Choice<'s> {
    /// A path beside which there is no other.
    pub(super) fn only(field: Field, path: &'s str) -> Choice<'s> {
        Choice {
            field,
            path,
            others: Vec::new(),
        }
    }
}

/// A path that is not that of a field, though its name says so.
pub(super) struct Aside {
    pub(super) field: Field,
    pub(super) path: String,
    pub(super) why: String,
    /// The field that it is instead.
    pub(super) becomes: Option<Field>,
}

impl Aside {
    /// A path that is left out.
    pub(super) fn new(field: Field, path: &str, why: impl Into<String>) -> Aside {
        Aside {
            field,
            path: path.to_owned(),
            why: why.into(),
            becomes: None,
        }
    }

    /// The same path, as that of another field.
    pub(super) fn becoming(self, field: Field) -> Aside {
        Aside {
            becomes: Some(field),
            ..self
        }
    }
}

/// A guess at where the fields of a log are.
pub(super) struct Guess<'s> {
    pub(super) sample: &'s Sample,
    /// The log that the sample is of.
    pub(super) text: &'s str,
    /// What was guessed before and can't be so.
    pub(super) aside: &'s [Aside],
    /// The path of each field that was found. Only that of the key may be the lock's, too.
    pub(super) chosen: Vec<Choice<'s>>,
    /// What tells locks of one name apart.
    pub(super) space: Option<&'s str>,
}

impl<'s> Guess<'s> {
    /// The best path of each field. One path is not used for two fields.
    pub(super) fn of(sample: &'s Sample, text: &'s str, aside: &'s [Aside]) -> Guess<'s> {
        let mut guess = Guess {
            sample,
            text,
            aside,
            chosen: by_score(sample, aside),
            space: None,
        };
        if guess.chosen.len() >= 2
            && !guess.has(Field::LockName)
            && let Some(path) = like_a_lock(sample)
        {
            guess.chosen.retain(|c| c.path != path);
            guess.chosen.push(Choice::only(Field::LockName, path));
        }
        if !guess.has(Field::LockName)
            && let Some(path) = guess.key_of_all()
        {
            guess.chosen.push(Choice::only(Field::LockName, path));
        }
        if !guess.has(Field::Seq) {
            guess.leave_out(Field::SeqBy);
        }
        if !guess.has(Field::FenceToken) {
            // Old and new tokens without one that came are those of an authority, not of a resource.
            guess.leave_out(Field::ResourceHighestTokenBefore);
            guess.leave_out(Field::ResourceHighestTokenAfter);
        }
        if !guess.has(Field::Event)
            && let Some(path) = guess.like_events()
        {
            guess.chosen.push(Choice::only(Field::Event, path));
        }
        guess
    }

    /// The path of a field, and others that it may have.
    pub(super) fn choice(&self, field: Field) -> Option<&Choice<'s>> {
        self.chosen.iter().find(|c| c.field == field)
    }

    pub(super) fn has(&self, field: Field) -> bool {
        self.choice(field).is_some()
    }

    pub(super) fn path(&self, field: Field) -> Option<&'s str> {
        self.choice(field).map(|c| c.path)
    }

    /// The values of a field.
    pub(super) fn values(&self, field: Field) -> Option<&'s Values> {
        self.sample.paths.get(self.path(field)?)
    }

    /// The name that the values at a path have.
    pub(super) fn name(&self, path: &str) -> &'s str {
        let values = self.sample.paths.get(path);
        values.map_or("", |values| &values.name)
    }

    /// Whether a path is that of a field.
    pub(super) fn is_chosen(&self, path: &str) -> bool {
        self.chosen.iter().any(|c| c.path == path)
    }

    /// Whether a path is that of a field, or was.
    pub(super) fn is_taken(&self, path: &str) -> bool {
        let is_aside = || self.aside.iter().any(|one| one.path == path);
        self.is_chosen(path) || self.space == Some(path) || is_aside()
    }

    /// Whether a path inside the records was not thought of yet.
    pub(super) fn is_free(&self, path: &str) -> bool {
        !path.starts_with('$') && !self.is_taken(path)
    }

    pub(super) fn leave_out(&mut self, field: Field) {
        self.chosen.retain(|c| c.field != field);
    }

    /// The same guess, in which locks of one name are told apart by what stands at a path.
    pub(super) fn within(&self, path: &'s str) -> Guess<'s> {
        Guess {
            space: Some(path),
            chosen: self.chosen.clone(),
            ..*self
        }
    }

    /// The same guess with some of its choices only, and as if it were the first one.
    pub(super) fn with(&self, is_kept: impl Fn(&Choice<'_>) -> bool) -> Guess<'s> {
        let kept = self.chosen.iter().filter(|choice| is_kept(choice));
        Guess {
            aside: &[],
            chosen: kept.cloned().collect(),
            ..*self
        }
    }

    /// Where nothing bears the name of a step: a free path whose values all name one, such as
    /// `msg` or the name of a span.
    fn like_events(&self) -> Option<&'s str> {
        let paths = self.sample.paths.iter();
        let steps = paths.filter(|(path, values)| {
            let mut texts = values.seen.iter().map(|(text, _)| text);
            // Not all lines need to be of a lock, but one word alone may say anything.
            !path.starts_with('$')
                && !self.is_chosen(path)
                && !values.more
                && values.seen.len() >= 2
                && texts.all(|text| event_of_words(text).is_some())
        });
        steps
            .max_by_key(|(_, values)| values.count)
            .map(|(path, _)| path.as_str())
    }

    /// Where nothing bears the name of a lock: the key that every record has, acquisitions and
    /// releases included. These are of a lock, which has then the name of the key.
    fn key_of_all(&self) -> Option<&'s str> {
        let key = self.path(Field::ResourceKey)?;
        let sentences = self.sample.sentences.iter().map(|one| &one.values);
        let mut answers = self
            .values(Field::Result)
            .into_iter()
            .chain(sentences)
            .flat_map(|values| &values.seen)
            .filter_map(|(text, _)| meaning(text));
        let all = self.sample.paths.get(key)?.count == self.sample.records;
        (all && answers.any(|to| matches!(to, "acquired" | "released"))).then_some(key)
    }
}

/// The best path of each field, by names and values alone.
fn by_score<'s>(sample: &'s Sample, aside: &[Aside]) -> Vec<Choice<'s>> {
    let mut scores: Vec<(i64, Field, &str)> = Vec::new();
    for (field, names) in NAMES {
        for (path, values) in &sample.paths {
            let around = path.starts_with('$');
            // Around the records there may be who wrote them; what is always the same is not.
            if around && (field != Field::OwnerId || values.seen.len() < 2) {
                continue;
            }
            // What was found last counts.
            if let Some(one) = aside.iter().rev().find(|one| one.path == *path) {
                if one.becomes == Some(field) {
                    scores.push((KNOWN, field, path));
                }
                // What it is not, it may not be of another field either.
                continue;
            }
            if let Some(found) = score(field, names, values) {
                let found = if around { found - AROUND } else { found };
                let fits = |values: &Values| score(field, names, values).is_some();
                scores.push((found, field_inside(sample, values, field, fits), path));
            }
        }
    }
    // The best score first; what is equal keeps the order of fields and paths.
    scores.sort_by(|a, b| {
        b.0.cmp(&a.0)
            .then(a.2.len().cmp(&b.2.len()))
            .then(a.2.cmp(b.2))
    });
    let mut chosen: Vec<Choice<'_>> = Vec::new();
    for (_, field, path) in &scores {
        if chosen.iter().any(|c| c.path == *path) {
            continue;
        }
        match chosen.iter_mut().find(|c| c.field == *field) {
            None => chosen.push(Choice::only(*field, path)),
            Some(choice) if choice.others.len() < OTHERS => choice.others.push(path),
            Some(_) => {}
        }
    }
    chosen
}

/// Where nothing bears the name of a lock: a key or a name whose values speak of one.
fn like_a_lock(sample: &Sample) -> Option<&str> {
    let speaks = |values: &Values| {
        let texts = values.seen.iter().map(|(text, _)| text.to_lowercase());
        let mut texts =
            texts.filter(|text| ["lock", "mutex", "lease"].iter().any(|w| text.contains(w)));
        texts.next().is_some()
    };
    let named = |values: &Values| {
        matches!(
            plain(&values.name).as_str(),
            "key" | "name" | "resource" | "path" | "id"
        )
    };
    let mut paths = sample.paths.iter();
    paths
        .find(|(_, values)| named(values) && speaks(values))
        .map(|(path, _)| path.as_str())
}
