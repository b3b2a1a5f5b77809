//! Records that stand in one row or text more than once.

use hashbrown::HashSet;
use serde_json::Value;

/// The objects that were read.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// The first one as it stood: mostly there is no other.
    first: Option<String>,
    /// All of them, once there are two: with sorted names, without spaces, numbers as texts.
    all: HashSet<String>,
}

impl Copies {
    /// Whether an object was there before, however it was written; from now on it was.
    pub(super) fn has(&mut self, object: &str) -> bool {
        let Some(first) = &self.first else {
            self.first = Some(object.to_owned());
            return false;
        };
        if self.all.is_empty() {
            self.all.insert(plain(first));
        }
        !self.all.insert(plain(object))
    }
}

fn plain(object: &str) -> String {
    match serde_json::from_str::<Value>(object) {
        Ok(value) => as_texts(value).to_string(),
        Err(_) => object.to_owned(),
    }
}

/// Some collectors take a record apart into texts.
fn as_texts(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::String(number.to_string()),
        Value::Array(all) => all.into_iter().map(as_texts).collect(),
        Value::Object(all) => {
            let all = all.into_iter().map(|(name, value)| (name, as_texts(value)));
            all.collect()
        }
        other => other,
    }
}
