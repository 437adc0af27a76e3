//! What travels in `requestState` (2026-07-28): the answers so far and what the handler kept, sealed, and bound to what the request
//! is. Each state is good for one request only, as far as this process can tell (S-MR-06).
//!
//! The memory of used states is bounded, and it fails closed: a state that may have been used and forgotten is refused. A client whose
//! states fill the memory loses its own ones: of the holder that has most, the states that expire first are forgotten, and from then on
//! all of its states up to that expiry are refused.
//!
//! Where processes share a store it notes the uses instead, and the state says what the store was when it was made: one that may have
//! forgotten something since refuses it.

use super::questions::{Answer, ClaimStep, RequestQuestions};
use crate::engine::server::Server;
use crate::engine::server::effect::{Claim, Now, SessionId};
use crate::engine::server::requests::PendingRequest;
use crate::engine::server::session::context::{ErrorResponse, RequestContext};
use crate::json;
use crate::json::Kind;
use crate::protocol::{Era, method};
use crate::sorted::{SortedMap, SortedSet};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{Context as Digest, SHA256, digest};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// A state that is not good.
pub fn bad_state() -> ErrorResponse {
    ErrorResponse::params(BAD_STATE)
}

/// The store that notes the uses of states cannot be asked: a state is refused rather than used twice.
pub fn store_is_away() -> ErrorResponse {
    ErrorResponse::busy("store", "the store that remembers used request states cannot be reached")
}

/// One text for every reason against a state: who sent a forged one learns nothing (S-MR-04).
const BAD_STATE: &str = "'requestState' is not one of this server for this request, or it has expired";

impl<H: Clone> Server<H> {
    /// The sealed state of a request; `None` if there is nothing to keep (S-MR-13).
    pub(super) fn state_text(
        &mut self,
        now: Now,
        request: &PendingRequest<H>,
    ) -> Option<Result<String, &'static str>> {
        let questions = &request.questions;
        if questions.state().is_none() && questions.answers().is_empty() {
            return None;
        }
        let answers: Map<String, Value> = questions
            .answers()
            .iter()
            .map(|(key, answer)| {
                let (good, text) = match answer {
                    Answer::Result(text) => (true, text),
                    Answer::Failed(text) => (false, text),
                };
                (key.to_string(), json!([good, &**text]))
            })
            .collect();
        let expiry = now.unix + self.settings.timeouts.request_state.as_secs();
        // Without a principal, whose use of it is remembered: so it counts for the client that it was made for, in whichever session it comes back.
        let peer = request.context.principal.is_none().then(|| self.sessions.holder(request.stream.session));
        let kept = json!({
            "expiry": expiry, "state": questions.state(), "answers": answers, "rounds": questions.rounds() + 1,
            "peer": peer.map(|peer| peer.to_string()), "store": self.store.generation(),
        });
        let bound = binding(&request.context, request.method, &request.params, &self.settings.audience);
        if self.settings.shares_states && questions.state().is_some() && self.store.generation().is_none() {
            return Some(Err("the store that remembers used request states was not reached yet (store.url)"));
        }
        let Some(sealed) = self.keys.seal(kept.to_string().as_bytes(), &bound) else {
            return Some(Err("the system gives no random numbers to seal the request state"));
        };
        if sealed.len() > self.settings.limits.request_state {
            return Some(Err("the request state is larger than limits.request_state_bytes"));
        }
        Some(Ok(sealed))
    }

    /// The questions of a request that has just arrived: of one that comes again, with what its client answered and what was kept.
    ///
    /// # Errors
    /// A state that this server did not seal for this request, has expired or was used; answers of the wrong shape.
    pub(in crate::engine::server) fn resumed(
        &mut self,
        now: Now,
        session: SessionId,
        context: &RequestContext,
        (name, about): (&'static str, &str),
        params: &str,
    ) -> Result<(RequestQuestions, ClaimStep), ErrorResponse> {
        let may_ask = method::find(name).is_some_and(|row| row.may_ask);
        if context.era() == Era::Legacy || !may_ask {
            return Ok((RequestQuestions::default(), ClaimStep::None));
        }
        let mut claim = ClaimStep::None;
        let (mut answers, mut state, mut rounds) = (SortedMap::new(), None, 0);
        if let Some(sealed) = json::member(params, "requestState") {
            let bad = bad_state;
            let sealed = json::string(sealed).ok_or_else(bad)?;
            if sealed.len() > self.settings.limits.request_state {
                return Err(bad());
            }
            let bound = binding(context, name, params, &self.settings.audience);
            let kept = self.keys.open(&sealed, &bound).ok_or_else(bad)?;
            let kept: OpenedState = read_kept(&kept).ok_or_else(bad)?;
            let is_good_once = kept.state.is_some();
            let holder = || kept.peer.clone().unwrap_or_else(|| self.sessions.holder(session).to_string());
            if kept.expiry < now.unix {
                return Err(bad());
            }
            if is_good_once && self.settings.shares_states {
                let generation = self.store.generation().ok_or_else(store_is_away)?;
                if kept.store.as_deref() != Some(generation) {
                    return Err(bad());
                }
                let used = Claim {
                    key: URL_SAFE_NO_PAD.encode(hash_of(&sealed)).into(),
                    expiry: kept.expiry,
                    generation: generation.into(),
                };
                claim = ClaimStep::Wanted(Box::new(used));
            } else if is_good_once && !self.replay_guard.spend(&holder(), &sealed, kept.expiry, now.unix) {
                return Err(bad());
            }
            (answers, state, rounds) = (kept.answers, kept.state, kept.rounds);
        }
        if let Some(responses) = json::member(params, "inputResponses") {
            if json::kind(responses) != Some(Kind::Object) {
                return Err(ErrorResponse::params("'inputResponses' must be an object"));
            }
            rounds = rounds.max(1);
            for (key, response) in json::members(responses) {
                let key = json::string(&format!("\"{key}\"")).unwrap_or_default().into_owned();
                if json::kind(response) != Some(Kind::Object) {
                    let text = format!("the answer '{key}' to '{about}' must be an object");
                    return Err(ErrorResponse::params(text));
                }
                if answers.len() < self.settings.limits.questions * 2 {
                    answers.insert(key.into(), Answer::Result(response.into()));
                }
            }
        }
        Ok((RequestQuestions::resumed(answers, state, rounds), claim))
    }
}

/// What a sealed state holds.
struct OpenedState {
    expiry: u64,
    /// Whose it is, where requests are not authorized.
    peer: Option<String>,
    /// What the store was when it was made.
    store: Option<String>,
    state: Option<Box<str>>,
    answers: SortedMap<Box<str>, Answer>,
    rounds: u32,
}

fn read_kept(text: &[u8]) -> Option<OpenedState> {
    let kept: Value = serde_json::from_slice(text).ok()?;
    let mut answers = SortedMap::new();
    for (key, answer) in kept.get("answers")?.as_object()? {
        let text = answer.get(1)?.as_str()?;
        let answer =
            if answer.get(0)?.as_bool()? { Answer::Result(text.into()) } else { Answer::Failed(text.into()) };
        answers.insert(key.as_str().into(), answer);
    }
    Some(OpenedState {
        expiry: kept.get("expiry")?.as_u64()?,
        store: kept.get("store").and_then(Value::as_str).map(str::to_owned),
        peer: kept.get("peer").and_then(Value::as_str).map(str::to_owned),
        state: kept.get("state")?.as_str().map(Into::into),
        answers,
        rounds: u32::try_from(kept.get("rounds")?.as_u64()?).ok()?,
    })
}

/// What a state is good for: this revision, method, name and arguments, this server, and who asked (S-MR-05, S-MR-07). The members that
/// differ between a request and its retry are left out.
fn binding(context: &RequestContext, name: &str, params: &str, audience: &str) -> Vec<u8> {
    let mut digest = Digest::new(&SHA256);
    let mut add = |part: &str| {
        // The length in front keeps two parts from reading as one.
        digest.update(&(part.len() as u64).to_be_bytes());
        digest.update(part.as_bytes());
    };
    add(context.revision.as_str());
    add(audience);
    add(context.principal_id());
    add(name);
    for member in ["name", "uri", "arguments"] {
        add(&json::member(params, member).map(json::canonical).unwrap_or_default());
    }
    digest.finish().as_ref().to_vec()
}

/// The hash of a state: what is remembered does not grow with what handlers keep.
type Hash = [u8; 32];

fn hash_of(state: &str) -> Hash {
    let mut hash = Hash::default();
    hash.copy_from_slice(digest(&SHA256, state.as_bytes()).as_ref());
    hash
}

/// What is remembered of one holder. There is always a state in it.
#[derive(Debug, Default)]
struct HolderStates {
    /// The states and when each expires (seconds since 1970), first those that expire first.
    states: SortedSet<(u64, Hash)>,
    /// States that expire then or before, and are not remembered, may have been forgotten.
    mark: u64,
}

/// The states that were used and have not expired. Owns them.
#[derive(Debug)]
pub struct ReplayGuard {
    holders: HashMap<Arc<str>, HolderStates>,
    /// The holders by how much is remembered of each.
    by_size: SortedSet<(usize, Arc<str>)>,
    /// All states by their expiries, with their holders.
    expiries: SortedMap<(u64, Hash), Arc<str>>,
    /// The same as the mark of a holder, for all of them: what has expired stays refused if the clock is set back, and so do the states
    /// of holders of which nothing is remembered any more.
    floor: u64,
    limit: usize,
}

impl ReplayGuard {
    /// Nothing was used, and there is room for `limit`.
    pub fn new(limit: usize) -> ReplayGuard {
        ReplayGuard {
            holders: HashMap::new(),
            by_size: SortedSet::new(),
            expiries: SortedMap::new(),
            floor: 0,
            limit: limit.max(1),
        }
    }

    /// A state of a holder that is good until `expiry` (seconds since 1970) is used; `false` if it was used before, or may have been.
    pub fn spend(&mut self, holder: &str, state: &str, expiry: u64, unix: u64) -> bool {
        while let Some((&key, _)) = self.expiries.first_key_value().filter(|((at, _), _)| *at < unix) {
            self.forget(key);
            self.floor = self.floor.max(key.0);
        }
        let hash = hash_of(state);
        if self.is_spent(holder, hash, expiry) {
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

    /// Whether a state was used, or may have been.
    pub fn may_be_spent(&self, holder: &str, state: &str, expiry: u64) -> bool {
        self.is_spent(holder, hash_of(state), expiry)
    }

    fn is_spent(&self, holder: &str, hash: Hash, expiry: u64) -> bool {
        let mark = self.holders.get(holder).map_or(0, |holder| holder.mark);
        self.expiries.contains_key(&(expiry, hash)) || expiry <= mark.max(self.floor)
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
    fn forget(&mut self, key: (u64, Hash)) -> Option<&mut HolderStates> {
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
    use super::ReplayGuard;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn a_state_is_used_once_also_after_it_has_expired_and_the_clock_was_set_back() {
        let mut spent = ReplayGuard::new(10);
        assert!(spent.spend("ann", "a", 100, 50));
        assert!(!spent.spend("ann", "a", 100, 99));
        assert!(spent.spend("ann", "b", 300, 101));
        assert!(!spent.spend("ann", "a", 100, 50));
        assert_eq!((spent.expiries.len(), spent.holders.len()), (1, 1));
    }

    #[test]
    fn what_may_have_been_forgotten_is_refused() {
        let mut spent = ReplayGuard::new(2);
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
        let mut spent = ReplayGuard::new(100);
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
        let mut spent = ReplayGuard::new(3);
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
            let mut spent = ReplayGuard::new(limit);
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
