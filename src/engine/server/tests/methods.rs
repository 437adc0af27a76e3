//! Methods that the engine serves itself, and what it checks before a handler runs.

use super::stage::{Stage, code, ring, settings};
use crate::engine::server::{Caching, Kind, Outcome, Server, Settings};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[test]
fn a_walk_meets_each_entry_once_whatever_is_added_or_removed() {
    let mut settings = settings();
    settings.page_size = 7;
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    for number in 0..100 {
        let tool = json!({ "name": format!("t{number}"), "inputSchema": { "type": "object" } });
        stage.server.add_tool(stage.now, &tool.to_string(), "t").expect("a tool");
    }
    let mut seen = BTreeSet::new();
    let mut cursor: Option<Value> = None;
    for page in 0.. {
        let params = cursor.map_or(json!({}), |cursor| json!({ "cursor": cursor }));
        let answer = stage.ask_legacy(session, json!(page), "tools/list", params);
        for tool in answer[0]["result"]["tools"].as_array().expect("tools") {
            assert!(seen.insert(tool["name"].as_str().expect("a name").to_owned()));
        }
        stage.server.remove(stage.now, Kind::Tool, &format!("t{page}"));
        let tool = json!({ "name": format!("new{page}"), "inputSchema": { "type": "object" } });
        stage.server.add_tool(stage.now, &tool.to_string(), "t").expect("a tool");
        cursor = answer[0]["result"].get("nextCursor").cloned();
        if cursor.is_none() {
            break;
        }
    }
    assert!((20..100).all(|number| seen.contains(&format!("t{number}"))));
}

#[test]
fn foreign_cursors_are_refused() {
    let mut settings = settings();
    settings.page_size = 1;
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let tools = stage.ask_legacy(session, json!(1), "tools/list", json!({}));
    let cursor = tools[0]["result"]["nextCursor"].clone();
    assert!(
        stage.ask_legacy(session, json!(1), "tools/list", json!({ "cursor": cursor }))[0]["result"]
            .is_object()
    );
    for (method, cursor) in [("resources/list", cursor), ("tools/list", json!("x")), ("tools/list", json!(1))]
    {
        let answer = stage.ask_legacy(session, json!(1), method, json!({ "cursor": cursor }));
        assert_eq!(code(&answer), -32602, "{method} {cursor}");
    }
}

#[test]
fn members_that_came_later_are_left_out() {
    let mut stage = Stage::new(settings());
    let tool = json!({ "name": "full", "title": "T", "icons": [], "annotations": {}, "execution": {},
                       "outputSchema": { "type": "object" }, "inputSchema": { "type": "object", "title": "kept" },
                       "later": 1 });
    stage.server.add_tool(stage.now, &tool.to_string(), "t").expect("a tool");
    for (revision, absent) in [
        ("2024-11-05", &["title", "icons", "annotations", "execution", "outputSchema"][..]),
        ("2025-03-26", &["title", "icons", "execution", "outputSchema"]),
        ("2025-06-18", &["icons", "execution"]),
        ("2025-11-25", &[]),
    ] {
        let session = stage.legacy(revision, &json!({}));
        let answer = stage.ask_legacy(session, json!(1), "tools/list", json!({}));
        let tools = answer[0]["result"]["tools"].as_array().expect("tools");
        let shown = tools.iter().find(|tool| tool["name"] == "full").expect("the tool");
        let mut wanted = tool.clone();
        for member in absent {
            wanted.as_object_mut().expect("an object").remove(*member);
        }
        assert_eq!(*shown, wanted, "{revision}");
    }
}

#[test]
fn definitions_are_checked_when_they_are_added() {
    let mut stage = Stage::new(settings());
    let now = stage.now;
    for (definition, member) in [
        ("7", ""),
        ("{", ""),
        (r#"{"inputSchema":{"type":"object"}}"#, "name"),
        (r#"{"name":"","inputSchema":{"type":"object"}}"#, "name"),
        (r#"{"name":"x"}"#, "inputSchema"),
        (r#"{"name":"x","inputSchema":null}"#, "inputSchema"),
        (r#"{"name":"x","inputSchema":{"type":"string"}}"#, "inputSchema"),
        (
            r##"{"name":"x","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/no"}}}}"##,
            "inputSchema",
        ),
        (r#"{"name":"x","inputSchema":{"type":"object"},"outputSchema":[]}"#, "outputSchema"),
        (r#"{"name":"add","inputSchema":{"type":"object"}}"#, "name"),
    ] {
        let error = stage.server.add_tool(now, definition, "t").expect_err(definition);
        assert_eq!(error.member, member, "{definition}: {error}");
    }
    for (definition, member) in [
        (r#"{"name":"x"}"#, "uri"),
        (r#"{"name":"x","uri":"no scheme"}"#, "uri"),
        (r#"{"name":"x","uri":"a://b c"}"#, "uri"),
        (r#"{"name":"x","uri":"x://fixed"}"#, "name"),
    ] {
        let error = stage.server.add_resource(now, definition, "t").expect_err(definition);
        assert_eq!(error.member, member, "{definition}: {error}");
    }
    let error =
        stage.server.add_template(now, r#"{"name":"x","uriTemplate":"a://{b"}"#, "t").expect_err("a brace");
    assert_eq!(error.member, "uriTemplate");
    let twice = r#"{"name":"x","arguments":[{"name":"a"},{"name":"a"}]}"#;
    assert_eq!(stage.server.add_prompt(now, twice, "t").expect_err("twice").member, "arguments");
    for method in ["tools/list", "ping", ""] {
        assert!(stage.server.add_method(method, None, "{}", "t").is_err(), "{method}");
    }
}

#[test]
fn a_call_is_checked_before_its_handler_runs() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    for (params, wanted) in [
        (json!({}), -32602),
        (json!({ "name": 7 }), -32602),
        (json!({ "name": "nothing" }), -32602),
        (json!({ "name": "add", "arguments": [1] }), -32602),
        (json!({ "name": "add", "arguments": "{}" }), -32602),
    ] {
        assert_eq!(code(&stage.ask_legacy(session, json!(1), "tools/call", params)), wanted);
    }
    for arguments in [json!({}), json!({ "a": "1" })] {
        let params = json!({ "name": "add", "arguments": arguments });
        let answer = stage.ask_legacy(session, json!(1), "tools/call", params);
        assert_eq!(answer[0]["result"]["isError"], true);
        let text = answer[0]["result"]["content"][0]["text"].as_str().expect("a text");
        assert!(text.contains('a') && text.contains("add"), "{text}");
    }
    assert!(stage.runs.is_empty());
    stage.ask_legacy(session, json!(1), "tools/call", json!({ "name": "typed" }));
    assert_eq!(stage.run().handler, "typed", "no arguments are {{}}");
    // What is null is absent, and PHP writes an empty object as an array: a handler finds an object.
    for (id, arguments) in [(2, json!(null)), (3, json!([]))] {
        let params = json!({ "name": "typed", "arguments": arguments, "_meta": null });
        stage.ask_legacy(session, json!(id), "tools/call", params);
        let params: Value = serde_json::from_str(&stage.run().params).expect("JSON");
        assert_eq!(params, json!({ "name": "typed", "arguments": {}, "_meta": {} }));
    }
    assert_eq!(stage.server.counters().tolerated, 2);
}

#[test]
fn resources_are_read_from_where_they_are() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let fixed = stage.ask_legacy(session, json!(1), "resources/read", json!({ "uri": "x://fixed" }));
    let contents = json!([{ "uri": "x://fixed", "mimeType": "text/plain", "text": "hello" }]);
    assert_eq!(fixed[0]["result"]["contents"], contents);
    stage
        .server
        .add_fixed_bytes(stage.now, r#"{"name":"b","uri":"x://bytes"}"#, &[0, 255])
        .expect("a resource");
    let bytes = stage.ask_legacy(session, json!(1), "resources/read", json!({ "uri": "x://bytes" }));
    assert_eq!(bytes[0]["result"]["contents"], json!([{ "uri": "x://bytes", "blob": "AP8=" }]));
    stage.ask_legacy(session, json!(2), "resources/read", json!({ "uri": "y://a%20b" }));
    let run = stage.run();
    let matched = r#"{"template":"y://{id}","variables":{"id":"a b"}}"#;
    assert_eq!((run.handler, run.matched.as_deref()), ("template", Some(matched)));
    let described = stage.server.describe_request(run.request, stage.now.at).expect("a context");
    let described: Value = serde_json::from_str(&described).expect("JSON");
    assert_eq!((&described["template"], &described["variables"]["id"]), (&json!("y://{id}"), &json!("a b")));
    for uri in ["y://a/b", "z://", ""] {
        let answer = stage.ask_legacy(session, json!(3), "resources/read", json!({ "uri": uri }));
        assert_eq!(code(&answer), -32002, "{uri}");
        assert_eq!(answer[0]["error"]["data"]["uri"], uri);
        let answer = stage.ask_modern(session, json!(4), "resources/read", json!({ "uri": uri }));
        assert_eq!(code(&answer), -32602, "{uri}");
    }
    let (_, frames) = stage.respond(run.request, Outcome::Result(r#"{"contents":[]}"#));
    assert_eq!(code(&frames), -32603, "never empty contents");
    stage.ask_modern(session, json!(5), "resources/read", json!({ "uri": "x://handled" }));
    let run = stage.run();
    let (_, frames) = stage.respond(run.request, Outcome::NotFound);
    assert_eq!(code(&frames), -32602);
}

#[test]
fn prompts_need_their_arguments() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    for params in [
        json!({ "name": "nothing" }),
        json!({ "name": "p" }),
        json!({ "name": "p", "arguments": { "who": 7 } }),
        json!({ "name": "p", "arguments": [] }),
    ] {
        assert_eq!(code(&stage.ask_legacy(session, json!(1), "prompts/get", params)), -32602);
    }
    stage.ask_legacy(session, json!(1), "prompts/get", json!({ "name": "p", "arguments": { "who": "x" } }));
    let run = stage.run();
    let (_, frames) = stage.respond(run.request, Outcome::Result(r#"{"messages":[]}"#));
    assert!(frames[0]["result"]["messages"].is_array());
}

#[test]
fn completion_comes_from_a_list_and_is_bounded() {
    let mut stage = Stage::new(settings());
    let many = (0..150).map(|number| format!("v{number}")).collect();
    stage.server.complete_from("y://{id}", "id", many);
    let session = stage.legacy("2025-11-25", &json!({}));
    let ask = |stage: &mut Stage, reference: Value, name: &str, value: Value| {
        let params = json!({ "ref": reference, "argument": { "name": name, "value": value } });
        stage.ask_legacy(session, json!(1), "completion/complete", params)
    };
    let prompt = json!({ "type": "ref/prompt", "name": "p" });
    let template = json!({ "type": "ref/resource", "uri": "y://{id}" });
    let answer = ask(&mut stage, prompt.clone(), "who", json!("b"));
    assert_eq!(answer[0]["result"]["completion"]["values"], json!(["bob", "ben"]));
    let answer = ask(&mut stage, template.clone(), "id", json!("v"));
    let completion = &answer[0]["result"]["completion"];
    assert_eq!(completion["values"].as_array().map(Vec::len), Some(100));
    assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(150), &json!(true)));
    for (reference, name, value) in [
        (json!({ "type": "ref/prompt", "name": "no" }), "who", json!("")),
        (prompt.clone(), "no", json!("")),
        (template, "other", json!("")),
        (prompt, "who", json!(7)),
        (json!({ "type": "ref/else" }), "who", json!("")),
        (json!(null), "who", json!("")),
    ] {
        assert_eq!(code(&ask(&mut stage, reference, name, value)), -32602);
    }
}

#[test]
fn what_is_not_offered_is_not_found() {
    let mut bare = super::stage::Stage {
        server: crate::engine::server::Server::new(
            crate::engine::server::Settings::new("bare", "1"),
            super::stage::ring(),
        ),
        ..Stage::new(settings())
    };
    let session = bare.legacy("2025-11-25", &json!({}));
    for method in [
        "tools/list",
        "tools/call",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "logging/setLevel",
        "resources/subscribe",
        "tasks/get",
    ] {
        let params = json!({ "name": "x", "uri": "x://y", "level": "info" });
        assert_eq!(code(&bare.ask_legacy(session, json!(1), method, params)), -32601, "{method}");
    }
}

#[test]
fn a_method_of_an_extension_needs_the_extension() {
    let mut stage = Stage::new(settings());
    stage.server.add_method("x/do", Some("com.example/x"), "{\"v\":1}", "extension").expect("a method");
    let session = stage.server.open(false).expect("a session");
    let params = Stage::modern(json!({}), &json!({}));
    let frame = json!({ "jsonrpc": "2.0", "id": 1, "method": "x/do", "params": params });
    let answer = stage.ask(session, &frame);
    assert_eq!(code(&answer), -32021);
    let wanted = json!({ "requiredCapabilities": { "extensions": { "com.example/x": {} } } });
    assert_eq!(answer[0]["error"]["data"], wanted);
    let params = Stage::modern(json!({}), &json!({ "extensions": { "com.example/x": {} } }));
    let frame = json!({ "jsonrpc": "2.0", "id": 2, "method": "x/do", "params": params });
    assert!(stage.ask(session, &frame).is_empty());
    let run = stage.run();
    assert_eq!((run.handler, run.extension.as_deref()), ("extension", Some("x/do")));
    let discover = stage.ask_modern(session, json!(3), "server/discover", json!({}));
    assert_eq!(discover[0]["result"]["capabilities"]["extensions"], json!({ "com.example/x": { "v": 1 } }));
}

#[test]
fn a_schema_is_listed_as_it_was_given_and_one_of_an_unknown_dialect_refused() {
    let mut stage = Stage::new(settings());
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
        "$defs": { "a": { "$anchor": "here", "type": "string" } }, "properties": { "p": { "$ref": "#here" } },
        "allOf": [{ "if": { "required": ["p"] }, "then": { "minProperties": 1 }, "else": {} }],
        "additionalProperties": false,
    });
    let tool = json!({ "name": "schema", "inputSchema": schema });
    stage.server.add_tool(stage.now, &tool.to_string(), "t").expect("a tool");
    let session = stage.legacy("2024-11-05", &json!({}));
    let legacy = stage.ask_legacy(session, json!(1), "tools/list", json!({}));
    let modern = stage.ask_modern(session, json!(2), "tools/list", json!({}));
    assert_eq!(legacy[0]["result"]["tools"][2], tool);
    assert_eq!(modern[0]["result"]["tools"][2], tool);
    schema["$schema"] = json!("https://example.com/dialect");
    let tool = json!({ "name": "unknown", "inputSchema": schema }).to_string();
    let error = stage.server.add_tool(stage.now, &tool, "t").expect_err("no such dialect");
    assert!(error.to_string().contains("https://example.com/dialect"), "{error}");
}

#[test]
fn the_hints_for_caches_are_on_what_may_be_kept() {
    let mut settings = settings();
    settings.caching = Caching { ttl_ms: 5000, public: true };
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let params = json!({ "uri": "x://fixed", "ref": { "type": "ref/prompt", "name": "p" },
                         "argument": { "name": "who", "value": "" } });
    for (method, is_kept) in [
        ("server/discover", true),
        ("tools/list", true),
        ("resources/list", true),
        ("resources/templates/list", true),
        ("prompts/list", true),
        ("resources/read", true),
        ("completion/complete", false),
    ] {
        let modern = stage.ask_modern(session, json!(1), method, params.clone());
        let result = &modern[0]["result"];
        assert_eq!(result["resultType"], "complete", "{method}");
        assert_eq!(result.get("ttlMs"), is_kept.then_some(&json!(5000)), "{method}");
        assert_eq!(result.get("cacheScope"), is_kept.then_some(&json!("public")), "{method}");
        let legacy = stage.ask_legacy(session, json!(1), method, params.clone());
        assert_eq!(legacy[0]["result"].get("ttlMs"), None, "{method}");
    }
}

#[test]
fn a_list_may_be_empty_and_keeps_the_order_of_registration() {
    let mut announced = Settings::new("empty", "1");
    announced.announced.tools = true;
    let mut stage = Stage { server: Server::new(announced, ring()), ..Stage::new(settings()) };
    let session = stage.legacy("2025-11-25", &json!({}));
    let empty = stage.ask_legacy(session, json!(1), "tools/list", json!({}));
    assert_eq!(empty[0]["result"], json!({ "tools": [] }));
    for name in ["z", "a", "m"] {
        let tool = json!({ "name": name, "inputSchema": { "type": "object" } }).to_string();
        stage.server.add_tool(stage.now, &tool, "t").expect("a tool");
    }
    for _ in 0..3 {
        let listed = stage.ask_legacy(session, json!(2), "tools/list", json!({}));
        let tools = listed[0]["result"]["tools"].as_array().expect("tools");
        let names: Vec<_> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
        assert_eq!(names, ["z", "a", "m"]);
    }
}

#[test]
fn an_exact_resource_goes_first_and_then_the_first_template() {
    let mut stage = Stage::new(settings());
    let now = stage.now;
    stage
        .server
        .add_template(now, r#"{"name":"all","uriTemplate":"y://{+rest}"}"#, "all")
        .expect("a template");
    let exact = json!({ "name": "e", "uri": "y://exact", "size": 7, "annotations": { "priority": 0.5 } });
    stage.server.add_resource(now, &exact.to_string(), "exact").expect("a resource");
    let session = stage.legacy("2025-11-25", &json!({}));
    for (id, (uri, handler)) in
        [("y://exact", "exact"), ("y://one", "template"), ("y://one/two", "all")].into_iter().enumerate()
    {
        stage.ask_legacy(session, json!(id), "resources/read", json!({ "uri": uri }));
        assert_eq!(stage.run().handler, handler, "{uri}");
    }
    let listed = stage.ask_legacy(session, json!("l"), "resources/list", json!({}));
    assert_eq!(listed[0]["result"]["resources"][2], exact);
}

#[test]
fn a_completer_learns_the_other_arguments() {
    let mut stage = Stage::new(settings());
    stage.server.complete_by("y://{id}", "id", "completer");
    let session = stage.legacy("2025-11-25", &json!({}));
    let params = json!({ "ref": { "type": "ref/resource", "uri": "y://{id}" },
                         "argument": { "name": "id", "value": "" }, "context": { "arguments": { "a": "b" } } });
    assert!(stage.ask_legacy(session, json!(1), "completion/complete", params.clone()).is_empty());
    let run = stage.run();
    let handed_on: Value = serde_json::from_str(&run.params).expect("JSON");
    assert_eq!((run.handler, handed_on), ("completer", params));
}
