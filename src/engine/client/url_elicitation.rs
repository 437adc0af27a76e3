//! Pages that a server of 2025-11-25 wants a person to visit before it answers a call (`client/elicitation`, error -32042). The
//! application is asked for each as if the server had asked by a request of its own, and the call is sent again when all are
//! agreed to. A page that the application agreed to and the server names again is not done with yet: then the call waits for
//! the server to say so (`notifications/elicitation/complete`).

use super::counters::Level;
use super::exchanges::Spoken;
use super::input_required::MAX_ROUNDS;
use super::requests::Origin;
use super::status::{Error, Status};
use super::{Engine, fields};
use crate::json::{self, Kind};
use crate::protocol::{Revision, capability, error_code, method, page};
use std::collections::HashSet;
use std::time::Instant;

/// What became of one page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// The application is asked, by the request with this key.
    Asked(u64),
    /// It agreed, in this round.
    Accepted,
    /// It agreed before, and the server names it again.
    Awaited,
    /// The server says that it is done with.
    Done,
}

/// The pages that one call's server wants visited.
#[derive(Debug)]
pub(super) struct Visit {
    /// The server's own error, in case the application does not want to.
    refusal: Error,
    /// The pages of this round, by their `elicitationId`; none while the call is on the wire.
    pages: Vec<(Box<str>, Step)>,
    /// Those that the application agreed to, and those that are done with, in any round.
    accepted: HashSet<Box<str>>,
    done: HashSet<Box<str>>,
}

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
            // Who only watches a task cannot make it anew.
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
        let before = self.visits.remove(&id);
        let (accepted, done) = before.map(|visit| (visit.accepted, visit.done)).unwrap_or_default();
        let mut visit = Visit { refusal, pages: Vec::new(), accepted, done };
        for (index, (name, params)) in wanted.into_iter().enumerate() {
            let step = if visit.done.contains(&name) {
                Step::Done
            } else if visit.accepted.contains(&name) {
                Step::Awaited
            } else {
                // In the form of a request of the server.
                let origin = Origin::Page { call: id, index };
                Step::Asked(self.hand_on_request(origin, method::ELICITATION, Some(params)))
            };
            visit.pages.push((name, step));
        }
        self.visits.insert(id, visit);
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
        let Some(visit) = self.visits.get_mut(&call) else { return };
        if action != "accept" {
            let refusal = visit.refusal.clone().with("elicitation", action.as_ref());
            return self.complete(now, call, Err(refusal));
        }
        if let Some((name, step)) = visit.pages.get_mut(index) {
            *step = Step::Accepted;
            visit.accepted.insert(name.clone());
        }
        self.next_visit(now, call);
    }

    /// The server says that a page is done with. One that nobody waits for means nothing.
    pub(super) fn visited(&mut self, now: Instant, params: &str) {
        let Some(name) = json::member(params, "elicitationId").and_then(json::string) else { return };
        let mut calls: Vec<u64> = Vec::new();
        let mut keys: Vec<u64> = Vec::new();
        for (call, visit) in &mut self.visits {
            let page = visit.pages.iter_mut().find(|(known, _)| **known == *name);
            if page.is_none() && !visit.accepted.contains(name.as_ref()) {
                continue;
            }
            visit.done.insert(name.as_ref().into());
            if let Some((_, step)) = page {
                if let Step::Asked(key) = *step {
                    keys.push(key);
                }
                *step = Step::Done;
                calls.push(*call);
            }
        }
        for key in keys {
            self.requests.done(key, self.settings.server_requests);
        }
        calls.sort_unstable();
        for call in calls {
            self.next_visit(now, call);
        }
    }

    /// Sends the call again when there is nothing left to wait for.
    fn next_visit(&mut self, now: Instant, id: u64) {
        let Some(visit) = self.visits.get_mut(&id) else { return };
        let is_over = |step: &Step| matches!(step, Step::Accepted | Step::Done);
        if visit.pages.is_empty() || !visit.pages.iter().all(|(_, step)| is_over(step)) {
            return;
        }
        visit.pages.clear();
        let deadline = self.calls.restart_time(now, id);
        self.guard_call(id, deadline);
        self.log(Level::Debug, "request.input", || fields([("call", id.into())]));
        self.write_stored(id);
    }

    /// Whether a call waits for nothing but the server's word that a page is done with.
    pub(super) fn awaits_visit(&self, id: u64) -> bool {
        let pages = self.visits.get(&id).map(|visit| &visit.pages);
        pages.is_some_and(|pages| {
            pages.iter().any(|(_, step)| *step == Step::Awaited)
                && !pages.iter().any(|(_, step)| matches!(step, Step::Asked(_)))
        })
    }

    /// A call has ended: what it waited for is no longer wanted.
    pub(super) fn end_visit(&mut self, id: u64) {
        let Some(visit) = self.visits.remove(&id) else { return };
        for (_, step) in visit.pages {
            if let Step::Asked(key) = step {
                self.requests.withdraw(key, self.settings.server_requests);
            }
        }
    }
}
