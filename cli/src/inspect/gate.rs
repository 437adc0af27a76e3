//! Who may reach what of the page's server.
//!
//! Any page of any site can send requests to an address of this machine, and any name can be made to lead here (DNS rebinding). So a
//! request counts only if it names this server as the person does, comes from the page itself, and for all that is not the page's own
//! files has the token of this run.

use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderName, ORIGIN};
use hyper::{HeaderMap, Method, StatusCode};

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const DESTINATION: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A file of the page: the same for every caller.
    File,
    /// What the page reads and does.
    Api,
    /// The document of an app, in a frame of the page: under another name, which is another origin.
    App,
}

/// The path of what only the page may use, and that of documents of apps.
pub const API: &str = "/api/";
pub const APP: &str = "/app/";

/// Which part of the server a path names.
pub fn part(path: &str) -> Part {
    if path.starts_with(API) {
        Part::Api
    } else if path.starts_with(APP) {
        Part::App
    } else {
        Part::File
    }
}

/// The SHA-256 of a token, so that comparing tells nothing of the token itself.
pub fn digest(token: &str) -> Vec<u8> {
    ring::digest::digest(&ring::digest::SHA256, token.as_bytes()).as_ref().to_vec()
}

/// Refuses a request, with the status and the reason.
pub fn check(
    method: &Method,
    path: &str,
    headers: &HeaderMap,
    token: &[u8],
) -> Result<Part, (StatusCode, &'static str)> {
    let one = |name: &HeaderName| {
        let mut all = headers.get_all(name).iter();
        match (all.next(), all.next()) {
            (None, _) => Ok(None),
            (Some(only), None) => only.to_str().map(Some).map_err(|_| ()),
            (Some(_), Some(_)) => Err(()),
        }
    };
    let bad = (StatusCode::BAD_REQUEST, "a header of this request is repeated, or is not text");
    let header = |name: &HeaderName| one(name).map_err(|()| bad);
    let host = header(&HOST)?.unwrap_or_default();
    let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
    let part = part(path);
    // A forwarded port may have another number here than there.
    if port.is_empty() || !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err((StatusCode::MISDIRECTED_REQUEST, "the Host of this request is not one of this server"));
    }
    match (name, part) {
        ("127.0.0.1", Part::File | Part::Api) | ("localhost", Part::App) => {}
        ("127.0.0.1" | "localhost", _) => {
            return Err((StatusCode::NOT_FOUND, "there is nothing at this path"));
        }
        _ => {
            return Err((
                StatusCode::MISDIRECTED_REQUEST,
                "the Host of this request is not one of this server",
            ));
        }
    }
    if part == Part::App {
        let is_for = |what: &str| header(&DESTINATION).map(|it| it.is_none_or(|it| it == what));
        let is_shown = *method == Method::GET && is_for("iframe")?;
        // The browser says what the policy of an app refused. No page can send this type elsewhere without being asked first.
        let is_report = *method == Method::POST
            && is_for("report")?
            && header(&CONTENT_TYPE)? == Some("application/csp-report");
        return match is_shown || is_report {
            true => Ok(part),
            false => Err((StatusCode::FORBIDDEN, "an app is shown by the page only")),
        };
    }
    let foreign = (StatusCode::FORBIDDEN, "this request comes from another page");
    if header(&ORIGIN)?.is_some_and(|origin| origin.strip_prefix("http://") != Some(host)) {
        return Err(foreign);
    }
    let sites: &[&str] = if part == Part::File { &["same-origin", "none"] } else { &["same-origin"] };
    // A link to the page, as from the file that leads a browser to it, is not a request for its content: it is a document of its own in a tab of
    // its own, and has no token.
    let is_link = path == "/" && *method == Method::GET && header(&DESTINATION)? == Some("document");
    if header(&SITE)?.is_some_and(|site| !sites.contains(&site) && !is_link) {
        return Err(foreign);
    }
    if part == Part::File {
        return match *method {
            Method::GET | Method::HEAD => Ok(part),
            _ => Err((StatusCode::METHOD_NOT_ALLOWED, "files are only read")),
        };
    }
    let given = header(&AUTHORIZATION)?.and_then(|given| given.strip_prefix("Bearer ")).unwrap_or_default();
    if digest(given) != token {
        return Err((
            StatusCode::UNAUTHORIZED,
            "the token is not that of this run; open the address that `mcp inspect` prints",
        ));
    }
    match *method {
        Method::GET => Ok(part),
        Method::POST if header(&CONTENT_TYPE)? == Some("application/json") => Ok(part),
        Method::POST => {
            Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body of a request is JSON (application/json)"))
        }
        _ => Err((StatusCode::METHOD_NOT_ALLOWED, "this server knows GET and POST")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    fn checked(method: &Method, path: &str, headers: &[(HeaderName, &str)]) -> u16 {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, HeaderValue::from_str(value).expect("a value"));
        }
        check(method, path, &map, &digest("secret")).map_or_else(|(status, _)| status.as_u16(), |_| 200)
    }

    #[test]
    fn w21_host_origin_site_and_token_must_all_be_those_of_the_page() {
        let hosts = [
            ("127.0.0.1:8000", true),
            ("127.0.0.1", true),
            ("localhost:8000", false),
            ("evil.example:8000", false),
            ("127.0.0.1.evil.example:8000", false),
            ("127.0.0.1:8000@evil.example", false),
            ("[::1]:8000", false),
            ("[::ffff:127.0.0.1]:8000", false),
            ("127.0.0.1.:8000", false),
            ("localhost.:8000", false),
            ("LOCALHOST:8000", false),
            ("127.1:8000", false),
            ("2130706433:8000", false),
            ("0x7f.0.0.1:8000", false),
            ("0.0.0.0:8000", false),
            ("127.0.0.1:8000, evil.example", false),
            ("evil.example, 127.0.0.1:8000", false),
            ("127.0.0.1:8000/", false),
            ("127.0.0.1:+80", false),
            ("127.0.0.1:", false),
            ("", false),
        ];
        let origins = [
            None,
            Some(("page", true)),
            Some(("http://evil.example", false)),
            Some(("null", false)),
            Some(("https", false)),
            Some(("http://localhost:8000", false)),
        ];
        let sites = [
            None,
            Some(("same-origin", true)),
            Some(("same-site", false)),
            Some(("cross-site", false)),
            Some(("none", false)),
        ];
        let tokens = [
            None,
            Some(("Bearer secret", true)),
            Some(("Bearer other", false)),
            Some(("secret", false)),
            Some(("Bearer ", false)),
        ];
        let mut passed = 0;
        for (host, host_fits) in hosts {
            for origin in origins {
                for site in sites {
                    for token in tokens {
                        let of_page = format!("http://{host}");
                        let with_tls = format!("https://{host}");
                        let mut headers = vec![(HOST, host), (CONTENT_TYPE, "application/json")];
                        if let Some((origin, _)) = origin {
                            let value = match origin {
                                "page" => &*of_page,
                                "https" => &*with_tls,
                                other => other,
                            };
                            headers.push((ORIGIN, value));
                        }
                        headers.extend(site.map(|(site, _)| (SITE, site)));
                        headers.extend(token.map(|(token, _)| (AUTHORIZATION, token)));
                        let fits = host_fits
                            && origin.is_none_or(|(_, fits)| fits)
                            && site.is_none_or(|(_, fits)| fits)
                            && token.is_some_and(|(_, fits)| fits);
                        for method in [Method::GET, Method::POST] {
                            let status = checked(&method, "/api/records", &headers);
                            assert_eq!(status == 200, fits, "{method} {headers:?}: {status}");
                        }
                        // The page's files have no secret, and still no other page frames or reads them.
                        let file = checked(&Method::GET, "/", &headers) == 200;
                        let from_here = origin.is_none_or(|(_, fits)| fits)
                            && site.is_none_or(|(site, fits)| fits || site == "none");
                        assert_eq!(file, host_fits && from_here, "{headers:?}");
                        passed += usize::from(fits);
                    }
                }
            }
        }
        assert_eq!(passed, 2 * 2 * 2);
    }

    #[test]
    fn w21_what_is_done_is_posted_as_json() {
        let with = |method: Method, kind: &str| {
            let headers = [(HOST, "127.0.0.1:1"), (AUTHORIZATION, "Bearer secret"), (CONTENT_TYPE, kind)];
            checked(&method, "/api/call", &headers)
        };
        assert_eq!(with(Method::POST, "application/json"), 200);
        for kind in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "application/json; charset=utf-8",
        ] {
            assert_eq!(with(Method::POST, kind), 415, "{kind}");
        }
        for method in [Method::PUT, Method::DELETE, Method::OPTIONS, Method::HEAD] {
            assert_eq!(with(method.clone(), "application/json"), 405, "{method}");
        }
        let twice = [(HOST, "127.0.0.1:1"), (HOST, "evil.example"), (AUTHORIZATION, "Bearer secret")];
        assert_eq!(checked(&Method::GET, "/api/records", &twice), 400);
    }

    #[test]
    fn w20_each_path_answers_under_its_own_name_only() {
        for (host, path, destination, status) in [
            ("127.0.0.1:1", "/", None, 200),
            ("localhost:1", "/", None, 404),
            ("localhost:1", "/api/records", None, 404),
            ("localhost:1", "/app/x", Some("iframe"), 200),
            ("localhost:1", "/app/x", Some("document"), 403),
            ("127.0.0.1:1", "/app/x", Some("iframe"), 404),
            ("evil.example", "/app/x", Some("iframe"), 421),
        ] {
            let mut headers = vec![(HOST, host)];
            headers.extend(destination.map(|it| (DESTINATION, it)));
            assert_eq!(checked(&Method::GET, path, &headers), status, "{host} {path} {destination:?}");
        }
        for (kind, destination, status) in [
            ("application/csp-report", "report", 200),
            ("application/csp-report", "empty", 403),
            ("application/json", "report", 403),
            ("text/plain", "report", 403),
        ] {
            let headers = [(HOST, "localhost:1"), (CONTENT_TYPE, kind), (DESTINATION, destination)];
            assert_eq!(checked(&Method::POST, "/app/x", &headers), status, "{kind} {destination}");
        }
        // A link of another page leads to the page, in a tab of its own, and to nothing else.
        for (path, destination, status) in [
            ("/", "document", 200),
            ("/", "iframe", 403),
            ("/", "script", 403),
            ("/main.js", "script", 403),
            ("/main.js", "document", 403),
            ("/api/records", "document", 403),
        ] {
            let headers = [
                (HOST, "127.0.0.1:1"),
                (SITE, "cross-site"),
                (DESTINATION, destination),
                (AUTHORIZATION, "Bearer secret"),
            ];
            assert_eq!(checked(&Method::GET, path, &headers), status, "{path} {destination}");
        }
    }
}
