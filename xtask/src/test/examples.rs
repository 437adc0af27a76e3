//! The examples in C and C++ that end by themselves: each is run against the example server, or what else it wants, and must say
//! what it says. Their input is empty.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::checkout::{Checkout, stem, write};
use crate::compiler;
use crate::process;
use crate::release::Built;

const LIMIT: Duration = Duration::from_secs(30);
const TOKEN: &str = "the-token-of-the-test";

/// What an example is given first.
enum First {
    Server,
    /// The server that does as it is told.
    Scripted,
    /// A file with two servers, and one that cannot be started.
    File,
    /// The same file, and these lines as its input.
    FileAndLines(&'static str),
    /// A server, a tool and its arguments, three times.
    Three,
    /// The URL of a server that takes no client without a token.
    Token,
    /// Nothing: it is the server that examples/c/inspect.c calls with these arguments.
    Inspected(&'static [&'static str]),
    /// Nothing: it has all that it needs.
    Nothing,
    /// Nothing: it is the server of this program in examples/c.
    ServerOf(&'static str),
}

/// An example: its arguments behind the first, and what it prints.
struct Run {
    name: &'static str,
    first: First,
    arguments: &'static [&'static str],
    says: &'static [&'static str],
}

macro_rules! runs {
    ($($name:literal: $first:ident $(($($of:tt)*))? [$($argument:literal),*] says [$($says:literal),*];)*) => {
        &[$(Run {
            name: $name,
            first: First::$first $(($($of)*))?,
            arguments: &[$($argument),*],
            says: &[$($says),*],
        }),*]
    };
}

const RUNS: &[Run] = runs! {
    "agent": FileAndLines("first slow {\"ms\": 300}\nfirst echo {\"text\": \"Hello\"}\nsecond ask_forever {\"method\": \"sampling/createMessage\"}\n") []
        says ["missing, state: ", "first: Hello", "first, progress: ", "waited 300 ms", "No model is here."];
    "quickstart": Server [] says ["tool: echo\ntool: ", "Hello from C"];
    "tool_server": ServerOf("quickstart") [] says ["tool: echo\nHello from C"];
    "tools": Server [] says ["10 tools: {", "Adds two numbers", "add: 5", "fail: the tool failed"];
    "resources_watch": Server ["demo://greeting", "1"] says ["demo://greeting: Hello, world!", "changed: {"];
    "client_calls": Server []
        says ["from the queue: ", "resource: Hello", "prompt: ", "subscribed: {", "woken: 1"];
    "config_files": File [] says ["first: 0", "second: 0"];
    "json_texts": Nothing [] says ["topic tools_changed", "limit 20, tags [\"a\", \"b\"]", "{\"path\":\"notes", "uri file:///a%20b?page=2"];
    "server_calls": Nothing [] says ["reply: {\"a\":1,", "server: {"];
    "prompts": Server [] says ["prompt greet with name", "\"values\":[\"Ada\"", "greeting for Ada"];
    "progress": Server [] says ["] 100 %", "waited 400 ms"];
    "call_with_timeout": Server [] says ["100 %", "waited 400 ms"];
    "elicitation": Server [] says ["The server asks: Which colour?", "The tool says: No answer: cancel"];
    "sampling": Scripted ["ask_forever", "{\"method\": \"sampling/createMessage\"}"]
        says ["The server asks the model: Say something (at most 10", "\"text\":\"I was told: Say something\""];
    "all_tools": File [] says ["first has 10 tools", "  notify", "second has ", "2 of 3 servers answered"];
    "epoll_three_servers": Three [] says ["blue\n", "\"model\":\"fixed\"", "Hello\n"];
    "futures": Server [] says ["2\n6\n12\n20\n30\n", "waited 100 ms", "within 50 ms"];
    "http_token": Token ["echo", "{\"text\": \"Hello\"}"] says ["progress\n", "echo says: Hello"];
    "many_tools": Scripted ["many-tools=20000"] says ["echo\n", "tool-0\n", "tool-19999\n"];
    // The daemon ends a second later.
    "daemon": Server ["daemon.log", "1"] says ["daemon ", ": the server answers"];
    "glib_loop": Server [] says ["tick\n", "step 4\n", "waited 100 ms"];
    "libuv_loop": Nothing [] says ["call 2: done", "call 1: done", "call 0: done"];
    "server_in_microhttpd": Nothing ["--try"]
        says ["serving at http://127.0.0.1:", "the tool says: Hello, Ada!", "A page of the program."];
    "qt_loop": Server [] says ["tick\n", "step 4\n", "waited 100 ms"];
    "glib_server": Inspected(&["--call", "later", "{\"ms\": 50}"]) [] says ["done"];
    "qt_server": Inspected(&["--call", "later", "{\"ms\": 50}"]) [] says ["done"];
    "sdl_server": Inspected(&["--call", "move", "{\"x\": 3, \"y\": 4}"]) [] says ["The player is at 3, 4"];
    "sdl_events": Server [] says ["step 4\n", "waited 100 ms"];
    "game_tick": Inspected(&["--call", "spawn", "{\"monsters\": 3}"]) [] says ["There are 3 monsters"];
    "folder_server": Inspected(&[]) ["."] says ["notes:///{+path}"];
    "ask_user": Nothing [] says ["the server asks: ", "Which size?", "ordered: a large tea for 2.50\nthe server asks: "];
    "cancelled_call": Nothing [] says ["the answer is not wanted any more"];
    "weather_server": Nothing [] says ["9 degrees"];
    "server_in_loop": Nothing [] says ["HTTP/1.1 200", "hello"];
    "handles": Nothing [] says ["1 things; There is no such cart, or it is over."];
    "long_call": ServerOf("call_with_timeout") [] says ["100 %", "waited 400 ms"];
    "long_task_server": ServerOf("tasks") [] says [": working", "the server asks: Which colour?", "the outcome: researched amber"];
    "terminal_ui": Inspected(&["--call", "set_volume", "{\"percent\": 70}"]) [] says ["The volume is 70 %"];
    "tasks": Scripted []
        says ["task research-000001: working", "task research-000001: input_required", "the server asks: Which colour?", "the outcome: researched honey: amber"];
};

/// Writes a file of the well-known format.
fn servers_file(checkout: &Checkout, built: &Built) -> Result<PathBuf, String> {
    let path = checkout.scratch("examples")?.join("servers.json");
    let server = |path: &Path| format!("{{\"command\": {:?}}}", path.display().to_string());
    let text = format!(
        "{{\"mcpServers\": {{\"first\": {}, \"second\": {}, \"missing\": {{\"command\": \"/nowhere/at/all\"}}}}}}\n",
        server(&built.example_server),
        server(&built.scripted_server),
    );
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// An example that is the client of another one.
fn client(checkout: &Checkout, built: &Built, name: &str) -> Result<Command, String> {
    let source = checkout.root.join("examples/c").join(name).with_extension("c");
    Ok(Command::new(compiler::program(checkout, built, &source, "examples")?))
}

/// Starts a server over HTTP that wants the token; its first line is its port. It ends by itself after a minute.
fn server_with_token(built: &Built) -> Result<(String, Child), String> {
    let mut server = Command::new(&built.scripted_http)
        .args(["--life", "60", &format!("token={TOKEN}")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start {}: {error}", built.scripted_http.display()))?;
    let mut port = String::new();
    let out = server.stdout.take().ok_or("the server over HTTP has no output")?;
    BufReader::new(out).read_line(&mut port).map_err(|error| format!("the server over HTTP: {error}"))?;
    Ok((format!("http://127.0.0.1:{}/mcp", port.trim()), server))
}

/// Runs the example of this source, if it is one of those.
pub fn run(checkout: &Checkout, built: &Built, source: &Path, program: &Path) -> Option<Result<(), String>> {
    let run = RUNS.iter().find(|run| run.name == stem(source))?;
    Some(says(checkout, built, run, program).and_then(|()| match run.first {
        First::Inspected(_) | First::ServerOf(_) => {
            ["TERM", "INT"].iter().try_for_each(|signal| ends_on(checkout, run, program, signal))
        }
        _ => Ok(()),
    }))
}

/// What a client begins with. Its answer says that the server runs.
const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;

/// A server over the standard streams ends well on a signal, while its client is there.
fn ends_on(checkout: &Checkout, run: &Run, program: &Path, signal: &str) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(run.arguments).current_dir(checkout.scratch("examples")?);
    let mut server = process::Served::start(&mut command, &program.with_extension("signal"))?;
    server.tell(INITIALIZE)?;
    server.first_line()?;
    server.signalled(signal, LIMIT)?.done().map_err(|why| format!("on SIG{signal}: {why}"))
}

fn says(checkout: &Checkout, built: &Built, run: &Run, program: &Path) -> Result<(), String> {
    let mut command = Command::new(program);
    let mut server = None;
    match run.first {
        First::Server => command.arg(&built.example_server),
        First::Scripted => command.arg(&built.scripted_server),
        First::File => command.arg(servers_file(checkout, built)?),
        First::FileAndLines(lines) => {
            let input = checkout.scratch("examples")?.join("lines");
            write(&input, lines)?;
            command = Command::new("sh");
            command.args(["-c", "exec \"$0\" \"$1\" < \"$2\""]).arg(program);
            command.arg(servers_file(checkout, built)?).arg(input)
        }
        First::Nothing => &mut command,
        First::Three => {
            command.arg(&built.example_server).args(["ask", r#"{"question": "Which colour?"}"#]);
            command
                .arg(&built.scripted_server)
                .args(["ask_forever", r#"{"method": "sampling/createMessage"}"#]);
            command.arg(&built.example_server).args(["echo", r#"{"text": "Hello"}"#])
        }
        First::Token => {
            let (url, started) = server_with_token(built)?;
            server = Some(started);
            command.env("MCP_TOKEN", TOKEN).arg(url)
        }
        First::ServerOf(name) => {
            command = client(checkout, built, name)?;
            command.arg(program)
        }
        First::Inspected(arguments) => {
            command = client(checkout, built, "inspect")?;
            command.args(arguments).arg("--").arg(program)
        }
    };
    command.args(run.arguments).current_dir(checkout.scratch("examples")?);
    let finished = process::run(&mut command, LIMIT, &program.with_extension("run"));
    if let Some(mut server) = server {
        // It may have ended by itself; then there is nothing to kill.
        let _ = server.kill();
        let _ = server.wait();
    }
    finished?.says(run.says)
}
