//! Whose program runs next: as many run at one time as there are permits, and no client has more than half of what others leave.
//! A permit is given back when its program is reaped, not when its call is over.

use mcp::server::{Lending, Shares};
use std::collections::{BTreeMap, HashMap};

/// Programs that run at one time, those included that are being ended. One client has at most half of what others leave: 32.
const AT_ONCE: usize = 64;
/// Bytes of the calls that wait for a permit, and what each client has in any case.
const WAITING_BYTES: usize = 64 << 20;
const OF_EACH: usize = 64 << 10;

/// What becomes of a call.
#[derive(Debug, PartialEq, Eq)]
pub enum Turn<C> {
    Now(C),
    Waits,
    /// As much waits as may.
    Refused(C),
}

/// A call that waits.
#[derive(Debug)]
struct Waiting<C> {
    bytes: usize,
    call: C,
}

/// The permits, and the calls `C` that wait for one, by the numbers of their requests.
#[derive(Debug)]
pub struct Turns<C> {
    permits: Shares<u64>,
    bytes: Shares<u64>,
    by_client: BTreeMap<u64, BTreeMap<u64, Waiting<C>>>,
    clients: HashMap<u64, u64>,
}

impl<C> Turns<C> {
    pub fn new() -> Turns<C> {
        Turns {
            permits: Shares::new(AT_ONCE, 1, Lending::Half),
            bytes: Shares::new(WAITING_BYTES, OF_EACH, Lending::Half),
            by_client: BTreeMap::new(),
            clients: HashMap::new(),
        }
    }

    /// A call of a client. The calls of one client begin in the order of their numbers.
    pub fn add(&mut self, client: u64, number: u64, bytes: usize, call: C) -> Turn<C> {
        if !self.by_client.contains_key(&client) && self.permits.take(&client, 1).is_ok() {
            return Turn::Now(call);
        }
        if self.bytes.take(&client, bytes).is_err() {
            return Turn::Refused(call);
        }
        self.by_client.entry(client).or_default().insert(number, Waiting { bytes, call });
        self.clients.insert(number, client);
        Turn::Waits
    }

    /// A program of a client was reaped, or was never started. Gives the calls whose turn it is now, of the clients with the fewest
    /// programs first.
    pub fn ended(&mut self, client: u64) -> Vec<(u64, C)> {
        self.permits.give(&client, 1);
        let mut begin = Vec::new();
        loop {
            let permits = &self.permits;
            let can_begin = |client: &&u64| permits.may_take(client, 1).is_ok();
            let next = self.by_client.keys().filter(can_begin).min_by_key(|client| permits.held(client));
            let Some(client) = next.copied() else { return begin };
            let first = self.by_client.get(&client).and_then(|calls| calls.keys().next().copied());
            let Some(call) = first.and_then(|number| self.cancel(number)) else { return begin };
            if self.permits.take(&client, 1).is_ok() {
                begin.push((client, call));
            }
        }
    }

    /// Takes out a call that waits.
    pub fn cancel(&mut self, number: u64) -> Option<C> {
        let client = self.clients.remove(&number)?;
        let calls = self.by_client.get_mut(&client)?;
        let Waiting { bytes, call } = calls.remove(&number)?;
        if calls.is_empty() {
            self.by_client.remove(&client);
        }
        self.bytes.give(&client, bytes);
        Some(call)
    }

    /// Takes out all that wait.
    pub fn end(&mut self) -> Vec<C> {
        let numbers: Vec<u64> = self.clients.keys().copied().collect();
        numbers.into_iter().filter_map(|number| self.cancel(number)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many calls of a client; how many begin.
    fn begin(turns: &mut Turns<u64>, client: u64, numbers: std::ops::Range<u64>) -> usize {
        numbers.filter(|number| turns.add(client, *number, 1000, *number) == Turn::Now(*number)).count()
    }

    #[test]
    fn one_client_has_half_of_the_programs_and_another_one_begins_beside_it() {
        let mut turns = Turns::new();
        assert_eq!(begin(&mut turns, 1, 0..100), 32);
        assert_eq!(begin(&mut turns, 2, 100..200), 16);
        assert_eq!(begin(&mut turns, 3, 200..201), 1);
        // The others leave less now than when it began: half of 47 is less than the 31 it has.
        assert_eq!(turns.ended(1), []);
        assert_eq!(turns.ended(3), []);
        let mut all = 0;
        for client in 4..100 {
            all += begin(&mut turns, client, client * 1000..client * 1000 + 100);
        }
        assert_eq!(all + 31 + 16, AT_ONCE, "never more than there are permits");
    }

    #[test]
    fn a_permit_goes_to_the_client_with_the_fewest_programs() {
        let mut turns = Turns::new();
        let mut running = Vec::new();
        for client in 1..=100 {
            if turns.add(client, client, 1, client) == Turn::Now(client) {
                running.push(client);
            }
        }
        assert_eq!(running.len(), AT_ONCE);
        assert_eq!(turns.add(1, 500, 1, 500), Turn::Waits);
        assert_eq!(turns.ended(2), [(65, 65)], "who has none comes before who has one");
        assert_eq!((turns.cancel(66), turns.cancel(66)), (Some(66), None));
        assert_eq!(turns.ended(3), [(67, 67)]);
        assert_eq!(turns.end().len(), 34);
        assert!(turns.by_client.is_empty() && turns.clients.is_empty());
    }

    #[test]
    fn what_waits_has_a_bound_and_each_client_a_share() {
        let mut turns = Turns::new();
        begin(&mut turns, 1, 0..33);
        let large = 16 << 20;
        assert_eq!(turns.add(1, 100, large, 100), Turn::Waits);
        assert_eq!(turns.add(1, 101, large, 101), Turn::Refused(101), "half is for others");
        begin(&mut turns, 2, 200..300);
        assert_eq!(turns.add(2, 300, OF_EACH, 300), Turn::Waits);
        assert_eq!(turns.cancel(100), Some(100));
        assert_eq!(turns.add(1, 102, large, 102), Turn::Waits);
    }
}
