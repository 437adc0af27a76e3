//! Results kept for a while, where the server (or, for servers of the legacy era, the configuration) says how long
//! (2026-07-28 `server/utilities/caching`). Off unless configured, bounded, one for each client.
//!
//! What a change notification is about is dropped at once, and everything with a new connection. With another login everything
//! is dropped that the server did not call "public". An answer that was asked for before a change is not kept: each kind of
//! result counts its changes, and the count must be the one of the asking.

#[cfg(test)]
mod tests;

use crate::config::define::settings;
use crate::config::fields::GIBIBYTE;
use crate::config::kinds::{Flag, MillisByMethod, Size, Texts};
use crate::json;
use crate::protocol::method::{self, METHODS, Method};
use crate::protocol::{Topic, given};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

settings! {
    /// How results are kept.
    #[derive(Clone, Debug, PartialEq)]
    CacheSettings {
        /// results kept
        entries: usize = Size(1, 1_000_000), 1000;
        /// their bytes
        bytes: usize = Size(1024, 64 * GIBIBYTE), 16 << 20;
        /// how long results of a server up to 2025-11-25 are fresh, for `tools/list`, `resources/list`,
        /// `resources/templates/list`, `resources/read`, `prompts/list`; later servers say so themselves (`ttlMs`)
        ttl_ms: HashMap<String, Duration> = MillisByMethod(is_kept), HashMap::new();
        /// calls of these tools drop everything kept
        invalidate_on_tools: Vec<String> = Texts, Vec::new();
        /// a call that ends as `MCP_ERROR_TIMEOUT`, `MCP_ERROR_UNAVAILABLE` or `MCP_ERROR_TRANSPORT` gets an old result, if there is one
        serve_stale_on_error: bool = Flag, false;
    }
}

/// Whether results of this method are kept at all.
fn is_kept(method: &str) -> Result<(), String> {
    if keeps(method) {
        return Ok(());
    }
    let kept = METHODS.iter().filter(|method| method.kept_until.is_some());
    let known: Vec<&str> = kept.map(|method| method.name).collect();
    Err(format!("results of this method are not kept; those of {} are", known.join(", ")))
}

/// How one call uses the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum CacheUse {
    /// A fresh result is taken from it, and a new one put into it.
    #[default]
    Use,
    /// The server is asked, and its result put into it.
    Refresh,
    /// It is left alone.
    Bypass,
}

/// What a result is of: the method and its parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key {
    pub(crate) method: &'static str,
    pub(crate) params: String,
    /// Whether it is a whole list and not its first page.
    pub(crate) whole: bool,
}

/// Who is asked, and in whose name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Asked {
    /// The number of the connection.
    pub(crate) connection: u64,
    /// A name of the login; `None` without one.
    pub(crate) login: Option<String>,
}

/// The state of things when the server was asked; a result is kept only if it has not changed since.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stamp {
    asked: Asked,
    changes: u64,
}

#[derive(Debug)]
struct Entry {
    result: Arc<str>,
    /// Whether it is the same for every login.
    is_public: bool,
    /// `None` once it may only stand in for an error.
    fresh_until: Option<Instant>,
    /// For the one used longest ago.
    used: u64,
}

/// What a cache did so far.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct CacheCounters {
    pub(crate) hits: u64,
    pub(crate) misses: u64,
    pub(crate) stale: u64,
    pub(crate) dropped: u64,
}

/// The cache of one client.
#[derive(Debug)]
pub(crate) struct Cache {
    settings: CacheSettings,
    entries: HashMap<Key, Entry>,
    bytes: usize,
    asked: Asked,
    changes: HashMap<&'static str, u64>,
    uses: u64,
    pub(crate) counters: CacheCounters,
}

/// Whether results of `method` may be kept at all.
pub(crate) fn keeps(method: &str) -> bool {
    method::find(method).is_some_and(|method| method.kept_until.is_some())
}

impl Cache {
    pub(crate) fn new(settings: CacheSettings) -> Cache {
        Cache {
            settings,
            entries: HashMap::new(),
            bytes: 0,
            asked: Asked::default(),
            changes: HashMap::new(),
            uses: 0,
            counters: CacheCounters::default(),
        }
    }

    /// Another connection may be to another server, or to one that has changed meanwhile. Another login may not see what an
    /// earlier one was shown.
    fn follow(&mut self, asked: &Asked) {
        if self.asked.login != asked.login {
            self.asked.login.clone_from(&asked.login);
            let gone: Vec<Key> = self
                .entries
                .iter()
                .filter(|(_, entry)| !entry.is_public)
                .map(|(key, _)| key.clone())
                .collect();
            for key in gone {
                self.remove(&key);
            }
        }
        if self.asked.connection != asked.connection {
            self.asked.connection = asked.connection;
            if !self.settings.serve_stale_on_error {
                return self.clear();
            }
            for count in self.changes.values_mut() {
                *count += 1;
            }
            for entry in self.entries.values_mut() {
                entry.fresh_until = None;
            }
        }
    }

    /// The result, if there is one that is fresh.
    pub(crate) fn get(&mut self, now: Instant, asked: &Asked, key: &Key) -> Option<Arc<str>> {
        self.follow(asked);
        self.uses += 1;
        let uses = self.uses;
        let found = self.entries.get_mut(key).filter(|entry| entry.fresh_until > Some(now));
        match found {
            Some(entry) => {
                entry.used = uses;
                self.counters.hits += 1;
                Some(Arc::clone(&entry.result))
            }
            None => {
                self.counters.misses += 1;
                None
            }
        }
    }

    /// The result, however old, if it may stand in for an error of a request in the name of `login`.
    pub(crate) fn stale(&mut self, login: Option<&str>, key: &Key) -> Option<Arc<str>> {
        let is_same = self.asked.login.as_deref() == login;
        let entry = self
            .entries
            .get(key)
            .filter(|entry| self.settings.serve_stale_on_error && (is_same || entry.is_public))?;
        self.counters.stale += 1;
        Some(Arc::clone(&entry.result))
    }

    /// The state of things for `method`.
    pub(crate) fn stamp(&mut self, asked: &Asked, method: &'static str) -> Stamp {
        self.follow(asked);
        Stamp { asked: asked.clone(), changes: self.changes.get(method).copied().unwrap_or_default() }
    }

    /// Keeps a result, if it may be kept and nothing has changed since it was asked for. `login` is the one that there is now.
    pub(crate) fn put(
        &mut self,
        now: Instant,
        stamp: &Stamp,
        login: Option<&str>,
        is_legacy: bool,
        key: Key,
        result: &str,
    ) {
        if stamp.asked.connection != self.asked.connection
            || self.changes.get(key.method).copied().unwrap_or_default() != stamp.changes
        {
            return;
        }
        let is_public = json::member(result, "cacheScope") == Some("\"public\"");
        let is_same = stamp.asked.login.as_deref() == login && stamp.asked.login == self.asked.login;
        if !is_public && !is_same {
            return;
        }
        let said = given::member(result, "ttlMs").and_then(|ttl| json::whole(ttl.as_bytes()).ok());
        let fresh = match said {
            Some(ttl) => u64::try_from(ttl).ok().map(Duration::from_millis),
            None if is_legacy => self.settings.ttl_ms.get(key.method).copied(),
            None => None,
        };
        let fresh = fresh.unwrap_or_default();
        self.remove(&key);
        let size = result.len() + key.params.len();
        if fresh.is_zero() && !self.settings.serve_stale_on_error || size > self.settings.bytes {
            return;
        }
        self.bytes += size;
        self.uses += 1;
        // A year is as good as for ever, and never more than an instant can hold.
        let fresh_until = Some(now + fresh.min(Duration::from_secs(365 * 24 * 60 * 60)));
        self.entries.insert(key, Entry { result: result.into(), is_public, fresh_until, used: self.uses });
        while self.entries.len() > self.settings.entries || self.bytes > self.settings.bytes {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone());
            let Some(oldest) = oldest else { break };
            self.remove(&oldest);
            self.counters.dropped += 1;
        }
    }

    fn remove(&mut self, key: &Key) {
        if let Some(entry) = self.entries.remove(key) {
            self.bytes = self.bytes.saturating_sub(entry.result.len() + key.params.len());
        }
    }

    /// Drops what a notification says has changed.
    pub(crate) fn changed(&mut self, topic: Topic, params: &str) {
        let is_about = |method: &Method| method.kept_until == Some(topic);
        for method in METHODS.iter().filter(|method| is_about(method)) {
            *self.changes.entry(method.name).or_default() += 1;
        }
        let uri = json::member(params, "uri").and_then(json::string);
        let is_meant = |key: &Key| {
            let Some(updated) = uri.as_deref().filter(|_| topic == Topic::ResourceUpdated) else {
                return true;
            };
            let read = json::member(&key.params, "uri").and_then(json::string).unwrap_or_default();
            // What changed may be a part of what was read, or the other way round.
            read.starts_with(updated) || updated.starts_with(read.as_ref())
        };
        let gone: Vec<Key> = self
            .entries
            .keys()
            .filter(|key| method::find(key.method).is_some_and(is_about) && is_meant(key))
            .cloned()
            .collect();
        for key in gone {
            self.remove(&key);
        }
    }

    /// A tool was called, or has ended: what it is known to change is dropped.
    pub(crate) fn tool_called(&mut self, name: &str) {
        if self.settings.invalidate_on_tools.iter().any(|known| known == name) {
            self.clear();
        }
    }

    /// Drops everything, and keeps nothing that is under way.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.bytes = 0;
        for method in [
            method::TOOLS_LIST,
            method::RESOURCES_LIST,
            method::TEMPLATES_LIST,
            method::RESOURCES_READ,
            method::PROMPTS_LIST,
        ] {
            *self.changes.entry(method).or_default() += 1;
        }
    }

    /// How much it holds: results and bytes.
    pub(crate) fn holds(&self) -> (usize, usize) {
        (self.entries.len(), self.bytes)
    }
}
