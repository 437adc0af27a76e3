//! What each account holds, and which give way where there is no room.

use crate::runtime::clock;
use crate::shares::{Denied, Holder, Lending, Shares};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// What did not move for that long is stuck.
const STUCK: Duration = Duration::from_secs(1);

/// What is small: it always finds room beside what is large.
pub(crate) const SMALL: usize = 64 * 1024;
/// What holds bytes that others may need.
pub(crate) trait GivesWay: Send + Sync {
    /// Something else needs the room. An account that keeps events for later drops at least so many bytes of them before this
    /// returns, if it has them; another one ends with what it carries, soon. It is called without a lock of the budget.
    fn give_way(&self, bytes: usize);
}

/// An account among those of its holder.
pub(super) type AccountKey = (Arc<Holder>, u64);

/// What is told to give way, and how many bytes of it are needed.
pub(super) type GiveWayOrders = Vec<(Arc<dyn GivesWay>, usize)>;

/// What an account is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// Something on its way, which ends when it gives way.
    Way,
    /// Something that is kept in case that it is needed.
    Kept,
}

#[derive(Debug)]
struct LedgerEntry {
    held: usize,
    /// Bytes that came or went in its life.
    moved: usize,
    begun: Instant,
    /// When the last did.
    last: Instant,
    of: Use,
    /// Its client waits for the server.
    is_served: bool,
    /// It was told to give way, and its bytes count as leaving.
    is_leaving: bool,
    gives_way: WeakWay,
}

struct WeakWay(Weak<dyn GivesWay>);

impl fmt::Debug for WeakWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WeakWay")
    }
}

/// What each account holds.
#[derive(Debug)]
pub(super) struct Ledger {
    shares: Shares<Arc<Holder>>,
    accounts: BTreeMap<AccountKey, LedgerEntry>,
    /// Bytes of what was told to give way and is not gone.
    leaving: usize,
    next: u64,
}

impl Ledger {
    /// Nothing is held of `total`.
    pub(super) fn new(total: usize) -> Ledger {
        let shares = Shares::new(total, SMALL, Lending::All);
        Ledger { shares, accounts: BTreeMap::new(), leaving: 0, next: 0 }
    }

    /// An account of a holder.
    pub(super) fn open(&mut self, holder: Holder, gives_way: Weak<dyn GivesWay>, of: Use) -> AccountKey {
        let key = (Arc::new(holder), self.next);
        self.next += 1;
        let now = clock::now();
        self.accounts.insert(
            key.clone(),
            LedgerEntry {
                held: 0,
                moved: 0,
                begun: now,
                last: now,
                of,
                is_served: false,
                is_leaving: false,
                gives_way: WeakWay(gives_way),
            },
        );
        key
    }

    /// An account holds nothing, and never will. What it gives back is dropped without the lock.
    pub(super) fn close(&mut self, key: &AccountKey) -> Option<impl Sized + use<>> {
        self.accounts.remove(key)
    }

    /// What is held, what is leaving included.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.shares.used() + self.leaving
    }

    /// Takes bytes for an account.
    ///
    /// # Errors
    /// What is told to give way first; `None` where nothing would help.
    pub(super) fn take(&mut self, key: &AccountKey, bytes: usize) -> Result<(), Option<GiveWayOrders>> {
        // What leaves is still there. What is to leave for this is told below, however large it is.
        let is_beyond =
            (self.shares.used() + self.leaving).saturating_add(bytes) > self.shares.total() + self.slack();
        if is_beyond && self.shares.may_take(&key.0, bytes).is_ok() {
            return Err(None);
        }
        let Some(entry) = self.accounts.get_mut(key).filter(|entry| !entry.is_leaving) else {
            return Err(None);
        };
        let of = entry.of;
        entry.is_served = false;
        let taken = match of {
            Use::Way => self.shares.take(&key.0, bytes),
            Use::Kept => self.shares.take_unused(&key.0, bytes),
        };
        let giving_way = match taken {
            Ok(()) => {
                entry.held += bytes;
                return Ok(());
            }
            Err(Denied::Cut { holder, amount, .. }) => self.of_another(&holder, amount, (key, of)),
            // No other holder has more. What it has itself may make room.
            Err(Denied::Share { .. }) if bytes <= self.shares.total() => self.of_the_same(bytes, (key, of)),
            Err(Denied::Share { .. }) => Vec::new(),
        };
        let told: GiveWayOrders =
            giving_way.into_iter().filter_map(|(key, bytes)| self.tell(&key, bytes)).collect();
        Err((!told.is_empty()).then_some(told))
    }

    /// Which accounts of another holder give way, and how many bytes of each. Nothing on its way ends for what is only kept.
    fn of_another(
        &self,
        holder: &Arc<Holder>,
        amount: usize,
        (key, of): (&AccountKey, Use),
    ) -> Vec<(AccountKey, usize)> {
        self.slowest_first(holder, amount, key, |entry| of == Use::Way || entry.of == Use::Kept)
    }

    /// Which accounts of the same holder do: what it keeps, what its client leaves alone, and what is large for something small.
    fn of_the_same(&self, bytes: usize, (key, of): (&AccountKey, Use)) -> Vec<(AccountKey, usize)> {
        let missing = bytes.saturating_sub(self.shares.free());
        let now = clock::now();
        self.slowest_first(&key.0, missing, key, |entry| match (of, entry.of) {
            (Use::Way, Use::Kept) => true,
            (Use::Kept, Use::Way) => false,
            _ => !entry.is_served && (entry.is_stuck(now) || bytes <= SMALL && entry.held > SMALL),
        })
    }

    /// So many accounts of a holder that they have `amount` bytes together: those that keep events, then the slowest, and last those
    /// whose clients wait for the server.
    fn slowest_first(
        &self,
        holder: &Arc<Holder>,
        amount: usize,
        beside: &AccountKey,
        gives_way: impl Fn(&LedgerEntry) -> bool,
    ) -> Vec<(AccountKey, usize)> {
        let now = clock::now();
        let may = |key: &AccountKey, entry: &LedgerEntry| {
            key != beside && entry.held > 0 && !entry.is_leaving && gives_way(entry)
        };
        let mut all: Vec<_> = self.of(holder).filter(|(key, entry)| may(key, entry)).collect();
        all.sort_by_cached_key(|(_, entry)| {
            (entry.of != Use::Kept, entry.is_served, entry.speed(now), usize::MAX - entry.held)
        });
        self.as_far(all.into_iter(), amount)
    }

    fn of(&self, holder: &Arc<Holder>) -> impl Iterator<Item = (&AccountKey, &LedgerEntry)> {
        let from = (Arc::clone(holder), 0);
        let to = (Arc::clone(holder), u64::MAX);
        self.accounts.range((Bound::Included(from), Bound::Included(to)))
    }

    /// How much of what leaves may still be there beyond the bound.
    fn slack(&self) -> usize {
        self.shares.total() / 4
    }

    /// So many of them that they have `amount` bytes together.
    fn as_far<'a>(
        &self,
        all: impl Iterator<Item = (&'a AccountKey, &'a LedgerEntry)>,
        amount: usize,
    ) -> Vec<(AccountKey, usize)> {
        let mut missing = amount;
        let mut leaving = self.leaving;
        let mut chosen = Vec::new();
        for (key, entry) in all {
            if missing == 0 {
                break;
            }
            if entry.of == Use::Way {
                // What leaves is still there for a moment. One may be larger than what is left for that.
                if leaving > 0 && leaving + entry.held > self.slack() {
                    continue;
                }
                leaving += entry.held;
            }
            chosen.push((key.clone(), entry.held.min(missing)));
            missing = missing.saturating_sub(entry.held);
        }
        chosen
    }

    /// An account is told to give way; what of it that is.
    fn tell(&mut self, key: &AccountKey, bytes: usize) -> Option<(Arc<dyn GivesWay>, usize)> {
        let entry = self.accounts.get_mut(key)?;
        let gives_way = entry.gives_way.0.upgrade()?;
        if entry.of == Use::Way {
            entry.is_leaving = true;
            let held = entry.held;
            self.leaving += held;
            self.shares.give(&key.0, held);
        }
        Some((gives_way, bytes))
    }

    /// Bytes of an account are gone. Whether it had given way.
    pub(super) fn give(&mut self, key: &AccountKey, bytes: usize) -> bool {
        let Some(entry) = self.accounts.get_mut(key) else { return false };
        let is_leaving = entry.is_leaving;
        entry.held = entry.held.saturating_sub(bytes);
        match entry.of {
            _ if entry.is_leaving => self.leaving = self.leaving.saturating_sub(bytes),
            Use::Way => self.shares.give(&key.0, bytes),
            Use::Kept => self.shares.give_unused(&key.0, bytes),
        }
        self.moved(key, bytes);
        is_leaving
    }

    /// Whether bytes of another account are leaving.
    pub(super) fn may_have_room_soon(&self, key: &AccountKey) -> bool {
        self.leaving > 0 && self.accounts.get(key).is_some_and(|entry| !entry.is_leaving)
    }

    /// The client of an account waits for the server.
    pub(super) fn is_served(&mut self, key: &AccountKey) {
        if let Some(entry) = self.accounts.get_mut(key) {
            entry.is_served = true;
        }
    }

    /// Bytes of what an account is for came or went.
    pub(super) fn moved(&mut self, key: &AccountKey, bytes: usize) {
        if let Some(entry) = self.accounts.get_mut(key) {
            entry.moved = entry.moved.saturating_add(bytes);
            entry.last = clock::now();
        }
    }
}

impl LedgerEntry {
    /// Bytes a second, in its life. What has just begun is fast.
    fn speed(&self, now: Instant) -> usize {
        let millis = now.saturating_duration_since(self.begun).as_millis();
        if millis < STUCK.as_millis() {
            return usize::MAX;
        }
        usize::try_from(self.moved as u128 * 1000 / millis).unwrap_or(usize::MAX)
    }

    fn is_stuck(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.last) >= STUCK
    }
}
