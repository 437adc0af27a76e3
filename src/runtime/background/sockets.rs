//! Servers behind sockets as the background thread sees them: reached, read when no other thread does, and left with a bound on
//! how long their last word is waited for. There is no process of ours behind a socket: what ends is the connection.

use super::shared::{BackgroundCommand, Runtime};
use crate::engine::{Error, Level, Status};
use crate::runtime::link::owner::{Driven, LinkContext};
use crate::runtime::link::pipe::{Pipe, PipePart, token};
use crate::runtime::numbered::Numbered;
use crate::runtime::sync::lock;
use crate::transport::poller::{Interest, Wake};
use crate::transport::socket::{
    ConnectError, SocketAddress, connect, connect_at_once, duplicate, end_both, end_output,
};
use crate::transport::stream::Outgoing;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How much later than its own bound a thread that connects is given up: when it looks up a name, which has none.
const BACKSTOP: Duration = Duration::from_millis(50);

/// A thread is on its way to a server.
struct Attempt {
    connection: Arc<dyn Driven>,
    generation: u64,
    /// When it is given up.
    until: Instant,
    stop: Arc<Wake>,
}

/// One connected socket.
struct SocketServer {
    connection: Arc<dyn Driven>,
    link: Arc<Pipe>,
    /// It is being ended: until when the server may say its last word.
    closing: Option<Instant>,
    /// Nothing more can come.
    has_ended: bool,
}

/// All sockets, and the ways to them. Both are known by numbers that links have, too.
#[derive(Default)]
pub(crate) struct Sockets {
    attempts: Numbered<Attempt>,
    sockets: Numbered<Box<SocketServer>>,
}

impl Sockets {
    /// Connects, at once or on a thread that may wait.
    pub(crate) fn open(
        &mut self,
        runtime: &Arc<Runtime>,
        connection: &Arc<dyn Driven>,
        generation: u64,
        address: &SocketAddress,
        number: u64,
    ) {
        match connect_at_once(address) {
            Ok(Some(fd)) => self.begin(runtime, Arc::clone(connection), generation, number, fd),
            Ok(None) => match send_out(runtime, connection, address, number) {
                Ok((until, stop)) => {
                    let connection = Arc::clone(connection);
                    self.attempts.insert(number, Attempt { connection, generation, until, stop });
                }
                Err(why) => {
                    let message = format!("cannot connect to '{address}': no thread can be started: {why}");
                    fail(connection, generation, Error::new(Status::Transport, "connect", message));
                }
            },
            Err(why) => fail(connection, generation, unreached(connection.context(), why)),
        }
    }

    /// A thread has arrived, or given up.
    pub(crate) fn reached(&mut self, runtime: &Runtime, number: u64, outcome: Result<OwnedFd, ConnectError>) {
        // Without an attempt it is no longer wanted, and the socket is closed.
        let Some(Attempt { connection, generation, .. }) = self.attempts.remove(number) else { return };
        match outcome {
            Ok(fd) => self.begin(runtime, connection, generation, number, fd),
            Err(why) => fail(&connection, generation, unreached(connection.context(), why)),
        }
    }

    fn begin(
        &mut self,
        runtime: &Runtime,
        connection: Arc<dyn Driven>,
        generation: u64,
        number: u64,
        fd: OwnedFd,
    ) {
        let link = match join(runtime, connection.context(), generation, number, fd) {
            Ok(link) => Arc::new(link),
            Err(errno) => {
                let what =
                    "cannot watch the socket: no descriptors are left, or too many are watched".to_owned();
                let why = ConnectError { message: what, errno: Some(errno.raw_os_error()), timed_out: false };
                return fail(&connection, generation, unreached(connection.context(), why));
            }
        };
        tell(connection.context(), "socket.connected");
        let wanted = connection.opened_pipe(&link);
        let mut socket = SocketServer { connection, link, closing: None, has_ended: false };
        if !wanted {
            socket.shut(runtime, Instant::now(), Some(Instant::now()));
        }
        self.sockets.insert(number, Box::new(socket));
    }

    /// A descriptor is ready.
    pub(crate) fn ready(&mut self, runtime: &Runtime, number: u64, part: PipePart) {
        let Some(socket) = self.sockets.get_mut(number) else { return };
        match part {
            PipePart::Output if socket.closing.is_some() => {
                socket.has_ended |= socket.link.discard(&runtime.poller);
            }
            PipePart::Output if socket.link.is_stopped() => {}
            PipePart::Output => socket.connection.readable(&socket.link),
            PipePart::Input => socket.connection.writable(&socket.link),
            PipePart::Errors | PipePart::Exit => {}
        }
    }

    /// The server has ended the connection. Says whether it is one of these.
    pub(crate) fn ended(
        &mut self,
        runtime: &Runtime,
        number: u64,
        partial: bool,
        errno: Option<Errno>,
    ) -> bool {
        let Some(socket) = self.sockets.get_mut(number) else { return false };
        let mut why = match errno {
            Some(errno) => format!("the connection to the server was lost ({errno})"),
            None => "the server closed the connection".to_owned(),
        };
        if partial {
            why.push_str(" in the middle of a message");
        }
        socket.lose(runtime, Status::Transport, why, errno);
        true
    }

    /// The socket takes nothing more. Says whether it is one of these.
    pub(crate) fn refused(&mut self, runtime: &Runtime, number: u64, errno: Errno) -> bool {
        let Some(socket) = self.sockets.get_mut(number) else { return false };
        if socket.closing.is_none() {
            socket.link.stop();
            // What it said before counts.
            socket.connection.read_rest(&socket.link);
            let why = format!("the server no longer reads the connection ({errno})");
            socket.lose(runtime, Status::Transport, why, Some(errno));
        }
        true
    }

    /// What comes cannot be understood any further. Says whether it is one of these.
    pub(crate) fn broken(&mut self, runtime: &Runtime, number: u64, why: &str) -> bool {
        let Some(socket) = self.sockets.get_mut(number) else { return false };
        socket.link.stop();
        let why = format!("the server's output cannot be understood: {why}");
        socket.lose(runtime, Status::Protocol, why, None);
        true
    }

    /// Ends what belongs to a generation, or to a client; `by` bounds it.
    pub(crate) fn shut(
        &mut self,
        runtime: &Runtime,
        now: Instant,
        client: u64,
        generation: u64,
        by: Option<Instant>,
    ) {
        let meant = |context: &LinkContext, its: u64| {
            context.client == client && (its == generation || generation == u64::MAX)
        };
        for (_, socket) in self.sockets.iter_mut() {
            if meant(socket.connection.context(), socket.link.generation) {
                socket.shut(runtime, now, by);
            }
        }
        for attempt in self.attempts.extract_if(|it| meant(it.connection.context(), it.generation)) {
            attempt.stop.set();
            attempt.connection.gone(attempt.generation);
        }
    }

    /// When [`Sockets::tick`] is to be called next.
    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        let attempts = self.attempts.values().map(|attempt| attempt.until);
        attempts.chain(self.sockets.values().filter_map(|socket| socket.next_deadline())).min()
    }

    /// Does what is due.
    pub(crate) fn tick(&mut self, runtime: &Runtime, now: Instant) {
        for attempt in self.attempts.extract_if(|attempt| attempt.until <= now) {
            attempt.stop.set();
            let message = format!(
                "cannot connect to '{}': the name was not found within {} ms (timeouts.connect_ms); does the system's name \
                 service work?",
                place(attempt.connection.context()),
                attempt.connection.context().transport.connect.as_millis()
            );
            let why = ConnectError { message, errno: None, timed_out: true };
            fail(&attempt.connection, attempt.generation, unreached(attempt.connection.context(), why));
        }
        for socket in self.sockets.extract_if(|socket| socket.is_over(now)) {
            socket.leave(runtime);
        }
    }

    /// The last clients are gone.
    pub(crate) fn drop_all(&mut self) {
        for attempt in self.attempts.extract_if(|_| true) {
            attempt.stop.set();
        }
        for socket in self.sockets.extract_if(|_| true) {
            end_both(&socket.link.output);
        }
    }
}

impl SocketServer {
    /// Tells the engine that the connection is gone, and ends it.
    fn lose(&mut self, runtime: &Runtime, status: Status, why: String, errno: Option<Errno>) {
        self.has_ended = true;
        if self.closing.is_none() {
            let mut error = Error::new(status, "connection", why)
                .with("socket", place(self.connection.context()).as_str());
            if let Some(errno) = errno {
                error = error.with("errno", errno.raw_os_error());
            }
            self.connection.lost(self.link.generation, error);
        }
        // The engine has asked for the end; this is for the case that it no longer cares.
        self.shut(runtime, Instant::now(), None);
    }

    /// Says the last word and gives the server time for its own, or hurries it.
    fn shut(&mut self, runtime: &Runtime, now: Instant, by: Option<Instant>) {
        if self.closing.is_none() {
            self.link.stop();
            if let Some(out) = lock(&self.link.outgoing).as_ref() {
                end_output(out.fd());
            }
            self.link.close_input(&runtime.poller);
            self.closing = Some(now + self.connection.context().transport.exit_wait);
            // What it still says is thrown away. Closing on unread bytes would have the system tell it of an error.
            self.link.listen_once(&runtime.poller);
        }
        if let (Some(closing), Some(by)) = (&mut self.closing, by) {
            *closing = (*closing).min(by);
        }
    }

    fn next_deadline(&self) -> Option<Instant> {
        if self.has_ended { self.closing.map(|_| Instant::now()) } else { self.closing }
    }

    fn is_over(&self, now: Instant) -> bool {
        self.closing.is_some_and(|at| self.has_ended || at <= now)
    }

    fn leave(self, runtime: &Runtime) {
        let SocketServer { connection, link, .. } = self;
        runtime.poller.unwatch(&link.output);
        end_both(&link.output);
        tell(connection.context(), "socket.closed");
        let generation = link.generation;
        drop(link);
        connection.gone(generation);
    }
}

/// Has a thread go and connect.
fn send_out(
    runtime: &Arc<Runtime>,
    connection: &Arc<dyn Driven>,
    address: &SocketAddress,
    number: u64,
) -> std::io::Result<(Instant, Arc<Wake>)> {
    let stop = Arc::new(Wake::new()?);
    let limit = connection.context().transport.connect;
    let address = address.clone();
    // Not the runtime itself: a look-up that takes long must not keep it.
    let weak = Arc::downgrade(runtime);
    let its_stop = Arc::clone(&stop);
    runtime.help(move || {
        let outcome = connect(&address, limit, &its_stop);
        if let Some(runtime) = weak.upgrade() {
            runtime.command(BackgroundCommand::Reached { attempt: number, outcome });
        }
    })?;
    Ok((Instant::now() + limit + BACKSTOP, stop))
}

/// Makes the link of a connected socket, whose two directions have a descriptor each.
fn join(
    runtime: &Runtime,
    context: &LinkContext,
    generation: u64,
    number: u64,
    fd: OwnedFd,
) -> Result<Pipe, Errno> {
    let transport = &context.transport;
    let output = duplicate(&fd)?;
    let outgoing = Outgoing::to_socket(fd, transport.framing);
    let link = Pipe::new(number, generation, None, outgoing, transport.incoming(output))?;
    let watch = || {
        runtime.poller.watch(&link.output, token(number, PipePart::Output), Interest::None)?;
        match lock(&link.outgoing).as_ref() {
            Some(out) => runtime.poller.watch(out.fd(), token(number, PipePart::Input), Interest::None),
            None => Ok(()),
        }
    };
    if let Err(errno) = watch() {
        // Taken out before they are closed: a copy that the host made by forking would keep them in the poller.
        runtime.poller.unwatch(&link.output);
        link.close_input(&runtime.poller);
        end_both(&link.output);
        return Err(errno);
    }
    Ok(link)
}

fn place(context: &LinkContext) -> String {
    match context.transport.endpoint.address() {
        Some(address) => address.to_string(),
        None => String::new(),
    }
}

fn tell(context: &LinkContext, event: &'static str) {
    context.event(Level::Info, event, || {
        let mut fields = Map::new();
        fields.insert("socket".to_owned(), Value::from(place(context)));
        fields
    });
}

fn unreached(context: &LinkContext, why: ConnectError) -> Error {
    let status = if why.timed_out { Status::Timeout } else { Status::Transport };
    let mut error = Error::new(status, "connect", why.message).with("socket", place(context).as_str());
    if let Some(errno) = why.errno {
        error = error.with("errno", errno);
    }
    if why.timed_out {
        let limit = context.transport.connect.as_millis();
        error = error.with("limit_ms", u64::try_from(limit).unwrap_or(u64::MAX));
    }
    error
}

fn fail(connection: &Arc<dyn Driven>, generation: u64, error: Error) {
    connection.failed_to_start(generation, error);
    connection.gone(generation);
}
