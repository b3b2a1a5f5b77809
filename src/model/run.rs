//! One run from its first action to its last line.

use super::action::Action;
use super::schedule::{Rates, Schedule};
use super::sighting::Sighting;
use super::truth::Truth;
use super::watch::{Watch, Watching};
use super::world::{Setup, World};

/// A world under observation.
#[derive(Debug, Clone)]
pub struct Run {
    world: World,
    watch: Watch,
    truth: Option<Truth>,
    lines: Vec<Sighting>,
}

impl Run {
    /// A run in which nothing has happened. `seed` is the luck of the observers;
    /// `truth` is whether the truth is kept, which takes memory for every event.
    pub fn new(setup: Setup, watching: Watching, seed: u64, truth: bool) -> Run {
        Run {
            world: World::new(setup),
            watch: Watch::new(watching, seed),
            truth: truth.then(|| Truth::new(setup.faults)),
            lines: Vec::new(),
        }
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Does one action and returns the lines that arrived.
    pub fn step(&mut self, action: Action) -> &[Sighting] {
        self.lines.clear();
        self.world.forget();
        self.world.apply(action);
        let (events, facts) = self.world.news();
        for event in events {
            self.watch.see(event, &mut self.lines);
        }
        if let Some(truth) = &mut self.truth {
            truth.happened(events, facts);
            self.lines.iter().for_each(|line| {
                truth.saw(line);
            });
        }
        &self.lines
    }

    /// Ends the run: the last lines, and the truth where it was kept.
    pub fn finish(mut self) -> (Vec<Sighting>, Option<Truth>) {
        self.lines.clear();
        self.watch.finish(&mut self.lines);
        if let Some(truth) = &mut self.truth {
            self.lines.iter().for_each(|line| {
                truth.saw(line);
            });
        }
        (self.lines, self.truth)
    }
}

/// Runs a list of actions and returns every line, and the truth.
pub fn run(
    setup: Setup,
    actions: &[Action],
    watching: Watching,
    seed: u64,
) -> (Vec<Sighting>, Truth) {
    let mut run = Run::new(setup, watching, seed, true);
    let mut lines = Vec::new();
    for action in actions {
        lines.extend_from_slice(run.step(*action));
    }
    let (last, truth) = run.finish();
    lines.extend(last);
    (lines, truth.unwrap_or_else(|| Truth::new(setup.faults)))
}

/// The actions of a random schedule, until that many events have happened.
pub fn random_actions(setup: Setup, rates: Rates, seed: u64, events: u64) -> Vec<Action> {
    let mut schedule = Schedule::new(seed, rates);
    let mut world = World::new(setup);
    let mut actions = Vec::new();
    while world.happened() < events && actions.len() as u64 <= events.saturating_mul(16) {
        let action = schedule.next(&world);
        world.apply(action);
        world.forget();
        actions.push(action);
    }
    actions
}
