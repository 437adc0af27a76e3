//! The types of configurations and options: docs/reference/configuration.json, which comes from the definitions in `src`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::json::Json;
use super::model::{Definition, Member, Model, Shape, Type, Unit, large_camel};
use crate::checkout::{Checkout, read};

/// The objects in the file: their names there, the names of their types, and what stands before the names of objects within.
const ROOTS: [(&str, &str, &str, &str); 8] = [
    ("client", "Config", "", "The configuration of a client; docs/reference/configuration.md has more."),
    ("queue", "QueueConfig", "Queue", "The bounds of a queue that several clients share."),
    ("call", "CallOptions", "Call", "The options of one call."),
    ("feature_call", "FeatureOptions", "Feature", "What some calls of features have besides."),
    (
        "server",
        "ServerConfig",
        "Server",
        "The configuration of a server; docs/reference/server-configuration.md has more.",
    ),
    ("telemetry", "TelemetryOptions", "Telemetry", "What is recorded for OpenTelemetry."),
    ("endpoint", "Endpoint", "Endpoint", "Where and how a server serves."),
    ("task", "TaskOptions", "Task", "What a handler wants of the task that it becomes."),
];

/// Keys whose values are types of the protocol, or which have several forms.
fn typed(object: &str, key: &str) -> Option<Type> {
    let named = |name: &str| Type::Named(name.to_owned());
    Some(match (object, key) {
        (_, "protocol") => Type::OneOrMany(Box::new(Type::Text)),
        (_, "proxy") => Type::Either(vec![Type::Flag, Type::Text]),
        ("client", "client") => named("ClientInfo"),
        ("client", "capabilities") => named("ClientCapabilities"),
        ("client", "roots") => Type::list(Type::Either(vec![Type::Text, named("Root")])),
        ("server", "icons") => Type::list(named("Icon")),
        ("server", "request_state.keys") => Type::list(Type::Text),
        _ => return None,
    })
}

/// A duration of the configuration: the object, its key with `*` for any member, and the unit.
pub type Duration = (String, String, Unit);

pub struct Keys {
    pub model: Model,
    /// The roots, in their order.
    pub roots: Vec<(&'static str, &'static str)>,
    pub durations: Vec<Duration>,
}

impl Keys {
    /// The model with one type that has all options of calls: those that a feature does not have are refused by the library.
    pub fn with_one_type_of_options(&self) -> Model {
        let mut model = self.model.clone();
        let feature = model.members("FeatureOptions");
        model.definitions.retain(|it| it.name != "FeatureOptions");
        for definition in &mut model.definitions {
            if let (Shape::Object(members), "CallOptions") = (&mut definition.shape, definition.name.as_str())
            {
                members.extend(feature.clone());
            }
        }
        model
    }
}

/// Reads the file.
///
/// # Errors
/// It is not there, or has a form that is not known here.
pub fn read_all(checkout: &Checkout, protocol: &Model) -> Result<Keys, String> {
    let path = checkout.root.join("docs/reference/configuration.json");
    let all = Json::parse(&read(&path)?).map_err(|why| format!("{}: {why}", path.display()))?;
    let mut model = Model::default();
    let mut durations = Vec::new();
    for (object, _) in all.members() {
        if ROOTS.iter().all(|(root, ..)| root != object) {
            return Err(format!(
                "docs/reference/configuration.json: {object} is not known; add it to keys.rs"
            ));
        }
    }
    for (object, name, prefix, doc) in ROOTS {
        let keys =
            all.get(object).ok_or_else(|| format!("docs/reference/configuration.json has no {object}"))?;
        let mut within: BTreeMap<String, Vec<Member>> = BTreeMap::new();
        let mut docs: BTreeMap<String, String> = BTreeMap::new();
        for key in keys.items() {
            let path = key.text_of("key").ok_or("a key without a name")?;
            let has_members = keys.items().iter().any(|it| {
                it.text_of("key").and_then(|it| it.strip_prefix(path)).is_some_and(|it| it.starts_with('.'))
            });
            let section = has_members.then(|| section(prefix, path));
            let kind = match typed(object, path) {
                Some(kind) => kind,
                None => kind(key, section.as_deref()).map_err(|why| format!("{object}.{path}: {why}"))?,
            };
            match &kind {
                Type::Time(unit) => durations.push((object.to_owned(), path.to_owned(), *unit)),
                Type::Map(of) => {
                    if let Type::Time(unit) = **of {
                        durations.push((object.to_owned(), format!("{path}.*"), unit));
                    }
                }
                _ => {}
            }
            let (owner, member) = path.rsplit_once('.').unwrap_or(("", path));
            if let Some(section) = &section {
                docs.insert(path.to_owned(), section.clone());
            }
            within.entry(owner.to_owned()).or_default().push(Member {
                name: member.to_owned(),
                doc: doc_of(key),
                zero_counts: zero_counts(key),
                kind,
                is_required: false,
            });
        }
        for (owner, members) in within {
            let (name, doc) = match docs.get(&owner) {
                None => (name.to_owned(), doc.to_owned()),
                Some(section) => (section.clone(), format!("The members of `{owner}`.")),
            };
            model.definitions.push(Definition { name, doc, shape: Shape::Object(members) });
        }
    }
    let mut info = protocol.members("Implementation");
    for member in &mut info {
        member.is_required = false;
    }
    model.definitions.push(Definition {
        name: "ClientInfo".to_owned(),
        doc: "What the server is told about the program. The library fills in what is absent.".to_owned(),
        shape: Shape::Object(info),
    });
    let roots = ROOTS.iter().map(|(object, name, ..)| (*object, *name)).collect();
    Ok(Keys { model, roots, durations })
}

/// The name of the object that is the value of a key.
fn section(prefix: &str, path: &str) -> String {
    let name = large_camel(path);
    let is_plural = ["Timeouts", "Limits", "Reconnect"].contains(&name.as_str());
    format!("{prefix}{name}{}", if is_plural { "" } else { "Config" })
}

fn kind(key: &Json, section: Option<&str>) -> Result<Type, String> {
    let words = key.texts_of("enum");
    if !words.is_empty() {
        return Ok(Type::Words(words, false));
    }
    let types = match key.get("type") {
        Some(Json::Text(one)) => vec![one.as_str()],
        Some(Json::List(types)) => types.iter().filter_map(Json::text).collect(),
        _ => return Err("it has no type".to_owned()),
    };
    let simple = |kind: &str| match kind {
        "boolean" => Ok(Type::Flag),
        "integer" => Ok(match key.text_of("unit") {
            Some("ms") => Type::Time(Unit::Milliseconds),
            Some("s") => Type::Time(Unit::Seconds),
            _ => Type::Whole,
        }),
        "number" => Ok(Type::Number),
        "string" => Ok(Type::Text),
        "array" => match key.get("items") {
            Some(items) => self::kind(items, None).map(Type::list),
            None => Ok(Type::list(Type::Any)),
        },
        "object" => match (section, key.get("values")) {
            (Some(section), _) => Ok(Type::Named(section.to_owned())),
            (None, Some(values)) => self::kind(values, None).map(Type::map),
            (None, None) if key.text_of("text") == Some("object of objects") => Ok(Type::map(Type::Object)),
            (None, None) => Ok(Type::Object),
        },
        other => Err(format!("{other} is no type")),
    };
    match (types.as_slice(), section) {
        ([one], _) => simple(one),
        (["boolean", "object"], Some(section)) => Ok(Type::Switch(section.to_owned())),
        (several, _) => several.iter().map(|it| simple(it)).collect::<Result<_, _>>().map(Type::Either),
    }
}

/// The description, the bounds and the default.
fn doc_of(key: &Json) -> String {
    let number = |name: &str| match key.get(name) {
        Some(Json::Number(number)) => Some(number.clone()),
        _ => None,
    };
    let mut doc = key.text_of("description").unwrap_or_default().to_owned();
    if !doc.ends_with('.') {
        doc.push('.');
    }
    let unit = key.text_of("unit").map(|unit| format!(" {unit}")).unwrap_or_default();
    if let (Some(least), Some(most)) = (number("minimum"), number("maximum")) {
        let _ = write!(doc, " From {least} to {most}{unit}.");
    }
    let default = match (key.text_of("default_text"), key.get("default")) {
        (Some(text), _) => Some(text.to_owned()),
        (None, Some(Json::Number(number))) => Some(format!("{number}{unit}")),
        (None, Some(Json::Flag(flag))) => Some(format!("`{flag}`")),
        (None, Some(Json::Text(text))) => Some(format!("`\"{text}\"`")),
        _ => None,
    };
    if let Some(default) = default {
        let _ = write!(doc, " Default: {default}.");
    }
    let doc = capital_sentence(&doc);
    if key.get("secret") == Some(&Json::Flag(true)) {
        format!("{doc} A secret: it is in no log and no error.")
    } else {
        doc
    }
}

fn capital_sentence(text: &str) -> String {
    super::model::capital(text)
}

/// Whether zero or false, given, is something else than the default.
fn zero_counts(key: &Json) -> bool {
    let is_zero = |it: &str| it.parse::<f64>() == Ok(0.0);
    match (key.get("type"), key.get("minimum"), key.get("default")) {
        (Some(Json::Text(kind)), ..) if kind == "boolean" => key.get("default") != Some(&Json::Flag(false)),
        (_, Some(Json::Number(least)), Some(Json::Number(default))) => is_zero(least) && !is_zero(default),
        (_, Some(Json::Number(least)), _) => is_zero(least),
        _ => false,
    }
}
