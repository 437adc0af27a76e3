//! `mcp bridge`: the matrix of transports and eras on both of its sides, the official conformance suite through it, and a life of
//! many reconnections.
//!
//! The files:
//!
//! * `pairs`: every transport and era to every other one, with the assertions of `tests/interop/matrix.c`
//! * `broker`: `mcp run` and `--allow`, with a hostile program
//! * `sessions`: `mcp session` and `mcp serve`
//! * `suite`: the server scenarios of the official suite
//! * `life`: clients and servers that come and go
//! * `login`: servers that demand a login, and a bridge that does

mod broker;
mod life;
mod login;
mod pairs;
mod sessions;
mod suite;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::Stage;

/// How long a server may take until it listens, and anything else that another process does.
const START: Duration = Duration::from_secs(60);

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let program = stage.program()?;
    let built = stage.built()?;
    broker::run(stage, &program)?;
    sessions::run(stage, &built, &program)?;
    pairs::run(stage, &built, &program)?;
    login::run(stage, &program)?;
    life::run(stage, &built, &program)?;
    suite::run(stage, &built, &program)
}

/// Waits for what another process does, for a minute.
fn until(what: &str, is_so: impl Fn() -> Result<bool, String>) -> Result<(), String> {
    let deadline = Instant::now() + START;
    while Instant::now() < deadline {
        if is_so()? {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Err(format!("it is not so after a minute: {what}"))
}

/// One HTTP exchange; everything that comes back.
pub fn spoken(port: &str, method: &str, path: &str, headers: &str, body: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("{method} {path} at port {port}: {error}");
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).map_err(failed)?;
    stream.set_read_timeout(Some(START)).map_err(failed)?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).map_err(failed)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).map_err(failed)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// A server in the background, ended when it is dropped.
pub struct Background(Child);

impl Background {
    /// Starts it and waits until a port is open. What it says goes to the file `log`.
    pub fn listening(command: &mut Command, port: &str, log: &Path) -> Result<Self, String> {
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
    pub fn terminate(mut self) -> Result<(), String> {
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
