//! Calls whose servers need input of the application before they answer. To the application it is one call with one outcome, and
//! what it is asked looks like a request of the server.
//!
//! 2026-07-28 `basic/patterns/mrtr`: a server answers a call with what it needs to know, and the call is sent again with the
//! answers.
//!
//! 2025-11-25 `client/elicitation`, error -32042: a server names pages that a person must visit before it answers a call, and the
//! call is sent again when the application has agreed to all. A page that it agreed to and the server names again is not done with
//! yet: then the call waits for the server to say so (`notifications/elicitation/complete`).
//!
//! The files:
//!
//! * `rounds`: parts: `InputRounds`, `ElicitedUrls`

pub(super) mod rounds;

use crate::engine::client::Engine;
use crate::engine::client::effect::RequestedInput;
use crate::engine::client::exchanges::RpcError;
use crate::engine::client::input::rounds::PageDone;
use crate::engine::client::server_requests::pending::RequestOrigin;
use crate::engine::{Error, Level, Status, excerpt, fields};
use crate::json::{self, Kind};
use crate::protocol::{Era, Revision, address, capability, error_code, lenient, method};
use std::time::Instant;

/// How often one call may be asked for input.
pub(crate) const MAX_ROUNDS: u32 = 8;

/// Whether a server may answer `method` with a request for input.
pub(crate) fn may_ask(name: &str) -> bool {
    method::find(name).is_some_and(|method| method.may_ask)
}

impl<T> Engine<T> {
    /// Whether a call's request is kept because its server may ask for input, or for nothing but to be called again with a
    /// state, which takes no capability.
    pub(crate) fn may_be_asked(&self) -> bool {
        self.revision().is_some_and(|revision| revision.era() == Era::Modern) || self.may_want_visits()
    }

    /// A call was answered with a request for input. `result` is the result's text.
    ///
    /// # Errors
    /// What ends the call: the server may not ask this, or asks too often.
    pub(crate) fn input_required(&mut self, now: Instant, id: u64, result: &str) -> Result<(), Error> {
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
        let asked = lenient::object(result, "inputRequests");
        let state =
            json::member(result, "requestState").filter(|state| json::kind(state) == Some(Kind::String));
        if asked.is_none_or(lenient::is_empty) && state.is_none() {
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

    /// Checks every input before any goes to the application.
    pub(crate) fn read_inputs(&self, asked: &str) -> Result<Vec<InputRequest>, String> {
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
            let params = lenient::object(request, "params");
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
                return Err(format!("the server asks for a page that is not safe to visit: {why}"));
            }
            let params = params.map(Into::into);
            inputs.push(InputRequest { name: name.into(), method: method.as_ref().into(), params });
        }
        Ok(inputs)
    }

    /// The answer of an input that needs no application, JSON text of an object.
    pub(crate) fn own_answer(&self, input: &InputRequest) -> Option<&str> {
        self.settings.roots.as_deref().filter(|_| &*input.method == method::ROOTS)
    }

    /// Passes one input to the application, or answers it.
    fn ask(&mut self, call: u64, index: usize, input: &InputRequest, has_more: bool) {
        if let Some(answer) = self.own_answer(input).map(str::to_owned) {
            return self.rounds.answered(call, index, &answer);
        }
        let (origin, params) = (RequestOrigin::Input { call, index }, input.params.as_deref());
        let asked = RequestedInput { name: input.name.clone(), has_more };
        let key = self.deliver_request(origin, &input.method, params, Some(asked));
        self.rounds.asked(call, key);
    }

    /// The application refused an input: the server waits for nothing, so the call ends.
    pub(crate) fn input_refused(&mut self, now: Instant, call: u64, why: &str) {
        let Some(name) = self.calls.get(call).map(|call| call.method.clone()) else { return };
        let error = Error::new(
            Status::Cancelled,
            name.as_ref(),
            format!("the server needs input for this call and the application refused it: {why}"),
        );
        self.complete(now, call, Err(error));
    }

    /// Sends the call again when every input has its answer.
    pub(crate) fn next_round(&mut self, now: Instant, id: u64) {
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

    /// A call has ended: withdraws what the application was asked for it.
    pub(crate) fn end_round(&mut self, id: u64) {
        for key in self.rounds.end(id).into_iter().chain(self.urls.end(id)) {
            self.requests.withdraw(key, self.settings.server_requests);
        }
    }
}

/// One request for input.
pub(crate) struct InputRequest {
    pub(crate) name: Box<str>,
    pub(crate) method: Box<str>,
    pub(crate) params: Option<Box<str>>,
}

/// One elicitation of the error's data: its id and itself.
type ElicitedPage<'a> = (Box<str>, &'a str);

impl<T> Engine<T> {
    /// Whether this server may ask for page visits, and the client declared elicitation by URL.
    fn may_want_visits(&self) -> bool {
        self.revision() == Some(Revision::V2025_11_25)
            && !self.settings.capabilities.is_empty()
            && capability::allows_elicitation(
                &self.settings.capabilities,
                Some(r#"{"mode":"url"}"#),
                Revision::V2025_11_25,
            )
    }

    /// Why the page of an elicitation's parameters is not to be shown, if it asks for one.
    pub(crate) fn refused_page(&self, params: Option<&str>) -> Option<String> {
        let url = address::elicited_url(params).filter(|_| !self.settings.any_page)?;
        url.map_or_else(|| Some("the URL is missing".to_owned()), |url| address::unsafe_page(&url))
    }

    /// A call was refused: asks the application for the pages that have to be visited first.
    ///
    /// # Errors
    /// It is another error, or nothing can be done about it; then why, if that is worth telling.
    pub(crate) fn ask_for_visits(
        &mut self,
        now: Instant,
        id: u64,
        spoken: &RpcError,
        http: Option<u16>,
    ) -> Result<(), Option<String>> {
        if spoken.code != error_code::URL_ELICITATION_REQUIRED || !self.may_want_visits() {
            return Err(None);
        }
        let Some(call) = self.calls.get(id).filter(|call| call.stored.is_some()) else { return Err(None) };
        if self.tasks.holds(id) && call.method == method::TASKS_RESULT {
            // A call that only watches a task cannot make it again.
            return Err(None);
        }
        if call.rounds >= MAX_ROUNDS {
            return Err(Some(format!("the server wanted pages visited {MAX_ROUNDS} times for one call")));
        }
        let name = call.method.clone();
        let wanted = self.read_wanted(spoken.data.as_deref().unwrap_or("{}")).map_err(Some)?;
        let mut refusal = Error::new(Status::Server, name.as_ref(), spoken.message.as_str());
        refusal.code = Some(spoken.code);
        refusal.data.clone_from(&spoken.data);
        if let Some(status) = http {
            refusal = refusal.with("http_status", status);
        }
        // The task that came to this is over; what is sent again may become another one.
        self.end_task(id);
        let deadline = self.calls.await_input(id);
        self.guard_call(id, deadline);
        let (names, pages): (Vec<_>, Vec<_>) = wanted.into_iter().unzip();
        for index in self.urls.begin(id, refusal, names) {
            // In the form of a request of the server.
            let origin = RequestOrigin::Page { call: id, index };
            let key = self.deliver_request(origin, method::ELICITATION, pages.get(index).copied(), None);
            self.urls.asked(id, index, key);
        }
        self.next_visit(now, id);
        Ok(())
    }

    /// Checks every elicitation before any goes to the application.
    fn read_wanted<'a>(&self, data: &'a str) -> Result<Vec<ElicitedPage<'a>>, String> {
        let listed = Some(data)
            .filter(|data| json::kind(data) == Some(Kind::Object))
            .and_then(|data| json::member(data, "elicitations"))
            .filter(|listed| json::kind(listed) == Some(Kind::Array))
            .ok_or("the error names no elicitations")?;
        let mut wanted: Vec<ElicitedPage<'a>> = Vec::new();
        for params in json::elements(listed) {
            let is_object = json::kind(params) == Some(Kind::Object);
            let id =
                is_object.then(|| json::member(params, "elicitationId").and_then(json::string)).flatten();
            let (Some(id), Some(_)) = (id, address::elicited_url(Some(params))) else {
                return Err(
                    "an elicitation of the error has no elicitationId, or is not of mode url".to_owned()
                );
            };
            if let Some(why) = self.refused_page(Some(params)) {
                return Err(format!("the server names a page that is not safe to visit: {why}"));
            }
            if wanted.iter().any(|(known, _)| **known == *id) {
                continue;
            }
            if wanted.len() >= self.settings.server_requests {
                return Err("the server wants more pages visited at once than limits.server_requests allows"
                    .to_owned());
            }
            wanted.push((id.as_ref().into(), params));
        }
        if wanted.is_empty() { Err("the error names no elicitations".to_owned()) } else { Ok(wanted) }
    }

    /// The application answered for one page. What it does not agree to leaves the call with the server's refusal.
    pub(crate) fn page_answered(&mut self, now: Instant, call: u64, index: usize, answer: &str) {
        let action = json::member(answer, "action").and_then(json::string).unwrap_or_default();
        let Some(refusal) = self.urls.refusal(call) else { return };
        if action != "accept" {
            let refusal = refusal.clone().with("elicitation", action.as_ref());
            return self.complete(now, call, Err(refusal));
        }
        self.urls.accepted(call, index);
        self.next_visit(now, call);
    }

    /// The server says that a page is done with. One that no call waits for means nothing.
    pub(crate) fn visited(&mut self, now: Instant, params: &str) {
        let Some(name) = json::member(params, "elicitationId").and_then(json::string) else { return };
        let PageDone { calls, keys } = self.urls.done(&name);
        for key in keys {
            self.requests.done(key, self.settings.server_requests);
        }
        for call in calls {
            self.next_visit(now, call);
        }
    }

    /// Sends the call again when there is nothing left to wait for.
    fn next_visit(&mut self, now: Instant, id: u64) {
        if !self.urls.take_complete(id) {
            return;
        }
        let deadline = self.calls.restart_time(now, id);
        self.guard_call(id, deadline);
        self.log(Level::Debug, "request.input", || fields([("call", id.into())]));
        self.write_stored(now, id);
    }
}
