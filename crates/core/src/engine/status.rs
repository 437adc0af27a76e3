//! The outcomes a call can have, as numbers that never change and as errors that say what to do.

use crate::protocol::address::without_passwords;
use crate::protocol::visible::{visible, visible_json_into};
use serde_json::{Map, Value};
use std::borrow::Cow;

named_numbers! {
    /// How something ended. The numbers are the ABI's: 0 is success, negative is an error.
    pub enum Status {
        /// Success.
        Ok = 0 "ok",
        /// Nothing there: no message in time, no such value.
        Empty = 1 "empty",
        /// The wait ended because another thread asked for it.
        Woken = 2 "woken",
        /// What is there in a store is not what was expected.
        Conflict = 3 "conflict",
        /// An argument is wrong; nothing was done.
        InvalidArgument = -1 "invalid_argument",
        /// No answer within the time allowed.
        Timeout = -2 "timeout",
        /// The application cancelled the call, or the server what it had asked.
        Cancelled = -3 "cancelled",
        /// Not connected, and told not to wait.
        Unavailable = -4 "unavailable",
        /// The connection was lost, or could not be made.
        Transport = -5 "transport",
        /// The peer broke the rules of the protocol.
        Protocol = -6 "protocol",
        /// The server answered with a JSON-RPC error.
        Server = -7 "server",
        /// A capability or revision that the server has not.
        Unsupported = -8 "unsupported",
        /// Too much is under way already; try again later.
        Backpressure = -9 "backpressure",
        /// Larger than a configured bound.
        TooLarge = -10 "too_large",
        /// Authorization is missing or was refused.
        Auth = -11 "auth",
        /// The client is closed.
        Closed = -12 "closed",
        /// The process forked since the handle was made.
        Forked = -13 "forked",
        /// A fault of the library's own.
        Internal = -14 "internal",
        /// The system gave no memory for what the server sent.
        NoMemory = -15 "no_memory",
    }
}

/// What went wrong: what was being done, what happened, with which values, and the fix where there is one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{operation}: {message}")]
pub struct Error {
    /// Which kind of failure.
    pub status: Status,
    /// The whole story in one sentence or two.
    pub message: String,
    /// What was being done: a method, or a step such as "connect".
    pub operation: String,
    /// The values that matter, by name.
    pub details: Map<String, Value>,
    /// The server's JSON-RPC error code (status [`Status::Server`] only).
    pub code: Option<i64>,
    /// The server's `error.data`, JSON text.
    pub data: Option<String>,
    /// Whether the same thing may well succeed when tried again.
    pub retryable: bool,
}

impl Error {
    /// An error without details.
    pub fn new(status: Status, operation: impl AsRef<str>, message: impl Into<String>) -> Error {
        Error::made(status, operation.as_ref(), message.into())
    }

    /// Not inlined: errors are made in many places, and seldom. The password of a URL gets into none of them, whatever part made it.
    #[cold]
    #[inline(never)]
    fn made(status: Status, operation: &str, message: String) -> Error {
        // Others wrote parts of it, and programs print it.
        let message = masked(message);
        let message = match visible(&message) {
            Cow::Owned(seen) => seen,
            Cow::Borrowed(_) => message,
        };
        let retryable = matches!(
            status,
            Status::Timeout | Status::Unavailable | Status::Transport | Status::Backpressure
        );
        Error {
            status,
            message,
            operation: operation.to_owned(),
            details: Map::new(),
            code: None,
            data: None,
            retryable,
        }
    }

    /// The same error with one more detail.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Error {
        self.add(name, value.into());
        self
    }

    #[cold]
    #[inline(never)]
    fn add(&mut self, name: &str, value: Value) {
        let value = if let Value::String(text) = value { masked(text).into() } else { value };
        self.details.insert(name.to_owned(), value);
    }

    /// The same error with its `retryable` mark set.
    #[must_use]
    pub fn retryable(mut self, retryable: bool) -> Error {
        self.retryable = retryable;
        self
    }

    /// The same failure, told of another operation (one lost connection ends many calls).
    #[must_use]
    pub fn of(&self, operation: &str) -> Error {
        Error { operation: operation.to_owned(), ..self.clone() }
    }

    /// The error object that the application gets. Programs print it: what a terminal would execute or not show is escaped.
    pub fn to_json(&self) -> String {
        let mut text = String::with_capacity(128 + self.message.len());
        text.push_str("{\"status\":\"");
        text.push_str(self.status.as_str());
        text.push_str("\",\"message\":");
        crate::json::quote_into(&self.message, &mut text);
        text.push_str(",\"operation\":");
        crate::json::quote_into(&self.operation, &mut text);
        if !self.details.is_empty() {
            text.push_str(",\"details\":");
            text.push_str(&Value::Object(self.details.clone()).to_string());
        }
        if let Some(code) = self.code {
            text.push_str(",\"code\":");
            text.push_str(&code.to_string());
        }
        if let Some(data) = &self.data {
            text.push_str(",\"data\":");
            text.push_str(data);
        }
        text.push_str(if self.retryable { ",\"retryable\":true}" } else { ",\"retryable\":false}" });
        let mut seen = String::new();
        visible_json_into(&text, &mut seen, |_| false);
        seen
    }
}

/// A text without the passwords of URLs in it.
fn masked(text: String) -> String {
    match without_passwords(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(masked) => masked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_error_has_the_password_of_a_url() {
        let error = Error::new(Status::InvalidArgument, "config", "'https://u:s3cret@h/' cannot be used");
        let text = error.with("url", "https://u:s3cret@h/").to_json();
        assert!(text.contains("https://****@h/") && !text.contains("s3cret"), "{text}");
    }

    #[test]
    fn numbers_and_names_are_distinct_and_never_change() {
        let numbers: Vec<i32> = Status::ALL.iter().map(|status| *status as i32).collect();
        assert_eq!(numbers, [0, 1, 2, 3, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -13, -14, -15]);
        let mut names: Vec<&str> = Status::ALL.iter().map(|status| status.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Status::ALL.len());
    }

    #[test]
    fn an_error_object_is_json_with_every_part() {
        let mut error = Error::new(Status::Server, "tools/call", "no \"such\" tool").with("tool", "x");
        error.code = Some(-32602);
        error.data = Some("[1]".to_owned());
        let value: Value = serde_json::from_str(&error.to_json()).expect("JSON");
        assert_eq!(
            value,
            serde_json::json!({"status": "server", "message": "no \"such\" tool", "operation": "tools/call",
                "details": {"tool": "x"}, "code": -32602, "data": [1], "retryable": false})
        );
    }

    #[test]
    fn nothing_that_a_server_wrote_into_an_error_changes_a_terminal() {
        let odd = "\u{1b}]0;x\u{7}\u{9b}31m\u{202e}\u{200b}\u{7f}";
        let mut error =
            Error::new(Status::Server, "tools/call", format!("no tool '{odd}'")).with("tool", odd);
        error.data = Some(serde_json::json!([odd]).to_string());
        assert_eq!(error.message, "no tool '\u{241b}]0;x\u{2407}[U+009B]31m[U+202E][U+200B]\u{2421}'");
        let text = error.to_json();
        assert!(!text.contains(crate::protocol::visible::is_hidden), "{text}");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!((&value["details"]["tool"], &value["data"][0]), (&odd.into(), &odd.into()));
    }
}
