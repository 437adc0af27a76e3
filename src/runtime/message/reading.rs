//! What the application reads of a message.

use super::large::terminated;
use super::text::{Text, without_nul};
use super::{Kind, Message};
use crate::engine::Status;
use crate::json;
use crate::protocol::{Topic, method};
use std::borrow::Cow;

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
        if self.kind != Kind::Request {
            return None;
        }
        let (more, name) = self.text.get()?.as_deref()?.split_first()?;
        Some((String::from_utf8_lossy(name).into_owned(), *more != 0))
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
        if let Text::Large(large) = &self.json
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
