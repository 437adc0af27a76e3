//! The program `mcp` at the authorization servers of the SDKs and frameworks that people build servers with (`tests/login/others`): a
//! person logs in by a browser that a script plays, and what later commands make of the login while its tokens end and are revoked.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::Stage;
use crate::checkout::{cleared, read, update, write};
use crate::machine::{NODE, NPM, PYTHON};
use crate::peers::{Login, Major, Npm, Python};
use crate::ports::free_port;
use crate::process::{self, Finished, Served, make_executable};

const LIMIT: Duration = Duration::from_secs(60);
/// Each row has servers of its own, and mostly waits.
const AT_ONCE: usize = 3;
/// How long a token lasts that ends while it is used: longer than one command takes on a machine that is busy.
const SHORT_SECONDS: u32 = 4;
/// How often it is used at most until it has ended.
const MOST_CALLS: usize = 500;
/// The exit code where a login is needed, and what the person is told.
const NO_LOGIN: (i32, &str) = (3, "mcp login");

const POST: &str = "client_secret_post";
const BASIC: &str = "client_secret_basic";

/// Which package makes a server.
#[derive(Clone, Copy)]
enum Of {
    PythonSdk(Major),
    FastMcp,
    TypeScriptSdk,
}

/// A kind of authorization server.
struct Row {
    name: &'static str,
    of: Of,
    kind: &'static str,
    /// Whether it passes on to another, which is the Python SDK's.
    is_proxy: bool,
    revokes: bool,
    /// How a client that was registered by hand may prove itself there.
    given: &'static [&'static str],
}

const ROWS: [Row; 6] = [
    Row {
        name: "the Python SDK 1",
        of: Of::PythonSdk(Major::One),
        kind: "sdk",
        is_proxy: false,
        revokes: true,
        given: &[POST, BASIC],
    },
    Row {
        name: "the Python SDK 2",
        of: Of::PythonSdk(Major::Two),
        kind: "sdk",
        is_proxy: false,
        revokes: true,
        given: &[POST, BASIC],
    },
    Row {
        name: "FastMCP",
        of: Of::FastMcp,
        kind: "fastmcp",
        is_proxy: false,
        revokes: true,
        given: &[POST, BASIC],
    },
    Row {
        name: "FastMCP's proxy",
        of: Of::FastMcp,
        kind: "fastmcp-proxy",
        is_proxy: true,
        revokes: true,
        given: &[],
    },
    Row {
        name: "the TypeScript SDK",
        of: Of::TypeScriptSdk,
        kind: "demo",
        is_proxy: false,
        revokes: true,
        given: &[POST],
    },
    Row {
        name: "the TypeScript SDK's proxy",
        of: Of::TypeScriptSdk,
        kind: "proxy",
        is_proxy: true,
        revokes: false,
        given: &[],
    },
];

/// What a person and a program do, one after the other.
const ACTS: [(&str, Act); 6] = [
    ("one login, one registration, and every later command uses them", log_in),
    ("a token that ends or is revoked is renewed without the person", renew),
    ("a login that is revoked is told, and made again with the same client", revoked),
    ("a logout revokes the tokens and forgets the login", log_out),
    ("a login that is not finished costs no second registration", given_up),
    ("a client that was registered by hand logs in, renews and is used by later commands", given),
];

type Act = fn(&Scene) -> Result<(), String>;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let what = "logins at the authorization servers of SDKs";
    if [&NODE, &NPM, &PYTHON].iter().any(|tool| stage.tally.need(tool, what).is_none()) {
        return Ok(());
    }
    println!("  installing the servers, unless they are there");
    let peers = Peers::install(stage.checkout)?;
    let program = stage.program()?;
    let folder = stage.checkout.scratch("login-others")?;
    let wanted =
        |row: &&Row| stage.options.program.as_ref().is_none_or(|name| row.kind.contains(name.as_str()));
    let rows: Vec<&Row> = ROWS.iter().filter(wanted).collect();
    process::some_at_once(
        AT_ONCE,
        &rows,
        |row| {
            let scene = Scene::new(&peers, &program, &folder.join(row.name.replace([' ', '\''], "-")), row)?;
            // What fails leaves a login behind that is not the next one's to judge.
            for (act, run) in ACTS {
                run(&scene).map_err(|why| format!("{act}: {why}"))?;
            }
            Ok(())
        },
        |row, result: Result<(), String>| stage.tally.check(&format!("mcp logs in at {}", row.name), result),
    );
    Ok(())
}

/// Where the packages are.
pub struct Peers {
    npm: Npm,
    login: Login,
    python: [PathBuf; 2],
    fastmcp: PathBuf,
    servers: PathBuf,
}

impl Peers {
    pub fn install(checkout: &crate::checkout::Checkout) -> Result<Self, String> {
        let python = |major| Python::install(checkout, major).map(|it| it.interpreter().to_owned());
        let npm = Npm::install(checkout)?;
        let servers = checkout.root.join("tests/login/others");
        // Node looks for packages from where a module is.
        update(&npm.folder().join("login-others.mjs"), &read(&servers.join("server.mjs"))?)?;
        Ok(Self {
            npm,
            login: Login::install(checkout)?,
            python: [python(Major::One)?, python(Major::Two)?],
            fastmcp: Python::fastmcp(checkout)?.interpreter().to_owned(),
            servers: servers.join("server.py"),
        })
    }

    fn command(&self, of: Of) -> Command {
        let [one, two] = &self.python;
        let (interpreter, script) = match of {
            Of::PythonSdk(Major::One) => (one.as_path(), self.servers.clone()),
            Of::PythonSdk(Major::Two) => (two.as_path(), self.servers.clone()),
            Of::FastMcp => (self.fastmcp.as_path(), self.servers.clone()),
            Of::TypeScriptSdk => (self.login.node(), self.npm.folder().join("login-others.mjs")),
        };
        let mut command = Command::new(interpreter);
        command.arg(script);
        command
    }
}

/// One row, with a person of its own.
struct Scene<'a> {
    row: &'a Row,
    program: PathBuf,
    folder: PathBuf,
    home: PathBuf,
    path: String,
    url: String,
    /// Where the tokens are made.
    issuer: String,
    /// Held for its life.
    _servers: Vec<Served>,
}

impl<'a> Scene<'a> {
    fn new(peers: &Peers, program: &Path, folder: &Path, row: &'a Row) -> Result<Self, String> {
        cleared(folder)?;
        let mut servers = Vec::new();
        let mut start = |command: &mut Command, log: &str| {
            let mut served = Served::start(command, &folder.join(log))?;
            let url = served.first_line()?;
            servers.push(served);
            Ok::<_, String>(url)
        };
        let mut command = peers.command(row.of);
        command.arg(row.kind);
        let behind = Of::PythonSdk(Major::Two);
        let issuer = match row.is_proxy {
            true => Some(start(peers.command(behind).arg("sdk"), "upstream")?),
            false => None,
        };
        command.args(issuer.as_deref().map(origin));
        let url = start(&mut command, "server")?;
        // What opens pages is a program of this name, found on the path.
        let bin = cleared(&folder.join("bin"))?;
        let browser = bin.join("xdg-open");
        let (node, script) = (peers.login.node().display(), peers.login.browser());
        let log = folder.join("pages");
        let text = format!(
            "#!/bin/sh\necho \"$1\" >>'{0}'\nexec '{node}' '{1}' agree \"$1\" >'{0}.err' 2>&1\n",
            log.display(),
            script.display(),
        );
        write(&browser, &text)?;
        make_executable(&browser)?;
        let path = std::env::var("PATH").unwrap_or_default();
        let scene = Self {
            row,
            program: program.to_owned(),
            folder: folder.to_owned(),
            home: cleared(&folder.join("home"))?,
            path: format!("{}:{path}", bin.display()),
            issuer: issuer.unwrap_or_else(|| url.clone()),
            url,
            _servers: servers,
        };
        if row.is_proxy {
            let redirect = format!("{}/auth/callback", origin(&scene.url));
            scene.register("proxy", "of-the-proxy", POST, &redirect)?;
        }
        Ok(scene)
    }

    /// A command of a person who agrees to what the browser shows.
    fn mcp(&self, words: &[&str]) -> Result<Finished, String> {
        let mut command = Command::new(&self.program);
        command.args(words).env("HOME", &self.home).env("PATH", &self.path).env("DISPLAY", ":0");
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "SSH_CONNECTION", "SSH_TTY"] {
            command.env_remove(name);
        }
        command.current_dir(&self.folder);
        process::run(&mut command, LIMIT, &self.folder.join("run"))
    }

    /// A command that works and says something.
    fn works(&self, words: &[&str], says: &str) -> Result<(), String> {
        self.mcp(words)?.says(&[says]).map_err(|why| format!("{words:?}: {why}"))
    }

    /// A command that a login is missing for.
    fn lacks_login(&self, words: &[&str]) -> Result<(), String> {
        let finished = self.mcp(words)?;
        match finished.code() == Some(NO_LOGIN.0) && finished.stderr.contains(NO_LOGIN.1) {
            true => Ok(()),
            false => Err(format!("{words:?}, {NO_LOGIN:?} is wanted: {}", finished.story())),
        }
    }

    fn logs_in(&self) -> Result<(), String> {
        self.works(&["login", &self.url], "logged in")
    }

    fn uses_login(&self) -> Result<(), String> {
        self.works(&["tools", &self.url], "echo")?;
        self.works(&["call", &self.url, "echo", "text=hello"], "hello")
    }

    /// How many pages were opened.
    fn pages(&self) -> Result<usize, String> {
        let log = self.folder.join("pages");
        if log.exists() { Ok(read(&log)?.lines().count()) } else { Ok(0) }
    }

    /// Has a server do something; gives what it has counted.
    fn control(server: &str, wish: &Value) -> Result<Value, String> {
        let answer = spoken(
            server.trim_end_matches("/mcp").rsplit(':').next().unwrap_or_default(),
            "POST",
            "/control",
            "Content-Type: application/json\r\n",
            &wish.to_string(),
        )?;
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        serde_json::from_str(body).map_err(|error| format!("{wish}: {answer}: {error}"))
    }

    /// Has the server that makes the tokens do something.
    fn at_issuer(&self, wish: &Value) -> Result<(), String> {
        Self::control(&self.issuer, wish).map(drop)
    }

    fn counted(server: &str, what: &str) -> Result<u64, String> {
        let counts = Self::control(server, &json!({}))?;
        counts[what].as_u64().ok_or_else(|| format!("no {what} in {counts}"))
    }

    fn register(&self, id: &str, secret: &str, method: &str, redirect: &str) -> Result<(), String> {
        self.at_issuer(
            &json!({ "client": { "id": id, "secret": secret, "method": method, "redirect": redirect } }),
        )
    }

    /// A number of both sides must be the wanted one.
    fn expect(&self, what: &str, found: u64, wanted: u64) -> Result<(), String> {
        if found == wanted {
            Ok(())
        } else {
            Err(format!("{found} {what}, not {wanted}, at {}", self.row.name))
        }
    }

    /// The registrations at the server itself, and the pages of the person.
    fn has_cost(&self, registrations: u64, pages: u64) -> Result<(), String> {
        self.expect("registrations", Self::counted(&self.url, "registrations")?, registrations)?;
        self.expect("pages", self.pages()? as u64, pages)
    }
}

/// One HTTP exchange; everything that comes back.
fn spoken(port: &str, method: &str, path: &str, headers: &str, body: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("{method} {path} at port {port}: {error}");
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).map_err(failed)?;
    stream.set_read_timeout(Some(LIMIT)).map_err(failed)?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).map_err(failed)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).map_err(failed)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

fn origin(url: &str) -> &str {
    url.trim_end_matches("/mcp")
}

fn log_in(scene: &Scene) -> Result<(), String> {
    scene.lacks_login(&["tools", &scene.url])?;
    scene.has_cost(0, 0)?;
    scene.logs_in()?;
    scene.uses_login()?;
    scene.works(&["auth", "status", &scene.url], "accepts")?;
    scene.has_cost(1, 1)
}

fn renew(scene: &Scene) -> Result<(), String> {
    scene.at_issuer(&json!({ "ttl": SHORT_SECONDS, "revoke": "access" }))?;
    let refreshes = || Scene::counted(&scene.issuer, "refreshes");
    let begun = refreshes()?;
    scene.works(&["tools", &scene.url], "echo")?;
    let renewed = refreshes()?;
    if renewed == begun {
        return Err("the server took the login without a refresh".to_owned());
    }
    for _ in 0..MOST_CALLS {
        scene.works(&["tools", &scene.url], "echo")?;
        if refreshes()? > renewed {
            // The next one lasts.
            scene.at_issuer(&json!({ "ttl": 3600, "revoke": "access" }))?;
            scene.uses_login()?;
            return scene.has_cost(1, 1);
        }
    }
    Err(format!("a token of {SHORT_SECONDS} s was sent {MOST_CALLS} times and never renewed"))
}

fn revoked(scene: &Scene) -> Result<(), String> {
    scene.at_issuer(&json!({ "revoke": "all" }))?;
    scene.lacks_login(&["tools", &scene.url])?;
    scene.has_cost(1, 1)?;
    scene.logs_in()?;
    scene.uses_login()?;
    scene.has_cost(1, 2)
}

fn log_out(scene: &Scene) -> Result<(), String> {
    scene.works(&["logout", &scene.url], "logged out")?;
    scene.lacks_login(&["tools", &scene.url])?;
    let is_revoked = Scene::counted(&scene.url, "revocations")? > 0;
    if is_revoked != scene.row.revokes {
        return Err(format!("whether the tokens were revoked: {is_revoked}"));
    }
    scene.has_cost(1, 2)
}

fn given_up(scene: &Scene) -> Result<(), String> {
    for _ in 0..2 {
        // No page comes back on the standard input.
        let finished = scene.mcp(&["login", &scene.url, "--no-browser"])?;
        if finished.succeeded() {
            return Err(format!("a login without the person: {}", finished.story()));
        }
    }
    scene.has_cost(2, 2)?;
    scene.logs_in()?;
    scene.uses_login()?;
    scene.works(&["logout", &scene.url], "logged out")?;
    scene.has_cost(2, 3)
}

fn given(scene: &Scene) -> Result<(), String> {
    for (number, method) in scene.row.given.iter().enumerate() {
        let (id, secret, port) = (format!("by-hand-{number}"), "s3cret +/%=", free_port()?);
        scene.register(&id, secret, method, &format!("http://127.0.0.1:{port}/callback"))?;
        let file = scene.folder.join("secret");
        write(&file, secret)?;
        let file = file.display().to_string();
        let words = [
            "login",
            &scene.url,
            "--client-id",
            &id,
            "--client-secret-file",
            &file,
            "--callback-port",
            &port,
        ];
        scene.works(&words, "logged in")?;
        scene.uses_login()?;
        scene.at_issuer(&json!({ "revoke": "access" }))?;
        scene.uses_login()?;
        scene.has_cost(2, 4 + number as u64)?;
        // The SDK for Python demands a secret in the form of a revocation, where Basic may have none.
        if *method == BASIC {
            scene.mcp(&["logout", &scene.url])?;
        } else {
            scene.works(&["logout", &scene.url], "logged out")?;
        }
        scene.lacks_login(&["tools", &scene.url])?;
    }
    Ok(())
}
