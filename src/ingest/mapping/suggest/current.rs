//! The lease that was current at the authority, where a log has it as an object: what is in it
//! is nobody's who asked.

use crate::evidence::Field;
use crate::ingest::mapping::sample::{Sample, Values};
use crate::near::plain;

/// Objects that hold it, in lower case without separators; or who asked, where nothing else
/// says that.
const OBJECTS: [&str; 16] = [
    "active",
    "activeholder",
    "activelease",
    "activelock",
    "activeowner",
    "current",
    "currentholder",
    "currentlease",
    "currentlock",
    "currentowner",
    "existing",
    "existinglease",
    "existinglock",
    "heldby",
    "holder",
    "lockholder",
];

/// The field of the current lease that says what `field` says of the one that asked.
fn active_of(field: Field) -> Option<Field> {
    Some(match field {
        Field::OwnerId => Field::ActiveOwnerId,
        Field::LeaseId => Field::ActiveLeaseId,
        Field::FenceToken => Field::ActiveFenceToken,
        _ => return None,
    })
}

/// The field that a path is of whose name says `field`: another one inside the lease that was
/// current. `fits` says whether some path may be of `field` by its name and values.
pub(super) fn field_inside(
    sample: &Sample,
    values: &Values,
    field: Field,
    fits: impl Fn(&Values) -> bool,
) -> Field {
    let Some(active) = active_of(field) else {
        return field;
    };
    let inside = |values: &Values| OBJECTS.contains(&object(values).as_str());
    let is_of_who_asked = |(path, values): (&String, &Values)| {
        !path.starts_with('$') && !inside(values) && fits(values)
    };
    match inside(values) && sample.paths.iter().any(is_of_who_asked) {
        true => active,
        false => field,
    }
}

/// The name of the object that values stand in.
fn object(values: &Values) -> String {
    let (name, both) = (&values.name, &values.full_name);
    plain(both.strip_suffix(name.as_str()).unwrap_or_default())
}
