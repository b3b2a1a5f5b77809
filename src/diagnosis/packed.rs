//! Numbers in few bytes.

/// Room for more than a record takes: its head, and nine numbers of at most ten bytes.
pub type Room = [u8; 96];
/// How many bytes a head takes.
const HEAD: usize = 4;
/// The numbers of most records, and their head, take no more bytes.
const FEW: usize = 16;

/// Numbers that are packed one behind the other.
pub struct Packed<'r> {
    room: &'r mut Room,
    len: usize,
}

impl<'r> Packed<'r> {
    /// No numbers yet.
    pub fn new(room: &'r mut Room) -> Packed<'r> {
        Packed { room, len: 0 }
    }

    /// No numbers yet behind the room for a head.
    pub fn behind_head(room: &'r mut Room) -> Packed<'r> {
        Packed { room, len: HEAD }
    }

    /// A number in as few bytes as it needs, seven bits in each.
    #[inline]
    pub fn number(&mut self, number: u64) {
        self.len = if number < 0x80 {
            put(self.room, self.len, number)
        } else {
            put_long(self.room, self.len, number)
        };
    }

    /// The way from `base` to a number: short where they are near, whichever is greater.
    #[inline]
    pub fn difference(&mut self, value: u64, base: u64) {
        let way = value.wrapping_sub(base) as i64;
        self.number(((way << 1) ^ (way >> 63)) as u64);
    }

    /// Where the last number ends.
    pub fn end(self) -> usize {
        self.len
    }
}

/// Puts a number of seven bits, or seven bits of one, there, and gives the next place.
#[inline]
fn put(room: &mut Room, at: usize, number: u64) -> usize {
    match room.get_mut(at) {
        Some(place) => {
            *place = number as u8;
            at + 1
        }
        None => at,
    }
}

#[inline(never)]
fn put_long(room: &mut Room, mut at: usize, mut number: u64) -> usize {
    while number >= 0x80 {
        at = put(room, at, number | 0x80);
        number >>= 7;
    }
    put(room, at, number)
}

/// Appends a head and the packed numbers behind it, which end there.
#[inline]
pub fn append(bytes: &mut Vec<u8>, head: u32, numbers: &mut Room, end: usize) {
    if let Some(room) = numbers.first_chunk_mut() {
        *room = head.to_le_bytes();
    }
    match numbers.first_chunk::<FEW>() {
        // So many are moved at once, where there is room for them.
        Some(few) if end <= FEW && bytes.capacity() - bytes.len() >= FEW => {
            let end = bytes.len() + end;
            bytes.extend_from_slice(few);
            bytes.truncate(end);
        }
        _ => bytes.extend_from_slice(numbers.get(..end).unwrap_or_default()),
    }
}

/// Packed bytes, read from a place on. What is not there is read as zeros and as texts
/// without letters.
pub struct Bytes<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Bytes<'b> {
    /// The bytes from there on.
    #[inline]
    pub fn new(bytes: &'b [u8], at: usize) -> Bytes<'b> {
        Bytes { bytes, at }
    }

    /// Where reading stands.
    #[inline]
    pub fn at(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'b [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The head of a record.
    #[inline]
    pub fn head(&mut self) -> u32 {
        let head = self
            .rest()
            .first_chunk()
            .map(|head| u32::from_le_bytes(*head));
        self.at += head.map_or(0, |_| HEAD);
        head.unwrap_or_default()
    }

    /// The next number.
    #[inline]
    pub fn number(&mut self) -> u64 {
        match self.bytes.get(self.at) {
            Some(byte @ 0..0x80) => {
                self.at += 1;
                u64::from(*byte)
            }
            _ => {
                let (number, end) = long_number(self.bytes, self.at);
                self.at = end;
                number
            }
        }
    }

    /// The number to which the next difference leads from `base`.
    #[inline]
    pub fn sum(&mut self, base: u64) -> u64 {
        let way = self.number();
        base.wrapping_add((way >> 1) ^ (way & 1).wrapping_neg())
    }

    /// The bytes of the next text, behind its length.
    #[inline]
    pub fn text(&mut self) -> &'b [u8] {
        let length = self.number() as usize;
        let start = self.at;
        self.at = start.saturating_add(length).min(self.bytes.len());
        self.bytes.get(start..self.at).unwrap_or_default()
    }

    /// Whether the next text is `name`.
    pub fn begins_with(mut self, name: &[u8]) -> bool {
        self.number() == name.len() as u64 && self.rest().starts_with(name)
    }
}

/// The number that stands there, and where it ends.
#[inline(never)]
fn long_number(bytes: &[u8], at: usize) -> (u64, usize) {
    let rest = bytes.get(at..).unwrap_or_default();
    if let Some((number, len)) = number_in_a_word(rest) {
        return (number, at + len);
    }
    let (mut number, mut shift, mut len) = (0, 0, 0);
    for byte in rest {
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        len += 1;
        if *byte < 0x80 || shift > 63 {
            break;
        }
    }
    (number, at + len)
}

/// A number that ends within the first eight bytes, and in how many.
#[inline]
fn number_in_a_word(bytes: &[u8]) -> Option<(u64, usize)> {
    let word = u64::from_le_bytes(*bytes.first_chunk()?);
    let last = (!word & 0x8080_8080_8080_8080).trailing_zeros();
    if last > 63 {
        return None;
    }
    // Seven bits of each byte, brought together in pairs, fours, and all.
    let bits = word & (!0 >> (63 - last)) & 0x7f7f_7f7f_7f7f_7f7f;
    let bits = bits & 0x007f_007f_007f_007f | (bits & 0x7f00_7f00_7f00_7f00) >> 1;
    let bits = bits & 0x0000_3fff_0000_3fff | (bits & 0x3fff_0000_3fff_0000) >> 2;
    let number = bits & 0x0fff_ffff | (bits & 0x0fff_ffff_0000_0000) >> 4;
    Some((number, last as usize / 8 + 1))
}

#[cfg(test)]
mod tests {
    use super::{Bytes, Packed};

    #[test]
    fn numbers_of_any_length_are_read_as_they_were_packed() {
        for shift in 0..64 {
            let number = u64::MAX >> shift;
            for number in [
                number,
                number ^ (number >> 1),
                number & 0x5555_5555_5555_5555,
            ] {
                let mut room = [0; 96];
                let mut packed = Packed::new(&mut room);
                packed.number(number);
                packed.number(7);
                packed.difference(number, 3);
                let end = packed.end();
                let mut bytes = Bytes::new(&room[..end], 0);
                assert_eq!(bytes.number(), number);
                assert_eq!(bytes.number(), 7);
                assert_eq!(bytes.sum(3), number);
                assert_eq!(bytes.at(), end);
            }
        }
    }
}
