//! Asking the user something in the middle of a tool call. The legacy era sends the client a request of its own; the
//! modern era ends the exchange with `input_required` and gets the answer when the client repeats the call.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Map, Value, json};

use crate::catalog::object;
use crate::protocol::{Caller, RpcError};
use crate::tools::{tool_error, tool_text};

/// The key of our one question in `inputRequests` and `inputResponses`.
const KEY: &str = "answer";

/// The params of `elicitation/create`: a form with one text field.
pub fn form(caller: &Caller, question: &str) -> Value {
    let mut params = json!({
        "message": question,
        "requestedSchema": {
            "type": "object",
            "properties": { "answer": { "type": "string", "title": "Answer" } },
            "required": ["answer"],
        },
    });
    // Before 2025-11-25 there were only forms, and no word for it.
    if caller.since("2025-11-25") {
        params["mode"] = "form".into();
    }
    params
}

/// What the tool says, given the client's answer to the form.
pub fn report(answer: &Value) -> Map<String, Value> {
    match answer["action"].as_str() {
        Some("accept") => match answer["content"]["answer"].as_str() {
            Some(text) => tool_text(text),
            None => tool_error("The answer does not fit the form"),
        },
        Some(action @ ("decline" | "cancel")) => tool_text(&format!("No answer: {action}")),
        _ => tool_error("The answer has no action"),
    }
}

/// One modern exchange of `ask`: the result is either the question or, when the answer came along, the answer.
pub fn modern(
    caller: &Caller,
    question: &str,
    params: &Map<String, Value>,
) -> Result<Map<String, Value>, RpcError> {
    let state = params.get("requestState");
    let answer = params.get("inputResponses").and_then(|responses| responses.get(KEY));
    if state.is_some() || answer.is_some() {
        check(caller, question, state)?;
    }
    if let Some(answer) = answer {
        return Ok(report(answer));
    }
    if !caller.answers_forms() {
        return Err(RpcError::missing_client_capability(&json!({ "elicitation": { "form": {} } })));
    }
    Ok(object(json!({
        "resultType": "input_required",
        "inputRequests": { KEY: { "method": "elicitation/create", "params": form(caller, question) } },
        "requestState": format!("{}|{}", digest(question), caller.id),
    })))
}

/// The state must be ours, for this very question, and come back on a new request id. It protects nothing (a forged
/// state can only make the request fail), so it is not signed.
fn check(caller: &Caller, question: &str, state: Option<&Value>) -> Result<(), RpcError> {
    let state = state.and_then(Value::as_str).and_then(|state| state.split_once('|'));
    let (digest_sent, first_id) =
        state.ok_or_else(|| RpcError::invalid_params("requestState did not come back as it was sent"))?;
    if digest_sent != digest(question) {
        return Err(RpcError::invalid_params("requestState belongs to another request"));
    }
    let this_id = caller.id.to_string();
    if first_id == this_id {
        return Err(RpcError::invalid_params("The retry must have an id of its own"));
    }
    Ok(())
}

fn digest(question: &str) -> String {
    let mut hasher = DefaultHasher::new();
    question.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Legacy questions on their way: the id of our request to the client, and whose tool call waits for it.
#[derive(Default)]
pub struct Questions {
    asked: u64,
    waiting: HashMap<String, Caller>,
}

impl Questions {
    /// Notes that `caller` waits, and returns the id for our request.
    pub fn open(&mut self, caller: &Caller) -> String {
        self.asked += 1;
        let id = format!("ask-{}", self.asked);
        self.waiting.insert(id.clone(), caller.clone());
        id
    }

    /// The request that waited for this answer; `None` if it was never asked, already answered or cancelled.
    pub fn answered(&mut self, id: &Value) -> Option<Caller> {
        self.waiting.remove(id.as_str()?)
    }

    /// The id of the question that a now cancelled call had open.
    pub fn cancelled(&mut self, call: &Value) -> Option<String> {
        let id = self.waiting.iter().find(|(_, caller)| caller.id == *call)?.0.clone();
        self.waiting.remove(&id);
        Some(id)
    }
}
