//! The other Rust library of `two_rust_libraries.c`: it allocates, and it panics and catches that.

use std::collections::BTreeSet;

/// The sum of different numbers.
///
/// # Safety
///
/// `numbers` must point to `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn other_sum(numbers: *const i32, count: usize) -> i32 {
    // SAFETY: the caller promises that they are there.
    let numbers = unsafe { std::slice::from_raw_parts(numbers, count) };
    numbers.iter().copied().collect::<BTreeSet<i32>>().into_iter().sum()
}

/// 1 when a panic was caught.
#[unsafe(no_mangle)]
pub extern "C" fn other_panics_inside() -> i32 {
    std::panic::set_hook(Box::new(|_| {}));
    i32::from(std::panic::catch_unwind(|| std::panic::panic_any(1)).is_err())
}
