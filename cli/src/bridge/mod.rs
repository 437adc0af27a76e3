//! `mcp bridge`: servers of any revision and transport, offered in every other one.
//!
//! The library's client is towards the servers behind, its server towards the clients; both know all revisions. This file reads
//! the command line, connects, and serves.
//!
//! The files:
//!
//! * `relay`: `Relay`: the thread that takes what arrives; owns everything that is under way
//! * `calls`: requests of clients, and their outcomes
//! * `questions`: what servers ask of clients
//! * `given_up`: `GivenUp`: whose calls were given up lately
//! * `order`: `Order`: changes that calls of the same client come after
//! * `waiting`: `Waiting`: the calls that wait for their clients, by time
//! * `changes`: lists, subscriptions, log levels, notifications
//! * `catalog`: `Catalog`: the entries of all servers, and whose each is
//! * `upstream`: `Upstream`: one server behind
//! * `lists`: `List`: the lists that a server has
//! * `labels`: `Labels`: how URIs of several servers are kept apart
//! * `uris`: URIs in what servers send
//! * `rules`: `Rules`: what clients may use of a server
//! * `allowed`: `Allowed`: the tools of `--allow` and `--deny`
//! * `pin`: `Pin`: what a server offered when a person looked at it
//! * `check`: `Checker`: the program of `--check`, and what waits for it
//! * `checks`: what is shown to it, and what becomes of that
//! * `search`: `Search`: the tools `find_tools` and `call_tool`
//! * `params`: parameters as they go on
//! * `answers`: outcomes as they go back

mod allowed;
mod answers;
mod calls;
mod catalog;
mod changes;
mod check;
mod checks;
mod given_up;
mod labels;
mod lists;
mod order;
mod params;
mod pin;
mod questions;
mod relay;
mod rules;
mod search;
mod upstream;
mod uris;
mod waiting;

use self::catalog::Catalog;
pub use self::check::twice;
pub use self::labels::is_page;
pub use self::params::{with, without};
pub use self::relay::Told;
use self::relay::{REQUEST_BYTES, REQUESTS, Relay, SESSIONS};
use self::rules::Rules;
use self::search::Search;
use self::upstream::Upstream;
pub use self::uris::page_of;
use crate::arguments::{Bridge, Common};
use crate::commands::logins;
use crate::failure::Failure;
use crate::listen;
use crate::output::{Screen, one_line};
use crate::recording::{Recording, What};
use crate::servers::for_several;
use crate::session;
use crate::store;
use crate::target::{Behind, Target, find, named, several, split, started};
use mcp::client::{Overflow, Queue, QueueLimits};
use mcp::server::Server;
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What waits for the relay at most. Requests and outcomes over it are refused by the library.
const QUEUE: QueueLimits =
    QueueLimits { messages: 100_000, bytes: 256 << 20, overflow: Overflow::DropOldest };
/// What a client asks to learn whether the only server behind is there: the bridge answers `ping` for itself, as every server does.
pub const PING: &str = "libmcp/ping";
/// Between the name of a server and that of what it has.
const SEPARATOR: &str = "__";

/// Runs the command.
pub fn bridge(screen: Screen, bridge: &Bridge, common: &Common) -> Result<(), Failure> {
    if bridge.login {
        session::log_of(common);
        for behind in targets(bridge, common)? {
            logins::where_missing(&behind.target, common)?;
        }
    }
    run(bridge, common, None, None, |server, _, _| listen::serve(screen, server, &bridge.listen))
}

/// Connects, has `serve` begin to serve, and relays; until the time `idle` has passed without a client, if there is one. To be
/// woken, the relay waits for the queue that `serve` gets, too; with it comes what is known of a server that is the only one. Of servers
/// that go and come back `told` is told.
pub fn run(
    bridge: &Bridge,
    common: &Common,
    idle: Option<Duration>,
    told: Option<Told>,
    serve: impl FnOnce(&Server, &Arc<Queue>, &Value) -> Result<(), Failure>,
) -> Result<(), Failure> {
    session::log_of(common);
    let auth = listen::authorization(&bridge.listen)?;
    let queue = Queue::new(QUEUE);
    let targets = targets(bridge, common)?;
    let names: Vec<String> = targets.iter().map(|behind| behind.name.clone()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let rules = rules(bridge, &names)?;
    let search = search(bridge, &names, auth.as_ref())?;
    let starts: Vec<Duration> = targets.iter().map(|it| common.start_timeout(&it.target.config)).collect();
    let start = starts.into_iter().max().unwrap_or_else(|| common.timeout());
    let calls = targets.iter().map(|it| common.call_timeout(&it.target.config));
    let lists = calls.max().unwrap_or_else(|| common.timeout());
    let upstreams = targets
        .into_iter()
        .zip(rules)
        .map(|(behind, rules)| Upstream::new(behind.target, behind.name, rules, common, &queue))
        .collect::<Result<Vec<_>, _>>()?;
    listen::watch_signals(&queue)?;
    if let Some(path) = &bridge.guard.trace {
        record(Recording::create(path, &names.join(", "))?);
    }
    let mut relay = Relay::new(Arc::clone(&queue), upstreams, bridge.call_timeout, common.verbose);
    relay.checker = match &bridge.guard.check {
        Some(line) => Some(check::Checker::start(line, bridge.guard.check_timeout, &queue)?),
        None => None,
    };
    relay.told = told;
    relay.catalog.longest_name = bridge.guard.names.map(usize::from);
    relay.catalog.search = search;
    relay.connect(start)?;
    let mut config = config(&mut relay, bridge);
    if let Some(mut auth) = auth {
        name_servers(&relay.catalog, &mut auth);
        config["auth"] = auth;
        relay.is_authorized = true;
    }
    for (key, value) in store::shared(&bridge.listen, config["name"].as_str().unwrap_or_default(), &[])? {
        config[key] = value;
    }
    store::log_of(&bridge.listen, common.verbose);
    let server = Server::new(&config.to_string(), Some(Arc::clone(&queue)))?;
    server.relay(&capabilities(&relay.upstreams).to_string())?;
    relay.offer_search(&server)?;
    relay.server = Some(Arc::new(server));
    for upstream in 0..relay.upstreams.len() {
        // One after another, so that the order of all entries is always the same.
        relay.list_all(upstream, false);
        relay.gather(upstream, lists)?;
        relay.fits(upstream)?;
    }
    relay.say_what_search_saves();
    let behind = match &relay.upstreams[..] {
        [only] => only.info(),
        _ => Value::Null,
    };
    if let Some(server) = &relay.server {
        serve(server, &queue, &behind)?;
    }
    let ended = relay.run(idle);
    // Its program has nothing more to say, also where a client is slow to read.
    relay.checker = None;
    if let Some(server) = relay.server.take() {
        std::mem::take(&mut relay.ending).finish(&server);
    }
    ended
}

/// Whether all its servers are known and approved: what a process without a terminal is to do is asked before.
pub fn check(bridge: &Bridge, common: &Common) -> Result<(), Failure> {
    targets(bridge, common).map(|_| ())
}

/// What clients may use of each server.
fn rules(bridge: &Bridge, names: &[&str]) -> Result<Vec<Rules>, Failure> {
    let guard = &bridge.guard;
    let allowed = allowed::of_servers(&bridge.allow, names)?;
    let denied = allowed::patterns("--deny", &guard.deny, names)?;
    let pins = pin::of_servers(&guard.pin, names)?;
    let unpinned: Vec<&str> =
        names.iter().zip(&pins).filter(|(_, pin)| pin.is_none()).map(|(name, _)| *name).collect();
    if !guard.pin.is_empty() && !unpinned.is_empty() {
        Screen::said(format!("without a snapshot, and so not compared: {}", one_line(&unpinned.join(", "))));
    }
    let all = allowed.into_iter().zip(denied).zip(pins);
    all.map(|((allowed, denied), pin)| {
        let mut rules = Rules::new(allowed, denied, pin, guard.invalid)?;
        rules.for_models = guard.for_models;
        Ok(rules)
    })
    .collect()
}

/// Writes what clients and the bridge say to each other into a file. What cannot be written is said once.
fn record(recording: Recording) {
    let file = Mutex::new(Some(recording));
    mcp::client::set_frame_listener(Some(Arc::new(move |frame| {
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        // What it says to servers is not for this file.
        let (Some(recording), Some(session)) = (file.as_mut(), frame.session) else { return };
        let (from, text) =
            (if frame.is_sent { "server" } else { "client" }, String::from_utf8_lossy(frame.text));
        let lost = (frame.dropped > 0)
            .then(|| recording.record(frame.at, What::Lost, from, Some(session), &frame.dropped.to_string()));
        let written = lost
            .unwrap_or(Ok(()))
            .and_then(|()| recording.frame(frame.at, from, Some(session), text.trim_end()));
        if let Err(failure) = written {
            Screen::said(format!("{}; nothing more is recorded", one_line(&failure.text())));
            *file = None;
        }
    })));
}

/// What `--search` leaves in the list.
fn search(bridge: &Bridge, names: &[&str], auth: Option<&Value>) -> Result<Option<Search>, Failure> {
    if !bridge.guard.search {
        return Ok(None);
    }
    if auth.and_then(|auth| auth.get("tools")).is_some() {
        return Err(Failure::usage(
            "--search: the file of --auth has scopes of single tools, which calls by way of call_tool would pass by; leave out one",
        ));
    }
    Ok(Some(Search::new(names, allowed::patterns("--keep", &bridge.guard.keep, names)?)))
}

/// The servers, each under the name that `--allow` calls it and that stands before the names of its entries, unless it is the only one.
fn targets(bridge: &Bridge, common: &Common) -> Result<Vec<Behind>, Failure> {
    let (words, program) = (&bridge.place.words, &bridge.place.program);
    let is_known = |word: &str| crate::servers::has_name(word, common.config.as_deref());
    if words.len() + usize::from(!program.is_empty()) <= 1 {
        let behind = |name: Option<&str>, word: &str, target: Target| {
            let name = name.map_or_else(|| short_name(word, &target, is_known(word)), str::to_owned);
            vec![Behind { name, word: word.to_owned(), target }]
        };
        let Some((name, word)) = words.first().map(|word| split_name(word)) else {
            let (target, _) = split(&[], program, common)?;
            return Ok(behind(None, &target.shown.clone(), target));
        };
        return Ok(behind(name, word, named(word, common)?));
    }
    for_several(&common.inputs)?;
    let mut all = Vec::new();
    for word in words {
        let (name, word) = split_name(word);
        let target = find(word, common)?;
        let name = name.map_or_else(|| short_name(word, &target, is_known(word)), str::to_owned);
        all.push(Behind { name, word: word.to_owned(), target });
    }
    if !program.is_empty() {
        let target = started(program)?;
        let word = target.shown.clone();
        all.push(Behind { name: short_name(&word, &target, false), word, target });
    }
    check_names(&all.iter().map(|behind| behind.name.as_str()).collect::<Vec<_>>())?;
    several(&mut all, common)?;
    Ok(all)
}

/// Refuses names of servers that leave open whose an entry is: the first `__` of a tool's name ends that of its server, and in a URI a
/// capital letter is the same as a small one.
fn check_names(names: &[&str]) -> Result<(), Failure> {
    for (at, name) in names.iter().enumerate() {
        if names.iter().take(at).any(|other| other.eq_ignore_ascii_case(name)) {
            return Err(Failure::usage(format!(
                "two servers would be called '{name}': give them names, such as one={name} two={name}"
            )));
        }
        if *name != unambiguous(name) {
            return Err(Failure::usage(format!(
                "a server cannot be called '{name}' beside others: '__' ends the name of a server in the names of its tools, so \
                 that a name has no '__' and no '_' at its end; write {}=TARGET",
                unambiguous(name)
            )));
        }
    }
    Ok(())
}

/// A name without what ends names of servers.
fn unambiguous(name: &str) -> String {
    let parts: Vec<&str> = name.split('_').filter(|part| !part.is_empty()).collect();
    let first = if name.starts_with('_') { "_" } else { "" };
    match parts.is_empty() {
        true => "server".to_owned(),
        false => format!("{first}{}", parts.join("_")),
    }
}

/// Rules for a resource hold for it by every URI that clients may know it by.
fn name_servers(catalog: &Catalog, auth: &mut Value) {
    let Some(rules) = auth.get_mut("resources").and_then(Value::as_object_mut) else { return };
    if !catalog.has_labels() {
        return;
    }
    for (uri, scopes) in rules.clone() {
        for shown in catalog.all_shown(&uri) {
            let needed = rules.entry(shown).or_insert_with(|| json!([]));
            if let (Some(needed), Some(scopes)) = (needed.as_array_mut(), scopes.as_array()) {
                needed.extend(
                    scopes.iter().filter(|scope| !needed.contains(scope)).cloned().collect::<Vec<_>>(),
                );
            } else {
                *needed = scopes.clone();
            }
        }
    }
}

/// `NAME=TARGET`, or only a target.
fn split_name(word: &str) -> (Option<&str>, &str) {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    };
    match word.split_once('=') {
        Some((name, target)) if is_name(name) => (Some(name), target),
        _ => (None, word),
    }
}

/// The name of a server that was given none: its configured name, its program, its host.
fn short_name(word: &str, target: &Target, is_known: bool) -> String {
    let command = target.config.get("command").and_then(Value::as_str);
    // The name of a configured server may have any characters.
    let is_configured = is_known || !word.contains([':', '/', ' ']) && command != Some(word);
    let long = match (command, target.config.get("url").and_then(Value::as_str)) {
        _ if is_configured => word,
        (Some(command), _) => command.rsplit('/').next().unwrap_or(command),
        (None, Some(url)) => {
            url.split("//").nth(1).and_then(|rest| rest.split(['/', ':']).next()).unwrap_or(url)
        }
        (None, None) => word,
    };
    unambiguous(
        &long
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' })
            .collect::<String>(),
    )
}

/// The configuration of the bridge's own server: what the server behind says of itself.
fn config(relay: &mut Relay, bridge: &Bridge) -> Value {
    let limit = u64::try_from(bridge.call_timeout.as_millis()).unwrap_or(u64::MAX);
    let mut config = json!({
        "protocol": bridge.offer,
        "page_size": bridge.page_size,
        "structured_as_text": false,
        // The server behind checks, and its definitions and results pass as they are.
        "checks": {"definitions": false, "arguments": false, "results": false, "content": false},
        "timeouts": {"request_ms": if limit == 0 { 0 } else { limit.saturating_add(60_000).min(86_400_000) }},
        // One client has half of the requests, which are as many as may be under way at a server behind, and of their bytes.
        "limits": {"sessions": SESSIONS, "requests": REQUESTS, "request_bytes": REQUEST_BYTES, "progress_per_second": 1000, "logs_per_second": 1000},
    });
    let mut instructions = Vec::new();
    let only_one = relay.upstreams.len() == 1;
    let mut announce = Map::new();
    for (key, time) in listen::end_times(&bridge.listen) {
        config["timeouts"][key] = time;
    }
    for upstream in &mut relay.upstreams {
        let (info, said) = upstream.learn();
        let (info, said) = pinned(upstream, info, said);
        if only_one {
            for (key, of) in [
                ("name", "name"),
                ("version", "version"),
                ("title", "title"),
                ("description", "description"),
                ("website_url", "websiteUrl"),
            ] {
                if let Some(text) = info[of].as_str().filter(|text| !text.is_empty()) {
                    config[key] = text.into();
                }
            }
        }
        if let Some(said) = said {
            let name = &upstream.name;
            instructions.push(if only_one {
                said
            } else {
                format!("# Names that begin with {name}{SEPARATOR}\n\n{said}")
            });
        }
        for capability in ["tools", "resources", "prompts", "logging"] {
            if upstream.capabilities.contains_key(capability) {
                announce.insert(capability.to_owned(), true.into());
            }
        }
    }
    if bridge.guard.search {
        announce.insert("tools".to_owned(), true.into());
    }
    if config["name"].is_null() {
        config["name"] = "mcp-bridge".into();
        config["version"] = env!("CARGO_PKG_VERSION").into();
    }
    config["announce"] = Value::Object(announce);
    if !instructions.is_empty() {
        config["instructions"] = instructions.join("\n\n").into();
    }
    config
}

/// What a server says of itself and its instructions, as its snapshot has them.
fn pinned(upstream: &Upstream, info: Value, said: Option<String>) -> (Value, Option<String>) {
    let Some(pin) = &upstream.rules.pin else { return (info, said) };
    let shown = one_line(&upstream.shown);
    let said = said.filter(|said| {
        let is_same = pin.has_instructions(Some(said));
        if !is_same {
            Screen::said(format!(
                "the instructions of {shown} are hidden: they differ from the snapshot {}",
                pin.shown()
            ));
        }
        is_same
    });
    match pin.server_differs(&info) {
        None => (info, said),
        Some(why) => {
            Screen::said(format!("the server {shown} says something else of itself: {why}"));
            (pin.server(), said)
        }
    }
}

/// What the servers behind declare, together.
fn capabilities(upstreams: &[Upstream]) -> Value {
    let mut all = Map::new();
    for upstream in upstreams {
        for (name, value) in &upstream.capabilities {
            let there = all.entry(name).or_insert_with(|| json!({}));
            if let (Value::Object(there), Value::Object(more)) = (there, value) {
                there.extend(more.clone());
            }
        }
    }
    Value::Object(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_before_a_target() {
        assert_eq!(split_name("a=./server"), (Some("a"), "./server"));
        assert_eq!(split_name("https://x/?a=b"), (None, "https://x/?a=b"));
        assert_eq!(split_name("=x"), (None, "=x"));
    }

    #[test]
    fn names_that_leave_open_whose_an_entry_is_are_refused() {
        assert!(check_names(&["a", "b_c", "_d", "e-", "f-_-g"]).is_ok());
        for names in [&["a", "a__b"], &["a", "b_"], &["a", "A"], &["a", "a"], &["__", "b"], &["b", "_"]] {
            let why = check_names(names).expect_err("refused").text();
            assert!(why.contains("called"), "{why}");
        }
        for (name, better) in [("a__b", "a_b"), ("_a_", "_a"), ("__", "server"), ("", "server"), ("a", "a")] {
            assert_eq!(unambiguous(name), better);
            assert_eq!(unambiguous(better), better);
        }
    }

    #[test]
    fn a_rule_for_a_resource_holds_whatever_its_servers_name_adds() {
        let catalog = Catalog::new(&["a".to_owned(), "b".to_owned()]);
        let mut auth = json!({"resources": {"x:1": ["s"], "ui://p": ["t"], "a+x:1": ["u", "s"]}});
        name_servers(&catalog, &mut auth);
        assert_eq!(auth["resources"]["b+x:1"], json!(["s"]));
        assert_eq!(auth["resources"]["a+x:1"], json!(["u", "s"]));
        assert_eq!(auth["resources"]["ui://b/p"], json!(["t"]));
        assert_eq!(auth["resources"]["x:1"], json!(["s"]));
        let mut alone = json!({"resources": {"x:1": ["s"]}});
        name_servers(&Catalog::new(&["a".to_owned()]), &mut alone);
        assert_eq!(alone, json!({"resources": {"x:1": ["s"]}}));
    }

    #[test]
    fn a_server_without_a_name_is_called_by_what_it_is() {
        let with = |key: &str, value: &str| Target {
            shown: value.to_owned(),
            config: Map::from_iter([(key.to_owned(), Value::from(value))]),
        };
        assert_eq!(
            short_name("/usr/bin/my-server", &with("command", "/usr/bin/my-server"), false),
            "my-server"
        );
        assert_eq!(
            short_name("https://a.example:8/mcp", &with("url", "https://a.example:8/mcp"), false),
            "a_example"
        );
        assert_eq!(short_name("github", &with("command", "npx"), false), "github");
        assert_eq!(short_name("Tide Tables", &with("command", "npx"), true), "Tide_Tables");
        assert_eq!(short_name("com.example/tides", &with("command", "npx"), true), "com_example_tides");
    }
}
