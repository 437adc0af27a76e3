//! The key `auth`: how to log in at an HTTP server. Errors never show a secret.

use crate::auth::{
    Algorithm, AuthMethod, ClientKey, Dpop, Enterprise, Flow, GrantKind, Identity, KeyOf, Redirect, Scopes,
    Secret, Settings, SigningKey, Source, SubjectType, UrlPermissions, is_loopback, public_key,
};
use crate::config::define::{Definition, Kind, settings};
use crate::config::fields::{Fields, mistaken, wrong};
use crate::config::kinds::{Choice, Count, Flag, Millis, Optional, Parsed, Section, Text, Texts, Word};
use crate::engine::Error;
use crate::protocol::address::Address;
use crate::runtime::http::authenticator::{AuthConfig, Store};
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Which keys belong to one type only.
const OWN: &[(&[&str], LoginType)] = &[
    (InteractiveKeys::KEYS, LoginType::Interactive),
    (EnterpriseKey::KEYS, LoginType::Enterprise),
    (WorkloadKeys::KEYS, LoginType::Workload),
    (BearerKeys::KEYS, LoginType::Bearer),
];

settings! {
    /// The key of a client's configuration.
    AuthKey {
        /// how to log in where the server wants it: docs/guide/authorization.md says which keys it needs
        auth: Option<AuthConfig> = AuthObject, None;
    }
}

/// What the key `auth` has: which keys it may have depends on one of them.
struct AuthObject;

impl Kind for AuthObject {
    type Value = Option<AuthConfig>;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<Self::Value>, Error> {
        fields.object(key)?.map(parse).transpose()
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        serde_json::json!({"type": "object", "text": "object"})
    }

    #[cfg(test)]
    fn members(&self, at: &str) -> Vec<Value> {
        type Own = (InteractiveKeys, (EnterpriseKey, (WorkloadKeys, BearerKeys)));
        <(LoginTypeKey, (LoginKeys, Own))>::describe(at)
    }
}

/// Reads the key `auth`; `None` if the library has nothing to do with authorization.
pub(super) fn read(fields: &mut Fields<'_>) -> Result<Option<AuthConfig>, Error> {
    Ok(AuthKey::read(fields)?.auth)
}

/// Reads the object under `auth`; `None` if it says that the library has nothing to do with it.
fn parse(object: &Map<String, Value>) -> Result<Option<AuthConfig>, Error> {
    let mut fields = Fields::new("auth.", object);
    let kind = LoginTypeKey::read(&mut fields)?.r#type;
    for (own_keys, own) in OWN.iter().filter(|(_, own)| *own != kind) {
        if let Some(key) = own_keys.iter().find(|key| object.contains_key(**key)) {
            let (own, kind) = (own.as_str(), kind.as_str());
            let what = format!("it belongs to \"type\":\"{own}\", and this is \"{kind}\"");
            return Err(wrong(&format!("auth.{key}"), what));
        }
    }
    if kind == LoginType::None {
        fields.finish()?;
        return Ok(None);
    }
    let mut keys = LoginKeys::read(&mut fields)?;
    let mut identity = identity(&mut keys)?;
    let (mut no_login, mut flow) = (None, Settings::default().flow);
    let grant = match kind {
        LoginType::ClientCredentials => {
            if identity.client_secret.is_none() && identity.key.is_none() {
                return Err(wrong(
                    "auth.client_secret",
                    "client credentials need it, or 'auth.private_key', or 'auth.signer'",
                ));
            }
            GrantKind::ClientCredentials
        }
        LoginType::Enterprise => {
            GrantKind::Enterprise(enterprise(EnterpriseKey::read(&mut fields)?.enterprise)?)
        }
        LoginType::Workload => {
            let WorkloadKeys { assertion, assertion_file } = WorkloadKeys::read(&mut fields)?;
            GrantKind::Workload { assertion: source("auth.assertion", assertion, assertion_file)? }
        }
        LoginType::Bearer => {
            let BearerKeys { token, token_file } = BearerKeys::read(&mut fields)?;
            GrantKind::Bearer { token: source("auth.token", token, token_file)? }
        }
        LoginType::Interactive | LoginType::None => {
            let own = InteractiveKeys::read(&mut fields)?;
            identity.metadata_url = own.client_metadata_url;
            identity.application_type = own.application_type;
            no_login = own.no_login;
            flow = own.flow;
            GrantKind::Interactive { redirect: redirect(own.redirect_uri, own.listen)? }
        }
    };
    if matches!(grant, GrantKind::ClientCredentials | GrantKind::Enterprise(_))
        && identity.client_id.is_none()
    {
        let kind = kind.as_str();
        return Err(wrong("auth.client_id", format!("\"type\":\"{kind}\" needs it")));
    }
    let store = store(&mut keys)?;
    let settings = Settings {
        grant,
        flow,
        identity,
        scopes: keys.scopes.map(|list| Scopes::of(list.iter().flat_map(|text| text.split(' ')))),
        dpop: keys.dpop,
        dpop_key: keys.dpop_key,
        legacy: keys.legacy,
        url_permissions: UrlPermissions { private: keys.allow_private_addresses, http: keys.allow_http },
        limit: keys.limit_ms,
        patience: keys.patience_ms,
        asks_for_store: store == Store::Application,
        no_login,
        step_ups: keys.step_ups,
        revision: Settings::default().revision,
    };
    fields.finish()?;
    check_issuer(object, &settings)?;
    Ok(Some(AuthConfig { settings, store }))
}

/// A credential that stands at `key`, or in the file that stands at the key with `_file`.
fn source(key: &str, text: Option<Secret>, file: Option<String>) -> Result<Source, Error> {
    match (text, file) {
        (Some(_), Some(_)) => {
            Err(wrong(&format!("{key}_file"), format!("'{key}' is there as well; one of them must go")))
        }
        (Some(text), None) => Ok(Source::Text(text)),
        (None, Some(path)) => Ok(Source::File(path)),
        (None, None) => Ok(Source::Application),
    }
}

/// Who the application is, but for what one type says of it.
fn identity(keys: &mut LoginKeys) -> Result<Identity, Error> {
    let identity = Identity {
        key: client_key(keys)?,
        client_id: keys.client_id.take(),
        client_secret: keys.client_secret.take(),
        method: keys.token_endpoint_auth_method,
        issuer: keys.issuer.take(),
        any_issuer: keys.allow_any_issuer,
        metadata_url: None,
        name: keys.client_name.take().unwrap_or_default(),
        application_type: None,
    };
    match identity.method {
        Some(AuthMethod::Basic | AuthMethod::Post) if identity.client_secret.is_none() => {
            Err(wrong("auth.token_endpoint_auth_method", "this one needs 'auth.client_secret'"))
        }
        Some(AuthMethod::PrivateKeyJwt) if identity.key.is_none() => Err(wrong(
            "auth.token_endpoint_auth_method",
            "this one needs 'auth.private_key' or 'auth.signer'",
        )),
        _ if identity.client_id.is_none() && identity.client_secret.is_some() => {
            Err(wrong("auth.client_id", "there is a secret but no id"))
        }
        _ => Ok(identity),
    }
}

/// What shows who the application is goes to the authorization server that it is for. The MCP server names one, and a hostile one
/// names its own.
fn check_issuer(object: &Map<String, Value>, settings: &Settings) -> Result<(), Error> {
    let Settings { grant, identity, .. } = settings;
    if identity.issuer.is_some() && identity.any_issuer {
        return Err(wrong("auth.allow_any_issuer", "'auth.issuer' is there as well; one of them must go"));
    }
    if identity.issuer.is_some() || identity.any_issuer {
        return Ok(());
    }
    let own = match grant {
        GrantKind::Bearer { .. } => return Ok(()),
        GrantKind::Workload { .. } => {
            &["assertion", "assertion_file", "client_secret", "private_key", "private_key_file", "signer"][..]
        }
        _ => &["client_secret", "private_key", "private_key_file", "signer"],
    };
    let Some(key) = own.iter().find(|key| object.get(**key).is_some_and(|value| !value.is_null())) else {
        return Ok(());
    };
    Err(wrong(
        "auth.issuer",
        format!(
            "it is missing, and 'auth.{key}' would be used at whichever authorization server the MCP server names. Write the \
             name of the one that it is for, as its metadata gives it in 'issuer', for example \
             \"issuer\":\"https://login.example.com\". \"allow_any_issuer\":true permits every one that the MCP server's \
             metadata names"
        ),
    ))
}

fn redirect(uri: Option<String>, listen: Option<bool>) -> Result<Redirect, Error> {
    const KEY: &str = "auth.redirect_uri";
    let listen = listen.unwrap_or(uri.is_none());
    let Some(text) = &uri else {
        if !listen {
            return Err(wrong(
                "auth.listen",
                "false needs 'auth.redirect_uri', where the application takes the answer",
            ));
        }
        return Ok(Redirect { uri, listen });
    };
    let scheme = text.split(':').next().unwrap_or_default().to_ascii_lowercase();
    if matches!(scheme.as_str(), "javascript" | "data" | "file" | "vbscript" | "about" | "blob")
        || text.contains('#')
    {
        return Err(wrong(
            KEY,
            "it must have no fragment, and lead to this machine, to an https place or to an app",
        ));
    }
    if matches!(scheme.as_str(), "http" | "https") {
        let (_, target) = read_url(KEY, &text.as_str().into())?;
        let here = is_loopback(&target.origin().host);
        if !target.origin().tls && !here {
            return Err(wrong(KEY, "http is for this machine only; use https"));
        }
        if listen && (target.origin().tls || !here) {
            return Err(wrong(
                KEY,
                "the library listens at http://127.0.0.1, http://[::1] or http://localhost only",
            ));
        }
    } else if listen || !text.contains(':') {
        return Err(wrong(KEY, "it is no http or https URL, and no library can listen there"));
    }
    Ok(Redirect { uri, listen })
}

fn enterprise(keys: EnterpriseKeys) -> Result<Enterprise, Error> {
    let need = |key: &str, value: Option<String>| {
        let text = value.filter(|text| !text.is_empty());
        let key = format!("auth.enterprise.{key}");
        text.ok_or_else(|| wrong(&key, "enterprise-managed authorization needs it"))
    };
    let token_endpoint = need("token_endpoint", keys.token_endpoint)?;
    let client_id = need("client_id", keys.client_id)?;
    let usual = if keys.client_secret.is_some() { AuthMethod::Basic } else { AuthMethod::None };
    let method = keys.token_endpoint_auth_method.unwrap_or(usual);
    if keys.client_secret.is_none() && matches!(method, AuthMethod::Basic | AuthMethod::Post) {
        return Err(wrong("auth.enterprise.token_endpoint_auth_method", "this one needs a client_secret"));
    }
    Ok(Enterprise {
        token_endpoint,
        client_id,
        client_secret: keys.client_secret,
        method,
        subject: source("auth.enterprise.subject", keys.subject, keys.subject_file)?,
        subject_type: keys.subject_type,
    })
}

/// How tokens are obtained, as far as the type says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LoginType {
    Interactive,
    ClientCredentials,
    Enterprise,
    Workload,
    Bearer,
    None,
}

const TYPES: &[(&str, LoginType)] = &[
    ("interactive", LoginType::Interactive),
    ("client_credentials", LoginType::ClientCredentials),
    ("enterprise", LoginType::Enterprise),
    ("workload", LoginType::Workload),
    ("bearer", LoginType::Bearer),
    ("none", LoginType::None),
];

impl LoginType {
    fn as_str(self) -> &'static str {
        TYPES.iter().find(|(_, it)| *it == self).map_or("none", |(word, _)| word)
    }
}

const METHODS: &[(&str, AuthMethod)] = &[
    ("none", AuthMethod::None),
    ("client_secret_basic", AuthMethod::Basic),
    ("client_secret_post", AuthMethod::Post),
    ("private_key_jwt", AuthMethod::PrivateKeyJwt),
];

const ALGORITHMS: &[(&str, Algorithm)] = &[("ES256", Algorithm::Es256), ("RS256", Algorithm::Rs256)];

const DPOP: &[(&str, Dpop)] = &[("auto", Dpop::Auto), ("always", Dpop::Always), ("never", Dpop::Never)];

const FLOWS: &[(&str, Flow)] = &[("browser", Flow::Browser), ("device", Flow::Device), ("auto", Flow::Auto)];

const SUBJECT_TYPES: &[(&str, SubjectType)] = &[
    ("id_token", SubjectType::IdToken),
    ("refresh_token", SubjectType::RefreshToken),
    ("saml2", SubjectType::Saml2),
];

settings! {
    /// Which login it is.
    LoginTypeKey {
        /// how tokens are obtained; `"none"`: the library has nothing to do with it
        r#type: LoginType = Choice(TYPES), LoginType::Interactive;
    }
}

settings! {
    /// The keys of every login.
    LoginKeys {
        /// the id that the authorization server issued in advance
        client_id: Option<String> = Optional(Text), None;
        /// the secret that goes with `auth.client_id`
        client_secret: Option<Secret> = Optional(SecretText), None;
        /// a private key in PEM (PKCS#8, or PKCS#1 for RSA), with which the client signs assertions
        private_key: Option<Secret> = Optional(SecretText), None;
        /// a file with such a key, instead of `auth.private_key`
        private_key_file: Option<String> = Optional(Text), None;
        /// the id of the key at the authorization server
        key_id: Option<String> = Optional(Text), None;
        /// the algorithm that the key must have
        signing_algorithm: Option<Algorithm> = Optional(Choice(ALGORITHMS)), None;
        /// the application has the private key and signs on request, with `auth.signing_algorithm`, which is then required
        signer: Option<&'static str> = Optional(Word(&["application"])), None;
        /// how the client proves itself at the token endpoint
        token_endpoint_auth_method: Option<AuthMethod> =
            Optional(Choice(METHODS)), None, "by the credentials and the server";
        /// the only authorization server to use, by its exact name. Required with a configured secret, private key, signer,
        /// `auth.assertion` or `auth.assertion_file`. Without it, a configured client id belongs to the first authorization server that
        /// used it
        issuer: Option<String> = Optional(Parsed(&["string"], "string", issuer)), None;
        /// instead of `auth.issuer`: configured credentials may be used at every authorization server that an MCP server names
        allow_any_issuer: bool = Flag, false;
        /// the name under which the client registers itself
        client_name: Option<String> = Optional(Text), None, "`client.name`";
        /// scopes to request besides those of a challenge, and instead of all that the resource lists. A stored login without one of them
        /// is made again
        scopes: Option<Vec<String>> = Optional(Texts), None;
        /// whether tokens are bound to a key; `"auto"`: where the MCP server says that it accepts such tokens
        dpop: Dpop = Choice(DPOP), Dpop::Auto;
        /// the public half (a JSON Web Key, P-256) of the key with which the application signs proofs
        dpop_key: Option<Value> = Optional(Parsed(&["object"], "object", proof_key)), None, "a key of the library";
        /// a server that publishes no metadata as a resource is treated as a server of 2025-03-26
        legacy: bool = Flag, Settings::default().legacy;
        /// addresses of private networks are permitted in URLs that servers name
        allow_private_addresses: bool = Flag, false;
        /// plain `http` is permitted in such URLs
        allow_http: bool = Flag, false;
        /// the time limit of a login, without the time of the person and the application
        limit_ms: Duration = Millis, Settings::default().limit;
        /// the time limit for the person and the application
        patience_ms: Duration = Millis, Settings::default().patience;
        /// how often one operation may request more scopes
        step_ups: u32 = Count(0, 10), Settings::default().step_ups;
        /// an absolute path: the library stores logins in files there; not with `auth.store`
        store_directory: Option<String> = Optional(Text), None;
        /// `"memory"`: as long as the client exists; `"application"`: the application stores logins (`"load"`, `"save"`, `"unlock"`)
        store: Option<&'static str> = Optional(Word(&["memory", "application"])), None, "`\"memory\"`";
    }
}

settings! {
    /// The keys of `"type":"interactive"`.
    InteractiveKeys {
        /// `"browser"`: a browser that is redirected to this machine or the application; `"device"`: any browser, with a code (RFC 8628);
        /// `"auto"`: with a code where the authorization server supports it
        flow: Flow = Choice(FLOWS), Flow::Browser;
        /// the URL to which the browser is redirected
        redirect_uri: Option<String> = Optional(Text), None, "this machine, on a free port";
        /// whether the library listens there (this machine only; without a port in the URL it uses a free one)
        listen: Option<bool> = Optional(Flag), None, "`true` without `auth.redirect_uri`";
        /// why no person can log in: a login that needs a person fails with this text, before a browser is opened or a client registered
        no_login: Option<String> = Optional(Text), None;
        /// the `https` URL of the client's metadata document, by which it identifies itself
        client_metadata_url: Option<String> =
            Optional(Parsed(&["string"], "string", metadata_url)), None;
        /// the kind of application with which the client registers itself
        application_type: Option<&'static str> =
            Optional(Word(&["native", "web"])), None, "by `auth.redirect_uri`";
    }
}

settings! {
    /// The key of `"type":"enterprise"`.
    EnterpriseKey {
        /// the identity provider
        enterprise: EnterpriseKeys = Section::<EnterpriseKeys>::NEW, EnterpriseKeys::default();
    }
}

settings! {
    /// The identity provider of enterprise-managed authorization.
    EnterpriseKeys {
        /// its token endpoint; required
        token_endpoint: Option<String> = Optional(Parsed(&["string"], "string", issuer)), None;
        /// the application's id there; required
        client_id: Option<String> = Optional(Text), None;
        /// the application's secret there
        client_secret: Option<Secret> = Optional(SecretText), None;
        /// how the application proves itself there
        token_endpoint_auth_method: Option<AuthMethod> =
            Optional(Choice(METHODS)), None, "by the secret";
        /// what shows who the person is
        subject: Option<Secret> = Optional(SecretText), None, "the application is asked";
        /// the file from which it is read each time
        subject_file: Option<String> = Optional(Text), None;
        /// what `subject` is
        subject_type: SubjectType = Choice(SUBJECT_TYPES), SubjectType::IdToken;
    }
}

settings! {
    /// The keys of `"type":"workload"`.
    WorkloadKeys {
        /// a signed statement about the workload
        assertion: Option<Secret> = Optional(SecretText), None, "the application is asked";
        /// the file from which it is read each time
        assertion_file: Option<String> = Optional(Text), None;
    }
}

settings! {
    /// The keys of `"type":"bearer"`.
    BearerKeys {
        /// the token
        token: Option<Secret> = Optional(SecretText), None, "the application is asked";
        /// the file from which it is read each time
        token_file: Option<String> = Optional(Text), None;
    }
}

/// A string that no error shows.
struct SecretText;

impl Kind for SecretText {
    type Value = Secret;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<Secret>, Error> {
        match fields.value(key) {
            None => Ok(None),
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(Secret::new(text))),
            Some(_) => Err(fields.wrong(key, "it is not a string, or it is empty")),
        }
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        serde_json::json!({"type": "string", "secret": true})
    }
}

/// A URL: its text, and what is in it.
fn read_url(key: &str, value: &Value) -> Result<(String, Address), Error> {
    let Value::String(text) = value else { return Err(mistaken(key, value, "a string")) };
    match Address::parse(text) {
        Ok(url) => Ok((text.clone(), url)),
        Err(error) => Err(wrong(key, format!("it is no usable URL: {error}"))),
    }
}

fn issuer(key: &str, value: &Value) -> Result<String, Error> {
    read_url(key, value).map(|(text, _)| text)
}

fn metadata_url(key: &str, value: &Value) -> Result<String, Error> {
    let (text, url) = read_url(key, value)?;
    if !url.origin().tls || url.target() == "/" {
        return Err(wrong(key, "it must be an https URL with a path"));
    }
    Ok(text)
}

fn proof_key(key: &str, value: &Value) -> Result<Value, Error> {
    let Value::Object(object) = value else { return Err(mistaken(key, value, "an object")) };
    public_key(object).map_err(|why| wrong(key, why))
}

/// The longest key file that is read.
const KEY_BYTES: u64 = 64 * 1024;

/// Where logins are kept.
fn store(keys: &mut LoginKeys) -> Result<Store, Error> {
    match (keys.store_directory.take().map(PathBuf::from), keys.store) {
        (Some(_), Some(_)) => {
            Err(wrong("auth.store_directory", "'auth.store' is there as well; one of them must go"))
        }
        (Some(path), None) if !path.is_absolute() => {
            Err(wrong("auth.store_directory", "it is no absolute path"))
        }
        (Some(path), None) => Ok(Store::Directory(path)),
        (None, Some("application")) => Ok(Store::Application),
        (None, _) => Ok(Store::Memory),
    }
}

/// The key that identifies the client.
fn client_key(keys: &mut LoginKeys) -> Result<Option<ClientKey>, Error> {
    let (text, file) = (keys.private_key.take(), keys.private_key_file.take());
    let (id, algorithm) = (keys.key_id.take(), keys.signing_algorithm);
    if let Some(signer) = keys.signer {
        if text.is_some() || file.is_some() {
            return Err(wrong(
                "auth.signer",
                format!("a private key is there as well, and \"{signer}\" has its own"),
            ));
        }
        let Some(algorithm) = algorithm else {
            let what = "'auth.signer' needs it: how the application signs (\"ES256\" or \"RS256\")";
            return Err(wrong("auth.signing_algorithm", what));
        };
        return Ok(Some(ClientKey { key: KeyOf::Application(algorithm), id }));
    }
    let (key, pem) = match (text, file) {
        (None, None) => return Ok(None),
        (Some(_), Some(_)) => {
            return Err(wrong(
                "auth.private_key_file",
                "'auth.private_key' is there as well; one of them must go",
            ));
        }
        (Some(text), None) => ("auth.private_key", text),
        (None, Some(path)) => ("auth.private_key_file", read_file(&path)?),
    };
    let signing = SigningKey::from_pem(&pem).map_err(|why| wrong(key, why))?;
    if let Some(wanted) = algorithm.filter(|wanted| *wanted != signing.algorithm()) {
        let (found, wanted) = (signing.algorithm().as_str(), wanted.as_str());
        return Err(wrong("auth.signing_algorithm", format!("the key signs {found}, not {wanted}")));
    }
    Ok(Some(ClientKey { key: KeyOf::Us(Arc::new(signing)), id }))
}

fn read_file(path: &str) -> Result<Secret, Error> {
    let failed = |why: String| wrong("auth.private_key_file", format!("'{path}' cannot be read: {why}"));
    let found = std::fs::metadata(path).map_err(|error| failed(error.to_string()))?;
    if !found.is_file() || found.len() > KEY_BYTES {
        return Err(failed("it is no file, or longer than 64 KiB".to_owned()));
    }
    std::fs::read_to_string(path).map(Secret::new).map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::{Algorithm, Dpop, KeyOf, SubjectType};
    use crate::runtime::http::authenticator::Store;
    use serde_json::json;

    const ISSUER: &str = "https://as.example";

    fn read(value: &Value) -> Result<Option<AuthConfig>, Error> {
        parse(value.as_object().expect("an object"))
    }

    fn settings(value: &Value) -> Settings {
        read(value).expect("valid").expect("some").settings
    }

    fn refusal(value: &Value) -> String {
        read(value).expect_err("a refusal").message
    }

    #[test]
    fn nothing_means_a_person_and_a_listener_of_the_library() {
        let GrantKind::Interactive { redirect } = settings(&json!({})).grant else { panic!("another grant") };
        assert_eq!(redirect, Redirect { uri: None, listen: true });
        assert!(read(&json!({ "type": "none" })).expect("valid").is_none());
        let directory = std::env::temp_dir().join("tokens");
        let config = read(&json!({ "store_directory": directory.to_str() })).expect("valid").expect("some");
        assert_eq!(config.store, Store::Directory(directory));
        let config = read(&json!({ "store": "application" })).expect("valid").expect("some");
        assert_eq!(config.store, Store::Application);
    }

    #[test]
    fn every_way_is_read() {
        let credentials = settings(
            &json!({ "type": "client_credentials", "client_id": "a", "client_secret": "s", "issuer": ISSUER }),
        );
        assert!(matches!(credentials.grant, GrantKind::ClientCredentials));
        let enterprise = settings(&json!({
            "type": "enterprise", "client_id": "a", "client_secret": "s", "issuer": ISSUER,
            "enterprise": { "token_endpoint": "https://idp/token", "client_id": "b", "subject": "id-token" },
        }));
        let GrantKind::Enterprise(enterprise) = enterprise.grant else { panic!("another grant") };
        assert_eq!((enterprise.method, enterprise.subject_type), (AuthMethod::None, SubjectType::IdToken));
        let workload =
            settings(&json!({ "type": "workload", "assertion_file": "/run/token", "issuer": ISSUER }));
        assert!(
            matches!(workload.grant, GrantKind::Workload { assertion: Source::File(path) } if path == "/run/token")
        );
        let signed = settings(&json!({
            "type": "client_credentials", "client_id": "a", "signer": "application", "signing_algorithm": "RS256",
            "key_id": "k", "issuer": ISSUER,
        }));
        let key = signed.identity.key.expect("a key");
        assert!(matches!(key.key, KeyOf::Application(Algorithm::Rs256)) && key.id.as_deref() == Some("k"));
        let bearer = settings(&json!({ "type": "bearer" }));
        assert!(matches!(bearer.grant, GrantKind::Bearer { token: Source::Application }));
    }

    #[test]
    fn limits_and_permissions_are_read() {
        let read = settings(&json!({
            "scopes": ["a b", "c"], "dpop": "always", "legacy": false, "allow_private_addresses": true,
            "allow_http": true, "limit_ms": 1000, "patience_ms": 2000, "step_ups": 0,
        }));
        assert_eq!(read.scopes.map(|scopes| scopes.text()).as_deref(), Some("a b c"));
        assert_eq!((read.dpop, read.legacy, read.step_ups), (Dpop::Always, false, 0));
        assert!(read.url_permissions.private && read.url_permissions.http);
        assert_eq!((read.limit.as_secs(), read.patience.as_secs()), (1, 2));
    }

    #[test]
    fn what_does_not_fit_is_told_with_its_key() {
        for (value, told) in [
            (json!({ "token": "t" }), "'auth.token': it belongs to \"type\":\"bearer\""),
            (json!({ "client_idd": "a" }), "did you mean 'auth.client_id'?"),
            (json!({ "type": "client_credentials", "client_id": "a" }), "'auth.client_secret'"),
            (json!({ "type": "client_credentials", "client_secret": "a" }), "'auth.client_id'"),
            (json!({ "type": "enterprise", "client_id": "a" }), "'auth.enterprise.token_endpoint'"),
            (json!({ "client_metadata_url": "https://a.example" }), "https URL with a path"),
            (json!({ "redirect_uri": "javascript:alert(1)" }), "'auth.redirect_uri'"),
            (json!({ "redirect_uri": "http://a.example/x" }), "http is for this machine only"),
            (json!({ "redirect_uri": "https://a.example/x", "listen": true }), "listens at http://127.0.0.1"),
            (json!({ "redirect_uri": "com.example.app:/x", "listen": true }), "no library can listen"),
            (json!({ "listen": false }), "'auth.redirect_uri'"),
            (json!({ "issuer": "nothing" }), "'auth.issuer'"),
            (json!({ "store_directory": "tokens" }), "absolute"),
            (json!({ "store_directory": "/tokens", "store": "application" }), "one of them must go"),
            (json!({ "dpop_key": { "kty": "EC", "d": "AAAA" } }), "private half"),
            (json!({ "token_endpoint_auth_method": "private_key_jwt" }), "'auth.private_key'"),
            (json!({ "private_key": "x", "private_key_file": "y" }), "one of them must go"),
            (json!({ "signer": "application" }), "'auth.signing_algorithm'"),
            (json!({ "signer": "application", "signing_algorithm": "PS256" }), "'auth.signing_algorithm'"),
            (json!({ "signer": "me", "signing_algorithm": "ES256" }), "'auth.signer'"),
            (json!({ "signer": "application", "private_key": "x" }), "a private key is there as well"),
            (json!({ "private_key_file": "/nothing/there" }), "cannot be read"),
            (json!({ "type": "bearer", "token": "a", "token_file": "b" }), "one of them must go"),
        ] {
            let message = refusal(&value);
            assert!(message.contains(told), "{value}: {message}");
        }
    }

    #[test]
    fn no_error_shows_a_secret() {
        for key in ["client_secret", "private_key"] {
            for value in [json!(["hunter2"]), json!({ "hunter2": 1 })] {
                let mut object = Map::new();
                object.insert("client_id".to_owned(), "a".into());
                object.insert(key.to_owned(), value);
                let error = parse(&object).expect_err("a refusal");
                assert!(!format!("{error:?}").contains("hunter2"));
            }
        }
        let message =
            refusal(&json!({ "client_id": "a", "private_key": "-----BEGIN PRIVATE KEY-----hunter2" }));
        assert!(!message.contains("hunter2"));
        let config = settings(&json!({ "client_id": "a", "client_secret": "hunter2", "issuer": ISSUER }));
        assert!(!format!("{config:?}").contains("hunter2"));
    }

    #[test]
    fn a_key_is_of_the_kind_that_was_said() {
        let pem = include_str!("../../../crates/core/src/auth/test_keys/rsa_pkcs8.pem");
        let with = |algorithm: &str| json!({ "client_id": "a", "issuer": ISSUER, "private_key": pem, "key_id": "k", "signing_algorithm": algorithm });
        let key = settings(&with("RS256")).identity.key.expect("a key");
        assert_eq!(key.id.as_deref(), Some("k"));
        assert!(refusal(&with("ES256")).contains("signs RS256, not ES256"));
    }

    #[test]
    fn what_shows_who_we_are_needs_the_issuer_that_it_is_for() {
        let pem = include_str!("../../../crates/core/src/auth/test_keys/rsa_pkcs8.pem");
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/core/src/auth/test_keys/rsa_pkcs8.pem");
        for (key, value) in [
            ("client_secret", json!({ "client_id": "a", "client_secret": "hunter2" })),
            (
                "client_secret",
                json!({ "type": "client_credentials", "client_id": "a", "client_secret": "hunter2" }),
            ),
            ("private_key", json!({ "type": "client_credentials", "client_id": "a", "private_key": pem })),
            ("private_key_file", json!({ "client_id": "a", "private_key_file": file })),
            (
                "private_key",
                json!({ "client_metadata_url": "https://app.example/client.json", "private_key": pem }),
            ),
            ("signer", json!({ "client_id": "a", "signer": "application", "signing_algorithm": "ES256" })),
            (
                "client_secret",
                json!({
                    "type": "enterprise", "client_id": "a", "client_secret": "hunter2",
                    "enterprise": { "token_endpoint": "https://idp.example/token", "client_id": "b" },
                }),
            ),
            ("assertion", json!({ "type": "workload", "assertion": "hunter2" })),
            ("assertion_file", json!({ "type": "workload", "assertion_file": "/run/token" })),
        ] {
            let message = refusal(&value);
            for told in
                ["'auth.issuer': it is missing", &format!("'auth.{key}'"), "\"allow_any_issuer\":true"]
            {
                assert!(message.contains(told), "{value}: {message}");
            }
            assert!(!message.contains("hunter2") && !message.contains("PRIVATE"), "{message}");
            let mut with = value.clone();
            with["issuer"] = ISSUER.into();
            let found = settings(&with).identity;
            assert_eq!((found.issuer.as_deref(), found.any_issuer), (Some(ISSUER), false));
            let mut any = value.clone();
            any["allow_any_issuer"] = true.into();
            assert!(settings(&any).identity.any_issuer);
            any["allow_any_issuer"] = false.into();
            assert!(refusal(&any).contains("'auth.issuer': it is missing"));
            with["allow_any_issuer"] = true.into();
            assert!(refusal(&with).contains("one of them must go"));
        }
        // These show nothing that another could use: a public client, and what the application makes for the server that it is told.
        for value in [
            json!({ "client_id": "a" }),
            json!({ "type": "workload" }),
            json!({ "type": "bearer", "token": "t" }),
        ] {
            assert!(read(&value).is_ok(), "{value}");
        }
    }
}
