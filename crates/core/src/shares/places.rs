//! A table whose entries many take, and whose entry ends when one more is wanted.
//!
//! An entry that was never used goes before one that was, and the holder that has most loses first. So no client loses its entry to
//! another one that has more, however fast that one comes.

use super::{Denied, Lending, Shares};
use crate::sorted::SortedMap;
use std::ops::Bound;

/// The most entries that are looked at for one that is not in use.
const LOOKED_AT: usize = 64;

/// The entries of one holder by the time of their last use, or of their beginning.
#[derive(Debug, Default)]
struct HolderEntries {
    unused: SortedMap<u64, u64>,
    used: SortedMap<u64, u64>,
}

#[derive(Debug)]
struct PlaceEntry<K> {
    holder: K,
    /// Its place in the order of use.
    stamp: u64,
    is_used: bool,
}

/// The entries of a table, by number, and who has them. It knows nothing of what they are.
#[derive(Debug)]
pub struct Places<K> {
    shares: Shares<K>,
    entries: SortedMap<u64, PlaceEntry<K>>,
    held: SortedMap<K, HolderEntries>,
    /// The holder that was looked at last for an entry that is not in use, where there were more.
    looked_at: Option<K>,
    next: u64,
}

impl<K: Clone + Ord> Places<K> {
    /// No entry of `most`.
    pub fn new(most: usize) -> Places<K> {
        let shares = Shares::new(most, 1, Lending::All);
        Places { shares, entries: SortedMap::new(), held: SortedMap::new(), looked_at: None, next: 0 }
    }

    /// How many entries there are.
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// Adds an entry that was not used yet. `false` if there is no room: one must give way first.
    pub fn add(&mut self, number: u64, holder: K) -> bool {
        if self.shares.free() == 0 || self.shares.take_unused(&holder, 1).is_err() {
            return false;
        }
        let stamp = self.stamp();
        self.held.entry(holder.clone()).or_default().unused.insert(stamp, number);
        self.entries.insert(number, PlaceEntry { holder, stamp, is_used: false });
        true
    }

    /// An entry is used.
    pub fn used(&mut self, number: u64) {
        let last = self.next;
        let Some(entry) = self.entries.get_mut(&number) else { return };
        // It is the last already, as with one client that asks again and again.
        if entry.is_used && entry.stamp == last {
            return;
        }
        let next = last + 1;
        self.next = next;
        let stamp = std::mem::replace(&mut entry.stamp, next);
        let was_used = std::mem::replace(&mut entry.is_used, true);
        if !was_used {
            self.shares.mark_used(&entry.holder, 1);
        }
        if let Some(held) = self.held.get_mut(&entry.holder) {
            if was_used {
                held.used.remove(&stamp)
            } else {
                held.unused.remove(&stamp)
            };
            held.used.insert(next, number);
        }
    }

    /// An entry has ended.
    pub fn remove(&mut self, number: u64) {
        let Some(PlaceEntry { holder, stamp, is_used }) = self.entries.remove(&number) else { return };
        if let Some(held) = self.held.get_mut(&holder) {
            if is_used {
                held.used.remove(&stamp)
            } else {
                held.unused.remove(&stamp)
            };
            if held.used.is_empty() && held.unused.is_empty() {
                self.held.remove(&holder);
            }
        }
        if is_used { self.shares.give(&holder, 1) } else { self.shares.give_unused(&holder, 1) }
    }

    /// Chooses the entry that ends so that `newcomer` gets one, and removes it: one that was never used, of the holder that has most
    /// of those, or that is the newcomer and has more than an equal share; else one of the holder that has most, that was not used for
    /// longest. One in use ends only if its holder has more than the newcomer will have. `None` if all others are in use, as far as was looked.
    pub fn give_way(&mut self, newcomer: &K, mut is_in_use: impl FnMut(u64) -> bool) -> Option<u64> {
        let found = self.chosen(newcomer, &mut is_in_use)?;
        self.remove(found);
        Some(found)
    }

    fn chosen(&mut self, newcomer: &K, is_in_use: &mut impl FnMut(u64) -> bool) -> Option<u64> {
        if let Denied::Cut { holder, unused: true, .. } = self.shares.gives_way(newcomer, 1)
            && let Some(found) = self.never_used(&holder, is_in_use)
        {
            return Some(found);
        }
        if let Some(found) = self.never_used(newcomer, is_in_use) {
            return Some(found);
        }
        let own = self.shares.held(newcomer);
        let (largest, most) = self.shares.largest().map(|(holder, most)| (holder.clone(), most))?;
        if most > own {
            let found = self.never_used(&largest, is_in_use).or_else(|| self.least_used(&largest, is_in_use));
            // Its entries are in use: it gives one to a holder that has less, or one of those that have as many does.
            let found = found.or_else(|| if most > own + 1 { self.oldest(&largest) } else { None });
            let found = found.or_else(|| self.of_any(own, is_in_use));
            if found.is_some() {
                return found;
            }
        }
        self.least_used(newcomer, is_in_use)
    }

    fn never_used(&self, holder: &K, is_in_use: &mut impl FnMut(u64) -> bool) -> Option<u64> {
        self.held.get(holder)?.unused.values().take(LOOKED_AT).find(|number| !is_in_use(**number)).copied()
    }

    fn least_used(&mut self, holder: &K, is_in_use: &mut impl FnMut(u64) -> bool) -> Option<u64> {
        let first: Vec<u64> = self.held.get(holder)?.used.values().take(LOOKED_AT).copied().collect();
        for number in first {
            if !is_in_use(number) {
                return Some(number);
            }
            // It is not looked at again soon.
            self.used(number);
        }
        None
    }

    /// An entry that is not in use, of any holder that has more than `own`. Who was looked at comes last the next time.
    fn of_any(&mut self, own: usize, is_in_use: &mut impl FnMut(u64) -> bool) -> Option<u64> {
        let behind = self.looked_at.take().map_or(Bound::Unbounded, Bound::Excluded);
        let mut looks = LOOKED_AT;
        for (holder, held) in self.held.range((behind, Bound::Unbounded)).chain(&self.held) {
            let entries = if self.shares.held(holder) > own { looks } else { 0 };
            for number in held.unused.values().chain(held.used.values()).take(entries) {
                if !is_in_use(*number) {
                    return Some(*number);
                }
                looks -= 1;
            }
            looks = looks.saturating_sub(1);
            if looks == 0 {
                self.looked_at = Some(holder.clone());
                break;
            }
        }
        None
    }

    fn oldest(&self, holder: &K) -> Option<u64> {
        let held = self.held.get(holder)?;
        held.unused.values().chain(held.used.values()).next().copied()
    }

    fn stamp(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

#[cfg(test)]
mod tests {
    use super::Places;
    use proptest::prelude::*;

    /// Entries of holders, in this order; those that were used are used in this order.
    fn places(entries: &[(u64, char)], used: &[u64]) -> Places<char> {
        let mut places = Places::new(1000);
        for (number, holder) in entries {
            places.add(*number, *holder);
        }
        for number in used {
            places.used(*number);
        }
        places
    }

    #[test]
    fn what_was_never_used_goes_first_and_of_the_holder_that_has_most_of_it() {
        let entries = [(1, 'a'), (2, 'b'), (3, 'b'), (4, 'c'), (5, 'c'), (6, 'c'), (7, 'c')];
        let mut places = places(&entries, &[4, 5, 6, 7]);
        assert_eq!(places.give_way(&'d', |_| false), Some(2), "the oldest of the holder with two");
        assert_eq!(places.give_way(&'d', |_| false), Some(3), "one of those with as many");
    }

    #[test]
    fn a_flood_ends_its_own_entries() {
        let mut places = places(&[(1, 'i'), (2, 'i')], &[1]);
        for number in 10..1000 {
            places.add(number, 'f');
        }
        for number in 1000..3000 {
            let gone = places.give_way(&'f', |_| false).expect("one gives way");
            assert!(gone >= 10, "an entry of another one ended");
            places.add(number, 'f');
        }
        // The same with entries that it uses, while another one has just come.
        for number in 0..3000 {
            places.used(number);
        }
        places.add(5000, 'j');
        for number in 6000..9000 {
            let gone = places.give_way(&'f', |_| false).expect("one gives way");
            assert!(![1, 2, 5000].contains(&gone), "an entry of another one ended");
            places.add(number, 'f');
            places.used(number);
        }
        assert_eq!(places.count(), 993);
    }

    #[test]
    fn what_was_not_used_for_longest_goes_before_what_is_in_use() {
        let mut places = places(&[(1, 'a'), (2, 'a'), (3, 'a'), (4, 'b')], &[2, 1, 3, 4]);
        assert_eq!(places.give_way(&'b', |number| number == 2), Some(1));
        // All of the largest are in use: it gives one to who has less, and none to who will have as many.
        assert_eq!(
            places.give_way(&'c', |_| true),
            Some(3),
            "the other was looked at, and counts as used later"
        );
        assert_eq!(places.give_way(&'c', |_| true), None);
        assert_eq!(places.give_way(&'c', |number| number != 4), Some(4), "equals give way while not in use");
    }

    #[test]
    fn any_of_those_that_have_as_many_gives_what_is_not_in_use() {
        let mut places = places(&[(1, 'a'), (2, 'b'), (3, 'c')], &[1, 2, 3]);
        assert_eq!(places.give_way(&'d', |number| number != 1), Some(1));
        // Thousands of clients have one entry each, and one of them is not in use.
        let mut places = Places::new(5000);
        for number in 0..5000_u64 {
            places.add(number, number);
            places.used(number);
        }
        let mut looks = 0;
        let found = (0..200).find_map(|_| {
            let before = looks;
            let found = places.give_way(&5000, |number| {
                looks += 1;
                number != 4000
            });
            assert!(looks - before <= 200, "{looks} looks, {before} before");
            found
        });
        assert_eq!(found, Some(4000), "after {looks} looks");
    }

    #[test]
    fn entries_in_use_are_looked_at_in_turns() {
        let mut places = Places::new(1000);
        for number in 0..200 {
            places.add(number, 'a');
            places.used(number);
        }
        let mut looks = 0;
        let found = (0..10).find_map(|_| {
            places.give_way(&'a', |number| {
                looks += 1;
                number != 190
            })
        });
        assert_eq!((found, looks), (Some(190), 191));
    }

    #[derive(Clone, Debug)]
    enum Step {
        Add(u8),
        Use(u8),
        Remove(u8),
        GiveWay(u8),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (0..5u8).prop_map(Step::Add),
            (0..30u8).prop_map(Step::Use),
            (0..30u8).prop_map(Step::Remove),
            (0..5u8).prop_map(Step::GiveWay),
        ]
    }

    proptest! {
        /// Whatever happened: what gives way is never used before used, and of no holder with fewer entries than the newcomer has.
        #[test]
        fn no_holder_loses_to_one_that_has_more(steps in prop::collection::vec(step(), 0..200), busy in 0..30u64) {
            let mut places: Places<u8> = Places::new(1000);
            let mut model: Vec<(u64, u8, bool)> = Vec::new();
            let mut next = 0;
            for step in steps {
                match step {
                    Step::Add(holder) => {
                        places.add(next, holder);
                        model.push((next, holder, false));
                        next += 1;
                    }
                    Step::Use(number) => {
                        places.used(number.into());
                        for entry in model.iter_mut().filter(|entry| entry.0 == u64::from(number)) {
                            entry.2 = true;
                        }
                    }
                    Step::Remove(number) => {
                        places.remove(number.into());
                        model.retain(|entry| entry.0 != u64::from(number));
                    }
                    Step::GiveWay(newcomer) => {
                        let count = |holder| model.iter().filter(|entry| entry.1 == holder).count();
                        let own = count(newcomer);
                        let Some(gone) = places.give_way(&newcomer, |number| number == busy) else {
                            prop_assert!(model.iter().all(|entry| entry.0 == busy || entry.1 != newcomer));
                            prop_assert!(model.iter().all(|entry| entry.0 == busy || count(entry.1) <= own));
                            continue;
                        };
                        let at = model.iter().position(|entry| entry.0 == gone).expect("it was there");
                        let (_, holder, was_used) = model[at];
                        let holders = (0..5).filter(|it| *it == newcomer || count(*it) > 0).count();
                        let is_small = own < (model.len() / holders).max(1);
                        if holder != newcomer {
                            prop_assert!(count(holder) > own || is_small && !was_used, "{model:?} {newcomer}");
                        }
                        if was_used {
                            let own_unused = |entry: &(u64, u8, bool)| entry.1 == newcomer && !entry.2;
                            prop_assert!(!model.iter().any(|entry| own_unused(entry) && entry.0 != busy));
                        }
                        model.remove(at);
                    }
                }
                prop_assert_eq!(places.count(), model.len());
            }
        }
    }
}
