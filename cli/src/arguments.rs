//! The command line: every command and option, with the texts of help, manual pages and completion.

mod common;
mod lifecycle;
mod logins;
mod manage;
mod observe;
mod offer;

pub use common::{Common, Format, Output, started};
pub use lifecycle::{Init, Install, Kept, Language, Pack, Publish, Search, Standing, Uninstall};
pub use logins::{Auth, Login, Logout};
pub use manage::{Add, Check, Config, Import, Remove, Tasks, Trust};
pub use observe::{Bench, Log, Replay, Snapshot, Test, Trace, Watch};
#[cfg(feature = "page")]
pub use observe::{Dev, Inspect};
pub use offer::{Bridge, Invalid, Listen, Run, Serve, StorePlace};

use self::common::seconds;
use crate::known;
use crate::output::Images;
use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;
use std::time::Duration;

/// Use servers of the Model Context Protocol from a terminal, a script or an agent.
///
/// A TARGET is the name of a configured server (`mcp servers` lists them), a URL, a socket (`unix:PATH`, `tcp:HOST:PORT`), a
/// program (a path, or a command line in one word), or a command behind `--`.
#[derive(Debug, Parser)]
#[command(name = "mcp", version, max_term_width = 100, disable_help_subcommand = true, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub common: Common,
}

const EXAMPLES: &str = "\
Examples:
  mcp tools https://example.com/mcp
  mcp call github create_issue title='It fails' labels:='[\"bug\"]'
  mcp call add a=1 b=2 -- ./my-server --verbose

Exit codes:
  0    success
  1    wrong arguments, or a failure without a code of its own
  3    authorization is needed
  4    the server was not reached, or did not answer in time
  5    the tool reported an error
  6    diff found a change, doctor a fault, or test a call that is not as expected
  7    a server of a project's file is not approved
  130  interrupted";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List everything that a server has: tools, resources, templates and prompts
    ///
    /// Without a server, all configured servers are listed with their state. Of a domain such as example.com the servers are listed that its
    /// catalog names (`/.well-known/ai-catalog.json`).
    #[command(
        override_usage = "mcp list [OPTIONS] [TARGET|DOMAIN]\n       mcp list [OPTIONS] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp list\n  mcp list https://example.com/mcp\n  mcp list -o yaml -- ./my-server"
    )]
    List(Place),
    /// List the tools of a server, or show one
    #[command(
        override_usage = "mcp tools [OPTIONS] TARGET [TOOL]\n       mcp tools [OPTIONS] [TOOL] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp tools https://example.com/mcp\n  mcp tools github create_issue\n  mcp tools github --search 'create issue'"
    )]
    Tools(crate::generate::Tools),
    /// Call a tool
    ///
    /// Arguments are `name=value`, read as the type that the tool's schema says; `name:=JSON`; `name=@FILE` for the text of a
    /// file and `name:=@FILE` for JSON in a file. `@@` begins a value that begins with `@`.
    #[command(
        override_usage = "mcp call [OPTIONS] TARGET TOOL [NAME=VALUE]...\n       mcp call [OPTIONS] TOOL [NAME=VALUE]... -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp call github create_issue title='It fails' labels:='[\"bug\"]'\n  \
                      echo '{\"a\":1,\"b\":2}' | mcp call add --json - -- ./my-server"
    )]
    Call(Call),
    /// List the resources of a server and its templates
    #[command(
        override_usage = "mcp resources [OPTIONS] TARGET\n       mcp resources [OPTIONS] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp resources -o names https://example.com/mcp"
    )]
    Resources(Place),
    /// Read a resource
    #[command(
        override_usage = "mcp read [OPTIONS] TARGET URI\n       mcp read [OPTIONS] URI -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp read notes note://today\n  mcp read --save . gallery image://logo"
    )]
    Read(Read),
    /// List the prompts of a server, or show one
    #[command(
        override_usage = "mcp prompts [OPTIONS] TARGET [PROMPT]\n       mcp prompts [OPTIONS] [PROMPT] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp prompts https://example.com/mcp"
    )]
    Prompts(Place),
    /// Get a prompt, filled in
    #[command(
        visible_alias = "prompt",
        override_usage = "mcp get [OPTIONS] TARGET PROMPT [NAME=VALUE]...\n       mcp get [OPTIONS] PROMPT [NAME=VALUE]... -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp get github review number=42"
    )]
    Get(Get),
    /// Ask a server which values an argument of a prompt or of a resource template may have
    #[command(
        override_usage = "mcp complete [OPTIONS] TARGET PROMPT|TEMPLATE ARGUMENT[=TYPED] [NAME=VALUE]...\n       mcp complete [OPTIONS] PROMPT|TEMPLATE ARGUMENT[=TYPED] [NAME=VALUE]... -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp complete github review language=py\n  mcp complete notes 'note://{folder}/{name}' name=to folder=home"
    )]
    Complete(Place),
    /// Show the notifications about resources that change, until Ctrl-C
    #[command(
        override_usage = "mcp subscribe [OPTIONS] TARGET URI...\n       mcp subscribe [OPTIONS] URI... -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp subscribe notes note://today\n  mcp subscribe --for 60 -o json notes note://today"
    )]
    Subscribe(Watch),
    /// Show every notification of a server, such as changed lists, until Ctrl-C
    #[command(
        override_usage = "mcp watch [OPTIONS] TARGET\n       mcp watch [OPTIONS] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp watch github\n  mcp watch --count 1 -- ./my-server"
    )]
    Watch(Watch),
    /// Show the log messages of a server, until Ctrl-C
    #[command(
        override_usage = "mcp log [OPTIONS] TARGET\n       mcp log [OPTIONS] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp log --level debug github"
    )]
    Log(Log),
    /// Look at tasks of a server: long work that goes on without a connection
    #[command(
        subcommand,
        after_help = "Example:\n  mcp call --detach research topic=honey\n  mcp tasks wait research TASK"
    )]
    Tasks(Tasks),
    /// Say what a server is and which capabilities it has
    #[command(
        override_usage = "mcp info [OPTIONS] TARGET\n       mcp info [OPTIONS] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp info https://example.com/mcp"
    )]
    Info(Place),
    /// Measure how long a server takes to answer
    #[command(
        override_usage = "mcp ping [OPTIONS] TARGET\n       mcp ping [OPTIONS] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp ping --count 5 https://example.com/mcp"
    )]
    Ping(Ping),
    /// List the servers that programs on this machine have configured
    ///
    /// Read are the files of this project and of this user: .mcp.json, and those of Claude Code, Cursor, VS Code, Codex, Gemini and
    /// other programs; --files shows each. Values of variables and headers, and what looks like a secret, are masked. A server of a project's file is
    /// used after `mcp config trust` has approved it.
    #[command(after_help = "Example:\n  mcp servers\n  mcp servers -o json | jq '.servers[].name'")]
    Servers(Servers),
    /// Write a server into the file of this program, or of another one
    ///
    /// Comments and the order of the file stay. What looks like a secret in a variable, a header, an argument or a URL is written as a
    /// reference to a variable of the environment.
    #[command(
        override_usage = "mcp add [OPTIONS] NAME URL\n       mcp add [OPTIONS] NAME -- COMMAND [ARGUMENTS]\n       mcp add [OPTIONS] REGISTRY-NAME[@VERSION]",
        after_help = "Example:\n  mcp add notes -e NOTES_TOKEN -- npx -y notes-server\n  mcp add github https://api.githubcopilot.com/mcp --to cursor\n  mcp add io.github.owner/notes"
    )]
    Add(Add),
    /// Take a server out of the file of this program, or of another one
    #[command(after_help = "Example:\n  mcp remove notes\n  mcp remove cursor:github --dry-run")]
    Remove(Remove),
    /// Make a small server in a folder of its own: a tool, a resource, a test, files to build it, and one for continuous integration
    ///
    /// Nothing is overwritten, and nothing is fetched.
    #[command(after_help = "Example:\n  mcp init python my-server\n  mcp init c .")]
    Init(Init),
    /// Pack a server with all that it needs into a bundle (`.mcpb`), or check one
    ///
    /// The manifest is manifest.json of the folder, or is made of package.json, pyproject.toml or Cargo.toml and the command. The server is started for
    /// its tools and prompts. The same files give the same bundle. `.mcpbignore` names files that are left out, as `.gitignore` does; keys, tokens and
    /// `.env` files are never packed.
    #[command(
        override_usage = "mcp pack [OPTIONS] [FOLDER]\n       mcp pack [OPTIONS] [FOLDER] -- COMMAND [ARGUMENTS]\n       mcp pack --check FILE",
        after_help = "Example:\n  mcp pack --manifest author='A Name' -- node server/index.js\n  mcp pack --check weather-1.0.0.mcpb"
    )]
    Pack(Pack),
    /// Install a server from a bundle (`.mcpb`): unpack it and write it into a file of servers
    ///
    /// Its author, command and settings are shown first, and nothing of it is started. Settings are asked for, or given with --input NAME=VALUE; a
    /// secret is written as a reference to a variable of the environment.
    #[command(
        after_help = "Example:\n  mcp install weather-1.0.0.mcpb\n  mcp install --yes --input units=metric https://example.com/weather.mcpb"
    )]
    Install(Install),
    /// Remove a server that `mcp install` has installed, and its files
    #[command(after_help = "Example:\n  mcp uninstall weather")]
    Uninstall(Uninstall),
    /// Find servers in a registry by words in their names
    ///
    /// `mcp add` writes one of them into a file. Answers are kept for ten minutes. What is listed is what strangers say of their servers.
    #[command(after_help = "Example:\n  mcp search weather\n  mcp search notes markdown -o names")]
    Search(Search),
    /// Publish a server in a registry
    ///
    /// The record is server.json of the folder, or is made of package.json, pyproject.toml or Cargo.toml. It is checked as the registry does it, shown,
    /// and sent after a question. A version is final once it is published.
    #[command(
        after_help = "Example:\n  mcp publish --dry-run\n  mcp publish --github-token-file token.txt\n  mcp publish --github-oidc --yes"
    )]
    Publish(Publish),
    /// Find servers that programs on this machine have configured, and keep them in a file
    #[command(subcommand, after_help = "Example:\n  mcp config list\n  mcp config import cursor:github")]
    Config(Config),
    /// Write what a server offers, with digests, to be compared later
    ///
    /// A server that changes the description of a tool after a person has read it can make a model do something else. `mcp diff`
    /// shows what has changed since the snapshot.
    #[command(
        override_usage = "mcp snapshot [OPTIONS] TARGET\n       mcp snapshot [OPTIONS] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp snapshot github --into github.json\n  mcp diff github.json github"
    )]
    Snapshot(Snapshot),
    /// Show what has changed between two snapshots, or between a snapshot and the server now
    ///
    /// The exit code is 0 if nothing has changed and 6 if something has.
    #[command(
        override_usage = "mcp diff [OPTIONS] SNAPSHOT SNAPSHOT|TARGET\n       mcp diff [OPTIONS] SNAPSHOT -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp diff github.json github\n  mcp diff before.json after.json"
    )]
    Diff(Place),
    /// Show every message to and from a server, with times and without secrets
    ///
    /// Without a tool everything that the server has is listed; with one, the tool is called.
    #[command(
        override_usage = "mcp trace [OPTIONS] TARGET [TOOL [NAME=VALUE]...]\n       mcp trace [OPTIONS] [TOOL [NAME=VALUE]...] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp trace github\n  mcp trace echo text=Hi -- ./my-server"
    )]
    Trace(Trace),
    /// Answer a client from a trace, or send the requests of a trace to a server again
    ///
    /// Without a server, `mcp replay` is one, on standard input and output: each request gets the answer that the trace has for it. With one
    /// it sends the requests and shows what is answered differently; the exit code is then 6.
    #[command(
        override_usage = "mcp replay [OPTIONS] FILE\n       mcp replay [OPTIONS] FILE TARGET\n       mcp replay [OPTIONS] FILE -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp trace github --to github.jsonl\n  mcp call 'mcp replay github.jsonl' search text=x\n  mcp replay github.jsonl github"
    )]
    Replay(Replay),
    /// Check what a server does against the specification, and say how to mend what is wrong
    ///
    /// The server is asked in each revision of the protocol; with --store the store of its processes is examined. The exit code is 0 if
    /// nothing is wrong and 6 if something is.
    #[command(
        override_usage = "mcp doctor [OPTIONS] TARGET\n       mcp doctor [OPTIONS] -- COMMAND [ARGUMENTS]\n       mcp doctor --store URL",
        after_help = "Example:\n  mcp doctor https://example.com/mcp\n  mcp doctor -o json -- ./my-server"
    )]
    Doctor(Doctor),
    /// Make calls from a file, and say which of them are not answered as the file expects
    ///
    /// The file is YAML, or JSON if its name ends so: `calls`, each with `tool`, `arguments`, and what is expected: `equal`, `schema`,
    /// `contains`, `time` in seconds, `fails`. The exit code is 6 if something is not as expected.
    #[command(
        override_usage = "mcp test [OPTIONS] FILE TARGET\n       mcp test [OPTIONS] FILE -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp test calls.yaml -- ./my-server\n  mcp test -o junit calls.yaml https://example.com/mcp > result.xml"
    )]
    Test(Test),
    /// Measure how many calls of a tool a server answers in a second, and how long they take
    #[command(
        override_usage = "mcp bench [OPTIONS] TARGET TOOL [NAME=VALUE]...\n       mcp bench [OPTIONS] TOOL [NAME=VALUE]... -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp bench echo text=Hi --calls 10000 --parallel 8 -- ./my-server\n  mcp bench --svg bench.svg github search query=x"
    )]
    Bench(Bench),
    /// Log in to a server with a browser or with credentials of a program, and keep the login
    ///
    /// With a secret or a key the program itself logs in (client credentials), and later commands use the same credentials. The
    /// secret stays where it is: in a file, or in a variable of the environment.
    #[command(
        after_help = "Example:\n  mcp login https://example.com/mcp\n  mcp login --no-browser https://example.com/mcp\n  \
                      mcp login --device https://example.com/mcp\n  \
                      mcp login --client-id nightly --secret-file s.txt --issuer https://login.example.com https://example.com/mcp"
    )]
    Login(Login),
    /// Show which logins are kept, and whether a server accepts the one for it
    #[command(
        subcommand,
        after_help = "Example:\n  mcp auth status\n  mcp auth status https://example.com/mcp"
    )]
    Auth(Auth),
    /// Forget the login to a server, here and at its authorization server
    #[command(after_help = "Example:\n  mcp logout https://example.com/mcp")]
    Logout(Logout),
    /// Use a server interactively, with completion of tools and arguments
    #[command(
        override_usage = "mcp shell [OPTIONS] TARGET\n       mcp shell [OPTIONS] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp shell github"
    )]
    Shell(Place),
    /// Look at servers and use them on a page of this machine, in a browser
    ///
    /// The page shows what servers offer, calls tools with forms of their schemas, answers what servers ask, and shows every message with its
    /// time. It is served to this machine only, with a token in the address that is printed. A FILE is one that `mcp trace --to` or the page
    /// itself has written.
    #[cfg(feature = "page")]
    #[command(
        override_usage = "mcp inspect [OPTIONS] [TARGET...|FILE]\n       mcp inspect [OPTIONS] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp inspect -- ./my-server\n  mcp inspect github https://example.com/mcp\n  mcp inspect trace.jsonl"
    )]
    Inspect(Inspect),
    /// Show a server on the page of `inspect`, and start it again when its files change
    ///
    /// Watched are the program, scripts among its words and sources beside them, except what .gitignore names.
    #[cfg(feature = "page")]
    #[command(
        override_usage = "mcp dev [OPTIONS] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp dev -- python3 server.py\n  mcp dev --build 'cargo build' --watch 'src/**/*.rs' -- target/debug/server"
    )]
    Dev(Dev),
    /// Offer servers to clients of another revision or transport, or several servers as one
    ///
    /// Without --listen the client is the program that started this one (stdio). With it, any number of clients connect, and all
    /// use the same servers. Several servers become one: what they have is called `SERVER__NAME`. A login to a server is that of
    /// `mcp login`; what clients send to authorize themselves is never passed on.
    #[command(
        override_usage = "mcp bridge [OPTIONS] [NAME=]TARGET...\n       mcp bridge [OPTIONS] -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp bridge --listen http://127.0.0.1:8080/mcp -- ./my-server\n  \
                      mcp bridge https://example.com/mcp\n  mcp bridge files=./file-server github"
    )]
    Bridge(Bridge),
    /// Run a program that reaches some tools of some servers, and no credentials
    ///
    /// For code that a model wrote: the program has the variable `MCP_SOCKET` with the address of a bridge that gives it the tools of
    /// --allow and nothing else, an environment without the other variables, and a sandbox (bubblewrap) in which it sees the system's programs,
    /// what --read and --write name, and no network. Its exit code is that of the command.
    #[command(
        override_usage = "mcp run [OPTIONS] --allow SERVER/TOOL [NAME=]TARGET... -- PROGRAM [ARGUMENTS]",
        after_help = "Example:\n  mcp run --allow 'github/create_issue' --allow 'files/read_*' --read agent.py \\\n    \
                      github files=./file-server -- python3 agent.py"
    )]
    Run(Run),
    /// Offer programs and scripts as tools, and folders as resources, from a file that describes them
    ///
    /// A program gets the arguments of a call as words, variables or standard input, never through a shell unless the file asks for
    /// one. Without --listen the client is the program that started this one (stdio).
    #[command(
        after_help = "Example:\n  mcp serve tools.yaml\n  mcp serve --listen http://127.0.0.1:8080/mcp tools.yaml"
    )]
    Serve(Serve),
    /// Keep a connection to a server for later commands, which name it @NAME
    ///
    /// A session is a process of its own. It ends by `mcp session stop`, with its server, or when no command has used it for a time.
    #[command(
        subcommand,
        after_help = "Example:\n  mcp session start db -- ./my-server\n  mcp call @db add a=1 b=2\n  mcp session stop db"
    )]
    Session(Session),
    /// Write typed functions for the tools of a server
    ///
    /// The folder gets a module for the server with a file for each tool, an index with one line for each tool, and SKILL.md for
    /// agents that write code.
    #[command(
        override_usage = "mcp generate [OPTIONS] LANGUAGE TARGET --into FOLDER\n       mcp generate [OPTIONS] LANGUAGE --into FOLDER -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp generate typescript --into src/tools https://example.com/mcp\n  \
                      mcp generate python --check --into tools github\n  \
                      mcp generate cli --into bin github && bin/github/github --help"
    )]
    Generate(crate::generate::Generate),
    /// Write a script with which a shell completes commands, options, and names of servers, tools and arguments
    ///
    /// Names of tools and arguments are those that earlier commands have seen. The script asks the program for what it completes.
    #[command(
        after_help = "Example:\n  mcp completion bash > ~/.local/share/bash-completion/completions/mcp"
    )]
    Completion(Completion),
    /// Write the manual pages into a folder, or that of one command to standard output
    #[command(
        after_help = "Example:\n  mcp manual call | man -l -\n  mcp manual --into /usr/local/share/man/man1"
    )]
    Manual(Manual),
}

/// What to do with sessions.
#[derive(Debug, Subcommand)]
pub enum Session {
    /// Start a session
    #[command(
        override_usage = "mcp session start [OPTIONS] NAME TARGET\n       mcp session start [OPTIONS] NAME -- COMMAND [ARGUMENTS]",
        after_help = "Example:\n  mcp session start --idle 600 db -- ./my-server"
    )]
    Start(SessionStart),
    /// List the sessions
    #[command(after_help = "Example:\n  mcp session list -o json")]
    List,
    /// End a session
    #[command(after_help = "Example:\n  mcp session stop db")]
    Stop(SessionStop),
    /// Be a session: what `start` starts
    #[command(hide = true)]
    Run(SessionStart),
}

/// The arguments of `session start`.
#[derive(Args, Debug)]
pub struct SessionStart {
    /// The name of the session
    #[arg(value_name = "NAME")]
    pub name: String,
    #[command(flatten)]
    pub place: Place,
    /// End the session when no command has used it for this time; 0 never does
    #[arg(long, value_name = "SECONDS", default_value = "1800", value_parser = seconds)]
    pub idle: Duration,
    /// How long a call may take
    #[arg(long, value_name = "SECONDS", default_value = "3600", value_parser = seconds)]
    pub call_timeout: Duration,
}

/// The argument of `session stop`.
#[derive(Args, Debug)]
pub struct SessionStop {
    /// The name of the session
    #[arg(value_name = "NAME")]
    pub name: String,
}

/// A server, and what of it.
#[derive(Args, Clone, Debug)]
pub struct Place {
    /// The server, unless a command is given behind `--`; and the name of what is to be shown
    #[arg(value_name = "TARGET", add = ArgValueCompleter::new(known::complete))]
    pub words: Vec<String>,
    /// The command that starts the server, with its arguments
    #[arg(last = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub program: Vec<String>,
}

/// The arguments of `call`.
#[derive(Args, Debug)]
pub struct Call {
    #[command(flatten)]
    pub place: Place,
    /// All arguments as one JSON object: the text, `@FILE`, or `-` for standard input
    #[arg(long, value_name = "JSON")]
    pub json: Option<String>,
    /// Send the arguments as they are, also those that the tool's schema does not allow
    #[arg(long)]
    pub no_check: bool,
    /// Save images, audio and files of the result into this folder, or the only one as a file (`a.png`); `-` writes its bytes to standard
    /// output
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub save: Option<PathBuf>,
    /// Only the text of the result
    #[arg(long, conflicts_with_all = ["structured", "raw"])]
    pub text: bool,
    /// Only the structured content of the result, as JSON; a result without one is a failure
    #[arg(long, conflicts_with_all = ["raw", "block"])]
    pub structured: bool,
    #[command(flatten)]
    pub one: One,
    /// Answers to what the server asks, a JSON object by the names of the form; `@FILE` and `-` as above. Without it and
    /// without a terminal, questions are declined
    #[arg(long, value_name = "JSON")]
    pub answers: Option<String>,
    /// Let the server work on it as a task, and end as soon as the task has a name, which is written; see `mcp tasks`
    #[arg(long)]
    pub detach: bool,
}

/// The arguments of `read`.
#[derive(Args, Debug)]
pub struct Read {
    #[command(flatten)]
    pub place: Place,
    /// Save binary contents into this folder, or the only content as a file (`a.png`); `-` writes its bytes to standard output
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub save: Option<PathBuf>,
    #[command(flatten)]
    pub one: One,
}

/// The arguments of `get`.
#[derive(Args, Debug)]
pub struct Get {
    #[command(flatten)]
    pub read: Read,
    /// Send the arguments as they are, also those that the prompt does not have
    #[arg(long)]
    pub no_check: bool,
}

/// One content of a result.
#[derive(Args, Clone, Copy, Debug)]
pub struct One {
    /// Write the unchanged bytes of the only content to standard output, as `--save -` does
    #[arg(long, conflicts_with = "save")]
    pub raw: bool,
    /// Only this of several contents, counted from 1
    #[arg(long, value_name = "NUMBER", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    pub block: Option<usize>,
    /// How images are shown: in the terminal where that is known to show them, or as their type and size
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Images::Auto)]
    pub images: Images,
}

/// The arguments of `ping`.
#[derive(Args, Debug)]
pub struct Ping {
    #[command(flatten)]
    pub place: Place,
    /// How many times
    #[arg(short, long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub count: u32,
}

/// The arguments of `doctor`.
#[derive(Args, Debug)]
pub struct Doctor {
    #[command(flatten)]
    pub place: Place,
    /// Check the tools also by what this program, or the API of this model, refuses; may be given several times
    #[arg(long = "host", value_enum, value_name = "HOST")]
    pub hosts: Vec<crate::commands::Host>,
    #[command(flatten)]
    pub store: StorePlace,
}

/// The arguments of `servers`.
#[derive(Args, Debug)]
pub struct Servers {
    /// Only this server, with its command or URL in full
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Show the files that were looked for, too
    #[arg(long)]
    pub files: bool,
}

/// The argument of `completion`.
#[derive(Args, Debug)]
pub struct Completion {
    /// The shell
    pub shell: clap_complete::Shell,
    /// The name by which the program is called: the script completes that
    #[arg(long, default_value = "mcp", value_parser = ["mcp", "libmcp"])]
    pub name: String,
}

/// The arguments of `manual`.
#[derive(Args, Debug)]
pub struct Manual {
    /// The command; without one, the page of the program
    pub command: Option<String>,
    /// Write all pages into this folder
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, conflicts_with = "command")]
    pub into: Option<PathBuf>,
}
