//! Whether the patterns fit only lines that say the same: the first that fits a line counts,
//! so one that is too wide would give it an answer that it does not tell.

use regex::{Regex, RegexBuilder};

use super::Sentence;
use crate::ingest::mapping::read::PATTERN_SIZE;

/// Words before a sentence that a pattern counts.
const MAX_BEFORE: usize = 40;

/// Makes patterns that fit lines of another answer narrower, or sets them aside.
///
/// First the pattern goes to the end of the line, then it begins where the line begins, and
/// where that is not enough the sentence is left to a person.
pub(super) fn settle(sentences: &mut [Sentence], lines: &[(&String, Option<Sentence>)]) {
    let mut patterns: Vec<Option<Regex>> = sentences.iter_mut().map(compiled).collect();
    // A line that a pattern has lost may fit one behind it: until nothing is narrowed. Each
    // sentence has four states, so that it ends.
    let mut narrowed = true;
    while narrowed {
        narrowed = false;
        for (line, own) in lines {
            while let Some(at) = wrong(sentences, &patterns, line, own.as_ref()) {
                let (Some(sentence), Some(pattern)) = (sentences.get_mut(at), patterns.get_mut(at))
                else {
                    break;
                };
                narrow(sentence);
                *pattern = compiled(sentence);
                narrowed = true;
            }
        }
    }
    // A pattern that does not fit the line that it was made of fits none.
    for (sentence, pattern) in sentences.iter_mut().zip(&patterns) {
        let fits = |pattern: &Regex| pattern.is_match(&sentence.example);
        sentence.shared |= pattern.as_ref().is_some_and(|pattern| !fits(pattern));
    }
}

/// The first pattern that fits a line, where it takes from it what the line does not say.
fn wrong(
    sentences: &[Sentence],
    patterns: &[Option<Regex>],
    line: &str,
    own: Option<&Sentence>,
) -> Option<usize> {
    let fits = |pattern: &Option<Regex>| pattern.as_ref().is_some_and(|p| p.is_match(line));
    let at = patterns.iter().position(fits)?;
    let (sentence, pattern) = (sentences.get(at)?, patterns.get(at)?.as_ref()?);
    (!agrees(sentence, pattern, line, own)).then_some(at)
}

fn narrow(sentence: &mut Sentence) {
    let pattern = &mut sentence.pattern;
    match (pattern.to_end, pattern.from_start) {
        (false, _) => pattern.to_end = true,
        (true, false) if pattern.before <= MAX_BEFORE => pattern.from_start = true,
        (true, _) => sentence.shared = true,
    }
}

/// The pattern of a sentence that is proposed. What a mapping could not hold is not.
fn compiled(sentence: &mut Sentence) -> Option<Regex> {
    sentence.said()?;
    let mut builder = RegexBuilder::new(&sentence.pattern.text());
    let pattern = builder.size_limit(PATTERN_SIZE).build().ok();
    sentence.shared |= pattern.is_none();
    pattern
}

/// Whether what a pattern takes from a line is what the line says by itself.
fn agrees(sentence: &Sentence, pattern: &Regex, line: &str, own: Option<&Sentence>) -> bool {
    let Some(own) = own.filter(|own| own.says == sentence.says) else {
        return false;
    };
    let Some(groups) = pattern.captures(line) else {
        return false;
    };
    let mut names = pattern.capture_names().flatten();
    names.all(|name| {
        let at = own.fields.iter().position(|field| field.name() == name);
        let value = at.and_then(|at| own.values.get(at));
        let taken = groups.name(name).map(|group| group.as_str());
        taken == value.map(String::as_str)
    })
}
