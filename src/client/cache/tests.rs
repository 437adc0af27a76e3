use super::{Asked, Cache, CacheSettings, Key};
use crate::protocol::{Topic, method};
use std::collections::HashMap;
use std::time::{Duration, Instant};

fn key(method: &'static str, params: &str) -> Key {
    Key { method, params: params.to_owned(), whole: true }
}

fn read(uri: &str) -> Key {
    key(method::RESOURCES_READ, &format!(r#"{{"uri":"{uri}"}}"#))
}

fn at(connection: u64) -> Asked {
    Asked { connection, login: None }
}

fn of(login: &str) -> Asked {
    Asked { connection: 1, login: Some(login.to_owned()) }
}

fn put(cache: &mut Cache, now: Instant, key: Key, result: &str) {
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
    assert_eq!(cache.get(now, &at(1), &Key { whole: false, ..tools() }), None, "a page is not the list");
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
    let (mut cache, now) = (Cache::new(CacheSettings { ttl_ms, ..CacheSettings::default() }), Instant::now());
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
    let put = |cache: &mut Cache, asked: &Asked, now_in: Option<&str>, uri: &str, scope: &str| {
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
}
