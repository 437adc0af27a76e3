//! One request to a server that is not the MCP server: an authorization server, or a document that one names. No redirects,
//! no cookies, a bounded answer, and, where a server on the internet named the place, no address in a private network.

use super::connect::Connector;
use super::settings::HttpSettings;
use crate::auth::{Answer, Fault, Request, is_private};
use crate::protocol::address::Address;
use crate::transport::http::error::{Unanswered, unanswered};
use crate::transport::http::header::checked;
use crate::transport::http::tls::TlsError;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{HeaderMap, HeaderValue, USER_AGENT};
use hyper::{Method, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use std::net::{IpAddr, SocketAddr};

/// Performs a request.
///
/// # Errors
/// Why nothing came back.
pub async fn fetch(settings: &HttpSettings, request: &Request) -> Result<Answer, Fault> {
    #[cfg(test)]
    if let Some(network) = simulated::network() {
        let answered = tokio::time::timeout(request.timeout, network.fetch(request.clone())).await;
        return answered.unwrap_or(Err(Fault::TimedOut));
    }
    match tokio::time::timeout(request.timeout, perform(settings, request)).await {
        Ok(outcome) => outcome,
        Err(_) => Err(Fault::TimedOut),
    }
}

/// A request to a server of any kind.
#[derive(Debug)]
pub struct Plain<'r> {
    /// The method, in capital letters.
    pub method: &'r str,
    /// Where to.
    pub url: &'r Address,
    /// Names and values, which may be secret.
    pub headers: Vec<(&'r str, &'r str)>,
    /// The body; empty if there is none.
    pub body: &'r [u8],
    /// Whether to refuse when the host's name leads to a private address.
    pub refuse_private: bool,
    /// The longest body of an answer that is read.
    pub most_bytes: usize,
}

async fn perform(settings: &HttpSettings, request: &Request) -> Result<Answer, Fault> {
    let plain = Plain {
        method: request.method.as_str(),
        url: &request.url,
        headers: request.headers.iter().map(|(name, value)| (*name, value.expose())).collect(),
        body: request.body.as_ref().map_or(&[][..], |body| body.expose().as_bytes()),
        refuse_private: request.refuse_private,
        most_bytes: request.most_bytes,
    };
    exchange(settings, &plain).await
}

/// Performs a request of any kind, without a time of its own.
///
/// # Errors
/// Why nothing came back.
pub async fn exchange(settings: &HttpSettings, request: &Plain<'_>) -> Result<Answer, Fault> {
    let unusable = |why: String| Fault::Unreachable(why);
    let uri: Uri =
        request.url.to_string().parse().map_err(|error| unusable(format!("no usable URL: {error}")))?;
    let is_here = crate::auth::is_loopback(&request.url.origin().host);
    let proxy = settings.proxy.as_ref().filter(|_| !is_here).and_then(|proxy| proxy.intercept(&uri));
    // Most proxies look names up themselves, in a network of their own; an address is what it is there, too.
    let is_elsewhere = proxy.as_ref().is_some_and(|proxy| proxy.uri().scheme_str() != Some("socks5"));
    let addresses =
        if is_elsewhere && address_of(request).is_none() { None } else { Some(look_up(request).await?) };
    let addresses = addresses.filter(|_| proxy.is_none());
    let connector = Connector::to(settings, request.url.origin(), addresses).map_err(unusable)?;
    let client: Client<Connector, Full<Bytes>> = Client::builder(TokioExecutor::new()).build(connector);
    let method = Method::from_bytes(request.method.as_bytes())
        .map_err(|_| unusable(format!("'{}' is not a method", request.method)))?;
    let mut sent = hyper::Request::new(Full::new(Bytes::copy_from_slice(request.body)));
    *sent.method_mut() = method;
    *sent.uri_mut() = uri;
    let mut headers = HeaderMap::new();
    headers.insert(USER_AGENT, HeaderValue::from_static(concat!("libmcp/", env!("CARGO_PKG_VERSION"))));
    for (name, value) in &request.headers {
        let (name, mut value) = checked(name, value).map_err(unusable)?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    *sent.headers_mut() = headers;
    let response = client.request(sent).await.map_err(|error| match unanswered(&error) {
        Unanswered::Untrusted(TlsError { why, .. })
        | Unanswered::Unreachable(why)
        | Unanswered::Lost(why)
        | Unanswered::Unusable(why) => Fault::Unreachable(why),
        Unanswered::TooLarge(_) => Fault::TooLarge,
    })?;
    let (head, mut incoming) = response.into_parts();
    let mut body = Vec::new();
    while let Some(frame) = incoming.frame().await {
        let Ok(data) = frame.map_err(|error| unusable(super::error::error_chain(&error)))?.into_data() else {
            continue;
        };
        if body.len() + data.len() > request.most_bytes {
            return Err(Fault::TooLarge);
        }
        body.extend_from_slice(&data);
    }
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = head.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    Ok(Answer { status: head.status.as_u16(), headers, body })
}

/// The request's host, where it is an address and no name.
fn address_of(request: &Plain<'_>) -> Option<IpAddr> {
    request.url.origin().host.trim_matches(['[', ']']).parse().ok()
}

/// The addresses of the request's host, all of them permitted: the connection goes to one of just these.
async fn look_up(request: &Plain<'_>) -> Result<Vec<SocketAddr>, Fault> {
    let origin = request.url.origin();
    let host = &origin.host;
    let addresses: Vec<SocketAddr> = match address_of(request) {
        Some(address) => vec![SocketAddr::new(address, origin.port)],
        None => crate::transport::http::connect::look_up(host, origin.port)
            .await
            .map_err(|error| Fault::Unreachable(format!("the name '{host}' cannot be looked up: {error}")))?,
    };
    if request.refuse_private
        && let Some(private) = addresses.iter().find(|address| is_private(address.ip()))
    {
        return Err(Fault::Private(private.ip()));
    }
    Ok(addresses)
}

/// What stands for the network in a simulation.
#[cfg(test)]
pub(crate) mod simulated {
    use super::{Answer, Fault, Request};
    use std::cell::RefCell;
    use std::pin::Pin;
    use std::sync::Arc;

    /// A request on its way.
    pub(crate) type Fetching = Pin<Box<dyn Future<Output = Result<Answer, Fault>> + Send>>;

    /// What requests of this thread go through.
    pub(crate) trait Fetches: Send + Sync {
        /// Performs a request.
        fn fetch(&self, request: Request) -> Fetching;
    }

    thread_local! {
        pub(crate) static NETWORK: RefCell<Option<Arc<dyn Fetches>>> = const { RefCell::new(None) };
    }

    pub(super) fn network() -> Option<Arc<dyn Fetches>> {
        NETWORK.with_borrow(Clone::clone)
    }
}
