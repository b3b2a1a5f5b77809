//! What stands between two values, to be compared at once.

/// Longer texts are no literals.
pub(super) const LONGEST: usize = 48;
/// So many bytes are compared at once; most names are no longer.
const AT_ONCE: usize = 16;
const PARTS: usize = LONGEST / AT_ONCE;

/// What comes next in a line: so many bytes of `rest`, in `room` with zeros behind them where
/// there are too few.
#[inline]
pub(super) fn ahead<'r>(rest: &'r [u8], room: &'r mut [u8; LONGEST]) -> &'r [u8; LONGEST] {
    match rest.first_chunk() {
        Some(ahead) => ahead,
        None => {
            *room = [0; LONGEST];
            room[..rest.len()].copy_from_slice(rest);
            room
        }
    }
}

/// A text of which it is asked whether it comes next.
#[derive(Debug, Clone, Copy)]
pub(super) struct Literal {
    parts: [Masked; PARTS],
    len: u8,
    /// Whether there is more of it than the first part.
    is_long: bool,
}

/// Some bytes, and which of them count.
#[derive(Debug, Clone, Copy, Default)]
struct Masked {
    text: u128,
    mask: u128,
}

/// What has to follow a literal.
#[derive(Debug, Clone, Copy)]
pub(super) enum Before {
    Anything,
    Digit,
    /// The end of the line, or of the text, which is padded with zeros. Other bytes that no
    /// line of text holds fit as well.
    Nothing,
}

impl Default for Literal {
    /// What comes nowhere: no text holds such a byte.
    fn default() -> Literal {
        let mut parts = [Masked::default(); PARTS];
        parts[0] = Masked {
            text: 0xff,
            mask: 0xff,
        };
        Literal {
            parts,
            len: 0,
            is_long: false,
        }
    }
}

impl Literal {
    /// A text and what has to follow it. `None` if it is too long.
    pub(super) fn new(text: &[u8], before: Before) -> Option<Literal> {
        if text.len() >= LONGEST {
            return None;
        }
        let mut bytes = [[0; AT_ONCE]; PARTS];
        let mut mask = bytes;
        let follows = match before {
            Before::Anything => None,
            // Digits share their upper half with few other bytes; one that is none of them is
            // doubted when the number is read.
            Before::Digit => Some((b'0', 0xf0)),
            Before::Nothing => Some((b'\0', 0xf0)),
        };
        let counting = text.iter().map(|byte| (*byte, u8::MAX)).chain(follows);
        let places = bytes.as_flattened_mut().iter_mut();
        for ((place, mask), byte) in places.zip(mask.as_flattened_mut()).zip(counting) {
            (*place, *mask) = byte;
        }
        let parts: [Masked; PARTS] = std::array::from_fn(|n| Masked {
            text: u128::from_le_bytes(bytes[n]),
            mask: u128::from_le_bytes(mask[n]),
        });
        Some(Literal {
            parts,
            len: text.len() as u8,
            is_long: parts[1].mask != 0,
        })
    }

    /// How many bytes it has.
    #[inline]
    pub(super) fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether it comes next.
    #[inline]
    pub(super) fn fits(&self, ahead: &[u8; LONGEST]) -> bool {
        self.parts[0].fits(ahead, 0)
            && (!self.is_long || (1..PARTS).all(|n| self.parts[n].fits(ahead, n)))
    }
}

impl Masked {
    #[inline]
    fn fits(self, ahead: &[u8; LONGEST], part: usize) -> bool {
        let part = ahead.as_chunks::<AT_ONCE>().0.get(part);
        let part = part.map_or(0, |part| u128::from_le_bytes(*part));
        (self.text ^ part) & self.mask == 0
    }
}
