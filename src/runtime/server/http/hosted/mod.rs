//! A URL inside an HTTP server of the program: requests come as values, and answers are read by the program, on threads of its
//! own. What is served, and how, is the endpoint's, as for connections of the library.
//!
//! * `exchange`: `HostedExchange`: one request and its answer, polled by the threads of the program that read it
//!
//! [`Hosted`] is in this file. It owns the exchanges that are not read to their end, as far as ending them goes: a program that
//! does not read one for `timeouts.write_ms` loses it, and the end of the server leaves it what was answered by then.

mod exchange;

pub(crate) use super::request_body::{Notice, Put};
pub(crate) use exchange::{HostedExchange, Stop};

use super::RequestSource;
use super::connection::sweep;
use super::endpoint::HttpEndpoint;
use super::limits::HEADERS;
use super::request_body::{Feed, RequestBody, feed};
use crate::engine::server::SessionId;
use crate::engine::{Error, Level};
use crate::protocol::error_code;
use crate::protocol::visible::is_hidden;
use crate::runtime::http::HttpRuntime;
use crate::runtime::lock;
use crate::runtime::server::HttpFront;
use crate::shares::{Denied, Holder, Lending, Shares};
use crate::sorted::SortedMap;
use crate::transport::http_server::refusal::Refusal;
use crate::transport::socket::SocketAddress;
use exchange::{Answering, ExchangeOwner, Of};
use hyper::header::{CONTENT_LENGTH, HeaderName, HeaderValue};
use hyper::{Method, Request, StatusCode, Uri};
use rustix::fd::OwnedFd;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::AbortHandle;

/// How often exchanges are looked at while there are any.
const SHORTEST_LOOK: Duration = Duration::from_millis(20);
const LONGEST_LOOK: Duration = Duration::from_secs(10);

/// One that the program has not freed.
#[derive(Debug)]
struct OpenExchange {
    exchange: Weak<HostedExchange>,
    /// Who sent the request, as far as the program says it.
    holder: Holder,
    /// Its body is whole, or it has none.
    is_whole: bool,
}

#[derive(Debug)]
struct HostedExchanges {
    /// Those that the program has not freed, the oldest first.
    open: SortedMap<u64, OpenExchange>,
    /// Who has how many of them. One whose body is not whole was not used yet.
    shares: Shares<Holder>,
    next: u64,
    /// The server closes: what is not answered by now never is.
    drained: bool,
}

impl HostedExchanges {
    /// None of so many.
    fn new(most: usize) -> HostedExchanges {
        let shares = Shares::new(most, 0, Lending::All);
        HostedExchanges { open: SortedMap::new(), shares, next: 0, drained: false }
    }

    fn remove(&mut self, number: u64) -> Option<OpenExchange> {
        let open = self.open.remove(&number)?;
        if open.is_whole {
            self.shares.give(&open.holder, 1);
        } else {
            self.shares.give_unused(&open.holder, 1);
        }
        Some(open)
    }

    /// Those of a holder, the oldest first: all, or those whose body is not whole.
    fn of(&self, holder: &Holder, unused: bool) -> Vec<(u64, Arc<HostedExchange>)> {
        let found = self.open.iter().filter(|(_, open)| open.holder == *holder && !(unused && open.is_whole));
        found.filter_map(|(number, open)| Some((*number, open.exchange.upgrade()?))).collect()
    }
}

/// What the task that looks after the exchanges has, too.
#[derive(Debug)]
struct SharedHosted {
    endpoint: Arc<HttpEndpoint>,
    exchanges: Mutex<HostedExchanges>,
    /// There is an exchange to look after.
    begun: Notify,
}

impl ExchangeOwner for SharedHosted {
    fn forget(&self, number: u64) {
        let exchange = lock(&self.exchanges).remove(number);
        drop(exchange);
    }

    fn has_body(&self, number: u64) {
        let mut exchanges = lock(&self.exchanges);
        if let Some(open) = exchanges.open.get_mut(&number).filter(|open| !open.is_whole) {
            open.is_whole = true;
            let holder = open.holder.clone();
            exchanges.shares.mark_used(&holder, 1);
        }
    }

    fn wake_server(&self) {
        self.endpoint.wake_server();
    }
}

impl SharedHosted {
    fn open(&self) -> Vec<Arc<HostedExchange>> {
        lock(&self.exchanges).open.values().filter_map(|open| open.exchange.upgrade()).collect()
    }

    /// Counts one more exchange of a holder, whose number it gives. Where there are as many as there may be, one gives way by the rule
    /// of [`Shares`]; of a holder that has its share, its own oldest whose body is not whole.
    fn admit(&self, holder: &Holder) -> Option<u64> {
        loop {
            let (candidates, is_unused) = {
                let mut exchanges = lock(&self.exchanges);
                match exchanges.shares.take_unused(holder, 1) {
                    Ok(()) => {
                        let number = exchanges.next;
                        exchanges.next += 1;
                        let (exchange, holder) = (Weak::new(), holder.clone());
                        exchanges.open.insert(number, OpenExchange { exchange, holder, is_whole: false });
                        return Some(number);
                    }
                    Err(Denied::Cut { holder, unused, .. }) => (exchanges.of(&holder, unused), unused),
                    Err(Denied::Share { .. }) => (exchanges.of(holder, true), true),
                }
            };
            let refusal = Refusal::full("the body came too slowly while limits.connections was reached");
            let gives_way = |exchange: &HostedExchange| {
                if is_unused { exchange.give_way(&refusal) } else { exchange.cut() }
            };
            let (number, _) = candidates.iter().find(|(_, exchange)| gives_way(exchange))?;
            self.forget(*number);
        }
    }

    /// Ends the exchanges whose answers the program has not read for that long.
    fn cut_unread(&self, limit: Duration) {
        for exchange in self.open() {
            if exchange.cut_if_unread(limit)
                && let Ok(serving) = self.endpoint.serving()
            {
                let text = format!(
                    "an answer is cut off: the program's HTTP server has read nothing of it for {} ms (timeouts.write_ms)",
                    limit.as_millis()
                );
                serving.record(Level::Warn, SessionId(0), &text);
            }
        }
    }
}

/// A URL inside an HTTP server of the program.
#[derive(Debug)]
pub(crate) struct Hosted {
    this: Weak<Hosted>,
    shared: Arc<SharedHosted>,
    url: String,
    runtime: Arc<HttpRuntime>,
    looking: [AbortHandle; 2],
}

impl Hosted {
    /// No request yet.
    ///
    /// # Errors
    /// When there is no thread or descriptor for the runtime.
    pub(crate) fn new(endpoint: Arc<HttpEndpoint>, url: String) -> Result<Arc<Hosted>, Error> {
        let runtime = HttpRuntime::acquire()?;
        let exchanges = Mutex::new(HostedExchanges::new(endpoint.limits().connections));
        let shared = Arc::new(SharedHosted { endpoint, exchanges, begun: Notify::new() });
        let looking =
            [runtime.spawn(sweep(Arc::clone(&shared.endpoint))), runtime.spawn(watch(Arc::clone(&shared)))];
        Ok(Arc::new_cyclic(|this| Hosted { this: Weak::clone(this), shared, url, runtime, looking }))
    }

    /// Whether requests at a path are for it.
    pub(crate) fn has_path(&self, path: &str) -> bool {
        self.shared.endpoint.has_path(path)
    }

    /// Serves a request with its whole body, as far as that is possible at once. What is wrong with it is in the answer.
    pub(crate) fn serve(
        &self,
        parts: &RequestParts<'_>,
        body: &[u8],
        notice: Option<Notice>,
    ) -> Arc<HostedExchange> {
        let most = self.shared.endpoint.limits().body_bytes;
        self.take(parts, || RequestBody::given(body, most), None, &Holder::Unknown, notice)
    }

    /// Judges the head of a request. The program gives the body in parts, if the head is accepted.
    pub(crate) fn begin(
        &self,
        parts: &RequestParts<'_>,
        holder: &Holder,
        notice: Option<Notice>,
    ) -> Arc<HostedExchange> {
        let most = self.shared.endpoint.limits().body_bytes;
        let (feed, body) = feed(parts.body_length(), most);
        self.take(parts, || RequestBody::Fed(body), Some(feed), holder, notice)
    }

    fn take(
        &self,
        parts: &RequestParts<'_>,
        body: impl FnOnce() -> RequestBody,
        feed: Option<Feed>,
        holder: &Holder,
        notice: Option<Notice>,
    ) -> Arc<HostedExchange> {
        let refused = |refusal, notice| Arc::new(HostedExchange::refused(&refusal, notice, &self.runtime));
        let limits = self.shared.endpoint.limits();
        let request = match parts.request(limits.head_bytes, body) {
            Ok(request) => request,
            Err(refusal) => return refused(refusal, notice),
        };
        let Some(number) = self.shared.admit(holder) else {
            let refusal = Refusal::full("request limit reached (limits.connections)");
            return refused(refusal, notice);
        };
        let this: Weak<Hosted> = Weak::clone(&self.this);
        let shared: Weak<SharedHosted> = Arc::downgrade(&self.shared);
        let of = Of { number, hosted: Some(this), owner: Some(shared) };
        let endpoint = Arc::clone(&self.shared.endpoint);
        let answering = |way| -> Answering {
            let source = RequestSource { from: holder.clone(), listens: None, way: Some(way) };
            Box::pin(endpoint.serve(request, source))
        };
        let exchange = HostedExchange::new(of, feed, answering, notice, &self.runtime);
        let is_late = {
            let mut exchanges = lock(&self.shared.exchanges);
            if let Some(open) = exchanges.open.get_mut(&number) {
                open.exchange = Arc::downgrade(&exchange);
            }
            exchanges.drained
        };
        self.shared.begun.notify_one();
        exchange.poll_first();
        if is_late {
            exchange.end_soon();
        }
        exchange
    }
}

impl HttpFront for Hosted {
    fn url(&self, _address: &SocketAddress) -> String {
        self.url.clone()
    }

    /// The program's threads drive it.
    fn runtime(&self) -> Option<Arc<HttpRuntime>> {
        None
    }

    /// It has no listener.
    fn connected(&self, _fd: OwnedFd, _from: Holder) -> bool {
        false
    }

    fn count(&self) -> usize {
        0
    }

    fn give_way(&self, _newcomer: &Holder) -> bool {
        false
    }

    fn end_sessions(&self, why: &str) {
        self.shared.endpoint.end_sessions(why);
    }

    /// What was answered can be read without the server from now on, and nothing more follows.
    fn drain(&self) {
        lock(&self.shared.exchanges).drained = true;
        for exchange in self.shared.open() {
            exchange.end_soon();
        }
    }

    fn is_drained(&self) -> bool {
        self.shared.open().iter().all(|exchange| exchange.is_over())
    }
}

impl Drop for Hosted {
    fn drop(&mut self) {
        for task in &self.looking {
            task.abort();
        }
        for exchange in self.shared.open() {
            exchange.end_soon();
        }
        HttpRuntime::release();
    }
}

/// Looks after the exchanges while there are any.
async fn watch(shared: Arc<SharedHosted>) {
    let limit = shared.endpoint.limits().write;
    loop {
        shared.begun.notified().await;
        while !lock(&shared.exchanges).open.is_empty() {
            tokio::time::sleep((limit / 2).clamp(SHORTEST_LOOK, LONGEST_LOOK)).await;
            shared.cut_unread(limit);
        }
    }
}

/// The parts of a request.
#[derive(Debug)]
pub(crate) struct RequestParts<'a> {
    pub(crate) method: &'a [u8],
    /// The target of the request line, or a URL.
    pub(crate) target: &'a [u8],
    /// Names and values.
    pub(crate) headers: &'a [(&'a [u8], &'a [u8])],
}

/// One more than a request may have is enough to refuse it.
pub(crate) const MOST_HEADERS: usize = HEADERS + 1;

impl RequestParts<'_> {
    /// The length of the body, where the head says it.
    fn body_length(&self) -> Option<u64> {
        let is_length = |name: &[u8]| name.eq_ignore_ascii_case(CONTENT_LENGTH.as_str().as_bytes());
        let (_, value) = self.headers.iter().find(|(name, _)| is_length(name))?;
        std::str::from_utf8(value).ok()?.trim().parse().ok()
    }

    /// The path, which says which endpoint is asked.
    pub(crate) fn path(&self) -> String {
        Uri::try_from(self.target).map(|uri| uri.path().to_owned()).unwrap_or_default()
    }

    /// The request that they make.
    ///
    /// # Errors
    /// Too many headers, too many bytes, or a part that HTTP does not allow.
    pub(super) fn request(
        &self,
        most: usize,
        body: impl FnOnce() -> RequestBody,
    ) -> Result<Request<RequestBody>, Refusal> {
        let too_large = |text: String| {
            Err(Refusal::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, error_code::INVALID_REQUEST, text))
        };
        if self.headers.len() > HEADERS {
            return too_large(format!("the request has more than {HEADERS} headers"));
        }
        let headers: usize = self.headers.iter().map(|(name, value)| name.len() + value.len() + 4).sum();
        if self.method.len() + self.target.len() + headers > most {
            return too_large(format!(
                "the head of the request has more than {most} bytes (limits.head_bytes)"
            ));
        }
        let method = Method::from_bytes(self.method)
            .map_err(|_| Refusal::bad(format!("'{}' is not a valid HTTP method", shown(self.method))))?;
        let target = Uri::try_from(self.target)
            .map_err(|_| Refusal::bad(format!("'{}' is not a valid request target", shown(self.target))))?;
        let mut request = Request::new(body());
        (*request.method_mut(), *request.uri_mut()) = (method, target);
        for (name, value) in self.headers {
            let (Ok(known), Ok(value)) = (HeaderName::from_bytes(name), HeaderValue::from_bytes(value))
            else {
                let text =
                    format!("the header '{}' has a name or a value that HTTP does not allow", shown(name));
                return Err(Refusal::bad(text));
            };
            request.headers_mut().append(known, value);
        }
        Ok(request)
    }
}

/// The beginning of what another sent, for a text.
fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes.get(..100).unwrap_or(bytes));
    text.chars().filter(|character| !is_hidden(*character)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(
        method: &[u8],
        target: &[u8],
        headers: &[(&[u8], &[u8])],
        most: usize,
    ) -> Result<Request<RequestBody>, u16> {
        let parts = RequestParts { method, target, headers };
        parts.request(most, || RequestBody::given(b"{}", 10)).map_err(|refusal| refusal.status.as_u16())
    }

    #[test]
    fn a_request_has_its_parts() {
        let headers: [(&[u8], &[u8]); 3] = [(b"HOST", b"a"), (b"x", b"1"), (b"X", b"\xff2")];
        let request = made(b"POST", b"/mcp?x=1", &headers, 1000).expect("right");
        assert_eq!((request.method(), request.uri().path()), (&Method::POST, "/mcp"));
        assert_eq!(request.headers().get_all("x").iter().count(), 2);
        assert_eq!(RequestParts { method: b"GET", target: b"http://h/p?q", headers: &[] }.path(), "/p");
    }

    #[test]
    fn what_http_does_not_allow_is_refused() {
        for (method, target) in [("GE T", "/"), ("", "/"), ("GET", ""), ("GET", "/ x"), ("GET", "/\u{1}")] {
            let status = made(method.as_bytes(), target.as_bytes(), &[], 1000).expect_err("refused");
            assert_eq!(status, 400, "{method} {target}");
        }
        for (name, value) in [("a b", "x"), ("", "x"), ("a", "x\r\ny: z"), ("a", "\n"), ("a:", "b")] {
            let headers = [(name.as_bytes(), value.as_bytes())];
            assert_eq!(made(b"GET", b"/", &headers, 1000).expect_err("refused"), 400, "{name:?} {value:?}");
        }
    }

    #[test]
    fn the_head_is_bounded_by_number_and_bytes() {
        let one: (&[u8], &[u8]) = (b"a", b"b");
        assert!(made(b"GET", b"/", &[one; HEADERS], 1000).is_ok());
        assert_eq!(made(b"GET", b"/", &[one; HEADERS + 1], 100_000).expect_err("refused"), 431);
        assert_eq!(made(b"GET", b"/", &[one; 4], 27).expect_err("refused"), 431);
        assert!(made(b"GET", b"/", &[one; 4], 28).is_ok());
    }
}
