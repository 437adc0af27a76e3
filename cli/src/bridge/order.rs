//! What comes before what: a client that changes its subscriptions or its level of log messages finds the change made at the server
//! behind when its next call arrives there. Its own calls wait for that, and those of no other client.

use crate::ordered::sort_by;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// The most changes that one server is asked for at one time. What changes meanwhile is asked for when one has been made, the oldest first.
const MOST: usize = 8;

/// The changes that one server is asked for, and the requests (`T`) of clients that wait for theirs. Clients have numbers.
#[derive(Debug)]
pub struct Order<T> {
    /// The calls that ask the server.
    under_way: HashSet<u64>,
    /// Resources whose subscriptions could not be asked for yet.
    late: Late,
    /// Clients whose levels of log messages could not be asked for yet.
    levels: HashSet<u64>,
    /// The calls that came before the next request of a client.
    before: HashMap<u64, HashSet<u64>>,
    held: HashMap<u64, VecDeque<T>>,
}

/// Resources in the order in which their subscriptions are to be changed. A client waits for those that were there when it changed its
/// own, which have lower numbers than those that came later, and not for what others add without end.
#[derive(Debug, Default)]
struct Late {
    uris: BTreeMap<u64, String>,
    numbers: HashMap<String, u64>,
    next: u64,
    /// The last number that each client waits for.
    clients: HashMap<u64, u64>,
}

impl Late {
    /// Takes what is to be changed: what is there keeps its place, and what needs no change any more loses it.
    fn take(&mut self, uris: &HashSet<&str>) {
        self.numbers.retain(|uri, _| uris.contains(uri.as_str()));
        self.uris.retain(|_, uri| uris.contains(uri.as_str()));
        let mut new: Vec<&&str> = uris.iter().filter(|uri| !self.numbers.contains_key(**uri)).collect();
        sort_by(&mut new, Ord::cmp);
        for uri in new {
            self.numbers.insert((*uri).to_owned(), self.next);
            self.uris.insert(self.next, (*uri).to_owned());
            self.next += 1;
        }
    }

    fn first(&mut self) -> Option<String> {
        let (_, uri) = self.uris.pop_first()?;
        self.numbers.remove(&uri);
        Some(uri)
    }

    /// Takes out the clients for which nothing is late any more.
    fn released(&mut self) -> Vec<u64> {
        let first = self.uris.first_key_value().map_or(u64::MAX, |(number, _)| *number);
        let ready: Vec<u64> =
            self.clients.iter().filter(|(_, last)| **last < first).map(|(client, _)| *client).collect();
        self.clients.retain(|_, last| *last >= first);
        ready
    }
}

impl<T> Order<T> {
    pub fn new() -> Order<T> {
        Order {
            under_way: HashSet::new(),
            late: Late::default(),
            levels: HashSet::new(),
            before: HashMap::new(),
            held: HashMap::new(),
        }
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

    /// The subscriptions to these resources differ from what clients want, whose calls come after that. Those for which there is room are
    /// asked for: `ask` begins the call, and gives its number.
    pub fn change(
        &mut self,
        differing: &HashSet<&str>,
        clients: &[u64],
        mut ask: impl FnMut(&str) -> Option<u64>,
    ) {
        self.late.take(differing);
        for client in clients {
            self.late.clients.insert(*client, self.late.next.saturating_sub(1));
        }
        while self.under_way.len() < MOST
            && let Some(uri) = self.late.first()
        {
            self.under_way.extend(ask(&uri));
        }
        for client in self.late.released() {
            self.follow(client);
        }
    }

    /// Whether the subscription to a resource could not be asked for yet.
    pub fn is_late(&self, uri: &str) -> bool {
        self.late.numbers.contains_key(uri)
    }

    /// Whether there are such resources.
    pub fn has_late(&self) -> bool {
        !self.late.uris.is_empty()
    }

    /// A level of a client is asked for later.
    pub fn put_off_level(&mut self, client: u64) {
        self.levels.insert(client);
    }

    /// The level that was put off is under way now, or needs no call any more.
    pub fn level_caught_up(&mut self) {
        for client in std::mem::take(&mut self.levels) {
            self.follow(client);
        }
    }

    /// Whether a request of a client has to wait.
    pub fn must_wait(&self, client: u64) -> bool {
        self.held.contains_key(&client) || self.has_changes(client)
    }

    fn has_changes(&self, client: u64) -> bool {
        self.before.contains_key(&client)
            || self.levels.contains(&client)
            || self.late.clients.contains_key(&client)
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
        let mut asked = Vec::new();
        let mut change = |order: &mut Order<char>, uris: &[String], clients: &[u64]| {
            let uris = uris.iter().map(String::as_str).collect();
            order.change(&uris, clients, |uri| {
                asked.push(uri.to_owned());
                Some(asked.len() as u64)
            });
            asked.clone()
        };
        let mut wanted: Vec<String> = (0..20).map(|number| format!("x:{number:02}")).collect();
        let first = change(&mut order, &wanted, &[7]);
        assert_eq!((first.len(), order.under_way.len()), (MOST, MOST));
        assert!(!order.must_wait(8));
        order.hold(7, 'x');
        wanted.retain(|uri| !first.contains(uri));
        wanted.push("y:".to_owned());
        change(&mut order, &wanted, &[8]);
        order.hold(8, 'y');
        assert!(order.is_late("y:") && order.has_late());
        let mut released = Vec::new();
        for call in 1..=40 {
            // One more of the client 7 for each that was made.
            order.ended(call);
            wanted.push(format!("x:{}", 100 + call));
            let asked = change(&mut order, &wanted, &[7]);
            wanted.retain(|uri| !asked.contains(uri));
            released.extend(order.released());
        }
        assert_eq!(released, ['y'], "those that came later hold up nothing");
        assert!(
            order.must_wait(7) && !order.must_wait(8) && order.late.uris.len() == order.late.numbers.len()
        );
        // What was taken back is not asked for.
        let asked = change(&mut order, &[], &[]).len() as u64;
        assert!(!order.has_late());
        for call in 1..=asked {
            order.ended(call);
        }
        assert_eq!(order.released(), ['x']);
        assert!(order.late.clients.is_empty() && order.late.numbers.is_empty());
    }
}
