//! Who has to be told of a message.

/// Who has to be told of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attention {
    /// No one: the application comes by itself.
    None,
    /// A loop of the host's, by the descriptor.
    Loop,
    /// Threads that wait, or a function of the application: they do not come before there is a message.
    Other,
}
