//! TLS as rustls does it, with ring for the cryptography: what is trusted, and what is shown to a server that asks.

use super::settings::TlsSettings;
use rustls::client::Resumption;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Sessions that are kept to be taken up again. A configuration is for one server, which gives a few tickets; rustls has room for 256,
/// 14 KiB for each client.
const SESSIONS: usize = 16;

/// The configuration of TLS connections.
///
/// # Errors
/// Which file cannot be used, and why; or that nothing would be trusted.
pub fn config(settings: &TlsSettings) -> Result<ClientConfig, String> {
    let mut roots = Arc::new(RootCertStore::empty());
    if let Some(system) = &settings.system_roots {
        match system.load() {
            Ok(known) => roots = known,
            Err(_) if settings.ca_file.is_some() => {}
            Err(why) => {
                return Err(format!(
                    "the system has no certificate authorities to trust{why}; install ca-certificates or give tls.ca_file"
                ));
            }
        }
    }
    if let Some(path) = &settings.ca_file {
        let roots = Arc::make_mut(&mut roots);
        for certificate in certificates(path, "tls.ca_file")? {
            roots.add(certificate).map_err(|error| {
                format!("tls.ca_file '{}' has a certificate that cannot be used: {error}", path.display())
            })?;
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be set up: {error}"))?
        .with_root_certificates(roots);
    let mut config = match &settings.identity {
        None => builder.with_no_client_auth(),
        Some((certificate, key)) => {
            let chain = certificates(certificate, "tls.client_certificate")?;
            let private = PrivateKeyDer::from_pem_file(key)
                .map_err(|error| format!("tls.client_key '{}' cannot be read: {error}", key.display()))?;
            builder.with_client_auth_cert(chain, private).map_err(|error| {
                format!("tls.client_certificate and tls.client_key do not work together: {error}")
            })?
        }
    };
    config.resumption = Resumption::in_memory_sessions(SESSIONS);
    Ok(config)
}

fn certificates(path: &Path, key: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let unreadable =
        |error: &dyn std::fmt::Display| format!("{key} '{}' cannot be read: {error}", path.display());
    let mut found = Vec::new();
    for certificate in CertificateDer::pem_file_iter(path).map_err(|error| unreadable(&error))? {
        found.push(certificate.map_err(|error| unreadable(&error))?);
    }
    if found.is_empty() {
        return Err(format!("{key} '{}' has no certificate in it (PEM)", path.display()));
    }
    Ok(found)
}

/// A configuration that trusts no authority, for connections that are not encrypted. All of them share one.
///
/// # Errors
/// That TLS cannot be set up.
pub fn nothing() -> Result<ClientConfig, String> {
    static SHARED: OnceLock<ClientConfig> = OnceLock::new();
    if let Some(shared) = SHARED.get() {
        return Ok(shared.clone());
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be set up: {error}"))?
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    config.resumption = Resumption::disabled();
    Ok(SHARED.get_or_init(|| config).clone())
}
