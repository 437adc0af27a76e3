//! Maps and sets in the order of their keys. They do what those of the standard library do, and much less code is compiled for each pair
//! of types, of which this library has dozens: entries are in short sorted parts, which shift when something is put between.
//!
//! A part is at most a few cache lines long, so that a table of a hundred thousand entries costs a change no more than that, and a shift
//! of the list of parts.

use std::borrow::Borrow;
use std::fmt;
use std::ops::{Bound, RangeBounds};
use std::{slice, vec};

/// Sorts a list that is short, or sorted rarely: for each type this is a seventh of the code of what the standard library has.
pub fn order<T: Ord>(list: &mut [T]) {
    order_by(list, |one, other| one < other);
}

/// The same, by what says whether one comes before another. It is a heap sort, so that no order of what others have sent is slow.
pub fn order_by<T>(list: &mut [T], mut is_before: impl FnMut(&T, &T) -> bool) {
    let mut end = list.len();
    let mut top = end / 2;
    while end > 1 {
        if top > 0 {
            top -= 1;
        } else {
            end -= 1;
            list.swap(0, end);
        }
        // What is at the top goes down to where nothing below it comes later.
        let mut place = top;
        while let Some(mut below) = (2 * place + 1 < end).then_some(2 * place + 1) {
            if below + 1 < end && is_before(&list[below], &list[below + 1]) {
                below += 1;
            }
            if !is_before(&list[place], &list[below]) {
                break;
            }
            list.swap(place, below);
            place = below;
        }
    }
}

/// What one part takes, about.
const PART_BYTES: usize = 2048;

/// A map in the order of its keys.
#[derive(Clone)]
pub struct SortedMap<K, V> {
    /// In order. None is empty, but for a single one.
    parts: Vec<Vec<(K, V)>>,
    length: usize,
}

/// Where an entry is, or would be: its part, and its place in that.
type Place = (usize, usize);

impl<K, V> SortedMap<K, V> {
    /// The most entries of a part.
    const MOST: usize = {
        let each = size_of::<(K, V)>();
        let fit = PART_BYTES / if each == 0 { 1 } else { each };
        if fit < 8 {
            8
        } else if fit > 128 {
            128
        } else {
            fit
        }
    };

    /// No entries.
    pub const fn new() -> SortedMap<K, V> {
        SortedMap { parts: Vec::new(), length: 0 }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Removes all.
    pub fn clear(&mut self) {
        *self = SortedMap::new();
    }

    /// The entries, in order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { first: [].iter(), parts: self.parts.iter(), last: [].iter() }
    }

    /// The keys, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + Clone {
        self.iter().map(|(key, _)| key)
    }

    /// The values, in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + Clone {
        self.iter().map(|(_, value)| value)
    }

    /// The values, in the order of their keys, which may change.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.parts.iter_mut().flatten().map(|(_, value)| value)
    }

    /// The values alone, in the order of their keys.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.into_iter().map(|(_, value)| value)
    }

    /// The keys alone, in order.
    pub fn into_keys(self) -> impl Iterator<Item = K> {
        self.into_iter().map(|(key, _)| key)
    }

    /// The entry with the least key.
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.parts.first()?.first().map(|(key, value)| (key, value))
    }

    /// The entry with the greatest key.
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.parts.last()?.last().map(|(key, value)| (key, value))
    }

    /// Removes the entry with the least key.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        self.take_at((0, 0))
    }

    /// Keeps the entries for which this is true.
    pub fn retain(&mut self, mut keeps: impl FnMut(&K, &mut V) -> bool) {
        for part in &mut self.parts {
            part.retain_mut(|(key, value)| keeps(key, value));
        }
        self.parts.retain(|part| !part.is_empty());
        self.length = self.parts.iter().map(Vec::len).sum();
    }

    fn at(&self, (part, place): Place) -> Option<&(K, V)> {
        self.parts.get(part)?.get(place)
    }

    fn at_mut(&mut self, (part, place): Place) -> Option<&mut (K, V)> {
        self.parts.get_mut(part)?.get_mut(place)
    }

    /// Puts an entry where it belongs. Gives where it is.
    fn put_at(&mut self, (part, place): Place, entry: (K, V)) -> Place {
        self.length += 1;
        let is_last = part + 1 >= self.parts.len();
        let Some(into) = self.parts.get_mut(part) else {
            self.parts.push(vec![entry]);
            return (part, 0);
        };
        if into.len() < Self::MOST {
            into.insert(place, entry);
            return (part, place);
        }
        // Keys that only grow leave full parts behind.
        let middle = if is_last && place == into.len() { place } else { into.len() / 2 };
        let mut behind = into.split_off(middle);
        let at = if place < middle {
            into.insert(place, entry);
            (part, place)
        } else {
            behind.insert(place - middle, entry);
            (part + 1, place - middle)
        };
        self.parts.insert(part + 1, behind);
        at
    }

    /// Removes what is there. Small parts become one with their neighbours, so that a table that has shrunk has few of them.
    fn take_at(&mut self, (part, place): Place) -> Option<(K, V)> {
        let from = self.parts.get_mut(part)?;
        if place >= from.len() {
            return None;
        }
        let entry = from.remove(place);
        self.length -= 1;
        let left = from.len();
        if self.parts.len() > 1 && left < Self::MOST / 4 {
            if left == 0 {
                self.parts.remove(part);
            } else {
                self.join(part);
                self.join(part.saturating_sub(1));
            }
        }
        Some(entry)
    }

    /// Makes one part of this and the next, if it stays small.
    fn join(&mut self, part: usize) {
        let of = |part: usize| self.parts.get(part).map(Vec::len);
        let is_small = of(part).zip(of(part + 1)).is_some_and(|(one, next)| one + next <= Self::MOST / 2);
        if is_small {
            let mut next = self.parts.remove(part + 1);
            if let Some(one) = self.parts.get_mut(part) {
                one.append(&mut next);
            }
        }
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<Place, Place>
    where
        K: Borrow<Q>,
    {
        // The last one that does not begin behind it.
        let part = match self.parts.len() {
            0 | 1 => 0,
            _ => {
                let begins =
                    |part: &Vec<(K, V)>| part.first().is_some_and(|(first, _)| first.borrow() <= key);
                self.parts.partition_point(begins).saturating_sub(1)
            }
        };
        let Some(entries) = self.parts.get(part) else { return Err((0, 0)) };
        let found = entries.binary_search_by(|(other, _)| other.borrow().cmp(key));
        found.map(|place| (part, place)).map_err(|place| (part, place))
    }

    /// The value of a key.
    #[expect(
        clippy::inline_always,
        reason = "a request asks dozens of times, and little is inlined by itself"
    )]
    #[inline(always)]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.at(self.place(key).ok()?).map(|(_, value)| value)
    }

    /// The value of a key, which may change.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.at_mut(place).map(|(_, value)| value)
    }

    /// Whether a key has a value.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Gives a key a value, and gives back the one that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(place) => self.at_mut(place).map(|(_, there)| std::mem::replace(there, value)),
            Err(place) => {
                self.put_at(place, (key, value));
                None
            }
        }
    }

    /// Removes a key; gives its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.remove_entry(key).map(|(_, value)| value)
    }

    /// Removes a key; gives it and its value.
    pub fn remove_entry<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.take_at(place)
    }

    /// The place of a key, to put a value there if it has none.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        let place = self.place(&key);
        Entry { map: self, key, place }
    }

    /// The entries whose keys are within bounds, in order.
    pub fn range<Q: Ord + ?Sized>(&self, bounds: impl RangeBounds<Q>) -> Iter<'_, K, V>
    where
        K: Borrow<Q>,
    {
        let behind = |key: &Q| self.place(key).map_or_else(|place| place, |(part, place)| (part, place + 1));
        let before = |key: &Q| self.place(key).unwrap_or_else(|place| place);
        let (from, from_place) = match bounds.start_bound() {
            Bound::Included(key) => before(key),
            Bound::Excluded(key) => behind(key),
            Bound::Unbounded => (0, 0),
        };
        let (to, to_place) = match bounds.end_bound() {
            Bound::Included(key) => behind(key),
            Bound::Excluded(key) => before(key),
            Bound::Unbounded => (self.parts.len(), 0),
        };
        let part = |part: usize| self.parts.get(part).map_or(&[][..], Vec::as_slice);
        if from >= to {
            let within =
                part(from).get(from_place..if from == to { to_place } else { 0 }).unwrap_or_default();
            return Iter { first: within.iter(), parts: [].iter(), last: [].iter() };
        }
        Iter {
            first: part(from).get(from_place..).unwrap_or_default().iter(),
            parts: self.parts.get(from + 1..to).unwrap_or_default().iter(),
            last: part(to).get(..to_place).unwrap_or_default().iter(),
        }
    }
}

/// A key and its place in a map.
pub struct Entry<'a, K, V> {
    map: &'a mut SortedMap<K, V>,
    key: K,
    place: Result<Place, Place>,
}

impl<'a, K: Ord, V> Entry<'a, K, V> {
    /// The value that is there, or this one.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// The value that is there, or the default one.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// The value that is there, or what this makes.
    ///
    /// # Panics
    /// Never: an entry is there once it was put.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        let Entry { map, key, place } = self;
        let (part, place) = place.unwrap_or_else(|place| map.put_at(place, (key, value())));
        &mut map.parts[part][place].1
    }
}

/// Entries in order.
pub struct Iter<'a, K, V> {
    first: slice::Iter<'a, (K, V)>,
    parts: slice::Iter<'a, Vec<(K, V)>>,
    last: slice::Iter<'a, (K, V)>,
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Iter { first: self.first.clone(), parts: self.parts.clone(), last: self.last.clone() }
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.first.next() {
                return Some((key, value));
            }
            self.first = match self.parts.next() {
                Some(part) => part.iter(),
                None => return self.last.next().map(|(key, value)| (key, value)),
            };
        }
    }
}

impl<K, V> DoubleEndedIterator for Iter<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.last.next_back() {
                return Some((key, value));
            }
            self.last = match self.parts.next_back() {
                Some(part) => part.iter(),
                None => return self.first.next_back().map(|(key, value)| (key, value)),
            };
        }
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::iter::Flatten<vec::IntoIter<Vec<(K, V)>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.parts.into_iter().flatten()
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = SortedMap::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const COUNT: usize> From<[(K, V); COUNT]> for SortedMap<K, V> {
    fn from(entries: [(K, V); COUNT]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        SortedMap::new()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for SortedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.iter().eq(other.iter())
    }
}

impl<K: Eq, V: Eq> Eq for SortedMap<K, V> {}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// A set in order.
#[derive(Clone, PartialEq, Eq)]
pub struct SortedSet<T>(SortedMap<T, ()>);

impl<T> SortedSet<T> {
    /// Nothing.
    pub const fn new() -> SortedSet<T> {
        SortedSet(SortedMap::new())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What it has, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        self.0.keys()
    }

    /// The least.
    pub fn first(&self) -> Option<&T> {
        self.0.first_key_value().map(|(one, ())| one)
    }

    /// The greatest.
    pub fn last(&self) -> Option<&T> {
        self.0.last_key_value().map(|(one, ())| one)
    }

    /// Removes the least.
    pub fn pop_first(&mut self) -> Option<T> {
        self.0.pop_first().map(|(one, ())| one)
    }

    /// Keeps those for which this is true.
    pub fn retain(&mut self, mut keeps: impl FnMut(&T) -> bool) {
        self.0.retain(|one, ()| keeps(one));
    }
}

impl<T: Ord> SortedSet<T> {
    /// Adds one. `false` if it is there already.
    pub fn insert(&mut self, one: T) -> bool {
        self.0.insert(one, ()).is_none()
    }

    /// Removes one. Whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, one: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.remove(one).is_some()
    }

    /// Whether it is there.
    pub fn contains<Q: Ord + ?Sized>(&self, one: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.contains_key(one)
    }

    /// Those within bounds, in order.
    pub fn range<Q: Ord + ?Sized>(&self, bounds: impl RangeBounds<Q>) -> impl DoubleEndedIterator<Item = &T>
    where
        T: Borrow<Q>,
    {
        self.0.range(bounds).map(|(one, ())| one)
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = std::iter::Map<<SortedMap<T, ()> as IntoIterator>::IntoIter, fn((T, ())) -> T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(|(one, ())| one)
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = std::iter::Map<Iter<'a, T, ()>, fn((&'a T, &'a ())) -> &'a T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(one, ())| one)
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, all: I) {
        self.0.extend(all.into_iter().map(|one| (one, ())));
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut set = SortedSet::new();
        set.extend(all);
        set
    }
}

impl<T: Ord, const COUNT: usize> From<[T; COUNT]> for SortedSet<T> {
    fn from(all: [T; COUNT]) -> Self {
        all.into_iter().collect()
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        SortedSet::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{SortedMap, SortedSet, order, order_by};
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::ops::Bound;

    #[derive(Clone, Debug)]
    enum Step {
        Insert(u16, u8),
        Or(u16, u8),
        Remove(u16),
        First,
        Keep(u16),
        Range(Bound<u16>, Bound<u16>),
    }

    fn bound() -> impl Strategy<Value = Bound<u16>> {
        let key = 0..600_u16;
        prop_oneof![
            key.clone().prop_map(Bound::Included),
            key.prop_map(Bound::Excluded),
            Just(Bound::Unbounded)
        ]
    }

    fn step() -> impl Strategy<Value = Step> {
        let key = 0..600_u16;
        prop_oneof![
            8 => (key.clone(), any::<u8>()).prop_map(|(key, value)| Step::Insert(key, value)),
            2 => (key.clone(), any::<u8>()).prop_map(|(key, value)| Step::Or(key, value)),
            7 => key.clone().prop_map(Step::Remove),
            1 => Just(Step::First),
            1 => (200..900_u16).prop_map(Step::Keep),
            2 => (bound(), bound()).prop_map(|(from, to)| Step::Range(from, to)),
        ]
    }

    /// Values so large that a part has few.
    type Large = [u64; 24];

    fn large(value: u8) -> Large {
        [u64::from(value); 24]
    }

    /// The bounds that the map of the standard library takes.
    fn is_in_order(from: Bound<u16>, to: Bound<u16>) -> bool {
        let of = |bound| match bound {
            Bound::Included(key) | Bound::Excluded(key) => Some(key),
            Bound::Unbounded => None,
        };
        let (Some(low), Some(high)) = (of(from), of(to)) else { return true };
        low < high || low == high && matches!((from, to), (Bound::Included(_), Bound::Included(_)))
    }

    fn check(map: &SortedMap<u16, Large>, model: &BTreeMap<u16, Large>) -> Result<(), TestCaseError> {
        prop_assert_eq!(map.len(), model.len());
        prop_assert_eq!(map.is_empty(), model.is_empty());
        prop_assert!(map.iter().eq(model));
        prop_assert!(map.iter().rev().eq(model.iter().rev()));
        prop_assert_eq!(map.first_key_value(), model.first_key_value());
        prop_assert_eq!(map.last_key_value(), model.last_key_value());
        prop_assert!(map.parts.len() <= 1 || map.parts.iter().all(|part| !part.is_empty()));
        prop_assert!(map.parts.iter().all(|part| part.len() <= SortedMap::<u16, Large>::MOST));
        Ok(())
    }

    proptest! {
        #[test]
        fn it_does_what_the_map_of_the_standard_library_does(steps in proptest::collection::vec(step(), 0..400)) {
            let (mut map, mut model) = (SortedMap::new(), BTreeMap::new());
            for step in steps {
                match step {
                    Step::Insert(key, value) => {
                        prop_assert_eq!(map.insert(key, large(value)), model.insert(key, large(value)));
                    }
                    Step::Or(key, value) => {
                        let there = *map.entry(key).or_insert(large(value));
                        prop_assert_eq!(there, *model.entry(key).or_insert(large(value)));
                    }
                    Step::Remove(key) => {
                        prop_assert_eq!(map.get(&key), model.get(&key));
                        prop_assert_eq!(map.remove(&key), model.remove(&key));
                        prop_assert!(!map.contains_key(&key));
                    }
                    Step::First => prop_assert_eq!(map.pop_first(), model.pop_first()),
                    Step::Keep(below) => {
                        map.retain(|key, _| *key < below);
                        model.retain(|key, _| *key < below);
                    }
                    Step::Range(from, to) if is_in_order(from, to) => {
                        prop_assert!(map.range((from, to)).eq(model.range((from, to))));
                        prop_assert!(map.range((from, to)).rev().eq(model.range((from, to)).rev()));
                    }
                    Step::Range(from, to) => prop_assert_eq!(map.range((from, to)).count(), 0),
                }
                check(&map, &model)?;
            }
            let (one, other): (SortedSet<u16>, Vec<u16>) = (map.keys().copied().collect(), model.into_keys().collect());
            prop_assert!(one.into_iter().eq(other));
        }
    }

    proptest! {
        #[test]
        fn a_list_is_ordered_as_by_the_standard_library(given: Vec<u8>) {
            let (mut list, mut down, mut wanted) = (given.clone(), given.clone(), given);
            order(&mut list);
            order_by(&mut down, |one, other| one > other);
            wanted.sort_unstable();
            prop_assert_eq!(&list, &wanted);
            wanted.reverse();
            prop_assert_eq!(down, wanted);
        }
    }

    #[test]
    fn keys_that_grow_leave_full_parts_and_what_shrinks_few() {
        type Map = SortedMap<u64, u64>;
        let mut map: Map = (0..10_000).map(|key| (key, key)).collect();
        assert!(map.parts.len() <= 10_000 / Map::MOST + 1);
        for key in (0..10_000).filter(|key| key % 50 != 0) {
            assert_eq!(map.remove(&key), Some(key));
        }
        assert_eq!(map.len(), 200);
        assert!(map.parts.len() <= 200 * 4 / Map::MOST + 2, "{} parts", map.parts.len());
        assert!(map.into_keys().eq((0..10_000).step_by(50)));
    }
}
