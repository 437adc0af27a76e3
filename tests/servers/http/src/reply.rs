//! The right answer to a request: which path, which era, which session.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::faults::Fault;
use crate::http::{Answer, Request};
use crate::message;
use crate::script::Era;
use crate::server::Server;
use crate::stream::Stream;
use crate::{legacy, login, modern, old};

pub type Headers = Vec<(String, String)>;

/// What a request is answered with.
pub enum Reply {
    Plain(Answer),
    /// A JSON-RPC message, as JSON or as an event stream.
    Message(Value, Headers),
    /// What a tool will say: JSON if that is the answer alone, else an event stream.
    Call(Arc<Stream>, Headers),
    /// A stream that the client asked for.
    Stream {
        stream: Arc<Stream>,
        headers: Headers,
        from: Option<usize>,
    },
    /// The tool `fault`, with the text that it should answer.
    Fault(Fault, String),
}

pub fn to(server: &Arc<Server>, request: &Request, message: &Value) -> Reply {
    if is_redirect(request.path()) {
        return Reply::Plain(redirect(request));
    }
    if let Some(answer) = login::reply(server, request) {
        return Reply::Plain(answer);
    }
    if let Some(refusal) = unauthorized(server, request).or_else(|| not_logged_in(server, request, message)) {
        return Reply::Plain(refusal);
    }
    match request.path() {
        "/mcp" | "/message" if server.options.old_shape => old::reply(server, request, message),
        "/mcp" if server.options.era != Era::Legacy && is_modern(request, message) => {
            modern::reply(server, request, message)
        }
        "/mcp" if server.options.era == Era::Modern => modern::refuse(server, request, message),
        "/mcp" => legacy::reply(server, request, message),
        _ => Reply::Plain(Answer::of(
            404,
            "text/plain",
            format!("Cannot {} {}\n", request.method, request.path()),
        )),
    }
}

/// The body of the right answer, for a fault that changes it.
pub fn body(server: &Arc<Server>, request: &Request, message: &Value) -> Vec<u8> {
    match to(server, request, message) {
        Reply::Plain(answer) => answer.body,
        Reply::Message(body, _) => body.to_string().into_bytes(),
        Reply::Call(stream, _) => {
            while !stream.is_finished() {
                std::thread::sleep(Duration::from_millis(2));
            }
            stream.last().unwrap_or_default().into_bytes()
        }
        Reply::Stream { .. } => b"{}".to_vec(),
        Reply::Fault(_, text) => {
            let result = dressed(request, message, message::text(text));
            message::result(&message["id"], result).to_string().into_bytes()
        }
    }
}

/// A result as the era of the request has it.
pub fn dressed(request: &Request, message: &Value, result: Value) -> Value {
    if is_modern(request, message) { message::dressed(result) } else { result }
}

/// What makes a request one of the modern era: it says so, in its header or in its body.
pub fn is_modern(request: &Request, message: &Value) -> bool {
    request.method == "POST"
        && (request.header("mcp-protocol-version") == Some(message::MODERN)
            || message["params"]["_meta"][message::VERSION_KEY].is_string()
            || message["method"] == "server/discover")
}

pub fn is_redirect(path: &str) -> bool {
    path.starts_with("/redirect/")
}

/// `/redirect/STATUS`, `/redirect/STATUS/loop`, `/redirect/STATUS/N`, `/redirect/STATUS?to=URL`
fn redirect(request: &Request) -> Answer {
    let mut parts = request.path().split('/').skip(2);
    let status: u16 = parts.next().and_then(|status| status.parse().ok()).unwrap_or(307);
    let to = match (parts.next(), request.query("to")) {
        (_, Some(url)) => url.to_owned(),
        (Some("loop"), None) => request.target.clone(),
        (Some(more), None) => match more.parse::<u64>() {
            Ok(more) if more > 1 => format!("/redirect/{status}/{}", more - 1),
            _ => "/mcp".to_owned(),
        },
        (None, None) => "/mcp".to_owned(),
    };
    Answer::of(status, "text/plain", "Over there\n").with("Location", to)
}

fn unauthorized(server: &Server, request: &Request) -> Option<Answer> {
    let script = server.script();
    let wanted = format!("Bearer {}", script.text("token")?);
    match request.header("authorization") {
        Some(given) if given == wanted => None,
        Some(_) => {
            Some(Answer::json(403, &json!({ "error": "forbidden", "hint": "another token is needed" })))
        }
        None => Some(
            Answer::json(401, &json!({ "error": "unauthorized" }))
                .with("WWW-Authenticate", "Bearer realm=\"mcp\", scope=\"mcp:basic\""),
        ),
    }
}

fn not_logged_in(server: &Server, request: &Request, message: &Value) -> Option<Answer> {
    let script = server.script();
    let called = message["params"]["name"].as_str().filter(|_| message["method"] == "tools/call");
    if !script.has("login") || script.text("login-for").is_some_and(|tool| called != Some(tool)) {
        return None;
    }
    if server.logins.admit(request) {
        return None;
    }
    let metadata = format!("{}/.well-known/oauth-protected-resource/mcp", login::origin(request));
    let wrong = if request.header("authorization").is_some() { ", error=\"invalid_token\"" } else { "" };
    let scheme = if script.has("dpop") { "DPoP" } else { "Bearer" };
    let challenge = format!("{scheme} resource_metadata=\"{metadata}\"{wrong}");
    Some(Answer::json(401, &json!({ "error": "unauthorized" })).with("WWW-Authenticate", challenge))
}

/// The checks that every POST of a streamable client must pass, whatever the era.
pub fn check_post(server: &Server, request: &Request) {
    let accept = request.header("accept").unwrap_or_default();
    if !(accept.contains("application/json") && accept.contains("text/event-stream")) {
        server.stats.complain(format!("a POST with Accept: {accept}"));
    }
    let kind = request.header("content-type").unwrap_or_default();
    if !kind.starts_with("application/json") {
        server.stats.complain(format!("a POST with Content-Type: {kind}"));
    }
}
