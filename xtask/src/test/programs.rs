//! The C programs of `tests/c` where steps run them without `CTest`: for other systems. `--program NAME` leaves only those with NAME in
//! their names.

use std::path::{Path, PathBuf};

use super::Stage;
use crate::checkout::{read, stem};
use crate::release::Built;

pub fn c(stage: &Stage) -> Result<Vec<PathBuf>, String> {
    let name = stage.options.program.as_deref().unwrap_or_default();
    let mut sources = stage.checkout.files("tests/c", "c");
    sources.retain(|source| stem(source).contains(name));
    if sources.is_empty() {
        Err(format!("no program in tests/c has '{name}' in its name"))
    } else {
        Ok(sources)
    }
}

/// What a program is run with: the servers it may start.
pub fn arguments(built: &Built, source: &Path) -> Result<Vec<PathBuf>, String> {
    let mut servers = vec![built.example_server.clone(), built.scripted_server.clone()];
    if calls_over_http(source)? {
        servers.push(built.scripted_http.clone());
    }
    Ok(servers)
}

/// Whether a program gets the HTTP server, too: it includes `http.h`.
pub fn calls_over_http(source: &Path) -> Result<bool, String> {
    Ok(read(source)?.contains("#include \"http.h\""))
}
