//! A bad and a good example of each code. Those that are records are run by a test.

use crate::lint::code::Code;

/// A bad and a good example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Examples {
    /// What they are written in: `json`, `text`, `toml`.
    pub kind: &'static str,
    /// One that raises the code.
    pub bad: &'static str,
    /// One that does not.
    pub good: &'static str,
}

const fn json(bad: &'static str, good: &'static str) -> Examples {
    Examples {
        kind: "json",
        bad,
        good,
    }
}

const fn text(bad: &'static str, good: &'static str) -> Examples {
    Examples {
        kind: "text",
        bad,
        good,
    }
}

const fn toml(bad: &'static str, good: &'static str) -> Examples {
    Examples {
        kind: "toml",
        bad,
        good,
    }
}

/// The examples of a code.
pub fn examples(code: Code) -> Examples {
    match code {
        Code::UnreadableLine => json(
            r#"{"lockName":"acct:42","event":"write","fenceTok"#,
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"result":"accepted"}"#,
        ),
        Code::InputCutShort => text(
            "evidence.jsonl.gz, copied while it was still being written",
            "evidence.jsonl.gz, copied after it was closed",
        ),
        Code::NotAnObject => json(
            r#"worker-A took acct:42 with token 7"#,
            r#"{"lockName":"acct:42","event":"acquire","ownerId":"worker-A","fenceToken":7,"result":"acquired"}"#,
        ),
        Code::NoEvidenceField => json(
            r#"{"item":"acct:42","generation":7,"outcome":"ok"}"#,
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"result":"accepted"}"#,
        ),
        Code::NoLockName => json(
            r#"{"event":"write","fenceToken":7,"result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"result":"accepted"}"#,
        ),
        Code::NoStep => json(
            r#"{"lockName":"acct:42","fenceToken":7}"#,
            r#"{"lockName":"acct:42","event":"acquire","fenceToken":7,"result":"ok"}"#,
        ),
        Code::NearlyAField => json(
            r#"{"lockName":"acct:42","event":"write","fencingToken":7,"result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"result":"accepted"}"#,
        ),
        Code::FieldTwice => json(
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"fence_token":8,"result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"result":"accepted"}"#,
        ),
        Code::WrongType => json(
            r#"{"lockName":"acct:42","event":"write","resourceKey":42,"result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"write","resourceKey":"42","result":"accepted"}"#,
        ),
        Code::NotMapped => text(
            "leaseId = { path = \"lease\", base64 = true }, and the line says\nlock=acct:42 op=put lease=lease-7 ok=true",
            "leaseId = { path = \"lease\", base64 = true }, and the line says\nlock=acct:42 op=put lease=bGVhc2UtNw== ok=true",
        ),
        Code::EvidenceInside => json(
            r#"worker-a-1  | {"lockName":"acct:42","event":"write","fenceToken":7,"result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"result":"accepted"}"#,
        ),
        Code::FieldRequired => text(
            "with profile = \"minimal\":\n{\"lockName\":\"acct:42\",\"event\":\"write\",\"ownerId\":\"worker-A\",\"result\":\"accepted\"}",
            "with profile = \"minimal\":\n{\"lockName\":\"acct:42\",\"event\":\"write\",\"ownerId\":\"worker-A\",\"leaseId\":\"lease-7\",\"fenceToken\":7,\"resourceHighestTokenBefore\":6,\"result\":\"accepted\"}",
        ),
        Code::FieldForProof => json(
            r#"{"lockName":"acct:42","event":"write","ownerId":"worker-A","leaseId":"lease-7","fenceToken":7,"result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"write","ownerId":"worker-A","leaseId":"lease-7","fenceToken":7,"resourceHighestTokenBefore":6,"result":"accepted"}"#,
        ),
        Code::FieldUseful => json(
            r#"{"lockName":"acct:42","event":"release","leaseId":"lease-7","activeLeaseId":"lease-7","result":"released"}"#,
            r#"{"lockName":"acct:42","event":"release","leaseId":"lease-7","activeLease":{"ownerId":"worker-A","leaseId":"lease-7","fenceToken":7},"result":"released"}"#,
        ),
        Code::ReleaseWithoutHandle => json(
            r#"{"lockName":"acct:42","event":"release","ownerId":"worker-A","result":"released"}"#,
            r#"{"lockName":"acct:42","event":"release","ownerId":"worker-A","leaseId":"lease-7","result":"released"}"#,
        ),
        Code::WriteWithoutOperation => json(
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"operationId":"refund-991","result":"accepted"}"#,
        ),
        Code::WriteWithoutKey => json(
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"resourceKey":"accounts/42","result":"accepted"}"#,
        ),
        Code::TokenNotOrdered => json(
            r#"{"lockName":"acct:42","event":"write","fenceToken":"6b8af7b8-0e63-49c9-8024-c92f73b827f7","result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"write","fenceToken":"18446744073709551615","result":"accepted"}"#,
        ),
        Code::TokenRounded => json(
            r#"{"lockName":"acct:42","event":"write","fenceToken":1234567890123456800,"result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"write","fenceToken":"1234567890123456789","result":"accepted"}"#,
        ),
        Code::HighestWentDown => json(
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"resourceHighestTokenBefore":6,"resourceHighestTokenAfter":5,"result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"resourceHighestTokenBefore":6,"resourceHighestTokenAfter":7,"result":"accepted"}"#,
        ),
        Code::AcceptedNotKept => json(
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"resourceHighestTokenBefore":6,"resourceHighestTokenAfter":6,"result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"resourceHighestTokenBefore":6,"resourceHighestTokenAfter":7,"result":"accepted"}"#,
        ),
        Code::RefusedThoughHigher => json(
            r#"{"lockName":"acct:42","event":"write","fenceToken":10,"resourceHighestTokenBefore":9,"result":"rejected-stale-fence"}"#,
            r#"{"lockName":"acct:42","event":"write","fenceToken":10,"resourceHighestTokenBefore":9,"result":"rejected-other"}"#,
        ),
        Code::UnknownResult => json(
            r#"{"lockName":"acct:42","event":"release","leaseId":"lease-7","result":"relased"}"#,
            r#"{"lockName":"acct:42","event":"release","leaseId":"lease-7","result":"released"}"#,
        ),
        Code::UnknownEvent => json(
            r#"{"lockName":"acct:42","event":"aquire","leaseId":"lease-7","result":"acquired"}"#,
            r#"{"lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}"#,
        ),
        Code::ResultOfAnotherEvent => json(
            r#"{"lockName":"acct:42","event":"release","leaseId":"lease-7","result":"acquired"}"#,
            r#"{"lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}"#,
        ),
        Code::SeqShared => json(
            r#"{"seq":1,"lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}
{"seq":1,"lockName":"acct:42","event":"acquire","leaseId":"lease-8","result":"acquired"}"#,
            r#"{"seq":1,"lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}
{"seq":2,"lockName":"acct:42","event":"acquire","leaseId":"lease-8","result":"acquired"}"#,
        ),
        Code::SeqBack => json(
            r#"{"seq":2,"lockName":"acct:42","event":"acquire","leaseId":"lease-8","result":"acquired"}
{"seq":1,"lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}"#,
            r#"{"seq":1,"lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}
{"seq":2,"lockName":"acct:42","event":"acquire","leaseId":"lease-8","result":"acquired"}"#,
        ),
        Code::SeqWithoutOrigin => json(
            r#"{"seq":1,"lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}"#,
            r#"{"seq":1,"seqBy":"authority","lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}"#,
        ),
        Code::OnlyClock => json(
            r#"{"ts":"2026-11-29T13:22:20Z","lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}
{"ts":"2026-11-29T13:22:21Z","lockName":"acct:42","event":"release","leaseId":"lease-7","result":"released"}"#,
            r#"{"seq":1,"ts":"2026-11-29T13:22:20Z","lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}
{"seq":2,"ts":"2026-11-29T13:22:21Z","lockName":"acct:42","event":"release","leaseId":"lease-7","result":"released"}"#,
        ),
        Code::ClockContradictsSeq => json(
            r#"{"seq":1,"ts":"2026-11-29T13:22:21Z","lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}
{"seq":2,"ts":"2026-11-29T13:22:18Z","lockName":"acct:42","event":"release","leaseId":"lease-7","result":"released"}"#,
            r#"{"seq":1,"ts":"2026-11-29T13:22:20Z","lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}
{"seq":2,"ts":"2026-11-29T13:22:21Z","lockName":"acct:42","event":"release","leaseId":"lease-7","result":"released"}"#,
        ),
        Code::ReadingContradictsOrder => json(
            r#"{"lockName":"acct:42","event":"write","fenceToken":8,"resourceKey":"accounts/42","resourceHighestTokenBefore":7,"result":"accepted"}
{"lockName":"acct:42","event":"write","fenceToken":7,"resourceKey":"accounts/42","resourceHighestTokenBefore":0,"result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"resourceKey":"accounts/42","resourceHighestTokenBefore":0,"result":"accepted"}
{"lockName":"acct:42","event":"write","fenceToken":8,"resourceKey":"accounts/42","resourceHighestTokenBefore":7,"result":"accepted"}"#,
        ),
        Code::RepeatedRecord => json(
            r#"{"seq":1,"lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}
{"seq":1,"lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}"#,
            r#"{"seq":1,"lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}
{"seq":2,"lockName":"acct:42","event":"release","leaseId":"lease-7","result":"released"}"#,
        ),
        Code::SeqOnSome => json(
            r#"{"seq":1,"lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}
{"lockName":"acct:42","event":"write","fenceToken":7,"result":"accepted"}"#,
            r#"{"seq":1,"lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}
{"seq":2,"lockName":"acct:42","event":"write","fenceToken":7,"result":"accepted"}"#,
        ),
        Code::LinesRunBackwards => json(
            r#"{"lockName":"acct:42","event":"release","leaseId":"lease-8","result":"released"}
{"lockName":"acct:42","event":"acquire","leaseId":"lease-8","result":"acquired"}
{"lockName":"acct:42","event":"release","leaseId":"lease-7","result":"released"}
{"lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}"#,
            r#"{"lockName":"acct:42","event":"acquire","leaseId":"lease-7","result":"acquired"}
{"lockName":"acct:42","event":"release","leaseId":"lease-7","result":"released"}
{"lockName":"acct:42","event":"acquire","leaseId":"lease-8","result":"acquired"}
{"lockName":"acct:42","event":"release","leaseId":"lease-8","result":"released"}"#,
        ),
        Code::LeaseTwoOwners => json(
            r#"{"lockName":"acct:42","event":"acquire","ownerId":"worker-A","leaseId":"lease-7","result":"acquired"}
{"lockName":"acct:42","event":"release","ownerId":"worker-B","leaseId":"lease-7","result":"released"}"#,
            r#"{"lockName":"acct:42","event":"acquire","ownerId":"worker-A","leaseId":"lease-7","result":"acquired"}
{"lockName":"acct:42","event":"release","ownerId":"worker-A","leaseId":"lease-7","result":"released"}"#,
        ),
        Code::LeaseTwoTokens => json(
            r#"{"lockName":"acct:42","event":"acquire","leaseId":"lease-7","fenceToken":7,"result":"acquired"}
{"lockName":"acct:42","event":"write","leaseId":"lease-7","fenceToken":8,"result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"acquire","leaseId":"lease-7","fenceToken":7,"result":"acquired"}
{"lockName":"acct:42","event":"write","leaseId":"lease-7","fenceToken":7,"result":"accepted"}"#,
        ),
        Code::TokenTwoLeases => json(
            r#"{"lockName":"acct:42","event":"acquire","leaseId":"lease-7","fenceToken":7,"result":"acquired"}
{"lockName":"acct:42","event":"acquire","leaseId":"lease-8","fenceToken":7,"result":"acquired"}"#,
            r#"{"lockName":"acct:42","event":"acquire","leaseId":"lease-7","fenceToken":7,"result":"acquired"}
{"lockName":"acct:42","event":"acquire","leaseId":"lease-8","fenceToken":8,"result":"acquired"}"#,
        ),
        Code::LeaseTwoSpellings => json(
            r#"{"lockName":"acct:42","event":"acquire","leaseId":"7293a2278b09a506","result":"acquired"}
{"lockName":"acct:42","event":"release","leaseId":8256120832620340486,"result":"released"}"#,
            r#"{"lockName":"acct:42","event":"acquire","leaseId":"7293a2278b09a506","result":"acquired"}
{"lockName":"acct:42","event":"release","leaseId":"7293a2278b09a506","result":"released"}"#,
        ),
        Code::NamesAlike => json(
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"result":"accepted"}
{"lockName":"acct:0042","event":"write","fenceToken":8,"result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"write","fenceToken":7,"result":"accepted"}
{"lockName":"acct:42","event":"write","fenceToken":8,"result":"accepted"}"#,
        ),
        Code::ReleaseWithoutLease => json(
            r#"{"lockName":"acct:42","event":"release","leaseId":"lease-7","activeLease":null,"result":"released"}"#,
            r#"{"lockName":"acct:42","event":"release","leaseId":"lease-7","activeLease":null,"result":"release-noop"}"#,
        ),
        Code::SecretLogged => json(
            r#"{"lockName":"acct:42","event":"write","dsn":"postgres://app:hunter2@db/pay","result":"accepted"}"#,
            r#"{"lockName":"acct:42","event":"write","dsn":"postgres://db/pay","result":"accepted"}"#,
        ),
        Code::AddressLogged => json(
            r#"{"lockName":"acct:42","event":"acquire","ownerId":"10.1.2.3:7001","result":"acquired"}"#,
            r#"{"lockName":"acct:42","event":"acquire","ownerId":"worker-A","result":"acquired"}"#,
        ),
        Code::UuidWithMac => json(
            r#"{"lockName":"acct:42","event":"acquire","leaseId":"e7dc58a2-ebf7-11f1-bdd0-020000000001","result":"acquired"}"#,
            r#"{"lockName":"acct:42","event":"acquire","leaseId":"6b8af7b8-0e63-49c9-8024-c92f73b827f7","result":"acquired"}"#,
        ),
        Code::IgnoreExpired => toml(
            "[[lint.ignore]]\ncode = \"LD605\"\nreason = \"old names, renamed with the next release\"\nuntil = 2020-01-31",
            "[[lint.ignore]]\ncode = \"LD605\"\nreason = \"both spellings are one customer, agreed with billing\"",
        ),
        Code::IgnoreUnused => toml(
            "[[lint.ignore]]\ncode = \"LD605\"\nlock = \"acct:*\"\nreason = \"no such lock any more\"",
            "# taken out",
        ),
        Code::BaselineStale => text(
            r#"{"code":"LD605","lockName":"acct:0042","count":3}, and there are 2"#,
            r#"{"code":"LD605","lockName":"acct:0042","count":2}, and there are 2"#,
        ),
    }
}
