//! Whole numbers within bounds, and what to say of what is none.

/// A reader of whole numbers from `least` to `most`; `u64::MAX` is no bound.
pub(super) fn whole<T: TryFrom<u64>>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number: Option<u64> = digits.then(|| text.parse().ok()).flatten();
        number
            .filter(|number| (least..=most).contains(number))
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| {
                let fits = most.min(largest::<T>());
                let too_large = digits && number.is_none_or(|number| number > fits);
                if too_large || most < u64::MAX {
                    format!("it is a whole number from {least} to {fits}")
                } else if least > 0 {
                    format!("it is a whole number, {least} or more")
                } else {
                    "it is a whole number".to_owned()
                }
            })
    }
}

/// The largest number that fits.
fn largest<T: TryFrom<u64>>() -> u64 {
    (0..64)
        .map(|bits| u64::MAX >> bits)
        .find(|number| T::try_from(*number).is_ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn numbers_within_the_bounds_are_read() {
        assert_eq!(whole(0, 1000)("1000"), Ok(1000_u16));
        assert_eq!(whole(1, u64::MAX)("1"), Ok(1_usize));
        assert_eq!(
            whole(0, u64::MAX)("18446744073709551615"),
            Ok(u64::MAX),
            "all 64 bits"
        );
    }

    #[test]
    fn others_are_told_the_bounds() {
        for text in [
            "",
            "x",
            "-1",
            "+1",
            "1.5",
            "0",
            "1001",
            "18446744073709551616",
        ] {
            let said = whole::<u16>(1, 1000)(text).unwrap_err();
            assert_eq!(said, "it is a whole number from 1 to 1000", "{text:?}");
        }
        let said = whole::<u64>(1, u64::MAX)("0").unwrap_err();
        assert_eq!(said, "it is a whole number, 1 or more");
        let said = whole::<u8>(0, u64::MAX)("256").unwrap_err();
        assert_eq!(said, "it is a whole number from 0 to 255");
        let said = whole::<u64>(0, u64::MAX)("18446744073709551616").unwrap_err();
        assert_eq!(said, "it is a whole number from 0 to 18446744073709551615");
        let said = whole::<u64>(0, u64::MAX)("x").unwrap_err();
        assert_eq!(said, "it is a whole number");
    }
}
