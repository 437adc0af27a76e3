//! The Go binding, as its users build it: with cgo and pkg-config, shared and static, vetted, and under the race detector.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Stage, bindings};
use crate::bindings::{Staged, is_fresh, stage as lay_out};
use crate::machine::{CC, GO, PKG_CONFIG};
use crate::process;

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
    let work = Work {
        go,
        folder: stage.checkout.root.join("bindings/go"),
        log: stage.checkout.scratch("go")?,
        staged: lay_out(stage.checkout, &built)?,
        servers: bindings::servers(stage, &built),
    };
    stage.tally.check("gofmt has nothing to say", formatted(&work));
    stage.tally.check("go vet has nothing to say", work.succeeds("vet", &["vet", "./..."], &[]));

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
    Ok(())
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
        let finished = self.run(log, arguments, environment)?;
        if finished.succeeded() { Ok(()) } else { Err(finished.story()) }
    }
}

/// `gofmt` prints the files that it would change, and succeeds all the same.
fn formatted(work: &Work) -> Result<(), String> {
    let beside = work.go.with_file_name("gofmt");
    let gofmt = if beside.is_file() { beside } else { PathBuf::from("gofmt") };
    let finished = process::run(&mut work.command(&gofmt, &["-l", "."]), LIMIT, &work.log.join("gofmt"))?;
    if finished.succeeded() && finished.stdout.trim().is_empty() { Ok(()) } else { Err(finished.story()) }
}
