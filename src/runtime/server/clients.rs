//! What a server serves: byte streams, sockets on which clients connect, and clients over a transport of the application or of the
//! same process.

#[cfg(feature = "http")]
use super::HttpFront;
use super::budget::GivesWay;
use super::serving::{Inside, Serving, closed};
use super::session::{Attached, ClientSession, Ends, Token};
#[cfg(feature = "http")]
use super::shared_wait::SharedWait;
use crate::engine::server::{Server, SessionId, Stream};
use crate::engine::{Error, Level, Status};
use crate::runtime::lock;
use crate::runtime::message::Handler;
use crate::shares::Holder;
use crate::sorted::SortedMap;
#[cfg(feature = "client")]
use crate::transport::custom::Refused;
use crate::transport::custom::{Channel, Receiver, Transport, Undelivered};
use crate::transport::poller::Interest;
use crate::transport::socket::duplicate;
use crate::transport::socket::listen::Listener;
use crate::transport::stream::{Access, StreamEnd};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
#[cfg(feature = "client")]
use std::sync::Mutex;
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
            // Its client has more than its share: no other process goes on with it either.
            #[cfg(all(feature = "http", feature = "store"))]
            let key = inside.sessions.get(&number).and_then(|session| session.http()?.key_in_store());
            drop(inside);
            #[cfg(all(feature = "http", feature = "store"))]
            if key.is_some() {
                self.with_engine(|engine, now| engine.end_tasks_of(now, SessionId(number)));
                self.forget_in_store(key);
            }
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
                let ends = Ends { input: end(fd), output: end(copy), is_terminal: false, streams: None };
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
        if self.guests.http.count() < self.guests.streams.count() {
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
fn is_in_use(engine: &Server<Handler>, sessions: &SortedMap<u64, Arc<ClientSession>>, number: u64) -> bool {
    engine.pending(SessionId(number)) > 0 || sessions.get(&number).is_some_and(|session| session.is_in_use())
}

// Clients over a transport of the application, or of the same process: what they deliver goes to the engine on the thread that
// delivers, and answers are sent by whichever thread has them.

/// Brings what a client sends to its server.
struct SessionInbox {
    serving: Weak<Serving>,
    session: SessionId,
}

impl Receiver for SessionInbox {
    fn deliver(&self, _generation: u64, frame: &[u8]) -> Result<(), Undelivered> {
        self.serving.upgrade().ok_or(Undelivered::Closed)?.deliver(self.session, frame)
    }

    #[cfg(feature = "client")]
    fn take(&self, _generation: u64, frame: Vec<u8>) -> Result<(), Undelivered> {
        self.serving.upgrade().ok_or(Undelivered::Closed)?.deliver(self.session, frame)
    }

    fn closed(&self, _generation: u64, reason: &str) {
        if let Some(serving) = self.serving.upgrade() {
            let reason = if reason.is_empty() { "it gave no reason" } else { reason };
            serving.end_session(self.session, &format!("its transport was closed: {reason}"));
        }
    }
}

impl Serving {
    /// Serves one client over a transport. Gives what the client's messages come in by. The transport is dropped after its last
    /// function has returned, or when this fails.
    ///
    /// # Errors
    /// `CLOSED`; `BACKPRESSURE` when there are as many sessions as there may be; `TRANSPORT` when it does not open; `INTERNAL`.
    pub(crate) fn attach(&self, transport: Arc<dyn Transport>) -> Result<Channel, Error> {
        self.start_threads()?;
        let mut inside = self.with_room(&Holder::Program);
        if inside.closed || inside.is_over() {
            return Err(closed());
        }
        let id = Serving::open_session(&mut inside)?;
        let inbox = Arc::new(SessionInbox { serving: Weak::clone(&self.this), session: id });
        let attached = Attached::new(id.0, inbox, transport);
        let channel = attached.channel();
        let session = Arc::new(ClientSession::over_transport(id, attached, &self.limits));
        inside.sessions.insert(id.0, Arc::clone(&session));
        drop(inside);
        match session.attached().map_or(Ok(()), Attached::open) {
            Ok(()) => {
                self.written(&session, session.write_all(&self.poller));
                Ok(channel)
            }
            Err(refused) => {
                drop(session.attached().map(Attached::discard));
                self.end_session(id, "its transport did not open");
                let what = format!("the application's transport failed to open: {}", refused.message);
                let error = Error::new(Status::Transport, "server_attach", what).with("function", "open");
                Err(match refused.code {
                    Some(code) => error.with("transport_status", code),
                    None => error,
                })
            }
        }
    }

    /// A client sent one message.
    fn deliver<F>(&self, id: SessionId, frame: F) -> Result<(), Undelivered>
    where
        F: AsRef<[u8]> + Into<Vec<u8>>,
    {
        let length = frame.as_ref().len();
        if length == 0 {
            return Err(Undelivered::Empty);
        }
        let mut inside = self.inside();
        if !inside.sessions.contains_key(&id.0) {
            return Err(Undelivered::Closed);
        }
        let from = Stream { session: id, number: 0 };
        let bound = self.limits.frame_bytes;
        let taken = if length > bound {
            inside.engine.oversized_frame(from, bound);
            Err(Undelivered::TooLarge { bound })
        } else {
            self.callbacks.frame_of_session(self.name(), id.0, false, frame.as_ref());
            inside.engine.take_frame(Serving::now(), from, frame.into());
            Ok(())
        };
        self.pump_and_wake(inside);
        taken
    }
}

#[cfg(feature = "client")]
/// The transport of a client that leads to a server of the same process.
pub(crate) struct ToServer {
    serving: Weak<Serving>,
    /// What the server takes messages from, while there is a connection.
    channel: Mutex<Option<Channel>>,
}

#[cfg(feature = "client")]
/// The transport of the session that such a client has.
struct ToClient {
    channel: Channel,
}

#[cfg(feature = "client")]
impl ToServer {
    pub(crate) fn new(serving: &Arc<Serving>) -> ToServer {
        ToServer { serving: Arc::downgrade(serving), channel: Mutex::default() }
    }
}

#[cfg(feature = "client")]
impl Transport for ToServer {
    fn open(&self, channel: &Channel) -> Result<(), Refused> {
        let serving = self.serving.upgrade().ok_or("the server was freed")?;
        let back = ToClient { channel: channel.clone() };
        let there = serving
            .attach(Arc::new(back))
            .map_err(|error| Refused { message: error.message, code: Some(error.status as i32) })?;
        *lock(&self.channel) = Some(there);
        Ok(())
    }

    fn send(&self, _: &Channel, frame: Vec<u8>) -> Result<(), Refused> {
        let there = lock(&self.channel).clone();
        match there.map_or(Err(Undelivered::Closed), |there| there.take(frame)) {
            // The server has told of one that is too large.
            Ok(()) | Err(Undelivered::TooLarge { .. }) => Ok(()),
            Err(refused) => Err(Refused { message: refused.to_string(), code: None }),
        }
    }

    fn close(&self, _: &Channel) {
        let there = lock(&self.channel).take();
        if let Some(there) = there {
            // The server may have ended it first.
            let _ended_either_way = there.closed("the client has closed");
        }
    }
}

#[cfg(feature = "client")]
impl Transport for ToClient {
    fn open(&self, _: &Channel) -> Result<(), Refused> {
        Ok(())
    }

    fn send(&self, _: &Channel, frame: Vec<u8>) -> Result<(), Refused> {
        match self.channel.take(frame) {
            // The client has told of one that it cannot hold.
            Ok(()) | Err(Undelivered::TooLarge { .. } | Undelivered::NoMemory) => Ok(()),
            Err(refused) => Err(Refused { message: refused.to_string(), code: None }),
        }
    }

    fn close(&self, _: &Channel) {
        // The client may have ended it first.
        let _ended_either_way = self.channel.closed("the server ended the session");
    }
}
