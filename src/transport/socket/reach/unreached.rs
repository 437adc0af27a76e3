//! Why a server could not be reached.

/// Why a server could not be reached, with the fix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreached {
    /// What went wrong, in a sentence.
    pub message: String,
    /// The system's error number.
    pub errno: Option<i32>,
    /// The time was over.
    pub timed_out: bool,
}
