//! Questions of handlers, on their way to the client.

use super::answering::Outcome;
use super::context::Refusal;
use super::effect::{Effect, Now, Outgone, RequestId, Sent, SessionId, Stream};
use super::incoming::failure;
use super::input::{self, Answer, Asked, Owner, Question};
use super::question_checks;
use super::requests::Request;
use super::router::Server;
use super::task_text::related;
use crate::engine::counters::Level;
use crate::json::{self, Kind};
use crate::protocol::params::ParamsBuf;
use crate::protocol::task::with_related;
use crate::protocol::{Era, error_code, method, write};

impl<H: Clone> Server<H> {
    /// A handler asks its client. See [`Asked`].
    pub fn ask(&mut self, number: RequestId, key: &str, name: &str, params: &str) -> Asked {
        let limits = (self.settings.limits.questions, self.settings.limits.input_rounds);
        let Some(request) = self.requests.get_mut(number) else { return Asked::Gone };
        let Some(name) = input::question_method(name) else {
            return Asked::Refused("a server may ask for sampling, elicitation and roots only".to_owned());
        };
        let may_ask = method::find(request.method).is_some_and(|row| row.may_ask);
        if !may_ask && request.context.era() == Era::Modern {
            return Asked::Refused("this method may not ask for input at this revision".to_owned());
        }
        let is_object = json::scan_value(params.as_bytes(), 64).is_ok_and(|value| value.kind == Kind::Object);
        if !is_object {
            return Asked::Refused("the parameters of a question must be a JSON object".to_owned());
        }
        if let Some(missing) = input::missing_capability(&request.context, name, params) {
            return Asked::Unsupported(missing);
        }
        let id = match question_checks::question(request.context.revision, name, params) {
            Ok(id) => id,
            Err(what) => return Asked::Refused(what),
        };
        let session = request.stream.session;
        let new_id = id.filter(|_| !request.questions.knows(key));
        let holder = self.sessions.holder(session);
        if let Some(id) = new_id.as_deref()
            && let Err(why) = self.elicitation_ids.may_add(session, &holder, id)
        {
            return Asked::Refused(why);
        }
        let question = Question { key: key.into(), method: name, params: params.into() };
        match request.questions.ask(question, limits.0, limits.1) {
            // What comes with a request of 2026-07-28 is seen here first: its question was not kept.
            Asked::Answered(Answer::Result(text)) => {
                let schema = question_checks::schema(name, params);
                match question_checks::answer(name, schema, &text) {
                    Ok(()) => Asked::Answered(Answer::Result(text)),
                    Err(failure) => Asked::Answered(Answer::Failed(failure)),
                }
            }
            asked => {
                if let (Asked::Pending, Some(id)) = (&asked, new_id) {
                    self.elicitation_ids.add(session, &holder, &id);
                }
                asked
            }
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
        self.requests.released(number);
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
        let failure = Outcome::Error { code, message: "internal error", data: None };
        let _it_is_there = self.respond(now, number, failure);
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
            // Before the confirmation of the handshake a server asks nothing (S-LC-05): it asks when that arrives. A client has as
            // long for that as for an answer.
            Era::Legacy
                if !self.sessions.is_silent(request.stream.session)
                    && !self.sessions.is_confirmed(request.stream.session) =>
            {
                let session = request.stream.session;
                let Some(request) = self.requests.get_mut(number) else { return };
                if request.questions.hold() {
                    let deadline = now.at + self.settings.timeouts.question;
                    self.sent.insert(session, Owner::Held(number), deadline);
                }
            }
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

    /// The session has confirmed its handshake: what its handlers asked before goes out.
    pub(super) fn send_held_questions(&mut self, now: Now, session: SessionId) {
        for number in self.requests.held_of_session(session) {
            self.sent.forget(number);
            self.send_questions(now, number);
        }
    }

    /// Legacy: each question is a request of ours, on the stream of the client's (S-CR-01, S-CR-02).
    fn send_questions(&mut self, now: Now, number: RequestId) {
        let deadline = now.at + self.settings.timeouts.question;
        let Some(request) = self.requests.get_mut(number) else { return };
        let session = request.stream.session;
        if self.sessions.is_silent(session) {
            return self.fail_questions(now, session, number, Silence::InputEnded);
        }
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
        self.send_last_progress(number, &request);
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
                        is_known: true,
                        has_run: true,
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

    /// Questions and calls whose time is over are withdrawn; who waits for them learns that there is no answer (S-CN-07).
    pub(super) fn end_overdue_questions(&mut self, now: Now) {
        while let Some(asked) = self.sent.overdue(now.at) {
            self.unanswered(now, asked, Silence::Overdue);
        }
    }

    /// The client of a session sends nothing more: what waits for its answers ends now, and what is asked from now on is not sent.
    pub fn input_ended(&mut self, now: Now, session: SessionId) {
        self.sessions.silence(session);
        while let Some(asked) = self.sent.of_session(session) {
            self.unanswered(now, asked, Silence::InputEnded);
        }
    }

    /// A question or a call has no answer.
    fn unanswered(&mut self, now: Now, asked: (u64, SessionId, Owner), why: Silence) {
        let (id, session, owner) = asked;
        let frame = write::cancelled(id, why.reason()).text;
        let (request, key) = match owner {
            Owner::Question(request, key) => (request, key),
            Owner::Held(request) => return self.fail_questions(now, session, request, why),
            Owner::Call { tag, method, .. } => {
                let to = Stream { session, number: 0 };
                self.effects.push_back(Effect::Send { to, frame, sent: Sent::Notification });
                let outcome = match why {
                    Silence::Overdue => Outgone::Overdue,
                    Silence::InputEnded => Outgone::SessionEnded,
                };
                self.effects.push_back(Effect::Called { call: id, tag, method, outcome });
                return;
            }
        };
        let Some(entry) = self.requests.get_mut(request) else { return };
        let to = entry.stream;
        let last =
            entry.questions.answered(&key, Answer::Failed(failure(&format!("the client {}", why.of_sent()))));
        self.effects.push_back(Effect::Send { to, frame, sent: Sent::Notification });
        self.record(
            Level::Warn,
            session,
            format!("no answer to the question '{key}': the client {}", why.of_sent()),
        );
        if last {
            self.run_again(now, request);
        }
    }

    /// What a handler wants to ask is not sent: the client did not confirm its handshake, or answers nothing more.
    fn fail_questions(&mut self, now: Now, session: SessionId, number: RequestId, why: Silence) {
        let Some(request) = self.requests.get_mut(number) else { return };
        let (mut last, said) = (false, why.of_held());
        for question in request.questions.send() {
            let failed = failure(&format!("the client {said}, so it was not asked"));
            last |= request.questions.answered(&question.key, Answer::Failed(failed));
        }
        let limit = match why {
            Silence::Overdue => {
                format!(" ({} ms, timeouts.question_ms)", self.settings.timeouts.question.as_millis())
            }
            Silence::InputEnded => String::new(),
        };
        let what = format!("'{}' was not asked anything: the client {said}{limit}", request.name);
        self.record(Level::Warn, session, what);
        if last {
            self.run_again(now, number);
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

/// Why a client answers nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Silence {
    Overdue,
    InputEnded,
}

impl Silence {
    /// What the client is told of a question that is withdrawn.
    fn reason(self) -> &'static str {
        match self {
            Silence::Overdue => "timeout",
            Silence::InputEnded => "the input has ended",
        }
    }

    /// What the client did with a question that it has.
    fn of_sent(self) -> &'static str {
        match self {
            Silence::Overdue => "did not answer in time",
            Silence::InputEnded => "has ended its input and answers nothing more",
        }
    }

    /// Why it was not asked.
    fn of_held(self) -> &'static str {
        match self {
            Silence::Overdue => "did not send 'notifications/initialized' in time",
            Silence::InputEnded => self.of_sent(),
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
