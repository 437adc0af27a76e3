//! Wheels of the Python binding for other Linux systems. No package index that the tests use has a Python for musl: of a wheel for musl,
//! musl's own loader looks up all names. A wheel for arm64 calls a tool under Debian's Python for it and QEMU.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Shop;
use crate::checkout::cleared;
use crate::chroot::{Chroot, Recipe, UNPACKED};
use crate::natives::Native;
use crate::peers::Python;
use crate::process;
use crate::test::Stage;
use crate::wheels;

const LIMIT: Duration = Duration::from_secs(120);

/// Debian's Python for arm64, for QEMU. Nothing of it runs while it is put there, so its packages are unpacked and not installed.
pub const ARM64: Recipe = Recipe {
    name: "python-arm64-forky",
    suite: "forky",
    architectures: Some("arm64"),
    variant: UNPACKED,
    packages: "python3,python3-cffi-backend",
    variable: "MCP_PYTHON_ARM64",
    what: "Debian's Python for arm64",
    has: "usr/bin/python3",
};

/// How a person gets it.
const GET: &str = "Debian's Python for arm64 is missing. To get it, as root: apt-get install mmdebstrap, and name a folder in \
                   MCP_PYTHON_ARM64, where its packages are unpacked then (70 MB)";

/// Makes a wheel of each tree and tries what can be tried.
pub fn check(stage: &mut Stage, shops: &[Shop]) -> Result<(), String> {
    for shop in shops {
        let Some(packages) = &shop.target.packages else { continue };
        let to = cleared(&shop.folder.join("wheel"))?;
        let prefix = Native { platform: packages.wheel.to_owned(), file: shop.prefix.clone() };
        let made = wheels::make(stage.checkout, &prefix, &to);
        let tag = wheels::PLATFORMS.iter().find(|it| it.name == packages.wheel).map_or("", |it| it.tag);
        let triple = shop.target.triple;
        let name = format!("{triple}: a wheel of the stable ABI, which auditwheel finds fit for {tag}");
        let wheel = match made {
            Ok(wheel) => wheel,
            Err(why) => {
                stage.tally.fail(&name, &why);
                continue;
            }
        };
        stage.tally.pass(&name);
        let installed = match installed(stage, shop, &wheel, tag) {
            Ok(installed) => installed,
            Err(why) => {
                stage.tally.fail(&format!("{triple}: pip installs the wheel for {tag}"), &why);
                continue;
            }
        };
        stage.tally.pass(&format!("{triple}: pip installs the wheel for {tag}"));
        if shop.target.is_musl() {
            stage.tally.check(
                &format!(
                    "{triple}: of the wheel's module musl's loader misses nothing but Python's own names"
                ),
                loads(shop, &installed),
            );
            continue;
        }
        match Chroot::or_why(stage.checkout, &ARM64, GET)? {
            Ok(chroot) => stage.tally.check(
                &format!("{triple}: the wheel calls a tool under Debian's Python"),
                calls(shop, &installed, chroot.root()),
            ),
            Err(why) => stage.tally.lack(&format!("{triple}: the wheel under Debian's Python"), &why),
        }
    }
    Ok(())
}

/// Installs the wheel into a folder, as for a machine of that platform.
fn installed(stage: &Stage, shop: &Shop, wheel: &Path, tag: &str) -> Result<PathBuf, String> {
    let folder = cleared(&shop.folder.join("wheel-installed"))?;
    let python = Python::for_binding(stage.checkout)?.interpreter().to_path_buf();
    let mut install =
        wheels::pip(&python, &["install", "--no-deps", "--only-binary=:all:", "--implementation=cp"]);
    install.args(["--python-version=3.10", "--platform", tag, "--target"]).arg(&folder).arg(wheel);
    wheels::must(&mut install, &shop.folder.join("wheel-install"))?;
    Ok(folder)
}

/// musl's loader lists what a module needs, and every name that it does not find.
fn loads(shop: &Shop, installed: &Path) -> Result<(), String> {
    let processor = shop.target.triple.split('-').next().unwrap_or_default();
    let module = installed.join("libmcp/_cffi.abi3.so");
    let script =
        format!("exec {} /lib/ld-musl-{processor}.so.1 --list '{}'", shop.target.runner(), module.display());
    let mut command = shop.workshop.command(shop.target, &script, &[]);
    let finished = process::run(&mut command, LIMIT, &shop.folder.join("wheel-loads"))?;
    let (missing, other) = unresolved(&finished.stderr);
    if missing > 0 && other.is_empty() { Ok(()) } else { Err(format!("{other:?}: {}", finished.story())) }
}

/// How many of Python's names musl's loader misses, and its other complaints.
fn unresolved(said: &str) -> (usize, Vec<&str>) {
    let is_python = |line: &&str| {
        let name = line.strip_suffix(": symbol not found").and_then(|line| line.rsplit(": ").next());
        name.is_some_and(|name| name.starts_with("Py") || name.starts_with("_Py"))
    };
    let (python, other): (Vec<&str>, Vec<&str>) = said.lines().partition(is_python);
    (python.len(), other)
}

/// An emulated Python calls a tool of this machine's example server.
fn calls(shop: &Shop, installed: &Path, root: &Path) -> Result<(), String> {
    let script = format!(
        "export PYTHONPATH='{}'\nexec timeout -k 5 100 {} -L '{root}' '{root}/usr/bin/python3' -B \
         bindings/python/examples/quickstart.py '{}'",
        installed.display(),
        shop.target.runner(),
        shop.built.example_server.display(),
        root = root.display(),
    );
    let mut command = shop.workshop.command(shop.target, &script, &[root]);
    process::run(&mut command, LIMIT, &shop.folder.join("wheel-calls"))?.says(&["Hello from Python"])
}

#[cfg(test)]
mod tests {
    use super::unresolved;

    #[test]
    fn only_names_of_python_may_be_missing() {
        let said = "Error relocating /a/b.so: PyErr_Format: symbol not found\n\
                    Error relocating /a/b.so: _Py_Dealloc: symbol not found\n";
        assert_eq!(unresolved(said), (2, Vec::new()));
        let other = "Error relocating /a/b.so: gnu_get_libc_version: symbol not found";
        assert_eq!(unresolved(other), (0, vec![other]));
        let other =
            "Error loading shared library libgcc_s.so.1: No such file or directory (needed by /a/Py: _Py)";
        assert_eq!(unresolved(other), (0, vec![other]));
    }
}
