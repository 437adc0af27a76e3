//! Methods and what they answer, text results, and content by revision.

use super::{Stage, code, ring, settings};
use crate::engine::server::{Caching, Effect, Kind, Outcome, Responded, Server, SessionId, Settings};
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
fn what_is_added_twice_is_called_by_its_kind_and_name() {
    let mut stage = Stage::new(settings());
    let (server, now) = (&mut stage.server, stage.now);
    for _ in 0..2 {
        let refused = [
            server.add_tool(now, r#"{"name":"x","inputSchema":{"type":"object"}}"#, "x"),
            server.add_resource(now, r#"{"name":"x","uri":"a://x"}"#, "x"),
            server.add_template(now, r#"{"name":"x","uriTemplate":"a://{x}"}"#, "x"),
            server.add_prompt(now, r#"{"name":"x"}"#, "x"),
        ]
        .map(|added| added.err().map_or(String::new(), |why| why.to_string()));
        if refused[0].is_empty() {
            continue; // The first time.
        }
        assert_eq!(
            refused,
            [
                "member 'name': the tool 'x' exists already; remove it first",
                "member 'uri': the resource 'a://x' exists already; remove it first",
                "member 'uriTemplate': the resource template 'a://{x}' exists already; remove it first",
                "member 'name': the prompt 'x' exists already; remove it first",
            ]
        );
        return;
    }
    panic!("nothing was refused");
}

#[test]
fn a_member_with_the_marks_of_another_language_is_refused() {
    let mut stage = Stage::new(settings());
    for (definition, why) in [
        (
            r#"{"name":"t","input_schema":{}}"#,
            "tool 't': member 'input_schema': it is unknown; did you mean 'inputSchema'?",
        ),
        (
            r#"{"name":"t","annotations":{"readonlyHint":true}}"#,
            "tool 't': member 'readonlyHint': it is unknown; did you mean 'readOnlyHint'?",
        ),
        (
            r#"{"name":"t","execution":{"task-support":"optional"}}"#,
            "tool 't': member 'task-support': it is unknown; did you mean 'taskSupport'?",
        ),
    ] {
        let refused = stage.server.add_tool(stage.now, definition, "t").expect_err("refused");
        assert_eq!(refused.to_string(), why);
    }
    // What no revision knows is passed on.
    let own = r#"{"name":"t","x_own":{"input_schema":1},"inputSchema":{"type":"object"},"annotations":{"mime_type":1}}"#;
    stage.server.add_tool(stage.now, own, "t").expect("a tool");
}

#[test]
fn an_error_says_of_which_definition_it_is() {
    let mut stage = Stage::new(settings());
    let (server, now) = (&mut stage.server, stage.now);
    let long = format!(r#"{{"name":"{}"}}"#, "é".repeat(1000));
    let refused = [
        server.add_tool(now, r#"{"name":"t","inputSchema":[]}"#, "x"),
        server.add_tool(now, r#"{"nme":"t"}"#, "x"),
        server.add_tool(now, "[]", "x"),
        server.add_tool(now, &long, "x"),
        server.add_resource(now, r#" {"uri": "a://x"}"#, "x"),
        server.add_template(now, r#"{"uriTemplate":"a://{x"}"#, "x"),
        server.add_prompt(now, r#"{"name":"p","arguments":[{}]}"#, "x"),
    ]
    .map(|added| added.expect_err("refused").to_string());
    let [tool, unnamed, whole, long, resource, template, prompt] = &refused;
    assert_eq!(tool, "tool 't': member 'inputSchema': must be an object with \"type\":\"object\"");
    assert_eq!(unnamed, "tool: member 'name': is missing");
    assert_eq!(whole, "the definition is an array, and must be an object");
    assert!(long.starts_with(&format!("tool '{}': member ", "é".repeat(128))), "{long}");
    assert_eq!(resource, "resource 'a://x': member 'name': is missing");
    assert!(template.starts_with("resource template 'a://{x': member 'uriTemplate': "), "{template}");
    assert_eq!(prompt, "prompt 'p': member 'arguments': member 'name': is missing");
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
        (r#"{"name":"x","uri":"x://fixed"}"#, "uri"),
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
fn what_a_client_has_is_what_it_could_be_asked_and_the_extensions_that_it_names() {
    let all = json!({"sampling": {"tools": {}}, "elicitation": {}, "roots": false, "experimental": {"x": {}, "y": null},
        "extensions": {"com.example/x": {}, "com.example/no": null, "io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}});
    let others = json!({"elicitation": {"url": {}}, "extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html"]}}});
    for (capabilities, revision, has, lacks) in [
        (
            &all,
            "2025-11-25",
            &[
                "sampling",
                "sampling.tools",
                "elicitation",
                "elicitation.form",
                "experimental.x",
                "com.example/x",
                "io.modelcontextprotocol/ui",
            ][..],
            &[
                "sampling.context",
                "elicitation.url",
                "roots",
                "roots.listChanged",
                "experimental.y",
                "com.example/no",
                "com.example/y",
                "",
                ".",
                "tasks",
            ][..],
        ),
        // Before the revision that has a part, nothing of it can be asked, and what had no part yet can.
        (
            &all,
            "2025-06-18",
            &["sampling", "sampling.context", "elicitation.form"],
            &["sampling.tools", "elicitation.url"],
        ),
        (&all, "2025-03-26", &["sampling"], &["elicitation", "elicitation.form"]),
        (
            &others,
            "2025-11-25",
            &["elicitation", "elicitation.url"],
            &["elicitation.form", "sampling", "io.modelcontextprotocol/ui"],
        ),
    ] {
        let mut stage = Stage::new(settings());
        let session = stage.legacy(revision, capabilities);
        stage.ask_legacy(session, json!(2), "resources/read", json!({ "uri": "y://a" }));
        let request = stage.run().request;
        for (names, expected) in [(has, Some(true)), (lacks, Some(false))] {
            for name in names {
                assert_eq!(stage.server.client_has(request, name), expected, "{name} at {revision}");
            }
        }
        stage.respond(request, Outcome::NotFound);
        assert_eq!(stage.server.client_has(request, "sampling"), None, "it is over");
    }
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
    let mut bare = super::Stage {
        server: crate::engine::server::Server::new(
            crate::engine::server::Settings::new("bare", "1"),
            super::ring(),
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
