//! What a server of this process tells its application.

use super::text::{MessageText, own};
use super::{Handler, Kind, Message, Serve, ServedRequest};
use crate::engine::server::{ArgumentCheck, FrameText, Outcome, SMALL_REQUEST};
use crate::engine::{Error, Status};
use crate::transport::process::per_process::generation;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

/// A method as C reads it. The one of most requests is a constant.
fn method_text(method: &str) -> MessageText {
    match method {
        "tools/call" => MessageText::Static(b"tools/call\0"),
        _ => own(method.to_owned()),
    }
}

impl Message {
    /// A request of a client.
    pub(crate) fn served(
        server: u64,
        request: u64,
        method: &str,
        params: FrameText,
        handler: Handler,
        check: Option<ArgumentCheck>,
        (holder, by): (u64, Weak<dyn Serve>),
    ) -> Message {
        let mut message = Message::of_server(Kind::Request, server, method, MessageText::Shared(params));
        message.call = request;
        message.served = Some(Box::new(ServedRequest {
            request,
            holder: Some(holder),
            process: generation(),
            handler,
            check,
            is_answered: AtomicBool::new(false),
            by,
        }));
        message
    }

    /// A token that the application decides about.
    #[cfg(feature = "auth")]
    pub(crate) fn token(server: u64, request: u64, params: &str, by: Weak<dyn Serve>) -> Message {
        let mut message =
            Message::of_server(Kind::Auth, server, "token", MessageText::Shared(FrameText::copied(params)));
        message.call = request;
        message.served = Some(Box::new(ServedRequest {
            request,
            holder: None,
            process: generation(),
            handler: Handler::queue(),
            check: None,
            is_answered: AtomicBool::new(false),
            by,
        }));
        message
    }

    /// A request is no longer wanted: why.
    pub(crate) fn withdrawn(server: u64, request: u64, why: &str) -> Message {
        let json = own(format!("{{\"reason\":\"{why}\"}}"));
        let mut message = Message::of_server(Kind::Notification, server, "notifications/cancelled", json);
        message.call = request;
        message
    }

    /// What became of a call that the application made of a client.
    pub(crate) fn called(
        server: u64,
        call: u64,
        tag: u64,
        method: &str,
        outcome: Result<Box<str>, Error>,
    ) -> Message {
        let (status, json) = match outcome {
            Ok(result) => (Status::Ok, result.into()),
            Err(error) => (error.status, error.to_json()),
        };
        let mut message = Message::of_server(Kind::Reply, server, method, own(json));
        (message.status, message.call, message.tag) = (status, call, tag);
        message
    }

    /// The roots of a client have changed.
    pub(crate) fn roots_changed(server: u64, session: u64) -> Message {
        let json = own(format!("{{\"session\":{session}}}"));
        Message::of_server(Kind::Notification, server, "notifications/roots/list_changed", json)
    }

    /// A client notified what the library does not know; the tag is its session.
    pub(crate) fn notified(server: u64, session: u64, method: &str, params: Box<str>) -> Message {
        let mut message = Message::of_server(Kind::Notification, server, method, own(params.into()));
        message.tag = session;
        message
    }

    /// A session of the legacy era has finished its handshake.
    pub(crate) fn joined(server: u64, session: u64) -> Message {
        Message::notified(server, session, "notifications/initialized", "{}".into())
    }

    /// Everything that a server served has ended.
    pub(crate) fn server_ended(server: u64) -> Message {
        let json = own("{\"state\":\"closed\",\"previous\":\"serving\",\"reason\":\"\"}".to_owned());
        let mut message = Message::of_server(Kind::State, server, "", json);
        message.method = None;
        message
    }

    /// The number of the server that it is about; 0 if it is of a client.
    pub(crate) fn server(&self) -> u64 {
        if self.is_of_server { self.client } else { 0 }
    }

    fn of_server(kind: Kind, server: u64, method: &str, json: MessageText) -> Message {
        let mut message = Message::new(kind, server, json);
        message.is_of_server = true;
        message.method = Some(method_text(method));
        message
    }

    /// Whether a function of the application is to run for it.
    pub(crate) fn has_handler(&self) -> bool {
        self.served.as_ref().is_some_and(|served| served.handler.is_function())
    }

    /// The application has taken it: if it is a request, that waits no longer.
    pub(crate) fn taken(&self) {
        if let Some((request, by)) = self.request() {
            by.begun(request);
        }
    }

    /// Whether the library has something to do with it when it was taken: arguments to check, a function to run.
    pub(crate) fn has_work(&self) -> bool {
        self.served.as_ref().is_some_and(|served| served.check.is_some() || served.handler.is_function())
    }

    /// Does that, with no lock held. Gives the message back if it is for the application.
    pub(crate) fn work(mut self) -> Option<Message> {
        if let Some(check) = self.served.as_mut().and_then(|served| served.check.take()) {
            let (request, by) = self.request()?;
            let params = if let MessageText::Shared(params) = &self.json { &**params } else { "{}" };
            if !by.admit(request, &check, params) {
                return None;
            }
        }
        match self.served.as_ref().and_then(|served| served.handler.get()) {
            Some(function) => {
                function(self);
                None
            }
            None => Some(self),
        }
    }

    /// The server whose request it carries.
    pub(crate) fn server_of_request(&self) -> Option<Weak<dyn Serve>> {
        self.served.as_ref().map(|served| Weak::clone(&served.by))
    }

    /// The request that it carries, and what answers it. `None` for another message, or when the server is gone.
    pub(crate) fn request(&self) -> Option<(u64, Arc<dyn Serve>)> {
        let served = self.served.as_ref()?;
        Some((served.request, served.by.upgrade()?))
    }

    /// Answers the request that it carries, by what [`request`](Self::request) gave.
    ///
    /// # Errors
    /// Those of the server.
    pub(crate) fn answer(
        &self,
        (request, by): (u64, Arc<dyn Serve>),
        outcome: Outcome<'_>,
    ) -> Result<(), Error> {
        by.respond(request, outcome)?;
        // The bytes of a large one are counted until its message is freed.
        if let (Some(served), MessageText::Shared(params)) = (&self.served, &self.json)
            && self.kind == Kind::Request
            && params.held() <= SMALL_REQUEST
        {
            served.is_answered.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Whether it carries this request of a client to this server.
    pub(crate) fn carries(&self, server: u64, request: u64) -> bool {
        self.client == server && self.served.as_ref().is_some_and(|served| served.request == request)
    }

    /// Whether the server that it is for is one of this process, and not of the parent of a fork.
    pub(crate) fn is_of_this_process(&self) -> bool {
        self.served.as_ref().is_none_or(|served| served.process == generation())
    }

    /// Whether it carries a request of a client.
    pub(crate) fn is_served(&self) -> bool {
        self.served.is_some()
    }
}
