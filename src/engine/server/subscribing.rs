//! Subscriptions: to resources in the legacy era, to streams of notices in the modern one.

use super::access::{Lacks, Reader};
use super::authorizing::wanted;
use super::context::{Context, Refusal};
use super::effect::{SessionId, Stream};
use super::listens::{Changed, Filter, NotOpened, URI_BYTES};
use super::registry::Kind;
use super::router::Server;
use super::sessions::NotSubscribed;
use super::task_calls::{declares_tasks, undeclared};
use super::tasks::Asker;
use super::wire_id::WireId;
use crate::protocol::task::Form;
use crate::protocol::{error_code, method};

impl<H: Clone> Server<H> {
    /// Whether a session of the legacy era is told of changes: of lists, or of this resource.
    #[cfg(test)]
    pub fn is_told_of(&self, session: SessionId, uri: Option<&str>) -> bool {
        self.sessions.is_told_of(session, uri)
    }

    /// S-RS-08.
    pub(super) fn subscribe(
        &mut self,
        from: Stream,
        id: &WireId,
        on: bool,
        params: Option<&str>,
    ) -> Result<(), Refusal> {
        let name = if on { method::SUBSCRIBE } else { method::UNSUBSCRIBE };
        self.need(Changed::Resources, name)?;
        let principal = self.sessions.principal(from.session);
        let reader = self.reader(principal.as_deref(), name);
        let uri = wanted(&reader, params, "uri")?;
        if uri.len() > URI_BYTES {
            return Err(Refusal::params(format!("'uri' may have {URI_BYTES} bytes at most")));
        }
        if !on {
            self.sessions.unsubscribe(from.session, &uri);
            self.subscriptions_changed(from.session);
        } else if self.source(&reader, &uri)?.is_none() {
            let data = serde_json::json!({ "uri": uri });
            let text = format!("there is no resource '{uri}'");
            return Err(Refusal::new(error_code::RESOURCE_NOT_FOUND, text).with(&data));
        } else {
            let limit = self.settings.limits.subscriptions_per_session;
            self.sessions.subscribe(from.session, &uri, limit).map_err(|why| {
                let (key, text) = match why {
                    NotSubscribed::Ended => {
                        return Refusal::new(error_code::INVALID_REQUEST, "the session has ended");
                    }
                    NotSubscribed::Number => {
                        ("limits.session_subscriptions", format!("the session has {limit} subscriptions: end some first"))
                    }
                    NotSubscribed::Bytes(share) => (
                        "limits.subscription_bytes",
                        format!("the URIs that this client is subscribed to may take {share} bytes at present: end some subscriptions first"),
                    ),
                };
                Refusal::busy(key, &text)
            })?;
            self.subscriptions_changed(from.session);
        }
        self.result(from, id, None, "{}");
        Ok(())
    }

    /// Whether there is a resource with that URI, for the application.
    pub(super) fn is_resource(&self, uri: &str) -> bool {
        self.registry.has(Kind::Resource, uri) || self.skills.has_file(uri) || self.registry.has_matching(uri)
    }

    /// Whether a session may still be told of a resource or a task: who its newest frame came from may have fewer scopes than who asked.
    pub(super) fn hears_of(
        &self,
        session: SessionId,
        asks: impl FnOnce(&Reader<'_>) -> Result<(), Lacks>,
    ) -> bool {
        let principal = self.sessions.principal(session);
        asks(&self.reader(principal.as_deref(), "")).is_ok()
    }

    /// S-SU-01 to S-SU-05.
    pub(super) fn listen(
        &mut self,
        from: Stream,
        id: &WireId,
        context: &Context,
        params: Option<&str>,
    ) -> Result<(), Refusal> {
        let limits = &self.settings.limits;
        let most = limits.subscriptions_per_session;
        let mut filter = Filter::read(params, &self.offered(), &self.settings.extension_notices, most)?;
        if Filter::names_tasks(params) && self.registry.runs_tasks() {
            if !declares_tasks(context) {
                return Err(undeclared("'taskIds'"));
            }
            let reader = self.reader(context.principal.as_deref(), method::LISTEN);
            let asker = Asker { session: from.session, form: Form::Extension, owner: context.principal_id() };
            let is_known = |task: &str| matches!(self.tasks.visible(&reader, task, asker), Ok(Some(_)));
            filter.read_tasks(params, is_known, most)?;
        }
        let reader = self.reader(context.principal.as_deref(), method::LISTEN);
        filter.keep_resources(|uri| matches!(self.source(&reader, uri), Ok(Some(_))));
        let (text, names_resources) = (filter.text(), filter.names_resources());
        let holder = self.sessions.holder(from.session);
        self.listens.open(from, id.clone(), filter, holder).map_err(|why| {
            let most = self.settings.limits.listens_per_session;
            let (limit, text) = match why {
                NotOpened::OfSession => (
                    "limits.session_listens",
                    format!("a session may have {most} subscriptions at one time: end one first"),
                ),
                NotOpened::Number(share) => (
                    "limits.listens",
                    format!("this client may have {share} subscriptions at present: end one first"),
                ),
                NotOpened::Bytes { wanted, share } => (
                    "limits.subscription_bytes",
                    format!("the subscription takes {wanted} bytes, and this client may have {share} together at present: name fewer resources, or end other subscriptions first"),
                ),
            };
            Refusal::busy(limit, &text)
        })?;
        self.counters.listens += 1;
        if names_resources {
            self.subscriptions_changed(from.session);
        }
        self.acknowledge(from, id, context, &text);
        Ok(())
    }
}
