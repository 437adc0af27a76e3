//! The control port: what a test asks and changes while the server misbehaves on the other one.

use std::net::TcpListener;
use std::sync::Arc;

use serde_json::json;

use crate::http::{self, Answer, Inbox, Request};
use crate::message;
use crate::script::Script;
use crate::server::Server;
use crate::socket::Socket;

pub fn serve(server: &Arc<Server>, listener: &TcpListener) {
    for stream in listener.incoming().flatten() {
        let server = Arc::clone(server);
        std::thread::spawn(move || {
            let mut socket = Socket::Tcp(stream);
            let mut inbox = Inbox::default();
            while let Ok(Some(request)) = inbox.request(&mut socket) {
                let answer = answer(&server, &request);
                if !http::write(&mut socket, &answer.whole()) {
                    break;
                }
            }
        });
    }
}

fn answer(server: &Server, request: &Request) -> Answer {
    match (request.method.as_str(), request.path()) {
        ("GET", "/stats") => return Answer::json(200, &server.stats.summary()),
        ("GET", "/requests") => return Answer::json(200, &server.stats.requests()),
        ("POST", "/script") => match Script::read(String::from_utf8_lossy(&request.body).trim()) {
            Ok(script) => server.set_script(script),
            Err(why) => return Answer::of(400, "text/plain", why),
        },
        ("POST", "/forget") => server.forget_sessions(),
        ("POST", "/logins/end") => server.logins.end(),
        ("POST", "/drop") => server.drop_connections(),
        ("POST", "/hang-up") => server.hang_up(),
        ("POST", "/freeze") => server.freeze(true),
        ("POST", "/thaw") => server.freeze(false),
        ("POST", "/deaf" | "/hear") => {
            if let Err(error) = server.deafen(request.path() == "/deaf") {
                return Answer::of(500, "text/plain", error.to_string());
            }
        }
        ("POST", "/push") => {
            let count = request.query("count").and_then(|count| count.parse().ok()).unwrap_or(1);
            for session in server.sessions() {
                for number in 1..=count {
                    let params = json!({ "level": "info", "data": format!("pushed {number} of {count}") });
                    session.standalone.say(&message::notification("notifications/message", params));
                }
            }
        }
        ("POST", "/ping") => {
            let count = request.query("count").and_then(|count| count.parse().ok()).unwrap_or(1);
            for session in server.sessions() {
                for _ in 0..count {
                    let id = json!(format!("ping-{}", server.number()));
                    session.standalone.say(&message::request(&id, "ping", json!({})));
                }
            }
        }
        ("POST", "/change") => {
            for session in server.sessions() {
                session.standalone.say(&message::notification("notifications/tools/list_changed", json!({})));
            }
        }
        _ => return Answer::of(404, "text/plain", "no such control, see --help\n"),
    }
    Answer::json(200, &json!({}))
}
