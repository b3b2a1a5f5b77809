//! Names seen in the evidence, each kept once and known by a number afterwards.

use std::hash::BuildHasher;
use std::num::NonZeroU32;

use hashbrown::HashTable;

/// A name: of a lock, an owner, a lease, a resource key or an operation. Two symbols are
/// equal exactly where the names are equal byte for byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(NonZeroU32);

impl Symbol {
    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// All names of a run, in one text with the end of each.
#[derive(Debug, Default)]
pub struct Symbols {
    text: String,
    ends: Vec<usize>,
    table: HashTable<Symbol>,
    hasher: foldhash::fast::FixedState,
}

impl Symbols {
    /// The symbol of `name`, new or known.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let hash = self.hasher.hash_one(name);
        let Symbols {
            text,
            ends,
            table,
            hasher,
        } = self;
        let known = table.find(hash, |symbol| slice(text, ends, *symbol) == name);
        if let Some(symbol) = known {
            return *symbol;
        }
        text.push_str(name);
        ends.push(text.len());
        // 2^32 distinct names would need more memory for the names alone than any
        // machine that this runs on; past it, names share the last symbol's number.
        let number = u32::try_from(ends.len()).unwrap_or(u32::MAX);
        let symbol = Symbol(NonZeroU32::new(number).unwrap_or(NonZeroU32::MAX));
        table.insert_unique(hash, symbol, |symbol| {
            hasher.hash_one(slice(text, ends, *symbol))
        });
        symbol
    }

    /// The name behind a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        slice(&self.text, &self.ends, symbol)
    }

    /// The name behind a symbol, owned; none for none.
    pub fn owned(&self, symbol: Option<Symbol>) -> Option<String> {
        symbol.map(|symbol| self.name(symbol).to_owned())
    }
}

fn slice<'t>(text: &'t str, ends: &[usize], symbol: Symbol) -> &'t str {
    let at = symbol.index();
    let start = if at == 0 { 0 } else { ends[at - 1] };
    &text[start..ends[at]]
}

#[cfg(test)]
mod tests {
    use super::Symbols;

    #[test]
    fn a_name_is_kept_once() {
        let mut symbols = Symbols::default();
        let first = symbols.intern("acct:42");
        let other = symbols.intern("acct:0042");
        assert_ne!(first, other);
        assert_eq!(symbols.intern("acct:42"), first);
        assert_eq!(symbols.name(other), "acct:0042");
        let empty = symbols.intern("");
        assert_eq!(symbols.name(empty), "");
    }
}
