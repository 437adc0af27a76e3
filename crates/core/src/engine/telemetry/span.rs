//! One request or notification that is over, and how it is told: a span of OTLP/JSON (`opentelemetry-proto`, `trace/v1`).

use super::context::{TraceContext, TraceState, push_hex};
use super::{ATTRIBUTES, Attribute, Decision, OTHER};
use crate::engine::{Error, Status};
use crate::json;
use crate::protocol::address::{without_password, without_passwords};
use crate::protocol::{Revision, error_code, method};
use std::borrow::Cow;
use std::fmt;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The most bytes of a value that others wrote.
const MOST: usize = 1024;

/// Who tells of a request. The numbers are the kinds of spans in OTLP.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The receiver.
    Server = 2,
    /// The sender.
    Client = 3,
}

/// Why a request failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// `error.type`: a code as text, `tool_error`, or the name of a status.
    kind: Cow<'static, str>,
    /// The code of the JSON-RPC error.
    code: Option<i64>,
    message: Option<Box<str>>,
}

impl Failure {
    /// The peer's, or our own, JSON-RPC error.
    pub fn spoken(code: i64, message: &str) -> Failure {
        Failure { kind: code.to_string().into(), code: Some(code), message: Some(told_text(message)) }
    }

    /// A JSON-RPC error as JSON text.
    pub fn written(error: &str) -> Failure {
        let [code, message] = ["code", "message"].map(|name| json::member(error, name));
        let code = code.and_then(|code| code.parse().ok()).unwrap_or_default();
        Failure::spoken(code, &message.and_then(json::string).unwrap_or_default())
    }

    /// The result of a tool that says that its work failed.
    pub fn of_tool() -> Failure {
        Failure { kind: "tool_error".into(), code: None, message: None }
    }

    /// Nothing was answered.
    pub fn named(kind: &'static str) -> Failure {
        Failure { kind: kind.into(), code: None, message: None }
    }

    /// What a call ended with.
    pub fn of(error: &Error) -> Failure {
        match error.code.filter(|_| error.status == Status::Server) {
            Some(code) => Failure::spoken(code, &error.message),
            None => {
                let message = Some(told_text(&error.message));
                Failure { kind: error.status.as_str().into(), code: None, message }
            }
        }
    }
}

/// What the layer above knows of the connection.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Peer {
    /// `network.transport`; empty where that is not known.
    pub transport: &'static str,
    /// Whether it is HTTP.
    pub is_http: bool,
    /// The version of HTTP, such as `1.1`; empty where that is not known.
    pub http_version: &'static str,
    /// The host of the server, for a client that knows it.
    pub address: Option<Box<str>>,
    /// Its port.
    pub port: Option<u16>,
}

/// A pair of the same moment on both clocks.
#[derive(Clone, Copy, Debug)]
pub struct WallClock {
    /// On the clock that never goes back.
    pub at: Instant,
    /// Since the beginning of 1970.
    pub unix: Duration,
}

impl WallClock {
    /// The nanoseconds since 1970 of another moment.
    pub fn nanos(&self, of: Instant) -> u64 {
        let unix = match of.checked_duration_since(self.at) {
            Some(later) => self.unix.saturating_add(later),
            None => self.unix.saturating_sub(self.at.saturating_duration_since(of)),
        };
        u64::try_from(unix.as_nanos()).unwrap_or(u64::MAX)
    }
}

/// A request that is over.
#[derive(Clone)]
pub struct RequestSpan {
    /// Who tells of it.
    pub side: Side,
    /// Its method, one that the library knows or [`OTHER`].
    pub method: Cow<'static, str>,
    /// The name of the tool or the prompt: on the receiver only one that is registered.
    pub target: Option<Box<str>>,
    /// The URI of the resource.
    pub uri: Option<Box<str>>,
    /// Its id, without quotes.
    pub request: Option<Box<str>>,
    /// The revision spoken.
    pub revision: Option<Revision>,
    /// What was decided when it began.
    pub decision: Decision,
    /// The state of its trace.
    pub state: TraceState,
    /// The context of the transport, where its parent is another.
    pub link: Option<TraceContext>,
    /// When it was sent, or arrived.
    pub begun: Instant,
    /// When its answer came, or went out.
    pub ended: Instant,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// Whether it came over HTTP, for the receiver.
    pub is_http: bool,
    /// Whether it is a whole session, which is counted and becomes no span.
    pub is_session: bool,
}

/// Without the moments: what a simulation prints is the same each time.
impl fmt::Debug for RequestSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RequestSpan { side, method, target, decision, failure, .. } = self;
        write!(f, "{side:?} of {method} {target:?} {decision:?} for {:?}: {failure:?}", self.duration())
    }
}

/// A value of an attribute.
enum Value<'a> {
    Text(&'a str),
    Number(i64),
}

impl RequestSpan {
    /// One that begins. The rest is known at its end.
    pub fn new(side: Side, method: Cow<'static, str>, decision: Decision, begun: Instant) -> RequestSpan {
        RequestSpan {
            side,
            method,
            target: None,
            uri: None,
            request: None,
            revision: None,
            decision,
            state: None,
            link: None,
            begun,
            ended: begun,
            failure: None,
            is_http: false,
            is_session: false,
        }
    }

    /// A session that begins.
    pub fn session(side: Side, begun: Instant) -> RequestSpan {
        RequestSpan { is_session: true, ..RequestSpan::new(side, "".into(), Decision::COUNTED, begun) }
    }

    /// The name of a method in spans and metrics: received names that mean nothing here are one.
    pub fn method_name(name: &str, is_extension: bool) -> Cow<'static, str> {
        match method::find(name) {
            Some(row) => Cow::Borrowed(row.name),
            None if is_extension => Cow::Owned(name.to_owned()),
            None => Cow::Borrowed(OTHER),
        }
    }

    /// What a request is about, from its parameters: the name of a tool or a prompt, and the URI of a resource.
    pub fn subject(method: &str, params: &str) -> (Option<Box<str>>, Option<Box<str>>) {
        let text = |name| json::member(params, name).and_then(json::string);
        match method {
            method::TOOLS_CALL | method::PROMPTS_GET => (text("name").map(|name| shortened(&name)), None),
            method::RESOURCES_READ | method::SUBSCRIBE | method::UNSUBSCRIBE | method::RESOURCE_UPDATED => {
                (None, text("uri").map(|uri| shortened(&without_password(&uri))))
            }
            _ => (None, None),
        }
    }

    /// Whether a result of a method says that its work failed.
    pub fn is_failed_tool(method: &str, result: &str) -> bool {
        method == method::TOOLS_CALL && json::member(result, "isError") == Some("true")
    }

    /// Hands `give` each attribute, in the order of the table.
    fn each_attribute(&self, peer: &Peer, mut give: impl FnMut(&Attribute, Value<'_>)) {
        let is_http = peer.is_http || self.is_http;
        let code = self.failure.as_ref().and_then(|failure| failure.code).map(|code| code.to_string());
        let of = |method: &str| self.target.as_deref().filter(|_| self.method == method);
        let version = Some(peer.http_version).filter(|version| is_http && !version.is_empty());
        let is_tool = self.method == method::TOOLS_CALL;
        for attribute in &ATTRIBUTES {
            let text = match attribute.name {
                "mcp.method.name" => Some(&*self.method).filter(|_| !self.is_session),
                "error.type" => self.failure.as_ref().map(|failure| &*failure.kind),
                "rpc.response.status_code" => code.as_deref(),
                "gen_ai.operation.name" => is_tool.then_some("execute_tool"),
                "gen_ai.tool.name" => of(method::TOOLS_CALL),
                "gen_ai.prompt.name" => of(method::PROMPTS_GET),
                "mcp.protocol.version" => self.revision.map(Revision::as_str),
                "network.transport" => match peer.transport {
                    "" => is_http.then_some("tcp"),
                    known => Some(known),
                },
                "network.protocol.name" => is_http.then_some("http"),
                "network.protocol.version" => version,
                "server.address" => peer.address.as_deref(),
                "jsonrpc.request.id" => self.request.as_deref(),
                "mcp.resource.uri" => self.uri.as_deref(),
                "server.port" => {
                    if let Some(port) = peer.port {
                        give(attribute, Value::Number(port.into()));
                    }
                    None
                }
                _ => None,
            };
            if let Some(text) = text {
                give(attribute, Value::Text(text));
            }
        }
    }

    /// The attributes of its metric, as they stand in OTLP/JSON without the brackets: what tells one series from another.
    pub fn series(&self, peer: &Peer) -> String {
        let mut out = String::with_capacity(256);
        let code = self.failure.as_ref().and_then(|failure| failure.code);
        let has_known_code = code.is_none_or(|code| error_code::ALL.contains(&code));
        self.each_attribute(peer, |attribute, value| {
            let is_code = matches!(attribute.name, "error.type" | "rpc.response.status_code");
            let value = match value {
                // The peer chooses it.
                Value::Text(_) if is_code && !has_known_code => Value::Text(OTHER),
                known => known,
            };
            // The conventions have no code of an answer for a session.
            let is_counted =
                attribute.is_measured && !(self.is_session && attribute.name == "rpc.response.status_code");
            if is_counted {
                push_attribute(&mut out, attribute.name, &value);
            }
        });
        out
    }

    /// The histogram that counts it.
    pub fn metric(&self) -> &'static str {
        match (self.side, self.is_session) {
            (Side::Client, false) => "mcp.client.operation.duration",
            (Side::Server, false) => "mcp.server.operation.duration",
            (Side::Client, true) => "mcp.client.session.duration",
            (Side::Server, true) => "mcp.server.session.duration",
        }
    }

    /// What a counter of the application's needs of it: the histogram, its duration in seconds, and its attributes.
    pub fn to_measurement(&self, peer: &Peer) -> String {
        let (name, seconds, attributes) = (self.metric(), self.duration().as_secs_f64(), self.series(peer));
        format!("{{\"name\":\"{name}\",\"value\":{seconds},\"attributes\":[{attributes}]}}")
    }

    /// Its duration.
    pub fn duration(&self) -> Duration {
        self.ended.saturating_duration_since(self.begun)
    }

    /// The span, a JSON object as `ResourceSpans.scopeSpans.spans` has it.
    pub fn to_json(&self, peer: &Peer, clock: WallClock) -> String {
        let context = &self.decision.context;
        let mut out = String::with_capacity(768);
        out.push_str("{\"traceId\":\"");
        context.push_trace(&mut out);
        out.push_str("\",\"spanId\":\"");
        push_hex(context.span, &mut out);
        if self.decision.parent != 0 {
            out.push_str("\",\"parentSpanId\":\"");
            push_hex(self.decision.parent, &mut out);
        }
        out.push('"');
        if let Some(state) = &self.state {
            out.push_str(",\"traceState\":");
            json::quote_into(state, &mut out);
        }
        // The low byte has the flags of Trace Context.
        let _infallible = write!(out, ",\"flags\":{}", u8::from(context.is_sampled));
        out.push_str(",\"name\":");
        match &self.target {
            Some(target) => json::quote_into(&format!("{} {target}", self.method), &mut out),
            None => json::quote_into(&self.method, &mut out),
        }
        let (begun, ended) = (clock.nanos(self.begun), clock.nanos(self.ended));
        let _infallible = write!(
            out,
            ",\"kind\":{},\"startTimeUnixNano\":\"{begun}\",\"endTimeUnixNano\":\"{ended}\",\"attributes\":[",
            self.side as u8
        );
        let mut attributes = String::new();
        self.each_attribute(peer, |attribute, value| push_attribute(&mut attributes, attribute.name, &value));
        out.push_str(&attributes);
        out.push(']');
        if let Some(link) = &self.link {
            out.push_str(",\"links\":[{\"traceId\":\"");
            link.push_trace(&mut out);
            out.push_str("\",\"spanId\":\"");
            push_hex(link.span, &mut out);
            out.push_str("\"}]");
        }
        out.push_str(",\"status\":{");
        if let Some(failure) = &self.failure {
            out.push_str("\"code\":2");
            if let Some(message) = &failure.message {
                out.push_str(",\"message\":");
                json::quote_into(message, &mut out);
            }
        }
        out.push_str("}}");
        out
    }
}

fn push_attribute(out: &mut String, name: &str, value: &Value<'_>) {
    if !out.is_empty() {
        out.push(',');
    }
    out.push_str("{\"key\":\"");
    out.push_str(name);
    match value {
        Value::Text(text) => {
            out.push_str("\",\"value\":{\"stringValue\":");
            json::quote_into(text, out);
        }
        // 64 bits are text in the JSON of Protocol Buffers.
        Value::Number(number) => {
            let _infallible = write!(out, "\",\"value\":{{\"intValue\":\"{number}\"");
        }
    }
    out.push_str("}}");
}

/// The words of others, without passwords, and no more of them than are kept.
fn told_text(text: &str) -> Box<str> {
    shortened(&without_passwords(text))
}

/// The start of a text, at the end of a character.
fn shortened(text: &str) -> Box<str> {
    let mut end = text.len().min(MOST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn decision() -> Decision {
        let context = TraceContext { trace: 0xabc, span: 0xdef, is_sampled: true };
        Decision { context, parent: 0, is_kept: true, is_measured: true }
    }

    fn span(side: Side, method: &str) -> RequestSpan {
        let begun = Instant::now();
        let mut made = RequestSpan::new(side, RequestSpan::method_name(method, false), decision(), begun);
        made.ended = begun + Duration::from_millis(5);
        made
    }

    fn told(span: &RequestSpan, peer: &Peer) -> Json {
        let clock = WallClock { at: span.begun, unix: Duration::from_secs(1_764_316_800) };
        serde_json::from_str(&span.to_json(peer, clock)).expect("JSON")
    }

    fn attributes(span: &Json) -> Json {
        let all = span["attributes"].as_array().expect("an array");
        let value = |one: &Json| one["value"].as_object().and_then(|it| it.values().next().cloned());
        Json::Object(
            all.iter().filter_map(|one| Some((one["key"].as_str()?.to_owned(), value(one)?))).collect(),
        )
    }

    #[test]
    fn a_span_without_anything_is_the_example_of_the_protocol() {
        let span = told(&span(Side::Client, "ping"), &Peer::default());
        assert_eq!(
            span,
            json!({"traceId": "00000000000000000000000000000abc", "spanId": "0000000000000def", "flags": 1, "name": "ping",
                "kind": 3, "startTimeUnixNano": "1764316800000000000", "endTimeUnixNano": "1764316800005000000",
                "attributes": [{"key": "mcp.method.name", "value": {"stringValue": "ping"}}], "status": {}})
        );
    }

    #[test]
    fn a_span_says_all_that_is_known() {
        let mut made = span(Side::Server, "tools/call");
        made.decision.parent = 0x77;
        made.target = Some("add \"two\"".into());
        made.request = Some("7".into());
        made.revision = Some(Revision::V2025_11_25);
        made.state = Some("a=1".into());
        made.link = Some(TraceContext { trace: 1, span: 2, is_sampled: false });
        made.failure = Some(Failure::spoken(-32602, "no \"such\" thing"));
        let peer = Peer {
            transport: "tcp",
            is_http: true,
            http_version: "1.1",
            address: Some("example.com".into()),
            port: Some(8443),
        };
        let span = told(&made, &peer);
        assert_eq!((&span["name"], &span["kind"]), (&json!("tools/call add \"two\""), &json!(2)));
        assert_eq!(span["parentSpanId"], "0000000000000077");
        assert_eq!(span["traceState"], "a=1");
        assert_eq!(
            span["links"],
            json!([{"traceId": format!("{:032x}", 1), "spanId": format!("{:016x}", 2)}])
        );
        assert_eq!(span["status"], json!({"code": 2, "message": "no \"such\" thing"}));
        assert_eq!(
            attributes(&span),
            json!({"mcp.method.name": "tools/call", "error.type": "-32602", "rpc.response.status_code": "-32602",
                "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "add \"two\"",
                "mcp.protocol.version": "2025-11-25", "network.transport": "tcp", "network.protocol.name": "http",
                "network.protocol.version": "1.1", "server.address": "example.com", "server.port": "8443",
                "jsonrpc.request.id": "7"})
        );
        let series: Json = serde_json::from_str(&format!("[{}]", made.series(&peer))).expect("JSON");
        assert!(!series.to_string().contains("jsonrpc.request.id"), "{series}");
    }

    #[test]
    fn the_status_is_an_error_exactly_when_there_is_an_error_type() {
        let timeout = Error::new(Status::Timeout, "tools/call", "no answer within 5 s");
        let mut refused = Error::new(Status::Server, "tools/call", "no");
        refused.code = Some(-32000);
        for (failure, kind, message) in [
            (Failure::of_tool(), "tool_error", None),
            (Failure::named("cancelled"), "cancelled", None),
            (Failure::of(&timeout), "timeout", Some("no answer within 5 s")),
            (Failure::of(&refused), "-32000", Some("no")),
            (Failure::spoken(-1, "at http://u:pw@h/x?a"), "-1", Some("at http://****@h/x?a")),
        ] {
            let mut made = span(Side::Client, "tools/call");
            made.failure = Some(failure);
            let span = told(&made, &Peer::default());
            assert_eq!(attributes(&span)["error.type"], kind);
            assert_eq!((&span["status"]["code"], &span["status"]["message"]), (&json!(2), &json!(message)));
            assert_eq!(attributes(&span).get("rpc.response.status_code").is_some(), kind.starts_with('-'));
        }
        let plain = told(&span(Side::Client, "tools/call"), &Peer::default());
        assert!(attributes(&plain).get("error.type").is_none() && plain["status"] == json!({}));
    }

    #[test]
    fn each_method_has_the_subject_that_the_conventions_name() {
        let params = r#"{"name":"n","uri":"u://x","other":1}"#;
        for (method, expected) in [
            ("tools/call", (Some("n"), None)),
            ("prompts/get", (Some("n"), None)),
            ("resources/read", (None, Some("u://x"))),
            ("resources/subscribe", (None, Some("u://x"))),
            ("resources/unsubscribe", (None, Some("u://x"))),
            ("tools/list", (None, None)),
            ("completion/complete", (None, None)),
        ] {
            let (target, uri) = RequestSpan::subject(method, params);
            assert_eq!((target.as_deref(), uri.as_deref()), expected, "{method}");
        }
        let (_, uri) = RequestSpan::subject("resources/read", r#"{"uri":"http://u:p w@h/x"}"#);
        assert_eq!(uri.as_deref(), Some("http://****@h/x"));
        let long = format!("{{\"name\":\"{}\"}}", "é".repeat(2000));
        let (target, _) = RequestSpan::subject("tools/call", &long);
        assert_eq!(target.map(|name| name.len()), Some(MOST));
    }

    #[test]
    fn a_method_that_is_not_known_has_no_name_of_its_own() {
        assert_eq!(RequestSpan::method_name("tools/call", false), "tools/call");
        assert_eq!(RequestSpan::method_name("com.example/x", true), "com.example/x");
        assert_eq!(RequestSpan::method_name("com.example/x", false), OTHER);
    }

    #[test]
    fn a_moment_is_told_by_the_calendar() {
        let early = Instant::now();
        let at = early + Duration::from_secs(10);
        let clock = WallClock { at, unix: Duration::from_secs(100) };
        assert_eq!(clock.nanos(at + Duration::from_nanos(1)), 100_000_000_001);
        assert_eq!(clock.nanos(early), 90_000_000_000);
    }
}
