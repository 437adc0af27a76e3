//! The scan of a text: its grammar, and the members that are wanted.

use crate::json::{
    ErrorKind, Kind, MAX_DEPTH, ScanError, Span, Value, Wanted, WantedBelow, scan_object, scan_object_below,
    scan_value,
};

const WANTED: &[Wanted] = &[
    Wanted { name: "id", inner: &[] },
    Wanted { name: "params", inner: &["_meta", "name"] },
    Wanted { name: "result", inner: &[] },
];
const ID: usize = 0;
const PARAMS: usize = 1;
const META: usize = 2;
const NAME: usize = 3;
const RESULT: usize = 4;
const SLOTS: usize = 5;

fn scan(text: &str) -> Result<[Option<Value>; SLOTS], ScanError> {
    let mut found = [None; SLOTS];
    scan_object(text.as_bytes(), WANTED, 16, &mut found)?;
    Ok(found)
}

fn found(text: &str) -> [Option<&str>; SLOTS] {
    scan(text).unwrap().map(|value| value.map(|value| value.span.str(text)))
}

fn error(text: &str) -> ScanError {
    scan(text).unwrap_err()
}

#[test]
fn wanted_members_are_found_in_any_order_with_others_between() {
    let text = r#" { "x" : [1, {"id": 9}], "result" : true , "y":null, "id" : "seven" } "#;
    assert_eq!(found(text), [Some("\"seven\""), None, None, None, Some("true")]);
}

#[test]
fn names_inside_a_wanted_member_are_found_one_level_down_only() {
    let text = r#"{"_meta":1,"params":{"a":{"name":2},"name":"n","_meta":{"_meta":3}},"name":4}"#;
    assert_eq!(
        found(text),
        [
            None,
            Some(r#"{"a":{"name":2},"name":"n","_meta":{"_meta":3}}"#),
            Some(r#"{"_meta":3}"#),
            Some("\"n\""),
            None
        ]
    );
}

#[test]
fn a_wanted_member_that_is_not_an_object_has_nothing_inside() {
    assert_eq!(found(r#"{"params":[{"name":1}]}"#), [None, Some(r#"[{"name":1}]"#), None, None, None]);
    assert_eq!(found(r#"{"params":{}}"#), [None, Some("{}"), None, None, None]);
}

#[test]
fn kinds_and_places_are_recorded() {
    let text = r#"{"id":-1,"params":{"name":[],"_meta":false},"result":null}"#;
    let found = scan(text).unwrap();
    assert_eq!(found[ID], Some(Value { span: Span { start: 6, end: 8 }, kind: Kind::Number }));
    assert_eq!(found[PARAMS].map(|value| value.kind), Some(Kind::Object));
    assert_eq!(found[NAME].map(|value| value.kind), Some(Kind::Array));
    assert_eq!(found[META].map(|value| value.kind), Some(Kind::False));
    assert_eq!(found[RESULT].map(|value| value.kind), Some(Kind::Null));
}

#[test]
fn names_are_compared_unescaped() {
    let text = r#"{"\u0069d":1,"p\u0061rams":{"\u006eam\u0065":2,"na\me":3}}"#;
    assert!(scan(text).is_err(), "\\m is no escape");
    let text = r#"{"\u0069d":1,"p\u0061rams":{"\u006eam\u0065":2}}"#;
    assert_eq!(found(text)[ID], Some("1"));
    assert_eq!(found(text)[NAME], Some("2"));
    assert_eq!(found(r#"{"i\u0064\u0000":1,"\"id":2,"ID":3,"i":4,"idd":5}"#)[ID], None);
}

#[test]
fn a_wanted_member_that_occurs_twice_is_an_error_whichever_way_it_is_escaped() {
    let duplicate = |offset| ScanError { kind: ErrorKind::Duplicate("id"), offset };
    assert_eq!(error(r#"{"id":1,"id":1}"#), duplicate(8));
    assert_eq!(error(r#"{"id":null, "\u0069d":2}"#), duplicate(12));
    assert_eq!(duplicate(8).to_string(), "invalid JSON at byte 8: the member 'id' occurs twice");
}

#[test]
fn of_an_inner_member_that_occurs_twice_the_last_counts() {
    assert_eq!(found(r#"{"params":{"name":1,"name":2}}"#)[NAME], Some("2"));
}

#[test]
fn members_of_one_inner_member_are_found_and_it_is_said_whether_each_is_there_once() {
    let below = |text: &str| {
        let mut places = [Span { start: 0, end: 3 }; 2];
        let mut below =
            WantedBelow { of: META, names: &["a", "größe"], found: &mut places, is_single: true };
        let mut found = [None; SLOTS];
        scan_object_below(text.as_bytes(), WANTED, 4, &mut found, &mut below)?;
        let is_single = below.is_single;
        Ok::<_, ScanError>((is_single, places.map(|place| place.str(text).to_owned())))
    };
    for (text, is_single, a, size) in [
        (
            r#"{"params":{"_meta":{"x":{"a":0},"gr\u00f6\u00dfe":[1],"a":2},"name":{"a":3}}}"#,
            true,
            "2",
            "[1]",
        ),
        (r#"{"params":{"_meta":{}},"a":1}"#, true, "", ""),
        // Of what stands there twice the last one counts, and of a member that stands in it twice, too.
        (r#"{"params":{"_meta":{"a":1,"\u0061":2}}}"#, false, "2", ""),
        (r#"{"params":{"_meta":{"a":1,"a":2},"_meta":{"größe":3}}}"#, true, "", "3"),
        (r#"{"params":{"_meta":{"a":1},"_meta":null}}"#, false, "", ""),
        (r#"{"params":{"_meta":[{"a":1}]}}"#, false, "", ""),
        (r#"{"_meta":{"a":1},"result":{"_meta":{"a":1}}}"#, false, "", ""),
    ] {
        assert_eq!(below(text), Ok((is_single, [a.to_owned(), size.to_owned()])), "{text}");
    }
    // It counts as deep as it is, and is checked as what is not wanted.
    assert!(below(r#"{"params":{"_meta":{"a":[]}}}"#).is_ok());
    let too_deep = below(r#"{"params":{"_meta":{"a":[[]]}}}"#).unwrap_err();
    assert_eq!(too_deep, ScanError { kind: ErrorKind::Depth(4), offset: 25 });
    for text in
        [r#"{"params":{"_meta":{"a":01}}}"#, r#"{"params":{"_meta":{"a" 1}}}"#, r#"{"params":{"_meta":{"#]
    {
        assert!(below(text).is_err(), "{text}");
    }
}

#[test]
fn other_members_may_occur_twice() {
    assert_eq!(found(r#"{"x":1,"x":2,"id":3}"#)[ID], Some("3"));
}

#[test]
fn members_that_are_not_wanted_are_checked() {
    for text in
        [r#"{"x":01}"#, r#"{"x":[1,]}"#, r#"{"x":{"y":tru}}"#, r#"{"x":"\q"}"#, r#"{"params":{"x":+1}}"#]
    {
        assert!(scan(text).is_err(), "{text}");
    }
}

#[test]
fn slots_are_reset_first() {
    let mut found = [Some(Value { span: Span { start: 0, end: 0 }, kind: Kind::Null }); SLOTS];
    scan_object(b"{}", WANTED, 16, &mut found).unwrap();
    assert_eq!(found, [None; SLOTS]);
}

#[test]
fn slots_that_are_missing_do_no_harm() {
    let text = br#"{"id":1,"params":{"_meta":1,"name":2},"result":3}"#;
    for slots in 0..SLOTS {
        let mut found = vec![None; slots];
        scan_object(text, WANTED, 16, &mut found).unwrap();
        assert!(found.iter().all(Option::is_some));
    }
}

#[test]
fn a_valid_text_that_is_no_object_is_named_for_what_it_is() {
    for (text, kind) in [
        ("[{}]", Kind::Array),
        (" \"x\"", Kind::String),
        ("7", Kind::Number),
        ("null", Kind::Null),
        ("true", Kind::True),
        ("false", Kind::False),
    ] {
        assert_eq!(error(text).kind, ErrorKind::NotAnObject(kind), "{text}");
    }
    assert_eq!(error("[1]").to_string(), "invalid JSON at byte 0: expected an object, found an array");
    assert!(matches!(error("[1,").kind, ErrorKind::Syntax(_)));
    assert_eq!(error("7 {}").kind, ErrorKind::Trailing);
}

#[test]
fn nothing_at_all_and_too_much_are_errors() {
    assert_eq!(error("").kind, ErrorKind::Empty);
    assert_eq!(error("  ").kind, ErrorKind::Empty);
    assert_eq!(error("{} {}"), ScanError { kind: ErrorKind::Trailing, offset: 3 });
}

#[test]
fn depth_counts_from_the_outermost_object() {
    let mut found = [None; SLOTS];
    for (text, depth) in
        [("{}", 1), (r#"{"params":{}}"#, 2), (r#"{"params":{"name":[]}}"#, 3), (r#"{"x":[[]]}"#, 3)]
    {
        assert!(scan_object(text.as_bytes(), WANTED, depth, &mut found).is_ok(), "{text}");
        let error = scan_object(text.as_bytes(), WANTED, depth - 1, &mut found).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Depth(depth - 1), "{text}");
    }
}

#[test]
fn any_value_is_given_without_the_white_space_around_it() {
    let value = scan_value(b" \n[1, 2]\t", 16).unwrap();
    assert_eq!(value, Value { span: Span { start: 2, end: 8 }, kind: Kind::Array });
}

#[test]
fn spans_slice_safely() {
    let span = Span { start: 1, end: 3 };
    assert_eq!((span.of(b"abcd"), span.str("abcd"), span.range()), (b"bc".as_slice(), "bc", 1..3));
    assert_eq!((span.of(b"ab"), span.str("ab"), span.str("aä")), (b"".as_slice(), "", "ä"));
    let backwards = Span { start: 3, end: 1 };
    assert!(backwards.of(b"abcd").is_empty() && backwards.str("abcd").is_empty());
}

fn fault(text: &str) -> String {
    scan_value(text.as_bytes(), 8).map_or_else(|error| error.to_string(), |value| format!("valid: {value:?}"))
}

fn is_valid(text: &str) -> bool {
    scan_value(text.as_bytes(), MAX_DEPTH).is_ok()
}

#[test]
fn every_kind_of_value_is_valid_alone() {
    for text in ["null", "true", "false", "0", "\"\"", "[]", "{}", " \t\r\n 1 \t\r\n "] {
        assert!(is_valid(text), "{text}");
    }
}

#[test]
fn numbers_have_the_form_of_the_grammar() {
    for text in
        ["0", "-0", "10", "-1.5", "0.0", "1e3", "1E+3", "1.25e-7", "1e999", "123456789012345678901234567890"]
    {
        assert!(is_valid(text), "{text}");
    }
    for text in [
        "01",
        "-",
        "-a",
        "+1",
        ".5",
        "1.",
        "1.e3",
        "1e",
        "1e+",
        "--1",
        "0x10",
        "1_000",
        "NaN",
        "Infinity",
        "-Infinity",
    ] {
        assert!(!is_valid(text), "{text}");
    }
}

#[test]
fn literals_are_written_out_in_lower_case() {
    for text in ["nul", "nulll", "True", "FALSE", "tru e", "fals", "undefined", "n", "t", "f"] {
        assert!(!is_valid(text), "{text}");
    }
}

#[test]
fn commas_and_colons_are_where_they_belong() {
    for text in ["[1,2]", "[ 1 , 2 ]", "{\"a\":1,\"b\":2}", "{ \"a\" : [ ] , \"b\" : { } }", "[[],{},[[]]]"] {
        assert!(is_valid(text), "{text}");
    }
    for text in [
        "[1,]",
        "[,1]",
        "[,]",
        "[1 2]",
        "[1,,2]",
        "[1",
        "]",
        "[1}",
        "{\"a\":1]",
        "{\"a\":1,}",
        "{,}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\" 1}",
        "{\"a\"::1}",
        "{a:1}",
        "{'a':1}",
        "{1:1}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1,,\"b\":2}",
        "[1]]",
        "{}{}",
        "[:]",
        "{\"a\":1,2}",
        "[\"a\":1]",
    ] {
        assert!(!is_valid(text), "{text}");
    }
}

#[test]
fn comments_and_other_white_space_are_not_json() {
    for text in ["// x\n1", "/* x */1", "\u{feff}1", "\u{a0}1", "1\u{b}", "\u{c}1", "1\0"] {
        assert!(!is_valid(text), "{text:?}");
    }
}

#[test]
fn strings_have_the_escapes_of_the_grammar_and_no_raw_control_characters() {
    for text in
        [r#""\"\\\/\b\f\n\r\t""#, r#""\u0041\uD83D\uDE00\u00e9\uabCD""#, "\"\u{7f}\u{80}\u{2028}\u{10ffff}\""]
    {
        assert!(is_valid(text), "{text}");
    }
    for text in [
        r#""\a""#,
        r#""\'""#,
        r#""\u12""#,
        r#""\u123g""#,
        r#""\U0041""#,
        r#""\"#,
        r#"""#,
        r#""\""#,
        r#""a"b""#,
        "\"\\\n\"",
    ] {
        assert!(!is_valid(text), "{text}");
    }
    for control in 0..0x20u8 {
        assert!(!is_valid(&format!("\"a{}b\"", char::from(control))), "{control:#x}");
    }
}

#[test]
fn a_lone_surrogate_is_allowed_as_the_grammar_allows_it() {
    assert!(is_valid(r#"["\ud800", "\udc00", "\ud800x", "\ud800\u0041"]"#));
}

#[test]
fn strings_must_be_utf8_and_the_first_wrong_byte_is_named() {
    let long = [b"\"".as_slice(), "ä".repeat(500).as_bytes(), b"\xc3\"", b" "].concat();
    for (text, offset) in [
        (b"\"\xff\"".as_slice(), 1),
        (b"\"ab\xc3\"", 3),
        (b"[\"\xed\xa0\x80\"]", 2),
        (b"\"\xc0\x80\"", 1),
        (b"\"\xf4\x90\x80\x80\"", 1),
        (b"{\"\xe4\":1}", 2),
        (b"\"\\n\xe2\x82\"", 3),
        (&long, 1001),
    ] {
        assert_eq!(
            scan_value(text, 8),
            Err(ScanError { kind: ErrorKind::Utf8, offset }),
            "{}",
            text.escape_ascii()
        );
    }
}

#[test]
fn bytes_beyond_ascii_are_a_syntax_error_outside_of_strings() {
    assert_eq!(fault("[ä]"), "invalid JSON at byte 1: expected a value");
}

#[test]
fn errors_say_where_and_what_was_expected() {
    for (text, message) in [
        ("", "0: there is no value"),
        (" \n", "2: there is no value"),
        ("Server started", "0: expected a value"),
        ("1 2", "2: something follows the value"),
        ("{\"jsonrpc\" \"2.0\"}", "11: expected ':' after a member name"),
        ("{\"a\":1 \"b\"", "7: expected ',' or '}' after a member"),
        ("{\"a\":1,}", "7: expected a member name after ','"),
        ("{x", "1: expected a member name or '}'"),
        ("[1;", "2: expected ',' or ']' after an element"),
        ("[1,]", "3: expected a value"),
        ("[trux]", "4: expected 'true', 'false' or 'null'"),
        ("[-x]", "2: expected a digit"),
        ("[1.]", "3: expected a digit"),
        ("[1", "2: the text ends too early"),
        ("{\"a\":", "5: the text ends too early"),
        ("\"abc", "4: unfinished string"),
        ("\"a\tb\"", "2: control character in a string"),
        ("\"a\\xb\"", "3: unknown escape in a string"),
        ("\"\\u00g0\"", "5: expected four hexadecimal digits after '\\u'"),
        ("[[[[[[[[[]]]]]]]]]", "8: nested deeper than 8 levels"),
    ] {
        assert_eq!(fault(text), format!("invalid JSON at byte {message}"), "{text}");
    }
}

/// A value of that many levels, each opened and closed as told, in turns.
fn nested(levels: usize, kinds: &[(&str, &str)]) -> String {
    let level = |index: usize| kinds[index % kinds.len()];
    let open: String = (0..levels).map(|index| level(index).0).collect();
    let close: String = (0..levels).rev().map(|index| level(index).1).collect();
    format!("{open}0{close}")
}

#[test]
fn nesting_is_valid_up_to_the_bound_and_not_one_deeper() {
    let (array, object) = (("[", "]"), ("{\"a\":", "}"));
    for depth in [1, 2, 63, 64, 65, 127, 128, MAX_DEPTH] {
        for kinds in [&[array][..], &[object], &[array, object], &[object, object, array]] {
            assert!(scan_value(nested(depth, kinds).as_bytes(), depth).is_ok(), "{depth} {kinds:?}");
            let error = scan_value(nested(depth + 1, kinds).as_bytes(), depth).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Depth(depth), "{depth} {kinds:?}");
            let crossed = nested(depth, kinds).replace(['}', ']'], if kinds[0] == array { "}" } else { "]" });
            assert!(scan_value(crossed.as_bytes(), depth).is_err(), "{depth} {kinds:?}");
        }
    }
}

#[test]
fn a_higher_depth_than_the_highest_counts_as_the_highest() {
    let text = "[".repeat(MAX_DEPTH + 1);
    let error = scan_value(text.as_bytes(), usize::MAX).unwrap_err();
    assert_eq!(error, ScanError { kind: ErrorKind::Depth(MAX_DEPTH), offset: MAX_DEPTH });
}

#[test]
fn deep_text_needs_no_stack() {
    let run = || scan_value(nested(MAX_DEPTH, &[("[", "]"), ("{\"a\":", "}")]).as_bytes(), MAX_DEPTH).is_ok();
    let thread = std::thread::Builder::new().stack_size(64 * 1024).spawn(run).unwrap();
    assert!(thread.join().unwrap());
}

#[test]
fn siblings_do_not_add_to_the_depth() {
    assert!(scan_value(b"[[],[],{},{\"a\":[]},[[]]]", 3).is_ok());
    assert!(scan_value(b"[[],[],{},{\"a\":[[]]}]", 3).is_err());
}

#[test]
fn a_depth_of_zero_allows_scalars_only() {
    assert!(scan_value(b"\"x\"", 0).is_ok());
    assert_eq!(scan_value(b"[]", 0).unwrap_err().kind, ErrorKind::Depth(0));
}
