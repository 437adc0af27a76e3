//! Questions to the client while a request is in progress, written once for all revisions.
//!
//! A handler asks by a key of its own choice. If the answer is there, it gets it; else the question is noted, the handler
//! returns, and runs again when the client has answered. In the legacy era questions travel as requests of the server; in
//! 2026-07-28 the request itself is answered with them and comes again with the answers
//! (`basic/patterns/mrtr`). What is between two such requests travels sealed in `requestState`.

use crate::engine::hashing::ById;
use crate::engine::server::effect::{Claim, RequestId, SessionId};
use crate::engine::server::session::context::RequestContext;
use crate::json;
use crate::json::Kind;
use crate::protocol::{Revision, capability, error_code, lenient, method};
use crate::shares::{Holder, Lending, Shares};
use crate::sorted::{SortedMap, SortedSet};
use std::borrow::Cow;
use std::time::Instant;

/// What a client said to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The result, a JSON object.
    Result(Box<str>),
    /// There is none: the client refused, or did not answer in time. A JSON-RPC error as JSON text.
    Failed(Box<str>),
}

/// What a handler hears when it asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AskOutcome {
    /// The answer.
    Answered(Answer),
    /// The question is noted: the handler returns without an answer and runs again.
    Pending,
    /// The client did not declare the capability that the question needs (a JSON object with what is missing).
    Unsupported(String),
    /// The question is not one that servers may ask, or the bound of questions or rounds is reached.
    Refused(String),
    /// The request is over.
    Gone,
}

/// One question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClientQuestion {
    pub key: Box<str>,
    pub method: &'static str,
    pub params: Box<str>,
}

/// What one request asked and what it was told. Part of a request's entry in the table.
#[derive(Clone, Debug, Default)]
pub struct RequestQuestions {
    /// Asked in the run at hand, not sent.
    noted: Vec<ClientQuestion>,
    /// Sent, not answered (legacy era).
    open: SortedMap<Box<str>, ClientQuestion>,
    answers: SortedMap<Box<str>, Answer>,
    /// What the handler wants to find again.
    state: Option<Box<str>>,
    rounds: u32,
    /// The rounds of the requests that this one repeats (2026-07-28).
    rounds_before: u32,
    /// What was noted waits for the confirmation of the handshake (legacy era).
    is_held: bool,
}

impl RequestQuestions {
    /// The questions of a request that brings answers, and the state it had.
    pub fn resumed(
        answers: SortedMap<Box<str>, Answer>,
        state: Option<Box<str>>,
        rounds: u32,
    ) -> RequestQuestions {
        RequestQuestions { answers, state, rounds, rounds_before: rounds, ..RequestQuestions::default() }
    }

    /// How often the handler ran before.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Whether the handler ran before for this very request, and not only for one that it repeats.
    pub fn has_run(&self) -> bool {
        self.rounds > self.rounds_before
    }

    /// What the handler kept.
    pub fn state(&self) -> Option<&str> {
        self.state.as_deref()
    }

    /// Keeps `state` for the next run.
    pub fn set_state(&mut self, state: &str) {
        self.state = Some(state.into());
    }

    /// The answers, by key.
    pub fn answers(&self) -> &SortedMap<Box<str>, Answer> {
        &self.answers
    }

    /// The answer to a question, or the note that it is to be asked.
    pub fn ask(&mut self, question: ClientQuestion, limit: usize, rounds: u32) -> AskOutcome {
        if let Some(answer) = self.answers.get(&question.key) {
            return AskOutcome::Answered(answer.clone());
        }
        if self.rounds >= rounds {
            return AskOutcome::Refused(format!(
                "the request has asked its client {rounds} times, which is the limit"
            ));
        }
        if !self.knows(&question.key) {
            if self.noted.len() + self.open.len() >= limit {
                return AskOutcome::Refused(format!(
                    "the request has {limit} open questions, which is the limit"
                ));
            }
            self.noted.push(question);
        }
        AskOutcome::Pending
    }

    /// Whether something was asked by this key.
    pub fn knows(&self, key: &str) -> bool {
        self.answers.contains_key(key)
            || self.open.contains_key(key)
            || self.noted.iter().any(|noted| &*noted.key == key)
    }

    /// What was noted waits. Says whether it did not before.
    pub fn hold(&mut self) -> bool {
        !std::mem::replace(&mut self.is_held, true)
    }

    /// Whether what was noted waits.
    pub fn is_held(&self) -> bool {
        self.is_held
    }

    /// Whether anything is to be sent.
    pub fn has_noted(&self) -> bool {
        !self.noted.is_empty()
    }

    /// Whether the client has not answered all that was sent.
    pub fn is_waiting(&self) -> bool {
        !self.open.is_empty()
    }

    /// Takes what was noted, to send it as requests; they are open then.
    pub fn send(&mut self) -> Vec<ClientQuestion> {
        let noted = std::mem::take(&mut self.noted);
        self.is_held = false;
        self.open.extend(noted.iter().map(|question| (question.key.clone(), question.clone())));
        noted
    }

    /// Takes what was noted, to answer the request with it.
    pub fn hand_over(&mut self) -> Vec<ClientQuestion> {
        std::mem::take(&mut self.noted)
    }

    /// Records the answer to an open question; whether it was the last one, so that the handler is to run again.
    pub fn answered(&mut self, key: &str, answer: Answer) -> bool {
        let Some(question) = self.open.remove(key) else { return false };
        self.answers.insert(question.key, answer);
        if !self.open.is_empty() {
            return false;
        }
        self.rounds += 1;
        true
    }

    /// The questions that are open.
    pub fn all_open(&self) -> impl Iterator<Item = &ClientQuestion> {
        self.open.values()
    }

    /// The question with that key, if it is open.
    pub fn open(&self, key: &str) -> Option<&ClientQuestion> {
        self.open.get(key)
    }
}

/// Who waits for the answer to a request of ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnswerWaiter {
    /// The handler of a request, which asked by a key.
    Question(RequestId, Box<str>),
    /// The handler of a request whose questions wait for the confirmation of the handshake: nothing was sent yet.
    Held(RequestId),
    /// The application, which gave the call a tag; and what the answer must fit.
    Call { tag: u64, method: &'static str, schema: Option<Box<str>> },
}

/// The requests to clients that are not answered (legacy era): whose each is and when its time is over.
#[derive(Debug)]
pub struct OutstandingRequests {
    open: SortedMap<u64, (SessionId, AnswerWaiter, Instant)>,
    /// How many of each session.
    by_session: ById<usize, SessionId>,
    deadlines: SortedSet<(Instant, u64)>,
    next: u64,
}

impl OutstandingRequests {
    /// `first` is the id of the first one. Where sessions go on in other processes, each process begins with a number of its own, so that
    /// an answer that reaches another one than that which asked fits no question there.
    pub fn new(first: u64) -> OutstandingRequests {
        OutstandingRequests {
            open: SortedMap::new(),
            by_session: ById::default(),
            deadlines: SortedSet::new(),
            next: first,
        }
    }

    /// Gives a request its id on the wire. An id is never used twice (S-CR-02).
    pub fn insert(&mut self, session: SessionId, owner: AnswerWaiter, deadline: Instant) -> u64 {
        let id = self.next;
        self.next += 1;
        self.open.insert(id, (session, owner, deadline));
        *self.by_session.entry(session).or_default() += 1;
        self.deadlines.insert((deadline, id));
        id
    }

    /// Who waits for what a session answers. Answers of other sessions find nothing, and neither do those to what was not sent.
    pub fn answered(&mut self, session: SessionId, id: u64) -> Option<AnswerWaiter> {
        self.open
            .get(&id)
            .filter(|(of, owner, _)| *of == session && !matches!(owner, AnswerWaiter::Held(_)))?;
        self.remove(id)
    }

    /// A request whose time is over.
    pub fn overdue(&mut self, now: Instant) -> Option<(u64, SessionId, AnswerWaiter)> {
        let (_, id) = *self.deadlines.first().filter(|(at, _)| *at <= now)?;
        let session = self.open.get(&id)?.0;
        Some((id, session, self.remove(id)?))
    }

    /// A request that waits for one session.
    pub fn of_session(&mut self, session: SessionId) -> Option<(u64, SessionId, AnswerWaiter)> {
        let (id, _) = self.open.iter().find(|(_, (of, _, _))| *of == session)?;
        let id = *id;
        Some((id, session, self.remove(id)?))
    }

    /// Forgets the questions of a request; gives the ids of those that were sent.
    pub fn forget(&mut self, request: RequestId) -> Vec<u64> {
        let is_of = |_, owner: &AnswerWaiter| match owner {
            AnswerWaiter::Question(number, _) | AnswerWaiter::Held(number) => *number == request,
            AnswerWaiter::Call { .. } => false,
        };
        let taken = self.take(is_of).into_iter();
        taken.filter(|(_, owner)| matches!(owner, AnswerWaiter::Question(..))).map(|(id, _)| id).collect()
    }

    /// Whether anything that one session was asked is open.
    pub fn awaits(&self, session: SessionId) -> bool {
        self.by_session.contains_key(&session)
    }

    /// Whether one session was asked something by this id, which is not answered.
    pub fn is_open(&self, session: SessionId, id: u64) -> bool {
        self.open.get(&id).is_some_and(|(of, _, _)| *of == session)
    }

    /// How many calls of the application wait for one session.
    pub fn calls_of(&self, session: SessionId) -> usize {
        let is_call = |(of, owner, _): &&(SessionId, AnswerWaiter, Instant)| {
            *of == session && matches!(owner, AnswerWaiter::Call { .. })
        };
        self.open.values().filter(is_call).count()
    }

    /// Forgets the calls of a session: their numbers, tags and methods.
    pub fn end_calls(&mut self, session: SessionId) -> Vec<(u64, u64, &'static str)> {
        self.take(|of, owner| of == session && matches!(owner, AnswerWaiter::Call { .. }))
            .into_iter()
            .filter_map(|(id, owner)| match owner {
                AnswerWaiter::Call { tag, method, .. } => Some((id, tag, method)),
                AnswerWaiter::Question(..) | AnswerWaiter::Held(_) => None,
            })
            .collect()
    }

    fn take(&mut self, wanted: impl Fn(SessionId, &AnswerWaiter) -> bool) -> Vec<(u64, AnswerWaiter)> {
        let ids: Vec<u64> = self
            .open
            .iter()
            .filter(|(_, (session, owner, _))| wanted(*session, owner))
            .map(|(id, _)| *id)
            .collect();
        ids.into_iter().filter_map(|id| Some((id, self.remove(id)?))).collect()
    }

    /// When the first deadline is.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadlines.first().map(|(at, _)| *at)
    }

    /// How many are open.
    pub fn count(&self) -> usize {
        self.open.len()
    }

    fn remove(&mut self, id: u64) -> Option<AnswerWaiter> {
        let (session, owner, deadline) = self.open.remove(&id)?;
        self.deadlines.remove(&(deadline, id));
        if let Some(count) = self.by_session.get_mut(&session) {
            *count -= 1;
            if *count == 0 {
                self.by_session.remove(&session);
            }
        }
        Some(owner)
    }
}

/// The question methods (S-MR-02).
pub fn question_method(name: &str) -> Option<&'static str> {
    [method::SAMPLING, method::ELICITATION, method::ROOTS].into_iter().find(|known| *known == name)
}

/// The capability that a question needs and the client lacks, as an object; `None` if it lacks none (S-MR-03).
pub fn missing_capability(context: &RequestContext, name: &str, params: &str) -> Option<String> {
    let needs = |name: &str| serde_json::json!({ name: {} }).to_string();
    match name {
        method::SAMPLING if !context.can("sampling", None) => Some(needs("sampling")),
        method::SAMPLING => {
            let uses_tools = ["tools", "toolChoice"].iter().any(|it| json::member(params, it).is_some());
            let knows = context.revision >= Revision::V2025_11_25 && context.can("sampling", Some("tools"));
            if uses_tools && !knows {
                return Some(r#"{"sampling":{"tools":{}}}"#.to_owned());
            }
            // Before 2025-11-25 no capability says so (S-SA-02).
            let includes = json::member(params, "includeContext").and_then(json::string);
            let wants_context = includes.is_some_and(|it| it != "none");
            let may_want =
                context.revision < Revision::V2025_11_25 || context.can("sampling", Some("context"));
            (wants_context && !may_want).then(|| r#"{"sampling":{"context":{}}}"#.to_owned())
        }
        method::ELICITATION => {
            let declared = context.can("elicitation", None) && context.revision >= Revision::V2025_06_18;
            let allowed = declared
                && capability::allows_mode(
                    |mode| context.can("elicitation", Some(mode)),
                    Some(params),
                    context.revision,
                );
            let mode = json::member(params, "mode").and_then(json::string);
            let has_mode = mode.as_deref() != Some("url") || context.revision >= Revision::V2025_11_25;
            (!allowed || !has_mode).then(|| match mode.as_deref() {
                Some("url") => r#"{"elicitation":{"url":{}}}"#.to_owned(),
                _ => needs("elicitation"),
            })
        }
        method::ROOTS if !context.can("roots", None) => Some(needs("roots")),
        _ => None,
    }
}

/// The answer to `name` that `result` is, if it has the shape of one (S-MR-10): a list that is null is empty, `[]` is an object of PHP.
pub fn as_answer<'a>(name: &str, result: &'a str) -> Option<Cow<'a, str>> {
    let result = lenient::as_object(result)?;
    let with = |member: &str, value: &str| {
        let mut text = Vec::new();
        json::splice_into(result, &[(member, value)], &mut text);
        String::from_utf8(text).ok().map(Cow::Owned)
    };
    let kind = |member: &str| json::member(result, member).and_then(json::kind);
    match name {
        method::ELICITATION => {
            let action = json::member(result, "action").and_then(json::string);
            match (action.as_deref(), lenient::member(result, "content")) {
                (Some("accept"), Some(content)) => match lenient::as_object(content)? {
                    same if same == content => Some(Cow::Borrowed(result)),
                    object => with("content", object),
                },
                (Some("accept"), None) | (Some("decline" | "cancel"), _) => Some(Cow::Borrowed(result)),
                _ => None,
            }
        }
        method::SAMPLING => {
            let is_content = matches!(kind("content"), Some(Kind::Object | Kind::Array));
            (kind("role") == Some(Kind::String) && is_content).then_some(Cow::Borrowed(result))
        }
        method::ROOTS => match kind("roots")? {
            Kind::Array => Some(Cow::Borrowed(result)),
            Kind::Null => with("roots", "[]"),
            _ => None,
        },
        _ => None,
    }
}

/// A failure of a question, as its answer.
pub fn failure(text: &str) -> Box<str> {
    serde_json::json!({ "code": error_code::INTERNAL_ERROR, "message": text }).to_string().into()
}

/// The failure of a question whose answer has the wrong shape.
pub fn wrong_shape(method: &str) -> Box<str> {
    failure(&format!("the client's answer to '{method}' has the wrong shape"))
}

/// The ids of one session, and whose it was when it had the first.
#[derive(Debug)]
struct SessionIds {
    holder: Holder,
    used: SortedSet<Box<str>>,
}

/// The ids that were used.
#[derive(Debug)]
pub struct ElicitationIds {
    sessions: SortedMap<SessionId, SessionIds>,
    shares: Shares<Holder>,
}

impl ElicitationIds {
    /// No id was used, and `limit` are remembered.
    pub fn new(limit: usize) -> ElicitationIds {
        ElicitationIds { sessions: SortedMap::new(), shares: Shares::new(limit, 1, Lending::Half) }
    }

    /// Whether an id may be used in a session of a holder.
    ///
    /// # Errors
    /// It was used before, or there is no room to remember it.
    pub fn may_add(&self, session: SessionId, holder: &Holder, id: &str) -> Result<(), String> {
        let of = self.sessions.get(&session);
        if of.is_some_and(|of| of.used.contains(id)) {
            return Err(format!("the elicitationId '{id}' was used before"));
        }
        let holder = of.map_or(holder, |of| &of.holder);
        self.shares.may_take(holder, 1).map_err(|_| {
            format!(
                "the elicitationId '{id}' cannot be remembered: {} of {} ids (limits.elicitation_ids) are those of this client, which is its share until a session of it ends",
                self.shares.held(holder),
                self.shares.total()
            )
        })
    }

    /// Takes note of an id that may be used.
    pub fn add(&mut self, session: SessionId, holder: &Holder, id: &str) {
        let of = self.sessions.entry(session);
        let of = of.or_insert_with(|| SessionIds { holder: holder.clone(), used: SortedSet::new() });
        if of.used.insert(id.into()) {
            self.shares.put(&of.holder, 1);
        }
    }

    /// A session has ended.
    pub fn forget(&mut self, session: SessionId) {
        if let Some(of) = self.sessions.remove(&session) {
            self.shares.give(&of.holder, of.used.len());
        }
    }
}

/// What is left to do before the handler of a request with a state may run.
#[derive(Debug)]
pub enum ClaimStep {
    /// Nothing.
    None,
    /// The store is to be asked.
    Wanted(Box<Claim>),
    /// It has been asked about a state that is good until then (seconds since 1970).
    Asked { expiry: u64 },
}

impl ClaimStep {
    /// Whether nothing is left to do.
    pub fn is_done(&self) -> bool {
        matches!(self, ClaimStep::None)
    }

    /// What the store is to be asked, once.
    pub fn wanted(&mut self) -> Option<Box<Claim>> {
        let ClaimStep::Wanted(claim) = self else { return None };
        let expiry = claim.expiry;
        match std::mem::replace(self, ClaimStep::Asked { expiry }) {
            ClaimStep::Wanted(claim) => Some(claim),
            ClaimStep::None | ClaimStep::Asked { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ElicitationIds, Holder, SessionId};

    #[test]
    fn no_id_is_good_twice_and_one_client_has_half_of_what_the_others_leave() {
        let mut ids = ElicitationIds::new(8);
        let (flood, calm) = (Holder::process(1), Holder::process(2));
        let add = |ids: &mut ElicitationIds, session, holder: &Holder, id: &str| {
            let session = SessionId(session);
            ids.may_add(session, holder, id).inspect(|()| ids.add(session, holder, id))
        };
        // In however many sessions.
        let taken = (0..100).filter(|at| add(&mut ids, at % 3, &flood, &at.to_string()).is_ok()).count();
        assert_eq!(taken, 4);
        let refused = add(&mut ids, 0, &flood, "more").expect_err("it has its share");
        assert!(refused.contains("4 of 8 ids (limits.elicitation_ids)"), "{refused}");
        for id in ["0", "1"] {
            assert_eq!(add(&mut ids, 10, &calm, id), Ok(()), "each session has its own");
        }
        for (session, holder, id) in [(0, &flood, "0"), (10, &calm, "0")] {
            let refused = add(&mut ids, session, holder, id).expect_err("it was used");
            assert!(refused.contains("was used before"), "{refused}");
        }
        for session in [0, 1, 2, 10, 11] {
            ids.forget(SessionId(session));
        }
        assert!(ids.sessions.is_empty() && ids.shares.used() == 0);
        assert_eq!(add(&mut ids, 1, &flood, "0"), Ok(()));
    }
}
