//! `mcp run` and `mcp bridge --allow`: a hostile program that tries to reach more than it is given, and a server that writes down what
//! reaches it (`tests/broker`).

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::checkout::{folder_at, read, write};
use crate::machine::{BUBBLEWRAP, PYTHON};
use crate::process::{self, Finished, Served};
use crate::test::Stage;

const LIMIT: Duration = Duration::from_secs(60);
/// What the server has in its environment, and the program must not have.
const SECRET: &str = "s3cret-of-the-broker";
/// What must not reach the server: other methods than these of the bridge itself and calls of tools.
const METHODS: [&str; 5] =
    ["server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call"];

pub fn run(stage: &mut Stage, program: &Path) -> Result<(), String> {
    let Some(python) = stage.tally.need(&PYTHON, "a hostile program below mcp run") else { return Ok(()) };
    let scene = Scene::new(stage, program, &python)?;
    stage.tally.check("a hostile program without a sandbox reaches allowed tools only", scene.plain());
    stage.tally.check("mcp bridge --allow lists what is allowed, at a socket of its owner", scene.bridge());
    stage.tally.check("mcp run has the exit code of the program, and ends it by SIGTERM", scene.ends());
    stage.tally.check("what --allow, --read and --pass name must be there", scene.refuses());
    if stage.tally.need(&BUBBLEWRAP, "a hostile program in a sandbox").is_some() {
        stage.tally.check("a hostile program in the sandbox reaches nothing else", scene.sandboxed());
    }
    // What is left of it is among temporary files.
    let _ = std::fs::remove_dir_all(&scene.run);
    Ok(())
}

struct Scene {
    program: PathBuf,
    /// The interpreter itself: what is called `python3` may be a script that finds it.
    python: String,
    /// What it needs besides its program.
    prefix: String,
    tests: PathBuf,
    folder: PathBuf,
    /// Short, for paths of sockets.
    run: PathBuf,
}

impl Scene {
    fn new(stage: &Stage, program: &Path, python: &Path) -> Result<Self, String> {
        let folder = stage.checkout.scratch("broker")?;
        let run = std::env::temp_dir().join(format!("mcp-broker-{}", std::process::id()));
        folder_at(&run)?;
        let asks = "import os, sys; print(os.path.realpath(sys.executable)); print(os.path.realpath(sys.base_prefix))";
        let said = process::run(Command::new(python).args(["-c", asks]), LIMIT, &folder.join("python"))?;
        let (python, prefix) = said.stdout.trim().split_once('\n').ok_or_else(|| said.story())?;
        Ok(Self {
            program: program.to_owned(),
            python: python.to_owned(),
            prefix: prefix.to_owned(),
            tests: stage.checkout.root.join("tests/broker"),
            folder,
            run,
        })
    }

    fn log(&self) -> PathBuf {
        self.folder.join("received.txt")
    }

    /// The server, as one word.
    fn server(&self) -> String {
        let words = [
            self.python.clone(),
            self.tests.join("server.py").display().to_string(),
            self.log().display().to_string(),
        ];
        words.map(|word| format!("'{word}'")).join(" ")
    }

    /// The program with a secret in its environment and a descriptor that it would hand on.
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$@\" 9<\"$0\""]).arg(self.secret_file()).arg(&self.program).args(words);
        command.env("BROKER_SECRET", SECRET).env("HOME", &self.folder).current_dir(&self.folder);
        command
    }

    fn secret_file(&self) -> PathBuf {
        self.run.join("login.json")
    }

    fn mcp(&self, name: &str, words: &[&str]) -> Result<Finished, String> {
        write(&self.secret_file(), SECRET)?;
        write(&self.log(), "")?;
        process::run(&mut self.command(words), LIMIT, &self.folder.join(name))
    }

    /// Runs the hostile program, which must have got nothing; the server must have heard of nothing else.
    fn hostile(&self, mode: &str, options: &[&str], more: &str) -> Result<(), String> {
        let hostile = self.tests.join("hostile.py").display().to_string();
        let facts = format!(
            "{{\"secret\":\"{SECRET}\",\"allowed\":[\"read\",\"ask\"],\"forbidden\":[\"write\",\"variable\"],\"bare_forbidden\":\"write\"{more}}}"
        );
        let server = self.server();
        let mut words = vec!["run", "--allow", "read", "--allow", "as*", "--pass", "GIVEN=this"];
        words.extend(options);
        words.extend([server.as_str(), "--", &self.python, &hostile, mode, &facts]);
        let finished = self.mcp(&format!("hostile-{mode}"), &words)?;
        if !finished.succeeded() || finished.stdout != "nothing\n" {
            return Err(finished.story());
        }
        let heard = read(&self.log())?;
        let mut calls = 0;
        for line in heard.lines().filter(|line| line.contains("\"method\":")) {
            if !METHODS.iter().any(|method| line.contains(&format!("\"method\":\"{method}\""))) {
                return Err(format!("the server heard {line}"));
            }
            let names = line.matches("\"name\":\"read\"").count() + line.matches("\"name\":\"ask\"").count();
            if line.contains("\"tools/call\"") {
                calls += 1;
                if names != 1
                    || line.matches("name\"").count()
                        - line.matches("\"params\":{\"name\":\"write\"}").count()
                        != 1
                {
                    return Err(format!("the server heard another name in {line}"));
                }
            }
        }
        if calls >= 3 { Ok(()) } else { Err(format!("the server heard {calls} calls: {heard}")) }
    }

    fn plain(&self) -> Result<(), String> {
        self.hostile("plain", &["--no-sandbox"], "")
    }

    fn sandboxed(&self) -> Result<(), String> {
        let cannot = |error: std::io::Error| format!("cannot listen: {error}");
        let port = TcpListener::bind("127.0.0.1:0").map_err(cannot)?;
        let address = port.local_addr().map_err(cannot)?;
        let other = self.run.join("other.sock");
        let _listens = UnixListener::bind(&other).map_err(cannot)?;
        let writable = self.folder.join("writable");
        std::fs::create_dir_all(&writable).map_err(|error| error.to_string())?;
        let hostile = self.tests.join("hostile.py").display().to_string();
        let more = format!(
            ",\"files\":[\"{}\",\"/etc/shadow\",\"{}\"],\"port\":{},\"other_socket\":\"{}\",\"readable\":\"{hostile}\",\"writable\":\"{}\"",
            self.secret_file().display(),
            self.log().display(),
            address.port(),
            other.display(),
            writable.display(),
        );
        let writable_word = writable.display().to_string();
        let options = ["--read", &self.prefix, "--read", &hostile, "--write", &writable_word];
        self.hostile("sandboxed", &options, &more)?;
        if read(&writable.join("made"))? == "by the program" {
            Ok(())
        } else {
            Err("nothing was made".to_owned())
        }
    }

    fn bridge(&self) -> Result<(), String> {
        let socket = self.run.join("bridge.sock");
        let address = format!("unix:{}", socket.display());
        write(&self.log(), "")?;
        write(&self.secret_file(), SECRET)?;
        let server = self.server();
        let mut command =
            self.command(&["bridge", "--listen", &address, "--allow", "two/read", "--allow", "one/as*"]);
        command.args([format!("one={server}"), format!("two={server}")]);
        let mut served = Served::start(&mut command, &self.folder.join("bridge"))?;
        let line = served.first_line()?;
        if line != address {
            return Err(format!("it listens at {line}"));
        }
        let mode =
            std::fs::metadata(&socket).map_err(|error| error.to_string())?.permissions().mode() & 0o777;
        if mode != 0o600 {
            return Err(format!("the socket has the mode {mode:o}"));
        }
        let listed = process::run(
            &mut self.command(&["tools", &address, "-o", "names"]),
            LIMIT,
            &self.folder.join("bridge-tools"),
        )?;
        if listed.stdout == "one__ask\ntwo__read\n" { Ok(()) } else { Err(listed.story()) }
    }

    fn ends(&self) -> Result<(), String> {
        let server = self.server();
        let words = ["run", "--no-sandbox", "--allow", "read", &server, "--", "sh", "-c", "exit 7"];
        let finished = self.mcp("exit", &words)?;
        if finished.code() != Some(7) {
            return Err(finished.story());
        }
        let mut command = self.command(&["run", "--no-sandbox", "--allow", "read"]);
        command.args([server.as_str(), "--", "sh", "-c", "echo $$ $PPID; exec sleep 1000"]);
        let mut served = Served::start(&mut command, &self.folder.join("signal"))?;
        let line = served.first_line()?;
        let (child, own) = line.split_once(' ').ok_or_else(|| format!("it said {line}"))?;
        let sent = Command::new("kill").args(["-TERM", own]).status();
        if !sent.is_ok_and(|status| status.success()) {
            return Err("cannot send SIGTERM".to_owned());
        }
        let ended = served.end(LIMIT)?;
        let alive = Command::new("kill").args(["-0", child]).output().map_err(|error| error.to_string())?;
        match ended.code() {
            Some(130) if !alive.status.success() => Ok(()),
            code => {
                Err(format!("it ended with {code:?}, and the program is there: {}", alive.status.success()))
            }
        }
    }

    fn refuses(&self) -> Result<(), String> {
        let server = self.server();
        let two = [format!("one={server}"), format!("two={server}")];
        let cases: [(&[&str], &str); 5] = [
            (&["--no-sandbox", "--allow", "raed", &server], "has no tool 'raed'"),
            (
                &["--no-sandbox", "--allow", "read", &two[0], &two[1]],
                "give SERVER/TOOL with one of: one, two",
            ),
            (&["--no-sandbox", "--allow", "three/read", &two[0], &two[1]], "no server is called 'three'"),
            (
                &["--no-sandbox", "--allow", "read", "--pass", "MCP_NO_SUCH", &server],
                "give MCP_NO_SUCH=VALUE",
            ),
            (&["--no-sandbox", &server], "--allow"),
        ];
        for (words, says) in cases {
            let words = [&["run"], words, &["--", "true"]].concat();
            let finished = self.mcp("refused", &words)?;
            let code = finished.code();
            if code != Some(1) || !finished.stderr.contains(says) {
                return Err(format!("{words:?}: {}", finished.story()));
            }
        }
        let empty = self.folder.join("empty");
        std::fs::create_dir_all(&empty).map_err(|error| error.to_string())?;
        let mut command = Command::new(&self.program);
        command.args(["run", "--allow", "read", &server, "--", "true"]).env("PATH", &empty);
        let finished = process::run(&mut command, LIMIT, &self.folder.join("no-bubblewrap"))?;
        if finished.stderr.contains("bubblewrap") && finished.stderr.contains("--no-sandbox") {
            Ok(())
        } else {
            Err(finished.story())
        }
    }
}
