//! `cargo xtask demo`: from a fresh checkout to a C program that talks to an MCP server, told as it happens.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::checkout::Checkout;
use crate::compiler;
use crate::machine::CC;
use crate::release;

pub fn run(checkout: &Checkout) -> Result<(), String> {
    let compiler = CC.find()?;
    println!("libmcp demo: a C program starts an MCP server and uses it through the library.\n");

    println!(
        "1. Building the library and the example server in release mode. The first time takes a minute or two."
    );
    let start = Instant::now();
    let built = release::library_and_example(checkout)?;
    println!("   done in {}: {}\n", seconds(start.elapsed()), built.library.display());

    println!("2. Compiling examples/c/demo.c with {} against include/mcp.h.", compiler.display());
    let program = compiler::program(checkout, &built, &checkout.root.join("examples/c/demo.c"), "demo")?;
    println!("   done: {}\n", program.display());

    println!("3. Running it. It speaks for itself:\n");
    let status = Command::new(&program)
        .arg(&built.example_server)
        .env_remove("LD_LIBRARY_PATH")
        .status()
        .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
    if !status.success() {
        return Err(format!("the demo program failed: {status}"));
    }
    println!("\n4. Building the program mcp, and asking the same server with it.\n");
    let program = release::program(checkout)?;
    for words in [&["tools"][..], &["call", "add", "a=1", "b=2"]] {
        println!("   $ mcp {} -- {}\n", words.join(" "), built.example_server.display());
        let status = Command::new(&program)
            .args(words)
            .arg("--")
            .arg(&built.example_server)
            .env_remove("LD_LIBRARY_PATH")
            .status()
            .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
        if !status.success() {
            return Err(format!("mcp {} failed: {status}", words.join(" ")));
        }
        println!();
    }
    println!("\nThat was all. Read examples/c/demo.c next, and include/mcp.h for the whole API.");
    Ok(())
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
