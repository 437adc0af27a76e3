//! What only HTTP/2 has. The part of the server that speaks it does these; over HTTP/1.1 the connection is closed instead.

use super::{Kind, k};
use crate::connection::{After, Exchange};
use crate::http::{self, Answer};

pub const KINDS: &[Kind] = &[
    k(
        "h2-reset",
        ":CODE",
        "the stream is reset (2, the server failed; 7, it was not looked at; 8, cancelled …)",
        reset,
    ),
    k(
        "h2-goaway",
        "",
        "GOAWAY that still answers this stream and those before it, and then the right answer",
        go_away,
    ),
    k("h2-goaway-before", "", "GOAWAY that says that this stream was not looked at", |it, _| {
        ask(it, "goaway-before")
    }),
    k("h2-goaway-close", "", "GOAWAY with an error, and the end of the connection", |it, _| {
        ask(it, "goaway-close")
    }),
    k("h2-close", "", "the end of the connection, all its streams", |it, _| ask(it, "close")),
    k("h2-endless-headers", "", "headers in CONTINUATION frames without end", |it, _| {
        ask(it, "endless-headers")
    }),
    k("h2-endless-pings", "", "PING frames without end", |it, _| ask(it, "endless-pings")),
];

fn reset(exchange: &mut Exchange, argument: &str) -> After {
    ask(exchange, &format!("reset {}", super::number(argument, 2)))
}

fn go_away(exchange: &mut Exchange, _: &str) -> After {
    ask(exchange, "goaway");
    let right = exchange.right();
    exchange.answer(&Answer::of(200, "application/json", right))
}

/// Asks the front for it, by an interim answer that never gets to the client.
fn ask(exchange: &mut Exchange, what: &str) -> After {
    if exchange.is_http2() {
        http::write(exchange.socket, &Answer::empty(103).with("H2-Fault", what).head(""));
    }
    After::Close
}
