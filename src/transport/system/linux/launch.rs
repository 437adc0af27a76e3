//! From a prepared command to a running program, without ever waiting for it.
//!
//! The usual way (a close-on-exec pipe that tells whether `exec` worked) makes the parent wait for the child, and a host that
//! forks at the wrong moment keeps that pipe open for as long as its own child lives. Here the child writes what went wrong
//! into a page that both share, and ends; the parent reads it when it learns of the end. Nothing blocks, nothing is
//! allocated between fork and exec, and no handler of the host's runs in the child. A child that shares the parent's memory until it
//! executes (`CLONE_VFORK`) would start sooner and copy no page tables, but the thread that serves all clients would wait for it: for
//! ever, where a file system does not answer.

#![allow(unsafe_code)]

use crate::transport::system::IS_ANDROID;
use crate::transport::system::process::{LaunchStep, NotLaunched, PreparedCommand};
use crate::transport::system::threads::change_mask;
use libc::{c_long, c_ulong};
use rustix::fd::{AsRawFd, OwnedFd, RawFd};
use rustix::process::Pid;
use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, Ordering};

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}

/// Starts the program with these descriptors as its standard streams.
///
/// # Errors
/// The system's error number when no process can be made.
pub(crate) fn launch(
    prepared: &PreparedCommand,
    streams: [&OwnedFd; 3],
) -> Result<(Pid, StartReport), NotLaunched> {
    let page = StartReport::new().map_err(|errno| (None, errno))?;
    let args = pointers(&prepared.args);
    let environment = pointers(&prepared.environment);
    let streams = streams.map(AsRawFd::as_raw_fd);
    let parent = rustix::process::getpid().as_raw_pid();
    // No handler of the host may run in the child, not even for a fault. The child unblocks them when it has none any more.
    let mask = block_every_one();
    let forked = fork_without_handlers();
    let error = last_error();
    if forked != 0 {
        change_mask(libc::SIG_SETMASK, &mask);
    }
    if forked < 0 {
        return Err((None, error));
    }
    match Pid::from_raw(forked) {
        Some(pid) => {
            // The child does it too; in either order, the group is there before a signal is sent to it. It fails only when the
            // child has become its program already.
            let _done_by_the_child = rustix::process::setpgid(Some(pid), Some(pid));
            Ok((pid, page))
        }
        None => {
            // SAFETY: this is the child of the fork just made, and the vectors outlive the call, which never returns.
            unsafe { become_server(prepared, &args, &environment, streams, parent, &page) }
        }
    }
}

/// Blocks every signal on this thread; gives the mask it had.
fn block_every_one() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigfillset` initialises the set it is given.
    let every_one = unsafe {
        libc::sigfillset(set.as_mut_ptr());
        set.assume_init()
    };
    change_mask(libc::SIG_SETMASK, &every_one)
}

/// Forks without running what the host registered with `pthread_atfork`: such handlers take the host's locks, which a thread
/// that waits for us may hold. The child uses plain system calls only and needs none of what they would set right.
#[cfg(not(mcp_thread_sanitizer))]
fn fork_without_handlers() -> i32 {
    const NONE: libc::c_long = 0;
    // SAFETY: without flags but the signal this is `fork`: a copy of the process with a copy of this thread's stack. What the
    // child may do, `become_server` says.
    let pid =
        unsafe { libc::syscall(libc::SYS_clone, libc::c_long::from(libc::SIGCHLD), NONE, NONE, NONE, NONE) };
    i32::try_from(pid).unwrap_or(-1)
}

/// Compiled for `ThreadSanitizer`, the child's every function takes locks of its runtime, which only `fork` sets right.
#[cfg(mcp_thread_sanitizer)]
fn fork_without_handlers() -> i32 {
    // SAFETY: `fork` has no preconditions; `become_server` says what the child may do.
    unsafe { libc::fork() }
}

/// What the child does. Never returns.
///
/// # Safety
/// Only in a child of `fork`, where only async-signal-safe functions may run: no allocation, no lock, no panic.
pub(crate) unsafe fn become_server(
    prepared: &PreparedCommand,
    args: &[*const c_char],
    environment: &[*const c_char],
    streams: [RawFd; 3],
    parent: i32,
    page: &StartReport,
) -> ! {
    // SAFETY: every function called is a plain system call; all pointers are to memory prepared before the fork, and the
    // arrays of strings end with NULL.
    unsafe {
        libc::setpgid(0, 0);
        for signal in 1..=64 {
            // What the host ignores would stay ignored; handlers are gone with exec, but may not run before it either.
            call::default_action(signal);
        }
        close_at_exec();
        // If the host dies, the thread that started the server is gone: a server that ignores the end of its input would
        // otherwise live on.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
        if libc::getppid() != parent {
            libc::_exit(1);
        }
        for (target, stream) in (0..).zip(streams) {
            // All of them are above 2, so none overwrites another.
            while call::duplicate(stream, target) == -1 {
                // What the host had there may have to be written back first, and a signal may come in between.
                if errno() != libc::EINTR {
                    fail(page, LaunchStep::Pipes);
                }
            }
        }
        if let Some(cwd) = &prepared.cwd
            && libc::chdir(cwd.as_ptr()) == -1
        {
            fail(page, LaunchStep::Directory);
        }
        call::unblock_signals();
        exec_first(&prepared.programs, args, environment, page)
    }
}

/// System calls without the C library's own work around them: it takes a lock for some (`sigaction` of `SIGABRT` since glibc
/// 2.41), which another thread of the host may have held at the fork, and tools that watch memory put theirs there.
#[cfg(not(any(target_arch = "mips", target_arch = "mips64")))]
mod call {
    use rustix::fd::RawFd;

    /// The kernel's set of 64 signals, in bytes.
    const SIGNAL_SET: usize = 8;

    /// # Safety
    /// Only in the child.
    pub(crate) unsafe fn default_action(signal: i32) {
        // All zero is the default action without flags, in whatever order an architecture has the fields.
        let zero = [0_u64; 8];
        let none = std::ptr::null_mut::<u64>();
        // SAFETY: the kernel reads less than the array, and writes nothing.
        unsafe { libc::syscall(libc::SYS_rt_sigaction, signal, zero.as_ptr(), none, SIGNAL_SET) };
    }

    /// # Safety
    /// Only in the child.
    pub(crate) unsafe fn duplicate(from: RawFd, to: RawFd) -> libc::c_long {
        // SAFETY: the caller owns the descriptor it overwrites.
        unsafe { libc::syscall(libc::SYS_dup3, from, to, 0) }
    }

    /// # Safety
    /// Only in the child.
    pub(crate) unsafe fn unblock_signals() {
        let zero = [0_u64; 1];
        let none = std::ptr::null_mut::<u64>();
        // SAFETY: the kernel reads one set, and writes nothing.
        unsafe {
            libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, zero.as_ptr(), none, SIGNAL_SET)
        };
    }
}

/// What POSIX calls async-signal-safe: the kernel has more signals on this processor.
#[cfg(any(target_arch = "mips", target_arch = "mips64"))]
mod call {
    use rustix::fd::RawFd;

    /// # Safety
    /// Only in the child.
    pub(crate) unsafe fn default_action(signal: i32) {
        // SAFETY: no handler is set.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }

    /// # Safety
    /// Only in the child.
    pub(crate) unsafe fn duplicate(from: RawFd, to: RawFd) -> libc::c_int {
        // SAFETY: the caller owns the descriptor it overwrites.
        unsafe { libc::dup2(from, to) }
    }

    /// # Safety
    /// Only in the child.
    pub(crate) unsafe fn unblock_signals() {
        let mut none = std::mem::MaybeUninit::uninit();
        // SAFETY: the set is made empty before it is read.
        unsafe {
            libc::sigemptyset(none.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut());
        }
    }
}

/// Becomes the first of the programs that can be.
///
/// # Safety
/// As for [`become_server`].
unsafe fn exec_first(
    programs: &[CString],
    args: &[*const c_char],
    environment: &[*const c_char],
    page: &StartReport,
) -> ! {
    let mut worst = libc::ENOENT;
    for program in programs {
        let program: &CStr = program;
        // SAFETY: as for the caller.
        unsafe { libc::execve(program.as_ptr(), args.as_ptr(), environment.as_ptr()) };
        match errno() {
            libc::ENOENT | libc::ENOTDIR | libc::ELOOP | libc::ENAMETOOLONG => {}
            // Found, but not to be run: worth telling, unless a later folder has one that is.
            libc::EACCES => worst = libc::EACCES,
            other => {
                worst = other;
                break;
            }
        }
    }
    page.write(LaunchStep::Program, worst);
    // SAFETY: ends the child at once.
    unsafe { libc::_exit(127) }
}

/// # Safety
/// As for [`become_server`].
unsafe fn fail(page: &StartReport, step: LaunchStep) -> ! {
    page.write(step, errno());
    // SAFETY: ends the child at once.
    unsafe { libc::_exit(127) }
}

/// The error of the last call. `std::io::Error` allocates nothing for one of the system's.
fn errno() -> i32 {
    last_error()
}

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
pub(crate) unsafe fn close_at_exec() {
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
    if IS_ANDROID {
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

/// What the child says when it could not become the server. Shared memory, never resident unless it is used.
#[derive(Debug)]
pub(crate) struct StartReport {
    page: NonNull<AtomicU32>,
}

// SAFETY: the page is only ever read and written through the atomic on it.
unsafe impl Send for StartReport {}

const PAGE: usize = 4096;
/// The step stands above the error number.
const STEP_SHIFT: u32 = 16;

impl StartReport {
    pub(crate) fn new() -> Result<StartReport, i32> {
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
        NonNull::new(page.cast::<AtomicU32>()).map(|page| StartReport { page }).ok_or(libc::ENOMEM)
    }

    fn cell(&self) -> &AtomicU32 {
        // SAFETY: the page is mapped, zeroed and aligned for as long as `self` lives.
        unsafe { self.page.as_ref() }
    }

    /// The step that failed and the system's error number, if the child never became the server.
    pub(crate) fn read(&self) -> Option<(LaunchStep, i32)> {
        let said = self.cell().load(Ordering::Acquire);
        let step = match said >> STEP_SHIFT {
            0 => return None,
            1 => LaunchStep::Directory,
            2 => LaunchStep::Pipes,
            _ => LaunchStep::Program,
        };
        Some((step, i32::try_from(said & 0xffff).unwrap_or(libc::EIO)))
    }

    pub(crate) fn write(&self, step: LaunchStep, errno: i32) {
        let said = (step as u32) << STEP_SHIFT | u32::try_from(errno).unwrap_or(0) & 0xffff;
        self.cell().store(said, Ordering::Release);
    }
}

impl Drop for StartReport {
    fn drop(&mut self) {
        // SAFETY: the page was mapped by `new` and nothing else unmaps it.
        unsafe { libc::munmap(self.page.as_ptr().cast(), PAGE) };
    }
}

pub(crate) fn last_error() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
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
