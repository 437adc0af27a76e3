//! Calls whose server wants to know something first (modern era): both sides of that in the simulation.

use super::draw;
use super::model::{Asked, Call, Expected, Model};
use super::schedule::World;
use crate::engine::client::input::{MAX_ROUNDS, may_ask};
use crate::engine::{State, Status};
use crate::protocol::Era;

/// What the server of one call wants to know: the keys of the requests, until they are answered.
#[derive(Debug)]
pub struct Round(pub Vec<Option<u64>>);

/// Whether an open request came over the wire, and not with the answer to a call or the state of a task.
pub fn is_of_wire(id: &str) -> bool {
    !id.starts_with("task ") && !id.starts_with("input ")
}

impl Model {
    /// A call is answered with a request for these inputs.
    pub fn asked_for_input(&mut self, number: u64, inputs: &[(u64, &'static str)], state: bool) {
        let may_all = inputs.len() <= self.settings.server_requests && self.has_declared(inputs);
        let has_roots = self.settings.roots.is_some();
        let call = self.calls.get_mut(&number).expect("pending");
        call.rounds += u32::from(may_ask(call.method));
        if !may_ask(call.method) || call.rounds > MAX_ROUNDS || !may_all {
            return self.step.expected.push(Expected::End(number, Status::Protocol));
        }
        assert!(state || !inputs.is_empty(), "a round with something in it");
        call.exchange = None;
        call.deadline = call.latest;
        let mut keys = Vec::new();
        for (index, (_, method)) in inputs.iter().enumerate() {
            if *method == "roots/list" && has_roots {
                continue;
            }
            let key = self.last_key + 1 + keys.len() as u64;
            keys.push(Some(key));
            self.open.insert(key, format!("input {number} {index}"));
            self.step.expected.push(Expected::Request);
        }
        self.calls.get_mut(&number).expect("pending").round = Some(Round(keys));
        self.next_round(number);
    }

    /// Whether the client has declared all that these inputs need.
    pub fn has_declared(&self, inputs: &[(u64, &'static str)]) -> bool {
        let name = |method: &'static str| method.split('/').next().unwrap_or_default();
        inputs.iter().all(|(_, method)| self.settings.capabilities.contains_key(name(method)))
    }

    /// The application answered a request, or dropped it.
    pub fn request_answered(&mut self, id: String, key: u64, refuses: bool) {
        match id.split(' ').next() {
            Some("task") => self.input_answered(&id, refuses),
            Some("input") => self.round_answered(&id, key, refuses),
            _ => self.step.expected.push(Expected::Answer(id)),
        }
    }

    /// The application answered, or refused, what the server of a call wants to know.
    fn round_answered(&mut self, id: &str, key: u64, refuses: bool) {
        let number = id.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a call");
        if refuses {
            return self.step.expected.push(Expected::End(number, Status::Cancelled));
        }
        let call = self.calls.get_mut(&number).expect("pending");
        call.round.as_mut().expect("a round").0.retain(|known| *known != Some(key));
        self.next_round(number);
    }

    /// With every answer there the call is sent again, and has all of its time.
    fn next_round(&mut self, number: u64) {
        let now = self.now;
        let call = self.calls.get_mut(&number).expect("pending");
        if call.round.as_ref().is_some_and(|round| round.0.is_empty()) {
            call.round = None;
            call.deadline = (now + call.timeout).min(call.latest);
            self.reached.insert("another round");
        }
    }

    /// A call ended in the midst of a round.
    pub fn leaves_round(&mut self, call: &Call) {
        for key in call.round.iter().flat_map(|round| round.0.iter().flatten().copied()) {
            self.over(key, super::model::Over::Withdrawn);
        }
    }
}

impl World {
    /// The server of a call wants to know something.
    pub fn asks_for_input(&mut self) {
        let is_modern = self.model.era() == Some(Era::Modern) && self.model.state == State::Ready;
        // What the client keeps of a call it can send again; without any capability that may be nothing.
        if !is_modern || self.model.settings.capabilities.is_empty() {
            return self.answer();
        }
        let wire = self.model.wire.as_ref().expect("ready");
        let calls: Vec<(u64, u64)> = wire
            .under_way
            .iter()
            .filter_map(|(id, asked)| match asked {
                Asked::Call(call) => Some((*id, *call)),
                _ => None,
            })
            .collect();
        if calls.is_empty() {
            return self.answer();
        }
        let (id, call) = *self.dice.pick(&calls);
        let inputs = draw::inputs(&mut self.dice);
        let state = inputs.is_empty() || self.dice.chance(50);
        self.model.now = self.now;
        self.model.wire.as_mut().expect("ready").under_way.remove(&id);
        self.model.asked_for_input(call, &inputs, state);
        let state = if state { r#","requestState":"s""# } else { "" };
        let inputs = draw::written(&inputs);
        self.receive(format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"input_required","inputRequests":{inputs}{state}}}}}"#
        ));
    }
}
