//! What has come and is not begun yet, and whose is begun next.
//!
//! Those who bring it take turns, one each, so that one that brings little waits for one turn of the others, however much they bring.
//! Where there is no room the newest goes of the holder that has most.

use super::{Lending, Shares};
use crate::sorted::SortedMap;
use std::collections::VecDeque;

/// What waits of one holder, and its turn.
#[derive(Debug)]
struct Line<T> {
    turn: u64,
    waiting: VecDeque<T>,
}

/// What waits, by who brought it.
#[derive(Debug)]
pub struct Arrivals<K, T> {
    shares: Shares<K>,
    lines: SortedMap<K, Line<T>>,
    /// Whose turn is next: each holder that has something once.
    turns: SortedMap<u64, K>,
    last_turn: u64,
}

impl<K: Clone + Ord, T> Arrivals<K, T> {
    /// Nothing, and room for `most`.
    pub fn new(most: usize) -> Arrivals<K, T> {
        let shares = Shares::new(most, 1, Lending::All);
        Arrivals { shares, lines: SortedMap::new(), turns: SortedMap::new(), last_turn: 0 }
    }

    /// How much waits.
    pub fn count(&self) -> usize {
        self.shares.used()
    }

    /// Adds one. Gives what goes for it where there is no room, which may be itself.
    pub fn add(&mut self, holder: K, one: T) -> Option<T> {
        let mut gone = None;
        if self.shares.free() == 0 {
            gone = self.cut(&holder);
            if gone.is_none() {
                return Some(one);
            }
        }
        self.shares.put(&holder, 1);
        if let Some(line) = self.lines.get_mut(&holder) {
            line.waiting.push_back(one);
        } else {
            let turn = self.turn_of(holder.clone());
            self.lines.insert(holder, Line { turn, waiting: VecDeque::from([one]) });
        }
        gone
    }

    /// The newest of the holder that has most, if that is more than `newcomer` has: it goes so that there is room for one of it.
    pub fn cut(&mut self, newcomer: &K) -> Option<T> {
        let (largest, most) = self.shares.largest()?;
        if most <= self.shares.held(newcomer) {
            return None;
        }
        let largest = largest.clone();
        self.take_from(&largest, VecDeque::pop_back)
    }

    /// Takes what is begun next, and who brought it.
    pub fn take(&mut self) -> Option<(K, T)> {
        let (_, holder) = self.turns.pop_first()?;
        let turn = self.turn_of(holder.clone());
        if let Some(line) = self.lines.get_mut(&holder) {
            line.turn = turn;
        }
        let one = self.take_from(&holder, VecDeque::pop_front)?;
        Some((holder, one))
    }

    /// The last turn of all is this holder's.
    fn turn_of(&mut self, holder: K) -> u64 {
        self.last_turn += 1;
        self.turns.insert(self.last_turn, holder);
        self.last_turn
    }

    fn take_from(&mut self, holder: &K, end: fn(&mut VecDeque<T>) -> Option<T>) -> Option<T> {
        let line = self.lines.get_mut(holder)?;
        let one = end(&mut line.waiting);
        if line.waiting.is_empty() {
            self.turns.remove(&line.turn);
            self.lines.remove(holder);
        }
        self.shares.give(holder, 1);
        one
    }
}

#[cfg(test)]
mod tests {
    use super::Arrivals;
    use proptest::prelude::*;

    #[test]
    fn one_that_brings_little_waits_for_one_turn() {
        let mut arrivals = Arrivals::new(100);
        for one in 0..80 {
            assert_eq!(arrivals.add('f', one), None);
        }
        for one in 80..90 {
            arrivals.add('g', one);
        }
        arrivals.add('i', 100);
        let first: Vec<_> = (0..5).filter_map(|_| arrivals.take()).collect();
        assert_eq!(first, [('f', 0), ('g', 80), ('i', 100), ('f', 1), ('g', 81)]);
        assert_eq!(arrivals.count(), 86);
    }

    #[test]
    fn without_room_the_newest_goes_of_who_has_most() {
        let mut arrivals = Arrivals::new(4);
        for one in 0..4 {
            assert_eq!(arrivals.add('f', one), None);
        }
        assert_eq!(arrivals.add('f', 4), Some(4), "its own");
        assert_eq!(arrivals.add('i', 5), Some(3));
        assert_eq!(arrivals.add('i', 6), Some(2));
        assert_eq!(arrivals.add('i', 7), Some(7), "it has as many as the other");
        assert!(arrivals.cut(&'j').is_some_and(|gone| [1, 6].contains(&gone)), "the newest of one of them");
        let rest = std::iter::from_fn(|| arrivals.take()).count();
        assert_eq!((rest, arrivals.count()), (3, 0));
        assert_eq!(arrivals.cut(&'j'), None);
    }

    proptest! {
        /// Whatever comes: all of it is begun once or goes, what one brings in its order, and none is begun twice while another waits.
        #[test]
        fn each_has_its_turn(steps in prop::collection::vec(prop::option::weighted(0.7, 0..4u8), 0..200)) {
            let mut arrivals = Arrivals::new(8);
            let mut waiting: Vec<(u8, usize)> = Vec::new();
            // Who was passed by, and by whom, since it began to wait.
            let mut passed: Vec<(u8, u8)> = Vec::new();
            for (one, step) in steps.into_iter().enumerate() {
                if let Some(holder) = step {
                    let is_full = waiting.len() == 8;
                    waiting.push((holder, one));
                    let gone = arrivals.add(holder, one);
                    prop_assert_eq!(gone.is_some(), is_full);
                    waiting.retain(|(_, other)| Some(*other) != gone);
                } else if let Some((holder, one)) = arrivals.take() {
                    let first = waiting.iter().position(|(other, _)| *other == holder);
                    prop_assert_eq!(first.map(|at| waiting.remove(at)), Some((holder, one)));
                    passed.retain(|(other, _)| *other != holder);
                    for other in (0..4).filter(|other| *other != holder) {
                        if waiting.iter().any(|(waits, _)| *waits == other) {
                            prop_assert!(!passed.contains(&(other, holder)), "{holder} twice before {other}");
                            passed.push((other, holder));
                        }
                    }
                } else {
                    prop_assert!(waiting.is_empty());
                }
                passed.retain(|(other, _)| waiting.iter().any(|(waits, _)| waits == other));
                prop_assert_eq!(arrivals.count(), waiting.len());
            }
        }
    }
}
