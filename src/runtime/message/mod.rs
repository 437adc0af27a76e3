//! Messages: what arrives for the application, each in the buffer it was received in.
//!
//! [`Message`], and how it is made, is in this file.
//!
//! The files:
//!
//! * `kind`: `Kind`: what a message is
//! * `text`: the text of a message, which C reads in place
//! * `reading`: what the application reads of a message: kind, status, JSON, text
//! * `large`: the frame of a large reply, lent as JSON or as text; its text is terminated in place
//! * `finish`: what is to be done to an outcome before the application has it
//! * `state`: messages of states of a connection, and of the outcomes of connects
//! * `notices`: what the library itself tells: lost messages, lines of stderr
//! * `client_request`: a client's request to a server, and `Serve`, by which it is answered
//! * `served`: what else a server tells its application

#[cfg(feature = "server")]
mod client_request;
mod finish;
mod kind;
mod large;
mod notices;
mod reading;
#[cfg(feature = "server")]
mod served;
mod state;
mod text;

#[cfg(feature = "server")]
pub(crate) use client_request::Serve;
pub use kind::Kind;

use self::large::{LARGE_BYTES, Large};
use self::text::{EMPTY_OBJECT, Text, own, terminate};
use crate::engine::{Asked, Body, Error, Event, Reply, Status};
use crate::json::{self, Span};
use std::borrow::Cow;
use std::sync::{OnceLock, Weak};

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
    pub(crate) input: Option<Box<Asked>>,
}

impl Pending {
    fn bytes(&self) -> usize {
        size_of::<Pending>() + self.input.as_ref().map_or(0, |asked| size_of::<Asked>() + asked.name.len())
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
    method: Option<Text>,
    json: Text,
    text: OnceLock<Option<Box<[u8]>>>,
    /// Of a request and of a login; boxed, since most messages have none.
    pending: Option<Box<Pending>>,
    /// Whether the server asked for input before it answered.
    asked: bool,
    /// Whether it is a result of a type that an extension brought.
    extended: bool,
    /// What is to be done before the application has it.
    finish: Option<Finish>,
    /// Whether the number that it names its owner by is a server's.
    #[cfg(feature = "server")]
    is_of_server: bool,
    /// The request of a client that it carries.
    #[cfg(feature = "server")]
    served: Option<Box<client_request::Served<Message>>>,
}

/// What is to be done to an outcome before the application has it.
pub(crate) type Finish = finish::Finish<Message>;

/// What runs for a request of a client.
#[cfg(feature = "server")]
pub type Handler = client_request::Handler<Message>;

impl Message {
    fn new(kind: Kind, client: u64, json: Text) -> Message {
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
            Ok(Body { mut frame, json, asked, extended }) => {
                terminate(&mut frame, json.end);
                let mut message = if frame.len() < LARGE_BYTES {
                    let mut message = Message::new(Kind::Reply, client, Text::InFrame(json));
                    message.frame = frame;
                    message
                } else {
                    Message::new(Kind::Reply, client, Text::Large(Box::new(Large::new(frame, json))))
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
    pub(crate) fn finished_by(mut self, finish: Option<Finish>) -> Message {
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
                let mut message = Message::new(Kind::Progress, client, Text::InFrame(params));
                message.frame = frame;
                message.method = Some(Text::Static(b"notifications/progress\0"));
                message.call = call;
                message.tag = tag;
                message
            }
            Event::State { from, to, reason, next_attempt } => {
                let wait = next_attempt.map(|at| at.saturating_duration_since(std::time::Instant::now()));
                Message::new(Kind::State, client, own(state::json(from, to, &reason, wait)))
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
            Text::InFrame(Span { start: method.start + 1, end: method.end - 1 })
        };
        if let Text::InFrame(span) = &method {
            let end = span.end;
            terminate(&mut frame, end);
        }
        let json = match params {
            Some(params) => {
                terminate(&mut frame, params.end);
                Text::InFrame(params)
            }
            None => Text::Static(EMPTY_OBJECT),
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

    fn with_nul<'a>(&'a self, text: &'a Text) -> &'a [u8] {
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

#[cfg(test)]
mod tests;
