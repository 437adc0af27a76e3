//! The text in a result, for programs that need only the text; the media type of the pages of tools.

use crate::json::{Cursor, Kind};
use std::borrow::Cow;

/// The extension of pages of tools (MCP Apps).
pub const APP_EXTENSION: &str = "io.modelcontextprotocol/ui";
/// The media type of the page of a tool (MCP Apps).
pub const APP_MEDIA_TYPE: &str = "text/html;profile=mcp-app";

/// The text content of a tool result (`content`), a resource (`contents`) or a prompt (`messages`), blocks joined by line
/// feeds, as UTF-8; `None` if there is none. A single text without escapes is borrowed.
///
/// `result` is JSON that was checked before. It is gone through once.
pub fn text_of(result: &[u8]) -> Option<Cow<'_, [u8]>> {
    let mut cursor = Cursor::new(result);
    let mut text = None;
    if cursor.enter(Kind::Object) {
        while let Some(name) = cursor.member() {
            if name.is("content") {
                each(&mut cursor, |cursor| join(&mut text, block(cursor, Typed::Must)));
            } else if name.is("contents") {
                each(&mut cursor, |cursor| join(&mut text, block(cursor, Typed::May)));
            } else if name.is("messages") {
                each(&mut cursor, |cursor| join(&mut text, message(cursor)));
            } else {
                cursor.skip();
            }
        }
    }
    text
}

/// Adds a block to what was found so far.
fn join<'t>(text: &mut Option<Cow<'t, [u8]>>, block: Option<Cow<'t, [u8]>>) {
    let Some(block) = block else { return };
    match text {
        None => *text = Some(block),
        Some(text) => {
            let text = text.to_mut();
            // One byte more for a NUL.
            text.reserve(block.len() + 2);
            text.push(b'\n');
            text.extend_from_slice(&block);
        }
    }
}

/// Visits the elements of the array here; skips a value of another type.
fn each<'t>(cursor: &mut Cursor<'t>, mut element: impl FnMut(&mut Cursor<'t>)) {
    if !cursor.enter(Kind::Array) {
        cursor.skip();
        return;
    }
    while cursor.element() {
        element(cursor);
    }
}

/// Whether a block has to say that its type is `text`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Typed {
    Must,
    May,
}

/// The text of the block here; of two members of one name the last counts.
fn block<'t>(cursor: &mut Cursor<'t>, typed: Typed) -> Option<Cow<'t, [u8]>> {
    if !cursor.enter(Kind::Object) {
        cursor.skip();
        return None;
    }
    let mut is_text = typed == Typed::May;
    let mut text = None;
    while let Some(name) = cursor.member() {
        if name.is("text") {
            text = cursor.decoded();
        } else if typed == Typed::Must && name.is("type") {
            is_text = cursor.string().is_some_and(|kind| kind.is("text"));
        } else {
            cursor.skip();
        }
    }
    text.filter(|_| is_text)
}

/// The text of the prompt's message here.
fn message<'t>(cursor: &mut Cursor<'t>) -> Option<Cow<'t, [u8]>> {
    if !cursor.enter(Kind::Object) {
        cursor.skip();
        return None;
    }
    let mut text = None;
    while let Some(name) = cursor.member() {
        if name.is("content") {
            text = block(cursor, Typed::May);
        } else {
            cursor.skip();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::text_of;
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use std::borrow::Cow;

    fn text(result: &str) -> Option<String> {
        text_of(result.as_bytes()).map(|text| String::from_utf8(text.into_owned()).expect("UTF-8"))
    }

    #[test]
    fn text_blocks_are_joined_and_others_left_out() {
        let result = r#"{"content":[{"type":"text","text":"a\n"},{"type":"image","data":""},{"text":"b","type":"text"}]}"#;
        assert_eq!(text(result).as_deref(), Some("a\n\nb"));
    }

    #[test]
    fn resources_and_prompts_have_text_too() {
        assert_eq!(text(r#"{"contents":[{"uri":"x","text":"r"},{"blob":""}]}"#).as_deref(), Some("r"));
        assert_eq!(
            text(r#"{"messages":[{"role":"user","content":{"type":"text","text":"p"}}]}"#).as_deref(),
            Some("p")
        );
    }

    #[test]
    fn a_result_without_text_has_none() {
        for result in [
            r#"{"content":[]}"#,
            r#"{"tools":[{"text":"x"}]}"#,
            r#"{"content":[{"type":"text","text":7},{"type":"text"},{"text":"x"},["text"],null]}"#,
            r#"{"content":{"type":"text","text":"x"},"contents":"text","messages":[{"content":["x"]}]}"#,
            r#"["content"]"#,
            "7",
            "",
        ] {
            assert_eq!(text(result), None, "{result}");
        }
    }

    #[test]
    fn an_empty_text_is_a_text() {
        let result = r#"{"content":[{"type":"text","text":""},{"type":"text","text":""}]}"#;
        assert_eq!(text(result).as_deref(), Some("\n"));
    }

    #[test]
    fn names_and_types_may_be_written_with_escapes_and_the_last_one_counts() {
        let result =
            r#"{"c\u006fntent":[{"type":"image","text":"a","t\u0065xt":"b\u00e9","type":"t\u0065xt"}]}"#;
        assert_eq!(text(result).as_deref(), Some("b\u{e9}"));
    }

    #[test]
    fn one_text_without_escapes_is_borrowed() {
        let result = format!(r#"{{"content":[{{"type":"text","text":"{}"}}]}}"#, "x".repeat(100_000));
        assert!(matches!(text_of(result.as_bytes()), Some(Cow::Borrowed(text)) if text.len() == 100_000));
        let result = r#"{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#;
        assert!(matches!(text_of(result.as_bytes()), Some(Cow::Owned(_))));
    }

    #[test]
    fn damage_does_no_harm() {
        let result = r#"{"contents":[{"text":"a\n"}],"content":[{"type":"text","text":"b\u00e9"}],"messages":[{"content":{"text":"c"}}]}"#;
        for end in 0..result.len() {
            text_of(&result.as_bytes()[..end]);
            for byte in *b"\"\\{}[],:\0x\xff" {
                let mut damaged = result.as_bytes().to_vec();
                damaged[end] = byte;
                text_of(&damaged);
            }
        }
    }

    proptest! {
        #[test]
        fn the_text_is_what_a_tree_says(texts in proptest::collection::vec((any::<String>(), any::<bool>()), 0..5), extra in any::<String>()) {
            let blocks: Vec<Value> = texts
                .iter()
                .map(|(text, is_text)| json!({"annotations": {"text": [extra]}, "text": text, "type": if *is_text { "text" } else { "x" }}))
                .collect();
            let result = json!({"_meta": {"content": [extra]}, "content": blocks, "isError": false}).to_string();
            let expected: Vec<&str> = texts.iter().filter(|(_, is_text)| *is_text).map(|(text, _)| text.as_str()).collect();
            let expected = (!expected.is_empty()).then(|| expected.join("\n"));
            prop_assert_eq!(text(&result), expected);
        }
    }
}
