//! Checks the tokens of requests, with what `auth::server` decides: fetches keys, asks the authorization server, or the application.
//!
//! * `settings`: `AuthSettings`: what a configuration says
//! * `keys`: `FetchedKeys`: keys of an issuer, fetched one request at a time
//! * `asking`: tokens about which another is asked: the authorization server or the application
//!
//! [`Authorization`] is in this file.

mod asking;
mod keys;
mod settings;

pub(crate) use settings::{AuthSettings, KeysUrl, TokenSource};

use super::caller::Caller;
use crate::auth::Scopes;
use crate::auth::server::{
    Challenger, Checked, Denial, DpopUse, FixedToken, KeySet, Presented, Principal, ProofOf, Proofs,
    ResourceDocument, TokenRules, document_paths, document_url, known, presented,
};
use crate::engine::server::Principal as Sender;
use crate::protocol::address::Address;
use crate::protocol::error_code;
use crate::runtime::lock;
use crate::runtime::server::Serving;
use crate::shares::Holder;
use crate::transport::http_server::refusal::Refusal;
use hyper::StatusCode;
use hyper::header::AUTHORIZATION;
use hyper::http::request::Parts;
use keys::FetchedKeys;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Where it is found out whether a token is good.
#[derive(Debug)]
enum Judge {
    /// The tokens themselves are known.
    Known(Arc<Vec<FixedToken>>),
    /// Keys that never change.
    Fixed(Arc<KeySet>),
    /// Keys that are fetched.
    Fetched(Arc<FetchedKeys>),
    /// Another is asked.
    Asked(Box<asking::AskedAuthority>),
}

/// Checks the tokens of one URL.
#[derive(Debug)]
pub(crate) struct Authorization {
    resource: Address,
    rules: Arc<TokenRules>,
    /// What every request needs.
    scopes: Scopes,
    challenger: Challenger,
    document: String,
    document_paths: Vec<String>,
    judge: Judge,
    proofs: Mutex<Proofs>,
}

impl Authorization {
    /// Checks tokens for the URL `url`, unless the settings name a public one, at the path `path` of this server.
    ///
    /// # Errors
    /// The URL cannot be a resource.
    pub(crate) fn new(settings: &AuthSettings, url: &str, path: &str) -> Result<Arc<Authorization>, String> {
        let name = settings.resource.clone().unwrap_or_else(|| url.to_owned());
        let resource = Address::parse(&name).map_err(|why| format!("'{name}' is no resource: {why}"))?;
        let mut rules = settings.rules.clone();
        if rules.audiences.is_empty() {
            rules.audiences.push(name.clone());
        }
        let document = ResourceDocument {
            resource: name,
            authorization_servers: settings.authorization_servers.clone(),
            scopes: settings.scopes.clone(),
            name: settings.name.clone(),
            dpop: settings.dpop,
        };
        let judge = match &settings.source {
            TokenSource::Keys(keys) => Judge::Fixed(Arc::clone(keys)),
            TokenSource::KeysUrl(from) => Judge::Fetched(Arc::new(FetchedKeys::new(from, settings))),
            TokenSource::Introspection(of, http) => {
                Judge::Asked(Box::new(asking::AskedAuthority::of_server(of, http, settings)))
            }
            TokenSource::Fixed(tokens) => Judge::Known(Arc::clone(tokens)),
            TokenSource::Application => {
                Judge::Asked(Box::new(asking::AskedAuthority::of_application(settings)))
            }
        };
        // Without an authorization server there is nothing that a client could learn: its token was given to it.
        let is_told = !settings.authorization_servers.is_empty();
        Ok(Arc::new(Authorization {
            challenger: Challenger {
                metadata_url: is_told.then(|| document_url(&resource)),
                scopes: settings.scopes.clone(),
                dpop: settings.dpop,
            },
            document_paths: if is_told { document_paths(&resource, path) } else { Vec::new() },
            document: document.text(),
            resource,
            rules: Arc::new(rules),
            scopes: settings.scopes.clone(),
            judge,
            proofs: Mutex::new(Proofs::new(settings.proof_seconds, settings.proofs)),
        }))
    }

    /// The metadata of the resource, if it is found at this path.
    pub(super) fn document_at(&self, path: &str) -> Option<&str> {
        self.document_paths.iter().any(|known| known == path).then_some(self.document.as_str())
    }

    /// Who a request comes from.
    ///
    /// # Errors
    /// The challenge for its sender.
    pub(super) async fn check(
        self: &Arc<Self>,
        serving: &Arc<Serving>,
        head: &Parts,
    ) -> Result<Caller, Refusal> {
        let from: Holder = head.extensions.get().cloned().unwrap_or_default();
        let found = match self.found(head) {
            Ok(found) => self.good(serving, head, &found, &from).await,
            Err(denial) => Err(denial),
        };
        let principal = found.map_err(|denial| self.refusal(&denial))?;
        let left = principal
            .expires
            .map(|end| end.saturating_add(self.rules.leeway).saturating_sub(Serving::now().unix));
        let sender = Sender {
            id: principal.id().into(),
            scopes: principal
                .scopes
                .text()
                .split(' ')
                .filter(|scope| !scope.is_empty())
                .map(Into::into)
                .collect(),
            text: principal.describe().into(),
        };
        Ok(Caller {
            principal: Some(Arc::new(sender)),
            // A time that no clock reaches is no end.
            until: left.and_then(|left| Instant::now().checked_add(Duration::from_secs(left))),
            from,
            ..Caller::default()
        })
    }

    /// A request whose token has not all of these scopes.
    pub(super) fn lacks(&self, needed: &[String]) -> Refusal {
        let needed = Scopes::of(needed.iter().map(String::as_str));
        self.refusal(&Denial::Scope(self.scopes.with(&needed)))
    }

    fn refusal(&self, denial: &Denial) -> Refusal {
        if matches!(denial, Denial::Unavailable(_)) {
            return Refusal::full(denial.text());
        }
        let status = StatusCode::from_u16(denial.status()).unwrap_or(StatusCode::UNAUTHORIZED);
        let refusal = Refusal::new(status, error_code::INVALID_REQUEST, denial.text());
        Refusal { challenges: self.challenger.values(denial), ..refusal }
    }

    fn found(&self, head: &Parts) -> Result<Presented, Denial> {
        let headers = head.headers.get_all(AUTHORIZATION).iter().map(hyper::header::HeaderValue::as_bytes);
        let found = presented(headers, head.uri.query())?;
        match self.challenger.dpop {
            DpopUse::Off if found.is_dpop => Err(Denial::Missing),
            DpopUse::Required if !found.is_dpop => {
                Err(Denial::Invalid("a token needs a proof of possession here: Authorization: DPoP TOKEN"))
            }
            _ => Ok(found),
        }
    }

    async fn good(
        self: &Arc<Self>,
        serving: &Arc<Serving>,
        head: &Parts,
        found: &Presented,
        from: &Holder,
    ) -> Result<Arc<Principal>, Denial> {
        let principal = self.principal(serving, found, from).await?;
        match (&principal.key, found.is_dpop) {
            (Some(key), true) => self.prove(head, found, key, &principal.id())?,
            // Without its proof a stolen one would be as good.
            (Some(_), false) => return Err(Denial::Invalid("the token is bound to a key and needs a proof")),
            (None, true) => return Err(Denial::Invalid("the token is not bound to a key")),
            (None, false) => {}
        }
        if !principal.scopes.has_all(&self.scopes) {
            return Err(Denial::Scope(self.scopes.clone()));
        }
        Ok(principal)
    }

    fn prove(&self, head: &Parts, found: &Presented, key: &str, principal: &str) -> Result<(), Denial> {
        let mut proofs = head.headers.get_all("dpop").iter();
        let (Some(proof), None) = (proofs.next(), proofs.next()) else {
            return Err(Denial::Proof("one header DPoP must have the proof of the request"));
        };
        let proof = proof.to_str().map_err(|_| Denial::Proof("the proof cannot be read"))?;
        let of = ProofOf {
            method: head.method.as_str(),
            url: &self.resource,
            token: &found.token,
            key,
            principal,
        };
        lock(&self.proofs).take(proof, of, Serving::now().unix)
    }

    async fn principal(
        self: &Arc<Self>,
        serving: &Arc<Serving>,
        found: &Presented,
        from: &Holder,
    ) -> Result<Arc<Principal>, Denial> {
        let fetched = match &self.judge {
            Judge::Known(tokens) => return known(tokens, found.token.expose()),
            Judge::Asked(asked) => return asked.about(serving, &self.rules, &found.token, from).await,
            Judge::Fetched(keys) => Ok(keys),
            Judge::Fixed(keys) => Err(keys),
        };
        let token = self.rules.read(found.token.expose(), Serving::now().unix)?;
        let keys = match fetched {
            Ok(fetched) => fetched.get(serving, None).await?,
            Err(keys) => Arc::clone(keys),
        };
        let token = match self.rules.verify(token, &keys) {
            Checked::Good(principal) => return Ok(Arc::from(principal)),
            Checked::Bad(denial) => return Err(denial),
            Checked::UnknownKey(token) => token,
        };
        if let Ok(fetched) = fetched {
            let newer = fetched.get(serving, Some(&keys)).await?;
            match self.rules.verify(token, &newer) {
                Checked::Good(principal) => return Ok(Arc::from(principal)),
                Checked::Bad(denial) => return Err(denial),
                Checked::UnknownKey(_) => {}
            }
        }
        Err(Denial::Invalid("the token is signed with a key that its issuer does not have"))
    }
}
