//! A client on this library uses the server example of a binding, and the same server on the official SDK, over stdio and over
//! HTTP: it writes the same lines each time, those of `visit.txt` in the folder of the language.

use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::Stage;
use crate::checkout::{Checkout, read};
use crate::ports::free_port;
use crate::process;

const LIMIT: Duration = Duration::from_secs(60);

/// The two servers of a language, and the client for both.
pub struct Visits<'a> {
    /// The folder in `tests/counterparts`.
    pub language: &'a str,
    /// It takes a URL, or a command with its arguments.
    pub client: &'a dyn Fn() -> Command,
    /// The commands of the servers, to which the last word is added over HTTP.
    pub ours: Vec<String>,
    pub theirs: Vec<String>,
    /// What tells a server to serve over HTTP at a port.
    pub place: fn(&str) -> String,
    /// Whether they close what is open on SIGTERM, and end without an error.
    pub ends_well: bool,
}

/// The URL at a port, by which the servers of most languages are told theirs.
pub fn url(port: &str) -> String {
    format!("http://127.0.0.1:{port}/mcp")
}

impl Visits<'_> {
    pub fn check(&self, stage: &mut Stage) {
        for (name, command) in
            [("the server example", &self.ours), ("the server on the official SDK", &self.theirs)]
        {
            let result = self.both_ways(stage.checkout, name, command);
            stage.tally.check(&format!("a client uses {name}, over stdio and over HTTP"), result);
        }
    }

    fn both_ways(&self, checkout: &Checkout, name: &str, command: &[String]) -> Result<(), String> {
        let log = format!("{}-{}", self.language, name.replace(' ', "-"));
        self.once(checkout, command, &format!("{log}-stdio"))?;
        let port = free_port()?;
        let mut server = Command::new(&command[0]);
        process::isolate(&mut server).args(&command[1..]).arg((self.place)(&port));
        let folder = checkout.scratch("visits")?;
        let served = Background::listening(&mut server, &port, &folder.join(format!("{log}-server.log")))?;
        self.once(checkout, &[url(&port)], &format!("{log}-http"))?;
        if self.ends_well { served.terminate() } else { Ok(()) }
    }

    fn once(&self, checkout: &Checkout, server: &[String], log: &str) -> Result<(), String> {
        let expected = read(&checkout.root.join("tests/counterparts").join(self.language).join("visit.txt"))?;
        let mut client = (self.client)();
        let finished = process::run(client.args(server), LIMIT, &checkout.scratch("visits")?.join(log))?;
        if finished.succeeded() && finished.stdout == expected {
            return Ok(());
        }
        let mut differing = expected.lines().zip(finished.stdout.lines()).filter(|(one, other)| one != other);
        let first = differing.next().map_or_else(String::new, |(one, _)| {
            format!(", the first difference where it should say '{one}'")
        });
        Err(format!("{log}: other lines than in {}/visit.txt{first}: {}", self.language, finished.story()))
    }
}

/// How long a server may take until it listens, or ends.
const START: Duration = Duration::from_secs(60);

/// A server in the background, ended when it is dropped.
struct Background(Child);

impl Background {
    /// Starts it and waits until a port is open. What it says goes to the file `log`.
    fn listening(command: &mut Command, port: &str, log: &Path) -> Result<Self, String> {
        let file =
            std::fs::File::create(log).map_err(|error| format!("cannot write {}: {error}", log.display()))?;
        let other = file.try_clone().map_err(|error| error.to_string())?;
        command.stdin(Stdio::null()).stdout(file).stderr(other);
        let child = command.spawn().map_err(|error| format!("cannot start a server: {error}"))?;
        let mut started = Self(child);
        let deadline = Instant::now() + START;
        loop {
            if TcpStream::connect(format!("127.0.0.1:{port}")).is_ok() {
                return Ok(started);
            }
            let ended = started.0.try_wait().map_err(|error| error.to_string())?;
            if ended.is_some() || Instant::now() > deadline {
                let said = std::fs::read_to_string(log).unwrap_or_default();
                return Err(format!("nothing listens on port {port}: {said}"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// SIGTERM, and its end within a time.
    fn terminate(mut self) -> Result<(), String> {
        let sent = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status();
        if !sent.is_ok_and(|status| status.success()) {
            return Err("cannot send SIGTERM".to_owned());
        }
        let deadline = Instant::now() + START;
        while Instant::now() < deadline {
            if let Some(status) = self.0.try_wait().map_err(|error| error.to_string())? {
                return if status.success() { Ok(()) } else { Err(format!("it ended with {status}")) };
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Err("it did not end after SIGTERM".to_owned())
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // After its end there is nothing to kill.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
