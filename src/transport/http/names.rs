//! Names looked up on a thread of the runtime's, which is the only way that every system has. It must not know what for.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs as _};

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
    let name = host.to_owned();
    let ask = move || (name.as_str(), port).to_socket_addrs().map(Iterator::collect);
    // tokio panics when the system makes no thread for it and there is none yet.
    let asked = std::panic::catch_unwind(|| tokio::task::spawn_blocking(ask));
    let asked = asked.map_err(|_| io::Error::new(io::ErrorKind::WouldBlock, NO_THREAD))?;
    asked.await.map_err(io::Error::other)?
}

const NO_THREAD: &str = "no thread to look the name up: resource temporarily unavailable";

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
