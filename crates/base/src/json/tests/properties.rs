//! Everything against `serde_json`, on random text.

use proptest::prelude::*;
use serde_json::{Map, Value};

use super::super::{
    Wanted, count, elements, integer, kind, member, members, one_line_into, pointer, quote, scan_object,
    scan_value, splice_into, string,
};
use super::arbitrary::{NAMES, damaged, object, soup, value, written};

const WANTED: &[Wanted] = &[
    Wanted { name: "id", inner: &[] },
    Wanted { name: "params", inner: &["_meta", "a/b", "größe"] },
    Wanted { name: "q\"~\\", inner: &["id", ""] },
    Wanted { name: "größe", inner: &[] },
];
const SLOTS: usize = 9;

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Whether `serde_json` takes `text`; `None` where it is stricter than the grammar: it turns numbers into floating point
/// ones and strings into Rust strings, so that a huge exponent or a lone surrogate is an error there.
fn serde_takes(text: &[u8]) -> Option<bool> {
    let Ok(text) = std::str::from_utf8(text) else { return Some(false) };
    let Err(error) = serde_json::from_str::<Value>(text) else { return Some(true) };
    let message = error.to_string();
    let stricter = ["number out of range", "surrogate", "unexpected end of hex escape"];
    if stricter.iter().any(|reason| message.contains(reason)) { None } else { Some(false) }
}

fn agrees_with_serde(text: &[u8]) -> Result<(), TestCaseError> {
    let Some(taken) = serde_takes(text) else { return Ok(()) };
    prop_assert_eq!(scan_value(text, 64).is_ok(), taken, "{}", text.escape_ascii());
    let object = text.trim_ascii_start().first() == Some(&b'{');
    prop_assert_eq!(scan_object(text, &[], 64, &mut []).is_ok(), taken && object, "{}", text.escape_ascii());
    Ok(())
}

/// Calls everything that takes validated text.
fn take_apart(text: &str) {
    let rest =
        |value: &str| (kind(value), count(value), integer(value), string(value).map(|text| text.len()));
    rest(text);
    for (name, value) in members(text) {
        rest(value);
        member(text, name);
    }
    for element in elements(text) {
        rest(element);
    }
    pointer(text, "/a/0/b").unwrap();
    let mut out = Vec::new();
    splice_into(text, &[("a", text)], &mut out);
    one_line_into(text, &mut out);
}

proptest! {
    #[test]
    fn valid_text_is_taken_whole(text in written(value())) {
        let found = scan_value(text.as_bytes(), 64).unwrap();
        prop_assert_eq!(found.span.str(&text), text.trim_matches([' ', '\t', '\r', '\n']));
        prop_assert_eq!(Some(found.kind), kind(&text));
    }

    #[test]
    fn wanted_members_are_what_serde_json_finds(text in written(object())) {
        let tree = parsed(&text);
        let mut found = [None; SLOTS];
        scan_object(text.as_bytes(), WANTED, 64, &mut found).unwrap();
        let mut slots = found.iter();
        for wanted in WANTED {
            let outer = tree.get(wanted.name);
            prop_assert_eq!(slots.next().unwrap().map(|value| parsed(value.span.str(&text))), outer.cloned());
            for name in wanted.inner {
                let inner = outer.and_then(|outer| outer.get(name));
                prop_assert_eq!(slots.next().unwrap().map(|value| parsed(value.span.str(&text))), inner.cloned());
            }
        }
    }

    #[test]
    fn every_prefix_of_an_object_is_rejected(text in written(object())) {
        let text = text.trim_end();
        for end in 0..text.len() {
            prop_assert!(scan_object(&text.as_bytes()[..end], WANTED, 64, &mut [None; SLOTS]).is_err());
        }
    }

    #[test]
    fn damaged_text_is_taken_or_not_as_by_serde_json(text in damaged(written(value()))) {
        agrees_with_serde(&text)?;
    }

    #[test]
    fn damaged_objects_are_taken_or_not_as_by_serde_json(text in damaged(written(object()))) {
        agrees_with_serde(&text)?;
    }

    #[test]
    fn soup_is_taken_or_not_as_by_serde_json(text in soup()) {
        agrees_with_serde(&text)?;
    }

    #[test]
    fn bytes_are_taken_or_not_as_by_serde_json(text in proptest::collection::vec(any::<u8>(), 0..40)) {
        agrees_with_serde(&text)?;
    }

    #[test]
    fn members_and_elements_are_what_serde_json_finds(text in written(value())) {
        let tree = parsed(&text);
        let by_name: Map<_, _> = members(&text)
            .map(|(name, value)| (string(&format!("\"{name}\"")).unwrap().into_owned(), parsed(value)))
            .collect();
        prop_assert_eq!(by_name, tree.as_object().cloned().unwrap_or_default());
        let in_order: Vec<_> = elements(&text).map(parsed).collect();
        prop_assert_eq!(in_order, tree.as_array().cloned().unwrap_or_default());
        for name in NAMES {
            prop_assert_eq!(member(&text, name).map(parsed), tree.get(name).cloned());
        }
        prop_assert_eq!(count(&text), tree.as_object().map(Map::len).or(tree.as_array().map(Vec::len)));
    }

    #[test]
    fn pointers_point_where_serde_json_says(text in written(value()), path in "(/(id|params|_meta|a~1b|q\"~0\\\\|größe|[0-4]|01|-|)){0,4}") {
        prop_assert_eq!(pointer(&text, &path).unwrap().map(parsed), parsed(&text).pointer(&path).cloned());
    }

    #[test]
    fn strings_spell_what_serde_json_says(text in written(any::<String>().prop_map(Value::from))) {
        prop_assert_eq!(string(&text).unwrap(), serde_json::from_str::<String>(&text).unwrap());
    }

    #[test]
    fn quoting_is_what_serde_json_writes_and_decodes_to_the_same(text in any::<String>()) {
        let quoted = quote(&text);
        prop_assert_eq!(&quoted, &serde_json::to_string(&text).unwrap());
        prop_assert_eq!(string(&quoted).unwrap(), text);
    }

    #[test]
    fn integers_are_what_serde_json_says(number in prop_oneof![any::<i64>().prop_map(|n| n.to_string()), any::<f64>().prop_map(|n| Value::from(n).to_string()), "-?[0-9]{1,20}([.][0-9])?(e[0-9])?"]) {
        // serde_json takes -0 for a floating point number; it is an integer by its form.
        let expected = if number == "-0" { Some(0) } else { serde_json::from_str::<Value>(&number).ok().and_then(|n| n.as_i64()) };
        prop_assert_eq!(integer(&number), expected);
    }

    #[test]
    fn splicing_is_merging(text in written(object()), added in written(object())) {
        let Value::Object(mut merged) = parsed(&text) else { unreachable!() };
        let mut names: Vec<(String, &str)> = Vec::new();
        for (name, value) in members(&added) {
            names.push((string(&format!("\"{name}\"")).unwrap().into_owned(), value));
        }
        let add: Vec<(&str, &str)> = names.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let mut out = Vec::new();
        splice_into(&text, &add, &mut out);
        let spliced = String::from_utf8(out).unwrap();
        prop_assert!(!spliced.contains(['\n', '\r']));
        merged.extend(add.iter().map(|(name, value)| ((*name).to_owned(), parsed(value))));
        prop_assert_eq!(count(&spliced), Some(merged.len()));
        prop_assert_eq!(parsed(&spliced), Value::Object(merged));
    }

    #[test]
    fn one_line_is_the_same_value_on_one_line(text in written(value())) {
        let mut out = Vec::new();
        one_line_into(&text, &mut out);
        let line = String::from_utf8(out).unwrap();
        prop_assert!(!line.contains(['\n', '\r']));
        prop_assert_eq!(parsed(&line), parsed(&text));
    }

    #[test]
    fn text_that_was_not_validated_does_no_harm(text in damaged(written(value())), soup in soup(), any in any::<String>()) {
        take_apart(&String::from_utf8_lossy(&text));
        take_apart(&String::from_utf8_lossy(&soup));
        take_apart(&any);
    }
}
