//! What is done to an outcome before the application has it: on the thread that takes it, with no lock of the connection
//! held. Until then it waits as it came, so that checking a large result delays no other call.

use super::state::State;
use crate::client::Message;
use crate::client::cache::{Key, Stamp};
use crate::engine::Status;
use std::sync::Arc;
use std::time::Instant;

/// What to do with one outcome.
#[derive(Debug)]
pub(crate) struct Finish {
    pub(super) state: Arc<State>,
    /// The connection whose tools the result lists.
    #[cfg(feature = "schema")]
    pub(super) lists_tools_of: Option<u64>,
    /// Where to keep the result.
    pub(super) keep: Option<(Key, Stamp, bool)>,
    #[cfg(feature = "schema")]
    pub(super) check: Option<super::results::Check>,
    /// The tool that was called.
    pub(super) tool: Option<String>,
    /// What the file of a skill must be.
    #[cfg(feature = "skills")]
    pub(super) skill: Option<super::skills::Check>,
}

impl Finish {
    /// As the runtime carries it with a started call.
    pub(super) fn boxed(self) -> crate::runtime::message::Finish {
        crate::runtime::message::Finish::new(|message| self.run(message))
    }

    /// Does it, and gives the outcome that the application gets.
    pub(crate) fn run(self, message: Message) -> Message {
        if let (Some(tool), Some(mut cache)) = (&self.tool, self.state.cache()) {
            cache.tool_called(tool);
        }
        if message.status() != Status::Ok {
            return self.stand_in(message);
        }
        #[cfg(feature = "skills")]
        let message = match &self.skill {
            Some(skill) => skill.run(message),
            None => message,
        };
        if message.status() != Status::Ok || message.is_extended() {
            return message;
        }
        let login = self.state.login();
        if let (Some((key, stamp, is_legacy)), Some(mut cache)) = (self.keep, self.state.cache())
            && !message.was_asked()
        {
            // A result that took answers of the application's is its alone.
            cache.put(Instant::now(), &stamp, login.as_deref(), is_legacy, key, message.json());
        }
        #[cfg(feature = "schema")]
        {
            if let Some(connection) = self.lists_tools_of {
                let with_arguments = self.state.settings.validate_arguments;
                self.state.tools().note(connection, message.json(), with_arguments);
            }
            if let Some(check) = self.check {
                return check.run(message);
            }
        }
        message
    }

    /// Puts an old result in the place of an error of the way to the server.
    fn stand_in(self, message: Message) -> Message {
        let lost = matches!(message.status(), Status::Timeout | Status::Unavailable | Status::Transport);
        let login = self.state.login();
        let (Some((key, ..)), true, Some(mut cache)) = (&self.keep, lost, self.state.cache()) else {
            return message;
        };
        match cache.stale(login.as_deref(), key).filter(|result| self.passes(result)) {
            Some(result) => Message::kept(message.client(), message.call(), message.tag(), &result),
            None => message,
        }
    }

    /// Whether a result that was kept may be handed over in place of a new one.
    #[cfg(feature = "skills")]
    pub(super) fn passes(&self, result: &str) -> bool {
        self.skill.as_ref().is_none_or(|skill| skill.passes(result))
    }

    /// Whether a result that was kept may be handed over in place of a new one.
    #[cfg(not(feature = "skills"))]
    #[expect(clippy::unused_self, reason = "nothing is checked")]
    pub(super) fn passes(&self, _: &str) -> bool {
        true
    }

    /// Whether anything is to be done at all.
    pub(super) fn is_needed(&self) -> bool {
        #[cfg(feature = "schema")]
        if self.check.is_some() || self.lists_tools_of.is_some() {
            return true;
        }
        #[cfg(feature = "skills")]
        if self.skill.is_some() {
            return true;
        }
        self.keep.is_some() || self.tool.is_some()
    }
}
