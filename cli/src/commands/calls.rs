//! `call`, `read`, `prompt`: one request, and its contents.

use super::lists::list;
use super::{named, nearest, open};
use crate::arguments::{Call, Common, Format, Get, One, Read};
use crate::checked;
use crate::content::{self, Part, Wanted};
use crate::failure::Failure;
use crate::output::{Screen, Text, one_line};
use crate::questions::Questions;
use crate::session::{Detached, Session};
use crate::target::split;
use crate::values;
use mcp::client::features::Request;
use mcp::client::json_text::{member, string};
use mcp::client::{Message, definitions};
use serde_json::{Map, Value};
use std::path::Path;

pub fn call(screen: Screen, call: &Call, common: &Common) -> Result<(), Failure> {
    if call.json.as_deref() == Some("-") && call.answers.as_deref() == Some("-") {
        return Err(Failure::usage("--json - and --answers - cannot both read standard input"));
    }
    let part = match (call.text, call.structured) {
        (true, _) => Part::Text,
        (_, true) => Part::Structured,
        _ => Part::All,
    };
    let wanted = Wanted { part, ..wanted(call.save.as_deref(), call.one)? };
    let (target, rest) = split(&call.place.words, &call.place.program, common)?;
    let Some((tool, words)) = rest.split_first() else {
        return Err(Failure::usage("no tool is named; `mcp tools` lists those of a server"));
    };
    let base =
        call.json.as_deref().map_or_else(|| Ok("{}".to_owned()), |json| values::object("--json", json))?;
    let answers = call.answers.as_deref().map(|answers| values::object("--answers", answers)).transpose()?;
    let given = values::parse(words)?;
    let session = Session::open(target, common, Questions::new(answers), None)?;
    session.checks.set(!call.no_check);
    if call.detach {
        return detached(screen, &session, tool, base, given, wanted);
    }
    call_tool(screen, &session, tool, base, given, wanted)
}

/// Starts a task, and writes its name; or the result, if the server had it at once.
fn detached(
    screen: Screen,
    session: &Session,
    tool: &str,
    base: String,
    given: Vec<values::Given>,
    wanted: Wanted<'_>,
) -> Result<(), Failure> {
    let arguments = arguments(session, tool, base, given)?;
    match session.detached(&Request::ToolsCall { name: tool, arguments: Some(&arguments) })? {
        Detached::Task(task) => {
            if mcp::client::json_text::member(&session.info(), "transport") == Some("\"stdio\"") {
                Screen::said(
                    "the task ends with the process of the server, which ends now: `mcp session start NAME …` keeps one, for call @NAME",
                );
            }
            super::tasks::write_task(screen, &task)
        }
        Detached::Result(result) => {
            Screen::said("the server answered at once, without a task");
            write_result(screen, &result, tool, wanted)
        }
    }
}

/// Calls a tool over a session.
pub fn call_tool(
    screen: Screen,
    session: &Session,
    tool: &str,
    base: String,
    given: Vec<values::Given>,
    wanted: Wanted<'_>,
) -> Result<(), Failure> {
    let written = outcome_of_tool(session, tool, base, given)
        .and_then(|outcome| write_result(screen, &outcome, tool, wanted));
    if let Err(Some(result)) = written.as_ref().map_err(Failure::result) {
        // What does not fit its schema is seen with the complaint; it is not what a file was to have.
        if wanted.is_raw {
            Screen::note(content::of_tool(result, Wanted::default())?.trimmed());
        } else {
            content::show_tool(screen, result, wanted)?;
        }
    }
    written.map_err(|failure| about_name(session, failure, &Request::ToolsList, "tools", tool))
}

/// The result of a call.
pub fn outcome_of_tool(
    session: &Session,
    tool: &str,
    base: String,
    given: Vec<values::Given>,
) -> Result<Message, Failure> {
    let arguments = arguments(session, tool, base, given)?;
    session.request(&Request::ToolsCall { name: tool, arguments: Some(&arguments) })
}

/// The arguments of a call, JSON text; words are read as the types that the tool's schema says, and all of them are checked with it.
pub fn arguments(
    session: &Session,
    tool: &str,
    base: String,
    given: Vec<values::Given>,
) -> Result<String, Failure> {
    if let Some(why) = session.tool_refusal(tool) {
        return Err(why);
    }
    let is_checked = session.checks.get();
    let listed = match session.request(&Request::ToolsList) {
        Ok(listed) => Some(listed),
        // A server that calls what it does not list is called all the same, where no type is asked for.
        Err(failure) if failure.is_of_one_request() && !values::need_schema(&given) => None,
        Err(failure) => return Err(failure),
    };
    let tools = listed.as_ref().map(|listed| list(listed.json(), "tools")).unwrap_or_default();
    let definition = match named(&tools, "name", tool, "tool") {
        Err(missing) if is_checked && listed.is_some() => return Err(missing),
        found => found.ok(),
    };
    // As it should be written: what says nothing checks nothing.
    let definition = definition.map(definitions::tool);
    let schema = definition.as_deref().and_then(|definition| member(definition, "inputSchema"));
    let names: Vec<String> = given.iter().map(|one| one.name.clone()).collect();
    let (arguments, mut faults) = values::typed(base, given, schema, is_checked);
    if let Some(schema) = schema.filter(|_| is_checked) {
        let given = tree(&arguments)?;
        let left_out: Vec<String> = names.into_iter().filter(|name| !given.contains_key(name)).collect();
        let found = checked::findings(tool, schema, &given, &left_out);
        for note in found.notes {
            Screen::said(note);
        }
        faults.splice(0..0, found.faults);
        if !faults.is_empty() {
            faults.push("nothing was sent; --no-check sends it as it is".to_owned());
        }
    }
    if faults.is_empty() { Ok(arguments) } else { Err(Failure::usage(checked::sentence(&faults))) }
}

/// Arguments as values, for what checks them.
fn tree(arguments: &str) -> Result<Map<String, Value>, Failure> {
    serde_json::from_str(arguments)
        .map_err(|error| Failure::usage(format!("the arguments cannot be read as one JSON object: {error}")))
}

/// The failure of a request about a name: that the server does not have it, if it does not. Some servers say so in a result.
fn about_name(session: &Session, failure: Failure, lists: &Request<'_>, key: &str, name: &str) -> Failure {
    if !failure.may_be_a_name() {
        return failure;
    }
    let Ok(listed) = session.request(lists) else { return failure };
    match named(&list(listed.json(), key), "name", name, key.trim_end_matches('s')) {
        Ok(_) => failure,
        Err(missing) => failure.in_words_of(missing),
    }
}

/// The failure to read a resource, with the URI that was most likely meant.
fn about_uri(session: &Session, failure: Failure, uri: &str) -> Failure {
    if !failure.may_be_a_name() {
        return failure;
    }
    let Ok(listed) = session.request(&Request::ResourcesList) else { return failure };
    let entries = list(listed.json(), "resources");
    let uris: Vec<_> = entries.iter().filter_map(|entry| member(entry, "uri").and_then(string)).collect();
    let said = failure.text();
    let named =
        |what: &str| if said.contains(uri) { String::new() } else { format!("'{}' {what}; ", one_line(uri)) };
    match nearest(uri, uris.iter().map(|uri| &**uri).filter(|known| *known != uri)) {
        // A bridge says itself which ones there are.
        Some(near) if said.contains(near) => failure,
        Some(near) if !uris.iter().any(|known| *known == uri) => {
            failure.and(&format!("{}did you mean '{}'?", named("is not in its list"), one_line(near)))
        }
        _ => failure.and(&format!("{}`mcp resources` lists those of the server", named("was asked for"))),
    }
}

/// What is wrong with the arguments of a prompt, which are names and texts.
fn misfits_of_prompt(definition: &str, given: &[String]) -> Vec<String> {
    let arguments = list(definition, "arguments");
    let name_of =
        |argument: &&str| member(argument, "name").and_then(string).map(std::borrow::Cow::into_owned);
    let known: Vec<String> = arguments.iter().filter_map(name_of).collect();
    let prompt = member(definition, "name").and_then(string).unwrap_or_default();
    let prompt = format!("the prompt '{}'", one_line(&prompt));
    let mut faults: Vec<String> = Vec::new();
    for name in given.iter().filter(|name| !known.contains(name)) {
        let free = known.iter().filter(|known| !given.contains(known)).map(String::as_str);
        let advice = match nearest(name, free) {
            Some(near) => format!("did you mean '{}'?", one_line(near)),
            None if known.is_empty() => "it takes none".to_owned(),
            None => format!("it has {}", one_line(&known.join(", "))),
        };
        faults.push(format!("{prompt} has no argument '{}'; {advice}", one_line(name)));
    }
    let is_missing = |argument: &&&str| {
        member(argument, "required") == Some("true")
            && name_of(argument).is_some_and(|name| !given.contains(&name))
    };
    let missing = arguments.iter().filter(is_missing).filter_map(name_of).map(|name| one_line(&name));
    checked::say_missing(&prompt, missing, &mut faults);
    faults
}

/// The word for standard output in the place of a folder.
const STDOUT: &str = "-";

/// What is wanted of a result; refused, before anything is asked, is what standard output could not take.
pub fn wanted(save: Option<&Path>, one: One) -> Result<Wanted<'_>, Failure> {
    let is_raw = one.raw || save == Some(Path::new(STDOUT));
    if is_raw {
        Screen::takes_bytes()?;
    }
    let images = one.images.protocol();
    let file = save.filter(|path| !is_raw && content::is_file(path));
    file.map_or(Ok(()), content::may_be_saved)?;
    Ok(Wanted {
        save: save.filter(|_| !is_raw && file.is_none()),
        file,
        is_raw,
        block: one.block,
        saved: None,
        part: Part::All,
        images,
    })
}

/// Writes the result of a tool; one that says it failed is a failure.
pub fn write_result(screen: Screen, result: &Message, tool: &str, wanted: Wanted<'_>) -> Result<(), Failure> {
    let json = result.json();
    if result.is_tool_error() {
        // What is wrong is for the person, not for the file behind the pipe.
        if wanted.is_raw {
            Screen::note(content::of_tool(json, Wanted::default())?.trimmed());
        } else {
            content::show_tool(screen, json, Wanted { save: wanted.save, ..Wanted::default() })?;
        }
        return Err(Failure::tool(tool));
    }
    content::write_to(
        screen,
        json,
        wanted,
        |wanted| content::of_tool(json, wanted),
        |wanted| content::show_tool(screen, json, wanted),
    )
}

/// Writes the contents of a resource or a prompt.
fn write_contents(
    screen: Screen,
    result: &str,
    wanted: Wanted<'_>,
    shown: fn(&str, Wanted<'_>) -> Result<Text, Failure>,
) -> Result<(), Failure> {
    let show = |wanted: Wanted<'_>| match screen.format {
        Format::Json | Format::Yaml => screen.json(result),
        _ => screen.write(shown(result, wanted)?),
    };
    content::write_to(screen, result, wanted, |wanted| shown(result, wanted), show)
}

pub fn read(screen: Screen, read: &Read, common: &Common) -> Result<(), Failure> {
    let wanted = wanted(read.save.as_deref(), read.one)?;
    let (session, rest) = open(&read.place, common, 1)?;
    let Some(uri) = rest.first() else {
        return Err(Failure::usage("no resource is named; `mcp resources` lists those of a server"));
    };
    read_resource(screen, &session, uri, wanted)
}

/// Reads a resource over a session.
pub fn read_resource(
    screen: Screen,
    session: &Session,
    uri: &str,
    wanted: Wanted<'_>,
) -> Result<(), Failure> {
    let asked = session.request(&Request::ResourcesRead { uri });
    let result = asked.map_err(|failure| about_uri(session, failure, uri))?;
    write_contents(screen, result.json(), wanted, content::of_resource)
}

pub fn prompt(screen: Screen, get: &Get, common: &Common) -> Result<(), Failure> {
    let wanted = wanted(get.read.save.as_deref(), get.read.one)?;
    let (session, rest) = open(&get.read.place, common, usize::MAX)?;
    session.checks.set(!get.no_check);
    let Some((name, words)) = rest.split_first() else {
        return Err(Failure::usage("no prompt is named; `mcp prompts` lists those of a server"));
    };
    get_prompt(screen, &session, name, words, wanted)
}

/// Gets a prompt over a session.
pub fn get_prompt(
    screen: Screen,
    session: &Session,
    name: &str,
    words: &[String],
    wanted: Wanted<'_>,
) -> Result<(), Failure> {
    let arguments = values::texts(values::parse(words)?);
    if session.checks.get()
        && let Ok(listed) = session.request(&Request::PromptsList)
    {
        let prompts = list(listed.json(), "prompts");
        let mut faults =
            misfits_of_prompt(named(&prompts, "name", name, "prompt")?, &values::names(&arguments));
        if !faults.is_empty() {
            faults.push("nothing was sent; --no-check sends it as it is".to_owned());
            return Err(Failure::usage(checked::sentence(&faults)));
        }
    }
    let asked = session.request(&Request::PromptsGet { name, arguments: Some(&arguments) });
    let result =
        asked.map_err(|failure| about_name(session, failure, &Request::PromptsList, "prompts", name))?;
    write_contents(screen, result.json(), wanted, content::of_prompt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_a_prompt_are_checked_by_their_names() {
        let prompt = r#"{"name":"review","arguments":[{"name":"number","required":true},{"name":"style"}]}"#;
        for (given, faults) in [
            (&["number"][..], ""),
            (&["number", "style"], ""),
            (&[], "arguments of the prompt 'review' are missing: number"),
            (
                &["numbr"],
                "the prompt 'review' has no argument 'numbr'; did you mean 'number'?; missing: number",
            ),
            (&["number", "other"], "the prompt 'review' has no argument 'other'; it has number, style"),
        ] {
            let found = misfits_of_prompt(prompt, &given.iter().map(ToString::to_string).collect::<Vec<_>>());
            assert_eq!(found.join("; "), faults, "{given:?}");
        }
        let none = misfits_of_prompt(r#"{"name":"x"}"#, &["a".to_owned()]);
        assert_eq!(none, ["the prompt 'x' has no argument 'a'; it takes none"]);
    }
}
