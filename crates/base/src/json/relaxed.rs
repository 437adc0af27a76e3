//! JSON as people write it into files: with comments, commas too many and a byte order mark.

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The text of a file: UTF-8, or UTF-16 behind a byte order mark, as PowerShell writes what is sent into a file.
///
/// # Errors
/// What it is not.
pub fn decoded(bytes: Vec<u8>) -> Result<String, &'static str> {
    let unit: fn([u8; 2]) -> u16 = match bytes.as_slice() {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text"),
    };
    let (units, rest) = bytes[2..].as_chunks::<2>();
    let text = char::decode_utf16(units.iter().copied().map(unit)).collect::<Result<_, _>>();
    text.ok().filter(|_| rest.is_empty()).ok_or("its byte order mark says UTF-16, and it is not that")
}

/// The text without these: each is replaced by as many spaces, so that every place stays where it was. Nothing in a string changes.
pub fn plain(text: String) -> String {
    let text = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    if !text.contains("//") && !text.contains("/*") && !text.contains(',') {
        return text;
    }
    let mut bytes = text.into_bytes();
    // A comma with nothing but white space and comments behind it so far.
    let mut comma = None;
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'"', _) => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                comma = None;
            }
            (b'/', Some(b'/')) => {
                let end = bytes[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
                at = blank(&mut bytes, at, end.map_or(usize::MAX, |end| at + end));
                continue;
            }
            (b'/', Some(b'*')) => {
                let end = bytes[at + 2..].windows(2).position(|two| two == b"*/");
                at = blank(&mut bytes, at, end.map_or(usize::MAX, |end| at + end + 4));
                continue;
            }
            (b',', _) => comma = Some(at),
            (b'}' | b']', _) => {
                if let Some(comma) = comma.take() {
                    bytes[comma] = b' ';
                }
            }
            (byte, _) if byte.is_ascii_whitespace() => {}
            _ => comma = None,
        }
        at += 1;
    }
    // Only whole characters were replaced, by ASCII.
    String::from_utf8(bytes).unwrap_or_default()
}

/// Replaces what is between two places but line breaks. Gives the second one.
fn blank(bytes: &mut [u8], from: usize, to: usize) -> usize {
    let to = to.min(bytes.len());
    bytes[from..to].iter_mut().filter(|byte| !matches!(**byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    to
}

#[cfg(test)]
mod tests {
    use super::{decoded, plain};
    use serde_json::{Value, json};

    #[test]
    fn what_people_write_becomes_json_and_strings_stay() {
        let read = |text: &str| serde_json::from_str::<Value>(&plain(text.to_owned())).ok();
        let wanted = Some(json!({"a": [1, "x // y /* z */ ,]"], "b\"": {}}));
        for text in [
            r#"{"a":[1,"x // y /* z */ ,]"],"b\"":{}}"#,
            "\u{feff}{ // é\n \"a\": [1, \"x // y /* z */ ,]\", /* , */ ], \"b\\\"\": {/**/},\r\n // end\n}//",
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
        for broken in ["{\"a\":1,,}", "[,]x", "{\"a\" 1}", "[1 2]", "/*", "\"", "{\"a\":/ 1}"] {
            assert_eq!(read(broken), None, "{broken}");
        }
        let wide = |mark: &str, unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
            format!("{mark}{{\"é\": \"🌊\"}}").encode_utf16().flat_map(unit).collect()
        };
        for (bytes, text) in [
            ("{}".as_bytes().to_vec(), Some("{}")),
            (wide("\u{feff}", u16::to_le_bytes), Some("{\"é\": \"🌊\"}")),
            (wide("\u{feff}", u16::to_be_bytes), Some("{\"é\": \"🌊\"}")),
            (vec![0xff, 0xfe], Some("")),
            (vec![0xff, 0xfe, b'{'], None),
            (vec![0xff, 0xfe, 0x00, 0xd8], None),
            (vec![0xff, b'{'], None),
        ] {
            assert_eq!(decoded(bytes.clone()).ok().as_deref(), text, "{bytes:?}");
        }
        let text = "[1, /* é */ 2,]";
        assert_eq!(plain(text.to_owned()).len(), text.len(), "places stay");
    }
}
