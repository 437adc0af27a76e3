//! Keys of an issuer, fetched by one request at a time. Others wait for it.

use super::settings::{AuthSettings, KeysUrl};
use crate::auth::server::{Denial, KeyCache, KeySet, Keys};
use crate::auth::{LoginStep, Request};
use crate::engine::Level;
use crate::engine::server::SessionId;
use crate::runtime::lock;
use crate::runtime::server::Serving;
use crate::transport::http::fetch::fetch;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The keys of an issuer.
#[derive(Debug)]
pub(super) struct FetchedKeys {
    from: KeysUrl,
    timeout: Duration,
    cache: Mutex<KeyCache>,
    /// Held by the one who fetches.
    fetching: tokio::sync::Mutex<()>,
}

impl FetchedKeys {
    pub(super) fn new(from: &KeysUrl, settings: &AuthSettings) -> FetchedKeys {
        FetchedKeys {
            from: from.clone(),
            timeout: settings.timeout,
            cache: Mutex::new(KeyCache::new(from.times)),
            fetching: tokio::sync::Mutex::new(()),
        }
    }

    /// The keys. `missed` are those among which the key of a token is not.
    pub(super) async fn get(
        self: &Arc<Self>,
        serving: &Arc<Serving>,
        missed: Option<&Arc<KeySet>>,
    ) -> Result<Arc<KeySet>, Denial> {
        let none = || Denial::Unavailable("there are no keys".to_owned());
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
        let answer = fetch(&self.from.http, &request).await.map_err(|fault| format!("{fault:?}"))?;
        if answer.status != 200 {
            return Err(format!("the answer has status {}", answer.status));
        }
        let value =
            serde_json::from_slice(&answer.body).map_err(|error| format!("it is no JSON: {error}"))?;
        KeySet::read(&value, self.from.most).map_err(str::to_owned)
    }
}
