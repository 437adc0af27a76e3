//! Files that change, for `mcp dev`: what is watched, and what is done then.
//!
//! Times and sizes are looked at a few times a second. That costs a millisecond for hundreds of files, works on every file system, also
//! those of containers and networks that tell nothing, and needs no crate.

use super::records::Records;
use super::served::Served;
use crate::arguments::Dev;
use crate::failure::{Failure, INTERRUPTED};
use crate::group::{Group, has_ended};
use crate::ordered::Gathered;
use crate::output::{Screen, one_line};
use crate::session;
use mcp::client::json_text::quote;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::hash::{Hash as _, Hasher as _};
use std::io::{BufRead as _, BufReader, Read, Seek as _, SeekFrom};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How often files are looked at, and how long they must be as they are: editors and compilers write in several steps.
const LOOK: Duration = Duration::from_millis(100);
const REST: Duration = Duration::from_millis(200);
/// A file that changes so soon after each of so many starts is written by the server.
const SOON: Duration = Duration::from_secs(2);
const STARTS: usize = 3;
/// How long a server of `--url` may take until it listens, and to end.
const LISTENS: Duration = Duration::from_secs(60);
const ENDS: Duration = Duration::from_secs(2);
/// The longest line that is taken of it.
const LINE: u64 = 64 << 10;
/// The most files that are looked at, and the deepest folder.
const FILES: usize = 20_000;
const DEPTH: usize = 20;
/// What is read of a `.gitignore`, and shown of what a build writes.
const MOST_BYTES: u64 = 64 << 10;
/// Folders with what others made.
const SKIPPED: [&str; 5] = ["node_modules", "target", "__pycache__", "build", "dist"];

/// What is known of a file.
type Seen = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// What is watched.
#[derive(Debug)]
pub struct Watched {
    root: PathBuf,
    globs: Vec<String>,
    /// The program, and files among its words.
    files: Vec<PathBuf>,
    build: Option<Vec<String>>,
    /// The server of `--url`, which is started here.
    serving: Option<Arc<Serving>>,
}

/// What a build came to.
#[derive(Debug)]
struct Built {
    is_good: bool,
    output: String,
}

impl Watched {
    pub fn new(dev: &Dev) -> Result<Watched, Failure> {
        let root = std::env::current_dir()
            .map_err(|error| Failure::machine(format!("the current folder cannot be found: {error}")))?;
        let build = match &dev.build {
            None => None,
            Some(line) => Some(shlex::split(line).filter(|words| !words.is_empty()).ok_or_else(|| {
                Failure::usage(format!(
                    "--build '{line}' is not a command line: it is empty, or a quote in it is not closed"
                ))
            })?),
        };
        let is_of_path =
            |word: &&String| word.contains(std::path::MAIN_SEPARATOR) || root.join(word).is_file();
        let files =
            dev.program.iter().filter(is_of_path).map(|word| root.join(word)).filter(|path| path.is_file());
        let serving =
            dev.url.as_deref().map(|url| Serving::new(url, &dev.program).map(Arc::new)).transpose()?;
        Ok(Watched { files: files.collect(), root, globs: dev.watch.clone(), build, serving })
    }

    /// For the page.
    pub fn about(&self) -> Value {
        json!({"watch": self.globs, "build": self.build, "files": self.files})
    }

    /// Builds before the server is started for the first time.
    pub fn build(&self) -> Result<(), Failure> {
        // Until what follows has its own handler.
        session::watch_signals(|| crate::group::exit(INTERRUPTED))?;
        well(self.run_build(true))
    }

    /// Starts the server and looks from now on, on a thread that ends with the program. It says so where the first start is not possible:
    /// one that waits until a server listens keeps no Ctrl-C waiting.
    pub fn begin(
        self,
        served: Arc<Served>,
        records: Arc<Records>,
        failed: impl FnOnce(Failure) + Send + 'static,
    ) -> Result<(), Failure> {
        let run = move || {
            if let Err(failure) = self.start(&served, &records) {
                return failed(failure);
            }
            let mut own = Own::default();
            let mut seen = own.without(self.look());
            // Whether a start that was not possible is to be made.
            let mut is_due = false;
            loop {
                std::thread::sleep(LOOK);
                let now = own.without(self.look());
                if now == seen && !is_due {
                    continue;
                }
                let (built, remark) = self.changed(&mut own, &mut seen, now, true);
                if let Some(built) = &built {
                    let command = self.build.as_deref().unwrap_or_default().join(" ");
                    let data = format!(
                        "{{\"ok\":{},\"command\":{},\"output\":{}}}",
                        built.is_good,
                        quote(&command),
                        quote(&built.output)
                    );
                    records.add(Instant::now(), served.number, "build", "program", &data);
                }
                if let Some(why) = remark {
                    Screen::said(why.clone());
                    let data = format!("{{\"event\":\"watch\",\"what\":{}}}", quote(&why));
                    records.add(Instant::now(), served.number, "remark", "program", &data);
                    continue;
                }
                // Where it is being started, that is with what it was before.
                is_due = built.is_none_or(|built| built.is_good) && self.start(&served, &records).is_err();
                own.last = Some(SystemTime::now());
            }
        };
        std::thread::Builder::new()
            .name("mcp-page-watch".to_owned())
            .spawn(run)
            .map(|_| ())
            .map_err(|error| Failure::machine(format!("cannot start a thread that looks at files: {error}")))
    }

    /// Builds after a change, once files rest. Gives what the build came to, and a remark on a file that the server writes, for which it is
    /// not to be started again.
    fn changed(
        &self,
        own: &mut Own,
        seen: &mut Seen,
        now: Seen,
        is_apart: bool,
    ) -> (Option<Built>, Option<String>) {
        let noticed = SystemTime::now();
        let now = self.at_rest(own, now);
        let built = self.run_build(is_apart);
        // What the build wrote is no change.
        let mut changed = differing(seen, &now);
        // The program itself is what is edited.
        changed.retain(|path| !self.files.contains(path));
        *seen = own.without(self.look());
        let written = own.changed(changed, noticed);
        let remark = written.map(|path| {
            format!(
                "'{}' changed soon after each of {STARTS} starts: it seems that the server writes it; it is not watched any more. Name it \
                 in .gitignore, or what is to be watched with --watch",
                one_line(&path.to_string_lossy())
            )
        });
        (built, remark)
    }

    /// The files when they have been as they are for a while.
    fn at_rest(&self, own: &Own, mut now: Seen) -> Seen {
        let mut quiet = Instant::now();
        while quiet.elapsed() < REST {
            std::thread::sleep(LOOK);
            let next = own.without(self.look());
            if next != now {
                (now, quiet) = (next, Instant::now());
            }
        }
        now
    }

    /// Starts the server, where it is not the connection that does, and connects.
    fn start(&self, served: &Arc<Served>, records: &Arc<Records>) -> Result<(), Failure> {
        if let Some(serving) = &self.serving {
            // Its old process ends first: the port is the same.
            served.disconnect();
            serving.start(served.number, records)?;
        }
        served.connect(None)
    }

    /// What has to end with the page.
    pub fn serving(&self) -> Option<Arc<Serving>> {
        self.serving.clone()
    }

    /// Builds before the first of the processes that each run [`Watched::until_change`], and tells them so in a file.
    pub fn build_for(&self, file: &Path) -> Result<(), Failure> {
        self.build()?;
        Kept { own: Own::default(), built: Some(hashed(&self.look())) }.write(file)
    }

    /// Runs the server on the standard streams of this process, in its group, until it ends or its files change. What the next such process
    /// has to know is in a file.
    pub fn until_change(&self, program: &[String], file: &Path) -> Result<(), Failure> {
        let mut kept = Kept::read(file)?;
        let mut seen = kept.own.without(self.look());
        // Files may have changed while no server ran.
        if self.build.is_some() && kept.built != Some(hashed(&seen)) {
            well(self.run_build(false))?;
            seen = kept.own.without(self.look());
        }
        kept.is_built(&seen);
        kept.own.last = Some(SystemTime::now());
        kept.write(file)?;
        let failed = |why: &dyn std::fmt::Display| {
            Failure::unreached(format!("{}: {why}", one_line(&program.join(" "))))
        };
        let (first, words) = program.split_first().ok_or_else(|| failed(&"there is no command"))?;
        let mut child = Command::new(first).args(words).spawn().map_err(|error| failed(&error))?;
        loop {
            if let Some(status) = child.try_wait().map_err(|error| failed(&error))? {
                return if status.success() { Ok(()) } else { Err(failed(&status)) };
            }
            std::thread::sleep(LOOK);
            let now = kept.own.without(self.look());
            if now == seen {
                continue;
            }
            // What ends this process by its group ends the build, too.
            let (built, remark) = self.changed(&mut kept.own, &mut seen, now, false);
            let why = built.filter(|built| !built.is_good).map(|built| {
                format!("the build failed, and the server stays as it was:\n{}", built.output.trim_end())
            });
            let stays = why.is_some() || remark.is_some();
            if why.is_none() {
                seen = kept.own.without(seen);
                kept.is_built(&seen);
            }
            kept.write(file)?;
            why.into_iter().chain(remark).for_each(Screen::said);
            if !stays {
                break;
            }
        }
        // The rest of the group ends with this process.
        let id = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
        end(&mut child, |signal| {
            // It may have ended.
            let _is_there = id.map(|id| rustix::process::kill_process(id, signal));
        })
        .map_err(|error| failed(&error))
    }

    /// Runs the build, in a group of its own or in that of this process.
    fn run_build(&self, is_apart: bool) -> Option<Built> {
        let (program, words) = self.build.as_deref()?.split_first()?;
        let failed = |error: std::io::Error| Built {
            is_good: false,
            output: format!("{}: {error}", one_line(program)),
        };
        let run = || {
            // A file has room for whatever it writes, and the end of it is shown.
            let mut output = tempfile::tempfile()?;
            let mut command = Command::new(program);
            command.args(words).stdin(Stdio::null());
            command.stdout(output.try_clone()?).stderr(output.try_clone()?);
            // What a build starts ends with it, and with this program.
            let (mut child, group) =
                if is_apart { Group::spawn(&mut command)? } else { (command.spawn()?, None) };
            let status = ended(&mut child, group.as_ref())?;
            let length = output.seek(SeekFrom::End(0))?;
            output.seek(SeekFrom::Start(length.saturating_sub(MOST_BYTES)))?;
            let mut bytes = Vec::new();
            output.take(MOST_BYTES).read_to_end(&mut bytes)?;
            Ok(Built { is_good: status.success(), output: String::from_utf8_lossy(&bytes).into_owned() })
        };
        Some(run().unwrap_or_else(failed))
    }

    /// All files that count, with what tells that one has changed.
    fn look(&self) -> Seen {
        let mut seen = Seen::new();
        for file in &self.files {
            note(file, &mut seen);
            let extension = file.extension();
            if let (Some(folder), Some(_)) = (file.parent(), extension) {
                walk(folder, &mut Vec::new(), 0, &mut seen, &|path| path.extension() == extension);
            }
        }
        let wanted = |path: &Path| {
            let path = path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().into_owned();
            self.globs.iter().any(|glob| fits(glob.trim_start_matches("./"), &path))
        };
        if !self.globs.is_empty() {
            walk(&self.root, &mut Vec::new(), 0, &mut seen, &wanted);
        } else if self.build.is_some() {
            // The program is what the build makes.
            let is_source = |path: &Path| !self.files.iter().any(|file| file == path);
            walk(&self.root, &mut Vec::new(), 0, &mut seen, &is_source);
        }
        seen
    }
}

/// Refuses to begin after a build that failed.
fn well(built: Option<Built>) -> Result<(), Failure> {
    match built {
        Some(built) if !built.is_good => {
            Err(Failure::usage(format!("the build of --build failed:\n{}", built.output.trim_end())))
        }
        _ => Ok(()),
    }
}

/// Waits for a program, and ends what is left of its group before its number can be that of another one.
fn ended(child: &mut Child, group: Option<&Group>) -> std::io::Result<ExitStatus> {
    has_ended(child, true)?;
    if let Some(group) = group {
        group.signal(Signal::KILL);
    }
    child.wait()
}

/// A server that serves at a URL, as a program that is started here.
#[derive(Debug)]
pub struct Serving {
    program: Vec<String>,
    addresses: Vec<SocketAddr>,
    running: Mutex<Running>,
}

/// Its process, and whether no other one is to come. One that has ended by itself is not reaped before the rest of its group is ended:
/// until then no other group has its number.
#[derive(Debug, Default)]
struct Running {
    server: Option<(Child, Option<Group>)>,
    is_ending: bool,
}

impl Running {
    fn is_over(&self) -> bool {
        self.server.as_ref().is_none_or(|(child, _)| has_ended(child, false).unwrap_or(true))
    }

    fn end(&mut self) {
        let Some((mut child, group)) = self.server.take() else { return };
        let signal = |signal| {
            if let Some(group) = &group {
                group.signal(signal);
            }
        };
        // It has ended.
        let _status = end(&mut child, signal);
    }
}

/// Ends a program: it is asked to, and has a while for it. It is reaped last: until then no other one has its number.
fn end(child: &mut Child, signal: impl Fn(Signal)) -> std::io::Result<()> {
    signal(Signal::TERM);
    let begin = Instant::now();
    while begin.elapsed() < ENDS && matches!(has_ended(child, false), Ok(false)) {
        std::thread::sleep(LOOK);
    }
    signal(Signal::KILL);
    child.wait().map(|_| ())
}

impl Serving {
    fn new(url: &str, program: &[String]) -> Result<Serving, Failure> {
        let wrong = |why: &str| {
            Failure::usage(format!("--url '{}': {why}", one_line(&mcp::client::without_passwords(url))))
        };
        let (scheme, rest) =
            url.split_once("://").ok_or_else(|| wrong("write a URL, such as http://127.0.0.1:8080/mcp"))?;
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        let port = if scheme == "https" { 443 } else { 80 };
        let is_named = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let place = if is_named { host.to_owned() } else { format!("{host}:{port}") };
        let addresses = place.to_socket_addrs().map_err(|error| wrong(&error.to_string()))?.collect();
        Ok(Serving { program: program.to_vec(), addresses, running: Mutex::default() })
    }

    fn running(&self) -> std::sync::MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the server of before, starts it again, and waits until it listens. What it writes is in the records.
    fn start(&self, number: usize, records: &Arc<Records>) -> Result<(), Failure> {
        let shown = one_line(&self.program.join(" "));
        let failed =
            |why: &dyn std::fmt::Display| Failure::unreached(format!("cannot start '{shown}': {why}"));
        let (first, words) = self.program.split_first().ok_or_else(|| failed(&"there is no command"))?;
        let mut command = Command::new(first);
        command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Under the lock: what ends all waits for it, and then finds it.
        let mut running = self.running();
        running.end();
        if running.is_ending {
            return Err(failed(&"this program ends"));
        }
        let (mut child, group) = Group::spawn(&mut command).map_err(|error| failed(&error))?;
        let streams: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|it| Box::new(it) as _),
            child.stderr.take().map(|it| Box::new(it) as _),
        ];
        for stream in streams.into_iter().flatten() {
            let records = Arc::clone(records);
            std::thread::spawn(move || lines(stream, number, &records));
        }
        running.server = Some((child, group));
        drop(running);
        let begin = Instant::now();
        while begin.elapsed() < LISTENS {
            if self.addresses.iter().any(|address| TcpStream::connect_timeout(address, LOOK).is_ok()) {
                break;
            }
            // What it says of its end is in the records, and the connection says the rest.
            if self.running().is_over() {
                break;
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    /// Ends the server for good.
    pub fn end(&self) {
        let mut running = self.running();
        running.is_ending = true;
        running.end();
    }
}

/// Keeps the lines of a stream, as those of standard error.
fn lines(stream: Box<dyn Read + Send>, number: usize, records: &Records) {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    while matches!(reader.by_ref().take(LINE).read_until(b'\n', &mut line), Ok(1..)) {
        let text = String::from_utf8_lossy(&line);
        records.add(Instant::now(), number, "stderr", "server", &quote(text.trim_end()));
        line.clear();
    }
}

/// The files that are not as they were.
fn differing(before: &Seen, now: &Seen) -> BTreeSet<PathBuf> {
    let changed = now.iter().filter(|(path, known)| before.get(*path) != Some(known));
    changed
        .map(|(path, _)| path)
        .chain(before.keys().filter(|path| !now.contains_key(*path)))
        .cloned()
        .gathered()
}

/// Files that the server writes itself, as a database: each start would lead to the next one.
#[derive(Debug, Default)]
struct Own {
    files: BTreeSet<PathBuf>,
    /// The files that changed after each of the last starts, how many those are, and when the last one was.
    always: BTreeSet<PathBuf>,
    starts: usize,
    last: Option<SystemTime>,
}

impl Own {
    fn without(&self, mut seen: Seen) -> Seen {
        seen.retain(|path, _| !self.files.contains(path));
        seen
    }

    /// Takes what has changed before a start. Gives a file that is watched no longer, where it changed soon after each start.
    fn changed(&mut self, changed: BTreeSet<PathBuf>, now: SystemTime) -> Option<PathBuf> {
        let is_soon = self.last.is_some_and(|last| now.duration_since(last).unwrap_or_default() < SOON);
        self.last = Some(now);
        let same: BTreeSet<PathBuf> = self.always.intersection(&changed).cloned().gathered();
        if !is_soon || same.is_empty() {
            (self.always, self.starts) = (changed, 0);
            return None;
        }
        (self.always, self.starts) = (same, self.starts + 1);
        // The first change of all may have been an edit.
        let path = if self.starts >= STARTS { self.always.pop_first() } else { None }?;
        self.files.insert(path.clone());
        (self.starts, self.last) = (0, None);
        Some(path)
    }
}

/// What tells that files are as they were.
fn hashed(seen: &Seen) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    seen.hash(&mut hasher);
    hasher.finish()
}

/// What one process of `--until-change` tells the next one.
#[derive(Debug, Default)]
struct Kept {
    own: Own,
    /// The files for which there was a build.
    built: Option<u64>,
}

impl Kept {
    fn is_built(&mut self, seen: &Seen) {
        self.built = Some(hashed(seen));
    }

    fn read(file: &Path) -> Result<Kept, Failure> {
        let failed = |why: &dyn std::fmt::Display| {
            Failure::machine(format!(
                "cannot read '{}', which the last start of the server left for this one: {why}; start mcp dev again",
                one_line(&file.to_string_lossy())
            ))
        };
        let text = std::fs::read_to_string(file).map_err(|error| failed(&error))?;
        let value: Value = serde_json::from_str(&text).map_err(|error| failed(&error))?;
        let paths = |name: &str| -> BTreeSet<PathBuf> {
            let paths = value[name].as_array().into_iter().flatten().filter_map(Value::as_array);
            let bytes =
                |path: &Vec<Value>| path.iter().filter_map(|it| u8::try_from(it.as_u64()?).ok()).collect();
            paths.map(|path| PathBuf::from(OsString::from_vec(bytes(path)))).gathered()
        };
        let last = value["last"].as_u64().map(|millis| UNIX_EPOCH + Duration::from_millis(millis));
        let starts =
            value["starts"].as_u64().and_then(|starts| usize::try_from(starts).ok()).unwrap_or_default();
        let own = Own { files: paths("files"), always: paths("always"), starts, last };
        Ok(Kept { own, built: value["built"].as_u64() })
    }

    fn write(&self, file: &Path) -> Result<(), Failure> {
        // A name need not be text.
        let paths = |paths: &BTreeSet<PathBuf>| -> Vec<Value> {
            paths.iter().map(|path| json!(path.as_os_str().as_bytes())).collect()
        };
        let last = self.own.last.and_then(|last| last.duration_since(UNIX_EPOCH).ok());
        let last = last.and_then(|last| u64::try_from(last.as_millis()).ok());
        let Own { files, always, starts, .. } = &self.own;
        let value = json!({
            "files": paths(files), "always": paths(always), "starts": starts, "last": last, "built": self.built,
        });
        std::fs::write(file, value.to_string()).map_err(|error| {
            Failure::machine(format!("'{}' cannot be written: {error}", one_line(&file.to_string_lossy())))
        })
    }
}

fn note(path: &Path, seen: &mut Seen) {
    let known = path.metadata().ok();
    let known = known.map_or((None, 0), |known| (known.modified().ok(), known.len()));
    seen.insert(path.to_owned(), known);
}

/// Looks at the files below a folder that are wanted and that no `.gitignore` names.
fn walk(
    folder: &Path,
    ignored: &mut Vec<(PathBuf, String)>,
    depth: usize,
    seen: &mut Seen,
    wanted: &dyn Fn(&Path) -> bool,
) {
    // A folder that cannot be read has nothing that changes.
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let before = ignored.len();
    let mut text = String::new();
    if let Ok(file) = std::fs::File::open(folder.join(".gitignore"))
        && file.take(MOST_BYTES).read_to_string(&mut text).is_ok()
    {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        ignored.extend(lines.map(|line| (folder.to_owned(), line.to_owned())));
    }
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if seen.len() >= FILES {
            break;
        }
        if name.starts_with('.') || is_ignored(&path, kind.is_dir(), ignored) {
            continue;
        }
        // A link to a folder may lead in a circle.
        if kind.is_dir() && depth < DEPTH && !SKIPPED.contains(&&*name) {
            walk(&path, ignored, depth + 1, seen, wanted);
        } else if kind.is_file() && wanted(&path) {
            note(&path, seen);
        }
    }
    ignored.truncate(before);
}

/// Whether the last rule that fits a path excludes it.
fn is_ignored(path: &Path, is_folder: bool, rules: &[(PathBuf, String)]) -> bool {
    let mut is_out = false;
    for (folder, rule) in rules {
        let (rule, is_again) = rule.strip_prefix('!').map_or((rule.as_str(), false), |rule| (rule, true));
        let (rule, of_folders) = rule.strip_suffix('/').map_or((rule, false), |rule| (rule, true));
        let Ok(below) = path.strip_prefix(folder) else { continue };
        let below = below.to_string_lossy();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_it = match rule.trim_start_matches('/') {
            whole if rule.contains('/') => fits(whole, &below),
            word => fits(word, &name),
        };
        if is_it && (is_folder || !of_folders) {
            is_out = !is_again;
        }
    }
    is_out
}

/// Whether a path is what a pattern means: `*` within a name, `**` for any number of folders.
fn fits(pattern: &str, path: &str) -> bool {
    let patterns: Vec<&str> = pattern.split('/').collect();
    let parts: Vec<&str> = path.split('/').collect();
    // Row by row: which beginnings of the path each beginning of the pattern fits.
    let mut row: Vec<bool> = std::iter::once(true).chain(parts.iter().map(|_| false)).collect();
    for one in patterns {
        let mut next = vec![false; row.len()];
        for at in 0..row.len() {
            next[at] = match one {
                "**" => row[at] || (at > 0 && next[at - 1]),
                _ => at > 0 && row[at - 1] && mcp::client::matches_name(one, parts[at - 1]),
            };
        }
        row = next;
    }
    row.last() == Some(&true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l2_patterns_name_files_below_folders() {
        for (pattern, path, is_it) in [
            ("src/**/*.py", "src/a.py", true),
            ("src/**/*.py", "src/a/b/c.py", true),
            ("src/**/*.py", "other/a.py", false),
            ("*.py", "a.py", true),
            ("*.py", "src/a.py", false),
            ("**/*.py", "a.py", true),
            ("src/**", "src/a/b", true),
            ("src", "src/a", false),
        ] {
            assert_eq!(fits(pattern, path), is_it, "{pattern} {path}");
        }
        let folder = Path::new("/r");
        let rules = |list: &[&str]| -> Vec<(PathBuf, String)> {
            list.iter().map(|rule| (folder.to_owned(), (*rule).to_owned())).collect()
        };
        for (list, path, is_folder, is_out) in [
            (&["*.log"][..], "/r/a/b.log", false, true),
            (&["*.log", "!keep.log"], "/r/keep.log", false, false),
            (&["out/"], "/r/out", true, true),
            (&["out/"], "/r/out", false, false),
            (&["/a"], "/r/b/a", false, false),
            (&["/a"], "/r/a", false, true),
            (&["a/*.txt"], "/r/a/x.txt", false, true),
        ] {
            assert_eq!(is_ignored(Path::new(path), is_folder, &rules(list)), is_out, "{list:?} {path}");
        }
    }

    #[test]
    fn l2_a_file_that_the_server_writes_is_named_and_watched_no_longer() {
        let begin = SystemTime::now();
        let at = |seconds: u64| begin + Duration::from_secs(seconds);
        let files = |names: &[&str]| names.iter().map(PathBuf::from).collect::<BTreeSet<_>>();
        let mut own = Own::default();
        // Edits, also of one file again and again, are no such thing.
        for (names, time) in [(["a"], 0), (["a"], 10), (["a"], 20), (["a"], 30), (["a"], 40), (["b"], 41)] {
            assert_eq!(own.changed(files(&names), at(time)), None);
        }
        // An edit, and then what the server writes at each start.
        let mut named = Vec::new();
        for (names, time) in [
            (&["a"][..], 50),
            (&["log"], 51),
            (&["log", "a"], 52),
            (&["log"], 53),
            (&["log"], 54),
            (&["b"], 55),
        ] {
            named.extend(own.changed(files(names), at(time)));
        }
        assert_eq!(named, [PathBuf::from("log")]);
        let seen: Seen = ["a", "log"].iter().map(|name| (PathBuf::from(name), (None, 0))).collect();
        assert_eq!(own.without(seen).into_keys().collect::<Vec<_>>(), [PathBuf::from("a")]);
        let before = Seen::from([(PathBuf::from("a"), (None, 1)), (PathBuf::from("gone"), (None, 1))]);
        let now = Seen::from([(PathBuf::from("a"), (None, 2)), (PathBuf::from("new"), (None, 1))]);
        assert_eq!(differing(&before, &now), files(&["a", "gone", "new"]));
    }

    #[test]
    fn l2_the_next_process_knows_what_the_last_one_knew() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        assert!(Kept::read(file.path()).is_err());
        let begin = UNIX_EPOCH + Duration::from_secs(1_000_000);
        let log = PathBuf::from(OsString::from_vec(b"log \xff".to_vec()));
        Kept::default().write(file.path()).expect("written");
        // Each start is of another process, which knows what the file has.
        let named = (0..10).find_map(|second| {
            let mut kept = Kept::read(file.path()).expect("read");
            let named = kept.own.changed(BTreeSet::from([log.clone()]), begin + Duration::from_secs(second));
            kept.is_built(&Seen::from([(log.clone(), (None, second))]));
            kept.write(file.path()).expect("written");
            named.map(|path| (path, second))
        });
        assert_eq!(named, Some((log.clone(), STARTS as u64)));
        let kept = Kept::read(file.path()).expect("read");
        assert_eq!(kept.own.files, BTreeSet::from([log.clone()]));
        assert_eq!(kept.built, Some(hashed(&Seen::from([(log.clone(), (None, STARTS as u64))]))));
        assert_ne!(kept.built, Some(hashed(&Seen::from([(log, (None, 0))]))));
    }

    #[test]
    fn l2_what_is_watched_is_the_program_and_sources_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["lib", "node_modules", "out"] {
            std::fs::create_dir(at(name)).expect("made");
        }
        for name in
            ["server.py", "lib/more.py", "lib/more.txt", "node_modules/x.py", "out/x.py", ".hidden.py"]
        {
            std::fs::write(at(name), "1").expect("written");
        }
        std::fs::write(at(".gitignore"), "# made\nout/\n").expect("written");
        let mut watched = Watched {
            root: folder.path().to_owned(),
            globs: Vec::new(),
            files: vec![at("server.py")],
            build: None,
            serving: None,
        };
        let names = |seen: &Seen| -> Vec<String> {
            seen.keys()
                .map(|path| path.strip_prefix(folder.path()).expect("below").display().to_string())
                .collect()
        };
        let before = watched.look();
        assert_eq!(names(&before), ["lib/more.py", "server.py"]);
        assert_eq!(watched.look(), before);
        std::fs::write(at("lib/more.py"), "12").expect("written");
        assert_ne!(watched.look(), before);
        watched.globs = vec!["lib/*.txt".to_owned()];
        assert_eq!(names(&watched.look()), ["lib/more.py", "lib/more.txt", "server.py"]);
        watched.globs.clear();
        watched.build = Some(vec!["true".to_owned()]);
        watched.files = vec![at("lib/more.txt")];
        assert!(!watched.look().contains_key(&at("out/x.py")));
    }

    #[test]
    fn l2_a_build_that_fails_says_what_it_wrote() {
        let with = |words: &[&str]| Watched {
            root: PathBuf::new(),
            globs: Vec::new(),
            files: Vec::new(),
            build: Some(words.iter().map(|word| (*word).to_owned()).collect()),
            serving: None,
        };
        assert!(with(&["true"]).build().is_ok());
        let why = with(&["sh", "-c", "echo wrong here; exit 3"]).build().expect_err("failed").text();
        assert!(why.contains("wrong here"), "{why}");
        assert!(with(&["/nonexistent"]).build().is_err());
        // A build that leaves a program behind takes no longer for that.
        let left = with(&["sh", "-c", "sleep 600 & echo $!"]).run_build(true).expect("run").output;
        let left = left.trim().parse().ok().and_then(rustix::process::Pid::from_raw).expect("a number");
        let gone = || rustix::process::test_kill_process(left).is_err() || is_zombie(left);
        let begin = Instant::now();
        while !gone() && begin.elapsed() < Duration::from_secs(10) {
            std::thread::yield_now();
        }
        assert!(gone());
        let long = with(&["sh", "-c", "head -c 200000 /dev/zero | tr '\\0' x; echo end; exit 1"]);
        let built = long.run_build(true).expect("run");
        assert!(built.output.len() as u64 <= MOST_BYTES && built.output.ends_with("end\n"));
    }

    /// Whether a program has ended and waits for the one that takes its state.
    fn is_zombie(pid: rustix::process::Pid) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
        stat.is_ok_and(|stat| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z')))
    }

    #[test]
    fn l2_a_server_at_a_url_is_started_ended_and_heard() {
        let records = Arc::new(Records::default());
        let program = ["sh", "-c", "echo here; exec sleep 600"].map(str::to_owned);
        // Discard: no program listens there, so that the wait ends with the program or its time.
        assert!(Serving::new("nonsense", &program).is_err());
        let short = ["sh", "-c", "echo here; exit 3"].map(str::to_owned);
        let serving = Serving::new("http://127.0.0.1:9/mcp", &short).expect("made");
        serving.start(7, &records).expect("started");
        let begin = Instant::now();
        while !records.file("x", 0).expect("read").contains("here")
            && begin.elapsed() < Duration::from_secs(10)
        {
            std::thread::yield_now();
        }
        let file = records.file("x", 0).expect("read");
        // No other process has its number before its group is ended.
        let id = serving.running().server.as_ref().map(|(child, _)| child.id().cast_signed());
        assert!(id.and_then(rustix::process::Pid::from_raw).is_some_and(is_zombie));
        assert!(file.contains("\"server\":7,\"kind\":\"stderr\"") && file.contains("\"here\""), "{file}");
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/mcp", listener.local_addr().expect("known"));
        let serving = Serving::new(&url, &program).expect("made");
        serving.start(0, &records).expect("started");
        let id = || serving.running().server.as_ref().map(|(child, _)| child.id());
        let first = id();
        serving.start(0, &records).expect("started again");
        assert_ne!(id(), first);
        serving.end();
        assert_eq!(id(), None);
        // The thread that starts it may come later than the end.
        assert!(serving.start(0, &records).is_err_and(|why| why.text().contains("this program ends")));
        assert_eq!(id(), None);
    }
}
