//! The words in English.

use super::Entry;
use crate::lint::code::Code;

const fn says(summary: &'static str, why: &'static str, fix: &'static str) -> Entry {
    Entry { summary, why, fix }
}

pub(super) fn entry(code: Code) -> Entry {
    match code {
        Code::UnreadableLine => says(
            "A line could not be read: broken JSON, bytes that are no UTF-8, or too long.",
            "Whatever it recorded is lost to every verdict, and a cut line often hides the record that would decide the incident.",
            "Write one JSON object a line in UTF-8, and write it in one call, so that two writers or a crash can't cut it.",
        ),
        Code::InputCutShort => says(
            "An input ended in the middle of its data.",
            "The records after the cut are missing, and what is missing can't contradict a verdict.",
            "Close the compressed file before it is copied, and compare its size or digest after the transfer.",
        ),
        Code::NotAnObject => says(
            "A line is no JSON object.",
            "Logs are mixed, so this is no error; but if evidence was written as text, nobody reads it.",
            "Log the steps of the lock as JSON objects, or describe the text lines in a mapping.",
        ),
        Code::NoEvidenceField => says(
            "An object holds none of the fields that make it evidence.",
            "It is counted and left out. If it is evidence under other names, its records are missing from every verdict. A lock, a lease, a token or a reading of one marks an object as evidence; `result`, `event`, `seq`, `resourceKey`, `ownerId` and `operationId` are words of every log and do not.",
            "Log `lockName` in every record, or map the service's own names onto those of the evidence.",
        ),
        Code::NoLockName => says(
            "A record is lock evidence and does not say of which lock.",
            "State belongs to a lock; without its name the record can be used for none.",
            "Log `lockName`: the item that the lock protects, the same text wherever it is logged.",
        ),
        Code::NoStep => says(
            "A record does not say which step of the protocol it is about.",
            "An answer such as `ok` means another thing after a write than after a release, and no rule guesses.",
            "Log `event` (acquire, renew, expire, release or write) beside `result`.",
        ),
        Code::NearlyAField => says(
            "A name is nearly that of an evidence field, and is not read as one.",
            "The value is there and no rule sees it: the verdict is weaker than the log could make it.",
            "Spell the name as the evidence format does, or map it.",
        ),
        Code::FieldTwice => says(
            "A record gives one field two different values.",
            "Neither can be believed, so neither is used.",
            "Set each field once; look for a logger that adds its own context under the same name.",
        ),
        Code::WrongType => says(
            "A field has a value of the wrong type.",
            "The field is left out of every verdict that needs it.",
            "Write names as text and numbers as unsigned 64-bit integers or their digits in quotes.",
        ),
        Code::NotMapped => says(
            "A mapping found a value and could not turn it into the field.",
            "The field is left out as if it had not been logged.",
            "Make the mapping say how the value is written (base64, a split, a pattern), or log it plainly.",
        ),
        Code::EvidenceInside => says(
            "A lock is named inside other text, where no evidence is read.",
            "What the line says is missing from every verdict, as if it had not been logged.",
            "Log the record alone on its line, take away what a collector put around it, or read it with `--preset wrapped-evidence`.",
        ),
        Code::FieldRequired => says(
            "A record lacks a field that the required profile names.",
            "The team has decided that evidence without it is not good enough.",
            "Log the field at the step it belongs to; the hint names where it comes from.",
        ),
        Code::FieldForProof => says(
            "A record lacks a field without which some verdict can't be proven.",
            "What could be shown beyond doubt is then only suspected, or not seen; the decidability table says which.",
            "Log the field at the step it belongs to. Readings must come from the authority or the resource, taken in the same step as its answer.",
        ),
        Code::FieldUseful => says(
            "A record lacks a field that would make a verdict easier to act on.",
            "The verdict stands without it, but a person has to look up who held the lock or what the resource kept.",
            "Return the field with the answer and log it as it came.",
        ),
        Code::ReleaseWithoutHandle => says(
            "A release or renewal names neither a lease nor a token.",
            "It can't be said whose lease was removed. A release by the name of the lock alone is how one worker removes the lock of another.",
            "Send the lease handle with the request, compare it at the authority before the delete, and log it.",
        ),
        Code::WriteWithoutOperation => says(
            "A write names no operation.",
            "The same token twice may be ordinary work under one lease or one delivery that came again; only `operationId` tells.",
            "Give each business operation an id when it is created, keep it over every retry, and log it.",
        ),
        Code::WriteWithoutKey => says(
            "A write does not say under which key the resource compares tokens.",
            "Two tokens can only be compared at one key; without it a late write and a wrong key look the same.",
            "Log the key of the row, file or object beside which the highest token is stored.",
        ),
        Code::TokenNotOrdered => says(
            "A token is no unsigned 64-bit number.",
            "Fencing asks which of two tokens is greater. A UUID has no later one, and a number that was a float on its way may have lost the digits that differ.",
            "Take the token from a counter that grows with each acquisition, and carry it as an integer or as text.",
        ),
        Code::TokenRounded => says(
            "A token looks as if a float had rounded it.",
            "Beyond 2^53 neighbouring tokens become one number, and a late write looks as new as the one it came after.",
            "Keep the token as a 64-bit integer or as text in every program that passes it on; JavaScript and jq read numbers as floats.",
        ),
        Code::HighestWentDown => says(
            "The resource's highest token was lower after a write than before it.",
            "Either it forgot a token in the middle of a decision, or the two readings are not of one moment or one key; both make them useless as proof.",
            "Return both readings from the statement that compares and stores the token.",
        ),
        Code::AcceptedNotKept => says(
            "A write was accepted, and afterwards the highest token is lower than its own.",
            "A resource that does not keep the token can't refuse the next older one; or the reading was taken before the write was applied.",
            "Store the token beside the value in the same statement, and read the highest token after it.",
        ),
        Code::RefusedThoughHigher => says(
            "A write was refused as stale although its token is above the highest.",
            "The refusal had another reason, or the tokens were compared as text, or at another key. Counted as fencing it would hide that.",
            "Log refusals that are not about the token as `rejected-other`, and compare tokens as numbers.",
        ),
        Code::UnknownResult => says(
            "A result is not in the vocabulary.",
            "The record counts as one without an answer: it may have happened or not, and proves neither.",
            "Use the words of the evidence format, or map your own onto them.",
        ),
        Code::UnknownEvent => says(
            "An event is not in the vocabulary.",
            "Without knowing the step, the answer is only believed where it is a word of the evidence format itself, no other name for one, and can belong to no other step.",
            "Use acquire, renew, expire, release or write, or map your own words onto them.",
        ),
        Code::ResultOfAnotherEvent => says(
            "An event and its result do not belong together.",
            "One of the two is wrong, and it can't be said which; the record proves nothing.",
            "Look at the code that logs it: mostly a shared function that logs every answer under one event.",
        ),
        Code::SeqShared => says(
            "Two different records of one lock have the same `seq`.",
            "Each source counted for itself, so the numbers order nothing, and every verdict that needs order is withheld for this lock.",
            "Let one party number all events of a lock: the authority, the resource, or at least one collector.",
        ),
        Code::SeqBack => says(
            "`seq` is lower than in the last record of this lock in the same input.",
            "The order is not hurt, but records must be kept until their place is certain, and past the memory for that, verdicts are withheld.",
            "Write the log in the order of `seq`, or sort it once.",
        ),
        Code::SeqWithoutOrigin => says(
            "`seq` is there, and nothing says who gave it.",
            "A number that the resource or the authority gave proves an order; one that a collector gave only says in which order lines arrived.",
            "Log `seqBy` beside `seq`, or vouch for it with `--seq-by`.",
        ),
        Code::OnlyClock => says(
            "No record of a lock has `seq`, so nothing but lines and clocks orders them.",
            "Clocks differ and lines overtake each other: a verdict that rests on order alone is suspected at best, and nothing orders two files.",
            "Let the authority or the resource number its decisions, and log that number as `seq`.",
        ),
        Code::ClockContradictsSeq => says(
            "The clock and `seq` put two records in different orders.",
            "It is a reminder: the clock is not proof, and no verdict reads it. People who sort by time will read another story.",
            "Nothing needs mending in the evidence; sort by `seq` when you look at it.",
        ),
        Code::ReadingContradictsOrder => says(
            "What the resource or the authority recorded contradicts the order of the records.",
            "A line came late, or the resource lost its highest token. While the order is not a deciding one, the readings are believed and the order is not.",
            "Number decisions where they are made (`seq` with `seqBy`), not where lines arrive.",
        ),
        Code::RepeatedRecord => says(
            "A record was there before, the same in every evidence field.",
            "With `seq` it is used once. Without it only a line that is the same in all of it is told, and nobody can say whether one thing was logged twice or done twice.",
            "Log `seq`, so that a log which is delivered twice does no harm.",
        ),
        Code::SeqOnSome => says(
            "Some records of a lock have `seq` and some do not.",
            "An order that leaves records out is no order, so every verdict that needs one is withheld for this lock.",
            "Number every event of a lock in one sequence, acquisitions and writes alike.",
        ),
        Code::LinesRunBackwards => says(
            "The lines of a lock have the newest first, and no record has `seq`.",
            "Leases are used before they are acquired, or tokens do nothing but fall: by such lines every old write would look late. They are taken for no order, so every verdict that needs one is withheld for this lock.",
            "Turn the log round before it is read, or log `seq`.",
        ),
        Code::LeaseTwoOwners => says(
            "One lease id stands with two owners.",
            "A lease has one holder. Either the id is used again, or one client logs under two names; both make it unclear who acted.",
            "Make a new id for every acquisition, and log one name for one client.",
        ),
        Code::LeaseTwoTokens => says(
            "One lease id stands with two tokens.",
            "A refusal below the lease's own later token is not a stale owner. Some authorities issue a token a renewal, some log the wrong one.",
            "Log the token that came with the lease; where renewals issue tokens, say in the documentation of the log that they do.",
        ),
        Code::TokenTwoLeases => says(
            "One token stands with two leases.",
            "A fence can't tell two holders of one token apart. Either the counter issued it twice, or it was logged wrongly.",
            "Look at how the authority keeps its counter over restarts and fail-overs, then at the code that logs the token.",
        ),
        Code::LeaseTwoSpellings => says(
            "Two lease ids look like one id in two spellings.",
            "Handles are compared byte by byte: in hexadecimal here and in decimal there, one lease becomes two, and a bound release looks unbound.",
            "Log the id as the authority writes it, in one base and one case, everywhere.",
        ),
        Code::NamesAlike => says(
            "Two lock names or resource keys differ only in case, leading zeros, separators or space.",
            "Names are compared byte by byte. If both mean one thing, it has two fences, and neither sees the other's tokens: a likely wrong key scope.",
            "Build the name in one place, from the number and not from its text, and use that in every service.",
        ),
        Code::ReleaseWithoutLease => says(
            "A release was answered `released`, and no lease was there to be released.",
            "Either the authority says yes whatever happens, and then its answers prove nothing, or it removed a lease that is not on record.",
            "Answer `release-noop` where nothing was removed, and record the lease that was current when the authority decided.",
        ),
        Code::SecretLogged => says(
            "A record holds what looks like a password, a key or a credential.",
            "Evidence is passed on: to other teams, to a vendor, into a postmortem.",
            "Log the name of the secret or a digest of it, and change the secret if the log has left your hands.",
        ),
        Code::AddressLogged => says(
            "A record holds an e-mail or network address.",
            "It names a person or a machine to everyone who reads the evidence, and no verdict needs it.",
            "Log a name that means something to you alone.",
        ),
        Code::UuidWithMac => says(
            "A UUID of version 1 carries the address of a network card and a time.",
            "It names the machine that made it, and it can be guessed, which a handle should not be.",
            "Make handles from random numbers: UUIDs of version 4.",
        ),
        Code::IgnoreExpired => says(
            "An ignore in the configuration has passed its last day.",
            "What it hid is reported again: it was meant to be mended by now.",
            "Mend it, or set a new date and say why.",
        ),
        Code::IgnoreUnused => says(
            "An ignore in the configuration matched nothing.",
            "It would hide the next finding of its kind, which nobody has looked at.",
            "Take it out.",
        ),
        Code::BaselineStale => says(
            "The baseline accepts more findings than there are.",
            "What was mended may come back without anybody being told.",
            "Write the baseline anew with `--write-baseline`.",
        ),
    }
}
