//! The library with the parts that every system has instead of Linux's own: a poller over `poll`, wakes of two sockets, sleeping without a
//! futex, writes with `SIGPIPE` blocked, and no page that the kernel wipes. A port begins with them, so they are tested here, where
//! everything else is known to work: C programs that wait in every way there is, and with `--deep` the unit tests of the modules that use
//! them.

use std::path::{Path, PathBuf};

use super::Stage;
use super::ctest::Programs;
use super::rust::SCHEDULES;
use crate::checkout::Checkout;
use crate::machine::CC;
use crate::process;
use crate::release::Built;

/// What the sources are told (`src/transport/poller/mod.rs`).
const CFG: &str = "mcp_poll_backend";

/// The modules whose unit tests run: those that wait, and those above them. All others are the same in every build.
const MODULES: [&str; 5] = ["transport::", "runtime::", "ffi::", "client::", "server::"];

/// Programs of `tests/c`. Processes and their ends, sockets, HTTP, servers; waits, wakes from threads and from signal handlers,
/// descriptors, forks, pipes that are full, readers that are gone.
const PROGRAMS: &[&str] = &[
    "a_blocking_call_is_interrupted",
    "a_child_of_fork_starts_afresh",
    "a_host_without_standard_streams_can_start_servers",
    "a_queue_is_woken_from_a_signal_handler",
    "a_server_behind_a_socket_comes_back",
    "a_server_that_dies_is_told_and_started_again",
    "a_server_that_stops_reading_blocks_nobody",
    "a_transport_of_the_programs_own_carries_and_fails",
    "c02_two_hundred_clients_share_one_queue",
    "a_dead_server_harms_no_host",
    "client_and_server_in_one_process_in_every_era",
    "http_a_unix_socket_carries_http",
    "http_calls_streams_and_requests_share_a_client",
    "loops_and_threads_wait_on_one_descriptor",
    "no_descriptor_left_is_told_and_got_over",
    "no_process_of_a_server_outlives_its_client",
    "queues_wake_who_waits_and_no_other",
    "server_http_serves_every_era_at_one_url",
    "server_over_standard_streams_keeps_them_clean",
    "server_requests_are_taken_by_a_loop_and_may_end_late",
    "servers_are_started_with_what_they_are_given",
    "calls_by_the_thousand_end_exactly_once",
    "threads_share_a_client_and_close_it",
    "use_after_fork_is_refused",
    "what_fills_a_queue_is_bounded_and_told",
];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        stage.tally.skip("the parts that every system has", "elsewhere the library has them in any case");
        return Ok(());
    }
    if stage.options.deep {
        unit_tests_pass(stage)?;
    }
    if stage.tally.need(&CC, "C programs on the parts that every system has").is_none() {
        return Ok(());
    }
    let library = library(stage.checkout)?;
    let folder = library.parent().unwrap_or(Path::new("")).to_path_buf();
    let built = Built { folder, library, ..stage.built()? };
    // The example server is on this library, too.
    let missing = |name: &&str| !stage.checkout.root.join(format!("tests/c/{name}.c")).is_file();
    if let Some(name) = PROGRAMS.iter().find(|name| missing(name)) {
        return Err(format!(
            "tests/c/{name}.c is not there: the list in poll_backend.rs has names of programs"
        ));
    }
    let chosen = format!("-DMCP_PROGRAMS=^({})$", PROGRAMS.join("|"));
    let options = ["-DMCP_OPTIMIZED=ON", "-DMCP_EXAMPLE_SERVER=", &chosen];
    match Programs::build(stage, "poll-backend", &built, &options)? {
        Some(programs) => programs.run(&mut stage.tally, &["-LE", "memcheck"]),
        None => Ok(()),
    }
}

fn unit_tests_pass(stage: &mut Stage) -> Result<(), String> {
    let tests = unit_tests(stage.checkout)?;
    let log = stage.checkout.scratch("poll-backend")?.join("unit");
    let mut command = std::process::Command::new(&tests);
    command.args(MODULES).args(["--skip", SCHEDULES]).current_dir(&stage.checkout.root);
    let finished = process::run(&mut command, process::LIMIT, &log)?;
    let result = finished.done();
    stage.tally.check("the unit tests of what waits pass", result);
    Ok(())
}

fn unit_tests(checkout: &Checkout) -> Result<PathBuf, String> {
    built(checkout, &["mcp", "--lib", "--profile", "test"], "\"executable\":\"")
}

fn library(checkout: &Checkout) -> Result<PathBuf, String> {
    built(checkout, &["libmcp", "--crate-type", "cdylib"], "\"filenames\":[\"")
}

/// Builds for this step, in a folder of its own: a shared library has the same name in every build. Gives what cargo names after `field`.
fn built(checkout: &Checkout, what: &[&str], field: &str) -> Result<PathBuf, String> {
    let mut cargo = checkout.cargo();
    cargo.args(["rustc", "--quiet", "--message-format", "json-render-diagnostics", "--package"]).args(what);
    cargo.arg("--target-dir").arg(checkout.target.join("poll-backend"));
    cargo
        .env("CARGO_ENCODED_RUSTFLAGS", format!("--cfg={CFG}\u{1f}-Dwarnings"))
        .stderr(std::process::Stdio::inherit());
    let output = cargo.output().map_err(|error| format!("cannot start cargo: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let line = said.lines().rfind(|line| line.contains("\"name\":\"mcp\"") && line.contains(field));
    let path = line.and_then(|line| line.split_once(field)?.1.split_once('"')).map(|(path, _)| path.into());
    match path {
        Some(path) if output.status.success() => Ok(path),
        _ => Err(format!("cargo rustc --package mcp {} built nothing; see above", what.join(" "))),
    }
}
