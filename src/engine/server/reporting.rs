//! What the application reports of a request under way, progress and log messages, at the rates that sessions may have.

use super::answering::log_params;
use super::effect::{Now, RequestId, SessionId, Stream};
use super::requests::Request;
use super::router::Server;
use super::settings::Severity;
use super::task_text::related;
use crate::engine::counters::Level;
use crate::json;
use crate::protocol::task::with_related;
use crate::protocol::{Era, Revision, method};
use std::fmt::Write as _;

impl<H: Clone> Server<H> {
    /// Reports progress of a request (S-PG-01 to S-PG-04). Over the rate of its session the newest value waits. `false` if the
    /// client did not ask for any, the value does not rise, or the request is over.
    pub fn progress(
        &mut self,
        now: Now,
        number: RequestId,
        value: f64,
        total: Option<f64>,
        message: Option<&str>,
    ) -> bool {
        let Some(request) = self.requests.get_mut(number) else { return false };
        let Some(token) = request.context.progress.clone() else { return false };
        if request.task.is_some() && request.context.era() == Era::Modern {
            // The extension has no progress of tasks (S-TX-09).
            return false;
        }
        if !value.is_finite() || request.progress.is_some_and(|last| value <= last) {
            return false;
        }
        request.progress = Some(value);
        let mut params = format!("{{\"progressToken\":{token},\"progress\":{value}");
        if let Some(total) = total.filter(|total| total.is_finite()) {
            // Writing to a string cannot fail.
            let _ = write!(params, ",\"total\":{total}");
        }
        if let Some(message) = message.filter(|_| request.context.revision >= Revision::V2025_03_26) {
            params.push_str(",\"message\":");
            json::quote_into(message, &mut params);
        }
        params.push('}');
        let session = request.stream.session;
        if let Some(params) = self.pacing.progress(now.at, session, number, params) {
            self.notify_of(number, method::PROGRESS, params);
        }
        true
    }

    /// Sends a log message that belongs to a request, if its client wants messages of that severity (S-LG-01 to S-LG-04). `data`
    /// is JSON text. `false` if it is not sent.
    pub fn log(
        &mut self,
        now: Now,
        number: RequestId,
        severity: Severity,
        logger: Option<&str>,
        data: &str,
    ) -> bool {
        let Some(request) = self.requests.get(number) else { return false };
        let wanted = request.context.severity.is_some_and(|least| severity >= least);
        let is_silent = request.task.is_some() && request.context.era() == Era::Modern;
        let session = request.stream.session;
        if !wanted || is_silent || !self.settings.announced.logging || !self.may_log(now, session) {
            return false;
        }
        self.notify_of(number, method::LOG, log_params(severity, logger, data));
        true
    }

    /// The stream on which a request is answered, if its client may be sent away to come back for the rest (2025-11-25, SEP-1699).
    pub fn stream_to_leave(&self, number: RequestId) -> Option<Stream> {
        let request = self.requests.get(number)?;
        let may = request.task.is_none() && request.context.revision == Revision::V2025_11_25;
        may.then_some(request.stream)
    }

    /// Sends a notification that belongs to a request. One of a task names the task (S-T5-06).
    fn notify_of(&mut self, number: RequestId, name: &'static str, params: String) {
        if let Some(request) = self.requests.get(number) {
            let (to, params) = self.addressed(request, params);
            self.notify(to, name, &params);
        }
    }

    fn addressed(&self, request: &Request<H>, params: String) -> (Stream, String) {
        let params = match &request.task {
            Some(task) => with_related(&params, &related(task)),
            None => params,
        };
        (self.stream_of(request), params)
    }

    /// Whether one more log message goes to the session. One that does not is counted.
    pub(super) fn may_log(&mut self, now: Now, session: SessionId) -> bool {
        let may = self.pacing.log(now.at, session);
        if !may {
            self.counters.dropped_logs += 1;
        }
        may
    }

    /// The progress that still waits when a request ends goes out before its answer.
    pub(super) fn send_last_progress(&mut self, number: RequestId, request: &Request<H>) {
        if let Some(params) = self.pacing.last(request.stream.session, number) {
            let (to, params) = self.addressed(request, params);
            self.notify(to, method::PROGRESS, &params);
        }
    }

    /// The same for a request that is still in the table.
    pub(super) fn send_waiting_progress(&mut self, number: RequestId) {
        let Some(session) = self.requests.get(number).map(|request| request.stream.session) else { return };
        if let Some(params) = self.pacing.last(session, number) {
            self.notify_of(number, method::PROGRESS, params);
        }
    }

    /// Progress that had to wait goes out, and the application learns how many log messages were left out.
    pub(super) fn report_what_waited(&mut self, now: Now) {
        for (number, params) in self.pacing.ready(now.at) {
            self.notify_of(number, method::PROGRESS, params);
        }
        for (session, count) in self.pacing.dropped(now.at) {
            self.record_dropped_logs(session, count);
        }
    }

    pub(super) fn record_dropped_logs(&mut self, session: SessionId, count: u64) {
        let limit = self.settings.limits.logs_per_second;
        let text = format!(
            "{count} log messages to the client were left out: a session gets {limit} in a second (limits.logs_per_second)"
        );
        self.record(Level::Warn, session, text);
    }
}
