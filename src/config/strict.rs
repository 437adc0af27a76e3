//! What JSON allows and a configuration does not: a member twice, and half of a surrogate pair. Readers disagree about
//! both (RFC 8259, sections 4 and 8.2), so that a person could not know which of two values counts.

use super::fields::wrong;
use crate::engine::{Error, Status};
use crate::json;
use serde_json::{Map, Value};
use std::collections::HashSet;

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
}
