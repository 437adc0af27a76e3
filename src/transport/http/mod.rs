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
#[cfg(feature = "http")]
pub mod body;
#[cfg(feature = "http")]
pub mod client;
#[cfg(feature = "http")]
mod confidence;
#[cfg(feature = "http")]
mod connect;
#[cfg(all(feature = "http", not(fuzzing)))]
mod decode;
#[cfg(all(feature = "http", fuzzing))]
pub mod decode;
#[cfg(feature = "auth")]
pub mod fetch;
pub mod header;
#[cfg(feature = "http")]
mod heads;
#[cfg(feature = "http")]
pub mod names;
pub mod param;
#[cfg(feature = "http")]
mod pool;
pub mod redirect;
pub mod request;
pub mod response;
#[cfg(feature = "http")]
pub mod retry_after;
#[cfg(feature = "http")]
pub mod roots;
#[cfg(feature = "http")]
pub mod settings;
#[cfg(feature = "http")]
mod shared;
#[cfg(feature = "http")]
mod socket;
#[cfg(feature = "http")]
mod tls;
#[cfg(feature = "http")]
pub mod trust;
#[cfg(feature = "http")]
pub mod unanswered;
#[cfg(feature = "http")]
mod unreached;

/// An error with all that led to it: hyper's own text alone says little.
#[cfg(feature = "http")]
fn story(error: &(dyn std::error::Error + 'static)) -> String {
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
