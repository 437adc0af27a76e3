//! What the application says of a request: its answer, progress, log messages. And how requests end without one.

use super::context::{Context, Refusal};
use super::dispatch::not_found;
use super::effect::{Effect, Now, RequestId, Sent, Stream, Withdrawn};
use super::requests::Request;
use super::results::{self, Modern};
use super::router::Server;
use super::schema_checks::check_output;
use super::settings::Severity;
use super::wire_id::WireId;
use crate::engine::counters::Level;
use crate::json::{self, Kind};
use crate::protocol::params::ParamsBuf;
use crate::protocol::{Era, Revision, error_code, method, write};
use std::fmt::Write as _;

/// How the application answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome<'a> {
    /// A result: a JSON object.
    Result(&'a str),
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
}

impl<H: Clone> Server<H> {
    /// Answers a request. The first answer counts (S-JR-01, S-RB-03).
    pub fn respond(&mut self, number: RequestId, outcome: Outcome<'_>) -> Responded {
        let Some(request) = self.requests.remove(number) else {
            self.counters.late += 1;
            return Responded::Late;
        };
        self.forget_questions(number, &request);
        let wrong = match outcome {
            Outcome::Result(result) => match self.checked(&request, result) {
                Ok(()) => {
                    // The answer to a retry is never cacheable: it is named by no method (S-MR-11).
                    let name = if request.questions.rounds() > 0 { "" } else { request.method };
                    self.result(request.stream, &request.id, Some((&request.context, name)), result);
                    None
                }
                Err(what) => Some(what),
            },
            Outcome::Failure(text) if request.method == method::TOOLS_CALL => {
                let result = results::tool_error(text);
                self.result(request.stream, &request.id, Some((&request.context, request.method)), &result);
                None
            }
            Outcome::Failure(text) => Some(text.to_owned()),
            Outcome::NotFound if request.method == method::RESOURCES_READ => {
                let refusal = not_found(&request.context, &request.name);
                self.refuse(request.stream, Some(&request.id), &refusal);
                None
            }
            Outcome::NotFound => {
                let refusal = Refusal::params(format!("there is no '{}'", request.name));
                self.refuse(request.stream, Some(&request.id), &refusal);
                None
            }
            Outcome::Error { code, message, data } => match error_of(&request.context, code, message, data) {
                Ok(refusal) => {
                    self.refuse(request.stream, Some(&request.id), &refusal);
                    None
                }
                Err(what) => Some(what),
            },
        };
        let responded = match wrong {
            None => Responded::Sent,
            Some(what) => {
                // What went wrong inside is for the log of the server, not for its client (S-JR-08).
                let refusal = Refusal::new(error_code::INTERNAL_ERROR, "internal error");
                self.refuse(request.stream, Some(&request.id), &refusal);
                self.record(Level::Error, request.stream.session, format!("'{}': {what}", request.name));
                Responded::Wrong(what)
            }
        };
        self.discard(Some(request.handler));
        responded
    }

    /// Reports progress of a request (S-PG-01 to S-PG-04). `false` if the client did not ask for any, the value does not rise, or
    /// the request is over.
    pub fn progress(
        &mut self,
        number: RequestId,
        value: f64,
        total: Option<f64>,
        message: Option<&str>,
    ) -> bool {
        let Some(request) = self.requests.get(number) else { return false };
        let (to, revision) = (request.stream, request.context.revision);
        let Some(token) = request.context.progress.clone() else { return false };
        if !self.requests.advance(number, value) {
            return false;
        }
        let mut params = format!("{{\"progressToken\":{token},\"progress\":{value}");
        if let Some(total) = total.filter(|total| total.is_finite()) {
            // Writing to a string cannot fail.
            let _ = write!(params, ",\"total\":{total}");
        }
        if let Some(message) = message.filter(|_| revision >= Revision::V2025_03_26) {
            params.push_str(",\"message\":");
            json::quote_into(message, &mut params);
        }
        params.push('}');
        self.notify(to, method::PROGRESS, &params);
        true
    }

    /// Sends a log message that belongs to a request, if its client wants messages of that severity (S-LG-01 to S-LG-03). `data`
    /// is JSON text. `false` if it is not sent.
    pub fn log(&mut self, number: RequestId, severity: Severity, logger: Option<&str>, data: &str) -> bool {
        let Some(request) = self.requests.get(number) else { return false };
        let wanted = request.context.severity.is_some_and(|least| severity >= least);
        if !wanted || !self.settings.announced.logging {
            return false;
        }
        let to = request.stream;
        self.notify(to, method::LOG, &log_params(severity, logger, data));
        true
    }

    /// A request is no longer wanted: it gets no answer, and its handler is told (S-CN-01).
    pub(super) fn withdraw(&mut self, number: RequestId, why: Withdrawn) {
        if let Some(request) = self.requests.remove(number) {
            self.forget_questions(number, &request);
            self.effects.push_back(Effect::Withdrawn { request: number, why });
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
                self.refuse(to, Some(&id), &Refusal::new(error_code::INTERNAL_ERROR, text));
            }
            self.withdraw(number, Withdrawn::Deadline);
        }
    }

    /// Whether `result` is what the method and the tool promise (S-TL-06, S-TL-08, S-RS-02).
    fn checked(&self, request: &Request<H>, result: &str) -> Result<(), String> {
        let value = json::scan_value(result.as_bytes(), self.settings.limits.depth)
            .map_err(|error| format!("the result is not JSON: {error}"))?;
        if value.kind != Kind::Object {
            return Err(format!("the result is {}, and must be an object", value.kind));
        }
        let member = |name: &str| json::member(result, name);
        let kind = |name: &str| member(name).and_then(json::kind);
        match request.method {
            method::TOOLS_CALL => {
                if kind("content") != Some(Kind::Array) {
                    return Err("the result of a tool must have an array 'content'".to_owned());
                }
                let failed = member("isError") == Some("true");
                if failed || !self.settings.check_results {
                    return Ok(());
                }
                match &request.output {
                    Some(output) => check_output(output, member("structuredContent")),
                    None => Ok(()),
                }
            }
            method::RESOURCES_READ => match member("contents").and_then(json::count) {
                Some(1..) if kind("contents") == Some(Kind::Array) => Ok(()),
                _ => {
                    Err("the result of reading a resource must have 'contents' that are not empty".to_owned())
                }
            },
            method::PROMPTS_GET if kind("messages") != Some(Kind::Array) => {
                Err("the result of a prompt must have an array 'messages'".to_owned())
            }
            method::COMPLETE if kind("completion") != Some(Kind::Object) => {
                Err("the result of a completion must have an object 'completion'".to_owned())
            }
            _ => Ok(()),
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
        let cacheable =
            name == method::DISCOVER || method::find(name).is_some_and(|row| row.kept_until.is_some());
        let modern = Modern {
            result_type: "complete",
            info: self.settings.name_in_results.then_some(self.settings.info.as_str()),
            caching: cacheable.then_some(self.settings.caching),
        };
        write::result_with(id.text(), |out| results::write(context, result, &modern, out)).text
    }

    /// Sends a notification whose parameters are JSON text.
    pub(super) fn notify(&mut self, to: Stream, name: &'static str, params: &str) {
        let params = ParamsBuf::written(name, params);
        let frame = write::notification(name, Some(params.view())).text;
        self.effects.push_back(Effect::Send { to, frame, sent: Sent::Notification });
    }
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

/// An error of the application's, if it may be sent at that revision (S-JR-06, S-JR-07).
fn error_of(context: &Context, code: i64, message: &str, data: Option<&str>) -> Result<Refusal, String> {
    let modern = context.era() == Era::Modern;
    let is_reserved = (-32099..=-32020).contains(&code) && code != error_code::MISSING_CLIENT_CAPABILITY
        || matches!(code, -32002 | -32042);
    if modern && is_reserved {
        return Err(format!("the error code {code} may not be sent at {}", context.revision));
    }
    if let Some(data) = data {
        json::scan_value(data.as_bytes(), 64).map_err(|error| format!("the error's data: {error}"))?;
    }
    Ok(Refusal { code, message: message.to_owned(), data: data.map(str::to_owned) })
}
