//! Answers that are wrong as bytes: cut off, too long, no JSON, no UTF-8, with things in between.

use std::sync::Arc;

use serde_json::Value;

use super::{Tool, right_after, t};
use crate::message;
use crate::script::Death;
use crate::session::{Call, Session};

pub const TOOLS: &[Tool] = &[
    t("half", "{then?, code?}", "Half an answer, and then death; then: \"hang\" only goes silent.", half),
    t(
        "garbage",
        "{bom?}",
        "Log lines, a BOM, blank lines before the right answer, which ends with CRLF; bom: it starts with one too.",
        garbage,
    ),
    t("not_messages", "{}", "JSON lines that are no messages, before the right answer.", not_messages),
    t("big", "{bytes}", "A text of that many bytes.", big),
    t("bad_utf8", "{right_after?}", "A text with bytes that are no UTF-8.", bad_utf8),
    t("nul_escape", "{raw?}", "A text with the escape \\u0000; raw: with a NUL byte.", nul_escape),
    t("lone_surrogate", "{right_after?}", "A text with the escape \\ud800 alone.", lone_surrogate),
    t(
        "no_newline_forever",
        "{bytes?, start?, right_after?}",
        "A line of that many bytes without an end, 0 for ever, behind `start`, with $id for the id; right_after ends it.",
        no_newline_forever,
    ),
    t("raw", "{line, right_after?}", "This line as it is, with $id for the id.", raw),
];

/// A right answer with a mark where the bad bytes go.
const MARK: &str = "MARK";

fn marked(session: &Session, call: &Call) -> String {
    message::result(&call.id, session.dress(message::text(format!("before {MARK} after")))).to_string()
}

fn half(session: &Arc<Session>, call: &Call) {
    let whole = message::result(&call.id, session.dress(message::text("never to be read"))).to_string();
    session.out.raw(&whole.as_bytes()[..whole.len() / 2]);
    if call.text("then") != Some("hang") {
        Death::Exit(call.number("code").and_then(|code| i32::try_from(code).ok()).unwrap_or(1)).die();
    }
}

fn garbage(session: &Arc<Session>, call: &Call) {
    let bom = if call.flag("bom") == Some(true) { "\u{feff}" } else { "" };
    let answer = message::result(&call.id, session.dress(message::text("after the garbage")));
    session
        .out
        .raw("plain text\n[WARN] {broken json\n\u{feff}\n\n\r\n  \t\nCRLF text\r\n{\"id\":\n".as_bytes());
    session.answer_with(format!("{bom}{answer}\r").as_bytes());
}

fn not_messages(session: &Arc<Session>, call: &Call) {
    session.out.raw(b"1\n\"text\"\nnull\ntrue\n[]\n{}\n{\"jsonrpc\":\"2.0\"}\n{\"method\":1}\n");
    session.answer(call, message::text("after the lines"));
}

fn big(session: &Arc<Session>, call: &Call) {
    session.answer(call, message::text("x".repeat(call.size("bytes").unwrap_or(0))));
}

fn bad_utf8(session: &Arc<Session>, call: &Call) {
    let line = marked(session, call);
    let (before, after) = line.split_once(MARK).unwrap_or((&line, ""));
    // A stray start, an overlong slash, a surrogate half, and a character that is cut off.
    let bad: &[u8] = b"\xff \xc0\xaf \xed\xa0\x80 \xe2\x82";
    session.answer_with(&[before.as_bytes(), bad, after.as_bytes()].concat());
    right_after(session, call, false);
}

fn nul_escape(session: &Arc<Session>, call: &Call) {
    let nul = if call.flag("raw") == Some(true) { "\0" } else { "\\u0000" };
    session.answer_with(marked(session, call).replace(MARK, nul).as_bytes());
}

fn lone_surrogate(session: &Arc<Session>, call: &Call) {
    session.answer_with(marked(session, call).replace(MARK, "\\ud800").as_bytes());
    right_after(session, call, false);
}

fn no_newline_forever(session: &Arc<Session>, call: &Call) {
    let chunk = vec![b'x'; 64 << 10];
    let start = call.text("start").unwrap_or_default().replace("$id", &call.id.to_string());
    session.out.raw(start.as_bytes());
    let mut left = call.size("bytes").filter(|bytes| *bytes > 0).unwrap_or(usize::MAX);
    while left > 0 {
        let now = left.min(chunk.len());
        if !session.out.raw(&chunk[..now]) {
            break;
        }
        left -= now;
    }
    if call.flag("right_after") == Some(true) {
        session.out.raw(b"\n");
        session.answer(call, message::text("right"));
    }
}

fn raw(session: &Arc<Session>, call: &Call) {
    let line = call.arguments.get("line").and_then(Value::as_str).unwrap_or_default();
    session.answer_with(line.replace("$id", &call.id.to_string()).as_bytes());
    right_after(session, call, false);
}
