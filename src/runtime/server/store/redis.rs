//! A store in Redis or Valkey: `command` makes the commands, `resp` encodes and sends them. One thread has the connection: it sends what waits in one write and reads the replies in order. While
//! it has none it looks for the store by itself, and every use is refused at once: none waits for that. Channels that are watched have
//! a connection and a thread of their own.

use super::resp::{Connection, Reply, StoreAddress, packed};
use super::{Adapter, Call, Port, Watch};
use crate::engine::server::{Expected, Operation, StoreStatus};
use crate::engine::{Error, Status};
use crate::runtime::lock;
use crate::runtime::threads::{LAST_WAIT, OwnThread};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom as _, SystemRandom};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Operations that wait to be sent. One more is refused.
const MOST_WAITING: usize = 20_000;
/// Operations that are sent in one write.
const BATCH: usize = 128;
/// Bytes after which a write has no more of them.
const BATCH_BYTES: usize = 1 << 20;
/// Entries that one reading gives.
const MOST_ENTRIES: u32 = 1000;
/// The time between two looks whether the store is still the same, while nothing is used.
const LOOK: Duration = Duration::from_secs(5);
/// The times between two attempts to connect.
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// How long what has no other life stays.
pub(super) const LONG_LIFE: &str = "2592000";

/// The mark by which a store is known that was not emptied. KEYS: the mark. ARGV: a new one, its life.
pub(super) const MARK: &str = "redis.call('SET',KEYS[1],ARGV[1],'NX') redis.call('EXPIRE',KEYS[1],ARGV[2]) return redis.call('GET',KEYS[1])";

/// What each script begins with. KEYS: what it is about, the mark. ARGV: the mark as it was. An answer begins with what became of it
/// (0: nothing there, 1: done, 2: conflict, -1: another store) and the time in milliseconds.
macro_rules! script {
    ($($line:literal)*) => {
        concat!(
            "local n=redis.call('TIME') local t=n[1]*1000+math.floor(n[2]/1000) ",
            "if redis.call('GET',KEYS[2])~=ARGV[1] then return {-1,t} end ",
            $($line),*
        )
    };
}

const GET: &str = script!(
    "local f=redis.call('HMGET',KEYS[1],'v','d') "
    "if not f[1] then return {0,t} end return {1,t,f[1],f[2]}"
);

/// ARGV: the version that is expected ('*': any; '': none), 1 if there is a value, it, its life. A version is later than the time and
/// than every one before it, which the third key has, so that none comes again.
const PUT: &str = script!(
    "local o=redis.call('HGET',KEYS[1],'v') "
    "if ARGV[2]~='*' and (o or '')~=ARGV[2] then "
    "if not o then return {2,t} end return {2,t,o,redis.call('HGET',KEYS[1],'d')} end "
    "if ARGV[3]=='0' then redis.call('DEL',KEYS[1]) return {1,t} end "
    "local v=n[1]*1000000+n[2] local l=tonumber(redis.call('GET',KEYS[3]) or '0') if v<=l then v=l+1 end "
    "v=string.format('%.0f',v) redis.call('SET',KEYS[3],v,'EX',ARGV[6]) "
    "redis.call('HSET',KEYS[1],'v',v,'d',ARGV[4]) redis.call('PEXPIRE',KEYS[1],ARGV[5]) return {1,t,v}"
);

/// ARGV: the entry, its place (0: the next one), how many stay, the life. A conflict gives the last entry.
const APPEND: &str = script!(
    "local o=redis.call('XREVRANGE',KEYS[1],'+','-','COUNT',1)[1] local l=0 "
    "if o then l=tonumber(string.match(o[1],'^%d+')) end "
    "local p=tonumber(ARGV[3]) if p==0 then p=l+1 end "
    "if p~=l+1 then if o then return {2,t,string.format('%.0f',l),o[2][2]} end return {2,t} end "
    "p=string.format('%.0f',p) redis.call('XADD',KEYS[1],'MAXLEN',ARGV[4],p..'-0','e',ARGV[2]) "
    "redis.call('PEXPIRE',KEYS[1],ARGV[5]) return {1,t,p}"
);

/// ARGV: the place before the first one, how many at most, of how many bytes at most.
const READ: &str = script!(
    "if redis.call('EXISTS',KEYS[1])==0 then return {0,t} end local a={1,t} local b=0 "
    "for _,e in ipairs(redis.call('XRANGE',KEYS[1],'('..ARGV[2]..'-0','+','COUNT',ARGV[3])) do "
    "b=b+#e[2][2] if #a>2 and b>tonumber(ARGV[4]) then break end "
    "a[#a+1]=string.match(e[1],'^%d+') a[#a+1]=e[2][2] end return a"
);

/// All of them.
#[cfg(test)]
pub(super) const SCRIPTS: &[&str] = &[MARK, GET, PUT, APPEND, READ];

#[derive(Default)]
struct State {
    waiting: VecDeque<Arc<Call>>,
    watches: BTreeMap<Box<str>, Arc<Watch>>,
    is_connected: bool,
    is_closing: bool,
    /// The watches are others than those that the thread for them knows.
    wakes_watcher: bool,
}

struct Shared {
    address: StoreAddress,
    state: Mutex<State>,
    wake: Condvar,
    watcher_wake: Condvar,
}

impl Shared {
    /// What waits, after at most `time` nothing; `None` when the server is gone.
    fn wait(&self, time: Duration) -> Option<Vec<Arc<Call>>> {
        let until = Instant::now() + time;
        let mut state = lock(&self.state);
        loop {
            if state.is_closing {
                let left: Vec<Arc<Call>> = state.waiting.drain(..).collect();
                drop(state);
                refuse(left);
                return None;
            }
            let left = until.saturating_duration_since(Instant::now());
            if !state.waiting.is_empty() || state.wakes_watcher || left.is_zero() {
                let (mut batch, mut bytes) = (Vec::new(), 0);
                while batch.len() < BATCH && bytes < BATCH_BYTES {
                    let Some(call) = state.waiting.pop_front() else { break };
                    bytes += size(call.operation());
                    batch.push(call);
                }
                return Some(batch);
            }
            state = self.wake.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn is_closing(&self) -> bool {
        lock(&self.state).is_closing
    }
}

/// The bytes of what is sent.
fn size(operation: &Operation) -> usize {
    match operation {
        Operation::Put { value, .. } => value.as_ref().map_or(0, Vec::len),
        Operation::Append { entry, .. } => entry.len(),
        Operation::Publish { data, .. } => data.len(),
        _ => 0,
    }
}

/// A store in Redis.
pub(crate) struct RedisStore {
    shared: Arc<Shared>,
    use_by: OnceLock<UseBy>,
    threads: Mutex<Vec<OwnThread>>,
}

/// Who uses it.
#[derive(Clone)]
struct UseBy {
    port: Weak<Port>,
    prefix: String,
    timeout: Duration,
}

impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisStore").finish_non_exhaustive()
    }
}

impl RedisStore {
    /// A store at an address. It is looked for once a server uses it.
    pub(crate) fn open(address: StoreAddress) -> Arc<Port> {
        Port::new(Box::new(RedisStore::new(address)))
    }

    fn new(address: StoreAddress) -> RedisStore {
        let shared =
            Shared { address, state: Mutex::default(), wake: Condvar::new(), watcher_wake: Condvar::new() };
        RedisStore { shared: Arc::new(shared), use_by: OnceLock::new(), threads: Mutex::default() }
    }

    fn spawn(&self, name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        let thread = OwnThread::spawn(name, work)?;
        lock(&self.threads).push(thread);
        Ok(())
    }
}

impl Adapter for RedisStore {
    fn bound(&self, port: Weak<Port>, prefix: &str, timeout: Duration) -> Result<(), Error> {
        let failed = |what: String| Error::new(Status::Internal, "server_new", what);
        let use_by = UseBy { port, prefix: prefix.to_owned(), timeout };
        let worker = Worker {
            shared: Arc::clone(&self.shared),
            use_by: use_by.clone(),
            wake_channel: wake_channel(prefix)
                .ok_or_else(|| failed("the system gives no random numbers".to_owned()))?,
            connection: None,
            resolved: Vec::new(),
        };
        let watcher = Watcher {
            shared: Arc::clone(&self.shared),
            use_by: use_by.clone(),
            wake_channel: worker.wake_channel.clone(),
        };
        // It waits without a connection until a channel is watched.
        self.spawn("libmcp-watch", move || watcher.run())
            .and_then(|()| self.spawn("libmcp-store", move || worker.run()))
            .map_err(|error| failed(format!("the system starts no thread for the store: {error}")))?;
        let _is_the_first = self.use_by.set(use_by);
        Ok(())
    }

    fn begin(&self, call: &Arc<Call>) -> Result<(), StoreStatus> {
        let mut state = lock(&self.shared.state);
        if !state.is_connected || state.is_closing || state.waiting.len() >= MOST_WAITING {
            return Err(StoreStatus::Unavailable);
        }
        state.waiting.push_back(Arc::clone(call));
        drop(state);
        self.shared.wake.notify_one();
        Ok(())
    }

    fn watch(&self, watch: &Arc<Watch>) -> Result<(), StoreStatus> {
        let mut state = lock(&self.shared.state);
        state.watches.insert(watch.whole_name().into(), Arc::clone(watch));
        state.wakes_watcher = true;
        drop(state);
        self.shared.wake.notify_one();
        self.shared.watcher_wake.notify_one();
        Ok(())
    }

    fn unwatch(&self, watch: &Arc<Watch>) {
        let mut state = lock(&self.shared.state);
        state.watches.remove(watch.whole_name());
        state.wakes_watcher = true;
        drop(state);
        self.shared.wake.notify_one();
    }

    fn ended(&self, _call: &Arc<Call>, _is_late: bool) {}
}

impl Drop for RedisStore {
    fn drop(&mut self) {
        lock(&self.shared.state).is_closing = true;
        self.shared.wake.notify_one();
        self.shared.watcher_wake.notify_one();
        let until = Instant::now() + LAST_WAIT;
        for thread in lock(&self.threads).drain(..) {
            // It may be held in a look-up of the host's name, or wait for a message of a channel.
            let _ended_or_left_alone = thread.join_until(until);
        }
    }
}

/// A channel of this process alone.
fn wake_channel(prefix: &str) -> Option<String> {
    Some(format!("{prefix}wake:{}", random()?))
}

pub(super) fn mark_of(prefix: &str) -> String {
    format!("{prefix}born")
}

/// A connection, and what the store was when it was made.
struct Known {
    connection: Connection,
    mark: String,
}

/// What the thread has.
struct Worker {
    shared: Arc<Shared>,
    use_by: UseBy,
    wake_channel: String,
    connection: Option<Known>,
    /// Where the host was at last.
    resolved: Vec<SocketAddr>,
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
                        if self.wait_to_connect(pause) {
                            return;
                        }
                        pause = (pause * 2).min(LONGEST_PAUSE);
                        continue;
                    }
                }
            }
            let Some(batch) = self.shared.wait(LOOK) else {
                if !lock(&self.shared.state).watches.is_empty() {
                    // It waits for a message, and the end of the server waits for it.
                    self.wake_watcher();
                }
                return;
            };
            if std::mem::take(&mut lock(&self.shared.state).wakes_watcher) {
                self.wake_watcher();
            }
            if batch.is_empty() {
                self.look();
            } else {
                self.serve(batch);
            }
        }
    }

    /// Whether the server is gone meanwhile.
    fn wait_to_connect(&self, time: Duration) -> bool {
        let state = lock(&self.shared.state);
        let waited = self.shared.wake.wait_timeout_while(state, time, |state| !state.is_closing);
        waited.unwrap_or_else(PoisonError::into_inner).0.is_closing
    }

    fn connect(&mut self) -> Result<(), String> {
        self.resolved = self.shared.address.resolve()?;
        // The server may have gone meanwhile, and waits no longer.
        if self.shared.is_closing() {
            return Err("the server is gone".to_owned());
        }
        let until = Instant::now() + self.use_by.timeout;
        let mut connection = Connection::open(&self.shared.address, &self.resolved, until)?;
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
        let mark = match connection
            .ask(&["EVAL", MARK, "1", &mark_of(&self.use_by.prefix), &new, LONG_LIFE], until)?
        {
            Reply::Text(mark) => mark,
            other => return Err(format!("setting its mark with EVAL was {}", other.unexpected())),
        };
        let hash = digest(&SHA256, format!("{run} {mark}").as_bytes());
        self.connection = Some(Known { connection, mark });
        lock(&self.shared.state).is_connected = true;
        if let Some(port) = self.use_by.port.upgrade() {
            port.ready(&URL_SAFE_NO_PAD.encode(hash));
        }
        Ok(())
    }

    fn tell_away(&self, why: &str) {
        if let Some(port) = self.use_by.port.upgrade() {
            port.lost(&format!("the store at {}: {why}", self.shared.address));
        }
    }

    /// The connection is of no use. Nothing waits for the next one.
    fn lose(&mut self, why: &str) {
        self.connection = None;
        let left: Vec<Arc<Call>> = {
            let mut state = lock(&self.shared.state);
            state.is_connected = false;
            state.waiting.drain(..).collect()
        };
        self.tell_away(why);
        refuse(left);
    }

    /// The thread that watches waits for messages: one comes.
    fn wake_watcher(&mut self) {
        let until = Instant::now() + self.use_by.timeout;
        let Some(known) = &mut self.connection else { return };
        if let Err(why) = known.connection.ask(&["PUBLISH", &self.wake_channel, ""], until) {
            self.lose(&why);
        }
    }

    /// Whether the store is still the same.
    fn look(&mut self) {
        let until = Instant::now() + self.use_by.timeout;
        let mark = mark_of(&self.use_by.prefix);
        let Some(known) = &mut self.connection else { return };
        let same = match known.connection.ask(&["EVAL", MARK, "1", &mark, &known.mark, LONG_LIFE], until) {
            Ok(Reply::Text(mark)) if mark == known.mark => Ok(()),
            Ok(Reply::Refused(why)) => Err(format!("its mark cannot be read: EVAL was refused: {why}")),
            Ok(_) => Err(EMPTIED.to_owned()),
            Err(why) => Err(why),
        };
        if let Err(why) = same {
            self.lose(&why);
        }
    }

    /// Sends operations and gives each what the store says. The time of those that are over has been told.
    fn serve(&mut self, batch: Vec<Arc<Call>>) {
        let now = Instant::now();
        let mut open: VecDeque<Arc<Call>> = batch.into_iter().filter(|call| call.until() > now).collect();
        let Some(until) = open.iter().map(|call| call.until()).max() else { return };
        let Some(known) = self.connection.as_mut() else { return refuse(open.into()) };
        let mut commands = Vec::new();
        for call in &open {
            command(call.operation(), &self.use_by.prefix, &known.mark, &mut commands);
        }
        let trouble = match known.connection.send(&commands, until) {
            Err(error) => Some(format!("sending failed: {error}")),
            Ok(()) => exchange(&mut known.connection, &mut open, until),
        };
        if let Some(why) = trouble {
            // First, so that what is perhaps done waits for the next connection.
            self.lose(&why);
            for call in open {
                call.done(StoreStatus::PerhapsDone, 0, 0);
            }
        }
    }
}

const EMPTIED: &str = "it was emptied, or another one is in its place";

/// Reads the replies to those in `open`, which are left there without one. Gives why the connection is of no use.
fn exchange(connection: &mut Connection, open: &mut VecDeque<Arc<Call>>, until: Instant) -> Option<String> {
    let mut trouble = None;
    while let Some(call) = open.front() {
        let reply = match connection.reply(until) {
            Ok(reply) => reply,
            Err(error) => return Some(format!("no reply came: {error}")),
        };
        let (status, version, unix_ms) = match reply {
            Reply::Refused(why) => {
                trouble = Some(why);
                (StoreStatus::Unavailable, 0, 0)
            }
            // Of PUBLISH: how many took it.
            Reply::Number(_) => (StoreStatus::Done, 0, 0),
            Reply::List(parts) => match read(call, parts) {
                Some(answer) => answer,
                None => return Some("an unknown reply came".to_owned()),
            },
            _ => return Some("an unknown reply came".to_owned()),
        };
        if status == StoreStatus::Refused {
            trouble = Some(EMPTIED.to_owned());
        }
        if let Some(call) = open.pop_front() {
            let status = if status == StoreStatus::Refused { StoreStatus::Unavailable } else { status };
            call.done(status, version, unix_ms);
        }
    }
    trouble
}

/// What a script said: its status, the version, the time. `Refused`: by another store.
fn read(call: &Call, parts: Vec<Reply>) -> Option<(StoreStatus, u64, u64)> {
    let mut parts = parts.into_iter();
    let (Some(Reply::Number(code)), Some(Reply::Number(time))) = (parts.next(), parts.next()) else {
        return None;
    };
    let time = u64::try_from(time).ok()?;
    let number = |reply: Option<Reply>| -> Option<u64> {
        let Some(Reply::Text(text)) = reply else { return None };
        text.parse().ok()
    };
    let status = match code {
        -1 => StoreStatus::Refused,
        0 => StoreStatus::Empty,
        1 => StoreStatus::Done,
        2 => StoreStatus::Conflict,
        _ => return None,
    };
    if let Operation::Read { .. } = call.operation() {
        while let Some(place) = parts.next() {
            let (place, entry) = (number(Some(place))?, parts.next()?.bytes()?);
            call.entry(place, &entry);
        }
        return Some((status, 0, time));
    }
    let Some(version) = parts.next() else { return Some((status, 0, time)) };
    let version = number(Some(version))?;
    if let Some(value) = parts.next() {
        call.found(&value.bytes()?, version);
    }
    Some((status, version, time))
}

/// An operation as it is sent.
pub(super) fn command(operation: &Operation, prefix: &str, mark: &str, into: &mut Vec<u8>) {
    let mark_key = mark_of(prefix);
    let text = |number: u128| number.to_string();
    let life = |life: &Duration| text(life.as_millis().max(1));
    match operation {
        Operation::Get { key } => packed(&["EVAL", GET, "2", key, &mark_key, mark], into),
        Operation::Put { key, value, expected, life: time } => {
            let expected = match expected {
                Expected::Any => "*".to_owned(),
                Expected::Absent => String::new(),
                Expected::Version(version) => version.to_string(),
            };
            let last = format!("{prefix}last");
            let (is_there, value) =
                (if value.is_some() { "1" } else { "0" }, value.as_deref().unwrap_or_default());
            let time = life(time);
            let head =
                ["EVAL", PUT, "3", key, &mark_key, &last, mark, &expected, is_there].map(str::as_bytes);
            packed(&[&head[..], &[value, time.as_bytes(), LONG_LIFE.as_bytes()]].concat(), into);
        }
        Operation::Append { stream, entry, place, most, life: time } => {
            let (place, most, time) = (place.to_string(), (*most).max(1).to_string(), life(time));
            let head = ["EVAL", APPEND, "2", stream, &mark_key, mark].map(str::as_bytes);
            packed(&[&head[..], &[entry, place.as_bytes(), most.as_bytes(), time.as_bytes()]].concat(), into);
        }
        Operation::Read { stream, after, most, bytes } => {
            let (after, most, bytes) =
                (after.to_string(), (*most).min(MOST_ENTRIES).to_string(), bytes.to_string());
            packed(&["EVAL", READ, "2", stream, &mark_key, mark, &after, &most, &bytes], into);
        }
        Operation::Publish { channel, data } => {
            packed(&[b"PUBLISH", channel.as_bytes(), data.as_slice()], into);
        }
        // They come to this adapter by functions of their own.
        Operation::Watch { .. } | Operation::Unwatch { .. } => {}
    }
}

/// What the thread has that waits for messages.
struct Watcher {
    shared: Arc<Shared>,
    use_by: UseBy,
    wake_channel: String,
}

impl Watcher {
    fn run(self) {
        let mut pause = SHORTEST_PAUSE;
        loop {
            let state = lock(&self.shared.state);
            let is_idle = |state: &mut State| state.watches.is_empty() && !state.is_closing;
            let waited = self.shared.watcher_wake.wait_while(state, is_idle);
            drop(waited);
            if self.shared.is_closing() {
                return;
            }
            // Why it ended is what the other connection tells, too.
            if self.listen() {
                pause = SHORTEST_PAUSE;
            }
            let state = lock(&self.shared.state);
            let waited = self.shared.watcher_wake.wait_timeout_while(state, pause, |state| !state.is_closing);
            drop(waited);
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Gives messages to those that watch, until the connection ends. Whether it was of use.
    fn listen(&self) -> bool {
        let timeout = self.use_by.timeout;
        let until = Instant::now() + timeout;
        let Ok(resolved) = self.shared.address.resolve() else { return false };
        let Ok(mut connection) = Connection::open(&self.shared.address, &resolved, until) else {
            return false;
        };
        let mut known: BTreeSet<Box<str>> = BTreeSet::new();
        let mut commands = Vec::new();
        packed(&["SUBSCRIBE", &self.wake_channel], &mut commands);
        let mut is_asked = false;
        loop {
            let wanted: BTreeSet<Box<str>> = {
                let state = lock(&self.shared.state);
                if state.is_closing || state.watches.is_empty() {
                    return true;
                }
                state.watches.keys().cloned().collect()
            };
            for channel in wanted.difference(&known) {
                packed(&["SUBSCRIBE", channel], &mut commands);
            }
            for channel in known.difference(&wanted) {
                packed(&["UNSUBSCRIBE", channel], &mut commands);
            }
            known = wanted;
            if connection.send(&commands, Instant::now() + timeout).is_err() {
                return true;
            }
            commands.clear();
            match connection.waits(Instant::now() + if is_asked { timeout } else { LOOK }) {
                Ok(true) => is_asked = false,
                Ok(false) if is_asked => return true,
                Ok(false) => {
                    // Whether it is still there.
                    is_asked = true;
                    packed(&["PING"], &mut commands);
                    continue;
                }
                Err(_) => return true,
            }
            let Ok(Reply::List(parts)) = connection.reply(Instant::now() + timeout) else { return true };
            self.tell(parts);
        }
    }

    fn tell(&self, parts: Vec<Reply>) {
        let mut parts = parts.into_iter();
        let (Some(Reply::Text(kind)), Some(Reply::Text(channel)), third) =
            (parts.next(), parts.next(), parts.next())
        else {
            return;
        };
        let watch = lock(&self.shared.state).watches.get(&*channel).map(Arc::clone);
        let Some(watch) = watch else { return };
        match kind.as_str() {
            "subscribe" => watch.missed(),
            "message" => {
                if let Some(data) = third.and_then(Reply::bytes) {
                    watch.event(&data);
                }
            }
            _ => {}
        }
    }
}

fn refuse(calls: Vec<Arc<Call>>) {
    for call in calls {
        call.done(StoreStatus::Unavailable, 0, 0);
    }
}

fn random() -> Option<String> {
    let mut bytes = [0; 16];
    SystemRandom::new().fill(&mut bytes).ok()?;
    Some(URL_SAFE_NO_PAD.encode(bytes))
}
