//! Types, literals and identifiers of each language.

use super::super::model::{Declaration, Shape, Tool, Type};
use super::super::{naming, reserved, text};
use super::{Language, units};
use serde_json::Value;

/// A language, in a module.
#[derive(Clone, Debug)]
pub struct Dialect {
    pub language: Language,
    pub module: String,
}

impl Dialect {
    pub fn literal(&self, wire: &str) -> String {
        match self.language {
            Language::C | Language::Cpp => text::c(wire),
            Language::Go | Language::Python => text::escaped(wire),
            Language::Typescript => text::typescript(wire),
            // Those of Rust have the same escapes.
            Language::Swift | Language::Rust => text::swift(wire),
            Language::Java => text::java(wire),
            Language::Cli => text::shell(wire),
        }
    }

    /// The name of a member where the language takes names and literals.
    pub fn key(&self, wire: &str) -> String {
        let is_plain = wire.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && wire.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && wire != "__proto__";
        if is_plain { wire.to_owned() } else { self.literal(wire) }
    }

    /// The name of a package of Go, and of one of Java.
    pub fn package(&self) -> String {
        match self.language {
            Language::Java => naming::free(self.module.clone(), reserved::JAVA),
            _ => naming::free(self.module.replace('_', ""), reserved::GO),
        }
    }

    /// The name of the file of a tool, without its ending: in Java that of its class.
    pub fn stem(&self, tool: &Tool) -> String {
        match self.language {
            Language::Java => format!("{}Tool", naming::pascal(&tool.words)),
            Language::Rust => naming::free(
                naming::free(naming::stem(&tool.words), reserved::RUST_KEYWORDS),
                reserved::RUST_MODULES,
            ),
            _ => naming::stem(&tool.words),
        }
    }

    /// A description for a comment of the language. What is a test in a comment, which `cargo test` or `doctest` would run, is not one here,
    /// and no directive, with which the documentation of Python includes files; comments of Java are HTML.
    pub fn comment(&self, text: &str) -> Vec<String> {
        let mut lines = text::comment(text);
        let marks: &[(&str, &str)] = match self.language {
            Language::Rust => &[("```", "'''"), ("~~~", "~ ~ ~")],
            Language::Python => &[(">>>", "> > >"), (".. ", "... ")],
            Language::Java => &[("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")],
            _ => &[],
        };
        for (mark, with) in marks {
            for line in &mut lines {
                *line = line.replace(mark, with);
            }
        }
        lines
    }

    pub fn function(&self, tool: &Tool) -> String {
        let words = &tool.words;
        match self.language {
            Language::C => format!("{}_{}", self.module, naming::snake(words)),
            Language::Cpp => naming::free(naming::snake(words), reserved::C_AND_CPP),
            Language::Go => naming::pascal(words),
            Language::Typescript => naming::free(naming::camel(words), reserved::TYPESCRIPT),
            Language::Python => naming::free(naming::snake(words), reserved::PYTHON),
            Language::Swift => naming::free(naming::camel(words), reserved::SWIFT),
            Language::Java => naming::free(naming::camel(words), reserved::JAVA),
            Language::Rust => naming::free(
                naming::free(naming::snake(words), reserved::RUST_KEYWORDS),
                reserved::RUST_MODULES,
            ),
            Language::Cli => naming::snake(words).replace('_', "-"),
        }
    }

    /// A type for people.
    pub fn shown(&self, kind: &Type, tool: &Tool) -> String {
        match kind {
            Type::Json => "JSON".to_owned(),
            Type::Int => "integer".to_owned(),
            Type::Array(item) => format!("{}, several times", self.shown(item, tool)),
            Type::Map(_) => "JSON object".to_owned(),
            Type::Nullable(inside) => format!("{} or null", self.shown(inside, tool)),
            Type::Named(number) => match &tool.declarations[*number].shape {
                Shape::Object(_) => "JSON object".to_owned(),
                Shape::Enumeration(words) => {
                    words.iter().map(|word| text::plain(&word.wire, 20)).collect::<Vec<_>>().join("/")
                }
                Shape::Union(_) => "JSON".to_owned(),
            },
            other => self.typescript(other, tool),
        }
    }

    pub fn field(&self, words: &[String]) -> String {
        match self.language {
            Language::C | Language::Cpp => naming::free(naming::snake(words), reserved::C_AND_CPP),
            Language::Go => naming::pascal(words),
            Language::Swift => naming::free(naming::camel(words), reserved::SWIFT),
            Language::Python => naming::free(naming::snake(words), reserved::PYTHON_KEYWORDS),
            Language::Java => naming::free(naming::camel(words), reserved::JAVA),
            Language::Rust => naming::free(
                naming::free(naming::snake(words), reserved::RUST_KEYWORDS),
                reserved::RUST_MODULES,
            ),
            Language::Typescript | Language::Cli => naming::snake(words),
        }
    }

    /// The name of the type.
    pub fn declared(&self, it: &Declaration) -> String {
        match self.language {
            Language::C => format!("{}_t", self.prefix(it)),
            _ => it.name.clone(),
        }
    }

    /// What the functions of the type begin with in C.
    pub fn prefix(&self, it: &Declaration) -> String {
        match self.language {
            Language::C => format!("{}_{}", self.module, snake_of(&it.name)),
            _ => it.name.clone(),
        }
    }

    pub fn enumerator(&self, it: &Declaration, words: &[String]) -> String {
        match self.language {
            Language::C => format!("{}__{}", self.prefix(it).to_ascii_uppercase(), naming::upper(words)),
            Language::Cpp => naming::free(naming::snake(words), reserved::C_AND_CPP),
            Language::Swift => naming::free(naming::camel(words), reserved::SWIFT),
            Language::Java => naming::upper(words),
            Language::Rust => naming::free(naming::pascal(words), &["Self"]),
            _ => format!("{}_{}", it.name, naming::pascal(words)),
        }
    }

    pub fn kind(&self, kind: &Type, tool: &Tool) -> String {
        match self.language {
            Language::C => units::type_of(self, kind, tool),
            Language::Cpp => self.cpp(kind, tool),
            Language::Go => self.go(kind, tool),
            Language::Typescript | Language::Cli => self.typescript(kind, tool),
            Language::Python => self.python(kind, tool),
            Language::Swift => self.swift(kind, tool),
            Language::Java => self.java(kind, tool),
            Language::Rust => self.rust(kind, tool),
        }
    }

    /// The type of a value that is there: a primitive type of Java.
    pub fn plain(&self, kind: &Type, tool: &Tool) -> String {
        match (self.language, kind.widened()) {
            (Language::Java, Type::Bool) => "boolean".to_owned(),
            (Language::Java, Type::Int) => "long".to_owned(),
            (Language::Java, Type::Number) => "double".to_owned(),
            _ => self.kind(kind, tool),
        }
    }

    /// The type of a member that may be missing.
    pub fn optional(&self, kind: &Type, tool: &Tool) -> String {
        match self.language {
            Language::Cpp => format!("std::optional<{}>", self.boxed(kind, tool)),
            Language::Go => match kind {
                Type::Json | Type::Nullable(_) | Type::Array(_) | Type::Map(_) => self.go(kind, tool),
                other => format!("*{}", self.go(other, tool)),
            },
            Language::Swift => format!("{}?", self.boxed(kind, tool)),
            Language::Rust => format!("Option<{}>", self.boxed(kind, tool)),
            Language::Java => match kind {
                Type::Nullable(inside) => format!("Support.Nullable<{}>", self.java(inside, tool)),
                other => self.java(other, tool),
            },
            _ => self.kind(kind, tool),
        }
    }

    /// The type behind a pointer where a value of it may contain itself.
    pub fn boxed(&self, kind: &Type, tool: &Tool) -> String {
        let inside = self.kind(kind, tool);
        match (self.language, kind) {
            (Language::Cpp, Type::Named(number)) if tool.declarations[*number].is_recursive => {
                format!("mcp_generated::box<{inside}>")
            }
            (Language::Swift, Type::Named(number)) if tool.declarations[*number].is_recursive => {
                format!("Box<{inside}>")
            }
            (Language::Rust, Type::Named(number)) if tool.declarations[*number].is_recursive => {
                format!("Box<{inside}>")
            }
            // The name of a variant may be the same.
            (Language::Java, Type::Named(_)) => format!("{}.{inside}", self.stem(tool)),
            _ => inside,
        }
    }

    fn cpp(&self, kind: &Type, tool: &Tool) -> String {
        match kind {
            Type::Json | Type::Null => "mcp_generated::json".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Int => "std::int64_t".to_owned(),
            Type::Number => "double".to_owned(),
            Type::String => "std::string".to_owned(),
            Type::Literals(_) => self.cpp(&kind.widened(), tool),
            Type::Array(item) => format!("std::vector<{}>", self.cpp(item, tool)),
            Type::Map(item) => format!("std::map<std::string, {}>", self.cpp(item, tool)),
            Type::Nullable(item) => format!("mcp_generated::nullable<{}>", self.boxed(item, tool)),
            Type::Named(number) => self.declared(&tool.declarations[*number]),
        }
    }

    fn go(&self, kind: &Type, tool: &Tool) -> String {
        match kind {
            Type::Json | Type::Null => "json.RawMessage".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Int => "int64".to_owned(),
            Type::Number => "float64".to_owned(),
            Type::String => "string".to_owned(),
            Type::Literals(_) => self.go(&kind.widened(), tool),
            Type::Array(item) => format!("[]{}", self.go(item, tool)),
            Type::Map(item) => format!("map[string]{}", self.go(item, tool)),
            Type::Nullable(item) => format!("Nullable[{}]", self.go(item, tool)),
            Type::Named(number) => self.declared(&tool.declarations[*number]),
        }
    }

    fn typescript(&self, kind: &Type, tool: &Tool) -> String {
        match kind {
            Type::Json => "unknown".to_owned(),
            Type::Null => "null".to_owned(),
            Type::Bool => "boolean".to_owned(),
            Type::Int | Type::Number => "number".to_owned(),
            Type::String => "string".to_owned(),
            Type::Literals(values) => values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | "),
            Type::Array(item) => format!("Array<{}>", self.typescript(item, tool)),
            Type::Map(item) => format!("{{ [name: string]: {} }}", self.typescript(item, tool)),
            Type::Nullable(item) => format!("{} | null", self.typescript(item, tool)),
            Type::Named(number) => self.declared(&tool.declarations[*number]),
        }
    }

    fn python(&self, kind: &Type, tool: &Tool) -> String {
        match kind {
            Type::Json => "Any".to_owned(),
            Type::Null => "None".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Int => "int".to_owned(),
            Type::Number => "float".to_owned(),
            Type::String => "str".to_owned(),
            Type::Literals(values) if values.iter().all(|it| it.is_i64() || it.is_boolean()) => {
                let texts = values.iter().map(|value| match value {
                    Value::Bool(true) => "True".to_owned(),
                    Value::Bool(false) => "False".to_owned(),
                    other => other.to_string(),
                });
                format!("Literal[{}]", texts.collect::<Vec<_>>().join(", "))
            }
            Type::Literals(_) => "float".to_owned(),
            Type::Array(item) => format!("list[{}]", self.python(item, tool)),
            Type::Map(item) => format!("dict[str, {}]", self.python(item, tool)),
            Type::Nullable(item) => format!("Optional[{}]", self.python(item, tool)),
            Type::Named(number) => self.declared(&tool.declarations[*number]),
        }
    }

    fn java(&self, kind: &Type, tool: &Tool) -> String {
        match kind {
            Type::Json | Type::Null => "JsonValue".to_owned(),
            Type::Bool => "Boolean".to_owned(),
            Type::Int => "Long".to_owned(),
            Type::Number => "Double".to_owned(),
            Type::String => "String".to_owned(),
            Type::Literals(_) => self.java(&kind.widened(), tool),
            Type::Array(item) => format!("List<{}>", self.java(item, tool)),
            Type::Map(item) => format!("Map<String, {}>", self.java(item, tool)),
            Type::Nullable(item) => self.java(item, tool),
            Type::Named(number) => self.declared(&tool.declarations[*number]),
        }
    }

    /// What reads a value in Java.
    fn java_reader(&self, kind: &Type, tool: &Tool) -> String {
        match kind {
            Type::Json | Type::Null => "Support.JSON".to_owned(),
            Type::Bool => "Support.BOOLEAN".to_owned(),
            Type::Int => "Support.LONG".to_owned(),
            Type::Number => "Support.DOUBLE".to_owned(),
            Type::String => "Support.TEXT".to_owned(),
            Type::Literals(_) => self.java_reader(&kind.widened(), tool),
            Type::Array(item) => format!("Support.list({})", self.java_reader(item, tool)),
            Type::Map(item) => format!("Support.map({})", self.java_reader(item, tool)),
            Type::Nullable(item) => format!("Support.orNull({})", self.java_reader(item, tool)),
            Type::Named(_) => format!("Support.reader({}.{}::of)", self.stem(tool), self.java(kind, tool)),
        }
    }

    fn rust(&self, kind: &Type, tool: &Tool) -> String {
        match kind {
            Type::Json | Type::Null => "serde_json::Value".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Int => "i64".to_owned(),
            Type::Number => "f64".to_owned(),
            Type::String => "String".to_owned(),
            Type::Literals(_) => self.rust(&kind.widened(), tool),
            Type::Array(item) => format!("Vec<{}>", self.rust(item, tool)),
            Type::Map(item) => format!("std::collections::BTreeMap<String, {}>", self.rust(item, tool)),
            Type::Nullable(item) => format!("Option<{}>", self.boxed(item, tool)),
            Type::Named(number) => self.declared(&tool.declarations[*number]),
        }
    }

    fn swift(&self, kind: &Type, tool: &Tool) -> String {
        match kind {
            Type::Json | Type::Null => "JSONValue".to_owned(),
            Type::Bool => "Bool".to_owned(),
            Type::Int => "Int64".to_owned(),
            Type::Number => "Double".to_owned(),
            Type::String => "String".to_owned(),
            Type::Literals(_) => self.swift(&kind.widened(), tool),
            Type::Array(item) => format!("[{}]", self.swift(item, tool)),
            Type::Map(item) => format!("[String: {}]", self.swift(item, tool)),
            Type::Nullable(item) => format!("Nullable<{}>", self.boxed(item, tool)),
            Type::Named(number) => self.declared(&tool.declarations[*number]),
        }
    }

    /// The function that writes a value: in C what its name begins with, in Go a function of the value and the writer.
    pub fn encode(&self, kind: &Type, tool: &Tool) -> String {
        match self.language {
            Language::C => units::functions_of(self, kind, tool),
            Language::Go => go_function("write", kind, tool),
            _ => String::new(),
        }
    }

    /// What reads a member that may be missing, where that is something else.
    pub fn decode_optional(&self, kind: &Type, tool: &Tool) -> String {
        match (self.language, kind) {
            (Language::Java, Type::Nullable(item)) => {
                format!("Support.nullable({})", self.java_reader(item, tool))
            }
            _ => self.decode(kind, tool),
        }
    }

    /// The function that reads a value.
    pub fn decode(&self, kind: &Type, tool: &Tool) -> String {
        match self.language {
            Language::Java => self.java_reader(kind, tool),
            Language::C => units::functions_of(self, kind, tool),
            Language::Go => go_function("read", kind, tool),
            _ => String::new(),
        }
    }
}

fn go_function(what: &str, kind: &Type, tool: &Tool) -> String {
    match kind {
        Type::Json | Type::Null => format!("{what}JSON"),
        Type::Bool => format!("{what}Bool"),
        Type::Int => format!("{what}Int"),
        Type::Number => format!("{what}Number"),
        Type::String => format!("{what}String"),
        Type::Literals(_) => go_function(what, &kind.widened(), tool),
        Type::Array(item) => format!("{what}List({})", go_function(what, item, tool)),
        Type::Map(item) => format!("{what}Map({})", go_function(what, item, tool)),
        Type::Nullable(item) => format!("{what}Nullable({})", go_function(what, item, tool)),
        Type::Named(number) => {
            let declaration = &tool.declarations[*number];
            match (what, &declaration.shape) {
                ("write", _) => format!("writeValue[{}]", declaration.name),
                (_, Shape::Enumeration(_)) => format!("readValue[{}]", declaration.name),
                _ => format!("readValue[{}]", declaration.name),
            }
        }
    }
}

/// `CreateIssue` as `create_issue`.
pub fn snake_of(name: &str) -> String {
    let mut out = String::new();
    let mut before = '_';
    for c in name.chars() {
        if c.is_ascii_uppercase() && before != '_' {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
        before = c;
    }
    out
}

/// Whether a member can be one of a class of Python as it is. A name that begins with two underscores would be changed.
pub fn is_python_identifier(wire: &str) -> bool {
    wire.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && wire.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !wire.starts_with("__")
        && !reserved::PYTHON_KEYWORDS.contains(&wire)
}

/// The tag of a member of a struct of Go, where one can be written.
pub fn go_tag(wire: &str, required: bool) -> String {
    let is_plain = !wire.is_empty()
        && wire.chars().all(|c| c.is_ascii_alphanumeric() || "_-.$".contains(c))
        && wire != "-";
    match (is_plain, required) {
        (false, _) => String::new(),
        (true, true) => format!(" `json:\"{wire}\"`"),
        (true, false) => format!(" `json:\"{wire},omitzero\"`"),
    }
}
