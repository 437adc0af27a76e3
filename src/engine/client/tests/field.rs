//! Servers that people have, at the engine of a client: the tables `servers.toml` and `results.toml`.

use super::stage::{Saw, Stage, legacy};
use crate::engine::{CallOptions, Feature, State, Status};
use crate::protocol::field::{Row, rows};
use serde_json::Value;

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{},"prompts":{},"logging":{},"completions":{}},"serverInfo":{"name":"s","version":"1"}}}"#;

fn played(row: &Row, settings: crate::engine::Settings) {
    let name = row.name();
    let mut stage = Stage::opened(settings);
    let request = stage.sent_one();
    let at = |text: &str, id: &Value| text.replace("$ID", &id.to_string()).replace("$MARK", "\u{feff}");
    for frame in row.all("before") {
        stage.text(at(frame, &request["id"]));
    }
    stage.text(at(row.get("initialize").unwrap_or(INITIALIZED), &request["id"]));
    if row.get("ends") == Some("not connected") {
        assert_ne!(stage.engine.state(), State::Ready, "{name}");
        let told = stage.take().into_iter().filter_map(|saw| match saw {
            Saw::Connected(Err(error)) => Some(error.message),
            _ => None,
        });
        return row.check(&told.collect::<String>());
    }
    assert_eq!(stage.engine.state(), State::Ready, "{name}");
    stage.sent();
    let method = row.get("call").unwrap_or("tools/list");
    let feature = if method.ends_with("/list") { Feature::AllPages } else { Feature::Plain };
    let options = CallOptions { feature, progress: true, ..CallOptions::default() };
    let params = row.get("params");
    let made = stage.try_call(method, params, &options).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let before = stage.counters();
    let mut request = stage.sent_one();
    for frame in row.all("frames") {
        let token = request["params"]["_meta"]["progressToken"].to_string();
        stage.text(at(&frame.replace("$TOKEN", &token), &request["id"]));
        if let Some(next) = stage.sent.iter().find(|sent| sent["method"] == method) {
            request = next.clone();
        }
    }
    let (ends, seen) = match stage.reply(made) {
        None => ("waits", String::new()),
        Some(Ok(body)) => ("ok", String::from_utf8_lossy(body.json.of(&body.frame)).into_owned()),
        Some(Err(error)) => {
            let ends = match error.status {
                Status::Protocol => "protocol",
                Status::Server => "server",
                Status::Unsupported => "unsupported",
                other => panic!("{name}: {other:?}"),
            };
            (ends, error.message.clone())
        }
    };
    assert_eq!(ends, row.get("ends").unwrap_or("ok"), "{name}: {seen}");
    let saw: Vec<String> = stage.take().iter().map(|saw| format!("{saw:?}")).collect();
    row.check(&format!("{seen}\n{}", saw.join("\n")));
    let (now, counts) = (stage.counters(), row.get("counts").unwrap_or("tolerated"));
    for (counter, grew) in [
        ("tolerated", now.tolerated > 0),
        ("garbage", now.garbage_frames > 0),
        ("violations", now.violations > before.violations),
        ("unknown", now.unknown_answers > 0),
        ("progress", now.ignored_progress > 0),
    ] {
        assert_eq!(grew, counts == counter, "{name}: {counter}");
    }
    assert_eq!(stage.engine.state(), State::Ready, "{name}: the connection stays");
}

#[test]
fn every_server_that_was_reported_is_understood_or_refused_in_words() {
    for row in rows("servers.toml").iter().chain(&rows("results.toml")) {
        played(row, legacy());
    }
}
