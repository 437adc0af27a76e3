//! What is inherited on Windows: without some of it, most programs do not start.

use std::ffi::OsStr;

/// The variables that a server inherits by default.
pub const DEFAULT: [&str; 29] = [
    "ALLUSERSPROFILE",
    "APPDATA",
    "COMMONPROGRAMFILES",
    "COMPUTERNAME",
    "COMSPEC",
    "HOME",
    "HOMEDRIVE",
    "HOMEPATH",
    "LANG",
    "LOCALAPPDATA",
    "NUMBER_OF_PROCESSORS",
    "OS",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "PUBLIC",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TZ",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// Whether two names are of one variable. ASCII alone has no case here; the system folds more.
pub(super) fn is_same_name(name: &OsStr, other: &str) -> bool {
    name.eq_ignore_ascii_case(other)
}
