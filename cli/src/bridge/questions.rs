//! What servers behind ask: sampling, elicitation, roots. The client of the call is asked, in the way of its revision.

use super::answers::is_modern;
use super::catalog::Catalog;
use super::params::with;
use super::relay::{Flight, QUESTION, Question, Relay};
use super::upstream::{FIRST_CALL, Upstream, code, text};
use super::uris::in_result;
use mcp::client::json_text::member;
use mcp::client::names::{INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, MISSING_CLIENT_CAPABILITY};
use mcp::client::{Answer, Error, Message, Status};
use mcp::server::Request;
use std::borrow::Cow;
use std::time::Instant;

/// Questions of one server that may wait for clients at one time; the library's `limits.server_requests` is 256.
const WAITING: usize = 200;
/// Questions outside of any call that may wait for clients at one time.
const OUTSIDE: usize = 64;

impl Relay {
    /// A server behind asks something.
    pub fn asked(&mut self, upstream: usize, message: Message) {
        let Upstream { client, allowed, .. } = &self.upstreams[upstream];
        if allowed.is_some() {
            let why = "the clients of this bridge may call tools, and are asked nothing";
            let refusal = Answer::Error { code: METHOD_NOT_FOUND, message: why, data: None };
            let _is_heard = client.respond(&message, refusal);
            return;
        }
        let named = self.flights.get(&message.tag()).map(|_| message.tag());
        let is_of_ended_call = message.tag() >= FIRST_CALL || (message.tag() == 0 && message.call() != 0);
        if named.is_none() && is_of_ended_call {
            // It names a call that has ended: no other call may get it.
            let why = "the call that this is for has ended";
            let refusal = Answer::Error { code: INTERNAL_ERROR, message: why, data: None };
            let _is_heard = self.upstreams[upstream].client.respond(&message, refusal);
            return;
        }
        match named.or_else(|| self.only_flight(upstream)) {
            Some(tag) => {
                let Some(flight) = self.flights.get_mut(&tag) else { return };
                let input = message.input();
                let has_more = input.as_ref().is_some_and(|(_, has_more)| *has_more);
                let key = key(flight, input.map(|(name, _)| name));
                flight.questions.push(Question { key, message, is_sent: false });
                // What a server asks for at one time is asked at one time.
                if !has_more {
                    self.to_ask.insert(tag);
                }
            }
            None => self.ask_outside(upstream, message),
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
        let mut lacking = None;
        let request = flight.request.clone();
        flight.questions.retain_mut(|question| {
            let method = question.message.method().unwrap_or_default();
            let params = for_client(&request, question.message.json(), &format!("{tag}-{}", question.key));
            let params = with_uris(&self.catalog, flight.upstream, method, params);
            match request.ask(&question.key, method, &params) {
                Ok(None) => {
                    question.is_sent = true;
                    true
                }
                Ok(Some(answer)) => {
                    respond(client, &question.message, &answer);
                    false
                }
                // A server of 2026-07-28 waits for nothing: the call ends with what its client lacks.
                Err(error) if *is_modern && error.status == Status::Unsupported => {
                    lacking = Some(error);
                    false
                }
                Err(error) => {
                    let code = match error.status {
                        Status::Unsupported => METHOD_NOT_FOUND,
                        Status::InvalidArgument => INVALID_PARAMS,
                        _ => INTERNAL_ERROR,
                    };
                    let refusal = Answer::Error { code, message: &error.message, data: None };
                    // The server may have taken its question back meanwhile.
                    let _is_heard = client.respond(&question.message, refusal);
                    false
                }
            }
        });
        if let Some(error) = lacking {
            return self.refuse_lacking(tag, &error);
        }
        if flight.questions.iter().any(|question| question.is_sent) {
            request.set_state(&tag.to_string());
            self.waiting.add(tag, Instant::now() + QUESTION);
            // Dropped without an answer: now the questions go out.
            flight.message = None;
            let upstream = flight.upstream;
            self.give_up_oldest(upstream);
        }
    }

    /// Gives up the calls that have waited longest for their clients, when a server has more questions unanswered than is good:
    /// beyond the limit of the library none would be heard.
    fn give_up_oldest(&mut self, upstream: usize) {
        let questions = |(until, tag): (Instant, u64)| {
            let flight = self.flights.get(&tag).filter(|flight| flight.upstream == upstream)?;
            Some((until, tag, flight.questions.len()))
        };
        for tag in too_many(self.waiting.all().filter_map(questions).collect()) {
            self.give_up(tag, "too many questions of the server wait for the answers of clients");
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
    fn ask_outside(&mut self, upstream: usize, message: Message) {
        let client = &self.upstreams[upstream].client;
        let refuse = |why: &str| {
            let _is_heard =
                client.respond(&message, Answer::Error { code: METHOD_NOT_FOUND, message: why, data: None });
        };
        let Some(server) = &self.server else {
            return refuse("the bridge has no client yet");
        };
        if self.flights.values().any(|flight| flight.upstream == upstream) || self.asked.len() >= OUTSIDE {
            return refuse(
                "several clients use the server, and the bridge cannot tell which of them is asked",
            );
        }
        let method = message.method().unwrap_or_default();
        // A ping tells which sessions are still there; only a question that one of them alone can get is put.
        let mut called = None;
        self.next += 1;
        let tag = self.next;
        self.sessions.retain(|session| server.has_session(*session));
        if let [session] = self.sessions[..]
            && !self.given_up.has_other(upstream, session, Instant::now())
        {
            let params = with_uris(&self.catalog, upstream, method, Cow::Borrowed(message.json()));
            called = server.start_call(session, method, &params, None, tag).ok();
        }
        match called {
            Some(_) => drop(self.asked.insert(tag, (upstream, message))),
            None => refuse("no client of the bridge can answer this outside of a call"),
        }
    }

    /// The client answered such a question.
    pub fn answered_outside(&mut self, reply: &Message) {
        let Some((upstream, question)) = self.asked.remove(&reply.tag()) else { return };
        let client = &self.upstreams[upstream].client;
        let json = reply.json();
        let message = text(json, "message").unwrap_or_default();
        let code = code(json).unwrap_or(INTERNAL_ERROR);
        let answer = match reply.status() {
            Status::Ok => Answer::Result(json),
            _ => Answer::Error { code, message: &message, data: None },
        };
        let _is_heard = client.respond(&question, answer);
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

/// The calls to give up, of those that wait: until when each does, its tag, and how many questions it has. The newest stays.
fn too_many(mut waiting: Vec<(Instant, u64, usize)>) -> Vec<u64> {
    let mut questions: usize = waiting.iter().map(|(_, _, questions)| questions).sum();
    if questions <= WAITING {
        return Vec::new();
    }
    waiting.sort_unstable();
    waiting.pop();
    let is_over = |(_, tag, its): (Instant, u64, usize)| {
        let is_over = questions > WAITING;
        questions -= its;
        is_over.then_some(tag)
    };
    waiting.into_iter().map_while(is_over).collect()
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

fn respond(client: &mcp::client::Client, question: &Message, answer: &mcp::server::Answer) {
    // The server may have taken its question back meanwhile.
    let _is_heard = match answer {
        mcp::server::Answer::Result(result) => client.respond(question, Answer::Result(result)),
        mcp::server::Answer::Failed(error) => {
            let code = code(error).unwrap_or(INTERNAL_ERROR);
            let message = text(error, "message").unwrap_or_default();
            client.respond(question, Answer::Error { code, message: &message, data: None })
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_calls_that_wait_longest_are_given_up_when_too_many_questions_wait() {
        let now = Instant::now();
        let at = |seconds| now + Duration::from_secs(seconds);
        let mut waiting: Vec<_> = (0..WAITING as u64).map(|tag| (at(1000 - tag), tag, 1)).collect();
        assert!(too_many(waiting.clone()).is_empty());
        waiting.push((at(2000), 1000, 1));
        assert_eq!(too_many(waiting.clone()), [WAITING as u64 - 1], "the one that ends first");
        waiting.push((at(2001), 1001, 2));
        assert_eq!(too_many(waiting).len(), 3);
        assert!(too_many(vec![(now, 1, WAITING + 1)]).is_empty(), "the newest stays");
        assert_eq!(too_many(vec![(at(1), 2, WAITING), (now, 1, WAITING)]), [1]);
    }
}
