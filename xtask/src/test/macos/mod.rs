//! The library for macOS, compiled and linked on Linux, and for iOS and Android looked at by the compiler, with the same tools. Nothing
//! of it runs: `packaging/macos/check.sh` is for a person with a Mac. With `--deep` it is the optimized library, which takes five minutes
//! for each of the two processors.

mod sdk;
mod workshop;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use super::{Stage, exports};
use crate::checkout::{Checkout, read};
use crate::process::{self, Finished};
pub use workshop::make_chroot;
use workshop::{OLDEST, Workshop};

const LIMIT: Duration = Duration::from_secs(1500);

/// The processors: as Rust calls them, and as macOS does.
const PROCESSORS: [(&str, &str); 2] = [("aarch64", "arm64"), ("x86_64", "x86_64")];

/// A system that only the compiler looks at.
struct Checked {
    name: &'static str,
    triple: &'static str,
    /// What of the package.
    what: &'static str,
    /// The same for cargo.
    parts: &'static str,
}

/// Systems of telephones. In every run the unit tests are looked at for one system beside Linux that is like macOS.
const CHECKED: [Checked; 2] = [
    Checked {
        name: "iOS",
        triple: "aarch64-apple-ios",
        what: "the library and its unit tests are",
        parts: "--lib --tests",
    },
    Checked { name: "Android", triple: "aarch64-linux-android", what: "the library is", parts: "--lib" },
];

/// What a program must be able to do with the library: name every function.
const PROGRAM: &str = "examples/c/inspect.c";

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let checkout = stage.checkout;
    let workshop = match Workshop::find(checkout)? {
        Ok(workshop) => workshop,
        Err(why) => {
            stage.tally.lack("the library for macOS", &why);
            return Ok(());
        }
    };
    let shop = Shop { workshop, log: checkout.scratch("macos")?.join("log"), deep: stage.options.deep };
    if let Err(why) = shop.standard_libraries() {
        stage.tally.lack("the library for macOS", &why);
        return Ok(());
    }
    let mut made = Vec::new();
    for (rust, apple) in processors(stage.options.deep) {
        let what = format!("the library for macOS on {rust} is compiled without a warning, and linked");
        match shop.library(rust) {
            Ok(library) => {
                stage.tally.pass(&what);
                made.push((apple, library));
            }
            Err(why) => stage.tally.fail(&what, &why),
        }
    }
    for (apple, library) in &made {
        let exports = read(&checkout.exports())?;
        stage.tally.check(
            &format!("{apple}: it exports exactly what include/mcp.exports lists"),
            shop.exports(library, &exports),
        );
        stage.tally.check(
            &format!("{apple}: it is found by programs wherever it is, for macOS {OLDEST}, and needs the system's libraries alone"),
            shop.headers(library),
        );
        stage.tally.check(&format!("{apple}: {PROGRAM} links to it"), shop.program(apple, library));
    }
    if let [(_, one), (_, other)] = made.as_slice() {
        stage.tally.check("both make one file (a universal library)", shop.universal(one, other));
    }
    if stage.options.deep {
        stage
            .tally
            .check("the unit tests are compiled for macOS without a warning, and linked", shop.unit_tests());
    }
    for checked in &CHECKED {
        let Checked { name, triple, what, .. } = checked;
        let what = format!("{what} checked for {name} ({triple}) without a warning");
        stage.tally.check(&what, shop.check(checked));
    }
    Ok(())
}

/// Every run takes the first one. What differs between the two runs on Linux, on both.
fn processors(is_deep: bool) -> &'static [(&'static str, &'static str)] {
    if is_deep { &PROCESSORS } else { &PROCESSORS[..1] }
}

/// macOS on a processor, as Rust calls it.
fn darwin(processor: &str) -> String {
    format!("{processor}-apple-darwin")
}

/// What the step has compiled, before it, without `--deep`.
pub fn build_all(checkout: &Checkout) -> Result<(), String> {
    let Ok(workshop) = Workshop::find(checkout)? else { return Ok(()) };
    let shop = Shop { workshop, log: checkout.scratch("macos")?.join("ahead"), deep: false };
    shop.standard_libraries()?;
    for (processor, _) in processors(false) {
        shop.library(processor)?;
    }
    CHECKED.iter().try_for_each(|checked| shop.check(checked))
}

struct Shop<'a> {
    workshop: Workshop<'a>,
    log: PathBuf,
    deep: bool,
}

impl Shop<'_> {
    fn run(&self, script: &str) -> Result<Finished, String> {
        process::run(&mut self.workshop.command(script), LIMIT, &self.log)?.well()
    }

    fn standard_libraries(&self) -> Result<(), String> {
        let compiled = processors(self.deep).iter().map(|(processor, _)| darwin(processor));
        let triples: Vec<String> =
            compiled.chain(CHECKED.iter().map(|checked| checked.triple.to_owned())).collect();
        self.workshop.standard_libraries(&triples.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Builds the shared library for a processor; gives its path.
    fn library(&self, processor: &str) -> Result<PathBuf, String> {
        let (profile, folder) = if self.deep { ("release", "release") } else { ("dev", "debug") };
        let target = self.workshop.target.display();
        self.run(&format!(
            "export RUSTFLAGS='-D warnings'; cargo rustc --quiet --locked --package libmcp --crate-type cdylib --profile {profile} \
             --target-dir '{target}' --target {}",
            darwin(processor)
        ))?;
        Ok(self.workshop.target.join(darwin(processor)).join(folder).join("libmcp.dylib"))
    }

    fn unit_tests(&self) -> Result<(), String> {
        let target = self.workshop.target.display();
        self.run(&format!(
            "export RUSTFLAGS='-D warnings'; cargo rustc --quiet --locked --package mcp --lib --profile test --target-dir '{target}' \
             --target aarch64-apple-darwin"
        ))
        .map(drop)
    }

    /// Has the compiler look at the library with all its features, for a system whose linker is not here.
    fn check(&self, checked: &Checked) -> Result<(), String> {
        let Checked { triple, parts, .. } = checked;
        let folder = self.workshop.target.display();
        self.run(&format!(
            "export RUSTFLAGS='-D warnings'; cargo check --quiet --locked --package mcp {parts} --target-dir '{folder}' --target {triple}"
        ))
        .map(drop)
    }

    fn exports(&self, library: &std::path::Path, listed: &str) -> Result<(), String> {
        let finished = self.run(&format!(
            "llvm-nm --defined-only --extern-only --just-symbol-name '{}'",
            library.display()
        ))?;
        // A name in a Mach-O file begins with an underscore.
        let found: BTreeSet<&str> =
            finished.stdout.lines().map(|name| name.strip_prefix('_').unwrap_or(name)).collect();
        exports::compare(&found, &listed.lines().collect())
    }

    fn headers(&self, library: &std::path::Path) -> Result<(), String> {
        let library = library.display();
        let finished = self.run(&format!(
            "llvm-otool -D '{library}'; echo; llvm-otool -L '{library}'; llvm-otool -l '{library}'"
        ))?;
        let text = finished.stdout;
        let (own, rest) = text.split_once("\n\n").ok_or_else(|| text.clone())?;
        if own.lines().last() != Some("@rpath/libmcp.dylib") {
            return Err(format!("its install name is {own}"));
        }
        if !rest.contains(&format!("minos {OLDEST}")) {
            return Err(format!("it is not for macOS {OLDEST}: {rest}"));
        }
        let known = sdk::libraries();
        let needed =
            rest.lines().filter_map(|line| line.trim().split_once(" (compatibility")).map(|(name, _)| name);
        let foreign: Vec<&str> =
            needed.filter(|name| *name != "@rpath/libmcp.dylib" && !known.contains(name)).collect();
        if foreign.is_empty() { Ok(()) } else { Err(format!("it needs {}", foreign.join(", "))) }
    }

    fn program(&self, processor: &str, library: &std::path::Path) -> Result<(), String> {
        let object = self.log.with_file_name(format!("program-{processor}.o"));
        let (object, library) = (object.display(), library.display());
        self.run(&format!(
            "cc-for-macos -arch {processor} -std=c11 -Wall -Wextra -Werror -I include -c '{PROGRAM}' -o '{object}'; link-for-macos -arch \
             {processor} '{object}' '{library}' -o '{object}.program'; llvm-otool -L '{object}.program' | grep -qF @rpath/libmcp.dylib"
        ))
        .map(drop)
    }

    fn universal(&self, one: &std::path::Path, other: &std::path::Path) -> Result<(), String> {
        let both = self.log.with_file_name("libmcp.dylib");
        let (one, other, both) = (one.display(), other.display(), both.display());
        let finished = self.run(&format!(
            "llvm-lipo -create '{one}' '{other}' -output '{both}'; llvm-lipo -archs '{both}'"
        ))?;
        let found: BTreeSet<&str> = finished.stdout.split_whitespace().collect();
        let wanted = PROCESSORS.iter().map(|(_, apple)| *apple).collect();
        if found == wanted { Ok(()) } else { Err(format!("it is for {found:?}")) }
    }
}
