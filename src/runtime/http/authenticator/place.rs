//! Where logins are kept: in memory, in files, or by the application, which is asked in messages.

use super::answers::Asked;
use super::{Gate, lock, now};
use crate::auth::{MemoryStore, Secret, StoreCommand, StoreFault, TokenStore};
use crate::transport::token_store::FileStore;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How long the store may take to give a lock.
const STORE_WAIT: Duration = Duration::from_secs(20);
/// How much longer than what is kept the next text may be: the longest token that is taken, and some.
const MORE: usize = 20 * 1024;

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
pub(super) enum Place {
    Own(Arc<dyn TokenStore>),
    Application,
}

impl Place {
    pub(super) fn new(store: Store) -> Place {
        match store {
            Store::Memory => Place::Own(Arc::new(MemoryStore::default())),
            Store::Directory(directory) => Place::Own(Arc::new(FileStore::new(directory))),
            Store::Application => Place::Application,
        }
    }
}

impl Gate {
    pub(super) fn use_store(&self, command: StoreCommand) {
        match &self.place {
            Place::Own(store) => self.use_own_store(Arc::clone(store), command),
            Place::Application => self.use_store_of_application(command),
        }
    }

    /// Stores may wait for other processes, so they are used on a thread that may.
    fn use_own_store(&self, store: Arc<dyn TokenStore>, command: StoreCommand) {
        match command {
            StoreCommand::Load => self.wait_elsewhere(
                move |gate| {
                    let content = store.load(&gate.key);
                    gate.ask(|authorizer| authorizer.stored(false, content, now()));
                },
                |gate, why| gate.not_stored(false, why),
            ),
            StoreCommand::Lock => self.wait_elsewhere(
                move |gate| {
                    let content = gate.lock_own(store.as_ref());
                    if !gate.ask(|authorizer| authorizer.stored(true, content, now())) {
                        lock(&gate.locked).take();
                    }
                },
                |gate, why| gate.not_stored(true, why),
            ),
            StoreCommand::Save(text) => self.wait_elsewhere(
                move |gate| {
                    let locked = lock(&gate.locked).take();
                    let saved = match locked {
                        Some(locked) => locked.save(&text),
                        None => Err(StoreFault::Failed("the lock was released".to_owned())),
                    };
                    gate.ask(|authorizer| authorizer.saved(saved, now()));
                },
                |gate, why| {
                    drop(lock(&gate.locked).take());
                    gate.ask(|authorizer| authorizer.saved(Err(StoreFault::Failed(why)), now()));
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
