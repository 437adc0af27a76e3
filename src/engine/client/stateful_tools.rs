//! Tool modes (`docs/tool-modes.md`, a specification of this project's own): once a tool says that it is stateful, every
//! request names the session it belongs to, and calls of stateful tools go out one at a time, in the order they were made.
//! Those of other tools wait for nothing.
//!
//! A session is as long as its connection. The modes are learned from every list of tools, also those that [`super::tools`]
//! asks for because a call needs them.

use super::counters::Level;
use super::effect::State;
use super::status::{Error, Status};
use super::{Engine, fields};
use crate::json;
use crate::protocol::tool_mode::{self, ToolMode};
use crate::protocol::{Params, method};
use std::collections::hash_map::DefaultHasher;
use std::collections::{HashSet, VecDeque};
use std::hash::Hasher;
use std::time::Instant;

/// Stateful tools remembered; with more of them every tool counts as stateful.
const STATEFUL: usize = 10_000;

/// What is known of the tools' modes, and whose turn it is.
#[derive(Default, Debug)]
pub(super) struct Modes {
    stateful: Stateful,
    /// How long the metadata of this connection's requests is without the session, while they name one.
    plain: Option<usize>,
    /// The stateful call that is under way.
    running: Option<u64>,
    /// Those that wait for their turn.
    row: VecDeque<u64>,
}

/// The tools that said they are stateful.
#[derive(Default, Debug)]
pub(super) struct Stateful {
    names: HashSet<Box<str>>,
    too_many: bool,
}

impl Stateful {
    /// A tool's definition came.
    pub(super) fn note(&mut self, name: &str, tool: &str) {
        if tool_mode::of(tool) != Some(ToolMode::Stateful) {
            self.names.remove(name);
        } else if self.names.len() < STATEFUL {
            self.names.insert(name.into());
        } else {
            self.too_many |= !self.names.contains(name);
        }
    }

    fn is_any(&self) -> bool {
        self.too_many || !self.names.is_empty()
    }
}

/// What there is to tell of the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionFacts {
    /// Whether requests name it.
    pub required: bool,
    /// How many tools are known to be stateful.
    pub stateful_tools: usize,
    /// How many stateful calls wait for their turn.
    pub waiting: usize,
}

/// The id of one connection's session: 128 bits that nobody can tell from those of another one.
fn session_id(secret: [u64; 2], generation: u64) -> String {
    let half = |which: u8| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(secret[0]);
        hasher.write_u64(secret[1]);
        hasher.write_u64(generation);
        hasher.write_u8(which);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(0), half(1))
}

impl<T> Engine<T> {
    /// What there is to tell of the session; `None` with tool modes off.
    pub fn session(&self) -> Option<SessionFacts> {
        self.settings.tool_modes.map(|_| SessionFacts {
            required: self.modes.plain.is_some(),
            stateful_tools: self.modes.stateful.names.len(),
            waiting: self.modes.row.len(),
        })
    }

    /// Why a call cannot be made: it brings a session of its own, or too many wait for their turn.
    pub(super) fn refused_by_modes(
        &self,
        method: &str,
        params: Option<Params<'_>>,
        meta: &str,
    ) -> Option<Error> {
        self.settings.tool_modes?;
        if !meta.is_empty() && json::member(&format!("{{{meta}}}"), tool_mode::SESSION_ID).is_some() {
            let what = "call option 'meta.session_id': the library sets it itself (tool_modes)";
            return Some(Error::new(Status::InvalidArgument, method, what));
        }
        let turns = self.state == State::Ready
            && method == method::TOOLS_CALL
            && self.is_stateful(params.map(|params| params.text()));
        turns.then(|| self.no_room(method)).flatten()
    }

    /// The error of a stateful call that would stand behind more than the bound of others.
    fn no_room(&self, method: &str) -> Option<Error> {
        let bound = self.settings.tool_modes?.waiting;
        (self.modes.running.is_some() && self.modes.row.len() >= bound).then(|| {
            Error::new(
                Status::Backpressure,
                method,
                format!(
                    "{bound} calls of stateful tools wait for their turn already, and they go out one at a time; wait for \
                     some to end or raise limits.stateful_calls"
                ),
            )
            .with("stateful_calls", bound)
        })
    }

    /// Whether these parameters of `tools/call` name a tool that is known to be stateful.
    fn is_stateful(&self, params: Option<&str>) -> bool {
        let known = &self.modes.stateful;
        known.too_many
            || !known.names.is_empty()
                && params
                    .and_then(|params| json::member(params, "name"))
                    .and_then(json::string)
                    .is_some_and(|name| known.names.contains(name.as_ref()))
    }

    /// Whether a call must not overtake those that wait for the list of tools.
    pub(super) fn keeps_order(&self, params: Option<&str>) -> bool {
        self.settings.tool_modes.is_some() && self.is_stateful(params)
    }

    /// Whether a call may be sent now. A stateful one stands in line until those before it have ended.
    pub(super) fn takes_turn(&mut self, now: Instant, id: u64, params: Option<&str>) -> bool {
        if self.settings.tool_modes.is_none() || !self.is_stateful(params) {
            return true;
        }
        if self.calls.get(id).is_none_or(|call| call.method != method::TOOLS_CALL) {
            return true;
        }
        self.calls.set_stateful(id);
        match self.modes.running {
            Some(running) if running != id => {
                if let Some(error) = self.no_room(method::TOOLS_CALL) {
                    self.complete(now, id, Err(error));
                } else {
                    self.modes.row.push_back(id);
                }
                false
            }
            _ => {
                self.modes.running = Some(id);
                true
            }
        }
    }

    /// A stateful call has ended: the next one goes out.
    pub(super) fn end_turn(&mut self, now: Instant, id: u64) {
        if self.modes.running != Some(id) {
            return self.modes.row.retain(|waiting| *waiting != id);
        }
        self.modes.running = None;
        while self.state == State::Ready
            && let Some(next) = self.modes.row.pop_front()
        {
            // One whose time is over is told so by the clock; the server need not hear of it.
            let call = self.calls.get(next);
            if call.is_some_and(|call| call.deadline > now && call.stored.is_some()) {
                self.modes.running = Some(next);
                return self.write_stored(next);
            }
        }
    }

    /// The stateful call that is under way, and those that wait for their turn.
    #[cfg(test)]
    pub(super) fn turns(&self) -> (Option<u64>, &VecDeque<u64>) {
        (self.modes.running, &self.modes.row)
    }

    /// A whole list came: what was known before is known no longer.
    pub(super) fn replace_modes(&mut self, stateful: Stateful) {
        self.modes.stateful = stateful;
    }

    /// A tool's definition came.
    pub(super) fn note_mode(&mut self, name: &str, tool: &str) {
        self.modes.stateful.note(name, tool);
    }

    /// Has the requests of this connection name the session, or no longer, as the tools want it.
    pub(super) fn require_session(&mut self) {
        let Some(settings) = self.settings.tool_modes.filter(|_| self.state == State::Ready) else { return };
        let required = self.modes.stateful.is_any();
        match self.modes.plain {
            None if required => {
                self.modes.plain = Some(self.members.len());
                if !self.members.is_empty() {
                    self.members.push(',');
                }
                json::quote_into(tool_mode::SESSION_ID, &mut self.members);
                self.members.push(':');
                json::quote_into(&session_id(settings.secret, self.generation), &mut self.members);
            }
            Some(_) if !required => self.drop_session(),
            _ => return,
        }
        let (generation, tools) = (self.generation, self.modes.stateful.names.len());
        self.log(Level::Info, "session.required", || {
            fields([
                ("required", required.into()),
                ("stateful_tools", tools.into()),
                ("generation", generation.into()),
            ])
        });
    }

    /// Adds what every request of the connection says in its metadata; without tasks for a call that must not become one.
    pub(super) fn push_connection_members(&self, without_tasks: bool, members: &mut String) {
        if !without_tasks {
            return members.push_str(&self.members);
        }
        members.push_str(&self.members_without_tasks);
        // The session stands behind the rest, with its comma if there is a rest.
        members.push_str(self.modes.plain.and_then(|plain| self.members.get(plain..)).unwrap_or_default());
    }

    fn drop_session(&mut self) {
        if let Some(plain) = self.modes.plain.take() {
            self.members.truncate(plain);
        }
    }

    /// The connection has ended, and with it the session and every turn.
    pub(super) fn end_session(&mut self) {
        self.drop_session();
        self.modes = Modes::default();
    }
}
