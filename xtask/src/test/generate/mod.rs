//! `mcp generate`: the code for a corpus of real and odd lists of tools, in six languages: the same in every run, as the digests
//! in `cli/tests/corpus/digests.txt` say; compiled strictly; random values through it and back; real calls, also through a broker.
//!
//! `MCP_GOLDEN_WRITE=1` writes the digests and the golden files.
//!
//! The files:
//!
//! * `broker`: the same programs behind `mcp bridge --allow` and below `mcp run`
//! * `compiled`: compilers and type checkers
//! * `differential`: random values through the code and back
//! * `live`: calls of real servers through generated functions
//! * `swift`: modules and programs of Swift

mod broker;
mod compiled;
mod differential;
mod live;
mod swift;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::bindings::{Staged, stage as lay_out};
use crate::checkout::{Checkout, files_below, read, stem, write};
use crate::machine::{SHA256SUM, Tool};
use crate::process;
use crate::release::Built;
use swift::Swift;

const LIMIT: Duration = Duration::from_secs(600);
const LANGUAGES: [&str; 6] = ["c", "cpp", "go", "typescript", "python", "swift"];
/// Files of this tool are in the repository, to be read when a template changes.
const GOLDEN: &str = "union_tagged";

/// What the parts of the step work with.
struct Scene {
    program: PathBuf,
    built: Built,
    staged: Staged,
    corpus: PathBuf,
    folder: PathBuf,
    root: PathBuf,
}

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let built = stage.built()?;
    let scene = Scene {
        program: stage.program()?,
        staged: lay_out(stage.checkout, &built)?,
        built,
        corpus: stage.checkout.root.join("cli/tests/corpus"),
        folder: stage.checkout.scratch("generate")?,
        root: stage.checkout.root.clone(),
    };
    let lists = lists(&scene.corpus);
    if lists.len() < 22 {
        return Err(format!("the corpus has {} lists", lists.len()));
    }
    for language in LANGUAGES {
        let into = scene.folder.join(language);
        // There may be none of an earlier run.
        let _ = std::fs::remove_dir_all(&into);
        let made = lists.iter().try_for_each(|list| scene.generate(language, list, &into, &[]));
        stage.tally.check(&format!("{language} for {} lists of tools", lists.len()), made);
        let again = lists.iter().try_for_each(|list| scene.generate(language, list, &into, &["--check"]));
        stage.tally.check(&format!("{language} is the same again"), again);
        stage.tally.check(&format!("{language} stays in its folder"), stays(&into));
        stage.tally.check(&format!("{language}: the golden files"), golden(&scene, language, &into));
    }
    if let Some(tool) = stage.tally.need(&SHA256SUM, "the digests of the generated code") {
        stage.tally.check("the digests of the generated code", digests(&scene, &tool));
    }
    stage.tally.check("a changed server is told", changed(&scene));
    stage.tally.check("--tool takes some tools, and no other name", chosen(&scene));
    let swift = Swift::find(stage, &scene)?;
    compiled::run(stage, &scene, swift.as_ref())?;
    live::run(stage, &scene, swift.as_ref())
}

fn lists(corpus: &Path) -> Vec<PathBuf> {
    let mut lists = Checkout::files_in(corpus, ".json");
    lists.extend(Checkout::files_in(&corpus.join("servers"), ".json"));
    lists.sort();
    lists
}

impl Scene {
    fn generate(&self, language: &str, list: &Path, into: &Path, more: &[&str]) -> Result<(), String> {
        let mut command = Command::new(&self.program);
        command.args(["generate", language, "--list"]).arg(list).arg("--into").arg(into).args(more);
        let log = self.folder.join(format!("{language}-{}", stem(list)));
        process::run(&mut command, LIMIT, &log)?.done()
    }

    /// A program and its arguments, in a folder.
    fn run(&self, log: &str, command: &mut Command) -> Result<(), String> {
        self.run_within(LIMIT, log, command)
    }

    /// The same with a time limit of its own.
    fn run_within(&self, limit: Duration, log: &str, command: &mut Command) -> Result<(), String> {
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command.env("PKG_CONFIG_PATH", &self.staged.pkgconfig).env("CGO_LDFLAGS", self.rpath());
        process::run(command, limit, &self.folder.join(log))?.done()
    }

    fn rpath(&self) -> String {
        format!("-Wl,-rpath,{}", self.staged.library_folder.display())
    }

    /// What follows the sources when a program is linked.
    fn links(&self) -> [String; 4] {
        let folder = self.staged.library_folder.display();
        [format!("-L{folder}"), "-lmcp".to_owned(), self.rpath(), "-pthread".to_owned()]
    }
}

/// Every file is where a file of its kind belongs: OUT/FILE or OUT/MODULE/FILE, with a plain name.
fn stays(into: &Path) -> Result<(), String> {
    let mut count = 0;
    for (path, _) in tree(into)? {
        let parts: Vec<&str> = path.split('/').collect();
        let is_plain = |part: &&str| {
            part.len() <= 100 && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
        };
        if parts.len() > 2
            || !parts.iter().all(|part| is_plain(&part.trim_start_matches('.')))
            || path.contains("..")
        {
            return Err(format!("{path} is no name of a generated file"));
        }
        count += 1;
    }
    if count > 500 { Ok(()) } else { Err(format!("there are {count} files")) }
}

/// The files below a folder with their texts, by their paths.
fn tree(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let name = |path: &Path| path.strip_prefix(folder).unwrap_or(path).display().to_string();
    let files = files_below(folder)?.into_iter();
    let mut files = files.map(|path| Ok((name(&path), read(&path)?))).collect::<Result<Vec<_>, String>>()?;
    files.sort();
    Ok(files)
}

fn writes() -> bool {
    std::env::var_os("MCP_GOLDEN_WRITE").is_some()
}

fn golden(scene: &Scene, language: &str, into: &Path) -> Result<(), String> {
    let kept = scene.root.join("cli/tests/generated").join(language);
    let mut compared = 0;
    for (path, text) in tree(&into.join("odd"))? {
        if !path.starts_with(GOLDEN) {
            continue;
        }
        let golden = kept.join(&path);
        if writes() {
            std::fs::create_dir_all(&kept).map_err(|error| error.to_string())?;
            write(&golden, &text)?;
        } else if read(&golden)? != text {
            return Err(format!("{} is not what is generated now", golden.display()));
        }
        compared += 1;
    }
    if compared > 0 { Ok(()) } else { Err("there is nothing to compare".to_owned()) }
}

/// A line for each language and module: the digest of all its files with their names.
fn digests(scene: &Scene, tool: &Path) -> Result<(), String> {
    let mut made = String::new();
    for language in LANGUAGES {
        let mut modules: Vec<(String, String)> = Vec::new();
        for (path, text) in tree(&scene.folder.join(language))? {
            let Some((module, _)) = path.split_once('/') else { continue };
            let add = format!("{path}\n{text}\n");
            match modules.iter_mut().find(|(name, _)| name == module) {
                Some((_, all)) => all.push_str(&add),
                None => modules.push((module.to_owned(), add)),
            }
        }
        for (module, text) in modules {
            let file = scene.folder.join("digest.txt");
            write(&file, &text)?;
            let done = process::run(Command::new(tool).arg(&file), LIMIT, &scene.folder.join("digest"))?;
            let digest = done.stdout.split(' ').next().unwrap_or_default().to_owned();
            made.extend([language, "/", module.as_str(), " ", digest.as_str(), "\n"]);
        }
    }
    let path = scene.corpus.join("digests.txt");
    if writes() {
        return write(&path, &made);
    }
    let wanted = read(&path)?;
    let differs: Vec<&str> = made.lines().filter(|line| !wanted.lines().any(|it| it == *line)).collect();
    if differs.is_empty() && wanted.lines().count() == made.lines().count() {
        return Ok(());
    }
    Err(format!(
        "other code is generated now (MCP_GOLDEN_WRITE=1 writes the digests):\n{}",
        differs.join("\n")
    ))
}

/// `--check` fails for another list, says which files differ, and writes nothing.
fn changed(scene: &Scene) -> Result<(), String> {
    let into = scene.folder.join("changed");
    // There may be none of an earlier run.
    let _ = std::fs::remove_dir_all(&into);
    let list = scene.folder.join("notes.json");
    write(&list, "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{}},{\"name\":\"b\",\"inputSchema\":{}}]}")?;
    scene.generate("python", &list, &into, &[])?;
    write(
        &list,
        "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\",\"required\":[\"x\"]}}]}",
    )?;
    let why = match scene.generate("python", &list, &into, &["--check"]) {
        Ok(()) => return Err("it is not told".to_owned()),
        Err(why) => why,
    };
    if !why.contains("notes/a.py differs") || !why.contains("b.py is not wanted any more") {
        return Err(why);
    }
    scene.generate("python", &list, &into, &[])?;
    if into.join("notes/b.py").exists() {
        return Err("the file of a tool that is gone stays".to_owned());
    }
    scene.generate("python", &list, &into, &["--check"])
}

/// `--tool`, and names that the server does not have.
fn chosen(scene: &Scene) -> Result<(), String> {
    let into = scene.folder.join("chosen");
    // There may be one of an earlier run.
    let _ = std::fs::remove_dir_all(&into);
    let list = scene.corpus.join("servers/github.json");
    scene.generate("go", &list, &into, &["--tool", "create_issue", "--tool", "list_issues"])?;
    let made = tree(&into)?.into_iter().filter(|(path, _)| path.ends_with("_tool.go")).count();
    if made != 2 {
        return Err(format!("there are {made} functions"));
    }
    let overrides = scene.folder.join("chosen.json");
    write(&overrides, "{\"tools\":{\"no_such_tool\":{\"skip\":true}}}")?;
    let overrides = overrides.display().to_string();
    for more in [["--tool", "no_such_tool"], ["--overrides", &overrides]] {
        match scene.generate("go", &list, &into, &more) {
            Err(why) if why.contains("no_such_tool") => {}
            Err(why) => return Err(why),
            Ok(()) => return Err(format!("{more:?} is no error")),
        }
    }
    Ok(())
}

/// The path of a tool, or a line that says what is left out without it.
fn need(stage: &mut Stage, tool: &Tool, what: &str) -> Option<PathBuf> {
    stage.tally.need(tool, what)
}
