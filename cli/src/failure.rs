//! How a command fails: exit codes, the text for people, the JSON for programs.
//!
//! The codes and the envelope `{"error":{"code","message",…}}` are those of the official inspector's `--cli`.

use mcp::client::json_text::{member, quote, string};
use mcp::client::{Error, Message, Status, without_passwords};

/// Wrong arguments, and every failure that has no code of its own.
pub const OTHER: u8 = 1;
/// The server wants a login.
pub const AUTH: u8 = 3;
/// The server was not reached, or did not answer in time.
pub const UNREACHED: u8 = 4;
/// The tool reported an error.
pub const TOOL: u8 = 5;
/// `diff` found a change, or `doctor` a fault.
pub const FOUND: u8 = 6;
/// An entry of a project's file that the person has not approved.
pub const NOT_APPROVED: u8 = 7;
/// Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Why a command failed.
#[derive(Debug)]
pub struct Failure {
    pub exit: u8,
    code: &'static str,
    message: String,
    /// The library's error object, JSON text.
    details: Option<String>,
    /// Whether the person has been told already.
    pub is_told: bool,
}

impl Failure {
    /// A fault of the command line or of a file that it names.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { exit: OTHER, code: "usage", message: message.into(), details: None, is_told: false }
    }

    /// Something that the machine refused.
    pub fn machine(message: impl Into<String>) -> Failure {
        Failure { exit: OTHER, code: "error", message: message.into(), details: None, is_told: false }
    }

    /// The server is not there.
    pub fn unreached(message: impl Into<String>) -> Failure {
        Failure {
            exit: UNREACHED,
            code: "unreachable",
            message: message.into(),
            details: None,
            is_told: false,
        }
    }

    /// The tool said that it failed; its text is in the result.
    pub fn tool(name: &str) -> Failure {
        Failure {
            exit: TOOL,
            code: "tool_error",
            message: format!("the tool '{name}' reported an error"),
            details: None,
            is_told: false,
        }
    }

    /// A comparison or a check found something, which is in the result.
    pub fn found(message: impl Into<String>) -> Failure {
        Failure { exit: FOUND, code: "found", message: message.into(), details: None, is_told: false }
    }

    /// Something of a project that the person has not approved.
    pub fn not_approved(message: impl Into<String>) -> Failure {
        Failure {
            exit: NOT_APPROVED,
            code: "not_approved",
            message: message.into(),
            details: None,
            is_told: false,
        }
    }

    /// Ctrl-C.
    pub fn interrupted() -> Failure {
        Failure {
            exit: INTERRUPTED,
            code: "interrupted",
            message: "interrupted".to_owned(),
            details: None,
            is_told: false,
        }
    }

    /// The outcome of a call that failed.
    pub fn reply(message: &Message) -> Failure {
        let details = message.json().to_owned();
        let said = member(&details, "message").and_then(string).unwrap_or_default().into_owned();
        Failure::library(message.status(), said, details)
    }

    fn library(status: Status, message: String, details: String) -> Failure {
        let (exit, code) = match status {
            Status::Auth => (AUTH, "auth_required"),
            Status::Unavailable | Status::Transport | Status::Closed => (UNREACHED, "unreachable"),
            Status::Timeout => (UNREACHED, "timeout"),
            Status::Server => (OTHER, "server"),
            Status::Unsupported => (OTHER, "unsupported"),
            Status::Protocol => (OTHER, "protocol"),
            Status::InvalidArgument => (OTHER, "usage"),
            _ => (OTHER, "error"),
        };
        Failure { exit, code, message, details: Some(details), is_told: false }
    }

    /// The same failure in the words of another, which knows more; what is for programs stays.
    pub fn in_words_of(self, other: Failure) -> Failure {
        if self.code == "server" { Failure { message: other.message, ..self } } else { other }
    }

    /// Whether the name that was asked for may be the reason.
    pub fn may_be_a_name(&self) -> bool {
        matches!(self.code, "server" | "tool_error")
    }

    /// Whether another request of the same connection may work.
    pub fn is_of_one_request(&self) -> bool {
        matches!(self.code, "server" | "unsupported" | "protocol" | "error")
    }

    /// What is written for people, without a line break at the end. A word of the command line may be a URL with a password.
    pub fn text(&self) -> String {
        without_passwords(&self.message).into_owned()
    }

    /// What is written for programs: one line.
    pub fn json(&self) -> String {
        let mut text =
            format!("{{\"error\":{{\"code\":\"{}\",\"message\":{}", self.code, quote(&self.text()));
        if let Some(details) = &self.details {
            text.push_str(",\"details\":");
            let mut line = Vec::new();
            mcp::client::json_text::one_line_into(details, &mut line);
            text.push_str(&String::from_utf8_lossy(&line));
        }
        text.push_str("}}");
        text
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::library(error.status, error.message.clone(), error.to_json())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_inspector() {
        let exit = |status| Failure::from(Error::new(status, "connect", "why")).exit;
        assert_eq!(exit(Status::Auth), 3);
        assert_eq!(exit(Status::Transport), 4);
        assert_eq!(exit(Status::Timeout), 4);
        assert_eq!(exit(Status::Server), 1);
        assert_eq!(Failure::tool("x").exit, 5);
        assert_eq!(Failure::usage("x").exit, 1);
        assert_eq!(Failure::not_approved("x").exit, 7);
    }

    #[test]
    fn no_error_has_the_password_of_a_url() {
        let failure = Failure::usage("'https://u:s3cret@h/' is one word too many");
        assert_eq!(failure.text(), "'https://****@h/' is one word too many");
        assert!(failure.json().contains("https://****@h/") && !failure.json().contains("s3cret"));
    }

    #[test]
    fn the_envelope_is_one_line_of_json() {
        let json =
            Failure::from(Error::new(Status::Transport, "connect", "no \"one\"\nthere").with("n", 1)).json();
        assert!(!json.contains('\n'), "{json}");
        let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(value["error"]["code"], "unreachable");
        assert_eq!(value["error"]["message"], "no \"one\"\nthere");
        assert_eq!(value["error"]["details"]["details"]["n"], 1);
    }
}
