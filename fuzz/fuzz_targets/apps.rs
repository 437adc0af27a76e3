//! MCP Apps, the side of the host: the bytes become messages of a page, of which nothing is believed, and what the host tells. Whatever
//! comes is JSON and says what it is, no request of the page is answered twice, none reaches the host twice, and no queue is without bound.
//! The policy of a document names one source for each domain, and nothing that ends an attribute or a directive.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp::apps::{Policy, View, is_source, page_of, visibility};
use mcp::json::scan_value;
use mcp_fuzz::{Input, text};
use serde_json::Value;
use std::collections::BTreeMap;

const SETTINGS: [&str; 3] = [
    r#"{"hostInfo":{"name":"h","version":"1"}}"#,
    r#"{"hostInfo":{"name":"h","version":"1"},"hostCapabilities":{"serverTools":{"listChanged":true},"serverResources":{"listChanged":true},"openLinks":{},"downloadFile":{},"message":{"text":{},"image":{}},"updateModelContext":{"structuredContent":{}},"logging":{},"sampling":{}},"hostContext":{"theme":"dark","availableDisplayModes":["inline","fullscreen"]},"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"m","_meta":{"ui":{"visibility":["model"]}}}],"appTools":"app_"}"#,
    r#"{"hostInfo":{"name":"h","version":"1"},"hostCapabilities":{"message":{},"updateModelContext":{}},"tool":{"name":"a","_meta":{"ui":{"resourceUri":"ui://a"}}}}"#,
];

/// What a page says, `#` for a number.
const SAID: [&str; 27] = [
    r#""id":#,"method":"ui/initialize","params":{"protocolVersion":"2026-01-26","appInfo":{},"appCapabilities":{"tools":{"listChanged":true},"availableDisplayModes":["inline","fullscreen"]}}"#,
    r#""method":"ui/notifications/initialized""#,
    r#""id":#,"method":"ping""#,
    r#""id":#,"method":"tools/call","params":{"name":"a","arguments":{},"_meta":{"progressToken":#}}"#,
    r#""id":#,"method":"tools/call","params":{"name":"m"}"#,
    r#""id":#,"method":"tools/call","params":{"name":"m","na\u006de":"a"}"#,
    r#""id":#,"method":"tools/list""#,
    r#""id":#,"method":"resources/read","params":{"uri":"ui://a"}"#,
    r#""id":#,"method":"resources/list""#,
    r#""id":#,"method":"sampling/createMessage","params":{"messages":[]}"#,
    r#""id":#,"method":"ui/open-link","params":{"url":"https://a.example/"}"#,
    r#""id":#,"method":"ui/download-file","params":{"contents":[{"type":"resource","resource":{"uri":"file:///a/../b","text":"x"}}]}"#,
    r#""id":#,"method":"ui/message","params":{"role":"user","content":[{"type":"text","text":"x"}]}"#,
    r#""id":#,"method":"ui/update-model-context","params":{"content":[],"structuredContent":{}}"#,
    r#""id":#,"method":"ui/request-display-mode","params":{"mode":"fullscreen"}"#,
    r#""method":"ui/notifications/size-changed","params":{"width":#,"height":1e999}"#,
    r#""method":"ui/notifications/request-teardown""#,
    r#""method":"notifications/message","params":{"level":"info","data":1}"#,
    r#""method":"notifications/cancelled","params":{"requestId":#}"#,
    r#""method":"notifications/tools/list_changed""#,
    r#""id":#,"result":{"tools":[{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":["n"]}}]}"#,
    r#""id":#,"result":{"tools":[{"name":"a"},{"name":"t"},{"name":""}],"nextCursor":"c"}"#,
    r#""id":#,"result":{"content":[],"structuredContent":{"n":1}}"#,
    r#""id":#,"result":{}"#,
    r#""id":#,"error":{"code":-1,"message":"no"}"#,
    r#""id":"text","method":"ping""#,
    r#""id":null,"method":"ping""#,
];

/// What the host tells.
const TOLD: [&str; 16] = [
    r#""type":"input","arguments":{"a":1}"#,
    r#""type":"input-partial","arguments":{"a":1}"#,
    r#""type":"result","result":{"content":[{"type":"text","text":"x"},{"type":"else"}],"structuredContent":{}}"#,
    r#""type":"cancelled","reason":"r""#,
    r#""type":"context","context":{"theme":"light","displayMode":"fullscreen"}"#,
    r#""type":"tools","tools":[{"name":"a"},{"name":"app_t"},{"name":"t"}]"#,
    r#""type":"resources-changed""#,
    r#""type":"answer","id":#,"result":{"content":[],"mode":"fullscreen"}"#,
    r#""type":"answer","id":#,"error":{"code":-1,"message":"no"}"#,
    r#""type":"answer","id":#,"denied":true"#,
    r#""type":"progress","id":#,"params":{"progress":1,"progressToken":7}"#,
    r#""type":"call","id":#,"name":"app_t","arguments":{}"#,
    r#""type":"call","id":#,"name":"t","arguments":{}"#,
    r#""type":"call-cancelled","id":#"#,
    r#""type":"teardown","reason":"r""#,
    r#""type":"teardown""#,
];

/// More than may wait for the host at any time.
const MOST_ACTIONS: usize = 2000;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    match input.below(4) {
        0 => policy(&text(input.rest())),
        _ => view(&mut input),
    }
});

/// One of these, with a number and perhaps changed at some places, or what the input has.
fn message(input: &mut Input<'_>, of: &[&str], start: &str) -> String {
    if input.below(8) == 0 {
        return text(input.until(0)).into_owned();
    }
    let mut message =
        format!("{{{start}{}}}", input.pick(of).replace('#', &input.below(12).to_string())).into_bytes();
    for _ in 0..input.below(8).saturating_sub(5) {
        let at = usize::try_from(input.number()).expect("two bytes") % message.len().max(1);
        match input.below(3) {
            0 => message.truncate(at),
            1 if !message.is_empty() => message[at] = input.byte(),
            _ => drop(message.splice(at..at, input.until(0).iter().copied())),
        }
    }
    text(&message).into_owned()
}

fn view(input: &mut Input<'_>) {
    let settings = match input.below(8) {
        0 => text(input.until(0)).into_owned(),
        _ => input.pick(&SETTINGS).to_owned(),
    };
    let Ok(mut view) = View::new(&settings) else { return };
    // The host may say of another tool that it is for apps.
    let mut is_forbidden = settings == SETTINGS[1];
    // How often the page asked by an id, as it wrote it, and what it was answered.
    let mut asked: BTreeMap<String, u32> = BTreeMap::new();
    let mut answered: BTreeMap<String, u32> = BTreeMap::new();
    let mut last = 0;
    for _ in 0..200 {
        if input.is_empty() {
            break;
        }
        match input.below(8) {
            0..=3 => {
                let said = message(input, &SAID, r#""jsonrpc":"2.0","#);
                // What serde_json does not read, such as a number without end, may be a message all the same.
                let read: Value = serde_json::from_str(&said).unwrap_or_default();
                let id = read.get("id").map_or_else(|| "null".to_owned(), Value::to_string);
                *asked.entry(id).or_default() += 1;
                view.receive(&said);
            }
            4 | 5 => {
                let told = message(input, &TOLD, "");
                match view.tell(&told) {
                    Ok(()) => is_forbidden &= !told.contains("tools"),
                    Err(why) => assert!(!why.to_string().is_empty()),
                }
            }
            _ => drain(&mut view, is_forbidden, &mut last, &mut answered),
        }
    }
    drain(&mut view, is_forbidden, &mut last, &mut answered);
    for (id, times) in &answered {
        // One that this reader did not understand may be of any id.
        let most =
            asked.get(id).copied().unwrap_or_default() + asked.get("null").copied().unwrap_or_default();
        assert!(*times <= most, "{id} was answered {times} times");
    }
    let _ = view.tell(r#"{"type":"teardown"}"#);
    drain(&mut view, is_forbidden, &mut last, &mut answered);
}

/// Takes all that waits for the host.
fn drain(view: &mut View, is_forbidden: bool, last: &mut u64, answered: &mut BTreeMap<String, u32>) {
    let mut count = 0;
    while let Some(action) = view.poll() {
        count += 1;
        assert!(count < MOST_ACTIONS, "the queue has no bound");
        assert!(scan_value(action.as_bytes(), 300).is_ok(), "not JSON: {action}");
        assert!(!action.contains(['\n', '\r']), "one action is one line: {action}");
        let Ok(action) = serde_json::from_str::<Value>(&action) else { continue };
        match action["type"].as_str().expect("it says what it is") {
            "message" => {
                let message = &action["message"];
                assert_eq!(message["jsonrpc"], "2.0");
                if message.get("method").is_none() {
                    assert!(message.get("result").is_some() != message.get("error").is_some(), "{message}");
                    *answered.entry(message["id"].to_string()).or_default() += 1;
                }
            }
            "request" => {
                let number = action["id"].as_u64().expect("a number");
                assert!(number > *last, "a request comes twice: {action}");
                *last = number;
                let is_call = action["method"] == "tools/call" && action["params"]["name"] == "m";
                assert!(!(is_forbidden && is_call), "a tool that is not for apps: {action}");
            }
            _ => {}
        }
    }
}

/// The policy of a document, of what its server says.
fn policy(ui: &str) {
    let domain = ui;
    if is_source(domain) {
        assert!(domain.bytes().all(|byte| byte.is_ascii_graphic() && !b";,'\"".contains(&byte)), "{domain}");
    }
    if scan_value(ui.as_bytes(), 64).is_err() {
        return;
    }
    for own in ["", "'self'"] {
        let policy = Policy::of(ui, own);
        assert_eq!(policy.csp.split("; ").count(), 12, "a directive more: {}", policy.csp);
        assert!(policy.csp.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()), "{}", policy.csp);
        assert!(!policy.csp.contains([',', '"']) && policy.csp.matches(';').count() == 11, "{}", policy.csp);
        let known = ["", "camera", "microphone", "geolocation", "clipboard-write"];
        assert!(policy.allow.split("; ").all(|it| known.contains(&it)), "{}", policy.allow);
        let head = policy.head();
        let (meta, _) = head.split_once("<script>").expect("the guard");
        assert_eq!(meta.matches('"').count(), 4, "the attribute ends early: {meta}");
    }
    let _ = visibility(ui);
    assert!(page_of(ui).is_none_or(|page| page.starts_with("ui://")));
}
