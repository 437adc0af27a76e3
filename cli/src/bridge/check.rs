//! `--check`: a program on standard streams that sees each request for a server, its outcome and the questions of servers before they go
//! on, one JSON object a line. It lets each pass, changes or refuses it. One that fails, is late or writes something else refuses.

use crate::failure::Failure;
use crate::group::Group;
use crate::output::{Screen, one_line};
use mcp::client::Queue;
use mcp::client::json_text::{Kind, elements, kind, member, members, quote, string};
use rustix::process::Signal;
use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The messages that wait for the program at most, and their bytes. Further ones are refused.
const MOST: usize = 10_000;
const BYTES: usize = 128 << 20;
/// The largest line of the program.
const LINE: u64 = 64 << 20;
/// How deep a message may nest: the most that `limits.json_depth` allows.
const DEPTH: usize = 1000;
/// What it has to end after its input was closed.
const GRACE: Duration = Duration::from_secs(1);

/// What the program says of a message.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    /// The message with these parameters, this result or this error: JSON text.
    Change(String),
    Refuse(String),
}

/// A message that the program is shown.
#[derive(Debug)]
pub struct Shown<'a> {
    /// `client` or `server`: who sent it.
    pub from: &'static str,
    /// The server that it is for or from.
    pub server: &'a str,
    pub method: &'a str,
    /// `params`, `result` or `error`, and its JSON text.
    pub what: &'static str,
    pub json: &'a str,
    /// For an outcome or a question, the number of the request that it belongs to.
    pub request: Option<u64>,
}

/// What the threads have to say.
#[derive(Debug, Default)]
struct Heard {
    lines: Vec<String>,
    bytes: usize,
    /// Why no more come.
    ended: Option<String>,
}

impl Heard {
    /// Takes a line, unless more wait than there can be verdicts for.
    fn add(&mut self, line: &str) -> bool {
        self.bytes += line.len();
        let has_room = self.lines.len() < MOST && self.bytes <= BYTES;
        if has_room {
            self.lines.push(line.to_owned());
        }
        has_room
    }
}

/// A message that waits for its verdict.
#[derive(Debug)]
struct Pending<T> {
    what: &'static str,
    /// `None` is without a limit.
    until: Option<Instant>,
    bytes: usize,
    message: T,
}

/// The program, and the messages (`T`) that wait for it.
#[derive(Debug)]
pub struct Checker<T> {
    child: Child,
    group: Option<Group>,
    lines: Option<Sender<Vec<u8>>>,
    /// Bytes that the thread of its input has not written yet.
    unwritten: Arc<AtomicUsize>,
    heard: Arc<Mutex<Heard>>,
    ended: Option<String>,
    limit: Duration,
    next: u64,
    pending: BTreeMap<u64, Pending<T>>,
    bytes: usize,
}

impl<T> Checker<T> {
    /// Starts the program; `queue` is woken when it says something.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(line: &str, limit: Duration, queue: &Arc<Queue>) -> Result<Checker<T>, Failure> {
        let words = shlex::split(line).filter(|words| !words.is_empty()).ok_or_else(|| {
            Failure::usage(format!("--check {}: a quote has no end, or there is no program", one_line(line)))
        })?;
        let (program, arguments) =
            words.split_first().ok_or_else(|| Failure::usage("--check: no program"))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let failed = |error: std::io::Error| {
            Failure::usage(format!("--check {}: it cannot be started: {error}", one_line(line)))
        };
        // Ctrl-C is for the bridge.
        let (mut child, group) = Group::spawn(&mut command).map_err(failed)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (lines, written) = channel::<Vec<u8>>();
        let unwritten = Arc::new(AtomicUsize::new(0));
        let checker = Checker {
            child,
            group,
            lines: Some(lines),
            unwritten: Arc::clone(&unwritten),
            heard: Arc::default(),
            ended: None,
            limit,
            next: 1,
            pending: BTreeMap::new(),
            bytes: 0,
        };
        let heard = Arc::clone(&checker.heard);
        let queue = Arc::downgrade(queue);
        let tell = move |change: &dyn Fn(&mut Heard) -> bool| {
            let goes_on = change(&mut heard.lock().unwrap_or_else(PoisonError::into_inner));
            if let Some(queue) = queue.upgrade() {
                queue.wake();
            }
            goes_on
        };
        if let (Some(mut stdin), Some(stdout)) = (stdin, stdout) {
            thread("mcp-check-input", move || {
                while let Ok(line) = written.recv() {
                    // One that reads no more is late, or has ended, which the other thread says.
                    let is_written = stdin.write_all(&line).and_then(|()| stdin.flush()).is_ok();
                    unwritten.fetch_sub(line.len(), Ordering::Relaxed);
                    if !is_written {
                        break;
                    }
                }
            })
            .and_then(|()| {
                thread("mcp-check-output", move || {
                    let why = read(BufReader::new(stdout), |line| tell(&|heard| heard.add(line)));
                    tell(&|heard| {
                        heard.ended = Some(why.clone());
                        false
                    });
                })
            })
            .map_err(failed)?;
        }
        Ok(checker)
    }

    /// Shows the program a message, which waits for the verdict; gives it back with the reason if it is refused at once.
    pub fn submit(&mut self, shown: &Shown<'_>, message: T, now: Instant) -> Result<u64, (T, String)> {
        if let Some(name) = twice(shown.json) {
            let name = one_line(&name);
            return Err((
                message,
                format!("'{name}' is there twice in one object, which readers take in different ways"),
            ));
        }
        let id = self.next;
        let request = shown.request.map_or_else(String::new, |request| format!(",\"request\":{request}"));
        // A message on one line stays on one line, also for a program that ends lines at a carriage return.
        let json = shown.json.replace(['\n', '\r'], " ");
        let line = format!(
            "{{\"id\":{id},\"from\":\"{}\",\"server\":{},\"method\":{},\"{}\":{}{request}}}\n",
            shown.from,
            quote(shown.server),
            quote(shown.method),
            shown.what,
            json
        );
        if let Some(why) = &self.ended {
            return Err((message, why.clone()));
        }
        let bytes = line.len();
        let unwritten = self.unwritten.load(Ordering::Relaxed);
        if self.pending.len() >= MOST || self.bytes.max(unwritten).saturating_add(bytes) > BYTES {
            return Err((message, "too much waits for the program of --check".to_owned()));
        }
        self.unwritten.fetch_add(bytes, Ordering::Relaxed);
        if self.lines.as_ref().is_none_or(|lines| lines.send(line.into_bytes()).is_err()) {
            return Err((message, "the program of --check reads nothing more".to_owned()));
        }
        self.next += 1;
        self.bytes += bytes;
        let until = (!self.limit.is_zero()).then(|| now + self.limit);
        self.pending.insert(id, Pending { what: shown.what, until, bytes, message });
        Ok(id)
    }

    /// When the oldest message has waited too long.
    pub fn first(&self) -> Option<Instant> {
        self.pending.first_key_value().and_then(|(_, pending)| pending.until)
    }

    /// Drops the messages that nothing waits for any more.
    pub fn retain(&mut self, is_wanted: impl Fn(&T) -> bool) {
        self.pending.retain(|_, pending| is_wanted(&pending.message));
        self.bytes = self.pending.values().map(|pending| pending.bytes).sum();
    }

    /// The messages that have their verdicts, the oldest first; a program that ended or is late has refused.
    pub fn judged(&mut self, now: Instant) -> Vec<(u64, T, Verdict)> {
        let mut judged = Vec::new();
        let Heard { lines, ended, .. } =
            std::mem::take(&mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner));
        for line in lines {
            match self.judge(&line) {
                Ok(one) => judged.extend(one),
                Err(why) => {
                    self.end(&format!("the program of --check wrote something else than a verdict: {why}"));
                    break;
                }
            }
        }
        if let Some(why) = ended {
            self.end(&why);
        }
        if self.ended.is_some() {
            let why = self.ended.clone().unwrap_or_default();
            let all = std::mem::take(&mut self.pending);
            judged.extend(all.into_iter().map(|(id, one)| (id, one.message, Verdict::Refuse(why.clone()))));
            self.bytes = 0;
        }
        let is_late = |until: Option<Instant>| until.is_some_and(|until| until <= now);
        while let Some(late) = self.pending.first_entry().filter(|first| is_late(first.get().until)) {
            let (id, late) = late.remove_entry();
            self.bytes -= late.bytes;
            let why = format!("the program of --check said nothing of it for {} s", self.limit.as_secs_f64());
            judged.push((id, late.message, Verdict::Refuse(why)));
        }
        judged
    }

    /// Reads a verdict; `None` if nothing waits for it any more.
    fn judge(&mut self, line: &str) -> Result<Option<(u64, T, Verdict)>, String> {
        let _valid: serde::de::IgnoredAny =
            serde_json::from_str(line).map_err(|error| format!("a line is not valid JSON: {error}"))?;
        let id = member(line, "id").and_then(|id| id.parse::<u64>().ok());
        let id =
            id.filter(|id| *id < self.next).ok_or("a line has no \"id\" of a message that it was shown")?;
        let Some(pending) = self.pending.get(&id) else { return Ok(None) };
        let what = pending.what;
        let action = member(line, "action").and_then(string).ok_or("a line has no \"action\"")?;
        let verdict = match action.as_ref() {
            "pass" => Verdict::Pass,
            "refuse" => {
                let why = member(line, "reason").and_then(string);
                Verdict::Refuse(
                    why.map_or_else(|| "refused by --check".to_owned(), std::borrow::Cow::into_owned),
                )
            }
            "change" => match member(line, what).filter(|it| kind(it) == Some(Kind::Object)) {
                Some(new) => Verdict::Change(new.to_owned()),
                None => {
                    return Err(format!(
                        "\"change\" of a message with \"{what}\" needs this member, an object"
                    ));
                }
            },
            other => {
                return Err(format!("the action \"{}\" is not pass, change or refuse", one_line(other)));
            }
        };
        let Some(pending) = self.pending.remove(&id) else { return Ok(None) };
        self.bytes -= pending.bytes;
        Ok(Some((id, pending.message, verdict)))
    }

    /// From now on everything is refused.
    fn end(&mut self, why: &str) {
        if self.ended.is_none() {
            Screen::said(format!("{}; from now on everything is refused", one_line(why)));
            self.ended = Some(why.to_owned());
            self.lines = None;
        }
    }
}

impl<T> Drop for Checker<T> {
    fn drop(&mut self) {
        // The end of its input tells it to end; what does not is killed.
        self.lines = None;
        let deadline = Instant::now() + GRACE;
        while Instant::now() < deadline && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(5));
        }
        if let Some(group) = &self.group {
            group.signal(Signal::KILL);
        }
        let _status = self.child.wait();
    }
}

/// A member that an object in the JSON has twice, however its name is written: what judges it could take another one than its receiver reads.
pub fn twice(json: &str) -> Option<String> {
    twice_within(json, DEPTH)
}

/// What nests deeper is its own name for that.
fn twice_within(json: &str, depth: usize) -> Option<String> {
    let Some(depth) = depth.checked_sub(1) else { return Some("...".to_owned()) };
    match kind(json) {
        Some(Kind::Object) => {
            let mut seen = HashSet::new();
            members(json).find_map(|(written, value)| {
                let name = string(&format!("\"{written}\"")).unwrap_or_default().into_owned();
                if seen.insert(name.clone()) { twice_within(value, depth) } else { Some(name) }
            })
        }
        Some(Kind::Array) => elements(json).find_map(|value| twice_within(value, depth)),
        _ => None,
    }
}

/// Reads lines of bounded length to the end, or until one finds no room; gives the reason.
fn read(mut from: impl std::io::BufRead, mut each: impl FnMut(&str) -> bool) -> String {
    let mut line = Vec::new();
    loop {
        line.clear();
        match Read::by_ref(&mut from).take(LINE).read_until(b'\n', &mut line) {
            Ok(0) => return "the program of --check has ended".to_owned(),
            Ok(_) if !line.ends_with(b"\n") && line.len() as u64 >= LINE => {
                return format!("the program of --check wrote a line of more than {LINE} bytes");
            }
            Ok(_) => {
                let text = String::from_utf8_lossy(&line);
                if !text.trim().is_empty() && !each(text.trim()) {
                    return format!(
                        "the program of --check wrote more than {MOST} lines or {BYTES} bytes before they were read"
                    );
                }
            }
            Err(error) => return format!("the program of --check cannot be read: {error}"),
        }
    }
}

fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcp::client::{Overflow, Polled, QueueLimits, poll_queue};

    const LIMIT: Duration = Duration::from_secs(60);

    fn queue() -> Arc<Queue> {
        Queue::new(QueueLimits { messages: 10, bytes: 1 << 20, overflow: Overflow::DropOldest })
    }

    fn shown(json: &str) -> Shown<'_> {
        Shown { from: "client", server: "files", method: "tools/call", what: "params", json, request: None }
    }

    /// What a program says of one message.
    fn of(program: &str, json: &str) -> Verdict {
        let queue = queue();
        let mut checker =
            Checker::start(&format!("sh -c {}", shlex::try_quote(program).expect("a word")), LIMIT, &queue)
                .expect("it starts");
        let mut judged = match checker.submit(&shown(json), "message", Instant::now()) {
            Err((_, why)) => return Verdict::Refuse(why),
            Ok(_) => Vec::new(),
        };
        while judged.is_empty() {
            assert!(matches!(poll_queue(&queue, Some(LIMIT)), Polled::Woken), "it is woken");
            judged = checker.judged(Instant::now());
        }
        assert_eq!((judged.len(), judged[0].1), (1, "message"));
        judged.remove(0).2
    }

    #[test]
    fn a_program_passes_changes_and_refuses_and_whatever_else_it_does_refuses() {
        for (program, verdict) in [
            (r#"read x; echo '{"id":1,"action":"pass"}'; read x"#, Ok(Verdict::Pass)),
            (
                r#"read x; echo '{"id":1,"action":"change","params":{"name":"b"}}'; read x"#,
                Ok(Verdict::Change(r#"{"name":"b"}"#.to_owned())),
            ),
            (
                r#"read x; echo '{"id":1,"action":"refuse","reason":"no"}'; read x"#,
                Ok(Verdict::Refuse("no".to_owned())),
            ),
            (
                r#"read x; case "$x" in *'"server":"files","method":"tools/call","params":{"name":"a"}}') echo '{"id":1,"action":"pass"}';; esac; read x"#,
                Ok(Verdict::Pass),
            ),
            ("exit 3", Err("has ended")),
            ("read x; exit 0", Err("has ended")),
            ("read x; echo hello; read x", Err("not valid JSON")),
            (r#"read x; echo '{"id":1}'; read x"#, Err("no \"action\"")),
            (r#"read x; echo '{"id":7,"action":"pass"}'; read x"#, Err("no \"id\" of a message")),
            (r#"read x; echo '{"id":1,"action":"allow"}'; read x"#, Err("\"allow\" is not pass")),
            (r#"read x; echo '{"id":1,"action":"change","result":{}}'; read x"#, Err("needs this member")),
        ] {
            let said = of(program, r#"{"name":"a"}"#);
            match (said, verdict) {
                (Verdict::Refuse(why), Err(part)) => assert!(why.contains(part), "{program}: {why}"),
                (said, verdict) => assert_eq!(Ok(said), verdict, "{program}"),
            }
        }
        assert!(Checker::<()>::start("/no/such/program", LIMIT, &queue()).is_err());
        assert!(Checker::<()>::start("'", LIMIT, &queue()).is_err());
    }

    #[test]
    fn one_that_hangs_refuses_in_time_and_is_killed() {
        let queue = queue();
        let mut checker = Checker::start("sh -c 'while :; do wait; done'", LIMIT, &queue).expect("it starts");
        let now = Instant::now();
        checker.submit(&shown("{}"), 1, now).expect("it waits");
        checker.submit(&shown("{}"), 2, now + LIMIT / 2).expect("it waits");
        assert_eq!(checker.first(), Some(now + LIMIT));
        assert!(checker.judged(now).is_empty());
        let judged = checker.judged(now + LIMIT);
        let [(1, 1, Verdict::Refuse(why))] = &judged[..] else { panic!("{judged:?}") };
        assert!(why.contains("said nothing of it for 60 s"), "{why}");
        checker.retain(|message| *message != 2);
        assert_eq!((checker.first(), checker.bytes), (None, 0));
        let group = checker.group.as_ref().map(Group::pid);
        drop(checker);
        let there = group.map(rustix::process::test_kill_process_group);
        assert!(matches!(there, Some(Err(_))), "{there:?}");
    }

    #[test]
    fn one_without_a_limit_is_waited_for() {
        let mut checker =
            Checker::start("sh -c 'while :; do wait; done'", Duration::ZERO, &queue()).expect("it starts");
        let now = Instant::now();
        checker.submit(&shown("{}"), 1, now).expect("it waits");
        assert_eq!((checker.first(), checker.judged(now + 1000 * LIMIT).len()), (None, 0));
    }

    #[test]
    fn what_waits_is_bounded() {
        let mut checker =
            Checker::start("sh -c 'while :; do wait; done'", LIMIT, &queue()).expect("it starts");
        let large = format!("{{\"x\":\"{}\"}}", "y".repeat(40 << 20));
        let sent: Vec<bool> =
            (0..4).map(|one| checker.submit(&shown(&large), one, Instant::now()).is_ok()).collect();
        assert_eq!(sent, [true, true, true, false]);
        for line in ["{}".to_owned(), "x".repeat(BYTES / 3)] {
            let mut heard = Heard::default();
            let why =
                read(format!("{line}\n").repeat(MOST.min(4 * BYTES / line.len()) + 1).as_bytes(), |line| {
                    heard.add(line)
                });
            assert!(why.contains("before they were read"), "{why}");
        }
    }

    #[test]
    fn an_object_with_a_member_twice_is_refused_and_not_shown() {
        let program = r#"read x; echo '{"id":1,"action":"pass"}'; read x"#;
        for (json, name) in [
            (r#"{"name":"a","arguments":{"path":"/ok","path":"/etc/shadow"}}"#, "path"),
            (r#"{"name":"a","arguments":{"n":[1,{"p\u0061th":"/ok","path":"/x"}]}}"#, "path"),
            (r#"{"a":1,"a":1}"#, "a"),
        ] {
            let Verdict::Refuse(why) = of(program, json) else { panic!("{json} passes") };
            assert!(why.contains(&format!("'{name}' is there twice")), "{why}");
        }
        for json in
            [r#"{"a":{"path":1},"b":{"path":1}}"#, r#"{"a":[{"b":1},{"b":1}],"A":"{\"b\":1,\"b\":2}"}"#]
        {
            assert_eq!(of(program, json), Verdict::Pass, "{json}");
        }
        let deep = format!("{{\"x\":{}{}}}", "[".repeat(DEPTH), "]".repeat(DEPTH));
        assert!(matches!(of(program, &deep), Verdict::Refuse(_)));
    }

    #[test]
    fn a_message_of_several_lines_is_shown_on_one() {
        let program =
            r#"read x; case "$x" in *'"name":  "a" }}') echo '{"id":1,"action":"pass"}';; esac; read x"#;
        for json in ["{\"name\":\n \"a\"\n}", "{\"name\":\r \"a\"\r}", "{\"name\":\r\n\"a\" }"] {
            assert_eq!(of(program, json), Verdict::Pass, "{json:?}");
        }
    }
}
