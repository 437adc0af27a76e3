//! Files that only their owner may read (modes), and locks (`flock`).

use crate::auth::StoreFault;
use crate::transport::system::token_fault;
use rustix::fs::{AtFlags, CWD, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::path::Path;

/// Which file it is, and when its entry changed.
#[cfg(all(feature = "http", feature = "server"))]
pub(crate) fn which_file(metadata: &std::fs::Metadata) -> [i64; 4] {
    use std::os::unix::fs::MetadataExt as _;
    // The numbers are only compared.
    [metadata.dev().cast_signed(), metadata.ino().cast_signed(), metadata.ctime(), metadata.ctime_nsec()]
}

/// Makes the directory if it is not there, and looks whether it is ours alone: who can write there can put another
/// file in our file's place.
pub(crate) fn prepare(directory: &Path) -> Result<(), StoreFault> {
    let made = std::os::unix::fs::DirBuilderExt::mode(std::fs::DirBuilder::new().recursive(true), 0o700)
        .create(directory);
    made.map_err(|error| token_fault("cannot make the directory", directory, error))?;
    let found = rustix::fs::statat(CWD, directory, AtFlags::empty())
        .map_err(|error| token_fault("cannot look at the directory", directory, error))?;
    if found.st_mode & 0o022 != 0 {
        let fix = format!("others can write there (mode {:o}); use: chmod 700", found.st_mode & 0o7777);
        return Err(token_fault("the directory is not safe for tokens:", directory, fix));
    }
    own(found.st_uid, directory)
}

/// Opens a file to read it, if there is one, and looks whether it is ours alone.
pub(crate) fn open_ours(path: &Path) -> Result<Option<File>, StoreFault> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP) => {
            return Err(token_fault("does not follow the symbolic link", path, "it is not ours"));
        }
        Err(error) => return Err(token_fault("cannot open", path, error)),
    };
    let found = rustix::fs::fstat(&file).map_err(|error| token_fault("cannot look at", path, error))?;
    if found.st_mode & 0o077 != 0 {
        let fix = format!("others can read it (mode {:o}); use: chmod 600", found.st_mode & 0o7777);
        return Err(token_fault("the tokens are not safe in", path, fix));
    }
    own(found.st_uid, path)?;
    Ok(Some(File::from(file)))
}

/// The file that takes the place of another, as it is or empty.
pub(crate) fn open_new(new: &Path) -> Result<File, StoreFault> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    rustix::fs::open(new, flags, Mode::RUSR | Mode::WUSR)
        .map(File::from)
        .map_err(|error| token_fault("cannot write", new, error))
}

/// Forces the names in a directory to disk. Without this the new name may be lost with the power, and with it the only refresh
/// token.
pub(crate) fn sync_directory(directory: &Path) -> Result<(), StoreFault> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::open(directory, flags, Mode::empty())
        .and_then(rustix::fs::fsync)
        .map_err(|error| token_fault("cannot sync the directory", directory, error))
}

/// The file that a lock is held on.
pub(crate) fn open_lock(path: &Path) -> Result<File, StoreFault> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)
        .map(File::from)
        .map_err(|error| token_fault("cannot open the lock", path, error))
}

/// Takes the lock, unless another process has it.
pub(crate) fn try_lock(file: &File, path: &Path) -> Result<bool, StoreFault> {
    match rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK | Errno::INTR) => Ok(false),
        Err(error) => Err(token_fault("cannot lock", path, error)),
    }
}

/// Gives the lock back. Closing alone does not release it while a child that the host forked has a copy of the descriptor. There is
/// nothing to do about a failure: the end of the last copy releases it as well.
pub(crate) fn unlock(file: &File) {
    let _ = rustix::fs::flock(file, FlockOperation::Unlock);
}

fn own(owner: u32, path: &Path) -> Result<(), StoreFault> {
    let us = rustix::process::geteuid().as_raw();
    if owner == us {
        return Ok(());
    }
    Err(token_fault(
        "the tokens are not safe in",
        path,
        format!("it belongs to user {owner}, and we are {us}"),
    ))
}
