//! Strings: what they spell, and where they end, however long they are and whatever the processor has.

use crate::json::body::{Stretch, body, body_anywhere, far, far_anywhere};
use crate::json::string::{decode, decode_anywhere};
use crate::json::{Cursor, ErrorKind, ScanError, integer, quote, scan_value, string};
use proptest::prelude::*;
use proptest::sample::select;
use std::borrow::Cow;

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

/// What a body spells, byte for byte and without haste.
fn slowly(body: &[u8]) -> Option<Vec<u8>> {
    let hex = |at: usize| {
        let digits = std::str::from_utf8(body.get(at..at + 4)?).ok()?;
        digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
    };
    let mut spelled = Vec::new();
    let mut at = 0;
    while at < body.len() {
        let byte = body[at];
        if byte == b'"' || byte < 0x20 {
            return None;
        }
        at += 1;
        if byte != b'\\' {
            spelled.push(byte);
            continue;
        }
        let letter = *body.get(at)?;
        at += 1;
        if letter == b'u' {
            let first = hex(at)?;
            at += 4;
            let mut code = first;
            if (0xd800..0xdc00).contains(&first)
                && body.get(at..at + 2) == Some(b"\\u")
                && let Some(second @ 0xdc00..0xe000) = hex(at + 2)
            {
                code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                at += 6;
            }
            let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
            spelled.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        } else {
            let known = b"\"\\/bfnrt".iter().position(|known| *known == letter)?;
            spelled.push(b"\"\\/\x08\x0c\n\r\t"[known]);
        }
    }
    Some(spelled)
}

#[test]
fn wherever_an_escape_stands_it_is_decoded_as_one_would_by_hand() {
    let escapes = [
        r"\n",
        r#"\""#,
        r"\\",
        r"\\\",
        r"\u00e9",
        r"\ud83d\ude00",
        r"\ud83d",
        r"\ud83d\n",
        r"\ud83d\u0041",
        r"\ud83d\u12",
        r"\udc00\ud83d\ude00",
        r"\x",
        r"\u12g4",
        r"\u12",
        r"\",
        "\n",
        "\t",
        "é",
    ];
    for escape in escapes {
        for lead in 0..200 {
            for tail in [0, 1, 2, 15, 31, 32, 33, 62, 63, 64, 65, 70] {
                let body = format!("{}{escape}{}", "ab".repeat(lead).split_off(lead), "c".repeat(tail));
                let found = string(&format!("\"{body}\"")).map(|text| text.into_owned().into_bytes());
                assert_eq!(found, slowly(body.as_bytes()), "{lead} bytes, {escape:?}, {tail} bytes");
            }
        }
    }
}

#[test]
fn what_is_found_wrong_late_leaves_nothing_behind() {
    for fault in [r"\x", "\n", r"\u12", r"\"] {
        let text = format!("\"{}{fault}\"", r"ab\n".repeat(400));
        let mut cursor = Cursor::new(text.as_bytes());
        assert_eq!(cursor.decoded(), None, "{fault:?}");
        assert!(!cursor.element() && cursor.member().is_none() && cursor.kind().is_none(), "{fault:?}");
        let mut out = b"before".to_vec();
        if let Some(raw) = Cursor::new(text.as_bytes()).string() {
            raw.decode_into(&mut out);
            assert_eq!(out, b"before", "{fault:?}");
        }
    }
}

/// The place and kind of what ends a string body, found byte by byte.
fn slow_end(text: &[u8], start: usize) -> Result<usize, (usize, &'static str)> {
    let mut at = start;
    loop {
        match text.get(at) {
            None => return Err((at, "unfinished string")),
            Some(b'"') => return Ok(at + 1),
            Some(0..=0x1f) => return Err((at, "control character in a string")),
            Some(b'\\') => {
                let digits = match text.get(at + 1) {
                    None => return Err((at + 1, "unfinished string")),
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 0,
                    Some(b'u') => 4,
                    Some(_) => return Err((at + 1, "unknown escape in a string")),
                };
                at += 2;
                for _ in 0..digits {
                    match text.get(at) {
                        None => return Err((at, "unfinished string")),
                        Some(digit) if digit.is_ascii_hexdigit() => at += 1,
                        Some(_) => return Err((at, "expected four hexadecimal digits after '\\u'")),
                    }
                }
            }
            Some(_) => at += 1,
        }
    }
}

/// Checks the string with which `text` begins, and nothing after it.
fn check(text: &[u8]) {
    let expected = slow_end(text, 1);
    let found = scan_value(text, 8).map(|value| value.span.end);
    match (&expected, &found) {
        (Ok(end), Ok(found)) => assert_eq!(end, found),
        (Ok(end), Err(error)) if error.kind == ErrorKind::Trailing => {
            assert!(text[*end..error.offset].iter().all(u8::is_ascii_whitespace));
        }
        (Err((offset, what)), Err(error)) => {
            assert_eq!(
                *error,
                ScanError { kind: ErrorKind::Syntax(what), offset: *offset },
                "{}",
                text.escape_ascii()
            );
        }
        _ => panic!("{expected:?}, {found:?}: {}", text.escape_ascii()),
    }
}

#[test]
fn a_stop_is_seen_at_every_place_of_a_plain_string() {
    for length in 0..300 {
        for stop in ["\"", "\\", "\n", "\0", "\\n\"", "\\u00e9\"", "\\x", "\u{1f}", "\\\\\"", ""] {
            check(format!("\"{}{stop}", "a".repeat(length)).as_bytes());
            check(
                format!("\"{}{stop}bcdefgh{}\"", "a".repeat(length), "i".repeat(70))
                    .replace("\"b", "\"")
                    .as_bytes(),
            );
        }
    }
}

#[test]
fn a_stop_is_seen_at_every_place_of_a_string_of_escapes() {
    for length in 0..400 {
        for stop in ["\"", "\\", "\n", "\\u00e9\"", "\\u00g", "\\x", "\\\\\"", "\\\"", "\\u00", ""] {
            check(format!("\"{}{}{stop}", "a\\n".repeat(67), "b".repeat(length)).as_bytes());
            check(format!("\"{}{stop}", "a\\\"b".repeat(length)).as_bytes());
        }
    }
}

#[test]
fn runs_of_backslashes_of_every_length_are_paired_at_every_place() {
    for before in 100..180 {
        for run in 0..20 {
            for after in ["n", "\"", "x", "u00e9"] {
                let text = format!(
                    "\"{}{}{}{after}{}\"",
                    "\\n".repeat(40),
                    "a".repeat(before),
                    "\\".repeat(run),
                    "\\tz".repeat(50)
                );
                check(text.as_bytes());
            }
        }
    }
    for run in 0..300 {
        check(format!("\"{}\"", "\\".repeat(run)).as_bytes());
    }
}

#[test]
fn utf8_is_checked_in_strings_of_every_make() {
    for (before, after) in [("", ""), ("\\n", ""), ("", "\\n"), ("\\u00e9", "ä"), ("ä", "\\\\")] {
        for length in [0, 1, 7, 8, 63, 64, 65, 200, 5000] {
            let text = |middle: &[u8]| {
                let start = format!("\"{}{before}", "ab\\t".repeat(length / 4) + &"x".repeat(length % 4));
                let end = format!("{after}{}\"", "y".repeat(length));
                [start.as_bytes(), middle, end.as_bytes()].concat()
            };
            assert!(scan_value(&text("é".as_bytes()), 8).is_ok());
            let wrong = text(b"\xe9");
            let offset = std::str::from_utf8(&wrong).unwrap_err().valid_up_to();
            assert_eq!(scan_value(&wrong, 8), Err(ScanError { kind: ErrorKind::Utf8, offset }));
        }
    }
}

/// Pieces that string bodies, good and bad ones, are made of.
fn pieces() -> impl Strategy<Value = Vec<String>> {
    let escapes = select(vec!["\\n", "\\\"", "\\\\", "\\/", "\\t", "\\u0041", "\\ud83d\\ude00"]);
    let piece = prop_oneof![
        30 => "[ -!#-\\[\\]-~]{1,30}",
        5 => "[a-z ]{60,200}",
        30 => escapes.prop_map(str::to_owned),
        5 => (1..12usize).prop_map(|pairs| "\\\\".repeat(pairs)),
        5 => "[äß文😀]{1,20}",
    ];
    proptest::collection::vec(piece, 0..150)
}

proptest! {
    #[test]
    fn a_string_ends_where_it_ends(pieces in pieces(), flaw in select(vec!["", "", "\"", "\\", "\\x", "\\u12z", "\n"]), at in any::<prop::sample::Index>()) {
        let mut pieces = pieces;
        let at = at.index(pieces.len() + 1);
        pieces.insert(at, flaw.to_owned());
        check(format!("\"{}\"", pieces.concat()).as_bytes());
        check(format!("\"{}", pieces.concat()).as_bytes());
    }

    #[test]
    fn a_long_string_is_decoded_as_serde_json_does(pieces in pieces()) {
        let value = format!("\"{}\"", pieces.concat());
        prop_assert_eq!(string(&value).unwrap(), serde_json::from_str::<String>(&value).unwrap());
    }
}

/// A string of these pieces, as JSON and as what it spells.
fn spelled(pieces: &[&'static str]) -> (String, String) {
    let json = format!("\"{}\"", pieces.concat());
    let text = serde_json::from_str(&json).unwrap();
    (json, text)
}

proptest! {
    /// Escapes fall on every place of a chunk, across two of them, and where the block of what is spelled is full.
    #[test]
    fn decoding_is_what_a_slow_reader_says(
        before in 0..200usize,
        pieces in proptest::collection::vec(select(vec![
            "a", "12345678", "plain text that is a little longer", "\\n", "\\\"", "\\\\", "\\u00e9", "\\ud83d\\ude00", "é", "\\/",
        ]), 0..300),
    ) {
        let mut all = vec!["x"; before];
        all.extend(pieces);
        let (json, text) = spelled(&all);
        let decoded = string(&json);
        prop_assert_eq!(decoded.as_deref(), Some(text.as_str()));
        let array = format!("[{json},7]");
        let mut cursor = crate::json::Cursor::new(array.as_bytes());
        prop_assert!(cursor.enter(crate::json::Kind::Array) && cursor.element());
        let decoded = cursor.decoded();
        prop_assert_eq!(decoded.as_deref(), Some(text.as_bytes()));
        prop_assert!(cursor.element(), "the cursor is behind the string");
    }
}

proptest! {
    /// The plain loops and those for this processor, whichever it is, see the same.
    #[test]
    fn every_processor_reads_the_same(
        text in prop::collection::vec(
            prop::sample::select(vec!["a", "abcdefghijklmnopqrstuvwxyz", "\\n", "\\\\", "\\u00e9", "\\ud83d\\ude00", "é", "\"", "\n", "\\x"]),
            0..60,
        ),
        lead in 0..70usize,
    ) {
        let text = format!("{}{}\"", "x".repeat(lead), text.concat());
        let text = text.as_bytes();
        let start = Stretch { end: 0, ascii: true };
        let (one, other) = (far(text, start), far_anywhere(text, start));
        prop_assert_eq!((one.end, one.ascii), (other.end, other.ascii));
        match (body(text, one), body_anywhere(text, other)) {
            (Ok(one), Ok(other)) => {
                prop_assert_eq!((one.end, one.escaped, one.ascii), (other.end, other.escaped, other.ascii));
            }
            (Err(one), Err(other)) => prop_assert_eq!((one.at, one.what), (other.at, other.what)),
            _ => prop_assert!(false, "they do not agree"),
        }
        let (mut spelled, mut other) = (Vec::new(), Vec::new());
        prop_assert_eq!(decode(text, 0, &mut spelled), decode_anywhere(text, 0, &mut other));
        prop_assert_eq!(spelled, other);
    }
}
