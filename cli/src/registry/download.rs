//! A file at a URL: redirects are followed a few times, without credentials, and never from the web to this machine or its network.

use crate::arguments::Common;
use crate::failure::Failure;
use crate::output::one_line;
use mcp::client::{WebRequest, web};
use std::time::{Duration, Instant};

/// How often a redirect is followed; releases of GitHub have one or two.
const REDIRECTS: usize = 5;
/// How long a file may take, where the command line does not say.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The host of a URL, in small letters and without a port; empty where there is none.
pub fn host_of(url: &str) -> String {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[') {
        Some(address) => address.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    host.to_ascii_lowercase()
}

/// Whether a URL names this machine by its address.
pub fn is_loopback(url: &str) -> bool {
    matches!(host_of(url).as_str(), "127.0.0.1" | "::1" | "localhost")
}

/// Whether a URL may be asked: with https, or on this machine.
pub fn is_safe(url: &str) -> bool {
    crate::shape::is_url(url) && (url.starts_with("https://") || is_loopback(url))
}

/// The URL of a redirect.
fn next(url: &str, location: &str) -> Option<String> {
    let is_scheme = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    };
    // A path may have a URL in its query.
    if location.split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme)) {
        return Some(location.to_owned());
    }
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    if let Some(other) = location.strip_prefix("//") {
        return Some(format!("{scheme}://{other}"));
    }
    location.starts_with('/').then(|| format!("{scheme}://{authority}{location}"))
}

/// The bytes of a bundle. The person has named the URL, or a registry has.
pub fn download(url: &str, is_named: bool, common: &Common) -> Result<Vec<u8>, Failure> {
    let limit = common.given_timeout.filter(|time| !time.is_zero()).unwrap_or(TIMEOUT);
    let begin = Instant::now();
    let mut url = url.to_owned();
    let is_local = is_loopback(&url);
    for step in 0..=REDIRECTS {
        let shown = one_line(&mcp::client::without_passwords(&url));
        if !is_safe(&url) || is_loopback(&url) != is_local {
            let why = match step {
                0 => "write a URL with https".to_owned(),
                _ => "a redirect led there, which is not followed".to_owned(),
            };
            return Err(Failure::usage(format!("'{shown}' is not fetched: {why}")));
        }
        let request = WebRequest {
            method: "GET".to_owned(),
            url: url.clone(),
            headers: vec![("accept".to_owned(), "*/*".to_owned())],
            body: Vec::new(),
            most_bytes: crate::bundle::MOST_ARCHIVE,
            timeout: limit.saturating_sub(begin.elapsed()),
            // A server of the web does not choose what is asked in this network.
            refuse_private: (step > 0 || !is_named) && !is_local,
        };
        let answer = web(request, &serde_json::json!({}))?;
        match answer.status {
            200 => return Ok(answer.body),
            301 | 302 | 303 | 307 | 308 => {
                url = next(&url, &answer.location).ok_or_else(|| {
                    Failure::unreached(format!(
                        "{shown}: the answer is a redirect without a usable Location ({})",
                        answer.status
                    ))
                })?;
            }
            404 => return Err(Failure::unreached(format!("{shown}: there is no such file (404)"))),
            status => return Err(Failure::unreached(format!("{shown}: the answer has the status {status}"))),
        }
    }
    Err(Failure::unreached(format!(
        "{} is behind more than {REDIRECTS} redirects",
        one_line(&mcp::client::without_passwords(&url))
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_from_https_or_this_machine() {
        for url in ["https://a.example/x", "http://127.0.0.1:8/x", "http://[::1]:8/x", "http://localhost/x"] {
            assert!(is_safe(url), "{url}");
        }
        for url in [
            "http://a.example/x",
            "http://127.0.0.1.example/",
            "ftp://a/",
            "https://u:p@h/",
            "http://localhost@a/",
        ] {
            assert!(!is_safe(url), "{url}");
        }
        assert_eq!(host_of("https://A.example:443/b"), "a.example");
    }

    #[test]
    fn a_redirect_is_whole_or_a_path() {
        for (location, is) in [
            ("https://b/y", Some("https://b/y")),
            ("/y?z", Some("https://a:1/y?z")),
            ("//b/y", Some("https://b/y")),
            ("/login?next=https://x/", Some("https://a:1/login?next=https://x/")),
            ("?next=https://x/", None),
            ("y", None),
            ("", None),
        ] {
            assert_eq!(next("https://a:1/x", location).as_deref(), is, "{location}");
        }
    }
}
