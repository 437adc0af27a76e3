//! [`Numbered`]: values by their numbers.

/// Values, in the order of their numbers. Numbers that only grow go to the end, and few are removed at a time, so that a sorted
/// list does it, with less code than a table of hashes for each kind of value.
#[derive(Debug)]
pub(crate) struct Numbered<T>(Vec<(u64, T)>);

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered(Vec::new())
    }
}

impl<T> Numbered<T> {
    fn place(&self, number: u64) -> Result<usize, usize> {
        self.0.binary_search_by_key(&number, |(its, _)| *its)
    }

    /// Adds a value, or replaces the one of this number.
    pub(crate) fn insert(&mut self, number: u64, value: T) {
        match self.place(number) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (number, value)),
        }
    }

    pub(crate) fn get(&self, number: u64) -> Option<&T> {
        self.place(number).ok().map(|at| &self.0[at].1)
    }

    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        self.place(number).ok().map(|at| &mut self.0[at].1)
    }

    pub(crate) fn remove(&mut self, number: u64) -> Option<T> {
        self.place(number).ok().map(|at| self.0.remove(at).1)
    }

    /// The values with their numbers.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (u64, &mut T)> {
        self.0.iter_mut().map(|(number, value)| (*number, value))
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, value)| value)
    }

    /// Takes out those for which `is_meant` says so.
    pub(crate) fn extract_if(&mut self, mut is_meant: impl FnMut(&mut T) -> bool) -> impl Iterator<Item = T> {
        self.0.extract_if(.., move |(_, value)| is_meant(value)).map(|(_, value)| value)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::Numbered;

    #[test]
    fn values_are_found_by_their_numbers_in_whatever_order_they_come() {
        let mut numbered = Numbered::default();
        for number in [5, 9, 2, 7, 2] {
            numbered.insert(number, number * 10);
        }
        assert_eq!(numbered.iter_mut().map(|(number, _)| number).collect::<Vec<_>>(), [2, 5, 7, 9]);
        assert_eq!((numbered.get(7), numbered.get(8)), (Some(&70), None));
        assert_eq!(numbered.remove(5), Some(50));
        assert_eq!(numbered.remove(5), None);
        assert_eq!(numbered.extract_if(|value| *value > 20).collect::<Vec<_>>(), [70, 90]);
        assert_eq!((numbered.len(), numbered.values().next()), (1, Some(&20)));
    }
}
