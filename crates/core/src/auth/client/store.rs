//! Where logins are kept between uses: what every store promises, and the store in memory.

use crate::auth::token::Secret;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How many servers' logins a store in memory keeps.
const MOST_RECORDS: usize = 1024;

/// Why a store did not do what it was asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreFault {
    /// Another process or thread holds the lock, and did not release it in time.
    #[error("{0}")]
    Busy(String),
    /// It cannot be read or written: why.
    #[error("{0}")]
    Failed(String),
}

/// A place for logins, one text under each key. The texts are secret; the keys are not.
pub trait TokenStore: Send + Sync {
    /// What is kept under a key.
    ///
    /// # Errors
    /// The store cannot be read.
    fn load(&self, key: &str) -> Result<Option<Secret>, StoreFault>;

    /// Keeps everybody else from changing what is under a key, so that of all who hold the same refresh token only one
    /// uses it. Waits for the one that does at the moment.
    ///
    /// # Errors
    /// The lock was not released in time, or the store cannot be used.
    fn lock(&self, key: &str, wait: Duration) -> Result<Box<dyn Locked>, StoreFault>;
}

/// A key that is ours until this is dropped.
pub trait Locked: Send {
    /// What is kept under it now.
    ///
    /// # Errors
    /// The store cannot be read.
    fn content(&self) -> Result<Option<Secret>, StoreFault>;

    /// Makes sure that a text of about this length can be saved: a refresh token that is used is gone, and the one that comes
    /// for it must find room.
    ///
    /// # Errors
    /// There is no room, or the store cannot be written.
    fn reserve(&self, bytes: usize) -> Result<(), StoreFault>;

    /// Replaces what is kept. Afterwards either the old text is there or the new one, never a part.
    ///
    /// # Errors
    /// The store cannot be written; the old text is still there.
    fn save(&self, text: &Secret) -> Result<(), StoreFault>;
}

/// Logins that last as long as this store. Clones are the same store.
#[derive(Clone, Default)]
pub struct MemoryStore(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    free: Condvar,
}

#[derive(Default)]
struct State {
    texts: HashMap<String, Secret>,
    locked: Vec<String>,
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemoryStore(…)")
    }
}

impl Shared {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Held {
    shared: Arc<Shared>,
    key: String,
}

impl TokenStore for MemoryStore {
    fn load(&self, key: &str) -> Result<Option<Secret>, StoreFault> {
        Ok(self.0.state().texts.get(key).cloned())
    }

    fn lock(&self, key: &str, wait: Duration) -> Result<Box<dyn Locked>, StoreFault> {
        let taken = |state: &mut State| state.locked.iter().any(|own| own == key);
        let (mut state, _) = self
            .0
            .free
            .wait_timeout_while(self.0.state(), wait, taken)
            .unwrap_or_else(PoisonError::into_inner);
        if taken(&mut state) {
            return Err(StoreFault::Busy(format!(
                "another client has held '{key}' for longer than {} ms",
                wait.as_millis()
            )));
        }
        state.locked.push(key.to_owned());
        drop(state);
        Ok(Box::new(Held { shared: Arc::clone(&self.0), key: key.to_owned() }))
    }
}

impl Locked for Held {
    fn content(&self) -> Result<Option<Secret>, StoreFault> {
        Ok(self.shared.state().texts.get(&self.key).cloned())
    }

    fn reserve(&self, _: usize) -> Result<(), StoreFault> {
        has_room(&self.shared.state(), &self.key)
    }

    fn save(&self, text: &Secret) -> Result<(), StoreFault> {
        let mut state = self.shared.state();
        has_room(&state, &self.key)?;
        state.texts.insert(self.key.clone(), text.clone());
        Ok(())
    }
}

fn has_room(state: &State, key: &str) -> Result<(), StoreFault> {
    if state.texts.len() >= MOST_RECORDS && !state.texts.contains_key(key) {
        return Err(StoreFault::Failed(format!("the store in memory is full ({MOST_RECORDS} servers)")));
    }
    Ok(())
}

impl Drop for Held {
    fn drop(&mut self) {
        self.shared.state().locked.retain(|own| *own != self.key);
        self.shared.free.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn what_is_saved_is_there_for_every_clone() {
        let store = MemoryStore::default();
        assert_eq!(store.load("a"), Ok(None));
        let locked = store.lock("a", LONG).expect("free");
        locked.save(&Secret::new("x")).expect("room");
        assert_eq!(locked.content(), Ok(Some(Secret::new("x"))));
        assert_eq!(store.clone().load("a"), Ok(Some(Secret::new("x"))));
        assert_eq!(store.load("b"), Ok(None));
    }

    #[test]
    fn one_key_has_one_holder_and_a_wait_has_an_end() {
        let store = MemoryStore::default();
        let held = store.lock("a", LONG).expect("free");
        assert!(store.lock("a", Duration::from_millis(1)).is_err());
        drop(store.lock("b", Duration::ZERO).expect("another key"));
        let other = store.clone();
        let waiting = std::thread::spawn(move || other.lock("a", LONG).is_ok());
        drop(held);
        assert!(waiting.join().expect("no panic"));
        assert!(store.lock("a", LONG).is_ok(), "the other released it");
    }

    #[test]
    fn the_store_is_bounded() {
        let store = MemoryStore::default();
        for number in 0..MOST_RECORDS {
            store.lock(&number.to_string(), LONG).expect("free").save(&Secret::new("x")).expect("room");
        }
        assert!(store.lock("one more", LONG).expect("free").save(&Secret::new("x")).is_err());
        assert!(store.lock("7", LONG).expect("free").save(&Secret::new("y")).is_ok());
    }
}
