//! The options of `mcp_request_start_task`.

use crate::config::define::{Definition as _, settings};
use crate::config::fields::{Fields, parse_object};
use crate::config::kinds::{Millis, Optional, Text};
use crate::engine::Error;
use crate::engine::server::TaskOptions;
use std::time::Duration;

settings! {
    /// What a handler wants of its task.
    TaskWishes {
        /// how long the task is kept
        ttl_ms: Option<Duration> = Optional(Millis), None;
        /// how often the client should ask for it
        poll_interval_ms: Option<Duration> = Optional(Millis), None;
        /// what a person may read about it
        status_message: Option<String> = Optional(Text), None;
    }
}

impl TaskWishes {
    /// Reads the options; absent ones are the defaults.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`, naming the key that is wrong.
    pub(crate) fn parse(text: Option<&str>) -> Result<TaskWishes, Error> {
        let object = parse_object(text.unwrap_or("{}"), "options_json")?;
        let mut fields = Fields::new("", &object);
        let wishes = TaskWishes::read(&mut fields)?;
        fields.finish()?;
        Ok(wishes)
    }

    /// The same for the engine.
    pub(crate) fn options(&self) -> TaskOptions<'_> {
        TaskOptions { ttl: self.ttl_ms, poll: self.poll_interval_ms, message: self.status_message.as_deref() }
    }
}
