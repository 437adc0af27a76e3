//! What all connections share: the script, the sessions, the statistics, and the sockets for those who end them.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::login::Logins;
use crate::script::{Options, Script};
use crate::socket::Socket;
use crate::stats::Stats;
use crate::stream::Stream;

pub struct Server {
    pub options: Options,
    pub stats: Stats,
    pub logins: Logins,
    script: RwLock<Arc<Script>>,
    sessions: Mutex<HashMap<String, Arc<Session>>>,
    sockets: Mutex<HashMap<u64, Socket>>,
    /// The connections that wait for a request.
    idle: Mutex<HashSet<u64>>,
    frozen: AtomicBool,
    listener: OnceLock<Socket>,
    next: AtomicU64,
    drawn: AtomicU64,
    /// The tool `moved` was refused for its header: from now on the list tells of it.
    pub tells_of_header: AtomicBool,
}

impl Server {
    pub fn new(options: Options, script: Script) -> Self {
        Self {
            options,
            stats: Stats::new(),
            logins: Logins::default(),
            script: RwLock::new(Arc::new(script)),
            sessions: Mutex::default(),
            sockets: Mutex::default(),
            idle: Mutex::default(),
            frozen: AtomicBool::new(false),
            listener: OnceLock::new(),
            next: AtomicU64::new(1),
            drawn: AtomicU64::new(0),
            tells_of_header: AtomicBool::new(false),
        }
    }

    pub fn script(&self) -> Arc<Script> {
        Arc::clone(&self.script.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn set_script(&self, script: Script) {
        *self.script.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(script);
    }

    /// A number below 100, the next of a fixed row.
    pub fn draw(&self) -> u64 {
        let drawn = self.drawn.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        (drawn.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % 100
    }

    /// A number that is used once.
    pub fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    pub fn is_frozen(&self) -> bool {
        self.frozen.load(Ordering::SeqCst)
    }

    pub fn freeze(&self, frozen: bool) {
        self.frozen.store(frozen, Ordering::SeqCst);
    }

    /// Waits while everything stands still.
    pub fn wait_for_thaw(&self) {
        while self.is_frozen() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn keep(&self, number: u64, socket: &Socket) {
        if let Ok(socket) = socket.share() {
            lock(&self.sockets).insert(number, socket);
        }
    }

    pub fn let_go(&self, number: u64) {
        lock(&self.sockets).remove(&number);
    }

    /// What accepts connections.
    pub fn listens_on(&self, listener: Socket) {
        let _ = self.listener.set(listener);
    }

    /// Has the kernel drop everything that comes, on every connection and for new ones; or no longer.
    pub fn deafen(&self, deaf: bool) -> std::io::Result<()> {
        let sockets = lock(&self.sockets);
        sockets.values().chain(self.listener.get()).try_for_each(|socket| socket.deafen(deaf))
    }

    /// Ends every connection.
    pub fn drop_connections(&self) {
        for socket in lock(&self.sockets).values() {
            socket.shut();
        }
    }

    pub fn set_idle(&self, number: u64, is_idle: bool) {
        let mut idle = lock(&self.idle);
        if is_idle {
            idle.insert(number);
        } else {
            idle.remove(&number);
        }
    }

    /// Ends the connections that wait for a request; when it returns, their ends are on their way.
    pub fn hang_up(&self) {
        let idle = lock(&self.idle);
        for (_, socket) in lock(&self.sockets).iter().filter(|(number, _)| idle.contains(number)) {
            if !socket.readable(Duration::ZERO) {
                socket.shut();
            }
        }
    }

    /// A new session, known from now on.
    pub fn open_session(&self, revision: &str) -> Arc<Session> {
        let script = self.script();
        let number = self.number();
        let id = match script.text("session-id") {
            _ if script.has("no-session") => String::new(),
            Some("long") => format!("{number}{}", "x".repeat(8192)),
            Some("space") => format!("a session {number}"),
            Some("tab") => format!("session\t{number}"),
            Some("latin") => format!("session-\u{e9}-{number}"),
            Some("empty") => String::new(),
            Some("symbols") => format!("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{{|}}~{number}"),
            _ => format!("session-{number}-{:x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        };
        self.stats.seen().sessions += 1;
        let session = Arc::new(Session::new(&id, revision));
        lock(&self.sessions).insert(id, Arc::clone(&session));
        session
    }

    pub fn session(&self, id: &str) -> Option<Arc<Session>> {
        lock(&self.sessions).get(id).cloned()
    }

    pub fn sessions(&self) -> Vec<Arc<Session>> {
        lock(&self.sessions).values().cloned().collect()
    }

    /// True if there was such a session.
    pub fn close_session(&self, id: &str) -> bool {
        let session = lock(&self.sessions).remove(id);
        if let Some(session) = &session {
            session.standalone.finish();
        }
        session.is_some()
    }

    /// No session is known any more, as after a restart; what is under way goes on.
    pub fn forget_sessions(&self) {
        lock(&self.sessions).clear();
    }
}

/// One conversation of the legacy era.
pub struct Session {
    pub id: String,
    pub revision: String,
    /// The stream of what belongs to no request.
    pub standalone: Arc<Stream>,
    pub requests: AtomicU64,
    pub initialized: AtomicBool,
    streams: Mutex<HashMap<String, Arc<Stream>>>,
    replies: Mutex<HashMap<String, Value>>,
    replied: Condvar,
    cancelled: Mutex<HashSet<String>>,
    /// What the client subscribed to, and the log level it set.
    pub restored: Mutex<(Vec<String>, String)>,
}

impl Session {
    pub fn new(id: &str, revision: &str) -> Self {
        // The oldest revision has no ids to come back with.
        let name = if revision == crate::message::OLDEST { "" } else { "g" };
        Self {
            id: id.to_owned(),
            revision: revision.to_owned(),
            standalone: Arc::new(Stream::new(name)),
            requests: AtomicU64::new(0),
            initialized: AtomicBool::new(false),
            streams: Mutex::default(),
            replies: Mutex::default(),
            replied: Condvar::new(),
            cancelled: Mutex::default(),
            restored: Mutex::default(),
        }
    }

    /// The stream of a POST, which a client may come back to.
    pub fn new_stream(&self, number: u64) -> Arc<Stream> {
        let name = format!("p{number}");
        let stream = Arc::new(Stream::new(&name));
        lock(&self.streams).insert(name, Arc::clone(&stream));
        stream
    }

    /// The stream that an event id belongs to.
    pub fn stream_of(&self, event: &str) -> Option<Arc<Stream>> {
        match event.rsplit_once('_')?.0 {
            "g" => Some(Arc::clone(&self.standalone)),
            name => lock(&self.streams).get(name).cloned(),
        }
    }

    /// The client answered a request of ours.
    pub fn reply(&self, id: &Value, message: Value) {
        lock(&self.replies).insert(id.to_string(), message);
        self.replied.notify_all();
    }

    pub fn await_reply(&self, id: &Value, within: Duration) -> Option<Value> {
        let until = Instant::now() + within;
        let mut replies = lock(&self.replies);
        loop {
            if let Some(reply) = replies.remove(&id.to_string()) {
                return Some(reply);
            }
            let left = until.checked_duration_since(Instant::now())?;
            replies = self.replied.wait_timeout(replies, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub fn cancel(&self, id: &Value) {
        lock(&self.cancelled).insert(id.to_string());
    }

    pub fn is_cancelled(&self, id: &Value) -> bool {
        lock(&self.cancelled).contains(&id.to_string())
    }
}

pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
