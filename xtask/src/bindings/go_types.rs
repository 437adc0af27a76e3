//! `bindings/go/config_generated.go` and `protocol_generated.go`. What they call is in `bindings/go/open.go`.

use std::fmt::Write as _;

use super::go_names::{camel, comment, is_object, plain_kind, small, type_name};
use super::keys::Keys;
use super::methods::Method;
use super::model::{Definition, Member, Model, Shape, Type, Unit, deprecation};
use super::schema::Protocol;

pub fn config(keys: &Keys) -> String {
    let mut text = "\
// Code generated from docs/reference/configuration.json by `cargo xtask bindings`. DO NOT EDIT.

package mcp

import (
\t\"encoding/json\"
\t\"time\"
)
"
    .to_owned();
    for definition in &keys.model.definitions {
        define(&mut text, &keys.model, definition, Side::Config);
    }
    text
}

pub fn protocol(protocol: &Protocol, methods: &[Method]) -> String {
    let mut text = "\
// Code generated from the official schemas of MCP by `cargo xtask bindings`. DO NOT EDIT.
// The texts of the schemas are under the MIT licence.

package mcp

import \"encoding/json\"
"
    .to_owned();
    for method in methods {
        let kind = if method.is_notification { "Notification" } else { "Method" };
        let name = format!("{kind}{}", camel(&method.id.to_lowercase()));
        text.push('\n');
        comment(&mut text, "", &format!("{name}: {}", method.doc));
        let _ = writeln!(text, "const {name} = \"{}\"", method.name);
    }
    for (name, code) in &protocol.errors {
        let name = format!("Code{name}");
        let _ = writeln!(text, "\n// {name} is the code of an error.\nconst {name} = {code}");
    }
    for definition in &protocol.model.definitions {
        define(&mut text, &protocol.model, definition, Side::Protocol);
    }
    text
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Config,
    Protocol,
}

fn define(text: &mut String, model: &Model, definition: &Definition, side: Side) {
    let name = type_name(&definition.name);
    let deprecated =
        deprecation(&definition.name).map(|why| format!("\n\nDeprecated: {why}")).unwrap_or_default();
    let doc = format!("{name}: {}", definition.doc);
    let whole = format!("{doc}{deprecated}");
    match &definition.shape {
        Shape::Object(_) | Shape::Untagged(_) => {
            object(text, model, definition, &name, &whole, side);
        }
        Shape::Words(words, _) => {
            text.push('\n');
            comment(text, "", &whole);
            let _ = writeln!(text, "type {name} string");
            for word in words {
                let constant = format!("{name}{}", camel(word));
                let _ = writeln!(
                    text,
                    "\n// {constant} is one of the values.\nconst {constant} {name} = \"{word}\""
                );
            }
        }
        Shape::Tagged { tag, variants } => {
            text.push('\n');
            let names: Vec<String> = variants.iter().map(|(_, name)| format!("[*{name}]")).collect();
            comment(
                text,
                "",
                &format!(
                    "{doc}\nIt is a {}, or an [*UnknownVariant] of a later revision.{deprecated}",
                    names.join(", ")
                ),
            );
            let _ = writeln!(text, "type {name} interface{{ is{name}() }}");
            let _ = writeln!(text, "\nfunc (*UnknownVariant) is{name}() {{}}");
            let _ = writeln!(text, "\nfunc decode{name}(text json.RawMessage) ({name}, error) {{");
            let _ = writeln!(text, "\tswitch tag := tagOf(text, \"{tag}\"); tag {{");
            for (value, variant) in variants {
                let _ = writeln!(text, "\tcase \"{value}\":\n\t\treturn decodeVariant[{variant}](text)");
            }
            text.push_str("\tdefault:\n\t\treturn unknownVariant(tag, text)\n\t}\n}\n");
        }
        Shape::Alias(of) => {
            if !matches!(of, Type::Named(_)) || model.resolve(of) != *of {
                return; // where it is used, its own type stands
            }
            text.push('\n');
            comment(text, "", &whole);
            let _ = writeln!(text, "type {name} = {}", plain_kind(model, of));
        }
    }
}

/// A field, as Go sees it.
struct Field {
    name: String,
    wire: String,
    doc: String,
    kind: String,
    /// What JSON calls it, with options; `-` when `shadow` has it.
    tag: String,
    /// What the encoder sees instead: type and value.
    out: Option<(String, String)>,
    /// What the decoder sees instead: type and how the value comes from it.
    into: Option<(String, String)>,
    /// A required list or object that is nil is written as this.
    empty: Option<String>,
}

fn object(text: &mut String, model: &Model, definition: &Definition, name: &str, doc: &str, side: Side) {
    let members = model.members(&definition.name);
    let constant = members.iter().find_map(|it| match &it.kind {
        Type::Constant(word) => Some((it.name.clone(), word.clone(), it.is_required)),
        _ => None,
    });
    let mut fields: Vec<Field> = Vec::new();
    for member in &members {
        if matches!(member.kind, Type::Constant(_)) {
            continue;
        }
        let mut field = field(model, member, side, &fields);
        if definition.name == "ResourceContents" && field.wire == "text" {
            // One of the two must be there, and an empty text is one.
            field.out = Some(("*string".to_owned(), "textUnless(v.Blob, v.Text)".to_owned()));
        }
        fields.push(field);
    }
    text.push('\n');
    comment(text, "", doc);
    let _ = writeln!(text, "type {name} struct {{");
    for (place, field) in fields.iter().enumerate() {
        if place > 0 {
            text.push('\n');
        }
        comment(text, "\t", &field.doc);
        let _ = writeln!(text, "\t{} {} `json:\"{}\"`", field.name, field.kind, field.tag);
    }
    if !fields.is_empty() {
        text.push('\n');
    }
    text.push_str("\t// Extra has the members that are not above.\n\tExtra map[string]json.RawMessage `json:\"-\"`\n}\n");

    for (union, ..) in model.unions_of(&definition.name) {
        let _ = writeln!(text, "\nfunc (*{name}) is{union}() {{}}");
    }
    let known = small(name) + "Members";
    let wires: Vec<String> = members.iter().map(|it| format!("\"{}\"", it.name)).collect();
    let _ = writeln!(text, "\nvar {known} = []string{{{}}}", wires.join(", "));
    marshal(text, name, &known, constant.as_ref(), &fields);
    unmarshal(text, name, &known, &fields);
}

fn marshal(
    text: &mut String,
    name: &str,
    known: &str,
    constant: Option<&(String, String, bool)>,
    fields: &[Field],
) {
    let _ = writeln!(
        text,
        "\n// MarshalJSON writes the members, and those in Extra.\nfunc (v {name}) MarshalJSON() ([]byte, error) {{"
    );
    let _ = writeln!(text, "\ttype plain {name}");
    for field in fields {
        if let Some(empty) = &field.empty {
            let _ = writeln!(text, "\tif v.{0} == nil {{\n\t\tv.{0} = {empty}\n\t}}", field.name);
        }
    }
    let shadows: Vec<&Field> = fields.iter().filter(|it| it.out.is_some()).collect();
    if shadows.is_empty() && constant.is_none() {
        let _ = writeln!(text, "\treturn encodeOpen(plain(v), v.Extra, {known})\n}}");
        return;
    }
    text.push_str("\treturn encodeOpen(struct {\n");
    if let Some((wire, ..)) = constant {
        let _ = writeln!(text, "\t\tTag string `json:\"{wire}\"`");
    }
    text.push_str("\t\tplain\n");
    let lines = shadows.iter().filter_map(|it| Some((&it.name, &it.out.as_ref()?.0, shadow_tag(it))));
    aligned(text, &lines.map(|(name, kind, tag)| [name.clone(), kind.clone(), tag]).collect::<Vec<_>>());
    text.push_str("\t}{");
    let mut values = Vec::new();
    if let Some((_, word, _)) = constant {
        values.push(format!("\"{word}\""));
    }
    values.push("plain(v)".to_owned());
    values.extend(shadows.iter().filter_map(|it| it.out.as_ref().map(|(_, value)| value.clone())));
    let _ = writeln!(text, "{}}}, v.Extra, {known})\n}}", values.join(", "));
}

/// Fields in a block: their names, types and tags, in columns as gofmt has them.
fn aligned(text: &mut String, fields: &[[String; 3]]) {
    let widest = |column: usize| fields.iter().map(|it| it[column].len()).max().unwrap_or_default();
    let (names, kinds) = (widest(0), widest(1));
    for [name, kind, tag] in fields {
        let _ = writeln!(text, "\t\t{name:names$} {kind:kinds$} `json:\"{tag}\"`");
    }
}

fn shadow_tag(field: &Field) -> String {
    if field.empty.is_some() || field.tag == field.wire {
        field.wire.clone()
    } else {
        format!("{},omitzero", field.wire)
    }
}

fn unmarshal(text: &mut String, name: &str, known: &str, fields: &[Field]) {
    let _ = writeln!(
        text,
        "\n// UnmarshalJSON reads the members; those that are not known become Extra.\nfunc (v *{name}) UnmarshalJSON(text []byte) (err error) {{"
    );
    let _ = writeln!(text, "\ttype plain {name}");
    let shadows: Vec<&Field> = fields.iter().filter(|it| it.into.is_some()).collect();
    if shadows.is_empty() {
        text.push_str("\tif err = json.Unmarshal(text, (*plain)(v)); err != nil {\n\t\treturn err\n\t}\n");
    } else {
        text.push_str("\tin := struct {\n\t\t*plain\n");
        let lines = shadows.iter().filter_map(|it| Some((&it.name, &it.into.as_ref()?.0, &it.wire)));
        aligned(
            text,
            &lines.map(|(name, kind, tag)| [name, kind, tag].map(String::clone)).collect::<Vec<_>>(),
        );
        text.push_str("\t}{plain: (*plain)(v)}\n\tif err = json.Unmarshal(text, &in); err != nil {\n\t\treturn err\n\t}\n");
        for field in &shadows {
            if let Some((_, value)) = &field.into {
                if value.contains("decode") {
                    let _ = writeln!(
                        text,
                        "\tif v.{}, err = {value}; err != nil {{\n\t\treturn err\n\t}}",
                        field.name
                    );
                } else {
                    let _ = writeln!(text, "\tv.{} = {value}", field.name);
                }
            }
        }
    }
    let _ = writeln!(text, "\tv.Extra, err = extraMembers(text, {known})\n\treturn err\n}}");
}

fn field(model: &Model, member: &Member, side: Side, others: &[Field]) -> Field {
    let kind = model.resolve(&member.kind);
    let mut name = camel(&member.name);
    let unit = if let Type::Time(unit) = &kind { Some(*unit) } else { None };
    if unit.is_some() {
        for end in ["Ms", "Seconds"] {
            if name.len() > end.len() && name.ends_with(end) {
                name.truncate(name.len() - end.len());
                break;
            }
        }
        if others.iter().any(|it| it.name == name) {
            name.push_str("Time"); // `keys` and `keys_ms`
        }
    }
    let own = if member.name == "_meta" { "map[string]any".to_owned() } else { plain_kind(model, &kind) };
    let is_pointer = !member.is_required
        && match &kind {
            Type::Flag | Type::Whole | Type::Number | Type::Time(_) => member.zero_counts,
            Type::Named(of) => !model.is_union(of) && is_object(model, of),
            _ => false,
        };
    let field_kind = if is_pointer { format!("*{own}") } else { own };
    let omit = if member.is_required {
        ""
    } else if side == Side::Config {
        ",omitzero"
    } else {
        ",omitempty"
    };
    let mut field = Field {
        wire: member.name.clone(),
        doc: member.doc.clone(),
        tag: format!("{}{omit}", member.name),
        out: None,
        into: None,
        empty: None,
        kind: field_kind,
        name: name.clone(),
    };
    if member.is_required {
        field.empty = match &kind {
            Type::List(_) | Type::Map(_) | Type::OneOrMany(_) => Some(format!("{}{{}}", field.kind)),
            Type::Object => Some("json.RawMessage(\"{}\")".to_owned()),
            Type::Any => Some("json.RawMessage(\"null\")".to_owned()),
            _ => None,
        };
    }
    let unit_text = |unit: Unit| match unit {
        Unit::Milliseconds => "time.Millisecond",
        Unit::Seconds => "time.Second",
    };
    match &kind {
        Type::Time(unit) => {
            let unit = unit_text(*unit);
            let (kind, to, from) =
                if is_pointer { ("*int64", "countTime", "timeOf") } else { ("int64", "count", "timeFrom") };
            "-".clone_into(&mut field.tag);
            field.out = Some((kind.to_owned(), format!("{to}(v.{name}, {unit})")));
            field.into = Some((kind.to_owned(), format!("{from}(in.{name}, {unit})")));
        }
        Type::Map(of) if matches!(**of, Type::Time(_)) => {
            "-".clone_into(&mut field.tag);
            field.out = Some(("map[string]int64".to_owned(), format!("countTimes(v.{name})")));
            field.into = Some(("map[string]int64".to_owned(), format!("timesOf(in.{name})")));
        }
        Type::OneOrMany(of) => {
            "-".clone_into(&mut field.tag);
            field.out = Some(("any".to_owned(), format!("oneOrMany(v.{name})")));
            let decode = match &**of {
                Type::Named(of) if model.is_union(of) => format!("decodeOneOrMany(in.{name}, decode{of})"),
                _ => format!("decodeOneOrMany(in.{name}, decodePlain[{}])", plain_kind(model, of)),
            };
            field.into = Some(("json.RawMessage".to_owned(), decode));
        }
        Type::Named(of) if model.is_union(of) => {
            field.into = Some(("json.RawMessage".to_owned(), format!("decodeOne(in.{name}, decode{of})")));
        }
        Type::List(of) => {
            if let Type::Named(of) = &**of
                && model.is_union(of)
            {
                field.into =
                    Some(("[]json.RawMessage".to_owned(), format!("decodeEach(in.{name}, decode{of})")));
            }
        }
        Type::Map(of) => {
            if let Type::Named(of) = &**of
                && model.is_union(of)
            {
                field.into = Some((
                    "map[string]json.RawMessage".to_owned(),
                    format!("decodeMembers(in.{name}, decode{of})"),
                ));
            }
        }
        _ => {}
    }
    field
}
