//! Answers that are whole as HTTP and say something else than the right one.

use serde_json::json;

use super::{Kind, date, k, number};
use crate::connection::{After, Exchange};
use crate::http::Answer;
use crate::message;

const PAGE: &str = "<!DOCTYPE html>\n<html><head><title>Not here</title></head>\n<body><h1>This is a page for people, \
                    not a server for programs.</h1></body></html>\n";

pub const KINDS: &[Kind] = &[
    k("status", ":NNN", "this status without a body; NNN alone means the same. 401 has a challenge", status),
    k("html", "[:NNN]", "a page of HTML, with status 200 or this one", html),
    k("text", "[:NNN]", "a line of plain text, with status 200 or this one", text),
    k("mirror", "[:NNN]", "the request as plain text, with status 500 or this one", mirror),
    k("error", ":NNN[:CODE]", "this status with a JSON-RPC error without id, -32000 or -CODE", error),
    k("own-error", ":NNN[:CODE]", "this status with a JSON-RPC error that has the request's id", own_error),
    k("empty", "", "200 application/json without a body", empty),
    k("accepted", "", "202 without a body, to whatever it was", accepted),
    k("no-content", "", "204", no_content),
    k("wrong-type", "[:TYPE]", "the right body, called text/html or TYPE", wrong_type),
    k("no-type", "", "the right body without a Content-Type", no_type),
    k("charset", "", "the right body as Application/JSON; charset=utf-8 (right)", charset),
    k("not-json", "", "200 application/json with a body that is not JSON", not_json),
    k("bad-utf8", "", "200 application/json with a text that is not UTF-8", bad_utf8),
    k("other-id", "", "an answer to a request that was not made", other_id),
    k("batch", "", "the right answer in a JSON array", batch),
    k("twice", "", "an event stream with the right answer two times", twice),
    k("number", "", "200 application/json with the body 7", seven),
    k("redirect", ":NNN:URL", "a redirect to URL", redirect),
    k(
        "lose-session",
        "[:NNN:text|rpc]",
        "404 or this status as servers say it, in plain text or a JSON-RPC error, and no session is known any more",
        lose_session,
    ),
    k("rate-limit", "[:SECONDS]", "429 with Retry-After", rate_limit),
    k(
        "busy",
        ":NNN:FORM:SECONDS",
        "this status with Retry-After as FORM: seconds, or the date so many seconds from now as imf, rfc850 or asctime",
        busy,
    ),
];

fn status(exchange: &mut Exchange, argument: &str) -> After {
    let status = u16::try_from(number(argument, 500)).unwrap_or(500);
    let mut answer = Answer::empty(status);
    if status == 401 {
        answer = answer.with("WWW-Authenticate", "Bearer realm=\"mcp\", error=\"invalid_token\"");
    }
    exchange.answer(&answer)
}

fn html(exchange: &mut Exchange, argument: &str) -> After {
    let status = u16::try_from(number(argument, 200)).unwrap_or(200);
    exchange.answer(&Answer::of(status, "text/html; charset=utf-8", PAGE))
}

fn text(exchange: &mut Exchange, argument: &str) -> After {
    let status = u16::try_from(number(argument, 200)).unwrap_or(200);
    exchange.answer(&Answer::of(status, "text/plain", "The cat sat on the mat.\n"))
}

fn mirror(exchange: &mut Exchange, argument: &str) -> After {
    let status = u16::try_from(number(argument, 500)).unwrap_or(500);
    let mut text = String::new();
    for (name, value) in &exchange.request.headers {
        // What everybody sends would leave no room for the rest.
        if matches!(&*name.to_ascii_lowercase(), "authorization" | "mcp-session-id" | "x-api-key") {
            text = format!("{text}{name}: {value}; ");
        }
    }
    let text = format!("cannot {} {} {text}", exchange.request.method, exchange.request.target);
    exchange.answer(&Answer::of(status, "text/plain", text))
}

fn coded(argument: &str) -> (u16, i64) {
    let (status, code) = argument.split_once(':').unwrap_or((argument, "32000"));
    (status.parse().unwrap_or(500), -code.parse::<i64>().unwrap_or(32000))
}

fn error(exchange: &mut Exchange, argument: &str) -> After {
    let (status, code) = coded(argument);
    let body = message::error(&serde_json::Value::Null, code, "an error for the test");
    exchange.answer(&Answer::json(status, &body))
}

fn own_error(exchange: &mut Exchange, argument: &str) -> After {
    let (status, code) = coded(argument);
    let body = message::error(&exchange.message["id"].clone(), code, "an error for the test");
    exchange.answer(&Answer::json(status, &body))
}

fn empty(exchange: &mut Exchange, _: &str) -> After {
    exchange.answer(&Answer::of(200, "application/json", ""))
}

fn accepted(exchange: &mut Exchange, _: &str) -> After {
    exchange.answer(&Answer::empty(202))
}

fn no_content(exchange: &mut Exchange, _: &str) -> After {
    exchange.answer(&Answer::empty(204))
}

fn wrong_type(exchange: &mut Exchange, argument: &str) -> After {
    let kind = if argument.is_empty() { "text/html" } else { argument };
    let body = exchange.right();
    exchange.answer(&Answer::of(200, kind, body))
}

fn no_type(exchange: &mut Exchange, _: &str) -> After {
    let body = exchange.right();
    exchange.answer(&Answer { status: 200, headers: Vec::new(), body })
}

fn charset(exchange: &mut Exchange, _: &str) -> After {
    let body = exchange.right();
    exchange.answer(&Answer::of(200, "Application/JSON; charset=utf-8", body))
}

fn not_json(exchange: &mut Exchange, _: &str) -> After {
    exchange.answer(&Answer::of(200, "application/json", "{\"jsonrpc\": oh no"))
}

fn bad_utf8(exchange: &mut Exchange, _: &str) -> After {
    let mut body = exchange.right();
    // In the middle of some text, where only a reader who looks finds it.
    if let Some(at) = body.windows(6).position(|part| part == b"\"text\"") {
        body[at + 2] = 0xff;
    } else {
        body.push(0xff);
    }
    exchange.answer(&Answer::of(200, "application/json", body))
}

fn other_id(exchange: &mut Exchange, _: &str) -> After {
    let body = message::result(&json!(987_654_321), message::dressed(message::text("not for you")));
    exchange.answer(&Answer::json(200, &body))
}

fn batch(exchange: &mut Exchange, _: &str) -> After {
    let body = [b"[", exchange.right().as_slice(), b"]"].concat();
    exchange.answer(&Answer::of(200, "application/json", body))
}

fn twice(exchange: &mut Exchange, _: &str) -> After {
    let body = exchange.right();
    let event = [b"data: ", body.as_slice(), b"\n\n"].concat();
    exchange.answer(&Answer::of(200, "text/event-stream", [event.clone(), event].concat()))
}

fn seven(exchange: &mut Exchange, _: &str) -> After {
    exchange.answer(&Answer::of(200, "application/json", "7"))
}

fn redirect(exchange: &mut Exchange, argument: &str) -> After {
    let (status, to) = argument.split_once(':').unwrap_or(("307", argument));
    exchange.answer(&Answer::empty(status.parse().unwrap_or(307)).with("Location", to))
}

fn lose_session(exchange: &mut Exchange, argument: &str) -> After {
    exchange.server.forget_sessions();
    let (status, form) = argument.split_once(':').unwrap_or((argument, "text"));
    let status = status.parse().unwrap_or(404);
    let text = match status {
        400 => "Bad Request: No valid session ID provided",
        401 => "Unauthorized: Session not found",
        _ => "Session not found",
    };
    if form == "rpc" {
        let code = if status == 400 { -32600 } else { -32001 };
        return exchange.answer(&Answer::json(status, &message::error(&serde_json::Value::Null, code, text)));
    }
    exchange.answer(&Answer::of(status, "text/plain", text))
}

fn busy(exchange: &mut Exchange, argument: &str) -> After {
    let mut parts = argument.split(':');
    let status = parts.next().and_then(|text| text.parse().ok()).unwrap_or(503);
    let form = parts.next().unwrap_or_default();
    let seconds = number(parts.next().unwrap_or_default(), 1);
    let after = date::after(seconds, form).unwrap_or_else(|| seconds.to_string());
    exchange.answer(&Answer::of(status, "text/plain", "Come back later\n").with("Retry-After", after))
}

fn rate_limit(exchange: &mut Exchange, argument: &str) -> After {
    let seconds = number(argument, 1).to_string();
    exchange.answer(&Answer::of(429, "text/plain", "Too many requests\n").with("Retry-After", seconds))
}
