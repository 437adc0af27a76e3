//! Scopes are asked where a request has found what serves it: nothing is served, listed or told without them, however it is asked for.

use super::principals::{open, principal};
use super::skills;
use super::stage::{Stage, code, settings};
use crate::engine::server::{AccessRules, ScopesByName, SessionId, Settings};
use serde_json::{Value, json};

fn needs(rules: &[(&str, &str)]) -> ScopesByName {
    rules.iter().map(|(name, scope)| ((*name).to_owned(), vec![(*scope).to_owned()])).collect()
}

fn stage(access: AccessRules) -> Stage {
    Stage::new(Settings { access, ..settings() })
}

fn with_skills(resources: &[(&str, &str)]) -> Stage {
    let mut stage = stage(AccessRules { resources: needs(resources).into(), ..AccessRules::default() });
    stage.server.set_skills(stage.now, "/f", skills::set(&["a", "b"], "first")).expect("skills");
    stage
}

fn ask(stage: &mut Stage, scopes: &[&str], method: &str, params: Value) -> Vec<Value> {
    let session = open(stage, principal("ann", scopes));
    stage.ask_modern(session, json!(1), method, params)
}

fn said(frames: &[Value]) -> String {
    frames.iter().map(Value::to_string).collect()
}

/// Whether a request was refused for these scopes.
fn lacks(frames: &[Value], scopes: &str) -> bool {
    let text = frames[0]["error"]["message"].as_str().unwrap_or_default();
    text == format!("insufficient_scope: this needs the scopes '{scopes}'")
}

#[test]
fn a_rule_about_a_method_leaves_what_the_method_is_for_out_of_lists() {
    let rows = [
        ("tools/call", "tools/list", "tools"),
        ("prompts/get", "prompts/list", "prompts"),
        ("resources/read", "resources/list", "resources"),
        ("resources/read", "resources/templates/list", "resourceTemplates"),
    ];
    for (method, list, member) in rows {
        let methods = needs(&[(method, "extra")]);
        let mut stage = stage(AccessRules { methods, ..AccessRules::default() });
        let mut count = |scopes: &[&str], list: &str, member: &str| {
            let frames = ask(&mut stage, scopes, list, json!({}));
            frames[0]["result"][member].as_array().map(Vec::len)
        };
        assert_eq!(count(&["other"], list, member), Some(0), "{method}");
        assert!(count(&["extra"], list, member) > Some(0), "{method}");
        for (_, list, member) in rows.iter().filter(|(other, ..)| *other != method) {
            assert!(count(&["other"], list, member) > Some(0), "{method} {list}");
        }
    }
}

#[test]
fn every_method_needs_the_scope_of_its_rule_and_so_does_a_notification() {
    for name in ["initialize", "ping", "server/discover", "tools/list", "tasks/get", "logging/setLevel"] {
        let mut stage = stage(AccessRules { methods: needs(&[(name, "extra")]), ..AccessRules::default() });
        let legacy = stage.legacy("2025-11-25", &json!({}));
        stage.server.authorize(legacy, principal("ann", &[]));
        let is_modern = name == "server/discover";
        let frames = match is_modern {
            true => stage.ask_modern(legacy, json!(1), name, json!({})),
            false => stage.ask_legacy(legacy, json!(1), name, json!({ "level": "info" })),
        };
        assert!(lacks(&frames, "extra"), "{name}: {frames:?}");
    }
    let methods = needs(&[("notifications/initialized", "extra")]);
    let mut stage = stage(AccessRules { methods, ..AccessRules::default() });
    let session = stage.server.open(true).expect("a session");
    stage.server.authorize(session, principal("ann", &[]));
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} });
    stage.ask_legacy(session, json!(1), "initialize", params);
    let confirm = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(stage.ask(session, &confirm), [] as [Value; 0]);
    assert!(!stage.server.is_told_of(session, None));
    stage.server.authorize(session, principal("ann", &["extra"]));
    stage.ask(session, &confirm);
    assert!(stage.server.is_told_of(session, None));
}

#[test]
fn a_completion_is_of_what_its_type_says_whatever_else_it_names() {
    let mut stage =
        stage(AccessRules { resources: needs(&[("y://{id}", "board")]).into(), ..AccessRules::default() });
    stage.server.complete_from("y://{id}", "id", vec!["takeover".into()]);
    for extra in [json!({}), json!({ "name": "p" }), json!({ "name": "nothing", "title": "x" })] {
        let mut reference = extra;
        (reference["type"], reference["uri"]) = (json!("ref/resource"), json!("y://{id}"));
        let params = json!({ "ref": reference, "argument": { "name": "id", "value": "" } });
        let refused = ask(&mut stage, &[], "completion/complete", params.clone());
        assert!(lacks(&refused, "board"), "{refused:?}");
        assert!(said(&ask(&mut stage, &["board"], "completion/complete", params)).contains("takeover"));
    }
    // Whether there is such an argument is not for who may not have the template either.
    let params = json!({ "ref": { "type": "ref/resource", "uri": "y://{id}" }, "argument": { "name": "x", "value": "" } });
    assert!(lacks(&ask(&mut stage, &[], "completion/complete", params), "board"));
}

#[test]
fn what_says_two_things_is_refused_where_rules_are_asked() {
    let access = AccessRules {
        tools: needs(&[("typed", "write")]),
        resources: needs(&[("x://handled", "read")]).into(),
        ..AccessRules::default()
    };
    let mut stage = stage(access);
    let session = stage.legacy("2025-11-25", &json!({}));
    stage.server.authorize(session, principal("ann", &[]));
    for (method, params) in [
        ("tools/call", r#"{"name":"typed","name":"add","arguments":{"a":1}}"#),
        ("tools/call", r#"{"n\u0061me":"typed","name":"add","arguments":{"a":1}}"#),
        ("resources/read", r#"{"uri":"x://handled","uri":"y://7"}"#),
        (
            "completion/complete",
            r#"{"ref":{"type":"ref/prompt","type":"ref/prompt","name":"p"},"argument":{"name":"who","value":""}}"#,
        ),
        (
            "completion/complete",
            r#"{"ref":{},"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"who","value":""}}"#,
        ),
    ] {
        let frame = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        assert_eq!(code(&stage.raw(session, &frame)), -32602, "{frame}");
        assert!(stage.runs.is_empty(), "{frame}");
    }
}

#[test]
fn skills_tell_nothing_of_a_file_without_its_scope() {
    let uri = |it: &str| json!({ "uri": it });
    // A rule about SKILL.md, or about the folder, is about the whole skill.
    for rule in ["skill://a/SKILL.md", "skill://a"] {
        let mut stage = with_skills(&[(rule, "board")]);
        let listed = said(&ask(&mut stage, &[], "skills/list", json!({})));
        assert!(listed.contains("skill://b") && !listed.contains("skill://a"), "{listed}");
        assert!(!said(&ask(&mut stage, &[], "resources/list", json!({}))).contains("skill://a"));
        for (method, it) in [
            ("skills/get", "skill://a/SKILL.md"),
            ("resources/read", "skill://a/SKILL.md"),
            ("resources/read", "skill://a/x/b"),
            ("resources/directory/read", "skill://a"),
            ("resources/directory/read", "skill://a/x"),
        ] {
            assert!(lacks(&ask(&mut stage, &[], method, uri(it)), "board"), "{rule} {method} {it}");
            assert!(ask(&mut stage, &["board"], method, uri(it))[0]["result"].is_object(), "{method} {it}");
        }
        assert!(said(&ask(&mut stage, &["board"], "skills/list", json!({}))).contains("skill://a"));
    }
    // One about a file leaves the file out, and one about all files of a folder leaves the folder out.
    let mut stage = with_skills(&[("skill://a/x/b", "board")]);
    for (method, it) in [("skills/get", "skill://a/SKILL.md"), ("resources/directory/read", "skill://a/x")] {
        let text = said(&ask(&mut stage, &[], method, uri(it)));
        assert!(!text.contains("x/b") && text.contains("x/a") && text.contains("x/c"), "{method}: {text}");
        assert!(said(&ask(&mut stage, &["board"], method, uri(it))).contains("x/b"));
    }
    assert!(!said(&ask(&mut stage, &[], "skills/list", json!({}))).contains("skill://a/x/b"));
    assert!(lacks(&ask(&mut stage, &[], "resources/read", uri("skill://a/x/b")), "board"));
    let all = [("skill://a/x/a", "board"), ("skill://a/x/b", "board"), ("skill://a/x/c", "board")];
    let mut stage = with_skills(&all);
    let children = said(&ask(&mut stage, &[], "resources/directory/read", uri("skill://a")));
    assert!(children.contains("SKILL.md") && !children.contains("skill://a/x"), "{children}");
}

#[test]
fn a_rule_about_a_uri_holds_for_each_of_its_spellings_that_a_template_serves() {
    let access =
        AccessRules { resources: needs(&[("y://secret", "board")]).into(), ..AccessRules::default() };
    let mut stage = stage(access);
    for uri in ["y://secret", "y://%73ecret", "y://%2573ecret", "y://SECRET", "y://secret%00", "y://secret."]
    {
        let refused = ask(&mut stage, &[], "resources/read", json!({ "uri": uri }));
        assert!(lacks(&refused, "board"), "{uri}: {refused:?}");
    }
    assert_eq!(ask(&mut stage, &[], "resources/read", json!({ "uri": "y://other" })), [] as [Value; 0]);
    assert_eq!(
        ask(&mut stage, &["board"], "resources/read", json!({ "uri": "y://%73ecret" })),
        [] as [Value; 0]
    );
}

#[test]
fn what_is_in_no_list_of_a_relay_needs_as_much_as_anything_of_its_kind() {
    let access = AccessRules {
        tools: needs(&[("typed", "write")]),
        prompts: needs(&[("p", "talk")]),
        resources: needs(&[("file:///plans/2027.txt", "board"), ("x://handled", "read")]).into(),
        ..AccessRules::default()
    };
    let mut stage = stage(access);
    stage.keeps_schema = false;
    let behind = json!({ "resources": {}, "extensions": { "io.modelcontextprotocol/skills": {} } });
    stage.server.relay("behind", behind.as_object().cloned().expect("an object"));
    let rows = [
        ("tools/call", json!({ "name": "TYPED" }), "write"),
        ("prompts/get", json!({ "name": "hidden" }), "talk"),
        ("resources/read", json!({ "uri": "file:///other" }), "board read"),
        ("resources/read", json!({ "uri": "file:///%70lans/2027.txt" }), "board read"),
        ("skills/list", json!({}), "board read"),
        ("skills/get", json!({ "uri": "skill://x/SKILL.md" }), "board read"),
        ("resources/directory/read", json!({ "uri": "skill://x" }), "board read"),
    ];
    for (method, params, scopes) in rows {
        let refused = ask(&mut stage, &["other"], method, params.clone());
        // A rule about this very URI is asked before those about all.
        let is_refused =
            refused[0]["error"]["message"].as_str().is_some_and(|it| it.starts_with("insufficient_scope"));
        assert!(is_refused && stage.runs.is_empty(), "{method} {params}: {refused:?}");
        let all: Vec<&str> = scopes.split(' ').collect();
        assert_eq!(ask(&mut stage, &all, method, params), [] as [Value; 0], "{method}");
        assert_eq!(stage.run().handler, "behind");
    }
    // Without rules of its kind it goes on, and where no token is needed.
    assert_eq!(ask(&mut stage, &[], "example/method", json!({})), [] as [Value; 0]);
    stage.runs.clear();
    let session = open(&mut stage, None);
    stage.ask_modern(session, json!(1), "resources/read", json!({ "uri": "file:///other" }));
    assert_eq!(stage.run().handler, "behind");
}

#[test]
fn a_request_without_an_id_does_not_reach_the_server_behind() {
    let mut stage = stage(AccessRules::default());
    stage.server.relay("behind", serde_json::Map::new());
    let session = stage.legacy("2025-11-25", &json!({}));
    let told = |stage: &mut Stage, method: &str| {
        let frame = json!({ "jsonrpc": "2.0", "method": method, "params": { "name": "typed" } }).to_string();
        let from = crate::engine::server::Stream { session, number: 0 };
        stage.server.frame(stage.now, from, frame.as_bytes());
        let effects = std::iter::from_fn(|| stage.server.effect());
        effects.filter(|it| matches!(it, crate::engine::server::Effect::Notified { .. })).count()
    };
    assert_eq!((told(&mut stage, "tools/call"), told(&mut stage, "resources/read")), (0, 0));
    assert_eq!((told(&mut stage, "notifications/odd"), told(&mut stage, "notifications/progress")), (1, 1));
}

#[test]
fn an_array_is_refused_as_a_whole_with_all_that_it_needs() {
    let access = AccessRules {
        tools: needs(&[("typed", "write")]),
        prompts: needs(&[("p", "talk")]),
        ..AccessRules::default()
    };
    let mut stage = stage(access);
    let session = stage.legacy("2025-03-26", &json!({}));
    stage.server.authorize(session, principal("ann", &[]));
    let request = |id: u64, method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let all = json!([
        request(1, "tools/call", json!({ "name": "add", "arguments": { "a": 1 } })),
        request(2, "tools/call", json!({ "name": "typed" })),
        request(3, "prompts/get", json!({ "name": "p", "arguments": { "who": "x" } })),
    ]);
    let frames = stage.ask(session, &all);
    assert!(frames.len() == 1 && lacks(&frames, "write talk"), "{frames:?}");
    assert!(stage.runs.is_empty());
}

#[test]
fn a_request_that_stands_in_line_may_do_what_its_own_token_allows() {
    let access = AccessRules { tools: needs(&[("typed", "write")]), ..AccessRules::default() };
    let mut settings = Settings { access, ..settings() };
    settings.limits.requests_per_session = 1;
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let call = |stage: &mut Stage, session: SessionId, id: u64, scopes: &[&str]| {
        stage.server.authorize(session, principal("ann", scopes));
        stage.ask_legacy(session, json!(id), "tools/call", json!({ "name": "typed" }))
    };
    assert!(call(&mut stage, session, 1, &["write"]).is_empty());
    assert!(lacks(&call(&mut stage, session, 2, &[]), "write"), "it is told before it waits");
    assert!(call(&mut stage, session, 3, &["write"]).is_empty(), "it stands in line");
    // A later frame of the session comes with less.
    stage.server.authorize(session, principal("ann", &[]));
    let first = stage.run().request;
    stage.respond(
        first,
        crate::engine::server::Outcome::Result(r#"{"content":[],"structuredContent":{"n":1}}"#),
    );
    assert_eq!(stage.run().handler, "typed");
    assert!(lacks(&stage.ask_legacy(session, json!(4), "tools/call", json!({ "name": "typed" })), "write"));
}
