//! Programs with generated functions that reach the example server through a broker only: `mcp bridge --allow` at a socket, and
//! `mcp run` with its sandbox. Two tools are allowed, and a third is not.

use std::path::PathBuf;
use std::process::Command;

use super::Scene;
use super::live::{Program, said};
use crate::machine::{BUBBLEWRAP, PYTHON};
use crate::process::Served;
use crate::test::{Stage, python};

const ALLOWED: [&str; 2] = ["add", "echo"];
/// What the programs print: results of what is allowed, and the error of what is not.
const EXPECTED: [&str; 4] = ["add 3.5", "echo Hello", "parsed 7", "the tool 'fail' is not allowed"];

pub struct Broker {
    program: PathBuf,
    example: String,
    /// Folders that a program in the sandbox reads: code and library, and the interpreter of Python.
    reads: Vec<PathBuf>,
    has_sandbox: bool,
    log: PathBuf,
    /// Below the target folder, which a chroot sees too.
    socket: PathBuf,
}

impl Broker {
    pub fn new(stage: &mut Stage, scene: &Scene) -> Result<Self, String> {
        let mut reads = vec![stage.checkout.target.clone(), scene.root.clone()];
        if let Ok(python) = PYTHON.find() {
            let asks = "import os, sys; print(os.path.realpath(sys.base_prefix))";
            let prefix = said(Command::new(python).args(["-c", asks]), &scene.folder.join("broker-python"))?;
            reads.push(PathBuf::from(prefix.trim()));
        }
        Ok(Self {
            program: scene.program.clone(),
            example: scene.built.example_server.display().to_string(),
            reads,
            has_sandbox: stage.tally.need(&BUBBLEWRAP, "generated code in a sandbox").is_some(),
            log: scene.folder.join("broker"),
            socket: stage.checkout.target.join("broker.sock"),
        })
    }

    /// A program of one language in both ways.
    pub fn run(&self, stage: &mut Stage, scene: &Scene, language: &str, program: &Program) {
        let bridged = self.bridge(scene, |socket| self.behind(program, socket));
        stage.tally.check(&format!("{language} behind mcp bridge --allow"), bridged);
        if self.has_sandbox {
            stage.tally.check(&format!("{language} below mcp run"), self.sandboxed(program));
        }
    }

    /// The bridge at a socket; `say` gives what a program prints that finds it there.
    pub fn bridge(
        &self,
        scene: &Scene,
        say: impl FnOnce(&str) -> Result<String, String>,
    ) -> Result<(), String> {
        let words = ALLOWED.iter().flat_map(|tool| ["--allow", tool]).chain([self.example.as_str()]);
        let served = self.served(scene, words)?;
        let said = say(&self.address());
        drop(served);
        right(&said?, &EXPECTED)
    }

    /// Two servers as one: their tools have prefixes, which become modules again.
    pub fn with_prefixes(
        &self,
        stage: &mut Stage,
        scene: &Scene,
        example: &[String],
        everything: &[String],
    ) -> Result<(), String> {
        if stage.tally.need(&PYTHON, "tools of several servers").is_none() {
            return Ok(());
        }
        let (python, binding) = python::installed(stage.checkout, &scene.built)?;
        let targets = [server("example", example), server("everything", everything)];
        let folder = scene.folder.join("live/prefixes");
        let mut generate = Command::new(&self.program);
        generate
            .args(["generate", "python", "--into"])
            .arg(&folder)
            .arg("--")
            .arg(&self.program)
            .arg("bridge");
        scene.run("broker-generate", generate.args(&targets))?;
        let modules = format!("PYTHONPATH={}:{}", folder.display(), binding.display());
        let source = scene.root.join("tests/generate/live/prefixes.py").display().to_string();
        let start = vec!["/usr/bin/env".to_owned(), modules, python.display().to_string(), source];
        let program = Program::new(vec![], start, folder);
        let words = ["--allow", "example/add", "--allow", "example/ec*", "--allow", "everything/echo"];
        let served = self.served(scene, words.into_iter().chain(targets.iter().map(String::as_str)))?;
        let said = self.behind(&program, &self.address());
        drop(served);
        let expected =
            ["add 3.5", "echo Hello", "the tool 'example__fail' is not allowed", "everything Echo: Hello"];
        stage.tally.check("tools of two servers behind mcp bridge --allow", right(&said?, &expected));
        Ok(())
    }

    fn address(&self) -> String {
        format!("unix:{}", self.socket.display())
    }

    fn served<'a>(&self, scene: &Scene, words: impl Iterator<Item = &'a str>) -> Result<Served, String> {
        // There may be one of a run that was killed.
        let _ = std::fs::remove_file(&self.socket);
        let mut command = Command::new(&self.program);
        command.args(["bridge", "--listen", &self.address()]).args(words);
        let mut served = Served::start(&mut command, &scene.folder.join("broker-bridge"))?;
        let line = served.first_line()?;
        if line == self.address() { Ok(served) } else { Err(format!("the bridge listens at {line}")) }
    }

    fn behind(&self, program: &Program, socket: &str) -> Result<String, String> {
        let mut command = Command::new(&program.start[0]);
        command.args(&program.start[1..]).current_dir(&program.folder).env("MCP_SOCKET", socket);
        said(&mut command, &self.log)
    }

    fn sandboxed(&self, program: &Program) -> Result<(), String> {
        let mut command = Command::new(&self.program);
        command.arg("run").args(ALLOWED.iter().flat_map(|tool| ["--allow", tool]));
        for folder in &self.reads {
            command.arg("--read").arg(folder);
        }
        command.arg(&self.example).arg("--").args(&program.start).current_dir(&program.folder);
        right(&said(&mut command, &self.log)?, &EXPECTED)
    }
}

/// A server of several: its name, and its command as one word, where a path alone has no quotes.
fn server(name: &str, words: &[String]) -> String {
    if let [path] = words {
        return format!("{name}={path}");
    }
    let words: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    format!("{name}={}", words.join(" "))
}

fn right(said: &str, expected: &[&str]) -> Result<(), String> {
    match expected.iter().find(|it| !said.contains(**it)) {
        Some(missing) => Err(format!("'{missing}' is not in:\n{said}")),
        None => Ok(()),
    }
}
