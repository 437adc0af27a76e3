//! Streamable HTTP of 2025-03-26 to 2025-11-25: a session, opened by `initialize`.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::http::{Answer, Request};
use crate::message;
use crate::reply::{Headers, Reply, check_post};
use crate::server::{Server, Session, lock};
use crate::tools::{self, Call};

pub fn reply(server: &Arc<Server>, request: &Request, message: &Value) -> Reply {
    match request.method.as_str() {
        "POST" => post(server, request, message),
        "GET" => get(server, request),
        "DELETE" => match session(server, request) {
            Ok(session) => {
                check_version(server, request, &session);
                server.close_session(&session.id);
                Reply::Plain(Answer::empty(200))
            }
            Err(refusal) => Reply::Plain(refusal),
        },
        _ => Reply::Plain(Answer::empty(405).with("Allow", "GET, POST, DELETE")),
    }
}

fn post(server: &Arc<Server>, request: &Request, message: &Value) -> Reply {
    check_post(server, request);
    if message.is_null() || message.is_array() {
        server
            .stats
            .complain(format!("a body that is {}", if message.is_null() { "not JSON" } else { "a batch" }));
        return refusal(400, -32700, "Parse error");
    }
    if message["method"] == "initialize" {
        return initialize(server, request, message);
    }
    // What a server does with a version it does not know comes before it asks for a session.
    let version = request.header("mcp-protocol-version");
    if version.is_some_and(|version| !message::LEGACY.contains(&version)) {
        return refusal(400, -32000, "Bad Request: Unsupported protocol version");
    }
    let session = match session(server, request) {
        Ok(session) => session,
        Err(refusal) => return Reply::Plain(refusal),
    };
    check_version(server, request, &session);
    for name in ["mcp-method", "mcp-name"] {
        if request.header(name).is_some() {
            server.stats.complain(format!("{name} in the legacy era"));
        }
    }
    match (message["method"].as_str(), message.get("id")) {
        (Some(method), None) => {
            if let Some(ms) =
                server.script().number("slow-initialized").filter(|_| method == "notifications/initialized")
            {
                std::thread::sleep(std::time::Duration::from_millis(ms));
            }
            notification(&session, method, &message["params"]);
            Reply::Plain(Answer::empty(202))
        }
        (Some(method), Some(id)) => {
            if !session.initialized.load(Ordering::SeqCst) && method != "ping" {
                server.stats.complain(format!("{method} before notifications/initialized"));
            }
            answer(server, &session, request, method, id, message)
        }
        (None, Some(id)) => {
            session.reply(id, message.clone());
            Reply::Plain(Answer::empty(202))
        }
        (None, None) => {
            server.stats.complain("a message with neither method nor id".to_owned());
            refusal(400, -32600, "Invalid Request")
        }
    }
}

fn initialize(server: &Arc<Server>, request: &Request, message: &Value) -> Reply {
    if request.header("mcp-session-id").is_some() {
        server.stats.complain("initialize with a session id".to_owned());
    }
    let session = server.open_session(&revision(server, message));
    let mut headers: Headers = Vec::new();
    let script = server.script();
    if !script.has("no-session") {
        headers.push(("Mcp-Session-Id".to_owned(), session.id.clone()));
        if script.text("session-id") == Some("twice") {
            headers.push(("Mcp-Session-Id".to_owned(), format!("{}-other", session.id)));
        }
    }
    Reply::Message(message::result(&message["id"], welcome(&session)), headers)
}

/// The revision to speak: the client's if we know it and it is not too new for us, else our newest.
pub fn revision(server: &Server, message: &Value) -> String {
    let wanted = message["params"]["protocolVersion"].as_str().unwrap_or_default();
    if !message::LEGACY.contains(&wanted) {
        server.stats.complain(format!("initialize with revision {wanted:?}"));
    }
    let newest = server.options.revision.as_str();
    if message::LEGACY.contains(&wanted) && wanted <= newest { wanted.to_owned() } else { newest.to_owned() }
}

/// The result of `initialize`.
pub fn welcome(session: &Session) -> Value {
    json!({
        "protocolVersion": session.revision,
        "capabilities": message::capabilities(),
        "serverInfo": message::server_info(),
        "instructions": "A server for tests.",
    })
}

fn get(server: &Arc<Server>, request: &Request) -> Reply {
    if !request.header("accept").unwrap_or_default().contains("text/event-stream") {
        server.stats.complain("a GET that does not accept an event stream".to_owned());
        return Reply::Plain(Answer::empty(406));
    }
    let session = match session(server, request) {
        Ok(session) => session,
        Err(refusal) => return Reply::Plain(refusal),
    };
    check_version(server, request, &session);
    let headers = Vec::new();
    let Some(event) = request.header("last-event-id") else {
        if let Some(retry) = server.script().number("retry") {
            session.standalone.event(Some(retry), String::new());
        }
        return Reply::Stream { stream: Arc::clone(&session.standalone), headers, from: None };
    };
    server.stats.seen().resumed += 1;
    let stream = session.stream_of(event).and_then(|stream| Some((stream.behind(event)?, stream)));
    match stream {
        Some((from, stream)) => Reply::Stream { stream, headers, from: Some(from) },
        None => {
            server.stats.complain(format!("Last-Event-ID {event}, which is not one of this session"));
            Reply::Plain(Answer::of(400, "text/plain", "No such event\n"))
        }
    }
}

/// The session of a request, or what to say instead. One request more is counted.
fn session(server: &Server, request: &Request) -> Result<Arc<Session>, Answer> {
    let script = server.script();
    let given = request.header("mcp-session-id");
    if script.has("any-session") && given.is_none() {
        return server.sessions().pop().ok_or_else(|| Answer::empty(404));
    }
    if script.has("no-session") && given.is_some() {
        server.stats.complain("a session id that was not given".to_owned());
    }
    let id = match given {
        Some(id) => id,
        None if script.has("no-session") => "",
        None => {
            let body = message::error(&Value::Null, -32000, "Bad Request: Mcp-Session-Id header is required");
            return Err(Answer::json(400, &body));
        }
    };
    let unknown = || {
        server.stats.seen().unknown_session += 1;
        if script.has("unknown-400") {
            let text = "Bad Request: No valid session ID provided";
            return Answer::json(400, &message::error(&Value::Null, -32000, text));
        }
        Answer::json(404, &message::error(&Value::Null, -32001, "Session not found"))
    };
    let session = server.session(id).ok_or_else(unknown)?;
    let requests = session.requests.fetch_add(1, Ordering::SeqCst) + 1;
    if script.number("lose-session-after").is_some_and(|most| requests > most) {
        server.close_session(id);
        return Err(unknown());
    }
    Ok(session)
}

/// 2025-06-18 and later: the version on every request after `initialize`.
fn check_version(server: &Server, request: &Request, session: &Session) {
    let given = request.header("mcp-protocol-version");
    let wanted = (session.revision.as_str() >= "2025-06-18").then_some(session.revision.as_str());
    if wanted.is_some() && given != wanted {
        server
            .stats
            .complain(format!("{} with version {given:?} in a session of {wanted:?}", request.method));
    }
}

pub fn notification(session: &Session, method: &str, params: &Value) {
    match method {
        "notifications/initialized" => session.initialized.store(true, Ordering::SeqCst),
        "notifications/cancelled" => session.cancel(&params["requestId"]),
        _ => {}
    }
}

fn answer(
    server: &Arc<Server>,
    session: &Arc<Session>,
    request: &Request,
    method: &str,
    id: &Value,
    message: &Value,
) -> Reply {
    if method != "tools/call" {
        return Reply::Message(result(server, session, method, id, message), Vec::new());
    }
    if let Some(fault) = tools::fault(message) {
        return match fault {
            Ok((fault, text)) => Reply::Fault(fault, text),
            Err(why) => Reply::Message(message::result(id, message::failure(&why)), Vec::new()),
        };
    }
    let stream = session.new_stream(server.number());
    Call::start(server, Some(session), &stream, request, message, false);
    Reply::Call(stream, Vec::new())
}

/// The answer to a request that is not a call of a tool.
pub fn result(server: &Server, session: &Session, method: &str, id: &Value, message: &Value) -> Value {
    let params = &message["params"];
    let text = |name: &str| params[name].as_str().unwrap_or_default().to_owned();
    let result = match method {
        "resources/subscribe" => {
            lock(&session.restored).0.push(text("uri"));
            json!({})
        }
        "resources/unsubscribe" => {
            lock(&session.restored).0.retain(|uri| *uri != text("uri"));
            json!({})
        }
        "logging/setLevel" => {
            lock(&session.restored).1 = text("level");
            json!({})
        }
        "ping" => json!({}),
        _ => match tools::common(server, method, params) {
            Some(result) => result,
            None => return message::error(id, -32601, "Method not found"),
        },
    };
    message::result(id, result)
}

fn refusal(status: u16, code: i64, text: &str) -> Reply {
    Reply::Plain(Answer::json(status, &message::error(&Value::Null, code, text)))
}
