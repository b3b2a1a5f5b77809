//! Fencing tokens: unsigned 64-bit numbers, exact to the last digit.

/// The generation of an acquisition. Every value of 64 bits is a token; in a reading of
/// the resource's highest token, `0` means "none yet".
pub type Token = u64;

/// Why a text or number is not a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum TokenError {
    /// A negative number.
    #[error("a token is never negative")]
    Negative,
    /// A number with a fraction or an exponent: it has been a float on its way, and a
    /// float holds no more than 53 bits.
    #[error(
        "a fraction or an exponent is no token: it was a float on the way and may have lost digits"
    )]
    Float,
    /// More than 64 bits.
    #[error("the number does not fit in 64 bits")]
    TooLarge,
    /// Neither a decimal nor a `0x…` number (a UUID, a word, an empty text).
    #[error("not a number: a token is an unsigned 64-bit integer, decimal or 0x…")]
    NotANumber,
}

/// Reads a token from text: decimal digits, or `0x` and hexadecimal digits.
///
/// # Errors
/// [`TokenError`] says in which way the text is not an unsigned 64-bit number.
pub fn parse_token(text: &str) -> Result<Token, TokenError> {
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return digits(hex, 16);
    }
    if let Some(rest) = text.strip_prefix('-') {
        let number = !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        return Err(if number {
            TokenError::Negative
        } else {
            TokenError::NotANumber
        });
    }
    let floats = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-');
    match digits(text, 10) {
        Err(TokenError::NotANumber)
            if text.starts_with(|c: char| c.is_ascii_digit())
                && text.bytes().all(floats)
                && text.parse::<f64>().is_ok() =>
        {
            Err(TokenError::Float)
        }
        other => other,
    }
}

fn digits(text: &str, radix: u32) -> Result<Token, TokenError> {
    if text.is_empty() || !text.chars().all(|c| c.is_digit(radix)) {
        return Err(TokenError::NotANumber);
    }
    u64::from_str_radix(text, radix).map_err(|_| TokenError::TooLarge)
}

#[cfg(test)]
mod tests {
    use super::{TokenError, parse_token};

    #[test]
    fn every_digit_of_64_bits_is_kept() {
        assert_eq!(parse_token("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(parse_token("0xffffFFFFffffFFFF"), Ok(u64::MAX));
        assert_eq!(parse_token("9007199254740993"), Ok(9_007_199_254_740_993));
        assert_eq!(parse_token("0042"), Ok(42));
    }

    #[test]
    fn what_is_no_token_says_why() {
        assert_eq!(parse_token("-1"), Err(TokenError::Negative));
        assert_eq!(parse_token("1e3"), Err(TokenError::Float));
        assert_eq!(parse_token("1.0"), Err(TokenError::Float));
        assert_eq!(
            parse_token("18446744073709551616"),
            Err(TokenError::TooLarge)
        );
        assert_eq!(
            parse_token("0x10000000000000000"),
            Err(TokenError::TooLarge)
        );
        for word in [
            "",
            "abc",
            "0x",
            "+1",
            " 1",
            "1_000",
            "0xg",
            "-",
            "6b8af7b8-0e63-49c9-8024-c92f73b827f7",
        ] {
            assert_eq!(parse_token(word), Err(TokenError::NotANumber), "{word:?}");
        }
    }
}
