//! `--store`: a store that several processes of `serve` or `bridge` share, and the keys that they have in common.

use crate::arguments::{Listen, StorePlace};
use crate::failure::Failure;
use crate::folders;
use crate::output::{Screen, one_line};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcp::client::json_text::{member, string};
use mcp::client::{Level, set_logger};
use mcp::server::{STORE_LOST, STORE_READY, StoreExamined, StoreGrade, examine_store};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a look at the store may take.
const LOOK: Duration = Duration::from_secs(5);
/// What was said of the store so far.
static SAID: Mutex<Said> = Mutex::new(Said { at_start: None, is_away: false });
/// The most bytes of the file of `--state-keys`.
const MOST_BYTES: u64 = 64 * 1024;
/// The bytes of a key.
const KEY: usize = 32;
/// What a key of a store begins with where no server is named.
const ANY_SPACE: &str = "doctor";

/// What the configuration of a server with this name gets by `--store` and `--state-keys`; `settings` are those of `--set`. A store that
/// cannot be used at all is an error; one that is away is looked for while the server serves.
pub fn shared(listen: &Listen, name: &str, settings: &[String]) -> Result<Map<String, Value>, Failure> {
    let mut config = Map::new();
    let is_url = |address: &String| address.starts_with("http://") || address.starts_with("https://");
    for (option, is_given) in
        [("--store", listen.store.store.is_some()), ("--state-keys", listen.state_keys.is_some())]
    {
        if is_given && !listen.addresses.iter().any(is_url) {
            return Err(Failure::usage(format!(
                "{option}: processes share what they know of clients over HTTP only; add --listen http://HOST:PORT/PATH"
            )));
        }
    }
    if let Some(word) = &listen.state_keys {
        config.insert("request_state".to_owned(), json!({ "keys": keys(word)? }));
    }
    let Some(url) = url(&listen.store)? else { return Ok(config) };
    if listen.state_keys.is_none() && !settings.iter().any(|it| it.starts_with("request_state.keys=")) {
        return Err(Failure::usage(
            "--store: processes that share a store need the same keys; add --state-keys FILE (`openssl rand -base64 32` makes a key)",
        ));
    }
    let examined = examined(&listen.store, &url, name)?;
    for finding in &examined.findings {
        let told =
            || format!("--store {}: {}; {}", examined.place, one_line(&finding.what), fix(finding.fix));
        match finding.grade {
            StoreGrade::Good | StoreGrade::Advice => {}
            StoreGrade::Away => {
                let same = format!("{STORE_LOST}the store at {}: {}", examined.place, finding.what);
                *SAID.lock().unwrap_or_else(PoisonError::into_inner) =
                    Said { at_start: Some(same), is_away: true };
                Screen::said(format!("{}; it is looked for until it is there", told()));
            }
            StoreGrade::Fault => return Err(Failure::usage(told())),
        }
    }
    let StorePlace { store_ca, store_space, .. } = &listen.store;
    let mut store = json!({ "url": url });
    for (key, value) in [("ca_file", store_ca), ("space", store_space)] {
        if let Some(value) = value {
            store[key] = value.as_str().into();
        }
    }
    config.insert("store".to_owned(), store);
    Ok(config)
}

/// A store that was lost while the server serves, and that it is there again, goes to standard error; with --verbose the whole log does.
pub fn log_of(listen: &Listen, verbose: u8) {
    if listen.store.store.is_none() || verbose > 0 {
        return;
    }
    let write = |_: Level, record: &str| {
        let text = member(record, "text").and_then(string).unwrap_or_default();
        if SAID.lock().unwrap_or_else(PoisonError::into_inner).is_worth(&text) {
            Screen::said(one_line(&text));
        }
    };
    set_logger(Some((Level::Info, Arc::new(write))));
}

/// What standard error has of the store.
#[derive(Default)]
struct Said {
    /// What was said at the start, in the words in which the library says it a moment later.
    at_start: Option<String>,
    is_away: bool,
}

impl Said {
    /// Whether a record tells more: that the store was lost, or that one is there which was said to be away.
    fn is_worth(&mut self, record: &str) -> bool {
        if record == STORE_READY {
            self.at_start = None;
            return std::mem::take(&mut self.is_away);
        }
        if !record.starts_with(STORE_LOST) {
            return false;
        }
        self.is_away = true;
        self.at_start.take().as_deref() != Some(record)
    }
}

/// What a store is like, for a server with this name.
pub fn examined(place: &StorePlace, url: &str, name: &str) -> Result<StoreExamined, Failure> {
    let space = place.store_space.as_deref().unwrap_or(name);
    // Where the library of the store is installed.
    mcp::ffi::load_stores();
    examine_store(url, place.store_ca.as_ref().map(Into::into), space, LOOK)
        .map_err(|why| Failure::usage(format!("--store: {why}")))
}

/// The same without a server.
pub fn looked_at(place: &StorePlace) -> Result<Option<StoreExamined>, Failure> {
    url(place)?.map(|url| examined(place, &url, ANY_SPACE)).transpose()
}

/// What to do, in options.
pub fn fix(fix: &str) -> String {
    fix.replace("give the authority that signed it", "give the authority that signed it with --store-ca FILE")
}

/// The URL: as it is, or what a variable has.
fn url(place: &StorePlace) -> Result<Option<String>, Failure> {
    let Some(word) = &place.store else { return Ok(None) };
    match word.strip_prefix("env:") {
        None => Ok(Some(word.clone())),
        Some(name) => variable(name).map(Some).map_err(|why| Failure::usage(format!("--store: {why}"))),
    }
}

fn variable(name: &str) -> Result<String, String> {
    match std::env::var(name) {
        Ok(text) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
        _ => Err(format!("the variable {} is not set, empty, or not UTF-8", one_line(name))),
    }
}

/// The keys in a file, or in a variable: each the base64 of 32 bytes, the newest first.
fn keys(word: &str) -> Result<Vec<String>, Failure> {
    let (shown, text) = match word.strip_prefix("env:") {
        Some(name) => {
            let text = variable(name).map_err(|why| Failure::usage(format!("--state-keys: {why}")))?;
            (format!("env:{}", one_line(name)), text)
        }
        None => {
            let shown = one_line(word);
            let text = folders::read_given(Path::new(word), MOST_BYTES)?
                .ok_or_else(|| Failure::usage(format!("--state-keys {shown}: there is no such file")))?;
            (shown, text)
        }
    };
    let keys: Vec<&str> = text.split_whitespace().collect();
    let is_key = |key: &&str| STANDARD.decode(key).is_ok_and(|bytes| bytes.len() == KEY);
    let wrong = match keys.iter().position(|key| !is_key(key)) {
        Some(number) => format!("word {} of it is not the base64 of {KEY} bytes", number + 1),
        None if keys.is_empty() => "it has no key".to_owned(),
        None => return Ok(keys.into_iter().map(str::to_owned).collect()),
    };
    Err(Failure::usage(format!("--state-keys {shown}: {wrong}; `openssl rand -base64 32` makes a key")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    fn listen(addresses: &[&str], store: Option<&str>, state_keys: Option<&str>) -> Listen {
        Listen {
            addresses: addresses.iter().map(|address| (*address).to_owned()).collect(),
            store: StorePlace { store: store.map(str::to_owned), ..StorePlace::default() },
            state_keys: state_keys.map(str::to_owned),
            ..Listen::default()
        }
    }

    #[test]
    fn a_store_is_said_to_be_lost_once_and_to_be_there_after_that() {
        let (lost, other) =
            (format!("{STORE_LOST}the store at h: closed"), format!("{STORE_LOST}the store at h: BUSY"));
        let away = || Said { at_start: Some(lost.clone()), is_away: true };
        for (mut said, records) in [
            (
                Said::default(),
                &[(STORE_READY, false), (&*lost, true), (STORE_READY, true), (STORE_READY, false)][..],
            ),
            (Said::default(), &[("a call ended", false), ("the store", false)]),
            (away(), &[(&*lost, false), (STORE_READY, true), (&*lost, true), (STORE_READY, true)]),
            (away(), &[(&*other, true), (STORE_READY, true)]),
            (away(), &[(STORE_READY, true), (&*lost, true)]),
        ] {
            for (number, (record, is_worth)) in records.iter().enumerate() {
                assert_eq!(said.is_worth(record), *is_worth, "{records:?}, {number}");
            }
        }
    }

    #[test]
    fn what_is_wrong_with_a_store_or_its_keys_is_told_by_option() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            path.display().to_string()
        };
        let (good, short) =
            (file("good", &format!("{GOOD}\n{GOOD}\n")), file("short", &format!("{GOOD} AAEC\n")));
        let empty = file("empty", "\n");
        let http: &[&str] = &["http://127.0.0.1:0/mcp"];
        // A port of this machine at which nothing listens is away, and not an error: the server serves without it.
        for (addresses, store, keys, says) in [
            (
                &[][..],
                Some("redis://h"),
                Some(&*good),
                "--store: processes share what they know of clients over HTTP only",
            ),
            (&["unix:/x"][..], None, Some(&*good), "--state-keys: processes share"),
            (
                http,
                Some("redis://h"),
                None,
                "--store: processes that share a store need the same keys; add --state-keys",
            ),
            (http, Some("http://h"), Some(&*good), "--store: its scheme must be redis"),
            (http, Some("redis://u@h"), Some(&*good), "--store: it has a user and no password"),
            (http, Some("env:NOT_SET_HERE"), Some(&*good), "--store: the variable NOT_SET_HERE is not set"),
            (http, None, Some("env:NOT_SET_HERE"), "--state-keys: the variable NOT_SET_HERE is not set"),
            (http, None, Some("/no/such/file"), "--state-keys /no/such/file: there is no such file"),
            (
                http,
                None,
                Some(&*short),
                "word 2 of it is not the base64 of 32 bytes; `openssl rand -base64 32`",
            ),
            (http, None, Some(&*empty), "it has no key"),
        ] {
            let told = shared(&listen(addresses, store, keys), "s", &[]).expect_err(says).text();
            assert!(told.contains(says), "{told}");
        }
        let config = shared(&listen(http, None, Some(&good)), "s", &[]).expect("keys alone");
        assert_eq!(Value::Object(config), json!({"request_state": {"keys": [GOOD, GOOD]}}));
        assert!(shared(&listen(&[], None, None), "s", &[]).expect("nothing").is_empty());
    }
}
