//! Results of tools against what the tools promise of them (2026-07-28 `server/tools`), and arguments against what they
//! ask for.

use crate::client::Message;
use crate::engine::{Error, Level, Status};
use crate::json;
use crate::protocol::{given, method};
use crate::runtime::connection::Connection;
use crate::schema::{Failure, Schema};
use serde_json::{Map, Value};
use std::sync::{Arc, Weak};

/// A check of one tool's result.
#[derive(Debug)]
pub(super) struct Check {
    pub(super) tool: String,
    pub(super) schema: Arc<Schema>,
    pub(super) connection: Weak<Connection>,
}

impl Check {
    /// Gives the result, or the error of a result that is not what the tool promised.
    pub(super) fn run(self, message: Message) -> Message {
        let result = message.json();
        if json::member(result, "isError") == Some("true") {
            // A tool that failed promises nothing.
            return message;
        }
        let why = match given::member(result, "structuredContent") {
            None => "the tool has an outputSchema, and its result no structuredContent".to_owned(),
            Some(content) => match self.judge(content) {
                None => return message,
                Some(why) => format!("the result is not what its outputSchema promises: {why}"),
            },
        };
        let mut error = Error::new(
            Status::Protocol,
            method::TOOLS_CALL,
            format!(
                "tool '{}': {why}. The result is in 'data'; with validate_results false results come unchecked",
                self.tool
            ),
        )
        .with("tool", self.tool.as_str())
        .with("sent", true);
        error.data = Some(result.to_owned());
        Message::failed(message.client(), message.call(), message.tag(), &error)
    }

    fn judge(&self, content: &str) -> Option<String> {
        let content = match serde_json::from_str::<Value>(content) {
            Ok(content) => content,
            // Valid, or it would not have come so far: deeper than a tree may be, or a number of no size.
            Err(error) => return self.skipped(&error.to_string()),
        };
        match self.schema.check(&content) {
            Ok(()) => None,
            Err(Failure::Mismatch(mismatch)) => Some(mismatch.to_string()),
            Err(Failure::Bound(bound)) => self.skipped(bound),
        }
    }

    /// The check could not be made: the result is the application's to judge.
    fn skipped(&self, why: &str) -> Option<String> {
        if let Some(connection) = self.connection.upgrade() {
            say(&connection, "schema.skipped", &self.tool, why);
        }
        None
    }
}

/// A log record about a tool's schema.
pub(super) fn say(connection: &Connection, event: &'static str, tool: &str, why: &str) {
    let fields = || {
        let mut fields = Map::new();
        fields.insert("tool".to_owned(), tool.into());
        fields.insert("why".to_owned(), why.into());
        fields
    };
    connection.context.event(Level::Warn, event, fields);
}

/// Whether a tool's arguments are what it asks for.
///
/// # Errors
/// `INVALID_ARGUMENT` with what is wrong.
pub(super) fn check_arguments(schema: &Schema, tool: &str, arguments: &str) -> Result<(), Error> {
    let Ok(value) = serde_json::from_str::<Value>(arguments) else { return Ok(()) };
    match schema.check(&value) {
        Ok(()) | Err(Failure::Bound(_)) => Ok(()),
        Err(Failure::Mismatch(mismatch)) => Err(Error::new(
            Status::InvalidArgument,
            method::TOOLS_CALL,
            format!(
                "the arguments are not what tool '{tool}' asks for: {mismatch}. Nothing was sent (validate_arguments)"
            ),
        )
        .with("tool", tool)
        .with("sent", false)
        .with("at", mismatch.at)
        .with("keyword", mismatch.keyword)),
    }
}
