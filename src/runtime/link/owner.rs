//! What a link knows of the connection that it belongs to, and tells it. Nothing here is about one side of the protocol.

use super::pipe::Pipe;
use crate::engine::telemetry::{Peer, RequestSpan};
use crate::engine::{Error, Level, Wire};
use crate::runtime::logger::Callbacks;
use crate::runtime::queue::Queue;
use crate::runtime::queue::wake_state::Shown;
use crate::runtime::waiter::Waiter;
use crate::transport::framing::Piece;
use crate::transport::process::Command;
use crate::transport::socket::SocketAddress;
use crate::transport::stderr::StderrLimits;
use crate::transport::stream::Incoming;
use serde_json::{Map, Value};
use std::fmt::Debug;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// What every part of a connection may look at. It never changes.
#[derive(Debug)]
pub(crate) struct LinkContext {
    pub(crate) client: u64,
    pub(crate) name: String,
    pub(crate) transport: TransportSettings,
    pub(crate) queue: Arc<Queue>,
    pub(crate) owns_queue: bool,
    pub(crate) callbacks: Arc<Callbacks>,
    /// What spans say of the connection, where calls are recorded.
    pub(crate) peer: Arc<Peer>,
}

impl LinkContext {
    /// Writes a log record.
    pub(crate) fn event(
        &self,
        level: Level,
        event: &'static str,
        fields: impl FnOnce() -> Map<String, Value>,
    ) {
        self.callbacks.event(&self.name, level, event, fields);
    }

    /// Tells of a request that is over.
    pub(crate) fn tell(&self, span: Box<RequestSpan>) {
        self.callbacks.request_ended(span, &self.peer);
    }
}

/// The connection as its link sees it: where incoming frames go, and what became of the transport.
pub(crate) trait LinkOwner: Send + Sync + Debug {
    fn context(&self) -> &LinkContext;

    /// The transport of a generation is open. If that is still wanted, `install` is called with the engine locked, so that no
    /// close comes in between. Says whether it was.
    fn opened(&self, generation: u64, install: &mut dyn FnMut()) -> bool;

    /// The server of a generation never became one.
    fn failed_to_start(&self, generation: u64, error: Error);

    /// The transport of a generation is lost.
    fn lost(&self, generation: u64, error: Error);

    /// Nothing is left of a transport that was to be opened: its process is reaped, its socket closed.
    fn gone(&self, generation: u64);

    /// Takes what came, until `next` gives nothing more: on the transport, or in the answer to an exchange that has one of its
    /// own. Says whether more may come there. `by` is the waiter of this thread, if it has one.
    fn received(
        &self,
        generation: u64,
        exchange: Option<u64>,
        next: &mut dyn FnMut() -> Option<Piece>,
        by: Option<&Arc<Waiter>>,
    ) -> bool;

    /// Whether nothing is to be read now, because the application's queue is full. If so, the link is resumed when there is
    /// room.
    fn is_held_up(&self) -> bool;
}

/// A connection as the background thread sees it: it keeps its time, and drives its pipes while no other thread does.
pub(crate) trait Driven: LinkOwner {
    fn this(&self) -> Option<Arc<dyn Driven>>;

    /// The same as the queue sees it.
    fn shown(&self) -> Weak<dyn Shown>;

    /// When it is to be ticked next, in the runtime's nanoseconds.
    fn due(&self) -> u64;

    /// It is not ticked again until something new is due.
    fn forget_due(&self);

    /// Does what is due.
    fn tick(&self, by: Option<&Arc<Waiter>>);

    /// The grace time is over. Says whether to look again after another one.
    fn grace_is_over(&self) -> bool;

    /// Has the host's transport go on with what it has to do.
    fn carry(&self);

    /// A pipe is open. Says whether it is still wanted.
    fn opened_pipe(&self, pipe: &Arc<Pipe>) -> bool;

    /// There is something to read.
    fn readable(&self, pipe: &Pipe);

    /// There is room to write.
    fn writable(&self, pipe: &Pipe);

    /// Reads what a server said before its end. The pipe must be stopped.
    fn read_rest(&self, pipe: &Arc<Pipe>);
}

/// What the transport needs to know.
#[derive(Clone, Debug)]
pub(crate) struct TransportSettings {
    pub(crate) endpoint: LinkTarget,
    pub(crate) framing: crate::transport::Framing,
    pub(crate) frame_bytes: usize,
    /// How much of one message is thrown away beyond that before the connection is ended.
    pub(crate) discard_bytes: usize,
    pub(crate) outgoing_bytes: usize,
    pub(crate) server_requests: usize,
    pub(crate) stderr: StderrLimits,
    pub(crate) stderr_to: StderrTo,
    /// How long it may take to reach a server.
    pub(crate) connect: Duration,
    /// How long a server may take to end after its input was closed.
    pub(crate) exit_wait: Duration,
    /// How long it may take after it was asked to (SIGTERM).
    pub(crate) term_wait: Duration,
    /// How long a close without a time of its own may take.
    pub(crate) close: Duration,
}

impl TransportSettings {
    /// Frames from what a server writes to `output`.
    pub(crate) fn incoming(&self, output: rustix::fd::OwnedFd) -> Incoming {
        Incoming::new(Arc::new(output), self.framing, self.frame_bytes, self.discard_bytes)
    }
}

/// Where the server is.
#[derive(Clone, Debug)]
pub(crate) enum LinkTarget {
    /// A process to start.
    Process(Command),
    /// A socket that a server listens on.
    Socket(SocketAddress),
    /// Wherever the host's own transport leads.
    Custom,
    /// A URL.
    #[cfg(feature = "http")]
    Http(Box<crate::transport::http::settings::HttpSettings>),
}

impl LinkTarget {
    /// How `mcp_client_info` calls it.
    pub(crate) fn as_str(&self) -> &'static str {
        match self {
            LinkTarget::Process(_) => "stdio",
            LinkTarget::Socket(_) => "socket",
            LinkTarget::Custom => "custom",
            #[cfg(feature = "http")]
            LinkTarget::Http(_) => "http",
        }
    }

    /// What the client is called when the application does not say.
    pub(crate) fn name(&self) -> String {
        match self {
            LinkTarget::Process(command) => command.program.clone(),
            LinkTarget::Socket(address) => address.to_string(),
            LinkTarget::Custom => "custom".to_owned(),
            #[cfg(feature = "http")]
            LinkTarget::Http(settings) => settings.url.origin().to_string(),
        }
    }

    /// How frames travel.
    pub(crate) fn wire(&self) -> Wire {
        match self {
            LinkTarget::Process(_) | LinkTarget::Socket(_) | LinkTarget::Custom => Wire::Stream,
            #[cfg(feature = "http")]
            LinkTarget::Http(_) => Wire::Http,
        }
    }

    /// What spans say of it.
    pub(crate) fn peer(&self) -> Peer {
        match self {
            LinkTarget::Process(_) => Peer { transport: "pipe", ..Peer::default() },
            LinkTarget::Socket(SocketAddress::Tcp { host, port }) => Peer {
                transport: "tcp",
                address: Some(host.as_str().into()),
                port: Some(*port),
                ..Peer::default()
            },
            LinkTarget::Socket(_) => Peer { transport: "unix", ..Peer::default() },
            LinkTarget::Custom => Peer::default(),
            #[cfg(feature = "http")]
            LinkTarget::Http(settings) => {
                let origin = settings.url.origin();
                Peer {
                    transport: "tcp",
                    is_http: true,
                    address: Some(origin.host.as_str().into()),
                    port: Some(origin.port),
                    ..Peer::default()
                }
            }
        }
    }

    /// The program to start, if the server is one.
    pub(crate) fn command(&self) -> Option<&Command> {
        match self {
            LinkTarget::Process(command) => Some(command),
            _ => None,
        }
    }

    /// Where the server listens, if it does on a socket.
    pub(crate) fn address(&self) -> Option<&SocketAddress> {
        match self {
            LinkTarget::Socket(address) => Some(address),
            _ => None,
        }
    }
}

/// Where a server's standard error goes, besides the last lines kept for errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StderrTo {
    /// To the logger.
    #[default]
    Log,
    /// To the queue, as LOG messages.
    Message,
    /// Nowhere.
    Drop,
}
