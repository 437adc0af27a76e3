//! What the application sends to a client by itself, outside of any request (legacy era): calls and notifications.

use super::effect::{Effect, Now, Outgone, Sent, SessionId, Stream};
use super::input::{Owner, missing_capability, question_method};
use super::notices::own_stream;
use super::question_checks;
use super::router::Server;
use crate::engine::{Error, Status};
use crate::json::{self, Kind};
use crate::protocol::params::ParamsBuf;
use crate::protocol::{meta, method, write};
use std::time::Duration;

/// The notifications that the library sends where they are due.
const OWN: [(&str, &str); 8] = [
    (method::CANCELLED, "the library sends it"),
    (method::PROGRESS, "use mcp_request_progress()"),
    (method::LOG, "use mcp_server_log() or mcp_request_log()"),
    (method::TOOLS_CHANGED, "the library sends it when a tool is added or removed"),
    (method::RESOURCES_CHANGED, "the library sends it when a resource is added or removed"),
    (method::PROMPTS_CHANGED, "the library sends it when a prompt is added or removed"),
    (method::RESOURCE_UPDATED, "use mcp_server_resource_updated()"),
    (method::ACKNOWLEDGED, "the library sends it"),
];

/// Whether an application may send a notification with that name.
pub fn may_notify(name: &str) -> bool {
    name.starts_with("notifications/") && !OWN.iter().any(|(own, _)| *own == name)
}

impl<H: Clone> Server<H> {
    /// Calls a client: `ping`, `roots/list`, `sampling/createMessage` or `elicitation/create`. `Ok` gives the number of the call,
    /// and one [`Effect::Called`] with the tag follows.
    ///
    /// # Errors
    /// `UNAVAILABLE` when there is no such session; `UNSUPPORTED` at a session of 2026-07-28, or for what the client does not
    /// declare; `BACKPRESSURE`; `INVALID_ARGUMENT`.
    pub fn call(
        &mut self,
        now: Now,
        session: SessionId,
        name: &str,
        params: &str,
        tag: u64,
        timeout: Option<Duration>,
    ) -> Result<u64, Error> {
        let refused = |status, what: String| Err(Error::new(status, "server_call", what));
        if !self.sessions.is_open(session) {
            return refused(Status::Unavailable, format!("there is no session {}", session.0));
        }
        let Some(context) = self.sessions.context(session, None) else {
            let what = "the client has not initialized the session; in revision 2026-07-28 a server asks with mcp_request_ask()";
            return refused(Status::Unsupported, what.to_owned());
        };
        let name = match question_method(name) {
            Some(name) => name,
            None if name == method::PING => method::PING,
            None => {
                let what = format!(
                    "'{name}' is nothing that a server may ask: use ping, roots/list, sampling/createMessage or elicitation/create"
                );
                return refused(Status::InvalidArgument, what);
            }
        };
        let depth = self.settings.limits.depth;
        match json::scan_value(params.as_bytes(), depth) {
            Ok(value) if value.kind == Kind::Object => {}
            _ => return refused(Status::InvalidArgument, "params_json must be a JSON object".to_owned()),
        }
        if let Some(missing) = missing_capability(&context, name, params) {
            let error = Error::new(
                Status::Unsupported,
                "server_call",
                format!("the client does not say that it can answer '{name}'"),
            );
            return Err(error
                .with("missing", serde_json::from_str::<serde_json::Value>(&missing).unwrap_or_default()));
        }
        let wrong = |what| Error::new(Status::InvalidArgument, "server_call", format!("'{name}': {what}"));
        let elicitation_id = question_checks::question(context.revision, name, params).map_err(wrong)?;
        let holder = self.sessions.holder(session);
        if let Some(id) = elicitation_id.as_deref()
            && let Err(why) = self.elicitation_ids.may_add(session, &holder, id)
        {
            return refused(Status::InvalidArgument, why);
        }
        if name != method::PING && !self.sessions.is_confirmed(session) {
            // S-LC-05.
            let what =
                "the client has not sent 'notifications/initialized' yet: until then only ping may be called";
            return refused(Status::Unavailable, what.to_owned());
        }
        if self.sessions.is_silent(session) {
            let what = "the client has ended its input: it answers nothing more";
            return refused(Status::Unavailable, what.to_owned());
        }
        let most = self.settings.limits.requests_per_session;
        if self.sent.calls_of(session) >= most {
            let what = format!("{most} calls of this session wait for answers (limits.session_requests)");
            return refused(Status::Backpressure, what);
        }
        let deadline = now.at + timeout.unwrap_or(self.settings.timeouts.question);
        let schema = question_checks::schema(name, params).map(Into::into);
        let id = self.sent.insert(session, Owner::Call { tag, method: name, schema }, deadline);
        if let Some(elicitation) = elicitation_id {
            self.elicitation_ids.add(session, &holder, &elicitation);
        }
        let params = ParamsBuf::written(name, params);
        let frame = write::request(id, name, Some(params.view()), "").text;
        let to = Stream { session, number: 0 };
        self.effects.push_back(Effect::Send { to, frame, sent: Sent::Request });
        Ok(id)
    }

    /// Sends a notification of an extension to one session of the legacy era, or to all of them and to the streams of
    /// 2026-07-28 that asked for it (S-SU-03). Gives how many get it.
    ///
    /// # Errors
    /// `UNAVAILABLE` when there is no such session; `INVALID_ARGUMENT` for what the library sends itself.
    pub fn notify_sessions(
        &mut self,
        session: Option<SessionId>,
        name: &str,
        params: &str,
    ) -> Result<usize, Error> {
        let refused = |status, what: String| Err(Error::new(status, "server_notify", what));
        if let Some((_, instead)) = OWN.iter().find(|(own, _)| *own == name) {
            return refused(Status::InvalidArgument, format!("'{name}' cannot be sent: {instead}"));
        }
        if !name.starts_with("notifications/") && method::find(name).is_some() || name.is_empty() {
            return refused(Status::InvalidArgument, format!("'{name}' is no notification"));
        }
        let depth = self.settings.limits.depth;
        match json::scan_value(params.as_bytes(), depth) {
            Ok(value) if value.kind == Kind::Object => {}
            _ => return refused(Status::InvalidArgument, "params_json must be a JSON object".to_owned()),
        }
        let sessions = match session {
            None => self.sessions.confirmed(),
            Some(one) if self.sessions.is_confirmed(one) => vec![one],
            Some(one) => {
                return refused(Status::Unavailable, format!("there is no initialized session {}", one.0));
            }
        };
        for session in &sessions {
            self.notify(own_stream(*session), name.to_owned(), params);
        }
        let mut listening = Vec::new();
        if session.is_none() {
            let notices = &self.settings.extension_notices;
            let members: Vec<&str> = notices
                .iter()
                .filter(|(_, method)| ***method == *name)
                .map(|(member, _)| &**member)
                .collect();
            listening = self.listens.of_extension(&members);
        }
        for (to, id) in &listening {
            self.notify(*to, name.to_owned(), &meta::with(params, meta::SUBSCRIPTION_ID, id.text()));
        }
        Ok(sessions.len() + listening.len())
    }

    /// A client answered a call.
    pub(super) fn call_answered(
        &mut self,
        id: u64,
        tag: u64,
        name: &'static str,
        schema: Option<&str>,
        outcome: Result<&str, String>,
    ) {
        let is_good = |result| name == method::PING || question_checks::answer(name, schema, result).is_ok();
        let outcome = match outcome {
            Ok(result) if is_good(result) => Outgone::Result(result.into()),
            Ok(_) => Outgone::Malformed,
            Err(error) => Outgone::Error(error.into()),
        };
        self.effects.push_back(Effect::Called { call: id, tag, method: name, outcome });
    }

    /// The calls of a session that has ended have no answer.
    pub(super) fn end_calls(&mut self, session: SessionId) {
        for (call, tag, method) in self.sent.end_calls(session) {
            let outcome = Outgone::SessionEnded;
            self.effects.push_back(Effect::Called { call, tag, method, outcome });
        }
    }
}
