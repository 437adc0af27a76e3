//! `mcp session`: a kept connection, two starts at one time, processes that are killed, sockets that are left, an end by idling, a
//! program that is replaced meanwhile. And `mcp serve`: programs as tools.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::until;
use crate::checkout::{folder_at, write};
use crate::process;
use crate::release::Built;
use crate::test::Stage;

const LIMIT: Duration = Duration::from_secs(60);

pub fn run(stage: &mut Stage, built: &Built, program: &Path) -> Result<(), String> {
    let folder = stage.checkout.scratch("sessions")?;
    let scene = Scene {
        program: program.to_owned(),
        server: built.example_server.display().to_string(),
        run: std::env::temp_dir().join(format!("mcp-xtask-{}", std::process::id())),
        folder,
    };
    scene.make()?;
    stage.tally.check("a session keeps one process of the server for several commands", scene.keeps());
    stage.tally.check("of two starts at one time one wins, and the other says why", scene.races());
    stage
        .tally
        .check("a session whose process was killed is told as such and started again", scene.crashes());
    stage.tally.check("a session that no command uses ends by itself", scene.idles());
    stage.tally.check("a session goes on when the program is replaced", scene.is_replaced());
    stage.tally.check("a server that does not start is the error of the start", scene.fails());
    stage.tally.check("programs are tools of mcp serve, and end with a cancelled call", scene.serves());
    // What is left of it is among temporary files.
    let _ = std::fs::remove_dir_all(&scene.run);
    Ok(())
}

struct Scene {
    program: PathBuf,
    server: String,
    /// Short, for a path of a socket.
    run: PathBuf,
    folder: PathBuf,
}

impl Scene {
    fn make(&self) -> Result<(), String> {
        folder_at(&self.run)
    }

    fn command(&self, program: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(words)
            .env("XDG_RUNTIME_DIR", &self.run)
            .env("HOME", &self.folder)
            .current_dir(&self.folder);
        command
    }

    fn with(&self, program: &Path, words: &[&str]) -> Result<process::Finished, String> {
        process::run(
            &mut self.command(program, words),
            LIMIT,
            &self.folder.join(words[..2].join("-").replace('/', "_")),
        )
    }

    fn mcp(&self, words: &[&str]) -> Result<process::Finished, String> {
        self.with(&self.program, words)
    }

    /// Runs a command that must succeed; gives its output.
    fn output(&self, words: &[&str]) -> Result<String, String> {
        let finished = self.mcp(words)?;
        finished.text().map_err(|why| format!("{words:?}: {why}"))
    }

    /// Runs one that must fail with an exit code; its error has `says`.
    fn refused(&self, words: &[&str], code: i32, says: &str) -> Result<(), String> {
        let finished = self.mcp(words)?;
        let is_right = finished.code() == Some(code);
        if is_right && finished.stderr.contains(says) {
            Ok(())
        } else {
            Err(format!("{words:?}: {}", finished.story()))
        }
    }

    fn keeps(&self) -> Result<(), String> {
        self.output(&["session", "start", "one", "--", &self.server])?;
        let first = self.output(&["call", "@one", "pid"])?;
        if first != self.output(&["call", "@one", "pid"])? {
            return Err("the second command has another process of the server".to_owned());
        }
        let names = self.output(&["session", "list", "-o", "names"])?;
        let second = self.output(&["session", "start", "two", "-o", "json", "--", &self.server])?;
        let stopped = self.output(&["session", "stop", "two", "-o", "json"])?;
        if !second.contains("\"session\"") || !second.contains("\"pid\"") || !stopped.contains("\"stopped\"")
        {
            return Err(format!("as JSON: {second}{stopped}"));
        }
        self.output(&["session", "stop", "one"])?;
        if names != "one\n" {
            return Err(format!("the list is {names:?}"));
        }
        self.refused(&["call", "@one", "pid"], 4, "there is no session 'one'")?;
        self.refused(&["session", "stop", "one"], 1, "there is no session 'one'")
    }

    fn races(&self) -> Result<(), String> {
        for _ in 0..5 {
            let words = ["session", "start", "race", "--", &self.server];
            let starts: Vec<_> = (0..3)
                .map(|number| {
                    let mut command = self.command(&self.program, &words);
                    let log = self.folder.join(format!("race-{number}"));
                    std::thread::spawn(move || process::run(&mut command, LIMIT, &log))
                })
                .collect();
            let mut won = 0;
            for start in starts {
                let finished = start.join().map_err(|_| "a thread of the test panicked")??;
                if finished.succeeded() {
                    won += 1;
                } else if !finished.stderr.contains("runs already, or is being started") {
                    return Err(finished.story());
                }
            }
            self.output(&["session", "stop", "race"])?;
            if won != 1 {
                return Err(format!("{won} of 3 starts succeeded"));
            }
        }
        Ok(())
    }

    fn crashes(&self) -> Result<(), String> {
        for _ in 0..3 {
            self.output(&["session", "start", "crash", "--", &self.server])?;
            let pid = self.pid()?;
            let killed = Command::new("kill").args(["-KILL", &pid]).status();
            if !killed.is_ok_and(|status| status.success()) {
                return Err("cannot send SIGKILL".to_owned());
            }
            until("the killed session is gone", || {
                Ok(self.output(&["session", "list"])?.lines().count() <= 1)
            })?;
            self.refused(&["call", "@crash", "pid"], 4, "there is no session 'crash'")?;
            if !self.run.join("libmcp/crash.sock").exists() {
                return Err("its socket is not there, so that the test shows nothing".to_owned());
            }
        }
        self.output(&["session", "start", "crash", "--", &self.server])?;
        self.output(&["call", "@crash", "echo", "text=again"])?;
        self.output(&["session", "stop", "crash"]).map(drop)
    }

    fn idles(&self) -> Result<(), String> {
        self.output(&["session", "start", "idle", "--idle", "0.3", "--", &self.server])?;
        until("it ends", || Ok(!self.output(&["session", "list"])?.contains("@idle")))
    }

    fn is_replaced(&self) -> Result<(), String> {
        let copy = self.folder.join("mcp-old");
        // The copy of an earlier run may be there.
        let _ = std::fs::remove_file(&copy);
        std::fs::copy(&self.program, &copy).map_err(|error| format!("cannot copy the program: {error}"))?;
        self.with(&copy, &["session", "start", "old", "--", &self.server])?.well()?;
        std::fs::remove_file(&copy).map_err(|error| format!("cannot remove the program: {error}"))?;
        write(&copy, "no program any more")?;
        self.output(&["call", "@old", "echo", "text=still here"])?;
        self.output(&["session", "stop", "old"]).map(drop)
    }

    fn fails(&self) -> Result<(), String> {
        self.refused(&["session", "start", "bad", "--", "/nonexistent/server"], 4, "there is no such file")?;
        self.refused(&["session", "start", "a/b", "--", &self.server], 1, "is not a name of a session")
    }

    fn serves(&self) -> Result<(), String> {
        let file = self.folder.join("tools.yaml");
        write(
            &file,
            "name: programs\ntools:\n  - name: say\n    command: [printf, '%s', '{text}']\n    \
             inputSchema: {type: object, properties: {text: {type: string}}, required: [text]}\n  \
             - name: wait\n    shell: 'echo $$ > pid; sleep 1000 & sleep 1000'\n  \
             - name: wrong\n    shell: 'echo why >&2; exit 4'\n",
        )?;
        let target = format!("{} serve {}", self.program.display(), file.display());
        if self.output(&["call", &target, "say", "text=$(id) `id`"])? != "$(id) `id`\n" {
            return Err("the text of an argument is not what the program got".to_owned());
        }
        self.refused(&["call", &target, "wrong"], 5, "reported an error")?;
        self.refused(&["--timeout", "1", "call", &target, "wait"], 4, "did not answer")?;
        let pid = crate::checkout::read(&self.folder.join("pid"))?;
        // The group has the number of its leader.
        until("the whole group has ended", || {
            let group = format!("-{}", pid.trim());
            let alive = Command::new("kill").args(["-0", "--", &group]).output();
            Ok(!alive.map_err(|error| format!("cannot run kill: {error}"))?.status.success())
        })?;
        write(&file, "name: x\ntools:\n  - name: y\n    comand: [z]\n")?;
        self.refused(&["serve", "--check", &file.display().to_string()], 1, "unknown field `comand`")
    }

    /// The process of the only session.
    fn pid(&self) -> Result<String, String> {
        let list = self.output(&["session", "list", "-o", "json"])?;
        let pid = list.split("\"pid\":").nth(1).map(str::trim_start);
        let digits: String = pid.unwrap_or_default().chars().take_while(char::is_ascii_digit).collect();
        if digits.is_empty() { Err(format!("no process in {list}")) } else { Ok(digits) }
    }
}
