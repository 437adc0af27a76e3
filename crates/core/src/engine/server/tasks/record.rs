//! A task as the store keeps it: what its clients read, the process that works on it, and what it asks its client.

use super::table::{TaskEnd, TaskRecord, status_text};
use crate::engine::server::access::Principal;
use crate::engine::server::client_requests::questions::{Answer, ClientQuestion, question_method};
use crate::engine::server::effect::{Now, SessionId};
use crate::engine::server::session::context::ErrorResponse;
use crate::engine::server::store::operation::{Operation, STORE_VALUE_BYTES};
use crate::protocol::error_code;
use crate::protocol::task::{Form, Status};
use crate::shares::Holder;
use crate::sorted::SortedMap;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The form of what is written. Another one is not read, and not written over.
const FORM: u64 = 1;
/// More than what sealing adds to a value.
const SEAL_BYTES: usize = 256;
/// The shortest time between two attempts to write, while the store is away.
pub(super) const SHORTEST_PAUSE: Duration = Duration::from_millis(100);

/// The key of a task in the store, and the channel on which its changes are told. It does not give the name away.
pub(super) fn key_of(task: &str) -> String {
    format!("task/{}", URL_SAFE_NO_PAD.encode(digest(&SHA256, task.as_bytes())))
}

/// The stream of the tasks of a session, by its name in the store. It does not give that away.
pub(super) fn tasks_of_session(name: &str) -> String {
    format!("tasks/{}", URL_SAFE_NO_PAD.encode(digest(&SHA256, name.as_bytes())))
}

/// The bytes of a value, if they are more than a store takes. Sealing adds some.
pub(super) fn too_many(put: &Operation) -> Option<usize> {
    let Operation::Put { value: Some(value), .. } = put else { return None };
    Some(value.len()).filter(|bytes| *bytes > STORE_VALUE_BYTES - SEAL_BYTES)
}

/// The call that a task is, for another process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredCall {
    /// The name of the task.
    pub id: Box<str>,
    /// The parameters, with `_meta`.
    pub params: Box<str>,
    /// Who it comes from.
    pub principal: Option<Arc<Principal>>,
}

/// A task in the store.
#[derive(Clone, Debug)]
pub struct StoredTask {
    /// What its clients read. Its session and its place mean nothing.
    pub task: TaskRecord,
    /// Core form: the session whose it is, by its name in the store. No other session has it.
    pub session: Option<Box<str>>,
    /// The process that works on it.
    pub process: Box<str>,
    /// The process that wrote this, and the number of the write there: a conflict with one's own write is a success.
    pub written: (Box<str>, u64),
    /// Until when it is kept, by the clock of the store, in milliseconds since 1970.
    pub until: u64,
    /// What its handler asked and its client has not answered.
    pub questions: Vec<ClientQuestion>,
    /// What its client answered and its handler has not got.
    pub answers: SortedMap<Box<str>, Answer>,
    /// Which attempt it is, of how many there may be.
    pub attempt: u32,
    pub most_attempts: u32,
    /// What begins again when the process is gone, where there may be another attempt.
    pub call: Option<StoredCall>,
    /// The stream that has what it came to, and the number of its parts, where that is not in the record.
    pub parts: Option<(Box<str>, u64)>,
}

impl StoredTask {
    /// As text.
    pub fn write(&self) -> String {
        let task = &self.task;
        let questions: Vec<Value> =
            self.questions.iter().map(|it| json!([&*it.key, it.method, &*it.params])).collect();
        let answers: Map<String, Value> = self
            .answers
            .iter()
            .map(|(key, answer)| {
                let (is_good, text) = match answer {
                    Answer::Result(text) => (true, text),
                    Answer::Failed(text) => (false, text),
                };
                (key.to_string(), json!([is_good, &**text]))
            })
            .collect();
        let call = self.call.as_ref().map(|call| {
            let principal = call.principal.as_ref().map(|it| {
                let scopes: Vec<&str> = it.scopes.iter().map(AsRef::as_ref).collect();
                json!([&*it.id, scopes, &*it.text])
            });
            json!([&*call.id, &*call.params, principal])
        });
        let parts = self.parts.as_ref().map(|(stream, count)| json!([&**stream, count]));
        let end = match &task.end {
            None => Value::Null,
            Some(_) if parts.is_some() => Value::Null,
            Some(TaskEnd::Result(text)) => json!({ "result": &**text }),
            Some(TaskEnd::Error(error)) => {
                json!({ "code": error.code, "message": error.message, "data": error.data })
            }
        };
        json!({
            "form": FORM, "session": self.session.as_deref(), "process": &*self.process, "writer": &*self.written.0, "number": self.written.1, "until": self.until,
            "owner": &*task.owner, "tool": &*task.tool, "listed": task.is_listed, "status": status_text(task.status),
            "said": task.message.as_deref(), "created": task.created, "updated": task.updated,
            "ttl": u64::try_from(task.ttl.as_millis()).unwrap_or(u64::MAX), "poll": task.poll_ms, "end": end,
            "questions": questions, "answers": answers, "attempt": self.attempt, "attempts": self.most_attempts, "call": call, "parts": parts,
        })
        .to_string()
    }

    /// Reads what [`write`](Self::write) wrote.
    pub fn read(now: Now, text: &[u8]) -> Option<StoredTask> {
        let kept: Value = serde_json::from_slice(text).ok()?;
        if kept.get("form")?.as_u64()? != FORM {
            return None;
        }
        let text = |name: &str| kept.get(name)?.as_str();
        let number = |name: &str| kept.get(name)?.as_u64();
        let end = match kept.get("end")? {
            Value::Null => None,
            end => Some(match end.get("result") {
                Some(result) => TaskEnd::Result(result.as_str()?.into()),
                None => {
                    let error = ErrorResponse::new(end.get("code")?.as_i64()?, end.get("message")?.as_str()?);
                    let data = end.get("data").and_then(Value::as_str).map(str::to_owned);
                    TaskEnd::Error(ErrorResponse { data, ..error })
                }
            }),
        };
        let mut questions = Vec::new();
        for question in kept.get("questions")?.as_array()? {
            let part = |at: usize| question.get(at)?.as_str();
            questions.push(ClientQuestion {
                key: part(0)?.into(),
                method: question_method(part(1)?)?,
                params: part(2)?.into(),
            });
        }
        let mut answers = SortedMap::new();
        for (key, answer) in kept.get("answers")?.as_object()? {
            let text = answer.get(1)?.as_str()?.into();
            let answer = if answer.get(0)?.as_bool()? { Answer::Result(text) } else { Answer::Failed(text) };
            answers.insert(key.as_str().into(), answer);
        }
        let small = |name: &str| u32::try_from(number(name)?).ok();
        let call = match kept.get("call")? {
            Value::Null => None,
            call => Some(read_call(call)?),
        };
        let parts = match kept.get("parts")? {
            Value::Null => None,
            parts => Some((parts.get(0)?.as_str()?.into(), parts.get(1)?.as_u64()?)),
        };
        let session: Option<Box<str>> = match kept.get("session")? {
            Value::Null => None,
            session => Some(session.as_str()?.into()),
        };
        let task = TaskRecord {
            form: if session.is_some() { Form::Core } else { Form::Extension },
            session: SessionId(0),
            owner: text("owner")?.into(),
            tool: text("tool")?.into(),
            is_listed: kept.get("listed")?.as_bool()?,
            request: None,
            status: read_status(text("status")?)?,
            message: text("said").map(Into::into),
            created: number("created")?,
            updated: number("updated")?,
            ttl: Duration::from_millis(number("ttl")?),
            poll_ms: number("poll"),
            end,
            place: 0,
            holder: Holder::Session(0),
            bytes: 0,
            expires: now.at,
            is_left: true,
        };
        Some(StoredTask {
            task,
            session,
            process: text("process")?.into(),
            written: (text("writer")?.into(), number("number")?),
            until: number("until")?,
            questions,
            answers,
            attempt: small("attempt")?,
            most_attempts: small("attempts")?,
            call,
            parts,
        })
    }

    /// The process that worked on it is gone: it fails.
    pub fn lose(&mut self, now: Now) {
        let error = ErrorResponse::new(
            error_code::INTERNAL_ERROR,
            "the process that worked on the task has ended, and what it did so far is not known",
        );
        let error = error.with(&json!({ "reason": "worker_lost", "attempt": self.attempt }));
        self.task.message = Some(error.message.as_str().into());
        self.task.end = Some(TaskEnd::Error(error));
        self.over(now, Status::Failed);
    }

    /// It is over.
    pub fn over(&mut self, now: Now, status: Status) {
        self.goes_to(now, status);
        self.call = None;
    }

    /// Its process works on it no longer: another one may begin it again.
    pub fn release(&mut self, now: Now) {
        self.goes_to(now, Status::Working);
        self.process = "".into();
    }

    /// A process begins it again.
    pub fn begin_attempt(&mut self, now: Now, process: &str) {
        self.goes_to(now, Status::Working);
        self.process = process.into();
        self.attempt = self.attempt.saturating_add(1);
    }

    fn goes_to(&mut self, now: Now, status: Status) {
        (self.task.status, self.task.updated) = (status, now.unix);
        self.questions.clear();
        self.answers.clear();
    }
}

fn read_call(call: &Value) -> Option<StoredCall> {
    let principal = match call.get(2)? {
        Value::Null => None,
        principal => {
            let scopes = principal.get(1)?.as_array()?.iter().map(|it| it.as_str().map(Into::into));
            Some(Arc::new(Principal {
                id: principal.get(0)?.as_str()?.into(),
                scopes: scopes.collect::<Option<_>>()?,
                text: principal.get(2)?.as_str()?.into(),
            }))
        }
    };
    Some(StoredCall { id: call.get(0)?.as_str()?.into(), params: call.get(1)?.as_str()?.into(), principal })
}

fn read_status(text: &str) -> Option<Status> {
    let all = [Status::Working, Status::InputRequired, Status::Completed, Status::Failed, Status::Cancelled];
    all.into_iter().find(|status| status_text(*status) == text)
}
