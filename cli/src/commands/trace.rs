//! `trace`: every message to and from a server, with times and without secrets.

use super::{calls, lists};
use crate::arguments::{Common, Format, Trace};
use crate::bridge::without;
use crate::failure::Failure;
use crate::output::{FAINT, STRONG, Screen, indented, one_line, styled, text};
use crate::questions::Questions;
use crate::recording::{Recording, What};
use crate::redact;
use crate::session::Session;
use crate::target::split;
use crate::values;
use mcp::client::json_text::{member, quote, string};
use mcp::client::{Level, set_frame_listener, set_logger};
use serde_json::Map;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// How much of a message is shown on a line where the width does not matter.
const BEGINNING: usize = 2000;

/// Where the messages go.
#[derive(Clone)]
struct Sink {
    screen: Screen,
    begin: Instant,
    is_full: bool,
    /// The file of `--to`.
    file: Option<Arc<Mutex<Recording>>>,
    /// The first failure of writing, which is handed over by the thread of the library.
    failed: Arc<Mutex<Option<Failure>>>,
}

/// Something that is shown.
struct Shown<'a> {
    at: Instant,
    what: What,
    is_sent: bool,
    text: &'a str,
}

impl Sink {
    fn take(&self, shown: &Shown<'_>) {
        let from = if shown.is_sent { "client" } else { "server" };
        let written = match (&self.file, shown.what) {
            (Some(file), what) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                match what {
                    What::Message | What::Text => file.frame(shown.at, from, None, shown.text),
                    what => file.record(shown.at, what, from, None, &redact::message(shown.text)),
                }
            }
            (None, What::Message | What::Text) => {
                write(self.screen, self.ms(shown.at), shown.is_sent, shown.text, self.is_full)
            }
            (None, What::Http) => write_exchange(self.screen, self.ms(shown.at), shown.text, self.is_full),
            (None, What::Stderr) => write_stderr(self.screen, self.ms(shown.at), shown.text),
            (None, What::Lost) => {
                Screen::said(format!("{} messages are not shown: they came too quickly", shown.text));
                Ok(())
            }
        };
        if let Err(failure) = written {
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
        }
    }

    fn ms(&self, at: Instant) -> f64 {
        at.saturating_duration_since(self.begin).as_secs_f64() * 1000.0
    }

    /// A record of the library's log.
    fn log(&self, record: &str) {
        let what = match member(record, "event").and_then(string).as_deref() {
            Some("http.exchange" | "http.body") => What::Http,
            Some("server.stderr") => What::Stderr,
            _ => return,
        };
        let text = match what {
            What::Stderr => member(record, "line").unwrap_or("\"\"").to_owned(),
            _ => without(record, &["event", "level", "client"]),
        };
        self.take(&Shown { at: Instant::now(), what, is_sent: false, text: &text });
    }
}

pub fn trace(screen: Screen, trace: &Trace, common: &Common) -> Result<(), Failure> {
    let (mut target, rest) = split(&trace.place.words, &trace.place.program, common)?;
    let given = values::parse(rest.get(1..).unwrap_or_default())?;
    let server = match (target.config.get("url"), target.config.get("command")) {
        (Some(url), _) => crate::servers::masked_url(url.as_str().unwrap_or_default()),
        // Its arguments may have secrets.
        (None, Some(command)) => command.as_str().unwrap_or_default().to_owned(),
        (None, None) => target.shown.clone(),
    };
    let file = trace.to.as_ref().map(|path| Recording::create(path, &server)).transpose()?;
    crate::progress::silence();
    let sink = Sink {
        screen,
        begin: Instant::now(),
        is_full: trace.full || common.verbose > 0,
        file: file.map(|file| Arc::new(Mutex::new(file))),
        failed: Arc::default(),
    };
    let frames = sink.clone();
    set_frame_listener(Some(Arc::new(move |frame| {
        let text = String::from_utf8_lossy(frame.text);
        if frame.dropped > 0 {
            let text = frame.dropped.to_string();
            frames.take(&Shown { at: frame.at, what: What::Lost, is_sent: false, text: &text });
        }
        let text = text.trim_end();
        frames.take(&Shown { at: frame.at, what: What::Message, is_sent: frame.is_sent, text });
    })));
    if common.verbose == 0 {
        // Its lines come by the log, in their order beside the messages.
        target.config.insert("stderr".to_owned(), "log".into());
        let records = sink.clone();
        set_logger(Some((Level::Trace, Arc::new(move |_, record| records.log(record)))));
    }
    let done = conversation(target, common, !trace.no_check, &rest, given);
    // The session is closed, so every message has been written.
    set_frame_listener(None);
    set_logger(None);
    let unwritten = sink.failed.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let (Some(path), None) = (&trace.to, &unwritten) {
        Screen::note(styled(FAINT, format!("{} has what was spoken", one_line(&path.display().to_string()))));
    }
    unwritten.map_or(done, Err)
}

/// Calls the tool, or lists what there is. Its results are in the messages.
fn conversation(
    target: crate::target::Target,
    common: &Common,
    is_checked: bool,
    rest: &[String],
    given: Vec<values::Given>,
) -> Result<(), Failure> {
    let session = Session::open(target, common, Questions::new(None), None)?;
    session.checks.set(is_checked);
    match rest.first() {
        None => lists::everything(&session).map(|_| ()),
        Some(tool) => {
            let result = calls::outcome_of_tool(&session, tool, Map::new(), given)?;
            if result.is_tool_error() { Err(Failure::tool(tool)) } else { Ok(()) }
        }
    }
}

/// A request over HTTP and its status, or how the body of an answer begins that refuses one.
fn write_exchange(screen: Screen, at: f64, record: &str, is_full: bool) -> Result<(), Failure> {
    match screen.format {
        Format::Json | Format::Yaml => {
            screen.record(&format!("{{\"ms\":{at:.3},\"http\":{}}}", redact::message(record)))
        }
        Format::Names => Ok(()),
        Format::Text => {
            let word = |name: &str| member(record, name).and_then(string).unwrap_or_default();
            let head = format!("{at:>9.1} ms ⇄ ");
            let what = match (member(record, "status"), member(record, "error"), member(record, "body")) {
                (Some(status), ..) => format!("HTTP {status}"),
                (_, Some(_), _) => format!("no answer: {}", word("error")),
                (.., Some(_)) => format!("the answer to {} begins: {}", word("method"), word("body")),
                _ => "HTTP".to_owned(),
            };
            let took = member(record, "ms").and_then(|ms| ms.parse::<f64>().ok());
            let took = took.map_or_else(String::new, |ms| format!(", {ms:.1} ms"));
            let rest = format!("{} {} {}{took}", word("verb"), word("url"), word("method"));
            let rest = if member(record, "verb").is_some() { one_line(&rest) } else { String::new() };
            let line = text![styled(FAINT, head), styled(STRONG, one_line(&what)), " ", rest];
            let headers = without(record, &["verb", "url", "method", "status", "ms", "error", "body"]);
            match is_full && headers.len() > 2 {
                true => screen.write(text![line.trimmed(), "\n", indented(&redact::message(&headers)), "\n"]),
                false => screen.write(text![line.trimmed(), "\n"]),
            }
        }
    }
}

/// A line that the server wrote to standard error.
fn write_stderr(screen: Screen, at: f64, line: &str) -> Result<(), Failure> {
    let shown = redact::message(line);
    match screen.format {
        Format::Json | Format::Yaml => screen.record(&format!("{{\"ms\":{at:.3},\"stderr\":{shown}}}")),
        Format::Names => Ok(()),
        Format::Text => {
            let head = format!("{at:>9.1} ms ! ");
            let line = string(&shown).unwrap_or_default();
            screen.write(text![styled(FAINT, head), styled(FAINT, one_line(&line)), "\n"])
        }
    }
}

fn write(screen: Screen, at: f64, is_sent: bool, text: &str, is_full: bool) -> Result<(), Failure> {
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    let shown = redact::message(&if is_json { text.to_owned() } else { quote(text) });
    let direction = if is_sent { "sent" } else { "received" };
    match screen.format {
        Format::Json | Format::Yaml => screen.record(&format!(
            "{{\"ms\":{at:.3},\"direction\":\"{direction}\",\"bytes\":{},\"message\":{shown}}}",
            text.len()
        )),
        Format::Names => screen.names(&[summary(text)]),
        // A server that writes something else than messages to its standard output is told apart from one that sends odd ones.
        Format::Text if !is_json => {
            let head = format!("{at:>9.1} ms ? ");
            let shown = string(&shown).unwrap_or_default();
            let line =
                cut(&one_line(&shown), screen.width().map_or(BEGINNING, usize::from).saturating_sub(30));
            screen.write(text![styled(FAINT, head), styled(STRONG, "no message: "), line, "\n"])
        }
        Format::Text => {
            let arrow = if is_sent { "→" } else { "←" };
            let head = format!("{at:>9.1} ms {arrow} ");
            if is_full {
                let name = styled(STRONG, one_line(&summary(text)));
                return screen.write(text![styled(FAINT, head), name, "\n", indented(&shown), "\n"]);
            }
            let width = screen.width().map_or(BEGINNING, usize::from);
            let left = width.saturating_sub(head.chars().count());
            let name = cut(&one_line(&summary(text)), left);
            let room = left.saturating_sub(name.chars().count() + 1);
            let line = if room < 8 { String::new() } else { cut(&one_line(&shown), room) };
            let line = text![styled(FAINT, head), styled(STRONG, name), " ", line];
            screen.write(text![line.trimmed(), "\n"])
        }
    }
}

/// A text that has at most so many characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// The method of a message, or what it answers.
fn summary(text: &str) -> String {
    let id = member(text, "id").map(one_line);
    let method = member(text, "method").and_then(string);
    match (method, id) {
        (Some(method), Some(id)) => format!("{method} #{id}"),
        (Some(method), None) => method.into_owned(),
        (None, Some(id)) if member(text, "error").is_some() => format!("error #{id}"),
        (None, Some(id)) => format!("result #{id}"),
        (None, None) => "message".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn a_message_is_named_by_what_it_is() {
        assert_eq!(summary(r#"{"id":1,"method":"ping"}"#), "ping #1");
        assert_eq!(summary(r#"{"method":"notifications/x"}"#), "notifications/x");
        assert_eq!(summary(r#"{"id":"a","result":{}}"#), "result #\"a\"");
        assert_eq!(summary(r#"{"id":2,"error":{}}"#), "error #2");
        assert_eq!(summary("[1]"), "message");
    }
}
