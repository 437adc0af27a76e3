//! Where sessions are: a folder that only this person may use, with a socket, a lock and a description for each.

use crate::failure::Failure;
use crate::login::make;
use crate::ordered::sort_by;
use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use rustix::net::sockopt::socket_peercred;
use rustix::process::{Pid, geteuid};
use serde_json::Value;
use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

/// The most letters of a name: the path of a socket has about 100.
const LETTERS: usize = 32;

/// The files of one session.
#[derive(Clone, Debug)]
pub struct Place {
    folder: PathBuf,
    name: String,
}

/// The folder: in the one for this person's run time, or a folder of its own among the temporary files.
fn folder() -> PathBuf {
    let variable = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute());
    match variable {
        Some(folder) => folder.join("libmcp"),
        None => std::env::temp_dir().join(format!("libmcp-{}", geteuid().as_raw())),
    }
}

/// The names of the sessions that left something there.
pub fn names() -> Result<Vec<String>, Failure> {
    let folder = folder();
    let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(Vec::new()) };
    is_ours(&folder)?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".sock").map(str::to_owned))
        .filter(|name| is_name(name))
        .collect();
    sort_by(&mut names, Ord::cmp);
    Ok(names)
}

fn is_name(name: &str) -> bool {
    (1..=LETTERS).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

/// Whether no other person can put anything there.
fn is_ours(folder: &PathBuf) -> Result<(), Failure> {
    let unsafe_because = |why: &str| {
        Err(Failure::machine(format!(
            "the folder of sessions {} is not used, because {why}: remove it, or set XDG_RUNTIME_DIR",
            folder.display()
        )))
    };
    let found = std::fs::symlink_metadata(folder)
        .map_err(|error| Failure::machine(format!("cannot look at {}: {error}", folder.display())))?;
    if !found.is_dir() {
        return unsafe_because("it is not a folder");
    }
    if found.uid() != geteuid().as_raw() {
        return unsafe_because("it belongs to another user");
    }
    if found.permissions().mode() & 0o077 != 0 {
        return unsafe_because("other users may look into it");
    }
    Ok(())
}

impl Place {
    /// The files of the session with that name.
    pub fn of(name: &str) -> Result<Place, Failure> {
        if !is_name(name) {
            return Err(Failure::usage(format!(
                "'{name}' is not a name of a session: it has 1 to {LETTERS} letters, digits, '-' and '_'; \
                 `mcp session start NAME TARGET` gives one to any server"
            )));
        }
        Ok(Place { folder: folder(), name: name.to_owned() })
    }

    /// Makes the folder, if it is not there.
    pub fn prepare(&self) -> Result<(), Failure> {
        make(&self.folder)
            .map_err(|error| Failure::machine(format!("cannot make {}: {error}", self.folder.display())))?;
        is_ours(&self.folder)
    }

    fn file(&self, end: &str) -> PathBuf {
        self.folder.join(format!("{}.{end}", self.name))
    }

    /// The socket.
    pub fn socket(&self) -> PathBuf {
        self.file("sock")
    }

    /// The socket of the messages between it and its server.
    pub fn messages(&self) -> PathBuf {
        self.file("msgs")
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same in another folder.
    #[cfg(test)]
    pub fn at(folder: &std::path::Path, name: &str) -> Place {
        Place { folder: folder.to_owned(), name: name.to_owned() }
    }

    /// Where its process writes what it has to say.
    pub fn log(&self) -> PathBuf {
        self.file("log")
    }

    /// Takes the session for this process, as long as the descriptor is open; `None` if another process has it. The file stays:
    /// removing it would let two processes have it.
    pub fn lock(&self) -> Result<Option<OwnedFd>, Failure> {
        let path = self.file("lock");
        let failed = |error| Failure::machine(format!("cannot lock {}: {error}", path.display()));
        let flags = OFlags::CREATE | OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let file = open(&path, flags, Mode::RUSR | Mode::WUSR).map_err(failed)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(file)),
            Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    /// Whether no process has the session.
    pub fn is_unlocked(&self) -> Result<bool, Failure> {
        Ok(self.lock()?.is_some())
    }

    /// Connects to its process. Gives the connection and the process; `None` if there is none.
    pub fn connect(&self) -> Result<Option<(UnixStream, Pid)>, Failure> {
        let path = self.socket();
        let stream = match UnixStream::connect(&path) {
            Ok(stream) => stream,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => {
                return Ok(None);
            }
            Err(error) => {
                return Err(Failure::machine(format!("cannot connect to {}: {error}", path.display())));
            }
        };
        is_ours(&self.folder)?;
        let peer = socket_peercred(&stream).map_err(|error| {
            Failure::machine(format!("who serves {} is not known: {error}", path.display()))
        })?;
        if peer.uid != geteuid() {
            return Err(Failure::machine(format!("{} is served by another user", path.display())));
        }
        Ok(Some((stream, peer.pid)))
    }

    /// Says what the session is.
    pub fn describe(&self, about: &Value) -> Result<(), Failure> {
        let (path, new) = (self.file("json"), self.file("new"));
        std::fs::write(&new, about.to_string())
            .and_then(|()| std::fs::rename(&new, &path))
            .map_err(|error| Failure::machine(format!("cannot write {}: {error}", path.display())))
    }

    /// What it said.
    pub fn about(&self) -> Value {
        let text = std::fs::read_to_string(self.file("json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Removes what is left of it, but for the lock.
    pub fn clear(&self) {
        for end in ["json", "log", "msgs"] {
            // It may never have been there.
            let _is_removed = std::fs::remove_file(self.file(end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(folder: &std::path::Path) -> Place {
        Place::at(folder, "x")
    }

    #[test]
    fn names_lead_nowhere_else() {
        for name in ["", "..", "a/b", "a b", "ä", &"x".repeat(33)] {
            assert!(Place::of(name).is_err(), "{name}");
        }
        assert!(Place::of("git-hub_2").is_ok());
    }

    #[test]
    fn one_process_has_a_session_and_its_end_frees_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = place(folder.path());
        let lock = place.lock().expect("a lock").expect("free");
        assert!(place.lock().expect("a look").is_none());
        drop(lock);
        assert!(place.is_unlocked().expect("a look"));
    }

    #[test]
    fn a_folder_that_others_can_change_is_not_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = folder.path().join("libmcp");
        std::fs::create_dir(&inside).expect("a folder");
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&inside, open).expect("permissions");
        assert!(is_ours(&inside).expect_err("refused").text().contains("other users"));
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path(), &link).expect("a link");
        assert!(is_ours(&link).expect_err("refused").text().contains("not a folder"));
    }

    #[test]
    fn a_socket_without_a_process_is_no_session() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = place(folder.path());
        assert!(place.connect().expect("a look").is_none());
        drop(std::os::unix::net::UnixListener::bind(place.socket()).expect("a socket"));
        assert!(place.socket().exists() && place.connect().expect("a look").is_none());
    }
}
