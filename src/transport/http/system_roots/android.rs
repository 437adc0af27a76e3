//! The certificate authorities of Android: a directory of the module that updates them, or of the system's image.

use rustls_native_certs::CertificateResult;
use std::path::PathBuf;

/// The newest first: from Android 14 on the second one is not kept up.
const DIRECTORIES: [&str; 2] = ["/apex/com.android.conscrypt/cacerts", "/system/etc/security/cacerts"];

/// The file and the directories that the program's variables name; else the system's directory.
pub(in crate::transport::http) fn paths() -> (Option<PathBuf>, Vec<PathBuf>) {
    let found = openssl_probe::probe();
    if found.cert_file.is_some() || !found.cert_dir.is_empty() {
        return (found.cert_file, found.cert_dir);
    }
    let directory = DIRECTORIES.into_iter().map(PathBuf::from).find(|directory| directory.is_dir());
    (None, directory.into_iter().collect())
}

/// All of them are in files.
pub(in crate::transport::http) fn stored() -> Option<CertificateResult> {
    None
}
