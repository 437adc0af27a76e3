//! The server's side of the simulation: frames of every kind, right and wrong, in any order; calls answered with tasks, and what is
//! said and asked about these.

use super::model::Expected::{self, Notification};
use super::model::{Call, Cause, Over, Wire, WireRequest, is_of_wire};
use super::schedule::World;
use super::tasks::{About, Said};
use crate::engine::{State, Status};
use crate::protocol::task::{EXTENSION, Form};
use crate::protocol::{Era, Revision, capability, method};

impl World {
    /// A frame arrives on the connection that is open; when there is none, nothing may come of it.
    pub fn receive(&mut self, text: impl Into<Vec<u8>>) {
        let frame: Vec<u8> = text.into();
        let cause = if self.model.is_listening() { Cause::Frame } else { Cause::Stale };
        self.note(|| format!("receive {}", String::from_utf8_lossy(&frame[..frame.len().min(200)])));
        let generation = self.model.generation;
        self.tell(cause, |engine, now| engine.frame(now, generation, frame));
    }

    pub fn frame(&mut self) {
        if !self.model.is_listening() && self.dice.chance(80) {
            return self.receive(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
        }
        let tasks = self.model.settings.tasks.is_some();
        match self.dice.roll(40) {
            0..12 if tasks && self.dice.chance(60) => self.about_a_task(),
            14..25 if self.keen => self.about_a_task(),
            12..14 => self.asks_for_input(),
            0..18 => self.answer(),
            18..22 => self.progress(),
            22..25 => self.notification(),
            25..29 => self.request(),
            29..31 => self.withdraw(),
            31..33 => self.noise(),
            33..35 => self.batch(),
            35 => self.without_id(),
            36 => self.stale_frame(),
            37 => self.oversized_for_nobody(),
            _ => self.answer_handshake(),
        }
    }

    /// An answer to the handshake request, good or not.
    pub fn answer_handshake(&mut self) {
        let Some((mut id, mut asked)) = self.model.wire.as_ref().and_then(Wire::handshake) else { return };
        let late = self.model.wire.as_ref().and_then(|wire| wire.late_probe);
        let is_late = late.is_some() && self.dice.chance(20);
        if let Some(late) = late.filter(|_| is_late) {
            (id, asked) = (late, WireRequest::Probe);
        }
        let error =
            |code: i64, data: &str| format!(r#""error":{{"code":{code},"message":"no","data":{data}}}"#);
        let (offers, ends) = (self.dice.chance(70), self.dice.chance(70));
        let cancel = if ends { r#","cancel":{}"# } else { "" };
        let tasks = match (offers, asked) {
            (false, _) => String::new(),
            (true, WireRequest::Probe) => format!(r#","extensions":{{"{EXTENSION}":{{}}}}"#),
            (true, _) => format!(r#","tasks":{{"requests":{{"tools":{{"call":{{}}}}}}{cancel}}}"#),
        };
        let roll = if is_late || self.keen && self.dice.chance(80) { 0 } else { self.dice.roll(20) };
        let named = *self.dice.pick(&match roll {
            14 => [r#""2026-07-28""#, r#""2025-06-18""#, r#""2025-06-18","2026-07-28""#],
            _ => [r#""2025-06-18""#, r#""2024-11-05","2031-01-01""#, ""],
        });
        let (is_good, body) = match (roll, asked) {
            (0..11, WireRequest::Probe) => (
                true,
                format!(
                    r#""result":{{"supportedVersions":["2026-07-28"],"capabilities":{{"tools":{{}}{tasks}}}}}"#
                ),
            ),
            (0..14, _) => {
                let revision = self.engine.revision().map_or("", |revision| revision.as_str());
                let body = format!(
                    r#""result":{{"protocolVersion":"{revision}","capabilities":{{"tools":{{}}{tasks}}}}}"#
                );
                (asked == WireRequest::Initialize, body)
            }
            (14, _) => (false, error(-32022, &format!(r#"{{"supported":[{named}]}}"#))),
            (15, _) => (false, error(-32021, "{}")),
            (16, _) => (false, error(-32601, "null")),
            (17, _) if !named.is_empty() => (
                false,
                format!(r#""result":{{"supportedVersions":[{named}],"protocolVersion":"1999-01-01"}}"#),
            ),
            (17, _) => (false, r#""result":{}"#.to_owned()),
            (18, _) => (false, format!(r#""result":{{}},{}"#, error(1, "1"))),
            _ => (
                false,
                r#""result":{"supportedVersions":["2031-01-01"],"protocolVersion":"1999-01-01"}"#.to_owned(),
            ),
        };
        if let Some(wire) = self.model.wire.as_mut().filter(|_| is_late) {
            // It is taken, and what was asked meanwhile is over.
            wire.under_way.clear();
            wire.late_probe = None;
            wire.modern = true;
            self.model.handshake_due = None;
        } else {
            self.model.answered(id, Status::Ok);
        }
        let frame = format!(r#"{{"jsonrpc":"2.0","id":{id},{body}}}"#);
        self.note(|| format!("receive {frame}"));
        let generation = self.model.generation;
        self.model.step.handshaken = is_good;
        if let Some(wire) = self.model.wire.as_mut().filter(|_| body.contains("upported")) {
            let settings = &self.model.settings;
            let both =
                |revision: &Revision| settings.allowed.contains(revision) && body.contains(revision.as_str());
            wire.named = Revision::ALL.into_iter().filter(both).map(Revision::era).collect();
        }
        if is_good {
            let revision = if is_late { Some(Revision::LATEST_MODERN) } else { self.engine.revision() };
            self.model.tasks.form = revision.and_then(Form::at);
            let known = asked == WireRequest::Probe || self.model.tasks.form.is_some();
            self.model.tasks.declared = offers;
            (self.model.tasks.offered, self.model.tasks.ends) = (offers && known, offers && ends && known);
        }
        self.tell(Cause::Frame, |engine, now| engine.frame(now, generation, frame.into_bytes()));
        assert!(!is_good || self.model.state == State::Ready, "a good answer leads to ready");
    }

    /// Whom an answer is for: mostly a call under way, sometimes one that is over, or nothing that ever was.
    fn addressee(&mut self) -> (u64, u64) {
        let calls: Vec<(u64, u64)> = self
            .model
            .calls
            .values()
            .filter_map(|call| call.exchange.map(|exchange| (exchange, call.ticket)))
            .collect();
        let wire = self.model.wire.as_ref();
        let restored: Vec<u64> = wire.map_or_else(Vec::new, |wire| {
            let ours = |asked: &WireRequest| matches!(asked, WireRequest::Restore | WireRequest::Tools);
            wire.under_way.iter().filter(|(_, asked)| ours(asked)).map(|(id, _)| *id).collect()
        });
        let handshake = wire.and_then(Wire::handshake).map(|(id, _)| id);
        let lists = self.model.settings.tool_modes.is_some() && !restored.is_empty();
        let about = self.model.about_tasks();
        match self.dice.roll(10) {
            0..2 if !about.is_empty() => *self.dice.pick(&about),
            0..4 if lists => (*self.dice.pick(&restored), 0),
            0..5 if !calls.is_empty() => *self.dice.pick(&calls),
            0..8 if !restored.is_empty() => (*self.dice.pick(&restored), 0),
            8 => (self.model.last_id + 1000 + self.dice.roll(5), 0),
            _ => {
                let id = self.dice.roll(self.model.last_id + 1);
                let mut known = calls.iter().chain(&about);
                let ticket = known.find(|(exchange, _)| *exchange == id).map_or(0, |(_, ticket)| *ticket);
                // The handshake's answers have a way of their own.
                if Some(id) == handshake { (0, 0) } else { (id, ticket) }
            }
        }
    }

    /// An answer of any kind to any request.
    pub fn answer(&mut self) {
        let (id, ticket) = self.addressee();
        let modern = self.model.era() == Some(Era::Modern);
        let (text, status) = match self.dice.roll(24) {
            0..11 if self.is_list(id) => {
                let tools = super::tools(&mut self.dice, true);
                (format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"t":{ticket},{tools}}}}}"#), Status::Ok)
            }
            0..11 => (format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"t":{ticket}}}}}"#), Status::Ok),
            11 => (
                format!("\u{feff}{{\"result\":{{\"t\":{ticket}}} , \"id\":{id},\"jsonrpc\":\"2.0\"}}\r"),
                Status::Ok,
            ),
            12 => {
                let kind = *self.dice.pick(&["complete", "task", "input_required"]);
                let status = match kind {
                    "task" if modern && !self.hands_on_tasks(id) => Status::Protocol,
                    "input_required"
                        if modern && self.model.about_tasks().iter().all(|(it, _)| *it != id) =>
                    {
                        Status::Protocol
                    }
                    _ => Status::Ok,
                };
                let text = format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"result":{{"t":{ticket},"resultType":"{kind}"}}}}"#
                );
                (text, status)
            }
            13..16 => (
                format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-1,"message":"no"}}}}"#),
                Status::Server,
            ),
            16 => {
                let error = r#""error":{"code":1,"message":"both"}"#;
                (format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}},{error}}}"#), Status::Protocol)
            }
            17 => (format!(r#"{{"jsonrpc":"1.0","id":{id},"result":{{}}}}"#), Status::Protocol),
            18 => (format!(r#"{{"jsonrpc":"2.0","id":{id}}}"#), Status::Protocol),
            19 => (format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"half"#), Status::Protocol),
            20 if id % 2 == 0 => {
                (format!(r#"{{"jsonrpc":"2.0","id":{id},"id":{id},"result":1}}"#), Status::Protocol)
            }
            20 => (format!(r#"{{"jsonrpc":"2.0","id":{id},"result":1,"result":2}}"#), Status::Protocol),
            21 => {
                let (open, close) = ("[".repeat(130), "]".repeat(130));
                (format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{open}{close}}}"#), Status::TooLarge)
            }
            22 => return self.oversized(id),
            _ => {
                if self.model.is_listening() {
                    self.model.unknown += 1;
                }
                return self
                    .receive(format!(r#"{{"jsonrpc":"2.0","id":"x{id}","result":{{"t":{ticket}}}}}"#));
            }
        };
        if self.model.is_listening() {
            self.model.answered(id, status);
        }
        self.receive(text);
    }

    /// Whether a result that says that it is a task, and names none, is handed on or belongs to no call.
    fn hands_on_tasks(&self, id: u64) -> bool {
        let wire = self.model.wire.as_ref();
        match wire.and_then(|wire| wire.under_way.get(&id)) {
            Some(WireRequest::Call(call)) => {
                let call = &self.model.calls[call];
                let declared = self.model.settings.tasks.is_some();
                declared && call.method == "tools/call" && !call.plain && call.as_task != Some(false)
            }
            Some(WireRequest::Task(..) | WireRequest::Orphan | WireRequest::TaskCancel) => true,
            _ => false,
        }
    }

    /// Whether this is a request of the tools.
    fn is_list(&self, id: u64) -> bool {
        let wire = self.model.wire.as_ref();
        match wire.and_then(|wire| wire.under_way.get(&id)) {
            Some(WireRequest::Tools) => true,
            Some(WireRequest::Call(call)) => {
                self.model.calls.get(call).is_some_and(|call| call.method == "tools/list")
            }
            _ => false,
        }
    }

    fn oversized(&mut self, id: u64) {
        if !self.model.is_listening() {
            return;
        }
        self.model.answered(id, Status::TooLarge);
        self.note(|| format!("an oversized answer to {id}"));
        let generation = self.model.generation;
        self.tell(Cause::Frame, |engine, now| engine.oversized(now, generation, Some(id), 1 << 30, 1 << 24));
    }

    fn oversized_for_nobody(&mut self) {
        self.note(|| "an oversized frame".to_owned());
        let generation = self.model.generation;
        self.tell(Cause::Stale, |engine, now| engine.oversized(now, generation, None, 1 << 30, 1 << 24));
    }

    fn progress(&mut self) {
        let pending: Vec<u64> = self.model.calls.keys().copied().collect();
        let token = if pending.is_empty() || self.dice.chance(20) {
            self.dice.roll(200)
        } else {
            *self.dice.pick(&pending)
        };
        if self.model.is_listening() {
            self.model.notifications += 1;
            let now = self.now;
            let hears = |call: &&mut Call| call.progress && (call.exchange.is_some() || call.task.is_some());
            match self.model.calls.get_mut(&token).filter(hears) {
                Some(call) => {
                    if call.resets && call.task.is_none() {
                        call.deadline = (now + call.timeout).min(call.latest);
                    }
                    self.model.step.expected.push(Expected::Progress(token));
                }
                None => self.model.ignored_progress += 1,
            }
        }
        self.receive(format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":1}}}}"#
        ));
    }

    fn notification(&mut self) {
        if self.dice.chance(20) {
            let named = self.model.era() == Some(Era::Modern)
                && self.model.settings.wire == crate::engine::client::settings::Wire::Stream;
            match named && self.model.state == State::Ready {
                // It names no subscription.
                true => self.model.notifications += 1,
                false => self.expect_notification(),
            }
            return self.receive(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#);
        }
        self.expect_notification();
        self.receive(
            r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#,
        );
    }

    pub fn expect_notification(&mut self) {
        if self.model.is_listening() {
            self.model.notifications += 1;
            self.model.step.expected.push(Expected::Notification);
        }
    }

    /// A request of the server, with an id of a type and value of its own liking.
    fn request(&mut self) {
        self.serial += 1;
        let id = if self.dice.chance(50) { format!("\"q{}\"", self.serial) } else { self.serial.to_string() };
        let name = *self.dice.pick(&[
            "ping",
            "sampling/createMessage",
            "elicitation/create",
            "roots/list",
            "initialize",
        ]);
        if self.model.is_listening() && self.model.era() == Some(Era::Legacy) {
            let settings = &self.model.settings;
            let revision = self.engine.revision().expect("a revision is spoken");
            let declared = method::needed_client_capability(name)
                .is_some_and(|needed| capability::is_declared(&settings.capabilities, needed, revision));
            let by_library = !declared || (name == "roots/list" && settings.roots.is_some());
            if by_library || self.model.open.len() >= settings.server_requests {
                self.model.step.expected.push(Expected::Answer(id.clone()));
            } else {
                self.model.open.insert(self.model.last_key + 1, id.clone());
                self.model.step.expected.push(Expected::Request);
            }
        }
        self.receive(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{name}","params":{{}}}}"#));
    }

    fn withdraw(&mut self) {
        let of_wire = self.model.open.iter().filter(|(_, id)| is_of_wire(id));
        let open: Vec<(u64, String)> = of_wire.map(|(key, id)| (*key, id.clone())).collect();
        let id = if open.is_empty() || self.dice.chance(30) {
            // In the modern era this would end a stream of ours, which has tests of its own.
            let at_least = if self.model.era() == Some(Era::Modern) { 1 << 40 } else { 0 };
            (at_least + self.dice.roll(50)).to_string()
        } else {
            self.dice.pick(&open).1.clone()
        };
        self.expect_notification();
        if self.model.is_listening()
            && let Some((key, _)) = open.iter().find(|(_, known)| *known == id)
        {
            self.model.over(*key, Over::Withdrawn);
        }
        self.receive(format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
        ));
    }

    fn noise(&mut self) {
        let noise: [&[u8]; 10] = [
            b"Server listening on stdio",
            b"[info] ready",
            b"\xff\xfe",
            b"",
            b"{}",
            b"[]",
            b"null",
            br#"{"jsonrpc":"2.0","id":1,"method":7}"#,
            br#"{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}"#,
            br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        ];
        let frame = *self.dice.pick(&noise);
        self.receive(frame);
    }

    /// Answers to several calls and more, in one frame.
    fn batch(&mut self) {
        if self.model.state != State::Ready || self.model.wire.is_none() {
            return;
        }
        let mut parts = Vec::new();
        for _ in 0..self.dice.between(1, 4) {
            let (id, ticket) = self.addressee();
            if self.model.about_tasks().iter().any(|(about, _)| *about == id) {
                // Two answers about one task may say that it ends in two ways.
                continue;
            }
            self.model.answered(id, Status::Ok);
            parts.push(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"t":{ticket}}}}}"#));
            if self.dice.chance(30) {
                self.expect_notification();
                parts.push(r#"{"jsonrpc":"2.0","method":"notifications/message"}"#.to_owned());
            }
        }
        self.receive(format!("[{}]", parts.join(" , ")));
    }

    /// An error whose id the server could not read.
    fn without_id(&mut self) {
        if self.model.state != State::Ready {
            return;
        }
        let only = self.model.wire.as_ref().and_then(|wire| {
            let mut ids = wire.under_way.keys();
            ids.next().filter(|_| ids.next().is_none()).copied()
        });
        let code = *self.dice.pick(&[-32700, -32601]);
        match only.filter(|_| code == -32700) {
            Some(id) => self.model.answered(id, Status::Server),
            None => self.model.unknown += u64::from(self.model.is_listening()),
        }
        self.receive(format!(r#"{{"jsonrpc":"2.0","id":null,"error":{{"code":{code},"message":"?"}}}}"#));
    }

    /// A frame of a connection that is over, which answers a request of this one.
    fn stale_frame(&mut self) {
        let (id, ticket) = self.addressee();
        let earlier = self.model.generation.wrapping_sub(1);
        let frame = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"t":{ticket}}}}}"#);
        self.note(|| format!("receive {frame} on the connection {earlier}"));
        self.tell(Cause::Stale, |engine, now| engine.frame(now, earlier, frame.into_bytes()));
    }
}

impl World {
    fn said(&mut self) -> Said {
        let dice = &mut self.dice;
        let status = *dice.pick(&[
            "working",
            "working",
            "working",
            "working",
            "input_required",
            "input_required",
            "input_required",
            "completed",
            "failed",
            "cancelled",
            "asleep",
        ]);
        let inputs = if status == "input_required" { super::inputs(dice) } else { Vec::new() };
        Said {
            status,
            message: dice.chance(20),
            poll: dice.chance(50).then(|| dice.roll(2000)),
            body: dice.chance(90),
            inputs,
        }
    }

    /// Something about tasks, if there is any.
    pub fn about_a_task(&mut self) {
        if self.model.state != State::Ready || self.model.settings.tasks.is_none() || self.dice.chance(15) {
            return self.tells_of_task();
        }
        let wire = self.model.wire.as_ref().expect("ready");
        let may_answer: Vec<(u64, WireRequest)> = wire
            .under_way
            .iter()
            .map(|(id, asked)| (*id, *asked))
            .filter(|(_, asked)| match asked {
                WireRequest::Call(call) => self.model.may_become_task(&self.model.calls[call]),
                WireRequest::Task(..) | WireRequest::Orphan | WireRequest::TaskCancel => true,
                WireRequest::Tools => self.keen,
                _ => false,
            })
            .collect();
        if may_answer.is_empty() {
            return self.tells_of_task();
        }
        let (id, asked) = *self.dice.pick(&may_answer);
        self.model.now = self.now;
        self.model.wire.as_mut().expect("ready").under_way.remove(&id);
        let form = self.model.tasks.form;
        let result = match asked {
            WireRequest::Call(call) => {
                let (name, said) = (self.name(), self.said());
                let ticket = self.model.calls[&call].ticket;
                self.model.created(call, &name, &said);
                in_result(form, &said.json(&name, ticket))
            }
            WireRequest::Task(call, About::Poll) => {
                let said = self.said();
                let known = &self.model.calls[&call];
                let name = &known.task.as_ref().expect("a task").name;
                let text = said.json(name, known.ticket);
                self.model.polled(call, &said);
                text
            }
            WireRequest::Task(call, about) => {
                let ticket = self.model.calls[&call].ticket;
                self.model.task_answered(call, about, Status::Ok);
                format!(r#"{{"t":{ticket}}}"#)
            }
            WireRequest::Orphan => {
                let (name, mut said) = (self.name(), self.said());
                said.status = "working";
                self.model.orphan_answered(id, Some(&name));
                in_result(form, &said.json(&name, 0))
            }
            WireRequest::Tools => format!("{{{}}}", super::tools(&mut self.dice, false)),
            _ => {
                self.model.not_aside(id);
                "{}".to_owned()
            }
        };
        self.receive(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#));
    }

    fn name(&mut self) -> String {
        self.serial += 1;
        format!("t-{}", self.serial)
    }

    /// The server says how a task is without being asked: one that is followed, or one that is unknown.
    fn tells_of_task(&mut self) {
        let followed: Vec<u64> =
            self.model.calls.iter().filter(|(_, call)| call.task.is_some()).map(|(id, _)| *id).collect();
        let form = self.model.tasks.form.unwrap_or(Form::Core);
        let method = form.notification();
        let said = self.said();
        if followed.is_empty() || self.dice.chance(20) {
            self.expect_notification();
            let text = said.json("t-unknown", 0);
            return self.receive(format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{text}}}"#));
        }
        let call = *self.dice.pick(&followed);
        let (ticket, task) = (self.model.calls[&call].ticket, self.model.calls[&call].task.as_ref());
        let text = said.json(&task.expect("a task").name, ticket);
        self.model.now = self.now;
        if self.model.is_listening() {
            self.model.notifications += 1;
            if self.model.state == State::Ready {
                self.model.told(call, &said);
            } else if self.spoken_form() != Some(form) {
                // It is not known yet that this is a task of this call.
                self.model.step.expected.push(Notification);
            }
        }
        self.receive(format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{text}}}"#));
    }

    /// The form of the revision that is spoken, or asked for in the handshake.
    fn spoken_form(&self) -> Option<Form> {
        self.engine.revision().and_then(Form::at)
    }
}

/// The answer to a call that has become a task.
fn in_result(form: Option<Form>, task: &str) -> String {
    match form {
        Some(Form::Extension) => task.replacen('{', r#"{"resultType":"task","#, 1),
        _ => format!(r#"{{"task":{task}}}"#),
    }
}
