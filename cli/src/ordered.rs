//! Sets, maps and lists in order, with little code. `collect` into an ordered set or map of the standard library sorts first, and so has a
//! sort of its own wherever it is called, of 5 KB; a list has one for each type and each rule.

use std::cmp::Ordering;

/// What is gathered from an iterator, one after another.
pub trait Gathered: Iterator + Sized {
    /// As `collect`, for sets and maps. Of two entries with one key the later one stays.
    fn gathered<C: Default + Extend<Self::Item>>(self) -> C {
        let mut all = C::default();
        all.extend(self);
        all
    }
}

impl<I: Iterator> Gathered for I {}

/// Sorts a list. What is equal stays in its order.
pub fn sort_by<T>(list: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let places = places(list.len(), &|one, other| compare(&list[one], &list[other]));
    let mut old: Vec<Option<T>> = list.drain(..).map(Some).collect();
    list.extend(places.into_iter().filter_map(|place| old[place].take()));
}

/// The same, by what is read of each.
pub fn sort_by_key<T, K: Ord>(list: &mut Vec<T>, key: impl Fn(&T) -> K) {
    sort_by(list, |one, other| key(one).cmp(&key(other)));
}

/// In which order they are sorted. One function for all types.
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn of_two_entries_with_one_key_the_later_one_stays_as_with_collect() {
        let entries = [(2, 'a'), (1, 'b'), (2, 'c')];
        let gathered: BTreeMap<i32, char> = entries.into_iter().gathered();
        assert_eq!(gathered, entries.into_iter().collect::<BTreeMap<_, _>>());
    }

    #[test]
    fn a_list_is_sorted_as_the_standard_library_sorts_it() {
        for count in 0..40_u32 {
            let mut list: Vec<(u32, u32)> = (0..count).map(|at| (at * 7919 % 11, at)).collect();
            let mut wanted = list.clone();
            wanted.sort_by_key(|(key, _)| *key);
            sort_by_key(&mut list, |(key, _)| *key);
            assert_eq!(list, wanted);
        }
    }
}
