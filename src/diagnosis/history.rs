//! The records of one lock that wait to be judged, packed: some twenty bytes a record and
//! the name of its operation, where the record itself takes seven times as much.
//!
//! A record is told by what differs from the one before: most records of a lock are of
//! the same lease and stand one behind the other.

use crate::evidence::{Answer, Event, Origin, Place};
use crate::timeline::{ActiveLease, Handle, Kind, Names, Step, Symbol};

/// Packed records, in the order in which they were put in.
#[derive(Debug)]
pub struct History {
    bytes: Vec<u8>,
    last: Last,
    /// Whether every record carries a greater `seq` than the one before, or none carries
    /// one and they stand as they arrived.
    arranged: bool,
    /// The same for what came since the records were last put in order.
    still_arranged: bool,
}

/// What the next record is told against.
#[derive(Debug, Clone, Copy, Default)]
pub struct Last {
    arrival: u64,
    /// The line less the arrival: the same as long as nothing else stands between.
    line_offset: u64,
    source: u32,
    owner: Option<Symbol>,
    lease: Option<Symbol>,
    key: Option<Symbol>,
    token: u64,
    seq: u64,
    has_seq: bool,
}

impl Last {
    /// The owner of the latest record that has one.
    pub fn owner(&self) -> Option<Symbol> {
        self.owner
    }

    /// The lease of the latest record that has one.
    pub fn lease(&self) -> Option<Symbol> {
        self.lease
    }

    /// The key of the latest record that has one.
    pub fn key(&self) -> Option<Symbol> {
        self.key
    }
}

impl Default for History {
    fn default() -> History {
        History {
            bytes: Vec::new(),
            last: Last::default(),
            arranged: true,
            still_arranged: true,
        }
    }
}

/// Where in a history reading stands.
#[derive(Debug, Clone, Default)]
pub struct Cursor {
    at: usize,
    last: Last,
}

// The bits of a record's head, which takes three bytes. Names take two bits each: see
// `Told`.
const SEQ_BY: u32 = 7;
const TOKEN: u32 = 1 << 10;
const BEFORE: u32 = 1 << 11;
const AFTER: u32 = 1 << 12;
const SEQ: u32 = 1 << 13;
const OPERATION: u32 = 1 << 14;
const MOVED: u32 = 1 << 15;
const OWNER: u32 = 16;
const LEASE: u32 = 18;
const KEY: u32 = 20;
const ACTIVE: u32 = 22;

/// How a name is told: not there, as before, or by its number.
const ABSENT: u32 = 0;
const AS_BEFORE: u32 = 1;
const NUMBERED: u32 = 2;

/// How the current lease of the authority is told.
const UNRECORDED: u32 = 0;
const NO_LEASE: u32 = 1;
const THIS_LEASE: u32 = 2;
const OTHER_LEASE: u32 = 3;

impl History {
    /// How many bytes it takes.
    pub fn size(&self) -> usize {
        self.bytes.capacity()
    }

    /// Whether its records stand in order already.
    pub fn is_arranged(&self) -> bool {
        self.arranged
    }

    /// Whether what came since [`History::replace`] stands in order.
    pub fn is_still_arranged(&self) -> bool {
        self.still_arranged
    }

    /// What the latest record was.
    pub fn last(&self) -> &Last {
        &self.last
    }

    /// Puts a record behind the others. `operation` is the name of its operation; the one
    /// in `step` is not looked at.
    pub fn push(&mut self, step: &Step, operation: Option<&str>) {
        let History {
            bytes,
            last,
            arranged,
            still_arranged,
        } = self;
        let in_order = bytes.is_empty()
            || match step.seq {
                Some(seq) => last.has_seq && seq > last.seq,
                None => !last.has_seq && step.place.arrival > last.arrival,
            };
        *arranged &= in_order;
        *still_arranged &= in_order;
        let mut packed = Packed::default();
        let mut head = step.event as u32 | (step.answer as u32) << 3;
        head |= step.seq_by.map_or(0, |origin| origin as u32 + 1) << SEQ_BY;
        packed.difference(step.place.arrival, last.arrival);
        last.arrival = step.place.arrival;
        let line_offset = step.place.line.wrapping_sub(step.place.arrival);
        if (step.place.source, line_offset) != (last.source, last.line_offset) {
            head |= MOVED;
            packed.number(u64::from(step.place.source));
            packed.difference(line_offset, last.line_offset);
            (last.source, last.line_offset) = (step.place.source, line_offset);
        }
        last.has_seq = step.seq.is_some();
        if let Some(seq) = step.seq {
            head |= SEQ;
            packed.difference(seq, last.seq);
            last.seq = seq;
        }
        let handle = &step.handle;
        head |= packed.name(handle.owner, &mut last.owner) << OWNER;
        head |= packed.name(handle.lease, &mut last.lease) << LEASE;
        head |= packed.name(step.key, &mut last.key) << KEY;
        if let Some(token) = handle.token {
            head |= TOKEN;
            packed.difference(token, last.token);
            last.token = token;
        }
        for (bit, reading) in [(BEFORE, step.before), (AFTER, step.after)] {
            if let Some(reading) = reading {
                head |= bit;
                packed.difference(reading, last.token);
            }
        }
        head |= packed.active(step, last.token) << ACTIVE;
        let operation = operation.inspect(|name| {
            head |= OPERATION;
            packed.number(name.len() as u64);
        });
        let (packed, operation) = (packed.with_head(head), operation.unwrap_or_default());
        let need = packed.len() + operation.len();
        if bytes.capacity() - bytes.len() < need {
            // Most locks of a run with many have few records, so room is made for few.
            let some = if bytes.len() < 128 {
                24
            } else {
                bytes.len() / 4
            };
            bytes.reserve_exact(need + some);
        }
        bytes.extend_from_slice(packed);
        bytes.extend_from_slice(operation.as_bytes());
    }

    /// The next record behind `cursor`, which moves on. Names of operations become
    /// symbols of `operations`.
    pub fn next(&self, cursor: &mut Cursor, operations: &mut Names) -> Option<Step> {
        let Cursor { at, last } = cursor;
        let mut rest = Bytes(self.bytes.get(*at..).filter(|rest| !rest.is_empty())?);
        let head = rest.head();
        last.arrival = rest.sum(last.arrival);
        if head & MOVED != 0 {
            last.source = rest.number() as u32;
            last.line_offset = rest.sum(last.line_offset);
        }
        let mut if_there = |bit: u32, base: u64| (head & bit != 0).then(|| rest.sum(base));
        let seq = if_there(SEQ, last.seq);
        last.seq = seq.unwrap_or(last.seq);
        let owner = rest.name(head >> OWNER, Kind::Owner, &mut last.owner);
        let lease = rest.name(head >> LEASE, Kind::Lease, &mut last.lease);
        let key = rest.name(head >> KEY, Kind::Key, &mut last.key);
        let mut if_there = |bit: u32, base: u64| (head & bit != 0).then(|| rest.sum(base));
        let token = if_there(TOKEN, last.token);
        last.token = token.unwrap_or(last.token);
        let (before, after) = (if_there(BEFORE, last.token), if_there(AFTER, last.token));
        let handle = Handle {
            owner,
            lease,
            token,
        };
        let active = match head >> ACTIVE & 3 {
            UNRECORDED => ActiveLease::Unrecorded,
            NO_LEASE => ActiveLease::None,
            THIS_LEASE => ActiveLease::Lease(handle),
            _ => ActiveLease::Lease(rest.handle(last.token)),
        };
        let operation = (head & OPERATION != 0).then(|| operations.intern(rest.text()));
        *at = self.bytes.len() - rest.0.len();
        Some(Step {
            place: Place {
                arrival: last.arrival,
                source: last.source,
                line: last.arrival.wrapping_add(last.line_offset),
            },
            seq,
            seq_by: (head >> SEQ_BY & 7)
                .checked_sub(1)
                .and_then(|origin| Origin::ALL.get(origin as usize).copied()),
            event: Event::ALL.get((head & 7) as usize).copied()?,
            answer: Answer::ALL.get((head >> 3 & 15) as usize).copied()?,
            handle,
            before,
            after,
            key,
            operation,
            active,
        })
    }

    /// All records.
    pub fn steps(&self, operations: &mut Names) -> Vec<Step> {
        let mut cursor = Cursor::default();
        std::iter::from_fn(|| self.next(&mut cursor, operations)).collect()
    }

    /// Puts these records in the place of all there are.
    pub fn replace(&mut self, steps: &[Step], operations: &Names) {
        *self = History::default();
        for step in steps {
            let operation = step.operation.map(|operation| operations.name(operation));
            self.push(step, operation);
        }
        self.still_arranged = true;
    }
}

/// One record while it is packed, but for the name of its operation.
struct Packed {
    bytes: [u8; MOST],
    len: usize,
}

/// More than the longest record takes: its head, eight numbers of ten bytes, six of five,
/// and one byte.
const MOST: usize = 128;
const HEAD: usize = 3;

impl Default for Packed {
    fn default() -> Packed {
        Packed {
            bytes: [0; MOST],
            len: HEAD,
        }
    }
}

impl Packed {
    #[inline]
    fn byte(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len += 1;
        }
    }

    /// A number in as few bytes as it needs, seven bits in each.
    #[inline]
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    /// The way from `base` to a number: short where they are near, whichever is greater.
    #[inline]
    fn difference(&mut self, value: u64, base: u64) {
        let way = value.wrapping_sub(base) as i64;
        self.number(((way << 1) ^ (way >> 63)) as u64);
    }

    #[inline]
    fn name(&mut self, name: Option<Symbol>, last: &mut Option<Symbol>) -> u32 {
        match name {
            None => ABSENT,
            name if name == *last => AS_BEFORE,
            Some(symbol) => {
                *last = Some(symbol);
                self.number(symbol.number() as u64);
                NUMBERED
            }
        }
    }

    fn active(&mut self, step: &Step, token: u64) -> u32 {
        let handle = match step.active {
            ActiveLease::Unrecorded => return UNRECORDED,
            ActiveLease::None => return NO_LEASE,
            ActiveLease::Lease(handle) if handle == step.handle => return THIS_LEASE,
            ActiveLease::Lease(handle) => handle,
        };
        let known = [
            handle.owner.is_some(),
            handle.lease.is_some(),
            handle.token.is_some(),
        ];
        let known = known
            .iter()
            .rev()
            .fold(0, |set, one| set << 1 | u8::from(*one));
        self.byte(known);
        for symbol in [handle.owner, handle.lease].into_iter().flatten() {
            self.number(symbol.number() as u64);
        }
        if let Some(own) = handle.token {
            self.difference(own, token);
        }
        OTHER_LEASE
    }

    fn with_head(&mut self, head: u32) -> &[u8] {
        let [a, b, c, _] = head.to_le_bytes();
        [self.bytes[0], self.bytes[1], self.bytes[2]] = [a, b, c];
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

/// Packed bytes that are still to be read. They were written above, so they are whole;
/// were they not, zeros would be read and nothing would panic.
struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    fn head(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), 0])
    }

    fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 || shift > 63 {
                return number;
            }
        }
    }

    fn sum(&mut self, base: u64) -> u64 {
        let way = self.number();
        base.wrapping_add((way >> 1) ^ (way & 1).wrapping_neg())
    }

    fn name(&mut self, told: u32, kind: Kind, last: &mut Option<Symbol>) -> Option<Symbol> {
        match told & 3 {
            ABSENT => return None,
            NUMBERED => *last = Some(Symbol::new(kind, self.number() as usize)),
            _ => {}
        }
        *last
    }

    fn handle(&mut self, token: u64) -> Handle {
        let known = self.byte();
        let mut symbol =
            |bit: u8, kind| (known & bit != 0).then(|| Symbol::new(kind, self.number() as usize));
        let (owner, lease) = (symbol(1, Kind::Owner), symbol(2, Kind::Lease));
        Handle {
            owner,
            lease,
            token: (known & 4 != 0).then(|| self.sum(token)),
        }
    }

    fn text(&mut self) -> &'b str {
        let length = (self.number() as usize).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        std::str::from_utf8(text).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Cursor, History};
    use crate::evidence::{Answer, Event, Origin, Place};
    use crate::timeline::{ActiveLease, Handle, Kind, Names, Step, Symbol};

    fn name(kind: Kind) -> impl Strategy<Value = Option<Symbol>> {
        proptest::option::of((0..300usize).prop_map(move |number| Symbol::new(kind, number)))
    }

    fn handle() -> impl Strategy<Value = Handle> {
        (name(Kind::Owner), name(Kind::Lease), any::<Option<u64>>()).prop_map(
            |(owner, lease, token)| Handle {
                owner,
                lease,
                token,
            },
        )
    }

    fn step() -> impl Strategy<Value = Step> {
        let active = prop_oneof![
            Just(ActiveLease::Unrecorded),
            Just(ActiveLease::None),
            handle().prop_map(ActiveLease::Lease),
        ];
        let numbers = (
            any::<Option<u64>>(),
            any::<Option<u64>>(),
            any::<Option<u64>>(),
        );
        let place = (any::<u64>(), any::<u32>(), any::<u64>());
        let words = (
            proptest::sample::select(&Event::ALL[..]),
            proptest::sample::select(&Answer::ALL[..]),
            proptest::option::of(proptest::sample::select(&Origin::ALL[..])),
        );
        (
            place,
            numbers,
            words,
            handle(),
            name(Kind::Key),
            active,
            any::<bool>(),
        )
            .prop_map(|(place, numbers, words, handle, key, active, own)| Step {
                place: Place {
                    arrival: place.0,
                    source: place.1,
                    line: place.2,
                },
                seq: numbers.0,
                seq_by: words.2,
                event: words.0,
                answer: words.1,
                handle,
                before: numbers.1,
                after: numbers.2,
                key,
                operation: None,
                active: if own {
                    ActiveLease::Lease(handle)
                } else {
                    active
                },
            })
    }

    proptest! {
        #[test]
        fn what_was_put_in_comes_out(
            steps in proptest::collection::vec((step(), any::<Option<String>>()), 0..20),
        ) {
            let mut history = History::default();
            for (step, operation) in &steps {
                history.push(step, operation.as_deref());
            }
            let mut operations = Names::new(Kind::Operation);
            let mut cursor = Cursor::default();
            for (step, operation) in &steps {
                let found = history.next(&mut cursor, &mut operations).unwrap();
                let named = found.operation.map(|symbol| operations.name(symbol));
                prop_assert_eq!(named, operation.as_deref());
                prop_assert_eq!(Step { operation: None, ..found }, *step);
            }
            prop_assert_eq!(history.next(&mut cursor, &mut operations), None);
            let all = history.steps(&mut operations);
            history.replace(&all, &operations);
            prop_assert_eq!(history.steps(&mut operations), all);
        }
    }
}
