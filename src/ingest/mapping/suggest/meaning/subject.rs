//! What a sentence says it of: a lock that was released, and not a connection, or the file of
//! a lock; a write that was accepted, and not one to a cache.

mod words;

use words::{
    ACTORS, AUXILIARIES, JUDGES, KINDS, LOCKS, OTHER_THINGS, PREPOSITIONS, SIDES, STEPS, THINGS,
    UNDONE, WRITES,
};

/// Whether a sentence in lower case, or the words of a name, that seem to say `answer` say it
/// of a lock, or of a write.
pub(in super::super) fn is_of_it(text: &str, is_name: bool, answer: &str) -> bool {
    let clauses = clauses(text);
    let all = |words: &[&str]| {
        let all = clauses.iter().flatten();
        all.copied().any(|word| words.contains(&word))
    };
    let (verbs, nouns): (&[&str], &[&str]) = match answer {
        "acquired" => (&["acquired", "obtained", "taken", "locked"], &LOCKS),
        "released" => (&["released", "unlocked", "freed"], &LOCKS),
        "renewed" => (&["renewed", "extended", "refreshed"], &LOCKS),
        "expired" => (&["expired", "lost"], &LOCKS),
        "accepted" => (
            &[
                "accepted",
                "committed",
                "succeeded",
                "applied",
                "wrote",
                "written",
                "ok",
            ],
            &WRITES,
        ),
        "rejected" | "rejected-stale-fence" => {
            let of_a_write = all(&["write", "writes", "wrote", "update", "commit"]);
            return !all(&["auth", "jwt", "csrf", "oauth", "bearer"])
                && (of_a_write || !all(&OTHER_THINGS))
                && !clauses.iter().any(|words| refuses_another(words));
        }
        _ => return true,
    };
    if all(&["yesterday"]) || text.contains("test mode") {
        return false;
    }
    let told = clauses.iter().find_map(|words| {
        let at = words.iter().position(|word| verbs.contains(word))?;
        Some((words, at))
    });
    told.is_none_or(|(words, at)| is_told_of(words, at, is_name, nouns))
}

/// Whether the verb at a place is told of one of these nouns.
fn is_told_of(words: &[&str], at: usize, is_name: bool, nouns: &[&str]) -> bool {
    let (before, after) = words.split_at(at);
    let after = after.get(1..).unwrap_or_default();
    let undone = before.iter().any(|word| UNDONE.contains(word));
    if undone || went_elsewhere(after, nouns) {
        return false;
    }
    // `released the lock`: what it is done to follows.
    let object = after
        .iter()
        .take_while(|word| !PREPOSITIONS.contains(word))
        .position(|word| nouns.contains(word));
    if let Some(object) = object {
        let (kind, behind) = after.split_at(object);
        return !kind.iter().any(|word| is_other(word, nouns))
            && !behind.get(1).is_some_and(|word| THINGS.contains(word));
    }
    if after.first().is_some_and(|word| is_other(word, nouns)) {
        return false;
    }
    let end = before.iter().rposition(|word| !AUXILIARIES.contains(word));
    let before = before
        .get(..end.map_or(0, |end| end + 1))
        .unwrap_or_default();
    let Some(noun) = before.iter().rposition(|word| nouns.contains(word)) else {
        // In a name that is all that stands there, what comes before is whose it is.
        if is_name {
            let last = before.last();
            return !last.is_some_and(|word| THINGS.contains(word) || OTHER_THINGS.contains(word));
        }
        let bare = [&ACTORS[..], &PREPOSITIONS, &STEPS];
        let is_bare = |word: &&str| bare.iter().any(|words| words.contains(word));
        return before.iter().all(is_bare);
    };
    let (kind, behind) = before.split_at(noun);
    if behind.get(1).is_some_and(|word| THINGS.contains(word)) {
        return false;
    }
    let of = kind.iter().rposition(|word| PREPOSITIONS.contains(word));
    let (whose, kind) = kind.split_at(of.unwrap_or_default());
    // `listener of a lock`.
    let whose = whose.iter().rfind(|word| !PREPOSITIONS.contains(word));
    let whose = whose.is_none_or(|word| nouns.contains(word) || ACTORS.contains(word));
    whose && !kind.iter().any(|word| is_other_kind(word, nouns))
}

/// Whether a word is that of another kind of write, or of lock.
fn is_other_kind(word: &str, nouns: &[&str]) -> bool {
    match nouns.contains(&"write") {
        true => SIDES.contains(&word),
        false => KINDS.contains(&word),
    }
}

fn is_other(word: &str, nouns: &[&str]) -> bool {
    is_other_kind(word, nouns) || !nouns.contains(&"write") && THINGS.contains(&word)
}

/// Whether what follows a verb says that it happened in a cache, or that a proxy accepted it.
fn went_elsewhere(after: &[&str], nouns: &[&str]) -> bool {
    let of_write = nouns.contains(&"write");
    let mut before = "";
    after.iter().any(|word| {
        let elsewhere = match before {
            "in" => is_other(word, nouns) || matches!(*word, "cache" | "queue" | "memory"),
            "by" => of_write && !is_judge(word),
            _ => of_write && *word == "into",
        };
        before = word;
        elsewhere
    })
}

fn is_judge(word: &str) -> bool {
    JUDGES.contains(&word) || ACTORS.contains(&word)
}

/// Whether a clause tells of a refusal that is that of a lock, or comes from somebody who
/// compares no tokens.
fn refuses_another(words: &[&str]) -> bool {
    let is_refusal = |word: &&str| matches!(*word, "rejected" | "refused" | "denied" | "declined");
    let Some(at) = words.iter().position(is_refusal) else {
        return false;
    };
    let (mut before, after) = words.split_at(at);
    if let ["by", by, ..] = after.get(1..).unwrap_or_default()
        && !is_judge(by)
    {
        return true;
    }
    // The noun that no preposition ties to one before it.
    loop {
        let known = |word: &&str| LOCKS.contains(word) || WRITES.contains(word) || *word == "token";
        let Some(noun) = before.iter().rposition(known) else {
            return false;
        };
        let (rest, found) = before.split_at(noun);
        let tied = rest.iter().rposition(|word| PREPOSITIONS.contains(word));
        match tied.filter(|tied| noun - tied <= 3) {
            Some(tied) if rest.get(..tied).is_some_and(|rest| !rest.is_empty()) => {
                before = rest.get(..tied).unwrap_or_default();
            }
            _ => return found.first().is_some_and(|noun| LOCKS.contains(noun)),
        }
    }
}

/// The words of each clause. What stands in quotes, or holds a digit, is a value.
fn clauses(text: &str) -> Vec<Vec<&str>> {
    let mut clauses = vec![Vec::new()];
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let behind = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = match c {
            '\'' | '"' | '`' => behind.split_once(c).map_or(behind, |(_, behind)| behind),
            ':' | ';' | ',' | '|' | '(' | ')' | '[' | ']' | '{' | '}' | '.' => {
                clauses.push(Vec::new());
                behind
            }
            c if c.is_alphanumeric() => {
                let is_part = |c: char| c.is_alphanumeric() || "_-/@#+:.'".contains(c);
                let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
                let (word, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
                let bare = word.trim_end_matches([':', '.', '-', '\'']);
                let is_value = bare.contains(|c: char| c.is_ascii_digit() || "_/@#+:".contains(c));
                if let (false, Some(clause)) = (is_value, clauses.last_mut()) {
                    clause.extend(bare.split('-'));
                }
                if word.ends_with([':', '.']) {
                    clauses.push(Vec::new());
                }
                behind
            }
            '-' if behind.starts_with(' ') => {
                clauses.push(Vec::new());
                behind
            }
            _ => behind,
        };
    }
    clauses
}
