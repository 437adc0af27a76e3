//! A URL at which a server serves: `{"url":"http://127.0.0.1:8080/mcp"}`.

pub(crate) use crate::runtime::server::http::{
    HostedExchange, MOST_HEADERS, Notice, Put, RequestParts, Stop,
};

use super::documents::{About, DocumentKeys};
use super::endpoint::{UrlKeys, unbound};
use crate::config::fields::wrong;
use crate::engine::Error;
use crate::protocol::address::Address;
use crate::protocol::{Era, Revision};
use crate::runtime::lock;
use crate::runtime::server::http::{
    Authorization, Documents, EndpointSettings, Hosted, HttpConnections, HttpEndpoint, HttpLimits,
};
use crate::runtime::server::{HttpFront, Serving};
use crate::transport::http_server::connection;
use crate::transport::http_server::guard::Guard;
use crate::transport::socket::SocketAddress;
use crate::transport::socket::listen::Listener;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, Weak};

/// What all URLs of a server have in common.
#[derive(Debug)]
pub(super) struct UrlSettings {
    pub(super) limits: HttpLimits,
    pub(super) revisions: Vec<Revision>,
    /// Whether names of sessions are sealed.
    pub(super) seals: bool,
    /// What the server says of itself, JSON text.
    pub(super) info: String,
    pub(super) depth: usize,
    pub(super) batch: usize,
    #[cfg(feature = "draft")]
    pub(super) draft: crate::protocol::draft::Drafts,
    /// The URLs of HTTP servers of the program.
    pub(super) hosted: Mutex<Vec<Weak<Hosted>>>,
    #[cfg_attr(not(feature = "auth"), expect(dead_code, reason = "without logins the key is refused"))]
    pub(super) authorization: Option<Arc<super::auth::TokenSettings>>,
}

/// One URL, as the application describes it.
#[derive(Debug)]
pub(super) struct UrlEndpoint {
    url: String,
    hosts: Vec<String>,
    origins: Vec<String>,
    sse: Option<String>,
    identity: Option<(String, String)>,
    /// Whether the library accepts connections there; else an HTTP server of the program does.
    listens: bool,
    documents: DocumentKeys,
}

impl UrlEndpoint {
    /// The endpoint of a URL; `None` without a URL.
    ///
    /// # Errors
    /// Which key is wrong.
    pub(super) fn of(keys: UrlKeys) -> Result<Option<UrlEndpoint>, Error> {
        let UrlKeys {
            url,
            hosts,
            origins,
            sse,
            certificate_file: certificate,
            key_file: key,
            listen: listens,
            health,
            metrics,
            card,
        } = keys;
        let documents = DocumentKeys::of(health, metrics, card)?;
        let Some(url) = url else {
            if let Some(key) = documents.given() {
                return Err(wrong(key, "only an endpoint with a \"url\" has it"));
            }
            for (name, is_there) in [
                ("hosts", hosts.is_some()),
                ("origins", origins.is_some()),
                ("sse", sse.is_some()),
                ("certificate_file", certificate.is_some()),
                ("key_file", key.is_some()),
                ("listen", listens.is_some()),
            ] {
                if is_there {
                    return Err(wrong(name, "only an endpoint with a \"url\" has it"));
                }
            }
            return Ok(None);
        };
        let identity = match (certificate, key) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (None, None) => None,
            (Some(_), None) => return Err(wrong("key_file", "a certificate needs its private key")),
            (None, Some(_)) => return Err(wrong("certificate_file", "a private key needs its certificate")),
        };
        let (hosts, origins) = (hosts.unwrap_or_default(), origins.unwrap_or_default());
        for origin in &origins {
            let is_origin = Address::parse(origin).is_ok_and(|it| it.origin().to_string() == *origin);
            if !is_origin {
                let what = format!("'{origin}' is not a valid origin, such as \"https://app.example.com\"");
                return Err(wrong("origins", what));
            }
        }
        Ok(Some(UrlEndpoint {
            url,
            hosts,
            origins,
            sse,
            identity,
            listens: listens.unwrap_or(true),
            documents,
        }))
    }

    /// Serves there. Gives the URL, with the port that the system chose for port 0, and that of HTTP+SSE.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`, naming the key that is wrong; `UNAVAILABLE` when the address is in use; `INTERNAL`.
    pub(super) fn serve(
        self,
        serving: &Arc<Serving>,
        settings: &UrlSettings,
        beyond_loopback: bool,
    ) -> Result<(String, Option<String>), Error> {
        let (address, path, tls) = place_of(&self.url)?;
        if let Some(sse) = &self.sse {
            check_sse(sse, &path, &settings.revisions)?;
        }
        let (sse, length) = (self.sse.clone(), path.len());
        if !self.listens {
            return self.serve_inside(serving, settings, &address, path, tls);
        }
        let identity = match (&self.identity, tls) {
            (Some((certificate, key)), true) => Some(
                connection::tls_config(Path::new(certificate), Path::new(key))
                    .map_err(|why| wrong("certificate_file", why))?,
            ),
            (None, true) => return Err(wrong("certificate_file", "a URL with https needs a certificate")),
            (Some(_), false) => {
                return Err(wrong("certificate_file", "only a URL with https has a certificate"));
            }
            (None, false) => None,
        };
        let listener = Listener::bind(&address, beyond_loopback).map_err(unbound)?;
        let beside_it = listener.beside(&address);
        let mut guard = Guard {
            is_loopback: listener.is_loopback(),
            is_tls: tls,
            hosts: self.hosts,
            origins: self.origins,
        };
        let own = host_of(&address);
        if guard.is_loopback || own.trim_matches(['[', ']']).parse::<IpAddr>().is_err() {
            // Any address of 127.0.0.0/8, and any name that leads here, is in the URL that was given back.
            guard.hosts.push(own);
        }
        let scheme = if tls { "https" } else { "http" };
        let bound = format!("{scheme}://{}{path}", authority_of(listener.address()));
        let about = About { info: &settings.info, revisions: &settings.revisions, url: &bound };
        let documents = self.documents.documents(&path, &about)?;
        let authorization = authorization(settings, &address, listener.address(), &path, tls)?;
        let place = UrlPlace { path, sse: self.sse, guard, documents, authorization };
        let endpoint = settings.endpoint(serving, place);
        let connections: Arc<dyn HttpFront> = Arc::new(HttpConnections::new(endpoint, identity)?);
        let url = serving.add_http(listener, &connections)?;
        if let Some(other) = beside_it {
            // Without it clients find the first.
            let _listens = serving.add_http(other, &connections);
        }
        let beside = sse.map(|sse| format!("{}{sse}", &url[..url.len() - length]));
        Ok((url, beside))
    }
}

/// What one URL has of its own.
struct UrlPlace {
    path: String,
    sse: Option<String>,
    guard: Guard,
    documents: Documents,
    authorization: Option<Arc<Authorization>>,
}

impl UrlEndpoint {
    /// Serves what an HTTP server of the program takes there. Requests must name the host of the URL, or one of `hosts`.
    fn serve_inside(
        self,
        serving: &Arc<Serving>,
        settings: &UrlSettings,
        address: &SocketAddress,
        path: String,
        tls: bool,
    ) -> Result<(String, Option<String>), Error> {
        if self.identity.is_some() {
            let what = "the program's HTTP server has the certificate: \"listen\" is false";
            return Err(wrong("certificate_file", what));
        }
        let host = host_of(address);
        let is_loopback = host.eq_ignore_ascii_case("localhost")
            || host.trim_matches(['[', ']']).parse().is_ok_and(|address: IpAddr| address.is_loopback());
        let mut guard = Guard { is_loopback, is_tls: tls, hosts: self.hosts, origins: self.origins };
        guard.hosts.push(host);
        let mut hosted = lock(&settings.hosted);
        hosted.retain(|hosted| hosted.strong_count() > 0);
        if hosted.iter().filter_map(Weak::upgrade).any(|other| other.has_path(&path)) {
            return Err(wrong("url", format!("the path '{path}' is served already")));
        }
        let beside =
            self.sse.as_ref().map(|sse| format!("{}{sse}", &self.url[..self.url.len() - path.len()]));
        let about = About { info: &settings.info, revisions: &settings.revisions, url: &self.url };
        let documents = self.documents.documents(&path, &about)?;
        let authorization = authorization(settings, address, address, &path, tls)?;
        let place = UrlPlace { path, sse: self.sse, guard, documents, authorization };
        let front = Hosted::new(settings.endpoint(serving, place), self.url.clone())?;
        hosted.push(Arc::downgrade(&front));
        drop(hosted);
        serving.add_hosted(front)?;
        Ok((self.url, beside))
    }
}

impl UrlSettings {
    fn endpoint(&self, serving: &Arc<Serving>, place: UrlPlace) -> Arc<HttpEndpoint> {
        let UrlPlace { path, sse, guard, documents, authorization } = place;
        HttpEndpoint::new(
            serving,
            EndpointSettings {
                path,
                sse,
                guard,
                limits: self.limits.clone(),
                seals: self.seals,
                revisions: self.revisions.clone(),
                depth: self.depth,
                batch: self.batch,
                #[cfg(feature = "draft")]
                draft: self.draft,
                documents,
                authorization,
            },
        )
    }
}

impl UrlSettings {
    /// The endpoint of a path inside an HTTP server of the program; another one where none has it, which refuses it.
    pub(super) fn hosted_at(&self, path: &str) -> Option<Arc<Hosted>> {
        let all: Vec<Arc<Hosted>> = lock(&self.hosted).iter().filter_map(Weak::upgrade).collect();
        all.iter().find(|hosted| hosted.has_path(path)).or(all.first()).map(Arc::clone)
    }
}

/// Whether HTTP+SSE can be served at a path beside another.
fn check_sse(sse: &str, path: &str, revisions: &[Revision]) -> Result<(), Error> {
    let bad = |what: &str| Err(wrong("sse", format!("'{sse}' cannot be the path of HTTP+SSE: {what}")));
    if !sse.starts_with('/') || !sse.bytes().all(|byte| byte.is_ascii_graphic() && !b"?#\"<>".contains(&byte))
    {
        return bad("it must be a path such as \"/sse\"");
    }
    if sse == path {
        return bad("it is that of \"url\", and must be another");
    }
    if revisions.iter().all(|revision| revision.era() == Era::Modern) {
        return bad("the server speaks no revision of the legacy era ('protocol')");
    }
    Ok(())
}

/// The host and the port of an address, as a URL has them.
fn authority_of(address: &SocketAddress) -> String {
    match address {
        SocketAddress::Tcp { port, .. } => format!("{}:{port}", host_of(address)),
        other => other.to_string(),
    }
}

/// What checks tokens for one URL.
#[cfg(feature = "auth")]
fn authorization(
    settings: &UrlSettings,
    wanted: &SocketAddress,
    bound: &SocketAddress,
    path: &str,
    tls: bool,
) -> Result<Option<Arc<Authorization>>, Error> {
    let Some(auth) = &settings.authorization else { return Ok(None) };
    let port = match bound {
        SocketAddress::Tcp { port, .. } => format!(":{port}"),
        _ => String::new(),
    };
    let scheme = if tls { "https" } else { "http" };
    let url = format!("{scheme}://{}{port}{path}", host_of(wanted));
    Authorization::new(auth, &url, path).map(Some).map_err(|why| wrong("auth.resource", why))
}

/// What checks tokens: this build has nothing that does.
#[cfg(not(feature = "auth"))]
#[expect(clippy::unnecessary_wraps, reason = "the same function as with authorization")]
fn authorization(
    _: &UrlSettings,
    _: &SocketAddress,
    _: &SocketAddress,
    _: &str,
    _: bool,
) -> Result<Option<Arc<Authorization>>, Error> {
    Ok(None)
}

/// The host of an address, as a URL has it.
fn host_of(address: &SocketAddress) -> String {
    match address {
        SocketAddress::Tcp { host, .. } if host.contains(':') => format!("[{host}]"),
        SocketAddress::Tcp { host, .. } => host.clone(),
        other => other.to_string(),
    }
}

/// Where a URL leads: the address to listen on, the path, and whether there is TLS.
fn place_of(url: &str) -> Result<(SocketAddress, String, bool), Error> {
    let bad = |why: &dyn std::fmt::Display| wrong("url", format!("'{url}' cannot be served: {why}"));
    // Port 0 has the system choose one, which no address of a server elsewhere has.
    let chosen = url.split_once("://").and_then(|(scheme, rest)| {
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        Some(format!("{scheme}://{}:1{path}", authority.strip_suffix(":0")?))
    });
    let address = Address::parse(chosen.as_deref().unwrap_or(url)).map_err(|why| bad(&why))?;
    let origin = address.origin();
    if address.target().contains('?') {
        return Err(bad(&"it has a query"));
    }
    let port = if chosen.is_some() { 0 } else { origin.port };
    let host = origin.host.trim_start_matches('[').trim_end_matches(']').to_owned();
    Ok((SocketAddress::Tcp { host, port }, address.target().to_owned(), origin.tls))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_says_where_to_listen() {
        for (url, host, port, path, tls) in [
            ("http://127.0.0.1:0/mcp", "127.0.0.1", 0, "/mcp", false),
            ("http://localhost:8080", "localhost", 8080, "/", false),
            ("https://[::1]:0/a/b", "::1", 0, "/a/b", true),
            ("https://example.com/mcp", "example.com", 443, "/mcp", true),
        ] {
            let (address, found, secure) = place_of(url).expect("right");
            assert_eq!(address, SocketAddress::Tcp { host: host.to_owned(), port }, "{url}");
            assert_eq!((found.as_str(), secure), (path, tls), "{url}");
        }
        for url in ["127.0.0.1:80", "ftp://x/", "http://u:p@x/", "http://x/?q", "http://", "http://x:99999/"]
        {
            assert!(place_of(url).is_err(), "{url}");
        }
    }
}
