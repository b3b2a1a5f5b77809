//! The records of one lock that wait to be judged, packed: some twenty bytes a record and
//! the names in it that are new.
//!
//! A record is told by what differs from the one before: most records of a lock are of
//! the same lease and stand one behind the other. The names of owners, leases and
//! operations stand here as they were written, so that nothing is left of them when the
//! records are gone.

use super::packed::{Bytes, Packed, append};
use crate::evidence::{ActiveView, Answer, Event, Origin, Place, Token, View};
use crate::timeline::short::same;
use crate::timeline::{ActiveLease, Handle, Kind, Step, Symbol, Symbols};

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
    /// Whether the latest record carries a `seq`.
    has_seq: bool,
}

/// What the next record is told against.
#[derive(Debug, Clone, Copy, Default)]
struct Last {
    arrival: u64,
    /// The line less the arrival: the same as long as nothing else stands between.
    line_offset: u64,
    token: Token,
    seq: u64,
    source: u32,
    key: Option<Symbol>,
    owners: Recent,
    leases: Recent,
}

/// Where the two names stand that were told last: behind these many bytes, the latest
/// first; 0 where there is none.
#[derive(Debug, Clone, Copy, Default)]
struct Recent([u32; 2]);

impl Default for History {
    fn default() -> History {
        History {
            bytes: Vec::new(),
            last: Last::default(),
            arranged: true,
            still_arranged: true,
            has_seq: false,
        }
    }
}

/// Where in a history reading stands.
#[derive(Debug, Clone, Default)]
pub struct Cursor {
    at: usize,
    last: Last,
    owners: Known,
    leases: Known,
}

/// The two names read last, the latest first.
#[derive(Debug, Clone, Copy, Default)]
struct Known([Option<Symbol>; 2]);

impl Known {
    /// The name that is told so.
    #[inline]
    fn name(
        &mut self,
        told: u32,
        kind: Kind,
        rest: &mut Bytes<'_>,
        names: &mut Symbols,
    ) -> Option<Symbol> {
        let [latest, earlier] = self.0;
        match told & 3 {
            ABSENT => return None,
            LATEST => return latest,
            EARLIER => self.0 = [earlier, latest],
            _ => self.0 = [Some(names.of_mut(kind).intern_bytes(rest.text())), latest],
        }
        self.0[0]
    }
}

impl Cursor {
    /// Gives the names told last other symbols.
    pub fn rename(&mut self, rename: &mut dyn FnMut(Symbol) -> Symbol) {
        let names = self.owners.0.iter_mut().chain(&mut self.leases.0).flatten();
        names.for_each(|name| *name = rename(*name));
    }
}

// The bits of a record's head, which takes four bytes. Names take two bits each: see
// `ABSENT` and what follows it.
const ANSWER: u32 = 3;
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
const ACTIVE_OWNER: u32 = 24;
const ACTIVE_LEASE: u32 = 26;
const ACTIVE_TOKEN: u32 = 1 << 28;

/// That nobody is known to have given a `seq`.
const NOBODY: u32 = Origin::ALL.len() as u32;

/// How a name is told: not there, as the latest, as the one before that, or anew.
const ABSENT: u32 = 0;
const LATEST: u32 = 1;
const EARLIER: u32 = 2;
const NEW: u32 = 3;

/// The length of a name shorter than this takes one byte.
const SHORT: usize = 0x80;

/// How the current lease of the authority is told.
const UNRECORDED: u32 = 0;
const NO_LEASE: u32 = 1;
const THIS_LEASE: u32 = 2;
const NAMED_LEASE: u32 = 3;

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

    /// The key of the latest record that has one.
    pub fn last_key(&self) -> Option<Symbol> {
        self.last.key
    }

    /// Puts a record behind the others; `key` is its key.
    pub fn push(&mut self, place: Place, record: &View<'_>, key: Option<Symbol>) {
        let History {
            bytes,
            last,
            arranged,
            still_arranged,
            has_seq,
        } = self;
        let in_order = bytes.is_empty()
            || match record.seq {
                Some(seq) => *has_seq && seq > last.seq,
                None => !*has_seq && place.arrival > last.arrival,
            };
        *arranged &= in_order;
        *still_arranged &= in_order;
        *has_seq = record.seq.is_some();
        let mut numbers = [0; _];
        let (mut head, end) = last.pack(Packed::behind_head(&mut numbers), place, record, key);
        // Names come last, one behind the other.
        let Last { owners, leases, .. } = last;
        let mut texts = 0;
        if let Some(owner) = record.owner {
            let told = owners.told(bytes, owner);
            head |= told << OWNER;
            texts += if told == NEW { text_room(owner) } else { 0 };
        }
        if let Some(lease) = record.lease {
            let told = leases.told(bytes, lease);
            head |= told << LEASE;
            texts += if told == NEW { text_room(lease) } else { 0 };
        }
        if let Some(operation) = record.operation {
            head |= OPERATION;
            texts += text_room(operation);
        }
        make_room(bytes, end + texts);
        let head_at = bytes.len();
        append(bytes, head, &mut numbers, end);
        if let Some(owner) = record.owner.filter(|_| head >> OWNER & 3 == NEW) {
            owners.tell(bytes, owner);
        }
        if let Some(lease) = record.lease.filter(|_| head >> LEASE & 3 == NEW) {
            leases.tell(bytes, lease);
        }
        if head >> ACTIVE & 3 == NAMED_LEASE {
            last.tell_active(bytes, head_at, &record.active);
        }
        if let Some(operation) = record.operation {
            text(bytes, operation);
        }
    }

    /// The next record behind `cursor`, which moves on. Names become symbols of `names`.
    pub fn next(&self, cursor: &mut Cursor, names: &mut Symbols) -> Option<Step> {
        let mut step = NO_STEP;
        self.read(cursor, names, &mut step).then_some(step)
    }

    /// The same, into the room of an earlier step: one is large. Says whether there is a
    /// record.
    pub fn read(&self, cursor: &mut Cursor, names: &mut Symbols, step: &mut Step) -> bool {
        let Cursor {
            at,
            last,
            owners,
            leases,
        } = cursor;
        if *at >= self.bytes.len() {
            return false;
        }
        let mut rest = Bytes::new(&self.bytes, *at);
        let head = rest.head();
        let event = Event::ALL.get((head & 7) as usize).copied();
        let answer = Answer::ALL.get((head >> ANSWER & 15) as usize).copied();
        let (Some(event), Some(answer)) = (event, answer) else {
            return false;
        };
        (step.event, step.answer) = (event, answer);
        step.seq_by = Origin::ALL.get((head >> SEQ_BY & 7) as usize).copied();
        last.arrival = rest.sum(last.arrival);
        if head & MOVED != 0 {
            last.source = rest.number() as u32;
            last.line_offset = rest.sum(last.line_offset);
        }
        step.place = Place {
            arrival: last.arrival,
            source: last.source,
            line: last.arrival.wrapping_add(last.line_offset),
        };
        step.seq = None;
        if head & SEQ != 0 {
            last.seq = rest.sum(last.seq);
            step.seq = Some(last.seq);
        }
        step.key = None;
        if head >> KEY & 3 != ABSENT {
            if head >> KEY & 3 == NEW {
                last.key = Some(Symbol::new(Kind::Key, rest.number() as usize));
            }
            step.key = last.key;
        }
        step.handle.token = None;
        if head & TOKEN != 0 {
            last.token = rest.sum(last.token);
            step.handle.token = Some(last.token);
        }
        let mut if_there = |bit: u32| (head & bit != 0).then(|| rest.sum(last.token));
        step.before = if_there(BEFORE);
        step.after = if_there(AFTER);
        let active_token = if_there(ACTIVE_TOKEN);
        step.handle.owner = owners.name(head >> OWNER, Kind::Owner, &mut rest, names);
        step.handle.lease = leases.name(head >> LEASE, Kind::Lease, &mut rest, names);
        step.active = match head >> ACTIVE & 3 {
            UNRECORDED => ActiveLease::Unrecorded,
            NO_LEASE => ActiveLease::None,
            THIS_LEASE => ActiveLease::Lease(step.handle),
            _ => ActiveLease::Lease(Handle {
                owner: owners.name(head >> ACTIVE_OWNER, Kind::Owner, &mut rest, names),
                lease: leases.name(head >> ACTIVE_LEASE, Kind::Lease, &mut rest, names),
                token: active_token,
            }),
        };
        step.operation = None;
        if head & OPERATION != 0 {
            let operations = names.of_mut(Kind::Operation);
            step.operation = Some(operations.intern_bytes(rest.text()));
        }
        *at = rest.at();
        true
    }

    /// Whether nothing stands behind `cursor`.
    pub fn is_at_end(&self, cursor: &Cursor) -> bool {
        cursor.at >= self.bytes.len()
    }

    /// All records.
    pub fn steps(&self, names: &mut Symbols) -> Vec<Step> {
        let mut cursor = Cursor::default();
        std::iter::from_fn(|| self.next(&mut cursor, names)).collect()
    }

    /// Puts the record of a step behind the others.
    pub fn push_step(&mut self, step: &Step, names: &Symbols) {
        self.push(step.place, &view(step, names), step.key);
    }

    /// Puts these records in the place of all there are.
    pub fn replace(&mut self, steps: &[Step], names: &Symbols) {
        *self = History::default();
        for step in steps {
            self.push_step(step, names);
        }
        self.still_arranged = true;
    }
}

/// To be read into.
pub const NO_STEP: Step = Step {
    place: Place {
        arrival: 0,
        source: 0,
        line: 0,
    },
    seq: None,
    seq_by: None,
    event: Event::Acquire,
    answer: Answer::InDoubt,
    handle: Handle {
        owner: None,
        lease: None,
        token: None,
    },
    before: None,
    after: None,
    key: None,
    operation: None,
    active: ActiveLease::Unrecorded,
};

impl Last {
    /// Packs the numbers of a record, and gives its head, but for how its names are told, and
    /// where the numbers end.
    fn pack(
        &mut self,
        mut numbers: Packed<'_>,
        place: Place,
        record: &View<'_>,
        key: Option<Symbol>,
    ) -> (u32, usize) {
        let mut head = record.event as u32 | (record.answer as u32) << ANSWER;
        head |= record.seq_by.map_or(NOBODY, |origin| origin as u32) << SEQ_BY;
        numbers.difference(place.arrival, self.arrival);
        self.arrival = place.arrival;
        let line_offset = place.line.wrapping_sub(place.arrival);
        if (place.source, line_offset) != (self.source, self.line_offset) {
            head |= MOVED;
            numbers.number(u64::from(place.source));
            numbers.difference(line_offset, self.line_offset);
            (self.source, self.line_offset) = (place.source, line_offset);
        }
        if let Some(seq) = record.seq {
            head |= SEQ;
            numbers.difference(seq, self.seq);
            self.seq = seq;
        }
        if let Some(symbol) = key {
            if key == self.key {
                head |= LATEST << KEY;
            } else {
                head |= NEW << KEY;
                numbers.number(symbol.number() as u64);
                self.key = key;
            }
        }
        if let Some(token) = record.token {
            head |= TOKEN;
            numbers.difference(token, self.token);
            self.token = token;
        }
        for (bit, reading) in [(BEFORE, record.before), (AFTER, record.after)] {
            if let Some(reading) = reading {
                head |= bit;
                numbers.difference(reading, self.token);
            }
        }
        match record.active {
            ActiveView::Unrecorded => {}
            ActiveView::None => head |= NO_LEASE << ACTIVE,
            ActiveView::Lease {
                owner,
                lease,
                token,
            } if token == record.token
                && both_same(owner, record.owner)
                && both_same(lease, record.lease) =>
            {
                head |= THIS_LEASE << ACTIVE;
            }
            ActiveView::Lease { token, .. } => {
                head |= NAMED_LEASE << ACTIVE;
                if let Some(token) = token {
                    head |= ACTIVE_TOKEN;
                    numbers.difference(token, self.token);
                }
            }
        }
        (head, numbers.end())
    }

    /// Tells the names of the current lease of the authority, in a record whose head stands
    /// there.
    #[cold]
    fn tell_active(&mut self, bytes: &mut Vec<u8>, head_at: usize, active: &ActiveView<'_>) {
        let ActiveView::Lease { owner, lease, .. } = *active else {
            return;
        };
        let mut told = 0;
        for (names, name, at) in [
            (&mut self.owners, owner, ACTIVE_OWNER),
            (&mut self.leases, lease, ACTIVE_LEASE),
        ] {
            let Some(name) = name else {
                continue;
            };
            let how = names.told(bytes, name);
            told |= how << at;
            if how == NEW {
                names.tell(bytes, name);
            }
        }
        if let Some(head) = bytes
            .get_mut(head_at..)
            .and_then(|rest| rest.first_chunk_mut())
        {
            *head = (u32::from_le_bytes(*head) | told).to_le_bytes();
        }
    }
}

/// Makes room for so many bytes. Most locks of a run with many have few records, so room
/// is made for few. Larger rooms come in few sizes, so that what one lock has outgrown
/// fits another.
#[inline]
fn make_room(bytes: &mut Vec<u8>, need: usize) {
    if bytes.capacity() - bytes.len() < need {
        grow(bytes, need);
    }
}

#[cold]
fn grow(bytes: &mut Vec<u8>, need: usize) {
    // Of sixteen bytes that an allocator gives eight are often its own.
    let whole = bytes.len() + need + 8;
    let room = if whole <= 128 {
        whole.next_multiple_of(16)
    } else {
        let double = whole.next_power_of_two();
        if whole <= double / 4 * 3 {
            double / 4 * 3
        } else {
            double
        }
    };
    bytes.reserve_exact(room - 8 - bytes.len());
}

/// Whether two names are the same, or neither is there.
#[inline]
fn both_same(a: Option<&[u8]>, b: Option<&[u8]>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        _ => a.is_none() && b.is_none(),
    }
}

/// How many bytes a name takes at most, behind its length.
#[inline]
fn text_room(name: &[u8]) -> usize {
    name.len() + 1 + name.len() / SHORT
}

/// A name as it was written, behind its length.
#[inline]
fn text(bytes: &mut Vec<u8>, name: &[u8]) {
    if name.len() >= SHORT {
        return long_text(bytes, name);
    }
    make_room(bytes, text_room(name));
    bytes.push(name.len() as u8);
    bytes.extend_from_slice(name);
}

#[cold]
fn long_text(bytes: &mut Vec<u8>, name: &[u8]) {
    make_room(bytes, text_room(name));
    let mut room = [0; _];
    let mut length = Packed::new(&mut room);
    length.number(name.len() as u64);
    let end = length.end();
    bytes.extend_from_slice(room.get(..end).unwrap_or_default());
    bytes.extend_from_slice(name);
}

/// Whether `name` stands where its length was put behind all but one of so many bytes.
#[inline(never)]
fn stands_at(bytes: &[u8], place: u32, name: &[u8]) -> bool {
    let at = (place as usize).wrapping_sub(1);
    if name.len() < SHORT {
        match bytes.get(at..at.wrapping_add(1 + name.len())) {
            Some([length, told @ ..]) => usize::from(*length) == name.len() && same(told, name),
            _ => false,
        }
    } else {
        Bytes::new(bytes, at).begins_with(name)
    }
}

/// The record of a step, but for its lock and its key.
fn view<'n>(step: &Step, names: &'n Symbols) -> View<'n> {
    let name = |symbol: Option<Symbol>| symbol.map(|symbol| names.of(symbol.kind()).bytes(symbol));
    View {
        lock: &[],
        event: step.event,
        answer: step.answer,
        key: None,
        owner: name(step.handle.owner),
        lease: name(step.handle.lease),
        token: step.handle.token,
        before: step.before,
        after: step.after,
        seq: step.seq,
        seq_by: step.seq_by,
        operation: name(step.operation),
        active: match step.active {
            ActiveLease::Unrecorded => ActiveView::Unrecorded,
            ActiveLease::None => ActiveView::None,
            ActiveLease::Lease(handle) => ActiveView::Lease {
                owner: name(handle.owner),
                lease: name(handle.lease),
                token: handle.token,
            },
        },
    }
}

impl Recent {
    /// How a name is told, by what was told of it before where that can be. If as a new one,
    /// [`Recent::tell`] has to follow.
    #[inline]
    fn told(&mut self, bytes: &[u8], name: &[u8]) -> u32 {
        let Recent([latest, earlier]) = *self;
        if stands_at(bytes, latest, name) {
            return LATEST;
        }
        if stands_at(bytes, earlier, name) {
            self.0 = [earlier, latest];
            return EARLIER;
        }
        NEW
    }

    /// Tells a new name.
    #[inline]
    fn tell(&mut self, bytes: &mut Vec<u8>, name: &[u8]) {
        // Beyond four GiB of one lock a name is told anew each time.
        let place = u32::try_from(bytes.len() + 1).unwrap_or(0);
        self.0 = [place, self.0[0]];
        text(bytes, name);
    }
}

#[cfg(test)]
mod tests;
