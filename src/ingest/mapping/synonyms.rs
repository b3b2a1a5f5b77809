//! The names that services really give to the evidence fields.

use crate::evidence::Field;

/// For each field, names in lower case without separators, the best first.
pub(crate) const NAMES: [(Field, &[&str]); 14] = [
    (
        Field::LockName,
        &[
            "lockname",
            "lock",
            "lockid",
            "lockkey",
            "locktarget",
            "mutex",
            "mutexname",
            "leasename",
            "lockresource",
            "lockpath",
            "leader",
            "election",
            "semaphore",
        ],
    ),
    (
        Field::OwnerId,
        &[
            "ownerid",
            "owner",
            "lockowner",
            "holder",
            "holderidentity",
            "holderid",
            "workerid",
            "worker",
            "clientid",
            "client",
            "instanceid",
            "serviceinstanceid",
            "nodeid",
            "node",
            "podname",
            "pod",
            "hostname",
            "who",
        ],
    ),
    (
        Field::LeaseId,
        &[
            "leaseid",
            "lease",
            "ownertoken",
            "locktoken",
            "lockhandle",
            "handle",
            "sessionid",
            "session",
            "lockvalue",
            "lockleaseid",
            "nonce",
            "acquisitionid",
        ],
    ),
    (
        Field::FenceToken,
        &[
            "fencetoken",
            "fencingtoken",
            "fence",
            "lockfencingtoken",
            "epoch",
            "leaderepoch",
            "term",
            "generation",
            "createrevision",
            "leasetransitions",
            "locktokennumber",
            "fencingnumber",
            "token",
            "leasetoken",
            "czxid",
            "lockindex",
            "version",
        ],
    ),
    (
        Field::ResourceHighestTokenBefore,
        &[
            "resourcehighesttokenbefore",
            "highesttokenbefore",
            "highesttoken",
            "highestseen",
            "highestseentoken",
            "highesttokenseen",
            "highestbefore",
            "hwbefore",
            "currentepoch",
            "currentterm",
            "lastseenepoch",
            "lasttoken",
            "maxtoken",
            "storedtoken",
            "highwatermark",
            "tokenbefore",
        ],
    ),
    (
        Field::ResourceHighestTokenAfter,
        &[
            "resourcehighesttokenafter",
            "highesttokenafter",
            "highestafter",
            "highestnow",
            "hwafter",
            "newhighesttoken",
            "tokenafter",
        ],
    ),
    (
        Field::Result,
        &[
            "result",
            "outcome",
            "lockresult",
            "status",
            "answer",
            "accepted",
            "eventoutcome",
            "decision",
            "success",
            "ok",
            "response",
        ],
    ),
    (
        Field::Event,
        &[
            "event",
            "action",
            "evt",
            "eventname",
            "eventaction",
            "op",
            "operation",
            "step",
            "type",
            "lockevent",
            "kind",
            "verb",
        ],
    ),
    (
        Field::Seq,
        &[
            "seq",
            "sequence",
            "sequencenumber",
            "offset",
            "revision",
            "lsn",
            "position",
        ],
    ),
    (
        Field::ResourceKey,
        &[
            "resourcekey",
            "resource",
            "key",
            "writekey",
            "target",
            "objectkey",
            "rowkey",
            "entity",
            "path",
        ],
    ),
    (
        Field::OperationId,
        &[
            "operationid",
            "opid",
            "op",
            "requestid",
            "idempotencykey",
            "jobid",
            "messageid",
            "commandid",
            "transactionid",
            "txid",
            "resourcerequestid",
            "correlationid",
        ],
    ),
    (
        Field::ActiveOwnerId,
        &[
            "activeownerid",
            "currentowner",
            "currentownerid",
            "currentholder",
            "heldby",
            "activeowner",
        ],
    ),
    (
        Field::ActiveLeaseId,
        &[
            "activeleaseid",
            "currentlease",
            "currentleaseid",
            "activelease",
            "currenthandle",
        ],
    ),
    (
        Field::ActiveFenceToken,
        &[
            "activefencetoken",
            "currenttoken",
            "currentfencetoken",
            "activetoken",
        ],
    ),
];

/// Words of messages and results, and what they say of a step, the most telling first.
pub(crate) const PHRASES: [(&[&str], &str); 21] = [
    (&["release", "noop"], "release-noop"),
    (&["nothing to release"], "release-noop"),
    (&["not released"], "release-rejected-not-owner"),
    (&["release", "refused"], "release-rejected-not-owner"),
    (&["release", "rejected"], "release-rejected-not-owner"),
    (&["unlock", "failed"], "release-rejected-not-owner"),
    (&["not renewed"], "renew-rejected-not-owner"),
    (&["renew", "refused"], "renew-rejected-not-owner"),
    (&["renew", "rejected"], "renew-rejected-not-owner"),
    (&["already applied"], "rejected-duplicate"),
    (&["duplicate"], "rejected-duplicate"),
    (&["stale"], "rejected-stale-fence"),
    (&["fenced"], "rejected-stale-fence"),
    (&["busy"], "acquire-rejected-held"),
    (&["already held"], "acquire-rejected-held"),
    (&["released"], "released"),
    (&["renewed"], "renewed"),
    (&["expired"], "expired"),
    (&["acquired"], "acquired"),
    (&["write", "accepted"], "accepted"),
    (&["applied"], "accepted"),
];

/// A name in lower case without separators.
pub(crate) fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The evidence word that a message or a word stands for, as far as a guess goes.
pub(crate) fn meaning(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    PHRASES
        .iter()
        .find(|(words, _)| words.iter().all(|word| text.contains(word)))
        .map(|(_, meaning)| *meaning)
}
