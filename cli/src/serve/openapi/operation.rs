//! An operation: the request that a call of its tool becomes, and the result that the answer becomes.

use super::Base;
use super::credentials::Credential;
use crate::folders::encoded;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcp::client::json_text::quote;
use mcp::client::{WebRequest, web};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// What is sent of an answer to a model at most, and how long an API has.
const MOST_OUTPUT: usize = 1 << 20;
const TIMEOUT: Duration = Duration::from_secs(60);
/// Headers that belong to the connection, and that OpenAPI gives to other parts of the file.
const RESERVED: [&str; 14] = [
    "accept",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "proxy-authorization",
];

/// Where a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Path,
    Query,
    Header,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// `a,b`, or each with the name again.
    Plain { explode: bool, between: char },
    /// `name[member]=value`.
    Deep,
    /// JSON text.
    Json,
}

/// A parameter.
#[derive(Debug)]
pub struct Parameter {
    argument: String,
    pub name: String,
    pub place: Place,
    style: Style,
}

impl Parameter {
    /// Whether a header is not one of the caller.
    pub fn is_reserved(name: &str) -> bool {
        RESERVED.contains(&name.to_ascii_lowercase().as_str())
    }

    /// `style` is what the file says of it: a name, `explode`, and whether it is JSON.
    pub fn new(
        argument: String,
        name: &str,
        place: Place,
        style: (Option<&str>, Option<bool>, bool),
    ) -> Parameter {
        let (style, explode, is_json) = style;
        let style = match style {
            _ if is_json => Style::Json,
            Some("deepObject") => Style::Deep,
            Some("spaceDelimited") => Style::Plain { explode: explode == Some(true), between: ' ' },
            Some("pipeDelimited") => Style::Plain { explode: explode == Some(true), between: '|' },
            _ => Style::Plain { explode: explode.unwrap_or(place == Place::Query), between: ',' },
        };
        Parameter { argument, name: name.to_owned(), place, style }
    }

    /// The value in one text.
    fn text(&self, value: &Value) -> String {
        let Style::Plain { explode, between } = self.style else { return value.to_string() };
        let between = between.to_string();
        match value {
            Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(&between),
            Value::Object(members) => {
                let equals = if explode { "=" } else { &between };
                members
                    .iter()
                    .map(|(name, value)| format!("{name}{equals}{}", plain(value)))
                    .collect::<Vec<_>>()
                    .join(&between)
            }
            value => plain(value),
        }
    }

    /// The members of a query.
    fn pairs(&self, value: &Value) -> Vec<(String, String)> {
        let name = || self.name.clone();
        match (self.style, value) {
            (Style::Deep, Value::Object(members)) => members
                .iter()
                .map(|(member, value)| (format!("{}[{member}]", self.name), plain(value)))
                .collect(),
            (Style::Plain { explode: true, .. }, Value::Array(list)) => {
                list.iter().map(|value| (name(), plain(value))).collect()
            }
            (Style::Plain { explode: true, .. }, Value::Object(members)) => {
                members.iter().map(|(member, value)| (member.clone(), plain(value))).collect()
            }
            _ => vec![(name(), self.text(value))],
        }
    }
}

/// The body of a request.
#[derive(Debug)]
pub struct Body {
    pub argument: String,
    pub media: String,
}

impl Body {
    /// How good a media type is for a body; `None` if it cannot be sent.
    pub fn rank(media: &str) -> Option<u8> {
        match media.split(';').next().unwrap_or_default().trim() {
            "application/json" => Some(0),
            _ if is_json(media) => Some(1),
            "application/x-www-form-urlencoded" => Some(2),
            "*/*" => Some(3),
            media if media.starts_with("text/") => Some(4),
            _ => None,
        }
    }
}

/// Whether a media type is JSON.
pub fn is_json(media: &str) -> bool {
    let media = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    media == "application/json" || media == "text/json" || media.ends_with("+json")
}

/// An operation.
#[derive(Debug)]
pub struct Operation {
    method: String,
    base: Base,
    path: String,
    parameters: Vec<Parameter>,
    body: Option<Body>,
    credentials: Vec<Arc<Credential>>,
}

impl Operation {
    pub fn new(
        method: &str,
        base: &Base,
        path: &str,
        (parameters, body): (Vec<Parameter>, Option<Body>),
        credentials: Vec<Arc<Credential>>,
    ) -> Operation {
        Operation {
            method: method.to_uppercase(),
            base: base.clone(),
            path: path.to_owned(),
            parameters,
            body,
            credentials,
        }
    }

    /// The request of a call.
    ///
    /// # Errors
    /// An argument that cannot be sent.
    pub fn request(&self, arguments: &Map<String, Value>) -> Result<WebRequest, String> {
        let (mut path, mut query) = (self.path.clone(), Vec::new());
        let accept = "application/json, text/*;q=0.9, */*;q=0.5".to_owned();
        let mut headers = vec![("accept".to_owned(), accept)];
        for parameter in &self.parameters {
            let Some(value) = arguments.get(&parameter.argument).filter(|value| !value.is_null()) else {
                continue;
            };
            match parameter.place {
                Place::Path => {
                    let text = parameter.text(value);
                    // These mean another path.
                    if text.is_empty() || text == "." || text == ".." {
                        return Err(format!(
                            "the argument '{}' cannot be {} in a path",
                            parameter.argument,
                            quote(&text)
                        ));
                    }
                    path = path.replace(&format!("{{{}}}", parameter.name), &encoded(&text));
                }
                Place::Query => {
                    let pairs = parameter.pairs(value);
                    // The members of an object are what the caller calls them.
                    pairs.iter().try_for_each(|(name, _)| self.is_free(parameter, name))?;
                    query.extend(pairs);
                }
                Place::Header => {
                    self.is_free(parameter, &parameter.name)?;
                    let text = parameter.text(value);
                    if text.contains(|c: char| c.is_control() || !c.is_ascii()) {
                        return Err(format!(
                            "the argument '{}' is a header, which has printable ASCII only",
                            parameter.argument
                        ));
                    }
                    headers.push((parameter.name.to_ascii_lowercase(), text));
                }
            }
        }
        if path.contains('{') {
            return Err("an argument of the path is missing".to_owned());
        }
        let body = match &self.body {
            Some(body) => {
                arguments.get(&body.argument).filter(|value| !value.is_null()).map(|value| (body, value))
            }
            None => None,
        };
        let mut sent = Vec::new();
        if let Some((body, value)) = body {
            let is_form = body.media.starts_with("application/x-www-form-urlencoded");
            sent = match value {
                Value::Object(members) if is_form => pairs_of(members).into_bytes(),
                Value::String(text) if !is_json(&body.media) && !is_form => text.clone().into_bytes(),
                value => value.to_string().into_bytes(),
            };
            let media = if body.media == "*/*" { "application/json" } else { &body.media };
            headers.push(("content-type".to_owned(), media.to_owned()));
        }
        let mut cookies = Vec::new();
        for credential in &self.credentials {
            match credential.place {
                _ if credential.is_cookie => {
                    cookies.push(format!("{}={}", credential.name, encoded(&credential.value)));
                }
                Place::Query => query.push((credential.name.clone(), credential.value.clone())),
                Place::Header | Place::Path => {
                    headers.push((credential.name.to_ascii_lowercase(), credential.value.clone()));
                }
            }
        }
        if !cookies.is_empty() {
            headers.push(("cookie".to_owned(), cookies.join("; ")));
        }
        let query: Vec<String> =
            query.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
        let behind = format!("{}{path}{query}", self.base.path);
        // Without a slash between them the host would be another one.
        if !behind.starts_with('/') {
            return Err(format!("the path {} does not begin with '/'", quote(&behind)));
        }
        Ok(WebRequest {
            method: self.method.clone(),
            url: format!("{}{behind}", self.base.origin),
            headers,
            body: sent,
            most_bytes: MOST_OUTPUT,
            timeout: TIMEOUT,
            refuse_private: false,
        })
    }

    /// Refuses an argument that would be sent in the place of a credential.
    fn is_free(&self, parameter: &Parameter, name: &str) -> Result<(), String> {
        match self.credentials.iter().any(|credential| credential.fills(parameter.place, name)) {
            false => Ok(()),
            true => Err(format!(
                "an argument has the name of a credential: '{}' would be sent as {}",
                parameter.argument,
                quote(name)
            )),
        }
    }

    /// Makes a call; its result, JSON text.
    pub fn call(&self, request: Result<WebRequest, String>) -> String {
        let failed = |what: &str| result(what, None, true);
        let request = match request {
            Ok(request) => request,
            Err(why) => return failed(&why),
        };
        match web(request, &json!({})) {
            Err(error) => failed(&self.hidden(&error.message)),
            Ok(answer) => self.result(answer.status, &answer.content_type, answer.body),
        }
    }

    /// The result of a call.
    fn result(&self, status: u16, media: &str, body: Vec<u8>) -> String {
        let is_error = !(200..300).contains(&status);
        let kind = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if !is_error && (kind.starts_with("image/") || kind.starts_with("audio/")) {
            // Some images are text, such as SVG.
            let body = match String::from_utf8(body) {
                Ok(text) => self.hidden(&text).into_bytes(),
                Err(bytes) => bytes.into_bytes(),
            };
            let block =
                json!({"type": kind.split('/').next(), "mimeType": kind, "data": STANDARD.encode(body)});
            return json!({ "content": [block] }).to_string();
        }
        let Ok(text) = String::from_utf8(body) else {
            return result(
                &format!("HTTP {status} with bytes of the type {kind}, which are no text"),
                None,
                is_error,
            );
        };
        let text = self.hidden(&text);
        if is_error {
            let what = if (300..400).contains(&status) { " (a redirect, which is not followed)" } else { "" };
            let text = text.trim();
            let between = if text.is_empty() { "" } else { ": " };
            return result(&format!("HTTP {status}{what}{between}{text}"), None, true);
        }
        let is_object = is_json(media) && serde_json::from_str::<Map<String, Value>>(&text).is_ok();
        let said = if text.is_empty() { format!("HTTP {status}") } else { text.clone() };
        result(&said, is_object.then_some(text.as_str()), false)
    }

    fn hidden(&self, text: &str) -> String {
        self.credentials.iter().fold(text.to_owned(), |text, credential| credential.hidden_in(&text))
    }
}

fn result(text: &str, structured: Option<&str>, is_error: bool) -> String {
    let mut made = format!("{{\"content\":[{{\"type\":\"text\",\"text\":{}}}]", quote(text));
    if let Some(structured) = structured {
        let _infallible = write!(made, ",\"structuredContent\":{}", structured.trim());
    }
    if is_error {
        made.push_str(",\"isError\":true");
    }
    made.push('}');
    made
}

/// A value in a text.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        value => value.to_string(),
    }
}

/// An object as a form.
fn pairs_of(members: &Map<String, Value>) -> String {
    let mut pairs = Vec::new();
    for (name, value) in members {
        match value {
            Value::Array(list) => pairs.extend(list.iter().map(|one| (name, plain(one)))),
            value => pairs.push((name, plain(value))),
        }
    }
    pairs
        .iter()
        .map(|(name, value)| format!("{}={}", encoded(name), encoded(value)))
        .collect::<Vec<_>>()
        .join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(parameters: Vec<Parameter>, body: Option<Body>) -> Operation {
        let base = Base::of("https://api.example/v1/").expect("a URL");
        Operation::new("post", &base, "/users/{id}/x", (parameters, body), Vec::new())
    }

    fn parameter(name: &str, place: Place, style: Option<&str>, explode: Option<bool>) -> Parameter {
        Parameter::new(name.to_owned(), name, place, (style, explode, false))
    }

    #[test]
    fn c39_arguments_are_written_as_the_file_says_and_never_become_another_path() {
        let url = |value: Value, parameter: Parameter| {
            let all =
                vec![Parameter::new("id".to_owned(), "id", Place::Path, (None, None, false)), parameter];
            let arguments = json!({"id": "7", "q": value});
            operation(all, None).request(arguments.as_object().expect("an object")).map(|it| it.url)
        };
        let query = |style, explode| parameter("q", Place::Query, style, explode);
        for (value, parameter, end) in [
            (json!("a b&c=d"), query(None, None), "?q=a%20b%26c%3Dd"),
            (serde_json::from_str("1.50").expect("a number"), query(None, None), "?q=1.50"),
            (json!(null), query(None, None), ""),
            (json!(["a", 2]), query(None, None), "?q=a&q=2"),
            (json!(["a", 2]), query(None, Some(false)), "?q=a%2C2"),
            (json!(["a", 2]), query(Some("pipeDelimited"), None), "?q=a%7C2"),
            (json!({"a": 1}), query(Some("deepObject"), None), "?q%5Ba%5D=1"),
            (json!({"a": 1, "b": 2}), query(None, None), "?a=1&b=2"),
            (json!({"a": 1}), query(None, Some(false)), "?q=a%2C1"),
            (
                json!({"a": 1}),
                Parameter::new("q".to_owned(), "q", Place::Query, (None, None, true)),
                "?q=%7B%22a%22%3A1%7D",
            ),
        ] {
            assert_eq!(url(value, parameter), Ok(format!("https://api.example/v1/users/7/x{end}")));
        }
        let id = |id: &str| {
            let all = vec![parameter("id", Place::Path, None, None)];
            operation(all, None).request(json!({ "id": id }).as_object().expect("an object")).map(|it| it.url)
        };
        assert_eq!(id("a/../b?x#y"), Ok("https://api.example/v1/users/a%2F..%2Fb%3Fx%23y/x".to_owned()));
        for bad in ["..", ".", ""] {
            assert!(id(bad).is_err(), "{bad}");
        }
        assert!(operation(Vec::new(), None).request(&Map::new()).is_err(), "nothing is in the path's place");
        let header =
            vec![parameter("id", Place::Path, None, None), parameter("x-a", Place::Header, None, None)];
        let arguments = json!({"id": "7", "x-a": "b\r\nhost: evil"});
        assert!(operation(header, None).request(arguments.as_object().expect("an object")).is_err());
    }

    #[test]
    fn c39_what_does_not_stand_behind_the_host_is_not_asked() {
        let base = Base::of("https://api.example").expect("a URL");
        for (path, is_asked) in
            [("/x", true), ("/", true), (".evil.example/x", false), (":8443/x", false), ("", false)]
        {
            let made =
                Operation::new("get", &base, path, (Vec::new(), None), Vec::new()).request(&Map::new());
            assert_eq!(made.is_ok_and(|it| it.url.starts_with("https://api.example/")), is_asked, "{path}");
        }
    }

    #[test]
    fn c39_a_body_is_json_a_form_or_text() {
        for (media, value, sent) in [
            ("application/json", json!({"a": [1, "b"]}), r#"{"a":[1,"b"]}"#),
            ("application/vnd.x+json", json!("a"), "\"a\""),
            ("application/x-www-form-urlencoded", json!({"a": "b c", "d": [1, 2]}), "a=b%20c&d=1&d=2"),
            ("text/plain", json!("as it is"), "as it is"),
        ] {
            let body = Some(Body { argument: "body".to_owned(), media: media.to_owned() });
            let all = vec![parameter("id", Place::Path, None, None)];
            let arguments = json!({"id": 1, "body": value});
            let made =
                operation(all, body).request(arguments.as_object().expect("an object")).expect("a request");
            assert_eq!(String::from_utf8_lossy(&made.body), sent);
            assert!(made.headers.contains(&("content-type".to_owned(), media.to_owned())));
        }
    }

    #[test]
    fn c39_an_answer_becomes_a_result() {
        let all = operation(Vec::new(), None);
        for (status, media, body, made) in [
            (
                200,
                "application/json; charset=utf-8",
                "{\"a\":1}",
                r#"{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}"#,
            ),
            (200, "application/json", "[1]", r#"{"content":[{"type":"text","text":"[1]"}]}"#),
            (204, "", "", r#"{"content":[{"type":"text","text":"HTTP 204"}]}"#),
            (
                404,
                "text/plain",
                "not here\n",
                r#"{"content":[{"type":"text","text":"HTTP 404: not here"}],"isError":true}"#,
            ),
            (
                302,
                "",
                "",
                r#"{"content":[{"type":"text","text":"HTTP 302 (a redirect, which is not followed)"}],"isError":true}"#,
            ),
            (200, "image/png", "x", r#"{"content":[{"data":"eA==","mimeType":"image/png","type":"image"}]}"#),
        ] {
            assert_eq!(all.result(status, media, body.as_bytes().to_vec()), made);
        }
        assert!(all.result(200, "application/x", vec![0xff]).contains("no text"));
        assert!(all.result(200, "image/png", vec![0xff]).contains(r#""data":"/w==""#));
    }
}
