//! What the program of `mcp run` sees of the system: bubblewrap puts it into namespaces of its own, with the system's programs, what
//! the person named, and the socket. It has no network, no other process, no file of the person and no other socket.

use super::with_environment;
use crate::arguments::Run;
use crate::failure::Failure;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program that makes the namespaces.
const BUBBLEWRAP: &str = "bwrap";
/// Where the socket is for the program.
const SOCKET: &str = "/run/mcp.sock";
/// The home of the program, where it may write; it is in memory.
const HOME: &str = "/tmp";
/// The programs and libraries of the system, and the files of its settings that these read. No file of `/etc` has a secret here.
const SYSTEM: [&str; 14] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/group",
];

/// A sandbox for one program.
#[derive(Debug)]
pub struct Sandbox {
    bubblewrap: PathBuf,
    /// What the program sees besides the system: where it is, and whether it may be changed.
    shown: Vec<(PathBuf, bool)>,
    /// The folder in which the program begins.
    cwd: PathBuf,
}

impl Sandbox {
    /// Looks for bubblewrap and for what the program is to see.
    pub fn of(run: &Run) -> Result<Sandbox, Failure> {
        let bubblewrap = crate::folders::on_path(BUBBLEWRAP).ok_or_else(|| {
            Failure::usage(
                "the program cannot get a sandbox, because bubblewrap (`bwrap`) is not in PATH: install the package bubblewrap (Linux), \
                 or give --no-sandbox, with which the program can read what this user can, such as logins",
            )
        })?;
        let mut shown = Vec::new();
        // A program with a path is meant to be run.
        let program = run.program.first().filter(|program| program.contains(std::path::MAIN_SEPARATOR));
        if let Some(program) = program {
            shown.push((there("the program", Path::new(program))?, false));
        }
        for path in &run.read {
            shown.push((there("--read", path)?, false));
        }
        for path in &run.write {
            shown.push((there("--write", path)?, true));
        }
        let cwd = std::env::current_dir()
            .map_err(|error| Failure::machine(format!("cannot find the current folder: {error}")))?;
        Ok(Sandbox { bubblewrap, shown, cwd })
    }

    /// The command that runs the program.
    pub fn command(&self, program: &[String], socket: &Path) -> Command {
        let mut command =
            with_environment(&OsString::from(&self.bubblewrap), Path::new(HOME), &format!("unix:{SOCKET}"));
        // Without a terminal of its own it could write into the input of this one.
        command.args(["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]);
        for path in SYSTEM {
            command.args(["--ro-bind-try", path, path]);
        }
        command.args(["--proc", "/proc", "--dev", "/dev", "--tmpfs", HOME]);
        for (path, may_change) in &self.shown {
            command.arg(if *may_change { "--bind" } else { "--ro-bind" }).arg(path).arg(path);
        }
        command.arg("--bind").arg(socket).arg(SOCKET);
        // Empty, unless something in it is shown: relative paths lead to what they name outside.
        command.arg("--dir").arg(&self.cwd).arg("--chdir").arg(&self.cwd);
        command.arg("--").args(program);
        command
    }
}

/// A path that is there, from the root on.
fn there(option: &str, path: &Path) -> Result<PathBuf, Failure> {
    let failed = |error: std::io::Error| Failure::usage(format!("{option} {}: {error}", path.display()));
    std::fs::metadata(path).map_err(failed)?;
    std::path::absolute(path).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_must_be_there() {
        let why = there("--read", Path::new("/nonexistent/x")).expect_err("not there").text();
        assert!(why.starts_with("--read /nonexistent/x: "), "{why}");
        assert!(there("--read", Path::new(".")).expect("there").is_absolute());
    }

    #[test]
    fn the_words_of_the_program_stand_behind_those_of_the_sandbox() {
        let sandbox = Sandbox {
            bubblewrap: PathBuf::from("/usr/bin/bwrap"),
            shown: vec![(PathBuf::from("/a"), false), (PathBuf::from("/b"), true)],
            cwd: PathBuf::from("/w"),
        };
        let program = ["x".to_owned(), "--bind".to_owned(), "/".to_owned()];
        let command = sandbox.command(&program, Path::new("/s/socket"));
        let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
        let line = words.join(" ");
        assert!(line.ends_with("--dir /w --chdir /w -- x --bind /"), "{line}");
        assert!(line.contains("--ro-bind /a /a --bind /b /b --bind /s/socket /run/mcp.sock"), "{line}");
    }
}
