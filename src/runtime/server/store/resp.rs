//! One connection to Redis or Valkey: encoded commands out, replies in, each within a time.

use crate::transport::http::tls::{SystemRoots, TlsSettings, config};
use crate::uri_template::percent_decoded;
use rustls::pki_types::ServerName;
use rustls::{ClientConnection, StreamOwned};
use std::fmt;
use std::io::{self, BufRead as _, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest text of a reply: a value of the largest size, or a line.
const MOST_TEXT: usize = 1 << 20;
const MOST_LINE: usize = 64 * 1024;
/// The most replies in one: a thousand entries with their places.
const MOST_REPLIES: usize = 2002;
/// The most bytes of a reply with all its parts. What is asked for has fewer: the entries of a reading have at most those of a value.
const MOST_REPLY: usize = 2 << 20;

/// Where a store is, and what it is shown: `redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]`.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct StoreAddress {
    host: String,
    port: u16,
    is_tls: bool,
    user: Option<String>,
    password: Option<String>,
    database: u32,
    /// A PEM file with certificates to trust beside those of the system.
    pub(crate) ca_file: Option<PathBuf>,
}

impl fmt::Debug for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Without what is secret.
impl fmt::Display for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_tls { "rediss" } else { "redis" };
        write!(f, "{scheme}://{}:{}/{}", self.host, self.port, self.database)
    }
}

impl StoreAddress {
    /// Reads a URL.
    ///
    /// # Errors
    /// What is wrong with it; never what it says.
    pub(crate) fn parse(url: &str) -> Result<StoreAddress, &'static str> {
        let (scheme, rest) = url.split_once("://").ok_or("it has no scheme: redis:// or rediss://")?;
        let is_tls = match scheme {
            "redis" | "valkey" => false,
            "rediss" | "valkeys" => true,
            _ => {
                return Err("its scheme must be redis, rediss, valkey, valkeys, postgres, nats, tls or file");
            }
        };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (login, place) = match authority.rsplit_once('@') {
            Some((login, place)) => (Some(login), place),
            None => (None, authority),
        };
        let (user, password) = match login.map(|login| login.split_once(':').unwrap_or((login, ""))) {
            Some((user, password)) => (Some(decoded(user)?), Some(decoded(password)?)),
            None => (None, None),
        };
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        let is_port = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if is_port(port) => (host, port.parse().map_err(|_| "its port is too large")?),
            _ => (place, 6379),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() || host.contains(['?', '#', ' ']) {
            return Err("it has no host");
        }
        let database = match path {
            "" => 0,
            path => path.parse().map_err(|_| "behind the host there may be the number of a database only")?,
        };
        let (user, password) = (given(user), given(password));
        if user.is_some() && password.is_none() {
            return Err("it has a user and no password");
        }
        Ok(StoreAddress { host: host.to_owned(), port, is_tls, user, password, database, ca_file: None })
    }

    /// Whether it is reached by TLS, and whether it is shown a password.
    pub(super) fn protection(&self) -> (bool, bool) {
        (self.is_tls, self.password.is_some())
    }
}

const WRONG_ESCAPES: &str =
    "its user or password has a percent sign that is not followed by two hexadecimal digits, or is not UTF-8";

/// A part of a URL without its percent signs.
fn decoded(text: &str) -> Result<String, &'static str> {
    percent_decoded(text).ok_or(WRONG_ESCAPES)
}

/// What a store answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reply {
    Number(i64),
    Text(String),
    /// What is not UTF-8.
    Bytes(Vec<u8>),
    Nothing,
    List(Vec<Reply>),
    /// The command was not executed: why.
    Refused(String),
}

impl Reply {
    /// The bytes of a text or a value.
    pub(crate) fn bytes(self) -> Option<Vec<u8>> {
        match self {
            Reply::Text(text) => Some(text.into_bytes()),
            Reply::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The end of an error about a reply that is not the one that was asked for.
    pub(crate) fn unexpected(&self) -> String {
        match self {
            Reply::Refused(why) => {
                format!(
                    "refused: {why}; the user of store.url needs the rights that docs/guide/deployment.md lists"
                )
            }
            _ => "answered in another form than Redis has".to_owned(),
        }
    }
}

/// A stream on which each read and write ends at a time.
struct Timed {
    stream: TcpStream,
    until: Instant,
}

impl Timed {
    fn left(&self) -> io::Result<Duration> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(left) }
    }
}

impl Read for Timed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(into)
    }
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

enum Wire {
    Plain(Timed),
    Tls(Box<StreamOwned<ClientConnection, Timed>>),
}

impl Wire {
    fn timed(&mut self) -> &mut Timed {
        match self {
            Wire::Plain(timed) => timed,
            Wire::Tls(tls) => &mut tls.sock,
        }
    }
}

impl Read for Wire {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Wire::Plain(timed) => timed.read(into),
            Wire::Tls(tls) => tls.read(into),
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Wire::Plain(timed) => timed.write(bytes),
            Wire::Tls(tls) => tls.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Wire::Plain(timed) => timed.flush(),
            Wire::Tls(tls) => tls.flush(),
        }
    }
}

/// One connection.
pub(crate) struct Connection {
    wire: BufReader<Wire>,
    /// How many bytes the reply that is being read may still have.
    left: usize,
}

impl Connection {
    /// Connects to one of the addresses of a host, and logs in.
    ///
    /// # Errors
    /// What was being done, and why it failed.
    pub(crate) fn open(
        to: &StoreAddress,
        resolved: &[SocketAddr],
        until: Instant,
    ) -> Result<Connection, String> {
        let mut why = format!("the host '{}' has no address", to.host);
        let mut connected = None;
        for address in resolved {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            match TcpStream::connect_timeout(address, left) {
                Ok(stream) => {
                    connected = Some(stream);
                    break;
                }
                Err(error) => why = format!("connecting to {address} failed: {error}"),
            }
        }
        let stream = connected.ok_or(why)?;
        stream.set_nodelay(true).map_err(|error| format!("setting the connection up failed: {error}"))?;
        let timed = Timed { stream, until };
        let wire = if to.is_tls { to.tls(timed)? } else { Wire::Plain(timed) };
        let mut connection = Connection { wire: BufReader::new(wire), left: 0 };
        match (&to.user, &to.password) {
            (Some(user), Some(password)) => connection.done(&["AUTH", user, password], until)?,
            (None, Some(password)) => connection.done(&["AUTH", password], until)?,
            (_, None) => {}
        }
        if to.database > 0 {
            connection.done(&["SELECT", &to.database.to_string()], until)?;
        }
        Ok(connection)
    }

    /// Sends one command and waits for its reply.
    pub(crate) fn ask(&mut self, command: &[&str], until: Instant) -> Result<Reply, String> {
        // Not what it is given, which may be a password.
        let of = |error: io::Error| format!("{} failed: {error}", command.first().unwrap_or(&""));
        let mut bytes = Vec::new();
        packed(command, &mut bytes);
        self.send(&bytes, until).map_err(of)?;
        self.reply(until).map_err(of)
    }

    fn done(&mut self, command: &[&str], until: Instant) -> Result<(), String> {
        match self.ask(command, until)? {
            Reply::Refused(why) => {
                let (name, given) = command.split_first().unwrap_or((&"", &[]));
                Err(format!("{name} was refused: {}", without_what_was_given(&why, given)))
            }
            _ => Ok(()),
        }
    }

    /// Sends commands.
    pub(super) fn send(&mut self, packed: &[u8], until: Instant) -> io::Result<()> {
        let wire = self.wire.get_mut();
        wire.timed().until = until;
        wire.write_all(packed)?;
        wire.flush()
    }

    /// The next reply.
    pub(super) fn reply(&mut self, until: Instant) -> io::Result<Reply> {
        self.wire.get_mut().timed().until = until;
        self.left = MOST_REPLY;
        self.value(true)
    }

    /// Whether a reply begins to come until a time.
    pub(super) fn waits(&mut self, until: Instant) -> io::Result<bool> {
        self.wire.get_mut().timed().until = until;
        match self.wire.fill_buf() {
            Ok([]) => Err(ErrorKind::UnexpectedEof.into()),
            Ok(_) => Ok(true),
            Err(error) if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn value(&mut self, may_be_list: bool) -> io::Result<Reply> {
        let line = self.line()?;
        let (kind, rest) = line.split_at_checked(1).ok_or(ErrorKind::InvalidData)?;
        let length = || rest.parse::<i64>().map_err(|_| io::Error::from(ErrorKind::InvalidData));
        Ok(match kind {
            "+" => Reply::Text(rest.to_owned()),
            "-" => Reply::Refused(rest.to_owned()),
            ":" => Reply::Number(length()?),
            "$" => match usize::try_from(length()?) {
                Err(_) => Reply::Nothing,
                Ok(length) if length <= MOST_TEXT => {
                    self.spend(length)?;
                    let mut text = vec![0; length + 2];
                    self.wire.read_exact(&mut text)?;
                    text.truncate(length);
                    match String::from_utf8(text) {
                        Ok(text) => Reply::Text(text),
                        Err(error) => Reply::Bytes(error.into_bytes()),
                    }
                }
                Ok(_) => return Err(ErrorKind::InvalidData.into()),
            },
            "*" if may_be_list => match usize::try_from(length()?) {
                Err(_) => Reply::Nothing,
                Ok(count) if count <= MOST_REPLIES => {
                    Reply::List((0..count).map(|_| self.value(false)).collect::<io::Result<_>>()?)
                }
                Ok(_) => return Err(ErrorKind::InvalidData.into()),
            },
            _ => return Err(ErrorKind::InvalidData.into()),
        })
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = Vec::new();
        let most = MOST_LINE as u64;
        let read = (&mut self.wire).take(most).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.spend(line.len())?;
        let text = line.strip_suffix(b"\r\n").ok_or(ErrorKind::UnexpectedEof)?;
        String::from_utf8(text.to_vec()).map_err(|_| ErrorKind::InvalidData.into())
    }

    /// Counts bytes of a reply.
    fn spend(&mut self, bytes: usize) -> io::Result<()> {
        self.left = self.left.checked_sub(bytes).ok_or(ErrorKind::InvalidData)?;
        Ok(())
    }
}

/// Why a command was refused, without what it was given: Redis quotes the arguments of a command that it does not know, some signs of each.
fn without_what_was_given<'a>(why: &'a str, given: &[&str]) -> &'a str {
    let is_repeated = |given: &&str| !given.is_empty() && why.contains(*given);
    let code = why.split(' ').next().unwrap_or_default();
    let is_code = code.bytes().all(|byte| byte.is_ascii_uppercase());
    match why.contains(['\'', '"', '`']) || given.iter().any(is_repeated) {
        true if is_code => code,
        true => "in words that may have the password in them",
        false => why,
    }
}

impl StoreAddress {
    fn tls(&self, timed: Timed) -> Result<Wire, String> {
        let settings = TlsSettings {
            ca_file: self.ca_file.clone(),
            system_roots: Some(SystemRoots::of_environment()),
            identity: None,
        };
        let config = config(&settings)?;
        let name = ServerName::try_from(self.host.clone())
            .map_err(|_| format!("'{}' is no name that a certificate can have", self.host))?;
        let client = ClientConnection::new(Arc::new(config), name).map_err(|error| error.to_string())?;
        let mut tls = StreamOwned::new(client, timed);
        while tls.conn.is_handshaking() {
            tls.conn
                .complete_io(&mut tls.sock)
                .map_err(|error| format!("TLS with '{}' failed: {error}", self.host))?;
        }
        Ok(Wire::Tls(Box::new(tls)))
    }

    /// The addresses of its host. This may wait for as long as the system looks for them.
    pub(crate) fn resolve(&self) -> Result<Vec<SocketAddr>, String> {
        let found = (self.host.as_str(), self.port).to_socket_addrs();
        Ok(found.map_err(|error| format!("the host '{}' was not found: {error}", self.host))?.collect())
    }
}

/// A command as it is sent.
pub(super) fn packed(command: &[impl AsRef<[u8]>], into: &mut Vec<u8>) {
    into.extend_from_slice(format!("*{}\r\n", command.len()).as_bytes());
    for part in command {
        let part = part.as_ref();
        into.extend_from_slice(format!("${}\r\n", part.len()).as_bytes());
        into.extend_from_slice(part);
        into.extend_from_slice(b"\r\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_says_where_the_store_is_and_is_told_without_its_password() {
        let rows = [
            ("redis://store", ("redis://store:6379/0", None, None)),
            ("valkey://store:7000/3", ("redis://store:7000/3", None, None)),
            ("rediss://:se%2Fcret@store", ("rediss://store:6379/0", None, Some("se/cret"))),
            ("valkeys://ann:a:b@[::1]:1/2", ("rediss://::1:1/2", Some("ann"), Some("a:b"))),
        ];
        for (url, (shown, user, password)) in rows {
            let address = StoreAddress::parse(url).expect(url);
            assert_eq!(format!("{address:?}"), shown, "{url}");
            assert_eq!((address.user.as_deref(), address.password.as_deref()), (user, password), "{url}");
        }
        for url in [
            "store",
            "http://store",
            "redis://",
            "redis://:1",
            "redis://h/x",
            "redis://h:99999",
            "redis://u@h",
            "redis://:%zz@h",
            "redis://:%f@h",
        ] {
            let why = StoreAddress::parse(url).expect_err(url);
            assert!(!why.contains("zz"), "{why}");
        }
    }

    /// A connection to a server that says this and no more.
    fn connection_to(said: Vec<u8>) -> Connection {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let stream = TcpStream::connect(listener.local_addr().expect("an address")).expect("a connection");
        std::thread::spawn(move || {
            let (mut peer, _) = listener.accept().expect("the connection");
            // The reader may have seen enough.
            let _is_written = peer.write_all(&said).is_ok();
        });
        let until = Instant::now() + Duration::from_secs(60);
        Connection { wire: BufReader::new(Wire::Plain(Timed { stream, until })), left: 0 }
    }

    #[test]
    fn a_reply_has_a_bound_for_all_its_parts() {
        let until = Instant::now() + Duration::from_secs(60);
        let text =
            |length: usize| [format!("${length}\r\n").as_bytes(), &vec![b'x'; length], b"\r\n"].concat();
        let list =
            |part: &[u8], count: usize| [format!("*{count}\r\n").as_bytes(), &part.repeat(count)].concat();
        let line = [b"+", &vec![b'x'; MOST_LINE - 3][..], b"\r\n"].concat();
        for (said, is_read) in [
            (text(MOST_TEXT), true),
            (text(MOST_TEXT + 1), false),
            (list(&text(1000), 1000), true),
            (list(&text(MOST_TEXT), 3), false),
            (list(&line, 8), true),
            (list(&line, 40), false),
            (list(b":1\r\n", MOST_REPLIES), true),
            (list(b":1\r\n", MOST_REPLIES + 1), false),
        ] {
            assert_eq!(connection_to(said).reply(until).is_ok(), is_read);
        }
        // Each reply has it.
        let mut connection = connection_to(text(MOST_TEXT).repeat(5));
        for _ in 0..5 {
            connection.reply(until).expect("the next one");
        }
    }

    #[test]
    fn a_refusal_does_not_repeat_what_was_given() {
        let until = Instant::now() + Duration::from_secs(60);
        for (why, is) in [
            ("ERR unknown command 'AUTH', with args beginning with: 's3cret-pass' ", "AUTH was refused: ERR"),
            ("ERR unknown command `AUTH`, with args beginning with: `s3cr`", "AUTH was refused: ERR"),
            ("s3cret-password is wrong", "AUTH was refused: in words that may have the password in them"),
            (
                "WRONGPASS invalid username-password pair",
                "AUTH was refused: WRONGPASS invalid username-password pair",
            ),
        ] {
            let mut connection = connection_to(format!("-{why}\r\n").into_bytes());
            assert_eq!(connection.done(&["AUTH", "s3cret-password"], until), Err(is.to_owned()), "{why}");
        }
    }

    #[test]
    fn a_command_has_the_length_of_each_part() {
        let mut bytes = Vec::new();
        packed(&["SET", "k", ""], &mut bytes);
        assert_eq!(bytes, b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$0\r\n\r\n");
    }
}
