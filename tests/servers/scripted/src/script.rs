//! The command line, read and checked. After this, a behaviour is in the script with a value of its kind, or the
//! process has ended with code 64.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::behaviours::{self, Takes};
use crate::{posix, tools};

/// The hidden argument that makes this program the grandchild instead of the server.
pub const GRANDCHILD: &str = "--as-grandchild";

pub enum Command {
    Serve(Script),
    Grandchild(u64),
    Help,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Framing {
    Newline,
    ContentLength,
}

pub struct Script {
    pub modern: bool,
    pub framing: Framing,
    pub state: Option<PathBuf>,
    /// After this time the process ends, whatever the script says.
    pub life: Duration,
    behaviours: BTreeMap<&'static str, String>,
    /// The command line without the behaviour list, for a process that carries the script on.
    options: Vec<String>,
}

/// How a process dies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Death {
    Exit(i32),
    Signal(i32),
}

impl Death {
    fn read(text: &str) -> Result<Self, String> {
        let death = match text.strip_prefix("sig") {
            _ if text.is_empty() => Some(Self::Exit(1)),
            Some(number) => number.parse().ok().map(Self::Signal),
            None => text.parse().ok().map(Self::Exit),
        };
        death.ok_or_else(|| format!("{text} is neither an exit code nor sigN"))
    }

    pub fn die(self) -> ! {
        match self {
            Self::Exit(code) => std::process::exit(code),
            Self::Signal(signal) => posix::die_of(signal),
        }
    }
}

impl Script {
    pub fn has(&self, name: &str) -> bool {
        debug_assert!(behaviours::find(name).is_some(), "{name} is not in the table");
        self.behaviours.contains_key(name)
    }

    /// The value of a behaviour that is on. An optional value that was not given is empty.
    pub fn text(&self, name: &str) -> Option<&str> {
        debug_assert!(behaviours::find(name).is_some(), "{name} is not in the table");
        self.behaviours.get(name).map(String::as_str)
    }

    pub fn number(&self, name: &str) -> Option<u64> {
        self.text(name).and_then(|text| text.parse().ok())
    }

    pub fn milliseconds(&self, name: &str) -> Option<Duration> {
        self.number(name).map(Duration::from_millis)
    }

    pub fn death(&self, name: &str) -> Option<Death> {
        self.text(name).and_then(|text| Death::read(text).ok())
    }

    /// Turns every fault off and keeps the bookkeeping.
    pub fn become_well_behaved(&mut self) {
        self.behaviours.retain(|name, _| *name == "write-pid");
    }

    /// The command line of a process that does all of this script except one behaviour.
    pub fn arguments_without(&self, name: &str) -> Vec<String> {
        let rest = self.behaviours.iter().filter(|(other, _)| **other != name);
        let list: Vec<String> = rest
            .map(
                |(name, value)| if value.is_empty() { (*name).to_owned() } else { format!("{name}={value}") },
            )
            .collect();
        let mut arguments = self.options.clone();
        if !list.is_empty() {
            arguments.push(list.join(","));
        }
        arguments
    }
}

pub fn read(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut script = Script {
        modern: false,
        framing: Framing::Newline,
        state: None,
        life: Duration::from_secs(600),
        behaviours: BTreeMap::new(),
        options: Vec::new(),
    };
    let mut arguments = arguments.peekable();
    if arguments.next_if_eq(GRANDCHILD).is_some() {
        let seconds = arguments.next().and_then(|seconds| seconds.parse().ok());
        return seconds.map(Command::Grandchild).ok_or_else(|| format!("{GRANDCHILD} takes seconds"));
    }
    while let Some(argument) = arguments.next() {
        if argument == "--help" || argument == "-h" {
            return Ok(Command::Help);
        }
        if !argument.starts_with("--") {
            for behaviour in argument.split(',').filter(|behaviour| !behaviour.is_empty()) {
                let (name, value) = read_behaviour(behaviour)?;
                script.behaviours.insert(name, value);
            }
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{argument} needs a value"))?;
        match (argument.as_str(), value.as_str()) {
            ("--era", "legacy") => script.modern = false,
            ("--era", "modern") => script.modern = true,
            ("--framing", "newline") => script.framing = Framing::Newline,
            ("--framing", "content-length") => script.framing = Framing::ContentLength,
            ("--state", file) => script.state = Some(Path::new(file).to_owned()),
            ("--life", seconds) => {
                let seconds = seconds.parse().map_err(|_| format!("--life {seconds} is no number"))?;
                script.life = Duration::from_secs(seconds);
            }
            _ => return Err(format!("unknown: {argument} {value}")),
        }
        script.options.extend([argument, value]);
    }
    check(&script)?;
    Ok(Command::Serve(script))
}

fn read_behaviour(text: &str) -> Result<(&'static str, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let behaviour = behaviours::find(name).ok_or_else(|| format!("no such behaviour: {name}"))?;
    let number = value.parse::<u64>().is_ok();
    let value = match behaviour.takes {
        Takes::NumberOr(default) if value.is_empty() => default.to_string(),
        Takes::Nothing if !value.is_empty() => return Err(format!("{name} takes no value")),
        Takes::Number | Takes::NumberOr(_) if !number => return Err(format!("{name} takes a number")),
        Takes::Text if value.is_empty() => return Err(format!("{name} takes a text")),
        Takes::Word(words) if !value.is_empty() && !words.contains(&value) => {
            return Err(format!("{name} takes one of {}", words.join(", ")));
        }
        Takes::Death => Death::read(value).map(|_| value.to_owned())?,
        _ => value.to_owned(),
    };
    Ok((behaviour.name, value))
}

/// Combinations that would silently do nothing.
fn check(script: &Script) -> Result<(), String> {
    if (script.has("fail-starts") || script.has("only-first")) && script.state.is_none() {
        return Err("fail-starts and only-first need --state FILE".to_owned());
    }
    let lengths = script.has("bad-length") || script.has("huge-length");
    if lengths && script.framing == Framing::Newline {
        return Err("bad-length and huge-length need --framing content-length".to_owned());
    }
    if script.modern && (script.has("crash-in-initialized") || script.has("stop-reading")) {
        return Err("there is no notifications/initialized in the modern era".to_owned());
    }
    Ok(())
}

pub fn help() -> String {
    let mut text = "\
usage: mcp-scripted-server [OPTIONS] [BEHAVIOUR[=VALUE][,BEHAVIOUR...]]...

A Model Context Protocol server over stdio that misbehaves on purpose. It is correct except for what is named here.

  --era legacy|modern               initialize handshake (default) or 2026-07-28
  --framing newline|content-length  one message a line (default), or with a header
  --state FILE                      gets one byte for each start; fail-starts and only-first count by it
  --life SECONDS                    end of every process of this program (default 600)
"
    .to_owned();
    for (group, behaviours) in behaviours::GROUPS {
        let _ = write!(text, "\nBehaviours: {group}\n");
        for behaviour in *behaviours {
            let name = format!("{}{}", behaviour.name, value_hint(behaviour.takes));
            let _ = writeln!(text, "  {name:<42} {}", behaviour.about);
        }
    }
    for (group, list) in tools::GROUPS {
        let _ = write!(text, "\nTools: {group}\n");
        for tool in *list {
            let name = format!("{} {}", tool.name, tool.arguments);
            let _ = writeln!(text, "  {name:<42} {}", tool.about);
        }
    }
    text
}

fn value_hint(takes: Takes) -> String {
    match takes {
        Takes::Nothing => String::new(),
        Takes::Number => "=N".to_owned(),
        Takes::NumberOr(_) => "[=N]".to_owned(),
        Takes::Word(words) => format!("[={}]", words.join("|")),
        Takes::Text => "=TEXT".to_owned(),
        Takes::Death => "[=CODE|sigN]".to_owned(),
    }
}
