//! How a record is packed: numbers first, then the names that are new.

use super::{
    ACTIVE, ACTIVE_LEASE, ACTIVE_OWNER, ACTIVE_TOKEN, AFTER, ANSWER, Arranged, BEFORE, EARLIER,
    History, KEY, LATEST, LEASE, Last, LineOffset, MOVED, NAMED_LEASE, NEW, NO_LEASE, NOBODY,
    OPERATION, OWNER, Recent, SEQ, SEQ_BY, SHORT, THIS_LEASE, TOKEN,
};
use crate::diagnosis::packed::{Bytes, Packed, append};
use crate::evidence::{ActiveGlance, Glance, Origin, Place};
use crate::timeline::Symbol;

impl History {
    /// Puts a record behind the others; `key` is its key, and `seq_by` gave its `seq`.
    pub fn push(
        &mut self,
        place: Place,
        record: &impl Glance,
        key: Option<Symbol>,
        seq_by: Option<Origin>,
    ) {
        let History {
            bytes,
            last,
            owners,
            leases,
        } = self;
        let in_order = bytes.is_empty()
            || match record.seq() {
                Some(seq) => last.has_seq && seq > last.seq,
                None => !last.has_seq && place.arrival > last.arrival,
            };
        if !in_order {
            last.arranged = Arranged::No;
        }
        last.has_seq = record.seq().is_some();
        let mut numbers = [0; _];
        let (mut head, end) = last.pack(Packed::behind_head(&mut numbers), place, record, key);
        head |= seq_by.map_or(NOBODY, |origin| origin as u32) << SEQ_BY;
        // Names come last, one behind the other.
        let (owner, lease, operation) = (record.owner(), record.lease(), record.operation());
        let mut texts = 0;
        if let Some(owner) = owner {
            let told = owners.told(bytes, owner);
            head |= told << OWNER;
            texts += if told == NEW { text_room(owner) } else { 0 };
        }
        if let Some(lease) = lease {
            let told = leases.told(bytes, lease);
            head |= told << LEASE;
            texts += if told == NEW { text_room(lease) } else { 0 };
        }
        if let Some(operation) = operation {
            head |= OPERATION;
            texts += text_room(operation);
        }
        make_room(bytes, end + texts);
        let head_at = bytes.len();
        append(bytes, head, &mut numbers, end);
        if let Some(owner) = owner.filter(|_| head >> OWNER & 3 == NEW) {
            owners.tell(bytes, owner);
        }
        if let Some(lease) = lease.filter(|_| head >> LEASE & 3 == NEW) {
            leases.tell(bytes, lease);
        }
        if head >> ACTIVE & 3 == NAMED_LEASE {
            self.tell_active(head_at, &record.active());
        }
        if let Some(operation) = operation {
            text(&mut self.bytes, operation);
        }
    }

    /// Tells the names of the current lease of the authority, in a record whose head stands
    /// there.
    #[cold]
    fn tell_active(&mut self, head_at: usize, active: &ActiveGlance<'_>) {
        let ActiveGlance::Lease { owner, lease, .. } = *active else {
            return;
        };
        let History {
            bytes,
            owners,
            leases,
            ..
        } = self;
        let mut told = 0;
        for (names, name, at) in [(owners, owner, ACTIVE_OWNER), (leases, lease, ACTIVE_LEASE)] {
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

impl Last {
    /// Packs the numbers of a record, and gives its head, but for how its names are told, and
    /// where the numbers end.
    fn pack(
        &mut self,
        mut numbers: Packed<'_>,
        place: Place,
        record: &impl Glance,
        key: Option<Symbol>,
    ) -> (u32, usize) {
        let mut head = record.event() as u32 | (record.answer() as u32) << ANSWER;
        numbers.difference(place.arrival, self.arrival);
        self.arrival = place.arrival;
        let line_offset = place.line.wrapping_sub(place.arrival);
        if place.source != self.source || !self.line_offset.is(line_offset) {
            head |= MOVED;
            numbers.number(u64::from(place.source));
            numbers.difference(line_offset, self.line_offset.get());
            self.source = place.source;
            self.line_offset = LineOffset::of(line_offset);
        }
        if let Some(seq) = record.seq() {
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
        if let Some(token) = record.token() {
            head |= TOKEN;
            numbers.difference(token, self.token);
            self.token = token;
        }
        for (bit, reading) in [(BEFORE, record.before()), (AFTER, record.after())] {
            if let Some(reading) = reading {
                head |= bit;
                numbers.difference(reading, self.token);
            }
        }
        match record.active() {
            ActiveGlance::Unrecorded => {}
            ActiveGlance::None => head |= NO_LEASE << ACTIVE,
            ActiveGlance::Lease {
                owner,
                lease,
                token,
            } if token == record.token() && owner == record.owner() && lease == record.lease() => {
                head |= THIS_LEASE << ACTIVE;
            }
            ActiveGlance::Lease { token, .. } => {
                head |= NAMED_LEASE << ACTIVE;
                if let Some(token) = token {
                    head |= ACTIVE_TOKEN;
                    numbers.difference(token, self.token);
                }
            }
        }
        (head, numbers.end())
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
    let double = whole.next_power_of_two();
    let room = match whole {
        ..=128 => whole.next_multiple_of(16),
        // Where moving costs more than what stays empty.
        513..=8192 => double,
        _ if whole <= double / 4 * 3 => double / 4 * 3,
        _ => double,
    };
    // Not where it lies: to see whether it may grow there, an allocator looks at what lies
    // around it, which is in no cache, and glibc's passes over what it keeps at hand.
    let mut larger = Vec::with_capacity(room - 8);
    larger.append(bytes);
    *bytes = larger;
}

/// How many bytes a name takes with its length before it, of which a byte has seven bits.
#[inline]
fn text_room(name: &[u8]) -> usize {
    let bits = usize::BITS - (name.len() | 1).leading_zeros();
    name.len() + bits.div_ceil(7) as usize
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

/// Whether `name` was told at `place`, which counts from 1: its length stands there, and then
/// the name.
#[inline(never)]
fn stands_at(bytes: &[u8], place: u32, name: &[u8]) -> bool {
    let at = (place as usize).wrapping_sub(1);
    if name.len() < SHORT {
        match bytes.get(at..at.wrapping_add(1 + name.len())) {
            Some([length, told @ ..]) => usize::from(*length) == name.len() && told == name,
            _ => false,
        }
    } else {
        Bytes::new(bytes, at).begins_with(name)
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
