//! Messages: what arrives for the application, each in the buffer it was received in.
//!
//! [`Message`] is in this file: how it is made, and what the application reads of it. A message carries the request of a client by
//! [`ServedRequest`], and is answered by [`Serve`].
//!
//! * `text`: the text of a message, which C reads in place, also that of a large reply
//! * `served`: the messages of a server to its application

#[cfg(feature = "server")]
mod served;
mod text;

#[cfg(feature = "server")]
use crate::engine::server::{Answer, ArgumentCheck, Outcome, Severity, TaskOptions};
use crate::engine::{Error, Event, Reply, RequestedInput, ResultBody, State, Status};
use crate::json::{self, Span};
use crate::protocol::{Topic, method};
use std::borrow::Cow;
#[cfg(feature = "server")]
use std::sync::Arc;
#[cfg(feature = "server")]
use std::sync::atomic::AtomicBool;
use std::sync::{OnceLock, Weak};
use std::time::Duration;
use text::{EMPTY_OBJECT, LARGE_BYTES, LargeReply, MessageText, own, terminate, terminated, without_nul};

/// What answers for a request that the application dropped.
pub(crate) trait Abandon: Send + Sync {
    fn abandon(&self, key: u64);
}

/// The server's request that a message carries.
pub(crate) struct Pending {
    pub(crate) key: u64,
    /// Weak: a message must not keep alive what belongs to a client that is freed.
    pub(crate) owner: Weak<dyn Abandon>,
    /// What a server of 2026-07-28 calls it, if it asked by the answer of a call or in a task.
    pub(crate) input: Option<Box<RequestedInput>>,
}

impl Pending {
    fn bytes(&self) -> usize {
        size_of::<Pending>()
            + self.input.as_ref().map_or(0, |asked| size_of::<RequestedInput>() + asked.name.len())
    }
}

impl std::fmt::Debug for Pending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pending").field("key", &self.key).finish_non_exhaustive()
    }
}

/// Something that arrived for the application. Immutable; what it lends lives as long as it does.
#[derive(Debug)]
pub struct Message {
    kind: Kind,
    status: Status,
    client: u64,
    call: u64,
    tag: u64,
    frame: Vec<u8>,
    method: Option<MessageText>,
    json: MessageText,
    text: OnceLock<Option<Box<[u8]>>>,
    /// Of a request and of a login; boxed, since most messages have none.
    pending: Option<Box<Pending>>,
    /// Whether the server asked for input before it answered.
    asked: bool,
    /// Whether it is a result of a type that an extension brought.
    extended: bool,
    /// What is to be done before the application has it.
    finish: Option<OutcomeFinish>,
    /// Whether the number that it names its owner by is a server's.
    #[cfg(feature = "server")]
    is_of_server: bool,
    /// The request of a client that it carries.
    #[cfg(feature = "server")]
    served: Option<Box<ServedRequest>>,
}

impl Message {
    fn new(kind: Kind, client: u64, json: MessageText) -> Message {
        Message {
            kind,
            status: Status::Ok,
            client,
            call: 0,
            tag: 0,
            frame: Vec::new(),
            method: None,
            json,
            text: OnceLock::new(),
            pending: None,
            asked: false,
            extended: false,
            finish: None,
            #[cfg(feature = "server")]
            is_of_server: false,
            #[cfg(feature = "server")]
            served: None,
        }
    }

    /// If it is a request of a client: the server of this process, and the number there of whose it is.
    pub(crate) fn holder(&self) -> Option<(u64, u64)> {
        #[cfg(feature = "server")]
        return self.served.as_ref().and_then(|served| Some((self.client, served.holder?)));
        #[cfg(not(feature = "server"))]
        None
    }

    /// The outcome of a call.
    pub(crate) fn reply(client: u64, call: u64, tag: u64, reply: Reply) -> Message {
        let mut message = match reply {
            Ok(ResultBody { mut frame, json, asked, extended }) => {
                terminate(&mut frame, json.end);
                let mut message = if frame.len() < LARGE_BYTES {
                    let mut message = Message::new(Kind::Reply, client, MessageText::InFrame(json));
                    message.frame = frame;
                    message
                } else {
                    Message::new(
                        Kind::Reply,
                        client,
                        MessageText::Large(Box::new(LargeReply::new(frame, json))),
                    )
                };
                (message.asked, message.extended) = (asked, extended);
                message
            }
            Err(error) => Message::failure(client, &error),
        };
        message.call = call;
        message.tag = tag;
        message
    }

    /// The outcome of a call that was never made.
    pub fn failure(client: u64, error: &Error) -> Message {
        let mut message = Message::new(Kind::Reply, client, own(error.to_json()));
        message.status = error.status;
        message.method = Some(own(error.operation.clone()));
        message
    }

    /// The message with another JSON text, such as a result that a program between client and server has changed.
    #[must_use]
    pub fn with_json(mut self, json: &str) -> Message {
        self.json = own(json.to_owned());
        self.text = OnceLock::new();
        self
    }

    /// The outcome of a call that was made and failed.
    #[cfg(any(feature = "schema", feature = "skills"))]
    pub(crate) fn failed(client: u64, call: u64, tag: u64, error: &Error) -> Message {
        let mut message = Message::failure(client, error);
        (message.call, message.tag) = (call, tag);
        message
    }

    /// An outcome that was kept from before.
    pub(crate) fn kept(client: u64, call: u64, tag: u64, result: &str) -> Message {
        let mut message = Message::new(Kind::Reply, client, own(result.to_owned()));
        (message.call, message.tag) = (call, tag);
        message
    }

    /// The message, with what is to be done before the application has it.
    pub(crate) fn finished_by(mut self, finish: Option<OutcomeFinish>) -> Message {
        self.finish = finish;
        self
    }

    /// The message as the application gets it.
    pub(super) fn finished(mut self) -> Message {
        match self.finish.take() {
            Some(finish) => finish.run(self),
            None => self,
        }
    }

    pub(crate) fn was_asked(&self) -> bool {
        self.asked
    }

    /// Whether only the application knows what is in it.
    pub(crate) fn is_extended(&self) -> bool {
        self.extended
    }

    /// A message of the engine.
    pub(crate) fn event(client: u64, event: Event, owner: impl FnOnce() -> Weak<dyn Abandon>) -> Message {
        match event {
            Event::Notification { frame, method, params } => {
                Message::from_server(Kind::Notification, client, frame, method, params)
            }
            Event::Task { frame, method, params, call, tag } => {
                let mut message = Message::from_server(Kind::Notification, client, frame, method, params);
                (message.call, message.tag) = (call, tag);
                message
            }
            Event::Request { frame, method, params, key, call, tag, input } => {
                let mut message = Message::from_server(Kind::Request, client, frame, method, params);
                message.pending = Some(Box::new(Pending { key, owner: owner(), input }));
                (message.call, message.tag) = (call, tag);
                message
            }
            Event::Progress { mut frame, params, call, tag } => {
                terminate(&mut frame, params.end);
                let mut message = Message::new(Kind::Progress, client, MessageText::InFrame(params));
                message.frame = frame;
                message.method = Some(MessageText::Static(b"notifications/progress\0"));
                message.call = call;
                message.tag = tag;
                message
            }
            Event::State { from, to, reason, next_attempt } => {
                let wait = next_attempt.map(|at| at.saturating_duration_since(std::time::Instant::now()));
                Message::new(Kind::State, client, own(state_json(from, to, &reason, wait)))
            }
        }
    }

    /// Authorization needs something of the application.
    #[cfg(feature = "auth")]
    pub(crate) fn auth(client: u64, what: &serde_json::Value) -> Message {
        Message::new(Kind::Auth, client, own(what.to_string()))
    }

    /// The application answers to this message; `owner` is told if it does not.
    #[cfg(feature = "auth")]
    pub(crate) fn answered_to(mut self, key: u64, owner: Weak<dyn Abandon>) -> Message {
        self.pending = Some(Box::new(Pending { key, owner, input: None }));
        self
    }

    fn from_server(
        kind: Kind,
        client: u64,
        mut frame: Vec<u8>,
        method: Span,
        params: Option<Span>,
    ) -> Message {
        let decoded = json::string(crate::protocol::envelope::text(&frame, method));
        let escaped = matches!(decoded, Some(Cow::Owned(_)));
        let holds_nul = decoded.as_ref().is_some_and(|method| method.contains('\0'));
        let method = if holds_nul {
            // C would see it cut short, and take it for another method: left as it was written.
            let written = crate::protocol::envelope::text(&frame, method);
            own(written.trim_matches('"').to_owned())
        } else if escaped {
            own(decoded.unwrap_or_default().into_owned())
        } else {
            // Without its quotes; the closing one becomes the NUL.
            MessageText::InFrame(Span { start: method.start + 1, end: method.end - 1 })
        };
        if let MessageText::InFrame(span) = &method {
            let end = span.end;
            terminate(&mut frame, end);
        }
        let json = match params {
            Some(params) => {
                terminate(&mut frame, params.end);
                MessageText::InFrame(params)
            }
            None => MessageText::Static(EMPTY_OBJECT),
        };
        let mut message = Message::new(kind, client, json);
        message.frame = frame;
        message.method = Some(method);
        message
    }

    /// The request it carries, by the name the engine knows it by.
    pub(crate) fn request_key(&self) -> Option<u64> {
        self.pending.as_ref().filter(|_| self.kind == Kind::Request).map(|pending| pending.key)
    }

    /// What authorization asked for in it, by the name that it is known by there.
    #[cfg(feature = "auth")]
    pub(crate) fn auth_key(&self) -> Option<u64> {
        self.pending.as_ref().filter(|_| self.kind == Kind::Auth).map(|pending| pending.key)
    }

    /// How much of a queue's bound it takes.
    pub(crate) fn bytes(&self) -> usize {
        const OVERHEAD: usize = size_of::<Message>();
        OVERHEAD
            + self.frame.len()
            + self.json.held()
            + self.pending.as_ref().map_or(0, |pending| pending.bytes())
    }

    fn with_nul<'a>(&'a self, text: &'a MessageText) -> &'a [u8] {
        text.with_nul(&self.frame)
    }
}

impl Drop for Message {
    /// A request that is dropped without an answer is answered by the library.
    fn drop(&mut self) {
        if let Some(pending) = self.pending.take()
            && let Some(owner) = pending.owner.upgrade()
        {
            owner.abandon(pending.key);
        }
    }
}

mcp_core::named_numbers! {
    /// What a message is. The numbers are the ABI's.
    pub enum Kind {
        /// The outcome of a call.
        Reply = 1 "reply",
        /// A notification of the server.
        Notification = 2 "notification",
        /// A request of the server, to be answered.
        Request = 3 "request",
        /// Progress of a call.
        Progress = 4 "progress",
        /// The connection's state changed.
        State = 5 "state",
        /// Authorization is needed.
        Auth = 6 "auth",
        /// A line of the server's standard error.
        Stderr = 7 "stderr",
        /// Messages were lost because the queue was full.
        Lost = 8 "lost",
    }
}

impl Kind {
    /// Whether a full queue may drop it. Outcomes and requests are owed; the rest may be dropped.
    pub(crate) fn is_droppable(self) -> bool {
        !matches!(self, Kind::Reply | Kind::Request | Kind::Auth)
    }
}

/// Done to a started call's outcome on the thread that takes it, with no lock held: checking a large result holds up no
/// other call.
pub(crate) struct OutcomeFinish(Box<dyn FnOnce(Message) -> Message + Send + Sync>);

impl OutcomeFinish {
    pub(crate) fn new(finish: impl FnOnce(Message) -> Message + Send + Sync + 'static) -> OutcomeFinish {
        OutcomeFinish(Box::new(finish))
    }

    fn run(self, message: Message) -> Message {
        (self.0)(message)
    }
}

impl std::fmt::Debug for OutcomeFinish {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OutcomeFinish").finish_non_exhaustive()
    }
}

/// The message's JSON.
fn state_json(from: State, to: State, reason: &str, wait: Option<Duration>) -> String {
    let mut text = format!("{{\"state\":\"{}\",\"previous\":\"{}\",\"reason\":", to.as_str(), from.as_str());
    json::quote_into(reason, &mut text);
    if let Some(wait) = wait {
        text.push_str(",\"next_attempt_in_ms\":");
        text.push_str(&wait.as_millis().to_string());
    }
    text.push('}');
    text
}

impl Message {
    /// The outcome of a connect that was started.
    pub(crate) fn connected(client: u64, call: u64, tag: u64, outcome: Result<(), Error>) -> Message {
        match outcome {
            Ok(()) => Message::kept(client, call, tag, "{}"),
            Err(error) => Message::reply(client, call, tag, Err(error)),
        }
    }
}

impl Message {
    /// A line of the server's standard error.
    pub(crate) fn log(client: u64, line: &str) -> Message {
        let mut text = String::from("{\"source\":\"stderr\",\"line\":");
        json::quote_into(line, &mut text);
        text.push('}');
        Message::new(Kind::Stderr, client, own(text))
    }

    /// Messages were lost.
    pub(crate) fn lost(count: u64) -> Message {
        Message::new(Kind::Lost, 0, own(format!("{{\"count\":{count}}}")))
    }

    /// Which client it belongs to; 0 if it is a server of this process.
    pub fn client_only(&self) -> u64 {
        #[cfg(feature = "server")]
        if self.is_of_server {
            return 0;
        }
        self.client
    }
}

impl Message {
    /// What it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// A reply's outcome; `Ok` for everything else.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Which client or server of this process it belongs to.
    pub fn client(&self) -> u64 {
        self.client
    }

    /// The call it belongs to, 0 for none.
    pub fn call(&self) -> u64 {
        self.call
    }

    /// The tag the application gave that call.
    pub fn tag(&self) -> u64 {
        self.tag
    }

    /// The method, where there is one: text and a NUL behind it.
    pub fn method_with_nul(&self) -> Option<&[u8]> {
        self.method.as_ref().map(|text| self.with_nul(text))
    }

    /// The method, where there is one.
    pub fn method(&self) -> Option<&str> {
        self.method_with_nul().map(without_nul)
    }

    /// What a notification, request or progress is about.
    pub fn topic(&self) -> Topic {
        match self.kind {
            Kind::Notification | Kind::Request | Kind::Progress => {
                self.method().map_or(Topic::Unknown, method::topic)
            }
            _ => Topic::None,
        }
    }

    /// What a server of 2026-07-28 calls the input that this request asks for, and whether more follow that it asked for at the same
    /// time. `None` for other requests: in the legacy era they have no names.
    pub fn input(&self) -> Option<(String, bool)> {
        let asked = self.pending.as_ref()?.input.as_ref()?;
        let quoted = format!("\"{}\"", asked.name);
        Some((json::string(&quoted).unwrap_or_default().into_owned(), asked.has_more))
    }

    /// The JSON text and a NUL behind it: result, error object, parameters, or what the kind says.
    pub fn json_with_nul(&self) -> &[u8] {
        self.with_nul(&self.json)
    }

    /// The JSON text: result, error object, parameters, or what the kind says.
    pub fn json(&self) -> &str {
        without_nul(self.json_with_nul())
    }

    /// The text content of a tool result, prompt or resource, with a NUL behind it; `None` if there is none.
    pub fn text_with_nul(&self) -> Option<&[u8]> {
        if self.kind != Kind::Reply || self.status != Status::Ok {
            return None;
        }
        if let MessageText::Large(large) = &self.json
            && let Ok(text) = large.text()
        {
            return text;
        }
        let text = self.text.get_or_init(|| {
            let json = self.json_with_nul();
            let text = crate::protocol::content::text_of(json.strip_suffix(b"\0").unwrap_or(json))?;
            Some(match text {
                // Once, into memory of just the size.
                Cow::Borrowed(text) => {
                    let mut own = Vec::with_capacity(text.len() + 1);
                    own.extend_from_slice(text);
                    terminated(own)
                }
                Cow::Owned(text) => terminated(text),
            })
        });
        text.as_deref()
    }

    /// Whether it is the result of a tool that says that it failed.
    pub fn is_tool_error(&self) -> bool {
        self.kind == Kind::Reply
            && self.status == Status::Ok
            && json::member(self.json(), "isError") == Some("true")
    }

    /// What a failed reply says went wrong, with a NUL behind it; `None` for everything else.
    pub fn error_with_nul(&self) -> Option<&[u8]> {
        if self.kind != Kind::Reply || self.status == Status::Ok {
            return None;
        }
        let text = self.text.get_or_init(|| {
            let message = json::member(self.json(), "message").and_then(json::string)?;
            Some(terminated(message.into_owned().into_bytes()))
        });
        text.as_deref()
    }
}

/// What runs for a request: a function of the application. Without one the request arrives on the queue.
#[cfg(feature = "server")]
pub struct Handler(Option<Arc<dyn Fn(Message) + Send + Sync>>);

#[cfg(feature = "server")]
impl Handler {
    /// A function.
    pub fn function(function: Arc<dyn Fn(Message) + Send + Sync>) -> Handler {
        Handler(Some(function))
    }

    /// The queue.
    pub fn queue() -> Handler {
        Handler(None)
    }

    fn get(&self) -> Option<Arc<dyn Fn(Message) + Send + Sync>> {
        self.0.clone()
    }

    fn is_function(&self) -> bool {
        self.0.is_some()
    }
}

#[cfg(feature = "server")]
impl Clone for Handler {
    fn clone(&self) -> Self {
        Handler(self.0.clone())
    }
}

#[cfg(feature = "server")]
impl std::fmt::Debug for Handler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Handler(function)" } else { "Handler(queue)" })
    }
}

/// What answers a request, and tells more of it. Each function names the request by its number.
#[cfg(feature = "server")]
pub(crate) trait Serve: Send + Sync {
    /// The application has taken it.
    fn begun(&self, request: u64);

    /// Checks its arguments, which its parameters have. Whether the application is to see it.
    fn admit(&self, request: u64, check: &ArgumentCheck, params: &str) -> bool;
    /// Answers it.
    fn respond(&self, request: u64, outcome: Outcome<'_>) -> Result<(), Error>;
    /// Reports progress. Whether it was sent.
    fn progress(&self, request: u64, value: f64, total: Option<f64>, message: Option<&str>) -> bool;
    /// Sends a log message. Whether it was sent.
    fn log(&self, request: u64, severity: Severity, logger: Option<&str>, data: &str) -> bool;
    /// The answer to a question; `None` if it is to be asked when the handler has returned.
    fn ask(&self, request: u64, key: &str, method: &str, params: &str) -> Result<Option<Answer>, Error>;
    /// Keeps text for the handler's next run. `false` if the request is over.
    fn set_state(&self, request: u64, state: &str) -> bool;
    /// What an earlier run kept.
    fn state(&self, request: u64) -> Option<String>;
    /// Whether an answer is still wanted.
    fn is_under_way(&self, request: u64) -> bool;
    /// A number of the client that sent it. `None` when it is over.
    fn holder(&self, request: u64) -> Option<u64>;
    /// Who sent it, as JSON text. `None` when it is over.
    fn context(&self, request: u64) -> Option<String>;
    /// Whether the client that sent it has a capability or an extension. `None` when it is over.
    fn client_has(&self, request: u64, name: &str) -> Option<bool>;
    /// Turns it into a task, or says how its task is.
    fn start_task(&self, request: u64, options: TaskOptions<'_>) -> Result<(), Error>;
    /// Ends its stream before its answer; its client comes back after `retry`. Whether there was a stream that could end.
    fn close_stream(&self, request: u64, retry: Option<Duration>) -> Result<bool, Error>;
    /// Its message was freed.
    fn dropped(&self, request: u64);
    /// Runs a callback of the application, on the thread for these.
    fn run_callback(&self, callback: Arc<dyn Fn() + Send + Sync>);
}

/// The request that a message carries.
#[cfg(feature = "server")]
struct ServedRequest {
    request: u64,
    /// Who has sent it, as its server numbers those that share what it has: their requests are taken by turns.
    holder: Option<u64>,
    /// The process in which the server is: a child of `fork` has a copy that it must leave as it is.
    process: u64,
    handler: Handler,
    /// What the thread that takes the message checks before it gives it on.
    check: Option<ArgumentCheck>,
    /// Nothing of it is left to tell the server when its message is freed.
    is_answered: AtomicBool,
    /// Weak: a message must not keep alive what belongs to a server that is freed.
    by: Weak<dyn Serve>,
}

#[cfg(feature = "server")]
impl std::fmt::Debug for ServedRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServedRequest").field("request", &self.request).finish_non_exhaustive()
    }
}

#[cfg(feature = "server")]
impl Drop for ServedRequest {
    /// A request that is dropped without an answer is answered by the library, unless it waits for answers of its client.
    fn drop(&mut self) {
        if !*self.is_answered.get_mut()
            && let Some(by) = self.by.upgrade()
        {
            by.dropped(self.request);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Topic;

    fn notification(frame: &str) -> Message {
        let bytes = frame.as_bytes().to_vec();
        let Ok(crate::protocol::Incoming::Notification { method, params, .. }) =
            crate::protocol::envelope::parse(&bytes, 16)
        else {
            panic!("a notification")
        };
        Message::from_server(Kind::Notification, 1, bytes, method, params)
    }

    #[test]
    fn method_and_parameters_are_read_in_place_in_any_order() {
        for frame in [
            r#"{"jsonrpc":"2.0","method":"a/b","params":{"x":[1]}}"#,
            r#"{"params":{"x":[1]},"method":"a/b","jsonrpc":"2.0"}"#,
            r#"{"params": {"x":[1]} ,"method":"a\u002fb","jsonrpc":"2.0"}"#,
        ] {
            let message = notification(frame);
            assert_eq!(message.method(), Some("a/b"));
            assert_eq!(message.json(), r#"{"x":[1]}"#);
            assert_eq!(message.json_with_nul().last(), Some(&0));
            assert_eq!(message.method_with_nul().and_then(<[u8]>::last), Some(&0));
        }
    }

    #[test]
    fn a_method_with_a_nul_character_is_not_cut_short() {
        let message = notification("{\"jsonrpc\":\"2.0\",\"method\":\"a\\u0000b\"}");
        assert_eq!(message.method(), Some("a\\u0000b"));
    }

    #[test]
    fn absent_parameters_read_as_an_empty_object() {
        assert_eq!(notification(r#"{"jsonrpc":"2.0","method":"a"}"#).json(), "{}");
    }

    #[test]
    fn only_what_a_server_says_has_a_topic() {
        let changed = notification(r#"{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}"#);
        assert_eq!(changed.topic(), Topic::PromptsChanged);
        assert_eq!(notification(r#"{"jsonrpc":"2.0","method":"a/b"}"#).topic(), Topic::Unknown);
        let failed = Error::new(Status::Timeout, "elicitation/create", "no answer");
        for message in [Message::failure(1, &failed), Message::log(1, "line"), Message::lost(2)] {
            assert_eq!(message.topic(), Topic::None);
        }
    }

    /// The engine that a request came from; it is told when the request is dropped.
    struct Owner;

    impl Abandon for Owner {
        fn abandon(&self, _key: u64) {}
    }

    #[test]
    fn an_input_has_its_name_and_says_whether_more_follow() {
        let event = |input: Option<(&str, bool)>| {
            let handed_on = crate::protocol::write::local_message(true, "roots/list", None);
            let input = input.map(|(name, has_more)| {
                Box::new(crate::engine::RequestedInput { name: name.into(), has_more })
            });
            let crate::protocol::write::LocalMessage { frame, method, params } = handed_on;
            let event = Event::Request { frame, method, params, key: 1, call: 2, tag: 3, input };
            let owner = || std::sync::Weak::<Owner>::new() as std::sync::Weak<dyn Abandon>;
            Message::event(1, event, owner)
        };
        assert_eq!(event(Some(("a\\u0062", true))).input(), Some(("ab".to_owned(), true)));
        let last = event(Some(("q", false)));
        assert_eq!(last.input(), Some(("q".to_owned(), false)));
        assert_eq!((last.text_with_nul(), last.error_with_nul()), (None, None));
        assert_eq!(event(None).input(), None, "one on the wire has no name");
        assert_eq!(notification(r#"{"jsonrpc":"2.0","method":"a"}"#).input(), None);
    }
}
