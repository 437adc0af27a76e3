//! `mcp dev` as a process: what it started ends with it.
#![cfg(feature = "page")]

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::fs::{read_to_string, write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);
/// Writes its number where it is told to, and does not end then.
const BUILD: &str = "[ ! -e hangs ] || { echo $$ > number.new; mv number.new number; exec sleep 600; }\n";
const SERVER: &str =
    "name: words\ntools:\n  - name: say\n    command: [printf, here]\n    inputSchema: {type: object}\n";

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "{what}: not within {} s", PATIENCE.as_secs());
        std::thread::yield_now();
    }
}

/// Whether a process has ended, also where no other one takes its state.
fn is_gone(pid: Pid) -> bool {
    let stat = read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
    test_kill_process(pid).is_err() || stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z'))
}

#[test]
fn a_build_ends_with_the_program() {
    for (option, is_first) in
        [("--no-page", true), ("--stdio", true), ("--no-page", false), ("--stdio", false)]
    {
        let case = format!("{option}, the first build: {is_first}");
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for (name, text) in [("build.sh", BUILD), ("server.yaml", SERVER), ("source.txt", "")] {
            write(at(name), text).expect("written");
        }
        if is_first {
            write(at("hangs"), "").expect("written");
        }
        let mcp = env!("CARGO_BIN_EXE_mcp");
        let serve = format!("echo > started; exec '{mcp}' serve server.yaml");
        let words =
            ["dev", option, "--watch", "source.txt", "--build", "sh build.sh", "--", "sh", "-c", &serve];
        let mut command = Command::new(mcp);
        command.args(words).current_dir(folder.path()).env("HOME", folder.path());
        let mut dev = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("started");
        if !is_first {
            until(&case, || at("started").exists());
            write(at("hangs"), "").expect("written");
        }
        let number = || Pid::from_raw(read_to_string(at("number")).ok()?.trim().parse().ok()?);
        let mut edited = None;
        until(&case, || {
            // It may not be looked at yet.
            if edited.is_none_or(|at: Instant| at.elapsed() > Duration::from_secs(1)) {
                write(at("source.txt"), format!("{edited:?}")).expect("written");
                edited = Some(Instant::now());
            }
            number().is_some()
        });
        let number = number().expect("a number");
        let own = Pid::from_raw(dev.id().cast_signed()).expect("a number");
        kill_process(own, Signal::INT).expect("signalled");
        until(&case, || dev.try_wait().expect("known").is_some());
        until(&case, || is_gone(number));
    }
}

/// Each start and each build leaves a line.
#[test]
fn a_server_behind_a_host_that_writes_what_is_watched_is_left_alone_after_some_starts() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    write(at("server.yaml"), SERVER).expect("written");
    let mcp = env!("CARGO_BIN_EXE_mcp");
    let serve = format!("echo >> starts; echo >> source.txt; exec '{mcp}' serve server.yaml");
    let build = "sh -c 'echo >> builds'";
    let words = ["dev", "--stdio", "-v", "--watch", "source.txt", "--build", build, "--", "sh", "-c", &serve];
    let said = std::fs::File::create(at("said")).expect("a file");
    let mut command = Command::new(mcp);
    command.args(words).current_dir(folder.path()).env("HOME", folder.path());
    let mut dev = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(said).spawn().expect("started");
    let read = |name: &str| read_to_string(at(name)).unwrap_or_default();
    until("a remark", || read("said").contains("source.txt' changed soon after each of 3 starts"));
    // One build before the first start, and one after each change.
    let (starts, builds) = (read("starts").len(), read("builds").len());
    assert!(starts >= 4 && builds == starts + 1, "{starts} starts, {builds} builds: {}", read("said"));
    let own = Pid::from_raw(dev.id().cast_signed()).expect("a number");
    kill_process(own, Signal::INT).expect("signalled");
    until("the end", || dev.try_wait().expect("known").is_some());
}
