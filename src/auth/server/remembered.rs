//! Verdicts that are kept for a time, so that the authorization server or the application is not asked for each request. They are
//! found by the hash of the token: the token itself is not kept. A client that sends tokens without end pushes out its own verdicts: a good
//! token is its principal's, another one the client's that sent it.

use super::denial::Denial;
use super::principal::Principal;
use crate::auth::Secret;
use crate::shares::{Holder, Places};
use ring::digest::{SHA256, digest};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The hash of a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// The hash of this token.
    pub fn of(token: &Secret) -> TokenHash {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest(&SHA256, token.expose().as_bytes()).as_ref());
        TokenHash(bytes)
    }
}

type Verdict = Result<Arc<Principal>, Denial>;

/// Verdicts by token. Owns them.
#[derive(Debug)]
pub struct Remembered {
    most: usize,
    time: Duration,
    /// With the number of each.
    verdicts: HashMap<TokenHash, (Verdict, u64)>,
    /// When each ends, by number: oldest first.
    ends: BTreeMap<u64, (TokenHash, Instant)>,
    /// Whose they are.
    places: Places<Holder>,
    next: u64,
}

impl Remembered {
    /// Room for `most` verdicts, each for `time`.
    pub fn new(most: usize, time: Duration) -> Remembered {
        let places = Places::new(most);
        Remembered { most, time, verdicts: HashMap::new(), ends: BTreeMap::new(), places, next: 0 }
    }

    /// What was found out about a token.
    pub fn get(&mut self, token: &TokenHash, now: Instant) -> Option<Verdict> {
        self.forget_old(now);
        let (verdict, number) = self.verdicts.get(token)?;
        self.places.used(*number);
        Some(verdict.clone())
    }

    /// Keeps a verdict about a token that this client sent. Where there is no room one goes that was not asked for again, of the holder
    /// that has most. That something could not be found out is not kept.
    pub fn put(&mut self, token: TokenHash, from: &Holder, verdict: &Verdict, now: Instant) {
        if self.most == 0 || self.time.is_zero() || matches!(verdict, Err(Denial::Unavailable(_))) {
            return;
        }
        self.forget_old(now);
        if let Some((_, number)) = self.verdicts.get(&token) {
            self.forget(*number);
        }
        let holder = match verdict {
            Ok(principal) => Holder::Principal(principal.id().into()),
            Err(_) => from.clone(),
        };
        let number = self.next;
        self.next += 1;
        while !self.places.add(number, holder.clone()) {
            let Some(gone) = self.places.give_way(&holder, |_| false) else { return };
            self.forget(gone);
        }
        self.ends.insert(number, (token, now + self.time));
        self.verdicts.insert(token, (verdict.clone(), number));
    }

    fn forget(&mut self, number: u64) {
        self.places.remove(number);
        if let Some((token, _)) = self.ends.remove(&number) {
            self.verdicts.remove(&token);
        }
    }

    fn forget_old(&mut self, now: Instant) {
        while let Some((number, (_, end))) = self.ends.first_key_value()
            && *end <= now
        {
            self.forget(*number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::server::Implied;

    fn hash(number: u32) -> TokenHash {
        TokenHash::of(&Secret::new(number.to_string()))
    }

    #[test]
    fn verdicts_are_kept_for_their_time_and_within_their_bound() {
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let no: Verdict = Err(Denial::Invalid("no"));
        let from = Holder::Unknown;
        let mut kept = Remembered::new(2, Duration::from_secs(10));
        kept.put(hash(1), &from, &no, at(0));
        kept.put(hash(2), &from, &no, at(1));
        kept.put(hash(1), &from, &no, at(2));
        kept.put(hash(3), &from, &no, at(3));
        assert!(kept.get(&hash(2), at(3)).is_none(), "the oldest went");
        assert_eq!(kept.get(&hash(1), at(11)), Some(no.clone()));
        assert!(kept.get(&hash(1), at(12)).is_none() && kept.get(&hash(3), at(12)).is_some());
        kept.put(hash(4), &from, &Err(Denial::Unavailable(String::new())), at(12));
        assert!(kept.get(&hash(4), at(12)).is_none());
        assert!(kept.get(&hash(3), at(13)).is_none() && kept.ends.is_empty() && kept.verdicts.is_empty());
        assert_eq!(kept.places.len(), 0);
        let mut off = Remembered::new(2, Duration::ZERO);
        off.put(hash(1), &from, &no, begin);
        assert!(off.get(&hash(1), begin).is_none());
    }

    #[test]
    fn who_sends_tokens_without_end_pushes_out_no_verdict_of_another() {
        let now = Instant::now();
        let mut kept = Remembered::new(100, Duration::from_secs(60));
        let person = |number: u32| {
            let claims = serde_json::Map::from_iter([("sub".to_owned(), number.to_string().into())]);
            Principal::of_claims(claims, "https://login.example.com", &Implied::default()).expect("a person")
        };
        let flood = Holder::Session(1);
        for number in 0..10 {
            kept.put(hash(number), &flood, &Ok(Arc::new(person(number))), now);
        }
        kept.put(hash(10), &Holder::Session(2), &Err(Denial::Invalid("no")), now);
        for number in 100..10_000 {
            kept.put(hash(number), &flood, &Err(Denial::Invalid("no")), now);
            kept.get(&hash(number), now);
        }
        assert!((0..=10).all(|number| kept.get(&hash(number), now).is_some()));
        assert_eq!((kept.verdicts.len(), kept.ends.len(), kept.places.len()), (100, 100, 100));
    }
}
