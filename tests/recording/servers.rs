//! A server of its own for a test, gone when the test is over.

use std::path::PathBuf;
use std::process::Command;

use crate::tool::project;

/// Whether what is missing fails a test.
pub fn required() -> bool {
    std::env::var_os("LOCKDIAG_SERVERS").is_some_and(|it| it == "1")
}

/// A test that cannot run here.
pub fn skip(why: &str) {
    assert!(!required(), "LOCKDIAG_SERVERS=1, and {why}");
    eprintln!("skipped: {why}");
}

pub struct Server {
    name: &'static str,
    directory: String,
    port: String,
}

impl Server {
    /// Starts the server called so, if its programs are here.
    pub fn start(name: &'static str) -> Option<Self> {
        if !script().exists() {
            skip("the script that starts servers is not in this copy of the sources");
            return None;
        }
        let missing = call(&["missing", name]);
        if !missing.is_empty() {
            let names: Vec<&str> = missing.lines().collect();
            skip(&format!("{name} needs {}", names.join(", ")));
            return None;
        }
        let started = call(&["start", name]);
        let said = |key: &str| {
            let value = started.lines().find_map(|line| line.strip_prefix(key));
            value
                .unwrap_or_else(|| panic!("no {key}\n{started}"))
                .to_owned()
        };
        Some(Server {
            name,
            directory: said("dir="),
            port: said("port="),
        })
    }

    /// Runs the staging script of this server; the files that it wrote are in the directory.
    pub fn stage(&self) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        let staged = Command::new("bash")
            .arg(project(&format!("tests/recording/{}.sh", self.name)))
            .arg(&self.port)
            .arg(directory.path())
            .output()
            .unwrap();
        assert!(staged.status.success(), "{staged:?}");
        directory
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        call(&["stop", self.name, &self.directory]);
    }
}

fn script() -> PathBuf {
    project(".ci/servers")
}

fn call(arguments: &[&str]) -> String {
    match Command::new("bash").arg(script()).args(arguments).output() {
        Ok(output) if output.status.success() => String::from_utf8(output.stdout).unwrap(),
        // Where a test fails already, a second panic would hide why.
        other if std::thread::panicking() => format!("{other:?}"),
        other => panic!("{arguments:?}: {other:?}"),
    }
}
