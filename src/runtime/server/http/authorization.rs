//! Checks the tokens of requests, with what `auth::server` decides: fetches keys, asks the authorization server, or the application.
//! Here (`good`) they are held to the scopes of the endpoint; those of methods and entries are asked for in `engine::server::access`.

use super::Caller;
use super::documents::is_at;
use super::fixed_tokens::FixedTokens;
use crate::auth::server::{
    Challenger, Checked, Denial, DpopUse, Introspection, KeyCache, KeySet, KeyTimes, Keys, Presented,
    Principal, ProofOf, Proofs, Remembered, ResourceDocument, TokenHash, TokenRules, document_paths,
    document_url, known, presented,
};
use crate::auth::{LoginStep, Request, Scopes, Secret};
use crate::engine::Level;
use crate::engine::server::{Principal as Sender, SessionId};
use crate::protocol::address::Address;
use crate::protocol::error_code;
use crate::runtime::lock;
use crate::runtime::server::Serving;
use crate::shares::{Holder, Lending, Shares};
use crate::transport::http::fetch::fetch;
use crate::transport::http::settings::HttpSettings;
use crate::transport::http_server::refusal::Refusal;
use hyper::StatusCode;
use hyper::header::AUTHORIZATION;
use hyper::http::request::Parts;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Where it is found out whether a token is good.
#[derive(Debug)]
enum Judge {
    /// The tokens themselves are known.
    Known(Arc<FixedTokens>),
    /// Keys that never change.
    Fixed(Arc<KeySet>),
    /// Keys that are fetched.
    Fetched(Arc<FetchedKeys>),
    /// Another is asked.
    Asked(Box<AskedAuthority>),
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
        let resource =
            Address::parse(&name).map_err(|why| format!("'{name}' is not a valid resource: {why}"))?;
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
                Judge::Asked(Box::new(AskedAuthority::of_server(of, http, settings)))
            }
            TokenSource::Fixed(tokens) => Judge::Known(Arc::clone(tokens)),
            TokenSource::Application => Judge::Asked(Box::new(AskedAuthority::of_application(settings))),
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
        self.document_paths.iter().any(|known| is_at(known, path)).then_some(self.document.as_str())
    }

    /// Who a request comes from.
    ///
    /// # Errors
    /// The challenge for its sender.
    pub(super) async fn check(
        self: &Arc<Self>,
        serving: &Arc<Serving>,
        head: &Parts,
        from: Holder,
    ) -> Result<Caller, Refusal> {
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
            // A time that no clock reaches is not an end.
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
        let nonce = match denial {
            Denial::Nonce(nonce) => Some(nonce.as_str().into()),
            _ => None,
        };
        Refusal { challenges: self.challenger.values(denial), nonce, ..refusal }
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
            (Some(key), true) => self.prove(serving, head, found, (key, &principal.id())).await?,
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

    /// Whether the sender has the key of its token. Each proof is good once: here, or in all processes that share a store.
    async fn prove(
        &self,
        serving: &Arc<Serving>,
        head: &Parts,
        found: &Presented,
        (key, principal): (&str, &str),
    ) -> Result<(), Denial> {
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
        let now = Serving::now().unix;
        #[cfg(feature = "store")]
        if serving.shares_proofs() {
            let (proven, window) = {
                let proofs = lock(&self.proofs);
                (proofs.check(proof, of, now)?, proofs.window())
            };
            return serving.use_proof(&proven, window).await.inspect_err(|denial| {
                if let Denial::Unavailable(why) = denial {
                    serving.record(Level::Warn, SessionId(0), why);
                }
            });
        }
        #[cfg(not(feature = "store"))]
        let _no_store = serving;
        lock(&self.proofs).take(proof, of, now)
    }

    async fn principal(
        self: &Arc<Self>,
        serving: &Arc<Serving>,
        found: &Presented,
        from: &Holder,
    ) -> Result<Arc<Principal>, Denial> {
        let fetched = match &self.judge {
            Judge::Known(tokens) => {
                let warn = |what: &str| serving.record(Level::Warn, SessionId(0), what);
                return known(&tokens.at(Instant::now, warn), found.token.expose());
            }
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

/// What finds out whether a token is good.
#[derive(Clone, Debug)]
pub(crate) enum TokenSource {
    /// These keys.
    Keys(Arc<KeySet>),
    /// Keys at a URL.
    KeysUrl(KeysUrl),
    /// The authorization server.
    Introspection(Introspection, Arc<HttpSettings>),
    /// The application.
    Application,
    /// The configuration, and a file that it names.
    Fixed(Arc<FixedTokens>),
}

/// Keys at a URL.
#[derive(Clone, Debug)]
pub(crate) struct KeysUrl {
    pub(crate) url: Address,
    pub(crate) http: Arc<HttpSettings>,
    pub(crate) times: KeyTimes,
    /// Keys that are taken of a set.
    pub(crate) most: usize,
    /// Bytes of the set.
    pub(crate) bytes: usize,
}

/// What a configuration says of authorization.
#[derive(Clone, Debug)]
pub(crate) struct AuthSettings {
    /// The public URL; `None` for the one that is served.
    pub(crate) resource: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) authorization_servers: Vec<String>,
    /// What every request needs.
    pub(crate) scopes: Scopes,
    /// What tokens must be. Without an audience it is the resource.
    pub(crate) rules: TokenRules,
    pub(crate) source: TokenSource,
    pub(crate) dpop: DpopUse,
    /// How many seconds a proof may be old.
    pub(crate) proof_seconds: u64,
    /// Proofs that are remembered.
    pub(crate) proofs: usize,
    /// How long an answer may take.
    pub(crate) timeout: Duration,
    /// Questions to others at one time.
    pub(crate) questions: usize,
    /// Verdicts that are kept.
    pub(crate) remembered: usize,
    /// How long.
    pub(crate) remember: Duration,
}

/// The keys of an issuer.
#[derive(Debug)]
struct FetchedKeys {
    from: KeysUrl,
    timeout: Duration,
    cache: Mutex<KeyCache>,
    /// Held by the one who fetches.
    fetching: tokio::sync::Mutex<()>,
}

impl FetchedKeys {
    fn new(from: &KeysUrl, settings: &AuthSettings) -> FetchedKeys {
        FetchedKeys {
            from: from.clone(),
            timeout: settings.timeout,
            cache: Mutex::new(KeyCache::new(from.times)),
            fetching: tokio::sync::Mutex::new(()),
        }
    }

    /// The keys. `missed` are those among which the key of a token is not.
    async fn get(
        self: &Arc<Self>,
        serving: &Arc<Serving>,
        missed: Option<&Arc<KeySet>>,
    ) -> Result<Arc<KeySet>, Denial> {
        let none = || Denial::Unavailable("no keys found".to_owned());
        match lock(&self.cache).wanted(Instant::now(), missed) {
            Keys::Use(keys) => return Ok(keys),
            Keys::Unavailable => return Err(none()),
            Keys::Fetch => {}
        }
        // A task of its own: the fetch is not cut off when the client that led to it goes away.
        let (this, missed, serving) = (Arc::clone(self), missed.cloned(), Arc::clone(serving));
        let fetched = tokio::spawn(async move {
            let _one_at_a_time = this.fetching.lock().await;
            let wanted = lock(&this.cache).wanted(Instant::now(), missed.as_ref());
            if !matches!(wanted, Keys::Fetch) {
                return wanted;
            }
            let found = this.fetch().await;
            if let Err(why) = &found {
                let text =
                    format!("the keys that check tokens could not be fetched from {}: {why}", this.from.url);
                serving.record(Level::Warn, SessionId(0), &text);
            }
            let mut cache = lock(&this.cache);
            cache.fetched(Instant::now(), found.ok());
            cache.wanted(Instant::now(), None)
        });
        match fetched.await {
            Ok(Keys::Use(keys)) => Ok(keys),
            Ok(Keys::Fetch | Keys::Unavailable) | Err(_) => Err(none()),
        }
    }

    async fn fetch(&self) -> Result<KeySet, String> {
        let request = Request {
            id: 0,
            step: LoginStep::Access,
            method: crate::auth::Method::Get,
            url: self.from.url.clone(),
            headers: vec![("accept", crate::auth::Secret::new("application/jwk-set+json, application/json"))],
            body: None,
            unsigned: None,
            refuse_private: false,
            most_bytes: self.from.bytes,
            timeout: self.timeout,
        };
        let answer = fetch(&self.from.http, &request).await.map_err(|fault| fault.to_string())?;
        if answer.status != 200 {
            return Err(format!("the answer has status {}", answer.status));
        }
        let value = serde_json::from_slice(&answer.body)
            .map_err(|error| format!("the answer is not valid JSON: {error}"))?;
        KeySet::read(&value, self.from.most).map_err(str::to_owned)
    }
}

/// Tokens about which another is asked: the authorization server (RFC 7662) or the application. What it says is kept for a time.
#[derive(Debug)]
enum Who {
    Server(Introspection, Arc<HttpSettings>),
    Application(Duration),
}

/// Who is asked, and what it said before.
#[derive(Debug)]
struct AskedAuthority {
    who: Who,
    /// Which clients have how many of the questions that are open.
    open: Mutex<Shares<Holder>>,
    kept: Mutex<Remembered>,
}

/// A question, until it is answered or its client is gone.
struct OpenQuestion<'a>(&'a AskedAuthority, &'a Holder);

impl Drop for OpenQuestion<'_> {
    fn drop(&mut self) {
        lock(&self.0.open).give(self.1, 1);
    }
}

impl AskedAuthority {
    fn of_server(
        introspection: &Introspection,
        http: &Arc<HttpSettings>,
        settings: &AuthSettings,
    ) -> AskedAuthority {
        AskedAuthority::new(Who::Server(introspection.clone(), Arc::clone(http)), settings)
    }

    fn of_application(settings: &AuthSettings) -> AskedAuthority {
        AskedAuthority::new(Who::Application(settings.timeout), settings)
    }

    fn new(who: Who, settings: &AuthSettings) -> AskedAuthority {
        AskedAuthority {
            who,
            open: Mutex::new(Shares::new(settings.questions, 1, Lending::Half)),
            kept: Mutex::new(Remembered::new(settings.remembered, settings.remember)),
        }
    }

    /// Who a token speaks for that a client sent.
    async fn about(
        &self,
        serving: &Arc<Serving>,
        rules: &Arc<TokenRules>,
        token: &Secret,
        from: &Holder,
    ) -> Result<Arc<Principal>, Denial> {
        let hash = TokenHash::of(token);
        let kept = lock(&self.kept).get(&hash, Instant::now());
        let verdict = match kept {
            Some(verdict) => verdict,
            None => {
                let _open = self.begin(from)?;
                let verdict = self.ask(serving, rules, token).await.map(Arc::new);
                if let Err(Denial::Unavailable(why)) = &verdict {
                    let text = format!("whether a token is good could not be found out: {why}");
                    serving.record(Level::Warn, SessionId(0), &text);
                }
                lock(&self.kept).put(hash, from, &verdict, Instant::now());
                verdict
            }
        };
        let principal = verdict?;
        principal.still_good(Serving::now().unix, rules.leeway)?;
        Ok(principal)
    }

    /// A client has one more question open, if that is not more than its share.
    fn begin<'a>(&'a self, from: &'a Holder) -> Result<OpenQuestion<'a>, Denial> {
        lock(&self.open).take(from, 1).map_err(|_| {
            let text = "too many tokens of this client are being checked (its share of auth.questions)";
            Denial::Unavailable(text.to_owned())
        })?;
        Ok(OpenQuestion(self, from))
    }

    async fn ask(
        &self,
        serving: &Arc<Serving>,
        rules: &Arc<TokenRules>,
        token: &Secret,
    ) -> Result<Principal, Denial> {
        match &self.who {
            Who::Server(introspection, http) => {
                let answer = fetch(http, &introspection.request(token)).await;
                let none = |fault| format!("the introspection endpoint gave no answer: {fault}");
                let answer = answer.map_err(|fault| Denial::Unavailable(none(fault)))?;
                introspection.answered(&answer, rules, Serving::now().unix)
            }
            Who::Application(time) => serving.ask_about_token(token, rules, *time).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_asks_about_tokens_without_end_leaves_room_for_others() {
        let asked = AskedAuthority {
            who: Who::Application(Duration::from_secs(1)),
            open: Mutex::new(Shares::new(8, 1, Lending::Half)),
            kept: Mutex::new(Remembered::new(0, Duration::ZERO)),
        };
        let [flood, other] = [Holder::Session(1), Holder::Session(2)];
        let open: Vec<_> = std::iter::from_fn(|| asked.begin(&flood).ok()).collect();
        assert_eq!(open.len(), 4, "half of it");
        let another = asked.begin(&other).expect("room");
        assert!(matches!(asked.begin(&flood), Err(Denial::Unavailable(_))));
        drop((open, another));
        assert!(asked.begin(&flood).is_ok(), "what is over is given back");
    }
}
