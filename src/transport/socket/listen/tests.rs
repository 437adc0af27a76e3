use super::*;
use crate::transport::process::forked::{holds_in_child, in_child, run_ignored};
use crate::transport::socket::connect_at_once;
use rustix::fs::OFlags;
use rustix::io::FdFlags;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;

/// A folder of the test's own, which ends with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("mcp-listen-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).expect("removed");
    }
}

fn unix(path: &str) -> SocketAddress {
    SocketAddress::Unix(path.to_owned())
}

fn tcp(host: &str, port: u16) -> SocketAddress {
    SocketAddress::Tcp { host: host.to_owned(), port }
}

fn listener(address: &SocketAddress) -> Listener {
    Listener::bind(address, false).expect("a listener")
}

fn refusal(address: &SocketAddress) -> ListenRefused {
    Listener::bind(address, false).expect_err("refused")
}

fn accepted(listener: &Listener, most: usize) -> (Vec<AcceptedSocket>, AcceptNext) {
    let mut clients = Vec::new();
    let then = listener.accept(most, |client| {
        clients.push(client);
        true
    });
    (clients, then)
}

#[test]
fn a_port_of_the_systems_choice_is_told_and_takes_clients() {
    let listener = listener(&tcp("127.0.0.1", 0));
    let SocketAddress::Tcp { host, port } = listener.address() else { panic!("no port") };
    assert_eq!(host, "127.0.0.1");
    assert_ne!(*port, 0);
    assert_eq!(accepted(&listener, 8).1, AcceptNext::Wait);
    let mut client = TcpStream::connect(("127.0.0.1", *port)).expect("a connection");
    let (clients, then) = accepted(&listener, 8);
    assert_eq!((clients.len(), then), (1, AcceptNext::Wait));
    let accepted = &clients[0];
    assert_eq!(accepted.peer, RemotePeer::Address(client.local_addr().ok()));
    assert_eq!(sockopt::tcp_nodelay(&accepted.fd), Ok(true));
    assert_eq!(sockopt::socket_keepalive(&accepted.fd), Ok(true));
    for fd in [&accepted.fd, listener.fd().expect("open")] {
        assert!(rustix::io::fcntl_getfd(fd).expect("flags").contains(FdFlags::CLOEXEC));
        assert!(rustix::fs::fcntl_getfl(fd).expect("flags").contains(OFlags::NONBLOCK));
    }
    assert_eq!(rustix::io::write(&accepted.fd, b"hello"), Ok(5));
    let mut said = [0; 5];
    client.read_exact(&mut said).expect("what was written");
    assert_eq!(&said, b"hello");
}

#[test]
fn a_turn_accepts_a_bounded_number() {
    let name = format!("mcp-turn-{}", std::process::id());
    let listener = listener(&SocketAddress::Abstract(name));
    let clients: Vec<_> =
        (0..5).map(|_| connect_at_once(listener.address()).expect("reached").expect("at once")).collect();
    let (first, then) = accepted(&listener, 3);
    assert_eq!((first.len(), then), (3, AcceptNext::More));
    let (second, then) = accepted(&listener, 3);
    assert_eq!((second.len(), then), (2, AcceptNext::Wait));
    drop(clients);
}

#[test]
fn the_peer_of_a_unix_socket_is_known() {
    let folder = Folder::new("peer");
    let listener = listener(&unix(&folder.path("s")));
    let _client = UnixStream::connect(folder.path("s")).expect("a connection");
    let (clients, _) = accepted(&listener, 8);
    let RemotePeer::Process(Some(peer)) = clients[0].peer else { panic!("{:?}", clients[0].peer) };
    assert_eq!(peer.user, rustix::process::getuid().as_raw());
    assert_eq!(peer.process, Some(std::process::id()));
}

#[test]
fn only_the_owner_may_connect_and_the_file_goes_with_the_listener() {
    let folder = Folder::new("mode");
    let path = folder.path("s");
    let listener = listener(&unix(&path));
    let about = std::fs::symlink_metadata(&path).expect("the file");
    assert!(about.file_type().is_socket());
    assert_eq!(about.permissions().mode() & 0o7777, 0o600);
    drop(listener);
    assert!(!std::fs::exists(&path).expect("known"));
}

#[test]
fn an_address_in_use_is_told() {
    let folder = Folder::new("use");
    let name = format!("mcp-use-{}", std::process::id());
    for address in [unix(&folder.path("s")), SocketAddress::Abstract(name), tcp("127.0.0.1", 0)] {
        let first = listener(&address);
        let refused = refusal(first.address());
        assert_eq!(
            refused.message,
            format!(
                "cannot listen on '{}': another server listens there; end that one, or choose another address",
                first.address()
            )
        );
        assert_eq!(
            (refused.reason, refused.errno),
            (RefusedFor::InUse, Some(Errno::ADDRINUSE.raw_os_error()))
        );
        let address = first.address().clone();
        if let SocketAddress::Unix(path) = &address {
            UnixStream::connect(path).expect("the first one still listens");
        }
        drop(first);
        drop(listener(&address));
    }
}

#[test]
fn a_port_can_be_used_again_while_old_connections_end() {
    let first = listener(&tcp("127.0.0.1", 0));
    let address = first.address().clone();
    let SocketAddress::Tcp { port, .. } = address else { panic!("no port") };
    let client = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    let (clients, _) = accepted(&first, 1);
    // The server's side ends first and keeps the port for a while (TIME_WAIT).
    drop((clients, first));
    drop(client);
    drop(listener(&address));
}

#[test]
fn a_socket_that_a_server_left_behind_is_replaced() {
    let folder = Folder::new("stale");
    let path = folder.path("s");
    drop(UnixListener::bind(&path).expect("another server's socket"));
    assert!(std::fs::exists(&path).expect("known"));
    let listener = listener(&unix(&path));
    UnixStream::connect(&path).expect("a connection");
    assert_eq!(accepted(&listener, 8).0.len(), 1);
}

#[test]
fn a_server_whose_queue_is_full_still_has_its_socket() {
    let folder = Folder::new("full");
    let path = folder.path("s");
    let other = UnixListener::bind(&path).expect("another server's socket");
    listen(&other, 0).expect("a short queue");
    let mut kept = Vec::new();
    while let Some(socket) = connect_at_once(&unix(&path)).expect("room or none") {
        kept.push(socket);
    }
    assert_eq!(refusal(&unix(&path)).reason, RefusedFor::InUse);
    assert!(std::fs::exists(&path).expect("known"));
}

#[test]
fn files_that_are_no_sockets_of_servers_stay() {
    let folder = Folder::new("other");
    let file = folder.path("file");
    std::fs::write(&file, "important").expect("a file");
    let link = folder.path("link");
    symlink(folder.path("nowhere"), &link).expect("a link");
    for path in [&file, &link] {
        let refused = refusal(&unix(path));
        assert_eq!(refused.reason, RefusedFor::InUse);
        assert!(refused.message.ends_with("it is not a socket; remove it, or choose another path"));
    }
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), "important");
    assert!(std::fs::symlink_metadata(&link).is_ok());
    // Of datagrams: connecting says that it is of the wrong kind, and not whether a program uses it.
    let datagrams = folder.path("datagrams");
    let _other = std::os::unix::net::UnixDatagram::bind(&datagrams).expect("a socket");
    let refused = refusal(&unix(&datagrams));
    assert!(refused.message.contains("whether a server listens on it is unknown"), "{}", refused.message);
    assert!(std::fs::exists(&datagrams).expect("known"));
}

#[test]
fn the_file_of_another_server_is_not_removed() {
    let folder = Folder::new("foreign");
    let path = folder.path("s");
    let listener = listener(&unix(&path));
    std::fs::remove_file(&path).expect("removed");
    let other = UnixListener::bind(&path).expect("another server's socket");
    drop(listener);
    UnixStream::connect(&path).expect("the other one still listens");
    drop(other);
}

#[test]
fn a_path_that_cannot_be_is_told() {
    let folder = Folder::new("path");
    for (path, why) in [
        (folder.path(&"x".repeat(120)), "the path is longer than the 107 bytes that the system allows"),
        (folder.path("none/s"), "/none'; make it, or choose another path"),
        (folder.path("s/"), "the path names no file"),
        (folder.path(".."), "the path names no file"),
        ("/".to_owned(), "the path names no file"),
    ] {
        let refused = refusal(&unix(&path));
        assert!(refused.message.contains(why), "{}", refused.message);
        assert!(refused.message.starts_with(&format!("cannot listen on 'unix:{path}': ")));
    }
}

#[test]
fn other_machines_are_let_in_only_when_allowed() {
    for host in ["0.0.0.0", "::", "::ffff:0.0.0.0"] {
        let refused = refusal(&tcp(host, 0));
        assert_eq!(refused.reason, RefusedFor::NotLoopback);
        assert!(refused.message.contains("other machines can connect to"), "{}", refused.message);
    }
    let open = Listener::bind(&tcp("0.0.0.0", 0), true).expect("a listener");
    assert!(open.address().to_string().starts_with("tcp:0.0.0.0:"));
    // The name has addresses of one or both families, all of this machine.
    drop(listener(&tcp("localhost", 0)));
}

#[test]
fn an_address_of_another_machine_is_told() {
    // Of a range for documentation (RFC 5737).
    let refused = Listener::bind(&tcp("192.0.2.1", 0), true).expect_err("refused");
    assert_eq!(refused.reason, RefusedFor::NoAddress);
    let refused = refusal(&tcp("no such host.invalid", 1));
    assert!(refused.message.contains("could not be looked up"), "{}", refused.message);
}

#[test]
fn a_client_that_is_gone_already_ends_nothing() {
    let listener = listener(&tcp("127.0.0.1", 0));
    let SocketAddress::Tcp { port, .. } = listener.address() else { panic!("no port") };
    for _ in 0..8 {
        let mut client = TcpStream::connect(("127.0.0.1", *port)).expect("a connection");
        client.write_all(b"x").expect("room");
        // Reset, not ended: what was sent to it is thrown away.
        sockopt::set_socket_linger(&client, Some(Duration::ZERO)).expect("set");
    }
    let _living = TcpStream::connect(("127.0.0.1", *port)).expect("a connection");
    let (clients, then) = accepted(&listener, 100);
    assert_eq!(then, AcceptNext::Wait);
    assert!(!clients.is_empty());
}

#[test]
fn listeners_are_tested_in_a_process_of_their_own() {
    run_ignored("transport::socket::listen::");
}

/// Fails the check with what was expected.
macro_rules! expect {
    ($holds:expr) => {
        if !$holds {
            return Err(format!("line {}: {}", line!(), stringify!($holds)));
        }
    };
}

#[test]
#[ignore = "run by listeners_are_tested_in_a_process_of_their_own"]
fn a_child_of_fork_removes_nothing_and_keeps_nothing_open() {
    let folder = Folder::new("fork");
    for address in [unix(&folder.path("s")), tcp("127.0.0.1", 0)] {
        let mut listener = Some(listener(&address));
        let address = listener.as_ref().map(|listener| listener.address().clone()).expect("a listener");
        let reaches = || match &address {
            SocketAddress::Tcp { port, .. } => TcpStream::connect(("127.0.0.1", *port)).is_ok(),
            _ => connect_at_once(&address).is_ok(),
        };
        in_child(|| {
            drop(listener.take());
            expect!(reaches());
            Ok(())
        });
        let listener = listener.take().expect("the parent's");
        assert!(reaches(), "the parent still listens");
        // A copy in a child is open while the parent ends listening.
        let (go, waits) = rustix::pipe::pipe().expect("a pipe");
        let (told, tells) = rustix::pipe::pipe().expect("a pipe");
        std::thread::scope(|scope| {
            let child = scope.spawn(|| {
                holds_in_child(|| {
                    rustix::io::write(&tells, b"x") == Ok(1) && rustix::io::read(&go, &mut [0; 1]) == Ok(1)
                })
            });
            assert_eq!(rustix::io::read(&told, &mut [0; 1]), Ok(1));
            drop(listener);
            assert!(!reaches(), "no copy of it takes clients");
            assert_eq!(rustix::io::write(&waits, b"x"), Ok(1));
            assert!(child.join().expect("no panic"));
        });
    }
}

#[test]
#[ignore = "run by listeners_are_tested_in_a_process_of_their_own"]
fn without_descriptors_clients_wait_and_nothing_spins() {
    in_child(|| {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let text = |errno: Errno| errno.to_string();
        let address = SocketAddress::Abstract(format!("mcp-exhausted-{}", std::process::id()));
        let listener = Listener::bind(&address, false).map_err(|refused| refused.message)?;
        let client = connect_at_once(&address).map_err(|refused| refused.message)?;
        let before = getrlimit(Resource::Nofile);
        setrlimit(Resource::Nofile, Rlimit { current: Some(3), maximum: before.maximum }).map_err(text)?;
        let (clients, then) = accepted(&listener, 8);
        expect!(clients.is_empty() && then == AcceptNext::Pause(EXHAUSTED_WAIT, Errno::MFILE));
        let refused = Listener::bind(&SocketAddress::Abstract("x".to_owned()), false).map(drop);
        setrlimit(Resource::Nofile, before).map_err(text)?;
        expect!(refused.is_err_and(|refused| refused.message.ends_with("no file descriptors are left")));
        expect!(accepted(&listener, 8).0.len() == 1);
        drop(client);
        Ok(())
    });
}

#[test]
#[ignore = "run by listeners_are_tested_in_a_process_of_their_own"]
fn the_file_is_its_owners_whatever_the_umask_and_found_whatever_the_folder() {
    for mask in [0o000, 0o077, 0o777] {
        in_child(|| {
            let folder = Folder::new("umask");
            std::env::set_current_dir(&folder.0).map_err(|error| error.to_string())?;
            rustix::process::umask(rustix::fs::Mode::from_raw_mode(mask));
            let listener = Listener::bind(&unix("relative"), false).map_err(|refused| refused.message)?;
            let path = folder.path("relative");
            let about = std::fs::symlink_metadata(&path).map_err(|error| error.to_string())?;
            expect!(about.permissions().mode() & 0o7777 == 0o600);
            std::env::set_current_dir("/").map_err(|error| error.to_string())?;
            drop(listener);
            expect!(std::fs::exists(&path).is_ok_and(|exists| !exists));
            Ok(())
        });
    }
}

#[test]
#[ignore = "run by listeners_are_tested_in_a_process_of_their_own"]
fn of_servers_that_start_together_on_one_path_one_listens() {
    /// Enough that without the lock of the folder two of them listen in some round.
    const ROUNDS: usize = 400;
    let folder = Folder::new("race");
    let path = folder.path("s");
    for _ in 0..ROUNDS {
        drop(UnixListener::bind(&path).expect("another server's socket"));
        let together = std::sync::Barrier::new(8);
        let listeners: Vec<Listener> = std::thread::scope(|scope| {
            let starts: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        together.wait();
                        Listener::bind(&unix(&path), false).ok()
                    })
                })
                .collect();
            starts.into_iter().filter_map(|start| start.join().expect("no panic")).collect()
        });
        assert_eq!(listeners.len(), 1);
        UnixStream::connect(&path).expect("that one listens");
        assert_eq!(accepted(&listeners[0], 8).0.len(), 8);
    }
}

#[test]
fn the_file_of_a_server_is_not_removed_with_a_folder_that_is_locked() {
    let folder = Folder::new("locked");
    let path = folder.path("s");
    let held = std::fs::File::open(&folder.0).expect("the folder");
    rustix::fs::flock(&held, rustix::fs::FlockOperation::LockExclusive).expect("locked");
    // The wait for the lock is bounded, and then listening continues without it.
    let listener = listener(&unix(&path));
    UnixStream::connect(&path).expect("a connection");
    drop(listener);
    assert!(!std::fs::exists(&path).expect("known"));
}

#[test]
fn a_listener_of_one_user_sends_others_away() {
    let of = |user| RemotePeer::Process(Some(Credentials { user, group: 0, process: None }));
    assert!(is_of_user(&of(7), 7));
    assert!(!is_of_user(&of(8), 7));
    assert!(!is_of_user(&RemotePeer::Process(None), 7), "who is not known is refused");
    assert!(!is_of_user(&RemotePeer::Address(None), 7));
}
