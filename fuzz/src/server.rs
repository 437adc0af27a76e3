//! A server behind a transport of the program's own, which answers from inside `send` or later.

use crate::words::{SKILL, SKILL_MD};
use mcp::ffi::{
    MCP_OK, MCP_TRANSPORT_VERSION, mcp_status_t, mcp_transport_closed, mcp_transport_deliver,
    mcp_transport_functions_t, mcp_transport_t,
};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

/// What the library's functions do with it, and what was seen of them. It outlives its client: the program frees it.
#[derive(Default)]
pub struct Server {
    /// 0: answers at once, 1: when it is asked to, 2: with other texts, 3: refuses to send, 4: ends when it is sent
    /// something, 5: does not open.
    pub mood: AtomicU8,
    pub handle: AtomicPtr<mcp_transport_t>,
    inside: AtomicI32,
    opens: AtomicI32,
    closes: AtomicI32,
    pub destroys: AtomicI32,
    /// How often it was asked how a task is.
    polls: AtomicU8,
    waiting: Mutex<VecDeque<String>>,
    /// What it answers in mood 2, `$` for the id.
    pub words: Mutex<String>,
}

pub static FUNCTIONS: mcp_transport_functions_t = mcp_transport_functions_t {
    size: size_of::<mcp_transport_functions_t>() as u32,
    version: MCP_TRANSPORT_VERSION,
    open: Some(open),
    send: Some(send),
    close: Some(close),
    destroy: Some(destroy),
};

impl Server {
    /// SAFETY: `user` is a server that the program frees after `destroy` was called.
    unsafe fn of<'a>(user: *mut c_void) -> &'a Server {
        unsafe { &*user.cast::<Server>() }
    }

    fn enter(&self) {
        assert_eq!(self.inside.fetch_add(1, Ordering::SeqCst), 0, "one function at a time");
        assert_eq!(self.destroys.load(Ordering::SeqCst), 0, "nothing comes after destroy");
    }

    fn leave(&self) {
        self.inside.fetch_sub(1, Ordering::SeqCst);
    }

    /// Answers what waits, or one of it.
    pub fn answer(&self, all: bool) {
        loop {
            let frame = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(frame) = frame else { return };
            deliver(self.handle.load(Ordering::SeqCst), &self.reply(&frame));
            if !all {
                return;
            }
        }
    }

    fn reply(&self, frame: &str) -> String {
        let message: Value = serde_json::from_str(frame).unwrap_or_default();
        let id = &message["id"];
        if id.is_null() || message.get("method").is_none() {
            return String::new();
        }
        let method = message["method"].as_str().unwrap_or_default();
        if self.mood.load(Ordering::SeqCst) == 2 && !matches!(method, "server/discover" | "initialize") {
            let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
            return words.replace('$', &id.to_string());
        }
        let capabilities = json!({"tools": {"listChanged": true}, "resources": {"subscribe": true}, "prompts": {},
            "logging": {}, "completions": {}, "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}},
            "extensions": {"io.modelcontextprotocol/tasks": {}, "io.modelcontextprotocol/skills": {}}});
        let params = &message["params"];
        let result = match method {
            "server/discover" => json!({"supportedVersions": ["2026-07-28"], "capabilities": capabilities,
                "resultType": "complete"}),
            "initialize" => json!({"protocolVersion": message["params"]["protocolVersion"],
                "capabilities": capabilities, "serverInfo": {"name": "s"}}),
            "tools/list" => {
                json!({"tools": [{"name": "echo", "inputSchema": {"type": "object"}, "outputSchema":
                {"type": "object", "required": ["a"]}}, {"name": "long", "inputSchema": {"type": "object"},
                "execution": {"taskSupport": "optional"}}, {"name": "state", "inputSchema": {"type": "object"},
                "mode": "stateful"}]})
            }
            "tools/call" if params.get("task").is_some() => json!({"task": task("working")}),
            "tools/call" if params["name"] == "long" && knows_tasks(params) => {
                let mut task = task("working");
                task["resultType"] = "task".into();
                task
            }
            "tasks/get" => task(match self.polls.fetch_add(1, Ordering::SeqCst) % 4 {
                0 => "working",
                1 => "input_required",
                2 => "completed",
                _ => "failed",
            }),
            "tasks/cancel" => task("cancelled"),
            "tasks/list" => json!({"tasks": [task("working")]}),
            "skills/list" => json!({"skills": [skill()]}),
            "skills/get" => json!({"skill": skill()}),
            "resources/read" => json!({"contents": [{"uri": params["uri"], "text": SKILL_MD}]}),
            "resources/list" => json!({"resources": []}),
            "prompts/list" => json!({"prompts": []}),
            "tools/call" => json!({"content": [{"type": "text", "text": "x"}], "structuredContent": {"a": 1},
                "resultType": "complete"}),
            _ => json!({"resultType": "complete"}),
        };
        json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()
    }

    /// What must hold when its client was freed.
    pub fn is_over(&self) -> bool {
        assert_eq!(
            self.opens.load(Ordering::SeqCst),
            self.closes.load(Ordering::SeqCst),
            "what was opened is closed"
        );
        self.destroys.load(Ordering::SeqCst) == 1
    }
}

/// A task, as both forms write it.
fn task(status: &str) -> Value {
    json!({"taskId": "t", "status": status, "createdAt": "2025-11-25T10:30:00Z", "ttl": 60000, "ttlMs": 60000,
        "pollInterval": 1, "pollIntervalMs": 1, "resultType": "complete", "result": {"content": []},
        "error": {"code": -1, "message": "no"}, "inputRequests": {"a": {"method": "elicitation/create",
        "params": {"message": "m", "requestedSchema": {"type": "object"}}}}})
}

/// Whether a call may be answered with a task of the extension.
fn knows_tasks(params: &Value) -> bool {
    let declared = &params["_meta"]["io.modelcontextprotocol/clientCapabilities"]["extensions"];
    declared.get("io.modelcontextprotocol/tasks").is_some()
}

fn skill() -> Value {
    serde_json::from_slice(SKILL.to_bytes()).expect("an entry")
}

fn deliver(handle: *mut mcp_transport_t, text: &str) {
    if !text.is_empty() {
        let status = mcp_transport_deliver(handle, text.as_ptr().cast(), text.len());
        assert!(status <= MCP_OK, "a status of deliver");
    }
}

unsafe extern "C" fn open(user: *mut c_void, transport: *mut mcp_transport_t) -> mcp_status_t {
    // SAFETY: the program keeps it that long.
    let server = unsafe { Server::of(user) };
    server.enter();
    let refuses = server.mood.load(Ordering::SeqCst) == 5;
    if !refuses {
        assert!(server.handle.load(Ordering::SeqCst).is_null(), "one connection at a time");
        server.opens.fetch_add(1, Ordering::SeqCst);
        server.handle.store(transport, Ordering::SeqCst);
    }
    server.leave();
    if refuses { -4 } else { MCP_OK }
}

unsafe extern "C" fn send(
    user: *mut c_void,
    transport: *mut mcp_transport_t,
    frame: *const c_char,
    length: usize,
) -> mcp_status_t {
    // SAFETY: as above; the frame has a NUL behind it.
    let (server, frame) = unsafe { (Server::of(user), CStr::from_ptr(frame)) };
    server.enter();
    assert_eq!(frame.count_bytes(), length);
    let frame = frame.to_str().expect("frames are UTF-8");
    assert!(!frame.contains('\n'));
    let mood = server.mood.load(Ordering::SeqCst);
    match mood {
        0 | 2 => deliver(transport, &server.reply(frame)),
        4 => {
            mcp_transport_closed(transport, c"it ended".as_ptr());
        }
        _ => server.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_back(frame.to_owned()),
    }
    server.leave();
    if mood == 3 { -5 } else { MCP_OK }
}

unsafe extern "C" fn close(user: *mut c_void, transport: *mut mcp_transport_t) {
    // SAFETY: as above.
    let server = unsafe { Server::of(user) };
    server.enter();
    assert_eq!(server.handle.swap(ptr::null_mut(), Ordering::SeqCst), transport);
    server.waiting.lock().unwrap_or_else(PoisonError::into_inner).clear();
    server.closes.fetch_add(1, Ordering::SeqCst);
    server.leave();
}

unsafe extern "C" fn destroy(user: *mut c_void) {
    // SAFETY: as above.
    let server = unsafe { Server::of(user) };
    assert_eq!(server.destroys.fetch_add(1, Ordering::SeqCst), 0, "destroyed once");
}
