//! What a value stands for that another side wrote. Languages write nothing in different ways: a member that is null is absent,
//! PHP writes an object without members as `[]`, Lua an array without elements as `{}`, and some have no integers and write 1 as
//! `1.0` or `"1"`. Whatever reads a message of the other side asks here, so that all of it agrees.

use crate::json::{self, Kind};
use std::borrow::Cow;

/// A member of an object; one that is null is absent.
pub fn member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    json::member(object, name).filter(|value| *value != "null")
}

/// A member that is an object: `[]` stands for `{}`. Of any other value there is nothing.
pub fn object<'a>(of: &'a str, name: &str) -> Option<&'a str> {
    member(of, name).and_then(as_object)
}

/// A member that is a list. Of any other value there is nothing.
pub fn list<'a>(of: &'a str, name: &str) -> Option<Cow<'a, str>> {
    as_list(member(of, name)?)
}

/// A list: `{}` stands for `[]`, and PHP writes a list that something was taken from as an object whose names are numbers.
pub fn as_list(value: &str) -> Option<Cow<'_, str>> {
    match json::kind(value)? {
        Kind::Array => Some(value.into()),
        Kind::Object => {
            let is_number = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
            if !json::members(value).all(|(name, _)| is_number(name)) {
                return None;
            }
            let elements: Vec<&str> = json::members(value).map(|(_, element)| element).collect();
            Some(format!("[{}]", elements.join(",")).into())
        }
        _ => None,
    }
}

/// An object, which `[]` stands for, too.
pub fn as_object(value: &str) -> Option<&str> {
    match json::kind(value)? {
        Kind::Object => Some(value),
        Kind::Array if is_empty(value) => Some("{}"),
        _ => None,
    }
}

/// Whether a value is an object without members or an array without elements.
pub fn is_empty(value: &str) -> bool {
    let inner = value.get(1..value.len().saturating_sub(1)).unwrap_or("x");
    matches!(json::kind(value), Some(Kind::Object | Kind::Array)) && inner.trim_ascii().is_empty()
}

/// Whether a value says that there is nothing: null, false, an empty text, object or array.
pub fn is_nothing(value: &str) -> bool {
    matches!(value, "null" | "false" | "\"\"") || is_empty(value)
}

/// Whether an object declares something, such as a capability: it is there and neither null nor false.
pub fn declares(object: &str, name: &str) -> bool {
    json::member(object, name).is_some_and(is_declared)
}

/// The same of the value.
pub fn is_declared(value: &str) -> bool {
    !matches!(json::kind(value), None | Some(Kind::Null | Kind::False))
}

/// Capabilities as they should be written: what is not declared is left out, and what is declared is an object. Says whether they were
/// written in another way.
pub fn capabilities(written: &str) -> (String, bool) {
    let mut odd = json::kind(written) != Some(Kind::Object);
    let mut text = String::from("{");
    for (name, value) in json::members(as_object(written).unwrap_or("{}")) {
        let declared = is_declared(value);
        odd |= !declared || json::kind(value) != Some(Kind::Object);
        if !declared {
            continue;
        }
        if text.len() > 1 {
            text.push(',');
        }
        text.push('"');
        text.push_str(name);
        text.push_str("\":");
        match as_object(value) {
            Some(extensions) if name == "extensions" => {
                let (extensions, inner) = capabilities(extensions);
                odd |= inner;
                text.push_str(&extensions);
            }
            Some(settings) => {
                let nulls = json::members(settings).filter(|(_, value)| *value == "null");
                odd |= nulls.count() > 0;
                push_given(settings, &mut text);
            }
            None => text.push_str("{}"),
        }
    }
    text.push('}');
    (text, odd)
}

/// An object without the members that are null.
fn push_given(object: &str, out: &mut String) {
    let start = out.len();
    out.push('{');
    for (name, value) in json::members(object).filter(|(_, value)| *value != "null") {
        if out.len() > start + 1 {
            out.push(',');
        }
        out.push('"');
        out.push_str(name);
        out.push_str("\":");
        out.push_str(value);
    }
    out.push('}');
}

/// The number of ours that a value is, by its value: `1`, `1.0` and `"1"` are one.
pub fn number(value: &str) -> Option<u64> {
    // As nearly all are written; so many digits fit.
    let mut number = 0_u64;
    let mut digit = |byte: u8| {
        number = number * 10 + u64::from(byte.wrapping_sub(b'0'));
        byte.is_ascii_digit()
    };
    if (1..=18).contains(&value.len()) && value.bytes().all(&mut digit) {
        return Some(number);
    }
    let text = value.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(value);
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { json::whole(text.as_bytes()).ok()?.try_into().ok() }
}

/// The code of an error: a number, or a text of one.
pub fn code(value: &str) -> Option<i64> {
    let text = value.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(value);
    json::whole(text.as_bytes()).ok()
}

/// What a page of a list says of the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextPage<'a> {
    /// There is none.
    End,
    /// It is at this cursor, a JSON string.
    At(&'a str),
    /// There is one, and this is no cursor.
    Unreadable(&'a str),
}

/// Reads `nextCursor` of a page. Some servers end a list with an empty cursor, or with false.
pub fn next_page(result: &str) -> NextPage<'_> {
    match member(result, "nextCursor") {
        None => NextPage::End,
        Some(cursor) if is_nothing(cursor) => NextPage::End,
        Some(cursor) if json::kind(cursor) == Some(Kind::String) => NextPage::At(cursor),
        Some(cursor) => NextPage::Unreadable(cursor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_in_different_ways() {
        let of = r#"{"a":null,"b":[ ],"c":{},"d":{"x":1},"e":[1],"f":"","g":false,"h":0}"#;
        let objects: Vec<_> = "abcdefgh".split("").filter_map(|name| object(of, name)).collect();
        assert_eq!(objects, ["{}", "{}", r#"{"x":1}"#]);
        let lists: Vec<_> = "abcdefgh".split("").filter_map(|name| list(of, name)).collect();
        assert_eq!(lists, ["[ ]", "[]", "[1]"]);
        assert_eq!(as_list(r#"{"0":"a","2":{}}"#).as_deref(), Some(r#"["a",{}]"#));
        assert_eq!(member(of, "a"), None);
        assert_eq!(member(of, "h"), Some("0"));
        let nothing: Vec<_> =
            json::members(of).filter(|(_, value)| is_nothing(value)).map(|(name, _)| name).collect();
        assert_eq!(nothing, ["a", "b", "c", "f", "g"]);
        let declared: Vec<_> =
            json::members(of).filter(|(name, _)| declares(of, name)).map(|(name, _)| name).collect();
        assert_eq!(declared, ["b", "c", "d", "e", "f", "h"]);
    }

    #[test]
    fn capabilities_are_written_as_they_should_be() {
        for (written, wanted, odd) in [
            (r#"{"tools":{"listChanged":false},"x":{}}"#, r#"{"tools":{"listChanged":false},"x":{}}"#, false),
            (
                r#"{"tools":[],"resources":null,"prompts":false,"logging":true,"completions":[{"name":"t"}]}"#,
                r#"{"tools":{},"logging":{},"completions":{}}"#,
                true,
            ),
            (r#"{"tools":{"listChanged":null,"a":1}}"#, r#"{"tools":{"a":1}}"#, true),
            (r#"{"extensions":{"a/b":[],"c/d":null}}"#, r#"{"extensions":{"a/b":{}}}"#, true),
            ("[]", "{}", true),
            ("null", "{}", true),
        ] {
            assert_eq!(capabilities(written), (wanted.to_owned(), odd), "{written}");
        }
    }

    #[test]
    fn a_number_of_ours_is_told_by_its_value() {
        for (value, wanted) in [
            ("7", Some(7)),
            ("7.0", Some(7)),
            ("\"7\"", Some(7)),
            ("\"7.0\"", Some(7)),
            ("70e-1", Some(7)),
            ("999999999999999999", Some(999_999_999_999_999_999)),
            ("18446744073709551615", Some(u64::MAX)),
            ("7x", None),
            ("", None),
            ("18446744073709551616", None),
            ("1e400", None),
            ("7.5", None),
            ("-7", None),
            ("\"\"", None),
            ("\" 7\"", None),
            ("null", None),
            ("[7]", None),
        ] {
            assert_eq!(number(value), wanted, "{value}");
        }
    }

    #[test]
    fn a_list_ends_where_no_cursor_is_given() {
        for end in ["{}", r#"{"nextCursor":null}"#, r#"{"nextCursor":""}"#, r#"{"nextCursor":false}"#] {
            assert_eq!(next_page(end), NextPage::End, "{end}");
        }
        assert_eq!(next_page(r#"{"nextCursor":"a"}"#), NextPage::At("\"a\""));
        assert_eq!(next_page(r#"{"nextCursor":2}"#), NextPage::Unreadable("2"));
    }
}
