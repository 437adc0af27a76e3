//! Requests of clients as messages, and what the application says of them.

use super::serving::Serving;
#[cfg(feature = "auth")]
use super::token_decisions::{Decisions, PendingDecision};
#[cfg(feature = "auth")]
use crate::auth::Secret;
#[cfg(feature = "auth")]
use crate::auth::server::{Denial, Principal, TokenRules};
use crate::engine::server::{
    Answer, ArgumentCheck, AskOutcome, Outcome, RequestId, Responded, Run, Severity, TaskOptions, TaskStart,
};
use crate::engine::{Error, Status};
use crate::runtime::clock;
use crate::runtime::message::{Handler, Message, Serve};
#[cfg(feature = "auth")]
use serde_json::json;
use std::sync::{Arc, Weak};
use std::time::Duration;
#[cfg(feature = "auth")]
use tokio::sync::oneshot;

impl Serving {
    /// The message that a request becomes.
    pub(super) fn request_message(&self, run: Run<Handler>) -> Message {
        let method =
            if run.method.is_empty() { run.extension.as_deref().unwrap_or_default() } else { run.method };
        let by: Weak<dyn Serve> = self.this.clone();
        Message::served(
            self.number,
            run.request.0,
            method,
            run.params,
            run.handler,
            run.check,
            (run.holder, by),
        )
    }

    /// The error of a request that is not answered any more.
    fn over(operation: &str) -> Error {
        Error::new(
            Status::Cancelled,
            operation,
            "the request is over: it was answered, cancelled, or took too long",
        )
    }
}

impl Serve for Serving {
    fn begun(&self, request: u64) {
        self.note_begun(RequestId(request));
    }

    fn respond(&self, request: u64, outcome: Outcome<'_>) -> Result<(), Error> {
        #[cfg(feature = "auth")]
        if Decisions::has_number(request) {
            return self.decisions.respond(request, &outcome);
        }
        let mut inside = self.inside();
        let mut responded = inside.engine.respond(Serving::now(), RequestId(request), outcome);
        if let (Responded::Check(check), Outcome::Result(result)) = (&responded, outcome) {
            // However long it takes, other clients are served meanwhile.
            drop(inside);
            let verdict = check.run(result);
            inside = self.inside();
            let number = RequestId(request);
            responded = inside.engine.respond_checked(Serving::now(), number, result, verdict);
        }
        // What it is told about a task may be due earlier than the thread that drives wakes.
        self.pump_and_wake(inside);
        match responded {
            Responded::Sent => Ok(()),
            // Only results are checked, and this one was.
            Responded::Check(_) => Ok(()),
            Responded::Late => Err(Serving::over("request_respond")),
            Responded::Wrong(what) => Err(Error::new(
                Status::InvalidArgument,
                "request_respond",
                format!("{what}; the client got an internal error"),
            )),
        }
    }

    fn admit(&self, request: u64, check: &ArgumentCheck, params: &str) -> bool {
        let verdict = check.run(params);
        let mut inside = self.inside();
        let is_admitted = inside.engine.arguments_checked(Serving::now(), RequestId(request), verdict);
        self.pump_and_wake(inside);
        is_admitted
    }

    fn progress(&self, request: u64, value: f64, total: Option<f64>, message: Option<&str>) -> bool {
        let mut inside = self.inside();
        let sent = inside.engine.progress(Serving::now(), RequestId(request), value, total, message);
        // It may wait for its time.
        self.pump_and_wake(inside);
        sent
    }

    fn log(&self, request: u64, severity: Severity, logger: Option<&str>, data: &str) -> bool {
        let mut inside = self.inside();
        let sent = inside.engine.log(Serving::now(), RequestId(request), severity, logger, data);
        self.pump_and_wake(inside);
        sent
    }

    fn ask(&self, request: u64, key: &str, method: &str, params: &str) -> Result<Option<Answer>, Error> {
        let mut inside = self.inside();
        let asked = inside.engine.ask(RequestId(request), key, method, params);
        drop(inside);
        match asked {
            AskOutcome::Answered(answer) => Ok(Some(answer)),
            AskOutcome::Pending => Ok(None),
            AskOutcome::Unsupported(missing) => Err(Error::new(
                Status::Unsupported,
                "request_ask",
                format!("the client does not say that it can answer '{method}'"),
            )
            .with("missing", serde_json::from_str::<serde_json::Value>(&missing).unwrap_or_default())),
            AskOutcome::Refused(why) => Err(Error::new(Status::InvalidArgument, "request_ask", why)),
            AskOutcome::Gone => Err(Serving::over("request_ask")),
        }
    }

    fn set_state(&self, request: u64, state: &str) -> bool {
        self.inside().engine.set_state(RequestId(request), state)
    }

    fn state(&self, request: u64) -> Option<String> {
        self.inside().engine.state(RequestId(request)).map(str::to_owned)
    }

    fn is_under_way(&self, request: u64) -> bool {
        #[cfg(feature = "auth")]
        if Decisions::has_number(request) {
            return self.decisions.is_waiting(request);
        }
        self.inside().engine.is_under_way(RequestId(request))
    }

    fn holder(&self, request: u64) -> Option<u64> {
        self.inside().engine.holder_of(RequestId(request))
    }

    fn context(&self, request: u64) -> Option<String> {
        self.inside().engine.describe_request(RequestId(request), clock::now())
    }

    fn client_has(&self, request: u64, name: &str) -> Option<bool> {
        self.inside().engine.client_has(RequestId(request), name)
    }

    fn start_task(&self, request: u64, options: TaskOptions<'_>) -> Result<(), Error> {
        let mut inside = self.inside();
        let started = inside.engine.start_task(Serving::now(), RequestId(request), options);
        self.pump_and_wake(inside);
        let refused = |status, what| Err(Error::new(status, "request_start_task", what));
        match started {
            TaskStart::Task => Ok(()),
            TaskStart::Unsupported(why) => refused(Status::Unsupported, why),
            TaskStart::Full(what) => refused(Status::Backpressure, what),
            TaskStart::Gone => Err(Serving::over("request_start_task")),
        }
    }

    fn close_stream(&self, request: u64, retry: Option<Duration>) -> Result<bool, Error> {
        let inside = self.inside();
        if !inside.engine.is_under_way(RequestId(request)) {
            return Err(Serving::over("request_close_stream"));
        }
        let stream = inside.engine.stream_to_leave(RequestId(request));
        let is_ended = stream.is_some_and(|stream| inside.close_stream(stream, retry));
        drop(inside);
        #[cfg(all(feature = "http", feature = "store"))]
        self.write_events();
        Ok(is_ended)
    }

    fn dropped(&self, request: u64) {
        #[cfg(feature = "auth")]
        if Decisions::has_number(request) {
            return self.decisions.dropped(request);
        }
        let mut inside = self.inside();
        if !inside.engine.is_under_way(RequestId(request)) {
            // It was answered, as most are. What it held others may wait for.
            if inside.engine.released(RequestId(request)) {
                self.pump_and_wake(inside);
            }
            return;
        }
        inside.engine.dropped(Serving::now(), RequestId(request));
        // It may have asked a question, which is due at its own time.
        self.pump_and_wake(inside);
    }

    fn run_callback(&self, callback: Arc<dyn Fn() + Send + Sync>) {
        self.callbacks.run(callback);
    }
}

#[cfg(feature = "auth")]
/// Takes the question back when its answer is not wanted any more.
struct OpenDecision<'a>(&'a Serving, u64);

#[cfg(feature = "auth")]
impl Drop for OpenDecision<'_> {
    fn drop(&mut self) {
        self.0.decisions.dropped(self.1);
        // If the application has not seen it, it never will; else its answer is late.
        drop(self.0.queue.take_back(self.0.number, self.1));
    }
}

#[cfg(feature = "auth")]
impl Serving {
    /// Asks the application about a token.
    pub(super) async fn ask_about_token(
        &self,
        token: &Secret,
        rules: &Arc<TokenRules>,
        time: Duration,
    ) -> Result<Principal, Denial> {
        let (sender, receiver) = oneshot::channel();
        let params = json!({ "token": token.expose(), "audiences": rules.audiences }).to_string();
        if !self.queue.has_room_for_request(params.len()) {
            let text = "server busy: the request queue is full (limits.queue_bytes)";
            return Err(Denial::Unavailable(text.to_owned()));
        }
        let number = self.decisions.add(PendingDecision { rules: Arc::clone(rules), sender });
        let open = OpenDecision(self, number);
        let by: Weak<dyn Serve> = self.this.clone();
        let ready = self.queue.push(Message::token(self.number, number, &params, by), None);
        if let Some(ready) = ready {
            self.callbacks.run(ready);
        }
        let answer = tokio::time::timeout(time, receiver).await;
        drop(open);
        match answer {
            Ok(Ok(verdict)) => verdict,
            Ok(Err(_)) => Err(Denial::Unavailable("the application gave no answer".to_owned())),
            Err(_) => {
                let text = format!(
                    "the application did not answer within {} ms (auth.timeout_ms)",
                    time.as_millis()
                );
                Err(Denial::Unavailable(text))
            }
        }
    }
}
