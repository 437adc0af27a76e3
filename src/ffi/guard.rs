//! What stands around every export: a panic becomes a value, and use after `fork` is refused.

use super::panics;
use super::status::{MCP_FORKED, MCP_INTERNAL, mcp_status_t};
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Runs an export's body; a panic gives `default`.
pub(super) fn guard<R>(default: R, body: impl FnOnce() -> R) -> R {
    panics::caught(body).unwrap_or(default)
}

/// Runs an export's body that gives a status.
pub(super) fn guard_status(body: impl FnOnce() -> mcp_status_t) -> mcp_status_t {
    guard(MCP_INTERNAL, body)
}

/// Remembers the process that makes handles.
pub(super) fn own_process() {
    OWNER.get_or_init(Owner::mark);
    #[cfg(feature = "http")]
    crate::transport::stack::know_stacks(super::stack::end);
}

/// Whether this is a child of the process that made the handles. Its locks and threads are not ours to use.
pub(super) fn forked() -> bool {
    OWNER.get().is_some_and(Owner::is_elsewhere)
}

static OWNER: OnceLock<Owner> = OnceLock::new();

/// The process that made the handles.
///
/// Every export asks whether it is still the same one, and a system call for each would be felt. So the kernel is asked to
/// wipe one page in every child: a mark on it is there in the owner and nowhere else.
struct Owner {
    page: Option<NonNull<AtomicU32>>,
    pid: u32,
}

// SAFETY: the page is only ever read and written through the atomic on it, and is never unmapped.
unsafe impl Send for Owner {}
// SAFETY: as above.
unsafe impl Sync for Owner {}

const MARK: u32 = 0x6d63_7021;

impl Owner {
    fn mark() -> Owner {
        let page = wiped_on_fork();
        if let Some(page) = page {
            // SAFETY: the page is mapped, zeroed and aligned, and stays so for the life of the process.
            unsafe { page.as_ref() }.store(MARK, Ordering::Relaxed);
        }
        Owner { page, pid: std::process::id() }
    }

    fn is_elsewhere(&self) -> bool {
        match self.page {
            // SAFETY: as in `mark`.
            Some(page) => unsafe { page.as_ref() }.load(Ordering::Relaxed) != MARK,
            None => self.pid != std::process::id(),
        }
    }
}

/// A page that the kernel zeroes in every child of this process; `None` where it cannot.
#[cfg(target_os = "linux")]
fn wiped_on_fork() -> Option<NonNull<AtomicU32>> {
    const PAGE: usize = 4096;
    // SAFETY: an anonymous private mapping at an address of the kernel's choice touches no memory of anybody's.
    let page = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            PAGE,
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
    if unsafe { libc::madvise(page, PAGE, libc::MADV_WIPEONFORK) } != 0 {
        // SAFETY: as above; nobody has seen it yet.
        unsafe { libc::munmap(page, PAGE) };
        return None;
    }
    NonNull::new(page.cast())
}

#[cfg(not(target_os = "linux"))]
fn wiped_on_fork() -> Option<NonNull<AtomicU32>> {
    None
}

/// The status of a call in such a child.
pub(super) const FORKED: mcp_status_t = MCP_FORKED;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_the_default_and_the_next_call_works() {
        assert_eq!(guard_status(|| panic!("inside")), MCP_INTERNAL);
        assert_eq!(guard_status(|| 0), 0);
    }
}
