//! The first lines of a report: the worst incident of each lock.

use std::collections::HashMap;

use super::Builder;
use crate::incident;
use crate::incident::catalogue::{self, Noun};
use crate::report::model::Headline;
use crate::report::text::Text;
use crate::report::words::{fill, words};

impl Builder<'_, '_> {
    pub(super) fn headlines(
        &mut self,
        all: &[&incident::Incident],
        numbers: &HashMap<&str, u64>,
    ) -> (Vec<Headline>, u64) {
        let mut of: HashMap<&str, u64> = HashMap::new();
        for one in all {
            *of.entry(&one.lock_name).or_default() += 1;
        }
        let mut seen = std::collections::HashSet::new();
        let mut headlines = Vec::new();
        for one in all {
            if !seen.insert(one.lock_name.as_str()) || headlines.len() == self.limits.headlines {
                continue;
            }
            let more = of.get(one.lock_name.as_str()).copied().unwrap_or(1) - 1;
            let text = Text::cut(&catalogue::headline(self.language, &self.mark(one)));
            let text = if more == 0 {
                text
            } else {
                let count = catalogue::count(self.language, more + 1, Noun::Incident);
                text.and(&fill(words(self.language).more_at_lock, &[&count]))
            };
            headlines.push(Headline {
                lock_name: self.names.other(&one.lock_name),
                incident: numbers.get(one.id.as_str()).copied().unwrap_or_default(),
                status: one.status,
                outcome: one.outcome,
                text,
                more,
            });
        }
        let more = of.len() as u64 - headlines.len() as u64;
        (headlines, more)
    }
}
