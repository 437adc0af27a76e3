//! What the program of `--check` is shown, and what becomes of it: requests as their servers get them, outcomes, questions of servers, the
//! answers to them, and subscriptions. What the bridge answers or asks itself, as lists and log levels, it is not shown.

use super::check::{Shown, Verdict};
use super::params::{Forwarded, forwarded};
use super::questions::Asked;
use super::relay::Relay;
use crate::ordered::Gathered;
use crate::output::{Screen, one_line};
use mcp::client::json_text::quote;
use mcp::client::names::INVALID_PARAMS;
use mcp::client::{Message, Status};
use mcp::server::{Answer, Request};
use std::collections::{BTreeSet, HashMap};
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
    Question(usize, Message, Asked),
    /// The answer to one.
    Answer(usize, Message, Answer),
    /// A subscription to a resource: of which server, what the calls of the clients wait for, and these.
    Subscription((usize, String), u64, Vec<u64>),
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
    pub fn check_question(&mut self, upstream: usize, message: Message, who: Asked) -> Option<Message> {
        if self.checker.is_none() {
            return Some(message);
        }
        let server = self.upstreams[upstream].name.clone();
        let method = message.method().unwrap_or_default().to_owned();
        let json = message.json().to_owned();
        let request = match who {
            Asked::Call(tag) => self.flights.get(&tag).and_then(|flight| flight.shown),
            Asked::Session(_) => None,
        };
        let shown =
            Shown { from: "server", server: &server, method: &method, what: "params", json: &json, request };
        match self.checked(&shown, Checked::Question(upstream, message, who)) {
            Some(Checked::Question(_, message, _)) => Some(message),
            _ => None,
        }
    }

    /// Gives a server the answer of a client, if it may be: in every revision, and also outside of a call.
    pub fn check_answer(&mut self, upstream: usize, question: Message, answer: Answer, request: Option<u64>) {
        if self.checker.is_none() {
            return self.respond(upstream, &question, &answer);
        }
        let server = self.upstreams[upstream].name.clone();
        let method = question.method().unwrap_or_default().to_owned();
        let (what, json) = match &answer {
            Answer::Result(json) => ("result", json.clone()),
            Answer::Failed(json) => ("error", json.clone()),
        };
        let shown = Shown { from: "client", server: &server, method: &method, what, json: &json, request };
        let _shown = self.checked(&shown, Checked::Answer(upstream, question, answer));
    }

    /// Leaves the subscriptions that the program has let pass, and shows it new ones. The calls of those who made them wait for that.
    pub fn check_subscriptions(&mut self, wanted: &mut HashMap<String, (usize, String)>, clients: &[u64]) {
        if self.checker.is_none() {
            return;
        }
        let all: BTreeSet<_> = wanted.values().cloned().gathered();
        self.judged.retain(|at, _| all.contains(at));
        for at in all {
            let Some(checker) = self.checker.as_mut().filter(|_| !self.judged.contains_key(&at)) else {
                continue;
            };
            let it = &mut self.upstreams[at.0];
            let json = format!("{{\"uri\":{}}}", quote(&at.1));
            let (server, method) = (&it.name, "resources/subscribe");
            let shown = Shown { from: "client", server, method, what: "params", json: &json, request: None };
            // The numbers of calls begin at the other end.
            self.next += 1;
            let number = u64::MAX - self.next;
            let checked = Checked::Subscription(at.clone(), number, clients.to_vec());
            let verdict = match checker.submit(&shown, checked, Instant::now()) {
                Ok(_) => {
                    it.order.begin(number);
                    None
                }
                Err((_, why)) => {
                    subscription_refused(&at.1, &why);
                    Some(false)
                }
            };
            self.judged.insert(at, verdict);
        }
        wanted.retain(|_, at| self.judged.get(at) == Some(&Some(true)));
    }

    /// The program has judged a subscription; one that no client wants any more needs no verdict.
    fn subscription_judged(&mut self, at: &(usize, String), number: u64, clients: &[u64], passes: bool) {
        if let Some(verdict) = self.judged.get_mut(at) {
            *verdict = Some(passes);
        }
        self.subscriptions_changed(clients);
        self.in_order(at.0, number);
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
            (Checked::Question(upstream, message, who), Some(new)) => {
                self.asked_checked(upstream, message.with_json(&new), who);
            }
            (Checked::Question(upstream, message, who), None) => self.asked_checked(upstream, message, who),
            (Checked::Answer(upstream, question, answer), new) => {
                let answer = match (answer, new) {
                    (Answer::Result(_), Some(new)) => Answer::Result(new.into()),
                    (Answer::Failed(_), Some(new)) => Answer::Failed(new.into()),
                    (answer, None) => answer,
                };
                self.respond(upstream, &question, &answer);
            }
            (Checked::Subscription(at, number, clients), None) => {
                self.subscription_judged(&at, number, &clients, true);
            }
            (checked @ Checked::Subscription(..), Some(_)) => {
                let why = "the program of --check changed a subscription, which can only pass or be refused";
                self.refused(checked, why);
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
            Checked::Question(upstream, question, _) | Checked::Answer(upstream, question, _) => {
                self.refuse_question(upstream, &question, INVALID_PARAMS, &why);
            }
            Checked::Subscription(at, number, clients) => {
                subscription_refused(&at.1, &why);
                self.subscription_judged(&at, number, &clients, false);
            }
        }
    }

    /// A client no longer wants its request.
    pub fn forget_checked(&mut self, number: u64) {
        if let Some(checker) = &mut self.checker {
            checker.retain(|checked| match checked {
                Checked::Request(ready) => ready.request.number() != number,
                Checked::Outcome(..)
                | Checked::Question(..)
                | Checked::Answer(..)
                | Checked::Subscription(..) => true,
            });
        }
    }
}

/// Its client has its answer: that of the bridge.
fn subscription_refused(uri: &str, why: &str) {
    Screen::said(format!("the subscription to '{}' is not made: {}", one_line(uri), one_line(why)));
}
