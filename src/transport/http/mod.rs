//! HTTP: what it asks of a message, what its answers mean, and the requests themselves.
//!
//! Sessions and streams are kept elsewhere, and so is the choice of what to do about a failure. Pages of the specification
//! are those of 2026-07-28 unless said otherwise.
//!
//! The files:
//!
//! * `client`: `HttpClient`: sends a request to the MCP server and follows redirects; `Received`, the answer
//! * `request`: the headers of a request
//! * `header`: header values, and names that an application may set
//! * `heads`: headers as hyper has them
//! * `cookies`: `Cookies` of the server
//! * `param`: arguments of tools that are sent as headers
//! * `response`: what an answer means
//! * `retry_after`: `Retry-After`
//! * `redirect`: which redirects are followed
//! * `body`: `Body`: reads the body of an answer
//! * `decode`: decompression, bounded
//! * `fetch`: one request to another server (authorization, documents)
//! * `pool`: `Pool`: connections without TLS, kept, and driven by the thread that uses them
//! * `shared`: `Shared`: connections with TLS or a proxy, in hyper-util
//! * `socks`: connections through a SOCKS5 proxy
//! * `connect`: `Connector`, `Dialer`: makes connections: directly, through a proxy, to a Unix socket
//! * `local_stream`: a connection over a Unix socket, where there are such sockets
//! * `socket`: `Socket`: as hyper reads and writes it
//! * `tls`: TLS
//! * `system_roots`: where the system has its certificate authorities
//! * `roots`: `SystemRoots`: the certificate authorities of the system
//! * `names`: look-up of names
//! * `trust`: texts: why TLS failed
//! * `unreached`: texts: why there is no connection
//! * `unanswered`: texts: why a request has no answer; the bounds of its head
//! * `redaction`: `Redaction`: secrets removed from what is shown
//! * `settings`: `HttpSettings`
//! * `simulated`: what stands for the network; compiled for tests only

pub use crate::protocol::address;
pub mod body;
pub mod client;
mod connect;
mod cookies;
#[cfg(not(fuzzing))]
mod decode;
#[cfg(fuzzing)]
pub mod decode;
#[cfg(feature = "auth")]
pub mod fetch;
pub mod header;
mod heads;
pub mod names;
pub mod param;
mod pool;
mod redaction;
pub mod redirect;
pub mod request;
pub mod response;
pub mod retry_after;
pub mod roots;
pub mod settings;
mod shared;
#[cfg(test)]
pub(crate) mod simulated;
mod socket;
mod socks;
mod system_roots;
mod tls;
pub mod trust;
pub mod unanswered;
mod unreached;

/// An error with all that led to it: hyper's own text alone says little.
fn error_chain(error: &(dyn std::error::Error + 'static)) -> String {
    if let Some(unreached) = unreached::find::<unreached::Unreached>(error) {
        return unreached.to_string();
    }
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        // Wrappers often repeat what they wrap.
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = error.source();
    }
    text
}
