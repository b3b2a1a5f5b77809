//! Looking at the bytes of a line several at a time.

/// As many bytes as are looked at, zeros where there are too few.
pub(super) fn padded<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut all = [0; N];
    for (place, byte) in all.iter_mut().zip(bytes) {
        *place = *byte;
    }
    all
}

/// The bytes as numbers that can be compared at once.
#[inline]
pub(super) fn words(bytes: &[u8; 32]) -> [u64; 4] {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

/// Where the first quote is, eight bytes at a time.
#[inline]
pub(super) fn quote(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const TOPS: u64 = ONES << 7;
    let (chunks, rest) = bytes.as_chunks::<8>();
    for (n, chunk) in chunks.iter().enumerate() {
        // A byte that is a quote becomes zero; the lowest zero byte borrows its top bit.
        let zeros = u64::from_le_bytes(*chunk) ^ (ONES * b'"' as u64);
        let found = zeros.wrapping_sub(ONES) & !zeros & TOPS;
        if found != 0 {
            return Some(n * 8 + (found.trailing_zeros() / 8) as usize);
        }
    }
    let last = rest.iter().position(|&b| b == b'"')?;
    Some(chunks.len() * 8 + last)
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn the_first_quote_is_found_wherever_it_is() {
        for before in 0..40 {
            let mut bytes = vec![b'!'; before];
            assert_eq!(quote(&bytes), None);
            bytes.extend_from_slice(b"\"\x23\"\xa2!!!!!!!!!!\"");
            assert_eq!(quote(&bytes), Some(before));
        }
    }
}
