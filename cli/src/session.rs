//! A connection to a server for the time of one command: calls, with progress, log messages, questions and Ctrl-C.

use crate::arguments::Common;
use crate::failure::Failure;
use crate::known;
use crate::login;
use crate::output::{FAINT, Screen, counted, one_line, styled};
use crate::progress::{Progress, is_silent_here};
use crate::questions::Questions;
use crate::target::Target;
use mcp::apps::{EXTENSION, MIME_TYPE};
use mcp::client::features::Request;
use mcp::client::json_text::{member, string};
use mcp::client::{Client, Error, Interruption, Kind, Level, Message, Polled, Status, set_logger};
use serde_json::{Map, Value, json};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The wait before a server that was not reached is tried again, at first and at most.
const RETRY: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(10)];

/// What a call that may become a task came to.
#[derive(Debug)]
pub enum Detached {
    /// The server works on it: the task, JSON text.
    Task(String),
    /// The server answered directly.
    Result(Message),
}

/// A connected client.
#[derive(Debug)]
pub struct Session {
    client: Client,
    timeout: Duration,
    /// What requests of some methods may take instead.
    methods: Vec<(String, Duration)>,
    /// What the connection may take.
    start: Duration,
    verbose: u8,
    next_tag: Cell<u64>,
    questions: RefCell<Questions>,
    /// Whether a login may ask the person; if not, it is given up with the advice to log in.
    pub login: Option<login::Person>,
    /// What a login that is not over was to be made with, where no browser here showed it.
    asked: RefCell<Option<String>>,
    /// The server, as a person is told of it.
    pub shown: String,
    /// The same while it starts, with what it is that `npx` or a bridge starts.
    starts: String,
    /// Whether it is a session of `mcp session`, whose bridge speaks for the server behind it.
    is_kept: bool,
    /// Whether notifications are the result of the command, which then shows log messages itself.
    pub is_watching: Cell<bool>,
    /// Whether arguments are checked before they are sent.
    pub checks: Cell<bool>,
    /// Whether what the server wrote beside messages is told here.
    tells: bool,
    /// The last lines of the server's standard error.
    stderr: RefCell<VecDeque<String>>,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.note_noise();
    }
}

/// The URL of a server with the path that most servers have, and the configuration with it: people leave the path out.
pub fn at_usual_path(config: &Map<String, Value>, failure: &Failure) -> Option<(String, Map<String, Value>)> {
    if !matches!(failure.http_status()?, 404 | 405) {
        return None;
    }
    let mut config = config.clone();
    let url = config.get("url")?.as_str()?;
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.strip_suffix('/').unwrap_or(rest);
    if host.contains(['/', '?', '#']) {
        return None;
    }
    let url = format!("{scheme}://{host}/mcp");
    config.insert("url".to_owned(), url.clone().into());
    Some((url, config))
}

/// The failure of a login at a URL where no endpoint is. The usual path is not tried: a login is kept for one URL, and later commands look
/// for it at the URL that they are given.
fn no_login_elsewhere(failure: Failure, url: &str) -> Failure {
    let url = one_line(url);
    failure.and(&format!("a login is kept for one URL; if the endpoint is at {url}, run `mcp login {url}`"))
}

/// What is reported where the usual path failed, too: that there is no endpoint at either, or what the endpoint there said.
pub fn of_usual_path(first: Failure, second: Failure, url: &str) -> Failure {
    if matches!(second.http_status(), Some(404 | 405)) {
        return first;
    }
    let url = one_line(url);
    second.and(&format!(
        "there is no MCP endpoint at the URL that was named, so that {url} was tried; name it in the next command"
    ))
}

/// What a server sent that is no message: how much, and its first line. `info` is that of a client.
pub fn noise(info: &str, count: u64) -> Option<String> {
    let first = member(info, "stray_output").and_then(string).unwrap_or_default();
    let is_started = member(info, "transport").and_then(string).as_deref() == Some("stdio");
    let (wrote, what) = if is_started { ("wrote to standard output", "line") } else { ("sent", "text") };
    match count {
        0 => None,
        1 => Some(format!("the server {wrote} a {what} that is not a message: {}", one_line(&first))),
        _ => Some(format!(
            "the server {wrote} {count} {what}s that are not messages, the first: {}",
            one_line(&first)
        )),
    }
}

/// Says that the usual path is used.
pub fn note_usual_path(url: &str) {
    Screen::said(format!("there is no MCP endpoint at this URL; {} is used", one_line(url)));
}

/// What is shown while a request is answered.
fn named(request: &Request<'_>) -> String {
    match request {
        Request::ToolsCall { name, .. } => format!("calling {}", one_line(name)),
        other => other.method().to_owned(),
    }
}

/// How many of the last lines that a server wrote to standard error are kept.
const STDERR_LINES: usize = 20;

/// After what time a connection that is not there yet is told where nothing is drawn.
const SLOW: Duration = Duration::from_secs(10);

/// How often Ctrl-C was pressed since the last command of a shell.
static INTERRUPTS: AtomicU8 = AtomicU8::new(0);
/// The clients that are there, whose waits Ctrl-C ends: `doctor` has several.
static WAITING: Mutex<Vec<Weak<Interruption>>> = Mutex::new(Vec::new());

impl Session {
    /// Connects; a server that is not reached is tried again as often as `--retry` says.
    pub fn open(
        target: Target,
        common: &Common,
        questions: Questions,
        login: Option<login::Person>,
    ) -> Result<Session, Failure> {
        log_of(common);
        let mut session = Session::open_quietly(target, common, questions, login)?;
        session.tells = true;
        Ok(session)
    }

    /// The same with the logger as it is, and for a command that tells by itself what the server wrote beside messages.
    pub fn open_quietly(
        target: Target,
        common: &Common,
        questions: Questions,
        login: Option<login::Person>,
    ) -> Result<Session, Failure> {
        let is_kept = crate::session_daemon::is_session(&target);
        let Target { shown, mut config } = target;
        let mut questions = questions;
        questions.sampling.clone_from(&common.sample);
        complete(&mut config, common);
        // What is kept of a login is kept for one URL.
        let without_login = config.clone();
        login::complete(&mut config, login, &shown)?;
        let (timeout, start) = (common.call_timeout(&config), common.start_timeout(&config));
        let methods =
            config.get("timeouts").and_then(|timeouts| timeouts.get("methods")).and_then(Value::as_object);
        let methods = methods.into_iter().flat_map(|methods| methods.keys());
        let methods = methods
            .filter_map(|method| Some((method.clone(), common.method_timeout(&config, method)?)))
            .collect();
        let is_name = config.get("command").and_then(Value::as_str) == Some(&shown);
        let words = crate::arguments::started(&config).filter(|_| is_name);
        let starts = words.map_or_else(|| shown.clone(), |words| format!("{shown} {words}"));
        let config = Value::Object(config).to_string();
        let client = Client::new(&config, None)?;
        watch_interrupts(&client)?;
        let mut session = Session {
            client,
            timeout,
            methods,
            start,
            verbose: common.verbose,
            next_tag: Cell::new(1),
            questions: RefCell::new(questions),
            login,
            asked: RefCell::default(),
            shown,
            starts,
            is_kept,
            is_watching: Cell::new(false),
            checks: Cell::new(true),
            tells: false,
            stderr: RefCell::default(),
        };
        let mut wait = RETRY[0];
        for left in (0..=common.retry).rev() {
            let mut failure = match session.connect() {
                Ok(()) => return Ok(session),
                Err(failure) => failure,
            };
            if let Some((url, mut config)) = at_usual_path(&without_login, &failure) {
                if session.login.is_some() {
                    return Err(no_login_elsewhere(failure, &url));
                }
                login::complete(&mut config, None, &url)?;
                session.client = Client::new(&Value::Object(config).to_string(), None)?;
                watch_interrupts(&session.client)?;
                failure = match session.connect() {
                    Ok(()) => {
                        note_usual_path(&url);
                        return Ok(session);
                    }
                    Err(second) => of_usual_path(failure, second, &url),
                };
            }
            if left == 0 || failure.exit != crate::failure::UNREACHED {
                return Err(failure);
            }
            Screen::note(styled(
                FAINT,
                format!("{}; trying again in {:.1} s", one_line(&failure.text()), wait.as_secs_f64()),
            ));
            Session::pause(wait)?;
            wait = (wait * 2).min(RETRY[1]);
            session.client = Client::new(&config, None)?;
            watch_interrupts(&session.client)?;
        }
        Err(Failure::interrupted())
    }

    fn connect(&self) -> Result<(), Failure> {
        let progress = Progress::spinner(&format!("connecting to {}", self.starts));
        // The login of a person has times of its own.
        let limit = (!self.start.is_zero() && self.login.is_none()).then_some(self.start);
        let outcome =
            self.wait_with(&progress, Some(SLOW), |client, tag| client.connect_start(limit, tag))?;
        if outcome.status() == Status::Ok {
            self.asked.take();
            return Ok(());
        }
        let failure = self.failed(&outcome);
        self.tell_stderr(&failure);
        Err(failure)
    }

    /// Shows the last lines of a server that is gone, which may say why; an error that has one already is enough.
    fn tell_stderr(&self, failure: &Failure) {
        let lines = self.stderr.take();
        let said = failure.text();
        let tells = self.verbose == 0 && !is_silent_here();
        for line in lines.iter().filter(|line| tells && !said.contains(*line)) {
            Screen::note(styled(FAINT, format!("[stderr] {line}")));
        }
    }

    /// Waits, unless the person presses Ctrl-C.
    pub fn pause(wait: Duration) -> Result<(), Failure> {
        let until = Instant::now() + wait;
        loop {
            if INTERRUPTS.load(Ordering::Relaxed) > 0 {
                return Err(Failure::interrupted());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            // The client is closed, so that nothing arrives; a poll of it would return at once.
            std::thread::sleep(left.min(Duration::from_millis(50)));
        }
    }

    /// A client that is not connected: what is kept of a server can be forgotten without it.
    pub fn unconnected(target: Target, common: &Common) -> Result<Client, Failure> {
        let Target { mut config, shown } = target;
        complete(&mut config, common);
        login::complete(&mut config, None, &shown)?;
        Ok(Client::new(&Value::Object(config).to_string(), None)?)
    }

    /// Reports lines on the server's standard output that are not messages.
    fn note_noise(&self) {
        let info = self.client.info();
        let count = member(&info, "counters").and_then(|counters| member(counters, "garbage_frames"));
        let count: u64 = count.and_then(|count| count.parse().ok()).unwrap_or(0);
        if let Some(noise) = noise(&info, count).filter(|_| self.tells) {
            Screen::said(noise);
        }
    }

    /// Why a tool may not be called: files of other programs choose among the tools of a server, too.
    pub fn tool_refusal(&self, tool: &str) -> Option<Failure> {
        let why = self.client.tool_refusal(tool)?;
        Some(Failure::usage(format!(
            "the tool '{}' {why} of the server's configuration, which `mcp servers -o json` shows; --set deny_tools=[] \
             --set 'allow_tools=[\"*\"]' uses all tools",
            one_line(tool)
        )))
    }

    /// Whether it is a session of `mcp session`, which speaks for the server behind it.
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Whether the connection has ended for good.
    pub fn is_closed(&self) -> bool {
        member(&self.info(), "state") == Some("\"closed\"")
    }

    /// What is known of the connection.
    pub fn info(&self) -> String {
        self.client.info()
    }

    /// Makes a request; its result as JSON text.
    pub fn request(&self, request: &Request<'_>) -> Result<Message, Failure> {
        let outcome = self.outcome(request)?;
        if outcome.status() == Status::Ok {
            self.asked.take();
            known::keep(&self.shown, request, outcome.json());
        }
        if outcome.status() == Status::Ok { Ok(outcome) } else { Err(self.failure(request, &outcome)) }
    }

    /// The failure that an outcome is.
    pub fn failed(&self, outcome: &Message) -> Failure {
        let failure = Failure::reply(outcome);
        let failure = if self.is_kept { failure.of_session() } else { failure };
        // A host, a log or a script may show the error alone, and not what stood on standard error before it.
        match self.asked.take() {
            Some(asked) if failure.exit == crate::failure::AUTH || failure.is_late() => failure.and(&asked),
            _ => failure,
        }
    }

    /// The failure of a request; where time was over, with what is known of the connection.
    fn failure(&self, request: &Request<'_>, outcome: &Message) -> Failure {
        let failure = self.failed(outcome);
        if matches!(outcome.status(), Status::Closed | Status::Transport | Status::Unavailable) && self.tells
        {
            self.tell_stderr(&failure);
        }
        if outcome.status() == Status::Server && !self.is_kept {
            return failure.answered(request.method());
        }
        if outcome.status() != Status::Timeout {
            return failure;
        }
        let info = self.client.info();
        let known = known_at_the_end(&info);
        let what = match request {
            Request::ToolsCall { name, .. } => format!("the tool '{}'", one_line(name)),
            other => other.method().to_owned(),
        };
        failure.and(
            &std::iter::once(format!("{what} was outstanding")).chain(known).collect::<Vec<_>>().join("; "),
        )
    }

    /// Makes a request; its outcome, which may be a failure.
    pub fn outcome(&self, request: &Request<'_>) -> Result<Message, Failure> {
        let options = self.options(request).to_string();
        let progress = Progress::spinner(&named(request));
        self.wait(&progress, |client, tag| client.start_request(request, Some(&options), tag))
    }

    /// Makes a request that the library knows nothing of.
    pub fn raw(&self, method: &str, params: Option<&str>) -> Result<Message, Failure> {
        let options = json!({"timeout_ms": self.limit_ms(method), "raw": true}).to_string();
        let progress = Progress::spinner(&one_line(method));
        self.wait(&progress, |client, tag| client.start(method, params, Some(&options), tag))
    }

    /// Asks the server whether it is there. Behind a session that is the server that it keeps, not the session.
    pub fn ping(&self) -> Result<(), Failure> {
        if !self.is_kept {
            return self.request(&Request::Ping).map(|_| ());
        }
        let outcome = self.raw(crate::bridge::PING, None)?;
        if outcome.status() == Status::Ok { Ok(()) } else { Err(self.failed(&outcome)) }
    }

    /// Calls a tool as a task, and waits only until the task has a name.
    pub fn detached(&self, request: &Request<'_>) -> Result<Detached, Failure> {
        let mut options = self.options(request);
        options["task"] = json!(true);
        let options = options.to_string();
        let progress = Progress::spinner(&named(request));
        let tag = self.tag();
        let call = self.client.start_request(request, Some(&options), tag)?;
        loop {
            let Some(message) = self.step(&progress, Some(call), None)? else { continue };
            if message.kind() == Kind::Reply && message.tag() == tag {
                let is_ok = message.status() == Status::Ok;
                return if is_ok { Ok(Detached::Result(message)) } else { Err(self.failed(&message)) };
            }
            let is_task = message.kind() == Kind::Notification && message.call() == call;
            if is_task && member(message.json(), "taskId").is_some() {
                return Ok(Detached::Task(message.json().to_owned()));
            }
        }
    }

    /// Starts a call whose outcome [`next`](Session::next) gives.
    pub fn start(&self, request: &Request<'_>, tag: u64) -> Result<(), Failure> {
        let options = json!({"timeout_ms": self.limit_ms(request.method())}).to_string();
        self.client.start_request(request, Some(&options), tag)?;
        Ok(())
    }

    /// What arrives next, until a moment; questions and logins are answered. Ctrl-C is a failure.
    pub fn next(&self, until: Option<Instant>) -> Result<Option<Message>, Failure> {
        self.step(&Progress::hidden(), None, until)
    }

    fn options(&self, request: &Request<'_>) -> Value {
        let mut options = json!({"timeout_ms": self.limit_ms(request.method())});
        if matches!(request, Request::ToolsCall { .. }) {
            options["progress"] = json!(true);
            // From 2026-07-28 on a server logs only for the requests that ask for it.
            options["log_level"] = json!("info");
            // Progress shows that the server works; a total is needed only where the person asked for no limit.
            options["max_total_ms"] = json!(NO_LIMIT_MS);
        }
        options
    }

    fn limit_ms(&self, method: &str) -> u64 {
        let own = self.methods.iter().find(|(name, _)| name == method);
        let limit = millis(own.map_or(self.timeout, |(_, limit)| *limit));
        if limit == 0 { NO_LIMIT_MS } else { limit }
    }

    fn tag(&self) -> u64 {
        let tag = self.next_tag.get();
        self.next_tag.set(tag + 1);
        tag
    }

    /// Waits for the outcome of what `start` starts, and does what arrives meanwhile.
    fn wait(
        &self,
        progress: &Progress,
        start: impl FnOnce(&Client, u64) -> Result<u64, Error>,
    ) -> Result<Message, Failure> {
        self.wait_with(progress, None, start)
    }

    /// The same; where nothing is drawn, it is told once after a time that the server is not ready.
    fn wait_with(
        &self,
        progress: &Progress,
        slow: Option<Duration>,
        start: impl FnOnce(&Client, u64) -> Result<u64, Error>,
    ) -> Result<Message, Failure> {
        if INTERRUPTS.load(Ordering::Relaxed) > 0 {
            return Err(Failure::interrupted());
        }
        let tag = self.tag();
        let call = start(&self.client, tag)?;
        // A connection that takes long is told once where no spinner shows it.
        let mut told = slow.filter(|_| progress.has_no_terminal()).map(|limit| Instant::now() + limit);
        loop {
            if told.is_some_and(|at| Instant::now() >= at) {
                told = None;
                let last = self.stderr.borrow().back().map(|line| format!("; it wrote: {line}"));
                Screen::said(format!(
                    "{} is not ready after {} s{}",
                    one_line(&self.starts),
                    SLOW.as_secs(),
                    last.unwrap_or_default()
                ));
            }
            match self.step(progress, Some(call), told)? {
                Some(message) if message.kind() == Kind::Reply && message.tag() == tag => return Ok(message),
                _ => {}
            }
        }
    }

    /// Waits for a message, and does what it asks for. After Ctrl-C the call is cancelled and its outcome is a failure.
    fn step(
        &self,
        progress: &Progress,
        call: Option<u64>,
        until: Option<Instant>,
    ) -> Result<Option<Message>, Failure> {
        let is_cancelled = INTERRUPTS.load(Ordering::Relaxed) > 0;
        if is_cancelled {
            let was_under_way =
                call.is_some_and(|call| self.client.cancel(call, "the person pressed Ctrl-C"));
            if !was_under_way {
                return Err(Failure::interrupted());
            }
        }
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        match self.client.poll(left, false)? {
            Polled::Message(message) => {
                if message.kind() == Kind::Reply && is_cancelled {
                    return Err(Failure::interrupted());
                }
                let arrived = self.arrived(&message, progress);
                if let (Err(failure), Some(call)) = (&arrived, call)
                    && failure.exit == crate::failure::INTERRUPTED
                {
                    // A shell goes on, and the server is not to work for nothing.
                    let _was_under_way = self.client.cancel(call, "the person pressed Ctrl-C");
                }
                arrived?;
                Ok(Some(message))
            }
            Polled::Closed if is_cancelled => Err(Failure::interrupted()),
            Polled::Closed => Err(Error::new(Status::Closed, "poll", "the connection was closed").into()),
            Polled::Empty | Polled::Woken => Ok(None),
        }
    }

    fn arrived(&self, message: &Message, progress: &Progress) -> Result<(), Failure> {
        match message.kind() {
            Kind::Progress => progress.report(message.json()),
            Kind::Notification
                if message.method() == Some("notifications/message") && !self.is_watching.get() =>
            {
                let text = |name: &str| member(message.json(), name).and_then(string).unwrap_or_default();
                let data = member(message.json(), "data").unwrap_or("null");
                let data = string(data).map_or_else(|| data.to_owned(), std::borrow::Cow::into_owned);
                let line = format!("[{}] {}", one_line(&text("level")), one_line(&data));
                progress.suspended(|| Screen::note(styled(FAINT, line)));
            }
            Kind::Stderr => {
                let line = one_line(&member(message.json(), "line").and_then(string).unwrap_or_default());
                if self.verbose > 0 {
                    progress.suspended(|| Screen::note(styled(FAINT, format!("[stderr] {line}"))));
                }
                progress.said(&line);
                let mut last = self.stderr.borrow_mut();
                if last.len() == STDERR_LINES {
                    last.pop_front();
                }
                last.push_back(line);
            }
            Kind::State if self.verbose > 0 => {
                let state = member(message.json(), "state").and_then(string).unwrap_or_default();
                progress.suspended(|| Screen::note(styled(FAINT, format!("[state] {state}"))));
            }
            Kind::Request => {
                return progress.suspended(|| self.questions.borrow_mut().answer(&self.client, message));
            }
            Kind::Auth => {
                let asked =
                    progress.suspended(|| login::asked(&self.client, message, self.login, &self.shown))?;
                self.asked.replace(asked);
            }
            _ => {}
        }
        Ok(())
    }
}

/// What a connection has seen that may explain why an answer did not come, besides what the library says itself.
fn known_at_the_end(info: &str) -> Vec<String> {
    let count = |name: &str| -> u64 {
        let counters = member(info, "counters").unwrap_or("{}");
        member(counters, name).and_then(|count| count.parse().ok()).unwrap_or(0)
    };
    let told = [
        ("late_answers", "answer", "to requests that had ended came"),
        ("oversized_frames", "message", "over --max-message came"),
    ];
    let one = |(name, what, how): (&str, &str, &str)| {
        let count = count(name);
        (count > 0).then(|| format!("{} {how}", counted(count, what)))
    };
    told.into_iter().filter_map(one).collect()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A day: what the library allows at most for a call with progress.
pub const NO_LIMIT_MS: u64 = 86_400_000;

/// Writes the library's log to standard error, if the command line asks for it.
pub fn log_of(common: &Common) {
    log_at(common.verbose);
}

/// The same, as often as `--verbose` was given.
pub fn log_at(verbose: u8) {
    if verbose > 0 {
        log(verbose);
    }
}

/// Adds what the program says of itself and how it wants to hear of the server.
pub fn complete(config: &mut Map<String, Value>, common: &Common) {
    let mut add = |key: &str, value: Value| {
        config.entry(key).or_insert(value);
    };
    add("client", json!({"name": "mcp", "version": env!("CARGO_PKG_VERSION")}));
    // Shown when the connection fails, or with --verbose.
    add("stderr", "message".into());
    if config.contains_key("command") {
        let start = common.start_timeout(config);
        let start = if start.is_zero() { NO_LIMIT_MS } else { millis(start) };
        let timeouts = config.entry("timeouts").or_insert_with(|| json!({}));
        if let Value::Object(timeouts) = timeouts {
            // It is that of the configuration where the command line gives none.
            if common.given_timeout.is_some() || !timeouts.contains_key("start_ms") {
                timeouts.insert("start_ms".to_owned(), start.into());
            }
        }
    }
    let mut add = |key: &str, value: Value| {
        config.entry(key).or_insert(value);
    };
    add("reconnect", json!(false));
    // Tools that require a task can be called, and commands can ask for one.
    add("tasks", json!(true));
    // Without a person questions are declined: a server may go on without the answer.
    let mut able = json!({"elicitation": {"form": {}, "url": {}}});
    if common.sample.is_some() {
        able["sampling"] = json!({});
    }
    if common.can.iter().any(|what| what == "ui") {
        able["extensions"] = json!({EXTENSION: {"mimeTypes": [MIME_TYPE]}});
    }
    add("capabilities", able);
}

/// The library's log on standard error.
fn log(verbose: u8) {
    let level = if verbose > 1 { Level::Debug } else { Level::Warn };
    let write = |_: Level, record: &str| Screen::note(styled(FAINT, format!("[log] {}", one_line(record))));
    set_logger(Some((level, Arc::new(write))));
}

/// What the library logs of messages that are not as they should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Whether it was understood all the same.
    pub is_tolerated: bool,
    /// What is wrong, where that is known in words.
    pub what: String,
    /// How the message begins.
    pub message: String,
}

/// The most remarks that are kept, each once.
const REMARKS: usize = 50;

/// Hears what the library logs of messages of servers; its log is on standard error, too, if the command line asks for it.
pub fn remarks_of(verbose: u8) -> Arc<Mutex<Vec<Remark>>> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&heard);
    let most = if verbose > 1 { Level::Debug } else { Level::Warn };
    let write = move |level: Level, record: &str| {
        if verbose > 0 && level as u8 <= most as u8 {
            Screen::note(styled(FAINT, format!("[log] {}", one_line(record))));
        }
        let word = |name: &str| member(record, name).and_then(string).unwrap_or_default().into_owned();
        let is_tolerated = match word("event").as_str() {
            "protocol.tolerated" => true,
            "protocol.violation" => false,
            _ => return,
        };
        let remark = Remark { is_tolerated, what: word("what"), message: word("frame") };
        let mut heard = into.lock().unwrap_or_else(PoisonError::into_inner);
        if heard.len() < REMARKS && !heard.contains(&remark) {
            heard.push(remark);
        }
    };
    set_logger(Some((Level::Debug, Arc::new(write))));
    heard
}

/// The first Ctrl-C cancels the call, a second one ends the program.
fn watch_interrupts(client: &Client) -> Result<(), Failure> {
    {
        let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|one| one.strong_count() > 0);
        waiting.push(Arc::downgrade(client.interruption()));
    }
    let pressed = || {
        if let Some(instead) = instead() {
            return instead();
        }
        if INTERRUPTS.fetch_add(1, Ordering::Relaxed) > 0 {
            crate::group::exit(crate::failure::INTERRUPTED);
        }
        for waiting in WAITING.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            // A wait that is not there yet finds the count of interrupts.
            let _was_waiting = waiting.upgrade().is_some_and(|waiting| waiting.end_poll());
        }
    };
    match ctrlc::set_handler(pressed) {
        // The shell connects once only; a handler that is there is this one.
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(error) => Err(Failure::machine(format!("cannot watch for Ctrl-C: {error}"))),
    }
}

/// What Ctrl-C and SIGTERM do instead.
type Asked = Arc<dyn Fn() + Send + Sync>;

/// What Ctrl-C and SIGTERM do from now on, once no session waits any more.
static INSTEAD: Mutex<Option<Asked>> = Mutex::new(None);

fn instead() -> Option<Asked> {
    INSTEAD.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Sets what Ctrl-C and SIGTERM do from now on: what was set last counts.
pub fn watch_signals(asked: impl Fn() + Send + Sync + 'static) -> Result<(), Failure> {
    *INSTEAD.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(asked));
    let handle = || {
        if let Some(instead) = instead() {
            instead();
        }
    };
    match ctrlc::set_handler(handle) {
        // That of a session knows it, too.
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(error) => Err(Failure::machine(format!("cannot watch for signals: {error}"))),
    }
}

/// Whether Ctrl-C was pressed since the last command of a shell.
pub fn is_interrupted() -> bool {
    INTERRUPTS.load(Ordering::Relaxed) > 0
}

/// The next command of a shell begins.
pub fn forget_interrupts() {
    INTERRUPTS.store(0, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_without_a_path_is_tried_at_the_usual_one() {
        let failure = |status: u16| {
            Failure::from(Error::new(Status::Protocol, "connect", "no").with("http_status", status))
        };
        let path = |url: &str, status: u16| {
            let config = json!({"url": url, "headers": {}});
            at_usual_path(config.as_object().expect("an object"), &failure(status)).map(|(url, _)| url)
        };
        for url in ["http://h:1", "http://h:1/"] {
            assert_eq!(path(url, 404).as_deref(), Some("http://h:1/mcp"));
        }
        assert_eq!(path("https://h", 405).as_deref(), Some("https://h/mcp"));
        assert_eq!(path("https://h/x", 404), None);
        assert_eq!(path("https://h?x", 404), None);
        assert_eq!(path("https://h/", 500), None);
    }

    #[test]
    fn what_was_seen_is_told_when_the_time_is_over() {
        let counters = json!({"counters": {"late_answers": 1, "oversized_frames": 3, "garbage_frames": 2}});
        assert_eq!(
            known_at_the_end(&counters.to_string()),
            ["1 answer to requests that had ended came", "3 messages over --max-message came"]
        );
        assert!(known_at_the_end("{}").is_empty());
    }

    #[test]
    fn what_the_usual_path_said_is_not_lost() {
        let of = |status: Status, http: u16| {
            Failure::from(Error::new(status, "connect", "why").with("http_status", http))
        };
        let both = |second: Failure| of_usual_path(of(Status::Protocol, 404), second, "http://h/mcp");
        for absent in [404, 405] {
            let failure = both(of(Status::Auth, absent));
            assert_eq!((failure.exit, failure.text()), (crate::failure::OTHER, "why".to_owned()));
        }
        for (second, exit) in [
            (of(Status::Auth, 401), crate::failure::AUTH),
            (of(Status::Unavailable, 503), crate::failure::UNREACHED),
            (Failure::interrupted(), crate::failure::INTERRUPTED),
        ] {
            let failure = both(second);
            assert_eq!(failure.exit, exit);
            assert!(failure.text().contains("http://h/mcp was tried"), "{}", failure.text());
        }
        let login = no_login_elsewhere(of(Status::Protocol, 404), "http://h/mcp");
        assert!(login.text().contains("run `mcp login http://h/mcp`"), "{}", login.text());
    }

    /// A server on this machine that answers each request with the status of its path, and says which paths were asked.
    fn statuses(of: fn(&str) -> &'static str) -> (String, std::sync::mpsc::Receiver<String>) {
        use std::io::{BufRead as _, BufReader, Read as _, Write as _};
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let (asked, paths) = std::sync::mpsc::channel();
        // It ends with the process: it waits for connections and holds nothing.
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = BufReader::new(stream?);
                let (mut path, mut length) = (String::new(), 0);
                for line in stream.by_ref().lines() {
                    let line = line?;
                    if line.is_empty() {
                        break;
                    }
                    if path.is_empty() {
                        path = line.split(' ').nth(1).unwrap_or_default().to_owned();
                    }
                    if let Some((_, value)) =
                        line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
                    {
                        length = value.trim().parse().unwrap_or_default();
                    }
                }
                std::io::copy(&mut stream.by_ref().take(length), &mut std::io::sink())?;
                let status = of(&path);
                let head = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
                stream.get_mut().write_all(head.as_bytes())?;
                if asked.send(path).is_err() {
                    break;
                }
            }
            std::io::Result::Ok(())
        });
        (url, paths)
    }

    #[test]
    fn a_login_is_for_the_url_that_is_named_and_nothing_else() {
        use clap::Parser as _;
        let of = |path: &str| if path == "/" { "404 Not Found" } else { "503 Service Unavailable" };
        let open = |login: Option<login::Person>| {
            let (url, paths) = statuses(of);
            // With a token of one's own no login is looked for in the home of the person.
            let words = ["mcp", "ping", &url, "--timeout", "20", "-H", "Authorization: Bearer t"];
            let common = crate::arguments::Arguments::try_parse_from(words).expect("options").common;
            let target = crate::target::named(&url, &common).expect("a target");
            let failure = Session::open(target, &common, Questions::new(None), login).expect_err("no server");
            (url, failure, paths.try_iter().collect::<Vec<_>>())
        };
        let (url, failure, paths) = open(None);
        assert!(failure.text().contains(&format!("{url}/mcp was tried")), "{}", failure.text());
        assert!(paths.iter().any(|path| path == "/mcp"), "{paths:?}");
        let (url, failure, paths) = open(Some(login::Person::Paste));
        assert!(failure.text().contains(&format!("run `mcp login {url}/mcp`")), "{}", failure.text());
        assert!(!paths.iter().any(|path| path == "/mcp"), "{paths:?}");
    }
}
