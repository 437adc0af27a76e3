//! What the types of all bindings are made from: one model, which an emitter of each language writes down.

/// How the names of what 2026-07-28 deprecates begin: sampling, roots and log messages (SEP-2577). The schema does not mark them.
const DEPRECATED: [&str; 10] = [
    "ClientCapabilitiesRoots",
    "ClientCapabilitiesSampling",
    "CreateMessage",
    "ListRoots",
    "LoggingLevel",
    "LoggingMessage",
    "ModelHint",
    "ModelPreferences",
    "SamplingMessage",
    "SetLevel",
];

/// What the type of that name says of its deprecation, if it is deprecated.
pub fn deprecation(name: &str) -> Option<&'static str> {
    (name == "Root" || DEPRECATED.iter().any(|start| name.starts_with(start)))
        .then_some("2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has them.")
}

/// The type of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// Any JSON.
    Any,
    /// An object whose members are any JSON.
    Object,
    Flag,
    Whole,
    Number,
    Text,
    /// One string.
    Constant(String),
    /// One of several strings; with `true` others may come.
    Words(Vec<String>, bool),
    /// A time, as a whole number of the unit.
    Time(Unit),
    List(Box<Type>),
    /// An object whose members are of this type.
    Map(Box<Type>),
    /// Null, or this.
    Nullable(Box<Type>),
    /// A definition.
    Named(String),
    /// One value, or a list of them.
    OneOrMany(Box<Type>),
    /// One of several types.
    Either(Vec<Type>),
    /// True, false, or the object that has this name.
    Switch(String),
}

impl Type {
    pub fn list(of: Type) -> Type {
        Type::List(Box::new(of))
    }

    pub fn map(of: Type) -> Type {
        Type::Map(Box::new(of))
    }

    /// The definitions that it names.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Type::Named(name) | Type::Switch(name) => vec![name],
            Type::List(of) | Type::Map(of) | Type::Nullable(of) | Type::OneOrMany(of) => of.names(),
            Type::Either(types) => types.iter().flat_map(Type::names).collect(),
            _ => Vec::new(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    Milliseconds,
    Seconds,
}

impl Unit {
    pub fn sign(self) -> &'static str {
        match self {
            Unit::Milliseconds => "ms",
            Unit::Seconds => "s",
        }
    }
}

/// A member of an object.
#[derive(Clone, Debug)]
pub struct Member {
    /// On the wire.
    pub name: String,
    pub doc: String,
    pub kind: Type,
    pub is_required: bool,
    /// Whether zero or false says something else than absence does.
    pub zero_counts: bool,
}

#[derive(Clone, Debug)]
pub enum Shape {
    Object(Vec<Member>),
    /// One of several strings; with `true` others may come.
    Words(Vec<String>, bool),
    /// Objects told apart by the value of one member.
    Tagged {
        tag: String,
        /// The value, and the object's name.
        variants: Vec<(String, String)>,
    },
    /// Objects that no one member tells apart.
    Untagged(Vec<String>),
    Alias(Type),
}

/// One type with a name.
#[derive(Clone, Debug)]
pub struct Definition {
    pub name: String,
    pub doc: String,
    pub shape: Shape,
}

/// All types of the protocol, or of the configuration, in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub definitions: Vec<Definition>,
}

impl Model {
    pub fn find(&self, name: &str) -> Option<&Definition> {
        self.definitions.iter().find(|it| it.name == name)
    }

    /// The members of an object; of objects that nothing tells apart, all that one of them may have.
    pub fn members(&self, name: &str) -> Vec<Member> {
        match self.find(name).map(|it| &it.shape) {
            Some(Shape::Object(members)) => members.clone(),
            Some(Shape::Untagged(variants)) => {
                joined(&variants.iter().map(|it| self.members(it)).collect::<Vec<_>>())
            }
            _ => Vec::new(),
        }
    }

    /// The unions that have an object among their variants, each with its tag and the value that stands for the object.
    pub fn unions_of(&self, object: &str) -> Vec<(&str, &str, &str)> {
        let unions = self.definitions.iter().filter_map(|it| match &it.shape {
            Shape::Tagged { tag, variants } => {
                let (value, _) = variants.iter().find(|(_, name)| name == object)?;
                Some((it.name.as_str(), tag.as_str(), value.as_str()))
            }
            _ => None,
        });
        unions.collect()
    }

    pub fn is_union(&self, name: &str) -> bool {
        self.find(name).is_some_and(|it| matches!(it.shape, Shape::Tagged { .. }))
    }

    /// What an alias stands for.
    pub fn resolve(&self, kind: &Type) -> Type {
        match kind {
            Type::Named(name) => match self.find(name).map(|it| &it.shape) {
                Some(Shape::Alias(of)) => self.resolve(of),
                _ => kind.clone(),
            },
            Type::List(of) => Type::list(self.resolve(of)),
            Type::Map(of) => Type::map(self.resolve(of)),
            other => other.clone(),
        }
    }
}

/// All members of several objects: required if they are so in each, of any type where the types differ.
fn joined(objects: &[Vec<Member>]) -> Vec<Member> {
    let mut all: Vec<Member> = Vec::new();
    let count = objects.len();
    for members in objects {
        for member in members {
            let Some(known) = all.iter_mut().find(|it| it.name == member.name) else {
                all.push(member.clone());
                continue;
            };
            known.kind = either(&known.kind, &member.kind);
            known.is_required &= member.is_required;
        }
    }
    for member in &mut all {
        let times = objects.iter().flatten().filter(|it| it.name == member.name).count();
        member.is_required &= times == count;
        if let Type::Constant(_) = member.kind {
            member.kind = Type::Text;
        }
    }
    all
}

fn either(one: &Type, other: &Type) -> Type {
    let is_text = |it: &Type| matches!(it, Type::Text | Type::Constant(_) | Type::Words(..));
    let is_number = |it: &Type| matches!(it, Type::Whole | Type::Number);
    match (one, other) {
        _ if one == other => one.clone(),
        _ if is_text(one) && is_text(other) => Type::Text,
        _ if is_number(one) && is_number(other) => Type::Number,
        _ => Type::Any,
    }
}

/// `initial_ms`, `initialMs` and `InitialMs` as words: `initial`, `ms`.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_small = false;
    for letter in name.chars() {
        if letter.is_alphanumeric() {
            if words.is_empty() || (letter.is_uppercase() && was_small) {
                words.push(String::new());
            }
            was_small = letter.is_lowercase() || letter.is_ascii_digit();
            if let Some(word) = words.last_mut() {
                word.extend(letter.to_lowercase());
            }
        } else {
            was_small = false;
            words.push(String::new());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// `initial_ms` as `InitialMs`.
pub fn large_camel(name: &str) -> String {
    words(name).iter().map(|word| capital(word)).collect()
}

/// `initial_ms` as `initialMs`.
pub fn small_camel(name: &str) -> String {
    let large = large_camel(name);
    large.get(..1).unwrap_or_default().to_lowercase() + large.get(1..).unwrap_or_default()
}

/// The name of a member among those before it, to which it is added: that of a time has no unit, which its type has.
pub fn timeless(mut name: String, kind: &Type, names: &mut Vec<String>) -> String {
    if let Type::Time(_) = kind
        && let Some(start) = ["Ms", "Seconds"].iter().find_map(|end| name.strip_suffix(end))
        && !start.is_empty()
    {
        name.truncate(start.len());
    }
    if names.contains(&name) {
        name.push_str("Time"); // `keys` and `keys_ms`
    }
    names.push(name.clone());
    name
}

/// A word with a capital letter at its beginning.
pub fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|it| it.to_uppercase().to_string()).unwrap_or_default() + letters.as_str()
}

/// A text in lines of at most so many columns. What stands in backquotes stays together.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > columns {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}
