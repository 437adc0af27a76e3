//! What the engine wants done with a connection's transport, whichever it is: opened, written to, ended; and what the
//! transport of HTTP tells the engine.

use crate::engine::Shape;
#[cfg(feature = "http")]
use crate::engine::{Error, Failure, State};
use crate::protocol::{Frame, Revision};
use crate::runtime::background::runtime::Command;
use crate::runtime::connection::{Connection, Core, Endpoint};
#[cfg(feature = "http")]
use crate::runtime::http::{Http, HttpLink};
use crate::runtime::link::custom::Job;
use crate::runtime::link::pipe::Route;
use crate::runtime::waiter::Waiter;
use std::sync::Arc;
#[cfg(feature = "http")]
use std::time::Instant;

impl Connection {
    /// The program to start, if the server is one.
    pub(crate) fn command(&self) -> Option<&crate::transport::process::Command> {
        match &self.transport.endpoint {
            Endpoint::Process(command) => Some(command),
            _ => None,
        }
    }

    /// Where the server listens, if it does on a socket.
    pub(crate) fn address(&self) -> Option<&crate::transport::socket::SocketAddress> {
        match &self.transport.endpoint {
            Endpoint::Socket(address) => Some(address),
            _ => None,
        }
    }

    pub(crate) fn open(&self, connection: Arc<Connection>, generation: u64, shape: Shape) {
        if let Some(custom) = &self.custom {
            return custom.add(Job::Open(generation));
        }
        #[cfg(feature = "http")]
        if let Some(http) = self.http() {
            return http.open(&connection, generation, shape);
        }
        // Only HTTP has shapes.
        let _ = shape;
        self.runtime.command(Command::Open { connection, generation });
    }
}

impl Core {
    /// Has a frame sent on whatever carries the connection.
    pub(crate) fn post(&mut self, frame: Frame, revision: Option<Revision>, by: Option<&Arc<Waiter>>) {
        #[cfg(feature = "http")]
        if let Some(Route::Http(link)) = &self.link {
            if let Some(revision) = revision {
                link.send(frame, revision, by);
            }
            return;
        }
        // Only HTTP has exchanges.
        let _ = (revision, by);
        if let Some(Route::Custom { custom, generation }) = &self.link {
            return custom.add(Job::Send(*generation, frame.text));
        }
        self.outbox.push(frame.text);
    }

    /// Ends what was begun for an exchange, where it has a transport of its own.
    #[cfg_attr(not(feature = "http"), expect(clippy::unused_self, reason = "only HTTP has exchanges"))]
    pub(crate) fn abort(&self, exchange: u64) {
        #[cfg(feature = "http")]
        if let Some(Route::Http(link)) = &self.link {
            link.abort(exchange);
        }
        #[cfg(not(feature = "http"))]
        let _ = exchange;
    }

    /// Opens the stream of the server's own messages, where there is one.
    #[cfg_attr(not(feature = "http"), expect(clippy::unused_self, reason = "only HTTP has such streams"))]
    pub(crate) fn listen(&self, generation: u64) {
        #[cfg(feature = "http")]
        if let Some(Route::Http(link)) = &self.link
            && link.generation == generation
            && let Some(revision) = self.engine.revision()
        {
            link.listen(revision);
        }
        #[cfg(not(feature = "http"))]
        let _ = generation;
    }
}

#[cfg(feature = "http")]
impl Connection {
    pub(crate) fn resume_http(&self) {
        if let Some(Route::Http(link)) = &self.core().link {
            link.resume();
        }
    }

    /// The HTTP transport of a generation is there. Says whether it is still wanted.
    pub(crate) fn opened_http(&self, link: &Arc<HttpLink>) -> bool {
        let mut core = self.core();
        let wanted = core.engine.generation() == link.generation && core.engine.state() == State::Starting;
        if wanted {
            core.link = Some(Route::Http(Arc::clone(link)));
            core.engine.opened(Instant::now(), link.generation);
        }
        self.run_effects(core, None);
        wanted
    }

    /// A frame came in the answer to an exchange, or on the stream of the server's own messages. Says whether more may come
    /// there: the exchange's answer is still awaited, or there is none.
    pub(crate) fn frame_on(&self, generation: u64, exchange: Option<u64>, frame: Vec<u8>) -> bool {
        self.runtime.callbacks.frame(&self.name, "frame.received", &frame);
        let mut core = self.core();
        core.engine.frame_on(Instant::now(), generation, exchange, frame);
        let goes_on = exchange.is_none_or(|exchange| core.engine.is_under_way(generation, exchange));
        self.run_effects(core, None);
        goes_on
    }

    /// A message over the bound was thrown away there, the answer to `id` if that could be read. Says the same.
    pub(crate) fn oversized(
        &self,
        generation: u64,
        exchange: Option<u64>,
        id: Option<u64>,
        bytes: u64,
    ) -> bool {
        let mut core = self.core();
        core.engine.oversized(Instant::now(), generation, id, bytes, self.transport.frame_bytes);
        let goes_on = exchange.is_none_or(|exchange| core.engine.is_under_way(generation, exchange));
        self.run_effects(core, None);
        goes_on
    }

    /// The system gave no memory for a message. Says whether the exchange goes on.
    pub(crate) fn unheld(&self, generation: u64, exchange: Option<u64>, id: Option<u64>, bytes: u64) -> bool {
        let mut core = self.core();
        core.engine.unheld(Instant::now(), generation, id, bytes);
        let goes_on = exchange.is_none_or(|exchange| core.engine.is_under_way(generation, exchange));
        self.run_effects(core, None);
        goes_on
    }

    pub(crate) fn exchange_failed(&self, generation: u64, exchange: u64, failure: Failure) {
        let mut core = self.core();
        core.engine.exchange_failed(Instant::now(), generation, exchange, failure);
        self.run_effects(core, None);
    }

    /// An exchange waits for a login, or no longer does.
    #[cfg(feature = "auth")]
    pub(crate) fn waits_for_login(&self, generation: u64, exchange: u64, wait: crate::engine::LoginWait) {
        let mut core = self.core();
        core.engine.waits_for_login(Instant::now(), generation, exchange, wait);
        self.run_effects(core, None);
    }

    /// The server knows the session no more. `forget` is called if it counts as ended, before anything else is done.
    pub(crate) fn session_ended(
        &self,
        generation: u64,
        exchange: Option<u64>,
        error: Error,
        forget: impl FnOnce(),
    ) {
        let mut core = self.core();
        if core.engine.session_ended(Instant::now(), generation, exchange, error) {
            forget();
        }
        self.run_effects(core, None);
    }

    pub(crate) fn listening(&self, generation: u64) {
        let mut core = self.core();
        core.engine.incoming_is_open(Instant::now(), generation);
        self.run_effects(core, None);
    }

    pub(crate) fn http(&self) -> Option<&Http> {
        self.http.as_ref()
    }
}
