//! The rules of both eras, checked on the state machine alone: a frame in, effects out, no process and no clock.

#![allow(clippy::needless_pass_by_value, reason = "a test reads better without & before every json!")]

use serde_json::{Value, json};

use crate::options::EraChoice;
use crate::server::{Effect, Server};

mod both;
mod legacy;
mod modern;
mod tasks;

/// A server and the one client that talks to it.
struct Talk {
    server: Server,
    next_id: u64,
}

impl Talk {
    fn new(era: EraChoice) -> Self {
        Self { server: Server::new(era, None), next_id: 1 }
    }

    /// A server whose handshake is done.
    fn legacy(revision: &str, capabilities: Value) -> Self {
        let mut talk = Self::new(EraChoice::Both);
        let answer = talk.ask("initialize", hello(revision, capabilities));
        assert_eq!(answer["result"]["protocolVersion"], revision);
        assert_eq!(talk.tell("notifications/initialized", json!({})), []);
        talk
    }

    fn send(&mut self, message: &Value) -> Vec<Effect> {
        self.server.receive(message.to_string().as_bytes())
    }

    /// A request, and all that comes of it.
    fn effects(&mut self, method: &str, params: Value) -> Vec<Effect> {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
    }

    /// A request whose one effect is a message.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        only_message(self.effects(method, params))
    }

    fn modern(&mut self, method: &str, params: Value) -> Value {
        self.ask(method, with_meta(params))
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    fn tell(&mut self, method: &str, params: Value) -> Vec<Effect> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }
}

fn hello(revision: &str, capabilities: Value) -> Value {
    json!({
        "protocolVersion": revision,
        "capabilities": capabilities,
        "clientInfo": { "name": "test", "version": "1" },
    })
}

fn with_meta(mut params: Value) -> Value {
    let given = params["_meta"].take();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    });
    for (key, value) in given.as_object().into_iter().flatten() {
        params["_meta"][key] = value.clone();
    }
    params
}

fn only_message(effects: Vec<Effect>) -> Value {
    match <[Effect; 1]>::try_from(effects) {
        Ok([Effect::Send(message)]) => message,
        other => panic!("expected one message, got {other:?}"),
    }
}

fn messages(effects: Vec<Effect>) -> Vec<Value> {
    let message = |effect| match effect {
        Effect::Send(message) => message,
        other => panic!("expected messages only, got {other:?}"),
    };
    effects.into_iter().map(message).collect()
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {answer}"))
}
