//! Calls: made, sent, cancelled, ended. The one place where a call gets its outcome is [`Engine::complete`].

use super::calls::{Call, CallRequest, Feature, Stored};
use super::counters::Level;
use super::deadlines::Due;
use super::effect::{Effect, Reply, State};
use super::exchanges::Exchange;
use super::settings::{Retry, Wire};
use super::status::{Error, Status};
use super::{Engine, fields, held_back, millis, tasks};
use crate::protocol::method::{self, Method};
use crate::protocol::{Era, Params, ParamsBuf, write};
use std::borrow::Cow;
use std::time::Instant;

impl<T> Engine<T> {
    /// Makes a call. `Ok` gives its number, and one [`Effect::Complete`] with the ticket will follow; on `Err` no call was
    /// made and nothing follows.
    ///
    /// # Errors
    /// `CLOSED` after close, `UNAVAILABLE` in backoff, `BACKPRESSURE` over the bound of calls under way,
    /// `INVALID_ARGUMENT` for a method that belongs to the library.
    pub fn call(&mut self, now: Instant, request: CallRequest<'_, T>) -> Result<u64, Error> {
        self.begin_call(now, request).map_err(|error| error.with("sent", false))
    }

    fn begin_call(&mut self, now: Instant, request: CallRequest<'_, T>) -> Result<u64, Error> {
        let method = request.method;
        let row = method::find(method);
        if let Some(reason) = row.and_then(|row| row.reserved) {
            return Err(Error::new(
                Status::InvalidArgument,
                method,
                format!("'{method}' cannot be called: {reason}"),
            ));
        }
        let options = request.options;
        let waits = options.wait_when_unavailable.unwrap_or(self.settings.wait_when_unavailable);
        self.admit(now, method, waits)?;
        if let Some(error) = self.tasks_are_off(method, options) {
            return Err(error);
        }
        if self.state == State::Ready
            && let Some(error) = self.lacking(method, options.feature, options.task)
        {
            return Err(error);
        }
        if let Some(error) = self.refused_by_modes(method, request.params, &options.meta) {
            return Err(error);
        }
        let timeout = options.timeout.unwrap_or_else(|| self.settings.timeout_of(method));
        let total = options.max_total.unwrap_or(self.settings.timeouts.max_total.max(timeout));
        let latest = now + total;
        let deadline = (now + timeout).min(latest);
        self.counters.calls += 1;
        let ready = self.state == State::Ready;
        let retry = options.retry.unwrap_or(self.settings.retry);
        if retry == Retry::Safe {
            self.catalog.use_definitions();
        }
        // With many under way the server may have no place for this one.
        let keep = !ready
            || self.calls.len() >= held_back::MANY
            || self.held_back.is_any()
            || options.feature == Feature::AllPages
            || self.is_kept(method, row, request.params.map(|params| params.text()), retry);
        let stored = keep.then(|| Stored {
            params: request.params.map(|params| self.calls.keep(params)),
            meta: options.meta.as_str().into(),
        });
        let sampled = self.draw_sample();
        let call = Call {
            ticket: request.ticket,
            tag: request.tag,
            method: row.map_or_else(|| Cow::Owned(method.to_owned()), |row| Cow::Borrowed(row.name)),
            row,
            started: now,
            timeout,
            deadline,
            latest,
            reset_on_progress: options.reset_on_progress.unwrap_or(self.settings.timeouts.reset_on_progress),
            progress: options.progress,
            exchange: None,
            sent: false,
            sent_before: false,
            capabilities: options.capabilities.clone(),
            stored,
            feature: options.feature,
            task: options.task,
            task_ttl: options.task_ttl,
            augmented: false,
            total_given: options.max_total.is_some(),
            retry,
            waits,
            retries: 0,
            rounds: 0,
            logs_in: false,
            left: None,
            listed_anew: false,
            renewed: false,
            stateful: false,
            queued: false,
            sampled,
        };
        let id = self.calls.add(call);
        self.guard_call(id, Some(deadline));
        if sampled {
            self.log(Level::Debug, "request.start", || {
                fields([
                    ("call", id.into()),
                    ("method", method.into()),
                    ("timeout_ms", millis(timeout).into()),
                ])
            });
        }
        if self.waits_behind(id) {
            // It goes out as others end.
        } else if ready {
            self.dispatch(now, id, request.params, &options.meta);
        } else {
            self.calls.enqueue(id);
            if self.handshake.logs_in() {
                self.stop_time(now, id, true);
            }
            if self.state == State::Idle {
                self.open("the first call starts the server");
            }
        }
        Ok(id)
    }

    /// Whether a call may be made now.
    fn admit(&mut self, now: Instant, method: &str, waits: bool) -> Result<(), Error> {
        match self.state {
            State::Closing | State::Closed => return Err(self.closed_error(method)),
            State::Backoff if !waits => {
                return Err(self.unavailable_error(now, method, "when_unavailable: \"wait\" waits for it"));
            }
            _ => {}
        }
        if self.calls.len() >= self.settings.in_flight {
            let bound = self.settings.in_flight;
            return Err(Error::new(
                Status::Backpressure,
                method,
                format!(
                    "{bound} calls are under way already; wait for some to end or raise limits.in_flight"
                ),
            )
            .with("in_flight", bound));
        }
        Ok(())
    }

    /// The error of a call made after close.
    pub(super) fn closed_error(&self, operation: &str) -> Error {
        let why = match self.failure() {
            Some(failure) => format!("the client is closed: {}", failure.message),
            None => "the client is closed".to_owned(),
        };
        Error::new(Status::Closed, operation, why)
    }

    fn unavailable_error(&self, now: Instant, operation: &str, hint: &str) -> Error {
        let wait = millis(self.reconnection.wait(now));
        let why = self.failure().map_or("the connection was lost", |failure| failure.message.as_str());
        Error::new(
            Status::Unavailable,
            operation,
            format!("not connected: {why}. The next attempt is in {wait} ms; {hint}"),
        )
        .with("next_attempt_in_ms", wait)
        .with("attempts", self.reconnection.attempts())
    }

    /// Writes a call's request onto the wire.
    pub(super) fn write_call(&mut self, now: Instant, id: u64, params: Option<Params<'_>>, meta: &str) {
        let Some(room) = write::room(params.map_or(0, |it| it.text().len()) + meta.len()) else {
            return self.complete(now, id, Err(Error::no_memory_for_call()));
        };
        let cut = self.cut_to_revision(id, params);
        let params = cut.as_ref().map(ParamsBuf::view).or(params);
        let exchange = self.exchanges.begin(Exchange::Call(id));
        let Some(call) = self.calls.sent(id, exchange) else {
            self.exchanges.end(exchange);
            return;
        };
        let (progress, method, feature) = (call.progress, call.method.clone(), call.feature);
        let augmented = call.augmented.then(|| tasks::augmented(params, call.task_ttl));
        let without_tasks = call.task == Some(false);
        let capabilities = call.capabilities.clone();
        let params = augmented.as_ref().map(ParamsBuf::view).or(params);
        let method = match feature {
            Feature::Raw => method,
            Feature::Plain | Feature::AllPages => method::on_the_wire(method, self.era()),
        };
        if !progress
            && !without_tasks
            && capabilities.is_none()
            && meta.is_empty()
            && self.restore.level().is_none()
        {
            return self.send(write::request_in(
                room,
                exchange,
                method,
                params,
                self.handshake.members().text(),
            ));
        }
        let mut members = std::mem::take(&mut self.scratch);
        members.clear();
        self.handshake.members().push(without_tasks, capabilities.as_deref(), &mut members);
        if progress {
            if !members.is_empty() {
                members.push(',');
            }
            members.push_str("\"progressToken\":");
            members.push_str(&id.to_string());
        }
        self.push_log_level(&mut members, meta);
        if !meta.is_empty() {
            if !members.is_empty() {
                members.push(',');
            }
            members.push_str(meta);
        }
        self.send(write::request_in(room, exchange, method, params, &members));
        self.scratch = members;
    }

    /// Sends every call that waited for the connection.
    pub(super) fn send_waiting(&mut self, now: Instant) {
        while let Some((id, stored)) = self.calls.next_waiting() {
            let Some(call) = self.calls.get(id) else { continue };
            let (method, row, retry, feature) = (call.method.clone(), call.row, call.retry, call.feature);
            self.dispatch(now, id, stored.view(), &stored.meta);
            if feature == Feature::AllPages || self.is_kept(&method, row, stored.text(), retry) {
                self.calls.store(id, stored);
            }
        }
    }

    /// Sets the timer for a call's deadline that moved. The entry that it replaces may stand behind sooner ones for long.
    pub(super) fn guard_call(&mut self, id: u64, deadline: Option<Instant>) {
        if let Some(deadline) = deadline {
            self.deadlines.add(deadline, Due::Call(id));
            self.sweep_deadlines();
        }
    }

    /// Whether a request is kept after it was sent: to be sent again if the connection is lost, or because the next
    /// connection must be told the same.
    fn is_kept(&self, method: &str, row: Option<&Method>, params: Option<&str>, retry: Retry) -> bool {
        row.is_some_and(|row| row.is_restored || row.may_ask && self.may_be_asked())
            || self.lists_for_tasks(method)
            || self.may_repeat(method, params, retry)
            || self.settings.wire == Wire::Http
            || self.settings.tool_modes.is_some() && matches!(method, method::TOOLS_CALL | method::TOOLS_LIST)
    }

    /// Whether a request is to be sent again when the connection is lost under it.
    pub(super) fn may_repeat(&self, method: &str, params: Option<&str>, retry: Retry) -> bool {
        retry == Retry::Safe
            && (method::is_safe(method)
                || method == method::TOOLS_CALL && params.is_some_and(|params| self.catalog.is_safe(params)))
    }

    /// Ends a call because the application no longer wants it. Says whether there was one.
    pub fn cancel(&mut self, now: Instant, id: u64, reason: &str) -> bool {
        let Some(call) = self.calls.get(id) else { return false };
        let text = match reason {
            "" => "cancelled by the application".to_owned(),
            reason => format!("cancelled by the application: {reason}"),
        };
        let error = Error::new(Status::Cancelled, call.method.as_ref(), text);
        self.counters.cancelled += 1;
        self.withdraw(id, reason);
        self.complete(now, id, Err(error));
        true
    }

    /// Ends the calls up to one, and the waits for the connection, of those who are meant.
    pub fn cancel_all(&mut self, now: Instant, up_to: u64, is_meant: impl Fn(&T) -> bool, reason: &str) {
        for id in self.calls.ids() {
            if id <= up_to && self.calls.get(id).is_some_and(|call| is_meant(&call.ticket)) {
                self.cancel(now, id, reason);
            }
        }
        while self.cancel_connect(&is_meant, reason) {}
    }

    /// Tells the server that a call's result is no longer wanted.
    pub(super) fn withdraw(&mut self, id: u64, reason: &str) {
        if self.withdraw_task(id) {
            return;
        }
        let Some(exchange) = self.calls.get(id).and_then(|call| call.exchange) else { return };
        // The modern era cancels over HTTP by closing the exchange's stream, which `complete` asks for.
        let by_closing = self.settings.wire == Wire::Http && self.era() == Some(Era::Modern);
        if self.state == State::Ready && !by_closing {
            self.send(write::cancelled(exchange, reason));
            self.orphan(id);
        }
    }

    /// Gives a call its outcome. A call that has ended already is not there any more, so there is never a second one.
    pub(super) fn complete(&mut self, now: Instant, id: u64, mut reply: Reply) {
        let Some(call) = self.calls.end(id) else { return };
        if let Some(exchange) = call.exchange {
            self.end_exchange(exchange);
        }
        self.end_round(id);
        self.pages.forget(id);
        self.held_back.forget(id);
        self.stop_waiting(id);
        self.stop_listing(id);
        let elapsed = now.saturating_duration_since(call.started);
        if let Ok(body) = &reply {
            self.learn(&call, body);
        }
        match &mut reply {
            Ok(_) => {
                self.counters.results += 1;
                self.latencies.record(&call.method, elapsed);
            }
            Err(error) => match error.status {
                Status::Server => self.counters.server_errors += 1,
                Status::Timeout => self.counters.timeouts += 1,
                Status::Transport => self.counters.lost_calls += 1,
                _ => {}
            },
        }
        let task = self.end_task(id);
        if let Err(error) = &mut reply {
            self.say_whether_sent(&call, error, task.is_some());
            if let Some(task) = task {
                error.details.insert("task".to_owned(), task.as_ref().into());
            }
            // The same number stands in the log records of the call.
            error.details.insert("call".to_owned(), id.into());
        }
        let event = if reply.is_ok() { "request.stop" } else { "request.error" };
        if call.sampled {
            self.log(Level::Debug, event, || {
                let status = reply.as_ref().map_or_else(|error| error.status, |_| Status::Ok);
                fields([
                    ("call", id.into()),
                    ("method", call.method.as_ref().into()),
                    ("status", status.as_str().into()),
                    ("elapsed_us", u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX).into()),
                ])
            });
        }
        self.effects.push_back(Effect::Complete { call: id, ticket: call.ticket, reply });
        self.calls.reuse(call.stored);
        if call.stateful {
            self.end_turn(now, id);
        }
    }

    /// Ends every call with the same failure.
    pub(super) fn complete_all(&mut self, now: Instant, error: &Error) {
        for id in self.calls.ids() {
            self.end_call(now, id, error);
        }
        self.calls.sweep_waiting();
    }

    /// Sends a notification.
    ///
    /// # Errors
    /// `UNAVAILABLE` or `CLOSED` when there is no connection to send it on, `INVALID_ARGUMENT` for a method that belongs
    /// to the library.
    pub fn notify(&mut self, now: Instant, method: &str, params: Option<Params<'_>>) -> Result<(), Error> {
        if let Some(reason) = method::reserved(method) {
            let message = format!("'{method}' cannot be sent: {reason}");
            return Err(Error::new(Status::InvalidArgument, method, message));
        }
        match self.state {
            State::Ready => {
                self.send(write::notification(method.to_owned(), params));
                Ok(())
            }
            State::Closing | State::Closed => Err(self.closed_error(method)),
            State::Backoff => Err(self.unavailable_error(now, method, "send it when the state is ready")),
            state => Err(Error::new(
                Status::Unavailable,
                method,
                format!(
                    "a notification needs a ready connection and the client is {}; call mcp_client_connect first",
                    state.as_str()
                ),
            )),
        }
    }
}
