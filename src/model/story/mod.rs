//! Stories: short scripted runs, each of one class of incident or of one trap.
//!
//! A story is data: faults, beats and what must be true at its end. What it asserts is
//! computed from the run, never written down beside it.

mod scripts;
mod telling;

use serde::Serialize;

use super::action::Action;
use super::event::Event;
use super::fact::FactKind;
use super::fault::{Faults, ResourceFault};
use super::names::Names;
use super::run::Run;
use super::sighting::Sighting;
use super::truth::Truth;
use super::watch::Watching;
use super::world::Setup;

pub use scripts::stories;
pub use telling::{json, text};

/// How long a lease lasts in a story, in milliseconds.
pub const TTL_MS: u64 = 5000;

/// One step of a story.
#[derive(Debug, Clone, Copy)]
pub struct Beat {
    /// Its name in the timeline.
    pub name: &'static str,
    /// What is done.
    pub action: Action,
    /// The value that a write carries.
    pub value: &'static str,
}

/// A scripted run.
#[derive(Debug, Clone)]
pub struct Story {
    /// Its name on the command line.
    pub name: &'static str,
    /// What happens, in one sentence.
    pub tells: &'static str,
    /// The locks, by name.
    pub locks: &'static [&'static str],
    /// What its leases are called.
    pub lease: &'static str,
    /// What is wrong.
    pub faults: Faults,
    /// Who sees it.
    pub watching: Watching,
    /// The steps.
    pub beats: Vec<Beat>,
    /// What is true at the end, and nothing else is.
    pub facts: &'static [FactKind],
    /// Whether the resource ends with the value of the newest lease that wrote.
    pub keeps_newer: bool,
    /// Whether it is told beside its unsafe contrast, where the resource compares
    /// nothing.
    pub contrast: bool,
    /// What it does not show.
    pub not_shown: &'static [&'static str],
}

/// Something that a story asserts of its run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Assertion {
    /// Its name in data.
    pub name: String,
    /// It in words.
    pub says: String,
    /// Whether it held.
    pub held: bool,
}

/// One step as it went.
#[derive(Debug, Clone)]
pub struct Step {
    /// The beat.
    pub beat: Beat,
    /// The clock after it, in milliseconds.
    pub at: u64,
    /// What it came to; nothing for a clock that moved.
    pub event: Option<Event>,
}

/// One run of a story.
#[derive(Debug, Clone)]
pub struct Telling {
    /// The steps.
    pub steps: Vec<Step>,
    /// The value that the first lock's resource holds at the end.
    pub value: Option<&'static str>,
    /// Whether that is the value of the newest lease that wrote.
    pub keeps_newer: bool,
    /// The owner of the first lock at the end.
    pub holder: Option<u32>,
    /// The evidence.
    pub lines: Vec<Sighting>,
    /// The truth.
    pub truth: Truth,
}

/// A story that was run, with its contrast and its assertions.
#[derive(Debug, Clone)]
pub struct Told {
    /// The run.
    pub run: Telling,
    /// The run without protection, where the story has one.
    pub contrast: Option<Telling>,
    /// What is asserted.
    pub assertions: Vec<Assertion>,
}

impl Story {
    /// The story of that name.
    pub fn named(name: &str) -> Option<Story> {
        stories().into_iter().find(|story| story.name == name)
    }

    /// The names of its run.
    pub fn names(&self) -> Names {
        Names::told(self.locks, self.lease)
    }

    /// Runs it with those faults.
    pub fn run_with(&self, faults: Faults) -> Telling {
        let setup = Setup {
            locks: self.locks.len() as u32,
            workers: 4,
            ttl: TTL_MS * 1000,
            faults,
        };
        let mut run = Run::new(setup, self.watching.clone(), 0, true);
        let (mut steps, mut lines) = (Vec::new(), Vec::new());
        let mut values: Vec<(u64, &'static str)> = Vec::new();
        for beat in &self.beats {
            lines.extend_from_slice(run.step(beat.action));
            let event = run.world().news().0.last().copied();
            values.extend(event.map(|event| (event.id, beat.value)));
            steps.push(Step {
                beat: *beat,
                at: run.world().clock() / 1000,
                event,
            });
        }
        let parts = 0..=setup.workers;
        let held = parts
            .filter_map(|part| run.world().value(0, part))
            .max_by_key(|mark| mark.event);
        let newest = steps.iter().filter_map(|step| {
            let event = step
                .event
                .filter(|event| event.answer == crate::evidence::Answer::Accepted)?;
            event.lease.filter(|_| event.lock == 0)
        });
        let newest = newest.max();
        let value = held
            .and_then(|mark| values.iter().find(|(id, _)| *id == mark.event))
            .map(|(_, value)| *value);
        let holder = run.world().holder(0).map(|grant| grant.owner);
        let (last, truth) = run.finish();
        lines.extend(last);
        Telling {
            steps,
            value,
            keeps_newer: held.map(|mark| mark.lease) == newest,
            holder,
            lines,
            truth: truth.unwrap_or_else(|| Truth::new(faults)),
        }
    }

    /// Runs it, with its contrast, and asks what held.
    pub fn tell(&self) -> Told {
        self.tell_with(self.faults)
    }

    /// Runs it under other faults than its own: what it asserts stays the same.
    pub fn tell_with(&self, faults: Faults) -> Told {
        let run = self.run_with(faults);
        let unsafe_faults = Faults {
            resource: ResourceFault::Unfenced,
            ..faults
        };
        let contrast = self.contrast.then(|| self.run_with(unsafe_faults));
        let mut assertions = Vec::new();
        if let Some(contrast) = &contrast {
            self.assert_protection(&run, contrast, &mut assertions);
        }
        self.assert_facts(&run, &mut assertions);
        Told {
            run,
            contrast,
            assertions,
        }
    }

    /// What the protected story and its contrast assert of each other.
    fn assert_protection(
        &self,
        run: &Telling,
        contrast: &Telling,
        assertions: &mut Vec<Assertion>,
    ) {
        let status = |run: &Telling, name: &str| {
            let step = run.steps.iter().find(|step| step.beat.name == name);
            step.and_then(|step| step.event)
                .map(|event| event.answer.word())
        };
        let mut assert = |name: &str, says: &str, held| {
            assertions.push(Assertion {
                name: name.to_owned(),
                says: says.to_owned(),
                held,
            });
        };
        assert(
            "protectedResourceRetainedNewerValue",
            "the protected resource kept the newer value",
            run.value == Some("v2") && run.keeps_newer,
        );
        assert(
            "staleFirstWriteWasRejected",
            "the old owner's write was refused as stale",
            status(run, "staleFirstWrite") == Some("rejected-stale-fence"),
        );
        assert(
            "staleReleaseDidNotFreeNewLease",
            "the old handle did not release the new lease",
            status(run, "staleRelease") == Some("release-rejected-not-owner")
                && run.holder == Some(1),
        );
        assert(
            "unsafeContrastLostNewerValue",
            "without the comparison the old value replaced the newer one",
            contrast.value == Some("v1") && !contrast.keeps_newer,
        );
    }

    fn assert_facts(&self, run: &Telling, assertions: &mut Vec<Assertion>) {
        let happened = |kind: FactKind| {
            run.truth
                .facts()
                .iter()
                .any(|fact| fact.kind == kind && !fact.implied)
        };
        for kind in self.facts {
            assertions.push(Assertion {
                name: kind.camel_name(),
                says: kind.says().to_owned(),
                held: happened(*kind),
            });
        }
        let others = FactKind::ALL
            .into_iter()
            .filter(|kind| !self.facts.contains(kind));
        let (name, says) = if self.facts.is_empty() {
            ("noIncident", "nothing went wrong")
        } else {
            ("nothingElse", "nothing else went wrong")
        };
        assertions.push(Assertion {
            name: name.to_owned(),
            says: says.to_owned(),
            held: !others.into_iter().any(happened),
        });
        let (name, says) = if self.keeps_newer {
            (
                "newerValueKept",
                "the resource ends with the value of the newest writer",
            )
        } else {
            (
                "newerValueLost",
                "the resource ends with the value of an older writer",
            )
        };
        assertions.push(Assertion {
            name: name.to_owned(),
            says: says.to_owned(),
            held: run.keeps_newer == self.keeps_newer,
        });
    }
}

impl Told {
    /// Whether everything asserted held.
    pub fn held(&self) -> bool {
        self.assertions.iter().all(|assertion| assertion.held)
    }
}

#[cfg(test)]
mod tests {
    use super::{Story, json, stories};
    use crate::incident::Class;
    use crate::model::fault::{Faults, ResourceFault};

    #[test]
    fn every_story_holds_and_every_class_has_one() {
        let stories = stories();
        for story in &stories {
            let told = story.tell();
            let failed: Vec<_> = told.assertions.iter().filter(|a| !a.held).collect();
            assert!(
                failed.is_empty(),
                "{}: {failed:?} {:?}",
                story.name,
                told.run.truth.facts()
            );
            assert!(!story.not_shown.is_empty(), "{}", story.name);
        }
        for class in Class::ALL {
            assert!(
                stories
                    .iter()
                    .any(|s| s.facts.iter().any(|kind| kind.class() == class)),
                "{class}"
            );
        }
        let mut names: Vec<_> = stories.iter().map(|story| story.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), stories.len());
    }

    #[test]
    fn an_unconditional_write_fails_the_protected_assertion() {
        let story = Story::named("training").unwrap();
        let unconditional = Faults {
            resource: ResourceFault::Unfenced,
            ..story.faults
        };
        let told = story.tell_with(unconditional);
        let held = |name: &str| {
            told.assertions
                .iter()
                .find(|a| a.name == name)
                .map(|a| a.held)
        };
        assert_eq!(held("protectedResourceRetainedNewerValue"), Some(false));
        assert_eq!(held("staleFirstWriteWasRejected"), Some(false));
        assert_eq!(held("staleReleaseDidNotFreeNewLease"), Some(true));
        assert!(!told.held());
    }

    #[test]
    fn the_training_story_is_data() {
        let story = Story::named("training").unwrap();
        let data: serde_json::Value = serde_json::from_str(&json(&story, &story.tell())).unwrap();
        let timeline = &data["timeline"];
        assert_eq!(timeline["firstAcquire"]["ownerId"], "worker-A");
        assert_eq!(timeline["firstAcquire"]["leaseId"], "training-lease-1");
        assert_eq!(timeline["firstAcquire"]["fenceToken"], 1);
        assert_eq!(timeline["firstAcquire"]["lockName"], "report:417:rebuild");
        assert_eq!(timeline["clock"]["at"], 6000);
        assert_eq!(timeline["firstLeaseExpired"]["status"], "expired");
        assert_eq!(timeline["secondAcquire"]["leaseId"], "training-lease-2");
        assert_eq!(timeline["secondAcquire"]["fenceToken"], 2);
        assert_eq!(timeline["newerWrite"]["value"], "v2");
        assert_eq!(
            timeline["staleFirstWrite"]["status"],
            "rejected-stale-fence"
        );
        assert_eq!(timeline["staleFirstWrite"]["value"], "v1");
        assert_eq!(
            timeline["staleRelease"]["status"],
            "release-rejected-not-owner"
        );
        for name in [
            "protectedResourceRetainedNewerValue",
            "staleReleaseDidNotFreeNewLease",
            "unsafeContrastLostNewerValue",
        ] {
            assert_eq!(data["assertions"][name], true, "{name}");
        }
        assert_eq!(
            data["unsafeContrast"]["timeline"]["staleFirstWrite"]["status"],
            "accepted"
        );
        assert_eq!(data["unsafeContrast"]["value"], "v1");
        assert_eq!(data["value"], "v2");
    }
}
