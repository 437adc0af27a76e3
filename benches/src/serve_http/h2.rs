//! As many calls as a server can take over TLS, which an independent program makes (`h2load`): as streams of one connection of HTTP/2,
//! and beside that on as many connections of HTTP/1.1, so that what HTTP/2 costs is not taken for what TLS costs.
//!
//! The certificate is the one of the project's tests; the load does not check it. All requests of a run are the same bytes, its `id`
//! too, for `h2load` has one body.

use super::running::{GENERAL, Running, TEXT, call, on_one_processor};
use super::{OWN, Seen};
use crate::contender::Workshop;
use crate::os;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// What `h2load` is told for each load, and the protocol that it must have agreed on.
pub type How = (&'static [&'static str], &'static str);

/// The servers of others that cannot be measured so, and why.
pub const LEFT_OUT: [(&str, &str); 3] = [
    ("go-sdk", "it refuses a request with the id of another that is under way, and requests of 2026-07-28"),
    ("rmcp", "the SDK brings no TLS, and its program here no library of it"),
    ("python", "its HTTP server, uvicorn, has no HTTP/2"),
];

pub const LOADS: [(&str, How); 2] = [
    ("HTTP/1.1, 64 connections", (&["--h1", "-c64"], "http/1.1")),
    ("HTTP/2, 64 streams", (&["-c1", "-m64"], "h2")),
];

/// Calls of the shorter of the two runs of which the difference is taken, so that start and handshakes do not count.
const FEW: u64 = 1000;
/// How the lines of `h2load` begin that tell whether a run was well.
const TELLING: [&str; 3] = ["Application protocol:", "requests:", "status codes:"];
/// The same for all: servers prefer different ones.
const CIPHER: &str = "--tls13-ciphers=TLS_AES_128_GCM_SHA256";

/// What a server is told so that it serves over TLS.
pub fn options(workshop: &Workshop) -> Vec<PathBuf> {
    vec![
        "--tls".into(),
        workshop.root.join("src/server/test_certificate.pem"),
        workshop.root.join("crates/core/src/auth/test_keys/ec_pkcs8.pem"),
    ]
}

/// Whether the programs that make the load are there.
///
/// # Errors
/// What to install.
pub fn is_there() -> Result<(), String> {
    for program in ["h2load", "nghttp"] {
        let asked = Command::new(program).arg("--version").output();
        asked.map_err(|error| format!("{program} (Debian: apt-get install nghttp2-client): {error}"))?;
    }
    Ok(())
}

/// The head and body of an answer over HTTP/2, on a connection of its own.
pub fn post(url: &str, body: &str, headers: &[&str]) -> Result<String, String> {
    let mut nghttp = Command::new("nghttp");
    nghttp.args(["--verbose", "--no-verify-peer", "--data=-"]);
    for header in GENERAL.iter().chain(headers) {
        nghttp.args(["-H", header]);
    }
    let mut asked = || -> std::io::Result<String> {
        let mut child = nghttp.arg(url).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        // The end of it is the end of the body.
        child.stdin.take().map_or(Ok(()), |mut input| input.write_all(body.as_bytes()))?;
        Ok(String::from_utf8_lossy(&child.wait_with_output()?.stdout).into_owned())
    };
    let said = asked().map_err(|error| format!("nghttp {url}: {error}"))?;
    let answer = answer(&said);
    if answer.starts_with(":status: 2") { Ok(answer) } else { Err(format!("{url}: {answer}")) }
}

/// The fields and the body of an answer, from among what `nghttp` says of all frames.
fn answer(said: &str) -> String {
    // `[  0.018] recv (stream_id=13) content-length: 248`; of other frames a line begins so too, and further ones with spaces.
    let field = |line: &str| Some(line.split_once(" recv (stream_id=")?.1.split_once(") ")?.1.to_owned());
    let told = said.lines().skip_while(|line| field(line).is_none());
    let told = told
        .filter_map(|line| field(line).or_else(|| (!line.starts_with(['[', ' '])).then(|| line.to_owned())));
    told.collect::<Vec<_>>().join("\n")
}

/// Loads a server for some seconds; see [`super::load::load`].
pub fn load(
    workshop: &Workshop,
    running: &Running,
    era: &str,
    how: How,
    seconds: u32,
) -> Result<Seen, String> {
    let (body, headers) = call(running, era)?;
    let own: Vec<&str> = headers[GENERAL.len()..].iter().map(String::as_str).collect();
    let sample = post(&running.url, &body, &own)?;
    if !sample.contains(TEXT) || sample.contains("\"error\"") {
        return Err(format!("a wrong answer: {sample}"));
    }
    let file = workshop.bench.join("h2-body.json");
    std::fs::write(&file, &body).map_err(|error| format!("{}: {error}", file.display()))?;
    let run = |calls: u64, log: Option<&Path>| run(running, &file, &headers, how, calls, log);
    run(FEW, None)?;
    let few = run(FEW, None)?;
    let many = (FEW as f64 / few.seconds * f64::from(seconds)) as u64 + 2 * FEW;
    let all = run(many, None)?;
    let calls = (many - FEW) as f64;
    let log = workshop.bench.join("h2-times.txt");
    run((many / 10).max(FEW), Some(&log))?;
    Ok((calls / (all.seconds - few.seconds), (all.cpu_ns - few.cpu_ns) / 1e3 / calls, p99_us(&log)?))
}

/// What so many calls took.
struct Run {
    seconds: f64,
    cpu_ns: f64,
}

/// Makes so many calls, each of which must be answered with success.
fn run(
    running: &Running,
    file: &Path,
    headers: &[String],
    (how, protocol): How,
    calls: u64,
    log: Option<&Path>,
) -> Result<Run, String> {
    let mut h2load = Command::new("h2load");
    h2load.args(how).arg(format!("-n{calls}")).arg(CIPHER).arg("-d").arg(file);
    for header in headers {
        h2load.args(["-H", header]);
    }
    if let Some(log) = log {
        // It would write after what is there.
        let _ = std::fs::remove_file(log);
        h2load.arg("--log-file").arg(log);
    }
    h2load.arg(&running.url);
    let cpu_ns = || os::cpu_ns(running.child.id()).map_or(f64::NAN, |ns| ns as f64);
    let (before, begin) = (cpu_ns(), Instant::now());
    let output = on_one_processor(None, || h2load.output())?.map_err(|error| format!("h2load: {error}"))?;
    let run = Run { seconds: begin.elapsed().as_secs_f64(), cpu_ns: cpu_ns() - before };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if is_well(&said, protocol, calls) {
        return Ok(run);
    }
    let telling = |line: &&str| TELLING.iter().any(|start| line.starts_with(start));
    let told: Vec<&str> = said.lines().filter(telling).collect();
    Err(format!("h2load -n{calls} was not answered with {calls} 2xx over {protocol}: {}", told.join("; ")))
}

/// Whether all calls were made over this protocol and answered with success.
fn is_well(said: &str, protocol: &str, calls: u64) -> bool {
    let has = |start: &str, word: &str| {
        said.lines().any(|line| {
            line.strip_prefix(start).is_some_and(|rest| rest.split(", ").any(|part| part.trim() == word))
        })
    };
    let words = [protocol.to_owned(), format!("{calls} succeeded"), format!("{calls} 2xx")];
    TELLING.iter().zip(&words).all(|(start, word)| has(start, word))
}

/// From lines of a start, a status and a time in microseconds.
fn p99_us(log: &Path) -> Result<f64, String> {
    let lines = std::fs::read_to_string(log).map_err(|error| format!("{}: {error}", log.display()))?;
    // The first ones have waited for the handshakes of other connections.
    let settled = lines.lines().skip(lines.lines().count() / 2);
    let mut times: Vec<f64> =
        settled.filter_map(|line| line.split('\t').nth(2)?.trim().parse().ok()).collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() * 99 / 100).copied().ok_or_else(|| format!("{}: no times", log.display()))
}

/// Says who is missing.
pub fn say_left_out(peers: bool) {
    for (name, why) in LEFT_OUT.iter().filter(|_| peers) {
        println!("h2 without {name}: {why}");
    }
    println!("h2: {OWN} speaks HTTP/2 over TLS only; all rows are over TLS 1.3 with one cipher");
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "starting benchmark...\nApplication protocol: h2\n\nfinished in 75.74ms, 66019.67 req/s, 17.32MB/s\n\
        requests: 5000 total, 5000 started, 5000 done, 5000 succeeded, 0 failed, 0 errored, 0 timeout\n\
        status codes: 5000 2xx, 0 3xx, 0 4xx, 0 5xx\n";

    #[test]
    fn an_answer_is_found_among_frames() {
        let said = "[  0.017] Connected\nThe negotiated protocol: h2\n[  0.022] send SETTINGS frame <length=12>\n          (niv=2)\n\
            [  0.023] recv (stream_id=13) :status: 200\n[  0.023] recv (stream_id=13) mcp-session-id: a b: c\n\
            [  0.023] recv HEADERS frame <length=42>\n          ; END_HEADERS\n{\"id\":10}[  0.024] recv DATA frame\n";
        let told = ":status: 200\nmcp-session-id: a b: c\n{\"id\":10}[  0.024] recv DATA frame";
        assert_eq!(answer(said), told);
        assert_eq!(answer("[ERROR] Could not connect\n"), "");
    }

    #[test]
    fn a_run_is_well_when_all_calls_had_success_over_the_protocol() {
        assert!(is_well(SAID, "h2", 5000));
        assert!(!is_well(SAID, "http/1.1", 5000));
        assert!(!is_well(SAID, "h2", 5001));
        assert!(!is_well(&SAID.replace("5000 2xx, 0 3xx", "4999 2xx, 1 3xx"), "h2", 5000));
        assert!(!is_well(&SAID.replace("5000 succeeded", "15000 succeeded"), "h2", 5000));
    }
}
