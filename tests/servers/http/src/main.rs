//! A server over HTTP that misbehaves on purpose. Without a script it is a small, correct MCP server of both eras; each
//! behaviour on the command line, and each fault that a call of the tool `fault` names, adds one precise wrong. It also
//! watches its clients: what one does against the specification is in the statistics.
//!
//! HTTP is written by hand here, since most faults are in places that no HTTP crate would let them be in.
//!
//! | to find | look in |
//! |---|---|
//! | names and arguments of behaviours | [`behaviours`], read by [`script`] |
//! | what goes wrong with one exchange | [`faults`] |
//! | connections that go wrong between exchanges | [`connection`] |
//! | the right answers | [`reply`], and by era [`modern`], [`legacy`], [`old`] |
//! | the login | [`login`], what clients sign for it in [`signatures`] |
//! | TLS and HTTP/2, which are in front of all that | [`tls`], [`h2`] |
//! | tools | [`tools`] |
//! | event streams and resumption | [`stream`] |
//! | what differs between systems | [`system`] |
//! | what tests may ask and change meanwhile | [`control`], [`stats`] |

mod behaviours;
mod connection;
mod control;
mod faults;
mod h2;
mod http;
mod legacy;
mod login;
mod message;
mod modern;
mod old;
mod reply;
mod script;
mod server;
mod signatures;
mod socket;
mod stats;
mod stream;
mod system;
mod tls;
mod tools;

use std::io::Write as _;
use std::net::TcpListener;
use std::sync::Arc;

use script::{Command, Options};
use server::Server;
use socket::Listener;
use system::LocalListener;

/// The exit code for a command line that makes no sense, so that a typo in a test is not mistaken for a fault.
const USAGE_ERROR: i32 = 64;

fn main() {
    let (options, script) = match script::read(std::env::args().skip(1)) {
        Ok(Command::Serve(options, script)) => (options, script),
        Ok(Command::Help) => {
            print!("{}", script::help());
            return;
        }
        Err(complaint) => fail(&format!("{complaint} (see --help)")),
    };
    let life = options.life;
    std::thread::spawn(move || {
        std::thread::sleep(life);
        std::process::exit(0);
    });
    let (listener, port) = match listen(&options) {
        Ok(listening) => listening,
        Err(error) => fail(&format!("cannot listen: {error}")),
    };
    let control = TcpListener::bind(("127.0.0.1", 0)).and_then(|it| Ok((it.local_addr()?.port(), it)));
    let (control_port, control) = match control {
        Ok(control) => control,
        Err(error) => fail(&format!("cannot listen for control: {error}")),
    };
    let server = Arc::new(Server::new(options, script));
    if let Ok(Some(socket)) = listener.share() {
        server.listens_on(socket);
    }
    let for_control = Arc::clone(&server);
    std::thread::spawn(move || control::serve(&for_control, &control));
    let mut out = std::io::stdout();
    // A test may have ended already; then so do we, at the end of our life.
    let _ = writeln!(out, "{port}\n{control_port}").and_then(|()| out.flush());
    accept(&server, &listener);
}

fn accept(server: &Arc<Server>, listener: &Listener) -> ! {
    loop {
        server.wait_for_thaw();
        // One that cannot be accepted does not count.
        let _ = listener.serve(server);
    }
}

fn listen(options: &Options) -> std::io::Result<(Listener, u16)> {
    if let Some(path) = &options.unix {
        // What an earlier run left there; a listener needs the name free.
        let _ = std::fs::remove_file(path);
        return Ok((Listener::Local(LocalListener::bind(path)?), 0));
    }
    let listener = TcpListener::bind(("127.0.0.1", options.port))?;
    let port = listener.local_addr()?.port();
    match &options.tls {
        Some(tls) => Ok((Listener::Tls(listener, tls::config(tls).map_err(std::io::Error::other)?), port)),
        None => Ok((Listener::Tcp(listener), port)),
    }
}

/// One line to stderr, and the end.
fn fail(complaint: &str) -> ! {
    let _ = writeln!(std::io::stderr(), "mcp-scripted-http: {complaint}");
    std::process::exit(USAGE_ERROR);
}
