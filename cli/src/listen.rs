//! Where `bridge` and `serve` offer what they have: standard streams, URLs, sockets.

use crate::arguments::{Format, Listen};
use crate::failure::Failure;
use crate::folders;
use crate::output::{Screen, one_line};
use mcp::client::Queue;
use mcp::server::Server;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Whether the program was asked to end.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// Begins to serve, and says where: at the addresses that are given, or on the standard streams.
pub fn serve(screen: Screen, server: &Server, listen: &Listen) -> Result<(), Failure> {
    if listen.addresses.is_empty() {
        server.serve("{\"stdio\":true}")?;
        return Ok(());
    }
    let mut bound = Vec::new();
    for address in &listen.addresses {
        let endpoint = endpoint(address, listen)?;
        let place: Value = serde_json::from_str(&server.serve(&endpoint.to_string())?).unwrap_or_default();
        let of = |key: &&str| place[*key].as_str().map(str::to_owned);
        bound.extend(["url", "sse", "socket"].iter().filter_map(of));
    }
    match screen.format {
        Format::Json | Format::Yaml => screen.json(&json!({ "listening": bound }).to_string()),
        _ => screen
            .write(bound.iter().map(|place| format!("{}\n", one_line(place))).collect::<Vec<_>>().concat()),
    }
}

/// The most bytes of the file of `--auth`.
const MOST_BYTES: u64 = 1024 * 1024;

/// Who may use the server over HTTP, as the library takes it; `None` without `--auth`: then everybody who reaches it.
pub fn authorization(listen: &Listen) -> Result<Option<Value>, Failure> {
    let Some(path) = &listen.auth else { return Ok(None) };
    let shown = path.display();
    if !listen.addresses.iter().any(|address| is_url(address)) {
        return Err(Failure::usage("--auth is for an address with http or https: sockets need no token"));
    }
    let text = folders::read_given(path, MOST_BYTES)?
        .ok_or_else(|| Failure::usage(format!("--auth {shown}: there is no such file")))?;
    let auth: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::usage(format!("--auth {shown}: it is not valid JSON: {error}")))?;
    if auth["application"] == true {
        return Err(Failure::usage(format!(
            "--auth {shown}: this program decides about no tokens; use jwks_url, jwks or introspection instead of application"
        )));
    }
    Ok(Some(auth))
}

/// Where a URL tells whether it serves: for what looks after processes.
const HEALTH: &str = "/health";

/// Whether a URL is at this path.
fn has_path(url: &str, path: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').is_some_and(|at| rest.get(at..) == Some(path))
}

fn is_url(address: &str) -> bool {
    address.starts_with("http://") || address.starts_with("https://")
}

/// An address to listen at, as the library takes it.
fn endpoint(address: &str, listen: &Listen) -> Result<Value, Failure> {
    let is_url = is_url(address);
    if !is_url && !address.starts_with("unix:") && !address.starts_with("tcp:") {
        return Err(Failure::usage(format!(
            "--listen {address}: an address is http://HOST:PORT/PATH, unix:PATH or tcp:HOST:PORT"
        )));
    }
    if !is_url {
        return Ok(json!({ "socket": address, "beyond_loopback": listen.beyond_loopback }));
    }
    let mut endpoint = json!({
        "url": address,
        "beyond_loopback": listen.beyond_loopback,
        "hosts": listen.hosts,
        "origins": listen.origins,
    });
    if !has_path(address, HEALTH) && listen.sse.as_deref() != Some(HEALTH) {
        endpoint["health"] = HEALTH.into();
    }
    for (key, value) in
        [("sse", &listen.sse), ("certificate_file", &listen.certificate), ("key_file", &listen.key)]
    {
        if let Some(value) = value {
            endpoint[key] = value.as_str().into();
        }
    }
    Ok(endpoint)
}

/// The times of `--drain` and `--notice`, for `timeouts` of a server's configuration. What `--set` says stays.
pub fn end_times(listen: &Listen) -> impl Iterator<Item = (&'static str, Value)> {
    let times = [("drain_ms", listen.drain), ("notice_ms", listen.notice)].into_iter();
    times
        .filter(|(_, time)| !time.is_zero())
        .map(|(key, time)| (key, json!(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))))
}

/// The end of a server that the program was told to end: its requests are answered meanwhile.
#[derive(Debug, Default)]
pub struct Ending {
    /// Closes the server, which takes as long as what is under way may.
    closing: Option<JoinHandle<()>>,
}

impl Ending {
    /// Whether nothing is to be done any more. The first time after a signal the server begins to close, on a thread of its own; `queue` is
    /// woken when it has.
    pub fn is_over(&mut self, server: &Arc<Server>, queue: &Arc<Queue>) -> bool {
        if !STOP.load(Ordering::Relaxed) {
            return false;
        }
        if self.closing.is_none() {
            let (server, queue) = (Arc::clone(server), Arc::clone(queue));
            let close = move || {
                let _flushed = server.close(None);
                queue.wake();
            };
            self.closing = std::thread::Builder::new().name("ending".to_owned()).spawn(close).ok();
        }
        // Without a thread it ends at once.
        self.closing.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Closes the server, unless that has begun; and waits for it. What a client has not read by then it does not get.
    pub fn finish(self, server: &Server) {
        match self.closing {
            Some(closing) => drop(closing.join()),
            None => drop(server.close(None)),
        }
    }
}

/// Ctrl-C and SIGTERM set [`STOP`] and wake the thread that waits for the queue; a second one ends the program.
pub fn watch_signals(queue: &Arc<Queue>) -> Result<(), Failure> {
    let queue = Arc::downgrade(queue);
    let asked = move || {
        if STOP.swap(true, Ordering::Relaxed) {
            crate::group::exit(crate::failure::INTERRUPTED);
        }
        if let Some(queue) = queue.upgrade() {
            queue.wake();
        }
    };
    crate::session::watch_signals(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c36_a_url_tells_its_health_unless_the_server_is_there() {
        for (address, sse, health) in [
            ("http://127.0.0.1:0/mcp", None, Some("/health")),
            ("http://127.0.0.1:0", None, Some("/health")),
            ("http://127.0.0.1:0/health", None, None),
            ("http://127.0.0.1:0/mcp", Some("/health"), None),
            ("unix:/x", None, None),
        ] {
            let listen = Listen { sse: sse.map(str::to_owned), ..Listen::default() };
            let endpoint = endpoint(address, &listen).expect("an address");
            assert_eq!(endpoint["health"].as_str(), health, "{address}");
        }
    }
}
