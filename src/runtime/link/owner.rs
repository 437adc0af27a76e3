//! What a link knows of the connection that it belongs to, and tells it. Nothing here is about one side of the protocol.

use super::endpoint::TransportSettings;
use super::pipe::Pipe;
use crate::engine::{Error, Level};
use crate::runtime::host_set::Shown;
use crate::runtime::logger::Callbacks;
use crate::runtime::queue::Queue;
use crate::runtime::waiter::Waiter;
use crate::transport::framing::Piece;
use serde_json::{Map, Value};
use std::fmt::Debug;
use std::sync::{Arc, Weak};

/// What every part of a connection may look at. It never changes.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) client: u64,
    pub(crate) name: String,
    pub(crate) transport: TransportSettings,
    pub(crate) queue: Arc<Queue>,
    pub(crate) owns_queue: bool,
    pub(crate) callbacks: Arc<Callbacks>,
}

impl Context {
    /// Writes a log record.
    pub(crate) fn event(
        &self,
        level: Level,
        event: &'static str,
        fields: impl FnOnce() -> Map<String, Value>,
    ) {
        self.callbacks.event(&self.name, level, event, fields);
    }
}

/// The connection as its link sees it: where incoming frames go, and what became of the transport.
pub(crate) trait Owner: Send + Sync + Debug {
    fn context(&self) -> &Context;

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
pub(crate) trait Driven: Owner {
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
