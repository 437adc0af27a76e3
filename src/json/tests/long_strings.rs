//! The fast ways through a string against a slow one, at every place where one way takes over from another.

use proptest::prelude::*;
use proptest::sample::select;

use super::super::{ErrorKind, ScanError, scan_value, string};

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
