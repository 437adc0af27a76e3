//! Tokio's.

use std::io;
use std::path::Path;
pub(in crate::transport::http) use tokio::net::UnixStream as LocalStream;

/// Connects to a server that listens on a path.
///
/// # Errors
/// What the system said.
pub(in crate::transport::http) async fn connect(path: &Path) -> io::Result<LocalStream> {
    LocalStream::connect(path).await
}
