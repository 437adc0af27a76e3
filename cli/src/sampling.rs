//! What a server gets that asks for the answer of a model (sampling): a text, a file, what the person writes, or what a program says.

use crate::failure::Failure;
use crate::group::Group;
use crate::output::{STRONG, Screen, one_line, styled, text as said};
use crate::questions;
use crate::session::is_interrupted;
use mcp::client::json_text::{elements, member, string};
use mcp::client::{Client, Error, Message, RequestAnswer};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// How long a program may take for an answer, and how much it may write.
const LIMIT: Duration = Duration::from_secs(600);
const MOST_BYTES: u64 = 16 << 20;
/// How often a program that works is looked at, so that Ctrl-C is seen.
const LOOK: Duration = Duration::from_millis(20);
/// What is waited for the rest of its output, when all of its group has ended.
const DRAIN: Duration = Duration::from_secs(10);
/// What the specification has for a person who refuses.
const REFUSED: i64 = -1;

/// Where the answers come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sampling {
    Text(String),
    File(PathBuf),
    Ask,
    /// A program: the parameters of the request are its standard input, and its output is the result, as JSON, or its text.
    Program(Vec<String>),
}

/// The value of `--sample`.
pub fn parse(word: &str) -> Result<Sampling, String> {
    if let Some(path) = word.strip_prefix('@') {
        return match path.strip_prefix('@') {
            Some(_) => Ok(Sampling::Text(path.to_owned())),
            None => Ok(Sampling::File(path.into())),
        };
    }
    match word.strip_prefix("exec:") {
        None if word == "ask" => Ok(Sampling::Ask),
        None => Ok(Sampling::Text(word.to_owned())),
        Some(line) => match shlex::split(line).filter(|words| !words.is_empty()) {
            Some(words) => Ok(Sampling::Program(words)),
            None => Err("the command behind exec: is empty, or a quote in it has no end".to_owned()),
        },
    }
}

/// The result of a request whose answer is a text.
fn result_of(text: &str) -> Value {
    json!({"role": "assistant", "content": {"type": "text", "text": text}, "model": "mcp --sample", "stopReason": "endTurn"})
}

impl Sampling {
    /// Answers a request; what goes wrong is an error for the server and a line for the person.
    pub fn answer(&self, client: &Client, message: &Message) -> Result<Result<(), Error>, Failure> {
        let result = match self {
            Sampling::Text(text) => Ok(result_of(text)),
            Sampling::File(path) => match std::fs::read_to_string(path) {
                Ok(text) => Ok(result_of(text.trim_end_matches('\n'))),
                Err(error) => Err(format!("cannot read {}: {error}", path.display())),
            },
            Sampling::Ask if !Screen::can_ask() => {
                Err("there is no terminal to ask at; give a text or exec:COMMAND".to_owned())
            }
            Sampling::Ask => asked(message.json())?,
            Sampling::Program(words) => answered(words, message.json())?,
        };
        Ok(match result {
            Ok(result) => client.respond(message, RequestAnswer::Result(&result.to_string())),
            Err(why) => {
                Screen::said(format!("--sample: {}; the request of the server is refused", one_line(&why)));
                let refusal =
                    RequestAnswer::Error { code: REFUSED, message: "the client has no answer", data: None };
                client.respond(message, refusal)
            }
        })
    }
}

/// Shows the messages to the person, whose line is the answer.
fn asked(params: &str) -> Result<Result<Value, String>, Failure> {
    Screen::note(said!["\n", styled(STRONG, "The server wants the answer of a model:")]);
    if let Some(system) = member(params, "systemPrompt").and_then(string) {
        Screen::note(said!["system: ", system]);
    }
    for message in elements(member(params, "messages").unwrap_or("[]")) {
        let role = member(message, "role").and_then(string).unwrap_or_default();
        let content = member(message, "content").unwrap_or("null");
        let text = member(content, "text").and_then(string);
        Screen::note(said![one_line(&role), ": ", text.unwrap_or_else(|| content.into())]);
    }
    let line = questions::read("Your answer (an empty line refuses): ")?.filter(|line| !line.is_empty());
    Ok(line.map(|line| result_of(&line)).ok_or_else(|| "the person refused".to_owned()))
}

/// Has a program answer. It has a group of its own, which ends with it: what it started is not left behind, and keeps no output open.
fn answered(words: &[String], params: &str) -> Result<Result<Value, String>, Failure> {
    let started = words.split_first().map(|(program, rest)| {
        let mut command = Command::new(program);
        Group::spawn(command.args(rest).stdin(Stdio::piped()).stdout(Stdio::piped()))
    });
    let (mut child, group) = match started {
        Some(Ok(started)) => started,
        Some(Err(error)) => return Ok(Err(format!("cannot start '{}': {error}", words[0]))),
        None => return Ok(Err("there is no command".to_owned())),
    };
    let input = child.stdin.take();
    let output = child.stdout.take();
    let params = params.to_owned();
    // A program may end before it has read everything; that is its own affair.
    let _ends_with_the_pipe =
        std::thread::spawn(move || input.map(|mut input| input.write_all(params.as_bytes())));
    let (sender, receiver) = channel();
    let _ends_with_the_pipe = std::thread::spawn(move || {
        let mut text = String::new();
        let read = output.map(|output| output.take(MOST_BYTES + 1).read_to_string(&mut text));
        // The wait for it has an end.
        let _is_awaited = sender.send(read.unwrap_or(Ok(0)).map(|_| text));
    });
    let ended = wait(&child);
    if let Some(group) = &group {
        group.signal(Signal::KILL);
    }
    let status = child.wait().map_err(|error| error.to_string());
    let ended = ended.and(status).and_then(|status| match status.success() {
        true => Ok(()),
        false => Err(status.to_string()),
    });
    let text = receiver.recv_timeout(DRAIN);
    if is_interrupted() {
        return Err(Failure::interrupted());
    }
    Ok(match (ended, text) {
        (Err(why), _) => Err(format!("'{}': {why}", words[0])),
        (_, Ok(Ok(text))) if text.len() as u64 > MOST_BYTES => {
            Err(format!("'{}' wrote more than {MOST_BYTES} bytes", words[0]))
        }
        (_, Ok(Ok(text))) => Ok(match serde_json::from_str::<Value>(&text) {
            Ok(result) if result["content"].is_object() || result["content"].is_array() => result,
            _ => result_of(text.trim_end_matches('\n')),
        }),
        (_, Ok(Err(_))) => Err(format!("the output of '{}' is not UTF-8", words[0])),
        (_, Err(_)) => {
            Err(format!("'{}' has ended, and a program that it started keeps its output open", words[0]))
        }
    })
}

/// Waits for the end of a program, which has a bound; Ctrl-C ends it, too. It is not reaped.
fn wait(child: &Child) -> Result<(), String> {
    let begin = Instant::now();
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or("it has no number")?;
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    loop {
        match waitid(WaitId::Pid(pid), options) {
            Ok(Some(_)) => return Ok(()),
            Ok(None) if is_interrupted() || begin.elapsed() > LIMIT => {
                return Err(format!(
                    "it was ended: it took more than {} s, or Ctrl-C was pressed",
                    LIMIT.as_secs()
                ));
            }
            Ok(None) | Err(Errno::INTR) => std::thread::sleep(LOOK),
            Err(error) => return Err(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_says_where_answers_come_from() {
        let program = |words: &[&str]| Sampling::Program(words.iter().map(|&word| word.to_owned()).collect());
        for (word, sampling) in [
            ("hello", Sampling::Text("hello".to_owned())),
            ("ask", Sampling::Ask),
            ("@answer.txt", Sampling::File("answer.txt".into())),
            ("@@home", Sampling::Text("@home".to_owned())),
            ("exec:llm -m 'a b'", program(&["llm", "-m", "a b"])),
        ] {
            assert_eq!(parse(word), Ok(sampling), "{word}");
        }
        assert!(parse("exec:").is_err() && parse("exec:a 'b").is_err());
    }

    #[test]
    fn a_program_answers_with_a_result_or_a_text() {
        let of = |script: &str| {
            let words = ["sh", "-c", script].map(str::to_owned);
            answered(&words, r#"{"messages":[]}"#).expect("no Ctrl-C")
        };
        assert_eq!(of("cat"), Ok(result_of(r#"{"messages":[]}"#)));
        assert_eq!(of("echo hi; exec <&-"), Ok(result_of("hi")));
        assert_eq!(of("sleep 1000 & echo hi"), Ok(result_of("hi")), "what it started ends with it");
        let whole = r#"{"role":"assistant","model":"m","content":{"type":"text","text":"x"}}"#;
        assert_eq!(of(&format!("echo '{whole}'")), Ok(serde_json::from_str(whole).expect("JSON")));
        assert!(of("exit 3").is_err_and(|why| why.contains('3')));
        assert!(of("printf '\\377'").is_err_and(|why| why.contains("UTF-8")));
        let missing = answered(&["/nonexistent/model".to_owned()], "{}").expect("no Ctrl-C");
        assert!(missing.is_err_and(|why| why.contains("cannot start")));
    }
}
