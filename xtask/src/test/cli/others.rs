//! The program with servers that others made: the reference servers of npm, and the server *fetch* of Python's package index with a page of this
//! machine.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::{Scene, Stage};
use crate::checkout::write;
use crate::machine::{NODE, NPM, PYTHON};
use crate::peers::{Npm, Python};
use crate::process::{self, Served};

const LIMIT: Duration = Duration::from_secs(60);

/// A command line, what must be in its output, and its exit code. `{folder}` has `note.txt`; `{port}` is that of the page.
struct Case {
    name: &'static str,
    words: &'static [&'static str],
    shows: &'static [&'static str],
    code: i32,
}

const fn case(name: &'static str, words: &'static [&'static str], shows: &'static [&'static str]) -> Case {
    Case { name, words, shows, code: 0 }
}

const EVERYTHING: &[Case] = &[
    case(
        "lists all",
        &["list"],
        &["echo(message: string)", "simple-prompt()", "demo://resource/dynamic/text/{resourceId}"],
    ),
    case("calls with types", &["call", "get-sum", "a=2", "b=3"], &["The sum of 2 and 3 is 5."]),
    case(
        "shows an image by its size",
        &["call", "get-tiny-image"],
        &["[image: image/png, ", "--save FOLDER"],
    ),
    case("reads", &["read", "demo://resource/dynamic/text/1"], &["Resource 1"]),
    case("gets a prompt", &["get", "args-prompt", "city=Paris", "-o", "yaml"], &["role: user", "Paris"]),
    case("completes", &["complete", "completable-prompt", "department=Eng"], &["Engineering"]),
    case("calls a tool that is a task only", &["call", "simulate-research-query", "topic=bees"], &["bees"]),
    case("takes a snapshot", &["snapshot", "-o", "yaml"], &["snapshot: 1", "sha256: "]),
    case(
        "traces",
        &["trace", "echo", "message=hi"],
        &["\u{2192} initialize #", "\u{2190} result #", "Echo: hi"],
    ),
    case("pings", &["ping", "-c", "2"], &["2: "]),
    case("shows log messages", &["log", "--for", "0.2", "--level", "debug"], &[]),
];

const FILESYSTEM: &[Case] = &[
    case("lists tools", &["tools", "-o", "names"], &["read_text_file\n"]),
    case("reads a file", &["call", "read_text_file", "path={folder}/note.txt"], &["read by the program"]),
    Case {
        code: 5,
        ..case("is refused", &["call", "read_text_file", "path=/etc/hostname"], &["Access denied"])
    },
    case(
        "is measured",
        &["bench", "read_text_file", "path={folder}/note.txt", "-n", "50", "-p", "4", "-o", "json"],
        &["\"calls\": 50"],
    ),
];

const MEMORY: &[Case] = &[
    case(
        "remembers JSON",
        &[
            "call",
            "create_entities",
            "entities:=[{\"name\":\"mcp\",\"entityType\":\"program\",\"observations\":[\"is short\"]}]",
        ],
        &["is short"],
    ),
    case("knows it again", &["call", "read_graph", "-o", "json"], &["is short"]),
];

const FETCH: &[Case] = &[
    case(
        "gets a page",
        &["call", "fetch", "url=http://127.0.0.1:{port}/index.html"],
        &["A page for the program"],
    ),
    Case {
        code: 5,
        ..case(
            "reports what is not there",
            &["call", "fetch", "url=http://127.0.0.1:{port}/nothing.html"],
            &["404"],
        )
    },
    case("lists prompts", &["prompts"], &["fetch(url)"]),
];

pub fn run(stage: &mut Stage, scene: &Scene) -> Result<(), String> {
    let folder = stage.checkout.scratch("cli/served")?;
    write(&folder.join("note.txt"), "read by the program\n")?;
    write(&folder.join("index.html"), "<html><body><p>A page for the program</p></body></html>\n")?;
    // What the memory server remembers must be from this run. There may be nothing yet.
    let _ = std::fs::remove_file(folder.join("memory.jsonl"));
    let what = "servers of npm";
    if [&NODE, &NPM].iter().all(|tool| stage.tally.need(tool, what).is_some()) {
        println!("  installing the servers, unless they are there");
        let npm = Npm::install(stage.checkout)?;
        let mut filesystem = npm.server("filesystem");
        filesystem.push(folder.display().to_string());
        let mut memory =
            vec!["env".to_owned(), format!("MEMORY_FILE_PATH={}", folder.join("memory.jsonl").display())];
        memory.extend(npm.server("memory"));
        for (server, command, cases) in [
            ("everything", npm.server("everything"), EVERYTHING),
            ("filesystem", filesystem, FILESYSTEM),
            ("memory", memory, MEMORY),
        ] {
            each(stage, scene, server, &command, cases, &folder, 0);
        }
        stage.tally.check(
            "everything: the doctor finds no fault in its revisions",
            doctor(scene, &npm.server("everything")),
        );
    }
    if stage.tally.need(&PYTHON, "a server of PyPI").is_some() {
        let python = Python::fetch(stage.checkout)?;
        let interpreter = python.interpreter().display().to_string();
        let script = "import functools, http.server, sys\n\
                      handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])\n\
                      server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler)\n\
                      print(server.server_address[1], flush=True)\n\
                      import threading\n\
                      threading.Thread(target=server.serve_forever, daemon=True).start()\n\
                      sys.stdin.read()\n";
        let mut pages = Served::start(
            Command::new(&interpreter).args(["-c", script]).arg(&folder),
            &scene.folder.join("pages"),
        )?;
        let port: u16 = pages.first_line()?.parse().map_err(|error| format!("no port: {error}"))?;
        let command = [&interpreter, "-m", "mcp_server_fetch", "--ignore-robots-txt", "--allow-private-ips"]
            .map(str::to_owned);
        each(stage, scene, "fetch", &command, FETCH, &folder, port);
        pages.end(LIMIT)?;
    }
    Ok(())
}

fn each(
    stage: &mut Stage,
    scene: &Scene,
    server: &str,
    command: &[String],
    cases: &[Case],
    folder: &Path,
    port: u16,
) {
    for case in cases {
        stage.tally.check(&format!("{server}: {}", case.name), passes(scene, command, case, folder, port));
    }
}

fn passes(scene: &Scene, server: &[String], case: &Case, folder: &Path, port: u16) -> Result<(), String> {
    let word = |word: &&str| {
        word.replace("{folder}", &folder.display().to_string()).replace("{port}", &port.to_string())
    };
    let mut command = scene.command();
    command.args(case.words.iter().map(word)).arg("--").args(server);
    let finished = process::run(&mut command, LIMIT, &scene.folder.join("others"))?;
    if finished.code() != Some(case.code) {
        return Err(format!("exit code {} is wanted: {}", case.code, finished.story()));
    }
    let missing: Vec<&&str> = case.shows.iter().filter(|fact| !finished.stdout.contains(**fact)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("not shown: {missing:?}\n{}", finished.story())) }
}

/// It speaks the four revisions of the legacy era, and not the modern one.
fn doctor(scene: &Scene, server: &[String]) -> Result<(), String> {
    let mut command = scene.command();
    command.args(["doctor", "-o", "json", "--"]).args(server);
    let finished = process::run(&mut command, LIMIT, &scene.folder.join("others-doctor"))?;
    let code = finished.code();
    let spoken = finished.stdout.matches("\"era\": \"legacy\"").count();
    if spoken == 4 && code.is_some_and(|code| code == 0 || code == 6) {
        return Ok(());
    }
    Err(finished.story())
}
