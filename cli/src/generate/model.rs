//! The intermediate form: what a JSON Schema becomes before it is written in a language.
//!
//! It has what all languages can express. What it cannot express is [`Type::Json`], and the report says where.

use serde_json::Value;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// Any JSON: the fallback.
    Json,
    Null,
    Bool,
    /// An integer of 64 bits.
    Int,
    Number,
    String,
    /// One of some numbers or booleans; languages without such types use the kind of the values.
    Literals(Vec<Value>),
    Array(Box<Type>),
    /// An object whose members all have one type.
    Map(Box<Type>),
    /// The type or null.
    Nullable(Box<Type>),
    /// A declaration, by its place in the list of its tool.
    Named(usize),
}

/// A type that has a name.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// In the form `CreateIssueArguments`; no two of a tool differ in case only.
    pub name: String,
    pub description: String,
    pub shape: Shape,
    /// A value of it may contain another value of it.
    pub is_recursive: bool,
}

#[derive(Clone, Debug)]
pub enum Shape {
    Object(Object),
    /// Texts, in the order of the schema.
    Enumeration(Vec<Word>),
    Union(Union),
}

/// A text of an enumeration and the words of its identifier.
#[derive(Clone, Debug)]
pub struct Word {
    pub wire: String,
    pub words: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Object {
    pub fields: Vec<Field>,
    /// The type of members that have no field; `None` if there are none or they are not kept.
    pub additional: Option<Type>,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub wire: String,
    pub words: Vec<String>,
    pub kind: Type,
    pub required: bool,
    pub description: String,
}

#[derive(Clone, Debug)]
pub struct Union {
    pub variants: Vec<Variant>,
    /// The member that says which of the objects a value is; needed when there are several.
    pub tag: Option<String>,
    /// Whether the type of the JSON, and the tag, say which variant a value is. If not, languages that decode values use
    /// any JSON.
    pub is_decidable: bool,
}

#[derive(Clone, Debug)]
pub struct Variant {
    pub words: Vec<String>,
    pub kind: Type,
    /// The texts of the tag.
    pub tags: Vec<String>,
}

/// A tool.
#[derive(Clone, Debug)]
pub struct Tool {
    pub name: String,
    /// The words of the function's name.
    pub words: Vec<String>,
    pub title: String,
    pub description: String,
    pub declarations: Vec<Declaration>,
    pub arguments: Type,
    /// `None` if the server says nothing of the result: content blocks.
    pub result: Option<Type>,
    /// The result's type is from the file of overrides.
    pub is_overridden: bool,
    pub hash: u64,
    /// Where precision was lost, as `place: why`.
    pub losses: Vec<String>,
}

/// Tools that become one module.
#[derive(Clone, Debug)]
pub struct Module {
    pub words: Vec<String>,
    pub tools: Vec<Tool>,
}

/// What kind of JSON the values of a type are, to tell the variants of a union apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

impl Tool {
    /// The one member of the result, where servers wrap what is not an object (`FastMCP`: `{"result": VALUE}`), and its type.
    pub fn wrapped(&self) -> Option<&Field> {
        let Some(Type::Named(number)) = self.result.as_ref().filter(|_| !self.is_overridden) else {
            return None;
        };
        match &self.declarations.get(*number)?.shape {
            Shape::Object(Object { fields, additional: None }) => match &fields[..] {
                [only] if only.required && only.wire == "result" => Some(only),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Type {
    /// The kind of JSON; `None` if it may be of several kinds.
    pub fn class(&self, declarations: &[Declaration]) -> Option<Class> {
        Some(match self {
            Type::Json | Type::Nullable(_) => return None,
            Type::Null => Class::Null,
            Type::Bool => Class::Bool,
            Type::Int | Type::Number => Class::Number,
            Type::String => Class::String,
            Type::Literals(values) => {
                if values.iter().all(Value::is_number) {
                    Class::Number
                } else {
                    Class::Bool
                }
            }
            Type::Array(_) => Class::Array,
            Type::Map(_) => Class::Object,
            Type::Named(number) => match declarations.get(*number).map(|it| &it.shape) {
                Some(Shape::Object(_)) => Class::Object,
                Some(Shape::Enumeration(_)) => Class::String,
                _ => return None,
            },
        })
    }

    /// The type for languages without literals: that of the values.
    pub fn widened(&self) -> Type {
        match self {
            Type::Literals(values) if values.iter().all(Value::is_boolean) => Type::Bool,
            Type::Literals(values) if values.iter().all(Value::is_i64) => Type::Int,
            Type::Literals(_) => Type::Number,
            other => other.clone(),
        }
    }
}
