//! Principals and scopes: what a sender may list, read and call.

use super::{Stage, code, extensions, ring, settings, tasks};
use crate::engine::server::{AccessRules, Principal, ScopesByName, Server, SessionId, Settings};
use serde_json::{Value, json};
use std::sync::Arc;

#[expect(clippy::unnecessary_wraps, reason = "a session has one or none")]
pub fn principal(id: &str, scopes: &[&str]) -> Option<Arc<Principal>> {
    Some(Arc::new(Principal {
        id: id.into(),
        scopes: scopes.iter().map(|scope| (*scope).into()).collect(),
        text: json!({ "subject": id, "scopes": scopes }).to_string().into(),
    }))
}

fn rules() -> AccessRules {
    let needs = |name: &str, scope: &str| (name.to_owned(), vec![scope.to_owned()]);
    AccessRules {
        methods: [needs("completion/complete", "complete")].into(),
        tools: [needs("typed", "write")].into(),
        prompts: [needs("p", "talk")].into(),
        resources: ScopesByName::from([needs("x://handled", "read"), needs("y://{id}", "read")]).into(),
        lists_all: false,
    }
}

pub fn open(stage: &mut Stage, who: Option<Arc<Principal>>) -> SessionId {
    let session = stage.server.open(true).expect("a session");
    stage.server.authorize(session, who);
    session
}

/// The names in a list.
fn listed(stage: &mut Stage, session: SessionId, method: &str, member: &str) -> Vec<String> {
    let frames = stage.ask_modern(session, json!(method), method, json!({}));
    let list = frames[0]["result"][member].as_array().unwrap_or_else(|| panic!("{frames:?}"));
    list.iter().map(|entry| entry["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn lists_have_what_the_scopes_of_their_reader_allow_on_any_connection() {
    let mut stage = Stage::new(crate::engine::server::Settings { access: rules(), ..settings() });
    let reader = principal("ann", &["read"]);
    for _ in 0..2 {
        let session = open(&mut stage, reader.clone());
        assert_eq!(listed(&mut stage, session, "tools/list", "tools"), ["add"]);
        assert_eq!(listed(&mut stage, session, "prompts/list", "prompts").len(), 0);
        assert_eq!(listed(&mut stage, session, "resources/list", "resources"), ["r", "h"]);
        assert_eq!(listed(&mut stage, session, "resources/templates/list", "resourceTemplates"), ["t"]);
    }
    let session = open(&mut stage, principal("bob", &["write"]));
    assert_eq!(listed(&mut stage, session, "tools/list", "tools"), ["add", "typed"]);
    assert_eq!(listed(&mut stage, session, "resources/list", "resources"), ["r"]);
    // A transport without tokens has no principal: it is asked for nothing.
    let session = open(&mut stage, None);
    assert_eq!(listed(&mut stage, session, "tools/list", "tools"), ["add", "typed"]);
    let all = AccessRules { lists_all: true, ..rules() };
    let mut stage = Stage::new(crate::engine::server::Settings { access: all, ..settings() });
    let session = open(&mut stage, reader);
    assert_eq!(listed(&mut stage, session, "tools/list", "tools"), ["add", "typed"]);
}

#[test]
fn pages_of_a_filtered_list_are_full_and_end() {
    let page = crate::engine::server::Settings { access: rules(), page_size: 1, ..settings() };
    let mut stage = Stage::new(page);
    let session = open(&mut stage, principal("ann", &[]));
    let frames = stage.ask_modern(session, json!(1), "tools/list", json!({}));
    assert_eq!(frames[0]["result"]["tools"][0]["name"], "add");
    assert_eq!(
        frames[0]["result"]["nextCursor"],
        Value::Null,
        "what follows is not for this reader: {frames:?}"
    );
}

#[test]
fn what_needs_a_scope_is_not_served_without_it_however_it_is_asked_for() {
    let mut stage = Stage::new(crate::engine::server::Settings { access: rules(), ..settings() });
    let rows = [
        ("tools/call", json!({ "name": "typed" }), "write"),
        ("prompts/get", json!({ "name": "p", "arguments": { "who": "x" } }), "talk"),
        ("resources/read", json!({ "uri": "x://handled" }), "read"),
        ("resources/read", json!({ "uri": "y://7" }), "read"),
        ("resources/read", json!({ "uri": "y://%37" }), "read"),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "p" }, "argument": { "name": "who", "value": "b" } }),
            "complete talk",
        ),
    ];
    for (method, params, needed) in rows {
        let none = open(&mut stage, principal("ann", &["other"]));
        let frames = stage.ask_modern(none, json!(1), method, params.clone());
        assert_eq!(code(&frames), -32600, "{method}: {frames:?}");
        let text = frames[0]["error"]["message"].as_str().expect("a text");
        assert!(text.contains(&format!("'{needed}'")), "{text}");
        let scopes: Vec<&str> = needed.split(' ').collect();
        let all = open(&mut stage, principal("ann", &scopes));
        let frames = stage.ask_modern(all, json!(2), method, params.clone());
        assert!(frames.iter().all(|frame| frame["error"].is_null()), "{method} {params}: {frames:?}");
    }
    // A stream of notifications leaves out what its reader may not read.
    let session = open(&mut stage, principal("ann", &[]));
    let wanted =
        json!({ "notifications": { "resourceSubscriptions": ["x://fixed", "x://handled", "y://7"] } });
    let frames = stage.ask_modern(session, json!(3), "subscriptions/listen", wanted);
    assert_eq!(
        frames[0]["params"]["notifications"]["resourceSubscriptions"],
        json!(["x://fixed"]),
        "{frames:?}"
    );
}

#[test]
fn the_handler_learns_who_asks() {
    let mut stage = Stage::new(settings());
    let session = open(&mut stage, principal("ann", &["a"]));
    stage.ask_modern(session, json!(1), "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }));
    let run = stage.run();
    let text = stage.server.describe_request(run.request, stage.now.at).expect("a context");
    let context: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(context["principal"], json!({ "subject": "ann", "scopes": ["a"] }));
}

#[test]
fn a_state_of_one_principal_is_nothing_to_another() {
    let ask = |stage: &mut Stage, session: SessionId, state: Option<&Value>| {
        let mut params = json!({ "name": "add", "arguments": { "a": 1 } });
        if let Some(state) = state {
            params["requestState"] = state.clone();
        }
        stage.ask_modern(session, json!(1), "tools/call", params)
    };
    let mut stage = Stage::new(settings());
    let session = open(&mut stage, principal("ann", &[]));
    ask(&mut stage, session, None);
    let request = stage.run().request;
    assert!(stage.server.set_state(request, "kept"));
    stage.server.ask(request, "q", "elicitation/create", super::QUESTION);
    stage.server.returned(stage.now, request);
    let frames = stage.sent();
    let state = frames[0]["result"]["requestState"].clone();
    assert!(state.is_string(), "{frames:?}");
    for other in [principal("bob", &[]), None] {
        let session = open(&mut stage, other);
        assert_eq!(code(&ask(&mut stage, session, Some(&state))), -32602);
    }
    // Another token of the same principal, on another process of the fleet.
    let mut fleet = Stage::new(settings());
    fleet.server = {
        let mut server = Server::new(settings(), ring());
        server
            .add_tool(fleet.now, r#"{"name":"add","inputSchema":{"type":"object"}}"#, "add")
            .expect("a tool");
        server
    };
    let session = open(&mut fleet, principal("ann", &["more"]));
    assert!(ask(&mut fleet, session, Some(&state)).is_empty(), "it runs");
    let request = fleet.run().request;
    assert_eq!(fleet.server.state(request), Some("kept"));
}

#[test]
fn a_task_of_one_principal_is_not_there_for_another() {
    let mut stage = tasks::stage(settings());
    let session = open(&mut stage, principal("ann", &[]));
    let task = super::task_extension::begin(&mut stage, session, 1);
    let mut get = |who: Option<Arc<Principal>>| {
        let session = open(&mut stage, who);
        super::task_extension::ask(&mut stage, session, 2, "tasks/get", json!({ "taskId": task }))
    };
    assert_eq!(get(principal("ann", &["x"]))[0]["result"]["status"], "working");
    assert_eq!(code(&get(principal("bob", &[]))), -32602);
    assert_eq!(code(&get(None)), -32602);
}

#[test]
fn a_task_of_the_core_form_is_there_for_its_principal_and_with_the_scope_of_its_tool_only() {
    let access = AccessRules {
        tools: [("optional".to_owned(), vec!["run".to_owned()])].into(),
        ..AccessRules::default()
    };
    let mut stage = tasks::stage(crate::engine::server::Settings { access, ..settings() });
    let session = tasks::session(&mut stage);
    stage.server.authorize(session, principal("ann", &["run"]));
    let task = tasks::begin(&mut stage, session, json!(1), json!({}));
    let request = stage.run().request;
    let mut id = 10;
    let mut about = |stage: &mut Stage, who: Option<Arc<Principal>>, method: &str| {
        id += 1;
        stage.server.authorize(session, who);
        tasks::about(stage, session, id, method, &task)
    };
    for method in ["tasks/get", "tasks/cancel", "tasks/result"] {
        assert_eq!(code(&about(&mut stage, principal("bob", &["run"]), method)), -32602, "{method}");
        let refused = about(&mut stage, principal("ann", &[]), method);
        assert!(
            refused[0]["error"]["message"].as_str().is_some_and(|it| it.contains("'run'")),
            "{refused:?}"
        );
    }
    let listed = about(&mut stage, principal("ann", &[]), "tasks/list");
    assert_eq!(listed[0]["result"]["tasks"], json!([]));
    // What becomes of it is told to who may know it then.
    let (_, frames) = stage.respond(request, crate::engine::server::Outcome::Result(tasks::DONE));
    assert_eq!(frames, [] as [Value; 0], "the newest token lacks the scope");
    let listed = about(&mut stage, principal("ann", &["run"]), "tasks/list");
    assert_eq!(listed[0]["result"]["tasks"].as_array().map(Vec::len), Some(1));
    let result = about(&mut stage, principal("ann", &["run"]), "tasks/result");
    assert_eq!(result[0]["result"]["content"][0]["text"], "done");
}

#[test]
fn what_a_principal_may_see_is_kept_for_it_alone_whatever_the_handler_says() {
    let mut settings = crate::engine::server::Settings { access: rules(), ..settings() };
    settings.caching = crate::engine::server::Caching { ttl_ms: 1000, public: true };
    let mut stage = Stage::new(settings);
    let scope = |stage: &mut Stage, who: Option<Arc<Principal>>| {
        let session = open(stage, who);
        let lists = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"];
        let mut said: Vec<Value> = lists
            .iter()
            .map(|method| {
                stage.ask_modern(session, json!(*method), method, json!({}))[0]["result"]["cacheScope"]
                    .clone()
            })
            .collect();
        stage.ask_modern(session, json!(1), "resources/read", json!({ "uri": "x://handled" }));
        let request = stage.run().request;
        let result = r#"{"contents":[{"uri":"x://handled","text":"t"}],"cacheScope":"public","ttlMs":9}"#;
        let (_, frames) = stage.respond(request, crate::engine::server::Outcome::Result(result));
        said.push(frames[0]["result"]["cacheScope"].clone());
        said
    };
    assert_eq!(scope(&mut stage, principal("ann", &["read"])), vec![json!("private"); 5]);
    assert_eq!(scope(&mut stage, None), vec![json!("public"); 5]);
}

#[test]
fn a_principal_is_told_of_a_resource_only_while_its_token_allows_to_read_it() {
    let mut stage = Stage::new(crate::engine::server::Settings { access: rules(), ..settings() });
    let session = stage.legacy("2025-11-25", &json!({}));
    stage.server.authorize(session, principal("ann", &["read"]));
    for uri in ["x://handled", "x://fixed", "y://7"] {
        let answer = stage.ask_legacy(session, json!(uri), "resources/subscribe", json!({ "uri": uri }));
        assert_eq!(answer[0]["result"], json!({}), "{answer:?}");
    }
    let told = |stage: &mut Stage| {
        for uri in ["x://handled", "x://fixed", "y://7"] {
            stage.server.resource_updated(stage.now, uri);
        }
        let frames = stage.advance(std::time::Duration::from_secs(1));
        frames
            .iter()
            .map(|frame| frame["params"]["uri"].as_str().unwrap_or("").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(told(&mut stage), ["x://fixed", "x://handled", "y://7"]);
    stage.server.authorize(session, principal("ann", &[]));
    assert_eq!(told(&mut stage), ["x://fixed"]);
    let refused = stage.ask_legacy(session, json!(9), "resources/subscribe", json!({ "uri": "y://%37" }));
    assert_eq!(code(&refused), -32600);
}

fn needs(rules: &[(&str, &str)]) -> ScopesByName {
    rules.iter().map(|(name, scope)| ((*name).to_owned(), vec![(*scope).to_owned()])).collect()
}

fn stage(access: AccessRules) -> Stage {
    Stage::new(Settings { access, ..settings() })
}

fn with_skills(resources: &[(&str, &str)]) -> Stage {
    let mut stage = stage(AccessRules { resources: needs(resources).into(), ..AccessRules::default() });
    stage.server.set_skills(stage.now, "/f", extensions::set(&["a", "b"], "first")).expect("skills");
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
    let rules = [
        ("y://secret", "board"),
        ("y://rows/all?of={team}", "board"),
        ("y://rows?of={team}", "board"),
        ("y://plans/{year}/", "board"),
        ("y://plans/{?year}", "board"),
        ("y://folder/{+path}", "board"),
        ("y://a:b/{id}", "board"),
    ];
    let access = AccessRules { resources: needs(&rules).into(), ..AccessRules::default() };
    let mut stage = stage(access);
    let spellings =
        ["y://secret", "y://%73ecret", "y://%2573ecret", "y://SECRET", "y://secret%00", "y://secret."];
    for uri in spellings.into_iter().chain([
        "y://rows%2Fall%3Fof%3Dann",
        "y://rows%3Fof%3Dann",
        "y://plans%2F2027%2F",
        "y://plans%3Fyear%3D2027",
        "y://folder%2F",
        "y://folder",
        "y://a%3Ab%2F1",
        "y://secret%2F%00",
        "y://secret%00%2Fx",
    ]) {
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
