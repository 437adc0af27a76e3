//! The clients of others, built or installed below `target/bench` in the versions that stand in
//! `benches/contenders`. Downloads are tried three times; what is installed already is left alone.

use crate::contender::{Workshop, run};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A program and what it wants to be told first.
pub type Started = (PathBuf, Vec<OsString>);

const ATTEMPTS: u64 = 3;

/// The Rust SDK, as it comes or tuned.
pub fn rust(workshop: &Workshop, tuned: bool) -> Result<Started, String> {
    let target = workshop.bench.join("rmcp-target");
    tried(|| {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--release", "--quiet", "--locked", "--manifest-path"]);
        cargo.arg(source(workshop, "rmcp").join("Cargo.toml")).arg("--target-dir").arg(&target);
        cargo
    })?;
    let leading = if tuned { vec!["tuned=1".into()] } else { Vec::new() };
    Ok((target.join("release/mcp-bench-rmcp"), leading))
}

/// The Go SDK.
pub fn go(workshop: &Workshop) -> Result<Started, String> {
    let program = workshop.bench.join("go-sdk");
    tried(|| {
        let mut go = Command::new("go");
        go.args(["build", "-o"]).arg(&program).arg(".").current_dir(source(workshop, "go"));
        go
    })?;
    Ok((program, Vec::new()))
}

/// A server with the Rust SDK.
pub fn rust_server(workshop: &Workshop) -> Result<PathBuf, String> {
    let target = workshop.bench.join("rmcp-server-target");
    tried(|| {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--release", "--quiet", "--locked", "--manifest-path"]);
        cargo.arg(source(workshop, "rmcp-server").join("Cargo.toml")).arg("--target-dir").arg(&target);
        cargo
    })?;
    Ok(target.join("release/mcp-bench-rmcp-server"))
}

/// A server with the Go SDK.
pub fn go_server(workshop: &Workshop) -> Result<PathBuf, String> {
    let program = workshop.bench.join("go-sdk-server");
    tried(|| {
        let mut go = Command::new("go");
        go.args(["build", "-o"]).arg(&program).arg("./server").current_dir(source(workshop, "go"));
        go
    })?;
    Ok(program)
}

/// The command of a server with the TypeScript SDK.
pub fn typescript_server(workshop: &Workshop) -> Result<Vec<PathBuf>, String> {
    typescript(workshop)?;
    let script = workshop.bench.join("typescript/server.mjs");
    copy(&source(workshop, "typescript").join("server.mjs"), &script)?;
    Ok(vec!["node".into(), script])
}

/// The TypeScript SDK's client, on Node.
pub fn typescript(workshop: &Workshop) -> Result<Started, String> {
    let folder = workshop.bench.join("typescript");
    let from = source(workshop, "typescript");
    // Node looks for packages beside the script.
    let script = folder.join("contender.mjs");
    once(&folder, &read(&from.join("package.json"))?, || {
        copy(&from.join("package.json"), &folder.join("package.json"))?;
        tried(|| {
            let mut npm = Command::new("npm");
            npm.args(["install", "--no-audit", "--no-fund", "--no-package-lock"]).current_dir(&folder);
            npm
        })
    })?;
    copy(&from.join("contender.mjs"), &script)?;
    Ok(("node".into(), vec![script.into()]))
}

/// The Python SDK, in an environment of its own.
pub fn python(workshop: &Workshop) -> Result<Started, String> {
    let folder = workshop.bench.join("python");
    let pins = workshop.root.join("tests/interop/python/2.x.txt");
    let interpreter = folder.join("bin/python");
    once(&folder, &read(&pins)?, || {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        tried(|| {
            let mut pip = Command::new(&interpreter);
            pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]).arg(&pins);
            pip
        })
    })?;
    Ok((interpreter, vec![source(workshop, "python").join("contender.py").into()]))
}

/// The command of a server with the Python SDK.
pub fn python_server(workshop: &Workshop) -> Result<Vec<PathBuf>, String> {
    let (interpreter, _) = python(workshop)?;
    Ok(vec![interpreter, source(workshop, "python").join("server.py")])
}

/// The client of cpp-mcp.
pub fn cpp(workshop: &Workshop) -> Result<Started, String> {
    Ok((with_cmake(workshop, "client")?, Vec::new()))
}

/// A server with cpp-mcp.
pub fn cpp_server(workshop: &Workshop) -> Result<PathBuf, String> {
    with_cmake(workshop, "server")
}

/// A program with cpp-mcp, which `cmake` lets git fetch.
fn with_cmake(workshop: &Workshop, program: &str) -> Result<PathBuf, String> {
    let folder = workshop.bench.join("cpp-mcp");
    tried(|| {
        let mut cmake = Command::new("cmake");
        cmake.arg("-S").arg(source(workshop, "cpp-mcp")).arg("-B").arg(&folder);
        cmake.arg("-DCMAKE_BUILD_TYPE=Release");
        cmake
    })?;
    run(Command::new("cmake").arg("--build").arg(&folder).args(["--target", program]))?;
    Ok(folder.join(program))
}

fn source(workshop: &Workshop, name: &str) -> PathBuf {
    workshop.root.join("benches/contenders").join(name)
}

/// Installs into an empty folder unless its stamp says that these pins are there.
fn once(folder: &Path, pins: &str, install: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    let stamp = folder.join("installed-from");
    if read(&stamp).is_ok_and(|found| found == pins) {
        return Ok(());
    }
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(failed)?;
    }
    std::fs::create_dir_all(folder).map_err(failed)?;
    install()?;
    std::fs::write(&stamp, pins).map_err(failed)
}

/// Networks fail for a moment; a tool that is not there stays away.
fn tried(make: impl Fn() -> Command) -> Result<(), String> {
    let mut attempt = 1;
    loop {
        match run(&mut make()) {
            Err(why) if attempt < ATTEMPTS && !why.contains("No such file") => {
                eprintln!("mcp-bench: once more: {why}");
                std::thread::sleep(Duration::from_secs(3 * attempt));
                attempt += 1;
            }
            outcome => return outcome,
        }
    }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::copy(from, to).map(drop).map_err(|error| format!("{}: {error}", from.display()))
}
