//! Where the other side is, and what a link needs to know to reach it.

use crate::engine::Wire;
use crate::transport::incoming::Incoming;
use crate::transport::process::Command;
use crate::transport::socket::SocketAddress;
use crate::transport::stderr::StderrLimits;
use std::sync::Arc;
use std::time::Duration;

/// What the transport needs to know.
#[derive(Clone, Debug)]
pub(crate) struct TransportSettings {
    pub(crate) endpoint: Endpoint,
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
pub(crate) enum Endpoint {
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

impl Endpoint {
    /// How `mcp_client_info` calls it.
    pub(crate) fn as_str(&self) -> &'static str {
        match self {
            Endpoint::Process(_) => "stdio",
            Endpoint::Socket(_) => "socket",
            Endpoint::Custom => "custom",
            #[cfg(feature = "http")]
            Endpoint::Http(_) => "http",
        }
    }

    /// What the client is called when the application does not say.
    pub(crate) fn name(&self) -> String {
        match self {
            Endpoint::Process(command) => command.program.clone(),
            Endpoint::Socket(address) => address.to_string(),
            Endpoint::Custom => "custom".to_owned(),
            #[cfg(feature = "http")]
            Endpoint::Http(settings) => settings.url.origin().to_string(),
        }
    }

    /// How frames travel.
    pub(crate) fn wire(&self) -> Wire {
        match self {
            Endpoint::Process(_) | Endpoint::Socket(_) | Endpoint::Custom => Wire::Stream,
            #[cfg(feature = "http")]
            Endpoint::Http(_) => Wire::Http,
        }
    }

    /// The program to start, if the server is one.
    pub(crate) fn command(&self) -> Option<&Command> {
        match self {
            Endpoint::Process(command) => Some(command),
            _ => None,
        }
    }

    /// Where the server listens, if it does on a socket.
    pub(crate) fn address(&self) -> Option<&SocketAddress> {
        match self {
            Endpoint::Socket(address) => Some(address),
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
