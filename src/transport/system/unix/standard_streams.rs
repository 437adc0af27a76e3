//! The descriptors 0 and 1 of a process of Linux, Android or macOS, and other streams that programs share.

use crate::transport::plain_text;
use crate::transport::process::per_process::generation;
use crate::transport::standard_streams::{StreamsRefused, TAKEN, TakenStreams, taken_already};
use crate::transport::stream::{Access, Direction, StreamEnd};
use crate::transport::system::FileIdentity;
use crate::transport::system::io::{NO_STREAM, above_standard_streams, file_identity};
use crate::transport::system::poller::is_watchable;
use rustix::fd::{AsRawFd, BorrowedFd, OwnedFd};
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
    pub(crate) output: Option<Replaced>,
}

/// A descriptor that leads elsewhere for now.
#[derive(Debug)]
pub(crate) struct Replaced {
    pub(crate) original: OwnedFd,
    flags: FdFlags,
    /// Where it leads now.
    now: FileIdentity,
}

impl StandardStreams {
    /// Takes the standard streams of this process. With `protect`, descriptor 1 then leads to where descriptor 2 leads, and
    /// descriptor 0 to `/dev/null`. Descriptor 1 leads to `/dev/null` as well where descriptor 2 is closed, or leads into
    /// the same pipe, socket or file as descriptor 1 did.
    ///
    /// # Errors
    /// When a connection has them already, when descriptor 0 or 1 is closed or has the wrong direction, and when no
    /// descriptors are left.
    pub fn take(protect: bool) -> Result<TakenStreams<StandardStreams>, StreamsRefused> {
        if TAKEN.get().swap(true, Ordering::AcqRel) {
            return Err(taken_already());
        }
        // From here on dropping it puts things right.
        let streams = StandardStreams { generation: generation(), input: None, output: None };
        take_both(streams, protect)
    }
}

fn take_both(
    mut streams: StandardStreams,
    protect: bool,
) -> Result<TakenStreams<StandardStreams>, StreamsRefused> {
    check(stdin(), Direction::Input)?;
    let output_stat = check(stdout(), Direction::Output)?;
    (|| {
        // Opened first, and kept until the end: where descriptor 2 is closed this gets its number, so that what follows
        // does not, and nothing that is printed there meanwhile reaches the client.
        let open = || rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty());
        let null = retry_on_intr(open)?;
        let input = StreamEnd::of_shared(copy(stdin())?, Direction::Input)?;
        let output = StreamEnd::of_shared(copy(stdout())?, Direction::Output)?;
        let is_terminal = output.fd.is_terminal();
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
        Ok(TakenStreams { input, output, is_terminal, streams })
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
        return Err(refused("is not a byte stream", None));
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
    let is_placeholder = fstat(null).is_ok_and(|null| file_identity(&null) == file_identity(&stat));
    if is_placeholder || (file_identity(&stat) == file_identity(output) && !errors.is_terminal()) {
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
            now: file_identity(&fstat(elsewhere)?),
        })
    }

    fn restore(&self, fd: BorrowedFd<'_>, dup2: fn(&OwnedFd) -> Result<(), Errno>) {
        if fstat(fd).is_ok_and(|stat| file_identity(&stat) == self.now) {
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

impl StreamEnd {
    /// Prepares a descriptor that others may share. It is opened again where that gives a description of our own.
    ///
    /// # Errors
    /// What the system said.
    pub fn of_shared(shared: OwnedFd, direction: Direction) -> Result<StreamEnd, Errno> {
        let stat = fstat(&shared)?;
        let (fd, access) = match FileType::from_raw_mode(stat.st_mode) {
            FileType::Socket => (shared, Access::Socket),
            FileType::RegularFile | FileType::BlockDevice => (shared, Access::Direct),
            FileType::Fifo => reopened(shared, &stat, direction),
            FileType::CharacterDevice if is_pseudo_terminal(&stat) => reopened(shared, &stat, direction),
            _ => (shared, Access::AskFirst),
        };
        Ok(StreamEnd {
            is_always_ready: !is_watchable(&fd)?,
            is_pipe: FileType::from_raw_mode(stat.st_mode) == FileType::Fifo,
            fd,
            access,
        })
    }
}

/// Opens what a descriptor leads to once more, for a description of our own. The shared one stays in use where the system
/// refuses: no `/proc`, a pipe of another user, a pipe whose readers are gone.
fn reopened(shared: OwnedFd, stat: &Stat, direction: Direction) -> (OwnedFd, Access) {
    let flags = match direction {
        Direction::Input => OFlags::RDONLY,
        Direction::Output => OFlags::WRONLY,
    } | OFlags::NONBLOCK
        | OFlags::CLOEXEC
        | OFlags::NOCTTY;
    let path = format!("/proc/self/fd/{}", shared.as_raw_fd());
    let again = rustix::fs::open(path, flags, Mode::empty()).and_then(above_standard_streams);
    // In a folder that is no `/proc` the name may lead elsewhere.
    match again.and_then(|again| fstat(&again).map(|found| (again, found))) {
        Ok((again, found)) if file_identity(&found) == file_identity(stat) => (again, Access::Direct),
        _ => (shared, Access::AskFirst),
    }
}

/// Whether this is the side of a pseudo terminal on which programs run (Linux gives those the numbers 136 to 143). Opening the
/// other side again would make another terminal, and opening a serial line again may change its state.
fn is_pseudo_terminal(stat: &Stat) -> bool {
    (136..=143).contains(&rustix::fs::major(stat.st_rdev))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::Framing;
    use crate::transport::framing::Piece;
    use crate::transport::stream::{Incoming, Outgoing, Read};
    use std::io::Write as _;
    use std::os::unix::net::UnixStream;

    fn is_non_blocking(fd: &OwnedFd) -> bool {
        rustix::fs::fcntl_getfl(fd).expect("flags").contains(OFlags::NONBLOCK)
    }

    fn copy(fd: &OwnedFd) -> OwnedFd {
        rustix::io::fcntl_dupfd_cloexec(fd, 3).expect("a descriptor")
    }

    #[test]
    fn a_pipe_is_used_without_blocking_and_stays_blocking_for_others() {
        let (reader, writer) = rustix::pipe::pipe().expect("a pipe");
        let input = StreamEnd::of_shared(copy(&reader), Direction::Input).expect("an end");
        let output = StreamEnd::of_shared(copy(&writer), Direction::Output).expect("an end");
        assert_eq!((input.access, output.access), (Access::Direct, Access::Direct));
        assert!(!input.is_always_ready && input.is_pipe && output.is_pipe);
        let mut incoming = Incoming::on(input, Framing::Newline, 1 << 20, 1 << 20);
        assert_eq!(incoming.read(), Read::Nothing);
        let mut outgoing = Outgoing::on(output, Framing::Newline);
        outgoing.push(vec![b'x'; 1 << 20]);
        assert_eq!(outgoing.flush(), Ok(()));
        assert!(outgoing.is_pending(), "the pipe is full and the write returned");
        assert!(matches!(incoming.read(), Read::More | Read::Some));
        assert!(!is_non_blocking(&reader) && !is_non_blocking(&writer));
    }

    #[test]
    fn what_cannot_be_opened_again_is_asked_before_each_step() {
        let (reader, writer) = rustix::pipe::pipe().expect("a pipe");
        let end = |fd: &OwnedFd| StreamEnd {
            fd: copy(fd),
            access: Access::AskFirst,
            is_always_ready: false,
            is_pipe: true,
        };
        let mut incoming = Incoming::on(end(&reader), Framing::Newline, 1 << 21, 1 << 20);
        let mut outgoing = Outgoing::on(end(&writer), Framing::Newline);
        assert_eq!(incoming.read(), Read::Nothing);
        for letter in [b'x', b'y'] {
            outgoing.push(vec![letter; 1 << 20]);
        }
        let mut frames = Vec::new();
        while frames.len() < 2 {
            assert_eq!(outgoing.flush(), Ok(()));
            assert_ne!(incoming.read(), Read::Ended);
            while let Some(Piece::Frame(frame)) = incoming.next_piece() {
                frames.push(frame);
            }
        }
        assert_eq!(frames, [vec![b'x'; 1 << 20], vec![b'y'; 1 << 20]]);
        assert!(!is_non_blocking(&reader) && !is_non_blocking(&writer));
    }

    #[test]
    fn a_socket_is_used_without_blocking_and_stays_blocking_for_others() {
        let (ours, mut theirs) = UnixStream::pair().expect("a pair");
        let shared = OwnedFd::from(ours);
        let input = StreamEnd::of_shared(copy(&shared), Direction::Input).expect("an end");
        assert_eq!((input.access, input.is_always_ready), (Access::Socket, false));
        let mut incoming = Incoming::on(input, Framing::Newline, 1024, 1024);
        assert_eq!(incoming.read(), Read::Nothing);
        theirs.write_all(b"one\n").expect("room");
        assert_eq!(incoming.read(), Read::Some);
        assert_eq!(incoming.next_piece(), Some(Piece::Frame(b"one".to_vec())));
        drop(theirs);
        assert_eq!(incoming.read(), Read::Ended);
        assert!(!is_non_blocking(&shared));
    }

    #[test]
    fn files_and_devices_without_readiness_are_ready_always() {
        let path = std::env::temp_dir().join(format!("mcp-stream-end-{}", std::process::id()));
        std::fs::write(&path, "one\ntwo").expect("a file");
        let file =
            StreamEnd::of_shared(std::fs::File::open(&path).expect("the file").into(), Direction::Input)
                .expect("an end");
        std::fs::remove_file(&path).expect("removed");
        assert_eq!((file.access, file.is_always_ready, file.is_pipe), (Access::Direct, true, false));
        let mut incoming = Incoming::on(file, Framing::Newline, 1024, 1024);
        assert_eq!(incoming.read(), Read::Some);
        assert_eq!(incoming.next_piece(), Some(Piece::Frame(b"one".to_vec())));
        assert_eq!(incoming.read(), Read::Ended);
        assert!(incoming.is_partial());
        let null = std::fs::File::open("/dev/null").expect("the device").into();
        let null = StreamEnd::of_shared(null, Direction::Input).expect("an end");
        assert!(null.is_always_ready);
        assert_eq!(Incoming::on(null, Framing::Newline, 1024, 1024).read(), Read::Ended);
    }
}
