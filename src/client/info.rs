//! What there is to know about a connection, as JSON text.

use super::features::State as Features;
use crate::engine::{SessionFacts, State};
use crate::runtime::connection::Connection;
use serde_json::{Map, Value, json};
use std::time::Instant;

pub(crate) fn of(connection: &Connection, features: &Features) -> String {
    let core = connection.core();
    let engine = &core.engine;
    let facts = engine.facts();
    let mut info = Map::new();
    let mut set = |name: &str, value: Value| put(&mut info, name, value);
    let raw = |text: &Option<String>| {
        text.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null)
    };
    let ready = engine.state() == State::Ready;
    set("name", connection.context.name.as_str().into());
    set("state", engine.state().as_str().into());
    set("transport", connection.context.transport.endpoint.as_str().into());
    set(
        "revision",
        engine.revision().filter(|_| ready).map_or(Value::Null, |revision| revision.as_str().into()),
    );
    set("era", engine.era().map_or(Value::Null, |era| era.as_str().into()));
    set("server", raw(&facts.info));
    set("capabilities", raw(&facts.capabilities));
    set("instructions", facts.instructions.as_deref().map_or(Value::Null, Into::into));
    match connection.link.has_session() {
        Some(has_session) => set("session", has_session.into()),
        None => set("pid", connection.link.pid().map_or(Value::Null, Into::into)),
    }
    set("connection", engine.generation().into());
    set("pending_calls", engine.pending().into());
    set("unanswered_requests", engine.unanswered().into());
    if let Some(failure) = engine.failure() {
        set("failure", serde_json::from_str(&failure.to_json()).unwrap_or(Value::Null));
    }
    if let Some(at) = engine.next_attempt() {
        let wait = at.saturating_duration_since(Instant::now()).as_millis();
        set("next_attempt_in_ms", u64::try_from(wait).unwrap_or(u64::MAX).into());
    }
    set("counters", Value::Object(engine.counters().to_map()));
    set(
        "listening",
        engine.listening().and_then(|granted| serde_json::from_str(granted).ok()).unwrap_or(Value::Null),
    );
    let session = |session: SessionFacts| {
        json!({
            "session_required": session.required,
            "stateful_tools": session.stateful_tools,
            "waiting": session.waiting,
        })
    };
    set("tool_modes", engine.session().map_or(Value::Null, session));
    set("cache", features.info());
    set("latency", Value::Object(engine.latencies()));
    drop(core);
    Value::Object(info).to_string()
}

/// Not inlined: there are many members.
#[inline(never)]
fn put(info: &mut Map<String, Value>, name: &str, value: Value) {
    info.insert(name.to_owned(), value);
}
