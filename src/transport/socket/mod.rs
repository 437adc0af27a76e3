//! Unix and TCP sockets: addresses, the options of each connection, and why a server cannot be reached or nothing can listen.
//!
//! The files:
//!
//! * `connect`: connecting within a time limit (client)
//! * `listen`: `Listener` (server)

pub(crate) mod connect;
#[cfg(feature = "server")]
pub mod listen;

pub use connect::{connect, connect_at_once, end_both, end_output};

use crate::transport::plain_text;
pub use crate::transport::system::io::duplicate;
use crate::transport::system::io::{NO_ROOM_IN_SYSTEM, NOT_PERMITTED, PATH_BYTES, limit_unacknowledged};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::sockopt;
use std::fmt;
use std::time::Duration;

/// Where a server listens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SocketAddress {
    /// A Unix socket in the file system.
    Unix(String),
    /// A Unix socket with a name of its own (Linux's abstract names).
    Abstract(String),
    /// A host, by name or by number, and a port.
    Tcp {
        /// The host; an IPv6 address without its brackets.
        host: String,
        /// The port.
        port: u16,
    },
}

impl SocketAddress {
    /// Reads the address of a server to connect to.
    ///
    /// # Errors
    /// What is wrong with it, and what would be right.
    pub fn parse(text: &str) -> Result<SocketAddress, String> {
        SocketAddress::with_port_from(text, 1)
    }

    /// Reads an address to listen on, where port 0 lets the system choose one.
    ///
    /// # Errors
    /// As for [`SocketAddress::parse`].
    #[cfg(any(feature = "server", test))]
    pub fn parse_to_listen(text: &str) -> Result<SocketAddress, String> {
        SocketAddress::with_port_from(text, 0)
    }

    fn with_port_from(text: &str, lowest_port: u16) -> Result<SocketAddress, String> {
        if text.contains('\0') {
            return Err("it contains a NUL character".to_owned());
        }
        match text.split_once(':') {
            Some(("unix", rest)) => unix(rest),
            Some(("tcp", rest)) => tcp(rest, lowest_port),
            _ => {
                Err("it begins with neither \"unix:\" nor \"tcp:\"; write \"unix:/path\", \"unix:@name\" or \
                      \"tcp:host:port\""
                    .to_owned())
            }
        }
    }
}

fn unix(rest: &str) -> Result<SocketAddress, String> {
    let name = rest.strip_prefix('@');
    let length = rest.len();
    if length > PATH_BYTES {
        return Err(format!("it has {length} bytes after \"unix:\", and the system allows {PATH_BYTES}"));
    }
    match name {
        Some("") => Err("the name after \"unix:@\" is missing".to_owned()),
        Some(name) => Ok(SocketAddress::Abstract(name.to_owned())),
        None if rest.is_empty() => Err("the path after \"unix:\" is missing".to_owned()),
        None if rest.starts_with("~/") => Err("'~' is not expanded; write the whole path".to_owned()),
        None if rest.starts_with("//") => {
            Err("a URL is not accepted; write \"unix:\" and the path, such as \"unix:/run/server.sock\""
                .to_owned())
        }
        None => Ok(SocketAddress::Unix(rest.to_owned())),
    }
}

fn tcp(rest: &str, lowest_port: u16) -> Result<SocketAddress, String> {
    if rest.starts_with("//") {
        return Err("a URL is not accepted; write \"tcp:host:port\"".to_owned());
    }
    let Some((host, port)) = rest.rsplit_once(':') else {
        return Err("it has no port; write \"tcp:host:port\"".to_owned());
    };
    let inside = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    if inside.is_none() && host.contains(':') {
        return Err("an IPv6 address stands in brackets, such as \"tcp:[::1]:4000\"".to_owned());
    }
    let host = inside.unwrap_or(host);
    if host.is_empty() {
        return Err("the host before the port is missing; write \"tcp:host:port\"".to_owned());
    }
    if host.contains(char::is_whitespace) {
        return Err(format!("'{host}' is not a valid host"));
    }
    match port.parse::<u16>() {
        Ok(number) if number >= lowest_port && port.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(SocketAddress::Tcp { host: host.to_owned(), port: number })
        }
        _ => Err(format!("'{port}' is not a valid port: use a number from {lowest_port} to 65535")),
    }
}

impl fmt::Display for SocketAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SocketAddress::Unix(path) => write!(f, "unix:{path}"),
            SocketAddress::Abstract(name) => write!(f, "unix:@{name}"),
            SocketAddress::Tcp { host, port } if host.contains(':') => write!(f, "tcp:[{host}]:{port}"),
            SocketAddress::Tcp { host, port } => write!(f, "tcp:{host}:{port}"),
        }
    }
}

/// Connections that wait to be accepted; the system may allow fewer.
#[cfg(feature = "server")]
pub(crate) const BACKLOG: i32 = 4096;
/// A silent peer is asked after this time whether it is still there,
const KEEP_ALIVE: Duration = Duration::from_secs(60);
/// then as often as this,
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(10);
/// and counts as gone when it left so many without an answer.
const KEEP_ALIVE_COUNT: u32 = 6;
/// How long what was sent may stay unacknowledged before the peer counts as gone.
const UNACKNOWLEDGED_MS: u32 = 120_000;

/// Sends small messages at once, and finds out when the peer is gone.
pub(crate) fn set_for_messages(socket: &OwnedFd) {
    // Each is only for the better.
    let _unsupported = sockopt::set_tcp_nodelay(socket, true);
    let _unsupported = sockopt::set_socket_keepalive(socket, true);
    let _unsupported = sockopt::set_tcp_keepidle(socket, KEEP_ALIVE);
    let _unsupported = sockopt::set_tcp_keepintvl(socket, KEEP_ALIVE_INTERVAL);
    let _unsupported = sockopt::set_tcp_keepcnt(socket, KEEP_ALIVE_COUNT);
    limit_unacknowledged(socket, UNACKNOWLEDGED_MS);
}

/// Why a server could not be reached, with the fix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConnectError {
    /// What went wrong, in a sentence.
    pub message: String,
    /// The system's error number.
    pub errno: Option<i32>,
    /// The time was over.
    pub timed_out: bool,
}

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
pub(crate) struct ListenFailure {
    pub(crate) reason: RefusedFor,
    pub(crate) why: String,
    pub(crate) errno: Option<Errno>,
}

impl ListenFailure {
    pub(crate) fn told(self, address: &SocketAddress) -> ListenRefused {
        ListenRefused {
            message: format!("cannot listen on '{address}': {}", self.why),
            reason: self.reason,
            errno: self.errno.map(Errno::raw_os_error),
        }
    }
}

impl From<Errno> for ListenFailure {
    fn from(errno: Errno) -> ListenFailure {
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
        ListenFailure { reason, why, errno: Some(errno) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_and_written_the_same() {
        for text in [
            "unix:/run/server.sock",
            "unix:relative",
            "unix:/with:colon",
            "unix:@name",
            "tcp:localhost:1",
            "tcp:127.0.0.1:65535",
            "tcp:[::1]:4000",
            "tcp:[fe80::1%eth0]:4000",
        ] {
            let address = SocketAddress::parse(text).expect("an address");
            assert_eq!(address.to_string(), text);
        }
        assert_eq!(
            SocketAddress::parse("tcp:[::1]:4000"),
            Ok(SocketAddress::Tcp { host: "::1".to_owned(), port: 4000 })
        );
    }

    #[test]
    fn port_0_is_for_listening_only() {
        let free = SocketAddress::parse_to_listen("tcp:127.0.0.1:0").expect("an address");
        assert_eq!(free, SocketAddress::Tcp { host: "127.0.0.1".to_owned(), port: 0 });
        let refused = SocketAddress::parse_to_listen("tcp:127.0.0.1:65536").expect_err("no port");
        assert!(refused.contains("from 0 to 65535"), "{refused}");
        assert!(SocketAddress::parse("tcp:127.0.0.1:0").is_err());
    }

    #[test]
    fn an_invalid_address_names_the_fault() {
        let long = format!("unix:/{}", "x".repeat(107));
        for (text, why) in [
            ("/run/server.sock", "begins with neither"),
            ("", "begins with neither"),
            ("http://x", "begins with neither"),
            ("unix:", "the path after"),
            ("unix:@", "the name after"),
            ("unix:~/x", "'~' is not expanded"),
            ("unix:///run/x", "a URL is not accepted"),
            (long.as_str(), "108 bytes"),
            ("unix:/a\0b", "NUL"),
            ("tcp:localhost", "no port"),
            ("tcp::80", "the host before"),
            ("tcp:[]:80", "the host before"),
            ("tcp:::1:80", "brackets"),
            ("tcp://h:80", "a URL is not accepted"),
            ("tcp:h:", "'' is not a valid port"),
            ("tcp:h:0", "'0' is not a valid port"),
            ("tcp:h:65536", "'65536' is not a valid port"),
            ("tcp:h:+80", "'+80' is not a valid port"),
            ("tcp:a b:80", "is not a valid host"),
        ] {
            let refused = SocketAddress::parse(text).expect_err(text);
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }
}
