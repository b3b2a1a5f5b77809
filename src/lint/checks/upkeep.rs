//! The ignores and the baseline: what has expired, and what fits nothing any more.

use super::{Desk, words};
use crate::lint::code::Code;
use crate::lint::collect::{About, Collector};
use crate::lint::finding::{Spot, Where};
use crate::lint::settings::Ignore;

/// Looks at the user's own lists, after everything else was raised. Where lint `forgot`,
/// what they name may be there and have gone unseen, so they are not called needless.
pub fn check(desk: &mut Desk<'_>, forgot: bool) {
    let used = desk.collector.used().to_vec();
    let ignores = desk.collector.settings.ignores.clone();
    for (ignore, used) in ignores.iter().zip(used) {
        let today = desk.collector.settings.today;
        if let Some(until) = ignore.until.filter(|_| ignore.is_expired(today)) {
            raise(
                desk,
                Code::IgnoreExpired,
                ignore,
                format!(
                    "the ignore of {} ended on {until}: {}",
                    ignore.code, ignore.reason
                ),
                "mend what it hid, or give it a new date and say why",
            );
        } else if used == 0 && !forgot {
            raise(
                desk,
                Code::IgnoreUnused,
                ignore,
                format!("the ignore of {} matched nothing", ignore.code),
                "take it out of the configuration",
            );
        }
    }
    if forgot {
        return;
    }
    let stale: Vec<_> = desk
        .collector
        .stale()
        .map(|((code, lock), left)| (*code, lock.clone(), left))
        .collect();
    for (code, lock, left) in stale {
        let at = |collector: &Collector| Where::File {
            path: collector.settings.baseline_path.clone(),
            line: 1,
        };
        let place = at(desk.collector);
        let lock = lock.unwrap_or_default();
        desk.collector
            .add(desk.symbols, Code::BaselineStale, About::default(), |_| {
                let of_lock = if lock.is_empty() {
                    String::new()
                } else {
                    format!(" at `{lock}`")
                };
                let words = words(
                    format!("the baseline accepts {left} more of {code}{of_lock} than there are"),
                    "write the baseline anew, so that what was mended stays mended",
                    format!("{code} {lock}"),
                );
                (place, Spot::default(), words)
            });
    }
}

fn raise(desk: &mut Desk<'_>, code: Code, ignore: &Ignore, message: String, hint: &str) {
    let spot = Spot {
        column: 1,
        excerpt: ignore.text.clone(),
        mark: 0..ignore.text.len(),
        label: "this entry",
    };
    let place = Where::File {
        path: desk.collector.settings.config_path.clone(),
        line: ignore.line,
    };
    desk.collector
        .add(desk.symbols, code, About::default(), |_| {
            let subject = format!("{} {}", ignore.code, ignore.reason);
            (place, spot, words(message, hint, subject))
        });
}
