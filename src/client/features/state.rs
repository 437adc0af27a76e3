//! What one client knows beside its connection: the tools' schemas, and results kept for a while.

#[cfg(feature = "schema")]
use super::tools::Tools;
use crate::client::cache::Cache;
use crate::client::config::features::FeatureSettings;
#[cfg(feature = "skills")]
use crate::client::config::features::SkillLimits;
use crate::engine::Event;
use crate::json;
#[cfg(feature = "schema")]
use crate::protocol::Topic;
use crate::protocol::envelope::text;
use crate::protocol::method;
#[cfg(feature = "auth")]
use crate::runtime::http::Authenticator;
use crate::runtime::lock;
use serde_json::{Value, json};
#[cfg(feature = "auth")]
use std::sync::Arc;
use std::sync::{Mutex, MutexGuard};

/// What one client knows.
#[derive(Debug)]
pub(crate) struct State {
    #[cfg(feature = "schema")]
    pub(super) settings: FeatureSettings,
    #[cfg(feature = "schema")]
    tools: Mutex<Tools>,
    cache: Option<Mutex<Cache>>,
    /// The person who logs in, where there is one.
    #[cfg(feature = "auth")]
    authenticator: Option<Arc<Authenticator>>,
    #[cfg(feature = "skills")]
    pub(super) skills: SkillLimits,
}

impl State {
    #[cfg_attr(not(feature = "schema"), expect(clippy::needless_pass_by_value, reason = "kept with schemas"))]
    pub(crate) fn new(
        settings: FeatureSettings,
        #[cfg(feature = "auth")] authenticator: Option<Arc<Authenticator>>,
    ) -> State {
        State {
            #[cfg(feature = "auth")]
            authenticator,
            cache: settings.cache.clone().map(|cache| Mutex::new(Cache::new(cache))),
            #[cfg(feature = "skills")]
            skills: settings.skills,
            #[cfg(feature = "schema")]
            tools: Mutex::default(),
            #[cfg(feature = "schema")]
            settings,
        }
    }

    #[cfg(feature = "schema")]
    pub(super) fn tools(&self) -> MutexGuard<'_, Tools> {
        lock(&self.tools)
    }

    pub(super) fn cache(&self) -> Option<MutexGuard<'_, Cache>> {
        self.cache.as_ref().map(lock)
    }

    /// A name of the login that requests are made with, which is another one for another login; `None` without one.
    pub(crate) fn login(&self) -> Option<String> {
        #[cfg(feature = "auth")]
        if let (Some(authenticator), Some(_)) = (&self.authenticator, &self.cache) {
            return authenticator.login();
        }
        None
    }

    /// Something arrived for the application: what it says has changed is known no longer.
    pub(crate) fn heard(&self, event: &Event) {
        let Event::Notification { frame, method, params } = event else { return };
        let called = json::string(text(frame, *method)).unwrap_or_default();
        let topic = method::topic(&called);
        #[cfg(feature = "schema")]
        if topic == Topic::ToolsChanged {
            self.tools().forget();
        }
        if let Some(mut cache) = self.cache() {
            cache.changed(topic, params.map_or("{}", |params| text(frame, params)));
        }
    }

    /// Drops every kept result.
    pub(crate) fn clear_cache(&self) {
        if let Some(mut cache) = self.cache() {
            cache.clear();
        }
    }

    /// What there is to know about the kept results.
    pub(crate) fn info(&self) -> Value {
        let Some(cache) = self.cache() else { return Value::Null };
        let (entries, bytes) = cache.holds();
        let counters = cache.counters;
        json!({
            "entries": entries,
            "bytes": bytes,
            "hits": counters.hits,
            "misses": counters.misses,
            "stale": counters.stale,
            "dropped": counters.dropped,
        })
    }
}
