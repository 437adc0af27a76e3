//! Which call a frame answers that cannot be read: broken further on, or too large to be held.

use super::given;
use crate::json;

/// The id of the call that an oversized frame answers, read from what was kept of it: its first and last bytes.
///
/// In valid JSON a bare quote cannot stand inside a string, so `"id":7` right after the opening brace, or right before
/// the closing one, is the frame's own member. Anything less certain gives `None`.
pub fn salvage_id(head: &[u8], tail: &[u8]) -> Option<u64> {
    match beginning(head)? {
        (Some(id), true) => Some(id),
        (None, true) => salvage_from_tail(tail),
        // A request of the server's own, whose ids are no business of ours.
        (_, false) => None,
    }
}

/// The id of the call that a frame answers which is broken further on.
pub(super) fn salvage_from_head(head: &[u8]) -> Option<u64> {
    beginning(head).and_then(|(id, answers)| id.filter(|_| answers))
}

/// The id, if it stands at the beginning of a frame, and whether a `result` or `error` follows there.
fn beginning(head: &[u8]) -> Option<(Option<u64>, bool)> {
    let mut rest = after(head.trim_ascii_start(), b"{")?;
    let mut id = None;
    loop {
        if let Some(version) = after(rest, b"\"jsonrpc\"") {
            rest = after(after(after(version, b":")?, b"\"2.0\"")?, b",")?;
        } else if let Some(value) = after(rest, b"\"id\"").filter(|_| id.is_none()) {
            let value = after(value, b":")?;
            let end = value.iter().position(|b| !b.is_ascii_digit())?;
            id = Some(std::str::from_utf8(&value[..end]).ok()?.parse().ok()?);
            rest = after(value[end..].trim_ascii_start(), b",")?;
        } else {
            let answers = [b"\"result\"".as_slice(), b"\"error\""];
            return Some((id, answers.iter().any(|name| after(rest, name).is_some())));
        }
    }
}

fn salvage_from_tail(tail: &[u8]) -> Option<u64> {
    let mut rest = before(tail, b"}")?;
    if let Some(shorter) = before(rest, b"\"2.0\"") {
        rest = before(before(before(shorter, b":")?, b"\"jsonrpc\"")?, b",")?;
    }
    let digits = rest.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let (start, id) = rest.split_at(rest.len() - digits);
    before(before(before(start, b":")?, b"\"id\"")?, b",")?;
    std::str::from_utf8(id).ok()?.parse().ok()
}

fn after<'a>(text: &'a [u8], prefix: &[u8]) -> Option<&'a [u8]> {
    text.strip_prefix(prefix).map(<[u8]>::trim_ascii_start)
}

fn before<'a>(text: &'a [u8], suffix: &[u8]) -> Option<&'a [u8]> {
    text.trim_ascii_end().strip_suffix(suffix).map(<[u8]>::trim_ascii_end)
}
/// The ids of ours in an answer that has a member twice. Which of them counts is not said, so it is no answer to any of them.
pub(super) fn ids_of_answer(frame: &[u8], depth: usize) -> Vec<u64> {
    let Ok(value) = json::scan_value(frame, depth) else {
        return salvage_from_head(frame).into_iter().collect();
    };
    let (mut ids, mut answers) = (Vec::new(), false);
    for (written, member) in json::members(json::utf8(value.span.of(frame))) {
        match json::string(&format!("\"{written}\"")).as_deref() {
            Some("id") => ids.extend(given::number(member).filter(|id| !ids.contains(id))),
            Some("result" | "error") => answers = true,
            Some("method") => return Vec::new(),
            _ => {}
        }
    }
    if answers { ids } else { Vec::new() }
}
