//! How a server process ended, in words.
//!
//! The files:
//!
//! * `unix`: names of signals
//! * `windows`: what a status says of a program that crashed

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::fmt;
#[cfg(unix)]
use unix::{name, write_status};
#[cfg(windows)]
use windows::{name, write_status};

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
            (Some(code), _) => write_status(f, code),
            (None, Some(signal)) => match name(signal) {
                Some(name) => write!(f, "the server was killed by signal {signal} ({name})"),
                None => write!(f, "the server was killed by signal {signal}"),
            },
            (None, None) => f.write_str("the server ended (its exit status was collected by the host)"),
        }
    }
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
}
