//! How events are written (HTML Standard, "Server-sent events"): each message is one `data:` line (S-HM-15).

use crate::json;
use std::io::Write as _;
use std::time::Duration;

/// A comment that shows that the stream lives, for those between the two ends.
pub(crate) const KEEP_ALIVE: &[u8] = b":\n\n";

/// An event with a message. Its text has no line break but what stands between tokens, which is left out.
pub(crate) fn message(id: Option<&str>, frame: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(frame.len() + 48);
    head(id, &mut out);
    out.extend_from_slice(b"data: ");
    if memchr::memchr2(b'\n', b'\r', frame).is_none() {
        out.extend_from_slice(frame);
    } else {
        json::one_line_into(json::utf8(frame), &mut out);
    }
    out.extend_from_slice(b"\n\n");
    out
}

/// An event without a message, whose id lets a client come back before the first message, and after which time it does
/// (2025-11-25).
pub(crate) fn priming(id: &str, retry: Duration) -> Vec<u8> {
    let mut out = Vec::with_capacity(48);
    head(Some(id), &mut out);
    // Writing to memory cannot fail.
    let _ = writeln!(out, "retry: {}", retry.as_millis());
    out.extend_from_slice(b"data: \n\n");
    out
}

/// The first event of HTTP+SSE: where messages are posted to (2024-11-05). `address` has no line break.
pub(crate) fn endpoint(address: &str) -> Vec<u8> {
    format!("event: endpoint\ndata: {address}\n\n").into_bytes()
}

fn head(id: Option<&str>, out: &mut Vec<u8>) {
    if let Some(id) = id {
        out.extend_from_slice(b"id: ");
        out.extend_from_slice(id.as_bytes());
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_of_data() {
        assert_eq!(message(None, b"{\"a\":1}"), b"data: {\"a\":1}\n\n");
        assert_eq!(message(Some("2-7"), b"{\"a\":1}"), b"id: 2-7\ndata: {\"a\":1}\n\n");
        let pretty = message(None, b"{\r\n  \"a\": \"x\\ny\"\n}");
        assert_eq!(memchr::memchr_iter(b'\n', &pretty).count(), 2, "{}", String::from_utf8_lossy(&pretty));
        assert!(!pretty.contains(&b'\r'));
        assert_eq!(priming("2-0", Duration::from_millis(1500)), b"id: 2-0\nretry: 1500\ndata: \n\n");
    }
}
