//! What the error of a call says of whether the server may have it. A host decides by that whether it may call again, so it
//! stands in every error, and in doubt it says that the call was sent.

use super::Engine;
use super::calls::{Call, Stored};
use super::settings::Retry;
use super::status::{Error, Status};
use crate::protocol::method;

impl<T> Engine<T> {
    /// Says in a call's error whether a byte of it may have left. Nothing is marked as worth trying again that the server may
    /// be doing already, unless doing it twice does no harm.
    pub(super) fn say_whether_sent(&self, call: &Call<T>, error: &mut Error, was_task: bool) {
        error.details.insert("sent".to_owned(), call.sent.into());
        // With these nothing is known of what the server did. It says so itself when it is busy; but what became of a request
        // about a task says nothing of the task, which may be running.
        let in_doubt = was_task || matches!(error.status, Status::Timeout | Status::Transport);
        if in_doubt && call.sent && !self.does_no_harm_twice(call) {
            error.retryable = false;
        }
    }

    fn does_no_harm_twice(&self, call: &Call<T>) -> bool {
        let params = call.stored.as_ref().and_then(Stored::text);
        method::is_safe(&call.method)
            || call.method == method::TASKS_RESULT
            || self.may_repeat(&call.method, params, Retry::Safe)
    }
}
