//! What a package should be like: the options of `cargo xtask dist`.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use super::features::Features;
use super::version::Version;
use crate::checkout::{Checkout, folder_at};
use crate::rustc;

/// The system beside Linux that packages are made for.
pub const WINDOWS: &str = "x86_64-pc-windows-gnu";

pub const HELP: &str = "\
usage: cargo xtask dist [OPTIONS]

  --to DIR               the prefix to fill (target/dist/libmcp-VERSION-TARGET); libmcp's files in it are replaced, others
                         stay, and nothing is written beside it unless --tarball says so
  --libdir DIR           below the prefix (lib)
  --includedir DIR       below the prefix (include)
  --docdir DIR           below the prefix (share/doc/libmcp)
  --datadir DIR          below the prefix, for the files for gdb and Valgrind (share/libmcp)
  --features LIST        features of the crate, joined by commas
  --no-default-features  only those named
  --target TRIPLE        cross-compile, for Linux or x86_64-pc-windows-gnu. CC, AR, OBJCOPY and STRIP name the tools for it, and
                         for Windows DLLTOOL too; without them they are Debian's, for the triples of docs/guide/packaging.md
  --link-arg ARG         one more argument for CC when it links; may be repeated
  --profile NAME         cargo's profile (release)
  --keep-symbols         do not strip
  --debug-file           also lib/debug/.build-id/XX/REST.debug below the prefix, with what was stripped, where gdb looks for it by
                         the build id of the shared library: lines and files
  --no-shared            without libmcp.so; for Windows without mcp.dll and its import library
  --no-static            without libmcp.a
  --program              also the program mcp, its manual pages and the completion for shells, which it writes itself: with --target,
                         CARGO_TARGET_TRIPLE_RUNNER names what runs it. It is there anyway without --to and --target; not for Windows
  --no-program           without it
  --tarball              with --to: also DIR.tar.gz, with libmcp's files only, and its checksum. Made anyway without --to
  --no-tarball           neither of them
  --target-dir DIR       where cargo builds (target/dist/cargo)
  --depfile FILE         write what the tree was made from, for make and Ninja
  --stamp FILE           the file that --depfile is about
";

pub struct Wish {
    /// The prefix.
    pub tree: PathBuf,
    pub libdir: String,
    pub includedir: String,
    pub docdir: String,
    pub datadir: String,
    pub with_default: bool,
    pub asked: Vec<String>,
    /// All that are on, with those that features turn on themselves.
    pub features: Vec<String>,
    pub target: Option<String>,
    pub host: String,
    pub link_args: Vec<String>,
    pub profile: String,
    pub strips: bool,
    /// Whether what is stripped from the shared library is kept in a file of its own.
    pub debug_file: bool,
    pub shared: bool,
    pub archive: bool,
    /// Whether the program `mcp` is in the tree.
    pub program: bool,
    /// Whether the tarball is written, and its checksum, beside the tree.
    pub tarball: bool,
    pub target_dir: PathBuf,
    pub depfile: Option<PathBuf>,
    stamp: Option<PathBuf>,
    /// For what is made on the way, a folder for each tree.
    parts: PathBuf,
}

impl Wish {
    pub fn read(checkout: &Checkout, words: &[&str]) -> Result<Self, String> {
        let folder = checkout.target.join("dist");
        let mut wish = Self {
            tree: PathBuf::new(),
            libdir: "lib".to_owned(),
            includedir: "include".to_owned(),
            docdir: "share/doc/libmcp".to_owned(),
            datadir: "share/libmcp".to_owned(),
            with_default: true,
            asked: Vec::new(),
            features: Vec::new(),
            target: None,
            host: rustc::host(checkout)?,
            link_args: Vec::new(),
            profile: "release".to_owned(),
            strips: true,
            debug_file: false,
            shared: true,
            archive: true,
            program: false,
            tarball: true,
            target_dir: folder.join("cargo"),
            depfile: None,
            stamp: None,
            parts: folder.join("parts"),
        };
        // A folder that the caller named is the caller's, and so is what is around it.
        wish.tarball = !words.contains(&"--to");
        wish.program = !words.contains(&"--to") && !words.contains(&"--target");
        wish.take(words)?;
        wish.features = Features::of(&checkout.package()?)?.enabled(wish.with_default, &wish.asked)?;
        if wish.tree.as_os_str().is_empty() {
            wish.tree = folder.join(format!("libmcp-{}-{}", Version::read(checkout)?, wish.system()));
        }
        if !wish.shared && !wish.archive {
            return Err("--no-shared and --no-static together leave nothing".to_owned());
        }
        for place in [&wish.libdir, &wish.includedir, &wish.docdir, &wish.datadir] {
            if Path::new(place).is_absolute() || place.split('/').any(|part| part == "..") {
                return Err(format!(
                    "{place} must be a folder below the prefix: a package can only be moved as a whole"
                ));
            }
        }
        Ok(wish)
    }

    fn take(&mut self, words: &[&str]) -> Result<(), String> {
        let mut words = words.iter();
        while let Some(option) = words.next() {
            let mut value = || match words.next() {
                Some(value) => Ok((*value).to_owned()),
                None => Err(format!("{option} needs a value; --help tells which")),
            };
            match *option {
                "--to" => self.tree = path(option, &value()?)?,
                "--libdir" => self.libdir = value()?,
                "--includedir" => self.includedir = value()?,
                "--docdir" => self.docdir = value()?,
                "--datadir" => self.datadir = value()?,
                "--features" => {
                    let list = value()?;
                    self.asked.extend(list.split(',').filter(|name| !name.is_empty()).map(str::to_owned));
                }
                "--no-default-features" => self.with_default = false,
                "--target" => self.target = Some(value()?),
                "--link-arg" => self.link_args.push(value()?),
                "--profile" => self.profile = value()?,
                "--keep-symbols" => self.strips = false,
                "--debug-file" => self.debug_file = true,
                "--no-shared" => self.shared = false,
                "--no-static" => self.archive = false,
                "--program" => self.program = true,
                "--no-program" => self.program = false,
                "--tarball" => self.tarball = true,
                "--no-tarball" => self.tarball = false,
                "--target-dir" => self.target_dir = path(option, &value()?)?,
                "--depfile" => self.depfile = Some(path(option, &value()?)?),
                "--stamp" => self.stamp = Some(path(option, &value()?)?),
                other => return Err(format!("dist does not know {other}\n\n{HELP}")),
            }
        }
        Ok(())
    }

    /// The triple that the library is for.
    pub fn system(&self) -> &str {
        self.target.as_deref().unwrap_or(&self.host)
    }

    /// Whether the library is a DLL, made by MinGW-w64.
    pub fn is_for_windows(&self) -> bool {
        self.system() == WINDOWS
    }

    /// Whether the library is for the C library of Alpine.
    pub fn is_for_musl(&self) -> bool {
        self.system().contains("-linux-musl")
    }

    /// The folder for what is made on the way. It belongs to this tree: several may be made at the same time, and share
    /// `target_dir`.
    pub fn work(&self) -> Result<PathBuf, String> {
        let mut hasher = DefaultHasher::new();
        self.tree.hash(&mut hasher);
        let folder = self.parts.join(format!("{:016x}", hasher.finish()));
        folder_at(&folder)?;
        Ok(folder)
    }

    pub fn stamp(&self) -> Result<PathBuf, String> {
        self.stamp.clone().ok_or_else(|| "--depfile needs --stamp".to_owned())
    }
}

/// The path that an option names, seen from the current folder: cargo, tar and others run elsewhere.
fn path(option: &str, value: &str) -> Result<PathBuf, String> {
    if value.is_empty() {
        return Err(format!("{option} needs a path, and got an empty one"));
    }
    // The components without a slash at the end, by which the folder has a name.
    let path = std::path::absolute(value).map_err(|error| format!("{option} {value}: {error}"))?;
    Ok(path.components().collect())
}
