//! A fixed number of calls of libmcp's server, for the guard that counts instructions.

use super::running::{ANSWER, Running, Server, answered, call, request};
use crate::contender::Workshop;
use std::ffi::OsString;
use std::io::{BufReader, Write};
use std::net::TcpStream;
use std::path::PathBuf;

/// Runs libmcp's server, led by another program, for so many calls, one after another on one connection, and ends it.
pub fn work(workshop: &Workshop, led_by: &[OsString], era: &str, calls: u64) -> Result<(), String> {
    let mut command: Vec<PathBuf> = led_by.iter().map(PathBuf::from).collect();
    command.push(workshop.compile("libmcp-http-server", true)?);
    let running = Running::start(&Server { name: "libmcp", command, takes_port: false, has_sessions: true })?;
    let (body, headers) = call(&running, era)?;
    let request = request(&running, &body, &headers);
    let called = || -> std::io::Result<bool> {
        let mut connection = BufReader::new(TcpStream::connect(running.authority())?);
        connection.get_ref().set_nodelay(true)?;
        connection.get_ref().set_read_timeout(Some(ANSWER))?;
        for _ in 0..calls {
            connection.get_mut().write_all(request.as_bytes())?;
            if !answered(&mut connection)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    match called() {
        Ok(true) => running.close(),
        Ok(false) => Err(format!("{}: a wrong answer", running.url)),
        Err(error) => Err(format!("{}: {error}", running.url)),
    }
}
