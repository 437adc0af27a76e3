//! The library for Linux on other processors and with musl, made on x86-64 by `cargo xtask dist` in a chroot; C programs use it. Programs
//! for ARM run under QEMU's emulation, those for i686 and for musl on x86-64 natively. With every test two systems and a few programs; with
//! `--deep` all systems, the optimized library, all programs that `tests/targets/programs.txt` does not except, and the unit tests. The
//! packages of the bindings for these systems are a step of their own.
//!
//! The files:
//!
//! * `go`, `nodes`, `pythons`: the Go module, npm packages and wheels
//! * `packages`: the step that makes these
//! * `programs`: the table of programs that run where
//! * `target`: the systems
//! * `workshop`: the chroot

mod go;
mod nodes;
pub mod packages;
mod programs;
mod pythons;
mod target;
mod workshop;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::rust::result_line;
use super::{Stage, dist, programs as all};
use crate::checkout::{Checkout, read, stem};
use crate::process;
use crate::release::Built;
use crate::symbols;
use programs::{TABLE, Table};
use target::Linked;
pub use target::{TARGETS, Target};
pub use workshop::{Workshop, make_chroots};

/// How long a program may take. `timeout` ends what runs in the emulator, too.
const PROGRAM_SECONDS: u32 = 180;
/// The exit status of a program that the system does not permit what it needs.
const SKIPPED: i32 = 77;
/// Names some of the systems, joined by commas.
const VARIABLE: &str = "MCP_LINUX_TARGETS";
/// How long the unit tests may take, with their compilation.
const UNIT_LIMIT: Duration = Duration::from_secs(3600);
/// The word of the table for programs that start themselves, where an emulated one cannot.
const ALONE: &str = "alone";
/// The systems whose trees this run of the tests has made.
static MADE: Mutex<Vec<&str>> = Mutex::new(Vec::new());
/// How many schedules the simulator of the engine plays where it is emulated.
const EMULATED_SEEDS: u32 = 1000;

/// The table names programs that are there. The step `pages` asks, which needs no compiler.
pub fn check_table(checkout: &Checkout) -> Result<(), String> {
    let text = read(&checkout.root.join(TABLE))?;
    let stale = Table::read(&text)?
        .stale(|name| checkout.root.join("tests/c").join(name).with_extension("c").is_file())
        .join(", ");
    if stale.is_empty() { Ok(()) } else { Err(format!("no program: {stale}")) }
}

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let checkout = stage.checkout;
    let workshop = match Workshop::find(checkout)? {
        Ok(workshop) => workshop,
        Err(why) => {
            stage.tally.lack("the library for other Linux systems", &why);
            return Ok(());
        }
    };
    let text = read(&checkout.root.join(TABLE))?;
    let table = Table::read(&text)?;
    let built = stage.built()?;
    let mut shops = Vec::new();
    for target in wanted(stage)? {
        if let Some(shop) = ready(stage, &workshop, target, &built)? {
            shop.check_library(stage)?;
            if let Some(why) = shop.why_nothing_runs()? {
                stage.tally.skip(&format!("programs for {}", target.triple), &why);
                continue;
            }
            for linked in [Linked::Shared, Linked::Static] {
                run_programs(stage, &shop, &table, linked)?;
            }
            shops.push(shop);
        }
    }
    if stage.options.deep && stage.options.program.is_none() {
        for shop in &shops {
            run_units(stage, shop, &table);
        }
    }
    Ok(())
}

/// What the step has compiled, before it, without `--deep`.
pub fn build_all(checkout: &Checkout) -> Result<(), String> {
    let Ok(workshop) = Workshop::find(checkout)? else { return Ok(()) };
    for target in TARGETS.iter().filter(|target| target.is_always_run) {
        workshop.rust(target)?;
        let folder = checkout.scratch(&format!("linux-targets/ahead/{}", target.triple))?;
        let script = dist_script(&workshop, target, "dev", &folder.join("libmcp"))?;
        workshop.run(target, &script, &folder.join("log"))?;
    }
    Ok(())
}

/// A script that makes the install tree. A warning is an error, which cargo tells of packages of ours alone.
fn dist_script(workshop: &Workshop, target: &Target, profile: &str, prefix: &Path) -> Result<String, String> {
    let line = crate::dist::command_line(target.triple, profile, &workshop.target(target), prefix)?;
    Ok(format!("export RUSTC_BOOTSTRAP=1 CARGO_UNSTABLE_WARNINGS=true CARGO_BUILD_WARNINGS=deny\n{line}"))
}

/// The install tree for a system, if it can be made.
fn ready<'a, 's: 'a>(
    stage: &mut Stage<'s>,
    workshop: &'a Workshop<'a>,
    target: &'a Target,
    built: &'a Built,
) -> Result<Option<Shop<'a>>, String> {
    if let Err(why) = workshop.rust(target) {
        stage.tally.lack(target.triple, &why);
        return Ok(None);
    }
    let shop = Shop::new(stage, workshop, target, built)?;
    let made = shop.make();
    let is_made = made.is_ok();
    stage
        .tally
        .check(&format!("{}: the library is compiled without a warning and packed", target.triple), made);
    Ok(is_made.then_some(shop))
}

/// The systems: those that the variable names, or those of this run.
fn wanted(stage: &Stage) -> Result<Vec<&'static Target>, String> {
    let named = std::env::var(VARIABLE).unwrap_or_default();
    let named: Vec<&str> = named.split(',').filter(|triple| !triple.is_empty()).collect();
    if let Some(unknown) = named.iter().find(|triple| TARGETS.iter().all(|target| target.triple != **triple))
    {
        let all: Vec<&str> = TARGETS.iter().map(|target| target.triple).collect();
        return Err(format!("{VARIABLE} names {unknown}; there are {}", all.join(", ")));
    }
    let is_wanted = |target: &&Target| match named.is_empty() {
        true => stage.options.deep || target.is_always_run,
        false => named.contains(&target.triple),
    };
    Ok(TARGETS.iter().filter(is_wanted).collect())
}

/// Runs the programs. Statically linked ones for glibc differ from the others in the linking alone: of these a few run.
fn run_programs(stage: &mut Stage, shop: &Shop, table: &Table, linked: Linked) -> Result<(), String> {
    let sources = all::c(stage)?;
    let all_run = stage.options.program.is_some()
        || stage.options.deep && (linked == Linked::Shared || shop.target.is_musl());
    let mut wanted = Vec::new();
    let mut not_run = 0;
    for source in sources.into_iter().filter(|source| all_run || table.is_always_run(&stem(source))) {
        match table.reason(&stem(&source), &shop.marks(), linked.word()) {
            Some(_) => not_run += 1,
            None => wanted.push(source),
        }
    }
    let triple = shop.target.triple;
    let mut counts = [0; 3];
    process::side_by_side(
        &wanted,
        |source| shop.program(source, linked, table),
        |source, result| {
            let name = format!("{triple}, {}: tests/c/{}", linked.word(), stem(source));
            match result {
                Ok(None) => counts[0] += 1,
                Ok(Some(_)) => counts[1] += 1,
                Err(_) => counts[2] += 1,
            }
            match result {
                Ok(Some(why)) => stage.tally.skip(&name, &why),
                result => stage.tally.check(&name, result.map(drop)),
            }
        },
    );
    let [passed, skipped, failed] = counts;
    println!(
        "  {triple}, {}: {passed} programs passed, {failed} failed, {skipped} were skipped; {not_run} do not run there, for the reasons in {TABLE}",
        linked.word()
    );
    Ok(())
}

fn run_units(stage: &mut Stage, shop: &Shop, table: &Table) {
    let triple = shop.target.triple;
    let found = shop.unit_tests(&table.units(&shop.marks()));
    if let Ok([passed, _, ignored]) = found {
        println!("  {triple}: {passed} unit tests passed, {ignored} are not for a plain run");
    }
    stage.tally.check(&format!("{triple}: the unit tests of the library pass"), found.map(drop));
}

struct Shop<'a> {
    checkout: &'a Checkout,
    workshop: &'a Workshop<'a>,
    target: &'a Target,
    built: &'a Built,
    /// The install tree.
    prefix: PathBuf,
    /// What is made of this system.
    folder: PathBuf,
    deep: bool,
}

impl<'a> Shop<'a> {
    fn new(
        stage: &Stage<'a>,
        workshop: &'a Workshop<'a>,
        target: &'a Target,
        built: &'a Built,
    ) -> Result<Self, String> {
        let folder = stage.checkout.scratch(&format!("linux-targets/{}", target.triple))?;
        let prefix = folder.join("libmcp");
        let (checkout, deep) = (stage.checkout, stage.options.deep);
        Ok(Self { checkout, workshop, target, built, prefix, folder, deep })
    }

    /// Words by which the table of programs says where one does not run.
    fn marks(&self) -> Vec<&'static str> {
        let alone = self.target.emulator.is_some() && !self.workshop.can_start_emulated;
        self.target.marks.iter().copied().chain(alone.then_some(ALONE)).collect()
    }

    fn run(&self, script: &str) -> Result<process::Finished, String> {
        self.workshop.run(self.target, script, &self.folder.join("log"))
    }

    /// Makes the install tree, unless another step of this run has made it.
    fn make(&self) -> Result<(), String> {
        let made = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if made().contains(&self.target.triple) {
            return Ok(());
        }
        let profile = if self.deep { "release" } else { "dev" };
        self.run(&dist_script(self.workshop, self.target, profile, &self.prefix)?)?;
        made().push(self.target.triple);
        Ok(())
    }

    /// What its files say, in the ways of the step `dist`.
    fn check_library(&self, stage: &mut Stage) -> Result<(), String> {
        let triple = self.target.triple;
        let shared = self.prefix.join("lib/libmcp.so");
        let archive = self.prefix.join("lib/libmcp.a");
        // Debian's binutils for this processor read the files of all of them.
        let ask = |words: &str, file: &Path| {
            self.run(&format!("{words} '{}'", file.display())).map(|finished| finished.stdout)
        };
        let script = symbols::version_script(self.checkout)?;
        let exported = ask("readelf --dyn-syms -W", &shared)?;
        stage.tally.check(
            &format!("{triple}: the shared library exports the functions of the API, each in its version, and nothing else"),
            dist::same(&dynamic(&exported), &dist::expected(&script)),
        );
        let listed = read(&self.checkout.exports())?.lines().map(str::to_owned).collect();
        let global = ask("readelf -sW", &archive)?;
        stage.tally.check(
            &format!("{triple}: the static library shows the functions of the API and nothing else"),
            dist::same(&global_names(&global), &listed),
        );
        let soname = crate::dist::Version::read(self.checkout)?.soname();
        let looks = dist::looks(&ask("readelf -dW", &shared)?, &ask("readelf -lW", &shared)?, &soname);
        let wrong: Vec<String> = looks
            .into_iter()
            .filter_map(|(name, result)| Some(format!("not so: {name}: {}", result.err()?)))
            .collect();
        let result = if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) };
        stage.tally.check(
            &format!("{triple}: the shared library is hardened, is not unmapped, and needs nothing but the C library"),
            result,
        );
        for file in [&shared, &archive] {
            let name = file.file_name().unwrap_or_default().display();
            let result = dist::names_no_folder(self.checkout, file);
            stage.tally.check(&format!("{triple}: {name} names no folder of this machine"), result);
        }
        Ok(())
    }

    /// Why programs of this system do not run at all, if so: a kernel may have no 32 bits.
    fn why_nothing_runs(&self) -> Result<Option<String>, String> {
        let program = self.folder.join("empty");
        let script = format!(
            "echo 'int main(void) {{ return 0; }}' >'{0}.c'; {1} '{0}.c' -o '{0}'\nif {2} '{0}'; then echo runs; fi",
            program.display(),
            self.target.cc,
            self.target.runner()
        );
        let finished = self.run(&script)?;
        let runs = finished.stdout.trim() == "runs";
        Ok((!runs).then(|| format!("this kernel does not run them: {}", finished.stderr.trim())))
    }

    /// Compiles a program, by what pkg-config says, and runs it with the servers of this machine. Says why it was skipped, if it was.
    fn program(&self, source: &Path, linked: Linked, table: &Table) -> Result<Option<String>, String> {
        let folder =
            self.checkout.scratch(&format!("linux-targets/{}/{}", self.target.triple, linked.word()))?;
        let program = folder.join(stem(source));
        let prefix = self.prefix.display();
        let flags = match linked {
            Linked::Shared => {
                format!("$(pkg-config --cflags --libs mcp) -Wl,-rpath,'{prefix}/lib'")
            }
            // Names are not resolved without the C library's own files, so for glibc that one is shared.
            Linked::Static if self.target.is_musl() => {
                "-static $(pkg-config --static --cflags --libs mcp-static)".to_owned()
            }
            Linked::Static => "$(pkg-config --cflags --libs mcp-static)".to_owned(),
        };
        let servers: Vec<String> = all::arguments(self.built, source)?
            .iter()
            .map(|server| format!("'{}'", server.display()))
            .collect();
        // Without this table a panic in a program that is linked statically would end the process.
        let look = match linked {
            Linked::Shared => String::new(),
            Linked::Static => {
                let frames = dist::FRAMES.join("|");
                format!("readelf -lW '{}' | grep -E '{frames}' >/dev/null\n", program.display())
            }
        };
        // The loads are for a slow machine where programs are emulated, or the library is not optimized.
        let scale =
            if self.target.emulator.is_some() || !self.deep { "export MCP_TEST_SCALE=4\n" } else { "" };
        let script = format!(
            "{scale}export PKG_CONFIG_LIBDIR='{prefix}/lib/pkgconfig' MCP_SHARED_LIBRARY='{prefix}/lib/libmcp.so'\n\
             {} -std=c11 -O1 -g -Wall -Wextra -Wpedantic -Werror '{}' {flags} -pthread -o '{}'\n\
             {look}cd '{}'; exec timeout -k 5 {PROGRAM_SECONDS} {} '{}' {}",
            self.target.cc,
            source.display(),
            program.display(),
            folder.display(),
            self.target.runner(),
            program.display(),
            servers.join(" ")
        );
        let limit = Duration::from_secs(u64::from(PROGRAM_SECONDS) + 60);
        // What a program that starts itself again lacks elsewhere, and what others lack there.
        let starts_itself = table.reason(&stem(source), &[ALONE], linked.word()).is_some();
        let mut command = match starts_itself {
            true => self.workshop.emulated(self.target, &script),
            false => self.workshop.command(self.target, &script, &[]),
        };
        let finished = process::run(&mut command, limit, &program.with_extension("run"))?;
        let status = finished.code();
        match (status, finished.stdout.trim().strip_prefix("skip: ")) {
            (Some(0), _) => Ok(None),
            (Some(SKIPPED), Some(why)) => Ok(Some(why.to_owned())),
            _ => Err(finished.story()),
        }
    }

    fn unit_tests(&self, skipped: &[&str]) -> Result<[usize; 3], String> {
        let skipped: Vec<String> = skipped.iter().map(|name| format!("--skip {name}")).collect();
        let seeds = match self.target.emulator {
            Some(_) => format!("export MCP_SIM_SEEDS={EMULATED_SEEDS}\n"),
            None => String::new(),
        };
        let script = format!(
            "{seeds}cargo test --quiet --locked --package mcp-core --package mcp --lib --target-dir '{}' --target {} -- {}",
            self.workshop.target(self.target).display(),
            self.target.triple,
            skipped.join(" ")
        );
        // Some of them start themselves.
        let mut command = self.workshop.emulated(self.target, &script);
        let finished = process::run(&mut command, UNIT_LIMIT, &self.folder.join("units"))?.well()?;
        let mut all = [0; 3];
        let mut packages = 0;
        for counts in finished.stdout.lines().filter_map(result_line) {
            packages += usize::from(counts[0] > 0);
            for (sum, count) in all.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        if packages == 2 {
            Ok(all)
        } else {
            Err(format!("tests of two packages should run, not of {packages}"))
        }
    }
}

/// The symbols that `readelf --dyn-syms` shows as defined, with their versions; the versions themselves are symbols too.
fn dynamic(text: &str) -> std::collections::BTreeSet<String> {
    defined(text).into_iter().filter(|name| name.contains('@')).collect()
}

/// The names that other objects see.
fn global_names(text: &str) -> std::collections::BTreeSet<String> {
    defined(text).into_iter().collect()
}

/// `Num: Value Size Type Bind Vis Ndx Name`, of the symbols that are defined here and seen elsewhere.
fn defined(text: &str) -> Vec<String> {
    let rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    rows.filter(|row| {
        row.len() >= 8 && ["GLOBAL", "WEAK"].contains(&row[4]) && !["UND", "ABS"].contains(&row[6])
    })
    .filter(|row| row[5] != "HIDDEN")
    .map(|row| row[7].to_owned())
    .collect()
}

#[cfg(test)]
mod tests {
    use super::defined;

    #[test]
    fn symbols_are_those_that_others_see() {
        let text = "   Num:    Value  Size Type    Bind   Vis      Ndx Name\n\
                    1: 0 0 FUNC GLOBAL DEFAULT UND write@GLIBC_2.2.5 (2)\n\
                    2: 0 0 OBJECT GLOBAL DEFAULT ABS MCP_0.1\n\
                    3: 10 9 FUNC GLOBAL DEFAULT 12 mcp_call@@MCP_0.1\n\
                    4: 20 9 FUNC LOCAL DEFAULT 12 mine\n\
                    5: 20 9 FUNC GLOBAL HIDDEN 12 also_mine\n";
        assert_eq!(defined(text), ["mcp_call@@MCP_0.1"]);
    }
}
