//! How often clients are told how a task is: at once, and then once per interval, with its state at that time.

use super::tasks::TaskId;
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// The least time between two notifications about one task.
const INTERVAL: Duration = Duration::from_millis(100);

/// When clients were told of each task, and which changes they are still to be told of.
#[derive(Debug, Default)]
pub(super) struct TaskPace {
    told: HashMap<TaskId, Instant>,
    due: BTreeSet<(Instant, TaskId)>,
}

impl TaskPace {
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
