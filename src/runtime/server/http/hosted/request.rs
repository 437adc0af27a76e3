//! The parts of a request as values, as a server of the program has read them: checked again, since what follows relies on it.

use super::super::limits::HEADERS;
use super::super::request_body::RequestBody;
use crate::protocol::error_code;
use crate::protocol::visible::is_hidden;
use crate::transport::http_server::refusal::Refusal;
use hyper::header::{CONTENT_LENGTH, HeaderName, HeaderValue};
use hyper::{Method, Request, StatusCode, Uri};

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
    pub(super) fn body_length(&self) -> Option<u64> {
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
    pub(in crate::runtime::server::http) fn request(
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
            .map_err(|_| Refusal::bad(format!("'{}' is no method of HTTP", shown(self.method))))?;
        let target = Uri::try_from(self.target)
            .map_err(|_| Refusal::bad(format!("'{}' is no target of a request", shown(self.target))))?;
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
