//! Where a server listens, as a configuration names it: `unix:/path`, `unix:@name` or `tcp:host:port`.

use super::system::PATH_BYTES;
use std::fmt;

/// Where a server listens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SocketAddress {
    /// A Unix socket in the file system.
    Unix(String),
    /// A Unix socket with a name of its own (Linux's abstract names).
    Abstract(String),
    /// A host, by name or by number, and a port.
    Tcp {
        /// The host; an IPv6 address without its brackets.
        host: String,
        /// The port.
        port: u16,
    },
}

impl SocketAddress {
    /// Reads the address of a server to connect to.
    ///
    /// # Errors
    /// What is wrong with it, and what would be right.
    pub fn parse(text: &str) -> Result<SocketAddress, String> {
        SocketAddress::with_port_from(text, 1)
    }

    /// Reads an address to listen on, where port 0 lets the system choose one.
    ///
    /// # Errors
    /// As for [`SocketAddress::parse`].
    #[cfg(any(feature = "server", test))]
    pub fn parse_to_listen(text: &str) -> Result<SocketAddress, String> {
        SocketAddress::with_port_from(text, 0)
    }

    fn with_port_from(text: &str, lowest_port: u16) -> Result<SocketAddress, String> {
        if text.contains('\0') {
            return Err("it contains a NUL character".to_owned());
        }
        match text.split_once(':') {
            Some(("unix", rest)) => unix(rest),
            Some(("tcp", rest)) => tcp(rest, lowest_port),
            _ => {
                Err("it begins with neither \"unix:\" nor \"tcp:\"; write \"unix:/path\", \"unix:@name\" or \
                      \"tcp:host:port\""
                    .to_owned())
            }
        }
    }
}

fn unix(rest: &str) -> Result<SocketAddress, String> {
    let name = rest.strip_prefix('@');
    let length = rest.len();
    if length > PATH_BYTES {
        return Err(format!("it has {length} bytes after \"unix:\", and the system allows {PATH_BYTES}"));
    }
    match name {
        Some("") => Err("no name stands after \"unix:@\"".to_owned()),
        Some(name) => Ok(SocketAddress::Abstract(name.to_owned())),
        None if rest.is_empty() => Err("no path stands after \"unix:\"".to_owned()),
        None if rest.starts_with("~/") => Err("'~' is not expanded; write the whole path".to_owned()),
        None if rest.starts_with("//") => {
            Err("it is no URL; write \"unix:\" and the path, such as \"unix:/run/server.sock\"".to_owned())
        }
        None => Ok(SocketAddress::Unix(rest.to_owned())),
    }
}

fn tcp(rest: &str, lowest_port: u16) -> Result<SocketAddress, String> {
    if rest.starts_with("//") {
        return Err("it is no URL; write \"tcp:host:port\"".to_owned());
    }
    let Some((host, port)) = rest.rsplit_once(':') else {
        return Err("it has no port; write \"tcp:host:port\"".to_owned());
    };
    let inside = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    if inside.is_none() && host.contains(':') {
        return Err("an IPv6 address stands in brackets, such as \"tcp:[::1]:4000\"".to_owned());
    }
    let host = inside.unwrap_or(host);
    if host.is_empty() {
        return Err("no host stands before the port; write \"tcp:host:port\"".to_owned());
    }
    if host.contains(char::is_whitespace) {
        return Err(format!("'{host}' is no host"));
    }
    match port.parse::<u16>() {
        Ok(number) if number >= lowest_port && port.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(SocketAddress::Tcp { host: host.to_owned(), port: number })
        }
        _ => Err(format!("'{port}' is no port, which is a number from {lowest_port} to 65535")),
    }
}

impl fmt::Display for SocketAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SocketAddress::Unix(path) => write!(f, "unix:{path}"),
            SocketAddress::Abstract(name) => write!(f, "unix:@{name}"),
            SocketAddress::Tcp { host, port } if host.contains(':') => write!(f, "tcp:[{host}]:{port}"),
            SocketAddress::Tcp { host, port } => write!(f, "tcp:{host}:{port}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_and_written_the_same() {
        for text in [
            "unix:/run/server.sock",
            "unix:relative",
            "unix:/with:colon",
            "unix:@name",
            "tcp:localhost:1",
            "tcp:127.0.0.1:65535",
            "tcp:[::1]:4000",
            "tcp:[fe80::1%eth0]:4000",
        ] {
            let address = SocketAddress::parse(text).expect("an address");
            assert_eq!(address.to_string(), text);
        }
        assert_eq!(
            SocketAddress::parse("tcp:[::1]:4000"),
            Ok(SocketAddress::Tcp { host: "::1".to_owned(), port: 4000 })
        );
    }

    #[test]
    fn port_0_is_for_listening_only() {
        let free = SocketAddress::parse_to_listen("tcp:127.0.0.1:0").expect("an address");
        assert_eq!(free, SocketAddress::Tcp { host: "127.0.0.1".to_owned(), port: 0 });
        let refused = SocketAddress::parse_to_listen("tcp:127.0.0.1:65536").expect_err("no port");
        assert!(refused.contains("from 0 to 65535"), "{refused}");
        assert!(SocketAddress::parse("tcp:127.0.0.1:0").is_err());
    }

    #[test]
    fn what_is_none_says_why() {
        let long = format!("unix:/{}", "x".repeat(107));
        for (text, why) in [
            ("/run/server.sock", "begins with neither"),
            ("", "begins with neither"),
            ("http://x", "begins with neither"),
            ("unix:", "no path"),
            ("unix:@", "no name"),
            ("unix:~/x", "'~' is not expanded"),
            ("unix:///run/x", "it is no URL"),
            (long.as_str(), "108 bytes"),
            ("unix:/a\0b", "NUL"),
            ("tcp:localhost", "no port"),
            ("tcp::80", "no host"),
            ("tcp:[]:80", "no host"),
            ("tcp:::1:80", "brackets"),
            ("tcp://h:80", "it is no URL"),
            ("tcp:h:", "'' is no port"),
            ("tcp:h:0", "'0' is no port"),
            ("tcp:h:65536", "'65536' is no port"),
            ("tcp:h:+80", "'+80' is no port"),
            ("tcp:a b:80", "is no host"),
        ] {
            let refused = SocketAddress::parse(text).expect_err(text);
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }
}
