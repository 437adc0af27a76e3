//! The tools, and the lists that both eras share. A tool runs on a thread of its own and speaks into the stream of its
//! call, so that it goes on when the connection under it ends.

mod list;
mod talk;
mod tasks;

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::faults::Fault;
use crate::http::Request;
use crate::message;
use crate::server::{Server, Session};
use crate::stream::Stream;

pub use list::{common, headers_of};

pub struct Tool {
    pub name: &'static str,
    /// For `--help`: the arguments, with `?` where one may be left out.
    pub arguments: &'static str,
    pub about: &'static str,
    run: Run,
}

enum Run {
    Answers(fn(&Call) -> Value),
    /// None if there is to be no answer.
    Perhaps(fn(&Call) -> Option<Value>),
}

const fn t(name: &'static str, arguments: &'static str, about: &'static str, run: Run) -> Tool {
    Tool { name, arguments, about, run }
}

pub const TOOLS: &[Tool] = &[
    t("echo", "text", "gives the text back", Run::Answers(echo)),
    t("add", "a, b", "adds two integers; the result is structured", Run::Answers(add)),
    t("slow", "ms", "answers after this time, unless it is cancelled", Run::Perhaps(slow)),
    t("never", "", "does not answer", Run::Perhaps(never)),
    t("fail", "why", "a result that says that the tool failed", Run::Answers(fail)),
    t("big", "bytes", "a text of so many letters", Run::Answers(big)),
    t("crash", "code?", "the process ends, with status 1 or code", Run::Answers(crash)),
    t(
        "fault",
        "do, text?",
        "FAULT of --help instead of the answer, which would be the text",
        Run::Perhaps(never),
    ),
    t("stats", "", "the statistics, as GET /stats of the control", Run::Answers(stats)),
    t(
        "headers",
        "region?, count?, flag?, place?",
        "gives the Mcp-Param headers back (modern)",
        Run::Answers(headers),
    ),
    t("moved", "region", "wants a header that it may not have told of (modern)", Run::Answers(headers)),
    t(
        "notify",
        "count, level?",
        "log messages on the call's own stream, then the answer",
        Run::Answers(talk::notify),
    ),
    t("progress", "steps, ms?", "a progress report for each step", Run::Perhaps(talk::progress)),
    t(
        "ask",
        "method, params?, on?",
        "a request to the client, on the call's stream or on=get; gives the answer",
        Run::Answers(talk::ask),
    ),
    t(
        "push",
        "count",
        "log messages on the stream of the GET (legacy), then the answer",
        Run::Perhaps(talk::push),
    ),
    t(
        "detach",
        "retry?, ms?, cuts?, answer?, id?",
        "an event with an id and retry, then the end of the connection; the answer after ms=100 to a client that comes back; \
         cuts=0 more connections end before; answer=false: none ever; id=false: no client can come back (legacy)",
        Run::Perhaps(talk::detach),
    ),
    t("work", "ms?, poll_ms?", "a task of ms=100, asked about every poll_ms=50", Run::Answers(tasks::work)),
    t("restored", "", "subscriptions and log level of this session (legacy)", Run::Perhaps(restored)),
];

impl Tool {
    fn run(&self, call: &Call) -> Option<Value> {
        match self.run {
            Run::Answers(run) => Some(run(call)),
            Run::Perhaps(run) => run(call),
        }
    }
}

/// One `tools/call`.
pub struct Call {
    pub server: Arc<Server>,
    pub session: Option<Arc<Session>>,
    pub stream: Arc<Stream>,
    pub id: Value,
    pub arguments: Map<String, Value>,
    pub params: Value,
    pub modern: bool,
    /// The headers that repeat parameters.
    pub headers: Map<String, Value>,
}

impl Call {
    /// Starts the tool; what it says goes to the stream.
    pub fn start(
        server: &Arc<Server>,
        session: Option<&Arc<Session>>,
        stream: &Arc<Stream>,
        request: &Request,
        message: &Value,
        modern: bool,
    ) {
        let param = |(name, value): &(String, String)| {
            let name = name.to_ascii_lowercase();
            name.starts_with("mcp-param-").then(|| (name, Value::String(value.clone())))
        };
        let call = Call {
            server: Arc::clone(server),
            session: session.cloned(),
            stream: Arc::clone(stream),
            id: message["id"].clone(),
            arguments: message["params"]["arguments"].as_object().cloned().unwrap_or_default(),
            params: message["params"].clone(),
            modern,
            headers: request.headers.iter().filter_map(param).collect(),
        };
        std::thread::spawn(move || call.run());
    }

    fn run(&self) {
        let name = self.params["name"].as_str().unwrap_or_default();
        match TOOLS.iter().find(|tool| tool.name == name) {
            Some(tool) => {
                if let Some(result) = tool.run(self) {
                    let result = if self.modern { message::dressed(result) } else { result };
                    self.say(&message::result(&self.id, result));
                } else if !self.is_cancelled() {
                    // No answer is to come, and no end of the stream either.
                    return;
                }
            }
            None => self.say(&message::error(&self.id, -32602, &format!("Unknown tool: {name}"))),
        }
        if self.owns_stream() {
            self.stream.finish();
        }
    }

    /// In 2024-11-05 all calls share one stream.
    pub fn owns_stream(&self) -> bool {
        self.session.as_ref().is_none_or(|session| !Arc::ptr_eq(&session.standalone, &self.stream))
    }

    pub fn say(&self, message: &Value) {
        if self.owns_stream() {
            self.stream.say(message);
        } else {
            self.stream.event_of("message", message.to_string());
        }
    }

    pub fn is_cancelled(&self) -> bool {
        self.stream.is_abandoned()
            || self.session.as_ref().is_some_and(|session| session.is_cancelled(&self.id))
    }

    /// Waits; true if the call was cancelled meanwhile.
    pub fn is_cancelled_after(&self, wait: Duration) -> bool {
        let until = Instant::now() + wait;
        while !self.is_cancelled() {
            let Some(left) = until.checked_duration_since(Instant::now()) else { return false };
            std::thread::sleep(left.min(Duration::from_millis(5)));
        }
        true
    }

    pub fn number(&self, name: &str, default: u64) -> u64 {
        self.arguments.get(name).and_then(Value::as_u64).unwrap_or(default)
    }

    pub fn milliseconds(&self, name: &str, default: u64) -> Duration {
        Duration::from_millis(self.number(name, default))
    }

    pub fn text(&self, name: &str) -> &str {
        self.arguments.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    pub fn flag(&self, name: &str, default: bool) -> bool {
        self.arguments.get(name).and_then(Value::as_bool).unwrap_or(default)
    }
}

/// The fault that a call of the tool `fault` wants, with the text of its answer; none for other tools.
pub fn fault(message: &Value) -> Option<Result<(Fault, String), String>> {
    let params = &message["params"];
    if params["name"] != "fault" {
        return None;
    }
    let text = params["arguments"]["text"].as_str().unwrap_or("as it should be").to_owned();
    let fault = Fault::read(params["arguments"]["do"].as_str().unwrap_or_default());
    Some(fault.map(|fault| (fault, text)))
}

fn echo(call: &Call) -> Value {
    message::text(call.text("text"))
}

fn add(call: &Call) -> Value {
    let number = |name: &str| call.arguments.get(name).and_then(Value::as_i64).unwrap_or_default();
    message::data(json!({ "sum": number("a") + number("b") }))
}

fn slow(call: &Call) -> Option<Value> {
    if call.is_cancelled_after(call.milliseconds("ms", 100)) {
        return None;
    }
    Some(message::text(format!("waited {} ms", call.number("ms", 100))))
}

fn never(call: &Call) -> Option<Value> {
    while !call.is_cancelled_after(Duration::from_secs(1)) {}
    None
}

fn fail(call: &Call) -> Value {
    message::failure(call.text("why"))
}

fn big(call: &Call) -> Value {
    let bytes = usize::try_from(call.number("bytes", 1024)).unwrap_or(1024);
    message::text("x".repeat(bytes))
}

fn crash(call: &Call) -> Value {
    std::process::exit(i32::try_from(call.number("code", 1)).unwrap_or(1));
}

fn stats(call: &Call) -> Value {
    message::data(call.server.stats.summary())
}

fn headers(call: &Call) -> Value {
    message::data(Value::Object(call.headers.clone()))
}

fn restored(call: &Call) -> Option<Value> {
    let session = call.session.as_ref()?;
    let restored = crate::server::lock(&session.restored);
    Some(message::data(json!({ "subscriptions": restored.0, "level": restored.1 })))
}
