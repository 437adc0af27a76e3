//! Where the server is: `command`, `url` or `socket`, and the keys that go with each.

use super::keys::{EndpointContext, HttpKeys};
use crate::config::define::{Definition, settings};
use crate::config::fields::{Fields, wrong};
use crate::config::kinds::{Choice, Optional, Text, Texts, TextsByName};
use crate::engine::{Error, Timeouts};
use crate::runtime::link::owner::LinkTarget;
use crate::transport::process::{Command, Inherit, of_server};
use crate::transport::socket::SocketAddress;

/// The transports by the names that editors use, each with the key that it goes with. Which HTTP transport a server has the library finds
/// out.
const TRANSPORTS: &[(&str, &str)] = &[
    ("stdio", "command"),
    ("http", "url"),
    ("streamable-http", "url"),
    ("streamableHttp", "url"),
    ("streamable_http", "url"),
    ("sse", "url"),
    ("socket", "socket"),
];

const INHERIT: &[(&str, Inherit)] =
    &[("default", Inherit::Default), ("all", Inherit::All), ("none", Inherit::None)];

settings! {
    /// The keys of which one says where the server is.
    ServerKeys {
        /// the program: a path, or a name to find in `PATH`. No shell is involved
        command: Option<String> = Optional(Text), None, "this or `url`";
        /// `http://` or `https://`, as the server's documentation has it. Its path and query are sent as they are
        /// written
        url: Option<String> = Optional(Text), None, "this or `command`";
        /// `"unix:/path"`, `"unix:@name"` (abstract, Linux), or `"tcp:host:port"` (`"tcp:[::1]:4000"`). The bytes are those of stdio,
        /// without HTTP and TLS. For HTTP over a Unix socket use `url` with `unix_socket`
        socket: Option<String> = Optional(Text), None, "instead of `command`";
        /// as in files of editors: `"stdio"` with `command`, `"socket"` with `socket`, the others with `url`. The library detects the HTTP
        /// transport of a server
        r#type: Option<&'static str> = Optional(Choice(TRANSPORTS)), None;
    }
}

settings! {
    /// The keys that go with `command`.
    ProcessKeys {
        /// its arguments, as they are
        args: Vec<String> = Texts, Vec::new();
        /// variables for the server, over the inherited ones. Names must not be empty or contain `=`
        env: Vec<(String, String)> = TextsByName, Vec::new();
        /// what the server sees of the host's environment: some variables, everything, or nothing
        inherit_env: Inherit = Choice(INHERIT), Inherit::Default;
        /// the directory it is started in
        cwd: Option<String> = Optional(Text), None, "the host's";
    }
}

/// Keys that go with one way to a server only.
const ELSEWHERE: &[(&[&str], &str)] = &[(ProcessKeys::KEYS, "command"), (HttpKeys::KEYS, "url")];

/// What other programs call some of these keys.
pub(super) const ALIASES: &[(&str, &str)] = &[
    ("arguments", "args"),
    ("cmd", "command"),
    ("environment", "env"),
    ("baseUrl", "url"),
    ("httpUrl", "url"),
    ("serverURL", "url"),
    ("serverUrl", "url"),
    ("workingDirectory", "cwd"),
    ("working_directory", "cwd"),
];

impl LinkTarget {
    /// The times of calls and handshake; those of a start only where something is started.
    pub(super) fn timeouts(&self, timeouts: Timeouts) -> Timeouts {
        let start = timeouts.start.filter(|_| matches!(self, LinkTarget::Process(_)));
        Timeouts { start, ..timeouts }
    }
}

/// Reads where the server is.
pub(super) fn read(fields: &mut Fields<'_>, context: &EndpointContext<'_>) -> Result<LinkTarget, Error> {
    fields.belonging_elsewhere(ELSEWHERE);
    fields.known_elsewhere_as(ALIASES);
    let keys = ServerKeys::read(fields)?;
    let given = [("command", &keys.command), ("url", &keys.url), ("socket", &keys.socket)];
    let mut given = given.into_iter().filter_map(|(key, value)| Some((key, value.as_deref()?)));
    let (key, value) = given.next().unwrap_or(("command", ""));
    if let Some((other, _)) = given.next() {
        // The more usual key is the one to keep.
        let (key, other) = if (key, other) == ("url", "socket") { (other, key) } else { (key, other) };
        let what = format!("'{key}' is given too; a server is started or reached in one way");
        return Err(wrong(other, what));
    }
    if let Some(wanted) = keys.r#type.filter(|wanted| *wanted != key) {
        return Err(wrong("type", format!("it goes with '{wanted}'")));
    }
    if key == "url" {
        return read_url(value, fields, context);
    }
    check_unauthorized(context)?;
    if key == "socket" {
        let address = SocketAddress::parse(value).map_err(|why| {
            // As in a URL, what is before an '@' may be a password.
            let user = value.strip_prefix("tcp:").and_then(|rest| rest.rsplit_once('@'));
            let shown = user.map_or_else(|| value.to_owned(), |(_, host)| format!("tcp:****@{host}"));
            wrong("socket", format!("'{shown}' cannot be used: {why}"))
        })?;
        return Ok(LinkTarget::Socket(address));
    }
    command(value.to_owned(), ProcessKeys::read(fields)?).map(LinkTarget::Process)
}

/// Where the host's own transport leads, only the host knows.
pub(super) fn read_custom(
    fields: &mut Fields<'_>,
    context: &EndpointContext<'_>,
) -> Result<LinkTarget, Error> {
    check_unauthorized(context)?;
    fields.belonging_elsewhere(ELSEWHERE);
    fields.known_elsewhere_as(ALIASES);
    match ServerKeys::KEYS.iter().find(|key| fields.value(key).is_some()) {
        None => Ok(LinkTarget::Custom),
        Some(key) => Err(wrong(key, "the transport is the program's own; leave the key out")),
    }
}

/// Only HTTP has authorization.
fn check_unauthorized(context: &EndpointContext<'_>) -> Result<(), Error> {
    if context.authorizes {
        return Err(wrong(
            "auth",
            "it goes with 'url'; a server that is started gets what it needs by 'env'",
        ));
    }
    Ok(())
}

#[cfg(feature = "http")]
fn read_url(url: &str, fields: &mut Fields<'_>, context: &EndpointContext<'_>) -> Result<LinkTarget, Error> {
    super::http::settings(url, HttpKeys::read(fields)?, context)
        .map(|settings| LinkTarget::Http(Box::new(settings)))
}

#[cfg(not(feature = "http"))]
fn read_url(
    _url: &str,
    _fields: &mut Fields<'_>,
    _around: &EndpointContext<'_>,
) -> Result<LinkTarget, Error> {
    let what = "this build has no HTTP transport (feature 'http'); give a 'command' to start a server over stdio, or a \
                'socket' that it listens on";
    Err(Error::new(crate::engine::Status::Unsupported, "client_new", what).with("key", "url"))
}

/// Whether there is a server at all.
pub(super) fn check(endpoint: &LinkTarget) -> Result<(), Error> {
    match endpoint {
        LinkTarget::Process(command) if command.program.is_empty() => Err(wrong(
            "command",
            "it is missing or empty; it names the server's program, such as \"npx\" (or give 'url' or 'socket')",
        )),
        // It is not shown: it may have a password in it.
        LinkTarget::Process(command) if is_url(&command.program) => {
            Err(wrong("command", "it is a URL, and no program; a server at a URL has the key 'url'"))
        }
        _ => Ok(()),
    }
}

/// Whether a program has the name of what "url" takes.
fn is_url(program: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| program.starts_with(scheme))
}

fn command(program: String, keys: ProcessKeys) -> Result<Command, Error> {
    let ProcessKeys { args, env, inherit_env, cwd } = keys;
    // The system takes C strings, so a NUL cannot be passed on.
    let nul = |text: &str| text.contains('\0');
    if nul(&program) || args.iter().any(|arg| nul(arg)) {
        return Err(wrong(
            "command",
            "it or one of 'args' contains a NUL character, which no program can be given",
        ));
    }
    if env.iter().any(|(name, value)| nul(name) || nul(value) || name.is_empty() || name.contains('=')) {
        return Err(wrong(
            "env",
            "a variable's name is empty or contains '=', or it contains a NUL character",
        ));
    }
    Ok(Command { program, args, cwd: cwd.map(Into::into), environment: of_server(inherit_env, &env) })
}
