//! A fixed number of calls of libmcp's server, for the guard that counts instructions.

use super::running::{Running, Server, call, calls, request};
use crate::contender::Workshop;
use std::ffi::OsString;
use std::path::PathBuf;

/// Runs libmcp's server, led by another program, for so many calls, one after another on one connection, and ends it.
pub fn work(workshop: &Workshop, led_by: &[OsString], era: &str, number: u64) -> Result<(), String> {
    let mut command: Vec<PathBuf> = led_by.iter().map(PathBuf::from).collect();
    command.push(workshop.compile("libmcp-http-server", true)?);
    let running = Running::start(&Server { name: "libmcp", command, takes_port: false, has_sessions: true })?;
    let (body, headers) = call(&running, era)?;
    let request = request(&running, &body, &headers);
    calls(&running, &request, number)?;
    running.close()
}
