//! Typed access to the members of one configuration object: which keys are unknown and which key was meant, duplicate keys, and
//! escapes that are half of a surrogate pair.

use crate::engine::{Error, Status};
use crate::json;
use serde_json::{Map, Value};
use std::collections::HashSet;
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

/// The error about a value that is not what was `wanted`. What people write for a list or an object, or in one, may be a secret, such as a
/// header as text: it is told by its type.
#[inline(never)]
pub(crate) fn mistaken(key: &str, value: &Value, wanted: &str) -> Error {
    let is_plain = match value {
        Value::String(_) => !(wanted.contains("object") || wanted.contains("list")),
        other => !(other.is_array() || other.is_object()),
    };
    let mut shown = if is_plain { value.to_string() } else { type_of(value).to_owned() };
    if let Some((end, _)) = shown.char_indices().nth(80) {
        shown.truncate(end);
        shown.push('…');
    }
    wrong(key, format!("{shown} is not {wanted}"))
}

/// The type of a value, for people.
pub(crate) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A key whose value is an object, and the members that such an object may have, in parts.
pub(crate) type Section = (&'static str, &'static [&'static [&'static str]]);

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
    /// Keys of this object whose values are objects, with the members of those.
    sections: &'static [Section],
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
            sections: &[],
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

    /// Says what the members of some keys are called: one that stands beside its key gets a hint.
    #[cfg(feature = "server")]
    pub(crate) fn with_sections(&mut self, sections: &'static [Section]) {
        self.sections = sections;
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
        mistaken(&self.path_of(key), value, wanted)
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
        let has_it = |(_, parts): &&Section| parts.iter().any(|keys| keys.contains(&unknown.as_str()));
        if let Some((section, _)) = self.sections.iter().find(has_it) {
            let meant = format!("{}{section}.{unknown}", self.path);
            let hint = format!("it is unknown; did you mean '{meant}'?");
            return Err(wrong(&key, hint).with("nearest", meant));
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

/// The most a configuration may nest.
pub(crate) const DEPTH: usize = 64;

/// Parses JSON text of the application's into a tree, with the place of what is wrong.
pub(crate) fn parse_object(text: &str, what: &str) -> Result<Map<String, Value>, Error> {
    let invalid = |message: String| Error::new(Status::InvalidArgument, what, message);
    if let Err(error) = json::scan_object(text.as_bytes(), &[], DEPTH, &mut []) {
        return Err(invalid(format!("{what} is no JSON object: {error}")).with("offset", error.offset));
    }
    check(text).map_err(Misplaced::into_error)?;
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(invalid(format!("{what} is no JSON object"))),
        Err(error) => Err(invalid(format!("{what} is no usable JSON: {error}"))),
    }
}

/// Something wrong below a value, and where.
#[derive(Debug)]
pub(crate) struct Misplaced {
    /// The keys from the value down to it, such as `timeouts.call_ms` or `args[1]`.
    path: String,
    what: String,
}

impl Misplaced {
    /// About the value itself.
    pub(crate) fn here(what: impl Into<String>) -> Misplaced {
        Misplaced { path: String::new(), what: what.into() }
    }

    /// The same, seen from the object that has the value as its member `key`.
    pub(crate) fn in_member(self, key: &str) -> Misplaced {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Misplaced { path: format!("{key}{dot}{}", self.path), ..self }
    }

    /// The same, seen from the list that has the value in this place.
    pub(crate) fn in_element(self, index: usize) -> Misplaced {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Misplaced { path: format!("[{index}]{dot}{}", self.path), ..self }
    }

    /// As an error about a key of the configuration.
    pub(crate) fn into_error(self) -> Error {
        wrong(&self.path, self.what)
    }
}

/// Checks a value and everything in it. The JSON must have been scanned before: this function calls itself for each level,
/// and the scan bounds the levels.
pub(crate) fn check(value: &str) -> Result<(), Misplaced> {
    match json::kind(value) {
        Some(json::Kind::Object) => {
            check_names(value)?;
            json::members(value)
                .try_for_each(|(name, member)| check(member).map_err(|fault| fault.in_member(&decoded(name))))
        }
        Some(json::Kind::Array) => json::elements(value)
            .enumerate()
            .try_for_each(|(index, element)| check(element).map_err(|fault| fault.in_element(index))),
        Some(json::Kind::String) if is_half(value) => Err(Misplaced::here(
            "it has half of a surrogate pair, an escape from \\ud800 to \\udfff alone, which is no character; write both \
             halves, or the character itself",
        )),
        _ => Ok(()),
    }
}

/// Checks the names of an object's members, and nothing that is in them.
pub(crate) fn check_names(object: &str) -> Result<(), Misplaced> {
    let mut seen = HashSet::new();
    for (name, _) in json::members(object) {
        let plain = decoded(name);
        if is_half(&format!("\"{name}\"")) {
            return Err(Misplaced::here("its name has half of a surrogate pair").in_member(&plain));
        }
        if !seen.insert(plain.clone()) {
            return Err(Misplaced::here("it stands there twice; remove one of the two").in_member(&plain));
        }
    }
    Ok(())
}

fn decoded(name: &str) -> String {
    json::string(&format!("\"{name}\"")).unwrap_or_default().into_owned()
}

/// Whether a string has half of a surrogate pair. That is the one thing that our grammar takes in a string and
/// `serde_json` does not.
fn is_half(string: &str) -> bool {
    string.contains('\\') && serde_json::from_str::<String>(string).is_err()
}

/// The nearest of `known` to `name`, if it is so near that it may well be meant: what differs by a letter or two, by
/// underscores and capitals, or by the unit `_ms` alone.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = simplified(name);
    let most = match plain.len() {
        0 | 1 => 0,
        2..=5 => 1,
        _ => 2,
    };
    let distance_to = |candidate: &str| {
        let without_unit = candidate.strip_suffix("_ms").unwrap_or(candidate);
        distance(&plain, &simplified(candidate)).min(distance(&plain, &simplified(without_unit)))
    };
    let found = known.into_iter().map(|candidate| (distance_to(candidate), candidate));
    found
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| *distance <= most)
        .map(|(_, name)| name)
}

/// Without what people write in different ways: `callMs` is `call_ms`.
fn simplified(name: &str) -> Vec<char> {
    name.chars().filter(|letter| !matches!(letter, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// How many letters must be put in, left out or changed, or swapped with their neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, to) in b.iter().enumerate() {
            let substituted = last[j] + usize::from(from != to);
            let mut least = substituted.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *from == b[j - 1] && a[i - 1] == *to {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> Option<(String, String)> {
        json::scan_value(text.as_bytes(), 64).expect("JSON");
        check(text).err().map(|fault| (fault.path, fault.what))
    }

    fn place(text: &str) -> Option<String> {
        fault(text).map(|(path, _)| path)
    }

    #[test]
    fn a_member_that_stands_twice_is_found_at_any_depth() {
        assert_eq!(place(r#"{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}"#), None);
        assert_eq!(place(r#"{"a":1,"a":1}"#).as_deref(), Some("a"));
        assert_eq!(place(r#"{"a":1,"\u0061":1}"#).as_deref(), Some("a"), "however it is written");
        assert_eq!(
            place(r#"{"x":{"y":[0,{"z":[[{"a":1,"b":2,"a":3}]]}]}}"#).as_deref(),
            Some("x.y[1].z[0][0].a")
        );
    }

    #[test]
    fn half_of_a_surrogate_pair_is_found_in_values_and_names() {
        assert_eq!(place(r#"{"a":"\ud83d\ude00","b":"\\ud800","c":"�"}"#), None);
        for half in [r"\ud800", r"\udc00", r"\udc00\ud800", r"\ud800x", r"\ud800\n"] {
            assert_eq!(place(&format!(r#"{{"a":["","{half}"]}}"#)).as_deref(), Some("a[1]"), "{half}");
            assert!(place(&format!(r#"{{"{half}":1}}"#)).is_some(), "{half}");
        }
    }

    const KNOWN: [&str; 8] = ["command", "args", "env", "cwd", "stderr", "timeouts", "call_ms", "url"];

    #[test]
    fn a_slip_finds_its_word() {
        for (slip, meant) in [
            ("comand", "command"),
            ("commnad", "command"),
            ("timeout", "timeouts"),
            ("time_outs", "timeouts"),
            ("ARGS", "args"),
            ("arg", "args"),
            ("callMs", "call_ms"),
            ("call", "call_ms"),
            ("ur", "url"),
            ("evn", "env"),
        ] {
            assert_eq!(nearest(slip, KNOWN), Some(meant), "{slip}");
        }
    }

    #[test]
    fn a_word_of_its_own_finds_none() {
        for word in ["headers", "disabled", "envFile", "x", "", "trust", "httpUrl", "e", "description"] {
            assert_eq!(nearest(word, KNOWN), None, "{word}");
        }
        assert_eq!(nearest("command", []), None);
    }
}
