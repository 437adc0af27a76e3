//! The certificate authorities of macOS, which are in keychains, and of Windows, which are in its certificate stores.

use rustls_native_certs::CertificateResult;
use std::path::PathBuf;

/// Neither has a path.
pub(in crate::transport::http) fn paths() -> (Option<PathBuf>, Vec<PathBuf>) {
    (None, Vec::new())
}

/// Those of the keychains, or of the store `ROOT`.
pub(in crate::transport::http) fn stored() -> Option<CertificateResult> {
    Some(rustls_native_certs::load_native_certs())
}
