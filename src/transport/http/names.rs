//! Names looked up on a thread of its own each, which is the only way that every system has. It must not know what for.

use crate::transport::plain_text;
use crate::transport::process::per_process::PerProcess;
use crate::transport::process::thread::{self, STACK};
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs as _};
use tokio::sync::{Semaphore, oneshot};

/// The most names that are looked up at a time; others wait for their turn.
const MOST: usize = 64;
static ROOM: PerProcess<Semaphore> = PerProcess::new(|| Semaphore::new(MOST));

/// The addresses of a name.
///
/// # Errors
/// What the system says of the name, or that there is no thread to ask it on.
pub async fn look_up(host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    // These names are this machine (RFC 6761, section 6.3), whatever a name server says: tokens go there over plain http.
    let bare = host.trim_end_matches('.').to_ascii_lowercase();
    if bare == "localhost" || bare.ends_with(".localhost") {
        return Ok(vec![(Ipv4Addr::LOCALHOST, port).into(), (Ipv6Addr::LOCALHOST, port).into()]);
    }
    let room = ROOM.get().acquire().await.map_err(io::Error::other)?;
    let (say, hear) = oneshot::channel();
    let name = host.to_owned();
    let ask = move || {
        let _room = room;
        // No answer is wanted any more where the request was given up.
        let _given_up = say.send((name.as_str(), port).to_socket_addrs().map(Iterator::collect));
    };
    thread::start("libmcp-wait", STACK, ask).map_err(|error| {
        let what = format!("no thread to look the name up: {}", plain_text(&error));
        io::Error::new(error.kind(), what)
    })?;
    hear.await.map_err(io::Error::other)?
}

#[cfg(test)]
mod tests {
    use super::look_up;

    #[test]
    fn a_name_has_addresses_and_nonsense_has_none() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        for name in ["localhost", "LOCALHOST", "api.localhost", "a.b.Localhost."] {
            let found = runtime.block_on(look_up(name, 80)).expect("every machine has it");
            assert!(found.iter().all(|address| address.ip().is_loopback() && address.port() == 80), "{name}");
            assert!(!found.is_empty());
        }
        assert!(runtime.block_on(look_up("no such name", 80)).is_err());
    }
}
