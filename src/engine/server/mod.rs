//! The state machine of a server, sans-I/O: all revisions, any number of sessions.
//!
//! Frames, the application's answers and timer ticks go in, each with the time it happened at; effects come out of
//! [`Server::effect`]. The engine answers itself what needs no application (handshake, discovery, lists, fixed resources,
//! `ping`, refusals) and hands on the rest as [`Effect::Run`]. It must not know sockets, threads or the clock.
//!
//! It routes between parts that own their state: [`Registry`] (what is offered), [`Sessions`] (who is connected),
//! [`Requests`] (what waits for the application), `Tasks`, `TaskPace` and `Waiters` (calls that became tasks, when they are
//! told of, what waits for them), [`Listens`] and [`Burst`] (who is told of changes), [`Sent`] (questions on
//! their way). No part knows another.

mod answering;
mod asking;
mod calling;
mod changing;
mod completing;
mod context;
mod cursor;
mod describing;
mod dispatch;
mod effect;
mod incoming;
mod input;
mod listens;
mod notices;
mod registry;
mod requests;
mod results;
mod router;
mod schema_checks;
mod sessions;
mod settings;
mod spent;
mod subscribing;
mod task_calls;
mod task_ends;
mod task_methods;
mod task_pace;
mod task_text;
mod task_waiters;
mod tasks;
mod wire_id;

#[cfg(test)]
mod tests;

pub use answering::{Outcome, Responded};
pub use effect::{Effect, Now, Outgone, RequestId, Run, Sent as Frame, SessionId, Stream, Withdrawn};
pub use input::{Answer, Asked};
pub use registry::{Invalid, Kind};
pub use results::contents_of;
pub use router::{Counters, Server};
pub use settings::{Announced, Caching, Limits, Settings, Severity, Timeouts};
pub use task_calls::{Started, TaskOptions};
