//! Files of `trace --to`, `bridge --trace` and `replay`: what was spoken, one JSON object a line, without secrets.
//!
//! The first line says what made the file: `{"trace":1,"program":"mcp 0.1.0","server":"…","began":milliseconds since 1970}`. Each other
//! one is a record: `{"t":milliseconds since the begin,"run":process,"kind":…,"from":…,"data":…}`. A file that is there gets further
//! lines, also of several processes at one time; each begins with a line that says what it is.

use crate::failure::Failure;
use crate::folders;
use crate::output::one_line;
use crate::redact;
use mcp::client::json_text::{member, quote, string};
use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use rustix::io::Errno;
#[cfg(feature = "page")]
use std::collections::VecDeque;
use std::fs::{File, Permissions};
use std::io::Write as _;
#[cfg(feature = "page")]
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::{FileExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The form of the file.
const VERSION: &str = "1";
/// What a file has at most before the next one begins.
pub const MOST_BYTES: u64 = 64 << 20;
/// What is read of a file to find its first line.
const FIRST_LINE: usize = 64 << 10;
/// How often a file is opened that another process replaces meanwhile.
const TRIES: usize = 100;
/// What is waited for another process that writes, and how often it is looked.
const PATIENCE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(1);
/// The most bytes of a file that is read.
const MOST_READ: u64 = 256 << 20;

/// A file that is written.
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    server: String,
    file: File,
    /// The length at which it has nothing but a first line of this process.
    empty: u64,
    /// How many records were written by this value.
    records: u64,
    most: u64,
    begin: Instant,
}

/// What a record is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A message of the protocol.
    Message,
    /// An exchange of HTTP.
    Http,
    /// A line of the server's standard error.
    Stderr,
    /// A text where a message should be.
    Text,
    /// Messages that came too quickly: how many.
    Lost,
}

impl What {
    /// The word for it in a file.
    pub fn as_str(self) -> &'static str {
        match self {
            What::Message => "message",
            What::Http => "http",
            What::Stderr => "stderr",
            What::Text => "text",
            What::Lost => "lost",
        }
    }
}

impl Recording {
    /// Begins to write at the end of a trace, or makes the file, which only this user may read.
    ///
    /// # Errors
    /// It cannot be written, or is there and is no trace.
    pub fn create(path: &Path, server: &str) -> Result<Recording, Failure> {
        Recording::create_with(path, server, MOST_BYTES)
    }

    fn create_with(path: &Path, server: &str, most: u64) -> Result<Recording, Failure> {
        let server = mcp::client::without_passwords(server).into_owned();
        let (file, empty) = begin(path, &server)?;
        // The lock ends with the record: other processes write, too.
        flock(&file, FlockOperation::Unlock).map_err(|error| cannot(path, &error.into()))?;
        Ok(Recording { path: path.to_owned(), server, file, empty, records: 0, most, begin: Instant::now() })
    }

    /// Writes a message, or the text that stands in its place. `session` tells clients of a bridge apart.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn frame(
        &mut self,
        at: Instant,
        from: &str,
        session: Option<u64>,
        text: &str,
    ) -> Result<(), Failure> {
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        match is_json {
            true => self.record(at, What::Message, from, session, &redact::message(text)),
            false => self.record(at, What::Text, from, session, &redact::message(&quote(text))),
        }
    }

    /// Writes a record; `data` is JSON text without secrets.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn record(
        &mut self,
        at: Instant,
        kind: What,
        from: &str,
        session: Option<u64>,
        data: &str,
    ) -> Result<(), Failure> {
        let ms = at.saturating_duration_since(self.begin).as_secs_f64() * 1000.0;
        let session = session.map_or_else(String::new, |session| format!(",\"session\":{session}"));
        let line = format!(
            "{{\"t\":{ms:.3},\"run\":{},\"kind\":\"{}\",\"from\":\"{from}\"{session},\"data\":{data}}}\n",
            std::process::id(),
            kind.as_str()
        );
        self.append(&line)
    }

    /// Writes a line, at the end of a new file if there is no room for it.
    fn append(&mut self, line: &str) -> Result<(), Failure> {
        lock(&self.file).map_err(|error| cannot(&self.path, &error))?;
        let written = self.append_locked(line);
        flock(&self.file, FlockOperation::Unlock).map_err(|error| cannot(&self.path, &error.into()))?;
        written
    }

    fn append_locked(&mut self, line: &str) -> Result<(), Failure> {
        let failed = |error: std::io::Error| cannot(&self.path, &error);
        let is_full = |file: &File, empty| {
            let length = file.metadata()?.len();
            Ok(length > empty && length + line.len() as u64 > self.most)
        };
        let is_there = is_at(&self.file, &self.path);
        if is_there && is_full(&self.file, self.empty).map_err(failed)? {
            make_room(&self.path)?;
        }
        // It was moved now, or by another process.
        if !is_at(&self.file, &self.path) {
            (self.file, self.empty) = begin(&self.path, &self.server)?;
        }
        self.file.write_all(line.as_bytes()).map_err(|error| cannot(&self.path, &error))?;
        self.records += 1;
        Ok(())
    }

    /// What this value has written, for a file of its own: the records as lines, with those of the file before, up to `most` bytes, and how
    /// many older or longer ones are left out.
    ///
    /// # Errors
    /// The file cannot be read.
    #[cfg(feature = "page")]
    pub fn last(&self, most: u64) -> Result<(String, u64), Failure> {
        let failed = |error: std::io::Error| {
            let shown = one_line(&self.path.display().to_string());
            Failure::machine(format!("the trace {shown} cannot be read: {error}"))
        };
        let (mut lines, mut length) = (VecDeque::new(), 0);
        for path in [before(&self.path), self.path.clone()] {
            let file = match File::open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(failed(error)),
            };
            let mut file = BufReader::new(file);
            loop {
                let mut line = Vec::new();
                let count = file.by_ref().take(most + 1).read_until(b'\n', &mut line).map_err(failed)? as u64;
                if count == 0 {
                    break;
                }
                if count > most {
                    if !line.ends_with(b"\n") {
                        file.skip_until(b'\n').map_err(failed)?;
                    }
                    continue;
                }
                let line = String::from_utf8_lossy(&line).into_owned();
                // What begins each file.
                if member(&line, "kind").is_none() {
                    continue;
                }
                length += line.len() as u64;
                lines.push_back(line);
                while length > most
                    && let Some(oldest) = lines.pop_front()
                {
                    length -= oldest.len() as u64;
                }
            }
        }
        let left_out = self.records.saturating_sub(lines.len() as u64);
        let mut text = String::new();
        while let Some(line) = lines.pop_front() {
            text.push_str(&line);
        }
        Ok((text, left_out))
    }
}

/// Locks a file for as long as a line is written, which other processes do, too.
fn lock(file: &File) -> std::io::Result<()> {
    let until = Instant::now() + PATIENCE;
    loop {
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(()),
            Err(Errno::WOULDBLOCK | Errno::INTR) if Instant::now() < until => std::thread::sleep(LOOK),
            Err(Errno::WOULDBLOCK) => {
                return Err(std::io::Error::other("another process keeps it locked"));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    Failure::machine(format!(
        "the trace {} cannot be written: {error}",
        one_line(&path.display().to_string())
    ))
}

/// Opens a file at its end, locked, with a line that says what follows; gives its length if this is all that it has. A link is not
/// followed, and no file is written to that is no trace or that another user put there.
fn begin(path: &Path, server: &str) -> Result<(File, u64), Failure> {
    let failed = |error: std::io::Error| cannot(path, &error);
    let flags = OFlags::RDWR
        | OFlags::APPEND
        | OFlags::CREATE
        | OFlags::NOFOLLOW
        | OFlags::NONBLOCK
        | OFlags::CLOEXEC;
    for _ in 0..TRIES {
        let mut file =
            File::from(open(path, flags, Mode::RUSR | Mode::WUSR).map_err(|error| failed(error.into()))?);
        lock(&file).map_err(failed)?;
        if !is_at(&file, path) {
            continue;
        }
        let about = file.metadata().map_err(failed)?;
        if about.len() > 0 && !is_trace(&file)
            || !about.is_file()
            || about.uid() != rustix::process::geteuid().as_raw()
        {
            return Err(no_trace(path));
        }
        file.set_permissions(Permissions::from_mode(0o600)).map_err(failed)?;
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        // The last line of a process that was killed may have no end.
        let mut last = [b'\n'];
        file.read_at(&mut last, about.len().saturating_sub(1)).map_err(failed)?;
        let beginning = if last == [b'\n'] { "" } else { "\n" };
        let line = format!("{beginning}{}", first_line(server, began));
        file.write_all(line.as_bytes()).map_err(failed)?;
        return Ok((file, if about.len() == 0 { line.len() as u64 } else { 0 }));
    }
    Err(failed(std::io::Error::other("other processes replace it all the time")))
}

/// The line that says what follows. `began` is in milliseconds since 1970.
pub fn first_line(server: &str, began: u128) -> String {
    format!(
        "{{\"trace\":{VERSION},\"program\":\"mcp {}\",\"server\":{},\"began\":{began}}}\n",
        env!("CARGO_PKG_VERSION"),
        quote(server)
    )
}

/// Gives the full file the name of the one before. What is there under this name and is no trace stays.
fn make_room(path: &Path) -> Result<(), Failure> {
    let before = before(path);
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    match open(&before, flags, Mode::empty()).map(File::from) {
        Err(Errno::NOENT) => {}
        Ok(file) if is_trace(&file) => {}
        _ => return Err(no_trace(&before)),
    }
    std::fs::rename(path, before).map_err(|error| cannot(path, &error))
}

/// Whether a file has this name still.
fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(file), Ok(there)) = (file.metadata(), path.symlink_metadata()) else { return false };
    (file.dev(), file.ino()) == (there.dev(), there.ino())
}

/// Whether a file begins as a trace does.
fn is_trace(file: &File) -> bool {
    let mut text = vec![0; FIRST_LINE];
    let length = file.read_at(&mut text, 0).unwrap_or_default();
    let text = String::from_utf8_lossy(text.get(..length).unwrap_or_default());
    text.lines().next().is_some_and(|first| records(first).is_ok())
}

/// Whether there is a trace at this path.
#[cfg(feature = "page")]
pub fn is_at_path(path: &Path) -> bool {
    path.is_file() && File::open(path).is_ok_and(|file| is_trace(&file))
}

fn no_trace(path: &Path) -> Failure {
    let shown = one_line(&path.display().to_string());
    Failure::usage(format!("{shown} is there and is no trace of this user: move it, or give another file"))
}

/// What the file before has as its name.
fn before(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".1");
    PathBuf::from(name)
}

/// A record as it is read.
#[derive(Debug)]
pub struct Record {
    /// Milliseconds since the begin.
    pub t: f64,
    pub kind: String,
    pub from: String,
    pub session: Option<u64>,
    /// The process that wrote it.
    pub run: Option<u64>,
    /// JSON text.
    pub data: String,
}

/// Reads a file.
///
/// # Errors
/// It is not there, or not a trace: with the line.
pub fn read(path: &Path) -> Result<Vec<Record>, Failure> {
    let shown = one_line(&path.display().to_string());
    let text = folders::read_given(path, MOST_READ)?.ok_or_else(|| {
        Failure::usage(format!("{shown} is not there; `mcp trace TARGET --to {shown}` makes it"))
    })?;
    records(&text).map_err(|why| Failure::usage(format!("{shown} is not a trace: {why}")))
}

fn records(text: &str) -> Result<Vec<Record>, String> {
    let mut lines = text.lines().enumerate();
    let first = lines.next().map(|(_, line)| line).unwrap_or_default();
    match member(first, "trace") {
        Some(VERSION) => {}
        Some(other) => {
            return Err(format!("its form is {}, and this program knows {VERSION}", one_line(other)));
        }
        None => return Err("its first line has no member \"trace\"".to_owned()),
    }
    let mut records = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let at = |what: &str| format!("line {}: {what}", number + 1);
        let _valid: serde::de::IgnoredAny =
            serde_json::from_str(line).map_err(|error| at(&format!("it is not valid JSON: {error}")))?;
        if member(line, "trace") == Some(VERSION) && member(line, "kind").is_none() {
            continue;
        }
        let number = |name: &str| member(line, name).and_then(|it| it.parse().ok());
        let word = |name: &str| member(line, name).and_then(string).map(std::borrow::Cow::into_owned);
        records.push(Record {
            t: member(line, "t").and_then(|it| it.parse().ok()).unwrap_or_default(),
            kind: word("kind").ok_or_else(|| at("it has no \"kind\""))?,
            from: word("from").ok_or_else(|| at("it has no \"from\""))?,
            session: number("session"),
            run: number("run"),
            data: member(line, "data").ok_or_else(|| at("it has no \"data\""))?.to_owned(),
        });
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c30_what_is_written_is_read_again_without_secrets() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.jsonl");
        let mut file = Recording::create(&path, "https://u:s3cret@x/").expect("made");
        let now = Instant::now();
        for text in [
            r#"{"id":1,"method":"tools/call","params":{"arguments":{"auth":"s3cret","token":{"a":"s3cret"}}}}"#,
            r#"{"params":{"uri":"https://u:s3cret@x/?api_key=s3cret&page=2"}}"#,
            r#"{"text":"see https://x/?access_token=s3cret and go on"}"#,
            r#"{"headers":{"Authorization":"s3cret","Cookie":"s3cret"}}"#,
            "no JSON, Bearer s3crets3crets3crets3cret",
        ] {
            file.frame(now, "client", Some(7), text).expect("written");
        }
        file.record(now, What::Stderr, "server", None, "\"x\"").expect("written");
        let text = std::fs::read_to_string(&path).expect("there");
        assert!(!text.contains("s3cret"), "{text}");
        assert!(text.contains("page=2") && text.contains("and go on"), "{text}");
        let records = read(&path).expect("a trace");
        assert_eq!(records.len(), 6);
        assert_eq!((records[0].kind.as_str(), records[0].session), ("message", Some(7)));
        assert_eq!((records[4].kind.as_str(), records[5].kind.as_str()), ("text", "stderr"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::metadata(&path).expect("there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn c32_a_file_over_its_size_makes_room_for_a_new_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.jsonl");
        let mut file = Recording::create_with(&path, "x", 2000).expect("made");
        let text = format!("{{\"x\":\"{}\"}}", "y".repeat(500));
        for _ in 0..20 {
            file.frame(Instant::now(), "client", None, &text).expect("written");
        }
        let names: Vec<String> = std::fs::read_dir(folder.path())
            .expect("there")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
            .collect();
        assert_eq!(names.len(), 2, "{names:?}");
        for name in names {
            let path = folder.path().join(name);
            assert!(std::fs::metadata(&path).expect("there").len() <= 2000);
            assert!(!read(&path).expect("a trace").is_empty());
        }
        #[cfg(unix)]
        {
            let other = folder.path().join("other");
            std::fs::write(&other, "mine").expect("written");
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(&other, &link).expect("made");
            assert!(Recording::create(&link, "x").is_err(), "a link is not followed");
            let why = Recording::create(&other, "x").expect_err("refused").text();
            assert!(why.contains("other is there and is no trace"), "{why}");
            std::fs::write(before(&path), "mine").expect("written");
            let written = (0..5).try_for_each(|_| file.frame(Instant::now(), "client", None, &text));
            let why = written.expect_err("refused").text();
            assert!(why.contains("t.jsonl.1 is there and is no trace"), "{why}");
            for file in [other, before(&path)] {
                assert_eq!(std::fs::read_to_string(file).expect("there"), "mine");
            }
        }
    }

    #[test]
    #[cfg(feature = "page")]
    fn what_was_written_is_had_up_to_a_bound_and_the_rest_is_counted() {
        let long = 40;
        for (records, file, most, left) in [
            (3, 100_000, 100_000, 3),
            // With the file before it, whole.
            (20, 2000, 100_000, 5),
            (20, 2000, 700, 1),
            (20, 2000, 10, 0),
            // One that is longer than a file, and one that is longer than all that may be had.
            (1, 300, 100_000, 1),
            (long, 300, 700, 1),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let mut trace = Recording::create_with(&folder.path().join("t.jsonl"), "x", file).expect("made");
            for number in 0..records {
                let size = if records == long && number == long - 2 { 1000 } else { 500 };
                let text = format!("{{\"n\":{number},\"x\":\"{}\"}}", "y".repeat(size));
                trace.frame(Instant::now(), "client", None, &text).expect("written");
            }
            let (text, left_out) = trace.last(most).expect("read");
            let shown = text.lines().count() as u64;
            assert_eq!((shown, shown + left_out), (left, records), "{records} {file} {most}");
            assert!(text.len() as u64 <= most && text.lines().all(|line| member(line, "kind").is_some()));
            let is_last =
                text.lines().last().is_none_or(|line| line.contains(&format!("\"n\":{},", records - 1)));
            assert!(is_last, "the newest stay: {text}");
        }
    }

    #[test]
    fn c32_those_who_write_to_one_file_lose_nothing_of_one_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.jsonl");
        let text = |writer: usize, number: usize| format!("{{\"x\":\"{writer}.{number}\"}}");
        let writers = (0..4).map(|writer| {
            let path = path.clone();
            std::thread::spawn(move || {
                // The limit is reached once.
                let mut file = Recording::create_with(&path, "x", 3000).expect("made");
                for number in 0..12 {
                    file.frame(Instant::now(), "client", None, &text(writer, number)).expect("written");
                }
            })
        });
        writers.collect::<Vec<_>>().into_iter().for_each(|writer| writer.join().expect("ended"));
        let both = [before(&path), path].map(|path| read(&path).expect("a trace"));
        let mut all: Vec<&str> = both.iter().flatten().map(|record| record.data.as_str()).collect();
        assert_eq!(all.len(), 48);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 48);
        assert!(both.iter().flatten().all(|record| record.run == Some(std::process::id().into())));
    }

    #[test]
    fn c31_what_is_no_trace_is_refused_with_the_line() {
        for (text, why) in [
            ("", "no member \"trace\""),
            ("{\"trace\":2}", "its form is 2"),
            ("{\"trace\":1}\n{", "line 2: it is not valid JSON"),
            ("{\"trace\":1}\n\n{\"kind\":\"message\"}", "line 3: it has no \"from\""),
        ] {
            let said = records(text).expect_err("refused");
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
