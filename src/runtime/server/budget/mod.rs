//! `Budget`: the bytes that a server holds for all its clients together: bodies on their way, messages that wait to be read, and
//! events that are kept. Each is charged to an account, whose holder has its share of them (`crate::shares`).
//!
//! Where there is no room, accounts of the holder that has most give way: kept events go first, then what moves slowest. What gives
//! way is counted until it is really gone, up to a quarter beyond the bound.
//!
//! * `tests`: holders beside one that takes all

#[cfg(test)]
mod tests;

use crate::runtime::{clock, lock};
use crate::shares::{Denied, Holder, Lending, Shares};
use crate::sorted::SortedMap;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Bound;
#[cfg(feature = "http")]
use std::pin::pin;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};
#[cfg(feature = "http")]
use tokio::sync::Notify;

/// What each charge takes beside the bytes themselves: the memory of lists, and what the allocator adds.
pub(crate) const EACH: usize = 128;
/// How often something gives way for one charge.
const ATTEMPTS: usize = 16;

/// There is no room for so many bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BudgetFull;

/// The bytes that a server holds for its clients.
#[derive(Debug)]
pub(crate) struct Budget {
    ledger: Mutex<Ledger>,
    /// Something that gave way is gone.
    #[cfg(feature = "http")]
    has_left: Notify,
}

/// Who a charge is for, and what gives way when the room is needed. An account without a budget has no bound.
#[derive(Clone, Default, Debug)]
pub(crate) struct Account(Option<Arc<Registered>>);

#[derive(Debug)]
struct Registered {
    budget: Arc<Budget>,
    key: AccountKey,
}

/// Bytes that are held, until it is dropped.
#[derive(Default, Debug)]
pub(crate) struct Charge {
    account: Account,
    bytes: usize,
}

impl Budget {
    /// Room for `total` bytes.
    pub(crate) fn new(total: usize) -> Arc<Budget> {
        Arc::new(Budget {
            ledger: Mutex::new(Ledger::new(total)),
            #[cfg(feature = "http")]
            has_left: Notify::new(),
        })
    }

    /// An account for what is on its way. It ends when it gives way.
    pub(crate) fn account(self: &Arc<Budget>, holder: Holder, gives_way: Weak<dyn GivesWay>) -> Account {
        self.open(holder, gives_way, Use::Way)
    }

    /// An account for what is kept in case that a client comes back: it goes before what is on its way.
    pub(crate) fn account_of_kept(
        self: &Arc<Budget>,
        holder: Holder,
        gives_way: Weak<dyn GivesWay>,
    ) -> Account {
        self.open(holder, gives_way, Use::Kept)
    }

    fn open(self: &Arc<Budget>, holder: Holder, gives_way: Weak<dyn GivesWay>, of: Use) -> Account {
        let key = lock(&self.ledger).open(holder, gives_way, of);
        Account(Some(Arc::new(Registered { budget: Arc::clone(self), key })))
    }

    /// Wakes what waits for room.
    fn tell_left(&self) {
        #[cfg(feature = "http")]
        self.has_left.notify_waiters();
    }

    /// The bytes that are held, what is leaving included.
    #[cfg(test)]
    pub(crate) fn held(&self) -> usize {
        lock(&self.ledger).held()
    }
}

impl Account {
    fn is(&self, other: &Account) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }

    /// Holds bytes for what the account is for; something else gives way where it must. Only for a thread that has no lock which
    /// what gives way may need.
    ///
    /// # Errors
    /// There is no room, and nothing gives way.
    pub(crate) fn charge(&self, bytes: usize) -> Result<Charge, BudgetFull> {
        let mut charge = self.clone().nothing();
        charge.grow(bytes)?;
        Ok(charge)
    }

    /// A charge of it that holds nothing yet.
    pub(crate) fn nothing(self) -> Charge {
        Charge { account: self, bytes: 0 }
    }

    /// Its client waits for the server now, and not the other way round.
    pub(crate) fn is_served(&self) {
        if let Some(account) = &self.0 {
            lock(&account.budget.ledger).is_served(&account.key);
        }
    }

    /// Bytes of what it is for came or went, which shows that it does not stand still.
    pub(crate) fn moves(&self, bytes: usize) {
        if let Some(account) = &self.0 {
            lock(&account.budget.ledger).moved(&account.key, bytes);
        }
    }
}

impl Charge {
    /// Holds so many more.
    ///
    /// # Errors
    /// There is no room, and nothing gives way.
    pub(crate) fn grow(&mut self, more: usize) -> Result<(), BudgetFull> {
        let Some(account) = self.account.0.as_deref().filter(|_| more > 0) else { return Ok(()) };
        for _ in 0..ATTEMPTS {
            // Without the lock: they drop what they hold.
            let told = match lock(&account.budget.ledger).take(&account.key, more) {
                Ok(()) => {
                    self.bytes += more;
                    return Ok(());
                }
                Err(told) => told.ok_or(BudgetFull)?,
            };
            for (way, bytes) in told {
                way.give_way(bytes);
            }
        }
        Err(BudgetFull)
    }

    /// The same, and waits for what gives way, which is still there for a moment.
    ///
    /// # Errors
    /// There is no room, and nothing gives way.
    #[cfg(feature = "http")]
    pub(crate) async fn grow_in_time(&mut self, more: usize) -> Result<(), BudgetFull> {
        // Most often there is room, and nothing to wait for.
        if self.grow(more).is_ok() {
            return Ok(());
        }
        let Some(budget) = self.account.0.as_ref().map(|account| Arc::clone(&account.budget)) else {
            return Ok(());
        };
        loop {
            let mut has_left = pin!(budget.has_left.notified());
            // What leaves from here on is heard of.
            has_left.as_mut().enable();
            if self.grow(more).is_ok() {
                return Ok(());
            }
            if !self.may_have_room_soon() {
                // The last of it may have left since.
                return self.grow(more);
            }
            has_left.await;
        }
    }

    /// Whether something that gives way is not gone yet, so that there may be room for this soon.
    pub(crate) fn may_have_room_soon(&self) -> bool {
        self.account.0.as_ref().is_some_and(|it| lock(&it.budget.ledger).may_have_room_soon(&it.key))
    }

    /// Holds so many from now on.
    ///
    /// # Errors
    /// There is no room for more than before, and nothing gives way.
    pub(crate) fn set(&mut self, bytes: usize) -> Result<(), BudgetFull> {
        match bytes.checked_sub(self.bytes) {
            Some(more) => self.grow(more),
            None => {
                self.shrink(self.bytes - bytes);
                Ok(())
            }
        }
    }

    fn shrink(&mut self, less: usize) {
        let less = less.min(self.bytes);
        self.bytes -= less;
        if let Some(account) = self.account.0.as_deref().filter(|_| less > 0)
            && lock(&account.budget.ledger).give(&account.key, less)
        {
            account.budget.tell_left();
        }
    }

    /// Counts what another one of the same account counts, too.
    pub(crate) fn merge(&mut self, mut other: Charge) {
        if self.bytes == 0 {
            *self = other;
        } else if self.account.is(&other.account) {
            self.bytes += std::mem::take(&mut other.bytes);
        }
    }

    /// Whether it holds nothing.
    pub(crate) fn is_nothing(&self) -> bool {
        self.bytes == 0
    }

    /// What it is counted for.
    pub(crate) fn account(&self) -> &Account {
        &self.account
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.shrink(self.bytes);
    }
}

impl Drop for Registered {
    /// All its charges are gone: each has the account.
    fn drop(&mut self) {
        let gone = lock(&self.budget.ledger).close(&self.key);
        drop(gone);
    }
}

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

/// A holder of accounts, which is compared with itself most of the time.
#[derive(Clone, PartialEq, Eq, Debug)]
struct AccountHolder(Arc<Holder>);

impl Ord for AccountHolder {
    fn cmp(&self, other: &Self) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) { Ordering::Equal } else { self.0.cmp(&other.0) }
    }
}

impl PartialOrd for AccountHolder {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// An account among those of its holder.
type AccountKey = (AccountHolder, u64);

/// What is told to give way, and how many bytes of it are needed.
type GiveWayOrders = Vec<(Arc<dyn GivesWay>, usize)>;

/// What an account is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
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
struct Ledger {
    shares: Shares<AccountHolder>,
    accounts: SortedMap<AccountKey, LedgerEntry>,
    /// Bytes of what was told to give way and is not gone.
    leaving: usize,
    next: u64,
}

impl Ledger {
    /// Nothing is held of `total`.
    fn new(total: usize) -> Ledger {
        let shares = Shares::new(total, SMALL, Lending::All);
        Ledger { shares, accounts: SortedMap::new(), leaving: 0, next: 0 }
    }

    /// An account of a holder.
    fn open(&mut self, holder: Holder, gives_way: Weak<dyn GivesWay>, of: Use) -> AccountKey {
        let key = (AccountHolder(Arc::new(holder)), self.next);
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
    fn close(&mut self, key: &AccountKey) -> Option<impl Sized + use<>> {
        self.accounts.remove(key)
    }

    /// What is held, what is leaving included.
    #[cfg(test)]
    fn held(&self) -> usize {
        self.shares.used() + self.leaving
    }

    /// Takes bytes for an account.
    ///
    /// # Errors
    /// What is told to give way first; `None` where nothing would help.
    fn take(&mut self, key: &AccountKey, bytes: usize) -> Result<(), Option<GiveWayOrders>> {
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
        holder: &AccountHolder,
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
        holder: &AccountHolder,
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

    fn of(&self, holder: &AccountHolder) -> impl Iterator<Item = (&AccountKey, &LedgerEntry)> {
        let from = (holder.clone(), 0);
        let to = (holder.clone(), u64::MAX);
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
    fn give(&mut self, key: &AccountKey, bytes: usize) -> bool {
        let Some(entry) = self.accounts.get_mut(key) else { return false };
        let is_leaving = entry.is_leaving;
        entry.held = entry.held.saturating_sub(bytes);
        entry.moves(bytes);
        match entry.of {
            _ if entry.is_leaving => self.leaving = self.leaving.saturating_sub(bytes),
            Use::Way => self.shares.give(&key.0, bytes),
            Use::Kept => self.shares.give_unused(&key.0, bytes),
        }
        is_leaving
    }

    /// Whether bytes of another account are leaving.
    fn may_have_room_soon(&self, key: &AccountKey) -> bool {
        self.leaving > 0 && self.accounts.get(key).is_some_and(|entry| !entry.is_leaving)
    }

    /// The client of an account waits for the server.
    fn is_served(&mut self, key: &AccountKey) {
        if let Some(entry) = self.accounts.get_mut(key) {
            entry.is_served = true;
        }
    }

    /// Bytes of what an account is for came or went.
    fn moved(&mut self, key: &AccountKey, bytes: usize) {
        if let Some(entry) = self.accounts.get_mut(key) {
            entry.moves(bytes);
        }
    }
}

impl LedgerEntry {
    fn moves(&mut self, bytes: usize) {
        self.moved = self.moved.saturating_add(bytes);
        self.last = clock::now();
    }

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
