//! `mcp-bench --scale`: what one tool of 1,000 to 100,000 costs in a server and in a client that has listed them, which
//! `contenders/libmcp-scale.c` tells. What does not grow with their number is the same in each row.

use crate::contender::{Workshop, version};
use std::process::Command;

const TOOLS: [u32; 3] = [1_000, 10_000, 100_000];

/// What the program tells, in its order.
const COLUMNS: [&str; 6] =
    ["to add, us", "to list, us", "a call, us", "checked call, us", "server, bytes", "client, bytes"];

/// Whether each number of tools could be measured.
pub fn bench(workshop: &Workshop) -> Result<bool, String> {
    let program = workshop.compile("libmcp-scale", true)?;
    println!("{}\n\n{:>9} {}", version("cc"), "tools", COLUMNS.map(|name| format!("{name:>17}")).concat());
    for tools in TOOLS {
        let output =
            Command::new(&program).arg(tools.to_string()).output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stdout);
        let figures: Vec<f64> = said.split_whitespace().filter_map(|figure| figure.parse().ok()).collect();
        if !output.status.success() || figures.len() != COLUMNS.len() {
            return Err(format!("{tools} tools: {said}{}", String::from_utf8_lossy(&output.stderr)));
        }
        let shown = figures.iter().zip(COLUMNS).map(|(figure, name)| match name.ends_with("us") {
            true => format!("{:>17.2}", figure / 1e3),
            false => format!("{figure:>17.0}"),
        });
        println!("{tools:>9} {}", shown.collect::<String>());
    }
    Ok(true)
}
