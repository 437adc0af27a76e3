//! The answers of documents, and what is done with every answer before it goes out: it is counted, and while the server drains it
//! is the last one of its connection.

use super::body::ServerBody;
use super::documents::ServedDocument;
use super::endpoint::HttpEndpoint;
use super::responses::refused;
use crate::protocol::error_code;
use crate::transport::http_server::refusal::Refusal;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL,
    CONNECTION, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH,
};
use hyper::{Method, Response, StatusCode, Version};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// The methods of a document.
const METHODS: &str = "GET, HEAD";

/// The entity tag of a text.
fn tag_of(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}

/// Whether a value of `If-None-Match` names a tag; a weak one is enough.
fn names(known: &HeaderValue, tag: &str) -> bool {
    let Ok(known) = known.to_str() else { return false };
    known.split(',').map(str::trim).any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
}

impl HttpEndpoint {
    /// The document at a path; `None` if there is none. Health and counters are for programs only: no page reads them.
    pub(super) fn document(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
        authority: Option<&str>,
    ) -> Option<Response<ServerBody>> {
        let document = self.settings.documents.at(path, &self.settings.path)?;
        let guard = &self.settings.guard;
        let checked = match document {
            ServedDocument::Health | ServedDocument::Metrics => guard.check(headers, authority),
            ServedDocument::Public(..) => guard.check_host(headers, authority),
        };
        let is_options = method == Method::OPTIONS && matches!(document, ServedDocument::Public(..));
        let mut response = match checked {
            Err(refusal) => return Some(refused(&refusal, None)),
            Ok(()) if is_options => empty(StatusCode::NO_CONTENT),
            Ok(()) if method != Method::GET && method != Method::HEAD => {
                return Some(refused(&Refusal::method(METHODS), None));
            }
            Ok(()) => match document {
                ServedDocument::Health => self.health(),
                ServedDocument::Metrics => self.metrics(),
                ServedDocument::Public(media, text) => {
                    let tag = tag_of(text);
                    let is_known = headers.get_all(IF_NONE_MATCH).iter().any(|known| names(known, &tag));
                    let mut response = match is_known {
                        true => empty(StatusCode::NOT_MODIFIED),
                        false => of_type(media, text.to_owned()),
                    };
                    if let Ok(tag) = HeaderValue::try_from(tag) {
                        response.headers_mut().insert(ETAG, tag);
                    }
                    let cached = HeaderValue::from_static("public, max-age=3600");
                    response.headers_mut().insert(CACHE_CONTROL, cached);
                    response
                }
            },
        };
        if matches!(document, ServedDocument::Public(..)) {
            let shown = response.headers_mut();
            shown.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            shown.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET"));
            shown.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type"));
        } else {
            response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        if method == Method::HEAD {
            *response.body_mut() = ServerBody::empty();
        }
        Some(response)
    }

    fn health(&self) -> Response<ServerBody> {
        if self.is_leaving() {
            let mut response = of_type("text/plain", "draining\n".to_owned());
            *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
            return response;
        }
        of_type("text/plain", "serving\n".to_owned())
    }

    fn metrics(&self) -> Response<ServerBody> {
        match self.serving() {
            Ok(serving) => of_type("text/plain; version=0.0.4; charset=utf-8", serving.metrics()),
            Err(refusal) => refused(&refusal, None),
        }
    }

    fn is_leaving(&self) -> bool {
        self.serving().map_or(true, |serving| serving.is_leaving())
    }

    /// An answer is about to go out: it is counted, and while the server drains the last one of its connection. HTTP/2 says so
    /// with GOAWAY.
    pub(super) fn going_out(&self, version: Version, response: &mut Response<ServerBody>) {
        self.meters.answered(response.status());
        if matches!(response.body(), ServerBody::Events(_)) {
            self.meters.streams.add(1);
        }
        if version == Version::HTTP_11 && self.is_leaving() {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
    }

    /// What is at no path.
    pub(super) fn nothing_at(path: &str) -> Refusal {
        let text = format!("there is nothing at '{}'", path.chars().take(100).collect::<String>());
        Refusal::new(StatusCode::NOT_FOUND, error_code::INVALID_REQUEST, text)
    }
}

fn empty(status: StatusCode) -> Response<ServerBody> {
    let mut response = Response::new(ServerBody::empty());
    *response.status_mut() = status;
    response
}

fn of_type(media: &'static str, text: String) -> Response<ServerBody> {
    let mut response = Response::new(ServerBody::text(text.into_bytes()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media));
    response
}
