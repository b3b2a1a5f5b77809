//! The command line of a run, with every default written out.

use std::fmt::Write as _;

use super::args::SimulateArgs;
use crate::evidence::Field;
use crate::model::{Faults, Watching};

impl SimulateArgs {
    /// The command line that gives the same evidence, with every default written out.
    pub(super) fn command(&self, faults: &Faults, watching: &Watching) -> String {
        let mut line = "lockdiag simulate".to_owned();
        let mut say = |words: std::fmt::Arguments<'_>| {
            let _ = line.write_fmt(words);
        };
        match (&self.story, self.seed) {
            (Some(story), _) => say(format_args!(" --story {story}")),
            (None, seed) => {
                let size = &self.size;
                say(format_args!(
                    " --seed {} --events {} --locks {} --workers {} --old-handles {} --redelivered {} --lost-answers {}",
                    seed.unwrap_or_default(),
                    size.events,
                    size.locks,
                    size.workers,
                    size.old_handles,
                    size.redelivered,
                    size.lost_answers
                ));
            }
        }
        say(format_args!(
            " --resource {} --release {} --renewal {} --keys {} --tokens {} --delivery {}",
            faults.resource,
            faults.release,
            faults.renewal,
            faults.keys,
            faults.tokens,
            faults.delivery
        ));
        if faults.ledger {
            say(format_args!(" --ledger"));
        }
        let observers: Vec<&str> = watching.observers.iter().map(|one| one.name()).collect();
        say(format_args!(
            " --observers {} --numbering {}",
            observers.join(","),
            watching.numbering
        ));
        let hidden: Vec<Field> = watching.hide.into();
        if !hidden.is_empty() {
            let hidden: Vec<&str> = hidden.iter().map(|field| field.name()).collect();
            say(format_args!(" --hide {}", hidden.join(",")));
        }
        for (name, value) in [
            ("patchy", u32::from(watching.patchy)),
            ("lose", u32::from(watching.lose)),
            ("late", watching.late),
            ("repeat", u32::from(watching.repeat)),
        ] {
            if value > 0 {
                say(format_args!(" --{name} {value}"));
            }
        }
        if watching.files > 1 {
            say(format_args!(" --files {}", watching.files));
        }
        line
    }
}
