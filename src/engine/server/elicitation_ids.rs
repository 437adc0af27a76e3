//! The ids of elicitations by URL (2025-11-25): none is used twice in a session (S-EL-04).
//!
//! None is forgotten before its session ends, so that none is good twice; where a client has its share, one more is refused.

use super::effect::SessionId;
use crate::shares::{Holder, Lending, Shares};
use std::collections::{BTreeMap, BTreeSet};

/// The ids of one session, and whose it was when it had the first.
#[derive(Debug)]
struct OfSession {
    holder: Holder,
    used: BTreeSet<Box<str>>,
}

/// The ids that were used.
#[derive(Debug)]
pub(super) struct ElicitationIds {
    sessions: BTreeMap<SessionId, OfSession>,
    shares: Shares<Holder>,
}

impl ElicitationIds {
    /// No id was used, and `limit` are remembered.
    pub fn new(limit: usize) -> ElicitationIds {
        ElicitationIds { sessions: BTreeMap::new(), shares: Shares::new(limit, 1, Lending::Half) }
    }

    /// Whether an id may be used in a session of a holder.
    ///
    /// # Errors
    /// It was used before, or there is no room to remember it.
    pub fn may_add(&self, session: SessionId, holder: &Holder, id: &str) -> Result<(), String> {
        let of = self.sessions.get(&session);
        if of.is_some_and(|of| of.used.contains(id)) {
            return Err(format!("the elicitationId '{id}' was used before"));
        }
        let holder = of.map_or(holder, |of| &of.holder);
        self.shares.may_take(holder, 1).map_err(|_| {
            format!(
                "the elicitationId '{id}' cannot be remembered: {} of {} ids (limits.elicitation_ids) are those of this client, which is its share until a session of it ends",
                self.shares.held(holder),
                self.shares.total()
            )
        })
    }

    /// Takes note of an id that may be used.
    pub fn add(&mut self, session: SessionId, holder: &Holder, id: &str) {
        let of = self.sessions.entry(session);
        let of = of.or_insert_with(|| OfSession { holder: holder.clone(), used: BTreeSet::new() });
        if of.used.insert(id.into()) {
            self.shares.put(&of.holder, 1);
        }
    }

    /// A session has ended.
    pub fn forget(&mut self, session: SessionId) {
        if let Some(of) = self.sessions.remove(&session) {
            self.shares.give(&of.holder, of.used.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ElicitationIds, Holder, SessionId};

    #[test]
    fn no_id_is_good_twice_and_one_client_has_half_of_what_the_others_leave() {
        let mut ids = ElicitationIds::new(8);
        let (flood, calm) = (Holder::Process(1), Holder::Process(2));
        let add = |ids: &mut ElicitationIds, session, holder: &Holder, id: &str| {
            let session = SessionId(session);
            ids.may_add(session, holder, id).inspect(|()| ids.add(session, holder, id))
        };
        // In however many sessions.
        let taken = (0..100).filter(|at| add(&mut ids, at % 3, &flood, &at.to_string()).is_ok()).count();
        assert_eq!(taken, 4);
        let refused = add(&mut ids, 0, &flood, "more").expect_err("it has its share");
        assert!(refused.contains("4 of 8 ids (limits.elicitation_ids)"), "{refused}");
        for id in ["0", "1"] {
            assert_eq!(add(&mut ids, 10, &calm, id), Ok(()), "each session has its own");
        }
        for (session, holder, id) in [(0, &flood, "0"), (10, &calm, "0")] {
            let refused = add(&mut ids, session, holder, id).expect_err("it was used");
            assert!(refused.contains("was used before"), "{refused}");
        }
        for session in [0, 1, 2, 10, 11] {
            ids.forget(SessionId(session));
        }
        assert!(ids.sessions.is_empty() && ids.shares.used() == 0);
        assert_eq!(add(&mut ids, 1, &flood, "0"), Ok(()));
    }
}
