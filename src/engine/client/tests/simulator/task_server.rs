//! The server's side of tasks: calls answered with one, states told and asked for, results, and what no call waits for.

use super::draw;
use super::model::Asked;
use super::schedule::World;
use super::tasks::{About, Said};
use crate::engine::{State, Status};
use crate::protocol::task::Form;

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
        let inputs = if status == "input_required" { draw::inputs(dice) } else { Vec::new() };
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
        let may_answer: Vec<(u64, Asked)> = wire
            .under_way
            .iter()
            .map(|(id, asked)| (*id, *asked))
            .filter(|(_, asked)| match asked {
                Asked::Call(call) => self.model.may_become_task(&self.model.calls[call]),
                Asked::Task(..) | Asked::Orphan | Asked::TaskCancel => true,
                Asked::Tools => self.keen,
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
            Asked::Call(call) => {
                let (name, said) = (self.name(), self.said());
                let ticket = self.model.calls[&call].ticket;
                self.model.created(call, &name, &said);
                in_result(form, &said.json(&name, ticket))
            }
            Asked::Task(call, About::Poll) => {
                let said = self.said();
                let known = &self.model.calls[&call];
                let name = &known.task.as_ref().expect("a task").name;
                let text = said.json(name, known.ticket);
                self.model.polled(call, &said);
                text
            }
            Asked::Task(call, about) => {
                let ticket = self.model.calls[&call].ticket;
                self.model.task_answered(call, about, Status::Ok);
                format!(r#"{{"t":{ticket}}}"#)
            }
            Asked::Orphan => {
                let (name, mut said) = (self.name(), self.said());
                said.status = "working";
                self.model.orphan_answered(id, Some(&name));
                in_result(form, &said.json(&name, 0))
            }
            Asked::Tools => format!("{{{}}}", draw::tools(&mut self.dice, false)),
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
                self.model.step.expected.push(super::model::Expected::Notification);
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
