//! What differs between systems. This file alone asks for the system; each system has one folder, and the same topic has the same name
//! in all of them, so that a port is a folder with these files.
//!
//! With `--cfg mcp_poll_backend` Linux gets the fallbacks of `portable`, so that they are tested.
//!
//! * `command_line`: programs and batch files of Windows: how they are found, and how their arguments are quoted
//!
//! The files, in `linux` (and Android), `apple`, `unix` (both of these), `windows` and `portable`:
//!
//! * `io`: pipes and sockets, numbers of errors; on Windows in two files:
//! * `pipes`, `sockets`: the two of them
//! * `poller`: `Poller`, `Wake`, `Parking`, `HostDescriptor`, `Nested`: waiting; in `portable` also:
//! * `wake`, `parking`, `host`: `Wake`, `Parking`, and what a loop of the host's watches
//! * `end_signals`: on Linux: signals to a process that has no thread of its own left
//! * `new_calls`: on Linux: system calls that Android forbids
//! * `nested`: a poller in the set of the runtime of HTTP
//! * `process`: `Process`: servers as processes; who is at the other end of a Unix socket
//! * `launch`: from a prepared command to a running program
//! * `watcher`: ends the servers of a host that was killed, where the kernel does not
//! * `ios`: where the system lets no app start a program
//! * `threads`: threads, masks of signals, names of signals
//! * `standard_streams`: `StandardStreams`: descriptors 0 and 1; streams that others share
//! * `folder`: `Folder`: files below a folder, and no others
//! * `token_files`: private files and locks
//! * `socket_file`, `local_socket`: Unix sockets: the file of one, and connecting to one
//! * `local_stream`: on Windows: what stands for a stream of one

#[cfg(any(windows, test))]
pub(crate) mod command_line;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux {
    #[cfg(all(target_os = "linux", not(mcp_poll_backend)))]
    mod end_signals;
    pub(crate) mod io;
    pub(crate) mod launch;
    #[cfg(all(feature = "http", feature = "server", target_os = "linux", not(mcp_poll_backend)))]
    pub(crate) mod nested;
    #[cfg(target_os = "linux")]
    pub(crate) mod new_calls;
    #[cfg(all(target_os = "linux", not(mcp_poll_backend)))]
    pub(crate) mod poller;
    pub(crate) mod process;
}
#[cfg(target_vendor = "apple")]
mod apple {
    pub(crate) mod io;
    #[cfg(not(target_os = "macos"))]
    pub(crate) mod ios;
    #[cfg(target_os = "macos")]
    pub(crate) mod launch;
    #[cfg(not(mcp_poll_backend))]
    pub(crate) mod poller;
    pub(crate) mod process;
}
#[cfg(unix)]
mod unix {
    #[cfg(feature = "server")]
    pub(crate) mod folder;
    pub(crate) mod io;
    #[cfg_attr(
        not(any(target_os = "macos", target_os = "linux", target_os = "android")),
        allow(dead_code, reason = "nothing is started there")
    )]
    pub(crate) mod launch;
    pub(crate) mod local_socket;
    pub(crate) mod process;
    #[cfg(feature = "server")]
    pub(crate) mod socket_file;
    #[cfg(feature = "server")]
    pub(crate) mod standard_streams;
    pub(crate) mod threads;
    #[cfg(feature = "auth")]
    pub(crate) mod token_files;
    #[cfg(any(target_os = "macos", test))]
    pub(crate) mod watcher;
}
#[cfg(windows)]
mod windows {
    #[cfg(feature = "server")]
    pub(crate) mod folder;
    pub(crate) mod local_socket;
    #[cfg(feature = "http")]
    pub(crate) mod local_stream;
    pub(crate) mod pipes;
    pub(crate) mod process;
    pub(crate) mod sockets;
    #[cfg(feature = "server")]
    pub(crate) mod standard_streams;
    pub(crate) mod threads;
    #[cfg(feature = "auth")]
    pub(crate) mod token_files;
}
mod portable {
    #[cfg(any(not(target_os = "linux"), mcp_poll_backend))]
    pub(crate) mod host;
    #[cfg(any(not(target_os = "linux"), mcp_poll_backend, test))]
    pub(crate) mod parking;
    #[cfg(any(not(any(target_os = "linux", target_vendor = "apple")), mcp_poll_backend))]
    pub(crate) mod poller;
    #[cfg(all(unix, any(not(target_os = "linux"), mcp_poll_backend)))]
    pub(crate) mod wake;
}

/// Pipes and sockets, numbers of errors.
pub mod io {
    #[cfg(target_vendor = "apple")]
    pub use super::apple::io::*;
    #[cfg(target_os = "android")]
    pub use super::linux::io::write_masked as write_quietly;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub use super::linux::io::*;
    #[cfg(target_os = "linux")]
    pub use super::linux::new_calls::write_quietly;
    #[cfg(unix)]
    pub use super::unix::io::*;
    #[cfg(windows)]
    pub use super::windows::{pipes::*, sockets::*};
}

/// Waiting.
pub mod poller {
    #[cfg(all(target_vendor = "apple", not(mcp_poll_backend)))]
    pub use super::apple::poller::Poller;
    #[cfg(all(feature = "http", feature = "server", target_os = "linux", not(mcp_poll_backend)))]
    pub use super::linux::nested::Nested;
    #[cfg(all(target_os = "linux", not(mcp_poll_backend)))]
    pub use super::linux::poller::*;
    #[cfg(any(not(target_os = "linux"), mcp_poll_backend))]
    pub use super::portable::host::*;
    #[cfg(any(not(target_os = "linux"), mcp_poll_backend))]
    pub use super::portable::parking::Parking;
    #[cfg(any(not(any(target_os = "linux", target_vendor = "apple")), mcp_poll_backend))]
    pub use super::portable::poller::Poller;
    #[cfg(all(unix, any(not(target_os = "linux"), mcp_poll_backend)))]
    pub use super::portable::wake::*;
    #[cfg(windows)]
    pub use super::windows::sockets::Wake;
}

/// Servers as processes.
pub mod process {
    #[cfg(all(target_vendor = "apple", not(target_os = "macos")))]
    pub use super::apple::ios::*;
    #[cfg(target_os = "macos")]
    pub use super::apple::launch::*;
    #[cfg(target_vendor = "apple")]
    pub use super::apple::process::*;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub use super::linux::{launch::*, process::*};
    #[cfg(unix)]
    pub(crate) use super::unix::launch::*;
    #[cfg(unix)]
    pub use super::unix::process::*;
    #[cfg(windows)]
    pub use super::windows::process::*;

    #[cfg(target_os = "linux")]
    pub(crate) use super::linux::new_calls::exit_descriptor;

    /// Whether a process has ended is asked by its number.
    #[cfg(target_os = "android")]
    pub(crate) fn exit_descriptor(_process: rustix::process::Pid) -> Option<rustix::fd::OwnedFd> {
        None
    }

    /// No page of memory is zeroed in a child of `fork`: the number of the process tells it from its parent.
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub(crate) fn wiped_on_fork() -> Option<*mut std::sync::atomic::AtomicU64> {
        None
    }

    /// Nothing to unmap.
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub(crate) fn unmap(_page: *mut std::sync::atomic::AtomicU64) {}
}

#[cfg(all(unix, feature = "http"))]
pub(crate) use tokio::net::UnixStream as LocalStream;
#[cfg(all(unix, feature = "auth"))]
pub(crate) use unix::token_files;
#[cfg(all(unix, feature = "server"))]
pub(crate) use unix::{folder, socket_file, standard_streams};
#[cfg(unix)]
pub(crate) use unix::{local_socket, threads};
#[cfg(all(windows, feature = "http"))]
pub(crate) use windows::local_stream::LocalStream;
#[cfg(all(windows, feature = "auth"))]
pub(crate) use windows::token_files;
#[cfg(all(windows, feature = "server"))]
pub(crate) use windows::{folder, local_socket as socket_file, standard_streams};
#[cfg(windows)]
pub(crate) use windows::{local_socket, threads};

/// Names of variables have no case, and a server needs others.
pub(crate) const IS_WINDOWS: bool = cfg!(windows);
/// Older versions kill an app that makes a system call which their filter does not know.
#[cfg(any(feature = "http", target_os = "linux", target_os = "android"))]
pub(crate) const IS_ANDROID: bool = cfg!(target_os = "android");

/// The system has its certificate authorities in keychains or a store, without a path.
#[cfg(feature = "http")]
pub(crate) const HAS_CERTIFICATE_STORE: bool = cfg!(any(target_vendor = "apple", windows));

/// What to wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interest {
    /// Readable, until unwatched.
    Readable,
    /// Readable, once; then it must be armed again.
    ReadableOnce,
    /// Writable, once; then it must be armed again.
    WritableOnce,
    /// Nothing, for now.
    None,
}

/// What a descriptor leads to: device, number, and the device that it is, if it is one.
#[cfg(unix)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileIdentity(pub(crate) u64, pub(crate) u64, pub(crate) u64);

/// What was done with which file of tokens, and what went wrong.
#[cfg(feature = "auth")]
pub(crate) fn token_fault(
    what: &str,
    path: &std::path::Path,
    error: impl std::fmt::Display,
) -> crate::auth::StoreFault {
    crate::auth::StoreFault::Failed(format!("{what} {}: {error}", path.display()))
}
