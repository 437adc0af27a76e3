//! The state machine of a server, sans-I/O: all revisions, any number of sessions.
//!
//! Frames, the application's answers and timer ticks go in, each with the time it happened at; effects come out of
//! [`Server::effect`]. The engine answers itself what needs no application (handshake, discovery, lists, fixed resources,
//! `ping`, refusals) and hands on the rest as [`Effect::Run`]. It must not know sockets, threads or the clock.
//!
//! The files. What each part owns is in `docs/design/architecture.md`:
//!
//! * `router`: [`Server`], which owns the parts: adding and removing entries, opening and closing sessions, time
//! * `incoming`: routes: frames, era, notifications, answers of clients; writes results and refusals
//! * `batch`: routes: several messages in one frame
//! * `dispatch`: routes: methods. Answers what needs no handler
//! * `handing_on`: routes: requests for handlers into the table, or into the line when that is full
//! * `describing`: routes: handshake and discovery
//! * `subscribing`: routes: subscriptions and `subscriptions/listen`
//! * `notices`: routes: notifications of changes and log messages to all sessions
//! * `answering`: routes: what the application says of a request: answer, progress, log; how a request ends without an
//!   answer
//! * `authorizing`: routes: what a request is about, found once, for its sender
//! * `asking`: routes: a handler's questions to its client
//! * `request_state`: routes: `requestState`. Puts together what is kept and what it is bound to, seals and opens it
//! * `client_calls`: routes: calls and notifications that the application sends to a client by itself (legacy era)
//! * `registry`: part: `Registry`
//! * `sessions`: part: `Sessions`
//! * `requests`: part: `Requests`
//! * `line`: part: `Line`
//! * `input`: parts: `Questions` of one request, and `Sent`. What a server may ask, and the shape of answers
//! * `listens`: parts: `Listens` and `Burst`
//! * `spent`: part: `Spent`
//! * `access`: `AccessRules`: which scopes methods, tools, prompts and resources need; `Principal`: who a request comes from; `Reader`,
//!   against which entries are given
//! * `spelling`: `Spelling`: what the spellings of a URI have in common
//! * `context`: `Context`: what is known of the sender of a request; `Metadata`: the members of its `_meta`; `Refusal`, an
//!   error for it
//! * `cursor`: cursors of lists
//! * `results`: results as text, per revision
//! * `schema_checks`: `ArgumentCheck`, `ResultCheck`: arguments and results of tools against their schemas, for the caller to run
//! * `wire_id`: `WireId`: the id of a client's request, in the type it came in
//! * `effect`: `Effect` and what else goes in and out
//! * `settings`: `Settings`, `Limits`: bounds, times, policies and their defaults
//! * `completing`: routes: `completion/complete`
//! * `text_answers`: routes: answers of tools that are one block of text, written once
//! * `reporting`: routes: progress and log messages of a request, at the rates that sessions may have
//! * `task_calls`: routes: calls that become tasks
//! * `task_ends`: routes: how tasks end
//! * `task_methods`: routes: `tasks/get` and the other methods of tasks
//! * `tasks`: part: `Tasks`
//! * `timing`: `Timing`: how long requests wait and are worked on, in histograms
//! * `task_pace`: part: `TaskPace`
//! * `task_waiters`: part: `Waiters`
//! * `task_text`: tasks as text, per form
//! * `skills`: part: `Skills`
//! * `skill_methods`: routes: `skills/list`, `skills/get`, `resources/directory/read`
//! * `pacing`: part: `Pacing`
//! * `rates`: a bucket of so many at once and so many a second
//! * `elicitation_ids`: part: `ElicitationIds`
//! * `checking`: what the results and errors of handlers must be
//! * `content`: blocks of content, by revision
//! * `question_checks`: what may be asked; with `form_checks` and `sampling_checks`
//! * `form_checks`: forms are flat, and their answers fit
//! * `sampling_checks`: messages for sampling
//! * `apps`: part: `Apps`
//! * `app_checks`: routes: the resources of apps that tools name
//! * `uri`: addresses of pages and icons
//! * `relay`: `Relay`: what a server that stands before another one knows of it
//! * `relaying`: routes: what it hands on, and what it tells the application
//! * `params`: `FrameText`: parameters in the memory of their frame

mod access;
mod answering;
mod app_checks;
mod apps;
mod asking;
mod authorizing;
mod batch;
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
mod handing_on;
mod incoming;
mod input;
mod line;
mod listens;
mod notices;
mod pacing;
mod params;
mod question_checks;
mod rates;
mod registry;
mod relay;
mod relaying;
mod reporting;
mod request_state;
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
mod spelling;
mod spent;
mod subscribing;
mod task_calls;
mod task_ends;
mod task_methods;
mod task_pace;
mod task_text;
mod task_waiters;
mod tasks;
mod text_answers;
mod timing;
mod uri;
mod wire_id;

#[cfg(test)]
mod tests;

pub use access::{AccessRules, Lacks, Principal, ScopesByName};
pub use answering::{Outcome, Responded};
pub use client_calls::may_notify;
pub use effect::{Effect, Now, Outgone, RequestId, Run, Sent as Frame, SessionId, Stream, Withdrawn};
pub use input::{Answer, Asked};
pub use listens::is_own_member;
pub use params::FrameText;
pub use registry::{Invalid, Kind};
pub use results::contents_of;
pub use router::{Counters, Server};
pub use schema_checks::ArgumentCheck;
pub use settings::{Announced, Caching, Limits, Settings, Severity, Timeouts};
#[cfg(feature = "skills")]
pub use skills::{Skill, SkillSet};
pub use task_calls::{Started, TaskOptions};
pub use timing::Histogram;
pub use uri::icon_fault;
