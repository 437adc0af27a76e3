//! Pages that a server of 2025-11-25 wants a person to visit before it answers a call (`client/elicitation`, error -32042). The
//! application is asked for each as if the server had asked by a request of its own, and the call is sent again when all are
//! agreed to. A page that the application agreed to and the server names again is not done with yet: then the call waits for
//! the server to say so (`notifications/elicitation/complete`).

use super::counters::Level;
use super::elicited_urls::PageDone;
use super::exchanges::Spoken;
use super::input_required::MAX_ROUNDS;
use super::requests::Origin;
use super::status::{Error, Status};
use super::{Engine, fields};
use crate::json::{self, Kind};
use crate::protocol::{Revision, capability, error_code, method, page};
use std::time::Instant;

/// One elicitation of the error's data: its id and itself.
type Wanted<'a> = (Box<str>, &'a str);

impl<T> Engine<T> {
    /// Whether this server may want pages visited, and the application is for it.
    pub(super) fn may_want_visits(&self) -> bool {
        self.revision() == Some(Revision::V2025_11_25)
            && !self.settings.capabilities.is_empty()
            && capability::allows_elicitation(
                &self.settings.capabilities,
                Some(r#"{"mode":"url"}"#),
                Revision::V2025_11_25,
            )
    }

    /// Why the page of an elicitation's parameters is not to be shown, if it asks for one.
    pub(super) fn refused_page(&self, params: Option<&str>) -> Option<String> {
        let url = page::of(params).filter(|_| !self.settings.any_page)?;
        url.map_or_else(|| Some("there is no URL".to_owned()), |url| page::unsafe_page(&url))
    }

    /// A call was refused: asks the application for the pages that have to be visited first.
    ///
    /// # Errors
    /// It is another error, or nothing can be done about it; then why, if that is worth telling.
    pub(super) fn wants_visits(
        &mut self,
        now: Instant,
        id: u64,
        spoken: &Spoken,
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
            let origin = Origin::Page { call: id, index };
            let key = self.hand_on_request(origin, method::ELICITATION, pages.get(index).copied(), None);
            self.urls.asked(id, index, key);
        }
        self.next_visit(now, id);
        Ok(())
    }

    /// Checks every elicitation before any is handed on.
    fn read_wanted<'a>(&self, data: &'a str) -> Result<Vec<Wanted<'a>>, String> {
        let listed = Some(data)
            .filter(|data| json::kind(data) == Some(Kind::Object))
            .and_then(|data| json::member(data, "elicitations"))
            .filter(|listed| json::kind(listed) == Some(Kind::Array))
            .ok_or("the error names no elicitations")?;
        let mut wanted: Vec<Wanted<'a>> = Vec::new();
        for params in json::elements(listed) {
            let is_object = json::kind(params) == Some(Kind::Object);
            let id =
                is_object.then(|| json::member(params, "elicitationId").and_then(json::string)).flatten();
            let (Some(id), Some(_)) = (id, page::of(Some(params))) else {
                return Err(
                    "an elicitation of the error has no elicitationId, or is not of mode url".to_owned()
                );
            };
            if let Some(why) = self.refused_page(Some(params)) {
                return Err(format!("a page that the server wants visited is not safe: {why}"));
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
    pub(super) fn page_answered(&mut self, now: Instant, call: u64, index: usize, answer: &str) {
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
    pub(super) fn visited(&mut self, now: Instant, params: &str) {
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
