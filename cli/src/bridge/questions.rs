//! What servers behind ask: sampling, elicitation, roots. The client of the call is asked, in the way of its revision.

use super::answers::is_modern;
use super::calls::held;
use super::catalog::Catalog;
use super::params::with;
use super::relay::{Flight, QUESTION, Question, Relay};
use super::upstream::{FIRST_CALL, Upstream, code, text};
use super::uris::in_result;
use crate::ordered::sort_by_key;
use mcp::client::json_text::member;
use mcp::client::names::{INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, MISSING_CLIENT_CAPABILITY};
use mcp::client::{Error, Message, RequestAnswer, Status};
use mcp::server::{Answer, Request};
use std::borrow::Cow;
use std::collections::HashMap;
use std::time::Instant;

/// Questions of one server that may wait for clients at one time; the library's `limits.server_requests` is 256.
const WAITING: usize = 200;
/// Their bytes, with those of the outcomes that wait for the same clients.
const WAITING_BYTES: usize = 64 << 20;
/// Questions outside of any call that may wait for clients at one time.
const OUTSIDE: usize = 64;
const CALL_HAS_ENDED: &str = "the call that this is for has ended";
const NO_CLIENT: &str = "no client of the bridge can answer this outside of a call";

/// Who is asked: decided when the question comes, before a program judges it, since calls and clients may go meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The client of a call.
    Call(u64),
    /// The only session that there is.
    Session(u64),
}

impl Relay {
    /// A server behind asks something: the program of `--check` first.
    pub fn asked(&mut self, upstream: usize, message: Message) {
        match self.who_is_asked(upstream, &message) {
            Ok(who) => {
                if let Some(message) = self.check_question(upstream, message, who) {
                    self.asked_checked(upstream, message, who);
                }
            }
            Err((code, why)) => self.refuse_question(upstream, &message, code, why),
        }
    }

    /// Who is asked, or why no client is.
    fn who_is_asked(&mut self, upstream: usize, message: &Message) -> Result<Asked, (i64, &'static str)> {
        if self.upstreams[upstream].rules.allowed.is_some() {
            return Err((
                METHOD_NOT_FOUND,
                "the clients of this bridge may call tools, and are asked nothing",
            ));
        }
        if self.flights.contains_key(&message.tag()) {
            return Ok(Asked::Call(message.tag()));
        }
        if message.tag() >= FIRST_CALL || (message.tag() == 0 && message.call() != 0) {
            // It names a call that has ended: no other call may get it.
            return Err((INTERNAL_ERROR, CALL_HAS_ENDED));
        }
        if let Some(tag) = self.only_flight(upstream) {
            return Ok(Asked::Call(tag));
        }
        let Some(server) = &self.server else {
            return Err((METHOD_NOT_FOUND, "the bridge has no client yet"));
        };
        if self.flights.values().any(|flight| flight.upstream == upstream) {
            let why = "several clients use the server, and the bridge cannot tell which of them is asked";
            return Err((METHOD_NOT_FOUND, why));
        }
        // A ping tells which sessions are still there; only a question that one of them alone can get is put.
        self.sessions.retain(|session| server.has_session(*session));
        match self.sessions[..] {
            [session] if !self.given_up.has_other(upstream, session, Instant::now()) => {
                Ok(Asked::Session(session))
            }
            _ => Err((METHOD_NOT_FOUND, NO_CLIENT)),
        }
    }

    pub fn refuse_question(&self, upstream: usize, question: &Message, code: i64, why: &str) {
        let refusal = RequestAnswer::Error { code, message: why, data: None };
        // The server may have taken its question back meanwhile.
        let _is_heard = self.upstreams[upstream].client.respond(question, refusal);
    }

    /// A server behind asks something.
    pub fn asked_checked(&mut self, upstream: usize, message: Message, who: Asked) {
        let tag = match who {
            Asked::Call(tag) => tag,
            Asked::Session(session) => return self.ask_outside(upstream, message, session),
        };
        let Some(flight) = self.flights.get_mut(&tag) else {
            return self.refuse_question(upstream, &message, INTERNAL_ERROR, CALL_HAS_ENDED);
        };
        let input = message.input();
        let has_more = input.as_ref().is_some_and(|(_, has_more)| *has_more);
        let key = key(flight, input.map(|(name, _)| name));
        flight.questions.push(Question { key, message, is_sent: false });
        let is_asking = flight.message.is_none();
        // What a server asks for at one time is asked at one time. Of what a program judges the last one may come first, or never.
        if !has_more || self.checker.is_some() {
            self.to_ask.insert(tag);
        }
        if is_asking {
            self.give_up_some(upstream);
        }
    }

    /// The call that a question without a name belongs to: the only one of the server, or the newest of the only client that has
    /// some. With calls of several clients under way, or given up lately, it is not known whose it is, and a wrong one must not
    /// see it.
    fn only_flight(&mut self, upstream: usize) -> Option<u64> {
        let mut mine = self.flights.iter().rev().filter(|(_, flight)| flight.upstream == upstream);
        let (tag, newest) = mine.next()?;
        let is_only = mine.all(|(_, other)| other.session == newest.session);
        (is_only && !self.given_up.has_other(upstream, newest.session, Instant::now())).then_some(*tag)
    }

    /// Puts the questions that were not put yet, and gives the server the answers that have come. While the client is being asked they
    /// wait for its answer.
    pub fn put_questions(&mut self, tag: u64) {
        let Some(flight) = self.flights.get_mut(&tag) else { return };
        if flight.message.is_none() {
            return;
        }
        let Upstream { client, is_modern, .. } = &self.upstreams[flight.upstream];
        let (mut lacking, mut answered) = (None, Vec::new());
        let (request, upstream, shown) = (flight.request.clone(), flight.upstream, flight.shown);
        let questions = std::mem::take(&mut flight.questions).into_iter();
        let waits = questions.filter_map(|mut question| {
            let method = question.message.method().unwrap_or_default();
            let params = for_client(&request, question.message.json(), &format!("{tag}-{}", question.key));
            let params = with_uris(&self.catalog, flight.upstream, method, params);
            match request.ask(&question.key, method, &params) {
                Ok(None) => {
                    question.is_sent = true;
                    Some(question)
                }
                Ok(Some(answer)) => {
                    answered.push((question.message, answer));
                    None
                }
                // A server of 2026-07-28 waits for nothing: the call ends with what its client lacks.
                Err(error) if *is_modern && error.status == Status::Unsupported => {
                    lacking = Some(error);
                    None
                }
                Err(error) => {
                    let code = match error.status {
                        Status::Unsupported => METHOD_NOT_FOUND,
                        Status::InvalidArgument => INVALID_PARAMS,
                        _ => INTERNAL_ERROR,
                    };
                    let refusal = RequestAnswer::Error { code, message: &error.message, data: None };
                    // The server may have taken its question back meanwhile.
                    let _is_heard = client.respond(&question.message, refusal);
                    None
                }
            }
        });
        flight.questions = waits.collect();
        for (question, answer) in answered {
            self.check_answer(upstream, question, answer, shown);
        }
        if let Some(error) = lacking {
            return self.refuse_lacking(tag, &error);
        }
        let Some(flight) = self.flights.get_mut(&tag) else { return };
        if flight.questions.iter().any(|question| question.is_sent) {
            request.set_state(&held(self.process, tag));
            self.waiting.add(tag, Instant::now() + QUESTION);
            // Dropped without an answer: now the questions go out.
            flight.message = None;
            self.give_up_some(upstream);
        }
    }

    /// Gives up calls that wait for their clients, when the questions of a server that wait are more than is good, or larger: beyond the
    /// limit of the library none would be heard.
    pub fn give_up_some(&mut self, upstream: usize) {
        let asking = |(until, tag): (Instant, u64)| {
            let flight = self.flights.get(&tag).filter(|flight| flight.upstream == upstream)?;
            let outcome = flight.outcome.iter();
            let held = flight.questions.iter().map(|question| &question.message).chain(outcome);
            let bytes = held.map(|message| message.json().len()).sum();
            Some(Asking { client: flight.client, until, tag, questions: flight.questions.len(), bytes })
        };
        for tag in too_many(self.waiting.all().filter_map(asking).collect()) {
            self.give_up(tag, "too many questions of the server wait for the answers of its clients, most of them of this client");
        }
    }

    /// Ends a call whose client does not have what the server needs for it.
    fn refuse_lacking(&mut self, tag: u64, error: &Error) {
        let Some(flight) = self.flights.get(&tag) else { return };
        let missing = error.details.get("missing").map_or_else(|| "{}".to_owned(), ToString::to_string);
        let code = if is_modern(&flight.request) { MISSING_CLIENT_CAPABILITY } else { INTERNAL_ERROR };
        let data = format!("{{\"requiredCapabilities\":{missing}}}");
        // The client may have gone meanwhile.
        let _is_told = flight.request.respond_error(code, &error.message, Some(&data));
        self.drop_flight(tag, "its client cannot answer what the server asks");
    }

    /// A question that belongs to no call: for the only client there is.
    fn ask_outside(&mut self, upstream: usize, message: Message, session: u64) {
        let outside: usize = self.asked.values().map(|(_, question)| question.json().len()).sum();
        if self.asked.len() >= OUTSIDE || outside + message.json().len() > WAITING_BYTES {
            let why = "too many questions of servers wait for the only client of the bridge";
            return self.refuse_question(upstream, &message, METHOD_NOT_FOUND, why);
        }
        let method = message.method().unwrap_or_default();
        self.next += 1;
        let tag = self.next;
        let params = with_uris(&self.catalog, upstream, method, Cow::Borrowed(message.json()));
        let called =
            self.server.as_ref().map(|server| server.start_call(session, method, &params, None, tag));
        match called {
            Some(Ok(_)) => drop(self.asked.insert(tag, (upstream, message))),
            _ => self.refuse_question(upstream, &message, METHOD_NOT_FOUND, NO_CLIENT),
        }
    }

    /// The client answered such a question.
    pub fn answered_outside(&mut self, reply: &Message) {
        let Some((upstream, question)) = self.asked.remove(&reply.tag()) else { return };
        let json = reply.json().into();
        let answer = match reply.status() {
            Status::Ok => Answer::Result(json),
            _ => Answer::Failed(json),
        };
        self.check_answer(upstream, question, answer, None);
    }

    /// Gives a server the answer to its question.
    pub fn respond(&self, upstream: usize, question: &Message, answer: &Answer) {
        let client = &self.upstreams[upstream].client;
        // The server may have taken its question back meanwhile.
        let _is_heard = match answer {
            Answer::Result(result) => client.respond(question, RequestAnswer::Result(result)),
            Answer::Failed(error) => {
                let code = code(error).unwrap_or(INTERNAL_ERROR);
                let message = text(error, "message").unwrap_or_default();
                client.respond(question, RequestAnswer::Error { code, message: &message, data: None })
            }
        };
    }
}

/// The name of a question: that of the server, unless it has none, or the call had a question of that name before.
fn key(flight: &mut Flight, name: Option<String>) -> String {
    let number = flight.next_question;
    flight.next_question += 1;
    let own = || format!("q{number}");
    let mut key = name.unwrap_or_else(own);
    if flight.asked.contains(&key) {
        key = own();
        while flight.asked.contains(&key) {
            key.push('_');
        }
    }
    flight.asked.insert(key.clone());
    key
}

/// A call that waits for its client.
#[derive(Clone, Debug)]
struct Asking {
    client: u64,
    /// When it is given up in any case.
    until: Instant,
    tag: u64,
    questions: usize,
    /// Of these, and of the outcome that waits for the client.
    bytes: usize,
}

/// The calls to give up, of those that wait: of the client that has most the one that has waited longest, until the others are not too
/// many. The newest of all stays.
fn too_many(mut waiting: Vec<Asking>) -> Vec<u64> {
    let mut of_client: HashMap<u64, [usize; 2]> = HashMap::new();
    let mut all = [0; 2];
    for it in &waiting {
        for (at, amount) in [it.questions, it.bytes].into_iter().enumerate() {
            all[at] += amount;
            of_client.entry(it.client).or_default()[at] += amount;
        }
    }
    sort_by_key(&mut waiting, |it| (it.until, it.tag));
    waiting.pop();
    let mut gone = Vec::new();
    while let Some(at) = [WAITING, WAITING_BYTES].iter().zip(all).position(|(most, all)| all > *most) {
        let amounts = |client: &u64| of_client.get(client).map_or(0, |amounts| amounts[at]);
        let Some(largest) = waiting.iter().map(|it| it.client).max_by_key(amounts) else { break };
        let Some(first) = waiting.iter().position(|it| it.client == largest) else { break };
        let it = waiting.remove(first);
        for (at, amount) in [it.questions, it.bytes].into_iter().enumerate() {
            all[at] -= amount;
            of_client.entry(it.client).or_default()[at] -= amount;
        }
        gone.push(it.tag);
    }
    gone
}

/// The parameters of a question as the client of a request gets them: in 2025-11-25 a page has an id, which a server of
/// 2026-07-28 does not give.
fn for_client<'p>(request: &Request, params: &'p str, number: &str) -> Cow<'p, str> {
    let is_page = text(params, "mode").as_deref() == Some("url");
    if !is_page || member(params, "elicitationId").is_some() {
        return Cow::Borrowed(params);
    }
    if text(&request.context().unwrap_or_default(), "revision").as_deref() != Some("2025-11-25") {
        return Cow::Borrowed(params);
    }
    let id = format!("\"bridge-{}-{number}\"", std::process::id());
    Cow::Owned(with(params, "elicitationId", &id))
}

/// The parameters of a question with the URIs of its server as clients know them: messages for a model may name resources.
fn with_uris<'p>(catalog: &Catalog, upstream: usize, method: &str, params: Cow<'p, str>) -> Cow<'p, str> {
    if !catalog.has_labels() || method != "sampling/createMessage" {
        return params;
    }
    Cow::Owned(in_result(&params, &|uri| catalog.shown(upstream, uri)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn calls_of_the_client_that_has_most_are_given_up_when_too_many_questions_wait() {
        let now = Instant::now();
        let asking = |client, seconds, tag, questions, bytes| {
            let until = now + Duration::from_secs(seconds);
            Asking { client, until, tag, questions, bytes }
        };
        let calm = [asking(1, 1, 1, 1, 100), asking(2, 2, 2, 1, 100)];
        let flood =
            |count: u64, bytes: usize| (0..count).map(move |at| asking(9, 10 + at, 100 + at, 1, bytes));
        let with =
            |flood: &mut dyn Iterator<Item = Asking>| too_many(calm.iter().cloned().chain(flood).collect());
        assert!(with(&mut flood(WAITING as u64 - 2, 100)).is_empty());
        assert_eq!(with(&mut flood(WAITING as u64, 100)), [100, 101], "the oldest of that client");
        assert_eq!(with(&mut flood(5, WAITING_BYTES / 4)), [100, 101], "by bytes");
        let newest = asking(3, 5000, 999, 1, 100);
        assert_eq!(with(&mut flood(WAITING as u64, 100).chain([newest])), [100, 101, 102]);
        // The newest stays, whatever it has.
        assert!(too_many(vec![asking(1, 1, 1, WAITING + 1, 0)]).is_empty());
        let both = vec![asking(1, 2, 2, WAITING, 0), asking(1, 1, 1, WAITING, 0)];
        assert_eq!(too_many(both), [1]);
    }
}
