//! The lease that was current at the authority, where a log has it as an object: what is in it
//! is nobody's who asked.

use crate::evidence::Field;
use crate::ingest::mapping::sample::{Sample, Values};
use crate::near::plain;

/// Objects that hold it, in lower case without separators.
const SURE: [&str; 8] = [
    "active",
    "activeholder",
    "activelease",
    "activelock",
    "activeowner",
    "currentholder",
    "currentlease",
    "currentowner",
];
/// Those that may as well hold who asked, where nothing else does.
const PERHAPS: [&str; 8] = [
    "current",
    "currentlock",
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
    let is_of_who_asked = |(path, values): (&String, &Values)| {
        let object = object(values);
        let inside = SURE.contains(&object.as_str()) || PERHAPS.contains(&object.as_str());
        !path.starts_with('$') && !inside && fits(values)
    };
    let object = object(values);
    let inside = SURE.contains(&object.as_str())
        || PERHAPS.contains(&object.as_str()) && sample.paths.iter().any(is_of_who_asked);
    if inside { active } else { field }
}

/// The name of the object that values stand in.
fn object(values: &Values) -> String {
    let (name, both) = &values.names;
    plain(both.strip_suffix(name.as_str()).unwrap_or_default())
}
