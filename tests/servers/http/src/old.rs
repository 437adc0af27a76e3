//! HTTP+SSE of 2024-11-05: a GET opens the stream of all messages, whose first event says where to post.

use std::sync::Arc;

use serde_json::Value;

use crate::http::{Answer, Request};
use crate::legacy;
use crate::message;
use crate::reply::Reply;
use crate::server::{Server, Session};
use crate::tools::{self, Call};

pub fn reply(server: &Arc<Server>, request: &Request, message: &Value) -> Reply {
    match (request.method.as_str(), request.path()) {
        ("GET", "/mcp") => open(server),
        ("POST", "/message") => post(server, request, message),
        _ => Reply::Plain(Answer::of(405, "text/plain", "Method Not Allowed\n").with("Allow", "GET")),
    }
}

fn open(server: &Server) -> Reply {
    let session = server.open_session(message::OLDEST);
    let script = server.script();
    let endpoint = script.text("endpoint").unwrap_or("/message?session={session}");
    if endpoint != "none" {
        session.standalone.event_of("endpoint", endpoint.replace("{session}", &session.id));
    }
    Reply::Stream { stream: Arc::clone(&session.standalone), headers: Vec::new(), from: Some(0) }
}

fn post(server: &Arc<Server>, request: &Request, message: &Value) -> Reply {
    for name in ["mcp-session-id", "mcp-protocol-version", "mcp-method", "last-event-id"] {
        if request.header(name).is_some() {
            server.stats.complain(format!("{name} in 2024-11-05"));
        }
    }
    let session = request.query("session").and_then(|id| server.session(id));
    let Some(session) = session else {
        server.stats.seen().unknown_session += 1;
        return Reply::Plain(Answer::of(404, "text/plain", "Session not found\n"));
    };
    match (message["method"].as_str(), message.get("id")) {
        (Some(method), None) => legacy::notification(&session, method, &message["params"]),
        (Some(method), Some(id)) => answer(server, &session, request, method, id, message),
        (None, Some(id)) => session.reply(id, message.clone()),
        (None, None) => {
            server.stats.complain("a message with neither method nor id".to_owned());
            return Reply::Plain(Answer::of(400, "text/plain", "Invalid message\n"));
        }
    }
    Reply::Plain(Answer::of(202, "text/plain", "Accepted"))
}

fn answer(
    server: &Arc<Server>,
    session: &Arc<Session>,
    request: &Request,
    method: &str,
    id: &Value,
    message: &Value,
) {
    match method {
        "initialize" => {
            legacy::revision(server, message);
            session.standalone.event_of("message", message::result(id, legacy::welcome(session)).to_string());
        }
        "tools/call" => match tools::fault(message) {
            Some(_) => {
                let result = message::failure("there is no answer to go wrong: it comes on the stream");
                session.standalone.event_of("message", message::result(id, result).to_string());
            }
            None => Call::start(server, Some(session), &session.standalone, request, message, false),
        },
        _ => {
            let answer = legacy::result(server, session, method, id, message);
            session.standalone.event_of("message", answer.to_string());
        }
    }
}
