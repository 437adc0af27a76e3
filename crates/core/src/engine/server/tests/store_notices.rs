//! Changes of lists and resources that clients of other processes are told of.

use super::model_store::{Fleet, LEASE};
use crate::engine::server::{StoreOutcome, StoreStatus, Stream, Ticket};
use serde_json::{Value, json};
use std::time::Duration;

const BURST: Duration = Duration::from_millis(20);
const TOOLS: &str = "notifications/tools/list_changed";
const UPDATED: &str = "notifications/resources/updated";

/// Processes whose clients listen to tools and to a resource; the client of the second one is of an older revision.
fn fleet(processes: usize) -> Fleet {
    let mut fleet = Fleet::new(processes);
    for process in 0..processes {
        let now = fleet.now();
        let it = fleet.of(process);
        for uri in ["x://r", "x://other"] {
            let resource = json!({ "name": uri, "uri": uri }).to_string();
            it.server.add_fixed_text(now, &resource, "text").expect("a resource");
        }
        if process == 1 {
            let from = Stream { session: it.session, number: 0 };
            for frame in [
                json!({ "jsonrpc": "2.0", "id": "i", "method": "initialize", "params":
                    { "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } } }),
                json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
                json!({ "jsonrpc": "2.0", "id": "s", "method": "resources/subscribe", "params": { "uri": "x://r" } }),
            ] {
                it.server.frame(now, from, frame.to_string().as_bytes());
            }
            continue;
        }
        let filter = json!({ "toolsListChanged": true, "resourceSubscriptions": ["x://r"] });
        fleet.send(process, "subscriptions/listen", json!({ "notifications": filter }));
    }
    fleet.pass(BURST, None);
    fleet.settle();
    fleet.pass(BURST, None);
    fleet.settle();
    for process in 0..processes {
        fleet.of(process).frames.clear();
    }
    fleet
}

/// How often the client of each process was told that tools, and that the resource, changed.
fn told(fleet: &mut Fleet) -> Vec<(usize, usize)> {
    fleet.pass(BURST, None);
    let count = |frames: &[Value], method: &str| frames.iter().filter(|it| it["method"] == method).count();
    let counted = fleet.processes.iter_mut().flatten().map(|it| {
        let frames = std::mem::take(&mut it.frames);
        (count(&frames, TOOLS), count(&frames, UPDATED))
    });
    counted.collect()
}

fn change(fleet: &mut Fleet, process: usize, tool: &str) {
    let now = fleet.now();
    let it = fleet.of(process);
    let tool = json!({ "name": tool, "inputSchema": { "type": "object" } }).to_string();
    it.server.add_tool(now, &tool, 1).expect("a tool");
    it.server.resource_updated(now, "x://r");
    it.server.resource_updated(now, "x://other");
    fleet.pass(BURST, None);
}

#[test]
fn a_change_reaches_the_clients_of_eight_processes_once() {
    let mut fleet = fleet(8);
    fleet.count = 0;
    change(&mut fleet, 3, "new");
    fleet.settle();
    assert_eq!(told(&mut fleet), [(1, 1); 8]);
    assert_eq!(fleet.count, 1, "one message for all");
    fleet.live(LEASE * 2);
    assert_eq!(told(&mut fleet), [(0, 0); 8], "and not again");
}

#[test]
fn who_may_have_missed_a_change_tells_its_clients_once_of_all_they_listen_to() {
    let mut fleet = fleet(3);
    // The message does not arrive at one process, which sees it by the number of the next.
    change(&mut fleet, 0, "one");
    while !fleet.asked.is_empty() {
        fleet.serve(0, None);
    }
    fleet.told.retain(|(to, ..)| *to != 2);
    fleet.settle();
    assert_eq!(told(&mut fleet), [(1, 1), (1, 1), (0, 0)]);
    let now = fleet.now();
    fleet.of(0).server.resource_updated(now, "x://other");
    fleet.pass(BURST, None);
    fleet.settle();
    assert_eq!(told(&mut fleet), [(0, 0), (0, 0), (1, 1)]);
    // The store was away, and its connections begin again.
    for process in 0..3 {
        fleet.told.push((process, "all".to_owned(), None));
    }
    fleet.settle();
    assert_eq!(told(&mut fleet), [(1, 1); 3]);
}

#[test]
fn a_change_while_the_store_is_away_is_told_later() {
    for lost in [None, Some(true), Some(false)] {
        let mut fleet = fleet(2);
        fleet.is_away = lost.is_none();
        change(&mut fleet, 0, "new");
        let at = fleet.asked.iter().position(|(of, ..)| *of == 0).expect("a message");
        fleet.serve(at, lost);
        fleet.settle();
        let was_sent = usize::from(lost == Some(false));
        assert_eq!(told(&mut fleet), [(1, 1), (was_sent, was_sent)], "{lost:?}");
        fleet.live(LEASE);
        fleet.is_away = false;
        fleet.live(LEASE);
        assert_eq!(told(&mut fleet)[1], (1 - was_sent, 1 - was_sent), "{lost:?}");
    }
}

#[test]
fn a_message_that_is_none_changes_nothing() {
    let mut fleet = fleet(2);
    let now = fleet.now();
    for message in
        ["", "7", "{}", r#"{"from":1,"number":2}"#, r#"{"from":"x","number":1,"lists":7,"resources":[1]}"#]
    {
        fleet.of(1).server.store_event(now, "all", Some(message.as_bytes()));
    }
    fleet.of(1).server.store_event(now, "no channel", Some(b"x"));
    fleet.of(1).server.stored(now, Ticket(9999), StoreOutcome::of(StoreStatus::Done));
    fleet.settle();
    assert_eq!(told(&mut fleet), [(0, 0); 2]);
    // What is more than a message holds makes each process tell everything.
    let now = fleet.now();
    for number in 0..200 {
        fleet.of(0).server.resource_updated(now, &format!("x://{number}/{}", "y".repeat(1000)));
    }
    fleet.pass(BURST, None);
    fleet.settle();
    assert_eq!(told(&mut fleet), [(0, 0), (1, 1)]);
}
