//! Servers of the program: tools, resources and prompts whose handlers answer in every way, clients in the same process and
//! over transports of the program, started and closed in any order.

use crate::Input;
use crate::server::{FUNCTIONS, Server};
use crate::words::{DEFINITIONS, ENDPOINTS, HOSTS, OPTIONS, QUESTIONS, REQUESTS};
use mcp::ffi::*;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Whether every configuration is one, and every definition of something that is offered.
pub fn check() {
    for config in &HOSTS {
        let (mut server, mut error) = (ptr::null_mut(), ptr::null_mut());
        let status = mcp_server_new(config.as_ptr(), ptr::null_mut(), &raw mut server, &raw mut error);
        // SAFETY: the error of a failure ends with a NUL.
        assert_eq!(
            status,
            MCP_OK,
            "{config:?}: {:?}",
            (!error.is_null()).then(|| unsafe { CStr::from_ptr(error) })
        );
        for (at, definition) in DEFINITIONS.iter().enumerate() {
            let add = ADD[at % ADD.len()];
            let status = add(server, definition.as_ptr(), None, ptr::null_mut(), None, ptr::null_mut());
            assert_eq!(status, MCP_OK, "{definition:?}");
        }
        assert_eq!(mcp_server_free(server), MCP_OK);
    }
}

type Add = extern "C" fn(
    *mut mcp_server_t,
    *const c_char,
    mcp_handler_t,
    *mut c_void,
    Option<unsafe extern "C" fn(*mut c_void)>,
    *mut *mut c_char,
) -> mcp_status_t;

/// In the order of the definitions, which come in turns.
const ADD: [Add; 4] =
    [mcp_server_add_tool, mcp_server_add_resource, mcp_server_add_resource_template, mcp_server_add_prompt];

/// Requests that handlers keep; the program answers some of them later.
type Kept = Arc<Mutex<Vec<*mut mcp_message_t>>>;

/// What a handler was registered with. It outlives its server.
#[derive(Default)]
struct Handled {
    /// How it answers.
    mood: AtomicU8,
    kept: Kept,
    destroyed: AtomicI32,
}

impl Handled {
    fn keep(&self, request: *mut mcp_message_t) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(request);
    }
}

unsafe extern "C" fn handle(user: *mut c_void, request: *mut mcp_message_t) {
    // SAFETY: the program frees it after `destroy` was called.
    let handled = unsafe { &*user.cast::<Handled>() };
    assert_eq!(handled.destroyed.load(Ordering::SeqCst), 0, "no handler runs after destroy");
    assert_eq!(mcp_message_kind(request), MCP_KIND_REQUEST);
    let none = ptr::null_mut();
    match handled.mood.load(Ordering::SeqCst) % 12 {
        0 => drop(mcp_request_respond_text(request, c"text".as_ptr(), false, none)),
        1 => drop(mcp_request_respond_text(request, c"it failed".as_ptr(), true, none)),
        2 => drop(mcp_request_respond(
            request,
            c"{\"content\":[],\"contents\":[],\"messages\":[]}".as_ptr(),
            none,
        )),
        3 => drop(mcp_request_respond(request, c"[]".as_ptr(), none)),
        4 => drop(mcp_request_respond_error(request, -32000, c"no".as_ptr(), c"{}".as_ptr(), none)),
        5 => drop(mcp_request_respond_error(request, MCP_CODE_NOT_FOUND, ptr::null(), ptr::null(), none)),
        6 => {}
        7 => return handled.keep(request),
        8 => ask(request, &[0]),
        9 => ask(request, &[1, 0]),
        10 => {
            let server = mcp_message_server(request);
            assert!(mcp_server_close(server, 0) <= MCP_OK);
        }
        _ => {
            // Only one answer is taken.
            let first = mcp_request_respond_text(request, c"one".as_ptr(), false, none);
            let second = mcp_request_respond_text(request, c"two".as_ptr(), false, none);
            assert!(first != MCP_OK || second == MCP_ERROR_CANCELLED, "{first}, then {second}");
            assert!(first != MCP_OK || mcp_request_cancelled(request));
        }
    }
    assert_eq!(mcp_message_free(request), MCP_OK);
}

/// Asks the client, and answers when every answer is there.
fn ask(request: *mut mcp_message_t, questions: &[usize]) {
    let mut open = false;
    for (at, question) in questions.iter().enumerate() {
        let (mut answer, mut error) = (ptr::null_mut(), ptr::null_mut());
        let (method, params) = QUESTIONS[*question];
        let key = [c"one", c"two"][at].as_ptr();
        let status =
            mcp_request_ask(request, key, method.as_ptr(), params.as_ptr(), &raw mut answer, &raw mut error);
        assert_eq!(status == MCP_OK, !answer.is_null());
        open |= status == MCP_EMPTY;
        mcp_string_free(answer);
        mcp_string_free(error);
    }
    if open {
        mcp_request_set_state(request, c"kept".as_ptr(), ptr::null_mut());
    } else {
        let mut state = ptr::null_mut();
        mcp_request_state(request, &raw mut state, ptr::null_mut());
        mcp_string_free(state);
        mcp_request_respond_text(request, c"answered".as_ptr(), false, ptr::null_mut());
    }
}

unsafe extern "C" fn destroy(user: *mut c_void) {
    // SAFETY: as above.
    let handled = unsafe { &*user.cast::<Handled>() };
    assert_eq!(handled.destroyed.fetch_add(1, Ordering::SeqCst), 0, "destroyed once");
}

/// What a step may use of the program besides.
pub struct Around<'a> {
    pub queue: *mut mcp_queue_t,
    pub config: *const c_char,
    pub one: *const c_char,
    pub two: *const c_char,
    pub clients: &'a mut Vec<*mut mcp_client_t>,
    pub messages: &'a mut Vec<*mut mcp_message_t>,
    #[expect(clippy::vec_box, reason = "the library points to them")]
    pub peers: &'a mut Vec<Box<Server>>,
}

/// Every server that there was.
#[derive(Default)]
pub struct Hosts {
    servers: Vec<*mut mcp_server_t>,
    #[expect(clippy::vec_box, reason = "the library points to them")]
    handled: Vec<Box<Handled>>,
    kept: Kept,
    calls: u64,
}

impl Hosts {
    /// The last ones more often; at times NULL.
    fn server(&self, input: &mut Input<'_>) -> *mut mcp_server_t {
        let at = input.below(16);
        if at == 15 || self.servers.is_empty() {
            ptr::null_mut()
        } else {
            self.servers[self.servers.len() - 1 - at % self.servers.len()]
        }
    }

    pub fn has(&self, server: *mut mcp_server_t) -> bool {
        self.servers.contains(&server)
    }

    pub fn step(&mut self, input: &mut Input<'_>, around: &mut Around<'_>) {
        match input.below(16) {
            0 => self.new_server(input, around),
            1..=3 => self.offer(input, around),
            4 => self.offer_other(input, around),
            5 | 6 => self.join(input, around),
            7 => self.attach(input, around),
            8 => visit(input, around),
            9..=11 => self.run(input, around),
            12 => self.tell(input, around),
            13 => self.end_something(input, around),
            14 => {
                if let Some(handled) = self.handled.last() {
                    handled.mood.store(input.byte(), Ordering::SeqCst);
                }
            }
            _ => self.look(input),
        }
        let kept = std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner));
        around.messages.extend(kept);
    }

    fn new_server(&mut self, input: &mut Input<'_>, around: &mut Around<'_>) {
        let config = if input.byte() < 240 { input.pick(&HOSTS).as_ptr() } else { around.one };
        let queue = if input.bool() { around.queue } else { ptr::null_mut() };
        let (mut server, mut error) = (ptr::null_mut(), ptr::null_mut());
        let status = mcp_server_new(config, queue, &raw mut server, &raw mut error);
        assert_eq!(status == MCP_OK, error.is_null());
        mcp_string_free(error);
        if status == MCP_OK {
            self.servers.push(server);
            // A tool, a client and a call, without which a server does nothing.
            let (function, user) = self.handler(input);
            let none = ptr::null_mut();
            let status =
                mcp_server_add_tool(server, DEFINITIONS[0].as_ptr(), function, user, Some(destroy), none);
            assert_eq!(status, MCP_OK);
            self.join_server(server, input, around);
            mcp_server_run(server, 0);
        } else {
            assert!(server.is_null());
        }
    }

    /// A handler, or none: then requests arrive on the queue.
    fn handler(&mut self, input: &mut Input<'_>) -> (mcp_handler_t, *mut c_void) {
        let handled = Box::new(Handled { kept: Arc::clone(&self.kept), ..Handled::default() });
        handled.mood.store(input.byte(), Ordering::SeqCst);
        let user: *const Handled = &raw const *handled;
        self.handled.push(handled);
        let function = (input.byte() < 220).then_some(handle as unsafe extern "C" fn(_, _));
        (function, user.cast_mut().cast())
    }

    fn offer(&mut self, input: &mut Input<'_>, around: &Around<'_>) {
        let server = self.server(input);
        let at = input.below(DEFINITIONS.len());
        let definition = if input.byte() < 240 { DEFINITIONS[at].as_ptr() } else { around.one };
        let add = ADD[at % ADD.len()];
        let (function, user) = self.handler(input);
        let mut error = ptr::null_mut();
        let status = add(server, definition, function, user, Some(destroy), &raw mut error);
        self.was_added(status, error);
    }

    /// What is refused is destroyed before the function returns.
    fn was_added(&self, status: mcp_status_t, error: *mut c_char) {
        let handled = self.handled.last().expect("just put there");
        assert!(status == MCP_OK || handled.destroyed.load(Ordering::SeqCst) == 1, "destroyed if refused");
        mcp_string_free(error);
    }

    fn offer_other(&mut self, input: &mut Input<'_>, around: &Around<'_>) {
        let (server, one, two) = (self.server(input), around.one, around.two);
        let resource = DEFINITIONS[1].as_ptr();
        let mut error = ptr::null_mut();
        match input.below(7) {
            0 => drop(mcp_server_add_text(server, resource, one, &raw mut error)),
            1 => {
                let bytes = input.bytes(9);
                mcp_server_add_blob(server, resource, bytes.as_ptr().cast(), bytes.len(), &raw mut error);
            }
            2 => {
                let values = c"[\"xa\",\"xb\"]".as_ptr();
                let (prompt, argument) = (c"p".as_ptr(), c"a".as_ptr());
                mcp_server_add_completion(
                    server,
                    prompt,
                    argument,
                    values,
                    None,
                    ptr::null_mut(),
                    None,
                    &raw mut error,
                );
            }
            3 => {
                let (function, user) = self.handler(input);
                let (prompt, argument) = (c"p".as_ptr(), c"a".as_ptr());
                let status = mcp_server_add_completion(
                    server,
                    prompt,
                    argument,
                    ptr::null(),
                    function,
                    user,
                    Some(destroy),
                    &raw mut error,
                );
                return self.was_added(status, error);
            }
            4 => {
                let (function, user) = self.handler(input);
                let status = mcp_server_add_method(
                    server,
                    c"x/y".as_ptr(),
                    ptr::null(),
                    ptr::null(),
                    function,
                    user,
                    Some(destroy),
                    &raw mut error,
                );
                return self.was_added(status, error);
            }
            5 => drop(mcp_server_add_folder(server, one, c"/no such folder".as_ptr(), &raw mut error)),
            _ => {
                let kind = input.pick(&[c"tool", c"resource", c"template", c"prompt"]).as_ptr();
                let name = input.pick(&[c"echo", c"file:///a", c"file:///{a}", c"p"]).as_ptr();
                mcp_server_remove(server, kind, if input.byte() < 200 { name } else { two }, &raw mut error);
            }
        }
        mcp_string_free(error);
    }

    /// A client in the same process.
    fn join(&self, input: &mut Input<'_>, around: &mut Around<'_>) {
        self.join_server(self.server(input), input, around);
    }

    fn join_server(&self, server: *mut mcp_server_t, input: &mut Input<'_>, around: &mut Around<'_>) {
        let queue = if input.bool() { around.queue } else { ptr::null_mut() };
        let (mut client, mut error) = (ptr::null_mut(), ptr::null_mut());
        let status = mcp_client_new_in_process(around.config, queue, server, &raw mut client, &raw mut error);
        assert_eq!(status == MCP_OK, !client.is_null());
        mcp_string_free(error);
        if status == MCP_OK {
            around.clients.push(client);
            let none = ptr::null_mut();
            let (name, arguments) = (c"echo".as_ptr(), c"{}".as_ptr());
            mcp_client_call_tool_start(client, name, arguments, ptr::null(), 0, ptr::null_mut(), none);
        }
    }

    /// A client over a transport of the program.
    fn attach(&self, input: &mut Input<'_>, around: &mut Around<'_>) {
        let peer = Box::new(Server::default());
        peer.mood.store(input.byte() % 6, Ordering::SeqCst);
        let user: *const Server = &raw const *peer;
        let mut error = ptr::null_mut();
        let status = mcp_server_attach(
            self.server(input),
            &raw const FUNCTIONS,
            user.cast_mut().cast(),
            &raw mut error,
        );
        assert_eq!(status == MCP_OK, error.is_null());
        mcp_string_free(error);
        around.peers.push(peer);
    }

    fn run(&self, input: &mut Input<'_>, around: &mut Around<'_>) {
        let (server, timeout) = (self.server(input), input.pick(&[0, 0, 0, 1]));
        let mut message = ptr::null_mut();
        let status = match input.below(4) {
            0 | 1 => mcp_server_run(server, timeout),
            2 => mcp_server_poll(server, timeout, &raw mut message),
            _ => mcp_queue_poll(around.queue, timeout, &raw mut message),
        };
        assert!(message.is_null() || status == MCP_OK);
        around.messages.extend((!message.is_null()).then_some(message));
    }

    fn tell(&mut self, input: &mut Input<'_>, around: &Around<'_>) {
        let (server, one, two) = (self.server(input), around.one, around.two);
        let mut error = ptr::null_mut();
        match input.below(5) {
            0 => drop(mcp_server_resource_updated(server, c"file:///a".as_ptr(), &raw mut error)),
            1 => drop(mcp_server_log(server, c"error".as_ptr(), ptr::null(), one, &raw mut error)),
            2 => drop(mcp_server_notify(server, input.number() % 4, one, two, &raw mut error)),
            3 => drop(mcp_server_serve(
                server,
                input.pick(&ENDPOINTS).as_ptr(),
                ptr::null_mut(),
                &raw mut error,
            )),
            _ => {
                let (method, params) = input.pick(&QUESTIONS);
                let options = input.pick(&OPTIONS).as_ptr();
                self.calls += 1;
                let session = input.number() % 4;
                let (method, params) = (method.as_ptr(), params.as_ptr());
                mcp_server_call_start(
                    server,
                    session,
                    method,
                    params,
                    options,
                    self.calls,
                    ptr::null_mut(),
                    &raw mut error,
                );
            }
        }
        mcp_string_free(error);
    }

    fn end_something(&self, input: &mut Input<'_>, around: &Around<'_>) {
        match input.below(4) {
            0 => drop(mcp_server_free(self.server(input))),
            1 => drop(mcp_server_close(self.server(input), input.pick(&[0, 1, 20, -1]))),
            _ => {
                if let Some(client) = around.clients.last() {
                    mcp_client_close(*client, 0);
                }
            }
        }
    }

    fn look(&self, input: &mut Input<'_>) {
        let server = self.server(input);
        let mut info = ptr::null_mut();
        if mcp_server_info(server, &raw mut info, ptr::null_mut()) == MCP_OK {
            // SAFETY: it ends with a NUL.
            let text = unsafe { CStr::from_ptr(info) }.to_str().expect("texts are UTF-8");
            assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text}");
        }
        mcp_string_free(info);
        mcp_server_fd(server);
    }

    /// Frees every server.
    pub fn end(&mut self) {
        for server in &self.servers {
            mcp_server_free(*server);
            assert_eq!(mcp_server_free(*server), MCP_ERROR_INVALID_ARGUMENT);
        }
    }

    /// Frees what handlers kept, after which each handler was destroyed.
    pub fn released(self) {
        for message in self.kept.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            assert_eq!(mcp_message_free(message), MCP_OK);
        }
        let patience = Instant::now() + Duration::from_secs(20);
        while self.handled.iter().any(|handled| handled.destroyed.load(Ordering::SeqCst) == 0) {
            assert!(Instant::now() < patience, "what a handler was registered with is destroyed");
            std::thread::sleep(Duration::from_micros(50));
        }
    }
}

/// A client that is attached says something.
fn visit(input: &mut Input<'_>, around: &Around<'_>) {
    let Some(peer) = around.peers.last() else { return };
    let handle = peer.handle.load(Ordering::SeqCst);
    let message = if input.byte() < 32 { input.until(0) } else { input.pick(&REQUESTS).as_bytes() };
    mcp_transport_deliver(handle, message.as_ptr().cast(), message.len());
}

/// Uses a message as a request that came to a server.
pub fn respond(
    input: &mut Input<'_>,
    message: *mut mcp_message_t,
    one: *const c_char,
    error: *mut *mut c_char,
) {
    let mut text = ptr::null_mut();
    match input.below(10) {
        0 => drop(mcp_request_respond_text(message, one, input.bool(), error)),
        1 => drop(mcp_request_respond_error(message, MCP_CODE_NOT_FOUND, ptr::null(), ptr::null(), error)),
        2 => {
            let (value, total) = (f64::from(input.byte()), f64::from(input.byte()));
            mcp_request_progress(message, value, total, one);
        }
        3 => drop(mcp_request_log(message, c"error".as_ptr(), ptr::null(), one)),
        4 => drop(mcp_request_cancelled(message)),
        5 => {
            let (method, params) = input.pick(&QUESTIONS);
            mcp_request_ask(message, c"key".as_ptr(), method.as_ptr(), params.as_ptr(), &raw mut text, error);
        }
        6 => drop(mcp_request_state(message, &raw mut text, error)),
        7 => drop(mcp_request_set_state(message, one, error)),
        8 => drop(mcp_request_client_has(message, one)),
        _ => drop(mcp_request_context(message, &raw mut text, error)),
    }
    mcp_string_free(text);
}
