//! What a rule says of one record, and on which grounds it will stand at the end.

use hashbrown::HashMap;

use crate::diagnosis::OrderBy;
use crate::evidence::{Field, Token};
use crate::incident::{Assumption, Class, Outcome, Role, Status, Variant};
use crate::timeline::{Handle, OrderFacts, Seen, Span, Strength, Symbol};

/// What tells two incidents of one variant at one lock apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// The resource key and the late token; where there is no token, the lease.
    Write {
        /// The key; none is the unnamed one.
        key: Option<Symbol>,
        /// The late token.
        token: Option<Token>,
        /// The lease, where there is no token.
        lease: Option<Symbol>,
    },
    /// The resource key and the highest token from which two writes rose.
    Fork {
        /// The key.
        key: Symbol,
        /// The highest token that both read.
        before: Token,
    },
    /// A lease, by the best that is known of it.
    Lease(Option<Symbol>, Option<Token>),
    /// An owner: a lease of which nothing else is known.
    Owner(Option<Symbol>),
    /// A lease of which nothing is known, by the id and the token of the one that removed it.
    RemovedBy(Option<Symbol>, Option<Token>),
    /// A business operation.
    Operation(Symbol),
    /// A token that came again, where no operation is known.
    Token(Option<Token>),
    /// A resource key.
    Key(Symbol),
    /// The lock itself.
    Lock,
}

impl Subject {
    /// The lease of a handle, by its id, else by its token, else by its owner.
    pub fn lease(handle: &Handle) -> Subject {
        match handle {
            Handle {
                lease: None,
                token: None,
                owner,
            } => Subject::Owner(*owner),
            Handle {
                lease: None, token, ..
            } => Subject::Lease(None, *token),
            Handle { lease, .. } => Subject::Lease(*lease, None),
        }
    }
}

/// On which order a claim rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Basis {
    /// On a reading: the status stands as claimed.
    #[default]
    Reading,
    /// On the order of writes: `proven` only where that order decides.
    WriteOrder,
    /// On the order of leases: `proven` only where that order decides.
    LeaseOrder,
}

impl Basis {
    /// How much the order may prove on which it rests.
    pub fn strength(self, facts: &OrderFacts, by: OrderBy) -> Strength {
        match self {
            Basis::LeaseOrder => facts.strength_of_leases(by),
            Basis::Reading | Basis::WriteOrder => facts.strength_of_writes(by),
        }
    }
}

/// What must hold when the input has ended for a claim to stand, and how firmly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Grounds {
    /// On which order it rests.
    pub basis: Basis,
    /// It uses what earlier records showed, so it falls where their order is not known.
    pub ordered: bool,
    /// It falls, where the order does not decide, if the readings of its key vouch for
    /// every accepted write there.
    pub unless_readings_vouch: bool,
    /// It falls where the order does not decide: the lines of this write came late.
    pub only_if_deciding: bool,
    /// It falls if two writes rose from this reading: they are one fork, told once.
    pub unless_forked: Option<Token>,
    /// It may not be more than suspected: an unanswered record could explain it.
    pub doubted: bool,
    /// It rests on these two lease ids being two leases.
    pub leases: Option<[Symbol; 2]>,
    /// The refusal of a write, which other findings may explain.
    pub refusal: Option<Refusal>,
    /// It stands only if one of these acquisitions has a greater token, and its lease wrote
    /// nothing in the whole input.
    pub only_if_silent: Option<Span>,
    /// It compares tokens as generations, so it takes on trust that they grow.
    pub compares_generations: bool,
    /// The newer token was known to be of the writer's own lease when it was met.
    pub met_own: bool,
}

/// A refused write below the highest token that the resource read, or that the records
/// show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Refusal {
    /// The writer's lease.
    pub lease: Option<Symbol>,
    /// The highest token that the resource read.
    pub before: Option<Token>,
    /// The token below which it was refused: read, or shown by the records.
    pub below: Token,
    /// Whether this lock has an accepted write of a greater token before it, here.
    pub own_newer: bool,
}

/// The one that the deciding record met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Met {
    /// Nobody is known.
    #[default]
    Nobody,
    /// The holder of this token, who may be on record at the key.
    Token(Token),
    /// The actor of a record, which is evidence.
    Record(Seen, Role),
    /// A lease that the authority named.
    Lease(Handle),
}

/// A set of evidence fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fields(u32);

impl Fields {
    /// The fields of a list.
    pub fn of(fields: &[Field]) -> Fields {
        fields
            .iter()
            .fold(Fields::default(), |set, field| set.with(*field))
    }

    /// The set with one more field.
    #[must_use]
    pub fn with(self, field: Field) -> Fields {
        Fields(self.0 | 1 << field as u32)
    }

    /// The set with one more field, if the record lacks it.
    #[must_use]
    pub fn with_if(self, lacks: bool, field: Field) -> Fields {
        if lacks { self.with(field) } else { self }
    }

    /// Both sets.
    #[must_use]
    pub fn and(self, other: Fields) -> Fields {
        Fields(self.0 | other.0)
    }

    /// The fields, in documented order.
    pub fn list(self) -> Vec<Field> {
        Field::ALL
            .into_iter()
            .filter(|field| self.0 & 1 << *field as u32 != 0)
            .collect()
    }
}

/// One claim, and how often it was made.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    /// The row.
    pub variant: Variant,
    /// What it is about.
    pub subject: Subject,
    /// How firmly, as far as the record itself tells.
    pub status: Status,
    /// What it did.
    pub outcome: Outcome,
    /// On which grounds it will stand.
    pub grounds: Grounds,
    /// The resource key that the incident names.
    pub key: Option<Symbol>,
    /// The part of the deciding record.
    pub role: Role,
    /// The first deciding record.
    pub first: Seen,
    /// The last deciding record.
    pub last: Seen,
    /// How many records decide it.
    pub count: u64,
    /// The one that the first deciding record met.
    pub met: Met,
    /// One more record that shows it.
    pub also: Option<(Seen, Role)>,
    /// What is taken on trust, apart from ordered tokens.
    pub assumes: &'static [Assumption],
    /// The fields that would settle it.
    pub missing: Fields,
    /// The fields that would settle it, unless it is proven.
    pub missing_if_suspected: Fields,
    /// Class `undecided`: the classes left.
    pub candidates: &'static [Class],
}

impl Claim {
    /// A claim that rests on one record and its own readings.
    pub fn new(
        variant: Variant,
        status: Status,
        outcome: Outcome,
        subject: Subject,
        seen: Seen,
    ) -> Claim {
        Claim {
            variant,
            subject,
            status,
            outcome,
            grounds: Grounds::default(),
            key: None,
            role: Role::LateWrite,
            first: seen,
            last: seen,
            count: 1,
            met: Met::Nobody,
            also: None,
            assumes: &[],
            missing: Fields::default(),
            missing_if_suspected: Fields::default(),
            candidates: &[],
        }
    }

    /// Says it no more firmly than suspected: an innocent reading is left.
    pub fn doubt(&mut self) {
        self.status = self.status.min(Status::Suspected);
    }

    /// The same, where recording this field would tell.
    pub fn doubt_for_want_of(&mut self, field: Field) {
        self.doubt();
        self.missing = self.missing.with(field);
    }

    fn identity(&self) -> Identity {
        (
            self.variant,
            self.subject,
            self.status,
            self.outcome,
            self.grounds,
        )
    }

    /// Takes in a claim of the same incident.
    pub fn absorb(&mut self, other: &Claim) {
        self.count += other.count;
        if other.first.standing() < self.first.standing() {
            (self.first, self.met, self.also) = (other.first, other.met, other.also.or(self.also));
        }
        self.also = self.also.or(other.also);
        if other.last.standing() > self.last.standing() {
            self.last = other.last;
        }
    }
}

type Identity = (Variant, Subject, Status, Outcome, Grounds);

/// All claims of one lock; what says the same on the same grounds is kept once.
#[derive(Debug, Clone, Default)]
pub struct Claims {
    by_identity: HashMap<Identity, Claim, foldhash::fast::FixedState>,
    /// The arrivals of all records that decide a claim, while they are asked for.
    deciding: Option<HashMap<Identity, Vec<u64>, foldhash::fast::FixedState>>,
}

impl Claims {
    /// Drops all claims.
    pub fn clear(&mut self) {
        if !self.by_identity.is_empty() {
            self.by_identity = HashMap::default();
        }
        self.deciding = None;
    }

    /// From here on remembers every deciding record, so that records of several judges
    /// can be counted together.
    pub fn remember_deciding(&mut self) {
        self.deciding.get_or_insert_default();
    }

    /// The arrivals of the records that decide a claim of these: all of them where they
    /// are remembered, else the first.
    pub fn deciding(&self, claim: &Claim) -> Vec<u64> {
        let known = self.deciding.as_ref();
        let all = known.and_then(|known| known.get(&claim.identity()));
        all.map_or_else(|| vec![claim.first.place.arrival], Vec::clone)
    }

    /// Adds a claim.
    pub fn add(&mut self, claim: Claim) {
        if let Some(deciding) = &mut self.deciding {
            let all = deciding.entry(claim.identity()).or_default();
            all.push(claim.first.place.arrival);
        }
        self.by_identity
            .entry(claim.identity())
            .and_modify(|known| known.absorb(&claim))
            .or_insert(claim);
    }

    /// Adds a claim where there is one.
    #[inline]
    pub fn extend(&mut self, claim: Option<Claim>) {
        if let Some(claim) = claim {
            self.add(claim);
        }
    }

    /// All claims, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &Claim> {
        self.by_identity.values()
    }
}
