//! Structured values made of any bytes: the same bytes make the same values, and where
//! they run out everything is zero.

/// Pieces of text that some destination obeys, or that look like another.
const HOSTILE: [&str; 40] = [
    "\u{1b}[2J",
    "\u{1b}]0;x\u{7}",
    "\u{9b}31m",
    "\u{202e}",
    "\u{2066}",
    "\u{2069}",
    "\u{200b}",
    "\u{feff}",
    "\u{fe00}",
    "\u{1d173}",
    "\u{e0041}",
    "\u{fffe}",
    "\u{2028}",
    "\0",
    "\r",
    "\n",
    "\r\n",
    "\t",
    " ",
    "\u{a0}",
    "=1+1",
    "+",
    "-",
    "@",
    "\u{ff1d}",
    ";",
    ",",
    "\"",
    "'",
    "<b>",
    "&lt;",
    "]]>",
    "<!--",
    "::error::x",
    "%0A",
    "##[error]",
    "](https://e.example)",
    "\\",
    "{0}",
    "🔒",
];

/// A cursor over the bytes of one run.
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    pub fn flag(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::from(self.byte()) % choices.len()]
    }

    /// Small numbers mostly, so that they meet; the ends of the range sometimes.
    pub fn number(&mut self) -> u64 {
        match self.byte() {
            255 => u64::MAX,
            254 => u64::MAX - 1,
            253 => (1 << 53) + 1,
            252 => 1 << 63,
            small => u64::from(small % 12),
        }
    }

    /// A name: short ones of two letters that meet, hostile ones, and any text.
    pub fn text(&mut self) -> String {
        let kind = self.byte();
        match kind % 4 {
            0 => self.pick(&["a", "b", "c", ""]).to_owned(),
            1 => self.pick(&HOSTILE).repeat(usize::from(kind / 64) + 1),
            _ => {
                let mut text = String::new();
                for _ in 0..kind / 16 {
                    match self.byte() {
                        piece @ 0..=79 => {
                            text.push_str(HOSTILE[usize::from(piece) % HOSTILE.len()]);
                        }
                        letter @ 80..=159 => text.push(char::from(letter - 48)),
                        high => {
                            let low = u32::from(self.byte());
                            let code = (u32::from(high) - 160) << 8 | low;
                            text.extend(char::from_u32(code));
                        }
                    }
                }
                text
            }
        }
    }

    pub fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| make(self))
    }
}
