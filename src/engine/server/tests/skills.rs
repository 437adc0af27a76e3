//! Published skills: what is declared, listed, read, and told when it changes.

use super::stage::{Stage, code, settings};
use crate::engine::server::{Kind, Settings, Skill, SkillSet};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

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
    assert!(refused("/g", set(&["own"], "")).contains("there already"));
    assert!(refused("/g", set(&["a"], "")).contains("there already"));
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
