//! What an application uses of a server: making it from configuration, what it offers, serving, closing.
//!
//! The runtime does the waiting and driving, the engine decides. This layer must not know C.
//!
//! [`Server`] is in this file.
//!
//! The files:
//!
//! * `auth_keys`: the key `auth`
//! * `auth`: what it becomes
//! * `calling`: notifications and calls of a server
//! * `config`: the definition of the keys, and the settings that they become
//! * `endpoint_keys`: the keys of an endpoint
//! * `endpoint`: where a server serves
//! * `documents`: what a URL has besides the server: health, counters, the server card
//! * `drain_times`: the keys for the time before a server closes
//! * `config_sections`: objects in a configuration
//! * `config_values`: values of keys that are more than a number or a text
//! * `files`: resources that are the files below a folder
//! * `http`: a URL at which a server serves
//! * `relay`: what a server is that stands before another one
//! * `request`: `Request`: a request of a client, for an application in Rust
//! * `skill_bounds`: the keys that bound skills
//! * `skills`: reads the skills below a folder
//! * `skills_absent`: the same for builds that cannot
//! * `task_wishes`: what a handler wants of a task
//! * `unbound`: an address that cannot be listened on, as an error

mod auth;
mod auth_keys;
mod calling;
mod config;
mod config_sections;
#[cfg(test)]
mod config_tests;
mod config_values;
#[cfg(test)]
mod documented;
#[cfg(feature = "http")]
mod documents;
mod drain_times;
mod endpoint;
mod endpoint_keys;
#[cfg(all(test, feature = "http"))]
mod field_tests;
mod files;
#[cfg(all(test, feature = "http"))]
mod flood_tests;
#[cfg(feature = "http")]
pub(crate) mod http;
#[cfg(all(test, feature = "http"))]
mod http2_tests;
#[cfg(all(test, feature = "auth"))]
mod principal_tests;
mod relay;
mod request;
mod skill_bounds;
#[cfg(feature = "skills")]
mod skills;
#[cfg(not(feature = "skills"))]
mod skills_absent;
mod task_wishes;
mod unbound;

pub(crate) use crate::engine::server::Outcome;
pub use crate::engine::server::{Answer, Kind, Severity};
pub use crate::runtime::message::Handler;
pub(crate) use crate::runtime::queue::Take;
/// Who holds how much of what many share, for programs that have such things of their own.
pub use crate::shares::{Denied, Lending, Shares};
pub use relay::{LEVEL, SUBSCRIPTIONS};
pub use request::Request;
pub(crate) use request::checked;

use crate::engine::seal::KeyRing;
use crate::engine::server::{Invalid, Now, Server as Engine};
use crate::engine::{Error, Status};
use crate::json;
use crate::runtime::next_number;
use crate::runtime::polling::Polled;
use crate::runtime::queue::{Queue, WakeState};
#[cfg(feature = "client")]
use crate::runtime::server::ToServer;
use crate::runtime::server::{Serving, ServingParts};
use crate::transport::custom::Transport;
use crate::transport::folder::Folder;
use crate::transport::process::per_process::generation;
use crate::uri_template;
use config::Config;
#[cfg(feature = "http")]
use http::HttpSettings;
use ring::rand::{SecureRandom, SystemRandom};
use std::sync::Arc;
use std::time::Duration;
pub(crate) use task_wishes::TaskWishes;

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
    http: HttpSettings,
    #[cfg(feature = "skills")]
    skills: skill_bounds::SkillBounds,
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
        let Config {
            name,
            settings,
            streams,
            queue,
            keys,
            file_bytes,
            skills,
            #[cfg(feature = "http")]
            http,
        } = Config::parse(config)?;
        #[cfg(not(feature = "skills"))]
        let _unused = skills;
        let random = SystemRandom::new();
        let ring = KeyRing::new(keys, Box::new(move |bytes| random.fill(bytes).is_ok()));
        let Some(ring) = ring else {
            return Err(Error::new(Status::Internal, "server_new", "the system gives no random numbers"));
        };
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
        Ok(Server {
            process: generation(),
            serving,
            owns_queue,
            json_depth,
            file_bytes,
            #[cfg(feature = "http")]
            http,
            #[cfg(feature = "skills")]
            skills,
        })
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
        let example = uri_template::expand(&template, &format!("{{\"{}\":\"x\"}}", files::VARIABLE));
        let found = example.ok().and_then(|uri| uri_template::matches(&template, &uri));
        if !template.is_empty() && found.is_none_or(|found| !found.contains_key(files::VARIABLE)) {
            let what = "uriTemplate must have the variable 'path', for example \"docs:///{+path}\"";
            return Err(Error::new(Status::InvalidArgument, "server_add", what));
        }
        let folder = Folder::open(path).map_err(|errno| {
            let what = format!("the folder '{path}' cannot be opened: {errno}");
            Error::new(Status::Unavailable, "server_add", what)
        })?;
        self.add(Entry::Template, definition, files::handler(folder, definition, self.file_bytes))
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
    /// `INVALID_ARGUMENT` for what is no endpoint; `UNAVAILABLE` when it is in use; `CLOSED`; `BACKPRESSURE`; `INTERNAL`.
    pub fn serve(&self, endpoint: &str) -> Result<String, Error> {
        endpoint::serve(
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

    /// Refuses what is no JSON object.
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
            Error::new(Status::InvalidArgument, what, format!("{what} is no JSON: {error}"))
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
