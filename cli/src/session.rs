//! A connection to a server for the time of one command: calls, with progress, log messages, questions and Ctrl-C.

use crate::arguments::Common;
use crate::failure::Failure;
use crate::login;
use crate::output::{FAINT, Screen, one_line, styled};
use crate::progress::Progress;
use crate::questions::Questions;
use crate::target::Target;
use mcp::client::features::Request;
use mcp::client::json_text::{member, string};
use mcp::client::{Client, Error, Interruption, Kind, Level, Message, Polled, Status, set_logger};
use serde_json::{Map, Value, json};
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

/// A connected client.
#[derive(Debug)]
pub struct Session {
    client: Client,
    timeout: Duration,
    verbose: u8,
    next_tag: Cell<u64>,
    questions: RefCell<Questions>,
    /// Whether a login may ask the person; if not, it is given up with the advice to log in.
    pub login: Option<login::Person>,
    shown: String,
}

/// How often Ctrl-C was pressed since the last command of a shell.
static INTERRUPTS: AtomicU8 = AtomicU8::new(0);
/// The client whose wait Ctrl-C ends.
static WAITING: Mutex<Weak<Interruption>> = Mutex::new(Weak::new());

impl Session {
    /// Connects.
    pub fn open(
        target: Target,
        common: &Common,
        questions: Questions,
        login: Option<login::Person>,
    ) -> Result<Session, Failure> {
        let Target { shown, mut config } = target;
        complete(&mut config, common)?;
        if common.verbose > 0 {
            log(common.verbose);
        }
        let client = Client::new(&Value::Object(config).to_string(), None)?;
        watch_interrupts(&client)?;
        let session = Session {
            client,
            timeout: common.timeout,
            verbose: common.verbose,
            next_tag: Cell::new(1),
            questions: RefCell::new(questions),
            login,
            shown,
        };
        let progress = Progress::spinner(&format!("connecting to {}", session.shown));
        // The login of a person has times of its own.
        let limit = (!session.timeout.is_zero() && session.login.is_none()).then_some(session.timeout);
        let outcome = session.wait(&progress, |client, tag| client.connect_start(limit, tag))?;
        if outcome.status() == Status::Ok { Ok(session) } else { Err(Failure::reply(&outcome)) }
    }

    /// A client that is not connected: what is kept of a server can be forgotten without it.
    pub fn unconnected(target: Target, common: &Common) -> Result<Client, Failure> {
        let Target { mut config, .. } = target;
        complete(&mut config, common)?;
        Ok(Client::new(&Value::Object(config).to_string(), None)?)
    }

    /// What is known of the connection.
    pub fn info(&self) -> String {
        self.client.info()
    }

    /// Makes a request; its result as JSON text.
    pub fn request(&self, request: &Request<'_>) -> Result<Message, Failure> {
        let reports = matches!(request, Request::ToolsCall { .. });
        let what = match request {
            Request::ToolsCall { name, .. } => format!("calling {}", one_line(name)),
            other => other.method().to_owned(),
        };
        let mut options = Map::new();
        let limit = u64::try_from(self.timeout.as_millis()).unwrap_or(u64::MAX);
        options.insert("timeout_ms".to_owned(), json!(if limit == 0 { NO_LIMIT_MS } else { limit }));
        if reports {
            options.insert("progress".to_owned(), json!(true));
            // From 2026-07-28 on a server logs only for the requests that ask for it.
            options.insert("log_level".to_owned(), json!("info"));
            // Progress shows that the server works; a total is needed only where the person asked for no limit.
            options.insert("max_total_ms".to_owned(), json!(NO_LIMIT_MS));
        }
        let options = Value::Object(options).to_string();
        let progress = Progress::spinner(&what);
        let outcome =
            self.wait(&progress, |client, tag| client.start_request(request, Some(&options), tag))?;
        if outcome.status() == Status::Ok { Ok(outcome) } else { Err(Failure::reply(&outcome)) }
    }

    /// Waits for the outcome of what `start` starts, and does what arrives meanwhile.
    fn wait(
        &self,
        progress: &Progress,
        start: impl FnOnce(&Client, u64) -> Result<u64, Error>,
    ) -> Result<Message, Failure> {
        let tag = self.next_tag.get();
        self.next_tag.set(tag + 1);
        if INTERRUPTS.load(Ordering::Relaxed) > 0 {
            return Err(Failure::interrupted());
        }
        let call = start(&self.client, tag)?;
        let mut is_cancelled = false;
        loop {
            if !is_cancelled && INTERRUPTS.load(Ordering::Relaxed) > 0 {
                is_cancelled = true;
                self.client.cancel(call, "the person pressed Ctrl-C");
            }
            match self.client.poll(None, false)? {
                Polled::Message(message) if message.kind() == Kind::Reply && message.tag() == tag => {
                    return if is_cancelled { Err(Failure::interrupted()) } else { Ok(message) };
                }
                Polled::Message(message) => self.arrived(&message, progress)?,
                Polled::Closed if is_cancelled => return Err(Failure::interrupted()),
                Polled::Closed => {
                    return Err(Error::new(Status::Closed, "poll", "the connection was closed").into());
                }
                Polled::Empty | Polled::Woken => {}
            }
        }
    }

    fn arrived(&self, message: &Message, progress: &Progress) -> Result<(), Failure> {
        match message.kind() {
            Kind::Progress => progress.report(message.json()),
            Kind::Notification if message.method() == Some("notifications/message") => {
                let text = |name: &str| member(message.json(), name).and_then(string).unwrap_or_default();
                let data = member(message.json(), "data").unwrap_or("null");
                let data = string(data).map_or_else(|| data.to_owned(), std::borrow::Cow::into_owned);
                let line = format!("[{}] {}", one_line(&text("level")), one_line(&data));
                progress.suspended(|| Screen::note(&styled(FAINT, &line)));
            }
            Kind::Stderr if self.verbose > 0 => {
                let line = member(message.json(), "line").and_then(string).unwrap_or_default();
                progress.suspended(|| Screen::note(&styled(FAINT, &format!("[stderr] {}", one_line(&line)))));
            }
            Kind::State if self.verbose > 0 => {
                let state = member(message.json(), "state").and_then(string).unwrap_or_default();
                progress.suspended(|| Screen::note(&styled(FAINT, &format!("[state] {state}"))));
            }
            Kind::Request => {
                return progress.suspended(|| self.questions.borrow_mut().answer(&self.client, message));
            }
            Kind::Auth => {
                return progress.suspended(|| login::asked(&self.client, message, self.login, &self.shown));
            }
            _ => {}
        }
        Ok(())
    }
}

/// A day: what the library allows at most for a call with progress.
const NO_LIMIT_MS: u64 = 86_400_000;

/// Writes the library's log to standard error, if the command line asks for it.
pub fn log_of(common: &Common) {
    if common.verbose > 0 {
        log(common.verbose);
    }
}

/// Adds what the program says of itself and how it wants to hear of the server.
pub fn complete(config: &mut Map<String, Value>, common: &Common) -> Result<(), Failure> {
    let mut add = |key: &str, value: Value| {
        config.entry(key).or_insert(value);
    };
    add("client", json!({"name": "mcp", "version": env!("CARGO_PKG_VERSION")}));
    add("stderr", if common.verbose > 0 { "message".into() } else { "drop".into() });
    add("reconnect", json!(false));
    // Without a person questions are declined: a server may go on without the answer.
    add("capabilities", json!({"elicitation": {"form": {}, "url": {}}}));
    let has_credentials = config
        .get("headers")
        .and_then(Value::as_object)
        .is_some_and(|headers| headers.keys().any(|name| name.eq_ignore_ascii_case("authorization")));
    if config.contains_key("url") && !has_credentials && !config.contains_key("auth") {
        config.insert("auth".to_owned(), login::settings(login::folder()?));
    }
    Ok(())
}

/// The library's log on standard error.
fn log(verbose: u8) {
    let level = if verbose > 1 { Level::Debug } else { Level::Warn };
    let write = |_: Level, record: &str| Screen::note(&styled(FAINT, &format!("[log] {}", one_line(record))));
    set_logger(Some((level, Arc::new(write))));
}

/// The first Ctrl-C cancels the call, a second one ends the program.
fn watch_interrupts(client: &Client) -> Result<(), Failure> {
    *WAITING.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(client.interruption());
    let pressed = || {
        if INTERRUPTS.fetch_add(1, Ordering::Relaxed) > 0 {
            std::process::exit(crate::failure::INTERRUPTED.into());
        }
        let waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
        // A wait that is not there yet finds the count of interrupts.
        let _was_waiting = waiting.is_some_and(|waiting| waiting.end_poll());
    };
    match ctrlc::set_handler(pressed) {
        // The shell connects once only; a handler that is there is this one.
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(error) => Err(Failure::machine(format!("cannot watch for Ctrl-C: {error}"))),
    }
}

/// The next command of a shell begins.
pub fn forget_interrupts() {
    INTERRUPTS.store(0, Ordering::Relaxed);
}
