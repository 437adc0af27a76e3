//! Requests about tasks in a store, and looks at them: what is read, what is written for a client, and what becomes of a task whose process is
//! gone.

use super::record::{StoredTask, key_of, tasks_of_session, too_many};
use super::table::{TaskId, status_text, task_end_members, task_members};
use super::waiters::ResultWaiter;
use crate::engine::server::Server;
use crate::engine::server::client_requests::input_requests;
use crate::engine::server::client_requests::questions::{Answer, ClientQuestion, as_answer, wrong_shape};
use crate::engine::server::effect::Now;
use crate::engine::server::requests::RequestHead;
use crate::engine::server::session::context::ErrorResponse;
use crate::engine::server::store::operation::{
    Expected, Operation, STORE_VALUE_BYTES, StoreOutcome, StoreStatus, inbox_of, process_key,
};
use crate::engine::server::store::waiting::{AskStep, AskedTask, TaskStep, TaskWish, Waiting};
use crate::json;
use crate::protocol::task::{Form, Status};
use crate::protocol::{error_code, method};

/// How often a request reads a record again that another process has changed meanwhile.
const MOST_TRIES: u8 = 8;

/// The store cannot be asked: nothing is said of the task.
pub(super) fn away() -> ErrorResponse {
    ErrorResponse::busy("store", "the store that keeps the tasks cannot be reached")
}

pub(super) fn unknown() -> ErrorResponse {
    ErrorResponse::params("the task does not exist, or it has expired")
}

pub(super) fn expired() -> ErrorResponse {
    ErrorResponse::params("the task has expired")
}

/// A record that another process wrote, and that this one cannot read: it has other keys, or is of another version.
pub(super) fn unreadable() -> ErrorResponse {
    ErrorResponse::busy("store", "the store has the task in a form that this process cannot read")
}

/// A task as its clients read it: in the core form they ask for what it came to by itself.
pub(super) fn whole_of(id: &str, stored: &StoredTask) -> String {
    let mut text = task_members(id, &stored.task);
    if stored.task.form == Form::Core {
        return text;
    }
    text.push_str(&task_end_members(&stored.task));
    // Those that its client has not answered (S-TX-03).
    let open: Vec<&ClientQuestion> =
        stored.questions.iter().filter(|it| !stored.answers.contains_key(&it.key)).collect();
    if !open.is_empty() && !stored.task.is_over() {
        text.push_str(",\"inputRequests\":");
        text.push_str(&input_requests(open));
    }
    text
}

fn too_large() -> ErrorResponse {
    ErrorResponse::params(format!(
        "the answers take more than the {STORE_VALUE_BYTES} bytes that a task may have in the store"
    ))
}

impl<H: Clone> Server<H> {
    /// A request about a task, which waits for the store (S-TX-03, S-TX-05, S-TX-06).
    pub(in crate::engine::server) fn ask_about_task(
        &mut self,
        head: &RequestHead<'_>,
        method: &'static str,
        task: &str,
        wish: TaskWish,
    ) -> Result<(), ErrorResponse> {
        let &RequestHead { now, from, id, ref context } = head;
        if !self.store.is_ready() {
            return Err(away());
        }
        self.check_place(from.session, 0)?;
        let wait = TaskId::of_store(self.store.number());
        let holder = self.sessions.holder_number(from.session);
        let waiter = ResultWaiter { stream: from, space: self.id_space(from), id: id.clone(), holder };
        self.waiters.add(&wait, waiter);
        let asked = AskedTask {
            from,
            wait,
            context: Some(context.clone()),
            method,
            ..AskedTask::unasked(wish, task.into(), key_of(task).into())
        };
        match asked.wish {
            TaskWish::List { .. } => self.read_names(now, asked),
            _ => self.read_task(now, asked),
        }
        Ok(())
    }

    /// Core form: a page of the tasks of a session, behind the one at which a cursor stands. It tells nothing of other sessions, so that it
    /// needs no seal.
    pub(super) fn ask_for_list(
        &mut self,
        head: &RequestHead<'_>,
        cursor: Option<&str>,
    ) -> Result<(), ErrorResponse> {
        let after = cursor.map(|text| json::string(text).and_then(|text| text.parse::<u64>().ok()));
        let next = match after {
            Some(None) => return Err(ErrorResponse::params("the cursor is not one of this list")),
            Some(after) => after,
            None => None,
        };
        let wish = TaskWish::List { left: Vec::new(), page: Vec::new(), next };
        self.ask_about_task(head, method::TASKS_LIST, "", wish)
    }

    /// Reads the names that its page has room for, behind those that were read.
    fn read_names(&mut self, now: Now, asked: AskedTask) {
        let Some(name) = self.sessions.store_name(asked.from.session) else {
            return self.asked(now, asked, Err(away()));
        };
        let TaskWish::List { left, next, .. } = &asked.wish else { return };
        // One more says whether others follow.
        let most = self.settings.page_size.max(1).saturating_sub(left.len()).saturating_add(1);
        let after = next.unwrap_or_default();
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let stream = tasks_of_session(name).into();
        let read = Operation::Read { stream, after, most, bytes: STORE_VALUE_BYTES };
        self.ask_store(now, read, Waiting::Task(TaskStep::Asked(Box::new(asked), AskStep::Names)));
    }

    /// The names of the tasks of a session were read, or were not.
    pub(super) fn names_told(&mut self, now: Now, mut asked: AskedTask, outcome: &StoreOutcome) {
        if !matches!(outcome.status, StoreStatus::Done | StoreStatus::Empty) {
            return self.asked(now, asked, Err(away()));
        }
        let size = self.settings.page_size.max(1);
        let TaskWish::List { left, next, .. } = &mut asked.wish else { return };
        let came = &outcome.entries;
        let page = came.get(..size.saturating_sub(left.len())).unwrap_or(came);
        left.extend(page.iter().map(|(_, name)| Box::from(String::from_utf8_lossy(name))));
        *next = page.last().map(|(place, _)| *place).or(*next);
        // A store may give fewer than there are: that nothing follows it says with none.
        if page.len() == came.len() && !came.is_empty() {
            return self.read_names(now, asked);
        }
        *next = next.filter(|_| !came.is_empty());
        left.reverse();
        self.asked(now, asked, Ok(String::new()));
    }

    pub(super) fn read_task(&mut self, now: Now, mut asked: AskedTask) {
        asked.tries += 1;
        if asked.tries > MOST_TRIES {
            let refusal = ErrorResponse::busy("store", "other processes change the task at the same time");
            return self.asked(now, asked, Err(refusal));
        }
        let key = asked.key.clone();
        let step = TaskStep::Asked(Box::new(asked), AskStep::Read);
        self.ask_store(now, Operation::Get { key }, Waiting::Task(step));
    }

    pub(super) fn read_told(&mut self, now: Now, asked: AskedTask, outcome: &StoreOutcome) {
        let stored = match (outcome.status, outcome.value.as_deref()) {
            (StoreStatus::Done, Some(value)) => match StoredTask::read(now, value) {
                Some(stored) => stored,
                None => {
                    if matches!(asked.wish, TaskWish::Tell) {
                        // Those that wait here would wait until it is over, which this process cannot see.
                        self.refuse_waiters_of(&TaskId::known(&asked.task), &unreadable());
                    }
                    return self.asked(now, asked, Err(unreadable()));
                }
            },
            (StoreStatus::Empty, _) => return self.asked(now, asked, Err(unknown())),
            _ => return self.asked(now, asked, Err(away())),
        };
        if stored.until <= self.store.unix_ms(now) {
            return self.asked(now, asked, Err(unknown()));
        }
        if let Some(context) = &asked.context {
            let reader = self.reader(context.principal.as_deref(), asked.method);
            let session = match Form::at(context.revision) {
                Some(Form::Core) => self.sessions.store_name(asked.from.session),
                _ => None,
            };
            if *stored.task.owner != *context.principal_id() || stored.session.as_deref() != session {
                return self.asked(now, asked, Err(unknown()));
            }
            if let Err(lacks) = stored.task.read_by(&reader) {
                return self.asked(now, asked, Err(lacks.into()));
            }
        }
        let (stored, version) = (Box::new(stored), outcome.version);
        let worker = &stored.process;
        if stored.task.is_over() {
            let form = stored.task.form;
            let reads_end = match asked.wish {
                TaskWish::Get => form == Form::Extension,
                TaskWish::Tell | TaskWish::Result => true,
                _ => false,
            };
            return match stored.parts {
                Some(_) if reads_end => {
                    self.read_parts(now, asked, (stored, version), Vec::new(), 0);
                }
                _ => self.found(now, asked, stored, version),
            };
        }
        if **worker == *self.store.process() {
            if self.shared_tasks.is_own(&asked.key) {
                return self.found(now, asked, stored, version);
            }
            if asked.written == Some(stored.written.1) {
                // The answer to that write was lost.
                return self.begin_again(now, asked, stored, version);
            }
            // What this process does not know of it was lost with its record, which is of an old copy of the store; or it gave the task up.
            return self.declare_lost(now, asked, stored, version);
        }
        if worker.is_empty() {
            // The process that had it gave it up.
            return self.declare_lost(now, asked, stored, version);
        }
        if self.shared_tasks.is_alive(worker, now) {
            return self.found(now, asked, stored, version);
        }
        let key = process_key(worker).into();
        let step = TaskStep::Asked(Box::new(asked), AskStep::Alive(stored, version));
        self.ask_store(now, Operation::Get { key }, Waiting::Task(step));
    }

    pub(super) fn alive_told(
        &mut self,
        now: Now,
        mut asked: AskedTask,
        stored: Box<StoredTask>,
        version: u64,
        outcome: &StoreOutcome,
    ) {
        if self.is_gone(now, &stored.process, outcome) {
            return self.declare_lost(now, asked, stored, version);
        }
        match outcome.status {
            StoreStatus::Done => {
                let until = now.at + self.lease() / 3;
                self.shared_tasks.found_alive(&stored.process, until);
                // It goes on after all, and what else it has is found when it is gone at last.
                asked.is_left = self.processes.looks_after(&stored.process);
                self.found(now, asked, stored, version);
            }
            StoreStatus::Empty => {
                asked.is_left = true;
                self.found(now, asked, stored, version);
            }
            _ => self.asked(now, asked, Err(away())),
        }
    }

    /// The process that worked on a task is gone: the task begins again where its handler allows that, and else fails, unless the process
    /// was quicker.
    fn declare_lost(&mut self, now: Now, mut asked: AskedTask, mut stored: Box<StoredTask>, version: u64) {
        if matches!(asked.wish, TaskWish::Cancel) {
            return self.found(now, asked, stored, version);
        }
        if stored.attempt >= stored.most_attempts || stored.call.is_none() {
            stored.lose(now);
            return self.write_for(now, asked, stored, version, AskStep::Lost);
        }
        if !self.can_begin_again(now, &stored) {
            // Another process, or this one later.
            asked.is_left = true;
            return self.found(now, asked, stored, version);
        }
        // Before the record: what is in the store is found, whatever is heard of the write.
        self.shared_tasks.abandon(&asked.key);
        self.note_task(now, &asked.key);
        stored.begin_attempt(now, self.store.process());
        self.write_for(now, asked, stored, version, AskStep::Begin);
    }

    fn write_for(
        &mut self,
        now: Now,
        mut asked: AskedTask,
        mut stored: Box<StoredTask>,
        version: u64,
        step: fn(Box<StoredTask>) -> AskStep,
    ) {
        let number = self.store.number();
        stored.written = (self.store.process().into(), number);
        asked.written = Some(number);
        let put = self.put_task(now, &asked.key, &stored, Expected::Version(version));
        if too_many(&put).is_some() {
            return self.asked(now, asked, Err(too_large()));
        }
        let step = TaskStep::Asked(Box::new(asked), step(stored));
        self.ask_store(now, put, Waiting::Task(step));
    }

    /// The record of the task that a request is about.
    pub(super) fn found(
        &mut self,
        now: Now,
        mut asked: AskedTask,
        mut stored: Box<StoredTask>,
        version: u64,
    ) {
        match &mut asked.wish {
            TaskWish::Get => {
                let result = whole_of(&asked.task, &stored);
                self.asked(now, asked, Ok(result));
            }
            TaskWish::Tell => {
                self.tell_streams(&asked.key, version, &asked.task, &stored);
                self.asked(now, asked, Ok(String::new()));
            }
            TaskWish::Sweep => self.asked(now, asked, Ok(String::new())),
            TaskWish::Listen { known, .. } => {
                known.insert(asked.task.clone());
                self.asked(now, asked, Ok(String::new()));
            }
            TaskWish::List { page, .. } => {
                page.push(format!("{{{}}}", task_members(&asked.task, &stored.task)));
                self.asked(now, asked, Ok(String::new()));
            }
            TaskWish::Result if stored.task.is_over() => {
                let id = TaskId::known(&asked.task);
                for waiter in self.waiters.take(&asked.wait) {
                    self.give_end(&waiter, &id, stored.task.end.as_ref());
                }
            }
            TaskWish::Result => self.wait_for_end(now, &asked),
            TaskWish::Cancel if stored.task.is_over() && stored.task.form == Form::Core => {
                let is_own = *stored.written.0 == *self.store.process();
                if is_own && asked.written == Some(stored.written.1) {
                    let result = task_members(&asked.task, &stored.task);
                    return self.asked(now, asked, Ok(result));
                }
                let status = status_text(stored.task.status);
                let text = format!("the task cannot be cancelled: its status is '{status}'");
                self.asked(now, asked, Err(ErrorResponse::params(text)));
            }
            // One that is over is acknowledged, too.
            _ if stored.task.is_over() => self.asked(now, asked, Ok(String::new())),
            TaskWish::Cancel => {
                stored.over(now, Status::Cancelled);
                self.write_for(now, asked, stored, version, AskStep::Write);
            }
            TaskWish::Update(answers) => {
                let mut is_changed = false;
                for (key, response) in answers.iter() {
                    let open = stored.questions.iter().find(|question| question.key == *key);
                    let Some(open) = open.filter(|_| !stored.answers.contains_key(key)) else { continue };
                    let answer = match as_answer(open.method, response) {
                        Some(response) => Answer::Result(response.as_ref().into()),
                        None => Answer::Failed(wrong_shape(open.method)),
                    };
                    stored.answers.insert(key.clone(), answer);
                    is_changed = true;
                }
                if !is_changed {
                    return self.asked(now, asked, Ok(String::new()));
                }
                stored.task.updated = now.unix;
                if stored.answers.len() == stored.questions.len() {
                    stored.task.status = Status::Working;
                }
                self.write_for(now, asked, stored, version, AskStep::Write);
            }
        }
    }

    /// What became of a write for a request.
    pub(super) fn ask_told(
        &mut self,
        now: Now,
        asked: AskedTask,
        stored: &StoredTask,
        outcome: &StoreOutcome,
    ) {
        match outcome.status {
            StoreStatus::Done => {
                let key = asked.key.clone();
                self.tell_of_task(now, &key);
                if *stored.process == *self.store.process() {
                    self.look_at_task(now, &key);
                } else if !stored.process.is_empty() {
                    let channel = inbox_of(&stored.process).into();
                    let publish = Operation::Publish { channel, data: key.as_bytes().to_vec() };
                    self.ask_store(now, publish, Waiting::Nothing);
                }
                match asked.wish {
                    // It was found lost, and what the request wants of it is still to be done.
                    _ if stored.task.is_over() => {
                        self.found(now, asked, Box::new(stored.clone()), outcome.version);
                    }
                    _ => self.asked(now, asked, Ok(String::new())),
                }
            }
            // Another process was quicker, or the answer to this write was lost.
            StoreStatus::Conflict | StoreStatus::Empty | StoreStatus::PerhapsDone => {
                self.read_task(now, asked);
            }
            StoreStatus::TooLarge => self.asked(now, asked, Err(too_large())),
            StoreStatus::Unavailable | StoreStatus::Refused => self.asked(now, asked, Err(away())),
        }
    }

    /// Answers a request about a task. One that names several goes on with the next.
    pub(super) fn asked(&mut self, now: Now, mut asked: AskedTask, result: Result<String, ErrorResponse>) {
        let is_away = matches!(&result, Err(refusal) if refusal.code == error_code::BUSY);
        match &mut asked.wish {
            TaskWish::Tell => {
                if result.is_err() && !is_away {
                    self.refuse_waiters_of(&TaskId::known(&asked.task), &expired());
                }
                self.shared_tasks.looking = self.shared_tasks.looking.saturating_sub(1);
                return self.look_at_next(now);
            }
            TaskWish::Sweep => {
                let is_done = result.is_ok() && !asked.is_left;
                return self.swept(now, &asked.key, is_done);
            }
            TaskWish::Listen { left, .. } | TaskWish::List { left, .. } if !is_away => {
                if let Some(next) = left.pop() {
                    (asked.key, asked.task, asked.tries) = (key_of(&next).into(), next, 0);
                    return self.read_task(now, asked);
                }
            }
            _ => {}
        }
        let Some(waiter) = self.waiters.take(&asked.wait).pop() else { return };
        let (Some(context), to, id) = (asked.context, waiter.stream, &waiter.id) else { return };
        match (result, asked.wish) {
            (Err(refusal), wish)
                if is_away || !matches!(wish, TaskWish::Listen { .. } | TaskWish::List { .. }) =>
            {
                self.refuse(to, Some(id), &refusal);
            }
            (_, TaskWish::List { page, next, .. }) => {
                let next = next.map(|next| format!(",\"nextCursor\":\"{next}\"")).unwrap_or_default();
                let result = format!("{{\"tasks\":[{}]{next}}}", page.join(","));
                self.result(to, id, Some((&context, "")), &result);
            }
            (_, TaskWish::Listen { params, known, .. }) => {
                let head = RequestHead { now, from: asked.from, id, context };
                if let Err(refusal) = self.listen_to(&head, Some(&params), Some(&known)) {
                    return self.refuse(to, Some(id), &refusal);
                }
                for task in &known {
                    self.watch_task(now, task);
                }
            }
            // No method is named: how a task is may not be kept.
            (result, _) => {
                let result = format!("{{{}}}", result.unwrap_or_default());
                self.result(to, id, Some((&context, "")), &result);
            }
        }
    }
}
