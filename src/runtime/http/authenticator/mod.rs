//! Authorization as a client uses it: [`Authenticator`] does what the state machine of `crates/core/src/auth` wants, and requests to the MCP server
//! go through it. One login serves all requests of a client, whatever connections come and go.
//!
//! * `prompts`: what a person or the application brings to a login: an answer of the browser, a credential, a signature, kept logins

mod prompts;

use super::HttpRuntime;
use crate::auth::{
    Access, Authorizer, Cause, Effect, Failure, Fault, Header, Locked, LoginStep, MemoryStore, Refusal,
    Request, Settings, Timestamp, TokenStore, Verdict,
};
use crate::engine::{Level, LoginWait};
use crate::protocol::address::Address;
use crate::runtime::link::owner::LinkOwner;
use crate::runtime::message::Message;
use crate::runtime::{clock, lock};
use crate::transport::http::settings::HttpSettings;
use crate::transport::http::{Task, fetch};
use crate::transport::poller::Wake;
use crate::transport::token_store::FileStore;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, OnceLock, Weak};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::{Notify, oneshot};
use tokio::task::AbortHandle;

/// The most names of members of an answer that a record has.
const MEMBERS: usize = 50;

/// What the configuration says of authorization.
#[derive(Clone, Debug)]
pub struct AuthConfig {
    /// How to log in.
    pub settings: Settings,
    /// Where logins are kept.
    pub store: Store,
}

/// How it ended that the login is forgotten.
type Forgotten = Result<(), Failure>;

/// A client's authorization.
pub(crate) struct Authenticator {
    authorizer: Mutex<Authorizer>,
    /// How the login stands, for those that wait for it.
    login: LoginState,
    /// Whether the application gives the token, and is asked before a request goes out.
    is_given: bool,
    token_store: TokenStoreBackend,
    key: String,
    /// How long the application may take for an answer.
    patience: Duration,
    /// Whether the application signs proofs.
    signs: bool,
    /// What the application was asked and has not answered.
    answers: Mutex<Answers>,
    /// Those that wait until the login is forgotten; absent once the client is closed, when no thread may wait any more.
    leaving: Mutex<Option<Vec<Sender<Forgotten>>>>,
    /// The store's entry, while it is ours.
    locked: Mutex<Option<Box<dyn Locked>>>,
    settings: HttpSettings,
    handle: Handle,
    /// Weak, since tasks of the runtime hold the authenticator.
    runtime: Weak<HttpRuntime>,
    /// Set once the connection is there.
    connection: OnceLock<Weak<dyn LinkOwner>>,
    /// Ends the listener for the browser.
    stop: Mutex<Option<Arc<Wake>>>,
    ticking: Mutex<bool>,
    /// A request of a session was refused for that session, and none of one was answered since.
    is_session_refused: AtomicBool,
    /// Ends the request of the login that is under way.
    asking: Mutex<Option<AbortHandle>>,
    this: Weak<Authenticator>,
}

impl std::fmt::Debug for Authenticator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authenticator").field("key", &self.key).finish_non_exhaustive()
    }
}

/// What a request goes out with.
pub(super) struct Pass {
    /// Which token it is; 0 for none.
    pub(super) generation: u64,
    pub(super) headers: Vec<Header>,
    /// The login that it waited for failed, so that it goes out without a token. If the server wants one, this is why there is none.
    pub(super) failure: Option<Failure>,
}

fn now() -> Timestamp {
    Timestamp { at: clock::now(), unix: clock::unix() }
}

impl Authenticator {
    pub(super) fn new(
        config: AuthConfig,
        settings: &HttpSettings,
        runtime: &Arc<HttpRuntime>,
    ) -> Arc<Authenticator> {
        let (patience, signs) = (config.settings.patience, config.settings.dpop_key.is_some());
        let authorizer = Authorizer::new(config.settings, &settings.url);
        Arc::new_cyclic(|this| Authenticator {
            key: authorizer.store_key(),
            is_given: authorizer.is_given(),
            authorizer: Mutex::new(authorizer),
            login: LoginState::default(),
            token_store: TokenStoreBackend::new(config.store),
            patience,
            signs,
            answers: Mutex::default(),
            leaving: Mutex::new(Some(Vec::new())),
            locked: Mutex::new(None),
            settings: settings.clone(),
            handle: runtime.handle(),
            runtime: Arc::downgrade(runtime),
            connection: OnceLock::new(),
            stop: Mutex::new(None),
            ticking: Mutex::new(false),
            is_session_refused: AtomicBool::new(false),
            asking: Mutex::new(None),
            this: Weak::clone(this),
        })
    }

    pub(crate) fn belongs_to(&self, connection: Weak<dyn LinkOwner>) {
        // The same each time.
        let _known = self.connection.set(connection);
    }

    fn connection(&self) -> Option<Arc<dyn LinkOwner>> {
        self.connection.get().and_then(Weak::upgrade)
    }

    /// Asks the state machine something and does what it then wants done.
    fn ask<R>(&self, question: impl FnOnce(&mut Authorizer) -> R) -> R {
        let mut authorizer = lock(&self.authorizer);
        let answer = question(&mut authorizer);
        let effects: Vec<Effect> = std::iter::from_fn(|| authorizer.effect()).collect();
        let deadline = authorizer.deadline();
        let asks_servers = authorizer.waits_for_servers();
        self.login.asks(asks_servers);
        drop(authorizer);
        for effect in effects {
            self.perform(effect);
        }
        if deadline.is_some() {
            self.keep_time();
        }
        answer
    }

    fn spawn(&self, task: impl FnOnce(Arc<Authenticator>) -> Task + Send + 'static) {
        if let Some(authenticator) = self.this.upgrade() {
            self.handle.spawn(task(authenticator));
        }
    }

    /// Does what may wait for others on a thread of its own; `refused` gets why there is none.
    fn wait_elsewhere(
        &self,
        work: impl FnOnce(&Authenticator) + Send + 'static,
        refused: impl FnOnce(&Authenticator, String) + Send + 'static,
    ) {
        let Some(runtime) = self.runtime.upgrade() else { return };
        let (room, runtime) = (Arc::clone(&runtime.room), Weak::clone(&self.runtime));
        self.spawn(move |authenticator| {
            Box::pin(async move {
                // It is never closed.
                let permit = room.acquire_owned().await.ok();
                let Some(runtime) = runtime.upgrade() else { return };
                let mine = Arc::clone(&authenticator);
                let begun = runtime.help(move || {
                    work(&mine);
                    drop(permit);
                });
                if let Err(error) = begun {
                    refused(&authenticator, no_thread(&error));
                }
            })
        });
    }

    fn perform(&self, effect: Effect) {
        match effect {
            Effect::Http(request) => {
                let Some(authenticator) = self.this.upgrade() else { return };
                let task: Task = Box::pin(async move { authenticator.send(request).await });
                *lock(&self.asking) = Some(self.handle.spawn(task).abort_handle());
            }
            Effect::Store(command) => self.use_store(command),
            Effect::Listen(listen) => self.listen(listen),
            Effect::Prompt(prompt) => self.prompt(&prompt),
            Effect::Ask(wanted) => self.want(&wanted),
            Effect::Withdraw => self.stop_listening(),
            Effect::Ready => {
                self.login.ends(None);
            }
            Effect::Failed(failure) => {
                self.log(Level::Warn, "auth.failed", &json!({"error": failure.to_string()}));
                self.login.ends(Some(failure));
            }
            Effect::Forgotten(result) => {
                for waiting in lock(&self.leaving).iter_mut().flat_map(|waiting| waiting.drain(..)) {
                    // Who does not wait any more need not know.
                    let _ = waiting.send(result.clone());
                }
            }
            Effect::Warning(failure) => {
                self.log(Level::Warn, "auth.warning", &json!({"error": failure.to_string()}));
            }
        }
    }

    async fn send(&self, mut request: Request) {
        let mut record = json!({"step": request.step.as_str(), "url": request.url.to_string()});
        self.log(Level::Debug, "auth.request", &record);
        let (id, begin) = (request.id, Instant::now());
        let answer = match self.sign_all(&mut request).await {
            Ok(assertion) => fetch::fetch(&self.settings, &request).await.map(|mut answer| {
                if let Some(assertion) = &assertion {
                    answer.conceal(assertion);
                }
                answer
            }),
            Err(why) => Err(Fault::Unsigned(why)),
        };
        // An answer may be a token: its status and the names of its members say how far the login is.
        match &answer {
            Ok(answer) => {
                record["status"] = answer.status.into();
                if let Ok(Value::Object(members)) = serde_json::from_slice::<Value>(&answer.body) {
                    record["members"] = members.keys().take(MEMBERS).cloned().collect();
                }
            }
            Err(fault) => {
                let why = match fault {
                    Fault::TooLarge => "the answer is too long",
                    Fault::TimedOut => "no answer in time",
                    Fault::Private(_) => "the host has a private address",
                    Fault::Unreachable(_) => "no connection",
                    Fault::Unsigned(_) => "the application did not sign",
                };
                record["error"] = why.into();
            }
        }
        record["ms"] = json!(begin.elapsed().as_secs_f64() * 1000.0);
        self.log(Level::Debug, "auth.answer", &record);
        self.ask(|authorizer| authorizer.answered(id, answer, now()));
    }

    /// Does something with the state machine that it is not in the middle of.
    fn later(&self, what: impl FnOnce(&mut Authorizer) + Send + 'static) {
        self.spawn(move |authenticator| Box::pin(async move { authenticator.ask(what) }));
    }

    fn emit(&self, what: &Value) {
        self.deliver(|client| Message::auth(client, what));
    }

    fn deliver(&self, message: impl FnOnce(u64) -> Message) {
        if let Some(connection) = self.connection()
            && let Some(ready) = connection.context().queue.push(message(connection.context().client), None)
        {
            connection.context().callbacks.run(ready);
        }
    }

    fn log(&self, level: Level, event: &'static str, fields: &Value) {
        if let Some(connection) = self.connection() {
            connection.context().event(level, event, || fields.as_object().cloned().unwrap_or_default());
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
        let task: Task = Box::pin(async move {
            loop {
                let deadline = {
                    let Some(authenticator) = weak.upgrade() else { return };
                    let mut ticking = lock(&authenticator.ticking);
                    let deadline = lock(&authenticator.authorizer).deadline();
                    *ticking = deadline.is_some();
                    deadline
                };
                let Some(deadline) = deadline else { return };
                // Looked at again now and then, since it moves.
                let look = clock::now() + Duration::from_secs(1);
                tokio::time::sleep_until(deadline.min(look).into()).await;
                let Some(authenticator) = weak.upgrade() else { return };
                authenticator.ask(|authorizer| authorizer.tick(now()));
            }
        });
        self.handle.spawn(task);
    }

    /// What a request to the MCP server is to carry, waiting for a login if need be. One that fails is the failure of this request
    /// only if the server wants a token for it, which it has not said yet.
    pub(super) async fn access(
        &self,
        method: &str,
        url: &Address,
        waits: &(dyn Fn(LoginWait) + Sync),
    ) -> Result<Pass, Failure> {
        let open = |failure| Pass { generation: 0, headers: Vec::new(), failure };
        loop {
            let ended = self.login.ended();
            match self.ask(|authorizer| authorizer.access(method, url, now())) {
                Access::Open => return Ok(open(None)),
                Access::With { generation, mut headers } => {
                    if self.signs {
                        waits(LoginWait::Person);
                        let signed = self.sign(&mut headers).await;
                        waits(LoginWait::Over);
                        signed.map_err(unsigned)?;
                    }
                    return Ok(Pass { generation, headers, failure: None });
                }
                Access::Failed(failure) => return Err(failure),
                Access::Wait => match self.wait_for_login(ended, waits).await {
                    Ok(()) => {}
                    Err(failure) if self.is_given => return Err(failure),
                    Err(failure) => return Ok(open(Some(failure))),
                },
            }
        }
    }

    /// The MCP server refused a request. `Ok` says whether to send it again.
    pub(super) async fn refused(
        &self,
        refusal: Refusal<'_>,
        waits: &(dyn Fn(LoginWait) + Sync),
    ) -> Result<bool, Failure> {
        let ended = self.login.ended();
        match self.ask(|authorizer| authorizer.refused(&refusal, now())) {
            Verdict::Again => Ok(true),
            Verdict::Wait => self.wait_for_login(ended, waits).await.map(|()| true),
            Verdict::Fail(failure) => Err(failure),
            Verdict::NotMine => Ok(false),
        }
    }

    /// Waits until more logins than `ended` have ended. When the last request that waits is given up, because its call has ended, what
    /// the login asks servers ends, too.
    async fn wait_for_login(&self, ended: u64, waits: &(dyn Fn(LoginWait) + Sync)) -> Result<(), Failure> {
        self.login.begin_waiting();
        let waiting = LoginWaiter(self);
        let end = self.login.wait_for_end(ended, waits).await;
        drop(waiting);
        end
    }

    /// A login for which no request waits any more.
    fn give_up_login(&self) {
        if !self.login.is_awaited()
            && self.ask(|authorizer| authorizer.nobody_waits(now()))
            && let Some(asking) = lock(&self.asking).take()
        {
            asking.abort();
        }
    }

    /// A request of a session was answered.
    pub(super) fn session_answered(&self) {
        self.is_session_refused.store(false, Ordering::Relaxed);
    }

    /// A request was refused with words about its session. Says whether a new session may bring it back: where that is refused in the
    /// same words, it is the login that is missing.
    pub(super) fn may_be_the_session(&self) -> bool {
        !self.is_session_refused.swap(true, Ordering::Relaxed)
    }

    pub(super) fn accepted(&self, generation: u64, operation: &str, nonce: Option<&str>) {
        self.ask(|authorizer| authorizer.accepted(generation, operation, nonce));
    }

    /// A name of the login that requests carry now, which says nothing else; the same after a refresh.
    pub(crate) fn login(&self) -> Option<String> {
        lock(&self.authorizer).login_name()
    }

    /// Begins to forget the login; gives where the end of that is told. Once the client is closed nothing begins and nothing is told.
    pub(crate) fn forget(&self) -> Receiver<Forgotten> {
        let (sender, receiver) = channel();
        let is_waited_for = match &mut *lock(&self.leaving) {
            Some(waiting) => {
                waiting.push(sender);
                true
            }
            None => false,
        };
        if is_waited_for {
            self.ask(|authorizer| authorizer.forget(now()));
        }
        receiver
    }

    /// The client is closed: waits, at most until then, for a refresh under way, whose answer has the only refresh token there is from then on.
    /// Not where the application keeps logins, which answers no more.
    pub(crate) fn finish(&self, until: Instant) {
        let ended = self.login.ended();
        if !matches!(self.token_store, TokenStoreBackend::Application) && self.ask(Authorizer::closes) {
            self.login.wait_until(ended, until);
        }
    }

    /// The client is closed: no thread waits any more until the login is forgotten, since the application no longer answers for its store.
    pub(crate) fn wait_for_nothing(&self) {
        drop(lock(&self.leaving).take());
    }
}

/// A request that waits for the login, until it is answered or given up.
struct LoginWaiter<'a>(&'a Authenticator);

impl Drop for LoginWaiter<'_> {
    fn drop(&mut self) {
        if self.0.login.end_waiting() {
            // Not here, where a lock may be held.
            self.0.spawn(|authenticator| Box::pin(async move { authenticator.give_up_login() }));
        }
    }
}

fn no_thread(error: &std::io::Error) -> String {
    format!("the system makes no thread for it: {error}")
}

impl Drop for Authenticator {
    fn drop(&mut self) {
        self.stop_listening();
    }
}

/// How the login stands. Requests that wait go on in the order in which they came.
#[derive(Debug, Default)]
struct LoginState {
    login: Mutex<LoginProgress>,
    changed: Notify,
    /// The same for threads.
    ends: Condvar,
}

#[derive(Clone, Debug, Default)]
struct LoginProgress {
    /// How many have ended.
    ended: u64,
    /// How the last one ended: who waited for it ends with its failure.
    failure: Option<Failure>,
    /// Whether the one under way waits for servers.
    asks_servers: bool,
    /// How many requests wait for its end.
    waiting: usize,
}

impl LoginState {
    /// How many logins have ended.
    fn ended(&self) -> u64 {
        lock(&self.login).ended
    }

    /// Whether the login under way waits for servers.
    fn asks(&self, servers: bool) {
        if std::mem::replace(&mut lock(&self.login).asks_servers, servers) != servers {
            self.changed.notify_waiters();
        }
    }

    /// The login has ended, with this failure if any.
    fn ends(&self, failure: Option<Failure>) {
        let mut login = lock(&self.login);
        login.ended += 1;
        login.failure = failure;
        drop(login);
        self.changed.notify_waiters();
        self.ends.notify_all();
    }

    /// Keeps a thread until more logins than `ended` have ended, or until then.
    fn wait_until(&self, ended: u64, until: Instant) {
        let limit = until.saturating_duration_since(Instant::now());
        let is_under_way = |login: &mut LoginProgress| login.ended == ended;
        // What it ended with is told to who waits for a token.
        drop(self.ends.wait_timeout_while(lock(&self.login), limit, is_under_way));
    }

    /// A request waits from now on.
    fn begin_waiting(&self) {
        lock(&self.login).waiting += 1;
    }

    /// It waits no longer. Says whether it was the last one.
    fn end_waiting(&self) -> bool {
        let mut login = lock(&self.login);
        login.waiting -= 1;
        login.waiting == 0
    }

    /// Whether any request waits.
    fn is_awaited(&self) -> bool {
        lock(&self.login).waiting > 0
    }

    /// Waits until more logins than `ended` have ended.
    async fn wait_for_end(&self, ended: u64, waits: &(dyn Fn(LoginWait) + Sync)) -> Result<(), Failure> {
        let failure = loop {
            let mut changed = pin!(self.changed.notified());
            // A change after this is not missed.
            changed.as_mut().enable();
            let LoginProgress { ended: now, failure, asks_servers, .. } = lock(&self.login).clone();
            if now != ended {
                break failure;
            }
            waits(if asks_servers { LoginWait::Servers } else { LoginWait::Person });
            changed.await;
        };
        waits(LoginWait::Over);
        failure.map_or(Ok(()), Err)
    }
}

/// What the application was asked.
enum AppQuestion {
    /// What is kept.
    Load,
    /// The same, and to keep others from changing it.
    Lock,
    /// To keep something.
    Save,
    /// For a signature.
    Sign(oneshot::Sender<Result<String, String>>),
}

/// What was asked and is not answered.
#[derive(Default)]
struct Answers {
    next: u64,
    open: HashMap<u64, AppQuestion>,
}

/// A proof that the application did not sign.
fn unsigned(why: String) -> Failure {
    Failure::new(LoginStep::Application, "signature", why).because(Cause::Unreachable)
}

/// Where the configuration has logins kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Store {
    /// In memory, as long as the client.
    Memory,
    /// In files, which processes share.
    Directory(PathBuf),
    /// By the application, which is asked in messages.
    Application,
}

/// Where logins are kept.
enum TokenStoreBackend {
    Own(Arc<dyn TokenStore>),
    Application,
}

impl TokenStoreBackend {
    fn new(store: Store) -> TokenStoreBackend {
        match store {
            Store::Memory => TokenStoreBackend::Own(Arc::new(MemoryStore::default())),
            Store::Directory(directory) => TokenStoreBackend::Own(Arc::new(FileStore::new(directory))),
            Store::Application => TokenStoreBackend::Application,
        }
    }
}
