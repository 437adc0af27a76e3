//! What the application was asked in a message of its own and has not answered.

use crate::auth::{Cause, Failure, LoginStep};
use std::collections::HashMap;
use tokio::sync::oneshot;

/// What the application was asked.
pub(super) enum Asked {
    /// What is kept.
    Load,
    /// The same, and to keep others from changing it.
    Lock,
    /// To keep something.
    Save,
    /// For a signature.
    Sign(oneshot::Sender<Result<String, String>>),
}

/// What was asked and is not answered.
#[derive(Default)]
pub(super) struct Answers {
    pub(super) next: u64,
    pub(super) open: HashMap<u64, Asked>,
}

/// A proof that the application did not sign.
pub(super) fn unsigned(why: String) -> Failure {
    Failure::new(LoginStep::Application, "signature", why).because(Cause::Unreachable)
}
