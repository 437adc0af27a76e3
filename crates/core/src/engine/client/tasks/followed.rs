//! The tasks of one client, as data: which call has become which task, what is known of it and asked about it, and which tasks are
//! still to be cancelled.

use crate::engine::ById;
use crate::engine::client::exchanges::TaskRequest;
use crate::protocol::task::{self, Form, Task};
use std::time::{Duration, Instant};

/// Requests that no call waits for, and tasks that are to be cancelled when there is a connection.
pub(crate) const ASIDE: usize = 64;

/// One input that the server of a task asked for.
#[derive(Debug)]
struct TaskInput {
    /// As it was written, without quotes.
    name: Box<str>,
    /// The application's key of the request.
    key: Option<u64>,
    /// The answer, until the server has it.
    answer: Option<Box<str>>,
    /// The request under way that brings it.
    sent: Option<u64>,
}

/// A task that a call has become, or watches.
#[derive(Debug)]
struct FollowedTask {
    name: Box<str>,
    form: Form,
    /// Whether the call made it, and so ends it when it is cancelled.
    owned: bool,
    /// What the application was told of it.
    told: Option<(task::Status, Option<Box<str>>)>,
    interval: Duration,
    /// When something is to be done: it is asked for again, or what was asked has had its time.
    again: Option<Instant>,
    /// The request under way that asks how it is.
    asking: Option<u64>,
    /// The request under way that asks what it came to.
    awaiting: Option<u64>,
    /// Requests in a row that came to nothing.
    failures: u32,
    /// Everything that the server ever asked for it.
    inputs: Vec<TaskInput>,
}

impl FollowedTask {
    /// Whether the server has said that it is over.
    fn is_over(&self) -> bool {
        self.told
            .as_ref()
            .is_some_and(|(status, _)| matches!(status, task::Status::Completed | task::Status::Failed))
    }
}

/// What the server asks for a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InputAdmission {
    /// It asked for this before, or no call follows the task.
    Known,
    /// It asks for the first time: the number of the input.
    New(usize),
    /// It asks for more than it may.
    TooMuch,
}

/// The server said how a task is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TaskUpdate {
    pub(crate) form: Form,
    /// Whether the application does not know it yet.
    pub(crate) is_new: bool,
}

/// A task that is not followed any more.
#[derive(Debug)]
pub(crate) struct ReleasedTask {
    pub(crate) name: Box<str>,
    /// Whether the call made it.
    pub(crate) owned: bool,
    /// The request under way that asks what it came to.
    pub(crate) awaiting: Option<u64>,
    /// Every request under way about it.
    pub(crate) exchanges: Vec<u64>,
    /// The application's keys of the open requests for input.
    pub(crate) requests: Vec<u64>,
}

/// A task that is to be cancelled.
#[derive(Debug)]
pub(crate) struct UnwantedTask {
    pub(crate) form: Form,
    pub(crate) name: Box<str>,
    /// The `tasks/cancel` in progress. Without one it is sent on the next connection.
    pub(crate) exchange: Option<u64>,
}

/// The tasks of one client.
#[derive(Default, Debug)]
pub(crate) struct FollowedTasks {
    /// By their calls.
    followed: ById<FollowedTask>,
    /// Exchanges that are orphans or end tasks, the oldest first.
    aside: Vec<u64>,
    /// Tasks whose servers do not know yet that they are to be cancelled.
    unwanted: Vec<UnwantedTask>,
}

impl FollowedTasks {
    /// Whether this call has become a task, or watches one.
    pub(crate) fn holds(&self, call: u64) -> bool {
        self.followed.contains_key(&call)
    }

    /// Whether the task of this call is due at this time.
    pub(crate) fn is_due(&self, call: u64, at: Instant) -> bool {
        self.followed.get(&call).is_some_and(|task| task.again == Some(at))
    }

    pub(crate) fn len(&self) -> usize {
        self.followed.len()
    }

    /// The names of the tasks that calls have become, for those who listen to them.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.in_order().iter().filter_map(|call| Some(self.followed.get(call)?.name.as_ref())).collect()
    }

    /// Nothing that was under way on the connection comes to anything. The server may not have heard which tasks are not wanted.
    pub(crate) fn connection_ended(&mut self) {
        self.aside.clear();
        for unwanted in &mut self.unwanted {
            unwanted.exchange = None;
        }
        for task in self.followed.values_mut() {
            (task.asking, task.awaiting, task.again) = (None, None, None);
            task.failures = 0;
            for input in &mut task.inputs {
                input.sent = None;
            }
        }
    }

    /// The calls that are tasks, in the order they were made, and the forms of these.
    pub(crate) fn forms(&self) -> Vec<(u64, Form)> {
        self.in_order().iter().filter_map(|call| Some((*call, self.followed.get(call)?.form))).collect()
    }

    fn in_order(&self) -> Vec<u64> {
        let mut calls: Vec<u64> = self.followed.keys().copied().collect();
        crate::sorted::order(&mut calls);
        calls
    }

    /// The calls that follow the task of this name, in the order they were made.
    pub(crate) fn named(&self, name: &str) -> Vec<u64> {
        let mut calls = self.in_order();
        calls.retain(|call| self.followed.get(call).is_some_and(|task| *task.name == *name));
        calls
    }

    /// A call has become a task, or watches one. `owned` says that the call made it.
    pub(crate) fn follow(&mut self, call: u64, form: Form, name: &str, owned: bool, interval: Duration) {
        let followed = FollowedTask {
            name: name.into(),
            form,
            owned,
            told: None,
            interval,
            again: None,
            asking: None,
            awaiting: None,
            failures: 0,
            inputs: Vec::new(),
        };
        self.followed.insert(call, followed);
    }

    /// The name of a call's task.
    pub(crate) fn name(&self, call: u64) -> Option<&str> {
        self.followed.get(&call).map(|task| task.name.as_ref())
    }

    /// The task that this call made, if it did.
    pub(crate) fn made_by(&self, call: u64) -> Option<(Form, Box<str>)> {
        self.followed.get(&call).filter(|task| task.owned).map(|task| (task.form, task.name.clone()))
    }

    /// Whether what the server said last is that the task is over.
    pub(crate) fn is_over(&self, call: u64) -> bool {
        self.followed.get(&call).is_some_and(FollowedTask::is_over)
    }

    /// Whether the server ever asked for something.
    pub(crate) fn has_inputs(&self, call: u64) -> bool {
        self.followed.get(&call).is_some_and(|task| !task.inputs.is_empty())
    }

    /// The name of a task whose state can be asked for: no request about it is under way.
    pub(crate) fn unasked(&self, call: u64) -> Option<Box<str>> {
        let task = self.followed.get(&call)?;
        (task.asking.is_none() && task.awaiting.is_none()).then(|| task.name.clone())
    }

    /// The name of a task whose outcome can be asked for: no request for it is under way.
    pub(crate) fn unawaited(&self, call: u64) -> Option<Box<str>> {
        self.followed.get(&call).filter(|task| task.awaiting.is_none()).map(|task| task.name.clone())
    }

    /// A request about a task was sent.
    pub(crate) fn asked(&mut self, call: u64, step: TaskRequest, exchange: u64) {
        self.set(call, step, Some(exchange));
    }

    /// A request about a task is over.
    pub(crate) fn forget(&mut self, call: u64, step: TaskRequest) {
        self.set(call, step, None);
    }

    fn set(&mut self, call: u64, step: TaskRequest, exchange: Option<u64>) {
        let Some(task) = self.followed.get_mut(&call) else { return };
        match step {
            TaskRequest::Poll => task.asking = exchange,
            TaskRequest::Result => task.awaiting = exchange,
            TaskRequest::Update(index) => {
                if let Some(input) = task.inputs.get_mut(index) {
                    input.sent = exchange;
                }
            }
        }
    }

    /// Something is to be done about a task at this time. Says whether the call has one.
    pub(crate) fn look_at(&mut self, call: u64, at: Instant) -> bool {
        let task = self.followed.get_mut(&call);
        task.map(|task| task.again = Some(at)).is_some()
    }

    /// Nothing is to be done about a task until something happens.
    pub(crate) fn stop_looking(&mut self, call: u64) {
        if let Some(task) = self.followed.get_mut(&call) {
            task.again = None;
        }
    }

    /// How long to wait before a task is asked for again; `None` while something is asked about it.
    pub(crate) fn interval(&self, call: u64) -> Option<Duration> {
        let task = self.followed.get(&call)?;
        (task.asking.is_none() && task.awaiting.is_none()).then_some(task.interval)
    }

    /// The time has come for a task. Gives the requests about it that have had their time.
    pub(crate) fn due(&mut self, call: u64) -> Option<Vec<u64>> {
        let task = self.followed.get_mut(&call)?;
        task.again = None;
        Some(task.asking.take().into_iter().chain(task.awaiting.take()).collect())
    }

    /// A request about a task came to nothing. Gives how many did so in a row.
    pub(crate) fn failed(&mut self, call: u64) -> Option<u32> {
        let task = self.followed.get_mut(&call)?;
        task.failures += 1;
        Some(task.failures)
    }

    /// The server said how a task is. `paces` are the least and the longest wait before it is asked for again. Nothing is given of
    /// a state that another one overtook: nothing follows the end of a task, and over HTTP an older message may come later.
    pub(crate) fn told(
        &mut self,
        call: u64,
        said: &Task,
        paces: Option<(Duration, Duration)>,
    ) -> Option<TaskUpdate> {
        let task = self.followed.get_mut(&call)?;
        task.failures = 0;
        if let (Some(ms), Some((least, most))) = (said.poll_ms, paces) {
            task.interval = Duration::from_millis(ms).clamp(least, most);
        }
        if task.is_over() && task.told.as_ref().is_some_and(|(status, _)| *status != said.status) {
            return None;
        }
        let message = said.message.as_deref();
        let is_new = task
            .told
            .as_ref()
            .is_none_or(|(status, said_then)| (*status, said_then.as_deref()) != (said.status, message));
        if is_new {
            task.told = Some((said.status, message.map(Into::into)));
        }
        Some(TaskUpdate { form: task.form, is_new })
    }

    /// The server asks for something by this name. It may ask for `most` things in the life of a task.
    pub(crate) fn wants(&mut self, call: u64, name: &str, most: usize) -> InputAdmission {
        let Some(task) = self.followed.get_mut(&call) else { return InputAdmission::Known };
        if task.inputs.iter().any(|known| *known.name == *name) {
            return InputAdmission::Known;
        }
        let index = task.inputs.len();
        if index >= most {
            return InputAdmission::TooMuch;
        }
        task.inputs.push(TaskInput { name: name.into(), key: None, answer: None, sent: None });
        InputAdmission::New(index)
    }

    /// An input was handed to the application under this key.
    pub(crate) fn input_handed_on(&mut self, call: u64, index: usize, key: u64) {
        if let Some(input) = self.input(call, index) {
            input.key = Some(key);
        }
    }

    /// An input has its answer. Says whether the call still has it.
    pub(crate) fn answer(&mut self, call: u64, index: usize, answer: &str) -> bool {
        self.input(call, index).map(|input| input.answer = Some(answer.into())).is_some()
    }

    /// The server has an input.
    pub(crate) fn input_taken(&mut self, call: u64, index: usize) {
        if let Some(input) = self.input(call, index) {
            (input.answer, input.sent) = (None, None);
        }
    }

    fn input(&mut self, call: u64, index: usize) -> Option<&mut TaskInput> {
        self.followed.get_mut(&call).and_then(|task| task.inputs.get_mut(index))
    }

    /// The inputs with an answer that the server does not have yet: their numbers, names (as they were written) and answers.
    pub(crate) fn inputs_due(&self, call: u64) -> impl Iterator<Item = (usize, &str, &str)> {
        let inputs = self.followed.get(&call).map_or(&[][..], |task| &task.inputs);
        inputs
            .iter()
            .enumerate()
            .filter(|(_, input)| input.sent.is_none())
            .filter_map(|(index, input)| Some((index, input.name.as_ref(), input.answer.as_deref()?)))
    }

    /// A call has ended: its task is not followed any more.
    pub(crate) fn release(&mut self, call: u64) -> Option<ReleasedTask> {
        let task = self.followed.remove(&call)?;
        let updates = task.inputs.iter().filter_map(|input| input.sent);
        let exchanges = task.asking.into_iter().chain(task.awaiting).chain(updates).collect();
        let requests = task.inputs.iter().filter_map(|input| input.key).collect();
        Some(ReleasedTask {
            name: task.name,
            owned: task.owned,
            awaiting: task.awaiting,
            exchanges,
            requests,
        })
    }

    /// Remembers an exchange that no call waits for. Gives the oldest if there are too many, to be ended.
    pub(crate) fn set_aside(&mut self, exchange: u64) -> Option<u64> {
        self.aside.push(exchange);
        (self.aside.len() > ASIDE).then(|| self.aside.remove(0))
    }

    /// An exchange that no call waits for was answered.
    pub(crate) fn aside_answered(&mut self, exchange: u64) {
        self.not_aside(exchange);
        if let Some(told) = self.unwanted.iter().position(|unwanted| unwanted.exchange == Some(exchange)) {
            self.unwanted.remove(told);
        }
    }

    /// The same for one whose answer will not come: it is sent again on the next connection.
    pub(crate) fn aside_lost(&mut self, exchange: u64) {
        self.not_aside(exchange);
        if let Some(untold) = self.unwanted.iter_mut().find(|unwanted| unwanted.exchange == Some(exchange)) {
            untold.exchange = None;
        }
    }

    fn not_aside(&mut self, exchange: u64) {
        if let Some(at) = self.aside.iter().position(|aside| *aside == exchange) {
            self.aside.remove(at);
        }
    }

    /// A task is to be cancelled, until its server has answered that; of too many the oldest is forgotten.
    pub(crate) fn cancel(&mut self, unwanted: UnwantedTask) {
        if self.unwanted.len() == ASIDE {
            self.unwanted.remove(0);
        }
        self.unwanted.push(unwanted);
    }

    /// The tasks to be cancelled, which are not remembered any more.
    pub(crate) fn take_unwanted(&mut self) -> Vec<UnwantedTask> {
        std::mem::take(&mut self.unwanted)
    }
}
