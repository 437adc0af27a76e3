//! What is known of each call from outside, and whether its outcome agrees with what happened.

use super::tasks::{self, Following};
use super::world::World;
use crate::engine::server::Kind;
use crate::engine::{Reply, State, Status};
use crate::protocol::error_code;
use serde_json::Value;
use std::time::{Duration, Instant};

/// What a call asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Something that a handler answers, with the number of the call in it.
    Handled,
    /// A whole list.
    List(Kind),
    /// One page of a list.
    Page,
    /// A subscription to a resource, or the end of one.
    Subscribe(String, bool),
    /// What a task came to that another call made.
    Watch(String),
    /// Anything else.
    Other,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub what: What,
    pub method: &'static str,
    pub id: u64,
    pub made: Instant,
    pub step: u64,
    pub timeout: Duration,
    pub total: Duration,
    /// Whether sending it twice does no harm, as far as both sides said.
    pub safe: bool,
    pub progress: bool,
    /// The application gave the total.
    pub has_total: bool,
    /// What the server says is handed on as it is.
    pub is_raw: bool,
    /// It was sent as one that is to be a task (2025-11-25).
    pub as_task: bool,
    /// The task that it has become, or watches.
    pub task: Option<Following>,
    pub is_cancelled: bool,
    pub refused_input: bool,
    /// The answer to a request of it broke off (HTTP).
    pub broke_off: bool,
    /// A proxy sent a request of it twice.
    pub doubled: bool,
    pub is_over: bool,
    /// Cuts and failed attempts when it was made.
    pub cuts: u64,
    pub attempts: u64,
    /// How often the server had been started again.
    pub restarts: u64,
    /// How many requests of it left.
    pub sent: usize,
    /// How many of them the server refused because it was busy: it did nothing of them.
    pub refused: usize,
    /// The rounds in which its handler ran.
    pub runs: Vec<u32>,
    /// The last answer that arrived for it.
    pub answer: Option<Value>,
}

impl World {
    /// An answer arrives; gives the call that waits for it.
    pub fn answer_arrives(&mut self, generation: u64, frame: &Value) -> Option<u64> {
        if frame.get("method").is_some() {
            return None;
        }
        let exchange = frame["id"].as_u64()?;
        let ticket = *self.exchanges.get(&(generation, exchange))?;
        let is_awaited = self.client().is_under_way(generation, exchange);
        let call = self.calls.get_mut(&ticket).filter(|call| is_awaited && !call.is_over)?;
        call.answer = Some(frame.clone());
        Some(ticket)
    }

    /// An answer that a call waited for has been given to the client: the call has its outcome, or goes on for a reason.
    pub fn answer_was_taken(&mut self, ticket: u64, frame: &Value) {
        let call = &self.calls[&ticket];
        let more = matches!(call.what, What::List(_)) && frame["result"]["nextCursor"].is_string();
        let asks = frame["result"]["resultType"] == "input_required";
        // The server was busy and did nothing of it: the client sends it once more.
        let is_held_back = frame["error"]["code"] == error_code::BUSY;
        assert!(
            call.is_over || more || asks || is_held_back || call.task.is_some(),
            "the call {ticket} goes on after {frame}"
        );
        if is_held_back {
            self.calls.get_mut(&ticket).expect("a call of ours").refused += 1;
        }
    }

    /// The client sent a request.
    pub fn request_left(&mut self, exchange: u64, frame: &Value) {
        self.asked_about_task(exchange, frame);
        let Some(ticket) = frame["params"]["_meta"]["x/n"].as_u64() else { return };
        let generation = self.client().generation();
        assert!(self.exchanges.insert((generation, exchange), ticket).is_none(), "the id {exchange} twice");
        let call = self.calls.get_mut(&ticket).expect("a call of ours");
        assert!(!call.is_over, "the call {ticket} is sent after its end");
        assert_eq!(frame["method"], call.method);
        call.sent += 1;
    }

    /// A handler begins to work for a call.
    pub fn handler_runs(&mut self, ticket: u64, round: u32) {
        let call = self.calls.get_mut(&ticket).expect("a call of ours");
        let again = call.runs.contains(&round);
        assert!(call.sent > 0, "the call {ticket} runs and was not sent");
        assert!(
            call.safe || call.doubled || !again,
            "the call {ticket} does harm: it runs again, after {:?}",
            call.runs
        );
        call.runs.push(round);
        if again {
            self.reach("ran again");
        }
    }

    /// A call has its outcome.
    pub fn completed(&mut self, ticket: u64, reply: &Reply) {
        self.note(|| match reply {
            Ok(body) => format!("= {ticket} {}", String::from_utf8_lossy(body.json.of(&body.frame))),
            Err(error) => format!("= {ticket} {}", error.to_json()),
        });
        let call = self.calls.get_mut(&ticket).expect("a call of ours");
        assert!(!call.is_over, "the call {ticket} has ended twice");
        call.is_over = true;
        let call = call.clone();
        match reply {
            Ok(body) => {
                let text = body.json.of(&body.frame);
                let result: Value = serde_json::from_slice(text).expect("JSON");
                self.succeeded(ticket, &call, &result);
            }
            Err(error) => {
                let sent = error.details["sent"].as_bool().expect("it says whether it was sent");
                if !sent {
                    assert!(call.runs.is_empty(), "'not sent', but its handler ran");
                    assert!(
                        call.sent <= call.refused || self.attempts_failed + self.cuts > 0,
                        "'not sent', but it left"
                    );
                    self.reach("never sent");
                }
                assert!(
                    !sent || call.sent > 0 || matches!(call.what, What::Subscribe(..) | What::Watch(_)),
                    "'sent', but it did not leave"
                );
                self.failed(&call, error.status, error.code, &error.message);
            }
        }
        if let What::Subscribe(uri, true) = &call.what {
            if reply.is_ok() {
                self.subscribed.insert(uri.clone());
                self.reach("subscribed");
            } else {
                self.forget_subscription(uri);
            }
        }
    }

    fn succeeded(&mut self, ticket: u64, call: &Call, result: &Value) {
        self.reach("answer");
        match &call.what {
            What::List(kind) => {
                let member = ["tools", "resources", "resourceTemplates", "prompts"]
                    .into_iter()
                    .find_map(|member| result.get(member))
                    .expect("a list");
                let names: Vec<String> = member
                    .as_array()
                    .expect("an array")
                    .iter()
                    .map(|entry| entry["name"].as_str().expect("a name").to_owned())
                    .collect();
                if call.sent > 1 {
                    self.reached.insert("pages");
                }
                // A cursor counts what one process was given, in its order.
                if call.sent == 1 || call.restarts == self.restarts {
                    self.catalog.check(*kind, &names, call.step, self.step);
                }
            }
            // In the modern era these are no requests of their own.
            What::Subscribe(..) => {}
            What::Other if call.answer.is_none() => assert_eq!(call.method, "logging/setLevel"),
            _ if call.task.is_some() => {
                let following = call.task.as_ref().expect("just looked at");
                let is_of_it = following.came_to(|came| came["result"] == *result);
                assert!(is_of_it, "{ticket} ended with {result}, and its task came to {following:?}");
                self.reached.insert(if matches!(call.what, What::Watch(_)) {
                    "task watched"
                } else {
                    "task completed"
                });
            }
            _ => {
                let answer =
                    call.answer.as_ref().unwrap_or_else(|| panic!("{ticket} was answered by no one"));
                assert_eq!(&answer["result"], result, "another answer than the one that arrived");
            }
        }
        if call.what == What::Handled {
            assert!(!call.runs.is_empty(), "no handler ran");
            if call.task.is_none() && tasks::is_task(result) {
                assert!(call.is_raw, "{ticket} ended with the name of a task");
                return;
            }
            let text = result.to_string();
            assert!(text.contains(&format!("\"n{ticket}.\"")), "{ticket} got the answer of another: {text}");
            assert!(self.answers.contains(&ticket), "no handler gave an answer to {ticket}");
        }
    }

    fn failed(&mut self, call: &Call, status: Status, code: Option<i64>, message: &str) {
        let spent = self.now.saturating_duration_since(call.made);
        let was_cut = self.cuts > call.cuts || self.attempts_failed > call.attempts;
        let fits = match status {
            // Before it is sent, the time of the handshake may be over first. While it waits to be sent again, the time of the
            // last attempt may: it does no harm twice, its session had ended when it came, or it is a task, which goes on.
            Status::Timeout => {
                let gave_up = self.client().state() == State::Closed && !self.is_closed;
                let waits_again = gave_up && (call.safe || call.runs.is_empty() || call.task.is_some());
                spent >= call.timeout.min(call.total) || call.sent == 0 || waits_again
            }
            Status::Cancelled => call.is_cancelled || call.refused_input,
            Status::Transport => was_cut || self.cuts > 0 || self.is_hopeless,
            Status::Closed => self.is_closed,
            Status::Server => call.answer.as_ref().is_some_and(|answer| {
                answer["error"]["code"].as_i64() == code && answer["error"]["message"] == message
            }),
            Status::Unsupported => true,
            Status::Unavailable => was_cut || self.attempts_failed > 0 || self.is_hopeless,
            // The application refused what its server asked.
            Status::Protocol => {
                call.refused_input || self.is_hopeless || self.attempts_failed + self.cuts > 0
            }
            // Every failure of a login has its own text.
            Status::Auth => self.logs_in(),
            // The server was busy to the end, and did nothing of it.
            Status::Backpressure if code == Some(error_code::BUSY) => {
                call.runs.is_empty()
                    && call.answer.as_ref().is_some_and(|answer| answer["error"]["code"] == error_code::BUSY)
            }
            Status::Backpressure => message.contains("limits.tasks"),
            _ => false,
        };
        let fits = fits || self.task_fits(call, status, code, message);
        assert!(fits, "{} ended as {status:?} ({message}) for no reason: {call:?}", call.method);
        let overdue = code == Some(-32603) && message.contains("in the time it has");
        self.reach(match status {
            Status::Timeout => "timeout",
            Status::Cancelled => "cancelled",
            Status::Transport => "transport",
            Status::Closed => "closed",
            Status::Unavailable => "unavailable",
            Status::Server if overdue => "overdue",
            Status::Server if code == Some(7) => "handler's failure",
            Status::Server => "error of the server",
            Status::Auth => "login failed",
            _ => "another end",
        });
        if code == Some(7) && !matches!(call.what, What::Watch(_)) {
            assert!(!call.runs.is_empty(), "the handler's error, but it did not run");
        }
    }
}
