//! The file of a Unix socket: only its owner may connect; one that a server left behind is replaced, that of a server that
//! still listens is not; and it is removed at the end, unless it belongs to another server by then.

use crate::transport::socket::{BACKLOG, ListenFailure, RefusedFor};
use crate::transport::system::FileIdentity;
use crate::transport::system::io::{ENTER_ONLY, abstract_address, file_identity, stream_socket};
use rustix::fd::OwnedFd;
use rustix::fs::{
    AtFlags, CWD, FileType, FlockOperation, Mode, OFlags, chmodat, flock, openat, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, bind, connect, listen};
use std::path::Path;
use std::time::{Duration, Instant};

/// The permissions of the file: those who may write to it may connect.
const MODE: Mode = Mode::RUSR.union(Mode::WUSR);

/// How long another program may hold the lock of the folder.
const LOCK_LIMIT: Duration = Duration::from_secs(1);
/// How often the lock is asked for.
const LOCK_INTERVAL: Duration = Duration::from_millis(5);

/// The file that was made, found again even after the program has changed its working folder.
#[derive(Debug)]
pub(crate) struct SocketFile {
    folder: OwnedFd,
    name: String,
    /// Device and number: what tells the file from another one of that name. The number is not given to another file while
    /// the socket is open.
    identity: FileIdentity,
}

/// Listens on `path`.
pub(crate) fn listen_on(path: &str) -> Result<(OwnedFd, SocketFile), ListenFailure> {
    let to = SocketAddrUnix::new(path)?;
    let (folder_path, name) = split(path)?;
    let folder = open_folder(folder_path)?;
    // Between binding and listening another server would take the file for one left behind, and so it waits.
    let lock = FolderLock::take(&folder);
    let fd = match bind_unix(&to) {
        Err(Errno::ADDRINUSE) => {
            remove_if_left_behind(&folder, name, &to)?;
            bind_unix(&to)?
        }
        outcome => outcome?,
    };
    let found = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    let has_mode = Mode::from_raw_mode(found.st_mode) == MODE;
    let private = if has_mode { Ok(()) } else { chmodat(&folder, name, MODE, AtFlags::empty()) };
    let listening = private.and_then(|()| listen(&fd, BACKLOG));
    drop(lock);
    let file = SocketFile { identity: file_identity(&found), folder, name: name.to_owned() };
    match listening {
        Ok(()) => Ok((fd, file)),
        Err(errno) => {
            file.remove();
            Err(errno.into())
        }
    }
}

/// Listens on an abstract name.
pub(crate) fn listen_on_abstract(name: &str) -> Result<OwnedFd, ListenFailure> {
    let fd = bind_unix(&abstract_address(name)?)?;
    listen(&fd, BACKLOG)?;
    Ok(fd)
}

/// A socket that is bound and does not listen yet.
fn bind_unix(to: &SocketAddrUnix) -> Result<OwnedFd, Errno> {
    let fd = stream_socket(AddressFamily::UNIX)?;
    // The file of the socket gets the mode of the socket (Linux), so that no other user can connect at any time.
    let _elsewhere_the_file_is_changed = rustix::fs::fchmod(&fd, MODE);
    bind(&fd, to)?;
    Ok(fd)
}

/// The folder and the name of a file.
fn split(path: &str) -> Result<(&Path, &str), ListenFailure> {
    let file = Path::new(path);
    match (file.parent(), file.file_name().and_then(|name| name.to_str())) {
        (Some(folder), Some(name)) if path.ends_with(name) => Ok((folder, name)),
        _ => Err(ListenFailure {
            reason: RefusedFor::System,
            why: "the path names no file; add a name, such as 'server.sock'".to_owned(),
            errno: None,
        }),
    }
}

fn open_folder(path: &Path) -> Result<OwnedFd, ListenFailure> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = match openat(CWD, path, flags | OFlags::RDONLY, Mode::empty()) {
        // It may be entered without a right to list it.
        Err(Errno::ACCESS) => openat(CWD, path, flags | ENTER_ONLY, Mode::empty()),
        outcome => outcome,
    };
    opened.map_err(|errno| match errno {
        Errno::NOENT | Errno::NOTDIR => ListenFailure {
            reason: RefusedFor::System,
            why: format!("there is no folder '{}'; make it, or choose another path", path.display()),
            errno: Some(errno),
        },
        other => other.into(),
    })
}

/// Removes the file of a server that ended without doing so.
fn remove_if_left_behind(folder: &OwnedFd, name: &str, to: &SocketAddrUnix) -> Result<(), ListenFailure> {
    let found = match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => found,
        // Its server has just removed it.
        Err(Errno::NOENT) => return Ok(()),
        Err(errno) => return Err(errno.into()),
    };
    if FileType::from_raw_mode(found.st_mode) != FileType::Socket {
        let why = "a file of that name exists, and it is not a socket; remove it, or choose another path";
        return Err(in_use(why.to_owned()));
    }
    let probe = stream_socket(AddressFamily::UNIX)?;
    match connect(&probe, to) {
        Err(Errno::CONNREFUSED) => {}
        // Its server has just removed it.
        Err(Errno::NOENT) => return Ok(()),
        // A full queue belongs to a server that listens, too.
        Ok(()) | Err(Errno::AGAIN) => return Err(Errno::ADDRINUSE.into()),
        Err(errno) => {
            return Err(in_use(format!(
                "a socket of that name exists, and whether a server listens on it is unknown ({}); remove it, or \
                 choose another path",
                crate::transport::plain_text(&errno.into())
            )));
        }
    }
    match unlinkat(folder, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(errno) => Err(in_use(format!(
            "the socket of a server that has ended is still there and cannot be removed ({}); remove it, or choose \
             another path",
            crate::transport::plain_text(&errno.into())
        ))),
    }
}

impl SocketFile {
    /// Removes the file, unless another one has its name by now.
    pub(crate) fn remove(&self) {
        let _lock = FolderLock::take(&self.folder);
        let found = statat(&self.folder, self.name.as_str(), AtFlags::SYMLINK_NOFOLLOW);
        if found.is_ok_and(|found| file_identity(&found) == self.identity) {
            // Where that fails the folder was made read-only, and the next server replaces the file.
            let _left_behind = unlinkat(&self.folder, self.name.as_str(), AtFlags::empty());
        }
    }
}

/// Keeps other servers of this library out of a folder. Nothing is left of it on the disk.
struct FolderLock<'a> {
    folder: Option<&'a OwnedFd>,
}

impl FolderLock<'_> {
    /// Takes the lock. Without it where the system has none for that folder, or another program keeps it for longer than
    /// [`LOCK_LIMIT`].
    fn take(folder: &OwnedFd) -> FolderLock<'_> {
        let until = Instant::now() + LOCK_LIMIT;
        loop {
            match flock(folder, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return FolderLock { folder: Some(folder) },
                Err(Errno::AGAIN | Errno::INTR) if Instant::now() < until => {
                    std::thread::sleep(LOCK_INTERVAL);
                }
                Err(_) => return FolderLock { folder: None },
            }
        }
    }
}

impl Drop for FolderLock<'_> {
    fn drop(&mut self) {
        if let Some(folder) = self.folder {
            // Not by closing: a child of `fork` may have a copy of the descriptor.
            let _held = flock(folder, FlockOperation::Unlock);
        }
    }
}

fn in_use(why: String) -> ListenFailure {
    ListenFailure { reason: RefusedFor::InUse, why, errno: Some(Errno::ADDRINUSE) }
}
