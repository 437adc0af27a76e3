//! Debian in a folder that is a root of its own (chroot), for tools that this machine lacks. mmdebstrap makes it once; it is kept.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::checkout::{Checkout, folder_at, read, write};
use crate::lock::Lock;
use crate::machine::{MMDEBSTRAP, is_ci};
use crate::process;

/// Where it takes the download alone half an hour, the mirror is the problem.
const LIMIT: Duration = Duration::from_secs(1200);
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
/// The file in a chroot that says what it was made from.
const MARK: &str = "etc/libmcp-chroot";

/// Mounts what programs need in a namespace of its own, so that nothing stays mounted, and runs a script there.
/// Arguments: the chroot, the script, and the folders that are there at their own paths.
const ENTER: &str = "set -eu; root=$1; script=$2; shift 2; mount --make-rprivate /; mount -t proc proc \"$root/proc\"; \
                     mount --rbind /dev \"$root/dev\"; for folder in \"$@\"; do mkdir -p \"$root$folder\"; \
                     mount --bind \"$folder\" \"$root$folder\"; done; exec chroot \"$root\" bash -c \"$script\"";

/// Debian's essential packages and those of the recipe.
pub const INSTALLED: &str = "minbase";
/// The files of the recipe's packages, and of what they depend on, of which nothing was run: for another processor.
pub const UNPACKED: &str = "extract";

/// What a chroot is made of.
pub struct Recipe {
    /// The name of its folder, below the folder that [`cache`] gives.
    pub name: &'static str,
    pub suite: &'static str,
    /// The architectures whose packages may be installed, joined by commas; the first is this machine's.
    pub architectures: Option<&'static str>,
    /// How much of Debian it has, in the words of mmdebstrap: [`INSTALLED`] or [`UNPACKED`].
    pub variant: &'static str,
    /// Packages, joined by commas.
    pub packages: &'static str,
    /// Names another folder. Where it is set, the chroot is made if it is missing, as with CI=true.
    pub variable: &'static str,
    /// What is in it, for a person.
    pub what: &'static str,
    /// A file of the last packages: without it the chroot is not complete.
    pub has: &'static str,
}

impl Recipe {
    fn mark(&self) -> String {
        format!("{}\n{}\n{}\n", self.suite, self.architectures.unwrap_or_default(), self.packages)
    }

    /// Whether it is there, complete and made from this recipe.
    fn is_made(&self, root: &Path) -> bool {
        // A link, which may lead somewhere only inside.
        let has_all = root.join(self.has).symlink_metadata().is_ok();
        read(&root.join(MARK)).map_or(has_all, |mark| has_all && mark == self.mark())
    }
}

/// A chroot that is there.
pub struct Chroot {
    root: PathBuf,
}

pub enum Found {
    Chroot(Chroot),
    /// It was not asked for, on a machine of a person.
    NotMade,
    /// It cannot be made or entered here, for this reason.
    Lacking(String),
}

impl Chroot {
    /// The chroot; it is made where it was asked for: with CI=true, or by the recipe's variable.
    pub fn find(checkout: &Checkout, recipe: &Recipe) -> Result<Found, String> {
        let named = std::env::var_os(recipe.variable).filter(|it| !it.is_empty()).map(PathBuf::from);
        let is_wanted = is_ci() || named.is_some();
        let root = match named {
            Some(root) => root,
            None => cache()?.join(recipe.name),
        };
        let is_current = recipe.is_made(&root);
        if !is_current && !is_wanted {
            return Ok(Found::NotMade);
        }
        if !is_root() {
            let why = format!("{} is in a chroot, which only root may enter", recipe.what);
            return Ok(Found::Lacking(why));
        }
        if !is_current {
            if let Err(why) = MMDEBSTRAP.find() {
                return Ok(Found::Lacking(why));
            }
            make(checkout, recipe, &root)?;
        }
        Ok(Found::Chroot(Chroot { root }))
    }

    /// The chroot, or a sentence why there is none: `get` says how a person gets it.
    pub fn or_why(checkout: &Checkout, recipe: &Recipe, get: &str) -> Result<Result<Chroot, String>, String> {
        Ok(match Chroot::find(checkout, recipe)? {
            Found::Chroot(chroot) => Ok(chroot),
            Found::NotMade => Err(get.to_owned()),
            Found::Lacking(why) => Err(why),
        })
    }

    /// Where it is, as this machine sees it.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The words before a script of bash and the folders that it finds at their own paths.
    pub fn entering(&self) -> Vec<String> {
        let words = ["unshare", "-m", "bash", "-c", ENTER, "enter"].map(str::to_owned);
        words.into_iter().chain([self.root.display().to_string()]).collect()
    }

    /// Runs such a script, which gets variables of the caller's alone: those of this machine's Rust and locale mean nothing there.
    pub fn command(&self, script: &str, folders: &[&Path]) -> Command {
        let words = self.entering();
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).arg(script).args(folders);
        command.env_clear().envs([
            ("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"),
            ("HOME", "/root"),
            ("LANG", "C.UTF-8"),
        ]);
        command
    }
}

/// Gets the crates of the library, which a script in a chroot compiles: it has no network there.
pub fn fetch_crates(checkout: &Checkout, log: &Path) -> Result<(), String> {
    const LIMIT: Duration = Duration::from_secs(300);
    let command = || {
        let mut cargo = checkout.cargo();
        cargo.args(["fetch", "--quiet", "--locked"]);
        cargo
    };
    process::download(command, LIMIT, log)
}

/// Where what is expensive to get is kept for all checkouts.
pub fn cache() -> Result<PathBuf, String> {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache =
        std::env::var_os("XDG_CACHE_HOME").filter(|it| !it.is_empty()).map(PathBuf::from).or_else(home);
    cache
        .map(|cache| cache.join("libmcp"))
        .ok_or_else(|| "neither HOME nor XDG_CACHE_HOME says where to keep it".to_owned())
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Makes the chroot beside its place and renames it, so that half of one is never used. Where another run makes it already, this
/// waits until that one has ended.
fn make(checkout: &Checkout, recipe: &Recipe, root: &Path) -> Result<(), String> {
    let began = Instant::now();
    let folder = root.parent().unwrap_or(root);
    folder_at(folder)?;
    let _lock = Lock::take(&root.with_extension("lock"), "makes that chroot")?;
    if recipe.is_made(root) {
        println!("  another run has made {} meanwhile, in {} s", root.display(), began.elapsed().as_secs());
        return Ok(());
    }
    println!("  making {} with {} (Debian {}); it is kept", root.display(), recipe.what, recipe.suite);
    let fresh = root.with_extension("new");
    let source = format!("deb [signed-by={KEYS}] {} {} main", mirror(), recipe.suite);
    let command = || {
        // What an earlier try has left.
        remove(&fresh);
        let mut command = Command::new("mmdebstrap");
        command.args(["--mode=root", "--quiet"]).arg(format!("--variant={}", recipe.variant));
        command.arg(format!("--include={}", recipe.packages));
        if let Some(architectures) = recipe.architectures {
            command.arg(format!("--architectures={architectures}"));
        }
        // Where it is not complete it is made again, so that nothing has to reach the disk in between.
        command.arg("--dpkgopt=force-unsafe-io");
        for option in [
            "APT::Install-Recommends \"false\"",
            "Acquire::Check-Valid-Until \"false\"",
            "Acquire::Languages \"none\"",
        ] {
            command.arg(format!("--aptopt={option}"));
        }
        command.arg(recipe.suite).arg(&fresh).arg(&source);
        command
    };
    process::download(command, LIMIT, &checkout.scratch("chroot")?.join(recipe.name))?;
    if recipe.variant == INSTALLED {
        // The packages that it was made from are of no more use.
        let _ = Command::new("chroot").arg(&fresh).args(["apt-get", "clean"]).status();
    }
    let hosts = fresh.join("etc/hosts");
    if !hosts.exists() {
        // Debian's installer would write it.
        write(&hosts, "127.0.0.1 localhost\n")?;
    }
    write(&fresh.join(MARK), &recipe.mark())?;
    // One that was made from another recipe.
    remove(root);
    std::fs::rename(&fresh, root).map_err(|error| format!("cannot rename {}: {error}", fresh.display()))?;
    println!("  the chroot was made in {} s", began.elapsed().as_secs());
    Ok(())
}

/// Were anything still mounted there, it would be left alone.
fn remove(root: &Path) {
    if root.exists() {
        let _ = Command::new("rm").args(["-rf", "--one-file-system"]).arg(root).status();
    }
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
