use super::{Answer, Event, SYNONYMS};
use crate::evidence::Origin;

#[test]
fn canonical_words_stand_for_themselves() {
    for answer in Answer::ALL {
        assert_eq!(
            Answer::from_word(answer.word(), answer.event(), true),
            Ok(answer)
        );
    }
    assert_eq!(
        Answer::from_word("Rejected_Stale_Fence", None, true),
        Ok(Answer::RejectedStaleFence)
    );
}

/// Ways in which a documented word is written.
fn spellings(word: &str) -> [String; 8] {
    let parts: Vec<&str> = word.split('-').collect();
    let capitals: Vec<String> = parts
        .iter()
        .map(|part| part[..1].to_uppercase() + &part[1..])
        .collect();
    let pascal = capitals.concat();
    [
        parts.concat(),
        parts.concat().to_uppercase(),
        parts.join("_"),
        parts.join("_").to_uppercase(),
        capitals.join(" "),
        pascal[..1].to_lowercase() + &pascal[1..],
        pascal,
        format!(" -{}_ ", word.replace('-', "--")),
    ]
}

#[test]
fn case_and_what_joins_words_do_not_matter() {
    for event in Event::ALL {
        for spelling in spellings(event.word()) {
            assert_eq!(Event::from_word(&spelling), Ok(event), "{spelling}");
        }
        for word in Answer::ALL.map(Answer::word).iter().chain(&SYNONYMS) {
            let meant = Answer::from_word(word, Some(event), true);
            for spelling in spellings(word) {
                let read = Answer::from_word(&spelling, Some(event), true);
                assert_eq!(read, meant, "{spelling}");
                assert!(Answer::is_word(&spelling), "{spelling}");
            }
        }
    }
    for origin in Origin::ALL {
        for spelling in spellings(origin.word()) {
            assert_eq!(Origin::from_word(&spelling), Some(origin), "{spelling}");
        }
    }
    for wrong in [
        "",
        "-",
        "_ _",
        "rejected-stale-fences",
        "rejected.stale.fence",
    ] {
        assert!(Answer::from_word(wrong, Some(Event::Write), true).is_err());
        assert!(!Answer::is_word(wrong), "{wrong}");
        assert!(Event::from_word(wrong).is_err());
        assert!(Origin::from_word(wrong).is_none());
    }
}

#[test]
fn a_yes_means_what_was_asked() {
    let yes = |event| Answer::from_word("ok", Some(event), true);
    assert_eq!(yes(Event::Acquire), Ok(Answer::Acquired));
    assert_eq!(yes(Event::Renew), Ok(Answer::Renewed));
    assert_eq!(yes(Event::Release), Ok(Answer::Released));
    assert_eq!(yes(Event::Write), Ok(Answer::Accepted));
    assert!(Answer::from_word("ok", None, true).is_err());
    let accepted = |event| Answer::from_word("Accepted", Some(event), true);
    assert_eq!(accepted(Event::Acquire), Ok(Answer::Acquired));
    assert_eq!(accepted(Event::Release), Ok(Answer::Released));
    assert_eq!(accepted(Event::Write), Ok(Answer::Accepted));
}

#[test]
fn a_bare_rejection_needs_a_token_to_be_about_fencing() {
    let rejected = |token| Answer::from_word("rejected", Some(Event::Write), token);
    assert_eq!(rejected(true), Ok(Answer::RejectedStaleFence));
    assert_eq!(rejected(false), Ok(Answer::RejectedOther));
}

#[test]
fn a_word_with_a_slip_names_the_nearest() {
    let err = Answer::from_word("relased", Some(Event::Release), true).unwrap_err();
    assert_eq!(err.nearest, Some("released"));
    assert_eq!(err.hint(), "did you mean `released`?");
    assert!(Answer::from_word("acquired", Some(Event::Write), true).is_err());
    let err = Event::from_word("aquire").unwrap_err();
    assert_eq!(err.nearest, Some("acquire"));
}

#[test]
fn far_words_name_all_that_there_are() {
    for wrong in ["conflict", "zzz", "", "\u{1f512}", "commit ok"] {
        for event in Event::ALL {
            let err = Answer::from_word(wrong, Some(event), true).unwrap_err();
            assert_eq!(err.nearest, None, "{wrong}");
            for answer in Answer::ALL {
                let own = [None, Some(event)].contains(&answer.event());
                assert_eq!(err.known.contains(&answer.word()), own);
            }
        }
        assert_eq!(Event::from_word(wrong).unwrap_err().nearest, None);
    }
    let err = Answer::from_word("zzz", Some(Event::Write), true).unwrap_err();
    assert_eq!(
        err.hint(),
        "the nearest known word is `accepted`; known here: accepted, rejected-stale-fence, \
         rejected-duplicate, rejected-other, in-doubt"
    );
}

#[test]
fn no_word_is_near_that_says_the_opposite() {
    use Event::{Acquire, Release, Renew, Write};
    for (event, wrong) in [
        (Some(Release), "rejected"),
        (Some(Release), "denied"),
        (Some(Release), "unreleased"),
        (Some(Release), "not_released"),
        (Some(Renew), "lost"),
        (Some(Renew), "unrenewed"),
        (Some(Acquire), "released"),
        (Some(Acquire), "granted_no"),
        (Some(Acquire), "nok"),
        (Some(Write), "unaccepted"),
        (Some(Write), "unfenced"),
        (Some(Write), "not-stale"),
        (None, "leader elected"),
        (None, "gone"),
    ] {
        let err = Answer::from_word(wrong, event, true).unwrap_err();
        let of_another = err.of_step.is_some();
        assert!(
            err.nearest.is_none() || of_another,
            "{wrong}: {}",
            err.hint()
        );
    }
    // The most alike that is named where none is near says no where the word does.
    for (event, wrong, most_alike) in [
        (Release, "rejected", "release-rejected-not-owner"),
        (Release, "denied", "release-rejected-not-owner"),
        (Renew, "lost", "renew-rejected-not-owner"),
        (Acquire, "refused by quorum", "acquire-rejected-held"),
        (Write, "commit ok", "accepted"),
        (Write, "inserted", "accepted"),
        (Write, "not-stale", "accepted"),
        (Write, "unaccepted", "rejected-other"),
        (Release, "unlocked", "released"),
        (Renew, "not prolonged", "renew-rejected-not-owner"),
    ] {
        let err = Answer::from_word(wrong, Some(event), true).unwrap_err();
        assert_eq!(err.most_alike, Some(most_alike), "{wrong}");
    }
    // Several answers begin so, and they say different things.
    for (event, wrong) in [
        (Some(Release), "release"),
        (Some(Write), "reject"),
        (None, "renew"),
    ] {
        let err = Answer::from_word(wrong, event, true).unwrap_err();
        assert_eq!(err.nearest, None, "{wrong}");
        assert!(err.hint().starts_with("the nearest known word is `"));
    }
}
