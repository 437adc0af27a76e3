//! The client's application: calls of every kind, cancellations, answers to what servers ask, subscriptions, the end.

use super::calls::{Call, What};
use super::tasks::Following;
use super::world::World;
use crate::engine::server::{Kind, SessionId};
use crate::engine::{CallOptions, CallRequest, Effect, Event, Feature, RequestAnswer, Retry, State, Status};
use crate::protocol::{Era, Params, method};
use serde_json::{Value, json};

/// A change that a subscriber is to hear of.
#[derive(Clone, Debug)]
pub struct Expected {
    method: &'static str,
    uri: Option<String>,
    /// What the client counts when changes may have been missed.
    freshness: u64,
}

impl World {
    pub fn client_effect(&mut self, effect: Effect<u64>) {
        match effect {
            Effect::Open { generation, shape } => match &self.line {
                Some(line) => line.open(generation, shape),
                None => self.open(generation),
            },
            Effect::Send { frame, revision } => {
                let exchange = frame.exchange();
                if let Some(exchange) = exchange {
                    let value: Value = serde_json::from_slice(&frame.text).expect("JSON");
                    self.request_left(exchange, &value);
                }
                match &self.line {
                    Some(line) => line.send(frame, revision),
                    None => self.client_sends(frame.text),
                }
            }
            Effect::Abort { exchange } => self.over_http(|line| line.http.abort(exchange)),
            Effect::Listen { generation } => {
                let revision = self.client().revision().expect("it is agreed on");
                self.over_http(|line| line.http.listen(generation, revision));
            }
            Effect::Complete { ticket, reply, .. } => self.completed(ticket, &reply),
            Effect::Connected { ticket, outcome } => {
                assert!(self.connects.remove(&ticket), "told twice of the connection");
                // Over HTTP the engine may have taken in more than is looked at here.
                let is_ready = self.client().state() == State::Ready || self.line.is_some();
                assert!(outcome.is_err() || is_ready);
            }
            Effect::Emit(event) => self.event(event),
            Effect::Shut { generation } => match &self.line {
                Some(line) => line.http.close(generation, None),
                None => self.shut(generation),
            },
            Effect::Remember(_) | Effect::Log(_) => {}
        }
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::State { to, reason, .. } => {
                self.note(|| format!("the client is {}: {reason}", to.as_str()));
                if to == State::Ready {
                    let modern = self.client().listening().is_some() || self.speaks_modern();
                    self.reach(if modern { "modern" } else { "legacy" });
                    if self.line.as_ref().is_some_and(|line| line.limits.is_sse) {
                        self.reach("HTTP+SSE");
                    }
                }
                self.is_hopeless |= to == State::Closed && !self.is_closed;
            }
            Event::Progress { frame, params, tag, .. } => {
                let text = String::from_utf8_lossy(params.of(&frame)).into_owned();
                let call = self.calls.get(&tag).expect("a call of ours");
                assert!(call.progress && !call.is_over, "progress of {tag}, which wants none");
                // Messages came with 2025-03-26.
                let is_own = text.contains(&format!("\"n{tag}.\"")) || !text.contains("\"message\"");
                assert!(is_own, "{tag} got the progress of another: {text}");
                self.reach("progress");
            }
            Event::Request { frame, method, params, key, .. } => {
                let name: String = serde_json::from_slice(method.of(&frame)).expect("a name");
                let params = params
                    .map_or(Value::Null, |params| serde_json::from_slice(params.of(&frame)).expect("JSON"));
                self.questions.push((key, name, params));
            }
            Event::Notification { frame, method, params } => {
                let name: String = serde_json::from_slice(method.of(&frame)).expect("a name");
                let params = params
                    .map_or(Value::Null, |params| serde_json::from_slice(params.of(&frame)).expect("JSON"));
                self.reach(match name.as_str() {
                    "notifications/message" => "log",
                    "notifications/resources/updated" => "update",
                    _ if name.ends_with("list_changed") => "list changed",
                    _ => "another notification",
                });
                let before = self.expected.len();
                self.expected.retain(|expected| {
                    expected.method != name || expected.uri.as_deref().is_some_and(|uri| params["uri"] != uri)
                });
                if self.line.is_some() && self.expected.len() < before {
                    self.reach("heard over HTTP");
                }
            }
            Event::Task { frame, params, tag, .. } => {
                let params = params.expect("the state of a task");
                let state: Value = serde_json::from_slice(params.of(&frame)).expect("JSON");
                self.task_told(tag, &state);
            }
        }
    }

    fn speaks_modern(&self) -> bool {
        if self.line.is_some() {
            return self.client().revision().is_some_and(|revision| revision.era() == Era::Modern);
        }
        let session = self.session();
        session.is_none_or(|session| !self.confirmed.contains(&session)) && self.client_modern
    }

    /// The session of the newest connection.
    pub fn session(&self) -> Option<SessionId> {
        self.connections.get(&self.client().generation())?.session
    }

    /// A list changes: who may hear of it will.
    pub fn expect_list_change(&mut self, kind: Kind) {
        let (name, member) = match kind {
            Kind::Tool => ("notifications/tools/list_changed", "toolsListChanged"),
            Kind::Prompt => ("notifications/prompts/list_changed", "promptsListChanged"),
            Kind::Resource | Kind::Template => {
                ("notifications/resources/list_changed", "resourcesListChanged")
            }
        };
        let listens = self.client().listening().is_some_and(|granted| granted.contains(member));
        let confirmed = match &self.line {
            Some(_) => self.is_told_over_http(None),
            None => self.session().is_some_and(|session| self.confirmed.contains(&session)),
        };
        self.expect(listens || confirmed, name, None);
    }

    /// A resource changes: who subscribed will hear of it.
    pub fn expect_update(&mut self, uri: &str) {
        let listens = self.client().listening().is_some_and(|granted| granted.contains(uri));
        let subscribes = match &self.line {
            Some(_) => self.is_told_over_http(Some(uri)),
            None => self.session().is_some_and(|it| self.subscriptions.contains(&(it, uri.to_owned()))),
        };
        let wanted = self.subscribed.contains(uri) && (listens || subscribes);
        self.expect(wanted, "notifications/resources/updated", Some(uri.to_owned()));
    }

    fn expect(&mut self, wanted: bool, method: &'static str, uri: Option<String>) {
        let generation = self.client().generation();
        let is_open = self.line.is_some()
            || self.connections.get(&generation).is_some_and(|connection| connection.is_open);
        if wanted && is_open && self.client().state() == State::Ready {
            let freshness = self.client().freshness();
            self.note(|| format!("expected: {method} {uri:?}, {freshness}"));
            self.expected.push(Expected { method, uri, freshness });
        }
    }

    pub fn forget_subscription(&mut self, uri: &str) {
        self.subscribed.remove(uri);
        self.expected.retain(|expected| expected.uri.as_deref() != Some(uri));
    }

    /// Everything that was on its way has arrived: nothing that a subscriber was to hear is missing.
    pub fn check_expected(&mut self) {
        let freshness = self.client().freshness();
        if self.line.is_some() && self.expected.iter().any(|it| it.freshness != freshness) {
            self.reach("missed");
        }
        let missing: Vec<_> = self.expected.iter().filter(|it| it.freshness == freshness).collect();
        assert!(missing.is_empty() || self.client().state() != State::Ready, "never heard of {missing:?}");
    }

    pub fn call(&mut self) {
        let one_page = self.dice.chance(20);
        let kind = *self.dice.pick(&[Kind::Tool, Kind::Resource, Kind::Template, Kind::Prompt]);
        let uri = *self.dice.pick(&["x://one", "x://two"]);
        if self.dice.chance(10)
            && let Some((name, params, what)) = self.task_call()
        {
            return self.make(name, params, what);
        }
        let (name, params, what) = match self.dice.roll(20) {
            0..=6 => {
                let tools = ["first", "first", "first", "safe", "unknown", "task", "task", "long"];
                let tool = *self.dice.pick(&tools);
                ("tools/call", json!({ "name": tool, "arguments": { "a": 1 } }), What::Handled)
            }
            7..=8 => {
                let read = *self.dice.pick(&["x://one", "first://7", "z://"]);
                ("resources/read", json!({ "uri": read }), What::Handled)
            }
            9 => ("prompts/get", json!({ "name": "first" }), What::Handled),
            10..=13 => {
                let name = match kind {
                    Kind::Tool => "tools/list",
                    Kind::Resource => "resources/list",
                    Kind::Template => "resources/templates/list",
                    Kind::Prompt => "prompts/list",
                };
                (name, json!({}), if one_page { What::Page } else { What::List(kind) })
            }
            14..=16 if !self.subscribes_now(uri) => {
                let on = !self.subscribed.contains(uri) || self.dice.chance(30);
                let name = if on { "resources/subscribe" } else { "resources/unsubscribe" };
                (name, json!({ "uri": uri }), What::Subscribe(uri.to_owned(), on))
            }
            17 => ("logging/setLevel", json!({ "level": "debug" }), What::Other),
            18 => ("no/such", json!({}), What::Other),
            _ => ("tools/list", json!({}), What::Page),
        };
        self.make(name, params, what);
    }

    /// A call about this resource's subscription is under way.
    fn subscribes_now(&self, uri: &str) -> bool {
        self.calls
            .values()
            .any(|call| !call.is_over && matches!(&call.what, What::Subscribe(of, _) if of == uri))
    }

    fn make(&mut self, name: &'static str, mut params: Value, what: What) {
        self.tickets += 1;
        let ticket = self.tickets;
        let feature = match &what {
            What::List(_) => Feature::AllPages,
            What::Subscribe(..) | What::Watch(_) => Feature::Plain,
            _ => *self.dice.pick(&[Feature::Plain, Feature::Plain, Feature::Raw]),
        };
        let feature = if name == "logging/setLevel" { Feature::Plain } else { feature };
        let may_be_task = name == "tools/call" && feature == Feature::Plain && self.settings.tasks.is_some();
        let options = CallOptions {
            timeout: self.dice.chance(50).then(|| self.dice.millis(0, 3000)),
            max_total: self.dice.chance(20).then(|| self.dice.millis(0, 5000)),
            reset_on_progress: self.dice.chance(30).then_some(true),
            progress: self.dice.chance(40),
            meta: format!(r#""x/n":{ticket}"#),
            retry: self.dice.chance(40).then(|| *self.dice.pick(&[Retry::Safe, Retry::Never])),
            wait_when_unavailable: self.dice.chance(50).then(|| self.dice.chance(60)),
            feature,
            task: if may_be_task { *self.dice.pick(&[None, None, Some(true), Some(false)]) } else { None },
            task_ttl: self.dice.chance(20).then(|| self.dice.millis(0, 4000)),
            ..CallOptions::default()
        };
        let timeout = options.timeout.unwrap_or(self.settings.timeouts.call);
        let mut total = options.max_total.unwrap_or(self.settings.timeouts.max_total.max(timeout));
        let mut task = None;
        if let What::Watch(of) = &what {
            task = Some(Following::new(of));
            let life = self.settings.tasks.as_ref().map_or(total, |tasks| tasks.life);
            total = if options.max_total.is_some() { total } else { total.max(life) };
        }
        let retry = options.retry.unwrap_or(self.settings.retry);
        let repeats = method::is_safe(name) || params["name"] == "safe";
        if let What::Subscribe(uri, false) = &what {
            self.forget_subscription(uri);
        }
        params["x"] = 1.into();
        let call = Call {
            what,
            method: name,
            id: 0,
            made: self.now,
            step: self.step,
            timeout,
            total,
            safe: retry == Retry::Safe && repeats,
            progress: options.progress,
            has_total: options.max_total.is_some(),
            is_raw: feature == Feature::Raw,
            as_task: false,
            task,
            is_cancelled: false,
            refused_input: false,
            broke_off: false,
            doubled: false,
            is_over: false,
            cuts: self.cuts,
            attempts: self.attempts_failed,
            restarts: self.restarts,
            sent: 0,
            refused: 0,
            runs: Vec::new(),
            answer: None,
        };
        self.note(|| format!("call {ticket} {name} {params} {options:?}"));
        self.calls.insert(ticket, call);
        let text = params.to_string();
        let params = Params::check_of(method::find(name), &text, 128).expect("good parameters");
        let request =
            CallRequest { method: name, params: Some(params), options: &options, ticket, tag: ticket };
        let called = self.client().call(self.now, request);
        match called {
            Ok(id) => {
                if let Some(call) = self.calls.get_mut(&ticket) {
                    call.id = id;
                }
            }
            Err(error) => {
                assert_eq!(error.details["sent"], false);
                let state = self.client().state();
                let fits = match error.status {
                    Status::Closed => matches!(state, State::Closing | State::Closed),
                    Status::Unavailable => state == State::Backoff,
                    Status::Backpressure => self.client().pending() >= self.settings.in_flight,
                    Status::Unsupported => state == State::Ready && self.settings.capability_checks,
                    _ => false,
                };
                assert!(fits, "refused at once as {error}, {state:?}");
                if error.status == Status::Unavailable {
                    self.reach("unavailable");
                }
                self.calls.remove(&ticket);
            }
        }
        assert!(self.client().pending() <= self.settings.in_flight);
        self.pump();
    }

    pub fn cancel(&mut self) {
        let open: Vec<u64> =
            self.calls.iter().filter(|(_, call)| !call.is_over).map(|(ticket, _)| *ticket).collect();
        if open.is_empty() {
            return;
        }
        let ticket = *self.dice.pick(&open);
        let call = self.calls.get_mut(&ticket).expect("it is there");
        call.is_cancelled = true;
        let id = call.id;
        self.note(|| format!("cancel {ticket}"));
        assert!(self.client().cancel(self.now, id, "enough"), "it was under way");
        self.pump();
        assert!(self.calls[&ticket].is_over);
    }

    pub fn connect(&mut self) {
        self.tickets += 1;
        self.connects.insert(self.tickets);
        let limit = self.dice.chance(70).then(|| self.dice.millis(0, 1000));
        self.client().connect(self.now, limit, self.tickets);
        self.pump();
    }

    /// The application answers what a server asked.
    pub fn answer_question(&mut self) {
        if self.questions.is_empty() {
            return;
        }
        let at = self.dice.index(self.questions.len());
        let (key, name, params) = self.questions.swap_remove(at);
        let mark = |text: &Value| text.as_str().unwrap_or_default().to_owned();
        let answer = match name.as_str() {
            "elicitation/create" => {
                json!({ "action": "accept", "content": { "echo": mark(&params["message"]) } })
            }
            "roots/list" => {
                json!({ "roots": [{ "uri": "file:///", "name": mark(&params["_meta"]["x/mark"]) }] })
            }
            _ => json!({ "role": "assistant", "model": "m",
                "content": { "type": "text", "text": mark(&params["messages"][0]["content"]["text"]) } }),
        };
        let refuses = self.dice.roll(10);
        if refuses < 2 {
            // Which call it belongs to stands in the mark; it may end for that.
            let text = params.to_string();
            for (ticket, call) in &mut self.calls {
                // One that watches a task is asked what the task's own call is asked.
                let asked = match &call.what {
                    What::Watch(of) => self.tasks.call_of(of),
                    _ => Some(*ticket),
                };
                call.refused_input |= asked.is_some_and(|asked| text.contains(&format!("n{asked}.")));
            }
        }
        match refuses {
            0 => {
                let _gone = self.client().respond(
                    self.now,
                    key,
                    RequestAnswer::Error { code: 1, message: "no", data: None },
                );
            }
            1 => self.client().abandon(self.now, key),
            _ => {
                // The server may have taken it back, or be gone.
                let _gone = self.client().respond(self.now, key, RequestAnswer::Result(&answer.to_string()));
            }
        }
        self.pump();
        assert!(self.client().unanswered() <= self.settings.server_requests + 32);
    }
}
