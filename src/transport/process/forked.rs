//! For tests of what belongs to the whole process, such as the descriptors 0 to 2: each runs in a child of its own.
//!
//! A child of `fork` has copies of every descriptor of the process, those of other tests included, which then wait for an end
//! that does not come. So tests that fork are ignored, and one test runs them in a process without other tests.

#![allow(unsafe_code)]

use rustix::fd::{AsRawFd, FromRawFd, OwnedFd};

/// Runs the ignored tests below `module` in a process of their own, one after another.
pub fn run_ignored(module: &str) {
    let tests = std::env::current_exe().expect("the path of the tests");
    let run = std::process::Command::new(tests)
        .args(["--ignored", "--test-threads=1", module])
        .output()
        .expect("the tests start");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}\n{}", String::from_utf8_lossy(&run.stderr));
    assert!(!said.contains("running 0 tests"), "no test below {module}");
}

/// How long a child may take before the kernel ends it.
const SECONDS: u32 = 60;

/// Runs `check` in a child of `fork` and fails where it fails. The child has only this thread, and no test harness: a check
/// reports with `Err` and does not panic.
pub fn in_child(check: impl FnOnce() -> Result<(), String>) {
    let (said, says) = crate::transport::system::io::pair().expect("a pipe");
    // Above the standard streams, which checks replace.
    let says = rustix::io::fcntl_dupfd_cloexec(&says, 100).expect("a descriptor");
    // SAFETY: the child ends with `_exit` below. It allocates, which glibc and musl make right in a child.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: both calls take numbers only.
        unsafe { libc::alarm(SECONDS) };
        let outcome = check();
        if let Err(reason) = &outcome {
            let _parent_sees_the_exit = rustix::io::write(&says, reason.as_bytes());
        }
        // SAFETY: ends the child at once.
        unsafe { libc::_exit(i32::from(outcome.is_err())) };
    }
    drop(says);
    let mut reason = [0; 4096];
    let mut status = 0;
    // SAFETY: `status` is live.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    // Not waited for: processes that the child left may still hold the other end.
    rustix::fs::fcntl_setfl(&said, rustix::fs::OFlags::NONBLOCK).expect("flags");
    let length = rustix::io::read(&said, &mut reason).unwrap_or(0);
    assert_eq!(status, 0, "{}", String::from_utf8_lossy(&reason[..length]));
}

/// Runs `check` in a child of `fork` and says whether it held. For a child within a child.
pub fn holds_in_child(check: impl FnOnce() -> bool) -> bool {
    // SAFETY: as above.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: as above.
        unsafe {
            libc::alarm(SECONDS);
            libc::_exit(i32::from(!check()));
        }
    }
    let mut status = 0;
    // SAFETY: `status` is live.
    unsafe { libc::waitpid(child, &raw mut status, 0) == child && status == 0 }
}

/// Makes descriptor `number` lead to where `to` leads.
pub fn put(to: &OwnedFd, number: i32) -> Result<(), String> {
    // SAFETY: takes numbers only; in a child, no other thread uses the descriptor that is replaced.
    let outcome = unsafe { libc::dup2(to.as_raw_fd(), number) };
    if outcome == number { Ok(()) } else { Err(format!("dup2 to {number} failed")) }
}

/// Closes descriptor `number`, which no value owns.
pub fn close(number: i32) {
    // SAFETY: standard streams only, which no value of the test owns.
    drop(unsafe { OwnedFd::from_raw_fd(number) });
}

/// A terminal: the side that a person has, and the side that programs have.
pub fn terminal() -> (OwnedFd, OwnedFd) {
    let (mut person, mut program) = (-1, -1);
    let (name, settings, size) = (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: both numbers are live; the other parameters may be null. What is returned belongs to nothing else.
    unsafe {
        let outcome = libc::openpty(&raw mut person, &raw mut program, name, settings, size);
        assert_eq!(outcome, 0, "no terminal");
        (OwnedFd::from_raw_fd(person), OwnedFd::from_raw_fd(program))
    }
}
