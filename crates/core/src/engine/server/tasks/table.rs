//! Tasks: calls of tools that were answered with the name of a task, and what became of them (2025-11-25
//! `basic/utilities/tasks`; the extension `io.modelcontextprotocol/tasks`).
//!
//! A task of the core form belongs to the session that made it. One of the extension belongs to the clients that know its
//! name, 128 random bits, because no request of that era depends on a connection.
//!
//! Each client has its share of the tasks and of the bytes that they came to ([`Shares`]): half of what the others leave. Over that
//! its own tasks go that are over and whose session has ended, oldest first.

use crate::engine::server::access::{MissingScopes, ScopedReader};
use crate::engine::server::effect::{Now, RequestId, SessionId};
use crate::engine::server::session::context::ErrorResponse;
use crate::json;
use crate::protocol::task::{Form, Status};
use crate::protocol::write::timestamp;
use crate::shares::{Denied, Holder, Lending, Shares};
use crate::sorted::{SortedMap, SortedSet};
use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Bound;
use std::time::{Duration, Instant};

/// The longest status message that is kept; a longer one is cut.
const MESSAGE_BYTES: usize = 4096;

/// The name of a task.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TaskId(Box<str>);

impl TaskId {
    /// The name that 128 random bits make.
    pub fn new(bits: [u8; 16]) -> TaskId {
        TaskId(format!("{:032x}", u128::from_be_bytes(bits)).into())
    }

    /// What a request waits for that waits for the store. No client can name it, because no task has such a name.
    pub fn of_store(number: u64) -> TaskId {
        TaskId(format!("store {number}").into())
    }

    /// The name of a task that another process has made.
    pub fn known(name: &str) -> TaskId {
        TaskId(name.into())
    }

    /// The name as clients see it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for TaskId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// What a task came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TaskEnd {
    /// The result of the tool, JSON text, as its revision wants it.
    Result(Box<str>),
    /// The error with which the call failed.
    Error(ErrorResponse),
}

impl TaskEnd {
    fn bytes(&self) -> usize {
        match self {
            TaskEnd::Result(text) => text.len(),
            TaskEnd::Error(refusal) => refusal.message.len() + refusal.data.as_ref().map_or(0, String::len),
        }
    }
}

/// A task that begins.
#[derive(Clone, Debug)]
pub struct NewTask<'a> {
    /// The form that its client speaks.
    pub form: Form,
    /// The session that makes it.
    pub session: SessionId,
    /// Who makes it; empty where requests are not authorized.
    pub owner: &'a str,
    /// Whose share it takes.
    pub holder: Holder,
    /// The tool, and whether it is in the list of this server.
    pub tool: (&'a str, bool),
    /// The request that works on it.
    pub request: Option<RequestId>,
    /// How long it is kept.
    pub ttl: Duration,
    /// How often its client should ask, in milliseconds.
    pub poll_ms: Option<u64>,
    /// What its handler says of it.
    pub message: Option<&'a str>,
    /// When it began, in seconds since 1970, and how long it is still kept, if it began before.
    pub begun: Option<(u64, Duration)>,
}

/// Who asks for a task.
#[derive(Clone, Copy, Debug)]
pub struct TaskRequester<'a> {
    pub session: SessionId,
    /// The form that it speaks.
    pub form: Form,
    /// Who it is; empty where requests are not authorized.
    pub owner: &'a str,
}

/// One task. Only [`TaskTable`] changes it.
#[derive(Clone, Debug)]
pub struct TaskRecord {
    pub form: Form,
    pub session: SessionId,
    pub(super) owner: Box<str>,
    pub(super) tool: Box<str>,
    pub(super) is_listed: bool,
    /// The request that works on it, while it is not over.
    pub request: Option<RequestId>,
    pub status: Status,
    pub message: Option<Box<str>>,
    /// Seconds since 1970.
    pub created: u64,
    /// The same for the last change.
    pub updated: u64,
    pub ttl: Duration,
    pub poll_ms: Option<u64>,
    pub end: Option<TaskEnd>,
    pub(super) place: u64,
    pub(super) holder: Holder,
    /// What it counts of the bytes of all.
    pub(super) bytes: usize,
    pub(super) expires: Instant,
    /// Whether its session has ended.
    pub(super) is_left: bool,
}

impl TaskRecord {
    /// Whether a reader may have what is said of it.
    ///
    /// # Errors
    /// What the reader needs.
    pub fn read_by(&self, reader: &ScopedReader<'_>) -> Result<(), MissingScopes> {
        reader.call(&self.tool, self.is_listed)
    }

    /// Whether nothing changes it any more.
    pub fn is_over(&self) -> bool {
        is_over(self.status)
    }
}

/// Why one more task is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskLimitReached {
    /// The session has as many as it may have.
    Session(usize),
    /// The client has as many as it may have beside the others, and each may still be asked for.
    Share(usize),
}

/// Bounds of the tasks.
#[derive(Clone, Copy, Debug)]
pub struct TaskBounds {
    /// Tasks that are kept at one time.
    pub all: usize,
    /// The same of one session.
    pub per_session: usize,
    /// Bytes of results and errors.
    pub bytes: usize,
}

/// The tasks. Owns them, and the indexes that lead to them.
#[derive(Debug)]
pub struct TaskTable {
    all: HashMap<TaskId, TaskRecord>,
    by_session: HashMap<SessionId, SortedMap<u64, TaskId>>,
    expiries: SortedSet<(Instant, TaskId)>,
    /// Those of each client that are over and whose session has ended, oldest first: they go when there is no room.
    left: SortedMap<Holder, SortedMap<u64, TaskId>>,
    shares: Shares<Holder>,
    bytes: Shares<Holder>,
    next: u64,
    per_session: usize,
}

impl TaskTable {
    /// No task yet.
    pub fn new(bounds: TaskBounds) -> TaskTable {
        TaskTable {
            all: HashMap::new(),
            by_session: HashMap::new(),
            expiries: SortedSet::new(),
            left: SortedMap::new(),
            shares: Shares::new(bounds.all, 1, Lending::Half),
            bytes: Shares::new(bounds.bytes, 0, Lending::Half),
            next: 1,
            per_session: bounds.per_session,
        }
    }

    /// How many the shares count.
    #[cfg(test)]
    pub fn shared(&self) -> usize {
        self.shares.used()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// A task by its name.
    pub fn get(&self, id: &str) -> Option<&TaskRecord> {
        self.all.get(id)
    }

    /// The name of a task, if it is there for who asks for it (S-T5-08, S-TX-08).
    ///
    /// # Errors
    /// What its owner needs to ask what became of a call of that tool.
    pub fn visible(
        &self,
        reader: &ScopedReader<'_>,
        id: &str,
        by: TaskRequester<'_>,
    ) -> Result<Option<TaskId>, MissingScopes> {
        let Some((id, task)) = self.all.get_key_value(id) else { return Ok(None) };
        let is_visible = task.form == by.form
            && *task.owner == *by.owner
            && match by.form {
                Form::Core => task.session == by.session,
                Form::Extension => true,
            };
        if !is_visible {
            return Ok(None);
        }
        task.read_by(reader)?;
        Ok(Some(id.clone()))
    }

    /// Makes room for one more task of a session. Adds the tasks that had to go for it to `evicted`.
    ///
    /// # Errors
    /// Which bound is reached.
    pub fn admit(
        &mut self,
        session: SessionId,
        holder: &Holder,
        evicted: &mut Vec<TaskId>,
    ) -> Result<(), TaskLimitReached> {
        if self.by_session.get(&session).map_or(0, SortedMap::len) >= self.per_session {
            return Err(TaskLimitReached::Session(self.per_session));
        }
        // The share of one that was alone for long is smaller when others have come.
        while let Err(denied) = self.shares.may_take(holder, 1) {
            match self.evict(&denied, holder) {
                Some(other) => evicted.push(other),
                None => return Err(TaskLimitReached::Share(self.shares.share(holder))),
            }
        }
        Ok(())
    }

    /// Takes a task in. It works. Gives when it expires.
    pub fn insert(&mut self, now: Now, id: TaskId, task: &NewTask<'_>) -> Instant {
        let place = self.next;
        self.next += 1;
        let (created, left) = task.begun.unwrap_or((now.unix, task.ttl));
        let expires = now.at + left;
        self.by_session.entry(task.session).or_default().insert(place, id.clone());
        self.expiries.insert((expires, id.clone()));
        // There was room when it was admitted.
        let _granted = self.shares.take(&task.holder, 1);
        let task = TaskRecord {
            form: task.form,
            session: task.session,
            owner: task.owner.into(),
            tool: task.tool.0.into(),
            is_listed: task.tool.1,
            request: task.request,
            status: Status::Working,
            message: task.message.map(cut),
            created,
            updated: now.unix,
            ttl: task.ttl,
            poll_ms: task.poll_ms,
            end: None,
            place,
            holder: task.holder.clone(),
            bytes: 0,
            expires,
            is_left: false,
        };
        self.all.insert(id, task);
        expires
    }

    /// Changes the status of a task that is not over, between working and waiting for input. Whether it changed.
    pub fn set_waiting(&mut self, now: Now, id: &TaskId, waits: bool) -> bool {
        self.set_status(now, id, if waits { Status::InputRequired } else { Status::Working })
    }

    /// Changes what is said of a task that is not over. Whether it changed.
    pub fn describe(&mut self, now: Now, id: &TaskId, message: Option<&str>, poll_ms: Option<u64>) -> bool {
        let Some(task) = self.all.get_mut(id).filter(|task| !task.is_over()) else { return false };
        let message = message.map(cut).or_else(|| task.message.clone());
        let poll_ms = poll_ms.or(task.poll_ms);
        if (&message, poll_ms) == (&task.message, task.poll_ms) {
            return false;
        }
        (task.message, task.poll_ms, task.updated) = (message, poll_ms, now.unix);
        true
    }

    /// Ends a task that is not over. Gives whether it was not, and the tasks that had to go to make room for what it came to.
    /// Where there is no room the task fails with an error that says so.
    pub fn finish(&mut self, now: Now, id: &TaskId, end: TaskEnd, is_failure: bool) -> (bool, Vec<TaskId>) {
        let (kept, evicted) = self.keep_end(id, end, is_failure);
        (kept.is_some_and(|is_failure| self.conclude(now, id, is_failure)), evicted)
    }

    /// Keeps what a task that is not over came to; its status stays. Gives whether it is a failure, which it is where there is no room for
    /// it, and the tasks that had to go for it.
    pub fn keep_end(&mut self, id: &TaskId, end: TaskEnd, is_failure: bool) -> (Option<bool>, Vec<TaskId>) {
        let mut evicted = Vec::new();
        let Some(task) = self.all.get_mut(id).filter(|task| !task.is_over()) else { return (None, evicted) };
        let (holder, wanted) = (task.holder.clone(), end.bytes());
        // What was kept before, to be replaced.
        self.bytes.give(&holder, std::mem::take(&mut task.bytes));
        // What is larger than its share takes nothing from others before it fails.
        while wanted <= self.bytes.share(&holder)
            && let Err(denied) = self.bytes.may_take(&holder, wanted)
            && let Some(other) = self.evict(&denied, &holder)
        {
            evicted.push(other);
        }
        let fits = self.bytes.take(&holder, wanted).is_ok();
        let (end, is_failure) =
            if fits { (end, is_failure) } else { (no_room(wanted, self.bytes.share(&holder)), true) };
        if let Some(task) = self.all.get_mut(id) {
            if let TaskEnd::Error(refusal) = &end {
                task.message = Some(cut(&refusal.message));
            }
            task.bytes = if fits { wanted } else { 0 };
            task.end = Some(end);
        }
        (Some(is_failure), evicted)
    }

    /// Ends a task that is not over, with what was kept of it. Whether it was not.
    pub fn conclude(&mut self, now: Now, id: &TaskId, is_failure: bool) -> bool {
        self.set_status(now, id, if is_failure { Status::Failed } else { Status::Completed })
    }

    /// Takes a task out. Gives the request that worked on it.
    pub fn forget(&mut self, id: &TaskId) -> Option<RequestId> {
        self.remove(id)?.request
    }

    /// Cancels a task. Gives whether it was not over, and the request that worked on it.
    pub fn cancel(&mut self, now: Now, id: &TaskId) -> (bool, Option<RequestId>) {
        let request = self.all.get(id).and_then(|task| task.request);
        (self.set_status(now, id, Status::Cancelled), request)
    }

    /// Takes out a task whose time is over, with the request that worked on it.
    pub fn expired(&mut self, now: Instant) -> Option<(TaskId, Option<RequestId>)> {
        let (_, id) = self.expiries.first().filter(|(at, _)| *at <= now)?.clone();
        let request = self.remove(&id).and_then(|task| task.request);
        Some((id, request))
    }

    /// The tasks that a session made.
    pub fn of_session(&self, session: SessionId) -> Vec<TaskId> {
        self.by_session.get(&session).map(|all| all.values().cloned().collect()).unwrap_or_default()
    }

    /// A session has ended. Takes out its tasks of the core form, for which no client can ask now; those of the extension, and those that
    /// are shared with other processes, stay, and may go when there is no room.
    pub fn end_session(
        &mut self,
        session: SessionId,
        is_shared: impl Fn(&TaskId) -> bool,
    ) -> Vec<(TaskId, Option<RequestId>)> {
        let mut taken = Vec::new();
        for id in self.of_session(session) {
            let Some(task) = self.all.get_mut(&id) else { continue };
            if task.form == Form::Core && !is_shared(&id) {
                let request = self.remove(&id).and_then(|task| task.request);
                taken.push((id, request));
                continue;
            }
            task.is_left = true;
            if task.is_over() {
                self.left.entry(task.holder.clone()).or_default().insert(task.place, id);
            }
        }
        taken
    }

    /// The tasks of the core form that a session made and a reader may have, after the place `after`: at most `size`, and the place of
    /// the last one if more follow.
    pub fn page(
        &self,
        reader: &ScopedReader<'_>,
        session: SessionId,
        after: u64,
        size: usize,
    ) -> (Vec<(&TaskId, &TaskRecord)>, Option<u64>) {
        let Some(of_session) = self.by_session.get(&session) else { return (Vec::new(), None) };
        let mut rest = of_session
            .range((Bound::Excluded(after), Bound::Unbounded))
            .filter_map(|(_, id)| self.all.get_key_value(id))
            .filter(|(_, task)| task.form == Form::Core && task.read_by(reader).is_ok());
        let page: Vec<(&TaskId, &TaskRecord)> = rest.by_ref().take(size.max(1)).collect();
        let next = rest.next().and_then(|_| page.last().map(|(_, task)| task.place));
        (page, next)
    }

    /// When the first task expires.
    pub fn deadline(&self) -> Option<Instant> {
        self.expiries.first().map(|(at, _)| *at)
    }

    /// Changes a status where that is legal (S-T5-04).
    fn set_status(&mut self, now: Now, id: &TaskId, status: Status) -> bool {
        let Some(task) = self.all.get_mut(id) else { return false };
        if task.is_over() || task.status == status {
            return false;
        }
        (task.status, task.updated) = (status, now.unix);
        if task.is_over() {
            task.request = None;
            if task.is_left {
                self.left.entry(task.holder.clone()).or_default().insert(task.place, id.clone());
            }
        }
        true
    }

    /// Takes out the oldest task that is over and whose session has ended, of the client that gives way or of the one that asks.
    fn evict(&mut self, denied: &Denied<Holder>, by: &Holder) -> Option<TaskId> {
        let oldest = |of: &Holder| self.left.get(of)?.values().next().cloned();
        let id = match denied {
            Denied::Cut { holder, .. } => oldest(holder).or_else(|| oldest(by)),
            Denied::Share { .. } => oldest(by),
        }?;
        self.remove(&id);
        Some(id)
    }

    fn remove(&mut self, id: &TaskId) -> Option<TaskRecord> {
        let task = self.all.remove(id)?;
        self.expiries.remove(&(task.expires, id.clone()));
        if let Some(left) = self.left.get_mut(&task.holder) {
            left.remove(&task.place);
            if left.is_empty() {
                self.left.remove(&task.holder);
            }
        }
        self.shares.give(&task.holder, 1);
        self.bytes.give(&task.holder, task.bytes);
        if let Some(of_session) = self.by_session.get_mut(&task.session) {
            of_session.remove(&task.place);
            if of_session.is_empty() {
                self.by_session.remove(&task.session);
            }
        }
        Some(task)
    }
}

fn is_over(status: Status) -> bool {
    matches!(status, Status::Completed | Status::Failed | Status::Cancelled)
}

/// What is kept of a status message.
fn cut(message: &str) -> Box<str> {
    let mut end = message.len().min(MESSAGE_BYTES);
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    message.get(..end).unwrap_or_default().into()
}

/// The error in place of what is too large to be kept. It is not counted: it has less than 300 bytes.
fn no_room(size: usize, share: usize) -> TaskEnd {
    TaskEnd::Error(ErrorResponse::new(
        crate::protocol::error_code::INTERNAL_ERROR,
        format!(
            "the task came to {size} bytes, and its client has room for {share} bytes of results of tasks (limits.task_bytes)"
        ),
    ))
}

/// The status as it is written on the wire.
pub fn status_text(status: Status) -> &'static str {
    match status {
        Status::Working => "working",
        Status::InputRequired => "input_required",
        Status::Completed => "completed",
        Status::Failed => "failed",
        Status::Cancelled => "cancelled",
    }
}

/// The members that every message about a task has, without braces.
pub fn task_members(id: &str, task: &TaskRecord) -> String {
    let (ttl, poll) = match task.form {
        Form::Core => ("ttl", "pollInterval"),
        Form::Extension => ("ttlMs", "pollIntervalMs"),
    };
    let mut text = format!("\"taskId\":\"{}\",\"status\":\"{}\"", id, status_text(task.status));
    if let Some(message) = &task.message {
        text.push_str(",\"statusMessage\":");
        json::quote_into(message, &mut text);
    }
    let (created, updated) = (timestamp(task.created), timestamp(task.updated));
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        ",\"createdAt\":\"{created}\",\"lastUpdatedAt\":\"{updated}\",\"{ttl}\":{}",
        task.ttl.as_millis()
    );
    if let Some(ms) = task.poll_ms {
        let _ = write!(text, ",\"{poll}\":{ms}");
    }
    text
}

/// The members of the extension that belong to a status: the result, or the error.
pub fn task_end_members(task: &TaskRecord) -> String {
    match &task.end {
        Some(TaskEnd::Result(result)) => format!(",\"result\":{result}"),
        Some(TaskEnd::Error(error)) => {
            let mut text = format!(",\"error\":{{\"code\":{},\"message\":", error.code);
            json::quote_into(&error.message, &mut text);
            if let Some(data) = &error.data {
                text.push_str(",\"data\":");
                text.push_str(data);
            }
            text.push('}');
            text
        }
        None => String::new(),
    }
}

/// Core form: the value of the `_meta` member that names a task.
pub fn related(id: &TaskId) -> String {
    format!("{{\"taskId\":\"{}\"}}", id.as_str())
}
