//! What a call of a feature means on the connection at hand: whether the server has it, what stands for it on the wire of
//! this era, and what needs no wire at all.

use super::calls::Feature;
use super::effect::{Body, State};
use super::status::{Error, Status};
use super::{Engine, tasks};
use crate::json::{self, Span};
use crate::protocol::task::Form;
use crate::protocol::{Era, Params, ParamsBuf, Revision, error_code, feature, meta, method, write};
use std::time::Instant;

/// The capability of tools.
const TOOLS: &str = "/tools";

impl<T> Engine<T> {
    /// Whether a call is about tools, and the server did not say that it has any.
    fn is_undeclared(&self, id: u64) -> bool {
        self.calls.get(id).is_some_and(|call| {
            call.feature != Feature::Raw && matches!(&*call.method, method::TOOLS_LIST | method::TOOLS_CALL)
        }) && !feature::has(self.handshake.capabilities(), TOOLS)
    }

    /// A call was answered. Servers have tools and do not say so.
    pub(super) fn note_undeclared(&mut self, id: u64, frame: &[u8]) {
        let is_undeclared = self.is_undeclared(id);
        self.tolerate(is_undeclared, frame);
    }

    /// The error of a call that the server does not know, for a feature that it did not declare.
    pub(super) fn undeclared(&self, id: u64, code: i64, message: &str) -> Option<Error> {
        if code != error_code::METHOD_NOT_FOUND || !self.is_undeclared(id) {
            return None;
        }
        let called = self.calls.get(id)?.method.as_ref();
        let what = format!(
            "the server has no tools: it did not declare the capability 'tools', and says: {message} (code {code})"
        );
        Some(Error::new(Status::Unsupported, called, what).with("capability", "tools"))
    }

    /// The error of a call whose feature the server does not have.
    pub(super) fn lacking(&self, called: &str, feature: Feature, as_task: Option<bool>) -> Option<Error> {
        if feature == Feature::Raw || !self.settings.capability_checks {
            return None;
        }
        let revision = self.revision()?;
        let needed = method::needed_server_capability(called, revision);
        let as_task = (as_task == Some(true)).then(|| tasks::needed(revision));
        let capabilities = self.handshake.capabilities();
        // Servers have tools and do not say so; their answer tells.
        let lacks = |(pointer, _): &(&str, &str)| *pointer != TOOLS && !feature::has(capabilities, pointer);
        let Some((pointer, what)) = needed.into_iter().chain(as_task).find(lacks) else {
            let spoken = revision.as_str();
            return (as_task.is_some() && Form::at(revision).is_none()).then(|| {
                let what =
                    format!("the server declares tasks, which the revision spoken, {spoken}, does not have");
                let message = format!("{what}; nothing was sent");
                Error::new(Status::Unsupported, called, message).with("revision", spoken)
            });
        };
        let name = pointer.trim_start_matches('/').replace('/', ".").replace("~1", "/");
        Some(
            Error::new(
                Status::Unsupported,
                called,
                format!(
                    "the server has no {what}: it did not declare the capability '{name}'. Nothing was sent; with \
                     capability_checks false it is asked all the same"
                ),
            )
            .with("capability", name)
            .with("revision", revision.as_str()),
        )
    }

    /// Sends a call on the connection, or does what stands for it there.
    pub(super) fn dispatch(&mut self, now: Instant, id: u64, params: Option<Params<'_>>, meta: &str) {
        let Some(call) = self.calls.get(id) else { return };
        let feature = call.feature;
        if feature != Feature::Raw {
            let called = call.method.clone();
            if !self.stands_for(now, id, feature, &called, params) {
                return;
            }
        }
        let tool = params.map(|params| params.text());
        if !self.lists_first(now, id, tool)
            && self.may_go_out(now, id, params)
            && self.takes_turn(now, id, tool)
        {
            self.write_call(now, id, params, meta);
        }
    }

    /// Does what a feature needs before anything is sent. Says whether it is to be sent.
    fn stands_for(
        &mut self,
        now: Instant,
        id: u64,
        feature: Feature,
        called: &str,
        params: Option<Params<'_>>,
    ) -> bool {
        let as_task = self.calls.get(id).and_then(|call| call.task);
        if let Some(error) = self.lacking(called, feature, as_task) {
            self.complete(now, id, Err(error));
            return false;
        }
        if self.era() == Some(Era::Modern) && called == method::SET_LEVEL {
            // The modern era keeps no level on the server: each request says it from here on.
            if let Some(params) = params {
                self.restore.note(method::SET_LEVEL, params.text());
            }
            self.complete(now, id, Ok(nothing()));
            return false;
        }
        if called == method::TASKS_RESULT {
            self.watch_task(now, id, params.map_or("{}", |params| params.text()));
            return false;
        }
        if self.era() == Some(Era::Modern) && matches!(called, method::SUBSCRIBE | method::UNSUBSCRIBE) {
            self.subscribe(now, id, called, params.map_or("{}", |params| params.text()));
            return false;
        }
        true
    }

    /// The parameters of a feature's call without what this revision does not know, if there is anything of that in them: up
    /// to 2025-03-26 a completion has no `context`.
    pub(super) fn cut_to_revision(&self, id: u64, params: Option<Params<'_>>) -> Option<ParamsBuf> {
        if self.revision().is_none_or(|revision| revision >= Revision::V2025_06_18) {
            return None;
        }
        let call = self.calls.get(id)?;
        if call.feature == Feature::Raw || call.method != method::COMPLETE {
            return None;
        }
        let params = params?.text();
        json::member(params, "context")?;
        let mut cut = String::from("{");
        for (name, value) in json::members(params).filter(|(name, _)| *name != "context") {
            if cut.len() > 1 {
                cut.push(',');
            }
            cut.push('"');
            cut.push_str(name);
            cut.push_str("\":");
            cut.push_str(value);
        }
        cut.push('}');
        Some(ParamsBuf::written(method::COMPLETE, cut))
    }

    /// Adds the log level that the application set to a modern request's metadata, unless the call brings its own.
    pub(super) fn push_log_level(&self, members: &mut String, meta: &str) {
        if self.era() != Some(Era::Modern) {
            return;
        }
        let Some(level) = self.restore.level().and_then(|params| json::member(params, "level")) else {
            return;
        };
        if !meta.is_empty() && json::member(&format!("{{{meta}}}"), meta::LOG_LEVEL).is_some() {
            return;
        }
        if !members.is_empty() {
            members.push(',');
        }
        json::quote_into(meta::LOG_LEVEL, members);
        members.push(':');
        members.push_str(level);
    }

    /// A number for a call that needs no server.
    pub fn number(&mut self) -> u64 {
        self.calls.number()
    }

    /// Whether calls may be made.
    pub fn is_open(&self) -> bool {
        !matches!(self.state, State::Closing | State::Closed)
    }

    /// Sets the answer to `roots/list` and tells a server that can be told.
    ///
    /// # Errors
    /// `UNSUPPORTED` when the capability was not declared, so that no server will ask.
    pub fn set_roots(&mut self, roots: String) -> Result<(), Error> {
        let Some(declared) = self.settings.capabilities.get("roots") else {
            return Err(Error::new(
                Status::Unsupported,
                "set_roots",
                "this client has not declared roots, so no server asks for them; give 'roots' in the config, [] for none \
                 at first",
            ));
        };
        let announces = declared.get("listChanged") == Some(&serde_json::Value::Bool(true));
        self.settings.roots = Some(roots);
        if announces && self.state == State::Ready && self.era() == Some(Era::Legacy) {
            self.send(write::notification(method::ROOTS_CHANGED, None));
        }
        Ok(())
    }
}

/// The result of a call that needs no answer of the server.
pub(super) fn nothing() -> Body {
    Body::new(b"{}".to_vec(), Span { start: 0, end: 2 })
}
