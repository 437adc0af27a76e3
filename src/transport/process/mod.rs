//! A server as a child process: started without a shell, in a process group of its own, with an environment that is
//! written down; ended by signals, whose times `src/runtime/background/processes.rs` decides; reaped by us only. How a process is started
//! and ended is in `src/transport/system`.
//!
//! The files:
//!
//! * `thread`: threads of the library
//! * `per_process`: `PerProcess`: state that starts again in a child of `fork`

#[cfg(all(test, unix))]
pub mod forked;
pub mod per_process;
pub mod thread;

use crate::transport::system::IS_WINDOWS;
pub use crate::transport::system::process::{Process, keep_from_children};
use crate::transport::system::threads::{signal_name, write_exit_status};
use rustix::fd::OwnedFd;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;

/// What to start.
#[derive(Clone, Debug, Default)]
pub struct Command {
    /// The program: a path, or a name to find in `PATH`.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Where it runs; the host's working directory if not given.
    pub cwd: Option<PathBuf>,
    /// Its whole environment. Taken when the client was made, on the thread that made it: a host may change its environment
    /// at any other time, and reading it then would be a race that crashes.
    pub environment: Vec<(OsString, OsString)>,
}

/// Why a process could not be started, with the fix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpawnError {
    /// What went wrong, in a sentence.
    pub message: String,
    /// The system's error number.
    pub errno: Option<i32>,
}

/// A started process with our ends of its pipes, which are close-on-exec and non-blocking.
#[derive(Debug)]
pub struct Spawned<P> {
    /// The process.
    pub process: P,
    /// Goes to its standard input.
    pub stdin: OwnedFd,
    /// Comes from its standard output.
    pub stdout: OwnedFd,
    /// Comes from its standard error.
    pub stderr: OwnedFd,
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exit {
    /// Its exit status, if it exited.
    pub code: Option<i32>,
    /// The signal that killed it, if one did.
    pub signal: Option<i32>,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => write_exit_status(f, code),
            (None, Some(signal)) => match signal_name(signal) {
                Some(name) => write!(f, "the server was killed by signal {signal} ({name})"),
                None => write!(f, "the server was killed by signal {signal}"),
            },
            (None, None) => f.write_str("the server ended (its exit status was collected by the host)"),
        }
    }
}

/// The variables that a server inherits by default: a short list, so that a host's secrets do not reach every server.
pub const DEFAULT: &[&str] = if IS_WINDOWS { &WINDOWS_DEFAULT } else { &UNIX_DEFAULT };

const UNIX_DEFAULT: [&str; 18] = [
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

/// Without some of these, most programs of Windows do not start.
const WINDOWS_DEFAULT: [&str; 29] = [
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

/// What is inherited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Inherit {
    /// The variables of [`DEFAULT`].
    #[default]
    Default,
    /// Everything.
    All,
    /// Nothing.
    None,
}

/// The environment of a server: what is inherited from the host, with `own` over it. Reads the host's environment, which the
/// host must not change on another thread meanwhile.
pub fn of_server(inherit: Inherit, own: &[(String, String)]) -> Vec<(OsString, OsString)> {
    let inherited: Vec<(OsString, OsString)> = match inherit {
        Inherit::All => std::env::vars_os().collect(),
        Inherit::Default => {
            DEFAULT.iter().filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?))).collect()
        }
        Inherit::None => Vec::new(),
    };
    merged(inherited, own)
}

fn merged(inherited: Vec<(OsString, OsString)>, own: &[(String, String)]) -> Vec<(OsString, OsString)> {
    let mut environment = inherited;
    environment.retain(|(name, _)| own.iter().all(|(mine, _)| !is_same_name(name, mine)));
    environment.extend(own.iter().map(|(name, value)| (name.into(), value.into())));
    environment
}

/// Whether two names are of one variable. On Windows ASCII has no case here; the system folds more.
fn is_same_name(name: &OsStr, other: &str) -> bool {
    if IS_WINDOWS { name.eq_ignore_ascii_case(other) } else { name == other }
}

/// The process at the other end of a Unix socket, as the kernel saw it at that moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Credentials {
    /// Its user.
    pub user: u32,
    /// Its group.
    pub group: u32,
    /// Its id; `None` for a process of another namespace, which has no id here.
    pub process: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_reads_as_a_sentence() {
        assert_eq!(Exit { code: Some(3), signal: None }.to_string(), "the server exited with status 3");
        #[cfg(all(test, unix))]
        assert_eq!(
            Exit { code: None, signal: Some(9) }.to_string(),
            "the server was killed by signal 9 (SIGKILL)"
        );
    }

    #[test]
    fn p11_the_config_goes_over_the_inherited_list_and_does_not_replace_it() {
        let host = vec![("PATH".into(), "/bin".into()), ("HOME".into(), "/root".into())];
        let own = [("PATH".to_owned(), "/opt".to_owned()), ("A".to_owned(), "1".to_owned())];
        let mut shown: Vec<String> = merged(host, &own)
            .into_iter()
            .map(|(name, value)| format!("{}={}", name.to_string_lossy(), value.to_string_lossy()))
            .collect();
        shown.sort();
        assert_eq!(shown, ["A=1", "HOME=/root", "PATH=/opt"]);
    }

    #[test]
    fn all_and_none_mean_what_they_say() {
        assert_eq!(of_server(Inherit::All, &[]).len(), std::env::vars_os().count());
        assert!(of_server(Inherit::None, &[]).is_empty());
        let default = of_server(Inherit::Default, &[]);
        assert!(default.iter().all(|(name, _)| DEFAULT.iter().any(|known| name == known)));
    }

    #[cfg(all(test, unix))]
    #[test]
    fn the_peer_of_a_pair_is_this_process_and_a_pipe_has_none() {
        use crate::transport::system::process::peer_credentials;
        use std::os::unix::net::UnixStream;
        let (ours, _theirs) = UnixStream::pair().expect("a pair");
        let peer = peer_credentials(&ours).expect("credentials");
        assert_eq!(peer.user, rustix::process::getuid().as_raw());
        assert_eq!(peer.group, rustix::process::getgid().as_raw());
        assert_eq!(peer.process, Some(std::process::id()));
        let (reader, _writer) = rustix::pipe::pipe().expect("a pipe");
        assert_eq!(
            peer_credentials(&reader).map_err(|error| error.raw_os_error()),
            Err(Some(libc::ENOTSOCK))
        );
    }
}
