//! Whether the patterns fit only lines that say the same: the first that fits a line counts,
//! so one that is too wide would give it an answer that it does not tell.

use regex::Regex;

use super::Sentence;

/// Makes patterns that fit lines of another answer narrower, or sets them aside.
///
/// First the pattern goes to the end of the line, then it begins where the line begins, and
/// where that is not enough the sentence is left to a person.
pub(super) fn settle(sentences: &mut [Sentence], lines: &[(&String, Option<Sentence>)]) {
    // Each round narrows one sentence, which has three states.
    for _ in 0..=4 * sentences.len() {
        let patterns: Vec<Option<Regex>> = sentences.iter().map(compiled).collect();
        let wrong = lines.iter().find_map(|(line, own)| {
            let first =
                |pattern: &Option<Regex>| pattern.as_ref().is_some_and(|p| p.is_match(line));
            let at = patterns.iter().position(first)?;
            let (sentence, pattern) = (sentences.get(at)?, patterns.get(at)?.as_ref()?);
            (!agrees(sentence, pattern, line, own.as_ref())).then_some(at)
        });
        let Some(sentence) = wrong.and_then(|at| sentences.get_mut(at)) else {
            return;
        };
        let pattern = &mut sentence.pattern;
        match (pattern.to_end, pattern.from_start) {
            (false, _) => pattern.to_end = true,
            (true, false) => pattern.from_start = true,
            (true, true) => sentence.shared = true,
        }
    }
    // Not settled: nothing is proposed.
    for sentence in sentences {
        sentence.shared = true;
    }
}

/// The pattern of a sentence that is proposed.
fn compiled(sentence: &Sentence) -> Option<Regex> {
    sentence.says.filter(|_| !sentence.shared)?;
    Regex::new(&sentence.pattern.text()).ok()
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
