//! A client on this library uses the server example of a binding, and the same server on the official SDK, over stdio and over
//! HTTP: it writes the same lines each time, those of `visit.txt` in the folder of the language.

use std::process::Command;
use std::time::Duration;

use super::Stage;
use super::bridge::Background;
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
