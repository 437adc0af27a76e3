//! The key `auth` of a server: which requests over HTTP come with a token that is good.

use crate::config::define::{Definition as _, settings};
use crate::config::fields::{Fields, MEBIBYTE, wrong};
use crate::config::kinds::{
    Choice, Count, Flag, Millis, Optional, Parsed, Section, Size, Text, TextListsByName, Texts,
};
use crate::engine::Error;
use serde_json::Value;
use std::time::Duration;

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
        /// what the authorization server or the application has for an answer
        timeout_ms: Duration = Millis, Duration::from_secs(10);
        /// tokens of each URL that are being checked elsewhere. One client has at most half of what the others leave; a further request
        /// gets status 503
        questions: usize = Size(1, 100_000), 256;
        /// how long their answers are kept
        remember_ms: usize = Size(0, 24 * 60 * 60 * 1000), 60_000;
        /// answers that are kept
        remembered: usize = Size(0, 10_000_000), 10_000;
        /// proofs of possession (RFC 9449): not taken, taken with tokens that are bound to a key, or needed
        dpop: Proof = Choice(PROOFS), Proof::Off;
        /// how old a proof may be, in seconds
        dpop_seconds: u32 = Count(1, 3600), 60;
        /// proofs that are remembered, so that none is accepted twice. At the limit the principal with most loses its oldest, and gets
        /// status 503 for equally old ones
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
