//! Why a process of Windows could not be started, in words.

use super::command::{Command, SpawnError};
use rustix::io::Errno;
use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_BAD_EXE_FORMAT, ERROR_COMMITMENT_LIMIT, ERROR_DIRECTORY,
    ERROR_ELEVATION_REQUIRED, ERROR_FILE_NOT_FOUND, ERROR_FILENAME_EXCED_RANGE, ERROR_NO_SYSTEM_RESOURCES,
    ERROR_NOT_ENOUGH_MEMORY, ERROR_PATH_NOT_FOUND, WIN32_ERROR,
};

impl Command {
    /// What the system said of the start.
    pub(super) fn explain(&self, errno: Errno) -> SpawnError {
        let error = std::io::Error::from(errno);
        let why = match WIN32_ERROR::try_from(errno.raw_os_error()).unwrap_or(0) {
            ERROR_FILE_NOT_FOUND | ERROR_PATH_NOT_FOUND => return self.not_found(),
            ERROR_DIRECTORY => {
                format!("the directory '{}' (cwd) does not exist or cannot be entered", self.shown_cwd())
            }
            ERROR_ACCESS_DENIED => "permission denied; may this user run it?".to_owned(),
            ERROR_BAD_EXE_FORMAT => {
                "it is no program of this system (a script needs its interpreter as 'command')".to_owned()
            }
            ERROR_ELEVATION_REQUIRED => {
                "it wants the rights of an administrator; start it as one, or use another program".to_owned()
            }
            ERROR_FILENAME_EXCED_RANGE => format!("its arguments are too long ({error})"),
            ERROR_NOT_ENOUGH_MEMORY | ERROR_NO_SYSTEM_RESOURCES | ERROR_COMMITMENT_LIMIT => {
                format!("no process can be made now ({error})")
            }
            _ => error.to_string(),
        };
        self.refused(why, Some(errno))
    }

    /// There is no such program.
    pub(super) fn not_found(&self) -> SpawnError {
        let program = &self.program;
        let why = if program.starts_with("~/") || program.starts_with("~\\") {
            "'~' is not expanded; write the whole path"
        } else if program.contains(['\\', '/', ':']) {
            "there is no such file; is its ending missing, or not in PATHEXT?"
        } else if program.contains(' ') {
            "there is no program of this name; give the program alone as 'command' and the words behind it as 'args'"
        } else {
            "it is in no directory of PATH, with an ending of PATHEXT; install it, give its full path as 'command', or set PATH \
             in 'env'"
        };
        self.refused(why.to_owned(), Some(Errno::from_raw_os_error(ERROR_FILE_NOT_FOUND.cast_signed())))
    }

    pub(super) fn refused(&self, why: String, errno: Option<Errno>) -> SpawnError {
        SpawnError {
            message: format!("cannot start '{}': {why}", self.program),
            errno: errno.map(Errno::raw_os_error),
        }
    }

    fn shown_cwd(&self) -> String {
        self.cwd.as_ref().map(|cwd| cwd.display().to_string()).unwrap_or_default()
    }
}
