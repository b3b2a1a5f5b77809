//! What a picture has to tell: leases with their beginnings and ends, the highest token
//! of each key, and which record met which.

use crate::evidence::{Answer, Event};
use crate::incident::Role;
use crate::report::model::{Active, Actor, Column, Entry, Incident, OrderUsed, Saying, Timeline};

/// A place on the axis in half columns: column `c` spans `2c` to `2c + 2`, its record
/// stands at `2c + 1`.
pub type Half = usize;

/// Where the record of a column stands.
pub fn at(column: usize) -> Half {
    column * 2 + 1
}

/// How a lease ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Its own release.
    Released,
    /// The authority no longer counted it.
    Expired,
    /// Another lease's release, at that column, removed it.
    Removed(usize),
    /// Nothing in the records says.
    Open,
}

/// A lease of an owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// The owner; none where no record names one.
    pub owner: Option<String>,
    /// The lease id.
    pub lease: Option<String>,
    /// The token.
    pub token: Option<u64>,
    /// Where it begins.
    pub from: Half,
    /// Where it ends.
    pub to: Half,
    /// Whether its acquisition is not in the records.
    pub open_start: bool,
    /// How it ended.
    pub end: End,
}

/// The highest token of one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    /// The key; none is the one that was not recorded.
    pub key: Option<String>,
    /// From where on which token was the highest, in order; none where that is not known.
    pub highest: Vec<(Half, Option<u64>)>,
}

/// A record that met another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// The incident.
    pub incident: u64,
    /// The column of the record that decides it.
    pub from: usize,
    /// The column of the one that it met.
    pub to: usize,
}

/// What a picture tells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Story {
    /// The owners, in order of first appearance.
    pub owners: Vec<Option<String>>,
    /// The leases.
    pub bars: Vec<Bar>,
    /// The keys, in order of first appearance.
    pub lanes: Vec<Lane>,
    /// What met what.
    pub meetings: Vec<Meeting>,
}

/// Reads a timeline. `incidents` are those of the report, in order of number.
pub fn read(timeline: &Timeline, incidents: &[&Incident]) -> Story {
    let mut teller = Teller {
        story: Story::default(),
        open: Vec::new(),
        ordered: timeline.order != OrderUsed::None,
        incidents,
    };
    for (column, one) in timeline.columns.iter().enumerate() {
        if let Some(entry) = one.entry() {
            teller.take(column, entry);
        } else {
            teller.skip(column);
        }
    }
    teller.end(timeline.columns.len());
    teller.story.meetings = meetings(&timeline.columns);
    teller.story
}

/// A lease whose end has not come yet.
struct Open {
    bar: Bar,
    /// Where another lease was acquired.
    superseded: Option<usize>,
}

struct Teller<'t> {
    story: Story,
    open: Vec<Open>,
    ordered: bool,
    incidents: &'t [&'t Incident],
}

impl Teller<'_> {
    fn take(&mut self, column: usize, entry: &Entry) {
        let record = &entry.record;
        if !self.story.owners.contains(&record.owner_id) {
            self.story.owners.push(record.owner_id.clone());
        }
        if record.event == Event::Write {
            self.write(column, record);
        }
        if !self.ordered {
            return;
        }
        match (record.event, record.result) {
            (Event::Acquire, Answer::Acquired) => self.acquire(column, record),
            (Event::Expire, Answer::Expired) => self.expire(column, record),
            (Event::Release, Answer::Released) => self.release(column, entry),
            (Event::Acquire, _) => {}
            (_, Answer::ReleaseNoop | Answer::ReleaseRejectedNotOwner) => {
                // Shown lost by now; when it was lost, no record says.
                if let Some(open) = self.find(&handle(record)) {
                    self.lose(open, column);
                }
            }
            (Event::Renew, Answer::Renewed) => self.hold(column, record),
            _ => {}
        }
    }

    /// Records are missing here: which leases and tokens they changed is not known, and
    /// nothing is claimed of what comes after.
    fn skip(&mut self, column: usize) {
        while !self.open.is_empty() {
            let superseded = self.open.first().and_then(|open| open.superseded);
            self.close(0, superseded.unwrap_or(column) * 2, End::Open);
        }
        for lane in &mut self.story.lanes {
            if lane
                .highest
                .last()
                .is_some_and(|(_, token)| token.is_some())
            {
                lane.highest.push((column * 2, None));
            }
        }
    }

    fn acquire(&mut self, column: usize, record: &Saying) {
        if let Some(open) = self.find(&handle(record)) {
            self.close(open, column * 2, End::Open);
        }
        for open in &mut self.open {
            open.superseded.get_or_insert(column);
        }
        self.open.push(Open {
            bar: bar(record, at(column)),
            superseded: None,
        });
    }

    /// A lease that the authority speaks of as held, and whose acquisition is not seen,
    /// began before. A write proves no such thing: its lease may be long gone.
    fn hold(&mut self, column: usize, record: &Saying) {
        if self.find(&handle(record)).is_none() {
            self.open.push(Open {
                bar: Bar {
                    open_start: true,
                    ..bar(record, column * 2)
                },
                superseded: None,
            });
        }
    }

    fn expire(&mut self, column: usize, record: &Saying) {
        let actor = handle(record);
        let named = actor.lease_id.is_some() || actor.fence_token.is_some();
        let open = if named {
            self.hold(column, record);
            self.find(&actor)
        } else {
            self.open.iter().rposition(|open| open.superseded.is_none())
        };
        if let Some(open) = open {
            self.close(open, at(column), End::Expired);
        }
    }

    fn release(&mut self, column: usize, entry: &Entry) {
        let record = &entry.record;
        let own = handle(record);
        let removed = match &record.active {
            Some(Active::None) => None,
            Some(Active::Lease(actor)) => Some(actor.clone()),
            None => Some(self.removed(entry).unwrap_or_else(|| own.clone())),
        };
        let Some(removed) = removed else {
            if let Some(open) = self.find(&own) {
                self.lose(open, column);
            }
            return;
        };
        let end = if same(&removed, &own) {
            End::Released
        } else {
            End::Removed(column)
        };
        if end == End::Released {
            self.hold(column, record);
        }
        if let Some(open) = self.find(&removed) {
            self.close(open, at(column), end);
        }
    }

    /// What an incident says that this release removed.
    fn removed(&self, entry: &Entry) -> Option<Actor> {
        let part = entry
            .incidents
            .iter()
            .find(|part| part.decides && part.role == Role::Release)?;
        let number = usize::try_from(part.incident).ok()?.checked_sub(1)?;
        let incident = self.incidents.get(number)?;
        (incident.number == part.incident).then(|| incident.current.clone())?
    }

    fn write(&mut self, column: usize, record: &Saying) {
        let ordered = self.ordered;
        let lanes = &mut self.story.lanes;
        let index = lanes
            .iter()
            .position(|lane| lane.key == record.resource_key)
            .unwrap_or_else(|| {
                lanes.push(Lane {
                    key: record.resource_key.clone(),
                    highest: Vec::new(),
                });
                lanes.len() - 1
            });
        let Some(lane) = lanes.get_mut(index).filter(|_| ordered) else {
            return;
        };
        let mut note = |place: Half, token: u64| {
            if lane
                .highest
                .last()
                .is_none_or(|(_, known)| *known != Some(token))
            {
                lane.highest.push((place, Some(token)));
            }
        };
        if let Some(before) = record.resource_highest_token_before {
            note(column * 2, before);
        }
        let accepted = record.result == Answer::Accepted;
        let known = lane.highest.last().and_then(|(_, token)| *token);
        let after = match (record.resource_highest_token_after, record.fence_token) {
            (Some(after), _) => Some(after),
            (None, Some(token)) if accepted => Some(known.unwrap_or(0).max(token)),
            _ => None,
        };
        if let Some(after) = after
            && known != Some(after)
        {
            lane.highest.push((at(column), Some(after)));
        }
    }

    fn find(&self, actor: &Actor) -> Option<usize> {
        self.open
            .iter()
            .rposition(|open| same(&holder(&open.bar), actor))
    }

    /// A lease is shown lost at a column. It is drawn no further than to the next
    /// acquisition, after which the authority counted another.
    fn lose(&mut self, open: usize, column: usize) {
        let superseded = self.open.get(open).and_then(|open| open.superseded);
        let to = superseded.map_or(at(column), |column| column * 2);
        self.close(open, to, End::Open);
    }

    fn close(&mut self, open: usize, to: Half, end: End) {
        let mut bar = self.open.remove(open).bar;
        bar.to = to.max(bar.from);
        bar.end = end;
        self.story.bars.push(bar);
    }

    fn end(&mut self, columns: usize) {
        for mut open in std::mem::take(&mut self.open) {
            let to = open.superseded.map_or(columns * 2, |column| column * 2);
            open.bar.to = to.max(open.bar.from + 1);
            self.story.bars.push(open.bar);
        }
        self.story.bars.sort_by_key(|bar| (bar.from, bar.to));
    }
}

fn handle(record: &Saying) -> Actor {
    Actor {
        owner_id: record.owner_id.clone(),
        lease_id: record.lease_id.clone(),
        fence_token: record.fence_token,
    }
}

fn holder(bar: &Bar) -> Actor {
    Actor {
        owner_id: bar.owner.clone(),
        lease_id: bar.lease.clone(),
        fence_token: bar.token,
    }
}

/// Whether two handles name one lease: by id, else by token, else by owner.
fn same(a: &Actor, b: &Actor) -> bool {
    match (&a.lease_id, &b.lease_id, a.fence_token, b.fence_token) {
        (Some(a), Some(b), ..) => a == b,
        (_, _, Some(a), Some(b)) => a == b,
        _ => a.owner_id.is_some() && a.owner_id == b.owner_id,
    }
}

/// A lease that begins there.
fn bar(record: &Saying, from: Half) -> Bar {
    Bar {
        owner: record.owner_id.clone(),
        lease: record.lease_id.clone(),
        token: record.fence_token,
        from,
        to: from,
        open_start: false,
        end: End::Open,
    }
}

fn meetings(columns: &[Column]) -> Vec<Meeting> {
    let mut deciding: Vec<(u64, usize)> = Vec::new();
    let mut met: Vec<(u64, usize)> = Vec::new();
    for (column, one) in columns.iter().enumerate() {
        for part in one.entry().into_iter().flat_map(|entry| &entry.incidents) {
            let list = if part.decides {
                &mut deciding
            } else {
                &mut met
            };
            if list.iter().all(|(incident, _)| *incident != part.incident) {
                list.push((part.incident, column));
            }
        }
    }
    let meeting = |(incident, from): (u64, usize)| {
        let (_, to) = met.iter().find(|(other, _)| *other == incident)?;
        Some(Meeting {
            incident,
            from,
            to: *to,
        })
    };
    deciding.into_iter().filter_map(meeting).collect()
}
