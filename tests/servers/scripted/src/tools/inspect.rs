//! What the server process sees: what the client sent, and what the client's spawn gave it. A test reads here what it
//! cannot see from its own side.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Tool, t};
use crate::session::{Call, Session};
use crate::{message, posix};

pub const TOOLS: &[Tool] = &[
    t(
        "received",
        "{method?, lines?}",
        "structuredContent {counts: {method: n}} of all that came, this call included; lines: true adds the lines, \
         of one method if named. Responses count as (response), the rest as (not a message).",
        received,
    ),
    t(
        "env",
        "{name?}",
        "The value of one variable as text (isError if unset), or all as structuredContent.",
        env,
    ),
    t("fds", "{all?}", "structuredContent {fds: {number: target}} above 2, or all.", fds),
    t("pgid", "{}", "structuredContent {pid, ppid, pgid, sid}.", pgid),
    t("spawn", "{}", "structuredContent {arguments, cwd, status: {SigBlk, SigIgn, Threads, ...}}.", spawn),
];

fn received(session: &Arc<Session>, call: &Call) {
    let memory = session.memory();
    let mut seen = json!({ "counts": memory.counts });
    if call.flag("lines") == Some(true) {
        let wanted = call.text("method");
        let lines = memory.lines.iter().filter(|(label, _)| wanted.is_none_or(|wanted| wanted == label));
        seen["lines"] = lines.map(|(_, line)| Value::from(line.as_str())).collect();
    }
    drop(memory);
    session.answer(call, message::data(seen));
}

fn env(session: &Arc<Session>, call: &Call) {
    let lossy = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    let result = match call.text("name") {
        None => {
            let all: BTreeMap<String, String> =
                std::env::vars_os().map(|(name, value)| (lossy(name), lossy(value))).collect();
            message::data(json!(all))
        }
        Some(name) => match std::env::var_os(name) {
            Some(value) => message::text(lossy(value)),
            None => message::failure("not set"),
        },
    };
    session.answer(call, result);
}

fn fds(session: &Arc<Session>, call: &Call) {
    let lowest = if call.flag("all") == Some(true) { 0 } else { 3 };
    let mut open = BTreeMap::new();
    for entry in std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten() {
        let number = entry.file_name().to_string_lossy().parse::<u64>().unwrap_or(0);
        let target = std::fs::read_link(entry.path()).unwrap_or_default().to_string_lossy().into_owned();
        // The one that lists this very directory is ours and gone after the loop.
        if number >= lowest && !target.ends_with("/fd") {
            open.insert(number.to_string(), target);
        }
    }
    session.answer(call, message::data(json!({ "fds": open })));
}

fn pgid(session: &Arc<Session>, call: &Call) {
    let [pid, ppid, pgid, sid] = posix::ids();
    session.answer(call, message::data(json!({ "pid": pid, "ppid": ppid, "pgid": pgid, "sid": sid })));
}

fn spawn(session: &Arc<Session>, call: &Call) {
    let arguments: Vec<String> =
        std::env::args_os().map(|text| text.to_string_lossy().into_owned()).collect();
    let cwd = std::env::current_dir().unwrap_or_default();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let status: BTreeMap<&str, &str> = status
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name, value.trim()))
        .collect();
    session.answer(call, message::data(json!({ "arguments": arguments, "cwd": cwd, "status": status })));
}
