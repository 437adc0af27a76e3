//! One connection: requests are read, the script is asked what should go wrong, and otherwise the right answer goes
//! back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::faults::Fault;
use crate::http::{self, Answer, Inbox, Request};
use crate::message;
use crate::reply::{self, Reply};
use crate::server::Server;
use crate::socket::Socket;
use crate::stream::{Ending, Stream};

/// How long a write may wait for a client that does not read.
const STUCK: Duration = Duration::from_secs(60);

/// Whether the connection may go on after an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    Keep,
    Close,
}

/// Where a connection comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The client made it.
    Connection,
    /// It is one stream of a connection over HTTP/2.
    Stream,
}

/// One request and where its answer goes.
pub struct Exchange<'a> {
    pub server: &'a Arc<Server>,
    pub socket: &'a mut Socket,
    pub request: &'a Request,
    /// The body, if it is JSON.
    pub message: Value,
    /// What a call of the tool `fault` should have as its answer.
    right: Option<Vec<u8>>,
    /// This is the last answer of the connection, and it is to say so.
    says_close: bool,
    origin: Origin,
}

impl Exchange<'_> {
    pub fn is_http2(&self) -> bool {
        self.origin == Origin::Stream
    }

    /// Writes an answer as it should be.
    pub fn answer(&mut self, answer: &Answer) -> After {
        self.server.wait_for_thaw();
        let mut answer =
            Answer { status: answer.status, headers: answer.headers.clone(), body: answer.body.clone() };
        if self.says_close {
            answer = answer.with("Connection", "close");
        }
        if http::write(self.socket, &answer.whole()) { After::Keep } else { After::Close }
    }

    /// The body of the right answer.
    pub fn right(&mut self) -> Vec<u8> {
        match self.right.take() {
            Some(right) => right,
            None => reply::body(self.server, self.request, &self.message),
        }
    }

    pub fn wait_until_gone(&mut self) -> After {
        while !self.is_gone_after(Duration::from_secs(1)) {}
        After::Close
    }

    /// Waits this long; true as soon as the client has closed the connection.
    pub fn is_gone_after(&mut self, pause: Duration) -> bool {
        let until = Instant::now() + pause;
        loop {
            if self.socket.is_gone() {
                self.server.stats.seen().abandoned += 1;
                return true;
            }
            let Some(left) = until.checked_duration_since(Instant::now()) else { return false };
            std::thread::sleep(left.min(Duration::from_millis(5)));
        }
    }
}

/// Serves one connection to its end.
pub fn serve(server: &Arc<Server>, mut socket: Socket, origin: Origin) {
    let number = server.number();
    if origin == Origin::Connection {
        server.stats.opened();
    }
    server.keep(number, &socket);
    socket.limit_writes(STUCK);
    let mut inbox = Inbox::default();
    let mut answers = 0;
    let is_counted = u64::from(origin == Origin::Connection);
    while {
        server.set_idle(number, true);
        server.stats.seen().idle += is_counted;
        let comes = await_request(server, &socket, &inbox);
        server.stats.seen().idle -= is_counted;
        server.set_idle(number, false);
        comes
    } {
        let request = match inbox.request(&mut socket) {
            Ok(Some(request)) => request,
            Ok(None) => break,
            Err(why) => {
                server.stats.complain(format!("not HTTP: {why}"));
                http::write(&mut socket, &Answer::of(400, "text/plain", why).whole());
                break;
            }
        };
        let message: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        server.stats.note(number, &request, &message);
        answers += 1;
        let script = server.script();
        let says_close = script.number("say-close-after").is_some_and(|most| answers >= most);
        let mut exchange = Exchange {
            server,
            socket: &mut socket,
            request: &request,
            message,
            right: None,
            says_close,
            origin,
        };
        let chance = script.number("close-at-random").filter(|_| answers > 1);
        if chance.is_some_and(|chance| server.draw() < chance) {
            server.stats.seen().random_ends += 1;
            server.stats.answered();
            break;
        }
        let after = answer(&mut exchange);
        server.stats.answered();
        if after == After::Keep && script.has("stray") {
            // The client has read the answer, most often, when this comes.
            std::thread::sleep(Duration::from_micros(300));
            let stray = Answer::of(200, "application/json", "{\"stray\":true}").whole();
            if http::write(&mut socket, &stray) {
                server.stats.seen().strays += 1;
            }
        }
        let enough = script.number("close-after").is_some_and(|most| answers >= most);
        if after == After::Close || enough || says_close {
            break;
        }
    }
    server.let_go(number);
    // What is counted as closed is closed.
    drop(socket);
    if origin == Origin::Connection {
        server.stats.closed();
    }
}

/// Waits for the next request, as long as the script lets a connection idle. False when the connection should end.
fn await_request(server: &Server, socket: &Socket, inbox: &Inbox) -> bool {
    let since = Instant::now();
    loop {
        server.wait_for_thaw();
        let script = server.script();
        if script.has("black-hole") {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        }
        if !inbox.is_empty() || socket.readable(Duration::from_millis(10)) {
            // What came while we stood still is not to be read.
            if server.is_frozen() {
                continue;
            }
            return true;
        }
        let idle_for = since.elapsed();
        let enough = script.number("idle-close").is_some_and(|most| idle_for >= Duration::from_millis(most));
        // On a busy machine a request may have come while we were not looking.
        if enough && !socket.readable(Duration::ZERO) {
            return false;
        }
    }
}

fn answer(exchange: &mut Exchange) -> After {
    if let Some(fault) = fault_for(exchange) {
        return fault.commit(exchange);
    }
    let script = exchange.server.script();
    let reply = reply::to(exchange.server, exchange.request, &exchange.message);
    match reply {
        Reply::Plain(answer) => exchange.answer(&answer),
        Reply::Fault(fault, text) => {
            let result = reply::dressed(exchange.request, &exchange.message, message::text(text));
            exchange.right = Some(message::result(&exchange.message["id"], result).to_string().into_bytes());
            fault.commit(exchange)
        }
        Reply::Message(body, headers) if script.has("sse") => {
            let stream = Stream::new("");
            stream.say(&body);
            stream.finish();
            stream.write_to(exchange.socket, &headers, Some(0));
            After::Keep
        }
        Reply::Message(body, headers) => {
            let mut answer = Answer::json(200, &body);
            answer.headers.extend(headers);
            exchange.answer(&answer)
        }
        Reply::Call(stream, headers) => {
            let Some(first) = stream.first(exchange.socket) else {
                if exchange.socket.is_gone() {
                    exchange.server.stats.seen().abandoned += 1;
                    return After::Close;
                }
                // The script wants the stream to end before anything is said on it.
                return write_stream(exchange, &stream, &headers, Some(0));
            };
            exchange.server.wait_for_thaw();
            let first_is_the_answer =
                serde_json::from_str::<Value>(&first).is_ok_and(|it| it["method"].is_null());
            if first_is_the_answer && !script.has("sse") {
                if let Some(fault) = script.fault("shape") {
                    exchange.right = Some(first.into_bytes());
                    return fault.commit(exchange);
                }
                let mut answer = Answer::of(200, "application/json", first);
                answer.headers.extend(headers);
                return exchange.answer(&answer);
            }
            write_stream(exchange, &stream, &headers, Some(0))
        }
        Reply::Stream { stream, headers, from } => {
            {
                let mut seen = exchange.server.stats.seen();
                seen.get_streams += 1;
                seen.get_streams_open += 1;
                seen.max_get_streams_open = seen.max_get_streams_open.max(seen.get_streams_open);
            }
            let after = write_stream(exchange, &stream, &headers, from);
            exchange.server.stats.seen().get_streams_open -= 1;
            after
        }
    }
}

fn write_stream(
    exchange: &mut Exchange,
    stream: &Stream,
    headers: &[(String, String)],
    from: Option<usize>,
) -> After {
    match stream.write_to(exchange.socket, headers, from) {
        Ending::Finished | Ending::TakenOver => After::Keep,
        Ending::Cut => After::Close,
        Ending::Gone => {
            exchange.server.stats.seen().abandoned += 1;
            After::Close
        }
    }
}

/// The fault that the script has for this request; the more it says of the request, the sooner it is asked.
fn fault_for(exchange: &Exchange) -> Option<Fault> {
    let (server, request) = (exchange.server, exchange.request);
    if reply::is_redirect(request.path()) {
        return None;
    }
    let script = server.script();
    let by_message = match exchange.message["method"].as_str() {
        _ if request.method != "POST" => None,
        Some("server/discover") => Some("on-probe"),
        Some("initialize") => Some("on-initialize"),
        Some("notifications/initialized") => Some("on-initialized"),
        Some("notifications/cancelled") => Some("on-cancelled"),
        Some("tools/list") => Some("on-list"),
        Some("tools/call") => Some("on-call"),
        None if exchange.message.is_object() => Some("on-answer"),
        _ => None,
    };
    let by_method = match request.method.as_str() {
        "POST" => Some("on-post"),
        "GET" => Some("on-get"),
        "DELETE" => Some("on-delete"),
        _ => None,
    };
    let resumes =
        (request.method == "GET" && request.header("last-event-id").is_some()).then_some("on-resume");
    [by_message, resumes, by_method, Some("on-any")].into_iter().flatten().find_map(|name| script.fault(name))
}
