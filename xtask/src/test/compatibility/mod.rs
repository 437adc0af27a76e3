//! The compatibility matrix: one C program (`tests/interop/matrix.c`) against servers of others, at every revision and over
//! every transport that they have. `docs/reference/compatibility.md` is what a run has shown.

pub mod cases;
mod page;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use self::cases::{CASES, Case, MODERN, Server, TRANSPORTS, Transport};
use self::page::Shown;
use super::Stage;
use super::options::Options;
use crate::checkout::{Checkout, read, write};
use crate::compiler;
use crate::machine::{CC, NODE, NPM, PYTHON, Tool};
use crate::peers::{Major, Npm, Python};
use crate::ports::free_port;
use crate::process;
use crate::release::{Built, Release};
use crate::tally::Tally;

const LIMIT: Duration = Duration::from_secs(120);

const PAGE: &str = "docs/reference/compatibility.md";

/// `cargo xtask compatibility [--check]`: writes the page from a run, or compares.
pub fn command(checkout: &Checkout, checks: bool) -> Result<(), String> {
    let release = Release::new(false);
    let options = Options::default();
    let mut stage = Stage { checkout, release: &release, options: &options, tally: Tally::default() };
    if checks {
        run(&mut stage)?;
    } else if let Some(shown) = play(&mut stage)?
        && stage.tally.failed == 0
    {
        write(&checkout.root.join(PAGE), &page::of(&shown))?;
        println!("wrote {PAGE}");
    }
    println!("\n{}", stage.tally.closing_line());
    if stage.tally.failed == 0 { Ok(()) } else { Err(String::new()) }
}

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let Some(shown) = play(stage)? else { return Ok(()) };
    let committed = read(&stage.checkout.root.join(PAGE))?;
    let made = page::of(&shown);
    let differ = made.lines().zip(committed.lines()).find(|(made, committed)| made != committed);
    let result = match differ {
        _ if made == committed => Ok(()),
        Some((made, committed)) => Err(format!("this run shows\n{made}\nand the page has\n{committed}")),
        None => Err("one is longer than the other".to_owned()),
    };
    let fix = |why: String| format!("{why}\n`cargo xtask compatibility` writes it again");
    stage.tally.check(&format!("{PAGE} is what this run shows"), result.map_err(fix));
    Ok(())
}

/// Plays every case at every revision; `None` if a server could not be had, so that a page would lack it.
fn play(stage: &mut Stage) -> Result<Option<Shown>, String> {
    let what = "the compatibility matrix";
    if [&CC, &NODE, &NPM, &PYTHON].iter().any(|tool: &&Tool| stage.tally.need(tool, what).is_none()) {
        return Ok(None);
    }
    let built = stage.built()?;
    let checkout = stage.checkout;
    let source = checkout.root.join("tests/interop/matrix.c");
    let program = compiler::program(checkout, &built, &source, "compatibility")?;
    println!("  installing the servers, unless they are there");
    let bench = Bench::install(checkout, built, program)?;
    let plays: Vec<(&Case, &'static str)> =
        CASES.iter().flat_map(|case| case.revisions.iter().map(move |revision| (case, *revision))).collect();
    let titles: BTreeMap<&str, &str> = TRANSPORTS.map(|(transport, title)| (transport.word(), title)).into();
    let mut shown = Shown::new();
    process::side_by_side(
        &plays,
        |(case, revision)| bench.play(case, revision),
        |(case, revision), result| {
            let title = titles[case.transport.word()];
            let name = format!("{} over {title} at {revision}", case.server.name());
            let features = result.as_deref().unwrap_or_default();
            for feature in features {
                shown.entry((title, feature.clone(), *revision)).or_default().insert(case.letter);
            }
            stage.tally.check(&name, result.map(drop));
        },
    );
    Ok(Some(shown))
}

impl Transport {
    /// What the program is told.
    fn word(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::Sse => "sse",
        }
    }
}

impl Server {
    fn name(self) -> &'static str {
        match self {
            Self::Everything => "everything",
            Self::Filesystem => "filesystem",
            Self::Python(Major::One) => "python 1.x",
            Self::Python(Major::Two) => "python 2.x",
            Self::TypeScript => "typescript 2.x",
            Self::Example => "the example server",
            Self::Scripted => "the test server",
            Self::Skills => "the test server with skills",
        }
    }
}

struct Bench {
    npm: Npm,
    python: [Python; 2],
    example: PathBuf,
    scripted: PathBuf,
    skills: PathBuf,
    features: PathBuf,
    typescript: PathBuf,
    program: PathBuf,
    folder: PathBuf,
}

impl Bench {
    fn install(checkout: &Checkout, built: Built, program: PathBuf) -> Result<Self, String> {
        let npm = Npm::install(checkout)?;
        let servers = checkout.root.join("tests/servers");
        // Node looks for packages from where a module is.
        let typescript = npm.folder().join("server.mjs");
        write(&typescript, &read(&servers.join("typescript/server.mjs"))?)?;
        Ok(Self {
            python: [Python::install(checkout, Major::One)?, Python::install(checkout, Major::Two)?],
            example: built.example_server,
            scripted: built.scripted_http,
            skills: built.scripted_server,
            features: servers.join("python/features.py"),
            folder: checkout.scratch("compatibility")?,
            typescript,
            npm,
            program,
        })
    }

    /// The names of the features that were shown.
    fn play(&self, case: &Case, revision: &str) -> Result<Vec<String>, String> {
        let port = free_port()?;
        let mut command = Command::new(&self.program);
        let plan = case.plan.replace("{folder}", &self.folder.display().to_string());
        command.args([revision, &plan, case.transport.word()]);
        if case.transport != Transport::Stdio {
            let path = match (case.server, case.transport) {
                (Server::Scripted, _) | (_, Transport::Http) => "/mcp",
                _ => "/sse",
            };
            command.args([&port, path]);
        }
        command.args(self.server(case, &port, revision)?).current_dir(&self.folder);
        // The source tree stays as it is.
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        let log =
            format!("{}-{}-{revision}", case.server.name().replace([' ', '.'], "-"), case.transport.word());
        let finished = process::run(&mut command, LIMIT, &self.folder.join(log))?.well()?;
        let features: Vec<String> = finished.stdout.lines().map(str::to_owned).collect();
        match features.iter().find(|name| cases::FEATURES.iter().all(|(known, _)| known != name)) {
            _ if features.is_empty() => Err("it shows nothing".to_owned()),
            Some(unknown) => Err(format!("the page does not know the feature '{unknown}'")),
            None => Ok(features),
        }
    }

    fn server(&self, case: &Case, port: &str, revision: &str) -> Result<Vec<String>, String> {
        let words = |words: &[&Path]| words.iter().map(|word| word.display().to_string()).collect::<Vec<_>>();
        let mut command = match case.server {
            Server::Everything => self.npm.server("everything"),
            Server::Filesystem => self.npm.server("filesystem"),
            Server::Python(major) => {
                let python = &self.python[usize::from(matches!(major, Major::Two))];
                words(&[python.interpreter(), &self.features])
            }
            Server::TypeScript => words(&[&NODE.find()?, &self.typescript]),
            Server::Scripted => words(&[&self.scripted]),
            Server::Skills => {
                let era = if revision < MODERN[0] { "legacy" } else { "modern" };
                words(&[&self.skills, Path::new("--era"), Path::new(era), Path::new("skills")])
            }
            Server::Example => words(&[&self.example, Path::new("--page-size"), Path::new("3")]),
        };
        let more: &[&str] = match (case.server, case.transport) {
            (Server::Everything, Transport::Stdio) => &["stdio"],
            (Server::Everything, Transport::Http) => &["streamableHttp"],
            (Server::Everything, Transport::Sse) => &["sse"],
            (Server::Python(_), Transport::Http) => &["streamable-http", port],
            (Server::Python(_), Transport::Sse) => &["sse", port],
            (Server::Scripted, Transport::Sse) => {
                &["--life", "300", "--port", port, "--shape", "sse", "page-size=2"]
            }
            (Server::Scripted, _) => &["--life", "300", "--port", port, "page-size=2"],
            // The first folder that it may see; the roots then say which.
            (Server::Filesystem, _) => &["."],
            _ => &[],
        };
        command.extend(more.iter().map(|word| (*word).to_owned()));
        Ok(command)
    }
}
