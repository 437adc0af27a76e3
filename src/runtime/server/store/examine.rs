//! What a store lacks for the processes of a server, in words with the fix: looked at once, before or beside a server that uses it.

use super::redis::{LONG_LIFE, MARK, command, mark_of};
use super::resp::{Connection, Reply, StoreAddress, packed};
use super::{Bound, Port, Purpose, StoreUser, has_adapter, open};
use crate::engine::seal::KeyRing;
use crate::engine::server::{Expected, Operation, StoreOutcome, StoreStatus, Ticket};
use crate::protocol::address::{MASK, without_password};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::{SecureRandom as _, SystemRandom};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The oldest version of Redis that has every command: `XRANGE` with a start that is not given itself.
const OLDEST: (u32, u32) = (6, 2);
/// What a user of Redis needs the right to.
const RIGHTS: &str = "permit the user INFO, EVAL, TIME, PING, PUBLISH, SUBSCRIBE, UNSUBSCRIBE, GET, SET, DEL, EXISTS, EXPIRE, PEXPIRE, \
HGET, HMGET, HSET, XADD, XRANGE and XREVRANGE on keys and channels that begin with mcp1:";
/// Removes what was tried. KEYS: all of it.
const REMOVE: &str = "return redis.call('DEL',unpack(KEYS))";
/// How far the clock of a store may be from this machine's before it is told.
const APART: u64 = 60;
/// How often the time of one round trip is taken.
const TRIPS: usize = 20;
/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoreGrade {
    /// As it should be.
    Good,
    /// It works, and could be better.
    Advice,
    /// The store is not there: whether it can be used is not known.
    Away,
    /// The store is there and cannot be used.
    Fault,
}

/// One thing about a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoreFinding {
    /// How bad it is.
    pub grade: StoreGrade,
    /// What was found; no password.
    pub what: String,
    /// How to mend it; empty for what is good.
    pub fix: &'static str,
}

/// A store at a URL, as it is now.
#[derive(Debug)]
pub struct StoreExamined {
    /// Where it is, without what is secret.
    pub place: String,
    /// What was found.
    pub findings: Vec<StoreFinding>,
}

impl StoreExamined {
    fn add(&mut self, grade: StoreGrade, what: impl Into<String>, fix: &'static str) {
        self.findings.push(StoreFinding { grade, what: what.into(), fix });
    }
}

/// Connects to a store, within a time, and says what it lacks for a server with names in `space`.
///
/// # Errors
/// What is wrong with the URL, and nothing of what it says.
pub fn examine_store(
    url: &str,
    ca_file: Option<PathBuf>,
    space: &str,
    timeout: Duration,
) -> Result<StoreExamined, String> {
    if has_adapter(url) {
        return examine_adapter(url, ca_file, space, timeout);
    }
    let mut address = StoreAddress::parse(url)?;
    address.ca_file = ca_file;
    let mut examined = StoreExamined { place: address.to_string(), findings: Vec::new() };
    let until = Instant::now() + timeout;
    let opened = address
        .resolve()
        .and_then(|resolved| Connection::open(&address, &resolved, until).map(|it| (it, resolved)));
    let (mut connection, resolved) = match opened {
        Ok(opened) => opened,
        Err(why) => {
            let (grade, fix) = refusal(&why);
            examined.add(grade, why, fix);
            return Ok(examined);
        }
    };
    let info = match connection.ask(&["INFO"], until) {
        Ok(Reply::Text(info)) => info,
        Ok(other) => {
            let why = format!("INFO was {}", unlike(&other));
            let (_, fix) = refusal(&why);
            examined.add(StoreGrade::Fault, why, fix);
            return Ok(examined);
        }
        Err(why) => {
            let (grade, fix) = refusal(&why);
            examined.add(grade, why, fix);
            return Ok(examined);
        }
    };
    about(&info, &mut examined);
    let is_near = resolved.iter().all(|place| place.ip().is_loopback());
    protection(&address, is_near, &mut examined);
    commands(&mut connection, space, until, &mut examined);
    trips(&mut connection, until, &mut examined);
    Ok(examined)
}

/// What systems say of an answer that did not come in time.
const LATE: &[&str] = &["temporarily unavailable", "timed out", "connected party did not properly respond"];

/// Why a reply is not the one that was asked for.
fn unlike(reply: &Reply) -> String {
    match reply {
        Reply::Refused(why) => format!("refused: {why}"),
        other => other.unexpected(),
    }
}

/// How bad it is that no connection came about, and what helps.
fn refusal(why: &str) -> (StoreGrade, &'static str) {
    let has = |words: &[&str]| words.iter().any(|word| why.contains(word));
    if has(&["WRONGPASS", "NOAUTH", "AUTH was refused"]) {
        return (StoreGrade::Fault, "give the user and the password in the URL, before the host");
    }
    if has(&["NOPERM"]) {
        return (StoreGrade::Fault, RIGHTS);
    }
    if has(&["LOADING", "BUSY"]) {
        return (StoreGrade::Away, "wait until it has loaded its data");
    }
    if has(&["certificate", "UnknownIssuer"]) {
        return (
            StoreGrade::Fault,
            "name the host of its certificate, and give the authority that signed it",
        );
    }
    if has(&["corrupt message", "InvalidContentType"]) {
        return (
            StoreGrade::Fault,
            "it speaks no TLS at this port: use redis:// instead of rediss://, or its port with TLS",
        );
    }
    if has(&["DB index", "SELECT was refused"]) {
        return (StoreGrade::Fault, "name a database that it has behind the host");
    }
    if why.starts_with("TLS with") && has(LATE) {
        return (
            StoreGrade::Away,
            "use redis:// instead of rediss:// if it speaks no TLS at this port; else it does not answer",
        );
    }
    if has(&["connecting to", "has no address", "was not found"]) {
        return (StoreGrade::Away, "start it, or correct the host and the port");
    }
    if has(LATE) {
        return (StoreGrade::Away, "it does not answer: look at its load, or whether it is stopped");
    }
    if has(&["failed: "]) {
        return (
            StoreGrade::Fault,
            "check that Redis or Valkey is at this port, and rediss:// where it wants TLS",
        );
    }
    (StoreGrade::Fault, "check that Redis 6.2 or newer, or Valkey, is at this port")
}

/// What it says of itself.
fn about(info: &str, examined: &mut StoreExamined) {
    let of = |name: &str| {
        let line = info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.map_or("", str::trim)
    };
    let version = of("redis_version");
    let mut parts = version.split('.').map_while(|part| part.parse::<u32>().ok());
    let number = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    let name = if of("server_name") == "valkey" { "Valkey" } else { "Redis" };
    let shown = if name == "Valkey" { of("valkey_version") } else { version };
    if number >= OLDEST {
        examined.add(StoreGrade::Good, format!("{name} {shown} is there"), "");
    } else {
        let what = format!("{name} {shown} lacks XRANGE after a place");
        examined.add(StoreGrade::Fault, what, "use Redis 6.2 or newer, or Valkey");
    }
    match of("role") {
        "master" => examined.add(StoreGrade::Good, "it is the primary", ""),
        other => {
            let what = format!("its role is '{other}', which takes no writes");
            examined.add(StoreGrade::Fault, what, "name the primary");
        }
    }
    match of("maxmemory_policy") {
        "noeviction" => examined.add(StoreGrade::Good, "it forgets nothing before its time", ""),
        other => {
            let what = format!("its maxmemory-policy is '{other}', which forgets what was used");
            examined.add(StoreGrade::Fault, what, "set maxmemory-policy noeviction");
        }
    }
    if of("aof_enabled") == "1" {
        examined.add(StoreGrade::Good, "it writes what it acknowledges into a file (appendonly)", "");
    } else {
        examined.add(
            StoreGrade::Advice,
            "after a restart it has nothing: questions that clients were asked before cannot be answered",
            "set appendonly yes to keep what it has; the questions are refused in any case",
        );
    }
}

fn protection(address: &StoreAddress, is_near: bool, examined: &mut StoreExamined) {
    let (is_tls, has_password) = address.protection();
    if is_near {
        return;
    }
    if is_tls {
        examined.add(StoreGrade::Good, "the connection is protected by TLS", "");
    } else {
        let what = "it is on another machine, and the connection is not encrypted";
        examined.add(StoreGrade::Advice, what, "use rediss://, or only a network that no other reaches");
    }
    if !has_password {
        let what = "it is on another machine, and asks for no password";
        examined.add(StoreGrade::Advice, what, "set requirepass or users, and give them in the URL");
    }
}

/// Runs what a server runs, on names of its own that are gone afterwards.
fn commands(connection: &mut Connection, space: &str, until: Instant, examined: &mut StoreExamined) {
    let mut random = [0; 16];
    // Names: equal ones would only be there already.
    let _filled = SystemRandom::new().fill(&mut random);
    let prefix = format!("mcp1:{{{space}}}:doctor:{}:", URL_SAFE_NO_PAD.encode(random));
    let tried = tried(connection, &prefix, until);
    let removed = remove(connection, &prefix, until);
    // Last: who may subscribe and not unsubscribe can do nothing more on this connection.
    let all = tried
        .and_then(|there| removed.map(|_| there))
        .and_then(|there| tried_messages(connection, &prefix, until).map(|()| there));
    match all {
        Ok(there) => {
            examined.add(StoreGrade::Good, "every command that a server needs is permitted", "");
            let here = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
            let apart = there.abs_diff(here);
            if apart > APART {
                let what = format!("its clock is {apart} s from that of this machine");
                let fix = "set both by NTP: what clients were asked expires by the later one";
                examined.add(StoreGrade::Advice, what, fix);
            }
        }
        Err(Untried::Refused(what)) => examined.add(StoreGrade::Fault, what, RIGHTS),
        Err(Untried::Failed(why)) => {
            let (grade, fix) = refusal(&why);
            examined.add(grade, why, fix);
        }
    }
}

/// Why something could not be tried.
enum Untried {
    /// The store does not do it.
    Refused(String),
    /// There was no reply.
    Failed(String),
}

/// Sends commands and has one reply, which must be a good one.
fn good(
    connection: &mut Connection,
    what: &str,
    commands: &[u8],
    until: Instant,
    is_good: impl Fn(&Reply) -> bool,
) -> Result<Reply, Untried> {
    let failed = |error| Untried::Failed(format!("{what} failed: {error}"));
    connection.send(commands, until).map_err(failed)?;
    match connection.reply(until).map_err(failed)? {
        reply if is_good(&reply) => Ok(reply),
        other => Err(Untried::Refused(format!("{what} was {}", unlike(&other)))),
    }
}

/// Removes what was tried below a prefix, if there is something.
fn remove(connection: &mut Connection, prefix: &str, until: Instant) -> Result<Reply, Untried> {
    let mut commands = Vec::new();
    let [key, stream, last] = ["key", "stream", "last"].map(|name| format!("{prefix}{name}"));
    packed(&["EVAL", REMOVE, "4", &key, &stream, &last, &mark_of(prefix)], &mut commands);
    let what = format!("removing keys that begin with {prefix}");
    good(connection, &what, &commands, until, |reply| matches!(reply, Reply::Number(_)))
}

/// Does all that a server does with keys, by its own scripts. Gives the time of the store.
fn tried(connection: &mut Connection, prefix: &str, until: Instant) -> Result<u64, Untried> {
    // First: what could not be removed is not made.
    remove(connection, prefix, until)?;
    let mut commands = Vec::new();
    packed(&["EVAL", MARK, "1", &mark_of(prefix), "doctor", LONG_LIFE], &mut commands);
    let what = format!("a script on keys that begin with {prefix}");
    good(connection, &what, &commands, until, |reply| matches!(reply, Reply::Text(_)))?;
    let mut there = 0;
    for (name, operation) in on_keys(prefix) {
        commands.clear();
        command(&operation, prefix, "doctor", &mut commands);
        let what = format!("{name} on keys that begin with {prefix}");
        let is_done = |reply: &Reply| matches!(reply, Reply::List(parts) if matches!(parts.as_slice(), [Reply::Number(1), Reply::Number(_), ..]));
        let reply = good(connection, &what, &commands, until, is_done)?;
        if let Reply::List(parts) = reply
            && let Some(Reply::Number(time)) = parts.get(1)
        {
            there = u64::try_from(*time).unwrap_or(0) / 1000;
        }
    }
    Ok(there)
}

/// Each operation on keys that begin with `prefix`, once: what one writes the next one finds.
fn on_keys(prefix: &str) -> [(&'static str, Operation); 5] {
    let life = Duration::from_secs(60);
    let [key, stream]: [Box<str>; 2] = ["key", "stream"].map(|name| format!("{prefix}{name}").into());
    let put = |value: Option<Vec<u8>>, expected| Operation::Put { key: key.clone(), value, expected, life };
    [
        ("claiming", put(Some(vec![1]), Expected::Absent)),
        ("getting", Operation::Get { key: key.clone() }),
        ("deleting", put(None, Expected::Any)),
        ("appending", Operation::Append { stream: stream.clone(), entry: vec![1], place: 1, most: 1, life }),
        ("reading", Operation::Read { stream, after: 0, most: 1, bytes: 1 }),
    ]
}

/// Sends a message, and begins and ends a watch.
fn tried_messages(connection: &mut Connection, prefix: &str, until: Instant) -> Result<(), Untried> {
    let channel: Box<str> = format!("{prefix}channel").into();
    let mut commands = Vec::new();
    command(&Operation::Publish { channel: channel.clone(), data: vec![1] }, prefix, "", &mut commands);
    let what = format!("publishing on channels that begin with {prefix}");
    good(connection, &what, &commands, until, |reply| matches!(reply, Reply::Number(_)))?;
    for name in ["SUBSCRIBE", "PING", "UNSUBSCRIBE"] {
        commands.clear();
        let words: &[&str] = &[name, &channel];
        packed(words.get(..if name == "PING" { 1 } else { 2 }).unwrap_or(words), &mut commands);
        let what = format!("{name} on channels that begin with {prefix}");
        good(connection, &what, &commands, until, |reply| matches!(reply, Reply::List(_)))?;
    }
    Ok(())
}

/// What a round trip takes.
fn trips(connection: &mut Connection, until: Instant, examined: &mut StoreExamined) {
    let mut times = Vec::with_capacity(TRIPS);
    for _ in 0..TRIPS {
        let begun = Instant::now();
        // What went wrong was told before.
        let Ok(Reply::List(_)) = connection.ask(&["TIME"], until) else { return };
        times.push(begun.elapsed());
    }
    mcp_core::sorted::order(&mut times);
    if let Some(middle) = times.get(TRIPS / 2) {
        examined.add(StoreGrade::Good, format!("a round trip takes {} µs", middle.as_micros()), "");
    }
}

/// Where a store is, without what is secret.
fn place_of(url: &str) -> String {
    let told = without_password(url);
    told.split('?').next().unwrap_or_default().replacen(&format!("{MASK}@"), "", 1)
}

/// Who hears what an adapter tells.
enum Heard {
    Outcome(StoreOutcome),
    Event,
    Ready(Result<(), String>),
}

struct Hears(Sender<Heard>);

impl Hears {
    fn tell(&self, heard: Heard) {
        // What comes after the last question is for no ears.
        let _is_heard = self.0.send(heard);
    }
}

impl StoreUser for Hears {
    fn stored(&self, _: Purpose, outcome: StoreOutcome) {
        self.tell(Heard::Outcome(outcome));
    }

    fn event(&self, _: &str, data: Option<&[u8]>) {
        if data.is_some() {
            self.tell(Heard::Event);
        }
    }

    fn ready(&self, is: Result<&str, &str>) {
        self.tell(Heard::Ready(is.map(|_| ()).map_err(str::to_owned)));
    }
}

/// The same of a store that an adapter opens: it is used as a server uses it.
fn examine_adapter(
    url: &str,
    ca_file: Option<PathBuf>,
    space: &str,
    timeout: Duration,
) -> Result<StoreExamined, String> {
    let until = Instant::now() + timeout;
    let port = open(url, ca_file).map_err(|error| error.message.replace("config key 'store.url': ", ""))?;
    let mut examined = StoreExamined { place: place_of(url), findings: Vec::new() };
    let random = |bytes: &mut [u8]| SystemRandom::new().fill(bytes).is_ok();
    let mut key = [0; 32];
    if !random(&mut key) {
        return Err("the system gives no random bytes".to_owned());
    }
    let (tells, heard) = channel();
    let ring = KeyRing::new(vec![key], Box::new(random)).ok_or("the system gives no random bytes")?;
    let name = URL_SAFE_NO_PAD.encode(key.get(..12).unwrap_or_default());
    let prefix = format!("mcp1:{{{space}}}:doctor/{name}/");
    let bound = Bound { user: Box::new(Hears(tells)), prefix, ring, timeout };
    port.bind(bound).and_then(|()| port.begin_use()).map_err(|error| error.message)?;
    match next(&heard, until) {
        Some(Heard::Ready(Ok(()))) => {
            examined.add(StoreGrade::Good, "it can be used", "");
            used(&port, &heard, until, &mut examined);
        }
        Some(Heard::Ready(Err(why))) => examined.add(StoreGrade::Away, why, FIX),
        _ => {
            let what = format!("it did not connect within {} ms", timeout.as_millis());
            examined.add(StoreGrade::Away, what, FIX);
        }
    }
    // A thread of the store may still be in a function that told the last. Who drops the port as the last one waits for the end of the
    // store, and then a file is free for the server that comes next.
    while Arc::strong_count(&port) > 1 && Instant::now() < until {
        sleep(Duration::from_millis(1));
    }
    Ok(examined)
}

/// What helps where an adapter says why.
const FIX: &str = "start it, or mend the URL; the text says what it wants";

fn next(heard: &Receiver<Heard>, until: Instant) -> Option<Heard> {
    heard.recv_timeout(until.saturating_duration_since(Instant::now())).ok()
}

/// Each operation once, and how long it takes.
fn used(port: &Port, heard: &Receiver<Heard>, until: Instant, examined: &mut StoreExamined) {
    let mut times = Vec::new();
    let publish = Operation::Publish { channel: "channel".into(), data: vec![1] };
    for (name, operation) in on_keys("").into_iter().chain([("publishing", publish)]) {
        let begun = Instant::now();
        port.start([(Purpose::Asked(Ticket(1)), operation)]);
        let outcome = loop {
            match next(heard, until) {
                Some(Heard::Outcome(outcome)) => break outcome.status,
                Some(Heard::Ready(Err(why))) => {
                    return examined.add(StoreGrade::Fault, format!("{name}: {why}"), FIX);
                }
                Some(_) => {}
                None => {
                    return examined.add(StoreGrade::Fault, format!("{name} was not answered in time"), FIX);
                }
            }
        };
        if outcome != StoreStatus::Done {
            return examined.add(StoreGrade::Fault, format!("{name} failed: {outcome}"), FIX);
        }
        times.push(format!("{name} {} µs", begun.elapsed().as_micros()));
    }
    examined.add(StoreGrade::Good, times.join(", "), "");
}

#[cfg(test)]
mod tests {
    use super::super::redis::SCRIPTS;
    use super::*;

    fn faults(info: &str) -> Vec<String> {
        let mut examined = StoreExamined { place: String::new(), findings: Vec::new() };
        about(info, &mut examined);
        let is_bad = |finding: &StoreFinding| finding.grade == StoreGrade::Fault;
        examined.findings.into_iter().filter(is_bad).map(|finding| finding.what).collect()
    }

    #[test]
    fn what_a_store_says_of_itself_is_held_against_what_a_server_needs() {
        let info = |version: &str, role: &str, policy: &str| {
            format!(
                "# Server\r\nredis_version:{version}\r\nrole:{role}\r\nmaxmemory_policy:{policy}\r\naof_enabled:0\r\n"
            )
        };
        for (text, faulty) in [
            (info("7.0.15", "master", "noeviction"), [].as_slice()),
            (info("6.2.0", "master", "noeviction"), &[]),
            (info("10.1", "master", "noeviction"), &[]),
            (info("6.0.16", "master", "noeviction"), &["Redis 6.0.16 lacks XRANGE after a place"]),
            (info("7.2.4", "slave", "noeviction"), &["its role is 'slave', which takes no writes"]),
            (
                info("7.2.4", "master", "allkeys-lru"),
                &["its maxmemory-policy is 'allkeys-lru', which forgets what was used"],
            ),
            (
                String::new(),
                &[
                    "Redis  lacks XRANGE after a place",
                    "its role is '', which takes no writes",
                    "its maxmemory-policy is '', which forgets what was used",
                ],
            ),
        ] {
            assert_eq!(faults(&text), faulty, "{text}");
        }
    }

    #[test]
    fn the_rights_have_every_command_of_every_script() {
        let words: Vec<&str> = RIGHTS.split([' ', ',']).collect();
        for script in [REMOVE].iter().chain(SCRIPTS) {
            let commands: Vec<&str> =
                script.split("redis.call('").skip(1).filter_map(|rest| rest.split('\'').next()).collect();
            assert!(!commands.is_empty(), "{script}");
            for command in commands {
                assert!(words.contains(&command), "{command} of {script}");
            }
        }
    }

    #[test]
    fn each_refusal_has_its_grade_and_its_fix() {
        for (why, grade, fix) in [
            (
                "connecting to 127.0.0.1:1 failed: Connection refused (os error 111)",
                StoreGrade::Away,
                "start it",
            ),
            ("AUTH was refused: WRONGPASS invalid username-password pair", StoreGrade::Fault, "password"),
            ("INFO was refused: NOAUTH Authentication required.", StoreGrade::Fault, "password"),
            ("INFO was refused: NOPERM this user has no permissions", StoreGrade::Fault, "permit the user"),
            ("INFO was refused: LOADING Redis is loading", StoreGrade::Away, "wait"),
            ("INFO failed: invalid peer certificate: UnknownIssuer", StoreGrade::Fault, "authority"),
            ("INFO failed: received corrupt message of type InvalidContentType", StoreGrade::Fault, "no TLS"),
            ("INFO failed: unexpected end of file", StoreGrade::Fault, "Redis or Valkey is at this port"),
            (
                "TLS with 'h' failed: Resource temporarily unavailable (os error 11)",
                StoreGrade::Away,
                "redis:// instead",
            ),
            ("INFO failed: Resource temporarily unavailable (os error 11)", StoreGrade::Away, "stopped"),
            ("the host 'h' was not found: failed to lookup address", StoreGrade::Away, "correct the host"),
            ("SELECT was refused: ERR DB index is out of range", StoreGrade::Fault, "database"),
        ] {
            let (found, says) = refusal(why);
            assert_eq!(found, grade, "{why}");
            assert!(says.contains(fix), "{why}: {says}");
        }
    }
}
