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
//! * `arrivals`: `Arrivals`: what has come and is not begun yet, and whose is begun next
//! * `places`: `Places`: a table whose entries many take, and which of them ends for one more

mod arrivals;
mod places;

pub use arrivals::Arrivals;
pub use places::Places;

use crate::sorted::{SortedMap, SortedSet};
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

/// Who holds something of what clients share, as well as a server knows.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Holder {
    /// The program, which attached a client or gave its descriptors.
    Program,
    /// Who a token speaks for.
    Principal(Box<str>),
    /// An address; of IPv6 the network of 64 bits, all of whose addresses one client may have.
    Address(IpAddr),
    /// A process of this machine. What is held for it keeps its share (`runtime::server::processes`), so all copies are of one.
    Process(Arc<LocalProcess>),
    /// The processes of a user of this machine beyond the first ones.
    User(u32),
    /// A session of which nothing else is known.
    Session(u64),
    /// Not known: a client behind the HTTP server of a program, or one that the system says nothing of.
    #[default]
    Unknown,
}

/// A process of this machine: a number alone may be another user's process later.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocalProcess {
    /// Whose it is.
    pub user: u32,
    /// Its number.
    pub number: u32,
}

impl Holder {
    /// A process of a user.
    #[cfg(any(test, feature = "testing"))]
    pub fn process(number: u32) -> Holder {
        Holder::Process(Arc::new(LocalProcess { user: 1000, number }))
    }

    /// The client at an address.
    pub fn at(address: IpAddr) -> Holder {
        Holder::Address(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
            address @ IpAddr::V4(_) => address,
        })
    }
}

/// Its kind, which no name can imitate, and who of that kind it is.
impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Holder::Program => f.write_str("program"),
            Holder::Principal(name) => write!(f, "principal {name}"),
            Holder::Address(address) => write!(f, "address {address}"),
            Holder::Process(process) => write!(f, "process {} of user {}", process.number, process.user),
            Holder::User(number) => write!(f, "user {number}"),
            Holder::Session(number) => write!(f, "session {number}"),
            Holder::Unknown => f.write_str("unknown"),
        }
    }
}

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
struct HeldAmount {
    all: usize,
    /// The part of it that was never used.
    unused: usize,
}

/// A holder among the others.
#[derive(Clone, Copy, Default, Debug)]
struct Holding {
    now: HeldAmount,
    /// What it had when the orders were last brought up to date for it.
    ranked: HeldAmount,
    /// Whether it is among those whose place in the orders is not up to date.
    is_moved: bool,
}

/// So many holders may have a place in the orders that is not up to date. A request takes and gives back a few times, and its holder is
/// looked for in the orders only when there is no room.
const MOVED: usize = 32;

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
    holders: SortedMap<K, Holding>,
    by_amount: SortedSet<(usize, K)>,
    /// Those that hold something that was never used.
    by_unused: SortedSet<(usize, K)>,
    /// Those whose place in the two orders is not up to date, at most [`MOVED`].
    moved: Vec<K>,
}

impl<K: Ord + Clone> Shares<K> {
    /// Nothing is held of `total`. `floor` is what each holder may have, however much the others have, as long as there is room or
    /// a larger holder gives way.
    pub fn new(total: usize, floor: usize, lending: Lending) -> Shares<K> {
        let (holders, by_amount, by_unused) = (SortedMap::new(), SortedSet::new(), SortedSet::new());
        let moved = Vec::new();
        Shares { total, floor: floor.min(total), lending, used: 0, holders, by_amount, by_unused, moved }
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
        self.holders.get(holder).map_or(0, |held| held.now.all)
    }

    /// What of it was never used.
    #[cfg(test)]
    fn unused(&self, holder: &K) -> usize {
        self.holders.get(holder).map_or(0, |held| held.now.unused)
    }

    /// The holder that has most, and how much.
    pub fn largest(&self) -> Option<(&K, usize)> {
        self.first_of(&self.by_amount, |held| held.all)
    }

    /// The holder that has most of what was never used, and how much.
    pub fn largest_unused(&self) -> Option<(&K, usize)> {
        self.first_of(&self.by_unused, |held| held.unused)
    }

    /// The last of an order, as if it were up to date.
    fn first_of<'a>(
        &'a self,
        order: &'a SortedSet<(usize, K)>,
        amount: impl Fn(&HeldAmount) -> usize,
    ) -> Option<(&'a K, usize)> {
        let is_up_to_date = |holder: &K| self.holders.get(holder).is_none_or(|held| !held.is_moved);
        let of_order = order.iter().rev().find(|(_, holder)| is_up_to_date(holder));
        let now = |holder: &K| self.holders.get(holder).map_or(0, |held| amount(&held.now));
        let moved = self.moved.iter().map(|holder| (now(holder), holder)).filter(|(amount, _)| *amount > 0);
        let last = of_order.map(|(amount, holder)| (*amount, holder)).max(moved.max());
        last.map(|(amount, holder)| (holder, amount))
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
        let share = self.share_of(self.free(), held);
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

    /// Changes what a holder has. Where it stands among the others is brought up to date later, but for one that has nothing left.
    fn change(&mut self, holder: &K, change: impl FnOnce(&mut HeldAmount)) {
        let Some(held) = self.holders.get_mut(holder) else {
            let mut held = Holding { is_moved: true, ..Holding::default() };
            change(&mut held.now);
            if held.now.all > 0 {
                self.used += held.now.all;
                self.holders.insert(holder.clone(), held);
                self.has_moved(holder);
            }
            return;
        };
        let before = held.now.all;
        change(&mut held.now);
        let (all, was_moved) = (held.now.all, std::mem::replace(&mut held.is_moved, true));
        self.used = self.used - before + all;
        let is_ranked = held.ranked.all > 0;
        if all == 0 {
            if is_ranked {
                self.rank(holder);
            }
            if was_moved {
                self.moved.retain(|moved| moved != holder);
            }
            self.holders.remove(holder);
        } else if !was_moved {
            self.has_moved(holder);
        }
    }

    fn has_moved(&mut self, holder: &K) {
        if self.moved.len() >= MOVED {
            for moved in std::mem::take(&mut self.moved) {
                self.rank(&moved);
            }
        }
        self.moved.push(holder.clone());
    }

    /// Brings the place of a holder in the orders up to date; one that has nothing has none.
    fn rank(&mut self, holder: &K) {
        let Some(held) = self.holders.get_mut(holder) else { return };
        let (before, now) = (std::mem::replace(&mut held.ranked, held.now), held.now);
        held.is_moved = false;
        replace(&mut self.by_amount, holder, before.all, now.all);
        replace(&mut self.by_unused, holder, before.unused, now.unused);
    }
}

/// Moves a holder to its new place; one that has nothing has none.
fn replace<K: Ord + Clone>(order: &mut SortedSet<(usize, K)>, holder: &K, before: usize, after: usize) {
    if before == after {
        return;
    }
    if before > 0 {
        order.remove(&(before, holder.clone()));
    }
    if after > 0 {
        order.insert((after, holder.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::{Denied, Holder, Lending, Shares};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_addresses_that_one_client_has_are_one_holder() {
        let at = |text: &str| Holder::at(text.parse().expect("an address"));
        assert_eq!(at("2001:db8::1"), at("2001:db8::ffff:0:1"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
        assert_eq!(at("::ffff:127.0.0.1"), at("127.0.0.1"));
        assert_ne!(at("127.0.0.1"), at("127.0.0.2"));
    }

    const TOTAL: usize = 100;
    const FLOOR: usize = 5;

    #[test]
    fn the_largest_holder_is_cut_for_one_that_has_less() {
        let mut shares = Shares::new(10, 1, Lending::All);
        assert_eq!(shares.take(&"a", 8), Ok(()));
        assert_eq!(shares.take(&"b", 2), Ok(()));
        let cut = Err(Denied::Cut { holder: "a", amount: 1, unused: false });
        assert_eq!(shares.take(&"b", 1), cut);
        assert_eq!(shares.take(&"c", 1), cut);
        assert_eq!(shares.take(&"a", 1), Err(Denied::Share { share: 8 }), "it is the largest itself");
        shares.give(&"a", 3);
        assert_eq!(shares.take(&"b", 3), Ok(()));
        assert_eq!((shares.held(&"a"), shares.held(&"b"), shares.free()), (5, 5, 0));
        assert_eq!(shares.take(&"b", 1), Err(Denied::Share { share: 5 }), "nothing is taken from an equal");
    }

    #[test]
    fn what_was_never_used_goes_before_what_was() {
        let mut shares = Shares::new(10, 2, Lending::All);
        assert_eq!(shares.take(&"user", 6), Ok(()));
        for stranger in ["x", "y", "z"] {
            assert_eq!(shares.take_unused(&stranger, 1), Ok(()));
        }
        assert_eq!(shares.take_unused(&"z", 1), Ok(()));
        let cut = Err(Denied::Cut { holder: "z", amount: 1, unused: true });
        assert_eq!(shares.take(&"new", 1), cut, "although the user has more");
        assert_eq!(
            shares.take_unused(&"user", 1),
            Err(Denied::Share { share: 6 }),
            "it has more than an equal share"
        );
        shares.mark_used(&"z", 2);
        assert_eq!(shares.unused(&"z"), 0);
        assert_eq!(shares.take(&"new", 1), Err(Denied::Cut { holder: "y", amount: 1, unused: true }));
    }

    #[test]
    fn half_of_what_is_free_stays_free() {
        let mut shares = Shares::new(100, 10, Lending::Half);
        assert_eq!(shares.share(&"a"), 50);
        assert_eq!(shares.take(&"a", 51), Err(Denied::Share { share: 50 }));
        assert_eq!(shares.take(&"a", 50), Ok(()));
        assert_eq!(shares.take(&"b", 25), Ok(()));
        assert_eq!(shares.take(&"c", 13), Err(Denied::Share { share: 12 }));
        assert_eq!(shares.take(&"c", 12), Ok(()));
        assert_eq!(shares.take(&"d", 10), Ok(()), "the floor");
        assert_eq!(shares.take(&"e", 4), Err(Denied::Cut { holder: "a", amount: 1, unused: false }));
    }

    #[test]
    fn a_holder_that_has_nothing_leaves_nothing() {
        let mut shares = Shares::new(10, 1, Lending::All);
        assert_eq!(shares.take_unused(&1, 3), Ok(()));
        shares.give_unused(&1, 3);
        assert!(shares.holders.is_empty() && shares.by_amount.is_empty() && shares.by_unused.is_empty());
        assert!(shares.moved.is_empty());
        shares.give(&1, 3);
        assert_eq!(shares.used(), 0, "what is given back twice counts once");
        assert_eq!(shares.take(&1, 11), Err(Denied::Share { share: 10 }));
        assert_eq!(shares.take(&1, usize::MAX), Err(Denied::Share { share: 10 }));
    }

    #[test]
    fn the_largest_is_found_among_more_holders_than_are_looked_at() {
        let mut shares = Shares::new(100_000, 1, Lending::All);
        let of = |holder: usize| holder * 7 % 100 + 1;
        for holder in 0..100 {
            assert_eq!(shares.take_unused(&holder, of(holder)), Ok(()));
            assert!(shares.moved.len() <= super::MOVED);
        }
        for round in 0..200 {
            let holder = round * 13 % 100;
            match round % 4 {
                0 => shares.give_unused(&holder, 3),
                1 => shares.mark_used(&holder, 2),
                2 => shares.put(&holder, round),
                _ => shares.give(&holder, usize::MAX),
            }
            let all: Vec<_> = (0..100).map(|it| (shares.held(&it), shares.unused(&it), it)).collect();
            let most = all.iter().map(|(held, _, it)| (*held, *it)).max().filter(|most| most.0 > 0);
            assert_eq!(shares.largest().map(|(it, held)| (held, *it)), most);
            let most = all.iter().map(|(_, unused, it)| (*unused, *it)).max().filter(|most| most.0 > 0);
            assert_eq!(shares.largest_unused().map(|(it, unused)| (unused, *it)), most);
            let sum: usize = all.iter().map(|(held, ..)| held).sum();
            assert_eq!(shares.used(), sum);
        }
    }

    #[derive(Clone, Debug)]
    enum Wish {
        Take { holder: u8, amount: usize, unused: bool },
        Give { holder: u8, amount: usize },
        Use { holder: u8, amount: usize },
    }

    fn wishes() -> impl Strategy<Value = Vec<Wish>> {
        let (holder, amount) = (0..6_u8, 0..40_usize);
        let one = prop_oneof![
            3 => (holder.clone(), amount.clone(), any::<bool>())
                .prop_map(|(holder, amount, unused)| Wish::Take { holder, amount, unused }),
            1 => (holder.clone(), amount.clone()).prop_map(|(holder, amount)| Wish::Give { holder, amount }),
            1 => (holder, amount).prop_map(|(holder, amount)| Wish::Use { holder, amount }),
        ];
        proptest::collection::vec(one, 0..200)
    }

    /// Takes as a table does: what must give way gives way, a unit at a time, so that a cut is never more than what is needed.
    fn take(shares: &mut Shares<u8>, holder: u8, amount: usize, unused: bool) -> Result<(), TestCaseError> {
        for _ in 0..=2 * TOTAL {
            let before: BTreeMap<u8, usize> = (0..8).map(|it| (it, shares.held(&it))).collect();
            let wanted = shares.held(&holder) + amount;
            let taken =
                if unused { shares.take_unused(&holder, amount) } else { shares.take(&holder, amount) };
            match taken {
                Ok(()) => {
                    prop_assert_eq!(shares.held(&holder), wanted);
                    return Ok(());
                }
                Err(Denied::Share { .. }) => {
                    let others = before.iter().filter(|(it, held)| **it == holder || **held > 0).count();
                    let is_small = amount > 0 && shares.lending == Lending::All && wanted <= TOTAL / others;
                    prop_assert!(!is_small, "an equal share is never refused: {before:?} {holder} {amount}");
                    return Ok(());
                }
                Err(Denied::Cut { holder: victim, amount: cut, unused: of_unused }) => {
                    prop_assert!((1..=amount).contains(&cut));
                    if of_unused {
                        prop_assert!(shares.unused(&victim) >= cut);
                        prop_assert!((0..8).all(|it| shares.unused(&it) <= shares.unused(&victim)));
                        shares.give_unused(&victim, 1);
                    } else {
                        prop_assert!(victim != holder && shares.held(&victim) > wanted);
                        prop_assert!((0..8).all(|it| shares.held(&it) <= shares.held(&victim)));
                        shares.give(&victim, 1);
                    }
                }
            }
        }
        Err(TestCaseError::fail("cuts have no end"))
    }

    fn go(shares: &mut Shares<u8>, wishes: Vec<Wish>) -> Result<(), TestCaseError> {
        for wish in wishes {
            match wish {
                Wish::Take { holder, amount, unused } => {
                    let share = shares.share(&holder);
                    let before = shares.held(&holder);
                    if shares.lending == Lending::Half {
                        let may = shares.may_take(&holder, amount).is_ok();
                        prop_assert_eq!(shares.may_take_beside(&holder, amount, (0, 0)), may);
                        prop_assert!(
                            !shares.may_take_beside(&holder, 1, (0, shares.free())),
                            "the rest is elsewhere"
                        );
                    }
                    take(shares, holder, amount, unused)?;
                    prop_assert!(shares.held(&holder) <= share.max(before));
                }
                Wish::Give { holder, amount } => shares.give(&holder, amount),
                Wish::Use { holder, amount } => shares.mark_used(&holder, amount),
            }
            let sum: usize = (0..8).map(|it| shares.held(&it)).sum();
            prop_assert_eq!(sum, shares.used());
            prop_assert!(shares.used() <= TOTAL);
            prop_assert!((0..8).all(|it| shares.unused(&it) <= shares.held(&it)));
            let most = (0..8).map(|it| shares.held(&it)).max().unwrap_or(0);
            prop_assert_eq!(shares.largest().map_or(0, |(_, held)| held), most);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn no_sequence_takes_more_than_there_is_and_an_equal_share_is_never_refused(wishes in wishes()) {
            go(&mut Shares::new(TOTAL, FLOOR, Lending::All), wishes)?;
        }

        #[test]
        fn what_cannot_be_cut_leaves_a_floor_behind_four_holders(wishes in wishes()) {
            let mut shares = Shares::new(TOTAL, FLOOR, Lending::Half);
            for wish in wishes {
                match wish {
                    // Each leaves half, so that a floor is left behind four of them. Nothing gives way: a wish that would need it is
                    // refused.
                    Wish::Take { holder, amount, .. } => drop(shares.take(&(holder % 4), amount)),
                    Wish::Give { holder, amount } => shares.give(&(holder % 4), amount),
                    Wish::Use { .. } => {}
                }
            }
            prop_assert!(shares.held(&7) == 0 && shares.take(&7, FLOOR).is_ok(), "a holder that comes last");
        }

        #[test]
        fn one_that_comes_last_gets_an_equal_share_whatever_the_others_did(wishes in wishes()) {
            let mut shares = Shares::new(TOTAL, FLOOR, Lending::All);
            go(&mut shares, wishes)?;
            let equal = TOTAL / (shares.holders.len() + 1);
            take(&mut shares, 7, equal, false)?;
            prop_assert_eq!(shares.held(&7), equal);
        }
    }
}
