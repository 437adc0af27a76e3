//! Calls: made, sent, cancelled; what a call of a feature means on the connection at hand: whether the server has it, what stands
//! for it on the wire of this era, and what needs no wire at all.

use crate::engine::client::calls::{self, CallRequest, Feature, PendingCall, StoredRequest};
use crate::engine::client::deadlines::Due;
use crate::engine::client::effect::{Effect, Reply, ResultBody, State};
use crate::engine::client::exchanges::Exchange;
use crate::engine::client::settings::{Retry, Wire};
use crate::engine::client::traced_call::TracedCall;
use crate::engine::client::{Engine, tasks};
use crate::engine::{Error, Level, Status, fields, millis};
use crate::json;
use crate::protocol::method::{self, Method};
use crate::protocol::task::Form;
use crate::protocol::{Era, Params, ParamsBuf, Revision, capability, error_code, meta, write};
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
        if let Some(error) = self.refused_by_tool_filter(method, request.params) {
            return Err(error);
        }
        if let Some(error) = self.refused_by_tool_modes(method, request.params, &options.meta) {
            return Err(error);
        }
        let timeout = options.timeout.unwrap_or_else(|| self.settings.timeout_of(method));
        let total = options.max_total.unwrap_or(self.settings.timeouts.max_total.max(timeout));
        let latest = now + total;
        let deadline = (now + timeout).min(latest);
        let ready = self.state == State::Ready;
        let retry = options.retry.unwrap_or(self.settings.retry);
        if retry == Retry::Safe {
            self.catalog.use_definitions();
        }
        let traced = match &mut self.tracer {
            None => None,
            Some(tracer) => {
                let trace = (&*options.meta, options.parent_length);
                TracedCall::begin(tracer, now, (method, request.params), trace)
            }
        };
        let replaced = if traced.is_some() { options.parent_length } else { 0 };
        let meta = options.meta.get(replaced..).unwrap_or_default();
        // With many under way the server may have no place for this one.
        let keep = !ready
            || self.calls.len() >= calls::MANY
            || self.held_back.is_any()
            || options.feature == Feature::AllPages
            || self.must_be_stored(method, row, request.params.map(|params| params.text()), retry);
        let stored = match (keep, request.params) {
            (false, _) => None,
            (true, None) => Some(StoredRequest { params: None, meta: meta.into() }),
            (true, Some(params)) => {
                let params = self.calls.keep(params).ok_or_else(Error::no_memory_for_call)?;
                Some(StoredRequest { params: Some(params), meta: meta.into() })
            }
        };
        self.counters.calls += 1;
        let sampled = self.draw_sample();
        let call = PendingCall {
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
            relisted: false,
            #[cfg(feature = "draft")]
            expects: None,
            renewed: false,
            in_parts: false,
            stateful: false,
            queued: false,
            sampled,
            traced,
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
        if self.queue_behind_held_back(id) {
            // It goes out as others end.
        } else if ready {
            self.dispatch(now, id, request.params, meta);
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
                    "call limit reached: {bound} calls are in progress (limits.in_flight); wait for one to end or raise the limit"
                ),
            )
            .with("in_flight", bound));
        }
        Ok(())
    }

    /// The error of a call made after close.
    pub(crate) fn closed_error(&self, operation: &str) -> Error {
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
    pub(crate) fn write_call(&mut self, now: Instant, id: u64, params: Option<Params<'_>>, meta: &str) {
        #[cfg(feature = "draft")]
        let more = match self.settings.draft.is_any() {
            true => self.meta_of_drafts(id, params, meta),
            false => None,
        };
        #[cfg(feature = "draft")]
        let meta = more.as_deref().unwrap_or(meta);
        let bytes =
            params.map_or(0, |it| it.text().len()) + self.handshake.members().text().len() + meta.len();
        let Some(room) = write::room(bytes) else {
            return self.complete(now, id, Err(Error::no_memory_for_call()));
        };
        let cut = self.params_for_revision(id, params);
        let params = cut.as_ref().map(ParamsBuf::view).or(params);
        let exchange = self.exchanges.begin(Exchange::Call(id));
        let trace = match self.tracer {
            None => None,
            Some(_) => self.trace_request(now, id, exchange, meta),
        };
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
            && trace.is_none()
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
        #[cfg(feature = "draft")]
        self.drop_general_language(&mut members, meta);
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
        if let Some(context) = trace {
            if !members.is_empty() {
                members.push(',');
            }
            context.push_member(&mut members);
        }
        self.send(write::request_in(room, exchange, method, params, &members));
        self.scratch = members;
    }

    /// Sends every call that waited for the connection.
    pub(crate) fn send_waiting(&mut self, now: Instant) {
        while let Some((id, stored)) = self.calls.next_waiting() {
            let Some(call) = self.calls.get(id) else { continue };
            let (method, row, retry, feature) = (call.method.clone(), call.row, call.retry, call.feature);
            self.dispatch(now, id, stored.view(), &stored.meta);
            if feature == Feature::AllPages || self.must_be_stored(&method, row, stored.text(), retry) {
                self.calls.store(id, stored);
            }
        }
    }

    /// Sets the timer for a call's deadline that moved. The stale entry is swept later.
    pub(crate) fn guard_call(&mut self, id: u64, deadline: Option<Instant>) {
        if let Some(deadline) = deadline {
            self.deadlines.add(deadline, Due::Call(id));
            self.sweep_deadlines();
        }
    }

    /// Whether a request is kept after it was sent: to be sent again if the connection is lost, or because the next
    /// connection must be told the same.
    fn must_be_stored(&self, method: &str, row: Option<&Method>, params: Option<&str>, retry: Retry) -> bool {
        #[cfg(feature = "draft")]
        if self.keeps_for_digests(method) {
            return true;
        }
        row.is_some_and(|row| row.is_restored || row.may_ask && self.may_be_asked())
            || self.lists_for_tasks(method)
            || self.may_repeat(method, params, retry)
            || self.settings.wire == Wire::Http
            || self.settings.tool_modes.is_some() && matches!(method, method::TOOLS_CALL | method::TOOLS_LIST)
    }

    /// Whether a request is to be sent again when the connection is lost under it.
    pub(crate) fn may_repeat(&self, method: &str, params: Option<&str>, retry: Retry) -> bool {
        retry == Retry::Safe
            && (method::is_safe(method)
                || method == method::TOOLS_CALL && params.is_some_and(|params| self.catalog.is_safe(params)))
    }

    /// Whether a call is under way.
    pub fn is_pending(&self, id: u64) -> bool {
        self.calls.get(id).is_some()
    }

    /// Cancels a call for the application. Returns whether there was one.
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
    pub(crate) fn withdraw(&mut self, id: u64, reason: &str) {
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

    /// Gives a call its outcome. A call that has ended is not in the table any more, so it never gets a second one.
    pub(crate) fn complete(&mut self, now: Instant, id: u64, mut reply: Reply) {
        let Some(mut call) = self.calls.end(id) else { return };
        if let Some(exchange) = call.exchange {
            self.end_exchange(exchange);
        }
        debug_assert!(call.in_parts || !self.has_in_parts(id), "a part keeps something of call {id}");
        if call.in_parts {
            self.end_round(id);
            self.pages.forget(id);
            self.held_back.forget(id);
            self.stop_waiting(id);
            self.stop_listing(id);
        }
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
        let task = if call.in_parts { self.end_task(id) } else { None };
        if let Err(error) = &mut reply {
            self.mark_sent_and_retryable(&call, error, task.is_some());
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
        if let Some(traced) = call.traced.take() {
            self.trace_outcome(now, *traced, &reply);
        }
        self.effects.push_back(Effect::Complete { call: id, ticket: call.ticket, reply });
        self.calls.reuse(call.stored);
        if call.stateful {
            self.end_turn(now, id);
        }
    }

    /// Whether a part beside the tables of calls and exchanges has something of a call.
    fn has_in_parts(&self, id: u64) -> bool {
        self.rounds.holds(id)
            || self.urls.holds(id)
            || self.pages.holds(id)
            || self.held_back.holds(id)
            || self.streams.holds(id)
            || self.catalog.awaits(id)
            || self.tasks.holds(id)
    }

    /// Ends every call with the same failure.
    pub(crate) fn complete_all(&mut self, now: Instant, error: &Error) {
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
        if method == method::TOOLS_CALL && !self.settings.tools.allows_all() {
            let message = "a tool is called with a request, not a notification, where the tools that may be used are limited \
                           (allow_tools, deny_tools); nothing was sent";
            return Err(Error::new(Status::InvalidArgument, method, message));
        }
        match self.state {
            State::Ready => {
                self.send_notification(now, method, params);
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

impl<T> Engine<T> {
    /// What a call is about, if it is about what servers have and do not say so, and the server did not say that it has any.
    fn undeclared_feature(&self, id: u64) -> Option<&'static str> {
        let call = self.calls.get(id).filter(|call| call.feature != Feature::Raw)?;
        let feature = call.row?.asked_anyway()?;
        (!self.handshake.declares(feature)).then_some(feature.name())
    }

    /// A call was answered. Servers have tools, resources and prompts and do not say so.
    pub(crate) fn note_undeclared(&mut self, id: u64, frame: &[u8]) {
        let is_undeclared = self.undeclared_feature(id).is_some();
        self.tolerate(is_undeclared, frame);
    }

    /// The error of a call that the server does not know, for a feature that it did not declare.
    pub(crate) fn undeclared(&self, id: u64, code: i64, message: &str) -> Option<Error> {
        let is_checked = self.settings.capability_checks && code == error_code::METHOD_NOT_FOUND;
        let feature = self.undeclared_feature(id).filter(|_| is_checked)?;
        let called = self.calls.get(id)?.method.as_ref();
        let what = format!(
            "the server has no {feature}: it did not declare the capability '{feature}', and says: {message} (code {code})"
        );
        Some(Error::new(Status::Unsupported, called, what).with("capability", feature))
    }

    /// The error of a call whose feature the server does not have.
    pub(crate) fn lacking(&self, called: &str, feature: Feature, as_task: Option<bool>) -> Option<Error> {
        if feature == Feature::Raw || !self.settings.capability_checks {
            return None;
        }
        let revision = self.revision()?;
        // What servers have and do not say so is asked for: the answer tells.
        let is_asked_anyway = method::find(called).is_some_and(|row| row.asked_anyway().is_some());
        let needed = if is_asked_anyway { None } else { method::needed_server_capability(called, revision) };
        if needed.is_none() && as_task != Some(true) {
            return None;
        }
        let as_task = (as_task == Some(true)).then(|| tasks::required_task_capability(revision));
        let capabilities = self.handshake.capabilities();
        let lacks = |(pointer, _): &(&str, &str)| !capability::server_has(capabilities, pointer);
        let Some((pointer, what)) = needed.into_iter().chain(as_task).find(lacks) else {
            let spoken = revision.as_str();
            return (as_task.is_some() && Form::at(revision).is_none()).then(|| {
                let what =
                    format!("the server declares tasks, which the revision spoken, {spoken}, does not have");
                let message = format!("{what}; nothing was sent");
                Error::new(Status::Unsupported, called, message).with("revision", spoken)
            });
        };
        let name = pointer.trim_start_matches('/').replace('/', ".").replace("~1", "/");
        Some(
            Error::new(
                Status::Unsupported,
                called,
                format!(
                    "the server has no {what}: it did not declare the capability '{name}'. Nothing was sent; with \
                     capability_checks false it is asked all the same"
                ),
            )
            .with("capability", name)
            .with("revision", revision.as_str()),
        )
    }

    /// Sends a call on the connection, or does what stands for it there.
    pub(crate) fn dispatch(&mut self, now: Instant, id: u64, params: Option<Params<'_>>, meta: &str) {
        let Some(call) = self.calls.get(id) else { return };
        let feature = call.feature;
        if feature != Feature::Raw {
            let called = call.method.clone();
            if !self.translate_feature(now, id, feature, &called, params) {
                return;
            }
        }
        let tool = params.map(|params| params.text());
        if !self.waits_for_tool_list(now, id, tool)
            && self.decide_task(now, id, params)
            && self.takes_turn(now, id, tool)
        {
            self.write_call(now, id, params, meta);
        }
    }

    /// Does what a feature needs before anything is sent. Says whether it is to be sent.
    fn translate_feature(
        &mut self,
        now: Instant,
        id: u64,
        feature: Feature,
        called: &str,
        params: Option<Params<'_>>,
    ) -> bool {
        let as_task = self.calls.get(id).and_then(|call| call.task);
        if let Some(error) = self.lacking(called, feature, as_task) {
            self.complete(now, id, Err(error));
            return false;
        }
        if self.era() == Some(Era::Modern) && called == method::SET_LEVEL {
            // The modern era keeps no level on the server: each request says it from here on.
            if let Some(params) = params {
                self.restore.note(method::SET_LEVEL, params.text());
            }
            self.complete(now, id, Ok(ResultBody::empty()));
            return false;
        }
        if called == method::TASKS_RESULT {
            self.watch_task(now, id, params.map_or("{}", |params| params.text()));
            return false;
        }
        if self.era() == Some(Era::Modern) && matches!(called, method::SUBSCRIBE | method::UNSUBSCRIBE) {
            self.subscribe(now, id, called, params.map_or("{}", |params| params.text()));
            return false;
        }
        true
    }

    /// The parameters of a feature's call without what this revision does not know, if there is anything of that in them: up
    /// to 2025-03-26 a completion has no `context`.
    fn params_for_revision(&self, id: u64, params: Option<Params<'_>>) -> Option<ParamsBuf> {
        if self.revision().is_none_or(|revision| revision >= Revision::V2025_06_18) {
            return None;
        }
        let call = self.calls.get(id)?;
        if call.feature == Feature::Raw || call.method != method::COMPLETE {
            return None;
        }
        let params = params?.text();
        json::member(params, "context")?;
        let mut cut = String::from("{");
        for (name, value) in json::members(params).filter(|(name, _)| *name != "context") {
            if cut.len() > 1 {
                cut.push(',');
            }
            cut.push('"');
            cut.push_str(name);
            cut.push_str("\":");
            cut.push_str(value);
        }
        cut.push('}');
        Some(ParamsBuf::written(method::COMPLETE, cut))
    }

    /// Adds the log level that the application set to a modern request's metadata, unless the call brings its own.
    fn push_log_level(&self, members: &mut String, meta: &str) {
        if self.era() != Some(Era::Modern) {
            return;
        }
        let Some(level) = self.restore.level().and_then(|params| json::member(params, "level")) else {
            return;
        };
        if !meta.is_empty() && json::member(&format!("{{{meta}}}"), meta::LOG_LEVEL).is_some() {
            return;
        }
        if !members.is_empty() {
            members.push(',');
        }
        json::quote_into(meta::LOG_LEVEL, members);
        members.push(':');
        members.push_str(level);
    }

    /// A number for a call that needs no server.
    pub fn number(&mut self) -> u64 {
        self.calls.number()
    }

    /// Whether calls may be made.
    pub fn is_open(&self) -> bool {
        !matches!(self.state, State::Closing | State::Closed)
    }

    /// Sets the answer to `roots/list` and tells a server that can be told.
    ///
    /// # Errors
    /// `UNSUPPORTED` when the capability was not declared, so that no server will ask.
    pub fn set_roots(&mut self, roots: String) -> Result<(), Error> {
        let Some(declared) = self.settings.capabilities.get("roots") else {
            return Err(Error::new(
                Status::Unsupported,
                "set_roots",
                "this client has not declared roots, so no server asks for them; give 'roots' in the config, [] for none \
                 at first",
            ));
        };
        let announces = declared.get("listChanged") == Some(&serde_json::Value::Bool(true));
        self.settings.roots = Some(roots);
        if announces && self.state == State::Ready && self.era() == Some(Era::Legacy) {
            self.send(write::notification(method::ROOTS_CHANGED, None));
        }
        Ok(())
    }
}
