//! The program `mcp` in the install tree: under both of its names, with its manual pages and the completion of four shells, all
//! written by itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::archive::flags;
use super::wish::Wish;
use crate::checkout::{Checkout, cleared, entries};
use crate::machine::{AR, CC, STRIP};
use crate::process;

/// The program has one link that is slow: everything is optimised as one.
const LIMIT: Duration = Duration::from_secs(3600);
/// Others ship a program `mcp`, too; the second name is only ours.
pub const NAMES: [&str; 2] = ["mcp", "libmcp"];
/// The shells, and where each looks for the completion of a program; `NAME` is its name.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/NAME"),
    ("zsh", "share/zsh/site-functions/_NAME"),
    ("fish", "share/fish/vendor_completions.d/NAME.fish"),
];

/// Builds the program, in a folder of its own: cargo would build the shared library again for it, in the place of the one that
/// is tested. It is the same wherever it is built.
pub fn build(checkout: &Checkout) -> Result<PathBuf, String> {
    let wish = Wish::read(checkout, &[])?;
    let work = wish.work()?;
    let folder = checkout.target.join("program");
    let mut cargo = checkout.cargo();
    cargo.args(["build", "--locked", "--release", "--package", "mcp-cli", "--target-dir"]).arg(&folder);
    cargo.env("CC", CC.find()?).env("AR", AR.find()?);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags(checkout, &wish, &work)?);
    // What people download and start often counts more here than what one call of thousands takes.
    cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "s");
    process::run(&mut cargo, LIMIT, &work.join("program"))?
        .well()
        .map_err(|why| format!("cargo could not build the program: {why}"))?;
    Ok(folder.join("release").join("mcp"))
}

/// A file of the program: where it goes, and where it is now.
pub struct File {
    pub place: String,
    pub from: PathBuf,
}

/// Everything that belongs to the program but the links of the second name, made below `work`.
pub fn files(checkout: &Checkout, wish: &Wish, work: &Path) -> Result<Vec<File>, String> {
    if wish.target.as_ref().is_some_and(|target| *target != wish.host) {
        return Err(
            "--program is for this machine: it writes its own manual pages. Leave out --target".to_owned()
        );
    }
    let built = build(checkout)?;
    let folder = cleared(&work.join("program-files"))?;
    let program = folder.join("mcp");
    fs::copy(&built, &program).map_err(|error| format!("cannot copy {}: {error}", built.display()))?;
    let log = work.join("program-run");
    let ask =
        |command: &mut Command| -> Result<String, String> { process::run(command, LIMIT, &log)?.text() };
    if wish.strips {
        ask(Command::new(STRIP.find()?).arg(&program))?;
    }
    let mut files = vec![File { place: "bin/mcp".to_owned(), from: program.clone() }];
    let pages = folder.join("man");
    ask(Command::new(&program).args(["manual", "--into"]).arg(&pages))?;
    for path in entries(&pages)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.push(File { place: format!("share/man/man1/{name}"), from: path });
    }
    let alias = folder.join("libmcp.1");
    crate::checkout::write(&alias, ".so man1/mcp.1\n")?;
    files.push(File { place: "share/man/man1/libmcp.1".to_owned(), from: alias });
    for name in NAMES {
        for (shell, place) in SHELLS {
            let script = ask(Command::new(&program).args(["completion", shell, "--name", name]))?;
            let from = folder.join(format!("{name}.{shell}"));
            crate::checkout::write(&from, &script)?;
            files.push(File { place: place.replace("NAME", name), from });
        }
    }
    files.sort_by(|one, other| one.place.cmp(&other.place));
    Ok(files)
}
