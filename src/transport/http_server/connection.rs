//! Connections of a server: TLS, and writes that raise no `SIGPIPE`.

use crate::transport::system::io::{QUIET, send_slices};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io::{Error, ErrorKind, IoSlice};
use std::path::Path;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::Interest;
use tokio::net::TcpStream;

/// The most parts that are written at once: every system takes as many.
const PARTS: usize = 64;

/// Writes what lies in several places, as much of it as there is room for.
///
/// # Errors
/// What the system said.
pub fn poll_write_parts(
    stream: &TcpStream,
    context: &mut Context<'_>,
    parts: &[IoSlice<'_>],
) -> Poll<Result<usize, Error>> {
    let parts = &parts[..parts.len().min(PARTS)];
    loop {
        ready!(stream.poll_write_ready(context))?;
        match stream.try_io(Interest::WRITABLE, || Ok(send_slices(stream, parts, QUIET)?)) {
            // Not ready after all; asking again registers the wish to be woken.
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            written => return Poll::Ready(written),
        }
    }
}

/// The configuration of TLS connections, with the chain of a certificate and its private key in PEM.
///
/// # Errors
/// Which file cannot be used, and why.
pub(crate) fn tls_config(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, String> {
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
