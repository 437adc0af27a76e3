//! What an application uses of a server: making it from configuration, what it offers, serving, closing.
//!
//! The runtime does the waiting and driving, the engine decides. This layer must not know C.
//!
//! [`Server`] is in this file.
//!
//! * `auth`: the key `auth`, and what it becomes: rules for the engine, and what checks tokens
//! * `config`: the definition of the keys, and the settings that they become
//! * `endpoint`: the keys of an endpoint: where and how a server serves
//! * `documents`: what a URL has besides the server: health, counters, the server card
//! * `http`: a URL at which a server serves
//! * `request`: `Request`: a request of a client, for an application in Rust; the options of a task
//! * `skills`: reads the skills below a folder

mod auth;
mod config;
#[cfg(test)]
mod config_tests;
#[cfg(feature = "http")]
mod documents;
mod endpoint;
#[cfg(all(test, feature = "http"))]
mod flood_tests;
#[cfg(feature = "http")]
pub(crate) mod http;
#[cfg(all(test, feature = "http"))]
mod http_tests;
#[cfg(all(test, feature = "auth"))]
mod principal_tests;
mod request;
#[cfg(feature = "skills")]
mod skills;
#[cfg(all(test, feature = "redis"))]
mod store_chaos_tests;
#[cfg(all(test, feature = "redis"))]
mod store_http_tests;
#[cfg(all(test, feature = "redis"))]
mod store_task_tests;
#[cfg(all(test, feature = "redis"))]
mod store_tests;

pub(crate) use crate::engine::server::Outcome;
pub use crate::engine::server::{Answer, Kind, Severity};
pub use crate::runtime::message::Handler;
pub(crate) use crate::runtime::queue::Take;
/// Who holds how much of what many share, for programs that have such things of their own.
pub use crate::shares::{Denied, Lending, Shares};
pub use request::Request;
pub(crate) use request::{TaskOptionKeys, checked};

use crate::config::define::Definition as _;
use crate::config::fields::parse_object;
use crate::config::fields::{Fields, wrong};
use crate::engine::seal::KeyRing;
use crate::engine::server::{Invalid, Now, Server as Engine, SessionId, contents_of};
use crate::engine::{Error, Status};
use crate::protocol::error_code;
use crate::runtime::message::Message;
use crate::runtime::next_number;
use crate::runtime::polling::Polled;
use crate::runtime::queue::{Queue, Ready, WakeState};
#[cfg(feature = "client")]
use crate::runtime::server::ToServer;
#[cfg(feature = "http")]
use crate::runtime::server::http::Hosted;
#[cfg(feature = "store")]
use crate::runtime::server::store::{self, Port};
/// What a store lacks for a server.
#[cfg(feature = "redis")]
pub use crate::runtime::server::store::{
    STORE_LOST, STORE_READY, StoreExamined, StoreFinding, StoreGrade, examine_store,
};
use crate::runtime::server::{Ends, Serving, ServingParts};
#[cfg(feature = "http")]
use crate::shares::Holder;
use crate::transport::custom::Transport;
use crate::transport::folder::{Folder, Unread};
use crate::transport::process::per_process::generation;
use crate::transport::socket::SocketAddress;
use crate::transport::socket::listen::Listener;
use crate::transport::standard_streams::StandardStreams;
use crate::{json, uri_template};
use config::ServerConfig;
#[cfg(feature = "http")]
use endpoint::UrlKeys;
use endpoint::{StreamKeys, unbound};
#[cfg(feature = "http")]
use http::{HostedExchange, Notice, RequestParts, UrlEndpoint, UrlSettings};
use ring::rand::{SecureRandom, SystemRandom};
#[cfg(feature = "http")]
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// A server. Every method may be called from any thread.
#[derive(Debug)]
pub struct Server {
    /// The process that it was made in: a child of `fork` has a copy that it must leave as it is.
    process: u64,
    serving: Arc<Serving>,
    owns_queue: bool,
    json_depth: usize,
    /// The largest file that is read.
    file_bytes: usize,
    /// What its URLs have in common.
    #[cfg(feature = "http")]
    http: UrlSettings,
    #[cfg(feature = "skills")]
    skills: config::SkillBounds,
    #[cfg(feature = "store")]
    sharing: Sharing,
}

/// What a server needs to share a store.
#[cfg(feature = "store")]
#[derive(Debug)]
struct Sharing {
    keys: Vec<[u8; crate::engine::seal::KEY]>,
    uses: store::StoreUse,
}

/// What seals with these keys.
fn ring(keys: Vec<[u8; crate::engine::seal::KEY]>) -> Result<KeyRing, Error> {
    let random = SystemRandom::new();
    KeyRing::new(keys, Box::new(move |bytes| random.fill(bytes).is_ok()))
        .ok_or_else(|| Error::new(Status::Internal, "server_new", "the system gives no random numbers"))
}

/// What an entry of the registry is, and what its handler is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A tool.
    Tool,
    /// A resource.
    Resource,
    /// A template of resources.
    Template,
    /// A prompt.
    Prompt,
}

impl Server {
    /// Makes a server from JSON configuration, with a queue of its own or on one shared with others. It serves nothing yet.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`, naming the key that is wrong; `INTERNAL` when the process has no descriptor or randomness left.
    pub fn new(config: &str, shared: Option<Arc<Queue>>) -> Result<Server, Error> {
        let ServerConfig {
            name,
            settings,
            streams,
            queue,
            keys,
            file_bytes,
            skills,
            store,
            #[cfg(feature = "http")]
            http,
        } = ServerConfig::parse(config)?;
        #[cfg(not(feature = "store"))]
        drop(store);
        #[cfg(not(feature = "skills"))]
        let _unused = skills;
        #[cfg(feature = "store")]
        let shared_keys = keys.clone();
        let ring = ring(keys)?;
        let json_depth = settings.limits.depth;
        let owns_queue = shared.is_none();
        let serving = Serving::new(ServingParts {
            number: next_number(),
            name,
            engine: Engine::new(settings, ring),
            limits: streams,
            queue: shared.unwrap_or_else(|| Queue::new(queue)),
            owns_queue,
        })?;
        let server = Server {
            process: generation(),
            serving,
            #[cfg(feature = "store")]
            sharing: Sharing { keys: shared_keys, uses: store.uses },
            owns_queue,
            json_depth,
            file_bytes,
            #[cfg(feature = "http")]
            http,
            #[cfg(feature = "skills")]
            skills,
        };
        #[cfg(feature = "store")]
        if let Some(url) = &store.url {
            server.set_store(store::open(url, store.ca_file)?)?;
        }
        Ok(server)
    }

    /// From now on the processes of this server share what they must in a store.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` without keys that all processes have, when there is a store already, and when another server has this one.
    #[cfg(feature = "store")]
    pub(crate) fn set_store(&self, store: Arc<Port>) -> Result<(), Error> {
        if self.sharing.keys.is_empty() {
            let what = "store: processes that share one need the same keys: set request_state.keys in the configuration";
            return Err(Error::new(Status::InvalidArgument, "server_set_store", what));
        }
        self.serving.set_store(store, &self.sharing.uses, ring(self.sharing.keys.clone())?)
    }

    /// Ends waits on the queue to which it delivers.
    pub fn wake_state(&self) -> &Arc<WakeState> {
        self.serving.wake_state()
    }

    /// The number that messages carry to say whose they are.
    pub fn number(&self) -> u64 {
        self.serving.number
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`: which member of the definition is wrong, or that the name is taken.
    pub fn add(&self, entry: Entry, definition: &str, handler: Handler) -> Result<(), Error> {
        self.change("server_add", |engine, now| match entry {
            Entry::Tool => engine.add_tool(now, definition, handler),
            Entry::Resource => engine.add_resource(now, definition, handler),
            Entry::Template => engine.add_template(now, definition, handler),
            Entry::Prompt => engine.add_prompt(now, definition, handler),
        })
    }

    /// Adds a resource whose text or bytes are always the same.
    ///
    /// # Errors
    /// As for [`Server::add`].
    pub fn add_fixed(&self, definition: &str, text: Option<&str>, bytes: &[u8]) -> Result<(), Error> {
        self.change("server_add", |engine, now| match text {
            Some(text) => engine.add_fixed_text(now, definition, text),
            None => engine.add_fixed_bytes(now, definition, bytes),
        })
    }

    /// Adds a template whose resources are the files below a folder.
    ///
    /// # Errors
    /// As for [`Server::add`]; `UNAVAILABLE` when the folder cannot be opened.
    pub fn add_folder(&self, definition: &str, path: &str) -> Result<(), Error> {
        let template = json::member(definition, "uriTemplate").and_then(json::string).unwrap_or_default();
        let example = uri_template::expand(&template, &format!("{{\"{VARIABLE}\":\"x\"}}"));
        let found = example.ok().and_then(|uri| uri_template::matches(&template, &uri));
        if !template.is_empty() && found.is_none_or(|found| !found.contains_key(VARIABLE)) {
            let what = "uriTemplate must have the variable 'path', for example \"docs:///{+path}\"";
            return Err(Error::new(Status::InvalidArgument, "server_add", what));
        }
        let folder = Folder::open(path).map_err(|errno| {
            let what = format!("the folder '{path}' cannot be opened: {errno}");
            Error::new(Status::Unavailable, "server_add", what)
        })?;
        self.add(Entry::Template, definition, handler(folder, definition, self.file_bytes))
    }

    /// Completes an argument by a handler, or from a fixed list.
    pub fn add_completion(
        &self,
        reference: &str,
        argument: &str,
        values: Option<Vec<String>>,
        handler: Handler,
    ) {
        self.serving.with_engine(|engine, _| match values {
            Some(values) => engine.complete_from(reference, argument, values),
            None => engine.complete_by(reference, argument, handler),
        });
    }

    /// Adds a method of an extension.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` when the name is taken, or belongs to the protocol.
    pub fn add_method(
        &self,
        method: &str,
        capability: Option<&str>,
        settings: &str,
        handler: Handler,
    ) -> Result<(), Error> {
        self.object(settings, "settings")?;
        self.change("server_add_method", |engine, _| engine.add_method(method, capability, settings, handler))
    }

    fn change(
        &self,
        operation: &str,
        work: impl FnOnce(&mut Engine<Handler>, Now) -> Result<(), Invalid>,
    ) -> Result<(), Error> {
        self.serving
            .with_engine(work)
            .map_err(|invalid| Error::new(Status::InvalidArgument, operation, invalid.to_string()))
    }

    /// Removes an entry; whether there was one.
    pub fn remove(&self, kind: Kind, name: &str) -> bool {
        self.serving.with_engine(|engine, now| engine.remove(now, kind, name))
    }

    /// Begins to serve. Gives where, as JSON text.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for what is not an endpoint; `UNAVAILABLE` when it is in use; `CLOSED`; `BACKPRESSURE`; `INTERNAL`.
    pub fn serve(&self, endpoint: &str) -> Result<String, Error> {
        serve(
            &self.serving,
            #[cfg(feature = "http")]
            &self.http,
            endpoint,
        )
    }

    /// Serves one client over a transport of the application.
    ///
    /// # Errors
    /// `TRANSPORT` when it does not open; `CLOSED`; `BACKPRESSURE`; `INTERNAL`.
    pub(crate) fn attach(&self, transport: Box<dyn Transport>) -> Result<(), Error> {
        self.serving.attach(Arc::from(transport)).map(|_channel| ())
    }

    /// What a client of the same process connects by.
    #[cfg(feature = "client")]
    pub(crate) fn transport_to(&self) -> Box<dyn Transport> {
        Box::new(ToServer::new(&self.serving))
    }

    /// Serves on this thread and runs handlers, until everything that is served has ended or the time is over. `CLOSED` in
    /// the first case.
    pub fn run(&self, timeout: Option<Duration>) -> Polled {
        self.serving.poll(timeout, Take::Handled(self.number()))
    }

    /// The next message, waiting at most `timeout`. Handlers run meanwhile.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` on a server whose messages go to a shared queue.
    pub fn poll(&self, timeout: Option<Duration>) -> Result<Polled, Error> {
        if !self.owns_queue {
            return Err(Error::new(
                Status::InvalidArgument,
                "server_poll",
                "this server delivers to a shared queue; poll that with mcp_queue_poll",
            ));
        }
        Ok(self.serving.poll(timeout, Take::All))
    }

    /// A descriptor that is readable while something is to be taken or handled.
    ///
    /// # Errors
    /// When no descriptor is left.
    pub(crate) fn watch(&self) -> Result<i32, Error> {
        self.serving.watch()
    }

    /// Sets what is called when the server's own queue, which was empty, has something to take.
    pub(crate) fn set_ready(&self, ready: Option<Ready>) {
        self.serving.set_ready(ready);
    }

    /// Tells subscribers that a resource has changed.
    pub fn resource_updated(&self, uri: &str) {
        self.serving.with_engine(|engine, now| engine.resource_updated(now, uri));
    }

    /// Sends a log message to the legacy sessions that want it; how many.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` when the data is not JSON.
    pub fn log(&self, severity: Severity, logger: Option<&str>, data: &str) -> Result<usize, Error> {
        self.value(data, "data")?;
        Ok(self.serving.with_engine(|engine, now| engine.log_to_all(now, severity, logger, data)))
    }

    /// Refuses what is not a JSON object.
    pub(crate) fn object(&self, text: &str, what: &str) -> Result<(), Error> {
        match self.value(text, what)? {
            json::Kind::Object => Ok(()),
            kind => Err(Error::new(
                Status::InvalidArgument,
                what,
                format!("{what} is {kind} and must be an object"),
            )),
        }
    }

    fn value(&self, text: &str, what: &str) -> Result<json::Kind, Error> {
        json::scan_value(text.as_bytes(), self.json_depth).map(|value| value.kind).map_err(|error| {
            Error::new(Status::InvalidArgument, what, format!("{what} is not valid JSON: {error}"))
                .with("offset", error.offset)
        })
    }

    /// What there is to know about the server, as JSON text.
    pub fn info(&self) -> String {
        self.serving.describe()
    }

    /// Closes: requests under way are refused, sessions end. Bounded (`None` takes the configured bound), idempotent.
    pub fn close(&self, timeout: Option<Duration>) -> Status {
        self.serving.close(timeout)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.process != generation() {
            // Neither its locks nor its threads are this process's.
            let _left = std::mem::ManuallyDrop::new(Arc::clone(&self.serving));
            return;
        }
        // There is nothing to be said of clients that did not read by then.
        let _flushed_by_then = self.close(None);
        self.serving.release();
    }
}

/// Serves at an endpoint: `{"stdio":true}`, `{"url":"http://HOST:PORT/PATH"}`, or `{"socket":"unix:PATH"}` or
/// `{"socket":"tcp:HOST:PORT"}`; a Unix socket with `"same_user":true` takes no client of another user. Gives where.
fn serve(
    serving: &Arc<Serving>,
    #[cfg(feature = "http")] http: &UrlSettings,
    text: &str,
) -> Result<String, Error> {
    let object = parse_object(text, "endpoint")?;
    let mut fields = Fields::new("", &object);
    let StreamKeys { stdio, protect, socket, beyond_loopback, same_user } = StreamKeys::read(&mut fields)?;
    #[cfg(feature = "http")]
    let url = UrlEndpoint::of(UrlKeys::read(&mut fields)?)?;
    fields.finish()?;
    serving.may_serve()?;
    #[cfg(feature = "http")]
    if let Some(url) = url {
        if stdio == Some(true) || socket.is_some() {
            return Err(wrong("url", "an endpoint has one of \"stdio\", \"url\" and \"socket\""));
        }
        let (url, sse) = url.serve(serving, http, beyond_loopback)?;
        let mut bound = serde_json::json!({ "url": url });
        if let Some(sse) = sse {
            bound["sse"] = sse.into();
        }
        return Ok(bound.to_string());
    }
    match (stdio, socket) {
        (Some(true), None) => {
            let taken = StandardStreams::take(protect)
                .map_err(|refused| Error::new(Status::Unavailable, "server_serve", refused.message))?;
            serving.add_stream(Ends {
                input: taken.input,
                output: taken.output,
                is_terminal: taken.is_terminal,
                streams: Some(taken.streams),
            })?;
            Ok("{\"stdio\":true}".to_owned())
        }
        (None | Some(false), Some(address)) => {
            let address = SocketAddress::parse_to_listen(&address).map_err(|why| wrong("socket", why))?;
            if same_user && matches!(address, SocketAddress::Tcp { .. }) {
                return Err(wrong(
                    "same_user",
                    "the system knows the user of a client over a Unix socket only",
                ));
            }
            let mut listener = Listener::bind(&address, beyond_loopback).map_err(unbound)?;
            if same_user {
                listener.only_this_user();
            }
            let bound = serde_json::json!({ "socket": listener.address().to_string() }).to_string();
            let beside_it = listener.beside(&address);
            serving.add_listener(listener)?;
            if let Some(other) = beside_it {
                // Without it clients find the first.
                let _listens = serving.add_listener(other);
            }
            Ok(bound)
        }
        _ => Err(wrong("stdio", "an endpoint is {\"stdio\":true}, or has a \"url\" or a \"socket\"")),
    }
}

impl Server {
    /// Sends a notification to one session of the legacy era, or to all of them.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`; `UNAVAILABLE` when there is no such session.
    pub fn notify(&self, session: u64, method: &str, params: &str) -> Result<usize, Error> {
        let session = (session != 0).then_some(SessionId(session));
        self.serving.with_engine(|engine, _| engine.notify_sessions(session, method, params))
    }

    /// Calls the client of a session of the legacy era; the outcome comes as a message.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`; `UNAVAILABLE` when there is no such session; `UNSUPPORTED`; `BACKPRESSURE`.
    pub fn start_call(
        &self,
        session: u64,
        method: &str,
        params: &str,
        options: Option<&str>,
        tag: u64,
    ) -> Result<u64, Error> {
        let timeout = match options {
            Some(options) => {
                let object = parse_object(options, "options")?;
                let mut fields = Fields::new("", &object);
                let timeout = fields.millis("timeout_ms")?;
                fields.finish()?;
                timeout
            }
            None => None,
        };
        if !self.serving.has_room_for_outcome() {
            let what = "the application has not taken the messages that wait for it (limits.queue_messages, limits.queue_bytes)";
            return Err(Error::new(Status::Backpressure, "server_call", what));
        }
        self.serving
            .with_engine(|engine, now| engine.call(now, SessionId(session), method, params, tag, timeout))
    }
}

// A server that stands before another one, such as a proxy: it answers by what the application asks there.
//
// A relay gets as requests what no entry of it is for, with the method and the parameters as the client sent them, and these
// notifications besides those of every server: what clients notify and the library does not know (the tag is the session),
// `notifications/initialized` when a session of the legacy era begins, [`SUBSCRIPTIONS`] and [`LEVEL`].

/// The method of the notification that what clients are subscribed to may have changed: one until [`Server::subscribed`] is called.
pub const SUBSCRIPTIONS: &str = crate::runtime::server::SUBSCRIPTIONS;
/// The method of the notification that a client has set its level of log messages; the tag is the number of that client
/// ([`Request::holder`](Request::holder)). See [`Server::least_severity`].
pub const LEVEL: &str = crate::runtime::server::LEVEL;

impl Server {
    /// Makes the server a relay. Requests that no entry is for arrive on its queue. `capabilities` is the JSON object that the
    /// server behind declares: extensions, completion and what the library does not know are announced as they are there.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` when `capabilities` is not a JSON object.
    pub fn relay(&self, capabilities: &str) -> Result<(), Error> {
        let capabilities = parse_object(capabilities, "capabilities")?;
        self.serving.with_engine(|engine, _| engine.relay(Handler::queue(), capabilities));
        Ok(())
    }

    /// The URIs of the resources that clients are subscribed to, in either era, and the numbers of the clients
    /// ([`Request::holder`](Request::holder)) whose subscriptions have changed since the last time.
    pub fn subscribed(&self) -> (Vec<String>, Vec<u64>) {
        let (all, changed_by) = self.serving.with_engine(|engine, _| engine.subscribed());
        (all.into_iter().map(Into::into).collect(), changed_by.into_iter().collect())
    }

    /// The least severe log message that a client of the legacy era wants; `None` without such a client.
    pub fn least_severity(&self) -> Option<Severity> {
        self.serving.with_engine(|engine, _| engine.least_severity())
    }

    /// Whether a session is open.
    pub fn has_session(&self, session: u64) -> bool {
        self.serving.with_engine(|engine, _| engine.has_session(SessionId(session)))
    }

    /// Tells clients that a list has changed, although its entries here are the same.
    pub fn list_changed(&self, kind: Kind) {
        self.serving.with_engine(|engine, now| engine.list_changed(now, kind));
    }
}

/// The variable of the template that has the name of the file.
const VARIABLE: &str = "path";

/// What reads the files: it runs where handlers run. `definition` is the template.
fn handler(folder: Folder, definition: &str, limit: usize) -> Handler {
    let definition = definition.to_owned();
    Handler::function(Arc::new(move |request: Message| answer(&folder, &definition, limit, &request)))
}

fn answer(folder: &Folder, definition: &str, limit: usize, request: &Message) {
    let Some((number, by)) = request.request() else { return };
    let Some(context) = by.context(number) else { return };
    let text = |of: &str, member: &str| {
        json::member(of, member).and_then(json::string).map(std::borrow::Cow::into_owned)
    };
    let name = json::member(&context, "variables").and_then(|it| text(it, VARIABLE)).unwrap_or_default();
    let uri = text(request.json(), "uri").unwrap_or_default();
    let answered = match folder.read(&name, limit) {
        Ok(bytes) => by.respond(number, Outcome::Result(&contents_of(&uri, definition, &bytes))),
        Err(Unread::NotFound) => by.respond(number, Outcome::NotFound),
        Err(why) => {
            let message = why.to_string();
            by.respond(
                number,
                Outcome::Error { code: error_code::INTERNAL_ERROR, message: &message, data: None },
            )
        }
    };
    // It may be over: cancelled, or its session has ended.
    drop(answered);
}

#[cfg(not(feature = "skills"))]
impl Server {
    /// Publishes the skills below a folder: this build cannot.
    ///
    /// # Errors
    /// `UNSUPPORTED`.
    #[expect(clippy::unused_self, reason = "the same function as with skills")]
    pub(crate) fn add_skills(&self, _path: &str, _options: Option<&str>) -> Result<(), Error> {
        let what = "this build of the library has no skills (feature 'skills')";
        Err(Error::new(Status::Unsupported, "server_add_skills", what))
    }

    /// Removes the skills of a folder: this build has no skills.
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "the same function as with skills")]
    pub(crate) fn remove_skills(&self, _path: &str) -> Result<bool, Error> {
        Ok(false)
    }
}

#[cfg(feature = "http")]
impl Server {
    /// Serves a request that an HTTP server of the program has taken. What is wrong with it is in the answer.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` when no URL is served inside the program's HTTP server; `CLOSED`.
    pub(crate) fn http(
        &self,
        parts: &RequestParts<'_>,
        body: &[u8],
        notice: Option<Notice>,
    ) -> Result<Arc<HostedExchange>, Error> {
        Ok(self.hosted(parts, "server_http")?.serve(parts, body, notice))
    }

    /// The same for a request of which only the head was read: the program gives the body in parts, if the head is accepted. `peer`
    /// is the address of the sender, with or without a port; anything else is not known.
    ///
    /// # Errors
    /// As [`Server::http`].
    pub(crate) fn http_begin(
        &self,
        parts: &RequestParts<'_>,
        peer: &str,
        notice: Option<Notice>,
    ) -> Result<Arc<HostedExchange>, Error> {
        Ok(self.hosted(parts, "server_http_begin")?.begin(parts, &holder_at(peer), notice))
    }

    fn hosted(&self, parts: &RequestParts<'_>, operation: &'static str) -> Result<Arc<Hosted>, Error> {
        self.serving.may_serve()?;
        self.http.hosted_at(&parts.path()).ok_or_else(|| {
            let what = "no URL is served inside the program's HTTP server: call mcp_server_serve() with {\"url\":...,\"listen\":false} first";
            Error::new(Status::InvalidArgument, operation, what)
        })
    }
}

/// Who sends from an address that the program's HTTP server names.
#[cfg(feature = "http")]
fn holder_at(peer: &str) -> Holder {
    let address = peer.parse().or_else(|_| peer.parse().map(|with_port: SocketAddr| with_port.ip()));
    address.map_or(Holder::Unknown, Holder::at)
}

#[cfg(all(test, feature = "http"))]
mod tests {
    use super::*;

    #[test]
    fn a_sender_is_known_by_its_address_with_or_without_a_port() {
        let one = Holder::at("127.0.0.1".parse().expect("an address"));
        for peer in ["127.0.0.1", "127.0.0.1:80", "::ffff:127.0.0.1", "[::ffff:127.0.0.1]:9"] {
            assert_eq!(holder_at(peer), one, "{peer}");
        }
        for peer in ["", "localhost", "unix:/x", "127.0.0.1:"] {
            assert_eq!(holder_at(peer), Holder::Unknown, "{peer}");
        }
    }
}
