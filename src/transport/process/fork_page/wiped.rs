//! A page that Linux zeroes.

#![allow(unsafe_code)]

use std::ptr;
use std::sync::atomic::AtomicU64;

const PAGE_BYTES: usize = 4096;

/// A page that the kernel zeroes in every child of this process; `None` where it cannot.
pub(in crate::transport::process) fn wiped_on_fork() -> Option<*mut AtomicU64> {
    // SAFETY: an anonymous private mapping at an address of the kernel's choice touches no memory of the host.
    let page = unsafe {
        libc::mmap(
            ptr::null_mut(),
            PAGE_BYTES,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    if page == libc::MAP_FAILED {
        return None;
    }
    // SAFETY: the range is the mapping just made.
    if unsafe { libc::madvise(page, PAGE_BYTES, libc::MADV_WIPEONFORK) } != 0 {
        // SAFETY: as above; no other thread has seen it yet.
        unsafe { libc::munmap(page, PAGE_BYTES) };
        return None;
    }
    Some(page.cast())
}

/// Gives such a page back that no other thread has seen.
pub(in crate::transport::process) fn unmap(page: *mut AtomicU64) {
    // SAFETY: it comes from `wiped_on_fork`, and nothing else knows of it.
    unsafe { libc::munmap(page.cast(), PAGE_BYTES) };
}
