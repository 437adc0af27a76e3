//! Calls of features: refused where the server lacks them, in the words of the connection's era; lists in one piece; results that
//! are not what their method promises.

use super::stage::{Made, Stage, discovery, legacy, modern, ms};
use crate::engine::{CallOptions, Feature, ListLimits, Retry, Settings, Status, TaskSettings, ToolFilter};
use crate::protocol::Revision;
use serde_json::{Value, json};

fn plain() -> CallOptions {
    CallOptions { feature: Feature::Plain, ..CallOptions::default() }
}

fn all_pages() -> CallOptions {
    CallOptions { feature: Feature::AllPages, ..CallOptions::default() }
}

/// A ready connection to a modern server with these capabilities.
fn modern_with(capabilities: &Value) -> Stage {
    let mut stage = Stage::opened(modern());
    let request = stage.sent_one();
    let mut result = discovery();
    result["capabilities"] = capabilities.clone();
    stage.answer(&request, &result);
    stage.take();
    stage.sent();
    stage
}

fn list(stage: &mut Stage) -> Made {
    stage.call_with("tools/list", all_pages())
}

/// Answers the request that is under way with one page.
/// Answers with a page of tools, of which only the names are given.
fn page(stage: &mut Stage, names: &Value, next: Option<&str>) {
    let request = stage.sent_one();
    let named = |name: &Value| json!({"name": name.as_str().map_or_else(|| name.to_string(), str::to_owned)});
    let tools: Vec<Value> = names.as_array().expect("a list").iter().map(named).collect();
    let mut result = json!({ "tools": tools });
    if let Some(next) = next {
        result["nextCursor"] = next.into();
    }
    stage.answer(&request, &result);
}

#[test]
fn what_the_server_did_not_declare_is_refused_and_nothing_is_sent() {
    for settings in [legacy(), modern()] {
        let mut stage = Stage::ready(settings);
        for (method, capability) in
            [("resources/subscribe", "resources.subscribe"), ("completion/complete", "completions")]
        {
            let error = stage.try_call(method, None, &plain()).expect_err("refused");
            assert_eq!((error.status, error.operation.as_str()), (Status::Unsupported, method));
            assert_eq!(error.details["capability"], capability);
            assert!(error.message.contains("capability_checks"), "{}", error.message);
        }
        assert!(stage.sent().is_empty());
        stage.try_call("tools/list", None, &plain()).expect("declared");
        stage.try_call("ping", None, &plain()).expect("needs no capability");
        stage
            .try_call("resources/list", None, &CallOptions::default())
            .expect("a raw method is the program's own");
    }
}

#[test]
fn a_call_made_before_the_handshake_is_refused_after_it() {
    let mut stage = Stage::new(legacy());
    let call = stage.call_with("completion/complete", plain());
    stage.open();
    stage.shake_hands();
    assert_eq!(stage.status(call), Status::Unsupported);
    assert_eq!(stage.sent_methods(), ["notifications/initialized"]);
}

#[test]
fn what_servers_have_and_do_not_declare_is_asked_for_and_a_refusal_says_that_it_is_not_there() {
    for settings in [legacy(), modern()] {
        let mut stage = Stage::ready(settings);
        for (method, feature) in
            [("resources/list", "resources"), ("resources/read", "resources"), ("prompts/get", "prompts")]
        {
            let call = stage.call_with(method, plain());
            let request = stage.sent_one();
            stage.refuse(&request, -32601, &Value::Null);
            let error = stage.error(call);
            assert_eq!((error.status, &error.details["capability"]), (Status::Unsupported, &json!(feature)));
        }
    }
}

#[test]
fn the_checks_can_be_turned_off() {
    let mut stage = Stage::ready(Settings { capability_checks: false, ..legacy() });
    stage.try_call("completion/complete", None, &plain()).expect("asked all the same");
    assert_eq!(stage.sent_methods(), ["completion/complete"]);
}

#[test]
fn the_first_revision_completes_without_declaring_it() {
    let mut stage = Stage::ready_at(Revision::V2024_11_05, Settings::default());
    stage.try_call("completion/complete", None, &plain()).expect("asked");
    let mut stage = Stage::ready_at(Revision::V2025_03_26, Settings::default());
    stage.try_call("completion/complete", None, &plain()).expect_err("not declared");
}

#[test]
fn a_completion_has_a_context_from_2025_06_18_on() {
    let given = r#"{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"1.50"},"context":{"arguments":{"b":"x"}}}"#;
    for revision in Revision::ALL {
        let mut stage =
            Stage::new(Settings { allowed: vec![revision], capability_checks: false, ..Settings::default() });
        let waited = stage.try_call("completion/complete", Some(given), &plain()).expect("accepted");
        stage.open();
        stage.shake_hands();
        stage.try_call("completion/complete", Some(given), &plain()).expect("accepted");
        let sent = stage.sent();
        let sent: Vec<&Value> = sent
            .iter()
            .filter(|frame| frame["method"] == "completion/complete")
            .map(|frame| &frame["params"])
            .collect();
        assert_eq!(sent.len(), 2);
        for params in sent {
            let context = (revision >= Revision::V2025_06_18).then(|| json!({"arguments": {"b": "x"}}));
            assert_eq!(params.get("context"), context.as_ref(), "{revision:?}");
            assert_eq!(params["argument"], json!({"name": "a", "value": "1.50"}));
            assert_eq!(params["ref"]["name"], "p");
        }
        assert!(stage.reply(waited).is_none());
    }
    let mut stage = Stage::ready_at(Revision::V2024_11_05, Settings::default());
    stage.try_call("completion/complete", Some(given), &CallOptions::default()).expect("accepted");
    assert!(stage.sent_one()["params"]["context"].is_object(), "a raw method is the program's own");
}

#[test]
fn a_ping_is_what_the_era_has_for_it() {
    let mut stage = Stage::ready(legacy());
    stage.call_with("ping", plain());
    assert_eq!(stage.sent_methods(), ["ping"]);
    let mut stage = Stage::ready(modern());
    let call = stage.call_with("ping", plain());
    let request = stage.sent_one();
    assert_eq!(request["method"], "server/discover");
    assert!(request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].is_string());
    stage.answer(&request, &discovery());
    assert_eq!(stage.status(call), Status::Ok);
}

#[test]
fn the_log_level_of_the_modern_era_goes_with_each_request() {
    let key = "io.modelcontextprotocol/logLevel";
    let mut stage = modern_with(&json!({"tools": {}, "logging": {}}));
    stage.call("tools/call");
    assert_eq!(stage.sent_one()["params"]["_meta"].get(key), None, "silent until asked");
    let set = stage.try_call("logging/setLevel", Some(r#"{"level":"warning"}"#), &plain()).expect("accepted");
    assert_eq!(stage.result(set), json!({}));
    assert!(stage.sent().is_empty());
    stage.call("tools/call");
    assert_eq!(stage.sent_one()["params"]["_meta"][key], "warning");
    let own = CallOptions { meta: format!("\"{key}\":\"debug\""), ..CallOptions::default() };
    stage.call_with("tools/call", own);
    assert_eq!(stage.sent_one()["params"]["_meta"][key], "debug", "the call's own goes before it");
}

#[test]
fn the_log_level_of_the_legacy_era_is_a_request() {
    let mut stage = Stage::ready(Settings { capability_checks: false, ..legacy() });
    stage.try_call("logging/setLevel", Some(r#"{"level":"warning"}"#), &plain()).expect("accepted");
    let request = stage.sent_one();
    assert_eq!(
        (&request["method"], &request["params"]["level"]),
        (&json!("logging/setLevel"), &json!("warning"))
    );
}

#[test]
fn all_pages_of_a_list_come_as_one_result() {
    let mut stage = Stage::ready(legacy());
    let call = list(&mut stage);
    let first = stage.sent_one();
    assert_eq!(first["params"], Value::Null);
    let result = json!({"tools": [{"name": "a"}], "nextCursor": "c", "_meta": {"x": 1}, "own": 7});
    stage.answer(&first, &result);
    let second = stage.sent_one();
    assert_eq!(second["params"], json!({"cursor": "c"}));
    assert_ne!(second["id"], first["id"]);
    stage.answer(&second, &json!({"tools": [{"name": "b"}, {"name": "c"}], "nextCursor": "z\"\u{e9}"}));
    let third = stage.sent_one();
    assert_eq!(third["params"], json!({"cursor": "z\"\u{e9}"}));
    assert!(stage.reply(call).is_none());
    // Some servers end a list so.
    stage.answer(&third, &json!({"tools": [], "nextCursor": ""}));
    let whole = json!({"_meta": {"x": 1}, "own": 7, "tools": [{"name": "a"}, {"name": "b"}, {"name": "c"}]});
    assert_eq!(stage.result(call), whole);
    assert!(stage.engine.pages.is_empty());
}

#[test]
fn a_list_of_one_page_is_the_servers_own_result() {
    let mut stage = Stage::ready(legacy());
    let call = list(&mut stage);
    let request = stage.sent_one();
    stage
        .text(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{ "tools":[ ] , "x":1.50 }}}}"#, request["id"]));
    let body = stage.reply(call).expect("ended").as_ref().expect("a result");
    assert_eq!(body.json.of(&body.frame), br#"{ "tools":[ ] , "x":1.50 }"#);
}

#[test]
fn the_shortest_lifetime_of_the_pages_is_that_of_the_list_and_one_private_page_makes_it_private() {
    let of =
        |ttl: u64, scope: &str| json!({"tools": [], "ttlMs": ttl, "cacheScope": scope, "nextCursor": "n"});
    for (scopes, whole) in [
        (["public", "public"], "public"),
        (["public", "private"], "private"),
        (["private", "public"], "private"),
        (["private", "private"], "private"),
    ] {
        let mut stage = Stage::ready(modern());
        let call = list(&mut stage);
        let request = stage.sent_one();
        stage.answer(&request, &of(5000, scopes[0]));
        let request = stage.sent_one();
        let mut last = of(700, scopes[1]);
        last["nextCursor"] = Value::Null;
        stage.answer(&request, &last);
        let result = stage.result(call);
        assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(700), &json!(whole)), "{scopes:?}");
    }
}

#[test]
fn a_cursor_that_repeats_ends_the_list_as_a_violation() {
    let mut stage = Stage::ready(legacy());
    let call = list(&mut stage);
    for cursor in ["a", "b", "a"] {
        page(&mut stage, &json!([1]), Some(cursor));
    }
    let error = stage.error(call);
    assert_eq!(error.status, Status::Protocol);
    assert!(error.message.contains("a second time, after 3 pages"), "{}", error.message);
    assert!(stage.sent().is_empty());
}

#[test]
fn a_list_is_bounded_in_pages_entries_and_bytes() {
    let bounds = ListLimits { pages: 3, items: 5, bytes: 100 };
    for (tools, key, after, items) in [
        (json!([1]), "limits.list_pages", 3, 3),
        (json!([1, 2, 3]), "limits.list_items", 2, 6),
        (json!(["x".repeat(60)]), "limits.list_bytes", 2, 2),
    ] {
        let mut stage = Stage::ready(Settings { lists: bounds, ..legacy() });
        let call = list(&mut stage);
        for number in 0..after {
            assert!(stage.reply(call).is_none());
            page(&mut stage, &tools, Some(&number.to_string()));
        }
        let error = stage.error(call);
        assert_eq!(error.status, Status::TooLarge);
        assert!(error.message.contains(key), "{}", error.message);
        assert_eq!((&error.details["pages"], &error.details["items"]), (&json!(after), &json!(items)));
        assert!(stage.engine.pages.is_empty());
    }
}

#[test]
fn the_last_page_and_the_only_one_are_bounded_too() {
    let bounds = ListLimits { pages: 3, items: 5, bytes: 100 };
    let large = json!(["x".repeat(60)]);
    for (pages, key) in [
        (vec![json!([1, 2, 3, 4, 5])], None),
        (vec![json!([1, 2, 3, 4, 5, 6])], Some("limits.list_items")),
        (vec![json!([1, 2, 3]), json!([4, 5])], None),
        (vec![json!([1, 2, 3]), json!([4, 5, 6])], Some("limits.list_items")),
        (vec![json!([1, 2, 3, 4, 5]), json!([])], None),
        (vec![large.clone()], None),
        (vec![json!(["x".repeat(100)])], Some("limits.list_bytes")),
        (vec![large.clone(), large], Some("limits.list_bytes")),
        (vec![json!([1]), json!([2]), json!([3])], None),
    ] {
        let mut stage = Stage::ready(Settings { lists: bounds, ..legacy() });
        let call = list(&mut stage);
        for (number, tools) in pages.iter().enumerate() {
            let cursor = (number + 1 < pages.len()).then(|| number.to_string());
            page(&mut stage, tools, cursor.as_deref());
        }
        match key {
            Some(key) => {
                assert!(stage.error(call).message.contains(key), "{pages:?}: {:?}", stage.error(call));
            }
            None => {
                let entries: usize = pages.iter().filter_map(Value::as_array).map(Vec::len).sum();
                assert_eq!(stage.result(call)["tools"].as_array().map(Vec::len), Some(entries), "{pages:?}");
            }
        }
        assert!(stage.engine.pages.is_empty());
    }
}

#[test]
fn a_page_that_was_asked_for_by_itself_is_not_bounded_as_a_list() {
    let bounds = ListLimits { pages: 1, items: 1, bytes: 1 };
    let mut stage = Stage::ready(Settings { lists: bounds, ..legacy() });
    let call = stage.call_with("tools/list", plain());
    page(&mut stage, &json!([1, 2, 3]), Some("next"));
    assert_eq!(stage.result(call)["nextCursor"], "next");
}

#[test]
fn cursors_count_as_bytes_of_a_list() {
    // A thousand pages with a cursor of 16 MiB each would be 16 GiB.
    let bounds = ListLimits { bytes: 1000, ..ListLimits::default() };
    let mut stage = Stage::ready(Settings { lists: bounds, ..legacy() });
    let call = list(&mut stage);
    page(&mut stage, &json!([]), Some(&"a".repeat(600)));
    assert!(stage.reply(call).is_none());
    page(&mut stage, &json!([]), Some(&"b".repeat(600)));
    assert_eq!(stage.error(call).status, Status::TooLarge);
    assert!(stage.error(call).message.contains("limits.list_bytes"));
}

#[test]
fn a_page_that_is_no_list_or_has_an_odd_cursor_breaks_the_protocol() {
    for result in [
        json!({"nextCursor": "a"}),
        json!({"tools": {"a": {}}, "nextCursor": "a"}),
        json!({"tools": [], "nextCursor": 7}),
    ] {
        let mut stage = Stage::ready(legacy());
        let call = list(&mut stage);
        let request = stage.sent_one();
        stage.answer(&request, &result);
        assert_eq!(stage.status(call), Status::Protocol, "{result}");
    }
}

#[test]
fn an_error_in_the_middle_of_a_list_is_the_lists() {
    let mut stage = Stage::ready(legacy());
    let call = list(&mut stage);
    page(&mut stage, &json!([1]), Some("a"));
    let request = stage.sent_one();
    stage.refuse(&request, -32602, &Value::Null);
    assert_eq!(stage.status(call), Status::Server);
    assert!(stage.engine.pages.is_empty());
}

#[test]
fn each_page_has_its_own_time_and_all_of_them_the_total() {
    let mut stage = Stage::ready(legacy());
    let options = CallOptions { timeout: Some(ms(1000)), max_total: Some(ms(2500)), ..all_pages() };
    let call = stage.call_with("tools/list", options);
    for cursor in ["a", "b", "c"] {
        stage.pass(ms(800));
        assert!(stage.reply(call).is_none());
        page(&mut stage, &json!([1]), Some(cursor));
    }
    stage.pass(ms(99));
    assert!(stage.reply(call).is_none());
    stage.pass(ms(1));
    assert_eq!(stage.status(call), Status::Timeout);
}

#[test]
fn a_cancelled_list_asks_no_more() {
    let mut stage = Stage::ready(legacy());
    let call = list(&mut stage);
    page(&mut stage, &json!([1]), Some("a"));
    let under_way = stage.sent_one();
    assert!(stage.cancel(call, ""));
    assert_eq!(stage.sent_one()["params"]["requestId"], under_way["id"]);
    stage.answer(&under_way, &json!({"tools": [], "nextCursor": "b"}));
    assert!(stage.sent().is_empty());
    assert!(stage.engine.pages.is_empty());
}

#[test]
fn a_list_whose_connection_is_lost_begins_again() {
    let mut stage = Stage::ready(Settings { retry: Retry::Safe, ..legacy() });
    let call = list(&mut stage);
    page(&mut stage, &json!(["old"]), Some("a"));
    stage.sent();
    stage.lose("it died");
    stage.come_back();
    stage.open();
    stage.shake_hands();
    let request = stage.sent().pop().expect("the list again");
    assert_eq!(request["params"], Value::Null);
    stage.answer(&request, &json!({"tools": [{"name": "new"}], "nextCursor": "a"}));
    page(&mut stage, &json!(["more"]), None);
    assert_eq!(stage.result(call), json!({"tools": [{"name": "new"}, {"name": "more"}]}));
}

#[test]
fn the_metadata_of_a_list_goes_with_each_page() {
    let mut stage = Stage::ready(modern());
    let options = CallOptions { meta: r#""own":true"#.to_owned(), progress: true, ..all_pages() };
    let call = stage.call_with("tools/list", options);
    let first = stage.sent_one();
    stage.answer(&first, &json!({"tools": [], "nextCursor": "a"}));
    let second = stage.sent_one();
    assert_eq!(second["params"]["_meta"], first["params"]["_meta"]);
    assert_eq!(second["params"]["_meta"]["own"], true);
    assert!(stage.reply(call).is_none());
}

#[test]
fn roots_are_announced_to_legacy_servers_and_answered_ever_after() {
    let settings = |settings: Settings| Settings {
        roots: Some(r#"{"roots":[]}"#.to_owned()),
        ..super::stage::declaring(settings, &json!({"roots": {"listChanged": true}}))
    };
    let new = r#"{"roots":[{"uri":"file:///b"}]}"#;
    let mut stage = Stage::ready(settings(legacy()));
    stage.set_roots(new).expect("declared");
    assert_eq!(stage.sent_methods(), ["notifications/roots/list_changed"]);
    stage.frame(&json!({"jsonrpc": "2.0", "id": 5, "method": "roots/list"}));
    assert_eq!(stage.sent_one()["result"]["roots"][0]["uri"], "file:///b");
    let mut stage = Stage::ready(settings(modern()));
    stage.set_roots(new).expect("declared");
    assert!(stage.sent().is_empty(), "the modern era has no such notification");
    let mut stage = Stage::ready(legacy());
    assert_eq!(stage.set_roots(new).expect_err("not declared").status, Status::Unsupported);
}

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

#[test]
fn tools_that_are_not_used_are_in_no_list_and_called_in_no_way() {
    let tools = ToolFilter { allowed: None, denied: vec!["no".to_owned()] };
    for feature in [Feature::Plain, Feature::AllPages, Feature::Raw] {
        let options = CallOptions { feature, ..CallOptions::default() };
        let mut stage = Stage::ready(Settings { tools: tools.clone(), ..unchecked() });
        let call = stage.call_with("tools/list", options.clone());
        let request = stage.sent_one();
        stage.answer(&request, &json!({"x": [1], "tools": [{"name": "no"}, {"name": "yes"}]}));
        assert_eq!(stage.result(call), json!({"x": [1], "tools": [{"name": "yes"}]}), "{feature:?}");
        for (params, is_sent) in [
            (r#"{"name":"yes"}"#, true),
            (r#"{"name":"yes","arguments":{"name":"no"}}"#, true),
            (r#"{"name":"no"}"#, false),
            (r#"{"Name":"no"}"#, false),
            (r#"{"n\u0061me":"no"}"#, false),
            (r#"{"name":"yes","Name":"no"}"#, false),
            (r#"{"name":"no","name":"yes"}"#, false),
            (r#"{"name":"yes","N\u0041ME":"no"}"#, false),
        ] {
            let made = stage.try_call("tools/call", Some(params), &options);
            assert_eq!(made.is_ok(), is_sent, "{params} {feature:?}");
            assert!(made.err().is_none_or(|error| error.status == Status::InvalidArgument));
            assert_eq!(stage.sent().len(), usize::from(is_sent), "{params} {feature:?}");
        }
        let now = stage.now;
        let told = stage.engine.notify(now, "tools/call", None);
        assert!(told.is_err_and(|error| error.status == Status::InvalidArgument));
        assert!(stage.engine.notify(now, "notifications/x", None).is_ok());
    }
    // Where all may be used, the server says what it thinks of two names.
    let mut stage = Stage::ready(unchecked());
    let twice = r#"{"name":"a","Name":"b"}"#;
    assert!(stage.try_call("tools/call", Some(twice), &CallOptions::default()).is_ok());
}
