//! The messages between a session and the server behind it, for `trace @NAME`: a second socket beside that of the session, which only this
//! person's programs reach. What is spoken is kept for a program only while one listens, and never more than fits its bounds.

use super::folder::Place;
use crate::failure::Failure;
use crate::recording::What;
use mcp::client::json_text::{member, quote, string};
use mcp::client::{Frame, Level, set_frame_listener, set_logger};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many programs may listen at one time.
const LISTENERS: usize = 4;
/// What waits for one that is slow to read, at most: further messages are counted instead.
const LINES: usize = 10_000;
const BYTES: usize = 64 << 20;
/// How long one may take to read what is written to it.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often it is looked whether one is still there.
const LOOK: Duration = Duration::from_millis(200);
/// The longest line of a session: a message of the largest size, escaped.
const LINE: u64 = 1 << 30;
/// When nothing more comes, all was told; and what is waited for that.
const QUIET: Duration = Duration::from_millis(200);
const END: Duration = Duration::from_secs(5);

/// What waits for one program.
#[derive(Debug, Default)]
struct Waiting {
    /// When it was said, how many before it were not kept, and the members of its line.
    lines: VecDeque<(Instant, u64, String)>,
    bytes: usize,
    /// How many were not kept since the last line that was.
    lost: u64,
}

/// One program that listens.
#[derive(Debug, Default)]
struct Listener {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Listener {
    /// Adds what was said at a moment; `record` are members of its line.
    fn add(&self, at: Instant, record: String) {
        let mut waiting = locked(&self.waiting);
        if waiting.lines.len() == LINES || waiting.bytes.saturating_add(record.len()) > BYTES {
            waiting.lost = waiting.lost.saturating_add(1);
            return;
        }
        waiting.bytes += record.len();
        let lost = std::mem::take(&mut waiting.lost);
        waiting.lines.push_back((at, lost, record));
        self.changed.notify_one();
    }

    /// Counts what never came here.
    fn lose(&self, count: u64) {
        let mut waiting = locked(&self.waiting);
        waiting.lost = waiting.lost.saturating_add(count);
    }

    /// The next line to write, if there is one before it is time to look after the program.
    fn next(&self) -> Option<String> {
        let waiting = locked(&self.waiting);
        let is_empty = |waiting: &mut Waiting| waiting.lines.is_empty();
        let (mut waiting, _) =
            self.changed.wait_timeout_while(waiting, LOOK, is_empty).unwrap_or_else(PoisonError::into_inner);
        let (at, lost, record) = waiting.lines.pop_front()?;
        waiting.bytes -= record.len();
        // Another process has no use for a moment of this one.
        Some(format!("{{\"ago\":{},\"lost\":{lost},{record}}}\n", at.elapsed().as_micros()))
    }
}

/// All programs that listen.
#[derive(Debug, Default)]
struct Messages {
    listeners: Mutex<Vec<Arc<Listener>>>,
    /// How much of the library's log the session writes where no program listens.
    verbose: u8,
}

impl Messages {
    /// Adds a program; the first one begins to listen. `None` if there are too many.
    fn join(self: &Arc<Self>) -> Option<Arc<Listener>> {
        let mut all = locked(&self.listeners);
        if all.len() == LISTENERS {
            return None;
        }
        let listener = Arc::new(Listener::default());
        all.push(Arc::clone(&listener));
        if all.len() == 1 {
            let (frames, records) = (Arc::clone(self), Arc::clone(self));
            set_frame_listener(Some(Arc::new(move |frame| frames.frame(frame))));
            set_logger(Some((Level::Trace, Arc::new(move |_, record| records.log(record)))));
        }
        Some(listener)
    }

    /// Takes a program away; the last one ends the listening.
    fn leave(&self, listener: &Arc<Listener>) {
        let mut all = locked(&self.listeners);
        all.retain(|one| !Arc::ptr_eq(one, listener));
        if all.is_empty() {
            set_frame_listener(None);
            set_logger(None);
            crate::session::log_at(self.verbose);
        }
    }

    fn frame(&self, frame: &Frame<'_>) {
        // Those that the library had no room for may be of any session.
        if frame.dropped > 0 {
            locked(&self.listeners).iter().for_each(|listener| listener.lose(frame.dropped));
        }
        // What clients say to the session has a number.
        if frame.session.is_none() {
            let text = String::from_utf8_lossy(frame.text);
            self.tell(frame.at, What::Message, frame.is_sent, text.trim_end());
        }
    }

    fn tell(&self, at: Instant, what: What, is_sent: bool, text: &str) {
        let record = format!("\"what\":\"{}\",\"sent\":{is_sent},\"text\":{}", what.as_str(), quote(text));
        for listener in &*locked(&self.listeners) {
            listener.add(at, record.clone());
        }
    }

    /// A record of the library's log: exchanges of HTTP are told.
    fn log(&self, record: &str) {
        if matches!(member(record, "event").and_then(string).as_deref(), Some("http.exchange" | "http.body"))
        {
            self.tell(
                Instant::now(),
                What::Http,
                false,
                &crate::bridge::without(record, &["event", "level", "client"]),
            );
        }
    }

    /// Writes to a program what is said, until it is gone or does not read.
    fn serve(&self, listener: &Arc<Listener>, stream: &mut UnixStream) {
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        loop {
            match listener.next() {
                Some(line) if stream.write_all(line.as_bytes()).is_err() => break,
                Some(_) => {}
                // It says nothing: what can be read is its end.
                None => match poll(&mut [PollFd::new(&*stream, PollFlags::IN)], Some(&now)) {
                    Ok(0) | Err(rustix::io::Errno::INTR) => {}
                    _ => break,
                },
            }
        }
        self.leave(listener);
    }
}

/// Serves the socket of the messages, as long as the process is there.
///
/// # Errors
/// It cannot be made.
pub fn offer(place: &Place, verbose: u8) -> Result<(), Failure> {
    let path = place.messages();
    let failed =
        |error: std::io::Error| Failure::machine(format!("cannot serve {}: {error}", path.display()));
    // The session is this process's, so that what is there is of one that has ended.
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    let socket = UnixListener::bind(&path).map_err(failed)?;
    let messages = Arc::new(Messages { listeners: Mutex::default(), verbose });
    let accept = move || {
        for stream in socket.incoming() {
            let Ok(mut stream) = stream else {
                // Without descriptors there is nothing to accept for a while.
                std::thread::sleep(LOOK);
                continue;
            };
            // A place is taken only for one that will be served.
            let bounded = stream.set_write_timeout(Some(PATIENCE));
            let joined = match bounded {
                Ok(()) => {
                    messages.join().ok_or_else(|| format!("{LISTENERS} programs read its messages already"))
                }
                Err(error) => Err(format!("what is written to it has no bound in time: {error}")),
            };
            let listener = match joined {
                Ok(listener) => listener,
                Err(why) => {
                    let _is_read = stream.write_all(format!("{{\"refused\":{}}}\n", quote(&why)).as_bytes());
                    continue;
                }
            };
            let (all, own) = (Arc::clone(&messages), Arc::clone(&listener));
            let begun = stream.write_all(b"{\"begin\":1}\n").is_ok()
                && std::thread::Builder::new()
                    .name("mcp-session-trace".to_owned())
                    .spawn(move || all.serve(&own, &mut stream))
                    .is_ok();
            if !begun {
                messages.leave(&listener);
            }
        }
    };
    std::thread::Builder::new()
        .name("mcp-session-traces".to_owned())
        .spawn(accept)
        .map(|_| ())
        .map_err(failed)
}

/// The messages of a session as another process reads them.
#[derive(Debug)]
pub struct Heard {
    stream: UnixStream,
    state: Arc<State>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// What was read so far.
#[derive(Debug)]
struct State {
    /// Requests of the session that have no answer.
    last: Mutex<(Instant, i64)>,
    changed: Condvar,
    has_ended: AtomicBool,
}

/// Something that is said between a session and its server.
pub struct Said<'a> {
    pub at: Instant,
    pub what: What,
    pub is_sent: bool,
    pub text: &'a str,
    /// How many before it were not kept.
    pub lost: u64,
}

/// Begins to read what a session and its server say to each other.
///
/// # Errors
/// The session does not tell it.
pub fn hear(place: &Place, take: impl Fn(&Said<'_>) + Send + 'static) -> Result<Heard, Failure> {
    let name = place.name();
    let refused = |why: &str| {
        Failure::usage(format!(
            "the messages of the session '{name}' cannot be read: {why}; `mcp session stop {name}` and `mcp session start {name} …` \
             begin it again"
        ))
    };
    let stream = UnixStream::connect(place.messages()).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => refused("another version of this program keeps it"),
        _ => refused(&error.to_string()),
    })?;
    let mut lines = BufReader::new(stream.try_clone().map_err(|error| refused(&error.to_string()))?);
    stream.set_read_timeout(Some(PATIENCE)).map_err(|error| refused(&error.to_string()))?;
    let mut first = String::new();
    lines.by_ref().take(LINE).read_line(&mut first).map_err(|error| refused(&error.to_string()))?;
    if member(&first, "begin").is_none() {
        return Err(Failure::usage(format!(
            "the messages of the session '{name}' cannot be read: {}",
            member(&first, "refused").and_then(string).as_deref().unwrap_or("it ended")
        )));
    }
    stream.set_read_timeout(None).map_err(|error| refused(&error.to_string()))?;
    let state = Arc::new(State {
        last: Mutex::new((Instant::now(), 0)),
        changed: Condvar::new(),
        has_ended: AtomicBool::new(false),
    });
    let seen = Arc::clone(&state);
    let read = move || {
        let mut line = String::new();
        while lines.by_ref().take(LINE).read_line(&mut line).is_ok_and(|count| count > 0) {
            if let Some((is_request, is_answer)) = told(&line, &take) {
                let mut last = locked(&seen.last);
                *last = (Instant::now(), last.1 + i64::from(is_request) - i64::from(is_answer));
                seen.changed.notify_all();
            }
            line.clear();
        }
        seen.has_ended.store(true, Ordering::Relaxed);
        seen.changed.notify_all();
    };
    let thread = std::thread::Builder::new()
        .name("mcp-trace".to_owned())
        .spawn(read)
        .map_err(|error| Failure::machine(format!("no thread is left to read the messages: {error}")))?;
    Ok(Heard { stream, state, thread: Some(thread) })
}

/// Hands a line over; says whether it is a request of the session, and whether it is the answer to one.
fn told(line: &str, take: &impl Fn(&Said<'_>)) -> Option<(bool, bool)> {
    let number =
        |name: &str| member(line, name).and_then(|value| value.parse::<u64>().ok()).unwrap_or_default();
    let what = match member(line, "what").and_then(string)?.as_ref() {
        "http" => What::Http,
        _ => What::Message,
    };
    let is_sent = member(line, "sent") == Some("true");
    let text = member(line, "text").and_then(string)?;
    let at = Instant::now();
    let at = at.checked_sub(Duration::from_micros(number("ago"))).unwrap_or(at);
    take(&Said { at, what, is_sent, text: &text, lost: number("lost") });
    let (has_id, has_method) = (member(&text, "id").is_some(), member(&text, "method").is_some());
    let is_message = what == What::Message && has_id;
    Some((is_message && is_sent && has_method, is_message && !is_sent && !has_method))
}

impl Heard {
    /// Reads what was said until now: until every request has its answer and nothing more comes.
    pub fn end(mut self) {
        let until = Instant::now() + END;
        let mut last = locked(&self.state.last);
        loop {
            let now = Instant::now();
            let quiet = last.0 + QUIET;
            let has_ended = self.state.has_ended.load(Ordering::Relaxed);
            if has_ended || now >= until || (last.1 <= 0 && now >= quiet) {
                break;
            }
            let wait = if last.1 <= 0 { quiet.min(until) } else { until };
            let wait = wait.saturating_duration_since(now);
            last = self.state.changed.wait_timeout(last, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(last);
        // The thread reads the end then.
        let _is_closed = self.stream.shutdown(std::net::Shutdown::Both);
        if let Some(thread) = self.thread.take() {
            // A panic was reported where it happened.
            let _has_ended = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c27_what_waits_for_a_program_that_does_not_read_is_bounded_and_the_rest_is_counted() {
        let listener = Listener::default();
        let now = Instant::now();
        for _ in 0..LINES + 7 {
            listener.add(now, "\"x\":1".to_owned());
        }
        // What was not kept is told where it is missing: with the next line that has room.
        let lost_with = |line: Option<String>| line.and_then(|line| member(&line, "lost").map(str::to_owned));
        assert_eq!(lost_with(listener.next()).as_deref(), Some("0"));
        assert_eq!(locked(&listener.waiting).lines.len(), LINES - 1);
        listener.add(now, "\"x\":2".to_owned());
        for _ in 1..LINES {
            assert_eq!(lost_with(listener.next()).as_deref(), Some("0"));
        }
        assert_eq!(lost_with(listener.next()).as_deref(), Some("7"));
        let large = Listener::default();
        large.add(now, " ".repeat(BYTES));
        large.add(now, " ".to_owned());
        let waiting = locked(&large.waiting);
        assert_eq!((waiting.lines.len(), waiting.lost), (1, 1));
    }

    #[test]
    fn c27_what_the_library_dropped_is_counted_for_each_program_also_where_the_next_frame_is_not_told() {
        let messages = Messages::default();
        let listeners = [Arc::new(Listener::default()), Arc::new(Listener::default())];
        locked(&messages.listeners).extend(listeners.iter().cloned());
        for (session, dropped) in [(Some(1), 3), (None, 2), (None, 0)] {
            let (client, at, text) = ("", Instant::now(), &b"{}"[..]);
            messages.frame(&Frame { client, session, is_sent: true, at, text, dropped });
        }
        for listener in listeners {
            for lost in ["5", "0"] {
                let line = listener.next().expect("a line");
                assert_eq!((member(&line, "lost"), member(&line, "text")), (Some(lost), Some("\"{}\"")));
            }
            assert!(locked(&listener.waiting).lines.is_empty());
        }
    }

    #[test]
    fn c27_programs_read_what_is_said_while_they_are_there_and_no_more_than_a_few_at_one_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Place::at(folder.path(), "x");
        assert!(hear(&place, |_| ()).expect_err("no session").text().contains("session start x"));
        offer(&place, 0).expect("offered");
        let all: Vec<_> = (0..LISTENERS).map(|_| hear(&place, |_| ()).expect("heard")).collect();
        let why = hear(&place, |_| ()).expect_err("too many").text();
        assert!(why.contains("4 programs"), "{why}");
        all.into_iter().for_each(Heard::end);
        // The places of those that have left are free again, which takes a look at each.
        let until = Instant::now() + Duration::from_secs(60);
        while hear(&place, |_| ()).map(Heard::end).is_err() {
            assert!(Instant::now() < until, "no place became free");
            std::thread::yield_now();
        }
    }

    #[test]
    fn c27_a_line_is_told_and_requests_are_paired_with_their_answers() {
        for (text, is_sent, paired) in [
            (r#"{"id":1,"method":"ping"}"#, true, (true, false)),
            (r#"{"id":1,"result":{}}"#, false, (false, true)),
            (r#"{"method":"notifications/x"}"#, true, (false, false)),
            // A question of the server, and what is answered.
            (r#"{"id":1,"method":"ping"}"#, false, (false, false)),
            (r#"{"id":1,"result":{}}"#, true, (false, false)),
            ("no message", false, (false, false)),
        ] {
            let messages = Messages::default();
            let listener = Arc::new(Listener::default());
            locked(&messages.listeners).push(Arc::clone(&listener));
            messages.tell(Instant::now(), What::Message, is_sent, text);
            let line = listener.next().expect("a line");
            let seen = Mutex::new(None);
            let take =
                |said: &Said<'_>| *locked(&seen) = Some((said.text.to_owned(), said.is_sent, said.lost));
            assert_eq!(told(&line, &take), Some(paired), "{text}");
            assert_eq!(locked(&seen).take(), Some((text.to_owned(), is_sent, 0)));
        }
    }
}
