//! OpenTelemetry of this program: spans and metrics of what it calls and serves, to a collector by OTLP over HTTP (JSON), as the variables
//! `OTEL_*` say. Off unless one of them names an endpoint. Nothing waits for a collector but the end of the program, and that not for long.

use crate::output::{Screen, one_line};
use mcp::client::{TelemetrySettings, WebAnswer, WebRequest, metrics, percent_decoded, set_telemetry, web};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The spans that wait for the collector at most; further ones are dropped and counted.
const MOST: usize = 2048;
/// The spans of one request.
const BATCH: usize = 512;
/// How long a span waits for others.
const DELAY: Duration = Duration::from_secs(5);
/// How often metrics are sent.
const INTERVAL: Duration = Duration::from_secs(60);
/// How often a request is sent again, and how long the first wait is; each further one is twice as long.
const RETRIES: u32 = 4;
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait that a collector may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// How long the end of the program waits for the collector.
const FLUSH: Duration = Duration::from_secs(5);

/// Where one kind of data goes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Target {
    url: String,
    headers: Vec<(String, String)>,
    timeout: Duration,
}

/// What the environment says.
#[derive(Clone, Debug, PartialEq)]
struct Wanted {
    traces: Option<Target>,
    metrics: Option<Target>,
    rate: f64,
    resource: Vec<(String, String)>,
}

/// Reads the variables. `None` if nothing is to be sent.
///
/// # Errors
/// What cannot be done as they say.
fn wanted(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Wanted>, String> {
    // An empty variable is as good as none.
    let of = |name: &str| variable(name).map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
    if of("OTEL_SDK_DISABLED").is_some_and(|it| it.eq_ignore_ascii_case("true")) {
        return Ok(None);
    }
    let target = |signal: &str, path: &str| {
        let own = |what: &str| of(&format!("OTEL_EXPORTER_OTLP_{signal}_{what}"));
        let either = |what: &str| own(what).or_else(|| of(&format!("OTEL_EXPORTER_OTLP_{what}")));
        if of(&format!("OTEL_{signal}_EXPORTER")).is_some_and(|it| it != "otlp") {
            return Ok(None);
        }
        let appended = || {
            let base = of("OTEL_EXPORTER_OTLP_ENDPOINT")?;
            // A query stays behind the path.
            let (base, query) = base.split_at(before_query(&base).len());
            Some(format!("{}{path}{query}", base.trim_end_matches('/')))
        };
        let Some(url) = own("ENDPOINT").or_else(appended) else { return Ok(None) };
        if let Some(protocol) = either("PROTOCOL").filter(|it| !it.starts_with("http/")) {
            return Err(format!(
                "OTEL_EXPORTER_OTLP_PROTOCOL is '{protocol}', and this program speaks 'http/json' (usually port 4318)"
            ));
        }
        let timeout = match either("TIMEOUT") {
            None => 10_000,
            Some(text) => {
                text.parse::<u64>().ok().filter(|it| (1..=600_000).contains(it)).ok_or_else(|| {
                    format!("OTEL_EXPORTER_OTLP_TIMEOUT is '{text}', not milliseconds from 1 to 600000")
                })?
            }
        };
        let headers = pairs(&either("HEADERS").unwrap_or_default())
            .ok_or("OTEL_EXPORTER_OTLP_HEADERS is not of the form name=value,name=value")?;
        if let Some((name, _)) = headers.iter().find(|(name, value)| !is_header(name, value)) {
            return Err(format!(
                "OTEL_EXPORTER_OTLP_HEADERS has '{name}', whose name or value HTTP does not allow in a header"
            ));
        }
        Ok(Some(Target { url, headers, timeout: Duration::from_millis(timeout) }))
    };
    let (traces, metrics) = (target("TRACES", "/v1/traces")?, target("METRICS", "/v1/metrics")?);
    if traces.is_none() && metrics.is_none() {
        return Ok(None);
    }
    let rate = rate(of("OTEL_TRACES_SAMPLER").as_deref(), of("OTEL_TRACES_SAMPLER_ARG").as_deref())?;
    let mut resource = pairs(&of("OTEL_RESOURCE_ATTRIBUTES").unwrap_or_default())
        .ok_or("OTEL_RESOURCE_ATTRIBUTES is not of the form name=value,name=value")?;
    let service = of("OTEL_SERVICE_NAME");
    if service.is_some() || resource.iter().all(|(name, _)| name != "service.name") {
        resource.retain(|(name, _)| name != "service.name");
        resource.insert(0, ("service.name".to_owned(), service.unwrap_or_else(|| "mcp".to_owned())));
    }
    Ok(Some(Wanted { traces, metrics, rate, resource }))
}

/// The share of requests without a parent that are recorded.
fn rate(sampler: Option<&str>, argument: Option<&str>) -> Result<f64, String> {
    match sampler {
        None | Some("parentbased_always_on") => Ok(1.0),
        Some("parentbased_always_off") => Ok(0.0),
        Some("parentbased_traceidratio") => {
            let share = argument.unwrap_or("1").parse::<f64>().ok().filter(|it| (0.0..=1.0).contains(it));
            share.ok_or_else(|| {
                format!(
                    "OTEL_TRACES_SAMPLER_ARG is '{}', not a share from 0 to 1",
                    argument.unwrap_or_default()
                )
            })
        }
        Some(other) => Err(format!(
            "OTEL_TRACES_SAMPLER is '{other}'; this program knows parentbased_always_on, parentbased_always_off and \
             parentbased_traceidratio"
        )),
    }
}

/// Pairs of a list as W3C Baggage has it: values may be percent-encoded.
fn pairs(text: &str) -> Option<Vec<(String, String)>> {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        Some((percent_decoded(name.trim())?, percent_decoded(value.trim())?))
            .filter(|(name, _)| !name.is_empty())
    };
    text.split(',').filter(|it| !it.trim().is_empty()).map(pair).collect()
}

/// A URL up to its query or fragment.
fn before_query(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

/// Whether HTTP allows a header (RFC 9110, sections 5.1 and 5.5). A control character in its value would end it.
fn is_header(name: &str, value: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    name.bytes().all(is_token) && value.bytes().all(|byte| byte == b'\t' || !byte.is_ascii_control())
}

/// What is shared with the thread that sends.
#[derive(Default)]
struct Waiting {
    spans: VecDeque<String>,
    /// Spans that found no room.
    dropped: u64,
    /// Spans of the request that is under way.
    held: u64,
    /// Spans that were given up.
    lost: u64,
    /// Whether the thread is done.
    is_done: bool,
    /// When the thread is to be done at the latest: the program ends.
    end: Option<Instant>,
}

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    /// The thread is done.
    done: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a span, unless too many wait.
    fn push(&self, span: &str) {
        let mut waiting = self.lock();
        if waiting.spans.len() >= MOST {
            waiting.dropped += 1;
            return;
        }
        waiting.spans.push_back(span.to_owned());
        if waiting.spans.len() == BATCH {
            self.changed.notify_one();
        }
    }

    /// Has the thread send what is left, and waits for that as long as `time`; then the thread stays behind, as a request under way
    /// cannot be cut short. Gives how many spans are lost.
    fn finish(&self, time: Duration) -> u64 {
        let mut waiting = self.lock();
        waiting.end = Some(Instant::now() + time);
        self.changed.notify_all();
        let waited = self.done.wait_timeout_while(waiting, time, |waiting| !waiting.is_done);
        let (waiting, _) = waited.unwrap_or_else(PoisonError::into_inner);
        waiting.dropped + waiting.lost + waiting.held + waiting.spans.len() as u64
    }

    /// Waits; cut short by the end of the program. Whether there is time left.
    fn pause(&self, wait: Duration) -> bool {
        let until = Instant::now() + wait;
        let mut waiting = self.lock();
        loop {
            let now = Instant::now();
            let until = waiting.end.map_or(until, |end| end.min(until));
            if now >= until {
                return waiting.end.is_none_or(|end| now < end);
            }
            let woken = self.changed.wait_timeout(waiting, until - now);
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// The telemetry of this program while it runs. Its thread ends with the program at the latest.
pub struct Telemetry {
    shared: Arc<Shared>,
}

impl Telemetry {
    /// Begins, if the environment wants it. What is wrong with the environment is said, and stops nothing: it is for all programs.
    pub fn begin() -> Option<Telemetry> {
        match wanted(|name| std::env::var(name).ok()) {
            Ok(wanted) => Telemetry::of(wanted?),
            Err(why) => {
                Screen::note(format!("OpenTelemetry is off: {}", one_line(&why)));
                None
            }
        }
    }

    fn of(wanted: Wanted) -> Option<Telemetry> {
        let shared = Arc::new(Shared::default());
        let (spans, sender) = (Arc::clone(&shared), Arc::clone(&shared));
        let settings = TelemetrySettings {
            sample_rate: if wanted.traces.is_some() { wanted.rate } else { 0.0 },
            metrics: wanted.metrics.is_some(),
            measurements: false,
            spans: Arc::new(move |span| spans.push(span)),
        };
        let thread = std::thread::Builder::new().name("telemetry".to_owned());
        let thread = thread.spawn(move || Sender { wanted, shared: sender, said: false }.run());
        if thread.is_err() {
            Screen::note("OpenTelemetry is off: no thread can be had");
            return None;
        }
        set_telemetry(Some(settings));
        Some(Telemetry { shared })
    }

    /// Sends what is left, for a bounded time, and says what was lost.
    pub fn end(self) {
        set_telemetry(None);
        let lost = self.shared.finish(FLUSH) + mcp::client::dropped_spans();
        if lost > 0 {
            Screen::note(format!("OpenTelemetry: {lost} spans did not reach the collector"));
        }
    }
}

/// What became of one request.
enum Sent {
    Taken,
    /// Sending it again would change nothing.
    Refused(String),
    /// Another attempt may do, after that long if the collector says.
    Later(String, Option<Duration>),
}

struct Sender {
    wanted: Wanted,
    shared: Arc<Shared>,
    /// Whether a failure was said.
    said: bool,
}

impl Sender {
    fn run(mut self) {
        let mut next_metrics = Instant::now() + INTERVAL;
        loop {
            let (batch, is_over) = self.next_batch(next_metrics);
            if !batch.is_empty() {
                self.send_spans(&batch);
            }
            if is_over || Instant::now() >= next_metrics {
                self.send_metrics();
                next_metrics = Instant::now() + INTERVAL;
            }
            if is_over {
                self.shared.lock().is_done = true;
                self.shared.done.notify_all();
                return;
            }
        }
    }

    /// Waits for spans. Whether these are the last ones.
    fn next_batch(&self, until: Instant) -> (Vec<String>, bool) {
        let mut waiting = self.shared.lock();
        let until = until.min(Instant::now() + DELAY);
        while waiting.spans.len() < BATCH && waiting.end.is_none() {
            let now = Instant::now();
            if now >= until {
                break;
            }
            let woken = self.shared.changed.wait_timeout(waiting, until - now);
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        let count = waiting.spans.len().min(BATCH);
        waiting.held = count as u64;
        let batch = waiting.spans.drain(..count).collect();
        (batch, waiting.end.is_some() && waiting.spans.is_empty())
    }

    fn resource(&self) -> Value {
        let attribute =
            |(name, value): &(String, String)| json!({"key": name, "value": {"stringValue": value}});
        json!({"attributes": self.wanted.resource.iter().map(attribute).collect::<Vec<_>>()})
    }

    /// The body around `members`, which are JSON text already.
    fn body(&self, [outer, scoped, inner]: [&str; 3], members: &str) -> String {
        let scope = json!({"name": "libmcp", "version": env!("CARGO_PKG_VERSION")});
        format!(
            "{{\"{outer}\":[{{\"resource\":{},\"{scoped}\":[{{\"scope\":{scope},\"{inner}\":[{members}]}}]}}]}}",
            self.resource()
        )
    }

    fn send_spans(&mut self, batch: &[String]) {
        let Some(target) = self.wanted.traces.clone() else { return };
        let body = self.body(["resourceSpans", "scopeSpans", "spans"], &batch.join(","));
        let outcome = self.delivered(&target, &body);
        let mut waiting = self.shared.lock();
        waiting.held = 0;
        waiting.lost += *outcome.as_ref().unwrap_or(&(batch.len() as u64));
        drop(waiting);
        if let Err(why) = outcome {
            self.say(&target, &why);
        }
    }

    fn send_metrics(&mut self) {
        let Some(target) = self.wanted.metrics.clone() else { return };
        let all = metrics();
        let members = all.trim_start_matches('[').trim_end_matches(']');
        if members.is_empty() {
            return;
        }
        let body = self.body(["resourceMetrics", "scopeMetrics", "metrics"], members);
        if let Err(why) = self.delivered(&target, &body) {
            self.say(&target, &why);
        }
    }

    /// Says the first failure: a collector that is away must not fill a terminal.
    fn say(&mut self, target: &Target, why: &str) {
        if !std::mem::replace(&mut self.said, true) {
            // Some collectors are given their key in the query.
            let url = mcp::client::without_passwords(before_query(&target.url));
            Screen::note(format!("OpenTelemetry: {} took nothing: {}", one_line(&url), one_line(why)));
        }
    }

    /// Sends a body until it is taken, refused, or the attempts or the time are over. Gives how many spans were rejected.
    fn delivered(&self, target: &Target, body: &str) -> Result<u64, String> {
        let mut wait = FIRST_WAIT;
        for attempt in 0.. {
            let left = self.shared.lock().end.map_or(target.timeout, |end| {
                end.saturating_duration_since(Instant::now()).min(target.timeout)
            });
            if left.is_zero() {
                return Err("the program ends".to_owned());
            }
            let (why, asked) = match sent(target, body, left) {
                (Sent::Taken, rejected) => return Ok(rejected),
                (Sent::Refused(why), _) => return Err(why),
                (Sent::Later(why, asked), _) => (why, asked),
            };
            // Up to half more, so that programs that began together do not come again together.
            let jitter = wait.mul_f64(f64::from(std::process::id() % 100) / 200.0);
            let pause = asked.map_or(wait + jitter, |it| it.min(LONGEST_WAIT));
            if attempt == RETRIES || !self.shared.pause(pause) {
                return Err(why);
            }
            wait *= 2;
        }
        Ok(0)
    }
}

/// One attempt. How many spans a collector rejected that took the rest.
fn sent(target: &Target, body: &str, timeout: Duration) -> (Sent, u64) {
    let mut headers = target.headers.clone();
    headers.push(("content-type".to_owned(), "application/json".to_owned()));
    let request = WebRequest {
        method: "POST".to_owned(),
        url: target.url.clone(),
        headers,
        body: body.as_bytes().to_vec(),
        most_bytes: 1 << 20,
        timeout,
        refuse_private: false,
    };
    match web(request, &json!({})) {
        Ok(answer) => judged(&answer),
        Err(error) => failed(error.status, error.message),
    }
}

/// What became of a request whose answer cannot be read.
fn failed(status: mcp::client::Status, message: String) -> (Sent, u64) {
    use mcp::client::Status;
    let sent = match status {
        Status::InvalidArgument => Sent::Refused(message),
        // The collector has all of the request, and a long answer to it: sent again, the spans would be there twice.
        Status::TooLarge => Sent::Taken,
        _ => Sent::Later(message, None),
    };
    (sent, 0)
}

fn judged(answer: &WebAnswer) -> (Sent, u64) {
    let said = || {
        let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        said["message"].as_str().map(|it| format!(": {it}")).unwrap_or_default()
    };
    match answer.status {
        200..=299 => {
            let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
            let count = &said["partialSuccess"]["rejectedSpans"];
            // 64 bits are text in this JSON; collectors write numbers, too.
            let count = count.as_u64().or_else(|| count.as_str()?.parse().ok()).unwrap_or(0);
            (Sent::Taken, count)
        }
        429 | 502 | 503 | 504 => {
            let asked = answer.retry_after.parse::<u64>().ok().map(Duration::from_secs);
            (Sent::Later(format!("status {}{}", answer.status, said()), asked), 0)
        }
        status => (Sent::Refused(format!("status {status}{}", said())), 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::io::{Read as _, Write as _};
    use std::net::{TcpListener, TcpStream};

    fn read(variables: &[(&str, &str)]) -> Result<Option<Wanted>, String> {
        let all: BTreeMap<&str, &str> = variables.iter().copied().collect();
        wanted(|name| all.get(name).map(|it| (*it).to_owned()))
    }

    fn urls(wanted: &Wanted) -> [Option<&str>; 2] {
        [&wanted.traces, &wanted.metrics].map(|target| target.as_ref().map(|it| it.url.as_str()))
    }

    #[test]
    fn nothing_is_sent_unless_an_endpoint_is_named() {
        let base = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318");
        for variables in [
            &[][..],
            &[("OTEL_SERVICE_NAME", "x"), ("OTEL_TRACES_SAMPLER", "always_on")],
            &[("OTEL_EXPORTER_OTLP_ENDPOINT", " ")],
            &[base, ("OTEL_SDK_DISABLED", "TRUE")],
            &[base, ("OTEL_TRACES_EXPORTER", "none"), ("OTEL_METRICS_EXPORTER", "none")],
        ] {
            assert_eq!(read(variables), Ok(None), "{variables:?}");
        }
    }

    #[test]
    fn endpoints_are_completed_or_taken_as_they_are() {
        let base = "OTEL_EXPORTER_OTLP_ENDPOINT";
        for (variables, expected) in [
            (
                &[(base, "http://c:4318")][..],
                [Some("http://c:4318/v1/traces"), Some("http://c:4318/v1/metrics")],
            ),
            (
                &[(base, "https://c/otlp/")],
                [Some("https://c/otlp/v1/traces"), Some("https://c/otlp/v1/metrics")],
            ),
            (
                &[(base, "https://c/otlp/?key=a/b")],
                [Some("https://c/otlp/v1/traces?key=a/b"), Some("https://c/otlp/v1/metrics?key=a/b")],
            ),
            (&[("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://t/x")], [Some("http://t/x"), None]),
            (
                &[(base, "http://c"), ("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://m/")],
                [Some("http://c/v1/traces"), Some("http://m/")],
            ),
            (&[(base, "http://c"), ("OTEL_METRICS_EXPORTER", "none")], [Some("http://c/v1/traces"), None]),
        ] {
            let wanted = read(variables).expect("right").expect("wanted");
            assert_eq!(urls(&wanted), expected, "{variables:?}");
        }
    }

    #[test]
    fn headers_resource_and_sampling_are_read() {
        let wanted = read(&[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Basic%20eA%3D%3D, x = 1"),
            ("OTEL_EXPORTER_OTLP_METRICS_HEADERS", "only=metrics"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "250"),
            ("OTEL_RESOURCE_ATTRIBUTES", "service.name=by attributes,deployment.environment.name=test"),
            ("OTEL_SERVICE_NAME", "by name"),
            ("OTEL_TRACES_SAMPLER", "parentbased_traceidratio"),
            ("OTEL_TRACES_SAMPLER_ARG", "0.25"),
        ]);
        let wanted = wanted.expect("right").expect("wanted");
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let traces = wanted.traces.expect("wanted");
        assert_eq!(traces.headers, [pair("authorization", "Basic eA=="), pair("x", "1")]);
        assert_eq!(traces.timeout, Duration::from_millis(250));
        assert_eq!(wanted.metrics.expect("wanted").headers, [pair("only", "metrics")]);
        assert_eq!(
            wanted.resource,
            [pair("service.name", "by name"), pair("deployment.environment.name", "test")]
        );
        assert!((wanted.rate - 0.25).abs() < f64::EPSILON);
    }

    #[test]
    fn what_cannot_be_done_is_said_with_the_variable() {
        for (name, value) in [
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "soon"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "0"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "no value"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "a=%zz"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "a b=secret"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "a=secret%0Ab"),
            ("OTEL_RESOURCE_ATTRIBUTES", "=x"),
            ("OTEL_TRACES_SAMPLER", "always_on"),
        ] {
            let why = read(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c"), (name, value)]).expect_err(value);
            assert!(why.contains(name) && !why.contains("secret"), "{name}={value}: {why}");
        }
        let ratio = [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c"),
            ("OTEL_TRACES_SAMPLER", "parentbased_traceidratio"),
            ("OTEL_TRACES_SAMPLER_ARG", "2"),
        ];
        assert!(read(&ratio).expect_err("no share").contains("OTEL_TRACES_SAMPLER_ARG"));
    }

    #[test]
    fn a_status_says_whether_to_try_again() {
        let answer = |status, retry_after: &str, body: &str| WebAnswer {
            status,
            content_type: String::new(),
            location: String::new(),
            retry_after: retry_after.to_owned(),
            body: body.as_bytes().to_vec(),
        };
        for (status, again) in [
            (429, true),
            (502, true),
            (503, true),
            (504, true),
            (400, false),
            (404, false),
            (500, false),
            (301, false),
        ] {
            let (what, _) = judged(&answer(status, "7", r#"{"message":"no"}"#));
            match what {
                Sent::Later(why, wait) => {
                    assert!(again && why.contains("no"), "{status}");
                    assert_eq!(wait, Some(Duration::from_secs(7)));
                }
                Sent::Refused(why) => assert!(!again && why.contains(&status.to_string()), "{status}"),
                Sent::Taken => panic!("{status} was taken"),
            }
        }
        for (body, rejected) in [
            ("", 0),
            ("{}", 0),
            (r#"{"partialSuccess":{"rejectedSpans":"3"}}"#, 3),
            (r#"{"partialSuccess":{"rejectedSpans":4,"errorMessage":"x"}}"#, 4),
        ] {
            let (Sent::Taken, count) = judged(&answer(200, "", body)) else { panic!("{body}") };
            assert_eq!(count, rejected, "{body}");
        }
    }

    /// Reads one request, and answers it. Gives its head and its body.
    fn served(stream: &mut TcpStream, status: &str) -> (String, Value) {
        let mut read = Vec::new();
        let mut part = [0; 4096];
        loop {
            let count = stream.read(&mut part).expect("a request");
            assert!(count > 0, "the connection ended within a request");
            read.extend_from_slice(&part[..count]);
            let text = String::from_utf8_lossy(&read).into_owned();
            let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
            let length = head
                .lines()
                .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if Some(body.len()) == length {
                let answer =
                    format!("HTTP/1.1 {status}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}");
                stream.write_all(answer.as_bytes()).expect("sent");
                return (head.to_owned(), serde_json::from_str(body).expect("JSON"));
            }
        }
    }

    fn wanted_of(url: &str, timeout: Duration) -> Wanted {
        let target =
            Target { url: url.to_owned(), headers: vec![("x-key".to_owned(), "1".to_owned())], timeout };
        let resource = vec![("service.name".to_owned(), "w".to_owned())];
        Wanted { traces: Some(target), metrics: None, rate: 1.0, resource }
    }

    /// Sends all. Gives how many spans are lost that had room.
    fn sent_by(sender: Sender) -> u64 {
        let shared = Arc::clone(&sender.shared);
        sender.run();
        let waiting = shared.lock();
        assert!(waiting.is_done && waiting.held == 0 && waiting.spans.is_empty());
        waiting.lost
    }

    fn sender(url: &str, shared: &Arc<Shared>) -> Sender {
        let wanted = wanted_of(url, Duration::from_secs(60));
        Sender { wanted, shared: Arc::clone(shared), said: true }
    }

    #[test]
    fn spans_reach_a_collector_in_one_request_also_if_it_was_busy_at_first() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("an address");
        let url = format!("http://{}/v1/traces", listener.local_addr().expect("bound"));
        let collector = std::thread::spawn(move || {
            ["503 Busy\r\nretry-after: 0", "200 OK"]
                .map(|status| served(&mut listener.accept().expect("a client").0, status))
        });
        let shared = Arc::new(Shared::default());
        shared.push(r#"{"name":"a"}"#);
        shared.push(r#"{"name":"b"}"#);
        shared.lock().end = Some(Instant::now() + Duration::from_secs(120));
        assert_eq!(sent_by(sender(&url, &shared)), 0);
        let [first, (head, body)] = collector.join().expect("served");
        assert_eq!(first.1, body, "the same again");
        assert!(head.starts_with("POST /v1/traces HTTP/1.1\r\n"), "{head}");
        let head = head.to_ascii_lowercase();
        assert!(head.contains("content-type: application/json") && head.contains("x-key: 1"), "{head}");
        let resource = &body["resourceSpans"][0];
        assert_eq!(
            resource["resource"]["attributes"],
            json!([{"key": "service.name", "value": {"stringValue": "w"}}])
        );
        assert_eq!(resource["scopeSpans"][0]["scope"]["name"], "libmcp");
        assert_eq!(resource["scopeSpans"][0]["spans"], json!([{"name": "a"}, {"name": "b"}]));
    }

    #[test]
    fn what_finds_no_room_or_no_collector_is_counted() {
        let shared = Arc::new(Shared::default());
        for _ in 0..MOST + 3 {
            shared.push("{}");
        }
        let counted = |waiting: &Waiting| (waiting.spans.len(), waiting.dropped);
        assert_eq!(counted(&shared.lock()), (MOST, 3));
        let listener = TcpListener::bind("127.0.0.1:0").expect("an address");
        let url = format!("http://{}/", listener.local_addr().expect("bound"));
        let collector = std::thread::spawn(move || {
            for _ in 0..MOST / BATCH {
                served(&mut listener.accept().expect("a client").0, "400 No");
            }
        });
        shared.lock().end = Some(Instant::now() + Duration::from_secs(120));
        // A refusal is not sent again.
        assert_eq!(sent_by(sender(&url, &shared)), MOST as u64);
        collector.join().expect("served");
    }

    #[test]
    fn the_end_of_the_program_does_not_wait_for_a_collector_that_is_away() {
        let shared = Arc::new(Shared::default());
        shared.push("{}");
        // The time is over.
        shared.lock().end = Some(Instant::now());
        assert_eq!(sent_by(sender("http://127.0.0.1:9/", &shared)), 1);
    }

    #[test]
    fn the_end_of_the_program_does_not_wait_for_a_collector_that_is_mute() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("an address");
        let url = format!("http://{}/", listener.local_addr().expect("bound"));
        let shared = Arc::new(Shared::default());
        for _ in 0..=BATCH {
            shared.push("{}");
        }
        let sender = Sender { wanted: wanted_of(&url, Duration::from_secs(600)), ..sender(&url, &shared) };
        let thread = std::thread::spawn(move || sender.run());
        let mut client = listener.accept().expect("a client").0;
        assert_eq!(client.read(&mut [0]).expect("the request is under way"), 1);
        // The one that waits is lost, too.
        assert_eq!(shared.finish(Duration::from_millis(1)), BATCH as u64 + 1);
        assert!(!thread.is_finished(), "its request has 600 s");
        // Its connection breaks, and there is no time for another attempt.
        drop((client, listener));
        thread.join().expect("it ends");
        assert!(shared.lock().is_done);
    }

    #[test]
    fn an_answer_that_is_too_long_means_that_the_spans_were_taken() {
        use mcp::client::Status;
        for (status, expected) in [
            (Status::TooLarge, "taken"),
            (Status::InvalidArgument, "refused"),
            (Status::Transport, "later"),
            (Status::Timeout, "later"),
        ] {
            let (sent, rejected) = failed(status, String::new());
            let sent = match sent {
                Sent::Taken => "taken",
                Sent::Refused(_) => "refused",
                Sent::Later(..) => "later",
            };
            assert_eq!((sent, rejected), (expected, 0), "{status:?}");
        }
    }

    #[test]
    fn the_query_of_a_collector_is_not_shown() {
        for (url, shown) in [
            ("https://c/v1?key=x", "https://c/v1"),
            ("https://c#x", "https://c"),
            ("https://c/?a#b", "https://c/"),
        ] {
            assert_eq!(before_query(url), shown);
        }
    }
}
