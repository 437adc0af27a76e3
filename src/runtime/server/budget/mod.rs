//! `Budget`: the bytes that a server holds for all its clients together: bodies on their way, messages that wait to be read, and
//! events that are kept. Each is charged to an account, whose holder has its share of them (`crate::shares`).
//!
//! Where there is no room, accounts of the holder that has most give way: kept events go first, then what moves slowest. What gives
//! way is counted until it is really gone, up to a quarter beyond the bound.
//!
//! * `ledger`: `Ledger`: what each account holds, and which give way
//! * `tests`: holders beside one that takes all

mod ledger;
#[cfg(test)]
mod tests;

pub(crate) use ledger::{GivesWay, SMALL};

use crate::runtime::lock;
use crate::shares::Holder;
use ledger::{AccountKey, Ledger, Use};
#[cfg(feature = "http")]
use std::pin::pin;
use std::sync::{Arc, Mutex, Weak};
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
