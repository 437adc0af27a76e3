//! Checks of definitions when they are added: a bad one is refused with the member that is wrong, before a client sees it.

use super::{EntryContent, PromptEntry, ResourceEntry, TemplateEntry, ToolEntry};
use crate::engine::server::requests::content;
use crate::json;
use crate::json::Kind;
#[cfg(feature = "http")]
use crate::protocol::header_parameters;
use crate::protocol::{lenient, method, task};
#[cfg(feature = "schema")]
use crate::schema::{Bounds, Schema};
use std::fmt;
#[cfg(feature = "schema")]
use std::sync::Arc;

/// How deep a definition may nest.
const DEPTH: usize = 128;
/// How long the name of a tool should be at most.
const NAME: usize = 128;

/// How definitions are checked.
#[derive(Clone, Copy, Debug)]
pub struct DefinitionCheck {
    /// Else a definition only has to name something: it is another's, and passed on.
    pub is_strict: bool,
}

impl DefinitionCheck {
    /// What a definition that is passed on may get wrong.
    fn may<T: Default>(self, checked: Result<T, Invalid>) -> Result<T, Invalid> {
        if self.is_strict { checked } else { Ok(checked.unwrap_or_default()) }
    }

    /// The definition on one line, if it is an object; one that is passed on as it should be written.
    fn object(self, text: &str, mended: fn(&str) -> String) -> Result<String, Invalid> {
        let line = object(text)?;
        if !self.is_strict {
            return Ok(mended(&line));
        }
        misspelt(&line, "")?;
        Ok(line)
    }

    /// Checks a tool's definition (S-TL-04, S-TL-05, S-SC-01 to S-SC-04).
    pub fn tool<H>(self, text: &str, handler: H) -> Result<ToolEntry<H>, Invalid> {
        naming("tool", "name", text, || {
            let definition = self.object(text, lenient::tool_definition)?;
            let name = string(&definition, "name")?;
            self.may(of_tool(&definition))?;
            #[cfg(feature = "schema")]
            let input =
                self.schema(json::member(&definition, "inputSchema").unwrap_or("{}"), "inputSchema")?;
            #[cfg(feature = "schema")]
            let output = json::member(&definition, "outputSchema");
            Ok(ToolEntry {
                name,
                support: task::support(&definition),
                app: self.may(app(&definition))?,
                #[cfg(feature = "http")]
                header_parameters: header_parameters::read(
                    json::member(&definition, "inputSchema").unwrap_or("{}"),
                )
                .unwrap_or_default(),
                #[cfg(feature = "schema")]
                plain_input: input.plain(),
                #[cfg(feature = "schema")]
                input,
                #[cfg(feature = "schema")]
                output: self.may(output.map(|output| schema(output, "outputSchema")).transpose())?,
                #[cfg(not(feature = "schema"))]
                output: None,
                handler,
                definition,
            })
        })
    }

    /// A schema; one that is passed on and cannot be used checks nothing.
    #[cfg(feature = "schema")]
    fn schema(self, text: &str, member: &str) -> Result<Arc<Schema>, Invalid> {
        schema(text, member)
            .or_else(|invalid| if self.is_strict { Err(invalid) } else { schema("{}", member) })
    }

    /// Checks a resource's definition (S-RS-06).
    pub fn resource<H>(self, text: &str, content: EntryContent<H>) -> Result<ResourceEntry<H>, Invalid> {
        naming("resource", "uri", text, || {
            let definition = self.object(text, lenient::resource_definition)?;
            let uri = string(&definition, "uri")?;
            let is_absolute =
                content::uri_fault(&uri).map_or(Ok(()), |fault| Err(Invalid::new("uri", fault)));
            self.may(string(&definition, "name").and(is_absolute).and(shown(&definition)))?;
            Ok(ResourceEntry { uri, definition, content, within: Vec::new() })
        })
    }

    /// Checks a template's definition.
    pub fn template<H>(self, text: &str, handler: H) -> Result<TemplateEntry<H>, Invalid> {
        naming("resource template", "uriTemplate", text, || {
            let definition = self.object(text, lenient::resource_definition)?;
            let template = string(&definition, "uriTemplate")?;
            crate::uri_template::check(&template)
                .map_err(|error| Invalid::new("uriTemplate", error.message))?;
            self.may(string(&definition, "name").map(drop).and(shown(&definition)))?;
            Ok(TemplateEntry { pattern: template, definition, handler })
        })
    }

    /// Checks a prompt's definition.
    pub fn prompt<H>(self, text: &str, handler: H) -> Result<PromptEntry<H>, Invalid> {
        naming("prompt", "name", text, || {
            let definition = self.object(text, lenient::prompt_definition)?;
            let name = string(&definition, "name")?;
            self.may(icons(&definition))?;
            let arguments = self.may(arguments_of(&definition))?;
            Ok(PromptEntry { name, definition, arguments, handler })
        })
    }
}

/// Says in an error of which definition it is: a program adds many, perhaps those of a file.
fn naming<T>(
    kind: &str,
    key: &str,
    text: &str,
    check: impl FnOnce() -> Result<T, Invalid>,
) -> Result<T, Invalid> {
    check().map_err(|invalid| {
        if invalid.member.is_empty() {
            return invalid; // The definition as a whole is not an object.
        }
        let name = string(text, key).unwrap_or_default().chars().take(NAME).collect::<String>();
        let of = if name.is_empty() { kind.to_owned() } else { format!("{kind} '{name}'") };
        Invalid { of, ..invalid }
    })
}

/// The members of definitions whose names have a second word, by the object that has them: what is in it, or the definition.
const TWO_WORDS: [(&str, &[&str]); 3] = [
    ("", &["inputSchema", "outputSchema", "mimeType", "uriTemplate"]),
    ("annotations", &["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint", "lastModified"]),
    ("execution", &["taskSupport"]),
];

/// Refuses a member that is one of those but for its case and the marks between the words, as `input_schema`: other members are
/// passed on, and a client would not see what it was meant to say.
fn misspelt(object: &str, of: &str) -> Result<(), Invalid> {
    let folded = |name: &str| name.replace(['_', '-'], "").to_ascii_lowercase();
    let known = TWO_WORDS.iter().find(|(owner, _)| *owner == of).map_or(&[][..], |(_, known)| known);
    for (name, value) in json::members(object) {
        if let Some(meant) = known.iter().find(|it| **it != name && folded(it) == folded(name)) {
            return Err(Invalid::new(name, format!("it is unknown; did you mean '{meant}'?")));
        }
        if of.is_empty() {
            misspelt(value, name)?;
        }
    }
    Ok(())
}

/// What else a tool's definition says.
fn of_tool(definition: &str) -> Result<(), Invalid> {
    optional_string(definition, "description")?;
    optional_string(definition, "title")?;
    icons(definition)?;
    let input = json::member(definition, "inputSchema")
        .ok_or_else(|| Invalid::new("inputSchema", "is missing; {\"type\":\"object\"} takes anything"))?;
    if json::member(input, "type").and_then(json::string).as_deref() != Some("object") {
        return Err(Invalid::new("inputSchema", "must be an object with \"type\":\"object\""));
    }
    let output = json::member(definition, "outputSchema");
    if output.is_some_and(|schema| json::kind(schema) != Some(Kind::Object)) {
        return Err(Invalid::new("outputSchema", "must be an object"));
    }
    task_support(definition)
}

/// The URI of a tool's app (the extension `io.modelcontextprotocol/ui`), by its name there or in drafts of it (S-AP-01).
fn app(definition: &str) -> Result<Option<Box<str>>, Invalid> {
    let meta = json::member(definition, "_meta");
    let uri = meta.and_then(|meta| json::member(meta, "ui")).and_then(|ui| json::member(ui, "resourceUri"));
    let Some(uri) = uri.or_else(|| meta.and_then(|meta| json::member(meta, "ui/resourceUri"))) else {
        return Ok(None);
    };
    match json::string(uri) {
        Some(uri) if uri.strip_prefix("ui://").is_some_and(|rest| !rest.is_empty()) => {
            Ok(Some(uri.as_ref().into()))
        }
        _ => Err(Invalid::new("_meta", "'ui.resourceUri' must be a URI that begins with ui://")),
    }
}

/// `execution.taskSupport` says one of three things (2025-11-25). A slip of the pen would forbid tasks without a word.
fn task_support(definition: &str) -> Result<(), Invalid> {
    let Some(execution) = json::member(definition, "execution") else { return Ok(()) };
    if json::kind(execution) != Some(Kind::Object) {
        return Err(Invalid::new("execution", "must be an object"));
    }
    match json::member(execution, "taskSupport").map(json::string) {
        None => Ok(()),
        Some(Some(text)) if ["forbidden", "optional", "required"].contains(&text.as_ref()) => Ok(()),
        Some(_) => Err(Invalid::new(
            "execution",
            "'taskSupport' must be \"forbidden\", \"optional\" or \"required\"",
        )),
    }
}

/// What a prompt takes, and whether it must have it.
fn arguments_of(definition: &str) -> Result<Vec<(String, bool)>, Invalid> {
    let mut arguments: Vec<(String, bool)> = Vec::new();
    if let Some(list) = json::member(definition, "arguments") {
        if json::kind(list) != Some(Kind::Array) {
            return Err(Invalid::new("arguments", "must be an array"));
        }
        for argument in json::elements(list) {
            let name =
                string(argument, "name").map_err(|error| Invalid::new("arguments", error.to_string()))?;
            if arguments.iter().any(|(other, _)| *other == name) {
                return Err(Invalid::new("arguments", format!("duplicate argument '{name}'")));
            }
            let required = json::member(argument, "required").unwrap_or("false");
            if !matches!(required, "true" | "false") {
                return Err(Invalid::new("arguments", format!("'required' of '{name}' must be a boolean")));
            }
            arguments.push((name, required == "true"));
        }
    }
    Ok(arguments)
}

/// What else a resource or a template says.
fn shown(definition: &str) -> Result<(), Invalid> {
    optional_string(definition, "mimeType")?;
    icons(definition)
}

/// Checks the name of an extension's method: the protocol's own names are taken.
pub fn check_extension_method(name: &str) -> Result<(), Invalid> {
    if name.is_empty() {
        return Err(Invalid::new("method", "is empty"));
    }
    if method::find(name).is_some() || name.starts_with("rpc.") {
        return Err(Invalid::new("method", format!("'{name}' belongs to the protocol")));
    }
    Ok(())
}

/// The text on one line, if it is one JSON object.
fn object(text: &str) -> Result<String, Invalid> {
    let value = json::scan_value(text.as_bytes(), DEPTH)
        .map_err(|error| Invalid::new("", format!("the definition is no JSON: {error}")))?;
    if value.kind != Kind::Object {
        return Err(Invalid::new("", format!("the definition is {}, and must be an object", value.kind)));
    }
    let mut line = Vec::new();
    json::one_line_into(value.span.str(text), &mut line);
    String::from_utf8(line).map_err(|_| Invalid::new("", "the definition is not UTF-8"))
}

fn string(definition: &str, member: &str) -> Result<String, Invalid> {
    match json::member(definition, member).map(json::string) {
        Some(Some(text)) if !text.is_empty() => Ok(text.into_owned()),
        Some(Some(_)) => Err(Invalid::new(member, "is empty")),
        Some(None) => Err(Invalid::new(member, "must be a string")),
        None => Err(Invalid::new(member, "is missing")),
    }
}

fn optional_string(definition: &str, member: &str) -> Result<(), Invalid> {
    match json::member(definition, member) {
        Some(value) if json::string(value).is_none() => Err(Invalid::new(member, "must be a string")),
        _ => Ok(()),
    }
}

/// Icons with addresses that clients may load (S-TL-17).
fn icons(definition: &str) -> Result<(), Invalid> {
    let Some(list) = json::member(definition, "icons") else { return Ok(()) };
    if json::kind(list) != Some(Kind::Array) {
        return Err(Invalid::new("icons", "must be an array"));
    }
    for icon in json::elements(list) {
        let src = string(icon, "src").map_err(|error| Invalid::new("icons", error.to_string()))?;
        if let Some(fault) = content::icon_fault(&src) {
            return Err(Invalid::new("icons", fault));
        }
    }
    Ok(())
}

/// What clients may not like about the name of a tool; it is served all the same (S-TL-04).
pub fn name_warning(name: &str) -> Option<String> {
    let has_others = !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b));
    (has_others || name.len() > NAME).then(|| {
        format!(
            "the name of the tool '{name}' should have at most {NAME} characters, of A-Z, a-z, 0-9, '_', '-' and '.': some clients refuse others"
        )
    })
}

#[cfg(feature = "schema")]
fn schema(text: &str, member: &str) -> Result<Arc<Schema>, Invalid> {
    let value = serde_json::from_str(text).map_err(|error| Invalid::new(member, error.to_string()))?;
    Schema::new(&value, Bounds::default()).map(Arc::new).map_err(|what| Invalid::new(member, what))
}

/// Why a definition is not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid {
    /// The definition that it is of, such as "tool 'add'"; empty where the rest says it.
    of: String,
    /// The member that is wrong; empty for the whole.
    pub member: String,
    /// What is wrong with it.
    pub what: String,
}

impl Invalid {
    /// A member and what is wrong with it.
    pub fn new(member: &str, what: impl Into<String>) -> Invalid {
        Invalid { of: String::new(), member: member.to_owned(), what: what.into() }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.member.is_empty() {
            return f.write_str(&self.what);
        }
        if !self.of.is_empty() {
            write!(f, "{}: ", self.of)?;
        }
        write!(f, "member '{}': {}", self.member, self.what)
    }
}

impl std::error::Error for Invalid {}
