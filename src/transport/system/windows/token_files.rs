//! Files that only this user and the system may use (access lists), and locks (`LockFileEx`).

#![allow(unsafe_code)]

use crate::auth::StoreFault;
use crate::transport::system::io::{Handle, wide};
use crate::transport::system::token_fault;
use std::ffi::c_void;
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind};
use std::os::windows::fs::OpenOptionsExt as _;
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _};
use std::path::Path;
use std::ptr;
use windows_sys::Win32::Foundation::{
    ERROR_IO_PENDING, ERROR_LOCK_VIOLATION, ERROR_SUCCESS, GENERIC_READ, GENERIC_WRITE, HANDLE,
    INVALID_HANDLE_VALUE, LocalFree,
};
use windows_sys::Win32::Security::Authorization::{
    ConvertSidToStringSidW, ConvertStringSecurityDescriptorToSecurityDescriptorW, GetSecurityInfo,
    SDDL_REVISION_1, SE_FILE_OBJECT,
};
use windows_sys::Win32::Security::{
    ACCESS_ALLOWED_ACE, ACE_HEADER, ACL, DACL_SECURITY_INFORMATION, EqualSid, GetAce, GetTokenInformation,
    INHERIT_ONLY_ACE, IsWellKnownSid, OWNER_SECURITY_INFORMATION, PSECURITY_DESCRIPTOR, PSID,
    SECURITY_ATTRIBUTES, TOKEN_QUERY, TOKEN_USER, TokenUser, WinBuiltinAdministratorsSid,
    WinCreatorOwnerRightsSid, WinCreatorOwnerSid, WinLocalSystemSid,
};
use windows_sys::Win32::Storage::FileSystem::{
    CreateDirectoryW, CreateFileW, FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT,
    FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE, LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY,
    LockFileEx, OPEN_ALWAYS, UnlockFile,
};
use windows_sys::Win32::System::IO::OVERLAPPED;
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

/// Which file it is, as far as this system says so without opening it: when it was created.
#[cfg(all(feature = "http", feature = "server"))]
pub(crate) fn which_file(metadata: &std::fs::Metadata) -> [i64; 4] {
    // The number is only compared.
    [std::os::windows::fs::MetadataExt::creation_time(metadata).cast_signed(), 0, 0, 0]
}

/// Makes the directory if it is not there, and looks whether it is ours alone: who can write there can put another
/// file in our file's place.
pub(crate) fn prepare(directory: &Path) -> Result<(), StoreFault> {
    if let Some(above) = directory.parent() {
        std::fs::create_dir_all(above)
            .map_err(|error| token_fault("cannot make the directory", above, error))?;
    }
    match private_directory(directory) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(token_fault("cannot make the directory", directory, error));
        }
        Ok(()) | Err(_) => {}
    }
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS)
        .open(directory)
        .map_err(|error| token_fault("cannot look at the directory", directory, error))?;
    ours_alone(&opened).map_err(|why| token_fault("the directory is not safe for tokens:", directory, why))
}

/// Opens a file to read it, if there is one, and looks whether it is ours alone.
pub(crate) fn open_ours(path: &Path) -> Result<Option<File>, StoreFault> {
    let file = match OpenOptions::new().read(true).custom_flags(FILE_FLAG_OPEN_REPARSE_POINT).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(token_fault("cannot open", path, error)),
    };
    let found = file.metadata().map_err(|error| token_fault("cannot look at", path, error))?;
    if found.file_type().is_symlink() {
        return Err(token_fault("does not follow the symbolic link", path, "it is not ours"));
    }
    ours_alone(&file).map_err(|why| token_fault("the tokens are not safe in", path, why))?;
    Ok(Some(file))
}

/// The file that takes the place of another, as it is or empty.
pub(crate) fn open_new(new: &Path) -> Result<File, StoreFault> {
    private_file(new).map_err(|error| token_fault("cannot write", new, error))
}

/// The system keeps a log of names, and has no call that forces them to disk.
pub(crate) fn sync_directory(_directory: &Path) -> Result<(), StoreFault> {
    Ok(())
}

/// The file that a lock is held on.
pub(crate) fn open_lock(path: &Path) -> Result<File, StoreFault> {
    private_file(path).map_err(|error| token_fault("cannot open the lock", path, error))
}

/// Takes the lock, unless another process has it.
pub(crate) fn try_lock(file: &File, path: &Path) -> Result<bool, StoreFault> {
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
    if is_held { Ok(false) } else { Err(token_fault("cannot lock", path, error)) }
}

/// Gives the lock back. There is nothing to do about a failure: the end of the handle releases it as well.
pub(crate) fn unlock(file: &File) {
    // SAFETY: the file is open.
    let _ = unsafe { UnlockFile(file.as_raw_handle(), 0, 0, 1, 0) };
}

/// The kind of an entry that grants rights.
const ALLOWED: u8 = 0;
/// The kind of an entry that denies rights.
const DENIED: u8 = 1;

/// Something that the system allocated.
struct Local(*mut c_void);

impl Drop for Local {
    fn drop(&mut self) {
        // SAFETY: the system allocated it so, and it is not used any more.
        unsafe { LocalFree(self.0) };
    }
}

/// The effective user of this process.
struct User {
    /// A `TOKEN_USER` and what it leads to, in words so that it is aligned.
    memory: Vec<u64>,
}

impl User {
    fn current() -> Result<User, Error> {
        /// More than the longest number of a user takes.
        const WORDS: usize = 32;
        let mut token: HANDLE = ptr::null_mut();
        // SAFETY: the pseudo handle of this process needs no closing; the result is written before the call returns.
        if unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &raw mut token) } == 0 {
            return Err(Error::last_os_error());
        }
        let token = Handle::new(token)?;
        let mut memory = vec![0_u64; WORDS];
        let mut length = 0;
        // SAFETY: the memory has the size that is named, and the token is open.
        let done = unsafe {
            GetTokenInformation(
                token.raw(),
                TokenUser,
                memory.as_mut_ptr().cast(),
                (WORDS * size_of::<u64>()) as u32,
                &raw mut length,
            )
        };
        if done == 0 { Err(Error::last_os_error()) } else { Ok(User { memory }) }
    }

    fn sid(&self) -> PSID {
        // SAFETY: the memory has this structure at its beginning.
        unsafe { (*self.memory.as_ptr().cast::<TOKEN_USER>()).User.Sid }
    }
}

/// What a directory or file is made with so that this user and the system may use it and no other.
struct Private {
    descriptor: Local,
}

impl Private {
    fn new() -> Result<Private, Error> {
        let user = User::current()?;
        let mut text = ptr::null_mut();
        // SAFETY: the number of the user is valid; the text is written before the call returns.
        if unsafe { ConvertSidToStringSidW(user.sid(), &raw mut text) } == 0 {
            return Err(Error::last_os_error());
        }
        let _text = Local(text.cast());
        let mut units = 0;
        // SAFETY: the text ends with a NUL.
        while unsafe { *text.add(units) } != 0 {
            units += 1;
        }
        // SAFETY: as many were counted just now.
        let sid = String::from_utf16_lossy(unsafe { std::slice::from_raw_parts(text, units) });
        // Protected: nothing is inherited from the directory above. This user and the system (SY) may do all, also with what is in it.
        let list = wide(format!("O:{sid}D:P(A;OICI;FA;;;{sid})(A;OICI;FA;;;SY)"));
        let mut descriptor: PSECURITY_DESCRIPTOR = ptr::null_mut();
        // SAFETY: the text ends with a NUL; the result is written before the call returns.
        let done = unsafe {
            ConvertStringSecurityDescriptorToSecurityDescriptorW(
                list.as_ptr(),
                SDDL_REVISION_1,
                &raw mut descriptor,
                ptr::null_mut(),
            )
        };
        if done == 0 { Err(Error::last_os_error()) } else { Ok(Private { descriptor: Local(descriptor) }) }
    }

    /// As the system takes it, as long as this is there.
    fn attributes(&self) -> SECURITY_ATTRIBUTES {
        SECURITY_ATTRIBUTES {
            nLength: size_of::<SECURITY_ATTRIBUTES>() as u32,
            lpSecurityDescriptor: self.descriptor.0,
            bInheritHandle: 0,
        }
    }
}

/// Makes a directory that this user and the system may use, and what is made in it as well.
///
/// # Errors
/// What the system said.
pub(crate) fn private_directory(path: &Path) -> Result<(), Error> {
    let private = Private::new()?;
    let attributes = private.attributes();
    let path = wide(path);
    // SAFETY: the path ends with a NUL, and what the attributes lead to lives until the end of the call.
    if unsafe { CreateDirectoryW(path.as_ptr(), &raw const attributes) } == 0 {
        return Err(Error::last_os_error());
    }
    Ok(())
}

/// Opens a file to read and write it. It is made if it is not there, for this user and the system. A link is opened itself.
///
/// # Errors
/// What the system said.
pub(crate) fn private_file(path: &Path) -> Result<File, Error> {
    let private = Private::new()?;
    let attributes = private.attributes();
    let path = wide(path);
    // SAFETY: as in `private_directory`.
    let handle = unsafe {
        CreateFileW(
            path.as_ptr(),
            GENERIC_READ | GENERIC_WRITE,
            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
            &raw const attributes,
            OPEN_ALWAYS,
            FILE_FLAG_OPEN_REPARSE_POINT,
            ptr::null_mut(),
        )
    };
    if handle == INVALID_HANDLE_VALUE {
        return Err(Error::last_os_error());
    }
    // SAFETY: it was opened just now, and belongs to nothing else.
    Ok(unsafe { File::from_raw_handle(handle) })
}

/// Whether a file belongs to this user, and lets in no other but administrators and the system, whom nothing keeps out.
///
/// # Errors
/// Who else may, with the fix; what the system said.
pub(crate) fn ours_alone(file: &File) -> Result<(), Error> {
    let user = User::current()?;
    let (mut owner, mut list, mut descriptor) = (ptr::null_mut(), ptr::null_mut::<ACL>(), ptr::null_mut());
    // SAFETY: the file is open; owner and list lead into the descriptor, which lives until the end of this function.
    let outcome = unsafe {
        GetSecurityInfo(
            file.as_raw_handle(),
            SE_FILE_OBJECT,
            OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
            &raw mut owner,
            ptr::null_mut(),
            &raw mut list,
            ptr::null_mut(),
            &raw mut descriptor,
        )
    };
    if outcome != ERROR_SUCCESS {
        return Err(Error::from_raw_os_error(outcome.cast_signed()));
    }
    let _descriptor = Local(descriptor);
    // What an administrator makes may belong to all of them.
    if !is_user(owner, &user) && !is_known(owner, WinBuiltinAdministratorsSid) {
        return Err(Error::new(ErrorKind::PermissionDenied, "it belongs to another user"));
    }
    if list.is_null() {
        return Err(others("everybody"));
    }
    // SAFETY: the list is not null, and lives as long as the descriptor.
    for index in 0..u32::from(unsafe { (*list).AceCount }) {
        let mut entry: *mut c_void = ptr::null_mut();
        // SAFETY: the index is below the count.
        if unsafe { GetAce(list, index, &raw mut entry) } == 0 {
            return Err(Error::last_os_error());
        }
        // SAFETY: every entry begins with this header.
        let header = unsafe { entry.cast::<ACE_HEADER>().read_unaligned() };
        if header.AceType == DENIED || u32::from(header.AceFlags) & INHERIT_ONLY_ACE != 0 {
            continue;
        }
        if header.AceType != ALLOWED {
            return Err(others("another user or group, by an entry of an unknown kind,"));
        }
        // SAFETY: an entry of this kind has this structure, at whose end the number of the user begins.
        let sid: PSID = unsafe { (&raw mut (*entry.cast::<ACCESS_ALLOWED_ACE>()).SidStart).cast() };
        let known =
            [WinLocalSystemSid, WinBuiltinAdministratorsSid, WinCreatorOwnerSid, WinCreatorOwnerRightsSid];
        if !is_user(sid, &user) && !known.iter().any(|kind| is_known(sid, *kind)) {
            return Err(others("another user or group"));
        }
    }
    Ok(())
}

fn others(who: &str) -> Error {
    Error::new(
        ErrorKind::PermissionDenied,
        format!("{who} may use it; use: icacls /inheritance:r /grant:r %USERNAME%:F"),
    )
}

fn is_user(sid: PSID, user: &User) -> bool {
    // SAFETY: both are valid numbers of users.
    unsafe { EqualSid(sid, user.sid()) != 0 }
}

fn is_known(sid: PSID, kind: i32) -> bool {
    // SAFETY: the number of the user is valid.
    unsafe { IsWellKnownSid(sid, kind) != 0 }
}
