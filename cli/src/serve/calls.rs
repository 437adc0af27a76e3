//! The calls of tools: those whose programs run, each on a thread of its own, and those that wait for their turn.

use super::arguments;
use super::description::Tool;
use super::program::{self, End, Happening};
use super::told;
use super::turns::{Turn, Turns};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcp::client::Message;
use mcp::client::names::BUSY;
use mcp::server::Request;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What the text of errors in a result has at most.
const SHOWN_ERRORS: usize = 4096;
/// What programs have to end when the server does: one that was asked to end is killed after a time.
const END: Duration = Duration::from_secs(5);
/// What a call needs besides its parameters, about.
const CALL_BYTES: usize = 512;

/// One call of a tool.
#[derive(Debug)]
pub struct Call {
    pub tool: Arc<Tool>,
    /// A message that is dropped unanswered is an internal error: it is kept for the answer.
    pub message: Arc<Message>,
    pub request: Request,
}

#[derive(Debug)]
struct Inside {
    turns: Turns<Call>,
    /// The programs that run or are being ended, by the numbers of their requests.
    running: HashMap<u64, Sender<Happening>>,
    /// None begins any more.
    is_over: bool,
}

/// All calls.
#[derive(Debug)]
pub struct Calls {
    inside: Mutex<Inside>,
    changed: Condvar,
}

impl Calls {
    pub fn new() -> Arc<Calls> {
        let inside = Inside { turns: Turns::new(), running: HashMap::new(), is_over: false };
        Arc::new(Calls { inside: Mutex::new(inside), changed: Condvar::new() })
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A call came in.
    pub fn begin(self: &Arc<Self>, call: Call) {
        // One that was withdrawn meanwhile has no client any more.
        let Some(client) = call.request.holder() else { return };
        let number = call.request.number();
        let bytes = call.message.json().len() + CALL_BYTES;
        let mut inside = self.inside();
        if inside.is_over {
            return;
        }
        match inside.turns.add(client, number, bytes, call) {
            Turn::Waits => {}
            Turn::Now(call) => {
                let line = line_of(&mut inside, number);
                drop(inside);
                self.run(client, call, line);
            }
            Turn::Refused(call) => {
                drop(inside);
                let what = "the server is busy: the calls of this client that wait for a program to end have too many bytes";
                let data = r#"{"retryable":true,"limit":"waiting calls"}"#;
                told(call.request.respond_error(BUSY, what, Some(data)));
            }
        }
    }

    /// A call is not wanted any more.
    pub fn cancel(&self, number: u64) {
        let mut inside = self.inside();
        let waited = match inside.running.get(&number) {
            Some(sender) => {
                let _is_heard = sender.send(Happening::Cancelled);
                None
            }
            None => inside.turns.cancel(number),
        };
        drop(inside);
        drop(waited);
    }

    /// Runs the program of a call on a thread of its own.
    fn run(self: &Arc<Self>, client: u64, call: Call, line: (Sender<Happening>, Receiver<Happening>)) {
        let number = call.request.number();
        let (calls, by) = (Arc::clone(self), call.request.clone());
        let kept = Arc::clone(&call.message);
        let (sender, happenings) = line;
        let work = move || {
            let Call { tool, message, request } = call;
            if let Some(operation) = &tool.operation {
                let made = arguments::read(message.json(), |arguments| operation.request(arguments));
                let result = operation.call(made);
                calls.ended(client, number);
                // One that was cancelled meanwhile has no client that waits.
                return told(request.respond(&result));
            }
            let made = arguments::read(message.json(), |arguments| program::command(&tool, arguments));
            let end = program::run(&tool, made, (sender, &happenings));
            // The program was reaped.
            calls.ended(client, number);
            told(answer(&tool, &request, end));
            // The request is answered before its message is dropped.
            drop(message);
        };
        if std::thread::Builder::new().name("mcp-serve-call".to_owned()).spawn(work).is_err() {
            self.ended(client, number);
            told(by.respond_text("no thread is left to run the program", true));
        }
        drop(kept);
    }

    /// No program of a call is there any more.
    fn ended(self: &Arc<Self>, client: u64, number: u64) {
        let mut inside = self.inside();
        inside.running.remove(&number);
        let next: Vec<_> = inside
            .turns
            .ended(client)
            .into_iter()
            .map(|(client, call)| (client, line_of(&mut inside, call.request.number()), call))
            .collect();
        drop(inside);
        self.changed.notify_all();
        for (client, line, call) in next {
            self.run(client, call, line);
        }
    }

    /// The server ends: every program is asked to end, and none begins. Gives the calls that waited.
    pub fn end(&self) -> Vec<Call> {
        let mut inside = self.inside();
        inside.is_over = true;
        for sender in inside.running.values() {
            let _is_heard = sender.send(Happening::Cancelled);
        }
        inside.turns.end()
    }

    /// Waits until all programs have ended, within a bound.
    pub fn wait_for_end(&self) {
        let is_running = |inside: &mut Inside| !inside.running.is_empty();
        let _in_time_or_not = self.changed.wait_timeout_while(self.inside(), END, is_running);
    }
}

/// Where a call hears that it was cancelled, from now on.
fn line_of(inside: &mut Inside, number: u64) -> (Sender<Happening>, Receiver<Happening>) {
    let (sender, happenings) = program::line();
    inside.running.insert(number, sender.clone());
    (sender, happenings)
}

fn answer(tool: &Tool, request: &Request, end: End) -> Result<(), mcp::client::Error> {
    let (code, output, errors) = match end {
        End::Cancelled => return Ok(()),
        End::Failed(why) => return request.respond_text(&why, true),
        End::Done { code, output, errors } => (code, output, errors),
    };
    if code != Some(0) {
        let how = code.map_or_else(
            || "was ended by a signal".to_owned(),
            |code| format!("ended with the exit code {code}"),
        );
        let mut text = format!("the program {how}");
        for said in [&output, &errors] {
            let said = String::from_utf8_lossy(&said[said.len().saturating_sub(SHOWN_ERRORS)..]);
            if !said.trim().is_empty() {
                text.push('\n');
                text.push_str(said.trim_end());
            }
        }
        return request.respond_text(&text, true);
    }
    if tool.output.contains('/') {
        let kind = if tool.output.starts_with("image/") { "image" } else { "audio" };
        let block = json!({"type": kind, "mimeType": tool.output, "data": STANDARD.encode(output)});
        return request.respond(&json!({ "content": [block] }).to_string());
    }
    let Ok(text) = String::from_utf8(output) else {
        return request.respond_text("the program wrote bytes that are not UTF-8", true);
    };
    if tool.output == "text" {
        return request.respond_text(text.strip_suffix('\n').unwrap_or(&text), false);
    }
    // Checked, and given on as it was written.
    let is_object = serde_json::from_str::<Map<String, Value>>(&text).is_ok();
    if !is_object {
        return request.respond_text("the program wrote no JSON object", true);
    }
    let text = text.trim();
    let block = json!({"type": "text", "text": text});
    request.respond(&format!("{{\"content\":[{block}],\"structuredContent\":{text}}}"))
}
