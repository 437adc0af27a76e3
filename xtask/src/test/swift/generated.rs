//! What `mcp generate swift` makes of lists of tools, by the compiler and without a warning: two recorded servers, the odd schemas and
//! the hostile names.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Work, quoted};
use crate::checkout::Checkout;
use crate::process;
use crate::release;
use crate::test::Stage;

/// Each is a module of its own. The largest goes first, beside the others.
const LISTS: [&str; 4] = ["hostile", "odd", "servers/github", "servers/everything"];
/// What a list of `LISTS` becomes.
const MODULES: [&str; 4] = ["hostile", "odd", "github", "everything"];
const GENERATE: Duration = Duration::from_secs(60);
const COMPILE: Duration = Duration::from_secs(300);

/// The binding must be built.
pub fn run(stage: &mut Stage, work: &Work) -> Result<(), String> {
    let into = generate(stage.checkout)?;
    let mut script = format!("cd {}\n", quoted(&into));
    for module in MODULES {
        // Each has types of the same names; a word before it keeps it apart from a module that it imports.
        let _ = writeln!(
            script,
            "{{ swiftc -typecheck -swift-version 6 -warnings-as-errors -module-name made_{module} -module-cache-path modules \
             -I {} -Xcc -fmodule-map-file={} -Xcc -I{} {module}/*.swift >{module}.log 2>&1 && touch {module}.right; }} &",
            quoted(&work.scratch.join("debug/Modules")),
            quoted(&work.package.join("Sources/CMCP/module.modulemap")),
            quoted(&work.root.join("include")),
        );
    }
    script += "wait\n";
    let began = Instant::now();
    let finished = work.run("generated", &script, COMPILE)?;
    for module in MODULES {
        let result = if into.join(format!("{module}.right")).is_file() {
            Ok(())
        } else {
            let said = std::fs::read(into.join(format!("{module}.log"))).unwrap_or_default();
            Err(format!("{}\n{}", String::from_utf8_lossy(&said), finished.story()))
        };
        stage.tally.check(&format!("generated Swift compiles: {module}"), result);
    }
    println!("  what is generated was compiled in {} s", began.elapsed().as_secs());
    Ok(())
}

fn generate(checkout: &Checkout) -> Result<PathBuf, String> {
    let program = release::program(checkout)?;
    let into = checkout.scratch("swift")?.join("generated");
    if into.exists() {
        std::fs::remove_dir_all(&into)
            .map_err(|error| format!("cannot clear {}: {error}", into.display()))?;
    }
    for list in LISTS {
        let file = checkout.root.join("cli/tests/corpus").join(list).with_extension("json");
        let mut command = Command::new(&program);
        command.args(["generate", "swift", "--list"]).arg(file).arg("--into").arg(&into);
        let made = process::run(&mut command, GENERATE, &checkout.scratch("swift")?.join("generate"))?;
        if !made.succeeded() {
            return Err(made.story());
        }
    }
    Ok(into)
}
