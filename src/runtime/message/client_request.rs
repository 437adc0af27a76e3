//! A request that a client sent to a server of this process, as the message that carries it sees it.

use crate::engine::Error;
use crate::engine::server::{Answer, ArgumentCheck, Outcome, Severity, TaskOptions};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// What runs for a request: a function of the application. Without one the request arrives on the queue.
pub struct Handler<M>(Option<Arc<dyn Fn(M) + Send + Sync>>);

impl<M> Handler<M> {
    /// A function.
    pub fn function(function: Arc<dyn Fn(M) + Send + Sync>) -> Handler<M> {
        Handler(Some(function))
    }

    /// The queue.
    pub fn queue() -> Handler<M> {
        Handler(None)
    }

    pub(super) fn get(&self) -> Option<Arc<dyn Fn(M) + Send + Sync>> {
        self.0.clone()
    }

    pub(super) fn is_function(&self) -> bool {
        self.0.is_some()
    }
}

impl<M> Clone for Handler<M> {
    fn clone(&self) -> Self {
        Handler(self.0.clone())
    }
}

impl<M> std::fmt::Debug for Handler<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Handler(function)" } else { "Handler(queue)" })
    }
}

/// What answers a request, and tells more of it. Each function names the request by its number.
pub(crate) trait Serve: Send + Sync {
    /// The application has taken it.
    fn begun(&self, request: u64);

    /// Checks its arguments, which its parameters have. Whether the application is to see it.
    fn admit(&self, request: u64, check: &ArgumentCheck, params: &str) -> bool;
    /// Answers it.
    fn respond(&self, request: u64, outcome: Outcome<'_>) -> Result<(), Error>;
    /// Reports progress. Whether it was sent.
    fn progress(&self, request: u64, value: f64, total: Option<f64>, message: Option<&str>) -> bool;
    /// Sends a log message. Whether it was sent.
    fn log(&self, request: u64, severity: Severity, logger: Option<&str>, data: &str) -> bool;
    /// The answer to a question; `None` if it is to be asked when the handler has returned.
    fn ask(&self, request: u64, key: &str, method: &str, params: &str) -> Result<Option<Answer>, Error>;
    /// Keeps text for the handler's next run. `false` if the request is over.
    fn set_state(&self, request: u64, state: &str) -> bool;
    /// What an earlier run kept.
    fn state(&self, request: u64) -> Option<String>;
    /// Whether an answer is still wanted.
    fn is_under_way(&self, request: u64) -> bool;
    /// A number of the client that sent it. `None` when it is over.
    fn holder(&self, request: u64) -> Option<u64>;
    /// Who sent it, as JSON text. `None` when it is over.
    fn context(&self, request: u64) -> Option<String>;
    /// Turns it into a task, or says how its task is.
    fn start_task(&self, request: u64, options: TaskOptions<'_>) -> Result<(), Error>;
    /// Ends its stream before its answer; its client comes back after `retry`. Whether there was a stream that could end.
    fn close_stream(&self, request: u64, retry: Option<Duration>) -> Result<bool, Error>;
    /// Its message was freed.
    fn dropped(&self, request: u64);
    /// Runs a callback of the application, on the thread for these.
    fn run_callback(&self, callback: Arc<dyn Fn() + Send + Sync>);
}

/// The request that a message carries.
pub(super) struct Served<M> {
    pub(super) request: u64,
    /// Who has sent it, as its server numbers those that share what it has: their requests are taken by turns.
    pub(super) holder: Option<u64>,
    /// The process in which the server is: a child of `fork` has a copy that it must leave as it is.
    pub(super) process: u64,
    pub(super) handler: Handler<M>,
    /// What the thread that takes the message checks before it gives it on.
    pub(super) check: Option<ArgumentCheck>,
    /// Weak: a message must not keep alive what belongs to a server that is freed.
    pub(super) by: Weak<dyn Serve>,
}

impl<M> std::fmt::Debug for Served<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Served").field("request", &self.request).finish_non_exhaustive()
    }
}

impl<M> Drop for Served<M> {
    /// A request that is dropped without an answer is answered by the library, unless it waits for answers of its client.
    fn drop(&mut self) {
        if let Some(by) = self.by.upgrade() {
            by.dropped(self.request);
        }
    }
}
