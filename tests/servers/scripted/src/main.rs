//! A server that misbehaves on purpose. Without a script it is a small, correct MCP server over stdio; each behaviour
//! named on the command line, and each tool that is called, adds one precise fault. Tests of the client pick the fault
//! by name and see whether the client keeps its promises.
//!
//! | to find | look in |
//! |---|---|
//! | the faults of start, handshake, lists, stdout framing and shutdown | [`behaviours`] (names), [`lifecycle`], [`wire`], [`ending`] (deeds) |
//! | processes behind the process: grandchildren, wrappers, pid files | [`family`] |
//! | tools that answer at the wrong time, or never | [`tools::timing`] |
//! | tools whose answer breaks JSON-RPC | [`tools::answers`] |
//! | tools whose answer breaks JSON, UTF-8 or the framing | [`tools::bytes`] |
//! | tools that make noise beside the answer, on stdout and stderr | [`tools::noise`] |
//! | tools that send the client requests | [`tools::asking`] |
//! | tools that say what this process sees: received lines, environment, descriptors, ids | [`tools::inspect`] |
//! | pages that a person has to visit first | [`tools::pages`] |
//! | tools of the modern era: rounds, result types, streams | [`tools::rounds`] |
//!
//! `--help` prints every name with its argument. Waits are real and come from arguments. Every process this program
//! starts or is ends by itself after `--life` seconds, so a failed test leaves nothing behind for long.

mod behaviours;
mod clock;
mod ending;
mod family;
mod lifecycle;
mod message;
mod posix;
mod script;
mod session;
mod skills;
mod tools;
mod wire;

use std::io::Write as _;
use std::time::Duration;

use script::{Command, Script};
use session::Session;
use wire::Input;

/// The exit code for a command line that makes no sense, so that a typo in a test is not mistaken for a fault.
pub const USAGE_ERROR: i32 = 64;

fn main() {
    let mut script = match script::read(std::env::args().skip(1)) {
        Ok(Command::Serve(script)) => script,
        Ok(Command::Help) => {
            print!("{}", script::help());
            return;
        }
        Ok(Command::Grandchild(seconds)) => family::live_as_grandchild(seconds),
        Err(complaint) => {
            say(&format!("mcp-scripted-server: {complaint} (see --help)"));
            std::process::exit(USAGE_ERROR);
        }
    };
    ending::limit_life(script.life);
    ending::at_start(&script);
    family::wrap_if_asked(&script);
    let fails = lifecycle::count_start(&mut script);
    family::at_start(&script);
    lifecycle::at_start(&script, fails);
    serve(script);
}

/// Reads until stdin ends, and then ends as the script wants it.
fn serve(script: Script) -> ! {
    let mut input = Input::new(&script);
    let session = Session::new(script);
    while let Some(frame) = input.read() {
        lifecycle::receive(&session, &frame);
        if let Some(pause) = session.take_pause() {
            std::thread::sleep(pause);
        }
    }
    ending::after_eof(&session.script)
}

/// One line to stderr; unlike `eprintln!` it ignores that stderr is closed.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Waits for ever; the life limit ends it.
fn wait_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}
