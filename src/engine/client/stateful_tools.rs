//! Tool modes (`docs/reference/tool-modes.md`, a specification of this project's own): once a tool says that it is stateful, every
//! request names the session it belongs to, and calls of stateful tools go out one at a time, in the order they were made.
//! Those of other tools wait for nothing.
//!
//! A session is as long as its connection. Which tools are stateful is known to the [tool catalog](super::tool_catalog).

use super::counters::Level;
use super::effect::State;
use super::status::{Error, Status};
use super::turn_queue::{Turn, TurnQueue};
use super::{Engine, fields};
use crate::json;
use crate::protocol::{Params, method, tool_mode};
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::time::Instant;

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

/// The id of one connection's session: 128 bits that cannot be told from those of another one.
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
            required: self.handshake.members().name_session(),
            stateful_tools: self.catalog.count_stateful(),
            waiting: self.turns.waiting(),
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
            && self.catalog.is_stateful(params.map(|params| params.text()));
        turns.then(|| self.no_room(method)).flatten()
    }

    /// The error of a stateful call that would stand behind more than the bound of others.
    fn no_room(&self, method: &str) -> Option<Error> {
        let bound = self.settings.tool_modes?.waiting;
        self.turns.is_full(bound).then(|| {
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

    /// Whether a call may be sent now. A stateful one stands in line until those before it have ended.
    pub(super) fn takes_turn(&mut self, now: Instant, id: u64, params: Option<&str>) -> bool {
        let Some(settings) = self.settings.tool_modes.filter(|_| self.catalog.is_stateful(params)) else {
            return true;
        };
        if self.calls.get(id).is_none_or(|call| call.method != method::TOOLS_CALL) {
            return true;
        }
        self.calls.set_stateful(id);
        let turn = self.turns.take(id, settings.waiting);
        if turn == Turn::Full
            && let Some(error) = self.no_room(method::TOOLS_CALL)
        {
            self.complete(now, id, Err(error));
        }
        turn == Turn::Now
    }

    /// A stateful call has ended: the next one goes out.
    pub(super) fn end_turn(&mut self, now: Instant, id: u64) {
        if !self.turns.end(id) || self.state != State::Ready {
            return;
        }
        let calls = &self.calls;
        // One whose time is over is told so by the clock; the server need not hear of it.
        let can_go = |id| calls.get(id).is_some_and(|call| call.deadline > now && call.stored.is_some());
        if let Some(next) = self.turns.next(can_go) {
            self.write_stored(now, next);
        }
    }

    /// The stateful call that is under way, and those that wait for their turn.
    #[cfg(test)]
    pub(super) fn turns(&self) -> (Option<u64>, &std::collections::VecDeque<u64>) {
        self.turns.turns()
    }

    /// Has the requests of this connection name the session, or no longer, as the tools want it.
    pub(super) fn require_session(&mut self) {
        let Some(settings) = self.settings.tool_modes.filter(|_| self.state == State::Ready) else { return };
        let required = self.catalog.has_stateful();
        match self.handshake.members().name_session() {
            false if required => {
                let id = session_id(settings.secret, self.generation);
                self.handshake.members_mut().add_session(&id);
            }
            true if !required => self.handshake.members_mut().drop_session(),
            _ => return,
        }
        let (generation, tools) = (self.generation, self.catalog.count_stateful());
        self.log(Level::Info, "session.required", || {
            fields([
                ("required", required.into()),
                ("stateful_tools", tools.into()),
                ("generation", generation.into()),
            ])
        });
    }

    /// The connection has ended, and with it the session and every turn.
    pub(super) fn end_session(&mut self) {
        self.turns = TurnQueue::default();
    }
}
