//! TLS in front of the server: it is taken off here, and what was in it goes to the server behind through a pair of
//! sockets, as HTTP/1.1 straight away or stream by stream out of HTTP/2.

mod certificates;
pub mod session;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use rustix::event::{PollFd, PollFlags};
use rustix::fd::AsFd as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, SupportedProtocolVersion};

use crate::connection::{self, Origin};
use crate::h2;
use crate::server::Server;
use crate::socket::Socket;
use crate::system;
use session::Session;

static ONLY_1_2: &[&SupportedProtocolVersion] = &[&rustls::version::TLS12];
static ONLY_1_3: &[&SupportedProtocolVersion] = &[&rustls::version::TLS13];

/// What TLS there is.
pub struct Options {
    /// Where certificates are put for the client to use.
    pub folder: String,
    pub certificate: &'static str,
    pub asks_for_certificate: bool,
    pub protocols: &'static [&'static str],
    pub versions: &'static [&'static SupportedProtocolVersion],
}

impl Options {
    pub fn in_folder(folder: String) -> Self {
        Self {
            folder,
            certificate: certificates::GOOD,
            asks_for_certificate: false,
            protocols: &["h2", "http/1.1"],
            versions: rustls::ALL_VERSIONS,
        }
    }

    pub fn certificate(name: &str) -> Option<&'static str> {
        certificates::NAMES.iter().copied().find(|known| *known == name)
    }

    pub fn protocols(name: &str) -> Option<&'static [&'static str]> {
        match name {
            "both" => Some(&["h2", "http/1.1"]),
            "h2" => Some(&["h2"]),
            "http/1.1" => Some(&["http/1.1"]),
            "none" => Some(&[]),
            _ => None,
        }
    }

    pub fn versions(name: &str) -> Option<&'static [&'static SupportedProtocolVersion]> {
        match name {
            "1.2" => Some(ONLY_1_2),
            "1.3" => Some(ONLY_1_3),
            _ => None,
        }
    }
}

/// Makes the certificates and the configuration that uses them.
///
/// # Errors
/// Why that cannot be done.
pub fn config(options: &Options) -> Result<Arc<ServerConfig>, String> {
    let made = certificates::make(options.certificate, Path::new(&options.folder))?;
    let chain = vec![CertificateDer::from(made.certificate)];
    let key = PrivateKeyDer::try_from(made.key)?;
    let failed = |error: rustls::Error| error.to_string();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(options.versions)
        .map_err(failed)?;
    let builder = if options.asks_for_certificate {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from(made.issuer)).map_err(failed)?;
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
        builder.with_client_cert_verifier(verifier.map_err(|error| error.to_string())?)
    } else {
        builder.with_no_client_auth()
    };
    let mut config = builder.with_single_cert(chain, key).map_err(failed)?;
    config.alpn_protocols = options.protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    Ok(Arc::new(config))
}

/// Serves one connection to its end.
pub fn serve(server: &Arc<Server>, config: &Arc<ServerConfig>, socket: TcpStream) {
    let number = server.number();
    server.stats.seen().tls_connections += 1;
    let Ok(tls) = ServerConnection::new(Arc::clone(config)) else { return };
    if let Ok(shared) = socket.try_clone() {
        server.keep(number, &Socket::Tcp(shared));
    }
    match Session::begin(socket, tls) {
        Err(why) => server.stats.seen().tls_failures.push(why.to_string()),
        Ok(session) if session.is_http2() => {
            server.stats.seen().h2_connections += 1;
            server.stats.opened();
            h2::serve(server, session, number);
            server.set_idle(number, false);
            server.stats.closed();
        }
        Ok(session) => through(server, session),
    }
    server.let_go(number);
}

/// Brings bytes from side to side until one of them ends.
fn through(server: &Arc<Server>, mut session: Session) {
    let Ok((mut inner, theirs)) = system::pair() else { return };
    let behind = Arc::clone(server);
    std::thread::spawn(move || connection::serve(&behind, Socket::Local(theirs), Origin::Connection));
    if inner.write_all(&session.early()).is_err() {
        return;
    }
    let mut buffer = vec![0; 16_384];
    loop {
        let mut wanted = [session.descriptor(), inner.as_fd()]
            .map(|descriptor| PollFd::from_borrowed_fd(descriptor, PollFlags::IN));
        if rustix::event::poll(&mut wanted, None).is_err() {
            continue;
        }
        let [from_client, from_server] = wanted.map(|it| !it.revents().is_empty());
        if from_server {
            match inner.read(&mut buffer) {
                Ok(bytes) if bytes > 0 && session.write(&buffer[..bytes]).is_ok() => {}
                _ => return session.end(),
            }
        }
        if from_client {
            match session.read() {
                Ok(Some(bytes)) if inner.write_all(&bytes).is_ok() => {}
                // The server behind sees the end when the pair goes.
                _ => return,
            }
        }
    }
}
