//! What a report is written as, and where to.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::args::named;
use crate::cli::evidence::Inputs;
use crate::cli::exit::Stop;
use crate::cli::target::{self, Formats};
use crate::cli::{files, size};
use crate::report::moment::Moment;

/// What a report is written as, and where to.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct ReportOutput {
    /// The format of standard output [default: markdown], and of each FILE whose ending names
    /// none
    #[arg(long, value_name = "FORMAT", value_parser = named(Format::ALL.map(Format::name), Format::from_name))]
    format: Option<Format>,
    /// Write to FILE instead; may be repeated. The format follows the ending (.md .html
    /// .json .mmd) or is given as FORMAT=FILE; another ending needs --format. - is standard
    /// output
    #[arg(short, long, value_name = "[FORMAT=]FILE")]
    output: Vec<PathBuf>,
    /// Replace owners, leases and addresses by placeholders, the same one for the same
    /// name in every format, and directories in the names of inputs
    #[arg(long)]
    pub(super) redact: bool,
    /// Fill this template (Jinja) instead of the built-in page, for Markdown and HTML
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,
    /// When the report was made, as it shall say: RFC 3339, or seconds since 1970; without
    /// it SOURCE_DATE_EPOCH, and without that no time is told
    #[arg(long, value_name = "TIME", value_parser = moment)]
    now: Option<Moment>,
    /// A page larger than this tells less of everything, and how much it leaves out
    #[arg(long, value_name = "SIZE", value_parser = size::parse, allow_hyphen_values = true, default_value = "5MiB")]
    pub(super) max_size: u64,
}

/// The formats of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Markdown,
    Html,
    Json,
    Mermaid,
}

impl Format {
    const ALL: [Format; 4] = [
        Format::Markdown,
        Format::Html,
        Format::Json,
        Format::Mermaid,
    ];

    const fn name(self) -> &'static str {
        match self {
            Format::Markdown => "markdown",
            Format::Html => "html",
            Format::Json => "json",
            Format::Mermaid => "mermaid",
        }
    }

    fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|one| one.name() == name)
    }

    fn from_path(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match ending.as_str() {
            "md" | "markdown" => Format::Markdown,
            "html" | "htm" => Format::Html,
            "json" => Format::Json,
            "mmd" | "mermaid" => Format::Mermaid,
            _ => return None,
        })
    }
}

fn moment(text: &str) -> Result<Moment, &'static str> {
    Moment::parse(text).ok_or("a time is written as 2027-01-31T12:00:00Z, or in seconds since 1970")
}

const FORMATS: Formats<Format> = Formats {
    default: Format::Markdown,
    from_name: Format::from_name,
    from_path: Format::from_path,
    example: "markdown=report.txt",
};

pub(super) type Target = target::Target<Format>;

impl Target {
    pub(super) fn write(&self, text: &str) -> Result<(), Stop> {
        match &self.path {
            Some(path) => fs::write(path, text).map_err(|error| {
                Stop::unusable(format!("{}: cannot be written: {error}", self.name()))
            }),
            None => {
                let mut out = io::stdout();
                out.write_all(text.as_bytes())
                    .and_then(|()| out.flush())
                    .map_err(|error| Stop::writing(&self.name(), &error))
            }
        }
    }
}

impl ReportOutput {
    pub(super) fn targets(
        &self,
        inputs: &Inputs,
        rejects: Option<&Path>,
    ) -> Result<Vec<Target>, Stop> {
        let mut targets = FORMATS.targets(&self.output, self.format)?;
        for target in &targets {
            target.differs_from(rejects)?;
            if let Some(path) = &target.path {
                inputs.guard(path)?;
            }
            target.check()?;
        }
        // Files first: a reader that leaves standard output takes nothing from them.
        targets.sort_by_key(|target| target.path.is_none());
        Ok(targets)
    }

    /// When the report was made, by whoever asked for it.
    pub(super) fn generated(&self) -> Result<Option<String>, Stop> {
        if let Some(now) = &self.now {
            return Ok(Some(now.to_string()));
        }
        let Ok(epoch) = env::var("SOURCE_DATE_EPOCH") else {
            return Ok(None);
        };
        let moment = epoch.parse().ok().and_then(Moment::from_seconds);
        match moment {
            Some(moment) => Ok(Some(moment.to_string())),
            None => Err(Stop::unusable(format!(
                "SOURCE_DATE_EPOCH: `{epoch}` is no number of seconds since 1970"
            ))),
        }
    }

    /// The template: its name and its text. Refused where nothing would be made of it.
    pub(super) fn template(&self, targets: &[Target]) -> Result<Option<(String, String)>, Stop> {
        let Some(path) = &self.template else {
            return Ok(None);
        };
        let formats: Vec<Format> = targets.iter().map(|target| target.format).collect();
        let fills = |one: &Format| matches!(one, Format::Markdown | Format::Html);
        if let Some(format) = formats.first()
            && !formats.iter().any(fills)
        {
            return Err(Stop::unusable(format!(
                "`--template` fills Markdown and HTML, and the report is written as {}",
                format.name()
            ))
            .hint("leave it out, or give --format markdown or html"));
        }
        let name = path.display().to_string();
        let text = files::read(path, "a template is a text file in the language of Jinja")?;
        Ok(Some((name, text)))
    }
}
