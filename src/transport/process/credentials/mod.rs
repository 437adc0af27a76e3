//! Which process is at the other end of a Unix socket.
//!
//! The files:
//!
//! * `peer`: `Credentials`
//! * `linux`: Linux and Android
//! * `apple`: macOS and the systems made from it
//! * `windows`: Windows, where there are no such sockets

#[cfg(target_vendor = "apple")]
mod apple;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
mod peer;
#[cfg(windows)]
mod windows;

#[cfg(all(test, target_vendor = "apple"))]
use apple::TELLS_PROCESS;
#[cfg(target_vendor = "apple")]
pub use apple::{of_peer, our_user};
#[cfg(all(test, any(target_os = "linux", target_os = "android")))]
use linux::TELLS_PROCESS;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub use linux::{of_peer, our_user};
pub use peer::Credentials;
#[cfg(windows)]
pub use windows::{of_peer, our_user};

/// Whether a process of this machine is there: one that was not waited for counts.
pub fn is_there(process: u32) -> bool {
    #[cfg(unix)]
    return i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw).is_some_and(|pid| {
        // Of another user it says that there is no permission.
        rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH)
    });
    #[cfg(windows)]
    {
        let _ = process;
        false
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    #[test]
    fn the_peer_of_a_pair_is_this_process_and_a_pipe_has_none() {
        let (ours, _theirs) = UnixStream::pair().expect("a pair");
        let peer = of_peer(&ours).expect("credentials");
        assert_eq!(peer.user, rustix::process::getuid().as_raw());
        assert_eq!(peer.group, rustix::process::getgid().as_raw());
        assert_eq!(peer.process, super::TELLS_PROCESS.then(std::process::id));
        assert!(is_there(std::process::id()) && is_there(1) && !is_there(0) && !is_there(u32::MAX));
        let mut child = std::process::Command::new("true").spawn().expect("a child");
        child.wait().expect("it ended");
        assert!(!is_there(child.id()));
        let (reader, _writer) = rustix::pipe::pipe().expect("a pipe");
        assert_eq!(of_peer(&reader).map_err(|error| error.raw_os_error()), Err(Some(libc::ENOTSOCK)));
    }
}
