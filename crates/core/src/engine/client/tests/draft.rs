//! Texts of the next revision against a server that is played by hand: one that keeps to the text, and one that does not.

use super::stage::{Made, Saw, Stage, declaring, legacy, modern};
use crate::engine::{CallOptions, Feature, Settings, Status};
use crate::protocol::draft::Drafts;
use serde_json::{Value, json};

const DIGEST: &str = "io.modelcontextprotocol/digest";
const EXPECTED: &str = "io.modelcontextprotocol/expectedDigest";
const ACCEPT: &str = "io.modelcontextprotocol/acceptLanguage";
const REQUIRED: &str = "io.modelcontextprotocol/requiredCapabilities";

fn with(draft: Drafts) -> Settings {
    Settings { draft, ..modern() }
}

/// A tool as a list has it.
fn tool(name: &str, digest: &str, input: &str) -> Value {
    json!({"name": name, "inputSchema": {"type": input}, "_meta": {DIGEST: digest}})
}

fn listing(tools: &[Value]) -> Value {
    json!({"tools": tools, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"})
}

fn done(digest: Option<&str>) -> Value {
    let mut result = json!({"content": [], "resultType": "complete"});
    if let Some(digest) = digest {
        result["_meta"] = json!({DIGEST: digest});
    }
    result
}

/// Lists as an application does; gives what it got.
fn list(stage: &mut Stage, method: &str, result: &Value) -> Value {
    let options = CallOptions { feature: Feature::AllPages, ..CallOptions::default() };
    let made = stage.try_call(method, None, &options).expect("accepted");
    let request = stage.sent_one();
    stage.answer(&request, result);
    stage.result(made)
}

fn call(stage: &mut Stage, name: &str) -> (Made, Value) {
    let made = stage
        .try_call("tools/call", Some(&json!({"name": name}).to_string()), &CallOptions::default())
        .expect("accepted");
    (made, stage.sent_one())
}

fn expected(request: &Value) -> Option<&str> {
    request["params"]["_meta"][EXPECTED].as_str()
}

/// What the application was told since the last look.
fn told(stage: &mut Stage) -> Vec<String> {
    let told = stage.take().into_iter().filter_map(|saw| match saw {
        Saw::Notified { method, .. } => Some(method),
        _ => None,
    });
    told.collect()
}

#[test]
fn without_a_name_in_the_settings_nothing_of_it_is_sent() {
    for settings in [modern(), Settings { draft: Drafts::DIGEST, ..legacy() }] {
        let language = Some("fr".to_owned());
        let mut stage = Stage::ready(Settings { language, ..settings });
        list(&mut stage, "tools/list", &listing(&[tool("a", "v1", "object")]));
        let (made, request) = call(&mut stage, "a");
        assert_eq!(expected(&request), None);
        assert_eq!(request["params"]["_meta"].get(ACCEPT), None);
        stage.refuse(&request, -32005, &json!({DIGEST: "v2"}));
        assert_eq!(stage.status(made), Status::Server);
        assert!(stage.sent().is_empty() && told(&mut stage).is_empty());
    }
    let stage = Stage::ready(modern());
    assert!(!stage.engine.keeps_for_digests("tools/call"), "no copy of the call is kept");
}

#[test]
fn a_call_expects_the_definition_that_the_application_was_shown() {
    let mut stage = Stage::ready(with(Drafts::DIGEST));
    let (_, request) = call(&mut stage, "a");
    assert_eq!(expected(&request), None, "nothing is known of it");
    stage.answer(&request, &done(Some("v0")));
    let odd = tool("odd", "has a space", "object");
    list(&mut stage, "tools/list", &listing(&[tool("a", "v1", "object"), json!({"name": "b"}), odd]));
    for (name, digest) in [("a", Some("v1")), ("b", None), ("odd", None), ("c", None)] {
        let (made, request) = call(&mut stage, name);
        assert_eq!(expected(&request), digest, "{name}");
        stage.answer(&request, &done(digest));
        assert_eq!(stage.status(made), Status::Ok);
    }
    assert!(told(&mut stage).is_empty());
    // What the application says itself goes before it.
    let options = CallOptions { meta: format!("\"{EXPECTED}\":\"mine\""), ..CallOptions::default() };
    stage.try_call("tools/call", Some(r#"{"name":"a"}"#), &options).expect("accepted");
    assert_eq!(expected(&stage.sent_one()), Some("mine"));
    // Prompts and resources have digests, too.
    let metadata = json!({DIGEST: "p1"});
    list(
        &mut stage,
        "prompts/list",
        &json!({"prompts": [{"name": "p", "_meta": metadata}], "resultType": "complete"}),
    );
    let resource = json!({"name": "r", "uri": "x://r", "_meta": metadata});
    list(&mut stage, "resources/list", &json!({"resources": [resource], "resultType": "complete"}));
    for (method, params) in [("prompts/get", r#"{"name":"p"}"#), ("resources/read", r#"{"uri":"x://r"}"#)] {
        stage.try_call(method, Some(params), &CallOptions::default()).expect("accepted");
        assert_eq!(expected(&stage.sent_one()), Some("p1"), "{method}");
    }
    // Another list replaces all that was known of its kind.
    list(&mut stage, "tools/list", &listing(&[]));
    assert_eq!(expected(&call(&mut stage, "a").1), None);
}

#[test]
fn what_is_known_survives_the_connection_and_is_bounded() {
    let mut stage = Stage::ready(with(Drafts::DIGEST));
    list(&mut stage, "tools/list", &listing(&[tool("a", "v1", "object")]));
    stage.lose("gone");
    stage.come_back();
    stage.open();
    stage.shake_hands();
    stage.sent();
    assert_eq!(expected(&call(&mut stage, "a").1), Some("v1"), "the model still goes by that definition");
    let many: Vec<Value> = (0..10_100).map(|n| tool(&format!("t{n}"), "v", "object")).collect();
    list(&mut stage, "tools/list", &listing(&many));
    assert_eq!(stage.engine.digests.count(), 10_000);
    let long: Vec<Value> =
        (0..100).map(|n| tool(&format!("{n}{}", "x".repeat(20_000)), "v", "object")).collect();
    list(&mut stage, "tools/list", &listing(&long));
    assert_eq!(stage.engine.digests.count(), 52, "a mebibyte of names");
}

#[test]
fn a_refused_call_lists_again_and_goes_out_under_a_new_id_if_its_arguments_mean_the_same() {
    let mut stage = Stage::ready(with(Drafts::DIGEST));
    list(&mut stage, "tools/list", &listing(&[tool("a", "v1", "object")]));
    let (made, first) = call(&mut stage, "a");
    stage.refuse(&first, -32005, &json!({DIGEST: "v2"}));
    assert_eq!(told(&mut stage), ["notifications/tools/list_changed"]);
    let again = stage.sent_one();
    assert_eq!(again["method"], "tools/list");
    // The description is another one, and so is the digest. The list comes in pages.
    let mut page = listing(&[tool("z", "z1", "object")]);
    page["nextCursor"] = json!("2");
    stage.answer(&again, &page);
    let again = stage.sent_one();
    assert_eq!(again["params"]["cursor"], "2");
    stage.answer(&again, &listing(&[tool("a", "v2", "object")]));
    let second = stage.sent_one();
    assert_eq!((&second["method"], expected(&second)), (&json!("tools/call"), Some("v2")));
    assert_ne!(second["id"], first["id"]);
    stage.answer(&second, &done(Some("v2")));
    assert_eq!(stage.status(made), Status::Ok);
    assert!(told(&mut stage).is_empty());
}

#[test]
fn a_refused_call_ends_if_its_arguments_may_mean_something_else() {
    let gone = listing(&[]);
    let other = listing(&[tool("a", "v2", "array")]);
    let same = listing(&[tool("a", "v1", "object")]);
    let silent = listing(&[json!({"name": "a", "inputSchema": {"type": "object"}})]);
    for listed in [gone, other, same, silent] {
        let mut stage = Stage::ready(with(Drafts::DIGEST));
        list(&mut stage, "tools/list", &listing(&[tool("a", "v1", "object")]));
        let (made, request) = call(&mut stage, "a");
        stage.refuse(&request, -32005, &json!({DIGEST: "v2"}));
        let again = stage.sent_one();
        stage.answer(&again, &listed);
        assert!(stage.sent().is_empty(), "{listed}");
        let error = stage.error(made);
        assert_eq!((error.status, error.code), (Status::Server, Some(-32005)), "{listed}");
        assert!(error.message.contains("list the tools again"), "{}", error.message);
        // The application decides by a fresh list; until then its calls expect nothing that is known to be wrong.
        assert_eq!(expected(&call(&mut stage, "a").1), None);
    }
    // A list that cannot be had is no reason to send the call.
    let mut stage = Stage::ready(with(Drafts::DIGEST));
    list(&mut stage, "tools/list", &listing(&[tool("a", "v1", "object")]));
    let (made, request) = call(&mut stage, "a");
    stage.refuse(&request, -32005, &json!({}));
    let again = stage.sent_one();
    stage.refuse(&again, -32603, &Value::Null);
    assert!(stage.sent().is_empty());
    assert_eq!(stage.error(made).code, Some(-32005));
}

#[test]
fn a_server_that_refuses_for_ever_is_asked_twice() {
    let mut stage = Stage::ready(with(Drafts::DIGEST));
    list(&mut stage, "tools/list", &listing(&[tool("a", "v0", "object")]));
    let (made, mut request) = call(&mut stage, "a");
    let mut calls = 1;
    for version in 1..100 {
        stage.refuse(&request, -32005, &json!({DIGEST: format!("v{version}")}));
        let Some(again) = stage.sent().pop() else { break };
        assert_eq!(again["method"], "tools/list");
        stage.answer(&again, &listing(&[tool("a", &format!("v{version}"), "object")]));
        request = stage.sent_one();
        calls += 1;
    }
    assert_eq!((calls, stage.error(made).code), (2, Some(-32005)));
    assert_eq!(stage.engine.digests.count(), 0);
    // A call that expects nothing cannot be refused for it, and what is no tool is not sent again.
    let (made, request) = call(&mut stage, "a");
    assert_eq!(expected(&request), None);
    stage.refuse(&request, -32005, &json!({}));
    assert!(stage.sent().is_empty());
    assert_eq!(stage.status(made), Status::Server);
    let prompt = json!({"name": "p", "_meta": {DIGEST: "p1"}});
    list(&mut stage, "prompts/list", &json!({"prompts": [prompt], "resultType": "complete"}));
    told(&mut stage);
    let made =
        stage.try_call("prompts/get", Some(r#"{"name":"p"}"#), &CallOptions::default()).expect("accepted");
    let request = stage.sent_one();
    stage.refuse(&request, -32005, &json!({DIGEST: "p2"}));
    assert!(stage.sent().is_empty());
    assert_eq!(
        (stage.error(made).code, told(&mut stage)),
        (Some(-32005), vec!["notifications/prompts/list_changed".to_owned()])
    );
}

#[test]
fn a_call_that_is_given_up_while_the_list_comes_leaves_nothing() {
    let mut stage = Stage::ready(with(Drafts::DIGEST));
    list(&mut stage, "tools/list", &listing(&[tool("a", "v1", "object")]));
    let (made, request) = call(&mut stage, "a");
    stage.refuse(&request, -32005, &json!({}));
    let again = stage.sent_one();
    stage.cancel(made, "");
    assert_eq!(stage.status(made), Status::Cancelled);
    stage.sent();
    stage.answer(&again, &listing(&[tool("a", "v2", "object")]));
    assert!(stage.sent().is_empty());
}

/// Two calls by v1, and what the server does with the second one after the first one was refused, by the definition that is there then.
#[test]
fn a_call_is_judged_by_what_it_was_sent_with_and_not_by_what_is_known_when_it_is_refused() {
    let v2 = listing(&[tool("a", "v2", "object")]);
    let ready = || {
        let mut stage = Stage::ready(with(Drafts::DIGEST));
        list(&mut stage, "tools/list", &listing(&[tool("a", "v1", "object")]));
        let (first, second) = (call(&mut stage, "a"), call(&mut stage, "a"));
        assert_eq!((expected(&first.1), expected(&second.1)), (Some("v1"), Some("v1")));
        (stage, first, second)
    };
    let ends_well = |stage: &mut Stage, made: Made, request: &Value| {
        assert_eq!((&request["method"], expected(request)), (&json!("tools/call"), Some("v2")));
        stage.answer(request, &done(Some("v2")));
        assert_eq!(stage.status(made), Status::Ok);
    };
    // The first one is through already: the second one needs no list of its own.
    let (mut stage, first, second) = ready();
    stage.refuse(&first.1, -32005, &json!({}));
    let again = stage.sent_one();
    stage.answer(&again, &v2);
    let request = stage.sent_one();
    ends_well(&mut stage, first.0, &request);
    stage.refuse(&second.1, -32005, &json!({}));
    let request = stage.sent_one();
    assert_eq!(told(&mut stage).len(), 1, "once");
    // It is sent again once.
    stage.refuse(&request, -32005, &json!({}));
    assert!(stage.sent().is_empty());
    assert_eq!(stage.error(second.0).code, Some(-32005));
    // Both are refused before the list is there: it comes once for both.
    let (mut stage, first, second) = ready();
    stage.refuse(&first.1, -32005, &json!({}));
    let again = stage.sent_one();
    stage.refuse(&second.1, -32005, &json!({}));
    assert!(stage.sent().is_empty());
    stage.answer(&again, &v2);
    let requests = stage.sent();
    assert_eq!(requests.len(), 2);
    ends_well(&mut stage, first.0, &requests[0]);
    ends_well(&mut stage, second.0, &requests[1]);
    // A result said that there is another definition, which is not known: the list says whether the second one fits it.
    let (mut stage, first, second) = ready();
    stage.answer(&first.1, &done(Some("v2")));
    assert_eq!((stage.status(first.0), told(&mut stage).len()), (Status::Ok, 1));
    stage.refuse(&second.1, -32005, &json!({}));
    let again = stage.sent_one();
    stage.answer(&again, &v2);
    let request = stage.sent_one();
    ends_well(&mut stage, second.0, &request);
    assert!(told(&mut stage).is_empty());
    // The application listed meanwhile: what it knows now stays, whatever comes of calls by the old definition.
    let other = listing(&[tool("a", "v2", "array")]);
    let (mut stage, first, second) = ready();
    list(&mut stage, "tools/list", &other);
    stage.answer(&first.1, &done(Some("v1")));
    assert_eq!(stage.status(first.0), Status::Ok);
    stage.refuse(&second.1, -32005, &json!({}));
    let again = stage.sent_one();
    stage.answer(&again, &other);
    assert!(stage.sent().is_empty());
    let error = stage.error(second.0);
    assert!(error.message.contains("is defined in another way"), "{}", error.message);
    assert!(told(&mut stage).is_empty());
    assert_eq!(expected(&call(&mut stage, "a").1), Some("v2"));
}

#[test]
fn a_call_whose_digest_the_application_gave_is_never_sent_again() {
    for (given, tells) in [("mine", 0), ("v1", 1)] {
        let mut stage = Stage::ready(with(Drafts::DIGEST));
        list(&mut stage, "tools/list", &listing(&[tool("a", "v1", "object")]));
        let options = CallOptions { meta: format!("\"{EXPECTED}\":\"{given}\""), ..CallOptions::default() };
        let made = stage.try_call("tools/call", Some(r#"{"name":"a"}"#), &options).expect("accepted");
        let request = stage.sent_one();
        assert_eq!(expected(&request), Some(given));
        stage.refuse(&request, -32005, &json!({DIGEST: "v2"}));
        assert!(stage.sent().is_empty(), "{given}");
        assert_eq!((stage.error(made).code, told(&mut stage).len()), (Some(-32005), tells), "{given}");
        assert_eq!(expected(&call(&mut stage, "a").1), (tells == 0).then_some("v1"));
    }
}

#[test]
fn a_page_that_the_application_asks_for_adds_to_those_before() {
    let mut stage = Stage::ready(with(Drafts::DIGEST));
    for (params, name) in [(None, "a"), (Some(r#"{"cursor":"2"}"#), "b")] {
        let made = stage.try_call("tools/list", params, &CallOptions::default()).expect("accepted");
        let request = stage.sent_one();
        stage.answer(&request, &listing(&[tool(name, "v1", "object")]));
        assert_eq!(stage.status(made), Status::Ok);
    }
    for name in ["a", "b"] {
        assert_eq!(expected(&call(&mut stage, name).1), Some("v1"), "{name}");
    }
}

#[test]
fn a_result_by_another_definition_counts_and_is_told() {
    let mut stage = Stage::ready(with(Drafts::DIGEST));
    list(&mut stage, "tools/list", &listing(&[tool("a", "v1", "object")]));
    for (digest, is_told) in [(Some("v1"), false), (None, false), (Some("v2"), true)] {
        let (made, request) = call(&mut stage, "a");
        assert_eq!(expected(&request), Some("v1"));
        stage.answer(&request, &done(digest));
        assert_eq!(stage.status(made), Status::Ok);
        let expected = if is_told { vec!["notifications/tools/list_changed".to_owned()] } else { Vec::new() };
        assert_eq!(told(&mut stage), expected);
    }
    assert_eq!(expected(&call(&mut stage, "a").1), None, "until the list was read again");
}

#[test]
fn tools_that_need_more_than_the_client_can_are_left_out() {
    let tools = listing(&[
        json!({"name": "plain"}),
        json!({"name": "asks", "_meta": {REQUIRED: {"elicitation": {}}}}),
        json!({"name": "samples", "_meta": {REQUIRED: {"sampling": {"tools": {}}}}}),
        json!({"name": "odd", "_meta": {REQUIRED: "sampling"}}),
    ]);
    let names = |result: &Value| -> Vec<String> {
        result["tools"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|tool| tool["name"].as_str().expect("one").to_owned())
            .collect()
    };
    let capabilities = json!({"elicitation": {"form": {}}, "sampling": {}});
    let mut stage = Stage::ready(declaring(with(Drafts::REQUIRED_CAPABILITIES), &capabilities));
    assert_eq!(names(&list(&mut stage, "tools/list", &tools)), ["plain", "asks", "odd"]);
    // A refusal for something else than the list said tells that the list is another one; once, until it was read again.
    for (name, refused, tells) in [
        ("asks", json!({"requiredCapabilities": {"elicitation": {}}}), 0),
        ("unlisted", json!({"requiredCapabilities": {"roots": {}}}), 0),
        ("asks", json!({"requiredCapabilities": {"roots": {}}}), 1),
        ("asks", json!({"requiredCapabilities": {"roots": {}}}), 0),
        ("plain", json!({"requiredCapabilities": {"roots": {}}}), 0),
        ("", json!({}), 0),
        ("plain", json!({"requiredCapabilities": {"elicitation": {}}}), 1),
        ("", json!({}), 0),
        ("plain", json!({}), 1),
    ] {
        if name.is_empty() {
            list(&mut stage, "tools/list", &tools);
            continue;
        }
        let (made, request) = call(&mut stage, name);
        stage.refuse(&request, -32021, &refused);
        assert_eq!((stage.status(made), told(&mut stage).len()), (Status::Server, tells), "{name} {refused}");
    }
    let mut stage = Stage::ready(declaring(with(Drafts::DIGEST), &capabilities));
    assert_eq!(names(&list(&mut stage, "tools/list", &tools)).len(), 4);
}

#[test]
fn every_request_says_the_language_and_a_call_may_say_another_one() {
    let language = Some("fr-CA,fr;q=0.9".to_owned());
    let settings = Settings { language, ..with(Drafts::LANGUAGE) };
    let mut stage = Stage::opened(settings);
    let probe = stage.sent.last().cloned().or_else(|| stage.sent().pop()).expect("a probe");
    assert_eq!(probe["params"]["_meta"][ACCEPT], "fr-CA,fr;q=0.9");
    stage.answer(&probe, &super::stage::discovery());
    stage.sent();
    assert_eq!(call(&mut stage, "a").1["params"]["_meta"][ACCEPT], "fr-CA,fr;q=0.9");
    let options = CallOptions { meta: format!("\"{ACCEPT}\":\"de\""), ..CallOptions::default() };
    stage.try_call("tools/call", Some(r#"{"name":"a"}"#), &options).expect("accepted");
    let request = stage.sent_one();
    assert_eq!(request.to_string().matches(ACCEPT).count(), 1, "{request}");
    assert_eq!(request["params"]["_meta"][ACCEPT], "de");
    assert_eq!(
        call(&mut stage, "a").1["params"]["_meta"][ACCEPT],
        "fr-CA,fr;q=0.9",
        "the next says the general one"
    );
}

#[test]
fn an_error_says_whether_to_try_again() {
    let plain = Stage::ready(modern());
    // The codes of older revisions mean what they always did.
    let older = Stage::ready(Settings { draft: Drafts::ERRORS, ..legacy() });
    let explained = Stage::ready(with(Drafts::ERRORS));
    for (mut stage, is_explained) in [(plain, false), (older, false), (explained, true)] {
        for (code, data, condition, retry, wait, retryable) in [
            (-32602, json!({}), Some("InvalidParams"), "retry-after-change", None, false),
            (-32603, json!({"retryAfterMs": 5}), Some("InternalError"), "do-not-retry", None, false),
            (
                -32023,
                json!({"retryAfterMs": 1500}),
                Some("RateLimited"),
                "retry-after-delay",
                Some(1500),
                true,
            ),
            (-32077, json!({"retryAfterMs": 7}), None, "retry-after-delay", Some(7), true),
            (-32077, json!({}), None, "do-not-retry", None, false),
            (1, json!({}), None, "do-not-retry", None, false),
        ] {
            let (made, request) = call(&mut stage, "a");
            stage.refuse(&request, code, &data);
            let error = stage.error(made);
            let said = |key: &str| error.details.get(key).cloned().filter(|_| is_explained);
            assert_eq!(said("condition"), condition.filter(|_| is_explained).map(Value::from), "{code}");
            assert_eq!(
                error.details.get("retry"),
                is_explained.then(|| Value::from(retry)).as_ref(),
                "{code}"
            );
            assert_eq!(said("retry_after_ms"), wait.filter(|_| is_explained).map(Value::from), "{code}");
            assert_eq!(error.retryable, is_explained && retryable, "{code}");
        }
    }
}
