//! What a person or the application brings to a login: the answer of a browser, or a credential.

use super::{AppQuestion, Authenticator, TokenStoreBackend, no_thread, now};
use crate::auth::{
    Algorithm, Ask, Failure, Given, Header, Listen, Prompt, Request, Secret, StoreCommand, StoreFault,
    TokenStore, Wanted, is_signature,
};
use crate::runtime::message::{Abandon, Message};
use crate::runtime::{clock, lock};
use crate::transport::http::Task;
use crate::transport::loopback::{Loopback, Page};
use crate::transport::poller::Wake;
use rustix::fd::AsFd;
use serde_json::{Value, json};
use std::fs::File;
use std::io::Read;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

impl Authenticator {
    /// Listens for the browser, on a thread of its own: the person takes their time.
    pub(super) fn listen(&self, listen: Listen) {
        let Some(authenticator) = self.this.upgrade() else { return };
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
        let Some(runtime) = self.runtime.upgrade() else { return };
        let Ok(permit) = Arc::clone(&runtime.listeners).try_acquire_owned() else {
            let why = "too many logins wait for their browsers already".to_owned();
            return self.later(move |authorizer| authorizer.listening(Err(why), now()));
        };
        let begun = runtime.help(move || {
            let _until_the_end = permit;
            let bound = Loopback::bind(&listen);
            let port = bound.as_ref().map(Loopback::port).map_err(ToString::to_string);
            authenticator.ask(|authorizer| authorizer.listening(port, now()));
            let Ok(bound) = bound else { return };
            // The state machine ends the wait, by withdrawing.
            let until = Instant::now() + patience;
            let weak = Arc::downgrade(&authenticator);
            drop(authenticator);
            let served = bound.serve(until, stop.fd().as_fd(), |target| {
                let Some(authenticator) = weak.upgrade() else { return Page::Failed };
                match authenticator.complete(target) {
                    Ok(()) => Page::Taken,
                    Err(_) if authenticator.is_logging_in() => Page::Stray,
                    Err(_) => Page::Failed,
                }
            });
            if let (Err(error), Some(authenticator)) = (served, weak.upgrade()) {
                authenticator.give_up(&format!("the library cannot listen for the browser: {error}"));
            }
        });
        if let Err(error) = begun {
            let why = no_thread(&error);
            self.later(move |authorizer| authorizer.listening(Err(why), now()));
        }
    }

    /// Whether a login is under way.
    pub(crate) fn is_logging_in(&self) -> bool {
        lock(&self.authorizer).deadline().is_some()
    }

    pub(crate) fn stop_listening(&self) {
        if let Some(stop) = lock(&self.stop).take() {
            stop.set();
        }
    }

    pub(super) fn prompt(&self, prompt: &Prompt) {
        let mut message = json!({
            "kind": "authorize",
            "url": prompt.url.expose(),
            "listens": prompt.listens,
            "issuer": prompt.issuer,
            "scopes": prompt.scopes,
            "expires_in_ms": millis_until(prompt.deadline),
        });
        match &prompt.device {
            None => message["redirect_uri"] = prompt.redirect_uri.as_str().into(),
            Some(device) => {
                message["user_code"] = device.user_code.expose().into();
                message["verification_uri"] = device.verification_uri.as_str().into();
            }
        }
        self.emit(&message);
    }

    /// A credential is wanted, from a file or from the application.
    pub(super) fn want(&self, ask: &Ask) {
        let Some(path) = ask.file.clone() else {
            let kind = match ask.wanted {
                Wanted::Token => "token",
                Wanted::WorkloadAssertion => "assertion",
                Wanted::Subject => "subject",
            };
            return self.emit(&json!({"kind": kind, "audience": ask.audience, "refused": ask.refused}));
        };
        let name = path.clone();
        self.wait_elsewhere(
            move |authenticator| match read(&path) {
                Ok(text) => {
                    authenticator.ask(|authorizer| authorizer.given(&Given { text, lasts: None }, now()));
                }
                Err(why) => authenticator.give_up(&format!("the file '{path}' cannot be used: {why}")),
            },
            move |authenticator, why| {
                authenticator.give_up(&format!("the file '{name}' cannot be read: {why}"));
            },
        );
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

fn millis_until(deadline: Instant) -> u64 {
    u64::try_from(deadline.saturating_duration_since(clock::now()).as_millis()).unwrap_or(u64::MAX)
}

impl Authenticator {
    /// Asks the application in a message; its answer comes to [`answer`](Authenticator::answer), or a failure when its time is over.
    fn ask_application(&self, asked: AppQuestion, what: &Value) -> u64 {
        let waits_itself = matches!(asked, AppQuestion::Sign(_));
        let key = {
            let mut answers = lock(&self.answers);
            answers.next += 1;
            let key = answers.next;
            answers.open.insert(key, asked);
            key
        };
        let owner = Weak::clone(&self.this);
        self.deliver(|client| Message::auth(client, what).answered_to(key, owner));
        if !waits_itself {
            let (weak, patience) = (Weak::clone(&self.this), self.patience);
            let task: Task = Box::pin(async move {
                tokio::time::sleep(patience).await;
                if let Some(authenticator) = weak.upgrade() {
                    authenticator.answer(key, Err(authenticator.too_late()));
                }
            });
            self.handle.spawn(task);
        }
        key
    }

    fn too_late(&self) -> String {
        format!("the application did not answer within {} s", self.patience.as_secs())
    }

    /// The application answered a message. Says whether anybody waits for that.
    pub(crate) fn answer(&self, key: u64, answer: Result<Option<&str>, String>) -> bool {
        let Some(asked) = lock(&self.answers).open.remove(&key) else { return false };
        let failed = |why: String| StoreFault::Failed(format!("the application's store: {why}"));
        match asked {
            AppQuestion::Load | AppQuestion::Lock => {
                let with_lock = matches!(asked, AppQuestion::Lock);
                let locks = with_lock && answer.is_ok();
                let content = answer.map(|text| text.map(Secret::new)).map_err(failed);
                if !self.ask(|authorizer| authorizer.stored(with_lock, content, now())) && locks {
                    self.emit(&json!({"kind": "unlock", "key": self.key}));
                }
            }
            AppQuestion::Save => {
                self.ask(|authorizer| authorizer.saved(answer.map(drop).map_err(failed), now()));
            }
            AppQuestion::Sign(sender) => {
                // The request that it was for may have ended.
                let _ = sender.send(answer.map(|text| text.unwrap_or_default().trim().to_owned()));
            }
        }
        true
    }

    /// Completes the proof among the headers of a request, if the application signs.
    pub(super) async fn sign(&self, headers: &mut [Header]) -> Result<(), String> {
        if !self.signs {
            return Ok(());
        }
        let Some((_, proof)) = headers.iter_mut().find(|(name, _)| *name == "dpop") else { return Ok(()) };
        let unsigned = |why: String| format!("the proof is not signed: {why}");
        let what = json!({"kind": "sign", "purpose": "proof", "algorithm": "ES256", "input": proof.expose()});
        let signature = self.ask_to_sign(&what).await.map_err(unsigned)?;
        if !is_signature(Algorithm::Es256, &signature) {
            let what = "the application's signature is not ES256, which is 64 bytes (r and s) in Base64url without padding";
            return Err(unsigned(what.to_owned()));
        }
        *proof = Secret::new(format!("{}.{signature}", proof.expose()));
        Ok(())
    }

    /// Has the application sign all that a request of a login still lacks; gives the assertion, if it was one.
    pub(super) async fn sign_all(&self, request: &mut Request) -> Result<Option<Secret>, String> {
        self.sign(&mut request.headers).await?;
        let Some(unsigned) = request.unsigned.take() else { return Ok(None) };
        let what = json!({
            "kind": "sign",
            "purpose": "assertion",
            "algorithm": unsigned.algorithm.as_str(),
            "key_id": unsigned.key_id,
            "client_id": unsigned.client_id,
            "audience": unsigned.audience,
            "input": unsigned.input.expose(),
        });
        let failed = |why: String| format!("the assertion is not signed: {why}");
        let answer = self.ask_to_sign(&what).await.map_err(failed)?;
        let assertion = unsigned.signed(&answer, now().unix).map_err(failed)?;
        request.complete(&assertion);
        Ok(Some(assertion))
    }

    async fn ask_to_sign(&self, what: &Value) -> Result<String, String> {
        let (sender, receiver) = oneshot::channel();
        let key = self.ask_application(AppQuestion::Sign(sender), what);
        let Ok(answer) = tokio::time::timeout(self.patience, receiver).await else {
            lock(&self.answers).open.remove(&key);
            return Err(self.too_late());
        };
        answer.unwrap_or_else(|_| Err("the application can no longer answer".to_owned()))
    }
}

impl Abandon for Authenticator {
    fn abandon(&self, key: u64) {
        self.answer(key, Err("the application freed the message without an answer".to_owned()));
    }
}

/// How long the store may take to give a lock.
const STORE_WAIT: Duration = Duration::from_secs(20);
/// How much longer than what is kept the next text may be: the longest token that is taken, and some.
const MORE: usize = 20 * 1024;

impl Authenticator {
    pub(super) fn use_store(&self, command: StoreCommand) {
        match &self.token_store {
            TokenStoreBackend::Own(store) => self.use_own_store(Arc::clone(store), command),
            TokenStoreBackend::Application => self.use_store_of_application(command),
        }
    }

    /// Stores may wait for other processes, so they are used on a thread that may.
    fn use_own_store(&self, store: Arc<dyn TokenStore>, command: StoreCommand) {
        match command {
            StoreCommand::Load => self.wait_elsewhere(
                move |authenticator| {
                    let content = store.load(&authenticator.key);
                    authenticator.ask(|authorizer| authorizer.stored(false, content, now()));
                },
                |authenticator, why| authenticator.not_stored(false, why),
            ),
            StoreCommand::Lock => self.wait_elsewhere(
                move |authenticator| {
                    let content = authenticator.lock_own(store.as_ref());
                    if !authenticator.ask(|authorizer| authorizer.stored(true, content, now())) {
                        lock(&authenticator.locked).take();
                    }
                },
                |authenticator, why| authenticator.not_stored(true, why),
            ),
            StoreCommand::Save(text) => self.wait_elsewhere(
                move |authenticator| {
                    let locked = lock(&authenticator.locked).take();
                    let saved = match locked {
                        Some(locked) => locked.save(&text),
                        None => Err(StoreFault::Failed("the lock was released".to_owned())),
                    };
                    authenticator.ask(|authorizer| authorizer.saved(saved, now()));
                },
                |authenticator, why| {
                    drop(lock(&authenticator.locked).take());
                    authenticator.ask(|authorizer| authorizer.saved(Err(StoreFault::Failed(why)), now()));
                },
            ),
            // Takes no time and needs no thread.
            StoreCommand::Unlock => drop(lock(&self.locked).take()),
        }
    }

    fn not_stored(&self, with_lock: bool, why: String) {
        self.ask(|authorizer| authorizer.stored(with_lock, Err(StoreFault::Failed(why)), now()));
    }

    /// Takes the lock, reads, and keeps room for what is to be written.
    fn lock_own(&self, store: &dyn TokenStore) -> Result<Option<Secret>, StoreFault> {
        let locked = store.lock(&self.key, STORE_WAIT)?;
        let content = locked.content()?;
        locked.reserve(content.as_ref().map_or(0, |text| text.expose().len()) + MORE)?;
        *lock(&self.locked) = Some(locked);
        Ok(content)
    }

    fn use_store_of_application(&self, command: StoreCommand) {
        let key = &self.key;
        match command {
            StoreCommand::Load => {
                self.ask_application(AppQuestion::Load, &json!({"kind": "load", "key": key, "lock": false}));
            }
            StoreCommand::Lock => {
                self.ask_application(AppQuestion::Lock, &json!({"kind": "load", "key": key, "lock": true}));
            }
            StoreCommand::Save(text) => {
                self.ask_application(
                    AppQuestion::Save,
                    &json!({"kind": "save", "key": key, "text": text.expose()}),
                );
            }
            StoreCommand::Unlock => self.emit(&json!({"kind": "unlock", "key": key})),
        }
    }
}

/// The largest file that a credential is read from.
const BYTES: u64 = 64 * 1024;

/// The text of a file.
///
/// # Errors
/// Why it cannot be used.
pub(crate) fn read(path: &str) -> Result<Secret, String> {
    let mut text = String::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(BYTES + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
    if text.len() as u64 > BYTES {
        return Err(format!("it has more than {BYTES} bytes"));
    }
    Ok(Secret::new(text))
}
