//! `shell`: a kept connection, with history and completion of commands, tools and arguments.

use super::{calls, connection, lists, open};
use crate::arguments::{Common, One, Place};
use crate::failure::Failure;
use crate::output::{ERROR, FAINT, Screen, styled, text};
use crate::session::{Session, forget_interrupts};
use crate::values;
use mcp::client::features::Request;
use mcp::client::json_text::{elements, member, members, string};
use mcp::client::visible::is_hidden;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::{FileHistory, History as _};
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};
use std::path::PathBuf;

const HELP: &str = "\
list                        everything that the server has
tools [TOOL]                what the server can do
call TOOL [NAME=VALUE]...   call a tool; the word `call` may be left out
resources, read URI         resources
prompts, get PROMPT ...     prompts
save FOLDER                 write images and files of results into this folder from now on
info, ping                  the connection
help, exit
";

const COMMANDS: [&str; 13] = [
    "call",
    "exit",
    "get",
    "help",
    "info",
    "list",
    "ping",
    "prompt",
    "prompts",
    "read",
    "resources",
    "save",
    "tools",
];

/// How many lines are kept.
const HISTORY: usize = 1000;

/// What can be completed: a tool with the names of its arguments.
#[derive(Debug)]
struct Known {
    tools: Vec<(String, Vec<String>)>,
    prompts: Vec<(String, Vec<String>)>,
    uris: Vec<String>,
}

impl Known {
    fn of(list: &str) -> Known {
        let text = |written: &str| string(written).map(std::borrow::Cow::into_owned);
        let tool = |tool: &str| {
            let schema = member(tool, "inputSchema").unwrap_or("{}");
            let names = members(member(schema, "properties").unwrap_or("{}"));
            let names = names.filter_map(|(name, _)| text(&format!("\"{name}\"")));
            Some((member(tool, "name").and_then(text)?, names.collect()))
        };
        let prompt = |prompt: &str| {
            let arguments = elements(member(prompt, "arguments").unwrap_or("[]"));
            let names = arguments.filter_map(|argument| member(argument, "name").and_then(text)).collect();
            Some((member(prompt, "name").and_then(text)?, names))
        };
        let of = |key: &str| elements(member(list, key).unwrap_or("[]"));
        Known {
            tools: of("tools").filter_map(tool).collect(),
            prompts: of("prompts").filter_map(prompt).collect(),
            uris: of("resources").filter_map(|entry| member(entry, "uri").and_then(text)).collect(),
        }
    }

    fn has(&self, tool: &str) -> bool {
        self.tools.iter().any(|(name, _)| name == tool)
    }

    /// The candidates for the last word of a line, and where that begins.
    fn complete(&self, line: &str) -> (usize, Vec<String>) {
        let start = line.rfind(' ').map_or(0, |at| at + 1);
        let (before, typed) = line.split_at(start);
        let words: Vec<&str> = before.split_whitespace().collect();
        let tools = || self.tools.iter().map(|(name, _)| name.clone());
        let all: Vec<String> = match words.as_slice() {
            [] => COMMANDS.iter().map(|&command| command.to_owned()).chain(tools()).collect(),
            ["call" | "tools"] => tools().collect(),
            ["get" | "prompt" | "prompts"] => self.prompts.iter().map(|(name, _)| name.clone()).collect(),
            ["read"] => self.uris.clone(),
            ["call" | "get" | "prompt", wanted, given @ ..] | [wanted, given @ ..] => {
                let list = if matches!(words.first(), Some(&("get" | "prompt"))) {
                    &self.prompts
                } else {
                    &self.tools
                };
                let names = list.iter().find(|(name, _)| name == wanted).map(|(_, names)| names.as_slice());
                let is_open =
                    |name: &&String| !given.iter().any(|word| word.split([':', '=']).next() == Some(name));
                names.unwrap_or_default().iter().filter(is_open).map(|name| format!("{name}=")).collect()
            }
        };
        // The editor shows them, and puts them into the line, as they are.
        let fits = |one: &String| one.starts_with(typed) && !one.contains(is_hidden);
        (start, all.into_iter().filter(fits).collect())
    }
}

struct Assistant(Known);

impl Helper for Assistant {}
impl Highlighter for Assistant {}
impl Validator for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.0.complete(line.get(..at).unwrap_or(line)))
    }
}

pub fn shell(screen: Screen, place: &Place, common: &Common) -> Result<(), Failure> {
    let failed = |error: ReadlineError| Failure::machine(format!("cannot read from the terminal: {error}"));
    let config = Config::builder().max_history_size(HISTORY).map_err(failed)?.auto_add_history(true).build();
    let mut editor: Editor<Assistant, FileHistory> = Editor::with_config(config).map_err(failed)?;
    // Behind the editor, which would take Ctrl-C for itself also while a call is under way.
    let (mut session, _) = open(place, common, 0)?;
    // Completion is for a person; a script on standard input needs only what its lines ask for.
    let all = if Screen::can_ask() {
        lists::everything(&session)
    } else {
        session.request(&Request::ToolsList).map(|tools| tools.json().to_owned())
    };
    editor.set_helper(Some(Assistant(Known::of(all.as_deref().unwrap_or("{}")))));
    let history = crate::login::data_folder().map(|folder| folder.join("libmcp").join("history"));
    if let Some(path) = history.as_ref().filter(|path| path.is_file()) {
        editor.load_history(path).map_err(failed)?;
    }
    Screen::note(styled(FAINT, "Type help for the commands, and exit or Ctrl-D to end."));
    let mut last = Ok(());
    let mut save: Option<PathBuf> = None;
    loop {
        let line = match editor.readline("mcp> ") {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(failed(error)),
        };
        forget_interrupts();
        if matches!(line.trim(), "exit" | "quit") {
            break;
        }
        if session.is_closed() {
            Screen::note(styled(FAINT, "the connection has ended; connecting again"));
            match open(place, common, 0) {
                Ok((again, _)) => session = again,
                Err(failure) => {
                    Screen::note(text![styled(ERROR, "mcp:"), " ", failure.text()]);
                    last = Err(failure);
                    continue;
                }
            }
        }
        let known = editor.helper().map(|assistant| &assistant.0);
        last = run(screen, &session, &line, known, &mut save);
        if let Err(failure) = &mut last {
            failure.is_told = true;
            Screen::note(text![styled(ERROR, "mcp:"), " ", failure.text()]);
        }
    }
    if let Some(path) = history.filter(|_| !editor.history().is_empty()) {
        crate::login::make(path.parent().unwrap_or(&path)).map_err(|error| {
            Failure::machine(format!("cannot keep the history in {}: {error}", path.display()))
        })?;
        editor.save_history(&path).map_err(failed)?;
    }
    // For a script on standard input, the outcome of its last line is that of the shell.
    if Screen::can_ask() { Ok(()) } else { last }
}

/// Calls a tool with the words of a line; `--no-check` before or among them sends them as they are.
fn call(
    screen: Screen,
    session: &Session,
    name: &str,
    words: &[String],
    save: Option<&PathBuf>,
) -> Result<(), Failure> {
    let given: Vec<String> = words.iter().filter(|word| *word != "--no-check").cloned().collect();
    session.checks.set(given.len() == words.len());
    calls::call_tool(screen, session, name, "{}".to_owned(), values::parse(&given)?, wanted(save)?)
}

/// Does one line.
fn run(
    screen: Screen,
    session: &Session,
    line: &str,
    known: Option<&Known>,
    save: &mut Option<PathBuf>,
) -> Result<(), Failure> {
    let words = shlex::split(line).ok_or_else(|| Failure::usage("a quote in this line has no end"))?;
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    match texts.as_slice() {
        [] => Ok(()),
        ["help"] => screen.write(HELP),
        ["list"] => lists::write_everything(screen, &lists::everything(session)?),
        ["save", folder] => {
            *save = Some(PathBuf::from(folder));
            Ok(())
        }
        ["info"] => connection::write_info(screen, session),
        ["ping"] => {
            let begin = std::time::Instant::now();
            session.ping()?;
            screen.write(format!("{:.3} ms\n", begin.elapsed().as_secs_f64() * 1000.0))
        }
        ["tools"] => lists::write_tools(screen, session.request(&Request::ToolsList)?.json()),
        ["tools", name] => {
            if let Some(why) = session.tool_refusal(name) {
                return Err(why);
            }
            let tools = session.request(&Request::ToolsList)?;
            lists::show_tool(screen, super::named(&lists::list(tools.json(), "tools"), "name", name, "tool")?)
        }
        ["resources"] => {
            let resources = session.request(&Request::ResourcesList)?;
            lists::write_resources(screen, resources.json(), &lists::templates(session)?)
        }
        ["read", uri] => calls::read_resource(screen, session, uri, wanted(save.as_ref())?),
        ["prompts"] => lists::write_prompts(screen, session.request(&Request::PromptsList)?.json()),
        ["get" | "prompt", name, ..] => {
            calls::get_prompt(screen, session, name, &words[2..], wanted(save.as_ref())?)
        }
        ["call", name, ..] => call(screen, session, name, &words[2..], save.as_ref()),
        [name, ..] if known.is_some_and(|known| known.has(name)) => {
            call(screen, session, name, &words[1..], save.as_ref())
        }
        [name, ..] => {
            if let Some(usage) = usage(name) {
                return Err(Failure::usage(format!(
                    "the words behind '{name}' are not those that it takes: {usage}"
                )));
            }
            let tools = known.map(|known| known.tools.as_slice()).unwrap_or_default();
            let names = tools.iter().map(|(name, _)| name.as_str()).chain(COMMANDS);
            let near = super::did_you_mean(name, names.filter(|known| known != name));
            let help = if near.is_empty() { "; type help" } else { "" };
            Err(Failure::usage(format!("'{name}' is neither a command nor a tool{near}{help}")))
        }
    }
}

/// How a command of the shell is written, from the lines of its help.
fn usage(command: &str) -> Option<&'static str> {
    // Another name of it.
    let command = if command == "prompt" { "get" } else { command };
    let words = HELP.lines().filter_map(|line| line.split("  ").next()).flat_map(|words| words.split(", "));
    words.map(str::trim).find(|words| words.split(' ').next() == Some(command))
}

/// What of results is written after the command `save`.
fn wanted(save: Option<&PathBuf>) -> Result<crate::content::Wanted<'_>, Failure> {
    calls::wanted(
        save.map(PathBuf::as_path),
        One { raw: false, block: None, images: crate::output::Images::Auto },
    )
}

#[cfg(test)]
mod tests {
    use super::{COMMANDS, Known, usage};

    #[test]
    fn a_command_with_other_words_is_told_with_those_that_it_takes() {
        assert_eq!(usage("tools"), Some("tools [TOOL]"));
        assert_eq!(usage("read"), Some("read URI"));
        assert_eq!(usage("no"), None);
        for command in COMMANDS {
            assert!(usage(command).is_some(), "{command} is not in the help");
        }
    }

    #[test]
    fn commands_tools_and_arguments_are_completed() {
        let known = Known::of(
            r#"{"tools":[{"name":"add","inputSchema":{"properties":{"a":{},"b":{}}}},{"name":"info_of"}]}"#,
        );
        assert_eq!(known.complete("in"), (0, vec!["info".to_owned(), "info_of".to_owned()]));
        assert_eq!(known.complete("call a"), (5, vec!["add".to_owned()]));
        assert_eq!(known.complete("add a=1 "), (8, vec!["b=".to_owned()]));
        assert_eq!(known.complete("call add "), (9, vec!["a=".to_owned(), "b=".to_owned()]));
        assert_eq!(known.complete("read x"), (5, vec![]));
        let known = Known::of(
            r#"{"prompts":[{"name":"greet","arguments":[{"name":"who"}]}],"resources":[{"uri":"note://a"}]}"#,
        );
        assert_eq!(known.complete("get "), (4, vec!["greet".to_owned()]));
        assert_eq!(known.complete("get greet w"), (10, vec!["who=".to_owned()]));
        assert_eq!(known.complete("read n"), (5, vec!["note://a".to_owned()]));
        let known = Known::of(r#"{"tools":[{"name":"t\u001b[2J"},{"name":"t\u202e"},{"name":"tü"}]}"#);
        assert_eq!(known.complete("call t"), (5, vec!["tü".to_owned()]));
    }
}
