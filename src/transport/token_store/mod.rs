//! Logins in files, so that they last and programs share them: one file for each MCP server, readable by its owner only.
//!
//! A file is replaced whole: a new one is written beside it, forced to disk, and takes its name. The process that changes it holds a
//! lock on a file of its own (`flock`), so that of all processes that share a refresh token one uses it at a time; a
//! process that ends releases it. It must not know what is in the files.

use crate::auth::{Locked, Secret, StoreFault, TokenStore};
use rustix::fs::{AtFlags, CWD, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::cell::Cell;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
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

fn failed(what: &str, path: &Path, error: impl std::fmt::Display) -> StoreFault {
    StoreFault::Failed(format!("{what} {}: {error}", path.display()))
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

    /// Makes the directory if it is not there, and looks whether it is ours alone: who can write there can put another
    /// file in our file's place.
    fn prepare(&self) -> Result<(), StoreFault> {
        let directory = &self.directory;
        let made = std::os::unix::fs::DirBuilderExt::mode(std::fs::DirBuilder::new().recursive(true), 0o700)
            .create(directory);
        made.map_err(|error| failed("cannot make the directory", directory, error))?;
        let found = rustix::fs::statat(CWD, directory, AtFlags::empty())
            .map_err(|error| failed("cannot look at the directory", directory, error))?;
        if found.st_mode & 0o022 != 0 {
            let fix = format!("others can write there (mode {:o}); use: chmod 700", found.st_mode & 0o7777);
            return Err(failed("the directory is not safe for tokens:", directory, fix));
        }
        own(found.st_uid, directory)
    }

    fn read(&self, key: &str) -> Result<Option<Secret>, StoreFault> {
        let path = self.path(key, "json")?;
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let file = match rustix::fs::open(&path, flags, Mode::empty()) {
            Ok(file) => file,
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP) => {
                return Err(failed("does not follow the symbolic link", &path, "it is not ours"));
            }
            Err(error) => return Err(failed("cannot open", &path, error)),
        };
        let found = rustix::fs::fstat(&file).map_err(|error| failed("cannot look at", &path, error))?;
        if found.st_mode & 0o077 != 0 {
            let fix = format!("others can read it (mode {:o}); use: chmod 600", found.st_mode & 0o7777);
            return Err(failed("the tokens are not safe in", &path, fix));
        }
        own(found.st_uid, &path)?;
        let mut text = String::new();
        let mut limited = File::from(file).take(MOST_BYTES as u64 + 1);
        limited.read_to_string(&mut text).map_err(|error| failed("cannot read", &path, error))?;
        let text = Secret::new(text);
        if text.expose().len() > MOST_BYTES {
            return Err(failed("does not read", &path, "it is larger than 1 MiB"));
        }
        Ok(Some(text))
    }

    fn write(&self, key: &str, text: &Secret) -> Result<(), StoreFault> {
        let path = self.path(key, "json")?;
        if text.expose().len() > MOST_BYTES {
            return Err(failed("does not write", &path, "it would be larger than 1 MiB"));
        }
        // One name is enough: who writes holds the lock. What a killed process leaves is written over by the next.
        let new = self.path(key, "new")?;
        // What is wrong is in the result; a rest that cannot be removed is only a rest.
        self.replace(&path, &new, text).inspect_err(|_| drop(std::fs::remove_file(&new)))
    }

    fn replace(&self, path: &Path, new: &Path, text: &Secret) -> Result<(), StoreFault> {
        let mut file = open_new(new)?;
        // Cut afterwards: what was reserved stays ours until it is used.
        file.write_all(text.expose().as_bytes())
            .and_then(|()| file.set_len(text.expose().len() as u64))
            .and_then(|()| file.sync_all())
            .map_err(|error| failed("cannot write", new, error))?;
        std::fs::rename(new, path).map_err(|error| failed("cannot replace", path, error))?;
        // Without this the new name may be lost with the power, and with it the only refresh token.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        rustix::fs::open(&self.directory, flags, Mode::empty())
            .and_then(rustix::fs::fsync)
            .map_err(|error| failed("cannot sync the directory", &self.directory, error))
    }
}

/// The file that takes the place of another, as it is or empty.
fn open_new(new: &Path) -> Result<File, StoreFault> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    rustix::fs::open(new, flags, Mode::RUSR | Mode::WUSR)
        .map(File::from)
        .map_err(|error| failed("cannot write", new, error))
}

fn own(owner: u32, path: &Path) -> Result<(), StoreFault> {
    let us = rustix::process::geteuid().as_raw();
    if owner == us {
        return Ok(());
    }
    Err(failed("the tokens are not safe in", path, format!("it belongs to user {owner}, and we are {us}")))
}

impl TokenStore for FileStore {
    fn load(&self, key: &str) -> Result<Option<Secret>, StoreFault> {
        self.read(key)
    }

    fn lock(&self, key: &str, wait: Duration) -> Result<Box<dyn Locked>, StoreFault> {
        let until = Instant::now() + wait;
        self.prepare()?;
        let path = self.path(key, "lock")?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let file = rustix::fs::open(&path, flags, Mode::RUSR | Mode::WUSR)
            .map_err(|error| failed("cannot open the lock", &path, error))?;
        loop {
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => break,
                Err(Errno::WOULDBLOCK | Errno::INTR) => {}
                Err(error) => return Err(failed("cannot lock", &path, error)),
            }
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
        Ok(Box::new(Held { store: self.clone(), key: key.to_owned(), file, reserved: Cell::new(false) }))
    }
}

struct Held {
    store: FileStore,
    key: String,
    file: OwnedFd,
    /// Whether there is a file that only keeps room.
    reserved: Cell<bool>,
}

impl Locked for Held {
    fn content(&self) -> Result<Option<Secret>, StoreFault> {
        self.store.read(&self.key)
    }

    fn reserve(&self, bytes: usize) -> Result<(), StoreFault> {
        let new = self.store.path(&self.key, "new")?;
        self.reserved.set(true);
        open_new(&new)?
            .write_all(&vec![0; bytes.min(MOST_BYTES)])
            .map_err(|error| failed("cannot write", &new, error))
    }

    fn save(&self, text: &Secret) -> Result<(), StoreFault> {
        self.reserved.set(false);
        self.store.write(&self.key, text)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let (true, Ok(new)) = (self.reserved.get(), self.store.path(&self.key, "new")) {
            // A rest that cannot be removed is only a rest.
            drop(std::fs::remove_file(new));
        }
        // Closing alone does not release it while a child that the host forked has a copy of the descriptor. There is nothing
        // to do about a failure: the end of the last copy releases it as well.
        let _ = rustix::fs::flock(&self.file, FlockOperation::Unlock);
    }
}

#[cfg(test)]
mod tests;
