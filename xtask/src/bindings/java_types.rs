//! `Settings.java` and `Protocol.java` of the Java binding. What they call is in `Members.java` there.

use std::fmt::Write as _;

use super::java_kinds::{Kind, type_name};
use super::keys::Keys;
use super::methods::Method;
use super::model::{Definition, Member, Model, Shape, Type, small_camel, told, words, wrapped};
use super::schema::Protocol;

/// Words that no method can have as its name, and names that objects have already.
const TAKEN: [&str; 21] = [
    "abstract",
    "assert",
    "case",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "enum",
    "final",
    "finally",
    "for",
    "if",
    "import",
    "interface",
    "json",
    "native",
    "notify",
    "package",
    "this",
    "wait",
];

/// `ResourceContents` has the members of both; an object of these would fit nowhere.
const MERGED: [&str; 2] = ["TextResourceContents", "BlobResourceContents"];

pub fn config(keys: &Keys) -> String {
    let mut text = head(
        "docs/reference/configuration.json",
        "Configurations and options, as docs/reference/configuration.md has them.",
        "Settings",
    );
    // One type has all options of calls: those that a feature does not have are refused by the library.
    let feature = keys.model.members("FeatureOptions");
    for definition in &keys.model.definitions {
        let mut definition = definition.clone();
        if definition.name == "FeatureOptions" {
            continue;
        }
        if let (Shape::Object(members), "CallOptions") = (&mut definition.shape, definition.name.as_str()) {
            members.extend(feature.clone());
        }
        define(&mut text, &keys.model, &definition);
    }
    text.push_str("}\n");
    text
}

pub fn protocol(protocol: &Protocol, methods: &[Method]) -> String {
    let mut text = head(
        "the official schemas of MCP",
        "The types of the protocol, of all revisions. Each keeps the members that it has no method for.",
        "Protocol",
    );
    constants(
        &mut text,
        "Method",
        "The names of methods.",
        "String",
        methods.iter().map(|it| (it.id.clone(), format!("\"{}\"", it.name), it.doc.clone())),
    );
    constants(
        &mut text,
        "ErrorCode",
        "The codes of errors.",
        "int",
        protocol
            .errors
            .iter()
            .map(|(name, code)| (upper(name), code.to_string(), "The code of an error.".to_owned())),
    );
    let unions: Vec<String> = protocol
        .model
        .definitions
        .iter()
        .filter(|it| matches!(it.shape, Shape::Tagged { .. }))
        .map(|it| type_name(&it.name))
        .collect();
    let _ = write!(
        text,
        "
    /** A variant of a later revision, as it came. */
    public static final class Unknown extends Members<Unknown> implements {} {{
        Unknown(JsonValue value) {{
            super(value);
        }}
    }}
",
        unions.join(", ")
    );
    for definition in &protocol.model.definitions {
        if MERGED.contains(&definition.name.as_str()) {
            continue;
        }
        define(&mut text, &protocol.model, definition);
    }
    text.push_str("}\n");
    text
}

fn head(source: &str, says: &str, name: &str) -> String {
    let licence = if name == "Protocol" { " Their texts are under the MIT licence." } else { "" };
    format!(
        "// Written from {source} by `cargo xtask bindings`; do not edit.{licence}

package io.libmcp;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** {says} */
public final class {name} {{
    private {name}() {{
    }}
"
    )
}

fn constants(
    text: &mut String,
    name: &str,
    says: &str,
    kind: &str,
    all: impl Iterator<Item = (String, String, String)>,
) {
    let _ = write!(
        text,
        "\n    /** {says} */\n    public static final class {name} {{\n        private {name}() {{\n        }}\n"
    );
    for (constant, value, doc) in all {
        text.push('\n');
        comment(text, "        ", &doc, &[]);
        let _ = writeln!(text, "        public static final {kind} {constant} = {value};");
    }
    text.push_str("    }\n");
}

fn upper(name: &str) -> String {
    words(name).iter().map(|it| it.to_uppercase()).collect::<Vec<_>>().join("_")
}

fn define(text: &mut String, model: &Model, definition: &Definition) {
    let definition = &told(definition);
    let name = type_name(&definition.name);
    match &definition.shape {
        Shape::Object(_) | Shape::Untagged(_) => object(text, model, definition, &name),
        Shape::Words(words, _) => {
            let doc = if definition.doc.is_empty() { "Some of the values." } else { &definition.doc };
            let mut seen: Vec<String> = Vec::new();
            constants(
                text,
                &name,
                &escaped(doc),
                "String",
                words.iter().filter_map(|word| {
                    let constant = constant_name(word);
                    if seen.contains(&constant) {
                        return None; // the same in another spelling
                    }
                    seen.push(constant.clone());
                    Some((constant, format!("\"{word}\""), "One of the values.".to_owned()))
                }),
            );
        }
        Shape::Tagged { tag, variants } => {
            let names: Vec<String> = variants.iter().map(|(_, name)| type_name(name)).collect();
            text.push('\n');
            comment(text, "    ", &definition.doc, &[]);
            let _ =
                writeln!(text, "    public sealed interface {name} permits {}, Unknown {{", names.join(", "));
            let _ = writeln!(
                text,
                "        /**\n         * The object, with all its members.\n         *\n         * @return the object\n         */\n        JsonValue json();\n"
            );
            let _ = writeln!(
                text,
                "        /**\n         * The variant that an object is.\n         *\n         * @param value the object\n         * @return the variant\n         */"
            );
            let _ = writeln!(
                text,
                "        static {name} of(JsonValue value) {{\n            return switch (value.get(\"{tag}\").asText(\"\")) {{"
            );
            for (value, variant) in variants {
                let _ =
                    writeln!(text, "                case \"{value}\" -> new {}(value);", type_name(variant));
            }
            text.push_str(
                "                default -> new Unknown(value);\n            };\n        }\n    }\n",
            );
        }
        Shape::Alias(_) => {} // where it is used, what it stands for stands
    }
}

fn constant_name(word: &str) -> String {
    let name = if word.chars().all(|it| !it.is_lowercase()) { word.to_owned() } else { upper(word) };
    name.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect()
}

fn object(text: &mut String, model: &Model, definition: &Definition, name: &str) {
    let unions: Vec<String> =
        model.unions_of(&definition.name).iter().map(|(union, ..)| type_name(union)).collect();
    let implements =
        if unions.is_empty() { String::new() } else { format!(" implements {}", unions.join(", ")) };
    text.push('\n');
    comment(text, "    ", &definition.doc, &[]);
    let _ = writeln!(text, "    public static final class {name} extends Members<{name}>{implements} {{");
    let members = match &definition.shape {
        Shape::Object(members) => members.clone(),
        _ => model.members(&definition.name),
    };
    let constants: Vec<String> = members
        .iter()
        .filter_map(|it| match &it.kind {
            Type::Constant(word) if it.is_required => {
                Some(format!("            set(\"{}\", \"{word}\");\n", it.name))
            }
            _ => None,
        })
        .collect();
    let says = if constants.is_empty() {
        "Makes one without members."
    } else {
        "Makes one that has only what tells its kind."
    };
    let _ =
        write!(text, "        /** {says} */\n        public {name}() {{\n{}        }}\n", constants.concat());
    let _ = write!(
        text,
        "\n        /**\n         * Reads one.\n         *\n         * @param value an object\n         */\n        public {name}(JsonValue value) {{\n            super(value);\n        }}\n"
    );
    let mut names: Vec<String> = Vec::new();
    for member in &members {
        if matches!(member.kind, Type::Constant(_)) {
            continue;
        }
        let method = method_name(model, member, &names);
        names.push(method.clone());
        property(text, model, name, member, &method);
    }
    text.push_str("    }\n");
}

fn method_name(model: &Model, member: &Member, others: &[String]) -> String {
    let mut name = small_camel(&member.name);
    if let Type::Time(_) = model.resolve(&member.kind) {
        for end in ["Ms", "Seconds"] {
            if name.len() > end.len() && name.ends_with(end) {
                name.truncate(name.len() - end.len());
                break;
            }
        }
    }
    if others.contains(&name) {
        name.push_str("Time"); // `keys` and `keys_ms`
    }
    if TAKEN.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

fn property(text: &mut String, model: &Model, owner: &str, member: &Member, method: &str) {
    let wire = &member.name;
    let kind = Kind::of(model, &member.kind);
    let doc =
        if member.doc.is_empty() { format!("The member {{@code {wire}}}.") } else { member.doc.clone() };
    let doc = match &member.kind {
        Type::Words(words, _) => format!("{doc} Values: {}.", words.join(", ")),
        _ => doc,
    };
    let absent = match kind.java.as_str() {
        _ if kind.is_collection => "empty if it is absent",
        "JsonValue" => "{@link JsonValue#ABSENT} if it is missing",
        _ => "null if it is absent",
    };
    text.push('\n');
    comment(text, "        ", &doc, &[format!("@return the value; {absent}")]);
    let _ = writeln!(
        text,
        "        public {} {method}() {{\n            return {};\n        }}",
        kind.java,
        kind.read(wire)
    );
    for (parameter, value) in kind.setters() {
        let _ = write!(
            text,
            "
        /** Sets {{@code {wire}}}.
         * @param value the new value
         * @return this */
        public {owner} {method}({parameter} value) {{
            return set(\"{wire}\", {value});
        }}
"
        );
    }
}

fn comment(text: &mut String, indent: &str, doc: &str, tags: &[String]) {
    let doc = if doc.is_empty() { "As the specification has it." } else { doc };
    let lines = wrapped(&escaped(doc), 116 - indent.len());
    if tags.is_empty() && lines.len() == 1 {
        let _ = writeln!(text, "{indent}/** {} */", lines[0]);
        return;
    }
    let _ = writeln!(text, "{indent}/**");
    for line in lines {
        let _ = writeln!(text, "{}", format!("{indent} * {line}").trim_end());
    }
    if !tags.is_empty() {
        let _ = writeln!(text, "{indent} *");
    }
    for tag in tags {
        let _ = writeln!(text, "{indent} * {tag}");
    }
    let _ = writeln!(text, "{indent} */");
}

/// A text as javadoc takes it: what stands in backquotes is code, and links of Markdown are their texts.
fn escaped(doc: &str) -> String {
    let mut text = String::new();
    let plain = doc.replace("{@code ", "\u{1}");
    let mut is_code = false;
    for letter in plain.chars() {
        match letter {
            '`' => {
                text.push_str(if is_code { "</code>" } else { "<code>" });
                is_code = !is_code;
            }
            '\u{1}' => text.push_str("{@code "),
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '@' if !text.ends_with('{') => text.push_str("&#64;"),
            other => text.push(other),
        }
    }
    if is_code {
        text.push_str("</code>");
    }
    text.replace("*/", "*&#47;").replace("\\u", "&#92;u")
}
