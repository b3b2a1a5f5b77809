//! How loud an incident is where a format knows three levels and no more.

use crate::incident::{Incident, Outcome, Status};

/// Three levels, as CI systems have them. Ordered from quiet to loud.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The protection held, or the records leave it open.
    Note,
    /// The records fit a failure of the protection.
    Warning,
    /// The records show that the protection failed or is absent.
    Error,
}

impl Severity {
    /// The severity of an incident: its outcome says whether there is anything to mend,
    /// its status whether that is shown.
    pub fn of(incident: &Incident) -> Severity {
        match (incident.status, incident.outcome) {
            (Status::Undecided, _) | (_, Outcome::Guarded) => Severity::Note,
            (Status::Proven, Outcome::Exposed | Outcome::Breached) => Severity::Error,
            (Status::Proven, Outcome::Unknown) | (Status::Suspected, _) => Severity::Warning,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Severity;
    use crate::incident::{Outcome, Status};
    use crate::render::json::tests::incident;

    #[test]
    fn only_what_is_shown_to_have_failed_is_an_error() {
        let severity = |status, outcome| {
            let mut one = incident();
            (one.status, one.outcome) = (status, outcome);
            Severity::of(&one)
        };
        for outcome in Outcome::ALL {
            let failed = matches!(outcome, Outcome::Exposed | Outcome::Breached);
            let proven = severity(Status::Proven, outcome);
            assert_eq!(proven == Severity::Error, failed);
            assert_ne!(severity(Status::Suspected, outcome), Severity::Error);
            assert_eq!(severity(Status::Undecided, outcome), Severity::Note);
            assert!(outcome != Outcome::Guarded || proven == Severity::Note);
        }
    }
}
