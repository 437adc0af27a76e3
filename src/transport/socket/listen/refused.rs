//! Why nothing listens, in a sentence that says what to do.

use crate::transport::errno::{NO_ROOM_IN_SYSTEM, NOT_PERMITTED};
use crate::transport::plain_text;
use crate::transport::socket::SocketAddress;
use rustix::io::Errno;

/// Why nothing listens, with the fix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListenRefused {
    /// What went wrong, in a sentence.
    pub message: String,
    /// What kind of failure it is.
    pub reason: RefusedFor,
    /// The system's error number, where it gave one.
    pub errno: Option<i32>,
}

/// Kinds of failures to listen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusedFor {
    /// Another server listens there, or another file has that name.
    InUse,
    /// Other machines could connect, and that was not allowed.
    NotLoopback,
    /// The name has no address, or this machine does not have that address.
    NoAddress,
    /// What the system said.
    System,
}

/// Why one attempt failed; without the address, which the message names.
#[derive(Debug)]
pub(super) struct Cause {
    pub(super) reason: RefusedFor,
    pub(super) why: String,
    pub(super) errno: Option<Errno>,
}

impl Cause {
    pub(super) fn told(self, address: &SocketAddress) -> ListenRefused {
        ListenRefused {
            message: format!("cannot listen on '{address}': {}", self.why),
            reason: self.reason,
            errno: self.errno.map(Errno::raw_os_error),
        }
    }
}

impl From<Errno> for Cause {
    fn from(errno: Errno) -> Cause {
        let (reason, why) = match errno {
            Errno::ADDRINUSE => (
                RefusedFor::InUse,
                "another server listens there; end that one, or choose another address".to_owned(),
            ),
            Errno::ADDRNOTAVAIL => (
                RefusedFor::NoAddress,
                "this machine does not have that address; choose one that it has, such as 127.0.0.1"
                    .to_owned(),
            ),
            Errno::ACCESS | NOT_PERMITTED => {
                (RefusedFor::System, "permission denied; this user may not listen there".to_owned())
            }
            Errno::MFILE | NO_ROOM_IN_SYSTEM => {
                (RefusedFor::System, "no file descriptors are left".to_owned())
            }
            Errno::NAMETOOLONG => (
                RefusedFor::System,
                "the path is longer than the 107 bytes that the system allows; choose a shorter one"
                    .to_owned(),
            ),
            other => (RefusedFor::System, plain_text(&other.into())),
        };
        Cause { reason, why, errno: Some(errno) }
    }
}
