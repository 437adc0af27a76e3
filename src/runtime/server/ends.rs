//! The two ends of a session over descriptors, the tokens of the poller, and what becomes of writing.

use crate::transport::standard_streams::StandardStreams;
use crate::transport::stream_end::StreamEnd;
use std::time::Instant;

/// Which descriptor of a session, or which listener, a token of the poller means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// There is something to read.
    Input(u64),
    /// There is room to write.
    Output(u64),
    /// A client connects.
    Listener(u64),
}

impl Token {
    pub(super) fn pack(self) -> u64 {
        match self {
            Token::Input(number) => number << 2,
            Token::Output(number) => number << 2 | 1,
            Token::Listener(number) => number << 2 | 2,
        }
    }

    pub(super) fn unpack(token: u64) -> Token {
        let number = token >> 2;
        match token & 3 {
            0 => Token::Input(number),
            1 => Token::Output(number),
            _ => Token::Listener(number),
        }
    }
}

/// The two ends of a session over descriptors.
#[derive(Debug)]
pub(crate) struct Ends {
    /// Where requests come from.
    pub(crate) input: StreamEnd,
    /// Where answers go.
    pub(crate) output: StreamEnd,
    /// What is restored at its end, where it has the standard streams of the process.
    pub(crate) streams: Option<StandardStreams>,
}

/// What became of writing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// All of it is written.
    All,
    /// Another thread writes it.
    ByAnother,
    /// The client does not take more now; since when it has taken nothing.
    Waiting(Instant),
    /// More waits than may.
    TooMuch,
    /// There is no room for what waits among what waits for all clients.
    NoRoom,
    /// The client is gone: why.
    Broken(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_as_it_was_written() {
        for token in [Token::Input(7), Token::Output(7), Token::Listener(7), Token::Input(1 << 40)] {
            assert_eq!(Token::unpack(token.pack()), token);
        }
    }
}
