//! The package as its users meet it: the install tree is made, moved to another prefix, and used from there in every way
//! that docs/guide/packaging.md promises. Each program calls the example server.
//!
//! A way is a script in `tests/packaging/ways`, of what a user types. Its first comments say what it shows, which tools it needs,
//! whether it uses those of Python, and whether it runs with `--deep` alone. `$PREFIX` is where the package is, `$SERVER` the example
//! server, `$TESTS` the folder `tests/packaging`, `$STRICT_C` and `$STRICT_CPP` the warnings that we promise to be free of; `refuse`
//! runs a command that must fail. The scripts begin in the order of their names: first those that take longest.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::checkout::{Checkout, cleared, folder_at, read, removed, stem};
use crate::dist::{self, Wish};
use crate::machine::{
    CC, CLANG, CLANGXX, CMAKE, DPKG, DPKG_DEB, GCC, GDB, GXX, NINJA, NLOHMANN_JSON, PKG_CONFIG, PYTHON,
    READELF, Tool, VALGRIND,
};
use crate::peers;
use crate::process;
use crate::release::Built;

/// Building the library as a part of a program takes a minute or two on a machine that does other things too.
const LIMIT: Duration = Duration::from_secs(900);

/// `!` would not end the script: the shell's -e takes no notice of a command after it.
const REFUSE: &str = "refuse() { if \"$@\"; then echo \"this should have failed: $*\" >&2; exit 1; fi; }\n";

/// The tools that a way may name.
const TOOLS: [(&str, &Tool); 15] = [
    ("cc", &CC),
    ("clang", &CLANG),
    ("clang++", &CLANGXX),
    ("cmake", &CMAKE),
    ("dpkg", &DPKG),
    ("dpkg-deb", &DPKG_DEB),
    ("g++", &GXX),
    ("gcc", &GCC),
    ("gdb", &GDB),
    ("ninja", &NINJA),
    ("nlohmann-json", &NLOHMANN_JSON),
    ("pkg-config", &PKG_CONFIG),
    ("python3", &PYTHON),
    ("readelf", &READELF),
    ("valgrind", &VALGRIND),
];

/// A way to use the package.
struct Way {
    shows: String,
    /// Where its files are built.
    folder: String,
    needs: Vec<&'static Tool>,
    uses_python: bool,
    is_deep: bool,
    script: String,
}

impl Way {
    fn read(file: &Path) -> Result<Self, String> {
        let script = read(file)?;
        let mut head = script.lines().map_while(|line| line.strip_prefix("# "));
        let wrong = |what: &str| format!("{}: {what}", file.display());
        let shows = head.next().ok_or_else(|| wrong("its first comment says what it shows"))?.to_owned();
        let needs = head.next().and_then(|line| line.strip_prefix("needs: "));
        let tool = |name: &str| {
            let known = TOOLS.iter().find(|(known, _)| *known == name).map(|(_, tool)| *tool);
            known.ok_or_else(|| wrong(&format!("there is no tool {name}")))
        };
        let needs = needs.ok_or_else(|| wrong("its second comment is `needs: ` and the tools"))?;
        let needs = needs.split(' ').map(tool).collect::<Result<_, _>>()?;
        let rest: Vec<&str> = head.collect();
        let (uses_python, is_deep) = (rest.contains(&"uses tools of Python"), rest.contains(&"deep"));
        Ok(Self { shows, folder: stem(file), needs, uses_python, is_deep, script })
    }
}

/// Where the things are that a way names.
struct Places {
    /// What Conan calls how much is optimized: its package is run for a moment, and most of the time would go to the compiler.
    build_type: &'static str,
    prefix: PathBuf,
    tools: Option<PathBuf>,
    built: Built,
}

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        stage.tally.skip("the package", "it is made on Linux only, so far");
        return Ok(());
    }
    let built = stage.built()?;
    let prefix = moved(stage.checkout)?;
    let tools = match stage.tally.need(&PYTHON, "consumers built with Meson") {
        Some(_) => Some(peers::packaging_tools(stage.checkout)?),
        None => None,
    };
    let build_type = if stage.options.deep { "Release" } else { "Debug" };
    let places = Places { build_type, prefix, tools, built };
    let files = stage.checkout.files("tests/packaging/ways", "sh");
    let ways = files.iter().map(|file| Way::read(file)).collect::<Result<Vec<_>, _>>()?;
    let mut can = Vec::new();
    for way in ways.iter().filter(|way| stage.options.deep || !way.is_deep) {
        let has_all = way.needs.iter().all(|tool| stage.tally.need(tool, &way.shows).is_some());
        if has_all && (places.tools.is_some() || !way.uses_python) {
            can.push(way);
        }
    }
    if can.is_empty() {
        return Err("there is no way to use the package in tests/packaging/ways".to_owned());
    }
    let checkout = stage.checkout;
    process::side_by_side(
        &can,
        |way| works(checkout, &places, way),
        |way, result| stage.tally.check(&way.shows, result),
    );
    Ok(())
}

/// The tree in a folder that it was not made in.
fn moved(checkout: &Checkout) -> Result<PathBuf, String> {
    let scratch = checkout.scratch("packaging")?;
    let (made, prefix) = (scratch.join("made"), scratch.join("elsewhere/opt"));
    for folder in [&made, &prefix] {
        removed(folder)?;
    }
    let to = made.display().to_string();
    dist::make(checkout, &Wish::read(checkout, &["--to", &to, "--no-tarball"])?)?;
    if let Some(parent) = prefix.parent() {
        folder_at(parent)?;
    }
    std::fs::rename(&made, &prefix).map_err(|error| format!("cannot move {}: {error}", made.display()))?;
    Ok(prefix)
}

/// Runs what a user would type, in an empty folder.
fn works(checkout: &Checkout, places: &Places, way: &Way) -> Result<(), String> {
    let folder = checkout.scratch("packaging")?.join(&way.folder);
    cleared(&folder)?;
    let mut sh = Command::new("sh");
    sh.arg("-euc").arg(format!("{REFUSE}{}", way.script)).current_dir(&folder);
    sh.env("PREFIX", &places.prefix)
        .env("PKG_CONFIG_PATH", places.prefix.join("lib/pkgconfig"))
        .env("CMAKE_PREFIX_PATH", &places.prefix)
        .env("BUILD_TYPE", places.build_type)
        .env("SERVER", &places.built.example_server)
        .env("SCRIPTED", &places.built.scripted_server)
        .env("ROOT", &checkout.root)
        .env("TARGET", &checkout.target)
        .env("TESTS", checkout.root.join("tests/packaging"))
        .env("STRICT_C", "-std=c11 -Wall -Wextra -pedantic -Werror")
        .env("STRICT_CPP", "-Wall -Wextra -pedantic -Werror");
    if let Some(tools) = &places.tools {
        sh.env("TOOLS", tools);
    }
    process::run(&mut sh, LIMIT, &folder.with_extension("log"))?.done()
}

#[cfg(test)]
mod tests {
    use super::{Checkout, Way};

    #[test]
    fn every_way_says_what_it_shows_and_needs() -> Result<(), String> {
        let ways = Checkout::find()?.files("tests/packaging/ways", "sh");
        let ways = ways.iter().map(|file| Way::read(file)).collect::<Result<Vec<_>, _>>()?;
        assert_eq!(ways.iter().filter(|way| way.is_deep).count(), 1);
        assert_eq!(ways.iter().filter(|way| way.uses_python).count(), 2);
        assert!(ways.len() > 20 && ways[1].folder == "02-conan", "{} ways", ways.len());
        Ok(())
    }
}
