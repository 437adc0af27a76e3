//! Logins in files, so that they last and programs share them: one file for each MCP server, readable by its owner only.
//!
//! A file is replaced whole: a new one is written beside it, forced to disk, and takes its name. The process that changes it holds a
//! lock on a file of its own, so that of all processes that share a refresh token one uses it at a time; a
//! process that ends releases it. It must not know what is in the files.

#[cfg(test)]
mod tests;

use crate::auth::{Locked, Secret, StoreFault, TokenStore};
use crate::transport::system::{token_fault, token_files};
use std::cell::Cell;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The largest file that is read or written.
const MOST_BYTES: usize = 1024 * 1024;
/// The longest name of a file, without its ending.
const NAME_BYTES: usize = 200;
/// How often a lock that another process holds is tried again.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// A directory of logins.
#[derive(Clone, Debug)]
pub struct FileStore {
    directory: PathBuf,
}

impl FileStore {
    /// The store in a directory, which is made when the first login is kept.
    pub fn new(directory: impl Into<PathBuf>) -> FileStore {
        FileStore { directory: directory.into() }
    }

    fn path(&self, key: &str, ending: &str) -> Result<PathBuf, StoreFault> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let usable =
            !key.is_empty() && key.len() <= NAME_BYTES && !key.starts_with('.') && key.bytes().all(plain);
        if !usable {
            return Err(StoreFault::Failed(format!("'{}' cannot be the name of a file", key.escape_debug())));
        }
        Ok(self.directory.join(format!("{key}.{ending}")))
    }

    fn read(&self, key: &str) -> Result<Option<Secret>, StoreFault> {
        let path = self.path(key, "json")?;
        let Some(file) = token_files::open_ours(&path)? else { return Ok(None) };
        let mut text = String::new();
        let mut limited = file.take(MOST_BYTES as u64 + 1);
        limited.read_to_string(&mut text).map_err(|error| token_fault("cannot read", &path, error))?;
        let text = Secret::new(text);
        if text.expose().len() > MOST_BYTES {
            return Err(token_fault("does not read", &path, "it is larger than 1 MiB"));
        }
        Ok(Some(text))
    }

    fn write(&self, key: &str, text: &Secret) -> Result<(), StoreFault> {
        let path = self.path(key, "json")?;
        if text.expose().len() > MOST_BYTES {
            return Err(token_fault("does not write", &path, "it would be larger than 1 MiB"));
        }
        // One name is enough: who writes holds the lock. What a killed process leaves is written over by the next.
        let new = self.path(key, "new")?;
        // What is wrong is in the result; a rest that cannot be removed is only a rest.
        self.replace(&path, &new, text).inspect_err(|_| drop(std::fs::remove_file(&new)))
    }

    fn replace(&self, path: &Path, new: &Path, text: &Secret) -> Result<(), StoreFault> {
        let mut file = token_files::open_new(new)?;
        // Cut afterwards: what was reserved stays ours until it is used.
        file.write_all(text.expose().as_bytes())
            .and_then(|()| file.set_len(text.expose().len() as u64))
            .and_then(|()| file.sync_all())
            .map_err(|error| token_fault("cannot write", new, error))?;
        std::fs::rename(new, path).map_err(|error| token_fault("cannot replace", path, error))?;
        token_files::sync_directory(&self.directory)
    }
}

impl TokenStore for FileStore {
    fn load(&self, key: &str) -> Result<Option<Secret>, StoreFault> {
        self.read(key)
    }

    fn lock(&self, key: &str, wait: Duration) -> Result<Box<dyn Locked>, StoreFault> {
        let until = Instant::now() + wait;
        token_files::prepare(&self.directory)?;
        let path = self.path(key, "lock")?;
        let file = token_files::open_lock(&path)?;
        while !token_files::try_lock(&file, &path)? {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(StoreFault::Busy(format!(
                    "another process has held {} for longer than {} ms",
                    path.display(),
                    wait.as_millis()
                )));
            }
            std::thread::sleep(left.min(LOOK_AGAIN));
        }
        Ok(Box::new(HeldLogin { store: self.clone(), key: key.to_owned(), file, reserved: Cell::new(false) }))
    }
}

struct HeldLogin {
    store: FileStore,
    key: String,
    file: File,
    /// Whether there is a file that only keeps room.
    reserved: Cell<bool>,
}

impl Locked for HeldLogin {
    fn content(&self) -> Result<Option<Secret>, StoreFault> {
        self.store.read(&self.key)
    }

    fn reserve(&self, bytes: usize) -> Result<(), StoreFault> {
        let new = self.store.path(&self.key, "new")?;
        self.reserved.set(true);
        token_files::open_new(&new)?
            .write_all(&vec![0; bytes.min(MOST_BYTES)])
            .map_err(|error| token_fault("cannot write", &new, error))
    }

    fn save(&self, text: &Secret) -> Result<(), StoreFault> {
        self.reserved.set(false);
        self.store.write(&self.key, text)
    }
}

impl Drop for HeldLogin {
    fn drop(&mut self) {
        if let (true, Ok(new)) = (self.reserved.get(), self.store.path(&self.key, "new")) {
            // A rest that cannot be removed is only a rest.
            drop(std::fs::remove_file(new));
        }
        token_files::unlock(&self.file);
    }
}
