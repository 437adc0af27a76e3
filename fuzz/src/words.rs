//! What the program gives to the functions, and its servers say, for an input to pick from.

use std::ffi::CStr;

/// Every wait of these is short, so that a client whose server says nothing holds up no fuzzer.
pub const CONFIGS: [&CStr; 9] = [
    cr#"{"timeouts":{"call_ms":10,"probe_ms":10,"initialize_ms":10,"close_ms":50},"reconnect":false}"#,
    cr#"{"timeouts":{"call_ms":10,"probe_ms":10,"initialize_ms":10,"close_ms":50},"protocol":"legacy","capabilities":{"sampling":{},"elicitation":{"form":{}}},"roots":[]}"#,
    cr#"{"timeouts":{"call_ms":10,"probe_ms":10,"close_ms":50},"protocol":"modern","capabilities":{"elicitation":{"form":{},"url":{}}}}"#,
    cr#"{"timeouts":{"call_ms":10,"probe_ms":10,"initialize_ms":10,"close_ms":50},"limits":{"queue_messages":2,"in_flight":3,"server_requests":1},"reconnect":{"initial_ms":1,"max_ms":2}}"#,
    cr#"{"timeouts":{"call_ms":10,"probe_ms":10,"initialize_ms":10,"close_ms":50},"limits":{"queue_messages":1,"overflow":"block"},"cache":{}}"#,
    cr#"{"timeouts":{"call_ms":10,"probe_ms":10,"initialize_ms":10,"close_ms":50},"capability_checks":false,"when_unavailable":"wait","retry":"safe"}"#,
    cr#"{"timeouts":{"call_ms":10,"probe_ms":10,"initialize_ms":10,"close_ms":50},"protocol":"legacy","tasks":{"poll_ms":1,"poll_min_ms":1,"poll_max_ms":3,"life_ms":30,"ttl_ms":60000},"limits":{"tasks":2},"capabilities":{"elicitation":{"form":{}}}}"#,
    cr#"{"timeouts":{"call_ms":10,"probe_ms":10,"close_ms":50},"protocol":"modern","tasks":{"poll_ms":1,"poll_min_ms":1,"poll_max_ms":3,"life_ms":30},"tool_modes":"auto","limits":{"stateful_calls":1}}"#,
    cr#"{"timeouts":{"call_ms":10,"probe_ms":10,"initialize_ms":10,"close_ms":50},"tasks":true,"tool_modes":"auto","limits":{"skill_files":2,"skill_bytes":1024},"cache":{},"capabilities":{"elicitation":{"form":{}}}}"#,
];
/// What is not a configuration of a client whose transport is the program's.
pub const BROKEN: [&CStr; 2] = [cr#"{"command":"x"}"#, c"{"];
/// Clients whose server does not exist, so that all that can be reached of a login is what comes before the first request.
pub const HTTP: [&CStr; 3] = [
    cr#"{"url":"http://127.0.0.1:1/mcp","protocol":"modern","auth":{"client_id":"c","store":"application","redirect_uri":"http://localhost/callback","listen":false,"patience_ms":5,"limit_ms":20,"allow_http":true},"timeouts":{"call_ms":10,"max_total_ms":30,"probe_ms":10,"close_ms":50},"reconnect":{"initial_ms":1,"max_ms":2}}"#,
    cr#"{"url":"http://127.0.0.1:1/mcp","protocol":"legacy","auth":{"type":"bearer","dpop":"always","dpop_key":{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"},"patience_ms":5,"limit_ms":20,"allow_http":true},"timeouts":{"call_ms":10,"max_total_ms":30,"initialize_ms":10,"close_ms":50},"reconnect":{"initial_ms":1,"max_ms":2}}"#,
    cr#"{"url":"http://127.0.0.1:1/mcp","timeouts":{"call_ms":10,"probe_ms":10,"initialize_ms":10,"close_ms":50}}"#,
];
pub const OPTIONS: [&CStr; 9] = [
    c"{}",
    cr#"{"timeout_ms":1}"#,
    cr#"{"timeout_ms":5,"progress":true}"#,
    cr#"{"one_page":true,"timeout_ms":5}"#,
    cr#"{"cursor":"x","meta":{"a":1},"timeout_ms":5}"#,
    cr#"{"timeuot_ms":1}"#,
    cr#"{"task":true,"task_ttl_ms":5000,"max_total_ms":20}"#,
    cr#"{"task":false,"timeout_ms":5}"#,
    cr#"{"allow_dynamic":true,"timeout_ms":5}"#,
];
pub const TEXTS: [&CStr; 31] = [
    c"",
    c"{}",
    cr#"{"a":[1,2.5e3,"x\u0000y",null,true,{"b":{}}],"":0}"#,
    c"[1,2]",
    c"null",
    c"/a/0",
    c"/a/2",
    c"echo",
    c"file:///a",
    c"debug",
    c"tools/call",
    c"tools/list",
    c"ping",
    c"notifications/roots/list_changed",
    cr#"{"type":"ref/prompt","name":"p"}"#,
    cr#"{"action":"accept","content":{}}"#,
    cr#"[{"uri":"file:///x"}]"#,
    c"file:///{a,b*}{?c}",
    c"\xff\xfe",
    c"http://localhost/callback?state=a&code=b",
    c"long",
    c"state",
    c"t",
    c"skill://pdf/SKILL.md",
    c"SKILL.md",
    c"x.md",
    SKILL,
    cr#"{"skill":{"uri":"skill://pdf/SKILL.md","frontmatter":{"name":"pdf","description":"d"},"resources":"dynamic"}}"#,
    c"tasks/result",
    cr#"{"name":"long","arguments":{}}"#,
    c"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
];
/// A skill, and the one file of it that the server has.
pub const SKILL: &CStr = cr#"{"uri":"skill://pdf/SKILL.md","frontmatter":{"name":"pdf","description":"d"},"resources":[{"uri":"skill://pdf/SKILL.md","size":33,"digest":"sha256:1b42feefb1f27382d2fa754acb0eb28ab701bc1a7dc32188425cbc73c9fc614a"}]}"#;
pub const SKILL_MD: &str = "---\nname: pdf\ndescription: d\n---\n";
pub const MESSAGES: [&str; 13] = [
    r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}"#,
    r#"{"jsonrpc":"2.0","id":"e","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string","default":"x"}}}}}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"roots/list"}"#,
    r#"{"jsonrpc":"2.0","id":2,"result":{}}"#,
    r#"{"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"form","message":"m","requestedSchema":{"type":"object"}}}}}}"#,
    r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no"}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}"#,
    "garbage",
    r#"{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"t","status":"completed","createdAt":"2025-11-25T10:30:00Z","ttl":60000}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"t","status":"input_required","createdAt":"2026-07-28T10:30:00Z","ttlMs":60000,"inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object"}}}}}}"#,
    r#"{"jsonrpc":"2.0","id":3,"result":{"resultType":"task","taskId":"t","status":"cancelled","createdAt":"2026-07-28T10:30:00Z","ttlMs":60000}}"#,
];
/// Configurations of servers. Times are short, as those of clients are.
pub const HOSTS: [&CStr; 4] = [
    cr#"{"name":"h","timeouts":{"request_ms":20,"question_ms":10,"burst_ms":1,"write_ms":20,"finish_ms":10,"close_ms":20},"announce":{"logging":true}}"#,
    cr#"{"name":"h","protocol":"legacy","limits":{"sessions":2,"session_requests":2,"requests":3,"questions":1,"queue_messages":2},"timeouts":{"question_ms":10,"burst_ms":1,"close_ms":20},"announce":{"tools":true,"resources":true,"prompts":true,"logging":true}}"#,
    cr#"{"name":"h","protocol":"modern","page_size":1,"cache":{"ttl_ms":5},"checks":{"arguments":false,"results":false},"limits":{"session_listens":1,"listens":1},"timeouts":{"request_ms":0,"burst_ms":1,"finish_ms":1,"close_ms":1}}"#,
    cr#"{"name":"h","timeouts":{"request_ms":5,"question_ms":1,"burst_ms":1,"close_ms":20},"request_state":{"ttl_ms":1}}"#,
];
/// A tool, a resource, a template and a prompt, in turns.
pub const DEFINITIONS: [&CStr; 8] = [
    cr#"{"name":"echo","inputSchema":{"type":"object"}}"#,
    cr#"{"uri":"file:///a","name":"a"}"#,
    cr#"{"uriTemplate":"file:///{a}","name":"t"}"#,
    cr#"{"name":"p","arguments":[{"name":"a"}]}"#,
    cr#"{"name":"state","inputSchema":{"type":"object","required":["a"]},"outputSchema":{"type":"object","required":["b"]}}"#,
    cr#"{"uri":"file:///b","name":"b","mimeType":"text/plain"}"#,
    cr#"{"uriTemplate":"x:/{+a}/b{?c}","name":"u"}"#,
    cr#"{"name":"q"}"#,
];
/// Where no server can serve.
pub const ENDPOINTS: [&CStr; 5] =
    [c"{}", c"{", cr#"{"stdio":false}"#, cr#"{"socket":"unix:/no such folder/s"}"#, cr#"{"socket":"tcp:"}"#];
/// What a server asks its client.
pub const QUESTIONS: [(&CStr, &CStr); 4] = [
    (c"elicitation/create", cr#"{"message":"m","requestedSchema":{"type":"object","properties":{}}}"#),
    (c"roots/list", c"{}"),
    (c"sampling/createMessage", cr#"{"messages":[],"maxTokens":1}"#),
    (c"ping", c"[]"),
];
/// What clients that are attached say.
pub const REQUESTS: [&str; 13] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{},"roots":{},"sampling":{}},"clientInfo":{"name":"c","version":"1"}}}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{},"_meta":{"progressToken":1}}}"#,
    r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#,
    r#"{"jsonrpc":"2.0","id":4,"method":"resources/subscribe","params":{"uri":"file:///a"}}"#,
    r#"{"jsonrpc":"2.0","id":5,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"x"}}}"#,
    r#"{"jsonrpc":"2.0","id":6,"method":"x/y","params":{}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#,
    r#"[{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"state"}}]"#,
    r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"echo","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}"#,
    r#"{"jsonrpc":"2.0","id":10,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["file:///a"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}"#,
    r#"{"jsonrpc":"2.0","id":11,"method":"resources/read","params":{"uri":"file:///a"}}"#,
];
