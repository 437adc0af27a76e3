use super::*;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicUsize, Ordering};

const TOTAL: usize = 1 << 20;

fn at(last: u8) -> Holder {
    Holder::at(Ipv4Addr::new(192, 0, 2, last).into())
}

/// Something that holds charges, and drops them when it is told, at once or as events are dropped one by one.
#[derive(Default)]
struct Held {
    charges: Mutex<Vec<Charge>>,
    told: AtomicUsize,
    is_slow: bool,
}

impl GivesWay for Held {
    fn give_way(&self, _bytes: usize) {
        self.told.fetch_add(1, Ordering::Relaxed);
        if !self.is_slow {
            let gone = std::mem::take(&mut *lock(&self.charges));
            drop(gone);
        }
    }
}

impl Held {
    fn take(&self, account: &Account, bytes: usize) -> Result<(), BudgetFull> {
        let charge = account.charge(bytes)?;
        lock(&self.charges).push(charge);
        Ok(())
    }

    fn was_told(&self) -> bool {
        self.told.load(Ordering::Relaxed) > 0
    }
}

fn way(held: &Arc<Held>) -> Weak<dyn GivesWay> {
    let weak: Weak<Held> = Arc::downgrade(held);
    weak
}

/// A time that stands still until a test goes on with it.
fn simulated<R>(work: impl Future<Output = R>) -> R {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(work)
}

async fn wait(millis: u64) {
    tokio::time::advance(std::time::Duration::from_millis(millis)).await;
}

#[test]
fn one_that_takes_all_gives_way_to_one_that_takes_little() {
    let budget = Budget::new(TOTAL);
    let flood: Vec<(Arc<Held>, Account)> = (0..16)
        .map(|_| {
            let held = Arc::new(Held::default());
            let account = budget.account(at(2), way(&held));
            (held, account)
        })
        .collect();
    for (held, account) in &flood {
        held.take(account, TOTAL / 16).expect("room");
    }
    assert_eq!(budget.held(), TOTAL);
    let innocent = Arc::new(Held::default());
    let account = budget.account(at(1), way(&innocent));
    for _ in 0..8 {
        innocent.take(&account, TOTAL / 16).expect("half of it is the share of each of two");
    }
    assert!(!innocent.was_told());
    assert_eq!(flood.iter().filter(|(held, _)| held.was_told()).count(), 8);
    assert!(budget.held() <= TOTAL);
    drop((flood, innocent, account));
    assert_eq!(budget.held(), 0, "what is gone is given back");
}

#[test]
fn what_is_large_and_slow_gives_way_to_what_is_small_of_the_same_client() {
    simulated(async {
        let budget = Budget::new(TOTAL);
        let all: Vec<_> = (0..4)
            .map(|_| {
                let held = Arc::new(Held::default());
                let account = budget.account(at(1), way(&held));
                held.take(&account, TOTAL / 4).expect("room");
                (held, account)
            })
            .collect();
        let other = Arc::new(Held::default());
        let account = budget.account(at(1), way(&other));
        assert_eq!(other.take(&account, TOTAL / 4), Err(BudgetFull), "all move, and none is larger");
        wait(900).await;
        for (at, (_, account)) in all.iter().enumerate() {
            account.moves(1000 * (5 - at));
        }
        wait(200).await;
        other.take(&account, 100).expect("small ones have room");
        let told: Vec<bool> = all.iter().map(|(held, _)| held.was_told()).collect();
        assert_eq!(told, [false, false, false, true], "the slowest went");
        assert_eq!(other.take(&account, TOTAL / 4), Err(BudgetFull), "none is stuck yet");
        wait(1000).await;
        other.take(&account, TOTAL / 4).expect("what is stuck goes");
        assert!(all[2].0.was_told() && !all[0].0.was_told());
    });
}

#[test]
fn a_request_whose_client_waits_for_the_server_is_not_stuck() {
    simulated(async {
        let budget = Budget::new(TOTAL);
        let held = Arc::new(Held::default());
        let account = budget.account(at(1), way(&held));
        held.take(&account, TOTAL).expect("room");
        account.is_served();
        wait(60_000).await;
        let other = Arc::new(Held::default());
        let small = budget.account(at(1), way(&other));
        assert_eq!(other.take(&small, 100), Err(BudgetFull));
        let stranger = budget.account(at(2), way(&other));
        other.take(&stranger, 100).expect("a holder that has less finds room");
        assert!(held.was_told());
    });
}

#[test]
fn what_is_kept_goes_before_what_is_on_its_way() {
    let budget = Budget::new(TOTAL);
    let (kept, under_way) = (Arc::new(Held::default()), Arc::new(Held::default()));
    let of_kept = budget.account_of_kept(at(2), way(&kept));
    let of_way = budget.account(at(2), way(&under_way));
    kept.take(&of_kept, TOTAL / 4).expect("room");
    under_way.take(&of_way, TOTAL / 4 * 3).expect("room");
    let innocent = Arc::new(Held::default());
    let account = budget.account(at(1), way(&innocent));
    innocent.take(&account, TOTAL / 8).expect("room");
    assert!(kept.was_told() && !under_way.was_told());
    let of_kept = budget.account_of_kept(at(3), way(&kept));
    assert_eq!(
        kept.take(&of_kept, TOTAL / 4),
        Err(BudgetFull),
        "nothing on its way ends for what is only kept"
    );
    assert!(!under_way.was_told());
}

#[test]
fn what_is_told_to_go_counts_until_it_is_gone() {
    let budget = Budget::new(TOTAL);
    let slow: Vec<_> = (0..4)
        .map(|_| {
            let held = Arc::new(Held { is_slow: true, ..Held::default() });
            let account = budget.account(at(2), way(&held));
            held.take(&account, TOTAL / 4).expect("room");
            (held, account)
        })
        .collect();
    let innocent = Arc::new(Held::default());
    let account = budget.account(at(1), way(&innocent));
    innocent.take(&account, TOTAL / 4).expect("room");
    assert_eq!(budget.held(), TOTAL + TOTAL / 4);
    assert_eq!(
        innocent.take(&account, TOTAL / 4),
        Err(BudgetFull),
        "no more than a quarter beyond the bound"
    );
    let gone = slow.iter().find(|(held, _)| held.was_told()).expect("one was told");
    assert_eq!(gone.0.take(&gone.1, 1), Err(BudgetFull), "it takes nothing more");
    lock(&gone.0.charges).clear();
    assert_eq!(budget.held(), TOTAL);
    innocent.take(&account, TOTAL / 4).expect("now the next one is told");
}

#[test]
fn a_charge_changes_and_goes_with_what_it_counts() {
    let budget = Budget::new(TOTAL);
    let held = Arc::new(Held::default());
    let account = budget.account(at(1), way(&held));
    let mut charge = account.charge(100).expect("room");
    charge.grow(50).expect("room");
    charge.merge(account.charge(10).expect("room"));
    assert_eq!(budget.held(), 160);
    charge.set(20).expect("less");
    assert_eq!(budget.held(), 20);
    assert_eq!(charge.set(TOTAL + 1), Err(BudgetFull));
    drop(account);
    assert_eq!(budget.held(), 20, "a charge outlives the handle of its account");
    drop(charge);
    assert_eq!(budget.held(), 0);
    assert!(Account::default().charge(usize::MAX).is_ok(), "without a budget there is no bound");
}

#[cfg(feature = "http")]
#[test]
fn who_wants_more_waits_for_what_gives_way_and_for_nothing_else() {
    simulated(async {
        let budget = Budget::new(TOTAL);
        let slow = Arc::new(Held { is_slow: true, ..Held::default() });
        slow.take(&budget.account(at(2), way(&slow)), TOTAL).expect("room");
        let other = Arc::new(Held::default());
        let mut charge = budget.account(at(1), way(&other)).nothing();
        let leaving = Arc::clone(&slow);
        tokio::spawn(async move {
            wait(50).await;
            let gone = std::mem::take(&mut *lock(&leaving.charges));
            drop(gone);
        });
        assert_eq!(charge.grow_in_time(TOTAL / 2).await, Ok(()));
        assert!(slow.was_told());
        let mut more = budget.account(at(1), way(&other)).nothing();
        assert_eq!(more.grow_in_time(2 * TOTAL).await, Err(BudgetFull), "nothing gives way for so much");
    });
}
