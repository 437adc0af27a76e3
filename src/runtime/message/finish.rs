//! What is to be done to an outcome before the application has it.

/// Done to a started call's outcome on the thread that takes it, with no lock held: checking a large result holds up no
/// other call.
pub(crate) struct Finish<M>(Box<dyn FnOnce(M) -> M + Send + Sync>);

impl<M> Finish<M> {
    pub(crate) fn new(finish: impl FnOnce(M) -> M + Send + Sync + 'static) -> Finish<M> {
        Finish(Box::new(finish))
    }

    pub(super) fn run(self, message: M) -> M {
        (self.0)(message)
    }
}

impl<M> std::fmt::Debug for Finish<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Finish").finish_non_exhaustive()
    }
}
