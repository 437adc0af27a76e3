//! The server as its own authorization server (`login`): metadata, registration, a page that needs no person, tokens, which a
//! service gets for its signature (`service-key`) and which may be bound to a key (`dpop`). What a client leaves out or gets wrong
//! is refused as OAuth 2.1 says, and noted.

use std::collections::HashMap;
use std::sync::Mutex;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::http::{Answer, Request};
use crate::script::Script;
use crate::server::{Server, lock};
use crate::signatures;

/// What was given out. It outlives a change of the script, and no restart.
#[derive(Default)]
pub struct Logins {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// The redirect URIs of each client.
    clients: HashMap<String, Vec<String>>,
    codes: HashMap<String, Code>,
    /// With the key that each is bound to.
    tokens: HashMap<String, Option<String>>,
}

/// What a code was given out for; it works once.
struct Code {
    client: String,
    redirect_uri: String,
    challenge: String,
    resource: String,
    scope: String,
}

impl Logins {
    /// Whether the request has a token that was given out, and proves that it has the key of that.
    pub fn admit(&self, request: &Request) -> bool {
        let given = request.header("authorization").and_then(|value| value.split_once(' '));
        let Some((scheme, token)) = given else { return false };
        match lock(&self.known).tokens.get(token) {
            None => false,
            Some(None) => scheme == "Bearer",
            Some(Some(key)) => {
                scheme == "DPoP" && signatures::proven_key(request, Some(token)).as_ref() == Ok(key)
            }
        }
    }

    /// No token that was given out is taken any more.
    pub fn end(&self) {
        lock(&self.known).tokens.clear();
    }
}

/// The answer of one of the authorization server's pages; none for the paths of others.
pub fn reply(server: &Server, request: &Request) -> Option<Answer> {
    let script = server.script();
    let person = script.text("login")?;
    let origin = origin(request);
    Some(match (request.method.as_str(), request.path()) {
        ("GET", "/.well-known/oauth-protected-resource/mcp") => {
            let other = script.text("authorization-server");
            Answer::json(200, &resource(&origin, other.unwrap_or(&origin)))
        }
        ("GET", "/.well-known/oauth-authorization-server") => Answer::json(200, &metadata(&origin, &script)),
        ("POST", "/register") => register(server, request),
        ("GET", "/authorize") => authorize(server, request, &origin, person),
        ("POST", "/token") => token(server, request, &origin),
        ("POST", "/revoke") => revoke(server, request, &origin),
        _ => return None,
    })
}

/// Where the client says that it reaches us.
pub fn origin(request: &Request) -> String {
    format!("http://{}", request.header("host").unwrap_or("127.0.0.1"))
}

fn resource(origin: &str, authorization_server: &str) -> Value {
    json!({
        "resource": format!("{origin}/mcp"),
        "authorization_servers": [authorization_server],
        "scopes_supported": ["mcp:use"],
        "bearer_methods_supported": ["header"],
    })
}

fn metadata(origin: &str, script: &Script) -> Value {
    let mut metadata = json!({
        "issuer": origin,
        "authorization_endpoint": format!("{origin}/authorize"),
        "token_endpoint": format!("{origin}/token"),
        "registration_endpoint": format!("{origin}/register"),
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": true,
    });
    if script.has("service-key") {
        metadata["grant_types_supported"] = json!(["client_credentials"]);
        metadata["token_endpoint_auth_methods_supported"] = json!(["private_key_jwt"]);
        metadata["token_endpoint_auth_signing_alg_values_supported"] = json!(["ES256"]);
        metadata["revocation_endpoint"] = json!(format!("{origin}/revoke"));
    }
    if script.has("dpop") {
        metadata["dpop_signing_alg_values_supported"] = json!(["ES256"]);
    }
    metadata
}

fn register(server: &Server, request: &Request) -> Answer {
    let wanted: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let redirects: Option<Vec<String>> = wanted["redirect_uris"]
        .as_array()
        .map(|uris| uris.iter().filter_map(|uri| Some(uri.as_str()?.to_owned())).collect());
    let Some(redirects) = redirects.filter(|uris| !uris.is_empty()) else {
        server.stats.complain("a registration without redirect_uris".to_owned());
        return Answer::json(400, &json!({ "error": "invalid_redirect_uri" }));
    };
    let id = format!("client-{}", server.number());
    let answer = json!({
        "client_id": id,
        "redirect_uris": redirects,
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code"],
        "response_types": ["code"],
    });
    lock(&server.logins.known).clients.insert(id, redirects);
    Answer::json(201, &answer)
}

/// The page that a browser opens. The person has decided already, as the script says.
fn authorize(server: &Server, request: &Request, origin: &str, person: &str) -> Answer {
    let given = form(request.target.split_once('?').map_or("", |(_, query)| query));
    let get = |name: &str| given.get(name).cloned().unwrap_or_default();
    let wrong = |why: String| {
        server.stats.complain(format!("authorize: {why}"));
        Answer::of(400, "text/plain", why)
    };
    let mut known = lock(&server.logins.known);
    let redirect_uri = get("redirect_uri");
    let Some(redirects) = known.clients.get(&get("client_id")) else {
        return wrong(format!("the client {:?} is not registered", get("client_id")));
    };
    if !redirects.contains(&redirect_uri) {
        return wrong(format!("the redirect {redirect_uri:?} is not registered"));
    }
    let script = server.script();
    let resource = script.text("login-resource").map_or_else(|| format!("{origin}/mcp"), str::to_owned);
    for (name, value) in
        [("response_type", "code"), ("code_challenge_method", "S256"), ("resource", resource.as_str())]
    {
        if get(name) != value {
            return wrong(format!("{name} is {:?} and not {value:?}", get(name)));
        }
    }
    if get("code_challenge").is_empty() || get("state").is_empty() {
        return wrong("there is no code_challenge or no state".to_owned());
    }
    let outcome = if person == "yes" {
        let code = format!("code-{}", server.number());
        let given_for = Code {
            client: get("client_id"),
            redirect_uri: redirect_uri.clone(),
            challenge: get("code_challenge"),
            resource,
            scope: given.get("scope").cloned().unwrap_or_else(|| "mcp:use".to_owned()),
        };
        known.codes.insert(code.clone(), given_for);
        format!("code={code}")
    } else {
        "error=access_denied&error_description=The+person+said+no".to_owned()
    };
    let joint = if redirect_uri.contains('?') { '&' } else { '?' };
    let to = format!("{redirect_uri}{joint}{outcome}&state={}&iss={}", encode(&get("state")), encode(origin));
    Answer::of(302, "text/plain", "Back to the program\n").with("Location", to)
}

fn token(server: &Server, request: &Request, origin: &str) -> Answer {
    let refuse = |(error, why): (&str, String)| {
        server.stats.complain(format!("token: {why}"));
        Answer::json(400, &json!({ "error": error, "error_description": why }))
    };
    let given = form(&String::from_utf8_lossy(&request.body));
    let script = server.script();
    let granted = match script.text("service-key") {
        Some(key) => service(&given, key, origin),
        None => redeem(server, &given),
    };
    let scope = match granted {
        Ok(scope) => scope,
        Err(wrong) => return refuse(wrong),
    };
    let key = if script.has("dpop") {
        match signatures::proven_key(request, None) {
            Ok(key) => Some(key),
            Err(why) => return refuse(("invalid_dpop_proof", why)),
        }
    } else {
        None
    };
    let kind = if key.is_some() { "DPoP" } else { "Bearer" };
    let token = format!("token-{}", server.number());
    lock(&server.logins.known).tokens.insert(token.clone(), key);
    let answer = json!({ "access_token": token, "token_type": kind, "expires_in": 3600, "scope": scope });
    Answer::json(200, &answer).with("Cache-Control", "no-store")
}

/// Why there is no token: the error of RFC 6749, and a text.
type Wrong = (&'static str, String);

/// The scope of what a code was given out for.
fn redeem(server: &Server, given: &HashMap<String, String>) -> Result<String, Wrong> {
    let get = |name: &str| given.get(name).cloned().unwrap_or_default();
    if get("grant_type") != "authorization_code" {
        return Err(("unsupported_grant_type", "the grant is no authorization_code".to_owned()));
    }
    let mut known = lock(&server.logins.known);
    let Some(code) = known.codes.remove(&get("code")) else {
        return Err(("invalid_grant", "the code is not known, or was used".to_owned()));
    };
    let digest = ring::digest::digest(&ring::digest::SHA256, get("code_verifier").as_bytes());
    let checks = [
        ("client_id", get("client_id") == code.client),
        ("redirect_uri", get("redirect_uri") == code.redirect_uri),
        ("resource", get("resource") == code.resource),
        ("code_verifier", URL_SAFE_NO_PAD.encode(digest) == code.challenge),
    ];
    if let Some((name, _)) = checks.iter().find(|(_, holds)| !holds) {
        return Err(("invalid_grant", format!("{name} is not what the code was given out for")));
    }
    Ok(code.scope)
}

/// The scope of a service, which has no person and shows its key.
fn service(given: &HashMap<String, String>, key: &str, origin: &str) -> Result<String, Wrong> {
    let get = |name: &str| given.get(name).cloned().unwrap_or_default();
    if get("grant_type") != "client_credentials" {
        return Err(("unsupported_grant_type", "the grant is no client_credentials".to_owned()));
    }
    signatures::client(&get("client_assertion"), key, origin).map_err(|why| ("invalid_client", why))?;
    Ok("mcp:use".to_owned())
}

/// RFC 7009: of a service, which shows its key here too.
fn revoke(server: &Server, request: &Request, origin: &str) -> Answer {
    let given = form(&String::from_utf8_lossy(&request.body));
    let get = |name: &str| given.get(name).cloned().unwrap_or_default();
    let script = server.script();
    let key = script.text("service-key").unwrap_or_default();
    if let Err(why) = signatures::client(&get("client_assertion"), key, origin) {
        server.stats.complain(format!("revoke: {why}"));
        return Answer::json(401, &json!({ "error": "invalid_client", "error_description": why }));
    }
    lock(&server.logins.known).tokens.remove(&get("token"));
    Answer::json(200, &json!({}))
}

/// The fields of a form or a query, decoded.
fn form(text: &str) -> HashMap<String, String> {
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (decode(name), decode(value))).collect()
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match (first, code.and_then(|digits| u8::from_str_radix(digits, 16).ok())) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            (b'+', _) => bytes.push(b' '),
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn encode(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{decode, encode, form};

    #[test]
    fn a_query_is_read_as_it_was_meant() {
        let form = form("a=http%3A%2F%2Fx%2Fy&b=1+2&c=%zz&d=");
        assert_eq!(form["a"], "http://x/y");
        assert_eq!(form["b"], "1 2");
        assert_eq!(form["c"], "%zz");
        assert_eq!(form["d"], "");
    }

    #[test]
    fn what_is_encoded_comes_back() {
        let text = "http://127.0.0.1:80/a?b=ü&c";
        assert_eq!(decode(&encode(text)), text);
    }
}
