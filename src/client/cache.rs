//! Results kept for a while, where the server (or, for servers of the legacy era, the configuration) says how long
//! (2026-07-28 `server/utilities/caching`). Off unless configured, bounded, one for each client.
//!
//! What a change notification is about is dropped at once, and everything with a new connection. With another login everything
//! is dropped that the server did not call "public". An answer that was asked for before a change is not kept: each kind of
//! result counts its changes, and the count must be the one of the asking.

use crate::config::define::settings;
use crate::config::fields::GIBIBYTE;
use crate::config::kinds::{Flag, MillisByMethod, Size, Texts};
use crate::json;
use crate::protocol::method::{self, METHODS, Method};
use crate::protocol::{Topic, lenient};
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
        /// how long results of a legacy server are fresh, for `tools/list`, `resources/list`, `resources/templates/list`, `resources/read`,
        /// `prompts/list`; later servers send `ttlMs`
        ttl_ms: HashMap<String, Duration> = MillisByMethod(is_kept), HashMap::new();
        /// calls of these tools drop everything kept
        invalidate_on_tools: Vec<String> = Texts, Vec::new();
        /// after `MCP_ERROR_TIMEOUT`, `MCP_ERROR_UNAVAILABLE` or `MCP_ERROR_TRANSPORT` a call gets an old result, if there is one
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

/// The request of a result: its method and parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct CacheKey {
    pub(crate) method: &'static str,
    pub(crate) params: String,
    /// Whether it is a whole list and not its first page.
    pub(crate) whole: bool,
    /// The language that was asked for by the call, and not by the configuration (draft `language`).
    pub(crate) language: Option<String>,
}

/// The connection and the login that a result came through.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct CacheOrigin {
    /// The number of the connection.
    pub(crate) connection: u64,
    /// A name of the login; `None` without one.
    pub(crate) login: Option<String>,
}

/// The state at the time of the request; a result is kept only if it has not changed since.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stamp {
    origin: CacheOrigin,
    changes: u64,
}

#[derive(Debug)]
struct CacheEntry {
    result: Arc<str>,
    /// Whether it is the same for every login.
    is_public: bool,
    /// `None` once it may only stand in for an error.
    fresh_until: Option<Instant>,
    /// For the one used longest ago.
    used: u64,
}

/// What a cache has done so far.
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
    entries: HashMap<CacheKey, CacheEntry>,
    bytes: usize,
    origin: CacheOrigin,
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
            origin: CacheOrigin::default(),
            changes: HashMap::new(),
            uses: 0,
            counters: CacheCounters::default(),
        }
    }

    /// Another connection may be to another server, or to one that has changed meanwhile. Another login may not see what an
    /// earlier one was shown.
    fn follow(&mut self, origin: &CacheOrigin) {
        if self.origin.login != origin.login {
            self.origin.login.clone_from(&origin.login);
            let gone: Vec<CacheKey> = self
                .entries
                .iter()
                .filter(|(_, entry)| !entry.is_public)
                .map(|(key, _)| key.clone())
                .collect();
            for key in gone {
                self.remove(&key);
            }
        }
        if self.origin.connection != origin.connection {
            self.origin.connection = origin.connection;
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
    pub(crate) fn get(&mut self, now: Instant, origin: &CacheOrigin, key: &CacheKey) -> Option<Arc<str>> {
        self.follow(origin);
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
    pub(crate) fn stale(&mut self, login: Option<&str>, key: &CacheKey) -> Option<Arc<str>> {
        let is_same = self.origin.login.as_deref() == login;
        let entry = self
            .entries
            .get(key)
            .filter(|entry| self.settings.serve_stale_on_error && (is_same || entry.is_public))?;
        self.counters.stale += 1;
        Some(Arc::clone(&entry.result))
    }

    /// The state of things for `method`.
    pub(crate) fn stamp(&mut self, origin: &CacheOrigin, method: &'static str) -> Stamp {
        self.follow(origin);
        Stamp { origin: origin.clone(), changes: self.changes.get(method).copied().unwrap_or_default() }
    }

    /// Keeps a result, if it may be kept and nothing has changed since it was asked for. `login` is the one that there is now.
    pub(crate) fn put(
        &mut self,
        now: Instant,
        stamp: &Stamp,
        login: Option<&str>,
        is_legacy: bool,
        key: CacheKey,
        result: &str,
    ) {
        if stamp.origin.connection != self.origin.connection
            || self.changes.get(key.method).copied().unwrap_or_default() != stamp.changes
        {
            return;
        }
        // The member means nothing in the legacy era.
        let is_public = !is_legacy && json::member(result, "cacheScope") == Some("\"public\"");
        let is_same = stamp.origin.login.as_deref() == login && stamp.origin.login == self.origin.login;
        if !is_public && !is_same {
            return;
        }
        let said = lenient::member(result, "ttlMs").and_then(|ttl| json::whole(ttl.as_bytes()).ok());
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
        self.entries
            .insert(key, CacheEntry { result: result.into(), is_public, fresh_until, used: self.uses });
        while self.entries.len() > self.settings.entries || self.bytes > self.settings.bytes {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone());
            let Some(oldest) = oldest else { break };
            self.remove(&oldest);
            self.counters.dropped += 1;
        }
    }

    fn remove(&mut self, key: &CacheKey) {
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
        let is_meant = |key: &CacheKey| {
            let Some(updated) = uri.as_deref().filter(|_| topic == Topic::ResourceUpdated) else {
                return true;
            };
            let read = json::member(&key.params, "uri").and_then(json::string).unwrap_or_default();
            // What changed may be a part of what was read, or the other way round.
            read.starts_with(updated) || updated.starts_with(read.as_ref())
        };
        let gone: Vec<CacheKey> = self
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

#[cfg(test)]
mod tests {
    use super::{Cache, CacheKey, CacheOrigin, CacheSettings};
    use crate::protocol::{Topic, method};
    use std::collections::HashMap;
    use std::time::{Duration, Instant};

    fn key(method: &'static str, params: &str) -> CacheKey {
        CacheKey { method, params: params.to_owned(), whole: true, language: None }
    }

    fn read(uri: &str) -> CacheKey {
        key(method::RESOURCES_READ, &format!(r#"{{"uri":"{uri}"}}"#))
    }

    fn at(connection: u64) -> CacheOrigin {
        CacheOrigin { connection, login: None }
    }

    fn of(login: &str) -> CacheOrigin {
        CacheOrigin { connection: 1, login: Some(login.to_owned()) }
    }

    fn put(cache: &mut Cache, now: Instant, key: CacheKey, result: &str) {
        let stamp = cache.stamp(&at(1), key.method);
        cache.put(now, &stamp, None, false, key, result);
    }

    const TOOLS: &str = r#"{"tools":[],"ttlMs":1000}"#;

    #[test]
    fn a_result_is_fresh_as_long_as_its_server_says() {
        let (mut cache, now) = (Cache::new(CacheSettings::default()), Instant::now());
        let tools = || key(method::TOOLS_LIST, "");
        assert_eq!(cache.get(now, &at(1), &tools()), None);
        put(&mut cache, now, tools(), TOOLS);
        let found = cache.get(now + Duration::from_millis(999), &at(1), &tools());
        assert_eq!(found.as_deref(), Some(TOOLS));
        assert_eq!(cache.get(now + Duration::from_secs(1), &at(1), &tools()), None);
        assert_eq!(
            cache.get(now, &at(1), &CacheKey { whole: false, ..tools() }),
            None,
            "a page is not the list"
        );
        assert_eq!(cache.get(now, &at(1), &key(method::TOOLS_LIST, "{\"cursor\":\"a\"}")), None);
        assert_eq!((cache.counters.hits, cache.counters.misses), (1, 4));
    }

    #[test]
    fn what_is_stale_at_once_is_not_kept() {
        let (mut cache, now) = (Cache::new(CacheSettings::default()), Instant::now());
        for result in [r#"{"ttlMs":0}"#, r#"{"ttlMs":-5}"#, r#"{"ttlMs":"9"}"#, "{}"] {
            put(&mut cache, now, key(method::TOOLS_LIST, ""), result);
            assert_eq!(cache.holds(), (0, 0), "{result}");
        }
    }

    #[test]
    fn for_legacy_servers_the_configuration_says_how_long() {
        let ttl_ms = HashMap::from([(method::RESOURCES_READ.to_owned(), Duration::from_secs(1))]);
        let (mut cache, now) =
            (Cache::new(CacheSettings { ttl_ms, ..CacheSettings::default() }), Instant::now());
        let stamp = cache.stamp(&at(1), method::RESOURCES_READ);
        cache.put(now, &stamp, None, true, read("a"), "{}");
        assert!(cache.get(now, &at(1), &read("a")).is_some());
        cache.put(now, &stamp, None, false, read("b"), "{}");
        assert!(cache.get(now, &at(1), &read("b")).is_none(), "a modern server says so itself");
        let stamp = cache.stamp(&at(1), method::TOOLS_LIST);
        cache.put(now, &stamp, None, true, key(method::TOOLS_LIST, ""), "{}");
        assert!(cache.get(now, &at(1), &key(method::TOOLS_LIST, "")).is_none());
    }

    #[test]
    fn a_notification_drops_what_it_is_about_and_what_is_under_way() {
        let (mut cache, now) = (Cache::new(CacheSettings::default()), Instant::now());
        let result = r#"{"ttlMs":9000}"#;
        for uri in ["file:///a", "file:///a/b", "file:///c"] {
            put(&mut cache, now, read(uri), result);
        }
        put(&mut cache, now, key(method::TOOLS_LIST, ""), result);
        let asked = cache.stamp(&at(1), method::RESOURCES_READ);
        cache.changed(Topic::ResourceUpdated, r#"{"uri":"file:///a"}"#);
        assert!(cache.get(now, &at(1), &read("file:///a")).is_none());
        assert!(cache.get(now, &at(1), &read("file:///a/b")).is_none(), "a part of what changed");
        assert!(cache.get(now, &at(1), &read("file:///c")).is_some());
        cache.put(now, &asked, None, false, read("file:///a"), result);
        assert!(cache.get(now, &at(1), &read("file:///a")).is_none(), "it was asked for before the change");
        cache.changed(Topic::ToolsChanged, "{}");
        assert!(cache.get(now, &at(1), &key(method::TOOLS_LIST, "")).is_none());
        cache.changed(Topic::Log, "{}");
        assert!(cache.get(now, &at(1), &read("file:///c")).is_some());
    }

    #[test]
    fn a_new_connection_and_a_named_tool_drop_everything() {
        let settings =
            CacheSettings { invalidate_on_tools: vec!["write".to_owned()], ..CacheSettings::default() };
        let (mut cache, now) = (Cache::new(settings), Instant::now());
        put(&mut cache, now, key(method::TOOLS_LIST, ""), TOOLS);
        let asked = cache.stamp(&at(1), method::TOOLS_LIST);
        assert!(cache.get(now, &at(2), &key(method::TOOLS_LIST, "")).is_none());
        cache.put(now, &asked, None, false, key(method::TOOLS_LIST, ""), TOOLS);
        assert_eq!(cache.holds().0, 0, "asked for on the connection before");
        let stamp = cache.stamp(&at(2), method::TOOLS_LIST);
        cache.put(now, &stamp, None, false, key(method::TOOLS_LIST, ""), TOOLS);
        cache.tool_called("read");
        assert_eq!(cache.holds().0, 1);
        cache.tool_called("write");
        assert_eq!(cache.holds(), (0, 0));
    }

    #[test]
    fn entries_and_bytes_are_bounded_and_the_least_used_goes_first() {
        let settings = CacheSettings { entries: 2, ..CacheSettings::default() };
        let (mut cache, now) = (Cache::new(settings), Instant::now());
        for uri in ["a", "b"] {
            put(&mut cache, now, read(uri), r#"{"ttlMs":9000}"#);
        }
        assert!(cache.get(now, &at(1), &read("a")).is_some());
        put(&mut cache, now, read("c"), r#"{"ttlMs":9000}"#);
        assert!(cache.get(now, &at(1), &read("a")).is_some());
        assert!(cache.get(now, &at(1), &read("b")).is_none());
        assert_eq!(cache.counters.dropped, 1);

        let mut cache = Cache::new(CacheSettings { bytes: 60, ..CacheSettings::default() });
        for uri in ["a", "b", "c"] {
            put(&mut cache, now, read(uri), r#"{"ttlMs":9000}"#);
        }
        assert_eq!(cache.holds().0, 2);
        put(&mut cache, now, read("d"), &format!(r#"{{"ttlMs":9000,"x":"{}"}}"#, "x".repeat(60)));
        assert!(cache.get(now, &at(1), &read("d")).is_none(), "larger than all of it");
        assert!(cache.holds().1 <= 60);
    }

    #[test]
    fn an_old_result_stands_in_for_an_error_only_where_that_was_chosen() {
        let now = Instant::now();
        let mut cache = Cache::new(CacheSettings { serve_stale_on_error: true, ..CacheSettings::default() });
        put(&mut cache, now, key(method::TOOLS_LIST, ""), TOOLS);
        assert!(cache.get(now, &at(2), &key(method::TOOLS_LIST, "")).is_none());
        assert!(cache.stale(None, &key(method::TOOLS_LIST, "")).is_some());
        assert_eq!(cache.counters.stale, 1);
        let mut cache = Cache::new(CacheSettings::default());
        put(&mut cache, now, key(method::TOOLS_LIST, ""), TOOLS);
        assert!(cache.stale(None, &key(method::TOOLS_LIST, "")).is_none());
    }

    #[test]
    fn another_login_sees_only_what_is_public() {
        let settings = CacheSettings { serve_stale_on_error: true, ..CacheSettings::default() };
        let (mut cache, now) = (Cache::new(settings), Instant::now());
        let put = |cache: &mut Cache, asked: &CacheOrigin, now_in: Option<&str>, uri: &str, scope: &str| {
            let stamp = cache.stamp(asked, method::RESOURCES_READ);
            let result = format!(r#"{{"ttlMs":9000{scope}}}"#);
            cache.put(now, &stamp, now_in, false, read(uri), &result);
        };
        let (public, private) = (r#","cacheScope":"public""#, r#","cacheScope":"private""#);
        put(&mut cache, &of("a"), Some("a"), "public", public);
        put(&mut cache, &of("a"), Some("a"), "private", private);
        put(&mut cache, &of("a"), Some("a"), "unsaid", "");
        for uri in ["public", "private", "unsaid"] {
            assert!(cache.get(now, &of("a"), &read(uri)).is_some(), "{uri}");
            let stands_in = cache.stale(Some("b"), &read(uri)).is_some();
            assert_eq!(stands_in, uri == "public", "in place of an error, {uri}");
        }
        for (login, uri) in [("b", "private"), ("b", "unsaid"), ("a", "private"), ("a", "unsaid")] {
            assert!(cache.get(now, &of(login), &read(uri)).is_none(), "{login} {uri}");
        }
        assert!(cache.get(now, &at(1), &read("public")).is_some());
        assert_eq!(cache.holds().0, 1);
        // The login changed while the server was asked: it is unknown whose answer it is.
        put(&mut cache, &of("a"), Some("b"), "private", private);
        put(&mut cache, &of("a"), None, "private", private);
        assert!(cache.get(now, &of("a"), &read("private")).is_none());
        let stamp = cache.stamp(&of("a"), method::RESOURCES_READ);
        assert!(cache.get(now, &of("b"), &read("private")).is_none());
        cache.put(now, &stamp, Some("a"), false, read("private"), r#"{"ttlMs":9000}"#);
        assert!(cache.get(now, &of("a"), &read("private")).is_none());
        // What a legacy server says of it is not about this.
        let (a, said) = (of("a"), r#"{"ttlMs":9000,"cacheScope":"public"}"#);
        for (is_legacy, is_kept) in [(false, true), (true, false)] {
            let stamp = cache.stamp(&a, method::RESOURCES_READ);
            cache.put(now, &stamp, Some("a"), is_legacy, read("said"), said);
            assert!(cache.get(now, &a, &read("said")).is_some());
            assert_eq!(cache.get(now, &of("b"), &read("said")).is_some(), is_kept, "legacy {is_legacy}");
        }
    }
}
