//! Where the browser comes back to after a login: a listener on this machine's loopback address that takes the answer and
//! shows the person a plain page (RFC 8252, sections 7.3 and 8.3).
//!
//! Anybody on this machine, and every web page through the person's browser, can knock here. So only a GET of the exact
//! path, addressed to just this listener, is looked at; nothing of a request appears in an answer, and nothing is redirected.
//! What an answer means is not decided here. The port is the login's until that is over: if it were closed earlier, another
//! program could take it and get the code.

use crate::auth::Listen;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, BorrowedFd};
use rustix::io::Errno;
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// The longest head of a request.
const HEAD_BYTES: usize = 16 * 1024;
/// How many connections are open at a time; for one more the oldest is closed.
const MOST_CONNECTIONS: usize = 8;
/// How long a connection may take for its request.
const REQUEST_TIME: Duration = Duration::from_secs(10);
/// How long no connection is accepted when there is no room for it.
const PAUSE: Duration = Duration::from_millis(50);
/// What a connection has for its first bytes before another one may take its place.
const FIRST_BYTES: Duration = Duration::from_millis(200);

/// What the person is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Page {
    /// The answer was taken; the listener ends.
    Taken,
    /// The answer ended the login; the listener ends.
    Failed,
    /// It was not for this login; the listener continues.
    Stray,
}

/// How listening ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// With an answer.
    Answered,
    /// None came in time.
    OutOfTime,
    /// It was told to.
    Stopped,
}

/// A listener.
#[derive(Debug)]
pub struct Loopback {
    listeners: Vec<TcpListener>,
    port: u16,
    /// What `Host` must say.
    authority: String,
    path: String,
}

struct BrowserConnection {
    stream: TcpStream,
    head: Vec<u8>,
    until: Instant,
}

impl Loopback {
    /// Listens. A port that must be taken is, or it is an error; else the preferred one if it is free, or any.
    ///
    /// # Errors
    /// No port can be had.
    pub fn bind(listen: &Listen) -> std::io::Result<Loopback> {
        let name = listen.host.trim_matches(['[', ']']);
        let address = if name == "localhost" {
            IpAddr::V4(Ipv4Addr::LOCALHOST)
        } else {
            name.parse().ok().filter(IpAddr::is_loopback).ok_or(ErrorKind::AddrNotAvailable)?
        };
        let first = match (listen.port, listen.preferred) {
            (Some(port), _) => TcpListener::bind(SocketAddr::new(address, port))?,
            (None, preferred) => preferred
                .and_then(|port| TcpListener::bind(SocketAddr::new(address, port)).ok())
                .map_or_else(|| TcpListener::bind(SocketAddr::new(address, 0)), Ok)?,
        };
        let port = first.local_addr()?.port();
        let mut listeners = vec![first];
        if name == "localhost" {
            // Some browsers try the other family first. If it cannot be had they come to this one.
            listeners.extend(TcpListener::bind(SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), port)));
        }
        for listener in &listeners {
            listener.set_nonblocking(true)?;
        }
        // A browser leaves the usual port out.
        let authority = if port == 80 { listen.host.clone() } else { format!("{}:{port}", listen.host) };
        Ok(Loopback { listeners, port, authority, path: listen.path.clone() })
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Waits for the browser, until `until` at the latest, or until `stop` is readable. `judge` gets path and query of each
    /// request for the right path.
    ///
    /// # Errors
    /// The system does not let us wait.
    pub fn serve(
        self,
        until: Instant,
        stop: BorrowedFd<'_>,
        mut judge: impl FnMut(&str) -> Page,
    ) -> std::io::Result<End> {
        let mut open: Vec<BrowserConnection> = Vec::new();
        let mut out_of_order = false;
        loop {
            let now = Instant::now();
            if now >= until {
                return Ok(End::OutOfTime);
            }
            open.retain(|connection| now < connection.until);
            let next = open.iter().map(|connection| connection.until).min().unwrap_or(until).min(until);
            // Without room, here or in the system, the same connection would be reported again at once.
            let (listeners, next) = if out_of_order {
                (&[][..], next.min(now + PAUSE))
            } else {
                (self.listeners.as_slice(), next)
            };
            if wait(listeners, &open, stop, next.saturating_duration_since(now))? {
                return Ok(End::Stopped);
            }
            out_of_order = !self.listeners.iter().all(|listener| accept(listener, &mut open));
            let mut at = 0;
            while let Some(connection) = open.get_mut(at) {
                let Some(whole) = read_head(connection) else {
                    at += 1;
                    continue;
                };
                let mut connection = open.remove(at);
                let target = whole.then(|| self.target(&connection.head)).flatten();
                let page = target.map(|target| judge(&target));
                answer(&mut connection.stream, page);
                if matches!(page, Some(Page::Taken | Page::Failed)) {
                    return Ok(End::Answered);
                }
            }
        }
    }

    /// Path and query of a request that is for us.
    fn target(&self, head: &[u8]) -> Option<String> {
        let head = std::str::from_utf8(head).ok()?;
        let mut lines = head.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        if method != "GET" || !version.starts_with("HTTP/1.") || words.next().is_some() {
            return None;
        }
        if target.split('?').next()? != self.path || target.contains('#') {
            return None;
        }
        // A page whose name was made to lead here has that name in `Host`.
        let mut hosts = lines.filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("host").then(|| value.trim())
        });
        let host = hosts.next()?;
        let ours = host.eq_ignore_ascii_case(&self.authority) && hosts.next().is_none();
        ours.then(|| target.to_owned())
    }
}

/// Takes connections; the oldest that says nothing makes room, after it had time to. Gives whether more can be taken.
fn accept(listener: &TcpListener, open: &mut Vec<BrowserConnection>) -> bool {
    let now = Instant::now();
    let is_new = |oldest: &BrowserConnection| oldest.until + FIRST_BYTES > now + REQUEST_TIME;
    for _ in 0..MOST_CONNECTIONS {
        if open.len() >= MOST_CONNECTIONS && open.first().is_some_and(is_new) {
            return false;
        }
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return true,
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::ConnectionAborted) => {
                continue;
            }
            Err(_) => return false,
        };
        if open.len() >= MOST_CONNECTIONS {
            open.remove(0);
        }
        if stream.set_nonblocking(true).is_ok() {
            open.push(BrowserConnection { stream, head: Vec::new(), until: Instant::now() + REQUEST_TIME });
        }
    }
    true
}

/// Waits for anything to happen; gives whether it is the word to stop.
fn wait(
    listeners: &[TcpListener],
    open: &[BrowserConnection],
    stop: BorrowedFd<'_>,
    time: Duration,
) -> std::io::Result<bool> {
    let mut watched = vec![PollFd::from_borrowed_fd(stop, PollFlags::IN)];
    watched
        .extend(listeners.iter().map(|listener| PollFd::from_borrowed_fd(listener.as_fd(), PollFlags::IN)));
    watched.extend(open.iter().map(|it| PollFd::from_borrowed_fd(it.stream.as_fd(), PollFlags::IN)));
    // A little longer than asked: what is due is then due.
    let time = Timespec::try_from(time + Duration::from_millis(1)).map_err(|_| ErrorKind::InvalidInput)?;
    match poll(&mut watched, Some(&time)) {
        Ok(_) | Err(Errno::INTR) => Ok(watched.first().is_some_and(|stop| !stop.revents().is_empty())),
        Err(error) => Err(error.into()),
    }
}

/// Reads what is there. None while more is to come; then whether it is a whole head.
fn read_head(connection: &mut BrowserConnection) -> Option<bool> {
    let mut buffer = [0; 2048];
    loop {
        if connection.head.windows(4).any(|end| end == b"\r\n\r\n") {
            return Some(true);
        }
        if connection.head.len() > HEAD_BYTES {
            return Some(false);
        }
        match connection.stream.read(&mut buffer) {
            Ok(0) => return Some(false),
            Ok(count) => connection.head.extend_from_slice(buffer.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return None,
            Err(_) => return Some(false),
        }
    }
}

/// Shows a page. A browser that is gone is not told.
fn answer(stream: &mut TcpStream, page: Option<Page>) {
    let (status, text) = match page {
        Some(Page::Taken) => {
            ("200 OK", "You are logged in. You can close this window and go back to the application.")
        }
        Some(Page::Failed) => {
            ("400 Bad Request", "The login did not work. The application can tell you why.")
        }
        Some(Page::Stray) => ("400 Bad Request", "This is not the answer that the application waits for."),
        None => ("404 Not Found", "There is nothing here."),
    };
    let body = format!("<!doctype html><meta charset=\"utf-8\"><title>Login</title><p>{text}</p>\n");
    let response = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nContent-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n\
         Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    // It fits into the empty buffer of a new connection.
    let _ = stream.write_all(response.as_bytes());
    let _ = stream.shutdown(std::net::Shutdown::Write);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::system::io::connected_pair as pair;
    use rustix::fd::OwnedFd;
    use std::thread::JoinHandle;

    const LONG: Duration = Duration::from_secs(60);

    fn listen(host: &str, port: Option<u16>, preferred: Option<u16>) -> Listen {
        Listen { host: host.to_owned(), port, preferred, path: "/callback".to_owned() }
    }

    /// A listener that serves, what it saw, and its stop.
    struct Serving {
        port: u16,
        thread: JoinHandle<(std::io::Result<End>, Vec<String>)>,
        stop: OwnedFd,
    }

    fn serving(time: Duration, pages: &'static [Page]) -> Serving {
        let loopback = Loopback::bind(&listen("127.0.0.1", None, None)).expect("a port");
        let port = loopback.port();
        let (read, stop) = pair().expect("a pipe");
        let thread = std::thread::spawn(move || {
            let mut seen = Vec::new();
            let end = loopback.serve(Instant::now() + time, read.as_fd(), |target| {
                seen.push(target.to_owned());
                pages.get(seen.len() - 1).copied().unwrap_or(Page::Stray)
            });
            (end, seen)
        });
        Serving { port, thread, stop }
    }

    fn ask(port: u16, request: &str) -> String {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("the port is open");
        stream.set_read_timeout(Some(LONG)).expect("a time");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        // A connection that is closed with something unread may end in an error.
        let _ = stream.read_to_string(&mut answer);
        answer
    }

    fn get(port: u16, target: &str) -> String {
        ask(port, &format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"))
    }

    #[test]
    fn the_redirect_is_accepted_and_the_listener_ends() {
        let serving = serving(LONG, &[Page::Taken]);
        let page = get(serving.port, "/callback?code=x&state=y");
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("logged in"), "{page}");
        let (end, seen) = serving.thread.join().expect("no panic");
        assert_eq!(end.expect("served"), End::Answered);
        assert_eq!(seen, ["/callback?code=x&state=y"]);
        assert!(TcpStream::connect((Ipv4Addr::LOCALHOST, serving.port)).is_err(), "the port is closed");
        drop(serving.stop);
    }

    #[test]
    fn a_request_that_is_not_the_redirect_is_refused_and_the_listener_continues() {
        let serving = serving(LONG, &[Page::Stray, Page::Failed]);
        let port = serving.port;
        for request in [
            format!("GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"),
            format!("GET /callback/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"),
            format!("POST /callback?code=x HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"),
            format!("GET /callback?code=x HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n"),
            format!("GET /callback?code=x HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example\r\n\r\n"),
            "GET /callback?code=x HTTP/1.1\r\n\r\n".to_owned(),
            "nonsense\r\n\r\n".to_owned(),
        ] {
            let page = ask(port, &request);
            assert!(page.starts_with("HTTP/1.1 404 ") && !page.contains("code=x"), "{request}{page}");
        }
        ask(port, &format!("GET /{} HTTP/1.1\r\n", "x".repeat(HEAD_BYTES * 2)));
        drop(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("the port is open"));
        assert!(get(port, "/callback?state=<script>").starts_with("HTTP/1.1 400 "));
        let page = get(port, "/callback?error=access_denied");
        assert!(page.contains("did not work") && !page.contains("access_denied"), "{page}");
        let (end, seen) = serving.thread.join().expect("no panic");
        assert_eq!((end.expect("served"), seen.len()), (End::Answered, 2));
    }

    #[test]
    fn a_silent_connection_keeps_no_other_out() {
        let serving = serving(LONG, &[Page::Taken]);
        let slow: Vec<TcpStream> = (0..MOST_CONNECTIONS * 2)
            .map(|_| TcpStream::connect((Ipv4Addr::LOCALHOST, serving.port)).expect("the port is open"))
            .collect();
        assert!(get(serving.port, "/callback?x").starts_with("HTTP/1.1 200 "));
        assert_eq!(serving.thread.join().expect("no panic").0.expect("served"), End::Answered);
        drop(slow);
    }

    #[test]
    fn it_ends_at_its_deadline_and_when_stopped() {
        let none = serving(Duration::from_millis(5), &[]);
        assert_eq!(none.thread.join().expect("no panic").0.expect("served"), End::OutOfTime);
        let stopped = serving(LONG, &[]);
        drop(stopped.stop);
        assert_eq!(stopped.thread.join().expect("no panic").0.expect("served"), End::Stopped);
    }

    #[test]
    fn the_port_is_the_logins_however_many_requests_are_not_meant() {
        const STRAYS: [Page; 300] = {
            let mut pages = [Page::Stray; 300];
            pages[299] = Page::Taken;
            pages
        };
        let serving = serving(LONG, &STRAYS);
        for _ in 0..300 {
            assert!(get(serving.port, "/nothing").starts_with("HTTP/1.1 404 "));
        }
        for _ in 1..STRAYS.len() {
            assert!(get(serving.port, "/callback?state=wrong").starts_with("HTTP/1.1 400 "));
        }
        assert!(get(serving.port, "/callback?code=x").starts_with("HTTP/1.1 200 "));
        let (end, seen) = serving.thread.join().expect("no panic");
        assert_eq!((end.expect("served"), seen.len()), (End::Answered, STRAYS.len()));
    }

    #[test]
    fn the_preferred_port_is_taken_if_it_is_free_and_a_demanded_one_or_none() {
        let first = Loopback::bind(&listen("127.0.0.1", None, None)).expect("a port");
        let port = first.port();
        assert!(Loopback::bind(&listen("127.0.0.1", Some(port), None)).is_err());
        let other = Loopback::bind(&listen("127.0.0.1", None, Some(port))).expect("another");
        assert_ne!(other.port(), port);
        drop(first);
        let again = Loopback::bind(&listen("127.0.0.1", None, Some(port))).expect("free again");
        assert_eq!(again.port(), port);
        assert!(Loopback::bind(&listen("localhost", None, None)).is_ok());
        for host in ["10.0.0.1", "0.0.0.0", "example.com", "[::]"] {
            assert!(Loopback::bind(&listen(host, None, None)).is_err(), "{host}");
        }
    }
}
