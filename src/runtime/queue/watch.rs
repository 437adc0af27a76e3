//! How an application waits for a queue, other than with a thread that looks.

/// How an application waits for a queue, other than with a thread that looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Watch {
    /// It does not.
    Not,
    /// A function of its own is called.
    Callback,
    /// A loop of its own has the descriptor.
    Loop,
}
