//! Answers that never come, or stop in the middle.

use std::time::Duration;

use super::{Kind, k, number};
use crate::connection::{After, Exchange};
use crate::http::{self, Answer};

pub const KINDS: &[Kind] = &[
    k("hang", "", "no answer, and the connection stays open", hang),
    k("silent", "", "the head of an event stream, and then nothing", silent),
    k("comments", "[:MS]", "an event stream with a comment every 100 ms or MS, and nothing else", comments),
    k("half-head", "", "half a head, and then nothing", half_head),
    k("half-body", "", "half of the right body, and then nothing", half_body),
    k("drip", "[:MS]", "the right answer, one byte every 50 ms or MS, its head included", drip),
    k("drip-events", "[:MS]", "the same as an event stream without an end", drip_events),
    k("close", "", "the connection is closed instead", close),
    k("reset", "", "the connection is reset instead", reset),
    k("close-in-head", "", "half a head, and then the end", close_in_head),
    k("close-in-body", "", "half of the right body, and then the end", close_in_body),
    k("close-in-chunk", "", "half of the right body in chunks, and then the end", close_in_chunk),
    k("lost", "", "an event stream that ends in order, without the answer", lost),
    k("lost-after-id", "[:MS]", "the same, after an event with an id, and retry: MS", lost_after_id),
    k("half-event", "", "an event stream that ends within the event of the answer", half_event),
    k("wait", ":MS", "the right answer after this time", wait),
];

fn hang(exchange: &mut Exchange, _: &str) -> After {
    exchange.wait_until_gone()
}

fn silent(exchange: &mut Exchange, _: &str) -> After {
    http::write(exchange.socket, &events("Transfer-Encoding: chunked\r\n"));
    exchange.wait_until_gone()
}

fn comments(exchange: &mut Exchange, argument: &str) -> After {
    let pause = Duration::from_millis(number(argument, 100));
    http::write(exchange.socket, &events("Transfer-Encoding: chunked\r\n"));
    while !exchange.is_gone_after(pause) {
        if !http::write(exchange.socket, &http::chunk(b": still here\n\n")) {
            break;
        }
    }
    After::Close
}

fn half_head(exchange: &mut Exchange, _: &str) -> After {
    http::write(exchange.socket, b"HTTP/1.1 200 OK\r\nContent-Type: appli");
    exchange.wait_until_gone()
}

fn half_body(exchange: &mut Exchange, _: &str) -> After {
    let whole = Answer::of(200, "application/json", exchange.right()).whole();
    http::write(exchange.socket, &whole[..whole.len() - 20]);
    exchange.wait_until_gone()
}

fn drip(exchange: &mut Exchange, argument: &str) -> After {
    let whole = Answer::of(200, "application/json", exchange.right()).whole();
    if drop_by_drop(exchange, &whole, argument) { After::Keep } else { After::Close }
}

fn drip_events(exchange: &mut Exchange, argument: &str) -> After {
    http::write(exchange.socket, &events("Connection: close\r\n"));
    while drop_by_drop(
        exchange,
        b": a comment\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n",
        argument,
    ) {}
    After::Close
}

/// Writes one byte at a time; false when the client no longer reads.
fn drop_by_drop(exchange: &mut Exchange, bytes: &[u8], argument: &str) -> bool {
    let pause = Duration::from_millis(number(argument, 50));
    bytes.chunks(1).all(|byte| !exchange.is_gone_after(pause) && http::write(exchange.socket, byte))
}

fn close(_: &mut Exchange, _: &str) -> After {
    After::Close
}

fn reset(exchange: &mut Exchange, _: &str) -> After {
    exchange.socket.reset_on_close();
    After::Close
}

fn close_in_head(exchange: &mut Exchange, _: &str) -> After {
    http::write(exchange.socket, b"HTTP/1.1 200 OK\r\nContent-Type: appli");
    After::Close
}

fn close_in_body(exchange: &mut Exchange, _: &str) -> After {
    let whole = Answer::of(200, "application/json", exchange.right()).whole();
    http::write(exchange.socket, &whole[..whole.len() - 20]);
    After::Close
}

fn close_in_chunk(exchange: &mut Exchange, _: &str) -> After {
    let answer = Answer::of(200, "application/json", exchange.right());
    http::write(exchange.socket, &answer.head("Transfer-Encoding: chunked\r\n"));
    let chunk = http::chunk(&answer.body);
    http::write(exchange.socket, &chunk[..chunk.len() / 2]);
    After::Close
}

fn lost(exchange: &mut Exchange, _: &str) -> After {
    exchange.answer(&Answer::of(200, "text/event-stream", ": goodbye\n\n"))
}

fn lost_after_id(exchange: &mut Exchange, argument: &str) -> After {
    let retry = number(argument, 100);
    let body = format!("id: nowhere_0\nretry: {retry}\ndata: \n\n");
    exchange.answer(&Answer::of(200, "text/event-stream", body))
}

fn half_event(exchange: &mut Exchange, _: &str) -> After {
    let body = [b"data: ", exchange.right().as_slice()].concat();
    exchange.answer(&Answer::of(200, "text/event-stream", body))
}

fn wait(exchange: &mut Exchange, argument: &str) -> After {
    let body = exchange.right();
    if exchange.is_gone_after(Duration::from_millis(number(argument, 1000))) {
        return After::Close;
    }
    exchange.answer(&Answer::of(200, "application/json", body))
}

/// The head of an event stream.
fn events(ends: &str) -> Vec<u8> {
    Answer::of(200, "text/event-stream", "").with("Cache-Control", "no-cache").head(ends)
}
