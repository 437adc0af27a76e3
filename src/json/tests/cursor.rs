//! The cursor: by example, against the reader that checks, and on text that is not valid.

use proptest::prelude::*;

use super::super::{Cursor, Kind, Span, scan_value};
use super::arbitrary::{damaged, soup, value, written};

/// Goes through all of the value here, each part in one of the ways there are, and gives the places of the values that
/// were skipped. Text of `length` bytes has fewer steps than `steps` begins with.
fn walk(cursor: &mut Cursor<'_>, choices: &[u8], steps: &mut usize, skipped: &mut Vec<Span>) {
    *steps = steps.checked_sub(1).expect("the cursor goes forward");
    let choice = choices[*steps % choices.len()] % 4;
    match cursor.kind() {
        Some(Kind::Object) if choice != 0 && cursor.enter(Kind::Object) => {
            while let Some(name) = cursor.member() {
                name.is("a");
                name.decode_into(&mut Vec::new());
                walk(cursor, choices, steps, skipped);
            }
        }
        Some(Kind::Array) if choice != 0 && cursor.enter(Kind::Array) => {
            while cursor.element() {
                walk(cursor, choices, steps, skipped);
            }
        }
        Some(Kind::String) if choice == 1 => {
            if let Some(text) = cursor.string() {
                text.decode_into(&mut Vec::new());
            }
        }
        _ if choice == 2 => drop(cursor.string()),
        _ => skipped.extend(cursor.skip()),
    }
}

fn walked(text: &[u8], choices: &[u8]) -> Vec<Span> {
    let mut skipped = Vec::new();
    walk(&mut Cursor::new(text), choices, &mut (text.len() + 2), &mut skipped);
    skipped
}

#[test]
fn a_part_is_reached_without_what_it_is_in_being_skipped_first() {
    let text = br#" { "a" : [ 1 , {"b": "x\ny"} , [] ] , "c" : -2.5 } "#;
    let mut cursor = Cursor::new(text);
    assert!(!cursor.enter(Kind::Array) && cursor.enter(Kind::Object));
    assert!(cursor.member().is_some_and(|name| name.is("a")));
    assert!(cursor.enter(Kind::Array) && cursor.element());
    assert_eq!(cursor.skip().map(|span| span.of(text)), Some(b"1".as_slice()));
    assert!(cursor.element() && cursor.enter(Kind::Object));
    assert!(cursor.member().is_some_and(|name| name.is("b") && !name.is("B")));
    let mut decoded = b"> ".to_vec();
    cursor.string().unwrap().decode_into(&mut decoded);
    assert_eq!(decoded, b"> x\ny");
    assert!(cursor.member().is_none() && cursor.element() && cursor.enter(Kind::Array));
    assert!(!cursor.element() && !cursor.element());
    assert!(cursor.member().is_some_and(|name| name.is("c")));
    assert!(cursor.string().is_none());
    assert!(cursor.member().is_none());
}

#[test]
fn names_are_compared_by_what_they_spell() {
    let mut cursor = Cursor::new(r#"{"gr\u00f6ße":1,"id":2}"#.as_bytes());
    cursor.enter(Kind::Object);
    assert!(cursor.member().is_some_and(|name| name.is("größe")));
    cursor.skip();
    assert!(cursor.member().is_some_and(|name| name.is("id") && !name.is("di") && !name.is("idx")));
}

#[test]
fn brackets_and_quotes_in_strings_are_not_counted() {
    for text in [
        r#"["]","[",["\"]"],{"}":"{"}]"#,
        r#"{"a":"\\","b":["\\\"]",Y_y]}"#,
        "[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]",
        "[\"\u{7f}Y_y\", \"ä]\", 1234567890, true, null, {}]",
    ] {
        let followed = format!("{text} ]}}\"");
        assert_eq!(Cursor::new(followed.as_bytes()).skip().map(|span| span.str(&followed)), Some(text));
    }
}

#[test]
fn what_has_no_end_is_not_skipped() {
    for text in ["", " ", "[", "{\"a\":[1,2]", "[\"]", "\"abc", "\"a\\\"", "x", "]", "\"\n\"", "[\"\\x\"]"] {
        let mut cursor = Cursor::new(text.as_bytes());
        assert_eq!(cursor.skip(), None, "{text}");
        assert!(!cursor.element() && cursor.member().is_none() && cursor.kind().is_none(), "{text}");
    }
}

#[test]
fn depth_is_no_matter() {
    let text = "[".repeat(100_000) + &"]".repeat(100_000);
    assert_eq!(Cursor::new(text.as_bytes()).skip(), Some(Span { start: 0, end: text.len() }));
}

proptest! {
    #[test]
    fn a_skipped_value_ends_where_the_reader_says(text in written(value()), choices in proptest::collection::vec(any::<u8>(), 1..32)) {
        let whole = scan_value(text.as_bytes(), 64).unwrap();
        prop_assert_eq!(Cursor::new(text.as_bytes()).skip(), Some(whole.span));
        for span in walked(text.as_bytes(), &choices) {
            let alone = span.str(&text);
            prop_assert_eq!(scan_value(alone.as_bytes(), 64).map(|value| value.span.range().len()), Ok(alone.len()));
            let next = text[span.end..].chars().next();
            prop_assert!(matches!(next, None | Some(',' | '}' | ']' | ' ' | '\t' | '\n' | '\r')), "{:?}", next);
        }
    }

    #[test]
    fn text_that_is_not_valid_ends_the_walk(text in damaged(written(value())), soup in soup(), bytes in proptest::collection::vec(any::<u8>(), 0..80), choices in proptest::collection::vec(any::<u8>(), 1..32)) {
        walked(&text, &choices);
        walked(&soup, &choices);
        walked(&bytes, &choices);
    }
}
