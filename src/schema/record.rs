//! The schema of the evidence record: what the reader takes without a complaint.
//!
//! What it can't say, and the reader still refuses: a field given twice with different
//! values, in one spelling or in two; a number written with a fraction of zero (`7.0`).

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::evidence::answer::SYNONYMS;
use crate::evidence::{Answer, Event, Field, Origin};

/// One JSON object a line: what one observer saw of one step of the lock protocol. Names
/// are accepted in camelCase and in snake_case; null is the same as absent, but for the
/// `active…` fields, where it says that no lease was current. Other members are kept for
/// people and read by no rule.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase", title = "lockdiag evidence record")]
#[expect(dead_code, reason = "the shape is what matters")]
struct Record {
    /// The item that the lock protects.
    #[schemars(schema_with = "name")]
    lock_name: (),
    /// Who asked: a worker, a pod, a client.
    #[schemars(schema_with = "text")]
    owner_id: (),
    /// The handle of one acquisition.
    #[schemars(schema_with = "handle")]
    lease_id: (),
    /// The generation of that acquisition.
    #[schemars(schema_with = "token")]
    fence_token: (),
    /// The greatest token that the resource had accepted when it decided; 0 is "none yet".
    #[schemars(schema_with = "token")]
    resource_highest_token_before: (),
    /// What the authority or the resource answered.
    #[schemars(schema_with = "result")]
    result: (),
    /// The step of the protocol; where absent it follows from `result`.
    #[schemars(schema_with = "event")]
    event: (),
    /// The position in the one order of events of this lock.
    #[schemars(schema_with = "token")]
    seq: (),
    /// Who gave `seq`.
    #[schemars(schema_with = "origin")]
    seq_by: (),
    /// The key under which the resource compares tokens.
    #[schemars(schema_with = "text")]
    resource_key: (),
    /// The greatest token that the resource holds after its decision.
    #[schemars(schema_with = "token")]
    resource_highest_token_after: (),
    /// The business operation, the same on every delivery of it.
    #[schemars(schema_with = "text")]
    operation_id: (),
    /// The owner of the lease current at the authority when it decided.
    #[schemars(schema_with = "text")]
    active_owner_id: (),
    /// The lease current at the authority when it decided.
    #[schemars(schema_with = "handle")]
    active_lease_id: (),
    /// The token of the lease current at the authority when it decided.
    #[schemars(schema_with = "token")]
    active_fence_token: (),
    /// The three `active…` fields as one object.
    #[schemars(schema_with = "active_lease")]
    active_lease: (),
    /// Wall clock, shown to people and never used by a rule.
    #[schemars(schema_with = "anything")]
    ts: (),
}

/// The schema of the record.
pub fn schema() -> Schema {
    let mut schema = super::read::<Record>();
    spell(&mut schema);
    schema.remove("required");
    let mut all = vec![
        json!({ "anyOf": [{ "required": ["lockName"] }, { "required": ["lock_name"] }] }),
        json!({
            "anyOf": [
                { "required": ["event"], "properties": { "event": { "type": "string" } } },
                {
                    "required": ["result"],
                    "properties": { "result": { "type": "string", "pattern": words(&answers(None)) } },
                },
            ],
        }),
    ];
    for step in Event::ALL {
        all.push(json!({
            "if": {
                "required": ["event"],
                "properties": { "event": { "type": "string", "pattern": words(&[step.word()]) } },
            },
            "then": {
                "properties": {
                    "result": { "type": ["string", "null"], "pattern": words(&answers(Some(step))) },
                },
            },
        }));
    }
    schema.insert("allOf".to_owned(), Value::Array(all));
    schema
}

/// Adds the other spellings of each property.
fn spell(schema: &mut Schema) {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    for field in Field::ALL {
        let Some(property) = properties.get(field.name()).cloned() else {
            continue;
        };
        for name in field.other_names() {
            properties.insert((*name).to_owned(), property.clone());
        }
        properties.insert(field.snake_name().to_owned(), property);
    }
}

/// The words that are understood as an answer: of an event, or without one and leading to
/// one.
fn answers(event: Option<Event>) -> Vec<&'static str> {
    let mut words: Vec<&str> = Answer::ALL
        .into_iter()
        .map(Answer::word)
        .chain(SYNONYMS)
        .filter(|word| match event {
            Some(_) => Answer::of_word(word, event, true).is_some(),
            None => Answer::of_word(word, None, true).is_some_and(|one| one.event().is_some()),
        })
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// A pattern for any of the words; case, `_`, `-` and space do not matter.
fn words(words: &[&str]) -> String {
    let any: Vec<String> = words.iter().map(|word| one_word(word)).collect();
    format!("^\\s*(?:{})\\s*$", any.join("|"))
}

/// The letters, and whatever does not matter between them and around.
fn one_word(word: &str) -> String {
    let letters = word.chars().filter(|c| *c != '-');
    let letters = letters.map(|c| format!("[{}{}][-_ ]*", c, c.to_ascii_uppercase()));
    format!("[-_ ]*{}", letters.collect::<String>())
}

/// A pattern for the decimal numbers of 64 bits, leading zeros allowed.
fn decimal() -> String {
    let greatest = u64::MAX.to_string();
    let mut ways = vec![format!("[0-9]{{1,{}}}", greatest.len() - 1)];
    for (at, digit) in greatest.char_indices() {
        let rest = greatest.len() - at - 1;
        if digit > '0' {
            let below = char::from_digit(digit.to_digit(10).unwrap_or(1) - 1, 10).unwrap_or('0');
            ways.push(format!("{}[0-{below}][0-9]{{{rest}}}", &greatest[..at]));
        }
    }
    ways.push(greatest);
    format!("0*(?:{})", ways.join("|"))
}

fn name(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "minLength": 1 })
}

fn text(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["string", "null"] })
}

fn handle(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["string", "integer", "null"] })
}

fn token(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": ["string", "integer", "null"],
        "minimum": 0,
        "maximum": u64::MAX,
        "pattern": format!("^(?:{}|0[xX]0*[0-9a-fA-F]{{1,16}})$", decimal()),
    })
}

fn result(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["string", "null"] })
}

fn event(_: &mut SchemaGenerator) -> Schema {
    let pattern = words(&Event::ALL.map(Event::word));
    json_schema!({ "type": ["string", "null"], "pattern": pattern })
}

fn origin(_: &mut SchemaGenerator) -> Schema {
    let pattern = words(&Origin::ALL.map(Origin::word));
    json_schema!({ "type": ["string", "null"], "pattern": format!("^$|{pattern}") })
}

fn active_lease(generator: &mut SchemaGenerator) -> Schema {
    let (owner, lease, token) = (text(generator), handle(generator), token(generator));
    json_schema!({
        "type": ["object", "null"],
        "properties": {
            "ownerId": owner, "owner_id": owner,
            "leaseId": lease, "lease_id": lease,
            "fenceToken": token, "fence_token": token,
        },
    })
}

fn anything(_: &mut SchemaGenerator) -> Schema {
    json_schema!(true)
}
