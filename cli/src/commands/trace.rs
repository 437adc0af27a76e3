//! `trace`: every message to and from a server, with times and without secrets.

use super::{calls, lists};
use crate::arguments::{Common, Format, Trace};
use crate::bridge::without;
use crate::failure::Failure;
use crate::output::{FAINT, STRONG, Screen, indented, one_line, styled, text};
use crate::questions::Questions;
#[cfg(feature = "page")]
use crate::recording::{MOST_BYTES, first_line};
use crate::recording::{Recording, What};
use crate::redact;
use crate::session::Session;
use crate::session_daemon;
use crate::target::split;
use crate::values;
use mcp::client::json_text::{elements, member, quote, string};
use mcp::client::{Level, set_frame_listener, set_logger};
use std::collections::VecDeque;
#[cfg(feature = "page")]
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
#[cfg(feature = "page")]
use std::time::{SystemTime, UNIX_EPOCH};

/// How much of a message is shown on a line where the width does not matter.
const BEGINNING: usize = 400;
/// The characters that the time of an answer takes at most, but for very long ones.
const TIME: usize = 10;
/// How many requests without an answer are remembered, the longest id of one, and how many characters of its method are kept.
const OPEN: usize = 1000;
const MOST_ID: usize = 200;
const METHOD: usize = 200;

/// Where the messages go.
#[derive(Clone)]
struct Sink {
    screen: Screen,
    begin: Instant,
    is_full: bool,
    /// The file of `--to`, or what becomes the page of `--html`.
    files: Vec<Arc<Mutex<Recording>>>,
    /// What was asked and has no answer yet.
    open: Arc<Mutex<Open>>,
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

/// A request: whether this side sent it, its id and method, and when.
type Asked = (bool, String, String, Instant);

/// Requests without an answer, the oldest first.
#[derive(Debug, Default)]
struct Open(VecDeque<Asked>);

impl Open {
    /// Remembers a request, or gives the one that a message answers.
    fn take(&mut self, shown: &Shown<'_>) -> Option<Asked> {
        // What its peer chose is not kept at any length; an answer to such a request is shown without its method.
        let id = member(shown.text, "id").filter(|id| id.len() <= MOST_ID)?;
        if let Some(method) = member(shown.text, "method").and_then(string) {
            if self.0.len() == OPEN {
                self.0.pop_front();
            }
            self.0.push_back((shown.is_sent, id.to_owned(), cut(&method, METHOD), shown.at));
            return None;
        }
        let at = self.0.iter().position(|(is_sent, own, ..)| *is_sent != shown.is_sent && own == id)?;
        self.0.remove(at)
    }
}

impl Sink {
    fn take(&self, shown: &Shown<'_>) {
        let from = if shown.is_sent { "client" } else { "server" };
        let written = match self.files.is_empty() {
            true => self.show(shown),
            false => self.files.iter().try_for_each(|file| {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                match shown.what {
                    What::Message | What::Text => file.frame(shown.at, from, None, shown.text),
                    what => file.record(shown.at, what, from, None, &redact::message(shown.text)),
                }
            }),
        };
        if let Err(failure) = written {
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
        }
    }

    fn show(&self, shown: &Shown<'_>) -> Result<(), Failure> {
        let at = self.ms(shown.at);
        match shown.what {
            What::Message | What::Text => {
                let asked = self.open.lock().unwrap_or_else(PoisonError::into_inner).take(shown);
                write(self.screen, at, shown, asked, self.is_full)
            }
            What::Http => write_exchange(self.screen, at, shown.text, self.is_full),
            What::Stderr => write_stderr(self.screen, at, shown.text),
            What::Lost => {
                Screen::said(format!("{} messages are not shown: they came too quickly", shown.text));
                Ok(())
            }
        }
    }

    /// Tells how many messages were not kept.
    fn lost(&self, at: Instant, count: u64) {
        if count > 0 {
            self.take(&Shown { at, what: What::Lost, is_sent: false, text: &count.to_string() });
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
    let mut files = Vec::new();
    if let Some(path) = &trace.to {
        files.push(Arc::new(Mutex::new(Recording::create(path, &server)?)));
    }
    #[cfg(feature = "page")]
    let page = trace.html.as_deref().map(|path| Page::begin(path, &server)).transpose()?;
    #[cfg(feature = "page")]
    files.extend(page.as_ref().map(|page| Arc::clone(&page.recording)));
    crate::progress::silence();
    let sink = Sink {
        screen,
        begin: Instant::now(),
        is_full: trace.full || common.verbose > 0,
        files,
        open: Arc::default(),
        failed: Arc::default(),
    };
    let frames = sink.clone();
    let heard = session_daemon::hear(&target, move |said| {
        frames.lost(said.at, said.lost);
        frames.take(&Shown { at: said.at, what: said.what, is_sent: said.is_sent, text: said.text });
    })?;
    if heard.is_none() {
        let frames = sink.clone();
        set_frame_listener(Some(Arc::new(move |frame| {
            let text = String::from_utf8_lossy(frame.text);
            frames.lost(frame.at, frame.dropped);
            let text = text.trim_end();
            frames.take(&Shown { at: frame.at, what: What::Message, is_sent: frame.is_sent, text });
        })));
    }
    if common.verbose == 0 && heard.is_none() {
        // Its lines come by the log, in their order beside the messages.
        target.config.insert("stderr".to_owned(), "log".into());
        let records = sink.clone();
        set_logger(Some((Level::Trace, Arc::new(move |_, record| records.log(record)))));
    }
    let done = conversation(target, common, !trace.no_check, &rest, given);
    if let Some(heard) = heard {
        heard.end();
    }
    // The session is closed, so every message has been written.
    set_frame_listener(None);
    set_logger(None);
    let unwritten = sink.failed.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(failure) = unwritten {
        return Err(failure);
    }
    let note = |path: &Path, what: &str| {
        Screen::note(styled(FAINT, format!("{} {what}", one_line(&path.display().to_string()))));
    };
    if let Some(path) = &trace.to {
        note(path, "has what was spoken");
    }
    #[cfg(feature = "page")]
    if let (Some(path), Some(page)) = (&trace.html, page) {
        page.end(path)?;
        note(path, "is a page with what was spoken: open it in a browser");
    }
    done
}

/// What becomes the page of `--html`.
#[cfg(feature = "page")]
struct Page {
    /// The page, beside the file whose place it takes.
    file: tempfile::NamedTempFile,
    /// The line that begins the trace.
    first: String,
    /// Where it is recorded; the folder goes with this value.
    _folder: tempfile::TempDir,
    recording: Arc<Mutex<Recording>>,
}

#[cfg(feature = "page")]
impl Page {
    /// Begins to record. A file that cannot be written is said before the server is asked for anything.
    fn begin(path: &Path, server: &str) -> Result<Page, Failure> {
        let shown = one_line(&path.display().to_string());
        if path.is_dir() {
            return Err(Failure::usage(format!("--html {shown} is a folder: give the name of a file")));
        }
        let beside = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let beside = beside.unwrap_or(Path::new("."));
        let file = crate::login::make(beside)
            .and_then(|()| tempfile::Builder::new().prefix(".mcp-trace-").tempfile_in(beside))
            .map_err(|error| {
                Failure::usage(format!(
                    "--html {shown} cannot be written, and nothing was asked for: {error}"
                ))
            })?;
        let folder = tempfile::Builder::new().prefix("mcp-trace-").tempdir().map_err(|error| {
            Failure::machine(format!("the system gives no folder for the trace of --html: {error}"))
        })?;
        let recording = Recording::create(&folder.path().join(RECORDING), server)?;
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let first = first_line(&mcp::client::without_passwords(server), began);
        Ok(Page { file, first, _folder: folder, recording: Arc::new(Mutex::new(recording)) })
    }

    /// Writes the page, which only this user may read, in the place of one that is there. The newest of a long trace are in it; how many
    /// are not is said there and here.
    fn end(mut self, path: &Path) -> Result<(), Failure> {
        let last = self.recording.lock().unwrap_or_else(PoisonError::into_inner).last(MOST_OF_PAGE);
        let (records, left_out) = last?;
        let mut trace = self.first;
        if left_out > 0 {
            let said = format!(
                "{left_out} older or longer records are left out: a page has at most {MOST_OF_PAGE} bytes of a trace; --to FILE keeps the newest as lines"
            );
            let record = format!(
                "{{\"t\":0,\"kind\":\"remark\",\"from\":\"client\",\"data\":{{\"what\":{}}}}}\n",
                quote(&said)
            );
            trace.push_str(&record);
            Screen::said(said);
        }
        trace.push_str(&records);
        drop(records);
        let failed = |error: std::io::Error| {
            Failure::machine(format!("cannot write {}: {error}", one_line(&path.display().to_string())))
        };
        self.file.write_all(crate::inspect::with_trace(&trace).as_bytes()).map_err(failed)?;
        self.file.persist(path).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

/// What a page has of a trace: as much as a file of one and the file before it.
#[cfg(feature = "page")]
const MOST_OF_PAGE: u64 = 2 * MOST_BYTES;

/// The name of the file while it is recorded.
#[cfg(feature = "page")]
const RECORDING: &str = "trace.jsonl";

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
        // A session has the lists already: its server is asked whether it is there, which is seen.
        None if session.is_kept() => session.ping(),
        None => lists::everything(&session).map(|_| ()),
        Some(tool) => {
            let result = calls::outcome_of_tool(&session, tool, "{}".to_owned(), given)?;
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

fn write(
    screen: Screen,
    at: f64,
    message: &Shown<'_>,
    asked: Option<Asked>,
    is_full: bool,
) -> Result<(), Failure> {
    let &Shown { text, is_sent, .. } = message;
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
            let name = one_line(&summary(text));
            // What it answers, and after what time.
            let (to, width) = asked.map_or_else(Default::default, |(_, _, method, began)| {
                let took = message.at.saturating_duration_since(began).as_secs_f64() * 1000.0;
                let method = format!(" {}, ", one_line(&method));
                let width = method.chars().count() + TIME;
                (format!("{method}{took:.1} ms"), width)
            });
            if is_full {
                let line = text![styled(FAINT, head), styled(STRONG, name), to];
                return screen.write(text![line, "\n", indented(&shown), "\n"]);
            }
            let left = screen.width().map_or(BEGINNING, usize::from).saturating_sub(head.chars().count());
            let name = cut(&name, left);
            let left = left.saturating_sub(name.chars().count());
            // Where it is cut does not depend on how long a time is.
            let room = left.saturating_sub(width + 1);
            let said = one_line(&gist(&shown));
            let said = if room < 8 { String::new() } else { format!(" {}", cut(said.trim_end(), room)) };
            let rest = format!("{}{}", cut(&to, left), said.trim_end());
            screen.write(text![styled(FAINT, head), styled(STRONG, name), rest, "\n"])
        }
    }
}

/// The members of a result that are lists of what a server has.
const LISTS: [&str; 5] = ["tools", "resources", "resourceTemplates", "prompts", "tasks"];

/// What a message says, without what every message has.
fn gist(text: &str) -> String {
    if let Some(error) = member(text, "error") {
        let said = member(error, "message").and_then(string).unwrap_or_default();
        let data = member(error, "data").unwrap_or_default();
        return format!("{} {said} {data}", member(error, "code").unwrap_or_default());
    }
    if let Some(result) = member(text, "result") {
        let counted = LISTS.iter().find_map(|name| {
            let list = member(result, name).filter(|list| list.starts_with('['))?;
            Some(format!("{} {name} ", elements(list).count()))
        });
        return format!("{}{result}", counted.unwrap_or_default());
    }
    match member(text, "method") {
        Some(_) => member(text, "params").map_or_else(String::new, |params| {
            Some(without(params, &["_meta"])).filter(|params| params != "{}").unwrap_or_default()
        }),
        None => text.to_owned(),
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
    use super::{METHOD, MOST_ID, OPEN, Open, Shown, What, gist, summary};
    use std::time::Instant;

    #[test]
    #[cfg(feature = "page")]
    fn a_page_that_cannot_be_written_is_said_at_the_beginning() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("file"), "").expect("written");
        for (path, why) in [("", "is a folder"), ("file/page.html", "nothing was asked for")] {
            let said = super::Page::begin(&folder.path().join(path), "x").map(|_| ()).expect_err(why).text();
            assert!(said.contains(why), "{said}");
        }
        let path = folder.path().join("new/page.html");
        let page = super::Page::begin(&path, "x").expect("begun");
        let frame =
            page.recording.lock().expect("unused").frame(Instant::now(), "client", None, "{\"id\":77}");
        frame.and_then(|()| page.end(&path)).expect("written");
        let text = std::fs::read_to_string(&path).expect("there");
        assert!(text.contains("\"trace\"") && text.contains("\"data\":{\"id\":77}"), "{text}");
        assert_eq!(std::fs::read_dir(folder.path().join("new")).expect("a folder").count(), 1);
    }

    #[test]
    fn a_message_is_named_by_what_it_is() {
        assert_eq!(summary(r#"{"id":1,"method":"ping"}"#), "ping #1");
        assert_eq!(summary(r#"{"method":"notifications/x"}"#), "notifications/x");
        assert_eq!(summary(r#"{"id":"a","result":{}}"#), "result #\"a\"");
        assert_eq!(summary(r#"{"id":2,"error":{}}"#), "error #2");
        assert_eq!(summary("[1]"), "message");
    }

    #[test]
    fn c30_a_line_has_what_a_message_says_and_not_what_each_has() {
        for (text, said) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, ""),
            (r#"{"id":1,"method":"tools/list","params":{"_meta":{"a":1}}}"#, ""),
            (
                r#"{"id":1,"method":"tools/call","params":{"name":"x","arguments":{},"_meta":{"a":1}}}"#,
                r#"{"name":"x","arguments":{}}"#,
            ),
            (r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#, r#"{"content":[]}"#),
            (r#"{"id":1,"result":{"tools":[{},{}]}}"#, r#"2 tools {"tools":[{},{}]}"#),
            (r#"{"id":1,"error":{"code":-1,"message":"no","data":{"a":1}}}"#, r#"-1 no {"a":1}"#),
            ("[1]", "[1]"),
        ] {
            assert_eq!(gist(text).trim(), said, "{text}");
        }
    }

    #[test]
    fn c30_an_answer_is_told_with_what_it_answers() {
        let mut open = Open::default();
        let mut take = |is_sent, text: &str| {
            let shown = Shown { at: Instant::now(), what: What::Message, is_sent, text };
            open.take(&shown).map(|(_, _, method, _)| method)
        };
        assert_eq!(take(true, r#"{"id":1,"method":"ping"}"#), None);
        // A request of the server may have the same id.
        assert_eq!(take(false, r#"{"id":1,"method":"roots/list"}"#), None);
        assert_eq!(take(true, r#"{"id":1,"result":{}}"#).as_deref(), Some("roots/list"));
        assert_eq!(take(false, r#"{"id":"1","result":{}}"#), None);
        assert_eq!(take(false, r#"{"id":1,"result":{}}"#).as_deref(), Some("ping"));
        assert_eq!(take(false, r#"{"id":1,"result":{}}"#), None, "it was answered");
        for id in 0..=OPEN {
            take(true, &format!("{{\"id\":{id},\"method\":\"ping\"}}"));
        }
        // Of a long method the beginning is kept, and of a long id nothing.
        let long = "m".repeat(1 << 20);
        take(true, &format!("{{\"id\":\"m\",\"method\":\"{long}\"}}"));
        let told = take(false, r#"{"id":"m","result":{}}"#).expect("known");
        assert_eq!(
            (told.chars().count(), told.starts_with("mmm"), told.ends_with('…')),
            (METHOD, true, true)
        );
        for (length, is_kept) in [(MOST_ID - 2, true), (MOST_ID - 1, false), (1 << 20, false)] {
            let id = "i".repeat(length);
            take(true, &format!("{{\"id\":\"{id}\",\"method\":\"ping\"}}"));
            let told = take(false, &format!("{{\"id\":\"{id}\",\"result\":{{}}}}"));
            assert_eq!(told.is_some(), is_kept, "{length}");
        }
        take(true, r#"{"id":"last","method":"ping"}"#);
        assert!(open.0.len() <= OPEN);
    }
}
