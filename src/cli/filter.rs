//! What is shown, and what fails: two questions that never mix.

use clap::{Args, ValueEnum};
use globset::{Glob, GlobMatcher};

use super::args::named;
use super::exit::Exit;
use crate::incident::{Class, Incident, Outcome, Status};

/// Which incidents are shown.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is shown")]
pub(super) struct ShowArgs {
    /// Only these classes
    #[arg(long, value_name = "CLASS", value_delimiter = ',', value_parser = named(Class::ALL.map(Class::name), Class::from_name))]
    class: Vec<Class>,
    /// Only incidents with this status
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = named(Status::ALL.map(Status::name), Status::from_name))]
    status: Vec<Status>,
    /// Only incidents with this outcome
    #[arg(long, value_name = "OUTCOME", value_delimiter = ',', value_parser = named(Outcome::ALL.map(Outcome::name), Outcome::from_name))]
    outcome: Vec<Outcome>,
    /// Only locks whose name matches, as in 'report:*'; may be repeated
    #[arg(long, value_name = "GLOB", value_parser = glob)]
    lock: Vec<GlobMatcher>,
}

fn glob(text: &str) -> Result<GlobMatcher, String> {
    Glob::new(text)
        .map(|glob| glob.compile_matcher())
        .map_err(|error| error.kind().to_string())
}

impl ShowArgs {
    /// Whether an incident was asked for: by every filter that is set.
    pub(super) fn shows(&self, incident: &Incident) -> bool {
        let one_of = |empty: bool, found: bool| empty || found;
        one_of(
            self.class.is_empty(),
            self.class.contains(&incident.class()),
        ) && one_of(
            self.status.is_empty(),
            self.status.contains(&incident.status),
        ) && one_of(
            self.outcome.is_empty(),
            self.outcome.contains(&incident.outcome),
        ) && one_of(
            self.lock.is_empty(),
            self.lock
                .iter()
                .any(|glob| glob.is_match(&incident.lock_name)),
        )
    }
}

/// What makes the run end with 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// Nothing
    Never,
    /// Any incident, a guarded or undecided one too
    Any,
    /// A suspected or proven incident
    Suspected,
    /// A proven incident
    Proven,
    /// An incident whose outcome is exposed or breached
    Exposed,
    /// An incident whose outcome is breached
    Breached,
}

impl FailOn {
    /// The exit code of a run that found these.
    pub(super) fn exit(self, incidents: &[Incident]) -> Exit {
        if incidents.iter().any(|one| self.fails(one)) {
            Exit::Found
        } else {
            Exit::Done
        }
    }

    /// Whether this incident fails the run.
    fn fails(self, incident: &Incident) -> bool {
        match self {
            FailOn::Never => false,
            FailOn::Any => true,
            FailOn::Suspected => incident.status >= Status::Suspected,
            FailOn::Proven => incident.status >= Status::Proven,
            FailOn::Exposed => incident.outcome >= Outcome::Exposed,
            FailOn::Breached => incident.outcome >= Outcome::Breached,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FailOn;
    use crate::incident::{Outcome, Status};
    use crate::render::json::tests::incident;

    #[test]
    fn a_threshold_asks_one_question() {
        let fails = |threshold: FailOn, status, outcome| {
            let mut one = incident();
            (one.status, one.outcome) = (status, outcome);
            threshold.fails(&one)
        };
        for status in Status::ALL {
            for outcome in Outcome::ALL {
                assert!(!fails(FailOn::Never, status, outcome));
                assert!(fails(FailOn::Any, status, outcome));
                let judged = |threshold| fails(threshold, status, outcome);
                assert_eq!(judged(FailOn::Suspected), status != Status::Undecided);
                assert_eq!(judged(FailOn::Proven), status == Status::Proven);
                let harmful = matches!(outcome, Outcome::Exposed | Outcome::Breached);
                assert_eq!(judged(FailOn::Exposed), harmful);
                assert_eq!(judged(FailOn::Breached), outcome == Outcome::Breached);
            }
        }
    }
}
