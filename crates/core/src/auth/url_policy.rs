//! Which URLs may be requested, and where the well-known documents are.
//!
//! A server names the URLs of the next steps. They must be `https`, or `http` on this machine, and must not lead into a
//! network that only we can reach (2026-07-28 `security_best_practices`, "Server-Side Request Forgery").

use super::failure::{Failure, LoginStep, shown};
use crate::protocol::address::{Address, Origin};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What is permitted beyond the usual.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UrlPermissions {
    /// Addresses of private networks.
    pub private: bool,
    /// `http` to other machines.
    pub http: bool,
}

/// Whether a host is this machine: what development uses.
pub fn is_loopback(host: &str) -> bool {
    if host == "localhost" || host.ends_with(".localhost") {
        return true;
    }
    literal(host).is_some_and(|address| address.to_canonical().is_loopback())
}

/// The IP address that a host is, if it is one in the one form that everybody reads alike.
fn literal(host: &str) -> Option<IpAddr> {
    match host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(inner) => inner.parse::<Ipv6Addr>().ok().map(IpAddr::V6),
        None => host.parse::<Ipv4Addr>().ok().map(IpAddr::V4),
    }
}

/// Whether a name would be read as a number by some: `0x7f.1`, `017700000001`, `2130706433` (WHATWG URL, "ends in a
/// number"). Such a host is an address in disguise or nothing.
fn is_disguised(host: &str) -> bool {
    let last = host.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
    let hexadecimal =
        last.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
    let number = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    (number || hexadecimal) && literal(host).is_none()
}

/// Whether an address belongs to this machine or a network of its own, and not to the internet (RFC 6890). A program that
/// looks a name up asks this for what came out, and connects to just that address.
pub fn is_private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => is_private_v4(v4),
        IpAddr::V6(v6) => {
            let [first, second, ..] = v6.segments();
            let inner = match v6.segments() {
                // Addresses that carry one of the fourth version: NAT64, 6to4, and the old compatible form.
                [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0, 0, 0, 0, 0, 0, high, low] => Some((high, low)),
                [0x2002, high, low, ..] => Some((high, low)),
                _ => None,
            };
            let inner = inner.is_some_and(|(high, low)| {
                let [a, b] = high.to_be_bytes();
                let [c, d] = low.to_be_bytes();
                is_private_v4(Ipv4Addr::new(a, b, c, d))
            });
            inner
                || v6.is_loopback()
                || v6.is_unspecified()
                || v6.is_multicast()
                || first & 0xfe00 == 0xfc00
                || first & 0xffc0 == 0xfe80
                || first & 0xffc0 == 0xfec0
                || (first == 0x64 && second == 0xff9b && v6.segments()[2] == 1)
                || (first == 0x2001 && second == 0xdb8)
        }
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_broadcast()
        || address.is_documentation()
        || first == 0
        || first >= 240
        || (first == 100 && (64..128).contains(&second))
        || (first == 192 && second == 0 && third == 0)
        || (first == 198 && (second == 18 || second == 19))
}

/// What a URL of a server's is checked against.
#[derive(Clone, Debug)]
pub(super) struct Policy {
    /// The MCP server, whose own host may be wherever the application says it is.
    server: Origin,
    url_permissions: UrlPermissions,
    /// Whether the MCP server itself is in a private network by its URL: then its authorization server may be, too.
    private: bool,
    /// The same by the address that it was found at.
    found_private: bool,
}

impl Policy {
    pub(super) fn new(server: &Address, url_permissions: UrlPermissions) -> Policy {
        let host = &server.origin().host;
        let private = is_loopback(host) || literal(host).is_some_and(is_private);
        Policy { server: server.origin().clone(), url_permissions, private, found_private: false }
    }

    /// The refusal that a login begins with came from this address. Only that counts, and not what the server's name leads to when
    /// it is looked up: its owner decides that again each time.
    pub(super) fn server_is_at(&mut self, address: Option<IpAddr>) {
        self.found_private = address.is_some_and(is_private);
    }

    /// A login that was made when the server was found in a private network goes on there.
    pub(super) fn goes_on(&mut self, private: bool) {
        self.found_private = private;
    }

    /// Whether private addresses are permitted because of where the server was found.
    pub(super) fn is_found_private(&self) -> bool {
        self.found_private
    }

    /// Whether who connects must refuse private addresses.
    pub(super) fn refuses_private(&self, place: &Address) -> bool {
        !self.url_permissions.private
            && !self.private
            && !self.found_private
            && place.origin().host != self.server.host
    }

    /// Reads a URL of the configuration, which may lead anywhere but must be safe.
    pub(super) fn configured(&self, step: LoginStep, key: &str, url: &str) -> Result<Address, Failure> {
        let own = Policy { private: true, ..self.clone() };
        own.place(step, key, url)
    }

    /// Reads a URL that a server named `what`.
    pub(super) fn place(&self, step: LoginStep, what: &str, url: &str) -> Result<Address, Failure> {
        let failed = |check: &'static str, why: String| {
            Failure::new(step, check, format!("the {what} '{}' cannot be used: {why}", shown(url)))
                .values("an https URL of a public host", url)
        };
        let place = Address::parse(url).map_err(|error| failed("URL", error.to_string()))?;
        let origin = place.origin();
        if !origin.tls && !is_loopback(&origin.host) && !self.url_permissions.http {
            return Err(failed(
                "https",
                "only https is safe, and http only on this machine; 'auth.allow_http' permits it".to_owned(),
            ));
        }
        if is_disguised(&origin.host) {
            return Err(failed(
                "host",
                "its host is a number in a form that not everybody reads alike".to_owned(),
            ));
        }
        let inside = is_loopback(&origin.host) || literal(&origin.host).is_some_and(is_private);
        if inside && self.refuses_private(&place) {
            return Err(failed(
                "public address",
                "it leads to this machine or into a private network, which a server on the internet has no \
                 business in; 'auth.allow_private_addresses' permits it"
                    .to_owned(),
            ));
        }
        Ok(place)
    }
}

/// The path of a target, without the query.
pub(super) fn path(place: &Address) -> &str {
    place.target().split('?').next().unwrap_or_default()
}

/// The URL of the MCP server as tokens are asked for it where it publishes none itself: no fragment, no query (which may
/// hold a key), no slash that was not written (2026-07-28 `basic/authorization`, "Canonical Server URI").
pub(super) fn canonical(server: &Address) -> String {
    let path = path(server);
    if path == "/" { server.origin().to_string() } else { format!("{}{path}", server.origin()) }
}

/// Where the metadata of the protected resource may be (RFC 9728, section 3.1): with the path inserted, without its last
/// slash, and at the root.
pub(super) fn resource_documents(server: &Address) -> Vec<String> {
    let root = format!("{}/.well-known/oauth-protected-resource", server.origin());
    let path = path(server);
    let short = path.trim_end_matches('/');
    let mut urls = Vec::new();
    if path != "/" {
        urls.push(format!("{root}{path}"));
    }
    if !short.is_empty() && short != path {
        urls.push(format!("{root}{short}"));
    }
    urls.push(root);
    urls
}

/// Where the metadata of an authorization server may be (2026-07-28 `basic/authorization`, "Authorization Server Metadata
/// Discovery"), in this order; last where no specification has it, and many servers below a path have it all the same.
pub(super) fn server_documents(issuer: &Address) -> Vec<String> {
    let origin = issuer.origin();
    let path = path(issuer).trim_end_matches('/');
    let mut urls = vec![
        format!("{origin}/.well-known/oauth-authorization-server{path}"),
        format!("{origin}/.well-known/openid-configuration{path}"),
    ];
    if !path.is_empty() {
        urls.push(format!("{origin}{path}/.well-known/openid-configuration"));
        urls.push(format!("{origin}{path}/.well-known/oauth-authorization-server"));
    }
    urls
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(url: &str) -> Address {
        Address::parse(url).expect("an address")
    }

    fn policy(server: &str) -> Policy {
        Policy::new(&address(server), UrlPermissions::default())
    }

    #[test]
    fn only_https_or_this_machine_is_asked() {
        let check = |server: &str, url: &str| {
            policy(server)
                .place(LoginStep::ServerMetadata, "issuer", url)
                .map(drop)
                .map_err(|error| error.check)
        };
        for (server, url, found) in [
            ("https://mcp.example/mcp", "https://as.example/", Ok(())),
            ("https://mcp.example/mcp", "http://as.example/", Err("https")),
            ("https://mcp.example/mcp", "javascript:alert(1)", Err("URL")),
            ("https://mcp.example/mcp", "https://user@as.example/", Err("URL")),
            ("https://mcp.example/mcp", "http://127.0.0.1/", Err("public address")),
            ("https://mcp.example/mcp", "https://localhost/", Err("public address")),
            ("https://mcp.example/mcp", "https://api.localhost/", Err("public address")),
            ("https://mcp.example/mcp", "https://10.0.0.1/", Err("public address")),
            ("https://mcp.example/mcp", "https://169.254.169.254/latest", Err("public address")),
            ("https://mcp.example/mcp", "https://[::1]/", Err("public address")),
            ("https://mcp.example/mcp", "https://[::ffff:10.0.0.1]/", Err("public address")),
            ("https://mcp.example/mcp", "https://[fd00::1]/", Err("public address")),
            ("https://mcp.example/mcp", "https://0x7f.1/", Err("host")),
            ("https://mcp.example/mcp", "https://2130706433/", Err("host")),
            ("https://mcp.example/mcp", "https://0177.0.0.1/", Err("host")),
            ("https://mcp.example/mcp", "https://127.1/", Err("host")),
            ("http://127.0.0.1:8080/mcp", "http://localhost:9000/", Ok(())),
            ("http://127.0.0.1:8080/mcp", "http://as.localhost:9000/", Ok(())),
            ("http://127.0.0.1:8080/mcp", "http://10.0.0.1/", Err("https")),
            ("https://10.0.0.1/mcp", "https://10.0.0.2/", Ok(())),
        ] {
            assert_eq!(check(server, url), found, "{url} named by {server}");
        }
    }

    #[test]
    fn what_may_be_private_depends_on_where_the_server_is_and_what_was_configured() {
        let place = address("https://as.example/");
        let mut usual = policy("https://mcp.example/");
        assert!(usual.refuses_private(&place));
        assert!(!usual.refuses_private(&address("https://mcp.example/x")));
        usual.server_is_at("8.8.8.8".parse().ok());
        assert!(usual.refuses_private(&place));
        usual.server_is_at("192.168.1.5".parse().ok());
        assert!(!usual.refuses_private(&place));
        usual.server_is_at(None);
        assert!(usual.refuses_private(&place), "only the newest answer counts");
        let free =
            Policy::new(&address("https://mcp.example/"), UrlPermissions { private: true, http: true });
        assert!(!free.refuses_private(&place));
        assert!(free.place(LoginStep::Token, "endpoint", "http://10.0.0.1/").is_ok());
    }

    #[test]
    fn private_networks_are_known() {
        for address in [
            "10.1.2.3",
            "172.16.0.1",
            "192.168.0.1",
            "127.0.0.2",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "255.255.255.255",
            "198.18.0.1",
            "192.0.0.1",
            "240.0.0.1",
            "224.0.0.1",
            "::1",
            "::",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "::7f00:1",
            "2001:db8::1",
        ] {
            assert!(is_private(address.parse().expect("an address")), "{address}");
        }
        for address in ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "64:ff9b::808:808"] {
            assert!(!is_private(address.parse().expect("an address")), "{address}");
        }
    }

    #[test]
    fn well_known_documents_are_looked_for_in_order() {
        let resource = |url: &str| resource_documents(&address(url));
        let root = "https://a.example/.well-known/oauth-protected-resource";
        assert_eq!(resource("https://a.example"), [root]);
        assert_eq!(resource("https://a.example/mcp?key=1"), [format!("{root}/mcp"), root.to_owned()]);
        assert_eq!(
            resource("https://a.example/x/"),
            [format!("{root}/x/"), format!("{root}/x"), root.to_owned()]
        );
        let server = |url: &str| server_documents(&address(url));
        assert_eq!(
            server("https://a.example/"),
            [
                "https://a.example/.well-known/oauth-authorization-server",
                "https://a.example/.well-known/openid-configuration",
            ]
        );
        assert_eq!(
            server("https://a.example/tenant1"),
            [
                "https://a.example/.well-known/oauth-authorization-server/tenant1",
                "https://a.example/.well-known/openid-configuration/tenant1",
                "https://a.example/tenant1/.well-known/openid-configuration",
                "https://a.example/tenant1/.well-known/oauth-authorization-server",
            ]
        );
    }

    #[test]
    fn the_canonical_name_has_no_slash_query_or_fragment_of_its_own() {
        for (url, name) in [
            ("HTTPS://A.Example:443/", "https://a.example"),
            ("https://a.example/mcp?key=1#x", "https://a.example/mcp"),
            ("https://a.example/mcp/", "https://a.example/mcp/"),
        ] {
            assert_eq!(canonical(&address(url)), name);
        }
    }
}
