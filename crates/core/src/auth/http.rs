//! One HTTP exchange of a login as data: the request, its form or query (`application/x-www-form-urlencoded`; RFC 6749,
//! appendix B), and the response.

use super::client::assertion::Unsigned;
use super::failure::{Cause, Failure, LoginStep, shown_without};
use super::token::Secret;
use crate::protocol::address::Address;
use serde_json::{Map, Value};
use std::fmt::{self, Write as _};
use std::net::IpAddr;
use std::time::Duration;

/// The largest document or answer that is read.
pub const ANSWER_BYTES: usize = 256 * 1024;
/// How deep a document may nest; `serde_json` itself stops at 128.
const DEPTH: usize = 32;

/// The method of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// A document.
    Get,
    /// A form, or a registration.
    Post,
}

impl Method {
    /// The method as it is sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
        }
    }
}

/// A request to perform. Redirects are not followed by who performs it, cookies are neither sent nor kept, and nothing
/// of it is logged but its method, URL and step.
#[derive(Clone)]
pub struct Request {
    /// Which answer belongs to it.
    pub id: u64,
    /// What it is for.
    pub step: LoginStep,
    /// The method.
    pub method: Method,
    /// Where to.
    pub url: Address,
    /// Names in lower case. The values may be secret.
    pub headers: Vec<(&'static str, Secret)>,
    /// Its body.
    pub body: Option<Secret>,
    /// What the application is to sign before it is sent: the form in the body lacks its `client_assertion`.
    pub unsigned: Option<Unsigned>,
    /// Whether to refuse when the host's name leads to an address for which [`is_private`](super::is_private) holds. The
    /// connection must then go to just the address that was checked.
    pub refuse_private: bool,
    /// The longest body of an answer that is read.
    pub most_bytes: usize,
    /// How long all of it may take.
    pub timeout: Duration,
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Request({} {} {} for {}, …)", self.id, self.method.as_str(), self.url, self.step.as_str())
    }
}

/// What came back.
#[derive(Clone, Default)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers; the case of their names does not matter.
    pub headers: Vec<(String, String)>,
    /// All of the body.
    pub body: Vec<u8>,
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Answer({}, {} bytes)", self.status, self.body.len())
    }
}

/// Why nothing came back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The body is longer than the request permits.
    TooLarge,
    /// Not all of it came in time.
    TimedOut,
    /// The host's name leads to a private address, and the request refuses those.
    Private(IpAddr),
    /// No connection, none that is safe, or a broken one: why.
    Unreachable(String),
    /// The application did not sign what it was to sign: why. Nothing was sent.
    Unsigned(String),
}

impl Request {
    /// Puts the assertion in that the application signed.
    pub fn complete(&mut self, assertion: &Secret) {
        let body = self.body.as_ref().map_or("", Secret::expose);
        // Its letters need no encoding.
        self.body = Some(Secret::new(format!("{body}&client_assertion={}", assertion.expose())));
        self.unsigned = None;
    }
}

impl Answer {
    /// Takes out what it repeats of a secret that was sent and that this library does not know.
    pub fn conceal(&mut self, secret: &Secret) {
        let secret = secret.expose().as_bytes();
        let mut from = 0;
        while let Some(at) = self.body.get(from..).and_then(|rest| {
            rest.windows(secret.len().max(1)).position(|part| !secret.is_empty() && part == secret)
        }) {
            self.body.splice(from + at..from + at + secret.len(), "…".bytes());
            from += at;
        }
    }

    /// The value of a header that stands there once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(own, _)| own.eq_ignore_ascii_case(name));
        let first = values.next().map(|(_, value)| value.as_str());
        if values.next().is_some() { None } else { first }
    }

    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Whether the server says that it cannot right now, rather than that there is nothing.
    pub(crate) fn is_trouble(&self) -> bool {
        self.status >= 500 || self.status == 429
    }

    /// The body as an object, whatever the content type says: some serve JSON as text. What a server shows for every
    /// path it does not know is HTML and no object.
    pub(crate) fn object(&self) -> Option<Map<String, Value>> {
        if self.body.len() > ANSWER_BYTES {
            return None;
        }
        // Some write a byte order mark before it.
        let body = self.body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&self.body);
        crate::json::scan_object(body, &[], DEPTH, &mut []).ok()?;
        match serde_json::from_slice(body) {
            Ok(Value::Object(object)) => Some(object),
            _ => None,
        }
    }

    /// What an endpoint says: an object, or the form that some answer with whatever is asked for.
    pub(crate) fn fields(&self) -> Option<Map<String, Value>> {
        let kind = self.header("content-type").unwrap_or_default().to_ascii_lowercase();
        if !kind.starts_with("application/x-www-form-urlencoded") || self.body.len() > ANSWER_BYTES {
            return self.object();
        }
        let query = Query::parse(std::str::from_utf8(&self.body).ok()?);
        let once = query.names().filter_map(|name| {
            let value = query.one(name).ok().flatten()?;
            Some((name.to_owned(), Value::from(value.expose())))
        });
        Some(crate::json::inserted(once))
    }

    /// The kind of body, for errors.
    pub(crate) fn kind(&self) -> String {
        let kind = self.header("content-type").unwrap_or("no content type");
        format!("{} ({} bytes)", super::failure::shown(kind), self.body.len())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::TooLarge => f.write_str("the answer is longer than it may be"),
            Fault::TimedOut => f.write_str("no whole answer came in time"),
            Fault::Private(address) => {
                write!(f, "the name leads to {address}, a private address, which is not asked")
            }
            Fault::Unreachable(why) => f.write_str(&super::failure::shown(why)),
            Fault::Unsigned(why) => write!(f, "the application did not sign: {}", super::failure::shown(why)),
        }
    }
}

impl Fault {
    /// The failure that it is at a step.
    pub(crate) fn at(&self, step: LoginStep, url: &Address) -> Failure {
        match self {
            Fault::TooLarge => Failure::new(
                step,
                "size",
                format!("the answer of {url} is longer than {} KiB", ANSWER_BYTES / 1024),
            ),
            Fault::TimedOut => {
                Failure::new(step, "time", format!("{url} gave no whole answer in time")).because(Cause::TimedOut)
            }
            Fault::Private(address) => Failure::new(
                step,
                "public address",
                format!(
                    "{url} leads to {address}, which is on this machine or in a private network, and a server on the \
                     internet has no business there; 'auth.allow_private_addresses' permits it"
                ),
            )
            .values("a public address", &address.to_string()),
            Fault::Unsigned(why) => Failure::new(LoginStep::Application, "signature", super::failure::shown(why))
                .because(Cause::Unreachable),
            Fault::Unreachable(why) => {
                Failure::new(step, "connection", format!("{url} cannot be reached: {}", super::failure::shown(why)))
                    .because(Cause::Unreachable)
            }
        }
    }
}

/// What a server's refusal says (RFC 6749, section 5.2; RFC 7591, section 3.2.2), as a failure. What was sent in
/// confidence is taken out of its words.
pub(crate) fn refusal(step: LoginStep, url: &Address, answer: &Answer, sent: &Form) -> Failure {
    let secrets: Vec<&Secret> = sent.secrets().collect();
    let object = answer.fields().unwrap_or_default();
    // Some have a list of texts where one belongs.
    let shown = |value: &Value| {
        let first = value.as_array().and_then(|list| list.first()).unwrap_or(value);
        first.as_str().map(|text| shown_without(text, &secrets))
    };
    let text = |name: &str| object.get(name).and_then(shown);
    let code = text("error");
    // What services say that have errors of their own.
    let story = || {
        let first = object.get("errors").and_then(|errors| errors.get(0));
        let inner = object.get("error").or(first).and_then(|error| error.get("message")).and_then(shown);
        let own = ["message", "detail", "title", "error_message"].into_iter().find_map(text);
        let plain = || {
            let is_plain = answer.header("content-type").is_some_and(|kind| kind.starts_with("text/plain"));
            let said = std::str::from_utf8(&answer.body).ok().map(str::trim).filter(|said| !said.is_empty());
            said.filter(|_| is_plain && object.is_empty()).map(|said| shown_without(said, &secrets))
        };
        inner.or(own).or_else(plain)
    };
    let mut message = format!("{url} answered {}", answer.status);
    if let Some(code) = &code {
        message = format!("{message}, '{code}'");
    }
    if let Some(description) = text("error_description").or_else(story) {
        message = format!("{message}: {description}");
    } else if object.is_empty() {
        message = format!("{message} with {}", answer.kind());
    }
    let cause = if answer.is_trouble() { Cause::Unreachable } else { Cause::Refused };
    Failure::new(step, "answer", message).because(cause).code(code.as_deref())
}

/// The most parameters of a query that are read.
const MOST_PARAMETERS: usize = 64;

/// The parameters that are secrets.
const CONFIDENTIAL: [&str; 8] = [
    "assertion",
    "client_assertion",
    "client_secret",
    "code",
    "code_verifier",
    "device_code",
    "refresh_token",
    "subject_token",
];

/// The parameters of a request, in the order they were added.
#[derive(Clone, Default)]
pub(crate) struct Form(Vec<(&'static str, Secret)>);

impl Form {
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Form {
        self.0.push((name, Secret::new(value)));
        self
    }

    pub(crate) fn with_some(self, name: &'static str, value: Option<impl Into<String>>) -> Form {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The encoded text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.0 {
            if !text.is_empty() {
                text.push('&');
            }
            encode_into(name, &mut text);
            text.push('=');
            encode_into(value.expose(), &mut text);
        }
        text
    }

    /// The values that no error may show.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &Secret> {
        self.0.iter().filter(|(name, _)| CONFIDENTIAL.contains(name)).map(|(_, value)| value)
    }
}

/// One value, encoded. A space becomes `%20`, which readers of forms and of URLs understand alike.
pub(crate) fn encode(value: &str) -> String {
    let mut text = String::with_capacity(value.len() + 8);
    encode_into(value, &mut text);
    text
}

fn encode_into(value: &str, text: &mut String) {
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
}

/// The parameters of a query, decoded.
pub(crate) struct Query(Vec<(String, Secret)>);

/// Why a query's parameter has no single value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Repeated;

impl Query {
    pub(crate) fn parse(query: &str) -> Query {
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).take(MOST_PARAMETERS);
        Query(
            pairs
                .map(|pair| {
                    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                    (decode(name), Secret::new(decode(value)))
                })
                .collect(),
        )
    }

    /// The names, as often as they stand there.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// A parameter that may stand there once (RFC 6749, section 3.1). One without a value counts as absent.
    pub(crate) fn one(&self, name: &str) -> Result<Option<&Secret>, Repeated> {
        let mut values = self.0.iter().filter(|(own, _)| own == name).map(|(_, value)| value);
        let first = values.next();
        if values.next().is_some() {
            return Err(Repeated);
        }
        Ok(first.filter(|value| !value.is_empty()))
    }
}

/// Undoes the encoding; what is not text afterwards becomes U+FFFD, and what is not an escape stays.
fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'+' => decoded.push(b' '),
            b'%' => {
                let digit = |at: usize| bytes.get(at).and_then(|digit| char::from(*digit).to_digit(16));
                match (digit(at), digit(at + 1)) {
                    (Some(high), Some(low)) => {
                        decoded.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
                        at += 2;
                    }
                    _ => decoded.push(b'%'),
                }
            }
            other => decoded.push(other),
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn answer(status: u16, body: &str) -> Answer {
        Answer { status, headers: vec![("Content-Type".into(), "text/plain".into())], body: body.into() }
    }

    #[test]
    fn what_went_wrong_is_said_in_words_on_one_line() {
        let why = || "the connection\nwas refused".to_owned();
        let all = [
            (Fault::TooLarge, "the answer is longer than it may be"),
            (Fault::TimedOut, "no whole answer came in time"),
            (
                Fault::Private([10, 0, 0, 1].into()),
                "the name leads to 10.0.0.1, a private address, which is not asked",
            ),
            (Fault::Unreachable(why()), "the connection\u{fffd}was refused"),
            (Fault::Unsigned(why()), "the application did not sign: the connection\u{fffd}was refused"),
        ];
        for (fault, words) in all {
            assert_eq!(fault.to_string(), words);
        }
    }

    #[test]
    fn nothing_secret_is_shown() {
        let request = Request {
            id: 7,
            step: LoginStep::Token,
            method: Method::Post,
            url: Address::parse("https://as.example/token").expect("an address"),
            headers: vec![("authorization", Secret::new("Basic c2VjcmV0"))],
            body: Some(Secret::new("code=hunter2")),
            unsigned: None,
            refuse_private: true,
            most_bytes: 1,
            timeout: Duration::ZERO,
        };
        assert_eq!(format!("{request:?}"), "Request(7 POST https://as.example/token for token request, …)");
        assert_eq!(format!("{:?}", answer(200, r#"{"access_token":"hunter2"}"#)), "Answer(200, 26 bytes)");
    }

    #[test]
    fn a_refusal_is_told_in_the_servers_words_without_what_it_was_sent() {
        let url = Address::parse("https://as.example/token").expect("an address");
        let form = Form::default().with("refresh_token", "hunter2");
        let told = |answer: Answer| refusal(LoginStep::Refresh, &url, &answer, &form);
        let failure = told(answer(400, r#"{"error":"invalid_grant","error_description":"no hunter2\n"}"#));
        assert_eq!(failure.message, "https://as.example/token answered 400, 'invalid_grant': no …\u{fffd}");
        assert_eq!(failure.code.as_deref(), Some("invalid_grant"));
        assert!(!failure.retryable());
        let page =
            Answer { headers: vec![("content-type".into(), "text/html".into())], ..answer(502, "<html>") };
        let failure = told(page);
        assert_eq!(failure.message, "https://as.example/token answered 502 with text/html (6 bytes)");
        assert!(failure.retryable());
        for (body, message) in [
            (r#"{"error":{"code":7,"message":"closed, hunter2"}}"#, "closed, …"),
            (r#"{"code":"E7","message":"closed"}"#, "closed"),
            (r#"{"errors":[{"code":7,"message":"closed, hunter2"},{"message":"b"}]}"#, "closed, …"),
            (r#"{"errors":{"0":1},"message":["closed","b"]}"#, "closed"),
            (r#"{"error_description":["closed","b"]}"#, "closed"),
            (r#"{"type":"about:blank","title":"Bad","detail":"closed"}"#, "closed"),
            ("closed for\u{1b}[2J hunter2\n", "closed for\u{fffd}[2J …"),
        ] {
            assert_eq!(
                told(answer(400, body)).message,
                format!("https://as.example/token answered 400: {message}")
            );
        }
        let form = vec![("content-type".into(), "application/x-www-form-urlencoded; charset=utf-8".into())];
        let body = b"error=bad_code&error_description=it+is%20over&x=1&x=2".to_vec();
        let failure = told(Answer { status: 200, headers: form, body });
        assert_eq!(failure.message, "https://as.example/token answered 200, 'bad_code': it is over");
    }

    #[test]
    fn an_assertion_is_put_into_the_form_and_an_answer_does_not_show_it() {
        let mut request = Request {
            id: 1,
            step: LoginStep::Token,
            method: Method::Post,
            url: Address::parse("https://as.example/token").expect("an address"),
            headers: Vec::new(),
            body: Some(Secret::new("a=b")),
            unsigned: None,
            refuse_private: true,
            most_bytes: 1,
            timeout: Duration::ZERO,
        };
        let assertion = Secret::new("aa.bb.cc");
        request.complete(&assertion);
        assert_eq!(request.body.as_ref().map(Secret::expose), Some("a=b&client_assertion=aa.bb.cc"));
        let mut said = answer(400, r#"{"error_description":"aa.bb.cc and aa.bb.cc, not aa.bb.c"}"#);
        said.conceal(&assertion);
        assert_eq!(said.body, r#"{"error_description":"… and …, not aa.bb.c"}"#.as_bytes());
        said.conceal(&Secret::default());
    }

    #[test]
    fn a_header_that_comes_twice_has_no_value() {
        let mut answer = answer(200, "");
        assert_eq!(answer.header("content-type"), Some("text/plain"));
        answer.headers.push(("content-TYPE".into(), "x".into()));
        assert_eq!(answer.header("content-type"), None);
    }

    #[test]
    fn only_an_object_is_one_and_depth_is_bounded() {
        assert!(answer(200, r#" {"a":[1]} "#).object().is_some());
        for body in ["<html></html>", "[]", "", "{", "null"] {
            assert_eq!(answer(200, body).object(), None, "{body}");
        }
        let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(100), "]".repeat(100));
        assert_eq!(answer(200, &deep).object(), None);
    }

    proptest! {
        #[test]
        fn no_body_panics(body in proptest::collection::vec(any::<u8>(), 0..200), status in any::<u16>()) {
            let url = Address::parse("https://as.example/token").expect("an address");
            let answer = Answer { status, headers: Vec::new(), body };
            let _ = refusal(LoginStep::Token, &url, &answer, &Form::default());
        }
    }

    #[test]
    fn a_form_is_written_in_order() {
        let form = Form::default().with("a", "x y").with_some("b", Some("ü&=")).with_some("c", None::<&str>);
        assert_eq!(form.text(), "a=x%20y&b=%C3%BC%26%3D");
    }

    #[test]
    fn a_parameter_that_comes_twice_has_no_value() {
        let query = Query::parse("a=1&b=&a=2&c=x+y%2B&d");
        assert_eq!(query.one("a"), Err(Repeated));
        assert_eq!(query.one("b"), Ok(None));
        assert_eq!(query.one("c").map(|value| value.map(Secret::expose)), Ok(Some("x y+")));
        assert_eq!(query.one("d"), Ok(None));
        assert_eq!(query.one("e"), Ok(None));
    }

    proptest! {
        #[test]
        fn what_is_encoded_comes_back(value in any::<String>()) {
            prop_assert_eq!(decode(&encode(&value)), value);
        }

        #[test]
        fn no_query_panics(text in any::<String>()) {
            let _ = Query::parse(&text).one("code");
        }
    }
}
