//! The C and C++ programs of `tests/` by `CTest`: `tests/CMakeLists.txt` says how each is compiled and run, here is how a step chooses.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::checkout::{Checkout, read};
use crate::machine::{CMAKE, CTEST};
use crate::process;
use crate::release::Built;
use crate::tally::Tally;

/// All programs are compiled in that time, and run: under a tool they take minutes.
const LIMIT: Duration = Duration::from_secs(40 * 60);

/// The programs, compiled for a step.
pub struct Programs<'a> {
    checkout: &'a Checkout,
    /// Of a folder in `target/cmake`, and of the results: a name of its own for what is configured in its own way.
    name: &'a str,
    /// Only programs whose names have this in them.
    wanted: Option<&'a str>,
}

impl<'a> Programs<'a> {
    /// Compiles them for this library and these servers. `None` where a tool is missing, which is counted.
    pub fn build(
        stage: &mut Stage<'a>,
        name: &'a str,
        built: &Built,
        options: &[&str],
    ) -> Result<Option<Self>, String> {
        let what = "C and C++ programs by CTest";
        let (Some(cmake), Some(_)) = (stage.tally.need(&CMAKE, what), stage.tally.need(&CTEST, what)) else {
            return Ok(None);
        };
        let programs = Self { checkout: stage.checkout, name, wanted: stage.options.program.as_deref() };
        let folder = programs.folder();
        let place = |name: &str, path: &Path| format!("-D{name}={}", path.display());
        let servers = built.scripted_server.parent().unwrap_or(&built.folder);
        let mut configure = Command::new(&cmake);
        configure.arg("-S").arg(&stage.checkout.root).arg("-B").arg(&folder).args([
            "-DMCP_TESTS=ON".to_owned(),
            place("MCP_TESTED", &built.folder),
            place("MCP_SERVERS", servers),
            place("MCP_EXAMPLE_SERVER", &built.example_server),
            format!("-DMCP_PROGRAMS={}", programs.wanted.unwrap_or_default()),
        ]);
        configure.args(options);
        let mut compile = Command::new(&cmake);
        compile.arg("--build").arg(&folder).args(["--parallel", &processors().to_string()]);
        for command in [&mut configure, &mut compile] {
            process::run(command, LIMIT, &stage.checkout.scratch("ctest")?.join(name))?.well()?;
        }
        Ok(Some(programs))
    }

    /// Those on the library as packages have it, or in a run of the core, on that of cargo's development profile.
    pub fn of_packages(stage: &mut Stage<'a>) -> Result<Option<Self>, String> {
        let built = stage.built()?;
        match stage.release.is_quick() {
            true => Self::build(stage, "debug", &built, &[]),
            false => Self::build(stage, "release", &built, &["-DMCP_OPTIMIZED=ON"]),
        }
    }

    /// Runs those that `ctest` chooses with these arguments; each is counted.
    pub fn run(&self, tally: &mut Tally, arguments: &[&str]) -> Result<(), String> {
        let results = self.folder().join("results.xml");
        // Results of an earlier run are not those of this one.
        let _ = std::fs::remove_file(&results);
        let mut command = Command::new(CTEST.find()?);
        // Most of them wait most of the time.
        let many = (processors() * 3 / 2).to_string();
        command.arg("--test-dir").arg(self.folder()).args(arguments).args(["--parallel", &many]);
        command.args(["--no-tests=error", "--output-on-failure", "--output-junit"]).arg(&results);
        let log = self.checkout.scratch("ctest")?.join(format!("{}-run", self.name));
        let finished = process::run(&mut command, LIMIT, &log)?;
        let text = read(&results).map_err(|_| finished.story())?;
        let counted = count(tally, &text, self.name);
        match finished.status {
            Some(status) if status.success() || tally.failed > 0 => Ok(()),
            _ if counted == 0 => Err(finished.story()),
            _ => Err(format!("ctest failed, and no program did: {}", finished.story())),
        }
    }

    fn folder(&self) -> std::path::PathBuf {
        self.checkout.target.join("cmake").join(format!("step-{}", self.name))
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Counts the results in a file in the form of `JUnit`, and says how many there are.
fn count(tally: &mut Tally, text: &str, step: &str) -> usize {
    let mut many = 0;
    for case in text.split("<testcase ").skip(1) {
        many += 1;
        let name = format!("{} ({step})", attribute(case, "name"));
        let said = || {
            unescaped(
                case.split_once("<system-out>")
                    .map_or("", |(_, rest)| rest.split("</system-out>").next().unwrap_or("")),
            )
        };
        match attribute(case, "status").as_str() {
            "run" => tally.pass(&name),
            "disabled" => tally.skip(&name, "its source says why"),
            "notrun" if case.contains("SKIP_RETURN_CODE") => tally.skip(&name, said().trim()),
            _ => tally.fail(&name, &format!("{}\n{}", unescaped(&attribute(case, "message")), said())),
        }
    }
    many
}

pub fn attribute(tag: &str, name: &str) -> String {
    let after = tag.split_once(&format!("{name}=\"")).map_or("", |(_, rest)| rest);
    unescaped(after.split('"').next().unwrap_or(""))
}

pub fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}
