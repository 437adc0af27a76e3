//! Request states that were used: each steers one request only, as far as this process can tell (S-MR-06).

use std::collections::{BTreeSet, HashSet};

/// The states that were used and have not expired. When there are too many, those that expire first are forgotten: a state that
/// is forgotten could be used again, in the little time that it has left.
#[derive(Debug)]
pub(super) struct Spent {
    states: HashSet<Box<str>>,
    expiries: BTreeSet<(u64, Box<str>)>,
    limit: usize,
}

impl Spent {
    /// Nothing was used, and there is room for `limit`.
    pub fn new(limit: usize) -> Spent {
        Spent { states: HashSet::new(), expiries: BTreeSet::new(), limit }
    }

    /// Uses a state that is good until `expiry` (seconds since 1970); `false` if it was used before.
    pub fn spend(&mut self, state: &str, expiry: u64, unix: u64) -> bool {
        while self.expiries.first().is_some_and(|(at, _)| *at < unix || self.states.len() >= self.limit) {
            if let Some((_, old)) = self.expiries.pop_first() {
                self.states.remove(&old);
            }
        }
        if !self.states.insert(state.into()) {
            return false;
        }
        self.expiries.insert((expiry, state.into()));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Spent;

    #[test]
    fn a_state_is_used_once_until_it_expires() {
        let mut spent = Spent::new(10);
        assert!(spent.spend("a", 100, 50));
        assert!(!spent.spend("a", 100, 99));
        assert!(spent.spend("a", 300, 101), "it had expired, which the caller checks first");
    }

    #[test]
    fn the_memory_is_bounded() {
        let mut spent = Spent::new(2);
        for state in ["a", "b", "c", "d"] {
            assert!(spent.spend(state, 100, 0));
        }
        assert_eq!(spent.states.len(), 2);
        assert!(!spent.spend("d", 100, 0));
    }
}
