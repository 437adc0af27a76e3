//! A document on the web that is for everyone, such as a catalog of servers: https alone, from no private address, without credentials
//! and redirects, of a bounded size.

use super::config::Config;
use crate::auth::{Fault, LoginStep, Method, Request, Secret};
use crate::engine::{Error, Status};
use crate::runtime::http::HttpRuntime;
use crate::runtime::link::owner::LinkTarget;
use crate::transport::http::fetch::fetch;
use serde_json::Value;
use std::sync::mpsc::sync_channel;
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
    let runtime = HttpRuntime::acquire()?;
    let (sender, receiver) = sync_channel(1);
    let task = runtime.spawn(async move {
        // The one who waits may have given up.
        let _unread = sender.send(fetch(&settings, &request).await);
    });
    // The request ends by itself in its time.
    let outcome = receiver.recv_timeout(time + Duration::from_secs(5));
    task.abort();
    HttpRuntime::release();
    let answer = match outcome {
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
