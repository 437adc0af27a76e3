//! Notifications of changes, subscriptions, progress and log messages, and their rates.

use super::{Stage, code, settings};
use crate::engine::server::{Effect, Kind, Outcome, RequestId, SessionId, Severity, Stream};
use crate::shares::Holder;
use serde_json::{Value, json};
use std::time::Duration;

const BURST: Duration = Duration::from_millis(10);

fn methods(frames: &[Value]) -> Vec<&str> {
    frames.iter().filter_map(|frame| frame["method"].as_str()).collect()
}

#[test]
fn progress_goes_to_who_asked_and_rises() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    for token in [json!(0), json!(""), json!("t"), json!(7)] {
        let call = json!({ "name": "add", "arguments": { "a": 1 }, "_meta": { "progressToken": token } });
        stage.ask_legacy(session, json!(1), "tools/call", call);
        let run = stage.run();
        assert!(stage.server.progress(stage.now, run.request, 1.0, Some(2.5), Some("half")));
        assert!(!stage.server.progress(stage.now, run.request, 1.0, None, None), "it does not rise");
        assert!(!stage.server.progress(stage.now, run.request, f64::NAN, None, None));
        assert!(stage.server.progress(stage.now, run.request, 1.5, None, None));
        let frames = stage.sent();
        let wanted = json!({ "progressToken": token, "progress": 1, "total": 2.5, "message": "half" });
        assert_eq!(frames[0]["params"], wanted);
        assert_eq!(frames.len(), 2);
        stage.respond(run.request, Outcome::Result(r#"{"content":[]}"#));
        assert!(!stage.server.progress(stage.now, run.request, 9.0, None, None), "the request is over");
    }
    stage.ask_legacy(session, json!(1), "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }));
    let run = stage.run();
    assert!(!stage.server.progress(stage.now, run.request, 1.0, None, None), "no token");
    assert!(stage.sent().is_empty());
}

#[test]
fn log_messages_follow_the_level_of_the_session_or_of_the_request() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let deaf = stage.legacy("2025-11-25", &json!({}));
    assert_eq!(
        code(&stage.ask_legacy(deaf, json!(1), "logging/setLevel", json!({ "level": "loud" }))),
        -32602
    );
    assert!(
        stage.ask_legacy(deaf, json!(1), "logging/setLevel", json!({ "level": "error" }))[0]["result"]
            .is_object()
    );
    assert_eq!(
        stage.server.log_to_all(stage.now, Severity::Info, Some("l"), "\"x\""),
        1,
        "info is the default"
    );
    assert_eq!(stage.sent()[0]["params"], json!({ "level": "info", "logger": "l", "data": "x" }));
    assert_eq!(stage.server.log_to_all(stage.now, Severity::Error, None, "1"), 2);
    stage.sent();

    let call = json!({ "name": "add", "arguments": { "a": 1 } });
    stage.ask_modern(session, json!(1), "tools/call", call.clone());
    let run = stage.run();
    assert!(
        !stage.server.log(stage.now, run.request, Severity::Emergency, None, "1"),
        "a modern request that asked for none"
    );
    let mut params = Stage::modern(call, &json!({}));
    params["_meta"]["io.modelcontextprotocol/logLevel"] = json!("warning");
    stage.ask(session, &json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params }));
    let run = stage.run();
    assert!(!stage.server.log(stage.now, run.request, Severity::Notice, None, "1"));
    assert!(stage.server.log(stage.now, run.request, Severity::Warning, None, "1"));
    assert_eq!(methods(&stage.sent()), ["notifications/message"]);
    params["_meta"]["io.modelcontextprotocol/logLevel"] = json!("loud");
    let bad = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params });
    assert_eq!(code(&stage.ask(session, &bad)), -32602);
}

#[test]
fn a_burst_of_changes_is_told_once_to_each() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let unconfirmed = stage.server.open(false).expect("a session");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {} });
    stage.ask_legacy(unconfirmed, json!(1), "initialize", params);
    let filter = json!({ "notifications": { "toolsListChanged": true, "promptsListChanged": false } });
    stage.ask_modern(session, json!("7"), "subscriptions/listen", filter.clone());
    stage.ask_modern(session, json!(7), "subscriptions/listen", filter);
    for number in 0..5 {
        let tool = json!({ "name": format!("t{number}"), "inputSchema": { "type": "object" } });
        stage.server.add_tool(stage.now, &tool.to_string(), "t").expect("a tool");
    }
    stage.server.remove(stage.now, Kind::Prompt, "p");
    assert!(!stage.server.remove(stage.now, Kind::Prompt, "p"));
    assert!(stage.advance(BURST / 2).is_empty());
    let frames = stage.advance(BURST);
    let about_tools: Vec<&Value> =
        frames.iter().filter(|frame| frame["method"] == "notifications/tools/list_changed").collect();
    assert_eq!(about_tools.len(), 3, "one session that is ready and two streams: {frames:?}");
    let ids: Vec<&Value> = about_tools
        .iter()
        .filter_map(|frame| frame["params"]["_meta"].get("io.modelcontextprotocol/subscriptionId"))
        .collect();
    assert!(ids.contains(&&json!(7)) && ids.contains(&&json!("7")), "{ids:?}");
    let about_prompts = methods(&frames).iter().filter(|name| name.contains("prompts")).count();
    assert_eq!(about_prompts, 1, "the streams did not ask for prompts");
    assert!(stage.advance(BURST * 2).is_empty());
}

#[test]
fn a_notification_of_an_extension_reaches_the_streams_that_asked_for_it() {
    let mut settings = settings();
    settings.extension_notices =
        [("com.example/renderChanged".into(), "notifications/com.example/render".into())].into();
    let mut stage = Stage::new(settings);
    let legacy = stage.legacy("2025-11-25", &json!({}));
    let modern = stage.server.open(false).expect("a session");
    let wanted = json!({ "com.example/renderChanged": true });
    let filter = json!({ "notifications": { "com.example/renderChanged": true, "com.example/other": true } });
    let ack = stage.ask_modern(modern, json!("r"), "subscriptions/listen", filter);
    assert_eq!(ack[0]["params"]["notifications"], wanted, "of another member nothing is known");
    let unwanted = json!({ "notifications": { "com.example/renderChanged": false } });
    stage.ask_modern(modern, json!("n"), "subscriptions/listen", unwanted);
    let bad = json!({ "notifications": { "com.example/renderChanged": 1 } });
    assert_eq!(code(&stage.ask_modern(modern, json!("b"), "subscriptions/listen", bad)), -32602);

    let params = r#"{"_meta":{"a":1},"n":12345678901234567890}"#;
    let sent = stage.server.notify_sessions(None, "notifications/com.example/render", params).expect("sent");
    let frames = stage.sent();
    assert_eq!((sent, frames.len()), (2, 2));
    let metas: Vec<&Value> = frames.iter().map(|frame| &frame["params"]["_meta"]).collect();
    assert!(metas.contains(&&json!({ "a": 1 })), "the legacy session: {metas:?}");
    let about = json!({ "a": 1, "io.modelcontextprotocol/subscriptionId": "r" });
    assert!(metas.contains(&&about), "the stream that asked: {metas:?}");
    assert_eq!(frames[1]["params"]["n"].to_string(), "12345678901234567890");
    // One session, and another notification: no stream.
    let sent =
        stage.server.notify_sessions(Some(legacy), "notifications/com.example/render", "{}").expect("sent");
    assert_eq!((sent, stage.sent().len()), (1, 1));
    assert_eq!(stage.server.notify_sessions(None, "notifications/y", "{}").expect("sent"), 1);
}

#[test]
fn an_update_reaches_exactly_the_subscribers() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let other = stage.legacy("2025-06-18", &json!({}));
    let uri = json!({ "uri": "x://fixed" });
    assert_eq!(
        stage.ask_legacy(session, json!(1), "resources/subscribe", uri.clone())[0]["result"],
        json!({})
    );
    assert_eq!(
        code(&stage.ask_legacy(other, json!(1), "resources/subscribe", json!({ "uri": "q://" }))),
        -32002
    );
    let filter = json!({ "notifications": { "resourceSubscriptions": ["x://fixed", "x://other"] } });
    let ack = stage.ask_modern(other, json!(0), "subscriptions/listen", filter);
    assert_eq!(ack[0]["method"], "notifications/subscriptions/acknowledged");
    let there = json!({ "resourceSubscriptions": ["x://fixed"] });
    assert_eq!(ack[0]["params"]["notifications"], there, "'x://other' does not exist, as 'q://' above");
    assert_eq!(ack[0]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 0);
    stage.server.resource_updated(stage.now, "x://fixed");
    stage.server.resource_updated(stage.now, "x://fixed");
    let frames = stage.advance(BURST);
    assert_eq!(frames.len(), 2, "{frames:?}");
    assert!(frames.iter().all(|frame| frame["params"]["uri"] == "x://fixed"));
    for _ in 0..2 {
        assert_eq!(
            stage.ask_legacy(session, json!(2), "resources/unsubscribe", uri.clone())[0]["result"],
            json!({})
        );
    }
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 0 } });
    assert!(stage.ask(other, &cancel).is_empty(), "no message after the end of a subscription");
    stage.server.resource_updated(stage.now, "x://fixed");
    assert!(stage.advance(BURST).is_empty());
}

#[cfg(feature = "store")]
#[test]
fn a_session_that_goes_on_elsewhere_has_there_what_it_subscribed_to_here() {
    use crate::engine::server::SharedSession;

    let [mut here, mut there] = [settings(), settings()].map(Stage::new);
    let session = here.legacy("2025-11-25", &json!({}));
    let twin = there.server.open(false).expect("a session");
    let shared = |stage: &mut Stage| {
        let record = stage.server.shared_session(session).expect("a handshake");
        SharedSession::read(&record.text()).expect("what was written")
    };
    let told = |stage: &mut Stage, uri: &str| {
        stage.server.resource_updated(stage.now, uri);
        stage.advance(BURST).len()
    };
    there.server.take_up_session(twin, &shared(&mut here));
    for (method, newer, count) in [("resources/subscribe", 1, 1), ("resources/unsubscribe", 0, 0)] {
        here.ask_legacy(session, json!(1), method, json!({ "uri": "x://fixed" }));
        let record = shared(&mut here);
        let followed = there.server.follow_session(twin, &record);
        assert_eq!(followed, vec![Box::<str>::from("x://fixed"); newer], "{method}");
        assert_eq!(told(&mut there, "x://fixed"), count, "{method}");
        assert!(there.server.follow_session(twin, &record).is_empty(), "it is subscribed to already");
    }
}

#[test]
fn what_clients_subscribe_to_has_a_share_of_bytes() {
    let mut settings = settings();
    settings.limits.subscription_bytes = 400_000;
    let mut stage = Stage::new(settings);
    let uri = |at: usize| format!("y://{at}{}", "a".repeat(7800));
    let flood = Holder::at(std::net::Ipv4Addr::new(192, 0, 2, 2).into());
    let sessions = [0; 3].map(|_| stage.legacy("2025-11-25", &json!({})));
    let (other, modern) =
        (stage.legacy("2025-11-25", &json!({})), stage.server.open(false).expect("a session"));
    for session in sessions.into_iter().chain([modern]) {
        stage.server.held_by(session, flood.clone());
    }
    let subscribe = |stage: &mut Stage, session, at| {
        let answer = stage.ask_legacy(session, json!(1), "resources/subscribe", json!({ "uri": uri(at) }));
        answer[0]["error"]["message"].as_str().map(str::to_owned)
    };
    let refused: Vec<String> = (0..75).filter_map(|at| subscribe(&mut stage, sessions[at % 3], at)).collect();
    assert_eq!(refused.len(), 50, "all sessions of one client have 200,000 bytes");
    assert!(
        refused[0].contains(
            "may take 200000 bytes at present: end some subscriptions first (limits.subscription_bytes)"
        ),
        "{}",
        refused[0]
    );
    assert_eq!(subscribe(&mut stage, other, 0), None);
    // What ends is given back, and what is asked for again is counted once.
    assert_eq!(subscribe(&mut stage, sessions[0], 0), None);
    stage.ask_legacy(sessions[0], json!(2), "resources/unsubscribe", json!({ "uri": uri(0) }));
    stage.server.close(sessions[1]);
    assert_eq!((100..108).filter_map(|at| subscribe(&mut stage, sessions[2], at)).count(), 0);
    // The same for streams, which have as many bytes of their own.
    let filter = |count| {
        let uris: Vec<String> = (0..count).map(uri).collect();
        json!({ "notifications": { "resourceSubscriptions": uris } })
    };
    let answer = stage.ask_modern(modern, json!("a"), "subscriptions/listen", filter(26));
    assert_eq!(code(&answer), -32010);
    assert_eq!(answer[0]["error"]["data"]["limit"], "limits.subscription_bytes");
    let text = answer[0]["error"]["message"].as_str().expect("a text");
    assert!(text.contains("this client may have 200000 together at present"), "{text}");
    for id in ["b", "c", "d"] {
        let answer = stage.ask_modern(modern, json!(id), "subscriptions/listen", filter(24));
        assert_eq!(answer[0]["method"], "notifications/subscriptions/acknowledged");
        let cancel =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
        stage.ask(modern, &cancel);
    }
}

#[test]
fn one_client_has_half_of_the_subscriptions_that_the_others_leave() {
    let mut settings = settings();
    (settings.limits.listens, settings.limits.listens_per_session) = (8, 3);
    let mut stage = Stage::new(settings);
    let listen = |stage: &mut Stage, session, id: usize| {
        let filter = json!({ "notifications": { "toolsListChanged": true } });
        let answer = stage.ask_modern(session, json!(id), "subscriptions/listen", filter);
        answer[0]["error"]["data"]["limit"].as_str().map(str::to_owned)
    };
    let flood: Vec<_> = (0..4)
        .map(|_| {
            let session = stage.server.open(false).expect("a session");
            stage.server.held_by(session, Holder::process(1));
            session
        })
        .collect();
    let refused: Vec<_> = (0..16).filter_map(|id| listen(&mut stage, flood[id / 4], id)).collect();
    assert_eq!(refused.len(), 12, "it has four of eight");
    assert_eq!((&*refused[0], &*refused[1]), ("limits.session_listens", "limits.listens"));
    let other = stage.server.open(false).expect("a session");
    assert_eq!(listen(&mut stage, other, 0), None);
    stage.server.close(flood[0]);
    assert_eq!(listen(&mut stage, flood[2], 20), None, "what has ended is given back");
}

#[test]
fn a_filter_of_the_wrong_shape_is_refused_and_what_is_not_offered_left_out() {
    let mut settings = settings();
    settings.limits.listens_per_session = 2;
    settings.limits.subscriptions_per_session = 2;
    let mut stage = Stage::new(settings);
    let session = stage.server.open(false).expect("a session");
    for filter in [
        json!({}),
        json!({ "notifications": [1] }),
        json!({ "notifications": { "toolsListChanged": 1 } }),
        json!({ "notifications": { "resourceSubscriptions": "x" } }),
        json!({ "notifications": { "resourceSubscriptions": [1] } }),
        json!({ "notifications": { "resourceSubscriptions": ["a:", "b:", "c:"] } }),
    ] {
        assert_eq!(code(&stage.ask_modern(session, json!(1), "subscriptions/listen", filter)), -32602);
    }
    for id in 1..=2 {
        let unknown = json!({ "notifications": { "moonChanged": true } });
        let ack = stage.ask_modern(session, json!(id), "subscriptions/listen", unknown);
        assert_eq!(ack[0]["params"]["notifications"], json!({}));
    }
    assert_eq!(
        code(&stage.ask_modern(session, json!(3), "subscriptions/listen", json!({ "notifications": {} }))),
        -32010
    );
    for (member, is_own) in [("taskIds", true), ("promptsListChanged", true), ("moonChanged", false)] {
        assert_eq!(crate::engine::server::is_own_member(member), is_own, "{member}");
    }
    stage.server.end_listens();
    let results = stage.sent();
    assert_eq!(results.len(), 4);
    for pair in results.chunks(2) {
        // Over a byte stream the cancellation comes while the subscription is still open.
        assert_eq!(pair[0]["method"], "notifications/cancelled");
        assert_eq!(pair[0]["params"]["requestId"], pair[1]["id"]);
        assert_eq!(pair[1]["result"]["resultType"], "complete");
        let meta = &pair[1]["result"]["_meta"];
        assert_eq!(meta["io.modelcontextprotocol/subscriptionId"], pair[1]["id"]);
        assert_eq!(meta["io.modelcontextprotocol/serverInfo"]["name"], "stage");
    }
}

#[test]
fn what_belongs_to_a_request_goes_where_the_request_came_from() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "roots": {} }));
    let call = json!({ "name": "add", "arguments": { "a": 1 } });
    let mut modern = Stage::modern(call.clone(), &json!({}));
    modern["_meta"]["progressToken"] = json!("t");
    modern["_meta"]["io.modelcontextprotocol/logLevel"] = json!("debug");
    // The legacy request gets a log message, a question, its withdrawal and the answer; the modern one progress, a log message
    // and the answer.
    for (number, params, frames) in [(3, call, 4), (4, modern, 3)] {
        let from = Stream { session, number };
        let message = json!({ "jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params });
        stage.server.frame(stage.now, from, message.to_string().as_bytes());
        stage.sent();
        let request = stage.run().request;
        stage.server.progress(stage.now, request, 1.0, None, None);
        stage.server.log(stage.now, request, Severity::Error, None, "1");
        stage.server.ask(request, "k", "roots/list", "{}");
        stage.server.returned(stage.now, request);
        let _sent = stage.server.respond(stage.now, request, Outcome::Result(r#"{"content":[]}"#));
        let effects = std::iter::from_fn(|| stage.server.effect());
        let places: Vec<Stream> = effects
            .filter_map(|effect| match effect {
                Effect::Send { to, .. } => Some(to),
                _ => None,
            })
            .collect();
        assert_eq!(places, vec![from; frames]);
    }
}

#[test]
fn a_subscription_carries_no_progress_and_no_log_messages() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let mut params = Stage::modern(json!({ "notifications": { "toolsListChanged": true } }), &json!({}));
    params["_meta"]["progressToken"] = json!(1);
    params["_meta"]["io.modelcontextprotocol/logLevel"] = json!("debug");
    let listen = json!({ "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params });
    assert_eq!(methods(&stage.ask(session, &listen)), ["notifications/subscriptions/acknowledged"]);
    assert!(stage.runs.is_empty(), "no handler could report anything");
    assert_eq!(stage.server.log_to_all(stage.now, Severity::Emergency, None, "1"), 0);
    assert!(stage.advance(BURST).is_empty());
}

#[test]
fn the_end_of_one_subscription_leaves_the_others() {
    let mut stage = Stage::new(settings());
    let session = stage.server.open(false).expect("a session");
    let filter = json!({ "notifications": { "toolsListChanged": true } });
    for id in [json!(1), json!("1")] {
        stage.ask_modern(session, id, "subscriptions/listen", filter.clone());
    }
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    assert!(stage.ask(session, &cancel).is_empty());
    stage.server.remove(stage.now, Kind::Tool, "add");
    let frames = stage.advance(BURST);
    assert_eq!(frames.len(), 1, "{frames:?}");
    assert_eq!(frames[0]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "1");
}

#[test]
fn a_server_that_has_not_announced_it_logs_nothing() {
    let mut quiet = settings();
    quiet.announced.logging = false;
    let mut stage = Stage::new(quiet);
    let session = stage.legacy("2025-11-25", &json!({}));
    stage.ask_legacy(session, json!(1), "tools/call", json!({ "name": "add", "arguments": { "a": 1 } }));
    let request = stage.run().request;
    assert!(!stage.server.log(stage.now, request, Severity::Emergency, None, "1"));
    assert_eq!(stage.server.log_to_all(stage.now, Severity::Emergency, None, "1"), 0);
    assert!(stage.sent().is_empty());
    let discovered = stage.ask_modern(session, json!(2), "server/discover", json!({}));
    assert_eq!(discovered[0]["result"]["capabilities"].get("logging"), None);
}

#[test]
fn changed_roots_are_told_to_the_application() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({ "roots": { "listChanged": true } }));
    let changed = br#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#;
    stage.server.frame(stage.now, Stream { session, number: 0 }, changed);
    assert!(matches!(stage.server.effect(), Some(Effect::RootsChanged(whose)) if whose == session));
}

const MILLISECOND: Duration = Duration::from_millis(1);

fn started(stage: &mut Stage, session: SessionId, id: u64) -> RequestId {
    let params = json!({ "name": "typed", "_meta": { "progressToken": id } });
    stage.ask_legacy(session, json!(id), "tools/call", params);
    stage.run().request
}

fn values(frames: &[Value]) -> Vec<f64> {
    let progress = frames.iter().filter(|frame| frame["method"] == "notifications/progress");
    progress.filter_map(|frame| frame["params"]["progress"].as_f64()).collect()
}

#[test]
fn a_flood_of_progress_is_thinned_out_and_its_last_value_sent() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let request = started(&mut stage, session, 1);
    let mut sent = Vec::new();
    for step in 1..=1_000_000_u32 {
        assert!(stage.server.progress(stage.now, request, f64::from(step), None, None));
        if step % 1_000 == 0 {
            sent.extend(values(&stage.sent()));
            sent.extend(values(&stage.advance(MILLISECOND)));
        }
    }
    // One second: the permits of one second, and those that came back meanwhile.
    assert!((190..=210).contains(&sent.len()), "{}", sent.len());
    assert!(sent.windows(2).all(|pair| pair[0] < pair[1]), "values rise");
    assert!(stage.server.progress(stage.now, request, 1_000_001.0, None, None));
    assert!(stage.sent().is_empty());
    let (_, frames) = stage.respond(request, Outcome::Failure("done"));
    assert_eq!(values(&frames), [1_000_001.0], "the last value is never missing");
    assert_eq!(frames[1]["id"], 1, "and goes out before the answer");
    assert!(stage.advance(Duration::from_secs(9)).is_empty(), "nothing after the answer");
    assert_eq!(stage.server.deadline(), None);
}

#[test]
fn what_is_held_back_goes_out_when_its_time_comes() {
    let mut settings = settings();
    settings.limits.progress_per_second = 2;
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let (one, two) = (started(&mut stage, session, 1), started(&mut stage, session, 2));
    let report = |stage: &mut Stage, request, value| {
        assert!(stage.server.progress(stage.now, request, value, None, None));
        values(&stage.sent())
    };
    assert_eq!(report(&mut stage, one, 1.0), [1.0]);
    assert_eq!(report(&mut stage, one, 2.0), [2.0]);
    for value in [3.0, 4.0, 5.0] {
        assert!(report(&mut stage, one, value).is_empty());
    }
    assert!(report(&mut stage, two, 7.0).is_empty(), "the rate is of the session");
    let other = stage.legacy("2025-11-25", &json!({}));
    let elsewhere = started(&mut stage, other, 3);
    assert_eq!(report(&mut stage, elsewhere, 9.0), [9.0], "another session has its own");
    assert_eq!(stage.server.deadline(), Some(stage.now.at + MILLISECOND * 500));
    assert!(stage.advance(MILLISECOND * 499).is_empty());
    assert_eq!(values(&stage.advance(MILLISECOND)), [5.0], "the newest one, of the oldest request");
    assert_eq!(values(&stage.advance(MILLISECOND * 500)), [7.0]);
    // A value that may go out at once takes the place of the one that waits.
    assert!(report(&mut stage, one, 6.0).is_empty());
    stage.now.at += MILLISECOND * 500;
    assert_eq!(report(&mut stage, one, 7.0), [7.0]);
    assert!(values(&stage.advance(Duration::from_secs(1))).is_empty());
    // What waits for a request that is withdrawn is dropped.
    for value in [8.0, 9.0, 10.0] {
        report(&mut stage, one, value);
    }
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    assert!(stage.ask(session, &cancel).is_empty());
    assert!(values(&stage.advance(Duration::from_secs(9))).is_empty());
}

#[test]
fn the_last_progress_goes_out_before_every_kind_of_end() {
    let mut settings = settings();
    settings.limits.progress_per_second = 1;
    for end in 0..3 {
        let mut stage = Stage::new(settings.clone());
        let session = stage.server.open(false).expect("a session");
        let mut params = Stage::modern(json!({ "name": "typed" }), &json!({ "roots": {} }));
        params["_meta"]["progressToken"] = json!("t");
        stage.ask(session, &json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
        let request = stage.run().request;
        for value in [1.0, 2.0, 3.0] {
            stage.server.progress(stage.now, request, value, None, None);
        }
        assert_eq!(values(&stage.sent()), [1.0]);
        match end {
            0 => {
                stage.server.ask(request, "k", "roots/list", "{}");
                stage.server.returned(stage.now, request);
            }
            1 => stage.server.refuse_all(stage.now, "closing"),
            _ => stage.now.at += Duration::from_secs(300),
        }
        let frames = if end == 2 { stage.advance(Duration::ZERO) } else { stage.sent() };
        assert_eq!(values(&frames), [3.0], "{end}");
        assert_eq!(frames.last().expect("an answer")["id"], 1);
    }
}

#[test]
fn log_messages_over_the_rate_are_left_out_counted_and_told_once() {
    let mut settings = settings();
    settings.limits.logs_per_second = 3;
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let request = started(&mut stage, session, 1);
    let log = |stage: &mut Stage| stage.server.log(stage.now, request, Severity::Error, None, "1");
    assert_eq!((0..10).filter(|_| log(&mut stage)).count(), 3);
    assert!(!stage.server.log(stage.now, request, Severity::Debug, None, "1"), "the client does not want it");
    assert_eq!(stage.server.log_to_all(stage.now, Severity::Error, None, "1"), 0);
    assert_eq!(stage.sent().len(), 3);
    let other = stage.legacy("2025-11-25", &json!({}));
    assert_eq!(
        stage.server.log_to_all(stage.now, Severity::Error, None, "1"),
        1,
        "{other:?} has a rate of its own"
    );
    assert_eq!(stage.sent().len(), 1);
    assert_eq!(stage.server.counters().dropped_logs, 9);
    assert!(stage.records.is_empty());
    stage.advance(Duration::from_secs(1));
    assert_eq!(stage.records.len(), 1, "{:?}", stage.records);
    assert!(
        stage.records[0].starts_with("9 log messages") && stage.records[0].contains("limits.logs_per_second")
    );
    assert!(log(&mut stage), "the permits are back");
    // The end of the session tells the rest.
    while log(&mut stage) {}
    stage.server.close(session);
    stage.sent();
    assert_eq!(stage.records.len(), 2);
    assert!(stage.records[1].starts_with("1 log message"), "{:?}", stage.records);
    stage.advance(Duration::from_secs(9));
    assert_eq!(stage.records.len(), 2);
    assert_eq!(stage.server.deadline(), None);
}
