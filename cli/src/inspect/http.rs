//! The server of the page: HTTP/1.1 on hyper and tokio, which the library brings for its own servers. What it offers is no server of the
//! protocol, so that it has none of the library's: files, one stream of records, and requests in JSON, at addresses of this machine only.

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
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// What one request may have, and how many connections there may be.
const MOST_BYTES: usize = 32 << 20;
const CONNECTIONS: usize = 64;
/// How many things are done at one time.
const AT_A_TIME: usize = 16;
/// How long a request for records waits for one: connections that nothing comes over are not kept by every proxy.
const WAIT: Duration = Duration::from_secs(20);
const HEADERS: Duration = Duration::from_secs(10);
/// A connection that could not be accepted: file descriptors may be there later.
const PAUSE: Duration = Duration::from_millis(100);

type Answer = Response<Full<Bytes>>;

/// Begins to serve, on a thread of its own that ends with the program; gives the port.
pub fn serve(page: &Arc<Page>, port: u16) -> Result<u16, Failure> {
    let failed = |what: &str, error: std::io::Error| {
        Failure::machine(format!("the page cannot be served: {what}: {error}"))
    };
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .map_err(|error| failed(&format!("127.0.0.1:{port}"), error))?;
    let port = bound.local_addr().map_err(|error| failed("its port", error))?.port();
    // Where the name `localhost` leads to the other one first; a machine may have only one of them.
    let second = TcpListener::bind(SocketAddr::from((Ipv6Addr::LOCALHOST, port))).ok();
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

async fn answered(page: &Arc<Page>, request: Request<Incoming>) -> Answer {
    let (head, body) = request.into_parts();
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
            let body = match Limited::new(body, MOST_BYTES).collect().await {
                Ok(body) => body.to_bytes(),
                Err(_) => {
                    let why = "the body of this request is too large, or ended early";
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
