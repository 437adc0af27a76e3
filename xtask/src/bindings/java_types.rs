//! What the types of the model are in Java: their names, and how the methods of an object read and set them. What the templates call is in
//! `Members.java` there.

use serde_json::{Value, json};

use super::keys::Keys;
use super::model::{Member, Model, Shape, Type, Unit, small_camel, timeless, words};
use super::types;

/// Words that no method can have as its name, and names that objects have already.
const TAKEN: &str = "abstract assert case class const continue default do enum final finally for \
    if import interface json native notify package this wait";

/// Names that would hide Java's own, or are too general.
const RENAMED: [(&str, &str); 4] = [
    ("Config", "ClientConfig"),
    ("Result", "EmptyResult"),
    ("Error", "ErrorObject"),
    ("Request", "RequestObject"),
];

pub fn types(keys: &Keys, protocol: &Model) -> Value {
    let all = |model: &Model| -> Vec<Value> {
        let one = |it| types::definition(model, it, |_| String::new(), |members| properties(model, members));
        model.definitions.iter().map(one).collect()
    };
    json!({"config": all(&keys.with_one_type_of_options()), "protocol": all(protocol)})
}

fn properties(model: &Model, members: &[Member]) -> Vec<Value> {
    let mut names: Vec<String> = Vec::new();
    let one = |it: &Member| {
        let name = timeless(small_camel(&it.name), &model.resolve(&it.kind), &mut names);
        let mark = if TAKEN.split_whitespace().any(|word| word == name) { "_" } else { "" };
        let kind = Kind::of(model, &it.kind);
        let absent = match kind.java.as_str() {
            _ if kind.is_collection => "empty if it is absent",
            "JsonValue" => "{@link JsonValue#ABSENT} if it is missing",
            _ => "null if it is absent",
        };
        json!({
            "id": name + mark, "java": kind.java, "absent": absent,
            "read": kind.read(&it.name), "setters": kind.setters(),
        })
    };
    members.iter().map(one).collect()
}

/// The constants of words: name, value and comment. The same in another spelling is left out.
pub fn constants(words: &[String]) -> Vec<(String, String, &'static str)> {
    let mut all: Vec<(String, String, &str)> = Vec::new();
    for word in words {
        let name = constant_name(word);
        if all.iter().all(|(known, ..)| *known != name) {
            all.push((name, format!("\"{word}\""), "One of the values."));
        }
    }
    all
}

fn constant_name(word: &str) -> String {
    let name = if word.chars().all(|it| !it.is_lowercase()) {
        word.to_owned()
    } else {
        words(word).join("_").to_uppercase()
    };
    name.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect()
}

/// What a type of the model is called.
pub fn type_name(name: &str) -> String {
    RENAMED.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new).to_owned()
}

/// A type, as Java sees it.
pub struct Kind {
    pub java: String,
    /// A function from a `JsonValue`.
    of: String,
    pub is_collection: bool,
    form: Form,
}

enum Form {
    Plain,
    Time(Unit),
    /// Of what.
    List(String),
    /// What the values are, and of which unit, if they are times.
    Map(String, Option<Unit>),
    OneOrMany(String),
    Switch(String),
}

impl Kind {
    pub fn of(model: &Model, of: &Type) -> Kind {
        let plain = |java: &str, of: &str| Kind {
            java: java.to_owned(),
            of: of.to_owned(),
            is_collection: false,
            form: Form::Plain,
        };
        match model.resolve(of) {
            Type::Any | Type::Object => plain("JsonValue", "value -> value"),
            Type::Flag => plain("Boolean", "JsonValue::asBoolean"),
            Type::Whole => plain("Long", "JsonValue::asLong"),
            Type::Number => plain("Double", "JsonValue::asDouble"),
            Type::Text | Type::Constant(_) | Type::Words(..) => plain("String", "JsonValue::asText"),
            Type::Time(unit) => Kind { form: Form::Time(unit), ..plain("Duration", "") },
            Type::List(of) => {
                let inner = Kind::of(model, &of);
                Kind {
                    java: format!("List<{}>", inner.java),
                    is_collection: true,
                    form: Form::List(inner.java.clone()),
                    of: format!("value -> Members.list(value, {})", inner.of),
                }
            }
            Type::OneOrMany(of) => {
                let inner = Kind::of(model, &of);
                Kind {
                    java: format!("List<{}>", inner.java),
                    is_collection: true,
                    form: Form::OneOrMany(inner.java.clone()),
                    of: format!("value -> Members.oneOrMany(value, {})", inner.of),
                }
            }
            Type::Map(of) => {
                let inner = Kind::of(model, &of);
                let unit = if let Form::Time(unit) = inner.form { Some(unit) } else { None };
                let each = match unit {
                    Some(unit) => format!("it -> Members.duration(it, {})", factor(unit)),
                    None => inner.of,
                };
                Kind {
                    java: format!("Map<String, {}>", inner.java),
                    is_collection: true,
                    form: Form::Map(inner.java.clone(), unit),
                    of: format!("value -> Members.map(value, {each})"),
                }
            }
            Type::Nullable(of) => Kind::of(model, &of),
            Type::Named(name) => match model.find(&name).map(|it| &it.shape) {
                Some(Shape::Words(..)) => plain("String", "JsonValue::asText"),
                Some(Shape::Tagged { .. }) => {
                    let name = type_name(&name);
                    plain(&name, &format!("{name}::of"))
                }
                // A configuration names types of the protocol.
                _ => {
                    let java = if model.find(&name).is_some() {
                        type_name(&name)
                    } else {
                        format!("Protocol.{}", type_name(&name))
                    };
                    plain(&java, &format!("{java}::new"))
                }
            },
            Type::Either(_) => plain("JsonValue", "value -> value"),
            Type::Switch(name) => {
                Kind { form: Form::Switch(type_name(&name)), ..plain("JsonValue", "value -> value") }
            }
        }
    }

    /// The value of a member.
    pub fn read(&self, wire: &str) -> String {
        match &self.form {
            Form::Time(unit) => format!("duration(get(\"{wire}\"), {})", factor(*unit)),
            Form::List(_) | Form::Map(..) | Form::OneOrMany(_) => {
                let call = self.of.strip_prefix("value -> Members.").unwrap_or_default();
                call.replacen("(value, ", &format!("(get(\"{wire}\"), "), 1)
            }
            _ if self.java == "JsonValue" => format!("get(\"{wire}\")"),
            _ => format!("one(\"{wire}\", {})", self.of),
        }
    }

    /// The parameter of each setter, and what it makes of its value.
    pub fn setters(&self) -> Vec<(String, String)> {
        let one = |kind: &str, value: &str| (kind.to_owned(), value.to_owned());
        match &self.form {
            Form::Time(unit) => vec![("Duration".to_owned(), format!("count(value, {})", factor(*unit)))],
            Form::List(of) => {
                let mut all = vec![(format!("List<{}>", wild(of)), "value".to_owned())];
                if of == "String" {
                    all.push(one("String...", "List.of(value)"));
                }
                all
            }
            Form::OneOrMany(of) => {
                vec![(format!("List<{}>", wild(of)), "value".to_owned()), (of.clone(), "value".to_owned())]
            }
            Form::Map(_, Some(unit)) => {
                vec![("Map<String, Duration>".to_owned(), format!("counts(value, {})", factor(*unit)))]
            }
            Form::Map(of, None) => vec![(format!("Map<String, {}>", wild(of)), "value".to_owned())],
            Form::Switch(name) => vec![one("boolean", "value"), (name.clone(), "value".to_owned())],
            Form::Plain => match self.java.as_str() {
                "JsonValue" => vec![one("Object", "value")],
                "Boolean" => vec![one("boolean", "value")],
                "Long" => vec![one("long", "value")],
                "Double" => vec![one("double", "value")],
                other => vec![one(other, "value")],
            },
        }
    }
}

/// What a list may hold that is written: anything, where its elements are any JSON.
fn wild(of: &str) -> String {
    match of {
        "JsonValue" => "?".to_owned(),
        "String" | "Long" | "Double" | "Boolean" => of.to_owned(),
        _ => format!("? extends {of}"),
    }
}

/// How many milliseconds a unit has.
fn factor(unit: Unit) -> &'static str {
    match unit {
        Unit::Milliseconds => "1",
        Unit::Seconds => "1000",
    }
}

/// A text as javadoc takes it: what stands in backquotes is code, and links of Markdown are their texts.
pub fn escaped(doc: &str) -> String {
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
