//! Clippy finds nothing, in any crate and any target, nor in the library with a part of its features; with `--deep` the fuzz targets, which are
//! a workspace of their own, included.

use super::Stage;
use crate::process;
use std::process::Command;

/// Builds that leave out a side of the protocol. Those without HTTP are built by the step `size`, which takes no warning either.
const PARTS: [&str; 2] = ["client,http", "auth,http,redis,schema,server,skills"];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let mut cargo = stage.checkout.cargo();
    cargo
        .args(["clippy", "--quiet", "--workspace", "--all-targets", "--target-dir"])
        .arg(&stage.checkout.target);
    cargo.args(["--", "-D", "warnings"]);
    check(stage, &mut cargo, "cargo clippy --workspace --all-targets -- -D warnings")?;

    for features in PARTS {
        let mut cargo = stage.checkout.cargo();
        cargo.args([
            "clippy",
            "--quiet",
            "--package",
            "mcp",
            "--lib",
            "--no-default-features",
            "--features",
            features,
        ]);
        cargo.arg("--target-dir").arg(&stage.checkout.target).args(["--", "-D", "warnings"]);
        // What a part does without is not a matter of style.
        cargo.args(["-A", "clippy::all", "-A", "clippy::pedantic"]);
        check(stage, &mut cargo, &format!("no warning in the library with the features {features} only"))?;
    }

    // The step `fuzz` compiles them in any case.
    if !stage.options.deep {
        return Ok(());
    }
    let mut cargo = stage.checkout.cargo();
    cargo.args(["clippy", "--quiet", "--locked", "--all-targets", "--manifest-path", "fuzz/Cargo.toml"]);
    cargo.arg("--target-dir").arg(stage.checkout.target.join("fuzz"));
    cargo.args(["--", "-D", "warnings"]);
    // What only the targets reach of the library is there for fuzzing only. Nothing is linked, so that libFuzzer, which is
    // C++, need not be compiled.
    cargo.env("RUSTFLAGS", "--cfg fuzzing").env("CUSTOM_LIBFUZZER_PATH", "/none/libfuzzer.a");
    check(stage, &mut cargo, "cargo clippy --manifest-path fuzz/Cargo.toml --all-targets -- -D warnings")
}

fn check(stage: &mut Stage, cargo: &mut Command, name: &str) -> Result<(), String> {
    let status = process::stream(cargo, |_| {})?;
    let result = if status.success() { Ok(()) } else { Err("see the warnings above".to_owned()) };
    stage.tally.check(name, result);
    Ok(())
}
