//! The types of the protocol: the official schema of each revision, merged into one set.
//!
//! A type has the members of every revision. One is optional if it is so in a revision that has the type, or absent there. Where revisions
//! differ about a member's type, the newest one counts.

use std::collections::{BTreeMap, BTreeSet};

use super::json::Json;
use super::model::{Definition, Member, Model, Shape, Type, capital};
use crate::checkout::{Checkout, read};

pub const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

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

/// The types, and the codes of errors that the schemas name.
pub struct Protocol {
    pub model: Model,
    pub errors: Vec<(String, i64)>,
}

/// Reads the schemas.
///
/// # Errors
/// A schema is not there or has a form that is not known here.
pub fn read_all(checkout: &Checkout) -> Result<Protocol, String> {
    let mut versions: BTreeMap<String, Vec<(usize, Definition)>> = BTreeMap::new();
    let mut errors = BTreeMap::new();
    for (place, revision) in REVISIONS.iter().enumerate() {
        let path = checkout.root.join("tests/protocol-schemas").join(revision).join("schema.json");
        let schema = Json::parse(&read(&path)?).map_err(|why| format!("{}: {why}", path.display()))?;
        let mut reader = Reader::new(&schema)?;
        reader.read()?;
        for (name, definition) in reader.made {
            versions.entry(name).or_default().push((place, definition));
        }
        errors.extend(reader.errors);
    }
    let mut model = Model::default();
    for (_, versions) in versions {
        model.definitions.push(merged(versions)?);
    }
    contents_of_resources(&mut model);
    let tags: Vec<Definition> = model.definitions.iter().map(|it| tagged(&model, it)).collect();
    model.definitions = tags;
    check(&model)?;
    Ok(Protocol { model, errors: errors.into_iter().collect() })
}

/// Every name leads somewhere.
fn check(model: &Model) -> Result<(), String> {
    for definition in &model.definitions {
        let names: Vec<&str> = match &definition.shape {
            Shape::Object(members) => members.iter().flat_map(|it| it.kind.names()).collect(),
            Shape::Tagged { variants, .. } => variants.iter().map(|(_, name)| name.as_str()).collect(),
            Shape::Untagged(names) => names.iter().map(String::as_str).collect(),
            Shape::Alias(of) => of.names(),
            Shape::Words(..) => Vec::new(),
        };
        for name in names {
            if model.find(name).is_none() {
                return Err(format!("{}: there is no type {name}", definition.name));
            }
        }
    }
    Ok(())
}

/// The schemas describe text and blob apart, and where contents stand both may.
fn contents_of_resources(model: &mut Model) {
    for definition in &mut model.definitions {
        if definition.name == "ResourceContents" {
            let both = ["TextResourceContents", "BlobResourceContents"].map(str::to_owned);
            definition.shape = Shape::Untagged(both.to_vec());
        }
    }
}

/// One schema.
struct Reader<'a> {
    schemas: BTreeMap<&'a str, &'a Json>,
    made: BTreeMap<String, Definition>,
    errors: BTreeMap<String, i64>,
}

impl<'a> Reader<'a> {
    fn new(schema: &'a Json) -> Result<Reader<'a>, String> {
        let all =
            schema.get("$defs").or_else(|| schema.get("definitions")).ok_or("a schema defines nothing")?;
        let schemas = all.members().iter().map(|(name, schema)| (name.as_str(), schema)).collect();
        Ok(Reader { schemas, made: BTreeMap::new(), errors: BTreeMap::new() })
    }

    fn read(&mut self) -> Result<(), String> {
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

/// One type of all revisions that have it, oldest first.
fn merged(versions: Vec<(usize, Definition)>) -> Result<Definition, String> {
    let places: Vec<usize> = versions.iter().map(|(place, _)| *place).collect();
    let mut versions = versions.into_iter().rev().map(|(_, definition)| definition);
    let mut newest = versions.next().ok_or("a type without a version")?;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut words_differ = false;
    count(&newest, &mut counts);
    for older in versions {
        count(&older, &mut counts);
        match (&mut newest.shape, older.shape) {
            (Shape::Object(members), Shape::Object(others)) => merge_members(members, others),
            (Shape::Untagged(names), Shape::Untagged(others)) => {
                for other in others {
                    if !names.contains(&other) {
                        names.push(other);
                    }
                }
            }
            (Shape::Words(words, _), Shape::Words(others, _)) => words_differ |= add_words(words, others),
            (Shape::Alias(kind), Shape::Alias(other)) if *kind == other => {}
            (one, other) => return Err(format!("{}: {one:?} and {other:?}", newest.name)),
        }
    }
    match &mut newest.shape {
        Shape::Object(members) => {
            for member in members {
                member.is_required &= counts.get(&member.name) == Some(&places.len());
            }
        }
        Shape::Words(_, is_open) => *is_open = words_differ || places.len() < REVISIONS.len(),
        _ => {}
    }
    let about = revisions(&places);
    newest.doc = if newest.doc.is_empty() { about } else { format!("{}\n{about}", newest.doc) };
    Ok(newest)
}

fn count(definition: &Definition, counts: &mut BTreeMap<String, usize>) {
    if let Shape::Object(members) = &definition.shape {
        for member in members {
            *counts.entry(member.name.clone()).or_default() += 1;
        }
    }
}

fn merge_members(members: &mut Vec<Member>, others: Vec<Member>) {
    for other in others {
        let Some(known) = members.iter_mut().find(|it| it.name == other.name) else {
            members.push(other);
            continue;
        };
        known.is_required &= other.is_required;
        if known.doc.is_empty() {
            known.doc = other.doc;
        }
        match (&mut known.kind, other.kind) {
            (Type::Words(words, is_open), Type::Words(others, _)) => *is_open |= add_words(words, others),
            (kind @ Type::Object, named @ Type::Named(_)) => *kind = named,
            (kind @ Type::Whole, Type::Number) => *kind = Type::Number,
            _ => {}
        }
    }
    members.sort_by(|one, other| one.name.cmp(&other.name));
}

/// Adds what is missing, and says whether something was.
fn add_words(words: &mut Vec<String>, others: Vec<String>) -> bool {
    let before: BTreeSet<&String> = words.iter().collect();
    let differ = before != others.iter().collect();
    let missing: Vec<String> = others.into_iter().filter(|it| !words.contains(it)).collect();
    words.extend(missing);
    differ
}

fn revisions(places: &[usize]) -> String {
    let (Some(first), Some(last)) = (places.first(), places.last()) else { return String::new() };
    match (*first, *last) {
        (0, last) if last + 1 == REVISIONS.len() => "Revisions: all.".to_owned(),
        (first, last) if first == last => format!("Revision: {}.", REVISIONS[first]),
        (first, last) if last + 1 == REVISIONS.len() => format!("Revisions: from {} on.", REVISIONS[first]),
        (first, last) => format!("Revisions: {} to {}.", REVISIONS[first], REVISIONS[last]),
    }
}

/// A union whose variants one member tells apart says so. Unions among the variants are replaced by what they consist of.
fn tagged(model: &Model, definition: &Definition) -> Definition {
    let mut definition = definition.clone();
    let Shape::Untagged(names) = &definition.shape else { return definition };
    let mut flat: Vec<String> = Vec::new();
    for name in names {
        match model.find(name).map(|it| &it.shape) {
            Some(Shape::Untagged(inner)) => flat.extend(inner.iter().cloned()),
            _ => flat.push(name.clone()),
        }
    }
    let mut seen = BTreeSet::new();
    flat.retain(|name| seen.insert(name.clone()));
    for tag in ["type", "method"] {
        let values: Option<Vec<(String, String)>> = flat
            .iter()
            .map(|name| {
                let members = model.members(name);
                let member = members.iter().find(|it| it.name == tag && it.is_required)?;
                let Type::Constant(value) = &member.kind else { return None };
                Some((value.clone(), name.clone()))
            })
            .collect();
        let Some(variants) = values else { continue };
        let distinct: BTreeSet<&String> = variants.iter().map(|(value, _)| value).collect();
        if distinct.len() == variants.len() {
            definition.shape = Shape::Tagged { tag: tag.to_owned(), variants };
            return definition;
        }
    }
    definition.shape = Shape::Untagged(flat);
    definition
}
