//! Who holds how much of what many take from: the bytes become wishes of many holders at shares, at a table whose entries give way, and at
//! a line of arrivals. A slow model says what must hold: nothing is counted twice or lost, no more is taken than there is, an equal share is
//! never refused, and the holder that gives way has most.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp::shares::{Arrivals, Denied, Lending, Places, Shares};
use mcp_fuzz::Input;
use std::collections::{BTreeMap, VecDeque};

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    match input.below(3) {
        0 => Counted::new(&mut input).play(&mut input),
        1 => places(&mut input),
        _ => arrivals(&mut input),
    }
});

/// Of few holders, or of more than may have a place in the orders that is not up to date.
fn holder(input: &mut Input<'_>, few: bool) -> u8 {
    input.byte() % if few { 4 } else { 100 }
}

/// Shares, and what each holder has of them: all, and the part that was never used.
struct Counted {
    shares: Shares<u8>,
    held: BTreeMap<u8, (usize, usize)>,
    total: usize,
    lending: Lending,
}

impl Counted {
    fn new(input: &mut Input<'_>) -> Counted {
        let (total, floor) = (usize::try_from(input.number()).expect("two bytes"), input.byte().into());
        let lending = input.pick(&[Lending::All, Lending::Half]);
        Counted { shares: Shares::new(total, floor, lending), held: BTreeMap::new(), total, lending }
    }

    fn of(&self, holder: u8) -> (usize, usize) {
        self.held.get(&holder).copied().unwrap_or_default()
    }

    fn set(&mut self, holder: u8, (all, unused): (usize, usize)) {
        self.held.insert(holder, (all, unused.min(all)));
        self.held.retain(|_, (all, _)| *all > 0);
    }

    fn play(&mut self, input: &mut Input<'_>) {
        let few = input.bool();
        while !input.is_empty() {
            let holder = holder(input, few);
            let amount = if input.bool() { input.number() } else { input.byte().into() };
            let amount = usize::try_from(amount).expect("two bytes");
            let (all, unused) = self.of(holder);
            match input.below(5) {
                0 | 1 => self.take(holder, amount, input.bool()),
                2 => {
                    self.shares.give(&holder, amount);
                    self.set(holder, (all.saturating_sub(amount), unused));
                }
                3 => {
                    self.shares.give_unused(&holder, amount);
                    self.set(holder, (all.saturating_sub(amount), unused.saturating_sub(amount)));
                }
                _ => {
                    self.shares.mark_used(&holder, amount);
                    self.set(holder, (all, unused.saturating_sub(amount)));
                }
            }
            self.check();
        }
    }

    fn check(&self) {
        let sum: usize = self.held.values().map(|(all, _)| all).sum();
        assert!(sum <= self.total, "more than there is");
        assert_eq!((self.shares.used(), self.shares.free()), (sum, self.total - sum));
        for (holder, (all, _)) in &self.held {
            assert_eq!(self.shares.held(holder), *all);
        }
        let most = self.held.iter().map(|(holder, (all, _))| (*all, *holder)).max();
        assert_eq!(self.shares.largest().map(|(holder, all)| (all, *holder)), most);
        let most = self.held.iter().map(|(holder, (_, unused))| (*unused, *holder)).max();
        let most = most.filter(|(unused, _)| *unused > 0);
        assert_eq!(self.shares.largest_unused().map(|(holder, unused)| (unused, *holder)), most);
    }

    /// Takes as a table does: what must give way gives way, and then it is asked again.
    fn take(&mut self, holder: u8, amount: usize, as_unused: bool) {
        for _ in 0..=2 * self.held.len() + 1 {
            let (all, unused) = self.of(holder);
            let wanted = all + amount;
            let taken = match as_unused {
                true => self.shares.take_unused(&holder, amount),
                false => self.shares.take(&holder, amount),
            };
            match taken {
                Ok(()) => return self.set(holder, (wanted, unused + if as_unused { amount } else { 0 })),
                Err(Denied::Share { .. }) => {
                    let others = self.held.len() + usize::from(all == 0);
                    let is_small =
                        amount > 0 && self.lending == Lending::All && wanted <= self.total / others;
                    assert!(!is_small, "an equal share is refused: {:?} {holder} {amount}", self.held);
                    return;
                }
                Err(Denied::Cut { holder: victim, amount: cut, unused: of_unused }) => {
                    let (has, unused) = self.of(victim);
                    assert!((1..=amount).contains(&cut) && cut <= has, "a cut of {cut}");
                    if of_unused {
                        assert!(cut <= unused);
                        self.shares.give_unused(&victim, cut);
                        self.set(victim, (has - cut, unused - cut));
                    } else {
                        assert!(victim != holder && has > wanted, "the one that gives way has less");
                        // No more of it than leaves it as large as the other.
                        let cut = cut.min((has - wanted).max(1));
                        self.shares.give(&victim, cut);
                        self.set(victim, (has - cut, unused));
                        if self.shares.free() < amount {
                            return;
                        }
                    }
                }
            }
        }
        panic!("cuts have no end: {:?} {holder} {amount}", self.held);
    }
}

/// A table: an entry ends for one more only if that is of a holder that has less, and one that is not in use before all others.
fn places(input: &mut Input<'_>) {
    let (most, few) = (1 + input.below(40), input.bool());
    let mut places: Places<u8> = Places::new(most);
    let mut model: BTreeMap<u64, (u8, bool)> = BTreeMap::new();
    let mut next = 0;
    while !input.is_empty() {
        let at = u64::from(input.byte());
        let number = model
            .keys()
            .nth(usize::try_from(at).expect("a byte") % model.len().max(1))
            .copied()
            .unwrap_or(at);
        match input.below(4) {
            0 => {
                places.remove(number);
                model.remove(&number);
            }
            1 => {
                places.used(number);
                model.entry(number).and_modify(|(_, used)| *used = true);
            }
            _ => {
                let newcomer = holder(input, few);
                let (in_use, modulo) = (u64::from(input.byte()), u64::from(input.byte() % 4));
                let is_in_use = |number: u64| modulo > 0 && (number ^ in_use) % (modulo + 1) != 0;
                next += 1;
                if !places.add(next, newcomer) {
                    assert_eq!(model.len(), most, "there is room");
                    let has = |holder: u8| model.values().filter(|(of, _)| *of == holder).count();
                    let Some(gone) = places.give_way(&newcomer, is_in_use) else {
                        let may_end = |number: u64, of: u8| {
                            !is_in_use(number) && (of == newcomer || has(of) > has(newcomer))
                        };
                        assert!(
                            !model.iter().any(|(number, (of, _))| may_end(*number, *of)),
                            "one could end"
                        );
                        continue;
                    };
                    let (victim, was_used) = model[&gone];
                    assert!(
                        !is_in_use(gone) || has(victim) > has(newcomer) + 1,
                        "one in use ended for a holder that has as much"
                    );
                    assert!(
                        victim == newcomer || has(victim) > has(newcomer) || !was_used,
                        "{victim} lost a used entry to {newcomer}, which has more"
                    );
                    model.remove(&gone);
                    assert!(places.add(next, newcomer), "there is room now");
                }
                model.insert(next, (newcomer, false));
            }
        }
        assert_eq!(places.count(), model.len());
        assert!(model.len() <= most);
    }
}

/// A line: what comes in goes out once, that of one holder in its order, and each that waits has its turn before another has two.
fn arrivals(input: &mut Input<'_>) {
    let (most, few) = (1 + input.below(60), input.bool());
    let mut arrivals: Arrivals<u8, (u8, u64)> = Arrivals::new(most);
    let mut model: BTreeMap<u8, VecDeque<u64>> = BTreeMap::new();
    // How often others were served while this one waited.
    let mut passed: BTreeMap<(u8, u8), u32> = BTreeMap::new();
    let mut next = 0;
    while !input.is_empty() {
        if input.below(3) > 0 {
            let holder = holder(input, few);
            next += 1;
            let gone = arrivals.add(holder, (holder, next));
            model.entry(holder).or_default().push_back(next);
            if let Some((of, number)) = gone {
                let line = model.get_mut(&of).expect("it waited");
                assert_eq!(line.pop_back(), Some(number), "not the newest went");
                let left = line.len();
                assert!(model.values().all(|line| line.len() <= left + 1), "another has more");
            }
        } else {
            let taken = arrivals.take();
            model.retain(|_, line| !line.is_empty());
            assert_eq!(taken.is_none(), model.is_empty());
            if let Some((holder, (of, number))) = taken {
                assert_eq!(
                    (of, model.get_mut(&holder).expect("it waited").pop_front()),
                    (holder, Some(number))
                );
                passed.retain(|(waits, _), _| *waits != holder);
                for waits in model.keys().filter(|waits| **waits != holder) {
                    let times = passed.entry((*waits, holder)).or_default();
                    *times += 1;
                    assert!(*times <= 2, "{holder} had its turn again and again, and {waits} none");
                }
            }
        }
        model.retain(|_, line| !line.is_empty());
        passed.retain(|(waits, _), _| model.contains_key(waits));
        let waiting: usize = model.values().map(VecDeque::len).sum();
        assert_eq!(arrivals.count(), waiting);
        assert!(waiting <= most);
    }
}
