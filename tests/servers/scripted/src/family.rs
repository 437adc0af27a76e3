//! More than one process: the grandchild that holds the pipes, and the wrapper that starts the real server. The client
//! started one process and has to be rid of them all.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::script::{Death, GRANDCHILD, Script};
use crate::{ending, posix};

/// Becomes the launcher of the server proper, which gets the rest of the script.
pub fn wrap_if_asked(script: &Script) {
    if let Some(how) = script.text("wrapper") {
        note_pid(script, std::process::id());
        wrap(script, how == "exit");
    }
}

pub fn at_start(script: &Script) {
    note_pid(script, std::process::id());
    let dies_first = script.death("grandchild-exit-first");
    if dies_first.is_some() || script.has("grandchild") {
        let mut grandchild = this_program();
        // It holds stdout and stderr, which is the point; it has no stdin whose end could tell it to go.
        grandchild.arg(GRANDCHILD).arg(script.life.as_secs().to_string()).stdin(Stdio::null());
        if script.text("grandchild") == Some("setsid") {
            posix::in_new_session(&mut grandchild);
        }
        note_pid(script, start(&mut grandchild).id());
    }
    if let Some(death) = dies_first {
        death.die();
    }
}

/// The whole life of a grandchild. What it ignores and which session it is in, it has from its parent, so that it is so
/// from the first instant and not only once this function runs.
pub fn live_as_grandchild(seconds: u64) -> ! {
    ending::limit_life(Duration::from_secs(seconds));
    crate::wait_for_ever()
}

/// Starts the server proper with our own streams and plays the launcher from here on.
fn wrap(script: &Script, leave: bool) -> ! {
    let mut server = this_program();
    server.args(script.arguments_without("wrapper"));
    let mut server = start(&mut server);
    if leave {
        Death::Exit(0).die();
    }
    let code = server.wait().ok().and_then(|status| status.code()).unwrap_or(1);
    std::process::exit(code)
}

fn this_program() -> Command {
    Command::new(std::env::current_exe().expect("a running program has a path"))
}

fn start(command: &mut Command) -> Child {
    command.spawn().expect("this program can be started again")
}

/// Writes the pid down in one append, so that processes starting at the same time do not mix their lines.
fn note_pid(script: &Script, pid: u32) {
    if let Some(file) = script.text("write-pid") {
        let opened = OpenOptions::new().create(true).append(true).open(file);
        let written = opened.and_then(|mut file| file.write_all(format!("{pid}\n").as_bytes()));
        if let Err(error) = written {
            crate::say(&format!("mcp-scripted-server: write-pid={file}: {error}"));
            std::process::exit(crate::USAGE_ERROR);
        }
    }
}
