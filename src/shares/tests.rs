use super::{Denied, Lending, Shares};
use proptest::prelude::*;
use std::collections::BTreeMap;

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
    shares.give(&1, 3);
    assert_eq!(shares.used(), 0, "what is given back twice counts once");
    assert_eq!(shares.take(&1, 11), Err(Denied::Share { share: 10 }));
    assert_eq!(shares.take(&1, usize::MAX), Err(Denied::Share { share: 10 }));
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
        let taken = if unused { shares.take_unused(&holder, amount) } else { shares.take(&holder, amount) };
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
    fn what_cannot_be_cut_leaves_a_floor_for_each_holder(wishes in wishes()) {
        let mut shares = Shares::new(TOTAL, FLOOR, Lending::Half);
        for wish in wishes {
            match wish {
                // Nothing gives way: a wish that would need it is refused.
                Wish::Take { holder, amount, .. } => drop(shares.take(&holder, amount)),
                Wish::Give { holder, amount } => shares.give(&holder, amount),
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
