//! The ids of elicitations by URL (2025-11-25): none is used twice in a session (S-EL-04).

use super::effect::SessionId;
use std::collections::{BTreeSet, VecDeque};

/// The ids that were used. When there are too many, the oldest is forgotten.
#[derive(Debug)]
pub(super) struct ElicitationIds {
    used: BTreeSet<(SessionId, Box<str>)>,
    /// The same in the order of use, with those of sessions that have ended.
    order: VecDeque<(SessionId, Box<str>)>,
    limit: usize,
}

impl ElicitationIds {
    /// No id was used, and `limit` are remembered.
    pub fn new(limit: usize) -> ElicitationIds {
        ElicitationIds { used: BTreeSet::new(), order: VecDeque::new(), limit }
    }

    /// Whether an id was used in the session.
    pub fn has(&self, session: SessionId, id: &str) -> bool {
        self.used.contains(&(session, id.into()))
    }

    /// Takes note of an id.
    pub fn add(&mut self, session: SessionId, id: &str) {
        let key = (session, Box::from(id));
        if !self.used.insert(key.clone()) {
            return;
        }
        self.order.push_back(key);
        if self.order.len() > self.limit
            && let Some(oldest) = self.order.pop_front()
        {
            self.used.remove(&oldest);
        }
    }

    /// A session has ended.
    pub fn forget(&mut self, session: SessionId) {
        let from = (session, Box::default());
        let ids: Vec<_> = self.used.range(from..).take_while(|(of, _)| *of == session).cloned().collect();
        for id in ids {
            self.used.remove(&id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ElicitationIds, SessionId};

    #[test]
    fn ids_are_remembered_up_to_a_bound_and_as_long_as_their_session() {
        let mut ids = ElicitationIds::new(2);
        let (one, other) = (SessionId(1), SessionId(2));
        for id in ["a", "b", "b", "c"] {
            ids.add(one, id);
        }
        assert!(!ids.has(one, "a") && ids.has(one, "b") && ids.has(one, "c"));
        assert!(!ids.has(other, "b"), "each session has its own");
        ids.add(other, "b");
        assert_eq!((ids.used.len(), ids.order.len()), (2, 2), "the bound is of all sessions together");
        ids.forget(one);
        assert!(!ids.has(one, "c") && ids.has(other, "b"));
    }
}
