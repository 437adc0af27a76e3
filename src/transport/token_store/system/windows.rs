//! Access lists and `LockFileEx`. What the library makes lets in this user and the system.

#![allow(unsafe_code)]

use super::access::{ours_alone, private_directory, private_file};
use crate::auth::StoreFault;
use crate::transport::token_store::fault::failed;
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind};
use std::os::windows::fs::OpenOptionsExt as _;
use std::os::windows::io::AsRawHandle as _;
use std::path::Path;
use windows_sys::Win32::Foundation::{ERROR_IO_PENDING, ERROR_LOCK_VIOLATION};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT, LOCKFILE_EXCLUSIVE_LOCK,
    LOCKFILE_FAIL_IMMEDIATELY, LockFileEx, UnlockFile,
};
use windows_sys::Win32::System::IO::OVERLAPPED;

/// Makes the directory if it is not there, and looks whether it is ours alone: who can write there can put another
/// file in our file's place.
pub(in crate::transport::token_store) fn prepare(directory: &Path) -> Result<(), StoreFault> {
    if let Some(above) = directory.parent() {
        std::fs::create_dir_all(above).map_err(|error| failed("cannot make the directory", above, error))?;
    }
    match private_directory(directory) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(failed("cannot make the directory", directory, error));
        }
        Ok(()) | Err(_) => {}
    }
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS)
        .open(directory)
        .map_err(|error| failed("cannot look at the directory", directory, error))?;
    ours_alone(&opened).map_err(|why| failed("the directory is not safe for tokens:", directory, why))
}

/// Opens a file to read it, if there is one, and looks whether it is ours alone.
pub(in crate::transport::token_store) fn open_ours(path: &Path) -> Result<Option<File>, StoreFault> {
    let file = match OpenOptions::new().read(true).custom_flags(FILE_FLAG_OPEN_REPARSE_POINT).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed("cannot open", path, error)),
    };
    let found = file.metadata().map_err(|error| failed("cannot look at", path, error))?;
    if found.file_type().is_symlink() {
        return Err(failed("does not follow the symbolic link", path, "it is not ours"));
    }
    ours_alone(&file).map_err(|why| failed("the tokens are not safe in", path, why))?;
    Ok(Some(file))
}

/// The file that takes the place of another, as it is or empty.
pub(in crate::transport::token_store) fn open_new(new: &Path) -> Result<File, StoreFault> {
    private_file(new).map_err(|error| failed("cannot write", new, error))
}

/// The system keeps a log of names, and has no call that forces them to disk.
pub(in crate::transport::token_store) fn sync_directory(_directory: &Path) -> Result<(), StoreFault> {
    Ok(())
}

/// The file that a lock is held on.
pub(in crate::transport::token_store) fn open_lock(path: &Path) -> Result<File, StoreFault> {
    private_file(path).map_err(|error| failed("cannot open the lock", path, error))
}

/// Takes the lock, unless another process has it.
pub(in crate::transport::token_store) fn try_lock(file: &File, path: &Path) -> Result<bool, StoreFault> {
    let mut at = OVERLAPPED::default();
    // SAFETY: the file is open, and the structure lives until the call returns: the file was opened without overlapped operations.
    let done = unsafe {
        LockFileEx(
            file.as_raw_handle(),
            LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY,
            0,
            1,
            0,
            &raw mut at,
        )
    };
    if done != 0 {
        return Ok(true);
    }
    let error = Error::last_os_error();
    let is_held = [ERROR_LOCK_VIOLATION, ERROR_IO_PENDING]
        .iter()
        .any(|held| error.raw_os_error() == Some(held.cast_signed()));
    if is_held { Ok(false) } else { Err(failed("cannot lock", path, error)) }
}

/// Gives the lock back. There is nothing to do about a failure: the end of the handle releases it as well.
pub(in crate::transport::token_store) fn unlock(file: &File) {
    // SAFETY: the file is open.
    let _ = unsafe { UnlockFile(file.as_raw_handle(), 0, 0, 1, 0) };
}
