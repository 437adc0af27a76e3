//! HTTP: what it asks of a message, what its answers mean, and the requests themselves.
//!
//! The pure rooms: `header` writes values and says which headers are the library's own; `param` finds the annotations of a
//! tool and writes their headers; `request` puts the headers of a request together; `response` judges an answer;
//! `address` takes a URL apart as far as origins need it, and `redirect` decides with it. The rooms that do I/O, on hyper and
//! tokio (feature `http`): `connect` makes connections, with `socket` and `tls`; `trust` tells why TLS failed and `unreached`
//! why there is no connection; `pool` keeps and drives those without TLS, `shared` has hyper-util keep the others;
//! `client` sends a request, with `heads`, and follows redirects; `body` reads an answer's body, with `decode`.
//!
//! Sessions and streams are kept elsewhere, and so is the choice of what to do about a failure. Pages of the specification
//! are those of 2026-07-28 unless said otherwise.

pub use crate::protocol::address;
pub mod body;
pub mod client;
mod connect;
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
mod socket;
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
