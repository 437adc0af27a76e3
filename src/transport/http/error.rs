//! Why a request has no connection or no answer, in the words of a person who has to do something about it. The texts of hyper and of the
//! system name their own functions and numbers.

use crate::transport::http::tls;
use crate::transport::http::tls::TlsError;
use crate::transport::plain_text;
use hyper::Uri;
use hyper_util::client::legacy;
use std::error::Error;
use std::io::{self, ErrorKind};

pub(super) type BoxError = Box<dyn Error + Send + Sync>;

/// A name that could not be looked up.
#[derive(Debug, thiserror::Error)]
#[error("the name '{name}' could not be looked up ({why})")]
pub(super) struct NoAddress {
    name: String,
    why: String,
}

impl NoAddress {
    pub(super) fn new(name: &str, why: &io::Error) -> NoAddress {
        let why = plain_text(why);
        let why = why.trim_start_matches("failed to lookup address information: ").to_owned();
        NoAddress { name: name.to_owned(), why }
    }
}

/// Why no connection came about.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Unreached(pub(super) String);

/// What is at the other end of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ConnectTarget {
    Server,
    Proxy,
}

/// The failure of a connection to this address.
pub(super) fn explain(error: &(dyn Error + 'static), to: &Uri, target: ConnectTarget) -> BoxError {
    let port = to.port_u16().unwrap_or(if to.scheme_str() == Some("https") { 443 } else { 80 });
    let at = format!("{}:{port}", to.host().unwrap_or("?"));
    let lookup = find::<NoAddress>(error);
    let system = find::<io::Error>(error);
    let what = match (lookup, system.map(io::Error::kind)) {
        (Some(lookup), _) => lookup.to_string(),
        (None, Some(ErrorKind::ConnectionRefused)) => format!("nothing listens at {at} (connection refused)"),
        (None, Some(ErrorKind::TimedOut)) => format!("{at} does not answer"),
        (None, Some(ErrorKind::NetworkUnreachable | ErrorKind::HostUnreachable)) => {
            format!("there is no route to {at}")
        }
        _ => format!("no connection to {at}: {}", system.map_or_else(|| error.to_string(), plain_text)),
    };
    let check = match (target, lookup, system.map(io::Error::kind)) {
        (ConnectTarget::Proxy, ..) => "check 'proxy', or the variables HTTP_PROXY, HTTPS_PROXY and ALL_PROXY",
        (_, Some(_), _) => "check the name, and the network of this machine",
        (_, _, Some(ErrorKind::ConnectionRefused)) => "check host and port, and that the server runs",
        _ => "check the address, the network of this machine, and firewalls in between",
    };
    let whose = if target == ConnectTarget::Proxy { "the proxy: " } else { "" };
    Box::new(Unreached(format!("{whose}{what}; {check}")))
}

/// The failure of a connection to this Unix socket.
pub(super) fn explain_socket(error: &io::Error, path: &str) -> BoxError {
    let what = match error.kind() {
        ErrorKind::NotFound => format!("there is no socket '{path}'"),
        ErrorKind::ConnectionRefused => {
            format!("nothing listens at the socket '{path}' (connection refused)")
        }
        _ => format!("no connection to the socket '{path}': {}", plain_text(error)),
    };
    Box::new(Unreached(format!("{what}; check 'unix_socket', and that the server runs")))
}

/// The first error of a kind among an error and what led to it.
pub(super) fn find<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(found) = cause.downcast_ref() {
            return Some(found);
        }
        // What an `io::Error` was made of is not among its sources.
        let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if let Some(found) = inner.and_then(|inner| inner.downcast_ref()) {
            return Some(found);
        }
        next = cause.source();
    }
    None
}

/// The least that hyper takes as the size of its buffer.
pub(super) const LEAST_BUFFER: usize = 8192;
/// Headers of one answer: as many as hyper has room for without asking for memory.
pub(super) const MOST_HEADERS: usize = 100;
/// Why no answer was received.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unanswered {
    /// No connection could be made: nothing was sent.
    Unreachable(String),
    /// There is a server, but TLS with it did not come about.
    Untrusted(TlsError),
    /// The connection was lost before the head of the answer came.
    Lost(String),
    /// The request cannot be sent as it is, or its answer not be taken.
    Unusable(String),
    /// The head of the answer is over its bound.
    TooLarge(HeadBounds),
}

impl Unanswered {
    /// The same where the request went out before, on a connection that was lost.
    pub(super) fn after_a_try(self) -> Unanswered {
        match self {
            Unanswered::Unreachable(why) => Unanswered::Lost(why),
            Unanswered::Untrusted(distrust) => Unanswered::Lost(distrust.why),
            other => other,
        }
    }
}

/// What the head of an answer may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeadBounds {
    /// Bytes.
    pub bytes: usize,
    /// Headers.
    pub headers: usize,
}

/// What an answer's head may have where it may have so many bytes.
pub(super) fn head_bounds(bytes: usize) -> HeadBounds {
    HeadBounds { bytes, headers: MOST_HEADERS }
}

/// Whether the head of the answer was over its bound. hyper has a function for that in servers only; its text is the same in
/// clients, and a test notices if it changes.
pub(super) fn too_large(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(cause) = next {
        let error = cause.downcast_ref::<hyper::Error>();
        if error.is_some_and(|error| error.is_parse() && error.to_string() == "message head is too large") {
            return true;
        }
        next = cause.source();
    }
    false
}

pub(super) fn unanswered(error: &legacy::Error) -> Unanswered {
    if let Some(why) = tls::find(error)
        && (error.is_connect() || why.is_about_the_client())
    {
        return Unanswered::Untrusted(why);
    }
    // The outermost only says which step it was.
    let why = std::error::Error::source(error).map_or_else(|| error.to_string(), error_chain);
    if error.is_connect() { Unanswered::Unreachable(why) } else { Unanswered::Lost(why) }
}

/// An error with all that led to it: hyper's own text alone says little.
pub(super) fn error_chain(error: &(dyn std::error::Error + 'static)) -> String {
    if let Some(unreached) = find::<Unreached>(error) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn told(error: &io::Error, to: &str, target: ConnectTarget) -> String {
        explain(error, &to.parse().expect("a URL"), target).to_string()
    }

    #[test]
    fn each_failure_names_the_address_and_what_to_check() {
        let refused = || io::Error::from(ErrorKind::ConnectionRefused);
        assert_eq!(
            told(&refused(), "https://a.example/x", ConnectTarget::Server),
            "nothing listens at a.example:443 (connection refused); check host and port, and that the server runs"
        );
        assert_eq!(
            told(&refused(), "http://[::1]:8080/", ConnectTarget::Proxy),
            "the proxy: nothing listens at [::1]:8080 (connection refused); check 'proxy', or the variables HTTP_PROXY, \
             HTTPS_PROXY and ALL_PROXY"
        );
        let no_address =
            NoAddress::new("a.example", &io::Error::other("failed to lookup address information: no"));
        assert_eq!(
            told(&io::Error::other(no_address), "http://a.example", ConnectTarget::Server),
            "the name 'a.example' could not be looked up (no); check the name, and the network of this machine"
        );
        for errno in [libc::ETIMEDOUT, libc::EHOSTUNREACH, libc::ENETUNREACH, libc::EMFILE, libc::EACCES] {
            let text = told(&io::Error::from_raw_os_error(errno), "http://10.0.0.1:9", ConnectTarget::Server);
            assert!(text.contains("10.0.0.1:9") && text.contains("; check "), "{text}");
            assert!(!text.contains("os error"), "{text}");
        }
    }
}
