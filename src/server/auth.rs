//! The key `auth` of a server, and what it becomes: rules for the engine, and what checks tokens.

#[cfg(feature = "auth")]
pub(super) use tokens::token_settings;

use crate::config::define::{Definition as _, settings};
use crate::config::fields::{Fields, MEBIBYTE, wrong};
use crate::config::kinds::{
    Choice, Count, Flag, Millis, Optional, Parsed, Section, Size, Text, TextListsByName, Texts,
};
use crate::engine::Error;
use crate::engine::server::{AccessRules, ScopesByName};
use serde_json::Value;
use std::time::Duration;

/// What HTTP endpoints get: nothing in a build without authorization.
#[cfg(feature = "auth")]
pub(super) type TokenSettings = crate::runtime::server::http::authorization::AuthSettings;
#[cfg(not(feature = "auth"))]
pub(super) type TokenSettings = std::convert::Infallible;

/// A scope that asks for more than this server has to give (S-AU-09, S-AU-14).
const REFUSED: &[&str] = &["offline_access", "*", "all", "full-access"];

/// Refuses what is not a scope.
fn check_scopes(key: &str, scopes: &[String]) -> Result<(), Error> {
    for scope in scopes {
        let is_scope =
            !scope.is_empty() && scope.bytes().all(|byte| matches!(byte, b'!' | b'#'..=b'[' | b']'..=b'~'));
        if !is_scope || scope.len() > 256 {
            return Err(wrong(key, format!("'{scope}' is not a valid scope: RFC 6749, section 3.3")));
        }
        if REFUSED.contains(&scope.as_str()) {
            let what =
                format!("'{scope}' says nothing about what this server does: name what is to be allowed");
            return Err(wrong(key, what));
        }
    }
    Ok(())
}

/// Which scopes requests need.
///
/// # Errors
/// What is not a scope.
pub(super) fn access(keys: &AuthKeys) -> Result<AccessRules, Error> {
    check_scopes("auth.scopes", &keys.scopes)?;
    let by_name = |key: &str, rules: &Rules| {
        for (name, scopes) in rules {
            check_scopes(&format!("auth.{key}.{name}"), scopes)?;
        }
        Ok::<ScopesByName, Error>(crate::json::inserted(rules.iter().cloned()))
    };
    by_name("implied_scopes", &keys.implied_scopes)?;
    Ok(AccessRules {
        methods: by_name("methods", &keys.methods)?,
        tools: by_name("tools", &keys.tools)?,
        prompts: by_name("prompts", &keys.prompts)?,
        resources: by_name("resources", &keys.resources)?.into(),
        lists_all: keys.lists,
    })
}

/// What checks tokens: this build cannot.
///
/// # Errors
/// Always.
#[cfg(not(feature = "auth"))]
pub(super) fn token_settings(_: AuthKeys) -> Result<TokenSettings, Error> {
    Err(wrong("auth", "this build of the library has no authorization (feature 'auth')"))
}

#[cfg(feature = "auth")]
mod tokens {
    use super::{AuthKeys, IntrospectionKeys, Proof, TokenKeys};
    use super::{TokenSettings, check_scopes, tokens};
    use crate::auth::server::{
        Algorithm, DpopUse, FixedToken, Implied, Introspection, KeySet, KeyTimes, TokenRules,
    };
    use crate::auth::{Scopes, Secret, is_loopback};
    use crate::config::fields::wrong;
    use crate::engine::Error;
    use crate::protocol::address::Address;
    use crate::runtime::server::http::authorization::{KeysUrl, TokenSource};
    use crate::runtime::server::http::fixed_tokens::FixedTokens;
    use crate::transport::http::proxy::Proxies;
    use crate::transport::http::settings::{HttpSettings, TlsSettings};
    use crate::transport::http::tls::SystemRoots;
    use std::path::Path;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    /// What checks tokens.
    ///
    /// # Errors
    /// Which key is wrong.
    pub(in crate::server) fn token_settings(keys: AuthKeys) -> Result<TokenSettings, Error> {
        let has_fixed = !keys.tokens.is_empty() || keys.tokens_file.is_some();
        if keys.authorization_servers.is_empty() && !has_fixed && !keys.application {
            return Err(wrong(
                "auth.authorization_servers",
                "clients must learn where tokens come from: name one, or give 'tokens' to clients yourself",
            ));
        }
        for server in &keys.authorization_servers {
            place("auth.authorization_servers", server)?;
        }
        if let Some(resource) = &keys.resource {
            let target = place("auth.resource", resource)?;
            if target.target().contains('?') || resource.contains('#') {
                return Err(wrong("auth.resource", "a resource has neither query nor fragment"));
            }
        }
        let issuers =
            if keys.issuers.is_empty() { keys.authorization_servers.clone() } else { keys.issuers.clone() };
        let implied = keys.implied_scopes.iter();
        let implied =
            implied.map(|(scope, inner)| (scope.clone(), Scopes::of(inner.iter().map(String::as_str))));
        let implied = Implied(crate::json::inserted(implied));
        if has_fixed && keys.dpop != Proof::Off {
            return Err(wrong("auth.dpop", "tokens of the configuration are bound to no key: leave it off"));
        }
        let source = source(&keys, &implied)?;
        Ok(TokenSettings {
            resource: keys.resource,
            name: keys.resource_name,
            authorization_servers: keys.authorization_servers,
            scopes: Scopes::of(keys.scopes.iter().map(String::as_str)),
            rules: TokenRules {
                issuers,
                audiences: keys.audience,
                algorithms: algorithms(&keys.algorithms)?,
                typ: keys.token_type,
                leeway: keys.leeway_ms.as_secs(),
                implied,
            },
            source,
            dpop: match keys.dpop {
                Proof::Off => DpopUse::Off,
                Proof::Allowed => DpopUse::Allowed,
                Proof::Required => DpopUse::Required,
            },
            proof_seconds: keys.dpop_seconds.into(),
            proofs: keys.dpop_proofs,
            timeout: keys.timeout_ms,
            questions: keys.questions,
            remembered: keys.remembered,
            remember: Duration::from_millis(keys.remember_ms as u64),
        })
    }

    /// A URL that is safe to use: `https`, or `http` on this machine.
    fn place(key: &str, url: &str) -> Result<Address, Error> {
        let address =
            Address::parse(url).map_err(|why| wrong(key, format!("'{url}' cannot be used: {why}")))?;
        if !address.origin().tls && !is_loopback(&address.origin().host) {
            return Err(wrong(key, format!("'{url}' must be https, or http on this machine")));
        }
        Ok(address)
    }

    fn algorithms(names: &[String]) -> Result<Vec<Algorithm>, Error> {
        if names.is_empty() {
            return Ok(Algorithm::ALL.to_vec());
        }
        let read = |name: &String| {
            Algorithm::parse(name).ok_or_else(|| {
                let what = format!(
                    "'{name}' is not one of ES256, ES384, EdDSA, RS256, PS256: others are not safe here"
                );
                wrong("auth.algorithms", what)
            })
        };
        names.iter().map(read).collect()
    }

    fn source(keys: &AuthKeys, implied: &Implied) -> Result<TokenSource, Error> {
        const ONE: &str = "exactly one of jwks_url, jwks, introspection, tokens (or tokens_file) and application finds out whether a token is good";
        let mut found = Vec::new();
        if let Some(url) = &keys.jwks_url {
            let times =
                KeyTimes { fresh: keys.keys_ms, stale: keys.keys_stale_ms, pause: keys.keys_pause_ms };
            let url = place("auth.jwks_url", url)?;
            let http = http(keys, &url);
            found.push(TokenSource::KeysUrl(KeysUrl {
                url,
                http,
                times,
                most: keys.keys,
                bytes: keys.keys_bytes,
            }));
        }
        if let Some(jwks) = &keys.jwks {
            let set = KeySet::read(jwks, keys.keys).map_err(|why| wrong("auth.jwks", why))?;
            found.push(TokenSource::Keys(Arc::new(set)));
        }
        if let Some(asked) = &keys.introspection {
            let introspection = introspection(asked, keys.timeout_ms)?;
            let http = http(keys, &introspection.url);
            found.push(TokenSource::Introspection(introspection, http));
        }
        if keys.application {
            found.push(TokenSource::Application);
        }
        if !keys.tokens.is_empty() || keys.tokens_file.is_some() {
            found.push(TokenSource::Fixed(Arc::new(fixed_tokens(keys, implied)?)));
        }
        match (found.pop(), found.is_empty()) {
            (Some(source), true) => Ok(source),
            _ => Err(wrong("auth", ONE)),
        }
    }

    /// The tokens of the configuration, and of the file that it names.
    fn fixed_tokens(keys: &AuthKeys, implied: &Implied) -> Result<FixedTokens, Error> {
        const FILE: &str = "auth.tokens_file";
        let listed = fixed(Vec::new(), "auth.tokens", &keys.tokens, implied)?;
        let Some(path) = &keys.tokens_file else { return Ok(FixedTokens::listed(listed)) };
        let (before, implied) = (listed.clone(), implied.clone());
        let read = move |text: &str| {
            let list = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
            tokens(FILE, &list)
                .and_then(|tokens| fixed(before.clone(), FILE, &tokens, &implied))
                .map_err(|error| error.message)
        };
        FixedTokens::with_file(listed, Path::new(path), Box::new(read), Instant::now())
            .map_err(|why| wrong(FILE, why))
    }

    /// Adds what a list has to the tokens `all`. No error shows a digest.
    fn fixed(
        mut all: Vec<FixedToken>,
        list: &str,
        tokens: &[TokenKeys],
        implied: &Implied,
    ) -> Result<Vec<FixedToken>, Error> {
        for (at, token) in tokens.iter().enumerate() {
            let key = |member: &str| format!("{list}[{at}].{member}");
            check_scopes(&key("scopes"), &token.scopes)?;
            let scopes = Scopes::of(token.scopes.iter().map(String::as_str));
            let one =
                FixedToken::new(&token.sha256, &token.principal, &scopes, implied).ok_or_else(|| {
                    wrong(&key("sha256"), "it must be the SHA-256 of the token, 64 hexadecimal digits")
                })?;
            if all.iter().any(|other| other.digest == one.digest) {
                return Err(wrong(&key("sha256"), "another entry has the same token"));
            }
            all.push(one);
        }
        Ok(all)
    }

    fn introspection(keys: &IntrospectionKeys, timeout: Duration) -> Result<Introspection, Error> {
        let Some(url) = &keys.url else {
            return Err(wrong("auth.introspection.url", "the endpoint is needed"));
        };
        let client = match (&keys.client_id, &keys.client_secret) {
            (Some(id), Some(secret)) => Some((id.clone(), Secret::new(secret.as_str()))),
            (None, None) => None,
            _ => return Err(wrong("auth.introspection.client_secret", "it goes together with client_id")),
        };
        let url = place("auth.introspection.url", url)?;
        Ok(Introspection { url, client, check_audience: keys.check_audience, timeout })
    }

    /// How requests to the authorization server are made. The environment is read now, on the thread that makes the server.
    fn http(keys: &AuthKeys, url: &Address) -> Arc<HttpSettings> {
        Arc::new(HttpSettings {
            proxy: Some(Arc::new(Proxies::of_environment())),
            url: url.clone(),
            headers: Vec::new(),
            unix_socket: None,
            tls: TlsSettings {
                ca_file: keys.ca_file.clone().map(Into::into),
                system_roots: Some(SystemRoots::of_environment()),
                identity: None,
            },
            header_bytes: 64 << 10,
            message_bytes: keys.keys_bytes,
            connect: keys.timeout_ms,
            compression: false,
            cookies: false,
            idle_connections: 0,
            idle_time: Duration::ZERO,
            ping: Duration::from_secs(30),
            remember_era: false,
            resume_attempts: 0,
            draft: crate::protocol::draft::Drafts::default(),
        })
    }
}

/// Whether proofs of possession are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    Off,
    Allowed,
    Required,
}

const PROOFS: &[(&str, Proof)] =
    &[("off", Proof::Off), ("allowed", Proof::Allowed), ("required", Proof::Required)];

/// What lists have.
const LISTS: &[(&str, bool)] = &[("allowed", false), ("all", true)];

/// Rules by name.
pub(crate) type Rules = Vec<(String, Vec<String>)>;

settings! {
    /// Asking the authorization server about tokens.
    IntrospectionKeys {
        /// the endpoint (RFC 7662); necessary
        url: Option<String> = Optional(Text), None;
        /// who the server is there
        client_id: Option<String> = Optional(Text), None;
        /// its secret, sent in the header `Authorization`
        client_secret: Option<String> = Optional(Parsed(&["string"], "string", secret)), None;
        /// answers must name this server as the audience. Without this a token for another server of the same issuer is
        /// good here
        check_audience: bool = Flag, true;
    }
}

settings! {
    /// Who may use a server over HTTP.
    AuthKeys {
        /// the public URL of the server, which tokens are for; without it the URL that is served
        resource: Option<String> = Optional(Text), None;
        /// a name of the server for people who are asked for their consent
        resource_name: Option<String> = Optional(Text), None;
        /// the issuers of tokens for this server; required without `tokens` and `application`
        authorization_servers: Vec<String> = Texts, Vec::new(), "`[]`";
        /// what every request needs, and what clients ask for at first
        scopes: Vec<String> = Texts, Vec::new(), "`[]`";
        /// which scopes include others: object: scope → list of scopes
        implied_scopes: Rules = TextListsByName, Vec::new();
        /// what tools need besides: object: name → list of scopes
        tools: Rules = TextListsByName, Vec::new();
        /// what prompts need besides: object: name → list of scopes
        prompts: Rules = TextListsByName, Vec::new();
        /// what resources and templates need besides: object: URI, or text of a template as it was added → list of scopes
        resources: Rules = TextListsByName, Vec::new();
        /// what methods need besides: object: method → list of scopes
        methods: Rules = TextListsByName, Vec::new();
        /// what lists have: what their reader's scopes allow, or all, so that a client finds out what more scopes would give
        lists: bool = Choice(LISTS), false;
        /// whose tokens are good: the text in `iss`; without it the authorization servers
        issuers: Vec<String> = Texts, Vec::new(), "`[]`";
        /// who tokens are for: a text in `aud`; without it the resource
        audience: Vec<String> = Texts, Vec::new(), "`[]`";
        /// how tokens may be signed
        algorithms: Vec<String> = Texts, Vec::new(), "`[\"ES256\",\"ES384\",\"EdDSA\",\"RS256\",\"PS256\"]`";
        /// the `typ` that tokens must have, such as `at+jwt`; without it none, `JWT` or `at+jwt`
        token_type: Option<String> = Optional(Text), None;
        /// how much clocks may differ
        leeway_ms: Duration = Millis, Duration::from_secs(60);
        /// where the keys are that sign tokens
        jwks_url: Option<String> = Optional(Text), None;
        /// the keys themselves
        jwks: Option<Value> = Optional(Parsed(&["object"], "object", jwks)), None;
        /// keys that are taken of one set
        keys: usize = Size(1, 10_000), 100;
        /// bytes of a set of keys
        keys_bytes: usize = Size(256, 16 * MEBIBYTE), 256 << 10;
        /// how long keys are used before they are fetched again
        keys_ms: Duration = Millis, Duration::from_secs(60 * 60);
        /// how long they are used when they cannot be fetched
        keys_stale_ms: Duration = Millis, Duration::from_secs(24 * 60 * 60);
        /// the least time between two fetches, whatever tokens come
        keys_pause_ms: Duration = Millis, Duration::from_secs(30);
        /// the authorization server is asked about tokens
        introspection: Option<IntrospectionKeys> = Optional(Section::<IntrospectionKeys>::NEW), None;
        /// the application is asked about tokens: each is a message of kind `auth` that it answers
        application: bool = Flag, false;
        /// fixed tokens: objects with `sha256` (the hexadecimal digest), `principal` and `scopes`; at most 1000
        tokens: Vec<TokenKeys> = Parsed(&["array"], "list of objects", tokens), Vec::new(), "`[]`";
        /// a file with more of them, a JSON list like `tokens`; it is read again when it has changed. When it is removed, its tokens
        /// are good no longer; when it is wrong, the last ones stay, and the log says why
        tokens_file: Option<String> = Optional(Text), None;
        /// what the authorization server or the application has for an answer
        timeout_ms: Duration = Millis, Duration::from_secs(10);
        /// tokens of each URL that are being checked elsewhere. One client has at most half of what the others leave; a further request
        /// gets status 503
        questions: usize = Size(1, 100_000), 256;
        /// how long their answers are kept
        remember_ms: usize = Size(0, 24 * 60 * 60 * 1000), 60_000;
        /// answers that are kept
        remembered: usize = Size(0, 10_000_000), 10_000;
        /// proofs of possession (RFC 9449): not taken, taken with tokens that are bound to a key, or needed. With a store each must have the
        /// nonce that the server gives
        dpop: Proof = Choice(PROOFS), Proof::Off;
        /// how old a proof may be, in seconds
        dpop_seconds: u32 = Count(1, 3600), 60;
        /// proofs that are remembered, so that none is accepted twice. At the limit the principal with most loses its oldest, and gets
        /// status 503 for equally old ones. With a store they are noted there instead
        dpop_proofs: usize = Size(1, 10_000_000), 100_000;
        /// a PEM file with certificates to trust, besides those of the system, where keys are fetched and tokens asked about
        ca_file: Option<String> = Optional(Text), None;
    }
}

/// A secret: no error shows it.
fn secret(key: &str, value: &Value) -> Result<String, Error> {
    value.as_str().map(str::to_owned).ok_or_else(|| wrong(key, "it must be a string"))
}

settings! {
    /// A token that is good as long as it stands in the configuration.
    TokenKeys {
        /// the SHA-256 of the token
        sha256: String = Text, String::new();
        /// who it speaks for
        principal: String = Text, String::new();
        /// what it allows
        scopes: Vec<String> = Texts, Vec::new(), "`[]`";
    }
}

/// The most tokens of a configuration: each is compared with that of each request.
const TOKENS: usize = 1000;

fn tokens(key: &str, value: &Value) -> Result<Vec<TokenKeys>, Error> {
    let list = value.as_array().ok_or_else(|| wrong(key, "it must be a list of objects"))?;
    if list.len() > TOKENS {
        return Err(wrong(key, format!("it has {} tokens, and at most {TOKENS} are taken", list.len())));
    }
    let read = |(at, one): (usize, &Value)| {
        let key = format!("{key}[{at}]");
        let object = one.as_object().ok_or_else(|| wrong(&key, "it must be an object"))?;
        let mut fields = Fields::new(&format!("{key}."), object);
        let token = TokenKeys::read(&mut fields)?;
        fields.finish()?;
        if token.principal.is_empty() {
            return Err(wrong(&format!("{key}.principal"), "it must say who the token speaks for"));
        }
        Ok(token)
    };
    list.iter().enumerate().map(read).collect()
}

fn jwks(key: &str, value: &Value) -> Result<Value, Error> {
    if value.is_object() {
        Ok(value.clone())
    } else {
        Err(wrong(key, "it must be an object with a list 'keys'"))
    }
}
