//! The applications of both sides: what the client's calls, and what the handlers of the server answer.

use super::calls::{CallKind, CallRecord, FollowedTask};
use super::world::Simulation;
use crate::engine::server::{
    AskOutcome, Kind, Outcome, OutgoingKind, RequestId, Responded, Run, SessionId, Severity, Withdrawn,
};
use crate::engine::{
    CallOptions, CallRequest, Effect, Event, Feature, RequestAnswer, Retry, State, Status, server,
};
use crate::protocol::{Era, Params, method};
use crate::runtime::message::Handler;
use serde_json::{Value, json};

/// A change that a subscriber is to hear of.
#[derive(Clone, Debug)]
pub struct ExpectedNotice {
    method: &'static str,
    uri: Option<String>,
    /// What the client counts when changes may have been missed.
    freshness: u64,
}

impl Simulation {
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
            Effect::Remember(_) | Effect::Log(_) | Effect::Traced(_) => {}
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
            self.expected.push(ExpectedNotice { method, uri, freshness });
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
                ("tools/call", json!({ "name": tool, "arguments": { "a": 1 } }), CallKind::Handled)
            }
            7..=8 => {
                let read = *self.dice.pick(&["x://one", "first://7", "z://"]);
                ("resources/read", json!({ "uri": read }), CallKind::Handled)
            }
            9 => ("prompts/get", json!({ "name": "first" }), CallKind::Handled),
            10..=13 => {
                let name = match kind {
                    Kind::Tool => "tools/list",
                    Kind::Resource => "resources/list",
                    Kind::Template => "resources/templates/list",
                    Kind::Prompt => "prompts/list",
                };
                (name, json!({}), if one_page { CallKind::Page } else { CallKind::List(kind) })
            }
            14..=16 if !self.subscribes_now(uri) => {
                let on = !self.subscribed.contains(uri) || self.dice.chance(30);
                let name = if on { "resources/subscribe" } else { "resources/unsubscribe" };
                (name, json!({ "uri": uri }), CallKind::Subscribe(uri.to_owned(), on))
            }
            17 => ("logging/setLevel", json!({ "level": "debug" }), CallKind::Other),
            18 => ("no/such", json!({}), CallKind::Other),
            _ => ("tools/list", json!({}), CallKind::Page),
        };
        self.make(name, params, what);
    }

    /// A call about this resource's subscription is under way.
    fn subscribes_now(&self, uri: &str) -> bool {
        self.calls
            .values()
            .any(|call| !call.is_over && matches!(&call.what, CallKind::Subscribe(of, _) if of == uri))
    }

    fn make(&mut self, name: &'static str, mut params: Value, what: CallKind) {
        self.tickets += 1;
        let ticket = self.tickets;
        let feature = match &what {
            CallKind::List(_) => Feature::AllPages,
            CallKind::Subscribe(..) | CallKind::Watch(_) => Feature::Plain,
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
        if let CallKind::Watch(of) = &what {
            task = Some(FollowedTask::new(of));
            let life = self.settings.tasks.as_ref().map_or(total, |tasks| tasks.life);
            total = if options.max_total.is_some() { total } else { total.max(life) };
        }
        let retry = options.retry.unwrap_or(self.settings.retry);
        let repeats = method::is_safe(name) || params["name"] == "safe";
        if let CallKind::Subscribe(uri, false) = &what {
            self.forget_subscription(uri);
        }
        params["x"] = 1.into();
        let call = CallRecord {
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
                    CallKind::Watch(of) => self.tasks.call_of(of),
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

/// A request that a handler worked on: how often the server was started again before it, and its number since then.
pub type RequestKey = (u64, RequestId);

/// A handler at work.
#[derive(Clone, Debug)]
pub struct Running {
    pub request: RequestId,
    pub ticket: u64,
    method: String,
    /// Its end is the end of its connection (HTTP, modern era).
    pub is_modern: bool,
    /// Its client is being asked.
    pub waits: bool,
    /// It works on a task.
    pub is_task: bool,
    progress: f64,
}

impl Simulation {
    /// A message arrives at the server.
    pub fn server_reads(&mut self, generation: u64, session: SessionId, frame: &Value) {
        if frame["method"] == "notifications/initialized" {
            self.confirmed.insert(session);
        }
        if let (Some(id), "resources/subscribe" | "resources/unsubscribe") =
            (frame["id"].as_u64(), frame["method"].as_str().unwrap_or_default())
        {
            let uri = frame["params"]["uri"].as_str().expect("a URI").to_owned();
            let on = frame["method"] == "resources/subscribe";
            self.subscribing.insert((session, id), (uri, on));
        }
        if let Some(id) = frame["id"].as_u64().filter(|_| frame.get("method").is_some()) {
            assert!(self.requested.insert((generation, id)), "the request {id} twice");
        }
    }

    pub fn server_effect(&mut self, effect: server::Effect<Handler>) {
        match effect {
            server::Effect::Send { to, frame, sent } => {
                let value: Value = serde_json::from_slice(&frame).expect("JSON");
                match sent {
                    OutgoingKind::Answer(code) => {
                        if let Some(id) = value["id"].as_u64() {
                            assert!(
                                self.replied.insert((to.session, id)),
                                "the request {id} is answered twice"
                            );
                            if let Some((uri, on)) = self.subscribing.remove(&(to.session, id))
                                && code.is_none()
                            {
                                match on {
                                    true => drop(self.subscriptions.insert((to.session, uri))),
                                    false => drop(self.subscriptions.remove(&(to.session, uri))),
                                }
                            }
                        } else {
                            assert!(code.is_some(), "an answer to nothing: {value}");
                        }
                    }
                    OutgoingKind::Request => self.reach("question"),
                    OutgoingKind::Notification => assert!(value.get("id").is_none()),
                }
                self.server_sends(to, &frame);
            }
            server::Effect::Run(run) => {
                let Run { request, method, params, round, .. } = *run;
                self.run(request, method, &params, round, false);
            }
            server::Effect::Withdrawn { request, why, .. } => self.withdrawn(request, why),
            server::Effect::Claim { .. } | server::Effect::Store { .. } => panic!("no store is shared"),
            server::Effect::Called { .. } => panic!("the application made no call"),
            server::Effect::RootsChanged(_)
            | server::Effect::Ended(_)
            | server::Effect::Notified { .. }
            | server::Effect::Joined(_)
            | server::Effect::Subscriptions
            | server::Effect::LevelSet(_)
            | server::Effect::Traced(_)
            | server::Effect::Untraced
            | server::Effect::Record { .. } => {}
        }
    }

    /// A request is not wanted any more.
    pub fn withdrawn(&mut self, request: RequestId, why: Withdrawn) {
        self.reach("withdrawn");
        let at = self.running.iter().position(|running| running.request == request);
        let ended = self
            .running
            .swap_remove(at.unwrap_or_else(|| panic!("{request:?} is withdrawn and does not run")));
        self.note(|| format!("withdrawn: {ended:?}, {why:?}"));
        // Its handler is slow, and answers all the same.
        let late = self.server(|server, now| server.respond(now, request, Outcome::Failure("late")));
        assert_eq!(late, Responded::Late);
        self.reached.extend((why == Withdrawn::Deadline && ended.is_task).then_some("task expired"));
        let is_wanted = self.calls.get(&ended.ticket).is_some_and(|call| !call.is_over);
        if why == Withdrawn::Cancelled && is_wanted && !self.is_ended_by_client(ended.ticket) {
            // Only a stream that broke off says so of a call that goes on.
            assert!(self.cuts > 0, "the server took back what the client waits for: {}", ended.ticket);
        }
    }

    /// A handler begins, or goes on with what its client answered.
    pub fn run(&mut self, request: RequestId, method: &str, params: &str, round: u32, is_modern: bool) {
        let params: Value = serde_json::from_str(params).expect("JSON");
        let ticket = params["_meta"]["x/n"].as_u64().expect("a call of ours");
        self.note(|| format!("run {ticket} round {round}"));
        self.handler_runs(ticket, round);
        let waiting = self.running.iter().position(|running| running.request == request);
        match waiting {
            Some(at) => {
                assert!(self.running[at].waits, "its handler runs already");
                self.running[at].waits = false;
            }
            None => self.running.push(Running {
                request,
                ticket,
                method: method.to_owned(),
                is_modern,
                waits: false,
                is_task: false,
                progress: 0.0,
            }),
        }
        if round == 0 || self.calls[&ticket].doubled {
            return;
        }
        self.reach("input round");
        let asker = (self.restarts, request);
        if waiting.is_none() {
            let before = self.asking[&ticket];
            let (asked, state) = (self.asked.remove(&before), self.states.remove(&before));
            self.asked.extend(asked.map(|asked| (asker, asked)));
            self.states.extend(state.map(|state| (asker, state)));
            self.asking.insert(ticket, asker);
        }
        // What was asked before is known now, and what was kept is there.
        for (key, name) in self.asked.get(&asker).cloned().unwrap_or_default() {
            let heard =
                self.server(|server, _| server.ask(request, &key, name, &question(ticket, &key, name)));
            match heard {
                AskOutcome::Answered(server::Answer::Result(text)) => {
                    let mark = format!("n{ticket}.{key}");
                    assert!(text.contains(&mark) || text.starts_with(r#"{"roots":[]"#), "{mark} got {text}");
                }
                AskOutcome::Answered(server::Answer::Failed(_)) => {}
                other => panic!("the question {key} of {ticket} was answered, but: {other:?}"),
            }
        }
        if let Some(kept) = self.states.get(&asker) {
            let kept = kept.clone();
            let state = self.server(|server, _| server.state(request).map(str::to_owned));
            assert_eq!(state, Some(kept), "the state of {ticket}");
            self.reach("state");
        }
    }

    /// A handler does something.
    pub fn work(&mut self, answers: bool) {
        let ready: Vec<usize> = (0..self.running.len()).filter(|at| !self.running[*at].waits).collect();
        if ready.is_empty() {
            return;
        }
        let at = *self.dice.pick(&ready);
        let Running { request, ticket, method, progress, .. } = self.running[at].clone();
        self.running[at].is_task = self.server(|server, _| server.is_task(request));
        match if answers { 9 } else { self.dice.roll(15) } {
            0..=2 => self.ask(at),
            12..=14 if self.settings.tasks.is_some() => self.start_task(request),
            3 => {
                let value = progress + 1.0;
                self.running[at].progress = value;
                let text = format!("n{ticket}.");
                self.server(|server, now| server.progress(now, request, value, None, Some(&text)));
            }
            4 => {
                let text = format!("\"n{ticket}.\"");
                self.server(|server, now| server.log(now, request, Severity::Error, None, &text));
            }
            5 => {
                self.running.swap_remove(at);
                let outcome = Outcome::Error { code: 7, message: "no", data: None };
                self.answer(request, outcome);
            }
            _ => {
                self.running.swap_remove(at);
                let text = format!("n{ticket}.");
                let result = match method.as_str() {
                    "tools/call" => json!({ "content": [{ "type": "text", "text": text }] }),
                    "resources/read" => json!({ "contents": [{ "uri": "x://", "text": text }] }),
                    _ => {
                        json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": text } }] })
                    }
                };
                self.answers.insert(ticket);
                self.answer(request, Outcome::Result(&result.to_string()));
            }
        }
        self.pump();
    }

    fn answer(&mut self, request: RequestId, outcome: Outcome<'_>) {
        let responded = self.server(|server, now| server.respond(now, request, outcome));
        assert_eq!(responded, Responded::Sent);
        self.let_go(request);
    }

    fn ask(&mut self, at: usize) {
        let Running { request, ticket, .. } = self.running[at];
        let asker = (self.restarts, request);
        let mut pending = false;
        for _ in 0..=self.dice.roll(2) {
            self.serial += 1;
            let key = format!("k{}", self.serial);
            let name = *self.dice.pick(&["elicitation/create", "sampling/createMessage", "roots/list"]);
            match self.server(|server, _| server.ask(request, &key, name, &question(ticket, &key, name))) {
                AskOutcome::Pending => {
                    self.asked.entry(asker).or_default().push((key, name));
                    self.asking.insert(ticket, asker);
                    pending = true;
                }
                AskOutcome::Unsupported(_) | AskOutcome::Refused(_) => {}
                other => panic!("a question of {ticket}: {other:?}"),
            }
        }
        if !pending {
            return;
        }
        if self.dice.chance(50) {
            let state = format!("s{}", self.serial);
            assert!(self.server(|server, _| server.set_state(request, &state)));
            self.states.insert(asker, state);
        }
        self.running[at].waits = true;
        self.server(|server, now| server.returned(now, request));
        self.let_go(request);
        if !self.server(|server, _| server.is_under_way(request)) {
            // The request is answered with the questions, and comes again with the answers.
            self.running.swap_remove(at);
        }
    }

    /// The server offers something else, or says that a resource has changed.
    pub fn change(&mut self) {
        let kind = *self.dice.pick(&[Kind::Tool, Kind::Tool, Kind::Resource, Kind::Template, Kind::Prompt]);
        let present = self.catalog.present(kind);
        match self.dice.roll(4) {
            0 if present.len() > 1 => {
                let name = self.dice.pick(&present).clone();
                // What the application uses by name stays.
                if !matches!(name.as_str(), "safe" | "first" | "one" | "two" | "task" | "long") {
                    self.withdraw_offer(kind, &name);
                }
            }
            0 | 1 if present.len() < 9 => {
                self.serial += 1;
                let name = format!("a{}", self.serial);
                self.offer(kind, &name, false);
            }
            2 => {
                self.server(|server, now| server.log_to_all(now, Severity::Critical, None, "\"all\""));
            }
            _ => {
                let uri = *self.dice.pick(&["x://one", "x://two"]);
                self.expect_update(uri);
                self.server(|server, now| server.resource_updated(now, uri));
            }
        }
        self.pump();
    }
}

fn question(ticket: u64, key: &str, name: &str) -> String {
    let mark = format!("n{ticket}.{key}");
    match name {
        "elicitation/create" => json!({ "message": mark, "requestedSchema": { "type": "object", "properties": {} } }),
        "roots/list" => json!({ "_meta": { "x/mark": mark } }),
        _ => json!({ "maxTokens": 1, "messages": [{ "role": "user", "content": { "type": "text", "text": mark } }] }),
    }
    .to_string()
}
