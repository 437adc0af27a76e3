//! How a server process ended, in words.

use std::fmt;

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
            (Some(code), _) => write!(f, "the server exited with status {code}"),
            (None, Some(signal)) => match name(signal) {
                Some(name) => write!(f, "the server was killed by signal {signal} ({name})"),
                None => write!(f, "the server was killed by signal {signal}"),
            },
            (None, None) => f.write_str("the server ended (its exit status was collected by the host)"),
        }
    }
}

fn name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGILL => "SIGILL",
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGKILL => "SIGKILL",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGTERM => "SIGTERM",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_reads_as_a_sentence() {
        assert_eq!(Exit { code: Some(3), signal: None }.to_string(), "the server exited with status 3");
        assert_eq!(
            Exit { code: None, signal: Some(9) }.to_string(),
            "the server was killed by signal 9 (SIGKILL)"
        );
    }
}
