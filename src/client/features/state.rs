//! The state of a client beside its connection: the tools of the server, the cache, and what is done to an outcome on the thread that
//! takes it.

#[cfg(feature = "schema")]
use super::tools::KnownTools;
use crate::client::Message;
use crate::client::cache::{Cache, CacheKey, Stamp};
use crate::client::config::keys::FeatureSettings;
#[cfg(feature = "skills")]
use crate::client::config::keys::SkillLimits;
use crate::engine::{Event, Status};
use crate::json;
#[cfg(feature = "schema")]
use crate::protocol::Topic;
use crate::protocol::envelope::text;
use crate::protocol::method;
#[cfg(feature = "auth")]
use crate::runtime::http::Authenticator;
use crate::runtime::lock;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// What one client knows.
#[derive(Debug)]
pub(crate) struct FeatureState {
    #[cfg(feature = "schema")]
    pub(super) settings: FeatureSettings,
    #[cfg(feature = "schema")]
    tools: Mutex<KnownTools>,
    cache: Option<Mutex<Cache>>,
    /// The person who logs in, where there is one.
    #[cfg(feature = "auth")]
    authenticator: Option<Arc<Authenticator>>,
    #[cfg(feature = "skills")]
    pub(super) skills: SkillLimits,
}

impl FeatureState {
    #[cfg_attr(not(feature = "schema"), expect(clippy::needless_pass_by_value, reason = "kept with schemas"))]
    pub(crate) fn new(
        settings: FeatureSettings,
        #[cfg(feature = "auth")] authenticator: Option<Arc<Authenticator>>,
    ) -> FeatureState {
        FeatureState {
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
    pub(super) fn tools(&self) -> MutexGuard<'_, KnownTools> {
        lock(&self.tools)
    }

    /// Whether anything is done with the name and the arguments of a tool that is called.
    pub(crate) fn looks_at_tools(&self) -> bool {
        #[cfg(feature = "schema")]
        if !self.tools().is_empty() {
            return true;
        }
        self.cache.is_some()
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

/// What to do with one outcome.
#[derive(Debug)]
pub(crate) struct FinishCall {
    pub(super) state: Arc<FeatureState>,
    /// The connection whose tools the result lists.
    #[cfg(feature = "schema")]
    pub(super) lists_tools_of: Option<u64>,
    /// Where to keep the result.
    pub(super) keep: Option<(CacheKey, Stamp, bool)>,
    #[cfg(feature = "schema")]
    pub(super) check: Option<super::tools::ResultCheck>,
    /// The tool that was called.
    pub(super) tool: Option<String>,
    /// What the file of a skill must be.
    #[cfg(feature = "skills")]
    pub(super) skill: Option<super::skills::SkillCheck>,
}

impl FinishCall {
    /// As the runtime carries it with a started call.
    pub(super) fn boxed(self) -> crate::runtime::message::OutcomeFinish {
        crate::runtime::message::OutcomeFinish::new(|message| self.run(message))
    }

    /// Does it, and gives the outcome that the application gets.
    pub(crate) fn run(self, message: Message) -> Message {
        if let (Some(tool), Some(mut cache)) = (&self.tool, self.state.cache()) {
            cache.tool_called(tool);
        }
        if message.status() != Status::Ok {
            return self.stand_in(message);
        }
        #[cfg(feature = "skills")]
        let message = match &self.skill {
            Some(skill) => skill.run(message),
            None => message,
        };
        if message.status() != Status::Ok || message.is_extended() {
            return message;
        }
        let login = self.state.login();
        if let (Some((key, stamp, is_legacy)), Some(mut cache)) = (self.keep, self.state.cache())
            && !message.was_asked()
        {
            // A result that took answers of the application's is its alone.
            cache.put(Instant::now(), &stamp, login.as_deref(), is_legacy, key, message.json());
        }
        #[cfg(feature = "schema")]
        {
            if let Some(connection) = self.lists_tools_of {
                let with_arguments = self.state.settings.validate_arguments;
                self.state.tools().note(connection, message.json(), with_arguments);
            }
            if let Some(check) = self.check {
                return check.run(message);
            }
        }
        message
    }

    /// Puts an old result in the place of an error of the way to the server.
    fn stand_in(self, message: Message) -> Message {
        let lost = matches!(message.status(), Status::Timeout | Status::Unavailable | Status::Transport);
        let login = self.state.login();
        let (Some((key, ..)), true, Some(mut cache)) = (&self.keep, lost, self.state.cache()) else {
            return message;
        };
        match cache.stale(login.as_deref(), key).filter(|result| self.passes(result)) {
            Some(result) => Message::kept(message.client(), message.call(), message.tag(), &result),
            None => message,
        }
    }

    /// Whether a result that was kept may be handed over in place of a new one.
    #[cfg(feature = "skills")]
    pub(super) fn passes(&self, result: &str) -> bool {
        self.skill.as_ref().is_none_or(|skill| skill.passes(result))
    }

    /// Whether a result that was kept may be handed over in place of a new one.
    #[cfg(not(feature = "skills"))]
    #[expect(clippy::unused_self, reason = "nothing is checked")]
    pub(super) fn passes(&self, _: &str) -> bool {
        true
    }

    /// Whether anything is to be done at all.
    pub(super) fn is_needed(&self) -> bool {
        #[cfg(feature = "schema")]
        if self.check.is_some() || self.lists_tools_of.is_some() {
            return true;
        }
        #[cfg(feature = "skills")]
        if self.skill.is_some() {
            return true;
        }
        self.keep.is_some() || self.tool.is_some()
    }
}
