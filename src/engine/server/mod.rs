//! The state machine of a server, sans-I/O: all revisions, any number of sessions.
//!
//! Frames, the application's answers and timer ticks go in, each with the time it happened at; effects come out of
//! [`Server::effect`]. The engine answers itself what needs no application (handshake, discovery, lists, fixed resources,
//! `ping`, refusals) and hands on the rest as [`Effect::Run`]. It must not know sockets, threads or the clock.
//!
//! It routes between parts that own their state: [`Registry`] (what is offered), [`Sessions`] (who is connected),
//! [`Requests`] (what waits for the application), `Tasks`, `TaskPace` and `Waiters` (calls that became tasks, when they are
//! told of, what waits for them), [`Skills`] (published skills), [`Listens`] and [`Burst`] (who is told of changes), [`Sent`] (questions on their way),
//! [`Pacing`](pacing::Pacing) (what waits because of a rate). No part knows another.

mod answering;
mod asking;
mod changing;
mod checking;
mod client_calls;
mod completing;
mod content;
mod context;
mod cursor;
mod describing;
mod dispatch;
mod effect;
mod elicitation_ids;
mod form_checks;
mod incoming;
mod input;
mod listens;
mod notices;
mod pacing;
mod params;
mod question_checks;
mod rates;
mod registry;
mod reporting;
mod requests;
mod results;
mod router;
mod sampling_checks;
mod schema_checks;
mod sessions;
mod settings;
#[cfg_attr(not(feature = "skills"), allow(dead_code, reason = "without it no folder of skills is read"))]
mod skill_methods;
#[cfg_attr(not(feature = "skills"), allow(dead_code, reason = "without it no folder of skills is read"))]
mod skills;
mod spent;
mod subscribing;
mod task_calls;
mod task_methods;
mod task_pace;
mod task_text;
mod task_waiters;
mod tasks;
mod text_answers;
mod uri;
mod wire_id;

#[cfg(test)]
mod tests;

pub use answering::{Outcome, Responded};
pub use effect::{Effect, Now, Outgone, RequestId, Run, Sent as Frame, SessionId, Stream, Withdrawn};
pub use input::{Answer, Asked};
pub use params::FrameText;
pub use registry::{Invalid, Kind};
pub use results::contents_of;
pub use router::{Counters, Server};
pub use settings::{Announced, Caching, Limits, Settings, Severity, Timeouts};
#[cfg(feature = "skills")]
pub use skills::{Skill, SkillSet};
pub use task_calls::{Started, TaskOptions};
pub use uri::icon_fault;
