//! The kinds of fixed words: labels, nouns that are counted, terms, the coverage table.

/// A name and what it means, both in the reader's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// A short word or phrase.
    pub name: &'static str,
    /// One or two sentences.
    pub meaning: &'static str,
}

/// What follows from something that is no incident, in whole sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guidance {
    /// Which verdicts it weakens or withholds, and which it leaves.
    pub weakens: &'static [&'static str],
    /// What to do about it: an option, or a field to log.
    pub next: &'static [&'static str],
}

/// One question of the coverage table: does a token answer it, and what does?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// The question.
    pub question: &'static str,
    /// Whether a fencing token covers it, in words.
    pub covered: &'static str,
    /// Whether it does, for colours and columns: only where the resource compares.
    pub by_token: bool,
    /// What covers it.
    pub what_does: &'static str,
}

macro_rules! all {
    ($(#[$top:meta])* $name:ident { $($(#[$doc:meta])* $item:ident,)* }) => {
        $(#[$top])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$doc])* $item,)* }

        impl $name {
            /// Every one of them.
            pub const ALL: &'static [$name] = &[$($name::$item,)*];
        }
    };
}

all! {
    /// What is counted.
    Noun {
        /// An evidence record.
        Record,
        /// A lock.
        Lock,
        /// An incident.
        Incident,
        /// A line that is no evidence.
        OtherLine,
        /// A line that could not be read.
        RejectedLine,
        /// A record that was seen before.
        RepeatedRecord,
        /// A write that the resource accepted or refused.
        DecidedWrite,
        /// How often something happened.
        Time,
        /// An input.
        Input,
        /// More of a list that was cut.
        More,
    }
}

all! {
    /// A fixed word of the text output, of `explain` or of a report.
    Label {
        /// What happened.
        Observation,
        /// The boundary that failed or held.
        Boundary,
        /// What to check.
        Check,
        /// What to do next.
        NextAction,
        /// What may not be concluded from one incident.
        NotCovered,
        /// The records that show it.
        Evidence,
        /// What is taken on trust.
        Assumes,
        /// The fields that would settle it.
        Missing,
        /// The classes left.
        Candidates,
        /// The actor whose record decides the incident.
        Late,
        /// The one it met.
        Current,
        /// The lock.
        Lock,
        /// The resource key.
        ResourceKey,
        /// The operation.
        Operation,
        /// How often.
        Occurrences,
        /// The status.
        Status,
        /// The outcome.
        Outcome,
        /// The class.
        Class,
        /// The variant.
        Variant,
        /// An owner.
        Owner,
        /// A lease.
        Lease,
        /// A token.
        Token,
        /// A record.
        Record,
        /// A line.
        Line,
        /// An input.
        Source,
        /// The part that a record plays.
        Role,
        /// A step of the protocol.
        Event,
        /// An answer.
        Result,
        /// All incidents.
        Incidents,
        /// There is no incident.
        NoIncident,
        /// There is no incident, and what that does not mean.
        NoIncidentMeans,
        /// What was read.
        Summary,
        /// What to know before trusting the absence of an incident.
        Cautions,
        /// Verdicts that were withheld.
        Withheld,
        /// The title of a report.
        ReportTitle,
        /// The headline part of a report.
        Headline,
        /// What the evidence shows.
        WhatItShows,
        /// What the evidence does not show.
        WhatItDoesNotShow,
        /// The coverage table.
        Coverage,
        /// The question column of the coverage table.
        Question,
        /// The column that says whether a token covers it.
        CoveredByToken,
        /// The column that says what does.
        WhatDoes,
        /// What to record next time.
        RecordNextTime,
        /// The timeline.
        Timeline,
        /// The line of the highest token.
        HighestToken,
        /// The same data as a table.
        AsTable,
        /// Where the report came from.
        Provenance,
        /// The version of the tool.
        ToolVersion,
        /// The command that was run.
        Command,
        /// When the report was made.
        Generated,
        /// The size of an input.
        Size,
        /// The number of lines of an input.
        Lines,
        /// The SHA-256 of an input.
        Sha256,
        /// Lines that are no evidence.
        OtherLines,
        /// Lines that could not be read.
        RejectedLines,
        /// The order that was used.
        OrderUsed,
        /// Who vouched for the order.
        OrderVouchedBy,
        /// Names that were replaced.
        Redacted,
        /// The part that people fill in.
        ForPeople,
        /// Left blank for a person.
        FillIn,
        /// The impact.
        Impact,
        /// The root cause.
        RootCause,
        /// The people responsible.
        ActionOwners,
        /// The dates.
        Dates,
        /// Not recorded.
        NotRecorded,
        /// None.
        None,
        /// What a topic means.
        Meaning,
        /// The rows of the diagnosis.
        Rows,
        /// What the letters in a row stand for.
        RowLetters,
        /// What tells two incidents apart.
        Subject,
        /// An example.
        Example,
        /// What almost is one.
        NearMiss,
        /// The case file.
        Case,
        /// Other words for a result.
        Synonyms,
        /// Both spellings of a field.
        Spellings,
        /// Other topics.
        SeeAlso,
        /// Exit codes.
        ExitCode,
        /// An evidence field.
        Field,
        /// A kind of caution.
        Caution,
        /// A reason to withhold verdicts.
        WithheldReason,
        /// What is weakened or withheld.
        Weakens,
        /// Who gave a `seq`.
        Origin,
    }
}
