//! `cargo xtask demo`: from a fresh clone to a C program that uses an MCP server.
//!
//! One build with cargo's development profile makes the library and the program `mcp`; `cargo test` takes over what it compiled.

use std::io::{BufRead as _, BufReader, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use super::{cargo, target};

/// What a build from nothing takes of the processors: a minute on two of them.
const PROCESSOR_SECONDS: u64 = 120;
/// How often progress is printed where the output is not a terminal.
const EVERY: Duration = Duration::from_secs(10);

pub fn run(root: &Path) -> Result<ExitCode, String> {
    let compiler = compiler()?;
    let folder = target(root).join("debug");
    println!("libmcp demo: a C program starts an MCP server and uses it through the library.\n");

    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let seconds = PROCESSOR_SECONDS / processors.min(8) as u64;
    println!(
        "1. Building the library and the program mcp. From nothing this takes about {seconds} s on {processors} processors."
    );
    let start = Instant::now();
    build(root)?;
    println!("   done in {:.0} s: {}\n", start.elapsed().as_secs_f64(), folder.join("libmcp.so").display());

    println!("2. Compiling examples/c/demo.c and the example server with {}.\n", compiler.display());
    let server = folder.join("mcp-example-server");
    let mut sources: Vec<PathBuf> = std::fs::read_dir(root.join("examples/server"))
        .map_err(|error| format!("cannot read examples/server: {error}"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|it| it == "c"))
        .collect();
    sources.sort();
    compile(root, &compiler, &folder, &sources, &server)?;
    let demo = folder.join("mcp-demo");
    compile(root, &compiler, &folder, &[root.join("examples/c/demo.c")], &demo)?;

    println!("3. Running the demo:\n");
    show(Command::new(&demo).arg(&server))?;

    println!("\n4. The same server with the program mcp:");
    let mcp = folder.join("mcp");
    for words in [&["tools"][..], &["call", "add", "a=1", "b=2"]] {
        println!("\n   $ mcp {} -- {}\n", words.join(" "), near(&server));
        show(Command::new(&mcp).args(words).arg("--").arg(&server))?;
    }
    println!("\nDone. To go on:\n");
    println!("   {} doctor -- {}      checks a server", near(&mcp), near(&server));
    println!("   {} shell -- {}       uses it by hand", near(&mcp), near(&server));
    println!("   examples/c/quickstart.c, include/mcp.h      the C API");
    println!("   cargo xtask test                            the tests");
    Ok(ExitCode::SUCCESS)
}

/// A path as a person in the current folder types it.
fn near(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    here.and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path).display().to_string()
}

/// The C compiler: the one that `CC` names, or the first on PATH.
fn compiler() -> Result<PathBuf, String> {
    let named = std::env::var_os("CC").filter(|name| !name.is_empty());
    let names = named.map_or_else(|| vec!["cc".into(), "gcc".into(), "clang".into()], |name| vec![name]);
    for name in &names {
        let asked = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if asked.is_ok_and(|status| status.success()) {
            return Ok(name.into());
        }
    }
    Err("the demo needs a C compiler; install gcc (Debian, Ubuntu: apt-get install gcc; Fedora: dnf install gcc), or name \
         one in CC"
        .to_owned())
}

/// Builds both in one run of cargo, so that nothing is compiled twice, and shows which crate it is at.
fn build(root: &Path) -> Result<(), String> {
    let mut build = cargo();
    build
        .args(["build", "--locked", "--package", "libmcp", "--package", "mcp-cli", "--target-dir"])
        .arg(target(root));
    build.current_dir(root).env("CARGO_TERM_PROGRESS_WHEN", "never").env("CARGO_TERM_COLOR", "never");
    let mut child =
        build.stderr(Stdio::piped()).spawn().map_err(|error| format!("cannot start cargo: {error}"))?;
    let is_terminal = std::io::stdout().is_terminal();
    let (mut crates, mut other, mut printed) = (0, Vec::new(), Instant::now());
    for line in child.stderr.take().into_iter().flat_map(|stderr| BufReader::new(stderr).lines()) {
        let line = line.map_err(|error| format!("cannot read what cargo prints: {error}"))?;
        let Some(name) = line.trim_start().strip_prefix("Compiling ") else {
            other.push(line);
            continue;
        };
        crates += 1;
        let name = name.split(" (").next().unwrap_or(name);
        if is_terminal {
            print!("\r\u{1b}[K   {crates} crates: {name}");
            // Without it the line is seen late, and nothing else is lost.
            let _flushed = std::io::stdout().flush();
        } else if printed.elapsed() > EVERY {
            println!("   {crates} crates: {name}");
            printed = Instant::now();
        }
    }
    if is_terminal {
        print!("\r\u{1b}[K");
    }
    let status = child.wait().map_err(|error| format!("cannot wait for cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("cargo build failed:\n{}", other.join("\n"))) }
}

/// Compiles a C program and links it to the library beside it.
fn compile(
    root: &Path,
    compiler: &Path,
    folder: &Path,
    sources: &[PathBuf],
    program: &Path,
) -> Result<(), String> {
    let mut rpath = std::ffi::OsString::from("-Wl,-rpath,");
    rpath.push(folder);
    let mut compile = Command::new(compiler);
    compile.args(["-std=c11", "-O1", "-I"]).arg(root.join("include")).args(sources).arg("-o").arg(program);
    compile.arg("-L").arg(folder).args(["-lmcp", "-pthread"]).arg(rpath);
    match compile.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            Err(format!("{} could not compile {}: {status}", compiler.display(), program.display()))
        }
        Err(error) => Err(format!("cannot start {}: {error}", compiler.display())),
    }
}

/// Runs a program with what it prints on this terminal.
fn show(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.env_remove("LD_LIBRARY_PATH").status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} failed: {status}")),
        Err(error) => Err(format!("cannot start {name}: {error}")),
    }
}
