//! Requests `tasks/result` that wait for the end of their task (2025-11-25): found by task, and by session and id.

use super::table::TaskId;
use crate::engine::server::effect::{SessionId, Stream};
use crate::engine::server::requests::params::WireId;
use crate::sorted::SortedSet;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// One request that waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResultWaiter {
    /// Where its answer goes.
    pub stream: Stream,
    /// Within which of the session's streams its id is compared.
    pub space: u64,
    /// Its id.
    pub id: WireId,
    /// Whose it is.
    pub holder: u64,
}

/// Requests that wait elsewhere.
#[derive(Clone, Copy, Default, Debug)]
pub struct WaitingElsewhere {
    /// Those of the session.
    pub of_session: usize,
    /// Those of its holder.
    pub of_holder: usize,
    /// All of them.
    pub all: usize,
}

/// All of them. Each is in both indexes.
#[derive(Debug, Default)]
pub struct ResultWaiters {
    by_task: HashMap<TaskId, Vec<ResultWaiter>>,
    by_session: HashMap<SessionId, HashMap<(u64, WireId), TaskId>>,
    by_holder: HashMap<u64, usize>,
    count: usize,
    ended: u64,
}

impl ResultWaiters {
    /// A request waits for the end of `task`.
    pub fn add(&mut self, task: &TaskId, waiter: ResultWaiter) {
        let key = (waiter.space, waiter.id.clone());
        self.by_session.entry(waiter.stream.session).or_default().insert(key, task.clone());
        *self.by_holder.entry(waiter.holder).or_default() += 1;
        self.by_task.entry(task.clone()).or_default().push(waiter);
        self.count += 1;
    }

    /// How many have waited so far and do not any more.
    pub fn ended(&self) -> u64 {
        self.ended
    }

    /// How many wait.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many of one session wait.
    pub fn of_session(&self, session: SessionId) -> usize {
        self.by_session.get(&session).map_or(0, HashMap::len)
    }

    /// How many wait beside the requests of a session.
    pub fn beside(&self, session: SessionId, holder: u64) -> WaitingElsewhere {
        let of_holder = self.by_holder.get(&holder).copied().unwrap_or_default();
        WaitingElsewhere { of_session: self.of_session(session), of_holder, all: self.count }
    }

    /// How many wait on one stream.
    #[cfg(feature = "http")]
    pub fn on_stream(&self, stream: Stream) -> usize {
        // The ids of a session over HTTP are compared on each stream by itself.
        let of_session = self.by_session.get(&stream.session);
        of_session.map_or(0, |all| all.keys().filter(|(space, _)| *space == stream.number).count())
    }

    /// Whether a request with that id waits.
    pub fn has(&self, session: SessionId, space: u64, id: &WireId) -> bool {
        self.by_session.get(&session).is_some_and(|all| all.contains_key(&(space, id.clone())))
    }

    /// Whether any waits for a task.
    pub fn wait_for(&self, task: &str) -> bool {
        self.by_task.contains_key(task)
    }

    /// The stream of the first request that waits for a task: what belongs to the task goes there.
    pub fn stream(&self, task: &TaskId) -> Option<Stream> {
        self.by_task.get(task)?.first().map(|waiter| waiter.stream)
    }

    /// Takes out the requests that wait for a task, in the order in which they came.
    pub fn take(&mut self, task: &TaskId) -> Vec<ResultWaiter> {
        let waiters = self.by_task.remove(task).unwrap_or_default();
        for waiter in &waiters {
            self.forget_id(waiter);
        }
        waiters
    }

    /// Takes out the requests of a session with that id, in any of its streams: its client does not want them any more. Two of
    /// one id stay, because the cancellation names neither (S-JR-12). Gives its space.
    pub fn cancel(&mut self, session: SessionId, id: &WireId) -> Option<u64> {
        let of_session = self.by_session.get(&session)?;
        let mut found = of_session.iter().filter(|((_, other), _)| other == id);
        let (Some(((space, _), task)), None) = (found.next(), found.next()) else { return None };
        let (space, task) = (*space, task.clone());
        self.remove(&task, |waiter| {
            waiter.stream.session == session && waiter.space == space && waiter.id == *id
        });
        Some(space)
    }

    /// Forgets the requests of a session.
    pub fn end_session(&mut self, session: SessionId) {
        let Some(of_session) = self.by_session.get(&session) else { return };
        for task in of_session.values().cloned().collect::<Vec<_>>() {
            self.remove(&task, |waiter| waiter.stream.session == session);
        }
    }

    /// Takes out all of them: the server closes.
    pub fn end_all(&mut self) -> Vec<ResultWaiter> {
        let tasks: Vec<TaskId> = self.by_task.keys().cloned().collect();
        tasks.iter().flat_map(|task| self.take(task)).collect()
    }

    fn remove(&mut self, task: &TaskId, mut is_meant: impl FnMut(&ResultWaiter) -> bool) {
        let Some(waiters) = self.by_task.remove(task) else { return };
        let (gone, left): (Vec<ResultWaiter>, Vec<ResultWaiter>) =
            waiters.into_iter().partition(|it| is_meant(it));
        if !left.is_empty() {
            self.by_task.insert(task.clone(), left);
        }
        for waiter in &gone {
            self.forget_id(waiter);
        }
    }

    fn forget_id(&mut self, waiter: &ResultWaiter) {
        self.count -= 1;
        self.ended += 1;
        if let Some(of_holder) = self.by_holder.get_mut(&waiter.holder) {
            *of_holder -= 1;
            if *of_holder == 0 {
                self.by_holder.remove(&waiter.holder);
            }
        }
        let session = waiter.stream.session;
        if let Some(of_session) = self.by_session.get_mut(&session) {
            of_session.remove(&(waiter.space, waiter.id.clone()));
            if of_session.is_empty() {
                self.by_session.remove(&session);
            }
        }
    }
}

/// The least time between two notifications about one task.
const INTERVAL: Duration = Duration::from_millis(100);

/// When clients were told of each task, and which changes they are still to be told of.
#[derive(Debug, Default)]
pub struct TaskNotificationPace {
    told: HashMap<TaskId, Instant>,
    due: SortedSet<(Instant, TaskId)>,
}

impl TaskNotificationPace {
    /// A task has changed; whether its client is to be told now.
    pub fn changed(&mut self, id: &TaskId, now: Instant) -> bool {
        match self.told.get(id).map(|last| *last + INTERVAL) {
            Some(next) if now < next => {
                self.due.insert((next, id.clone()));
                false
            }
            before => {
                if let Some(next) = before {
                    self.due.remove(&(next, id.clone()));
                }
                self.told.insert(id.clone(), now);
                true
            }
        }
    }

    /// A task that is to be told of now, because its interval is over.
    pub fn take(&mut self, now: Instant) -> Option<TaskId> {
        let next = self.due.first().filter(|(at, _)| *at <= now)?.clone();
        self.due.remove(&next);
        self.told.insert(next.1.clone(), now);
        Some(next.1)
    }

    /// A task is not there any more.
    pub fn forget(&mut self, id: &TaskId) {
        if let Some(last) = self.told.remove(id) {
            self.due.remove(&(last + INTERVAL, id.clone()));
        }
    }

    /// When the next task is to be told of.
    pub fn due(&self) -> Option<Instant> {
        self.due.first().map(|(at, _)| *at)
    }

    /// For how many tasks something is remembered.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.told.len() + self.due.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiter(session: u64, space: u64, id: &str) -> ResultWaiter {
        let id = WireId::read(id, 64).expect("an id");
        ResultWaiter {
            stream: Stream { session: SessionId(session), number: space },
            space,
            id,
            holder: session,
        }
    }

    #[test]
    fn a_request_is_in_both_indexes_or_in_none() {
        let mut waiters = ResultWaiters::default();
        let (one, two) = (TaskId::new([1; 16]), TaskId::new([2; 16]));
        waiters.add(&one, waiter(1, 0, "1"));
        waiters.add(&one, waiter(2, 0, "1"));
        waiters.add(&two, waiter(1, 0, "2"));
        assert_eq!(
            (waiters.count(), waiters.of_session(SessionId(1)), waiters.by_holder.get(&1)),
            (3, 2, Some(&2))
        );
        assert!(waiters.cancel(SessionId(1), &WireId::read("1", 64).expect("an id")).is_some());
        assert!(waiters.cancel(SessionId(1), &WireId::read("1", 64).expect("an id")).is_none());
        assert_eq!(waiters.take(&one), [waiter(2, 0, "1")]);
        waiters.end_session(SessionId(1));
        assert_eq!(
            (waiters.count(), waiters.of_session(SessionId(1)), waiters.by_holder.get(&1)),
            (0, 0, None)
        );
        assert_eq!(waiters.take(&two), []);
    }

    #[test]
    fn a_cancellation_that_names_two_requests_ends_neither() {
        let mut waiters = ResultWaiters::default();
        let task = TaskId::new([1; 16]);
        waiters.add(&task, waiter(1, 7, "1"));
        waiters.add(&task, waiter(1, 8, "1"));
        assert!(waiters.cancel(SessionId(1), &WireId::read("1", 64).expect("an id")).is_none());
        assert_eq!(waiters.end_all().len(), 2);
    }
}
