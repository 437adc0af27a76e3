//! The entry of `cargo xtask`. The demo is here; everything else is in the crate `xtask`, which is compiled first.

mod demo;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.first().map(String::as_str) {
        Some("demo") if words.len() == 1 => demo::run(&root()),
        Some("demo") => Err("demo has no options".to_owned()),
        _ => pass_on(&words),
    };
    match done {
        Ok(code) => code,
        Err(message) => {
            eprintln!("cargo xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace: two above that of this package.
fn root() -> PathBuf {
    let package =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("xtask/start"), PathBuf::from);
    package.ancestors().nth(2).unwrap_or(Path::new(".")).to_path_buf()
}

/// Compiles the crate `xtask` and runs it with the same words.
fn pass_on(words: &[String]) -> Result<ExitCode, String> {
    let root = root();
    if words.first().is_some_and(|word| word == "test") && !target(&root).join("debug/xtask").is_file() {
        println!("compiling the test program, which takes some 20 seconds");
    }
    // The person's folder stays: relative paths among the words are meant from there.
    let mut run = cargo();
    run.args(["run", "--quiet", "--package", "xtask", "--manifest-path"])
        .arg(root.join("Cargo.toml"))
        .arg("--");
    let status = run.args(words).status().map_err(|error| format!("cannot start cargo: {error}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The cargo that runs this program. It is not told what `cargo run` told this program of its own package: a build script that asks for
/// these variables, as that of *ring* does, would run again.
fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in std::env::vars_os() {
        if ["CARGO_MANIFEST_", "CARGO_PKG_"].iter().any(|start| name.to_string_lossy().starts_with(start)) {
            cargo.env_remove(name);
        }
    }
    cargo
}

/// The folder that this program was built in, whatever the machine's settings made of it.
fn target(root: &Path) -> PathBuf {
    let program = std::env::current_exe().ok();
    program.and_then(|it| Some(it.ancestors().nth(2)?.to_path_buf())).unwrap_or_else(|| root.join("target"))
}
