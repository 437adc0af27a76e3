//! What is wrong with a JSON Schema of a tool: what clients stumble over, and what APIs of models refuse.
//! One table has the keywords with the shape of their value.

use super::Report;
use crate::ordered::Gathered;
use mcp::client::percent_decoded;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// What the value of a keyword must be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A schema: an object or a boolean.
    Schema,
    /// A list of at least one schema.
    Schemas,
    /// An object of schemas by name.
    Named,
    /// A schema, or a list of them as before 2020-12.
    Items,
    Number,
    /// A number above 0.
    Positive,
    /// An integer, at least 0.
    Count,
    Bool,
    Text,
    Pattern,
    /// A list of different texts.
    Names,
    /// An object of lists of different texts.
    NamesByName,
    /// A list of at least one value.
    Choices,
    List,
}

const KEYWORDS: [(&str, Shape); 49] = [
    ("$anchor", Shape::Text),
    ("$comment", Shape::Text),
    ("$defs", Shape::Named),
    ("$dynamicRef", Shape::Text),
    ("$id", Shape::Text),
    ("$ref", Shape::Text),
    ("$schema", Shape::Text),
    ("additionalItems", Shape::Schema),
    ("additionalProperties", Shape::Schema),
    ("allOf", Shape::Schemas),
    ("anyOf", Shape::Schemas),
    ("contains", Shape::Schema),
    ("definitions", Shape::Named),
    ("dependentRequired", Shape::NamesByName),
    ("dependentSchemas", Shape::Named),
    ("deprecated", Shape::Bool),
    ("description", Shape::Text),
    ("else", Shape::Schema),
    ("enum", Shape::Choices),
    ("examples", Shape::List),
    ("exclusiveMaximum", Shape::Number),
    ("exclusiveMinimum", Shape::Number),
    ("format", Shape::Text),
    ("if", Shape::Schema),
    ("items", Shape::Items),
    ("maxContains", Shape::Count),
    ("maxItems", Shape::Count),
    ("maxLength", Shape::Count),
    ("maxProperties", Shape::Count),
    ("maximum", Shape::Number),
    ("minContains", Shape::Count),
    ("minItems", Shape::Count),
    ("minLength", Shape::Count),
    ("minProperties", Shape::Count),
    ("minimum", Shape::Number),
    ("multipleOf", Shape::Positive),
    ("not", Shape::Schema),
    ("oneOf", Shape::Schemas),
    ("pattern", Shape::Pattern),
    ("patternProperties", Shape::Named),
    ("prefixItems", Shape::Schemas),
    ("properties", Shape::Named),
    ("propertyNames", Shape::Schema),
    ("readOnly", Shape::Bool),
    ("required", Shape::Names),
    ("then", Shape::Schema),
    ("title", Shape::Text),
    ("unevaluatedProperties", Shape::Schema),
    ("uniqueItems", Shape::Bool),
];
/// Pairs of keywords of which the first may not be above the second.
const BOUNDS: [(&str, &str); 6] = [
    ("minContains", "maxContains"),
    ("minItems", "maxItems"),
    ("minLength", "maxLength"),
    ("minProperties", "maxProperties"),
    ("minimum", "maximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
];
/// The keywords that APIs of models refuse at the root of the arguments.
const NOT_AT_THE_ROOT: [&str; 5] = ["allOf", "anyOf", "enum", "not", "oneOf"];
/// Keywords that are written in another way, and what they are called.
const MISTYPED: [(&str, &str); 8] = [
    ("additionalProperty", "additionalProperties"),
    ("enums", "enum"),
    ("item", "items"),
    ("maxlength", "maxLength"),
    ("minlength", "minLength"),
    ("property", "properties"),
    ("require", "required"),
    ("requires", "required"),
];
/// The most choices that are compared with each other.
const CHOICES: usize = 1000;
/// The dialects that clients know.
const DIALECTS: [&str; 3] =
    ["json-schema.org/draft/2020-12/", "json-schema.org/draft/2019-09/", "json-schema.org/draft-07/"];
/// How deep is looked, and how many references are followed.
const DEPTH: usize = 64;

impl Shape {
    /// Whether a value has it.
    fn fits(self, value: &Value) -> bool {
        let is_schema = |value: &Value| value.is_object() || value.is_boolean();
        let names = |value: &Value| {
            let names: Option<Vec<&str>> =
                value.as_array().map(|all| all.iter().map(Value::as_str).collect())?;
            names.map(|names| {
                let different: BTreeSet<&str> = names.iter().copied().gathered();
                different.len() == names.len()
            })
        };
        match self {
            Shape::Schema => is_schema(value),
            Shape::Schemas => {
                value.as_array().is_some_and(|all| !all.is_empty() && all.iter().all(is_schema))
            }
            Shape::Named => value.as_object().is_some_and(|all| all.values().all(is_schema)),
            Shape::Items => is_schema(value) || value.as_array().is_some_and(|all| all.iter().all(is_schema)),
            Shape::Number => value.is_number(),
            Shape::Positive => value.as_f64().is_some_and(|number| number > 0.0),
            Shape::Count => value.as_f64().is_some_and(|number| number >= 0.0 && number.fract() == 0.0),
            Shape::Bool => value.is_boolean(),
            Shape::Text => value.is_string(),
            Shape::Pattern => value.as_str().is_some_and(is_pattern),
            Shape::Names => names(value) == Some(true),
            Shape::NamesByName => {
                value.as_object().is_some_and(|all| all.values().all(|value| names(value) == Some(true)))
            }
            Shape::Choices => value.as_array().is_some_and(|all| !all.is_empty()),
            Shape::List => value.is_array(),
        }
    }

    /// What it is, and what to write.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Shape::Schema => ("a schema", "write an object, true or false"),
            Shape::Schemas => ("a list of schemas", "write at least one object in a list"),
            Shape::Named => {
                ("an object of schemas", "write {} where there are none, and an object for each name")
            }
            Shape::Items => ("a schema", "write the schema of each element"),
            Shape::Number => ("a number", "write a number without quotes"),
            Shape::Positive => ("a number above 0", "write a number above 0, without quotes"),
            Shape::Count => {
                ("an integer of at least 0", "write the number without quotes, sign and fraction")
            }
            Shape::Bool => ("true or false", "write true or false, without quotes"),
            Shape::Text => ("a text", "write a text in quotes"),
            Shape::Pattern => ("a regular expression", "close what it opens"),
            Shape::Names => (
                "a list of different names",
                "list the names of required properties once each, at the object that has them",
            ),
            Shape::NamesByName => {
                ("an object of lists of names", "list the names of properties for each name")
            }
            Shape::Choices => ("a list of values", "list at least one value"),
            Shape::List => ("a list", "write a list"),
        }
    }
}

/// Looks at a schema that is the `member` of a tool.
pub fn check(report: &mut Report, about: &str, member: &str, text: &str) {
    let Ok(root) = serde_json::from_str::<Value>(text) else { return };
    if member == "inputSchema" {
        for key in NOT_AT_THE_ROOT.into_iter().filter(|key| root.get(key).is_some()) {
            report.advice(
                about,
                format!("'{key}' at the root of the inputSchema"),
                "describe the arguments as properties of one object: APIs of models refuse combinations at the root",
            );
        }
        let fits = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        for name in root.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys) {
            if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
                report.advice(
                    about,
                    format!("a property called '{name}'"),
                    "rename it: APIs of models take at most 64 letters, digits, '_', '.' and '-'",
                );
            }
        }
    }
    if let Some(dialect) = root.get("$schema").and_then(Value::as_str)
        && !DIALECTS.iter().any(|known| dialect.contains(known))
    {
        report.advice(
            about,
            format!("{member} at the root: its dialect is {}", short(&root["$schema"])),
            "write the schema in 2020-12 and leave $schema out: many clients know no other dialect",
        );
    }
    if member == "outputSchema" && root.get("type").is_some_and(|it| it.is_string() && it != "object") {
        report.fault(
            about,
            "outputSchema at the root: its type is not object",
            "structured content is an object up to 2025-11-25: put the value into a member of one",
        );
    }
    let dialect = root.get("$schema").and_then(Value::as_str).unwrap_or_default();
    let has_lists = ["draft-0", "2019-09"].iter().any(|old| dialect.contains(old));
    let mut look =
        Look { report, about, member, has_old_ids: has_old_ids(&root), has_lists, ids: ids(&root) };
    look.at(&root, &root, &mut String::new(), 0);
}

struct Look<'a> {
    report: &'a mut Report,
    about: &'a str,
    member: &'a str,
    /// Whether `id` is the identifier of a schema, as in draft-04.
    has_old_ids: bool,
    /// Whether `items` may be a list of schemas, as before 2020-12.
    has_lists: bool,
    /// The identifiers of the schemas of this document.
    ids: BTreeSet<&'a str>,
}

/// Whether a document is of draft-04.
fn has_old_ids(root: &Value) -> bool {
    root.get("$schema").and_then(Value::as_str).is_some_and(|schema| schema.contains("draft-04"))
}

/// The identifiers of all schemas of a document.
fn ids(root: &Value) -> BTreeSet<&str> {
    let mut ids = BTreeSet::new();
    let mut open = vec![root];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(object) => {
                ids.extend(["$id", "id"].iter().filter_map(|key| object.get(*key)?.as_str()));
                open.extend(object.values());
            }
            Value::Array(all) => open.extend(all),
            _ => {}
        }
    }
    ids
}

impl<'a> Look<'a> {
    fn fault(&mut self, place: &str, what: &str, fix: &str) {
        let what = self.in_place(place, what);
        self.report.fault(self.about, what, fix);
    }

    fn advice(&mut self, place: &str, what: &str, fix: &str) {
        let what = self.in_place(place, what);
        self.report.advice(self.about, what, fix);
    }

    fn in_place(&self, place: &str, what: &str) -> String {
        let place = if place.is_empty() { "the root" } else { place };
        format!("{} at {place}: {what}", self.member)
    }

    /// The schema in which references of a schema are looked up: itself where it has an identifier, else that of the schema around it.
    fn resource(&self, schema: &'a Value, around: &'a Value) -> &'a Value {
        let is_one = |key: &str| {
            let id = schema.get(key).and_then(Value::as_str);
            // Up to draft-07 one that is only a fragment is the name of an anchor.
            id.is_some_and(|id| !id.is_empty() && !id.starts_with('#'))
        };
        if is_one("$id") || self.has_old_ids && is_one("id") { schema } else { around }
    }

    fn at(&mut self, schema: &'a Value, resource: &'a Value, place: &mut String, depth: usize) {
        let Value::Object(object) = schema else { return };
        if depth > DEPTH {
            return;
        }
        let resource = self.resource(schema, resource);
        for (key, value) in object {
            if let Ok(at) = KEYWORDS.binary_search_by(|(known, _)| (*known).cmp(key)) {
                self.keyword(object, key, value, KEYWORDS[at].1, place);
            }
        }
        self.together(object, place);
        self.required(object, place);
        if let Some(target) = object.get("$ref").and_then(Value::as_str) {
            self.reference(target, resource, place);
        }
        let before = place.len();
        for (key, value) in object {
            let Ok(at) = KEYWORDS.binary_search_by(|(known, _)| (*known).cmp(key)) else { continue };
            place.push('/');
            place.push_str(key);
            match KEYWORDS[at].1 {
                Shape::Schema => self.at(value, resource, place, depth + 1),
                Shape::Schemas | Shape::Items => match value.as_array() {
                    Some(all) => all.iter().for_each(|schema| self.at(schema, resource, place, depth + 1)),
                    None => self.at(value, resource, place, depth + 1),
                },
                Shape::Named => {
                    let keyword = place.len();
                    for (name, schema) in value.as_object().into_iter().flatten() {
                        place.push('/');
                        place.push_str(name);
                        self.at(schema, resource, place, depth + 1);
                        place.truncate(keyword);
                    }
                }
                _ => {}
            }
            place.truncate(before);
        }
    }

    /// One keyword by itself.
    fn keyword(&mut self, object: &Map<String, Value>, key: &str, value: &Value, shape: Shape, place: &str) {
        if shape.fits(value) {
            return;
        }
        match (key, value) {
            // The form of draft-04, which libraries for Java and .NET still write.
            ("exclusiveMaximum" | "exclusiveMinimum", Value::Bool(_)) => self.advice(
                place,
                &format!("'{key}' is true or false, as in draft-04"),
                "write the bound itself as a number, in place of 'minimum' or 'maximum'",
            ),
            ("properties", Value::Object(properties))
                if properties.get("required").is_some_and(Value::is_array) =>
            {
                self.fault(
                    place,
                    "'required' stands among the properties",
                    "move it one level up, beside 'properties'",
                );
            }
            ("properties", Value::Object(properties)) => {
                let wrong = |(_, value): &(&String, &Value)| !(value.is_object() || value.is_boolean());
                for (name, value) in properties.iter().filter(wrong) {
                    self.fault(
                        &format!("{place}/properties/{name}"),
                        &format!("{} is not a schema", short(value)),
                        "write an object such as {\"type\": \"string\"}",
                    );
                }
            }
            // It belongs to the object around it; a boolean is how draft-03 wrote it.
            ("required", _) if !object.contains_key("properties") && !value.is_array() => self.fault(
                place,
                &format!("'required' is {}, and not a list", short(value)),
                "list the names of required properties at the object that has them",
            ),
            _ => {
                let (what, fix) = shape.words();
                self.fault(place, &format!("'{key}' is {}, and not {what}", short(value)), fix);
            }
        }
    }

    /// What is required of a part must be described there. The root is looked at by itself.
    fn required(&mut self, object: &Map<String, Value>, place: &str) {
        let Some(properties) = object.get("properties").and_then(Value::as_object) else { return };
        let is_elsewhere = ["$ref", "allOf", "anyOf", "oneOf", "patternProperties"]
            .iter()
            .any(|key| object.contains_key(*key));
        // What stands in a combination is described around it.
        if place.is_empty()
            || is_elsewhere
            || ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"]
                .iter()
                .any(|key| place.contains(&format!("/{key}")))
        {
            return;
        }
        let names = object.get("required").and_then(Value::as_array).into_iter().flatten();
        for name in names.filter_map(Value::as_str).filter(|name| !properties.contains_key(*name)) {
            self.advice(
                place,
                &format!("'{name}' is required and is not among the properties"),
                "describe it under properties, or take it out of required",
            );
        }
    }

    /// What keywords say together.
    fn together(&mut self, object: &Map<String, Value>, place: &str) {
        let types: Vec<&Value> = match object.get("type") {
            Some(Value::Array(list)) => list.iter().collect(),
            Some(one) => vec![one],
            None => Vec::new(),
        };
        let is_type = |it: &Value| it.as_str().is_some_and(|it| TYPES.contains(&it));
        for wrong in types.iter().filter(|it| !is_type(it)) {
            self.fault(
                place,
                &format!("the type {wrong} does not exist"),
                "write one of the seven types of JSON Schema",
            );
        }
        let has_twice = |list: &[Value]| list.iter().enumerate().any(|(at, one)| list[..at].contains(one));
        if let Some(Value::Array(list)) = object.get("type")
            && (list.is_empty() || has_twice(list))
        {
            self.fault(
                place,
                "'type' is not a list of different types",
                "list each type once, and at least one",
            );
        }
        if let Some(choices) = object.get("enum").and_then(Value::as_array) {
            if choices.len() <= CHOICES && has_twice(choices) {
                self.advice(
                    place,
                    "a choice is there twice",
                    "list each choice once: APIs of models refuse others",
                );
            }
            // Null may stand for no default.
            let default = object.get("default").filter(|value| !value.is_null() && !choices.is_empty());
            let is_a_choice =
                |value: &Value| choices.contains(value) || value.is_array() || choices.len() > CHOICES;
            if let Some(value) = default.filter(|value| !is_a_choice(value)) {
                self.advice(
                    place,
                    &format!("the default {} is not one of the choices", short(value)),
                    "write one of the choices, or leave the default out",
                );
            }
        }
        for pattern in
            object.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Map::keys)
        {
            if !is_pattern(pattern) {
                self.fault(
                    place,
                    &format!("'{pattern}' among the patternProperties is not a regular expression"),
                    "close what it opens",
                );
            }
        }
        for (wrong, right) in MISTYPED {
            if object.contains_key(wrong) && !object.contains_key(right) {
                self.advice(
                    place,
                    &format!("'{wrong}' is not a keyword"),
                    &format!("write '{right}', if that is meant: an unknown keyword says nothing"),
                );
            }
        }
        if types.iter().all(|it| is_type(it)) && !types.is_empty() {
            let is_nullable = object.get("nullable") == Some(&Value::Bool(true));
            let is_of_type = |value: &Value| {
                types.iter().filter_map(|it| it.as_str()).any(|it| is_of(value, it))
                    || is_nullable && value.is_null()
            };
            let wrong = |value: &&Value| !is_of_type(value);
            for value in object.get("enum").and_then(Value::as_array).into_iter().flatten().filter(wrong) {
                self.advice(
                    place,
                    &format!("the choice {} is not of the type {}", short(value), object["type"]),
                    "write choices of the type, or another type",
                );
            }
            if let Some(value) = object.get("const").filter(wrong) {
                self.advice(
                    place,
                    &format!("the constant {} is not of the type {}", short(value), object["type"]),
                    "write a constant of the type, or another type",
                );
            }
            // Many libraries write null where there is no default. Beside a reference draft-07 does not read it, nor the type.
            let default = object.get("default").filter(|_| !object.contains_key("$ref"));
            if let Some(value) = default.filter(|value| !value.is_null()).filter(wrong) {
                self.advice(
                    place,
                    &format!("the default {} is not of the type {}", short(value), object["type"]),
                    "write a default of the type, or leave it out: clients put it into their forms",
                );
            }
        }
        for (least, most) in BOUNDS {
            let bound = |key: &str| object.get(key).and_then(Value::as_f64);
            if let (Some(low), Some(high)) = (bound(least), bound(most))
                && low > high
            {
                self.fault(
                    place,
                    &format!("no value fits: '{least}' is {low} and '{most}' is {high}"),
                    "exchange the bounds",
                );
            }
        }
        if object.get("type").is_some_and(|it| it == "array")
            && !["items", "prefixItems"].iter().any(|it| object.contains_key(*it))
        {
            self.advice(
                place,
                "a list without 'items'",
                "say what the elements are: APIs of models refuse a list without",
            );
        }
        if !self.has_lists && object.get("items").is_some_and(Value::is_array) {
            self.advice(
                place,
                "'items' is a list, as before 2020-12",
                "write one schema for all elements, or 'prefixItems': APIs of models refuse such a list",
            );
        }
        if object.get("nullable").is_some_and(Value::is_boolean) {
            self.advice(
                place,
                "'nullable' is a keyword of OpenAPI 3.0, which JSON Schema does not have",
                "write the type as a list with \"null\" in it",
            );
        }
    }

    /// A reference, and what it leads to, in the schema with an identifier that it stands in.
    fn reference(&mut self, target: &str, mut resource: &'a Value, place: &str) {
        let Some(pointer) = target.strip_prefix('#') else {
            if !self.ids.contains(target.split('#').next().unwrap_or_default()) {
                self.advice(
                    place,
                    &format!("'{target}' is in another document"),
                    "write it out or put it under $defs: clients do not load other documents",
                );
            }
            return;
        };
        if !(pointer.is_empty() || pointer.starts_with('/')) {
            // The name of an anchor.
            return;
        }
        let mut seen = BTreeSet::new();
        let mut next = Some(pointer);
        while let Some(pointer) = next {
            let pointer = percent_decoded(pointer).unwrap_or_else(|| pointer.to_owned());
            if seen.len() > DEPTH || !seen.insert((std::ptr::from_ref(resource), pointer.clone())) {
                self.fault(
                    place,
                    &format!("'{target}' leads back to itself"),
                    "define what $ref names, or write it out",
                );
                return;
            }
            let Some(found) = resource.pointer(&pointer) else {
                self.fault(
                    place,
                    &format!("'{target}' leads nowhere"),
                    "define what $ref names, or write it out",
                );
                return;
            };
            let mut inner = resource;
            for (at, _) in pointer.match_indices('/').skip(1) {
                let passed = resource.pointer(&pointer[..at]);
                inner = passed.map_or(inner, |passed| self.resource(passed, inner));
            }
            // Something beside the reference makes a schema that ends, such as a list of itself.
            let object = found.as_object().filter(|object| object.len() == 1);
            next = object
                .and_then(|object| object.get("$ref")?.as_str()?.strip_prefix('#'))
                .filter(|pointer| pointer.is_empty() || pointer.starts_with('/'));
            resource = inner;
        }
    }
}

/// Whether a value is of a type of JSON Schema.
fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "array" => value.is_array(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "object" => value.is_object(),
        _ => value.is_string(),
    }
}

/// A value as JSON, cut where it is long.
fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// Whether a text can be a regular expression in any dialect: what it opens is closed, and something stands before each repetition. A
/// bracket that comes first in a class stands for itself in most dialects, and ends the class in ECMA-262, the one of JSON Schema.
fn is_pattern(text: &str) -> bool {
    closes(text, true) || closes(text, false)
}

fn closes(text: &str, first_bracket_ends: bool) -> bool {
    let (mut groups, mut in_class, mut may_repeat) = (0_usize, false, false);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => {
                if rest.next().is_none() {
                    return false;
                }
                may_repeat = true;
            }
            ']' if in_class => (in_class, may_repeat) = (false, true),
            _ if in_class => {}
            '[' => {
                in_class = true;
                rest.next_if_eq(&'^');
                if !first_bracket_ends {
                    rest.next_if_eq(&']');
                }
            }
            '(' => {
                groups += 1;
                may_repeat = rest.next_if_eq(&'?').is_some();
            }
            ')' => match groups.checked_sub(1) {
                Some(left) => (groups, may_repeat) = (left, true),
                None => return false,
            },
            '*' | '+' | '?' if !may_repeat => return false,
            '|' => may_repeat = false,
            _ => may_repeat = true,
        }
    }
    groups == 0 && !in_class
}

#[cfg(test)]
mod tests {
    use super::super::Grade;
    use super::*;

    fn found(member: &str, schema: &str) -> Vec<String> {
        let mut report = Report::default();
        check(&mut report, "tool x", member, schema);
        report.findings.into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn keywords_stand_in_the_order_in_which_they_are_looked_up() {
        assert!(KEYWORDS.is_sorted_by(|one, next| one.0 < next.0));
    }

    /// A schema with one property `a`.
    fn with(property: &str) -> String {
        format!(r#"{{"type":"object","properties":{{"a":{property}}}}}"#)
    }

    #[test]
    fn each_planted_fault_is_found_once_and_nothing_else() {
        for (property, says) in [
            (r#"{"type":"decimal"}"#, "decimal"),
            (r#"{"type":["string","int"]}"#, "the type \"int\" does not exist"),
            (r##"{"$ref":"#/$defs/no"}"##, "leads nowhere"),
            (r##"{"$ref":"#/properties/a"}"##, "leads back to itself"),
            (r#"{"$ref":"https://example.com/s.json"}"#, "in another document"),
            (r#"{"type":"string","required":true}"#, "and not a list"),
            (r#"{"type":"integer","minimum":"1"}"#, "'minimum' is \"1\", and not a number"),
            (r#"{"type":"integer","minimum":5,"maximum":1}"#, "no value fits"),
            (r#"{"type":"integer","minimum":0,"exclusiveMinimum":true}"#, "draft-04"),
            (r#"{"type":"integer","multipleOf":0}"#, "above 0"),
            (r#"{"type":[]}"#, "a list of different types"),
            (r#"{"type":["string","string"]}"#, "a list of different types"),
            (r#"{"enum":["a","a"]}"#, "is there twice"),
            (r#"{"enum":["a"],"default":"b"}"#, "not one of the choices"),
            (r#"{"type":"object","patternProperties":{"[":{}}}"#, "among the patternProperties"),
            (r#"{"type":"object","property":{"x":{}}}"#, "'property' is not a keyword"),
            (r#"{"type":"object","properties":{"x":{}},"required":["y"]}"#, "'y' is required"),
            (r#"{"type":"string","minLength":-1}"#, "an integer of at least 0"),
            (r#"{"type":"string","pattern":"(a"}"#, "regular expression"),
            (r#"{"type":"string","enum":"x"}"#, "a list of values"),
            (r#"{"type":"string","enum":[]}"#, "a list of values"),
            (r#"{"type":"integer","enum":[1,"b"]}"#, "the choice \"b\""),
            (r#"{"type":"string","const":1}"#, "the constant 1"),
            (r#"{"type":"integer","default":"x"}"#, "the default \"x\""),
            (r#"{"type":"string","description":5}"#, "'description' is 5, and not a text"),
            (r#"{"type":"array"}"#, "without 'items'"),
            (r#"{"type":"array","items":[{"type":"string"}]}"#, "as before 2020-12"),
            (r#"{"type":"array","items":{"type":["string","nil"]}}"#, "nil"),
            (r#"{"type":"array","items":{},"uniqueItems":"true"}"#, "true or false"),
            (r#"{"anyOf":[]}"#, "a list of schemas"),
            (r#"{"anyOf":[{"type":"strin"},{"type":"null"}]}"#, "strin"),
            (r#"{"type":"string","nullable":true}"#, "OpenAPI"),
            (r#""string""#, "\"string\" is not a schema"),
            ("null", "null is not a schema"),
        ] {
            let found = found("inputSchema", &with(property));
            assert!(found.len() == 1 && found[0].contains(says), "{property}: {found:?}");
        }
        for (schema, says) in [
            (
                r#"{"type":"object","properties":{"a":{"type":"string"},"required":["a"]}}"#,
                "among the properties",
            ),
            (r#"{"type":"object","properties":[]}"#, "an object of schemas"),
            (r#"{"type":"object","properties":{"a":{}},"required":["a","a"]}"#, "different names"),
            (r#"{"type":"object","properties":{"a":{}},"required":"a"}"#, "different names"),
            (r#"{"type":"object","properties":{"uids[]":{"type":"string"}}}"#, "uids[]"),
            (r#"{"type":"object","additionalProperties":"false"}"#, "not a schema"),
            (r#"{"type":"object","dependentRequired":{"a":"b"}}"#, "lists of names"),
            (r#"{"type":"object","anyOf":[{"required":["a"]}]}"#, "anyOf"),
            (r#"{"type":"object","not":{"required":["a"]}}"#, "'not' at the root"),
            (r#"{"type":"object","$schema":"http://json-schema.org/draft-04/schema#"}"#, "its dialect is"),
        ] {
            let found = found("inputSchema", schema);
            assert!(found.len() == 1 && found[0].contains(says), "{schema}: {found:?}");
        }
    }

    #[test]
    fn what_the_specification_allows_is_no_fault() {
        let grades = |schema: &str| {
            let mut report = Report::default();
            check(&mut report, "tool x", "inputSchema", schema);
            report.findings.into_iter().map(|finding| finding.grade).collect::<Vec<_>>()
        };
        for property in [
            r#"{"type":"integer","enum":[1,"b"]}"#,
            r#"{"type":"string","const":1}"#,
            r#"{"type":"string","enum":["x",null],"nullable":true}"#,
        ] {
            assert_eq!(grades(&with(property)), [Grade::Advice], "{property}");
        }
        assert_eq!(
            grades(&with(r#"{"type":"string","enum":["x",null],"nullable":false}"#)),
            [Grade::Advice; 2]
        );
        for pattern in ["[^]", "[]", "a[^]*b", "[]a]", "[^]a]", "[]|x"] {
            assert!(is_pattern(pattern), "{pattern}");
        }
        for pattern in ["[", "[^", "[a", "[]a](", "([]"] {
            assert!(!is_pattern(pattern), "{pattern}");
        }
    }

    #[test]
    fn references_are_looked_up_where_the_specification_says() {
        let document = |more: &str| format!(r#"{{"type":"object",{more}}}"#);
        for (more, says) in [
            (r##""properties":{"a":{"$ref":"#/$defs/a%20b%7E1c"}},"$defs":{"a b/c":{}}"##, None),
            (r##""properties":{"a":{"$ref":"#/%24defs/x"}},"$defs":{"x":{}}"##, None),
            (r##""properties":{"a":{"$ref":"#/$defs/a%2525"}},"$defs":{"a%25":{}}"##, None),
            (r##""properties":{"a":{"$ref":"#/$defs/a%25"}},"$defs":{"a%25":{}}"##, Some("leads nowhere")),
            (
                r##""$defs":{"i":{"$id":"urn:i","$defs":{"x":{}},"properties":{"y":{"$ref":"#/$defs/x"},"z":{"$ref":"#"}}}}"##,
                None,
            ),
            (
                r##""$defs":{"x":{},"i":{"$id":"urn:i","properties":{"y":{"$ref":"#/$defs/x"}}}}"##,
                Some("leads nowhere"),
            ),
            // The same text leads to another place beyond an identifier.
            (
                r##""properties":{"a":{"$ref":"#/$defs/i/$defs/x"}},"$defs":{"x":{"type":"null"},
                    "i":{"$id":"urn:i","$defs":{"x":{"$ref":"#/$defs/y"},"y":{}}}}"##,
                None,
            ),
            (
                r##""$schema":"http://json-schema.org/draft-04/schema#",
                    "definitions":{"i":{"id":"urn:i","definitions":{"x":{}},"properties":{"y":{"$ref":"#/definitions/x"}}}},
                    "properties":{"a":{"$ref":"urn:i"}}"##,
                Some("its dialect is"),
            ),
            (r##""$defs":{"x":{},"i":{"id":"an id","properties":{"y":{"$ref":"#/$defs/x"}}}}"##, None),
            (r##""$defs":{"x":{},"i":{"$id":"#i","properties":{"y":{"$ref":"#/$defs/x"}}}}"##, None),
            (
                r##""properties":{"a":{"type":"string","default":1,"$ref":"#/$defs/x"}},"$defs":{"x":{}}"##,
                None,
            ),
        ] {
            let found = found("inputSchema", &document(more));
            assert_eq!(found.len(), usize::from(says.is_some()), "{more}: {found:?}");
            assert!(says.is_none_or(|says| found[0].contains(says)), "{more}: {found:?}");
        }
    }

    #[test]
    fn a_schema_without_faults_has_no_findings() {
        let good = r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{
            "required":{"type":"boolean","default":null},"a":{"$ref":"#/$defs/x"},"b":{"type":["string","null"],
            "pattern":"^(?:[^]a]|\\d+?){2,}(?=x)$","minLength":1,"enum":["x",null]},"c":{"type":"integer","minimum":0,"maximum":0,
            "default":1.0},"tree":{"$ref":"#"},"d":{"$ref":"urn:d"},"e":{"type":"array","prefixItems":[{"type":"string"}]}},
            "required":["a"],"$defs":{"x":true,"d":{"$id":"urn:d"}},"additionalProperties":false}"##;
        assert_eq!(found("inputSchema", good), Vec::<String>::new());
        assert_eq!(found("outputSchema", r#"{"anyOf":[{"type":"object"}]}"#), Vec::<String>::new());
        let nested = r#"{"type":"object","properties":{"a":{"enum":["x",null],"default":null},"b":{"type":"object","properties":{"x":{}},
            "anyOf":[{"required":["x"],"properties":{}}]},"c":{"type":"array","items":{"enum":["x"]},"default":["x"]}}}"#;
        assert_eq!(found("inputSchema", nested), Vec::<String>::new());
        let older = r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"items":[{}]}}}"#;
        assert_eq!(found("inputSchema", older), Vec::<String>::new());
        let list = found("outputSchema", r#"{"type":"array","items":{}}"#);
        assert!(list.len() == 1 && list[0].contains("not object"), "{list:?}");
    }
}
