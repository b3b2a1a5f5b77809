//! The stories themselves, one file a kind.

mod beats;
mod deliveries;
mod handles;
mod keys;
mod old_owners;
mod resources;
mod tokens;
mod traps;

use super::Story;

/// Every story.
pub fn stories() -> Vec<Story> {
    let mut all = old_owners::stories();
    all.extend(handles::stories());
    all.extend(resources::stories());
    all.extend(keys::stories());
    all.extend(deliveries::stories());
    all.extend(tokens::stories());
    all.extend(traps::stories());
    all
}
