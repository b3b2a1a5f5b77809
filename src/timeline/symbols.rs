//! Names seen in the evidence, each kept once and known by a number afterwards.

use std::num::NonZeroU32;
use std::ops::Range;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::evidence::name_hash;
use crate::fetch;

/// What a name names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A lock.
    Lock,
    /// An owner of leases.
    Owner,
    /// A lease, by its id.
    Lease,
    /// A resource key.
    Key,
    /// A business operation.
    Operation,
}

impl Kind {
    const ALL: [Kind; 5] = [
        Kind::Lock,
        Kind::Owner,
        Kind::Lease,
        Kind::Key,
        Kind::Operation,
    ];
}

/// Room for more names is not kept for others.
const LARGE: usize = 4096;
/// A table with no more room than this is emptied, however few names it holds.
const SMALL: usize = 512;
/// Emptying room for so many names takes no longer than adding one did.
const EMPTIED_AS_ONE_ADDED: usize = 64;
/// Bits of a symbol that tell its kind.
const KIND_BITS: u32 = 3;
/// How many names of one kind have a number of their own. Their texts and numbers would
/// take more memory than the machines have that this runs on; past it, names share the
/// last number.
const MOST: u32 = u32::MAX >> KIND_BITS;

/// A name: of a lock, an owner, a lease, a resource key or an operation. Two symbols are
/// equal exactly where they are of one kind and the names are equal byte for byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(NonZeroU32);

impl Symbol {
    /// The symbol of that number and kind.
    pub(crate) fn new(kind: Kind, number: usize) -> Symbol {
        let number = u32::try_from(number).unwrap_or(MOST);
        Symbol::known(kind, number.min(MOST - 1))
    }

    /// The same, where names have that number of their own.
    #[inline]
    fn known(kind: Kind, number: u32) -> Symbol {
        let tagged = (number + 1) << KIND_BITS | kind as u32;
        Symbol(NonZeroU32::new(tagged).unwrap_or(NonZeroU32::MAX))
    }

    /// Its number among the names of its kind: 0 for the first one.
    #[inline]
    pub fn number(self) -> usize {
        (self.0.get() >> KIND_BITS) as usize - 1
    }

    /// What it names.
    pub fn kind(self) -> Kind {
        match self.0.get() & ((1 << KIND_BITS) - 1) {
            0 => Kind::Lock,
            1 => Kind::Owner,
            2 => Kind::Lease,
            3 => Kind::Key,
            _ => Kind::Operation,
        }
    }
}

/// All names of a run, by kind.
#[derive(Debug)]
pub struct Symbols {
    kinds: [Names; 5],
}

/// The names of one kind: in one text, with the end of each.
#[derive(Debug)]
pub struct Names {
    kind: Kind,
    text: Vec<u8>,
    ends: Vec<Offset>,
    table: HashTable<u32>,
}

/// A place in a text, in five bytes: there may be millions of names.
#[derive(Debug, Clone, Copy)]
struct Offset([u8; 5]);

impl Offset {
    fn of(place: usize) -> Offset {
        let [a, b, c, d, e, ..] = (place as u64).to_le_bytes();
        Offset([a, b, c, d, e])
    }

    #[inline]
    fn get(self) -> usize {
        let [a, b, c, d, e] = self.0;
        u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]) as usize
    }
}

impl Names {
    /// No names yet.
    pub fn new(kind: Kind) -> Names {
        Names {
            kind,
            text: Vec::new(),
            ends: Vec::new(),
            table: HashTable::new(),
        }
    }

    /// The symbol of `name`, new or known.
    pub fn intern(&mut self, name: &str) -> Symbol {
        self.intern_bytes(name.as_bytes())
    }

    /// The symbol of a name that is known to be text.
    pub fn intern_bytes(&mut self, name: &[u8]) -> Symbol {
        let Names {
            kind,
            text,
            ends,
            table,
        } = self;
        let known = |number: &u32| bytes(text, ends, *number) == name;
        let hash_again = |number: &u32| name_hash(bytes(text, ends, *number));
        let new = match table.entry(name_hash(name), known, hash_again) {
            Entry::Occupied(known) => return Symbol::known(*kind, *known.get()),
            Entry::Vacant(new) => new,
        };
        let number = ends.len();
        if number >= MOST as usize {
            return Symbol::new(*kind, number);
        }
        new.insert(number as u32);
        text.extend_from_slice(name);
        ends.push(Offset::of(text.len()));
        Symbol::known(*kind, number as u32)
    }

    /// The symbol of `name`, which is likely to be `near`.
    #[inline(always)]
    pub fn intern_near(&mut self, near: Option<Symbol>, name: &[u8]) -> Symbol {
        match near {
            Some(near) if self.bytes(near) == name => near,
            _ => self.intern_bytes(name),
        }
    }

    /// The symbol that the name with that hash is likely to have, if it is known.
    #[inline]
    pub fn guess(&self, name_hash: u64) -> Option<Symbol> {
        let number = self.table.find(name_hash, |_| true)?;
        Some(Symbol::known(self.kind, *number))
    }

    /// Fetches from memory what the name behind a symbol of this kind is held against.
    #[inline]
    pub fn fetch(&self, symbol: Symbol) {
        let name = range(&self.ends, symbol.number() as u32);
        fetch::element(&self.text, name.start);
        fetch::element(&self.text, name.end.saturating_sub(1));
    }

    /// The name behind a symbol of this kind.
    pub fn name(&self, symbol: Symbol) -> &str {
        std::str::from_utf8(self.bytes(symbol)).unwrap_or_default()
    }

    /// The same, in bytes.
    #[inline]
    pub fn bytes(&self, symbol: Symbol) -> &[u8] {
        bytes(&self.text, &self.ends, symbol.number() as u32)
    }

    /// How many names there are.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Forgets all names; their symbols name nothing from here on.
    pub fn clear(&mut self) {
        // Emptying a table takes as long as it is large, so none is kept that is large, or much
        // larger than what it held.
        let room = self.table.capacity();
        if room > LARGE {
            *self = Names::new(self.kind);
        } else if room > SMALL.max(EMPTIED_AS_ONE_ADDED * self.count()) {
            self.table = HashTable::new();
        }
        self.text.clear();
        self.ends.clear();
        self.table.clear();
    }
}

impl Default for Symbols {
    fn default() -> Symbols {
        Symbols {
            kinds: Kind::ALL.map(Names::new),
        }
    }
}

impl Symbols {
    /// The symbol of `name`, new or known.
    pub fn intern(&mut self, kind: Kind, name: &str) -> Symbol {
        self.of_mut(kind).intern(name)
    }

    /// The names of one kind.
    pub fn of(&self, kind: Kind) -> &Names {
        &self.kinds[kind as usize]
    }

    /// The names of one kind, to add some.
    pub fn of_mut(&mut self, kind: Kind) -> &mut Names {
        &mut self.kinds[kind as usize]
    }

    /// The symbol here of a name that is known by `symbol` there.
    pub fn adopt(&mut self, symbol: Symbol, there: &Symbols) -> Symbol {
        self.intern(symbol.kind(), there.name(symbol))
    }

    /// Forgets all names; their symbols name nothing from here on.
    pub fn clear(&mut self) {
        self.kinds.iter_mut().for_each(Names::clear);
    }

    /// The name behind a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.of(symbol.kind()).name(symbol)
    }

    /// The same, in bytes.
    pub fn bytes(&self, symbol: Symbol) -> &[u8] {
        self.of(symbol.kind()).bytes(symbol)
    }

    /// The name behind a symbol, owned; none for none.
    pub fn owned(&self, symbol: Option<Symbol>) -> Option<String> {
        symbol.map(|symbol| self.name(symbol).to_owned())
    }
}

#[inline]
fn range(ends: &[Offset], number: u32) -> Range<usize> {
    let at = number as usize;
    let start = if at == 0 { 0 } else { ends[at - 1].get() };
    start..ends[at].get()
}

#[inline]
fn bytes<'t>(text: &'t [u8], ends: &[Offset], number: u32) -> &'t [u8] {
    &text[range(ends, number)]
}

#[cfg(test)]
mod tests {
    use super::{Kind, Names, Symbol, Symbols, name_hash};

    #[test]
    fn a_name_is_kept_once_for_each_kind() {
        let mut symbols = Symbols::default();
        let first = symbols.intern(Kind::Lock, "acct:42");
        let other = symbols.intern(Kind::Lock, "acct:0042");
        assert_ne!(first, other);
        assert_eq!(symbols.intern(Kind::Lock, "acct:42"), first);
        assert_eq!(symbols.name(other), "acct:0042");
        let empty = symbols.intern(Kind::Lock, "");
        assert_eq!(symbols.name(empty), "");
        let key = symbols.intern(Kind::Key, "acct:42");
        assert_ne!(key, first);
        assert_eq!(symbols.name(key), "acct:42");
        assert_eq!((first.number(), other.number(), key.number()), (0, 1, 0));
        assert_eq!(symbols.of(Kind::Lock).count(), 3);
    }

    #[test]
    fn a_wrong_guess_changes_no_name() {
        let mut names = Names::new(Kind::Lock);
        let name = |number: usize| format!("lock-{number}").into_bytes();
        assert_eq!(names.guess(name_hash(b"lock-0")), None);
        let mut wrong = 0;
        for number in 0..5000 {
            let guess = names.guess(name_hash(&name(number)));
            wrong += usize::from(guess.is_some());
            assert_eq!(names.intern_near(guess, &name(number)).number(), number);
        }
        assert!(wrong > 0);
        for number in 0..5000 {
            let guess = names.guess(name_hash(&name(number)));
            wrong += usize::from(guess != Some(Symbol::new(Kind::Lock, number)));
            assert_eq!(names.intern_near(guess, &name(number)).number(), number);
            names.fetch(Symbol::new(Kind::Lock, number));
        }
        // Few are wrong, or they would be of no use.
        assert!(wrong < 2500, "{wrong}");
    }
}
