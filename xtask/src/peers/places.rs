//! What the tests in Python are told of programs that others have made: where each is installed, or the command that starts it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value, json};

use super::keycloak::keycloak;
use super::npm::{node_22, node_of, packages};
use super::{environment, interpreter};
use crate::checkout::{Checkout, read, update};
use crate::jdk::Jdk;
use crate::lock::Lock;
use crate::machine::{self, GO, NODE, NPM, PYTHON, Tool};
use crate::process;
use crate::systems::SYSTEMS;

/// Each name with its place; of one that is missing with the reason, and whether it is a tool that the machine lacks.
pub fn places(checkout: &Checkout, names: &[&str]) -> Value {
    let places = names.iter().map(|name| ((*name).to_owned(), place(checkout, name)));
    Value::Object(places.collect::<Map<_, _>>())
}

fn place(checkout: &Checkout, name: &str) -> Value {
    // A tool of the machine is its own place.
    if let Some(tool) = machine::named(name) {
        return told(Ok(tool.find().map(|path| json!(path))));
    }
    if let Some(system) = SYSTEMS.iter().find(|system| name.strip_prefix("system-") == Some(system.name)) {
        return told(system.tools(checkout, &[]));
    }
    let lacking = tools(name).iter().find_map(|tool| tool.find().err());
    if let Some(why) = lacking.or_else(|| Jdk::find().err().filter(|_| name == "keycloak")) {
        return told(Ok(Err(why)));
    }
    told(installed(checkout, name).map(Ok))
}

/// A place, or why there is none: a tool that the machine lacks leaves tests out, and what fails on a machine that has it fails them.
fn told(place: Result<Result<Value, String>, String>) -> Value {
    match place {
        Ok(Ok(place)) => place,
        Ok(Err(why)) => json!({ "missing": why, "is_tool": true }),
        Err(why) => json!({ "missing": why, "is_tool": false }),
    }
}

fn tools(name: &str) -> &'static [&'static Tool] {
    match name {
        "interop-go" => &[&GO],
        "conformance" | "inspector" | "login" | "node-22" | "npm" | "page" | "programs" | "runtimes" => {
            &[&NODE, &NPM]
        }
        "fastmcp" | "fetch" | "keycloak" | "mdbook" | "packaging" | "python-1" | "python-2"
        | "python-balancer" | "python-pip" => &[&PYTHON],
        _ => &[],
    }
}

pub fn installed(checkout: &Checkout, name: &str) -> Result<Value, String> {
    Ok(match name {
        "conformance" => {
            let folder = packages(checkout, name)?;
            let program = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
            json!({ "node": node_of(&folder)?, "program": folder.join(program) })
        }
        "fetch" | "fastmcp" | "python-1" | "python-2" | "python-balancer" | "python-pip" => {
            json!(interpreter(checkout, name)?)
        }
        "inspector" => {
            let program = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";
            json!({ "node": node_22(checkout)?, "program": packages(checkout, name)?.join(program) })
        }
        "interop-go" => json!(interop_go(checkout)?),
        "interop-rmcp" => json!(interop_rmcp(checkout)?),
        "keycloak" => json!({ "folder": keycloak(checkout)?, "java": Jdk::find()?.home() }),
        "login" => {
            let (folder, node) = (packages(checkout, name)?, node_22(checkout)?);
            let [servers, browser, signer] =
                ["servers.mjs", "browser.mjs", "signer.mjs"].map(|script| folder.join(script));
            // Node looks for packages from where a module is.
            for script in [&servers, &browser, &signer] {
                let source = checkout.root.join("tests/login").join(script.file_name().unwrap_or_default());
                update(script, &read(&source)?)?;
            }
            json!({ "node": node, "servers": servers, "browser": browser })
        }
        "node-22" => json!(node_22(checkout)?),
        "npm" | "programs" | "runtimes" => json!(packages(checkout, name)?),
        "mdbook" => json!(environment(checkout, name)?.join("bin/mdbook")),
        "packaging" => json!(environment(checkout, name)?),
        "page" => json!(crate::page::Packages::install(checkout)?.folder),
        _ => return Err(format!("{name} is not among what others have made")),
    })
}

/// The client on the official SDK for Go.
fn interop_go(checkout: &Checkout) -> Result<PathBuf, String> {
    let tool = GO.find()?;
    compiled(checkout, "interop-go", |program| {
        let mut build = Command::new(&tool);
        build.args(["build", "-o"]).arg(program.join("client")).arg(".").env("CGO_ENABLED", "0");
        build.current_dir(checkout.root.join("tests/interop-server/go"));
        build
    })
    .map(|folder| folder.join("client"))
}

/// The client on the official SDK for Rust.
fn interop_rmcp(checkout: &Checkout) -> Result<PathBuf, String> {
    let manifest = checkout.root.join("tests/interop-server/rmcp/Cargo.toml");
    compiled(checkout, "interop-rmcp", |target| {
        let mut build = checkout.cargo();
        build.args(["build", "--quiet", "--locked", "--manifest-path"]).arg(&manifest);
        build.arg("--target-dir").arg(target);
        build
    })
    .map(|folder| folder.join("debug/mcp-interop-rmcp"))
}

/// Compiles into a folder, which this gives, unless another process does so now. The first time, Go compiles its own library too, and cargo
/// tokio.
fn compiled(checkout: &Checkout, name: &str, command: impl Fn(&Path) -> Command) -> Result<PathBuf, String> {
    let folder = super::folder(checkout, name);
    crate::checkout::folder_at(&folder)?;
    let _lock = Lock::if_there_is_one(&folder.with_extension("lock"), "compiles that")?;
    process::download(|| command(&folder), process::LIMIT, &checkout.scratch("peers")?.join(name))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_of_the_machine_is_no_package_of_that_name() {
        for (name, first) in
            [("g++", Some("g++")), ("neovim", Some("nvim")), ("npm-program", Some("npm")), ("npm", None)]
        {
            assert_eq!(machine::named(name).map(|tool| tool.names[0]), first, "{name}");
        }
    }

    #[test]
    fn a_fault_is_no_tool_that_the_machine_lacks() {
        for (place, said) in [
            (Ok(Ok(json!("/usr/bin/it"))), json!("/usr/bin/it")),
            (Ok(Err("install it".to_owned())), json!({ "missing": "install it", "is_tool": true })),
            (Err("no network".to_owned()), json!({ "missing": "no network", "is_tool": false })),
        ] {
            assert_eq!(told(place), said);
        }
    }
}
