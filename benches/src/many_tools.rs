//! `mcp-bench --many-tools`: 20,000 tools, listed and read with `mcp_value_*` by `examples/c/many_tools.c`.

use crate::contender::Workshop;
use std::process::{Command, Stdio};

/// Ten runs; whether each of them listed and read all tools.
pub fn bench(workshop: &Workshop) -> Result<bool, String> {
    let program = workshop.compile_from(&workshop.root.join("examples/c/many_tools.c"), "many_tools")?;
    let server = workshop.built.join("mcp-scripted-server");
    workshop.cargo(&["build", "-p", "mcp-scripted-server"])?;
    for _ in 0..10 {
        let mut command = Command::new(&program);
        command.arg(&server).arg("many-tools=20000").stdout(Stdio::null());
        let output = command.output().map_err(|error| error.to_string())?;
        print!("{}", String::from_utf8_lossy(&output.stderr));
        if !output.status.success() {
            return Ok(false);
        }
    }
    Ok(true)
}
