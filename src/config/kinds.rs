//! The kinds of values that keys have.

use super::define::{Definition, Kind};
use super::fields::{Fields, mistaken, nearest, saturating_u32, size, type_of, wrong};
use crate::engine::Error;
use crate::protocol::draft::Drafts;
use crate::protocol::{Era, Revision};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::time::Duration;

/// A whole number, or a number of bytes, from the first to the second.
pub(crate) struct Size(pub(crate) u64, pub(crate) u64);
/// A whole number of attempts.
pub(crate) struct Count(pub(crate) u32, pub(crate) u32);
/// A time in milliseconds.
pub(crate) struct Millis;
/// For each of several methods a time in milliseconds. The function says why a method must not be there.
pub(crate) struct MillisByMethod(pub(crate) fn(&str) -> Result<(), String>);
/// True or false.
pub(crate) struct Flag;
/// A number from 0 to 1.
pub(crate) struct Share;
/// A string.
pub(crate) struct Text;
/// A list of strings.
pub(crate) struct Texts;
/// An object whose members are strings.
pub(crate) struct TextsByName;
/// An object whose members are lists of strings.
pub(crate) struct TextListsByName;
/// One of several words.
pub(crate) struct Word(pub(crate) &'static [&'static str]);
/// One of several words, and what each means.
pub(crate) struct Choice<T: 'static>(pub(crate) &'static [(&'static str, T)]);
/// What a function reads: from the key with its path, and the value. Its types are those of JSON Schema; the text names them for people.
pub(crate) struct Parsed<T>(
    #[cfg_attr(not(test), expect(dead_code, reason = "only descriptions name them"))]
    pub(crate)  &'static [&'static str],
    #[cfg_attr(not(test), expect(dead_code, reason = "only descriptions have it"))] pub(crate) &'static str,
    pub(crate) fn(&str, &Value) -> Result<T, Error>,
);
/// An object with keys of its own.
pub(crate) struct Section<T>(PhantomData<T>);
/// An object with keys of its own, `true` for its defaults, or `false` for none.
pub(crate) struct Switch<T>(PhantomData<T>);
/// A key whose absence means something of its own.
pub(crate) struct Optional<K>(pub(crate) K);

impl<T> Section<T> {
    pub(crate) const NEW: Section<T> = Section(PhantomData);
}

impl<T> Switch<T> {
    pub(crate) const NEW: Switch<T> = Switch(PhantomData);
}

impl Kind for Size {
    type Value = usize;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<usize>, Error> {
        Ok(fields.integer(key, self.0, self.1)?.map(size))
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        serde_json::json!({"type": "integer", "minimum": self.0, "maximum": self.1})
    }

    #[cfg(test)]
    fn shown(&self, value: &usize) -> Value {
        (*value).into()
    }
}

impl Kind for Count {
    type Value = u32;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<u32>, Error> {
        Ok(fields.integer(key, self.0.into(), self.1.into())?.map(saturating_u32))
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        serde_json::json!({"type": "integer", "minimum": self.0, "maximum": self.1})
    }

    #[cfg(test)]
    fn shown(&self, value: &u32) -> Value {
        (*value).into()
    }
}

impl Kind for Millis {
    type Value = Duration;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<Duration>, Error> {
        fields.millis(key)
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        serde_json::json!({"type": "integer", "minimum": 1, "maximum": super::fields::LONGEST_MS, "unit": "ms"})
    }

    #[cfg(test)]
    fn shown(&self, value: &Duration) -> Value {
        u64::try_from(value.as_millis()).unwrap_or(u64::MAX).into()
    }
}

impl Kind for MillisByMethod {
    type Value = HashMap<String, Duration>;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<Self::Value>, Error> {
        let Some(object) = fields.object(key)? else { return Ok(None) };
        let mut inner = fields.inside(key, object);
        let mut times = HashMap::new();
        for method in object.keys() {
            self.0(method).map_err(|why| inner.wrong(method, why))?;
            times.extend(inner.millis(method)?.map(|time| (method.clone(), time)));
        }
        Ok(Some(times))
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        serde_json::json!({"type": "object", "values": Millis.describe(), "text": "object: method → time"})
    }

    #[cfg(test)]
    fn shown(&self, _value: &Self::Value) -> Value {
        serde_json::json!({})
    }
}

impl Kind for Flag {
    type Value = bool;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<bool>, Error> {
        fields.boolean(key)
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        serde_json::json!({"type": "boolean"})
    }

    #[cfg(test)]
    fn shown(&self, value: &bool) -> Value {
        (*value).into()
    }
}

impl Kind for Share {
    type Value = f64;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<f64>, Error> {
        fields.share(key)
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        serde_json::json!({"type": "number", "minimum": 0, "maximum": 1})
    }

    #[cfg(test)]
    fn shown(&self, value: &f64) -> Value {
        (*value).into()
    }
}

impl Kind for Text {
    type Value = String;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<String>, Error> {
        fields.string(key)
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        serde_json::json!({"type": "string"})
    }
}

impl Kind for Texts {
    type Value = Vec<String>;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<Vec<String>>, Error> {
        fields.strings(key)
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        serde_json::json!({"type": "array", "items": {"type": "string"}, "text": "list of strings"})
    }

    #[cfg(test)]
    fn shown(&self, value: &Vec<String>) -> Value {
        value.clone().into()
    }
}

impl Kind for TextsByName {
    type Value = Vec<(String, String)>;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<Self::Value>, Error> {
        let Some(object) = fields.object(key)? else { return Ok(None) };
        let inner = fields.inside(key, object);
        object
            .iter()
            .map(|(name, value)| match value {
                Value::String(text) => Ok((name.clone(), text.clone())),
                // Also a number may be a secret here.
                other => Err(inner.wrong(name, format!("{} is not a string", type_of(other)))),
            })
            .collect::<Result<Self::Value, Error>>()
            .map(Some)
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        serde_json::json!({"type": "object", "values": {"type": "string"}, "text": "object of strings"})
    }

    #[cfg(test)]
    fn shown(&self, _value: &Self::Value) -> Value {
        serde_json::json!({})
    }
}

impl Kind for TextListsByName {
    type Value = Vec<(String, Vec<String>)>;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<Self::Value>, Error> {
        let Some(object) = fields.object(key)? else { return Ok(None) };
        let mut inner = fields.inside(key, object);
        let mut lists = Vec::new();
        for name in object.keys() {
            lists.push((name.clone(), inner.strings(name)?.unwrap_or_default()));
        }
        Ok(Some(lists))
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        let text = "object of lists of strings";
        serde_json::json!({"type": "object", "values": Texts.describe(), "text": text})
    }

    #[cfg(test)]
    fn shown(&self, _value: &Self::Value) -> Value {
        serde_json::json!({})
    }
}

impl Kind for Word {
    type Value = &'static str;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<&'static str>, Error> {
        fields.choice(key, &mut self.0.iter().copied())
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        serde_json::json!({"type": "string", "enum": self.0})
    }

    #[cfg(test)]
    fn shown(&self, value: &&'static str) -> Value {
        (*value).into()
    }
}

impl<T: Copy + PartialEq> Kind for Choice<T> {
    type Value = T;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<T>, Error> {
        let chosen = fields.choice(key, &mut self.0.iter().map(|(word, _)| *word))?;
        Ok(self.0.iter().find(|(word, _)| chosen == Some(*word)).map(|(_, meaning)| *meaning))
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        let words: Vec<&str> = self.0.iter().map(|(word, _)| *word).collect();
        serde_json::json!({"type": "string", "enum": words})
    }

    #[cfg(test)]
    fn shown(&self, value: &T) -> Value {
        self.0.iter().find(|(_, meaning)| meaning == value).map(|(word, _)| *word).into()
    }
}

impl<T> Kind for Parsed<T> {
    type Value = T;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<T>, Error> {
        let Some(value) = fields.value(key) else { return Ok(None) };
        self.2(&fields.path_of(key), value).map(Some)
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        let types = if let [one] = self.0 { (*one).into() } else { Value::from(self.0) };
        serde_json::json!({"type": types, "text": self.1})
    }
}

impl<T: Definition> Kind for Section<T> {
    type Value = T;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<T>, Error> {
        fields.object(key)?.map(|object| read_inside(fields, key, object)).transpose()
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        serde_json::json!({"type": "object"})
    }

    #[cfg(test)]
    fn shown(&self, _value: &T) -> Value {
        serde_json::json!({})
    }

    #[cfg(test)]
    fn members(&self, at: &str) -> Vec<Value> {
        T::describe(at)
    }
}

impl<T: Definition> Kind for Switch<T> {
    type Value = Option<T>;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<Option<T>>, Error> {
        match fields.value(key) {
            None => Ok(None),
            Some(Value::Bool(is_on)) => Ok(Some(is_on.then(T::default))),
            Some(Value::Object(object)) => read_inside(fields, key, object).map(|read| Some(Some(read))),
            Some(other) => Err(fields.mistaken(key, other, "true, false or an object")),
        }
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        serde_json::json!({"type": ["boolean", "object"], "text": "boolean or object"})
    }

    #[cfg(test)]
    fn shown(&self, value: &Option<T>) -> Value {
        value.is_some().into()
    }

    #[cfg(test)]
    fn members(&self, at: &str) -> Vec<Value> {
        T::describe(at)
    }
}

/// Reads the object that is the value of `key`, and nothing else may be in it.
fn read_inside<T: Definition>(
    fields: &Fields<'_>,
    key: &str,
    object: &Map<String, Value>,
) -> Result<T, Error> {
    let mut inner = fields.inside(key, object);
    let read = T::read(&mut inner)?;
    inner.finish()?;
    Ok(read)
}

impl<K: Kind> Kind for Optional<K> {
    type Value = Option<K::Value>;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<Self::Value>, Error> {
        Ok(self.0.read(fields, key)?.map(Some))
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        self.0.describe()
    }

    #[cfg(test)]
    fn shown(&self, value: &Self::Value) -> Value {
        value.as_ref().map_or(Value::Null, |value| self.0.shown(value))
    }

    #[cfg(test)]
    fn members(&self, at: &str) -> Vec<Value> {
        self.0.members(at)
    }
}

/// The names of drafts, as the pages have them.
pub(crate) const DRAFTS: &str =
    "list of `\"digest\"`, `\"errors\"`, `\"etag\"`, `\"language\"`, `\"required_capabilities\"`";

/// Reads which drafts are on.
pub(crate) fn drafts(key: &str, value: &Value) -> Result<Drafts, Error> {
    let Value::Array(list) = value else {
        return Err(mistaken(key, value, "a list of drafts"));
    };
    let mut all = Drafts::default();
    for one in list {
        let Value::String(text) = one else {
            return Err(wrong(key, format!("{one} is not the name of a draft")));
        };
        let Some((_, draft)) = Drafts::NAMES.into_iter().find(|(name, _)| name == text) else {
            let names = Drafts::NAMES.map(|(name, _)| name);
            let error = match nearest(text, names) {
                Some(meant) => wrong(key, format!("there is no draft '{text}'; did you mean '{meant}'?"))
                    .with("nearest", meant),
                None => wrong(key, format!("there is no draft '{text}'; there are {}", names.join(", "))),
            };
            return Err(error);
        };
        all = all.and(draft);
    }
    if all.is_any() && cfg!(not(feature = "draft")) {
        return Err(wrong(key, "this build has no drafts (cargo feature \"draft\")"));
    }
    Ok(all)
}

/// Reads which revisions are permitted.
pub(crate) fn revisions(key: &str, value: &Value) -> Result<Vec<Revision>, Error> {
    let of = |era: Era| Revision::ALL.into_iter().filter(|revision| revision.era() == era).collect();
    let parse = |text: &str| {
        Revision::parse(text).ok_or_else(|| {
            let known: Vec<&str> = Revision::ALL.iter().map(|revision| revision.as_str()).collect();
            let what = format!(
                "'{text}' is not \"auto\", \"legacy\", \"modern\" or one of the revisions {}",
                known.join(", ")
            );
            wrong(key, what)
        })
    };
    match value {
        Value::String(text) => match text.as_str() {
            "auto" => Ok(Revision::ALL.to_vec()),
            "legacy" => Ok(of(Era::Legacy)),
            "modern" => Ok(of(Era::Modern)),
            one => Ok(vec![parse(one)?]),
        },
        Value::Array(list) if !list.is_empty() => list
            .iter()
            .map(|one| match one {
                Value::String(text) => parse(text),
                other => Err(mistaken(key, other, "a revision")),
            })
            .collect(),
        other => Err(mistaken(key, other, "a string or a list of revisions")),
    }
}
