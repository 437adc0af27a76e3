//! Typed access to the members of a configuration object, which remembers what was asked for: what was not is unknown.

use super::nearest::nearest;
use crate::engine::{Error, Status};
use serde_json::{Map, Value};
use std::time::Duration;

/// The longest time that a configuration may name: a year.
pub(crate) const LONGEST_MS: u64 = 365 * 24 * 60 * 60 * 1000;

pub(crate) const MEBIBYTE: u64 = 1024 * 1024;
pub(crate) const GIBIBYTE: u64 = 1024 * MEBIBYTE;

pub(crate) fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

pub(crate) fn saturating_u32(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// An error about one key.
pub(crate) fn wrong(key: &str, what: impl AsRef<str>) -> Error {
    Error::new(Status::InvalidArgument, "config", format!("config key '{key}': {}", what.as_ref()))
        .with("key", key)
}

/// The members of one object. The readers are not inlined: each is called by many kinds of keys.
pub(crate) struct Fields<'a> {
    /// What stands before each key in messages.
    path: String,
    object: &'a Map<String, Value>,
    known: Vec<String>,
    /// Keys that mean something elsewhere only, with the key that they belong to.
    elsewhere: &'static [(&'static [&'static str], &'static str)],
    /// What other programs call some of these keys, with the key that is meant.
    other_names: &'static [(&'static str, &'static str)],
    /// The first error of the keys that were read.
    fault: Option<Error>,
}

impl<'a> Fields<'a> {
    /// `path` is what stands before each key in messages.
    pub(crate) fn new(path: &str, object: &'a Map<String, Value>) -> Fields<'a> {
        Fields {
            path: path.to_owned(),
            object,
            known: Vec::new(),
            elsewhere: &[],
            other_names: &[],
            fault: None,
        }
    }

    /// The members of the object that is the value of `key`.
    pub(crate) fn inside<'b>(&self, key: &str, object: &'b Map<String, Value>) -> Fields<'b> {
        Fields::new(&format!("{}.", self.path_of(key)), object)
    }

    /// A key as messages name it.
    pub(crate) fn path_of(&self, key: &str) -> String {
        format!("{}{key}", self.path)
    }

    /// Says of keys that nothing asks for which key they belong to.
    pub(crate) fn belonging_elsewhere(&mut self, keys: &'static [(&'static [&'static str], &'static str)]) {
        self.elsewhere = keys;
    }

    /// Says what other programs call some of these keys, and which are members of one: an unknown key with such a name gets a hint.
    pub(crate) fn known_elsewhere_as(&mut self, names: &'static [(&'static str, &'static str)]) {
        self.other_names = names;
    }

    /// A member of any type; `null` counts as absent.
    #[inline(never)]
    pub(crate) fn value(&mut self, key: &str) -> Option<&'a Value> {
        self.known.push(key.to_owned());
        self.object.get(key).filter(|value| !value.is_null())
    }

    /// Remembers an error, if it is the first.
    #[inline(never)]
    pub(crate) fn fail(&mut self, error: Error) {
        self.fault.get_or_insert(error);
    }

    /// Whether all keys so far could be read.
    pub(crate) fn outcome(&mut self) -> Result<(), Error> {
        self.fault.take().map_or(Ok(()), Err)
    }

    /// An error about a key.
    #[inline(never)]
    pub(crate) fn wrong(&self, key: &str, what: impl AsRef<str>) -> Error {
        wrong(&self.path_of(key), what)
    }

    /// The error about a value that is not what was `wanted`.
    #[inline(never)]
    pub(crate) fn mistaken(&self, key: &str, value: &Value, wanted: &str) -> Error {
        let mut shown = value.to_string();
        if let Some((end, _)) = shown.char_indices().nth(80) {
            shown.truncate(end);
            shown.push('…');
        }
        self.wrong(key, format!("{shown} is not {wanted}"))
    }

    #[inline(never)]
    pub(crate) fn string(&mut self, key: &str) -> Result<Option<String>, Error> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(self.mistaken(key, other, "a string")),
        }
    }

    #[inline(never)]
    pub(crate) fn boolean(&mut self, key: &str) -> Result<Option<bool>, Error> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(*value)),
            Some(other) => Err(self.mistaken(key, other, "true or false")),
        }
    }

    #[inline(never)]
    pub(crate) fn integer(&mut self, key: &str, least: u64, most: u64) -> Result<Option<u64>, Error> {
        match self.value(key) {
            None => Ok(None),
            Some(value) => match value.as_u64() {
                Some(number) if (least..=most).contains(&number) => Ok(Some(number)),
                _ => Err(self.mistaken(key, value, &format!("a whole number from {least} to {most}"))),
            },
        }
    }

    /// A time in milliseconds, at least one.
    #[inline(never)]
    pub(crate) fn millis(&mut self, key: &str) -> Result<Option<Duration>, Error> {
        Ok(self.integer(key, 1, LONGEST_MS)?.map(Duration::from_millis))
    }

    /// A share of one.
    #[inline(never)]
    pub(crate) fn share(&mut self, key: &str) -> Result<Option<f64>, Error> {
        match self.value(key) {
            None => Ok(None),
            Some(value) => match value.as_f64() {
                Some(share) if (0.0..=1.0).contains(&share) => Ok(Some(share)),
                _ => Err(self.mistaken(key, value, "a number from 0 to 1")),
            },
        }
    }

    /// One of several words.
    #[inline(never)]
    pub(crate) fn choice(
        &mut self,
        key: &str,
        words: &mut dyn Iterator<Item = &'static str>,
    ) -> Result<Option<&'static str>, Error> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let words: Vec<&'static str> = words.collect();
        if let Some(word) = value.as_str().and_then(|text| words.iter().find(|word| **word == text)) {
            return Ok(Some(word));
        }
        let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        Err(self.mistaken(key, value, &format!("one of {}", quoted.join(", "))))
    }

    #[inline(never)]
    pub(crate) fn object(&mut self, key: &str) -> Result<Option<&'a Map<String, Value>>, Error> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(object)),
            Some(other) => Err(self.mistaken(key, other, "an object")),
        }
    }

    #[inline(never)]
    pub(crate) fn strings(&mut self, key: &str) -> Result<Option<Vec<String>>, Error> {
        let list = match self.value(key) {
            None => return Ok(None),
            Some(Value::Array(list)) => list,
            Some(other) => return Err(self.mistaken(key, other, "a list")),
        };
        list.iter()
            .enumerate()
            .map(|(index, value)| match value {
                Value::String(text) => Ok(text.clone()),
                other => Err(self.mistaken(&format!("{key}[{index}]"), other, "a string")),
            })
            .collect::<Result<Vec<String>, Error>>()
            .map(Some)
    }

    /// Everything was asked for: what is left is unknown.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let Some(unknown) = self.object.keys().find(|key| !self.known.contains(key)) else { return Ok(()) };
        let key = format!("{}{unknown}", self.path);
        let owner_of = |name: &str| {
            self.elsewhere.iter().find(|(keys, _)| keys.contains(&name)).map(|(_, owner)| *owner)
        };
        if let Some(owner) = owner_of(unknown) {
            return Err(wrong(
                &key,
                format!("'{unknown}' belongs to '{owner}', which this server does not have"),
            ));
        }
        let known = || self.known.iter().map(String::as_str);
        let names = self.other_names;
        let alias = names.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(unknown)).map(|(_, key)| *key);
        let elsewhere = || self.elsewhere.iter().flat_map(|(keys, _)| keys.iter().copied());
        let meant = alias
            .filter(|alias| alias.contains('.') || known().chain(elsewhere()).any(|key| key == *alias))
            .or_else(|| nearest(unknown, known()))
            .or_else(|| nearest(unknown, elsewhere()));
        let Some(meant) = meant else { return Err(wrong(&key, "it is unknown")) };
        let meant_key = format!("{}{meant}", self.path);
        let hint = match owner_of(meant).filter(|_| !known().any(|key| key == meant)) {
            Some(owner) => format!("it is unknown; did you mean '{meant_key}', which belongs to '{owner}'?"),
            None => format!("it is unknown; did you mean '{meant_key}'?"),
        };
        Err(wrong(&key, hint).with("nearest", meant_key))
    }
}
