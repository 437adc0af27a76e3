//! The examples of the Swift package, each with the servers that it is for. Those of others run outside of a chroot, which has neither
//! Node.js nor Python, and are reached over HTTP.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{Work, quoted};
use crate::checkout::{Checkout, write};
use crate::machine::{NODE, NPM, PYTHON};
use crate::peers::{Login, Major, Npm, Python};
use crate::ports::free_port;
use crate::process::{self, Served};
use crate::test::Stage;

const EXAMPLE: Duration = Duration::from_secs(60);

/// How often it is looked whether a server has to be started again.
const LOOK: Duration = Duration::from_millis(20);

pub fn run(stage: &mut Stage, work: &Work) {
    for (name, script, says) in scripts(work) {
        stage.tally.check(&name, work.says(&name, &script, &says));
    }
    let name = "examples compare and sampling: the reference server everything";
    if stage.tally.need(&NODE, name).is_some() && stage.tally.need(&NPM, name).is_some() {
        stage.tally.check(name, everything(stage.checkout, work));
        let name = "example login: a person at an authorization server";
        stage.tally.check(name, logs_in(stage.checkout, work));
    }
    let name = "example compare: the server of the Python SDK";
    if stage.tally.need(&PYTHON, name).is_some() {
        stage.tally.check(name, python(stage.checkout, work));
    }
}

impl Work {
    /// A script ends well, with these words among what it says.
    fn says(&self, log: &str, script: &str, words: &[&str]) -> Result<(), String> {
        let finished = self.run(log, script, EXAMPLE)?;
        finished.says(words)
    }

    /// The comparison program with a server at an address, whose process has its number in a file.
    fn compares(&self, log: &str, url: &str, file: &Path) -> Result<(), String> {
        let script = format!("{} {url} {}", self.program("compare"), quoted(file));
        self.says(log, &script, &["two clients", "goes on after the server has died"])
    }
}

/// Those with servers of ours: what each is called, its script, and what it says.
fn scripts(work: &Work) -> Vec<(String, String, Vec<&'static str>)> {
    let program = |name: &str| work.program(name);
    let own = program("server");
    let example = quoted(&work.built.example_server);
    let mut runs: Vec<(String, String, Vec<&str>)> =
        ["quickstart", "tools", "elicitation", "progress", "resources-watch"]
            .map(|name| {
                (
                    format!("example {name}: the example server"),
                    format!("{} {example}", program(name)),
                    vec![],
                )
            })
            .to_vec();
    let mut add = |name: &str, script: String, says: &[&'static str]| {
        runs.push((name.to_owned(), script, says.to_vec()));
    };
    add("example tools: the Swift server", format!("{} {own}", program("tools")), &[]);
    let compare = program("compare");
    add(
        "example compare: the Swift server",
        format!("{compare} {own}"),
        &["two clients", "goes on after the server has died"],
    );
    let over_http = |server: &str, client: &str| {
        format!(
            "coproc {{ exec {server}; }}; trap 'kill $COPROC_PID' EXIT\n\
             read -r -t 30 url <&\"${{COPROC[0]}}\"; {client}"
        )
    };
    add(
        "example compare: the Swift server over HTTP",
        over_http(&format!("{own} http://127.0.0.1:0/mcp"), &format!("{compare} \"$url\"")),
        &["two clients"],
    );
    // A server that cannot be started holds up no other.
    let file = quoted(&work.log.join("servers.json"));
    let servers = format!(
        "cat >{file} <<END\n{{\"mcpServers\": {{\"c\": {{\"command\": \"{}\"}}, \"swift\": {{\"command\": \"{}\"}}, \
         \"gone\": {{\"command\": \"/no/such/program\"}}}}}}\nEND\n{} {file} c swift gone",
        work.built.example_server.display(),
        work.scratch.join("debug/server").display(),
        program("multi-server"),
    );
    add(
        "example multi-server: three servers, one of which is missing",
        servers,
        &["c: ", "swift: 3 tools", "gone: "],
    );
    let scripted = quoted(&work.built.scripted_http);
    let login = program("login");
    let tokens = over_http(
        &format!("{scripted} --life 60 token=sesame"),
        &format!(
            "{login} \"http://127.0.0.1:$url/mcp\" token sesame; {login} \"http://127.0.0.1:$url/mcp\" token wrong"
        ),
    );
    add(
        "example login: a token, right and wrong",
        tokens,
        &["logged in; the server has ", "not logged in: auth"],
    );
    if cfg!(target_os = "linux") {
        let other = quoted(&work.log.join("other-abi.so"));
        let script = format!(
            "echo 'unsigned mcp_abi_version(void) {{ return 99; }}' | cc -shared -fPIC -x c - -o {other}\n\
             export SWIFT_BACKTRACE=enable=no LD_PRELOAD={other}\n\
             for program in \"{} {example}\" {own}; do eval \"$program\" </dev/null 2>&1 || true; done | grep -c 'has ABI 99, but'",
            program("quickstart"),
        );
        add("client and server refuse a library of another ABI", script, &["2"]);
    }
    runs
}

/// Both examples with the reference server, which is started again when it has died.
fn everything(checkout: &Checkout, work: &Work) -> Result<(), String> {
    let words = Npm::install(checkout)?.server("everything");
    let (program, arguments) = words.split_first().ok_or("the reference server has no command")?;
    let port = free_port()?;
    let make = || {
        let mut command = Command::new(program);
        command.args(arguments).arg("streamableHttp").env("PORT", &port);
        command
    };
    let url = format!("http://127.0.0.1:{port}/mcp");
    let file = work.log.join("everything.pid");
    kept_running(make, &file, &work.log.join("everything"), || {
        work.compares("compare-everything", &url, &file)?;
        let script = format!("{} {url}", work.program("sampling"));
        work.says("sampling-everything", &script, &["the server asks the model: ", "I read "])
    })
}

fn python(checkout: &Checkout, work: &Work) -> Result<(), String> {
    let python = Python::install(checkout, Major::One)?;
    let port = free_port()?;
    let make = || {
        let mut command = Command::new(python.interpreter());
        command.arg(checkout.root.join("tests/servers/python/server.py"));
        command.arg("streamable-http").arg(&port);
        command
    };
    let file = work.log.join("python.pid");
    kept_running(make, &file, &work.log.join("python"), || {
        work.compares("compare-python", &format!("http://127.0.0.1:{port}/mcp"), &file)
    })
}

/// Has a server run while something is done, and starts it again whenever it has died. The file has the number of its process.
fn kept_running(
    make: impl Fn() -> Command + Sync,
    file: &Path,
    log: &Path,
    work: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    let start = || -> Result<Served, String> {
        let served = Served::start(&mut make(), log)?;
        write(file, &served.id().to_string())?;
        Ok(served)
    };
    let mut served = start()?;
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (start, is_over) = (&start, &is_over);
        let keeper = scope.spawn(move || -> Result<(), String> {
            while !is_over.load(Ordering::Relaxed) {
                if served.has_ended() {
                    served = start()?;
                }
                std::thread::sleep(LOOK);
            }
            Ok(())
        });
        // The examples wait until the server is there.
        let result = work();
        is_over.store(true, Ordering::Relaxed);
        keeper.join().map_err(|_| "the thread that keeps a server running failed")??;
        result
    })
}

/// The example says which page to open, and a script that plays a person opens it: the servers of the step `login`.
fn logs_in(checkout: &Checkout, work: &Work) -> Result<(), String> {
    let login = Login::install(checkout)?;
    let mut command = Command::new(login.node());
    let mut servers = Served::start(command.arg(login.servers()), &work.log.join("login-servers"))?;
    let ports = servers.first_line()?;
    let port = ports.split(' ').next().unwrap_or_default();
    let script = format!("exec {} http://127.0.0.1:{port}/mcp", work.program("login"));
    let mut example = Served::start(&mut work.command(&script), &work.log.join("login"))?;
    let asked = example.first_line()?;
    if !asked.starts_with("open this page to log in at http://127.0.0.1:") {
        return Err(format!("it said: {asked}"));
    }
    let page = example.first_line()?;
    let mut browser = Command::new(login.node());
    browser.arg(login.browser()).args(["agree", &page]);
    process::run(&mut browser, EXAMPLE, &work.log.join("login-browser"))?.well()?;
    let said = example.first_line()?;
    let ended = example.end(EXAMPLE)?;
    if !said.starts_with("logged in; the server has ") || !ended.succeeded() {
        return Err(format!("it said: {said}\n{}", ended.story()));
    }
    Ok(())
}
