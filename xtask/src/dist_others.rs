//! `cargo xtask dist-others`: the tarballs of `cargo xtask dist` for other systems than this machine's, each made in the chroot in which the
//! tests make it.

use std::path::{Path, PathBuf};

use crate::checkout::{Checkout, cleared, copy, folder_at};
use crate::dist::{self, Version, WINDOWS};
use crate::process::Finished;
use crate::test::linux_targets::{self, TARGETS, Target};
use crate::test::windows;

const HELP: &str = "\
usage: cargo xtask dist-others --to FOLDER [--once] [--profile NAME] [TRIPLE…]

Writes libmcp-VERSION-TRIPLE.tar.gz and its checksum for each TRIPLE, or for all systems that cargo xtask test makes a
tree for. Each is compiled twice, and refused when the bytes differ.

  --once          compile it once
  --profile NAME  cargo's profile (release)
";

struct Wish<'a> {
    to: PathBuf,
    is_once: bool,
    profile: &'a str,
    triples: Vec<&'a str>,
}

/// `cargo xtask dist-others`
pub fn run(checkout: &Checkout, options: &[&str]) -> Result<(), String> {
    if options.contains(&"--help") {
        print!("{HELP}");
        return Ok(());
    }
    let wish = read(options)?;
    folder_at(&wish.to)?;
    let linux: Vec<&Target> = TARGETS.iter().filter(|target| wish.triples.contains(&target.triple)).collect();
    if !linux.is_empty() {
        let workshop = linux_targets::Workshop::find(checkout)??;
        for target in linux {
            workshop.rust(target)?;
            let place = Place::new(checkout, &wish, target.triple)?;
            // Debian's Rust is a stable one, and `dist` asks for what is not.
            place.make(&workshop.target(target), "export RUSTC_BOOTSTRAP=1", &|script, log| {
                workshop.run(target, script, log)
            })?;
        }
    }
    if wish.triples.contains(&WINDOWS) {
        let workshop = windows::Workshop::find(checkout)??;
        workshop.standard_library(WINDOWS)?;
        let place = Place::new(checkout, &wish, WINDOWS)?;
        // It says the flags of rustc by itself.
        place.make(&workshop.target, "unset CARGO_ENCODED_RUSTFLAGS", &|script, log| {
            workshop.run(script, log)
        })?;
    }
    Ok(())
}

fn read<'a>(options: &[&'a str]) -> Result<Wish<'a>, String> {
    let known: Vec<&str> = TARGETS.iter().map(|target| target.triple).chain([WINDOWS]).collect();
    let (mut to, mut is_once, mut profile, mut triples) = (None, false, "release", Vec::new());
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value\n\n{HELP}"));
        match *word {
            "--to" => to = Some(std::path::absolute(value()?).map_err(|error| format!("{word}: {error}"))?),
            "--profile" => profile = value()?,
            "--once" => is_once = true,
            triple if known.contains(&triple) => triples.push(triple),
            other => {
                return Err(format!("{other}: no option, and none of {}\n\n{HELP}", known.join(", ")));
            }
        }
    }
    let to = to.ok_or_else(|| format!("--to is missing\n\n{HELP}"))?;
    if triples.is_empty() {
        triples = known;
    }
    Ok(Wish { to, is_once, profile, triples })
}

/// Where the tarball of one system is made.
struct Place<'a> {
    wish: &'a Wish<'a>,
    triple: &'a str,
    /// The name of the tree.
    name: String,
    folder: PathBuf,
}

/// Runs a script in a chroot, with a file for what it says.
type Enter<'a> = dyn Fn(&str, &Path) -> Result<Finished, String> + 'a;

impl<'a> Place<'a> {
    fn new(checkout: &Checkout, wish: &'a Wish<'a>, triple: &'a str) -> Result<Self, String> {
        let name = format!("libmcp-{}-{triple}", Version::read(checkout)?);
        let folder = cleared(&checkout.scratch("dist-others")?.join(triple))?;
        Ok(Self { wish, triple, name, folder })
    }

    fn make(&self, target: &Path, before: &str, enter: &Enter) -> Result<(), String> {
        let profile = self.wish.profile;
        let made = |round: &str| {
            let to = self.folder.join(round).join(&self.name);
            let line = dist::command_line(self.triple, profile, target, &to)?;
            // Objects that are compiled to be used again have names that are drawn by lot.
            let script = format!("{before}; export CARGO_INCREMENTAL=0; {line} --tarball");
            enter(&script, &self.folder.join(round).with_extension("log")).map(drop)
        };
        println!("  {}", self.name);
        made("first")?;
        if !self.wish.is_once {
            let again = format!(
                "cargo clean --quiet --locked --package mcp --package mcp-core --package libmcp --profile {profile} --target-dir '{}' --target {}",
                target.display(),
                self.triple
            );
            enter(&again, &self.folder.join("clean.log"))?;
            made("second")?;
            self.compare()?;
        }
        for file in [self.tarball(), format!("{}.sha256", self.tarball())] {
            copy(&self.folder.join("first").join(&file), &self.wish.to.join(&file))?;
        }
        Ok(())
    }

    fn tarball(&self) -> String {
        format!("{}.tar.gz", self.name)
    }

    fn compare(&self) -> Result<(), String> {
        let bytes = |round: &str| {
            let file = self.folder.join(round).join(self.tarball());
            std::fs::read(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))
        };
        match bytes("first")? == bytes("second")? {
            true => Ok(()),
            false => Err(format!(
                "two builds of {} differ: compare the trees in {}",
                self.tarball(),
                self.folder.display()
            )),
        }
    }
}
