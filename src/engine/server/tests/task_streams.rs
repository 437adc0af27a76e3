//! Where messages of a task go in a session of many streams, as over HTTP.

use super::stage::{QUESTION, Stage, settings};
use super::tasks::{DONE, stage};
use crate::engine::server::{Asked, Effect, Outcome, Stream};
use serde_json::{Value, json};

/// The frames that are to be sent, each with the stream that it goes to.
fn on_streams(stage: &mut Stage) -> Vec<(u64, Value)> {
    let mut frames = Vec::new();
    while let Some(effect) = stage.server.effect() {
        match effect {
            Effect::Send { to, frame, .. } => {
                frames.push((to.number, serde_json::from_slice(&frame).expect("JSON")));
            }
            Effect::Run(run) => stage.runs.push(*run),
            _ => {}
        }
    }
    frames
}

#[test]
fn a_question_of_a_task_goes_to_the_stream_that_waits_for_it() {
    let mut stage = stage(settings());
    let session = stage.server.open(true).expect("a session");
    let send = |stage: &mut Stage, number: u64, mut message: Value| {
        message["jsonrpc"] = json!("2.0");
        stage.server.frame(stage.now, Stream { session, number }, message.to_string().as_bytes());
        on_streams(stage)
    };
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} }, "clientInfo": {} });
    send(&mut stage, 1, json!({ "id": 1, "method": "initialize", "params": params }));
    send(&mut stage, 2, json!({ "method": "notifications/initialized" }));
    let call = json!({ "id": 1, "method": "tools/call", "params": { "name": "optional", "task": {} } });
    let begun = send(&mut stage, 3, call);
    assert_eq!((begun.len(), begun[0].0), (1, 3));
    let task = begun[0].1["result"]["task"]["taskId"].clone();
    let request = stage.run().request;
    stage.server.stream_closed(Stream { session, number: 3 });
    let ask = |stage: &mut Stage, key: &str| {
        assert_eq!(stage.server.ask(request, key, "elicitation/create", QUESTION), Asked::Pending);
        stage.server.returned(stage.now, request);
        on_streams(stage)
    };
    let asked = ask(&mut stage, "first");
    assert_eq!((asked.len(), asked[0].0, asked[1].0), (2, 0, 0), "no stream waits: {asked:?}");
    let wait = json!({ "id": 1, "method": "tasks/result", "params": { "taskId": task } });
    assert_eq!(send(&mut stage, 4, wait), []);
    send(&mut stage, 5, json!({ "id": asked[0].1["id"], "result": { "action": "cancel" } }));
    assert_eq!(stage.run().request, request);
    let asked = ask(&mut stage, "second");
    assert_eq!((asked[0].0, &asked[0].1["method"]), (4, &json!("elicitation/create")));
    send(&mut stage, 5, json!({ "id": asked[0].1["id"], "result": { "action": "cancel" } }));
    let _sent = stage.server.respond(stage.now, request, Outcome::Result(DONE));
    let frames = on_streams(&mut stage);
    assert!(frames.iter().any(|(number, frame)| *number == 4 && frame["result"].is_object()), "{frames:?}");
}
