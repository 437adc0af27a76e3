//! The descriptors 0 and 1 of a process of Linux, Android or macOS.

#[cfg(test)]
mod tests;

use crate::transport::pipes::{Identity, identity};
use crate::transport::plain_text;
use crate::transport::process::per_process::generation;
use crate::transport::socket::system::NO_STREAM;
use crate::transport::standard_streams::taken::{StreamsRefused, TAKEN, Taken, taken_already};
use crate::transport::stream_end::{Direction, StreamEnd};
use rustix::fd::{BorrowedFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags, Stat, fstat};
use rustix::io::{Errno, FdFlags, retry_on_intr};
use rustix::stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout};
use std::io::IsTerminal;
use std::sync::atomic::Ordering;

/// How often a system call that something interrupted is made again.
const ATTEMPTS: usize = 100;

/// Keeps the standard streams for one connection. Dropping it restores the descriptors that still lead where
/// [`StandardStreams::take`] made them lead; one that the program has changed since stays as it is. In a child of `fork` it
/// does nothing.
///
/// What a program printed into a buffer (`printf` without `fflush`) goes where descriptor 1 leads when the buffer is written.
#[derive(Debug)]
pub struct StandardStreams {
    generation: u64,
    input: Option<Replaced>,
    output: Option<Replaced>,
}

/// A descriptor that leads elsewhere for now.
#[derive(Debug)]
struct Replaced {
    original: OwnedFd,
    flags: FdFlags,
    /// Where it leads now.
    now: Identity,
}

impl StandardStreams {
    /// Takes the standard streams of this process. With `protect`, descriptor 1 then leads to where descriptor 2 leads, and
    /// descriptor 0 to `/dev/null`. Descriptor 1 leads to `/dev/null` as well where descriptor 2 is closed, or leads into
    /// the same pipe, socket or file as descriptor 1 did.
    ///
    /// # Errors
    /// When a connection has them already, when descriptor 0 or 1 is closed or has the wrong direction, and when no
    /// descriptors are left.
    pub fn take(protect: bool) -> Result<Taken<StandardStreams>, StreamsRefused> {
        if TAKEN.get().swap(true, Ordering::AcqRel) {
            return Err(taken_already());
        }
        // From here on dropping it puts things right.
        let streams = StandardStreams { generation: generation(), input: None, output: None };
        take_both(streams, protect)
    }
}

fn take_both(mut streams: StandardStreams, protect: bool) -> Result<Taken<StandardStreams>, StreamsRefused> {
    check(stdin(), Direction::Input)?;
    let output_stat = check(stdout(), Direction::Output)?;
    (|| {
        // Opened first, and kept until the end: where descriptor 2 is closed this gets its number, so that what follows
        // does not, and nothing that is printed there meanwhile reaches the client.
        let open = || rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty());
        let null = retry_on_intr(open)?;
        let input = StreamEnd::of_shared(copy(stdin())?, Direction::Input)?;
        let output = StreamEnd::of_shared(copy(stdout())?, Direction::Output)?;
        if protect {
            let input = Replaced::new(stdin(), &null)?;
            let errors = errors_beside(&output_stat, &null);
            let elsewhere = errors.as_ref().unwrap_or(&null);
            let output = Replaced::new(stdout(), elsewhere)?;
            patiently(|| dup2_stdin(&null))?;
            streams.input = Some(input);
            patiently(|| dup2_stdout(elsewhere))?;
            streams.output = Some(output);
        }
        Ok(Taken { input, output, streams })
    })()
    .map_err(|errno: Errno| StreamsRefused {
        message: format!(
            "cannot serve on the standard streams: the descriptors 0 and 1 could not be duplicated ({})",
            plain_text(&errno.into())
        ),
        errno: Some(errno.raw_os_error()),
    })
}

/// Whether a standard stream is open, in the direction in which it is needed.
fn check(fd: BorrowedFd<'_>, direction: Direction) -> Result<Stat, StreamsRefused> {
    let (number, name, wrong) = match direction {
        Direction::Input => (0, "standard input", OFlags::WRONLY),
        Direction::Output => (1, "standard output", OFlags::RDONLY),
    };
    let refused = |why: &str, errno: Option<Errno>| StreamsRefused {
        message: format!(
            "cannot serve on the standard streams: descriptor {number} ({name}) {why}; let the client start this \
             program with pipes to it as standard input and output"
        ),
        errno: errno.map(Errno::raw_os_error),
    };
    let flags = rustix::fs::fcntl_getfl(fd).map_err(|errno| match errno {
        Errno::BADF => refused("is closed", Some(errno)),
        other => refused(&plain_text(&other.into()), Some(other)),
    })?;
    let stat = fstat(fd).map_err(|errno| refused(&plain_text(&errno.into()), Some(errno)))?;
    if flags.intersects(NO_STREAM) || FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
        return Err(refused("is no stream of bytes", None));
    }
    if flags & OFlags::RWMODE == wrong {
        let why = match direction {
            Direction::Input => "is open for writing only",
            Direction::Output => "is open for reading only",
        };
        return Err(refused(why, None));
    }
    if FileType::from_raw_mode(stat.st_mode) == FileType::Socket
        && rustix::net::sockopt::socket_type(fd) != Ok(rustix::net::SocketType::STREAM)
    {
        return Err(refused("is a socket for datagrams, and messages need a stream", None));
    }
    Ok(stat)
}

/// A copy of descriptor 2, where that is open and leads elsewhere than the output of the connection. A terminal may be
/// both: there is a person who reads it.
fn errors_beside(output: &Stat, null: &OwnedFd) -> Option<OwnedFd> {
    let errors = stderr();
    let stat = fstat(errors).ok()?;
    let is_placeholder = fstat(null).is_ok_and(|null| identity(&null) == identity(&stat));
    if is_placeholder || (identity(&stat) == identity(output) && !errors.is_terminal()) {
        return None;
    }
    copy(errors).ok()
}

fn copy(fd: BorrowedFd<'_>) -> Result<OwnedFd, Errno> {
    rustix::io::fcntl_dupfd_cloexec(fd, 3)
}

/// Makes a system call again that another thread or a signal was in the way of.
fn patiently(call: impl Fn() -> Result<(), Errno>) -> Result<(), Errno> {
    for _ in 1..ATTEMPTS {
        match call() {
            Err(Errno::INTR | Errno::BUSY) => {}
            outcome => return outcome,
        }
    }
    call()
}

impl Replaced {
    /// What is needed to put `fd` back after it was made to lead to `elsewhere`.
    fn new(fd: BorrowedFd<'_>, elsewhere: &OwnedFd) -> Result<Replaced, Errno> {
        Ok(Replaced {
            original: copy(fd)?,
            flags: rustix::io::fcntl_getfd(fd)?,
            now: identity(&fstat(elsewhere)?),
        })
    }

    fn restore(&self, fd: BorrowedFd<'_>, dup2: fn(&OwnedFd) -> Result<(), Errno>) {
        if fstat(fd).is_ok_and(|stat| identity(&stat) == self.now) {
            // Fails only for descriptors that are not open, and both are.
            let _both_are_open = patiently(|| dup2(&self.original));
            let _both_are_open = rustix::io::fcntl_setfd(fd, self.flags);
        }
    }
}

impl Drop for StandardStreams {
    fn drop(&mut self) {
        let (input, output) = (self.input.take(), self.output.take());
        if generation() != self.generation {
            // A child of `fork`: its standard streams are its own by now, and it may have given the numbers of the copies
            // to other files.
            for replaced in [input, output].into_iter().flatten() {
                let _left_open = std::mem::ManuallyDrop::new(replaced);
            }
            return;
        }
        if let Some(output) = output {
            output.restore(stdout(), |original| dup2_stdout(original));
        }
        if let Some(input) = input {
            input.restore(stdin(), |original| dup2_stdin(original));
        }
        TAKEN.get().store(false, Ordering::Release);
    }
}
