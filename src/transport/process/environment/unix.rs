//! What is inherited on Linux, Android and macOS.

use std::ffi::OsStr;

/// The variables that a server inherits by default.
pub const DEFAULT: [&str; 18] = [
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
];

/// Whether two names are of one variable.
pub(super) fn is_same_name(name: &OsStr, other: &str) -> bool {
    name == other
}
