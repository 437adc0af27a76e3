//! Every command of the project, run as `cargo xtask COMMAND`.
//!
//! This crate knows the project from outside: its files, its tools and its programs. It never links the library.

mod bench;
mod bindings;
mod book;
mod checkout;
mod chroot;
mod compiler;
mod config;
mod declared;
mod dependencies;
mod dist;
mod doc;
mod fill;
mod header;
mod jar;
mod jdk;
mod lock;
mod machine;
mod manual;
mod natives;
mod npm_packages;
mod page;
mod peers;
mod process;
mod release;
mod rustc;
mod rustup;
mod source;
mod symbols;
mod systems;
mod tally;
mod test;
mod wheels;
mod zig;

use std::process::ExitCode;

use checkout::Checkout;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  demo                        build the library and watch a C program use it (start here)
  system NAME [TRIPLE…]       get the tools for other systems and say where they are, as JSON; NAME: linux, macos, windows
  test [OPTIONS]              run the core of the tests; --all: every test; --only STEP: the steps named; --list: their names;
                              --seeds N: so many in the simulator; --program NAME: only the C and C++ programs with NAME in
                              their names; --quick: with a library that is built quickly, not as packages have it;
                              --deep: all, with the long runs of the simulator, the fuzz targets and the soak
  bench [OPTIONS]             measure the library beside its rivals; --help tells the options; --bindings: the bindings beside the official
                              SDKs; --public: published benchmarks made again (--bindings --help tells the options of both)
  soak [--minutes N]          50 servers under mixed load with faults, watched and drawn; --seed N, --record
  fuzz [OPTIONS]              run the fuzz targets; --target NAME: only one, --seconds N: that long each (60)
  dist [OPTIONS]              make the install tree and its tarball; --help tells the options
  jar [OPTIONS]               write the jar of the Java binding; --help tells the options
  npm [OPTIONS]               write the npm packages of the Node.js binding for other Linux systems; --help tells the options
  wheels [OPTIONS]            write wheels of the Python binding for other Linux systems; --help tells the options
  header [--check]            write include/mcp.h from src/ffi, or only say whether it is up to date
  deb                         make the Debian packages libmcp0, libmcp-dev, libmcp-bin, libmcp0-dbg and libmcp-store-…
  dependencies                count the crates in the library into docs/design/dependencies.md
  book                        make the documentation as one book, with the reference (needs Doxygen and Python)
  doc                         make the reference of the C and C++ API (needs Doxygen)
  manual FOLDER               write the manual pages of the C API
  config [--json]             write docs/reference/configuration.json from the definitions in src, or print it
  bindings [--check]          write what is generated for the bindings (numbers, configurations, types of MCP), or only
                              say whether it is up to date
  compatibility [--check]     write docs/reference/compatibility.md from a run of the matrix, or only say whether it is up to date
  page [--check]              write the libraries of the page of mcp inspect as one file (needs npm), or only say whether it is up to date
  peers                       install the servers of others that the interop tests talk to
  prefix                      build the library and the program quickly into target/prefix, for the tests of a binding
  release --to FOLDER         make every file of a release, and what package managers read; packaging/release/build.sh says the options
  sbom                        write the bills of materials of the library and the program into target/sbom (CycloneDX)
  servers                     build the library in release mode and the servers that tests and examples talk to
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = Checkout::find().and_then(|checkout| match words.as_slice() {
        ["bench", options @ ..] => bench::run(&checkout, options),
        ["bindings"] => bindings::write(&checkout),
        ["bindings", "--check"] => bindings::check(&checkout, true)
            .map(|_| println!("what is generated for the bindings is up to date")),
        ["build-ahead", part, steps @ ..] => test::ahead::build(&checkout, part, steps),
        ["book"] => book::run(&checkout),
        ["compatibility"] => test::pytest::compatibility_command(&checkout, false),
        ["compatibility", "--check"] => test::pytest::compatibility_command(&checkout, true),
        ["config"] => config::write(&checkout),
        ["config", "--json"] => config::print(&checkout),
        ["dependencies"] => dependencies::put(&checkout),
        ["dist", options @ ..] => dist::run(&checkout, options),
        ["deb"] => release::deb(&checkout),
        ["doc"] => doc::run(&checkout),
        ["doc", headers, output] => doc::make(&checkout, headers.as_ref(), output.as_ref()).map(drop),
        ["fuzz", options @ ..] => test::script::fuzz_with(&checkout, options),
        ["jar", options @ ..] => jar::run(&checkout, options),
        ["header"] => header::write(&checkout),
        ["header", "--check"] => header::check(&checkout),
        ["manual", folder] => manual::write(&checkout, folder.as_ref()),
        ["npm", options @ ..] => npm_packages::run(&checkout, options),
        ["page"] => page::write(&checkout),
        ["page", "--check"] => page::check(&checkout),
        ["peers"] => peers::install(&checkout),
        ["prefix"] => bindings::prefix(&checkout),
        ["release", options @ ..] => release::all(&checkout, options),
        ["sanitized", sanitizer] => test::sanitize::tell(&checkout, sanitizer),
        ["sbom"] => dist::bills(&checkout),
        ["servers"] => release::tell(&checkout),
        ["soak", options @ ..] => test::pytest::soak(&checkout, options),
        ["system", name, triples @ ..] => systems::tell(&checkout, name, triples),
        ["test", options @ ..] => test::run(&checkout, options),
        ["wheels", options @ ..] => wheels::run(&checkout, options),
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => Err(format!("there is no such command: {}\n\n{USAGE}", words.join(" "))),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // The test command has said everything already, and its closing line must be the last one.
        Err(message) if message.is_empty() => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("cargo xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
