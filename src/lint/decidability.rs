//! What the records of a lock can decide: for each class, by which ways, how firmly, and
//! which fields would change that.
//!
//! A way is one question that a class asks of the records. Each has recipes: sets of
//! fields on the steps concerned, and the order that is needed, with the status that the
//! rules reach from them. Nothing here looks at what happened; the rules do.

mod carried;
mod orders;
mod recipe;
mod ways;

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use crate::diagnosis::OrderBy;
use crate::incident::{Class, Variant};
use crate::timeline::OrderFacts;
pub(crate) use carried::{Carried, part, shown};
use orders::Orders;
pub use recipe::{Level, Need, On, OrderNeed, Recipe, Way};
pub use ways::WAYS;

/// How many answers are remembered to be shared.
const MOST_KNOWN: usize = 4096;

/// One way of one class at one lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WayVerdict {
    /// The way.
    pub way: &'static Way,
    /// How firmly.
    pub level: Level,
    /// Whether that holds for every record concerned, and for every such incident.
    pub complete: bool,
    /// How many of the records concerned carry enough for that level.
    pub records: u64,
    /// The records concerned.
    pub of: u64,
    /// The smallest sets of fields that would make it provable throughout; none where it
    /// is.
    pub needs: Arc<[Vec<Need>]>,
}

/// Says what records could decide. Most locks of a system carry the same: those share one
/// answer, and the others at least the fields that they lack.
#[derive(Debug)]
pub(crate) struct Decider {
    by: OrderBy,
    known: HashMap<(Carried, Orders, Orders), Arc<[WayVerdict]>>,
    needs: HashSet<Arc<[Vec<Need>]>>,
}

impl Decider {
    /// One that has decided nothing yet.
    pub fn new(by: OrderBy) -> Decider {
        Decider {
            by,
            known: HashMap::default(),
            needs: HashSet::default(),
        }
    }

    /// What the records of one lock could decide: one verdict a way, in documented order.
    /// `forgot`: whether records were forgotten that would tell if two of them share a `seq`.
    /// Then they may, and no field would change that.
    pub fn decide(
        &mut self,
        carried: &Carried,
        facts: &OrderFacts,
        forgot: bool,
    ) -> Arc<[WayVerdict]> {
        let seen = Orders::of(facts, self.by);
        let orders = if forgot {
            Orders::forgotten(*facts, self.by)
        } else {
            seen
        };
        let key = (carried.clone(), orders, seen);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let verdicts: Arc<[WayVerdict]> = WAYS
            .iter()
            .map(|way| {
                let mut verdict = verdict(way, carried, orders, seen);
                verdict.needs = self.needs.get_or_insert(verdict.needs).clone();
                verdict
            })
            .collect();
        if self.known.len() < MOST_KNOWN {
            self.known.insert(key, verdicts.clone());
        }
        verdicts
    }
}

/// Whether what is carried is enough for a recipe in some records.
fn is_satisfied(recipe: &Recipe, carried: &Carried, orders: Orders) -> bool {
    orders.satisfies(recipe.order)
        && carried.any() & recipe.any == recipe.any
        && recipe.parts().into_iter().all(|(on, parts)| {
            let mut records = carried.on(on).iter();
            parts == 0 || records.any(|(carries, _)| carries & parts == parts)
        })
}

/// Whether a satisfied recipe misses none of the incidents of the records concerned that carry
/// enough: any record of another step may be the one that they are held against.
fn is_whole(recipe: &Recipe, way: &Way, carried: &Carried, orders: Orders) -> bool {
    recipe.full
        && (recipe.order != OrderNeed::Known || orders.across_inputs)
        && recipe.parts().into_iter().all(|(on, parts)| {
            let mut records = carried.on(on).iter();
            on == way.concerned || records.all(|(carries, _)| carries & parts == parts)
        })
}

/// Whether a record concerned carries enough for one of these. What other records show is
/// nothing that it carries.
fn is_enough(carries: u16, way: &Way, recipes: &[&Recipe]) -> bool {
    recipes.iter().any(|recipe| {
        let parts = recipe.part_on(way.concerned);
        parts != 0 && carries & parts == parts
    })
}

/// `orders` is what is certain of the order, `seen` what the fields would allow.
fn verdict(way: &'static Way, carried: &Carried, orders: Orders, seen: Orders) -> WayVerdict {
    let satisfied = way
        .recipes
        .iter()
        .filter(|recipe| is_satisfied(recipe, carried, orders));
    let level = satisfied
        .clone()
        .map(|recipe| recipe.level)
        .max()
        .unwrap_or(Level::Blind);
    let at_level: Vec<&Recipe> = satisfied.filter(|recipe| recipe.level == level).collect();
    let mut whole = at_level.clone();
    whole.retain(|recipe| is_whole(recipe, way, carried, orders));
    let concerned = carried.on(way.concerned);
    let records_with = |recipes: &[&Recipe]| {
        let enough = concerned
            .iter()
            .filter(|(carries, _)| is_enough(*carries, way, recipes));
        enough.map(|(_, count)| count).sum::<u64>()
    };
    let of: u64 = concerned.iter().map(|(_, count)| count).sum();
    // Where no record is concerned, only a way that misses none of them is whole.
    let complete = !whole.is_empty() && records_with(&whole) == of;
    let done = level == Level::CanProve && complete;
    if level < Level::CanProve {
        whole.clear();
    }
    WayVerdict {
        way,
        level,
        complete,
        records: records_with(&at_level),
        of,
        needs: if done {
            Arc::default()
        } else {
            needs(way, carried, seen, &whole).into()
        },
    }
}

/// The smallest sets of fields with which a full proof is possible throughout. Records that
/// carry enough for one of the `proved` recipes need none.
fn needs(way: &Way, carried: &Carried, orders: Orders, proved: &[&Recipe]) -> Vec<Vec<Need>> {
    let mut sets: Vec<Vec<Need>> = way
        .recipes
        .iter()
        .filter(|recipe| recipe.level == Level::CanProve && recipe.full && recipe.is_about_fields())
        .map(|recipe| {
            let mut set = Vec::new();
            for (on, parts) in recipe.parts() {
                let mut records = carried.on(on).to_vec();
                if on == way.concerned {
                    records.retain(|(carries, _)| !is_enough(*carries, way, proved));
                }
                let lacking = lacking(&records, parts & !part::ANSWERS);
                let fields = carried::PARTS.iter().filter(|(bit, _)| lacking & bit != 0);
                set.extend(fields.map(|(_, field)| Need { on, field: *field }));
            }
            orders.missing(recipe.order, &mut set);
            set.sort_unstable();
            set
        })
        .filter(|set| !set.is_empty())
        .collect();
    sets.sort_by_key(|set| (set.len(), set.clone()));
    let mut smallest: Vec<Vec<Need>> = Vec::new();
    for set in sets {
        let covered = smallest
            .iter()
            .any(|known| known.iter().all(|need| set.contains(need)));
        if !covered {
            smallest.push(set);
        }
    }
    smallest
}

/// The parts that some record lacks; all where there is no record.
fn lacking(records: &[(u16, u64)], parts: u16) -> u16 {
    if records.is_empty() {
        return parts;
    }
    records
        .iter()
        .fold(0, |lacking, (carries, _)| lacking | (parts & !carries))
}

/// The verdicts of one lock, class by class.
pub fn by_class(verdicts: &[WayVerdict]) -> BTreeMap<Class, Vec<&WayVerdict>> {
    let mut classes: BTreeMap<Class, Vec<&WayVerdict>> = BTreeMap::new();
    for verdict in verdicts {
        classes.entry(verdict.way.class).or_default().push(verdict);
    }
    classes
}

/// The way that answers with this variant.
pub fn way_of(variant: Variant) -> Option<&'static Way> {
    WAYS.iter().find(|way| way.variants.contains(&variant))
}

#[cfg(test)]
mod tests;
