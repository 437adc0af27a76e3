//! `mcp run`: a program that reaches the allowed tools of some servers, and has no credentials. The bridge to the servers is this
//! process; the program is a child with its socket.
//!
//! The files:
//!
//! * `sandbox`: `Sandbox`: what the program sees of the system
//! * `running`: `Running`: the program as a process, and its end

mod running;
mod sandbox;

use self::running::{End, Running};
use self::sandbox::Sandbox;
use crate::arguments::{Bridge, Common, Place, Run};
use crate::bridge;
use crate::failure::Failure;
use serde_json::json;
use std::ffi::OsString;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

/// The variable with the address of the bridge.
const ADDRESS: &str = "MCP_SOCKET";
/// What the program gets of the environment besides the variables of `--pass`: where programs are, language, terminal and time zone.
const KEPT: [&str; 6] = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TZ"];

/// Runs the command.
pub fn run(run: &Run, common: &Common) -> Result<(), Failure> {
    keep_to_itself()?;
    let sandbox = if run.no_sandbox { None } else { Some(Sandbox::of(run)?) };
    let variables = passed(&run.pass)?;
    // Only this person may enter it, and it is removed at the end.
    let only_mine = Permissions::from_mode(0o700);
    let folder = tempfile::Builder::new().prefix("mcp-run-").permissions(only_mine).tempdir();
    let folder =
        folder.map_err(|error| Failure::machine(format!("cannot make a folder for the socket: {error}")))?;
    let socket = folder.path().join("socket");
    let servers = Place { words: run.servers.clone(), program: Vec::new() };
    let mut bridge = Bridge::within(servers, run.allow.clone(), run.call_timeout);
    bridge.guard.for_models = true;
    let mut running = None;
    let relayed = bridge::run(&bridge, common, None, None, |server, queue, _| {
        let endpoint = json!({ "socket": address(&socket)?, "same_user": true });
        server.serve(&endpoint.to_string())?;
        let mut command = match &sandbox {
            Some(sandbox) => sandbox.command(&run.program, &socket),
            None => plain(&run.program, &socket, folder.path())?,
        };
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        running = Some(Running::start(command, &run.program[0], queue)?);
        Ok(())
    });
    let Some(running) = running else { return relayed };
    match running.end()? {
        End::Itself(0) => Ok(()),
        End::Itself(code) => {
            let mut failure = Failure::machine(format!("the program ended with {code}"));
            // The program has said why.
            (failure.exit, failure.is_told) = (code, true);
            Err(failure)
        }
        // Its servers have gone, or a signal asked for it.
        End::Killed => Err(relayed.err().unwrap_or_else(Failure::interrupted)),
    }
}

/// Keeps what this process has, such as logins, from the program: its memory and environment, which Linux shows to processes of the
/// same user, and its descriptors.
fn keep_to_itself() -> Result<(), Failure> {
    mcp::client::keep_from_children();
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable).map_err(
        |error| Failure::machine(format!("cannot keep the memory of this process from the program: {error}")),
    )?;
    Ok(())
}

/// The variables of `--pass`.
fn passed(words: &[String]) -> Result<Vec<(String, OsString)>, Failure> {
    let one = |word: &String| match word.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), OsString::from(value))),
        None => match std::env::var_os(word) {
            Some(value) => Ok((word.clone(), value)),
            None => Err(Failure::usage(format!(
                "--pass {word}: there is no such variable here; give {word}=VALUE"
            ))),
        },
    };
    words.iter().map(one).collect()
}

fn address(socket: &Path) -> Result<String, Failure> {
    match socket.to_str() {
        Some(path) => Ok(format!("unix:{path}")),
        None => Err(Failure::machine(format!(
            "{} is not UTF-8, which a socket of the bridge must be: set TMPDIR",
            socket.display()
        ))),
    }
}

/// A command with the environment of the program: what is kept of that of this process, a home, and the address.
fn with_environment(program: &OsString, home: &Path, address: &str) -> Command {
    let mut command = Command::new(program);
    command.env_clear();
    for name in KEPT {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.env("HOME", home).env(ADDRESS, address);
    command
}

/// The program without a sandbox.
fn plain(program: &[String], socket: &Path, home: &Path) -> Result<Command, Failure> {
    let (name, words) =
        program.split_first().ok_or_else(|| Failure::usage("there is no program behind `--`"))?;
    let mut command = with_environment(&name.into(), home, &address(socket)?);
    command.args(words);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_gets_no_variable_that_is_not_named() {
        let command = plain(&["x".to_owned()], Path::new("/s/socket"), Path::new("/s")).expect("a command");
        let names: Vec<String> =
            command.get_envs().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
        assert!(names.contains(&ADDRESS.to_owned()) && names.contains(&"HOME".to_owned()), "{names:?}");
        let is_known = |name: &String| KEPT.contains(&name.as_str()) || name == ADDRESS || name == "HOME";
        assert!(names.iter().all(is_known), "{names:?}");
    }

    #[test]
    fn a_variable_is_passed_with_a_value_or_as_it_is_here() {
        let pass = |word: &str| passed(&[word.to_owned()]);
        assert_eq!(pass("A=b=c").expect("a value"), [("A".to_owned(), OsString::from("b=c"))]);
        assert_eq!(pass("PATH").expect("there")[0].1, std::env::var_os("PATH").expect("there"));
        assert!(pass("MCP_NO_SUCH_VARIABLE").expect_err("not there").text().contains("=VALUE"));
    }
}
