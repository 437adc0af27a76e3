//! What a call says that it expects of its tool, its prompt or its resource, by the draft of digests: no part, for a call owns its own.

use crate::engine::client::exchanges::RpcError;

/// What is known of one definition.
#[derive(Clone, Debug)]
pub(crate) struct KnownDigest {
    pub(crate) digest: Box<str>,
    /// A hash of what arguments depend on: calls that were made by another definition still fit where it is the same.
    pub(crate) input: u64,
}

/// The definition by which a call was last sent, where the library said so in the application's place. What is known of the tool may be
/// another one by the time of the answer.
#[derive(Debug)]
pub(crate) struct SentDigest {
    pub(crate) known: KnownDigest,
    /// Why the server refused it, until the list came again.
    pub(crate) refusal: Option<RpcError>,
}

impl SentDigest {
    /// Whether a call that was refused by this definition may go out by another one: its arguments mean the same there.
    pub(crate) fn may_go_by(&self, present: &KnownDigest) -> bool {
        present.input == self.known.input && present.digest != self.known.digest
    }
}
