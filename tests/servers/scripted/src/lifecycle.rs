//! The server proper: start, probe, handshake, lists, and the way of a request to its tool. Correct, except where the
//! script says otherwise.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::message::{self, LEGACY, MODERN, NEWEST_LEGACY};
use crate::script::{Death, Script};
use crate::session::Session;
use crate::{posix, skills, tools};

/// Counts this start where the script wants starts counted, and says whether it is one that fails.
pub fn count_start(script: &mut Script) -> bool {
    let Some(state) = &script.state else { return false };
    // One byte a start: an append is atomic, and the file's length is the count.
    let counted = OpenOptions::new().create(true).append(true).open(state).and_then(|mut file| {
        file.write_all(b".")?;
        file.metadata()
    });
    let starts = match counted {
        Ok(metadata) => metadata.len(),
        Err(error) => {
            crate::say(&format!("mcp-scripted-server: --state {}: {error}", state.display()));
            std::process::exit(crate::USAGE_ERROR);
        }
    };
    if script.number("only-first").is_some_and(|faulty| starts > faulty) {
        script.become_well_behaved();
    }
    script.number("fail-starts").is_some_and(|failing| starts <= failing)
}

/// What happens before the first byte is read.
pub fn at_start(script: &Script, fails: bool) {
    let death = if fails { Some(Death::Exit(1)) } else { script.death("exit-at-once") };
    if let Some(death) = death {
        crate::say("mcp-scripted-server: this start fails, as the script wants it");
        death.die();
    }
    for line in 0..script.number("stderr-at-start").unwrap_or(0) {
        crate::say(&format!("stderr line {line}"));
    }
    if script.has("banner") {
        let mut stdout = std::io::stdout().lock();
        let _ = stdout.write_all("\u{feff}Welcome to the server!\r\n\r\n\n[INFO] {starting}\n".as_bytes());
        let _ = stdout.flush();
    }
    if let Some(wait) = script.milliseconds("ready-after") {
        std::thread::sleep(wait);
    }
}

/// One frame from the client.
pub fn receive(session: &Arc<Session>, frame: &[u8]) {
    let Ok(Value::Object(message)) = serde_json::from_slice(frame) else {
        session.note(frame, "(not a message)");
        return session.send(&json!({
            "jsonrpc": "2.0", "error": { "code": -32700, "message": "Not a JSON-RPC message" },
        }));
    };
    let method = message.get("method").and_then(Value::as_str);
    session.note(frame, method.unwrap_or("(response)"));
    let params = message.get("params").and_then(Value::as_object).cloned().unwrap_or_default();
    match (method, message.get("id")) {
        (Some(method), Some(id)) => request(session, id, method, &params),
        (Some(method), None) => notification(session, method, &params),
        (None, _) if tools::research::answered(session, &message) => {}
        (None, _) => tools::asking::answered(session, &message),
    }
}

fn request(session: &Arc<Session>, id: &Value, method: &str, params: &Map<String, Value>) {
    let refuse = |code, text: &str| session.send(&message::error(id, code, text));
    match method {
        "server/discover" => probe(session, id, params),
        "initialize" if session.script.modern && session.script.has("hang-on-initialize") => {}
        "initialize" if session.script.modern => refuse_version(session, id, params.get("protocolVersion")),
        "initialize" => initialize(session, id, params),
        "ping" if !session.script.modern => session.send(&message::result(id, json!({}))),
        _ if session.script.modern && !modern_request_is_good(session, id, params) => {}
        _ if !session.script.modern && !session.memory().initialized => {
            refuse(-32600, "The handshake is not done");
        }
        "tools/list" => list_tools(session, id, params),
        "tools/call" => tools::call(session, id, params),
        "tasks/get" | "tasks/result" | "tasks/cancel" | "tasks/list" | "tasks/update"
            if tools::research::request(session, id, method, params) => {}
        "tasks/get" | "tasks/result" | "tasks/cancel" => tools::tasks::request(session, id, method, params),
        "logging/setLevel" if !session.script.modern => session.send(&message::result(id, json!({}))),
        "subscriptions/listen" if session.script.modern => tools::rounds::listen(session, id, params),
        _ if skills::answer(session, id, method, params) => {}
        _ => refuse(-32601, "Method not found"),
    }
}

fn notification(session: &Arc<Session>, method: &str, params: &Map<String, Value>) {
    match method {
        "notifications/initialized" => {
            if let Some(death) = session.script.death("crash-in-initialized") {
                death.die();
            }
            session.memory().initialized = true;
            if session.script.has("stdout-close") {
                posix::close_stdout();
            }
            if session.script.has("stop-reading") {
                crate::wait_for_ever();
            }
        }
        "notifications/cancelled" => {
            if let Some(id) = params.get("requestId") {
                tools::timing::cancelled(session, id);
                tools::research::cancelled(session, id);
                session.memory().listens.retain(|listen| listen != id);
            }
        }
        _ => {}
    }
}

fn probe(session: &Arc<Session>, id: &Value, params: &Map<String, Value>) {
    let script = &session.script;
    if let Some(death) = script.death("exit-on-probe") {
        death.die();
    }
    if let Some(how) = script.text("hang-on-probe") {
        if !how.is_empty() {
            session.memory().late_probe = Some(id.clone());
        }
        return;
    }
    if let Some(wait) = script.milliseconds("probe-after") {
        let (id, params) = (id.clone(), params.clone());
        return session.later(wait, move |session| answer_probe(session, &id, &params));
    }
    answer_probe(session, id, params);
}

fn answer_probe(session: &Session, id: &Value, params: &Map<String, Value>) {
    let script = &session.script;
    if let Some(code) = script.number("probe-error") {
        let code = i64::try_from(code).unwrap_or(i64::MAX);
        session.send(&message::error(id, -code, "An error, as the script wants it"));
    } else if let Some(named) = script.text("discover") {
        let mut result = message::discover_result(script);
        result["supportedVersions"] = named.split('+').collect();
        session.send(&message::result(id, result));
    } else if let Some(named) = script.text("refuse-probe") {
        session.send(&message::unsupported(id, named, None));
    } else if script.has("probe-empty") {
        session.send(&message::result(id, json!({})));
    } else if !script.modern {
        session.send(&message::error(id, -32601, "Method not found"));
    } else if modern_request_is_good(session, id, params) {
        session.send(&message::result(id, message::discover_result(script)));
        if script.has("stdout-close") {
            posix::close_stdout();
        }
    }
    if let Some(death) = script.death("crash-before-initialize") {
        death.die();
    }
}

fn initialize(session: &Arc<Session>, id: &Value, params: &Map<String, Value>) {
    let script = &session.script;
    for name in ["crash-before-initialize", "crash-in-initialize"] {
        if let Some(death) = script.death(name) {
            death.die();
        }
    }
    let late_probe = session.memory().late_probe.take();
    if let Some(probe) = late_probe {
        session.send(&match script.text("hang-on-probe") {
            Some("late-result") => message::result(&probe, message::discover_result(script)),
            _ => message::error(&probe, -32601, "Method not found"),
        });
    }
    if script.has("hang-on-initialize") {
        return;
    }
    if let Some(wait) = script.milliseconds("initialize-after") {
        std::thread::sleep(wait);
    }
    if let Some(code) = script.number("initialize-error") {
        let code = i64::try_from(code).unwrap_or(i64::MAX);
        return session.send(&message::error(id, -code, "An error, as the script wants it"));
    }
    let asked = params.get("protocolVersion").and_then(Value::as_str).unwrap_or_default();
    let agreed = LEGACY.into_iter().find(|revision| *revision == asked).unwrap_or(NEWEST_LEGACY);
    session.send(&message::result(
        id,
        json!({
            "protocolVersion": script.text("initialize-version").unwrap_or(agreed),
            "capabilities": message::capabilities(script),
            "serverInfo": message::server_info(),
        }),
    ));
    if let Some(death) = script.death("crash-after-initialize") {
        death.die();
    }
}

/// Checks the metadata of a modern request, and answers it when it is wrong.
fn modern_request_is_good(session: &Session, id: &Value, params: &Map<String, Value>) -> bool {
    let fields = params.get("_meta").and_then(Value::as_object);
    let field = |key| fields.and_then(|fields| fields.get(key));
    let version = field(message::VERSION_KEY);
    if session.script.has("unsupported-version") || version.is_some_and(|version| version != MODERN) {
        refuse_version(session, id, version);
        return false;
    }
    if version.is_none() || !field(message::CAPABILITIES_KEY).is_some_and(Value::is_object) {
        session.send(&message::error(id, -32602, "The request's metadata is incomplete"));
        return false;
    }
    true
}

fn refuse_version(session: &Session, id: &Value, requested: Option<&Value>) {
    let supported = session.script.text("unsupported-version").unwrap_or(MODERN);
    session.send(&message::unsupported(id, supported, requested));
}

fn list_tools(session: &Session, id: &Value, params: &Map<String, Value>) {
    let script = &session.script;
    if script.has("hang-on-list") {
        return;
    }
    let cursor = params.get("cursor").and_then(Value::as_str);
    let more = (0..script.number("many-tools").unwrap_or(0))
        .map(|number| json!({ "name": format!("tool-{number}"), "inputSchema": { "type": "object" } }));
    let listed: Vec<Value> =
        tools::listed(script.text("stateful"), script.modern).into_iter().chain(more).collect();
    let mut result = json!({ "tools": listed });
    if script.has("cursor-loop") {
        result["nextCursor"] = "again".into();
    } else if script.has("endless-pages") {
        let page: u64 = cursor.and_then(|page| page.parse().ok()).unwrap_or(0);
        result["nextCursor"] = (page + 1).to_string().into();
    } else if script.has("empty-cursor") && cursor.is_none() {
        result["nextCursor"] = "".into();
    } else if cursor.is_some() && !script.has("empty-cursor") {
        return session.send(&message::error(id, -32602, "No such cursor"));
    }
    // Later pages hold one tool each, so that a test can count them.
    if cursor.is_some() {
        let page = cursor.unwrap_or_default();
        result["tools"] = json!([{ "name": format!("page-{page}"), "inputSchema": { "type": "object" } }]);
    }
    if script.modern {
        result["ttlMs"] = 0.into();
        result["cacheScope"] = "private".into();
    }
    session.send(&message::result(id, session.dress(result)));
}
