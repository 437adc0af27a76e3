//! Calls of the example server and of the reference server "everything" through generated functions, and of the example server through
//! a broker. Then the code is changed as if the server had other schemas now: the error of a failed call says so.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::broker::Broker;
use super::compiled::{go_module, tsc, typescript_project};
use super::swift::Swift;
use super::{LIMIT, Scene, need};
use crate::checkout::{entries, read, write};
use crate::machine::{CLANGXX, GCC, GO, NODE, NPM, PKG_CONFIG, PYTHON};
use crate::peers::Npm;
use crate::ports::free_port;
use crate::process::{self, Served};
use crate::test::{Stage, node, python};

const CHANGED: &str = "have changed since this code was generated";

pub fn run(stage: &mut Stage, scene: &Scene, swift: Option<&Swift>) -> Result<(), String> {
    if need(stage, &NODE, "calls of a reference server").is_none() || need(stage, &NPM, "calls").is_none() {
        return Ok(());
    }
    let everything = Npm::install(stage.checkout)?.server("everything");
    let example = vec![scene.built.example_server.display().to_string()];
    let words = [example.as_slice(), everything.as_slice()].concat();
    let broker = Broker::new(stage, scene)?;
    for language in ["c", "cpp", "go", "typescript", "python"] {
        let folder = wrappers(scene, language, &example, &everything)?;
        let Some(program) = program(stage, scene, language, &folder)? else { continue };
        let built = program.build(scene);
        let is_built = built.is_ok();
        stage.tally.check(
            &format!("{language} calls real servers"),
            built.and_then(|()| calls(scene, &program, &words)),
        );
        if !is_built {
            continue;
        }
        broker.run(stage, scene, language, &program);
        let told = other_hash(&folder.join("example"))
            .and_then(|()| program.build(scene))
            .and_then(|()| tells(&program.say(scene, &words)?));
        stage.tally.check(&format!("{language} tells other schemas"), told);
    }
    broker.with_prefixes(stage, scene, &example, &everything)?;
    match swift {
        Some(swift) => in_swift(stage, scene, swift, &broker, &example, &everything),
        None => Ok(()),
    }
}

/// What the module `chosen` of the example server has: the text of `echo` as JSON, and no `fail`.
const OVERRIDES: &str = r#"{"tools":{"fail":{"skip":true},"echo":{"function":"parsed",
    "outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}}}"#;

/// Makes the functions of both servers, as a module each, and of one server with overrides.
fn wrappers(
    scene: &Scene,
    language: &str,
    example: &[String],
    everything: &[String],
) -> Result<PathBuf, String> {
    let folder = scene.folder.join("live").join(language);
    let overrides = scene.folder.join("overrides.json");
    write(&overrides, OVERRIDES)?;
    let overrides = ["--overrides".to_owned(), overrides.display().to_string()];
    // Only what the programs call: the compilers have read the corpus.
    let tools = |names: &[&str]| names.iter().map(|name| format!("--tool={name}")).collect::<Vec<_>>();
    for (module, server, more) in [
        ("example", example, tools(&["add", "echo", "fail"])),
        ("everything", everything, tools(&["echo"])),
        ("chosen", example, [tools(&["echo", "fail"]), overrides.to_vec()].concat()),
    ] {
        let mut command = Command::new(&scene.program);
        command.args(["generate", language, "--module", module, "--into"]).arg(&folder).args(more);
        scene.run("live-generate", command.arg("--").args(server))?;
    }
    let index = read(&folder.join("chosen/index.txt"))?.to_lowercase();
    if index.contains("fail") || !index.contains("parsed") {
        return Err(format!("the overrides are not followed:\n{index}"));
    }
    Ok(folder)
}

/// What the program says of both servers is right.
fn calls(scene: &Scene, program: &Program, words: &[String]) -> Result<(), String> {
    right(&program.say(scene, words)?)
}

fn right(said: &str) -> Result<(), String> {
    let expected = ["add 3.5", "echo Hello", "parsed 7", "fail ", "everything Echo: Hello"];
    if let Some(missing) = expected.into_iter().find(|it| !said.contains(it)) {
        return Err(format!("'{missing}' is not in:\n{said}"));
    }
    if said.contains(CHANGED) { Err(format!("the hash of the schemas is wrong:\n{said}")) } else { Ok(()) }
}

fn tells(said: &str) -> Result<(), String> {
    if said.contains(CHANGED) { Ok(()) } else { Err(format!("other schemas are not told:\n{said}")) }
}

/// The same in Swift. The reference server is reached over HTTP: a chroot has no Node.js.
fn in_swift(
    stage: &mut Stage,
    scene: &Scene,
    swift: &Swift,
    broker: &Broker,
    example: &[String],
    everything: &[String],
) -> Result<(), String> {
    let folder = wrappers(scene, "swift", example, everything)?;
    let names = ["example", "everything", "chosen"].map(str::to_owned);
    let swift = swift.at(scene.folder.join("live/swift-compiled"));
    let file = swift.folder.join("live");
    let build = |modules: &[String]| {
        swift.modules(&folder, modules, &[])?.into_iter().collect::<Result<(), String>>()?;
        swift.program(&scene.root.join("tests/generate/live/live.swift"), &names, &file)
    };
    let port = free_port()?;
    let mut command = Command::new(everything.first().ok_or("the reference server has no command")?);
    command.args(&everything[1..]).arg("streamableHttp").env("PORT", &port);
    let served = Served::start(&mut command, &scene.folder.join("live-everything"))?;
    let words = [example[0].clone(), format!("http://127.0.0.1:{port}/mcp")];
    let say = || swift.say(&file, &words);
    let built = build(&names);
    let is_built = built.is_ok();
    stage.tally.check("swift calls real servers", built.and_then(|()| right(&say()?)));
    if is_built {
        stage.tally.check(
            "swift behind mcp bridge --allow",
            broker.bridge(scene, |socket| swift.behind(&file, socket)),
        );
        let told = other_hash(&folder.join("example"))
            .and_then(|()| build(&names[..1]))
            .and_then(|()| tells(&say()?));
        stage.tally.check("swift tells other schemas", told);
    }
    drop(served);
    Ok(())
}

/// How a program is built, and how it is started.
pub struct Program {
    build: Vec<Vec<String>>,
    pub start: Vec<String>,
    pub folder: PathBuf,
}

impl Program {
    pub fn new(build: Vec<Vec<String>>, start: Vec<String>, folder: PathBuf) -> Self {
        Self { build, start, folder }
    }

    fn build(&self, scene: &Scene) -> Result<(), String> {
        self.build.iter().try_for_each(|line| {
            scene.run("live-build", Command::new(&line[0]).args(&line[1..]).current_dir(&self.folder))
        })
    }

    /// What it prints.
    fn say(&self, scene: &Scene, words: &[String]) -> Result<String, String> {
        let mut command = Command::new(&self.start[0]);
        command.args(&self.start[1..]).args(words).current_dir(&self.folder);
        said(&mut command, &scene.folder.join("live-calls"))
    }
}

/// What a program prints on its standard output.
pub fn said(command: &mut Command, log: &Path) -> Result<String, String> {
    process::run(command.env("PYTHONDONTWRITEBYTECODE", "1"), LIMIT, log)?.text()
}

/// `None` if a tool is missing, which was told.
fn program(
    stage: &mut Stage,
    scene: &Scene,
    language: &str,
    folder: &Path,
) -> Result<Option<Program>, String> {
    let source =
        |end: &str| scene.root.join("tests/generate/live/live").with_extension(end).display().to_string();
    let include = format!("-I{}", scene.root.join("include").display());
    let what = format!("calls from generated {language}");
    let shell = |words: &str| vec!["sh".to_owned(), "-c".to_owned(), words.to_owned()];
    let links = scene.links().join(" ");
    let folder = folder.to_path_buf();
    // In a sandbox a program is found by its whole path.
    let path = |name: &str| folder.join(name).display().to_string();
    let program = match language {
        "c" => {
            let Some(gcc) = need(stage, &GCC, &what) else { return Ok(None) };
            let line = format!(
                "{} -std=c11 -Wall -Wextra -Werror -I. {include} {} */*.c {links} -o live",
                gcc.display(),
                source("c")
            );
            Program::new(vec![shell(&line)], vec![path("live")], folder)
        }
        "cpp" => {
            let Some(clang) = need(stage, &CLANGXX, &what) else { return Ok(None) };
            let line = format!(
                "{} -std=c++17 -Wall -Wextra -Werror -I. {include} {} {links} -o live",
                clang.display(),
                source("cpp")
            );
            Program::new(vec![shell(&line)], vec![path("live")], folder)
        }
        "go" => {
            let (Some(go), Some(_)) = (need(stage, &GO, &what), need(stage, &PKG_CONFIG, &what)) else {
                return Ok(None);
            };
            go_module(scene, &folder)?;
            let line = format!(
                "mkdir -p live && cp {} live/main.go && {} build -o live/live ./live",
                source("go"),
                go.display()
            );
            Program::new(vec![shell(&line)], vec![path("live/live")], folder)
        }
        "typescript" => {
            let Some(node) = need(stage, &NODE, &what) else { return Ok(None) };
            let package = node::package(stage.checkout, &scene.built)?;
            write(&folder.join("live.ts"), &read(Path::new(&source("ts")))?)?;
            typescript_project(&folder, &package, "\"outDir\":\"out\"")?;
            // Strict about the program too, in its first build.
            tsc(scene, &node, &package, &folder)?;
            let line =
                format!("{} {}/node_modules/typescript/bin/tsc -p .", node.display(), package.display());
            Program::new(vec![shell(&line)], vec![node.display().to_string(), path("out/live.js")], folder)
        }
        _ => {
            if need(stage, &PYTHON, &what).is_none() {
                return Ok(None);
            }
            let (python, binding) = python::installed(stage.checkout, &scene.built)?;
            let modules = format!("PYTHONPATH={}:{}", folder.display(), binding.display());
            let start = vec!["/usr/bin/env".to_owned(), modules, python.display().to_string(), source("py")];
            Program::new(vec![], start, folder)
        }
    };
    Ok(Some(program))
}

/// Turns a digit of every hash in the files of the tool `fail`.
fn other_hash(module: &Path) -> Result<(), String> {
    let manifest = read(&module.join("manifest.json"))?;
    let entry = manifest.split("\"name\": \"fail\"").nth(1).ok_or("there is no tool fail")?;
    let hash = entry.split("\"schemas\": \"").nth(1).and_then(|it| it.get(..16)).ok_or("it has no hash")?;
    let digit = if hash.ends_with('0') { "1" } else { "0" };
    let other = format!("{}{digit}", &hash[..15]);
    let mut changed = 0;
    for path in entries(module)? {
        let is_code = path.extension().is_some_and(|end| end != "json" && end != "txt");
        let text = if is_code && path.is_file() { read(&path)? } else { continue };
        if text.contains(hash) {
            write(&path, &text.replace(hash, &other))?;
            changed += 1;
        }
    }
    if changed > 0 { Ok(()) } else { Err("no file has the hash".to_owned()) }
}
