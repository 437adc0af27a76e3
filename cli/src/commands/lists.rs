//! `tools`, `resources`, `prompts`: what a server has, as a table, as JSON or as names.

use super::{named, open};
use crate::arguments::{Common, Format, Place};
use crate::failure::Failure;
use crate::output::{FAINT, STRONG, Screen, Text, counted, one_line, styled, table, text};
use crate::session::Session;
use crate::signature;
use crate::values::{parts, referred};
use mcp::client::Status;
use mcp::client::features::Request;
use mcp::client::json_text::{elements, member, members, quote, string};
use mcp::client::may_have;
use mcp::client::names::METHOD_NOT_FOUND;
use std::fmt::Write as _;

pub fn everything_of(screen: Screen, place: &Place, common: &Common) -> Result<(), Failure> {
    let (session, _) = open(place, common, 0)?;
    // A list that fails does not take the others with it, unless none is left.
    let mut failed = Vec::new();
    let all = everything_but(&session, &mut |method, failure: Failure| {
        if !failure.is_of_one_request() {
            return Err(failure);
        }
        failed.push((method.to_owned(), failure));
        Ok(())
    })?;
    if LISTS.iter().all(|(_, _, key)| list(&all, key).is_empty()) && !failed.is_empty() {
        return Err(failed.remove(0).1);
    }
    for (method, failure) in &failed {
        Screen::said(format!("{method}: {}", one_line(&failure.text())));
    }
    write_everything(screen, &all)?;
    match failed.pop() {
        None => Ok(()),
        Some((_, mut failure)) => {
            failure.is_told = true;
            Err(failure)
        }
    }
}

/// The lists: the capability, the request, and the member of its result.
const LISTS: [(&str, Request<'static>, &str); 4] = [
    ("tools", Request::ToolsList, "tools"),
    ("resources", Request::ResourcesList, "resources"),
    ("resources", Request::TemplatesList, "resourceTemplates"),
    ("prompts", Request::PromptsList, "prompts"),
];

/// Whether a server declares a capability. `info` is that of a session, where the library has written what is declared.
pub fn declares(info: &str, name: &str) -> bool {
    member(info, "capabilities").is_some_and(|all| member(all, name).is_some())
}

/// What [`everything`] gave.
pub fn write_everything(screen: Screen, all: &str) -> Result<(), Failure> {
    match screen.format {
        Format::Json | Format::Yaml => return screen.json(all),
        Format::Names => {
            let keys = [
                ("tools", "name"),
                ("resources", "uri"),
                ("resourceTemplates", "uriTemplate"),
                ("prompts", "name"),
            ];
            let names = keys.iter().flat_map(|(key, name)| {
                list(all, key).into_iter().map(|entry| word(entry, name)).collect::<Vec<_>>()
            });
            return screen.names(&names.collect::<Vec<_>>());
        }
        Format::Text => {}
    }
    let mut is_first = true;
    for (key, show) in [
        ("tools", write_tools as fn(Screen, &str) -> Result<(), Failure>),
        ("resources", |screen, all| write_resources(screen, all, all)),
        ("prompts", write_prompts),
    ] {
        let templates = if key == "resources" { list(all, "resourceTemplates").len() } else { 0 };
        if list(all, key).len() + templates == 0 {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            screen.write("\n")?;
        }
        show(screen, all)?;
    }
    if is_first {
        Screen::said("the server has no tools, no resources and no prompts");
    }
    Ok(())
}

/// Everything that a server has, as one JSON object; what it does not have is an empty list.
pub fn everything(session: &Session) -> Result<String, Failure> {
    everything_but(session, &mut |_, failure| Err(failure))
}

/// The same, and of a list that fails `failed` says whether the others are asked for.
fn everything_but(
    session: &Session,
    failed: &mut dyn FnMut(&str, Failure) -> Result<(), Failure>,
) -> Result<String, Failure> {
    let info = session.info();
    let mut text = String::from("{");
    for (capability, request, key) in LISTS {
        let is_declared = declares(&info, capability);
        let is_asked = may_have(capability, |name| declares(&info, name));
        let listed = is_asked.then(|| match request {
            Request::TemplatesList => templates(session),
            _ => session.request(&request).map(|result| result.json().to_owned()),
        });
        let result = match listed {
            None => None,
            Some(Ok(result)) => Some(result),
            Some(Err(failure)) if !is_declared && failure.is_unsupported() => None,
            Some(Err(failure)) => {
                failed(request.method(), failure)?;
                None
            }
        };
        let entries = result.as_ref().and_then(|result| member(result, key)).unwrap_or("[]");
        let comma = if text.len() > 1 { "," } else { "" };
        let _infallible = write!(text, "{comma}\"{key}\":{entries}");
    }
    text.push('}');
    Ok(text)
}

/// The tool of this name in a result of `tools/list`.
pub fn named_tool(screen: Screen, result: &str, name: &str) -> Result<(), Failure> {
    show_tool(screen, named(&list(result, "tools"), "name", name, "tool")?)
}

/// The list of the tools in a result of `tools/list`.
pub fn write_tools(screen: Screen, result: &str) -> Result<(), Failure> {
    let row = |tool: &&str| vec![signature::of_tool(tool), word(tool, "description")];
    write(screen, result, &list(result, "tools"), "name", &["TOOL", "DESCRIPTION"], row, "tools")
}

/// Tools of several servers, each with the name of its server.
pub fn write_tools_of_all(screen: Screen, tools: &[(&str, &str)]) -> Result<(), Failure> {
    let named =
        |(server, tool): &(&str, &str)| format!("{} {}", one_line(server), one_line(&word(tool, "name")));
    match screen.format {
        Format::Names => screen.names(&tools.iter().map(named).collect::<Vec<_>>()),
        Format::Text => {
            let row = |(server, tool): &(&str, &str)| {
                vec![(*server).to_owned(), signature::of_tool(tool), word(tool, "description")]
            };
            let rows: Vec<Vec<String>> = tools.iter().map(row).collect();
            screen.write(table(&["SERVER", "TOOL", "DESCRIPTION"], &rows, screen.width()))
        }
        _ => {
            let one =
                |(server, tool): &(&str, &str)| format!("{{\"server\":{},\"tool\":{tool}}}", quote(server));
            let all: Vec<String> = tools.iter().map(one).collect();
            screen.json(&format!("{{\"tools\":[{}]}}", all.join(",")))
        }
    }
}

/// One tool.
pub fn show_tool(screen: Screen, tool: &str) -> Result<(), Failure> {
    match screen.format {
        Format::Json | Format::Yaml => return screen.json(tool),
        Format::Names => return screen.names(&[word(tool, "name")]),
        Format::Text => {}
    }
    let mut text = text![styled(STRONG, signature::of_tool(tool)), "\n"];
    let title = word(tool, "title");
    if says_more_than(&title, &word(tool, "name")) {
        text.push(text!["  ", styled(FAINT, one_line(&title)), "\n"]);
    }
    push_description(&mut text, tool);
    let schema = member(tool, "inputSchema").unwrap_or("{}");
    push_parameters(&mut text, "Arguments", schema);
    if let Some(schema) = member(tool, "outputSchema") {
        push_parameters(&mut text, "Result", schema);
    }
    let hints = ["annotations", "execution"].into_iter().filter_map(|key| member(tool, key));
    let shown: Vec<String> = hints
        .flat_map(members)
        // What is so without a word.
        .filter(|&(name, value)| (name, value) != ("taskSupport", "\"forbidden\""))
        .map(|(name, value)| {
            format!("{} {}", one_line(name), one_line(string(value).as_deref().unwrap_or(value)))
        })
        .collect();
    if !shown.is_empty() {
        text.push(text!["\n", styled(STRONG, "Hints"), "\n  ", shown.join(", "), "\n"]);
    }
    let tokens = counted(tool.len().div_ceil(TOKEN), "token");
    text.push(text!["\n", styled(FAINT, format!("about {tokens} of a model")), "\n"]);
    screen.write(text)
}

/// The bytes of a definition that are about one token of a model.
pub const TOKEN: usize = 4;

fn push_description(text: &mut Text, entry: &str) {
    let description = member(entry, "description").and_then(string).unwrap_or_default();
    for line in description.trim().lines() {
        text.push(text!["  ", line, "\n"]);
    }
}

/// Keywords of a schema that say what a value may be. Types, names and choices are in the signature.
const BOUNDS: [&str; 18] = [
    "default",
    "examples",
    "example",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "pattern",
    "contentMediaType",
    "contentEncoding",
];

/// Those whose value is a word.
const WORDS: [&str; 3] = ["format", "contentMediaType", "contentEncoding"];

/// Those that are told by their name where they hold.
const FLAGS: [&str; 4] = ["deprecated", "readOnly", "writeOnly", "uniqueItems"];

/// What a schema says of a value besides its type, also behind a reference, in an alternative and of the elements of an array.
fn bounds(root: &str, property: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut places = vec![(property, "")];
    let mut at = 0;
    while let Some(&(place, prefix)) = places.get(at).filter(|_| at < PLACES) {
        at += 1;
        let flags = FLAGS.iter().filter(|key| member(place, key) == Some("true"));
        let flags = flags.map(|key| format!("{prefix}{key}"));
        let own = BOUNDS.iter().filter_map(|key| {
            let value = member(place, key)?;
            let word = string(value).filter(|_| WORDS.contains(key));
            Some(format!("{prefix}{key} {}", one_line(word.as_deref().unwrap_or(value))))
        });
        // The signature has the first ones.
        let choices = member(place, "enum").filter(|all| elements(all).nth(signature::MOST).is_some());
        let choices = choices.map(|all| {
            let all: Vec<String> = elements(all).map(one_line).collect();
            format!("{prefix}one of {}", all.join(" | "))
        });
        for said in flags.chain(own).chain(choices) {
            if !all.contains(&said) {
                all.push(said);
            }
        }
        places.extend(referred(root, place).into_iter().chain(parts(place)).map(|inside| (inside, prefix)));
        if let Some(items) = member(place, "items").filter(|_| prefix.is_empty()) {
            places.push((items, "each: "));
        }
    }
    all
}

/// How many parts of the schema of one argument are looked at.
const PLACES: usize = 50;

fn push_parameters(text: &mut Text, heading: &str, schema: &str) {
    // The arguments may be those of a reference, or of parts.
    for (at, place) in signature::with_properties(schema).into_iter().enumerate() {
        if at == 0 {
            text.push(text!["\n", styled(STRONG, heading), "\n"]);
        }
        push_members(text, schema, place, 0);
    }
}

/// The members of an object with what is said of them, and of the objects in them as far as anything is said there.
fn push_members(text: &mut Text, root: &str, schema: &str, depth: usize) {
    let shown = signature::parameters(schema, usize::MAX, 1);
    let properties = members(member(schema, "properties").unwrap_or("{}"));
    let indent = "    ".repeat(depth);
    for (signature, (name, property)) in shown.iter().zip(properties) {
        text.push(text![&indent, "  ", signature, "\n"]);
        for line in about(root, name, property) {
            text.push(text![&indent, "      ", styled(FAINT, line), "\n"]);
        }
        if depth < LEVELS {
            let inside = inner(root, property);
            for place in inside.into_iter().filter(|place| says_more(root, place, LEVELS - depth)) {
                push_members(text, root, place, depth + 1);
            }
        }
    }
}

/// Whether a title is more than a name with other letters between its words.
fn says_more_than(title: &str, name: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    !title.is_empty() && letters(title) != letters(name)
}

/// What is said of a value: its title if that is not its name again, its description, its bounds.
fn about(root: &str, name: &str, property: &str) -> Vec<String> {
    let (title, description) = (word(property, "title"), word(property, "description"));
    let title = if says_more_than(&title, name) { title } else { String::new() };
    [title, description, bounds(root, property).join(", ")]
        .into_iter()
        .filter(|text| !text.is_empty())
        .map(|text| one_line(&text))
        .collect()
}

/// The objects that a value is, or that its elements are.
fn inner<'a>(root: &'a str, property: &'a str) -> Vec<&'a str> {
    let target = referred(root, property).unwrap_or(property);
    let items = member(target, "items").map(|items| referred(root, items).unwrap_or(items));
    let mut all = signature::with_properties(target);
    all.extend(items.into_iter().flat_map(signature::with_properties));
    all
}

/// Whether anything is said of a member of an object besides its type.
fn says_more(root: &str, schema: &str, levels: usize) -> bool {
    let says = |(name, property): (&str, &str)| {
        !about(root, name, property).is_empty()
            || (levels > 1
                && inner(root, property).into_iter().any(|place| says_more(root, place, levels - 1)))
    };
    members(member(schema, "properties").unwrap_or("{}")).any(says)
}

/// How deep the members of objects in arguments are told: what refers to itself has no end.
const LEVELS: usize = 3;

pub fn resources(screen: Screen, place: &Place, common: &Common) -> Result<(), Failure> {
    let (session, _) = open(place, common, 0)?;
    let result = session.request(&Request::ResourcesList)?;
    write_resources(screen, result.json(), &templates(&session)?)
}

/// The templates of a server with resources. Some know no templates.
pub fn templates(session: &Session) -> Result<String, Failure> {
    let outcome = session.outcome(&Request::TemplatesList)?;
    let code = member(outcome.json(), "code").and_then(|code| code.parse().ok());
    match outcome.status() {
        Status::Ok => Ok(outcome.json().to_owned()),
        Status::Server if code == Some(METHOD_NOT_FOUND) => Ok("{\"resourceTemplates\":[]}".to_owned()),
        _ => Err(session.failed(&outcome)),
    }
}

/// The resources and the templates.
pub fn write_resources(screen: Screen, resources: &str, templates: &str) -> Result<(), Failure> {
    let joined = format!(
        "{{\"resources\":{},\"resourceTemplates\":{}}}",
        member(resources, "resources").unwrap_or("[]"),
        member(templates, "resourceTemplates").unwrap_or("[]")
    );
    let address = |entry: &str| [word(entry, "uri"), word(entry, "uriTemplate")].concat();
    let entries = [list(&joined, "resources"), list(&joined, "resourceTemplates")].concat();
    if screen.format == Format::Names {
        return screen.names(&entries.iter().map(|entry| address(entry)).collect::<Vec<_>>());
    }
    let row = |entry: &&str| {
        vec![address(entry), word(entry, "name"), word(entry, "mimeType"), word(entry, "description")]
    };
    write(screen, &joined, &entries, "uri", &["URI", "NAME", "TYPE", "DESCRIPTION"], row, "resources")
}

pub fn prompts(screen: Screen, place: &Place, common: &Common) -> Result<(), Failure> {
    let (session, rest) = open(place, common, 1)?;
    let result = session.request(&Request::PromptsList)?;
    let Some(name) = rest.first() else { return write_prompts(screen, result.json()) };
    let entries = list(result.json(), "prompts");
    let prompt = named(&entries, "name", name, "prompt")?;
    match screen.format {
        Format::Json | Format::Yaml => return screen.json(prompt),
        Format::Names => return screen.names(&[word(prompt, "name")]),
        Format::Text => {}
    }
    let mut text = text![styled(STRONG, signature::of_prompt(prompt)), "\n"];
    push_description(&mut text, prompt);
    for (number, argument) in list(prompt, "arguments").iter().enumerate() {
        if number == 0 {
            text.push(text!["\n", styled(STRONG, "Arguments"), "\n"]);
        }
        let line =
            format!("  {} {}", one_line(&word(argument, "name")), one_line(&word(argument, "description")));
        text.push(text![line.trim_end(), "\n"]);
    }
    screen.write(text)
}

/// The list of the prompts in a result of `prompts/list`.
pub fn write_prompts(screen: Screen, result: &str) -> Result<(), Failure> {
    let row = |prompt: &&str| vec![signature::of_prompt(prompt), word(prompt, "description")];
    write(screen, result, &list(result, "prompts"), "name", &["PROMPT", "DESCRIPTION"], row, "prompts")
}

/// The elements of a list of a result.
pub fn list<'a>(result: &'a str, key: &str) -> Vec<&'a str> {
    elements(member(result, key).unwrap_or("[]")).collect()
}

fn word(entry: &str, name: &str) -> String {
    member(entry, name).and_then(string).unwrap_or_default().into_owned()
}

fn write(
    screen: Screen,
    result: &str,
    entries: &[&str],
    key: &str,
    heading: &[&str],
    row: impl Fn(&&str) -> Vec<String>,
    what: &str,
) -> Result<(), Failure> {
    match screen.format {
        Format::Json | Format::Yaml => screen.json(result),
        Format::Names => screen.names(&entries.iter().map(|entry| word(entry, key)).collect::<Vec<_>>()),
        Format::Text if entries.is_empty() => {
            Screen::said(format!("the server has no {what}"));
            Ok(())
        }
        Format::Text => {
            let rows: Vec<Vec<String>> = entries.iter().map(row).collect();
            screen.write(table(heading, &rows, screen.width()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c11_all_that_a_schema_says_of_an_argument_is_told() {
        let many: Vec<String> = (0..=signature::MOST).map(|at| at.to_string()).collect();
        for (keyword, told) in [
            ("\"deprecated\":true", "deprecated"),
            ("\"deprecated\":false", ""),
            ("\"readOnly\":true,\"writeOnly\":true", "readOnly, writeOnly"),
            ("\"uniqueItems\":true,\"minItems\":1", "uniqueItems, minItems 1"),
            ("\"default\":1E5,\"minimum\":0,\"multipleOf\":0.5", "default 1E5, minimum 0, multipleOf 0.5"),
            ("\"examples\":[\"a\",2],\"minProperties\":1", "examples [\"a\",2], minProperties 1"),
            (
                "\"contentMediaType\":\"image/png\",\"contentEncoding\":\"base64\"",
                "contentMediaType image/png, contentEncoding base64",
            ),
            ("\"enum\":[1,2]", ""),
            (&format!("\"enum\":[{}]", many.join(",")), &format!("one of {}", many.join(" | "))),
            ("\"items\":{\"format\":\"uri\",\"deprecated\":true}", "each: deprecated, each: format uri"),
            ("\"anyOf\":[{\"deprecated\":true},{\"minimum\":1}]", "deprecated, minimum 1"),
            ("\"$ref\":\"#/$defs/d\"", "deprecated"),
        ] {
            let root = format!(
                "{{\"$defs\":{{\"d\":{{\"deprecated\":true}}}},\"properties\":{{\"a\":{{{keyword}}}}}}}"
            );
            let property = member(&root, "properties").and_then(|all| member(all, "a")).expect("there");
            assert_eq!(bounds(&root, property).join(", "), told, "{keyword}");
        }
    }

    #[test]
    fn c11_members_of_objects_in_arguments_are_told_as_far_as_anything_is_said_of_them() {
        let schema = r##"{"properties":{"plain":{"properties":{"x":{"type":"string"}}},
            "list":{"type":"array","items":{"$ref":"#/$defs/n"}}},
            "$defs":{"n":{"properties":{"id":{"type":"integer","title":"Id","description":"Which"},"next":{"$ref":"#/$defs/n"}}}}}"##;
        let mut text = Text::default();
        push_parameters(&mut text, "Arguments", schema);
        let told = text.as_str().to_owned();
        assert_eq!(told.matches("Which").count(), LEVELS, "{told}");
        assert_eq!(told.matches("x: ").count() + told.matches("x?: ").count(), 1, "{told}");
        assert!(!told.contains("Id\n"), "{told}");
    }
}
