//! Sizes as people write them: `64MiB`, `1G`, `512k`, `4096`.

/// Reads a size in bytes. Units are powers of 1024, with or without `iB` or `B`.
pub(super) fn parse(text: &str) -> Result<u64, String> {
    let wrong =
        || "a size is a whole number of bytes, or one with K, M, G or T, as in 64MiB".to_owned();
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let unit = unit.trim_start().to_ascii_lowercase();
    let prefix = unit
        .strip_suffix("ib")
        .or_else(|| unit.strip_suffix('b'))
        .unwrap_or(&unit);
    let shift = match prefix {
        "" if unit != "ib" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(wrong()),
    };
    if number == 0 {
        return Err("it is at least 1: a size of 0 leaves room for nothing".to_owned());
    }
    number
        .checked_mul(1 << shift)
        .ok_or_else(|| "that is more than 64 bits can count".to_owned())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("4096", 4096),
            ("1b", 1),
            ("512k", 512 << 10),
            ("64MiB", 64 << 20),
            ("64 MB", 64 << 20),
            ("1G", 1 << 30),
            ("2tib", 2 << 40),
        ] {
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn what_is_no_size_says_so() {
        for text in ["", "k", "-1", "1.5G", "1x", "1ib", "0", "99999999T", "１"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
