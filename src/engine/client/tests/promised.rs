//! Results that are not what their method promises.

use super::stage::{Stage, legacy};
use crate::engine::{CallOptions, Feature, Settings, Status, TaskSettings};
use serde_json::json;

#[test]
fn a_result_that_is_no_object_breaks_the_protocol() {
    for result in [json!(42), json!(null), json!([1]), json!("x"), json!(true)] {
        for feature in [Feature::Raw, Feature::Plain] {
            let mut stage = Stage::ready(legacy());
            let call = stage.call_with("tools/call", CallOptions { feature, ..CallOptions::default() });
            let request = stage.sent_one();
            stage.answer(&request, &result);
            assert_eq!(stage.status(call), Status::Protocol, "{result}");
            assert_eq!(stage.counters().violations, 1);
        }
    }
}

#[test]
fn the_result_of_a_tool_has_blocks_that_are_objects() {
    for (result, is_good) in [
        (json!({}), true),
        (json!({"content": []}), true),
        (json!({"content": [{"type": "text", "text": "x"}], "isError": true}), true),
        (json!({"content": null, "isError": null}), true),
        (json!({"structuredContent": 7}), true),
        (json!({"content": "the tide is in"}), false),
        (json!({"content": {"type": "text"}}), false),
        (json!({"content": ["x"]}), false),
        (json!({"content": [{"type": "text", "text": "x"}, null]}), false),
        (json!({"content": 7}), false),
        (json!({"content": [], "isError": "true"}), false),
        (json!({"content": [], "isError": 1}), false),
    ] {
        for feature in [Feature::Plain, Feature::Raw] {
            let mut stage = Stage::ready(legacy());
            let call = stage.call_with("tools/call", CallOptions { feature, ..CallOptions::default() });
            let request = stage.sent_one();
            stage.answer(&request, &result);
            let is_good = is_good || feature == Feature::Raw;
            assert_eq!(stage.status(call), if is_good { Status::Ok } else { Status::Protocol }, "{result}");
            assert_eq!(stage.counters().violations, u64::from(!is_good), "{result}");
        }
    }
}

fn unchecked() -> Settings {
    Settings { capability_checks: false, tasks: Some(TaskSettings::default()), ..legacy() }
}

#[test]
fn a_list_without_its_member_fails_and_a_raw_call_does_not() {
    let cases = [
        ("tools/list", json!({}), false),
        ("tools/list", json!({"tools": {"a": {"name": "a"}}}), false),
        ("tools/list", json!({"tools": [{"name": "a"}]}), true),
        ("tools/list", json!({"tools": []}), true),
        ("prompts/list", json!({"prompts": 7}), false),
        ("resources/list", json!({"resources": "a"}), false),
        ("resources/read", json!({"contents": "x"}), false),
        ("prompts/get", json!({"description": "x"}), false),
        ("prompts/get", json!({"messages": [{"role": "user"}]}), true),
        ("resources/read", json!({"contents": [{"uri": "a:b", "text": ""}]}), true),
        ("tasks/list", json!({"tasks": {"x": {}}}), false),
        ("tasks/list", json!({"tasks": []}), true),
        ("skills/list", json!({}), false),
        ("skills/list", json!({"skills": [{"uri": "skill://a/SKILL.md"}]}), true),
    ];
    for (method, result, is_good) in cases {
        for feature in [Feature::Raw, Feature::AllPages] {
            let mut stage = Stage::ready(unchecked());
            let call = stage.call_with(method, CallOptions { feature, ..CallOptions::default() });
            let request = stage.sent_one();
            stage.answer(&request, &result);
            let expected = if is_good || feature == Feature::Raw { Status::Ok } else { Status::Protocol };
            assert_eq!(stage.status(call), expected, "{method} {result} {feature:?}");
        }
    }
}

#[test]
fn entries_that_cannot_be_used_are_left_out_and_counted() {
    let cases = [
        ("tools/list", "tools", "name"),
        ("prompts/list", "prompts", "name"),
        ("resources/list", "resources", "uri"),
        ("resources/templates/list", "resourceTemplates", "uriTemplate"),
        ("tasks/list", "tasks", "taskId"),
        ("skills/list", "skills", "uri"),
    ];
    for (method, list, key) in cases {
        for feature in [Feature::Plain, Feature::AllPages, Feature::Raw] {
            let mut stage = Stage::ready(unchecked());
            let call = stage.call_with(method, CallOptions { feature, ..CallOptions::default() });
            let request = stage.sent_one();
            let entries = json!([42, {key: "a", "x": [1.50]}, null, {}, {key: 7}, "b", [], {key: "c"}]);
            let result = json!({"before": 1, list: entries, "after\"": {list: [1]}});
            stage.answer(&request, &result);
            let (expected, left_out) = match feature {
                Feature::Raw => (result, 0),
                _ => {
                    let usable = json!([{key: "a", "x": [1.50]}, {key: "c"}]);
                    (json!({"before": 1, list: usable, "after\"": {list: [1]}}), 6)
                }
            };
            assert_eq!(stage.result(call), expected, "{method} {feature:?}");
            assert_eq!(stage.counters().violations, left_out, "{method} {feature:?}");
        }
    }
}

#[test]
fn entries_are_left_out_of_every_page() {
    let mut stage = Stage::ready(legacy());
    let call =
        stage.call_with("tools/list", CallOptions { feature: Feature::AllPages, ..CallOptions::default() });
    let request = stage.sent_one();
    stage.answer(&request, &json!({"tools": [1, {"name": "a"}], "nextCursor": "2"}));
    let request = stage.sent_one();
    stage.answer(&request, &json!({"tools": [{"name": "b"}, {"title": "c"}]}));
    assert_eq!(stage.result(call), json!({"tools": [{"name": "a"}, {"name": "b"}]}));
    assert_eq!(stage.counters().violations, 2);
}
