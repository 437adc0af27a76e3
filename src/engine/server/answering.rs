//! What the application answers, and how requests end without an answer.

use super::checking;
use super::context::{Context, Refusal};
use super::dispatch::not_found;
use super::effect::{Effect, Now, RequestId, Sent, Stream, Withdrawn};
use super::requests::Request;
use super::results::{self, Modern};
use super::router::Server;
use super::schema_checks::{ArgumentVerdict, ResultCheck, ResultVerdict};
use super::settings::Severity;
use super::wire_id::WireId;
use crate::engine::counters::Level;
use crate::json;
use crate::protocol::params::ParamsBuf;
use crate::protocol::{Era, error_code, method, write};
use std::borrow::Cow;

/// How the application answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome<'a> {
    /// A result: a JSON object.
    Result(&'a str),
    /// The result of a tool that is one block of text: the text.
    Text(&'a str),
    /// The work of a tool failed: the text is for the model. For other methods it is an internal error.
    Failure(&'a str),
    /// What was asked for does not exist, or must look so.
    NotFound,
    /// A JSON-RPC error; `data` is JSON text.
    Error {
        /// `error.code`.
        code: i64,
        /// `error.message`.
        message: &'a str,
        /// `error.data`.
        data: Option<&'a str>,
    },
}

/// What became of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Responded {
    /// It is on its way.
    Sent,
    /// The request was over: answered, withdrawn, or never there. No harm.
    Late,
    /// It is not what the method or the tool promises. The client got an internal error; this is for the log.
    Wrong(String),
    /// Nothing yet. The result is to be checked first: run the check without holding the engine, and call
    /// `Server::respond_checked` with the verdict.
    Check(ResultCheck),
}

impl<H: Clone> Server<H> {
    /// Answers a request. The first answer counts (S-JR-01, S-RB-03).
    #[must_use = "a result may have to be checked before it goes out"]
    pub fn respond(&mut self, now: Now, number: RequestId, outcome: Outcome<'_>) -> Responded {
        if matches!(outcome, Outcome::Result(_))
            && self.settings.check_results
            && let Some(output) = self.requests.get(number).and_then(|request| request.output.clone())
        {
            return Responded::Check(ResultCheck(output));
        }
        self.conclude(now, number, outcome, None)
    }

    /// Answers a request with a result that was checked.
    pub fn respond_checked(
        &mut self,
        now: Now,
        number: RequestId,
        result: &str,
        verdict: ResultVerdict,
    ) -> Responded {
        self.conclude(now, number, Outcome::Result(result), Some(verdict))
    }

    fn conclude(
        &mut self,
        now: Now,
        number: RequestId,
        outcome: Outcome<'_>,
        verdict: Option<ResultVerdict>,
    ) -> Responded {
        let Some(request) = self.requests.remove(number) else {
            self.counters.late += 1;
            return Responded::Late;
        };
        if let Some(begun) = request.begun {
            self.timing.handling.record(now.at.saturating_duration_since(begun));
        }
        self.forget_questions(number, &request);
        self.send_last_progress(number, &request);
        let wrong = match outcome {
            Outcome::Result(result) => self.respond_with(now, &request, result, verdict).err(),
            Outcome::Text(text) => self.respond_with_text(now, &request, text).err(),
            Outcome::Failure(text) if request.method == method::TOOLS_CALL => {
                self.give(now, &request, request.method, &results::tool_error(text));
                None
            }
            Outcome::Failure(text) => Some(text.to_owned()),
            Outcome::NotFound if request.method == method::RESOURCES_READ => {
                self.fail(now, &request, &not_found(&request.context, &request.name));
                None
            }
            Outcome::NotFound => {
                self.fail(now, &request, &Refusal::params(format!("there is no '{}'", request.name)));
                None
            }
            Outcome::Error { code, message, data } => {
                match checking::error(&request.context, code, message, data) {
                    Ok(refusal) => {
                        self.fail(now, &request, &refusal);
                        None
                    }
                    Err(what) => Some(what),
                }
            }
        };
        let responded = match wrong {
            None => Responded::Sent,
            Some(what) => {
                // What went wrong inside is for the log of the server, not for its client (S-JR-08).
                self.fail(now, &request, &Refusal::new(error_code::INTERNAL_ERROR, "internal error"));
                self.record(Level::Error, request.stream.session, format!("'{}': {what}", request.name));
                Responded::Wrong(what)
            }
        };
        self.discard(Some(request.handler));
        responded
    }

    /// Answers with a result.
    ///
    /// # Errors
    /// What is wrong with it. Nothing was sent then.
    pub(super) fn respond_with(
        &mut self,
        now: Now,
        request: &Request<H>,
        result: &str,
        verdict: Option<ResultVerdict>,
    ) -> Result<(), String> {
        let checked = checking::result(request, result, verdict, &self.settings)?;
        let result = checked.text.as_deref().unwrap_or(result);
        if let Some(note) = &checked.note {
            let text = format!("'{}': {note}", request.name);
            self.record(Level::Warn, request.stream.session, text);
        }
        let is_retry = request.questions.rounds() > 0 && request.context.era() == Era::Modern;
        if is_retry && is_cacheable(request.method) {
            // The hints of such a method must be there, and the answer to a retry may not be kept (S-MR-11, `server/utilities/caching`).
            let mut text = Vec::new();
            json::splice_into(result, &[("ttlMs", "0"), ("cacheScope", "\"private\"")], &mut text);
            self.give(now, request, request.method, json::utf8(&text));
            return Ok(());
        }
        self.give(now, request, request.method, result);
        Ok(())
    }

    /// The result of a request goes to its client, or to the task that it has become.
    fn give(&mut self, now: Now, request: &Request<H>, name: &str, result: &str) {
        match &request.task {
            Some(task) => self.task_result(now, task, &request.context, result),
            None => self.result(request.stream, &request.id, Some((&request.context, name)), result),
        }
    }

    /// The same for an error.
    fn fail(&mut self, now: Now, request: &Request<H>, refusal: &Refusal) {
        match &request.task {
            Some(task) => self.task_error(now, task, refusal),
            None => self.refuse(request.stream, Some(&request.id), refusal),
        }
    }

    /// The arguments of a request were checked. Whether its handler may run: not if they are wrong, and then the client is told
    /// (S-TL-09), or if the request was withdrawn meanwhile.
    pub fn arguments_checked(&mut self, now: Now, number: RequestId, verdict: ArgumentVerdict) -> bool {
        let Some(request) = self.requests.get_mut(number) else { return false };
        request.check = None;
        let Some(what) = verdict.0 else {
            self.counters.runs += 1;
            return true;
        };
        let text = format!("The arguments of the tool '{}' are wrong: {what}.", request.name);
        let _it_was_there = self.respond(now, number, Outcome::Failure(&text));
        false
    }

    /// A request is no longer wanted: it gets no answer, and its handler is told (S-CN-01).
    pub(super) fn withdraw(&mut self, number: RequestId, why: Withdrawn) {
        if let Some(request) = self.requests.remove(number) {
            self.forget_questions(number, &request);
            let _not_wanted_any_more = self.pacing.last(request.stream.session, number);
            let was_put_back = self.line.forget_put_back(request.holder, number);
            let (is_known, has_run) = (request.check.is_none() && !was_put_back, request.questions.has_run());
            self.effects.push_back(Effect::Withdrawn { request: number, why, is_known, has_run });
            self.discard(Some(request.handler));
        }
    }

    /// Requests whose time is over get an error, and their handlers are told (S-RB-08).
    pub(super) fn end_overdue_requests(&mut self, now: Now) {
        while let Some(number) = self.requests.overdue(now.at) {
            self.counters.overdue += 1;
            if let Some(request) = self.requests.get(number) {
                let (to, id) = (request.stream, request.id.clone());
                let text = "the server did not finish the request in the time it has";
                self.send_waiting_progress(number);
                self.refuse(to, Some(&id), &Refusal::new(error_code::INTERNAL_ERROR, text));
            }
            self.withdraw(number, Withdrawn::Deadline);
        }
    }

    /// The answer to a request: the result as it is in the legacy era and before the era is known, with what the modern era adds
    /// else. The method of `context` says whether the result may be kept.
    pub(super) fn result_frame(
        &self,
        id: &WireId,
        context: Option<(&Context, &str)>,
        result: &str,
    ) -> Vec<u8> {
        let modern = context.filter(|(context, _)| context.era() == Era::Modern);
        let Some((context, name)) = modern else { return write::result(id.text(), result).text };
        let modern = Modern {
            result_type: "complete",
            info: self.settings.name_in_results.then_some(self.settings.info.as_str()),
            caching: is_cacheable(name).then_some(self.settings.caching),
            is_private: self.reader(context.principal.as_deref(), name).is_asked(),
        };
        write::result_with(id.text(), result.len() + 128, |out| results::write(context, result, &modern, out))
            .text
    }

    /// Sends a notification whose parameters are JSON text.
    pub(super) fn notify(&mut self, to: Stream, name: impl Into<Cow<'static, str>>, params: &str) {
        let name = name.into();
        let params = ParamsBuf::written(&name, params);
        let frame = write::notification(name, Some(params.view())).text;
        self.effects.push_back(Effect::Send { to, frame, sent: Sent::Notification });
    }
}

/// Whether results of a method have hints for caches (S-CA-01).
fn is_cacheable(name: &str) -> bool {
    matches!(name, method::DISCOVER | method::SKILLS_LIST | method::SKILLS_GET)
        || method::find(name).is_some_and(|row| row.kept_until.is_some())
}

/// The parameters of `notifications/message`.
pub(super) fn log_params(severity: Severity, logger: Option<&str>, data: &str) -> String {
    let mut params = format!("{{\"level\":\"{}\"", severity.as_str());
    if let Some(logger) = logger {
        params.push_str(",\"logger\":");
        json::quote_into(logger, &mut params);
    }
    params.push_str(",\"data\":");
    params.push_str(data);
    params.push('}');
    params
}
