//! The files that the evidence is written to.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use super::args::OutputArgs;
use crate::cli::exit::Stop;
use crate::model::{Names, Sighting, source_name};

/// How many bytes of evidence are gathered before they are written.
const BUFFER: usize = 1 << 20;

/// What a file of the evidence is called.
pub(super) fn source(output: Option<&Path>, files: u32, file: u32) -> String {
    match output {
        None => "-".to_owned(),
        Some(path) if files == 1 => path.display().to_string(),
        Some(path) => path.join(source_name(file)).display().to_string(),
    }
}

/// The files of the evidence.
pub(super) struct Evidence {
    names: Names,
    outputs: Vec<(String, Box<dyn Write>, Vec<u8>)>,
}

impl Evidence {
    pub(super) fn open(args: &OutputArgs, files: u32, names: Names) -> Result<Evidence, Stop> {
        let mut outputs: Vec<(String, Box<dyn Write>, Vec<u8>)> = Vec::new();
        match args.file() {
            None if files > 1 => {
                return Err(Stop::unusable("several files can't go to standard output")
                    .hint("name a directory with --output"));
            }
            None => outputs.push((
                "standard output".to_owned(),
                Box::new(io::stdout()),
                Vec::new(),
            )),
            Some(path) => {
                let failed = |error: &io::Error| Stop::writing(&path.display().to_string(), error);
                if files > 1 {
                    std::fs::create_dir_all(path).map_err(|error| failed(&error))?;
                }
                for file in 0..files {
                    let name = source(Some(path), files, file);
                    let open = File::create(&name).map_err(|error| Stop::writing(&name, &error))?;
                    outputs.push((name, Box::new(open), Vec::new()));
                }
            }
        }
        Ok(Evidence { names, outputs })
    }

    pub(super) fn take(&mut self, line: &Sighting) -> Result<(), Stop> {
        let Some(output) = self.outputs.get_mut(line.file as usize) else {
            return Ok(());
        };
        line.write(&mut output.2, &self.names);
        if output.2.len() >= BUFFER {
            flush(output)?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<(), Stop> {
        self.outputs.iter_mut().try_for_each(flush)
    }
}

fn flush((name, out, buffer): &mut (String, Box<dyn Write>, Vec<u8>)) -> Result<(), Stop> {
    out.write_all(buffer)
        .and_then(|()| out.flush())
        .map_err(|error| Stop::writing(name, &error))?;
    buffer.clear();
    Ok(())
}
