//! What one client knows beside its connection: the tools' schemas, and results kept for a while.

#[cfg(feature = "schema")]
use super::tools::Tools;
use crate::client::cache::{Cache, CacheSettings};
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

/// How large a skill may be. Hosts have to take 512 files and 16 MiB (extension `skills`, "Limits").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SkillLimits {
    /// Files of one skill.
    pub(crate) files: usize,
    /// Bytes of all its files.
    pub(crate) bytes: usize,
}

impl Default for SkillLimits {
    fn default() -> Self {
        SkillLimits { files: 512, bytes: 16 * 1024 * 1024 }
    }
}

/// How features behave.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FeatureSettings {
    /// Whether a tool's `structuredContent` is checked against its `outputSchema`.
    pub(crate) validate_results: bool,
    /// Whether a tool's arguments are checked against its `inputSchema` before they are sent.
    pub(crate) validate_arguments: bool,
    /// How results are kept; `None` for not at all.
    pub(crate) cache: Option<CacheSettings>,
    /// How large a skill may be.
    pub(crate) skills: SkillLimits,
}

impl Default for FeatureSettings {
    fn default() -> Self {
        FeatureSettings {
            validate_results: true,
            validate_arguments: false,
            cache: None,
            skills: SkillLimits::default(),
        }
    }
}

/// What one client knows.
#[derive(Debug)]
pub(crate) struct State {
    #[cfg(feature = "schema")]
    pub(super) settings: FeatureSettings,
    #[cfg(feature = "schema")]
    tools: Mutex<Tools>,
    cache: Option<Mutex<Cache>>,
    /// Who logs in, where somebody does.
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
