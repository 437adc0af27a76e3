//! The commands that offer servers to others: `bridge`, `run`, `serve`.

use super::{Place, SessionStart};
use crate::known;
use clap::{Args, ValueHint};
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;

/// The arguments of `bridge`.
#[derive(Args, Debug)]
pub struct Bridge {
    #[command(flatten)]
    pub place: Place,
    #[command(flatten)]
    pub listen: Listen,
    /// A tool that clients may list and call, SERVER/TOOL, where `*` stands for any characters; may be given several times. Then
    /// clients reach these tools and nothing else. With one server TOOL is enough
    #[arg(long, value_name = "SERVER/TOOL")]
    pub allow: Vec<String>,
    #[command(flatten)]
    pub guard: Guard,
    /// The revisions that are offered to clients, as for --protocol
    #[arg(long, value_name = "REVISION", default_value = "auto")]
    pub offer: String,
    /// Entries of one page of a list
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub page_size: u32,
    /// How long a call of a client may take
    #[arg(long, value_name = "SECONDS", default_value = "3600", value_parser = super::seconds)]
    pub call_timeout: std::time::Duration,
    /// Before it begins, log in where a server wants a login: in one browser at a time, however many bridges begin
    #[arg(long)]
    pub login: bool,
}

/// What clients of a bridge may use, and how it is shown to them.
#[derive(Args, Debug, Default)]
pub struct Guard {
    /// Whether the clients are programs that a model wrote, which no option says
    #[arg(skip)]
    pub for_models: bool,
    /// A tool that clients may neither list nor call, as for --allow; may be given several times. It counts more than --allow
    #[arg(long, value_name = "SERVER/TOOL")]
    pub deny: Vec<String>,
    /// A snapshot of the server (`mcp snapshot`): what `mcp diff` would report as different, definitions, instructions and pages,
    /// is hidden and refused, and said. With several servers SERVER=FILE
    #[arg(long, value_name = "[SERVER=]FILE", value_hint = ValueHint::FilePath)]
    pub pin: Vec<String>,
    /// The longest name of a tool: hosts take 60 or 64 letters, digits, `_` and `-`. A longer or other name gets a digest at its end,
    /// which is always the same
    #[arg(long, value_name = "LENGTH", value_parser = clap::value_parser!(u16).range(24..=128))]
    pub names: Option<u16>,
    /// What happens to an entry whose definition cannot be used to check anything, such as a schema that does not compile: it passes, is
    /// left out, or the bridge does not start
    #[arg(long, value_enum, default_value_t = Invalid::Pass, value_name = "WHAT")]
    pub invalid: Invalid,
    /// A program that sees each request for a server, its outcome and the questions of servers before they go on: a JSON object a line
    /// on its standard input, with a verdict for each on its standard output. One that fails or is late refuses
    #[arg(long, value_name = "COMMAND", value_hint = ValueHint::CommandString)]
    pub check: Option<String>,
    /// How long the program of --check may take for one message; 0 means without a limit
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = super::seconds, requires = "check")]
    pub check_timeout: std::time::Duration,
    /// Write what clients and the bridge say to each other into this file, as JSON lines without secrets, which `mcp replay` plays. Only
    /// this user may read it. At 64 MiB a new one begins, and the one before has `.1` behind its name
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub trace: Option<PathBuf>,
    /// Offer the two tools `find_tools` and `call_tool` in place of all, which saves tokens
    #[arg(long)]
    pub search: bool,
    /// A tool that --search leaves in the list, as for --allow; may be given several times
    #[arg(long, value_name = "SERVER/TOOL", requires = "search")]
    pub keep: Vec<String>,
}

/// What happens to definitions that cannot be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Invalid {
    /// They pass
    #[default]
    Pass,
    /// They are left out
    Drop,
    /// The bridge does not start
    Refuse,
}

/// The arguments of `run`.
#[derive(Args, Debug)]
pub struct Run {
    /// A server that the program may use tools of; a name before it is that for --allow
    #[arg(value_name = "[NAME=]TARGET", required = true, add = ArgValueCompleter::new(known::complete))]
    pub servers: Vec<String>,
    /// The program, with its arguments
    #[arg(last = true, value_name = "PROGRAM", required = true, value_hint = ValueHint::CommandWithArguments)]
    pub program: Vec<String>,
    /// A tool that the program may list and call, SERVER/TOOL, where `*` stands for any characters; may be given several times. With
    /// one server TOOL is enough
    #[arg(long, value_name = "SERVER/TOOL", required = true)]
    pub allow: Vec<String>,
    /// A file or folder that the program may read; may be given several times
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub read: Vec<PathBuf>,
    /// A file or folder that the program may read and change; may be given several times
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub write: Vec<PathBuf>,
    /// A variable for the program: NAME=VALUE, or NAME for the value that it has here
    #[arg(long, value_name = "NAME[=VALUE]")]
    pub pass: Vec<String>,
    /// Let the program read what this user may read, such as logins, and use the network
    #[arg(long, conflicts_with_all = ["read", "write"])]
    pub no_sandbox: bool,
    /// How long a call of the program may take
    #[arg(long, value_name = "SECONDS", default_value = "3600", value_parser = super::seconds)]
    pub call_timeout: std::time::Duration,
}

impl Bridge {
    /// A bridge that another command has in its own process, at an address of its own.
    pub fn within(place: Place, allow: Vec<String>, call_timeout: std::time::Duration) -> Bridge {
        Bridge {
            place,
            listen: Listen::default(),
            allow,
            guard: Guard::default(),
            offer: "auto".to_owned(),
            page_size: 1000,
            call_timeout,
            login: false,
        }
    }
}

impl SessionStart {
    /// The bridge that keeps the connection.
    pub fn bridge(&self, config: Option<&std::path::Path>) -> Bridge {
        Bridge::within(self.place(config), Vec::new(), self.call_timeout)
    }

    /// Its server. A session that is called as a configured server is, with no other server named, is one of that.
    pub fn place(&self, config: Option<&std::path::Path>) -> Place {
        let mut place = self.place.clone();
        let is_unnamed = place.words.is_empty() && place.program.is_empty();
        if is_unnamed && crate::servers::has_name(&self.name, config) {
            place.words.push(self.name.clone());
        }
        place
    }
}

/// Where `bridge` and `serve` offer what they have.
#[derive(Args, Debug, Default)]
pub struct Listen {
    /// Where clients connect: http://HOST:PORT/PATH, unix:PATH or tcp:HOST:PORT; may be given several times. Port 0 takes a free
    /// one. What was bound is written to standard output
    #[arg(long = "listen", value_name = "ADDRESS")]
    pub addresses: Vec<String>,
    /// Serve HTTP+SSE of 2024-11-05, too: at this path
    #[arg(long, value_name = "PATH", requires = "addresses")]
    pub sse: Option<String>,
    /// Listen at addresses that other machines reach
    #[arg(long, requires = "addresses")]
    pub beyond_loopback: bool,
    /// A name in the header Host by which the URL is reached, besides those of this machine
    #[arg(long = "host", value_name = "HOST", requires = "addresses")]
    pub hosts: Vec<String>,
    /// Serve only HTTP requests with a token for this server: a file with the key `auth` of a server of the library, as a JSON object
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "addresses")]
    pub auth: Option<PathBuf>,
    /// A web page's origin that may use the URL
    #[arg(long = "origin", value_name = "ORIGIN", requires = "addresses")]
    pub origins: Vec<String>,
    /// The certificate for https (PEM)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "key")]
    pub certificate: Option<String>,
    /// Its private key (PEM)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "certificate")]
    pub key: Option<String>,
    /// The keys that seal what clients hold for the server, which all processes behind one balancer share: a file, or env:NAME, with
    /// the base64 of 32 random bytes each, the newest first
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "addresses")]
    pub state_keys: Option<String>,
    /// What requests under way have when the program is told to end (SIGTERM, Ctrl-C): no client connects any more, and what is left
    /// then is refused. A second signal ends it at once
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = super::seconds)]
    pub drain: std::time::Duration,
    /// How long before that new requests are still served while health says 503, so that a balancer sends no more
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = super::seconds, requires = "addresses")]
    pub notice: std::time::Duration,
    #[command(flatten)]
    pub store: StorePlace,
}

/// A store that processes of a server share, and how it is reached.
#[derive(Args, Debug, Default)]
pub struct StorePlace {
    /// A store that all processes of the server share. Redis or Valkey: redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE], rediss:// with
    /// TLS. postgres://, nats:// or `file:PATH` where libmcp-store-postgres, -nats or -sqlite is installed. Or env:NAME, a variable with the
    /// URL
    #[arg(long, value_name = "URL")]
    pub store: Option<String>,
    /// Certificates (PEM) to trust for the store beside those of the system
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "store")]
    pub store_ca: Option<String>,
    /// What keys in the store begin with; without it the name of the server
    #[arg(long, value_name = "NAME", requires = "store")]
    pub store_space: Option<String>,
}

/// The arguments of `serve`.
#[derive(Args, Debug)]
pub struct Serve {
    /// The file that describes the server: YAML, or JSON if its name ends so
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, required_unless_present = "openapi", conflicts_with = "openapi")]
    pub file: Option<PathBuf>,
    /// A description of an API by OpenAPI 3.0 or 3.1, YAML or JSON: its operations are the tools
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub openapi: Option<PathBuf>,
    /// Where the API is, if that is not what the file says, such as `https://HOST/PATH`
    #[arg(long, value_name = "URL", requires = "openapi")]
    pub base: Option<String>,
    /// What a security scheme of the file gets, by reference: SCHEME=env:NAME for a variable, SCHEME=file:PATH for the text of a file;
    /// may be given several times. It is sent to the host of the API alone
    #[arg(long = "credential", value_name = "SCHEME=REFERENCE", requires = "openapi")]
    pub credentials: Vec<String>,
    #[command(flatten)]
    pub listen: Listen,
    /// Only read the file, and say what is wrong with it
    #[arg(long, conflicts_with = "addresses")]
    pub check: bool,
}
