//! `cargo xtask test`: every step of the project's tests, in an order that fails early and cheap first.
//!
//! A step is one module with one `run`. It says each result through the tally; what it returns as an error is counted as
//! one more failure.

pub mod ahead;
mod beside;
mod bindings;
mod c;
mod cli;
mod commands;
mod cpp;
mod ctest;
mod disk;
mod exports;
mod instructions;
mod java;
pub mod layers;
mod misuse;
mod msrv;
mod mutants;
mod node;
mod options;
mod poll_backend;
mod protocol_schemas;
pub mod pytest;
mod python;
mod rust;
pub mod sanitize;
mod schema_suite;
pub mod script;
mod store;
mod swift;
mod threads;
mod time;
mod valgrind;

use std::time::Duration;

use self::options::{Options, choose};
use self::time::{Clock, Took};
use crate::checkout::Checkout;
use crate::release::Release;
use crate::tally::Tally;

/// What a step works with.
pub struct Stage<'a> {
    pub checkout: &'a Checkout,
    pub release: &'a Release,
    pub options: &'a Options,
    pub tally: Tally,
    /// The name of the step.
    pub step: &'static str,
}

impl Stage<'_> {
    pub fn built(&self) -> Result<crate::release::Built, String> {
        self.release.get(self.checkout)
    }

    /// The program `mcp`.
    pub fn program(&self) -> Result<std::path::PathBuf, String> {
        self.release.program(self.checkout)
    }
}

struct Step {
    when: When,
    name: &'static str,
    shows: &'static str,
    run: fn(&mut Stage) -> Result<(), String>,
    /// What pytest is asked to run, what that needs of others, and what it needs besides with `--deep`.
    tests: &'static str,
    needs: &'static str,
    deep: &'static str,
}

/// When a step runs.
#[derive(Clone, Copy, PartialEq)]
enum When {
    /// Without `--all`: what can be shown in ten minutes after a clone, without a download but crates, with the tools that every C developer
    /// has. The library and the program of these steps are those of cargo's development profile, which the tests of Rust have compiled.
    Core,
    All,
    /// Beside others: the bindings, and peers made by others. What is left are C programs, sanitizers, packages and other
    /// systems. Both take about as long. None writes to a file of a step that is not among them, but for what is put there by renaming, under
    /// a lock, or by cargo: `templates`, `python`, `node`, `generate` and `swift` share folders.
    Beside,
    /// After all others: the suite of `conformance` has times that a busy machine does not keep, and where `instructions` counts those of
    /// several threads, waiting for a processor is counted, too.
    Alone,
    /// With `--deep` or by its name only: most compile the library for systems where hardly anything of it runs here, or with the parts that
    /// only these have, which takes a fifth of the whole run, and one compiles it some 380 times.
    Weekly,
}

macro_rules! steps {
    ($($when:ident $name:literal $shows:literal $run:path $(, $tests:literal $(, $needs:literal $(, $deep:literal)?)?)?;)*) => {
        &[$(Step {
            when: When::$when, name: $name, shows: $shows, run: $run,
            tests: concat!($($tests)?), needs: concat!($($($needs)?)?), deep: concat!($($($($deep)?)?)?),
        }),*]
    };
}

fn find(name: &str) -> Result<&'static Step, String> {
    STEPS.iter().find(|step| step.name == name).ok_or_else(|| {
        let all: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        format!("there is no step {name}; there are {}", all.join(", "))
    })
}

/// A step in a line: when it runs, its name, what it shows, what it does, and what its tests in Python are and need. These have the program
/// `mcp`, whose optimization takes minutes: what needs the library alone runs before them.
const STEPS: &[Step] = steps! {
    Core "layers" "imports go down the layers only and in no circle, and files ask for no system" layers::run;
    Core "pages" "what the documentation names and links to is there" script::pages;
    Core "fmt" "the Rust code is formatted" commands::run;
    All "msrv" "the oldest Rust we promise is written down and checked" msrv::run;
    All "deny" "what is in the library may be there: licences, sources, advisories" script::deny;
    All "clippy" "no warning in any crate" commands::run;
    Core "rust" "the Rust tests of every crate" rust::run;
    All "schema-suite" "the official test suite of JSON Schema, both drafts" schema_suite::run;
    All "protocol-schemas" "what a server sends is what the schema of its revision has" protocol_schemas::run;
    Core "header" "include/mcp.h is up to date and compiles everywhere" script::header;
    Core "exports" "the library exports what the header says, each function guarded" exports::run;
    Core "c" "the examples work, and the C programs pass" c::run;
    Weekly "poll-backend" "the parts that every system has, instead of Linux's own, do the same" poll_backend::run;
    Core "cpp" "the C++ examples work and the programs pass, by GCC and Clang" cpp::run;
    Core "cli" "the program mcp writes what its golden files have, and stands floods and hostile texts" cli::run;
    Core "readme" "the programs of README.md and docs/guide/serving.md work as printed" script::readme;
    All "doc" "the reference is made from the headers without a warning" pytest::step, "tests/doc", "cc doxygen groff";
    All "book" "the documentation is one book: no warning, no dead link, code that is read" pytest::step, "tests/book", "cc doxygen mdbook node";
    All "abi" "programs built earlier go on with this library" pytest::step, "tests/abi", "abidiff abidw gcc";
    All "terminal" "the program mcp at a terminal and with servers of others, its size and its memory" pytest::step, "tests/cli", "node npm fetch redis-server", "fastmcp inspector programs";
    Beside "templates" "what mcp init makes builds, passes its test and doctor, and answers, in each language" pytest::step, "tests/templates", "node npm python-binding node-package swift java-binding";
    All "valgrind" "the C and C++ programs have no memory error and no leak" valgrind::run;
    All "asan" "the same under AddressSanitizer, the library included" sanitize::asan;
    All "tsan" "the same under ThreadSanitizer: no data race" sanitize::tsan;
    All "soak" "50 servers under mixed load with faults: one outcome each, nothing grows" pytest::step, "tests/soak";
    All "torture" "every system call fails once: one outcome each, nothing left, and the next client works" pytest::step, "tests/torture";
    All "threads" "every order of threads at the driver, the waits and the queue, by a model checker" threads::run;
    All "fuzz" "every fuzz target runs for a while and finds nothing" script::fuzz;
    All "go" "the Go binding and its examples, also under the race detector" pytest::step, "tests/go", "node npm python-1";
    Beside "python" "the Python binding, its examples and a wheel of it" python::run, "tests/counterparts/test_python.py", "node npm python-2 python-binding";
    Beside "lua" "the Lua binding and its plugin, under LuaJIT and in headless Neovim" pytest::step, "tests/lua", "luajit neovim";
    Beside "interop" "servers made by others, in every era they speak" pytest::step, "tests/interop/test_interop.py tests/interop/test_apps.py", "node npm npx python-1 python-2";
    Beside "interop-http" "servers made by others over HTTP, restarted in between" pytest::step, "tests/interop/test_http.py", "node npm npx python-1 python-2";
    Beside "interop-server" "clients made by others use our server over stdio and HTTP, every feature in both eras" pytest::step, "tests/interop-server", "node npm inspector python-1 python-2 fastmcp interop-go interop-rmcp";
    All "browser" "a page in Chromium calls our server by fetch, from an allowed origin only" pytest::step, "tests/browser", "chromium";
    Beside "page" "the page of mcp inspect in Chromium: every view, WCAG, a hostile server, the keyboard, a page of others" pytest::step, "tests/page", "node chromium page npm fastmcp";
    Beside "login" "logins at an authorization server made by others, by a browser and without" pytest::step, "tests/login/test_login.py", "login";
    Beside "login-others" "mcp login at the authorization servers of the SDKs for Python and TypeScript and of FastMCP" pytest::step, "tests/login/test_others.py", "npm login python-1 python-2 fastmcp", "keycloak";
    All "balancer" "two processes behind HAProxy, nginx and Envoy, restarted and killed under load: no call is lost" pytest::step, "tests/balancer", "haproxy nginx python-balancer redis-server";
    All "otlp" "OpenTelemetry's own collector knows all that the program sends" pytest::step, "tests/otlp", "go";
    All "store" "servers that share a store in Redis, PostgreSQL, NATS or SQLite, which is killed, stopped, emptied and filled" store::run, "tests/store", "cc cmake libnats libpq nats-server openssl pkg-config postgres sqlite";
    All "chaos" "clients and servers are killed under load: every call ends once, none is executed twice" pytest::step, "tests/chaos";
    Beside "compatibility" "every feature, revision and transport; docs/reference/compatibility.md is what a run shows" pytest::step, "tests/interop/test_compatibility.py", "node npm npx python-1 python-2";
    All "dist" "the package's libraries are as promised, read from the files" pytest::step, "tests/packaging/test_libraries.py", "nm readelf";
    All "packaging" "the installed package works, moved, in every build system" pytest::step, "tests/packaging/test_ways.py tests/packaging/test_release.py tests/packaging/test_installed.py", "cc clang clang++ cmake dpkg dpkg-deb g++ gcc gdb libnats libpq ninja nlohmann-json packaging pkg-config python3 readelf sqlite valgrind", "python-pip go mvn system-swift system-user system-user-12";
    Beside "node" "the Node.js binding works under Node.js 20 and 22, from source and as a package" node::run, "tests/node", "node npm node-22 python-1 node-package", "runtimes";
    Beside "generate" "typed functions in eight languages: compiled strictly, random values, real calls, hostile names" pytest::step, "tests/generate", "node npm python-binding node-package swift java-binding";
    Beside "bridge" "mcp bridge: every transport and era to every other, the official suite, a long life" pytest::step, "tests/bridge", "node npm python-2 login conformance";
    Beside "java" "the Java binding, its examples and its jar; nothing is left of a thousand clients and servers" java::run, "tests/java", "java-21 node npm python-1";
    Beside "csharp" "the C# binding under Mono: its tests, its examples, the programs of its page" pytest::step, "tests/csharp", "mcs mono";
    Beside "swift" "the Swift binding compiles without a warning; its tests and examples pass" swift::run, "tests/swift", "swift node npm python-1 login";
    Weekly "macos" "the library compiles and links for macOS; nothing of it runs" pytest::step, "tests/macos", "system-macos";
    All "windows" "the library is compiled for Windows, and C programs use it under wine" pytest::step, "tests/windows", "system-windows", "conformance";
    Weekly "linux-targets" "the library for other processors and musl, made by dist; C programs use it" pytest::step, "tests/targets/test_library.py", "system-linux";
    Weekly "platform-packages" "wheels, npm packages and the Go module for other Linux systems; what can run here runs" pytest::step, "tests/targets/test_packages.py", "system-linux system-python-arm64 go node npm-program python-pip";
    Alone "conformance" "the official conformance suite, strictly, against a C program" pytest::step, "tests/conformance", "conformance";
    Weekly "mutants" "what is changed in the engine, logins and framing is found by the unit tests" mutants::run;
    All "size" "the stripped library is small enough, and each side works without the other" pytest::step, "tests/size", "cc nm strip";
    Alone "instructions" "a call takes no more instructions than before" instructions::run;
};

struct Row {
    name: &'static str,
    tally: Tally,
    took: Took,
}

impl Row {
    /// Of a step that ran beside others. What it printed is printed already.
    fn of(step: &Step, result: Result<(Tally, Took), String>) -> Self {
        let (tally, took) = result.unwrap_or_else(|why| {
            println!("\n== {}: {}", step.name, step.shows);
            let mut tally = Tally::default();
            tally.fail(step.name, &why);
            (tally, Took::default())
        });
        Self { name: step.name, tally, took }
    }

    fn line(&self) -> String {
        let Tally { passed, failed, skipped, .. } = self.tally;
        format!("{:<14}{passed:>8}{failed:>8}{skipped:>9}{}", self.name, self.took)
    }
}

pub fn run(checkout: &Checkout, options: &[&str]) -> Result<(), String> {
    let Some((mut steps, options)) = choose(options)? else {
        for step in STEPS {
            println!("{:<18}{}", step.name, step.shows);
        }
        return Ok(());
    };
    let release = Release::new(options.is_quick(&steps));
    let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
    if options.is_beside {
        return run_beside(checkout, &release, &options, &steps);
    }
    let clock = Clock::start();
    let ahead = ahead::Ahead::begin(checkout, if release.is_quick() { &[] } else { &names });
    let mut disk = disk::Disk::new(checkout, options.all && steps.len() > STEPS.len() / 2);
    let mut beside = beside::Beside::new(checkout, &options, &names);
    steps.sort_by_key(|step| beside.place(step.name));
    let mut rows = Vec::new();
    let many = steps.len();
    for (number, step) in steps.into_iter().enumerate() {
        println!("\n[{} of {many}, {}]", number + 1, clock.took().minutes());
        ahead.step_begins(step.name);
        beside.step_begins(step.name, &release);
        let row = match beside.result(step.name) {
            Some(result) => Row::of(step, result),
            None => run_step(checkout, &release, &options, step),
        };
        if let Some(why) = disk.after(step.name, row.tally.failed > 0) {
            println!("{why}");
        }
        rows.push(row);
    }
    drop(beside);
    drop(ahead);
    let total = table(rows, clock.took().time);
    if let Some(line) = disk.line() {
        println!("\n{line}");
    }
    println!("\n{}", total.closing_line());
    if total.failed == 0 { Ok(()) } else { Err(String::new()) }
}

fn run_step(checkout: &Checkout, release: &Release, options: &Options, step: &Step) -> Row {
    println!("\n== {}: {}", step.name, step.shows);
    let clock = Clock::start();
    let mut stage = Stage { checkout, release, options, tally: Tally::default(), step: step.name };
    if let Err(why) = (step.run)(&mut stage) {
        stage.tally.fail(step.name, &why);
    }
    let took = clock.took();
    println!("  took{took}");
    Row { name: step.name, tally: stage.tally, took }
}

/// Runs steps beside those of another process, which makes the table, frees the disk and has let builds begin.
fn run_beside(
    checkout: &Checkout,
    release: &Release,
    options: &Options,
    steps: &[&Step],
) -> Result<(), String> {
    let ahead = ahead::Ahead::of_another(checkout);
    let mut failed = 0;
    for step in steps {
        ahead.step_begins(step.name);
        let row = run_step(checkout, release, options, step);
        println!("{}", beside::line(row.name, &row.tally, &row.took));
        failed += row.tally.failed;
    }
    if failed == 0 { Ok(()) } else { Err(String::new()) }
}

/// The steps by their time, the longest first: it is the first that a faster run would begin with. The time of processors is without what was
/// built ahead. The time of `all` is that of the run: less than the sum where steps ran beside others.
fn table(mut rows: Vec<Row>, time: Duration) -> Tally {
    let mut total = Tally::default();
    rows.sort_by_key(|row| std::cmp::Reverse(row.took.time));
    println!(
        "\n{:<14}{:>8}{:>8}{:>9}{:>10}{:>12}",
        "step", "passed", "failed", "skipped", "time", "processor"
    );
    for row in &rows {
        println!("{}", row.line());
        total.add(&row.tally);
    }
    let took = Took { time, ..rows.iter().map(|row| row.took).sum() };
    let all = Row { name: "all", tally: total, took };
    println!("{}", all.line());
    all.tally
}
