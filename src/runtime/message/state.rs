//! What the connection itself says: changes of its state, and the outcome of a connect that was started.

use super::Message;
use crate::engine::{Error, State};
use crate::json;
use std::time::Duration;

/// The message's JSON.
pub(super) fn json(from: State, to: State, reason: &str, wait: Option<Duration>) -> String {
    let mut text = format!("{{\"state\":\"{}\",\"previous\":\"{}\",\"reason\":", to.as_str(), from.as_str());
    json::quote_into(reason, &mut text);
    if let Some(wait) = wait {
        text.push_str(",\"next_attempt_in_ms\":");
        text.push_str(&wait.as_millis().to_string());
    }
    text.push('}');
    text
}

impl Message {
    /// The outcome of a connect that was started.
    pub(crate) fn connected(client: u64, call: u64, tag: u64, outcome: Result<(), Error>) -> Message {
        match outcome {
            Ok(()) => Message::kept(client, call, tag, "{}"),
            Err(error) => Message::reply(client, call, tag, Err(error)),
        }
    }
}
