//! What the project gives to the service that hosts it, and to registries: the workflow files are such that the service takes
//! them, as actionlint judges, and every package has the version of the library.

use std::path::Path;
use std::process::Command;

use super::Stage;
use crate::checkout::{Checkout, read, write};
use crate::dist::Version;
use crate::machine::GO;
use crate::{peers, process};

/// A workflow that the service would refuse: a job that needs one that is not there.
const PLANTED: &str = "on: push\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    needs: [gone]\n    \
                       steps:\n      - run: cargo xtask test\n";

/// What the linter says of it.
const FINDING: &str = "\"gone\" which does not exist";

/// The files with a version of their own, and what stands before it. `cargo xtask` and `CMake` read that of `Cargo.toml`.
const VERSIONS: [(&str, &str); 9] = [
    ("bindings/java/pom.xml", "<artifactId>libmcp</artifactId>\n  <version>"),
    ("bindings/java/servlet/pom.xml", "<artifactId>libmcp-servlet</artifactId>\n  <version>"),
    ("bindings/java/spring-boot/pom.xml", "<artifactId>libmcp-spring-boot-starter</artifactId>\n  <version>"),
    ("bindings/node/package.json", "\"version\": \""),
    ("bindings/node/package-lock.json", "\"version\": \""),
    ("bindings/python/pyproject.toml", "\nversion = \""),
    ("bindings/csharp/libmcp.csproj", "<Version>"),
    ("packaging/vcpkg/vcpkg.json", "\"version\": \""),
    ("Cargo.lock", "name = \"mcp\"\nversion = \""),
];

pub fn check(stage: &mut Stage) -> Result<(), String> {
    let version = Version::read(stage.checkout)?.to_string();
    let found = VERSIONS.map(|(file, before)| {
        let text = read(&stage.checkout.root.join(file))?;
        fits(file, &text, before, &version)
    });
    let wrong: Vec<String> = found.into_iter().filter_map(Result::err).collect();
    stage.tally.check("every package has the version of Cargo.toml", super::none(&wrong));
    workflows(stage)
}

/// The first version of a file is that of the library.
fn fits(file: &str, text: &str, before: &str, version: &str) -> Result<(), String> {
    let has = text.split_once(before).and_then(|(_, rest)| rest.split(['"', '<']).next()).unwrap_or("none");
    if has == version { Ok(()) } else { Err(format!("{file} has version {has}, and Cargo.toml {version}")) }
}

fn workflows(stage: &mut Stage) -> Result<(), String> {
    const LINTED: &str = "actionlint has nothing to say of the workflow files";
    let Some(go) = stage.tally.need(&GO, LINTED) else { return Ok(()) };
    let actionlint = match peers::actionlint(stage.checkout, &go) {
        Ok(program) => program,
        Err(why) => {
            stage
                .tally
                .lack(LINTED, &format!("Go could not install actionlint from its module proxy: {why}"));
            return Ok(());
        }
    };
    let files = stage.checkout.files(".github/workflows", "yml");
    let paths: Vec<&Path> = files.iter().map(AsRef::as_ref).collect();
    let result = if paths.is_empty() { Err("there is no workflow file".to_owned()) } else { Ok(()) };
    let result = result.and_then(|()| lint(stage.checkout, &actionlint, &paths));
    stage.tally.check(LINTED, result);
    // What finds nothing wrong must be able to.
    let planted = stage.checkout.scratch("pages")?.join("planted.yml");
    write(&planted, PLANTED)?;
    let result = match lint(stage.checkout, &actionlint, &[&planted]) {
        Err(why) if why.contains(FINDING) => Ok(()),
        other => Err(format!("actionlint did not find the job that is missing: {other:?}")),
    };
    stage.tally.check("actionlint finds a fault in a workflow file", result);
    Ok(())
}

/// The result must not depend on other linters of the machine.
fn lint(checkout: &Checkout, actionlint: &Path, files: &[&Path]) -> Result<(), String> {
    let mut command = Command::new(actionlint);
    command.args(["-no-color", "-shellcheck=", "-pyflakes="]).args(files).current_dir(&checkout.root);
    process::run(&mut command, process::LIMIT, &checkout.scratch("pages")?.join("actionlint"))?.done()
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_package_of_another_version_is_told() {
        let text = "[project]\nname = \"libmcp\"\nversion = \"0.1.0\"\n";
        assert_eq!(fits("pyproject.toml", text, "\nversion = \"", "0.1.0"), Ok(()));
        let told = Err("pyproject.toml has version 0.1.0, and Cargo.toml 0.2.0".to_owned());
        assert_eq!(fits("pyproject.toml", text, "\nversion = \"", "0.2.0"), told);
        let told = Err("pyproject.toml has version none, and Cargo.toml 0.2.0".to_owned());
        assert_eq!(fits("pyproject.toml", "", "\nversion = \"", "0.2.0"), told);
    }
}
