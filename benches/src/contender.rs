//! Which contenders there are and how each becomes a command. A contender that cannot be built here is left
//! out with its reason; the floor must always work.

use crate::peer;
use crate::workload::{Kind, LEGACY, Workload};
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where sources and results of building are.
pub struct Workshop {
    /// The root of the project.
    pub root: PathBuf,
    /// Where cargo puts what it builds with this profile.
    pub built: PathBuf,
    /// Where contenders, texts and results of the benchmark go.
    pub bench: PathBuf,
}

/// A contender by name.
pub struct Contender {
    pub name: &'static str,
    how: How,
    workloads: &'static [&'static str],
}

/// What a contender is made from.
#[derive(Clone, Copy)]
enum How {
    /// A C program on its own.
    C,
    /// A C program with the library and its header.
    Library,
    /// The client of another project.
    Peer(fn(&Workshop) -> Result<peer::Started, String>),
    /// The server of another project, which the floor calls.
    PeerServer(fn(&Workshop) -> Result<Vec<PathBuf>, String>),
}

/// A contender that is ready to be started.
pub struct Entrant {
    pub name: &'static str,
    pub program: PathBuf,
    /// What the program wants to be told first, such as the script it is to run.
    pub leading: Vec<OsString>,
    /// The server that it is, for workloads that measure servers.
    pub server: PathBuf,
    /// A program and its arguments that what is measured is started by.
    pub led_by: Vec<OsString>,
    workloads: &'static [&'static str],
}

/// Names the folder with a library that is built already.
const LIBRARY: &str = "MCP_BENCH_LIBRARY";

/// What the clients of others are measured at.
const PEER: &[&str] =
    &["seq", "pipe", "http-seq", "http-pipe", "sse-seq", "sse-pipe", "big", "big-escapes", "start", "rss"];

/// The same for cpp-mcp, which blocks and speaks an HTTP of its own.
const CPP: &[&str] = &["seq", "big", "big-escapes", "start", "rss"];

/// What the servers of others are measured at.
const PEER_SERVER: &[&str] = &["serve-seq", "serve-pipe", "serve-rss"];

/// The same for a server that takes connections to a Unix socket as sessions, and answers in order in each of them. That of Go does not
/// always: with more than one session it sometimes answers in another order.
const PEER_SERVER_OF_SESSIONS: &[&str] =
    &["serve-seq", "serve-pipe", "serve-socket", "serve-sessions", "serve-rss"];

/// The same for servers that answer in another order than they were asked, which the floor, a program that compares bytes, does
/// not take.
const PEER_SERVER_IN_ANY_ORDER: &[&str] = &["serve-seq", "serve-rss"];

/// Contenders that know the legacy era only.
const OF_LEGACY: [&str; 2] = ["cpp-mcp", "cpp-mcp-server"];

/// All of them; the floor comes first, since ratios are taken to it.
pub const ALL: [Contender; 13] = [
    Contender {
        name: "floor",
        how: How::C,
        workloads: &[
            "seq",
            "pipe",
            "http-seq",
            "http-pipe",
            "sse-seq",
            "sse-pipe",
            "http-parts-seq",
            "sse-bytes-seq",
            "big",
            "big-escapes",
            "start",
            "rss",
            "serve-seq",
            "serve-pipe",
            "serve-socket",
            "serve-sessions",
            "serve-rss",
        ],
    },
    Contender {
        name: "libmcp",
        how: How::Library,
        workloads: &[
            "seq",
            "pipe",
            "http-seq",
            "http-pipe",
            "sse-seq",
            "sse-pipe",
            "http-parts-seq",
            "sse-bytes-seq",
            "big",
            "big-escapes",
            "start",
            "threads",
            "rss",
            "many",
            "http-many",
            "serve-seq",
            "serve-pipe",
            "serve-socket",
            "serve-sessions",
            "serve-rss",
            "in-process",
            "in-process-threads",
        ],
    },
    Contender { name: "rmcp", how: How::Peer(|workshop| peer::rust(workshop, false)), workloads: PEER },
    Contender { name: "rmcp-tuned", how: How::Peer(|workshop| peer::rust(workshop, true)), workloads: PEER },
    Contender { name: "go-sdk", how: How::Peer(peer::go), workloads: PEER },
    Contender { name: "typescript", how: How::Peer(peer::typescript), workloads: PEER },
    Contender { name: "python", how: How::Peer(peer::python), workloads: PEER },
    Contender { name: "cpp-mcp", how: How::Peer(peer::cpp), workloads: CPP },
    Contender {
        name: "rmcp-server",
        how: How::PeerServer(|workshop| Ok(vec![peer::rust_server(workshop)?])),
        workloads: PEER_SERVER_IN_ANY_ORDER,
    },
    Contender {
        name: "go-sdk-server",
        how: How::PeerServer(|workshop| Ok(vec![peer::go_server(workshop)?])),
        workloads: PEER_SERVER,
    },
    Contender {
        name: "typescript-server",
        how: How::PeerServer(peer::typescript_server),
        workloads: PEER_SERVER_OF_SESSIONS,
    },
    Contender {
        name: "python-server",
        how: How::PeerServer(peer::python_server),
        workloads: PEER_SERVER_IN_ANY_ORDER,
    },
    Contender {
        name: "cpp-mcp-server",
        how: How::PeerServer(|workshop| Ok(vec![peer::cpp_server(workshop)?])),
        workloads: PEER_SERVER,
    },
];

impl Contender {
    /// Whether it is of another project, which takes its time to be installed.
    pub fn is_peer(&self) -> bool {
        matches!(self.how, How::Peer(_) | How::PeerServer(_))
    }
}

impl Entrant {
    /// The same, started by another program.
    pub fn led_by(&self, led_by: Vec<OsString>) -> Self {
        Self {
            name: self.name,
            program: self.program.clone(),
            leading: self.leading.clone(),
            server: self.server.clone(),
            led_by,
            workloads: self.workloads,
        }
    }

    pub fn takes(&self, workload: &Workload, era: &str) -> bool {
        self.workloads.contains(&workload.name) && (era == LEGACY || !OF_LEGACY.contains(&self.name))
    }
}

impl Workshop {
    /// Finds its way from where this program was built and where it was started.
    pub fn find() -> Result<Self, String> {
        let here = std::env::current_exe().map_err(|error| error.to_string())?;
        let built = here.parent().ok_or("no directory of programs")?.to_owned();
        let package = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).to_owned(), PathBuf::from);
        let root = package.parent().ok_or("no root of the project")?.to_owned();
        let bench = built.parent().ok_or("no target directory")?.join("bench");
        std::fs::create_dir_all(&bench).map_err(|error| format!("{}: {error}", bench.display()))?;
        Ok(Self { root, built, bench })
    }

    pub fn server(&self) -> PathBuf {
        self.built.join("mcp-bench-server")
    }

    /// The file with one block of the big text.
    pub fn block(&self, workload: &Workload) -> PathBuf {
        self.bench.join(if workload.name == "big-escapes" { "escapes.txt" } else { "plain.txt" })
    }

    /// Builds the server and writes the texts.
    pub fn prepare(&self) -> Result<(), String> {
        self.cargo(&["build", "-p", "mcp-bench", "--bin", "mcp-bench-server"])?;
        for (name, escapes) in [("plain.txt", false), ("escapes.txt", true)] {
            let path = self.bench.join(name);
            std::fs::write(&path, mcp_bench::text::block(escapes))
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }

    /// Builds a contender.
    pub fn build(&self, contender: &Contender) -> Result<Entrant, String> {
        let (program, leading) = match contender.how {
            How::C => (self.compile(contender.name, false)?, Vec::new()),
            How::Library => (self.compile(contender.name, true)?, Vec::new()),
            How::Peer(install) => install(self)?,
            How::PeerServer(_) => (self.caller(), Vec::new()),
        };
        let server = match contender.how {
            How::Library => self.compile("libmcp-server", true)?,
            How::C | How::Peer(_) => self.server(),
            How::PeerServer(install) => self.over_stdio(contender.name, &install(self)?)?,
        };
        let led_by = Vec::new();
        Ok(Entrant { name: contender.name, program, leading, server, led_by, workloads: contender.workloads })
    }

    /// A program that becomes this server over the standard streams, or at the Unix socket that it is told: the floor starts servers by
    /// one path.
    fn over_stdio(&self, name: &str, command: &[PathBuf]) -> Result<PathBuf, String> {
        let words: Vec<String> = command.iter().map(|word| format!("'{}'", word.display())).collect();
        let script = self.bench.join(format!("{name}.sh"));
        let failed = |error: std::io::Error| format!("{}: {error}", script.display());
        std::fs::write(&script, format!("#!/bin/sh\nexec {} stdio \"$@\"\n", words.join(" ")))
            .map_err(failed)?;
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).map_err(failed)?;
        Ok(script)
    }

    /// The program that calls servers that are measured.
    pub fn caller(&self) -> PathBuf {
        self.bench.join("floor")
    }

    /// Compiles a contender of one C file, and links it to the library if it uses that.
    pub fn compile(&self, name: &str, links: bool) -> Result<PathBuf, String> {
        let source = self.root.join("benches/contenders").join(format!("{name}.c"));
        let program = self.bench.join(name);
        let mut compile = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
        compile.args(["-O2", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-pthread", "-o"]).arg(&program);
        compile.arg(source);
        if links {
            let library = self.library()?;
            compile.arg("-I").arg(self.root.join("include"));
            compile.arg("-L").arg(&library).arg("-lmcp");
            compile.arg(format!("-Wl,-rpath,{}", library.display()));
        }
        run(&mut compile)?;
        Ok(program)
    }

    /// The folder with the library: the one that `cargo xtask` has built and names, or built here.
    fn library(&self) -> Result<PathBuf, String> {
        if let Some(folder) = std::env::var_os(LIBRARY) {
            return Ok(folder.into());
        }
        self.cargo(&["build", "-p", "libmcp"])?;
        Ok(self.built.clone())
    }

    pub fn cargo(&self, what: &[&str]) -> Result<(), String> {
        let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // What cargo has told this program of its package: a build script that asks for it would run again, and the library be compiled
        // again.
        for (name, _) in std::env::vars_os() {
            if ["CARGO_MANIFEST_", "CARGO_PKG_"].iter().any(|start| name.to_string_lossy().starts_with(start))
            {
                build.env_remove(name);
            }
        }
        build.current_dir(&self.root).args(what).arg("--quiet");
        if let Some(target) = self.built.parent() {
            build.arg("--target-dir").arg(target);
        }
        if !cfg!(debug_assertions) {
            build.arg("--release");
        }
        run(&mut build)
    }
}

/// Runs a command and takes its first words as the reason when it fails.
pub fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let words: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(4).collect();
    Err(format!("{} failed: {}", command.get_program().display(), words.join(" | ")))
}

/// What a program says about its version, first line.
pub fn version(program: &str) -> String {
    let output = Command::new(program).arg("--version").output().ok();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or("unknown").to_owned()
}

/// The settings of one start of a contender.
pub fn arguments(
    workshop: &Workshop,
    workload: &Workload,
    era: &str,
    server: &Path,
    calls: u64,
) -> Vec<String> {
    let mut arguments = vec![
        format!("workload={}", workload.name),
        format!("era={era}"),
        format!("server={}", server.display()),
        format!("calls={calls}"),
    ];
    if workload.kind == Kind::Big {
        arguments.push(format!("block={}", workshop.block(workload).display()));
    }
    arguments
}
