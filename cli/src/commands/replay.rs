//! `replay`: a trace as a server, and a trace sent again to a server.

use super::snapshot::{Differing, differing};
use crate::arguments::{Common, Format, Replay};
use crate::bridge::{with, without};
use crate::failure::Failure;
use crate::output::{ERROR, FAINT, STRONG, Screen, Text, counted, one_line, styled, text};
use crate::questions::Questions;
use crate::recording::{self, Record};
use crate::redact;
use crate::session::Session;
use crate::target::split;
use mcp::client::Status;
use mcp::client::json_text::{canonical, member, quote, string};
use mcp::client::names::{INVALID_PARAMS, METHOD_NOT_FOUND};
use serde_json::json;
use std::collections::{BTreeSet, HashMap};
use std::io::{BufRead, Read as _, Write};

/// The largest message of a client that is played to.
const LINE: u64 = 64 << 20;
/// Methods that are about the connection: they are answered whatever their parameters are, and not sent again.
const OF_CONNECTION: [&str; 4] = ["initialize", "server/discover", "ping", "logging/setLevel"];
/// What stands in a trace for a secret, which may be a part of a text.
const MASK: &str = "****";

/// A request of a trace and its answer.
#[derive(Debug)]
struct Exchange {
    method: String,
    /// JSON text, without what belongs to the connection.
    params: String,
    /// The same in one form, as a client's are compared with it.
    compared: String,
    /// What the server sent before the answer: notifications and questions.
    before: Vec<String>,
    /// `result` or `error`, and the value.
    answer: Option<(&'static str, String)>,
    is_used: bool,
}

pub fn replay(screen: Screen, replay: &Replay, common: &Common) -> Result<(), Failure> {
    let mut exchanges = exchanges(&recording::read(&replay.file)?);
    let (words, program) = (&replay.place.words, &replay.place.program);
    if words.is_empty() && program.is_empty() {
        return play(&mut exchanges, std::io::stdin().lock(), &mut std::io::stdout().lock());
    }
    let (target, rest) = split(words, program, common)?;
    if let Some(extra) = rest.first() {
        return Err(Failure::usage(format!("'{extra}' is one word too many; see --help")));
    }
    let session = Session::open(target, common, Questions::new(None), None)?;
    again(screen, &session, &exchanges)
}

/// The requests of clients in a trace, in their order, with what came for each.
fn exchanges(records: &[Record]) -> Vec<Exchange> {
    let mut all: Vec<Exchange> = Vec::new();
    // The requests without an answer, by process, session and id; and their places in each session, the newest last.
    let mut open = HashMap::new();
    let mut newest: HashMap<_, BTreeSet<usize>> = HashMap::new();
    for Record { from, session, run, data, .. } in records.iter().filter(|record| record.kind == "message") {
        let session = (run, session);
        let method = member(data, "method").and_then(string);
        let id = member(data, "id").map(canonical);
        match (from.as_str(), method, id) {
            ("client", Some(method), Some(id)) => {
                let before = open.insert((session, id), all.len());
                let places = newest.entry(session).or_default();
                before.map(|at| places.remove(&at));
                places.insert(all.len());
                let params = without(member(data, "params").unwrap_or("{}"), &["_meta"]);
                all.push(Exchange {
                    method: method.into_owned(),
                    // A trace of an earlier version may have what would be masked now.
                    compared: canonical(&redact::message(&params)),
                    params,
                    before: Vec::new(),
                    answer: None,
                    is_used: false,
                });
            }
            ("server", None, Some(id)) => {
                let Some(at) = open.remove(&(session, id)) else { continue };
                newest.entry(session).or_default().remove(&at);
                let Some(exchange) = all.get_mut(at) else { continue };
                let error = member(data, "error").map(|error| ("error", error.to_owned()));
                exchange.answer = member(data, "result").map(|it| ("result", it.to_owned())).or(error);
            }
            // It belongs to the newest request of its session that has no answer.
            ("server", Some(_), _) => {
                let at = newest.get(&session).and_then(BTreeSet::last);
                if let Some(exchange) = at.and_then(|at| all.get_mut(*at)) {
                    exchange.before.push(data.clone());
                }
            }
            _ => {}
        }
    }
    all
}

/// Answers a client from a trace until it ends.
fn play(exchanges: &mut [Exchange], mut from: impl BufRead, to: &mut impl Write) -> Result<(), Failure> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = from.by_ref().take(LINE).read_until(b'\n', &mut line);
        let count = read.map_err(|error| Failure::machine(format!("the client cannot be read: {error}")))?;
        if count == 0 {
            return Ok(());
        }
        if count as u64 >= LINE {
            return Err(Failure::machine(format!("the client sent a message of more than {LINE} bytes")));
        }
        let text = String::from_utf8_lossy(&line);
        for message in answers(exchanges, text.trim()) {
            let written = to.write_all(message.as_bytes()).and_then(|()| to.write_all(b"\n"));
            // A client that reads nothing more has ended.
            if written.and_then(|()| to.flush()).is_err() {
                return Ok(());
            }
        }
    }
}

/// What the server sends for a message.
fn answers(exchanges: &mut [Exchange], message: &str) -> Vec<String> {
    let method = member(message, "method").and_then(string);
    let (Some(method), Some(id)) = (method, member(message, "id")) else { return Vec::new() };
    let answer = |what: &str, value: &str| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"{what}\":{value}}}");
    // The trace has no secrets, and what is compared with it has none either.
    let shown = redact::message(&without(member(message, "params").unwrap_or("{}"), &["_meta"]));
    let shown = canonical(&shown);
    let is_it = |one: &Exchange| {
        let is_same = OF_CONNECTION.contains(&&*method) || one.compared == shown;
        one.method == method && one.answer.is_some() && is_same
    };
    // The next one that is the same; the last one comes again.
    let next = exchanges.iter().position(|one| is_it(one) && !one.is_used);
    let Some(at) = next.or_else(|| exchanges.iter().rposition(is_it)) else {
        let has_method = exchanges.iter().any(|one| one.method == method);
        let (code, why) = match (has_method, &*method) {
            (false, "ping") => return vec![answer("result", "{}")],
            (false, _) => (METHOD_NOT_FOUND, format!("the trace has no request '{}'", one_line(&method))),
            (true, _) => {
                let what = format!("the trace has '{}', but not with these parameters", one_line(&method));
                (INVALID_PARAMS, what)
            }
        };
        return vec![answer("error", &json!({"code": code, "message": why}).to_string())];
    };
    let Some(exchange) = exchanges.get_mut(at) else { return Vec::new() };
    exchange.is_used = true;
    let token = member(message, "params")
        .and_then(|it| member(it, "_meta"))
        .and_then(|it| member(it, "progressToken"));
    let mut all: Vec<String> = exchange.before.iter().filter_map(|sent| with_token(sent, token)).collect();
    if let Some((what, value)) = &exchange.answer {
        all.push(answer(what, value));
    }
    all
}

/// A message of the server, whose progress is that of this client's request; `None` if the client wants no progress.
fn with_token(message: &str, token: Option<&str>) -> Option<String> {
    if member(message, "method").and_then(string).as_deref() != Some("notifications/progress") {
        return Some(message.to_owned());
    }
    let params = with(member(message, "params").unwrap_or("{}"), "progressToken", token?);
    Some(with(message, "params", &params))
}

/// What became of a request that was sent again.
struct Outcome<'e> {
    exchange: &'e Exchange,
    differing: Vec<Differing>,
}

/// Sends the requests of a trace again, and shows what differs.
fn again(screen: Screen, session: &Session, exchanges: &[Exchange]) -> Result<(), Failure> {
    let mut outcomes = Vec::new();
    let (mut sent, mut masked) = (0, 0);
    for exchange in exchanges {
        let Some((what, before)) = &exchange.answer else { continue };
        if OF_CONNECTION.contains(&exchange.method.as_str()) {
            continue;
        }
        if !can_be_sent(exchange) {
            masked += 1;
            continue;
        }
        sent += 1;
        let outcome = session.raw(&exchange.method, Some(&exchange.params))?;
        let (now_what, now) = match outcome.status() {
            Status::Ok => ("result", outcome.json()),
            Status::Server => ("error", outcome.json()),
            _ => return Err(session.failed(&outcome)),
        };
        let differing = match *what == now_what {
            true => differing(&comparable(before), &comparable(&redact::message(now))),
            false => vec![(
                String::new(),
                Some(format!("{{\"{what}\":{before}}}")),
                Some(format!("{{\"{now_what}\":{}}}", redact::message(now))),
            )],
        };
        if !differing.is_empty() {
            outcomes.push(Outcome { exchange, differing });
        }
    }
    write(screen, &outcomes)?;
    if masked > 0 {
        Screen::note(styled(
            FAINT,
            format!("not sent for their masked secrets: {}", counted(masked, "request")),
        ));
    }
    let said = format!("sent again: {}; answered differently: {}", counted(sent, "request"), outcomes.len());
    if outcomes.is_empty() {
        if screen.format == Format::Text {
            Screen::note(styled(FAINT, said));
        }
        return Ok(());
    }
    Err(Failure::found(said))
}

/// Whether a request is in the trace as it was: its secrets are not.
fn can_be_sent(exchange: &Exchange) -> bool {
    !exchange.params.contains(MASK)
}

/// What counts of a result: not its type and cache hints, which are the connection's.
fn comparable(result: &str) -> String {
    without(result, &["_meta", "resultType", "ttlMs", "cacheScope"])
}

fn write(screen: Screen, outcomes: &[Outcome<'_>]) -> Result<(), Failure> {
    match screen.format {
        Format::Json | Format::Yaml => {
            let one = |it: &Outcome<'_>| {
                let members = it.differing.iter().map(|(path, old, new)| {
                    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "null".to_owned());
                    format!("{{\"path\":{},\"old\":{},\"new\":{}}}", quote(path), value(old), value(new))
                });
                format!(
                    "{{\"method\":{},\"params\":{},\"members\":[{}]}}",
                    quote(&it.exchange.method),
                    it.exchange.params,
                    members.collect::<Vec<_>>().join(",")
                )
            };
            screen.json(&format!(
                "{{\"differing\":[{}]}}",
                outcomes.iter().map(one).collect::<Vec<_>>().join(",")
            ))
        }
        Format::Names => {
            screen.names(&outcomes.iter().map(|it| it.exchange.method.clone()).collect::<Vec<_>>())
        }
        Format::Text => screen.write(outcomes.iter().map(as_text).collect::<Text>()),
    }
}

fn as_text(outcome: &Outcome<'_>) -> Text {
    let Exchange { method, params, .. } = outcome.exchange;
    let params = if params == "{}" { String::new() } else { one_line(params) };
    let mut text = text!["~ ", styled(STRONG, one_line(method)), " ", styled(FAINT, params), "\n"];
    for (path, old, new) in &outcome.differing {
        if !path.is_empty() {
            text.push(text!["    ", one_line(path), "\n"]);
        }
        for (sign, value, style) in [('-', old, FAINT), ('+', new, ERROR)] {
            for line in value.iter().flat_map(|value| value.lines()) {
                text.push(text!["      ", styled(style, format!("{sign} {}", one_line(line))), "\n"]);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(from: &str, session: u64, data: &str) -> Record {
        Record {
            t: 0.0,
            kind: "message".to_owned(),
            from: from.to_owned(),
            session: Some(session),
            run: None,
            data: data.to_owned(),
        }
    }

    fn of_trace() -> Vec<Exchange> {
        exchanges(&[
            record("client", 1, r#"{"id":1,"method":"initialize","params":{"clientInfo":{"name":"a"}}}"#),
            record("server", 1, r#"{"id":1,"result":{"protocolVersion":"2025-06-18"}}"#),
            record("client", 1, r#"{"method":"notifications/initialized"}"#),
            record(
                "client",
                1,
                r#"{"id":2,"method":"tools/call","params":{"name":"n","arguments":{"token":"****"},"_meta":{"progressToken":9}}}"#,
            ),
            // Another session has the same id.
            record("client", 2, r#"{"id":2,"method":"tools/call","params":{"name":"m"}}"#),
            record(
                "server",
                1,
                r#"{"method":"notifications/progress","params":{"progressToken":9,"progress":1}}"#,
            ),
            record("server", 2, r#"{"id":2,"error":{"code":-1,"message":"no"}}"#),
            record("server", 1, r#"{"id":2,"result":{"content":[1]}}"#),
            record(
                "client",
                1,
                r#"{"id":"x","method":"tools/call","params":{"arguments":{"token":"****"},"name":"n"}}"#,
            ),
            record("server", 1, r#"{"id":"x","result":{"content":[2]}}"#),
            record("client", 1, r#"{"id":5,"method":"never/answered"}"#),
        ])
    }

    #[test]
    fn c31_requests_are_answered_in_their_order_and_the_last_answer_comes_again() {
        let mut all = of_trace();
        let mut ask = |message: &str| answers(&mut all, message);
        assert_eq!(
            ask(r#"{"id":7,"method":"initialize","params":{"clientInfo":{"name":"b"}}}"#),
            [r#"{"jsonrpc":"2.0","id":7,"result":{"protocolVersion":"2025-06-18"}}"#]
        );
        assert!(ask(r#"{"method":"notifications/initialized"}"#).is_empty());
        let call = |token: &str| {
            format!(
                r#"{{"id":8,"method":"tools/call","params":{{"name":"n","arguments":{{"token":"s3cret"}}{token}}}}}"#
            )
        };
        assert_eq!(
            ask(&call(r#","_meta":{"progressToken":"p"}"#)),
            [
                r#"{"method":"notifications/progress","params":{"progress":1,"progressToken":"p"}}"#,
                r#"{"jsonrpc":"2.0","id":8,"result":{"content":[1]}}"#
            ]
        );
        for _ in 0..2 {
            assert_eq!(ask(&call("")), [r#"{"jsonrpc":"2.0","id":8,"result":{"content":[2]}}"#]);
        }
        for (message, code, why) in [
            (
                r#"{"id":9,"method":"tools/call","params":{"name":"z"}}"#,
                "-32602",
                "not with these parameters",
            ),
            (r#"{"id":9,"method":"prompts/list"}"#, "-32601", "no request 'prompts/list'"),
            (r#"{"id":9,"method":"never/answered"}"#, "-32602", "not with these"),
        ] {
            let said = ask(message).join("");
            assert!(said.contains(code) && said.contains(why), "{message}: {said}");
        }
        assert_eq!(ask(r#"{"id":9,"method":"ping"}"#), [r#"{"jsonrpc":"2.0","id":9,"result":{}}"#]);
        assert_eq!(
            ask(r#"{"id":9,"method":"tools/call","params":{"name":"m"}}"#),
            [r#"{"jsonrpc":"2.0","id":9,"error":{"code":-1,"message":"no"}}"#]
        );
    }

    #[test]
    fn c31_a_request_with_a_masked_part_is_not_sent_again() {
        for (params, is_sent) in [
            (r#"{"token":"s3cret"}"#, false),
            (r#"{"url":"https://u:s3cret@x/"}"#, false),
            (r#"{"text":"send Bearer abcdefghijklmnop123 on"}"#, false),
            (r#"{"text":"{\"key\":\"s3cret\"}"}"#, false),
            (r#"{"text":"plain"}"#, true),
        ] {
            let request = format!("{{\"id\":1,\"method\":\"m\",\"params\":{params}}}");
            let all = exchanges(&[record("client", 1, &redact::message(&request))]);
            assert_eq!(all.iter().map(can_be_sent).collect::<Vec<_>>(), [is_sent], "{params}");
        }
    }

    #[test]
    fn c31_what_a_server_sends_belongs_to_the_newest_open_request_of_its_session() {
        let all = exchanges(&[
            record("client", 1, r#"{"id":1,"method":"a"}"#),
            record("client", 1, r#"{"id":2,"method":"b"}"#),
            record("client", 2, r#"{"id":3,"method":"c"}"#),
            record("server", 1, r#"{"method":"n1"}"#),
            record("server", 1, r#"{"id":2,"result":{}}"#),
            record("server", 1, r#"{"method":"n2"}"#),
            // The same id again: the first request is given up.
            record("client", 1, r#"{"id":1,"method":"d"}"#),
            record("server", 1, r#"{"id":1,"result":{}}"#),
            record("server", 1, r#"{"method":"n3"}"#),
        ]);
        let before: Vec<(&str, Vec<&str>)> = all
            .iter()
            .map(|one| {
                (one.method.as_str(), one.before.iter().filter_map(|it| member(it, "method")).collect())
            })
            .collect();
        let seen = [("a", vec!["\"n2\""]), ("b", vec!["\"n1\""]), ("c", vec![]), ("d", vec![])];
        assert_eq!(before, seen);
    }

    #[test]
    fn c31_a_client_is_answered_line_by_line_to_its_end() {
        let mut all = of_trace();
        let from = "{\"id\":1,\"method\":\"initialize\"}\nnonsense\n{\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"m\"}}\n";
        let mut to = Vec::new();
        play(&mut all, from.as_bytes(), &mut to).expect("played");
        let said = String::from_utf8(to).expect("text");
        assert_eq!(said.lines().count(), 2, "{said}");
    }
}
