//! `mcp inspect`: a page on this machine that shows servers and uses them; `mcp dev`: the same, and the server is started again when its
//! files change.
//!
//! The program holds all state: what was spoken, what is under way, the last lists. The page reads records from a number on and posts
//! requests, so that one that is loaded again loses nothing. It names no command, URL or path: the servers are those of the command line
//! and of configurations that the person approved.
//!
//! The files:
//!
//! * `http`: the server of the page, on the HTTP stack of the library
//! * `gate`: who may reach what of it
//! * `files`: the page's own files
//! * `actions`: what the page reads and does
//! * `records`: `Records`: what was seen, in one order
//! * `served`: `Served`: one server, what is asked of it and what it asks
//! * `apps`: `Apps`: pages of servers, which a frame of another origin shows
//! * `watch`: files that change, for `dev`

mod actions;
mod apps;
mod files;
mod gate;
mod http;
mod records;
mod served;
mod watch;

pub use self::files::with_trace;

use self::apps::Apps;
use self::records::Records;
use self::served::{Origin, Served};
use crate::arguments::{Bridge, Common, Dev, Format, Inspect, Place};
use crate::bridge::without;
use crate::failure::Failure;
use crate::output::{Screen, one_line};
use crate::servers::{self, for_several};
use crate::target::{Behind, Target, find, several, split, started};
use crate::{folders, login, recording, redact, session};
use mcp::client::json_text::{elements, member, string};
use mcp::client::{Level, set_frame_listener, set_logger, visible};
use ring::rand::{SecureRandom as _, SystemRandom};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What a call of the program behind `dev --stdio` may take.
const CALL: Duration = Duration::from_secs(3600);

/// What the page is about.
#[derive(Debug)]
pub struct Page {
    pub records: Arc<Records>,
    pub servers: Vec<Arc<Served>>,
    pub apps: Mutex<Apps>,
    /// The SHA-256 of the token of this run.
    pub token: Vec<u8>,
    /// What is said of the run in a file of it.
    pub title: String,
    pub began: u128,
    /// Whether a whole examination runs: one at a time.
    pub is_examining: AtomicBool,
    /// What `dev` watches, for the page.
    pub dev: Option<Value>,
}

/// 256 bits that no other program can guess.
pub fn secret() -> Result<String, Failure> {
    let mut bytes = [0; 32];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| Failure::machine("the system gives no random numbers"))?;
    Ok(folders::hex(&bytes))
}

/// A file that leads a browser to the page. Every user of the machine sees the words of every command, and the address has the token: so the
/// browser is given this file, which only its owner may read.
fn door(address: &str) -> Result<tempfile::NamedTempFile, Failure> {
    let failed = |error: std::io::Error| {
        Failure::machine(format!("the file that leads a browser to the page cannot be written: {error}"))
    };
    let mut file = tempfile::Builder::new().prefix("mcp-page-").suffix(".html").tempfile().map_err(failed)?;
    write!(
        file,
        "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">\
         <meta http-equiv=\"refresh\" content=\"0;url={address}\"><title>mcp</title><a href=\"{address}\">Open the page</a>"
    )
    .map_err(failed)?;
    Ok(file)
}

/// Runs `inspect`.
pub fn inspect(screen: Screen, inspect: &Inspect, common: Common) -> Result<(), Failure> {
    let common = Arc::new(common);
    let records = Arc::<Records>::default();
    let servers = servers(&inspect.place, &common, &records)?;
    run(screen, servers, records, Shown::at(inspect.port, inspect.no_open), None)
}

/// Runs `dev`.
pub fn dev(screen: Screen, dev: &Dev, common: Common) -> Result<(), Failure> {
    let watched = watch::Watched::new(dev)?;
    if let Some(file) = &dev.until_change {
        return watched.until_change(&dev.program, file);
    }
    if dev.stdio {
        return keep_connected(screen, dev, &watched, common);
    }
    let common = Arc::new(common);
    let records = Arc::<Records>::default();
    watched.build()?;
    let place = match &dev.url {
        Some(url) => Place { words: vec![url.clone()], program: Vec::new() },
        None => Place { words: Vec::new(), program: dev.program.clone() },
    };
    let servers = servers(&place, &common, &records)?;
    let shown = if dev.no_page { Shown::Lines } else { Shown::at(dev.port, dev.no_open) };
    run(screen, servers, records, shown, Some(watched))
}

/// A bridge before a server that ends when its files change: the program that started this one stays connected, and is told of lists that
/// have changed.
fn keep_connected(
    screen: Screen,
    dev: &Dev,
    watched: &watch::Watched,
    mut common: Common,
) -> Result<(), Failure> {
    let own = std::env::current_exe()
        .map_err(|error| Failure::machine(format!("the file of this program is not known: {error}")))?;
    let kept = tempfile::Builder::new().prefix("mcp-dev-").tempfile().map_err(|error| {
        Failure::machine(format!("a file that each start leaves for the next one cannot be made: {error}"))
    })?;
    // The build has no part in the time that a start may take, which is that of the server: it may be downloaded.
    watched.build_for(kept.path())?;
    let (target, _) = split(&[], &dev.program, &common)?;
    if common.given_timeout.is_none() {
        let start = common.start_timeout(&target.config).as_millis();
        common.set.push(format!("timeouts.start_ms={start}"));
    }
    let mut program = vec![own.to_string_lossy().into_owned(), "dev".to_owned()];
    program.extend(["--until-change".to_owned(), kept.path().to_string_lossy().into_owned()]);
    for glob in &dev.watch {
        program.extend(["--watch".to_owned(), glob.clone()]);
    }
    if let Some(build) = &dev.build {
        program.extend(["--build".to_owned(), build.clone()]);
    }
    program.push("--".to_owned());
    program.extend(dev.program.iter().cloned());
    let place = Place { words: Vec::new(), program };
    let bridge = Bridge::within(place, Vec::new(), CALL);
    crate::bridge::bridge(screen, &bridge, &common)
}

/// How the person sees it.
#[derive(Clone, Copy, Debug)]
enum Shown {
    /// On the page, at a port, in a browser that is opened or not.
    Page { port: u16, no_open: bool },
    /// As lines of standard error.
    Lines,
}

impl Shown {
    fn at(port: u16, no_open: bool) -> Shown {
        Shown::Page { port, no_open }
    }
}

/// Writes what happens to standard error, as the page would show it.
fn tell(page: &Arc<Page>) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| Failure::machine(format!("what happens cannot be followed: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(failed)?;
    let page = Arc::clone(page);
    let run = move || {
        let mut last = 0;
        loop {
            let lines = runtime.block_on(page.records.after(last));
            for line in lines.lines() {
                let number = member(line, "n").and_then(|number| number.parse().ok());
                last = number.unwrap_or(last).max(last);
                if let Some(told) = told(line) {
                    Screen::said(told);
                }
            }
        }
    };
    std::thread::Builder::new().name("mcp-dev".to_owned()).spawn(run).map(|_| ()).map_err(failed)
}

/// What a record says to a person who has no page; most say nothing.
fn told(record: &str) -> Option<String> {
    let data = member(record, "data")?;
    let text = |value: &str, name: &str| member(value, name).and_then(string).map(|text| one_line(&text));
    match string(member(record, "kind")?)?.as_ref() {
        "state" => {
            let error = member(data, "error").or_else(|| member(data, "failure")).unwrap_or("{}");
            let why = text(error, "message").map(|why| format!(": {why}")).unwrap_or_default();
            Some(format!("the server is {}{why}", text(data, "state")?))
        }
        "outcome" => {
            let result = member(data, "result")?;
            let list = ["tools", "resources", "resourceTemplates", "prompts"];
            let (name, items) = list.iter().find_map(|name| Some((name, member(result, name)?)))?;
            Some(format!("{name}: {}", elements(items).count()))
        }
        "build" if member(data, "ok") == Some("false") => {
            let output = member(data, "output").and_then(string).unwrap_or_default();
            Some(format!(
                "the build failed, and the server stays as it was:\n{}",
                visible::visible(output.trim_end())
            ))
        }
        "stderr" => Some(one_line(&string(data)?)),
        "remark" => text(data, "what"),
        _ => None,
    }
}

fn run(
    screen: Screen,
    servers: Vec<Arc<Served>>,
    records: Arc<Records>,
    shown: Shown,
    watched: Option<watch::Watched>,
) -> Result<(), Failure> {
    crate::progress::silence();
    let token = secret()?;
    let title = servers.iter().map(|served| one_line(&served.shown)).collect::<Vec<_>>().join(", ");
    let page = Arc::new(Page {
        records,
        servers,
        apps: Mutex::default(),
        token: gate::digest(&token),
        title,
        began: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis(),
        is_examining: AtomicBool::new(false),
        dev: watched.as_ref().map(watch::Watched::about),
    });
    let (ended, end) = mpsc::channel();
    let failed = ended.clone();
    let asked = AtomicBool::new(false);
    session::watch_signals(move || {
        if asked.swap(true, Ordering::Relaxed) {
            crate::group::exit(crate::failure::INTERRUPTED);
        }
        // The main thread may be on its way out.
        let _gone = ended.send(Ok(()));
    })?;
    listen_to_frames(&page);
    // The person looks at the page: a question at the terminal would keep the page waiting.
    Screen::ask_no_more();
    let mut kept = None;
    match shown {
        Shown::Lines => tell(&page)?,
        Shown::Page { port, no_open } => {
            let port = http::serve(&page, port)?;
            let address = format!("http://127.0.0.1:{port}/#token={token}");
            match screen.format {
                Format::Json | Format::Yaml => screen.json(&json!({"url": address}).to_string())?,
                _ => screen.write(format!("{address}\n"))?,
            }
            if !no_open && login::can_open() {
                let file = door(&address)?;
                if !login::open(&file.path().to_string_lossy()) {
                    Screen::said("no browser could be started; open the address yourself");
                }
                kept = Some(file);
            }
        }
    }
    let serving = watched.as_ref().and_then(watch::Watched::serving);
    match (watched, page.servers.first()) {
        (Some(watched), Some(served)) => {
            let failed = move |failure| {
                // The main thread may be on its way out.
                let _gone = failed.send(Err(failure));
            };
            watched.begin(Arc::clone(served), Arc::clone(&page.records), failed)?;
        }
        _ => {
            for served in page.servers.iter().filter(|served| matches!(served.origin, Origin::Given(_))) {
                served.connect(None)?;
            }
        }
    }
    // All senders are gone only if the handler is.
    let asked = end.recv().unwrap_or(Ok(()));
    for served in &page.servers {
        served.disconnect();
    }
    if let Some(serving) = serving {
        serving.end();
    }
    set_frame_listener(None);
    set_logger(None);
    // Until here: a browser may open it late.
    drop(kept);
    asked
}

/// Records what every connection of the page sends and receives, and what the library logs of it.
fn listen_to_frames(page: &Arc<Page>) {
    let number = |label: &str| label.strip_prefix("page ").and_then(|number| number.parse::<usize>().ok());
    let records = Arc::clone(&page.records);
    set_frame_listener(Some(Arc::new(move |frame| {
        let Some(server) = number(frame.client) else { return };
        if frame.dropped > 0 {
            records.add(frame.at, server, "lost", "server", &frame.dropped.to_string());
        }
        let from = if frame.is_sent { "client" } else { "server" };
        records.frame(frame.at, server, from, String::from_utf8_lossy(frame.text).trim_end());
    })));
    let records = Arc::clone(&page.records);
    let log = move |_: Level, record: &str| {
        let label = member(record, "client").and_then(string).unwrap_or_default();
        let Some(server) = number(&label) else { return };
        match member(record, "event").and_then(string).as_deref() {
            Some("http.exchange" | "http.body" | "auth.answer") => {
                records.add(
                    Instant::now(),
                    server,
                    "http",
                    "server",
                    &without(record, &["event", "level", "client"]),
                );
            }
            Some("server.stderr") => {
                let line = member(record, "line").unwrap_or("\"\"");
                records.add(Instant::now(), server, "stderr", "server", line);
            }
            Some("protocol.tolerated" | "protocol.violation") => {
                records.add(
                    Instant::now(),
                    server,
                    "remark",
                    "program",
                    &without(record, &["level", "client"]),
                );
            }
            _ => {}
        }
    };
    set_logger(Some((Level::Trace, Arc::new(log))));
}

/// The servers of the command line: those that are named, a trace, or all that are configured.
fn servers(place: &Place, common: &Arc<Common>, records: &Arc<Records>) -> Result<Vec<Arc<Served>>, Failure> {
    // The names of what a command line needs beside its target: the values may be secret.
    let names = |all: &[String], end: char| -> Vec<String> {
        all.iter().filter_map(|one| one.split_once(end)).map(|(name, _)| name.trim().to_owned()).collect()
    };
    let new = |number: usize, shown: String, mut place: Value, origin: Origin| {
        if place.is_object() {
            place["headers"] = names(&common.headers, ':').into();
            place["environment"] = names(&common.environment, '=').into();
        }
        Served::new(number, shown, masked(&place), origin, common, records)
    };
    if let ([file], true) = (&place.words[..], place.program.is_empty())
        && recording::is_at_path(Path::new(file))
    {
        for record in recording::read(Path::new(file))? {
            records.read(&record);
        }
        return Ok(vec![new(0, one_line(file), Value::Null, Origin::Trace)]);
    }
    if place.words.is_empty() && place.program.is_empty() {
        let (all, _) = match &common.config {
            Some(path) => (servers::of_file(path)?, Vec::new()),
            None => servers::found(),
        };
        let mut served: Vec<Arc<Served>> = Vec::new();
        for one in all.iter().filter(|one| !one.is_disabled) {
            if served.iter().all(|other| other.shown != one.name) {
                served.push(new(
                    served.len(),
                    one.name.clone(),
                    json!({"words": [one.name]}),
                    Origin::Configured,
                ));
            }
        }
        return match served.is_empty() {
            false => Ok(served),
            true => Err(Failure::usage(
                "no server is named, and no file of a program here has one: name one, as `mcp inspect -- COMMAND` or \
                 `mcp inspect URL`",
            )),
        };
    }
    let program = json!({"program": place.program});
    if place.words.len() + usize::from(!place.program.is_empty()) == 1 {
        let (target, _) = split(&place.words, &place.program, common)?;
        let words = if place.words.is_empty() { program } else { json!({"words": place.words}) };
        return Ok(vec![new(0, target.shown.clone(), words, Origin::Given(target))]);
    }
    for_several(&common.inputs)?;
    let behind = |word: &str, target: Target| Behind { name: word.to_owned(), word: word.to_owned(), target };
    let mut all = Vec::new();
    for word in &place.words {
        all.push(behind(word, find(word, common)?));
    }
    if !place.program.is_empty() {
        let target = started(&place.program)?;
        all.push(behind(&target.shown.clone(), target));
    }
    several(&mut all, common)?;
    let words =
        |at: usize| place.words.get(at).map_or_else(|| program.clone(), |word| json!({"words": [word]}));
    let served = |(at, behind): (usize, Behind)| {
        new(at, behind.target.shown.clone(), words(at), Origin::Given(behind.target))
    };
    Ok(all.into_iter().enumerate().map(served).collect())
}

/// Words of a command line for a page: without secrets.
fn masked(place: &Value) -> Value {
    let text = redact::message(&mcp::client::without_passwords(&place.to_string()));
    serde_json::from_str(&text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_led_to_the_page_by_a_file_that_only_its_owner_reads() {
        let address = "http://127.0.0.1:1/#token=s3cret";
        let file = door(address).expect("written");
        let text = std::fs::read_to_string(file.path()).expect("read");
        assert!(text.contains(&format!("content=\"0;url={address}\"")), "{text}");
        let path = file.path().to_string_lossy().into_owned();
        assert!(!path.contains("s3cret"), "{path}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = file.as_file().metadata().expect("known").permissions().mode();
            assert_eq!(mode & 0o077, 0, "{mode:o}");
        }
        drop(file);
        assert!(!Path::new(&path).exists());
    }
}
