//! How names from a log are shown in a report: shortened where they are very long, and
//! replaced where the reader is not meant to see them.
//!
//! Every name in a report passes here, so one name is the same in every place and format.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use regex::Regex;
use sha2::{Digest, Sha256};

/// The longest name that is shown whole, in characters.
pub const LONGEST_NAME: usize = 160;
const HEAD: usize = 80;
const TAIL: usize = 40;
/// Names shorter than this are not looked for inside other names: `a` is in everything.
const SHORTEST_INSIDE: usize = 3;

/// What was replaced, and how many different ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, schemars::JsonSchema)]
pub struct Replaced {
    /// Owners.
    pub owners: u64,
    /// Leases.
    pub leases: u64,
    /// Addresses: IPv4, IPv6, hardware and mail addresses, inside any text.
    pub addresses: u64,
    /// Directories of files.
    pub directories: u64,
}

/// Shows names. Owners and leases that stand inside other names are found there only if
/// they were made known by [`Names::owner`] and [`Names::lease`] before.
#[derive(Debug, Default)]
pub struct Names {
    redact: bool,
    owners: HashMap<String, String>,
    leases: HashMap<String, String>,
    addresses: HashMap<String, String>,
    directories: HashMap<String, String>,
    /// Long names, and what is shown of them.
    cut: HashMap<String, String>,
    /// All owners and leases that may stand inside another name, by their first three
    /// bytes; the longest first.
    inside: BTreeMap<[u8; SHORTEST_INSIDE], Vec<(String, String)>>,
}

static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+", // mail
        r"|\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b",         // hardware
        r"|\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b",             // IPv4
        r"|\bip(?:-[0-9]{1,3}){4}\b",                      // IPv4 in a host name
        r"|(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\b",          // IPv6 in full
        r"|(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})\b",
    ))
    .ok()
});

impl Names {
    /// Shows names as they are, or with `redact` as placeholders.
    pub fn new(redact: bool) -> Names {
        Names {
            redact,
            ..Names::default()
        }
    }

    /// Whether names are replaced.
    pub fn redacts(&self) -> bool {
        self.redact
    }

    /// An owner.
    pub fn owner(&mut self, name: &str) -> String {
        if !self.redact {
            return self.shorten(name);
        }
        let number = self.owners.len() + 1;
        let shown = self.owners.entry(name.to_owned());
        let shown = shown.or_insert_with(|| format!("owner-{number}")).clone();
        self.note_inside(name, &shown);
        shown
    }

    /// A lease id.
    pub fn lease(&mut self, name: &str) -> String {
        if !self.redact {
            return self.shorten(name);
        }
        let number = self.leases.len() + 1;
        let shown = self.leases.entry(name.to_owned());
        let shown = shown.or_insert_with(|| format!("lease-{number}")).clone();
        self.note_inside(name, &shown);
        shown
    }

    /// Any other text of the log: a lock, a resource key, an operation, a time.
    pub fn other(&mut self, name: &str) -> String {
        if !self.redact {
            return self.shorten(name);
        }
        let replaced = self.replace(name);
        self.shorten(&replaced)
    }

    /// The name of an input: with `redact`, its directories are replaced.
    pub fn input(&mut self, name: &str) -> String {
        if !self.redact {
            return self.shorten(name);
        }
        let (directory, file) = match name.rfind(['/', '\\']) {
            Some(at) => name.split_at(at + 1),
            None => ("", name),
        };
        let file = self.replace(file);
        if directory.is_empty() {
            return self.shorten(&file);
        }
        let number = self.directories.len() + 1;
        let shown = self.directories.entry(directory.to_owned());
        let shown = shown.or_insert_with(|| format!("directory-{number}"));
        let shown = format!("{shown}/{file}");
        self.shorten(&shown)
    }

    /// How many different names were replaced.
    pub fn replaced(&self) -> Option<Replaced> {
        self.redact.then_some(Replaced {
            owners: self.owners.len() as u64,
            leases: self.leases.len() as u64,
            addresses: self.addresses.len() as u64,
            directories: self.directories.len() as u64,
        })
    }

    fn shorten(&mut self, name: &str) -> String {
        let count = name.chars().count();
        if count <= LONGEST_NAME {
            return name.to_owned();
        }
        if let Some(known) = self.cut.get(name) {
            return known.clone();
        }
        let shown = cut(name, count);
        self.cut.insert(name.to_owned(), shown.clone());
        shown
    }

    fn note_inside(&mut self, name: &str, shown: &str) {
        let Some(start) = name.as_bytes().first_chunk::<SHORTEST_INSIDE>().copied() else {
            return;
        };
        let known = self.inside.entry(start).or_default();
        if known.iter().all(|(other, _)| other != name) {
            known.push((name.to_owned(), shown.to_owned()));
            known.sort_by_key(|(other, _)| std::cmp::Reverse(other.len()));
        }
    }

    fn replace(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        // Owners and leases first: an owner may well be a mail address.
        while !rest.is_empty() {
            let before = out.chars().next_back();
            let found = rest
                .as_bytes()
                .first_chunk::<SHORTEST_INSIDE>()
                .and_then(|start| self.inside.get(start))
                .into_iter()
                .flatten()
                .find(|(name, _)| is_whole(before, rest, name));
            if let Some((name, shown)) = found {
                out.push_str(shown);
                rest = rest.get(name.len()..).unwrap_or_default();
                continue;
            }
            let mut chars = rest.chars();
            out.extend(chars.next());
            rest = chars.as_str();
        }
        let Some(address) = ADDRESS.as_ref() else {
            return out;
        };
        let addresses = &mut self.addresses;
        let replaced = address.replace_all(&out, |found: &regex::Captures<'_>| {
            let number = addresses.len() + 1;
            let found = found.get(0).map_or("", |one| one.as_str()).to_owned();
            addresses
                .entry(found)
                .or_insert_with(|| format!("address-{number}"))
                .clone()
        });
        replaced.into_owned()
    }
}

/// Whether `rest` begins with `name` and the name is not a part of a longer word.
fn is_whole(before: Option<char>, rest: &str, name: &str) -> bool {
    let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let Some(after) = rest.strip_prefix(name) else {
        return false;
    };
    let (first, last) = (name.chars().next(), name.chars().next_back());
    let joined = word(before) && word(first) || word(last) && word(after.chars().next());
    !joined
}

/// A long name that a person can read to the end. Two that differ stay different.
fn cut(name: &str, count: usize) -> String {
    let head: String = name.chars().take(HEAD).collect();
    let tail: String = name.chars().skip(count - TAIL).collect();
    let left_out = count - HEAD - TAIL;
    let sum: String = Sha256::digest(name)
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{head}…(+{left_out}, {sum})…{tail}")
}

/// The beginning and the end of a name, for a place with little room.
pub fn brief(name: &str) -> String {
    let count = name.chars().count();
    if count <= 20 {
        return name.to_owned();
    }
    let head: String = name.chars().take(10).collect();
    let tail: String = name.chars().skip(count - 7).collect();
    format!("{head}…{tail}")
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_NAME, Names};

    #[test]
    fn a_long_name_is_cut_and_stays_itself() {
        let mut names = Names::new(false);
        let a = format!("{}A{}", "x".repeat(5000), "y".repeat(5000));
        let b = format!("{}B{}", "x".repeat(5000), "y".repeat(5000));
        let shown = names.other(&a);
        assert!(shown.chars().count() <= LONGEST_NAME);
        assert_eq!(shown, names.other(&a));
        assert_ne!(shown, names.other(&b));
        assert_eq!(names.other("short"), "short");
    }

    #[test]
    fn names_become_stable_placeholders() {
        let mut names = Names::new(true);
        assert_eq!(names.owner("worker-A"), "owner-1");
        assert_eq!(names.owner("worker-B"), "owner-2");
        assert_eq!(names.owner("worker-A"), "owner-1");
        assert_eq!(names.lease("worker-A"), "lease-1");
        assert_eq!(names.other("job/worker-A/7"), "job/owner-1/7");
        assert_eq!(names.other("job/worker-AB/7"), "job/worker-AB/7");
        assert_eq!(names.replaced().unwrap().owners, 2);
    }

    #[test]
    fn addresses_are_found_anywhere() {
        let mut names = Names::new(true);
        for (text, shown) in [
            ("node 10.0.3.7:6379", "node address-1:6379"),
            ("again 10.0.3.7", "again address-1"),
            ("ana@mail.example.org", "address-2"),
            ("fe80::1%eth0", "address-3%eth0"),
            ("2001:db8:0:0:0:0:0:1", "address-4"),
            ("0a:1b:2c:3d:4e:5f", "address-5"),
            ("ip-10-0-3-9.internal", "address-6.internal"),
            ("report:417:rebuild", "report:417:rebuild"),
            ("2026-03-01T10:00:00Z", "2026-03-01T10:00:00Z"),
        ] {
            assert_eq!(names.other(text), shown);
        }
        assert_eq!(names.input("/home/ana/logs/a.jsonl"), "directory-1/a.jsonl");
        assert_eq!(names.replaced().unwrap().addresses, 6);
    }
}
