//! Eras: handshake, metadata, batches; clients that were reported (`clients.toml`, `definitions.toml`); what settings switch off.

use super::{Stage, code, settings};
use crate::engine::server::{AskOutcome, Effect, Outcome, Stream};
use crate::protocol::Revision;
use crate::testing::field::rows;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;

#[test]
fn each_legacy_revision_is_agreed_as_it_was_asked_for() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        Stage::new(settings()).legacy(revision, &json!({}));
    }
}

#[test]
fn another_revision_gets_the_newest_legacy_one() {
    for revision in ["1.0", "2099-01-01", "2026-07-28"] {
        let mut stage = Stage::new(settings());
        let session = stage.server.open(false).expect("a session");
        let params = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": {} });
        let answer = stage.ask_legacy(session, json!(1), "initialize", params);
        assert_eq!(answer[0]["result"]["protocolVersion"], "2025-11-25", "{revision}");
    }
}

#[test]
fn a_second_handshake_is_refused_and_changes_nothing() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-06-18", &json!({}));
    let params = json!({ "protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {} });
    assert_eq!(code(&stage.ask_legacy(session, json!(2), "initialize", params)), -32600);
    let tools = stage.ask_legacy(session, json!(3), "tools/list", json!({}));
    assert_eq!(tools[0]["result"]["tools"][0]["title"], "Add", "still 2025-06-18");
}

#[test]
fn a_handshake_of_the_wrong_shape_can_be_tried_again() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    for params in [
        json!({ "protocolVersion": 1, "capabilities": {}, "clientInfo": {} }),
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": "me" }),
        json!({ "protocolVersion": "2025-11-25", "capabilities": [1], "clientInfo": {} }),
    ] {
        assert_eq!(code(&stage.ask_legacy(session, json!(1), "initialize", params)), -32602);
    }
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} });
    assert!(stage.ask_legacy(session, json!(1), "initialize", params)[0]["result"].is_object());
}

#[test]
fn requests_of_both_eras_are_served_side_by_side() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2024-11-05", &json!({}));
    let old = stage.ask_legacy(session, json!(1), "tools/list", json!({}));
    assert_eq!(old[0]["result"]["tools"][0].get("title"), None);
    assert_eq!(old[0]["result"].get("resultType"), None);
    let new = stage.ask_modern(session, json!(2), "tools/list", json!({}));
    assert_eq!(new[0]["result"]["tools"][0]["title"], "Add");
    assert_eq!(new[0]["result"]["resultType"], "complete");
    assert_eq!(new[0]["result"]["ttlMs"], 0);
    assert_eq!(new[0]["result"]["cacheScope"], "private");
    assert_eq!(new[0]["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "stage");
}

#[test]
fn a_request_before_any_handshake_says_what_is_missing() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    assert_eq!(code(&stage.ask_legacy(session, json!(1), "tools/list", json!({}))), -32602);
    assert_eq!(stage.ask_legacy(session, json!(2), "ping", json!({}))[0]["result"], json!({}));
    let mut only_legacy = settings();
    only_legacy.revisions = Revision::ALL[..4].to_vec();
    let mut stage = Stage::new(only_legacy);
    let session = stage.server.open(false).expect("a session");
    assert_eq!(code(&stage.ask_legacy(session, json!(1), "tools/list", json!({}))), -32600);
    assert_eq!(code(&stage.ask_modern(session, json!(1), "server/discover", json!({}))), -32601);
}

#[test]
fn a_modern_request_must_say_who_sends_it() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let send = |stage: &mut Stage, meta: Value| {
        stage.ask_legacy(session, json!(1), "tools/list", json!({ "_meta": meta }))
    };
    let version = "io.modelcontextprotocol/protocolVersion";
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    assert_eq!(code(&send(&mut stage, json!({ version: "2026-07-28" }))), -32602);
    assert_eq!(code(&send(&mut stage, json!({ version: 7, capabilities: {} }))), -32602);
    assert_eq!(code(&send(&mut stage, json!({ version: "2026-07-28", capabilities: 7 }))), -32602);
    let unknown = send(&mut stage, json!({ version: "2099-01-01", capabilities: {} }));
    assert_eq!(code(&unknown), -32022);
    assert_eq!(
        unknown[0]["error"]["data"],
        json!({ "supported": ["2026-07-28"], "requested": "2099-01-01" })
    );
    let legacy_version = send(&mut stage, json!({ version: "2025-11-25", capabilities: {} }));
    assert_eq!(code(&legacy_version), -32022);
}

#[test]
fn what_the_modern_era_does_not_have_is_not_found() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "tasks/list",
        "x/y",
    ] {
        let answer =
            stage.ask_modern(session, json!(1), method, json!({ "uri": "x://fixed", "level": "info" }));
        assert_eq!(code(&answer), -32601, "{method}");
    }
}

#[test]
fn discovery_names_what_works() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let answer = stage.ask_modern(session, json!(0), "server/discover", json!({}));
    let result = &answer[0]["result"];
    assert_eq!(answer[0]["id"], 0);
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["ttlMs"], 0);
    assert_eq!(result["capabilities"]["resources"], json!({ "listChanged": true, "subscribe": true }));
    assert!(result["capabilities"]["completions"].is_object());
}

#[test]
fn batches_are_of_one_revision() {
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#;
    for (revision, answers) in [("2025-03-26", 2), ("2024-11-05", 1), ("2025-06-18", 1), ("2025-11-25", 1)] {
        let mut stage = Stage::new(settings());
        let session = stage.legacy(revision, &json!({}));
        let frames = stage.raw(session, batch);
        assert_eq!(frames.len(), answers, "{revision}");
        if answers == 1 {
            assert_eq!(code(&frames), -32600);
            assert_eq!(frames[0].get("id"), None);
        }
        assert_eq!(code(&stage.raw(session, "[]")), -32600);
    }
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {} });
    let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    assert_eq!(code(&stage.ask(session, &json!([initialize]))), -32600, "the handshake comes alone");
    stage.ask(session, &initialize);
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert!(stage.ask(session, &json!([initialized])).is_empty(), "nothing in it wants an answer");
}

#[test]
fn a_modern_request_in_a_batch_is_refused_and_the_rest_is_served() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-03-26", &json!({}));
    let modern = json!({ "jsonrpc": "2.0", "id": "m", "method": "tools/list",
                         "params": Stage::modern(json!({}), &json!({})) });
    let legacy = json!({ "jsonrpc": "2.0", "id": "l", "method": "tools/list" });
    let frames = stage.ask(session, &json!([modern, legacy]));
    assert_eq!(frames.len(), 2, "{frames:?}");
    assert_eq!(frames[0]["id"], "m");
    assert_eq!(frames[0]["error"]["code"], -32600, "2026-07-28 has one message per frame");
    assert_eq!(frames[1]["id"], "l");
    assert!(frames[1]["result"]["tools"].is_array());
    assert!(stage.ask(session, &modern)[0]["result"]["tools"].is_array(), "alone it is served");
}

#[test]
fn each_revision_is_told_what_it_knows() {
    let mut all = settings();
    let info = json!({ "name": "n", "version": "1", "title": "T", "description": "D", "icons": [],
                       "websiteUrl": "https://example.com" });
    all.info = info.to_string();
    all.instructions = Some("Use it.".to_owned());
    let newest = ["description", "icons", "websiteUrl"];
    for (revision, absent) in [
        ("2024-11-05", &["title", "description", "icons", "websiteUrl"][..]),
        ("2025-03-26", &["title", "description", "icons", "websiteUrl"]),
        ("2025-06-18", &newest),
        ("2025-11-25", &[]),
    ] {
        let mut stage = Stage::new(all.clone());
        let session = stage.server.open(false).expect("a session");
        let params = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": {} });
        let answer = stage.ask_legacy(session, json!(1), "initialize", params);
        let result = &answer[0]["result"];
        let mut wanted = info.clone();
        for member in absent {
            wanted.as_object_mut().expect("an object").remove(*member);
        }
        assert_eq!(result["serverInfo"], wanted, "{revision}");
        assert_eq!(result["instructions"], "Use it.");
        assert_eq!(result["capabilities"].get("completions").is_some(), revision != "2024-11-05");
        assert_eq!(result.get("resultType"), None);
    }
}

#[test]
fn a_request_before_the_confirmation_is_served_and_no_change_is_told() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} });
    stage.ask_legacy(session, json!(1), "initialize", params);
    let answer = stage.ask_legacy(session, json!(2), "tools/list", json!({}));
    assert!(answer[0]["result"]["tools"].is_array());
    let tool = r#"{"name":"new","inputSchema":{"type":"object"}}"#;
    stage.server.add_tool(stage.now, tool, "t").expect("a tool");
    assert!(stage.advance(Duration::from_secs(1)).is_empty());
}

#[test]
fn a_modern_server_names_its_versions_to_a_legacy_client() {
    let mut only_modern = settings();
    only_modern.revisions = Revision::ALL[4..].to_vec();
    let mut stage = Stage::new(only_modern);
    let session = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} });
    let answer = stage.ask_legacy(session, json!(1), "initialize", params);
    assert_eq!(code(&answer), -32022);
    assert_eq!(answer[0]["error"]["data"]["supported"], json!(["2026-07-28"]));
}

#[test]
fn a_request_before_the_handshake_is_told_what_comes_first() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let answer = stage.ask_legacy(session, json!(1), "tools/call", json!({ "name": "add" }));
    let text = answer[0]["error"]["message"].as_str().expect("a text");
    assert!(text.starts_with("'tools/call' came before 'initialize': send that first"), "{text}");
    assert!(text.contains("io.modelcontextprotocol/protocolVersion"), "{text}");
    assert_eq!(answer[0]["error"]["code"], -32602);
    // A request that names a version is of the other era.
    let params = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } });
    let answer = stage.ask_legacy(session, json!(2), "tools/list", params);
    assert!(!answer[0]["error"]["message"].as_str().expect("a text").contains("initialize"), "{answer:?}");
}

#[test]
fn capabilities_have_a_bound_in_each_era() {
    let mut stage = Stage::new(settings());
    let long = json!({ "experimental": { "x": "y".repeat(20_000) } });
    let session = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": &long, "clientInfo": {} });
    let refused = stage.ask_legacy(session, json!(1), "initialize", params);
    assert_eq!(code(&refused), -32602);
    assert!(
        refused[0]["error"]["message"].as_str().is_some_and(|text| text.contains("16384 are allowed")),
        "{refused:?}"
    );
    let params = json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": long,
    } });
    assert_eq!(code(&stage.ask_legacy(session, json!(2), "tools/list", params)), -32602);
    // What is null or false is not declared.
    let none = json!({ "protocolVersion": "2025-11-25", "capabilities": { "sampling": false, "roots": null }, "clientInfo": {} });
    let session = stage.server.open(false).expect("a session");
    stage.ask_legacy(session, json!(1), "initialize", none);
    stage.ask_legacy(session, json!(2), "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }));
    let run = stage.run();
    for (method, params) in
        [("roots/list", "{}"), ("sampling/createMessage", r#"{"messages":[],"maxTokens":1}"#)]
    {
        assert!(
            matches!(stage.server.ask(run.request, "q", method, params), AskOutcome::Unsupported(_)),
            "{method}"
        );
    }
}

#[test]
fn every_client_that_was_reported_is_served_or_refused_in_words() {
    for row in rows("clients.toml") {
        let name = row.name();
        let mut stage = Stage::new(settings());
        let session = match row.get("session") {
            Some("none") => stage.server.open(false).expect("a session"),
            _ => stage.legacy(row.get("session").unwrap_or("2025-11-25"), &json!({})),
        };
        let before = stage.server.counters().tolerated;
        let mut seen = String::new();
        for frame in row.all("frames") {
            for answer in stage.raw(session, &frame.replace("$MARK", "\u{feff}")) {
                seen.push_str(&answer.to_string());
                seen.push('\n');
            }
            for run in stage.runs.drain(..) {
                let _infallible = writeln!(seen, "runs {} {}", run.handler, &*run.params);
            }
        }
        if row.get("answers") == Some("none") {
            assert_eq!(seen, "", "{name}");
        }
        row.check(&seen);
        let tolerated = stage.server.counters().tolerated > before;
        assert_eq!(tolerated, row.get("counts").is_none_or(|counts| counts == "tolerated"), "{name}");
        let told = stage.records.iter().any(|record| record.contains("does not follow the specification"));
        assert_eq!(told, tolerated, "{name}: {:?}", stage.records);
        assert!(stage.server.has_session(session), "{name}: the session stays");
    }
}

#[test]
fn a_definition_that_is_passed_on_is_written_as_it_should_be() {
    for row in rows("definitions.toml") {
        let name = row.name();
        let mut settings = settings();
        settings.check_definitions = false;
        let mut stage = Stage::new(settings);
        let definition = row.get("definition").expect("a definition");
        let (list, added) = match row.get("kind") {
            None => ("tools/list", stage.server.add_tool(stage.now, definition, "tool")),
            Some("prompt") => ("prompts/list", stage.server.add_prompt(stage.now, definition, "prompt")),
            Some("resource") => {
                ("resources/list", stage.server.add_resource(stage.now, definition, "resource"))
            }
            Some(other) => panic!("{other}"),
        };
        added.unwrap_or_else(|invalid| panic!("{name}: {invalid}"));
        let session = stage.legacy("2025-11-25", &json!({}));
        let answer = stage.ask_legacy(session, json!(1), list, json!({}));
        row.check(&answer[0]["result"].to_string());
    }
}

#[test]
fn listening_can_be_switched_off() {
    let mut settings = settings();
    settings.offers_listen = false;
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let listen = stage.ask_modern(session, json!(1), "subscriptions/listen", json!({ "notifications": {} }));
    assert_eq!(code(&listen), -32601);
    let discovered = stage.ask_modern(session, json!(2), "server/discover", json!({}));
    let capabilities = &discovered[0]["result"]["capabilities"];
    for list in ["tools", "resources", "prompts"] {
        assert_eq!(capabilities[list], json!({}), "{list}");
    }
    // The legacy era has notifications of its own.
    let legacy = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    let answer = stage.ask_legacy(legacy, json!(1), "initialize", params);
    let capabilities = &answer[0]["result"]["capabilities"];
    assert_eq!(capabilities["resources"], json!({ "listChanged": true, "subscribe": true }));
    assert_eq!(capabilities["tools"], json!({ "listChanged": true }));
}

#[test]
fn results_name_the_server_unless_that_is_switched_off() {
    const INFO: &str = "io.modelcontextprotocol/serverInfo";
    for named in [true, false] {
        let mut settings = settings();
        settings.name_in_results = named;
        let mut stage = Stage::new(settings);
        let session = stage.server.open(false).expect("a session");
        let has_name = |frame: &Value| frame["result"]["_meta"].get(INFO).is_some();
        let listed = stage.ask_modern(session, json!(1), "tools/list", json!({}));
        assert_eq!(has_name(&listed[0]), named);
        stage.ask_modern(session, json!(2), "tools/call", json!({ "name": "typed" }));
        let request = stage.run().request;
        let (_, frames) = stage.respond(request, Outcome::Failure("no"));
        assert_eq!(has_name(&frames[0]), named);
        stage.ask_modern(session, json!(3), "subscriptions/listen", json!({ "notifications": {} }));
        stage.server.end_listens();
        let ended = stage.sent();
        assert_eq!((ended.len(), has_name(&ended[1])), (2, named));
        assert_eq!(ended[1]["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 3);
    }
}

#[test]
fn where_each_answer_has_its_own_stream_a_subscription_ends_with_its_result() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(true).expect("a session");
    let params = Stage::modern(json!({ "notifications": {} }), &json!({}));
    let listen = json!({ "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params });
    stage.server.frame(stage.now, Stream { session, number: 4 }, listen.to_string().as_bytes());
    stage.sent();
    stage.server.end_listens();
    let Some(Effect::Send { to, frame, .. }) = stage.server.effect() else { panic!("the result") };
    let frame: Value = serde_json::from_slice(&frame).expect("JSON");
    assert_eq!((to.number, &frame["id"], &frame["result"]["resultType"]), (4, &json!(1), &json!("complete")));
    assert!(stage.sent().is_empty());
}

#[test]
fn a_name_that_clients_may_refuse_is_told_and_served() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let now = stage.now;
    let long = "x".repeat(128);
    for name in ["a", "A_b-c.9", &long] {
        let tool = json!({ "name": name, "inputSchema": { "type": "object" } }).to_string();
        stage.server.add_tool(now, &tool, "t").expect("a tool");
    }
    stage.sent();
    assert!(stage.records.is_empty(), "{:?}", stage.records);
    let longer = "x".repeat(129);
    for (count, name) in (1..).zip(["two words", "größe", "a/b", &longer]) {
        let tool = json!({ "name": name, "inputSchema": { "type": "object" } }).to_string();
        stage.server.add_tool(now, &tool, "odd").expect("a tool");
        stage.sent();
        assert_eq!(stage.records.len(), count);
        assert!(stage.records[count - 1].contains(name) && stage.records[count - 1].contains("128"));
        stage.ask_legacy(session, json!(count), "tools/call", json!({ "name": name }));
        assert_eq!(stage.run().handler, "odd");
    }
}

#[test]
fn icons_have_addresses_that_clients_load() {
    let mut stage = Stage::new(settings());
    let now = stage.now;
    let with = |icons: Value| {
        [
            json!({ "name": "i", "inputSchema": { "type": "object" }, "icons": icons }).to_string(),
            json!({ "name": "i", "uri": "i://", "icons": icons }).to_string(),
            json!({ "name": "i", "uriTemplate": "i://{x}", "icons": icons }).to_string(),
            json!({ "name": "i", "icons": icons }).to_string(),
        ]
    };
    let mut add = |definitions: &[String; 4]| {
        [
            stage.server.add_tool(now, &definitions[0], "t"),
            stage.server.add_resource(now, &definitions[1], "t"),
            stage.server.add_template(now, &definitions[2], "t"),
            stage.server.add_prompt(now, &definitions[3], "t"),
        ]
    };
    for bad in [
        json!({}),
        json!([7]),
        json!([{}]),
        json!([{ "src": "http://example.com/i.png" }]),
        json!([{ "src": "https://example.com/i.png" }, { "src": "javascript:alert(1)" }]),
    ] {
        for added in add(&with(bad.clone())) {
            assert_eq!(added.expect_err("icons").member, "icons", "{bad}");
        }
    }
    let good = with(json!([{ "src": "https://example.com/i.png" }, { "src": "data:image/png;base64,AAAA" }]));
    for added in add(&good) {
        added.expect("good icons");
    }
}

#[test]
fn a_cancellation_that_names_nothing_open_is_ignored() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    stage.ask_legacy(session, json!(1), "tools/call", json!({ "name": "typed" }));
    let request = stage.run().request;
    let finished = stage.ask_legacy(session, json!(2), "ping", json!({}));
    assert_eq!(finished[0]["id"], 2);
    for id in ["2", "3", "\"1\"", "1.5", "null", "true", "{}", "[1]", "-1", "18446744073709551616"] {
        let frame = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":7}}}}"#
        );
        assert!(stage.raw(session, &frame).is_empty(), "{id}");
    }
    assert!(stage.withdrawn.is_empty() && stage.server.is_under_way(request));
    assert_eq!(stage.server.counters().cancelled, 0);
}

#[test]
fn a_sealed_session_goes_on_until_it_expires_or_is_ended() {
    let of = |seconds| {
        let mut sealed = settings();
        sealed.seals_sessions = true;
        sealed.timeouts.session_name = Duration::from_secs(seconds);
        Stage::new(sealed)
    };
    let (mut first, mut second) = (of(60), of(60));
    let session = first.legacy("2025-06-18", &json!({ "sampling": {} }));
    let seal = first.server.seal_session(first.now, session, "name").expect("a seal");
    let read = |stage: &Stage, name: &str, principal| {
        stage.server.sealed_session(stage.now, name, &seal, principal).map(|it| it.revision())
    };
    assert_eq!(read(&second, "name", None), Some(Revision::V2025_06_18));
    assert_eq!(read(&second, "other", None), None);
    assert_eq!(read(&second, "name", Some("ann")), None);
    let sealed = second.server.sealed_session(second.now, "name", &seal, None).expect("it is good");
    let taken_up = second.server.open(true).expect("a session");
    second.server.adopt_session(taken_up, &sealed);
    let told: Vec<_> = second.sent().iter().map(|frame| frame["method"].clone()).collect();
    let lists = ["tools", "resources", "prompts"].map(|list| format!("notifications/{list}/list_changed"));
    assert_eq!(told, lists, "what changed in between is not known");
    // What the client can do goes with it, and no second handshake is taken.
    second.ask_legacy(taken_up, json!(1), "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }));
    let run = second.run();
    let asked =
        second.server.ask(run.request, "k", "sampling/createMessage", r#"{"messages":[],"maxTokens":1}"#);
    assert!(matches!(asked, AskOutcome::Pending), "{asked:?}");
    assert_eq!(code(&second.ask_legacy(taken_up, json!(2), "initialize", json!({}))), -32600);
    assert!(!second.server.was_ended(&sealed));
    second.server.end_sealed_session(second.now, "name", &seal);
    assert!(second.server.was_ended(&sealed), "also for a request that has opened the seal already");
    assert_eq!(read(&second, "name", None), None, "its client has ended it");
    first.advance(Duration::from_secs(60));
    assert!(read(&first, "name", None).is_some());
    first.advance(Duration::from_secs(1));
    assert_eq!(read(&first, "name", None), None, "it has expired");
    let large = json!({ "experimental": { "x": "x".repeat(4000) } });
    let session = first.legacy("2025-06-18", &large);
    let why = first.server.seal_session(first.now, session, "name").expect_err("it is too long");
    assert!(why.contains("capabilities"), "{why}");
}
