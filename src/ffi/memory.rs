//! The allocator of libmcp.so and libmcp.a: what is small comes from a reserve where the system refuses memory, so that a call ends with
//! a status and its host lives.
//!
//! Rust ends the process where an allocation fails, unless the code asked for it with `try_reserve`. Where a peer or the size of an argument
//! decides how large it is, the code does; the rest is small and comes from here. A call that finds a quarter of the reserve used is refused
//! as `MCP_ERROR_NO_MEMORY`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of the reserve. The system gives them at the first use.
const SIZE: usize = 2 * 1024 * 1024;
/// The largest piece that is taken from it: every buffer whose size the code decides, and what a connection of HTTP reads into.
const LARGEST: usize = 128 * 1024;
/// Larger pieces take the first half only: a few buffers must not leave nothing to the many small pieces, each of which would end the process.
const SMALL: usize = 4 * 1024;
/// That of tokio's, which keeps what threads change apart.
const ALIGNMENT: usize = 128;

#[repr(align(128))]
struct Space(UnsafeCell<[u8; SIZE]>);

// SAFETY: a piece is given to one owner only, see `take`; nothing else touches the bytes.
unsafe impl Sync for Space {}

static SPACE: Space = Space(UnsafeCell::new([0; SIZE]));

/// How many pieces are taken, in the upper half, and where the free part begins, in the lower one. It is all free again when the last
/// piece is given back.
static TAKEN: AtomicU64 = AtomicU64::new(0);

/// Whether a quarter of the reserve is used: the program had better get no more work done until it has freed something.
pub(super) fn is_short() -> bool {
    end_of(TAKEN.load(Ordering::Relaxed)) > SIZE / 4
}

/// Whether the system has so many bytes now.
pub(super) fn is_free(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

fn end_of(taken: u64) -> usize {
    usize::try_from(taken & u64::from(u32::MAX)).unwrap_or(usize::MAX)
}

/// A piece of the reserve, or null.
fn take(layout: Layout) -> *mut u8 {
    if layout.size() > LARGEST || layout.align() > ALIGNMENT {
        return std::ptr::null_mut();
    }
    let most = if layout.size() > SMALL { SIZE / 2 } else { SIZE };
    let mut start = 0;
    let taken = TAKEN.fetch_update(Ordering::AcqRel, Ordering::Acquire, |taken| {
        start = end_of(taken).next_multiple_of(layout.align());
        let end = start + layout.size();
        (end <= most).then(|| (((taken >> 32) + 1) << 32) | end as u64)
    });
    match taken {
        // SAFETY: `start` and what follows up to `layout.size()` is inside, as was just seen.
        Ok(_) => unsafe { SPACE.0.get().cast::<u8>().add(start) },
        Err(_) => std::ptr::null_mut(),
    }
}

fn give_back() {
    let _always = TAKEN.fetch_update(Ordering::AcqRel, Ordering::Acquire, |taken| {
        let pieces = (taken >> 32).saturating_sub(1);
        Some(if pieces == 0 { 0 } else { (pieces << 32) | end_of(taken) as u64 })
    });
}

fn is_of_reserve(piece: *mut u8) -> bool {
    (piece as usize).wrapping_sub(SPACE.0.get() as usize) < SIZE
}

/// The system's allocator with the reserve behind it: a library names it as `#[global_allocator]`.
#[derive(Debug)]
pub struct Reserve;

// SAFETY: each function keeps the contract of `GlobalAlloc` as `System` does; a piece of the reserve is as large and as aligned as its
// layout says, belongs to one owner until it is given back, and does not move. Nothing unwinds.
unsafe impl GlobalAlloc for Reserve {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        let new = unsafe { System.alloc(layout) };
        if new.is_null() { take(layout) } else { new }
    }

    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        let new = unsafe { System.alloc_zeroed(layout) };
        if !new.is_null() {
            return new;
        }
        let piece = take(layout);
        if !piece.is_null() {
            // SAFETY: the piece has that size.
            unsafe { piece.write_bytes(0, layout.size()) };
        }
        piece
    }

    #[inline(never)]
    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        if is_of_reserve(old) {
            give_back();
        } else {
            // SAFETY: it is of `System`, and the caller keeps the contract.
            unsafe { System.dealloc(old, layout) };
        }
    }

    #[inline(never)]
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !is_of_reserve(old) {
            // SAFETY: it is of `System`, and the caller keeps the contract.
            let new = unsafe { System.realloc(old, layout, size) };
            if !new.is_null() {
                return new;
            }
        }
        // SAFETY: the caller says that `size` does not overflow with this alignment.
        let new = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        if !new.is_null() {
            // SAFETY: both are as large as what is copied, and the old one is the caller's until now.
            unsafe {
                new.copy_from_nonoverlapping(old, layout.size().min(size));
                self.dealloc(old, layout);
            }
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_apart_and_the_reserve_is_whole_again_after_the_last_one() {
        let layout = |size, align| Layout::from_size_align(size, align).expect("a layout");
        assert!(take(layout(LARGEST + 1, 8)).is_null() && take(layout(8, 256)).is_null());
        let mut pieces = vec![take(layout(3, 1)), take(layout(8, 8)), take(layout(1, 128))];
        let places: Vec<usize> =
            pieces.iter().map(|piece| *piece as usize - SPACE.0.get() as usize).collect();
        assert_eq!(places, [0, 8, 128]);
        assert!(!is_short());
        while !pieces.last().expect("some").is_null() {
            pieces.push(take(layout(LARGEST, 16)));
        }
        assert!(is_short() && pieces.len() == 3 + SIZE / 2 / LARGEST);
        // The other half is for small ones, all of which are given.
        pieces.pop();
        let large = pieces.len();
        while end_of(TAKEN.load(Ordering::Relaxed)) + SMALL <= SIZE {
            pieces.push(take(layout(SMALL, 8)));
        }
        assert!(pieces.iter().all(|piece| !piece.is_null()) && pieces.len() > large + SIZE / 2 / SMALL);
        assert!(take(layout(SMALL, 8)).is_null() && take(layout(SMALL + 1, 1)).is_null());
        // SAFETY: the piece is of this layout; the new one is, too.
        unsafe {
            pieces[1].write(7);
            pieces[1] = Reserve.realloc(pieces[1], layout(8, 8), 1 << 20);
            assert!(!is_of_reserve(pieces[1]) && pieces[1].read() == 7);
            Reserve.dealloc(pieces[1], layout(1 << 20, 8));
        }
        for _ in 1..pieces.len() {
            give_back();
        }
        assert_eq!(TAKEN.load(Ordering::Relaxed), 0);
    }
}
