//! The threads and started calls that wait for the connection.

use crate::engine::millis;
use std::time::Duration;

#[derive(Debug)]
struct Connect<T> {
    key: u64,
    ticket: T,
    timeout: Duration,
}

/// Who waits for the connection, in the order of asking.
#[derive(Debug)]
pub(super) struct Connects<T> {
    /// The last key that was given.
    last: u64,
    waiting: Vec<Connect<T>>,
}

impl<T> Default for Connects<T> {
    fn default() -> Self {
        Connects { last: 0, waiting: Vec::new() }
    }
}

impl<T> Connects<T> {
    /// One more waits. Gives its key, for the timer that ends its wait.
    pub(super) fn add(&mut self, ticket: T, timeout: Option<Duration>) -> u64 {
        self.last += 1;
        self.waiting.push(Connect { key: self.last, ticket, timeout: timeout.unwrap_or_default() });
        self.last
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether the one with this key still waits.
    pub(super) fn is_due(&self, key: u64) -> bool {
        self.waiting.iter().any(|connect| connect.key == key)
    }

    /// The time of the one with this key is over. Gives it, and how many milliseconds it had.
    pub(super) fn timed_out(&mut self, key: u64) -> Option<(T, u64)> {
        let at = self.waiting.iter().position(|connect| connect.key == key)?;
        let Connect { ticket, timeout, .. } = self.waiting.remove(at);
        Some((ticket, millis(timeout)))
    }

    /// The one that `is_it` does not want to wait any more.
    pub(super) fn cancel(&mut self, is_it: impl Fn(&T) -> bool) -> Option<T> {
        let at = self.waiting.iter().position(|connect| is_it(&connect.ticket))?;
        Some(self.waiting.remove(at).ticket)
    }

    /// All of them: their wait is over.
    pub(super) fn end(&mut self) -> impl Iterator<Item = T> + use<T> {
        std::mem::take(&mut self.waiting).into_iter().map(|connect| connect.ticket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wait_ends_once() {
        let mut connects = Connects::default();
        let first = connects.add('a', Some(Duration::from_secs(2)));
        let second = connects.add('b', None);
        connects.add('c', None);
        assert_eq!(connects.timed_out(first), Some(('a', 2000)));
        assert_eq!(connects.timed_out(first), None);
        assert!(connects.is_due(second) && !connects.is_due(first));
        assert_eq!(connects.cancel(|ticket| *ticket == 'b'), Some('b'));
        assert_eq!(connects.cancel(|ticket| *ticket == 'b'), None);
        assert_eq!((connects.end().collect::<String>(), connects.len()), ("c".to_owned(), 0));
    }
}
