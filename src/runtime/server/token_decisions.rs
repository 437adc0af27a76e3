//! Tokens that the application decides about: each is a message of kind `auth` with the token, which the application answers as a
//! request. It is the only message that has one.

use crate::auth::server::{Denial, Principal, TokenRules, decided};
use crate::engine::server::Outcome;
use crate::engine::{Error, Status};
use crate::runtime::lock;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::oneshot;

/// Where the numbers of these requests begin: the engine's never come so far.
const FIRST: u64 = 1 << 62;

#[derive(Debug)]
pub(super) struct PendingDecision {
    pub(super) rules: Arc<TokenRules>,
    pub(super) sender: oneshot::Sender<Result<Principal, Denial>>,
}

/// The tokens that wait for the application. As many as `auth.questions` of each URL.
#[derive(Debug, Default)]
pub(super) struct Decisions {
    waiting: Mutex<(u64, HashMap<u64, PendingDecision>)>,
}

impl Decisions {
    pub(super) fn add(&self, waiting: PendingDecision) -> u64 {
        let mut inside = lock(&self.waiting);
        let number = FIRST + inside.0;
        inside.0 += 1;
        inside.1.insert(number, waiting);
        number
    }

    fn take(&self, number: u64) -> Option<PendingDecision> {
        lock(&self.waiting).1.remove(&number)
    }

    /// Whether a request is one of these.
    pub(super) fn has_number(number: u64) -> bool {
        number >= FIRST
    }

    /// Whether its answer is wanted.
    pub(super) fn is_waiting(&self, number: u64) -> bool {
        lock(&self.waiting).1.contains_key(&number)
    }

    /// The application freed the message. If it has not answered, it will not.
    pub(super) fn dropped(&self, number: u64) {
        drop(self.take(number));
    }

    /// The application answers.
    pub(super) fn respond(&self, number: u64, outcome: &Outcome<'_>) -> Result<(), Error> {
        let operation = "request_respond";
        let Some(waiting) = self.take(number) else {
            let what = "the request is over: it was answered, or took longer than auth.timeout_ms";
            return Err(Error::new(Status::Cancelled, operation, what));
        };
        let (verdict, wrong) = match outcome {
            Outcome::Result(answer) => match decided(answer, &waiting.rules.implied) {
                Ok(principal) => (Ok(principal), None),
                Err(why) => {
                    (Err(Denial::Unavailable("the application's answer is wrong".to_owned())), Some(why))
                }
            },
            Outcome::Error { .. } => (Err(Denial::Invalid("the token is not good here")), None),
            _ => {
                let why = "a token is answered with a principal or an error".to_owned();
                (Err(Denial::Unavailable("the application's answer is wrong".to_owned())), Some(why))
            }
        };
        // The client may have gone.
        let _is_heard = waiting.sender.send(verdict).is_ok();
        match wrong {
            None => Ok(()),
            Some(why) => Err(Error::new(
                Status::InvalidArgument,
                operation,
                format!("{why}; the client got status 503"),
            )),
        }
    }
}
