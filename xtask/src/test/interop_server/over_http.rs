//! One case over HTTP: a server of its own, a relay before it, and what the relay saw of the client.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::relay::{Asked, Relay};
use crate::process::Served;

/// A server that has nothing to do ends at once.
const END: Duration = Duration::from_secs(20);
const ANSWER: Duration = Duration::from_secs(20);

/// A server that runs, and the relay that a client reaches it by.
pub struct Stand {
    server: Served,
    address: SocketAddr,
    relay: Relay,
}

impl Stand {
    pub fn start(server: &Path, log: &Path) -> Result<Self, String> {
        let mut server = Served::start(Command::new(server).arg("--http"), log)?;
        let url = server.first_line()?;
        let address = url.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/mcp"));
        let address: SocketAddr = address
            .and_then(|address| address.parse().ok())
            .ok_or_else(|| format!("the server printed '{url}' and no URL"))?;
        Ok(Self { server, address, relay: Relay::to(address)? })
    }

    pub fn url(&self) -> String {
        self.relay.url()
    }

    /// What is added to what the client wrote. The server must end well afterwards.
    pub fn judge(self) -> Result<String, String> {
        let asked = self.relay.asked();
        let still_known = self.still_known(&asked)?;
        self.server.end(END)?.well().map_err(|why| format!("the server: {why}"))?;
        let stream = match asked.streams {
            0 => "failed http: notification stream: the client sent no GET".to_owned(),
            _ => "ok http: notification stream".to_owned(),
        };
        let session = if asked.sessions.is_empty() {
            "failed http: session ended: the client named no session".to_owned()
        } else if asked.ended != asked.sessions {
            let (ended, all) = (asked.ended.len(), asked.sessions.len());
            format!("failed http: session ended: the client ended {ended} of {all} sessions with DELETE")
        } else if still_known > 0 {
            format!("failed http: session ended: the server still knows {still_known} of them")
        } else {
            "ok http: session ended".to_owned()
        };
        Ok(format!("{stream}\n{session}\n"))
    }

    /// How many of the sessions that the client ended the server does not answer with 404.
    fn still_known(&self, asked: &Asked) -> Result<usize, String> {
        let mut known = 0;
        for session in &asked.ended {
            known += usize::from(self.status(session)? != "404");
        }
        Ok(known)
    }

    /// The status of a ping in a session.
    fn status(&self, session: &str) -> Result<String, String> {
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMcp-Session-Id: {session}\r\nContent-Length: {}\r\n\r\n{ping}",
            self.address,
            ping.len()
        );
        let asked = || -> std::io::Result<String> {
            let mut connection = TcpStream::connect(self.address)?;
            connection.set_read_timeout(Some(ANSWER))?;
            connection.write_all(request.as_bytes())?;
            let mut answer = Vec::new();
            connection.read_to_end(&mut answer)?;
            Ok(String::from_utf8_lossy(&answer).into_owned())
        };
        let answer = asked().map_err(|error| format!("no answer to a ping in session {session}: {error}"))?;
        answer.split(' ').nth(1).map(str::to_owned).ok_or_else(|| format!("no status in '{answer}'"))
    }
}
