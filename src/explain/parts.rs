//! Names that stand at the records: who numbered them, and which part they play.

use super::sources::{owned, term_page, topic};
use super::{Kind, PageEntry, Source, Topic};
use crate::evidence::Origin;
use crate::incident::Role;
use crate::incident::catalogue::{self, Language};

/// Who gave a `seq`.
pub(super) struct Origins;

impl Source for Origins {
    fn topics(&self, language: Language) -> Vec<Topic> {
        let one = |origin: Origin| {
            let title = catalogue::origin(language, origin).name;
            topic(origin.word(), Kind::Origin, title)
        };
        Origin::ALL.into_iter().map(one).collect()
    }

    fn entry(&self, name: &str, language: Language) -> Option<PageEntry> {
        let origin = Origin::ALL.into_iter().find(|it| it.word() == name)?;
        let term = catalogue::origin(language, origin);
        Some(PageEntry {
            see_also: owned(&["seqBy", "seq"]),
            ..term_page(name, Kind::Origin, term)
        })
    }
}

/// The parts that records play in an incident.
pub(super) struct Roles;

impl Source for Roles {
    fn topics(&self, language: Language) -> Vec<Topic> {
        let one = |role: Role| {
            let title = catalogue::role(language, role).name;
            topic(role.name(), Kind::Role, title)
        };
        Role::ALL.into_iter().map(one).collect()
    }

    fn entry(&self, name: &str, language: Language) -> Option<PageEntry> {
        let role = Role::from_name(name)?;
        let term = catalogue::role(language, role);
        Some(term_page(name, Kind::Role, term))
    }
}
