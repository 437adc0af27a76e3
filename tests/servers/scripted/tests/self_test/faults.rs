//! Faults in the handshake, in time and on the wire.

use std::io::{Read, Write};
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Client, hello, server, text};

fn modern_meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn probe() -> Value {
    json!({ "_meta": modern_meta() })
}

#[test]
fn without_a_script_it_is_a_good_legacy_server() {
    let mut client = Client::start(&[]);
    assert_eq!(client.ask("server/discover", &probe())["error"]["code"], -32601);
    assert_eq!(client.ask("tools/list", &json!({}))["error"]["code"], -32600);
    client.ask("initialize", &hello());
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    assert_eq!(client.text("echo", &json!({ "text": "hi" })), "hi");
    assert_eq!(client.result("add", &json!({ "a": 2, "b": 3 }))["structuredContent"]["sum"], 5.0);
    let list = client.ask("tools/list", &json!({}));
    assert!(list["result"]["tools"].as_array().is_some_and(|tools| tools.len() > 40));
    client.close_stdin();
    assert_eq!(client.status().code(), Some(0));
}

#[test]
fn a_modern_server_discovers_and_wants_metadata() {
    let mut client = Client::start(&["--era", "modern"]);
    let found = client.ask("server/discover", &probe());
    assert_eq!(found["result"]["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(client.ask("tools/list", &json!({}))["error"]["code"], -32602);
    assert_eq!(client.ask("initialize", &hello())["error"]["code"], -32022);
    let call = json!({ "name": "echo", "arguments": { "text": "hi" }, "_meta": modern_meta() });
    assert_eq!(client.ask("tools/call", &call)["result"]["resultType"], "complete");

    let mut client = Client::start(&["--era", "modern", "unsupported-version=2027-01-01+2027-02-02"]);
    let refused = client.ask("server/discover", &probe());
    assert_eq!(refused["error"]["data"]["supported"], json!(["2027-01-01", "2027-02-02"]));
}

#[test]
fn skills_are_declared_listed_and_served_only_if_asked_for() {
    let mut client = Client::connect(&["skills"]);
    let first = client.ask("skills/list", &json!({}));
    let cursor = json!({ "cursor": first["result"]["nextCursor"] });
    let rest = client.ask("skills/list", &cursor);
    let count = |page: &Value| page["result"]["skills"].as_array().map_or(0, Vec::len);
    assert_eq!((count(&first), count(&rest)), (4, 4));
    let good = &first["result"]["skills"][0];
    let read = client.ask("resources/read", &json!({ "uri": good["uri"] }));
    let text = read["result"]["contents"][0]["text"].as_str().map(str::len);
    assert_eq!(text.map(|text| text as u64), good["resources"][0]["size"].as_u64());
    let dynamic = client.ask("skills/get", &json!({ "uri": "skill://shelf/dynamic/SKILL.md" }));
    assert_eq!(dynamic["result"]["skill"]["resources"], "dynamic");
    for (method, uri) in
        [("skills/get", "skill://shelf/none/SKILL.md"), ("resources/read", "skill://shelf/good/x")]
    {
        assert_eq!(client.ask(method, &json!({ "uri": uri }))["error"]["code"], -32602);
    }
    let mut client = Client::connect(&[]);
    assert_eq!(client.ask("skills/list", &json!({}))["error"]["code"], -32601);
}

#[test]
fn a_command_line_that_makes_no_sense_is_refused() {
    for arguments in [
        &["no-such-thing"][..],
        &["ready-after"],
        &["ignore-eof=1"],
        &["hang-on-probe=often"],
        &["fail-starts=1"],
        &["bad-length"],
        &["--era", "stone"],
    ] {
        assert_eq!(Client::start(arguments).status().code(), Some(64), "{arguments:?}");
    }
}

#[test]
fn deaths_come_at_their_moment() {
    assert_eq!(Client::start(&["exit-at-once=3"]).status().code(), Some(3));

    let mut client = Client::start(&["exit-on-probe=4"]);
    client.request("server/discover", &probe());
    assert_eq!((client.raw_line(), client.status().code()), (None, Some(4)));

    let mut client = Client::start(&["crash-before-initialize"]);
    assert_eq!(client.ask("server/discover", &probe())["error"]["code"], -32601);
    assert_eq!(client.status().code(), Some(1));

    let mut client = Client::start(&["crash-in-initialize"]);
    client.request("initialize", &hello());
    assert_eq!((client.raw_line(), client.status().code()), (None, Some(1)));

    let mut client = Client::start(&["crash-after-initialize"]);
    assert!(client.ask("initialize", &hello())["result"].is_object());
    assert_eq!(client.status().code(), Some(1));

    assert_eq!(Client::connect(&["crash-in-initialized=5"]).status().code(), Some(5));
}

#[test]
fn a_probe_can_hang_or_be_answered_late() {
    let mut client = Client::start(&["hang-on-probe"]);
    client.request("server/discover", &probe());
    assert!(client.ask("initialize", &hello())["result"].is_object());

    let mut client = Client::start(&["hang-on-probe=late-result"]);
    let late = client.request("server/discover", &probe());
    let initialize = client.request("initialize", &hello());
    let (first, second) = (client.line(), client.line());
    assert_eq!((&first["id"], &second["id"]), (&json!(late), &json!(initialize)));
    assert!(first["result"]["supportedVersions"].is_array());

    let mut client = Client::start(&["probe-error=32602"]);
    assert_eq!(client.ask("server/discover", &probe())["error"]["code"], -32602);
}

#[test]
fn late_answers_come_late_and_held_ones_in_reverse() {
    let mut client = Client::connect(&[]);
    let late = client.call("late", &json!({ "ms": 50 }));
    assert_eq!(client.text("echo", &json!({ "text": "first" })), "first");
    assert_eq!(client.line()["id"], late);

    let cancelled = client.call("late_after_cancel", &json!({}));
    client.call("hang", &json!({}));
    assert!(client.is_silent_for(Duration::from_millis(50)));
    let params = json!({ "requestId": cancelled });
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
    assert_eq!(client.line()["id"], cancelled);

    client.text("hold", &json!({ "n": 3 }));
    let asked: Vec<u64> = (0..3).map(|_| client.call("echo", &json!({ "text": "" }))).collect();
    let answered: Vec<u64> = (0..3).map(|_| client.line()["id"].as_u64().expect("an id")).collect();
    assert_eq!(answered, asked.into_iter().rev().collect::<Vec<_>>());
}

#[test]
fn wrong_envelopes_are_wrong_in_one_way_each() {
    let mut client = Client::connect(&[]);
    client.call("both", &json!({}));
    let both = client.line();
    assert!(both["result"].is_object() && both["error"].is_object());

    let id = client.call("string_id", &json!({}));
    assert_eq!([client.line()["id"].take(), client.line()["id"].take()], [json!(id.to_string()), json!(id)]);

    client.call("twice", &json!({}));
    let texts = [text(&client.line()["result"]), text(&client.line()["result"])];
    assert_eq!(texts, ["first", "second"]);

    client.call("batch", &json!({ "notification": true }));
    assert_eq!(client.line().as_array().map(Vec::len), Some(2));

    client.call("deep", &json!({ "levels": 100_000, "right_after": true }));
    assert!(client.raw_line().is_some_and(|line| line.len() > 200_000));
    assert_eq!(text(&client.line()["result"]), "right");

    let duplicates = [("content", "\"content\":"), ("result", "\"result\":"), ("id", "\"id\":")];
    for (place, key) in duplicates {
        client.call("duplicate_keys", &json!({ "where": place }));
        let line = String::from_utf8(client.raw_line().expect("a line")).expect("text");
        assert_eq!(line.matches(key).count(), 2, "{line}");
        assert!(serde_json::from_str::<Value>(&line).is_ok(), "{line}");
    }

    client.call("error", &json!({ "code": -1, "message": "m", "data": [1] }));
    assert_eq!(client.line()["error"], json!({ "code": -1, "message": "m", "data": [1] }));
}

#[test]
fn a_banner_comes_before_the_first_answer() {
    let mut client = Client::start(&["banner"]);
    client.request("initialize", &hello());
    let mut lines = std::iter::from_fn(|| client.raw_line());
    let banner = lines.by_ref().take_while(|line| !line.starts_with(b"{")).count();
    assert_eq!(banner, 4);
}

#[test]
fn garbage_surrounds_a_right_answer() {
    let mut client = Client::connect(&[]);
    let id = client.call("garbage", &json!({}));
    let mut skipped = 0;
    let answer = loop {
        let line = client.raw_line().expect("more lines");
        match serde_json::from_slice::<Value>(&line) {
            Ok(answer) => break (answer, line),
            Err(_) => skipped += 1,
        }
    };
    assert_eq!((&answer.0["id"], answer.1.last()), (&json!(id), Some(&b'\r')));
    assert!(skipped >= 5);

    client.call("bad_utf8", &json!({ "right_after": true }));
    assert!(String::from_utf8(client.raw_line().expect("a line")).is_err());
    assert_eq!(text(&client.line()["result"]), "right");

    client.call("nul_escape", &json!({}));
    assert_eq!(text(&client.line()["result"]), "before \0 after");

    client.call("no_newline_forever", &json!({ "bytes": 100_000, "right_after": true }));
    assert_eq!(client.raw_line().map(|line| line.len()), Some(100_000));
    assert_eq!(text(&client.line()["result"]), "right");

    assert_eq!(client.text("big", &json!({ "bytes": 17 << 20 })).len(), 17 << 20);

    client.call("half", &json!({ "code": 9 }));
    assert!(client.raw_line().is_some_and(|line| serde_json::from_slice::<Value>(&line).is_err()));
    assert_eq!(client.status().code(), Some(9));
}

#[test]
fn a_question_comes_back_with_what_the_client_said() {
    let mut client = Client::connect(&[]);
    client.call("ask_forever", &json!({ "method": "roots/list" }));
    let request = client.line();
    assert_eq!(request["method"], "roots/list");
    client.send(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": { "roots": [] } }));
    let answer = client.line();
    let response = &answer["result"]["structuredContent"]["responses"][0];
    assert_eq!(response["result"], json!({ "roots": [] }));

    client.call("unknown_request", &json!({ "wait_ms": 10 }));
    client.line();
    assert_eq!(client.line()["result"]["structuredContent"]["responses"], json!(["no answer"]));
}

#[test]
fn the_server_tells_what_it_received() {
    let mut client = Client::connect(&[]);
    client.send(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 77 } }),
    );
    client.send(&json!("no message"));
    assert_eq!(client.line()["error"]["code"], -32700);
    let arguments = json!({ "lines": true, "method": "notifications/cancelled" });
    let seen = client.result("received", &arguments)["structuredContent"].take();
    assert_eq!(seen["counts"]["initialize"], 1);
    assert_eq!(seen["counts"]["(not a message)"], 1);
    assert!(seen["lines"][0].as_str().is_some_and(|line| line.contains("77")));
}

#[test]
fn lists_that_never_end_do_not_end() {
    let mut client = Client::connect(&["cursor-loop"]);
    for cursor in ["again", "again", "again"] {
        let page = client.ask("tools/list", &json!({ "cursor": cursor }));
        assert_eq!(page["result"]["nextCursor"], "again");
    }
    let mut client = Client::connect(&["empty-cursor"]);
    assert_eq!(client.ask("tools/list", &json!({}))["result"]["nextCursor"], "");
    let last = client.ask("tools/list", &json!({ "cursor": "" }))["result"].take();
    assert!(last.get("nextCursor").is_none() && last["tools"][0]["name"] == "page-");
}

#[test]
fn tools_are_stateful_only_where_the_script_says_so() {
    let stateful = |arguments: &[&str]| -> Vec<String> {
        let list = Client::connect(arguments).ask("tools/list", &json!({}))["result"]["tools"].take();
        let tools = list.as_array().cloned().unwrap_or_default();
        let is = |tool: &&Value| tool["mode"] == "stateful";
        tools.iter().filter(is).filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(stateful(&["stateful=hang+echo"]), ["echo", "hang"]);
    assert!(stateful(&[]).is_empty());
}

#[test]
fn pages_are_wanted_until_they_were_visited() {
    let mut client = Client::connect(&[]);
    let wanted = json!({ "name": "wants_visits", "arguments": { "ids": ["a", "b"] } });
    let error = client.ask("tools/call", &wanted)["error"].take();
    assert_eq!(error["code"], -32042);
    assert_eq!(error["data"]["elicitations"][1]["elicitationId"], "b");
    assert_eq!(client.text("visit", &json!({ "id": "a", "silent": true })), "visited");
    let error = client.ask("tools/call", &wanted)["error"].take();
    assert_eq!(error["data"]["elicitations"][0]["elicitationId"], "b");
    assert_eq!(client.text("visit", &json!({ "id": "b", "silent": true })), "visited");
    assert_eq!(client.text("wants_visits", &json!({ "ids": ["a", "b"] })), "every page was visited");
}

#[test]
fn measured_frames_lie_in_tool_answers_only() {
    let measured = |script: &[&str]| {
        let mut child =
            server(&[&["--framing", "content-length"], script].concat()).spawn().expect("the server starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        for message in [
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello() }),
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
            json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "echo" } }),
        ] {
            let body = message.to_string();
            write!(stdin, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server reads");
        }
        drop(stdin);
        let mut all = String::new();
        child.stdout.take().expect("a pipe").read_to_string(&mut all).expect("text");
        child.wait().expect("the server ends");
        let lengths = all.match_indices("Content-Length: ").map(|(at, name)| &all[at + name.len()..]);
        lengths.map(|rest| rest.lines().next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let honest = measured(&[]);
    assert_eq!(honest.len(), 2);
    assert_eq!(measured(&["huge-length"]), [&honest[0], "1099511627776"]);
    assert_eq!(measured(&["bad-length"]), [&honest[0], "many"]);
    assert_eq!(measured(&["bad-length=missing"]), [honest[0].as_str()]);
}

#[test]
fn work_is_a_task_that_outlives_the_process() {
    let mut client = Client::connect(&[]);
    assert_eq!(client.text("work", &json!({})), "done at once");
    let call = json!({ "name": "work", "arguments": { "ms": 1 }, "task": {} });
    let created = client.ask("tools/call", &call);
    let id = created["result"]["task"]["taskId"].clone();
    assert_eq!(created["result"]["task"]["status"], "working");
    let mut other = Client::connect(&[]);
    let mut state = json!({});
    while state["status"] != "completed" {
        state = other.ask("tasks/get", &json!({ "taskId": id }))["result"].clone();
        assert_ne!(state, Value::Null, "it is known");
    }
    let result = other.ask("tasks/result", &json!({ "taskId": id }));
    assert_eq!(result["result"]["content"][0]["text"], "the work is done");
    assert_eq!(other.ask("tasks/get", &json!({ "taskId": "x" }))["error"]["code"], -32602);
}

#[test]
fn a_task_may_be_forgotten_odd_late_or_pushed() {
    let mut client = Client::start(&["--era", "modern"]);
    let mut ask = |method: &str, mut params: Value| {
        params["_meta"] = modern_meta();
        client.ask(method, &params)
    };
    let kinds = ["forgotten", "odd", "late"];
    for (kind, ms) in kinds.into_iter().flat_map(|kind| [(kind, 0), (kind, 1)]) {
        let call = json!({ "name": "work", "arguments": { "ms": ms, "kind": kind } });
        let created = ask("tools/call", call);
        assert_eq!(created["result"]["resultType"], "task");
        let mut state = created;
        while state["result"]["status"] == "working" {
            state = ask("tasks/get", json!({ "taskId": state["result"]["taskId"] }));
        }
        match kind {
            "forgotten" => assert_eq!(state["error"]["code"], -32602),
            "odd" => assert_eq!(state["result"]["status"], "asleep"),
            _ => assert_eq!(state["result"]["status"], "completed"),
        }
    }
    let mut client = Client::connect(&[]);
    let call = json!({ "name": "work", "arguments": { "ms": 1, "kind": "push" }, "task": {} });
    client.ask("tools/call", &call);
    let pushed = client.line();
    assert_eq!(pushed["method"], "notifications/tasks/status");
    assert_eq!(pushed["params"]["status"], "completed");
}
