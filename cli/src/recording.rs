//! Files of `trace --to`, `bridge --trace` and `replay`: what was spoken, one JSON object a line, without secrets.
//!
//! The first line says what made the file: `{"trace":1,"program":"mcp 0.1.0","server":"…","began":milliseconds since 1970}`. Each other
//! one is a record: `{"t":milliseconds since the begin,"kind":…,"from":…,"data":…}`.

use crate::failure::Failure;
use crate::folders;
use crate::output::one_line;
use crate::redact;
use mcp::client::json_text::{member, quote, string};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The form of the file.
const VERSION: &str = "1";
/// What a file has at most before the next one begins.
pub const MOST_BYTES: u64 = 64 << 20;
/// The most bytes of a file that is read.
const MOST_READ: u64 = 256 << 20;

/// A file that is written.
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    server: String,
    file: File,
    bytes: u64,
    most: u64,
    begin: Instant,
    records: u64,
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
    fn as_str(self) -> &'static str {
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
    /// Makes the file, which only this user may read. What was there under its name has `.1` behind it from now on.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn create(path: &Path, server: &str) -> Result<Recording, Failure> {
        Recording::create_with(path, server, MOST_BYTES)
    }

    fn create_with(path: &Path, server: &str, most: u64) -> Result<Recording, Failure> {
        let server = mcp::client::without_passwords(server).into_owned();
        let (file, bytes) = begin(path, &server).map_err(|error| cannot(path, &error))?;
        Ok(Recording { path: path.to_owned(), server, file, bytes, most, begin: Instant::now(), records: 0 })
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
            "{{\"t\":{ms:.3},\"kind\":\"{}\",\"from\":\"{from}\"{session},\"data\":{data}}}\n",
            kind.as_str()
        );
        let size = line.len() as u64;
        if self.bytes + size > self.most && self.records > 0 {
            (self.file, self.bytes) =
                begin(&self.path, &self.server).map_err(|error| cannot(&self.path, &error))?;
            self.records = 0;
        }
        self.file.write_all(line.as_bytes()).map_err(|error| cannot(&self.path, &error))?;
        self.bytes += size;
        self.records += 1;
        Ok(())
    }
}

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    Failure::machine(format!(
        "the trace {} cannot be written: {error}",
        one_line(&path.display().to_string())
    ))
}

/// A file with its first line. It is a new one: no file or link that another user put there is written to.
fn begin(path: &Path, server: &str) -> std::io::Result<(File, u64)> {
    if path.symlink_metadata().is_ok_and(|about| about.is_file()) {
        std::fs::rename(path, before(path))?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let line = format!(
        "{{\"trace\":{VERSION},\"program\":\"mcp {}\",\"server\":{},\"began\":{began}}}\n",
        env!("CARGO_PKG_VERSION"),
        quote(server)
    );
    file.write_all(line.as_bytes())?;
    Ok((file, line.len() as u64))
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
    pub kind: String,
    pub from: String,
    pub session: Option<u64>,
    /// JSON text.
    pub data: String,
}

/// Reads a file.
///
/// # Errors
/// It is not there, or not a trace: with the line.
pub fn read(path: &Path) -> Result<Vec<Record>, Failure> {
    let shown = one_line(&path.display().to_string());
    let text = folders::read(path, MOST_READ)?.ok_or_else(|| {
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
        let word = |name: &str| member(line, name).and_then(string).map(std::borrow::Cow::into_owned);
        records.push(Record {
            kind: word("kind").ok_or_else(|| at("it has no \"kind\""))?,
            from: word("from").ok_or_else(|| at("it has no \"from\""))?,
            session: member(line, "session").and_then(|it| it.parse().ok()),
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
            assert_eq!(std::fs::read_to_string(&other).expect("there"), "mine");
        }
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
