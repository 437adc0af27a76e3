//! TLS of a server, as rustls does it: the certificate that it shows.

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::path::Path;
use std::sync::Arc;

/// The configuration of TLS connections, with the chain of a certificate and its private key in PEM.
///
/// # Errors
/// Which file cannot be used, and why.
pub(crate) fn config(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, String> {
    let unreadable = |path: &Path, error: &dyn std::fmt::Display| {
        format!("the file '{}' cannot be used: {error}", path.display())
    };
    let chain: Result<Vec<CertificateDer<'static>>, _> = CertificateDer::pem_file_iter(certificate)
        .map_err(|error| unreadable(certificate, &error))?
        .collect();
    let chain = chain.map_err(|error| unreadable(certificate, &error))?;
    if chain.is_empty() {
        return Err(unreadable(certificate, &"it has no certificate (PEM)"));
    }
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| unreadable(key, &error))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be set up: {error}"))?
        .with_no_client_auth()
        .with_single_cert(chain, private)
        .map_err(|error| format!("the certificate and the key do not work together: {error}"))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
