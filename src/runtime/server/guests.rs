//! Sessions of clients that came by themselves, and who has them. Those that the program attached or gave descriptors for are not
//! among them: no client ends one.

use crate::shares::Holder;
use crate::shares::Places;
use crate::sorted::SortedMap;
use std::time::Instant;

/// Whose sessions there are.
#[derive(Debug)]
pub(super) struct Guests {
    /// Those over a socket, each of which has descriptors.
    pub(super) streams: Places<Holder>,
    /// Those over HTTP, of the legacy era.
    pub(super) http: Places<Holder>,
    /// Those over a socket that have sent no message, and when they end. All have as long, so that the oldest is the first.
    pub(super) silent: SortedMap<u64, Instant>,
    /// How many descriptors of clients there were when few were left. The number of a new descriptor says that only once: the next
    /// ones fill the gaps that those leave which ended.
    most_descriptors: Option<usize>,
}

impl Guests {
    /// No guest; there are at most `most`.
    pub(super) fn new(most: usize) -> Guests {
        Guests {
            streams: Places::new(most),
            http: Places::new(most),
            silent: SortedMap::new(),
            most_descriptors: None,
        }
    }

    /// A client has connected to a socket.
    pub(super) fn add_stream(&mut self, number: u64, holder: Holder, silent_until: Instant) {
        // The engine has counted it, so that there is room.
        let _added = self.streams.add(number, holder);
        self.silent.insert(number, silent_until);
    }

    /// A client has opened a session over HTTP.
    #[cfg(feature = "http")]
    pub(super) fn add_http(&mut self, number: u64, holder: Holder) {
        let _added = self.http.add(number, holder);
    }

    /// A client has used its session after opening it.
    pub(super) fn used(&mut self, number: u64) {
        self.silent.remove(&number);
        self.streams.used(number);
        self.http.used(number);
    }

    pub(super) fn remove(&mut self, number: u64) {
        self.silent.remove(&number);
        self.streams.remove(number);
        self.http.remove(number);
    }

    /// Whether another client must end before one that comes is taken: few descriptors are left (`is_scarce`), or clients have as many as
    /// when that was so. When many have ended, it is found out again.
    pub(super) fn has_few_descriptors(&mut self, connections: usize, is_scarce: bool) -> bool {
        let now = self.streams.count() * 2 + connections;
        if is_scarce {
            self.most_descriptors = Some(self.most_descriptors.map_or(now, |most| most.min(now)));
        }
        let most = self.most_descriptors.filter(|most| now >= most - most / 8);
        self.most_descriptors = most;
        most.is_some_and(|most| now >= most)
    }

    /// When the first of those that have sent nothing ends.
    pub(super) fn due(&self) -> Option<Instant> {
        self.silent.first_key_value().map(|(_, at)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::Guests;

    #[test]
    fn what_was_too_much_once_is_too_much_until_many_have_ended() {
        let mut guests = Guests::new(10);
        assert!(!guests.has_few_descriptors(449, false));
        assert!(guests.has_few_descriptors(450, true));
        assert!(!guests.has_few_descriptors(449, false) && guests.has_few_descriptors(450, false));
        assert!(guests.has_few_descriptors(440, true), "the program has opened some");
        assert!(guests.has_few_descriptors(440, false) && !guests.has_few_descriptors(386, false));
        assert!(guests.has_few_descriptors(440, false));
        assert!(!guests.has_few_descriptors(384, false) && !guests.has_few_descriptors(440, false));
    }
}
