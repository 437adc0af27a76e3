//! Random values through generated code and back, in each language that has a program for it.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::{LIMIT, Scene};
use crate::checkout::read;
use crate::test::Stage;

/// Random values for each type, and the time for them; with `--deep`, as the second entries say.
const VALUES: [(&str, Duration); 2] = [("10", LIMIT), ("1000", Duration::from_secs(3600))];
const LANGUAGES: usize = 6;

/// What takes part: for each language how its program is started.
#[derive(Default)]
pub struct Programs {
    /// LANGUAGE=COMMAND
    pub commands: Vec<String>,
    /// The compiler of TypeScript, for values as literals.
    pub types: Option<String>,
    /// A language was left out because its tools are missing, which the tally told.
    pub is_short: bool,
}

impl Programs {
    pub fn add(&mut self, language: &str, command: impl Into<String>) {
        self.commands.push(format!("{language}={}", command.into()));
    }
}

/// What the test is built and run with.
pub struct Tools<'a> {
    pub python: &'a Path,
    pub binding: &'a Path,
    pub clang: &'a Path,
}

/// `swift` has the modules that Swift's program knows.
pub fn run(
    stage: &mut Stage,
    scene: &Scene,
    with: &Tools,
    programs: &Programs,
    swift: &[String],
) -> Result<(), String> {
    let (count, limit) = VALUES[usize::from(stage.options.deep)];
    build(scene, with.clang, "validate")?;
    build(scene, with.clang, "echo")?;
    let mut differential = Command::new(with.python);
    differential.arg(scene.root.join("tests/generate/differential.py"));
    differential.arg(&scene.corpus).args([&scene.folder, &scene.folder]).args([count, "./validate"]);
    differential.arg("--only").arg(format!("swift={}", swift.join(",")));
    differential.args(programs.types.iter().flat_map(|command| ["--types", command]));
    differential.args(&programs.commands).current_dir(&scene.folder).env("PYTHONPATH", with.binding);
    let result = scene.run_within(limit, "differential", &mut differential);
    let said = read(&scene.folder.join("differential.out")).unwrap_or_default();
    for line in said.lines().filter(|line| line.contains("values")) {
        println!("  {line}");
    }
    let is_whole = programs.is_short || (programs.commands.len() == LANGUAGES && programs.types.is_some());
    let result = if is_whole { result } else { Err("not all languages have a program".to_owned()) };
    stage.tally.check(&format!("{count} random values of each type are the same again"), result);
    Ok(())
}

fn build(scene: &Scene, clang: &Path, name: &str) -> Result<(), String> {
    let source = scene.root.join("tests/generate").join(name).with_extension("cpp");
    let mut build = Command::new(clang);
    build.args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-I"]).arg(scene.root.join("include"));
    build.arg(source).args(scene.links()).arg("-o").arg(scene.folder.join(name));
    scene.run(&format!("{name}-build"), &mut build)
}
