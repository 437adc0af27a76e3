//! Notices: to legacy sessions, and to the streams that listen. One call of the application's serves both eras.

use super::answering::log_params;
use super::context::Context;
use super::effect::{Effect, Now, Sent, SessionId, Stream};
use super::listens::Changed;
use super::router::Server;
use super::settings::Severity;
use super::wire_id::WireId;
use crate::json;
use crate::protocol::{meta, method};

impl<H: Clone> Server<H> {
    /// A resource changed: the server notifies the clients that subscribed to it (S-RS-09).
    pub fn resource_updated(&mut self, now: Now, uri: &str) {
        self.burst.resource(uri, now.at, self.settings.timeouts.burst);
    }

    /// Sends a log message that belongs to no request: to the legacy sessions that want messages of that severity. In 2026-07-28
    /// messages belong to requests (S-LG-03). `data` is JSON text. Gives the number of sessions.
    pub fn log_to_all(&mut self, now: Now, severity: Severity, logger: Option<&str>, data: &str) -> usize {
        if !self.settings.announced.logging {
            return 0;
        }
        let params = log_params(severity, logger, data);
        let mut sessions = self.sessions.hearing(severity);
        sessions.retain(|session| self.may_log(now, *session));
        for session in &sessions {
            self.notify(own_stream(*session), method::LOG, &params);
        }
        sessions.len()
    }

    /// Ends all subscriptions, each with its result: the server closes (S-SU-07).
    pub fn end_listens(&mut self) {
        for (stream, id) in self.listens.end_all() {
            // Over HTTP the end of the stream says it; over a byte stream this does, while the subscription is still open.
            if !self.sessions.has_ids_per_stream(stream.session) {
                let params = format!("{{\"requestId\":{},\"reason\":\"the server is closing\"}}", id.text());
                self.notify(stream, method::CANCELLED, &params);
            }
            let mut about = subscription(&id);
            if self.settings.name_in_results {
                // Before the closing brace (S-MD-09).
                about.truncate(about.len() - 1);
                about.extend([",\"", meta::SERVER_INFO, "\":", &self.settings.info, "}"]);
            }
            let result = format!("{{\"resultType\":\"complete\",\"_meta\":{about}}}");
            let frame = self.result_frame(&id, None, &result);
            self.effects.push_back(Effect::Send { to: stream, frame, sent: Sent::Answer(None) });
        }
    }

    /// A list changed.
    pub(super) fn changed(&mut self, now: Now, list: Changed) {
        // A client that connects later sees the list as it is then.
        if self.sessions.count() == 0 {
            return;
        }
        self.burst.list(list, now.at, self.settings.timeouts.burst);
    }

    /// Tells a burst of changes, each one once to each who asked (S-SU-05, S-TL-14).
    pub(super) fn tell_changes(&mut self, now: Now) {
        let Some((lists, resources)) = self.burst.take(now.at) else { return };
        for list in lists {
            let name = match list {
                Changed::Tools => method::TOOLS_CHANGED,
                Changed::Resources => method::RESOURCES_CHANGED,
                Changed::Prompts => method::PROMPTS_CHANGED,
            };
            for session in self.sessions.confirmed() {
                self.notify(own_stream(session), name, "{}");
            }
            for (stream, id) in self.listens.of_list(list) {
                self.notify(stream, name, &format!("{{\"_meta\":{}}}", subscription(&id)));
            }
        }
        for uri in resources {
            let uri_text = json::quote(&uri);
            let may_hear =
                |it: &Self, session| it.hears_of(session, |reader| it.source(reader, &uri).map(drop));
            for session in self.sessions.subscribed(&uri) {
                if !may_hear(self, session) {
                    continue;
                }
                self.notify(
                    own_stream(session),
                    method::RESOURCE_UPDATED,
                    &format!("{{\"uri\":{uri_text}}}"),
                );
            }
            for (stream, id) in self.listens.of_resource(&uri) {
                if !may_hear(self, stream.session) {
                    continue;
                }
                let params = format!("{{\"uri\":{uri_text},\"_meta\":{}}}", subscription(&id));
                self.notify(stream, method::RESOURCE_UPDATED, &params);
            }
        }
    }

    /// The first message of a subscription: what of the filter is honoured (S-SU-01).
    pub(super) fn acknowledge(&mut self, to: Stream, id: &WireId, _context: &Context, filter: &str) {
        let params = format!("{{\"notifications\":{filter},\"_meta\":{}}}", subscription(id));
        self.notify(to, method::ACKNOWLEDGED, &params);
    }
}

/// Where messages go that belong to no request.
pub(super) fn own_stream(session: SessionId) -> Stream {
    Stream { session, number: 0 }
}

/// The `_meta` of a subscription's messages: its id in the type it came in (S-SU-02).
pub(super) fn subscription(id: &WireId) -> String {
    format!("{{\"{}\":{}}}", meta::SUBSCRIPTION_ID, id.text())
}
