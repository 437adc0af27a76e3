//! Which texts are JSON, and what is said about those that are not.

use super::super::{ErrorKind, MAX_DEPTH, ScanError, scan_value};

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
