//! Runs the program of one call: with bounded output, a time limit, and an end for all that it started.

use super::description::Tool;
use super::placeholders::{filled, written};
use crate::group::Group;
use rustix::process::{Signal, WaitId, WaitIdOptions, waitid};
use serde_json::{Map, Value};
use std::io::{Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// What is kept of standard error.
const ERRORS: usize = 16 << 10;
/// What a program has to end after it was asked to.
const GRACE: Duration = Duration::from_secs(2);
/// What programs that it left behind have to close its output, before they are killed.
const LEFT_BEHIND: Duration = Duration::from_millis(500);

/// Something that happens to the program.
#[derive(Debug)]
pub enum Happening {
    Exited(Option<i32>),
    Output(Vec<u8>),
    TooMuch,
    Errors(Vec<u8>),
    /// The client no longer wants the result.
    Cancelled,
}

/// How it ended.
#[derive(Debug)]
pub enum End {
    /// With this output and these errors; the exit code is `None` after a signal.
    Done {
        code: Option<i32>,
        output: Vec<u8>,
        errors: Vec<u8>,
    },
    /// It never started, or was stopped, for this reason.
    Failed(String),
    Cancelled,
}

/// The command of a call.
///
/// # Errors
/// What cannot be given to a program.
pub fn command(tool: &Tool, arguments: &Map<String, Value>) -> Result<(Command, Option<Vec<u8>>), String> {
    let mut command = match &tool.shell {
        Some(text) => {
            let mut command = Command::new("sh");
            command.args(["-c", text]);
            for (name, value) in arguments {
                if tool.declares(name) && is_variable(name) {
                    command.env(name, written(name, value)?);
                }
            }
            command
        }
        None => {
            let (program, words) = tool.command.split_first().ok_or("the tool has no program")?;
            let mut command = Command::new(program);
            for word in words {
                if let Some(word) = filled(word, arguments)? {
                    command.arg(word);
                }
            }
            command
        }
    };
    for (name, text) in &tool.env {
        if let Some(value) = filled(text, arguments)? {
            command.env(name, value);
        }
    }
    if let Some(cwd) = &tool.cwd {
        command.current_dir(cwd);
    }
    let input = match tool.stdin.as_deref() {
        None => None,
        Some("json") => Some(Value::Object(arguments.clone()).to_string().into_bytes()),
        Some(text) => Some(filled(text, arguments)?.unwrap_or_default().into_bytes()),
    };
    Ok((command, input))
}

/// Names in lower case that programs read from their environment: shells, and with these beginnings npm and its like, and fish.
const READ_BY_PROGRAMS: [&str; 3] = ["auto_resume", "histchars", "npm_execpath"];
const BEGINNINGS: [&str; 6] = ["npm_config_", "npm_node_", "npm_package_", "pnpm_config_", "yarn_", "fish_"];

/// Whether an argument may become a variable of a shell: in lower case, so that it cannot be `PATH` or `LD_PRELOAD`, and nothing that
/// programs read, such as `http_proxy`, which would get what they send.
fn is_variable(name: &str) -> bool {
    if name.ends_with("_proxy")
        || READ_BY_PROGRAMS.contains(&name)
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
    {
        return false;
    }
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_lowercase())
        && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Where the main thread says that a call was cancelled.
pub fn line() -> (Sender<Happening>, Receiver<Happening>) {
    channel()
}

/// Runs the command of a call to its end.
pub fn run(
    tool: &Tool,
    made: Result<(Command, Option<Vec<u8>>), String>,
    (sender, happenings): (Sender<Happening>, &Receiver<Happening>),
) -> End {
    let (mut command, input) = match made {
        Ok(made) => made,
        Err(why) => return End::Failed(why),
    };
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let (mut child, group) = match Group::spawn(&mut command) {
        Ok(started) => started,
        Err(error) => return End::Failed(format!("the program cannot be started: {error}")),
    };
    let watched = watch(&mut child, input, tool.max_output, &sender);
    let pid = group.as_ref().map(Group::pid);
    // Ends with the program, which this function sees to. The program is reaped last: until then no other one has its number.
    let wait = move || {
        let ended = pid.map(|pid| waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT));
        let code = ended.and_then(|ended| ended.ok().flatten()?.exit_status());
        let _is_heard = sender.send(Happening::Exited(code));
    };
    if let Err(error) = watched.and_then(|()| thread("mcp-serve-exit", wait)) {
        if let Some(group) = group {
            group.signal(Signal::KILL);
        }
        let _status = child.wait();
        return End::Failed(format!("no thread is left to watch the program: {error}"));
    }
    let deadline = Instant::now() + Duration::from_secs_f64(tool.timeout);
    let end = Watch { group: group.as_ref(), deadline, stopped: None }.follow(tool, happenings);
    // It has ended, or was killed.
    let _status = child.wait();
    end
}

fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// Threads that feed and read the program; each ends with the pipe.
fn watch(
    child: &mut Child,
    input: Option<Vec<u8>>,
    limit: usize,
    sender: &Sender<Happening>,
) -> std::io::Result<()> {
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        thread("mcp-serve-input", move || {
            // A program need not read it.
            let _is_read = stdin.write_all(&input);
        })?;
    }
    if let Some(mut stdout) = child.stdout.take() {
        let sender = sender.clone();
        thread("mcp-serve-output", move || {
            let mut output = Vec::new();
            let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
            // What was read before a failure counts.
            let _end = Read::by_ref(&mut stdout).take(most).read_to_end(&mut output);
            let is_too_much = output.len() > limit;
            let happening = if is_too_much { Happening::TooMuch } else { Happening::Output(output) };
            let _is_heard = sender.send(happening);
        })?;
    }
    if let Some(mut stderr) = child.stderr.take() {
        let sender = sender.clone();
        thread("mcp-serve-errors", move || {
            let mut last: Vec<u8> = Vec::new();
            let mut block = [0; 4096];
            while let Ok(count @ 1..) = stderr.read(&mut block) {
                last.extend_from_slice(&block[..count]);
                if last.len() > ERRORS {
                    last.drain(..last.len() - ERRORS);
                }
            }
            let _is_heard = sender.send(Happening::Errors(last));
        })?;
    }
    Ok(())
}

/// What is known of a program that runs.
struct Watch<'g> {
    group: Option<&'g Group>,
    deadline: Instant,
    /// Why it was asked to end.
    stopped: Option<End>,
}

impl Watch<'_> {
    fn follow(mut self, tool: &Tool, happenings: &Receiver<Happening>) -> End {
        let (mut code, mut output, mut errors) = (None, None, None);
        let mut has_ended = false;
        let mut was_killed = false;
        let mut is_left_behind = false;
        loop {
            if has_ended && (self.stopped.is_some() || output.is_some() && errors.is_some()) {
                break;
            }
            match happenings.recv_timeout(self.deadline.saturating_duration_since(Instant::now())) {
                Ok(Happening::Exited(status)) => {
                    (code, has_ended) = (status, true);
                    if self.stopped.is_none() {
                        self.deadline = Instant::now() + LEFT_BEHIND;
                    }
                }
                Ok(Happening::Output(bytes)) => output = Some(bytes),
                Ok(Happening::Errors(bytes)) => errors = Some(bytes),
                Ok(Happening::TooMuch) => {
                    let what = format!("the program wrote more than {} bytes", tool.max_output);
                    self.stop(End::Failed(what));
                }
                Ok(Happening::Cancelled) => self.stop(End::Cancelled),
                // What the program left behind holds its output open: it ends, and what was written is read.
                Err(RecvTimeoutError::Timeout) if has_ended && !is_left_behind => {
                    is_left_behind = true;
                    self.signal(Signal::KILL);
                    self.deadline = Instant::now() + GRACE;
                }
                Err(RecvTimeoutError::Timeout) if has_ended => break,
                Err(RecvTimeoutError::Timeout) if self.stopped.is_some() => {
                    if was_killed {
                        break;
                    }
                    was_killed = true;
                    self.signal(Signal::KILL);
                    self.deadline = Instant::now() + GRACE;
                }
                Err(RecvTimeoutError::Timeout) => {
                    let what = format!("the program did not end within {} s", tool.timeout);
                    self.stop(End::Failed(what));
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        // What it left behind ends with the call.
        self.signal(Signal::KILL);
        match (self.stopped, output) {
            (Some(end), _) => end,
            (None, Some(output)) => {
                let unread = || b"(another program still holds its standard error open)".to_vec();
                End::Done { code, output, errors: errors.unwrap_or_else(unread) }
            }
            (None, None) => End::Failed(
                "the program ended, but another one that it started still holds its output open, so that a part \
                 may be missing; start that one with its output somewhere else"
                    .to_owned(),
            ),
        }
    }

    fn stop(&mut self, why: End) {
        if self.stopped.is_none() {
            self.stopped = Some(why);
            self.deadline = Instant::now() + GRACE;
            self.signal(Signal::TERM);
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            group.signal(signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tool(value: Value) -> Tool {
        let mut value = value;
        value["name"] = "x".into();
        serde_json::from_value(value).expect("a tool")
    }

    fn ran(tool: &Tool, arguments: &Value) -> End {
        let (sender, happenings) = line();
        run(tool, command(tool, arguments.as_object().expect("an object")), (sender, &happenings))
    }

    fn done(end: End) -> (Option<i32>, String, String) {
        match end {
            End::Done { code, output, errors } => {
                (code, String::from_utf8(output).expect("text"), String::from_utf8(errors).expect("text"))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn arguments_are_words_and_never_read_by_a_shell() {
        let it = tool(json!({"command": ["printf", "%s|", "{a}", "--b={b}", "--c={c}"]}));
        let (code, output, _) = done(ran(&it, &json!({"a": "$(id); `id`", "b": 2})));
        assert_eq!((code, output.as_str()), (Some(0), "$(id); `id`|--b=2|"));
    }

    #[test]
    fn a_shell_gets_arguments_as_variables() {
        let text = "printf '%s' \"$a${undeclared_here-}${http_proxy-}${npm_config_registry-}\"; echo why >&2; exit 3";
        let properties = json!({"a": {}, "PATH": {}, "http_proxy": {}, "npm_config_registry": {}});
        let it = tool(json!({"shell": text, "inputSchema": {"properties": properties}}));
        let given = json!({"a": "x; echo y", "undeclared_here": "no", "PATH": "/nowhere", "http_proxy": "evil",
            "npm_config_registry": "evil"});
        let (made, _) = command(&it, given.as_object().expect("an object")).expect("a command");
        assert_eq!(made.get_envs().collect::<Vec<_>>(), [("a".as_ref(), Some("x; echo y".as_ref()))]);
        let (code, output, errors) = done(ran(&it, &json!({"a": "x; echo y"})));
        assert!(output.starts_with("x; echo y"));
        assert_eq!((code, errors.as_str()), (Some(3), "why\n"));
        for name in
            ["no_proxy", "https_proxy", "all_proxy", "histchars", "npm_config_script_shell", "_x", "Ab", ""]
        {
            assert!(!is_variable(name), "{name}");
        }
        assert!(is_variable("path") && is_variable("proxy"));
    }

    #[test]
    fn standard_input_is_a_text_or_all_arguments() {
        let it = tool(json!({"command": ["cat"], "stdin": "json"}));
        assert_eq!(done(ran(&it, &json!({"a": 1}))).1, r#"{"a":1}"#);
        let it = tool(json!({"command": ["cat"], "stdin": "<{a}>"}));
        assert_eq!(done(ran(&it, &json!({"a": 1}))).1, "<1>");
    }

    #[test]
    fn output_and_time_have_limits_and_the_whole_group_ends() {
        let it = tool(json!({"shell": "yes", "maxOutput": 1000}));
        assert!(matches!(ran(&it, &json!({})), End::Failed(why) if why.contains("1000 bytes")));
        let it = tool(json!({"shell": "sleep 1000 & echo $!; trap '' TERM; sleep 1000", "timeout": 0.2}));
        assert!(matches!(ran(&it, &json!({})), End::Failed(why) if why.contains("0.2 s")));
    }

    #[test]
    fn a_cancelled_call_ends_the_program() {
        let it = tool(json!({"command": ["sleep", "1000"]}));
        let (sender, happenings) = line();
        sender.send(Happening::Cancelled).expect("heard");
        assert!(matches!(run(&it, command(&it, &Map::new()), (sender, &happenings)), End::Cancelled));
    }

    #[test]
    fn what_a_program_leaves_behind_delays_no_answer_and_ends() {
        let it = tool(json!({"shell": "sleep 1000 & echo $!"}));
        let started = Instant::now();
        let (code, output, _) = done(ran(&it, &json!({})));
        // What was written before is not lost.
        assert!(code == Some(0) && output.trim().parse::<u32>().is_ok(), "{output:?}");
        assert!(started.elapsed() < Duration::from_secs(100));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn output_that_another_group_holds_open_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "mkfifo up && { setsid sh -c 'echo > up; exec sleep 20' & read -r _ < up; echo output; }";
        let it = tool(json!({"shell": text, "cwd": folder.path()}));
        let end = ran(&it, &json!({}));
        assert!(matches!(&end, End::Failed(why) if why.contains("holds its output open")), "{end:?}");
    }

    #[test]
    fn a_program_that_is_not_there_says_so() {
        let it = tool(json!({"command": ["/nonexistent/program"]}));
        assert!(matches!(ran(&it, &json!({})), End::Failed(why) if why.contains("cannot be started")));
    }
}
