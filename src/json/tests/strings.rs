//! Decoding and quoting strings, and integers.

use std::borrow::Cow;

use super::super::{integer, quote, string};

#[test]
fn a_string_without_escapes_is_borrowed() {
    for (value, spelled) in [("\"\"", ""), ("\"abc\"", "abc"), (" \"größe 😀\"\n", "größe 😀")] {
        assert!(matches!(string(value), Some(Cow::Borrowed(text)) if text == spelled), "{value}");
    }
}

#[test]
fn every_escape_is_decoded() {
    assert_eq!(string(r#""\"\\\/\b\f\n\r\t""#).unwrap(), "\"\\/\u{8}\u{c}\n\r\t");
    assert_eq!(string(r#""\u0041\u00e9\u6587\uFFFF\u0000""#).unwrap(), "Aé文\u{ffff}\0");
    assert_eq!(string(r#""a\\nb\\\"c \\""#).unwrap(), "a\\nb\\\"c \\");
}

#[test]
fn a_pair_of_surrogates_is_one_character() {
    assert_eq!(string(r#""\ud83d\uDE00!""#).unwrap(), "😀!");
    assert_eq!(string(r#""\ud800\udc00\udbff\udfff""#).unwrap(), "\u{10000}\u{10ffff}");
}

#[test]
fn a_lone_surrogate_becomes_the_replacement_character() {
    for (value, spelled) in [
        (r#""\ud800""#, "\u{fffd}"),
        (r#""\udc00x""#, "\u{fffd}x"),
        (r#""\ud800x""#, "\u{fffd}x"),
        (r#""\ud800\n""#, "\u{fffd}\n"),
        (r#""\ud800\u0041""#, "\u{fffd}A"),
        (r#""\ud800\ud83d\ude00""#, "\u{fffd}😀"),
        (r#""\udc00\ud800""#, "\u{fffd}\u{fffd}"),
    ] {
        assert_eq!(string(value).unwrap(), spelled, "{value}");
    }
}

#[test]
fn what_is_not_a_string_is_not_decoded() {
    for value in [
        "",
        "\"",
        "abc",
        "\"abc",
        "abc\"",
        "1",
        "\"a\"b\"",
        r#""\"#,
        r#""\""#,
        r#""\x""#,
        r#""\u12""#,
        r#""\u+123""#,
        "\"a\nb\"",
        r#""\uäa""#,
    ] {
        assert_eq!(string(value), None, "{value}");
    }
}

#[test]
fn quoting_escapes_what_must_be_and_nothing_else() {
    assert_eq!(quote(""), r#""""#);
    assert_eq!(quote("a/b 😀 \u{7f}\u{2028}"), "\"a/b 😀 \u{7f}\u{2028}\"");
    assert_eq!(quote("\"\\\u{8}\u{c}\n\r\t\0\u{1f}"), r#""\"\\\b\f\n\r\t\u0000\u001f""#);
}

#[test]
fn integers_are_exact_or_nothing() {
    for (value, number) in [
        ("0", 0),
        ("-0", 0),
        ("7", 7),
        (" -3 ", -3),
        ("9223372036854775807", i64::MAX),
        ("-9223372036854775808", i64::MIN),
    ] {
        assert_eq!(integer(value), Some(number), "{value}");
    }
    for value in
        ["", "-", "1.0", "1e3", "01", "-01", "+1", "1_0", "9223372036854775808", "\"1\"", "null", "1 2", "١"]
    {
        assert_eq!(integer(value), None, "{value}");
    }
}
