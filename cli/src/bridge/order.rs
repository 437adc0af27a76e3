//! What comes before what: a client that changes its subscriptions or its level of log messages finds the change made at the server
//! behind when its next call arrives there. Its own calls wait for that, and those of no other client.

use std::collections::{HashMap, HashSet, VecDeque};

/// The most changes that one server is asked for at one time. What changes meanwhile is asked for together, when one has been made.
const MOST: usize = 8;

/// What changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    Subscriptions,
    Level,
}

/// The changes that one server is asked for, and the requests (`T`) of clients that wait for theirs. Clients have numbers.
#[derive(Debug)]
pub struct Order<T> {
    /// The calls that ask the server.
    under_way: HashSet<u64>,
    /// Clients whose changes could not be asked for yet.
    put_off: [HashSet<u64>; 2],
    /// The calls that came before the next request of a client.
    before: HashMap<u64, HashSet<u64>>,
    held: HashMap<u64, VecDeque<T>>,
}

impl<T> Order<T> {
    pub fn new() -> Order<T> {
        Order {
            under_way: HashSet::new(),
            put_off: Default::default(),
            before: HashMap::new(),
            held: HashMap::new(),
        }
    }

    /// Whether one more change may be asked for.
    pub fn has_room(&self) -> bool {
        self.under_way.len() < MOST
    }

    /// A call asks for a change.
    pub fn begin(&mut self, call: u64) {
        self.under_way.insert(call);
    }

    /// Whether a call that asks for a change has no outcome yet.
    pub fn is_under_way(&self, call: u64) -> bool {
        self.under_way.contains(&call)
    }

    /// What a client sends from now on comes after the changes that are under way.
    pub fn follow(&mut self, client: u64) {
        if !self.under_way.is_empty() {
            self.before.entry(client).or_default().extend(&self.under_way);
        }
    }

    /// A change of a client is asked for later.
    pub fn put_off(&mut self, change: Change, client: u64) {
        self.put_off[change as usize].insert(client);
    }

    /// The changes that were put off are under way now, or need no call any more.
    pub fn caught_up(&mut self, change: Change) {
        for client in std::mem::take(&mut self.put_off[change as usize]) {
            self.follow(client);
        }
    }

    /// Whether changes were put off.
    pub fn is_late(&self, change: Change) -> bool {
        !self.put_off[change as usize].is_empty()
    }

    /// Whether a request of a client has to wait.
    pub fn must_wait(&self, client: u64) -> bool {
        self.held.contains_key(&client) || self.has_changes(client)
    }

    fn has_changes(&self, client: u64) -> bool {
        self.before.contains_key(&client) || self.put_off.iter().any(|clients| clients.contains(&client))
    }

    /// A request of a client waits.
    pub fn hold(&mut self, client: u64, request: T) {
        self.held.entry(client).or_default().push_back(request);
    }

    /// A call has its outcome.
    pub fn ended(&mut self, call: u64) {
        self.under_way.remove(&call);
        self.before.retain(|_, calls| {
            calls.remove(&call);
            !calls.is_empty()
        });
    }

    /// Takes out the requests that wait for nothing any more, those of each client in their order.
    pub fn released(&mut self) -> Vec<T> {
        let ready: Vec<u64> = self.held.keys().copied().filter(|client| !self.has_changes(*client)).collect();
        ready.iter().filter_map(|client| self.held.remove(client)).flatten().collect()
    }

    /// Forgets the requests of which this is not true.
    pub fn retain(&mut self, keeps: impl Fn(&T) -> bool) {
        self.held.retain(|_, requests| {
            requests.retain(&keeps);
            !requests.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_waits_for_its_own_changes_and_for_no_later_ones() {
        let mut order = Order::new();
        order.begin(1);
        order.follow(7);
        assert!(order.must_wait(7) && !order.must_wait(8));
        order.hold(7, "first");
        order.begin(2);
        order.hold(7, "second");
        order.ended(2);
        assert!(order.released().is_empty());
        order.begin(3);
        order.ended(1);
        assert_eq!(order.released(), ["first", "second"]);
        assert!(!order.must_wait(7));
        // The other change of the same client.
        order.follow(7);
        order.hold(7, "gone");
        order.retain(|request| *request != "gone");
        order.ended(3);
        assert!(order.released().is_empty() && !order.must_wait(7));
        assert!(order.before.is_empty() && order.held.is_empty() && order.under_way.is_empty());
    }

    #[test]
    fn a_client_that_changes_without_end_holds_up_itself() {
        let mut order = Order::new();
        let mut next = 0;
        for _ in 0..1000 {
            if order.has_room() {
                next += 1;
                order.begin(next);
                order.follow(7);
            } else {
                order.put_off(Change::Subscriptions, 7);
            }
            assert!(!order.must_wait(8));
        }
        assert_eq!(order.under_way.len(), MOST);
        order.follow(8);
        order.hold(8, 'b');
        order.hold(7, 'a');
        for call in 1..=next {
            assert!(order.released().is_empty());
            order.ended(call);
            order.begin(1000 + call);
        }
        assert_eq!(order.released(), ['b'], "those that came later hold up nothing");
        assert!(order.is_late(Change::Subscriptions) && order.must_wait(7));
        order.caught_up(Change::Subscriptions);
        for call in 1..=next {
            order.ended(1000 + call);
        }
        assert_eq!(order.released(), ['a']);
    }
}
