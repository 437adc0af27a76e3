//! Multi-round-trip requests of the modern era (2026-07-28 `basic/patterns/mrtr`): a server answers a call with what it needs
//! to know, the application answers that like a request of the server, and the call is sent again with the answers.
//!
//! To the application it is one call with one outcome, and its requests look as they do in the legacy era.

use super::counters::Level;
use super::effect::Asked;
use super::excerpt;
use super::requests::Origin;
use super::status::{Error, Status};
use super::{Engine, fields};
use crate::json::{self, Kind};
use crate::protocol::given;
use crate::protocol::{Era, capability, method};
use std::time::Instant;

/// How often one call may be asked for input.
pub(super) const MAX_ROUNDS: u32 = 8;

/// Whether a server may answer `method` with a request for input.
pub(super) fn may_ask(name: &str) -> bool {
    method::find(name).is_some_and(|method| method.may_ask)
}

impl<T> Engine<T> {
    /// Whether a call's request is kept because its server may ask for input, or for nothing but to be called again with a
    /// state, which takes no capability.
    pub(super) fn may_be_asked(&self) -> bool {
        self.revision().is_some_and(|revision| revision.era() == Era::Modern) || self.may_want_visits()
    }

    /// A call was answered with a request for input. `result` is the result's text.
    ///
    /// # Errors
    /// What ends the call: the server may not ask this, or asks too often.
    pub(super) fn input_required(&mut self, now: Instant, id: u64, result: &str) -> Result<(), Error> {
        let Some(call) = self.calls.get(id) else { return Ok(()) };
        let name = call.method.clone();
        let wrong = |what: String| Error::new(Status::Protocol, name.as_ref(), what);
        if !may_ask(&name) {
            return Err(wrong(format!("the server asks for input, which {name} may not be answered with")));
        }
        if call.rounds >= MAX_ROUNDS {
            return Err(wrong(format!(
                "the server asked for input more than {MAX_ROUNDS} times for one call"
            ))
            .with("rounds", MAX_ROUNDS));
        }
        let asked = given::object(result, "inputRequests");
        let state =
            json::member(result, "requestState").filter(|state| json::kind(state) == Some(Kind::String));
        if asked.is_none_or(given::is_empty) && state.is_none() {
            return Err(wrong(
                "the server asks for input and says neither which nor what state to return".to_owned(),
            ));
        }
        if call.stored.is_none() {
            return Err(wrong("the server asks for input, and the call was not kept for that".to_owned()));
        }
        let deadline = self.calls.await_input(id);
        self.guard_call(id, deadline);
        let inputs = self.read_inputs(asked.unwrap_or("{}")).map_err(wrong)?;
        self.rounds.begin(id, state, inputs.iter().map(|input| &*input.name));
        let last = inputs.iter().rposition(|input| self.own_answer(input).is_none());
        for (index, input) in inputs.iter().enumerate() {
            self.ask(id, index, input, last.is_some_and(|last| index < last));
        }
        self.next_round(now, id);
        Ok(())
    }

    /// Checks every input before any is handed on.
    pub(super) fn read_inputs(&self, asked: &str) -> Result<Vec<Input>, String> {
        let mut inputs = Vec::new();
        for (name, request) in json::members(asked) {
            let method = json::member(request, "method").and_then(json::string).unwrap_or_default();
            let declared = method::needed_client_capability(&method).is_some_and(|needed| {
                self.revision().is_some_and(|revision| {
                    capability::is_declared(&self.settings.capabilities, needed, revision)
                })
            });
            if !declared {
                return Err(format!(
                    "the server asks for input by '{}', which this client has not declared (capabilities)",
                    excerpt(&method)
                ));
            }
            if inputs.len() >= self.settings.server_requests {
                return Err(
                    "the server asks for more inputs at once than limits.server_requests allows".to_owned()
                );
            }
            let params = given::object(request, "params");
            if method == method::ELICITATION
                && self.revision().is_some_and(|at| {
                    !capability::allows_elicitation(&self.settings.capabilities, params, at)
                })
            {
                return Err("the server elicits in a mode that this client has not declared \
                            (capabilities.elicitation)"
                    .to_owned());
            }
            if method == method::ELICITATION
                && let Some(why) = self.refused_page(params)
            {
                return Err(format!("the server wants a page visited that is not safe: {why}"));
            }
            let params = params.map(Into::into);
            inputs.push(Input { name: name.into(), method: method.as_ref().into(), params });
        }
        Ok(inputs)
    }

    /// The answer of an input that needs no application, JSON text of an object.
    pub(super) fn own_answer(&self, input: &Input) -> Option<&str> {
        self.settings.roots.as_deref().filter(|_| &*input.method == method::ROOTS)
    }

    /// Hands one input to the application, or answers it.
    fn ask(&mut self, call: u64, index: usize, input: &Input, has_more: bool) {
        if let Some(answer) = self.own_answer(input).map(str::to_owned) {
            return self.rounds.answered(call, index, &answer);
        }
        let (origin, params) = (Origin::Input { call, index }, input.params.as_deref());
        let asked = Asked { name: input.name.clone(), has_more };
        let key = self.hand_on_request(origin, &input.method, params, Some(asked));
        self.rounds.asked(call, key);
    }

    /// The application refused an input: the server waits for nothing, so the call ends.
    pub(super) fn input_refused(&mut self, now: Instant, call: u64, why: &str) {
        let Some(name) = self.calls.get(call).map(|call| call.method.clone()) else { return };
        let error = Error::new(
            Status::Cancelled,
            name.as_ref(),
            format!("the server needs input for this call and the application refused it: {why}"),
        );
        self.complete(now, call, Err(error));
    }

    /// Sends the call again when every input has its answer.
    pub(super) fn next_round(&mut self, now: Instant, id: u64) {
        let Some(round) = self.rounds.take_complete(id) else { return };
        let deadline = self.calls.restart_time(now, id);
        let Some(stored) = self.calls.take_stored(id) else { return };
        self.guard_call(id, deadline);
        let Some(call) = self.calls.get(id) else { return };
        let params = round.params(&call.method, stored.view());
        self.log(Level::Debug, "request.input", || fields([("call", id.into())]));
        self.write_call(now, id, Some(params.view()), &stored.meta);
        self.calls.store(id, stored);
    }

    /// A call has ended: what it waited for is no longer wanted.
    pub(super) fn end_round(&mut self, id: u64) {
        for key in self.rounds.end(id).into_iter().chain(self.urls.end(id)) {
            self.requests.withdraw(key, self.settings.server_requests);
        }
    }
}

/// One thing that a server wants to know.
pub(super) struct Input {
    pub(super) name: Box<str>,
    pub(super) method: Box<str>,
    pub(super) params: Option<Box<str>>,
}
