//! Connecting to a server: never blocking longer than allowed, and cancelled at once when the connection is no longer needed.

use crate::transport::plain_text;
use crate::transport::poller::{Wake, wait_to_write};
use crate::transport::socket::{ConnectError, SocketAddress, set_for_messages};
use crate::transport::system::io::{CONNECTING, stream_socket};
use crate::transport::system::local_socket;
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::{AddressFamily, Shutdown, getpeername, getsockname, shutdown, sockopt};
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::{Duration, Instant};

/// The most addresses of one name that are tried.
const ADDRESSES: usize = 16;
/// Connects if that needs no wait. `None` means that [`connect`] has to be asked, on a thread that may wait.
///
/// # Errors
/// Why the server cannot be reached.
pub fn connect_at_once(address: &SocketAddress) -> Result<Option<OwnedFd>, ConnectError> {
    match address {
        SocketAddress::Tcp { .. } => Ok(None),
        SocketAddress::Unix(_) | SocketAddress::Abstract(_) => local_socket::connect_at_once(address),
    }
}

/// Connects, waiting until `until` at the longest, or until `stop` is set. Looking up a name can neither be bounded nor
/// stopped.
///
/// # Errors
/// Why the server cannot be reached.
pub fn connect(address: &SocketAddress, limit: Duration, stop: &Wake) -> Result<OwnedFd, ConnectError> {
    let until = Instant::now() + limit;
    let SocketAddress::Tcp { host, port } = address else {
        return local_socket::connect(address, limit, until, stop);
    };
    let found = (host.as_str(), *port).to_socket_addrs().map_err(|error| ConnectError {
        message: format!(
            "cannot connect to '{address}': the name '{host}' could not be looked up ({}); correct 'socket', or give \
             the address as numbers",
            plain_text(&error).trim_start_matches("failed to lookup address information: ")
        ),
        errno: error.raw_os_error(),
        timed_out: false,
    })?;
    let addresses: Vec<SocketAddr> = found.take(ADDRESSES).collect();
    let mut tried = Vec::new();
    let mut last = Errno::ADDRNOTAVAIL;
    for (at, to) in addresses.iter().enumerate() {
        // Each gets its share of what is left, so that the first one cannot use up all of it.
        let left = until.saturating_duration_since(Instant::now());
        let share = left / u32::try_from(addresses.len() - at).unwrap_or(1);
        match connect_tcp(*to, Instant::now() + share, stop) {
            Ok(socket) => return Ok(socket),
            Err(errno) => {
                last = errno;
                tried.push((to, reason(errno)));
            }
        }
    }
    let story = match tried.as_slice() {
        [] => format!("the name '{host}' has no address"),
        [(_, reason)] => reason.clone(),
        _ => tried.iter().map(|(to, reason)| format!("{to}: {reason}")).collect::<Vec<_>>().join("; "),
    };
    let timed_out = last == Errno::TIMEDOUT;
    let fix = match last {
        Errno::TIMEDOUT => format!(
            "no connection within {} ms (timeouts.connect_ms): is the address right, and no firewall in between?",
            limit.as_millis()
        ),
        _ => "start the server, or correct 'socket'".to_owned(),
    };
    Err(ConnectError {
        message: format!("cannot connect to '{address}': {story}; {fix}"),
        errno: Some(last.raw_os_error()),
        timed_out,
    })
}

fn reason(errno: Errno) -> String {
    match errno {
        Errno::CONNREFUSED => "nothing listens there".to_owned(),
        Errno::TIMEDOUT => "there was no answer".to_owned(),
        Errno::NETUNREACH | Errno::HOSTUNREACH => "there is no route to that host".to_owned(),
        other => plain_text(&other.into()),
    }
}

fn connect_tcp(to: SocketAddr, until: Instant, stop: &Wake) -> Result<OwnedFd, Errno> {
    let family = if to.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let socket = stream_socket(family)?;
    match rustix::net::connect(&socket, &to) {
        Ok(()) => {}
        Err(CONNECTING | Errno::INTR) => loop {
            let left = until.saturating_duration_since(Instant::now());
            let found = wait_to_write(socket.as_fd(), stop, Some(left));
            if found.woken {
                return Err(Errno::CANCELED);
            }
            if found.ready {
                sockopt::socket_error(&socket)??;
                break;
            }
            if left.is_zero() {
                return Err(Errno::TIMEDOUT);
            }
        },
        Err(errno) => return Err(errno),
    }
    if getpeername(&socket)? == Some(getsockname(&socket)?) {
        // Where nothing listens, a port of this machine may be given to this very socket, which then meets itself.
        return Err(Errno::CONNREFUSED);
    }
    set_for_messages(&socket);
    Ok(socket)
}

/// Tells the server that nothing more comes. Closing would not do, while a copy that the host made by forking is open.
pub fn end_output(socket: impl AsFd) {
    // Fails only where the other side is gone.
    let _gone = shutdown(socket, Shutdown::Write);
}

/// Ends the connection in both directions, although other processes may have copies of it.
pub fn end_both(socket: impl AsFd) {
    // As above.
    let _gone = shutdown(socket, Shutdown::Both);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn tcp(port: u16) -> SocketAddress {
        SocketAddress::Tcp { host: "127.0.0.1".to_owned(), port }
    }

    #[test]
    fn a_listening_port_is_reached_and_a_closed_one_names_the_fix() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("its number").port();
        let stop = Wake::new().expect("a wake");
        let socket = connect(&tcp(port), Duration::from_secs(5), &stop).expect("a connection");
        assert_eq!(sockopt::tcp_nodelay(&socket), Ok(true));
        assert_eq!(sockopt::socket_keepalive(&socket), Ok(true));
        #[cfg(all(test, unix))]
        assert!(
            rustix::io::fcntl_getfd(&socket).is_ok_and(|flags| flags.contains(rustix::io::FdFlags::CLOEXEC))
        );
        drop(listener);
        let refused = connect(&tcp(port), Duration::from_secs(5), &stop).expect_err("nothing listens");
        assert_eq!(
            refused.message,
            format!(
                "cannot connect to 'tcp:127.0.0.1:{port}': nothing listens there; start the server, or correct 'socket'"
            )
        );
        assert!(!refused.timed_out);
    }

    #[test]
    fn several_addresses_are_tried_in_turn() {
        // A name of both families; where it has one only, that is the one that answers.
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("its number").port();
        let stop = Wake::new().expect("a wake");
        let address = SocketAddress::Tcp { host: "localhost".to_owned(), port };
        connect(&address, Duration::from_secs(5), &stop).expect("a connection");
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        let stop = Wake::new().expect("a wake");
        let address = SocketAddress::Tcp { host: "no such host.invalid".to_owned(), port: 1 };
        let refused = connect(&address, Duration::from_secs(5), &stop).expect_err("no such name");
        assert!(refused.message.contains("could not be looked up"), "{}", refused.message);
    }

    #[test]
    fn a_socket_is_never_connected_to_itself() {
        // Every port of this machine that is free now: none may turn out to be connected to itself.
        let stop = Wake::new().expect("a wake");
        let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("its number").port();
        for _ in 0..200 {
            assert!(connect(&tcp(free), Duration::from_secs(5), &stop).is_err());
        }
    }

    #[cfg(all(test, unix))]
    #[test]
    fn a_full_unix_queue_is_waited_for_within_the_bound_and_can_be_stopped() {
        use crate::transport::system::io::abstract_address;
        use rustix::net::{bind, listen};
        let name = format!("mcp-reach-{}", std::process::id());
        let server = stream_socket(AddressFamily::UNIX).expect("a socket");
        bind(&server, &abstract_address(&name).expect("a name")).expect("bound");
        listen(&server, 0).expect("listening");
        let address = SocketAddress::Abstract(name);
        let mut kept = Vec::new();
        while let Some(socket) = connect_at_once(&address).expect("room or none") {
            kept.push(socket);
            assert!(kept.len() < 1000, "the queue is never full");
        }
        let stop = Wake::new().expect("a wake");
        let limit = Duration::from_millis(60);
        let begun = Instant::now();
        let refused = connect(&address, limit, &stop).expect_err("a full queue");
        assert!(
            refused.timed_out && refused.message.contains("stayed full for 60 ms"),
            "{}",
            refused.message
        );
        assert!(begun.elapsed() >= limit);
        stop.set();
        let begun = Instant::now();
        assert!(connect(&address, Duration::from_secs(60), &stop).is_err());
        assert!(begun.elapsed() < Duration::from_secs(30));
        drop(server);
        let refused = connect_at_once(&address).expect_err("nothing listens");
        assert!(refused.message.ends_with("nothing listens there; start the server, or correct 'socket'"));
        assert!(connect_at_once(&SocketAddress::Unix("/nowhere/at/all".to_owned())).is_err());
    }
}
