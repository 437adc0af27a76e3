//! A document on the web that is for everyone, such as a catalog of servers: https alone, from no private address, without credentials
//! and redirects, of a bounded size.

use super::config::Config;
use crate::auth::{Fault, LoginStep, Method, Request, Secret};
use crate::engine::{Error, Status};
use crate::protocol::address::Address;
use crate::runtime::http::HttpRuntime;
use crate::runtime::link::owner::LinkTarget;
use crate::transport::http::fetch::{Plain, exchange, fetch};
use serde_json::Value;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

/// The name of what is done here, in errors.
const DOING: &str = "document";

/// Reads a document; `accept` are the media types that are wanted. Its text has at most `most_bytes`.
///
/// # Errors
/// `INVALID_ARGUMENT` for a URL that is not https, `TRANSPORT` or `TIMEOUT` if nothing usable came, `TOO_LARGE` for a longer one.
pub fn document(url: &str, accept: &str, most_bytes: usize, time: Duration) -> Result<String, Error> {
    read(&serde_json::json!({ "url": url }), accept, most_bytes, time)
}

fn read(config: &Value, accept: &str, most_bytes: usize, time: Duration) -> Result<String, Error> {
    let url = &config["url"];
    let failed = |status: Status, why: String| {
        Error::new(status, DOING, format!("{}: {why}", url.as_str().unwrap_or_default()))
    };
    let config = Config::parse(&config.to_string())?;
    let LinkTarget::Http(settings) = config.transport.endpoint else {
        return Err(failed(Status::InvalidArgument, "it is no URL".to_owned()));
    };
    if !settings.url.origin().tls {
        return Err(failed(Status::InvalidArgument, "it is not https".to_owned()));
    }
    let request = Request {
        id: 0,
        step: LoginStep::Access,
        method: Method::Get,
        url: settings.url.clone(),
        headers: vec![("accept", Secret::new(accept))],
        body: None,
        unsigned: None,
        refuse_private: true,
        most_bytes,
        timeout: time,
    };
    let answer = match performed(async move { fetch(&settings, &request).await }, time)? {
        Ok(Ok(answer)) => answer,
        Ok(Err(Fault::TooLarge)) => {
            return Err(failed(Status::TooLarge, format!("it has more than {most_bytes} bytes")));
        }
        Ok(Err(Fault::Private(address))) => {
            let why = format!("the name leads to {address}, a private address, which is not asked");
            return Err(failed(Status::Transport, why));
        }
        Ok(Err(Fault::Unreachable(why) | Fault::Unsigned(why))) => {
            return Err(failed(Status::Transport, why));
        }
        Ok(Err(Fault::TimedOut)) | Err(_) => {
            return Err(failed(Status::Timeout, format!("it did not come within {} ms", time.as_millis())));
        }
    };
    if answer.status != 200 {
        let why = match answer.status {
            300..400 => format!("the answer is a redirect ({}), which is not followed", answer.status),
            404 => "there is no such document (404)".to_owned(),
            status => format!("the answer has the status {status}"),
        };
        return Err(failed(Status::Transport, why));
    }
    String::from_utf8(answer.body).map_err(|_| failed(Status::Protocol, "it is not UTF-8".to_owned()))
}

/// Waits on this thread for what is done in the runtime of HTTP, which ends by itself in its time.
fn performed<T: Send + 'static>(
    work: impl Future<Output = Result<T, Fault>> + Send + 'static,
    time: Duration,
) -> Result<Result<Result<T, Fault>, RecvTimeoutError>, Error> {
    let runtime = HttpRuntime::acquire()?;
    let (sender, receiver) = sync_channel(1);
    let task = runtime.spawn(async move {
        // The thread that waits may have given up.
        let _unread = sender.send(work.await);
    });
    let outcome = receiver.recv_timeout(time + Duration::from_secs(5));
    task.abort();
    HttpRuntime::release();
    Ok(outcome)
}

/// A request to a server that is not one of MCP, such as that of an API.
#[derive(Debug)]
pub struct WebRequest {
    /// The method, in capital letters.
    pub method: String,
    /// The URL, with http or https and without a user name.
    pub url: String,
    /// Names and values, which may be secret.
    pub headers: Vec<(String, String)>,
    /// The body; empty if there is none.
    pub body: Vec<u8>,
    /// The longest body of an answer that is read.
    pub most_bytes: usize,
    /// How long all of it may take.
    pub timeout: Duration,
    /// Whether a private address is not asked: a stranger has named the URL.
    pub refuse_private: bool,
}

/// The answer to a [`WebRequest`].
#[derive(Debug)]
pub struct WebAnswer {
    /// The status code.
    pub status: u16,
    /// The header `content-type`.
    pub content_type: String,
    /// The header `location` of a redirect, which is not followed.
    pub location: String,
    /// The header `retry-after`, as it was written.
    pub retry_after: String,
    /// The body.
    pub body: Vec<u8>,
}

/// Makes one request over HTTP, with the proxy and the certificates of a configuration of a client (JSON). Redirects are not followed: the
/// headers are for this host alone.
///
/// # Errors
/// `INVALID_ARGUMENT` for a URL or a configuration that cannot be used, `TRANSPORT` or `TIMEOUT` if no answer came, `TOO_LARGE` for one
/// with more than `most_bytes`.
pub fn web(request: WebRequest, config: &Value) -> Result<WebAnswer, Error> {
    let shown = without_query(&request.url).to_owned();
    let failed = |status: Status, why: String| Error::new(status, "web", format!("{shown}: {why}"));
    let mut config = config.clone();
    config["url"] = shown.as_str().into();
    let config = Config::parse(&config.to_string())?;
    let LinkTarget::Http(settings) = config.transport.endpoint else {
        return Err(failed(Status::InvalidArgument, "it is no URL".to_owned()));
    };
    let address = Address::parse(&request.url)
        .map_err(|why| failed(Status::InvalidArgument, format!("it cannot be used: {why}")))?;
    let (time, most) = (request.timeout, request.most_bytes);
    let work = async move {
        let plain = Plain {
            method: &request.method,
            url: &address,
            headers: request.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
            body: &request.body,
            refuse_private: request.refuse_private,
            most_bytes: request.most_bytes,
        };
        let answer = tokio::time::timeout(request.timeout, exchange(&settings, &plain)).await;
        answer.unwrap_or(Err(Fault::TimedOut))
    };
    let answer = match performed(work, time)? {
        Ok(Ok(answer)) => answer,
        Ok(Err(Fault::TooLarge)) => {
            return Err(failed(Status::TooLarge, format!("the answer has more than {most} bytes")));
        }
        Ok(Err(Fault::Unreachable(why) | Fault::Unsigned(why))) => {
            return Err(failed(Status::Transport, why));
        }
        Ok(Err(Fault::Private(address))) => {
            let why = format!("the name leads to {address}, a private address, which is not asked");
            return Err(failed(Status::Transport, why));
        }
        Ok(Err(Fault::TimedOut)) | Err(_) => {
            return Err(failed(Status::Timeout, format!("no answer came within {} ms", time.as_millis())));
        }
    };
    let header = |wanted: &str| {
        let found = answer.headers.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let (content_type, location) = (header("content-type"), header("location"));
    let retry_after = header("retry-after");
    Ok(WebAnswer { status: answer.status, content_type, location, retry_after, body: answer.body })
}

/// A URL without its query, which may have a credential.
fn without_query(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_public_is_not_asked() {
        for (url, why) in [
            ("http://example.com/x", "not https"),
            ("https://127.0.0.1:1/x", "private address"),
            ("https://[::1]:1/x", "private address"),
            ("https://10.1.2.3/x", "private address"),
            ("https://169.254.169.254/x", "private address"),
            ("https://user:pw@example.com/", "cannot be used"),
            ("file:///etc/passwd", "cannot be used"),
        ] {
            let error = document(url, "application/json", 100, Duration::from_secs(2)).expect_err(url);
            assert!(error.message.contains(why), "{url}: {}", error.message);
        }
    }

    #[test]
    fn an_api_is_asked_with_any_method_and_its_answer_is_bounded() {
        use std::io::{Read as _, Write as _};
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("an address");
        let port = listener.local_addr().expect("bound").port();
        let server = std::thread::spawn(move || {
            let mut asked = Vec::new();
            for body in ["{}", "long"] {
                let (mut stream, _) = listener.accept().expect("a client");
                let mut read = [0; 4096];
                let mut text = String::new();
                while !text.ends_with("{\"a\":1}") {
                    let count = stream.read(&mut read).expect("a request");
                    text.push_str(&String::from_utf8_lossy(&read[..count]));
                }
                let answer = format!(
                    "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\nlocation: /p/1\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
                stream.write_all(answer.as_bytes()).expect("sent");
                asked.push(text);
            }
            asked
        });
        let request = |most_bytes| WebRequest {
            method: "PATCH".to_owned(),
            url: format!("http://127.0.0.1:{port}/p?key=s3cret"),
            headers: vec![("x-a".to_owned(), "b".to_owned())],
            body: b"{\"a\":1}".to_vec(),
            most_bytes,
            timeout: Duration::from_secs(30),
            refuse_private: false,
        };
        let answer = web(request(100), &serde_json::json!({})).expect("an answer");
        assert_eq!(
            (answer.status, answer.content_type.as_str(), &answer.body[..]),
            (201, "application/json", &b"{}"[..])
        );
        assert_eq!(answer.location, "/p/1");
        let private = WebRequest { refuse_private: true, ..request(100) };
        let error = web(private, &serde_json::json!({})).expect_err("private");
        assert!(error.message.contains("private address"), "{}", error.message);
        let error = web(request(2), &serde_json::json!({})).expect_err("too long");
        assert_eq!(error.status, Status::TooLarge);
        assert!(!error.message.contains("s3cret"), "{}", error.message);
        let asked = server.join().expect("served");
        assert!(
            asked[0].starts_with("PATCH /p?key=s3cret HTTP/1.1\r\n") && asked[0].contains("x-a: b"),
            "{asked:?}"
        );
        for url in ["ftp://x/", "http://u:p@x/", "nonsense"] {
            assert!(
                web(WebRequest { url: url.to_owned(), ..request(1) }, &serde_json::json!({})).is_err(),
                "{url}"
            );
        }
    }

    #[test]
    fn no_private_address_is_asked_through_a_proxy() {
        for proxy in ["http://127.0.0.1:9", "socks5://127.0.0.1:9", "socks5h://127.0.0.1:9"] {
            for url in ["https://10.1.2.3/x", "https://[fd00::1]/x"] {
                let config = serde_json::json!({ "url": url, "proxy": proxy });
                let error = read(&config, "application/json", 100, Duration::from_secs(2)).expect_err(url);
                assert!(error.message.contains("private address"), "{proxy} {url}: {}", error.message);
            }
        }
    }
}
