//! Pipes, terminals, sockets and files that others may share, on all systems but Windows.

use super::{Access, Direction, StreamEnd};
use crate::transport::pipes::identity;
use crate::transport::poller::is_watchable;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{FileType, Mode, OFlags, Stat, fstat};
use rustix::io::Errno;

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
        Ok((again, found)) if identity(&found) == identity(stat) => (again, Access::Direct),
        _ => (shared, Access::AskFirst),
    }
}

/// A descriptor other than 0 to 2, which the system gives where one of them is closed.
fn above_standard_streams(fd: OwnedFd) -> Result<OwnedFd, Errno> {
    const FIRST: i32 = 3;
    if fd.as_raw_fd() >= FIRST {
        return Ok(fd);
    }
    rustix::io::fcntl_dupfd_cloexec(&fd, FIRST)
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
    use crate::transport::incoming::{Incoming, Read};
    use crate::transport::outgoing::Outgoing;
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
