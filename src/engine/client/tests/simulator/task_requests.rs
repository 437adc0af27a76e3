//! What the engine asks about tasks in the simulation: each request at its time, once, and none for what is not wanted.

use super::model::{Asked, Call, Cause, Expected, Model, Over};
use super::observe::Frame;
use super::tasks::{About, Input, Task};
use crate::engine::client::tasks::followed::ASIDE;
use crate::engine::{State, Status};
use crate::protocol::task::Form;
use std::time::Instant;

impl Model {
    /// A request about tasks is being sent. Says whether it is one.
    pub fn asks_about_task(&mut self, id: u64, method: &str, frame: &Frame<'_>) -> bool {
        let Some(name) = frame.after("\"taskId\":\"").and_then(|rest| rest.split('"').next()) else {
            return false;
        };
        assert_eq!(self.state, State::Ready, "{}", frame.0);
        let now = self.now;
        if method == "tasks/cancel" {
            let form = self.tasks.form.expect("a form");
            self.set_aside(id, Asked::TaskCancel, Some((form, name.to_owned())));
            let expected = Expected::TaskCancel(name.to_owned());
            match self.step.expected.iter().position(|it| *it == expected) {
                Some(at) => _ = self.step.expected.remove(at),
                None => self.tasks.ended.push(name.to_owned()),
            }
            self.reached.insert("task ended by us");
            return true;
        }
        self.begins_to_watch(name);
        let is_named = |call: &Call| call.task.as_ref().is_some_and(|task| task.name == name);
        let found = self.calls.iter_mut().find(|(_, call)| is_named(call));
        let (number, call) = found.unwrap_or_else(|| panic!("a task that no call follows: {}", frame.0));
        let timeout = call.timeout;
        let task = call.task.as_mut().expect("just looked at");
        let about = match method {
            "tasks/get" => {
                assert_eq!((task.asking, task.awaiting), (None, None), "asked twice: {}", frame.0);
                task.asking = Some(id);
                task.again = Some(now + timeout);
                About::Poll
            }
            "tasks/result" => {
                let status = task.told.map(|(status, _)| status);
                assert_eq!((task.form, task.awaiting), (Form::Core, None), "{}", frame.0);
                assert!(matches!(status, Some("input_required" | "completed" | "failed")), "{status:?}");
                task.awaiting = Some(id);
                About::Result
            }
            "tasks/update" => {
                let is_named = |input: &Input| frame.0.contains(&format!(r#"{{"{}":"#, input.name));
                let at = task.inputs.iter().position(is_named).expect("an input of the task");
                let input = &mut task.inputs[at];
                assert!(input.answered && input.sent.is_none(), "brought twice: {}", frame.0);
                input.sent = Some(id);
                About::Update(at)
            }
            _ => panic!("{}", frame.0),
        };
        let number = *number;
        self.wire.as_mut().expect("ready").under_way.insert(id, Asked::Task(number, about));
        true
    }

    /// A call that watches a task of this name begins with that now.
    fn begins_to_watch(&mut self, name: &str) {
        let about = format!(r#""taskId":"{name}""#);
        let watches = |call: &Call| call.params.contains(&about) && call.task.is_none();
        let Some(number) = self.calls.iter().find(|(_, call)| watches(call)).map(|(id, _)| *id) else {
            return;
        };
        let limit = self.settings.tasks.as_ref().map_or(0, |tasks| tasks.limit);
        assert!(self.followed() < limit, "more tasks than the bound");
        self.follows(number, self.tasks.form.expect("a form"), name, false);
        self.leaves_the_row(number);
        self.reached.insert("watched task");
    }

    fn set_aside(&mut self, id: u64, asked: Asked, ends: Option<(Form, String)>) {
        let wire = self.wire.as_mut().expect("a wire");
        wire.under_way.insert(id, asked);
        self.tasks.aside.push_back((id, ends));
        if self.tasks.aside.len() > ASIDE {
            let (oldest, _) = self.tasks.aside.pop_front().expect("many");
            wire.under_way.remove(&oldest);
        }
    }

    /// A call ended whose answer may yet be a task.
    pub fn orphaned(&mut self, exchange: u64) {
        self.set_aside(exchange, Asked::Orphan, None);
        self.reached.insert("orphan");
    }

    /// A call ended: nothing of its task is wanted any more. Gives the end that the server hears of, if it must.
    pub fn lets_go(&mut self, task: &Task) {
        // A connection that is closed needs no more of that.
        let hears = self.state == State::Ready && self.step.cause != Cause::Close;
        if let Some(id) = task.awaiting.filter(|_| hears && !task.owned) {
            let at = self.step.withdrawn.iter().position(|withdrawn| *withdrawn == id);
            self.step.withdrawn.remove(at.expect("no call waits for the result, and the server is not told"));
        }
        let sent = task.inputs.iter().filter_map(|input| input.sent);
        if let Some(wire) = &mut self.wire {
            for id in task.asking.into_iter().chain(task.awaiting).chain(sent) {
                wire.under_way.remove(&id);
            }
        }
        let keys: Vec<u64> = task.inputs.iter().filter_map(|input| input.key).collect();
        for key in keys {
            self.over(key, Over::Withdrawn);
        }
    }

    /// The application wants a task no longer, or no call can follow it: its server was told, or will be.
    pub fn was_ended(&mut self, task: &Task) {
        if !task.owned {
            // The call that made it may want it.
        } else if self.state != State::Ready {
            self.ends_later((task.form, task.name.clone()));
        } else if self.can_end(task.form) {
            let at = self.tasks.ended.iter().position(|name| *name == task.name);
            self.tasks.ended.remove(at.expect("the server is told that the task is not wanted"));
        }
    }

    /// The answer comes to a call that has ended, and is a task of this name if any.
    pub fn orphan_answered(&mut self, id: u64, name: Option<&str>) {
        self.late += 1;
        self.tasks.aside.retain(|(aside, _)| *aside != id);
        if let (Some(form), Some(name)) = (self.tasks.form, name) {
            self.must_end(form, name);
        }
    }

    /// A task is to be ended on the next wire; of too many the oldest is forgotten.
    pub fn ends_later(&mut self, ends: (Form, String)) {
        if self.tasks.unwanted.len() == ASIDE {
            self.tasks.unwanted.pop_front();
        }
        self.tasks.unwanted.push_back(ends);
    }

    pub fn not_aside(&mut self, id: u64) {
        self.tasks.aside.retain(|(aside, _)| *aside != id);
    }

    /// Time passes: what was asked about a task and has had its time is asked for no more.
    pub fn tasks_are_due(&mut self, now: Instant) {
        self.now = now;
        let most = self.settings.max_retries;
        if self.state != State::Ready {
            return;
        }
        for (number, call) in &mut self.calls {
            let Some(task) = call.task.as_mut().filter(|task| task.again.is_some_and(|at| at <= now)) else {
                continue;
            };
            // One whose call is over by then has nothing to do any more.
            let silent = [task.asking.take(), task.awaiting.take()];
            if silent == [None, None] || call.deadline <= task.again.expect("due") {
                (task.asking, task.awaiting) = (silent[0], silent[1]);
                continue;
            }
            for id in silent.into_iter().flatten() {
                self.wire.as_mut().expect("ready").under_way.remove(&id);
            }
            task.failures += 1;
            task.again = Some(now + task.interval);
            if task.failures > most {
                // However it comes to that.
                self.step.expected.push(Expected::End(*number, Status::Timeout));
                if task.owned && (task.form == Form::Extension || self.tasks.ends) {
                    self.step.expected.push(Expected::TaskCancel(task.name.clone()));
                }
            }
        }
    }

    /// The connection is ready: tasks that are not wanted are ended, the others asked for, and those of another form lost.
    pub fn tasks_resume(&mut self) {
        for (form, name) in std::mem::take(&mut self.tasks.unwanted) {
            if self.tasks.form == Some(form) {
                self.must_end(form, &name);
            }
        }
        for (number, call) in &self.calls {
            if call.task.as_ref().is_some_and(|task| Some(task.form) != self.tasks.form) {
                self.step.expected.push(Expected::End(*number, Status::Transport));
            }
        }
    }

    /// Nothing that was under way about tasks comes to anything. Those whose end was not answered are ended on the next wire.
    pub fn tasks_lose_their_wire(&mut self) {
        for ends in std::mem::take(&mut self.tasks.aside).into_iter().filter_map(|(_, ends)| ends) {
            self.ends_later(ends);
        }
        for task in self.calls.values_mut().filter_map(|call| call.task.as_mut()) {
            (task.asking, task.awaiting, task.again) = (None, None, None);
            task.failures = 0;
            task.inputs.iter_mut().for_each(|input| input.sent = None);
        }
    }

    /// On a ready connection something is being done about every task.
    pub fn check_tasks(&self) {
        assert!(self.tasks.ended.is_empty(), "ended, and still wanted: {:?}", self.tasks.ended);
        for (number, call) in &self.calls {
            let Some(task) = &call.task else { continue };
            assert_eq!((call.exchange, task.inputs.len() <= self.settings.server_requests), (None, true));
            if self.state != State::Ready {
                assert_eq!((task.asking, task.awaiting, task.again), (None, None, None));
                continue;
            }
            assert!(task.inputs.iter().all(|input| !input.answered || input.sent.is_some()), "not brought");
            let is_forgotten = [task.asking, task.awaiting] == [None, None] && task.again.is_none();
            assert!(!is_forgotten, "the task of call {number} is forgotten");
        }
    }

    /// Ids of requests about tasks, with the tickets of their calls.
    pub fn about_tasks(&self) -> Vec<(u64, u64)> {
        let asked = self.wire.iter().flat_map(|wire| wire.under_way.iter());
        let about = asked.filter_map(|(id, asked)| match asked {
            Asked::Task(call, _) => Some((*id, self.calls.get(call)?.ticket)),
            Asked::Orphan | Asked::TaskCancel => Some((*id, 0)),
            _ => None,
        });
        about.collect()
    }
}
