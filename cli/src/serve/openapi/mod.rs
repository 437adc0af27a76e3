//! `serve --openapi`: the operations of an API as tools. The file says what there is; the person says where it is and which credentials it
//! gets, which are sent to no other host than that of the API.
//!
//! The files:
//!
//! * `document`: `Document`: the file, its references, and the lines of its values
//! * `schema`: `Schemas`: schemas of the file as the one schema of a tool's arguments
//! * `operation`: `Operation`: an operation, the request of a call, its result
//! * `credentials`: `Credential`: what a security scheme needs, by reference

mod credentials;
mod document;
mod operation;
mod schema;

pub use self::operation::Operation;

use self::credentials::Credentials;
use self::document::{Document, Wrong};
use self::operation::{Body, Parameter, Place};
use self::schema::Schemas;
use super::description::{Description, Tool};
use crate::failure::Failure;
use crate::output::{Screen, one_line};
use serde_json::{Map, Value, json};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path;

/// The methods that a path may have.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
/// The longest name of a tool, and the longest text that describes one.
const NAME: usize = 64;
const TEXT: usize = 4000;
/// The most tools of a file, and what the schemas of all of them may take: they may all refer to one large part of the file.
const MOST: usize = 5000;
const ALL_BYTES: usize = 64 << 20;

/// Reads a file. `base` is where the API is, if that is not what the file says; `given` are credentials: `SCHEME=env:NAME` or
/// `SCHEME=file:PATH`.
///
/// # Errors
/// What is wrong, with the line.
pub fn read(path: &Path, base: Option<&str>, given: &[String]) -> Result<Description, Failure> {
    let document = Document::read(path)?;
    let shown = one_line(&path.display().to_string());
    let failed = |wrong: Wrong| Failure::usage(format!("{shown}: {}", document.shown(&wrong)));
    described(&document, base, given, &mut |note| Screen::said(note)).map_err(|wrong| match wrong {
        Problem::Document(wrong) => failed(wrong),
        Problem::Line(failure) => failure,
    })
}

/// What may be wrong: something in the file, or on the command line.
#[derive(Debug)]
pub enum Problem {
    Document(Wrong),
    Line(Failure),
}

impl From<Wrong> for Problem {
    fn from(wrong: Wrong) -> Problem {
        Problem::Document(wrong)
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        Problem::Line(failure)
    }
}

fn described(
    document: &Document,
    base: Option<&str>,
    given: &[String],
    note: &mut dyn FnMut(String),
) -> Result<Description, Problem> {
    let is_30 = document.is_30()?;
    let base = match base {
        Some(base) => {
            Base::of(base).map_err(|why| Failure::usage(format!("--base {}: {why}", one_line(base))))?
        }
        None => document_base(document)?,
    };
    let credentials = Credentials::read(document, given, &base)?;
    let mut tools: Vec<Tool> = Vec::new();
    let mut names = BTreeSet::new();
    let mut without_credential = BTreeSet::new();
    let left = Cell::new(ALL_BYTES);
    for (route, item) in document.object(&["paths"])? {
        let path = ["paths", route.as_str()];
        // What is no path stands behind the host's name all the same: it would make another host of it.
        if !route.starts_with('/') {
            if route.starts_with("x-") {
                continue;
            }
            let why = format!("'{}' is no path of the API: a path begins with '/'", one_line(route));
            return Err(Wrong::at(&path, &why).into());
        }
        let (item, place) = document.followed(item, &path)?;
        let Some(item) = item.as_object() else {
            return Err(Wrong::at(&place, "a path must be an object").into());
        };
        for method in METHODS {
            let Some(operation) = item.get(method) else { continue };
            let mut at = place.clone();
            at.push(method.to_owned());
            let Some(operation) = operation.as_object() else {
                return Err(Wrong::at(&at, "an operation must be an object").into());
            };
            let called = format!("{} {}", method.to_uppercase(), one_line(route));
            let servers = operation.get("servers").or_else(|| item.get("servers"));
            let base = match servers.map(|servers| base.with_servers(servers)) {
                None => base.clone(),
                Some(Ok(base)) => base,
                Some(Err(why)) => {
                    note(format!("{called} is left out: {why}"));
                    continue;
                }
            };
            let security = operation.get("security").or_else(|| document.root().get("security"));
            let (secrets, lacks) = credentials.of(security);
            without_credential.extend(lacks);
            let read = Reading { document, is_30, route, method, item, operation, at: &at, left: &left };
            match read.tool(&base, secrets)? {
                Ok(mut tool) => {
                    tool.name = unique(&tool.name, &mut names);
                    tools.push(tool);
                }
                Err(why) => note(format!("{called} is left out: {why}")),
            }
            if tools.len() > MOST {
                return Err(Wrong::at(&at, &format!("there are more than {MOST} operations")).into());
            }
        }
    }
    if !without_credential.is_empty() {
        let all: Vec<String> = without_credential.iter().map(|name| one_line(name)).collect();
        note(format!(
            "no credential is given for {}: operations that need it are asked without; --credential {}=env:NAME gives one",
            all.join(", "),
            all.first().map(String::as_str).unwrap_or_default()
        ));
    }
    let text = |name: &str| document.root()["info"][name].as_str().map(str::to_owned);
    Ok(Description::of_tools(
        text("title").unwrap_or_else(|| "api".to_owned()),
        text("version"),
        text("description").map(|text| text.chars().take(TEXT).collect()),
        tools,
    ))
}

/// A name that no other tool has.
fn unique(name: &str, names: &mut BTreeSet<String>) -> String {
    let mut one = name.to_owned();
    let mut number = 2;
    while !names.insert(one.clone()) {
        one = format!("{}_{number}", name.chars().take(NAME - 5).collect::<String>());
        number += 1;
    }
    one
}

/// Where an API is: `https://host/path` without a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    pub origin: String,
    pub path: String,
}

impl Base {
    /// # Errors
    /// Why the text is not the URL of an API.
    pub fn of(url: &str) -> Result<Base, String> {
        let (scheme, rest) =
            url.split_once("://").ok_or("it is not a URL such as https://api.example.com/v1")?;
        let scheme = scheme.to_ascii_lowercase();
        if scheme != "https" && scheme != "http" {
            return Err(format!("its scheme is '{}', and not https or http", one_line(&scheme)));
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let is_odd =
            |c: char| c.is_whitespace() || c.is_control() || !c.is_ascii() || "\\@{}\"<>".contains(c);
        if authority.is_empty() || authority.contains(is_odd) || path.contains(is_odd) {
            return Err(
                "it has no host, or user names, braces, blanks or other characters that no URL of an API has"
                    .to_owned(),
            );
        }
        if path.contains(['?', '#']) || path.split('/').any(|part| part == "..") {
            return Err("it has a query, a fragment or '..'".to_owned());
        }
        let origin = format!("{scheme}://{}", authority.to_ascii_lowercase());
        Ok(Base { origin, path: path.trim_end_matches('/').to_owned() })
    }

    /// Whether what is sent there cannot be read on the way.
    pub fn is_private(&self) -> bool {
        let host = self.origin.split("://").nth(1).unwrap_or_default();
        let is_here =
            |name: &str| host == name || host.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'));
        self.origin.starts_with("https://") || ["localhost", "127.0.0.1", "[::1]"].into_iter().any(is_here)
    }

    /// Where a path or an operation of its own is. Another host gets nothing.
    fn with_servers(&self, servers: &Value) -> Result<Base, String> {
        let Some(url) = servers.get(0).and_then(server_url) else { return Ok(self.clone()) };
        if url.starts_with('/') && !url.starts_with("//") {
            return Base::of(&format!("{}{url}", self.origin));
        }
        let other = Base::of(&url)?;
        match other.origin == self.origin {
            true => Ok(other),
            false => Err(format!(
                "its server is {}, another one than that of the API, {}, which alone is asked",
                one_line(&other.origin),
                self.origin
            )),
        }
    }
}

/// The URL of a server, with the defaults of its variables.
fn server_url(server: &Value) -> Option<String> {
    let mut url = server.get("url")?.as_str()?.to_owned();
    for (name, variable) in server.get("variables").and_then(Value::as_object).into_iter().flatten() {
        url = url.replace(
            &format!("{{{name}}}"),
            variable.get("default").and_then(Value::as_str).unwrap_or_default(),
        );
    }
    Some(url)
}

fn document_base(document: &Document) -> Result<Base, Wrong> {
    let at = ["servers", "0", "url"].map(str::to_owned);
    let url = document.root()["servers"].get(0).and_then(server_url);
    let url = url.ok_or_else(|| {
        Wrong::at::<&str>(&[], "it has no 'servers': say where the API is with --base https://HOST/PATH")
    })?;
    Base::of(&url).map_err(|why| {
        Wrong::at(
            &at,
            &format!(
                "the server '{}': {why}; say where the API is with --base https://HOST/PATH",
                one_line(&url)
            ),
        )
    })
}

/// One operation while it is read.
struct Reading<'d> {
    document: &'d Document,
    is_30: bool,
    route: &'d str,
    method: &'d str,
    item: &'d Map<String, Value>,
    operation: &'d Map<String, Value>,
    at: &'d [String],
    /// What the schemas of this operation and of those behind it may take.
    left: &'d Cell<usize>,
}

impl Reading<'_> {
    /// The tool; the inner error says why it is left out.
    fn tool(
        &self,
        base: &Base,
        secrets: Vec<std::sync::Arc<credentials::Credential>>,
    ) -> Result<Result<Tool, String>, Wrong> {
        let mut schemas = Schemas::new(self.document, self.is_30, self.left);
        let (mut properties, mut required) = (Map::new(), Vec::new());
        let mut parameters = Vec::new();
        for (given, at) in self.parameters()? {
            let word = |name: &str| given.get(name).and_then(Value::as_str);
            let name = word("name").ok_or_else(|| Wrong::at(&at, "a parameter needs a 'name'"))?;
            let place = match word("in") {
                Some("path") => Place::Path,
                Some("query") => Place::Query,
                Some("header") if Parameter::is_reserved(name) => continue,
                Some("header") => Place::Header,
                Some("cookie") => continue,
                _ => return Err(Wrong::at(&at, "a parameter needs 'in': path, query, header or cookie")),
            };
            // What a credential fills no caller chooses.
            if secrets.iter().any(|secret| secret.fills(place, name)) {
                continue;
            }
            let is_required = place == Place::Path || given.get("required") == Some(&Value::Bool(true));
            let content =
                given.get("content").and_then(Value::as_object).and_then(|content| content.iter().next());
            let schema = match (given.get("schema"), content) {
                (Some(schema), _) => schemas.schema(schema, &at)?,
                (None, Some((_, media))) => {
                    media.get("schema").map_or(Ok(json!({})), |it| schemas.schema(it, &at))?
                }
                (None, None) => json!({}),
            };
            let argument = match properties.contains_key(name) {
                true => format!("{}_{name}", word("in").unwrap_or_default()),
                false => name.to_owned(),
            };
            properties.insert(argument.clone(), with_description(schema, word("description")));
            if is_required {
                required.push(Value::from(argument.clone()));
            }
            let style = word("style").map(str::to_owned);
            let explode = given.get("explode").and_then(Value::as_bool);
            let is_json = content.is_some_and(|(media, _)| operation::is_json(media));
            parameters.push(Parameter::new(argument, name, place, (style.as_deref(), explode, is_json)));
        }
        let body = match self.body(&mut schemas, &mut properties, &mut required)? {
            Ok(body) => body,
            Err(why) => return Ok(Err(why)),
        };
        for part in self.route.split('{').skip(1) {
            let name = part.split('}').next().unwrap_or_default();
            if !parameters.iter().any(|one| one.place == Place::Path && one.name == name) {
                return Err(Wrong::at(
                    self.at,
                    &format!("the path has {{{name}}}, and no parameter of it says what that is"),
                ));
            }
        }
        let mut input = json!({"type": "object", "properties": properties, "additionalProperties": false});
        if !required.is_empty() {
            input["required"] = required.into();
        }
        match schemas.definitions()? {
            Ok(definitions) if definitions.is_empty() => {}
            Ok(definitions) => input["$defs"] = definitions.into(),
            Err(why) => return Ok(Err(why)),
        }
        let operation = Operation::new(self.method, base, self.route, (parameters, body), secrets);
        Ok(Ok(Tool::of_operation(self.name(), self.text(), input, self.annotations(), operation)))
    }

    /// The parameters of the path and of the operation, which count more.
    fn parameters(&self) -> Result<Vec<(&Value, Vec<String>)>, Wrong> {
        let mut all: Vec<(&Value, Vec<String>)> = Vec::new();
        let of_path = self.at.split_last().map_or(&[][..], |(_, rest)| rest);
        for (given, at) in
            [(self.item.get("parameters"), of_path), (self.operation.get("parameters"), self.at)]
        {
            for (number, one) in given.and_then(Value::as_array).into_iter().flatten().enumerate() {
                let mut place = at.to_vec();
                place.extend(["parameters".to_owned(), number.to_string()]);
                let place: Vec<&str> = place.iter().map(String::as_str).collect();
                let (one, place) = self.document.followed(one, &place)?;
                all.retain(|(other, _)| {
                    (other.get("name"), other.get("in")) != (one.get("name"), one.get("in"))
                });
                all.push((one, place));
            }
        }
        Ok(all)
    }

    /// The body; the inner error says why there is none that can be sent.
    fn body(
        &self,
        schemas: &mut Schemas<'_>,
        properties: &mut Map<String, Value>,
        required: &mut Vec<Value>,
    ) -> Result<Result<Option<Body>, String>, Wrong> {
        let Some(body) = self.operation.get("requestBody") else { return Ok(Ok(None)) };
        let mut at: Vec<&str> = self.at.iter().map(String::as_str).collect();
        at.push("requestBody");
        let (body, at) = self.document.followed(body, &at)?;
        let is_required = body.get("required") == Some(&Value::Bool(true));
        let Some(content) = body.get("content").and_then(Value::as_object) else {
            return Err(Wrong::at(&at, "a requestBody needs 'content'"));
        };
        let Some((media, form)) = content
            .iter()
            .filter_map(|(media, it)| Some((Body::rank(media)?, media, it)))
            .min_by_key(|(rank, ..)| *rank)
            .map(|(_, media, it)| (media, it))
        else {
            let all: Vec<String> = content.keys().map(|media| one_line(media)).collect();
            let why = format!("its body is {}, which cannot be sent", all.join(" or "));
            return Ok(if is_required { Err(why) } else { Ok(None) });
        };
        let schema = form.get("schema").map_or(Ok(json!({})), |schema| schemas.schema(schema, &at))?;
        let argument = if properties.contains_key("body") { "request_body" } else { "body" };
        properties.insert(
            argument.to_owned(),
            with_description(schema, body.get("description").and_then(Value::as_str)),
        );
        if is_required {
            required.push(argument.into());
        }
        Ok(Ok(Some(Body { argument: argument.to_owned(), media: media.clone() })))
    }

    fn name(&self) -> String {
        let written = self.operation.get("operationId").and_then(Value::as_str).map(str::to_owned);
        let written = written.unwrap_or_else(|| format!("{}{}", self.method, self.route));
        let mut name = String::new();
        for c in written.chars() {
            match c.is_ascii_alphanumeric() || c == '-' || c == '.' {
                true => name.push(c),
                false if name.is_empty() || name.ends_with('_') => {}
                false => name.push('_'),
            }
        }
        let name: String = name.trim_end_matches('_').chars().take(NAME).collect();
        if name.is_empty() { self.method.to_owned() } else { name }
    }

    fn text(&self) -> Option<String> {
        let word = |name: &str| {
            self.operation.get(name).and_then(Value::as_str).map(str::trim).filter(|it| !it.is_empty())
        };
        let all: Vec<&str> = [word("summary"), word("description")].into_iter().flatten().collect();
        let text: String = all.join("\n\n").chars().take(TEXT).collect();
        (!text.is_empty()).then_some(text)
    }

    fn annotations(&self) -> Value {
        match self.method {
            "get" | "head" | "options" | "trace" => json!({"readOnlyHint": true, "openWorldHint": true}),
            "delete" => {
                json!({"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true, "openWorldHint": true})
            }
            "put" => json!({"readOnlyHint": false, "idempotentHint": true, "openWorldHint": true}),
            _ => json!({"readOnlyHint": false, "openWorldHint": true}),
        }
    }
}

/// A schema with the text of the parameter or body that it is of.
fn with_description(schema: Value, text: Option<&str>) -> Value {
    match (schema, text) {
        (Value::Object(mut members), Some(text)) if !members.contains_key("description") => {
            members.insert("description".to_owned(), text.chars().take(TEXT).collect::<String>().into());
            Value::Object(members)
        }
        (schema, _) => schema,
    }
}

#[cfg(test)]
mod tests;
