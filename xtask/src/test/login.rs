//! Logins at an authorization server that others made (`oidc-provider`), beside an MCP server that takes its tokens only: the
//! programs in `tests/login`, with a person played by a script, and the example `login` in C and C++.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::{Stage, programs};
use crate::checkout::{Checkout, stem};
use crate::compiler;
use crate::machine::{CC, GXX, NODE, NPM};
use crate::peers::Login;
use crate::process;
use crate::release::Built;

const LIMIT: Duration = Duration::from_secs(120);

/// Each program has servers of its own, and mostly waits.
const AT_ONCE: usize = 4;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let what = "logins";
    if [&CC, &NODE, &NPM].iter().any(|tool| stage.tally.need(tool, what).is_none()) {
        return Ok(());
    }
    let built = stage.built()?;
    let checkout = stage.checkout;
    println!("  installing the servers, unless they are there");
    let login = Login::install(checkout)?;
    let example =
        compiler::program(checkout, &built, &checkout.root.join("examples/c/login.c"), "login/example")?;
    let sources = programs::login(stage)?;
    process::some_at_once(
        AT_ONCE,
        &sources,
        |source| passes(checkout, &built, &login, &example, source),
        |source, result| stage.tally.check(&format!("tests/login/{}", stem(source)), result),
    );
    if stage.options.program.is_some() {
        return Ok(());
    }
    let name = "tests/login/the_example_logs_in, the one in C++";
    if stage.tally.need(&GXX, name).is_some() {
        let source = checkout.root.join("examples/cpp/login.cpp");
        let result = compiler::program(checkout, &built, &source, "login/example-cpp").and_then(|example| {
            let test = checkout.root.join("tests/login/the_example_logs_in.c");
            passes(checkout, &built, &login, &example, &test)
        });
        stage.tally.check(name, result);
    }
    Ok(())
}

fn passes(
    checkout: &Checkout,
    built: &Built,
    login: &Login,
    example: &Path,
    source: &Path,
) -> Result<(), String> {
    let program = compiler::program(checkout, built, source, "login")?;
    let mut command = Command::new(&program);
    command.arg(login.node()).arg(login.servers()).arg(login.browser()).arg(example);
    command.current_dir(checkout.scratch("login")?);
    process::run(&mut command, LIMIT, &program.with_extension("run"))?.done()
}
