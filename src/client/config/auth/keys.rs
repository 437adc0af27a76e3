//! The keys of `auth`: those of every login, and those of one type only.

use crate::auth::{Algorithm, AuthMethod, Dpop, Flow, Secret, Settings, SubjectType, public_key};
use crate::config::define::{Kind, settings};
use crate::config::fields::{Fields, wrong};
use crate::config::kinds::{Choice, Count, Flag, Millis, Optional, Parsed, Section, Text, Texts, Word};
use crate::engine::Error;
use crate::protocol::address::Address;
use serde_json::Value;
use std::time::Duration;

/// How tokens are obtained, as far as the type says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    Interactive,
    ClientCredentials,
    Enterprise,
    Workload,
    Bearer,
    None,
}

const TYPES: &[(&str, Type)] = &[
    ("interactive", Type::Interactive),
    ("client_credentials", Type::ClientCredentials),
    ("enterprise", Type::Enterprise),
    ("workload", Type::Workload),
    ("bearer", Type::Bearer),
    ("none", Type::None),
];

impl Type {
    pub(super) fn as_str(self) -> &'static str {
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
    TypeKey {
        /// how tokens are obtained; `"none"`: the library has nothing to do with it
        r#type: Type = Choice(TYPES), Type::Interactive;
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
        /// the application has the private key, and messages ask it for signatures with `auth.signing_algorithm`, which
        /// is then required
        signer: Option<&'static str> = Optional(Word(&["application"])), None;
        /// how the client proves itself at the token endpoint
        token_endpoint_auth_method: Option<AuthMethod> =
            Optional(Choice(METHODS)), None, "by the credentials and the server";
        /// the only authorization server to use, as its metadata writes its name. A configured secret, private key,
        /// signer, `auth.assertion` or `auth.assertion_file` requires it. Without it, a configured client id belongs to
        /// the first authorization server at which it was used
        issuer: Option<String> = Optional(Parsed(&["string"], "string", issuer)), None;
        /// instead of `auth.issuer`: the credentials of the configuration may be used at every authorization server that
        /// the metadata of an MCP server names
        allow_any_issuer: bool = Flag, false;
        /// the name under which the client registers itself
        client_name: Option<String> = Optional(Text), None, "`client.name`";
        /// scopes to request besides those that a challenge names, and instead of all that the resource lists. A kept login that
        /// was never asked for one of them is made again
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
        /// `"memory"` stores logins as long as the client exists, `"application"` lets the application store them
        /// (`"load"`, `"save"`, `"unlock"`)
        store: Option<&'static str> = Optional(Word(&["memory", "application"])), None, "`\"memory\"`";
    }
}

settings! {
    /// The keys of `"type":"interactive"`.
    InteractiveKeys {
        /// where the person logs in: `"browser"`: one that is sent back to this machine or the application; `"device"`: any, with a code
        /// that the application shows (RFC 8628); `"auto"`: with a code where the authorization server offers that, else as `"browser"`
        flow: Flow = Choice(FLOWS), Flow::Browser;
        /// the URL to which the browser is redirected
        redirect_uri: Option<String> = Optional(Text), None, "this machine, on a free port";
        /// whether the library listens there (this machine only; without a port in the URL it uses a free one)
        listen: Option<bool> = Optional(Flag), None, "`true` without `auth.redirect_uri`";
        /// why there is no person for a login: one that needs a person fails with this text, before a browser is wanted or a client registered
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
pub(super) fn read_url(key: &str, value: &Value) -> Result<(String, Address), Error> {
    let Value::String(text) = value else { return Err(wrong(key, format!("{value} is not a string"))) };
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
    let Value::Object(object) = value else { return Err(wrong(key, format!("{value} is not an object"))) };
    public_key(object).map_err(|why| wrong(key, why))
}
