//! What takes an answer back, or gives it to somebody else.

/// Words of another outcome than the one that a sentence seems to tell.
const OUTCOMES: [&str; 46] = [
    "aborted",
    "blocked",
    "bounced",
    "canceled",
    "cancelled",
    "conflict",
    "conflicts",
    "declined",
    "deferred",
    "delayed",
    "discarded",
    "dropped",
    "error",
    "errors",
    "exception",
    "false",
    "forbidden",
    "ignored",
    "incomplete",
    "invalid",
    "ko",
    "lost",
    "nack",
    "no",
    "obsolete",
    "pending",
    "postponed",
    "queued",
    "retrying",
    "reverted",
    "revoked",
    "rollback",
    "sent",
    "skipped",
    "submitted",
    "superseded",
    "throttled",
    "timeout",
    "undone",
    "unknown",
    "unless",
    "unsuccessful",
    "unsuccessfully",
    "violated",
    "violation",
    "would",
];

/// The same in several words.
const PHRASES: [&str; 10] = [
    "rolled back",
    "timed out",
    "time-out",
    "in flight",
    " 0 rows",
    "rows=0",
    "rowcount=0",
    "rows: 0",
    "only in part",
    "?",
];

/// What stands there where nothing went wrong.
const HARMLESS: [&str; 7] = [
    "no error",
    "no conflict",
    "without error",
    "error=nil",
    "error=null",
    "error=none",
    "error=\"\"",
];

/// Whoever else it was, or who was only told of it.
const OTHERS: [&str; 14] = [
    "by other",
    "by another",
    "by someone",
    "by somebody",
    "by a different",
    "by different",
    "by the other",
    "by others",
    "informed",
    "notified",
    "noticed",
    "observed",
    " saw ",
    "elsewhere",
];

/// Words that say that a write was done.
const DONE: [&str; 10] = [
    "accepted",
    "applied",
    "committed",
    "succeeded",
    "success",
    "successful",
    "successfully",
    "passed",
    "ok",
    "allowed",
];

/// Why else something may be refused than for its token.
const REASONS: [&str; 25] = [
    "balance",
    "checksum",
    "conflict",
    "constraint",
    "disk",
    "forbidden",
    "full",
    "insufficient",
    "invalid",
    "large",
    "limit",
    "limited",
    "maintenance",
    "permission",
    "quota",
    "readonly",
    "schema",
    "size",
    "throttled",
    "unauthorised",
    "unauthorized",
    "unavailable",
    "unhealthy",
    "validation",
    "version",
];

/// Whether a refusal names another reason than the token, or is denied itself.
pub(in super::super) fn refused_otherwise(text: &str) -> bool {
    let reason = words(text).any(|word| REASONS.binary_search(&word).is_ok());
    reason
        || ["read only", "read-only", "timed out"]
            .iter()
            .any(|r| text.contains(r))
        || unrefused(text)
}

/// `not rejected` says that something was not refused, and no more.
pub(super) fn unrefused(text: &str) -> bool {
    let mut before = "";
    words(text).any(|word| {
        let not = matches!(before, "not" | "never" | "wasn't" | "isn't" | "no");
        before = word;
        not && matches!(
            word,
            "refused" | "rejected" | "denied" | "declined" | "fenced"
        )
    })
}

/// The words of a text, such as `can't`.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
}

/// Whether a sentence in lower case also tells another outcome.
pub(super) fn doubtful(text: &str) -> bool {
    let text = HARMLESS
        .iter()
        .fold(text.to_owned(), |text, words| text.replace(words, ""));
    words(&text).any(|word| OUTCOMES.binary_search(&word).is_ok())
        || PHRASES.iter().any(|phrase| text.contains(phrase))
}

/// Whether somebody else did it than the one that the line is of.
pub(super) fn of_another(text: &str) -> bool {
    OTHERS.iter().any(|words| text.contains(words))
}

/// Whether a sentence of a refusal says that the write was done all the same.
pub(in super::super) fn affirms(text: &str) -> bool {
    let mut before = "";
    words(text).any(|word| {
        let denied = matches!(
            before,
            "not" | "already" | "never" | "be" | "previously" | "last" | "latest" | "highest"
        );
        before = word;
        !denied && DONE.contains(&word)
    })
}

#[cfg(test)]
mod tests {
    use super::{OUTCOMES, REASONS};

    #[test]
    fn words_are_in_order() {
        assert!(OUTCOMES.is_sorted() && REASONS.is_sorted());
    }
}
