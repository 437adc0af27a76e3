//! The library for Windows, compiled on Linux with MinGW-w64; C programs use it under wine. What is compiled with Microsoft's compilers
//! is only checked. With `--deep` the programs that take long run too, and it is the optimized library.

mod conformance;
mod package;
mod programs;
mod workshop;

use std::path::{Path, PathBuf};

use super::Stage;
use super::programs::calls_over_http;
use super::rust::SCHEDULES;
use crate::checkout::{Checkout, read, stem};
use crate::dist::{DLL, IMPORT, WINDOWS};
use crate::process;
use package::Package;
use programs::{Table, Wish};
pub use workshop::{Workshop, make_chroot};

/// How long a program may take. `timeout` ends what runs inside of wine, too.
const PROGRAM_SECONDS: u32 = 90;
/// The modules whose unit tests run with every test.
const MODULES: [&str; 4] = ["transport::", "runtime::", "client::", "ffi::"];
/// How many schedules the simulators play under wine: what they play is the same everywhere.
const SEEDS: u32 = 1000;
/// Windows with Microsoft's C library.
const MSVC: &str = "x86_64-pc-windows-msvc";
/// Examples that a server is enough for.
const EXAMPLES: [&str; 5] = ["ask_user", "demo", "game_tick", "long_call", "quickstart"];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let checkout = stage.checkout;
    let workshop = match Workshop::find(checkout)? {
        Ok(workshop) => workshop,
        Err(why) => {
            stage.tally.lack("the library for Windows", &why);
            return Ok(());
        }
    };
    if let Err(why) = workshop.standard_library(WINDOWS) {
        stage.tally.lack("the library for Windows", &why);
        return Ok(());
    }
    let scratch = checkout.scratch("windows")?;
    let package = Package::new(checkout, &workshop, scratch.join("package"), stage.options.deep);
    let shop = Shop::new(checkout, &workshop, &scratch, &package, stage.options.deep);
    let library = package.make().and_then(|()| shop.scripted_servers(stage.options.deep));
    let is_built = library.is_ok();
    stage.tally.check(
        "the library is compiled for Windows without a warning and packed, and the test servers compiled",
        library,
    );
    if is_built {
        package.check(&mut stage.tally);
        let text = read(&checkout.root.join("tests/windows/programs.txt"))?;
        let result = shop.unit_tests(&Table::read(&text)?.units, stage.options.deep);
        stage.tally.check(
            "the unit tests of what differs there, or with --deep all of them, pass under wine",
            result,
        );
        run_programs(stage, &shop)?;
        if stage.options.deep {
            conformance::run(stage, &shop)?;
        }
    }
    if stage.options.deep {
        let what = format!("the whole library is checked for {MSVC} without a warning");
        match workshop.standard_library(MSVC) {
            Ok(()) => stage.tally.check(&what, shop.check_msvc()),
            Err(why) => stage.tally.lack(&what, &why),
        }
    }
    Ok(())
}

/// What the step has compiled, before it, without `--deep`.
pub fn build_all(checkout: &Checkout) -> Result<(), String> {
    let Ok(workshop) = Workshop::find(checkout)? else { return Ok(()) };
    let scratch = checkout.scratch("windows/ahead")?;
    let package = Package::new(checkout, &workshop, scratch.join("package"), false);
    let shop = Shop::new(checkout, &workshop, &scratch, &package, false);
    workshop.standard_library(WINDOWS)?;
    package.compile()?;
    shop.scripted_servers(false)?;
    shop.run(&shop.unit_tests_are_compiled())
}

/// The table has a line for every program, and for no other. The step `pages` asks, which needs no compiler.
pub fn check_table(checkout: &Checkout) -> Result<(), String> {
    let text = read(&checkout.root.join("tests/windows/programs.txt"))?;
    let table = Table::read(&text)?;
    let mut names = checkout.files("tests/c", "c").iter().map(|it| stem(it)).collect::<Vec<_>>();
    let stale = table.stale(|name| names.iter().any(|it| it == name));
    names.retain(|name| table.wish(name).is_none());
    if names.is_empty() && stale.is_empty() {
        Ok(())
    } else {
        Err(format!("not in the table: {}; no program: {}", names.join(", "), stale.join(", ")))
    }
}

fn run_programs(stage: &mut Stage, shop: &Shop) -> Result<(), String> {
    let text = read(&stage.checkout.root.join("tests/windows/programs.txt"))?;
    let table = Table::read(&text)?;
    let mut wanted = Vec::new();
    let mut not_run = 0;
    for source in stage.checkout.files("tests/c", "c") {
        match table.wish(&stem(&source)) {
            Some(Wish::Run) => wanted.push(source),
            Some(Wish::Deep) if stage.options.deep => wanted.push(source),
            _ => not_run += 1,
        }
    }
    println!("  {not_run} programs do not run here, for the reasons in tests/windows/programs.txt");
    let prepared = shop.prepare(stage.checkout);
    let is_prepared = prepared.is_ok();
    stage.tally.check("the example server is compiled with MinGW-w64 and wine starts", prepared);
    if !is_prepared {
        return Ok(());
    }
    wanted.extend(stage.checkout.files("tests/windows/c", "c"));
    wanted.extend(EXAMPLES.map(|name| stage.checkout.root.join("examples/c").join(name).with_extension("c")));
    process::side_by_side(
        &wanted,
        |source| shop.program(source),
        |source, result| {
            let folder = source.parent().and_then(|folder| folder.strip_prefix(&stage.checkout.root).ok());
            let folder = folder.map_or_else(String::new, |folder| folder.display().to_string());
            stage.tally.check(&format!("{folder}/{}", stem(source)), result);
        },
    );
    Ok(())
}

struct Shop<'a> {
    checkout: &'a Checkout,
    workshop: &'a Workshop<'a>,
    /// Where programs, servers and the DLL are: a program finds the DLL beside itself.
    programs: PathBuf,
    log: PathBuf,
    /// The package, with the DLL and its import library.
    prefix: PathBuf,
    /// What cargo has built.
    built: PathBuf,
}

impl<'a> Shop<'a> {
    fn new(
        checkout: &'a Checkout,
        workshop: &'a Workshop<'a>,
        scratch: &Path,
        package: &Package,
        is_deep: bool,
    ) -> Self {
        let profile = if is_deep { "release" } else { "debug" };
        Self {
            checkout,
            workshop,
            programs: scratch.join("programs"),
            log: scratch.join("log"),
            prefix: package.prefix(),
            built: workshop.target.join(WINDOWS).join(profile),
        }
    }

    fn run(&self, script: &str) -> Result<(), String> {
        self.workshop.run(script, &self.log).map(drop)
    }

    fn scripted_servers(&self, is_deep: bool) -> Result<(), String> {
        let profile = if is_deep { "release" } else { "dev" };
        let target = self.workshop.target.display();
        self.run(&format!(
            "cargo build --quiet --locked --package mcp-scripted-server --package mcp-scripted-http --profile {profile} \
             --target-dir '{target}' --target {WINDOWS}"
        ))
    }

    /// The line of a script after which `$tests` is their program.
    fn unit_tests_are_compiled(&self) -> String {
        let target = self.workshop.target.display();
        format!(
            "tests=$(cargo rustc --quiet --locked --package mcp --lib --profile test --message-format json-render-diagnostics --target-dir \
             '{target}' --target {WINDOWS} -- -D warnings | grep -o '\"executable\":\"[^\"]*\"' | tail -n 1 | cut -d '\"' -f 4)"
        )
    }

    fn unit_tests(&self, skipped: &[&str], is_deep: bool) -> Result<(), String> {
        let schedules = (!is_deep).then_some(SCHEDULES);
        let skipped: Vec<String> =
            skipped.iter().copied().chain(schedules).map(|name| format!("--skip {name}")).collect();
        let modules = if is_deep { String::new() } else { MODULES.join(" ") };
        let script = format!(
            "{}\nMCP_SIM_SEEDS={SEEDS} timeout -k 5 600 wine \"$tests\" {} {modules}",
            self.unit_tests_are_compiled(),
            skipped.join(" ")
        );
        self.run(&script)
    }

    /// The C parts of *ring* are compiled by MinGW-w64: nothing is linked, so that they need not fit. The archiver is called in the words of
    /// Microsoft's.
    fn check_msvc(&self) -> Result<(), String> {
        let target = self.workshop.target.display();
        let script = format!(
            "folder='{target}/msvc'; mkdir -p \"$folder\"\n\
             printf '%s\\n' '#!/bin/sh' 'out=${{1#-out:}}; shift 2; exec x86_64-w64-mingw32-ar crs \"$out\" \"$@\"' >\"$folder/lib\"; chmod +x \"$folder/lib\"\n\
             export CC_x86_64_pc_windows_msvc=x86_64-w64-mingw32-gcc AR_x86_64_pc_windows_msvc=\"$folder/lib\"\n\
             unset CARGO_ENCODED_RUSTFLAGS; RUSTFLAGS='-D warnings' cargo check --quiet --locked --package mcp --lib --target-dir \"$folder\" \
             --target {MSVC}"
        );
        self.run(&script)
    }

    /// Compiles what all programs need, and starts wine once, which makes its folder the first time.
    fn prepare(&self, checkout: &Checkout) -> Result<(), String> {
        let folder = self.programs.display();
        let (built, prefix) = (self.built.display(), self.prefix.display());
        let sources: Vec<String> = checkout
            .files("examples/server", "c")
            .iter()
            .map(|source| format!("'{}'", source.display()))
            .collect();
        let script = format!(
            "mkdir -p '{folder}'; cp '{prefix}/bin/{DLL}' '{built}/mcp-scripted-server.exe' '{built}/mcp-scripted-http.exe' '{folder}'\n\
             {COMPILE} -Itests/windows/include -c tests/windows/posix.c -o '{folder}/posix.o'\n\
             {COMPILE} {} '{prefix}/lib/{IMPORT}' {LIBRARIES} -o '{folder}/mcp-example-server.exe'\n\
             timeout -k 5 120 wineboot -i > /dev/null 2>&1; cd '{folder}'; timeout -k 5 60 wine ./mcp-example-server.exe --version",
            sources.join(" ")
        );
        self.run(&script)
    }

    /// Compiles a program and runs it with the servers.
    fn program(&self, source: &Path) -> Result<(), String> {
        let name = stem(source);
        let (folder, prefix) = (self.programs.display(), self.prefix.display());
        // The C library has fewer names with them; the warnings are those of the step `c`.
        let is_test = source.starts_with(self.checkout.root.join("tests"));
        let servers = match (is_test, calls_over_http(source)?) {
            (true, true) => "./mcp-example-server.exe ./mcp-scripted-server.exe ./mcp-scripted-http.exe",
            (true, false) => "./mcp-example-server.exe ./mcp-scripted-server.exe",
            (false, _) => "./mcp-example-server.exe",
        };
        let script = format!(
            "{COMPILE} -D__USE_MINGW_ANSI_STDIO=1 -Itests/windows/include -Itests/c '{}' '{folder}/posix.o' '{prefix}/lib/{IMPORT}' {LIBRARIES} -o '{folder}/{name}.exe'\n\
             cd '{folder}'; exec timeout -k 5 {PROGRAM_SECONDS} wine ./{name}.exe {servers}",
            source.display()
        );
        self.workshop.run(&script, &self.log.with_file_name(format!("{name}.log"))).map(drop)
    }
}

const COMPILE: &str = "x86_64-w64-mingw32-gcc -std=c11 -Wall -Wextra -Iinclude";
const LIBRARIES: &str = "-Wl,-Bstatic -lpthread -Wl,-Bdynamic -lws2_32";
