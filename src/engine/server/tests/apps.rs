//! Apps of tools: what is wrong with them is found when they are added, or when they are first listed.

use super::stage::{Stage, settings};
use serde_json::json;

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
