//! Keeps the host's descriptors out of a server: between fork and exec every descriptor above the standard streams is marked
//! close-on-exec. A host opens files and sockets without that mark, and a server that inherits them can read the files,
//! accept connections, and keep ports and pipes open after the host closed them.
//!
//! The descriptors are marked and not closed, because the library itself needs some of them until `exec`.

#![allow(unsafe_code)]

use super::NEW_CALLS_MAY_BE_TRIED;
use libc::{c_long, c_ulong};

/// Marks every descriptor of this process above the standard streams close-on-exec, for a program that is about to start another
/// one that must not have them.
pub fn keep_from_children() {
    // SAFETY: it makes system calls that take numbers and buffers of its own; in a child of fork it may do no more, here it may.
    unsafe { close_at_exec() }
}

/// The first descriptor that is not a standard stream.
const FIRST: u16 = 3;

const NONE: c_long = 0;

/// Marks every descriptor above the standard streams.
///
/// # Safety
/// Only in the child. Makes system calls only: no allocation, no lock.
pub(super) unsafe fn close_at_exec() {
    // SAFETY: as for the caller.
    unsafe {
        if !by_range() && !by_folder() {
            by_number();
        }
    }
}

/// With one call. Linux 5.11; sandboxes refuse it, too.
///
/// # Safety
/// As for [`close_at_exec`].
unsafe fn by_range() -> bool {
    const CLOEXEC: c_ulong = 4;
    if !NEW_CALLS_MAY_BE_TRIED {
        return false;
    }
    // SAFETY: the call takes numbers only.
    unsafe {
        libc::syscall(libc::SYS_close_range, c_ulong::from(FIRST), c_ulong::from(u32::MAX), CLOEXEC) == 0
    }
}

/// One by one, as `/proc` lists them. Says whether all of the list was read.
///
/// # Safety
/// As for [`close_at_exec`].
unsafe fn by_folder() -> bool {
    const FLAGS: libc::c_int = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC;
    let mut entries = Entries([0; ENTRIES]);
    // SAFETY: the path ends with NUL, and the kernel writes at most as many bytes as the array has.
    unsafe {
        let path = c"/proc/self/fd".as_ptr();
        let folder = libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path, FLAGS, NONE);
        if folder < 0 {
            return false;
        }
        // Left open on failure: it is close-on-exec itself.
        loop {
            let read =
                libc::syscall(libc::SYS_getdents64, folder, entries.0.as_mut_ptr(), ENTRIES as c_ulong);
            match usize::try_from(read) {
                Ok(0) => return true,
                Ok(read) => each(entries.0.get(..read).unwrap_or_default(), |number| mark(number)),
                Err(_) => return false,
            }
        }
    }
}

/// Every number that a descriptor may have, where the system tells nothing of them.
///
/// # Safety
/// As for [`close_at_exec`].
unsafe fn by_number() {
    /// Descriptors that were opened before the limit was lowered lie above it.
    const LEAST: u64 = 65_536;
    /// A second's worth of calls; a limit may be much higher.
    const MOST: u64 = 1 << 20;
    let mut limit = libc::rlimit64 { rlim_cur: 0, rlim_max: 0 };
    let none = std::ptr::null::<libc::rlimit64>();
    // SAFETY: the kernel writes one such struct, and nothing where it fails.
    unsafe {
        libc::syscall(libc::SYS_prlimit64, NONE, libc::RLIMIT_NOFILE, none, &raw mut limit);
        let most = c_long::try_from(limit.rlim_max.clamp(LEAST, MOST)).unwrap_or(c_long::MAX);
        let mut number = c_long::from(FIRST);
        while number < most {
            mark(number);
            number += 1;
        }
    }
}

/// # Safety
/// As for [`close_at_exec`].
unsafe fn mark(number: c_long) {
    if number >= c_long::from(FIRST) {
        // SAFETY: the call takes numbers only; for one that is not open it fails.
        unsafe { libc::syscall(libc::SYS_fcntl, number, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
}

const ENTRIES: usize = 1024;

/// Aligned as the kernel's entries are.
#[repr(align(8))]
struct Entries([u8; ENTRIES]);

/// The numbers among the names of a folder's entries, as `getdents64` gives them.
fn each(mut entries: &[u8], mut found: impl FnMut(c_long)) {
    // Inode, offset, length of the entry, type; then the name, which ends with NUL.
    const LENGTH: usize = 16;
    const NAME: usize = 19;
    while let (Some(low), Some(high)) = (entries.get(LENGTH), entries.get(LENGTH + 1)) {
        let length = usize::from(u16::from_ne_bytes([*low, *high]));
        let name = entries.get(NAME..length).unwrap_or_default();
        if let Some(number) = number(name) {
            found(number);
        }
        entries = entries.get(length.max(NAME)..).unwrap_or_default();
    }
}

fn number(name: &[u8]) -> Option<c_long> {
    let mut number: c_long = 0;
    let mut digits = 0;
    for byte in name.iter().take_while(|byte| **byte != 0) {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number = number.checked_mul(10)?.checked_add(c_long::from(digit))?;
        digits += 1;
    }
    (digits > 0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One entry as the kernel writes it.
    fn entry(name: &str) -> Vec<u8> {
        let length = (19 + name.len() + 1).next_multiple_of(8);
        let mut entry = vec![0u8; 16];
        entry.extend(u16::try_from(length).expect("a short name").to_ne_bytes());
        entry.push(0);
        entry.extend(name.as_bytes());
        entry.resize(length, 0);
        entry
    }

    #[test]
    fn numbers_are_found_among_the_entries_of_a_folder() {
        let names = [".", "..", "0", "3", "1048575", "4x", "99999999999999999999999", "12"];
        let entries: Vec<u8> = names.iter().flat_map(|name| entry(name)).collect();
        let mut found = Vec::new();
        each(&entries, |number| found.push(number));
        assert_eq!(found, [0, 3, 1_048_575, 12]);
    }

    #[test]
    fn entries_that_are_cut_off_or_have_no_length_end_the_search() {
        let mut found = Vec::new();
        let whole = entry("7");
        for length in 0..whole.len() {
            each(&whole[..length], |number| found.push(number));
        }
        each(&[0; 64], |number| found.push(number));
        assert!(found.is_empty(), "{found:?}");
    }
}
