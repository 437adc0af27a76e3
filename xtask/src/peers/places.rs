//! What the tests in Python are told of programs that others have made: where each is installed, or the command that starts it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value, json};

use super::keycloak::keycloak;
use super::npm::{node_22, programs, runtimes};
use super::tools::packaging_tools;
use super::{Conformance, Inspector, Login, Major, Npm, Python};
use crate::checkout::Checkout;
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
        "fastmcp" | "fetch" | "keycloak" | "packaging" | "python-1" | "python-2" | "python-pip" => &[&PYTHON],
        _ => &[],
    }
}

fn installed(checkout: &Checkout, name: &str) -> Result<Value, String> {
    Ok(match name {
        "conformance" => {
            let suite = Conformance::install(checkout)?;
            json!({ "node": suite.node()?, "program": suite.program() })
        }
        "fetch" => json!(Python::fetch(checkout)?.interpreter()),
        "fastmcp" => json!(Python::fastmcp(checkout)?.interpreter()),
        "inspector" => {
            let inspector = Inspector::install(checkout)?;
            json!({ "node": inspector.node(), "program": inspector.program() })
        }
        "interop-go" => json!(interop_go(checkout)?),
        "interop-rmcp" => json!(interop_rmcp(checkout)?),
        "keycloak" => json!({ "folder": keycloak(checkout)?, "java": Jdk::find()?.home() }),
        "login" => {
            let login = Login::install(checkout)?;
            json!({ "node": login.node(), "servers": login.servers(), "browser": login.browser() })
        }
        "npm" => json!(Npm::install(checkout)?.folder()),
        "node-22" => json!(node_22(checkout)?),
        "packaging" => json!(packaging_tools(checkout)?),
        "python-pip" => json!(Python::for_binding(checkout)?.interpreter()),
        "page" => json!(crate::page::Packages::install(checkout)?.folder),
        "programs" => json!(programs(checkout)?),
        "runtimes" => json!(runtimes(checkout)?),
        "python-1" => json!(Python::install(checkout, Major::One)?.interpreter()),
        "python-2" => json!(Python::install(checkout, Major::Two)?.interpreter()),
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
