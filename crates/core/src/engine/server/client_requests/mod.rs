//! What a server asks its clients: the questions of handlers, and the calls and notifications of the application.
//!
//! The files:
//!
//! * `questions`: parts: `RequestQuestions`, `OutstandingRequests` and `ElicitationIds`. What a server may ask, and the shape of answers
//! * `checks`: the parameters of a question, and the answers that fit
//! * `state`: `requestState`: sealed, opened, and used once (part: `ReplayGuard`)

pub(super) mod checks;
pub(super) mod questions;
pub(super) mod state;

use super::Server;
use super::effect::{ClientCallOutcome, Effect, Now, OutgoingKind, RequestId, SessionId, Stream, Withdrawn};
use super::notifications::own_stream;
use super::requests::PendingRequest;
use super::requests::answers::Outcome;
use super::session::context::ErrorResponse;
use super::tasks::table::related;
use crate::engine::counters::Level;
use crate::engine::telemetry::Failure;
use crate::engine::{Error, Status};
use crate::json;
use crate::json::Kind;
use crate::protocol::params::ParamsBuf;
use crate::protocol::task::with_related;
use crate::protocol::{Era, error_code, meta, method, write};
use questions::{
    Answer, AnswerWaiter, AskOutcome, ClientQuestion, failure, missing_capability, question_method,
};
use std::time::Duration;

impl<H: Clone> Server<H> {
    /// Whether the client of a request has a capability (`sampling`, `elicitation.url`) or an extension, the name of which has a slash.
    /// Of what a server may ask for it is whether it would be asked. `None` when the request is over.
    pub fn client_has(&self, number: RequestId, name: &str) -> Option<bool> {
        let context = &self.requests.get(number)?.context;
        let may_ask = |method, params| missing_capability(context, method, params).is_none();
        Some(match name {
            _ if name.contains('/') => context.has_extension(name),
            "sampling" => may_ask(method::SAMPLING, "{}"),
            "sampling.tools" => may_ask(method::SAMPLING, "{\"tools\":[]}"),
            "sampling.context" => may_ask(method::SAMPLING, "{\"includeContext\":\"thisServer\"}"),
            "elicitation" => {
                may_ask(method::ELICITATION, "{}") || may_ask(method::ELICITATION, "{\"mode\":\"url\"}")
            }
            "elicitation.form" => may_ask(method::ELICITATION, "{}"),
            "elicitation.url" => may_ask(method::ELICITATION, "{\"mode\":\"url\"}"),
            "roots" => may_ask(method::ROOTS, "{}"),
            _ => match name.split_once('.') {
                Some((outer, inner)) => context.can(outer, Some(inner)),
                None => context.can(name, None),
            },
        })
    }

    /// A handler asks its client. See [`AskOutcome`].
    pub fn ask(&mut self, number: RequestId, key: &str, name: &str, params: &str) -> AskOutcome {
        let limits = (self.settings.limits.questions, self.settings.limits.input_rounds);
        let Some(request) = self.requests.get_mut(number) else { return AskOutcome::Gone };
        let Some(name) = questions::question_method(name) else {
            return AskOutcome::Refused(
                "a server cannot ask this; allowed: sampling/createMessage, elicitation/create, roots/list"
                    .to_owned(),
            );
        };
        let may_ask = method::find(request.method).is_some_and(|row| row.may_ask);
        if !may_ask && request.context.era() == Era::Modern {
            return AskOutcome::Refused("this method may not ask for input at this revision".to_owned());
        }
        let is_object = json::scan_value(params.as_bytes(), 64).is_ok_and(|value| value.kind == Kind::Object);
        if !is_object {
            return AskOutcome::Refused("the parameters of a question must be a JSON object".to_owned());
        }
        if let Some(missing) = questions::missing_capability(&request.context, name, params) {
            return AskOutcome::Unsupported(missing);
        }
        let id = match checks::check_question(request.context.revision, name, params) {
            Ok(id) => id,
            Err(what) => return AskOutcome::Refused(what),
        };
        let session = request.stream.session;
        let new_id = id.filter(|_| !request.questions.knows(key));
        let holder = self.sessions.holder(session);
        if let Some(id) = new_id.as_deref()
            && let Err(why) = self.elicitation_ids.may_add(session, &holder, id)
        {
            return AskOutcome::Refused(why);
        }
        let question = ClientQuestion { key: key.into(), method: name, params: params.into() };
        match request.questions.ask(question, limits.0, limits.1) {
            // What comes with a request of 2026-07-28 is seen here first: its question was not kept.
            AskOutcome::Answered(Answer::Result(text)) => {
                let schema = checks::answer_schema(name, params);
                match checks::check_answer(name, schema, &text) {
                    Ok(()) => AskOutcome::Answered(Answer::Result(text)),
                    Err(failure) => AskOutcome::Answered(Answer::Failed(failure)),
                }
            }
            asked => {
                if let (AskOutcome::Pending, Some(id)) = (&asked, new_id) {
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
                    self.outstanding.insert(session, AnswerWaiter::Held(number), deadline);
                }
            }
            Era::Legacy => self.send_questions(now, number),
            Era::Modern if request.task.is_some() => {
                // Its client finds them in the task, and answers with `tasks/update`.
                if let Some(request) = self.requests.get_mut(number) {
                    request.questions.send();
                }
            }
            Era::Modern => self.answer_with_questions(now, number),
        }
        self.task_waits(now, number, true);
    }

    /// The session has confirmed its handshake: what its handlers asked before goes out.
    pub(super) fn send_held_questions(&mut self, now: Now, session: SessionId) {
        for number in self.requests.held_of_session(session) {
            self.outstanding.forget(number);
            self.send_questions(now, number);
        }
    }

    /// Legacy: each question is a request of ours, on the stream of the client's (S-CR-01, S-CR-02).
    fn send_questions(&mut self, now: Now, number: RequestId) {
        let deadline = now.at + self.settings.timeouts.question;
        let Some(request) = self.requests.get_mut(number) else { return };
        let session = request.stream.session;
        if self.sessions.is_silent(session) {
            return self.fail_questions(now, session, number, NoAnswer::InputEnded);
        }
        let questions = request.questions.send();
        let Some(request) = self.requests.get(number) else { return };
        let (to, meta) = (self.stream_of(request), request.task.as_ref().map(related));
        // The request of a task was answered, and its span is over.
        let within = request.task.is_none().then(|| (request.stream, request.id.clone()));
        for mut question in questions {
            if let Some(related) = &meta {
                question.params = with_related(&question.params, related).into();
            }
            let owner = AnswerWaiter::Question(number, question.key.clone());
            let id = self.outstanding.insert(to.session, owner, deadline);
            let asked = (question.method, &*question.params);
            let within = within.as_ref().map(|(stream, id)| (*stream, id));
            if let Some(traced) = self.begin_asked(now, (to.session, id), asked, within) {
                question.params = traced.into();
            }
            let params = ParamsBuf::written(question.method, question.params);
            let frame = write::request(id, question.method, Some(params.view()), "").text;
            self.effects.push_back(Effect::Send { to, frame, sent: OutgoingKind::Request });
        }
    }

    /// 2026-07-28: the request is answered with the questions, and comes again with the answers (S-MR-02, S-MR-08).
    fn answer_with_questions(&mut self, now: Now, number: RequestId) {
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
                    let refusal = ErrorResponse::new(error_code::INTERNAL_ERROR, "internal error");
                    self.refuse(request.stream, Some(&request.id), &refusal);
                    self.effects.push_back(Effect::Withdrawn {
                        is_known: true,
                        has_run: true,
                        request: number,
                        why: Withdrawn::Cancelled,
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
        while let Some(asked) = self.outstanding.overdue(now.at) {
            self.unanswered(now, asked, NoAnswer::Overdue);
        }
    }

    /// The client of a session sends nothing more: what waits for its answers ends now, and what is asked from now on is not sent.
    pub fn input_ended(&mut self, now: Now, session: SessionId) {
        self.sessions.silence(session);
        while let Some(asked) = self.outstanding.of_session(session) {
            self.unanswered(now, asked, NoAnswer::InputEnded);
        }
    }

    /// A question or a call has no answer.
    fn unanswered(&mut self, now: Now, asked: (u64, SessionId, AnswerWaiter), why: NoAnswer) {
        let (id, session, owner) = asked;
        let ended = match why {
            NoAnswer::Overdue => "timeout",
            NoAnswer::InputEnded => "transport",
        };
        self.end_asked(session, id, Some(Failure::named(ended)));
        let frame = write::cancelled(id, why.reason()).text;
        let (request, key) = match owner {
            AnswerWaiter::Question(request, key) => (request, key),
            AnswerWaiter::Held(request) => return self.fail_questions(now, session, request, why),
            AnswerWaiter::Call { tag, method, .. } => {
                let to = Stream { session, number: 0 };
                self.effects.push_back(Effect::Send { to, frame, sent: OutgoingKind::Notification });
                let outcome = match why {
                    NoAnswer::Overdue => ClientCallOutcome::Overdue,
                    NoAnswer::InputEnded => ClientCallOutcome::SessionEnded,
                };
                self.effects.push_back(Effect::Called { call: id, tag, method, outcome });
                return;
            }
        };
        let Some(entry) = self.requests.get_mut(request) else { return };
        let to = entry.stream;
        let last =
            entry.questions.answered(&key, Answer::Failed(failure(&format!("the client {}", why.of_sent()))));
        self.effects.push_back(Effect::Send { to, frame, sent: OutgoingKind::Notification });
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
    fn fail_questions(&mut self, now: Now, session: SessionId, number: RequestId, why: NoAnswer) {
        let Some(request) = self.requests.get_mut(number) else { return };
        let (mut last, said) = (false, why.of_held());
        for question in request.questions.send() {
            let failed = failure(&format!("the client {said}, so it was not asked"));
            last |= request.questions.answered(&question.key, Answer::Failed(failed));
        }
        let limit = match why {
            NoAnswer::Overdue => {
                format!(" ({} ms, timeouts.question_ms)", self.settings.timeouts.question.as_millis())
            }
            NoAnswer::InputEnded => String::new(),
        };
        let what = format!("'{}' was not asked anything: the client {said}{limit}", request.name);
        self.record(Level::Warn, session, what);
        if last {
            self.run_again(now, number);
        }
    }

    /// A request is over: its open questions are withdrawn.
    pub(super) fn forget_questions(&mut self, number: RequestId, request: &PendingRequest<H>) {
        for id in self.outstanding.forget(number) {
            self.end_asked(request.stream.session, id, Some(Failure::named("cancelled")));
            if self.sessions.is_open(request.stream.session) {
                let frame = write::cancelled(id, "the request is over").text;
                self.effects.push_back(Effect::Send {
                    to: request.stream,
                    frame,
                    sent: OutgoingKind::Notification,
                });
            }
        }
    }
}

/// Why a client answers nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NoAnswer {
    Overdue,
    InputEnded,
}

impl NoAnswer {
    /// What the client is told of a question that is withdrawn.
    fn reason(self) -> &'static str {
        match self {
            NoAnswer::Overdue => "timeout",
            NoAnswer::InputEnded => "the input has ended",
        }
    }

    /// What the client did with a question that it has.
    fn of_sent(self) -> &'static str {
        match self {
            NoAnswer::Overdue => "did not answer in time",
            NoAnswer::InputEnded => "has ended its input and answers nothing more",
        }
    }

    /// Why it was not asked.
    fn of_held(self) -> &'static str {
        match self {
            NoAnswer::Overdue => "did not send 'notifications/initialized' in time",
            NoAnswer::InputEnded => self.of_sent(),
        }
    }
}

/// Questions as the modern era writes them: by their keys.
pub fn input_requests<'a>(questions: impl IntoIterator<Item = &'a ClientQuestion>) -> String {
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

/// The notifications that the library sends where they are due.
const OWN: [(&str, &str); 8] = [
    (method::CANCELLED, "the library sends it"),
    (method::PROGRESS, "use mcp_request_progress()"),
    (method::LOG, "use mcp_server_log() or mcp_request_log()"),
    (method::TOOLS_CHANGED, "the library sends it when a tool is added or removed"),
    (method::RESOURCES_CHANGED, "the library sends it when a resource is added or removed"),
    (method::PROMPTS_CHANGED, "the library sends it when a prompt is added or removed"),
    (method::RESOURCE_UPDATED, "use mcp_server_resource_updated()"),
    (method::ACKNOWLEDGED, "the library sends it"),
];

/// Whether an application may send a notification with that name.
pub fn may_notify(name: &str) -> bool {
    name.starts_with("notifications/") && !OWN.iter().any(|(own, _)| *own == name)
}

impl<H: Clone> Server<H> {
    /// Calls a client: `ping`, `roots/list`, `sampling/createMessage` or `elicitation/create`. `Ok` gives the number of the call,
    /// and one [`Effect::Called`] with the tag follows.
    ///
    /// # Errors
    /// `UNAVAILABLE` when there is no such session; `UNSUPPORTED` at a session of 2026-07-28, or for what the client does not
    /// declare; `BACKPRESSURE`; `INVALID_ARGUMENT`.
    pub fn call(
        &mut self,
        now: Now,
        session: SessionId,
        name: &str,
        params: &str,
        tag: u64,
        timeout: Option<Duration>,
    ) -> Result<u64, Error> {
        let refused = |status, what: String| Err(Error::new(status, "server_call", what));
        if !self.sessions.is_open(session) {
            return refused(Status::Unavailable, format!("there is no session {}", session.0));
        }
        let Some(context) = self.sessions.context(session, None) else {
            let what = "the client has not initialized the session; in revision 2026-07-28 a server asks with mcp_request_ask()";
            return refused(Status::Unsupported, what.to_owned());
        };
        let name = match question_method(name) {
            Some(name) => name,
            None if name == method::PING => method::PING,
            None => {
                let what = format!(
                    "a server cannot send '{name}'; allowed: ping, roots/list, sampling/createMessage, elicitation/create"
                );
                return refused(Status::InvalidArgument, what);
            }
        };
        let depth = self.settings.limits.depth;
        match json::scan_value(params.as_bytes(), depth) {
            Ok(value) if value.kind == Kind::Object => {}
            _ => return refused(Status::InvalidArgument, "params_json must be a JSON object".to_owned()),
        }
        if let Some(missing) = missing_capability(&context, name, params) {
            let error = Error::new(
                Status::Unsupported,
                "server_call",
                format!("the client does not say that it can answer '{name}'"),
            );
            return Err(error
                .with("missing", serde_json::from_str::<serde_json::Value>(&missing).unwrap_or_default()));
        }
        let wrong = |what| Error::new(Status::InvalidArgument, "server_call", format!("'{name}': {what}"));
        let elicitation_id = checks::check_question(context.revision, name, params).map_err(wrong)?;
        let holder = self.sessions.holder(session);
        if let Some(id) = elicitation_id.as_deref()
            && let Err(why) = self.elicitation_ids.may_add(session, &holder, id)
        {
            return refused(Status::InvalidArgument, why);
        }
        if name != method::PING && !self.sessions.is_confirmed(session) {
            // S-LC-05.
            let what =
                "the client has not sent 'notifications/initialized' yet: until then only ping may be called";
            return refused(Status::Unavailable, what.to_owned());
        }
        if self.sessions.is_silent(session) {
            let what = "the client has ended its input: it answers nothing more";
            return refused(Status::Unavailable, what.to_owned());
        }
        let most = self.settings.limits.requests_per_session;
        if self.outstanding.calls_of(session) >= most {
            let what = format!("{most} calls of this session wait for answers (limits.session_requests)");
            return refused(Status::Backpressure, what);
        }
        let deadline = now.at + timeout.unwrap_or(self.settings.timeouts.question);
        let schema = checks::answer_schema(name, params).map(Into::into);
        let id = self.outstanding.insert(session, AnswerWaiter::Call { tag, method: name, schema }, deadline);
        if let Some(elicitation) = elicitation_id {
            self.elicitation_ids.add(session, &holder, &elicitation);
        }
        let traced = self.begin_asked(now, (session, id), (name, params), None);
        let params = ParamsBuf::written(name, traced.as_deref().unwrap_or(params));
        let frame = write::request(id, name, Some(params.view()), "").text;
        let to = Stream { session, number: 0 };
        self.effects.push_back(Effect::Send { to, frame, sent: OutgoingKind::Request });
        Ok(id)
    }

    /// Sends a notification of an extension to one session of the legacy era, or to all of them and to the streams of
    /// 2026-07-28 that asked for it (S-SU-03). Gives how many get it.
    ///
    /// # Errors
    /// `UNAVAILABLE` when there is no such session; `INVALID_ARGUMENT` for what the library sends itself.
    pub fn notify_sessions(
        &mut self,
        session: Option<SessionId>,
        name: &str,
        params: &str,
    ) -> Result<usize, Error> {
        let refused = |status, what: String| Err(Error::new(status, "server_notify", what));
        if let Some((_, instead)) = OWN.iter().find(|(own, _)| *own == name) {
            return refused(Status::InvalidArgument, format!("'{name}' cannot be sent: {instead}"));
        }
        if !name.starts_with("notifications/") && method::find(name).is_some() || name.is_empty() {
            return refused(Status::InvalidArgument, format!("'{name}' is not a notification"));
        }
        let depth = self.settings.limits.depth;
        match json::scan_value(params.as_bytes(), depth) {
            Ok(value) if value.kind == Kind::Object => {}
            _ => return refused(Status::InvalidArgument, "params_json must be a JSON object".to_owned()),
        }
        let sessions = match session {
            None => self.sessions.confirmed(),
            Some(one) if self.sessions.is_confirmed(one) => vec![one],
            Some(one) => {
                return refused(Status::Unavailable, format!("there is no initialized session {}", one.0));
            }
        };
        for session in &sessions {
            self.notify(own_stream(*session), name.to_owned(), params);
        }
        let mut listening = Vec::new();
        if session.is_none() {
            let notices = &self.settings.extension_notices;
            let members: Vec<&str> = notices
                .iter()
                .filter(|(_, method)| ***method == *name)
                .map(|(member, _)| &**member)
                .collect();
            listening = self.listens.of_extension(&members);
        }
        for (to, id) in &listening {
            self.notify(*to, name.to_owned(), &meta::with(params, meta::SUBSCRIPTION_ID, id.text()));
        }
        Ok(sessions.len() + listening.len())
    }

    /// A client answered a call.
    pub(super) fn call_answered(
        &mut self,
        id: u64,
        tag: u64,
        name: &'static str,
        schema: Option<&str>,
        outcome: Result<&str, String>,
    ) {
        let is_good = |result| name == method::PING || checks::check_answer(name, schema, result).is_ok();
        let outcome = match outcome {
            Ok(result) if is_good(result) => ClientCallOutcome::Result(result.into()),
            Ok(_) => ClientCallOutcome::Malformed,
            Err(error) => ClientCallOutcome::Error(error.into()),
        };
        self.effects.push_back(Effect::Called { call: id, tag, method: name, outcome });
    }

    /// The calls of a session that has ended have no answer.
    pub(super) fn end_calls(&mut self, session: SessionId) {
        for (call, tag, method) in self.outstanding.end_calls(session) {
            let outcome = ClientCallOutcome::SessionEnded;
            self.effects.push_back(Effect::Called { call, tag, method, outcome });
        }
    }
}
