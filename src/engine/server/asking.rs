//! Questions of handlers: on their way to the client, and what travels in `requestState`.

use super::answering::Outcome;
use super::context::{Context, Refusal};
use super::effect::{Effect, Now, Outgone, RequestId, Sent, Stream};
use super::incoming::{failure, wrong_shape};
use super::input::{self, Answer, Asked, Owner, Question, Questions};
use super::requests::Request;
use super::router::Server;
use super::task_text::related;
use crate::engine::counters::Level;
use crate::json::{self, Kind};
use crate::protocol::params::ParamsBuf;
use crate::protocol::task::with_related;
use crate::protocol::{Era, error_code, method, write};
use ring::digest::{Context as Digest, SHA256};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// One text for every reason against a state: who sent a forged one learns nothing (S-MR-04).
const BAD_STATE: &str = "'requestState' is not one of this server for this request, or it has expired";

impl<H: Clone> Server<H> {
    /// A handler asks its client. See [`Asked`].
    pub fn ask(&mut self, number: RequestId, key: &str, name: &str, params: &str) -> Asked {
        let limits = (self.settings.limits.questions, self.settings.limits.input_rounds);
        let Some(request) = self.requests.get_mut(number) else { return Asked::Gone };
        let Some(name) = input::question_method(name) else {
            return Asked::Refused("a server may ask for sampling, elicitation and roots only");
        };
        let may_ask = method::find(request.method).is_some_and(|row| row.may_ask);
        if !may_ask && request.context.era() == Era::Modern {
            return Asked::Refused("this method may not ask for input at this revision");
        }
        let is_object = json::scan_value(params.as_bytes(), 64).is_ok_and(|value| value.kind == Kind::Object);
        if !is_object {
            return Asked::Refused("the parameters of a question must be a JSON object");
        }
        if let Some(missing) = input::missing_capability(&request.context, name, params) {
            return Asked::Unsupported(missing);
        }
        let question = Question { key: key.into(), method: name, params: params.into() };
        match request.questions.ask(question, limits.0, limits.1) {
            // What comes with a request of 2026-07-28 is seen here first: its question was not kept.
            Asked::Answered(Answer::Result(text)) if !input::is_answer(name, &text) => {
                Asked::Answered(Answer::Failed(wrong_shape(name)))
            }
            asked => asked,
        }
    }

    /// Keeps text for the handler's next run.
    pub fn set_state(&mut self, number: RequestId, state: &str) -> bool {
        let Some(request) = self.requests.get_mut(number) else { return false };
        request.questions.set_state(state);
        true
    }

    /// What an earlier run of the handler kept.
    pub fn state(&self, number: RequestId) -> Option<&str> {
        self.requests.get(number)?.questions.state()
    }

    /// The application has freed a request without an answer. What it asked goes out; else the client is told that there is no
    /// answer.
    pub fn dropped(&mut self, now: Now, number: RequestId) {
        let Some(request) = self.requests.get(number) else { return };
        if request.questions.has_noted() {
            return self.returned(now, number);
        }
        if request.questions.is_waiting() {
            // Its handler runs again when the client has answered.
            return;
        }
        let session = request.stream.session;
        let what = format!("'{}': the application freed the request without an answer", request.name);
        self.record(Level::Error, session, what);
        let code = error_code::INTERNAL_ERROR;
        self.respond(now, number, Outcome::Error { code, message: "internal error", data: None });
    }

    /// Whether a request still waits for its answer.
    pub fn is_under_way(&self, number: RequestId) -> bool {
        self.requests.get(number).is_some()
    }

    /// The handler has returned without an answer. If it asked something, that goes out now; else it answers later.
    pub fn returned(&mut self, now: Now, number: RequestId) {
        let Some(request) = self.requests.get(number) else { return };
        if !request.questions.has_noted() {
            return;
        }
        match request.context.era() {
            Era::Legacy => self.send_questions(now, number),
            Era::Modern if request.task.is_some() => {
                // Its client finds them in the task, and answers with `tasks/update`.
                if let Some(request) = self.requests.get_mut(number) {
                    request.questions.send();
                }
            }
            Era::Modern => self.hand_over_questions(now, number),
        }
        self.task_waits(now, number, true);
    }

    /// Legacy: each question is a request of ours, on the stream of the client's (S-CR-01, S-CR-02).
    fn send_questions(&mut self, now: Now, number: RequestId) {
        let deadline = now.at + self.settings.timeouts.question;
        let Some(request) = self.requests.get_mut(number) else { return };
        let questions = request.questions.send();
        let Some(request) = self.requests.get(number) else { return };
        let (to, meta) = (self.stream_of(request), request.task.as_ref().map(related));
        for mut question in questions {
            if let Some(related) = &meta {
                question.params = with_related(&question.params, related).into();
            }
            let owner = Owner::Question(number, question.key.clone());
            let id = self.sent.insert(to.session, owner, deadline);
            let params = ParamsBuf::written(question.method, question.params);
            let frame = write::request(id, question.method, Some(params.view()), "").text;
            self.effects.push_back(Effect::Send { to, frame, sent: Sent::Request });
        }
    }

    /// 2026-07-28: the request is answered with the questions, and comes again with the answers (S-MR-02, S-MR-08).
    fn hand_over_questions(&mut self, now: Now, number: RequestId) {
        let Some(mut request) = self.requests.remove(number) else { return };
        let asked = input_requests(&request.questions.hand_over());
        let mut result = format!("{{\"resultType\":\"input_required\",\"inputRequests\":{asked}");
        if let Some(state) = self.state_text(now, &request) {
            match state {
                Ok(sealed) => {
                    result.push_str(",\"requestState\":");
                    json::quote_into(&sealed, &mut result);
                }
                Err(what) => {
                    let session = request.stream.session;
                    let refusal = Refusal::new(error_code::INTERNAL_ERROR, "internal error");
                    self.refuse(request.stream, Some(&request.id), &refusal);
                    self.effects.push_back(Effect::Withdrawn {
                        request: number,
                        why: super::effect::Withdrawn::Cancelled,
                    });
                    self.discard(Some(request.handler));
                    return self.record(Level::Error, session, format!("'{}': {what}", request.name));
                }
            }
        }
        result.push('}');
        // An `input_required` result is never cacheable: no method is named (S-MR-11).
        self.result(request.stream, &request.id, Some((&request.context, "")), &result);
        self.discard(Some(request.handler));
    }

    /// The sealed state of a request; `None` if there is nothing to keep (S-MR-13).
    fn state_text(&mut self, now: Now, request: &Request<H>) -> Option<Result<String, &'static str>> {
        let questions = &request.questions;
        if questions.state().is_none() && questions.answers().is_empty() {
            return None;
        }
        let answers: Map<String, Value> = questions
            .answers()
            .iter()
            .map(|(key, answer)| {
                let (good, text) = match answer {
                    Answer::Result(text) => (true, text),
                    Answer::Failed(text) => (false, text),
                };
                (key.to_string(), json!([good, &**text]))
            })
            .collect();
        let expiry = now.unix + self.settings.timeouts.request_state.as_secs();
        let kept = json!({
            "expiry": expiry, "state": questions.state(), "answers": answers, "rounds": questions.rounds() + 1,
        });
        let bound = binding(&request.context, request.method, &request.params, &self.settings.audience);
        let Some(sealed) = self.keys.seal(kept.to_string().as_bytes(), &bound) else {
            return Some(Err("there is no randomness to seal the request's state with"));
        };
        if sealed.len() > self.settings.limits.request_state {
            return Some(Err("the request's state is larger than it may be"));
        }
        Some(Ok(sealed))
    }

    /// The questions of a request that has just arrived: of one that comes again, with what its client answered and what was kept.
    ///
    /// # Errors
    /// A state that this server did not seal for this request, has expired or was used; answers of the wrong shape.
    pub(super) fn resumed(
        &mut self,
        now: Now,
        context: &Context,
        name: &'static str,
        about: &str,
        params: &str,
    ) -> Result<Questions, Refusal> {
        let may_ask = method::find(name).is_some_and(|row| row.may_ask);
        if context.era() == Era::Legacy || !may_ask {
            return Ok(Questions::default());
        }
        let (mut answers, mut state, mut rounds) = (BTreeMap::new(), None, 0);
        if let Some(sealed) = json::member(params, "requestState") {
            let bad = || Refusal::params(BAD_STATE);
            let sealed = json::string(sealed).ok_or_else(bad)?;
            if sealed.len() > self.settings.limits.request_state {
                return Err(bad());
            }
            let bound = binding(context, name, params, &self.settings.audience);
            let kept = self.keys.open(&sealed, &bound).ok_or_else(bad)?;
            let kept: Kept = read_kept(&kept).ok_or_else(bad)?;
            if kept.expiry < now.unix
                || kept.state.is_some() && !self.spent.spend(&sealed, kept.expiry, now.unix)
            {
                return Err(bad());
            }
            (answers, state, rounds) = (kept.answers, kept.state, kept.rounds);
        }
        if let Some(responses) = json::member(params, "inputResponses") {
            if json::kind(responses) != Some(Kind::Object) {
                return Err(Refusal::params("'inputResponses' must be an object"));
            }
            rounds = rounds.max(1);
            for (key, response) in json::members(responses) {
                let key = json::string(&format!("\"{key}\"")).unwrap_or_default().into_owned();
                if json::kind(response) != Some(Kind::Object) {
                    let text = format!("the answer '{key}' to '{about}' must be an object");
                    return Err(Refusal::params(text));
                }
                if answers.len() < self.settings.limits.questions * 2 {
                    answers.insert(key.into(), Answer::Result(response.into()));
                }
            }
        }
        Ok(Questions::resumed(answers, state, rounds))
    }

    /// Questions and calls whose time is over are withdrawn; who waits for them learns that there is no answer (S-CN-07).
    pub(super) fn end_overdue_questions(&mut self, now: Now) {
        while let Some((id, session, owner)) = self.sent.overdue(now.at) {
            let frame = write::cancelled(id, "timeout").text;
            let (request, key) = match owner {
                Owner::Question(request, key) => (request, key),
                Owner::Call { tag, method } => {
                    let to = Stream { session, number: 0 };
                    self.effects.push_back(Effect::Send { to, frame, sent: Sent::Notification });
                    let outcome = Outgone::Overdue;
                    self.effects.push_back(Effect::Called { call: id, tag, method, outcome });
                    continue;
                }
            };
            let Some(entry) = self.requests.get_mut(request) else { continue };
            let to = entry.stream;
            let last =
                entry.questions.answered(&key, Answer::Failed(failure("the client did not answer in time")));
            self.effects.push_back(Effect::Send { to, frame, sent: Sent::Notification });
            self.record(
                Level::Warn,
                session,
                format!("a client did not answer the question '{key}' in time"),
            );
            if last {
                self.run_again(now, request);
            }
        }
    }

    /// A request is over: its open questions are withdrawn.
    pub(super) fn forget_questions(&mut self, number: RequestId, request: &Request<H>) {
        for id in self.sent.forget(number) {
            if self.sessions.is_open(request.stream.session) {
                let frame = write::cancelled(id, "the request is over").text;
                self.effects.push_back(Effect::Send { to: request.stream, frame, sent: Sent::Notification });
            }
        }
    }
}

/// Questions as the modern era writes them: by their keys.
pub(super) fn input_requests<'a>(questions: impl IntoIterator<Item = &'a Question>) -> String {
    let mut asked = String::from("{");
    for question in questions {
        if asked.len() > 1 {
            asked.push(',');
        }
        json::quote_into(&question.key, &mut asked);
        asked.push_str(":{\"method\":\"");
        asked.push_str(question.method);
        asked.push_str("\",\"params\":");
        asked.push_str(&question.params);
        asked.push('}');
    }
    asked.push('}');
    asked
}

/// What a sealed state holds.
struct Kept {
    expiry: u64,
    state: Option<Box<str>>,
    answers: BTreeMap<Box<str>, Answer>,
    rounds: u32,
}

fn read_kept(text: &[u8]) -> Option<Kept> {
    let kept: Value = serde_json::from_slice(text).ok()?;
    let mut answers = BTreeMap::new();
    for (key, answer) in kept.get("answers")?.as_object()? {
        let text = answer.get(1)?.as_str()?;
        let answer =
            if answer.get(0)?.as_bool()? { Answer::Result(text.into()) } else { Answer::Failed(text.into()) };
        answers.insert(key.as_str().into(), answer);
    }
    Some(Kept {
        expiry: kept.get("expiry")?.as_u64()?,
        state: kept.get("state")?.as_str().map(Into::into),
        answers,
        rounds: u32::try_from(kept.get("rounds")?.as_u64()?).ok()?,
    })
}

/// What a state is good for: this revision, method, name and arguments, and this server (S-MR-05, S-MR-07). The members that
/// differ between a request and its retry are left out.
fn binding(context: &Context, name: &str, params: &str, audience: &str) -> Vec<u8> {
    let mut digest = Digest::new(&SHA256);
    let mut add = |part: &str| {
        // The length in front keeps two parts from reading as one.
        digest.update(&(part.len() as u64).to_be_bytes());
        digest.update(part.as_bytes());
    };
    add(context.revision.as_str());
    add(audience);
    add(name);
    for member in ["name", "uri", "arguments"] {
        let mut written = String::new();
        if let Some(value) = json::member(params, member) {
            json::canonical_into(value, &mut written);
        }
        add(&written);
    }
    digest.finish().as_ref().to_vec()
}
