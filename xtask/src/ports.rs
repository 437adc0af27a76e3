//! Ports for servers that must be told theirs before they start.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

/// Below the ports that systems give to connections that go out (from 32768 on with Linux, 49152 elsewhere): none of those can
/// take a port between the look here and the start of its server.
const FIRST: u32 = 10_240;
const COUNT: u32 = 22_000;

/// How many have been given. Two tests at one time get two ports.
static GIVEN: AtomicU32 = AtomicU32::new(0);

/// A port of the loopback interface at which nothing listens, and which this process gives once.
pub fn free_port() -> Result<String, String> {
    // Another run of the tests at the same time begins elsewhere.
    let begin = std::process::id().wrapping_mul(97);
    let mut last = None;
    for _ in 0..COUNT {
        let number = begin.wrapping_add(GIVEN.fetch_add(1, Ordering::Relaxed)) % COUNT + FIRST;
        let port = u16::try_from(number).map_err(|error| format!("{number} is no port: {error}"))?;
        match TcpListener::bind(("127.0.0.1", port)) {
            Ok(_) => return Ok(port.to_string()),
            Err(error) => last = Some(error),
        }
    }
    let why = last.map_or_else(String::new, |error| format!(": {error}"));
    Err(format!("no port from {FIRST} on is free{why}"))
}

#[cfg(test)]
mod tests {
    use super::free_port;
    use std::collections::BTreeSet;
    use std::net::TcpListener;

    #[test]
    fn no_port_is_given_twice_nor_while_it_is_taken() {
        let first: u32 = free_port().expect("a port is free").parse().expect("a number");
        let next = u16::try_from(first + 1).expect("it is below 32768");
        // Another process may have it; then it is not given either.
        let _listens = TcpListener::bind(("127.0.0.1", next));
        let ports: BTreeSet<String> = (0..200).map(|_| free_port().expect("a port is free")).collect();
        assert_eq!(ports.len(), 200);
        assert!(!ports.contains(&next.to_string()) && !ports.contains(&first.to_string()));
    }
}
