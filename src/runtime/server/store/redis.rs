//! A store in Redis or Valkey. One thread has the connection: it sends what waits in one write and reads the replies in order. While
//! it has none it looks for the store by itself, and every use is refused at once: none waits for that.

use super::Said;
use super::resp::{Connection, Reply, StoreAddress, packed};
use crate::engine::server::{Claim, Claimed};
use crate::engine::{Error, Level, Status};
use crate::runtime::lock;
use crate::runtime::threads::{LAST_WAIT, OwnThread};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom as _, SystemRandom};
use std::collections::VecDeque;
use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Uses that wait to be sent. One more is refused.
const MOST_WAITING: usize = 20_000;
/// Uses that are sent in one write.
const BATCH: usize = 128;
/// The time between two looks whether the store is still the same, while nothing is used.
const LOOK: Duration = Duration::from_secs(5);
/// The times between two attempts to connect.
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// How much longer than a state is good its use is remembered: so far the clock of the store may jump.
const MARGIN: u64 = 3600;
/// How long the mark of a store without any connection stays.
const MARK_LIFE: &str = "2592000";

/// The mark by which a store is known that was not emptied. KEYS: the mark. ARGV: a new one, its life.
const MARK: &str = "redis.call('SET',KEYS[1],ARGV[1],'NX') redis.call('EXPIRE',KEYS[1],ARGV[2]) return redis.call('GET',KEYS[1])";

/// Notes a use. KEYS: the use, the mark. ARGV: the mark as it was, who uses it, until when it can be used, until when that is
/// remembered. Gives 1 (the first use), 0 (not) or -1 (another store), and the time.
const CLAIM: &str = "local t=tonumber(redis.call('TIME')[1]) \
if redis.call('GET',KEYS[2])~=ARGV[1] then return {-1,t} end \
if t>tonumber(ARGV[3]) then return {0,t} end \
if redis.call('SET',KEYS[1],ARGV[2],'NX','EXAT',ARGV[4]) then return {1,t} end \
if redis.call('GET',KEYS[1])==ARGV[2] then return {1,t} end \
return {0,t}";

/// Takes something for the log.
type Record = Box<dyn Fn(Level, &str) + Send>;

/// What a store tells its server.
pub(crate) struct StoreEvents {
    /// It is there, and what it is now.
    pub(crate) ready: Box<dyn Fn(&str) + Send>,
    /// Something for the log.
    pub(crate) record: Record,
}

struct Job {
    claim: Claim,
    said: Said,
    until: Instant,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Job>,
    is_connected: bool,
    is_closing: bool,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    timeout: Duration,
}

impl Shared {
    /// The uses that wait, after at most `time` none; `None` when the server is gone.
    fn wait(&self, time: Duration) -> Option<Vec<Job>> {
        let until = Instant::now() + time;
        let mut state = lock(&self.state);
        loop {
            if state.is_closing {
                let left: Vec<Job> = state.waiting.drain(..).collect();
                drop(state);
                refuse(left);
                return None;
            }
            let left = until.saturating_duration_since(Instant::now());
            if !state.waiting.is_empty() || left.is_zero() {
                let most = state.waiting.len().min(BATCH);
                return Some(state.waiting.drain(..most).collect());
            }
            state = self.wake.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// A store in Redis.
pub(crate) struct RedisStore {
    shared: Arc<Shared>,
    thread: Mutex<Option<OwnThread>>,
}

impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisStore").finish_non_exhaustive()
    }
}

impl RedisStore {
    /// A store at an address, with names in `space`. It is looked for from now on.
    ///
    /// # Errors
    /// `INTERNAL` when the system gives no thread or no random numbers.
    pub(crate) fn open(
        address: StoreAddress,
        space: &str,
        timeout: Duration,
        events: StoreEvents,
    ) -> Result<RedisStore, Error> {
        let failed = |what: String| Error::new(Status::Internal, "server_new", what);
        let writer = random().ok_or_else(|| failed("the system gives no random numbers".to_owned()))?;
        let shared = Arc::new(Shared { state: Mutex::default(), wake: Condvar::new(), timeout });
        let worker = Worker {
            shared: Arc::clone(&shared),
            address,
            names: Names { prefix: format!("mcp1:{{{space}}}:") },
            events,
            writer,
            written: 0,
            connection: None,
            resolved: Vec::new(),
            is_told: false,
        };
        let thread = OwnThread::spawn("libmcp-store", move || worker.run())
            .map_err(|error| failed(format!("the system starts no thread for the store: {error}")))?;
        Ok(RedisStore { shared, thread: Mutex::new(Some(thread)) })
    }

    /// Notes a use, and never waits. What is known at once is given back, and then `said` is dropped; else `said` is called once, within
    /// the time of the store, and never inside this function: its caller has the lock of the server.
    pub(super) fn claim(&self, claim: Claim, said: Said) -> Option<Claimed> {
        let mut state = lock(&self.shared.state);
        if !state.is_connected || state.is_closing || state.waiting.len() >= MOST_WAITING {
            return Some(Claimed::Unavailable);
        }
        state.waiting.push_back(Job { claim, said, until: Instant::now() + self.shared.timeout });
        drop(state);
        self.shared.wake.notify_one();
        None
    }
}

impl Drop for RedisStore {
    fn drop(&mut self) {
        lock(&self.shared.state).is_closing = true;
        self.shared.wake.notify_one();
        if let Some(thread) = lock(&self.thread).take() {
            // It may be held in a look-up of the host's name.
            let _ended_or_left_alone = thread.join_until(Instant::now() + LAST_WAIT);
        }
    }
}

/// How keys are called: the braces keep those of one space on one shard.
struct Names {
    prefix: String,
}

impl Names {
    fn mark(&self) -> String {
        format!("{}born", self.prefix)
    }

    fn used(&self, key: &str) -> String {
        format!("{}used:{key}", self.prefix)
    }
}

/// A connection, and what the store was when it was made.
struct Known {
    connection: Connection,
    mark: String,
    generation: String,
}

/// What the thread has.
struct Worker {
    shared: Arc<Shared>,
    address: StoreAddress,
    names: Names,
    events: StoreEvents,
    /// Names this process in what it writes.
    writer: String,
    written: u64,
    connection: Option<Known>,
    /// Where the host was at last.
    resolved: Vec<SocketAddr>,
    /// The log says that the store is away.
    is_told: bool,
}

/// A use that was sent, or is to be.
struct Sent {
    job: Job,
    command: Vec<u8>,
    is_out: bool,
}

impl Worker {
    fn run(mut self) {
        let mut pause = SHORTEST_PAUSE;
        loop {
            if self.connection.is_none() {
                match self.connect() {
                    Ok(()) => pause = SHORTEST_PAUSE,
                    Err(why) => {
                        self.tell_away(&why);
                        if self.shared.wait(pause).is_none() {
                            return;
                        }
                        pause = (pause * 2).min(LONGEST_PAUSE);
                        continue;
                    }
                }
            }
            let Some(batch) = self.shared.wait(LOOK) else { return };
            if batch.is_empty() {
                self.look();
            } else {
                self.serve(batch);
            }
        }
    }

    fn connect(&mut self) -> Result<(), String> {
        self.resolved = self.address.resolve()?;
        // The server may have gone meanwhile, and waits no longer.
        if lock(&self.shared.state).is_closing {
            return Err("the server is gone".to_owned());
        }
        let until = Instant::now() + self.shared.timeout;
        self.connection = Some(self.known(until)?);
        lock(&self.shared.state).is_connected = true;
        if std::mem::take(&mut self.is_told) {
            (self.events.record)(Level::Info, &format!("the store at {} is there again", self.address));
        }
        Ok(())
    }

    /// A connection, after the server was told what the store is.
    fn known(&self, until: Instant) -> Result<Known, String> {
        let mut connection = Connection::open(&self.address, &self.resolved, until)?;
        let info = match connection.ask(&["INFO"], until)? {
            Reply::Text(info) => info,
            other => return Err(format!("INFO was {}", other.unexpected())),
        };
        let of = |name: &str| {
            let line = info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            line.map(str::trim).ok_or_else(|| format!("INFO does not say '{name}'"))
        };
        let policy = of("maxmemory_policy")?;
        if policy != "noeviction" {
            return Err(format!(
                "its maxmemory-policy is '{policy}', which forgets what was used: set noeviction"
            ));
        }
        if of("role")? != "master" {
            return Err("it is a replica: name the primary".to_owned());
        }
        let run = of("run_id")?;
        let new = random().ok_or("the system gives no random numbers")?;
        let mark = match connection.ask(&["EVAL", MARK, "1", &self.names.mark(), &new, MARK_LIFE], until)? {
            Reply::Text(mark) => mark,
            other => return Err(format!("setting its mark with EVAL was {}", other.unexpected())),
        };
        let hash = digest(&SHA256, format!("{run} {mark}").as_bytes());
        let generation = URL_SAFE_NO_PAD.encode(hash);
        (self.events.ready)(&generation);
        Ok(Known { connection, mark, generation })
    }

    fn tell_away(&mut self, why: &str) {
        if !std::mem::replace(&mut self.is_told, true) {
            let text = format!("the store at {} cannot be used: {why}", self.address);
            (self.events.record)(Level::Warn, &text);
        }
    }

    /// The connection is of no use. Nothing waits for the next one.
    fn lose(&mut self, why: &str) {
        self.connection = None;
        let left: Vec<Job> = {
            let mut state = lock(&self.shared.state);
            state.is_connected = false;
            state.waiting.drain(..).collect()
        };
        self.tell_away(why);
        refuse(left);
    }

    /// Whether the store is still the same.
    fn look(&mut self) {
        let until = Instant::now() + self.shared.timeout;
        let mark = self.names.mark();
        let Some(known) = &mut self.connection else { return };
        let same = match known.connection.ask(&["EVAL", MARK, "1", &mark, &known.mark, MARK_LIFE], until) {
            Ok(Reply::Text(mark)) if mark == known.mark => Ok(()),
            Ok(Reply::Refused(why)) => Err(format!("its mark cannot be read: EVAL was refused: {why}")),
            Ok(_) => Err("it was emptied, or another one is in its place".to_owned()),
            Err(why) => Err(why),
        };
        if let Err(why) = same {
            self.lose(&why);
        }
    }

    /// Notes uses. After a connection that broke they are sent once more, where time is left: what was noted then is known by its writer.
    fn serve(&mut self, batch: Vec<Job>) {
        let mut open: VecDeque<Sent> = VecDeque::new();
        for job in batch {
            match &self.connection {
                Some(known) if *known.generation == *job.claim.generation => {}
                // It was made before the store may have forgotten something.
                _ => {
                    (job.said)(Claimed::Refused);
                    continue;
                }
            }
            self.written += 1;
            open.push_back(Sent { command: self.command(&job), job, is_out: false });
        }
        let mut why = String::new();
        for _ in 0..2 {
            open = expired(open);
            if open.is_empty() {
                break;
            }
            match self.exchange(&mut open) {
                Ok(()) => break,
                Err(error) => why = error,
            }
            self.connection = None;
            let Some(until) = open.iter().map(|sent| sent.job.until).min() else { break };
            match self.known(until) {
                Ok(known) => self.connection = Some(known),
                Err(error) => {
                    why = error;
                    break;
                }
            }
            // Another store notes nothing for one that was before it.
            let generation =
                self.connection.as_ref().map(|known| known.generation.clone()).unwrap_or_default();
            let (same, other): (VecDeque<Sent>, VecDeque<Sent>) =
                open.into_iter().partition(|sent| *sent.job.claim.generation == *generation);
            open = same;
            for sent in other {
                (sent.job.said)(Claimed::Refused);
            }
        }
        for sent in open {
            (sent.job.said)(if sent.is_out { Claimed::Unknown } else { Claimed::Unavailable });
        }
        if self.connection.is_none() {
            self.lose(&why);
        }
    }

    fn command(&self, job: &Job) -> Vec<u8> {
        let Claim { key, expiry, .. } = &job.claim;
        let mark = self.connection.as_ref().map_or("", |known| known.mark.as_str());
        packed(&[
            "EVAL",
            CLAIM,
            "2",
            &self.names.used(key),
            &self.names.mark(),
            mark,
            &format!("{}.{}", self.writer, self.written),
            &expiry.to_string(),
            &(expiry.saturating_add(MARGIN)).to_string(),
        ])
    }

    /// Sends uses and gives each what the store says. Those that are left in `open` have no answer.
    fn exchange(&mut self, open: &mut VecDeque<Sent>) -> Result<(), String> {
        let known = self.connection.as_mut().ok_or("there is no connection")?;
        let Some(until) = open.iter().map(|sent| sent.job.until).min() else { return Ok(()) };
        let commands: Vec<u8> = open.iter().flat_map(|sent| sent.command.iter().copied()).collect();
        for sent in open.iter_mut() {
            sent.is_out = true;
        }
        known.connection.send(&commands, until).map_err(|error| format!("sending failed: {error}"))?;
        let mut trouble = None;
        while !open.is_empty() {
            let reply = known.connection.reply(until).map_err(|error| format!("no reply came: {error}"))?;
            let said = match &reply {
                Reply::List(of) => match of.as_slice() {
                    [Reply::Number(1), Reply::Number(unix)] => {
                        Claimed::Granted(u64::try_from(*unix).unwrap_or(u64::MAX))
                    }
                    [Reply::Number(-1), _] => {
                        trouble = Some("it was emptied".to_owned());
                        Claimed::Refused
                    }
                    [Reply::Number(0), _] => Claimed::Refused,
                    _ => return Err(format!("an unknown reply came: {reply:?}")),
                },
                Reply::Refused(why) => {
                    trouble = Some(why.clone());
                    Claimed::Unavailable
                }
                _ => return Err(format!("an unknown reply came: {reply:?}")),
            };
            if let Some(answered) = open.pop_front() {
                (answered.job.said)(said);
            }
        }
        if let Some(why) = trouble {
            self.lose(&why);
        }
        Ok(())
    }
}

/// Those whose time is not over. The others are told.
fn expired(open: VecDeque<Sent>) -> VecDeque<Sent> {
    let now = Instant::now();
    let (open, over): (VecDeque<Sent>, VecDeque<Sent>) =
        open.into_iter().partition(|sent| sent.job.until > now);
    for sent in over {
        (sent.job.said)(if sent.is_out { Claimed::Unknown } else { Claimed::Unavailable });
    }
    open
}

fn refuse(jobs: Vec<Job>) {
    for job in jobs {
        (job.said)(Claimed::Unavailable);
    }
}

fn random() -> Option<String> {
    let mut bytes = [0; 16];
    SystemRandom::new().fill(&mut bytes).ok()?;
    Some(URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_that_wait_have_a_bound_and_go_out_in_batches() {
        let state = State { is_connected: true, ..State::default() };
        let timeout = Duration::from_secs(60);
        let shared = Arc::new(Shared { state: Mutex::new(state), wake: Condvar::new(), timeout });
        let store = RedisStore { shared: Arc::clone(&shared), thread: Mutex::new(None) };
        let claim =
            || store.claim(Claim { key: "k".into(), expiry: 1, generation: "g".into() }, Box::new(drop));
        for _ in 0..MOST_WAITING {
            assert!(claim().is_none());
        }
        assert!(matches!(claim(), Some(Claimed::Unavailable)));
        assert_eq!(shared.wait(LOOK).map(|batch| batch.len()), Some(BATCH));
        assert!(claim().is_none(), "there is room for as many as went out");
    }
}
