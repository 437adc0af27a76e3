//! Where the server is: a program to start (`command`) or a place to reach (`url`, `socket`).

use super::fields::{Fields, wrong};
use super::limits::Around;
use crate::engine::{Error, Timeouts};
use crate::runtime::link::endpoint::Endpoint;
use crate::transport::process::Command;
use crate::transport::process::environment::{Inherit, of_server};
use crate::transport::socket::SocketAddress;

/// What editors write as `type` for a URL. Which transport it is the library finds out.
const HTTP_TYPES: [&str; 5] = ["http", "streamable-http", "streamableHttp", "streamable_http", "sse"];

/// Keys that go with one way to a server only.
const KEYS: [(&str, &str); 9] = [
    ("args", "command"),
    ("env", "command"),
    ("inherit_env", "command"),
    ("cwd", "command"),
    ("headers", "url"),
    ("unix_socket", "url"),
    ("proxy", "url"),
    ("tls", "url"),
    ("http", "url"),
];

impl Endpoint {
    /// The times of calls and handshake; those of a start only where something is started.
    pub(super) fn timeouts(&self, timeouts: Timeouts) -> Timeouts {
        let start = timeouts.start.filter(|_| matches!(self, Endpoint::Process(_)));
        Timeouts { start, ..timeouts }
    }
}

/// Reads where the server is.
pub(super) fn read(fields: &mut Fields<'_>, around: &Around<'_>) -> Result<Endpoint, Error> {
    let kind = fields.string("type")?;
    fields.belonging_elsewhere(&KEYS);
    // Each is asked for, so that the nearest known key can be told from all of them.
    let [by_command, by_url, by_socket] = ["command", "url", "socket"].map(|key| fields.has(key));
    if u8::from(by_command) + u8::from(by_url) + u8::from(by_socket) > 1 {
        let key = if by_url { "url" } else { "socket" };
        let other = if by_command { "command" } else { "socket" };
        return Err(wrong(key, format!("'{other}' is given too; a server is started or reached in one way")));
    }
    check_type(kind.as_deref(), by_url, by_socket)?;
    if by_url {
        return read_url(fields, around);
    }
    check_unauthorized(around)?;
    if by_socket {
        return read_socket(fields);
    }
    Ok(Endpoint::Process(read_command(fields)?))
}

/// Where the host's own transport leads, only the host knows.
pub(super) fn read_custom(fields: &mut Fields<'_>, around: &Around<'_>) -> Result<Endpoint, Error> {
    check_unauthorized(around)?;
    fields.belonging_elsewhere(&KEYS);
    match ["command", "url", "socket", "type"].into_iter().find(|key| fields.has(key)) {
        None => Ok(Endpoint::Custom),
        Some(key) => Err(wrong(key, "the transport is the program's own; leave the key out")),
    }
}

/// Only HTTP has authorization.
fn check_unauthorized(around: &Around<'_>) -> Result<(), Error> {
    if around.authorizes {
        return Err(wrong(
            "auth",
            "it goes with 'url'; a server that is started gets what it needs by 'env'",
        ));
    }
    Ok(())
}

fn check_type(kind: Option<&str>, by_url: bool, by_socket: bool) -> Result<(), Error> {
    let Some(kind) = kind else { return Ok(()) };
    let wanted = match kind {
        "stdio" => "command",
        "socket" => "socket",
        kind if HTTP_TYPES.contains(&kind) => "url",
        _ => {
            let what = format!("'{kind}' is not a transport; there are \"stdio\", \"http\" and \"socket\"");
            return Err(wrong("type", what));
        }
    };
    let given = match (by_url, by_socket) {
        (true, _) => "url",
        (_, true) => "socket",
        _ => "command",
    };
    if wanted == given { Ok(()) } else { Err(wrong("type", format!("'{kind}' goes with '{wanted}'"))) }
}

fn read_socket(fields: &mut Fields<'_>) -> Result<Endpoint, Error> {
    let text = fields.string("socket")?.unwrap_or_default();
    let address = SocketAddress::parse(&text)
        .map_err(|why| wrong("socket", format!("'{text}' cannot be used: {why}")))?;
    Ok(Endpoint::Socket(address))
}

#[cfg(feature = "http")]
fn read_url(fields: &mut Fields<'_>, around: &Around<'_>) -> Result<Endpoint, Error> {
    super::http::read(fields, around).map(|settings| Endpoint::Http(Box::new(settings)))
}

#[cfg(not(feature = "http"))]
fn read_url(_fields: &mut Fields<'_>, _around: &Around<'_>) -> Result<Endpoint, Error> {
    let what = "this build has no HTTP transport (feature 'http'); give a 'command' to start a server over stdio, or a \
                'socket' that it listens on";
    Err(Error::new(crate::engine::Status::Unsupported, "client_new", what).with("key", "url"))
}

/// Whether there is a server at all.
pub(super) fn check(endpoint: &Endpoint) -> Result<(), Error> {
    match endpoint {
        Endpoint::Process(command) if command.program.is_empty() => Err(wrong(
            "command",
            "it is missing or empty; it names the server's program, such as \"npx\" (or give 'url' or 'socket')",
        )),
        _ => Ok(()),
    }
}

fn read_command(fields: &mut Fields<'_>) -> Result<Command, Error> {
    let program = fields.string("command")?.unwrap_or_default();
    let inherit = match fields.choice("inherit_env", &["default", "all", "none"])? {
        Some("all") => Inherit::All,
        Some("none") => Inherit::None,
        _ => Inherit::Default,
    };
    let command = Command {
        program,
        args: fields.strings("args")?.unwrap_or_default(),
        cwd: fields.string("cwd")?.map(Into::into),
        environment: Vec::new(),
    };
    let own = fields.string_map("env")?.unwrap_or_default();
    // The system takes C strings, so a NUL cannot be passed on.
    let nul = |text: &str| text.contains('\0');
    if nul(&command.program) || command.args.iter().any(|arg| nul(arg)) {
        return Err(wrong(
            "command",
            "it or one of 'args' contains a NUL character, which no program can be given",
        ));
    }
    if own.iter().any(|(name, value)| nul(name) || nul(value) || name.is_empty() || name.contains('=')) {
        return Err(wrong(
            "env",
            "a variable's name is empty or contains '=', or it contains a NUL character",
        ));
    }
    Ok(Command { environment: of_server(inherit, &own), ..command })
}
