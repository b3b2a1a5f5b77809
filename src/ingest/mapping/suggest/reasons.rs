//! A field of its own that says why something was refused: what failed a validation was not
//! refused for its token.

use std::fmt::Write as _;

use super::choice::Guess;
use super::meaning::{meaning, refused_otherwise};
use super::toml::quoted;
use super::words::is_code;
use crate::ingest::mapping::sample::Values;
use crate::near::plain;

/// The field of the reason, and how it is asked before the answer is; nothing where no reason is
/// another than the token.
pub(super) fn before_answers<'s>(
    guess: &Guess<'s>,
    answered: Option<&str>,
) -> Option<(&'s str, String)> {
    let free = |path: &str| answered != Some(path) && guess.is_free(path);
    let paths = guess.sample.paths.iter();
    let (path, values) = paths
        .filter(|(path, values)| free(path) && is_reason(values))
        .find(|(_, values)| values.seen.iter().any(|(text, _)| is_another(text)))?;
    let (others, rest): (Vec<&String>, Vec<&String>) = values
        .seen
        .iter()
        .map(|(text, _)| text)
        .partition(|text| is_another(text));
    let absent = values.blanks.iter().chain(rest);
    let absent: Vec<String> = absent.map(|text| quoted(text)).collect();
    let mut out = format!("[[fields.result]]\npath = {}\n", quoted(path));
    if !absent.is_empty() {
        let absent = absent.join(", ");
        let _ = writeln!(out, "absent = [{absent}] # the answer says more");
    }
    out.push_str("[fields.result.words]\n");
    for text in others {
        let _ = writeln!(out, "{} = \"rejected-other\"", quoted(text));
    }
    out.push('\n');
    Some((path, out))
}

fn is_reason(values: &Values) -> bool {
    let name = plain(&values.name);
    let named = matches!(
        name.as_str(),
        "cause" | "why" | "error" | "err" | "errorcode" | "detail"
    );
    (named || name.ends_with("reason")) && !values.more
}

/// Whether a reason is another one than the token.
fn is_another(text: &str) -> bool {
    let lower = text.to_lowercase();
    let of_tokens = ["token", "fenc", "epoch", "stale", "lease", "owner"];
    !is_code(text)
        && meaning(text).is_none()
        && refused_otherwise(&lower.replace('_', " "))
        && !of_tokens.iter().any(|word| lower.contains(word))
}

/// Puts it before the answer, which then counts where no such reason is given. `fields` and
/// `tables` are the parts of a proposal.
pub(super) fn put_before(reasons: &str, fields: &mut String, tables: &mut String) {
    let one = "[fields.result]\n";
    if let Some(at) = tables.find("[[fields.result]]\n") {
        tables.insert_str(at, reasons);
    } else if tables.contains(one) {
        *tables = tables.replacen(one, &format!("{reasons}[[fields.result]]\n"), 1);
    } else if let Some(at) = fields.find("\nresult = ") {
        let line = fields.get(at + 1..).and_then(|rest| rest.lines().next());
        let line = line.unwrap_or_default().to_owned();
        *fields = fields.replacen(&format!("{line}\n"), "", 1);
        let answer = line.replacen("result = ", "path = ", 1);
        let _ = write!(tables, "\n{reasons}[[fields.result]]\n{answer}\n");
    }
}
