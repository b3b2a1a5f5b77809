//! The words for every lint code, one file a language, and the examples of each.
//!
//! The matches name every code, so what lacks a word in one language does not compile.

mod en;
mod examples;
mod ru;

pub use examples::{Examples, examples};

use super::code::Code;
use crate::incident::catalogue::Language;

/// The words for a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// One sentence: what is wrong.
    pub summary: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// How to fix it at the source.
    pub fix: &'static str,
}

/// The words for a code.
pub fn entry(language: Language, code: Code) -> Entry {
    match language {
        Language::En => en::entry(code),
        Language::Ru => ru::entry(code),
    }
}

/// The names of the parts of a page, in the order in which a page has them: severity,
/// why, bad, good, fix.
pub fn headings(language: Language) -> [&'static str; 5] {
    match language {
        Language::En => [
            "Severity",
            "Why it matters",
            "Bad",
            "Good",
            "How to fix it at the source",
        ],
        Language::Ru => [
            "Важность",
            "Почему это важно",
            "Плохо",
            "Хорошо",
            "Как исправить в источнике",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::{Code, entry, examples};
    use crate::incident::catalogue::Language;

    #[test]
    fn every_code_has_whole_sentences_in_every_language() {
        for language in Language::ALL {
            let mut seen = std::collections::HashSet::new();
            for code in Code::ALL {
                let entry = entry(language, *code);
                for text in [entry.summary, entry.why, entry.fix] {
                    assert!(text.ends_with('.'), "{code}: {text}");
                    assert!(!text.contains("  ") && text.len() < 500, "{code}: {text}");
                }
                assert!(seen.insert(entry.summary), "{code}");
                let examples = examples(*code);
                assert!(examples.bad != examples.good && !examples.bad.is_empty());
            }
        }
    }
}
