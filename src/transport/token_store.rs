//! Logins in files, so that they last and programs share them: one file for each MCP server, readable by its owner only.
//!
//! A file is replaced whole: a new one is written beside it, forced to disk, and takes its name. Whoever changes it holds a
//! lock on a file of its own (`flock`), so that of all processes that share a refresh token one uses it at a time; a
//! process that ends lets go. It must not know what is in the files.

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
/// How often a lock that somebody else holds is tried again.
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
        // Closing alone does not let go while a child that the host forked has a copy of the descriptor. There is nothing
        // to do about a failure: the end of the last copy lets go as well.
        let _ = rustix::fs::flock(&self.file, FlockOperation::Unlock);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::{Child, Command, Stdio};

    const LONG: Duration = Duration::from_secs(60);

    /// A directory that is gone afterwards.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let path = std::env::temp_dir().join(format!("libmcp-{name}-{}", std::process::id()));
            std::fs::create_dir(&path).expect("a new directory");
            Scratch(path)
        }

        fn with_store(name: &str) -> (FileStore, Scratch) {
            let scratch = Scratch::new(name);
            (FileStore::new(scratch.0.join("tokens")), scratch)
        }

        fn store(&self) -> FileStore {
            FileStore::new(self.0.join("tokens"))
        }

        fn mode(&self, name: &str, mode: u32) {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(self.0.join("tokens").join(name), permissions).expect("ours");
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            std::fs::remove_dir_all(&self.0).expect("it is ours");
        }
    }

    fn save(store: &FileStore, key: &str, text: &str) -> Result<(), StoreFault> {
        store.lock(key, LONG)?.save(&Secret::new(text))
    }

    #[test]
    fn what_is_saved_is_there_and_for_its_owner_only() {
        let (store, scratch) = Scratch::with_store("saved");
        assert_eq!(store.load("a"), Ok(None), "without a directory, too");
        save(&store, "a", "one").expect("saved");
        save(&store, "a", "two").expect("replaced");
        assert_eq!(store.load("a"), Ok(Some(Secret::new("two"))));
        assert_eq!(store.load("b"), Ok(None));
        let mode = |path: PathBuf| std::fs::metadata(path).expect("there").permissions().mode() & 0o7777;
        assert_eq!(mode(scratch.0.join("tokens")), 0o700);
        let mut names = Vec::new();
        for entry in std::fs::read_dir(scratch.0.join("tokens")).expect("a directory") {
            let entry = entry.expect("an entry");
            assert_eq!(mode(entry.path()), 0o600);
            names.push(entry.file_name().into_string().expect("plain"));
        }
        names.sort();
        assert_eq!(names, ["a.json", "a.lock"], "nothing is left of the replacing");
    }

    #[test]
    fn what_others_could_read_or_change_is_refused_with_the_fix() {
        let (store, scratch) = Scratch::with_store("modes");
        save(&store, "a", "x").expect("saved");
        scratch.mode("a.json", 0o640);
        let told = store.load("a").expect_err("not safe").to_string();
        assert!(told.contains("mode 640") && told.contains("chmod 600"), "{told}");
        scratch.mode("a.json", 0o600);
        scratch.mode("", 0o770);
        let told = save(&store, "a", "y").expect_err("not safe").to_string();
        assert!(told.contains("mode 770") && told.contains("chmod 700"), "{told}");
        scratch.mode("", 0o700);
        assert_eq!(store.load("a"), Ok(Some(Secret::new("x"))));
        symlink(scratch.0.join("tokens/a.json"), scratch.0.join("tokens/b.json")).expect("a link");
        assert!(store.load("b").is_err());
    }

    #[test]
    fn a_key_cannot_leave_the_directory() {
        let scratch = Scratch::new("keys");
        for key in ["", "../a", "a/b", ".a", "a\0", &"x".repeat(300)] {
            assert!(save(&scratch.store(), key, "x").is_err(), "{key:?}");
            assert!(scratch.store().load(key).is_err(), "{key:?}");
        }
    }

    #[test]
    fn the_size_is_bounded_both_ways_and_the_old_text_stays() {
        let (store, scratch) = Scratch::with_store("size");
        save(&store, "a", "x").expect("saved");
        assert!(save(&store, "a", &"x".repeat(MOST_BYTES + 1)).is_err());
        assert_eq!(store.load("a"), Ok(Some(Secret::new("x"))));
        std::fs::write(scratch.0.join("tokens/a.json"), "x".repeat(MOST_BYTES + 1)).expect("written");
        assert!(store.load("a").expect_err("too large").to_string().contains("1 MiB"));
    }

    #[test]
    fn room_is_kept_until_it_is_used_or_let_go() {
        let (store, scratch) = Scratch::with_store("room");
        let new = scratch.0.join("tokens/a.new");
        let held = store.lock("a", LONG).expect("free");
        held.reserve(5000).expect("room");
        assert_eq!(std::fs::metadata(&new).expect("there").len(), 5000);
        held.save(&Secret::new("short")).expect("saved");
        assert_eq!(held.content(), Ok(Some(Secret::new("short"))), "without the zeros");
        held.reserve(5000).expect("room");
        drop(held);
        assert!(!new.exists());
    }

    #[test]
    fn a_lock_has_one_holder_and_a_wait_has_an_end() {
        let (store, _scratch) = Scratch::with_store("lock");
        let held = store.lock("a", LONG).expect("free");
        assert!(matches!(store.lock("a", Duration::from_millis(1)), Err(StoreFault::Busy(_))));
        drop(store.lock("b", Duration::ZERO).expect("another key"));
        let other = store.clone();
        let waiting = std::thread::spawn(move || other.lock("a", LONG).map(drop));
        drop(held);
        assert_eq!(waiting.join().expect("no panic"), Ok(()));
    }

    /// Runs the test `part` of this file in another process.
    fn another_process(part: &str, directory: &Path) -> Child {
        let own = std::env::current_exe().expect("our own program");
        let name = format!("transport::token_store::tests::{part}");
        Command::new(own)
            .args(["--exact", &name, "--nocapture", "--ignored"])
            .env("MCP_TEST_STORE", directory)
            .stdout(Stdio::piped())
            .spawn()
            .expect("another process")
    }

    fn given_store() -> FileStore {
        FileStore::new(std::env::var_os("MCP_TEST_STORE").expect("run by another test"))
    }

    #[test]
    #[ignore = "a part of another test"]
    fn full_part() {
        let told = save(&given_store(), "a", "new").expect_err("there is no room").to_string();
        assert!(told.contains("cannot write") && told.contains("a.new: File too large"), "{told}");
    }

    /// A limit of the process on the size of files stands for the disk: both let a file be made and not written.
    #[test]
    fn a_full_disk_leaves_the_old_login_whole() {
        let scratch = Scratch::new("full");
        let store = scratch.store();
        save(&store, "a", "old").expect("saved");
        let own = std::env::current_exe().expect("our own program");
        let full = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""])
            .arg(own)
            .args(["--exact", "transport::token_store::tests::full_part", "--nocapture", "--ignored"])
            .env("MCP_TEST_STORE", scratch.0.join("tokens"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .output()
            .expect("another process");
        let said = String::from_utf8_lossy(&full.stdout);
        assert!(full.status.success() && said.contains("1 passed"), "{said}");
        assert_eq!(store.load("a"), Ok(Some(Secret::new("old"))));
        assert!(!scratch.0.join("tokens/a.new").exists());
        save(&store, "a", "new").expect("there is room again");
        assert_eq!(store.load("a"), Ok(Some(Secret::new("new"))));
    }

    #[test]
    #[ignore = "a part of another test"]
    fn counting_part() {
        let store = given_store();
        for _ in 0..50 {
            let locked = store.lock("count", LONG).expect("free");
            let text = locked.content().expect("readable");
            let count: u32 = text.map_or(0, |text| text.expose().parse().expect("a number"));
            locked.save(&Secret::new((count + 1).to_string())).expect("saved");
        }
    }

    #[test]
    fn processes_that_share_a_store_change_it_one_at_a_time() {
        let scratch = Scratch::new("processes");
        let directory = scratch.0.join("tokens");
        let children: Vec<Child> = (0..4).map(|_| another_process("counting_part", &directory)).collect();
        for mut child in children {
            assert!(child.wait().expect("ours").success());
        }
        assert_eq!(scratch.store().load("count"), Ok(Some(Secret::new("200"))));
    }

    #[test]
    #[ignore = "a part of another test"]
    fn writing_part() {
        let store = given_store();
        for number in 0_u32.. {
            let text = format!("{number}-").repeat(20_000);
            save(&store, "text", &text).expect("saved");
            println!("written");
        }
    }

    #[test]
    fn a_process_that_is_killed_leaves_a_whole_file_and_no_lock() {
        let scratch = Scratch::new("killed");
        for _ in 0..5 {
            let mut child = another_process("writing_part", &scratch.0.join("tokens"));
            let output = BufReader::new(child.stdout.take().expect("piped"));
            let written =
                output.lines().map_while(Result::ok).filter(|line| line.contains("written")).take(3);
            assert_eq!(written.count(), 3);
            child.kill().expect("ours");
            child.wait().expect("ours");
            let text = scratch.store().load("text").expect("readable").expect("there");
            let number = text.expose().split('-').next().expect("a number");
            assert_eq!(text.expose(), format!("{number}-").repeat(20_000));
            drop(scratch.store().lock("text", LONG).expect("nobody holds it"));
        }
    }
}
