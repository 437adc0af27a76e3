//! `mcp session`: connections that outlive a command. Each is a bridge in a process of its own, at a socket that only this person's
//! programs reach. There is one only where a person asks for it.
//!
//! The files:
//!
//! * `folder`: where sessions are: their sockets and locks
//! * `daemon`: the process that keeps a connection
//! * `messages`: what it and the server say to each other, for `trace`

mod daemon;
mod folder;
mod messages;

use self::folder::Place;
pub use self::messages::{Heard, Said};
use crate::arguments::{Arguments, Command, Common, Format, Session, SessionStart};
use crate::bridge;
use crate::commands::nearest;
use crate::failure::Failure;
use crate::output::{Screen, one_line, table};
use crate::target::Target;
use clap::Parser as _;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Map, Value, json};
use std::io::{BufRead as _, BufReader, Read};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command as Process, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a session has to end after it was asked to.
const END: Duration = Duration::from_secs(10);
/// What is kept of what a session says before it has started: the end, which says why it failed.
const SAID: usize = 64 << 10;
/// What the programs of a session that failed have to close its standard error.
const LEFT_BEHIND: Duration = Duration::from_secs(2);

/// Runs a command about sessions.
pub fn session(screen: Screen, session: &Session, common: &Common) -> Result<(), Failure> {
    match session {
        Session::Start(start) => begin(screen, start, common),
        Session::List => list(screen),
        Session::Stop(stop) => end(screen, &stop.name),
        Session::Run(start) => daemon::run(start, common),
    }
}

/// The target that `@NAME` is.
pub fn target(name: &str) -> Result<Target, Failure> {
    let place = Place::of(name)?;
    if place.connect()?.is_none() {
        return Err(Failure::unreached(format!(
            "there is no session '{name}': `mcp session list` shows those that there are, `mcp session start` begins one{}",
            meant("@", name)
        )));
    }
    let socket = format!("unix:{}", place.socket().display());
    let config = Map::from_iter([("socket".to_owned(), Value::from(socket))]);
    Ok(Target { shown: format!("@{name}"), config })
}

/// The session that was most likely meant, as the end of a sentence.
fn meant(before: &str, name: &str) -> String {
    // A folder that cannot be read has nothing to suggest; the failure is told all the same.
    let names = folder::names().unwrap_or_default();
    let is_there = |name: &&String| {
        Place::of(name).and_then(|place| place.connect()).is_ok_and(|connected| connected.is_some())
    };
    let there = names.iter().filter(is_there).map(String::as_str);
    nearest(name, there).map_or_else(String::new, |near| format!("; did you mean '{before}{near}'?"))
}

/// Whether a target is a session, as [`target`] gives it, and no server that only has such a name.
pub fn is_session(target: &Target) -> bool {
    let socket = |place: Place| format!("unix:{}", place.socket().display());
    let own = target.shown.strip_prefix('@').and_then(|name| Place::of(name).ok()).map(socket);
    own.is_some() && target.config.get("socket").and_then(Value::as_str) == own.as_deref()
}

/// Begins to read what the session that a target is and the server behind it say to each other; `None` for a target that is not a session.
///
/// # Errors
/// The session does not tell it.
pub fn hear(target: &Target, take: impl Fn(&Said<'_>) + Send + 'static) -> Result<Option<Heard>, Failure> {
    let Some(name) = target.shown.strip_prefix('@').filter(|_| is_session(target)) else { return Ok(None) };
    messages::hear(&Place::of(name)?, take).map(Some)
}

/// What is known of the server behind a session, as [`target`] shows it: members of the client's info.
pub fn behind(shown: &str) -> Option<Value> {
    let place = Place::of(shown.strip_prefix('@')?).ok()?;
    Some(place.about()["behind"].take())
}

/// The server of `@NAME`, and the options with which the session was started; `None` for what is not a session. The current folder becomes that of
/// the session.
pub fn origin(word: &str, common: &Common) -> Option<Result<(crate::arguments::Place, Common), Failure>> {
    let name = word.strip_prefix('@')?;
    // A configured server may have such a name.
    target(name).ok().filter(|_| !crate::servers::has_name(word, common.config.as_deref()))?;
    let about = Place::of(name).ok()?.about();
    let withheld: Vec<&str> = about["withheld"].as_array()?.iter().filter_map(Value::as_str).collect();
    if !withheld.is_empty() {
        return Some(Err(Failure::usage(format!(
            "the server of {word} cannot be started once more: the session was started with {}, which no file keeps; run `mcp doctor` \
             with the words with which the session was started",
            withheld.join(" and ")
        ))));
    }
    let words = about["words"].as_array()?.iter().filter_map(Value::as_str);
    let whole = std::iter::once("mcp").chain(words);
    let failed =
        |why: String| Failure::machine(format!("the command line of {word} cannot be read again: {why}"));
    let read = || {
        let read = Arguments::try_parse_from(whole).map_err(|error| failed(error.to_string()))?;
        let Command::Session(Session::Run(start)) = read.command else {
            return Err(failed("it is that of another command".to_owned()));
        };
        let folder = about["folder"].as_str().unwrap_or(".");
        std::env::set_current_dir(folder).map_err(|error| failed(format!("{folder}: {error}")))?;
        Ok((start.place(read.common.config.as_deref()), read.common))
    };
    Some(read())
}

/// Starts the process of a session, and waits until it is connected or has failed.
fn begin(screen: Screen, start: &SessionStart, common: &Common) -> Result<(), Failure> {
    let place = Place::of(&start.name)?;
    place.prepare()?;
    // The process has no terminal at which a person could approve a server of a project.
    bridge::check(&start.bridge(common.config.as_deref()), common)?;
    let machine = |what: &str, error: std::io::Error| Failure::machine(format!("{what}: {error}"));
    let program =
        std::env::current_exe().map_err(|error| machine("cannot find the program itself", error))?;
    let mut child = Process::new(program)
        .args(words())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| machine("cannot start the session", error))?;
    let (said, errors) = match heard(&mut child) {
        Ok(heard) => heard,
        Err(error) => {
            // It may have ended.
            let _is_killed = child.kill();
            let _status = child.wait();
            return Err(machine("no thread is left to start the session", error));
        }
    };
    if said.trim() == daemon::READY {
        return match screen.format {
            Format::Json | Format::Yaml => {
                screen.json(&json!({ "session": start.name, "pid": child.id() }).to_string())
            }
            _ => screen.write(format!("@{}\n", start.name)),
        };
    }
    let status = child.wait().map_err(|error| machine("cannot wait for the session", error))?;
    let exit = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(crate::failure::OTHER);
    Screen::note(errors.text().trim_end());
    let mut failure = Failure::machine("the session did not start");
    (failure.exit, failure.is_told) = (exit, true);
    Err(failure)
}

/// The end of what a process writes to standard error.
struct Errors {
    last: Arc<Mutex<Vec<u8>>>,
    /// Closed when all was read.
    end: Receiver<()>,
}

impl Errors {
    fn text(self) -> String {
        // Either all was read, or another process holds it open.
        let _is_whole = self.end.recv_timeout(LEFT_BEHIND);
        String::from_utf8_lossy(&self.last.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

/// The first line of a process. Its errors are read all the time: it could not go on unread.
fn heard(child: &mut Child) -> std::io::Result<(String, Errors)> {
    let last = Arc::new(Mutex::new(Vec::new()));
    let (sender, end) = channel();
    if let Some(mut stderr) = child.stderr.take() {
        let last = Arc::clone(&last);
        let read = move || {
            let _until_here = sender;
            let mut block = [0; 4096];
            while let Ok(count @ 1..) = stderr.read(&mut block) {
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                last.extend_from_slice(&block[..count]);
                let more = last.len().saturating_sub(SAID);
                last.drain(..more);
            }
        };
        std::thread::Builder::new().name("mcp-session-errors".to_owned()).spawn(read)?;
    }
    let mut said = String::new();
    if let Some(stdout) = child.stdout.take() {
        // Its end is the end of the process, which has times of its own.
        let _read = BufReader::new(stdout).read_line(&mut said);
    }
    Ok((said, Errors { last, end }))
}

/// The command line of this program with `run` in the place of `start`.
fn words() -> Vec<std::ffi::OsString> {
    let mut words: Vec<_> = std::env::args_os().skip(1).collect();
    let command = words.iter().position(|word| word == "session").unwrap_or_default();
    if let Some(start) = words.iter_mut().skip(command).find(|word| *word == "start") {
        *start = "run".into();
    }
    words
}

/// A session that is there.
struct There {
    name: String,
    about: Value,
}

fn list(screen: Screen) -> Result<(), Failure> {
    let mut all = Vec::new();
    for name in folder::names()? {
        let place = Place::of(&name)?;
        // One that ended without a word is not shown; the next start takes its place.
        if place.connect()?.is_some() {
            all.push(There { name, about: place.about() });
        }
    }
    match screen.format {
        Format::Json | Format::Yaml => {
            let sessions: Vec<Value> = all
                .iter()
                .map(|it| {
                    json!({"name": it.name, "target": it.about["target"], "pid": it.about["pid"],
                        "version": it.about["version"], "started": it.about["started"], "state": it.about["state"],
                        "restarts": it.about["restarts"]})
                })
                .collect();
            screen.json(&json!({ "sessions": sessions }).to_string())
        }
        Format::Names => {
            screen.write(all.iter().map(|it| format!("{}\n", it.name)).collect::<Vec<_>>().concat())
        }
        Format::Text => {
            let text = |value: &Value| match value {
                Value::String(text) => one_line(text),
                other => other.to_string(),
            };
            let rows: Vec<Vec<String>> = all
                .iter()
                .map(|it| {
                    let about = &it.about;
                    vec![
                        format!("@{}", it.name),
                        text(&about["target"]),
                        text(&about["pid"]),
                        text(&about["version"]),
                        state(about),
                    ]
                })
                .collect();
            screen.write(table(&["SESSION", "SERVER", "PROCESS", "VERSION", "STATE"], &rows, screen.width()))
        }
    }
}

/// Whether the server of a session is there, and how often it was started again.
fn state(about: &Value) -> String {
    let state = one_line(about["state"].as_str().unwrap_or("ready"));
    match about["restarts"].as_u64().unwrap_or_default() {
        0 => state,
        1 => format!("{state}, started again once"),
        times => format!("{state}, started again {times} times"),
    }
}

/// Ends a session: with SIGTERM, and if it does not end in its time with SIGKILL.
fn end(screen: Screen, name: &str) -> Result<(), Failure> {
    let place = Place::of(name)?;
    let Some((stream, pid)) = place.connect()? else {
        return Err(Failure::usage(format!(
            "there is no session '{name}'; `mcp session list` shows those that there are{}",
            meant("", name)
        )));
    };
    signal(pid, Signal::TERM)?;
    if !has_ended(stream, &place)? {
        signal(pid, Signal::KILL)?;
    }
    match screen.format {
        Format::Json | Format::Yaml => screen.json(&json!({ "stopped": name }).to_string()),
        _ => Ok(()),
    }
}

fn signal(pid: Pid, signal: Signal) -> Result<(), Failure> {
    match kill_process(pid, signal) {
        Ok(()) | Err(rustix::io::Errno::SRCH) => Ok(()),
        Err(error) => {
            Err(Failure::machine(format!("cannot end the process {}: {error}", pid.as_raw_nonzero())))
        }
    }
}

/// Waits until nothing serves the socket any more.
fn has_ended(mut stream: UnixStream, place: &Place) -> Result<bool, Failure> {
    let until = Instant::now() + END;
    // The connection ends with the process.
    let _is_set = stream.set_read_timeout(Some(END));
    let mut rest = [0; 1024];
    while Instant::now() < until && stream.read(&mut rest).is_ok_and(|count| count > 0) {}
    while Instant::now() < until {
        if place.connect()?.is_none() && place.is_unlocked()? {
            return Ok(true);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c27_the_list_says_how_the_server_is() {
        for (about, said) in [
            (json!({}), "ready"),
            (json!({"state": "ready", "restarts": 1}), "ready, started again once"),
            (json!({"state": "gone: it\nended", "restarts": 2}), "gone: it ended, started again 2 times"),
        ] {
            assert_eq!(state(&about), said);
        }
    }

    #[test]
    fn a_session_that_writes_many_errors_is_heard() {
        let text = "head -c 300000 /dev/zero >&2; echo the reason >&2; echo ready";
        let mut child = Process::new("sh")
            .args(["-c", text])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("started");
        let (said, errors) = heard(&mut child).expect("heard");
        assert_eq!(said.trim(), daemon::READY);
        assert!(child.wait().expect("ended").success());
        let text = errors.text();
        assert!(text.ends_with("the reason\n") && text.len() <= SAID);
    }
}
