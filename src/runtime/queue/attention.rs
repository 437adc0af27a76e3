//! Who has to be told of a message.

/// Who has to be told of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attention {
    /// No one: the application comes by itself.
    None,
    /// A loop of the host's, by the descriptor.
    Loop {
        /// How often a look has found nothing: what is started until the next one belongs together.
        turn: u64,
    },
    /// Threads that wait, or a function of the application: they do not come before there is a message.
    Other,
}
