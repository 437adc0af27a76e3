//! Types of results that extensions bring: handed on where the application declared the extension, else the call's error.

use super::play::{EXTENSION, created, plain};
use crate::engine::client::tests::stage::{Stage, declaring, modern};
use crate::engine::{CallOptions, Feature, Settings, Status};
use serde_json::{Value, json};

fn outcome(
    settings: Settings,
    method: &str,
    feature: Feature,
    result: &Value,
) -> Result<(Value, bool), Status> {
    let mut stage = Stage::ready(settings);
    let made = stage.call_with(method, CallOptions { feature, ..plain() });
    let request = stage.sent_one();
    stage.answer(&request, result);
    match stage.reply(made).expect("it has ended") {
        Ok(body) => Ok((serde_json::from_slice(body.json.of(&body.frame)).expect("JSON"), body.extended)),
        Err(error) => Err(error.status),
    }
}

fn with_partial() -> Settings {
    let extensions = json!({"extensions": {"com.example/x": {"level": 2}}});
    Settings { result_types: vec!["partial".to_owned()], ..declaring(modern(), &extensions) }
}

#[test]
fn a_declared_type_is_handed_on_as_it_is_and_another_is_an_error() {
    let partial = json!({"resultType": "partial", "more": [1]});
    for (method, feature) in [
        ("tools/call", Feature::Raw),
        ("tools/call", Feature::Plain),
        ("tools/list", Feature::AllPages),
        ("com.example/own", Feature::Raw),
    ] {
        assert_eq!(
            outcome(with_partial(), method, feature, &partial),
            Ok((partial.clone(), true)),
            "{method}"
        );
        assert_eq!(outcome(modern(), method, feature, &partial), Err(Status::Protocol), "{method}");
        let novel = json!({"resultType": "novel"});
        assert_eq!(outcome(with_partial(), method, feature, &novel), Err(Status::Protocol), "{method}");
    }
    let complete = json!({"resultType": "complete"});
    assert_eq!(outcome(with_partial(), "tools/call", Feature::Raw, &complete), Ok((complete, false)));
}

#[test]
fn the_error_says_where_types_are_declared() {
    let mut stage = Stage::ready(modern());
    let made = stage.call("tools/call");
    let request = stage.sent_one();
    stage.answer(&request, &json!({"resultType": "novel"}));
    let message = &stage.error(made).message;
    assert!(message.contains("novel") && message.contains("result_types"), "{message}");
}

#[test]
fn a_task_is_handed_on_to_who_declared_the_extension_and_follows_it_alone() {
    let alone = || declaring(modern(), &json!({"extensions": {EXTENSION: {}}}));
    assert_eq!(outcome(alone(), "tools/call", Feature::Raw, &created()), Ok((created(), true)));
    assert_eq!(outcome(alone(), "tools/call", Feature::Plain, &created()), Ok((created(), true)));
    assert_eq!(outcome(alone(), "prompts/get", Feature::Raw, &created()), Err(Status::Protocol));
    assert_eq!(outcome(modern(), "tools/call", Feature::Raw, &created()), Err(Status::Protocol));
}

#[test]
fn settings_of_extensions_are_declared_as_the_application_wrote_them() {
    let mut stage = Stage::ready(with_partial());
    stage.call("tools/list");
    let request = stage.sent_one();
    let capabilities = &request["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    assert_eq!(capabilities["extensions"], json!({"com.example/x": {"level": 2}}));
}
