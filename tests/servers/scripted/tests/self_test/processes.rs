//! Starts that are counted, processes that stay, and what the process knows about itself.
#![cfg(unix)]

use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Client, hello, server};

/// A file of this test's own, gone when the test is.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Self(path)
    }

    fn text(&self) -> &str {
        self.0.to_str().expect("the target directory has a plain name")
    }

    /// The pids that `write-pid` noted, waited for until there are so many.
    fn pids(&self, wanted: usize) -> Vec<libc::pid_t> {
        let start = Instant::now();
        loop {
            let text = std::fs::read_to_string(&self.0).unwrap_or_default();
            let pids: Vec<_> = text.lines().filter_map(|line| line.parse().ok()).collect();
            if pids.len() >= wanted {
                return pids;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "only {pids:?} came");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn lives(pid: libc::pid_t) -> bool {
    // SAFETY: signal 0 only asks whether the process exists.
    unsafe { libc::kill(pid, 0) == 0 }
}

fn send_signal(pid: libc::pid_t, signal: libc::c_int) {
    assert!(pid > 1);
    // SAFETY: a plain call; the pid is one that a test of this file started and wrote down.
    unsafe { libc::kill(pid, signal) };
}

#[test]
fn the_first_starts_fail_and_then_it_works() {
    let state = Scratch::new("fail-starts");
    let arguments = ["--state", state.text(), "fail-starts=2"];
    assert_eq!(Client::start(&arguments).status().code(), Some(1));
    assert_eq!(Client::start(&arguments).status().code(), Some(1));
    Client::connect(&arguments);
    assert_eq!(std::fs::read(&state.0).map(|bytes| bytes.len()).ok(), Some(3));

    let state = Scratch::new("only-first");
    let arguments = ["--state", state.text(), "crash-in-initialize,only-first=1"];
    let mut client = Client::start(&arguments);
    client.request("initialize", &hello());
    assert_eq!(client.status().code(), Some(1));
    Client::connect(&arguments);
}

#[test]
fn a_stubborn_server_ignores_eof_and_term() {
    let mut client = Client::connect(&["ignore-eof,ignore-term"]);
    client.close_stdin();
    send_signal(client.pid(), libc::SIGTERM);
    std::thread::sleep(Duration::from_millis(100));
    assert!(client.running());
}

#[test]
fn a_crash_may_be_a_signal() {
    use std::os::unix::process::ExitStatusExt as _;
    let mut client = Client::connect(&[]);
    client.call("crash", &json!({ "signal": libc::SIGKILL }));
    assert_eq!(client.status().signal(), Some(libc::SIGKILL));
}

#[test]
fn the_grandchild_outlives_the_server_and_holds_the_pipe() {
    let pids = Scratch::new("grandchild");
    let mut client = Client::start(&[&format!("grandchild-exit-first=0,write-pid={}", pids.text())]);
    assert_eq!(client.status().code(), Some(0));
    let [server, grandchild] = pids.pids(2)[..] else { panic!("two processes") };
    assert_eq!(server, client.pid());
    assert!(lives(grandchild));
    assert!(client.is_silent_for(Duration::from_millis(50)), "stdout is still open");
    send_signal(grandchild, libc::SIGKILL);
    assert_eq!(client.raw_line(), None);
}

#[test]
fn a_wrapper_serves_from_its_child() {
    let pids = Scratch::new("wrapper");
    let mut client = Client::connect(&[&format!("wrapper,write-pid={}", pids.text())]);
    let seen = client.result("pgid", &json!({}))["structuredContent"].take();
    assert_eq!(seen["ppid"], client.pid());
    assert_eq!(
        pids.pids(2),
        [json!(client.pid()), seen["pid"].clone()]
            .map(|pid| { libc::pid_t::try_from(pid.as_i64().expect("a number")).expect("a pid") })
    );
    client.close_stdin();
    assert_eq!(client.status().code(), Some(0));
}

#[test]
fn stdout_can_close_while_the_server_lives() {
    let mut client = Client::connect(&["stdout-close"]);
    assert_eq!(client.raw_line(), None);
    assert!(client.running());
}

#[test]
fn a_server_that_does_not_read_fills_the_pipe_but_a_slow_one_gets_there() {
    let mut client = Client::connect(&["throttle=100"]);
    let start = Instant::now();
    client.text("echo", &json!({ "text": "x".repeat(1000) }));
    assert!(start.elapsed() > Duration::from_millis(80));

    let mut child = server(&["never-read"]).spawn().expect("the server starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(&vec![b' '; 4 << 20]));
    std::thread::sleep(Duration::from_millis(100));
    assert!(!writer.is_finished());
    child.kill().expect("our child");
    child.wait().expect("our child");
    assert!(writer.join().expect("no panic").is_err());
}

#[cfg(target_os = "linux")]
#[test]
fn the_server_sees_its_descriptors_and_its_environment() {
    let mut client = Client::connect(&[]);
    let all = client.result("fds", &json!({ "all": true }))["structuredContent"].take();
    assert!(all["fds"]["1"].as_str().is_some_and(|target| target.starts_with("pipe:")));
    assert!(client.result("env", &json!({}))["structuredContent"].is_object());
    assert_eq!(client.result("env", &json!({ "name": "NO_SUCH_VARIABLE" }))["isError"], true);
    let spawn = client.result("spawn", &json!({}))["structuredContent"].take();
    assert!(spawn["status"]["SigBlk"].is_string() && spawn["arguments"].is_array());
}

#[test]
fn a_grandchild_may_have_a_session_of_its_own() {
    let pids = Scratch::new("setsid");
    let _client = Client::connect(&[&format!("grandchild=setsid,ignore-term,write-pid={}", pids.text())]);
    let [server, grandchild] = pids.pids(2)[..] else { panic!("two processes") };
    // SAFETY: these calls only read numbers.
    let sessions = unsafe { [libc::getsid(server), libc::getsid(grandchild)] };
    assert_eq!(sessions[1], grandchild);
    assert_ne!(sessions[0], sessions[1]);
    send_signal(grandchild, libc::SIGTERM);
    std::thread::sleep(Duration::from_millis(50));
    assert!(lives(grandchild));
    send_signal(grandchild, libc::SIGKILL);
}
