//! The server of the page: HTTP/1.1 on hyper and tokio, which the library brings for its own servers. What it offers is not an MCP
//! server, so it uses none of the library's: files, one stream of records, and requests in JSON, at addresses of this machine only.

use super::gate::{self, Part};
use super::{Page, actions, files};
use crate::failure::Failure;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::json;
use std::convert::Infallible;
use std::io::{self, ErrorKind, IoSlice};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Semaphore;
use tokio::time::{Sleep, sleep};

/// What one request may have, and how many connections there may be.
const MOST_BYTES: usize = 32 << 20;
const CONNECTIONS: usize = 64;
/// What a browser tells at most of something that a policy refused.
const MOST_REPORT: usize = 16 << 10;
/// How many things are done at one time.
const AT_A_TIME: usize = 16;
/// How long a request for records waits for one: connections that nothing comes over are not kept by every proxy.
const WAIT: Duration = Duration::from_secs(20);
/// How many ports are tried that the system chooses.
const PORTS: usize = 20;
const HEADERS: Duration = Duration::from_secs(10);
const BODY: Duration = Duration::from_secs(30);
/// How long a connection may take nothing of what is written to it.
const WRITE: Duration = Duration::from_secs(30);
/// A connection that could not be accepted: file descriptors may be there later.
const PAUSE: Duration = Duration::from_millis(100);

type Answer = Response<Full<Bytes>>;

/// Listeners at both addresses of this machine, at one port. `localhost`, the name of the frames of apps, may lead to either: a program of
/// another user at the second one would speak as an app. Only a machine that has no such address is served at one.
fn bound(port: u16) -> Result<(TcpListener, Option<TcpListener>), Failure> {
    let failed = |address: SocketAddr, error: std::io::Error| {
        let fix = if port == 0 { "" } else { "; choose another one with --port, or leave it out" };
        Failure::machine(format!("the page cannot be served at {address}: {error}{fix}"))
    };
    for attempt in 1..=PORTS {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let first = TcpListener::bind(address).map_err(|error| failed(address, error))?;
        let own = first.local_addr().map_err(|error| failed(address, error))?.port();
        let address = SocketAddr::from((Ipv6Addr::LOCALHOST, own));
        match TcpListener::bind(address) {
            Ok(second) => return Ok((first, Some(second))),
            Err(error)
                if error.kind() != ErrorKind::AddrInUse && !has_address(Ipv6Addr::LOCALHOST.into()) =>
            {
                return Ok((first, None));
            }
            // Without a wish for a port, there are others.
            Err(error) if error.kind() == ErrorKind::AddrInUse && port == 0 && attempt < PORTS => {}
            Err(error) => return Err(failed(address, error)),
        }
    }
    Err(Failure::machine("the page cannot be served: no port is free"))
}

/// Whether this machine has an address, at any port.
fn has_address(address: IpAddr) -> bool {
    TcpListener::bind((address, 0)).is_ok()
}

/// Begins to serve, on a thread of its own that ends with the program; gives the port.
pub fn serve(page: &Arc<Page>, port: u16) -> Result<u16, Failure> {
    let failed = |what: &str, error: std::io::Error| {
        Failure::machine(format!("the page cannot be served: {what}: {error}"))
    };
    let (bound, second) = bound(port)?;
    let port = bound.local_addr().map_err(|error| failed("its port", error))?.port();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(AT_A_TIME)
        .build()
        .map_err(|error| failed("no runtime", error))?;
    let page = Arc::clone(page);
    let run = move || {
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        runtime.block_on(async move {
            let more =
                second.map(|second| tokio::spawn(accept(second, Arc::clone(&page), Arc::clone(&room))));
            accept(bound, page, room).await;
            drop(more);
        });
    };
    std::thread::Builder::new()
        .name("mcp-page".to_owned())
        .spawn(run)
        .map_err(|error| failed("no thread", error))?;
    Ok(port)
}

async fn accept(listener: TcpListener, page: Arc<Page>, room: Arc<Semaphore>) {
    let listening = listener.set_nonblocking(true).and_then(|()| tokio::net::TcpListener::from_std(listener));
    let Ok(listener) = listening else { return };
    loop {
        // Beyond so many, connections wait in the system.
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let page = Arc::clone(&page);
        tokio::spawn(async move {
            let stream = Bounded { stream, limit: WRITE, wait: None };
            let service = service_fn(move |request| {
                let page = Arc::clone(&page);
                async move { Ok::<_, Infallible>(answered(&page, request).await) }
            });
            // A browser that goes away in the middle is nothing to tell.
            let _gone = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADERS)
                .serve_connection(TokioIo::new(stream), service)
                .await;
            drop(place);
        });
    }
}

/// A connection that fails when its other side takes nothing for too long: each one has a place, of which there are few.
struct Bounded<S> {
    stream: S,
    limit: Duration,
    /// While a write waits.
    wait: Option<Pin<Box<Sleep>>>,
}

impl<S> Bounded<S> {
    fn within(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.wait = None;
            return written;
        }
        let wait = self.wait.get_or_insert_with(|| Box::pin(sleep(self.limit)));
        wait.as_mut().poll(context).map(|()| Err(ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Bounded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Bounded<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.within(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.within(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

async fn answered(page: &Arc<Page>, request: Request<Incoming>) -> Answer {
    let (head, body) = request.into_parts();
    // A request of the form that proxies get names a host beside that of its header.
    if head.uri.authority().is_some() {
        return refused(StatusCode::MISDIRECTED_REQUEST, "this server is not a proxy: send the path alone");
    }
    let path = head.uri.path().to_owned();
    let port = head
        .headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .and_then(|host| host.rsplit_once(':'));
    let port = port.map_or("80", |(_, port)| port).to_owned();
    let part = match gate::check(&head.method, &path, &head.headers, &page.token) {
        Ok(part) => part,
        Err((status, why)) => return refused(status, why),
    };
    match part {
        Part::File => match files::at(&path) {
            Some((kind, bytes)) => with(StatusCode::OK, kind, Bytes::from_static(bytes), &policy(&port)),
            None => refused(StatusCode::NOT_FOUND, "there is nothing at this path"),
        },
        Part::App => {
            let name = path.strip_prefix(gate::APP).unwrap_or_default();
            if head.method == Method::POST {
                let body = tokio::time::timeout(BODY, Limited::new(body, MOST_REPORT).collect());
                if let Ok(Ok(body)) = body.await {
                    actions::reported(page, name, &String::from_utf8_lossy(&body.to_bytes()));
                }
                // An answer of another site to the frame, which has nothing in it.
                let mut answer = with(StatusCode::NO_CONTENT, JSON, Bytes::new(), NOTHING);
                let any = HeaderValue::from_static("cross-origin");
                answer.headers_mut().insert("cross-origin-resource-policy", any);
                return answer;
            }
            let found = page.apps.lock().unwrap_or_else(PoisonError::into_inner).get(name);
            match found {
                Some((policy, document)) => {
                    with(StatusCode::OK, "text/html; charset=utf-8", document.into(), &policy)
                }
                None => refused(StatusCode::NOT_FOUND, "this app is no longer kept: open it again"),
            }
        }
        Part::Api => {
            let name = path.strip_prefix(gate::API).unwrap_or_default().to_owned();
            let query = head.uri.query().unwrap_or_default().to_owned();
            if head.method == Method::GET && name == "records" {
                return records(page, &query).await;
            }
            let body = tokio::time::timeout(BODY, Limited::new(body, MOST_BYTES).collect());
            let body = match body.await {
                Ok(Ok(body)) => body.to_bytes(),
                Ok(Err(_)) | Err(_) => {
                    let why = "the body of this request is too large or too slow, or ended early";
                    return refused(StatusCode::PAYLOAD_TOO_LARGE, why);
                }
            };
            let page = Arc::clone(page);
            let is_post = head.method == Method::POST;
            // What is done may wait for a server that ends.
            let done =
                tokio::task::spawn_blocking(move || match (is_post, String::from_utf8(body.to_vec())) {
                    (true, Ok(body)) => actions::done(&page, &name, &body, &port),
                    (true, Err(_)) => Err(Failure::usage("the body of this request is not UTF-8")),
                    (false, _) => actions::read(&page, &name, &query),
                });
            match done.await {
                Ok(Ok(text)) => with(StatusCode::OK, JSON, text.into(), NOTHING),
                Ok(Err(failure)) => with(StatusCode::BAD_REQUEST, JSON, failure.json().into(), NOTHING),
                Err(_) => refused(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "this could not be done: a fault of the program",
                ),
            }
        }
    }
}

/// The records after a number, as soon as there is one; nothing after a while.
async fn records(page: &Page, query: &str) -> Answer {
    let after = query.strip_prefix("after=").and_then(|after| after.parse().ok()).unwrap_or(0);
    let lines = tokio::time::timeout(WAIT, page.records.after(after)).await.unwrap_or_default();
    with(StatusCode::OK, "application/jsonl", lines.into(), NOTHING)
}

const JSON: &str = "application/json";
/// The policy of what is no document.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

/// What the page may do: nothing from elsewhere, and frames only of the origin of apps.
fn policy(port: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; media-src blob:; \
         frame-src http://localhost:{port}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'"
    )
}

fn refused(status: StatusCode, why: &str) -> Answer {
    with(status, JSON, json!({"error": {"code": "refused", "message": why}}).to_string().into(), NOTHING)
}

fn with(status: StatusCode, kind: &str, body: Bytes, policy: &str) -> Answer {
    let mut answer = Response::new(Full::new(body));
    *answer.status_mut() = status;
    // A frame of an app is of another origin than its page; all else is for the page alone.
    let resources = if policy.contains("frame-ancestors http") { "cross-origin" } else { "same-origin" };
    for (name, value) in [
        ("content-type", kind),
        ("content-security-policy", policy),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", resources),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
    ] {
        if let Ok(value) = HeaderValue::from_str(value) {
            answer.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::gate;
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;
    use std::sync::atomic::AtomicBool;

    fn served() -> (Arc<Page>, u16) {
        let page = Arc::new(Page {
            records: Arc::default(),
            servers: Vec::new(),
            apps: std::sync::Mutex::default(),
            token: gate::digest("secret"),
            title: "x".to_owned(),
            began: 0,
            is_examining: AtomicBool::new(false),
            dev: None,
        });
        let port = serve(&page, 0).expect("served");
        (page, port)
    }

    fn asked(port: u16, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("connected");
        stream.write_all(request.as_bytes()).expect("written");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("read");
        answer
    }

    fn get(port: u16, host: &str, path: &str, more: &str) -> String {
        asked(port, &format!("GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n{more}\r\n"))
    }

    fn post(port: u16, path: &str, body: &str) -> String {
        let head = "Authorization: Bearer secret\r\nContent-Type: application/json\r\nConnection: close";
        let length = body.len();
        asked(
            port,
            &format!(
                "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{head}\r\nContent-Length: {length}\r\n\r\n{body}"
            ),
        )
    }

    #[test]
    fn w24_each_answer_has_its_policy_and_nothing_is_cached() {
        let (page, port) = served();
        page.apps.lock().expect("held").add(
            "name",
            0,
            "default-src 'none'; frame-ancestors http://127.0.0.1".to_owned(),
            b"hi".to_vec(),
        );
        let root = get(port, "127.0.0.1", "/", "");
        for part in [
            "200 OK",
            "default-src 'none'; script-src 'self'",
            &format!("frame-src http://localhost:{port};"),
            "require-trusted-types-for 'script'",
            "frame-ancestors 'none'",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cache-control: no-store",
        ] {
            assert!(root.contains(part), "{part} in {root}");
        }
        assert!(!root.contains("access-control"), "{root}");
        let app = get(port, "localhost", "/app/name", "Sec-Fetch-Dest: iframe\r\n");
        assert!(
            app.contains("200 OK") && app.ends_with("hi") && app.contains("policy: cross-origin"),
            "{app}"
        );
        assert!(get(port, "127.0.0.1", "/app/name", "").contains("404"));
        assert!(get(port, "localhost", "/", "").contains("404"));
        assert!(get(port, "evil.example", "/", "").contains("421"));
        for path in ["http://evil.example/", "http://127.0.0.1/api/records", "evil.example:80"] {
            assert!(
                get(port, "127.0.0.1", path, "Authorization: Bearer secret\r\n").contains(" 4"),
                "{path}"
            );
        }
        assert!(get(port, "127.0.0.1", "/../Cargo.toml", "").contains("404"));
    }

    #[test]
    fn a_port_that_is_in_use_at_either_address_is_not_served_at_the_other_one() {
        if !has_address(Ipv6Addr::LOCALHOST.into()) {
            // There is no second address that another program could have.
            assert!(bound(0).expect("bound").1.is_none());
            return;
        }
        let other = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).expect("bound");
        let port = other.local_addr().expect("known").port();
        let why = bound(port).expect_err("in use").text();
        assert!(why.contains(&format!("[::1]:{port}")) && why.contains("--port"), "{why}");
        assert!(bound(0).expect("another port").1.is_some());
    }

    /// Takes one write, and nothing behind it.
    struct Stuck(bool);

    impl AsyncWrite for Stuck {
        fn poll_write(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<io::Result<usize>> {
            if std::mem::replace(&mut self.0, false) { Poll::Ready(Ok(bytes.len())) } else { Poll::Pending }
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    #[test]
    fn a_connection_that_takes_nothing_ends() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("made");
        runtime.block_on(async {
            let mut stream = Bounded { stream: Stuck(true), limit: Duration::from_millis(10), wait: None };
            let mut write = async || {
                std::future::poll_fn(|context| Pin::new(&mut stream).poll_write(context, b"1")).await
            };
            assert_eq!(write().await.expect("taken"), 1);
            assert_eq!(write().await.expect_err("not taken").kind(), ErrorKind::TimedOut);
        });
    }

    #[test]
    fn w22_only_the_token_opens_what_is_not_a_file() {
        let (page, port) = served();
        page.records.add(std::time::Instant::now(), 0, "message", "server", "1");
        let path = "/api/records?after=0";
        assert!(get(port, "127.0.0.1", path, "").contains("401"));
        assert!(get(port, "127.0.0.1", path, "Authorization: Bearer secre\r\n").contains("401"));
        assert!(get(port, "127.0.0.1", "/api/records?token=secret", "").contains("401"));
        let open = get(port, "127.0.0.1", path, "Authorization: Bearer secret\r\n");
        assert!(open.contains("\"data\":1"), "{open}");
    }

    #[test]
    fn w23_a_body_names_a_server_by_its_number_and_nothing_else() {
        let (_, port) = served();
        for (path, body, why) in [
            (
                "/api/connect",
                r#"{"server":0,"command":["sh"],"url":"http://x/","path":"/etc/passwd"}"#,
                "there is no server 0",
            ),
            ("/api/connect", r#"{"command":["sh"]}"#, "needs the number 'server'"),
            ("/api/call", "no JSON", "not valid JSON"),
            ("/api/call", "[]", "needs the number 'server'"),
            (
                "/api/call",
                r#"{"server":0,"method":"ping","params":{},"server":1}"#,
                "the name 'server' more than once",
            ),
            (
                "/api/call",
                r#"{"server":0,"method":"ping","m\u0065thod":"tools/call"}"#,
                "the name 'method' more than once",
            ),
        ] {
            let answer = post(port, path, body);
            assert!(answer.contains("400 Bad Request") && answer.contains(why), "{path} {body}: {answer}");
        }
    }
}
