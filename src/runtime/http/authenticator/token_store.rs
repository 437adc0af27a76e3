//! Where logins are kept: in memory, in files, or by the application, which is asked in messages.

use super::asked::Asked;
use super::authenticator::{Authenticator, now};
use super::store::TokenStoreBackend;
use crate::auth::{Secret, StoreCommand, StoreFault, TokenStore};
use crate::runtime::lock;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

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
                self.ask_application(Asked::Load, &json!({"kind": "load", "key": key, "lock": false}));
            }
            StoreCommand::Lock => {
                self.ask_application(Asked::Lock, &json!({"kind": "load", "key": key, "lock": true}));
            }
            StoreCommand::Save(text) => {
                self.ask_application(
                    Asked::Save,
                    &json!({"kind": "save", "key": key, "text": text.expose()}),
                );
            }
            StoreCommand::Unlock => self.emit(&json!({"kind": "unlock", "key": key})),
        }
    }
}
