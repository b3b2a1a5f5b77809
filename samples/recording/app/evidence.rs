//! One evidence line for one answer of the lock's authority or of the resource.

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

/// What was answered. `None` leaves out what the other side did not say.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence<'a> {
    pub lock_name: &'a str,
    pub event: &'a str,
    pub owner_id: &'a str,
    pub lease_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fence_token: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_highest_token_before: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_highest_token_after: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<&'a str>,
    pub result: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq_by: Option<&'a str>,
    /// Milliseconds since 1970.
    pub ts: u128,
}

impl Evidence<'_> {
    /// Writes the line in one call, so that lines of two threads do not mix.
    pub fn log(mut self, out: &mut impl Write) -> io::Result<()> {
        self.ts = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_millis();
        let mut line = serde_json::to_vec(&self)?;
        line.push(b'\n');
        out.write_all(&line)
    }
}

/// The call, where the answer is known: the resource refused the write.
pub fn log_refused_write(out: &mut impl Write) -> io::Result<()> {
    Evidence {
        lock_name: "report:417:rebuild",
        event: "write",
        owner_id: "worker-A",
        lease_id: "lease-1",
        fence_token: Some(9007199254740992),
        resource_key: Some("report/417"),
        resource_highest_token_before: Some(9007199254740993),
        resource_highest_token_after: Some(9007199254740993),
        operation_id: Some("rebuild-417-1"),
        result: "rejected-stale-fence",
        seq: Some(7),
        seq_by: Some("resource"),
        ..Evidence::default()
    }
    .log(out)
}
