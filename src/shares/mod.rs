//! Who holds how much of one thing that many take from: bytes, connections, sessions, places in a table.
//!
//! The rule: no principal, and no peer without one, can take more than its share of anything; what was never used goes before what
//! was; the largest holder is cut first; what is held is freed when it is really gone. [`Shares`] counts, and answers each wish by
//! that rule. It holds nothing itself: who asks it also frees what it says, and then asks again.
//!
//! ```text
//! loop {
//!     match shares.take(&holder, 1) {
//!         Ok(()) => break,                                  // put the entry into the table
//!         Err(Denied::Share { share }) => return refused,   // or end an entry of `holder` itself, and ask again
//!         Err(Denied::Cut { holder, unused, .. }) => {      // end an entry of that holder, oldest first; an unused one if `unused`
//!             table.end_one_of(&holder, unused);            // calls `give` or `give_unused`
//!         }
//!     }
//! }
//! ```
//!
//! * `holder`: `Holder`: who holds something
//! * `places`: `Places`: a table whose entries many take, and which of them ends for one more
//! * `tests`: what is true of every sequence of wishes

mod holder;
mod places;
#[cfg(test)]
mod tests;

pub use holder::Holder;
pub use places::Places;

use std::collections::{BTreeMap, BTreeSet};

/// How much one holder may take while there is room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lending {
    /// All of it: what is held can be taken back when another holder comes.
    All,
    /// Half of what the others leave free, and the floor: what is held cannot be taken back, such as a request that runs. The others
    /// always find the other half.
    Half,
}

/// Why a wish is not granted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Denied<K> {
    /// The holder has its share: at present it may hold `share` together, and no other holder is larger than it would become.
    Share {
        /// What it may hold.
        share: usize,
    },
    /// There is no room until `holder` gives back `amount`.
    Cut {
        /// The holder that gives way: the one with most of what was never used, which may be the one that asks, or else the largest.
        holder: K,
        /// How much of it is needed; a smaller part helps, too.
        amount: usize,
        /// Whether it is to be what that holder has never used.
        unused: bool,
    },
}

/// What one holder has.
#[derive(Clone, Copy, Default, Debug)]
struct Held {
    all: usize,
    /// The part of it that was never used.
    unused: usize,
}

/// [`Shares::may_pass`] with [`Lending::Half`], for a table that counts by itself what a holder has of `used`, and where none gives way.
pub fn half_may_pass(total: usize, used: usize, held: usize, amount: usize, floor: usize) -> bool {
    let free = total.saturating_sub(used);
    amount <= free && held.saturating_add(amount) <= floor.max(free.midpoint(held))
        || used == 0 && amount <= total
}

/// How much of one thing each holder has, and who may have more.
#[derive(Debug)]
pub struct Shares<K> {
    total: usize,
    floor: usize,
    lending: Lending,
    used: usize,
    /// Those that hold something.
    holders: BTreeMap<K, Held>,
    by_amount: BTreeSet<(usize, K)>,
    /// Those that hold something that was never used.
    by_unused: BTreeSet<(usize, K)>,
}

impl<K: Ord + Clone> Shares<K> {
    /// Nothing is held of `total`. `floor` is what each holder may have, however much the others have, as long as there is room or
    /// a larger holder gives way.
    pub fn new(total: usize, floor: usize, lending: Lending) -> Shares<K> {
        let (holders, by_amount, by_unused) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        Shares { total, floor: floor.min(total), lending, used: 0, holders, by_amount, by_unused }
    }

    /// The bound of all holders together.
    pub fn total(&self) -> usize {
        self.total
    }

    /// What all hold together.
    pub fn used(&self) -> usize {
        self.used
    }

    /// What nothing holds.
    pub fn free(&self) -> usize {
        self.total.saturating_sub(self.used)
    }

    /// What a holder has.
    pub fn held(&self, holder: &K) -> usize {
        self.holders.get(holder).map_or(0, |held| held.all)
    }

    /// What of it was never used.
    pub fn unused(&self, holder: &K) -> usize {
        self.holders.get(holder).map_or(0, |held| held.unused)
    }

    /// The holder that has most, and how much.
    pub fn largest(&self) -> Option<(&K, usize)> {
        self.by_amount.last().map(|(amount, holder)| (holder, *amount))
    }

    /// The holder that has most of what was never used, and how much.
    pub fn largest_unused(&self) -> Option<(&K, usize)> {
        self.by_unused.last().map(|(amount, holder)| (holder, *amount))
    }

    /// What a holder may have together at present. It shrinks when others come.
    pub fn share(&self, holder: &K) -> usize {
        self.share_of(self.free(), self.held(holder))
    }

    /// Grants a holder `amount` more, that is in use from now on.
    ///
    /// # Errors
    /// Why not, and who has to give way first.
    pub fn take(&mut self, holder: &K, amount: usize) -> Result<(), Denied<K>> {
        self.may_take(holder, amount)?;
        self.change(holder, |held| held.all += amount);
        Ok(())
    }

    /// Counts `amount` for a holder, whatever its share is: it is there already. Until it is given back there may be more than the
    /// total.
    pub fn put(&mut self, holder: &K, amount: usize) {
        self.change(holder, |held| held.all += amount);
    }

    /// The same as [`Shares::take`] for something that was not used yet: it goes before what was used.
    ///
    /// # Errors
    /// Why not, and who has to give way first.
    pub fn take_unused(&mut self, holder: &K, amount: usize) -> Result<(), Denied<K>> {
        self.may_take(holder, amount)?;
        self.change(holder, |held| (held.all, held.unused) = (held.all + amount, held.unused + amount));
        Ok(())
    }

    /// So much of what a holder has not used is in use from now on.
    pub fn mark_used(&mut self, holder: &K, amount: usize) {
        self.change(holder, |held| held.unused = held.unused.saturating_sub(amount));
    }

    /// A holder gives back what it used: it is really gone.
    pub fn give(&mut self, holder: &K, amount: usize) {
        self.change(holder, |held| {
            held.all = held.all.saturating_sub(amount);
            held.unused = held.unused.min(held.all);
        });
    }

    /// A holder gives back what it never used.
    pub fn give_unused(&mut self, holder: &K, amount: usize) {
        self.change(holder, |held| {
            held.all = held.all.saturating_sub(amount);
            held.unused = held.unused.saturating_sub(amount).min(held.all);
        });
    }

    /// Whether a holder may have `amount` more, without taking it.
    ///
    /// # Errors
    /// Why not, and who has to give way first.
    pub fn may_take(&self, holder: &K, amount: usize) -> Result<(), Denied<K>> {
        let held = self.held(holder);
        let share = self.share(holder);
        let Some(wanted) = held.checked_add(amount).filter(|wanted| *wanted <= share) else {
            return Err(Denied::Share { share });
        };
        if amount <= self.free() {
            return Ok(());
        }
        Err(self.cut_for(holder, wanted, amount - self.free(), self.total))
    }

    /// Whether a holder may have `amount` more, where another table has some of the same: `elsewhere` says how much is this holder's, and
    /// how much there is in all.
    pub fn may_take_beside(&self, holder: &K, amount: usize, elsewhere: (usize, usize)) -> bool {
        let (own, all) = elsewhere;
        let free = self.free().saturating_sub(all);
        let held = self.held(holder).saturating_add(own);
        amount <= free && held.saturating_add(amount) <= self.share_of(free, held)
    }

    /// The same for what ends by itself, such as a request: one that is more than the share of one holder comes in while nothing else
    /// is there, else it never would.
    pub fn may_pass(&self, holder: &K, amount: usize, elsewhere: usize) -> bool {
        let total = self.total.saturating_sub(elsewhere);
        match self.lending {
            Lending::Half => half_may_pass(total, self.used, self.held(holder), amount, self.floor),
            Lending::All => amount <= total.saturating_sub(self.used),
        }
    }

    fn share_of(&self, free: usize, held: usize) -> usize {
        match self.lending {
            Lending::All => self.total,
            Lending::Half => self.floor.max(free.midpoint(held)),
        }
    }

    /// Who gives way so that a holder may have `amount` more, where nothing is left but what is held already.
    pub fn gives_way(&self, holder: &K, amount: usize) -> Denied<K> {
        self.cut_for(holder, self.held(holder).saturating_add(amount), amount, self.used)
    }

    fn cut_for(&self, holder: &K, wanted: usize, missing: usize, total: usize) -> Denied<K> {
        let held = self.held(holder);
        let others = self.holders.len() - usize::from(held > 0) + 1;
        // A holder beyond an equal share takes nothing from those that are smaller.
        if wanted <= self.floor.max(total / others)
            && let Some((largest, unused)) = self.largest_unused()
        {
            let (holder, amount) = (largest.clone(), missing.min(unused));
            return Denied::Cut { holder, amount, unused: true };
        }
        match self.largest() {
            Some((largest, most)) if most > wanted && largest != holder => {
                Denied::Cut { holder: largest.clone(), amount: missing.min(most), unused: false }
            }
            _ => Denied::Share { share: held },
        }
    }

    /// Changes what a holder has, and where it stands among the others.
    fn change(&mut self, holder: &K, change: impl FnOnce(&mut Held)) {
        let before = self.holders.get(holder).copied().unwrap_or_default();
        let mut after = before;
        change(&mut after);
        self.used = self.used - before.all + after.all;
        let (old, new) = ((before.all, holder.clone()), (after.all, holder.clone()));
        replace(&mut self.by_amount, &old, new);
        let (old, new) = ((before.unused, holder.clone()), (after.unused, holder.clone()));
        replace(&mut self.by_unused, &old, new);
        if after.all == 0 {
            self.holders.remove(holder);
        } else {
            self.holders.insert(holder.clone(), after);
        }
    }
}

/// Moves a holder to its new place; one that has nothing has none.
fn replace<K: Ord>(order: &mut BTreeSet<(usize, K)>, old: &(usize, K), new: (usize, K)) {
    if old.0 == new.0 {
        return;
    }
    order.remove(old);
    if new.0 > 0 {
        order.insert(new);
    }
}
