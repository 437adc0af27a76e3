//! Why no connection came about, in the words of a person who has to do something about it: the address that was tried, and
//! what to check. The texts of hyper and of the system name their own functions and numbers.

use crate::transport::plain_text;
use hyper::Uri;
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
pub(super) enum Target {
    Server,
    Proxy,
}

/// The failure of a connection to this address.
pub(super) fn explain(error: &(dyn Error + 'static), to: &Uri, target: Target) -> BoxError {
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
        (Target::Proxy, ..) => "check 'proxy', or the variables HTTP_PROXY, HTTPS_PROXY and ALL_PROXY",
        (_, Some(_), _) => "check the name, and the network of this machine",
        (_, _, Some(ErrorKind::ConnectionRefused)) => "check host and port, and that the server runs",
        _ => "check the address, the network of this machine, and firewalls in between",
    };
    let whose = if target == Target::Proxy { "the proxy: " } else { "" };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn told(error: &io::Error, to: &str, target: Target) -> String {
        explain(error, &to.parse().expect("a URL"), target).to_string()
    }

    #[test]
    fn each_failure_names_the_address_and_what_to_check() {
        let refused = || io::Error::from(ErrorKind::ConnectionRefused);
        assert_eq!(
            told(&refused(), "https://a.example/x", Target::Server),
            "nothing listens at a.example:443 (connection refused); check host and port, and that the server runs"
        );
        assert_eq!(
            told(&refused(), "http://[::1]:8080/", Target::Proxy),
            "the proxy: nothing listens at [::1]:8080 (connection refused); check 'proxy', or the variables HTTP_PROXY, \
             HTTPS_PROXY and ALL_PROXY"
        );
        let no_address =
            NoAddress::new("a.example", &io::Error::other("failed to lookup address information: no"));
        assert_eq!(
            told(&io::Error::other(no_address), "http://a.example", Target::Server),
            "the name 'a.example' could not be looked up (no); check the name, and the network of this machine"
        );
        for errno in [libc::ETIMEDOUT, libc::EHOSTUNREACH, libc::ENETUNREACH, libc::EMFILE, libc::EACCES] {
            let text = told(&io::Error::from_raw_os_error(errno), "http://10.0.0.1:9", Target::Server);
            assert!(text.contains("10.0.0.1:9") && text.contains("; check "), "{text}");
            assert!(!text.contains("os error"), "{text}");
        }
    }
}
