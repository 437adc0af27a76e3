//! The link of a connection: what carries its frames, whichever transport that is. Its outgoing side takes frames, its
//! incoming side gives frames to its [`owner::LinkOwner`]. A link lives as long as the connection and opens one transport after
//! another; a generation names each of them.
//!
//! Another transport is a file here or a folder beside this one, a variant of [`Link`], and an [`owner::LinkTarget`].
//!
//! [`Link`] in this file is the enum over all of them.
//!
//! * `pipes`: `Pipes`: the link over processes and sockets, for the whole life of a connection; its outbox, and the role of driver
//! * `pipe`: `Pipe`: the descriptors of one generation of it, shared by threads: reading end, writing end, process
//! * `custom`: `Custom`: a transport of the host, as a list of operations
//! * `owner`: `LinkOwner`, `Driven`: what a link knows of its connection; `LinkTarget`: where the other side is

pub(crate) mod custom;
pub(crate) mod owner;
pub(crate) mod pipe;
pub(crate) mod pipes;

use super::background::shared::Runtime;
#[cfg(feature = "http")]
pub(crate) use super::http::Http;
#[cfg(feature = "http")]
use super::http::HttpOwner;
use super::waiter::Waiter;
use crate::engine::{Error, Shape};
use crate::protocol::{Frame, Revision};
#[cfg(not(feature = "http"))]
pub(crate) use absent::Http;
#[cfg(not(feature = "http"))]
use absent::HttpOwner;
use custom::Custom;
use owner::{Driven, LinkTarget};
use pipes::Pipes;
use std::sync::Arc;
use std::time::Instant;

/// What carries the frames of a connection.
#[derive(Debug)]
pub(crate) enum Link {
    /// The pipes of a server process, or a socket.
    Pipes(Pipes),
    /// The host's transport.
    Custom(Arc<Custom>),
    /// HTTP, where each request is an exchange of its own.
    Http(Http),
}

impl Link {
    /// The link to a place. The host's transport is made by the host.
    pub(crate) fn new(
        endpoint: &LinkTarget,
        runtime: &Arc<Runtime>,
        #[cfg(feature = "auth")] auth: Option<super::http::authenticator::AuthConfig>,
    ) -> Result<Link, Error> {
        let http = Http::of(
            endpoint,
            #[cfg(feature = "auth")]
            auth,
        )?;
        Ok(match http {
            Some(http) => Link::Http(http),
            None => Link::Pipes(Pipes::new(runtime)),
        })
    }

    /// Begins to open the transport of a generation; the owner is told how that ends.
    pub(crate) fn open<O: Driven + HttpOwner + 'static>(&self, owner: Arc<O>, generation: u64, shape: Shape) {
        match self {
            Link::Pipes(pipes) => pipes.open(owner, generation),
            Link::Custom(custom) => custom.open(generation),
            Link::Http(http) => {
                let owner: Arc<dyn HttpOwner> = owner;
                http.open(&owner, generation, shape);
            }
        }
    }

    /// Takes a frame. It goes out now, or when pipes are flushed, or at the next [`Link::carry`]. `by` is the waiter of this thread, if
    /// it has one: where each exchange has a transport of its own, the thread that waits for the answer runs it.
    pub(crate) fn send(&self, frame: Frame, revision: Option<Revision>, by: Option<&Arc<Waiter>>) {
        match self {
            Link::Pipes(pipes) => pipes.send(frame.text),
            Link::Custom(custom) => custom.send(frame.text),
            Link::Http(http) => {
                let Some(exchange) = http.send(frame, revision) else { return };
                let left = match by {
                    Some(waiter) => waiter.run_inline(exchange),
                    None => Some(exchange),
                };
                if let Some(exchange) = left {
                    http.run(exchange);
                }
            }
        }
    }

    /// Has the host's transport do what it has to do. Says whether more is left, for the background thread. The owner must not be
    /// locked, as for all that follows.
    pub(crate) fn carry(&self, owner: &dyn Driven) -> bool {
        match self {
            Link::Custom(custom) => custom.run(owner),
            Link::Pipes(_) | Link::Http(_) => false,
        }
    }

    /// Waits until something arrives for `waiter` or the time is over, driving the link if no other thread does.
    pub(crate) fn wait(&self, owner: &dyn Driven, waiter: &Arc<Waiter>, until: Option<Instant>) {
        match self {
            Link::Pipes(pipes) => pipes.wait(owner, waiter, until),
            // The thread that delivers does what there is to do.
            Link::Custom(_) => waiter.park(until),
            Link::Http(http) => http.drive(waiter, until),
        }
    }

    /// The application's queue has room again.
    pub(crate) fn resume(&self, owner: &dyn Driven) {
        match self {
            Link::Pipes(pipes) => pipes.resume(owner),
            // What is delivered meanwhile is refused.
            Link::Custom(_) => {}
            Link::Http(http) => http.resume(),
        }
    }

    /// Ends the transport of a generation; `by` bounds that. The owner is told when nothing is left of it.
    pub(crate) fn close(&self, client: u64, generation: u64, by: Option<Instant>) {
        match self {
            Link::Pipes(pipes) => pipes.close(client, generation),
            Link::Custom(custom) => custom.close(generation),
            Link::Http(http) => http.close(generation, by),
        }
    }

    /// The last of the link: no other call follows.
    pub(crate) fn finish(&self) {
        match self {
            Link::Pipes(_) => {}
            Link::Custom(custom) => custom.finish(),
            Link::Http(http) => http.finish(),
        }
    }

    /// Bytes that were sent and wait for the other side to take them.
    pub(crate) fn pending(&self) -> usize {
        match self {
            Link::Pipes(pipes) => pipes.waiting_bytes(),
            Link::Custom(custom) => custom.waiting_bytes(),
            Link::Http(http) => http.waiting_bytes(),
        }
    }

    /// HTTP, for what no other link has: exchanges that end alone, streams, sessions, authorization.
    pub(crate) fn http(&self) -> Option<&Http> {
        match self {
            Link::Http(http) => Some(http),
            Link::Pipes(_) | Link::Custom(_) => None,
        }
    }

    /// Pipes and sockets, for what no other link has: frames that are held back, a process.
    pub(crate) fn pipes(&self) -> Option<&Pipes> {
        match self {
            Link::Pipes(pipes) => Some(pipes),
            Link::Custom(_) | Link::Http(_) => None,
        }
    }
}

/// HTTP in a build without it: there is no value of [`Http`], so that nothing else needs to ask.
#[cfg(not(feature = "http"))]
mod absent {
    use super::owner::{Driven, LinkOwner, LinkTarget};
    use crate::engine::{Error, Shape};
    use crate::protocol::{Frame, Revision};
    use crate::runtime::waiter::{InlineExchange, Waiter};
    use std::sync::Arc;
    use std::time::Instant;

    /// What HTTP tells the connection beside what every transport does.
    pub(crate) trait HttpOwner: LinkOwner {}
    impl<T: Driven> HttpOwner for T {}

    #[derive(Debug)]
    pub(crate) enum Http {}

    #[expect(clippy::unused_self, reason = "there is none")]
    impl Http {
        pub(crate) fn of(_: &LinkTarget) -> Result<Option<Http>, Error> {
            Ok(None)
        }
        pub(crate) fn open(&self, _: &Arc<dyn HttpOwner>, _: u64, _: Shape) {}
        pub(crate) fn send(&self, _: Frame, _: Option<Revision>) -> Option<InlineExchange> {
            None
        }
        pub(crate) fn run(&self, _: InlineExchange) {}
        pub(crate) fn abort(&self, _: u64) {}
        pub(crate) fn listen(&self, _: u64, _: Revision) {}
        pub(crate) fn drive(&self, _: &Arc<Waiter>, _: Option<Instant>) {}
        pub(crate) fn resume(&self) {}
        pub(crate) fn close(&self, _: u64, _: Option<Instant>) {}
        pub(crate) fn finish(&self) {}
        pub(crate) fn waiting_bytes(&self) -> usize {
            0
        }
        pub(crate) fn has_session(&self) -> Option<bool> {
            None
        }
        pub(crate) fn known(&self) -> Option<Shape> {
            None
        }
        pub(crate) fn remember(&self, _: Option<Shape>) {}
    }
}
