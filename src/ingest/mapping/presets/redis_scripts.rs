//! Scripts that a server runs: what each looks at before it acts, as far as its words tell, and
//! what its commands then do.

use std::collections::HashMap;

use sha1::Digest as _;

use super::redis_line::has_option;

/// How many scripts are remembered at most.
const MAX_KNOWN: usize = 1 << 20;

/// What a script looks at before it acts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Looks {
    /// It compares what is stored with its argument.
    pub(super) compares: bool,
    /// It asks whether the key exists.
    pub(super) exists: bool,
    /// It minds that there may be nothing to compare with.
    pub(super) minds_absence: bool,
    /// It counts holds in a hash, under the handle of each holder (Redisson).
    pub(super) counts_holds: bool,
}

/// The scripts that were seen, by their SHA-1.
#[derive(Debug, Default)]
pub(super) struct Scripts {
    known: HashMap<String, Looks>,
}

impl Scripts {
    /// Remembers a script; what it looks at.
    pub(super) fn learn(&mut self, script: &str) -> Looks {
        let looks = looks(script);
        if self.known.len() < MAX_KNOWN {
            self.known.insert(sha1_of(script), looks);
        }
        looks
    }

    /// What the script of that hash looks at; nothing where it was not seen.
    pub(super) fn of_hash(&self, hash: &str) -> Looks {
        let known = self.known.get(&hash.to_ascii_lowercase());
        known.copied().unwrap_or_default()
    }
}

/// A script that runs.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) client: String,
    pub(super) keys: Vec<String>,
    /// Its first argument behind the keys.
    pub(super) handle: Option<String>,
    pub(super) looks: Looks,
}

/// What a `SET` of a script does.
pub(super) enum ScriptSet {
    /// It asks for the key with that value.
    Asks(String),
    /// It takes a key that the script has seen not to be there.
    Takes,
    /// It sets anew what was there, or something else.
    Other,
}

impl Running {
    /// What it does with a `SET` of these arguments.
    pub(super) fn set(&self, args: &[&str]) -> ScriptSet {
        if has_option(args, "NX")
            && let Some(value) = args.get(1)
        {
            return ScriptSet::Asks((*value).to_owned());
        }
        let expires = has_option(args, "PX") || has_option(args, "EX");
        let given = self.handle.as_ref().filter(|_| self.gives(args));
        match given.filter(|_| expires) {
            Some(_) if self.looks.exists => ScriptSet::Takes,
            // Set where there was none, or anew where it was its own.
            Some(handle) if self.looks.compares && self.looks.minds_absence => {
                ScriptSet::Asks(handle.clone())
            }
            _ => ScriptSet::Other,
        }
    }

    /// Whether a command stores the handle that the script was given.
    pub(super) fn gives(&self, args: &[&str]) -> bool {
        let handle = self.handle.as_deref();
        handle.is_some_and(|handle| args.get(1) == Some(&handle))
    }

    /// Whether it was called for that key.
    pub(super) fn has_key(&self, key: &str) -> bool {
        self.keys.iter().any(|one| one == key)
    }
}

fn looks(script: &str) -> Looks {
    let script = script.to_ascii_lowercase();
    let calls = |name: &str| {
        script.contains(&format!("'{name}'")) || script.contains(&format!("\"{name}\""))
    };
    Looks {
        compares: calls("get")
            && script.contains("argv")
            && (script.contains("==") || script.contains("~=")),
        exists: calls("exists"),
        minds_absence: ["false", "nil", "not "]
            .iter()
            .any(|word| script.contains(word)),
        // A lock for readers and a writer keeps its mode there, and has many holders.
        counts_holds: calls("hexists") && (calls("hincrby") || calls("pexpire")) && !calls("mode"),
    }
}

fn sha1_of(script: &str) -> String {
    let digest = sha1::Sha1::digest(script.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_script_is_known_by_its_hash() {
        assert_eq!(
            super::sha1_of("return 1"),
            "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"
        );
        assert!(super::looks("if redis.call('get',KEYS[1]) == ARGV[1] then").compares);
        assert!(!super::looks("redis.call('del',KEYS[1])").compares);
    }
}
