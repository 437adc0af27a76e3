//! What the server remembers while it runs, shared by the reading thread and the clock. The tools
//! write through here, so that `hold` can keep answers back.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::clock::Clock;
use crate::message;
use crate::script::Script;
use crate::tools::asking::Asking;
use crate::tools::research::Tasks;
use crate::wire::Output;

/// How much of what the client sent is kept for the tool `received`.
const MAX_LINES: usize = 10_000;
const MAX_LINE: usize = 4096;

pub struct Session {
    pub script: Script,
    pub out: Output,
    clock: Clock,
    memory: Mutex<Memory>,
}

#[derive(Default)]
pub struct Memory {
    pub initialized: bool,
    /// The probe that `hang-on-probe=late` answers later.
    pub late_probe: Option<Value>,
    /// Everything the client sent: how often each method, and the last lines with their method.
    pub counts: BTreeMap<String, u64>,
    pub lines: VecDeque<(String, String)>,
    /// Calls of `late_after_cancel`, answered when their cancellation comes.
    pub wait_for_cancel: Vec<Call>,
    /// Answers kept back by `hold`, and how many more it wants.
    pub held: Vec<Vec<u8>>,
    pub hold: usize,
    /// Our requests to the client, by id.
    pub asking: HashMap<String, Asking>,
    pub asked: u64,
    /// Open `subscriptions/listen` streams, by id.
    pub listens: Vec<Value>,
    /// Pages that were visited, by their `elicitationId`.
    pub visited: BTreeSet<String>,
    /// The tasks of the tool `research`.
    pub research: Tasks,
    pub pause: Option<Duration>,
}

/// One `tools/call`.
#[derive(Clone)]
pub struct Call {
    pub id: Value,
    pub arguments: Map<String, Value>,
    pub params: Map<String, Value>,
}

impl Call {
    pub fn number(&self, name: &str) -> Option<u64> {
        self.arguments.get(name).and_then(Value::as_u64)
    }

    pub fn size(&self, name: &str) -> Option<usize> {
        self.number(name).and_then(|number| usize::try_from(number).ok())
    }

    pub fn milliseconds(&self, name: &str) -> Option<Duration> {
        self.number(name).map(Duration::from_millis)
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).and_then(Value::as_str)
    }

    pub fn flag(&self, name: &str) -> Option<bool> {
        self.arguments.get(name).and_then(Value::as_bool)
    }
}

impl Session {
    pub fn new(script: Script) -> Arc<Self> {
        Arc::new(Self { out: Output::new(&script), script, clock: Clock::start(), memory: Mutex::default() })
    }

    pub fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn take_pause(&self) -> Option<Duration> {
        self.memory().pause.take()
    }

    /// A correct message that is not a tool's answer.
    pub fn send(&self, message: &Value) {
        self.out.frame(message.to_string().as_bytes());
    }

    /// The right answer to a call.
    pub fn answer(&self, call: &Call, result: Value) {
        let message = message::result(&call.id, self.dress(result));
        self.answer_with(&message.to_string().into_bytes());
    }

    /// Any bytes in the place of an answer, as one frame. `hold` may keep them back.
    pub fn answer_with(&self, body: &[u8]) {
        let mut memory = self.memory();
        if memory.hold == 0 {
            drop(memory);
            return self.out.tool_frame(body);
        }
        memory.held.push(body.to_vec());
        memory.hold -= 1;
        if memory.hold == 0 {
            let held = std::mem::take(&mut memory.held);
            drop(memory);
            for body in held.iter().rev() {
                self.out.tool_frame(body);
            }
        }
    }

    /// Adds what every modern result has.
    pub fn dress(&self, mut result: Value) -> Value {
        if self.script.modern && result.is_object() {
            if result.get("resultType").is_none() {
                result["resultType"] = "complete".into();
            }
            result["_meta"] = json!({ message::SERVER_INFO_KEY: message::server_info() });
        }
        result
    }

    /// Does something later, on the clock's thread.
    pub fn later(self: &Arc<Self>, wait: Duration, deed: impl FnOnce(&Arc<Self>) + Send + 'static) {
        let session = Arc::clone(self);
        self.clock.after(wait, Box::new(move || deed(&session)));
    }

    /// Writes down what came, for the tool `received`.
    pub fn note(&self, frame: &[u8], label: &str) {
        let mut memory = self.memory();
        *memory.counts.entry(label.to_owned()).or_default() += 1;
        if memory.lines.len() == MAX_LINES {
            memory.lines.pop_front();
        }
        let kept = String::from_utf8_lossy(&frame[..frame.len().min(MAX_LINE)]).into_owned();
        memory.lines.push_back((label.to_owned(), kept));
    }
}
