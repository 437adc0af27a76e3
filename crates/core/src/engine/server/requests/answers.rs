//! What the application answers, results as text, and how requests end without an answer.

use super::checks::{ArgumentVerdict, ResultCheck, ResultVerdict};
use super::dispatch::not_found;
use super::params::WireId;
use super::{PendingRequest, checks};
use crate::engine::counters::Level;
use crate::engine::server::Server;
use crate::engine::server::client_requests::questions::ClaimStep;
use crate::engine::server::client_requests::state::{bad_state, store_is_away};
use crate::engine::server::effect::{Claimed, Effect, Now, OutgoingKind, RequestId, Withdrawn};
use crate::engine::server::session::context::{ErrorResponse, RequestContext};
use crate::engine::server::settings::Caching;
use crate::engine::telemetry::Failure;
use crate::json;
use crate::protocol::{Era, error_code, meta, method, write};
use base64::Engine as _;
use std::time::Duration;

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
                self.give(now, &request, request.method, &tool_error(text));
                None
            }
            Outcome::Failure(text) => Some(text.to_owned()),
            Outcome::NotFound if request.method == method::RESOURCES_READ => {
                self.fail(now, &request, &not_found(&request.context, &request.name));
                None
            }
            Outcome::NotFound => {
                self.fail(now, &request, &ErrorResponse::params(format!("there is no '{}'", request.name)));
                None
            }
            Outcome::Error { code, message, data } => {
                #[cfg(feature = "draft")]
                let checked = self.rate_limited(&request.context, code, message, data);
                #[cfg(not(feature = "draft"))]
                let checked = None;
                match checked.unwrap_or_else(|| checks::check_error(&request.context, code, message, data)) {
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
                self.fail(now, &request, &ErrorResponse::new(error_code::INTERNAL_ERROR, "internal error"));
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
    fn respond_with(
        &mut self,
        now: Now,
        request: &PendingRequest<H>,
        result: &str,
        verdict: Option<ResultVerdict>,
    ) -> Result<(), String> {
        let checked = checks::check_result(request, result, verdict, &self.settings)?;
        let result = checked.text.as_deref().unwrap_or(result);
        #[cfg(feature = "draft")]
        let result = self.with_digest(&request.context, request.method, &request.name, result);
        #[cfg(feature = "draft")]
        let result = &*result;
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
    fn give(&mut self, now: Now, request: &PendingRequest<H>, name: &str, result: &str) {
        match &request.task {
            Some(task) => self.task_result(now, task, &request.context, result),
            None => self.result(request.stream, &request.id, Some((&request.context, name)), result),
        }
    }

    /// The same for an error.
    fn fail(&mut self, now: Now, request: &PendingRequest<H>, refusal: &ErrorResponse) {
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

    /// The store has said whether the state of a request was used before. Only if it was not, its handler runs.
    pub fn claimed(&mut self, now: Now, number: RequestId, said: Claimed) {
        let Some(request) = self.requests.get_mut(number) else { return };
        let ClaimStep::Asked { expiry } = request.claim else { return };
        let refusal = match said {
            // By the clock of the store, which is that of all processes, and by this one: a store whose clock has jumped ahead, and back, forgets
            // uses of states that are over.
            Claimed::Granted(unix) if unix.max(now.unix) <= expiry => {
                request.claim = ClaimStep::None;
                return self.run(number);
            }
            Claimed::Granted(_) | Claimed::Refused => bad_state(),
            Claimed::Unavailable => store_is_away(),
            Claimed::Unknown => ErrorResponse::new(
                error_code::INTERNAL_ERROR,
                "the store did not say in time whether 'requestState' was used: send the request without it",
            ),
        };
        let Some(request) = self.requests.remove(number) else { return };
        self.forget_questions(number, &request);
        self.fail(now, &request, &refusal);
        self.discard(Some(request.handler));
    }

    /// A request is no longer wanted: it gets no answer, and its handler is told (S-CN-01).
    pub(in crate::engine::server) fn withdraw(&mut self, number: RequestId, why: Withdrawn) {
        if let Some(request) = self.requests.remove(number) {
            if self.spans.is_some() && request.task.is_none() {
                self.end_span(request.stream, &request.id, Some(Failure::named("cancelled")));
            }
            self.forget_questions(number, &request);
            let _not_wanted_any_more = self.rate_limits.last(request.stream.session, number);
            let was_put_back = self.queue.forget_put_back(request.holder, number);
            let (is_known, has_run) = (
                request.check.is_none() && request.claim.is_done() && !was_put_back,
                request.questions.has_run(),
            );
            self.effects.push_back(Effect::Withdrawn { request: number, why, is_known, has_run });
            self.discard(Some(request.handler));
        }
    }

    /// Requests whose time is over get an error, and their handlers are told (S-RB-08).
    pub(in crate::engine::server) fn end_overdue_requests(&mut self, now: Now) {
        while let Some(number) = self.requests.overdue(now.at) {
            self.counters.overdue += 1;
            if let Some(request) = self.requests.get(number) {
                let (to, id) = (request.stream, request.id.clone());
                let text = "the server did not finish the request in the time it has";
                self.send_waiting_progress(number);
                self.refuse(to, Some(&id), &ErrorResponse::new(error_code::INTERNAL_ERROR, text));
            }
            self.withdraw(number, Withdrawn::Deadline);
        }
    }

    /// The answer to a request: the result as it is in the legacy era and before the era is known, with what the modern era adds
    /// else. The method of `context` says whether the result may be kept.
    pub(in crate::engine::server) fn result_frame(
        &self,
        id: &WireId,
        context: Option<(&RequestContext, &str)>,
        result: &str,
    ) -> Vec<u8> {
        let modern = context.filter(|(context, _)| context.era() == Era::Modern);
        let Some((context, name)) = modern else { return write::result(id.text(), result).text };
        #[cfg(feature = "draft")]
        let result = &*self.with_language(context, result);
        let modern = ModernMembers {
            result_type: "complete",
            info: self.settings.name_in_results.then_some(self.settings.info.as_str()),
            caching: is_cacheable(name).then_some(self.settings.caching),
            is_private: self.reader(context.principal.as_deref(), name).is_asked(),
        };
        write::result_with(id.text(), result.len() + 128, |out| write_result(context, result, &modern, out))
            .text
    }
}

/// Whether results of a method have hints for caches (S-CA-01).
fn is_cacheable(name: &str) -> bool {
    matches!(name, method::DISCOVER | method::SKILLS_LIST | method::SKILLS_GET)
        || method::find(name).is_some_and(|row| row.kept_until.is_some())
}

impl<H: Clone> Server<H> {
    /// Answers with one block of text.
    ///
    /// # Errors
    /// What the method or the tool promises and a text is not. Nothing was sent then.
    fn respond_with_text(&mut self, now: Now, request: &PendingRequest<H>, text: &str) -> Result<(), String> {
        let is_promised = request.output.is_some() && self.settings.check_results;
        #[cfg(feature = "draft")]
        let is_promised = is_promised || self.settings.draft.is_any();
        if is_promised || request.task.is_some() || request.method != method::TOOLS_CALL {
            return self.respond_with(now, request, &tool_text(text), None);
        }
        let is_modern = request.context.era() == Era::Modern;
        let info = Some(self.settings.info.as_str()).filter(|_| self.settings.name_in_results);
        let room = if is_modern { 80 + info.map_or(0, str::len) } else { 0 };
        let frame = write::text_result(request.id.text(), text, room, |out| {
            if !is_modern {
                return;
            }
            out.extend_from_slice(b",\"resultType\":\"complete\"");
            if let Some(info) = info {
                out.extend_from_slice(b",\"");
                out.extend_from_slice(meta::META.as_bytes());
                out.extend_from_slice(b"\":{\"");
                out.extend_from_slice(meta::SERVER_INFO.as_bytes());
                out.extend_from_slice(b"\":");
                json::one_line_into(info, out);
                out.push(b'}');
            }
        });
        self.counters.results += 1;
        if self.spans.is_some() {
            self.end_span(request.stream, &request.id, None);
        }
        let (to, frame) = (request.stream, frame.text);
        self.effects.push_back(Effect::Send { to, frame, sent: OutgoingKind::Answer(None) });
        Ok(())
    }
}

/// The result of reading a resource whose text does not change.
pub fn fixed_text(uri: &str, definition: &str, text: &str) -> String {
    contents_result(uri, definition, "text", &json::quote(text))
}

/// The same for bytes.
pub fn fixed_blob(uri: &str, definition: &str, bytes: &[u8]) -> String {
    let blob = base64::engine::general_purpose::STANDARD.encode(bytes);
    contents_result(uri, definition, "blob", &json::quote(&blob))
}

/// The result of reading a resource that a file is: text where it is UTF-8, else its bytes. `definition` says the MIME type.
pub fn contents_of(uri: &str, definition: &str, bytes: &[u8]) -> String {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => fixed_text(uri, definition, text),
        Err(_) => fixed_blob(uri, definition, bytes),
    }
}

fn contents_result(uri: &str, definition: &str, member: &str, value: &str) -> String {
    let mut result = String::from("{\"contents\":[{\"uri\":");
    json::quote_into(uri, &mut result);
    if let Some(mime) = json::member(definition, "mimeType") {
        result.push_str(",\"mimeType\":");
        result.push_str(mime);
    }
    result.push_str(",\"");
    result.push_str(member);
    result.push_str("\":");
    result.push_str(value);
    result.push_str("}]}");
    result
}

/// The result of a tool that is one block of text.
pub fn tool_text(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 48);
    result.push_str("{\"content\":[{\"type\":\"text\",\"text\":");
    json::quote_into(text, &mut result);
    result.push_str("}]}");
    result
}

/// The result of a tool whose work failed, with a text that a model can use.
pub fn tool_error(text: &str) -> String {
    let mut result = String::from("{\"content\":[{\"type\":\"text\",\"text\":");
    json::quote_into(text, &mut result);
    result.push_str("}],\"isError\":true}");
    result
}

/// What the modern era adds to a result: its type, who the server is, how long it may be kept.
pub struct ModernMembers<'a> {
    /// `resultType`, where the result has none of its own.
    pub result_type: &'a str,
    /// `serverInfo`, a JSON object.
    pub info: Option<&'a str>,
    /// The hints for caches, where the method has them (S-CA-01).
    pub caching: Option<Caching>,
    /// Whether it is for its reader only, whatever the hints and the handler say: others may not have the scopes for it.
    pub is_private: bool,
}

/// Appends `result` (a checked JSON object) as the era of `context` wants it.
pub fn write_result(context: &RequestContext, result: &str, modern: &ModernMembers<'_>, out: &mut Vec<u8>) {
    if context.era() == Era::Legacy {
        json::one_line_into(result, out);
        return;
    }
    let mut add: Vec<(&str, &str)> = Vec::with_capacity(4);
    let result_type = json::quote(modern.result_type);
    if json::member(result, "resultType").is_none() {
        add.push(("resultType", &result_type));
    }
    let ttl = modern.caching.map(|caching| caching.ttl_ms.to_string());
    if let (Some(caching), Some(ttl)) = (modern.caching, ttl.as_deref()) {
        if json::member(result, "ttlMs").is_none() {
            add.push(("ttlMs", ttl));
        }
        if modern.is_private {
            add.push(("cacheScope", "\"private\""));
        } else if json::member(result, "cacheScope").is_none() {
            add.push(("cacheScope", if caching.public { "\"public\"" } else { "\"private\"" }));
        }
    }
    let meta = modern.info.and_then(|info| with_info(json::member(result, meta::META), info));
    if let Some(meta) = &meta {
        add.push((meta::META, meta));
    }
    json::splice_into(result, &add, out);
}

/// The `_meta` of a result with the server's name in it (S-MD-09); `None` where it has it already.
fn with_info(own: Option<&str>, info: &str) -> Option<String> {
    let own = own.unwrap_or("{}");
    if json::member(own, meta::SERVER_INFO).is_some() {
        return None;
    }
    let mut text = Vec::new();
    json::splice_into(own, &[(meta::SERVER_INFO, info)], &mut text);
    String::from_utf8(text).ok()
}

/// The upper bounds of the buckets, in microseconds. One more bucket has what is longer.
pub const BUCKET_BOUNDS: [u64; 12] =
    [100, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000, 10_000_000, 60_000_000];

/// How many times fell into each bucket.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Histogram {
    counts: [u64; BUCKET_BOUNDS.len() + 1],
    micros: u64,
}

impl Histogram {
    /// Counts a time.
    pub fn record(&mut self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKET_BOUNDS.iter().position(|bound| micros <= *bound).unwrap_or(BUCKET_BOUNDS.len());
        self.counts[bucket] += 1;
        self.micros = self.micros.saturating_add(micros);
    }

    /// How many times were at most as long as each bound, and how many there were at all.
    pub fn cumulative(&self) -> impl Iterator<Item = (Option<u64>, u64)> {
        let mut all = 0;
        let bounds = BUCKET_BOUNDS.iter().map(|bound| Some(*bound)).chain([None]);
        bounds.zip(self.counts).map(move |(bound, count)| {
            all += count;
            (bound, all)
        })
    }

    /// How many times were counted.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Their sum, in microseconds.
    pub fn micros(&self) -> u64 {
        self.micros
    }
}

/// The times of the requests that handlers were run for.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Timing {
    /// From the arrival of a request, or of the answers of its client, until the application took it.
    pub waiting: Histogram,
    /// From then on until the application answered.
    pub handling: Histogram,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_counted_in_the_first_bucket_that_holds_it() {
        let mut histogram = Histogram::default();
        for micros in [0, 100, 101, 60_000_000, 60_000_001] {
            histogram.record(Duration::from_micros(micros));
        }
        histogram.record(Duration::MAX);
        let all: Vec<_> = histogram.cumulative().collect();
        assert_eq!(all.len(), BUCKET_BOUNDS.len() + 1);
        assert_eq!(all[..2], [(Some(100), 2), (Some(500), 3)]);
        assert_eq!(all[BUCKET_BOUNDS.len() - 1..], [(Some(60_000_000), 4), (None, 6)]);
        assert_eq!((histogram.count(), histogram.micros()), (6, u64::MAX));
    }
}
