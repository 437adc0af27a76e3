//! Members, elements, counts, kinds and pointers.

use super::super::error::PointerError;
use super::super::{Kind, count, elements, kind, member, members, pick, picks, pointer};

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
    #[cfg(feature = "server")]
    for (object, found) in [
        (r#"{"c":0,"b":[1]}"#, Some([None, Some("[1]")])),
        (r#"{"c":0,"c":1,"a":2}"#, Some([Some("2"), None])),
        (r#"{"a":0,"\u0061":1}"#, None),
        ("[]", None),
    ] {
        assert_eq!(super::super::pick_single(object, ["a", "b"]), found, "{object}");
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
