//! `tools`, `resources`, `prompts`: what a server has, as a table, as JSON or as names.

use super::{named, open};
use crate::arguments::{Common, Format, Place};
use crate::failure::Failure;
use crate::output::{FAINT, STRONG, Screen, Text, beginning, counted, one_line, styled, table, text};
use crate::session::Session;
use crate::signature;
use crate::values::{parts, referred};
use mcp::client::Status;
use mcp::client::features::Request;
use mcp::client::json_text::{elements, member, members, quote, string};
use mcp::client::may_have;
use mcp::client::names::METHOD_NOT_FOUND;
use std::collections::HashMap;
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
    let mut told = Told::new();
    told.push_parameters(&mut text, "Arguments", schema);
    if let Some(schema) = member(tool, "outputSchema") {
        told.push_parameters(&mut text, "Result", schema);
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

/// What is told of the schemas of one tool. Objects refer to each other and to themselves as often as a server likes, so that each is told
/// once, and of all together no more than fits here.
struct Told {
    /// The objects that were looked at, by where they begin: how deep, and whether anything is said in them; nothing while that is read.
    seen: HashMap<*const u8, (usize, Option<bool>)>,
    /// How many arguments may still be told, and how many members of objects in them.
    left: [usize; 2],
    is_cut: bool,
}

/// How many arguments of a tool are told, and how many members of all objects in them.
const MEMBERS: usize = 300;

impl Told {
    fn new() -> Self {
        Self { seen: HashMap::new(), left: [MEMBERS; 2], is_cut: false }
    }

    fn push_parameters(&mut self, text: &mut Text, heading: &str, schema: &str) {
        // The arguments may be those of a reference, or of parts.
        let places = signature::with_properties(schema);
        if !places.is_empty() {
            text.push(text!["\n", styled(STRONG, heading), "\n"]);
        }
        for place in places {
            self.push_members(text, schema, place, 0);
        }
        if self.is_cut {
            text.push(text!["  ", styled(FAINT, "… and more; -o json shows the whole schema"), "\n"]);
        }
    }

    /// The members of an object with what is said of them, and of the objects in them as far as anything is said there. Says whether
    /// anything is.
    fn push_members(&mut self, text: &mut Text, root: &str, schema: &str, depth: usize) -> bool {
        let key = usize::from(depth > 0);
        self.seen.insert(schema.as_ptr(), (depth, None));
        let shown = signature::parameters(schema, self.left[key], 1);
        let properties = members(member(schema, "properties").unwrap_or("{}"));
        let indent = "    ".repeat(depth);
        let mut says = false;
        for (signature, (name, property)) in shown.iter().zip(properties) {
            let Some(left) = self.left[key].checked_sub(1) else {
                self.is_cut = true;
                break;
            };
            self.left[key] = left;
            text.push(text![&indent, "  ", signature, "\n"]);
            for line in about(root, name, property) {
                says = true;
                text.push(text![&indent, "      ", styled(FAINT, line), "\n"]);
            }
            if depth < LEVELS {
                says |= self.push_inner(text, root, property, depth + 1);
            }
        }
        self.seen.insert(schema.as_ptr(), (depth, Some(says)));
        says
    }

    /// The objects that a value is, or that its elements are.
    fn push_inner(&mut self, text: &mut Text, root: &str, property: &str, depth: usize) -> bool {
        let (mut says, mut is_above) = (false, false);
        for place in inner(root, property) {
            match self.seen.get(&place.as_ptr()) {
                Some((_, None)) => is_above = true,
                Some((_, Some(true))) => (says, is_above) = (true, true),
                Some(&(before, Some(false))) if before <= depth => {}
                // Nearer to the arguments more of it is looked at.
                Some((_, Some(false))) | None => {
                    let mut inside = Text::default();
                    if self.push_members(&mut inside, root, place, depth) {
                        says = true;
                        text.push(inside);
                    }
                }
            }
        }
        if is_above {
            text.push(text!["    ".repeat(depth), "  ", styled(FAINT, "see above"), "\n"]);
        }
        says
    }
}

/// Whether a title is more than a name with other letters between its words.
fn says_more_than(title: &str, name: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    !title.is_empty() && letters(title) != letters(name)
}

/// How many letters of the bounds of one value are told.
const SAID: usize = 10_000;

/// What is said of a value: its title if that is not its name again, its description, its bounds.
fn about(root: &str, name: &str, property: &str) -> Vec<String> {
    let (title, description) = (word(property, "title"), word(property, "description"));
    let title = if says_more_than(&title, name) { title } else { String::new() };
    // What many values refer to is said of each of them.
    [title, description, beginning(&bounds(root, property).join(", "), SAID)]
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

/// How deep the members of objects in arguments are told.
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
        Told::new().push_parameters(&mut text, "Arguments", schema);
        let told = text.as_str().to_owned();
        assert_eq!((told.matches("Which").count(), told.matches("see above").count()), (1, 1), "{told}");
        assert_eq!(told.matches("x: ").count() + told.matches("x?: ").count(), 1, "{told}");
        assert!(!told.contains("Id\n"), "{told}");
    }

    #[test]
    fn c11_what_refers_to_itself_in_many_places_is_told_once_and_all_together_is_bounded() {
        let many = |count: usize, property: &str| {
            let all: Vec<String> = (0..count).map(|at| format!("\"p{at}\":{property}")).collect();
            format!("{{\"properties\":{{{}}}}}", all.join(","))
        };
        let of = |count: usize, property: &str| {
            let node = many(count, property);
            let node = node.strip_suffix('}').expect("an object");
            format!(r#"{node},"$defs":{{"n":{}}}}}"#, many(count, property))
        };
        let (silent, said) = (r##"{"$ref":"#/$defs/n"}"##, r##"{"$ref":"#/$defs/n","description":"D"}"##);
        let own = r#"{"properties":{"x":{"properties":{"y":{"description":"D"}}}}}"#;
        let cut = "-o json";
        let few = 20;
        for (schema, most, lines, above, described, is_cut) in [
            // Each of the arguments, and once the members of what they are.
            (of(100, said), MEMBERS, 200, 199, 200, false),
            (of(100, silent), MEMBERS, 100, 0, 0, false),
            (of(few + 7, said), few, 2 * few, 2 * few - 1, 2 * few, true),
            (many(15, own), few, 15 + few, 0, few / 2, true),
        ] {
            let mut text = Text::default();
            let mut told = Told { left: [most; 2], ..Told::new() };
            told.push_parameters(&mut text, "Arguments", &schema);
            let seen = text.as_str().to_owned();
            let count = |word: &str| seen.matches(word).count();
            assert_eq!(
                (
                    seen.lines().filter(|line| line.contains("?: ")).count(),
                    count("see above"),
                    count("D"),
                    seen.contains(cut)
                ),
                (lines, above, described, is_cut),
                "{schema:.200}"
            );
            // The schema of the result has what is left.
            let mut text = Text::default();
            told.push_parameters(&mut text, "Result", &of(100, said));
            assert!(text.as_str().matches("?: ").count() <= 2 * most - lines);
        }
        let values: Vec<String> = (0..SAID).map(|at| at.to_string()).collect();
        let root = format!("{{\"properties\":{{\"a\":{{\"enum\":[{}]}}}}}}", values.join(","));
        let property = member(&root, "properties").and_then(|all| member(all, "a")).expect("there");
        assert!(about(&root, "a", property).concat().chars().count() <= SAID + 1);
    }
}
