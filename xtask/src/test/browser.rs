//! A page in a browser that others made, headless Chromium, calls our server over HTTP by `fetch`: from an origin that the
//! server allows everything works, and from another one nothing does.
//!
//! The page is `tests/browser/page.html`. A small server here gives it out at two ports, which are two origins, and takes what
//! the page saw.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::Stage;
use crate::checkout::{folder_at, read};
use crate::compiler;
use crate::machine::{CC, CHROMIUM};
use crate::process::{Finished, Served};

/// What the page checks.
const CHECKS: [&str; 6] =
    ["initialize", "tools/call", "event stream", "notification stream", "end of the session", "modern era"];
/// A browser takes its time to start on a busy machine.
const LIMIT: Duration = Duration::from_secs(90);
/// The largest body that the page sends.
const OUTCOME_BYTES: usize = 64 << 10;

/// Without these, Chromium looks for updates and the like, which waits where no network is.
const QUIET: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let (Some(_), Some(chromium)) =
        (stage.tally.need(&CC, "a page in a browser"), stage.tally.need(&CHROMIUM, "a page in a browser"))
    else {
        return Ok(());
    };
    let checkout = stage.checkout;
    let source = checkout.root.join("tests/interop-server/server.c");
    let program = compiler::program(checkout, &stage.built()?, &source, "browser")?;
    let folder = checkout.scratch("browser")?;
    let page = read(&checkout.root.join("tests/browser/page.html"))?;
    let allowed = Pages::listen()?;
    let other = Pages::listen()?;
    let mut served =
        Served::start(Command::new(program).args(["--http", &allowed.origin()]), &folder.join("server"))?;
    let url = served.first_line()?;
    for (name, pages, works) in
        [("a page of an allowed origin", &allowed, true), ("a page of another origin", &other, false)]
    {
        let seen = pages.seen_by(&chromium, &page, &url, &folder.join(name.replace(' ', "-")));
        stage.tally.check(name, seen.and_then(|seen| judge(&seen, works)));
    }
    let ended = served.end(LIMIT)?;
    stage
        .tally
        .check("the server ends", if ended.succeeded() { Ok(()) } else { Err(Finished::story(&ended)) });
    Ok(())
}

/// Every check works, or each fails because the browser did not let the page have the answer.
fn judge(seen: &str, works: bool) -> Result<(), String> {
    let right = |check: &&str| {
        seen.lines().any(|line| {
            if works {
                line.strip_prefix("ok ") == Some(check)
            } else {
                line.strip_prefix("failed ").is_some_and(|rest| {
                    rest.strip_prefix(*check)
                        .is_some_and(|why| why.starts_with(": TypeError: Failed to fetch"))
                })
            }
        })
    };
    let wrong: Vec<&str> = CHECKS.into_iter().filter(|check| !right(check)).collect();
    if wrong.is_empty() && seen.lines().count() == CHECKS.len() {
        return Ok(());
    }
    let wanted = if works { "work" } else { "be refused by the browser" };
    Err(format!("these should {wanted}: {}\nthe page saw:\n{seen}", wrong.join(", ")))
}

/// The server of the page: one origin.
struct Pages {
    listener: TcpListener,
    address: SocketAddr,
}

impl Pages {
    fn listen() -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("no port for the page: {error}");
        let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address })
    }

    fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Starts a browser at the page and waits for what the page saw.
    fn seen_by(&self, chromium: &Path, page: &str, server: &str, folder: &Path) -> Result<String, String> {
        folder_at(folder)?;
        let log = folder.with_extension("err");
        let file = std::fs::File::create(&log)
            .map_err(|error| format!("cannot write {}: {error}", log.display()))?;
        let mut command = Command::new(chromium);
        command
            .args(QUIET)
            .arg(format!("--user-data-dir={}", folder.display()))
            .arg("--remote-debugging-port=0");
        command.arg(format!("{}/?server={server}", self.origin()));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let started =
            command.spawn().map_err(|error| format!("cannot start {}: {error}", chromium.display()))?;
        let _browser = Browser(started);
        let deadline = Instant::now() + LIMIT;
        while Instant::now() < deadline {
            match self.listener.accept() {
                // A browser also opens connections in advance, and closes them unused: those fail, and no more comes of it.
                Ok((connection, _)) => {
                    if let Ok(Some(outcome)) = answer(connection, page) {
                        return Ok(outcome);
                    }
                }
                Err(_) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
        let said = read(&log)?;
        Err(format!("the page reported nothing within {} s; the browser said:\n{said}", LIMIT.as_secs()))
    }
}

/// Ends with its owner.
struct Browser(Child);

impl Drop for Browser {
    fn drop(&mut self) {
        // The program may be a script that starts the browser. It may have ended by itself; then there is nothing to kill.
        let _ = Command::new("kill")
            .args(["-KILL", "--", &format!("-{}", self.0.id())])
            .stderr(Stdio::null())
            .status();
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Answers one request of the browser; gives what the page saw, if the request brings it.
fn answer(mut connection: TcpStream, page: &str) -> std::io::Result<Option<String>> {
    connection.set_nonblocking(false)?;
    // One that is opened in advance must not hold up the others.
    connection.set_read_timeout(Some(Duration::from_millis(500)))?;
    let mut reader = BufReader::new(connection.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or_default();
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length.min(OUTCOME_BYTES)];
    reader.read_exact(&mut body)?;
    let (status, text) = match first.split(' ').collect::<Vec<_>>().as_slice() {
        ["GET", path, _] if path.starts_with("/?") => ("200 OK", page),
        ["POST", "/outcome", _] => ("204 No Content", ""),
        _ => ("404 Not Found", ""),
    };
    write!(
        connection,
        "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    )?;
    Ok((status == "204 No Content").then(|| String::from_utf8_lossy(&body).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::{CHECKS, judge};

    #[test]
    fn every_check_must_have_the_outcome_that_its_origin_gives_it() {
        let works: Vec<String> = CHECKS.iter().map(|check| format!("ok {check}")).collect();
        let refused: Vec<String> =
            CHECKS.iter().map(|check| format!("failed {check}: TypeError: Failed to fetch")).collect();
        assert_eq!(judge(&works.join("\n"), true), Ok(()));
        assert_eq!(judge(&refused.join("\n"), false), Ok(()));
        assert!(judge(&works[1..].join("\n"), true).is_err());
        assert!(judge(&refused.join("\n"), true).is_err());
        let one_works = [&refused[1..], &works[..1]].concat();
        assert!(judge(&one_works.join("\n"), false).is_err());
        assert!(judge("", false).is_err());
    }
}
