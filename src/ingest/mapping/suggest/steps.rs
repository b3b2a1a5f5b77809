//! What verbs and names say of a step, as far as a guess goes.

use super::meaning::spoken;
use crate::evidence::Event;

/// Verbs of services, and the step that they stand for.
const VERBS: [(&[&str], Event); 5] = [
    (
        &[
            "lock",
            "locking",
            "acquired",
            "acquiring",
            "obtain",
            "obtained",
            "take",
            "taken",
            "grant",
            "granted",
            "locked",
        ],
        Event::Acquire,
    ),
    (
        &[
            "renewed",
            "extend",
            "extended",
            "heartbeat",
            "refresh",
            "refreshed",
            "keepalive",
            "touch",
        ],
        Event::Renew,
    ),
    (&["expired", "lost", "evicted", "timeout"], Event::Expire),
    (
        &[
            "unlock",
            "unlocking",
            "unlocked",
            "released",
            "releasing",
            "free",
            "freed",
        ],
        Event::Release,
    ),
    (
        &[
            "written",
            "commit",
            "committed",
            "put",
            "append",
            "update",
            "apply",
            "applied",
            "save",
            "set",
        ],
        Event::Write,
    ),
];

/// `acquire`, `lock.acquire`, `LOCK_ACQUIRED`, `unlock`: the event at the end of a word.
pub(super) fn event_in(text: &str) -> Option<Event> {
    if text.contains(' ') {
        return None;
    }
    let last = text
        .rsplit(['.', ':', '/', '_', '-'])
        .next()
        .unwrap_or(text);
    let known = Event::from_word(text).or_else(|_| Event::from_word(last));
    let verb = last.to_lowercase();
    known
        .ok()
        .or_else(|| {
            let verbs = VERBS
                .iter()
                .find(|(verbs, _)| verbs.contains(&verb.as_str()));
            verbs.map(|(_, event)| *event)
        })
        .or_else(|| {
            // `tryLock`, `forceUnlock`: how it was asked for, and what.
            match spoken(last).split_once(' ') {
                Some(("try" | "force" | "get" | "do", "lock")) => Some(Event::Acquire),
                Some(("try" | "force" | "do", "unlock")) => Some(Event::Release),
                _ => None,
            }
        })
        .or_else(|| {
            // `write_rejected`, `ReleaseRefused`: the step, and what became of it.
            let words = spoken(text);
            let mut words = words.split(' ');
            words.find_map(|word| Event::from_word(word).ok())
        })
}

/// The same of one word or two, such as `lock acquire`, where nothing else names a step.
pub(super) fn event_of_words(text: &str) -> Option<Event> {
    match text.split_once(' ') {
        None => event_in(text),
        Some((_, last)) => event_in(last),
    }
}

#[cfg(test)]
mod tests {
    use super::event_in;

    #[test]
    fn verbs_at_the_end_of_a_word() {
        for (text, event) in [
            ("lock.acquired", Some("acquire")),
            ("LOCK_RELEASED", Some("release")),
            ("unlock", Some("release")),
            ("resource.written", Some("write")),
            ("extend", Some("renew")),
            ("lock released", None),
            ("request", None),
            ("write_rejected", Some("write")),
            ("lock.ReleaseDenied", Some("release")),
            ("tryLock", Some("acquire")),
            ("redis.forceUnlock", Some("release")),
            ("tryWrite", Some("write")),
            ("tryLater", None),
        ] {
            assert_eq!(event_in(text).map(|event| event.word()), event, "{text}");
        }
    }
}
