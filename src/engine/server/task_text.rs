//! A task as clients read it: the members of the core form and of the extension.

use super::tasks::{End, Task, TaskId};
use crate::json;
use crate::protocol::task::{Form, Status};
use std::fmt::Write as _;

/// The status as it is written on the wire.
pub(super) fn status(status: Status) -> &'static str {
    match status {
        Status::Working => "working",
        Status::InputRequired => "input_required",
        Status::Completed => "completed",
        Status::Failed => "failed",
        Status::Cancelled => "cancelled",
    }
}

/// The members that every message about a task has, without braces.
pub(super) fn members(id: &TaskId, task: &Task) -> String {
    let (ttl, poll) = match task.form {
        Form::Core => ("ttl", "pollInterval"),
        Form::Extension => ("ttlMs", "pollIntervalMs"),
    };
    let mut text = format!("\"taskId\":\"{}\",\"status\":\"{}\"", id.as_str(), status(task.status));
    if let Some(message) = &task.message {
        text.push_str(",\"statusMessage\":");
        json::quote_into(message, &mut text);
    }
    let (created, updated) = (timestamp(task.created), timestamp(task.updated));
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        ",\"createdAt\":\"{created}\",\"lastUpdatedAt\":\"{updated}\",\"{ttl}\":{}",
        task.ttl.as_millis()
    );
    if let Some(ms) = task.poll_ms {
        let _ = write!(text, ",\"{poll}\":{ms}");
    }
    text
}

/// The members of the extension that belong to a status: the result, or the error.
pub(super) fn end_members(task: &Task) -> String {
    match &task.end {
        Some(End::Result(result)) => format!(",\"result\":{result}"),
        Some(End::Error(error)) => {
            let mut text = format!(",\"error\":{{\"code\":{},\"message\":", error.code);
            json::quote_into(&error.message, &mut text);
            if let Some(data) = &error.data {
                text.push_str(",\"data\":");
                text.push_str(data);
            }
            text.push('}');
            text
        }
        None => String::new(),
    }
}

/// Core form: the value of the `_meta` member that names a task.
pub(super) fn related(id: &TaskId) -> String {
    format!("{{\"taskId\":\"{}\"}}", id.as_str())
}

/// A time, in seconds since 1970, as RFC 3339 writes it.
fn timestamp(unix: u64) -> String {
    let (days, rest) = (unix / 86_400, unix % 86_400);
    // Days are counted from a first of March in a year that begins an era of 400 years.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::timestamp;

    #[test]
    fn a_time_is_written_as_rfc_3339_writes_it() {
        for (unix, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(timestamp(unix), text);
        }
    }
}
