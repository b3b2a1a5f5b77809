//! Looking at the bytes of a line several at a time.

use wide::u8x16;

/// How many bytes are looked at at once.
const AT_ONCE: usize = 16;

/// Where the text ends that begins at `from`: its quote. `None` where an odd byte comes
/// first, so that it is not known what the text says.
#[inline]
pub(super) fn text_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let rest = bytes.get(at..)?;
        // Two at once: how long a text is can then seldom be guessed wrong.
        let Some(pair) = rest.first_chunk::<{ 2 * AT_ONCE }>() else {
            at += rest.iter().position(|&byte| ends_text(byte))?;
            break;
        };
        let [first, second] = *pair.as_chunks::<AT_ONCE>().0 else {
            return None;
        };
        let found = may_end_text(first) | may_end_text(second) << AT_ONCE;
        if found != 0 {
            at += found.trailing_zeros() as usize;
            break;
        }
        at += 2 * AT_ONCE;
    }
    (bytes.get(at) == Some(&b'"')).then_some(at)
}

/// Whether a byte is a quote, or odd: part of an escape or a control character, which no text
/// in JSON holds as it is.
fn ends_text(byte: u8) -> bool {
    byte == b'"' || byte < b' ' || byte == b'\\'
}

/// The bytes for which [`ends_text`] holds, a bit each.
#[inline]
fn may_end_text(bytes: [u8; AT_ONCE]) -> u32 {
    let bytes = u8x16::new(bytes);
    let control = bytes.min(u8x16::splat(b' ' - 1)).simd_eq(bytes);
    let mark = bytes.simd_eq(u8x16::splat(b'"')) | bytes.simd_eq(u8x16::splat(b'\\'));
    (control | mark).to_bitmask()
}

/// The number that stands at `at`, and how many digits it has: at most 19, which any 64
/// bits can hold, and no zero in front of others.
#[inline]
pub(super) fn integer(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let bytes = bytes.get(at..)?;
    let (number, digits) = match bytes.first_chunk() {
        Some(chunk) => {
            let (number, digits) = first_digits(*chunk);
            if digits < chunk.len() {
                (number, digits)
            } else {
                long_integer(bytes)
            }
        }
        None => long_integer(bytes),
    };
    // Whether a number has one digit can't be guessed, so nothing is decided by it alone.
    let zero_in_front = (bytes.first() == Some(&b'0')) & (digits > 1);
    (matches!(digits, 1..=19) && !zero_in_front).then_some((number, digits))
}

/// The number that the digits at the begin of eight bytes make, and how many they are.
#[inline]
fn first_digits(bytes: [u8; 8]) -> (u64, usize) {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const TOPS: u64 = ONES << 7;
    // Digits become their values, all other bytes something greater than nine.
    let values = u64::from_le_bytes(bytes) ^ (ONES * b'0' as u64);
    let others = (((values & !TOPS) + ONES * (0x7f - 9)) | values) & TOPS;
    let digits = (others.trailing_zeros() / 8) as usize;
    if digits == 0 {
        return (0, 0);
    }
    // Zeros in front, then pairs, fours and all eight are put together.
    let eight = values << (64 - 8 * digits);
    let pairs = (eight * 10 + (eight >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    ((fours * 10_000 + (fours >> 32)) & 0xffff_ffff, digits)
}

#[cold]
fn long_integer(bytes: &[u8]) -> (u64, usize) {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold((0u64, 0), |(number, count), digit| {
        let number = number.wrapping_mul(10);
        (number.wrapping_add(u64::from(digit - b'0')), count + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::{integer, text_end};
    use proptest::prelude::*;

    #[test]
    fn a_text_ends_at_its_quote_wherever_it_is() {
        for before in 0..70 {
            let mut bytes = vec![b'!'; before];
            assert_eq!(text_end(&bytes, 0), None);
            bytes.extend_from_slice(b"\"\x23\"\xa2!!!!!!!!!!!!!!!!!!\"");
            for from in 0..=before {
                assert_eq!(text_end(&bytes, from), Some(before));
            }
            assert_eq!(text_end(&bytes, before + 1), Some(before + 2));
        }
    }

    #[test]
    fn no_text_ends_behind_an_odd_byte() {
        for before in 0..70 {
            for byte in 0..=u8::MAX {
                let mut bytes = vec![b'~'; before];
                bytes.push(byte);
                bytes.extend_from_slice(&[b'\xff'; 33]);
                let odd = byte < b' ' || byte == b'\\';
                bytes.push(b'"');
                let end = match byte {
                    b'"' => Some(before),
                    _ => Some(before + 34).filter(|_| !odd),
                };
                assert_eq!(text_end(&bytes, 0), end);
                bytes.extend_from_slice(&[b'\n'; 33]);
                assert_eq!(text_end(&bytes, 0), end);
            }
        }
    }

    proptest! {
        #[test]
        fn numbers_are_read_as_they_are_written(text in "[0-9]{0,21}[^0-9]{0,9}[0-9]{0,9}") {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let zero_in_front = digits > 1 && text.starts_with('0');
            let number = text[..digits].parse::<u64>();
            let expected = number
                .ok()
                .filter(|_| digits <= 19 && !zero_in_front)
                .map(|number| (number, digits));
            prop_assert_eq!(integer(text.as_bytes(), 0), expected);
        }
    }
}
