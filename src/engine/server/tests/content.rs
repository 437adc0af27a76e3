//! Content blocks of tools and prompts, and the contents of resources.

use super::stage::{Stage, settings};
use crate::engine::server::{Outcome, Responded, SessionId};
use serde_json::{Value, json};

/// Lets a handler answer a request of `method`; what is wrong with the result, or an empty text.
fn answered(stage: &mut Stage, session: SessionId, method: &str, params: Value, result: &Value) -> String {
    stage.ask_legacy(session, json!(1), method, params);
    let request = stage.run().request;
    let (responded, frames) = stage.respond(request, Outcome::Result(&result.to_string()));
    match responded {
        Responded::Sent => {
            assert_eq!(frames[0]["result"], *result);
            String::new()
        }
        Responded::Wrong(what) => {
            assert_eq!(frames[0]["error"], json!({ "code": -32603, "message": "internal error" }));
            assert!(stage.records.last().is_some_and(|text| text.contains(&what)), "{:?}", stage.records);
            what
        }
        Responded::Late | Responded::Check(_) => panic!("it was under way, and is checked by the stage"),
    }
}

fn tool(stage: &mut Stage, session: SessionId, block: &Value) -> String {
    let params = json!({ "name": "add", "arguments": { "a": 1 } });
    let text = json!({ "type": "text", "text": "first" });
    answered(stage, session, "tools/call", params, &json!({ "content": [text, block] }))
}

fn prompt(stage: &mut Stage, session: SessionId, message: &Value) -> String {
    let params = json!({ "name": "p", "arguments": { "who": "x" } });
    answered(stage, session, "prompts/get", params, &json!({ "messages": [message] }))
}

fn wrong_blocks() -> [(Value, &'static str); 22] {
    let resource = |resource: Value| json!({ "type": "resource", "resource": resource });
    [
        (json!(7), "object"),
        (json!({ "text": "t" }), "'type'"),
        (json!({ "type": "video", "data": "", "mimeType": "a/b" }), "'video'"),
        (json!({ "type": "tool_use", "id": "1", "name": "n", "input": {} }), "'tool_use'"),
        (json!({ "type": "text" }), "'text'"),
        (json!({ "type": "text", "text": 7 }), "'text'"),
        (json!({ "type": "image", "mimeType": "image/png" }), "'data'"),
        (json!({ "type": "image", "data": "AAA", "mimeType": "image/png" }), "multiple of 4"),
        (json!({ "type": "image", "data": "A=AA", "mimeType": "image/png" }), "character at 1"),
        (json!({ "type": "image", "data": "====", "mimeType": "image/png" }), "character at 0"),
        (json!({ "type": "image", "data": "AA_-", "mimeType": "image/png" }), "character at 2"),
        (json!({ "type": "image", "data": "AAAA" }), "'mimeType'"),
        (json!({ "type": "audio", "data": "AAAA", "mimeType": "wav" }), "'mimeType' is 'wav'"),
        (json!({ "type": "audio", "data": "AAAA", "mimeType": "/wav" }), "'mimeType' is '/wav'"),
        (json!({ "type": "resource_link", "uri": "x://a" }), "'name'"),
        (json!({ "type": "resource_link", "uri": "no scheme", "name": "n" }), "no scheme"),
        (json!({ "type": "resource" }), "'resource'"),
        (resource(json!({ "text": "t" })), "'uri'"),
        (resource(json!({ "uri": "x://a" })), "'blob'"),
        (resource(json!({ "uri": "x://a", "text": "t", "blob": "" })), "not both"),
        (resource(json!({ "uri": "x://a", "blob": "!" })), "base64"),
        (resource(json!({ "uri": "x://a", "text": "t", "mimeType": 7 })), "'mimeType'"),
    ]
}

#[test]
fn a_block_has_what_its_type_needs() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    for block in [
        json!({ "type": "text", "text": "", "annotations": { "priority": 1 }, "_meta": {} }),
        json!({ "type": "image", "data": "", "mimeType": "image/png" }),
        json!({ "type": "image", "data": "AAAA", "mimeType": "image/svg+xml" }),
        json!({ "type": "audio", "data": "+/8=", "mimeType": "audio/ogg; codecs=opus" }),
        json!({ "type": "resource_link", "uri": "x:a", "name": "n", "icons": [] }),
        json!({ "type": "resource", "resource": { "uri": "x://a", "text": "" } }),
        json!({ "type": "resource", "resource": { "uri": "x://a", "blob": "AA==", "mimeType": "a/b" } }),
    ] {
        assert_eq!(tool(&mut stage, session, &block), "", "{block}");
        assert_eq!(prompt(&mut stage, session, &json!({ "role": "user", "content": block })), "", "{block}");
    }
    for (block, names) in wrong_blocks() {
        let what = tool(&mut stage, session, &block);
        assert!(what.contains(names) && what.contains("'content' at 1"), "{block}: {what}");
        let what = prompt(&mut stage, session, &json!({ "role": "assistant", "content": block }));
        assert!(what.contains(names) && what.contains("'messages' at 0"), "{block}: {what}");
    }
    let text = json!({ "type": "text", "text": "t" });
    for (message, names) in [
        (json!({ "content": text }), "'role'"),
        (json!({ "role": "system", "content": text }), "'role'"),
        (json!({ "role": "user" }), "object"),
        (json!({ "role": "user", "content": [text] }), "object"),
    ] {
        let what = prompt(&mut stage, session, &message);
        assert!(what.contains(names), "{message}: {what}");
    }
}

#[test]
fn a_block_is_sent_to_revisions_that_have_it() {
    let mut stage = Stage::new(settings());
    let link = json!({ "type": "resource_link", "uri": "x://a", "name": "n" });
    let audio = json!({ "type": "audio", "data": "AAAA", "mimeType": "audio/wav" });
    for (revision, has_audio, has_links) in [
        ("2024-11-05", false, false),
        ("2025-03-26", true, false),
        ("2025-06-18", true, true),
        ("2025-11-25", true, true),
    ] {
        let session = stage.legacy(revision, &json!({}));
        for (block, has) in [(&audio, has_audio), (&link, has_links)] {
            let what = tool(&mut stage, session, block);
            assert_eq!(what.is_empty(), has, "{revision} {block}: {what}");
            assert!(has || what.contains(revision), "{what}");
        }
    }
}

#[test]
fn each_content_of_a_resource_is_checked() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let read = |stage: &mut Stage, contents: Value| {
        let params = json!({ "uri": "x://handled" });
        answered(stage, session, "resources/read", params, &json!({ "contents": contents }))
    };
    let good = json!({ "uri": "x://handled", "text": "t" });
    assert_eq!(read(&mut stage, json!([good, { "uri": "x://other", "blob": "AA==" }])), "");
    for (wrong, names) in [
        (json!({ "text": "t" }), "'uri'"),
        (json!({ "uri": "handled", "text": "t" }), "no scheme"),
        (json!({ "uri": "x://handled" }), "'text' or a 'blob'"),
        (json!({ "uri": "x://handled", "blob": "A" }), "base64"),
        (json!("text"), "object"),
    ] {
        let what = read(&mut stage, json!([good, wrong]));
        assert!(what.contains(names) && what.contains("'contents' at 1"), "{wrong}: {what}");
    }
    for contents in [json!([]), json!({}), json!(null)] {
        assert!(read(&mut stage, contents).contains("not empty"));
    }
}

#[test]
fn content_goes_out_unchecked_if_the_application_says_so() {
    let mut settings = settings();
    settings.check_content = false;
    let mut stage = Stage::new(settings);
    stage.keeps_schema = false;
    let session = stage.legacy("2025-11-25", &json!({}));
    assert_eq!(tool(&mut stage, session, &json!({ "type": "video" })), "");
    assert_eq!(prompt(&mut stage, session, &json!({ "role": "system" })), "");
    let params = json!({ "uri": "x://handled" });
    let contents = json!({ "contents": [{ "uri": 7 }] });
    assert_eq!(answered(&mut stage, session, "resources/read", params, &contents), "");
}
