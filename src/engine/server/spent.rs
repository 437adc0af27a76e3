//! Request states that were used: each steers one request only, as far as this process can tell (S-MR-06).
//!
//! The memory is bounded, and it fails closed: a state that may have been used and forgotten is refused. A client whose states fill
//! the memory loses its own ones: of the holder that has most, the states that expire first are forgotten, and from then on
//! all of its states up to that expiry are refused.

use ring::digest::{SHA256, digest};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The hash of a state: what is remembered does not grow with what handlers keep.
type Hash = [u8; 32];

/// What is remembered of one holder. There is always a state in it.
#[derive(Debug, Default)]
struct Holder {
    /// The states and when each expires (seconds since 1970), first those that expire first.
    states: BTreeSet<(u64, Hash)>,
    /// States that expire then or before, and are not remembered, may have been forgotten.
    mark: u64,
}

/// The states that were used and have not expired. Owns them.
#[derive(Debug)]
pub(super) struct Spent {
    holders: HashMap<Arc<str>, Holder>,
    /// The holders by how much is remembered of each.
    by_size: BTreeSet<(usize, Arc<str>)>,
    /// All states by their expiries, with their holders.
    expiries: BTreeMap<(u64, Hash), Arc<str>>,
    /// The same as the mark of a holder, for all of them: what has expired stays refused if the clock is set back, and so do the states
    /// of holders of which nothing is remembered any more.
    floor: u64,
    limit: usize,
}

impl Spent {
    /// Nothing was used, and there is room for `limit`.
    pub fn new(limit: usize) -> Spent {
        Spent {
            holders: HashMap::new(),
            by_size: BTreeSet::new(),
            expiries: BTreeMap::new(),
            floor: 0,
            limit: limit.max(1),
        }
    }

    /// A state of a holder that is good until `expiry` (seconds since 1970) is used; `false` if it was used before, or may have been.
    pub fn spend(&mut self, holder: &str, state: &str, expiry: u64, unix: u64) -> bool {
        let mut hash = Hash::default();
        hash.copy_from_slice(digest(&SHA256, state.as_bytes()).as_ref());
        while let Some((&key, _)) = self.expiries.first_key_value().filter(|((at, _), _)| *at < unix) {
            self.forget(key);
            self.floor = self.floor.max(key.0);
        }
        let mark = self.holders.get(holder).map_or(0, |holder| holder.mark);
        if self.expiries.contains_key(&(expiry, hash)) || expiry <= mark.max(self.floor) {
            return false;
        }
        let known = self.holders.get_key_value(holder).map(|(name, _)| Arc::clone(name));
        let name = known.unwrap_or_else(|| holder.into());
        self.expiries.insert((expiry, hash), Arc::clone(&name));
        let holder = self.holders.entry(Arc::clone(&name)).or_default();
        let size = holder.states.len();
        holder.states.insert((expiry, hash));
        self.by_size.remove(&(size, Arc::clone(&name)));
        self.by_size.insert((size + 1, name));
        if self.expiries.len() > self.limit {
            // It may be this one that goes: it is used now, and its mark refuses it from then on.
            self.cut();
        }
        true
    }

    /// Forgets the first state of the largest holder. Where no holder has more than one, it is the state that expires first, and with
    /// its holder the mark goes into that of all.
    fn cut(&mut self) {
        let largest = self.by_size.last().filter(|(size, _)| *size > 1);
        let first = match largest.and_then(|(_, name)| self.holders.get(name)) {
            Some(holder) => holder.states.first().copied(),
            None => self.expiries.first_key_value().map(|(key, _)| *key),
        };
        let Some(key) = first else { return };
        match self.forget(key) {
            Some(holder) => holder.mark = holder.mark.max(key.0),
            None => self.floor = self.floor.max(key.0),
        }
    }

    /// Takes a state out. Gives its holder, if something else is remembered of it.
    fn forget(&mut self, key: (u64, Hash)) -> Option<&mut Holder> {
        let name = self.expiries.remove(&key)?;
        let holder = self.holders.get_mut(&name)?;
        let size = holder.states.len();
        holder.states.remove(&key);
        self.by_size.remove(&(size, Arc::clone(&name)));
        if size > 1 {
            self.by_size.insert((size - 1, Arc::clone(&name)));
            return self.holders.get_mut(&name);
        }
        // Its mark is not after the expiry of its last state.
        self.holders.remove(&name);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Spent;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn a_state_is_used_once_also_after_it_has_expired_and_the_clock_was_set_back() {
        let mut spent = Spent::new(10);
        assert!(spent.spend("ann", "a", 100, 50));
        assert!(!spent.spend("ann", "a", 100, 99));
        assert!(spent.spend("ann", "b", 300, 101));
        assert!(!spent.spend("ann", "a", 100, 50));
        assert_eq!((spent.expiries.len(), spent.holders.len()), (1, 1));
    }

    #[test]
    fn what_may_have_been_forgotten_is_refused() {
        let mut spent = Spent::new(2);
        for (expiry, state) in (100..).zip(["a", "b", "c", "d"]) {
            assert!(spent.spend("ann", state, expiry, 0));
        }
        assert_eq!(spent.expiries.len(), 2);
        for (expiry, state) in (100..).zip(["a", "b", "c", "d"]) {
            assert!(!spent.spend("ann", state, expiry, 0), "{state} was used");
        }
        assert!(!spent.spend("ann", "never used", 101, 0), "it cannot be told from one that was forgotten");
        assert!(spent.spend("ann", "e", 102, 0));
    }

    #[test]
    fn a_principal_that_fills_the_memory_loses_its_own_states() {
        let mut spent = Spent::new(100);
        assert!(spent.spend("bob", "of bob", 100, 0));
        for number in 0..10_000 {
            assert!(spent.spend("eve", &format!("{number}"), 100 + number, 0));
        }
        assert!(!spent.spend("bob", "of bob", 100, 0), "it is remembered");
        assert!(spent.spend("bob", "another", 101, 0), "and no other state of bob's is in doubt");
        assert!(!spent.spend("eve", "0", 100, 0));
        assert!(spent.spend("new", "of a new one", 1, 0));
        assert_eq!(spent.expiries.len(), 100);
    }

    #[test]
    fn so_many_principals_as_states_are_remembered_raise_the_mark_of_all() {
        let mut spent = Spent::new(3);
        for (expiry, name) in (100..).zip(["a", "b", "c", "d", "e"]) {
            assert!(spent.spend(name, name, expiry, 0));
        }
        assert_eq!((spent.holders.len(), spent.floor), (3, 101));
        for (expiry, name) in (100..).zip(["a", "b", "c", "d", "e"]) {
            assert!(!spent.spend(name, name, expiry, 0), "{name}");
        }
    }

    proptest! {
        /// No state is ever good twice, however many each principal uses; indexes agree; what is cut is of the largest.
        #[test]
        fn no_order_of_uses_makes_a_state_good_twice(
            limit in 1_usize..8,
            uses in prop::collection::vec((0_u8..4, 0_u16..24, 0_u64..40, prop::bool::weighted(0.1)), 1..200),
        ) {
            let mut spent = Spent::new(limit);
            let mut used = BTreeSet::new();
            let mut now = 0;
            for (who, state, step, back) in uses {
                now = if back { now / 2 } else { now + step / 10 };
                // The expiry belongs to the state, as a seal keeps it.
                let (who, expiry) = (who.to_string(), u64::from(state) * 3 + 1);
                if expiry < now {
                    continue;
                }
                let state = format!("{who} {state}");
                let is_first = spent.spend(&who, &state, expiry, now);
                prop_assert!(!is_first || used.insert(state.clone()), "{state} was good twice");
                prop_assert!(spent.expiries.len() <= limit);
                let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
                for ((at, hash), name) in &spent.expiries {
                    *sizes.entry(name).or_default() += 1;
                    prop_assert!(spent.holders[name].states.contains(&(*at, *hash)));
                    prop_assert!(*at >= spent.holders[name].mark);
                }
                let listed: BTreeMap<&str, usize> = spent.by_size.iter().map(|(size, name)| (&**name, *size)).collect();
                prop_assert_eq!(&listed, &sizes);
                prop_assert_eq!(sizes.len(), spent.holders.len());
            }
        }
    }
}
