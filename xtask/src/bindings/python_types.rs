//! `bindings/python/libmcp/_config.py` and `_protocol.py`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::keys::Keys;
use super::methods::Method;
use super::model::{Definition, Member, Model, Shape, Type, Unit, deprecation, wrapped};
use super::schema::Protocol;

/// Words that no attribute and no keyword argument can have.
const KEYWORDS: [&str; 12] =
    ["and", "as", "class", "def", "del", "from", "global", "import", "in", "is", "not", "pass"];

const TYPING: &str = "\
from __future__ import annotations

";

pub fn config(keys: &Keys) -> String {
    let mut text = "\
# Generated from docs/reference/configuration.json by `cargo xtask bindings`; do not edit.
\"\"\"The keys of configurations and options, as types for checkers. At run time they are dictionaries.\"\"\"

"
    .to_owned();
    text.push_str(TYPING);
    text.push_str(
        "from datetime import timedelta\nfrom typing import Any, Final, Literal, TypedDict, Union\n\n",
    );
    text.push_str("from ._protocol import ClientCapabilities, Icon, Root\n\n");
    text.push_str("Milliseconds = Union[int, timedelta]\n\"\"\"A time: a number of milliseconds, or a timedelta.\"\"\"\n\n");
    text.push_str(
        "Seconds = Union[int, timedelta]\n\"\"\"A time: a number of seconds, or a timedelta.\"\"\"\n",
    );
    for definition in ordered(&keys.model) {
        define(&mut text, &keys.model, definition);
    }
    let mut by_object: BTreeMap<&str, Vec<(&str, Unit)>> = BTreeMap::new();
    for (object, key, unit) in &keys.durations {
        by_object.entry(object).or_default().push((key, *unit));
    }
    text.push_str("\nDURATIONS: Final[dict[str, dict[str, Literal[\"ms\", \"s\"]]]] = {\n");
    for (object, keys) in by_object {
        let _ = writeln!(text, "    \"{object}\": {{");
        for (key, unit) in keys {
            let _ = writeln!(text, "        \"{key}\": \"{}\",", unit.sign());
        }
        text.push_str("    },\n");
    }
    text.push_str("}\n\"\"\"The keys that are times, of each object of docs/reference/configuration.json, and their units. `*` is any member.\"\"\"\n");
    text.push_str("\nTYPES: Final[dict[str, type]] = {\n");
    for (object, name) in &keys.roots {
        let _ = writeln!(text, "    \"{object}\": {name},");
    }
    text.push_str("}\n\"\"\"The types of the objects of docs/reference/configuration.json.\"\"\"\n");
    text
}

pub fn protocol(protocol: &Protocol, methods: &[Method]) -> String {
    let mut text = "\
# Generated from the official schemas of MCP by `cargo xtask bindings`; do not edit.
# The texts of the schemas are under the MIT licence.
\"\"\"The types of the protocol, for checkers. At run time they are dictionaries, with all members that the peer has sent.\"\"\"

"
    .to_owned();
    text.push_str(TYPING);
    text.push_str("from typing import Any, Final, Literal, TypedDict, Union\n");
    for method in methods {
        let _ = write!(text, "\n{}: Final = \"{}\"\n\"\"\"{}\"\"\"\n", method.id, method.name, method.doc);
    }
    for (name, code) in &protocol.errors {
        let words: Vec<String> = super::model::words(name).iter().map(|it| it.to_uppercase()).collect();
        let _ = write!(text, "\n{}: Final = {code}\n\"\"\"The code of an error.\"\"\"\n", words.join("_"));
    }
    for definition in ordered(&protocol.model) {
        define(&mut text, &protocol.model, definition);
    }
    text
}

/// Aliases last: what they stand for is looked up when the module is loaded.
fn ordered(model: &Model) -> Vec<&Definition> {
    let (objects, others): (Vec<_>, Vec<_>) =
        model.definitions.iter().partition(|it| matches!(it.shape, Shape::Object(_)));
    let (words, unions): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|it| matches!(it.shape, Shape::Words(..)));
    [words, objects, unions].concat()
}

fn define(text: &mut String, model: &Model, definition: &Definition) {
    let name = &definition.name;
    let deprecated = deprecation(name).map(|why| format!("\n\nDeprecated: {why}")).unwrap_or_default();
    let doc = format!("{}{deprecated}", definition.doc);
    match &definition.shape {
        Shape::Object(members) => {
            text.push_str("\n\n");
            object(text, model, name, &doc, members);
        }
        Shape::Words(words, open) => alias(text, name, &words_of(words, *open), &doc),
        Shape::Tagged { variants, .. } => {
            let names: Vec<&str> = variants.iter().map(|(_, name)| name.as_str()).collect();
            alias(text, name, &format!("Union[{}]", names.join(", ")), &doc);
        }
        Shape::Untagged(names) => {
            alias(text, name, &format!("Union[{}]", names.join(", ")), &doc);
        }
        // Later aliases would be needed here: what they stand for is written out.
        Shape::Alias(of) => alias(text, name, &kind(&model.resolve(of)), &doc),
    }
}

fn alias(text: &mut String, name: &str, of: &str, doc: &str) {
    let _ = write!(text, "\n{name} = {of}\n");
    docstring(text, "", doc);
}

/// What is required stands in a class of its own, so that `NotRequired`, which Python 3.10 lacks, is not needed.
fn object(text: &mut String, model: &Model, name: &str, doc: &str, members: &[Member]) {
    let _ = model;
    let are_names = members.iter().all(|it| is_name(&it.name));
    let (required, optional): (Vec<&Member>, Vec<&Member>) = members.iter().partition(|it| it.is_required);
    let base = format!("_{name}");
    if !are_names {
        // A key that is not a name needs the other form of a TypedDict.
        let (plain, odd): (Vec<&Member>, Vec<&Member>) = members.iter().partition(|it| is_name(&it.name));
        let _ = write!(text, "_{name}Keys = TypedDict(\n    \"_{name}Keys\",\n    {{");
        let odd: Vec<String> =
            odd.iter().map(|it| format!("\"{}\": \"{}\"", it.name, quoted(&kind(&it.kind)))).collect();
        let _ = write!(text, "{}}},\n    total=False,\n)\n\n\n", odd.join(", "));
        let (required, optional): (Vec<&Member>, Vec<&Member>) =
            plain.into_iter().partition(|it| it.is_required);
        class(text, &base, &format!("_{name}Keys"), "", &required);
        text.push_str("\n\n");
        class(text, name, &format!("{base}, total=False"), doc, &optional);
        return;
    }
    if optional.is_empty() {
        class(text, name, "TypedDict", doc, &required);
    } else if required.is_empty() {
        class(text, name, "TypedDict, total=False", doc, &optional);
    } else {
        class(text, &base, "TypedDict", "", &required);
        text.push_str("\n\n");
        class(text, name, &format!("{base}, total=False"), doc, &optional);
    }
}

fn quoted(kind: &str) -> String {
    kind.replace('"', "'")
}

fn class(text: &mut String, name: &str, base: &str, doc: &str, members: &[&Member]) {
    let _ = writeln!(text, "class {name}({base}):");
    docstring(text, "    ", doc);
    for (place, member) in members.iter().enumerate() {
        if place > 0 || !doc.is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, "    {}: {}", member.name, kind(&member.kind));
        docstring(text, "    ", &member.doc);
    }
    if doc.is_empty() && members.is_empty() {
        text.push_str("    pass\n");
    }
}

fn is_name(name: &str) -> bool {
    !KEYWORDS.contains(&name) && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}

fn kind(of: &Type) -> String {
    match of {
        Type::Any => "Any".to_owned(),
        Type::Object => "dict[str, Any]".to_owned(),
        Type::Flag => "bool".to_owned(),
        Type::Whole => "int".to_owned(),
        Type::Number => "float".to_owned(),
        Type::Text => "str".to_owned(),
        Type::Constant(word) => format!("Literal[\"{word}\"]"),
        Type::Words(words, open) => words_of(words, *open),
        Type::Time(Unit::Milliseconds) => "Milliseconds".to_owned(),
        Type::Time(Unit::Seconds) => "Seconds".to_owned(),
        Type::List(of) => format!("list[{}]", kind(of)),
        Type::Map(of) => format!("dict[str, {}]", kind(of)),
        Type::Nullable(of) => format!("Union[{}, None]", kind(of)),
        Type::Named(name) => name.clone(),
        Type::OneOrMany(of) => format!("Union[{}, list[{}]]", kind(of), kind(of)),
        Type::Either(kinds) => format!("Union[{}]", kinds.iter().map(kind).collect::<Vec<_>>().join(", ")),
        Type::Switch(name) => format!("Union[bool, {name}]"),
    }
}

/// What a later revision may add is a string like any other.
fn words_of(words: &[String], open: bool) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let known = format!("Literal[{}]", words.join(", "));
    if open { format!("Union[{known}, str]") } else { known }
}

fn docstring(text: &mut String, indent: &str, doc: &str) {
    let doc = doc.replace('\\', "\\\\").replace("\"\"\"", "'''");
    let lines = wrapped(&doc, 110 - indent.len());
    match lines.as_slice() {
        [] => {}
        [one] if !one.ends_with('"') => {
            let _ = writeln!(text, "{indent}\"\"\"{one}\"\"\"");
        }
        lines => {
            let said = lines.join(&format!("\n{indent}")).replace(&format!("\n{indent}\n"), "\n\n");
            let _ = writeln!(text, "{indent}\"\"\"{said}\n{indent}\"\"\"");
        }
    }
}
