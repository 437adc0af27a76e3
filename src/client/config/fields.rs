//! Typed access to the members of a configuration object, which remembers what was asked for: what was not is unknown.

use super::nearest::nearest;
use crate::engine::{Error, Status};
use serde_json::{Map, Value};
use std::time::Duration;

/// The longest time that a configuration may name: a year.
pub(super) const LONGEST_MS: u64 = 365 * 24 * 60 * 60 * 1000;

pub(super) const MEBIBYTE: u64 = 1024 * 1024;
pub(super) const GIBIBYTE: u64 = 1024 * MEBIBYTE;

pub(super) fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

pub(super) fn saturating_u32(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// What other programs call some of our keys.
const ALIASES: [(&str, &str); 7] = [
    ("arguments", "args"),
    ("cmd", "command"),
    ("environment", "env"),
    ("httpUrl", "url"),
    ("serverUrl", "url"),
    ("workingDirectory", "cwd"),
    ("working_directory", "cwd"),
];

/// An error about one key.
pub(super) fn wrong(key: &str, what: impl AsRef<str>) -> Error {
    Error::new(Status::InvalidArgument, "config", format!("config key '{key}': {}", what.as_ref()))
        .with("key", key)
}

/// The members of one object.
pub(super) struct Fields<'a> {
    path: &'static str,
    object: &'a Map<String, Value>,
    known: Vec<String>,
    /// Keys that mean something elsewhere only: each with the key that it belongs to.
    elsewhere: &'static [(&'static str, &'static str)],
}

impl<'a> Fields<'a> {
    /// `path` is what stands before each key in messages.
    pub(super) fn new(path: &'static str, object: &'a Map<String, Value>) -> Fields<'a> {
        Fields { path, object, known: Vec::new(), elsewhere: &[] }
    }

    /// Says of keys that nothing asks for which key they belong to.
    pub(super) fn belonging_elsewhere(&mut self, keys: &'static [(&'static str, &'static str)]) {
        self.elsewhere = keys;
    }

    /// A member of any type; `null` counts as absent.
    pub(super) fn value(&mut self, key: &str) -> Option<&'a Value> {
        self.known.push(key.to_owned());
        self.object.get(key).filter(|value| !value.is_null())
    }

    pub(super) fn has(&mut self, key: &str) -> bool {
        self.value(key).is_some()
    }

    fn mistaken(&self, key: &str, value: &Value, wanted: &str) -> Error {
        let mut shown = value.to_string();
        if let Some((end, _)) = shown.char_indices().nth(80) {
            shown.truncate(end);
            shown.push('…');
        }
        wrong(&format!("{}{key}", self.path), format!("{shown} is not {wanted}"))
    }

    pub(super) fn string(&mut self, key: &str) -> Result<Option<String>, Error> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(self.mistaken(key, other, "a string")),
        }
    }

    pub(super) fn boolean(&mut self, key: &str) -> Result<Option<bool>, Error> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(*value)),
            Some(other) => Err(self.mistaken(key, other, "true or false")),
        }
    }

    pub(super) fn integer(&mut self, key: &str, least: u64, most: u64) -> Result<Option<u64>, Error> {
        match self.value(key) {
            None => Ok(None),
            Some(value) => match value.as_u64() {
                Some(number) if (least..=most).contains(&number) => Ok(Some(number)),
                _ => Err(self.mistaken(key, value, &format!("a whole number from {least} to {most}"))),
            },
        }
    }

    /// A time in milliseconds, at least one.
    pub(super) fn millis(&mut self, key: &str) -> Result<Option<Duration>, Error> {
        Ok(self.integer(key, 1, LONGEST_MS)?.map(Duration::from_millis))
    }

    /// A share of one.
    pub(super) fn share(&mut self, key: &str) -> Result<Option<f64>, Error> {
        match self.value(key) {
            None => Ok(None),
            Some(value) => match value.as_f64() {
                Some(share) if (0.0..=1.0).contains(&share) => Ok(Some(share)),
                _ => Err(self.mistaken(key, value, "a number from 0 to 1")),
            },
        }
    }

    pub(super) fn choice(
        &mut self,
        key: &str,
        choices: &[&'static str],
    ) -> Result<Option<&'static str>, Error> {
        let quoted: Vec<String> = choices.iter().map(|choice| format!("\"{choice}\"")).collect();
        let wanted = format!("one of {}", quoted.join(", "));
        match self.value(key) {
            None => Ok(None),
            Some(value) => {
                match value.as_str().and_then(|text| choices.iter().find(|choice| **choice == text)) {
                    Some(choice) => Ok(Some(choice)),
                    None => Err(self.mistaken(key, value, &wanted)),
                }
            }
        }
    }

    pub(super) fn object(&mut self, key: &str) -> Result<Option<Map<String, Value>>, Error> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(object.clone())),
            Some(other) => Err(self.mistaken(key, other, "an object")),
        }
    }

    pub(super) fn array(&mut self, key: &str) -> Result<Option<Vec<Value>>, Error> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Array(array)) => Ok(Some(array.clone())),
            Some(other) => Err(self.mistaken(key, other, "a list")),
        }
    }

    pub(super) fn strings(&mut self, key: &str) -> Result<Option<Vec<String>>, Error> {
        let Some(array) = self.array(key)? else { return Ok(None) };
        array
            .into_iter()
            .enumerate()
            .map(|(index, value)| match value {
                Value::String(text) => Ok(text),
                other => Err(self.mistaken(&format!("{key}[{index}]"), &other, "a string")),
            })
            .collect::<Result<Vec<String>, Error>>()
            .map(Some)
    }

    pub(super) fn string_map(&mut self, key: &str) -> Result<Option<Vec<(String, String)>>, Error> {
        let Some(object) = self.object(key)? else { return Ok(None) };
        object
            .into_iter()
            .map(|(name, value)| match value {
                Value::String(text) => Ok((name, text)),
                other => Err(self.mistaken(&format!("{key}.{name}"), &other, "a string")),
            })
            .collect::<Result<Vec<(String, String)>, Error>>()
            .map(Some)
    }

    /// Everything was asked for: what is left is unknown.
    pub(super) fn finish(self) -> Result<(), Error> {
        let Some(unknown) = self.object.keys().find(|key| !self.known.contains(key)) else { return Ok(()) };
        let key = format!("{}{unknown}", self.path);
        let owner_of =
            |name: &str| self.elsewhere.iter().find(|(key, _)| *key == name).map(|(_, owner)| *owner);
        if let Some(owner) = owner_of(unknown) {
            return Err(wrong(
                &key,
                format!("'{unknown}' belongs to '{owner}', which this server does not have"),
            ));
        }
        let known = || self.known.iter().map(String::as_str);
        let alias =
            ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(unknown)).map(|(_, key)| *key);
        let elsewhere = || self.elsewhere.iter().map(|(key, _)| *key);
        let meant = alias
            .filter(|alias| known().chain(elsewhere()).any(|key| key == *alias))
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
