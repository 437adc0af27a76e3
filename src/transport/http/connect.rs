//! Connections to where a request goes: directly, through a proxy, or to a Unix socket; bounded in time as a whole.

#[cfg(feature = "auth")]
use super::address::Origin;
use super::names::look_up;
use super::settings::HttpSettings;
#[cfg(feature = "auth")]
use super::settings::TlsSettings;
use super::socket::Socket;
use super::socks;
use super::unreached::{self, BoxError, NoAddress, Target, Unreached};
use crate::transport::system::LocalStream;
use hyper::Uri;
use hyper::rt::{Read, Write};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::legacy::connect::{Connection, HttpConnector};
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::error::Elapsed;
use tower_service::Service;

type Connecting<T> = Pin<Box<dyn Future<Output = Result<T, BoxError>> + Send>>;

/// How long a connection may be idle before the system asks whether the other side is there: less than the minutes after
/// which home routers forget it.
const KEEP_ALIVE: Duration = Duration::from_secs(45);

/// Looks names up, unless that was done already.
#[derive(Clone, Debug)]
pub struct Resolver {
    known: Option<Arc<[SocketAddr]>>,
}

impl Service<Name> for Resolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let known = self.known.clone();
        Box::pin(async move {
            match known {
                Some(known) => Ok(known.iter().copied().collect::<Vec<_>>().into_iter()),
                None => match look_up(name.as_str(), 0).await {
                    Ok(found) => Ok(found.into_iter()),
                    Err(error) => Err(io::Error::other(NoAddress::new(name.as_str(), &error))),
                },
            }
        })
    }
}

/// Makes connections without TLS.
#[derive(Clone, Debug)]
pub struct Dialer {
    tcp: HttpConnector<Resolver>,
    proxy: Option<Arc<Matcher>>,
    unix_socket: Option<Arc<PathBuf>>,
}

/// Makes connections with TLS where the URL says so, within a time.
#[derive(Clone, Debug)]
pub struct Connector {
    inner: HttpsConnector<Dialer>,
    limit: Duration,
}

impl Connector {
    /// A connector for these settings.
    ///
    /// # Errors
    /// Why TLS cannot be set up.
    pub fn new(settings: &HttpSettings) -> Result<Connector, String> {
        let tls = if settings.url.origin().tls {
            super::tls::config(&settings.tls)?
        } else {
            // Never used: redirects do not leave the origin.
            super::tls::nothing()?
        };
        Ok(Connector::with(settings, tls, None, settings.unix_socket.clone()))
    }

    /// A connector to another server than these settings are for. `addresses` are where its name leads.
    ///
    /// # Errors
    /// Why TLS cannot be set up.
    #[cfg(feature = "auth")]
    pub fn to(
        settings: &HttpSettings,
        to: &Origin,
        addresses: Option<Vec<SocketAddr>>,
    ) -> Result<Connector, String> {
        let tls = if to.tls {
            // A certificate that shows who we are to the one is not shown to a server that the one names.
            let identity = settings.tls.identity.clone().filter(|_| *to == *settings.url.origin());
            super::tls::config(&TlsSettings { identity, ..settings.tls.clone() })?
        } else {
            super::tls::nothing()?
        };
        let mut settings = settings.clone();
        // As for the MCP server: this machine is not reached through a proxy.
        settings.proxy = settings.proxy.filter(|_| !crate::auth::is_loopback(&to.host));
        Ok(Connector::with(&settings, tls, addresses, None))
    }

    fn with(
        settings: &HttpSettings,
        tls: ClientConfig,
        addresses: Option<Vec<SocketAddr>>,
        unix_socket: Option<PathBuf>,
    ) -> Connector {
        let mut tcp = HttpConnector::new_with_resolver(Resolver { known: addresses.map(Into::into) });
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(settings.connect));
        tcp.set_keepalive(Some(KEEP_ALIVE));
        tcp.set_keepalive_interval(Some(KEEP_ALIVE / 3));
        let dialer = Dialer { tcp, proxy: settings.proxy.clone(), unix_socket: unix_socket.map(Arc::new) };
        let inner = HttpsConnectorBuilder::new()
            .with_tls_config(tls)
            .https_or_http()
            .enable_all_versions()
            .wrap_connector(dialer);
        Connector { inner, limit: settings.connect }
    }
}

impl Service<Uri> for Connector {
    type Response = <HttpsConnector<Dialer> as Service<Uri>>::Response;
    type Error = BoxError;
    type Future = Connecting<Self::Response>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        let limit = self.limit;
        let connecting = self.inner.call(to);
        Box::pin(async move {
            match tokio::time::timeout(limit, connecting).await {
                Ok(Err(error)) if !is_over(&*error) => Err(error),
                Ok(Ok(stream)) => Ok(stream),
                // Of the two bounds, which are one, either may be noticed first.
                Ok(Err(_)) | Err(_) => Err(Unreached(format!(
                    "no connection within {} ms (timeouts.connect_ms); check the address, and whether a firewall is in between",
                    limit.as_millis()
                ))
                .into()),
            }
        })
    }
}

impl Service<Uri> for Dialer {
    type Response = TokioIo<Socket>;
    type Error = BoxError;
    type Future = Connecting<TokioIo<Socket>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        if let Some(path) = self.unix_socket.clone() {
            return Box::pin(async move {
                let stream = LocalStream::connect(path.as_ref())
                    .await
                    .map_err(|error| unreached::explain_socket(&error, &path.display().to_string()))?;
                Ok(TokioIo::new(Socket::unix(stream)))
            });
        }
        let tls = to.scheme_str() == Some("https");
        let Some(proxy) = self.proxy.as_ref().and_then(|proxy| proxy.intercept(&to)) else {
            return dial(self.tcp.clone(), to, Target::Server, Socket::tcp);
        };
        if socks::is_socks(proxy.uri()) {
            return Box::pin(socks::connect(Plain(self.tcp.clone()), proxy, to));
        }
        if proxy.uri().scheme_str() != Some("http") {
            let what = format!(
                "the proxy '{}' is not supported; only http://, socks5:// and socks5h:// proxies are",
                without_secrets(proxy.uri())
            );
            return Box::pin(async move { Err(what.into()) });
        }
        if !tls {
            // The proxy takes the request itself; `Client` adds the credentials.
            let proxy = proxy.uri().clone();
            return dial(self.tcp.clone(), proxy, Target::Proxy, |stream| Socket::to_proxy(stream, true));
        }
        let mut tunnel = Tunnel::new(proxy.uri().clone(), Plain(self.tcp.clone()));
        if let Some(credentials) = proxy.basic_auth() {
            tunnel = tunnel.with_auth(credentials.clone());
        }
        Box::pin(async move { Ok(tunnel.call(to).await?) })
    }
}

/// Direct connections only, for the proxy itself.
#[derive(Clone)]
struct Plain(HttpConnector<Resolver>);

impl Service<Uri> for Plain {
    type Response = TokioIo<Socket>;
    type Error = BoxError;
    type Future = Connecting<TokioIo<Socket>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        dial(self.0.clone(), to, Target::Proxy, |stream| Socket::to_proxy(stream, false))
    }
}

fn dial(
    mut tcp: HttpConnector<Resolver>,
    to: Uri,
    target: Target,
    socket: fn(TcpStream) -> Socket,
) -> Connecting<TokioIo<Socket>> {
    Box::pin(async move {
        match tcp.call(to.clone()).await {
            Ok(stream) => Ok(TokioIo::new(socket(stream.into_inner()))),
            // How long that was allowed to take is told by the connector, which knows.
            Err(error) if is_over(&error) => Err(error.into()),
            Err(error) => Err(unreached::explain(&error, &to, target)),
        }
    })
}

/// Whether it was our bound that ended an attempt, of which each address of a name has its share, and not the system's.
fn is_over(error: &(dyn std::error::Error + 'static)) -> bool {
    unreached::find::<Elapsed>(error).is_some()
}

/// A proxy's address without the name and password that may stand in it.
fn without_secrets(uri: &Uri) -> String {
    format!("{}://{}", uri.scheme_str().unwrap_or("?"), uri.host().unwrap_or("?"))
}

/// What a connector gives is what the client takes.
const _: fn() = || {
    fn takes<T: Read + Write + Connection + Unpin + Send + 'static>() {}
    takes::<<Connector as Service<Uri>>::Response>();
};

#[cfg(test)]
mod tests {
    use super::is_over;
    use std::future::pending;
    use std::io;
    use std::time::Duration;
    use tokio::time::error::Elapsed;
    use tokio::time::timeout;

    /// As hyper-util wraps the share of one address.
    #[derive(Debug)]
    struct Wrapped(io::Error);

    impl std::fmt::Display for Wrapped {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("tcp connect error")
        }
    }

    impl std::error::Error for Wrapped {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }

    fn elapsed() -> Elapsed {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(async { timeout(Duration::ZERO, pending::<()>()).await }).expect_err("nothing comes")
    }

    #[test]
    fn our_bound_and_the_systems_are_told_apart() {
        assert!(is_over(&elapsed()));
        assert!(is_over(&Wrapped(io::Error::new(io::ErrorKind::TimedOut, elapsed()))));
        assert!(!is_over(&Wrapped(io::ErrorKind::TimedOut.into())));
        assert!(!is_over(&Wrapped(rustix::io::Errno::TIMEDOUT.into())));
    }
}
