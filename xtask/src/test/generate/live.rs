//! Calls of the example server and of the reference server "everything" through generated functions. Then the code is changed
//! as if the server had other schemas now: the error of a failed call says so.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::compiled::{go_module, tsc, typescript_project};
use super::{LIMIT, Scene, need};
use crate::checkout::{read, write};
use crate::machine::{CLANGXX, GCC, GO, NODE, NPM, PKG_CONFIG, PYTHON};
use crate::peers::Npm;
use crate::process;
use crate::test::{Stage, node, python};

const CHANGED: &str = "have changed since this code was generated";

pub fn run(stage: &mut Stage, scene: &Scene) -> Result<(), String> {
    if need(stage, &NODE, "calls of a reference server").is_none() || need(stage, &NPM, "calls").is_none() {
        return Ok(());
    }
    let everything = Npm::install(stage.checkout)?.server("everything");
    let example = vec![scene.built.example_server.display().to_string()];
    for language in ["c", "cpp", "go", "typescript", "python"] {
        let folder = scene.folder.join("live").join(language);
        for (module, server) in [("example", &example), ("everything", &everything)] {
            let mut command = Command::new(&scene.program);
            command
                .args(["generate", language, "--module", module, "--into"])
                .arg(&folder)
                .arg("--")
                .args(server);
            scene.run("live-generate", &mut command)?;
        }
        let Some(start) = program(stage, scene, language, &folder)? else { continue };
        let words = [example.as_slice(), everything.as_slice()].concat();
        let result = start.and_then(|build| {
            let said = calls(scene, &build, &words)?;
            let expected = ["add 3.5", "echo Hello", "fail ", "everything Echo: Hello"];
            if let Some(missing) = expected.into_iter().find(|it| !said.contains(it)) {
                return Err(format!("'{missing}' is not in:\n{said}"));
            }
            if said.contains(CHANGED) {
                return Err(format!("the hash of the schemas is wrong:\n{said}"));
            }
            other_hash(&folder.join("example"))?;
            let said = calls(scene, &build, &words)?;
            if said.contains(CHANGED) { Ok(()) } else { Err(format!("other schemas are not told:\n{said}")) }
        });
        stage.tally.check(&format!("{language} calls real servers, and tells other schemas"), result);
    }
    Ok(())
}

/// How a program is built, and how it is started.
type Build = (Vec<Vec<String>>, Vec<String>, PathBuf);

/// `None` if a tool is missing, which was told.
fn program(
    stage: &mut Stage,
    scene: &Scene,
    language: &str,
    folder: &Path,
) -> Result<Option<Result<Build, String>>, String> {
    let source =
        |end: &str| scene.root.join("tests/generate/live/live").with_extension(end).display().to_string();
    let include = format!("-I{}", scene.root.join("include").display());
    let what = format!("calls from generated {language}");
    let shell = |words: &str| vec!["sh".to_owned(), "-c".to_owned(), words.to_owned()];
    let links = scene.links().join(" ");
    let folder = folder.to_path_buf();
    let build = match language {
        "c" => {
            let Some(gcc) = need(stage, &GCC, &what) else { return Ok(None) };
            let line = format!(
                "{} -std=c11 -Wall -Wextra -Werror -I. {include} {} */*.c {links} -o live",
                gcc.display(),
                source("c")
            );
            (vec![shell(&line)], vec!["./live".to_owned()], folder)
        }
        "cpp" => {
            let Some(clang) = need(stage, &CLANGXX, &what) else { return Ok(None) };
            let line = format!(
                "{} -std=c++17 -Wall -Wextra -Werror -I. {include} {} {links} -o live",
                clang.display(),
                source("cpp")
            );
            (vec![shell(&line)], vec!["./live".to_owned()], folder)
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
            (vec![shell(&line)], vec!["./live/live".to_owned()], folder)
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
            (vec![shell(&line)], vec![node.display().to_string(), "out/live.js".to_owned()], folder)
        }
        _ => {
            if need(stage, &PYTHON, &what).is_none() {
                return Ok(None);
            }
            let (python, binding) = python::installed(stage.checkout, &scene.built)?;
            let path = format!("PYTHONPATH={}:{}", folder.display(), binding.display());
            (vec![], vec!["env".to_owned(), path, python.display().to_string(), source("py")], folder)
        }
    };
    Ok(Some(Ok(build)))
}

/// Builds the program and gives what it prints.
fn calls(scene: &Scene, (build, start, folder): &Build, words: &[String]) -> Result<String, String> {
    for line in build {
        scene.run("live-build", Command::new(&line[0]).args(&line[1..]).current_dir(folder))?;
    }
    let mut command = Command::new(&start[0]);
    command.args(&start[1..]).args(words).current_dir(folder).env("PYTHONDONTWRITEBYTECODE", "1");
    let finished = process::run(&mut command, LIMIT, &scene.folder.join("live-calls"))?;
    if finished.succeeded() { Ok(finished.stdout) } else { Err(finished.story()) }
}

/// Turns a digit of every hash in the files of the tool `fail`.
fn other_hash(module: &Path) -> Result<(), String> {
    let manifest = read(&module.join("manifest.json"))?;
    let entry = manifest.split("\"name\": \"fail\"").nth(1).ok_or("there is no tool fail")?;
    let hash = entry.split("\"schemas\": \"").nth(1).and_then(|it| it.get(..16)).ok_or("it has no hash")?;
    let digit = if hash.ends_with('0') { "1" } else { "0" };
    let other = format!("{}{digit}", &hash[..15]);
    let mut changed = 0;
    for entry in std::fs::read_dir(module).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        let is_code = path.extension().is_some_and(|end| end != "json" && end != "txt");
        let text = if is_code && path.is_file() { read(&path)? } else { continue };
        if text.contains(hash) {
            write(&path, &text.replace(hash, &other))?;
            changed += 1;
        }
    }
    if changed > 0 { Ok(()) } else { Err("no file has the hash".to_owned()) }
}
