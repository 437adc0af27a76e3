//! Output of a server that is no message: a banner, a log line. The first line of it often says why there will be no message.

use crate::engine::{Error, Level};
use crate::protocol::visible::visible;

#[derive(Default, Debug)]
pub(super) struct StrayOutput {
    /// The first line of this connection.
    first: Option<String>,
    was_reported: bool,
}

impl StrayOutput {
    /// A line came. Says how loud that is reported: once for each client it is a warning.
    pub(super) fn note(&mut self, line: String) -> Level {
        self.first.get_or_insert(line);
        if std::mem::replace(&mut self.was_reported, true) { Level::Debug } else { Level::Warn }
    }

    /// The connection has ended, or is ready.
    pub(super) fn forget(&mut self) {
        self.first = None;
    }

    /// Adds the line to the error of a connection that did not become ready.
    pub(super) fn explain(&self, mut error: Error) -> Error {
        let Some(line) = &self.first else { return error };
        error.message.push_str("; its output began with a line that is no MCP message: ");
        error.message.push_str(&visible(line));
        error.with("output", line.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Status;

    #[test]
    fn the_first_line_explains_why_a_connection_failed() {
        let mut output = StrayOutput::default();
        let error = Error::new(Status::Timeout, "connect", "no answer");
        assert_eq!(output.explain(error.clone()), error);
        assert_eq!(output.note("usage: server FILE".to_owned()), Level::Warn);
        assert_eq!(output.note("  --help".to_owned()), Level::Debug);
        assert!(output.explain(error.clone()).message.ends_with("usage: server FILE"));
        output.forget();
        assert_eq!(output.explain(error.clone()), error);
        assert_eq!(output.note("again".to_owned()), Level::Debug, "the warning comes once");
    }
}
