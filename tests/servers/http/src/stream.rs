//! An event stream: what was said on it, so that it can be said again to a client that comes back, and whether a client
//! listens. A tool speaks into it on its own thread while the thread of a connection writes it out.

use std::fmt::Write as _;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::http::{self, Answer};
use crate::socket::Socket;

/// How often a writing thread looks whether its client has gone.
const LOOK: Duration = Duration::from_millis(5);

pub struct Event {
    pub kind: Option<&'static str>,
    /// Behind which a client may go on; none where the stream cannot be resumed.
    pub id: Option<String>,
    pub retry: Option<u64>,
    pub data: String,
}

pub struct Stream {
    /// Empty where events have no ids.
    name: String,
    inner: Mutex<Inner>,
    changed: Condvar,
}

#[derive(Default)]
struct Inner {
    events: Vec<Event>,
    /// How many of them were written to a client.
    written: usize,
    finished: bool,
    abandoned: bool,
    /// Each who listens has a number; a newer one takes over.
    listener: u64,
    listening: bool,
    /// The connection is to be closed once everything so far is written.
    cut: bool,
}

/// How writing a stream out ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All there is was written.
    Finished,
    /// The script wanted the connection to end here.
    Cut,
    /// The client went away.
    Gone,
    /// Another connection carries the stream on.
    TakenOver,
}

impl Stream {
    /// A stream whose events have ids if it has a name.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), inner: Mutex::default(), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn say(&self, message: &Value) {
        self.event(None, message.to_string());
    }

    /// An event; one with empty data gives an id to come back with, and perhaps a time.
    pub fn event(&self, retry: Option<u64>, data: String) {
        self.push(None, retry, data);
    }

    /// An event of some type.
    pub fn event_of(&self, kind: &'static str, data: String) {
        self.push(Some(kind), None, data);
    }

    fn push(&self, kind: Option<&'static str>, retry: Option<u64>, data: String) {
        let mut inner = self.lock();
        let id = (!self.name.is_empty()).then(|| format!("{}_{}", self.name, inner.events.len()));
        inner.events.push(Event { kind, id, retry, data });
        self.changed.notify_all();
    }

    /// Nothing more will be said.
    pub fn finish(&self) {
        self.lock().finished = true;
        self.changed.notify_all();
    }

    /// The connection ends when what was said so far is written; the stream goes on.
    pub fn cut(&self) {
        self.lock().cut = true;
        self.changed.notify_all();
    }

    pub fn is_listened_to(&self) -> bool {
        self.lock().listening
    }

    /// What was said last.
    pub fn last(&self) -> Option<String> {
        self.lock().events.last().map(|event| event.data.clone())
    }

    pub fn is_finished(&self) -> bool {
        self.lock().finished
    }

    /// Whether the client closed a stream that cannot be resumed.
    pub fn is_abandoned(&self) -> bool {
        self.lock().abandoned
    }

    /// Waits until a message is there or nothing will come; what the first message is, if it is one.
    pub fn first(&self, socket: &Socket) -> Option<String> {
        let mut inner = self.lock();
        while inner.events.is_empty() && !inner.finished && !inner.cut {
            inner = self.changed.wait_timeout(inner, LOOK).unwrap_or_else(PoisonError::into_inner).0;
            if socket.is_gone() {
                inner.abandoned = self.name.is_empty();
                return None;
            }
        }
        inner.events.first().map(|event| event.data.clone())
    }

    /// The number of the first event behind the one with this id, if it is one of ours.
    pub fn behind(&self, id: &str) -> Option<usize> {
        let (name, number) = id.rsplit_once('_')?;
        (name == self.name).then(|| number.parse::<usize>().ok().map(|number| number + 1)).flatten()
    }

    /// Writes head and events until the stream ends for this client. `from` is the first event to write, or none to go
    /// on behind what a client got.
    pub fn write_to(&self, socket: &mut Socket, headers: &[(String, String)], from: Option<usize>) -> Ending {
        let mut head = Answer::of(200, "text/event-stream", "").with("Cache-Control", "no-cache");
        head.headers.extend(headers.iter().cloned());
        if !http::write(socket, &head.head("Transfer-Encoding: chunked\r\n")) {
            return Ending::Gone;
        }
        let (number, mut next) = {
            let mut inner = self.lock();
            inner.listener += 1;
            inner.listening = true;
            self.changed.notify_all();
            (inner.listener, from.unwrap_or(inner.written))
        };
        let ending = loop {
            let (text, ending) = self.next(&mut next, number, socket);
            if !text.is_empty() && !http::write(socket, &http::chunk(text.as_bytes())) {
                break Ending::Gone;
            }
            if let Some(ending) = ending {
                break ending;
            }
        };
        let mut inner = self.lock();
        if ending != Ending::TakenOver {
            inner.listening = false;
        }
        if ending == Ending::Cut {
            inner.cut = false;
        }
        if ending == Ending::Gone && self.name.is_empty() {
            inner.abandoned = true;
        }
        drop(inner);
        if ending != Ending::Gone {
            http::write(socket, b"0\r\n\r\n");
        }
        ending
    }

    /// What is to be written next, and whether that is all.
    fn next(&self, next: &mut usize, number: u64, socket: &Socket) -> (String, Option<Ending>) {
        let mut inner = self.lock();
        loop {
            if inner.listener != number {
                return (String::new(), Some(Ending::TakenOver));
            }
            let mut text = String::new();
            for event in inner.events.iter().skip(*next) {
                text.push_str(&written(event));
            }
            if !text.is_empty() {
                *next = inner.events.len();
                inner.written = inner.written.max(*next);
            }
            if inner.cut {
                return (text, Some(Ending::Cut));
            }
            if inner.finished {
                return (text, Some(Ending::Finished));
            }
            if !text.is_empty() {
                return (text, None);
            }
            inner = self.changed.wait_timeout(inner, LOOK).unwrap_or_else(PoisonError::into_inner).0;
            if socket.is_gone() {
                return (String::new(), Some(Ending::Gone));
            }
        }
    }

    /// Waits until a client listens, at most this long.
    pub fn await_listener(&self, within: Duration) -> bool {
        let until = Instant::now() + within;
        let mut inner = self.lock();
        while !inner.listening && Instant::now() < until {
            inner = self.changed.wait_timeout(inner, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        inner.listening
    }
}

/// An event as text.
fn written(event: &Event) -> String {
    let mut text = String::new();
    if let Some(kind) = event.kind {
        let _ = writeln!(text, "event: {kind}");
    }
    if let Some(id) = &event.id {
        let _ = writeln!(text, "id: {id}");
    }
    if let Some(retry) = event.retry {
        let _ = writeln!(text, "retry: {retry}");
    }
    let _ = write!(text, "data: {}\n\n", event.data);
    text
}

#[cfg(test)]
mod tests {
    use super::Stream;

    #[test]
    fn an_id_leads_back_to_what_follows_it() {
        let stream = Stream::new("s1_p2");
        assert_eq!(stream.behind("s1_p2_0"), Some(1));
        assert_eq!(stream.behind("s1_p3_0"), None);
        assert_eq!(stream.behind("s1_p2_x"), None);
    }
}
