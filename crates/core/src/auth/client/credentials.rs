//! Our client at an authorization server: its id, where the id comes from, how the client authenticates, and how it is registered
//! (2026-07-28 `basic/authorization`, "Client Registration Approaches"; RFC 7591).

use super::assertion::{self, Assertion, Unsigned};
use super::metadata::{DEVICE_CODE, ServerMetadata};
use super::settings::{AuthMethod, ClientKey, Identity};
use crate::auth::failure::{Failure, LoginStep, shown};
use crate::auth::http::{Answer, Form, encode};
use crate::auth::jose::base64;
use crate::auth::token::Secret;
use crate::auth::url_policy;
use crate::protocol::address::Address;
use serde_json::{Value, json};

/// What a client that is for devices only names where a server registers no client without a redirect URI. Nothing is sent there.
const REDIRECT_OF_DEVICE: &str = "http://127.0.0.1/callback";
/// The longest id or secret that is taken.
const LONGEST: usize = 4096;

/// Where a client id comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ClientIdSource {
    /// The configuration; it belongs to one authorization server.
    Configured,
    /// It is the URL of a document, and good everywhere.
    Document,
    /// The authorization server gave it to us.
    Registered,
}

/// One client id with what belongs to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ClientRegistration {
    pub id: String,
    pub secret: Option<Secret>,
    /// When the secret ends, in Unix seconds.
    pub expires: Option<u64>,
    pub method: AuthMethod,
    pub source: ClientIdSource,
    /// What it was registered with; none for a device.
    pub redirect_uri: Option<String>,
}

/// A request with who we are in it.
pub(super) struct Proven {
    pub form: Form,
    /// For `Authorization`.
    pub header: Option<Secret>,
    /// The assertion that is still missing in the form.
    pub unsigned: Option<Unsigned>,
}

impl ClientRegistration {
    /// The configured one, if there is one.
    pub(super) fn configured(
        identity: &Identity,
        server: &ServerMetadata,
    ) -> Result<Option<ClientRegistration>, Failure> {
        let Some(id) = &identity.client_id else { return Ok(None) };
        Ok(Some(ClientRegistration {
            id: id.clone(),
            secret: identity.client_secret.clone(),
            expires: None,
            method: method(identity, server)?,
            source: ClientIdSource::Configured,
            redirect_uri: None,
        }))
    }

    /// The one whose id is the URL of a document, if there is one and the server takes it.
    pub(super) fn document(identity: &Identity, server: &ServerMetadata) -> Option<ClientRegistration> {
        let url = identity.metadata_url.as_ref().filter(|_| server.takes_documents)?;
        let method = if identity.key.is_some() { AuthMethod::PrivateKeyJwt } else { AuthMethod::None };
        Some(ClientRegistration {
            id: url.clone(),
            secret: None,
            expires: None,
            method: identity.method.unwrap_or(method),
            source: ClientIdSource::Document,
            redirect_uri: None,
        })
    }

    /// Has the client send its secret in another place, if it has one and there is one that was not `tried` yet. A client without one has
    /// an empty one, which a server may want to see (RFC 6749, section 2.3.1).
    pub(super) fn prove_otherwise(&mut self, tried: u32, misses_secret: bool) -> bool {
        if self.secret.is_none() && self.method == AuthMethod::None && misses_secret {
            (self.secret, self.method) = (Some(Secret::default()), AuthMethod::Post);
            return true;
        }
        self.method = match (self.method, tried) {
            (AuthMethod::Basic | AuthMethod::None, 0) => AuthMethod::Post,
            (AuthMethod::Post, 0) => AuthMethod::Basic,
            (AuthMethod::Basic | AuthMethod::Post, 1) => AuthMethod::BasicAndId,
            _ => return false,
        };
        self.secret.as_ref().is_some_and(|secret| !secret.is_empty())
    }

    /// Whether a registration can still be used: with this redirect URI, or by a device.
    pub(super) fn is_good(&self, redirect_uri: Option<&str>, now: u64) -> bool {
        self.source == ClientIdSource::Registered
            && self.redirect_uri.as_deref() == redirect_uri
            && self.expires.is_none_or(|end| now < end)
    }

    /// Puts the client's proof into a request to a token endpoint (RFC 6749, section 2.3.1; RFC 7523, section 2.2).
    pub(super) fn prove(
        &self,
        form: Form,
        audience: &str,
        key: Option<&ClientKey>,
        now: u64,
    ) -> Result<Proven, Failure> {
        let in_form = |form: Form| Proven { form, header: None, unsigned: None };
        let secret = self.secret.as_ref().map(Secret::expose);
        match (self.method, secret) {
            (AuthMethod::None, _) => Ok(in_form(form.with("client_id", &self.id))),
            (method @ (AuthMethod::Basic | AuthMethod::BasicAndId), Some(secret)) => {
                let names_itself = method == AuthMethod::BasicAndId;
                let form = form.with_some("client_id", names_itself.then_some(&*self.id));
                let pair = Secret::new(format!("{}:{}", encode(&self.id), encode(secret)));
                let header = Some(Secret::new(format!("Basic {}", base64(pair.expose().as_bytes()))));
                Ok(Proven { form, header, unsigned: None })
            }
            (AuthMethod::Post, Some(secret)) => {
                Ok(in_form(form.with("client_id", &self.id).with("client_secret", secret)))
            }
            (AuthMethod::Basic | AuthMethod::BasicAndId | AuthMethod::Post, None) => Err(Failure::new(
                LoginStep::Token,
                "client_secret",
                format!(
                    "'{}' wants the client to prove itself with a secret ({}), and there is none; set 'auth.client_secret'",
                    shown(audience),
                    self.method.as_str()
                ),
            )),
            (AuthMethod::PrivateKeyJwt, _) => {
                let form = form
                    .with("client_id", &self.id)
                    .with("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
                match assertion::make(&self.id, audience, key, now)? {
                    Assertion::Signed(text) => Ok(in_form(form.with("client_assertion", text.expose()))),
                    Assertion::Unsigned(unsigned) => {
                        Ok(Proven { form, header: None, unsigned: Some(unsigned) })
                    }
                }
            }
        }
    }
}

/// How the configured client proves itself: as configured, else as the server takes it.
fn method(identity: &Identity, server: &ServerMetadata) -> Result<AuthMethod, Failure> {
    if let Some(method) = identity.method {
        return Ok(method);
    }
    if identity.key.is_some() {
        return Ok(AuthMethod::PrivateKeyJwt);
    }
    if identity.client_secret.is_none() {
        return Ok(AuthMethod::None);
    }
    pick(&[AuthMethod::Basic, AuthMethod::Post], server, "auth.token_endpoint_auth_method")
}

/// The first of `ours` that the server takes. One that does not say takes the first of RFC 8414's default.
fn pick(ours: &[AuthMethod], server: &ServerMetadata, key: &str) -> Result<AuthMethod, Failure> {
    let Some(theirs) = &server.auth_methods else {
        let usual = ours.iter().find(|method| **method == AuthMethod::Basic);
        return Ok(usual.or(ours.first()).copied().unwrap_or(AuthMethod::None));
    };
    let taken = |method: &&AuthMethod| theirs.iter().any(|name| name == method.as_str());
    ours.iter().find(taken).copied().ok_or_else(|| {
        let ours: Vec<&str> = ours.iter().map(|method| method.as_str()).collect();
        let (ours, theirs) = (ours.join(", "), theirs.join(", "));
        Failure::new(
            LoginStep::ServerMetadata,
            "token_endpoint_auth_methods_supported",
            format!(
                "'{}' takes {}, and this client can do {ours}; '{key}' chooses another",
                shown(&server.issuer.name),
                shown(&theirs)
            ),
        )
        .values(&ours, &theirs)
    })
}

/// What we ask to be registered as (RFC 7591, section 2), without a redirect URI for a device. `least` leaves out what a server may
/// refuse, or for a device names what a server may demand of every client.
pub(super) fn registration(
    identity: &Identity,
    server: &ServerMetadata,
    redirect_uri: Option<&str>,
    dpop: bool,
    least: bool,
) -> Result<Value, Failure> {
    let method = match &server.auth_methods {
        // A public client: a secret in a program that people install is not secret.
        None => AuthMethod::None,
        Some(_) => pick(
            // Servers that take both often want the id in the form.
            &[AuthMethod::None, AuthMethod::Post, AuthMethod::Basic],
            server,
            "auth.client_id and auth.token_endpoint_auth_method",
        )?,
    };
    let name = if identity.name.is_empty() { "libmcp" } else { &identity.name };
    let (redirect_uris, grants) = match (redirect_uri, least) {
        (Some(uri), false) => (vec![uri], vec!["authorization_code", "refresh_token"]),
        (Some(uri), true) => (vec![uri], vec!["authorization_code"]),
        (None, false) => (Vec::new(), vec![DEVICE_CODE, "refresh_token"]),
        (None, true) => (vec![REDIRECT_OF_DEVICE], vec!["authorization_code", DEVICE_CODE, "refresh_token"]),
    };
    let application_type = identity.application_type.unwrap_or_else(|| application_type(redirect_uri));
    let mut body = json!({
        "client_name": name,
        "grant_types": grants,
        "response_types": if redirect_uris.is_empty() { &[][..] } else { &["code"][..] },
        "token_endpoint_auth_method": identity.method.unwrap_or(method).as_str(),
        "application_type": application_type,
    });
    if !redirect_uris.is_empty() {
        body["redirect_uris"] = json!(redirect_uris);
    }
    if !least && dpop {
        body["dpop_bound_access_tokens"] = true.into();
    }
    Ok(body)
}

/// `native` for devices, this machine and schemes of an application's own, `web` for the rest (Dynamic Client Registration of `OpenID`
/// Connect, section 2).
fn application_type(redirect_uri: Option<&str>) -> &'static str {
    match redirect_uri.map(Address::parse) {
        Some(Ok(place)) if !url_policy::is_loopback(&place.origin().host) => "web",
        _ => "native",
    }
}

/// What the server registered.
pub(super) fn registered(
    url: &Address,
    answer: &Answer,
    redirect_uri: Option<String>,
) -> Result<ClientRegistration, Failure> {
    let failed = |check: &'static str, what: &str| {
        Failure::new(LoginStep::Registration, check, format!("{url} answered {} {what}", answer.status))
    };
    let Some(object) = answer.object() else {
        return Err(failed("answer", &format!("with no JSON object but {}", answer.kind())));
    };
    let text = |name: &str| {
        object.get(name).and_then(Value::as_str).filter(|text| !text.is_empty() && text.len() <= LONGEST)
    };
    // Some number their clients.
    let number = || object.get("client_id").filter(|id| id.is_u64()).map(Value::to_string);
    let id = text("client_id").map(str::to_owned).or_else(number);
    let id = id.ok_or_else(|| failed("client_id", "without a usable 'client_id'"))?;
    let secret = text("client_secret").map(Secret::new);
    let said = text("token_endpoint_auth_method");
    let method = match (said.map(|name| (name, AuthMethod::parse(name))), &secret) {
        (Some((_, Some(method))), _) => method,
        // Whatever it is called there: what has a secret may send it.
        (Some((_, None)) | None, Some(_)) => AuthMethod::Basic,
        (Some((name, None)), None) => {
            let what = format!("with the unknown method '{}'", shown(name));
            return Err(failed("token_endpoint_auth_method", &what));
        }
        (None, None) => AuthMethod::None,
    };
    // Some say that the client has a secret to send and give none.
    let method =
        if secret.is_none() && method != AuthMethod::PrivateKeyJwt { AuthMethod::None } else { method };
    let expires = object.get("client_secret_expires_at").and_then(Value::as_u64).filter(|end| *end > 0);
    Ok(ClientRegistration { id, secret, expires, method, source: ClientIdSource::Registered, redirect_uri })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::client::settings::KeyOf;
    use crate::auth::jose::Algorithm;
    use crate::auth::url_policy::{Policy, UrlPermissions};

    fn server(methods: Option<&[&str]>) -> ServerMetadata {
        let at = Address::parse("https://as.example").expect("an address");
        let auth_methods = methods.map(|methods| methods.iter().map(|name| (*name).to_owned()).collect());
        let policy = Policy::new(&at, UrlPermissions::default());
        ServerMetadata {
            auth_methods,
            ..ServerMetadata::guessed("https://as.example", &at, &policy).expect("safe")
        }
    }

    fn identity(secret: Option<&str>) -> Identity {
        Identity {
            client_id: Some("me:1".to_owned()),
            client_secret: secret.map(Secret::new),
            ..Identity::default()
        }
    }

    fn client(secret: Option<&str>, methods: Option<&[&str]>) -> Result<ClientRegistration, Failure> {
        ClientRegistration::configured(&identity(secret), &server(methods))
            .map(|client| client.expect("configured"))
    }

    #[test]
    fn the_server_decides_how_a_secret_is_sent_and_basic_is_the_default() {
        let method =
            |methods| client(Some("s"), methods).map(|client| client.method).map_err(|error| error.check);
        assert_eq!(method(None), Ok(AuthMethod::Basic));
        assert_eq!(method(Some(&["client_secret_post"])), Ok(AuthMethod::Post));
        assert_eq!(method(Some(&["client_secret_post", "client_secret_basic"])), Ok(AuthMethod::Basic));
        assert_eq!(method(Some(&["tls_client_auth"])), Err("token_endpoint_auth_methods_supported"));
        assert_eq!(client(None, None).expect("public").method, AuthMethod::None);
    }

    #[test]
    fn basic_encodes_id_and_secret_like_a_form() {
        let client = client(Some("p@ss"), None).expect("a client");
        let proven = client.prove(Form::default(), "https://as.example", None, 0).expect("proven");
        assert_eq!(proven.header.expect("a header").expose(), format!("Basic {}", base64(b"me%3A1:p%40ss")));
        assert_eq!(proven.form.text(), "");
    }

    #[test]
    fn post_and_none_put_the_id_into_the_form() {
        let proven = client(Some("s&"), Some(&["client_secret_post"]))
            .and_then(|client| client.prove(Form::default(), "https://as.example", None, 0))
            .expect("proven");
        assert_eq!(proven.form.text(), "client_id=me%3A1&client_secret=s%26");
        assert_eq!(proven.header, None);
        let proven = client(None, None)
            .and_then(|client| client.prove(Form::default(), "https://as.example", None, 0))
            .expect("proven");
        assert_eq!(proven.form.text(), "client_id=me%3A1");
    }

    #[test]
    fn an_assertion_that_the_application_signs_is_left_out_of_the_form() {
        let key = ClientKey { key: KeyOf::Application(Algorithm::Es256), id: None };
        let identity = Identity { key: Some(key), ..identity(None) };
        let client =
            ClientRegistration::configured(&identity, &server(None)).expect("fine").expect("configured");
        assert_eq!(client.method, AuthMethod::PrivateKeyJwt);
        let proven = client
            .prove(Form::default(), "https://as.example", identity.key.as_ref(), 1000)
            .expect("all but signed");
        assert!(
            proven.unsigned.is_some_and(|it| it.client_id == "me:1" && it.audience == "https://as.example")
        );
        assert!(proven.form.text().ends_with("%3Ajwt-bearer"), "{}", proven.form.text());
    }

    #[test]
    fn a_registration_says_what_kind_of_application_we_are() {
        let body = |uri: &str, least| {
            registration(&Identity::default(), &server(None), Some(uri), true, least).expect("a body")
        };
        let native = body("http://127.0.0.1:4711/callback", false);
        assert_eq!(native["application_type"], "native");
        assert_eq!(native["grant_types"], json!(["authorization_code", "refresh_token"]));
        assert_eq!(native["redirect_uris"], json!(["http://127.0.0.1:4711/callback"]));
        assert_eq!(native["dpop_bound_access_tokens"], true);
        assert_eq!(body("com.example.app:/callback", true)["application_type"], "native");
        let device =
            |least| registration(&Identity::default(), &server(None), None, false, least).expect("a body");
        assert_eq!(device(false)["grant_types"], json!([DEVICE_CODE, "refresh_token"]));
        assert_eq!(
            (device(false).get("redirect_uris"), &device(false)["response_types"]),
            (None, &json!([]))
        );
        assert_eq!(
            device(true)["redirect_uris"],
            json!([REDIRECT_OF_DEVICE]),
            "some demand one of every client"
        );
        assert_eq!(
            (&device(false)["application_type"], &device(true)["response_types"]),
            (&json!("native"), &json!(["code"]))
        );
        let web = body("https://app.example/callback", true);
        assert_eq!((&web["application_type"], web.get("dpop_bound_access_tokens")), (&json!("web"), None));
    }

    #[test]
    fn a_registration_is_read_or_told_what_it_lacks() {
        let url = Address::parse("https://as.example/register").expect("an address");
        let read = |body: &str| {
            let answer = Answer { status: 201, headers: Vec::new(), body: body.into() };
            registered(&url, &answer, Some("http://127.0.0.1/".to_owned())).map_err(|error| error.check)
        };
        let method = |body: &str| read(body).map(|client| client.method);
        assert_eq!(method(r#"{"client_id":"a"}"#), Ok(AuthMethod::None));
        assert_eq!(method(r#"{"client_id":"a","client_secret":"s"}"#), Ok(AuthMethod::Basic));
        let post =
            r#"{"client_id":"a","client_secret":"s","token_endpoint_auth_method":"client_secret_post"}"#;
        assert_eq!(method(post), Ok(AuthMethod::Post));
        let none = r#"{"client_id":"a","token_endpoint_auth_method":"client_secret_basic"}"#;
        assert_eq!(method(none), Ok(AuthMethod::None));
        assert_eq!(method(r#"{"client_id":""}"#), Err("client_id"));
        assert_eq!(
            method(r#"{"client_id":"a","token_endpoint_auth_method":"x"}"#),
            Err("token_endpoint_auth_method")
        );
        let own = r#"{"client_id":"a","client_secret":"s","token_endpoint_auth_method":"CLIENT_SECRET"}"#;
        assert_eq!(method(own), Ok(AuthMethod::Basic));
        assert_eq!(read(r#"{"client_id":4711}"#).map(|client| client.id), Ok("4711".to_owned()));
        for id in ["-1", "1.5", "[]", "null", "true"] {
            assert_eq!(method(&format!(r#"{{"client_id":{id}}}"#)), Err("client_id"), "{id}");
        }
        assert_eq!(method("<html>"), Err("answer"));
        let ends =
            read(r#"{"client_id":"a","client_secret":"s","client_secret_expires_at":100}"#).expect("read");
        let good = |client: &ClientRegistration, uri, now| client.is_good(Some(uri), now);
        assert!(good(&ends, "http://127.0.0.1/", 99) && !good(&ends, "http://127.0.0.1/", 100));
        assert!(!good(&ends, "http://127.0.0.1:1/", 99) && !ends.is_good(None, 99));
        let never =
            read(r#"{"client_id":"a","client_secret":"s","client_secret_expires_at":0}"#).expect("read");
        assert!(good(&never, "http://127.0.0.1/", u64::MAX));
    }
}
