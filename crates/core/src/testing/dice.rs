//! Everything random in a schedule, from its seed (splitmix64).

use std::time::Duration;

pub struct Dice(u64);

impl Dice {
    /// Seeds that stand side by side lead to numbers that have nothing to do with one another: were a seed only multiplied by
    /// what each roll adds, every seed would play what the one before it plays, one roll later.
    pub fn new(seed: u64) -> Dice {
        Dice(Dice(seed).roll(u64::MAX))
    }

    /// A number from 0 up to but not including `sides`.
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides.max(1)
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.roll(100) < percent
    }

    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.roll(high - low + 1)
    }

    pub fn millis(&mut self, low: u64, high: u64) -> Duration {
        Duration::from_millis(self.between(low, high))
    }

    pub fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.roll(length as u64)).expect("a small number")
    }

    pub fn pick<'a, V>(&mut self, of: &'a [V]) -> &'a V {
        &of[self.index(of.len())]
    }
}
