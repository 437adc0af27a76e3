//! Decoding and quoting strings, and integers.

use std::borrow::Cow;

use super::super::{Cursor, integer, quote, string};

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
