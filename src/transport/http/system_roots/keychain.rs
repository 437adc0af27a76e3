//! The certificate authorities of macOS, which are in keychains.

use rustls_native_certs::CertificateResult;
use std::path::PathBuf;

/// A keychain has no path.
pub(in crate::transport::http) fn paths() -> (Option<PathBuf>, Vec<PathBuf>) {
    (None, Vec::new())
}

/// Those of the keychains.
pub(in crate::transport::http) fn stored() -> Option<CertificateResult> {
    Some(rustls_native_certs::load_native_certs())
}
