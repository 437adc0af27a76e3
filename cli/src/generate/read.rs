//! Reads JSON Schemas into the intermediate form.
//!
//! Schemas come from servers: depth, parts and members are bounded, references lead to places inside the document only, and
//! what cannot be expressed becomes any JSON, with a line in the report. Nothing makes a schema fail.

use super::model::{Class, Declaration, Field, Object, Shape, Type, Union, Variant, Word};
use super::naming::{Names, pascal, words};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};

/// How deep a schema is followed.
const DEPTH: u32 = 48;
/// How many parts of the schemas of one tool are read.
const PARTS: u32 = 20_000;
/// How many members of an object, texts of an enumeration, and branches of a union have a type.
const MEMBERS: usize = 1000;
const TEXTS: usize = 500;
const BRANCHES: usize = 100;
/// How long the name of a member or a text of an enumeration is; longer literals are no standard C.
const TEXT: usize = 1000;
/// How many lists and maps stand in each other: the name of such a type in C++ doubles with each.
const COLLECTIONS: u32 = 5;
/// How many losses of one tool are told one by one.
const LOSSES: usize = 200;

/// Reads the schemas of one tool.
#[derive(Debug)]
pub struct Reader<'a> {
    /// What the names of types begin with.
    prefix: Vec<String>,
    names: &'a mut Names,
    declarations: Vec<Option<Declaration>>,
    /// What a place that was referred to while it was read became.
    aliases: HashMap<usize, Type>,
    references: HashMap<(bool, String), Reference>,
    losses: Vec<String>,
    lost: usize,
    parts: u32,
}

#[derive(Clone, Debug)]
enum Reference {
    Reading(Option<usize>),
    Read(Type),
}

/// A document and where in it the reader is.
#[derive(Clone, Copy)]
struct Place<'a> {
    root: &'a Value,
    is_result: bool,
    path: &'a str,
    depth: u32,
}

impl<'a> Reader<'a> {
    pub fn new(prefix: Vec<String>, names: &'a mut Names) -> Reader<'a> {
        Reader {
            prefix,
            names,
            declarations: Vec::new(),
            aliases: HashMap::new(),
            references: HashMap::new(),
            losses: Vec::new(),
            lost: 0,
            parts: 0,
        }
    }

    /// The type of the arguments; `Type::Null` for a tool without any.
    pub fn arguments(&mut self, schema: &Value) -> Type {
        let place = Place { root: schema, is_result: false, path: "inputSchema", depth: 0 };
        let is_closed = |object: &Map<String, Value>| {
            !["properties", "patternProperties", "required", "$ref", "allOf", "anyOf", "oneOf", "enum", "if"]
                .iter()
                .any(|key| object.get(*key).is_some_and(|it| !is_empty(it)))
                && matches!(object.get("additionalProperties"), None | Some(Value::Bool(false)))
        };
        match schema {
            Value::Null => Type::Null,
            Value::Object(object) if is_closed(object) => Type::Null,
            _ => {
                let read = self.read(schema, place, &["arguments".to_owned()]);
                match self.resolved(&read) {
                    Type::Map(_) | Type::Json => read,
                    Type::Named(number) if matches!(self.shape(number), Some(Shape::Object(_)) | None) => {
                        read
                    }
                    _ => self.lose("inputSchema", "it is not only of objects"),
                }
            }
        }
    }

    pub fn result(&mut self, schema: &Value) -> Type {
        let place = Place { root: schema, is_result: true, path: "outputSchema", depth: 0 };
        self.read(schema, place, &["result".to_owned()])
    }

    fn shape(&self, number: usize) -> Option<&Shape> {
        self.declarations.get(number)?.as_ref().map(|it| &it.shape)
    }

    /// Follows what a place became.
    fn resolved(&self, kind: &Type) -> Type {
        let mut kind = kind.clone();
        for _ in 0..DEPTH {
            match &kind {
                Type::Named(number) => match self.aliases.get(number) {
                    Some(other) => kind = other.clone(),
                    None => break,
                },
                _ => break,
            }
        }
        kind
    }

    fn lose(&mut self, path: &str, why: &str) -> Type {
        self.note(path, why);
        Type::Json
    }

    fn note(&mut self, path: &str, why: &str) {
        self.lost += 1;
        if self.losses.len() < LOSSES {
            self.losses.push(format!("{path}: {why}"));
        }
    }

    fn read(&mut self, schema: &Value, place: Place<'_>, hint: &[String]) -> Type {
        self.parts += 1;
        if place.depth > DEPTH {
            return self.lose(place.path, "it nests too deep");
        }
        if self.parts > PARTS {
            return self.lose(place.path, "the schema has too many parts");
        }
        let object = match schema {
            Value::Object(object) => object,
            Value::Bool(true) => return Type::Json,
            Value::Bool(false) => return self.lose(place.path, "no value is valid"),
            _ => return self.lose(place.path, "it is no schema"),
        };
        let kind = self.read_object(object, place, hint);
        if object.get("nullable") == Some(&Value::Bool(true)) { nullable(kind) } else { kind }
    }

    fn read_object(&mut self, object: &Map<String, Value>, place: Place<'_>, hint: &[String]) -> Type {
        for key in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let Some(target) = object.get(key) {
                if ["properties", "allOf", "anyOf", "oneOf", "enum"]
                    .iter()
                    .any(|key| object.contains_key(*key))
                {
                    self.note(place.path, "what stands beside a reference is not used");
                }
                return self.reference(target, place, hint);
            }
        }
        if let Some(Value::Array(branches)) = object.get("allOf") {
            let mut whole = object.clone();
            whole.remove("allOf");
            for branch in branches.iter().take(BRANCHES) {
                let Some(branch) = followed(branch, place.root) else { continue };
                let Some(merged) = merge(&whole, branch) else {
                    return self.lose(place.path, "the parts of allOf do not join to one type");
                };
                whole = merged;
            }
            return self.read(&Value::Object(whole), place.deeper(), hint);
        }
        if let Some(values) = object.get("enum") {
            return match values {
                Value::Array(values) => self.enumeration(values, object, place, hint),
                _ => self.lose(place.path, "enum is no list"),
            };
        }
        if let Some(value) = object.get("const") {
            return self.enumeration(std::slice::from_ref(value), object, place, hint);
        }
        for key in ["not", "if", "dependentSchemas", "dependencies", "unevaluatedProperties", "propertyNames"]
        {
            if object.contains_key(key) {
                self.note(place.path, &format!("{key} is not expressed"));
            }
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = object.get(key) {
                return self.alternatives(object, key, branches, place, hint);
            }
        }
        match object.get("type") {
            Some(Value::String(name)) => self.typed(name, object, place, hint),
            Some(Value::Array(names)) => {
                let branches: Vec<Value> =
                    names.iter().map(|name| serde_json::json!({"type": name})).collect();
                let mut base = object.clone();
                base.remove("type");
                self.alternatives(&base, "type", &branches, place, hint)
            }
            _ if ["properties", "required", "additionalProperties", "patternProperties"]
                .iter()
                .any(|key| object.contains_key(*key)) =>
            {
                self.typed("object", object, place, hint)
            }
            _ if object.contains_key("items") || object.contains_key("prefixItems") => {
                self.typed("array", object, place, hint)
            }
            Some(_) => self.lose(place.path, "its type has no name"),
            None => Type::Json,
        }
    }

    fn typed(&mut self, name: &str, object: &Map<String, Value>, place: Place<'_>, hint: &[String]) -> Type {
        match name {
            "string" => Type::String,
            "boolean" => Type::Bool,
            "null" => Type::Null,
            "number" => Type::Number,
            "integer" => {
                let beyond = |key: &str| {
                    object.get(key).is_some_and(|it| {
                        it.as_f64().is_some_and(|it| it.abs() > 9.3e18)
                            || it.as_u64().is_some_and(|it| i64::try_from(it).is_err())
                    })
                };
                if ["maximum", "minimum"].into_iter().any(beyond) {
                    self.note(place.path, "integers beyond 64 bits are numbers");
                    return Type::Number;
                }
                Type::Int
            }
            "array" => self.array(object, place, hint),
            "object" => self.object(object, place, hint),
            other => self.lose(place.path, &format!("there is no type {}", super::text::plain(other, 40))),
        }
    }

    fn array(&mut self, object: &Map<String, Value>, place: Place<'_>, hint: &[String]) -> Type {
        let tuple = match (object.get("prefixItems"), object.get("items")) {
            (Some(Value::Array(list)), _) | (None, Some(Value::Array(list))) => list,
            (_, Some(items)) => {
                let path = format!("{}/items", place.path);
                let item = self.read(items, place.at(&path), &item_hint(hint));
                return Type::Array(Box::new(item));
            }
            (_, None) => return Type::Array(Box::new(Type::Json)),
        };
        let path = format!("{}/items", place.path);
        let before = self.declarations.len();
        let kinds: Vec<Type> = tuple
            .iter()
            .take(BRANCHES)
            .map(|item| self.read(item, place.at(&path), &item_hint(hint)))
            .collect();
        let is_open = |key: &str| !matches!(object.get(key), Some(Value::Bool(false)));
        let rest = if object.contains_key("prefixItems") { "items" } else { "additionalItems" };
        // What stands behind the tuple is of any type unless it says otherwise.
        let same = kinds.windows(2).all(|pair| pair[0] == pair[1]) && !is_open(rest);
        match kinds.into_iter().next() {
            Some(kind) if same && self.declarations.len() == before => Type::Array(Box::new(kind)),
            _ => {
                self.note(place.path, "a tuple is a list of any JSON");
                Type::Array(Box::new(Type::Json))
            }
        }
    }

    fn object(&mut self, object: &Map<String, Value>, place: Place<'_>, hint: &[String]) -> Type {
        let none = Map::new();
        let properties = match object.get("properties") {
            Some(Value::Object(properties)) => properties,
            Some(_) => return self.lose(place.path, "properties is no object"),
            None => &none,
        };
        let required: BTreeSet<&str> = object
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        if properties.len() + required.len() > MEMBERS {
            self.note(place.path, "an object with so many members is one of any JSON");
            return Type::Map(Box::new(Type::Json));
        }
        let patterns = object.get("patternProperties").and_then(Value::as_object).filter(|it| !it.is_empty());
        let path = format!("{}/additionalProperties", place.path);
        let value_hint = item_hint(hint);
        let additional = match (object.get("additionalProperties"), patterns) {
            (Some(Value::Bool(false)), Some(patterns)) if patterns.len() == 1 => {
                self.note(place.path, "the pattern of names is not expressed");
                patterns.values().next().map(|it| self.read(it, place.at(&path), &value_hint))
            }
            (_, Some(_)) => {
                self.note(place.path, "patternProperties are any JSON");
                Some(Type::Json)
            }
            (Some(Value::Bool(false)) | None, None) => None,
            (Some(schema), None) => Some(self.read(schema, place.at(&path), &value_hint)),
        };
        if properties.is_empty() && required.is_empty() {
            return Type::Map(Box::new(additional.unwrap_or(Type::Json)));
        }
        let number = self.declare(object, hint);
        let mut fields = Vec::new();
        let mut taken = Names::with(&["additional"]);
        let all: BTreeSet<&str> =
            properties.keys().map(String::as_str).chain(required.iter().copied()).collect();
        for wire in all {
            if wire.contains('\0') || wire.len() > TEXT {
                self.note(place.path, "a member whose name contains NUL or is too long is left out");
                continue;
            }
            let path = format!("{}/{}", place.path, super::text::plain(wire, 60));
            // C has `has_x` beside a member `x` that may be missing.
            let words = taken.unique_with(words(wire), &["", "^has"]);
            let (kind, description) = match properties.get(wire) {
                Some(schema) => (self.read(schema, place.at(&path), &words), describe(schema)),
                None => (additional.clone().unwrap_or(Type::Json), String::new()),
            };
            fields.push(Field {
                wire: wire.to_owned(),
                words,
                kind,
                required: required.contains(wire),
                description,
            });
        }
        if fields.is_empty() {
            return Type::Map(Box::new(additional.unwrap_or(Type::Json)));
        }
        if let Some(Some(slot)) = self.declarations.get_mut(number) {
            slot.shape = Shape::Object(Object { fields, additional });
        }
        Type::Named(number)
    }

    fn declare(&mut self, object: &Map<String, Value>, hint: &[String]) -> usize {
        let name = self.name(object, hint);
        let description = object.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        let shape = Shape::Object(Object::default());
        self.declarations.push(Some(Declaration { name, description, shape, is_recursive: false }));
        self.declarations.len() - 1
    }

    fn name(&mut self, object: &Map<String, Value>, hint: &[String]) -> String {
        let title = object.get("title").and_then(Value::as_str).filter(|title| {
            let is_root = hint == ["arguments"] || hint == ["result"];
            !is_root
                && !title.is_empty()
                && title.len() <= 40
                && title.chars().any(|c| c.is_ascii_alphabetic())
        });
        let own = title.map_or_else(|| hint.to_vec(), words);
        let mut all = self.prefix.clone();
        all.extend(own);
        // What the functions of the type in C are called, and the prototype in other languages.
        pascal(&self.names.unique_with(all, &["", "init", "encode", "decode", "free", "required"]))
    }

    fn enumeration(
        &mut self,
        values: &[Value],
        object: &Map<String, Value>,
        place: Place<'_>,
        hint: &[String],
    ) -> Type {
        let has_null = values.iter().any(Value::is_null);
        let mut kept: Vec<&Value> = Vec::new();
        for value in values.iter().filter(|value| !value.is_null()) {
            if kept.len() > TEXTS {
                break;
            }
            if !kept.contains(&value) {
                kept.push(value);
            }
        }
        let finish = |kind: Type| if has_null { nullable(kind) } else { kind };
        if kept.is_empty() {
            return if has_null { Type::Null } else { self.lose(place.path, "the enumeration is empty") };
        }
        if kept.len() > TEXTS {
            return self.lose(place.path, "the enumeration is too long");
        }
        if kept.iter().all(|value| value.is_string()) {
            let texts = kept.iter().filter_map(|value| value.as_str());
            if texts.clone().any(|text| text.contains('\0') || text.len() > TEXT) {
                self.note(place.path, "a text of the enumeration contains NUL or is too long");
                return finish(Type::String);
            }
            let mut taken = Names::default();
            let shape = Shape::Enumeration(
                texts.map(|text| Word { wire: text.to_owned(), words: taken.unique(words(text)) }).collect(),
            );
            let number = self.declare(object, hint);
            if let Some(Some(slot)) = self.declarations.get_mut(number) {
                slot.shape = shape;
            }
            return finish(Type::Named(number));
        }
        let is_same = |test: fn(&Value) -> bool| kept.iter().all(|value| test(value));
        if is_same(Value::is_boolean) || is_same(Value::is_number) {
            return finish(Type::Literals(kept.into_iter().cloned().collect()));
        }
        self.lose(place.path, "the values of the enumeration have several types")
    }

    fn alternatives(
        &mut self,
        object: &Map<String, Value>,
        key: &str,
        branches: &[Value],
        place: Place<'_>,
        hint: &[String],
    ) -> Type {
        let mut base = object.clone();
        base.remove(key);
        for note in [
            "title",
            "description",
            "default",
            "examples",
            "discriminator",
            "$schema",
            "$defs",
            "definitions",
        ] {
            if key != "type" || !matches!(note, "title" | "description") {
                base.remove(note);
            }
        }
        if branches.is_empty() || branches.len() > BRANCHES {
            return self.lose(place.path, "it has no branches or too many");
        }
        let has_type = |branch: &Value| {
            branch.as_object().is_some_and(|it| {
                ["type", "properties", "$ref", "enum", "const", "anyOf", "oneOf", "allOf", "items"]
                    .iter()
                    .any(|key| it.contains_key(*key))
            })
        };
        if key != "type" && !base.is_empty() && !branches.iter().any(has_type) {
            self.note(place.path, &format!("{key} only restricts, which is not expressed"));
            return self.read(&Value::Object(base), place.deeper(), hint);
        }
        let mut variants: Vec<Type> = Vec::new();
        let mut hints: Vec<Vec<String>> = Vec::new();
        let mut has_null = false;
        let before = self.declarations.len();
        for (number, branch) in branches.iter().enumerate() {
            let path = format!("{}/{key}/{number}", place.path);
            let own = branch_hint(branch, hint, number, branches.len());
            let kind = if base.is_empty() || base.keys().all(|key| is_annotation(key)) {
                self.read(branch, place.at(&path), &own)
            } else {
                let merged = followed(branch, place.root).and_then(|branch| merge(&base, branch));
                match merged {
                    Some(merged) => self.read(&Value::Object(merged), place.at(&path), &own),
                    None => return self.lose(&path, "it does not join with what stands beside it"),
                }
            };
            let (kind, is_nullable) = match self.resolved(&kind) {
                Type::Nullable(inner) => (*inner, true),
                _ => (kind, false),
            };
            has_null |= is_nullable || kind == Type::Null;
            match kind {
                Type::Null => {}
                Type::Json => return Type::Json,
                kind => self.flatten(kind, own, &mut variants, &mut hints),
            }
        }
        let finish = |kind: Type| if has_null { nullable(kind) } else { kind };
        self.join(place, &mut variants, &mut hints, before);
        match variants.len() {
            0 => Type::Null,
            1 => finish(variants.remove(0)),
            _ => {
                let mut taken = Names::default();
                let variants = variants
                    .into_iter()
                    .zip(hints)
                    .map(|(kind, words)| Variant { words: taken.unique(words), kind, tags: Vec::new() })
                    .collect();
                let number = self.declare(object, hint);
                if let Some(Some(slot)) = self.declarations.get_mut(number) {
                    slot.shape = Shape::Union(Union { variants, tag: None, is_decidable: false });
                }
                finish(Type::Named(number))
            }
        }
    }

    /// The variants of a union in a union are its own.
    fn flatten(&self, kind: Type, hint: Vec<String>, variants: &mut Vec<Type>, hints: &mut Vec<Vec<String>>) {
        if let Type::Named(number) = self.resolved(&kind)
            && let Some(Shape::Union(union)) = self.shape(number)
            && !union.variants.is_empty()
        {
            for variant in &union.variants {
                if !variants.contains(&variant.kind) {
                    variants.push(variant.kind.clone());
                    hints.push(variant.words.clone());
                }
            }
        } else if !variants.contains(&kind) {
            variants.push(kind);
            hints.push(hint);
        }
    }

    /// Joins variants that are one type in every language.
    fn join(
        &mut self,
        place: Place<'_>,
        variants: &mut Vec<Type>,
        hints: &mut Vec<Vec<String>>,
        _before: usize,
    ) {
        let numbers: Vec<usize> = (0..variants.len())
            .filter(|at| matches!(variants[*at], Type::Int | Type::Number | Type::Literals(_)))
            .filter(
                |at| !matches!(&variants[*at], Type::Literals(list) if list.iter().all(Value::is_boolean)),
            )
            .collect();
        let mut gone: BTreeSet<usize> = BTreeSet::new();
        if numbers.len() > 1 {
            let all_int = numbers.iter().all(|at| variants[*at].widened() == Type::Int);
            variants[numbers[0]] = if all_int { Type::Int } else { Type::Number };
            gone.extend(&numbers[1..]);
            self.note(place.path, "several kinds of numbers are one");
        }
        let booleans: Vec<usize> =
            (0..variants.len()).filter(|at| variants[*at].widened() == Type::Bool).collect();
        if booleans.len() > 1 {
            variants[booleans[0]] = Type::Bool;
            gone.extend(&booleans[1..]);
        }
        let texts: Vec<usize> = (0..variants.len())
            .filter(|at| match &variants[*at] {
                Type::String => true,
                Type::Named(number) => matches!(self.shape(*number), Some(Shape::Enumeration(_))),
                _ => false,
            })
            .collect();
        if texts.len() > 1 {
            self.note(place.path, "several kinds of texts are one");
            variants[texts[0]] = Type::String;
            gone.extend(&texts[1..]);
        }
        for at in gone.into_iter().rev() {
            variants.remove(at);
            hints.remove(at);
        }
    }

    fn reference(&mut self, target: &Value, place: Place<'_>, hint: &[String]) -> Type {
        let Some(target) = target.as_str() else { return self.lose(place.path, "the reference is no text") };
        let Some(pointer) = target.strip_prefix('#').filter(|it| it.is_empty() || it.starts_with('/')) else {
            return self.lose(place.path, "the reference does not lead to a place in the document");
        };
        let key = (place.is_result, pointer.to_owned());
        match self.references.get(&key) {
            Some(Reference::Read(kind)) => return kind.clone(),
            Some(Reference::Reading(Some(slot))) => return Type::Named(*slot),
            Some(Reference::Reading(None)) => {
                let slot = self.declarations.len();
                self.declarations.push(None);
                self.references.insert(key, Reference::Reading(Some(slot)));
                return Type::Named(slot);
            }
            None => {}
        }
        let decoded = percent_decoded(pointer);
        let Some(schema) = place.root.pointer(&decoded) else {
            return self.lose(place.path, "the reference leads nowhere");
        };
        self.references.insert(key.clone(), Reference::Reading(None));
        let last = decoded.rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
        let own = if last.is_empty() { hint.to_vec() } else { words(&last) };
        let kind = self.read(schema, place.deeper(), &own);
        if let Some(Reference::Reading(Some(slot))) =
            self.references.insert(key, Reference::Read(kind.clone()))
        {
            self.aliases.insert(slot, kind.clone());
        }
        kind
    }

    /// The declarations that the types need, and the types with the numbers of these.
    pub fn finish(mut self, roots: &mut [&mut Type]) -> (Vec<Declaration>, Vec<String>) {
        let mut order: Vec<usize> = Vec::new();
        for root in roots.iter_mut() {
            **root = self.settled(root, &mut Vec::new());
            gather(root, &mut order);
        }
        let mut at = 0;
        while at < order.len() {
            let number = order[at];
            if let Some(Some(mut declaration)) = self.declarations.get(number).cloned() {
                let mut found = Vec::new();
                each_type(&mut declaration.shape, &mut |kind| found.push(kind.clone()));
                let mut settled = found
                    .iter()
                    .map(|kind| self.settled(kind, &mut Vec::new()))
                    .collect::<Vec<_>>()
                    .into_iter();
                each_type(&mut declaration.shape, &mut |kind| {
                    if let Some(new) = settled.next() {
                        gather(&new, &mut order);
                        *kind = new;
                    }
                });
                self.declarations[number] = Some(declaration);
            }
            at += 1;
        }
        let places: HashMap<usize, usize> = order.iter().enumerate().map(|(new, old)| (*old, new)).collect();
        let renumber = |kind: &mut Type| renumbered(kind, &places);
        let mut kept: Vec<Declaration> = Vec::new();
        for number in &order {
            let mut declaration =
                self.declarations.get(*number).cloned().flatten().unwrap_or_else(|| Declaration {
                    name: format!("Unknown{number}"),
                    description: String::new(),
                    shape: Shape::Enumeration(Vec::new()),
                    is_recursive: false,
                });
            each_type(&mut declaration.shape, &mut |kind| renumber(kind));
            kept.push(declaration);
        }
        for root in roots.iter_mut() {
            renumber(root);
        }
        let mut flattened = 0;
        let mut flatten = |kind: &mut Type| flattened += shallow(kind, COLLECTIONS);
        kept.iter_mut().for_each(|it| each_type(&mut it.shape, &mut flatten));
        roots.iter_mut().for_each(|root| flatten(root));
        if flattened > 0 {
            self.note(&pascal(&self.prefix), "lists in lists are any JSON where they nest deep");
        }
        for _ in 0..kept.len() {
            let Some((number, field)) = endless(&kept) else { break };
            if let Some(Shape::Object(object)) = kept.get_mut(number).map(|it| &mut it.shape) {
                object.fields[field].kind = Type::Json;
                let path = format!(
                    "{}/{}",
                    pascal(&self.prefix),
                    super::text::plain(&object.fields[field].wire, 60)
                );
                self.note(&path, "a value would contain itself without an end");
            }
        }
        decide(&mut kept);
        for number in 0..kept.len() {
            kept[number].is_recursive = reaches(&kept, number);
        }
        if self.lost > self.losses.len() {
            let more = self.lost - self.losses.len();
            self.losses.push(format!("and {more} more"));
        }
        (kept, self.losses)
    }

    /// The type with the places that were referred to while they were read as what they became.
    fn settled(&mut self, kind: &Type, open: &mut Vec<usize>) -> Type {
        match kind {
            Type::Named(number) => {
                let Some(alias) = self.aliases.get(number).cloned() else {
                    return if self.declarations.get(*number).is_some_and(Option::is_some) {
                        kind.clone()
                    } else {
                        self.lose("a reference", "it leads to itself")
                    };
                };
                if open.contains(number) {
                    return self.lose("a reference", "it leads to itself with no object between");
                }
                open.push(*number);
                let settled = self.settled(&alias, open);
                open.pop();
                settled
            }
            Type::Array(item) => Type::Array(Box::new(self.settled(item, open))),
            Type::Map(item) => Type::Map(Box::new(self.settled(item, open))),
            Type::Nullable(item) => nullable(self.settled(item, open)),
            other => other.clone(),
        }
    }
}

impl<'a> Place<'a> {
    fn at(self, path: &'a str) -> Place<'a> {
        Place { path, depth: self.depth + 1, ..self }
    }

    fn deeper(self) -> Place<'a> {
        Place { depth: self.depth + 1, ..self }
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Object(object) => object.is_empty(),
        Value::Array(list) => list.is_empty(),
        _ => false,
    }
}

fn is_annotation(key: &str) -> bool {
    matches!(
        key,
        "title"
            | "description"
            | "default"
            | "examples"
            | "$schema"
            | "$id"
            | "$comment"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "$defs"
            | "definitions"
            | "nullable"
            | "format"
            | "minLength"
            | "maxLength"
            | "pattern"
            | "minimum"
            | "maximum"
    ) || key.starts_with("x-")
}

fn nullable(kind: Type) -> Type {
    match kind {
        Type::Json | Type::Null | Type::Nullable(_) => kind,
        other => Type::Nullable(Box::new(other)),
    }
}

/// `items` gives `item`, everything else has `Item` behind it.
fn item_hint(hint: &[String]) -> Vec<String> {
    let mut own = hint.to_vec();
    match own.last_mut() {
        Some(last) if last.len() > 3 && last.ends_with('s') && !last.ends_with("ss") => {
            last.pop();
        }
        _ => own.push("item".to_owned()),
    }
    own
}

/// What a branch of a union is called: by its tag, its title, its reference or its type.
fn branch_hint(branch: &Value, hint: &[String], number: usize, count: usize) -> Vec<String> {
    if count == 1 {
        return hint.to_vec();
    }
    if let Some(title) = branch.get("title").and_then(Value::as_str).filter(|it| !it.is_empty()) {
        return words(title);
    }
    if let Some(target) = branch.get("$ref").and_then(Value::as_str) {
        return words(target.rsplit('/').next().unwrap_or_default());
    }
    if let Some(properties) = branch.get("properties").and_then(Value::as_object) {
        for key in ["type", "kind"] {
            let tag = properties.get(key).and_then(|it| it.get("const").or_else(|| it.pointer("/enum/0")));
            if let Some(tag) = tag.and_then(Value::as_str) {
                return words(tag);
            }
        }
    }
    match branch.get("type").and_then(Value::as_str) {
        Some("object") | None => [hint, &[format!("option{}", number + 1)]].concat(),
        Some(name) => words(name),
    }
}

/// What a schema says about itself, with its format and default.
fn describe(schema: &Value) -> String {
    let text = |key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default();
    let mut all = text("description").to_owned();
    if all.is_empty() {
        all = text("title").to_owned();
    }
    let mut more = Vec::new();
    if !text("format").is_empty() {
        more.push(format!("format: {}", text("format")));
    }
    if let Some(default) = schema.get("default").filter(|it| !it.is_object() && !it.is_array()) {
        more.push(format!("default: {default}"));
    }
    if !more.is_empty() {
        all = format!("{all} ({})", more.join(", "));
    }
    all.trim().to_owned()
}

/// The schema, or what its reference leads to.
fn followed<'a>(schema: &'a Value, root: &'a Value) -> Option<&'a Map<String, Value>> {
    let mut schema = schema;
    for _ in 0..16 {
        let object = schema.as_object()?;
        let Some(target) = object.get("$ref").and_then(Value::as_str) else { return Some(object) };
        schema = root.pointer(&percent_decoded(target.strip_prefix('#')?))?;
    }
    None
}

/// One schema that demands what both do, where that can be said.
fn merge(a: &Map<String, Value>, b: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut whole = a.clone();
    for (key, value) in b {
        let Some(there) = whole.get(key).cloned() else {
            whole.insert(key.clone(), value.clone());
            continue;
        };
        if &there == value || is_annotation(key) {
            continue;
        }
        let merged = match (key.as_str(), &there, value) {
            ("properties", Value::Object(x), Value::Object(y)) => {
                let mut all = x.clone();
                for (name, schema) in y {
                    let both = match all.get(name) {
                        Some(other) if other != schema => serde_json::json!({"allOf": [other, schema]}),
                        _ => schema.clone(),
                    };
                    all.insert(name.clone(), both);
                }
                Value::Object(all)
            }
            ("required", Value::Array(x), Value::Array(y)) => {
                let mut all = x.clone();
                all.extend(y.iter().filter(|it| !x.contains(it)).cloned());
                Value::Array(all)
            }
            ("enum", Value::Array(x), Value::Array(y)) => {
                Value::Array(x.iter().filter(|it| y.contains(it)).cloned().collect())
            }
            ("type", Value::String(x), Value::String(y))
                if [x.as_str(), y] == ["number", "integer"] || [x.as_str(), y] == ["integer", "number"] =>
            {
                Value::String("integer".to_owned())
            }
            ("type", Value::Array(list), one @ Value::String(_))
            | ("type", one @ Value::String(_), Value::Array(list))
                if list.contains(one) =>
            {
                one.clone()
            }
            ("additionalProperties", Value::Bool(true), other)
            | ("additionalProperties", other, Value::Bool(true)) => other.clone(),
            ("additionalProperties", Value::Bool(false), _)
            | ("additionalProperties", _, Value::Bool(false)) => Value::Bool(false),
            (
                "minItems" | "maxItems" | "uniqueItems" | "multipleOf" | "minProperties" | "maxProperties"
                | "exclusiveMinimum" | "exclusiveMaximum",
                ..,
            ) => there,
            ("allOf", Value::Array(x), Value::Array(y)) => Value::Array([x.as_slice(), y].concat()),
            _ => return None,
        };
        whole.insert(key.clone(), merged);
    }
    Some(whole)
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = text.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code.filter(|_| bytes[at] == b'%') {
            Some(code) => {
                out.push(code);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Every type that stands in a declaration.
pub fn each_type(shape: &mut Shape, act: &mut impl FnMut(&mut Type)) {
    match shape {
        Shape::Object(object) => {
            object.fields.iter_mut().for_each(|field| act(&mut field.kind));
            object.additional.iter_mut().for_each(act);
        }
        Shape::Union(union) => union.variants.iter_mut().for_each(|variant| act(&mut variant.kind)),
        Shape::Enumeration(_) => {}
    }
}

/// The declarations that a type needs, in the order in which they are met.
fn gather(kind: &Type, order: &mut Vec<usize>) {
    match kind {
        Type::Named(number) if !order.contains(number) => order.push(*number),
        Type::Array(item) | Type::Map(item) | Type::Nullable(item) => gather(item, order),
        _ => {}
    }
}

fn renumbered(kind: &mut Type, places: &HashMap<usize, usize>) {
    match kind {
        Type::Named(number) => *number = places.get(number).copied().unwrap_or_default(),
        Type::Array(item) | Type::Map(item) | Type::Nullable(item) => renumbered(item, places),
        _ => {}
    }
}

/// Replaces what stands in more collections than that; says how often.
fn shallow(kind: &mut Type, left: u32) -> u32 {
    match kind {
        Type::Array(item) | Type::Map(item) | Type::Nullable(item) if left > 0 => shallow(item, left - 1),
        Type::Array(_) | Type::Map(_) | Type::Nullable(_) => {
            *kind = Type::Json;
            1
        }
        _ => 0,
    }
}

/// A required member by which an object contains itself.
fn endless(declarations: &[Declaration]) -> Option<(usize, usize)> {
    fn visit(
        declarations: &[Declaration],
        number: usize,
        open: &mut Vec<usize>,
        done: &mut Vec<bool>,
    ) -> Option<(usize, usize)> {
        if done[number] {
            return None;
        }
        open.push(number);
        if let Shape::Object(object) = &declarations[number].shape {
            for (at, field) in object.fields.iter().enumerate() {
                if let (Type::Named(inner), true) = (&field.kind, field.required) {
                    if open.contains(inner) {
                        return Some((number, at));
                    }
                    if let Some(found) = visit(declarations, *inner, open, done) {
                        return Some(found);
                    }
                }
            }
        }
        open.pop();
        done[number] = true;
        None
    }
    let mut done = vec![false; declarations.len()];
    (0..declarations.len()).find_map(|number| visit(declarations, number, &mut Vec::new(), &mut done))
}

/// Whether a value of a declaration may contain another one of it.
fn reaches(declarations: &[Declaration], start: usize) -> bool {
    let mut order = Vec::new();
    let mut at = 0;
    let mut number = start;
    loop {
        each_type(&mut declarations[number].shape.clone(), &mut |kind| gather(kind, &mut order));
        if order.contains(&start) {
            return true;
        }
        match order.get(at) {
            Some(next) => number = *next,
            None => return false,
        }
        at += 1;
    }
}

/// Finds out how the variants of each union are told apart.
fn decide(declarations: &mut [Declaration]) {
    for number in 0..declarations.len() {
        let Shape::Union(mut union) = declarations[number].shape.clone() else { continue };
        let classes: Vec<Option<Class>> =
            union.variants.iter().map(|it| it.kind.class(declarations)).collect();
        let is_single = |class: Class| classes.iter().filter(|it| **it == Some(class)).count() <= 1;
        let all_known = classes.iter().all(Option::is_some);
        let simple = [Class::Null, Class::Bool, Class::Number, Class::String, Class::Array];
        if all_known && simple.into_iter().all(is_single) {
            if is_single(Class::Object) {
                union.is_decidable = true;
            } else if let Some((tag, texts)) = tag_of(&union, &classes, declarations) {
                for (variant, texts) in union.variants.iter_mut().zip(texts) {
                    variant.tags = texts;
                }
                union.tag = Some(tag);
                union.is_decidable = true;
            }
        }
        declarations[number].shape = Shape::Union(union);
    }
}

/// A required member that all objects of a union have, with different texts in each.
fn tag_of(
    union: &Union,
    classes: &[Option<Class>],
    declarations: &[Declaration],
) -> Option<(String, Vec<Vec<String>>)> {
    let objects: Vec<Option<&Object>> = union
        .variants
        .iter()
        .zip(classes)
        .filter(|(_, class)| **class == Some(Class::Object))
        .map(|(variant, _)| match &variant.kind {
            Type::Named(number) => match &declarations[*number].shape {
                Shape::Object(object) => Some(object),
                _ => None,
            },
            _ => None,
        })
        .collect();
    let first = (*objects.first()?)?;
    let texts_of = |object: &Object, wire: &str| -> Option<Vec<String>> {
        let field = object.fields.iter().find(|it| it.wire == wire && it.required)?;
        let Type::Named(number) = field.kind else { return None };
        let Shape::Enumeration(texts) = &declarations[number].shape else { return None };
        Some(texts.iter().map(|it| it.wire.clone()).collect())
    };
    'fields: for field in &first.fields {
        let mut seen = BTreeSet::new();
        let mut all = Vec::new();
        for object in &objects {
            let Some(texts) = (*object).and_then(|it| texts_of(it, &field.wire)) else { continue 'fields };
            if texts.iter().any(|text| !seen.insert(text.clone())) {
                continue 'fields;
            }
            all.push(texts);
        }
        let mut all = all.into_iter();
        let texts = classes
            .iter()
            .map(
                |class| {
                    if *class == Some(Class::Object) { all.next().unwrap_or_default() } else { Vec::new() }
                },
            )
            .collect();
        return Some((field.wire.clone(), texts));
    }
    None
}
