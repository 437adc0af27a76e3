//! What a server serves: byte streams, and sockets on which clients connect.

#[cfg(feature = "http")]
use super::HttpFront;
use super::budget::GivesWay;
use super::serving::{Inside, Serving, closed};
use super::session::{ClientSession, Ends, Token};
#[cfg(feature = "http")]
use super::shared_wait::SharedWait;
use crate::engine::server::{Server, SessionId};
use crate::engine::{Error, Level, Status};
use crate::runtime::lock;
use crate::runtime::message::Handler;
use crate::shares::Holder;
use crate::transport::poller::Interest;
use crate::transport::socket::duplicate;
use crate::transport::socket::listen::Listener;
use crate::transport::stream::{Access, StreamEnd};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::sync::{Arc, MutexGuard, Weak};
use std::time::Instant;

/// How often a session gives way before another thread's client gets the room each time.
const ATTEMPTS: usize = 4;

/// What ends a session over descriptors when others need its room.
struct StreamGivesWay {
    serving: Weak<Serving>,
    id: SessionId,
}

impl GivesWay for StreamGivesWay {
    /// The thread that drives ends it: this one may hold locks.
    fn give_way(&self, _bytes: usize) {
        if let Some(serving) = self.serving.upgrade() {
            lock(&serving.giving_way).push(self.id);
            serving.interrupt();
        }
    }
}

impl Serving {
    /// Says whether something may be added, before the descriptors or the address for it are taken.
    ///
    /// # Errors
    /// `CLOSED`.
    pub(crate) fn may_serve(&self) -> Result<(), Error> {
        let inside = self.inside();
        if inside.closed || inside.is_over() { Err(closed()) } else { Ok(()) }
    }

    /// Serves one client over a byte stream.
    ///
    /// # Errors
    /// `CLOSED`; `BACKPRESSURE` when there are as many sessions as there may be; `INTERNAL` when the system watches no more.
    pub(crate) fn add_stream(&self, ends: Ends) -> Result<SessionId, Error> {
        self.add_ends(ends, None)
    }

    /// The same for a client that came by itself, if it is known who it is.
    fn add_ends(&self, ends: Ends, guest: Option<Holder>) -> Result<SessionId, Error> {
        self.start_threads()?;
        let mut inside = self.with_room(guest.as_ref().unwrap_or(&Holder::Program));
        if inside.closed || inside.is_over() {
            return Err(closed());
        }
        let id = Serving::open_session(&mut inside)?;
        if let Some(guest) = &guest {
            inside.engine.held_by(id, guest.clone());
        }
        let way: Arc<dyn GivesWay> = Arc::new(StreamGivesWay { serving: Weak::clone(&self.this), id });
        let holder = guest.clone().unwrap_or(Holder::Session(id.0));
        let account = self.budget.account(holder, Arc::downgrade(&way));
        let session =
            ClientSession::over_stream(id, ends, &self.limits).counted(account.clone().nothing(), way);
        let session = Arc::new(session);
        let stream = session.stream();
        // A client that the program chose itself, as over stdio, is not counted.
        if let Some(stream) = stream.filter(|_| guest.is_some()) {
            stream.count_for(&account);
        }
        if let Some(Err(errno)) = stream.map(|stream| stream.watch(&self.poller)) {
            inside.engine.close(id);
            self.pump(inside);
            let what = format!("the system cannot watch more descriptors: {errno}");
            return Err(Error::new(Status::Internal, "server_serve", what));
        }
        if stream.is_some_and(|stream| stream.is_always_ready) {
            inside.always_ready.push(id.0);
        }
        inside.sessions.insert(id.0, session);
        if let Some(guest) = guest {
            inside.guests.add_stream(id.0, guest, Instant::now() + self.limits.silent);
        }
        inside.has_served = true;
        drop(inside);
        self.wake_driver();
        Ok(id)
    }

    /// The lock, with room for one more session of a holder, if any session gives way to it.
    pub(super) fn with_room(&self, newcomer: &Holder) -> MutexGuard<'_, Inside> {
        let mut inside = self.inside();
        for _ in 0..ATTEMPTS {
            if inside.closed || inside.engine.has_room_for_session() {
                break;
            }
            let Some(number) = inside.session_that_gives_way(newcomer) else { break };
            drop(inside);
            self.end_session(
                SessionId(number),
                "session limit reached (limits.sessions): closed for another client",
            );
            inside = self.inside();
        }
        inside
    }

    /// A session for one more client.
    ///
    /// # Errors
    /// `BACKPRESSURE`.
    pub(super) fn open_session(inside: &mut Inside) -> Result<SessionId, Error> {
        inside.engine.open(false).ok_or_else(|| {
            let what = "session limit reached (limits.sessions)";
            Error::new(Status::Backpressure, "server_serve", what)
        })
    }

    /// Serves a client that connected to a socket.
    pub(super) fn add_socket(&self, fd: OwnedFd, from: Holder) {
        let end = |fd| StreamEnd { fd, access: Access::Socket, is_always_ready: false, is_pipe: false };
        let added = match duplicate(&fd) {
            Ok(copy) => {
                let ends = Ends { input: end(fd), output: end(copy), streams: None };
                self.add_ends(ends, Some(from)).map(|_| ())
            }
            Err(errno) => {
                Err(Error::new(Status::Internal, "server_serve", format!("no descriptor is left: {errno}")))
            }
        };
        if let Err(error) = added {
            self.record(Level::Warn, SessionId(0), &format!("refused a client: {}", error.message));
        }
    }

    /// Takes clients that connect to a socket.
    ///
    /// # Errors
    /// As for [`Serving::add_stream`].
    pub(crate) fn add_listener(&self, listener: Listener) -> Result<(), Error> {
        self.start_threads()?;
        self.listen(self.inside(), listener)
    }

    /// Takes clients that connect to a socket and speak HTTP. Gives their URL.
    ///
    /// # Errors
    /// As for [`Serving::add_stream`].
    #[cfg(feature = "http")]
    pub(crate) fn add_http(
        &self,
        listener: Listener,
        connections: &Arc<dyn HttpFront>,
    ) -> Result<String, Error> {
        self.start_threads()?;
        let url = connections.url(listener.address());
        let mut inside = self.inside();
        // Before the first client connects.
        let number = inside.next_listener;
        inside.connections.insert(number, Arc::clone(connections));
        if let Some(runtime) = connections.runtime()
            && !inside.shared_wait.as_ref().is_some_and(|shared_wait| shared_wait.is_in(&runtime))
        {
            inside.shared_wait = SharedWait::new(runtime, &self.poller).map(Arc::new);
        }
        let added = self.listen(inside, listener);
        if added.is_err() {
            self.inside().connections.remove(&number);
        }
        added.map(|()| url)
    }

    /// Serves requests that an HTTP server of the program takes.
    ///
    /// # Errors
    /// As for [`Serving::add_stream`].
    #[cfg(feature = "http")]
    pub(crate) fn add_hosted(&self, hosted: Arc<dyn HttpFront>) -> Result<(), Error> {
        self.start_threads()?;
        let mut inside = self.inside();
        if inside.closed || inside.is_over() {
            return Err(closed());
        }
        let number = inside.next_listener;
        inside.next_listener += 1;
        inside.connections.insert(number, hosted);
        inside.has_served = true;
        drop(inside);
        self.wake_driver();
        Ok(())
    }

    fn listen(&self, mut inside: MutexGuard<'_, Inside>, listener: Listener) -> Result<(), Error> {
        if inside.closed || inside.is_over() {
            return Err(closed());
        }
        let number = inside.next_listener;
        inside.next_listener += 1;
        if let Err(errno) = self.watch_listener(number, &listener) {
            let what = format!("the system cannot watch more descriptors: {errno}");
            return Err(Error::new(Status::Internal, "server_serve", what));
        }
        inside.listeners.insert(number, Arc::new(listener));
        inside.has_served = true;
        drop(inside);
        self.wake_driver();
        Ok(())
    }

    pub(super) fn watch_listener(&self, number: u64, listener: &Listener) -> Result<(), Errno> {
        match listener.fd() {
            Some(fd) => self.poller.watch(fd, Token::Listener(number).pack(), Interest::Readable),
            None => Err(Errno::BADF),
        }
    }

    pub(super) fn unwatch_listener(&self, listener: &Listener) {
        if let Some(fd) = listener.fd() {
            self.poller.unwatch(fd);
        }
    }

    /// There is something new to look at: for the thread that drives, or for the background thread.
    pub(super) fn wake_driver(&self) {
        self.interrupt();
        if self.queue.is_watched() {
            self.role.watch();
        } else {
            self.role.watch_after_grace();
        }
    }
}

impl Inside {
    /// The session that ends so that there is one for a newcomer, of whatever transport has more of them. It is a guest no more.
    fn session_that_gives_way(&mut self, newcomer: &Holder) -> Option<u64> {
        if self.guests.http.len() < self.guests.streams.len() {
            return self.stream_that_gives_way(newcomer).or_else(|| self.http_that_gives_way(newcomer));
        }
        self.http_that_gives_way(newcomer).or_else(|| self.stream_that_gives_way(newcomer))
    }

    /// The same of those that have descriptors.
    pub(super) fn stream_that_gives_way(&mut self, newcomer: &Holder) -> Option<u64> {
        let Inside { engine, sessions, guests, .. } = self;
        guests.streams.give_way(newcomer, |number| is_in_use(engine, sessions, number))
    }

    fn http_that_gives_way(&mut self, newcomer: &Holder) -> Option<u64> {
        let Inside { engine, sessions, guests, .. } = self;
        guests.http.give_way(newcomer, |number| is_in_use(engine, sessions, number))
    }

    /// Those that have sent no message for too long.
    pub(super) fn silent_until(&self, now: Instant) -> Vec<u64> {
        self.guests.silent.iter().take_while(|(_, at)| **at <= now).map(|(number, _)| *number).collect()
    }
}

/// Whether something of a session is under way: a request, or an answer that its client has not taken.
fn is_in_use(engine: &Server<Handler>, sessions: &BTreeMap<u64, Arc<ClientSession>>, number: u64) -> bool {
    engine.pending(SessionId(number)) > 0 || sessions.get(&number).is_some_and(|session| session.is_in_use())
}
