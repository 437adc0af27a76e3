//! Verdicts that are kept for a time, so that the authorization server or the application is not asked for each request. They are
//! found by the hash of the token: the token itself is not kept.

use super::denial::Denial;
use super::principal::Principal;
use crate::auth::Secret;
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
    verdicts: HashMap<TokenHash, (Verdict, u64)>,
    /// When each ends, oldest first.
    ends: BTreeMap<u64, (TokenHash, Instant)>,
    next: u64,
}

impl Remembered {
    /// Room for `most` verdicts, each for `time`.
    pub fn new(most: usize, time: Duration) -> Remembered {
        Remembered { most, time, verdicts: HashMap::new(), ends: BTreeMap::new(), next: 0 }
    }

    /// What was found out about a token.
    pub fn get(&mut self, token: &TokenHash, now: Instant) -> Option<Verdict> {
        self.forget_old(now);
        self.verdicts.get(token).map(|(verdict, _)| verdict.clone())
    }

    /// Keeps a verdict. The oldest goes where there is no room. That something could not be found out is not kept.
    pub fn put(&mut self, token: TokenHash, verdict: &Verdict, now: Instant) {
        if self.most == 0 || self.time.is_zero() || matches!(verdict, Err(Denial::Unavailable(_))) {
            return;
        }
        self.forget_old(now);
        if let Some((_, place)) = self.verdicts.remove(&token) {
            self.ends.remove(&place);
        } else if self.verdicts.len() >= self.most
            && let Some((_, (oldest, _))) = self.ends.pop_first()
        {
            self.verdicts.remove(&oldest);
        }
        self.ends.insert(self.next, (token, now + self.time));
        self.verdicts.insert(token, (verdict.clone(), self.next));
        self.next += 1;
    }

    fn forget_old(&mut self, now: Instant) {
        while let Some(first) = self.ends.first_entry() {
            if first.get().1 > now {
                return;
            }
            let (token, _) = first.remove();
            self.verdicts.remove(&token);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(number: u32) -> TokenHash {
        TokenHash::of(&Secret::new(number.to_string()))
    }

    #[test]
    fn verdicts_are_kept_for_their_time_and_within_their_bound() {
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let no: Verdict = Err(Denial::Invalid("no"));
        let mut kept = Remembered::new(2, Duration::from_secs(10));
        kept.put(hash(1), &no, at(0));
        kept.put(hash(2), &no, at(1));
        kept.put(hash(1), &no, at(2));
        kept.put(hash(3), &no, at(3));
        assert!(kept.get(&hash(2), at(3)).is_none(), "the oldest went");
        assert_eq!(kept.get(&hash(1), at(11)), Some(no.clone()));
        assert!(kept.get(&hash(1), at(12)).is_none() && kept.get(&hash(3), at(12)).is_some());
        kept.put(hash(4), &Err(Denial::Unavailable(String::new())), at(12));
        assert!(kept.get(&hash(4), at(12)).is_none());
        assert!(kept.get(&hash(3), at(13)).is_none() && kept.ends.is_empty() && kept.verdicts.is_empty());
        let mut off = Remembered::new(2, Duration::ZERO);
        off.put(hash(1), &no, begin);
        assert!(off.get(&hash(1), begin).is_none());
    }
}
