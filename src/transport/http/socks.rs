//! Connections through a SOCKS5 proxy (RFC 1928, RFC 1929). With `socks5h` the proxy looks names up, with `socks5` this machine does, as
//! with curl.

use super::names::look_up;
use super::unreached::{BoxError, Unreached};
use hyper::Uri;
use hyper::rt::{Read, Write};
use hyper_util::client::legacy::connect::proxy::SocksV5;
use hyper_util::client::proxy::matcher::Intercept;
use std::future::{Ready, ready};
use std::net::SocketAddr;
use std::task::{Context, Poll};
use tower_service::Service;

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
    use crate::protocol::address::Address;
    use crate::transport::http::connect::Connector;
    use crate::transport::http::settings::{HttpSettings, TlsSettings};
    use hyper_util::client::legacy::connect::Connection as _;
    use hyper_util::client::proxy::matcher::Matcher;
    use std::io::{self, Read as _, Write as _};
    use std::net::{TcpListener, TcpStream};
    use std::sync::Arc;
    use std::thread::{self, JoinHandle};
    use std::time::Duration;
    use tower_service::Service as _;

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
            proxy: Some(Arc::new(Matcher::builder().all(proxy).build())),
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
