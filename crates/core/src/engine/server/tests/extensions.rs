//! Extensions: apps, relays, skills.

use super::{Stage, code, settings};
use crate::engine::server::{Effect, Kind, Outcome, Settings, Severity, Skill, SkillSet, Stream};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

fn tool(name: &str, meta: &serde_json::Value) -> String {
    json!({ "name": name, "inputSchema": { "type": "object" }, "_meta": meta }).to_string()
}

#[test]
fn the_resource_of_an_app_is_there_with_its_media_type_or_the_log_says_so() {
    let mut stage = Stage::new(settings());
    let now = stage.now;
    let uri = |name: &str| json!({ "ui": { "resourceUri": format!("ui://{name}") } });
    for name in ["late", "plain", "absent"] {
        stage.server.add_tool(now, &tool(name, &uri(name)), "app").expect("a tool");
    }
    // The name of drafts of the extension.
    stage
        .server
        .add_tool(now, &tool("old", &json!({ "ui/resourceUri": "ui://old" })), "app")
        .expect("a tool");
    let late = r#"{"name":"l","uri":"ui://late","mimeType":"text/html;profile=mcp-app"}"#;
    stage.server.add_fixed_text(now, late, "<p>").expect("a resource");
    let plain = r#"{"name":"p","uri":"ui://plain","mimeType":"text/html"}"#;
    stage.server.add_fixed_text(now, plain, "<p>").expect("a resource");
    // The application is asked for what a template matches.
    stage.server.add_tool(now, &tool("made", &uri("made/1")), "app").expect("a tool");
    let made = r#"{"name":"m","uriTemplate":"ui://made/{number}"}"#;
    stage.server.add_template(now, made, "app").expect("a template");
    stage.sent();
    stage.records.clear();
    let session = stage.legacy("2025-11-25", &json!({}));
    stage.ask_legacy(session, json!(1), "tools/list", json!({}));
    let found = stage.records.join("\n");
    assert_eq!(stage.records.len(), 3, "{found}");
    for part in ["'absent' names the resource 'ui://absent'", "'ui://plain' is the app", "'ui://old'"] {
        assert!(found.contains(part), "{part}: {found}");
    }
    assert!(found.contains("'text/html': it must be 'text/html;profile=mcp-app'"), "{found}");
    // Each is said once, and again of another definition.
    stage.ask_legacy(session, json!(2), "tools/list", json!({}));
    assert_eq!(stage.records.len(), 3);
    stage.server.remove(now, crate::engine::server::Kind::Tool, "absent");
    stage.server.add_tool(now, &tool("absent", &uri("absent")), "app").expect("a tool");
    stage.ask_legacy(session, json!(3), "tools/list", json!({}));
    assert_eq!(stage.records.len(), 4);
}

#[test]
fn an_app_has_a_uri_of_its_scheme() {
    let mut stage = Stage::new(settings());
    for uri in [json!("https://example.com/app"), json!("ui://"), json!(7)] {
        let wrong =
            stage.server.add_tool(stage.now, &tool("t", &json!({ "ui": { "resourceUri": uri } })), "t");
        let why = wrong.expect_err("it is refused").to_string();
        assert!(why.contains("ui://"), "{why}");
    }
    // A tool may say other things of apps without having one.
    let visible = json!({ "ui": { "visibility": ["app"] } });
    stage.server.add_tool(stage.now, &tool("t", &visible), "t").expect("a tool");
}

/// A relay before a server with these capabilities.
fn relay(capabilities: &Value) -> Stage {
    let mut stage = Stage::new(settings());
    // Methods that no schema has are asked.
    stage.keeps_schema = false;
    let capabilities = capabilities.as_object().cloned().unwrap_or_default();
    stage.server.relay("behind", capabilities);
    stage
}

#[test]
fn what_no_entry_is_for_goes_to_the_application_in_both_eras() {
    let mut stage = relay(&json!({ "completions": {} }));
    let legacy = stage.legacy("2025-11-25", &json!({}));
    for (method, params) in [
        ("tools/call", json!({ "name": "hidden" })),
        ("prompts/get", json!({ "name": "hidden" })),
        ("resources/read", json!({ "uri": "z://hidden" })),
        ("example/method", json!({ "a": 1 })),
    ] {
        assert_eq!(stage.ask_legacy(legacy, json!(1), method, params.clone()), [] as [Value; 0], "{method}");
        let run = stage.run();
        assert_eq!(run.handler, "behind");
        let (_, sent) = stage.respond(run.request, Outcome::Error { code: -1, message: "x", data: None });
        assert_eq!(code(&sent), -1);
        assert_eq!(stage.ask_modern(legacy, json!(2), method, params), [] as [Value; 0], "{method}");
        let run = stage.run();
        stage.respond(run.request, Outcome::Error { code: -1, message: "x", data: None });
    }
}

#[test]
fn what_belongs_to_the_protocol_is_answered_by_the_relay_itself() {
    let mut stage = relay(&json!({}));
    let session = stage.legacy("2025-11-25", &json!({}));
    assert_eq!(
        code(&stage.ask_modern(session, json!(1), "resources/subscribe", json!({ "uri": "x://a" }))),
        -32601
    );
    assert_eq!(code(&stage.ask_legacy(session, json!(2), "server/discover", json!({}))), -32601);
    assert!(stage.runs.is_empty());
}

#[test]
fn capabilities_that_the_library_does_not_know_are_those_of_the_server_behind() {
    let mut stage = relay(&json!({
        "tools": {"odd": 1}, "completions": {}, "experimental": {"x": {}}, "resources": {},
        "extensions": {"com.example/x": {"y": 1}, "io.modelcontextprotocol/tasks": {}},
    }));
    let session = stage.legacy("2025-11-25", &json!({}));
    let found =
        &stage.ask_modern(session, json!(1), "server/discover", json!({}))[0]["result"]["capabilities"];
    assert_eq!(found["experimental"], json!({"x": {}}));
    assert_eq!(found["extensions"]["com.example/x"], json!({"y": 1}));
    assert_eq!(found["extensions"]["io.modelcontextprotocol/tasks"], json!({}));
    assert_eq!(found["tools"], json!({"listChanged": true}), "its own it announces itself");
    assert_eq!(found["resources"].get("subscribe"), None, "the server behind has no subscriptions");
}

#[test]
fn the_application_learns_of_notifications_sessions_levels_and_subscriptions() {
    let mut stage = relay(&json!({ "resources": {"subscribe": true} }));
    let session = stage.legacy("2025-11-25", &json!({}));
    let effects = |stage: &mut Stage, message: &Value| -> Vec<String> {
        stage.server.frame(stage.now, Stream { session, number: 0 }, message.to_string().as_bytes());
        let mut found = Vec::new();
        while let Some(effect) = stage.server.effect() {
            match effect {
                Effect::Notified { method, params, .. } => found.push(format!("{method} {params}")),
                Effect::Joined(_) => found.push("joined".to_owned()),
                Effect::Subscriptions => found.push("subscriptions".to_owned()),
                Effect::LevelSet(_) => found.push("level".to_owned()),
                _ => {}
            }
        }
        found
    };
    let notification = |method: &str| json!({ "jsonrpc": "2.0", "method": method, "params": {"a": 1.50} });
    assert_eq!(effects(&mut stage, &notification("notifications/odd")), ["notifications/odd {\"a\":1.5}"]);
    assert_eq!(effects(&mut stage, &notification("notifications/initialized")), ["joined"]);
    let request = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 9, "method": method, "params": params });
    assert_eq!(effects(&mut stage, &request("logging/setLevel", json!({"level": "debug"}))), ["level"]);
    assert_eq!(stage.server.least_severity(), Some(Severity::Debug));
    let fixed = json!({ "uri": "x://fixed" });
    assert_eq!(effects(&mut stage, &request("resources/subscribe", fixed.clone())), ["subscriptions"]);
    assert_eq!(effects(&mut stage, &request("resources/subscribe", fixed.clone())), [] as [&str; 0]);
    let (all, by) = stage.server.subscribed();
    assert_eq!((all, by.len()), (["x://fixed".into()].into(), 1));
    assert_eq!(effects(&mut stage, &request("resources/unsubscribe", fixed)), ["subscriptions"]);
    let (all, by) = stage.server.subscribed();
    assert_eq!((all.len(), by.len()), (0, 1));
}

#[test]
fn another_server_drops_unknown_notifications_and_tells_nothing() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let odd = br#"{"jsonrpc":"2.0","method":"notifications/odd"}"#;
    stage.server.frame(stage.now, Stream { session, number: 0 }, odd);
    while let Some(effect) = stage.server.effect() {
        assert!(matches!(effect, Effect::Record { .. }), "{effect:?}");
    }
}

/// A folder with skills of these names, each with a `SKILL.md` and three files in a folder.
pub fn set(names: &[&str], text: &str) -> SkillSet {
    let mut set = SkillSet { bytes: names.len(), ..SkillSet::default() };
    for name in names {
        let root = format!("skill://{name}");
        let uri = format!("{root}/SKILL.md");
        let resource = json!({ "uri": uri, "name": name, "description": "d" }).to_string();
        let folder = json!({ "uri": format!("{root}/x"), "name": "x", "mimeType": "inode/directory" });
        set.folders.insert(root.clone(), vec![resource.clone(), folder.to_string()]);
        let mut children = Vec::new();
        for file in ["SKILL.md", "x/a", "x/b", "x/c"] {
            let uri = format!("{root}/{file}");
            let result = json!({ "contents": [{ "uri": uri, "text": format!("{text} {file}") }] });
            set.files.insert(uri.clone(), result.to_string().into());
            if file != "SKILL.md" {
                children.push(json!({ "uri": uri, "name": &file[2..] }).to_string());
            }
        }
        set.folders.insert(format!("{root}/x"), children);
        let entry = json!({ "uri": uri, "frontmatter": { "name": name, "description": "d" },
                    "resources": files_of(&root) });
        set.skills.push(Skill { uri, resource, entry: entry.to_string() });
    }
    set
}

/// What an entry says of its files.
fn files_of(root: &str) -> Value {
    let files = ["SKILL.md", "x/a", "x/b", "x/c"];
    files
        .iter()
        .map(|file| json!({ "uri": format!("{root}/{file}"), "digest": "sha256:0", "size": 1 }))
        .collect()
}

fn stage(settings: Settings, names: &[&str]) -> Stage {
    let mut stage = Stage::new(settings);
    stage.server.set_skills(stage.now, "/f", set(names, "first")).expect("skills");
    stage
}

fn result(frames: &[Value]) -> &Value {
    assert_eq!(frames.len(), 1, "{frames:?}");
    assert!(frames[0]["result"].is_object(), "{frames:?}");
    &frames[0]["result"]
}

#[test]
fn the_extension_is_declared_where_there_are_extensions() {
    let mut stage = stage(settings(), &["a"]);
    let session = stage.server.open(false).expect("a session");
    let discovery = stage.ask_modern(session, json!(1), "server/discover", json!({}));
    let capabilities = &result(&discovery)["capabilities"];
    assert_eq!(
        capabilities["extensions"]["io.modelcontextprotocol/skills"],
        json!({ "directoryRead": true })
    );
    assert!(capabilities["resources"].is_object());
    let session = stage.legacy("2025-11-25", &json!({}));
    for method in ["skills/list", "skills/get", "resources/directory/read"] {
        let answer = stage.ask_legacy(session, json!(1), method, json!({ "uri": "skill://a/SKILL.md" }));
        assert_eq!(code(&answer), -32601, "{method}");
    }
    let answer = stage.ask_legacy(session, json!(2), "resources/read", json!({ "uri": "skill://a/x/b" }));
    assert_eq!(result(&answer)["contents"][0]["text"], "first x/b");
    // Without skills there is nothing.
    let mut bare = Stage::new(settings());
    let session = bare.server.open(false).expect("a session");
    let discovery = bare.ask_modern(session, json!(1), "server/discover", json!({}));
    assert!(result(&discovery)["capabilities"].get("extensions").is_none());
    assert_eq!(code(&bare.ask_modern(session, json!(1), "skills/list", json!({}))), -32601);
}

#[test]
fn entries_come_in_pages_with_hints_for_caches() {
    let mut settings = settings();
    settings.page_size = 2;
    let mut stage = stage(settings, &["a", "b", "c", "d", "e"]);
    let session = stage.server.open(false).expect("a session");
    let mut seen = BTreeSet::new();
    let mut params = json!({});
    for page in 1..=3 {
        let answer = stage.ask_modern(session, json!(page), "skills/list", params.clone());
        let answer = result(&answer);
        assert_eq!((&answer["ttlMs"], &answer["cacheScope"]), (&json!(0), &json!("private")));
        assert_eq!(answer["resultType"], "complete");
        for skill in answer["skills"].as_array().expect("skills") {
            assert!(seen.insert(skill["uri"].as_str().expect("a URI").to_owned()));
        }
        assert_eq!(answer.get("nextCursor").is_some(), page < 3);
        params = json!({ "cursor": answer["nextCursor"] });
        // Another list's cursor; one that is null is absent.
        let foreign = stage.ask_modern(session, json!(9), "resources/list", params.clone());
        assert_eq!(foreign[0].get("error").is_some(), page < 3);
    }
    assert_eq!(seen.len(), 5);
    let answer = stage.ask_modern(session, json!(1), "skills/get", json!({ "uri": "skill://c/SKILL.md" }));
    assert_eq!(result(&answer)["skill"]["frontmatter"]["name"], "c");
    assert_eq!(result(&answer)["ttlMs"], 0);
    for params in
        [json!({ "uri": "skill://c" }), json!({ "uri": "skill://c/x/a" }), json!({}), json!({ "uri": 7 })]
    {
        assert_eq!(
            code(&stage.ask_modern(session, json!(1), "skills/get", params.clone())),
            -32602,
            "{params}"
        );
    }
}

#[test]
fn a_directory_has_its_direct_children() {
    let mut settings = settings();
    settings.page_size = 2;
    let mut stage = stage(settings, &["a"]);
    let session = stage.server.open(false).expect("a session");
    let read = |stage: &mut Stage, params: Value| {
        stage.ask_modern(session, json!(1), "resources/directory/read", params)
    };
    let answer = read(&mut stage, json!({ "uri": "skill://a" }));
    assert_eq!(result(&answer)["resources"][1]["mimeType"], "inode/directory");
    assert!(result(&answer).get("nextCursor").is_none() && result(&answer).get("ttlMs").is_none());
    let first = read(&mut stage, json!({ "uri": "skill://a/x" }));
    let cursor = result(&first)["nextCursor"].clone();
    let second = read(&mut stage, json!({ "uri": "skill://a/x", "cursor": cursor }));
    assert_eq!(result(&second)["resources"], json!([{ "uri": "skill://a/x/c", "name": "c" }]));
    for params in [
        json!({ "uri": "skill://a/SKILL.md" }),
        json!({ "uri": "skill://a/" }),
        json!({ "uri": "skill://none" }),
        json!({ "uri": "skill://a", "cursor": cursor }),
        json!({ "uri": "skill://a/x", "cursor": "x" }),
        json!({}),
    ] {
        assert_eq!(code(&read(&mut stage, params.clone())), -32602, "{params}");
    }
    // In the middle of a list that changes, the walk begins again.
    stage.server.set_skills(stage.now, "/f", set(&["a"], "second")).expect("skills");
    assert_eq!(code(&read(&mut stage, json!({ "uri": "skill://a/x", "cursor": cursor }))), -32602);
}

#[test]
fn a_folder_is_replaced_as_a_whole_and_subscribers_are_told() {
    let mut stage = stage(settings(), &["a", "b"]);
    let session = stage.legacy("2025-11-25", &json!({}));
    stage.ask_legacy(session, json!(1), "resources/subscribe", json!({ "uri": "skill://a/x/a" }));
    stage.advance(Duration::from_secs(1));
    let told = |frames: &[Value]| -> BTreeSet<String> {
        frames.iter().map(|frame| frame["method"].as_str().expect("a method").to_owned()).collect()
    };
    // The same again: nothing is told.
    stage.server.set_skills(stage.now, "/f", set(&["a", "b"], "first")).expect("skills");
    assert_eq!(stage.advance(Duration::from_secs(1)), Vec::<Value>::new());
    stage.server.set_skills(stage.now, "/f", set(&["a", "b"], "second")).expect("skills");
    let frames = stage.advance(Duration::from_secs(1));
    assert_eq!(told(&frames), BTreeSet::from(["notifications/resources/updated".to_owned()]));
    stage.server.set_skills(stage.now, "/f", set(&["a", "c"], "second")).expect("skills");
    let frames = stage.advance(Duration::from_secs(1));
    assert_eq!(told(&frames), BTreeSet::from(["notifications/resources/list_changed".to_owned()]));
    let list = stage.ask_legacy(session, json!(2), "resources/list", json!({}));
    let listed = result(&list)["resources"].to_string();
    assert!(listed.contains("skill://c/SKILL.md") && !listed.contains("skill://b/SKILL.md"), "{listed}");
    assert!(!listed.contains("skill://c/x/a"), "{listed}");
    let gone = stage.ask_legacy(session, json!(3), "resources/read", json!({ "uri": "skill://b/x/a" }));
    assert_eq!(code(&gone), -32002);
    let read = stage.ask_legacy(session, json!(4), "resources/read", json!({ "uri": "skill://a/SKILL.md" }));
    assert_eq!(result(&read)["contents"][0]["text"], "second SKILL.md");
}

#[test]
fn what_is_taken_or_too_much_changes_nothing() {
    let mut settings = settings();
    settings.limits.skills = 3;
    settings.limits.skills_bytes = 3;
    let mut stage = stage(settings, &["a", "b"]);
    let now = stage.now;
    let resource = r#"{"name":"own","uri":"skill://own/SKILL.md"}"#;
    stage.server.add_fixed_text(now, resource, "x").expect("a resource");
    let mut refused = |folder: &str, skills: SkillSet| {
        stage.server.set_skills(now, folder, skills).expect_err("refused").to_string()
    };
    assert!(refused("/g", set(&["own"], "")).contains("exists already"));
    assert!(refused("/g", set(&["a"], "")).contains("exists already"));
    assert!(refused("/g", set(&["a/x"], "")).contains("within one another"));
    assert!(refused("/g", set(&["c", "d"], "")).contains("limits.skills is 3"));
    let heavy = SkillSet { bytes: 2, ..set(&["c"], "") };
    assert!(refused("/g", heavy).contains("limits.skills_bytes is 3"));
    let session = stage.server.open(false).expect("a session");
    let answer = stage.ask_modern(session, json!(1), "skills/list", json!({}));
    assert_eq!(result(&answer)["skills"].as_array().map(Vec::len), Some(2));
    stage.server.set_skills(now, "/g", set(&["c"], "")).expect("room for one");
    assert!(stage.server.has_skills("/g"));
    // A resource that the application took away does not come between.
    assert!(stage.server.remove(now, Kind::Resource, "skill://c/SKILL.md"));
    stage.server.set_skills(now, "/g", SkillSet::default()).expect("removed");
    assert!(!stage.server.has_skills("/g"));
    let answer = stage.ask_modern(session, json!(2), "skills/get", json!({ "uri": "skill://c/SKILL.md" }));
    assert_eq!(code(&answer), -32602);
}
