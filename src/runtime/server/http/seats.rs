//! `Seats`: the connections of one URL, up to their bound. Where one more comes, one that has asked for nothing gives way, of the
//! client that has most of those; else one on which nothing is under way, of the client that has most connections.

use super::progress::{ConnectionProgress, ProgressStep};
use crate::runtime::lock;
use crate::shares::Holder;
use crate::shares::Places;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::task::AbortHandle;

/// A connection that is open.
#[derive(Debug)]
struct OpenConnection {
    progress: Arc<ConnectionProgress>,
    /// What serves it; not there before it runs.
    task: Option<AbortHandle>,
}

#[derive(Debug)]
struct Table {
    places: Places<Holder>,
    open: HashMap<u64, OpenConnection>,
    next: u64,
    /// Connections whose tasks are not over, those included that gave way.
    live: usize,
}

/// The connections of one URL. Owns who has them.
#[derive(Clone, Debug)]
pub(super) struct Seats {
    most: usize,
    table: Arc<Mutex<Table>>,
}

/// One of them, until it is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    number: u64,
    progress: Arc<ConnectionProgress>,
    table: Arc<Mutex<Table>>,
}

impl Seats {
    /// Room for `most` connections.
    pub(super) fn new(most: usize) -> Seats {
        let table = Table { places: Places::new(most), open: HashMap::new(), next: 0, live: 0 };
        Seats { most, table: Arc::new(Mutex::new(table)) }
    }

    /// A seat for one more connection. `None` if there are as many as there may be and none gives way.
    pub(super) fn take(&self, holder: &Holder) -> Option<Seat> {
        let is_full = lock(&self.table).places.len() >= self.most;
        if is_full && !self.give_way(holder) {
            return None;
        }
        let mut table = lock(&self.table);
        let number = table.next;
        // Another thread may have taken the room.
        if !table.places.add(number, holder.clone()) {
            return None;
        }
        table.next += 1;
        table.live += 1;
        let progress = ConnectionProgress::new();
        table.open.insert(number, OpenConnection { progress: Arc::clone(&progress), task: None });
        Some(Seat { number, progress, table: Arc::clone(&self.table) })
    }

    /// What serves a connection, which ends it.
    pub(super) fn serves(&self, number: u64, task: AbortHandle) {
        match lock(&self.table).open.get_mut(&number) {
            Some(open) => open.task = Some(task),
            // It gave way before.
            None => task.abort(),
        }
    }

    /// Ends a connection for one of `newcomer`; whether one gave way.
    pub(super) fn give_way(&self, newcomer: &Holder) -> bool {
        let mut table = lock(&self.table);
        let Table { places, open, .. } = &mut *table;
        let is_in_use =
            |number| open.get(&number).is_some_and(|open: &OpenConnection| open.progress.is_busy());
        let Some(number) = places.give_way(newcomer, is_in_use) else { return false };
        let gone = table.open.remove(&number);
        drop(table);
        if let Some(task) = gone.and_then(|open| open.task) {
            task.abort();
        }
        true
    }

    /// How many connections there are, those included that gave way and are not over.
    pub(super) fn count(&self) -> usize {
        lock(&self.table).live
    }
}

impl Seat {
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// What is under way on the connection.
    pub(super) fn progress(&self) -> &Arc<ConnectionProgress> {
        &self.progress
    }

    /// A request has come.
    pub(super) fn begin(&self) -> ProgressStep {
        lock(&self.table).places.used(self.number);
        self.progress.begin()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut table = lock(&self.table);
        table.live -= 1;
        table.places.remove(self.number);
        let gone = table.open.remove(&self.number);
        drop(table);
        drop(gone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(last: u8) -> Holder {
        Holder::Address(std::net::Ipv4Addr::new(127, 0, 0, last).into())
    }

    #[test]
    fn a_connection_that_has_asked_for_something_stays_and_one_that_is_asked_on_too() {
        let seats = Seats::new(3);
        let (asked, asks) = (seats.take(&at(1)).expect("room"), seats.take(&at(2)).expect("room"));
        drop(asked.begin());
        let step = asks.begin();
        let silent: Vec<Seat> =
            (0..100).map(|_| seats.take(&at(2)).expect("a silent one gives way")).collect();
        let open = |seats: &Seats| {
            let mut open: Vec<u64> = lock(&seats.table).open.keys().copied().collect();
            open.sort_unstable();
            open
        };
        let last = silent.last().expect("one").number;
        assert_eq!(open(&seats), [asked.number, asks.number, last]);
        assert!(seats.count() > 3, "those that gave way are not over yet");
        // One more of an address that has fewer: the silent one goes, then one that is asked on.
        let more = seats.take(&at(3)).expect("room");
        assert_eq!(open(&seats), [asked.number, asks.number, more.number]);
        drop((step, silent));
        let second = asks.begin();
        drop((more, asked, second, asks));
        assert_eq!(seats.count(), 0);
    }
}
