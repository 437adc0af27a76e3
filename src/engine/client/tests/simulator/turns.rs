//! Tool modes in the simulation: whose turn it is, and which session a request names.

use super::model::{Call, Model};
use super::observe::Frame;
use crate::engine::{Engine, State};

impl Model {
    /// A request of a ready connection: one session for all that name one, and none that another connection had.
    pub fn names_session(&mut self, frame: &Frame<'_>) {
        let Some(id) = frame.after("\"session_id\":\"").and_then(|rest| rest.get(..32)) else { return };
        assert!(self.settings.tool_modes.is_some(), "{}", frame.0);
        let generation = self.generation;
        let known = self.sessions.entry(generation).or_insert_with(|| id.to_owned());
        assert_eq!(known, id, "two sessions on one connection");
        let others = self.sessions.iter().filter(|(other, _)| **other != generation);
        assert!(others.into_iter().all(|(_, other)| other != id), "the session of another connection");
        self.reached.insert("session");
    }

    /// A call is sent. What waited for the connection goes out in order, but for calls that need the list of tools first.
    pub fn leaves_the_row(&mut self, number: u64) {
        let modes = self.settings.tool_modes.is_some();
        let core = self.has_core_tasks();
        let needs_tools = |call: &Call| call.method == "tools/call" && (modes || core && call.plain);
        if self.calls.get(&number).is_some_and(needs_tools) {
            return self.row.retain(|waiting| *waiting != number);
        }
        let first = self
            .row
            .iter()
            .position(|waiting| self.calls.get(waiting).is_some_and(|call| !needs_tools(call)));
        if let Some(first) = first.and_then(|first| self.row.remove(first)) {
            assert_eq!(first, number, "sent out of turn");
        }
    }

    /// These calls have their turn, or stand in line for it.
    pub fn had_their_turn(&mut self, calls: impl Iterator<Item = u64>) {
        for (at, number) in calls.enumerate() {
            let call = self.calls.get_mut(&number).expect("who has a turn has not ended");
            call.stateful = true;
            self.reached.extend((at > 0).then_some("in line"));
            self.reached.extend(call.task.is_some().then_some("stateful task"));
        }
    }

    /// A call ended because too many stood in line before it.
    pub fn turned_away(&mut self, method: &str) {
        let modes = self.settings.tool_modes.expect("a row to stand in");
        let calls = self.calls.values().filter(|call| call.method == "tools/call");
        let (sent, waiting): (Vec<_>, Vec<_>) = calls.partition(|call| is_begun(call));
        assert_eq!(method, "tools/call");
        assert!(!sent.is_empty() && waiting.len() >= modes.waiting, "there was room");
        self.reached.insert("backpressure");
    }
}

/// Whether a call was sent and has not ended.
fn is_begun(call: &Call) -> bool {
    call.exchange.is_some() || call.task.is_some() || call.round.is_some()
}

/// Holds the turns to their rules.
pub fn check(model: &Model, engine: &Engine<u64>) {
    let (running, row) = engine.turns();
    let modes = model.settings.tool_modes;
    let lists = |id: &u64| engine.catalog.awaits(*id);
    let is_stateful =
        |id: u64| model.calls.get(&id).is_some_and(|call| call.params.contains(r#""name":"s""#));
    if model.state != State::Ready {
        return assert!(running.is_none() && row.is_empty() && !model.calls.keys().any(lists));
    }
    assert!(row.len() <= modes.map_or(0, |modes| modes.waiting), "more wait than may");
    assert!(modes.is_some() || running.is_none(), "a turn without turns");
    assert!(row.is_empty() || running.is_some(), "calls wait although no turn is to end");
    assert!(row.iter().is_sorted(), "out of order: {row:?}");
    assert!(row.iter().copied().chain(running).all(is_stateful), "a stateless call stands in line");
    let on_the_wire = |id: u64| model.calls.get(&id).is_some_and(is_begun);
    assert!(running.is_none_or(on_the_wire), "the turn of a call that was not sent");
    for (id, call) in &model.calls {
        let is_due = call.deadline <= model.now;
        let waits = row.contains(id) || lists(id) || is_due;
        assert!(is_begun(call) != waits || is_due, "call {id} is forgotten, or sent before its turn");
    }
}
