//! The two handshakes, and where every answer to the probe leads.

use super::stage::{Saw, Stage, discovery, initialized_at, legacy, modern, ms};
use crate::engine::{Settings, State, Status, Timeouts};
use crate::protocol::{Era, Revision};
use serde_json::{Value, json};

/// Something that a server does when it is asked.
type Answer = fn(&mut Stage, &Value);

fn only(revision: Revision) -> Settings {
    Settings { allowed: vec![revision], ..Settings::default() }
}

#[test]
fn a_legacy_handshake_is_initialize_and_initialized() {
    let mut stage = Stage::opened(legacy());
    let request = stage.sent_one();
    assert_eq!(request["method"], "initialize");
    assert_eq!(request["params"]["protocolVersion"], "2025-11-25");
    assert_eq!(request["params"]["clientInfo"]["name"], "libmcp");
    assert_eq!(request["params"]["_meta"], Value::Null, "the legacy era has no metadata of the connection");
    assert_eq!(stage.engine.state(), State::Initializing);

    stage.answer(&request, &initialized_at("2025-06-18"));
    let initialized = stage.sent_one();
    assert_eq!(initialized, json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(stage.engine.state(), State::Ready);
    assert_eq!(stage.engine.revision(), Some(Revision::V2025_06_18));
    assert_eq!(stage.engine.era(), Some(Era::Legacy));
    assert_eq!(stage.engine.facts().info.as_deref(), Some(r#"{"name":"legacy"}"#));
}

#[test]
fn a_modern_handshake_is_one_probe_and_nothing_else() {
    let mut stage = Stage::opened(Settings::default());
    let probe = stage.sent_one();
    assert_eq!(probe["method"], "server/discover");
    let meta = &probe["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "libmcp");
    assert_eq!(meta["io.modelcontextprotocol/clientCapabilities"], json!({}));

    stage.answer(&probe, &discovery());
    assert_eq!(stage.sent(), Vec::<Value>::new());
    assert_eq!(stage.engine.state(), State::Ready);
    assert_eq!(stage.engine.revision(), Some(Revision::V2026_07_28));
    assert_eq!(stage.engine.era(), Some(Era::Modern));
    assert_eq!(stage.engine.facts().info.as_deref(), Some(r#"{"name":"modern"}"#));
}

#[test]
fn the_version_offered_is_the_newest_of_the_permitted_ones() {
    for revision in &Revision::ALL[..4] {
        let mut stage = Stage::opened(only(*revision));
        assert_eq!(stage.sent_one()["params"]["protocolVersion"], revision.as_str());
    }
}

#[test]
fn whatever_is_not_recognisably_modern_leads_to_initialize_on_the_same_connection() {
    let answers: [Answer; 9] = [
        |stage, probe| stage.refuse(probe, -32601, &Value::Null),
        |stage, probe| stage.refuse(probe, -32602, &Value::Null),
        |stage, probe| stage.refuse(probe, -32000, &json!("Server not initialized")),
        |stage, probe| stage.refuse(probe, -32022, &json!({"no": "list"})),
        |stage, probe| stage.answer(probe, &json!({})),
        |stage, probe| stage.answer(probe, &json!({"supportedVersions": "2026-07-28"})),
        |stage, probe| stage.answer(probe, &json!(null)),
        |stage, probe| {
            let error = json!({"code": -32600, "message": "?"});
            stage.frame(&json!({"jsonrpc": "2.0", "id": probe["id"], "result": {}, "error": error}));
        },
        |stage, _| {
            let error = json!({"code": -32000, "message": "Bad Request: Unsupported protocol version"});
            stage.frame(&json!({"jsonrpc": "2.0", "id": null, "error": error}));
        },
    ];
    for (index, answer) in answers.iter().enumerate() {
        let mut stage = Stage::opened(Settings::default());
        let probe = stage.sent_one();
        answer(&mut stage, &probe);
        let request = stage.sent_one();
        assert_eq!(request["method"], "initialize", "answer {index}");
        assert_ne!(request["id"], probe["id"]);
        assert_eq!((stage.engine.state(), stage.engine.generation()), (State::Initializing, 1));
        stage.answer(&request, &initialized_at("2025-11-25"));
        assert_eq!(stage.engine.era(), Some(Era::Legacy));
    }
}

#[test]
fn after_a_silent_probe_comes_initialize_and_a_late_refusal_is_ignored_and_counted() {
    let mut stage = Stage::opened(Settings::default());
    let probe = stage.sent_one();
    assert_eq!(stage.pass_to_deadline(), ms(2000));
    assert_eq!(stage.sent_methods(), ["initialize"], "no cancellation: a legacy server might choke on it");

    stage.refuse(&probe, -32601, &Value::Null);
    assert_eq!(stage.engine.state(), State::Initializing);
    assert_eq!((stage.counters().late_answers, stage.counters().unknown_answers), (1, 0));
    assert_eq!(stage.engine.revision(), Some(Revision::V2025_11_25));
}

#[test]
fn a_server_that_names_the_version_it_was_asked_for_is_asked_once_more() {
    let supported = json!({"supported": ["2026-07-28"], "requested": "2026-07-28"});
    let mut stage = Stage::opened(Settings::default());
    let first = stage.sent_one();
    stage.refuse(&first, -32022, &supported);
    let second = stage.sent_one();
    assert_eq!(second["method"], "server/discover");
    assert_ne!(first["id"], second["id"]);
    stage.answer(&second, &discovery());
    assert_eq!(stage.engine.era(), Some(Era::Modern));
}

#[test]
fn a_server_that_has_shown_the_modern_era_never_gets_an_initialize() {
    let supported = json!({"supported": ["2026-07-28"], "requested": "2026-07-28"});
    let second_answers: [(Answer, Status); 4] = [
        (
            |stage, probe| {
                stage.refuse(probe, -32022, &json!({"supported": ["2026-07-28"], "requested": "2026-07-28"}));
            },
            Status::Server,
        ),
        (|stage, probe| stage.refuse(probe, -32601, &Value::Null), Status::Protocol),
        (
            |stage, _| {
                stage.pass_to_deadline();
            },
            Status::Timeout,
        ),
        (|stage, _| stage.lose("it died"), Status::Transport),
    ];
    for (answer, status) in second_answers {
        let mut stage = Stage::new(Settings::default());
        let waiter = stage.connect(None);
        stage.open();
        let first = stage.sent_one();
        stage.refuse(&first, -32022, &supported);
        let second = stage.sent_one();
        answer(&mut stage, &second);
        assert_eq!(stage.connected(waiter), Some(Err(status)));
        assert_eq!(stage.engine.state(), State::Backoff);
        assert_eq!(stage.sent(), Vec::<Value>::new());
    }
}

#[test]
fn with_no_revision_in_common_the_client_closes_and_says_what_both_sides_have() {
    let answers: [Answer; 2] = [
        |stage, probe| stage.answer(probe, &json!({"supportedVersions": ["2031-01-01"]})),
        |stage, probe| stage.refuse(probe, -32022, &json!({"supported": ["2031-01-01"]})),
    ];
    for answer in answers {
        let mut stage = Stage::opened(Settings::default());
        let call = stage.call("tools/list");
        let probe = stage.sent_one();
        answer(&mut stage, &probe);
        assert_eq!(stage.engine.state(), State::Closed);
        assert_eq!(stage.status(call), Status::Unsupported);
        let error = stage.error(call);
        assert!(error.message.contains("the server supports 2031-01-01"), "{}", error.message);
        assert_eq!(error.details["supported"], json!(["2031-01-01"]));
        assert!(!error.retryable);
    }
}

#[test]
fn a_modern_server_that_refuses_the_probe_is_an_error_with_its_code_and_data() {
    for code in [-32020, -32021] {
        let mut stage = Stage::opened(Settings::default());
        let call = stage.call("tools/list");
        let probe = stage.sent_one();
        stage.refuse(&probe, code, &json!({"requiredCapabilities": {"sampling": {}}}));
        assert_eq!((stage.status(call), stage.error(call).code), (Status::Server, Some(code)));
        assert_eq!(stage.error(call).data.as_deref(), Some(r#"{"requiredCapabilities":{"sampling":{}}}"#));
        assert_eq!(stage.engine.state(), State::Backoff);
    }
}

#[test]
fn a_modern_only_client_tells_a_legacy_servers_user_which_key_to_change() {
    let mut stage = Stage::opened(modern());
    let call = stage.call("tools/list");
    let probe = stage.sent_one();
    stage.refuse(&probe, -32601, &Value::Null);
    assert_eq!(stage.status(call), Status::Unsupported);
    assert!(stage.error(call).message.contains("set 'protocol' to \"auto\""));
    assert_eq!(stage.engine.state(), State::Closed, "trying again would not help");
}

#[test]
fn a_modern_only_client_does_not_take_silence_for_an_answer() {
    let mut stage = Stage::opened(modern());
    let call = stage.call("tools/list");
    stage.pass_to_deadline();
    assert_eq!(stage.status(call), Status::Timeout);
    assert!(stage.error(call).message.contains("timeouts.probe_ms"));
    assert_eq!(stage.engine.state(), State::Backoff);
}

#[test]
fn a_legacy_only_client_never_probes() {
    let mut stage = Stage::opened(legacy());
    assert_eq!(stage.sent_methods(), ["initialize"]);
    stage.lose("it died");
    stage.come_back();
    stage.open();
    assert_eq!(stage.sent_methods(), ["initialize"]);
}

#[test]
fn a_server_that_wants_a_revision_which_is_not_permitted_closes_the_client() {
    let mut stage = Stage::opened(only(Revision::V2025_11_25));
    let call = stage.call("tools/list");
    let request = stage.sent_one();
    stage.answer(&request, &initialized_at("2024-11-05"));
    assert_eq!(stage.status(call), Status::Unsupported);
    assert_eq!(stage.error(call).details["server_version"], "2024-11-05");
    assert_eq!(stage.engine.state(), State::Closed);
    assert_eq!(stage.sent(), Vec::<Value>::new(), "no notifications/initialized");
}

#[test]
fn an_initialize_that_fails_is_tried_again_later() {
    let failures: [(Answer, Status); 6] = [
        (|stage, request| stage.answer(request, &json!({})), Status::Protocol),
        (|stage, request| stage.refuse(request, -32603, &json!("no database")), Status::Server),
        (
            |stage, request| {
                stage.text(format!(r#"{{"jsonrpc":"1.0","id":{},"result":{{}}}}"#, request["id"]));
            },
            Status::Protocol,
        ),
        (
            |stage, request| {
                let (now, id) = (stage.now, request["id"].as_u64());
                stage.engine.oversized(now, 1, id, 1 << 30, 1 << 24);
                stage.pass(ms(0));
            },
            Status::Protocol,
        ),
        (
            |stage, _| {
                assert_eq!(stage.pass_to_deadline(), ms(20_000));
            },
            Status::Timeout,
        ),
        (|stage, _| stage.lose("it died"), Status::Transport),
    ];
    for (index, (fail, status)) in failures.into_iter().enumerate() {
        let mut stage = Stage::new(legacy());
        let waiter = stage.connect(None);
        stage.open();
        let request = stage.sent_one();
        fail(&mut stage, &request);
        assert_eq!(stage.connected(waiter), Some(Err(status)), "failure {index}");
        assert_eq!(stage.engine.state(), State::Backoff, "failure {index}");
        assert!(stage.take().iter().any(|saw| matches!(saw, Saw::Shut(1))), "the server is ended");
    }
}

#[test]
fn a_modern_servers_refusal_of_initialize_names_its_versions() {
    let mut stage = Stage::opened(legacy());
    let call = stage.call("tools/list");
    let request = stage.sent_one();
    stage.refuse(&request, -32022, &json!({"supported": ["2026-07-28"]}));
    assert_eq!(stage.status(call), Status::Unsupported);
    assert!(stage.error(call).message.contains("the server supports 2026-07-28"));
    assert_eq!(stage.engine.state(), State::Closed);
}

#[test]
fn each_handshake_step_has_a_time_that_the_config_may_set_by_method() {
    let mut timeouts = Timeouts { probe: ms(300), initialize: ms(400), ..Timeouts::default() };
    let mut stage = Stage::opened(Settings { timeouts: timeouts.clone(), ..Settings::default() });
    assert_eq!(stage.pass_to_deadline(), ms(300));
    assert_eq!(stage.pass_to_deadline(), ms(400));
    assert_eq!(stage.engine.state(), State::Backoff);

    timeouts.methods.insert("server/discover".to_owned(), ms(20));
    timeouts.methods.insert("initialize".to_owned(), ms(30));
    let mut stage = Stage::opened(Settings { timeouts, ..Settings::default() });
    assert_eq!(stage.pass_to_deadline(), ms(20));
    assert_eq!(stage.pass_to_deadline(), ms(30));
}

#[test]
fn an_answer_that_comes_twice_does_not_shake_hands_twice() {
    let mut stage = Stage::opened(legacy());
    let request = stage.sent_one();
    stage.answer(&request, &initialized_at("2025-11-25"));
    stage.answer(&request, &initialized_at("2024-11-05"));
    assert_eq!(stage.sent_methods(), ["notifications/initialized"]);
    assert_eq!(stage.engine.revision(), Some(Revision::V2025_11_25));
    assert_eq!(stage.counters().late_answers, 1);
}

#[test]
fn a_config_that_permits_no_revision_is_told_so() {
    let mut stage = Stage::new(Settings { allowed: vec![], ..Settings::default() });
    let waiter = stage.connect(None);
    stage.open();
    assert_eq!(stage.connected(waiter), Some(Err(Status::Unsupported)));
    assert_eq!(stage.engine.state(), State::Closed);
}
