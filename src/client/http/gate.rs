//! Authorization as a client uses it: what the state machine of `auth` wants done is done here, and requests to the MCP server
//! go through it. One login serves all requests of a client, whatever connections come and go.

use super::super::config::auth::AuthConfig;
use super::super::connection::Connection;
use super::super::lock;
use super::super::message::Message;
use crate::auth::{
    Access, Ask, Authorizer, Effect, Failure, Given, Header, Listen, Locked, MemoryStore, Moment, Prompt,
    Refusal, Secret, StoreCommand, StoreFault, TokenStore, Verdict, Wanted,
};
use crate::engine::Level;
use crate::protocol::address::Address;
use crate::transport::http::fetch;
use crate::transport::http::settings::HttpSettings;
use crate::transport::loopback::{Loopback, Page};
use crate::transport::poller::Wake;
use crate::transport::token_store::FileStore;
use rustix::fd::AsFd;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::runtime::Handle;
use tokio::sync::Notify;

/// How long the store may take to give a lock.
const STORE_WAIT: Duration = Duration::from_secs(20);

/// A client's authorization.
pub(crate) struct Gate {
    authorizer: Mutex<Authorizer>,
    /// Told at every end of a login.
    changed: Notify,
    store: Arc<dyn TokenStore>,
    key: String,
    /// The store's entry, while it is ours.
    locked: Mutex<Option<Box<dyn Locked>>>,
    settings: HttpSettings,
    handle: Handle,
    /// Set once the connection is there.
    connection: OnceLock<Weak<Connection>>,
    /// Ends the listener for the browser.
    stop: Mutex<Option<Arc<Wake>>>,
    ticking: Mutex<bool>,
    /// Whether it was looked up where the server is.
    found: Mutex<bool>,
    this: Weak<Gate>,
}

impl std::fmt::Debug for Gate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gate").field("key", &self.key).finish_non_exhaustive()
    }
}

fn now() -> Moment {
    let unix = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Moment { at: Instant::now(), unix }
}

impl Gate {
    pub(super) fn new(config: AuthConfig, settings: &HttpSettings, handle: Handle) -> Arc<Gate> {
        let authorizer = Authorizer::new(config.settings, &settings.url);
        let store: Arc<dyn TokenStore> = match config.store {
            Some(directory) => Arc::new(FileStore::new(directory)),
            None => Arc::new(MemoryStore::default()),
        };
        Arc::new_cyclic(|this| Gate {
            key: authorizer.store_key(),
            authorizer: Mutex::new(authorizer),
            changed: Notify::new(),
            store,
            locked: Mutex::new(None),
            settings: settings.clone(),
            handle,
            connection: OnceLock::new(),
            stop: Mutex::new(None),
            ticking: Mutex::new(false),
            found: Mutex::new(false),
            this: Weak::clone(this),
        })
    }

    pub(super) fn belongs_to(&self, connection: &Arc<Connection>) {
        // The same each time.
        let _known = self.connection.set(Arc::downgrade(connection));
    }

    fn connection(&self) -> Option<Arc<Connection>> {
        self.connection.get().and_then(Weak::upgrade)
    }

    /// Asks the state machine something and does what it then wants done.
    fn ask<R>(&self, question: impl FnOnce(&mut Authorizer) -> R) -> R {
        let mut authorizer = lock(&self.authorizer);
        let answer = question(&mut authorizer);
        let effects: Vec<Effect> = std::iter::from_fn(|| authorizer.effect()).collect();
        let deadline = authorizer.deadline();
        drop(authorizer);
        for effect in effects {
            self.perform(effect);
        }
        if deadline.is_some() {
            self.keep_time();
        }
        answer
    }

    fn spawn(&self, task: impl FnOnce(Arc<Gate>) -> TaskOf + Send + 'static) {
        if let Some(gate) = self.this.upgrade() {
            self.handle.spawn(async move { task(gate).await });
        }
    }

    fn perform(&self, effect: Effect) {
        match effect {
            Effect::Http(request) => self.spawn(move |gate| {
                Box::pin(async move {
                    gate.log(
                        Level::Debug,
                        "auth.request",
                        &json!({"step": request.step.as_str(), "url": request.url.to_string()}),
                    );
                    let answer = fetch::fetch(&gate.settings, &request).await;
                    gate.ask(|authorizer| authorizer.answered(request.id, answer, now()));
                })
            }),
            Effect::Store(command) => self.use_store(command),
            Effect::Listen(listen) => self.listen(listen),
            Effect::Prompt(prompt) => self.prompt(&prompt),
            Effect::Ask(wanted) => self.want(&wanted),
            Effect::Withdraw => self.stop_listening(),
            Effect::Ready { .. } => self.changed.notify_waiters(),
            Effect::Failed(failure) => {
                self.log(Level::Warn, "auth.failed", &json!({"error": failure.to_string()}));
                self.changed.notify_waiters();
            }
            Effect::Warning(failure) => {
                self.log(Level::Warn, "auth.warning", &json!({"error": failure.to_string()}));
            }
        }
    }

    /// Stores may wait for other processes, so they are used on a thread that may.
    fn use_store(&self, command: StoreCommand) {
        let Some(gate) = self.this.upgrade() else { return };
        self.handle.spawn_blocking(move || match command {
            StoreCommand::Load => {
                let content = gate.store.load(&gate.key);
                gate.ask(|authorizer| authorizer.stored(content, now()));
            }
            StoreCommand::Lock => {
                let content = gate.store.lock(&gate.key, STORE_WAIT).and_then(|locked| {
                    let content = locked.content();
                    *lock(&gate.locked) = Some(locked);
                    content
                });
                if !gate.ask(|authorizer| authorizer.stored(content, now())) {
                    lock(&gate.locked).take();
                }
            }
            StoreCommand::Save(text) => {
                let locked = lock(&gate.locked).take();
                let saved = match locked {
                    Some(locked) => locked.save(&text),
                    None => Err(StoreFault::Failed("the lock was let go".to_owned())),
                };
                gate.ask(|authorizer| authorizer.saved(saved));
            }
            StoreCommand::Unlock => drop(lock(&gate.locked).take()),
        });
    }

    /// Listens for the browser, on a thread of its own: the person takes their time.
    fn listen(&self, listen: Listen) {
        let Some(gate) = self.this.upgrade() else { return };
        let stop = match Wake::new() {
            Ok(stop) => Arc::new(stop),
            Err(errno) => {
                let why = format!("no descriptor is left ({errno})");
                return self.later(move |authorizer| authorizer.listening(Err(why), now()));
            }
        };
        if let Some(before) = lock(&self.stop).replace(Arc::clone(&stop)) {
            before.set();
        }
        let patience = Duration::from_secs(24 * 60 * 60);
        self.handle.spawn_blocking(move || {
            let bound = Loopback::bind(&listen);
            let port = bound.as_ref().map(Loopback::port).map_err(ToString::to_string);
            gate.ask(|authorizer| authorizer.listening(port, now()));
            let Ok(bound) = bound else { return };
            // The state machine ends the wait, by withdrawing.
            let until = Instant::now() + patience;
            let weak = Arc::downgrade(&gate);
            drop(gate);
            let served = bound.serve(until, stop.fd().as_fd(), |target| {
                let Some(gate) = weak.upgrade() else { return Page::Failed };
                match gate.complete(target) {
                    Ok(()) => Page::Taken,
                    Err(_) if gate.is_logging_in() => Page::Stray,
                    Err(_) => Page::Failed,
                }
            });
            if let (Err(error), Some(gate)) = (served, weak.upgrade()) {
                gate.give_up(&format!("nobody can listen for the browser: {error}"));
            }
        });
    }

    fn is_logging_in(&self) -> bool {
        lock(&self.authorizer).deadline().is_some()
    }

    fn stop_listening(&self) {
        if let Some(stop) = lock(&self.stop).take() {
            stop.set();
        }
    }

    /// Does something with the state machine that it is not in the middle of.
    fn later(&self, what: impl FnOnce(&mut Authorizer) + Send + 'static) {
        self.spawn(move |gate| Box::pin(async move { gate.ask(what) }));
    }

    fn prompt(&self, prompt: &Prompt) {
        self.emit(&json!({
            "kind": "authorize",
            "url": prompt.url.expose(),
            "redirect_uri": prompt.redirect_uri,
            "listens": prompt.listens,
            "issuer": prompt.issuer,
            "scopes": prompt.scopes,
            "expires_in_ms": millis_until(prompt.deadline),
        }));
    }

    /// A credential is wanted, from a file or from the application.
    fn want(&self, ask: &Ask) {
        let Some(path) = ask.file.clone() else {
            let kind = match ask.wanted {
                Wanted::Token => "token",
                Wanted::WorkloadAssertion => "assertion",
                Wanted::Subject => "subject",
            };
            return self.emit(&json!({"kind": kind, "audience": ask.audience, "refused": ask.refused}));
        };
        let Some(gate) = self.this.upgrade() else { return };
        self.handle.spawn_blocking(move || match super::credential::read(&path) {
            Ok(text) => {
                gate.ask(|authorizer| authorizer.given(&Given { text, lasts: None }, now()));
            }
            Err(why) => gate.give_up(&format!("the file '{path}' cannot be used: {why}")),
        });
    }

    fn emit(&self, what: &Value) {
        if let Some(connection) = self.connection()
            && let Some(ready) = connection.queue.push(Message::auth(connection.client, what), None)
        {
            connection.runtime.callbacks.run(ready);
        }
    }

    fn log(&self, level: Level, event: &'static str, fields: &Value) {
        if let Some(connection) = self.connection() {
            connection
                .runtime
                .callbacks
                .event(&connection.name, level, event, || fields.as_object().cloned().unwrap_or_default());
        }
    }

    /// Sees to it that the state machine is told of the time.
    fn keep_time(&self) {
        {
            let mut ticking = lock(&self.ticking);
            if *ticking {
                return;
            }
            *ticking = true;
        }
        let weak = Weak::clone(&self.this);
        self.handle.spawn(async move {
            loop {
                let deadline = {
                    let Some(gate) = weak.upgrade() else { return };
                    let mut ticking = lock(&gate.ticking);
                    let deadline = lock(&gate.authorizer).deadline();
                    *ticking = deadline.is_some();
                    deadline
                };
                let Some(deadline) = deadline else { return };
                // Looked at again now and then, since it moves.
                let look = Instant::now() + Duration::from_secs(1);
                tokio::time::sleep_until(deadline.min(look).into()).await;
                let Some(gate) = weak.upgrade() else { return };
                gate.ask(|authorizer| authorizer.tick(now()));
            }
        });
    }

    /// What a request to the MCP server is to carry, waiting for a login if need be.
    pub(super) async fn access(
        &self,
        method: &str,
        url: &Address,
        waits: &(dyn Fn(bool) + Sync),
    ) -> Result<(u64, Vec<Header>), Failure> {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            match self.ask(|authorizer| authorizer.access(method, url, now())) {
                Access::Open => return Ok((0, Vec::new())),
                Access::With { generation, headers } => return Ok((generation, headers)),
                Access::Failed(failure) => return Err(failure),
                Access::Wait => {
                    waits(true);
                    changed.await;
                    waits(false);
                }
            }
        }
    }

    /// The MCP server refused a request. `Ok` says whether to send it again.
    pub(super) async fn refused(
        &self,
        refusal: Refusal<'_>,
        waits: &(dyn Fn(bool) + Sync),
    ) -> Result<bool, Failure> {
        self.find_server().await;
        let changed = self.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        match self.ask(|authorizer| authorizer.refused(&refusal, now())) {
            Verdict::Again => Ok(true),
            Verdict::Wait => {
                waits(true);
                changed.await;
                waits(false);
                Ok(true)
            }
            Verdict::Fail(failure) => Err(failure),
            Verdict::NotMine => Ok(false),
        }
    }

    /// Where the server is: one in a private network may name others there.
    async fn find_server(&self) {
        if std::mem::replace(&mut *lock(&self.found), true) {
            return;
        }
        let origin = self.settings.url.origin();
        let host = origin.host.trim_matches(['[', ']']);
        if self.settings.unix_socket.is_none()
            && let Ok(addresses) = crate::transport::http::names::look_up(host, origin.port).await
            && let Some(address) = addresses.first()
        {
            self.ask(|authorizer| authorizer.server_is_at(address.ip()));
        }
    }

    pub(super) fn accepted(&self, generation: u64, operation: &str, nonce: Option<&str>) {
        self.ask(|authorizer| authorizer.accepted(generation, operation, nonce));
    }

    /// The browser came back.
    pub(crate) fn complete(&self, callback: &str) -> Result<(), Failure> {
        self.ask(|authorizer| authorizer.complete(callback, now()))
    }

    /// The application gives the credential that it was asked for. Says whether anybody waits for one.
    pub(crate) fn give(&self, text: &str, lasts: Option<Duration>) -> bool {
        self.ask(|authorizer| authorizer.given(&Given { text: Secret::new(text), lasts }, now()))
    }

    /// The application, or the person, will not go on.
    pub(crate) fn give_up(&self, why: &str) {
        self.ask(|authorizer| authorizer.give_up(why, now()));
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.stop_listening();
    }
}

type TaskOf = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

fn millis_until(deadline: Instant) -> u64 {
    u64::try_from(deadline.saturating_duration_since(Instant::now()).as_millis()).unwrap_or(u64::MAX)
}
