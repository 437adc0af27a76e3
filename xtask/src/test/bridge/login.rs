//! A server that demands a login, behind the bridge, and a bridge that demands one itself: with the authorization server and the MCP
//! server that others made (`tests/login/servers.mjs`). No token comes out of the bridge towards its clients, and none that a client
//! sends goes on to the server.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Background, spoken, until};
use crate::checkout::{cleared, read, write};
use crate::machine::{NODE, NPM};
use crate::peers::Login;
use crate::ports::free_port;
use crate::process::{self, Finished, Served};
use crate::test::Stage;

const LIMIT: Duration = Duration::from_secs(60);
/// What a client of the bridge sends to authorize itself. It is for the bridge, and no other program may see it.
const OF_CLIENT: &str = "Authorization: Bearer of-the-client-and-no-other";
/// What a person is told who has to log in.
const ADVICE: &str = "mcp login";

pub fn run(stage: &mut Stage, program: &Path) -> Result<(), String> {
    let what = "a server that demands a login behind the bridge";
    if [&NODE, &NPM].iter().any(|tool| stage.tally.need(tool, what).is_none()) {
        return Ok(());
    }
    println!("  installing the servers, unless they are there");
    let login = Login::install(stage.checkout)?;
    let folder = stage.checkout.scratch("bridge-login")?;
    let tests = [
        ("a person's login serves every client of the bridge, and stays in it", person as Test),
        ("the bridge logs in with credentials of its own", credentials),
        ("the bridge demands a login of its clients, and has another one at the server", both),
    ];
    // Each has servers of its own, and mostly waits.
    process::some_at_once(
        tests.len(),
        &[0, 1, 2],
        |at| Scene::new(program, &login, &folder.join(at.to_string())).and_then(|scene| tests[*at].1(&scene)),
        |at, result| stage.tally.check(tests[*at].0, result),
    );
    Ok(())
}

type Test = fn(&Scene) -> Result<(), String>;

struct Scene {
    program: PathBuf,
    login: Login,
    folder: PathBuf,
    /// The home of the bridge, with its logins.
    home: PathBuf,
    /// Held for its life.
    _servers: Served,
    url: String,
    issuer: String,
    control: String,
}

impl Scene {
    fn new(program: &Path, login: &Login, folder: &Path) -> Result<Self, String> {
        cleared(folder)?;
        let mut servers =
            Served::start(Command::new(login.node()).arg(login.servers()), &folder.join("servers"))?;
        let line = servers.first_line()?;
        let ports: Vec<&str> = line.split(' ').collect();
        let [mcp, authorization, control] = ports[..] else {
            return Err(format!("the servers say '{line}', which are not three ports"));
        };
        Ok(Self {
            program: program.to_owned(),
            login: login.clone(),
            home: cleared(&folder.join("home"))?,
            folder: folder.to_owned(),
            url: format!("http://127.0.0.1:{mcp}/mcp"),
            issuer: format!("http://127.0.0.1:{authorization}"),
            control: control.to_owned(),
            _servers: servers,
        })
    }

    fn command(&self, home: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words).env("HOME", home).current_dir(&self.folder);
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
            command.env_remove(name);
        }
        command
    }

    fn mcp(&self, home: &Path, words: &[&str]) -> Result<Finished, String> {
        process::run(&mut self.command(home, words), LIMIT, &self.folder.join("run"))
    }

    /// A command that must succeed; gives its output.
    fn output(&self, home: &Path, words: &[&str]) -> Result<String, String> {
        let finished = self.mcp(home, words)?;
        finished.text().map_err(|why| format!("{words:?}: {why}"))
    }

    /// A command that must fail with an exit code, and says what to do.
    fn refused(&self, home: &Path, words: &[&str], code: i32) -> Result<(), String> {
        let finished = self.mcp(home, words)?;
        let is_right = finished.code() == Some(code);
        if is_right && finished.stderr.contains(ADVICE) {
            return Ok(());
        }
        Err(format!("{words:?}, exit code {code} is wanted: {}", finished.story()))
    }

    /// A person logs in: opens the URL that `mcp login` prints, agrees, and pastes where the browser came to.
    fn log_in(&self, home: &Path, url: &str, more: &[&str]) -> Result<(), String> {
        let mut command = self.command(home, &["login", url, "--no-browser"]);
        command.args(more).env_remove("LD_LIBRARY_PATH");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("cannot start the program: {error}"))?;
        let stderr = child.stderr.take().ok_or("it has no standard error")?;
        let mut said = String::new();
        let mut pasted = false;
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            let word = line.trim();
            if word.starts_with(&self.issuer) && !pasted {
                let mut browser = Command::new(self.login.node());
                browser.arg(self.login.browser()).args(["stop", word]);
                let seen = process::run(&mut browser, LIMIT, &self.folder.join("browser"))?;
                let mut stdin = child.stdin.take().ok_or("it has no standard input")?;
                stdin.write_all(seen.stdout.as_bytes()).map_err(|error| error.to_string())?;
                pasted = true;
            }
            said.push_str(&line);
            said.push('\n');
        }
        let status = child.wait().map_err(|error| error.to_string())?;
        if status.success() && pasted { Ok(()) } else { Err(format!("login ended with {status}: {said}")) }
    }

    /// A bridge to the server at `url`, at a port of its own.
    fn bridge(&self, more: &[&str]) -> Result<(Background, String), String> {
        let port = free_port()?;
        let address = format!("http://127.0.0.1:{port}/mcp");
        let mut command = self.command(&self.home, &["bridge", "--listen", &address]);
        command.args(more).arg(&self.url).env_remove("LD_LIBRARY_PATH");
        let bridge = Background::listening(&mut command, &port, &self.folder.join("bridge.log"))?;
        Ok((bridge, address))
    }

    /// Has the servers do something, or asks them.
    fn control(&self, method: &str, path: &str, body: &str) -> Result<String, String> {
        let answer = spoken(&self.control, method, path, "", body)?;
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
        body.ok_or_else(|| format!("no answer to {path}: {answer}"))
    }

    /// How often something happened at the servers.
    fn counted(&self, what: &str) -> Result<u32, String> {
        let stats = self.control("GET", "/stats", "")?;
        let after = stats.split(&format!("\"{what}\":")).nth(1).unwrap_or("0");
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().map_err(|error| format!("{what} in {stats}: {error}"))
    }

    /// The tokens that came to the MCP server.
    fn tokens(&self) -> Result<Vec<String>, String> {
        let all = self.control("GET", "/authorizations", "")?;
        Ok(all
            .split("\"Bearer ")
            .skip(1)
            .filter_map(|rest| Some(rest.split('"').next()?.to_owned()))
            .collect())
    }

    /// The client of the bridge is not what the server sees.
    fn saw_no_client(&self) -> Result<Vec<String>, String> {
        let tokens = self.tokens()?;
        let own = OF_CLIENT.rsplit(' ').next().unwrap_or_default();
        if tokens.is_empty() || tokens.iter().any(|token| token == own) {
            return Err(format!("the server got the tokens {tokens:?}"));
        }
        Ok(tokens)
    }
}

/// What a client of 2026-07-28 gets, byte for byte, for a call of a tool.
fn raw_call(address: &str, tool: &str) -> Result<String, String> {
    let port = address.split([':', '/']).nth(4).unwrap_or_default();
    let headers = format!(
        "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n{OF_CLIENT}\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n"
    );
    let body = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"{tool}\",\"arguments\":{{\"text\":\"hi\"}},\
         \"_meta\":{{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\
         \"io.modelcontextprotocol/clientInfo\":{{\"name\":\"raw\",\"version\":\"1\"}},\
         \"io.modelcontextprotocol/clientCapabilities\":{{}}}}}}}}"
    );
    spoken(port, "POST", "/mcp", &headers, &body)
}

fn person(scene: &Scene) -> Result<(), String> {
    let (home, stranger) = (&scene.home, cleared(&scene.folder.join("stranger"))?);
    scene.refused(home, &["bridge", &scene.url], 3)?;
    scene.log_in(home, &scene.url, &[])?;
    let (bridge, address) = scene.bridge(&[])?;
    let echo = |place: &str, era: &str| {
        let words = ["call", "--protocol", era, "-H", OF_CLIENT, place, "echo", "text=hi"];
        let said = scene.output(&stranger, &words)?;
        if said == "hi\n" { Ok(()) } else { Err(format!("it says {said:?}")) }
    };
    // The clients have no login, and need none.
    echo(&address, "legacy")?;
    echo(&address, "modern")?;
    let on_stdio = format!("{} bridge {}", scene.program.display(), scene.url);
    let said = scene.output(home, &["call", &on_stdio, "echo", "text=hi"])?;
    if said != "hi\n" {
        return Err(format!("on stdio it says {said:?}"));
    }

    // A token that the server no longer takes is renewed, and the client notices nothing.
    let renewed = scene.counted("granted_refresh_token")?;
    scene.control("POST", "/revoke-access", "")?;
    echo(&address, "modern")?;
    if scene.counted("granted_refresh_token")? <= renewed {
        return Err("the token was not renewed".to_owned());
    }

    // A tool needs more than the login has. The client learns what to do; no person is asked by the bridge.
    let write = ["call", address.as_str(), "write"];
    scene.refused(&stranger, &write, 1)?;
    if scene.counted("challenged_insufficient_scope")? == 0 {
        return Err("the server did not demand another scope".to_owned());
    }
    echo(&address, "legacy")?;
    let all: String = [raw_call(&address, "echo")?, raw_call(&address, "write")?].concat();
    if !all.contains("\"hi\"") || !all.contains("auth_required") {
        return Err(format!("the client got {all}"));
    }
    if let Some(token) = scene.saw_no_client()?.iter().find(|token| all.contains(token.as_str())) {
        return Err(format!("the client got the token {token}: {all}"));
    }
    if all.to_ascii_lowercase().contains("www-authenticate") {
        return Err(format!("the client got the challenge of the server: {all}"));
    }
    scene.log_in(
        home,
        &scene.url,
        &["--scope", "mcp:basic", "--scope", "mcp:write", "--scope", "offline_access"],
    )?;
    until("the bridge uses the larger login", || Ok(scene.mcp(&stranger, &write)?.stdout == "written\n"))?;

    // An administrator ends the login; a new one is used without a new bridge.
    scene.control("POST", "/revoke", "")?;
    scene.refused(&stranger, &["call", &address, "echo", "text=hi"], 1)?;
    scene.log_in(home, &scene.url, &[])?;
    until("the bridge uses the new login", || Ok(echo(&address, "modern").is_ok()))?;
    scene.saw_no_client()?;
    bridge.terminate()
}

fn credentials(scene: &Scene) -> Result<(), String> {
    let (home, stranger) = (&scene.home, cleared(&scene.folder.join("stranger"))?);
    let secret = scene.folder.join("secret");
    write(&secret, "a+secret/with=signs\n")?;
    let secret = secret.display().to_string();
    let words = ["login", &scene.url, "--client-id", "given beforehand", "--secret-file", &secret];
    let said = scene.output(home, &[&words[..], &["-o", "json"]].concat())?;
    let status = scene.output(home, &["auth", "status", &scene.url, "-o", "json"])?;
    if !said.contains("\"logged_in\": true") || !status.contains("\"accepted\": true") {
        return Err(format!("as JSON: {said}{status}"));
    }
    let (bridge, address) = scene.bridge(&[])?;
    let call = ["call", "-H", OF_CLIENT, &address, "echo", "text=hi"];
    scene.output(&stranger, &call)?;
    let before = scene.counted("granted_client_credentials")?;
    scene.control("POST", "/revoke-access", "")?;
    scene.output(&stranger, &call)?;
    if scene.counted("granted_client_credentials")? <= before {
        return Err("the bridge did not log in again".to_owned());
    }
    scene.saw_no_client()?;
    bridge.terminate()?;
    let said = scene.output(home, &["logout", &scene.url, "-o", "json"])?;
    scene.refused(home, &["auth", "status", &scene.url], 3)?;
    if said.contains("\"logged_in\": false") { Ok(()) } else { Err(format!("as JSON: {said}")) }
}

fn both(scene: &Scene) -> Result<(), String> {
    let (home, client) = (&scene.home, cleared(&scene.folder.join("client"))?);
    scene.log_in(home, &scene.url, &[])?;
    let file = scene.folder.join("auth.json");
    let path = file.display().to_string();
    write(&file, "{\"application\":true,\"authorization_servers\":[\"https://a.example\"]}")?;
    let refused =
        scene.mcp(home, &["bridge", "--listen", "http://127.0.0.1:0/mcp", "--auth", &path, &scene.url])?;
    if refused.code() != Some(1) || !refused.stderr.contains("application") {
        return Err(refused.story());
    }
    let port = free_port()?;
    let address = format!("http://127.0.0.1:{port}/mcp");
    let issuer = &scene.issuer;
    write(
        &file,
        &format!(
            "{{\"resource\":\"{address}\",\"authorization_servers\":[\"{issuer}\"],\"scopes\":[\"mcp:basic\"],\
             \"introspection\":{{\"url\":\"{issuer}/token/introspection\",\"client_id\":\"the-mcp-server\",\
             \"client_secret\":\"of-the-mcp-server\"}}}}"
        ),
    )?;
    scene.control("POST", "/set", &format!("{{\"other\":\"{address}\"}}"))?;
    let mut command = scene.command(home, &["bridge", "--listen", &address, "--auth", &path, &scene.url]);
    command.env_remove("LD_LIBRARY_PATH");
    let bridge = Background::listening(&mut command, &port, &scene.folder.join("bridge-both.log"))?;
    let call = ["call", address.as_str(), "echo", "text=hi"];
    scene.refused(&client, &call, 3)?;
    scene.log_in(&client, &address, &[])?;
    for era in ["legacy", "modern"] {
        let said = scene.output(&client, &[&["--protocol", era][..], &call].concat())?;
        if said != "hi\n" {
            return Err(format!("it says {said:?}"));
        }
    }
    let own = kept_token(&client)?;
    let tokens = scene.tokens()?;
    if tokens.is_empty() || tokens.contains(&own) {
        return Err(format!("the client's token {own} is among those that came to the server: {tokens:?}"));
    }
    // The bridge refuses a token for the server.
    let other = ["call", "-H", &format!("Authorization: Bearer {}", tokens[0]), &address, "echo", "text=hi"];
    let finished = scene.mcp(&cleared(&scene.folder.join("stranger"))?, &other)?;
    if finished.code() != Some(3) {
        return Err(format!("the bridge takes the token of the server behind: {}", finished.story()));
    }
    bridge.terminate()
}

/// The token that a home keeps.
fn kept_token(home: &Path) -> Result<String, String> {
    let folder = home.join(".local/share/libmcp/tokens");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.extension().is_some_and(|extension| extension == "json")
            && let Some(rest) = read(&path)?.split("\"access\"").nth(1)
            && let Some(token) = rest.split('"').nth(1)
        {
            return Ok(token.to_owned());
        }
    }
    Err(format!("no token in {}", folder.display()))
}
