//! The quick way: a few `evidence=path` pairs and patterns on the command line.

use regex::Regex;

use super::error::{MappingError, nearest_hint};
use super::spec::Mapping;
use crate::evidence::Field;
use crate::near::nearest;

/// What a fault is in that is in no single argument.
const WHOLE: &str = "--field";

impl Mapping {
    /// A mapping of pairs `evidence=path` (or `evidence:=constant`) and of patterns for
    /// text lines. With a pattern the log is text, and groups that bear the name of a field
    /// are that field; without, it is JSON.
    ///
    /// # Errors
    /// Every fault, each in the words of the argument that it is in.
    pub fn quick(fields: &[String], patterns: &[String]) -> Result<Mapping, Vec<MappingError>> {
        let mut text = String::new();
        // The argument that each line was made of, and by how much it was moved.
        let mut arguments: Vec<(String, usize)> = Vec::new();
        let mut errors = Vec::new();
        let mut given = Vec::new();
        if !patterns.is_empty() {
            text.push_str("format = \"text\"\npattern = [\n");
            arguments.resize(2, (String::new(), 0));
            for pattern in patterns {
                text.push_str(&quoted(pattern));
                text.push_str(",\n");
                arguments.push((format!("--pattern {pattern}"), 1));
            }
            text.push_str("]\n");
            arguments.push((String::new(), 0));
        }
        text.push_str("[fields]\n");
        arguments.push((String::new(), 0));
        for field in fields {
            match line(field, &given) {
                Ok((known, line, moved)) => {
                    given.push(known);
                    text.push_str(&line);
                    arguments.push((format!("--field {field}"), moved));
                }
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() {
            errors = missing(&given, patterns);
        }
        match Mapping::parse(WHOLE, &text) {
            Ok(mapping) if errors.is_empty() => Ok(mapping),
            Ok(_) => Err(errors),
            Err(found) => {
                // What is missing may be missing since an argument was wrong.
                let sound = errors.is_empty();
                let found = found.into_iter().map(|error| placed(error, &arguments));
                errors.extend(found.filter(|error| sound || error.file != WHOLE));
                Err(errors)
            }
        }
    }
}

/// The field that a `--field` gives, its line in the mapping, and by how much the argument is
/// moved there.
fn line(argument: &str, given: &[Field]) -> Result<(Field, String, usize), MappingError> {
    let wrong = |message: &str, hint: &str| fault(format!("--field {argument}"), message, hint);
    let (name, path) = argument.split_once('=').ok_or_else(|| {
        let hint = "--field lockName=lock.name";
        wrong("a field is given as evidence=path", hint)
    })?;
    let constant = name.strip_suffix(':');
    let name = constant.unwrap_or(name);
    let field = Field::from_name(name).ok_or_else(|| {
        let hint = nearest_hint(name, Field::ALL.into_iter().map(Field::name));
        wrong(&format!("`{name}` is no field of the evidence"), &hint)
    })?;
    if given.contains(&field) {
        return Err(wrong(
            &format!("`{field}` is given before"),
            "give each field once; a mapping can look for one in several places",
        ));
    }
    let value = quoted(path);
    Ok(match constant {
        Some(_) => (field, format!("{name} = {{ value = {value} }}\n"), 11),
        None => (field, format!("{name} = {value}\n"), 3),
    })
}

/// What no argument says and a mapping must. A group whose name is nearly that of the field
/// is where it was to be said.
fn missing(given: &[Field], patterns: &[String]) -> Vec<MappingError> {
    let mut groups: Vec<(&String, String)> = Vec::new();
    for pattern in patterns {
        // Another fault, and told as one.
        let Ok(regex) = Regex::new(pattern) else {
            return Vec::new();
        };
        let names = regex.capture_names().flatten();
        groups.extend(names.map(|name| (pattern, name.to_owned())));
    }
    let has = |field: &Field| {
        let group = |(_, name): &(_, String)| Field::from_name(name) == Some(*field);
        given.contains(field) || groups.iter().any(group)
    };
    let mut errors = Vec::new();
    for (needed, message, group, field) in [
        (
            &[Field::LockName][..],
            "nothing says which lock a line is about",
            "(?<lockName>…)",
            "--field lockName=PATH, or --field lockName:=NAME where it is always the same",
        ),
        (
            &[Field::Result, Field::Event],
            "nothing says what was done nor what was answered",
            "(?<result>…) or (?<event>…)",
            "--field result=PATH, or --field result:=acquired where it is always the same",
        ),
    ] {
        if needed.iter().any(has) {
            continue;
        }
        let names = || needed.iter().map(|field| field.name());
        let meant = groups.iter().find_map(|(pattern, name)| {
            let free = Field::from_name(name).is_none();
            free.then(|| Some((pattern, name, nearest(name, names())?)))?
        });
        errors.push(match meant {
            Some((pattern, name, meant)) => fault(
                format!("--pattern {pattern}"),
                &format!("the group `{name}` is no field of the evidence"),
                &format!("did you mean `{meant}`?"),
            ),
            None if patterns.is_empty() => {
                fault(WHOLE.to_owned(), message, &format!("add {field}"))
            }
            None => fault(
                "--pattern".to_owned(),
                message,
                &format!("call a group {group}, or add {field}"),
            ),
        });
    }
    errors
}

/// The fault in the argument instead of in the text that was made of it.
fn placed(error: MappingError, arguments: &[(String, usize)]) -> MappingError {
    let argument = error
        .line
        .checked_sub(1)
        .and_then(|line| arguments.get(line));
    let (file, moved) = match argument {
        Some((file, moved)) if !file.is_empty() => (file.clone(), *moved),
        _ => (WHOLE.to_owned(), 0),
    };
    MappingError {
        file,
        line: 1,
        column: error.column.saturating_sub(moved).max(1),
        ..error
    }
}

fn fault(file: String, message: &str, hint: &str) -> MappingError {
    MappingError {
        file,
        line: 1,
        column: 1,
        span: 0..0,
        message: message.to_owned(),
        hint: hint.to_owned(),
    }
}

/// A basic string of TOML on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::Mapping;

    fn quick(fields: &[&str], patterns: &[&str]) -> Result<Mapping, Vec<String>> {
        let owned = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        Mapping::quick(&owned(fields), &owned(patterns))
            .map_err(|errors| errors.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn pairs_and_patterns_make_a_mapping() {
        assert!(quick(&["lockName=lock.name", "result=a.\"b.c\""], &[]).is_ok());
        assert!(quick(&[], &[r"lock (?<lockName>\S+) (?<result>\w+)"]).is_ok());
        assert!(quick(&["result:=acquired"], &[r"lock (?<lockName>\S+)"]).is_ok());
    }

    #[test]
    fn what_is_missing_is_told_for_the_command_line() {
        for (fields, patterns, expected) in [
            (
                &["result=r"][..],
                &[][..],
                &[
                    "--field:1:1: nothing says which lock a line is about (add --field \
                   lockName=PATH, or --field lockName:=NAME where it is always the same)",
                ][..],
            ),
            (
                &[],
                &[r"(?<lockNam>\S+) (?<result>\w+)"],
                &[
                    r"--pattern (?<lockNam>\S+) (?<result>\w+):1:1: the group `lockNam` is no field of the evidence (did you mean `lockName`?)",
                ],
            ),
            (
                &["lockName=x", "lockName=y"],
                &[],
                &[
                    "--field lockName=y:1:1: `lockName` is given before (give each field once; \
                   a mapping can look for one in several places)",
                ],
            ),
        ] {
            assert_eq!(quick(fields, patterns).unwrap_err(), expected);
        }
        let errors = quick(&[], &[r"(\S+)"]).unwrap_err();
        assert_eq!(errors.len(), 2);
        for error in errors {
            assert!(error.starts_with("--pattern:1:1: nothing says "), "{error}");
            assert!(error.contains("(call a group (?<"), "{error}");
        }
        // A group that a field is read from has a name of its own.
        assert!(quick(&["lockName=lockNam"], &[r"(?<lockNam>\S+) (?<result>\w+)"]).is_ok());
    }

    #[test]
    fn faults_are_told_in_the_words_of_the_argument() {
        let errors = quick(&["lockNam=x", "result=a..b", "nothing"], &[]).unwrap_err();
        assert_eq!(
            errors[0],
            "--field lockNam=x:1:1: `lockNam` is no field of the evidence (did you mean `lockName`?)"
        );
        assert!(
            errors
                .iter()
                .any(|e| e.starts_with("--field nothing:1:1: ")),
            "{errors:?}"
        );
        assert!(
            errors
                .iter()
                .any(|e| e.starts_with("--field result=a..b:1:10: ")),
            "{errors:?}"
        );
        let errors = quick(&["lockName=x", "result:=aquired"], &[]).unwrap_err();
        assert_eq!(
            errors,
            ["--field result:=aquired:1:9: `aquired` is no result (did you mean `acquired`?)"]
        );
        let errors = quick(&[], &["(?<lockName"]).unwrap_err();
        assert!(
            errors[0].starts_with("--pattern (?<lockName:1:1: "),
            "{errors:?}"
        );
    }
}
