//! What a change of state says.

use crate::engine::State;
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
