//! The types of one schema.

use std::collections::BTreeMap;

use super::super::json::Json;
use super::super::model::{Definition, Member, Shape, Type, capital};

/// What an older schema calls something that newer ones have another name for.
const RENAMED: [(&str, &str); 2] =
    [("ResourceReference", "ResourceTemplateReference"), ("ElicitRequestParams", "ElicitRequestFormParams")];

/// The names of objects and unions that stand within others: where they stand, and the name. `*` is any.
const NESTED: [(&str, &str, &str); 11] = [
    ("*", "annotations", "Annotations"),
    ("CompleteRequestParams", "ref", "Reference"),
    ("CompleteRequestParams", "argument", "CompletionArgument"),
    ("CompleteRequestParams", "context", "CompletionContext"),
    ("CompleteResult", "completion", "Completion"),
    ("ElicitRequestFormParams", "requestedSchema", "ElicitationSchema"),
    ("TitledSingleSelectEnumSchema", "oneOf", "EnumOption"),
    ("TitledEnumItems", "anyOf", "EnumOption"),
    ("TitledMultiSelectEnumSchema", "items", "TitledEnumItems"),
    ("UntitledMultiSelectEnumSchema", "items", "UntitledEnumItems"),
    ("*", "error", "ErrorObject"),
];

/// Requests that stand within results (2026-07-28, "Multi Round-Trip Requests"). Of all others only the parameters are types.
const EMBEDDED: [&str; 3] = ["CreateMessageRequest", "ElicitRequest", "ListRootsRequest"];

/// What no binding has a use for: messages, which the library makes, and parts of other types.
const LEFT_OUT: [&str; 17] = [
    "Annotated",
    "BaseMetadata",
    "CacheableResult",
    "ClientNotification",
    "ClientRequest",
    "ClientResult",
    "Error",
    "Icons",
    "PaginatedRequest",
    "PaginatedResult",
    "Request",
    "RequestParams",
    "ResourceRequestParams",
    "ServerNotification",
    "ServerRequest",
    "ServerResult",
    "TaskAugmentedRequestParams",
];

const META: &str = "Metadata of the protocol, of extensions and of applications.";

/// Objects that are schemas: JSON as its author wrote it.
const SCHEMAS: [&str; 2] = ["inputSchema", "outputSchema"];

/// One schema.
pub struct Reader<'a> {
    schemas: BTreeMap<&'a str, &'a Json>,
    pub made: BTreeMap<String, Definition>,
    pub errors: BTreeMap<String, i64>,
}

impl<'a> Reader<'a> {
    /// # Errors
    /// The schema defines nothing.
    pub fn new(schema: &'a Json) -> Result<Reader<'a>, String> {
        let all =
            schema.get("$defs").or_else(|| schema.get("definitions")).ok_or("a schema defines nothing")?;
        let schemas = all.members().iter().map(|(name, schema)| (name.as_str(), schema)).collect();
        Ok(Reader { schemas, made: BTreeMap::new(), errors: BTreeMap::new() })
    }

    /// Makes all types.
    ///
    /// # Errors
    /// Which type has a form that is not known here.
    pub fn read(&mut self) -> Result<(), String> {
        let schemas: Vec<(&str, &Json)> =
            self.schemas.iter().map(|(name, schema)| (*name, *schema)).collect();
        for (name, schema) in schemas {
            if let Some(error) = name.strip_suffix("Error").filter(|error| !error.is_empty()) {
                self.error(error, schema)?;
            } else if name != "InputRequest" && (name.ends_with("Request") || name.ends_with("Notification"))
            {
                if EMBEDDED.contains(&name) && self.schemas.contains_key("InputRequest") {
                    self.define(name, schema)?;
                }
                self.parameters(name, schema)?;
            } else if !(name.starts_with("JSON")
                || name.ends_with("MetaObject")
                || name.ends_with("ResultResponse")
                || LEFT_OUT.contains(&name))
            {
                self.define(&self.renamed(name), schema)?;
            }
        }
        Ok(())
    }

    /// Of a message only the parameters are a type. Those that page are the same for all lists.
    fn parameters(&mut self, name: &str, schema: &Json) -> Result<(), String> {
        let Some(params) = schema.get("properties").and_then(|it| it.get("params")) else { return Ok(()) };
        let says_something =
            params.get("properties").is_some_and(|it| it.members().iter().any(|(name, _)| name != "_meta"));
        if says_something && !name.starts_with("List") && name != "Request" && name != "Notification" {
            self.define(&self.renamed(&format!("{name}Params")), params)?;
        }
        Ok(())
    }

    /// An error: its code, and the type of its data.
    fn error(&mut self, name: &str, schema: &Json) -> Result<(), String> {
        let own = schema.get("properties");
        let within = own.and_then(|it| it.get("error")).and_then(|it| it.get("allOf"));
        let parts = within.map(Json::items).unwrap_or_default();
        for members in parts.iter().filter_map(|it| it.get("properties")).chain(own) {
            let code = members.get("code").and_then(|it| it.get("const"));
            if let Some(Json::Number(code)) = code {
                let code = code.parse().map_err(|_| format!("{name}: {code} is no code"))?;
                self.errors.insert(name.to_owned(), code);
            }
            if let Some(data) = members.get("data").filter(|it| it.get("properties").is_some()) {
                self.define(&format!("{name}ErrorData"), data)?;
            }
        }
        Ok(())
    }

    fn renamed(&self, name: &str) -> String {
        if name == "EnumSchema" && !self.schemas.contains_key("LegacyTitledEnumSchema") {
            return "LegacyTitledEnumSchema".to_owned();
        }
        let is_here = |new: &str| self.schemas.contains_key(new);
        let new = RENAMED.iter().find(|(old, new)| *old == name && !is_here(new)).map(|(_, new)| *new);
        new.unwrap_or(name).to_owned()
    }

    fn define(&mut self, name: &str, schema: &Json) -> Result<(), String> {
        let shape = self.shape(name, schema)?;
        let doc = self.said(schema);
        self.made.insert(name.to_owned(), Definition { name: name.to_owned(), doc, shape });
        Ok(())
    }

    /// The first paragraph of a description. Links of TypeScript lose their marks.
    fn said(&self, schema: &Json) -> String {
        let text = schema.text_of("description").unwrap_or_default();
        let first = text.split("\n\n").next().unwrap_or_default().trim();
        let mut said = String::new();
        for (place, part) in first.split("{@link ").enumerate() {
            let (target, rest) =
                if place == 0 { ("", part) } else { part.split_once('}').unwrap_or((part, "")) };
            // The name of the target and the text of the link stand together.
            let texts = self.schemas.keys().filter_map(|it| target.strip_prefix(it));
            let shortest = texts.filter(|it| !it.is_empty()).min_by_key(|it| it.len());
            let link = shortest.filter(|it| !it.starts_with('.')).unwrap_or(target);
            said.extend([link, rest]);
        }
        said.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches(':').to_owned()
    }

    fn shape(&mut self, name: &str, schema: &Json) -> Result<Shape, String> {
        if let Some(Json::List(parts)) = schema.get("allOf") {
            let mut members: Vec<Member> = Vec::new();
            for part in parts {
                let part = self.followed(part);
                if let Shape::Object(more) = self.shape(name, part)? {
                    members.retain(|it| more.iter().all(|other| other.name != it.name));
                    members.extend(more);
                }
            }
            return Ok(Shape::Object(members));
        }
        if let Some(Json::List(variants)) = schema.get("anyOf") {
            let names: Option<Vec<String>> = variants.iter().map(|it| self.target(it)).collect();
            if let Some(names) = names {
                return Ok(Shape::Untagged(names));
            }
        }
        if schema.get("properties").is_some_and(|it| !it.members().is_empty()) {
            return self.members(name, schema).map(Shape::Object);
        }
        let words = schema.texts_of("enum");
        if words.is_empty() {
            self.kind(name, "", schema).map(Shape::Alias)
        } else {
            Ok(Shape::Words(words, false))
        }
    }

    fn members(&mut self, name: &str, schema: &Json) -> Result<Vec<Member>, String> {
        let required = schema.texts_of("required");
        let mut members = Vec::new();
        for (member, of) in schema.get("properties").map(Json::members).unwrap_or_default() {
            if ["jsonrpc", "id"].contains(&member.as_str()) && name.ends_with("Request") {
                continue;
            }
            let kind = match member.as_str() {
                "_meta" => Type::Object,
                schema if SCHEMAS.contains(&schema) => Type::Object,
                _ => self.kind(name, member, of)?,
            };
            let zero_counts = matches!(kind, Type::Whole | Type::Number) || member.ends_with("Hint");
            let is_required = required.contains(member) && member != "_meta";
            let doc = if member == "_meta" { META.to_owned() } else { self.said(of) };
            members.push(Member { name: member.clone(), doc, kind, is_required, zero_counts });
        }
        Ok(members)
    }

    /// The name behind a reference.
    fn target(&self, schema: &Json) -> Option<String> {
        let name = schema.text_of("$ref")?.rsplit('/').next()?;
        Some(self.renamed(name))
    }

    fn followed<'b>(&self, schema: &'b Json) -> &'b Json
    where
        'a: 'b,
    {
        let name = schema.text_of("$ref").and_then(|it| it.rsplit('/').next());
        name.and_then(|it| self.schemas.get(it).copied()).unwrap_or(schema)
    }

    fn kind(&mut self, owner: &str, member: &str, schema: &Json) -> Result<Type, String> {
        if let Some(name) = self.target(schema) {
            return Ok(match name.as_str() {
                "JSONObject" => Type::Object,
                "JSONValue" => Type::Any,
                name if name.ends_with("MetaObject") => Type::Object,
                _ => Type::Named(name),
            });
        }
        if let Some(Json::Text(word)) = schema.get("const") {
            return Ok(Type::Constant(word.clone()));
        }
        let words = schema.texts_of("enum");
        if !words.is_empty() {
            return Ok(Type::Words(words, false));
        }
        if let Some(Json::List(variants)) = schema.get("anyOf") {
            return self.variants(owner, member, variants);
        }
        match schema.get("type") {
            None => Ok(Type::Any),
            Some(Json::List(types)) => {
                let is_nullable = types.iter().any(|it| it.text() == Some("null"));
                let types = types.iter().filter_map(Json::text).filter(|it| *it != "null");
                let mut kinds = types.map(simple).collect::<Result<Vec<Type>, String>>()?;
                let kind = if kinds.len() == 1 { kinds.remove(0) } else { Type::Either(kinds) };
                Ok(if is_nullable { Type::Nullable(Box::new(kind)) } else { kind })
            }
            Some(Json::Text(kind)) if kind == "array" => match schema.get("items") {
                Some(items) => Ok(Type::list(self.kind(owner, member, items)?)),
                None => Ok(Type::list(Type::Any)),
            },
            Some(Json::Text(kind)) if kind == "object" => self.object(owner, member, schema),
            Some(Json::Text(kind)) => simple(kind),
            Some(other) => Err(format!("{owner}.{member}: {other:?} is no type")),
        }
    }

    fn object(&mut self, owner: &str, member: &str, schema: &Json) -> Result<Type, String> {
        let members = schema.get("properties").map(Json::members).unwrap_or_default();
        if members.iter().any(|(name, _)| name != "_meta") {
            let name = nested(owner, member);
            self.define(&name, schema)?;
            return Ok(Type::Named(name));
        }
        let values = schema.get("additionalProperties").filter(|it| !it.members().is_empty());
        match values {
            Some(values) => Ok(Type::map(self.kind(owner, member, values)?)),
            None => Ok(Type::Object),
        }
    }

    fn variants(&mut self, owner: &str, member: &str, variants: &[Json]) -> Result<Type, String> {
        let mut kinds = Vec::new();
        for variant in variants {
            kinds.push(self.kind(owner, member, variant)?);
        }
        // The variants of a block, and a list of blocks.
        if let Some(Type::List(of)) = kinds.last()
            && let Type::Named(_) = **of
        {
            return Ok(Type::OneOrMany(of.clone()));
        }
        let names: Vec<String> = kinds.iter().flat_map(Type::names).map(str::to_owned).collect();
        if names.len() < kinds.len() {
            let flat =
                kinds.into_iter().flat_map(|it| if let Type::Either(kinds) = it { kinds } else { vec![it] });
            return Ok(Type::Either(flat.collect()));
        }
        if names.iter().any(|it| it == "TextResourceContents") {
            return Ok(Type::Named("ResourceContents".to_owned()));
        }
        if names.iter().any(|it| it == "TextContent") {
            return Ok(Type::Named("ContentBlock".to_owned())); // before 2025-06-18 it had no name
        }
        let name = nested(owner, member);
        let doc = String::new();
        self.made.insert(name.clone(), Definition { name: name.clone(), doc, shape: Shape::Untagged(names) });
        Ok(Type::Named(name))
    }
}

fn nested(owner: &str, member: &str) -> String {
    let known = NESTED.iter().find(|(of, name, _)| (*of == "*" || *of == owner) && *name == member);
    known.map_or_else(|| format!("{owner}{}", capital(member)), |(_, _, name)| (*name).to_owned())
}

fn simple(kind: &str) -> Result<Type, String> {
    match kind {
        "string" => Ok(Type::Text),
        "integer" => Ok(Type::Whole),
        "number" => Ok(Type::Number),
        "boolean" => Ok(Type::Flag),
        "object" => Ok(Type::Object),
        "array" => Ok(Type::list(Type::Any)),
        other => Err(format!("{other} is no type")),
    }
}
