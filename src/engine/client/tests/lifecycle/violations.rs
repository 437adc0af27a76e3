//! The table of protocol violations: one action, one counter, one log event each.

use super::super::stage::{Made, Saw, Stage, modern};
use super::page::{Place, code, table};
use super::scene::{Scene, Timer};
use crate::engine::State;
use serde_json::{Value, json};

type Send = fn(&mut Stage, &Value);

/// Sends a frame in which `#` stands for the id of C.
macro_rules! frame {
    ($text:expr) => {
        |stage: &mut Stage, id: &Value| stage.text($text.replace('#', &id.to_string()))
    };
}

const VIOLATIONS: [(&str, Send); 23] = [
    ("a line that is no JSON object", frame!("Server listening on stdio")),
    (
        "invalid JSON or UTF-8 in an answer to C, if certain",
        frame!(r#"{"jsonrpc":"2.0","id":#,"result":{"unfinished"#),
    ),
    ("an answer nested deeper than limits.json_depth, if certain", |stage, id| {
        let (open, close) = ("[".repeat(200), "]".repeat(200));
        stage.text(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{open}{close}}}"#));
    }),
    ("an answer over limits.frame_bytes, if certain", |stage, id| oversized(stage, id.as_u64())),
    ("a frame over limits.frame_bytes that is not certainly an answer to a call", |stage, _| {
        oversized(stage, None);
    }),
    ("wrong jsonrpc", frame!(r#"{"jsonrpc":"1.0","id":#,"result":{}}"#)),
    (
        "both result and error",
        frame!(r#"{"jsonrpc":"2.0","id":#,"result":{},"error":{"code":1,"message":""}}"#),
    ),
    ("neither result nor error", frame!(r#"{"jsonrpc":"2.0","id":#}"#)),
    ("an error that is neither an object nor a text", frame!(r#"{"jsonrpc":"2.0","id":#,"error":7}"#)),
    ("an envelope member that stands twice", frame!(r#"{"jsonrpc":"2.0","id":#,"result":1,"result":2}"#)),
    (
        "a result of an unknown type (modern)",
        frame!(r#"{"jsonrpc":"2.0","id":#,"result":{"resultType":"?"}}"#),
    ),
    ("a result that is no object", frame!(r#"{"jsonrpc":"2.0","id":#,"result":42}"#)),
    ("an id that is no number, nor text of one", frame!(r#"{"jsonrpc":"2.0","id":"x#","result":{}}"#)),
    ("an id that was never sent", frame!(r#"{"jsonrpc":"2.0","id":4711,"result":{}}"#)),
    ("an answer that comes too late or twice", frame!(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)),
    (
        "an error without an id",
        frame!(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}"#),
    ),
    (
        "a batch where the revision has none",
        frame!(r#"[{"jsonrpc":"2.0","method":"notifications/message","params":{}}]"#),
    ),
    ("an empty batch", frame!("[]")),
    (
        "a request of the server with a broken id, method or params",
        frame!(r#"{"jsonrpc":"2.0","id":#,"method":7}"#),
    ),
    ("a request of the server in the modern era", frame!(r#"{"jsonrpc":"2.0","id":#,"method":"ping"}"#)),
    (
        "a list_changed that names no subscription of ours (modern, not over HTTP)",
        frame!(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#),
    ),
    ("a second initialize, from the server", frame!(r#"{"jsonrpc":"2.0","id":#,"method":"initialize"}"#)),
    (
        "progress that no call waits for",
        frame!(r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"x"}}"#),
    ),
];

fn oversized(stage: &mut Stage, id: Option<u64>) {
    let (now, generation) = (stage.now, stage.engine.generation());
    stage.engine.oversized(now, generation, id, 1 << 30, 1 << 24);
}

/// A ready connection with C under way on it.
fn with_a_call(is_modern: bool) -> (Stage, Made, Value) {
    if is_modern {
        let mut stage = Stage::ready(modern());
        let call = stage.call("tools/call");
        let id = stage.sent_one()["id"].clone();
        (stage, call, id)
    } else {
        let scene = Scene::with(Place::Ready, Timer::None);
        let (call, id) = (scene.c(), scene.call_id.clone());
        (scene.stage, call, id)
    }
}

#[test]
fn each_violation_has_the_action_the_counter_and_the_log_event_that_the_page_names() {
    let rows = table("Protocol violations");
    let named: Vec<&str> = rows[1..].iter().map(|row| row[0]).collect();
    let tested: Vec<&str> = VIOLATIONS.iter().map(|(name, _)| *name).collect();
    assert_eq!(named, tested);
    for (row, (name, send)) in rows[1..].iter().zip(VIOLATIONS) {
        let (mut stage, call, id) = with_a_call(name.contains("modern"));
        let (before, answers) = (stage.counters().to_map(), code(row[1]));
        stage.take();
        send(&mut stage, &id);
        stage.pass(std::time::Duration::ZERO);
        let ended = stage.reply(call).is_some().then(|| stage.status(call).as_str().to_uppercase());
        assert_eq!(ended.as_deref(), answers.first().copied().filter(|_| row[1].contains("for C")), "{name}");
        let refused = stage.sent().iter().filter(|frame| frame["error"]["code"] == json!(-32601)).count();
        assert_eq!(refused == 1, answers.contains(&"send error"), "{name}");

        let (counter, event) = (code(row[2])[0], code(row[3])[0]);
        let counted = |map: &serde_json::Map<String, Value>| map[counter].as_u64().expect("a number");
        assert_eq!(counted(&stage.counters().to_map()), counted(&before) + 1, "{name}: {counter}");
        let logged = |saw: &Saw| matches!(saw, Saw::Logged(record) if record.event == event);
        assert!(stage.take().iter().any(logged), "{name}: {event}");
        assert_eq!(stage.engine.state(), State::Ready, "{name}: the connection stays");
    }
}
