//! Values that are looked up in valid text, and walked over.

use crate::json::error::PointerError;
use crate::json::tests::arbitrary::{damaged, soup, value, written};
use crate::json::{
    Cursor, Kind, Span, count, elements, kind, member, members, pick, picks, pointer, scan_value,
};
use proptest::prelude::*;

#[test]
fn members_come_in_order_with_raw_names() {
    let object = r#" { "a" : 1 , "b\n":[2, {"c":3}],"a":"x" , "":{} } "#;
    let all: Vec<_> = members(object).collect();
    assert_eq!(all, [("a", "1"), ("b\\n", "[2, {\"c\":3}]"), ("a", "\"x\""), ("", "{}")]);
}

#[test]
fn elements_come_in_order() {
    let all: Vec<_> = elements(" [ 1 , [2,3],\"]\", {\"a\":[]} ] ").collect();
    assert_eq!(all, ["1", "[2,3]", "\"]\"", "{\"a\":[]}"]);
}

#[test]
fn there_is_nothing_in_what_is_empty_or_something_else() {
    for value in ["{}", " { } ", "[1]", "\"a\"", "1", "null", ""] {
        assert_eq!(members(value).count(), 0, "{value}");
    }
    for value in ["[]", "[ \n]", "{\"a\":1}", "\"a\"", "1", "null", ""] {
        assert_eq!(elements(value).count(), 0, "{value}");
    }
}

#[test]
fn invalid_text_ends_early() {
    assert_eq!(members("{\"a\":1,\"b\":oops,\"c\":3}").collect::<Vec<_>>(), [("a", "1")]);
    assert_eq!(members("{\"a\":1,\"b").collect::<Vec<_>>(), [("a", "1")]);
    assert_eq!(elements("[1,2 3]").collect::<Vec<_>>(), ["1", "2"]);
    let mut walk = elements("[1,,2]");
    assert_eq!((walk.next(), walk.next(), walk.next()), (Some("1"), None, None));
}

#[test]
fn a_member_is_found_by_what_its_name_spells_and_the_last_one_wins() {
    let object = r#"{"a":1,"\u0061":2,"b":3,"gr\u00f6ße":4,"q\"":5,"":6}"#;
    assert_eq!(member(object, "a"), Some("2"));
    assert_eq!(member(object, "größe"), Some("4"));
    assert_eq!(member(object, "q\""), Some("5"));
    assert_eq!(member(object, ""), Some("6"));
    assert_eq!(member(object, "q\\\""), None);
    assert_eq!(member("[1]", "a"), None);
}

#[test]
fn the_kind_shows_at_the_first_byte() {
    for (value, expected) in [
        (" {}", Some(Kind::Object)),
        ("[", Some(Kind::Array)),
        ("\"x\"", Some(Kind::String)),
        ("-1", Some(Kind::Number)),
        ("0", Some(Kind::Number)),
        ("\n\t\r true", Some(Kind::True)),
        ("false", Some(Kind::False)),
        ("null", Some(Kind::Null)),
        ("", None),
        ("x", None),
        ("\u{a0}1", None),
    ] {
        assert_eq!(kind(value), expected, "{value}");
    }
}

#[test]
fn members_and_elements_are_counted_and_nothing_else() {
    assert_eq!(count("{\"a\":1,\"a\":[1,2,3]}"), Some(2));
    assert_eq!(count(" [1,[2,3],{}] "), Some(3));
    assert_eq!((count("{}"), count("[]")), (Some(0), Some(0)));
    assert_eq!((count("\"ab\""), count("12"), count("null"), count("")), (None, None, None, None));
}

#[test]
fn pointers_are_followed_as_in_section_5_of_the_rfc() {
    let value = r#"{"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8}"#;
    for (path, expected) in [
        ("/foo", "[\"bar\", \"baz\"]"),
        ("/foo/0", "\"bar\""),
        ("/", "0"),
        ("/a~1b", "1"),
        ("/c%d", "2"),
        ("/e^f", "3"),
        ("/g|h", "4"),
        ("/i\\j", "5"),
        ("/k\"l", "6"),
        ("/ ", "7"),
        ("/m~0n", "8"),
    ] {
        assert_eq!(pointer(value, path), Ok(Some(expected)), "{path}");
    }
    assert_eq!(pointer(" 1 ", ""), Ok(Some("1")));
    assert_eq!(pointer(r#"{"~1":1,"/":2}"#, "/~01"), Ok(Some("1")));
}

#[test]
fn a_pointer_to_nothing_is_not_an_error() {
    for path in
        ["/x", "/a/2", "/a/-", "/a/01", "/a/+1", "/a/", "/a/99999999999999999999999", "/a/0/x", "/b/0", "//a"]
    {
        assert_eq!(pointer(r#"{"a":[1,2],"b":"text"}"#, path), Ok(None), "{path}");
    }
}

#[test]
fn a_malformed_pointer_is_an_error_even_if_nothing_is_there() {
    assert_eq!(pointer("{}", "a"), Err(PointerError::NoSlash));
    assert_eq!(pointer("{}", "#/a"), Err(PointerError::NoSlash));
    assert_eq!(pointer("{}", "/x/a~2"), Err(PointerError::Tilde(4)));
    assert_eq!(pointer("{}", "/~"), Err(PointerError::Tilde(1)));
    assert_eq!(
        PointerError::Tilde(4).to_string(),
        "in a JSON Pointer '~' must be followed by '0' or '1' (byte 4)"
    );
}

#[test]
fn members_of_all_elements_are_picked_in_one_walk() {
    let array = r#"[{"a":1,"b":{"a":2}}, 7 ,[{"a":3}],{},{"b":4,"\u0061":5,"a":"]}"} ]"#;
    let found: Vec<_> = picks(array, ["a", "b"]).collect();
    let (one, two) = (Some([Some("1"), Some(r#"{"a":2}"#)]), Some([Some(r#""]}""#), Some("4")]));
    assert_eq!(found, [one, None, None, Some([None, None]), two]);
    assert_eq!(pick(r#" {"b":1,"a":2,"b":3}"#, ["a", "b", "c"]), [Some("2"), Some("3"), None]);
    assert_eq!((picks("{}", ["a"]).count(), picks("[", ["a"]).count(), pick("[]", ["a"])), (0, 0, [None]));
    assert!(picks("[{\"a\":[,7", ["a"]).count() < 3);
    for (object, found) in [
        (r#"{"c":0,"b":[1]}"#, Some([None, Some("[1]")])),
        (r#"{"c":0,"c":1,"a":2}"#, Some([Some("2"), None])),
        (r#"{"a":0,"\u0061":1}"#, None),
        ("[]", None),
    ] {
        assert_eq!(crate::json::pick_single(object, ["a", "b"]), found, "{object}");
    }
}

#[test]
fn the_end_of_a_large_value_is_found_whatever_stands_in_its_strings() {
    for filler in ["", "a", "]", "}\\\"", "\\\\", "{[", "\u{e4}", "\\u005d"] {
        for length in 0..200 {
            let text = "x".repeat(length) + filler + &"y".repeat(length % 67);
            let value = format!(r#"{{"{text}":[["{text}",{{"b":"{text}"}}],{{}},{length}]}}"#);
            for behind in ["", ",", "]}]}]}", "\"]\"", &value] {
                let array = format!("[{value} ,{value}{behind}");
                let first = elements(&array).next();
                assert_eq!(first, Some(value.as_str()));
                assert_eq!(elements(&array).nth(1).map(str::len), Some(value.len()));
            }
            // Without its end there is none.
            let cut = format!("[{}", &value[..value.len() - 1]);
            assert_eq!(elements(&cut).next(), None, "{cut}");
        }
    }
}

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
