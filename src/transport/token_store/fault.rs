//! What went wrong with a file, in words.

use crate::auth::StoreFault;
use std::path::Path;

/// What was done with which file, and what went wrong.
pub(super) fn failed(what: &str, path: &Path, error: impl std::fmt::Display) -> StoreFault {
    StoreFault::Failed(format!("{what} {}: {error}", path.display()))
}
