//! `trace`: every message to and from a server, with times and without secrets.

use super::{calls, lists};
use crate::arguments::{Common, Format, Trace};
use crate::failure::Failure;
use crate::output::{FAINT, STRONG, Screen, indented, one_line, styled, text};
use crate::questions::Questions;
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

/// What the thread of the library hands over: the first failure of writing.
type Outcome = Arc<Mutex<Option<Failure>>>;

pub fn trace(screen: Screen, trace: &Trace, common: &Common) -> Result<(), Failure> {
    let (target, rest) = split(&trace.place.words, &trace.place.program, common)?;
    let given = values::parse(rest.get(1..).unwrap_or_default())?;
    let outcome: Outcome = Arc::default();
    crate::progress::silence();
    let begin = Instant::now();
    let (kept, is_full) = (Arc::clone(&outcome), trace.full || common.verbose > 0);
    set_frame_listener(Some(Arc::new(move |frame| {
        let at = frame.at.saturating_duration_since(begin).as_secs_f64() * 1000.0;
        let text = String::from_utf8_lossy(frame.text);
        if frame.dropped > 0 {
            Screen::note(format!("{} messages are not shown: they came too quickly", frame.dropped));
        }
        if let Err(failure) = write(screen, at, frame.is_sent, text.trim_end(), is_full) {
            kept.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
        }
    })));
    if common.verbose == 0 {
        set_logger(Some((Level::Debug, Arc::new(move |_, record| write_refusal(screen, begin, record)))));
    }
    let done = conversation(target, common, !trace.no_check, &rest, given);
    // The session is closed, so every message has been written.
    set_frame_listener(None);
    set_logger(None);
    let unwritten = outcome.lock().unwrap_or_else(PoisonError::into_inner).take();
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

/// An answer of HTTP that is an error has often no message: its status is shown.
fn write_refusal(screen: Screen, begin: Instant, record: &str) {
    let word = |name: &str| member(record, name).and_then(string).unwrap_or_default();
    if word("event") != "http.refused" || screen.format != Format::Text {
        return;
    }
    let at = begin.elapsed().as_secs_f64() * 1000.0;
    let head = format!("{at:>9.1} ms ← ");
    let what = format!("HTTP {}", member(record, "status").unwrap_or_default());
    // If no program reads any more, the next message says so.
    let _is_read = screen.write(text![
        styled(FAINT, head),
        styled(STRONG, one_line(&what)),
        " ",
        one_line(&word("method")),
        "\n"
    ]);
}

fn write(screen: Screen, at: f64, is_sent: bool, text: &str, is_full: bool) -> Result<(), Failure> {
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    let shown = if is_json { redact::message(text) } else { quote(text) };
    let direction = if is_sent { "sent" } else { "received" };
    match screen.format {
        Format::Json | Format::Yaml => screen.record(&format!(
            "{{\"ms\":{at:.3},\"direction\":\"{direction}\",\"bytes\":{},\"message\":{shown}}}",
            text.len()
        )),
        Format::Names => screen.names(&[summary(text)]),
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
