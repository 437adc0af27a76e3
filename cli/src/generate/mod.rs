//! `generate`: typed functions in eight languages, or a program for the command line, for the tools of a server.
//!
//! A list of tools is read into an intermediate form, which templates write in a language. Nothing here knows how the list came.
//!
//! The files:
//!
//! * `arguments`: the command lines
//! * `model`: the intermediate form
//! * `read`: JSON Schemas into the intermediate form
//! * `tools`: a list of tools into modules
//! * `naming`: identifiers
//! * `reserved`: words that an identifier must not be
//! * `text`: texts of servers in comments and literals
//! * `hash`: the hash of schemas
//! * `emit`: the intermediate form in a language; `templates` has the text
//! * `output`: manifest, report, index, SKILL.md, the folder
//! * `search`: tools by words
//! * `tests`: hostile names and descriptions, odd schemas

mod arguments;
mod emit;
mod hash;
mod model;
mod naming;
mod output;
mod read;
mod reserved;
mod search;
#[cfg(test)]
mod tests;
mod text;
mod tools;

pub use arguments::{Generate, Tools};
pub use reserved::RUST_KEYWORDS;
pub use search::search_any;
pub use tools::is_for_apps;

use crate::arguments::{Common, Format};
use crate::commands::{named_tool, open, write_tools};
use crate::failure::Failure;
use crate::output::{Screen, counted};
use emit::About;
use mcp::client::features::Request;
use mcp::client::json_text::{elements, member, string};
use std::fmt::Write as _;

/// `generate`.
pub fn generate(screen: Screen, arguments: &Generate, common: &Common) -> Result<(), Failure> {
    let (list, about) = listed(arguments, common)?;
    let overrides = tools::Overrides::read(arguments.overrides.as_deref())?;
    let name = arguments.module.as_deref().unwrap_or(&about.server);
    let modules = tools::modules(&list, name, &arguments.tools, &overrides)?;
    if arguments.index {
        let index: String = modules.iter().map(|module| output::index(arguments.language, module)).collect();
        return screen.write(index);
    }
    let Some(into) = &arguments.into else { return Err(Failure::usage("--into FOLDER is missing")) };
    let mut files = output::files(arguments.language, &modules, &about)?;
    files.extend(output::overview(arguments.language, into, &files));
    if arguments.check {
        let differences = output::differences(into, &files);
        if differences.is_empty() {
            return Ok(());
        }
        let shown: Vec<String> = differences.iter().take(20).cloned().collect();
        return Err(Failure::machine(format!(
            "the server has changed since {} was generated: {}; run the command without --check",
            into.display(),
            shown.join(", ")
        )));
    }
    let written = output::write(into, &files)?;
    let mut text = String::new();
    for module in &modules {
        let losses = output::report(arguments.language, module).lines().count();
        let folder = output::folder(arguments.language, module);
        let shown = into.join(&folder);
        let tools = emit::tools(arguments.language, module).count();
        let _infallible = writeln!(text, "{}: {}", shown.display(), counted(tools, "tool"));
        if losses > 0 {
            Screen::said(format!(
                "in {} the types say less than the schemas: {}",
                counted(losses, "place"),
                into.join(&folder).join("report.txt").display()
            ));
        }
    }
    if screen.format == Format::Text {
        let _infallible = writeln!(text, "{written} of {} written", counted(files.len(), "file"));
    }
    screen.write(text)
}

/// The result of `tools/list`, and what is known of the server.
fn listed(arguments: &Generate, common: &Common) -> Result<(String, About), Failure> {
    let about = |server: &str, version: &str, revision: &str| About {
        server: server.to_owned(),
        version: version.to_owned(),
        revision: revision.to_owned(),
        target: arguments.place.words.clone(),
        program: arguments.place.program.clone(),
    };
    if let Some(path) = &arguments.list {
        let fault = |why: String| Failure::usage(format!("cannot use the list in {}: {why}", path.display()));
        if !arguments.place.words.is_empty() || !arguments.place.program.is_empty() {
            return Err(Failure::usage("--list takes the place of a server; give one of them"));
        }
        let bytes = std::fs::read(path).map_err(|error| fault(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| fault("it is not UTF-8".to_owned()))?;
        // The reader of JSON as text finds what it is asked for in valid JSON only.
        serde_json::from_str::<serde_json::Value>(&text).map_err(|error| fault(error.to_string()))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        return Ok((text, about(&stem, "", "")));
    }
    let (session, _) = open(&arguments.place, common, 0)?;
    let list = session.request(&Request::ToolsList)?.json().to_owned();
    let info = session.info();
    let server = member(&info, "server").unwrap_or("{}");
    let word =
        |object: &str, key: &str| member(object, key).and_then(string).unwrap_or_default().into_owned();
    Ok((list, about(&word(server, "name"), &word(server, "version"), &word(&info, "revision"))))
}

/// `tools`, which may search.
pub fn tools(screen: Screen, arguments: &Tools, common: &Common) -> Result<(), Failure> {
    if arguments.all {
        return all_tools(screen, arguments, common);
    }
    let (session, rest) = open(&arguments.place, common, 1)?;
    let result = session.request(&Request::ToolsList)?;
    match (&arguments.search, rest.first()) {
        (Some(_), Some(name)) => {
            Err(Failure::usage(format!("'{name}' is one word too many beside --search; quote the words")))
        }
        (Some(wanted), None) => {
            let all: Vec<&str> = elements(member(result.json(), "tools").unwrap_or("[]")).collect();
            let found = search::search(&all, wanted);
            if found.is_empty() && screen.format == Format::Text {
                Screen::said(format!("none of {} has these words", counted(all.len(), "tool")));
                return Ok(());
            }
            write_tools(screen, &format!("{{\"tools\":[{}]}}", found.join(",")))
        }
        (None, Some(name)) => match session.tool_refusal(name) {
            Some(why) => Err(why),
            None => named_tool(screen, result.json(), name),
        },
        (None, None) => write_tools(screen, result.json()),
    }
}

/// `tools --all`: those of every configured server, each with the server that has it.
fn all_tools(screen: Screen, arguments: &Tools, common: &Common) -> Result<(), Failure> {
    if let Some(word) = arguments.place.words.first().or(arguments.place.program.first()) {
        return Err(Failure::usage(format!(
            "--all takes the place of a server; leave out '{word}'{}",
            if arguments.search.is_none() { ", or write --search WORDS" } else { "" }
        )));
    }
    let (servers, failed) = crate::commands::tools_of_all(common)?;
    for (name, why) in &failed {
        Screen::said(format!("{name}: {why}"));
    }
    let mut all: Vec<(&str, &str)> = Vec::new();
    for (server, listed) in &servers {
        all.extend(elements(member(listed, "tools").unwrap_or("[]")).map(|tool| (server.as_str(), tool)));
    }
    let count = all.len();
    let found = match &arguments.search {
        Some(wanted) => search::search_by(all, |(_, tool)| tool, wanted),
        None => all,
    };
    if found.is_empty() && screen.format == Format::Text {
        Screen::said(match (&arguments.search, count) {
            (Some(_), 1..) => format!(
                "none of {} of {} has these words",
                counted(count, "tool"),
                counted(servers.len(), "server")
            ),
            _ => format!("{} with no tools", counted(servers.len(), "server")),
        });
        return Ok(());
    }
    crate::commands::write_tools_of_all(screen, &found)
}
