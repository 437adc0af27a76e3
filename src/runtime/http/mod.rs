//! HTTP as a client uses it: each request of the engine in an exchange of its own, sessions, the stream of the server's own
//! messages, streams taken up again, and who drives all that.
//!
//! The engine decides what an answer means for a call; here it is only brought. A task never holds its connection: the
//! application may let go of it at any time.

#[cfg(feature = "auth")]
pub(crate) mod authenticator;
#[cfg(feature = "auth")]
mod credential;
mod eras;
mod exchange;
mod faults;
mod link;
mod listen;
mod notices;
mod open;
mod runtime;
mod send;
mod stream;
mod tools;

#[cfg(feature = "auth")]
pub(crate) use authenticator::Gate;
#[cfg(feature = "auth")]
pub(crate) use faults::login as login_error;
pub(crate) use link::HttpLink;
pub(crate) use open::Presence;
pub(crate) use runtime::HttpRuntime;

#[cfg(feature = "auth")]
use self::authenticator::AuthConfig;
use super::connection::Connection;
use super::lock;
use crate::engine::{Error, Shape, Status};
use crate::transport::http::client::HttpClient;
use crate::transport::http::settings::HttpSettings;
use std::sync::{Arc, Mutex};

/// What a client has of HTTP for as long as it lives, whatever connections come and go.
#[derive(Debug)]
pub(crate) struct Http {
    pub(crate) settings: HttpSettings,
    pub(crate) runtime: Arc<HttpRuntime>,
    /// Made with the first connection: it reads certificates.
    client: Mutex<Option<Arc<HttpClient>>>,
    /// The task that opens a connection.
    opening: Mutex<Option<tokio::task::AbortHandle>>,
    /// Authorization, where the configuration has it.
    #[cfg(feature = "auth")]
    pub(crate) gate: Option<Arc<Gate>>,
}

impl Http {
    pub(crate) fn new(
        settings: HttpSettings,
        #[cfg(feature = "auth")] auth: Option<AuthConfig>,
    ) -> Result<Http, Error> {
        let runtime = HttpRuntime::acquire()?;
        Ok(Http {
            #[cfg(feature = "auth")]
            gate: auth.map(|auth| Gate::new(auth, &settings, &runtime)),
            settings,
            runtime,
            client: Mutex::new(None),
            opening: Mutex::new(None),
        })
    }

    /// Begins to open the transport of a generation.
    pub(crate) fn open(&self, connection: &Arc<Connection>, generation: u64, shape: Shape) {
        #[cfg(feature = "auth")]
        if let Some(gate) = &self.gate {
            gate.belongs_to(connection);
        }
        let presence = Presence::new(connection, generation);
        let task = self.runtime.spawn(open::open(presence, shape));
        *lock(&self.opening) = Some(task);
    }

    /// What another client found out about the server, if that is of use.
    pub(crate) fn known(&self) -> Option<Shape> {
        if self.settings.remember_era { eras::known(&self.settings) } else { None }
    }

    /// Has other clients know of the server's era.
    pub(crate) fn remember(&self, shape: Option<Shape>) {
        if self.settings.remember_era {
            eras::note(&self.settings, shape);
        }
    }

    /// The client ends: no browser is waited for any more, and the runtime is not needed for it.
    pub(crate) fn finish(&self) {
        #[cfg(feature = "auth")]
        if let Some(gate) = &self.gate {
            gate.stop_listening();
        }
        HttpRuntime::release();
    }

    /// Stops opening.
    pub(crate) fn stop_opening(&self) {
        if let Some(task) = lock(&self.opening).take() {
            task.abort();
        }
    }

    fn client(&self) -> Result<Arc<HttpClient>, Error> {
        let mut client = lock(&self.client);
        if let Some(client) = &*client {
            return Ok(Arc::clone(client));
        }
        let made = HttpClient::new(&self.settings)
            .map_err(|why| Error::new(Status::InvalidArgument, "connect", why))?;
        let made = Arc::new(made);
        *client = Some(Arc::clone(&made));
        Ok(made)
    }
}
