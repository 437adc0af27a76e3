//! The Go binding, as its users build it: with cgo and pkg-config, shared and static, vetted, and under the race detector.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Stage, bindings, counterparts, go_published};
use crate::bindings::{Staged, is_fresh, stage as lay_out};
use crate::machine::{CC, GO, NODE, PKG_CONFIG, PYTHON};
use crate::peers::{Major, Python};
use crate::process;

/// The linter of Go programs, in the version that the binding was written for.
const STATICCHECK: &str = "honnef.co/go/tools/cmd/staticcheck@v0.8.2";

/// The first run compiles Go's own library too, once more for the race detector.
const LIMIT: Duration = Duration::from_secs(400);

pub fn run(stage: &mut Stage) -> Result<(), String> {
    stage.tally.check("constants.go is what include/mcp.h says", is_fresh(stage.checkout, "go"));
    let Some(go) = stage.tally.need(&GO, "the Go binding") else { return Ok(()) };
    for tool in [&CC, &PKG_CONFIG] {
        if stage.tally.need(tool, "the Go binding").is_none() {
            return Ok(());
        }
    }
    let built = stage.built()?;
    let mut servers = bindings::servers(stage, &built);
    if stage.tally.need(&PYTHON, "examples against a Python server").is_some() {
        match Python::install(stage.checkout, Major::One) {
            Ok(python) => {
                let script = stage.checkout.root.join("tests/servers/python/server.py");
                let words = [python.interpreter(), &script].map(|word| word.display().to_string());
                servers.push(("MCP_PYTHON_SERVER", bindings::array(&words)));
            }
            Err(why) => stage.tally.fail("examples against a Python server", &why),
        }
    }
    let work = Work {
        go,
        folder: stage.checkout.root.join("bindings/go"),
        log: stage.checkout.scratch("go")?,
        staged: lay_out(stage.checkout, &built)?,
        servers,
    };
    stage.tally.check("gofmt has nothing to say", formatted(&work));
    stage.tally.check("go vet has nothing to say", work.succeeds("vet", &["vet", "./..."], &[]));
    stage.tally.check(
        "staticcheck has nothing to say",
        work.succeeds("staticcheck", &["run", STATICCHECK, "./..."], &[("GOTOOLCHAIN", "local")]),
    );

    let tests = work.run("test", &["test", "-count=1", "-v", "./..."], &[("CGO_LDFLAGS", &work.rpath())])?;
    bindings::count(stage, &tests);

    let environment = [
        ("CGO_LDFLAGS", work.rpath()),
        ("GOEXPERIMENT", "cgocheck2".to_owned()),
        ("MCP_TEST_SCALE", "5".to_owned()),
    ];
    let environment = environment.each_ref().map(|(name, value)| (*name, value.as_str()));
    let result = work.succeeds("race", &["test", "-count=1", "-short", "-race", "./..."], &environment);
    stage
        .tally
        .check("the same under the race detector, with every pointer to C checked (cgocheck2)", result);

    // Without a run-time path the shared library would not be found.
    let only = ["test", "-count=1", "-tags", "mcp_static", "-run", "Listed|Logger|Slog", "."];
    let result = work.succeeds("static", &only, &[]);
    stage.tally.check("with the tag mcp_static the library is in the program", result);

    stage.tally.check("the official SDK's client uses the server example", the_sdk(&work));
    if stage.tally.need(&NODE, "the programs on the official SDK").is_some() {
        let programs = work.log.join("counterparts");
        let result = counterparts::go(stage.checkout, &work.go, &programs)
            .and_then(|()| the_sdk_with(&work, &programs.join("server")));
        let is_built = result.is_ok();
        stage.tally.check("the same programs on the official SDK work", result);
        if is_built {
            visits(stage, &work, &programs.join("server"))?;
        }
    }
    let result = go_published::check(stage.checkout, &work.go, &built.folder.join("libmcp.a"));
    stage.tally.check("go get of the published module gives a program, without pkg-config and Rust", result);
    Ok(())
}

/// The module `bench` has the official SDK, so that users of the binding do not download it.
fn the_sdk(work: &Work) -> Result<(), String> {
    let server = work.log.join("example-server");
    let place = server.display().to_string();
    let rpath = work.rpath();
    work.succeeds(
        "example-server-build",
        &["build", "-o", &place, "./examples/server"],
        &[("CGO_LDFLAGS", &rpath)],
    )?;
    the_sdk_with(work, &server)
}

/// The program `visit` is not a part of the module on the official SDK, and is compiled in that of the binding.
fn visits(stage: &mut Stage, work: &Work, theirs: &Path) -> Result<(), String> {
    let client = work.log.join("visit");
    let source = stage.checkout.root.join("tests/counterparts/go/visit.go").display().to_string();
    let (place, rpath) = (client.display().to_string(), work.rpath());
    work.succeeds("visit-build", &["build", "-o", &place, &source], &[("CGO_LDFLAGS", &rpath)])?;
    counterparts::go_servers(stage, &client, &work.log.join("example-server"), theirs);
    Ok(())
}

/// The official SDK's client uses a server that offers what the example does.
fn the_sdk_with(work: &Work, server: &Path) -> Result<(), String> {
    let (place, rpath) = (server.display().to_string(), work.rpath());
    let environment = [("MCP_GO_SERVER", place.as_str()), ("CGO_LDFLAGS", rpath.as_str())];
    work.succeeds("sdk", &["-C", "bench", "test", "-count=1", "./..."], &environment)
}

/// What every run of `go` needs to know.
struct Work {
    go: PathBuf,
    folder: PathBuf,
    log: PathBuf,
    staged: Staged,
    servers: Vec<(&'static str, String)>,
}

impl Work {
    fn rpath(&self) -> String {
        format!("-Wl,-rpath,{}", self.staged.library_folder.display())
    }

    fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.folder).env("PKG_CONFIG_PATH", &self.staged.pkgconfig);
        command.env("CGO_ENABLED", "1").envs(self.servers.iter().map(|(name, value)| (name, value)));
        command
    }

    fn run(
        &self,
        log: &str,
        arguments: &[&str],
        environment: &[(&str, &str)],
    ) -> Result<process::Finished, String> {
        let mut command = self.command(&self.go, arguments);
        command.envs(environment.iter().copied());
        process::run(&mut command, LIMIT, &self.log.join(log))
    }

    fn succeeds(&self, log: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
        self.run(log, arguments, environment)?.done()
    }
}

/// `gofmt` prints the files that it would change, and succeeds all the same.
fn formatted(work: &Work) -> Result<(), String> {
    let beside = work.go.with_file_name("gofmt");
    let gofmt = if beside.is_file() { beside } else { PathBuf::from("gofmt") };
    let finished = process::run(&mut work.command(&gofmt, &["-l", "."]), LIMIT, &work.log.join("gofmt"))?;
    if finished.succeeded() && finished.stdout.trim().is_empty() { Ok(()) } else { Err(finished.story()) }
}
