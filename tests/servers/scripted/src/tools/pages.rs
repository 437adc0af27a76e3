//! Pages that a person has to visit before a call is answered: error -32042 of 2025-11-25, and the word that it is done.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Tool, t};
use crate::message;
use crate::session::{Call, Session};

/// The error's code.
const REQUIRED: i64 = -32042;

pub const TOOLS: &[Tool] = &[
    t(
        "wants_visits",
        "{ids, url?}",
        "Error -32042 with a page at url for each of these elicitationIds that was not visited, else a text.",
        wants_visits,
    ),
    t(
        "visit",
        "{id, silent?}",
        "The page with this elicitationId was visited; says so by notifications/elicitation/complete unless silent.",
        visit,
    ),
];

fn wants_visits(session: &Arc<Session>, call: &Call) {
    let url = call.text("url").unwrap_or("https://example.com/visit");
    let ids = call.arguments.get("ids").and_then(Value::as_array).cloned().unwrap_or_default();
    let memory = session.memory();
    let is_new = |id: &&Value| id.as_str().is_some_and(|id| !memory.visited.contains(id));
    let page =
        |id: &Value| json!({ "mode": "url", "elicitationId": id, "url": url, "message": "Please log in" });
    let elicitations: Vec<Value> = ids.iter().filter(is_new).map(page).collect();
    drop(memory);
    if elicitations.is_empty() {
        return session.answer(call, message::text("every page was visited"));
    }
    let mut refusal = message::error(&call.id, REQUIRED, "Pages have to be visited first");
    refusal["error"]["data"] = json!({ "elicitations": elicitations });
    session.send(&refusal);
}

fn visit(session: &Arc<Session>, call: &Call) {
    let id = call.text("id").unwrap_or_default();
    session.memory().visited.insert(id.to_owned());
    if call.flag("silent") != Some(true) {
        let params = json!({ "elicitationId": id });
        session.send(&message::notification("notifications/elicitation/complete", params));
    }
    session.answer(call, message::text("visited"));
}
