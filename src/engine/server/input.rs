//! Questions to the client while a request is under way, written once for all revisions.
//!
//! A handler asks by a key of its own choice. If the answer is there, it gets it; else the question is noted, the handler
//! returns, and runs again when the client has answered. In the legacy era questions travel as requests of the server; in
//! 2026-07-28 the request itself is answered with them and comes again with the answers
//! (`basic/patterns/mrtr`). What is between two such requests travels sealed in `requestState`.

use super::context::Context;
use super::effect::{RequestId, SessionId};
use crate::engine::hashing::ById;
use crate::json::{self, Kind};
use crate::protocol::{Revision, capability, given, method};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
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
pub enum Asked {
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
pub(super) struct Question {
    pub key: Box<str>,
    pub method: &'static str,
    pub params: Box<str>,
}

/// What one request asked and what it was told. Part of a request's entry in the table.
#[derive(Clone, Debug, Default)]
pub(super) struct Questions {
    /// Asked in the run at hand, not sent.
    noted: Vec<Question>,
    /// Sent, not answered (legacy era).
    open: BTreeMap<Box<str>, Question>,
    answers: BTreeMap<Box<str>, Answer>,
    /// What the handler wants to find again.
    state: Option<Box<str>>,
    rounds: u32,
    /// The rounds of the requests that this one repeats (2026-07-28).
    rounds_before: u32,
    /// What was noted waits for the confirmation of the handshake (legacy era).
    is_held: bool,
}

impl Questions {
    /// The questions of a request that brings answers, and the state it had.
    pub fn resumed(answers: BTreeMap<Box<str>, Answer>, state: Option<Box<str>>, rounds: u32) -> Questions {
        Questions { answers, state, rounds, rounds_before: rounds, ..Questions::default() }
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
    pub fn answers(&self) -> &BTreeMap<Box<str>, Answer> {
        &self.answers
    }

    /// The answer to a question, or the note that it is to be asked.
    pub fn ask(&mut self, question: Question, limit: usize, rounds: u32) -> Asked {
        if let Some(answer) = self.answers.get(&question.key) {
            return Asked::Answered(answer.clone());
        }
        if self.rounds >= rounds {
            return Asked::Refused("the request has asked as often as it may".to_owned());
        }
        if !self.knows(&question.key) {
            if self.noted.len() + self.open.len() >= limit {
                return Asked::Refused("the request has as many open questions as it may have".to_owned());
            }
            self.noted.push(question);
        }
        Asked::Pending
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
    pub fn send(&mut self) -> Vec<Question> {
        let noted = std::mem::take(&mut self.noted);
        self.is_held = false;
        self.open.extend(noted.iter().map(|question| (question.key.clone(), question.clone())));
        noted
    }

    /// Takes what was noted, to answer the request with it.
    pub fn hand_over(&mut self) -> Vec<Question> {
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
    pub fn all_open(&self) -> impl Iterator<Item = &Question> {
        self.open.values()
    }

    /// The question with that key, if it is open.
    pub fn open(&self, key: &str) -> Option<&Question> {
        self.open.get(key)
    }
}

/// Who waits for the answer to a request of ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// The handler of a request, which asked by a key.
    Question(RequestId, Box<str>),
    /// The handler of a request whose questions wait for the confirmation of the handshake: nothing was sent yet.
    Held(RequestId),
    /// The application, which gave the call a tag; and what the answer must fit.
    Call { tag: u64, method: &'static str, schema: Option<Box<str>> },
}

/// The requests to clients that are not answered (legacy era): whose each is and when its time is over.
#[derive(Debug)]
pub(super) struct Sent {
    open: BTreeMap<u64, (SessionId, Owner, Instant)>,
    /// How many of each session.
    by_session: ById<usize, SessionId>,
    deadlines: BTreeSet<(Instant, u64)>,
    next: u64,
}

impl Sent {
    pub fn new() -> Sent {
        Sent { open: BTreeMap::new(), by_session: ById::default(), deadlines: BTreeSet::new(), next: 1 }
    }

    /// Gives a request its id on the wire. An id is never used twice (S-CR-02).
    pub fn insert(&mut self, session: SessionId, owner: Owner, deadline: Instant) -> u64 {
        let id = self.next;
        self.next += 1;
        self.open.insert(id, (session, owner, deadline));
        *self.by_session.entry(session).or_default() += 1;
        self.deadlines.insert((deadline, id));
        id
    }

    /// Who waits for what a session answers. Answers of other sessions find nothing, and neither do those to what was not sent.
    pub fn answered(&mut self, session: SessionId, id: u64) -> Option<Owner> {
        self.open.get(&id).filter(|(of, owner, _)| *of == session && !matches!(owner, Owner::Held(_)))?;
        self.remove(id)
    }

    /// A request whose time is over.
    pub fn overdue(&mut self, now: Instant) -> Option<(u64, SessionId, Owner)> {
        let (_, id) = *self.deadlines.first().filter(|(at, _)| *at <= now)?;
        let session = self.open.get(&id)?.0;
        Some((id, session, self.remove(id)?))
    }

    /// A request that waits for one session.
    pub fn of_session(&mut self, session: SessionId) -> Option<(u64, SessionId, Owner)> {
        let (id, _) = self.open.iter().find(|(_, (of, _, _))| *of == session)?;
        let id = *id;
        Some((id, session, self.remove(id)?))
    }

    /// Forgets the questions of a request; gives the ids of those that were sent.
    pub fn forget(&mut self, request: RequestId) -> Vec<u64> {
        let is_of = |_, owner: &Owner| match owner {
            Owner::Question(number, _) | Owner::Held(number) => *number == request,
            Owner::Call { .. } => false,
        };
        let taken = self.take(is_of).into_iter();
        taken.filter(|(_, owner)| matches!(owner, Owner::Question(..))).map(|(id, _)| id).collect()
    }

    /// Whether anything that one session was asked is open.
    pub fn awaits(&self, session: SessionId) -> bool {
        self.by_session.contains_key(&session)
    }

    /// How many calls of the application wait for one session.
    pub fn calls_of(&self, session: SessionId) -> usize {
        let is_call = |(of, owner, _): &&(SessionId, Owner, Instant)| {
            *of == session && matches!(owner, Owner::Call { .. })
        };
        self.open.values().filter(is_call).count()
    }

    /// Forgets the calls of a session: their numbers, tags and methods.
    pub fn end_calls(&mut self, session: SessionId) -> Vec<(u64, u64, &'static str)> {
        self.take(|of, owner| of == session && matches!(owner, Owner::Call { .. }))
            .into_iter()
            .filter_map(|(id, owner)| match owner {
                Owner::Call { tag, method, .. } => Some((id, tag, method)),
                Owner::Question(..) | Owner::Held(_) => None,
            })
            .collect()
    }

    fn take(&mut self, wanted: impl Fn(SessionId, &Owner) -> bool) -> Vec<(u64, Owner)> {
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

    fn remove(&mut self, id: u64) -> Option<Owner> {
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
pub(super) fn question_method(name: &str) -> Option<&'static str> {
    [method::SAMPLING, method::ELICITATION, method::ROOTS].into_iter().find(|known| *known == name)
}

/// The capability that a question needs and the client lacks, as an object; `None` if it lacks none (S-MR-03).
pub(super) fn missing_capability(context: &Context, name: &str, params: &str) -> Option<String> {
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
pub(super) fn as_answer<'a>(name: &str, result: &'a str) -> Option<Cow<'a, str>> {
    let result = given::as_object(result)?;
    let with = |member: &str, value: &str| {
        let mut text = Vec::new();
        json::splice_into(result, &[(member, value)], &mut text);
        String::from_utf8(text).ok().map(Cow::Owned)
    };
    let kind = |member: &str| json::member(result, member).and_then(json::kind);
    match name {
        method::ELICITATION => {
            let action = json::member(result, "action").and_then(json::string);
            match (action.as_deref(), given::member(result, "content")) {
                (Some("accept"), Some(content)) => match given::as_object(content)? {
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
