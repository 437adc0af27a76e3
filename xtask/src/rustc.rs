//! The Rust compiler of this machine, and what it says of itself.

use std::path::PathBuf;
use std::process::Command;

use crate::checkout::Checkout;

/// Where the toolchain is.
pub fn sysroot(checkout: &Checkout) -> Result<PathBuf, String> {
    ask(checkout, &["--print", "sysroot"]).map(PathBuf::from)
}

/// Where it has, or would have, the standard library for a system.
pub fn libraries(checkout: &Checkout, triple: &str) -> Result<PathBuf, String> {
    ask(checkout, &["--print", "target-libdir", "--target", triple]).map(PathBuf::from)
}

/// The triple of this machine.
pub fn host(checkout: &Checkout) -> Result<String, String> {
    let version = ask(checkout, &["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| format!("rustc -vV names no host: {version}"))
}

/// In the checkout, where a file may choose the toolchain.
fn ask(checkout: &Checkout, words: &[&str]) -> Result<String, String> {
    let program = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(&program).args(words).current_dir(&checkout.root).output();
    let output = output.map_err(|error| format!("cannot start {}: {error}", program.display()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{} {}: {}: {}", program.display(), words.join(" "), output.status, said.trim()))
}
