//! `bindings/node/lib/config.d.ts`, `protocol.d.ts`, `methods.js` and `methods.d.ts`.

use std::fmt::Write as _;

use super::keys::Keys;
use super::methods::Method;
use super::model::{Definition, Member, Model, Shape, Type, deprecation, small_camel, wrapped};
use super::schema::Protocol;

/// Options that a program gives by their names in JavaScript.
const IN_CAMEL_CASE: [&str; 3] = ["CallOptions", "FeatureOptions", "TaskOptions"];

pub fn config(keys: &Keys) -> String {
    let mut text =
        "// Written from docs/reference/configuration.json by `cargo xtask bindings`; do not edit.\n"
            .to_owned();
    text.push_str("import type { ClientCapabilities, Icon, JsonObject, Root } from './protocol.js';\n");
    for definition in &keys.model.definitions {
        let mut definition = definition.clone();
        if IN_CAMEL_CASE.contains(&definition.name.as_str()) {
            if let Shape::Object(members) = &mut definition.shape {
                for member in members {
                    member.name = small_camel(&member.name);
                }
            }
            definition.name = definition.name.replace("Options", "Keys");
        }
        define(&mut text, &keys.model, &definition, false);
    }
    text
}

pub fn protocol(protocol: &Protocol) -> String {
    let mut text = "\
// Written from the official schemas of MCP by `cargo xtask bindings`; do not edit. Their texts are under the MIT licence.

/** A JSON object. */
export type JsonObject = { [name: string]: unknown };
"
    .to_owned();
    for definition in &protocol.model.definitions {
        define(&mut text, &protocol.model, definition, true);
    }
    text
}

pub fn methods(methods: &[Method], protocol: &Protocol) -> String {
    let mut text = "// Written from crates/core/src/protocol/method.rs and the official schemas by `cargo xtask bindings`; do not edit.\n'use strict';\n".to_owned();
    text.push_str("\nconst METHODS = {\n");
    for method in methods {
        let _ = writeln!(text, "  {}: '{}',", method.id, method.name);
    }
    text.push_str("};\n\nconst ERROR_CODES = {\n");
    for (name, code) in &protocol.errors {
        let _ = writeln!(text, "  {name}: {code},");
    }
    text.push_str("};\n\nmodule.exports = { METHODS, ERROR_CODES };\n");
    text
}

pub fn method_types(methods: &[Method], protocol: &Protocol) -> String {
    let mut text = "// Written from crates/core/src/protocol/method.rs and the official schemas by `cargo xtask bindings`; do not edit.\n".to_owned();
    text.push_str("\n/** Every method that the library knows. */\nexport const METHODS: {\n");
    for method in methods {
        comment(&mut text, "  ", &method.doc);
        let _ = writeln!(text, "  readonly {}: '{}';", method.id, method.name);
    }
    text.push_str("};\n\n/** The codes of errors that the protocol names. */\nexport const ERROR_CODES: {\n");
    for (name, code) in &protocol.errors {
        let _ = writeln!(text, "  readonly {name}: {code};");
    }
    text.push_str("};\n");
    text
}

fn define(text: &mut String, model: &Model, definition: &Definition, is_open: bool) {
    text.push('\n');
    let deprecated =
        deprecation(&definition.name).map(|why| format!("\n@deprecated {why}")).unwrap_or_default();
    comment(text, "", &format!("{}{deprecated}", definition.doc));
    let name = &definition.name;
    match &definition.shape {
        Shape::Object(members) => {
            let _ = writeln!(text, "export interface {name} {{");
            for member in members {
                property(text, model, member);
            }
            if is_open {
                text.push_str("  [name: string]: unknown;\n");
            }
            text.push_str("}\n");
        }
        Shape::Words(words, open) => {
            let _ = writeln!(text, "export type {name} = {};", words_of(words, *open));
        }
        Shape::Tagged { variants, .. } => {
            let names: Vec<&str> = variants.iter().map(|(_, name)| name.as_str()).collect();
            union(text, name, &names);
        }
        Shape::Untagged(names) => union(text, name, &names.iter().map(String::as_str).collect::<Vec<_>>()),
        Shape::Alias(of) => {
            let _ = writeln!(text, "export type {name} = {};", kind(of));
        }
    }
}

fn union(text: &mut String, name: &str, variants: &[&str]) {
    let _ = writeln!(text, "export type {name} =\n  | {};", variants.join("\n  | "));
}

fn property(text: &mut String, model: &Model, member: &Member) {
    let _ = model;
    comment(text, "  ", &member.doc);
    let plain = member.name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_' || it == '$');
    let name = if plain { member.name.clone() } else { format!("'{}'", member.name) };
    // A program may also give `undefined`, which JSON leaves out, under `exactOptionalPropertyTypes`.
    let (mark, end) = if member.is_required { ("", "") } else { ("?", " | undefined") };
    let _ = writeln!(text, "  {name}{mark}: {}{end};", kind(&member.kind));
}

fn kind(of: &Type) -> String {
    match of {
        Type::Any => "unknown".to_owned(),
        Type::Object => "JsonObject".to_owned(),
        Type::Flag => "boolean".to_owned(),
        Type::Whole | Type::Number | Type::Time(_) => "number".to_owned(),
        Type::Text => "string".to_owned(),
        Type::Constant(word) => format!("'{word}'"),
        Type::Words(words, open) => words_of(words, *open),
        Type::List(of) => many(of),
        Type::Map(of) => format!("{{ [name: string]: {} }}", kind(of)),
        Type::Nullable(of) => format!("{} | null", kind(of)),
        Type::Named(name) => name.clone(),
        Type::OneOrMany(of) => format!("{} | {}", kind(of), many(of)),
        Type::Either(kinds) => kinds.iter().map(kind).collect::<Vec<_>>().join(" | "),
        Type::Switch(name) => format!("boolean | {name}"),
    }
}

fn many(of: &Type) -> String {
    let of = kind(of);
    if of.contains(" | ") { format!("({of})[]") } else { format!("{of}[]") }
}

/// What a later revision may add keeps the known words for editors.
fn words_of(words: &[String], open: bool) -> String {
    let mut words: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    if open {
        words.push("(string & {})".to_owned());
    }
    words.join(" | ")
}

fn comment(text: &mut String, indent: &str, doc: &str) {
    let doc = doc.replace("*/", "* /");
    let lines = wrapped(&doc, 110 - indent.len());
    match lines.as_slice() {
        [] => {}
        [one] => {
            let _ = writeln!(text, "{indent}/** {one} */");
        }
        lines => {
            let _ = writeln!(text, "{indent}/**");
            for line in lines {
                let _ = writeln!(text, "{}", format!("{indent} * {line}").trim_end());
            }
            let _ = writeln!(text, "{indent} */");
        }
    }
}
