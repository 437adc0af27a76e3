//! The two handshakes: where every answer to the probe leads, which revision is agreed on, what is remembered of a server's era
//! from one connection to the next, what clients of one process know from one another (HTTP), servers that are slow to start, and
//! what differs on the wire between the revisions.

use super::stage::{Made, Saw, Stage, declaring, discovery, initialized_at, legacy, modern, ms};
use crate::engine::{
    CallOptions, Error, ExchangeFailure, FailureKind, RpcError, Settings, Shape, State, Status, Timeouts,
    Wire,
};
use crate::protocol::{Era, Revision};
use serde_json::{Value, json};

/// Something that a server does when it is asked.
type RequestAnswer = fn(&mut Stage, &Value);

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
    let answers: [RequestAnswer; 9] = [
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
    let second_answers: [(RequestAnswer, Status); 4] = [
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
    let answers: [RequestAnswer; 2] = [
        |stage, probe| stage.answer(probe, &json!({"supportedVersions": ["2031-01-01"]})),
        |stage, probe| stage.refuse(probe, -32022, &json!({"supported": ["2031-01-01"]})),
    ];
    for answer in answers {
        let allowed = vec![Revision::V2026_07_28, Revision::V2025_11_25];
        let mut stage = Stage::opened(Settings { allowed, ..Settings::default() });
        let call = stage.call("tools/list");
        let probe = stage.sent_one();
        answer(&mut stage, &probe);
        assert_eq!(stage.engine.state(), State::Closed);
        assert_eq!(stage.status(call), Status::Unsupported);
        let error = stage.error(call);
        assert!(
            error.message.contains("the server supports 2031-01-01; permitted: 2026-07-28, 2025-11-25"),
            "{}",
            error.message
        );
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
    let failures: [(RequestAnswer, Status); 6] = [
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

#[test]
fn a_server_that_ends_when_it_is_probed_is_started_again_for_initialize() {
    let mut stage = Stage::new(Settings::default());
    let waiter = stage.connect(None);
    let call = stage.call("tools/list");
    stage.open();
    stage.take();
    assert_eq!(stage.sent_methods(), ["server/discover"]);
    stage.lose("it exited with status 1");

    let ends_and_starts: Vec<String> = stage
        .take()
        .iter()
        .filter(|saw| matches!(saw, Saw::Shut(_) | Saw::Opened(_)))
        .map(|saw| format!("{saw:?}"))
        .collect();
    assert_eq!(ends_and_starts, ["Shut(1)", "Opened(2)"], "the first process goes before the second comes");
    assert_eq!(stage.engine.state(), State::Starting, "at once, without a wait");
    assert_eq!(stage.connected(waiter), None);
    stage.open();
    let request = stage.sent_one();
    assert_eq!(request["method"], "initialize");
    stage.answer(&request, &initialized_at("2025-11-25"));
    assert_eq!(stage.connected(waiter), Some(Ok(())));
    assert_eq!(stage.sent_methods(), ["notifications/initialized", "tools/list"]);
    assert_eq!(stage.reply(call), None);
    assert_eq!(stage.counters().failed_attempts, 0);
}

#[test]
fn a_legacy_server_is_not_probed_again_when_it_comes_back() {
    let mut stage = Stage::opened(Settings::default());
    let probe = stage.sent_one();
    stage.refuse(&probe, -32601, &Value::Null);
    stage.shake_hands();
    for _ in 0..3 {
        stage.lose("it died");
        stage.come_back();
        stage.sent();
        stage.open();
        stage.shake_hands();
        assert_eq!(stage.engine.era(), Some(Era::Legacy));
    }
    assert_eq!(stage.counters().connections, 4);
}

#[test]
fn a_modern_server_is_asked_again_since_it_may_have_been_updated() {
    let mut stage = Stage::ready(Settings::default());
    stage.lose("it died");
    stage.come_back();
    stage.open();
    assert_eq!(stage.sent_methods(), ["server/discover"]);
}

#[test]
fn an_era_inferred_from_silence_is_forgotten_when_initialize_then_fails() {
    let mut stage = Stage::opened(Settings::default());
    stage.pass_to_deadline();
    assert_eq!(stage.sent_methods(), ["server/discover", "initialize"]);
    stage.lose("it died");
    assert_eq!((stage.engine.state(), stage.engine.era()), (State::Backoff, None));
    stage.come_back();
    stage.open();
    assert_eq!(stage.sent_methods(), ["server/discover"]);
}

#[test]
fn a_server_that_ends_whatever_it_is_told_is_given_a_wait() {
    let mut stage = Stage::opened(Settings::default());
    stage.lose("it died");
    assert_eq!(stage.engine.state(), State::Starting);
    stage.open();
    stage.lose("it died again");
    assert_eq!(stage.engine.state(), State::Backoff);
    assert_eq!(stage.counters().failed_attempts, 1);
}

#[test]
fn a_failed_start_says_nothing_of_the_era() {
    let mut stage = Stage::opened(Settings::default());
    stage.lose("it exited when it was probed");
    stage.lose("it could not be started");
    assert_eq!((stage.engine.state(), stage.engine.era()), (State::Backoff, Some(Era::Legacy)));
}

#[test]
fn a_modern_server_replaced_by_a_legacy_one_that_ends_when_probed_is_found_again() {
    let mut stage = Stage::ready(Settings::default());
    stage.lose("it was replaced");
    stage.come_back();
    stage.open();
    stage.lose("it exited when it was probed");
    assert_eq!((stage.engine.state(), stage.engine.era()), (State::Backoff, None));
    stage.come_back();
    stage.open();
    stage.lose("it exited when it was probed");
    stage.sent();
    stage.open();
    stage.shake_hands();
    assert_eq!(stage.engine.era(), Some(Era::Legacy));
}

#[test]
fn a_legacy_server_replaced_by_a_modern_one_is_found_again() {
    let mut stage = Stage::opened(Settings::default());
    let probe = stage.sent_one();
    stage.refuse(&probe, -32601, &Value::Null);
    stage.shake_hands();
    stage.lose("it was updated");
    stage.come_back();
    stage.sent();
    let waiter = stage.connect(None);
    stage.open();
    let request = stage.sent_one();
    assert_eq!(request["method"], "initialize");
    stage.refuse(&request, -32601, &Value::Null);
    assert_eq!(stage.connected(waiter), Some(Err(Status::Server)));
    stage.come_back();
    stage.open();
    stage.shake_hands();
    assert_eq!(stage.engine.era(), Some(Era::Modern));
}

fn supported(revisions: &[&str]) -> Value {
    json!({"supported": revisions, "requested": "?"})
}

#[test]
fn a_discovery_of_legacy_revisions_leads_to_initialize_with_the_newest_of_both_sides() {
    for (named, asked) in [
        (json!(["2025-11-25", "2025-06-18"]), "2025-11-25"),
        (json!(["2024-11-05", "2025-03-26", "2031-01-01"]), "2025-03-26"),
    ] {
        let mut stage = Stage::opened(Settings::default());
        let call = stage.call("tools/list");
        let probe = stage.sent_one();
        stage.answer(&probe, &json!({"supportedVersions": named, "capabilities": {"tools": {}}}));
        let request = stage.sent_one();
        assert_eq!(request["method"], "initialize", "{named}");
        assert_eq!(request["params"]["protocolVersion"], asked);
        stage.answer(&request, &initialized_at(asked));
        assert_eq!(stage.sent_methods(), ["notifications/initialized", "tools/list"]);
        assert_eq!((stage.engine.state(), stage.engine.era()), (State::Ready, Some(Era::Legacy)));
        assert!(stage.reply(call).is_none(), "the call is under way");
        assert_eq!(stage.counters().failed_attempts, 0);
    }
}

#[test]
fn a_modern_revision_goes_before_every_legacy_one() {
    let mut stage = Stage::opened(Settings::default());
    let probe = stage.sent_one();
    stage.answer(&probe, &json!({"supportedVersions": ["2025-11-25", "2026-07-28"], "capabilities": {}}));
    assert_eq!((stage.engine.state(), stage.engine.era()), (State::Ready, Some(Era::Modern)));
}

#[test]
fn only_an_empty_intersection_is_unsupported() {
    let only = |revision| Settings { allowed: vec![Revision::V2026_07_28, revision], ..Settings::default() };
    let cases: [(Settings, Value); 3] = [
        (modern(), json!(["2025-11-25"])),
        (only(Revision::V2025_06_18), json!(["2025-11-25"])),
        (Settings::default(), json!([])),
    ];
    for (settings, named) in cases {
        for refuses in [false, true] {
            let mut stage = Stage::opened(settings.clone());
            let call = stage.call("tools/list");
            let probe = stage.sent_one();
            if refuses {
                stage.refuse(&probe, -32022, &json!({"supported": named}));
            } else {
                stage.answer(&probe, &json!({"supportedVersions": named}));
            }
            assert_eq!(stage.status(call), Status::Unsupported, "{named}");
            assert_eq!(stage.error(call).details["supported"], named);
            assert_eq!(stage.engine.state(), State::Closed);
        }
    }
}

#[test]
fn a_refused_probe_that_names_legacy_revisions_leads_to_initialize() {
    let mut stage = Stage::opened(Settings::default());
    let probe = stage.sent_one();
    stage.refuse(&probe, -32022, &supported(&["2025-06-18", "2024-11-05"]));
    let request = stage.sent_one();
    assert_eq!(
        (&request["method"], &request["params"]["protocolVersion"]),
        (&json!("initialize"), &json!("2025-06-18"))
    );
    stage.answer(&request, &initialized_at("2025-06-18"));
    assert_eq!(stage.engine.state(), State::Ready);
}

#[test]
fn a_refused_initialize_that_names_a_modern_revision_leads_back_to_the_probe() {
    let mut stage = Stage::opened(Settings::default());
    let call = stage.call("tools/list");
    stage.pass_to_deadline();
    let request = stage.sent().pop().expect("initialize");
    stage.refuse(&request, -32022, &supported(&["2025-11-25", "2026-07-28"]));
    let probe = stage.sent_one();
    assert_eq!(probe["method"], "server/discover");
    assert_eq!(probe["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    stage.answer(&probe, &discovery());
    assert_eq!(stage.sent_methods(), ["tools/list"]);
    assert_eq!((stage.engine.era(), stage.engine.generation()), (Some(Era::Modern), 1), "no new connection");
    assert!(stage.reply(call).is_none());
}

#[test]
fn a_refused_initialize_that_names_another_legacy_revision_is_sent_with_that() {
    let mut stage = Stage::opened(legacy());
    let request = stage.sent_one();
    stage.refuse(&request, -32022, &supported(&["2025-03-26", "2026-07-28"]));
    let request = stage.sent_one();
    assert_eq!(
        (&request["method"], &request["params"]["protocolVersion"]),
        (&json!("initialize"), &json!("2025-03-26"))
    );
    stage.answer(&request, &initialized_at("2025-03-26"));
    assert_eq!(stage.engine.revision(), Some(Revision::V2025_03_26));
}

/// Whatever a server names, it gets at most four requests on one connection.
#[test]
fn a_server_that_names_what_it_then_refuses_ends_the_attempt() {
    for named in [&["2026-07-28"][..], &["2025-11-25"], &["2026-07-28", "2025-11-25"]] {
        let mut stage = Stage::new(declaring(Settings::default(), &json!({})));
        let waiter = stage.connect(None);
        stage.open();
        let mut requests = 0;
        while let Some(request) = stage.sent().pop() {
            requests += 1;
            assert!(requests <= 4, "{named:?}");
            stage.refuse(&request, -32022, &supported(named));
        }
        assert_eq!(stage.connected(waiter), Some(Err(Status::Server)), "{named:?}");
        assert_eq!(stage.engine.state(), State::Backoff);
    }
    // It says one thing to the one request and another to the other.
    let mut stage = Stage::opened(Settings::default());
    for requests in 1.. {
        let Some(request) = stage.sent().pop() else { break };
        assert!(requests <= 4);
        let other = if request["method"] == "initialize" { "2026-07-28" } else { "2025-11-25" };
        stage.refuse(&request, -32022, &supported(&[other]));
    }
    assert_eq!(stage.engine.state(), State::Backoff);
}

/// Over HTTP the error comes with a status.
#[test]
fn over_http_a_refused_initialize_that_names_a_modern_revision_leads_back_to_the_probe() {
    for assumed in [false, true] {
        let mut stage = Stage::new(Settings { wire: Wire::Http, ..Settings::default() });
        if assumed {
            assert!(stage.engine.assume_legacy(crate::engine::Shape::Streamable));
        }
        stage.connect(None);
        stage.open();
        if !assumed {
            stage.pass_to_deadline();
        }
        let request = stage.sent().pop().expect("initialize");
        assert_eq!(request["method"], "initialize");
        let spoken = RpcError {
            code: -32022,
            message: "Unsupported protocol version".to_owned(),
            data: Some(supported(&["2026-07-28"]).to_string()),
        };
        let error = Error::new(Status::Server, "initialize", "HTTP status 400");
        let failure =
            ExchangeFailure { kind: FailureKind::Refused, error, http: Some(400), spoken: Some(spoken) };
        stage.fail(request["id"].as_u64().expect("an id"), failure);
        let probe = stage.sent_one();
        assert_eq!(probe["method"], "server/discover", "assumed: {assumed}");
        stage.answer(&probe, &discovery());
        assert_eq!((stage.engine.state(), stage.engine.era()), (State::Ready, Some(Era::Modern)));
        assert_eq!(stage.remembered.last(), Some(&None), "others are told that the era is not legacy");
    }
}

fn http(settings: Settings) -> Settings {
    Settings { wire: Wire::Http, ..settings }
}

fn refused(status: u16) -> ExchangeFailure {
    let error = Error::new(Status::Transport, "x", "it was refused");
    ExchangeFailure { kind: FailureKind::Refused, error, http: Some(status), spoken: None }
}

/// A connection being opened to a server that is said to be of the legacy era.
fn assumed(shape: Shape) -> Stage {
    let mut stage = Stage::new(http(Settings::default()));
    assert!(stage.engine.assume_legacy(shape));
    stage.connect(None);
    stage.open();
    stage
}

/// Answers `initialize` and opens the stream of the server's own messages.
fn initialized(stage: &mut Stage) {
    let request = stage.sent_one();
    assert_eq!(request["method"], "initialize");
    stage.answer(&request, &initialized_at("2025-11-25"));
    stage.listening();
}

#[test]
fn who_knows_of_a_legacy_server_does_not_probe() {
    let mut stage = assumed(Shape::Streamable);
    initialized(&mut stage);
    assert_eq!(stage.engine.state(), State::Ready);
    assert_eq!(stage.remembered, [], "it was not found out again");
}

#[test]
fn an_era_that_the_application_pinned_was_not_found_out() {
    let mut stage = Stage::opened(http(legacy()));
    initialized(&mut stage);
    assert_eq!(stage.engine.state(), State::Ready);
    assert_eq!(stage.remembered, []);
}

#[test]
fn what_a_handshake_showed_is_told_to_others() {
    let mut stage = Stage::opened(http(Settings::default()));
    let probe = stage.sent_one();
    stage.answer(&probe, &discovery());
    assert_eq!(stage.remembered, [None], "a modern server may have been a legacy one before");
    let mut stage = Stage::opened(http(Settings::default()));
    let probe = stage.sent_one();
    stage.fail(probe["id"].as_u64().expect("an id"), refused(404));
    initialized(&mut stage);
    assert_eq!(stage.remembered, [Some(Shape::Streamable)]);
}

#[test]
fn an_assumption_that_proves_wrong_is_dropped_and_the_server_probed_at_once() {
    // An error of the protocol, an HTTP status that else means the transport of 2024-11-05, and nonsense.
    for way in 0..3 {
        let mut stage = assumed(Shape::Streamable);
        let request = stage.sent_one();
        match way {
            0 => stage.refuse(&request, -32601, &Value::Null),
            1 => stage.fail(request["id"].as_u64().expect("an id"), refused(400)),
            _ => stage.answer(&request, &json!({})),
        }
        assert_eq!(stage.remembered, [None]);
        let probe = stage.sent_one();
        assert_eq!(probe["method"], "server/discover");
        stage.answer(&probe, &discovery());
        assert_eq!((stage.engine.state(), stage.engine.era()), (State::Ready, Some(Era::Modern)));
        assert_eq!(stage.counters().failed_attempts, 0);
    }
}

#[test]
fn an_assumption_ends_with_its_attempt_and_is_of_no_use_where_something_is_known() {
    let mut stage = assumed(Shape::Sse);
    stage.lose("there is no such stream");
    assert_eq!(stage.remembered, [None]);
    assert_eq!((stage.engine.state(), stage.engine.era()), (State::Backoff, None));
    stage.come_back();
    stage.open();
    assert_eq!(stage.sent_methods().last().map(String::as_str), Some("server/discover"));
    let mut only_legacy = Stage::new(http(legacy()));
    assert!(!only_legacy.engine.assume_legacy(Shape::Streamable));
}

#[test]
fn a_busy_answer_to_the_probe_is_a_failed_attempt_and_no_verdict() {
    for status in [408, 429, 502, 503, 504] {
        let mut stage = Stage::opened(http(Settings::default()));
        let probe = stage.sent_one();
        stage.fail(probe["id"].as_u64().expect("an id"), refused(status));
        assert_eq!(stage.sent(), Vec::<Value>::new(), "no initialize");
        assert_eq!((stage.engine.state(), stage.engine.era()), (State::Backoff, None));
        stage.come_back();
        stage.open();
        stage.shake_hands();
        assert_eq!(stage.engine.era(), Some(Era::Modern));
    }
}

#[test]
fn one_who_connects_to_a_busy_server_is_told_when_to_come_back() {
    for (settings, status) in [(Settings::default(), 429), (legacy(), 503)] {
        let mut stage = Stage::new(http(settings));
        let ticket = stage.connect(None);
        stage.open();
        let request = stage.sent_one();
        let busy = Error::new(Status::Unavailable, "x", "it is busy").with("retry_after_s", 7);
        stage
            .fail(request["id"].as_u64().expect("an id"), ExchangeFailure { error: busy, ..refused(status) });
        assert_eq!(stage.connected(ticket), Some(Err(Status::Unavailable)));
        let error = stage.connect_error(ticket).expect("an error");
        assert!(error.retryable && error.details["retry_after_s"] == 7, "{error}");
    }
}

/// A legacy connection over HTTP that was told a log level, lost, and has just shaken hands again, with a call that waits.
fn back_again() -> (Stage, Made, Vec<Value>) {
    let mut stage = Stage::opened(http(Settings { wait_when_unavailable: true, ..legacy() }));
    initialized(&mut stage);
    let level = json!({"level": "debug"}).to_string();
    let options = CallOptions::default();
    stage.sent();
    stage.try_call("logging/setLevel", Some(&level), &options).expect("accepted");
    let request = stage.sent_one();
    stage.answer(&request, &json!({}));
    stage.lose("it died");
    let call = stage.call("tools/list");
    stage.come_back();
    stage.open();
    initialized(&mut stage);
    assert_eq!(stage.engine.state(), State::Initializing);
    let mut sent = stage.sent();
    sent.retain(|frame| frame.get("id").is_some());
    (stage, call, sent)
}

#[test]
fn over_http_calls_wait_for_the_answers_to_what_is_restored() {
    let (mut stage, call, sent) = back_again();
    let [level] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!(level["method"], "logging/setLevel");
    let ticket = stage.connect(Some(ms(1)));
    stage.pass(ms(1));
    assert_eq!(stage.connect_error(ticket).expect("an error").details["step"], "restoring");
    stage.answer(level, &json!({}));
    assert_eq!(stage.engine.state(), State::Ready);
    assert_eq!(stage.sent_methods(), ["tools/list"]);
    assert!(stage.reply(call).is_none());
}

#[test]
fn over_http_calls_wait_no_longer_for_what_cannot_be_restored() {
    let (mut stage, _, sent) = back_again();
    stage.refuse(&sent[0], -32601, &Value::Null);
    assert_eq!(stage.sent_methods(), ["tools/list"]);
    let (mut stage, _, sent) = back_again();
    stage.fail(sent[0]["id"].as_u64().expect("an id"), refused(500));
    assert_eq!(stage.sent_methods(), ["tools/list"]);
    let (mut stage, _, _) = back_again();
    stage.pass(ms(2000));
    assert_eq!(stage.sent_methods(), ["tools/list"], "timeouts.listen_ms");
}

fn everything() -> Value {
    json!({
        "roots": {"listChanged": true}, "sampling": {"tools": {}, "context": {}},
        "elicitation": {"form": {}, "url": {}}, "tasks": {"list": {}},
        "extensions": {"com.example/x": {}}, "experimental": {"y": {}}
    })
}

/// What a client that enables everything declares when only this revision is permitted.
fn declared_at(revision: Revision) -> Value {
    let settings = Settings { allowed: vec![revision], ..Settings::default() };
    let request = Stage::opened(declaring(settings, &everything())).sent_one();
    match request["method"].as_str() {
        Some("initialize") => request["params"]["capabilities"].clone(),
        _ => request["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"].clone(),
    }
}

#[test]
fn each_revision_is_told_of_the_capabilities_that_it_knows() {
    let oldest = json!({"roots": {"listChanged": true}, "sampling": {}, "experimental": {"y": {}}});
    assert_eq!(declared_at(Revision::V2024_11_05), oldest);
    assert_eq!(declared_at(Revision::V2025_03_26), oldest);
    let mut with_elicitation = oldest;
    with_elicitation["elicitation"] = json!({});
    assert_eq!(declared_at(Revision::V2025_06_18), with_elicitation);
    let mut everything_legacy = everything();
    everything_legacy.as_object_mut().expect("an object").remove("extensions");
    assert_eq!(declared_at(Revision::V2025_11_25), everything_legacy);
    let mut everything_modern = everything();
    everything_modern.as_object_mut().expect("an object").remove("tasks");
    everything_modern["roots"] = json!({});
    assert_eq!(declared_at(Revision::V2026_07_28), everything_modern);
}

#[test]
fn nothing_is_declared_that_the_application_did_not_enable() {
    for revision in Revision::ALL {
        let settings = Settings { allowed: vec![revision], ..Settings::default() };
        let request = Stage::opened(settings).sent_one();
        let of_legacy = &request["params"]["capabilities"];
        let of_modern = &request["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        let declared = if of_legacy.is_null() { of_modern } else { of_legacy };
        assert_eq!(*declared, json!({}), "{revision}");
    }
}

#[test]
fn a_call_refused_for_its_version_or_a_missing_capability_is_an_error_with_what_the_server_wants() {
    for (code, data) in [
        (-32021, json!({"requiredCapabilities": {"elicitation": {}}})),
        (-32022, json!({"supported": ["2031-01-01"], "requested": "2026-07-28"})),
    ] {
        let mut stage = Stage::ready(modern());
        let call = stage.call("tools/call");
        let request = stage.sent_one();
        stage.refuse(&request, code, &data);
        let error = stage.error(call);
        assert_eq!((error.status, error.code), (Status::Server, Some(code)));
        assert_eq!(error.data, Some(data.to_string()));
        assert_eq!(stage.sent(), Vec::<Value>::new(), "never initialize");
        assert_eq!(stage.engine.state(), State::Ready);
    }
}

#[test]
fn codes_without_a_meaning_of_their_own_come_as_they_are() {
    let mut stage = Stage::ready(modern());
    for code in [-32000, -32001, -32002, -32004, -32019, -32042, -32099, 0, 7] {
        let call = stage.call("resources/read");
        let request = stage.sent_one();
        stage.refuse(&request, code, &Value::Null);
        assert_eq!((stage.status(call), stage.error(call).code), (Status::Server, Some(code)));
    }
    assert_eq!(stage.engine.state(), State::Ready);
}

/// A process whose first sign of life is awaited for 10 s, with 1 s for the probe and 2 s for `initialize`.
fn process() -> Settings {
    let timeouts =
        Timeouts { probe: ms(1000), initialize: ms(2000), start: Some(ms(10_000)), ..Timeouts::default() };
    Settings { timeouts, ..Settings::default() }
}

/// Passes time up to here, and tells each time that something is due what the process has done by then.
fn pass_looking(stage: &mut Stage, total: u64, has_read: Option<bool>) {
    let end = stage.now + ms(total);
    while let Some(at) = stage.engine.next_deadline().filter(|at| *at <= end) {
        let step = at.saturating_duration_since(stage.now);
        stage.now += step;
        let now = stage.now;
        if stage.engine.looks_for_life() {
            stage.engine.has_read(now, has_read);
        }
        stage.pass(ms(0));
    }
    let rest = end.saturating_duration_since(stage.now);
    stage.pass(rest);
}

fn late(wire: Wire) -> (Stage, Value, Value) {
    let mut stage = Stage::opened(Settings { wire, ..Settings::default() });
    let probe = stage.sent_one();
    stage.pass_to_deadline();
    let initialize = stage.sent_one();
    assert_eq!(initialize["method"], "initialize");
    (stage, probe, initialize)
}

#[test]
fn a_late_good_answer_to_the_probe_is_taken_while_initialize_waits() {
    for wire in [Wire::Stream, Wire::Http] {
        let (mut stage, probe, initialize) = late(wire);
        let call = stage.call("tools/list");
        stage.answer(&probe, &discovery());
        assert_eq!((stage.engine.state(), stage.engine.era()), (State::Ready, Some(Era::Modern)));
        let request = stage.sent_one();
        assert_eq!(request["method"], "tools/list");
        assert!(request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].is_string());
        // What it then says to initialize changes nothing.
        stage.refuse(&initialize, -32022, &json!({"supported": ["2026-07-28"]}));
        assert_eq!((stage.engine.state(), stage.counters().late_answers), (State::Ready, 1));
        assert!(stage.reply(call).is_none());
    }
}

#[test]
fn a_late_answer_that_says_nothing_of_the_modern_era_is_counted_and_initialize_goes_on() {
    let answers: [fn(&mut Stage, &Value); 4] = [
        |stage, probe| stage.refuse(probe, -32601, &Value::Null),
        |stage, probe| stage.answer(probe, &json!({})),
        |stage, probe| stage.answer(probe, &json!({"supportedVersions": ["2025-11-25"]})),
        |stage, probe| stage.text(format!(r#"{{"jsonrpc":"1.0","id":{},"result":{{}}}}"#, probe["id"])),
    ];
    for answer in answers {
        let (mut stage, probe, initialize) = late(Wire::Stream);
        answer(&mut stage, &probe);
        assert_eq!(stage.counters().late_answers, 1);
        assert_eq!(stage.sent(), Vec::<Value>::new());
        stage.answer(&initialize, &initialized_at("2025-11-25"));
        assert_eq!((stage.engine.state(), stage.engine.era()), (State::Ready, Some(Era::Legacy)));
    }
}

#[test]
fn a_late_refusal_that_names_a_modern_revision_is_followed() {
    let (mut stage, probe, _) = late(Wire::Stream);
    stage.refuse(&probe, -32022, &json!({"supported": ["2026-07-28"]}));
    let again = stage.sent_one();
    assert_eq!(again["method"], "server/discover");
    stage.answer(&again, &discovery());
    assert_eq!(stage.engine.era(), Some(Era::Modern));
}

#[test]
fn after_the_answer_to_initialize_a_late_answer_to_the_probe_is_dropped() {
    let (mut stage, probe, initialize) = late(Wire::Stream);
    stage.answer(&initialize, &initialized_at("2025-11-25"));
    stage.answer(&probe, &discovery());
    assert_eq!((stage.engine.state(), stage.engine.era()), (State::Ready, Some(Era::Legacy)));
    assert_eq!(stage.counters().late_answers, 1);
}

#[test]
fn an_error_without_an_id_still_answers_initialize() {
    let (mut stage, _, _) = late(Wire::Stream);
    let waiter = stage.connect(None);
    stage.frame(&json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32603, "message": "no database"}}));
    assert_eq!(stage.connected(waiter), Some(Err(Status::Server)));
}

#[test]
fn the_time_until_a_process_reads_does_not_count_as_the_probes() {
    let mut stage = Stage::opened(process());
    let probe = stage.sent_one();
    pass_looking(&mut stage, 9000, Some(false));
    assert_eq!(stage.sent(), Vec::<Value>::new(), "it has not even read the probe");
    let now = stage.now;
    stage.engine.has_read(now, Some(true));
    pass_looking(&mut stage, 900, None);
    assert_eq!(stage.sent(), Vec::<Value>::new());
    stage.answer(&probe, &discovery());
    assert_eq!(stage.engine.era(), Some(Era::Modern));
    // And one that says nothing after it has read costs no more than the probe's time.
    let mut stage = Stage::opened(process());
    pass_looking(&mut stage, 5000, Some(false));
    let now = stage.now;
    stage.engine.has_read(now, Some(true));
    pass_looking(&mut stage, 1000, None);
    assert_eq!(stage.sent_methods(), ["server/discover", "initialize"]);
}

#[test]
fn a_line_that_a_process_writes_is_a_sign_of_life() {
    let mut stage = Stage::opened(process());
    pass_looking(&mut stage, 5000, Some(false));
    stage.text("starting the server");
    pass_looking(&mut stage, 1000, Some(false));
    assert_eq!(stage.sent_methods(), ["server/discover", "initialize"]);
}

#[test]
fn where_nobody_knows_what_was_read_initialize_has_the_time_of_the_start() {
    let mut stage = Stage::new(process());
    let waiter = stage.connect(None);
    stage.open();
    pass_looking(&mut stage, 1000, None);
    assert_eq!(stage.sent_methods(), ["server/discover", "initialize"], "the probe's time is over");
    pass_looking(&mut stage, 8999, None);
    assert_eq!(stage.connected(waiter), None);
    pass_looking(&mut stage, 1, None);
    assert_eq!(stage.connected(waiter), Some(Err(Status::Timeout)));
}

#[test]
fn a_process_that_never_reads_is_told_as_that() {
    let mut stage = Stage::opened(process());
    let call = stage.call("tools/list");
    pass_looking(&mut stage, 10_000, Some(false));
    assert_eq!((stage.status(call), stage.engine.state()), (Status::Timeout, State::Backoff));
    assert_eq!(stage.sent_methods(), ["server/discover"]);
    let message = &stage.error(call).message;
    assert!(
        message.contains("neither read nor written") && message.contains("timeouts.start_ms"),
        "{message}"
    );
    assert_eq!(stage.error(call).details["limit_ms"], 10_000);
}
