//! Connections are made: names looked up, directly, through a proxy (HTTP or SOCKS5), to a Unix socket, and with TLS.

#[cfg(feature = "auth")]
use crate::transport::http::address::Origin;
use crate::transport::http::error;
use crate::transport::http::error::{BoxError, ConnectTarget, NoAddress, Unreached};
use crate::transport::http::proxy::Proxies;
use crate::transport::http::settings::HttpSettings;
#[cfg(feature = "auth")]
use crate::transport::http::settings::TlsSettings;
use crate::transport::http::socket::Socket;
use crate::transport::plain_text;
use crate::transport::process::per_process::PerProcess;
use crate::transport::process::thread;
use crate::transport::process::thread::STACK;
use crate::transport::system::LocalStream;
use hyper::Uri;
use hyper::rt::{Read, Write};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::client::legacy::connect::proxy::{SocksV5, Tunnel};
use hyper_util::client::legacy::connect::{Connection, HttpConnector};
use hyper_util::client::proxy::matcher::Intercept;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use std::future::{Future, Ready, ready};
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, oneshot};
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
    proxy: Option<Arc<Proxies>>,
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
            crate::transport::http::tls::config(&settings.tls)?
        } else {
            // Never used: redirects do not leave the origin.
            crate::transport::http::tls::nothing()?
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
            crate::transport::http::tls::config(&TlsSettings { identity, ..settings.tls.clone() })?
        } else {
            crate::transport::http::tls::nothing()?
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
                    .map_err(|error| error::explain_socket(&error, &path.display().to_string()))?;
                Ok(TokioIo::new(Socket::unix(stream)))
            });
        }
        let tls = to.scheme_str() == Some("https");
        let Some(proxy) = self.proxy.as_ref().and_then(|proxy| proxy.intercept(&to)) else {
            return dial(self.tcp.clone(), to, ConnectTarget::Server, Socket::tcp);
        };
        if is_socks(proxy.uri()) {
            return Box::pin(connect(PlainConnector(self.tcp.clone()), proxy, to));
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
            return dial(self.tcp.clone(), proxy, ConnectTarget::Proxy, |stream| {
                Socket::to_proxy(stream, true)
            });
        }
        let mut tunnel = Tunnel::new(proxy.uri().clone(), PlainConnector(self.tcp.clone()));
        if let Some(credentials) = proxy.basic_auth() {
            tunnel = tunnel.with_auth(credentials.clone());
        }
        Box::pin(async move { Ok(tunnel.call(to).await?) })
    }
}

/// Direct connections only, for the proxy itself.
#[derive(Clone)]
struct PlainConnector(HttpConnector<Resolver>);

impl Service<Uri> for PlainConnector {
    type Response = TokioIo<Socket>;
    type Error = BoxError;
    type Future = Connecting<TokioIo<Socket>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        dial(self.0.clone(), to, ConnectTarget::Proxy, |stream| Socket::to_proxy(stream, false))
    }
}

fn dial(
    mut tcp: HttpConnector<Resolver>,
    to: Uri,
    target: ConnectTarget,
    socket: fn(TcpStream) -> Socket,
) -> Connecting<TokioIo<Socket>> {
    Box::pin(async move {
        match tcp.call(to.clone()).await {
            Ok(stream) => Ok(TokioIo::new(socket(stream.into_inner()))),
            // The connector knows the limit, and names it.
            Err(error) if is_over(&error) => Err(error.into()),
            Err(error) => Err(error::explain(&error, &to, target)),
        }
    })
}

/// Whether it was our bound that ended an attempt, of which each address of a name has its share, and not the system's.
fn is_over(error: &(dyn std::error::Error + 'static)) -> bool {
    error::find::<Elapsed>(error).is_some()
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

/// The most names that are looked up at a time; others wait for their turn.
const MOST: usize = 64;
static ROOM: PerProcess<Semaphore> = PerProcess::new(|| Semaphore::new(MOST));

/// The addresses of a name.
///
/// # Errors
/// What the system says of the name, or that there is no thread to ask it on.
pub async fn look_up(host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    // These names are this machine (RFC 6761, section 6.3), whatever a name server says: tokens go there over plain http.
    let bare = host.trim_end_matches('.').to_ascii_lowercase();
    if bare == "localhost" || bare.ends_with(".localhost") {
        return Ok(vec![(Ipv4Addr::LOCALHOST, port).into(), (Ipv6Addr::LOCALHOST, port).into()]);
    }
    let room = ROOM.get().acquire().await.map_err(io::Error::other)?;
    let (say, hear) = oneshot::channel();
    let name = host.to_owned();
    let ask = move || {
        let _room = room;
        // No answer is wanted any more where the request was given up.
        let _given_up = say.send((name.as_str(), port).to_socket_addrs().map(Iterator::collect));
    };
    thread::start("libmcp-wait", STACK, ask).map_err(|error| {
        let what = format!("no thread to look the name up: {}", plain_text(&error));
        io::Error::new(error.kind(), what)
    })?;
    hear.await.map_err(io::Error::other)?
}

/// Where such a proxy listens if its URL does not say (RFC 1928, section 3).
const PORT: u16 = 1080;
/// How many addresses of a name the proxy is asked for.
const MOST_ADDRESSES: usize = 4;

/// A connection that is there.
struct Connected<T>(Option<T>);

impl<T> Service<Uri> for Connected<T> {
    type Response = T;
    type Error = BoxError;
    type Future = Ready<Result<T, BoxError>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _proxy: Uri) -> Self::Future {
        ready(self.0.take().ok_or_else(|| "there is one connection only".into()))
    }
}

/// Whether a proxy is one of these.
pub(super) fn is_socks(proxy: &Uri) -> bool {
    matches!(proxy.scheme_str(), Some("socks5" | "socks5h"))
}

/// Connects to where a URL leads. `connector` connects to the proxy itself.
pub(super) async fn connect<C>(mut connector: C, proxy: Intercept, to: Uri) -> Result<C::Response, BoxError>
where
    C: Service<Uri, Error = BoxError>,
    C::Response: Read + Write + Unpin + Send + 'static,
{
    let host = to.host().unwrap_or_default();
    let port = to.port_u16().unwrap_or(if to.scheme_str() == Some("https") { 443 } else { 80 });
    let at = authority(proxy.uri().host().unwrap_or_default(), proxy.uri().port_u16().unwrap_or(PORT));
    let failed = |why: &str| -> BoxError {
        let scheme = proxy.uri().scheme_str().unwrap_or_default();
        Unreached(format!(
            "no connection to {host}:{port} through the proxy '{scheme}://{at}': {why}. Check 'proxy', or the variables HTTP_PROXY, \
             HTTPS_PROXY and ALL_PROXY; name and password stand in front of the host, as in {scheme}://NAME:PASSWORD@HOST"
        ))
        .into()
    };
    let url = |authority: &str| {
        let built = Uri::builder().scheme("http").authority(authority).path_and_query("/").build();
        built.map_err(|error| failed(&error.to_string()))
    };
    let is_name = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_err();
    let mut targets = vec![url(&authority(host, port))?];
    if is_name && proxy.uri().scheme_str() == Some("socks5") {
        let found: Vec<SocketAddr> = look_up(host, port)
            .await
            .map_err(|error| failed(&format!("'{host}' could not be looked up ({error})")))?;
        targets = found
            .iter()
            .take(MOST_ADDRESSES)
            .map(|address| url(&SocketAddr::new(address.ip(), port).to_string()))
            .collect::<Result<_, _>>()?;
    }
    let mut last = failed("its name has no address");
    for target in targets {
        // Where the proxy is not there, another address of the server changes nothing.
        let stream = connector.call(url(&at)?).await?;
        let mut socks = SocksV5::new(url(&at)?, Connected(Some(stream)));
        if let Some((name, password)) = proxy.raw_auth() {
            socks = socks.with_auth(name.to_owned(), password.to_owned());
        }
        match socks.call(target).await {
            Ok(stream) => return Ok(stream),
            Err(error) => last = failed(&error.to_string()),
        }
    }
    Err(last)
}

fn authority(host: &str, port: u16) -> String {
    format!("{host}:{port}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::address::Address;
    use crate::transport::http::settings::{HttpSettings, TlsSettings};
    use std::future::pending;
    use std::io;
    use std::io::{Read as _, Write as _};
    use std::net::{TcpListener, TcpStream};
    use std::sync::Arc;
    use std::thread::{self, JoinHandle};
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

    #[test]
    fn a_name_has_addresses_and_nonsense_has_none() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        for name in ["localhost", "LOCALHOST", "api.localhost", "a.b.Localhost."] {
            let found = runtime.block_on(look_up(name, 80)).expect("every machine has it");
            assert!(found.iter().all(|address| address.ip().is_loopback() && address.port() == 80), "{name}");
            assert!(!found.is_empty());
        }
        assert!(runtime.block_on(look_up("no such name", 80)).is_err());
    }

    /// What a proxy was told.
    #[derive(PartialEq, Eq, Debug, Default)]
    struct Told {
        login: Option<(String, String)>,
        /// The kind of the address, and the address with its port.
        target: (u8, Vec<u8>),
    }

    fn bytes(stream: &mut TcpStream, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; count];
        stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn text(stream: &mut TcpStream) -> io::Result<String> {
        let length = bytes(stream, 1)?[0];
        Ok(String::from_utf8_lossy(&bytes(stream, usize::from(length))?).into_owned())
    }

    /// Serves one connection, and answers the request with `reply`.
    fn serve(mut stream: TcpStream, login: bool, reply: u8) -> io::Result<Told> {
        let mut told = Told::default();
        let head = bytes(&mut stream, 2)?;
        assert_eq!(head[0], 5);
        let methods = bytes(&mut stream, usize::from(head[1]))?;
        let method = if login { 2 } else { 0 };
        assert!(methods.contains(&method), "{methods:?}");
        stream.write_all(&[5, method])?;
        if login {
            assert_eq!(bytes(&mut stream, 1)?, [1]);
            let (name, password) = (text(&mut stream)?, text(&mut stream)?);
            let is_right = password == "p@ss";
            told.login = Some((name, password));
            stream.write_all(&[1, u8::from(!is_right)])?;
            if !is_right {
                return Ok(told);
            }
        }
        let request = bytes(&mut stream, 4)?;
        assert_eq!(&request[..3], [5, 1, 0], "a connection is asked for");
        let length = match request[3] {
            1 => 4,
            4 => 16,
            _ => usize::from(bytes(&mut stream, 1)?[0]),
        };
        told.target = (request[3], bytes(&mut stream, length + 2)?);
        stream.write_all(&[5, reply, 0, 1, 0, 0, 0, 0, 0, 0])?;
        Ok(told)
    }

    fn proxy(login: bool, reply: u8) -> (u16, JoinHandle<io::Result<Told>>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let thread = thread::spawn(move || serve(listener.accept()?.0, login, reply));
        (port, thread)
    }

    /// Connects to `url` through `proxy`; an error in its words.
    fn connect(url: &str, proxy: &str) -> Result<bool, String> {
        let settings = HttpSettings {
            url: Address::parse(url).expect("a URL"),
            headers: Vec::new(),
            unix_socket: None,
            proxy: Some(Arc::new(Proxies::always(proxy))),
            tls: TlsSettings::default(),
            header_bytes: 65536,
            message_bytes: 65536,
            connect: Duration::from_secs(10),
            compression: false,
            cookies: false,
            idle_connections: 1,
            idle_time: Duration::from_secs(10),
            ping: Duration::from_secs(10),
            remember_era: true,
            resume_attempts: 0,
            draft: crate::protocol::draft::Drafts::default(),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let mut connector = Connector::new(&settings).expect("a connector");
            let connected = connector.call(url.parse().expect("a URL")).await;
            connected.map(|stream| stream.connected().is_proxied()).map_err(|error| error.to_string())
        })
    }

    #[test]
    fn a_socks_proxy_gets_the_name_or_the_address_and_then_passes_everything_on() {
        let name = |name: &str, port: [u8; 2]| (3, [name.as_bytes(), &port].concat());
        let cases = [
            ("socks5h://127.0.0.1:PORT", "http://mcp.example/x", None, name("mcp.example", [0, 80])),
            ("socks5h://127.0.0.1:PORT", "http://mcp.example:8080/", None, name("mcp.example", [0x1f, 0x90])),
            ("socks5h://me:p%40ss@127.0.0.1:PORT", "http://a.b/", Some("me"), name("a.b", [0, 80])),
            ("socks5://127.0.0.1:PORT", "http://192.0.2.7:81/", None, (1, vec![192, 0, 2, 7, 0, 81])),
            (
                "socks5h://127.0.0.1:PORT",
                "http://[2001:db8::1]/",
                None,
                (4, [&[0x20, 1, 0xd, 0xb8][..], &[0; 11], &[1, 0, 80]].concat()),
            ),
        ];
        for (at, url, login, target) in cases {
            let (port, thread) = proxy(login.is_some(), 0);
            let is_forwarded = connect(url, &at.replace("PORT", &port.to_string()));
            assert_eq!(is_forwarded, Ok(false), "{at} {url}: requests are those to the server itself");
            let login = login.map(|name| (name.to_owned(), "p@ss".to_owned()));
            assert_eq!(
                thread.join().expect("served").expect("to the end"),
                Told { login, target },
                "{at} {url}"
            );
        }
        // The name is looked up here.
        let (port, thread) = proxy(false, 0);
        assert_eq!(connect("http://localhost:81/", &format!("socks5://127.0.0.1:{port}")), Ok(false));
        let target = thread.join().expect("served").expect("to the end").target;
        assert!(target == (1, vec![127, 0, 0, 1, 0, 81]) || target.0 == 4, "{target:?}");
    }

    #[test]
    fn what_a_socks_proxy_refuses_is_told_without_the_password() {
        for (login, reply, url, says) in [
            (
                false,
                5,
                "socks5h://127.0.0.1:PORT",
                "no connection to mcp.example:80 through the proxy 'socks5h://127.0.0.1:PORT'",
            ),
            (true, 0, "socks5h://me:wr0ng@127.0.0.1:PORT", "credentials not accepted"),
        ] {
            let (port, thread) = proxy(login, reply);
            let fill = |text: &str| text.replace("PORT", &port.to_string());
            let told = connect("http://mcp.example/", &fill(url)).expect_err("it is refused");
            assert!(told.contains(&fill(says)) && !told.contains("wr0ng"), "{told}");
            thread.join().expect("served").expect("to the end");
        }
        let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
        let told = connect("http://mcp.example/", &format!("socks5h://127.0.0.1:{free}"))
            .expect_err("nothing listens");
        assert!(told.contains("the proxy") && told.contains(&free.to_string()), "{told}");
        let told = connect("http://mcp.example/", "socks4://127.0.0.1:9").expect_err("another kind");
        assert!(told.contains("socks4://127.0.0.1") && told.contains("socks5"), "{told}");
    }
}
