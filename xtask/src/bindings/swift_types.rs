//! `bindings/swift/Sources/MCP/Config.swift` and `Protocol.swift`. What they call is in `Open.swift` there.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::keys::Keys;
use super::methods::Method;
use super::model::{Definition, Member, Model, Shape, Type, Unit, large_camel, small_camel, told, wrapped};
use super::schema::Protocol;

/// Names that would hide Swift's own.
const RENAMED: [(&str, &str); 3] =
    [("Config", "ClientConfiguration"), ("Result", "EmptyResult"), ("Task", "LegacyTask")];

/// Swift's own words.
const KEYWORDS: [&str; 32] = [
    "as",
    "break",
    "case",
    "catch",
    "class",
    "continue",
    "default",
    "do",
    "else",
    "enum",
    "extension",
    "false",
    "for",
    "func",
    "if",
    "import",
    "in",
    "init",
    "inout",
    "internal",
    "is",
    "let",
    "nil",
    "private",
    "protocol",
    "public",
    "repeat",
    "return",
    "self",
    "throw",
    "true",
    "var",
];

pub fn config(keys: &Keys) -> String {
    let mut text =
        "// Written from docs/reference/configuration.json by `cargo xtask bindings`; do not edit.\n"
            .to_owned();
    // One type has all options of calls: those that a feature does not have are refused by the library.
    let feature = keys.model.members("FeatureOptions");
    for definition in &keys.model.definitions {
        let mut definition = definition.clone();
        if definition.name == "FeatureOptions" {
            continue;
        }
        if let (Shape::Object(members), "CallOptions") = (&mut definition.shape, definition.name.as_str()) {
            members.retain(|it| it.name != "progress"); // who gives a function for it wants it
            members.extend(feature.clone());
        }
        define(&mut text, &keys.model, &definition);
    }
    text
}

pub fn protocol(protocol: &Protocol, methods: &[Method]) -> String {
    let mut text = "\
// Written from the official schemas of MCP by `cargo xtask bindings`; do not edit. Their texts are under the MIT licence.

/// The names of methods.
public enum MethodName {
"
    .to_owned();
    for (place, method) in methods.iter().enumerate() {
        if place > 0 {
            text.push('\n');
        }
        comment(&mut text, "    ", &method.doc);
        let _ = writeln!(
            text,
            "    public static let {} = \"{}\"",
            escaped(&small_camel(&method.id.to_lowercase())),
            method.name
        );
    }
    text.push_str("}\n\n/// The codes of errors that the protocol names.\npublic enum ErrorCode {\n");
    for (name, code) in &protocol.errors {
        let name =
            if let Some(rest) = name.strip_prefix("URL") { format!("url{rest}") } else { small_camel(name) };
        let _ = writeln!(text, "    public static let {} = {code}", escaped(&name));
    }
    text.push_str("}\n");
    for definition in &protocol.model.definitions {
        define(&mut text, &protocol.model, definition);
    }
    text
}

fn type_name(name: &str) -> String {
    if let Some((_, new)) = RENAMED.iter().find(|(old, _)| *old == name) {
        return (*new).to_owned();
    }
    match name.strip_suffix("Config") {
        Some(rest) => format!("{rest}Configuration"),
        None => name.to_owned(),
    }
}

fn define(text: &mut String, model: &Model, definition: &Definition) {
    let definition = &told(definition);
    let name = type_name(&definition.name);
    match &definition.shape {
        Shape::Object(members) => object(text, model, definition, &name, members),
        Shape::Untagged(_) => object(text, model, definition, &name, &model.members(&definition.name)),
        Shape::Words(words, _) => {
            text.push('\n');
            comment(text, "", &definition.doc);
            open_enum(text, "", &name, words);
        }
        Shape::Tagged { tag, variants } => union(text, definition, &name, tag, variants),
        Shape::Alias(_) => {} // where it is used, what it stands for stands
    }
}

/// A later revision may have other words, so that it is not an enum.
fn open_enum(text: &mut String, indent: &str, name: &str, words: &[String]) {
    let _ = writeln!(text, "{indent}public struct {name}: OpenEnum {{");
    let _ = writeln!(text, "{indent}    public let rawValue: String\n");
    let _ = writeln!(text, "{indent}    public init(rawValue: String) {{ self.rawValue = rawValue }}\n");
    let mut cases = BTreeSet::new();
    for word in words {
        let case = case_name(word);
        if !cases.insert(case.clone()) {
            continue; // the same in another spelling
        }
        let _ = writeln!(text, "{indent}    public static let {case} = {name}(rawValue: \"{word}\")");
    }
    let _ = writeln!(text, "{indent}}}");
}

fn case_name(word: &str) -> String {
    let camel = if word.chars().all(|it| it.is_uppercase() || it.is_ascii_digit()) {
        word.to_lowercase()
    } else {
        small_camel(word)
    };
    escaped(&camel)
}

fn union(text: &mut String, definition: &Definition, name: &str, tag: &str, variants: &[(String, String)]) {
    text.push('\n');
    comment(text, "", &definition.doc);
    let _ = writeln!(text, "public enum {name}: Codable, Hashable, Sendable {{");
    for (value, variant) in variants {
        let _ = writeln!(text, "    case {}({})", case_name(value), type_name(variant));
    }
    text.push_str("    /// What a later revision has, as it came.\n    case other(JSONValue)\n");
    let _ = writeln!(text, "\n    public init(from decoder: any Decoder) throws {{");
    let _ = writeln!(text, "        switch try decoder.tag(\"{tag}\") {{");
    for (value, variant) in variants {
        let _ = writeln!(
            text,
            "        case \"{value}\": self = .{}(try {}(from: decoder))",
            case_name(value),
            type_name(variant)
        );
    }
    text.push_str("        default: self = .other(try JSONValue(from: decoder))\n        }\n    }\n");
    text.push_str("\n    public func encode(to encoder: any Encoder) throws {\n        switch self {\n");
    for (value, _) in variants {
        let _ =
            writeln!(text, "        case .{}(let value): try value.encode(to: encoder)", case_name(value));
    }
    text.push_str("        case .other(let value): try value.encode(to: encoder)\n        }\n    }\n}\n");
}

/// A property, as Swift sees it.
struct Property {
    /// Without backquotes.
    name: String,
    wire: String,
    doc: String,
    kind: String,
    /// What it is when it is not given; nothing for what is required.
    default: Option<&'static str>,
    decode: String,
    encode: String,
}

fn object(text: &mut String, model: &Model, definition: &Definition, name: &str, members: &[Member]) {
    let mut properties: Vec<Property> = Vec::new();
    let mut constants: Vec<(&str, &str)> = Vec::new();
    let mut nested = String::new();
    for member in members {
        if let Type::Constant(word) = &member.kind {
            constants.push((&member.name, word));
            continue;
        }
        if let Type::Words(words, _) = &member.kind {
            nested.push('\n');
            comment(&mut nested, "    ", &format!("The values of `{}`.", member.name));
            open_enum(&mut nested, "    ", &nested_name(&member.name), words);
        }
        let property = property(model, member, &properties);
        properties.push(property);
    }
    // Like every memberwise initializer: what is required comes first.
    properties.sort_by_key(|it| it.default.is_some());
    text.push('\n');
    comment(text, "", &definition.doc);
    let _ = writeln!(text, "public struct {name}: Codable, Hashable, Sendable {{");
    for property in &properties {
        comment(text, "    ", &property.doc);
        let _ = writeln!(text, "    public var {}: {}\n", escaped(&property.name), property.kind);
    }
    text.push_str("    /// Members that are not above.\n    public var additional: [String: JSONValue]\n");
    initializer(text, &properties);
    text.push_str("\n    private enum CodingKeys: String, CodingKey, CaseIterable {\n");
    for (wire, _) in &constants {
        key(text, wire, wire);
    }
    for property in &properties {
        key(text, &property.name, &property.wire);
    }
    text.push_str("    }\n\n    public init(from decoder: any Decoder) throws {\n");
    if !properties.is_empty() {
        text.push_str("        let members = try decoder.container(keyedBy: CodingKeys.self)\n");
    }
    for property in &properties {
        let _ = writeln!(text, "        {} = try members.{}", escaped(&property.name), property.decode);
    }
    text.push_str("        additional = try decoder.additional(to: CodingKeys.self)\n    }\n");
    text.push_str("\n    public func encode(to encoder: any Encoder) throws {\n");
    text.push_str("        var members = encoder.container(keyedBy: CodingKeys.self)\n");
    for (wire, word) in &constants {
        let _ = writeln!(text, "        try members.encode(\"{word}\", forKey: .{})", escaped(wire));
    }
    for property in &properties {
        let _ = writeln!(text, "        try members.{}", property.encode);
    }
    text.push_str("        try encoder.encode(additional, besides: CodingKeys.self)\n    }\n");
    text.push_str(&nested);
    text.push_str("}\n");
}

fn initializer(text: &mut String, properties: &[Property]) {
    text.push_str("\n    public init(\n");
    for property in properties {
        let default = property.default.map(|it| format!(" = {it}")).unwrap_or_default();
        let _ = writeln!(text, "        {}: {}{default},", escaped(&property.name), property.kind);
    }
    text.push_str("        additional: [String: JSONValue] = [:]\n    ) {\n");
    for property in properties {
        let name = escaped(&property.name);
        let _ = writeln!(text, "        self.{name} = {name}");
    }
    text.push_str("        self.additional = additional\n    }\n");
}

fn key(text: &mut String, name: &str, wire: &str) {
    let escaped = escaped(name);
    if name == wire {
        let _ = writeln!(text, "        case {escaped}");
    } else {
        let _ = writeln!(text, "        case {escaped} = \"{wire}\"");
    }
}

fn property(model: &Model, member: &Member, others: &[Property]) -> Property {
    let kind = model.resolve(&member.kind);
    let mut name = small_camel(&member.name);
    if let Type::Time(_) = kind {
        for end in ["Ms", "Seconds"] {
            if name.len() > end.len() && name.ends_with(end) {
                name.truncate(name.len() - end.len());
                break;
            }
        }
    }
    if others.iter().any(|it| it.name == name) {
        name.push_str("Time"); // `keys` and `keys_ms`
    }
    let own = if let Type::Words(..) = kind { nested_name(&member.name) } else { plain(model, &kind) };
    let at = format!("forKey: .{}", escaped(&name));
    let escaped = escaped(&name);
    let is_collection = matches!(kind, Type::List(_) | Type::Map(_) | Type::Object | Type::OneOrMany(_));
    let unit = |unit: Unit| match unit {
        Unit::Milliseconds => "milliseconds",
        Unit::Seconds => "seconds",
    };
    let (decode, encode) = match &kind {
        Type::Time(of) => {
            let of = unit(*of);
            (format!("duration(.{of}, {at})"), format!("encode({escaped}, .{of}, {at})"))
        }
        Type::Map(of) if matches!(**of, Type::Time(_)) => {
            (format!("durations({at})"), format!("encodeDurations({escaped}, {at})"))
        }
        Type::OneOrMany(of) => {
            let of = plain(model, of);
            let missing = if member.is_required { " ?? []" } else { "" };
            (format!("oneOrMany({of}.self, {at}){missing}"), format!("encodeOneOrMany({escaped}, {at})"))
        }
        Type::Nullable(of) => {
            let of = plain(model, of);
            let call = if member.is_required { "encode" } else { "encodeIfPresent" };
            (format!("decodeIfPresent({of}.self, {at})"), format!("{call}({escaped}, {at})"))
        }
        _ if member.is_required && is_collection => {
            let empty = if let Type::List(_) = kind { "[]" } else { "[:]" };
            (format!("decodeIfPresent({own}.self, {at}) ?? {empty}"), format!("encode({escaped}, {at})"))
        }
        _ if member.is_required => (format!("decode({own}.self, {at})"), format!("encode({escaped}, {at})")),
        _ => (format!("decodeIfPresent({own}.self, {at})"), format!("encodeIfPresent({escaped}, {at})")),
    };
    let is_nullable = matches!(kind, Type::Nullable(_));
    Property {
        wire: member.name.clone(),
        doc: member.doc.clone(),
        kind: if member.is_required || is_nullable { own } else { format!("{own}?") },
        default: (!member.is_required).then_some("nil"),
        decode,
        encode,
        name,
    }
}

/// The name of a type within a struct. `Type` has a meaning of its own.
fn nested_name(member: &str) -> String {
    let name = large_camel(member);
    if name == "Type" { "Kind".to_owned() } else { name }
}

fn plain(model: &Model, of: &Type) -> String {
    match of {
        Type::Any => "JSONValue".to_owned(),
        Type::Object => "[String: JSONValue]".to_owned(),
        Type::Flag => "Bool".to_owned(),
        Type::Whole => "Int".to_owned(),
        Type::Number => "Double".to_owned(),
        Type::Text | Type::Constant(_) | Type::Words(..) => "String".to_owned(),
        Type::Time(_) => "Duration".to_owned(),
        Type::List(of) | Type::OneOrMany(of) => format!("[{}]", plain(model, &model.resolve(of))),
        Type::Map(of) => format!("[String: {}]", plain(model, &model.resolve(of))),
        Type::Nullable(of) => format!("{}?", plain(model, of)),
        Type::Named(name) => type_name(name),
        Type::Either(kinds) => match kinds.iter().find(|it| matches!(it, Type::Named(_))) {
            Some(named) => plain(model, named),
            None => "JSONValue".to_owned(),
        },
        Type::Switch(name) => format!("Switch<{}>", type_name(name)),
    }
}

pub fn escaped(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("`{name}`") } else { name.to_owned() }
}

fn comment(text: &mut String, indent: &str, doc: &str) {
    for line in wrapped(doc, 112 - indent.len()) {
        let _ = writeln!(text, "{}", format!("{indent}/// {line}").trim_end());
    }
}
