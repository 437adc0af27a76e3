//! What the program of `--check` is shown, and what becomes of it: requests as their servers get them, outcomes, questions of servers and
//! the answers to them. What the bridge answers itself, as lists, it is not shown.

use super::check::{Shown, Verdict};
use super::params::{Forwarded, forwarded};
use super::relay::Relay;
use crate::output::one_line;
use mcp::client::names::INVALID_PARAMS;
use mcp::client::{Message, RequestAnswer, Status};
use mcp::server::Request;
use std::time::Instant;

/// A request that is ready for its server.
#[derive(Debug)]
pub struct Ready {
    pub upstream: usize,
    pub may_be_task: bool,
    pub sent: Forwarded,
    pub request: Request,
    pub client: u64,
    pub message: Message,
    /// The number by which the program was shown it.
    pub number: Option<u64>,
}

/// What waits for the program.
#[derive(Debug)]
pub enum Checked {
    Request(Box<Ready>),
    /// The outcome of a call.
    Outcome(u64, Message),
    /// A question of a server.
    Question(usize, Message),
    /// A request that has come again, with answers to questions.
    Answers(u64, Request, Message),
}

impl Relay {
    /// Shows something to the program; what needs no verdict comes back, and what is refused at once has its answer.
    fn checked(&mut self, shown: &Shown<'_>, checked: Checked) -> Option<Checked> {
        let Some(checker) = &mut self.checker else { return Some(checked) };
        match checker.submit(shown, checked, Instant::now()) {
            Ok(_) => {}
            Err((checked, why)) => self.refused(checked, &why),
        }
        None
    }

    /// Sends a request on, if it may be.
    pub fn check_request(&mut self, ready: Ready) {
        let server = self.upstreams[ready.upstream].name.clone();
        let method = ready.message.method().unwrap_or_default().to_owned();
        let json = ready.sent.params.clone();
        let shown = Shown {
            from: "client",
            server: &server,
            method: &method,
            what: "params",
            json: &json,
            request: None,
        };
        if method == super::PING {
            return self.send(ready);
        }
        if let Some(Checked::Request(ready)) = self.checked(&shown, Checked::Request(Box::new(ready))) {
            self.send(*ready);
        }
    }

    /// The outcome of a call, unless the program is to see it first.
    pub fn check_outcome(&mut self, tag: u64, outcome: Message) -> Option<Message> {
        let Some((flight, _)) =
            self.flights.get(&tag).filter(|flight| flight.method != super::PING).zip(self.checker.as_ref())
        else {
            return Some(outcome);
        };
        let what = match outcome.status() {
            Status::Ok => "result",
            Status::Server => "error",
            // The bridge itself says so.
            _ => return Some(outcome),
        };
        let (server, method, request) =
            (self.upstreams[flight.upstream].name.clone(), flight.method.clone(), flight.shown);
        let json = outcome.json().to_owned();
        let shown = Shown { from: "server", server: &server, method: &method, what, json: &json, request };
        match self.checked(&shown, Checked::Outcome(tag, outcome)) {
            Some(Checked::Outcome(_, outcome)) => Some(outcome),
            _ => None,
        }
    }

    /// A question of a server, unless the program is to see it first.
    pub fn check_question(&mut self, upstream: usize, message: Message) -> Option<Message> {
        if self.checker.is_none() {
            return Some(message);
        }
        let server = self.upstreams[upstream].name.clone();
        let method = message.method().unwrap_or_default().to_owned();
        let json = message.json().to_owned();
        let request = self.flights.get(&message.tag()).and_then(|flight| flight.shown);
        let shown =
            Shown { from: "server", server: &server, method: &method, what: "params", json: &json, request };
        match self.checked(&shown, Checked::Question(upstream, message)) {
            Some(Checked::Question(_, message)) => Some(message),
            _ => None,
        }
    }

    /// The answers of a client to questions, unless the program is to see them first.
    pub fn check_answers(
        &mut self,
        tag: u64,
        request: Request,
        message: Message,
    ) -> Option<(Request, Message)> {
        let Some((flight, _)) = self.flights.get(&tag).zip(self.checker.as_ref()) else {
            return Some((request, message));
        };
        let (server, number) = (self.upstreams[flight.upstream].name.clone(), flight.shown);
        let method = message.method().unwrap_or_default().to_owned();
        let json = forwarded_answers(message.json());
        let shown = Shown {
            from: "client",
            server: &server,
            method: &method,
            what: "params",
            json: &json,
            request: number,
        };
        match self.checked(&shown, Checked::Answers(tag, request, message)) {
            Some(Checked::Answers(_, request, message)) => Some((request, message)),
            _ => None,
        }
    }

    /// What the program has judged goes on, or has its refusal.
    pub fn go_on_checked(&mut self, now: Instant) {
        let judged = self.checker.as_mut().map(|checker| checker.judged(now)).unwrap_or_default();
        for (number, checked, verdict) in judged {
            match verdict {
                Verdict::Pass => self.passed(number, checked, None),
                Verdict::Change(new) => self.passed(number, checked, Some(new)),
                Verdict::Refuse(why) => self.refused(checked, &why),
            }
        }
    }

    fn passed(&mut self, number: u64, checked: Checked, new: Option<String>) {
        match (checked, new) {
            (Checked::Request(mut ready), new) => {
                ready.number = Some(number);
                if let Some(new) = new {
                    let Forwarded { progress, log_level, .. } = ready.sent;
                    ready.sent = Forwarded { progress, log_level, ..forwarded(&new, None) };
                }
                self.send(*ready);
            }
            (Checked::Outcome(tag, outcome), Some(new)) => self.landed_checked(tag, outcome.with_json(&new)),
            (Checked::Outcome(tag, outcome), None) => self.landed_checked(tag, outcome),
            (Checked::Question(upstream, message), Some(new)) => {
                self.asked_checked(upstream, message.with_json(&new));
            }
            (Checked::Question(upstream, message), None) => self.asked_checked(upstream, message),
            (Checked::Answers(tag, request, message), None) => self.resumed_checked(tag, request, message),
            (checked @ Checked::Answers(..), Some(_)) => {
                self.refused(checked, "the program of --check changed an answer to a question, which can only pass or be refused");
            }
        }
    }

    fn refused(&mut self, checked: Checked, why: &str) {
        let why = format!("refused by the bridge: {}", one_line(why));
        match checked {
            Checked::Request(ready) => self.refuse(&ready.request, INVALID_PARAMS, &why),
            Checked::Outcome(tag, _) => {
                if let Some(flight) = self.take_flight(tag) {
                    self.refuse(&flight.request, INVALID_PARAMS, &why);
                }
            }
            Checked::Question(upstream, message) => {
                let refusal = RequestAnswer::Error { code: INVALID_PARAMS, message: &why, data: None };
                // The server may have taken its question back meanwhile.
                let _is_heard = self.upstreams[upstream].client.respond(&message, refusal);
            }
            Checked::Answers(tag, request, _) => {
                self.refuse(&request, INVALID_PARAMS, &why);
                self.drop_flight(tag, &why);
            }
        }
    }

    /// A client no longer wants its request.
    pub fn forget_checked(&mut self, number: u64) {
        if let Some(checker) = &mut self.checker {
            checker.retain(|checked| match checked {
                Checked::Request(ready) => ready.request.number() != number,
                Checked::Answers(_, request, _) => request.number() != number,
                Checked::Outcome(..) | Checked::Question(..) => true,
            });
        }
    }
}

/// The parameters with what a client answers, and without what belongs to its connection.
fn forwarded_answers(params: &str) -> String {
    use mcp::client::json_text::member;
    let kept = forwarded(params, None).params;
    match member(params, "inputResponses") {
        Some(answers) => super::params::with(&kept, "inputResponses", answers),
        None => kept,
    }
}
