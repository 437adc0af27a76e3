//! Requests to one server: headers put together, redirects followed as far as that is safe, connections reused.

use super::cookies::{Cookies, Sent};
use crate::transport::http::address::Address;
use crate::transport::http::body::Body;
use crate::transport::http::connect::Connector;
use crate::transport::http::error::{
    LEAST_BUFFER, MOST_HEADERS, Unanswered, head_bounds, too_large, unanswered,
};
use crate::transport::http::header::{Header, MCP_SESSION_ID, checked};
use crate::transport::http::pool::{Interim, Lease, Pool, Shared, is_lost, was_not_looked_at, was_used};
use crate::transport::http::redirect::Decision;
use crate::transport::http::response::Head;
use crate::transport::http::settings::HttpSettings;
use crate::transport::http::socket::{ReadCounter, RemoteAddr};
use crate::transport::http::{body, header, redirect, response};
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, COOKIE, DATE, HOST, HeaderMap, HeaderName, HeaderValue,
    LOCATION, PROXY_AUTHORIZATION, RETRY_AFTER, USER_AGENT,
};
use hyper::{Method, Request, Uri};
use hyper_util::client::legacy::connect::capture_connection;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::SystemTime;

/// How much of a redirect's body is read so that its connection can be used again.
const DRAINED: usize = 16 * 1024;

/// Where requests go.
#[derive(Clone, Debug)]
pub struct Endpoint(Arc<EndpointParts>);

#[derive(Debug)]
struct EndpointParts {
    address: Address,
    uri: Uri,
    /// Path and query alone, as a request to the server itself names it.
    path: Uri,
}

impl Endpoint {
    /// The endpoint at an address.
    ///
    /// # Errors
    /// Why no request can go there.
    pub fn new(address: Address) -> Result<Endpoint, String> {
        let parsed = |text: &str| {
            text.parse::<Uri>().map_err(|error| format!("'{address}' is no usable URL: {error}"))
        };
        let uri = parsed(&address.to_string())?;
        let path = parsed(uri.path_and_query().map_or("/", |path| path.as_str()))?;
        Ok(Endpoint(Arc::new(EndpointParts { address, uri, path })))
    }

    /// Its address.
    pub fn address(&self) -> &Address {
        &self.0.address
    }
}

/// An answer whose head is there.
pub struct Received {
    /// The status code.
    pub status: u16,
    headers: HeaderMap,
    /// The body, yet to be read.
    pub body: Body,
    /// Where it came from, which is not where it was asked for after a redirect.
    pub from: Endpoint,
    /// Why a redirect was not followed.
    pub refused: Option<String>,
    /// The address that it came from, if that is the server's.
    pub peer: Option<IpAddr>,
    redaction: Redaction,
}

impl Received {
    /// A body as it may be shown: without what the server was sent in confidence and repeats.
    pub fn without_secrets(&self, body: &[u8]) -> Vec<u8> {
        self.redaction.redact(body, self.from.address())
    }

    /// A header's value, if it is one and readable.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// A header's bytes.
    pub fn header_bytes(&self, name: &str) -> Option<&[u8]> {
        self.headers.get(name).map(HeaderValue::as_bytes)
    }

    /// Every value of a header.
    pub fn headers_of(&self, name: &str) -> Vec<String> {
        self.headers.get_all(name).iter().filter_map(|value| value.to_str().ok().map(str::to_owned)).collect()
    }

    /// What its meaning is read from.
    pub fn head(&self, with_session: bool) -> Head<'_> {
        let text = |name: HeaderName| self.headers.get(name).and_then(|value| value.to_str().ok());
        Head {
            status: self.status,
            content_type: text(CONTENT_TYPE),
            retry_after: text(RETRY_AFTER)
                .and_then(|value| response::retry_after(value, text(DATE), SystemTime::now())),
            with_session,
        }
    }
}

/// How connections are come by.
#[derive(Debug)]
enum ConnectionStrategy {
    /// Straight to the server, without TLS.
    Plain(Box<Pool>),
    /// With TLS, which may bring HTTP/2, or through a proxy.
    Other(Box<Shared>),
    /// No connections: what stands for the network.
    #[cfg(test)]
    Simulated(Arc<dyn crate::transport::http::simulated::Network>),
}

/// A client for one server.
#[derive(Debug)]
pub struct HttpClient {
    strategy: ConnectionStrategy,
    base: Arc<HeaderMap>,
    cookies: Option<Cookies>,
    /// The bound of [`Unanswered::TooLarge`].
    header_bytes: usize,
    message_bytes: usize,
}

impl HttpClient {
    /// A client with these settings. Connects to nothing yet.
    ///
    /// # Errors
    /// Why the settings cannot be used.
    pub fn new(settings: &HttpSettings) -> Result<HttpClient, String> {
        let mut base = HeaderMap::new();
        base.insert(USER_AGENT, HeaderValue::from_static(concat!("libmcp/", env!("CARGO_PKG_VERSION"))));
        if settings.compression {
            base.insert(ACCEPT_ENCODING, HeaderValue::from_static(body::ACCEPTED));
        }
        for (name, value) in &settings.headers {
            let (name, mut value) = checked(name, value)?;
            // Not shown, and not put into the tables of HTTP/2: it may be a token.
            value.set_sensitive(true);
            base.insert(name, value);
        }
        let to = Endpoint::new(settings.url.clone())?.0.uri.clone();
        let proxy = settings.proxy.as_ref().filter(|_| settings.unix_socket.is_none());
        let proxy = proxy.and_then(|proxy| proxy.intercept(&to));
        let is_plain = !settings.url.origin().tls;
        if is_plain && let Some(credentials) = proxy.as_ref().and_then(|proxy| proxy.basic_auth()) {
            base.insert(PROXY_AUTHORIZATION, credentials.clone());
        }
        let connector = Connector::new(settings)?;
        let strategy = if is_plain && proxy.is_none() {
            base.insert(HOST, host(&to)?);
            ConnectionStrategy::Plain(Box::new(pool(connector, to, settings)))
        } else {
            ConnectionStrategy::Other(Box::new(Shared::new(connector, settings)))
        };
        let header_bytes = settings.header_bytes.max(LEAST_BUFFER);
        Ok(HttpClient {
            strategy,
            base: Arc::new(base),
            cookies: cookies(settings),
            header_bytes,
            message_bytes: settings.message_bytes,
        })
    }

    /// A client whose requests go through this in place of a network.
    #[cfg(test)]
    pub(crate) fn simulated(
        network: Arc<dyn crate::transport::http::simulated::Network>,
        settings: &HttpSettings,
    ) -> Result<HttpClient, String> {
        let mut base = HeaderMap::new();
        base.insert(HOST, host(&Endpoint::new(settings.url.clone())?.0.uri)?);
        let (strategy, base) = (ConnectionStrategy::Simulated(network), Arc::new(base));
        Ok(HttpClient {
            strategy,
            base,
            cookies: cookies(settings),
            header_bytes: settings.header_bytes,
            message_bytes: settings.message_bytes,
        })
    }

    /// Sends a request and gives its answer's head. Redirects within the origin are followed. One that `repeats` does no harm if
    /// the server gets it twice: it is sent once more, on a new connection, when a connection that was used before ends without
    /// an answer to it.
    ///
    /// # Errors
    /// Why no answer was received.
    pub async fn send(
        &self,
        method: Method,
        to: &Endpoint,
        headers: &[Header],
        body: Bytes,
        repeats: bool,
    ) -> Result<Received, Unanswered> {
        let mut to = to.clone();
        let mut followed = 0;
        let mut is_again = false;
        let mut only_new = false;
        loop {
            let mut request = Request::new(Full::new(body.clone()));
            *request.method_mut() = method.clone();
            *request.headers_mut() = header::all(&self.base, headers).map_err(Unanswered::Unusable)?;
            let sent = self.cookies_for(&to);
            if let Some(value) = sent.as_ref().and_then(|sent| sent.value.clone()) {
                request.headers_mut().insert(COOKIE, value);
            }
            let (response, lease) = match &self.strategy {
                #[cfg(test)]
                ConnectionStrategy::Simulated(network) => {
                    let path = to.0.path.clone();
                    let way = network.send(method, path, request.headers().clone(), body, repeats);
                    let (status, headers, parts) = way.await?;
                    self.take_cookies(&to, &headers, sent.as_ref());
                    let (body, redaction) = (Body::simulated(parts), Redaction::of(&self.base, &[], None));
                    return Ok(Received {
                        status,
                        headers,
                        body,
                        from: to,
                        refused: None,
                        peer: None,
                        redaction,
                    });
                }
                ConnectionStrategy::Plain(pool) => {
                    *request.uri_mut() = to.0.path.clone();
                    let (response, lease) = pool.request(request, repeats).await?;
                    (response, Some(lease))
                }
                ConnectionStrategy::Other(clients) => {
                    *request.uri_mut() = to.0.uri.clone();
                    let interim = Interim::watch(&mut request);
                    let connection = capture_connection(&mut request);
                    let answer = pin!(clients.one(only_new).request(request));
                    match interim.bound(answer).await? {
                        Ok(response) => {
                            if let Some(read_counter) = response.extensions().get::<Arc<ReadCounter>>() {
                                read_counter.note_answer();
                            }
                            (response, None)
                        }
                        // Once: a server that is being replaced says so.
                        Err(error) if !is_again && was_not_looked_at(&error) => {
                            is_again = true;
                            continue;
                        }
                        Err(error) if too_large(&error) => {
                            return Err(Unanswered::TooLarge(head_bounds(self.header_bytes)));
                        }
                        Err(error) if repeats && !only_new && was_used(&connection) && is_lost(&error) => {
                            only_new = true;
                            continue;
                        }
                        Err(error) if only_new => return Err(unanswered(&error).after_a_try()),
                        Err(error) => return Err(unanswered(&error)),
                    }
                }
            };
            let (head, incoming) = response.into_parts();
            self.take_cookies(&to, &head.headers, sent.as_ref());
            let status = head.status.as_u16();
            let encoding = head.headers.get(CONTENT_ENCODING).and_then(|value| value.to_str().ok());
            let peer = lease.as_ref().map_or_else(|| head.extensions.get().copied(), Lease::peer);
            let mut body =
                Body::new(incoming, lease, encoding, self.message_bytes).map_err(Unanswered::Unusable)?;
            let mut refused = None;
            if redirect::is_redirect(status) {
                let location = head.headers.get(LOCATION).and_then(|value| value.to_str().ok());
                match redirect::decide(&to.0.address, status, location, followed) {
                    Decision::Follow(address) => {
                        body.drain(DRAINED).await;
                        to = Endpoint::new(address).map_err(Unanswered::Unusable)?;
                        followed += 1;
                        continue;
                    }
                    Decision::Refuse(why) => refused = Some(why.to_string()),
                }
            }
            let redaction = Redaction::of(&self.base, headers, sent.and_then(|sent| sent.value));
            let peer = peer.map(|RemoteAddr(address)| address);
            return Ok(Received { status, headers: head.headers, body, from: to, refused, peer, redaction });
        }
    }

    /// Requests are made under this login from now on: cookies of another one are dropped.
    #[cfg(feature = "auth")]
    pub fn belongs_to(&self, login: impl FnOnce() -> Option<String>) {
        if let Some(cookies) = &self.cookies {
            cookies.belong_to(login());
        }
    }

    fn cookies_for(&self, to: &Endpoint) -> Option<Sent> {
        self.cookies.as_ref().map(|cookies| cookies.sent(&to.0.address, self.base.get(COOKIE)))
    }

    /// The headers that every request has, with the values that are no secrets of the application.
    pub fn of_every_request(&self) -> impl Iterator<Item = (&str, &str)> {
        let shown = |value: &HeaderValue| !value.is_sensitive();
        self.base.iter().map(move |(name, value)| {
            let value = Some(value).filter(|value| shown(value)).and_then(|value| value.to_str().ok());
            (name.as_str(), value.unwrap_or("****"))
        })
    }

    fn take_cookies(&self, from: &Endpoint, headers: &HeaderMap, sent: Option<&Sent>) {
        if let (Some(cookies), Some(sent)) = (&self.cookies, sent) {
            cookies.take(&from.0.address, headers, sent);
        }
    }
}

fn cookies(settings: &HttpSettings) -> Option<Cookies> {
    settings.cookies.then(|| Cookies::of(settings.url.origin()))
}

fn pool(connector: Connector, to: Uri, settings: &HttpSettings) -> Pool {
    let head_bytes = settings.header_bytes.max(LEAST_BUFFER);
    let mut builder = http1::Builder::new();
    builder.max_buf_size(head_bytes).max_headers(MOST_HEADERS).writev(false);
    Pool::new(connector, to, builder, head_bytes, settings.idle_connections, settings.idle_time)
}

/// `Host` of a request without TLS: the port only where it is not the usual one (RFC 9110, section 7.2).
fn host(to: &Uri) -> Result<HeaderValue, String> {
    let name = to.host().unwrap_or_default();
    let text = match to.port_u16() {
        None | Some(80) => name.to_owned(),
        Some(port) => format!("{name}:{port}"),
    };
    HeaderValue::from_str(&text).map_err(|_| format!("'{text}' cannot be named in a request"))
}

/// Shorter texts would take half of every sentence with them, and are not secrets.
const LEAST: usize = 8;

/// What a request said in confidence, kept until its answer is read: most answers are not for showing.
#[derive(Debug)]
pub struct Redaction {
    base: Arc<HeaderMap>,
    request: Vec<Header>,
    cookies: Option<HeaderValue>,
}

impl Redaction {
    /// What these headers have that only their server is to know, with the cookies that it set itself.
    pub fn of(base: &Arc<HeaderMap>, request: &[Header], cookies: Option<HeaderValue>) -> Redaction {
        let confidential = |name: &str| matches!(name, "authorization" | "dpop" | MCP_SESSION_ID);
        let request = request.iter().filter(|it| confidential(&it.name)).cloned().collect();
        Redaction { base: Arc::clone(base), request, cookies }
    }

    /// A body without what was said in confidence to this address.
    pub fn redact(&self, body: &[u8], to: &Address) -> Vec<u8> {
        redact(body, &sent(&self.base, &self.request, self.cookies.as_ref(), to))
    }
}

/// What a request said that only its server is to know: tokens and other headers of the application's (`base`), the session, and
/// the values of the query, where some services have their keys.
fn sent(base: &HeaderMap, request: &[Header], cookies: Option<&HeaderValue>, to: &Address) -> Vec<String> {
    // What is not UTF-8 is read as the body is.
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let of_server = cookies.map(|value| ("cookie", text(value)));
    let of_request = request.iter().map(|it| (&*it.name, it.value.to_string())).chain(of_server);
    let of_config = base
        .iter()
        .filter(|(_, value)| value.is_sensitive())
        .map(|(name, value)| (name.as_str(), text(value)));
    let query = to.target().split_once('?').map_or("", |(_, query)| query);
    let of_query = query.split('&').map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value));
    // As it is written, and as a server reads it.
    let of_query = of_query.flat_map(|value| [value.to_owned(), decoded(value)]);
    let mut secrets: Vec<String> = of_request
        .chain(of_config)
        .flat_map(|(name, value)| parts(name, &value).into_iter().map(str::to_owned).collect::<Vec<_>>())
        .chain(of_query)
        .filter(|secret| secret.len() >= LEAST)
        .collect();
    // One may have another in it.
    mcp_core::sorted::order_by(&mut secrets, |one, other| one.len() > other.len());
    secrets
}

/// What of a header's value is not to be shown, by itself too: credentials without their scheme, each cookie.
fn parts<'v>(name: &str, value: &'v str) -> Vec<&'v str> {
    match name {
        "authorization" | "proxy-authorization" => {
            vec![value.split_once(' ').map_or(value, |(_, credentials)| credentials)]
        }
        "cookie" => {
            let cookies = value.split(';').filter_map(|pair| pair.split_once('='));
            cookies.map(|(_, value)| value.trim()).chain([value]).collect()
        }
        _ => vec![value],
    }
}

/// What a value of the query spells.
fn decoded(value: &str) -> String {
    let mut spelled = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.first_chunk::<2>().and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.filter(|_| byte == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        rest = if code.is_some() { after.get(2..).unwrap_or_default() } else { after };
        spelled.push(code.unwrap_or(if byte == b'+' { b' ' } else { byte }));
    }
    String::from_utf8_lossy(&spelled).into_owned()
}

/// A body without these texts.
fn redact(body: &[u8], secrets: &[String]) -> Vec<u8> {
    let mut text = String::from_utf8_lossy(body).into_owned();
    for secret in secrets {
        text = text.replace(secret, "…");
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn concealed(body: &[u8]) -> String {
        let mut base = HeaderMap::new();
        let mut key = HeaderValue::from_static("config-key-1");
        key.set_sensitive(true);
        base.insert("x-api-key", key);
        let mut cookie =
            HeaderValue::from_bytes(b"session=cookie secret; theme=darkest-bl\xfce").expect("a value");
        cookie.set_sensitive(true);
        base.insert("cookie", cookie);
        base.insert("user-agent", HeaderValue::from_static("libmcp/1.2.3"));
        let request = [
            Header::new("authorization", "Bearer token-abcdef"),
            Header::new(MCP_SESSION_ID, "session-123"),
            Header::new("accept", "application/json"),
        ];
        let to = Address::parse("https://a.example/mcp?key=query-key-7&v=1&p=a%2Fb%20c%2Bd%2Fe")
            .expect("an address");
        let redaction =
            Redaction::of(&Arc::new(base), &request, Some(HeaderValue::from_static("lb=backend-number-7")));
        String::from_utf8(redaction.redact(body, &to)).expect("a text")
    }

    #[test]
    fn what_a_server_repeats_of_what_it_was_told_is_not_shown() {
        let said = b"POST /mcp?key=query-key-7&amp;v=1, Bearer token-abcdef, config-key-1, session-123, libmcp/1.2.3, \
             session=cookie secret; theme=darkest-bl\xfce, cookie secret, darkest-bl\xfce, a/b c+d/e, a%2Fb%20c%2Bd%2Fe, backend-number-7";
        let shown = "POST /mcp?key=…&amp;v=1, Bearer …, …, …, libmcp/1.2.3, …, …, …, …, …, …";
        assert_eq!(concealed(said), shown);
    }
}
