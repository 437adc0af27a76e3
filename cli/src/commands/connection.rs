//! `info`, `ping`: what a server is, and how quickly it answers.

use super::open;
use crate::arguments::{Common, Format, Ping, Place};
use crate::failure::Failure;
use crate::output::{STRONG, Screen, Text, one_line, styled, text};
use crate::session::Session;
use mcp::client::json_text::{Kind, kind, member, members, quote, string};
use std::borrow::Cow;
use std::time::Instant;

/// What is shown of the connection; counters and the process id change from run to run.
const SHOWN: [&str; 6] = ["server", "revision", "era", "transport", "capabilities", "instructions"];

pub fn info(screen: Screen, place: &Place, common: &Common) -> Result<(), Failure> {
    let (session, _) = open(place, common, 0)?;
    write_info(screen, &session)
}

/// What is known of the server.
pub fn write_info(screen: Screen, session: &Session) -> Result<(), Failure> {
    let info = session.info();
    // A session is asked over a connection of its own; what counts is the one that it keeps.
    let behind = crate::session_daemon::behind(&session.shown).unwrap_or_default();
    let part = |name: &str| match behind[name].as_str() {
        Some(text) => Cow::from(quote(text)),
        None => Cow::from(member(&info, name).unwrap_or("null")),
    };
    if screen.format.is_data() {
        let members: Vec<String> = SHOWN.iter().map(|name| format!("\"{name}\":{}", part(name))).collect();
        return screen.json(&format!("{{{}}}", members.join(",")));
    }
    let server = &*part("server");
    let text_of = |name: &str| one_line(&string(&part(name)).unwrap_or_default());
    let word = |text: &str, name: &str| one_line(&member(text, name).and_then(string).unwrap_or_default());
    if screen.format == Format::Names {
        return screen.names(&[word(server, "name")]);
    }
    let mut text = Text::default();
    let mut row = |name: &str, value: &str| {
        if !value.trim().is_empty() {
            text.push(text![styled(STRONG, format!("{name:<13}")), " ", value, "\n"]);
        }
    };
    row("server", format!("{} {}", word(server, "name"), word(server, "version")).trim());
    row("title", &word(server, "title"));
    row("revision", &format!("{} ({} era)", text_of("revision"), text_of("era")));
    row("transport", &text_of("transport"));
    let capabilities: Vec<String> =
        members(&part("capabilities")).map(|(name, value)| capability(name, value)).collect();
    row("capabilities", &capabilities.join(", "));
    if let Some(instructions) = string(&part("instructions")).filter(|text| !text.trim().is_empty()) {
        text.push(text!["\n", instructions.trim_end(), "\n"]);
    }
    screen.write(text)
}

/// A capability with what it says of itself, such as `tools (listChanged)`.
fn capability(name: &str, value: &str) -> String {
    let name = one_line(name);
    let more: Vec<String> = members(value)
        .filter(|(_, value)| kind(value) != Some(Kind::False))
        .map(|(name, _)| one_line(name))
        .collect();
    if more.is_empty() { name } else { format!("{name} ({})", more.join(", ")) }
}

pub fn ping(screen: Screen, ping: &Ping, common: &Common) -> Result<(), Failure> {
    let (session, _) = open(&ping.place, common, 0)?;
    let mut times = Vec::new();
    for number in 1..=ping.count {
        let begin = Instant::now();
        session.ping()?;
        let milliseconds = begin.elapsed().as_secs_f64() * 1000.0;
        times.push(milliseconds);
        if screen.format == Format::Text {
            screen.write(format!("{number}: {milliseconds:.3} ms\n"))?;
        }
    }
    if screen.format == Format::Text {
        return Ok(());
    }
    let times: Vec<String> = times.iter().map(|time| format!("{time:.3}")).collect();
    screen.json(&format!("{{\"milliseconds\":[{}]}}", times.join(",")))
}
