//! The certificate authorities of a system that has them in files.

use rustls_native_certs::CertificateResult;
use std::path::PathBuf;

/// The file, and the directories.
pub(in crate::transport::http) fn paths() -> (Option<PathBuf>, Vec<PathBuf>) {
    let found = openssl_probe::probe();
    (found.cert_file, found.cert_dir)
}

/// All of them are in files.
pub(in crate::transport::http) fn stored() -> Option<CertificateResult> {
    None
}
