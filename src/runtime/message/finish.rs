//! What is to be done to an outcome before the application has it.

use super::Message;

/// Done to a started call's outcome on the thread that takes it, with no lock held: checking a large result holds up no
/// other call.
pub(crate) struct Finish(Box<dyn FnOnce(Message) -> Message + Send + Sync>);

impl Finish {
    pub(crate) fn new(finish: impl FnOnce(Message) -> Message + Send + Sync + 'static) -> Finish {
        Finish(Box::new(finish))
    }

    pub(super) fn run(self, message: Message) -> Message {
        (self.0)(message)
    }
}

impl std::fmt::Debug for Finish {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Finish").finish_non_exhaustive()
    }
}
