//! The Java binding, as its users have it: a jar with the library in it, compiled without a warning, documented, tested, its
//! examples against servers made by others, and installed in an empty folder, also by Maven.
//!
//! The files:
//!
//! * `maven`: the binding as a dependency of a Maven project
//! * `official`: the same programs on the official SDK

mod maven;
mod official;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Stage, bindings};
use crate::bindings::is_fresh;
use crate::checkout::{Checkout, cleared, copy, entries, write};
use crate::jar::{self, Publication};
use crate::jdk::{Jdk, OLDEST};
use crate::machine::PYTHON;
use crate::natives::Native;
use crate::peers::{Major, Python};
use crate::process::{self, Finished};

const LIMIT: Duration = Duration::from_secs(180);
const EXAMPLE: Duration = Duration::from_secs(60);

/// What the comparison program says of a server that has everything that it calls.
const COMPARED: [&str; 8] = [
    "list: ",
    "call: ",
    "structured: {",
    "progress: 4 reports",
    "elicitation: ",
    "resource: ",
    "two clients: 100 calls",
    "crash: the server was started again",
];

/// The server that an example runs against.
#[derive(Clone, Copy)]
enum Against {
    /// That of a variable, and what it is called.
    Named(&'static str, &'static str),
    /// An example that is a server.
    Own(&'static str),
}

const EXAMPLE_SERVER: Against = Against::Named("MCP_EXAMPLE_SERVER", "the example server");
const EVERYTHING: Against = Against::Named("MCP_EVERYTHING_SERVER", "server-everything");

/// The examples of one topic, and what each says with a server.
const EXAMPLES: [(&str, Against, &[&str]); 10] = [
    ("Quickstart", EXAMPLE_SERVER, &["tool: echo", "Hello from Java"]),
    ("Quickstart", EVERYTHING, &["tool: echo", "Echo: Hello from Java"]),
    ("StructuredOutput", EXAMPLE_SERVER, &["the sum is 5.0", "3) failed: ", "no-such-tool was refused: "]),
    ("LongCall", EXAMPLE_SERVER, &["3.0 of 3.0", "slow was given up"]),
    ("Notifications", EXAMPLE_SERVER, &["state: ready", "info: {", "the tools have changed"]),
    ("ResourcesAndPrompts", EXAMPLE_SERVER, &[" changed and reads: Hello, world!", "greet, user: "]),
    ("Elicitation", EXAMPLE_SERVER, &["the server asks: What is", "the tool says: "]),
    ("Elicitation", Against::Own("AskingServer"), &["the tool says: a table for 4 near the window"]),
    ("Sampling", Against::Own("AskingServer"), &["the tool says: I read 4 words."]),
    ("Sampling", EVERYTHING, &["the tool says: "]),
];

/// A program of a user, in a module of its own.
const PROGRAM: &str = "package user;\n\nimport io.libmcp.Client;\nimport java.util.Map;\n\npublic class Main {\n    \
    public static void main(String[] command) {\n        try (Client client = Client.open(command[0])) {\n            \
    System.out.println(client.callTool(\"echo\", Map.of(\"text\", \"hello\")).text());\n        }\n    }\n}\n";
const MODULE: &str = "module user {\n    requires io.libmcp;\n}\n";

pub fn run(stage: &mut Stage) -> Result<(), String> {
    stage.tally.check("what is generated is up to date", is_fresh(stage.checkout, "java"));
    let jdk = match Jdk::find() {
        Ok(jdk) => jdk,
        Err(why) => {
            stage.tally.lack("the Java binding", &why);
            return Ok(());
        }
    };
    println!("  Java {}", jdk.version);
    let built = stage.built()?;
    let mut servers = bindings::servers(stage, &built);
    let what = "the comparison program against a Python server";
    if stage.tally.need(&PYTHON, what).is_some() {
        match Python::install(stage.checkout, Major::One) {
            Ok(python) => {
                let script = stage.checkout.root.join("tests/servers/python/server.py");
                let words = [python.interpreter(), &script].map(|word| word.display().to_string());
                servers.push(("MCP_PYTHON_SERVER", bindings::array(&words)));
            }
            Err(why) => stage.tally.fail(what, &why),
        }
    }
    let log = stage.checkout.scratch("java")?;
    let classes = match jar::compile(stage.checkout, &jdk, &log) {
        Ok(classes) => classes,
        Err(why) => {
            stage.tally.fail("it compiles without a warning", &why);
            return Ok(());
        }
    };
    stage.tally.pass("it compiles without a warning");
    let reference = match jar::document(stage.checkout, &jdk, &log) {
        Ok(reference) => reference,
        Err(why) => {
            stage.tally.fail("the reference is made without a warning", &why);
            return Ok(());
        }
    };
    stage.tally.pass("the reference is made without a warning");
    let libraries = [jar::host(built.library.clone())];
    let repository = cleared(&log.join("repository"))?;
    let publication = jar::publish(stage.checkout, &jdk, &classes, &reference, &libraries, &repository)?;
    if stage.options.deep {
        let result = is_reproducible(stage.checkout, &jdk, &log, &libraries, &publication);
        stage.tally.check("a second build gives the same bytes", result);
    }
    let work = Work {
        jdk,
        folder: stage.checkout.root.join("bindings/java"),
        log,
        publication,
        library: built.library,
        servers,
    };
    match work.compiles("tests", "src/test/java").and_then(|()| work.compiles("examples", "examples")) {
        Ok(()) => stage.tally.pass("tests and examples compile without a warning"),
        Err(why) => {
            stage.tally.fail("tests and examples compile without a warning", &why);
            return Ok(());
        }
    }
    let tests = work.tests()?;
    bindings::count(stage, &tests);
    for line in tests.stdout.lines().filter(|line| line.starts_with("    ") && line.contains(" after")) {
        println!("  {}", line.trim());
    }
    stage.tally.check("the tests leave no file", work.left_by_tests());
    work.compare(stage);
    work.examples(stage);
    work.official(stage)?;
    stage
        .tally
        .check("the jar works in an empty folder, as a module, and leaves no file", work.installed(None));
    let library = work.library.clone();
    stage.tally.check("and with a library that a property names", work.installed(Some(&library)));
    work.published(stage, &repository)
}

/// All of it made again, in other folders.
fn is_reproducible(
    checkout: &Checkout,
    jdk: &Jdk,
    log: &Path,
    libraries: &[Native],
    first: &Publication,
) -> Result<(), String> {
    let again = cleared(&log.join("again"))?;
    let classes = jar::compile(checkout, jdk, &again)?;
    let reference = jar::document(checkout, jdk, &again)?;
    let second = jar::publish(checkout, jdk, &classes, &reference, libraries, &again.join("repository"))?;
    let bytes =
        |file: &Path| std::fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()));
    for (one, other) in first.files().iter().zip(second.files()) {
        if bytes(one)? != bytes(&other)? {
            return Err(format!("{} and {} differ", one.display(), other.display()));
        }
    }
    Ok(())
}

struct Work {
    jdk: Jdk,
    folder: PathBuf,
    log: PathBuf,
    publication: Publication,
    library: PathBuf,
    servers: Vec<(&'static str, String)>,
}

impl Work {
    fn class_path(&self, name: &str) -> String {
        format!("{}:{}", self.publication.jar().display(), self.log.join(name).display())
    }

    /// A Java that runs classes of the folder `name` beside the jar.
    fn java(&self, name: &str) -> Command {
        let mut command = self.jdk.command("java");
        command.args(["--enable-native-access=ALL-UNNAMED", "-cp", &self.class_path(name)]);
        command.current_dir(&self.folder).env_remove("MCP_LIBRARY");
        command.envs(self.servers.iter().map(|(name, value)| (name, value)));
        command
    }

    fn succeeds(&self, command: &mut Command, log: &str) -> Result<Finished, String> {
        process::run(command, LIMIT, &self.log.join(log))?.well()
    }

    fn compiles(&self, name: &str, sources: &str) -> Result<(), String> {
        let sources = jar::sources(&self.folder.join(sources))?;
        let mut command = self.jdk.command("javac");
        command.args([
            "--release",
            &OLDEST.to_string(),
            "-Xlint:all",
            "-Werror",
            "-encoding",
            "UTF-8",
            "-cp",
        ]);
        command.arg(self.publication.jar()).arg("-d").arg(cleared(&self.log.join(name))?).args(sources);
        self.succeeds(&mut command, name).map(|_| ())
    }

    /// The heap has a fixed size and is touched at the start, so that what grows is outside of it.
    fn tests(&self) -> Result<Finished, String> {
        let mut command = self.java("tests");
        let temporary = cleared(&self.log.join("tmp"))?;
        command.arg(format!("-Djava.io.tmpdir={}", temporary.display()));
        command.env("MCP_EXAMPLE_CLASSES", self.log.join("examples"));
        command.args(["-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-Xcheck:jni", "io.libmcp.Tests"]);
        process::run(&mut command, LIMIT, &self.log.join("test"))
    }

    /// The files and folders that the tests have left where they put such.
    fn left_by_tests(&self) -> Result<(), String> {
        is_empty(&self.log.join("tmp"))
    }

    /// The command of an example that is a server.
    fn own_server(&self, class: &str) -> Vec<String> {
        let java = self.jdk.command("java").get_program().to_string_lossy().into_owned();
        let path = self.class_path("examples");
        vec![java, "--enable-native-access=ALL-UNNAMED".to_owned(), "-cp".to_owned(), path, class.to_owned()]
    }

    /// The command of a server that a variable names.
    fn named_server(&self, variable: &str) -> Option<Vec<String>> {
        let (_, value) = self.servers.iter().find(|(known, _)| *known == variable)?;
        Some(if value.starts_with('[') { bindings::words(value) } else { vec![value.clone()] })
    }

    /// Those of one topic. The reference server was told as lacking already, if it is.
    fn examples(&self, stage: &mut Stage) {
        for (class, against, says) in EXAMPLES {
            let (server, name) = match against {
                Against::Own(server) => (Some(self.own_server(server)), server),
                Against::Named(variable, name) => (self.named_server(variable), name),
            };
            if let Some(server) = server {
                stage.tally.check(&format!("example {class}: {name}"), self.says(class, &server, says));
            }
        }
    }

    /// An example ends well, with these words among what it says.
    fn says(&self, class: &str, server: &[String], words: &[&str]) -> Result<(), String> {
        let mut command = self.java("examples");
        command.arg(class).args(server);
        process::run(&mut command, EXAMPLE, &self.log.join(format!("example-{class}")))?.says(words)
    }

    fn compare(&self, stage: &mut Stage) {
        self.compared(
            stage,
            "its own server",
            &self.own_server("ServerExample"),
            &["cancelled: the call ended"],
        );
        for (variable, name, cancelled) in [
            ("MCP_EVERYTHING_SERVER", "server-everything", "cancelled: the call ended"),
            ("MCP_PYTHON_SERVER", "a Python server", "cancelled: the server says: slow was stopped"),
        ] {
            if let Some(words) = self.named_server(variable) {
                self.compared(stage, name, &words, &[cancelled, "notification: ", "sampling: ", "roots: "]);
            }
        }
    }

    fn compared(&self, stage: &mut Stage, name: &str, server: &[String], more: &[&str]) {
        let result = self.says("Compare", server, &[&COMPARED[..], more].concat());
        stage.tally.check(&format!("example Compare: {name}"), result);
    }

    /// The jar alone in a folder, and a program that is a module.
    fn installed(&self, library: Option<&Path>) -> Result<(), String> {
        let folder = cleared(&self.log.join("installed"))?;
        let jar = folder.join("libmcp.jar");
        copy(&self.publication.jar(), &jar)?;
        self.runs_with(&folder, &jar, library)
    }

    /// A program that is a module is compiled in a folder and run with a jar, and leaves no file.
    fn runs_with(&self, folder: &Path, jar: &Path, library: Option<&Path>) -> Result<(), String> {
        let temporary = cleared(&folder.join("tmp"))?;
        let source = cleared(&folder.join("user"))?;
        write(&source.join("Main.java"), PROGRAM)?;
        write(&folder.join("module-info.java"), MODULE)?;
        let mut command = self.jdk.command("javac");
        command.current_dir(folder).arg("-p").arg(jar);
        command.args(["-d", "classes", "module-info.java", "user/Main.java"]);
        self.succeeds(&mut command, "installed-javac")?;
        let mut command = self.jdk.command("java");
        command.current_dir(folder).env_clear().arg(format!("-Djava.io.tmpdir={}", temporary.display()));
        if let Some(library) = library {
            command.arg(format!("-Dio.libmcp.library={}", library.display()));
        }
        command.args(["--enable-native-access=io.libmcp", "-p"]);
        command.arg(format!("{}:classes", jar.display())).args(["-m", "user/user.Main"]);
        let server =
            self.servers.iter().find(|(name, _)| *name == "MCP_EXAMPLE_SERVER").ok_or("no server")?;
        let finished = self.succeeds(command.arg(&server.1), "installed")?;
        let said = finished.stdout.trim();
        if said != "hello" || !finished.stderr.is_empty() {
            return Err(format!("it said: {}", finished.story()));
        }
        is_empty(&temporary)
    }
}

fn is_empty(folder: &Path) -> Result<(), String> {
    let left: Vec<String> = entries(folder)?.iter().map(|path| path.display().to_string()).collect();
    if left.is_empty() { Ok(()) } else { Err(format!("there is {}", left.join(", "))) }
}
