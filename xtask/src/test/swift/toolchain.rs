//! A Swift compiler: the machine's own, or Debian's in a folder that is a root of its own (chroot), since most systems package none.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::checkout::{Checkout, read};
use crate::machine::{MMDEBSTRAP, SWIFT, is_ci};
use crate::process;
use crate::tally::Tally;

/// Where it takes the download alone half an hour, the mirror is the problem.
const LIMIT: Duration = Duration::from_secs(1200);
/// What Swift's package manager needs beside the compiler.
const PACKAGES: &str = "ca-certificates,swiftlang,pkg-config,g++,libc6-dev,libxml2-dev";
const SUITE: &str = "trixie";
/// Names the folder of the chroot; where it is set, the folder is made if it is missing, as with CI=true.
const VARIABLE: &str = "MCP_SWIFT_CHROOT";
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// Mounts what Swift needs in a namespace of its own, so that nothing stays mounted, and runs a script there.
/// Arguments: the chroot, the script, and the folders that are there at their own paths.
const ENTER: &str = "set -eu; root=$1; script=$2; shift 2; mount --make-rprivate /; mount -t proc proc \"$root/proc\"; \
                     mount --rbind /dev \"$root/dev\"; for folder in \"$@\"; do mkdir -p \"$root$folder\"; \
                     mount --bind \"$folder\" \"$root$folder\"; done; exec chroot \"$root\" bash -c \"$script\"";

pub enum Toolchain {
    Own,
    Chroot(PathBuf),
}

impl Toolchain {
    /// The toolchain; without one the tally says what to install.
    pub fn find(checkout: &Checkout, tally: &mut Tally, what: &str) -> Result<Option<Toolchain>, String> {
        if SWIFT.find().is_ok() {
            return Ok(Some(Toolchain::Own));
        }
        let named = std::env::var_os(VARIABLE).filter(|it| !it.is_empty()).map(PathBuf::from);
        let is_wanted = is_ci() || named.is_some();
        let root = match named {
            Some(root) => root,
            None => cache()?.join(format!("swift-{SUITE}")),
        };
        // A link, which leads somewhere only inside.
        let is_there = root.join("usr/bin/swift").symlink_metadata().is_ok();
        if !is_there && !is_wanted {
            tally.need(&SWIFT, what);
            return Ok(None);
        }
        if !is_root() {
            tally.lack(
                what,
                "Debian's Swift runs in a chroot, which only root may enter; install Swift itself",
            );
            return Ok(None);
        }
        if !is_there {
            if tally.need(&MMDEBSTRAP, what).is_none() {
                return Ok(None);
            }
            make(checkout, &root)?;
        }
        Ok(Some(Toolchain::Chroot(root)))
    }

    /// A script of bash, which finds these folders at their own paths.
    pub fn command(&self, script: &str, folders: &[&Path]) -> Command {
        let mut command;
        match self {
            Toolchain::Own => {
                command = Command::new("bash");
                command.args(["-c", script]);
            }
            Toolchain::Chroot(root) => {
                command = Command::new("unshare");
                command.args(["-m", "bash", "-c", ENTER, "enter"]).arg(root).arg(script).args(folders);
                // The variables of this machine's Rust and locale mean nothing there.
                command.env_clear().envs([
                    ("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"),
                    ("HOME", "/root"),
                    ("LANG", "C.UTF-8"),
                ]);
            }
        }
        command
    }
}

fn cache() -> Result<PathBuf, String> {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache =
        std::env::var_os("XDG_CACHE_HOME").filter(|it| !it.is_empty()).map(PathBuf::from).or_else(home);
    cache.map(|cache| cache.join("libmcp")).ok_or_else(|| format!("neither HOME nor {VARIABLE} is set"))
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Makes the chroot beside its place and renames it, so that half of one is never used.
fn make(checkout: &Checkout, root: &Path) -> Result<(), String> {
    let began = Instant::now();
    println!("  making {} with Debian's Swift ({SUITE}); it is kept", root.display());
    let fresh = root.with_extension("new");
    let folder = root.parent().unwrap_or(root);
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let source = format!("deb [signed-by={KEYS}] {} {SUITE} main", mirror());
    let command = || {
        if fresh.exists() {
            // What an earlier try has left. Nothing is mounted there outside of that try's namespace.
            let _ = Command::new("rm").args(["-rf", "--one-file-system"]).arg(&fresh).status();
        }
        let mut command = Command::new("mmdebstrap");
        command.args(["--mode=root", "--variant=minbase", "--quiet"]).arg(format!("--include={PACKAGES}"));
        for option in [
            "APT::Install-Recommends \"false\"",
            "Acquire::Check-Valid-Until \"false\"",
            "Acquire::Languages \"none\"",
        ] {
            command.arg(format!("--aptopt={option}"));
        }
        command.arg(SUITE).arg(&fresh).arg(&source);
        command
    };
    process::download(command, LIMIT, &checkout.scratch("swift")?.join("chroot"))?;
    std::fs::rename(&fresh, root).map_err(|error| format!("cannot rename {}: {error}", fresh.display()))?;
    println!("  the chroot was made in {} s", began.elapsed().as_secs());
    Ok(())
}

/// The mirror that this machine uses, or Debian's own.
fn mirror() -> String {
    let lists = ["/etc/apt/sources.list", "/etc/apt/sources.list.d/debian.sources"];
    let text: String = lists.iter().filter_map(|list| read(Path::new(list)).ok()).collect();
    mirror_of(&text).unwrap_or_else(|| "http://deb.debian.org/debian".to_owned())
}

fn mirror_of(lists: &str) -> Option<String> {
    let addresses =
        lists.lines().filter(|line| !line.trim_start().starts_with('#')).flat_map(str::split_whitespace);
    addresses
        .filter(|word| word.starts_with("http://") || word.starts_with("https://"))
        .map(|word| word.trim_end_matches('/'))
        .find(|word| word.ends_with("/debian"))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::mirror_of;

    #[test]
    fn the_mirror_is_that_of_the_system_and_never_the_one_for_security() {
        let lists = "# deb http://old/debian x\nURIs: http://mirror.example/debian-security\nURIs: http://mirror.example/debian/\n";
        assert_eq!(mirror_of(lists).as_deref(), Some("http://mirror.example/debian"));
        assert_eq!(mirror_of("deb http://archive.ubuntu.com/ubuntu noble main"), None);
    }
}
