//! Answers that are one block of text: the same bytes as the result that says so.

use super::stage::{Stage, settings};
use crate::engine::server::{Effect, Outcome, Responded};
use serde_json::json;

/// The frames that answer a call of `tool`, as they are written.
fn answers(
    stage: &mut Stage,
    is_modern: bool,
    tool: &str,
    outcome: Outcome<'_>,
) -> (Responded, Vec<Vec<u8>>) {
    let session = stage.legacy("2025-11-25", &json!({}));
    let params = json!({ "name": tool, "arguments": { "a": 1 } });
    let frames = if is_modern {
        stage.ask_modern(session, json!("x"), "tools/call", params)
    } else {
        stage.ask_legacy(session, json!("x"), "tools/call", params)
    };
    assert!(frames.is_empty(), "{frames:?}");
    let run = stage.run();
    let responded = stage.server.respond(stage.now, run.request, outcome);
    let mut frames = Vec::new();
    while let Some(effect) = stage.server.effect() {
        if let Effect::Send { frame, .. } = effect {
            frames.push(frame);
        }
    }
    (responded, frames)
}

#[test]
fn a_text_is_written_like_the_result_that_says_it() {
    for name_in_results in [true, false] {
        let mut settings = settings();
        settings.name_in_results = name_in_results;
        let mut stage = Stage::new(settings);
        for text in
            ["", "plain", "a \"quoted\" \\ text\nof\ttwo\r\nlines\u{1}", "日本\u{2028}", &"x".repeat(70_000)]
        {
            let result = json!({ "content": [{ "type": "text", "text": text }] });
            // In the order in which the members stand in the text.
            let block = json!(text).to_string();
            let written = format!("{{\"content\":[{{\"type\":\"text\",\"text\":{block}}}]}}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&written).expect("JSON"), result);
            for is_modern in [false, true] {
                let as_text = answers(&mut stage, is_modern, "add", Outcome::Text(text));
                let as_result = answers(&mut stage, is_modern, "add", Outcome::Result(&written));
                assert_eq!((as_text.0.clone(), as_text.1.len()), (Responded::Sent, 1));
                let shown = String::from_utf8_lossy(&as_text.1[0]).into_owned();
                assert_eq!(as_text, as_result, "{shown}");
            }
        }
    }
}

#[cfg(feature = "schema")]
#[test]
fn a_text_is_not_what_a_tool_with_an_output_schema_promises() {
    let mut stage = Stage::new(settings());
    for is_modern in [false, true] {
        let (responded, frames) = answers(&mut stage, is_modern, "typed", Outcome::Text("seven"));
        assert!(matches!(responded, Responded::Wrong(_)), "{responded:?}");
        assert!(String::from_utf8_lossy(&frames[0]).contains("-32603"), "{frames:?}");
    }
}

#[test]
fn a_text_is_not_what_a_prompt_promises() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let params = json!({ "name": "p", "arguments": { "who": "anna" } });
    assert!(stage.ask_legacy(session, json!(1), "prompts/get", params).is_empty());
    let run = stage.run();
    let (responded, frames) = stage.respond(run.request, Outcome::Text("hello"));
    assert!(matches!(responded, Responded::Wrong(_)), "{responded:?}");
    assert_eq!(frames[0]["error"]["code"], -32603);
}
