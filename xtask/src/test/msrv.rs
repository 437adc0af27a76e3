//! The oldest Rust we promise. Few machines have that compiler, so the promise is kept by three facts: it is written
//! down, Clippy denies newer standard-library calls, and no dependency asks for a newer compiler. Where rustup has the
//! old toolchain, the library is compiled with it too.

use std::path::Path;
use std::process::Command;

use super::Stage;
use crate::checkout::read;
use crate::process;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let package = stage.checkout.package()?;
    let promised = package["rust_version"].as_str().ok_or("Cargo.toml has no rust-version = \"…\"")?;
    stage.tally.pass(&format!("rust-version is written down: {promised}"));

    let manifest = read(&stage.checkout.root.join("Cargo.toml"))?;
    let is_denied = manifest.lines().any(|line| line == "incompatible_msrv = \"deny\"");
    let result =
        if is_denied { Ok(()) } else { Err("Cargo.toml must deny clippy::incompatible_msrv".to_owned()) };
    stage.tally.check("clippy denies calls that are newer", result);

    let result = dependencies(stage, promised);
    stage.tally.check("no dependency needs a newer Rust", result);
    if has_toolchain(stage, promised)? {
        let result = compile(stage, promised);
        stage.tally.check(&format!("the library compiles with Rust {promised}"), result);
    }
    Ok(())
}

fn dependencies(stage: &Stage, promised: &str) -> Result<(), String> {
    let packages = stage.checkout.metadata(&[])?;
    let newer: Vec<String> = packages
        .iter()
        .filter_map(|it| Some((it["name"].as_str()?, it["rust_version"].as_str()?)))
        .filter(|(_, needed)| numbers(needed) > numbers(promised))
        .map(|(package, needed)| format!("{package} needs Rust {needed}"))
        .collect();
    if newer.is_empty() { Ok(()) } else { Err(newer.join("\n")) }
}

fn numbers(version: &str) -> Vec<u32> {
    let mut numbers: Vec<u32> = version.split('.').map_while(|part| part.parse().ok()).collect();
    numbers.resize(3, 0);
    numbers
}

fn has_toolchain(stage: &Stage, promised: &str) -> Result<bool, String> {
    let log = stage.checkout.scratch("msrv")?.join("toolchains");
    let Ok(finished) = process::run(Command::new("rustup").args(["toolchain", "list"]), process::LIMIT, &log)
    else {
        return Ok(false);
    };
    Ok(finished
        .stdout
        .lines()
        .any(|line| line.starts_with(&format!("{promised}-")) || line.starts_with(&format!("{promised}."))))
}

fn compile(stage: &Stage, promised: &str) -> Result<(), String> {
    let folder = stage.checkout.scratch("msrv")?;
    let mut rustup = Command::new("rustup");
    rustup.args(["run", promised, "cargo", "check", "--package", "mcp", "--target-dir"]).arg(&folder);
    rustup.current_dir(&stage.checkout.root).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    process::run(&mut rustup, process::LIMIT, Path::new(&folder.join("check")))?.done()
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn versions_compare_by_number() {
        assert!(numbers("1.9") < numbers("1.88"));
        assert_eq!(numbers("1.88"), numbers("1.88.0"));
    }
}
