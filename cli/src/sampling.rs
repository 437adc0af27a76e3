//! What a server gets that asks for the answer of a model (sampling): a text, a file, what the person writes, or what a program says.

use crate::failure::Failure;
use crate::group::{Bounds, output_of};
use crate::output::{STRONG, Screen, one_line, styled, text as said};
use crate::questions;
use crate::session::is_interrupted;
use mcp::client::json_text::{elements, member, string};
use mcp::client::{Client, Error, Message, RequestAnswer};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// How long a program may take for an answer, and how much it may write.
const LIMIT: Duration = Duration::from_secs(600);
const MOST_BYTES: u64 = 16 << 20;
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
                Ok(text) => Ok(result_of(text.trim_start_matches('\u{feff}').trim_end_matches('\n'))),
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

/// Has a program answer.
fn answered(words: &[String], params: &str) -> Result<Result<Value, String>, Failure> {
    let Some((program, rest)) = words.split_first() else {
        return Ok(Err("there is no command".to_owned()));
    };
    let bounds = Bounds { time: LIMIT, bytes: MOST_BYTES };
    let text = output_of(Command::new(program).args(rest), program, Some(params.to_owned()), bounds);
    if is_interrupted() {
        return Err(Failure::interrupted());
    }
    Ok(text.map(|text| match serde_json::from_str::<Value>(&text) {
        Ok(result) if result["content"].is_object() || result["content"].is_array() => result,
        _ => result_of(text.trim_end_matches('\n')),
    }))
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
