//! Calls that become tasks. This file has what the others share; `core` is the form of 2025-11-25, `extension` that of 2026-07-28,
//! `ending` what both do when a call or a connection ends, over streams and HTTP, and random schedules of both.

mod core;
mod ending;
mod extension;

use super::stage::{Made, Saw, Stage, declaring, discovery, initialized_at, legacy, modern};
use crate::engine::{
    CallOptions, Error, ExchangeFailure, FailureKind, Feature, Settings, Status, TaskSettings,
};
use serde_json::{Value, json};
use std::time::Duration;

pub const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// Settings with tasks, and what servers may ask for.
pub fn tasked(settings: Settings) -> Settings {
    let capabilities = json!({"elicitation": {}, "roots": {}, "extensions": {EXTENSION: {}}});
    Settings { tasks: Some(TaskSettings::default()), ..declaring(settings, &capabilities) }
}

/// What a server of 2025-11-25 with tasks answers to `initialize`.
pub fn core_server() -> Value {
    let mut result = initialized_at("2025-11-25");
    result["capabilities"]["tasks"] = json!({"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}});
    result
}

/// What a modern server with tasks answers to the probe.
pub fn extension_server() -> Value {
    let mut result = discovery();
    result["capabilities"]["extensions"] = json!({EXTENSION: {}});
    result
}

/// A ready connection to a server that answers the handshake with this.
pub fn ready(settings: Settings, handshake: &Value) -> Stage {
    let mut stage = Stage::opened(settings);
    let request = stage.sent_one();
    stage.answer(&request, handshake);
    stage.take();
    stage.sent();
    stage
}

pub fn core_tasks() -> Stage {
    ready(tasked(legacy()), &core_server())
}

pub fn extension_tasks() -> Stage {
    ready(Settings { change_notifications: false, ..tasked(modern()) }, &extension_server())
}

pub fn plain() -> CallOptions {
    CallOptions { feature: Feature::Plain, ..CallOptions::default() }
}

pub fn as_task(task: bool) -> CallOptions {
    CallOptions { task: Some(task), ..plain() }
}

/// Calls a tool.
pub fn call(stage: &mut Stage, tool: &str, options: &CallOptions) -> Made {
    let params = json!({"name": tool, "arguments": {"n": 1}}).to_string();
    stage.try_call("tools/call", Some(&params), options).expect("accepted")
}

/// Answers the look-up of the tools.
pub fn list_tools(stage: &mut Stage) {
    let request = stage.sent_one();
    assert_eq!(request["method"], "tools/list");
    stage.answer(
        &request,
        &json!({"tools": [
            {"name": "must", "execution": {"taskSupport": "required"}},
            {"name": "may", "execution": {"taskSupport": "optional"}},
            {"name": "must-not", "execution": {"taskSupport": "forbidden"}},
            {"name": "silent"},
        ]}),
    );
}

/// A task of the core form.
pub fn core_task(status: &str) -> Value {
    json!({"taskId": "t-1", "status": status, "createdAt": "2025-11-25T10:30:00Z", "ttl": 60000, "pollInterval": 2000})
}

/// A task of the extension.
pub fn extension_task(status: &str) -> Value {
    json!({"resultType": "complete", "taskId": "t-1", "status": status, "createdAt": "2026-07-28T10:30:00Z",
           "ttlMs": 60000, "pollIntervalMs": 2000})
}

/// The result that says that there is a task of the extension.
pub fn created() -> Value {
    let mut task = extension_task("working");
    task["resultType"] = "task".into();
    task
}

/// A call on a server of 2025-11-25 that has become a task.
pub fn core_called(stage: &mut Stage) -> Made {
    let made = call(stage, "must", &plain());
    if stage.sent.first().is_some_and(|frame| frame["method"] == "tools/list") {
        list_tools(stage);
    }
    let request = stage.sent_one();
    stage.answer(&request, &json!({"task": core_task("working")}));
    made
}

/// A call on a modern server that has become a task.
pub fn extension_called(stage: &mut Stage) -> Made {
    let made = call(stage, "must", &plain());
    let request = stage.sent_one();
    stage.answer(&request, &created());
    made
}

/// The states told since this was last asked.
pub fn told(stage: &mut Stage) -> Vec<String> {
    let states = stage.take().into_iter().filter_map(|saw| match saw {
        Saw::Told { params, .. } => Some(params["status"].as_str().expect("a status").to_owned()),
        _ => None,
    });
    states.collect()
}

/// The only request sent, which must be this about the task.
pub fn sent(stage: &mut Stage, method: &str) -> Value {
    let request = stage.sent_one();
    assert_eq!(request["method"], method);
    assert_eq!(request["params"]["taskId"], "t-1");
    request
}

pub fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// The next connection, to a server that answers the handshake with this.
pub fn back(stage: &mut Stage, handshake: &Value) -> Vec<Value> {
    stage.come_back();
    stage.open();
    let request = stage.sent_one();
    stage.answer(&request, handshake);
    stage.sent()
}

pub fn completed(mut task: Value) -> Value {
    task["status"] = "completed".into();
    task["result"] = json!({"content": []});
    task
}

pub fn lost() -> ExchangeFailure {
    let error = Error::new(Status::Transport, "http", "the stream ended");
    ExchangeFailure { kind: FailureKind::Lost, error, http: None, spoken: None }
}
