//! Texts of the next revision: what a server does for each, and that it does nothing without it.

use super::{Outcome, Stage, code, settings};
use crate::protocol::draft::{Drafts, digest};
use serde_json::{Value, json};

const DIGEST: &str = "io.modelcontextprotocol/digest";
const EXPECTED: &str = "io.modelcontextprotocol/expectedDigest";
const CONTENT: &str = "io.modelcontextprotocol/contentDigest";
const LANGUAGE: &str = "io.modelcontextprotocol/contentLanguage";
const ACCEPT: &str = "io.modelcontextprotocol/acceptLanguage";
const TOOL_RESULT: &str = r#"{"content":[{"type":"text","text":"1"}]}"#;

/// The method that lists, the member that has the entries, and the call of one of them.
const LISTS: [(&str, &str); 4] = [
    ("tools/list", "tools"),
    ("prompts/list", "prompts"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resourceTemplates"),
];

fn with(draft: Drafts) -> Stage {
    let mut settings = settings();
    settings.draft = draft;
    settings.languages = vec!["en".into(), "fr".into()];
    Stage::new(settings)
}

/// Asks with more members in `_meta`.
#[expect(clippy::needless_pass_by_value, reason = "callers make the values in place")]
fn ask(stage: &mut Stage, method: &str, params: Value, metadata: Value) -> Vec<Value> {
    let session = stage.server.open(false).expect("a session");
    let mut params = Stage::modern(params, &json!({ "elicitation": {} }));
    params["_meta"].as_object_mut().expect("one").extend(metadata.as_object().expect("one").clone());
    stage.ask(session, &json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }))
}

/// What the list of a method says of each entry, by its name or address.
fn digests(stage: &mut Stage, method: &str, member: &str) -> Vec<(String, String)> {
    let answer = ask(stage, method, json!({}), json!({}));
    let entries = answer[0]["result"][member].as_array().expect("a list").clone();
    assert!(!entries.is_empty());
    let name = |entry: &Value| {
        ["uri", "uriTemplate", "name"].iter().find_map(|key| entry[key].as_str()).expect("a name").to_owned()
    };
    entries.iter().map(|it| (name(it), it["_meta"][DIGEST].as_str().unwrap_or_default().to_owned())).collect()
}

fn digest_of(stage: &mut Stage, method: &str, member: &str, name: &str) -> String {
    digests(stage, method, member).into_iter().find(|(it, _)| it == name).expect("an entry").1
}

#[test]
fn without_a_name_in_the_settings_nothing_is_said_and_nothing_is_asked_for() {
    let mut stage = Stage::new(settings());
    for (method, member) in LISTS {
        assert!(digests(&mut stage, method, member).iter().all(|(_, digest)| digest.is_empty()), "{method}");
    }
    let discovered = ask(&mut stage, "server/discover", json!({}), json!({ ACCEPT: "fr" }));
    assert_eq!(discovered[0]["result"]["capabilities"].get("primitiveDigests"), None);
    assert_eq!(discovered[0]["result"]["_meta"].get(LANGUAGE), None);
    let metadata = json!({ EXPECTED: "sha256:other", ACCEPT: "fr" });
    ask(&mut stage, "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }), metadata.clone());
    let run = stage.run();
    let (_, answer) = stage.respond(run.request, Outcome::Text("1"));
    let said = answer[0]["result"]["_meta"].as_object().expect("the server's name");
    assert_eq!(said.keys().collect::<Vec<_>>(), ["io.modelcontextprotocol/serverInfo"]);
    let read = ask(&mut stage, "resources/read", json!({ "uri": "x://fixed" }), metadata);
    assert_eq!(read[0]["result"]["_meta"].as_object().expect("one").len(), 1, "{read:?}");
}

#[test]
fn each_entry_of_each_list_has_the_digest_of_its_definition_on_every_page() {
    let mut stage = with(Drafts::DIGEST);
    let discovered = ask(&mut stage, "server/discover", json!({}), json!({}));
    assert_eq!(discovered[0]["result"]["capabilities"]["primitiveDigests"], json!({}));
    let mut all = Vec::new();
    for (method, member) in LISTS {
        let of_list = digests(&mut stage, method, member);
        assert!(
            of_list.iter().all(|(_, digest)| digest.starts_with("sha256:") && digest.len() == 71),
            "{of_list:?}"
        );
        all.extend(of_list);
    }
    // `printf '{"arguments":[{"name":"who","required":true}],"name":"p"}' | sha256sum`
    let known = digest::of_text(r#"{"arguments":[{"name":"who","required":true}],"name":"p"}"#);
    assert!(all.contains(&("p".to_owned(), known)), "{all:?}");
    // Another process, with other pages and one more tool.
    let mut settings = settings();
    (settings.draft, settings.page_size) = (Drafts::DIGEST, 1);
    let mut other = Stage::new(settings);
    other
        .server
        .add_tool(other.now, r#"{"name":"more","inputSchema":{"type":"object"}}"#, "more")
        .expect("a tool");
    let first = digests(&mut other, "tools/list", "tools");
    assert_eq!(first.len(), 1);
    assert!(all.contains(&first[0]));
    // Clients of the legacy era are told nothing of it.
    let session = stage.legacy("2025-11-25", &json!({}));
    let listed = stage.ask_legacy(session, json!(9), "tools/list", json!({}));
    assert_eq!(listed[0]["result"]["tools"][0].get("_meta"), None);
}

#[test]
fn a_definition_without_a_canonical_text_has_no_digest() {
    let mut stage = with(Drafts::DIGEST);
    let odd = r#"{"name":"odd","inputSchema":{"type":"object","properties":{"a":{},"a":{}}}}"#;
    stage.server.settings.check_definitions = false;
    stage.server.add_tool(stage.now, odd, "odd").expect("a tool");
    assert_eq!(digest_of(&mut stage, "tools/list", "tools", "odd"), "");
    let refused = ask(
        &mut stage,
        "tools/call",
        json!({ "name": "odd", "arguments": {} }),
        json!({ EXPECTED: "sha256:0" }),
    );
    assert_eq!((code(&refused), &refused[0]["error"]["data"]), (-32005, &json!({})));
}

#[test]
fn a_call_that_expects_what_there_is_runs_and_its_result_says_what_there_is() {
    let mut stage = with(Drafts::DIGEST);
    let calls = [
        (
            "tools/call",
            json!({ "name": "add", "arguments": { "a": 1 } }),
            ("tools/list", "tools", "add"),
            TOOL_RESULT,
        ),
        (
            "prompts/get",
            json!({ "name": "p", "arguments": { "who": "a" } }),
            ("prompts/list", "prompts", "p"),
            r#"{"messages":[]}"#,
        ),
        (
            "resources/read",
            json!({ "uri": "x://handled" }),
            ("resources/list", "resources", "x://handled"),
            r#"{"contents":[{"uri":"x://handled","text":"t"}]}"#,
        ),
        (
            "resources/read",
            json!({ "uri": "y://1" }),
            ("resources/templates/list", "resourceTemplates", "y://{id}"),
            r#"{"contents":[{"uri":"y://1","text":"t"}]}"#,
        ),
    ];
    for (method, params, (list, member, name), result) in calls {
        let known = digest_of(&mut stage, list, member, name);
        for metadata in [json!({}), json!({ EXPECTED: known }), json!({ EXPECTED: null })] {
            assert_eq!(ask(&mut stage, method, params.clone(), metadata), Vec::<Value>::new(), "{method}");
            let run = stage.run();
            let (_, answer) = stage.respond(run.request, Outcome::Result(result));
            let said = &answer[0]["result"]["_meta"];
            assert_eq!(said[DIGEST], json!(known), "{method}");
            assert_eq!(said[CONTENT].is_string(), method == "resources/read", "{said}");
        }
        // Not even the arguments are looked at, and no handler runs.
        for (expected, wanted) in [(json!("sha256:0"), -32005), (json!("v1"), -32005), (json!(7), -32602)] {
            let mut wrong = params.clone();
            wrong["arguments"] = json!(7);
            let refused = ask(&mut stage, method, wrong, json!({ EXPECTED: expected }));
            assert_eq!(code(&refused), wanted, "{method}");
            assert!(wanted != -32005 || refused[0]["error"]["data"] == json!({ DIGEST: known }));
            assert!(stage.runs.is_empty());
        }
    }
    // A resource that does not change is answered without a handler.
    let known = digest_of(&mut stage, "resources/list", "resources", "x://fixed");
    let read = ask(&mut stage, "resources/read", json!({ "uri": "x://fixed" }), json!({ EXPECTED: known }));
    assert_eq!(read[0]["result"]["_meta"][DIGEST], json!(known));
    let refused = ask(&mut stage, "resources/read", json!({ "uri": "x://fixed" }), json!({ EXPECTED: "x" }));
    assert_eq!(code(&refused), -32005);
    // The digest of another entry is not that of this one, and what is not there is told as ever.
    let other = digest_of(&mut stage, "tools/list", "tools", "typed");
    let call = json!({ "name": "add", "arguments": { "a": 1 } });
    assert_eq!(code(&ask(&mut stage, "tools/call", call, json!({ EXPECTED: other }))), -32005);
    assert_eq!(
        code(&ask(&mut stage, "tools/call", json!({ "name": "none" }), json!({ EXPECTED: "x" }))),
        -32602
    );
}

#[test]
fn the_digest_of_contents_is_that_of_the_contents_unless_the_handler_gives_one() {
    let mut stage = with(Drafts::DIGEST);
    let mut content = |result: &str| {
        ask(&mut stage, "resources/read", json!({ "uri": "x://handled" }), json!({}));
        let run = stage.run();
        let (_, answer) = stage.respond(run.request, Outcome::Result(result));
        answer[0]["result"]["_meta"][CONTENT].clone()
    };
    let one = content(r#"{"contents":[{"uri":"x://handled","text":"a"}]}"#);
    assert_eq!(
        one,
        content(r#"{ "contents": [ { "text": "\u0061", "uri": "x://handled" } ], "_meta": {"x":1} }"#)
    );
    assert_ne!(one, content(r#"{"contents":[{"uri":"x://handled","text":"b"}]}"#));
    let own = format!(r#"{{"contents":[{{"uri":"x://handled","text":"b"}}],"_meta":{{"{CONTENT}":"v9"}}}}"#);
    assert_eq!(content(&own), "v9");
}

#[test]
fn an_error_for_too_many_requests_is_sent_if_it_says_when_to_come_again() {
    let wait = r#"{"retryAfterMs":50}"#;
    for (draft, given, data, sent) in [
        (Drafts::ERRORS, -32023, Some(wait), -32023),
        (Drafts::ERRORS, -32023, None, -32603),
        (Drafts::ERRORS, 7, None, 7),
        (Drafts::default(), -32023, Some(wait), -32603),
    ] {
        let mut stage = with(draft);
        let call = json!({ "name": "add", "arguments": { "a": 1 } });
        assert!(ask(&mut stage, "tools/call", call, json!({})).is_empty());
        let request = stage.run().request;
        let answer = stage.respond(request, Outcome::Error { code: given, message: "later", data }).1;
        assert_eq!(code(&answer), sent, "{given} with {data:?}");
        assert_eq!(answer[0]["error"]["data"]["retryAfterMs"] == 50, sent == -32023);
    }
}

#[test]
fn a_tool_is_called_only_by_clients_that_can_what_it_needs() {
    let deploy = r#"{"name":"deploy","inputSchema":{"type":"object"},"_meta":{"io.modelcontextprotocol/requiredCapabilities":{"elicitation":{},"sampling":{"tools":{}}}}}"#;
    for (draft, runs) in [(Drafts::default(), true), (Drafts::REQUIRED_CAPABILITIES, false)] {
        let mut stage = with(draft);
        stage.server.add_tool(stage.now, deploy, "deploy").expect("a tool");
        // The client declares elicitation.
        let answer = ask(&mut stage, "tools/call", json!({ "name": "deploy" }), json!({}));
        assert_eq!(stage.runs.len(), usize::from(runs));
        if !runs {
            assert_eq!(code(&answer), -32021);
            assert_eq!(
                answer[0]["error"]["data"]["requiredCapabilities"],
                json!({ "sampling": { "tools": {} } })
            );
        }
    }
    let mut stage = with(Drafts::REQUIRED_CAPABILITIES);
    stage.server.add_tool(stage.now, deploy, "deploy").expect("a tool");
    let can = json!({ "io.modelcontextprotocol/clientCapabilities": { "elicitation": {}, "sampling": { "tools": {} } } });
    ask(&mut stage, "tools/call", json!({ "name": "deploy" }), can);
    assert_eq!(stage.run().handler, "deploy");
    let wrong = deploy
        .replace("deploy", "wrong")
        .replace(r#"{"elicitation":{},"sampling":{"tools":{}}}"#, "[\"sampling\"]");
    stage.server.add_tool(stage.now, &wrong, "wrong").expect("a tool");
    stage.sent();
    assert!(stage.records.iter().any(|it| it.contains("'wrong' is [\"sampling\"] and must be an object")));
    ask(&mut stage, "tools/call", json!({ "name": "wrong" }), json!({}));
    assert_eq!(stage.run().handler, "wrong");
}

#[test]
fn an_answer_says_its_language_and_no_request_keeps_that_of_another() {
    let mut stage = with(Drafts::LANGUAGE);
    for (preference, language) in [
        (json!("fr-CA,fr;q=0.9,en;q=0.5"), "fr"),
        (json!("ja"), "en"),
        (json!("fr"), "fr"),
        (json!(null), "en"),
        (json!("fr;q=2"), "en"),
        (json!(7), "en"),
    ] {
        let metadata = json!({ ACCEPT: preference, "progressToken": "p" });
        ask(&mut stage, "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }), metadata);
        let run = stage.run();
        let described = stage.server.describe_request(run.request, stage.now.at).expect("it waits");
        assert_eq!(serde_json::from_str::<Value>(&described).expect("JSON")["language"], language);
        assert!(stage.server.progress(stage.now, run.request, 1.0, None, Some("…")));
        assert_eq!(stage.sent()[0]["params"]["_meta"][LANGUAGE], language, "{preference}");
        assert!(stage.server.progress(stage.now, run.request, 2.0, None, None));
        assert_eq!(stage.sent()[0]["params"].get("_meta"), None, "there is no text in it");
        let (_, answer) = stage.respond(run.request, Outcome::Text("1"));
        assert_eq!(answer[0]["result"]["_meta"][LANGUAGE], language, "{preference}");
    }
    // A handler knows better, and lists are written once.
    ask(&mut stage, "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }), json!({ ACCEPT: "fr" }));
    let run = stage.run();
    let result = TOOL_RESULT.replace("\"content\"", &format!(r#""_meta":{{"{LANGUAGE}":"ga"}},"content""#));
    let (_, answer) = stage.respond(run.request, Outcome::Result(&result));
    assert_eq!(answer[0]["result"]["_meta"][LANGUAGE], "ga");
    for method in ["tools/list", "server/discover"] {
        let answer = ask(&mut stage, method, json!({}), json!({ ACCEPT: "fr" }));
        assert_eq!(answer[0]["result"]["_meta"][LANGUAGE], "en", "{method}");
    }
    // A question to the user is in the user's language, too.
    ask(&mut stage, "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }), json!({ ACCEPT: "fr" }));
    let run = stage.run();
    stage.server.ask(run.request, "q", "elicitation/create", super::QUESTION);
    stage.server.returned(stage.now, run.request);
    let answer = stage.sent();
    let asked = answer.first().unwrap_or(&Value::Null);
    assert_eq!(asked["result"]["resultType"], "input_required", "{answer:?}");
    assert_eq!(asked["result"]["_meta"][LANGUAGE], "fr", "{answer:?}");
}
