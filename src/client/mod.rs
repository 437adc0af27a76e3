//! What an application uses of a client: it is made from configuration, connects, makes calls, and its messages are read.
//!
//! The runtime does the waiting and driving. This layer must not know C.
//!
//! [`Client`] in this file is made from configuration, connects, makes raw calls, notifications and answers, checks their
//! parameters, and describes the connection.
//!
//! The files:
//!
//! * `config`: the configuration and the options of a call
//! * `features`: tools, resources, prompts and the others as requests, and what their results need
//! * `cache`: `Cache`: results kept for a while
//! * `document`: a public document on the web
//! * `authorization`: the answers of an application to AUTH messages
//! * `fuzzing`: what the fuzz targets reach

mod authorization;
mod cache;
pub mod config;
#[cfg(all(feature = "auth", feature = "http"))]
mod document;
pub mod features;
#[cfg(all(test, feature = "http"))]
mod field_tests;
#[cfg(fuzzing)]
pub mod fuzzing;
#[cfg(test)]
mod transport_tests;

pub use crate::runtime::connection::Interruption;
pub use crate::runtime::link::owner::StderrTo;
pub use crate::runtime::logger::{Frame, FrameListener, set_frame_listener};
pub use crate::runtime::logger::{Logger, set_logger};
pub use crate::runtime::message::{Kind, Message};
pub use crate::runtime::polling::{Polled, poll_queue, set_ready};
pub use crate::runtime::queue::{Overflow, Queue, QueueLimits, Ready, WakeState};
pub use crate::runtime::telemetry::{SpanListener, TelemetrySettings, dropped_spans, metrics, set_telemetry};
pub use config::adopted::{Adopted, SWITCHES, Unread, adopted, adopts, shaped, switch, unread_of_login};
#[cfg(feature = "client")]
pub(crate) use config::file::open as open_config;
pub use config::file::{load as load_config, servers as list_servers};
pub use config::knows as knows_key;
pub use config::parse_queue as queue_limits;
#[cfg(all(feature = "auth", feature = "http"))]
pub use document::{WebAnswer, WebRequest, document, web};

use crate::engine::{CallOptions, CallRequest, Event, Feature, SessionFacts, Wire};
use crate::json;
use crate::protocol::Params;
use crate::protocol::method::{Method, TOOLS_CALL, find};
use crate::runtime::background;
use crate::runtime::connection::{Connection, ConnectionParts, Core, Ticket};
use crate::runtime::link::custom::Custom;
use crate::runtime::link::pipes::Pipes;
use crate::runtime::link::{Http, Link};
use crate::runtime::polling::{look, poll};
use crate::runtime::queue::Take;
use crate::runtime::waiter::{Arrival, Waiter};
use crate::transport::custom::Transport;
use crate::transport::process::per_process::generation;
use config::Config;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::{Duration, Instant};

/// Keeps the descriptors of a program out of what it starts.
pub use crate::transport::process::keep_from_children;

/// What calls take and give: answers to a server, errors, states, levels of log records.
pub use crate::engine::{Error, Level, RequestAnswer, State, Status};

/// Names of tools as patterns.
pub use crate::engine::matches_name;

/// JSON as text, for programs that read what messages carry: members in the order of the server, numbers as it wrote them.
/// The text that they are given must be valid JSON; in other text they find nothing.
pub mod json_text {
    pub use crate::json::{
        Kind, canonical, decoded, elements, kind, member, members, one_line_into, plain, quote, splice_into,
        string, tree_bytes,
    };
}

/// Definitions of tools, prompts and resources as they should be written, made of how a server wrote them.
pub mod definitions {
    pub use crate::protocol::lenient::{
        prompt_definition as prompt, resource_definition as resource, tool_definition as tool,
    };
}

/// A text without the user names and passwords of the URLs in it.
pub use crate::protocol::address::{without_password, without_passwords};
pub use crate::protocol::capability::may_have;
/// A time in seconds since 1970 as RFC 3339 writes it.
pub use crate::protocol::write::timestamp;
/// A text with its percent-encoded octets decoded; `None` where that is no UTF-8.
pub use crate::uri_template::percent_decoded;
/// Texts of others for people: without what a terminal would execute, or not show.
pub mod visible {
    pub use crate::protocol::address::encoded as url;
    pub use crate::protocol::visible::{is_hidden, show, visible, visible_into, visible_json_into};
}

/// Values against a JSON Schema, for programs that check arguments before they send them.
#[cfg(feature = "schema")]
pub mod schema {
    pub use super::features::tools::{SchemaVerdict, judge};
}

/// Codes of errors and names of members that the protocol gives a meaning, for programs that read and write its JSON.
pub mod names {
    pub use crate::protocol::error_code::{
        BUSY, INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, MISSING_CLIENT_CAPABILITY,
    };
    #[cfg(feature = "server")]
    pub use crate::protocol::error_code::{INVALID_REQUEST, RESOURCE_NOT_FOUND};
    pub use crate::protocol::meta::{
        CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROGRESS_TOKEN, PROTOCOL_VERSION,
    };
    pub use crate::protocol::task::{EXTENSION as TASKS, RELATED as RELATED_TASK};
}

/// One logical connection to one server. Every method may be called from any thread.
#[derive(Debug)]
pub struct Client {
    /// The process that it was made in: a child of `fork` has a copy that it must leave as it is.
    process: u64,
    connection: Arc<Connection>,
    /// What is known beside the connection.
    features: Arc<features::FeatureState>,
    json_depth: usize,
    /// What the application attached: never read here.
    user: AtomicPtr<()>,
}

/// How often a blocking call looks again when the server does not keep up.
const BACKPRESSURE_ATTEMPTS: u32 = 3;

/// The wait before such a look: 10 ms, give or take half, so that many threads do not come back together.
fn backpressure_wait() -> Duration {
    Duration::from_micros(5_000 + crate::runtime::seed() % 10_000)
}

impl Client {
    /// The number that messages carry to say whose they are.
    pub fn number(&self) -> u64 {
        self.connection.context.client
    }

    /// Attaches a pointer of the application.
    pub fn set_user(&self, user: *mut ()) {
        self.user.store(user, Ordering::Release);
    }

    /// What the application attached; NULL for nothing.
    pub fn user(&self) -> *mut () {
        self.user.load(Ordering::Acquire)
    }

    /// Why a tool may not be used, as it follows its name in a sentence; `None` if it may.
    pub fn tool_refusal(&self, tool: &str) -> Option<&'static str> {
        self.connection.core().engine.tool_refusal(tool)
    }

    /// The state.
    pub fn state(&self) -> State {
        self.connection.core().engine.state()
    }

    /// Calls, and waits for the one outcome. See [`features::Request::Method`].
    pub fn call(&self, method: &str, params: Option<&str>, options: Option<&str>) -> Message {
        if let Some(options) = self.needs_no_preparation(method, options) {
            return match self.check_params(method, params) {
                Ok(params) => self.wait_for_call(method, params, &options),
                Err(error) => Message::failure(self.number(), &error),
            };
        }
        self.request(&features::Request::Method { name: method, params }, options)
    }

    #[inline]
    fn wait_for_call(&self, method: &str, params: Option<Params<'_>>, options: &CallOptions) -> Message {
        let waiter = Arc::new(Waiter::of_call());
        let ticket = Ticket::Waiter(Arc::clone(&waiter));
        let begun = self.begin(method, params, options, ticket, 0, Some(&waiter));
        let (call, mut until) = match begun {
            Ok(begun) => begun,
            Err(error) => return Message::failure(self.number(), &error),
        };
        loop {
            if until.is_some() {
                self.connection.wait(&waiter, until);
            }
            if let Some(Arrival::Reply(reply)) = waiter.take() {
                // The exchange that this thread would have run and has not is run by the driver.
                if let Some(http) = self.connection.link.http()
                    && let Some(exchange) = waiter.take_inline()
                {
                    http.run(exchange);
                }
                return Message::reply(self.number(), call, 0, reply);
            }
            // The time is over, unless progress has moved the deadline: the engine knows.
            self.connection.tick(Some(&waiter));
            until = self.connection.core().engine.deadline_of(call);
        }
    }

    /// Calls and returns at once; the outcome arrives on the queue with `tag`. Gives the call's number.
    ///
    /// # Errors
    /// The call was not made: `INVALID_ARGUMENT`, `UNAVAILABLE`, `BACKPRESSURE`, `CLOSED`.
    pub fn start(
        &self,
        method: &str,
        params: Option<&str>,
        options: Option<&str>,
        tag: u64,
    ) -> Result<u64, Error> {
        if let Some(options) = self.needs_no_preparation(method, options) {
            self.room_for_outcome(method)?;
            let ticket = Ticket::Started { tag, finish: None };
            let params = self.check_params(method, params)?;
            return self.begin(method, params, &options, ticket, tag, None).map(|(call, _)| call);
        }
        self.start_request(&features::Request::Method { name: method, params }, options, tag)
    }

    /// The options of the most frequent call, for which nothing is looked up and nothing is done to the outcome: that of a tool, without
    /// options, where no tools were listed and no results are kept.
    fn needs_no_preparation(&self, method: &str, options: Option<&str>) -> Option<CallOptions> {
        let needs_none = options.is_none() && method == TOOLS_CALL && !self.features.looks_at_tools();
        needs_none.then(|| CallOptions { feature: Feature::Plain, ..CallOptions::default() })
    }

    /// Sends a method with its parameters as they are, for another asker than this client. See [`Client::start_request_for`].
    ///
    /// # Errors
    /// Those of [`Client::start`].
    pub fn start_for(
        &self,
        capabilities: &str,
        method: &str,
        params: Option<&str>,
        options: Option<&str>,
        tag: u64,
    ) -> Result<u64, Error> {
        self.room_for_outcome(method)?;
        let mut options = call_options(method, options)?;
        options.capabilities = Some(capabilities.into());
        let params = self.check_params(method, params)?;
        self.begin(method, params, &options, Ticket::Started { tag, finish: None }, tag, None)
            .map(|(call, _)| call)
    }

    /// Whether the queue may be owed one more outcome.
    fn room_for_outcome(&self, method: &str) -> Result<(), Error> {
        if self.connection.context.queue.is_full() {
            let what = "the queue holds as many outcomes as it may; poll it, or raise limits.queue_messages or \
                        limits.queue_bytes";
            return Err(Error::new(Status::Backpressure, method, what).with("sent", false));
        }
        Ok(())
    }

    fn begin(
        &self,
        method: &str,
        params: Option<Params<'_>>,
        options: &CallOptions,
        ticket: Ticket,
        tag: u64,
        by: Option<&Arc<Waiter>>,
    ) -> Result<(u64, Option<Instant>), Error> {
        let now = Instant::now();
        let mut core = self.connection.core();
        let mut attempts = 0;
        while let Some(error) = self.behind(&core, method) {
            // Only a thread that waits anyway waits here: a started call must return at once.
            if by.is_none() || attempts == BACKPRESSURE_ATTEMPTS {
                return Err(error);
            }
            attempts += 1;
            drop(core);
            Waiter::default().park(Some(Instant::now() + backpressure_wait()));
            core = self.connection.core();
        }
        let call = core.engine.call(now, CallRequest { method, params, options, ticket, tag })?;
        let deadline = core.engine.deadline_of(call);
        match by {
            Some(_) => {
                self.connection.interruption().waits_for(call);
                self.connection.run_effects(core, by);
            }
            None => self.connection.run_effects_later(core),
        }
        Ok((call, deadline))
    }

    /// The error of a call that would go behind more than the bound of bytes that the server has not read.
    fn behind(&self, core: &Core, method: &str) -> Option<Error> {
        let bound = self.connection.context.transport.outgoing_bytes;
        let waiting = core.engine.waiting_bytes() + self.connection.link.pending();
        (waiting >= bound).then(|| {
            let what = format!(
                "{waiting} bytes wait for the server to read them and limits.outgoing_bytes allows {bound}; the server \
                 does not keep up"
            );
            Error::new(Status::Backpressure, method, what)
            .with("sent", false)
            .with("waiting_bytes", waiting)
            .with("outgoing_bytes", bound)
        })
    }

    fn check_params<'a>(&self, method: &str, params: Option<&'a str>) -> Result<Option<Params<'a>>, Error> {
        if method.is_empty() {
            return Err(Error::new(Status::InvalidArgument, "call", "the method is empty"));
        }
        let Some(text) = params else { return Ok(None) };
        Params::check_of(self.find_method(method), text, self.json_depth).map(Some).map_err(|error| {
            Error::new(Status::InvalidArgument, method, format!("params is no JSON object: {error}"))
                .with("offset", error.offset)
        })
    }

    /// The row of a method, where the transport wants to know what its parameters are about.
    fn find_method(&self, method: &str) -> Option<&'static Method> {
        let is_http = self.connection.context.transport.endpoint.wire() == Wire::Http;
        if is_http { find(method) } else { None }
    }

    /// The outcome of a call that was started, taken from the queue; `None` where there is none within `timeout` (`None` waits without a
    /// bound). The call goes on then.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` where no such call is under way and none of its outcome waits.
    pub fn wait_for_started(&self, call: u64, timeout: Option<Duration>) -> Result<Option<Message>, Error> {
        let until = timeout.map(|timeout| Instant::now() + timeout);
        let which = Take::Reply { client: self.number(), call };
        let queue = &self.connection.context.queue;
        let waiter = Arc::new(Waiter::default());
        queue.add_waiter(&waiter);
        queue.end_turn();
        self.connection.write_held_back();
        let found = loop {
            // Before the look: an outcome is on the queue when its call is over.
            let is_started = self.is_started(call);
            if let Some(Polled::Message(message)) = look(queue, which) {
                break Ok(Some(message));
            }
            if !is_started {
                break Err(no_such_call(call));
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                break Ok(None);
            }
            self.connection.wait(&waiter, until);
            // What arrived was a hint to look again.
            drop(waiter.take());
        };
        queue.remove_waiter(&waiter);
        found
    }

    /// Whether a call that was started, or a connect, is under way.
    fn is_started(&self, call: u64) -> bool {
        let core = self.connection.core();
        core.engine.is_pending(call)
            || core.engine.is_connecting(
                |ticket| matches!(ticket, Ticket::Connecting { call: started, .. } if *started == call),
            )
    }

    /// Ends a call because its result is no longer wanted. Says whether it was still under way.
    pub fn cancel(&self, call: u64, reason: &str) -> bool {
        let mut core = self.connection.core();
        let connects =
            |ticket: &Ticket| matches!(ticket, Ticket::Connecting { call: started, .. } if *started == call);
        let was_under_way =
            core.engine.cancel(Instant::now(), call, reason) || core.engine.cancel_connect(connects, reason);
        self.connection.run_effects(core, None);
        was_under_way
    }

    /// Sends a notification.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`, `UNAVAILABLE` when not ready, `CLOSED`.
    pub fn notify(&self, method: &str, params: Option<&str>) -> Result<(), Error> {
        let params = self.check_params(method, params)?;
        let mut core = self.connection.core();
        if let Some(error) = self.behind(&core, method) {
            return Err(error);
        }
        core.engine.notify(Instant::now(), method, params)?;
        self.connection.run_effects(core, None);
        Ok(())
    }

    /// Answers a server's request.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the message is not a request of this client or was answered, or the result is not valid JSON;
    /// `CANCELLED`, `TRANSPORT`, `CLOSED` if the answer is no longer waited for.
    pub fn respond(&self, request: &Message, answer: RequestAnswer<'_>) -> Result<(), Error> {
        let invalid = |message: &str| Error::new(Status::InvalidArgument, "respond", message);
        if request.client() != self.number() {
            return Err(invalid("the message belongs to another client"));
        }
        let Some(key) = request.request_key() else {
            return Err(invalid("only a message of kind REQUEST can be answered"));
        };
        let (text, what) = match answer {
            RequestAnswer::Result(result) => (Some(result), "result"),
            RequestAnswer::Error { data, .. } => (data, "data"),
        };
        if let Some(text) = text {
            let value = json::scan_value(text.as_bytes(), self.json_depth).map_err(|error| {
                invalid(&format!("the {what} is no JSON: {error}")).with("offset", error.offset)
            })?;
            if what == "result" && value.kind != json::Kind::Object {
                return Err(invalid("the result is no JSON object"));
            }
        }
        let mut core = self.connection.core();
        core.engine.respond(Instant::now(), key, answer)?;
        self.connection.run_effects(core, None);
        Ok(())
    }

    /// The next message, waiting at most `timeout` (`None` waits without a bound).
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` on a client whose messages go to a shared queue.
    pub fn poll(&self, timeout: Option<Duration>, only_notifications: bool) -> Result<Polled, Error> {
        if !self.connection.context.owns_queue {
            return Err(Error::new(
                Status::InvalidArgument,
                "poll",
                "this client delivers to a shared queue; poll that with mcp_queue_poll",
            ));
        }
        let queue = &self.connection.context.queue;
        let waits = timeout.is_none_or(|timeout| !timeout.is_zero());
        let which = match only_notifications {
            false => Take::All,
            true if waits => Take::Notifications,
            true => Take::OnlyNotifications,
        };
        if let Some(polled) = look(queue, which) {
            return Ok(polled);
        }
        queue.end_turn();
        self.connection.write_held_back();
        if !waits {
            return Ok(Polled::Empty);
        }
        Ok(poll(queue, timeout, which, |waiter, until| self.connection.wait(waiter, until)))
    }

    /// What ends the waits of threads, also from a signal handler.
    pub fn interruption(&self) -> &Arc<Interruption> {
        self.connection.interruption()
    }

    /// The queue its messages go to.
    pub fn queue(&self) -> Arc<Queue> {
        Arc::clone(&self.connection.context.queue)
    }

    /// What there is to know about the connection, as JSON text.
    pub fn info(&self) -> String {
        connection_info(&self.connection, &self.features)
    }

    /// Closes: pending calls end as `CLOSED`, the server is ended. Bounded (`None` takes the configured bound), idempotent.
    pub fn close(&self, timeout: Option<Duration>) -> Status {
        let limit = timeout.unwrap_or(self.connection.context.transport.close);
        #[cfg(feature = "auth")]
        let until = Instant::now() + limit;
        let status = self.connection.close(limit);
        #[cfg(feature = "auth")]
        if let Some(authenticator) = self.connection.link.http().and_then(Http::authenticator) {
            authenticator.finish(until);
            authenticator.wait_for_nothing();
        }
        status
    }
}

fn no_such_call(call: u64) -> Error {
    let message = format!(
        "no call {call} of this client is under way, and no reply of it waits: it was not started here, or its reply has \
         been taken from the queue"
    );
    Error::new(Status::InvalidArgument, "call_wait", message).with("call", call)
}

/// The options of a call, as the application wrote them.
fn call_options(method: &str, options: Option<&str>) -> Result<CallOptions, Error> {
    match options {
        None => Ok(CallOptions::default()),
        Some(text) => config::options::parse(text).map_err(|error| error.of(method)),
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if self.process != generation() {
            // Neither its locks nor its threads are this process's.
            let _left = std::mem::ManuallyDrop::new(Arc::clone(&self.connection));
            return;
        }
        // Past its bound the server is killed, so there is nothing to be said of the outcome.
        let _ended_by_then = self.close(None);
        self.connection.release();
    }
}

impl Client {
    /// Makes a client from JSON configuration, with a queue of its own or on one shared with others. Starts nothing yet.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`, naming the key that is wrong; `INTERNAL` when the process has no descriptor or thread left.
    pub fn new(config: &str, shared: Option<Arc<Queue>>) -> Result<Client, Error> {
        Client::make(Config::parse(config)?, shared, None)
    }

    fn make(
        config: Config,
        shared: Option<Arc<Queue>>,
        custom: Option<Arc<Custom>>,
    ) -> Result<Client, Error> {
        let runtime = background::acquire()?;
        let link = match custom {
            Some(custom) => Ok(Link::Custom(custom)),
            None => Link::new(
                &config.transport.endpoint,
                &runtime,
                #[cfg(feature = "auth")]
                config.auth,
            ),
        };
        let link = link.inspect_err(|_| background::release())?;
        let owns_queue = shared.is_none();
        let queue = shared.unwrap_or_else(|| Queue::new(config.queue));
        let json_depth = config.settings.json_depth;
        queue.add_client();
        let features = Arc::new(features::FeatureState::new(
            config.features,
            #[cfg(feature = "auth")]
            link.http().and_then(Http::authenticator).cloned(),
        ));
        let observer = {
            let features = Arc::clone(&features);
            Box::new(move |event: &Event| features.heard(event))
        };
        let connection = Connection::new(ConnectionParts {
            client: crate::runtime::next_number(),
            name: config.name,
            settings: config.settings,
            transport: config.transport,
            queue,
            owns_queue,
            runtime,
            observer,
            link,
        });
        let user = AtomicPtr::default();
        Ok(Client { process: generation(), connection, features, json_depth, user })
    }

    /// Makes a client that speaks over a transport of the host's. Opens nothing yet. The transport is dropped with the
    /// client, or when it cannot be made.
    ///
    /// # Errors
    /// As [`Client::new`]; the configuration must not say where a server is.
    pub fn with_transport(
        config: &str,
        shared: Option<Arc<Queue>>,
        transport: Box<dyn Transport>,
    ) -> Result<Client, Error> {
        Client::over(Config::parse_custom(config)?, shared, transport)
    }

    /// Makes a client of a server in the same process, which `transport` leads to.
    ///
    /// # Errors
    /// As [`Client::with_transport`]; its queue must not be one that holds up servers when it is full: that holds up reading, and
    /// nothing is read here.
    #[cfg(all(feature = "client", feature = "server"))]
    pub(crate) fn in_process(
        config: &str,
        shared: Option<Arc<Queue>>,
        transport: Box<dyn Transport>,
    ) -> Result<Client, Error> {
        let config = Config::parse_custom(config)?;
        let limits = shared.as_ref().map_or(config.queue, |queue| queue.limits());
        if limits.overflow == Overflow::Block {
            let what = "limits.overflow is \"block\", which cannot hold up a server of the same process: \
                        use \"drop_oldest\" or \"drop_newest\"";
            return Err(Error::new(Status::InvalidArgument, "client_new", what));
        }
        Client::over(config, shared, transport)
    }

    fn over(
        config: Config,
        shared: Option<Arc<Queue>>,
        transport: Box<dyn Transport>,
    ) -> Result<Client, Error> {
        let custom = Custom::new(transport, config.transport.outgoing_bytes);
        Client::make(config, shared, Some(Arc::new(custom)))
    }

    /// Starts if need be and waits until ready, at most `timeout`.
    ///
    /// # Errors
    /// Why the attempt failed; `TIMEOUT`; `CLOSED`.
    pub fn connect(&self, timeout: Option<Duration>) -> Result<(), Error> {
        let waiter = Arc::new(Waiter::default());
        let until = {
            let now = Instant::now();
            let mut core = self.connection.core();
            core.engine.connect(now, timeout, Ticket::Waiter(Arc::clone(&waiter)));
            self.connection.run_effects(core, Some(&waiter));
            timeout.map(|timeout| now + timeout)
        };
        loop {
            self.connection.wait(&waiter, until);
            match waiter.take() {
                Some(Arrival::Connected(outcome)) => return outcome,
                Some(_) => {}
                // The time is over: the engine says so.
                None => self.connection.tick(Some(&waiter)),
            }
        }
    }

    /// The same, but returns at once: the outcome arrives on the queue with `tag`. Gives the number to cancel it by.
    ///
    /// # Errors
    /// Nothing was started: `BACKPRESSURE`, `CLOSED`.
    pub fn connect_start(&self, timeout: Option<Duration>, tag: u64) -> Result<u64, Error> {
        self.room_for_outcome("connect")?;
        let mut core = self.connection.core();
        core.engine.may_start_connect()?;
        let call = core.engine.number();
        core.engine.connect(Instant::now(), timeout, Ticket::Connecting { call, tag });
        self.connection.run_effects(core, None);
        Ok(call)
    }
}

fn connection_info(connection: &Connection, features: &features::FeatureState) -> String {
    let core = connection.core();
    let engine = &core.engine;
    let facts = engine.facts();
    let mut info = Map::new();
    let mut set = |name: &str, value: Value| put(&mut info, name, value);
    let raw = |text: &Option<String>| {
        text.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null)
    };
    let ready = engine.state() == State::Ready;
    set("name", connection.context.name.as_str().into());
    set("state", engine.state().as_str().into());
    set("transport", connection.context.transport.endpoint.as_str().into());
    set(
        "revision",
        engine.revision().filter(|_| ready).map_or(Value::Null, |revision| revision.as_str().into()),
    );
    set("era", engine.era().map_or(Value::Null, |era| era.as_str().into()));
    set("server", raw(&facts.info));
    set("capabilities", raw(&facts.capabilities));
    set("instructions", facts.instructions.as_deref().map_or(Value::Null, Into::into));
    match connection.link.http().and_then(Http::has_session) {
        Some(has_session) => set("session", has_session.into()),
        None => {
            let pid = connection.link.pipes().and_then(Pipes::pid);
            set("pid", pid.map_or(Value::Null, Into::into));
        }
    }
    set("connection", engine.generation().into());
    set("pending_calls", engine.pending().into());
    set("unanswered_requests", engine.unanswered().into());
    if let Some(failure) = engine.failure() {
        set("failure", serde_json::from_str(&failure.to_json()).unwrap_or(Value::Null));
    }
    if let Some(at) = engine.next_attempt() {
        let wait = at.saturating_duration_since(Instant::now()).as_millis();
        set("next_attempt_in_ms", u64::try_from(wait).unwrap_or(u64::MAX).into());
    }
    set("counters", Value::Object(engine.counters().to_map()));
    set("stray_output", engine.stray_output().map_or(Value::Null, Into::into));
    set(
        "listening",
        engine.listening().and_then(|granted| serde_json::from_str(granted).ok()).unwrap_or(Value::Null),
    );
    let session = |session: SessionFacts| {
        json!({
            "session_required": session.required,
            "stateful_tools": session.stateful_tools,
            "waiting": session.waiting,
        })
    };
    set("tool_modes", engine.session().map_or(Value::Null, session));
    set("cache", features.info());
    set("latency", Value::Object(engine.latencies()));
    drop(core);
    Value::Object(info).to_string()
}

/// Not inlined: there are many members.
#[inline(never)]
fn put(info: &mut Map<String, Value>, name: &str, value: Value) {
    info.insert(name.to_owned(), value);
}
