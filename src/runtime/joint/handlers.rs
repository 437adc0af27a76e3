//! The server's application: handlers that answer late, fail, report progress, ask their client, keep a state, and change what
//! the server offers.

use super::world::World;
use crate::engine::server::{
    Answer, Asked, Effect, Frame, Kind, Outcome, RequestId, Responded, Run, SessionId, Severity, Withdrawn,
};
use crate::runtime::message::Handler;
use serde_json::{Value, json};

/// A request that a handler worked on: how often the server was started again before it, and its number since then.
pub type Asker = (u64, RequestId);

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

impl World {
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

    pub fn server_effect(&mut self, effect: Effect<Handler>) {
        match effect {
            Effect::Send { to, frame, sent } => {
                let value: Value = serde_json::from_slice(&frame).expect("JSON");
                match sent {
                    Frame::Answer(code) => {
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
                    Frame::Request => self.reach("question"),
                    Frame::Notification => assert!(value.get("id").is_none()),
                }
                self.server_sends(to, &frame);
            }
            Effect::Run(run) => {
                let Run { request, method, params, round, .. } = *run;
                self.run(request, method, &params, round, false);
            }
            Effect::Withdrawn { request, why, .. } => self.withdrawn(request, why),
            Effect::Called { .. } => panic!("the application made no call"),
            Effect::RootsChanged(_)
            | Effect::Ended(_)
            | Effect::Notified { .. }
            | Effect::Joined(_)
            | Effect::Subscriptions
            | Effect::LevelSet(_)
            | Effect::Record { .. } => {}
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
                Asked::Answered(Answer::Result(text)) => {
                    let mark = format!("n{ticket}.{key}");
                    assert!(text.contains(&mark) || text.starts_with(r#"{"roots":[]"#), "{mark} got {text}");
                }
                Asked::Answered(Answer::Failed(_)) => {}
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
                Asked::Pending => {
                    self.asked.entry(asker).or_default().push((key, name));
                    self.asking.insert(ticket, asker);
                    pending = true;
                }
                Asked::Unsupported(_) | Asked::Refused(_) => {}
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
