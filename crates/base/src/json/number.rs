//! Numbers: their form, exact integers, all their digits, and what fits of them into the types of a program.

/// Walks over the number that begins at `start` and gives the byte after it, or the place where a digit is missing.
/// What follows the number is for the caller to judge.
#[inline]
pub(super) fn number(text: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start;
    if text.get(at) == Some(&b'-') {
        at += 1;
    }
    // A leading zero stands alone.
    at = if text.get(at) == Some(&b'0') { at + 1 } else { digits(text, at)? };
    if text.get(at) == Some(&b'.') {
        at = digits(text, at + 1)?;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        at += 1;
        if matches!(text.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        at = digits(text, at)?;
    }
    Ok(at)
}

/// Walks over one digit or more.
#[inline]
fn digits(text: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start;
    while text.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    if at == start { Err(at) } else { Ok(at) }
}

/// The value of a number that is written as an integer and fits: `1`, `-3`. Not `1.0`, not `1e3`, not `01`.
pub fn integer(value: &str) -> Option<i64> {
    let value = value.trim_matches(crate::json::value::is_space);
    let digits = value.strip_prefix('-').unwrap_or(value);
    let well_formed = match digits.as_bytes() {
        [b'0'] => true,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    if well_formed { value.parse().ok() } else { None }
}

/// Why a number is no `i64`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotInteger {
    /// It has a fraction, or the text is not a number.
    Fraction,
    /// It is an integer below -2^63 or above 2^63 - 1.
    Range,
}

/// A number: its digits without zeros at both ends, and the power of ten that they are multiplied with. Zero has no digits.
struct Decimal<'t> {
    negative: bool,
    /// The digits, with perhaps a point among them.
    digits: &'t [u8],
    power: i64,
}

impl<'t> Decimal<'t> {
    fn of(value: &'t [u8]) -> Option<Decimal<'t>> {
        if number(value, 0) != Ok(value.len()) {
            return None;
        }
        let (negative, unsigned) = match value {
            [b'-', rest @ ..] => (true, rest),
            _ => (false, value),
        };
        let end = unsigned.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(unsigned.len());
        let (mantissa, exponent) = unsigned.split_at_checked(end)?;
        let point = mantissa.iter().position(|byte| *byte == b'.').unwrap_or(mantissa.len());
        let counts = |byte: &u8| matches!(byte, b'1'..=b'9');
        let Some(first) = mantissa.iter().position(counts) else {
            return Some(Decimal { negative, digits: &[], power: 0 });
        };
        let last = mantissa.iter().rposition(counts)?;
        // From the last digit that counts to the point.
        let shift = if last < point { distance(point - last - 1) } else { -distance(last - point) };
        let digits = mantissa.get(first..=last)?;
        Some(Decimal { negative, digits, power: shift.saturating_add(power_of(exponent)) })
    }

    fn digits(&self) -> impl Iterator<Item = u8> + use<'t> {
        self.digits.iter().filter(|byte| **byte != b'.').map(|byte| byte & 15)
    }
}

fn distance(digits: usize) -> i64 {
    i64::try_from(digits).unwrap_or(i64::MAX)
}

/// The power of ten in an exponent (`e3`, `E-07`), of any length; 0 without one.
fn power_of(exponent: &[u8]) -> i64 {
    let (negative, digits) = match exponent.get(1..).unwrap_or_default() {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    let power = digits
        .iter()
        .fold(0_i64, |power, digit| power.saturating_mul(10).saturating_add(i64::from(digit & 15)));
    if negative { -power } else { power }
}

/// The value of a number that is an integer, however it is written: `1`, `1.0`, `1e3`, `-0`.
pub fn whole(value: &[u8]) -> Result<i64, NotInteger> {
    let decimal = Decimal::of(value).ok_or(NotInteger::Fraction)?;
    if decimal.power < 0 {
        return Err(NotInteger::Fraction);
    }
    if decimal.digits.is_empty() {
        return Ok(0);
    }
    let zeros = usize::try_from(decimal.power).unwrap_or(usize::MAX);
    let mut sum: i64 = 0;
    for digit in decimal.digits().chain(std::iter::repeat_n(0, zeros)) {
        // Downwards, since there is one more negative number.
        sum = sum.checked_mul(10).and_then(|sum| sum.checked_sub(digit.into())).ok_or(NotInteger::Range)?;
    }
    if decimal.negative { Ok(sum) } else { sum.checked_neg().ok_or(NotInteger::Range) }
}

/// The powers of ten that a double holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];
/// More digits than this decide nothing but whether a number lies above or below the middle of two doubles: the longest such
/// middle has 767.
const DIGITS: usize = 780;

/// The double nearest to a number, which is infinite if a double cannot hold it; `None` if the text is not a number.
pub fn double(value: &[u8]) -> Option<f64> {
    let decimal = Decimal::of(value)?;
    let count = decimal.digits().take(DIGITS + 1).count();
    let size = decimal.power.saturating_add(distance(decimal.digits().count()));
    let magnitude = if count == 0 || size < -330 {
        0.0
    } else if size > 310 {
        f64::INFINITY
    } else {
        quick(&decimal, count).unwrap_or_else(|| nearest(&decimal, size))
    };
    Some(if decimal.negative { -magnitude } else { magnitude })
}

/// With few digits and a small power, one operation on doubles rounds correctly, since both are exact.
fn quick(decimal: &Decimal<'_>, count: usize) -> Option<f64> {
    let power = *POWERS.get(usize::try_from(decimal.power.unsigned_abs()).ok()?)?;
    if count > 15 {
        return None;
    }
    let digits = decimal.digits().fold(0.0, |sum, digit| sum * 10.0 + f64::from(digit));
    Some(if decimal.power < 0 { digits / power } else { digits * power })
}

/// The number as a fraction of two integers, divided bit by bit. It is below ten to the power of `size`.
fn nearest(decimal: &Decimal<'_>, size: i64) -> f64 {
    let mut above = LargeInteger(Vec::new());
    let mut places = 1;
    for digit in decimal.digits().take(DIGITS) {
        above.times_plus(10, digit.into());
        places += 1;
    }
    // What is cut off makes the number a little larger, and nothing else.
    above.times_plus(10, u32::from(decimal.digits().nth(DIGITS).is_some()));
    let mut below = LargeInteger(vec![1]);
    let power = size - places;
    for _ in 0..power.unsigned_abs() {
        if power < 0 { &mut below } else { &mut above }.times_plus(10, 0);
    }
    // So that the quotient has 60 or 61 bits; the smallest doubles have fewer, and 2 behind them are enough.
    let exponent = (above.bits() - below.bits() - 60).max(LOWEST - 2);
    if exponent < 0 { &mut above } else { &mut below }.shift(exponent.unsigned_abs());
    below.shift(61);
    let mut quotient: u64 = 0;
    for _ in 0..=61 {
        let fits = above.subtract(&below);
        quotient = quotient << 1 | u64::from(fits);
        above.shift(1);
    }
    let bits = i64::from(u64::BITS - quotient.leading_zeros());
    let spare = (bits - 53).max(LOWEST - exponent);
    let (kept, rest, half) = (quotient >> spare, quotient & ((1 << spare) - 1), 1 << (spare - 1));
    // In the middle of two doubles the even one is taken.
    let up = rest > half || rest == half && (above.bits() > 0 || kept & 1 == 1);
    #[expect(clippy::cast_precision_loss, reason = "it has at most 53 bits, or is 2 to the power of 53")]
    let kept = (kept + u64::from(up)) as f64;
    kept * power_of_two(exponent + spare)
}

/// The exponent of the smallest double.
const LOWEST: i64 = -1074;

/// A power of two that a double can hold.
fn power_of_two(power: i64) -> f64 {
    let bits = if power < -1022 { 1 << (power - LOWEST) } else { (power + 1023) << 52 };
    f64::from_bits(bits.unsigned_abs())
}

/// An integer of any length that is not negative: the lowest 32 bits first.
struct LargeInteger(Vec<u32>);

impl LargeInteger {
    #[inline(never)]
    fn times_plus(&mut self, factor: u32, more: u32) {
        let mut carry = u64::from(more);
        for word in &mut self.0 {
            carry += u64::from(*word) * u64::from(factor);
            *word = low(carry);
            carry >>= 32;
        }
        self.push(low(carry));
    }

    /// A highest word, unless it is zero.
    fn push(&mut self, word: u32) {
        if word != 0 {
            self.0.push(word);
        }
    }

    fn bits(&self) -> i64 {
        let last = self.0.last().map_or(0, |word| i64::from(32 - word.leading_zeros()));
        distance(self.0.len().saturating_sub(1)) * 32 + last
    }

    /// Multiplies with a power of two.
    #[inline(never)]
    fn shift(&mut self, by: u64) {
        self.times_plus(1 << (by % 32), 0);
        let words = usize::try_from(by / 32).unwrap_or(0);
        let length = self.0.len();
        if length > 0 {
            self.0.resize(length + words, 0);
            self.0.copy_within(..length, words);
            self.0.iter_mut().take(words).for_each(|word| *word = 0);
        }
    }

    /// Subtracts another one if that is not larger, and says whether.
    #[inline(never)]
    fn subtract(&mut self, other: &LargeInteger) -> bool {
        let order =
            self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()));
        if order.is_lt() {
            return false;
        }
        let mut borrow = false;
        for (word, less) in self.0.iter_mut().zip(other.0.iter().copied().chain(std::iter::repeat(0))) {
            let (first, one) = word.overflowing_sub(less);
            let (second, two) = first.overflowing_sub(borrow.into());
            (*word, borrow) = (second, one | two);
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        true
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half is what is wanted")]
fn low(word: u64) -> u32 {
    word as u32
}
