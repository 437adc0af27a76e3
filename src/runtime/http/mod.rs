//! HTTP as a client uses it: each request of the engine in an exchange of its own, sessions, the stream of the server's own
//! messages, and streams taken up again.
//!
//! The engine decides what an answer means for a call; here it is only brought. A task never holds its connection: the
//! application may free it at any time.
//!
//! [`Http`] in this file is the link. The bytes are in `src/transport/http`.
//!
//! * `transport`: `HttpTransport`: one generation: session, URL for POST, pending exchanges
//! * `exchange`: one request of the engine: POST with its authorization, the answer as JSON or stream, a broken stream resumed
//! * `lifecycle`: how a transport begins and ends; the stream of the server's own messages (legacy)
//! * `event_stream`: `Reading`: an event stream, read no faster than the application takes its messages
//! * `notifications`: notifications in order, and replies a few at a time
//! * `errors`: the failure of an exchange, as an error; `ExchangeContext`: the operation and the URL that the error names
//! * `tool_headers`: `ToolHeaders`: arguments that are sent as headers; `KnownEras`: URLs of legacy servers, for all clients of the
//!   process
//! * `draft`: `ValidatedResults`: entity tags, and headers of drafts that are on
//! * `authenticator`: authorization for a client
//! * `runtime`: `HttpRuntime`: the tokio runtime that waiting threads enter

#[cfg(feature = "auth")]
pub(crate) mod authenticator;
#[cfg(feature = "draft")]
mod draft;
mod errors;
mod event_stream;
mod exchange;
mod lifecycle;
mod notifications;
pub(crate) mod runtime;
mod tool_headers;
mod transport;

#[cfg(feature = "auth")]
pub(crate) use authenticator::Authenticator;
#[cfg(feature = "auth")]
pub(crate) use errors::login as login_error;
pub(crate) use runtime::HttpRuntime;
#[cfg(feature = "server")]
pub(crate) use runtime::LentRuntime;
pub(crate) use transport::{HttpOwner, HttpTransport};

use super::link::owner::LinkTarget;
use super::lock;
use super::waiter::{InlineExchange, Waiter};
use crate::engine::{Error, Shape};
use crate::protocol::{Frame, Revision};
#[cfg(test)]
use crate::transport::http::client::HttpClient;
#[cfg(test)]
use crate::transport::http::settings::HttpSettings;
#[cfg(test)]
use crate::transport::http::simulated::Network;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use transport::{HttpShared, TransportGuard};

/// The link of a client over HTTP, for as long as it lives, whatever connections come and go.
#[derive(Debug)]
pub(crate) struct Http {
    runtime: Arc<HttpRuntime>,
    shared: Arc<HttpShared>,
    /// The generation that was opened last, and the task that opens it; in HTTP+SSE it reads the stream after that.
    opening: Mutex<Option<(u64, tokio::task::AbortHandle)>>,
}

impl Http {
    /// The link to a URL.
    pub(crate) fn of(
        endpoint: &LinkTarget,
        #[cfg(feature = "auth")] auth: Option<authenticator::AuthConfig>,
    ) -> Result<Option<Http>, Error> {
        let LinkTarget::Http(settings) = endpoint else { return Ok(None) };
        let runtime = HttpRuntime::acquire()?;
        #[cfg(feature = "auth")]
        let authenticator = auth.map(|auth| Authenticator::new(auth, settings, &runtime));
        let shared = HttpShared::new(
            (**settings).clone(),
            #[cfg(feature = "auth")]
            authenticator,
        );
        Ok(Some(Http { runtime, shared, opening: Mutex::new(None) }))
    }

    /// Authorization, where the configuration has it.
    #[cfg(feature = "auth")]
    pub(crate) fn authenticator(&self) -> Option<&Arc<Authenticator>> {
        self.shared.authenticator.as_ref()
    }

    /// Begins to open the transport of a generation.
    pub(crate) fn open(&self, owner: &Arc<dyn HttpOwner>, generation: u64, shape: Shape) {
        #[cfg(feature = "auth")]
        if let Some(authenticator) = &self.shared.authenticator {
            authenticator.belongs_to(Arc::downgrade(owner) as _);
        }
        let guard = TransportGuard::new(owner, generation);
        let task = lifecycle::open(guard, shape, Arc::clone(&self.shared), Arc::downgrade(&self.runtime));
        *lock(&self.opening) = Some((generation, self.runtime.spawn(task)));
    }

    fn link(&self) -> Option<Arc<HttpTransport>> {
        lock(&self.shared.link).clone()
    }

    /// Takes a frame. One that begins an exchange is given back as that, to be run.
    pub(crate) fn send(&self, frame: Frame, revision: Option<Revision>) -> Option<InlineExchange> {
        self.link()?.send(frame, revision?)
    }

    /// Has an exchange run.
    pub(crate) fn run(&self, exchange: InlineExchange) {
        self.runtime.spawn_inline(exchange);
    }

    /// Waits until something arrives for `waiter` or the time is over, driving meanwhile.
    pub(crate) fn drive(&self, waiter: &Arc<Waiter>, until: Option<Instant>) {
        self.runtime.drive(waiter, until);
    }

    /// Ends what was begun for an exchange.
    pub(crate) fn abort(&self, exchange: u64) {
        if let Some(link) = self.link() {
            link.abort(exchange);
        }
    }

    /// Has the stream of the server's own messages opened.
    pub(crate) fn listen(&self, generation: u64, revision: Revision) {
        if let Some(link) = self.link().filter(|link| link.generation == generation) {
            link.listen(revision);
        }
    }

    /// There is room in the application's queue.
    pub(crate) fn resume(&self) {
        if let Some(link) = self.link() {
            link.resume();
        }
    }

    /// Ends the transport of a generation, or stops opening it.
    pub(crate) fn close(&self, generation: u64, by: Option<Instant>) {
        let link = lock(&self.shared.link).take_if(|link| link.generation == generation);
        if let Some((_, task)) = lock(&self.opening).take_if(|(of, _)| *of == generation) {
            task.abort();
        }
        if let Some(link) = link {
            link.shut(by);
        }
    }

    pub(crate) fn waiting_bytes(&self) -> usize {
        self.link().map_or(0, |link| link.waiting_bytes())
    }

    /// Whether the server opened a session; `None` without a connection.
    pub(crate) fn has_session(&self) -> Option<bool> {
        Some(self.link()?.has_session())
    }

    /// What another client found out about the server, if that is of use.
    pub(crate) fn known(&self) -> Option<Shape> {
        let settings = &self.shared.settings;
        if settings.remember_era { tool_headers::known(settings) } else { None }
    }

    /// Has other clients know of the server's era.
    pub(crate) fn remember(&self, shape: Option<Shape>) {
        let settings = &self.shared.settings;
        if settings.remember_era {
            tool_headers::note(settings, shape);
        }
    }

    /// The client ends: no browser is waited for any more, and the runtime is not needed for it.
    pub(crate) fn finish(&self) {
        #[cfg(feature = "auth")]
        if let Some(authenticator) = &self.shared.authenticator {
            authenticator.stop_listening();
        }
        HttpRuntime::release();
    }
}

#[cfg(test)]
impl Http {
    /// The link to what is behind a network.
    pub(crate) fn simulated(
        settings: HttpSettings,
        network: Arc<dyn Network>,
        runtime: &Arc<HttpRuntime>,
        #[cfg(feature = "auth")] auth: Option<authenticator::AuthConfig>,
    ) -> Http {
        let client = HttpClient::simulated(network, &settings).expect("a good URL");
        #[cfg(feature = "auth")]
        let auth = auth.map(|auth| Authenticator::new(auth, &settings, runtime));
        let shared = HttpShared::new(
            settings,
            #[cfg(feature = "auth")]
            auth,
        );
        shared.has(Arc::new(client));
        Http { runtime: Arc::clone(runtime), shared, opening: Mutex::new(None) }
    }

    /// What the server calls the session.
    pub(crate) fn session_name(&self) -> Option<String> {
        let link = self.link()?;
        // In 2024-11-05 the place of its messages names it.
        let named =
            link.target().address().target().split_once("session_id=").map(|(_, name)| name.to_owned());
        link.session().map(|session| session.as_str().to_owned()).or(named)
    }
}
