//! The program `mcp` in the install tree: under both of its names, with its manual pages and the completion of four shells, all
//! written by itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::archive::flags;
use super::tools;
use super::wish::Wish;
use crate::checkout::{Checkout, cleared, entries};
use crate::process;

/// The program has one link that is slow: everything is optimised as one.
const LIMIT: Duration = Duration::from_secs(3600);
/// Others ship a program `mcp`, too; the second name is only ours.
pub const NAMES: [&str; 2] = ["mcp", "libmcp"];
/// Rust's standard library has these functions of glibc 2.39 for processes where they are there. A program that was linked with a glibc that
/// has them would start with no older one.
const WITHOUT_NEW: &str = "-Wl,--defsym=pidfd_spawnp=0,--defsym=pidfd_getpid=0";
/// The shells, and where each looks for the completion of a program; `NAME` is its name.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/NAME"),
    ("zsh", "share/zsh/site-functions/_NAME"),
    ("fish", "share/fish/vendor_completions.d/NAME.fish"),
];

/// Builds the program for this machine, as packages have it.
pub fn build(checkout: &Checkout) -> Result<PathBuf, String> {
    let wish = Wish::read(checkout, &[])?;
    build_for(checkout, &wish, &wish.work()?)
}

/// Builds the program. For this machine it has a folder of its own, so that the one that is tested is made once whatever tree is made.
/// It is the same wherever it is built.
fn build_for(checkout: &Checkout, wish: &Wish, work: &Path) -> Result<PathBuf, String> {
    let tools = tools::of(wish);
    let mut cargo = checkout.cargo();
    cargo.args(["build", "--locked", "--package", "mcp-cli"]);
    let (mut folder, profile) = match &wish.target {
        Some(target) => {
            cargo.arg("--target").arg(target);
            (wish.target_dir.clone(), wish.profile.as_str())
        }
        None => (checkout.target.join("program"), "release"),
    };
    cargo.arg("--profile").arg(profile).arg("--target-dir").arg(&folder);
    folder.extend(&wish.target);
    cargo.env("CC", tools.cc.find()?).env("AR", tools.ar.find()?);
    let mut flags = flags(checkout, wish, work)?;
    if wish.system().contains("-linux-gnu") {
        flags.push("\u{1f}-Clink-arg=");
        flags.push(WITHOUT_NEW);
    }
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags);
    // What people download and start often counts more here than what one call of thousands takes.
    cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "z");
    // No package has a debugging package of it.
    cargo.env("CARGO_PROFILE_RELEASE_DEBUG", "false");
    process::run(&mut cargo, LIMIT, &work.join("program"))?
        .well()
        .map_err(|why| format!("cargo could not build the program: {why}"))?;
    folder.push(if profile == "dev" { "debug" } else { profile });
    Ok(folder.join("mcp"))
}

/// The program, as a command of this machine: it writes its manual pages itself. What runs it for another processor is what cargo has for
/// that.
fn command(program: &Path, wish: &Wish) -> Command {
    let runner = wish.target.as_ref().and_then(|target| std::env::var(runner_of(target)).ok());
    run_by(runner.as_deref().unwrap_or_default(), program)
}

/// The variable that names what runs programs for a system.
fn runner_of(target: &str) -> String {
    format!("CARGO_TARGET_{}_RUNNER", target.to_uppercase().replace(['-', '.'], "_"))
}

/// A runner may have arguments of its own; without one the program runs by itself.
fn run_by(runner: &str, program: &Path) -> Command {
    let mut words = runner.split_whitespace();
    let Some(first) = words.next() else { return Command::new(program) };
    let mut command = Command::new(first);
    command.args(words).arg(program);
    command
}

/// A file of the program: where it goes, and where it is now.
pub struct File {
    pub place: String,
    pub from: PathBuf,
}

/// Everything that belongs to the program but the links of the second name, made below `work`.
pub fn files(checkout: &Checkout, wish: &Wish, work: &Path) -> Result<Vec<File>, String> {
    if wish.is_for_windows() {
        return Err(format!("the program does not compile for {}: leave out --program", wish.system()));
    }
    let built = build_for(checkout, wish, work)?;
    let folder = cleared(&work.join("program-files"))?;
    let program = folder.join("mcp");
    fs::copy(&built, &program).map_err(|error| format!("cannot copy {}: {error}", built.display()))?;
    let log = work.join("program-run");
    let ask =
        |command: &mut Command| -> Result<String, String> { process::run(command, LIMIT, &log)?.text() };
    if wish.strips {
        ask(Command::new(tools::of(wish).strip.find()?).arg(&program))?;
    }
    let mut files = vec![File { place: "bin/mcp".to_owned(), from: program.clone() }];
    let pages = folder.join("man");
    ask(command(&program, wish).args(["manual", "--into"]).arg(&pages))
        .map_err(|why| format!("the program cannot write its manual pages for {}: {why}", wish.system()))?;
    for path in entries(&pages)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.push(File { place: format!("share/man/man1/{name}"), from: path });
    }
    let alias = folder.join("libmcp.1");
    crate::checkout::write(&alias, ".so man1/mcp.1\n")?;
    files.push(File { place: "share/man/man1/libmcp.1".to_owned(), from: alias });
    for name in NAMES {
        for (shell, place) in SHELLS {
            let script = ask(command(&program, wish).args(["completion", shell, "--name", name]))?;
            let from = folder.join(format!("{name}.{shell}"));
            crate::checkout::write(&from, &script)?;
            files.push(File { place: place.replace("NAME", name), from });
        }
    }
    files.sort_by(|one, other| one.place.cmp(&other.place));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_for_another_processor_is_run_by_what_cargo_names() {
        assert_eq!(runner_of("aarch64-unknown-linux-gnu"), "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER");
        let words = |runner| {
            let command = run_by(runner, Path::new("mcp"));
            let words = [command.get_program()].into_iter().chain(command.get_args());
            words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(words(""), "mcp");
        assert_eq!(
            words("qemu-aarch64 -L /usr/aarch64-linux-gnu"),
            "qemu-aarch64 -L /usr/aarch64-linux-gnu mcp"
        );
    }
}
