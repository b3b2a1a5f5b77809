//! Tokens that may not be what was issued, and readings that fit no correct resource.

use super::{Checked, Desk, words};
use crate::evidence::{Active, Answer, Event, Field, Token};
use crate::lint::code::Code;

/// Looks at the tokens and readings of one record.
pub fn check(checked: &Checked<'_, '_>, desk: &mut Desk<'_>) {
    rounded(checked, desk);
    let record = checked.record;
    if record.event != Event::Write {
        return;
    }
    let before_field = Field::ResourceHighestTokenBefore;
    let after_field = Field::ResourceHighestTokenAfter;
    if let (Some(before), Some(after)) = (record.before, record.after)
        && after < before
    {
        desk.at_field(Code::HighestWentDown, checked, after_field, || {
            words(
                format!("the highest token was {before} before this write and {after} after it"),
                "a highest token never sinks: check which value the resource returns, and when",
                format!("{before} {after}"),
            )
        });
    }
    let Some(token) = record.token else { return };
    match (record.answer, record.before, record.after) {
        // Where it also went down, that says it all.
        (Answer::Accepted, before, Some(after))
            if after < token && before.is_none_or(|before| after >= before) =>
        {
            desk.at_field(Code::AcceptedNotKept, checked, after_field, || {
                words(
                    format!("accepted with token {token}, and the highest token afterwards is {after}"),
                    "log the highest token after the write was applied; if that is what it is, the resource does not keep tokens",
                    format!("{token} {after}"),
                )
            });
        }
        (Answer::RejectedStaleFence, Some(before), _) if token > before => {
            desk.at_field(Code::RefusedThoughHigher, checked, before_field, || {
                words(
                    format!("refused as stale with token {token}, and the highest token was only {before}"),
                    "log another refusal as `rejected-other`; if it was the fence, look for a comparison as text or at another key",
                    format!("{token} {before}"),
                )
            });
        }
        _ => {}
    }
}

fn rounded(checked: &Checked<'_, '_>, desk: &mut Desk<'_>) {
    let record = checked.record;
    let active = match record.active {
        Active::Lease { token, .. } => token,
        _ => None,
    };
    let tokens = [
        (Field::FenceToken, record.token),
        (Field::ResourceHighestTokenBefore, record.before),
        (Field::ResourceHighestTokenAfter, record.after),
        (Field::ActiveFenceToken, active),
    ];
    for (field, token) in tokens {
        let Some(token) = token.filter(|token| looks_rounded(*token)) else {
            continue;
        };
        desk.at_field(Code::TokenRounded, checked, field, || {
            words(
                format!("`{field}` is {token}, which is how a program prints a float"),
                "keep tokens as 64-bit integers or as text on their whole way",
                token.to_string(),
            )
        });
    }
}

/// Whether a number is written as a program prints a float: the shortest digits that lead
/// back to it, then zeros. One in a few hundred honest numbers of that size ends so.
fn looks_rounded(token: Token) -> bool {
    // Below 18 digits the shortest digits of a float may be all of them.
    if token < 100_000_000_000_000_000 {
        return false;
    }
    let digits = token.to_string();
    let shortest = format!("{:e}", token as f64);
    let shortest: String = shortest
        .split('e')
        .next()
        .unwrap_or_default()
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    digits.trim_end_matches('0') == shortest.trim_end_matches('0')
        && shortest.len() < digits.len()
        // Round numbers are round.
        && shortest.len() > 12
}

#[cfg(test)]
mod tests {
    use super::looks_rounded;

    #[test]
    fn a_printed_float_shows_by_its_zeros() {
        // 1234567890123456789 and 8256120832620340486 as JavaScript prints them.
        assert!(looks_rounded(1_234_567_890_123_456_800));
        assert!(looks_rounded(8_256_120_832_620_340_000));
        for honest in [
            0,
            9_007_199_254_740_993,
            1_234_567_890_123_456_789,
            1_000_000_000_000_000_000,
            u64::MAX,
        ] {
            assert!(!looks_rounded(honest), "{honest}");
        }
    }
}
