//! What a server is told in confidence, and may repeat in a response that is shown because it is not an MCP answer: some pages of errors have
//! the whole request in them.

use super::address::Address;
use super::header::{Header, MCP_SESSION_ID};
use hyper::header::{HeaderMap, HeaderValue};
use std::cmp::Reverse;
use std::sync::Arc;

/// Shorter texts would take half of every sentence with them, and are no secrets.
const LEAST: usize = 8;

/// What a request said in confidence, kept until its answer is read: most answers are not for showing.
#[derive(Debug)]
pub struct Redaction {
    base: Arc<HeaderMap>,
    request: Vec<Header>,
    cookies: Option<HeaderValue>,
}

impl Redaction {
    /// What these headers have that only their server is to know, with the cookies that it set itself.
    pub fn of(base: &Arc<HeaderMap>, request: &[Header], cookies: Option<HeaderValue>) -> Redaction {
        let confidential = |name: &str| matches!(name, "authorization" | "dpop" | MCP_SESSION_ID);
        let request = request.iter().filter(|it| confidential(&it.name)).cloned().collect();
        Redaction { base: Arc::clone(base), request, cookies }
    }

    /// A body without what was said in confidence to this address.
    pub fn redact(&self, body: &[u8], to: &Address) -> Vec<u8> {
        let cookies = self.cookies.as_ref().and_then(|value| value.to_str().ok());
        redact(body, &sent(&self.base, &self.request, cookies, to))
    }
}

/// What a request said that only its server is to know: tokens and other headers of the application's (`base`), the session, and
/// the values of the query, where some services have their keys.
fn sent(base: &HeaderMap, request: &[Header], cookies: Option<&str>, to: &Address) -> Vec<String> {
    let of_server = cookies.map(|value| ("cookie", value));
    let of_request = request.iter().map(|it| (&*it.name, &*it.value)).chain(of_server);
    let of_config = base
        .iter()
        .filter(|(_, value)| value.is_sensitive())
        .filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
    let query = to.target().split_once('?').map_or("", |(_, query)| query);
    let of_query = query.split('&').map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value));
    // As it is written, and as a server reads it.
    let of_query = of_query.flat_map(|value| [value.to_owned(), decoded(value)]);
    let mut secrets: Vec<String> = of_request
        .chain(of_config)
        .flat_map(|(name, value)| parts(name, value))
        .map(str::to_owned)
        .chain(of_query)
        .filter(|secret| secret.len() >= LEAST)
        .collect();
    // One may have another in it.
    secrets.sort_by_key(|secret| Reverse(secret.len()));
    secrets
}

/// What of a header's value is not to be shown, by itself too: credentials without their scheme, each cookie.
fn parts<'v>(name: &str, value: &'v str) -> Vec<&'v str> {
    match name {
        "authorization" | "proxy-authorization" => {
            vec![value.split_once(' ').map_or(value, |(_, credentials)| credentials)]
        }
        "cookie" => {
            let cookies = value.split(';').filter_map(|pair| pair.split_once('='));
            cookies.map(|(_, value)| value.trim()).chain([value]).collect()
        }
        _ => vec![value],
    }
}

/// What a value of the query spells.
fn decoded(value: &str) -> String {
    let mut spelled = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.first_chunk::<2>().and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.filter(|_| byte == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        rest = if code.is_some() { after.get(2..).unwrap_or_default() } else { after };
        spelled.push(code.unwrap_or(if byte == b'+' { b' ' } else { byte }));
    }
    String::from_utf8_lossy(&spelled).into_owned()
}

/// A body without these texts.
fn redact(body: &[u8], secrets: &[String]) -> Vec<u8> {
    let mut text = String::from_utf8_lossy(body).into_owned();
    for secret in secrets {
        text = text.replace(secret, "…");
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn concealed(body: &str) -> String {
        let mut base = HeaderMap::new();
        let mut key = HeaderValue::from_static("config-key-1");
        key.set_sensitive(true);
        base.insert("x-api-key", key);
        let mut cookie = HeaderValue::from_static("session=cookie secret; theme=darkest-blue");
        cookie.set_sensitive(true);
        base.insert("cookie", cookie);
        base.insert("user-agent", HeaderValue::from_static("libmcp/1.2.3"));
        let request = [
            Header::new("authorization", "Bearer token-abcdef"),
            Header::new(MCP_SESSION_ID, "session-123"),
            Header::new("accept", "application/json"),
        ];
        let to = Address::parse("https://a.example/mcp?key=query-key-7&v=1&p=a%2Fb%20c%2Bd%2Fe")
            .expect("an address");
        let redaction =
            Redaction::of(&Arc::new(base), &request, Some(HeaderValue::from_static("lb=backend-number-7")));
        String::from_utf8(redaction.redact(body.as_bytes(), &to)).expect("a text")
    }

    #[test]
    fn what_a_server_repeats_of_what_it_was_told_is_not_shown() {
        let said = "POST /mcp?key=query-key-7&amp;v=1, Bearer token-abcdef, config-key-1, session-123, libmcp/1.2.3, \
             session=cookie secret; theme=darkest-blue, cookie secret, darkest-blue, a/b c+d/e, a%2Fb%20c%2Bd%2Fe, backend-number-7";
        let shown = "POST /mcp?key=…&amp;v=1, Bearer …, …, …, libmcp/1.2.3, …, …, …, …, …, …";
        assert_eq!(concealed(said), shown);
    }
}
