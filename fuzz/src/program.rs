//! A program that uses the C interface at random, within its contract.

use crate::Input;
use crate::hosts::{self, Around, Hosts};
use crate::server::{FUNCTIONS, Server};
use crate::values::Values;
use crate::words::{BROKEN, CONFIGS, HTTP, MESSAGES, OPTIONS, TEXTS};
use mcp::ffi::*;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

/// Whether every configuration is one: a client that cannot be made shows nothing.
pub fn check_configs() {
    for (config, with_transport) in
        CONFIGS.iter().map(|config| (config, true)).chain(HTTP.iter().map(|config| (config, false)))
    {
        let server = Box::new(Server::default());
        let user = (&raw const *server).cast_mut().cast();
        let (mut out, mut error) = (ptr::null_mut(), ptr::null_mut());
        let status = if with_transport {
            mcp_client_new_with_transport(
                config.as_ptr(),
                ptr::null_mut(),
                &raw const FUNCTIONS,
                user,
                &raw mut out,
                &raw mut error,
            )
        } else {
            mcp_client_new(config.as_ptr(), ptr::null_mut(), &raw mut out, &raw mut error)
        };
        if status != MCP_OK {
            // SAFETY: the error of a failure ends with a NUL.
            panic!("{config:?}: {:?}", unsafe { CStr::from_ptr(error) });
        }
        assert_eq!(mcp_client_free(out), MCP_OK);
    }
    hosts::check();
}

/// Every handle that there was.
#[derive(Default)]
pub struct Program {
    clients: Vec<*mut mcp_client_t>,
    queues: Vec<*mut mcp_queue_t>,
    transports: Vec<*mut mcp_transport_t>,
    /// Those that are live.
    messages: Vec<*mut mcp_message_t>,
    /// Those that were freed.
    freed: Vec<*mut mcp_message_t>,
    calls: Vec<u64>,
    values: Values,
    hosts: Hosts,
    /// Each where the library was told that it is.
    #[expect(clippy::vec_box, reason = "the library points to them")]
    servers: Vec<Box<Server>>,
    /// Texts of the input, kept as long as the program.
    texts: Vec<CString>,
    callbacks: Box<Callbacks>,
}

/// What was given with callbacks, and what was destroyed of it.
#[derive(Default)]
struct Callbacks {
    given: AtomicI32,
    destroyed: AtomicI32,
}

unsafe extern "C" fn ready(_: *mut c_void) {}

unsafe extern "C" fn log(_: *mut c_void, _: i32, record: *const c_char) {
    // SAFETY: the library lends a text.
    assert!(unsafe { CStr::from_ptr(record) }.to_str().is_ok_and(|record| record.starts_with('{')));
}

unsafe extern "C" fn destroyed(user: *mut c_void) {
    // SAFETY: the program waits for this before it ends.
    unsafe { &*user.cast::<Callbacks>() }.destroyed.fetch_add(1, Ordering::SeqCst);
}

/// What comes back through a pointer, and whether there is one.
struct Out<T>(T, bool);

impl<T> Out<*mut T> {
    fn new(input: &mut Input<'_>) -> Self {
        Self(ptr::null_mut(), input.byte() < 250)
    }
}

impl<T> Out<T> {
    fn place(&mut self) -> *mut T {
        if self.1 { &raw mut self.0 } else { ptr::null_mut() }
    }
}

/// Frees a text that the library gave, which is JSON if it is an error.
fn freed(text: *mut c_char, is_json: bool) {
    if !text.is_null() {
        // SAFETY: it ends with a NUL.
        let read = unsafe { CStr::from_ptr(text) }.to_str().expect("texts are UTF-8");
        assert!(!is_json || serde_json::from_str::<serde_json::Value>(read).is_ok(), "{read}");
    }
    mcp_string_free(text);
}

impl Program {
    /// A text: one of those that mean something, NULL, or one of the input.
    fn text(&mut self, input: &mut Input<'_>) -> *const c_char {
        match input.below(40) {
            at if at < TEXTS.len() => TEXTS[at].as_ptr(),
            at if at == TEXTS.len() => ptr::null(),
            _ => {
                self.texts.push(CString::new(input.until(0)).expect("without a NUL"));
                self.texts.last().expect("just put there").as_ptr()
            }
        }
    }

    fn options(input: &mut Input<'_>) -> *const c_char {
        OPTIONS.get(input.below(12)).map_or(ptr::null(), |options| options.as_ptr())
    }

    /// The number of a call, which may be over or never was.
    fn call(&self, input: &mut Input<'_>) -> u64 {
        self.calls.get(input.below(16)).copied().unwrap_or(1_000_000)
    }

    fn client(&self, input: &mut Input<'_>) -> *mut mcp_client_t {
        pick(&self.clients, input)
    }

    fn queue(&self, input: &mut Input<'_>) -> *mut mcp_queue_t {
        pick(&self.queues, input)
    }

    /// Mostly a live message; else one that was freed, a handle of another kind, or any number.
    fn message(&self, input: &mut Input<'_>) -> *mut mcp_message_t {
        match input.below(20) {
            17 => pick(&self.freed, input),
            18 => pick(&self.clients, input).cast(),
            19 => ptr::without_provenance_mut(usize::try_from(input.number()).unwrap_or(8)),
            _ => pick(&self.messages, input),
        }
    }

    fn keep(&mut self, message: *mut mcp_message_t) {
        if !message.is_null() {
            self.messages.push(message);
        }
    }

    pub fn step(&mut self, input: &mut Input<'_>) {
        match input.byte() % 32 {
            0..=2 => self.new_client(input),
            3 => self.new_queue(input),
            4..=9 => self.wait_for_call(input),
            10..=13 => self.start_call(input),
            14..=16 => self.poll(input),
            17 => self.free(input),
            18..=20 => self.serve(input),
            21 => self.look_at_message(input),
            22 | 23 => self.respond(input),
            24 if input.bool() => self.values(input),
            24 | 25 => self.json(input),
            26 => self.callback(input),
            27 => self.connection(input),
            28 => self.authorization(input),
            30 | 31 => self.host(input),
            _ => self.client_only(input),
        }
    }

    fn new_client(&mut self, input: &mut Input<'_>) {
        let (mut out, mut error) = (Out::<*mut mcp_client_t>::new(input), Out::<*mut c_char>::new(input));
        let config = input.below(CONFIGS.len() + BROKEN.len());
        let config = CONFIGS.iter().chain(&BROKEN).nth(config).expect("one of them").as_ptr();
        let queue = if input.byte() < 128 { ptr::null_mut() } else { self.queue(input) };
        let kind = input.byte();
        if (16..40).contains(&kind) {
            let config = input.pick(&HTTP).as_ptr();
            let status = mcp_client_new(config, queue, out.place(), error.place());
            // An argument may be missing, or the queue be gone.
            assert!(status == MCP_OK || out.0.is_null());
            if status == MCP_OK {
                self.clients.push(out.0);
            }
        } else if kind < 16 {
            // One that could start something never does: it is freed at once.
            let config = if input.bool() { self.text(input) } else { config };
            let status = mcp_client_new(config, queue, out.place(), error.place());
            if status == MCP_OK {
                assert_eq!(mcp_client_free(out.0), MCP_OK);
                self.clients.push(out.0);
            }
        } else {
            let server = Box::new(Server::default());
            server.mood.store(input.byte() % 6, Ordering::SeqCst);
            let user: *const Server = &raw const *server;
            let status = mcp_client_new_with_transport(
                config,
                queue,
                &raw const FUNCTIONS,
                user.cast_mut().cast(),
                out.place(),
                error.place(),
            );
            if status == MCP_OK {
                self.clients.push(out.0);
            } else {
                assert!(out.0.is_null() && server.is_over(), "destroy is called whatever comes");
            }
            self.servers.push(server);
        }
        freed(error.0, true);
    }

    fn new_queue(&mut self, input: &mut Input<'_>) {
        let mut error = Out::<*mut c_char>::new(input);
        let mut out = Out::<*mut mcp_queue_t>::new(input);
        let config = if input.bool() { ptr::null() } else { self.text(input) };
        if mcp_queue_new(config, out.place(), error.place()) == MCP_OK {
            self.queues.push(out.0);
        }
        freed(error.0, true);
    }

    fn wait_for_call(&mut self, input: &mut Input<'_>) {
        let client = self.client(input);
        let (one, two, three) = (self.text(input), self.text(input), self.text(input));
        let options = Self::options(input);
        let method = input.pick(&METHODS).as_ptr();
        let mut out = Out::<*mut mcp_message_t>::new(input);
        let reply = out.place();
        let status = match input.byte() % 21 {
            0 | 1 => mcp_call(client, one, two, options, reply),
            2 => mcp_client_list_tools(client, options, reply),
            3..=5 => mcp_call(client, method, two, options, reply),
            6 => mcp_client_call_tool(client, one, two, options, reply),
            7 => mcp_client_read_resource(client, one, options, reply),
            8 => mcp_client_subscribe_resource(client, one, options, reply),
            9 => mcp_client_unsubscribe_resource(client, one, options, reply),
            10 => mcp_client_get_prompt(client, one, two, options, reply),
            11 => mcp_client_complete(client, one, two, three, ptr::null(), options, reply),
            12 if input.bool() => mcp_client_set_server_log_level(client, one, options, reply),
            12 => mcp_call(client, c"ping".as_ptr(), ptr::null(), options, reply),
            13 => mcp_call_wait(client, self.call(input), input.pick(&[0, 1, 20]), reply),
            14 => mcp_client_get_task(client, one, options, reply),
            15 => mcp_client_get_task_result(client, one, options, reply),
            16 => mcp_client_cancel_task(client, one, options, reply),
            17 => mcp_call(client, c"skills/list".as_ptr(), two, options, reply),
            18 => mcp_call(client, c"skills/get".as_ptr(), two, options, reply),
            19 => mcp_client_load_skill(client, one, options, reply),
            _ => mcp_client_read_skill_file(client, one, two, options, reply),
        };
        if out.0.is_null() {
            assert!(status != MCP_OK || !out.1, "a call that went well has a reply");
        } else {
            assert_eq!(mcp_message_status(out.0), status);
            assert_eq!(mcp_message_kind(out.0), MCP_KIND_REPLY);
        }
        self.keep(out.0);
    }

    fn start_call(&mut self, input: &mut Input<'_>) {
        let client = self.client(input);
        let (one, two, three) = (self.text(input), self.text(input), self.text(input));
        let options = if input.byte() < 200 { Self::options(input) } else { self.text(input) };
        let method = input.pick(&METHODS).as_ptr();
        let (mut call, mut error) = (Out(0_u64, input.bool()), Out::<*mut c_char>::new(input));
        let (id, text, tag) = (call.place(), error.place(), input.number());
        let status = match input.byte() % 20 {
            0 => mcp_call_start(client, one, two, options, tag, id, text),
            1 => mcp_client_connect_start(client, input.pick(&[0, 1, 20, -1]), tag, id, text),
            2..=5 => mcp_call_start(client, method, two, options, tag, id, text),
            6 => mcp_client_call_tool_start(client, one, two, options, tag, id, text),
            7 => mcp_client_read_resource_start(client, one, options, tag, id, text),
            9 => mcp_client_get_prompt_start(client, one, two, options, tag, id, text),
            8 | 10..=17 => mcp_call_start(client, method, three, options, tag, id, text),
            18 => mcp_client_load_skill_start(client, one, options, tag, id, text),
            _ => mcp_client_read_skill_file_start(client, one, two, options, tag, id, text),
        };
        if status == MCP_OK {
            assert!(error.0.is_null());
            self.calls.extend(call.1.then_some(call.0));
        }
        freed(error.0, true);
    }

    fn poll(&mut self, input: &mut Input<'_>) {
        let timeout = input.pick(&[0, 0, 1, 3, i32::MIN, -2]);
        let mut out = Out::<*mut mcp_message_t>::new(input);
        // A negative number waits without a bound.
        let timeout = if timeout < 0 { 0 } else { timeout };
        match input.below(4) {
            0 | 1 => mcp_client_poll(self.client(input), timeout, out.place()),
            2 => mcp_poll_notification(self.client(input), timeout, out.place()),
            _ => mcp_queue_poll(self.queue(input), timeout, out.place()),
        };
        self.keep(out.0);
    }

    fn free(&mut self, input: &mut Input<'_>) {
        match input.below(4) {
            0 => drop(mcp_client_free(self.client(input))),
            1 => drop(mcp_queue_free(self.queue(input))),
            _ if !self.messages.is_empty() => {
                let message = self.messages.remove(input.below(64) % self.messages.len());
                assert_eq!(mcp_message_free(message), MCP_OK);
                assert_eq!(mcp_message_free(message), MCP_ERROR_INVALID_ARGUMENT);
                self.freed.push(message);
            }
            _ => drop(mcp_message_free(ptr::null_mut())),
        }
    }

    /// What servers do by themselves.
    fn serve(&mut self, input: &mut Input<'_>) {
        if self.servers.is_empty() {
            return;
        }
        let at = input.below(64) % self.servers.len();
        let server = &self.servers[at];
        let handle = server.handle.load(Ordering::SeqCst);
        if !handle.is_null() && !self.transports.contains(&handle) {
            self.transports.push(handle);
        }
        match input.below(8) {
            0 => server.mood.store(input.byte() % 6, Ordering::SeqCst),
            1 => server.answer(true),
            2 => server.answer(false),
            3 => {
                let words = String::from_utf8_lossy(input.until(0)).into_owned();
                *server.words.lock().unwrap_or_else(PoisonError::into_inner) = words;
                server.mood.store(2, Ordering::SeqCst);
            }
            4 => {
                let text = self.text(input);
                mcp_transport_closed(pick(&self.transports, input), text);
            }
            _ => {
                let own = input.byte() < 64;
                let message = if own { input.until(0) } else { input.pick(&MESSAGES).as_bytes() };
                let handle = if input.byte() < 32 { pick(&self.transports, input) } else { handle };
                mcp_transport_deliver(handle, message.as_ptr().cast(), message.len());
            }
        }
    }

    fn look_at_message(&mut self, input: &mut Input<'_>) {
        let message = self.message(input);
        let mut length = 7;
        let json = mcp_message_json(message, &raw mut length);
        if !json.is_null() {
            // SAFETY: only a live message lends a text, which ends with a NUL.
            let text = unsafe { CStr::from_ptr(json) };
            assert!(text.count_bytes() == length && text.to_str().is_ok());
        }
        let text = mcp_message_text(message, &raw mut length);
        if !text.is_null() {
            // SAFETY: as above; a text may hold NULs.
            let text = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length + 1) };
            assert!(text.last() == Some(&0) && std::str::from_utf8(text).is_ok());
        }
        let _ = (mcp_message_kind(message), mcp_message_status(message), mcp_message_call_id(message));
        let _ = (mcp_message_tag(message), mcp_message_method(message), mcp_message_topic(message));
        let client = mcp_message_client(message);
        assert!(client.is_null() || self.clients.contains(&client), "a message of a client that there was");
        let server = mcp_message_server(message);
        assert!(server.is_null() || self.hosts.has(server), "a message of a server that there was");
    }

    fn respond(&mut self, input: &mut Input<'_>) {
        let message = self.message(input);
        let (one, two) = (self.text(input), self.text(input));
        let mut error = Out::<*mut c_char>::new(input);
        let text = error.place();
        match input.below(8) {
            0 => mcp_request_respond(message, one, text),
            1 => mcp_request_respond_error(message, i32::from(input.byte()) - 128, one, two, text),
            2 => mcp_request_respond_elicitation(message, c"accept".as_ptr(), one, text),
            3 => mcp_request_respond_elicitation(message, c"decline".as_ptr(), ptr::null(), text),
            4 => mcp_request_respond_elicitation(message, one, two, text),
            5..=7 => {
                hosts::respond(input, message, one, text);
                MCP_OK
            }
            _ => mcp_request_respond_elicitation(message, c"cancel".as_ptr(), ptr::null(), text),
        };
        freed(error.0, true);
    }

    /// Serves: a few steps at a time, because a server shows nothing before it has tools and clients.
    fn host(&mut self, input: &mut Input<'_>) {
        for _ in 0..4 {
            let (one, two) = (self.text(input), self.text(input));
            let around = &mut Around {
                queue: self.queue(input),
                config: input.pick(&CONFIGS).as_ptr(),
                one,
                two,
                clients: &mut self.clients,
                messages: &mut self.messages,
                peers: &mut self.servers,
            };
            self.hosts.step(input, around);
        }
    }

    /// Reads and writes JSON through values and builders.
    fn values(&mut self, input: &mut Input<'_>) {
        let (one, two) = (self.text(input), self.text(input));
        let message = self.message(input);
        for _ in 0..8 {
            self.values.step(input, message, one, two);
        }
    }

    fn json(&mut self, input: &mut Input<'_>) {
        let (one, two) = (self.text(input), self.text(input));
        let (mut first, mut second) = (Out::<*mut c_char>::new(input), Out::<*mut c_char>::new(input));
        let mut length = Out(0_usize, input.bool());
        let mut is_json = false;
        match input.below(5) {
            0 => drop(mcp_json_get(one, two, first.place(), length.place())),
            1 => {
                mcp_json_quote(one, first.place());
                is_json = true;
            }
            2 => drop(mcp_uri_template_expand(one, two, first.place(), second.place())),
            3 => drop(mcp_config_load(c"/no such file".as_ptr(), two, first.place(), second.place())),
            _ => {
                let number = i32::from(input.byte()) - 128;
                for name in [
                    mcp_status_name(number),
                    mcp_kind_name(number),
                    mcp_client_state_name(number),
                    mcp_topic_name(number),
                    mcp_version(),
                ] {
                    assert!(!name.is_null());
                }
                assert!(mcp_abi_version() > 0);
            }
        }
        freed(first.0, is_json);
        freed(second.0, false);
    }

    fn callback(&mut self, input: &mut Input<'_>) {
        let user: *const Callbacks = &raw const *self.callbacks;
        let user = user.cast_mut().cast::<c_void>();
        // Destroyed once, also when the function fails; counted first, since that may be before it returns.
        self.callbacks.given.fetch_add(1, Ordering::SeqCst);
        if input.bool() {
            let function = if input.byte() < 200 { Some(log as unsafe extern "C" fn(_, _, _)) } else { None };
            mcp_log_set_logger(function, i32::from(input.byte() % 8), user, Some(destroyed));
        } else {
            let function = if input.byte() < 200 { Some(ready as unsafe extern "C" fn(_)) } else { None };
            let queue = self.queue(input);
            mcp_queue_on_ready(queue, function, user, Some(destroyed));
        }
    }

    fn connection(&mut self, input: &mut Input<'_>) {
        let (client, text) = (self.client(input), self.text(input));
        let (mut out, mut error) = (Out::<*mut c_char>::new(input), Out::<*mut c_char>::new(input));
        match input.below(6) {
            0 | 1 => drop(mcp_client_connect(client, input.pick(&[0, 1, 20]), error.place())),
            2 => drop(mcp_client_info(client, out.place(), error.place())),
            3 => drop(mcp_client_close(client, input.pick(&[0, 1, 20, -1]))),
            4 => drop(mcp_client_fd(client)),
            _ => drop(mcp_client_set_roots(client, text, error.place())),
        }
        freed(out.0, true);
        freed(error.0, true);
    }

    fn authorization(&mut self, input: &mut Input<'_>) {
        let (client, text) = (self.client(input), self.text(input));
        let mut error = Out::<*mut c_char>::new(input);
        match input.below(6) {
            0 => mcp_client_complete_login(client, text, error.place()),
            1 => mcp_client_supply_credential(client, text, i32::from(input.byte()) - 5, error.place()),
            2 => mcp_client_abort_login(client, text, error.place()),
            3 => mcp_client_logout(client, input.pick(&[0, 1, 20, -1]), error.place()),
            _ => {
                let (message, failure) = (self.message(input), self.text(input));
                let failure = if input.byte() < 200 { ptr::null() } else { failure };
                mcp_client_answer_auth(client, message, text, failure, error.place())
            }
        };
        freed(error.0, true);
    }

    fn client_only(&mut self, input: &mut Input<'_>) {
        let (client, one, two) = (self.client(input), self.text(input), self.text(input));
        let mut error = Out::<*mut c_char>::new(input);
        match input.below(6) {
            0 => drop(mcp_client_notify(client, one, two, error.place())),
            1 => {
                mcp_call_cancel(client, self.call(input), one);
            }
            2 => drop(mcp_client_clear_cache(client)),
            3 => drop(mcp_queue_wake(self.queue(input))),
            4 => drop(mcp_queue_fd(self.queue(input))),
            _ => assert!((-1..=6).contains(&mcp_client_state(client)) || mcp_client_state(client) < 0),
        }
        freed(error.0, true);
    }

    /// Frees what there is, in an order of its own, and checks that everything was released.
    pub fn end(mut self) {
        for client in self.clients.drain(..) {
            mcp_client_free(client);
        }
        self.hosts.end();
        assert!(
            self.servers.iter().all(|server| server.is_over()),
            "destroy comes once, when its client or server is freed"
        );
        for queue in self.queues.drain(..) {
            mcp_queue_free(queue);
        }
        for message in self.messages.drain(..) {
            assert_eq!(mcp_message_free(message), MCP_OK);
        }
        self.values.end();
        self.hosts.released();
        mcp_log_set_logger(None, 0, ptr::null_mut(), None);
        let patience = Instant::now() + Duration::from_secs(20);
        let given = self.callbacks.given.load(Ordering::SeqCst);
        while self.callbacks.destroyed.load(Ordering::SeqCst) != given {
            assert!(Instant::now() < patience, "what was given with a callback is destroyed");
            std::thread::sleep(Duration::from_micros(50));
        }
    }
}

/// Methods that mean the same on every revision.
const METHODS: [&CStr; 14] = [
    c"tools/list",
    c"tools/call",
    c"resources/list",
    c"resources/templates/list",
    c"resources/read",
    c"resources/subscribe",
    c"resources/unsubscribe",
    c"prompts/list",
    c"prompts/get",
    c"completion/complete",
    c"logging/setLevel",
    c"tasks/result",
    c"skills/get",
    c"no/such",
];

/// One of the handles there were, or NULL.
fn pick<T>(handles: &[*mut T], input: &mut Input<'_>) -> *mut T {
    let at = input.below(16);
    if at == 15 || handles.is_empty() {
        ptr::null_mut()
    } else {
        handles[handles.len() - 1 - at % handles.len()]
    }
}
