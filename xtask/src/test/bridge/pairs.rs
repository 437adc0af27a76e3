//! Every transport and era on one side of the bridge with every one on the other: the program of the compatibility matrix uses
//! servers of others through it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Background;
use crate::compiler;
use crate::machine::{CC, NODE, NPM, PYTHON, Tool};
use crate::peers::{Major, Npm, Python};
use crate::ports::free_port;
use crate::process;
use crate::release::Built;
use crate::test::Stage;
use crate::test::compatibility::cases::{EVERYTHING, EXAMPLE, FEATURES, PYTHON_2, PYTHON_2_MODERN};

const LIMIT: Duration = Duration::from_secs(120);

/// One side of the bridge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    StdioLegacy,
    StdioModern,
    HttpLegacy,
    HttpModern,
    Sse,
}

const SIDES: [Side; 5] =
    [Side::StdioLegacy, Side::StdioModern, Side::HttpLegacy, Side::HttpModern, Side::Sse];

impl Side {
    fn name(self) -> &'static str {
        match self {
            Self::StdioLegacy => "stdio, legacy",
            Self::StdioModern => "stdio, modern",
            Self::HttpLegacy => "HTTP, legacy",
            Self::HttpModern => "HTTP, modern",
            Self::Sse => "HTTP+SSE",
        }
    }

    fn is_modern(self) -> bool {
        matches!(self, Self::StdioModern | Self::HttpModern)
    }

    fn is_stdio(self) -> bool {
        matches!(self, Self::StdioLegacy | Self::StdioModern)
    }

    /// The revision of a client on this side.
    fn revision(self) -> &'static str {
        match self {
            Self::StdioLegacy | Self::HttpLegacy => "2025-11-25",
            Self::StdioModern | Self::HttpModern => "2026-07-28",
            Self::Sse => "2024-11-05",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Server {
    Python,
    Everything,
    Example,
}

impl Server {
    fn name(self) -> &'static str {
        match self {
            Self::Python => "python 2.x",
            Self::Everything => "everything",
            Self::Example => "the example server",
        }
    }

    fn plan(self, up: Side) -> &'static str {
        match self {
            Self::Python if up.is_modern() => PYTHON_2_MODERN,
            Self::Python => PYTHON_2,
            Self::Everything => EVERYTHING,
            Self::Example => EXAMPLE,
        }
    }

    /// Whether it has this side: the example server is on stdio here, and the one of the reference servers knows no modern era.
    fn has(self, up: Side) -> bool {
        match self {
            Self::Python => true,
            Self::Everything => !up.is_modern(),
            Self::Example => up.is_stdio(),
        }
    }
}

/// What does not come through the bridge, and why.
fn stays_behind(feature: &str, up: Side, down: Side) -> Option<&'static str> {
    match feature {
        "cache" if down.is_modern() => Some(
            "the bridge lists by itself: it tells of changes, and allows no list to be kept without asking",
        ),
        "cache" if up.is_modern() => Some("the legacy era has no hints for caches"),
        "tasks" if up.is_modern() && !down.is_modern() => Some(
            "a server of 2026-07-28 decides for each call; a client of 2025-11-25 goes by the definition of the tool",
        ),
        // They come after a call that was cancelled.
        "sampling" | "elicitation, form" | "elicitation, URL" | "roots"
            if !up.is_modern() && down.is_modern() && !down.is_stdio() =>
        {
            Some(
                "for a minute after a cancelled call the bridge asks no client that may be another one, and over HTTP it \
                 cannot tell clients of 2026-07-28 apart",
            )
        }
        "tool modes" => Some("a session of tools is between a client and the server that it names"),
        _ => None,
    }
}

pub fn run(stage: &mut Stage, built: &Built, program: &Path) -> Result<(), String> {
    let what = "every transport and era through the bridge";
    if [&CC, &NODE, &NPM, &PYTHON].iter().any(|tool: &&Tool| stage.tally.need(tool, what).is_none()) {
        return Ok(());
    }
    let checkout = stage.checkout;
    let source = checkout.root.join("tests/interop/matrix.c");
    println!("  installing the servers, unless they are there");
    let bench = Bench {
        matrix: compiler::program(checkout, built, &source, "bridge")?,
        program: program.to_owned(),
        python: Python::install(checkout, Major::Two)?,
        npm: Npm::install(checkout)?,
        features: checkout.root.join("tests/servers/python/features.py"),
        example: built.example_server.clone(),
        folder: checkout.scratch("bridge")?,
    };
    // In a short run each pair is played with one server, of which some are ours: they start sooner.
    let deep = stage.options.deep;
    let mut plays = Vec::new();
    for (up_at, up) in SIDES.into_iter().enumerate() {
        for (down_at, down) in SIDES.into_iter().enumerate() {
            let with: Vec<Server> = [Server::Python, Server::Everything, Server::Example]
                .into_iter()
                .filter(|server| server.has(up))
                .collect();
            let one = with[(up_at + down_at) % with.len()];
            plays.extend(with.into_iter().filter(|server| deep || *server == one).map(|it| (it, up, down)));
        }
    }
    process::side_by_side(
        &plays,
        |(server, up, down)| bench.play(*server, *up, *down),
        |(server, up, down), result| {
            let name = format!("{} over {} for a client over {}", server.name(), up.name(), down.name());
            stage.tally.check(&name, result);
        },
    );
    Ok(())
}

struct Bench {
    matrix: PathBuf,
    program: PathBuf,
    python: Python,
    npm: Npm,
    features: PathBuf,
    example: PathBuf,
    folder: PathBuf,
}

impl Bench {
    fn play(&self, server: Server, up: Side, down: Side) -> Result<(), String> {
        let (behind, before) = (free_port()?, free_port()?);
        let label = format!("{}-{behind}-{before}", server.name().replace([' ', '.'], "-"));
        let words = self.server(server, up, &behind);
        let mut target = Vec::new();
        let mut running = None;
        if up.is_stdio() {
            target.push("--".to_owned());
            target.extend(words);
        } else {
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]).env("PYTHONDONTWRITEBYTECODE", "1").env("PORT", &behind);
            let log = self.folder.join(format!("{label}.server"));
            running = Some(Background::listening(command.current_dir(&self.folder), &behind, &log)?);
            let path = if up == Side::Sse { "/sse" } else { "/mcp" };
            target.push(format!("http://127.0.0.1:{behind}{path}"));
        }
        let plan = plan(server.plan(up), up, down);
        let mut command = Command::new(&self.matrix);
        command.args([down.revision(), &plan]);
        let listen = format!("http://127.0.0.1:{before}/mcp");
        match down {
            Side::Sse => command.args(["sse", &before, "/sse"]),
            Side::HttpLegacy | Side::HttpModern => command.args(["http", &before, "/mcp"]),
            Side::StdioLegacy | Side::StdioModern => command.arg("stdio"),
        };
        command.arg(&self.program).args(["bridge", "--page-size", "2"]);
        command.args(["--protocol", if up.is_modern() { "modern" } else { "legacy" }]);
        if up.is_stdio() {
            command.args(["-e", "PYTHONDONTWRITEBYTECODE=1"]);
        }
        if !down.is_stdio() {
            command.args(["--listen", &listen, "--sse", "/sse"]);
        }
        command.args(target).current_dir(&self.folder);
        let finished = process::run(&mut command, LIMIT, &self.folder.join(&label))?;
        drop(running);
        if !finished.succeeded() {
            return Err(finished.story());
        }
        if finished.stdout.lines().count() < 5 { Err("it shows nothing".to_owned()) } else { Ok(()) }
    }

    fn server(&self, server: Server, up: Side, port: &str) -> Vec<String> {
        let word = |path: &Path| path.display().to_string();
        let mut words = match server {
            Server::Python => vec![word(self.python.interpreter()), word(&self.features)],
            Server::Everything => self.npm.server("everything"),
            Server::Example => vec![word(&self.example), "--page-size".to_owned(), "3".to_owned()],
        };
        let more: &[&str] = match (server, up) {
            (Server::Everything, Side::HttpLegacy) => &["streamableHttp"],
            (Server::Everything, Side::Sse) => &["sse"],
            (Server::Everything, _) => &["stdio"],
            (Server::Python, Side::HttpLegacy | Side::HttpModern) => &["streamable-http", port],
            (Server::Python, Side::Sse) => &["sse", port],
            _ => &[],
        };
        words.extend(more.iter().map(|word| (*word).to_owned()));
        words
    }
}

/// The plan of a server without what the client's revision does not have, and what does not come through. The program leaves out
/// itself what the client's revision does not have; what a server over HTTP+SSE speaks is left to the handshake.
fn plan(plan: &str, up: Side, down: Side) -> String {
    // One line for each feature: {"name":value, and so on.
    let body = plan.trim().trim_start_matches('{');
    let lines = body.strip_suffix('}').unwrap_or(body).lines().map(|line| line.trim().trim_end_matches(','));
    let kept: Vec<&str> = lines
        .filter(|line| {
            let name = line.split('"').nth(1).unwrap_or_default();
            let is_known = FEATURES.iter().any(|(feature, since)| *feature == name && *since <= up_to(up));
            is_known && stays_behind(name, up, down).is_none()
        })
        .collect();
    format!("{{{}}}", kept.join(","))
}

/// The newest revision that a server on this side speaks.
fn up_to(up: Side) -> &'static str {
    if up.is_modern() { "2026-07-28" } else { "2025-11-25" }
}

#[cfg(test)]
mod tests {
    use super::{EVERYTHING, Side, plan};

    #[test]
    fn a_plan_loses_what_does_not_come_through() {
        let whole = plan(EVERYTHING, Side::StdioLegacy, Side::StdioLegacy);
        assert!(whole.contains("\"cache\"") && whole.contains("\"roots\""));
        assert!(!plan(EVERYTHING, Side::StdioLegacy, Side::HttpModern).contains("\"cache\""));
    }
}
