//! Numbers in few bytes.

/// The numbers of one record, behind the room for its head.
pub struct Packed {
    bytes: [u8; MOST],
    len: usize,
}

/// More than a record takes: its head, and ten numbers of at most ten bytes.
const MOST: usize = 128;
const HEAD: usize = 4;

impl Default for Packed {
    fn default() -> Packed {
        Packed {
            bytes: [0; MOST],
            len: HEAD,
        }
    }
}

impl Packed {
    /// Without room for a head.
    pub fn bare() -> Packed {
        Packed {
            bytes: [0; MOST],
            len: 0,
        }
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    #[inline]
    fn byte(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len += 1;
        }
    }

    /// A number in as few bytes as it needs, seven bits in each.
    #[inline]
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    /// The way from `base` to a number: short where they are near, whichever is greater.
    #[inline]
    pub fn difference(&mut self, value: u64, base: u64) {
        let way = value.wrapping_sub(base) as i64;
        self.number(((way << 1) ^ (way >> 63)) as u64);
    }
}

/// Packed bytes that are still to be read. What is not there is read as zeros and as
/// texts without letters.
pub struct Bytes<'b>(pub &'b [u8]);

impl<'b> Bytes<'b> {
    /// The head of a record.
    #[inline]
    pub fn head(&mut self) -> u32 {
        match self.0.split_first_chunk() {
            Some((head, rest)) => {
                self.0 = rest;
                u32::from_le_bytes(*head)
            }
            None => 0,
        }
    }

    /// The next number.
    #[inline]
    pub fn number(&mut self) -> u64 {
        match self.0 {
            [byte @ 0..0x80, rest @ ..] => {
                self.0 = rest;
                u64::from(*byte)
            }
            _ => self.long_number(),
        }
    }

    fn long_number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        while let Some((byte, rest)) = self.0.split_first() {
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if *byte < 0x80 || shift > 63 {
                break;
            }
        }
        number
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
        let length = (self.number() as usize).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        text
    }

    /// Whether the next text is `name`.
    #[inline]
    pub fn begins_with(mut self, name: &str) -> bool {
        self.number() == name.len() as u64 && self.0.starts_with(name.as_bytes())
    }
}
