//! Principals: what each sees and may ask, and what is bound to it.

use super::stage::{Stage, code, ring, settings};
use super::tasks;
use crate::engine::server::{AccessRules, Principal, ScopesByName, Server, SessionId};
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
    stage.server.ask(request, "q", "elicitation/create", super::stage::QUESTION);
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
