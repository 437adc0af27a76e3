//! The size that a user pays: the shared library without symbols.

use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::machine::STRIP;
use crate::process;

/// The library of this stage: standard input and output as the only transport, without TLS.
const MOST_BYTES: u64 = 1024 * 1024 * 3 / 2;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let name = "the stripped library is at most 1.5 MiB";
    let Some(strip) = stage.tally.need(&STRIP, name) else { return Ok(()) };
    let built = stage.built()?;
    let folder = stage.checkout.scratch("size")?;
    let stripped = folder.join("stripped");
    std::fs::copy(&built.library, &stripped)
        .map_err(|error| format!("cannot copy {}: {error}", built.library.display()))?;
    let mut command = Command::new(strip);
    // On macOS a shared library keeps its global symbols only if told so; there -x is what --strip-unneeded is here.
    command.arg(if cfg!(target_os = "macos") { "-x" } else { "--strip-unneeded" }).arg(&stripped);
    let finished = process::run(&mut command, Duration::from_secs(60), &folder.join("strip"))?;
    if !finished.succeeded() {
        return Err(finished.story());
    }
    let bytes = std::fs::metadata(&stripped).map_err(|error| error.to_string())?.len();
    #[expect(clippy::cast_precision_loss, reason = "shown with two digits")]
    let mebibytes = bytes as f64 / (1024.0 * 1024.0);
    println!("  {bytes} bytes, {mebibytes:.2} MiB");
    let result =
        if bytes <= MOST_BYTES { Ok(()) } else { Err(format!("{} bytes too many", bytes - MOST_BYTES)) };
    stage.tally.check(name, result);
    Ok(())
}
