//! What orders the records of a lock, and what contradicts that order.

mod late_release;

use super::{Checked, Desk, words};
use crate::evidence::{Answer, Event, Field, Place, Token};
use crate::incident::WithheldReason;
use crate::lint::clock::{self, Reading};
use crate::lint::code::Code;
use crate::lint::collect::About;
use crate::lint::finding::{Spot, Where};
use crate::lint::gaps::{Lock, Repetition};
use crate::lint::recent::{Recent, hash};
use crate::lint::stood::Stood;
use crate::timeline::{Order, OrderFacts, Strength};
use late_release::Leases;

/// What one lock shows of its order.
#[derive(Debug, Clone, Default)]
pub struct LockOrder {
    with_seq: u64,
    first: Option<Place>,
    first_without_seq: Option<Place>,
    /// The last `seq`, and the input it stood in.
    last: Option<(u64, u32)>,
    greatest: Option<u64>,
    /// The clock under the greatest `seq` that had one.
    clock: Option<(u64, Reading)>,
    leases: Leases,
    /// Whether it is no longer known which `seq` is the greatest, or which has the clock.
    unsure: bool,
}

/// What the records of all locks show of their order.
#[derive(Debug)]
pub struct OrderCheck {
    /// The highest token by lock and key, and the line that showed it.
    highest: Recent<(Token, Place)>,
    /// Whether a record was passed over, of which it is not known if it was there before.
    passed_over: bool,
}

impl OrderCheck {
    /// What a bucket of all its tables takes.
    pub const BYTES: u64 = Recent::<(Token, Place)>::BYTES;

    /// Whether something seen was forgotten.
    pub fn forgot(&self) -> bool {
        self.highest.forgot
    }

    /// A check that remembers `window` keys.
    pub fn new(window: usize) -> OrderCheck {
        OrderCheck {
            highest: Recent::new(window),
            passed_over: false,
        }
    }

    /// Looks at one record. `facts` are of the order of its lock, this record included.
    pub fn check(
        &mut self,
        checked: &Checked<'_, '_>,
        facts: &OrderFacts,
        repetition: Repetition,
        lock: &mut LockOrder,
        desk: &mut Desk<'_>,
    ) {
        lock.first.get_or_insert(checked.place);
        repeats(checked, repetition, desk);
        if matches!(repetition, Repetition::Repeated(_)) {
            return;
        }
        self.passed_over |= !checked.sure || lock.unsure;
        if !checked.sure {
            lock.doubt(checked);
            return;
        }
        match checked.record.seq {
            Some(seq) => {
                self.sequence(checked, seq, lock, desk);
                self.clock(checked, seq, lock, desk);
            }
            None => {
                lock.first_without_seq.get_or_insert(checked.place);
            }
        }
        // A record that is out of its place says nothing of those around it.
        let in_place = !lock.unsure
            && checked
                .record
                .seq
                .is_none_or(|seq| lock.greatest <= Some(seq));
        if in_place {
            self.readings(checked, facts, desk);
            lock.leases.follow(checked, facts, desk);
        }
    }

    /// Whether a greater token may have been shown than the one that is remembered.
    fn lacks_some(&self) -> bool {
        self.highest.forgot || self.passed_over
    }

    fn sequence(
        &mut self,
        checked: &Checked<'_, '_>,
        seq: u64,
        lock: &mut LockOrder,
        desk: &mut Desk<'_>,
    ) {
        lock.with_seq += 1;
        let source = checked.place.source;
        if let Some((last, from)) = lock.last
            && from == source
            && seq < last
        {
            desk.at_field(Code::SeqBack, checked, Field::Seq, || {
                words(
                    format!("`seq` goes back from {last} to {seq} in one input"),
                    "nothing is lost while the memory for reordering lasts; sort the log by `seq` to save it",
                    seq.to_string(),
                )
            });
        }
        lock.last = Some((seq, source));
        lock.greatest = lock.greatest.max(Some(seq));
        let vouched = desk.collector.settings.seq_by;
        if checked.record.seq_by.or(vouched).is_none() && !checked.members.has_value(Field::SeqBy) {
            let about = About {
                lock: Some(checked.lock),
                field: Some(Field::SeqBy),
                folded: true,
                event: None,
            };
            let at = checked.point(Field::SeqBy);
            let code = Code::SeqWithoutOrigin;
            desk.collector.raise(desk.symbols, code, about, &at, || {
                words(
                    "`seq` is there, and no `seqBy` says who gave it",
                    "add `seqBy`: `resource` or `authority` where it numbers its own decisions, `collector` or `worker` where somebody numbers what they saw",
                    "",
                )
            });
        }
    }

    fn clock(
        &mut self,
        checked: &Checked<'_, '_>,
        seq: u64,
        lock: &mut LockOrder,
        desk: &mut Desk<'_>,
    ) {
        let Some(member) = checked.members.get(Field::Ts) else {
            return;
        };
        let Some(now) = clock::read(checked.members.raw(member)) else {
            return;
        };
        let contradicts = |(at, then): &(u64, Reading)| {
            then.calendar == now.calendar
                && ((seq > *at && now.nanos < then.nanos) || (seq < *at && now.nanos > then.nanos))
        };
        if let Some((at, _)) = lock
            .clock
            .filter(|clock| !lock.unsure && contradicts(clock))
        {
            desk.at_field(Code::ClockContradictsSeq, checked, Field::Ts, || {
                words(
                    format!(
                        "by `ts` this came on the other side of `seq` {at} than by its `seq` {seq}"
                    ),
                    "nothing to do: clocks differ, and no verdict reads them",
                    seq.to_string(),
                )
            });
        }
        if lock.clock.is_none_or(|(at, _)| seq > at) {
            lock.clock = Some((seq, now));
        }
    }

    /// A write that read less than the records before it show accepted.
    fn readings(&mut self, checked: &Checked<'_, '_>, facts: &OrderFacts, desk: &mut Desk<'_>) {
        let record = checked.record;
        let decided = !matches!(record.answer, Answer::InDoubt);
        let Some(key) = checked.hashes.key.filter(|_| decided) else {
            return;
        };
        if record.event != Event::Write {
            return;
        }
        let order = desk.collector.settings.order;
        let deciding = facts.strength_of_writes(order) == Strength::Deciding;
        let at = hash(&(checked.lock, key));
        let known = self.highest.get_mut(at).copied();
        if let (Some((highest, place)), Some(before)) = (known, record.before)
            && before < highest
            && !deciding
            // Without `seq`, lines order only within one input.
            && (record.seq.is_some() || place.source == checked.place.source)
            // What was forgotten or passed over may have come from one before.
            && !(record.seq.is_none() && self.lacks_some() && checked.place.source > 0)
        {
            let field = Field::ResourceHighestTokenBefore;
            let line = desk.line(checked, Stood::at(place));
            desk.at_field(Code::ReadingContradictsOrder, checked, field, || {
                words(
                    format!(
                        "this write read {before} as the highest token, and {line} shows {highest} accepted before it"
                    ),
                    "one of the two lines came late, or the resource lost its highest token; a `seq` that the resource gave would tell",
                    format!("{before} {highest}"),
                )
            });
        }
        let accepted = record.token.filter(|_| record.answer == Answer::Accepted);
        let shown = [accepted, record.before, record.after]
            .into_iter()
            .flatten()
            .max();
        if let Some(shown) = shown.filter(|shown| known.is_none_or(|(highest, _)| *shown > highest))
        {
            self.highest.insert(at, (shown, checked.place));
        }
    }
}

/// Says that a record was there before.
fn repeats(checked: &Checked<'_, '_>, repetition: Repetition, desk: &mut Desk<'_>) {
    let note = |line: &str, repeated: &str| {
        words(
            format!("this record stood in {line} already{repeated}"),
            "nothing to do where a log is delivered twice; it is used once where it carries `seq`",
            "",
        )
    };
    let code = Code::RepeatedRecord;
    match repetition {
        Repetition::New | Repetition::Unsure => {}
        Repetition::Repeated(place) => {
            let line = desk.line(checked, Stood::at(place));
            desk.at_field(code, checked, Field::Seq, || note(&line, ""));
        }
        Repetition::Again(place) => {
            let line = desk.line(checked, Stood::at(place));
            desk.at_field(code, checked, Field::Seq, || {
                note(
                    &line,
                    ", and no `seq` tells whether it is one record or two",
                )
            });
        }
        Repetition::SeqShared(place) => {
            let seq = checked.record.seq.unwrap_or_default();
            let line = desk.line(checked, Stood::at(place));
            desk.at_field(Code::SeqShared, checked, Field::Seq, || {
                words(
                    format!(
                        "`seq` {seq} was given to another record of this lock, in {line}"
                    ),
                    "let one party number all events of a lock; each source counting for itself orders nothing",
                    seq.to_string(),
                )
            });
        }
    }
}

impl LockOrder {
    /// Takes a record of which it is not known whether it was there before: what it would
    /// change is known no longer, and what it leaves is kept.
    fn doubt(&mut self, checked: &Checked<'_, '_>) {
        let Some(seq) = checked.record.seq else {
            return;
        };
        self.with_seq += 1;
        let source = checked.place.source;
        self.last = self
            .last
            .filter(|(_, from)| *from == source)
            .map(|(last, _)| (last.min(seq), source));
        let has_clock = checked.members.get(Field::Ts).is_some();
        let takes_clock = has_clock && self.clock.is_none_or(|(at, _)| seq > at);
        self.unsure |= takes_clock || self.greatest < Some(seq);
        if self.greatest <= Some(seq) {
            self.leases = Leases::default();
        }
    }

    /// What only the end of the input can tell of one lock.
    pub fn finish(&self, lock: &Lock, desk: &mut Desk<'_>) {
        let records = lock.records;
        let about = About {
            lock: Some(lock.name),
            field: Some(Field::Seq),
            ..About::default()
        };
        let at = |place: Option<Place>| {
            let place = place.unwrap_or_default();
            Where::Input {
                source: place.source,
                line: place.line,
            }
        };
        if records < 2 {
            return;
        }
        let order = lock.order(desk.collector.settings.order);
        if order == Order::Unknown(WithheldReason::LinesBackwards) {
            desk.collector
                .add(desk.symbols, Code::LinesRunBackwards, about, |_| {
                    let words = words(
                        format!(
                            "the lines of the {records} records of this lock run backwards, so they are no order"
                        ),
                        "turn the log round, as `tac FILE` does; where its lines do stand in the order of the events, say `--order input`",
                        "",
                    );
                    (at(self.first), Spot::default(), words)
                });
        }
        if self.with_seq == 0 {
            desk.collector
                .add(desk.symbols, Code::OnlyClock, about, |_| {
                    let words = words(
                        format!(
                            "none of the {records} records of this lock has `seq`: only lines and clocks order them"
                        ),
                        "let the authority or the resource number its decisions, and log that number as `seq`; clocks prove no order",
                        "",
                    );
                    (at(self.first), Spot::default(), words)
                });
        } else if self.with_seq > 0 && self.with_seq < records {
            desk.collector
                .add(desk.symbols, Code::SeqOnSome, about, |_| {
                    let words = words(
                        format!(
                            "{} of the {records} records of this lock have `seq`, so none of them is ordered",
                            self.with_seq
                        ),
                        "number every event of a lock, or none",
                        "",
                    );
                    (at(self.first_without_seq), Spot::default(), words)
                });
        }
    }
}
