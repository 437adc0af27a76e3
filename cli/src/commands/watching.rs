//! `watch`, `subscribe`, `log`: notifications as they come, until Ctrl-C, a number of them or a time.

use super::open;
use crate::arguments::{Common, Format, Log, Watch};
use crate::failure::{Failure, INTERRUPTED};
use crate::output::{FAINT, STRONG, Screen, one_line, styled, text};
use crate::questions::Questions;
use crate::redact;
use crate::session::Session;
use crate::target::split;
use mcp::client::features::Request;
use mcp::client::json_text::{member, quote, string};
use mcp::client::{Kind, Message};
use std::time::Instant;

pub fn watch(screen: Screen, watch: &Watch, common: &Common) -> Result<(), Failure> {
    let (session, _) = open(&watch.place, common, 0)?;
    session.is_watching.set(true);
    // From here on Ctrl-C is the end, not an interruption of the start; the person is told when.
    Screen::note(styled(FAINT, format!("watching {}", one_line(&session.shown))));
    show(screen, &session, watch, |_| true)
}

pub fn subscribe(screen: Screen, watch: &Watch, common: &Common) -> Result<(), Failure> {
    let (session, uris) = open(&watch.place, common, usize::MAX)?;
    if uris.is_empty() {
        return Err(Failure::usage("no resource is named; `mcp resources` lists those of a server"));
    }
    session.is_watching.set(true);
    for uri in &uris {
        session.request(&Request::ResourcesSubscribe { uri })?;
    }
    Screen::note(styled(FAINT, format!("subscribed to {}", one_line(&uris.join(", ")))));
    show(screen, &session, watch, |message| message.method() == Some("notifications/resources/updated"))
}

pub fn log(screen: Screen, log: &Log, common: &Common) -> Result<(), Failure> {
    let place = &log.watch.place;
    let (mut target, rest) = split(&place.words, &place.program, common)?;
    if let Some(extra) = rest.first() {
        return Err(Failure::usage(format!("'{extra}' is one word too many; see --help")));
    }
    // A session speaks every revision; what counts is the one of its server.
    if crate::session_daemon::behind(&target.shown).is_some_and(|behind| behind["era"] == "legacy") {
        target.config.entry("protocol").or_insert_with(|| "legacy".into());
    }
    let session = Session::open(target, common, Questions::new(None), None)?;
    let info = session.info();
    if member(&info, "era").and_then(string).as_deref() == Some("modern") {
        return Err(Failure::usage(
            "a server of 2026-07-28 sends log messages only while it works on a call: `mcp call` shows them. A server that \
             speaks an older revision, too, sends them with --protocol legacy",
        ));
    }
    session.is_watching.set(true);
    session.request(&Request::SetLogLevel { level: &log.level })?;
    Screen::note(styled(FAINT, format!("log messages from {} on", log.level)));
    show(screen, &session, &log.watch, |message| message.method() == Some("notifications/message"))
}

/// Writes the notifications that are wanted. Ctrl-C is the end that a person wants.
fn show(
    screen: Screen,
    session: &Session,
    watch: &Watch,
    is_wanted: impl Fn(&Message) -> bool,
) -> Result<(), Failure> {
    let begin = Instant::now();
    let until = watch.duration.map(|duration| begin + duration);
    let mut left = watch.count;
    while left != Some(0) {
        if until.is_some_and(|until| Instant::now() >= until) {
            return Ok(());
        }
        let message = match session.next(until) {
            Ok(Some(message)) => message,
            Ok(None) => continue,
            Err(failure) if failure.exit == INTERRUPTED => return Ok(()),
            Err(failure) => return Err(failure),
        };
        if message.kind() != Kind::Notification || !is_wanted(&message) {
            continue;
        }
        write(screen, &message, begin)?;
        left = left.map(|left| left - 1);
    }
    Ok(())
}

fn write(screen: Screen, message: &Message, begin: Instant) -> Result<(), Failure> {
    let method = message.method().unwrap_or_default();
    match screen.format {
        Format::Json | Format::Yaml => {
            let params = message.json();
            screen.record(&format!("{{\"method\":{},\"params\":{params}}}", quote(method)))
        }
        Format::Names => screen.names(&[method.to_owned()]),
        Format::Text => {
            let time = styled(FAINT, format!("{:>8.3} s", begin.elapsed().as_secs_f64()));
            let short = method.strip_prefix("notifications/").unwrap_or(method);
            let word = |name: &str| member(message.json(), name).and_then(string);
            let what = match (word("level"), word("uri")) {
                (Some(level), _) => {
                    let data = member(message.json(), "data").unwrap_or("null");
                    let data = string(data).map_or_else(|| data.to_owned(), std::borrow::Cow::into_owned);
                    format!("{} {}", one_line(&level), one_line(&data))
                }
                (None, Some(uri)) => one_line(&uri),
                (None, None) if message.json() == "{}" => String::new(),
                (None, None) => one_line(&redact::message(message.json())),
            };
            let line = text![time, "  ", styled(STRONG, one_line(short)), " ", what];
            screen.write(text![line.trimmed(), "\n"])
        }
    }
}
