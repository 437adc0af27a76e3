//! The command line and the behaviours, read and checked. After this, a behaviour is in the script with a value of its
//! kind, or the process has ended with code 64.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::behaviours::{self, Takes};
use crate::faults::{self, Fault};
use crate::message;
use crate::tls;
use crate::tools;

pub enum Command {
    Serve(Options, Script),
    Help,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Era {
    Legacy,
    Modern,
    Both,
}

/// What stays as it is while the server runs.
pub struct Options {
    pub era: Era,
    /// The newest revision of the legacy era that is spoken.
    pub revision: String,
    /// HTTP+SSE of 2024-11-05 instead of streamable HTTP.
    pub old_shape: bool,
    pub port: u16,
    pub unix: Option<String>,
    pub tls: Option<tls::Options>,
    pub life: Duration,
}

/// What goes wrong. It can be replaced while the server runs.
#[derive(Default)]
pub struct Script {
    behaviours: BTreeMap<&'static str, Value>,
}

struct Value {
    text: String,
    /// The fault that the text names, and how often it still happens.
    fault: Option<(Fault, AtomicU64)>,
}

impl Script {
    pub fn read(text: &str) -> Result<Self, String> {
        let mut script = Self::default();
        script.add(text)?;
        Ok(script)
    }

    fn add(&mut self, text: &str) -> Result<(), String> {
        for behaviour in text.split(',').filter(|behaviour| !behaviour.is_empty()) {
            let (name, value) = read_behaviour(behaviour)?;
            self.behaviours.insert(name, value);
        }
        Ok(())
    }

    pub fn has(&self, name: &str) -> bool {
        debug_assert!(behaviours::find(name).is_some(), "{name} is not in the table");
        self.behaviours.contains_key(name)
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        debug_assert!(behaviours::find(name).is_some(), "{name} is not in the table");
        self.behaviours.get(name).map(|value| value.text.as_str())
    }

    pub fn number(&self, name: &str) -> Option<u64> {
        self.text(name).and_then(|text| text.parse().ok())
    }

    /// The fault that a behaviour names, unless it happened as often as it should.
    pub fn fault(&self, name: &str) -> Option<Fault> {
        debug_assert!(behaviours::find(name).is_some(), "{name} is not in the table");
        let (fault, left) = self.behaviours.get(name)?.fault.as_ref()?;
        let take = |left: u64| left.checked_sub(1);
        left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take).is_ok().then(|| fault.clone())
    }
}

pub fn read(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut options = Options {
        era: Era::Both,
        revision: message::NEWEST_LEGACY.to_owned(),
        old_shape: false,
        port: 0,
        unix: None,
        tls: None,
        life: Duration::from_secs(600),
    };
    let mut script = Script::default();
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        if argument == "--help" || argument == "-h" {
            return Ok(Command::Help);
        }
        if !argument.starts_with("--") {
            script.add(&argument)?;
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{argument} needs a value"))?;
        match (argument.as_str(), value.as_str()) {
            ("--era", "legacy") => options.era = Era::Legacy,
            ("--era", "modern") => options.era = Era::Modern,
            ("--era", "both") => options.era = Era::Both,
            ("--shape", "streamable") => options.old_shape = false,
            ("--shape", "sse") => options.old_shape = true,
            ("--revision", revision) if message::LEGACY.contains(&revision) => options.revision = value,
            ("--port", port) => {
                options.port = port.parse().map_err(|_| format!("--port {port} is no port"))?;
            }
            ("--unix", _) => options.unix = Some(value),
            ("--tls", _) => options.tls = Some(tls::Options::in_folder(value)),
            ("--certificate" | "--ask-certificate" | "--alpn" | "--tls-version", _) => {
                let tls = options.tls.as_mut().ok_or_else(|| format!("{argument} needs --tls before it"))?;
                read_tls(tls, &argument, &value).ok_or_else(|| format!("unknown: {argument} {value}"))?;
            }
            ("--life", seconds) => {
                let seconds = seconds.parse().map_err(|_| format!("--life {seconds} is no number"))?;
                options.life = Duration::from_secs(seconds);
            }
            _ => return Err(format!("unknown: {argument} {value}")),
        }
    }
    Ok(Command::Serve(options, script))
}

fn read_tls(tls: &mut tls::Options, argument: &str, value: &str) -> Option<()> {
    match argument {
        "--certificate" => tls.certificate = tls::Options::certificate(value)?,
        "--ask-certificate" if value == "yes" => tls.asks_for_certificate = true,
        "--alpn" => tls.protocols = tls::Options::protocols(value)?,
        "--tls-version" => tls.versions = tls::Options::versions(value)?,
        _ => return None,
    }
    Some(())
}

fn read_behaviour(text: &str) -> Result<(&'static str, Value), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let behaviour = behaviours::find(name).ok_or_else(|| format!("no such behaviour: {name}"))?;
    let mut fault = None;
    match behaviour.takes {
        Takes::Nothing if !value.is_empty() => return Err(format!("{name} takes no value")),
        Takes::Number if value.parse::<u64>().is_err() => return Err(format!("{name} takes a number")),
        Takes::Text if value.is_empty() => return Err(format!("{name} takes a text")),
        Takes::Word(words) if !words.contains(&value) => {
            return Err(format!("{name} takes one of {}", words.join(", ")));
        }
        Takes::Fault => {
            let (deed, times) = value.rsplit_once('*').unwrap_or((value, ""));
            let times = if times.is_empty() { Ok(u64::MAX) } else { times.parse() };
            let times = times.map_err(|_| format!("{name}: {value} ends with no number"))?;
            fault = Some((Fault::read(deed)?, AtomicU64::new(times)));
        }
        _ => {}
    }
    Ok((behaviour.name, Value { text: value.to_owned(), fault }))
}

pub fn help() -> String {
    let mut text = "\
usage: mcp-scripted-http [OPTIONS] [BEHAVIOUR[=VALUE][,BEHAVIOUR...]]...

A Model Context Protocol server over HTTP that misbehaves on purpose. It is correct except for what is named here, and
notes what a client does against the specification (`violations` of the statistics). The first line it prints is its
port, the second the port of its control, where nothing goes wrong.

  --era legacy|modern|both     what is spoken (default both)
  --revision REVISION          the newest revision of the legacy era (default 2025-11-25)
  --shape streamable|sse       streamable HTTP at /mcp (default), or HTTP+SSE of 2024-11-05 at /mcp and /message
  --port N                     the port (default: any)
  --unix PATH                  a Unix socket instead of a port; 0 is printed then
  --life SECONDS               end of the process (default 600)
  --tls FOLDER                 TLS; the folder gets ca.pem (who signed the server's certificate), other-ca.pem, client.pem
                               and client.key, other-client.pem and other-client.key (which it does not take)
  --certificate good|other-name|expired|not-yet|other-issuer|self-signed   what it shows; good is for localhost
  --ask-certificate yes        takes no client without a certificate
  --alpn both|h2|http/1.1|none what it offers (default both, HTTP/2 first)
  --tls-version 1.2|1.3        only this one

Paths: /mcp is the server. /redirect/STATUS leads to /mcp, /redirect/STATUS/loop to itself, /redirect/STATUS/N there over
N more, /redirect/STATUS?to=URL anywhere. Everything else is 404, as plain text.

Control: GET /stats (counts), GET /requests (the last 2000 with all headers and the time in ms); POST /script with a body
of BEHAVIOURS replaces the script, POST /forget makes all sessions unknown, POST /logins/end all tokens, POST /drop ends all connections, POST /hang-up
those that are idle, POST /freeze
stops reading and writing on all of them and accepting any, POST /thaw goes on, POST /deaf has the kernel drop every
packet that comes for us, without a word, POST /hear no longer, POST /push?count=N sends N log messages
to each session's stream of its own, POST /ping?count=N sends N pings there, POST /change tells each that the list of tools changed.
"
    .to_owned();
    for (group, behaviours) in behaviours::GROUPS {
        let _ = write!(text, "\nBehaviours: {group}\n");
        for behaviour in *behaviours {
            let name = format!("{}{}", behaviour.name, value_hint(behaviour.takes));
            let _ = writeln!(text, "  {name:<26} {}", behaviour.about);
        }
    }
    for (group, list) in faults::GROUPS {
        let _ = write!(text, "\nFaults: {group}\n");
        for kind in *list {
            let name = format!("{}{}", kind.name, kind.argument);
            let _ = writeln!(text, "  {name:<26} {}", kind.about);
        }
    }
    text.push_str("\nTools\n");
    for tool in tools::TOOLS {
        let name = format!("{} {}", tool.name, tool.arguments);
        let _ = writeln!(text, "  {name:<40} {}", tool.about);
    }
    text
}

fn value_hint(takes: Takes) -> String {
    match takes {
        Takes::Nothing => String::new(),
        Takes::Number => "=N".to_owned(),
        Takes::Word(words) => format!("={}", words.join("|")),
        Takes::Text => "=TEXT".to_owned(),
        Takes::Fault => "=FAULT[*N]".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::Script;

    #[test]
    fn a_fault_happens_as_often_as_it_should() {
        let script = Script::read("on-call=503*2,sse").expect("valid");
        assert!(script.has("sse") && !script.has("retry"));
        let happened: Vec<bool> = (0..3).map(|_| script.fault("on-call").is_some()).collect();
        assert_eq!(happened, [true, true, false]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for text in
            ["on-call", "on-call=nonsense", "sse=1", "retry=x", "session-id=y", "no-such", "on-get=405*x"]
        {
            assert!(Script::read(text).is_err(), "{text}");
        }
    }
}
