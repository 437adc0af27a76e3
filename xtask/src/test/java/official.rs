//! The comparison program and the server example on the official SDK, from `tests/counterparts/java`.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{EXAMPLE, Work};
use crate::checkout::cleared;
use crate::machine::MVN;
use crate::process;
use crate::test::Stage;
use crate::test::visits::{self, Visits};

/// What the comparison program says. The SDK may handle the last reports of progress after the result.
const COMPARED: [&str; 10] = [
    "list: ",
    "call: ",
    "structured: {",
    "progress: ",
    "cancelled: the call ended",
    "elicitation: ",
    "resource: ",
    "two clients: 100 calls",
    "crash: the server was started again",
    "revision 2025-11-25",
];

impl Work {
    /// Both work on the SDK, and a client on this library uses both servers.
    pub fn official(&self, stage: &mut Stage) -> Result<(), String> {
        let what = "the programs on the official SDK compile without a warning";
        let Some(mvn) = stage.tally.need(&MVN, what) else { return Ok(()) };
        let sources = stage.checkout.root.join("tests/counterparts/java");
        let local = stage.checkout.target.join("peers/maven");
        let theirs = match self.with_the_sdk(&mvn, &local, &sources) {
            Ok(class_path) => class_path,
            Err(why) => {
                stage.tally.fail(what, &why);
                return Ok(());
            }
        };
        stage.tally.pass(what);
        // The server over HTTP keeps files there.
        let temporary = format!("-Djava.io.tmpdir={}", self.log.join("counterparts").display());
        let java = |class: &str| {
            let program = self.jdk.command("java").get_program().to_string_lossy().into_owned();
            vec![program, temporary.clone(), "-cp".to_owned(), theirs.clone(), class.to_owned()]
        };
        for (name, server, more) in [
            ("its own server", Some(java("ServerExample")), &[][..]),
            (
                "server-everything",
                self.named_server("MCP_EVERYTHING_SERVER"),
                &["notification: ", "sampling: ", "roots: "],
            ),
        ] {
            let Some(server) = server else { continue };
            let result = self.compared_with_the_sdk(&[java("Compare"), server].concat(), name, more);
            stage.tally.check(&format!("the program Compare on the official SDK: {name}"), result);
        }
        self.visits(stage, &sources, java("ServerExample"))
    }

    /// Downloads the SDK, compiles the programs, and gives the class path of both.
    fn with_the_sdk(&self, mvn: &Path, local: &Path, sources: &Path) -> Result<String, String> {
        let project = cleared(&self.log.join("counterparts"))?;
        let libraries = self.dependencies(mvn, local, &sources.join("pom.xml"), &project)?;
        let programs = ["Compare.java", "ServerExample.java"].map(|name| sources.join(name));
        self.javac(&libraries, &project.join("classes"), &programs, "counterparts-javac")?;
        Ok(format!("{libraries}:{}", project.join("classes").display()))
    }

    fn compared_with_the_sdk(&self, command: &[String], name: &str, more: &[&str]) -> Result<(), String> {
        let log = self.log.join(format!("counterpart-{}", name.replace(' ', "-")));
        let finished = process::run(Command::new(&command[0]).args(&command[1..]), EXAMPLE, &log)?;
        finished.says(&[&COMPARED[..], more].concat())
    }

    fn visits(&self, stage: &mut Stage, sources: &Path, theirs: Vec<String>) -> Result<(), String> {
        let classes = cleared(&self.log.join("visit"))?;
        let jar = self.publication.jar().display().to_string();
        self.javac(&jar, &classes, &[sources.join("Visit.java")], "visit-javac")?;
        let visits = Visits {
            language: "java",
            client: &|| {
                let mut command = self.java("visit");
                command.arg("Visit");
                command
            },
            ours: self.own_server("ServerExample"),
            theirs,
            place: visits::url,
            ends_well: false,
        };
        visits.check(stage);
        Ok(())
    }

    fn javac(&self, class_path: &str, into: &Path, sources: &[PathBuf], log: &str) -> Result<(), String> {
        let mut command = self.jdk.command("javac");
        command.args(["-Xlint:all", "-Werror", "-encoding", "UTF-8", "-cp", class_path, "-d"]).arg(into);
        self.succeeds(command.args(sources), log).map(|_| ())
    }
}
