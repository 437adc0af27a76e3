//! Revisions that a server names: in the answer to the probe, and in error -32022 to either handshake request.

use super::stage::{Stage, declaring, discovery, initialized_at, legacy, modern};
use crate::engine::{Error, Failure, FailureKind, Settings, Spoken, State, Status, Wire};
use crate::protocol::{Era, Revision};
use serde_json::{Value, json};

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
        let spoken = Spoken {
            code: -32022,
            message: "Unsupported protocol version".to_owned(),
            data: Some(supported(&["2026-07-28"]).to_string()),
        };
        let error = Error::new(Status::Server, "initialize", "HTTP status 400");
        let failure = Failure { kind: FailureKind::Refused, error, http: Some(400), spoken: Some(spoken) };
        stage.fail(request["id"].as_u64().expect("an id"), failure);
        let probe = stage.sent_one();
        assert_eq!(probe["method"], "server/discover", "assumed: {assumed}");
        stage.answer(&probe, &discovery());
        assert_eq!((stage.engine.state(), stage.engine.era()), (State::Ready, Some(Era::Modern)));
        assert_eq!(stage.remembered.last(), Some(&None), "others are told that the era is not legacy");
    }
}
