//! The right answer as one event of a stream, in the ways that servers write events (WHATWG HTML, "Server-sent events").

use serde_json::Value;

use super::{Kind, k, number};
use crate::connection::{After, Exchange};
use crate::http::{self, Answer};

pub const KINDS: &[Kind] = &[
    k("sse", "", "plainly", plain),
    k("sse-crlf", "[:N]", "lines end with CR LF; in chunks of 7 bytes, or N", crlf),
    k("sse-cr", "[:N]", "lines end with CR alone; in chunks of 7 bytes, or N", cr),
    k("sse-split", "[:N]", "in chunks of 1 byte, or N, so that characters are split", split),
    k("sse-bom", "", "a byte order mark goes first", bom),
    k("sse-lines", "", "the JSON is over many data lines", lines),
    k("sse-nospace", "", "no blank behind the colon", nospace),
    k("sse-comments", "", "comments and blank lines around and within the event", comments),
    k("sse-fields", "", "unknown fields, a field without a colon, an event type of `message`", fields),
    k("sse-empty", "", "events with empty data before and after", empty),
    k("sse-other", "", "events of other types before", other),
    k("sse-bad-json", "", "an event that is not JSON goes before (the answer is right)", bad_json),
    k("sse-retry", ":TEXT", "retry: TEXT before, whatever that is", retry),
    k("sse-tail", "", "more comes after the answer: comments without an end", tail),
    k("sse-open", "", "the stream stays open after the answer", open),
    k("sse-null-id", "", "an id with a NUL, and one that is empty", null_id),
    k("sse-charset", "", "the content type has a charset and capitals", charset),
];

/// The JSON of the answer as a line.
fn right(exchange: &mut Exchange) -> String {
    String::from_utf8_lossy(&exchange.right()).into_owned()
}

fn event(exchange: &mut Exchange) -> String {
    format!("event: message\ndata: {}\n\n", right(exchange))
}

/// Sends a whole stream in chunks of this many bytes.
fn send(exchange: &mut Exchange, text: &str, size: usize) -> After {
    let head = Answer::of(200, "text/event-stream", "").head("Transfer-Encoding: chunked\r\n");
    if !http::write(exchange.socket, &head) {
        return After::Close;
    }
    for part in text.as_bytes().chunks(size.max(1)) {
        if !http::write(exchange.socket, &http::chunk(part)) {
            return After::Close;
        }
    }
    if http::write(exchange.socket, b"0\r\n\r\n") { After::Keep } else { After::Close }
}

fn plain(exchange: &mut Exchange, _: &str) -> After {
    let text = event(exchange);
    send(exchange, &text, usize::MAX)
}

fn size(argument: &str, default: u64) -> usize {
    usize::try_from(number(argument, default)).unwrap_or(1)
}

fn crlf(exchange: &mut Exchange, argument: &str) -> After {
    let text = event(exchange).replace('\n', "\r\n");
    send(exchange, &text, size(argument, 7))
}

fn cr(exchange: &mut Exchange, argument: &str) -> After {
    let text = event(exchange).replace('\n', "\r");
    send(exchange, &text, size(argument, 7))
}

fn split(exchange: &mut Exchange, argument: &str) -> After {
    let text = event(exchange);
    send(exchange, &text, size(argument, 1))
}

fn bom(exchange: &mut Exchange, _: &str) -> After {
    let text = format!("\u{feff}{}", event(exchange));
    send(exchange, &text, 2)
}

fn lines(exchange: &mut Exchange, _: &str) -> After {
    let line = right(exchange);
    let value: Value = serde_json::from_str(&line).unwrap_or_default();
    let pretty = serde_json::to_string_pretty(&value).unwrap_or(line);
    let text = format!("data: {}\n\n", pretty.replace('\n', "\ndata: "));
    send(exchange, &text, 5)
}

fn nospace(exchange: &mut Exchange, _: &str) -> After {
    let text = format!("event:message\ndata:{}\n\n", right(exchange));
    send(exchange, &text, usize::MAX)
}

fn comments(exchange: &mut Exchange, _: &str) -> After {
    let text = format!(":\n\n\n: ping\n\n:x\n: data: {{}}\ndata: {}\n:\n\n: end\n\n", right(exchange));
    send(exchange, &text, 9)
}

fn fields(exchange: &mut Exchange, _: &str) -> After {
    let text = format!("color: red\nretry\nevent: message\nid\nx\n data: no\ndata: {}\n\n", right(exchange));
    send(exchange, &text, usize::MAX)
}

fn empty(exchange: &mut Exchange, _: &str) -> After {
    let text = format!("data\n\ndata: \n\ndata:\n\n{}data: \n\n", event(exchange));
    send(exchange, &text, usize::MAX)
}

fn other(exchange: &mut Exchange, _: &str) -> After {
    let noise = "event: heartbeat\ndata: {\"beat\":1}\n\nevent: endpoint\ndata: http://evil.example/x\n\n";
    let text = format!("{noise}{}", event(exchange));
    send(exchange, &text, usize::MAX)
}

fn bad_json(exchange: &mut Exchange, _: &str) -> After {
    let text = format!("data: this is no JSON\n\n{}", event(exchange));
    send(exchange, &text, usize::MAX)
}

fn retry(exchange: &mut Exchange, argument: &str) -> After {
    let text = format!("retry: {argument}\n\n{}", event(exchange));
    send(exchange, &text, usize::MAX)
}

fn tail(exchange: &mut Exchange, _: &str) -> After {
    let text = event(exchange);
    let head = Answer::of(200, "text/event-stream", "").head("Transfer-Encoding: chunked\r\n");
    let mut alive = http::write(exchange.socket, &[head, http::chunk(text.as_bytes())].concat());
    while alive && !exchange.is_gone_after(std::time::Duration::from_millis(1)) {
        alive = http::write(exchange.socket, &http::chunk(&b": more\n\n".repeat(100)));
    }
    After::Close
}

fn open(exchange: &mut Exchange, _: &str) -> After {
    let text = event(exchange);
    let head = Answer::of(200, "text/event-stream", "").head("Transfer-Encoding: chunked\r\n");
    http::write(exchange.socket, &[head, http::chunk(text.as_bytes())].concat());
    exchange.wait_until_gone()
}

fn null_id(exchange: &mut Exchange, _: &str) -> After {
    let text = format!("id: a\0b\ndata: \n\nid\ndata:\n\n{}", event(exchange));
    send(exchange, &text, usize::MAX)
}

fn charset(exchange: &mut Exchange, _: &str) -> After {
    let text = event(exchange);
    exchange.answer(&Answer::of(200, "Text/Event-Stream;charset=UTF-8", text))
}
