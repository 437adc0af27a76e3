//! Steps that run cargo, and pass if it does.

use super::Stage;
use crate::process;

/// A command in a line: the step, whether it runs with `--deep` alone, and the words for cargo. What a part of the library does without is not
/// a matter of style. Parts without HTTP are built by the step `size`, which takes no warning either; the step `fuzz` compiles its targets in
/// any case.
const COMMANDS: [(&str, bool, &str); 6] = [
    ("fmt", false, "fmt --all -- --check"),
    ("fmt", false, "fmt --manifest-path fuzz/Cargo.toml -- --check"),
    ("clippy", false, "clippy --quiet --workspace --all-targets -- -D warnings"),
    (
        "clippy",
        false,
        "clippy --quiet --package mcp --lib --no-default-features --features client,http -- -D warnings -A clippy::all -A clippy::pedantic",
    ),
    (
        "clippy",
        false,
        "clippy --quiet --package mcp --lib --no-default-features --features auth,http,redis,schema,server,skills -- -D warnings -A clippy::all -A clippy::pedantic",
    ),
    ("clippy", true, "clippy --quiet --locked --all-targets --manifest-path fuzz/Cargo.toml -- -D warnings"),
];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let wanted =
        COMMANDS.iter().filter(|(step, deep, _)| *step == stage.step && (!deep || stage.options.deep));
    for (_, _, words) in wanted {
        let mut cargo = stage.checkout.cargo();
        cargo.args(words.split(' ')).env("CARGO_TARGET_DIR", &stage.checkout.target);
        if words.contains("clippy") && words.contains("fuzz/") {
            // What only the targets reach of the library is there for fuzzing only. Nothing is linked, so that libFuzzer, which is C++, need
            // not be compiled.
            cargo.env("CARGO_TARGET_DIR", stage.checkout.target.join("fuzz"));
            cargo.env("RUSTFLAGS", "--cfg fuzzing").env("CUSTOM_LIBFUZZER_PATH", "/none/libfuzzer.a");
        }
        let status = process::stream(&mut cargo, |_| {})?;
        let result = if status.success() { Ok(()) } else { Err("see what it prints above".to_owned()) };
        stage.tally.check(&format!("cargo {words}"), result);
    }
    Ok(())
}
