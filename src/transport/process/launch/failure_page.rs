//! The page on which a child says why it did not become the server.

#![allow(unsafe_code)]

use super::prepared::LaunchStep;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, Ordering};

/// What the child says when it could not become the server. Shared memory, never resident unless it is used.
#[derive(Debug)]
pub(in crate::transport::process) struct FailurePage {
    page: NonNull<AtomicU32>,
}

// SAFETY: the page is only ever read and written through the atomic on it.
unsafe impl Send for FailurePage {}

const PAGE: usize = 4096;
/// The step stands above the error number.
const STEP_SHIFT: u32 = 16;

impl FailurePage {
    pub(super) fn new() -> Result<FailurePage, i32> {
        // SAFETY: an anonymous mapping at an address of the kernel's choice touches no memory of anybody's.
        let page = unsafe {
            libc::mmap(
                ptr::null_mut(),
                PAGE,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if page == libc::MAP_FAILED {
            return Err(last_error());
        }
        NonNull::new(page.cast::<AtomicU32>()).map(|page| FailurePage { page }).ok_or(libc::ENOMEM)
    }

    fn cell(&self) -> &AtomicU32 {
        // SAFETY: the page is mapped, zeroed and aligned for as long as `self` lives.
        unsafe { self.page.as_ref() }
    }

    /// The step that failed and the system's error number, if the child never became the server.
    pub(in crate::transport::process) fn read(&self) -> Option<(LaunchStep, i32)> {
        let said = self.cell().load(Ordering::Acquire);
        let step = match said >> STEP_SHIFT {
            0 => return None,
            1 => LaunchStep::Directory,
            2 => LaunchStep::Pipes,
            _ => LaunchStep::Program,
        };
        Some((step, i32::try_from(said & 0xffff).unwrap_or(libc::EIO)))
    }

    pub(super) fn write(&self, step: LaunchStep, errno: i32) {
        let said = (step as u32) << STEP_SHIFT | u32::try_from(errno).unwrap_or(0) & 0xffff;
        self.cell().store(said, Ordering::Release);
    }
}

impl Drop for FailurePage {
    fn drop(&mut self) {
        // SAFETY: the page was mapped by `new` and nothing else unmaps it.
        unsafe { libc::munmap(self.page.as_ptr().cast(), PAGE) };
    }
}

pub(super) fn last_error() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
}
